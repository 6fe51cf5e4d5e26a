# SPDX-License-Identifier: Apache-2.0
"""Integers are exact: an output that is 1 off fails, also where float64 sees no difference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.judge.comparing import PRECISION, kept

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.golden import expectations
from aclnn_cts.golden.elements import LARGE
from aclnn_cts.golden.expectations import expect_call
from aclnn_cts.golden.expected import real_of
from aclnn_cts.judge.comparison import compare, take_samples
from aclnn_cts.judge.standards import STANDARDS, yardstick_of
from aclnn_cts.plan.cases import TensorCase
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.loading import SpecSet

TYPES = ("int8", "int32", "int64")
BEYOND_FLOAT64 = (2**53, 2**53 + 1, 2**62 + 1, 2**63 - 2, 2**63 - 1)


def relu_of(dtype: str) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return an input and the right output: the ends of the type, and integers around 0."""
    info = np.iinfo(dtype)
    ends = [info.min, info.min + 1, info.max - 1, info.max]
    beyond = BEYOND_FLOAT64 if dtype == "int64" else ()
    x = np.array([*ends, *beyond, *range(-3, 4)], dtype)
    return x, np.where(x > 0, x, 0).astype(dtype)


def verdicts(
    specs: SpecSet, inputs: Mapping[str, npt.NDArray[Any]], out: npt.NDArray[Any]
) -> dict[str, bool]:
    """Return under which standards an output is kept."""
    promised = expect_call(specs, "aclnnRelu", inputs, {}, "atlas-a2")["out"]
    return kept(compare("out", out, promised, yardstick_of(out.dtype.name, PRECISION)))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("large", [1, LARGE])
def test_a_difference_of_one_fails(
    monkeypatch: pytest.MonkeyPatch, specs: SpecSet, dtype: str, large: int
) -> None:
    """Of any element, in either direction, by every standard, in outputs of any size."""
    monkeypatch.setattr(expectations, "LARGE", large)
    x, right = relu_of(dtype)
    assert verdicts(specs, {"self": x}, right) == dict.fromkeys(STANDARDS, True)
    info = np.iinfo(dtype)
    for place, value in enumerate(right.tolist()):
        for other in {max(value - 1, info.min), min(value + 1, info.max)} - {value}:
            wrong = right.copy()
            wrong[place] = other
            assert verdicts(specs, {"self": x}, wrong) == dict.fromkeys(STANDARDS, False), other


def test_samples_show_all_digits(specs: SpecSet) -> None:
    """Neither what came back nor what was promised loses digits in a report."""
    x = np.array([2**62 + 1], np.int64)
    promised = expect_call(specs, "aclnnRelu", {"self": x}, {}, "atlas-a2")["out"]
    tensor = TensorCase("out", "output", "int64", (1,), (1,), 0, (1,), "ND", "contiguous", "output")
    (sample,) = take_samples(tensor, [0], x - 1, promised, {"self": x})
    assert (sample.got, sample.ulps, sample.inputs) == (2**62, -1, (("self", 2**62 + 1),))
    assert str(2**62 + 1) in sample.expected


def test_a_host_without_the_digits_gives_no_golden_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would not notice a difference of 1; types that float64 holds need nothing more."""
    monkeypatch.setattr(np, "longdouble", np.float64)
    with pytest.raises(NotTrustworthyError, match="int64"):
        real_of(["float32", "int64"])
    narrow = [name for name, data_type in DATA_TYPES.items() if not data_type.is_wide]
    assert real_of(narrow) is np.float64
