# SPDX-License-Identifier: Apache-2.0
"""The command that says what is planned; it runs nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from aclnn_cts.cli.options import (
    DEFAULT_TIER,
    CallListFile,
    CasePatterns,
    EditionName,
    Operators,
    Product,
    SpecFolders,
    TierName,
    load,
    reported,
    select_cases,
)
from aclnn_cts.console import show_cases
from aclnn_cts.run.devices import DEFAULT_PRODUCT
from aclnn_cts.spec.edition_models import CURRENT


@reported
def list_cases(
    operator: Operators = None,
    folders: SpecFolders = None,
    product: Product = DEFAULT_PRODUCT,
    tier: TierName = DEFAULT_TIER,
    edition: EditionName = CURRENT,
    case: CasePatterns = None,
    calls: CallListFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """List the cases of a tier, or of a call list."""
    suite, specs = load(edition, folders)
    cases = select_cases(suite, specs, product, tier, operator, case or (), calls)
    show_cases(cases, as_json=as_json)
