# SPDX-License-Identifier: Apache-2.0
"""The command that writes one case as a stand-alone program."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli.options import (
    CannFolder,
    EditionName,
    load,
    refuse_contradiction,
    reported,
    say,
)
from aclnn_cts.console import ConsoleProgress
from aclnn_cts.errors import WrongInputError
from aclnn_cts.judge.standards import DEFAULT_STANDARD
from aclnn_cts.plan.covering import CoveringStore
from aclnn_cts.plan.planner import find_case
from aclnn_cts.qualify.catalog import load_catalog, recorded_change
from aclnn_cts.repro.minimize import make_smaller
from aclnn_cts.repro.observed import ObservedCase, from_results, from_trial
from aclnn_cts.repro.trial import TrialBench
from aclnn_cts.repro.writing import reproducer_files, require_free, write_folder
from aclnn_cts.run.fault_injection import Change
from aclnn_cts.run.target import DEFAULT_PRODUCT, Wish, choose_target, parse_devices
from aclnn_cts.spec.edition_models import CURRENT
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import Suite, find_suite

_DEFAULT_TIER = "standard"
"""It holds the cases of the smoke tier, too."""


@reported
def repro(
    case: Annotated[str, typer.Argument(metavar="CASE", help="A case's id.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="A new folder.")],
    product: Annotated[
        str | None, typer.Option("--product", help=f"The product [{DEFAULT_PRODUCT}].")
    ] = None,
    tier: Annotated[
        str | None, typer.Option("--tier", help=f"A tier that holds the case [{_DEFAULT_TIER}].")
    ] = None,
    edition: EditionName = CURRENT,
    results: Annotated[
        Path | None, typer.Option("--results", help="Take expected and got from this run.")
    ] = None,
    cann: CannFolder = None,
    simulator: Annotated[
        bool, typer.Option("--simulator", help="Try it on the built-in simulated device.")
    ] = False,
    fault: Annotated[
        str | None, typer.Option("--fault", help="Give the simulated device this fault.")
    ] = None,
    devices: Annotated[
        str | None, typer.Option("--devices", help="Number of the device to try it on [0].")
    ] = None,
    shrink: Annotated[
        bool, typer.Option("--shrink", help="Look for a smaller case that still fails.")
    ] = False,
) -> None:
    """Write one case as a C++ program that depends on CANN alone, for a bug report."""
    refuse_contradiction(cann, simulator, fault)
    require_free(output)
    number = None if devices is None else _only_one(devices)
    options = _ReproOptions(case, product, tier, edition, cann, simulator, fault, number)
    if results is not None:
        _refuse_beside_results(options, shrink)
    with ConsoleProgress() as progress:
        known, bench = _tried(options, progress) if results is None else _recorded(options, results)
        said = ""
        if shrink:
            progress.stage("shrink", 0)
            smaller = make_smaller(bench, known)
            known, said = smaller.known, smaller.said
    write_folder(output, reproducer_files(bench.specs, bench.suite, known, said))
    _tell(known, said, output)


@dataclass(frozen=True)
class _ReproOptions:
    """What the user asked for; what is left open is None."""

    case: str
    product: str | None
    tier: str | None
    edition: str
    cann: Path | None
    simulator: bool
    fault: str | None
    number: int | None

    @property
    def simulated(self) -> bool:
        """Whether it must be the simulated device."""
        return self.simulator or self.fault is not None


def _only_one(devices: str) -> int:
    """Return the number of the one device that a list names."""
    numbers = parse_devices(devices)
    if len(numbers) > 1:
        raise WrongInputError("--devices: a case is tried on one device; name one")
    return numbers[0]


def _refuse_beside_results(options: _ReproOptions, shrink: bool) -> None:
    """Raise WrongInputError for an option that a recorded run has no use for."""
    if options.product is not None or options.tier is not None or options.edition != CURRENT:
        raise WrongInputError(
            "--results says which product, tier and edition the case is of; leave out "
            "--product, --tier and --edition"
        )
    named = {
        "--cann": options.cann,
        "--simulator": options.simulator or None,
        "--fault": options.fault,
        "--devices": options.number,
    }
    given = next((name for name, value in named.items() if value is not None), None)
    if given is not None and not shrink:
        raise WrongInputError(
            f"{given} says where a smaller case is looked for; with --results give --shrink, too, "
            f"or leave out {given}"
        )


def _tried(options: _ReproOptions, progress: ConsoleProgress) -> tuple[ObservedCase, TrialBench]:
    """Return what the case does now, and where smaller ones are tried."""
    suite, specs = load(options.edition)
    change = _named_change(options, suite)
    devices = () if options.number is None else (options.number,)
    wish = Wish(options.cann, options.simulated, options.product, devices)
    target = choose_target(suite, specs, wish, os.environ, say)
    tier = options.tier or _DEFAULT_TIER
    planned = find_case(specs, options.case, target.product, tier, CoveringStore.of(suite))
    bench = TrialBench(
        suite=suite,
        specs=specs,
        product=target.product,
        tier=tier,
        standard=DEFAULT_STANDARD,
        cann=target.cann,
        change=change,
        number=options.number or 0,
    )
    return from_trial(bench, planned, progress), bench


def _named_change(options: _ReproOptions, suite: Suite) -> Change | None:
    return None if options.fault is None else load_catalog(suite).change(options.fault)


def _recorded(options: _ReproOptions, results: Path) -> tuple[ObservedCase, TrialBench]:
    """Return what a run says of the case; smaller ones are tried on the device of the run."""
    suite = find_suite()
    known = from_results(suite, results, options.case)
    elsewhere = options.cann is not None or options.simulated
    usual = 0 if elsewhere else known.number
    bench = TrialBench(
        suite=suite,
        specs=load_specs(suite, known.edition),
        product=known.planned.product,
        tier=known.tier,
        standard=known.standard,
        cann=None if options.simulated else options.cann or known.cann,
        change=_named_change(options, suite)
        or (None if elsewhere else recorded_change(suite, known.device)),
        number=usual if options.number is None else options.number,
    )
    return known, bench


def _tell(known: ObservedCase, said: str, output: Path) -> None:
    verdict = known.verdict
    alone = (
        "" if known.case.again == known.planned.again else " in the circumstance that shows most"
    )
    typer.echo(
        f"{known.planned.id}: {verdict.verdict.value}{alone}"
        + (f", {verdict.message}" if verdict.message else "")
    )
    if said:
        typer.echo(said)
    if not verdict.verdict.breaks_promise:
        typer.echo(
            "it broke no promise; the program is written all the same, and its README says so"
        )
    typer.echo(f"{output / 'README.md'}")
