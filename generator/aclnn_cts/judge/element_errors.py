# SPDX-License-Identifier: Apache-2.0
"""What is wrong with each element of one output: for pictures of what failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Expected, FloatArray, Outcome
from aclnn_cts.judge.comparison import measure, parts_of
from aclnn_cts.judge.metrics import ulp_size
from aclnn_cts.judge.standards import Standard, Yardstick
from aclnn_cts.judge.tally import Mask, Tally

_ANY = np.uint8(Outcome.ANY)


@dataclass(frozen=True)
class ElementErrors:
    """What is wrong with each element of one output; one-dimensional arrays, row-major.

    Attributes:
        wrong: Whether the element breaks the standard.
        mismatched: Whether its class is not allowed, as NaN where a number is promised.
        promised: Whether anything is promised of it.
        ulps: Its absolute error in ulps of the output's type; 0 where it has none to measure.
    """

    wrong: Mask
    mismatched: Mask
    promised: Mask
    ulps: FloatArray


def errors_of(
    actual: npt.NDArray[Any], expected: Expected, yardstick: Yardstick, standard: Standard
) -> ElementErrors:
    """Return what is wrong with each element of an output.

    Arguments but the last are those of :func:`aclnn_cts.judge.comparison.compare`, which finds the
    same elements wrong and keeps no array of them: that would cost every passing case.
    """
    wrong, mismatched = np.zeros((2, actual.size), np.bool_)
    ulps = np.zeros(actual.size)
    with np.errstate(all="ignore"):
        for part in parts_of(actual, expected):
            block, here = part.block, slice(part.start, part.start + len(part.block.error))
            ulps[here] = np.abs(block.error / ulp_size(block.golden, yardstick.floating))
            wrong[here] = ~measure(part, yardstick, Tally())[standard]
            if block.mismatch is not None:
                mismatched[here] = block.mismatch
    promised = expected.allowed.reshape(-1) != _ANY
    return ElementErrors(wrong | mismatched, mismatched, promised, ulps)
