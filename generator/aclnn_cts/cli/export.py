# SPDX-License-Identifier: Apache-2.0
"""Commands that write cases for other places: a kit, a reproducer."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli import options
from aclnn_cts.cli.host import prune_cache
from aclnn_cts.console import ConsoleProgress
from aclnn_cts.emit.case_file import new_nonce
from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.errors import WrongInputError, counted, one_of
from aclnn_cts.judge.standards import DEFAULT_STANDARD, STANDARDS
from aclnn_cts.kit.pack import KitDescription, SuiteOrigin, require_new
from aclnn_cts.kit.pack import pack as pack_kit
from aclnn_cts.plan.call_list import LISTED, unlisted_calls
from aclnn_cts.qualify.catalog import load_catalog, recorded_change
from aclnn_cts.repro.minimize import make_smaller
from aclnn_cts.repro.observed_case import ObservedCase, TrialBench, from_results
from aclnn_cts.repro.reproducer import reproducer_files, require_free, write_folder
from aclnn_cts.run.devices import DEFAULT_PRODUCT, choose_toolkit, resolve
from aclnn_cts.run.folder import suite_of
from aclnn_cts.run.operator_folders import specs_options
from aclnn_cts.run.planned_cases import PlannedCase, pack_cases
from aclnn_cts.run.process import parse_devices
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.spec.editions import CURRENT


def pack(
    output: Annotated[Path, typer.Option("--output", "-o", help="The kit, as kit.tar.gz.")],
    operator: options.Operators = None,
    folders: options.SpecFolders = None,
    product: options.Product = DEFAULT_PRODUCT,
    tier: options.TierName = options.DEFAULT_TIER,
    edition: options.EditionName = CURRENT,
    case: options.CasePatterns = None,
    case_list: options.CaseList = None,
    calls: options.CallListFile = None,
    standard: options.StandardName = DEFAULT_STANDARD,
    timings: options.Timings = 0,
    store_inputs: Annotated[
        bool,
        typer.Option(
            "--store-inputs", help="Pack all inputs as files, and no recipes for large ones."
        ),
    ] = False,
) -> None:
    """Pack a self-contained kit for a host without a network."""
    require_new(output)
    suite, specs = options.load(edition, folders)
    deciding = one_of("standard", standard, STANDARDS)
    patterns = options.case_patterns(case, case_list)
    cases = options.select_cases(suite, specs, product, tier, operator, patterns, calls)
    store = DataStore(suite.cache / "data")
    kit = KitDescription(
        suite=SuiteOrigin.of(suite, specs, cases),
        product=product,
        tier=LISTED if calls else tier,
        calls=str(calls.resolve()) if calls else "",
        unlisted=unlisted_calls(calls) if calls else {},
        selected=bool(patterns),
        standard=deciding,
        edition=specs.edition,
        nonce=new_nonce(),
        timings=timings,
        packed=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        plan=pack_cases([PlannedCase(*each) for each in store.provide_all(specs, cases)]),
    )
    files = pack_kit(suite, specs, kit, output, store_inputs=store_inputs)
    prune_cache(suite.cache)
    size = output.stat().st_size / 1e6
    typer.echo(
        f"{output}: {counted(len(cases), 'case')} in {counted(files, 'file')}, {size:.1f} MB; "
        f"kit {kit.nonce}"
    )
    typer.echo("on the host with the devices: unpack it, then: sh aclnn-cts-kit/run.sh TOOLKIT")
    back = f"aclnn-cts judge outputs.tar.gz --kit {output} {specs_options(suite.folders)}"
    typer.echo(f"back here: {back.rstrip()}")


_DEFAULT_TIER = "standard"
"""The standard tier includes the smoke tier."""


@dataclass(frozen=True)
class ReproOptions:
    """The options of a reproducer."""

    case: Annotated[str, typer.Argument(metavar="CASE", help="A case's id.")]
    output: Annotated[Path, typer.Option("--output", "-o", help="A new folder.")]
    product: Annotated[
        str | None, typer.Option("--product", help=f"The product [{DEFAULT_PRODUCT}].")
    ] = None
    tier: Annotated[
        str | None, typer.Option("--tier", help=f"A tier with the case [{_DEFAULT_TIER}].")
    ] = None
    edition: options.EditionName = CURRENT
    folders: options.SpecFolders = None
    calls: options.CallListFile = None
    results: Annotated[
        Path | None, typer.Option("--results", help="Take the values from this run.")
    ] = None
    cann: options.CannFolder = None
    simulator: Annotated[
        bool, typer.Option("--simulator", help="Try it on the built-in simulated device.")
    ] = False
    fault: Annotated[
        str | None, typer.Option("--fault", help="Give the simulated device this fault.")
    ] = None
    devices: Annotated[
        str | None, typer.Option("--devices", help="Number of the device to try it on [0].")
    ] = None
    shrink: Annotated[
        bool, typer.Option("--shrink", help="Look for a smaller case that still fails.")
    ] = False


@options.take_options(ReproOptions)
def repro(arguments: ReproOptions) -> None:
    """Write one case as a C++ program that depends only on CANN, for a bug report."""
    options.refuse_contradiction(arguments.cann, arguments.simulator, arguments.fault)
    require_free(arguments.output)
    number = None if arguments.devices is None else _device_number(arguments.devices)
    if arguments.results is not None:
        _refuse_beside_results(arguments)
    with ConsoleProgress() as progress:
        if arguments.results is None:
            observed = _observe(arguments, number, progress)
            bench = observed.bench
        else:
            observed, bench = _recorded_case(arguments, number, arguments.results)
        note = ""
        if arguments.shrink:
            progress.stage("shrink", 0)
            observed, note = make_smaller(bench, observed)
    write_folder(arguments.output, reproducer_files(observed, note))
    _print_outcome(observed, note, arguments.output)


def _observe(
    arguments: ReproOptions, number: int | None, progress: ConsoleProgress
) -> ObservedCase:
    """Return the case as it ends on a device now."""
    suite, specs = options.load(arguments.edition, folders=arguments.folders)
    calls, fault = arguments.calls, arguments.fault
    config = RunConfig(
        product=arguments.product or "",
        cann=str(arguments.cann or ""),
        simulator=arguments.simulator or fault is not None,
        devices=() if number is None else (number,),
    )
    toolkit = choose_toolkit(config, os.environ, options.say)
    config = resolve(suite, specs, config, toolkit, os.environ, options.say)
    bench = TrialBench(
        suite=suite,
        specs=specs,
        product=config.product,
        tier=LISTED if calls else arguments.tier or _DEFAULT_TIER,
        calls=str(calls.resolve()) if calls else "",
        standard=DEFAULT_STANDARD,
        cann=Path(config.cann) if config.cann else None,
        change=None if fault is None else load_catalog(suite).change(fault),
        number=number or 0,
    )
    planned = options.select_case(suite, specs, arguments.case, config.product, bench.tier, calls)
    return bench.observe(planned, progress)


def _recorded_case(
    arguments: ReproOptions, number: int | None, results: Path
) -> tuple[ObservedCase, TrialBench]:
    """Return the case as a run recorded it, and the device to try it on."""
    suite = suite_of(results, arguments.folders or ())
    observed = from_results(suite, results, arguments.case)
    bench, fault = observed.bench, arguments.fault
    if arguments.cann is not None or arguments.simulator or fault is not None:
        change = None if fault is None else load_catalog(suite).change(fault)
        bench = replace(bench, cann=arguments.cann, change=change, number=0)
    else:
        bench = replace(bench, change=recorded_change(suite, observed.device))
    return observed, bench if number is None else replace(bench, number=number)


def _device_number(devices: str) -> int:
    """Return the number of the one device that a list names."""
    numbers = parse_devices(devices)
    if len(numbers) > 1:
        raise WrongInputError("--devices: a case is tried on one device; name one")
    return numbers[0]


def _refuse_beside_results(arguments: ReproOptions) -> None:
    """Raise WrongInputError for options that a recorded run determines itself."""
    if arguments.product or arguments.tier or arguments.calls or arguments.edition != CURRENT:
        raise WrongInputError(
            "--results determines product, tier and edition; leave out "
            "--product, --tier, --calls and --edition"
        )
    device = {
        "--cann": arguments.cann,
        "--simulator": arguments.simulator or None,
        "--fault": arguments.fault,
        "--devices": arguments.devices,
    }
    option = next((name for name, value in device.items() if value is not None), None)
    if option is not None and not arguments.shrink:
        raise WrongInputError(
            f"{option} is for --shrink if --results is given; add --shrink, or leave out {option}"
        )


def _print_outcome(observed: ObservedCase, note: str, output: Path) -> None:
    verdict = observed.verdict
    alone = (
        ""
        if observed.case.again == observed.planned.again
        else " in the execution variant that shows it"
    )
    message = f", {verdict.message}" if verdict.message else ""
    typer.echo(f"{observed.planned.id}: {verdict.verdict.value}{alone}{message}")
    if note:
        typer.echo(note)
    if not verdict.verdict.breaks_promise:
        typer.echo("the case broke no promise; the reproducer is written anyway")
    typer.echo(f"{output / 'README.md'}")
