# SPDX-License-Identifier: Apache-2.0
"""Where a tolerance exceeds its value, so that nearly any finite result passes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from tests.whole_calls import evaluate

from aclnn_cts.golden import expectations
from aclnn_cts.golden.arithmetic import FLUSHED, Arithmetic
from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.golden.inputs import settle
from aclnn_cts.judge.comparison import compare
from aclnn_cts.judge.standards import yardstick_of
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import find_suite

CANCELLING = {
    "aclnnAvgPool2dBackward": "a sum whose terms have different signs",
    "aclnnBinaryCrossEntropy": "log(1 - x) for x near 0",
    "aclnnBinaryCrossEntropyBackward": "1 / (x * (1 - x)) of a subnormal x, which has few digits",
    "aclnnBinaryCrossEntropyWithLogits": "log(1 / (1 + exp(-x))) for large x, the literal form",
    "aclnnCelu": "exp(x) - 1 near 0",
    "aclnnCos": "the angle of a large integer, which float32 rounds",
    "aclnnAcosh": "x ** 2 - 1 near 1",
    "aclnnAsinh": "log(x + sqrt(x ** 2 + 1)) near 0, and a sum that vanishes below it",
    "aclnnAtanh": "log((1 + x) / (1 - x)) near 0",
    "aclnnForeachExpm1": "exp(x) - 1 near 0",
    "aclnnSinc": "the sine near multiples of pi",
    "aclnnTan": "the angle of a large integer, which float32 rounds",
    "aclnnDropoutDoMask": "1 - prob for prob near 1",
    "aclnnElu": "exp(x) - 1 near 0",
    "aclnnErfc": "1 - erf(x) for a large x",
    "aclnnExpm1": "exp(x) - 1 near 0",
    **dict.fromkeys(
        ("aclnnFloorDivide", "aclnnFloorDivides"),
        "a quotient just beside a whole number has either of two floors",
    ),
    **dict.fromkeys(("aclnnFmodScalar", "aclnnFmodTensor"), "x - trunc(x / y) * y cancels"),
    **dict.fromkeys(("aclnnLogAddExp", "aclnnLogAddExp2"), "the logarithm of a sum near 1"),
    **dict.fromkeys(
        ("aclnnRemainderScalarTensor", "aclnnRemainderTensorScalar", "aclnnRemainderTensorTensor"),
        "x - floor(x / y) * y cancels",
    ),
    **dict.fromkeys(
        ("aclnnForeachPowList", "aclnnForeachPowScalarAndTensor", "aclnnPowScalarTensor"),
        "the exponential of a large product with a logarithm, which the tensors' type may round",
    ),
    "aclnnGeluBackwardV2": "the derivative changes its sign; 1 + erf(x) far below 0",
    "aclnnGlobalAveragePool": "a sum whose terms have different signs",
    "aclnnMean": "a sum whose terms have different signs",
    "aclnnFastGeluBackward": "the derivative changes its sign; 1 - s(x) for a large x",
    "aclnnForeachErfc": "1 - erf(x) for a large x",
    "aclnnForeachLog1p": "log(1 + x) near 0",
    "aclnnForeachSinh": "exp(x) - exp(-x) near 0",
    "aclnnGelu": "1 + erf(x) far below 0",
    "aclnnGeluBackward": "the derivative changes its sign; 1 + erf(x) far below 0",
    "aclnnGeluV2": "1 + erf(x) far below 0",
    "aclnnGlu": "1 / (1 + exp(-x)) below the normal range of float16, where quotients lose digits",
    "aclnnGluBackward": "1 - s(x) for a large x",
    "aclnnGroupNorm": "x - mean, and beta beside it",
    "aclnnGroupNormBackward": "differences of sums, and a sum whose terms have different signs",
    "aclnnGroupNormSilu": "x - mean, and beta beside it",
    "aclnnGroupNormSiluV2": "x - mean, and beta beside it",
    "aclnnGroupNormSwish": "x - mean, and beta beside it",
    "aclnnGroupNormSwishGrad": "differences of sums, and a derivative that changes its sign",
    "aclnnLayerNorm": "x - mean, and beta beside it",
    "aclnnLog1p": "log(1 + x) near 0",
    "aclnnLogSigmoid": "log(1 + exp(-x)) for a large x",
    "aclnnLogSoftmax": "x - max - log(sum) where one x outweighs the others",
    "aclnnLogSoftmaxBackward": "a difference of sums",
    "aclnnLogit": "1 - (1 - eps) for an eps near 0",
    "aclnnLogitGrad": "1 / (x * (1 - x)) of a subnormal x, which has few digits",
    "aclnnMaxPool2dWithIndicesBackward": "a sum whose terms have different signs",
    "aclnnMaxPool2dWithMaskBackward": "a sum whose terms have different signs",
    "aclnnMish": "log(1 + exp(x)) far below 0",
    "aclnnMishBackward": "the derivative changes its sign; log(1 + exp(x)) far below 0",
    "aclnnPreluBackward": "a sum whose terms have different signs",
    "aclnnRmsNormGrad": "a difference of sums",
    "aclnnSelu": "exp(x) - 1 near 0",
    "aclnnSeluBackward": "result + scale * alpha far below 0",
    "aclnnSiluBackward": "the derivative changes its sign; 1 - s(x) for a large x",
    "aclnnSin": "the angle of a large integer, which float32 rounds",
    "aclnnSinh": "exp(x) - exp(-x) near 0",
    "aclnnSoftMarginLoss": "log(1 + exp(-x)) for a large x",
    "aclnnSoftmaxBackward": "a difference of sums",
    "aclnnSoftplus": "log(1 + exp(x)) far below 0",
    "aclnnSoftshrink": "x - lambd for an x beside a rounded lambd",
    "aclnnSwishBackward": "the derivative changes its sign; 1 - s(x) for a large x",
    "aclnnTanh": "exp(x) - exp(-x) near 0",
    **dict.fromkeys(
        (
            *(
                "aclnnAdd",
                "aclnnAddcdiv",
                "aclnnAddcmul",
                "aclnnLerp",
                "aclnnLerps",
                "aclnnSub",
                "aclnnSubs",
            ),
            *("aclnnForeachAddList", "aclnnForeachSubList", "aclnnForeachSubListV2"),
            *("aclnnForeachAddcdivScalar", "aclnnForeachAddcdivScalarV2"),
            *("aclnnForeachAddcmulScalar", "aclnnForeachAddcmulScalarV2"),
            *("aclnnForeachLerpList", "aclnnForeachLerpScalar"),
        ),
        "a sum whose terms have different signs",
    ),
}
"""Operators whose formulas lose all digits somewhere, and where: the allowances of roundings give a
tolerance beyond the value there."""

MOST_FLUSHED = 1 / 500
"""Share of elements, or one of fewer, for which a flushed term may make a tolerance as large as the
value: that term and another one of a sum cancel each other."""


MOST_ELEMENTS = 1100
"""Of a tensor of the cases that are looked at; those with all magnitudes have 1024."""


@pytest.mark.parametrize(
    ("dtype", "x"), [(np.float16, 12.0), (np.float16, 51.0), (np.float32, 100.0)]
)
def test_a_saturated_tanh_is_1_or_what_an_allowance_makes_of_it(
    specs: SpecSet, dtype: npt.DTypeLike, x: float
) -> None:
    """Of (exp(x) - exp(-x)) / (exp(x) + exp(-x)) either exponential may be Inf; none gives 0.4."""
    inputs = {"self": np.array([x], dtype)}
    expected = evaluate(specs, "aclnnTanh", inputs, {}, "atlas-a2")["out"]
    for result, passes in ((1.0, True), (0.0, True), (np.inf, True), (np.nan, True)):
        assert accepts(specs, expected, np.array([result], dtype)) == passes
    for result in (0.4, 0.9, 1.1, 2.0, -1.0):
        assert not accepts(specs, expected, np.array([result], dtype))


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32])
def test_a_loss_far_from_its_margin(specs: SpecSet, dtype: npt.DTypeLike) -> None:
    """Its gradient is -target; half of it is wrong."""
    inputs = {
        "gradOutput": np.array([1.0], dtype),
        "self": np.array([-4.0], dtype),
        "target": np.array([4.0], dtype),
    }
    expected = evaluate(
        specs,
        "aclnnSoftMarginLossBackward",
        inputs,
        {"reduction": 0, "count": 1, "stretched": 1},
        "atlas-a2",
    )["out"]
    assert accepts(specs, expected, np.array([-4.0], dtype))
    assert not accepts(specs, expected, np.array([-2.0], dtype))


def accepts(specs: SpecSet, expected: Expected, result: npt.NDArray[Any]) -> bool:
    yardstick = yardstick_of(result.dtype.name, specs.precision)
    return compare("out", result, expected, yardstick).figures["strict"].passed


@pytest.mark.parametrize(
    "operator", [s.operator for s in load_specs(find_suite()).tested_operators if not s.is_contract]
)
def test_a_tolerance_exceeds_the_value_only_where_the_formula_cancels(
    specs: SpecSet,
    planned: Callable[..., tuple[Case, ...]],
    monkeypatch: pytest.MonkeyPatch,
    operator: str,
) -> None:
    """Of a case for each scene and type; that a number may be flushed is no reason by itself.

    Of numbers from the whole range, partial products leave it, as an allowance says; at turning
    points terms vanish.
    """
    spec = specs.operator(operator)
    formula = spec.second_of or operator
    product = (
        "atlas-a2" if spec.mentions("atlas-a2") else next(filter(spec.mentions, specs.products))
    )
    cases = {
        (case.scene, tuple(tensor.dtype for tensor in case.tensors)): case
        for case in planned(product, "smoke", operator)
        if case.expects_success
        and case.scene not in ("specials", "turning-points")
        and not any(each.fill and each.fill.kind == "whole-range" for each in case.inputs)
        and max(tensor.numel for tensor in case.tensors) <= MOST_ELEMENTS
    }
    right, elements, wide, by_flushing = expectations.arithmetic_of, 0, 0, 0

    def flushing_nothing(*call: Any) -> Arithmetic:
        on = right(*call)
        return replace(on, allowed=set(on.allowed) - {FLUSHED})

    for case in cases.values():
        found = wide_elements(specs, case)
        elements += found.size
        wide += int(np.count_nonzero(found))
        if found.any():
            with monkeypatch.context() as patched:
                patched.setattr(expectations, "arithmetic_of", flushing_nothing)
                by_flushing += int(np.count_nonzero(found & ~wide_elements(specs, case)))
    assert not wide or formula in CANCELLING
    assert by_flushing <= max(elements * MOST_FLUSHED, 1)


def wide_elements(specs: SpecSet, case: Case) -> npt.NDArray[np.bool_]:
    """Return which normal values of the outputs have 0 and their double within the tolerance."""
    found = [np.zeros(0, np.bool_)]
    for name, each in settle(specs, case).expectations.items():
        floating, expected = DATA_TYPES[case.tensor(name).dtype].floating, each.whole()
        if floating is None:
            continue
        size = np.abs(expected.value)
        judged = (expected.allowed & (Outcome.VALUE | Outcome.FINITE)) == Outcome.VALUE
        judged &= (size >= floating.smallest_normal) & (size < floating.overflow)
        found.append((judged & ~(expected.tolerance < size)).reshape(-1))
    return np.concatenate(found)
