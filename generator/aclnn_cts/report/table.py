# SPDX-License-Identifier: Apache-2.0
"""The summary that a person sees at the end of a run."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.report.clauses import contests_of
from aclnn_cts.report.model import Report
from aclnn_cts.report.wording import counted
from aclnn_cts.spec.edition_models import CURRENT

_STYLES = {
    Verdict.PASS: "green",
    Verdict.CONTESTED_ONLY: "cyan",
    Verdict.MISSING: "yellow",
    Verdict.UNTRUSTED: "yellow",
}
_BAD = "bold red"

LEAST_WIDTH = 128
"""Columns that the summary needs, ids of operators and all verdicts in one line."""


def summary(report: Report) -> Group:
    """Return the tables: operators, broken promises, remarks, and what the documents get wrong."""
    parts: list[RenderableType] = [_operators(report)]
    for lines in map(list, (_broken(report), _waivers(report), _remarks(report))):
        parts += [*lines, Text("")] if lines else []
    contested = _contested(report)
    if contested.row_count:
        parts.append(contested)
    parts += [*_silences(report), *_gaps(report)]
    parts += [Text(f"problem: {problem}", style="yellow") for problem in report.problems]
    return Group(*parts)


def _operators(report: Report) -> Table:
    device = report.run.device
    table = Table(
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        title=f"{device.product} ({device.kind} {device.soc}"
        + (f" with the fault {device.fault}" if device.fault else "")
        + f"), tier {report.run.tier}, "
        f"standard {report.standard}"
        + ("" if report.run.edition == CURRENT else f", edition {report.run.edition}"),
        title_justify="left",
    )
    table.add_column("operator", no_wrap=True)
    table.add_column("planned", justify="right", no_wrap=True)
    for verdict in Verdict:
        table.add_column(verdict.value.replace("-", "\n"), justify="right", no_wrap=True)
    if report.waived:
        table.add_column("waived", justify="right", no_wrap=True)
    table.add_column("worst of\nbudget", justify="right", no_wrap=True)
    for operator in dict.fromkeys(verdict.operator for verdict in report.verdicts):
        own = [verdict for verdict in report.verdicts if verdict.operator == operator]
        table.add_row(operator, *_row(own, report.waived))
    table.add_section()
    table.add_row("all", *_row(report.verdicts, report.waived))
    return table


def _row(verdicts: Sequence[CaseVerdict], waived: Collection[str]) -> Iterator[Text | str]:
    """Yield the cells; each case counts once, one whose failure is waived under ``waived``."""
    yield str(len(verdicts))
    counts = Counter(verdict.verdict for verdict in verdicts if verdict.case not in waived)
    for kind in Verdict:
        count = counts[kind]
        yield Text(str(count), style=_STYLES.get(kind, _BAD) if count else "dim")
    if waived:
        accepted = sum(verdict.case in waived for verdict in verdicts)
        yield Text(str(accepted), style="magenta" if accepted else "dim")
    shares = [figures.worst_share for verdict in verdicts for figures in verdict.standards.values()]
    yield _share(max(shares)) if shares else "-"


def _share(share: float) -> str:
    """Return a share of the budget in a few characters; an element may be wrong beyond measure."""
    if math.isinf(share):
        return "wrong"
    return f"{share:.0%}" if share < 10 else f"x{share:.0e}".replace("e+0", "e").replace("e+", "e")


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
        line = Text(f"  {operator} ")
        line.append(clause, style=_BAD)
        line.append(f": {counted(len(verdicts), 'case')}, first {verdicts[0].case}")
        yield line
        besides = Counter(name for verdict in verdicts for name in verdict.broken[1:])
        if besides:
            told = ", ".join(f"{name} ({count})" for name, count in besides.most_common())
            yield Text(f"    and with it {told}")


def _waivers(report: Report) -> Iterator[Text]:
    """Yield a line per waiver that holds, and per waiver that somebody should look at."""
    told = [each for each in report.waivers if each.state != "elsewhere"]
    if told:
        yield Text("Waivers")
    for each in told:
        line = Text(f"  {each.id} ")
        if each.cases:
            line.append(f"waives {counted(len(each.cases), 'case')}", style="magenta")
            line.append(f", first {each.cases[0]}: {each.reason} ({each.link}), ")
            line.append(f"until {each.expires}, {each.owner}")
        else:
            line.append(each.state, style=_BAD if each.hides else "yellow")
            line.append(f": {each.message}")
        yield line


def _remarks(report: Report) -> Iterator[Text]:
    """Yield what breaks no promise but must be seen, such as writes into the allocator's slack."""
    told = [verdict for verdict in report.verdicts if verdict.remarks]
    if told:
        yield Text("Remarks")
    for operator in dict.fromkeys(verdict.operator for verdict in told):
        own = [verdict for verdict in told if verdict.operator == operator]
        count = counted(len(own), "case")
        yield Text(f"  {operator}: {count}, first {own[0].case}: {own[0].remarks[0]}")


def _contested(report: Report) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        title="Where the documents contradict themselves",
        title_justify="left",
    )
    for name in ("operator", "clause", "against", "elements", "the device follows"):
        table.add_column(name, justify="right" if name == "elements" else "left")
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
        yield Text(f"not promised: {operator}: {', '.join(own)}")


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
        yield Text(f"status left open: {operator}: {', '.join(own)}")
