# SPDX-License-Identifier: Apache-2.0
"""Commands about cases and promises; none of them runs anything."""

from __future__ import annotations

import difflib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli import options
from aclnn_cts.console import (
    ConsoleProgress,
    PlainConsole,
    print_json,
    show_cases,
    show_explanation,
)
from aclnn_cts.coverage.clause_coverage import ClauseCoverage, cover_operators, exit_code
from aclnn_cts.coverage.coverage_text import (
    clause_story,
    coverage_json,
    coverage_tables,
    fact,
    silence_story,
)
from aclnn_cts.coverage.edition_comparison import compare, note_lines, notes_as_json
from aclnn_cts.coverage.promises import promises_of
from aclnn_cts.coverage.reached_cases import CoverageQuestion
from aclnn_cts.errors import WrongInputError, counted, form, one_of
from aclnn_cts.files import write_text
from aclnn_cts.golden.inputs import Draw, settle
from aclnn_cts.plan.atk import AtkCase, Imported, import_case, read_atk
from aclnn_cts.plan.call_list import ListedCall, call_list_text, case_of_call
from aclnn_cts.plan.cases import TIERS, Case
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.results.commands import RunSetup, run_command
from aclnn_cts.results.document import ResultsDocument, read_results
from aclnn_cts.run.devices import DEFAULT_PRODUCT
from aclnn_cts.run.folder_lock import RESULTS_FILE
from aclnn_cts.spec.editions import CURRENT
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.models import Product
from aclnn_cts.spec.revisions import Revision
from aclnn_cts.suite import Suite

EachOperator = Annotated[
    bool, typer.Option("--verbose", "-v", help="Count each operator, not only families.")
]


def list_cases(
    operator: options.Operators = None,
    folders: options.SpecFolders = None,
    product: options.Product = DEFAULT_PRODUCT,
    tier: options.TierName = options.DEFAULT_TIER,
    edition: options.EditionName = CURRENT,
    case: options.CasePatterns = None,
    calls: options.CallListFile = None,
    atk: Annotated[
        Path | None,
        typer.Option("--atk", metavar="FILE", help="Convert this case list of ATK, JSON."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="With --atk: the call list, YAML.")
    ] = None,
    rename: Annotated[
        list[str] | None,
        typer.Option(
            "--rename",
            metavar="NAME=PARAMETER",
            help="With --atk: map a name of the list; may be repeated.",
        ),
    ] = None,
    as_json: options.AsJson = False,
    verbose: EachOperator = False,
) -> None:
    """List the cases of a tier or a call list, or convert a case list of ATK into a call list."""
    if atk is not None:
        if output is None or operator or case or calls or as_json:
            raise WrongInputError(
                "--atk takes --output, --rename, --product, --edition and --specs, "
                "and needs --output"
            )
        _import_atk(atk, output, rename or (), product, edition, folders)
        return
    if output is not None or rename:
        raise WrongInputError("--output and --rename are for --atk; add it, or leave them out")
    suite, specs = options.load(edition, folders)
    cases = options.select_cases(suite, specs, product, tier, operator, case or (), calls)
    show_cases(specs, cases, as_json=as_json, verbose=verbose)


_PREFIX = "aclnn"

_MOST_OPERATORS = 5
"""Operators with a clause of the same id that are explained together."""


@dataclass(frozen=True)
class ExplainOptions:
    """The options of an explanation."""

    identifier: Annotated[
        str, typer.Argument(metavar="CASE|[OPERATOR/]CLAUSE", help="Id of a case or of a clause.")
    ]
    operator: options.Operators = None
    folders: options.SpecFolders = None
    product: Annotated[str, typer.Option("--product", help="The product of the cases.")] = (
        DEFAULT_PRODUCT
    )
    tier: options.TierName = "standard"
    edition: options.EditionName = CURRENT
    calls: options.CallListFile = None
    results: Annotated[
        Path | None, typer.Option("--results", help="Also show the verdict of this run.")
    ] = None
    jobs: options.Jobs = options.CORES

    def run(self, product: str, edition: str) -> ResultsDocument | None:
        """Return the results of the run to show, if any; raises as :func:`read_results_about`."""
        if self.results is None:
            return None
        command, rest = f"explain {self.identifier}", f"--results {self.results}"
        return read_results_about(self.results, product, edition, command, rest)


@options.take_options(ExplainOptions)
def explain(arguments: ExplainOptions) -> None:
    """Explain a case and its purpose, or a clause and the cases that test it."""
    suite, specs = options.load(arguments.edition, arguments.folders)
    name = arguments.identifier
    if "." in name and not name.startswith(_PREFIX):  # as the id of a case is
        _explain_case(suite, specs, arguments)
    else:
        _explain_clause(suite, specs, arguments)


def _explain_case(suite: Suite, specs: SpecSet, arguments: ExplainOptions) -> None:
    name, product = arguments.identifier, arguments.product
    case = options.select_case(suite, specs, name, product, arguments.tier, arguments.calls)
    run = arguments.run(product, specs.edition)
    show_explanation(specs, case)
    if run is not None:
        _print(_case_verdict(run, name))


def _explain_clause(suite: Suite, specs: SpecSet, arguments: ExplainOptions) -> None:
    """Explain the clauses and silences of an id."""
    identifier = arguments.identifier
    prefix, slash, _ = identifier.rpartition("/")
    selected = arguments.operator or ([_full_name(prefix)] if slash else None)
    operators = [spec.operator for spec in specs.select_tested(selected)]
    matches = find_clauses(specs, identifier, operators)
    product = specs.product(arguments.product).id
    run = arguments.run(product, specs.edition)
    silent = [(name, id_) for name, id_ in matches if id_ in _silences(specs, name)]
    clauses = [match for match in matches if match not in silent]
    names = list(dict.fromkeys(name for name, _ in clauses))
    if len(names) > _MOST_OPERATORS:
        first = ", ".join(names[:_MOST_OPERATORS])
        raise WrongInputError(
            f"{identifier} is a clause of {len(names)} operators, such as {first}; name one, "
            f"as in `aclnn-cts explain {names[0]}/{identifier}`"
        )
    tier = arguments.tier
    question = CoverageQuestion(suite, specs.edition, tuple(names), (product,), tier)
    question = replace(question, values=_has_values(specs, clauses))
    setup = RunSetup(tier, specs.edition, folders=specs.paths)

    def command(case: str, on: str) -> str:
        return " ".join(run_command(case, on, setup))

    for coverage in gather(question, arguments.jobs):
        clause = coverage.promise.operator, coverage.promise.clause
        if clause in clauses:
            story = clause_story(specs, coverage, tier, command)
            _print(chain(story, () if run is None else _clause_verdict(run, clause)))
    for name, silence in silent:
        _print(silence_story(specs, name, silence))


def _has_values(specs: SpecSet, clauses: Sequence[tuple[str, str]]) -> bool:
    """Whether any of the clauses is about the values of outputs."""
    return any(
        promise.kind == "value" and promise.clause == clause
        for name, clause in clauses
        for promise in promises_of(specs, specs.operator(name))
    )


def read_results_about(
    folder: Path, product: str, edition: str, command: str, rest: str
) -> ResultsDocument:
    """Return the results of a run.

    Args:
        command: The command and its arguments before the options, for the message.
        rest: Its arguments after them.

    Raises:
        WrongInputError: Product or edition differ.
    """
    run = read_results(folder)
    about = run.device.product
    if (about, run.edition) != (product, edition):
        raise WrongInputError(
            f"{folder / RESULTS_FILE}: is about {about} in the edition {run.edition}, not "
            f"{product} in the edition {edition}; run `aclnn-cts {command} "
            f"--product {about} --edition {run.edition} {rest}`"
        )
    return run


def _case_verdict(run: ResultsDocument, identifier: str) -> Iterator[str]:
    """Yield a run's verdict on a case."""
    entry = next((case for case in run.cases if case.id == identifier), None)
    if entry is None:
        yield "that run has no such case"
        return
    yield ": ".join(filter(None, (f"in that run: {entry.verdict.value}", entry.message)))
    if entry.said:
        yield f"the runtime said: {entry.said}"


def _clause_verdict(run: ResultsDocument, clause: tuple[str, str]) -> Iterator[str]:
    """Yield a run's verdict on a clause."""
    entry = run.by_clause.get(clause)
    if entry is None:
        yield fact("run", "says nothing about it")
        return
    yield fact("run", f"{entry.verdict}, {counted(entry.cases, 'case')}")
    if entry.contested:
        reading = entry.reading or "now one clause, now another"
        elements = counted(entry.contested, "element")
        yield fact("reading", f"on {elements} the device follows {reading}")


def _print(lines: Iterator[str]) -> None:
    for line in lines:
        typer.echo(line)
    typer.echo()


def find_clauses(
    specs: SpecSet, identifier: str, operators: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Return the operators and clauses that an id may mean.

    Args:
        identifier: ``eps-one``, ``aclnnLogitGrad/eps-one`` or ``LogitGrad/eps-one``.

    Raises:
        WrongInputError: There is no such clause; the nearest ones are offered.
    """
    clauses = [(name, clause) for name in operators for clause in _clause_ids(specs, name)]
    if identifier in operators:
        raise WrongInputError(
            f"{identifier} is an operator; `aclnn-cts coverage --operator {identifier}` lists its "
            f"clauses, `aclnn-cts explain {identifier}/CLAUSE` explains one"
        )
    operator, slash, clause = identifier.rpartition("/")
    matches = [
        key for key in clauses if key[1] == clause and (not slash or key[0] == _full_name(operator))
    ]
    if not matches:
        raise _unknown_id(
            identifier,
            [f"{name}/{id_}" for name, id_ in clauses]
            if slash or "." in identifier
            else [id_ for _, id_ in clauses],
        )
    return tuple(matches)


def _full_name(operator: str) -> str:
    return operator if operator.startswith(_PREFIX) else _PREFIX + operator


def _clause_ids(specs: SpecSet, operator: str) -> list[str]:
    spec = specs.operator(operator)
    return [*(promise.clause for promise in promises_of(specs, spec)), *_silences(specs, operator)]


def _silences(specs: SpecSet, operator: str) -> list[str]:
    return [silence.id for silence in specs.operator(operator).not_promised]


def _unknown_id(identifier: str, names: Sequence[str]) -> WrongInputError:
    nearest = difflib.get_close_matches(
        identifier.replace(".", "/"), dict.fromkeys(names), n=3, cutoff=0.4
    )
    hint = (
        f"did you mean {' or '.join(map(repr, nearest))}?"
        if nearest
        else ("`aclnn-cts coverage` lists all clauses, `aclnn-cts list` all cases")
    )
    return WrongInputError(f"there is no case or clause {identifier!r}; {hint}")


Products = Annotated[
    list[str] | None, typer.Option("--product", help="Only this product; may be repeated.")
]


def coverage(
    operator: options.Operators = None,
    folders: options.SpecFolders = None,
    product: Products = None,
    tier: options.TierName = "standard",
    edition: options.EditionName = CURRENT,
    first: Annotated[
        bool, typer.Option("--first", help="Evaluate cases only until each value clause has one.")
    ] = False,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="EDITION",
            help="Show what changed in promises and cases since this edition, instead.",
        ),
    ] = None,
    release: Annotated[
        Path | None,
        typer.Option(
            "--release",
            metavar="DIR",
            help="Compare the operators with those of a release's pages or headers, instead.",
        ),
    ] = None,
    as_json: options.AsJson = False,
    verbose: EachOperator = False,
    since: options.Since = None,
    jobs: options.Jobs = options.CORES,
) -> None:
    """Count the cases that test each clause, and explain gaps; or compare editions or a release.

    Of several operators, count the clauses that are covered.
    """
    suite, specs = options.load(edition, folders)
    if release is not None:
        if first or against is not None or operator or since is not None:
            raise WrongInputError("--release is about all operators; leave the other options out")
        _show_release(release, specs, jobs, as_json=as_json, verbose=verbose)
        return
    if against is not None:
        if first:
            raise WrongInputError("--first and --against exclude each other; give one of them")
        before = load_specs(suite, against)
        _show_changes(suite, before, specs, operator, product, tier, as_json=as_json)
        return
    operators = tuple(spec.operator for spec in specs.select_tested(operator or None))
    if since is not None:
        revision = Revision.since(since, specs, suite)
        operators = revision.select(operators)
    products = tuple(specs.product(name).id for name in product or specs.products)
    question = CoverageQuestion(suite, specs.edition, operators, products, tier, first)
    clauses = gather(question, jobs)
    if as_json:
        print_json(coverage_json(specs, clauses))
    else:
        console = PlainConsole()
        tables = coverage_tables(specs, clauses, verbose=verbose)
        console.print(tables, soft_wrap=not console.is_terminal)
    raise typer.Exit(int(exit_code(clauses)))


def _show_release(folder: Path, specs: SpecSet, jobs: int, *, as_json: bool, verbose: bool) -> None:
    """Print how far the suite tests the operators of a release."""
    # Other commands need not pay for the libraries that read pages.
    from aclnn_cts.coverage.release_coverage import cover_release, release_tables  # noqa: PLC0415

    operators = cover_release(folder, specs, jobs)
    if as_json:
        entries = [operator.as_json() for operator in operators]
        print_json({"format": "aclnn-cts/release/1", "operators": entries})
    else:
        console = PlainConsole()
        tables = release_tables(operators, verbose=verbose)
        console.print(tables, soft_wrap=not console.is_terminal)


def gather(question: CoverageQuestion, jobs: int) -> tuple[ClauseCoverage, ...]:
    """Return the coverage of clauses; shows progress."""
    with ConsoleProgress() as progress:
        return cover_operators(question, jobs, progress.reached)


def _show_changes(
    suite: Suite,
    before: SpecSet,
    after: SpecSet,
    operator: Sequence[str] | None,
    product: Sequence[str] | None,
    tier: str,
    *,
    as_json: bool,
) -> None:
    """Compare promises and cases of two editions."""
    one_of("tier", tier, TIERS)
    products = tuple(after.product(name).id for name in product or after.products)
    operators = [spec.operator for spec in after.select_tested(operator or None)]
    store = PlanCache.of(suite)
    notes = [compare(before, after, name, products, tier, store) for name in operators]
    differing = [note for note in notes if note.differs]
    if as_json:
        print_json(
            {
                "format": "aclnn-cts/diff/1",
                "before": before.edition,
                "after": after.edition,
                "tier": tier,
                "operators": notes_as_json(differing),
            }
        )
        return
    if not differing:
        typer.echo(f"nothing differs between the editions {before.edition} and {after.edition}")
        return
    typer.echo(f"From edition {before.edition} to {after.edition}; cases of tier {tier}")
    for note in differing:
        typer.echo()
        for line in note_lines(note):
            typer.echo(line)


def _import_atk(
    source: Path,
    output: Path,
    rename: Sequence[str],
    product: str,
    edition: str,
    folders: list[Path] | None,
) -> None:
    """Convert a case list of ATK into a call list, with a reason for each case left out."""
    atk_cases = read_atk(source)
    _, specs = options.load(edition, folders=folders)
    conversion = _Conversion(
        _Examination(specs), specs.product(product), dict(_parse_rename(text) for text in rename)
    )
    for atk_case in atk_cases:
        typer.echo(conversion.add(atk_case))
    if not conversion.calls:
        raise WrongInputError(f"{source}: no case of it can be imported for {product}")
    for operator, imported in conversion.first.items():
        _say_interpretation(operator, imported)
    calls = list(conversion.calls.values())
    write_text(output, call_list_text(calls))
    options.say(f"{output}: {len(calls)} of {counted(len(atk_cases), 'case')}")
    if idle := conversion.idle:
        summary = f"{counted(idle, 'case')} {form(idle, 'proves', 'prove')} nothing"
        options.say(f"{summary}; give other data, or remove them")
    if skipped := conversion.examination.skipped:
        options.say(f"{counted(skipped, 'case')} not examined; a run examines all")
    options.say(f"run them with: aclnn-cts run --product {product} --calls {output}")


@dataclass
class _Conversion:
    """The calls of a case list of ATK so far.

    Attributes:
        names: The parameters that names of the list stand for.
        calls: The calls, by their digests.
        first: The first case of each operator.
        idle: Cases that prove nothing.
    """

    examination: _Examination
    product: Product
    names: Mapping[str, str]
    calls: dict[str, ListedCall] = field(default_factory=dict)
    first: dict[str, Imported] = field(default_factory=dict)
    idle: int = 0

    def add(self, atk_case: AtkCase) -> str:
        """Add a case; return the line about it."""
        specs = self.examination.specs
        imported = import_case(specs, atk_case, self.names)
        if imported.call is None:
            return f"{imported.id}: no case: {imported.reason}"
        try:
            case = case_of_call(specs, self.product, imported.call)
        except WrongInputError as error:
            return f"{imported.id}: no case: {error}"
        self.first.setdefault(case.operator, imported)
        same = self.calls.setdefault(case.digest, imported.call)
        if same is not imported.call:
            return f"{imported.id}: no case: the same call as {same.name}"
        if reason := self.examination.reason(case):
            self.idle += 1
            return f"{imported.id}: {case.id} proves nothing: {reason}"
        return f"{imported.id}: {case.id}"


_MOST_ELEMENTS = 2**18
"""Maximum number of elements of a case that the import examines."""

_MOST_SECONDS = 60.0
"""Time after which the import examines no further cases; the run examines all."""


@dataclass
class _Examination:
    """Search for imported cases that cannot fail, up to limits of size and time.

    Attributes:
        skipped: Cases that were not examined.
    """

    specs: SpecSet
    skipped: int = 0
    seconds: float = 0.0

    def reason(self, case: Case) -> str | None:
        """Return why a case could not fail; None if it could, or was not examined."""
        if self.specs.operator(case.operator).is_contract:
            return None
        if case.elements > _MOST_ELEMENTS or self.seconds > _MOST_SECONDS:
            self.skipped += 1
            return None
        start = time.monotonic()
        reason = Draw(self.specs, case).distrust_reason and settle(self.specs, case).distrust_reason
        self.seconds += time.monotonic() - start
        return reason


def _say_interpretation(operator: str, imported: Imported) -> None:
    """Say how a list's statements were interpreted."""
    if imported.by_order:
        names = ", ".join(f"{theirs} is {ours}" for ours, theirs in imported.by_order.items())
        options.say(f"{operator}: {names}, by order; change this with --rename NAME=PARAMETER")
    if imported.made:
        options.say(f"{operator}: the data of {', '.join(imported.made)} are made, not drawn")


def _parse_rename(text: str) -> tuple[str, str]:
    name, sign, parameter = text.partition("=")
    if not (name and sign and parameter):
        raise WrongInputError(f"--rename {text}: write NAME=PARAMETER, such as self=x")
    return name, parameter
