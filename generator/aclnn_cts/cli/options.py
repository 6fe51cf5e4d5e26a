# SPDX-License-Identifier: Apache-2.0
"""Shared parts of the commands: options, exit statuses, loading of the suite."""

from __future__ import annotations

import errno
import fnmatch
import functools
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, NoReturn, ParamSpec, TypeVar, get_type_hints

import typer

from aclnn_cts.cli.defaults import read_defaults
from aclnn_cts.console import PlainConsole
from aclnn_cts.errors import (
    CtsError,
    ExitCode,
    NotTrustworthyError,
    WrongInputError,
    printable,
    strongest,
    unknown_name,
)
from aclnn_cts.judge.standards import STANDARDS
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.judging import Report
from aclnn_cts.plan.call_list import cases_of_list
from aclnn_cts.plan.cases import TIERS, Case
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.planner import WILDCARD, find_cases, make_plans, operators_of, plan
from aclnn_cts.report.summary import summary
from aclnn_cts.report.view import Run, outcome_line
from aclnn_cts.results.cases import CaseEntry, CaseFile
from aclnn_cts.run.campaign import Progress, Silent
from aclnn_cts.run.folder_lock import REPORT_FILES
from aclnn_cts.run.journal import read_journal
from aclnn_cts.run.operator_folders import with_folders
from aclnn_cts.run.resume import where_lost, why_refused
from aclnn_cts.spec.editions import CURRENT
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.store.address import is_id
from aclnn_cts.suite import Suite, find_suite


def _complete_operator(incomplete: str) -> list[str]:
    specs = find_suite().specs
    return [path.stem for path in sorted(specs.glob(f"{incomplete or 'aclnn'}*.yaml"))]


def _complete(names: Sequence[str]) -> Callable[[str], list[str]]:
    return lambda incomplete: [name for name in names if name.startswith(incomplete)]


Operators = Annotated[
    list[str] | None,
    typer.Option(
        "--operator", help="Only this operator; may be repeated.", autocompletion=_complete_operator
    ),
]
Since = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="COMMIT",
        help="Only operators that changed since this commit, and a tenth of the others.",
    ),
]
SpecFolders = Annotated[
    list[Path] | None,
    typer.Option(
        "--specs", metavar="DIR", help="Add the operators in this folder; may be repeated."
    ),
]
CasePatterns = Annotated[
    list[str] | None,
    typer.Option("--case", help="Only cases of this id or pattern, '*.base.*'; may be repeated."),
]
CaseList = Annotated[
    Path | None,
    typer.Option(
        "--case-list",
        metavar="FILE",
        help="Only the cases in this file: an id or pattern per line; - for standard input.",
    ),
]


def _call_list(text: str) -> Path:
    """Return the call list of a name in ``aclnn-cts.toml``, or of a path."""
    return Path(read_defaults(Path.cwd()).get("call_lists", {}).get(text, text))


CallListFile = Annotated[
    Path | None,
    typer.Option(
        "--calls",
        metavar="FILE",
        parser=_call_list,
        help="Use the cases of this call list, or of that name in aclnn-cts.toml, not a tier's.",
    ),
]
Product = Annotated[str, typer.Option("--product", help="The product to test.")]
DeviceNumbers = Annotated[
    str | None, typer.Option("--devices", help="Numbers of the devices to use, such as 0,1,4-7.")
]
CannFolder = Annotated[
    Path | None,
    typer.Option("--cann", metavar="FOLDER", help="Folder of a CANN toolkit [ASCEND_HOME_PATH]."),
]
TierName = Annotated[
    str, typer.Option("--tier", help="smoke, standard or full.", autocompletion=_complete(TIERS))
]
StandardName = Annotated[
    str,
    typer.Option(
        "--standard",
        help="The deciding standard: strict, ecosystem or statistical.",
        autocompletion=_complete(STANDARDS),
    ),
]
EditionName = Annotated[str, typer.Option("--edition", help="Edition of the documents.")]
WaiverFile = Annotated[
    Path | None, typer.Option("--waivers", metavar="FILE", help="File of accepted failures.")
]
StoreAddress = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="FOLDER",
        envvar="ACLNN_CTS_STORE",
        show_envvar=False,
        help="Folder of the results store [ACLNN_CTS_STORE; your own].",
    ),
]
StoredProducts = Annotated[
    list[str] | None, typer.Option("--product", help="Only runs of this product; may be repeated.")
]
StoredHosts = Annotated[
    list[str] | None, typer.Option("--host", help="Only runs of this host; may be repeated.")
]
StoredCann = Annotated[str, typer.Option("--cann", help="Only runs of this version of CANN.")]
StoredTier = Annotated[str, typer.Option("--tier", help="Only runs of this tier.")]
StoredSince = Annotated[
    str, typer.Option("--since", metavar="DATE", help="Only runs since this day, YYYY-MM-DD.")
]
ResultsFolders = Annotated[
    list[Path], typer.Argument(help="Results folders, or their results.json.", show_default=False)
]
OutputFile = Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document.")]
ProgressForm = Annotated[
    str,
    typer.Option("--progress", metavar="FORM", help="auto, json (on standard error), json:FILE."),
]
Enforce = Annotated[
    bool, typer.Option("--enforce", help="End with status 1 if a requirement is not enforced.")
]
NoReuse = Annotated[
    bool,
    typer.Option("--no-reuse", help="Judge records anew that equal those of an earlier run."),
]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show all operators and every open point.")
]
Timings = Annotated[
    int,
    typer.Option(
        "--timings", metavar="COUNT", min=0, max=10000, help="Timed launches per valid call."
    ),
]
Jobs = Annotated[
    int, typer.Option("--jobs", metavar="COUNT", min=1, help="Parallel programs and judges.")
]

DEFAULT_TIER = "smoke"
CORES = os.cpu_count() or 1
_STORIES_SHOWN = 5


def run_id(text: str) -> str:
    """Return the id of a run in the store, or the beginning of one."""
    if not is_id(text):
        raise typer.BadParameter(
            f"{text!r} is not the id of a run, 6 to 16 digits of 0-9 and a-f; "
            "`aclnn-cts store show` lists them"
        )
    return text


def case_patterns(patterns: list[str] | None, file: Path | None) -> tuple[str, ...]:
    """Return ids and patterns of cases, those of a file after the others.

    Args:
        patterns: Patterns of the command line.
        file: A file with one per line, ``-`` for standard input; ``#`` begins a comment.

    Raises:
        WrongInputError: The file cannot be read, or names no case.
    """
    if file is None:
        return tuple(patterns or ())
    try:
        if str(file) != "-":
            content = file.read_bytes()
        elif getattr(sys, "stdin", None) is None:  # None if the process was started with `<&-`
            raise WrongInputError("--case-list -: standard input is closed")
        else:
            content = sys.stdin.buffer.read()
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise WrongInputError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise WrongInputError(f"{file}: not valid UTF-8") from None
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    if not any(lines):
        raise WrongInputError(f"{file}: names no case")
    return (*(patterns or ()), *filter(None, lines))


def select_cases(
    suite: Suite,
    specs: SpecSet,
    product: str,
    tier: str,
    operators: Sequence[str] | None = None,
    patterns: Sequence[str] = (),
    calls: Path | None = None,
    jobs: int = CORES,
    progress: Progress | None = None,
) -> tuple[Case, ...]:
    """Return the cases of a tier or of a call list: all, or those of operators and patterns.

    Args:
        jobs: Number of processes that make plans.
        progress: Shows how many are made.

    Raises:
        WrongInputError: A name is unknown, or a pattern matches no case.
    """
    store, shown = PlanCache.of(suite), progress or Silent()

    def planned(names: Iterable[str] | None) -> tuple[Case, ...]:
        for done, total in make_plans(specs, product, tier, names, store, jobs):
            if done == 0:
                shown.stage("plan", total)
            shown.step(done)
        return plan(specs, product, tier, names, store)

    if calls is not None:
        cases = cases_of_list(specs, calls, product)
        if operators:
            names = {spec.operator for spec in specs.select_tested(operators)}
            cases = tuple(case for case in cases if case.operator in names)
    elif patterns and not operators and not any(map(WILDCARD.search, patterns)):
        return find_cases(specs, patterns, product, tier, store)
    elif patterns and not operators:
        matching = operators_of(specs, patterns, product)
        cases = planned(matching) if matching else ()
    else:
        cases = planned(operators or None)
    return _matching(cases, patterns, product, f"--calls {calls}" if calls else f"--tier {tier}")


def select_case(
    suite: Suite, specs: SpecSet, name: str, product: str, tier: str, calls: Path | None
) -> Case:
    """Return the case of that id from a tier or a call list.

    Raises:
        WrongInputError: There is no such case; the nearest id is offered.
    """
    if calls is None:
        return find_cases(specs, [name], product, tier, PlanCache.of(suite))[0]
    cases = {case.id: case for case in cases_of_list(specs, calls, product)}
    if name not in cases:
        listed_by = f"`aclnn-cts list --product {product} --calls {calls}`"
        raise unknown_name(f"case of {calls} on {product}", name, cases, listed_by)
    return cases[name]


def _matching(
    cases: Sequence[Case], patterns: Sequence[str], product: str, source: str
) -> tuple[Case, ...]:
    """Return the cases whose ids match any of the patterns; all cases without a pattern."""
    planned = {case.id: case for case in cases}
    matches: dict[str, None] = {}
    for pattern in patterns or ["*"]:
        ids = fnmatch.filter(planned, pattern)
        if not ids:
            raise WrongInputError(
                f"no case on {product} matches {pattern!r}; "
                f"`aclnn-cts list --product {product} {source}` lists them"
            )
        matches |= dict.fromkeys(ids)
    return tuple(case for name, case in planned.items() if name in matches)


def refuse_contradiction(
    cann: Path | None, simulator: bool, fault: str | None, variant: str | None = None
) -> None:
    """Raise WrongInputError if --cann is combined with options of the simulated device."""
    if simulator and cann is not None:
        raise WrongInputError("--simulator and --cann exclude each other; give one of them")
    for name, value in (("--fault", fault), ("--variant", variant)):
        if value is not None and cann is not None:
            raise WrongInputError(f"{name} is for the simulated device; leave out --cann or {name}")


def say(sentence: str) -> None:
    """Write a message to standard error; standard output is for results."""
    typer.echo(printable(sentence), err=True)


def _require_output() -> None:
    """Raise NotTrustworthyError if the process was started without a standard output."""
    # None if the process was started with `>&-`; the type stubs exclude that.
    if getattr(sys, "stdout", None) is None:
        raise NotTrustworthyError(
            "standard output is closed, so nothing can be shown; send it to a file or /dev/null"
        )


def _sentence(error: OSError) -> str:
    """Return the message for an OSError: what, where, and what to do."""
    reason = error.strerror or str(error)
    try:
        # Discard buffered output that cannot be written; Python would retry it at exit.
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if error.errno == errno.ENOSPC and not error.filename:
        # aclnn_cts.files, which writes our files, would have named one.
        return f"standard output cannot be written: {reason}; redirect it to a disk with free space"
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}{reason}; check the permissions, and run the command again"


Options = TypeVar("Options")


def take_options(
    kind: type[Options],
) -> Callable[[Callable[[Options], None]], Callable[..., None]]:
    """Have a command take the fields of a dataclass as its options."""
    hints = get_type_hints(kind, include_extras=True)
    parameters = [
        field.replace(annotation=hints[name], kind=Parameter.KEYWORD_ONLY)
        for name, field in signature(kind).parameters.items()
    ]

    def decorate(command: Callable[[Options], None]) -> Callable[..., None]:
        @functools.wraps(command)
        def call(**values: Any) -> None:
            command(kind(**values))

        vars(call)["__signature__"] = Signature(parameters)
        call.__annotations__ = hints
        return call

    return decorate


Arguments = ParamSpec("Arguments")


def report_errors(command: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """Map exceptions to messages and exit statuses."""

    @functools.wraps(command)
    def call(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        try:
            _require_output()
            try:
                command(*args, **kwargs)
            finally:
                sys.stdout.flush()
        except CtsError as error:
            say(f"error: {error}")
            raise typer.Exit(int(error.exit_code)) from None
        except KeyboardInterrupt as interrupt:
            typer.echo("; ".join(("interrupted", *interrupt.args)), err=True)
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None
        except MemoryError:
            typer.echo("error: there is too little memory; try --jobs 1, or a lower tier", err=True)
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None
        except typer.Exit:
            raise
        except OSError as error:
            say(f"error: {_sentence(error)}")
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None
        except Exception:  # noqa: BLE001 - a defect of ours must not look like one of the device
            traceback.print_exc()
            typer.echo("error: this is a defect of aclnn-cts; please report it", err=True)
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None

    return call


def suite_with(folders: Iterable[Path] | None) -> Suite:
    """Return the suite that this command works on, with the operators of some folders, too."""
    return with_folders(find_suite(), folders or ())


def load(edition: str = CURRENT, folders: Iterable[Path] | None = None) -> tuple[Suite, SpecSet]:
    """Return the suite that this command works on, and its specs in an edition."""
    suite = suite_with(folders)
    return suite, load_specs(suite, edition)


def show(*reports: Report, verbose: bool = False) -> None:
    """Print the summary of judged runs; in full if verbose."""
    console = PlainConsole()
    for report in reports:
        run, folder = report.shown, report.run.path
        stories, more = _first_stories(run)
        for case in stories:
            console.print(case.story, markup=False, soft_wrap=True)
            console.print()
        if more:
            command = f"pytest {folder}{' --enforce' if run.document.enforce else ''}"
            console.print(f"… and {more} more; `{command}` shows each")
        console.print(summary(run, str(folder), verbose=verbose), crop=False)  # do not crop ids
        for text in _lost_devices(folder):
            console.print(text, markup=False, soft_wrap=True)
        for name in REPORT_FILES:
            console.print(f"{folder / name}", markup=False, soft_wrap=True)
        console.print(outcome_line(run), soft_wrap=True)


def show_and_exit(*reports: Report, verbose: bool = False) -> NoReturn:
    """Print the summary of judged runs, and exit with their status."""
    show(*reports, verbose=verbose)
    raise typer.Exit(int(strongest(report.exit_code for report in reports)))


def _first_stories(run: Run) -> tuple[list[CaseEntry], int]:
    """Return the first cases that have a story, and how many more there are.

    The first case of each broken promise comes first.
    """
    first = {clause.first.id: clause.first for clause in run.sums.broken.values()}
    count, others = 0, list[CaseEntry]()
    bad = [verdict for verdict in Verdict if verdict is not Verdict.PASS]
    for case in CaseFile.of(run.document.cases).where(verdicts=bad):
        if case.story and case.waiver is None:
            count += 1
            if case.id not in first and len(others) < _STORIES_SHOWN:
                others.append(case)
    stories = [*first.values(), *others][:_STORIES_SHOWN]
    return stories, count - len(stories)


def _lost_devices(folder: Path) -> Iterator[str]:
    """Yield why each device was given up, and in which case it was lost."""
    programs = read_journal(folder).programs
    for program in filter(lambda program: program.outcome.refused, programs):
        place = where_lost(programs, program)
        host = program.host and f" of host {program.host}"
        text = f"device {program.device}{host} was given up: {why_refused(program)}"
        yield f"{text}; {place}" if place else text
