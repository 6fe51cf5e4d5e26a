# SPDX-License-Identifier: Apache-2.0
"""A device follows one of two terms that a document calls equal, the same throughout a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.judge.comparing import PRECISION, kept

from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.golden.inputs import make_inputs
from aclnn_cts.judge.comparison import compare
from aclnn_cts.judge.standards import yardstick_of
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.loading import SpecSet

SCALE, ALPHA = 1.0507009873554805, 1.6732632423543772


def slopes(y: npt.NDArray[np.float64], above: float, below: float) -> npt.NDArray[np.float64]:
    """Return a slope of selu's gradient for a forward result, with scales of its branches."""
    return np.where(y > 0, above, (y + SCALE * ALPHA) * below)


@pytest.mark.parametrize(
    ("above", "below", "passing"),
    [
        pytest.param(SCALE, 1.0, [0], id="gradient-of-selu"),
        pytest.param(1.0, 1 / SCALE, [1], id="formula-of-the-page"),
        pytest.param((1 + SCALE) / 2, 1.0, [], id="between"),
        pytest.param(2 * SCALE - 1, 1.0, [], id="as-far-on-the-other-side"),
        pytest.param(SCALE, 1 / SCALE, [], id="one-for-each-branch"),
    ],
)
def test_one_reading_or_the_other(
    specs: SpecSet,
    planned: Callable[..., tuple[Case, ...]],
    above: float,
    below: float,
    passing: list[int],
) -> None:
    """Each slope that the page gives passes by its own reading alone, and no mixture by any."""
    cases = iter(planned("atlas-a2", "smoke", "aclnnSeluBackward"))
    case = next(
        case
        for case in cases
        if case.expects_success
        and case.tensor("result").dtype == "float32"
        and {tensor.fill.kind for tensor in case.inputs if tensor.fill} <= {"uniform", "wide"}
        and case.tensor("result").numel >= 10
    )
    inputs = make_inputs(specs, case)
    gradient, y = (inputs[name].astype(np.float64) for name in ("gradOutput", "result"))
    assert specs.operator(case.operator).readings == 2
    assert (y > 0).any()
    assert (y < 0).any()
    out: npt.NDArray[Any] = (gradient * slopes(y, above, below)).astype(np.float32)
    found = [
        kept(compare("gradInput", out, expected["gradInput"], yardstick_of("float32", PRECISION)))
        for expected in (expect_case(specs, case, inputs, reading) for reading in range(2))
    ]
    assert [reading for reading, each in enumerate(found) if each["strict"]] == passing
