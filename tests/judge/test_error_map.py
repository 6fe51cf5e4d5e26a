# SPDX-License-Identifier: Apache-2.0
"""The picture of an output shows its wrong elements, all of them and no others."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.golden.expected import BLOCK, Expected, Outcome
from aclnn_cts.judge.comparison import MOST_CELLS, NOTHING, ElementErrors, compare, draw, errors_of
from aclnn_cts.judge.standards import STANDARDS, Standard, yardstick_of
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.spec.loading import SpecSet


def errors(wrong: list[int], size: int) -> list[ElementErrors]:
    """Return errors of 3 ulps at some places."""
    mask = np.zeros(size, np.bool_)
    mask[wrong] = True
    nothing = np.zeros(size, np.bool_)
    ulps = np.where(mask, 3.0, 0.0)
    return [ElementErrors(0, Expected.blank((size,)), mask, nothing, ~nothing, ulps)]


def expecting(value: np.ndarray[Any, Any], allowed: Outcome = Outcome.VALUE) -> Expected:
    """Return an expectation of values, with a tolerance of 1e-3."""
    made = Expected.blank(value.shape)
    for name, what in {"value": value, "own": 0.0, "tolerance": 1e-3}.items():
        getattr(made, name)[...] = what
    for name in ("allowed", "formula"):
        getattr(made, name)[...] = allowed
    for name in ("reached", "contested", "undecided"):
        getattr(made, name)[...] = 0
    return made


def test_a_small_tensor_is_drawn_element_by_element() -> None:
    """The last axis runs to the right, the others are folded downward."""
    picture = draw("out", (2, 2, 3), errors([0, 11], 12))
    assert (picture.rows, picture.columns) == (4, 3)
    assert picture.grid == ("900", "000", "000", "009")
    assert picture.wrong == 2


def test_a_scalar_and_an_empty_tensor() -> None:
    """A scalar is one cell; a tensor without elements is not a picture, and no error."""
    assert draw("out", (), errors([0], 1)).grid == ("9",)
    empty = draw("out", (3, 0), errors([], 0))
    assert (empty.grid, empty.histogram, empty.wrong) == ((), (), 0)


def test_a_long_vector_is_read_as_text() -> None:
    """The tail of a vector stands at the end of the last line; behind it is nothing."""
    picture = draw("out", (4099,), errors([4096, 4097, 4098], 4099))
    assert picture.columns % MOST_CELLS == 0
    assert picture.grid[-1].rstrip(NOTHING)[-1] != "0"
    assert picture.grid[-1].endswith(NOTHING)
    assert sum(sign not in "0." for line in picture.grid for sign in line) == 1


def test_one_wrong_element_among_many_is_seen() -> None:
    """A cell of thousands of elements shows a single wrong one as the lightest shade."""
    picture = draw("out", (1000, 1000), errors([500_500], 1_000_000))
    assert sum(line.count("1") for line in picture.grid) == 1
    assert {len(line) for line in picture.grid} == {MOST_CELLS}


@given(
    st.lists(st.integers(1, 50), min_size=1, max_size=4).map(tuple),
    st.data(),
)
def test_cells_are_marked_if_and_only_if_an_element_in_them_is_wrong(
    shape: tuple[int, ...], data: st.DataObject
) -> None:
    """No wrong element gets lost, and none is invented, whatever the shape."""
    size = math.prod(shape)
    wrong = data.draw(st.lists(st.integers(0, size - 1), max_size=5))
    picture = draw("out", shape, errors(wrong, size))
    marked = sum(sign not in "0." for line in picture.grid for sign in line)
    assert (marked > 0) == bool(wrong)
    assert marked <= len(set(wrong))
    assert sum(each.wrong for each in picture.histogram) == len(set(wrong))
    assert sum(each.elements for each in picture.histogram) == size


@pytest.mark.parametrize("standard", STANDARDS)
def test_the_same_elements_are_wrong_as_in_the_verdict(specs: SpecSet, standard: Standard) -> None:
    """Block by block or at once: the picture marks what the comparison counts."""
    size = BLOCK + 100
    golden = np.linspace(1, 2, size)
    actual = golden.astype(np.float32)
    actual[[5, BLOCK - 1, BLOCK + 3]] *= 1.5
    actual[7] = np.nan
    expected, yardstick = expecting(golden), yardstick_of("float32", specs.precision)
    found = list(errors_of(actual, expected, yardstick, standard))
    wrong = np.concatenate([block.start + np.flatnonzero(block.wrong) for block in found])
    assert wrong.tolist() == [5, 7, BLOCK - 1, BLOCK + 3]
    mismatched = [block.start + np.flatnonzero(block.mismatched) for block in found]
    assert np.concatenate(mismatched).tolist() == [7]
    assert compare("out", actual, expected, yardstick).failures[standard].count == len(wrong)
    picture = draw("out", (size,), found)
    assert (picture.wrong, picture.another_class) == (4, 1)


def test_what_is_not_promised_is_in_no_bin(specs: SpecSet) -> None:
    """The histogram counts elements of which something is promised."""
    expected = expecting(np.ones(4))
    expected.allowed[0] = Outcome.ANY
    actual = np.array([9.0, 1.0, 1.0, 2.0], np.float32)
    found = errors_of(actual, expected, yardstick_of("float32", specs.precision), "strict")
    assert sum(each.elements for each in draw("out", (4,), found).histogram) == 3


@pytest.mark.parametrize(
    ("added", "verdict", "grids"), [(1.0, Verdict.FAIL, [("090",)]), (0.0, Verdict.PASS, [])]
)
def test_only_failing_cases_have_pictures(
    bench: Any, added: float, verdict: Verdict, grids: list[tuple[str, ...]]
) -> None:
    """A passing case carries none; a failing one has one for the output that fails."""
    case = bench.case("c", [0.25, 0.5, 0.75], [1.0, 2.0, 3.0])
    out = bench.right(case)
    out[1] += added
    found = bench.judge(bench.kept(case, out))
    assert found.verdict is verdict
    assert [picture.grid for picture in found.pictures] == grids
