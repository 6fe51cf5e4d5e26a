# SPDX-License-Identifier: Apache-2.0
"""Inf and NaN are judged where a page's formula covers them, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from tests.whole_calls import evaluate

from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.spec.loading import SpecSet

INF, NAN = np.inf, np.nan
_ELU = {"alpha": 1.5, "scale": 2.0, "inputScale": 0.5}
_ANY, _POS, _NEG = Outcome.ANY, Outcome.POS_INF, Outcome.NEG_INF


def _of(
    specs: SpecSet, operator: str, inputs: Mapping[str, list[float]], attributes: Mapping[str, Any]
) -> Expected:
    arrays = {name: np.array(values, np.float32) for name, values in inputs.items()}
    (found,) = evaluate(specs, operator, arrays, attributes, "atlas-a2").values()
    return found


@pytest.mark.parametrize(
    ("operator", "attributes", "at_inf", "at_minus_inf", "at_nan"),
    [
        ("aclnnElu", _ELU, _POS, -3.0, _ANY),
        ("aclnnCelu", {"alpha": 2.0}, _POS, -2.0, _ANY),
        ("aclnnRelu", {}, _POS, 0.0, _ANY),
        ("aclnnLeakyRelu", {"negativeSlope": 0.5}, _POS, _NEG, _ANY),
        ("aclnnHardswish", {}, _POS, 0.0, Outcome.NAN),
        ("aclnnHardsigmoid", {}, 1.0, 0.0, _ANY),
        ("aclnnSoftplus", {"beta": 1.0, "threshold": 20.0}, _POS, 0.0, _ANY),
        ("aclnnSoftplus", {"beta": -1.0, "threshold": 20.0}, 0.0, _NEG, _ANY),
        ("aclnnSigmoid", {}, 1.0, 0.0, Outcome.NAN),
        ("aclnnLogSigmoid", {}, 0.0, _NEG | Outcome.NAN, Outcome.NAN),
        ("aclnnSilu", {}, _POS, _ANY, Outcome.NAN),
        ("aclnnGelu", {}, _POS, _ANY, Outcome.NAN),
        ("aclnnMish", {}, _POS, _ANY, Outcome.NAN),
        ("aclnnTanh", {}, _ANY, _ANY, Outcome.NAN),
        ("aclnnHardshrink", {"lambd": 0.5}, _POS, _NEG, _ANY),
    ],
)
def test_elements(
    specs: SpecSet,
    operator: str,
    attributes: Mapping[str, Any],
    at_inf: float | Outcome,
    at_minus_inf: float | Outcome,
    at_nan: float | Outcome,
) -> None:
    """An Inf gives what the formula gives; nothing is promised where it gives no number."""
    found = _of(specs, operator, {"self": [INF, -INF, NAN]}, attributes)
    for number, wanted in enumerate((at_inf, at_minus_inf, at_nan)):
        allowed = Outcome(int(found.allowed[number]))
        if isinstance(wanted, Outcome):
            assert allowed == wanted
        else:
            assert not allowed & Outcome.NON_FINITE
            assert found.value[number] == wanted


def test_masked_rows(specs: SpecSet) -> None:
    """An element that is -Inf has no share in its row; a row with an Inf has no promise."""
    rows = np.array([[0.0, -INF], [0.0, INF], [NAN, 0.0]], np.float32)
    found = evaluate(specs, "aclnnSoftmax", {"self": rows}, {"dim": -1}, "atlas-a2")["out"]
    assert list(found.value[0]) == [1.0, 0.0]
    assert not (found.allowed[0] & Outcome.NON_FINITE).any()
    assert (found.allowed[1] == _ANY).all()
    assert (found.allowed[2] == Outcome.NAN).all()


def test_an_infinite_slope(specs: SpecSet) -> None:
    """At or above 0 the formula adds an infinite slope times 0; below it multiplies."""
    found = _of(specs, "aclnnLeakyRelu", {"self": [1.0, 0.0, -1.0]}, {"negativeSlope": INF})
    assert list(found.allowed) == [_ANY, _ANY, _NEG]


def test_an_infinite_threshold(specs: SpecSet) -> None:
    """No element is above Inf; of a threshold that is NaN nothing is promised."""
    inputs = {"gradOutput": [1.0, 2.0], "self": [3.0, INF]}
    above = _of(specs, "aclnnThresholdBackward", inputs, {"threshold": INF})
    assert (above.allowed == Outcome.ZERO).all()
    silent = _of(specs, "aclnnThresholdBackward", inputs, {"threshold": NAN})
    assert (silent.allowed == _ANY).all()
