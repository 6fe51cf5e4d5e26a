# SPDX-License-Identifier: Apache-2.0
"""The command that packs a kit for a host without a network."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli.options import (
    DEFAULT_TIER,
    CallListFile,
    CaseList,
    CasePatterns,
    EditionName,
    Operators,
    Product,
    SpecFolders,
    StandardName,
    TierName,
    Timings,
    case_patterns,
    load,
    reported,
    select_cases,
    standard_of,
)
from aclnn_cts.emit.case_file import new_nonce
from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.judge.standards import DEFAULT_STANDARD
from aclnn_cts.kit.pack import KitDescription, SuiteOrigin, require_new
from aclnn_cts.kit.pack import pack as pack_kit
from aclnn_cts.plan.call_list import SCENE
from aclnn_cts.plan.cases import case_to_json
from aclnn_cts.run.devices import DEFAULT_PRODUCT
from aclnn_cts.spec.edition_models import CURRENT


@reported
def pack(
    output: Annotated[Path, typer.Option("--output", "-o", help="The kit, as kit.tar.gz.")],
    operator: Operators = None,
    folders: SpecFolders = None,
    product: Product = DEFAULT_PRODUCT,
    tier: TierName = DEFAULT_TIER,
    edition: EditionName = CURRENT,
    case: CasePatterns = None,
    case_list: CaseList = None,
    calls: CallListFile = None,
    standard: StandardName = DEFAULT_STANDARD,
    timings: Timings = 0,
) -> None:
    """Pack a self-contained kit for a host without a network."""
    require_new(output)
    suite, specs = load(edition, folders)
    chosen = standard_of(standard)
    patterns = case_patterns(case, case_list)
    cases = select_cases(suite, specs, product, tier, operator, patterns, calls)
    kit = KitDescription(
        suite=SuiteOrigin.of(suite),
        product=product,
        tier=SCENE if calls else tier,
        calls=str(calls.resolve()) if calls else "",
        standard=chosen,
        edition=specs.edition,
        nonce=new_nonce(),
        timings=timings,
        packed=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        data=dict(DataStore(suite.cache / "data").provide(specs, cases)),
        cases=tuple(case_to_json(case) for case in cases),
    )
    files = pack_kit(suite, specs, kit, cases, output)
    size = output.stat().st_size / 1e6
    typer.echo(f"{output}: {len(cases)} cases in {files} files, {size:.1f} MB; kit {kit.nonce}")
    typer.echo("on the host with the devices: unpack it, then: sh aclnn-cts-kit/run.sh TOOLKIT")
    typer.echo(f"back here: aclnn-cts judge outputs.tar.gz --kit {output}")
