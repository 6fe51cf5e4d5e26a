# SPDX-License-Identifier: Apache-2.0
"""The command line: parses, calls, prints; everything else is elsewhere."""

from __future__ import annotations

import functools
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, ParamSpec

import typer

from aclnn_cts import __version__
from aclnn_cts.console import ConsoleProgress, PlainConsole, show_cases, show_explanation
from aclnn_cts.emit import upkeep
from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.errors import CtsError, ExitCode, NotTrustworthyError, WrongInputError, unknown_name
from aclnn_cts.judge.standards import DEFAULT_STANDARD, STANDARDS, Standard
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.planner import find_case, find_cases, plan
from aclnn_cts.report.judging import judge_folder
from aclnn_cts.report.model import Report
from aclnn_cts.report.table import summary
from aclnn_cts.run.campaign import Request, run_campaign
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite, find_suite

app = typer.Typer(
    help="Conformance tests for CANN's aclnn operators, from specs of their documents' promises.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Operators = Annotated[
    list[str] | None, typer.Option("--operator", help="Only this operator; may be repeated.")
]
Product = Annotated[str, typer.Option("--product", help="The product whose promises are tested.")]
TierName = Annotated[str, typer.Option("--tier", help="smoke, standard or full.")]
StandardName = Annotated[
    str, typer.Option("--standard", help="The gate: strict, ecosystem or statistical.")
]
Jobs = Annotated[int, typer.Option("--jobs", min=1, help="Programs and judges at a time.")]

_DEFAULT_PRODUCT = "atlas-a2"
_DEFAULT_TIER = "smoke"
_CORES = os.cpu_count() or 1
_STORIES_SHOWN = 5


Arguments = ParamSpec("Arguments")


def _reported(command: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """Make a command end with a sentence and the right exit status, whatever goes wrong."""

    @functools.wraps(command)
    def reporting(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except CtsError as error:
            typer.echo(f"error: {error}", err=True)
            raise typer.Exit(int(error.exit_code)) from None
        except KeyboardInterrupt:
            typer.echo("interrupted; results of this run are incomplete", err=True)
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None
        except BrokenPipeError:
            # Whoever read our output has left; keep Python from complaining about it at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None
        except typer.Exit:
            raise
        except OSError as error:
            typer.echo(f"error: {error}", err=True)
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None
        except Exception:  # noqa: BLE001 - a defect of ours must not look like one of the device
            traceback.print_exc()
            typer.echo("error: this is a defect of aclnn-cts; please report it", err=True)
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None

    return reporting


def _load() -> tuple[Suite, SpecSet]:
    suite = find_suite()
    return suite, load_specs(suite)


def _standard(name: str) -> Standard:
    for standard in STANDARDS:
        if standard == name:
            return standard
    raise unknown_name("standard", name, STANDARDS)


@app.command("list")
@_reported
def list_cases(
    operator: Operators = None,
    product: Product = _DEFAULT_PRODUCT,
    tier: TierName = _DEFAULT_TIER,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """List the cases of a tier."""
    _, specs = _load()
    show_cases(plan(specs, product, tier, operator), as_json=as_json)


@app.command()
@_reported
def generate(
    operator: Operators = None,
    product: Product = _DEFAULT_PRODUCT,
    tier: TierName = _DEFAULT_TIER,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; say what is out of step.")
    ] = False,
) -> None:
    """Bring all generated files into step with the specs, and make the inputs of a tier."""
    suite, specs = _load()
    if check:
        _require_in_step(suite, specs)
        return
    cases = plan(specs, product, tier, operator)
    for path in upkeep.bring_into_step(specs, suite):
        typer.echo(f"changed {path.relative_to(suite.root)}")
    DataStore(suite.cache / "data").provide(specs, cases)
    typer.echo(f"{len(cases)} cases of tier {tier} on {product}: inputs in {suite.cache / 'data'}")


def _require_in_step(suite: Suite, specs: SpecSet) -> None:
    stale = upkeep.check(specs, suite)
    if stale:
        names = "\n".join(f"  {path.relative_to(suite.root)}" for path in stale)
        raise NotTrustworthyError(
            f"out of step with the specs; run `aclnn-cts generate` and commit:\n{names}"
        )
    typer.echo("programs, headers, schemas and golden data are what the specs produce")


@app.command()
@_reported
def run(  # noqa: PLR0917 - typer's options are the function's arguments
    operator: Operators = None,
    product: Product = _DEFAULT_PRODUCT,
    tier: TierName = _DEFAULT_TIER,
    case: Annotated[
        list[str] | None, typer.Option("--case", help="Only this case; may be repeated.")
    ] = None,
    standard: StandardName = DEFAULT_STANDARD,
    cann: Annotated[
        Path | None, typer.Option("--cann", help="Folder of a CANN toolkit: run on hardware.")
    ] = None,
    simulator: Annotated[
        bool, typer.Option("--simulator", help="Run on the built-in simulated device (default).")
    ] = False,
    results: Annotated[
        Path | None,
        typer.Option("--results", help="Results folder [results/PRODUCT-TIER, results/case]."),
    ] = None,
    jobs: Jobs = _CORES,
    sanitize: Annotated[
        bool, typer.Option("--sanitize", help="Build with AddressSanitizer and UBSan.")
    ] = False,
) -> None:
    """Run cases on a device and judge them."""
    if simulator and cann is not None:
        raise WrongInputError("--simulator and --cann exclude each other; give one of them")
    suite, specs = _load()
    gate = _standard(standard)
    cases = _cases(specs, operator, product, tier, case)
    # A case that is run again must not take the place of the run that it comes from.
    folder = results or Path("results") / ("case" if case else f"{product}-{tier}")
    request = Request(product, tier, gate, cases, folder, jobs, cann, sanitize)
    with ConsoleProgress() as progress:
        run_campaign(suite, specs, request, progress)
    _judge_and_exit(folder, gate, jobs)


def _cases(
    specs: SpecSet,
    operators: Sequence[str] | None,
    product: str,
    tier: str,
    wanted: Sequence[str] | None,
) -> tuple[Case, ...]:
    if wanted and operators:
        raise WrongInputError("--case and --operator exclude each other; a case has its operator")
    if not wanted:
        return plan(specs, product, tier, operators)
    return find_cases(specs, wanted, product, tier)


@app.command()
@_reported
def judge(
    results_dir: Annotated[Path, typer.Argument(help="A results folder.")],
    standard: Annotated[
        str | None, typer.Option("--standard", help="The gate [the run's own].")
    ] = None,
    jobs: Jobs = _CORES,
) -> None:
    """Judge the results of an earlier run again."""
    _judge_and_exit(results_dir, _standard(standard) if standard is not None else None, jobs)


def _judge_and_exit(folder: Path, standard: Standard | None, jobs: int) -> None:
    with ConsoleProgress() as progress:
        progress.stage("judge", 0)
        report = judge_folder(folder, standard, jobs, progress.judged)
    _show(report, folder)
    raise typer.Exit(int(report.exit_code))


def _show(report: Report, folder: Path) -> None:
    console = PlainConsole()
    for story in list(report.stories.values())[:_STORIES_SHOWN]:
        console.print(story, markup=False, soft_wrap=True)
        console.print()
    hidden = len(report.stories) - _STORIES_SHOWN
    if hidden > 0:
        console.print(f"… and {hidden} more; `pytest {folder}` shows each")
    console.print(summary(report), soft_wrap=not console.is_terminal)
    for name in ("results.json", "junit.xml"):
        console.print(f"{folder / name}", markup=False, soft_wrap=True)


@app.command()
@_reported
def explain(
    case_id: Annotated[str, typer.Argument(help="A case's id.")],
    product: Product = _DEFAULT_PRODUCT,
    tier: TierName = "standard",
) -> None:
    """Say what a case is, what it expects and why it exists."""
    _, specs = _load()
    show_explanation(specs, find_case(specs, case_id, product, tier))


@app.command()
@_reported
def version() -> None:
    """Print the suite's version."""
    typer.echo(__version__)
