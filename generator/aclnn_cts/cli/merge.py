# SPDX-License-Identifier: Apache-2.0
"""The command that makes one results folder of those of all shards, and judges it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli.options import (
    CORES,
    Enforce,
    Jobs,
    WaiverFile,
    reported,
    select_cases,
    show_and_exit,
)
from aclnn_cts.console import ConsoleProgress
from aclnn_cts.errors import WrongInputError
from aclnn_cts.report.judging import judge_folder
from aclnn_cts.report.waivers import accepted_in
from aclnn_cts.run.folder import open_run, suite_of
from aclnn_cts.run.folder_lock import withdrawn_unless_mistyped
from aclnn_cts.run.shards import all_shards
from aclnn_cts.run.shards import merge as merge_shards
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.spec.waivers import require_waivers


@reported
def merge(
    shards: Annotated[list[Path], typer.Argument(help="The results folders of all shards.")],
    results: Annotated[Path, typer.Option("--results", "-o", help="The new results folder.")],
    jobs: Jobs = CORES,
    waivers: WaiverFile = None,
    enforce: Enforce = False,
) -> None:
    """Merge the results of all shards of a run, and judge them as one."""
    require_waivers(waivers)
    if results.resolve() in [folder.resolve() for folder in shards]:
        raise WrongInputError(f"{results}: is one of the shards; name a new folder")
    with withdrawn_unless_mistyped(results):
        runs = all_shards([open_run(folder, suite_of(folder)) for folder in shards])
        suite = suite_of(runs[0].path)
        specs = load_specs(suite, runs[0].edition)
        if waivers is not None:
            accepted_in(waivers, specs)
    with ConsoleProgress() as progress:
        progress.stage("plan", 0)
        first = runs[0]
        calls = Path(first.config.calls) if first.config.calls else None
        held = {name for run in runs for name in run.cases.operators}
        operators = [spec.operator for spec in specs.tested if spec.operator in held]
        plan = select_cases(suite, specs, first.device.product, first.tier, operators, calls=calls)
        merge_shards(runs, results, suite, specs, plan)
        progress.stage("judge", 0)
        report = judge_folder(results, None, jobs, progress.judged, waivers, enforce=enforce)
    show_and_exit(report)
