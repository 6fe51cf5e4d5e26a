# SPDX-License-Identifier: Apache-2.0
"""The view model of page and summaries: runs with labels, outcomes as text, and evidence."""

from __future__ import annotations

import functools
import re
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from aclnn_cts.errors import ExitCode, counted, form, strongest
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.formatting import percentage
from aclnn_cts.report.totals import Sums, broken_promises
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.results.commands import rerun_command, run_command, run_start, setup_of
from aclnn_cts.results.document import ClauseVerdict, ResultsDocument

State: TypeAlias = Literal["good", "bad", "warn", "note"]

SYMBOLS: dict[State, str] = {"good": "✓", "bad": "✕", "warn": "!", "note": "–"}
"""Symbols for readers who do not see colours."""

STATES: dict[str, State] = {
    "pass": "good",
    "unenforced": "note",
    "contested-only": "note",
    "waived": "note",
    "missing": "warn",
    "untrusted": "warn",
    "fail": "bad",
    "crash": "bad",
    "timeout": "bad",
    "flaky": "bad",
}
"""The colours of outcomes, see :attr:`CaseEntry.outcome`."""

ToolState: TypeAlias = Literal["passed", "failed", "broken", "skipped"]

_TOOL_STATES: dict[str, ToolState] = {
    **dict.fromkeys(("pass", "contested-only"), "passed"),
    **dict.fromkeys(("fail", "flaky"), "failed"),
    **dict.fromkeys(("crash", "timeout", "missing", "untrusted"), "broken"),
    **dict.fromkeys(("waived", "unenforced"), "skipped"),
}


def tool_state(outcome: str, *, enforce: bool) -> ToolState:
    """Return an outcome in the form of test tools.

    ``failed`` is the device's fault; ``broken`` means that a case broke off or proves nothing. A
    waived failure is skipped, and so is an unenforced requirement, which is a failure with
    ``--enforce``.
    """
    return "failed" if enforce and outcome == "unenforced" else _TOOL_STATES[outcome]


COLOURS: dict[ExitCode, State] = {
    ExitCode.PASSED: "good",
    ExitCode.BROKEN_PROMISE: "bad",
    ExitCode.NOT_TRUSTWORTHY: "warn",
}
"""The colours of the exit statuses."""

_WORDS = {
    ExitCode.PASSED: "exit status 0: all counted cases kept their promises",
    ExitCode.BROKEN_PROMISE: "exit status 1: the device broke a promise",
    ExitCode.NOT_TRUSTWORTHY: "exit status 3: the run proves nothing",
}

_NOT_ENFORCED = "exit status 1: requirements are not enforced (--enforce)"

_KEPT_BUT_STALE = (
    "exit status 3: all counted cases kept their promises, but a waiver is no longer needed"
)


PRODUCT_UNSUPPORTED = "product-unsupported"
"""The clause that an operator is refused on unsupported products."""


@dataclass(frozen=True)
class RecordedCalls:
    """A recorded program's calls of an operator.

    Attributes:
        operator: Its name; empty for calls of which only the number is known.
        outcomes: Calls by the outcome of their case.
        unlisted: Calls that no case makes, by reason.
    """

    operator: str
    outcomes: Counter[str]
    unlisted: Mapping[str, int]

    @property
    def tested(self) -> int:
        return self.outcomes.total()

    @property
    def total(self) -> int:
        return self.tested + sum(self.unlisted.values())


@dataclass(frozen=True)
class Run:
    """One run of a page.

    Attributes:
        label: A label that is unique on the page: the product, and more if needed.
        alone: Whether it is the page's only run.
        document: The results.
    """

    label: str
    alone: bool
    document: ResultsDocument

    @functools.cached_property
    def sums(self) -> Sums:
        """Totals over its cases."""
        return Sums(self.document.cases, self.document.contract_only)

    def key(self, case: str) -> str:
        """Return the anchor of a case: its id, with the run's label if needed."""
        return case if self.alone else f"{self.label}/{case}"

    def prefix(self, text: str) -> str:
        """Prefix a text with the run's label if the page has other runs."""
        return text if self.alone else f"{self.label}: {text}"

    def command(self, case: CaseEntry) -> str:
        """Return the command that reruns a case after the cases that its failure needs."""
        product, setup = self.document.device.product, setup_of(self.document).on_card(case.card)
        parts = rerun_command(case.id, case.operator, product, setup, case.after)
        return " ".join(parts)

    @property
    def command_start(self) -> str:
        """The command that runs a case alone, up to the case's id."""
        return " ".join(run_command("", self.document.device.product, setup_of(self.document)))

    @property
    def unenforced(self) -> tuple[tuple[ClauseVerdict, int], ...]:
        """The unenforced requirements, with the number of accepted calls."""
        operators = self.sums.operators
        counts = (
            (clause, operators[clause.operator].unenforced[clause.clause])
            for clause in self.document.clauses
            if clause.operator in operators
        )
        return tuple((clause, count) for clause, count in counts if count)

    @functools.cached_property
    def recorded(self) -> tuple[RecordedCalls, ...]:
        """The calls of a recorded program by operator, the most frequently called first."""
        operators, unlisted = self.sums.operators, self.document.unlisted
        is_counted = any(o.calls.total() != o.counts.total() for o in operators.values())
        if not (unlisted or is_counted):
            return ()
        names = dict.fromkeys((*operators, *unlisted))
        calls = (
            RecordedCalls(
                name,
                operators[name].calls if name in operators else Counter(),
                unlisted.get(name, {}),
            )
            for name in names
        )
        return tuple(sorted(calls, key=lambda each: -each.total))

    @property
    def command_of_all(self) -> str:
        """The command that repeats the run, as far as recorded."""
        document = self.document
        names = () if document.all_operators else self.sums.operators
        parts = [*run_start(document.device.product, setup_of(document))]
        parts += [f"--operator {name}" for name in names]
        parts += [f"--timings {document.timings}"] if document.timings else []
        return " ".join(parts)


def run_facts(document: ResultsDocument) -> dict[str, str]:
    """Return the environment of a run by name; unknown values are empty."""
    device, about = document.device, document.environment
    return {
        "product": device.product,
        "CANN": device.cann,
        "toolkit": about.toolkit,
        "toolkit version": about.toolkit_version,
        "driver": about.driver,
        "firmware": about.firmware,
        "device": device.kind,
        "fault": device.fault,
        "variant": device.variant,
        "SoC": device.soc,
        "tier": document.tier,
        "standard": document.standard,
        "edition": document.edition,
        "suite": document.suite.version,
        "specs": document.suite.specs_sha256,
        "host": about.host,
        "architecture": about.architecture,
        "compiler": about.compiler,
        "devices": ", ".join(map(str, about.devices)),
        "started": document.started,
    }


def run_of(document: ResultsDocument) -> Run:
    """Return a run that is shown alone."""
    (run,) = label_runs([document])
    return run


def label_runs(
    documents: Sequence[ResultsDocument], names: Sequence[str] | None = None
) -> tuple[Run, ...]:
    """Return the runs of a page with unique labels that are safe in links.

    Args:
        documents: What is known about each run.
        names: The name of each run's folder, used for runs of one product if unique.
    """
    labels = _labels_of(documents, _safe(names) if names is not None else None)
    return tuple(
        Run(label, len(documents) == 1, document)
        for label, document in zip(labels, documents, strict=True)
    )


def _safe(words: Sequence[str]) -> list[str]:
    """Return words without characters that a link must escape."""
    return [re.sub(r"[^A-Za-z0-9._+-]+", "-", word) for word in words]


def _labels_of(documents: Sequence[ResultsDocument], names: Sequence[str] | None) -> list[str]:
    labels = [document.device.product for document in documents]
    if len(set(labels)) == len(labels):
        return labels
    if names is not None and all(names) and len(set(names)) == len(names):
        return list(names)
    further = (
        [document.device.fault or document.device.variant for document in documents],
        [document.tier for document in documents],
        [document.edition for document in documents],
        [document.device.cann for document in documents],
        [document.standard for document in documents],
        [document.started for document in documents],
        [str(place) for place in range(1, len(documents) + 1)],
    )
    for words in further:
        if len(set(labels)) == len(labels):
            break
        kinds: dict[str, set[str]] = {}
        for label, word in zip(labels, words, strict=True):
            kinds.setdefault(label, set()).add(word)
        labels = [
            f"{label}:{word}" if len(kinds[label]) > 1 and word else label
            for label, word in zip(labels, _safe(words), strict=True)
        ]
    return labels


@dataclass(frozen=True)
class Section:
    """A heading and a table.

    Attributes:
        rows: The cells, as text.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Statement:
    """A sentence with a colour, and the address of the list behind it, if any."""

    state: State
    text: str
    link: str = ""


@dataclass(frozen=True)
class Count:
    """Number of cases with a verdict, and their share."""

    verdict: str
    state: State
    cases: int
    share: float


@dataclass(frozen=True)
class Overview:
    """The top of a page.

    Attributes:
        state: The colour of the outcome.
        headline: The verdict in a few words.
        counts: Cases by verdict; pass and fail, and other verdicts with cases.
        evidence: Statements on why it can or cannot be trusted.
    """

    state: State
    headline: str
    exit_status: str
    planned: int
    counts: tuple[Count, ...]
    evidence: tuple[Statement, ...]


def overview_of(runs: Sequence[Run]) -> Overview:
    """Return the top of a page of some runs."""
    code = strongest(run.document.exit_code for run in runs)
    counts = _counts(runs)
    planned = counts.total()
    return Overview(
        state=COLOURS[code],
        headline=_headline(code, runs),
        exit_status=_exit_status(code, runs),
        planned=planned,
        counts=tuple(
            Count(outcome, state, counts[outcome], counts[outcome] / max(planned, 1))
            for outcome, state in STATES.items()
            if counts[outcome] or outcome in ("pass", "fail")
        ),
        evidence=tuple(_evidence(runs)),
    )


def _counts(runs: Sequence[Run]) -> Counter[str]:
    """Return the cases of some runs by outcome."""
    return sum((run.sums.counts for run in runs), Counter())


def outcome_line(run: Run) -> str:
    """Return the outcome of a run with its exit status, in one sentence."""
    code = run.document.exit_code
    return f"{_headline(code, [run])}: exit status {int(code)}"


def _headline(code: ExitCode, runs: Sequence[Run]) -> str:
    accepted = _counts(runs)["unenforced"]
    if code is ExitCode.BROKEN_PROMISE:
        broken = sum(run.sums.failing for run in runs)
        if not broken:
            return f"{_requirements(runs)} not enforced, in {counted(accepted, 'case')}"
        promises = {
            promise for run in runs for promise in broken_promises(run.sums.broken.values())
        }
        what = (
            f"{form(broken, 'breaks', 'break')} {counted(len(promises), 'promise')}"
            if promises
            else "did not complete"
        )
        return f"{counted(broken, 'case')} {what}"
    if code is ExitCode.PASSED:
        waived = _counts(runs)["waived"]
        exception = f"All promises were kept except {counted(waived, 'waived failure')}"
        promises_text = exception if waived else "All tested promises were kept"
        requirements_text = f"{_requirements(runs)} not enforced" if accepted else ""
        return "; ".join(
            filter(None, (promises_text, untested_values(contract_only(runs)), requirements_text))
        )
    return _why_not_trustworthy(runs)


def contract_only(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the operators whose values no run tests."""
    return tuple(dict.fromkeys(name for run in runs for name in run.document.contract_only))


def untested_values(contract_only: Sequence[str]) -> str:
    """Return a note on the contract operators of runs; empty if there are none."""
    count = counted(len(contract_only), "operator")
    return f"no values of {count} were tested" if contract_only else ""


def _requirements(runs: Sequence[Run]) -> str:
    """Return the number of unenforced requirements, with a verb."""
    accepted = {
        (operator, clause)
        for run in runs
        for operator, sums in run.sums.operators.items()
        for clause in sums.unenforced
    }
    return f"{counted(len(accepted), 'requirement')} {form(len(accepted), 'is', 'are')}"


def _count_unproven(runs: Sequence[Run]) -> int:
    counts = _counts(runs)
    return sum(counts[verdict.value] for verdict in Verdict if verdict.proves_nothing)


def _why_not_trustworthy(runs: Sequence[Run]) -> str:
    nothing, planned = _count_unproven(runs), _counts(runs).total()
    if not planned:
        return "Nothing was tested"
    if nothing:
        return (
            f"{nothing:,} of {counted(planned, 'case')} {form(nothing, 'proves', 'prove')} nothing"
        )
    if any(run.document.problems for run in runs):
        problems = sum(len(run.document.problems) for run in runs)
        return f"The record has {counted(problems, 'problem')}"
    stale = sum(len(run.document.stale) for run in runs)
    are = form(stale, "is", "are")
    return f"All promises were kept, but {counted(stale, 'waiver')} {are} no longer needed"


def _exit_status(code: ExitCode, runs: Sequence[Run]) -> str:
    if code is ExitCode.BROKEN_PROMISE and not any(run.sums.failing for run in runs):
        return _NOT_ENFORCED
    sound = all(run.sums.planned and not run.document.problems for run in runs)
    only_stale = code is ExitCode.NOT_TRUSTWORTHY and sound and not _count_unproven(runs)
    return _KEPT_BUT_STALE if only_stale else _WORDS[code]


def _evidence(runs: Sequence[Run]) -> Iterator[Statement]:
    counts = _counts(runs)
    yield _completeness(counts["missing"], counts.total())
    yield from _untrusted(runs, counts["untrusted"])
    yield _stability(counts["flaky"])
    yield from _unenforced_lines(runs, counts["unenforced"])
    yield from _problems(runs)
    yield from _waiver_lines(runs, counts["waived"])
    yield from _changed_devices(runs)
    yield from _recorded_lines(runs)
    yield _clauses(runs)
    yield from _power(runs)
    if names := contract_only(runs):
        yield Statement("note", f"{untested_values(names)}: contract only", "#heat-map&q=contract")


def _recorded_lines(runs: Sequence[Run]) -> Iterator[Statement]:
    for run in runs:
        total = sum(each.total for each in run.recorded)
        tested = sum(each.tested for each in run.recorded)
        passed = sum(each.outcomes["pass"] for each in run.recorded)
        if total:
            text = (
                f"of {counted(total, 'call')} of the recorded program {percentage(tested, total)} "
                f"{form(tested, 'was', 'were')} tested, {percentage(passed, total)} passed"
            )
            yield Statement("good" if passed == total else "note", run.prefix(text))


def _completeness(missing: int, planned: int) -> Statement:
    if missing or not planned:
        return Statement(
            "warn", f"{missing:,} of {counted(planned, 'planned case')} left no record"
        )
    return Statement("good", f"all {counted(planned, 'planned case')} left a complete record")


def _untrusted(runs: Sequence[Run], untrusted: int) -> Iterator[Statement]:
    followers = sum(run.sums.followers.total() for run in runs)
    twins = sum(len(run.sums.followers) for run in runs)
    if alone := untrusted - followers:
        proves = form(alone, "proves", "prove")
        text = f"{counted(alone, 'case')} could not have failed, and {proves} nothing"
        yield Statement("warn", text)
    if followers:
        text = (
            f"{counted(followers, 'refusal')} {form(followers, 'proves', 'prove')} nothing, "
            f"because {counted(twins, 'valid call')} beside {form(followers, 'it', 'them')} "
            f"{form(twins, 'is', 'are')} refused, too"
        )
        yield Statement("warn", text)
    if not untrusted:
        yield Statement("good", "every case that passed could have failed: 0 untrusted")


def _stability(flaky: int) -> Statement:
    if flaky:
        text = (
            f"{counted(flaky, 'case')} failed once and passed once; a retry never counts as a pass"
        )
        return Statement("bad", text)
    return Statement("good", "no case failed once and passed another time: 0 flaky")


def _unenforced_lines(runs: Sequence[Run], accepted: int) -> Iterator[Statement]:
    if accepted:
        calls = f"{counted(accepted, 'call')} against mere requirements of the documents"
        enforced = any(run.document.enforce for run in runs)
        yield Statement("bad" if enforced else "note", f"the device accepts {calls}: unenforced")


def _problems(runs: Sequence[Run]) -> Iterator[Statement]:
    problems = [(run, problem) for run in runs for problem in run.document.problems]
    for run, problem in problems:
        yield Statement("warn", run.prefix(problem))
    if not problems:
        yield Statement("good", "nothing is wrong with the record itself")


def _waiver_lines(runs: Sequence[Run], waived: int) -> Iterator[Statement]:
    if waived:
        yield Statement("note", f"{counted(waived, 'failure')} waived; not counted as passed")
    for run in runs:
        for sentence in run.document.stale:
            yield Statement("warn", run.prefix(sentence))


def _changed_devices(runs: Sequence[Run]) -> Iterator[Statement]:
    for run in runs:
        device = run.document.device
        if device.changed:
            expected = "fail" if device.fault else "pass"
            text = f"the simulated device was given the {device.changed}: it is meant to {expected}"
            yield Statement("note", run.prefix(text))


def _clauses(runs: Sequence[Run]) -> Statement:
    states: dict[tuple[str, str], set[str]] = {}
    for run in runs:
        for clause in run.document.clauses:
            states.setdefault((clause.operator, clause.clause), set()).add(clause.verdict)
    untested = sum(verdicts <= {"untested", "unproven"} for verdicts in states.values())
    tested = f"{len(states) - untested:,} of {counted(len(states), 'clause')} of the documents"
    if not untested:
        return Statement("good", f"{tested} were tested")
    return Statement(
        "note", f"{tested} were tested; {untested:,} were not", "#clauses&state=untested"
    )


def _power(runs: Sequence[Run]) -> Iterator[Statement]:
    """Yield the resolution of these runs."""
    by_value = sum(run.sums.by_value for run in runs)
    by_class = sum(run.sums.by_class for run in runs)
    powers = [power for run in runs for power in run.sums.powers]
    if powers:
        yield Statement(
            "good",
            f"{counted(by_value, 'element')} judged by value, {by_class:,} by class; half of the "
            f"cases notice one element that is off by {statistics.median(powers):.2g} ulp",
        )
