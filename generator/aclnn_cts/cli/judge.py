# SPDX-License-Identifier: Apache-2.0
"""Commands that judge an earlier run, shards, or the outputs of a kit."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli import options
from aclnn_cts.console import AUTO, progress_of
from aclnn_cts.errors import WrongInputError, one_of
from aclnn_cts.judge.standards import STANDARDS
from aclnn_cts.judging import JudgingRequest, judge_folder
from aclnn_cts.kit.pack import read_kit
from aclnn_cts.kit.receive import Received, read_outputs, receive
from aclnn_cts.report.waivers import load_acceptance
from aclnn_cts.run.folder import RunFolder, open_run, suite_of
from aclnn_cts.run.folder_lock import claim_to_withdraw, if_refused, withdraw_unless_mistyped
from aclnn_cts.run.shards import all_shards, merge
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.spec.waivers import require_waivers
from aclnn_cts.suite import find_suite

_NONCE_SHOWN = 12
"""Digits of a kit's nonce in a folder's name, as in that of the host's ``work-…``."""


@dataclass(frozen=True)
class JudgeOptions:
    """The options of a judgement."""

    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="RESULTS...",
            help="A results folder, the folders of all shards, or the outputs.tar.gz of a kit.",
        ),
    ]
    standard: Annotated[
        str | None, typer.Option("--standard", help="The deciding standard [the run's own].")
    ] = None
    jobs: options.Jobs = options.CORES
    kit: Annotated[
        Path | None, typer.Option("--kit", help="The kit that the outputs must come from.")
    ] = None
    results: Annotated[
        Path | None,
        typer.Option(
            "--results",
            "-o",
            help="Results folder for shards or outputs [results/kit-PRODUCT-TIER-KIT].",
        ),
    ] = None
    folders: options.SpecFolders = None
    waivers: options.WaiverFile = None
    enforce: options.Enforce = False
    no_reuse: options.NoReuse = False
    progress: options.ProgressForm = AUTO
    verbose: options.Verbose = False

    def request(self) -> JudgingRequest:
        """Return the request; raises WrongInputError for an unknown standard or wrong waivers."""
        standard = None if self.standard is None else one_of("standard", self.standard, STANDARDS)
        require_waivers(self.waivers)
        return JudgingRequest(
            standard,
            self.jobs,
            self.waivers,
            enforce=self.enforce,
            reuse=not self.no_reuse,
            folders=self.folders or (),
        )


@options.take_options(JudgeOptions)
def judge(arguments: JudgeOptions) -> None:
    """Judge the record of an earlier run, of all its shards as one, or of a kit."""
    progress, request = progress_of(arguments.progress), arguments.request()
    sources, results, kit = arguments.sources, arguments.results, arguments.kit
    shards: tuple[RunFolder, ...] = ()
    folder = sources[0]
    if len(sources) > 1 or (results is not None and folder.is_dir()):
        if results is None or kit is not None:
            raise WrongInputError("shards go with --results, for the merged run, not with --kit")
        shards = _shards(sources, results, request)
        folder = results
    else:
        _require_source(folder, results)
        if folder.is_file():
            folder = _receive_outputs(folder, kit, results, request)
        elif kit is not None:
            raise WrongInputError("--kit goes with outputs.tar.gz, not with a folder")
    with progress as display:
        if shards:
            display.stage("plan", 0)
            _merge(shards, folder, request.folders)
        display.stage("judge", 0)
        request = replace(request, compacting=bool(shards) or folder != sources[0])
        report = judge_folder(folder, request, display.judged)
    options.show_and_exit(report, verbose=arguments.verbose)


def _require_source(path: Path, results: Path | None) -> None:
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


def _receive_outputs(
    outputs: Path, kit: Path | None, results: Path | None, request: JudgingRequest
) -> Path:
    """Convert the outputs of a kit into a results folder; return it."""
    received = _read_outputs(outputs, kit, results, request.folders)
    origin = received.kit
    # Check before an earlier run is replaced.
    load_acceptance(request.waivers, load_specs(received.suite, origin.edition))
    # The nonce keeps the results of several kits of the same cases apart.
    name = f"kit-{origin.product}-{origin.tier}-{origin.nonce[:_NONCE_SHOWN]}"
    folder = results or Path("results") / name
    receive(received, folder)
    typer.echo(
        f"outputs of the kit {origin.nonce}, packed {origin.packed}, of {received.host.host}"
    )
    return folder


def _read_outputs(
    outputs: Path, kit: Path | None, results: Path | None, folders: Sequence[Path]
) -> Received:
    """Return a kit's outputs; if they are refused, withdraw the folder's earlier judgement.

    A kit whose name is mistyped spares the folder. Damaged outputs do not: a failed copy usually
    leaves a truncated or empty file.
    """
    suite = find_suite()
    with if_refused(functools.partial(claim_to_withdraw, results)):
        description = read_kit(kit, suite, folders) if kit is not None else None
    try:
        return read_outputs(outputs, suite, description, folders)
    except BaseException:
        # Even after Ctrl-C, an earlier judgement must not pass for that of these outputs.
        claim_to_withdraw(results)
        raise


def _shards(
    sources: Sequence[Path], results: Path, request: JudgingRequest
) -> tuple[RunFolder, ...]:
    """Return the runs of all shards; if they are refused, withdraw the folder's judgement."""
    if results.resolve() in [source.resolve() for source in sources]:
        raise WrongInputError(f"{results}: is one of the shards; name a new folder")
    with withdraw_unless_mistyped(results):
        folders = request.folders
        runs = all_shards([open_run(source, suite_of(source, folders)) for source in sources])
        suite = suite_of(runs[0].path, folders)
        load_acceptance(request.waivers, load_specs(suite, runs[0].edition))
    return runs


def _merge(shards: Sequence[RunFolder], results: Path, folders: Sequence[Path]) -> None:
    """Write the results folder of a run from those of its shards."""
    first = shards[0]
    suite = suite_of(first.path, folders)
    specs = load_specs(suite, first.edition)
    calls = Path(first.config.calls) if first.config.calls else None
    names = {name for run in shards for name in run.cases.operators}
    operators = [spec.operator for spec in specs.tested_operators if spec.operator in names]
    product, tier = first.device.product, first.tier
    plan = options.select_cases(suite, specs, product, tier, operators, calls=calls)
    merge(shards, results, suite, specs, plan)
