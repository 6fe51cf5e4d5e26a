# SPDX-License-Identifier: Apache-2.0
"""Which of the clauses that reach a contested element speak against each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import STATED, Outcome
from aclnn_cts.spec.models import ValueClause

CLASSES = {"value": Outcome.VALUE, **STATED}
"""The outcomes that a value clause's ``expect`` names, the formula's value taken as finite."""


def clashing_pairs(
    combinations_reached: Iterable[int], clauses: Sequence[ValueClause]
) -> list[tuple[int, int]]:
    """Return the pairs of clauses that speak against each other, in the spec's order.

    Three clauses may contradict each other although any two of them agree: then all pairs count.

    Args:
        combinations_reached: Bits of ``Expected.reached`` of contested elements.
        clauses: The spec's value clauses.
    """
    pairs: set[tuple[int, int]] = set()
    for bits in combinations_reached:
        both = list(combinations([k for k in range(len(clauses)) if bits >> k & 1], 2))
        apart = [
            (i, j) for i, j in both if not CLASSES[clauses[i].expect] & CLASSES[clauses[j].expect]
        ]
        pairs.update(apart or both)
    return sorted(pairs)


def reached_by_both(
    reached: npt.NDArray[np.uint32], first: int, second: int
) -> npt.NDArray[np.bool_]:
    """Return the elements that two clauses, given by their bits of ``Expected.reached``, reach."""
    both = (reached >> np.uint32(first)) & (reached >> np.uint32(second)) & np.uint32(1)
    return both.astype(np.bool_)
