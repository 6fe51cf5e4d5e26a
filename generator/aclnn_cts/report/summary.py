# SPDX-License-Identifier: Apache-2.0
"""The summary of a run for the terminal, and summary.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from aclnn_cts.errors import counted, wrapped
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.formatting import WRONG_CLASS, code, escape, of_budget, open_points, prose
from aclnn_cts.report.totals import NO_CLAUSE, OfOperator, Sums, tally
from aclnn_cts.report.view import STATES, Run, Section, overview_of, run_facts
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

_MANY = 8
"""Maximum number of columns with wide gaps."""

CONTRACT = " (contract)"
"""The mark of a contract operator."""

_MOST = 12
"""Maximum number of lines of a list in summary.md."""

_FEW_OPERATORS = 5
"""Up to this many operators, each has a line about open points of its document."""

_ENVIRONMENT = (
    *("toolkit", "toolkit version", "driver", "firmware", "devices", "host", "architecture"),
    *("compiler", "started", "suite", "specs"),
)

_SIGNS = {"good": "✅", "bad": "❌", "warn": "⚠️", "note": "ℹ️"}


def unenforced_section(run: Run) -> Section:
    rows = tuple((c.operator, c.clause, c.text, str(cases)) for c, cases in run.unenforced)
    title = "Requirements that the device does not enforce"
    return Section(title, ("operator", "clause", "what it says", "cases"), rows)


def contested_section(told: ResultsDocument) -> Section:
    rows = tuple(
        (each.operator, *each.clauses, str(each.elements), each.followed)
        for each in told.contradictions
    )
    columns = ("operator", "clause", "against", "elements", "the device follows")
    return Section("Where the documents contradict themselves", columns, rows)


def summary(run: Run) -> Group:
    """Return the tables: operators, broken promises, remarks, and problems of the documents."""
    told = run.document
    # no column for outcomes without cases
    shown = tuple(each for each in _OUTCOMES if each in _ALWAYS or run.sums.counts[each])
    parts: list[RenderableType] = [*_title(told), _operators(run.sums, shown)]
    parts += [*_legend(run.sums, shown), Text("")]
    for lines in map(list, (_broken(run.sums), _waivers(told.waivers), _remarks(run.sums))):
        parts += [*lines, Text("")] if lines else []
    for section in (unenforced_section(run), contested_section(told)):
        if section.rows:
            parts += [Text(section.title, style="italic"), _table(section)]
    parts += [*_silences(told.not_promised), *_gaps(told.document_gaps)]
    for problem in told.problems:
        parts += _lines(f"problem: {problem}", style="yellow")
    return Group(*parts)


def _table(section: Section) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in section.columns:
        numeric = name in ("cases", "elements")
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
        made = Text(line, style=style, no_wrap=True, overflow="ignore")
        if bold:
            made.highlight_words([bold], _BAD)
        yield made


def _title(told: ResultsDocument) -> Iterator[Text]:
    device = told.device
    changed = f" with the {device.changed}" if device.changed else ""
    edition = "" if told.edition == CURRENT else f", edition {told.edition}"
    yield from _lines(
        f"{device.product} ({device.kind} {device.soc}{changed}), tier {told.tier}, "
        f"standard {told.standard}{edition}",
        style="italic",
    )
    if told.reused:
        yield from _lines(
            f"{told.reused:,} verdicts are those on equal records of earlier runs", " "
        )


def _legend(sums: Sums, shown: Sequence[str]) -> Iterator[Text]:
    """Yield notes on the table: outcomes without a column, errors without a size."""
    left_out = [kind.value for kind in Verdict if kind.value not in shown]
    if left_out:
        yield from _lines(f"no case is {' or '.join(', '.join(left_out).rsplit(', ', 1))}", " ")
    if any(own.is_contract for own in sums.operators.values()):
        yield from _lines(f"{CONTRACT.strip()}: the values of its outputs are not tested", " ")
    if _worst(sums.operators.values()) == WRONG_CLASS:
        told = "NaN, Inf, 0 or a number came back where the documents allow another of them"
        yield from _lines(f"{WRONG_CLASS}: {told}", " ")


def _operators(sums: Sums, shown: Sequence[str]) -> Table:
    """Return the table of operators by outcome."""
    heads = ["planned", *(outcome.replace("-", "\n") for outcome in shown), "worst of\nbudget"]
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1 if len(heads) <= _MANY else 0, 0, 0))
    table.add_column("operator", overflow="fold")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for name, counts, worst in _rows(sums):
        if name == "all":
            table.add_section()
        cells = (
            Text(str(counts[each]), style=_STYLES.get(each, _BAD) if counts[each] else "dim")
            for each in shown
        )
        table.add_row(name, str(counts.total()), *cells, worst)
    return table


def _rows(sums: Sums) -> Iterator[tuple[str, Counter[str], str]]:
    """Yield each operator with its outcomes and worst error, then ``all``."""
    for operator, own in sums.operators.items():
        yield operator + CONTRACT * own.is_contract, own.counts, _worst([own])
    yield "all", sums.counts, _worst(sums.operators.values())


def _worst(sums: Iterable[OfOperator]) -> str:
    shares = [own.worst_share for own in sums if own.worst_share is not None]
    return of_budget(max(shares)) if shares else "-"


def _broken(sums: Sums) -> Iterator[Text]:
    """Yield a line per promise that failures name first, and their further broken promises."""
    found = sums.broken.values()
    if found:
        yield Text(f"Broken promises: {tally(found)}")
    for each in found:
        name = each.clause or NO_CLAUSE
        told = f"{counted(each.count, 'case')}, first {each.first.id}"
        yield from _lines(f"{each.operator} {name}: {told}", "  ", bold=name)
        if each.only_in:
            yield from _lines(f"only in {each.only_in}", "    ")
        if each.besides:
            yield from _lines(f"also broken: {each.besides}", "    ")


def _waivers(waivers: Sequence[WaiverOutcome]) -> Iterator[Text]:
    """Yield a line per waiver: its cases, or the reason why it has none."""
    if waivers:
        yield Text("Waivers")
    for each in waivers:
        if each.cases:
            yield from _lines(
                f"{each.id} waives {counted(len(each.cases), 'case')}, first {each.cases[0]}: "
                f"{each.reason} ({each.link}), until {each.expires}, {each.owner}",
                "  ",
            )
        else:
            yield from _lines(f"{each.id} {each.state}: {each.message}", "  ", bold=each.state)


def _remarks(sums: Sums) -> Iterator[Text]:
    """Yield remarks, such as writes into the allocator's slack."""
    told = {name: own for name, own in sums.operators.items() if own.remarked}
    if told:
        yield Text("Remarks")
    for operator, own in told.items():
        first, remark = own.remark
        count = counted(own.remarked, "case")
        yield from _lines(f"{operator}: {count}, first {first}: {remark}", "  ")


def _silences(silences: Sequence[Silence]) -> Iterator[Text]:
    """Yield a line per operator with the silences of its document."""
    operators = dict.fromkeys(silence.operator for silence in silences)
    if len(operators) > _FEW_OPERATORS:
        yield from _lines(
            f"not promised: {counted(len(silences), 'point')} of {len(operators)} operators"
        )
        return
    for operator in operators:
        own = [silence.id for silence in silences if silence.operator == operator]
        yield from _lines(f"not promised: {operator}: {', '.join(own)}")


def _gaps(gaps: Sequence[DocumentGap]) -> Iterator[Text]:
    """Yield a line per operator with the refusals without a documented status."""
    operators = dict.fromkeys(gap.operator for gap in gaps if gap.given)
    if len(operators) > _FEW_OPERATORS:
        answers = Counter(" and ".join(gap.given) for gap in gaps if gap.given)
        told = ", ".join(f"{given} for {count}" for given, count in answers.most_common())
        yield from _lines(
            f"status left open: {counted(answers.total(), 'refusal')} of {len(operators)} "
            f"operators (the device gives {told}); report.html lists them"
        )
        return
    for operator in operators:
        own = [
            f"{gap.clause} (the device gives {' and '.join(gap.given)})"
            for gap in gaps
            if gap.operator == operator and gap.given
        ]
        yield from _lines(f"status left open: {operator}: {', '.join(own)}")


def render_summary(run: Run) -> str:
    document = run.document
    parts = (
        _verdict(run),
        _counts(run.sums),
        _broken_promises(run),
        _section(unenforced_section(run), "requirement"),
        _waived(document),
        _proving_nothing(run.sums),
        _section(contested_section(document), "contradiction"),
        _open_points(document),
        _environment(document),
        _again(run),
    )
    return "\n".join(line for part in parts for line in part)


def _verdict(run: Run) -> Iterator[str]:
    top, told = overview_of([run]), run.document
    device = told.device
    yield f"## {_SIGNS[top.state]} {escape(top.headline)}"
    yield ""
    facts = [device.product, f"{device.kind} {device.soc}", f"CANN {device.cann or 'unknown'}"]
    facts += [f"tier {told.tier}", f"standard {told.standard}", f"edition {told.edition}"]
    facts += [device.changed] if device.changed else []
    yield f"{escape(', '.join(facts))}; {escape(top.exit_status)}."
    yield ""
    for statement in top.evidence:
        yield f"- {_SIGNS[statement.state]} {escape(statement.text)}"
    yield ""


def _counts(sums: Sums) -> Iterator[str]:
    held = [outcome for outcome in STATES if sums.counts[outcome]]
    yield _row(("operator", "planned", *held))
    yield "|---|---:|" + "---:|" * len(held)
    for name, counts, _ in _rows(sums):
        yield _row((name, str(counts.total()), *(str(counts[outcome]) for outcome in held)))
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
    marks = ("---:" if name in ("cases", "elements") else "---" for name in section.columns)
    yield f"|{'|'.join(marks)}|"
    yield from map(_row, section.rows[:_MOST])
    yield ""
    if len(section.rows) > _MOST:
        yield from _rest(len(section.rows), thing)


def _open_points(told: ResultsDocument) -> Iterator[str]:
    numbers = map(len, (told.contradictions, told.not_promised, told.document_gaps))
    yield f"What the documents leave open: {open_points(*numbers)}"
    yield ""


def _broken_promises(run: Run) -> Iterator[str]:
    """Yield a line per promise that failures name first, with place and first case."""
    found = list(run.sums.broken.values())
    if not found:
        return
    clauses = run.document.by_clause
    yield f"### Broken promises: {tally(found)}"
    yield ""
    for each in found[:_MOST]:
        clause = clauses.get((each.operator, each.clause))
        said = f": {escape(clause.text)} ({escape(clause.place)})" if clause else ""
        promise = f"**{escape(each.operator)} {escape(each.clause or NO_CLAUSE)}**"
        yield f"- {promise}{said}. {counted(each.count, 'case')}, first"
        yield f"  {code(each.first.id)}: {escape(each.first.message)}"
        if each.only_in:
            yield f"  – only in {escape(each.only_in)}"
        if each.besides:
            yield f"  – also broken: {escape(each.besides)}"
    yield from _rest(len(found), "promise")


def _waived(told: ResultsDocument) -> Iterator[str]:
    """Yield a line per waiver that applies to a case or has a message."""
    shown = [each for each in told.waivers if each.cases or each.message]
    if not shown:
        return
    yield "### Waivers"
    yield ""
    for each in shown[:_MOST]:
        held = counted(len(each.cases), "case")
        if each.cases:
            until = f"until {each.expires}: {escape(each.reason)} ({escape(each.link)})"
            yield f"- {code(each.id)} waives {held} {until}"
        else:
            yield f"- {code(each.id)} waives nothing ({each.state}): {prose(each.message)}"
    yield from _rest(len(shown), "waiver")


def _proving_nothing(sums: Sums) -> Iterator[str]:
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


def _rest(found: int, thing: str) -> Iterator[str]:
    if found > _MOST:
        yield f"- … and {counted(found - _MOST, f'more {thing}')}; `report.html` has all"
    yield ""


def _environment(told: ResultsDocument) -> Iterator[str]:
    facts = run_facts(told)
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
