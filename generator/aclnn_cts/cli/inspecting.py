# SPDX-License-Identifier: Apache-2.0
"""Commands that say what is planned and what is promised; they run nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from aclnn_cts.cli.options import (
    DEFAULT_PRODUCT,
    DEFAULT_TIER,
    Operators,
    Product,
    TierName,
    arrays,
    load,
    reported,
)
from aclnn_cts.console import show_cases, show_explanation
from aclnn_cts.plan.planner import find_case, plan


@reported
def list_cases(
    operator: Operators = None,
    product: Product = DEFAULT_PRODUCT,
    tier: TierName = DEFAULT_TIER,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """List the cases of a tier."""
    suite, specs = load()
    show_cases(plan(specs, product, tier, operator, arrays(suite)), as_json=as_json)


@reported
def explain(
    case_id: Annotated[str, typer.Argument(help="A case's id.")],
    product: Product = DEFAULT_PRODUCT,
    tier: TierName = "standard",
) -> None:
    """Say what a case is, what it expects and why it exists."""
    suite, specs = load()
    show_explanation(specs, find_case(specs, case_id, product, tier, arrays(suite)))
