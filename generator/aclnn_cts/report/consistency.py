# SPDX-License-Identifier: Apache-2.0
"""Whether a results.json agrees with itself: one that was edited or pasted together does not."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping

from aclnn_cts.report.document import CaseEntry, ResultsDocument

_MOST = 2**63
"""No count of elements reaches it."""


def contradictions_in(document: ResultsDocument, totals: Mapping[str, int]) -> Iterator[str]:
    """Yield what in a results file cannot be so, a clause of a sentence each.

    Args:
        document: What the file holds.
        totals: How many of its cases are planned, and have each outcome.
    """
    for name, count in Counter(case.id for case in document.cases).items():
        if count > 1:
            yield f"the case {name} stands {count} times in it"
    for name in sorted({*totals, *document.totals}):
        told, held = document.totals.get(name, 0), totals.get(name, 0)
        if told != held:
            yield f"it counts {told} cases as {name}, and holds {held}"
    waivers = {waiver.id for waiver in document.waivers}
    for case in document.cases:
        yield from _of_case(case, waivers)


def _of_case(case: CaseEntry, waivers: set[str]) -> Iterator[str]:
    if case.waiver is not None and case.waiver not in waivers:
        yield f"{case.id} is waived by {case.waiver}, which it does not list"
    if case.waiver is not None and not case.verdict.breaks_promise:
        yield f"{case.id} is {case.verdict}, which cannot be waived"
    if not all(0 <= time < math.inf for time in case.device_microseconds):
        yield f"{case.id} took no time that there is"
    for name, figures in case.standards.items():
        counts = (figures.elements, figures.compared, figures.failing)
        errors = (figures.worst_ulp, figures.worst_share, figures.mean_abs_ulp)
        if not all(0 <= count < _MOST for count in counts) or any(map(math.isnan, errors)):
            yield f"the figures of {case.id} by the standard {name} are no numbers that there are"
