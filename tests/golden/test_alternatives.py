# SPDX-License-Identifier: Apache-2.0
"""What elements may satisfy instead, if a device takes subnormal inputs as 0."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.whole_calls import evaluate

from aclnn_cts.golden.arithmetic import SLIVER
from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.golden.flushing import is_subnormal
from aclnn_cts.judge.comparison import compare
from aclnn_cts.judge.standards import yardstick_of
from aclnn_cts.spec.loading import SpecSet

SMALL = 1e-40
"""A subnormal number of float32."""


def array(*values: float) -> npt.NDArray[Any]:
    return np.array(values, np.float32)


def prelu(specs: SpecSet, x: npt.NDArray[Any]) -> dict[str, Expected]:
    inputs = {"gradOutput": np.full_like(x, 3), "self": x, "weight": array(0.25)}
    return evaluate(specs, "aclnnPreluBackward", inputs, {}, "atlas-a2")


def logit(specs: SpecSet, x: float, dy: float) -> Expected:
    inputs = {"x": array(x), "dy": array(dy)}
    return evaluate(specs, "aclnnLogitGrad", inputs, {"eps": -1.0}, "atlas-a2")["out"]


def passes(specs: SpecSet, expected: Expected, *actual: float) -> bool:
    found = compare("out", array(*actual), expected, yardstick_of("float32", specs.precision))
    return found.figures["strict"].passed


def test_prelu_takes_the_other_branch(specs: SpecSet) -> None:
    """A subnormal self above 0 may count as 0, and then the weight applies; 1.0 is above 0."""
    expected = prelu(specs, array(SMALL, 1.0))["gradInput"]
    assert expected.value.tolist() == [3.0, 3.0]
    assert expected.alternatives is not None
    assert expected.alternatives.index.tolist() == [0]
    assert expected.alternatives.expected.value.tolist() == [0.75]
    assert expected.has_alternatives().tolist() == [True, False]


@pytest.mark.parametrize(
    ("actual", "right"),
    [((3.0, 3.0), True), ((0.75, 3.0), True), ((2.0, 3.0), False), ((3.0, 0.75), False)],
)
def test_an_element_fails_if_neither_accepts(
    specs: SpecSet, actual: tuple[float, float], *, right: bool
) -> None:
    """Either branch is right for the subnormal element; nothing in between, and no other one."""
    assert passes(specs, prelu(specs, array(SMALL, 1.0))["gradInput"], *actual) is right


def test_a_subnormal_below_zero_stays_on_its_side(specs: SpecSet) -> None:
    """Both 0 and a negative number take the weight: there is nothing else to accept."""
    expected = prelu(specs, array(-SMALL, -1.0))["gradInput"]
    assert not expected.has_alternatives().any()
    assert not passes(specs, expected, 3.0, 0.75)


def test_logit_grad_of_a_flushed_x_is_infinite(specs: SpecSet) -> None:
    """1e-3 / 1e-40 is finite; a device that takes x as 0 gives Inf of either sign."""
    expected = logit(specs, SMALL, 1e-3)
    assert expected.alternatives is not None
    assert expected.alternatives.expected.allowed.tolist() == [Outcome.INF]
    for right in (float(expected.value[0]), np.inf, -np.inf):
        assert passes(specs, expected, right)
    assert not passes(specs, expected, np.nan)


def test_ordinary_inputs_have_no_alternatives(specs: SpecSet) -> None:
    """The smallest normal number is not subnormal, nor are 0, Inf and NaN."""
    ordinary = array(2.0**-126, 0.0, -0.0, np.inf, np.nan)
    assert not is_subnormal(ordinary).any()
    assert is_subnormal(array(2.0**-149, -(2.0**-126) * (1 - 2.0**-23))).all()
    assert prelu(specs, array(2.0**-126, 0.0, 1.0))["gradInput"].alternatives is None
    assert logit(specs, 0.5, 1.0).alternatives is None


def test_blocks_count_their_own_elements(specs: SpecSet) -> None:
    """A part of an expectation has the alternatives of its own elements, counted from its start."""
    x = np.ones(10, np.float32)
    x[[2, 7]] = SMALL
    expected = prelu(specs, x)["gradInput"]
    part = expected.part(slice(5, 10))
    assert part.alternatives is not None
    assert part.alternatives.index.tolist() == [2]
    assert expected.part(slice(3, 6)).alternatives is None


def test_a_flushed_term_of_a_sum_is_no_alternative(specs: SpecSet) -> None:
    """The sum differs by next to nothing: its tolerance covers both, and there is one value."""
    x = array(-1.0, -SMALL, -3.0)
    expected = prelu(specs, x)["gradWeight"]
    assert expected.alternatives is None
    ordinary = prelu(specs, array(-1.0, 0.0, -3.0))["gradWeight"]
    assert expected.tolerance[0] >= ordinary.tolerance[0]
    assert expected.tolerance[0] <= ordinary.tolerance[0] * (1 + 2 * SLIVER)
    assert expected.value[0] - expected.tolerance[0] <= ordinary.value[0] - ordinary.tolerance[0]


def test_a_flushed_term_that_matters_is_an_alternative(specs: SpecSet) -> None:
    """A sum of subnormal terms alone is 0 on a device that flushes them."""
    expected = prelu(specs, array(-SMALL, -SMALL / 2))["gradWeight"]
    assert passes(specs, expected, 0.0)
    assert passes(specs, expected, float(expected.value[0]))
