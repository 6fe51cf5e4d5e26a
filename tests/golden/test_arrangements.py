# SPDX-License-Identifier: Apache-2.0
"""Arrangements: the shapes that they give, what they refuse, and the sign of a copied 0."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from aclnn_cts.golden.arrangements import arrange
from aclnn_cts.golden.expectations import expect_call
from aclnn_cts.golden.expected import Outcome
from aclnn_cts.judge.comparison import compare
from aclnn_cts.judge.standards import yardstick_of
from aclnn_cts.spec.arrangements import SHAPES
from aclnn_cts.spec.expression import ARRANGEMENTS
from aclnn_cts.spec.loading import SpecSet

CALLS: list[tuple[str, tuple[int, ...], tuple[Any, ...]]] = [
    ("permute", (2, 3, 5), ((2, 0, -2),)),
    ("permute", (), ((),)),
    ("flip", (2, 3), ((-1,),)),
    ("roll", (4, 3), ((1, -2), (0, 1))),
    ("roll", (4, 3), ((5,), ())),
    ("repeat", (3, 2), ((2, 1, 4),)),
    ("interleave", (3, 2), (2,)),
    ("interleave", (3, 2), (3, -1)),
    ("expand", (3, 1), ((2, 3, 4),)),
    ("cut", (9, 4), (-8, 100, 0, 3)),
    ("cut", (9, 4), ((1, 0), (-1, 2), (-2, 1), (2, 1))),
    ("cut", (9,), (5, 3, 0, 1)),
    ("pad", (3, 4), ((1, 2, 0, 3), 7)),
    ("pad", (3, 4), ((-1, 2), 7)),
    ("reflect", (3, 4), ((3, 1, 2, 0),)),
    ("replicate", (3, 4), ((3, 1),)),
    ("wrap", (3, 4), ((3, 1, 2, 2),)),
    ("tril", (2, 3, 4), (-1,)),
    ("triu", (2, 3, 4), (2,)),
    ("flatten", (2, 3, 4), (1,)),
    ("flatten", (2, 3, 4), (-1,)),
    ("matrix", (2, 3), (-2,)),
    ("diagonal", (4,), (1,)),
    ("diagonal", (4, 6), (-3,)),
    ("diagonal", (4, 6), (4,)),
    ("gather", (4, 6), (-1, np.array([[5, -6, 0, 1, 1, 2, 3]]))),
    ("gather", (), (0, np.array(0))),
    ("select", (4, 6), (1, np.array([[5, 0], [1, 1]]))),
    ("select", (4, 6), (0, np.array(3))),
    ("take", (4, 6), (np.array([[23, 0], [1, 1]]),)),
    ("slices", (4, 6, 2), (np.array([[[3, 5]], [[0, -1]]]),)),
    ("fill", (4, 6), (0, np.array([3, -4]), 7)),
    ("fill", (), (-1, np.array([0]), 7)),
    ("copy", (4, 6), (0, np.array([3, 0]), np.ones((2, 6)))),
    ("update", (4, 6, 2), (np.array([[3, 5], [0, 0]]), np.ones((2, 2)))),
]


@pytest.mark.parametrize(("function", "shape", "arguments"), CALLS)
def test_shapes_are_those_of_the_elements(
    function: str, shape: tuple[int, ...], arguments: tuple[Any, ...]
) -> None:
    names = [f"argument{place}" for place in range(len(arguments))]
    inputs = {"x": np.arange(np.prod(shape, dtype=int)).reshape(shape)}
    attributes = dict(zip(names, arguments, strict=True))
    arranged = arrange(inputs, attributes, "out", (function, ["x", *names]))["out"]
    shapes = (each.shape if isinstance(each, np.ndarray) else each for each in arguments)
    assert SHAPES[function](shape, *shapes) == arranged.shape


def test_each_arrangement_has_a_call() -> None:
    assert {function for function, _, _ in CALLS} == set(ARRANGEMENTS) == set(SHAPES)


@pytest.mark.parametrize(
    ("function", "shape", "arguments"),
    [
        ("permute", (2, 3), ((0, 0),)),
        ("permute", (2, 3), ((0,),)),
        ("permute", (2, 3), ((0, 2),)),
        ("flip", (2, 3), ((1, -1),)),
        ("roll", (2, 3), ((1, 2), (0,))),
        ("repeat", (2, 3), ((2,),)),
        ("repeat", (2, 3), ((2, -1),)),
        ("interleave", (2, 3), (-1,)),
        ("interleave", (2, 3), (-1, 0)),
        ("expand", (2, 3), ((2, 4),)),
        ("expand", (2, 3), ((3,),)),
        ("cut", (2, 3), ((0, 0), (1, 1), (0, -2), (1, 1))),
        ("pad", (2, 3), ((1, 2, 3), 0)),
        ("pad", (2,), ((1, 2, 3, 4), 0)),
        ("pad", (2,), ((1, -4), 0)),
        ("flatten", (2,), (1,)),
        ("gather", (2, 3), (2, (2, 3))),
        ("gather", (0, 3), (0, (2, 3))),
        ("select", (2, 0), (1, (4,))),
        ("take", (0,), ((1,),)),
        ("slices", (2, 3), ((4, 3),)),
        ("slices", (2, 3), ((),)),
        ("fill", (2, 3), (2, (4,), 0)),
        ("copy", (2, 3), (0, (3,), (3, 3))),
        ("update", (2, 3), ((3, 1), (3, 3))),
        ("update", (2, 3), ((2, 1), (2, 2))),
    ],
)
def test_arguments_that_do_not_go_with_a_shape(
    function: str, shape: tuple[int, ...], arguments: tuple[Any, ...]
) -> None:
    with pytest.raises(ValueError, match=r"."):
        SHAPES[function](shape, *arguments)


@pytest.mark.parametrize(("zero", "failing"), [(-0.0, 0), (0.0, 1)])
def test_a_copied_zero_keeps_its_sign(specs: SpecSet, zero: float, failing: int) -> None:
    """A -0 must come back as -0; what no page copies may be a 0 of either sign."""
    inputs = {"self": np.array([-0.0, 0.0, 1.5], np.float32)}
    expected = expect_call(specs, "aclnnFlip", inputs, {"dims": (0,)}, "atlas-a2")["out"]
    assert [bool(each & Outcome.SIGNED) for each in expected.whole().allowed] == [0, 0, 1]
    actual = np.array([1.5, -0.0, zero], np.float32)
    comparison = compare("out", actual, expected, yardstick_of("float32", specs.precision))
    assert comparison.mismatched == failing
    assert comparison.figures["strict"].passed == (not failing)


def test_a_copy_has_no_error(specs: SpecSet) -> None:
    """Neighbours of a number, and a subnormal number as 0, are wrong."""
    least = np.finfo(np.float32).smallest_subnormal
    inputs = {"self": np.array([least, 1.5, np.nan], np.float32)}
    expected = expect_call(specs, "aclnnFlip", inputs, {"dims": (0,)}, "atlas-a2")["out"]
    yardstick = yardstick_of("float32", specs.precision)
    for actual, right in (
        ([np.nan, 1.5, least], True),
        ([np.nan, np.nextafter(np.float32(1.5), 2, dtype=np.float32), least], False),
        ([np.nan, 1.5, 0.0], False),
        ([0.0, 1.5, least], False),
    ):
        compared = compare("out", np.array(actual, np.float32), expected, yardstick)
        assert compared.figures["strict"].passed == right
