# SPDX-License-Identifier: Apache-2.0
"""The summary that a person sees at the end of a run."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.report.clauses import contests_of
from aclnn_cts.report.model import Report
from aclnn_cts.report.wording import WRONG_CLASS, counted, of_budget
from aclnn_cts.spec.edition_models import CURRENT

_STYLES = {
    Verdict.PASS: "green",
    Verdict.CONTESTED_ONLY: "cyan",
    Verdict.MISSING: "yellow",
    Verdict.UNTRUSTED: "yellow",
}
_BAD = "bold red"

_ALWAYS = (Verdict.PASS, Verdict.FAIL)
"""Verdicts with a column even if no case has them."""

_MANY = 8
"""Columns of numbers that leave room for an operator's name and wide gaps."""

LEAST_WIDTH = 100
"""Columns that the summary takes at most, apart from ids, which stay whole to be copied."""


def summary(report: Report) -> Group:
    """Return the tables: operators, broken promises, remarks, and what the documents get wrong."""
    parts: list[RenderableType] = [*_title(report), _operators(report), *_legend(report), Text("")]
    for lines in map(list, (_broken(report), _waivers(report), _remarks(report))):
        parts += [*lines, Text("")] if lines else []
    contested = _contested(report)
    if contested.row_count:
        parts += [Text("Where the documents contradict themselves", style="italic"), contested]
    parts += [*_silences(report), *_gaps(report)]
    for problem in report.problems:
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


def _title(report: Report) -> Iterator[Text]:
    device = report.run.device
    fault = f" with the fault {device.fault}" if device.fault else ""
    edition = "" if report.run.edition == CURRENT else f", edition {report.run.edition}"
    yield from _lines(
        f"{device.product} ({device.kind} {device.soc}{fault}), tier {report.run.tier}, "
        f"standard {report.standard}{edition}",
        style="italic",
    )


def _shown(report: Report) -> tuple[Verdict, ...]:
    """Return the verdicts that have a column: what no case is needs none."""
    counts = _counts(report.verdicts, report.waived)
    return tuple(kind for kind in Verdict if kind in _ALWAYS or counts[kind])


def _counts(verdicts: Sequence[CaseVerdict], waived: Collection[str]) -> Counter[Verdict]:
    """Count cases by verdict; one whose failure is waived counts under none."""
    return Counter(verdict.verdict for verdict in verdicts if verdict.case not in waived)


def _legend(report: Report) -> Iterator[Text]:
    """Yield what the table leaves out, and what stands in it instead of a number."""
    left_out = [kind.value for kind in Verdict if kind not in _shown(report)]
    if left_out:
        yield from _lines(f"no case is {' or '.join(', '.join(left_out).rsplit(', ', 1))}", " ")
    if _worst(report.verdicts) == WRONG_CLASS:
        told = "NaN, Inf, 0 or a number came back where the documents allow another of them"
        yield from _lines(f"{WRONG_CLASS}: {told}", " ")


def _operators(report: Report) -> Table:
    shown = _shown(report)
    heads = ["planned", *(verdict.value.replace("-", "\n") for verdict in shown)]
    heads += [*(["waived"] if report.waived else []), "worst of\nbudget"]
    table = _table(gap=2 if len(heads) <= _MANY else 1)
    table.add_column("operator", overflow="fold")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for operator in dict.fromkeys(verdict.operator for verdict in report.verdicts):
        own = [verdict for verdict in report.verdicts if verdict.operator == operator]
        table.add_row(operator, *_row(own, shown, report.waived))
    table.add_section()
    table.add_row("all", *_row(report.verdicts, shown, report.waived))
    return table


def _table(gap: int = 2) -> Table:
    return Table(box=box.SIMPLE_HEAD, padding=(0, gap - 1, 0, 0))


def _row(
    verdicts: Sequence[CaseVerdict], shown: Sequence[Verdict], waived: Collection[str]
) -> Iterator[Text | str]:
    """Yield the cells; each case counts once, one whose failure is waived under ``waived``."""
    yield str(len(verdicts))
    counts = _counts(verdicts, waived)
    for kind in shown:
        count = counts[kind]
        yield Text(str(count), style=_STYLES.get(kind, _BAD) if count else "dim")
    if waived:
        accepted = sum(verdict.case in waived for verdict in verdicts)
        yield Text(str(accepted), style="magenta" if accepted else "dim")
    yield _worst(verdicts)


def _worst(verdicts: Sequence[CaseVerdict]) -> str:
    shares = [figures.worst_share for verdict in verdicts for figures in verdict.standards.values()]
    return of_budget(max(shares)) if shares else "-"


def _broken(report: Report) -> Iterator[Text]:
    """Yield a line per promise that names a failure first, and what else those failures break.

    Ids are whole, so that they can be copied.
    """
    failures: dict[tuple[str, str], list[CaseVerdict]] = {}
    for verdict in report.verdicts:
        if verdict.case in report.waived:
            continue
        if verdict.verdict.breaks_promise and verdict.broken:
            failures.setdefault((verdict.operator, verdict.broken[0]), []).append(verdict)
    if failures:
        yield Text("Broken promises")
    for (operator, clause), verdicts in failures.items():
        told = f"{operator} {clause}: {counted(len(verdicts), 'case')}, first {verdicts[0].case}"
        yield from _lines(told, "  ", bold=clause)
        besides = Counter(name for verdict in verdicts for name in verdict.broken[1:])
        if besides:
            names = ", ".join(f"{name} ({count})" for name, count in besides.most_common())
            yield from _lines(f"and with it {names}", "    ")


def _waivers(report: Report) -> Iterator[Text]:
    """Yield a line per waiver that holds, and per waiver that somebody should look at."""
    told = [each for each in report.waivers if each.state != "elsewhere"]
    if told:
        yield Text("Waivers")
    for each in told:
        if each.cases:
            yield from _lines(
                f"{each.id} waives {counted(len(each.cases), 'case')}, first {each.cases[0]}: "
                f"{each.reason} ({each.link}), until {each.expires}, {each.owner}",
                "  ",
            )
        else:
            yield from _lines(f"{each.id} {each.state}: {each.message}", "  ", bold=each.state)


def _remarks(report: Report) -> Iterator[Text]:
    """Yield what breaks no promise but must be seen, such as writes into the allocator's slack."""
    told = [verdict for verdict in report.verdicts if verdict.remarks]
    if told:
        yield Text("Remarks")
    for operator in dict.fromkeys(verdict.operator for verdict in told):
        own = [verdict for verdict in told if verdict.operator == operator]
        count = counted(len(own), "case")
        yield from _lines(f"{operator}: {count}, first {own[0].case}: {own[0].remarks[0]}", "  ")


def _contested(report: Report) -> Table:
    table = _table()
    for name in ("operator", "clause", "against", "elements", "the device follows"):
        justify: Literal["right", "left"] = "right" if name == "elements" else "left"
        table.add_column(name, justify=justify, overflow="fold")
    for operator, contest in contests_of(report.verdicts):
        table.add_row(
            operator,
            contest.first,
            contest.second,
            str(contest.elements),
            contest.reading or "now one, now the other",
        )
    return table


def _silences(report: Report) -> Iterator[Text]:
    """Yield a line per operator with what its document is silent about."""
    for operator in dict.fromkeys(silence.operator for silence in report.silences):
        own = [silence.id for silence in report.silences if silence.operator == operator]
        yield from _lines(f"not promised: {operator}: {', '.join(own)}")


def _gaps(report: Report) -> Iterator[Text]:
    """Yield a line per operator with the refusals whose status its document does not tell."""
    for operator in dict.fromkeys(gap.operator for gap in report.gaps):
        own = [
            f"{gap.clause} (the device gives {' and '.join(gap.given)})"
            for gap in report.gaps
            if gap.operator == operator and gap.given
        ]
        if not own:
            continue
        yield from _lines(f"status left open: {operator}: {', '.join(own)}")
