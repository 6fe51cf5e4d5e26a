# SPDX-License-Identifier: Apache-2.0
"""Commands that say what is planned and what is promised; they run nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from aclnn_cts.cli.options import (
    DEFAULT_PRODUCT,
    DEFAULT_TIER,
    EditionName,
    Operators,
    Product,
    TierName,
    load,
    reported,
)
from aclnn_cts.console import show_cases, show_explanation
from aclnn_cts.plan.planner import find_case, plan
from aclnn_cts.spec.edition_models import CURRENT


@reported
def list_cases(
    operator: Operators = None,
    product: Product = DEFAULT_PRODUCT,
    tier: TierName = DEFAULT_TIER,
    edition: EditionName = CURRENT,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """List the cases of a tier."""
    _, specs = load(edition)
    show_cases(plan(specs, product, tier, operator), as_json=as_json)


@reported
def explain(
    case_id: Annotated[str, typer.Argument(help="A case's id.")],
    product: Product = DEFAULT_PRODUCT,
    tier: TierName = "standard",
    edition: EditionName = CURRENT,
) -> None:
    """Say what a case is, what it expects and why it exists."""
    _, specs = load(edition)
    show_explanation(specs, find_case(specs, case_id, product, tier))
