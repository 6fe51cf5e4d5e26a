# SPDX-License-Identifier: Apache-2.0
"""The command that says what is planned; it runs nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from aclnn_cts.cli.options import (
    DEFAULT_TIER,
    EditionName,
    Operators,
    Product,
    TierName,
    load,
    reported,
)
from aclnn_cts.console import show_cases
from aclnn_cts.plan.covering import CoveringStore
from aclnn_cts.plan.planner import plan
from aclnn_cts.run.target import DEFAULT_PRODUCT
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
    suite, specs = load(edition)
    show_cases(plan(specs, product, tier, operator, CoveringStore.of(suite)), as_json=as_json)
