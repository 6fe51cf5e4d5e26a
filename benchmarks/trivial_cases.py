# SPDX-License-Identifier: Apache-2.0
"""Cases that take the device next to no time: what is left of a run is the runner's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from aclnn_cts.plan.cases import Case


def trivial_cases(planned: Sequence[Case], count: int) -> tuple[Case, ...]:
    """Return the smallest cases of each operator, as many that must work as refused ones.

    Cases about state are none of them: these call their operator many times. Where an operator
    has too few of a kind, all others give more.

    Args:
        planned: The cases to choose from.
        count: How many to take; fewer if there are fewer.
    """
    groups: dict[tuple[str, bool], list[Case]] = {}
    for case in planned:
        if not case.again:
            groups.setdefault((case.operator, case.expects_success), []).append(case)
    chosen = {case.id for case in islice(_in_turn(list(groups.values())), count)}
    # In the planned order: refused calls are spread among those that must work.
    return tuple(case for case in planned if case.id in chosen)


def elements_of(case: Case) -> int:
    """Return how many elements all tensors of a case have."""
    return sum(tensor.numel for tensor in case.tensors)


def _in_turn(groups: Sequence[Sequence[Case]]) -> Iterator[Case]:
    """Yield the smallest case of each group, then the next one of each."""
    by_size = [sorted(group, key=elements_of) for group in groups]
    for place in range(max(map(len, by_size), default=0)):
        yield from (group[place] for group in by_size if place < len(group))
