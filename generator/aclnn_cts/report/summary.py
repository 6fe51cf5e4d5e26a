# SPDX-License-Identifier: Apache-2.0
"""The summary of a run for the terminal, and summary.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from aclnn_cts.errors import counted, wrapped
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.formatting import (
    WRONG_CLASS,
    code,
    escape,
    of_budget,
    open_points,
    percentage,
    prose,
)
from aclnn_cts.report.totals import NO_CLAUSE, OfOperator, Sums, tally
from aclnn_cts.report.view import STATES, Run, Section, State, overview_of, run_facts
from aclnn_cts.results.commands import company_remark
from aclnn_cts.results.document import DocumentGap, ResultsDocument, Silence, WaiverOutcome
from aclnn_cts.spec.editions import CURRENT

LEAST_WIDTH = 100
"""Width of the summary without a wider terminal; ids are never broken."""

_STYLES = {
    "pass": "green",
    "unenforced": "cyan",
    "contested-only": "cyan",
    "missing": "yellow",
    "untrusted": "yellow",
    "waived": "magenta",
}
_BAD = "bold red"

_OUTCOMES = (*(verdict.value for verdict in Verdict), "waived")

_ALWAYS = ("pass", "fail")
"""Outcomes that always have a column."""

_NUMERIC = ("cases", "elements", "calls", "tested", "passed")
"""Columns of numbers."""

_MANY = 8
"""Maximum number of columns with wide gaps."""

CONTRACT = " (contract)"
"""The mark of a contract operator."""

_MOST = 12
"""Maximum number of lines of a list in summary.md, and of a short summary."""

_FEW_OPERATORS = 5
"""Up to this many operators, each has its lines; more are counted by family."""

_ENVIRONMENT = (
    *("toolkit", "toolkit version", "driver", "firmware", "devices", "host", "architecture"),
    *("compiler", "started", "suite", "specs"),
)

_SIGNS = {"good": "✅", "bad": "❌", "warn": "⚠️", "note": "ℹ️"}


def unenforced_section(run: Run) -> Section:
    rows = tuple((c.operator, c.clause, c.text, str(cases)) for c, cases in run.unenforced)
    title = "Requirements that the device does not enforce"
    return Section(title, ("operator", "clause", "what it says", "cases"), rows)


def contested_section(document: ResultsDocument) -> Section:
    rows = tuple(
        (each.operator, *each.clauses, str(each.elements), each.followed)
        for each in document.contradictions
    )
    columns = ("operator", "clause", "against", "elements", "the device follows")
    return Section("Where the documents contradict themselves", columns, rows)


def recorded_section(run: Run) -> Section:
    """Return how a recorded program's calls were tested, the most frequent operators first."""
    rows = tuple(
        (
            calls.operator or "(any)",
            f"{calls.total:,}",
            percentage(calls.tested, calls.total),
            percentage(calls.outcomes["pass"], calls.total),
            "; ".join(f"{reason}: {count:,}" for reason, count in calls.unlisted.items()),
        )
        for calls in run.recorded
    )
    columns = ("operator", "calls", "tested", "passed", "not tested")
    return Section("Calls of the recorded program", columns, rows)


def summary(run: Run, results: str = "RESULTS", *, verbose: bool = False) -> Group:
    """Return the tables: operators, broken promises, remarks, and problems of the documents.

    A run of many operators is counted by family, with the operators that did not simply pass.

    Args:
        results: The results folder, for the command that shows the rest.
        verbose: Whether to show all operators and every open point.
    """
    document = run.document
    short = not verbose and len(run.sums.operators) > _FEW_OPERATORS
    # no column for outcomes without cases
    shown = tuple(name for name in _OUTCOMES if name in _ALWAYS or run.sums.counts[name])
    parts: list[RenderableType] = [*_title(document)]
    if short:
        parts += [_operators("family (operators)", [*_families(run), _all(run.sums)], shown)]
        parts += _unlike_passing(run.sums, shown)
    else:
        parts += [_operators("operator", [*_rows(run.sums), _all(run.sums)], shown)]
    parts += [*_legend(run.sums, shown), Text("")]
    most = _MOST if short else None
    waivers = _waivers(document.waivers, most)
    for lines in map(list, (_promise_lines(run.sums, most), waivers, _remarks(run.sums, most))):
        parts += [*lines, Text("")] if lines else []
    if run.recorded:
        section = recorded_section(run)
        shown_rows = section.rows[:_MOST] if short else section.rows
        parts += [Text(section.title, style="italic"), _table(replace(section, rows=shown_rows))]
        parts += _more(len(section.rows), most, "operator")
    for thing, section in (
        ("requirements not enforced", unenforced_section(run)),
        ("contradictions", contested_section(document)),
    ):
        if section.rows and short:
            operators = counted(len({row[0] for row in section.rows}), "operator")
            parts += _lines(f"{thing}: {len(section.rows):,} of {operators}")
        elif section.rows:
            parts += [Text(section.title, style="italic"), _table(section)]
    parts += [
        *_silences(document.not_promised, short=short),
        *_gaps(document.document_gaps, short=short),
    ]
    for problem in document.problems:
        parts += _lines(f"problem: {problem}", style="yellow")
    if short:
        parts += _lines(f"`aclnn-cts report {results} --text` shows all operators and points")
    return Group(*parts)


def _table(section: Section) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in section.columns:
        numeric = name in _NUMERIC
        table.add_column(name, justify="right" if numeric else "left", overflow="fold")
    for row in section.rows:
        table.add_row(*row)
    return table


def _lines(text: str, indent: str = "", style: str = "", bold: str = "") -> Iterator[Text]:
    """Wrap a text; single words, such as ids, stay whole.

    Args:
        indent: Prefix of the first line; the others are indented by two more columns.
    """
    for line in wrapped(text, LEAST_WIDTH, indent):
        styled = Text(line, style=style, no_wrap=True, overflow="ignore")
        if bold:
            styled.highlight_words([bold], _BAD)
        yield styled


def _title(document: ResultsDocument) -> Iterator[Text]:
    device = document.device
    changed = f" with the {device.changed}" if device.changed else ""
    edition = "" if document.edition == CURRENT else f", edition {document.edition}"
    yield from _lines(
        f"{device.product} ({device.kind} {device.soc}{changed}), tier {document.tier}, "
        f"standard {document.standard}{edition}",
        style="italic",
    )
    if document.reused:
        yield from _lines(
            f"{document.reused:,} verdicts are those on equal records of earlier runs", " "
        )


def _legend(sums: Sums, shown: Sequence[str]) -> Iterator[Text]:
    """Yield notes on the table: outcomes without a column, errors without a size."""
    left_out = [kind.value for kind in Verdict if kind.value not in shown]
    if left_out:
        yield from _lines(f"no case is {' or '.join(', '.join(left_out).rsplit(', ', 1))}", " ")
    if contract := sum(totals.is_contract for totals in sums.operators.values()):
        operators = counted(contract, "operator")
        yield from _lines(f"{CONTRACT.strip()}, {operators}: values of outputs are not tested", " ")
    if _worst(sums.operators.values()) == WRONG_CLASS:
        meaning = "NaN, Inf, 0 or a number came back where the documents allow another of them"
        yield from _lines(f"{WRONG_CLASS}: {meaning}", " ")


_Row: TypeAlias = tuple[str, Counter[str], str]
"""A name, cases by outcome, and the worst error."""


def _operators(head: str, rows: Sequence[_Row], shown: Sequence[str]) -> Table:
    """Return a table of operators or families by outcome."""
    heads = ["planned", *(outcome.replace("-", "\n") for outcome in shown), "worst of\nbudget"]
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1 if len(heads) <= _MANY else 0, 0, 0))
    table.add_column(head, overflow="fold")
    for title in heads:
        table.add_column(title, justify="right", no_wrap=True)
    for name, counts, worst in rows:
        if name == _ALL:
            table.add_section()
        cells = (
            Text(str(counts[each]), style=_STYLES.get(each, _BAD) if counts[each] else "dim")
            for each in shown
        )
        table.add_row(name, str(counts.total()), *cells, worst)
    return table


_ALL = "all"


def _all(sums: Sums) -> _Row:
    return _ALL, sums.counts, _worst(sums.operators.values())


def _rows(sums: Sums) -> Iterator[_Row]:
    """Yield each operator with its outcomes and worst error."""
    for operator, totals in sums.operators.items():
        yield operator + CONTRACT * totals.is_contract, totals.counts, _worst([totals])


def _families(run: Run) -> Iterator[_Row]:
    """Yield each family, with the number of its operators, its outcomes and worst error."""
    family_of = run.document.scope.families
    members: dict[str, list[OfOperator]] = {}
    for operator, sums in run.sums.operators.items():
        members.setdefault(family_of.get(operator, "other"), []).append(sums)
    for family, group in sorted(members.items()):
        counts = sum((sums.counts for sums in group), Counter[str]())
        yield f"{family} ({len(group)})", counts, _worst(group)


def _not_passed(sums: Sums) -> list[_Row]:
    """Return the operators with other outcomes than passes, the worst first."""
    severity: list[State] = ["bad", "warn", "note"]
    rows = [row for row in _rows(sums) if set(+row[1]) - {"pass"}]
    return sorted(
        rows,
        key=lambda row: min(
            severity.index(STATES[outcome]) for outcome in +row[1] if outcome != "pass"
        ),
    )


def _unlike_passing(sums: Sums, shown: Sequence[str]) -> Iterator[RenderableType]:
    """Yield the table of operators that did not simply pass."""
    rows = _not_passed(sums)
    if rows:
        yield _operators("operators that did not simply pass", rows[:_MOST], shown)
    yield from _more(len(rows), _MOST, "operator")


def _worst(sums: Iterable[OfOperator]) -> str:
    shares = [each.worst_share for each in sums if each.worst_share is not None]
    return of_budget(max(shares)) if shares else "-"


def _promise_lines(sums: Sums, most: int | None) -> Iterator[Text]:
    """Yield a line per promise that failures name first, and their further broken promises."""
    promises = list(sums.broken.values())
    if promises:
        yield Text(f"Broken promises: {tally(promises)}")
    for promise in promises[:most]:
        name = promise.clause or NO_CLAUSE
        count = f"{counted(promise.count, 'case')}, first {promise.first.id}"
        yield from _lines(f"{promise.operator} {name}: {count}", "  ", bold=name)
        if promise.only_in:
            yield from _lines(f"only in {promise.only_in}", "    ")
        if promise.besides:
            yield from _lines(f"also broken: {promise.besides}", "    ")
    yield from _more(len(promises), most, "promise")


def _more(count: int, most: int | None, thing: str) -> Iterator[Text]:
    if most is not None and count > most:
        yield Text(f"  … and {counted(count - most, f'more {thing}')}")


def _waivers(waivers: Sequence[WaiverOutcome], most: int | None) -> Iterator[Text]:
    """Yield a line per waiver: its cases, or the reason why it has none."""
    if waivers:
        yield Text("Waivers")
    for waiver in waivers[:most]:
        if waiver.cases:
            cases = f"{counted(len(waiver.cases), 'case')}, first {waiver.cases[0]}"
            until = f"({waiver.link}), until {waiver.expires}, {waiver.owner}"
            yield from _lines(f"{waiver.id} waives {cases}: {waiver.reason} {until}", "  ")
        else:
            text = f"{waiver.id} {waiver.state}: {waiver.message}"
            yield from _lines(text, "  ", bold=waiver.state)
    yield from _more(len(waivers), most, "waiver")


def _remarks(sums: Sums, most: int | None) -> Iterator[Text]:
    """Yield remarks, such as writes into the allocator's slack."""
    remarked = [item for item in sums.operators.items() if item[1].remarked]
    if remarked:
        yield Text("Remarks")
    for operator, totals in remarked[:most]:
        first, remark = totals.remark
        count = counted(totals.remarked, "case")
        yield from _lines(f"{operator}: {count}, first {first}: {remark}", "  ")
    yield from _more(len(remarked), most, "operator")


def _silences(silences: Sequence[Silence], *, short: bool) -> Iterator[Text]:
    """Yield a line per operator with the silences of its document, or their number."""
    operators = dict.fromkeys(silence.operator for silence in silences)
    if short and silences:
        count = f"{counted(len(silences), 'point')} of {counted(len(operators), 'operator')}"
        yield from _lines(f"not promised: {count}")
        return
    for operator in operators:
        points = [silence.id for silence in silences if silence.operator == operator]
        yield from _lines(f"not promised: {operator}: {', '.join(points)}")


def _gaps(gaps: Sequence[DocumentGap], *, short: bool) -> Iterator[Text]:
    """Yield a line per operator with the refusals without a documented status, or their number."""
    open_gaps = [gap for gap in gaps if gap.given]
    operators = dict.fromkeys(gap.operator for gap in open_gaps)
    if short and open_gaps:
        refusals = f"{counted(len(open_gaps), 'refusal')} of {counted(len(operators), 'operator')}"
        yield from _lines(f"status left open: {refusals}")
        return
    for operator in operators:
        statuses = [
            f"{gap.clause} (the device gives {' and '.join(gap.given)})"
            for gap in open_gaps
            if gap.operator == operator
        ]
        yield from _lines(f"status left open: {operator}: {', '.join(statuses)}")


def render_summary(run: Run) -> str:
    document = run.document
    parts = (
        _verdict(run),
        _counts(run),
        _broken_promises(run),
        _section(recorded_section(run), "operator"),
        _section(unenforced_section(run), "requirement"),
        _waiver_section(document),
        _unproven_section(run.sums),
        _section(contested_section(document), "contradiction"),
        _open_points(document),
        _environment(document),
        _again(run),
    )
    return "\n".join(line for part in parts for line in part)


def _verdict(run: Run) -> Iterator[str]:
    top, document = overview_of([run]), run.document
    device = document.device
    yield f"## {_SIGNS[top.state]} {escape(top.headline)}"
    yield ""
    facts = [device.product, f"{device.kind} {device.soc}", f"CANN {device.cann or 'unknown'}"]
    facts += [f"{name} {getattr(document, name)}" for name in ("tier", "standard", "edition")]
    facts += [device.changed] if device.changed else []
    yield f"{escape(', '.join(facts))}; {escape(top.exit_status)}."
    yield ""
    for statement in top.evidence:
        yield f"- {_SIGNS[statement.state]} {escape(statement.text)}"
    yield ""


def _counts(run: Run) -> Iterator[str]:
    """Yield the table of operators; of many, of families and operators that did not simply pass."""
    sums, not_passed = run.sums, _not_passed(run.sums)
    outcomes = [outcome for outcome in STATES if sums.counts[outcome]]
    if len(sums.operators) <= _FEW_OPERATORS:
        yield from _count_table("operator", [*_rows(sums), _all(sums)], outcomes)
        return
    yield from _count_table("family (operators)", [*_families(run), _all(sums)], outcomes)
    if not_passed:
        yield from _count_table("operators that did not simply pass", not_passed[:_MOST], outcomes)
    if len(not_passed) > _MOST:
        yield from _rest(len(not_passed), "operator")


def _count_table(head: str, rows: Iterable[_Row], outcomes: Sequence[str]) -> Iterator[str]:
    yield _row((head, "planned", *outcomes))
    yield "|---|---:|" + "---:|" * len(outcomes)
    for name, counts, _ in rows:
        yield _row((name, str(counts.total()), *(str(counts[outcome]) for outcome in outcomes)))
    yield ""


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(escape, cells))} |"


def _section(section: Section, thing: str) -> Iterator[str]:
    """Yield a heading and a table; nothing for a section without rows."""
    if not section.rows:
        return
    yield f"### {section.title}"
    yield ""
    yield _row(section.columns)
    marks = ("---:" if name in _NUMERIC else "---" for name in section.columns)
    yield f"|{'|'.join(marks)}|"
    yield from map(_row, section.rows[:_MOST])
    yield ""
    if len(section.rows) > _MOST:
        yield from _rest(len(section.rows), thing)


def _open_points(document: ResultsDocument) -> Iterator[str]:
    numbers = map(len, (document.contradictions, document.not_promised, document.document_gaps))
    yield f"What the documents leave open: {open_points(*numbers)}"
    yield ""


def _broken_promises(run: Run) -> Iterator[str]:
    """Yield a line per promise that failures name first, with place and first case."""
    promises = list(run.sums.broken.values())
    if not promises:
        return
    clauses = run.document.by_clause
    yield f"### Broken promises: {tally(promises)}"
    yield ""
    for broken in promises[:_MOST]:
        clause = clauses.get((broken.operator, broken.clause))
        clause_text = f": {escape(clause.text)} ({escape(clause.place)})" if clause else ""
        promise = f"**{escape(broken.operator)} {escape(broken.clause or NO_CLAUSE)}**"
        yield f"- {promise}{clause_text}. {counted(broken.count, 'case')}, first"
        yield f"  {code(broken.first.id)}: {escape(broken.first.message)}"
        if broken.only_in:
            yield f"  – only in {escape(broken.only_in)}"
        if broken.besides:
            yield f"  – also broken: {escape(broken.besides)}"
    yield from _rest(len(promises), "promise")


def _waiver_section(document: ResultsDocument) -> Iterator[str]:
    """Yield a line per waiver that applies to a case or has a message."""
    shown = [waiver for waiver in document.waivers if waiver.cases or waiver.message]
    if not shown:
        return
    yield "### Waivers"
    yield ""
    for waiver in shown[:_MOST]:
        count = counted(len(waiver.cases), "case")
        if waiver.cases:
            until = f"until {waiver.expires}: {escape(waiver.reason)} ({escape(waiver.link)})"
            yield f"- {code(waiver.id)} waives {count} {until}"
        else:
            yield f"- {code(waiver.id)} waives nothing ({waiver.state}): {prose(waiver.message)}"
    yield from _rest(len(shown), "waiver")


def _unproven_section(sums: Sums) -> Iterator[str]:
    followers = sums.followers.total()
    if not (sums.unproven or followers):
        return
    yield "### Cases that prove nothing"
    yield ""
    if followers:
        first, count = sums.followers.most_common(1)[0]
        yield (
            f"- untrusted: {counted(followers, 'refusal')}, because the device refuses the valid "
            f"calls beside them, too, {count:,} of them beside {code(first)}"
        )
    for case in sums.unproven[:_MOST]:
        yield f"- {case.verdict.value}: {code(case.id)}: {escape(case.message)}"
    nothing = sum(sums.counts[v.value] for v in Verdict if v.proves_nothing)
    yield from _rest(nothing - followers, "case")


def _rest(count: int, thing: str) -> Iterator[str]:
    if count > _MOST:
        yield f"- … and {counted(count - _MOST, f'more {thing}')}; `report.html` has all"
    yield ""


def _environment(document: ResultsDocument) -> Iterator[str]:
    facts = run_facts(document)
    facts["specs"] = facts["specs"][:12]
    yield "### Environment"
    yield ""
    shown = (f"{name} {escape(facts[name])}" for name in _ENVIRONMENT if facts[name])
    yield "; ".join(shown) + "."
    yield ""


def _again(run: Run) -> Iterator[str]:
    """Yield the commands that reproduce the result, without the toolkit of a kit's host."""
    failing = next(iter(run.sums.broken.values()), None)
    yield "### Again"
    yield ""
    yield "```sh"
    yield run.command_of_all
    if failing:
        if remark := company_remark(failing.first.after):
            yield f"# {remark}"
        yield run.command(failing.first)
    yield "```"
    if run.document.device.kind == "hardware" and not run.document.cann:
        yield ""
        yield "This takes the toolkit of the host that it is given on; `--cann PATH` names another."
    yield ""
