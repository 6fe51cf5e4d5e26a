# SPDX-License-Identifier: Apache-2.0
"""The command that runs cases and judges what came back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli.beginning import RunOptions, begin_run
from aclnn_cts.cli.options import (
    CORES,
    DEFAULT_TIER,
    CannFolder,
    DeviceNumbers,
    EditionName,
    Enforce,
    Jobs,
    Operators,
    StandardName,
    TierName,
    Timings,
    WaiverFile,
    reported,
)
from aclnn_cts.cli.resume import require_resumable, resume_run
from aclnn_cts.cli.showing import show_and_exit
from aclnn_cts.judge.standards import DEFAULT_STANDARD
from aclnn_cts.run.run_config import MOST_SECONDS
from aclnn_cts.run.target import DEFAULT_PRODUCT
from aclnn_cts.spec.edition_models import CURRENT


@reported
def run(
    context: typer.Context,
    operator: Operators = None,
    product: Annotated[
        str | None,
        typer.Option("--product", help=f"The product [that of the device; {DEFAULT_PRODUCT}]."),
    ] = None,
    tier: TierName = DEFAULT_TIER,
    edition: EditionName = CURRENT,
    case: Annotated[
        list[str] | None, typer.Option("--case", help="Only this case; may be repeated.")
    ] = None,
    standard: StandardName = DEFAULT_STANDARD,
    cann: CannFolder = None,
    simulator: Annotated[
        bool, typer.Option("--simulator", help="Run on the built-in simulated device.")
    ] = False,
    devices: DeviceNumbers = None,
    results: Annotated[
        Path | None,
        typer.Option(
            "--results", help="Results folder [results/PRODUCT-TIER or results/case, then -ID]."
        ),
    ] = None,
    jobs: Jobs = CORES,
    sanitize: Annotated[
        bool, typer.Option("--sanitize", help="Build with AddressSanitizer and UBSan.")
    ] = False,
    fault: Annotated[
        str | None,
        typer.Option("--fault", help="Give the simulated device this fault of the catalog."),
    ] = None,
    variant: Annotated[
        str | None,
        typer.Option("--variant", help="Run on this variant of the simulated device."),
    ] = None,
    case_timeout: Annotated[
        float | None,
        typer.Option(
            "--case-timeout", min=0.1, max=MOST_SECONDS, help="Seconds that a case may take [60]."
        ),
    ] = None,
    batch_timeout: Annotated[
        float | None,
        typer.Option(
            "--batch-timeout",
            min=1.0,
            max=MOST_SECONDS,
            help="Seconds that a program may take [3600].",
        ),
    ] = None,
    waivers: WaiverFile = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Finish the interrupted run in --results.")
    ] = False,
    timings: Timings = 0,
    enforce: Enforce = False,
) -> None:
    """Run cases on a device and judge them."""
    if resume:
        interrupted = require_resumable(results, _given(context))
        show_and_exit(resume_run(interrupted, devices, jobs, waivers, enforce=enforce))
    options = RunOptions(
        operators=tuple(operator or ()),
        product=product,
        tier=tier,
        edition=edition,
        cases=tuple(case or ()),
        standard=standard,
        cann=cann,
        simulator=simulator,
        devices=devices,
        results=results,
        jobs=jobs,
        sanitize=sanitize,
        fault=fault,
        variant=variant,
        case_seconds=case_timeout,
        batch_seconds=batch_timeout,
        waivers=waivers,
        timings=timings,
        enforce=enforce,
    )
    show_and_exit(begin_run(options))


def _given(context: typer.Context) -> Iterator[str]:
    """Yield the names of the options that the user gave."""
    for name in context.params:
        source = context.get_parameter_source(name)
        if source is not None and source.name not in ("DEFAULT", "DEFAULT_MAP"):
            yield name
