# SPDX-License-Identifier: Apache-2.0
"""The summary that a person sees at the end of a run."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.document import CaseEntry, ContradictionEntry, ResultsDocument
from aclnn_cts.report.first_broken import first_broken, tally
from aclnn_cts.report.gaps import AnsweredGap, Silence
from aclnn_cts.report.grouping import NO_CLAUSE
from aclnn_cts.report.model import Report
from aclnn_cts.report.results import document_of
from aclnn_cts.report.waiver_states import WaiverOutcome
from aclnn_cts.report.wording import WRONG_CLASS, counted, of_budget
from aclnn_cts.spec.edition_models import CURRENT

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
"""Outcomes with a column even if no case has them."""

_MANY = 8
"""Columns of numbers that leave room for an operator's name and wide gaps."""

LEAST_WIDTH = 100
"""Columns that the summary takes at most, apart from ids, which stay whole to be copied."""


def summary(report: Report) -> Group:
    """Return the tables: operators, broken promises, remarks, and what the documents get wrong."""
    told = document_of(report)
    parts: list[RenderableType] = [*_title(told), _operators(told.cases), *_legend(told.cases)]
    parts.append(Text(""))
    for lines in map(list, (_broken(told.cases), _waivers(told.waivers), _remarks(told.cases))):
        parts += [*lines, Text("")] if lines else []
    if told.unenforced:
        title = Text("Requirements that the device does not enforce", style="italic")
        parts += [title, _unenforced(told)]
    if told.contradictions:
        title = Text("Where the documents contradict themselves", style="italic")
        parts += [title, _contested(told.contradictions)]
    parts += [*_silences(told.not_promised), *_gaps(told.document_gaps)]
    for problem in told.problems:
        parts += _lines(f"problem: {problem}", style="yellow")
    return Group(*parts)


def _lines(text: str, indent: str = "", style: str = "", bold: str = "") -> Iterator[Text]:
    """Yield a text in lines that fit; what is no more than one word, such as an id, stays whole.

    Args:
        text: The text.
        indent: What stands before the first line; the others begin two columns further on.
        style: The style of all of it.
        bold: A word that stands out.
    """
    for line in textwrap.wrap(
        text,
        LEAST_WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    ):
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


def _shown(cases: Sequence[CaseEntry]) -> tuple[str, ...]:
    """Return the outcomes that have a column: what no case is needs none."""
    counts = Counter(case.outcome for case in cases)
    return tuple(each for each in _OUTCOMES if each in _ALWAYS or counts[each])


def _legend(cases: Sequence[CaseEntry]) -> Iterator[Text]:
    """Yield what the table leaves out, and what stands in it instead of a number."""
    shown = _shown(cases)
    left_out = [kind.value for kind in Verdict if kind.value not in shown]
    if left_out:
        yield from _lines(f"no case is {' or '.join(', '.join(left_out).rsplit(', ', 1))}", " ")
    if _worst(cases) == WRONG_CLASS:
        told = "NaN, Inf, 0 or a number came back where the documents allow another of them"
        yield from _lines(f"{WRONG_CLASS}: {told}", " ")


def _operators(cases: Sequence[CaseEntry]) -> Table:
    shown = _shown(cases)
    heads = ["planned", *(outcome.replace("-", "\n") for outcome in shown), "worst of\nbudget"]
    table = _table(gap=2 if len(heads) <= _MANY else 1)
    table.add_column("operator", overflow="fold")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for operator in dict.fromkeys(case.operator for case in cases):
        table.add_row(operator, *_row([c for c in cases if c.operator == operator], shown))
    table.add_section()
    table.add_row("all", *_row(cases, shown))
    return table


def _table(gap: int = 2) -> Table:
    return Table(box=box.SIMPLE_HEAD, padding=(0, gap - 1, 0, 0))


def _row(cases: Sequence[CaseEntry], shown: Sequence[str]) -> Iterator[Text | str]:
    """Yield the cells; each case counts once, one whose failure is waived under ``waived``."""
    yield str(len(cases))
    counts = Counter(case.outcome for case in cases)
    for outcome in shown:
        count = counts[outcome]
        yield Text(str(count), style=_STYLES.get(outcome, _BAD) if count else "dim")
    yield _worst(cases)


def _worst(cases: Sequence[CaseEntry]) -> str:
    shares = [figures.worst_share for case in cases for figures in case.standards.values()]
    return of_budget(max(shares)) if shares else "-"


def _broken(cases: Sequence[CaseEntry]) -> Iterator[Text]:
    """Yield a line per promise that names a failure first, and what else those failures break.

    Ids are whole, so that they can be copied.
    """
    found = first_broken(cases)
    if found:
        yield Text(f"Broken promises: {tally(found)}")
    for each in found:
        name = each.clause or NO_CLAUSE
        told = f"{counted(len(each.cases), 'case')}, first {each.cases[0].id}"
        yield from _lines(f"{each.operator} {name}: {told}", "  ", bold=name)
        if each.only_in:
            yield from _lines(f"only in {each.only_in}", "    ")
        if each.besides:
            yield from _lines(f"and with it {each.besides}", "    ")


def _waivers(waivers: Sequence[WaiverOutcome]) -> Iterator[Text]:
    """Yield a line per waiver: what it holds for, or why it holds for nothing."""
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


def _remarks(cases: Sequence[CaseEntry]) -> Iterator[Text]:
    """Yield what breaks no promise but must be seen, such as writes into the allocator's slack."""
    told = [case for case in cases if case.remarks]
    if told:
        yield Text("Remarks")
    for operator in dict.fromkeys(case.operator for case in told):
        own = [case for case in told if case.operator == operator]
        count = counted(len(own), "case")
        yield from _lines(f"{operator}: {count}, first {own[0].id}: {own[0].remarks[0]}", "  ")


def _unenforced(told: ResultsDocument) -> Table:
    table = _table()
    for name in ("operator", "clause", "what it says", "cases"):
        justify: Literal["right", "left"] = "right" if name == "cases" else "left"
        table.add_column(name, justify=justify, overflow="fold")
    for clause, cases in told.unenforced:
        table.add_row(clause.operator, clause.clause, clause.text, str(len(cases)))
    return table


def _contested(contradictions: Sequence[ContradictionEntry]) -> Table:
    table = _table()
    for name in ("operator", "clause", "against", "elements", "the device follows"):
        justify: Literal["right", "left"] = "right" if name == "elements" else "left"
        table.add_column(name, justify=justify, overflow="fold")
    for each in contradictions:
        table.add_row(each.operator, *each.clauses, str(each.elements), each.followed)
    return table


def _silences(silences: Sequence[Silence]) -> Iterator[Text]:
    """Yield a line per operator with what its document is silent about."""
    for operator in dict.fromkeys(silence.operator for silence in silences):
        own = [silence.id for silence in silences if silence.operator == operator]
        yield from _lines(f"not promised: {operator}: {', '.join(own)}")


def _gaps(gaps: Sequence[AnsweredGap]) -> Iterator[Text]:
    """Yield a line per operator with the refusals whose status its document does not tell."""
    for operator in dict.fromkeys(gap.operator for gap in gaps):
        own = [
            f"{gap.clause} (the device gives {' and '.join(gap.given)})"
            for gap in gaps
            if gap.operator == operator and gap.given
        ]
        if not own:
            continue
        yield from _lines(f"status left open: {operator}: {', '.join(own)}")
