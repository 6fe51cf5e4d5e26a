# SPDX-License-Identifier: Apache-2.0
"""What a person looks at of a failing output: single elements, and a picture of its errors.

For the picture, the output is laid out in two dimensions: its last axis runs to the right, all
others are folded into rows. A long vector is laid out as text is, line by line. What does not fit
is put together: a cell then holds the share of its elements that is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Expectation, Outcome
from aclnn_cts.golden.formula import widen
from aclnn_cts.judge.comparison import ElementErrors
from aclnn_cts.judge.standards import rounding_of, ulps_off
from aclnn_cts.plan.cases import TensorCase

_SPECIAL = {
    Outcome.ZERO: "0",
    Outcome.POS_INF: "+Inf",
    Outcome.NEG_INF: "-Inf",
    Outcome.NAN: "NaN",
}


@dataclass(frozen=True)
class Sample:
    """One failing element.

    Attributes:
        output: The output's name.
        index: Where in the output's view.
        inputs: Values at the same index of the inputs that have the output's shape.
        expected: What may come back, in words.
        got: What came back.
        ulps: Signed error in ulps of the output's type; infinite if a class is wrong.
        tolerance: The strict standard's largest absolute error.
    """

    output: str
    index: tuple[int, ...]
    inputs: tuple[tuple[str, float], ...]
    expected: str
    got: float
    ulps: float
    tolerance: float


def take_samples(
    tensor: TensorCase,
    indices: Sequence[int],
    actual: npt.NDArray[Any],
    expected: Expectation,
    inputs: Mapping[str, npt.NDArray[Any]],
) -> tuple[Sample, ...]:
    """Return the elements at the given flat (row-major) indices of one output."""
    beside = {name: array for name, array in inputs.items() if array.shape == tensor.shape}
    samples = []
    found = expected.at(np.array(indices, np.int64))
    for place, flat in enumerate(indices):
        index = tuple(int(part) for part in np.unravel_index(flat, tensor.shape))
        got = widen(actual.reshape(-1)[flat : flat + 1])
        golden = found.value[place : place + 1]
        allowed = Outcome(int(found.allowed[place]))
        if not allowed & Outcome.VALUE:
            golden = np.array([_golden_of(allowed)])
        samples.append(
            Sample(
                output=tensor.name,
                index=index,
                inputs=tuple((name, _scalar(array[index])) for name, array in beside.items()),
                expected=describe_allowed(allowed, float(golden[0])),
                got=float(got[0]),
                ulps=float(ulps_off(got, golden, rounding_of(tensor.data_type))[0]),
                tolerance=float(found.tolerance[place]),
            )
        )
    return tuple(samples)


def describe_allowed(allowed: Outcome, golden: float) -> str:
    """Return what may come back, such as ``1.5`` or ``0 or NaN``."""
    if allowed == Outcome.ANY:
        return "anything"
    if allowed == Outcome.ZERO and golden == 0:
        return "0"
    words = [number(golden)] if allowed & Outcome.VALUE else []
    if allowed & Outcome.INF == Outcome.INF:
        words.append("±Inf")
        allowed &= ~Outcome.INF
    words += [name for bit, name in _SPECIAL.items() if allowed & bit]
    return " or ".join(dict.fromkeys(words))


def number(value: float) -> str:
    """Return a number for people; nine digits tell any two float32 apart."""
    if math.isfinite(value):
        return f"{value:.9g}"
    return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"


def _golden_of(allowed: Outcome) -> float:
    """Return the one number that stands for what may come back where no value may."""
    if allowed & Outcome.ZERO:
        return 0.0
    if allowed & Outcome.POS_INF:
        return float("inf")
    return float("-inf") if allowed & Outcome.NEG_INF else float("nan")


def _scalar(value: Any) -> float:
    return float(widen(np.asarray(value).reshape(1))[0])


MOST_CELLS = 32
"""Cells along either side: enough to see a period, few enough for a page with hundreds."""

NOTHING = "."
"""A cell without an element, behind the end of a vector."""

_SHADES = 9
EDGES = (0.0, 0.5, *(2.0**power for power in range(25)))
"""Upper ends of the bins of errors, in ulps; 2^24 ulps of a float32 are an error as large as the
value."""


@dataclass(frozen=True)
class ErrorBin:
    """How many elements have an error of some size.

    Attributes:
        ulps: The largest error that belongs here; infinite for the last bin.
        elements: How many have one, above that of the bin before.
        wrong: How many of these are wrong.
    """

    ulps: float
    elements: int
    wrong: int


@dataclass(frozen=True)
class Picture:
    """Where the errors of one output sit.

    Attributes:
        output: The output's name.
        shape: Its view shape.
        rows: Rows of its layout in two dimensions.
        columns: Elements in each.
        wrong: Elements that are wrong.
        another_class: Those of them that are of a class that is not allowed.
        grid: A text per row of cells: :data:`NOTHING`, ``0`` if none of the cell's elements is
            wrong, else 1 to 9 for the ninths of them that are, rounded up.
        histogram: Errors of the other elements of which anything is promised; no bin is empty.
    """

    output: str
    shape: tuple[int, ...]
    rows: int
    columns: int
    wrong: int
    another_class: int
    grid: tuple[str, ...]
    histogram: tuple[ErrorBin, ...]


def draw(output: str, shape: tuple[int, ...], errors: Iterable[ElementErrors]) -> Picture:
    """Return the picture of one output.

    Args:
        output: The output's name.
        shape: Its view shape.
        errors: What is wrong with its elements, block by block.
    """
    rows, columns = _layout(shape)
    high, wide = min(rows, MOST_CELLS), min(columns, MOST_CELLS)
    held, found = np.zeros((2, high * wide), np.int64)
    counts, wrong = np.zeros((2, len(EDGES) + 1), np.int64)
    another_class = 0
    for block in errors:
        places = np.arange(block.start, block.start + len(block.wrong))
        cells = places // columns * high // rows * wide + places % columns * wide // columns
        held += np.bincount(cells, minlength=high * wide)
        found += np.bincount(cells[block.wrong], minlength=high * wide)
        measured = block.promised & ~block.mismatched
        bins = np.searchsorted(np.array(EDGES), block.ulps, side="left")
        counts += np.bincount(bins[measured], minlength=len(counts))
        wrong += np.bincount(bins[measured & block.wrong], minlength=len(counts))
        another_class += int(np.count_nonzero(block.mismatched))
    shades = -(-found * _SHADES // np.maximum(held, 1))
    signs = [str(shade) if any_ else NOTHING for shade, any_ in zip(shades, held, strict=True)]
    return Picture(
        output=output,
        shape=shape,
        rows=rows,
        columns=columns,
        wrong=int(found.sum()),
        another_class=another_class,
        grid=tuple(
            "".join(signs[start : start + wide]) for start in range(0, len(signs), wide or 1)
        ),
        histogram=tuple(
            ErrorBin(end, int(count), int(bad))
            for end, count, bad in zip((*EDGES, math.inf), counts, wrong, strict=True)
            if count
        ),
    )


def _layout(shape: tuple[int, ...]) -> tuple[int, int]:
    """Return how many rows an output is laid out in, and how many elements each has."""
    elements = math.prod(shape)
    if len(shape) > 1:
        return math.prod(shape[:-1]), shape[-1]
    if elements <= MOST_CELLS:
        return 1, elements
    # Whole cells to a line, so that a period of the hardware's blocks stands in columns.
    columns = MOST_CELLS * math.ceil(elements / MOST_CELLS**2)
    return math.ceil(elements / columns), columns
