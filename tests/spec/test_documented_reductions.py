# SPDX-License-Identifier: Apache-2.0
"""What the pages of reductions say of axes and shapes, stated a second time."""

from __future__ import annotations

from typing import Any

import pytest

from aclnn_cts.plan.binding import UnboundError, bind
from aclnn_cts.plan.validity import valid_call
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

SELF = (2, 3, 4)
AXES_KEPT_SHAPE = [
    ([0], False, (3, 4)),
    ([0], True, (1, 3, 4)),
    ([-1], False, (2, 3)),
    ([2, 0], False, (3,)),
    ([2, 0], True, (1, 3, 1)),
    ([0, 1, 2], False, ()),
    ([0, 1, -1], True, (1, 1, 1)),
]
BY_AXES = {
    "aclnnAll": ("dim", "keepdim"),
    "aclnnAmax": ("dim", "keepDim"),
    "aclnnAmin": ("dim", "keepDim"),
    "aclnnAny": ("dim", "keepdim"),
    "aclnnMaxV2": ("dims", "keepDims"),
    "aclnnMeanV2": ("dim", "keepDim"),
    "aclnnReduceSum": ("dims", "keepDims"),
    "aclnnMean": ("dim", "keepDim"),
    "aclnnReduceNansum": ("dim", "keepDim"),
    "aclnnReduceLogSum": ("axes", "keepDims"),
    "aclnnLogSumExp": ("dim", "keepDim"),
    "aclnnAminmax": ("dim", "keepDim"),
    "aclnnVar": ("dim", "keepdim"),
    "aclnnVarCorrection": ("dim", "keepdim"),
    "aclnnVarMean": ("dim", "keepdim"),
    "aclnnStd": ("dim", "keepdim"),
    "aclnnStdMeanCorrection": ("dim", "keepdim"),
}
EVERY = {
    "aclnnAll": "",
    "aclnnMaxV2": "noopWithEmptyDims",
    "aclnnMeanV2": "noopWithEmptyAxes",
    "aclnnReduceNansum": "",
    "aclnnReduceLogSum": "noopWithEmptyAxes",
    "aclnnVar": "",
    "aclnnVarCorrection": "",
    "aclnnVarMean": "",
    "aclnnStd": "",
    "aclnnStdMeanCorrection": "",
}
"""Pages on which no axes are all, and the attribute by which they are none."""

TWICE = {"aclnnAny", "aclnnAminmax"}
"""Pages that do not say that an axis may be named once only."""


def _shapes(specs: SpecSet, operator: str, attributes: dict[str, Any]) -> list[tuple[int, ...]]:
    spec = specs.operator(operator)
    usual = {each.name: each.attribute == "dtype" and "out.dtype" for each in spec.attributes}
    values: dict[str, Any] = usual | attributes
    facts = {f"attribute:{name}": value for name, value in values.items()}
    binding = bind(spec, {f"shape:{spec.inputs[0].name}": SELF, **facts})
    return [binding.shapes[output.name] for output in spec.outputs]


def _is_valid(specs: SpecSet, operator: str, axes: tuple[int, ...]) -> bool:
    spec = specs.operator(operator)
    facts: dict[str, Any] = {
        f"attribute:{each.name}": "out.dtype" if each.attribute == "dtype" else False
        for each in spec.attributes
    }
    facts |= {f"shape:{spec.inputs[0].name}": SELF, f"attribute:{BY_AXES[operator][0]}": axes}
    try:
        return valid_call(spec, "atlas-a2", facts) is not None
    except (UnboundError, ExpressionError):
        return False


@pytest.mark.parametrize("operator", BY_AXES)
def test_shapes_of_outputs(specs: SpecSet, operator: str) -> None:
    names = BY_AXES[operator]
    for axes, kept, shape in AXES_KEPT_SHAPE:
        found = _shapes(specs, operator, dict(zip(names, (tuple(axes), kept), strict=True)))
        assert {*found} == {shape}, (axes, kept)


@pytest.mark.parametrize("operator", BY_AXES)
def test_axes_of_valid_calls(specs: SpecSet, operator: str) -> None:
    """They lie inside; whether one may be named twice, and what none mean, differs by page."""
    assert all(_is_valid(specs, operator, axes) for axes in ((0,), (-3,), (2, 0), (0, 1, 2)))
    assert not any(_is_valid(specs, operator, axes) for axes in ((3,), (-4,), (0, 3)))
    assert _is_valid(specs, operator, (1, -2)) == (operator in TWICE)
    assert _is_valid(specs, operator, ()) == (operator in EVERY)


@pytest.mark.parametrize("operator", EVERY)
def test_no_axes(specs: SpecSet, operator: str) -> None:
    name, unless = BY_AXES[operator][0], EVERY[operator]
    assert {*_shapes(specs, operator, {name: ()})} == {()}
    if unless:
        assert {*_shapes(specs, operator, {name: (), unless: True})} == {SELF}


@pytest.mark.parametrize("operator", ["aclnnProdDim", "aclnnAminmaxDim"])
def test_one_axis(specs: SpecSet, operator: str) -> None:
    for axis, kept, shape in ((0, False, (3, 4)), (-2, True, (2, 1, 4)), (2, False, (2, 3))):
        assert {*_shapes(specs, operator, {"dim": axis, "keepDim": kept})} == {shape}


@pytest.mark.parametrize("operator", ["aclnnReduceSum", "aclnnMean", "aclnnProd", "aclnnProdDim"])
def test_the_attribute_that_is_a_type(specs: SpecSet, operator: str) -> None:
    spec = specs.operator(operator)
    assert "same_type(dtype, out)" in [rule.require.text for rule in spec.rules]
    facts = {"shape:self": SELF, "attribute:dtype": "out.dtype", "dtype:self": "float16"}
    assert bind(spec, facts | _axes_of(spec)).values["dtype"] == "float16"
    facts["dtype:out"] = "float32"
    assert bind(spec, facts | _axes_of(spec)).values["dtype"] == "float32"


def _axes_of(spec: OperatorSpec) -> dict[str, Any]:
    values = {"ints": (0,), "int64": 0, "bool": False}
    return {
        f"attribute:{each.name}": values[each.attribute]
        for each in spec.attributes
        if each.attribute in values
    }


@pytest.mark.parametrize("operator", ["aclnnMax", "aclnnMin", "aclnnProd", "aclnnAminmaxAll"])
def test_all_elements(specs: SpecSet, operator: str) -> None:
    assert {*_shapes(specs, operator, {})} == {(1,)}
