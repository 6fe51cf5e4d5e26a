# SPDX-License-Identifier: Apache-2.0
"""A printable page on what runs qualified and what they did not, made from their results alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeAlias

from markupsafe import Markup

from aclnn_cts import __version__
from aclnn_cts.errors import ExitCode, counted, form
from aclnn_cts.files import sha256_of, write_text
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.formatting import percentage
from aclnn_cts.report.page import html_templates, moment_text, source_digest, with_breaks
from aclnn_cts.report.summary import contested_section, unenforced_section
from aclnn_cts.report.totals import NO_CLAUSE, FirstBroken
from aclnn_cts.report.view import (
    COLOURS,
    PRODUCT_UNSUPPORTED,
    SYMBOLS,
    Run,
    State,
    label_runs,
    overview_of,
    run_facts,
)
from aclnn_cts.results.cases import CaseFile
from aclnn_cts.results.document import ResultsDocument, WaiverOutcome
from aclnn_cts.results.qualification_file import QualificationFile

Depth: TypeAlias = Literal["values", "contract", "refusal"]

_FACTS = (
    *("product", "SoC", "device", "fault", "variant", "CANN", "toolkit", "toolkit version"),
    *("driver", "firmware", "host", "devices", "tier", "standard", "edition", "suite", "started"),
)

_DEPTHS: dict[Depth, str] = {
    "values": "operators with values",
    "contract": "by contract",
    "refusal": "by refusal",
}

_MEANINGS = {
    "unenforced": "the device accepted a call that callers must not make",
    "contested-only": "the documents contradict each other, and either reading was accepted",
    "waived": "a failure that a waiver accepts",
    "missing": "no complete record",
    "untrusted": "could not have failed",
    "flaky": "failed once and passed once",
}
"""What verdicts mean, for readers who know only the certificate."""

_ALWAYS_SHOWN = ("CANN", "driver", "firmware")
"""Facts of a release, which are shown as not recorded rather than left out."""

_OPEN = ("untested", "unproven")
"""Verdicts on clauses that no case proved or broke."""

_NAMED = 6
"""Maximum number of operators that a line names."""


@dataclass(frozen=True)
class Outcome:
    """The verdict of a certificate.

    Attributes:
        word: The verdict in a word or two.
        scope: How many operators broke no promise, and which did.
        limits: Why the runs do not speak for a whole release, if they do not.
    """

    state: State
    word: str
    headline: str
    scope: str
    limits: tuple[str, ...]


@dataclass(frozen=True)
class OperatorRow:
    """What a run tested of an operator.

    Attributes:
        depth: ``values``, ``contract``, or ``refusal`` if the product does not support it.
        kept: Number of cases that broke no promise.
        tested: Number of clauses with a verdict.
        untested: Ids of the clauses without a case, or without one that proves something.
        silences: Ids of the points on which the documents promise nothing.
    """

    run: str
    family: str
    operator: str
    depth: Depth
    cases: int
    kept: int
    tested: int
    untested: tuple[str, ...]
    silences: tuple[str, ...]

    @property
    def promised(self) -> int:
        return self.tested + len(self.untested)


@dataclass(frozen=True)
class Deviation:
    """Cases that break a promise first, by clause and waiver."""

    run: str
    broken: FirstBroken
    text: str
    place: str
    waiver: WaiverOutcome | None


@dataclass(frozen=True)
class Gap:
    """Something that was not checked, and how much of it."""

    what: str
    text: str


def render_certificate(
    documents: Sequence[ResultsDocument],
    files: Sequence[Path],
    qualification: QualificationFile | None,
    issued: datetime,
) -> str:
    """Return the certificate of one or several runs.

    Args:
        documents: The results of each run; at least one.
        files: The results.json of each run.
        qualification: Power and false alarms of the suite; None if not given.
        issued: The date of the certificate.
    """
    runs = label_runs(documents, [path.resolve().parent.name for path in files])
    rows = tuple(row for run in runs for row in _operators(run))
    families: dict[tuple[str, str], list[OperatorRow]] = {}
    for row in rows:
        families.setdefault((row.family, row.run), []).append(row)
    limits = tuple(_limits(runs, qualification))
    gaps = tuple(_gaps(runs, rows))
    deviations = tuple(deviation for run in runs for deviation in _deviations(run))
    templates = html_templates("aclnn_cts.report")
    templates.filters.update({"parted": with_breaks, "moment": moment_text})
    style = templates.get_template("certificate.css.j2").render()
    return templates.get_template("certificate.html.j2").render(
        policy=(
            f"default-src 'none'; style-src {source_digest(style)}; "
            "base-uri 'none'; form-action 'none'"
        ),
        style=Markup(style),  # noqa: S704 - our own file
        runs=runs,
        several=len(runs) > 1,
        symbols=SYMBOLS,
        verdict=_verdict(runs, _scope(rows, deviations), limits, gaps),
        meanings=_MEANINGS,
        overview=overview_of(runs),
        facts=tuple(_facts(runs)),
        families=sorted(families.items()),
        depths=_DEPTHS,
        rows=rows,
        gaps=gaps,
        deviations=deviations,
        unenforced=[(run, unenforced_section(run)) for run in runs if run.unenforced],
        contested=[
            (run, contested_section(run.document)) for run in runs if run.document.contradictions
        ],
        digests=tuple(_digests(runs, files)),
        qualification=qualification,
        unqualified=_operators_without_faults(rows, qualification),
        share=percentage,
        no_clause=NO_CLAUSE,
        version=__version__,
        issued=f"{issued:%Y-%m-%d}",
    )


def write_certificate(
    documents: Sequence[ResultsDocument],
    files: Sequence[Path],
    qualification: QualificationFile | None,
    path: Path,
    issued: datetime,
) -> Path:
    """Write the certificate and return its path; arguments are those of render_certificate.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: The disk is full.
    """
    write_text(path, render_certificate(documents, files, qualification, issued))
    return path


def _scope(rows: Sequence[OperatorRow], deviations: Sequence[Deviation]) -> str:
    """Return how many operators broke no promise in any run, by depth, and which did."""
    broken = dict.fromkeys(deviation.broken.operator for deviation in deviations)
    order = sorted(rows, key=lambda row: -list(_DEPTHS).index(row.depth))  # the deepest wins
    depths = Counter({row.operator: row.depth for row in order}.values())
    what: dict[Depth, str] = {
        "values": "values",
        "contract": "the contract alone",
        "refusal": "the refusal alone",
    }
    tested = ", ".join(f"{text} of {depths[key]:,}" for key, text in what.items() if depths[key])
    kept = {row.operator for row in rows if row.kept} - broken.keys()
    text = f"{len(kept):,} of {counted(depths.total(), 'tested operator')} broke no promise"
    deviating_text = f"; not kept by {_some(broken)} (section 3)" if broken else ""
    return f"{text}{deviating_text}. Tested: {tested}."


def _verdict(
    runs: Sequence[Run], scope: str, limits: tuple[str, ...], gaps: Sequence[Gap]
) -> Outcome:
    top = overview_of(runs)
    word, state = "Passed", top.state
    if any(run.document.exit_code is ExitCode.BROKEN_PROMISE for run in runs):
        word = "Failed"
    elif any(run.document.exit_code is not ExitCode.PASSED for run in runs):
        word = "No verdict"
    elif limits:
        word, state = "No qualification of a release", COLOURS[ExitCode.NOT_TRUSTWORTHY]
    elif gaps:
        word = "Kept as far as tested"
    return Outcome(state, word, top.headline, scope, limits)


def _limits(runs: Sequence[Run], qualification: QualificationFile | None) -> Iterator[str]:
    """Yield why runs do not speak for a whole release."""
    for run in runs:
        for text in _limits_of(run.document):
            yield run.prefix(text)
    suites = {(d.suite.version, d.suite.specs_sha256) for d in (run.document for run in runs)}
    judges = {run.document.suite.judged_code_sha256 for run in runs}
    if len(suites) > 1 or len(judges) > 1:
        yield "The runs were made or judged with different suites, see the digests."
    if len({run.document.edition for run in runs}) > 1:
        yield "The runs test different editions of the documents."
    suite = None if qualification is None else qualification.suite
    if suite is not None and (suite.version, suite.specs_sha256) not in suites:
        yield "Power and false alarms are those of another suite than that of the runs."


def _limits_of(document: ResultsDocument) -> Iterator[str]:
    device, scope, suite = document.device, document.scope, document.suite
    calls = document.calls
    planned = len(scope.missing) + len(scope.families)
    nothing = sum(document.totals.get(each.value, 0) for each in Verdict if each.proves_nothing)
    limits = {
        "Simulated device: says nothing about a card or a release of CANN.": (
            device.kind == "simulator"
        ),
        f"The simulated device was given the {device.changed}.": device.changed,
        f"Shard {scope.shard}: only this part of the cases ran.": scope.shard,
        "Selection: only cases that were named ran.": scope.selected,
        f"Call list: the cases are those of {Path(calls).name}, not of a tier.": calls,
        f"Operators: {len(scope.families)} of {planned} of the product were tested.": scope.missing,
        f"Untrusted results: {counted(nothing, 'case')} that {form(nothing, 'proves', 'prove')} "
        "nothing.": nothing,
    }
    yield from (text for text, is_so in limits.items() if is_so)
    yield from (f"Untrusted results: {problem}" for problem in document.problems)
    if not suite.judged_code_sha256:
        yield "The results do not record what was left out; `aclnn-cts judge` adds it."
    elif suite.judged_specs_sha256 != suite.specs_sha256 or suite.version != __version__:
        yield "Judged with another suite than the one that made the cases."


def _facts(runs: Sequence[Run]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each fact with its value in each run."""
    facts = [run_facts(run.document) for run in runs]
    for name in _FACTS:
        values = tuple(each[name] for each in facts)
        if name in _ALWAYS_SHOWN or any(values):
            yield name, values
    if any(run.document.reused for run in runs):
        yield (
            "verdicts taken from earlier runs with equal records",
            tuple(f"{run.document.reused:,}" for run in runs),
        )


def _operators(run: Run) -> Iterator[OperatorRow]:
    document = run.document
    silences: dict[str, list[str]] = {}
    for silence in document.not_promised:
        silences.setdefault(silence.operator, []).append(silence.id)
    refused = _refused_operators(document)
    tested, untested = Counter[str](), dict[str, list[str]]()
    for clause in document.clauses:
        if clause.verdict not in _OPEN:
            tested[clause.operator] += 1
        elif clause.operator not in refused:
            untested.setdefault(clause.operator, []).append(clause.clause)
    families = document.scope.families
    for name, sums in sorted(
        run.sums.operators.items(), key=lambda item: (families.get(item[0], ""), item[0])
    ):
        counts = sums.counts
        yield OperatorRow(
            run=run.label,
            family=families.get(name, "not recorded"),
            operator=name,
            depth="refusal" if name in refused else "contract" if sums.is_contract else "values",
            cases=counts.total(),
            kept=counts["pass"] + counts["contested-only"],
            tested=tested[name],
            untested=tuple(untested.get(name, ())),
            silences=tuple(silences.get(name, ())),
        )


def _refused_operators(document: ResultsDocument) -> set[str]:
    """Return the operators that the product must refuse, of which no other clause applies."""
    return {
        clause.operator
        for clause in document.clauses
        if clause.clause == PRODUCT_UNSUPPORTED and clause.verdict not in _OPEN
    }


def _gaps(runs: Sequence[Run], rows: Sequence[OperatorRow]) -> Iterator[Gap]:
    """Yield what was not checked, the widest first."""
    documents = [run.document for run in runs]
    products = dict.fromkeys(name for document in documents for name in document.scope.products)
    if absent := sorted(products.keys() - {document.device.product for document in documents}):
        yield Gap("Products not run", ", ".join(absent))
    for run in runs:
        if missing := run.document.scope.missing:
            yield Gap("Operators planned but missing", run.prefix(_some(missing)))
    if tiers := dict.fromkeys(document.tier for document in documents if document.tier != "full"):
        yield Gap(
            "Depth",
            f"tier {', '.join(tiers)} of smoke, standard and full: larger tiers have more cases",
        )
    if refused := dict.fromkeys(row.operator for row in rows if row.depth == "refusal"):
        text = f"{counted(len(refused), 'operator')}, of which only the refusal was tested"
        yield Gap("Not supported by a product", f"{text}: {_some(refused)}")
    if contract := dict.fromkeys(row.operator for row in rows if row.depth == "contract"):
        text = f"of {counted(len(contract), 'operator')}, tested by contract: {_some(contract)}"
        yield Gap("Values of outputs", text)
    yield from _untested_clauses(documents)
    yield from _open_points(documents)
    quarantined: Counter[str] = Counter()
    for document in documents:
        quarantined.update(document.scope.quarantined)
    if quarantined:
        text = f"values of {counted(quarantined.total(), 'case')} with wrong golden data"
        yield Gap("Quarantined", f"{text}: {_some(list(quarantined))}")


def _untested_clauses(documents: Sequence[ResultsDocument]) -> Iterator[Gap]:
    """Yield the clauses that no run tested."""
    states: dict[tuple[str, str], bool] = {}
    for document in documents:
        refused = _refused_operators(document)
        for clause in (c for c in document.clauses if c.operator not in refused):
            key = clause.operator, clause.clause
            states[key] = states.get(key, True) and clause.verdict in _OPEN
    if untested := Counter(clause for (_, clause), is_open in states.items() if is_open):
        text = f"{untested.total():,} of {counted(len(states), 'clause')}: {_by_id(untested)}"
        if PRODUCT_UNSUPPORTED in untested:
            text += f"; {PRODUCT_UNSUPPORTED} needs a product without the operator"
        yield Gap("Clauses without a case that proves them", text)


def _open_points(documents: Sequence[ResultsDocument]) -> Iterator[Gap]:
    """Yield what the documents leave open or contradict."""
    points = {(each.operator, each.id) for d in documents for each in d.not_promised}
    if points:
        ids = _by_id(Counter(name for _, name in points))
        text = f"{counted(len(points), 'point')}, where any result is right: {ids}"
        yield Gap("Silences of the documents", text)
    pairs = {(each.operator, *each.clauses) for d in documents for each in d.contradictions}
    if pairs:
        operators = counted(len({operator for operator, *_ in pairs}), "operator")
        text = f"{counted(len(pairs), 'pair')} of clauses of {operators} contradict each other"
        yield Gap("Contested", f"{text}; either reading was accepted (annex B)")
    open_statuses = {(gap.operator, gap.clause) for d in documents for gap in d.document_gaps}
    if open_statuses:
        clauses = counted(len(open_statuses), "error clause")
        text = (
            f"one of several was accepted for {clauses}, because the documents name no single one"
        )
        yield Gap("Statuses of refusals", text)


def _some(names: Sequence[str] | dict[str, None]) -> str:
    shown, more = list(names)[:_NAMED], len(names) - _NAMED
    return ", ".join(shown) + (f" and {more} more (annex A)" if more > 0 else "")


def _by_id(counts: Counter[str]) -> str:
    """Return ids with the number of their operators, the most frequent first."""
    shown = [f"{name} ({count})" for name, count in counts.most_common(_NAMED)]
    more = len(counts) - _NAMED
    return ", ".join(shown) + (f" and {more} other ids (annex A)" if more > 0 else "")


def _deviations(run: Run) -> Iterator[Deviation]:
    """Yield the promises that cases break first, those without a waiver first."""
    broken: dict[tuple[str, str, str], FirstBroken] = {}
    breaking = [verdict for verdict in Verdict if verdict.breaks_promise]
    for case in CaseFile.of(run.document.cases).where(verdicts=breaking):
        key = case.operator, case.named_clause, case.waiver or ""
        broken.setdefault(key, FirstBroken(*key[:2], case)).add(case)
    waivers = {waiver.id: waiver for waiver in run.document.waivers}
    clauses = run.document.by_clause
    for (operator, name, waiver), sums in sorted(broken.items(), key=lambda item: bool(item[0][2])):
        clause = clauses.get((operator, name))
        text, place = (clause.text, clause.place) if clause else (sums.first.message, "")
        yield Deviation(run.label, sums, text, place, waivers.get(waiver))


def _operators_without_faults(
    rows: Sequence[OperatorRow], qualification: QualificationFile | None
) -> tuple[str, ...]:
    """Return the tested operators without a fault in the qualification."""
    scores = {} if qualification is None else qualification.scores
    return tuple(dict.fromkeys(row.operator for row in rows if row.operator not in scores))


def _digests(runs: Sequence[Run], files: Sequence[Path]) -> Iterator[tuple[str, str, str]]:
    for run, path in zip(runs, files, strict=True):
        suite, cases = run.document.suite, CaseFile.of(run.document.cases)
        yield run.label, "results.json", sha256_of(path)
        yield run.label, "cases.sqlite", cases.digest
        yield run.label, "specs of the cases", suite.specs_sha256
        yield run.label, "specs that judged", suite.judged_specs_sha256 or "not recorded"
        yield run.label, "suite that judged", suite.judged_code_sha256 or "not recorded"
        for folder in suite.folders:
            yield run.label, f"operator folder {folder.path.name}", folder.sha256
