# SPDX-License-Identifier: Apache-2.0
"""Commands that judge an earlier run, shards, or the outputs of a kit."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli import options
from aclnn_cts.console import AUTO, ConsoleProgress, progress_of
from aclnn_cts.errors import WrongInputError, one_of
from aclnn_cts.judge.standards import STANDARDS
from aclnn_cts.kit.pack import read_kit
from aclnn_cts.kit.receive import Received, read_outputs, receive
from aclnn_cts.report.judging import judge_folder
from aclnn_cts.report.waivers import accepted_in
from aclnn_cts.run.folder import open_run, suite_of
from aclnn_cts.run.folder_lock import claim_to_withdraw, if_refused, withdrawn_unless_mistyped
from aclnn_cts.run.shards import all_shards
from aclnn_cts.run.shards import merge as merge_shards
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.spec.waivers import require_waivers
from aclnn_cts.suite import find_suite

_NONCE_SHOWN = 12
"""Digits of a kit's nonce in a folder's name, as in that of the host's ``work-…``."""


def judge(
    results_dir: Annotated[
        Path, typer.Argument(help="A results folder, or the outputs.tar.gz of a kit.")
    ],
    standard: Annotated[
        str | None, typer.Option("--standard", help="The deciding standard [the run's own].")
    ] = None,
    jobs: options.Jobs = options.CORES,
    kit: Annotated[
        Path | None, typer.Option("--kit", help="The kit that the outputs must come from.")
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(
            "--results", help="Results folder for outputs [results/kit-PRODUCT-TIER-KIT]."
        ),
    ] = None,
    folders: options.SpecFolders = None,
    waivers: options.WaiverFile = None,
    enforce: options.Enforce = False,
    progress: options.ProgressForm = AUTO,
) -> None:
    """Judge the record of an earlier run, or of a kit."""
    shown = progress_of(progress)
    chosen = one_of("standard", standard, STANDARDS) if standard is not None else None
    require_waivers(waivers)
    _require_there(results_dir, results)
    folder = results_dir
    if results_dir.is_file():
        folder = _received(results_dir, kit, results, waivers, folders or ())
    elif kit is not None or results is not None:
        raise WrongInputError("--kit and --results go with outputs.tar.gz, not with a folder")
    with shown:
        shown.stage("judge", 0)
        report = judge_folder(
            folder, chosen, jobs, shown.judged, waivers, enforce=enforce, named=folders or ()
        )
    options.show_and_exit(report)


def _require_there(path: Path, results: Path | None) -> None:
    """Raise WrongInputError for a missing path, before reading anything else.

    A nightly job names the same folder each time. If copying the outputs failed, the earlier
    judgement must not pass for tonight's results.
    """
    if not path.exists():
        claim_to_withdraw(results)
        raise WrongInputError(
            f"{path}: there is no such file or folder; "
            "give a results folder, or the outputs.tar.gz of a kit"
        )


def _received(
    outputs: Path,
    kit: Path | None,
    results: Path | None,
    waivers: Path | None,
    named: Sequence[Path],
) -> Path:
    """Convert the outputs of a kit into a results folder; return it."""
    received = _looked_at(outputs, kit, results, named)
    origin = received.kit
    # Check before an earlier run is replaced.
    accepted_in(waivers, load_specs(received.suite, origin.edition))
    # The nonce keeps the results of several kits of the same cases apart.
    name = f"kit-{origin.product}-{origin.tier}-{origin.nonce[:_NONCE_SHOWN]}"
    folder = results or Path("results") / name
    receive(received, folder)
    typer.echo(
        f"outputs of the kit {origin.nonce}, packed {origin.packed}, of {received.host.host}"
    )
    return folder


def _looked_at(
    outputs: Path, kit: Path | None, results: Path | None, named: Sequence[Path]
) -> Received:
    """Return a kit's outputs; if they are refused, withdraw the folder's earlier judgement.

    A kit whose name is mistyped spares the folder. Damaged outputs do not: a failed copy usually
    leaves a truncated or empty file.
    """
    suite = find_suite()
    with if_refused(functools.partial(claim_to_withdraw, results)):
        wanted = read_kit(kit, suite, named) if kit is not None else None
    try:
        return read_outputs(outputs, suite, wanted, named)
    except BaseException:
        # Even after Ctrl-C, an earlier judgement must not pass for that of these outputs.
        claim_to_withdraw(results)
        raise


def merge(
    shards: Annotated[list[Path], typer.Argument(help="The results folders of all shards.")],
    results: Annotated[
        Path, typer.Option("--results", "-o", help="The results folder; replaces a run in it.")
    ],
    folders: options.SpecFolders = None,
    jobs: options.Jobs = options.CORES,
    waivers: options.WaiverFile = None,
    enforce: options.Enforce = False,
) -> None:
    """Merge the results of all shards of a run, and judge them as one."""
    require_waivers(waivers)
    if results.resolve() in [folder.resolve() for folder in shards]:
        raise WrongInputError(f"{results}: is one of the shards; name a new folder")
    with withdrawn_unless_mistyped(results):
        named = folders or ()
        runs = all_shards([open_run(folder, suite_of(folder, named)) for folder in shards])
        suite = suite_of(runs[0].path, named)
        specs = load_specs(suite, runs[0].edition)
        accepted_in(waivers, specs)
    with ConsoleProgress() as progress:
        progress.stage("plan", 0)
        first = runs[0]
        calls = Path(first.config.calls) if first.config.calls else None
        held = {name for run in runs for name in run.cases.operators}
        operators = [spec.operator for spec in specs.tested if spec.operator in held]
        plan = options.select_cases(
            suite, specs, first.device.product, first.tier, operators, calls=calls
        )
        merge_shards(runs, results, suite, specs, plan)
        progress.stage("judge", 0)
        report = judge_folder(
            results, None, jobs, progress.judged, waivers, enforce=enforce, named=named
        )
    options.show_and_exit(report)
