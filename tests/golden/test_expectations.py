# SPDX-License-Identifier: Apache-2.0
"""What may come back: small cases made by hand, on each side of thresholds and overflow."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from tests.whole_calls import evaluate

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.expectations import SUM_BYTES, expectation_bytes
from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.golden.tolerances import ulp_at
from aclnn_cts.plan.case_builder import build_case
from aclnn_cts.plan.cases import Case, Intent
from aclnn_cts.plan.factors import factors_of
from aclnn_cts.plan.validity import base_facts, valid_call
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat, castable, promote
from aclnn_cts.spec.loading import SpecSet

Arrays = Mapping[str, npt.NDArray[Any]]
FLOAT32 = FloatFormat(fraction_bits=23, min_exponent=-126, max_exponent=127)


@pytest.fixture
def logit(specs: SpecSet) -> Callable[..., Expected]:
    """Return what tells the expectation for elements of aclnnLogitGrad."""

    def expect(
        x: list[float],
        dy: list[float],
        eps: float,
        product: str = "atlas-a2",
        dtype: npt.DTypeLike = np.float32,
    ) -> Expected:
        inputs: Arrays = {"x": np.array(x, dtype), "dy": np.array(dy, dtype)}
        return evaluate(specs, "aclnnLogitGrad", inputs, {"eps": eps}, product)["out"]

    return expect


def outcomes(expected: Expected) -> list[Outcome]:
    return [Outcome(int(bits)) for bits in expected.allowed]


def reached(specs: SpecSet, expected: Expected, at: int = 0) -> set[str]:
    clauses = specs.operator("aclnnLogitGrad").clauses
    return {
        clause.id for number, clause in enumerate(clauses) if expected.reached[at] >> number & 1
    }


def test_one_clause_decides(specs: SpecSet, logit: Callable[..., Expected]) -> None:
    """Inside, the formula's value; outside with a positive eps, 0; with a negative one, NaN."""
    inside = logit([0.25], [3.0], 0.1)
    assert (inside.value[0], outcomes(inside)) == (16.0, [Outcome.VALUE])
    assert reached(specs, inside) == {"formula"}
    assert outcomes(logit([0.05], [3.0], 0.1)) == [Outcome.ZERO]
    assert outcomes(logit([1.5], [3.0], -1.0)) == [Outcome.NAN]


def test_a_common_part_is_required(specs: SpecSet, logit: Callable[..., Expected]) -> None:
    """An infinite x is outside [0, 1] and not finite: both clauses say NaN, so it is NaN."""
    expected = logit([math.inf], [1.0], -1.0)
    assert outcomes(expected) == [Outcome.NAN]
    assert reached(specs, expected) == {"eps-negative-outside", "x-non-finite"}
    assert not expected.contested[0]


def test_intersection_of_a_value_and_a_class(logit: Callable[..., Expected]) -> None:
    """A value that is Inf, and a clause that says Inf or NaN, leave Inf only where both hold."""
    expected = logit([0.0], [1.0], -1.0)
    # "An x of 0 gives Inf" leaves the sign open, and so does a 0 that may have been flushed.
    assert outcomes(expected) == [Outcome.INF]


def test_contradiction_is_contested(specs: SpecSet, logit: Callable[..., Expected]) -> None:
    """X = 0 with eps = 0.1: one sentence says Inf, another 0; each is accepted."""
    expected = logit([0.0, 0.5], [1.0, 1.0], 0.1)
    assert outcomes(expected) == [Outcome.INF | Outcome.ZERO, Outcome.VALUE]
    assert expected.contested.tolist() == [True, False]
    assert reached(specs, expected) == {"eps-outside", "x-zero-or-one"}


def test_an_allowance_settles_no_contradiction(specs: SpecSet) -> None:
    """Logit: 0 gives -Inf, but eps takes its place. That a device may lose eps does not decide."""
    x = {"input": np.zeros(1, np.float16)}
    for eps in (0.25, 1e-6):
        expected = evaluate(specs, "aclnnLogit", x, {"eps": eps}, "atlas-a2")["out"]
        assert expected.contested[0]
        assert Outcome.VALUE | Outcome.INF in outcomes(expected)[0]
    exact = evaluate(specs, "aclnnLogit", x, {"eps": -1.0}, "atlas-a2")["out"]
    assert not exact.contested[0]
    assert outcomes(exact) == [Outcome.NEG_INF]


def test_an_override_steps_back(specs: SpecSet, logit: Callable[..., Expected]) -> None:
    """A dy that is NaN is an exception to the formula: any non-finite result is right."""
    expected = logit([0.5], [math.nan], -1.0)
    assert outcomes(expected) == [Outcome.NON_FINITE]
    assert reached(specs, expected) == {"dy-non-finite"}
    infinite = logit([0.5], [1.0], math.inf)
    assert outcomes(infinite) == [Outcome.ZERO]
    assert "eps-above-one" not in reached(specs, infinite)


def test_a_threshold_that_rounding_decides(logit: Callable[..., Expected]) -> None:
    """Eps = 0.1 is held in float32: an x between the two readings may follow either clause."""
    held = float(np.float32(0.1))
    expected = logit([held], [1.0], 0.1)
    assert outcomes(expected)[0] in (Outcome.VALUE, Outcome.VALUE | Outcome.ZERO)
    far = logit([held * 1.001], [1.0], 0.1)
    assert outcomes(far) == [Outcome.VALUE]
    # 1 - 0.1 is not a float32 number: the device's difference is one of two neighbours.
    near = float(np.float32(1.0) - np.float32(0.1))
    around = [float(np.nextafter(np.float32(near), np.float32(side))) for side in (0, 1)]
    assert Outcome.VALUE | Outcome.ZERO in outcomes(logit([near, *around], [1.0] * 3, 0.1))


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32])
def test_the_overflow_boundary(logit: Callable[..., Expected], dtype: npt.DTypeLike) -> None:
    """Well below the largest value only the value is right, well above only Inf, near it both."""
    floating = DATA_TYPES[np.dtype(dtype).name].floating
    assert floating is not None
    largest = floating.max_finite
    dy = [largest / 8, largest / 4, largest / 2, -largest]
    expected = logit([0.5] * 4, dy, -1.0, dtype=dtype)
    found = outcomes(expected)
    assert found[0] == Outcome.VALUE
    assert found[1] & Outcome.VALUE  # 4 * largest / 4 is the largest value itself
    if dtype == np.float16:  # the others have float32's range: the computing type overflows, too
        assert found[2] == Outcome.POS_INF
        assert found[3] == Outcome.NEG_INF
    else:
        assert found[2] & Outcome.POS_INF
        assert not found[2] & Outcome.VALUE


def test_an_intermediate_overflow_is_forgiven(specs: SpecSet) -> None:
    """A sum whose terms exceed float32, though it is 0 itself, may come back as Inf or NaN."""
    huge = 2.0**127
    inputs = {
        "gradOutput": np.array([[huge], [huge], [-huge], [-huge]], np.float32),
        "self": np.full((4, 1), -1.0, np.float32),
        "weight": np.array([0.5], np.float32),
    }
    found = evaluate(specs, "aclnnPreluBackward", inputs, {}, "atlas-a2")["gradWeight"]
    assert found.value[0] == 0.0
    assert Outcome(int(found.allowed[0])) & Outcome.NON_FINITE == Outcome.NON_FINITE
    calm = {**inputs, "gradOutput": inputs["gradOutput"] / np.float32(2**10)}
    found = evaluate(specs, "aclnnPreluBackward", calm, {}, "atlas-a2")["gradWeight"]
    assert not Outcome(int(found.allowed[0])) & Outcome.NON_FINITE


def test_a_product_without_inf_and_nan(specs: SpecSet) -> None:
    """Where Inf or NaN would come in, nothing is promised there; elsewhere all is as usual."""
    inputs = {
        "gradOutput": np.array([[math.nan], [math.inf], [1.0]], np.float32),
        "self": np.array([[1.0], [1.0], [1.0]], np.float32),
        "weight": np.array([0.5], np.float32),
    }
    silent = evaluate(specs, "aclnnPreluBackward", inputs, {}, "atlas-training")["gradInput"]
    usual = evaluate(specs, "aclnnPreluBackward", inputs, {}, "atlas-a2")["gradInput"]
    assert [Outcome(int(x)) for x in silent.allowed.flat] == [
        Outcome.ANY,
        Outcome.ANY,
        Outcome.VALUE,
    ]
    assert usual.allowed[2, 0] == Outcome.VALUE
    assert not usual.allowed[0, 0] & Outcome.VALUE


def pooled(specs: SpecSet, product: str) -> Expected:
    """Two values that differ in float32 and are equal in float16; the window picks one of them."""
    values = np.array([1.0, 1.0 + 2.0**-20], np.float32).reshape(1, 1, 1, 2)
    attributes = {
        "kernelSize": (1, 2),
        "stride": (1, 2),
        "padding": (0, 0),
        "dilation": (1, 1),
        "ceilMode": False,
    }
    inputs: Arrays = {
        "gradOutput": np.full((1, 1, 1, 1), 1.0 + 2.0**-20, np.float32),
        "self": values,
        "indices": np.zeros((1, 1, 2, 64), np.int8),
    }
    operator = "aclnnMaxPool2dWithMaskBackward"
    return evaluate(specs, operator, inputs, attributes, product)["gradInput"]


def test_a_product_that_computes_in_a_narrower_type(specs: SpecSet) -> None:
    """atlas-training pools float32 in float16: the maximum is the first of two equal values."""
    assert pooled(specs, "atlas-a2").value.reshape(-1).tolist() == [0.0, 1.0 + 2.0**-20]
    assert pooled(specs, "atlas-training").value.reshape(-1).tolist() == [1.0, 0.0]
    # Windows that do not overlap sum nothing up: what is passed on must be exact in either type.
    for product in ("atlas-a2", "atlas-training"):
        assert pooled(specs, product).tolerance.max() == 2.0**-24


@pytest.mark.parametrize(
    ("types", "found"),
    [
        (["float16", "float16"], "float16"),
        (["float16", "bfloat16"], "float32"),
        (["bfloat16", "float32", "uint8"], "float32"),
        (["float16", "double"], "double"),
        (["bool", "bfloat16"], "bfloat16"),
        (["int32", "bool"], "int32"),
        (["int8", "uint8"], "int16"),
        (["float16", "complex64"], "complex64"),
        (["double", "complex64"], "complex128"),
        (["uint16", "uint16"], "uint16"),
        (["uint16", "float32"], None),
    ],
)
def test_promotion(types: list[str], found: str | None) -> None:
    """As the table of the common document on promotion says."""
    assert promote(types) == found


@pytest.mark.parametrize(
    ("tensor", "scalars", "found"),
    [
        ("float16", ["float32", "int64"], "float16"),
        ("int8", ["int64"], "int8"),
        ("int8", ["int64", "bfloat16"], "float32"),
        ("bool", ["int16"], "int16"),
        ("bool", ["uint16"], None),
        ("uint16", ["float32"], None),
        ("uint16", ["int8"], "uint16"),
        ("double", ["complex64"], "complex128"),
        ("bfloat16", ["complex128"], "complex64"),
    ],
)
def test_promotion_by_scalars(tensor: str, scalars: list[str], found: str | None) -> None:
    """As the second table of the common document on promotion says."""
    assert promote([tensor], scalars) == found


@pytest.mark.parametrize(
    ("source", "target", "is_castable"),
    [
        ("double", "float16", True),
        ("float16", "complex64", True),
        ("float16", "int64", False),
        ("int64", "bool", False),
        ("bool", "uint8", True),
    ],
)
def test_conversion(source: str, target: str, *, is_castable: bool) -> None:
    """As the common document on conversion says."""
    assert castable(source, target) == is_castable


def test_inputs_are_promoted(specs: SpecSet) -> None:
    """A quotient of one float16 and one float32 input may not be kept in float16."""

    def error(*dtypes: npt.DTypeLike) -> float:
        names = ("gradOutput", "self")
        inputs = {name: np.array([1.0], own) for name, own in zip(names, dtypes, strict=True)}
        found = evaluate(
            specs, "aclnnHardsigmoidBackward", inputs, {}, "atlas-a2", {"out": "float32"}
        )["out"]
        return float(found.tolerance[0])

    assert error(np.float16, np.float32) == error(np.float32, np.float16)
    assert error(np.float16, np.float32) == error(np.float32, np.float32)
    assert error(np.float16, np.float32) < error(np.float16, np.float16) / 500


def test_inputs_are_broadcast_as_the_spec_says(specs: SpecSet) -> None:
    """Either input may be stretched, and the formula gets both in their common shape."""
    inputs = {
        "gradOutput": np.arange(3, dtype=np.float32).reshape(3, 1),
        "self": np.array([[[-2.0, 0.0, 0.5, 2.0]], [[0.0, 9.0, 0.0, 0.0]]], np.float32),
    }
    found = evaluate(specs, "aclnnHardshrinkBackward", inputs, {"lambd": 0.5}, "atlas-a2")
    passed = np.broadcast_to(np.abs(inputs["self"]) > 0.5, (2, 3, 4))
    gradient = np.broadcast_to(inputs["gradOutput"], (2, 3, 4))
    own = found["gradInput"]
    assert own.value.shape == (2, 3, 4)
    assert (own.value[passed] == gradient[passed]).all()
    assert (own.allowed[~passed] == Outcome.ZERO).all()


def test_unknown_names(specs: SpecSet) -> None:
    """Operators and products that do not exist are refused with the nearest name."""
    with pytest.raises(WrongInputError, match="aclnnLogitGrad"):
        evaluate(specs, "aclnnLogitGrat", {}, {}, "atlas-a2")
    with pytest.raises(WrongInputError, match="atlas-a2"):
        evaluate(specs, "aclnnLogitGrad", {}, {}, "atlas_a2")


def test_a_scale_of_one_is_exact(specs: SpecSet) -> None:
    """A copy rounds nothing; any other scale has its own roundings and those of the call."""
    values = np.array([1.25], np.float16)
    mask = np.full(16, 0xFF, np.uint8)
    inputs: dict[str, npt.NDArray[Any]] = {"gradOutput": values, "mask": mask}

    def tolerance(scale: float, dtype: str) -> float:
        dtypes = {"out": dtype}
        found = evaluate(
            specs, "aclnnDropoutBackward", inputs, {"scale": scale}, "atlas-a2", dtypes
        )
        return float(found["out"].tolerance[0])

    half_ulp = {"float16": 2.0**-11, "float32": 2.0**-24}
    for dtype, half in half_ulp.items():
        assert tolerance(1.0, dtype) == half
        assert tolerance(2.0, dtype) > half
    # Scale may have been rounded to float16, whatever the output's type.
    assert tolerance(2.0, "float32") > 2.0**-11


def test_a_sum_is_allowed_its_other_roundings_too(specs: SpecSet) -> None:
    """The additions of a sum come on top of the rounding that each of its terms shows.

    The last addition is the last rounding, which is counted as half an ulp.
    """
    rng = np.random.default_rng(5)
    terms = 10_000
    # Products of few digits, none of which is lost in the sum.
    x, dy = (rng.integers(16, 32, (terms, 1)).astype(np.float32) * sign for sign in (-1, 1))
    inputs = {"gradOutput": dy, "self": x, "weight": np.ones(1, np.float32)}
    found = evaluate(specs, "aclnnPreluBackward", inputs, {}, "atlas-a2")["gradWeight"]
    factor = specs.allowances["sums-in-any-order"].accumulation_factor
    assert factor is not None
    roundings = (found.tolerance[0] - ulp_at(found.value, FLOAT32)[0] / 2) / (
        abs(found.value[0]) * FLOAT32.unit_roundoff
    )
    rearranged = specs.allowances["float32-or-wider"].rearrangement_ulps
    assert rearranged is not None
    assert roundings == pytest.approx(factor * np.sqrt(terms - 1) + 2 * rearranged)


@pytest.mark.parametrize(
    ("x", "outcome"),
    [
        ([2e38, 2e38, -2e38, 1.0], Outcome.POS_INF),
        ([-2e38, -2e38, 2e38, 1.0], Outcome.NEG_INF),
        ([1e38, -1e38, 1e38, -1e38], Outcome(0)),
    ],
)
def test_partial_sums_of_a_gradient_of_a_weight(
    specs: SpecSet, x: list[float], outcome: Outcome
) -> None:
    """A sum that stays finite in one order may overflow in another; one that cannot must not."""
    inputs: Arrays = {
        "gradOutput": np.array(x, np.float32),
        "self": np.full(4, -1, np.float32),
        "weight": np.ones(1, np.float32),
    }
    found = evaluate(specs, "aclnnPreluBackward", inputs, {}, "atlas-a2")["gradWeight"]
    infinite = Outcome(int(found.allowed[0])) & Outcome.NON_FINITE
    # The terms are -x.
    swapped = {Outcome.POS_INF: Outcome.NEG_INF, Outcome.NEG_INF: Outcome.POS_INF}
    assert infinite == swapped.get(outcome, outcome)
    assert np.isfinite(found.value[0])


def test_an_output_of_one_data_type_has_it(specs: SpecSet) -> None:
    """Whatever the type of the inputs, and though the call does not say it."""
    inputs = {"x": np.full((2, 3), 0.1, np.float16), "gamma": np.ones(3, np.float16)}
    found = evaluate(specs, "aclnnRmsNorm", inputs, {"epsilon": 0.5}, "atlas-a2")
    assert (found["rstdOut"].tolerance < 2.0**-16).all()
    assert (found["yOut"].tolerance > 2.0**-16).all()


def test_what_the_expectation_of_a_case_takes(
    specs: SpecSet, planned: Callable[..., tuple[Case, ...]]
) -> None:
    """Something for each sum, and nothing where a formula goes element by element."""
    at = specs.product("atlas-a2")
    summing = set[str]()
    for spec in specs.tested_operators:
        if spec.is_contract or not spec.supports(at.id):
            continue
        factors = factors_of(spec, at, "smoke")
        varied = [name for name in factors if name.startswith(("attribute:", "shape:"))]
        changes = [{}, *({name: level} for name in varied for level in factors[name])]
        for facts in ({**base_facts(factors), **change} for change in changes):
            if call := valid_call(spec, at.id, facts):
                case = build_case(call, Intent("base", "smoke"))
                summing |= {spec.operator} if expectation_bytes(specs, case) else set()
    assert summing == {
        *("aclnnAll", "aclnnAmax", "aclnnAmin", "aclnnAny", "aclnnGlobalMaxPool"),
        *("aclnnMax", "aclnnMaxV2", "aclnnMeanV2", "aclnnMin", "aclnnMean", "aclnnReduceSum"),
        *("aclnnReduceNansum", "aclnnReduceLogSum", "aclnnLogSumExp", "aclnnGlobalAveragePool"),
        *("aclnnAminmax", "aclnnAminmaxAll", "aclnnAminmaxDim", "aclnnProd", "aclnnProdDim"),
        *("aclnnVar", "aclnnVarCorrection", "aclnnVarMean", "aclnnStd", "aclnnStdMeanCorrection"),
        "aclnnBinaryCrossEntropy",
        "aclnnBinaryCrossEntropyWithLogits",
        "aclnnGroupNorm",
        "aclnnGroupNormBackward",
        "aclnnGroupNormSilu",
        "aclnnGroupNormSiluV2",
        "aclnnGroupNormSwish",
        "aclnnGroupNormSwishGrad",
        "aclnnL1Loss",
        "aclnnLayerNorm",
        "aclnnLayerNormWithImplMode",
        "aclnnMseLoss",
        "aclnnNLLLoss",
        "aclnnPreluBackward",
        "aclnnSmoothL1Loss",
        "aclnnSoftMarginLoss",
        "aclnnRmsNorm",
        "aclnnRmsNormGrad",
    }
    for case in planned("atlas-a2", "smoke", "aclnnGroupNormSwishGrad"):
        need = expectation_bytes(specs, case)
        assert need == 0 or case.expects_success
        assert need <= SUM_BYTES * max(case.tensor(name).numel for name in ("gamma", "mean"))


def test_losses_of_integers_are_exact(specs: SpecSet) -> None:
    """What is done with integers alone has no error, and a sum beyond int64 promises nothing."""
    large, most = 2**53 + 1, 2**63 - 1

    def total(*values: int) -> Expected:
        inputs = {"self": np.array(values, np.int64), "target": np.zeros(len(values), np.int64)}
        return evaluate(specs, "aclnnL1Loss", inputs, {"reduction": 2}, "atlas-a2")["out"]

    found = total(large, -large, 3)
    assert (int(found.value), float(found.tolerance)) == (2 * large + 3, 0.0)
    assert int(total(most, 1).allowed) == Outcome.ANY
