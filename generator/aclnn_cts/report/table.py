# SPDX-License-Identifier: Apache-2.0
"""The summary that a person sees at the end of a run."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.report.clauses import contests_of
from aclnn_cts.report.model import Report
from aclnn_cts.spec.edition_models import CURRENT

_STYLES = {
    Verdict.PASS: "green",
    Verdict.CONTESTED_ONLY: "cyan",
    Verdict.MISSING: "yellow",
    Verdict.UNTRUSTED: "yellow",
}
_BAD = "bold red"


def summary(report: Report) -> Group:
    """Return the tables: operators, broken promises, remarks, and what the documents get wrong."""
    parts: list[RenderableType] = [_operators(report)]
    parts += [*_broken(report), *_remarks(report)]
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
    table.add_column("worst of\nbudget", justify="right", no_wrap=True)
    for operator in dict.fromkeys(verdict.operator for verdict in report.verdicts):
        own = [verdict for verdict in report.verdicts if verdict.operator == operator]
        table.add_row(operator, *_row(own))
    table.add_section()
    table.add_row("all", *_row(report.verdicts))
    return table


def _row(verdicts: Sequence[CaseVerdict]) -> Iterator[Text | str]:
    yield str(len(verdicts))
    for kind in Verdict:
        count = sum(verdict.verdict is kind for verdict in verdicts)
        yield Text(str(count), style=_STYLES.get(kind, _BAD) if count else "dim")
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
        if verdict.verdict.breaks_promise and verdict.broken:
            failures.setdefault((verdict.operator, verdict.broken[0]), []).append(verdict)
    if failures:
        yield Text("Broken promises")
    for (operator, clause), verdicts in failures.items():
        line = Text(f"  {operator} ")
        line.append(clause, style=_BAD)
        plural = "s" if len(verdicts) > 1 else ""
        line.append(f": {len(verdicts)} case{plural}, first {verdicts[0].case}")
        yield line
        besides = Counter(name for verdict in verdicts for name in verdict.broken[1:])
        if besides:
            told = ", ".join(f"{name} ({count})" for name, count in besides.most_common())
            yield Text(f"    and with it {told}")


def _remarks(report: Report) -> Iterator[Text]:
    """Yield what breaks no promise but must be seen, such as writes into the allocator's slack."""
    told = [verdict for verdict in report.verdicts if verdict.remarks]
    if told:
        yield Text("Remarks")
    for operator in dict.fromkeys(verdict.operator for verdict in told):
        own = [verdict for verdict in told if verdict.operator == operator]
        count = f"{len(own)} case{'s' if len(own) > 1 else ''}"
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
