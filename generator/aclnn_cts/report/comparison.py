# SPDX-License-Identifier: Apache-2.0
"""What became of the cases and clauses of one run in another, such as that of a newer release.

All of it follows from the content of two results files; nothing is read or judged here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.accuracy_drift import Pair, accuracy_drifts
from aclnn_cts.report.comparison_clauses import clause_changes
from aclnn_cts.report.comparison_values import (
    CaseChange,
    ChangeKind,
    Options,
    RunComparison,
    Tested,
    differences,
    notes,
    require_comparable,
    side_of,
    untimed,
)
from aclnn_cts.report.document import CaseEntry, ResultsDocument
from aclnn_cts.report.time_drift import TimeDrifts, time_drifts


def compare_results(
    base: ResultsDocument, new: ResultsDocument, options: Options | None = None
) -> RunComparison:
    """Return what became of the cases and clauses of one run in another.

    Args:
        base: The earlier run.
        new: The later run.
        options: From where on a difference is news; the usual values if None.

    Raises:
        NotTrustworthyError: The two say nothing about each other.
    """
    chosen = options or Options()
    require_comparable(base, new)
    before = {case.id: case for case in base.cases}
    after = {case.id: case for case in new.cases}
    steady = [pair for pair in _common(before, after) if not any(map(_breaks, pair))]
    accuracy = accuracy_drifts(steady, chosen)
    times = _times(base, new, steady, chosen)
    return RunComparison(
        base=side_of(base),
        new=side_of(new),
        options=chosen,
        differences=differences(base, new),
        notes=(*notes(base, new), *filter(None, [times.note])),
        waivers=new.waivers,
        cases=tuple(_case_changes(before, after, enforce=chosen.enforce)),
        accuracy=accuracy,
        tested=times.tested,
        times=times.drifts,
        clauses=clause_changes(base, new, accuracy, times.drifts),
    )


def _common(before: Mapping[str, CaseEntry], after: Mapping[str, CaseEntry]) -> list[Pair]:
    return [(before[name], entry) for name, entry in after.items() if name in before]


def _breaks(entry: CaseEntry) -> bool:
    return entry.verdict.breaks_promise


def _times(
    base: ResultsDocument, new: ResultsDocument, pairs: Sequence[Pair], options: Options
) -> TimeDrifts:
    reason = untimed(base, new)
    return TimeDrifts((), Tested(), reason) if reason else time_drifts(pairs, options)


def _case_changes(
    before: Mapping[str, CaseEntry], after: Mapping[str, CaseEntry], *, enforce: bool
) -> Iterator[CaseChange]:
    for name, entry in before.items():
        if name not in after:
            yield _change("gone", entry, None)
    for name, entry in after.items():
        kind = _kind(before.get(name), entry, enforce=enforce)
        if kind is not None:
            yield _change(kind, before.get(name), entry)


def _kind(base: CaseEntry | None, new: CaseEntry, *, enforce: bool) -> ChangeKind | None:
    """Return what became of a case that is in NEW; None if nothing did."""
    if enforce and new.is_unenforced and not (base and (base.is_unenforced or _breaks(base))):
        return "newly-failing"
    if _breaks(new):
        return _among_failing(base, new) if base and _breaks(base) else "newly-failing"
    if base is None:
        return "came"
    if base.verdict is new.verdict:
        return None
    return _among_kept(base, new)


def _among_kept(base: CaseEntry, new: CaseEntry) -> ChangeKind:
    if new.verdict.proves_nothing and not base.verdict.proves_nothing:
        return "newly-unproven"
    if _breaks(base) and new.verdict is Verdict.PASS:
        return "newly-passing"
    return "changed"


def _among_failing(base: CaseEntry, new: CaseEntry) -> ChangeKind | None:
    if base.waiver is not None and new.waiver is None:
        # What was accepted is accepted no more: for a gate it fails anew.
        return "newly-failing"
    if base.verdict is not new.verdict or set(new.broken) - set(base.broken):
        return "fails-otherwise"
    if base.waiver != new.waiver or set(base.broken) != set(new.broken):
        return "changed"
    return None


def _change(kind: ChangeKind, base: CaseEntry | None, new: CaseEntry | None) -> CaseChange:
    told = new or base
    if told is None:
        raise ValueError("a change is about a case of one run at least")
    return CaseChange(
        case=told.id,
        operator=told.operator,
        dtype=told.dtype,
        kind=kind,
        base=base.verdict if base else None,
        new=new.verdict if new else None,
        base_broken=base.broken if base else (),
        new_broken=new.broken if new else (),
        message=new.message if new else "",
        waiver=new.waiver if new else None,
        base_unenforced=base.unenforced if base else (),
        new_unenforced=new.unenforced if new else (),
    )
