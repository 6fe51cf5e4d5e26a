# SPDX-License-Identifier: Apache-2.0
"""The list of broken promises: a line per promise that failing cases name first.

Each failing case stands under one of them, so the lines add up to all failures. The other promises
that its cases break stand with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from aclnn_cts.report.document import CaseEntry
from aclnn_cts.report.failure_message import told_common, without_where
from aclnn_cts.report.grouping import by_promise


@dataclass(frozen=True)
class FirstBroken:
    """A promise that failing cases name first.

    Attributes:
        operator: The operator's name.
        clause: The clause's id; empty for cases that name none.
        cases: The failing cases, in the run's order.
        only_in: In what alone the values of these cases are wrong, in words; empty if nothing is
            known of it.
    """

    operator: str
    clause: str
    cases: tuple[CaseEntry, ...]
    only_in: str

    @property
    def besides(self) -> str:
        """The other clauses that its cases break, and in how many; empty if there are none."""
        counts = Counter(
            name for case in self.cases for name in without_where(case.broken[1:], case.only_in)
        )
        return ", ".join(f"{name} ({count:,})" for name, count in counts.most_common())


def first_broken(cases: Iterable[CaseEntry]) -> tuple[FirstBroken, ...]:
    """Return the list, in the order of the first failing cases."""
    return tuple(
        FirstBroken(
            operator,
            clause,
            tuple(own),
            "; ".join(dict.fromkeys(told_common(each) for case in own for each in case.only_in)),
        )
        for (operator, clause), own in by_promise(cases).items()
    )


def tally(found: Sequence[FirstBroken]) -> str:
    """Return how many promises the list names first, and how many more stand with them.

    Together they are the broken promises that the run's outcome counts.
    """
    first = {(each.operator, each.clause) for each in found if each.clause}
    every = {(e.operator, name) for e in found for case in e.cases for name in case.broken}
    more = len(every - first)
    with_them = "it" if len(first) == 1 else "them"
    return f"{len(first):,} as first broken" + (f", {more:,} more with {with_them}" if more else "")
