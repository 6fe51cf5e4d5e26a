# SPDX-License-Identifier: Apache-2.0
"""From facts to shapes and values, and from shapes back to values."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.golden.inputs import make_inputs, settle
from aclnn_cts.golden.reach import reach_of
from aclnn_cts.plan.binding import UnboundError, bind, binding_of
from aclnn_cts.plan.calls import BoundCall
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.planner import ordinary_call
from aclnn_cts.plan.validity import valid_call
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

POOL = {
    "dim:N": 2,
    "dim:C": 3,
    "dim:H": 6,
    "dim:W": 8,
    "attribute:kernelSize": (2, 3),
    "attribute:stride": (),
    "attribute:padding": (1,),
    "attribute:dilation": (1, 1),
    "attribute:ceilMode": False,
}


def test_pooling_by_hand(specs: SpecSet) -> None:
    """Window counts, defaults of stride, and the mask's shape as the forward page computes it."""
    binding = bind(specs.operator("aclnnMaxPool2dWithMaskBackward"), POOL)
    names = ("kH", "kW", "sH", "sW", "pH", "pW", "Ho", "Wo")
    # (6 + 2 * 1 - 2) / 2 + 1 = 4 rows of windows, (8 + 2 * 1 - 3) / 3 + 1 = 3 columns.
    assert [binding.values[name] for name in names] == [2, 3, 2, 3, 1, 1, 4, 3]
    assert binding.shapes == {
        "gradOutput": (2, 3, 4, 3),
        "self": (2, 3, 6, 8),
        "indices": (2, 3, 6, 64),
        "gradInput": (2, 3, 6, 8),
    }


def test_data_types_follow(specs: SpecSet) -> None:
    """A tensor without a fact has the type of the one its row names, and a fact wins over it."""
    spec = specs.operator("aclnnLogitGrad")
    facts = {"shape:x": (4,), "dtype:x": "float16", "attribute:eps": -1.0}
    assert bind(spec, facts).dtypes == dict.fromkeys(("x", "dy", "out"), "float16")
    changed = bind(spec, {**facts, "dtype:dy": "bfloat16"}).dtypes
    assert changed == {"x": "float16", "dy": "bfloat16", "out": "float16"}


def test_a_float_is_what_the_call_passes(specs: SpecSet) -> None:
    """0.1 is no float32; the case has the number next to it, for program and formula alike."""
    facts = {"shape:self": (4,), "attribute:reduction": 0, "attribute:beta": 0.1}
    assert bind(specs.operator("aclnnSmoothL1Loss"), facts).values["beta"] == float.fromhex(
        "0x1.99999ap-4"
    )


@pytest.mark.parametrize(
    ("choice", "gamma", "rstd"),
    [
        (None, (8,), (2, 3, 4, 1)),
        ("last-two", (4, 8), (2, 3, 1, 1)),
        ("fewer", (3, 4, 8), (2, 1, 1, 1)),
        ("full", (2, 3, 4, 8), (1, 1, 1, 1)),
    ],
)
def test_last_extents(
    specs: SpecSet, choice: str | None, gamma: tuple[int, ...], rstd: tuple[int, ...]
) -> None:
    """The page's own examples, and those of more axes; what follows has 1 in their place."""
    spec = specs.operator("aclnnRmsNorm")
    facts = {"shape:x": (2, 3, 4, 8), "shape:gamma": choice, "attribute:epsilon": 0.1}
    shapes = bind(spec, facts).shapes
    assert (shapes["gamma"], shapes["rstdOut"]) == (gamma, rstd)


@pytest.mark.parametrize(
    ("choice", "rstd"), [(None, (2, 3, 4)), ("last-two", (2, 3)), ("fewer", (2,))]
)
def test_extents_without_the_last(
    specs: SpecSet, choice: str | None, rstd: tuple[int, ...]
) -> None:
    """What is one value for each row has the axes that a weight has not."""
    spec = specs.operator("aclnnRmsNormGrad")
    facts = {"shape:dy": (2, 3, 4, 8), "shape:gamma": choice}
    assert bind(spec, facts).shapes["rstd"] == rstd


def test_a_data_type_beside_that_of_another_tensor(specs: SpecSet) -> None:
    """Without a fact it is that of the other tensor; on some products it has no other."""
    spec = specs.operator("aclnnRmsNorm")
    facts = {"shape:x": (4,), "dtype:x": "float16", "attribute:epsilon": 0.1}
    assert bind(spec, {**facts, "dtype:gamma": None}).dtypes["gamma"] == "float16"
    binding = bind(spec, {**facts, "dtype:gamma": "float32"})
    assert binding.dtypes["gamma"] == "float32"
    assert BoundCall(spec, "atlas-a2", binding).allowed_dtypes("gamma") == ("float16", "float32")
    assert BoundCall(spec, "atlas-inference", binding).allowed_dtypes("gamma") == ("float16",)


@pytest.mark.parametrize(
    ("choice", "shape"),
    [("channels", (3,)), ("channels-at-rank", (1, 3, 1)), ("one", (1,)), ("scalar", ())],
)
def test_shapes_by_choice(specs: SpecSet, choice: str, shape: tuple[int, ...]) -> None:
    """A choice of shapes, with its padding to the other tensor's rank."""
    spec = specs.operator("aclnnPreluBackward")
    binding = bind(spec, {"shape:self": (2, 3, 5), "shape:weight": choice})
    assert binding.shapes["weight"] == binding.shapes["gradWeight"] == shape


def test_a_choice_that_does_not_exist(specs: SpecSet) -> None:
    """A weight per channel needs channels."""
    with pytest.raises(UnboundError, match="channels"):
        bind(specs.operator("aclnnPreluBackward"), {"shape:self": (5,), "shape:weight": "channels"})


def test_a_choice_may_spread(specs: SpecSet) -> None:
    """An output has the first shape that exists; a spread dimension may stand for several axes."""
    spec = specs.operator("aclnnAddRmsNormDynamicQuant")
    facts = {"dim:rows": (2, 3), "dim:H": 5, "null:smoothScale2Optional": False}
    shapes = bind(spec, facts).shapes
    assert shapes["y2Out"] == (2, 3, 5)
    assert shapes["scale1Out"] == (2, 3)
    assert bind(spec, {**facts, "null:smoothScale2Optional": True}).shapes["y2Out"] == (1,)


@pytest.mark.parametrize("shape", [(2, 3), (6,), (3, 2), (1,), (2, 3, 1)])
def test_each_choice_of_an_output_is_right(specs: SpecSet, shape: tuple[int, ...]) -> None:
    """The shape of a call that is given may be another choice than that of a planned one."""
    spec = specs.operator("aclnnAddRmsNormDynamicQuant")
    binding = bind(spec, {"dim:rows": (2, 3), "dim:H": 5})
    assert BoundCall(spec, "atlas-a2", binding).allows_shape("scale1Out", shape) == (
        shape in [(2, 3), (6,)]
    )


def test_extents_by_product(planned: Callable[..., tuple[Case, ...]]) -> None:
    """A dimension may have other extents on some products."""
    extents = {
        product: {
            case.tensor("logAlphaOut").shape[2]
            for case in planned(product, "smoke", "aclnnCtcLoss")
            if case.expects_success
        }
        for product in ("ascend-950", "atlas-a2")
    }
    assert extents["ascend-950"] > {7}
    assert extents["atlas-a2"] == {16}


def test_no_calls_where_the_page_leaves_out_what_they_need(
    specs: SpecSet, planned: Callable[..., tuple[Case, ...]]
) -> None:
    """It supports the product, so no call must be refused there, either."""
    assert specs.operator("aclnnCtcLoss").products["atlas-training"] == "incomplete"
    with pytest.raises(WrongInputError, match="leaves out what a call needs on atlas-training"):
        planned("atlas-training", "smoke", "aclnnCtcLoss")


@pytest.mark.parametrize(
    ("dim", "shape"), [(0, (2, 6, 2)), (1, (4, 3, 2)), (-1, (4, 6, 1)), (-3, (2, 6, 2))]
)
def test_a_part_of_an_axis(specs: SpecSet, dim: int, shape: tuple[int, ...]) -> None:
    """The axis may be counted from either end."""
    facts = {"shape:self": (4, 6, 2), "attribute:dim": dim}
    assert bind(specs.operator("aclnnGlu"), facts).shapes["out"] == shape


@pytest.mark.parametrize("dim", [3, -4, 2**32])
def test_a_part_of_no_axis(specs: SpecSet, dim: int) -> None:
    """It is not known what shape would follow."""
    with pytest.raises(UnboundError, match=f"self has no axis {dim} among its 3"):
        bind(specs.operator("aclnnGlu"), {"shape:self": (4, 6, 2), "attribute:dim": dim})


@pytest.mark.parametrize("planes", [(3,), (2, 3)])
def test_a_spread_before_other_dimensions(specs: SpecSet, planes: tuple[int, ...]) -> None:
    """It may come first; the others are read from the end, whatever its number of dimensions."""
    spec = specs.operator("aclnnAdaptiveAvgPool2d")
    facts = {"dim:planes": planes, "dim:H": 7, "dim:W": 9, "attribute:outputSize": (2, 5)}
    assert bind(spec, facts).shapes == {"self": (*planes, 7, 9), "out": (*planes, 2, 5)}
    values = binding_of(spec, {"self": (*planes, 7, 9)}, {"outputSize": (2, 5)}).values
    assert values == {"planes": planes, "H": 7, "W": 9, "outputSize": (2, 5)}


def test_an_absent_scalar_stands_for_a_value(planned: Callable[..., tuple[Case, ...]]) -> None:
    """The call passes a null pointer, and is the same whatever data type a scalar would have."""
    cases = [c for c in planned("atlas-a2", "smoke", "aclnnSwish") if c.expects_success]
    absent = [case for case in cases if case.attributes["betaOptional"] is None]
    assert {case.values["betaOptional"] for case in absent} == {1.0}
    assert {case.scalars["betaOptional"] for case in absent} == {"float32"}
    assert not any("beta-optional-dtype" in case.clauses for case in absent)
    given = [case for case in cases if case.attributes["betaOptional"] is not None]
    assert {case.values["betaOptional"] for case in given} > {0.0, 3.0}
    assert all(case.values == {**case.names, **case.attributes} for case in given)


def test_an_absent_array_stands_for_numbers(planned: Callable[..., tuple[Case, ...]]) -> None:
    """The call passes a null pointer; rules read the numbers that it stands for."""
    cases = planned("atlas-a2", "smoke", "aclnnAddRmsNormDynamicQuantV2")
    valid = [case for case in cases if case.expects_success]
    absent = [case for case in valid if case.attributes["outputMaskOptional"] is None]
    assert absent
    assert all(len(case.values["outputMaskOptional"]) == 0 for case in absent)
    assert len(absent) < len(valid)


def test_an_absent_tensor_stands_for_equal_elements(
    specs: SpecSet, planned: Callable[..., tuple[Case, ...]]
) -> None:
    """The call passes a null pointer, must work, and is the same whatever layout it would have."""
    cases = [c for c in planned("atlas-a2", "smoke", "aclnnBinaryCrossEntropy") if c.twin is None]
    absent = [case for case in cases if case.tensor("weight").source == "null"]
    assert {case.attributes["reduction"] for case in absent} > {0}
    for case in absent:
        assert case.expects_success
        assert "weight-absent" in case.clauses
        assert not {"weight-dtype", "weight-shape", "weight-non-contiguous"} & set(case.clauses)
        assert case.tensor("weight").layout == "absent"
        made = make_inputs(specs, case)["weight"]
        assert made.shape == case.tensor("self").shape
        assert (made == 1).all()
    assert not any("weight-absent" in case.clauses for case in cases if case not in absent)


def test_an_output_may_be_unwanted(
    specs: SpecSet, planned: Callable[..., tuple[Case, ...]]
) -> None:
    """The call passes a null pointer, and nothing is expected there; the others are as always."""
    operator, outputs = "aclnnLayerNorm", ("out", "meanOutOptional", "rstdOutOptional")
    cases = [c for c in planned("atlas-a2", "smoke", operator) if c.expects_success]
    by_wanted: dict[tuple[str, ...], Case] = {}
    for case in cases:
        own = tuple(name for name in outputs if case.tensor(name).source != "null")
        assert ("mean-out-optional-absent" in case.clauses) == ("meanOutOptional" not in own)
        by_wanted.setdefault(own, case)
    assert by_wanted.keys() == {outputs, outputs[:2], outputs[:1], outputs[::2]}
    for own, case in by_wanted.items():
        assert tuple(expect_case(specs, case, make_inputs(specs, case))) == own
    with_mean, without = (by_wanted[own] for own in (outputs, outputs[::2]))
    assert "mean" in reach_of(settle(specs, with_mean)).positive
    assert "mean" not in reach_of(settle(specs, without)).positive


def test_an_output_may_be_wanted_by_some_calls(planned: Callable[..., tuple[Case, ...]]) -> None:
    """It may be null in the others, and is then with and without one."""
    outputs = ("gradInput", "gradGammaOut", "gradBetaOut")
    given: dict[bool, set[bool]] = {False: set(), True: set()}
    for case in planned("atlas-a2", "smoke", "aclnnGroupNormBackward"):
        mask = case.attributes["outputMask"]
        if case.expects_success:
            assert isinstance(mask, tuple)
            for name, is_wanted in zip(outputs, mask, strict=True):
                given[bool(is_wanted)].add(case.tensor(name).source != "null")
    assert given == {False: {False, True}, True: {True}}


def test_attributes_follow_from_free_shapes(specs: SpecSet) -> None:
    """The shapes of the other tensors follow from both."""
    facts = {
        "shape:input": (2, 3, 5),
        "attribute:normalizedShape": "trailing(input, 2)",
        "attribute:eps": 1.0,
    }
    found = bind(specs.operator("aclnnLayerNorm"), facts)
    assert found.values["normalizedShape"] == found.shapes["weightOptional"] == (3, 5)
    assert found.shapes["meanOutOptional"] == (2, 1, 1)


def test_what_stays_open_is_named(specs: SpecSet) -> None:
    """Without a shape for x nothing else has one; the sentence says so."""
    with pytest.raises(UnboundError, match="x, dy, out"):
        bind(specs.operator("aclnnLogitGrad"), {"attribute:eps": 0.0})


@pytest.mark.parametrize(
    ("axes", "kept", "expected"),
    [
        ((0,), True, (1, 3, 4)),
        ((-1, 0), True, (1, 3, 1)),
        ((-1, 0), False, (3,)),
        ((2, 1, 0), False, ()),
        ((1, -2), False, (2, 4)),
    ],
)
def test_several_axes_are_resized_or_removed(
    specs: SpecSet, axes: tuple[int, ...], expected: tuple[int, ...], *, kept: bool
) -> None:
    """An array names the axes, from either end and in any order."""
    facts = {"shape:self": (2, 3, 4), "attribute:dim": axes, "attribute:keepdim": kept}
    assert bind(specs.operator("aclnnNorm"), facts).shapes["out"] == expected
    with pytest.raises(UnboundError, match="self has no axis 3"):
        bind(specs.operator("aclnnNorm"), {**facts, "attribute:dim": (0, 3)})


def test_the_spec_stays_as_it_was(specs: SpecSet) -> None:
    """Binding twice gives the same: nothing of the spec is used up."""
    spec = specs.operator("aclnnMaxPool2dWithMaskBackward")
    assert bind(spec, POOL) == bind(spec, POOL)


def test_values_from_given_shapes(specs: SpecSet, planned: Callable[..., tuple[Case, ...]]) -> None:
    """What was planned from dimensions is found again from the shapes alone, for every case."""
    for case in planned("atlas-a2", "smoke"):
        if not case.expects_success:
            continue
        shapes = {tensor.name: tensor.shape for tensor in case.inputs}
        values = binding_of(specs.operator(case.operator), shapes, case.attributes).values
        wanted = case.values
        assert {name: repr(values.get(name)) for name in wanted} == {
            name: repr(value) for name, value in wanted.items()
        }


@pytest.mark.parametrize(
    ("own", "expected"), [({}, "int8"), ({"dtype:threshold": "int32"}, "int32")]
)
def test_scalar_follows_a_tensor(specs: SpecSet, own: dict[str, str], expected: str) -> None:
    """A scalar that has the data type of a tensor has it by way of others, but for an own fact."""
    spec = specs.operator("aclnnThresholdBackward")
    facts = {"dtype:self": "int8", "shape:self": (4,), "attribute:threshold": 1.0, **own}
    binding = bind(spec, facts)
    assert binding.dtypes["threshold"] == expected
    assert BoundCall(spec, "atlas-a2", binding).allowed_dtypes("threshold") == ("int8",)


@pytest.mark.parametrize(
    ("operator", "dtypes", "valid"),
    [
        ("aclnnThreshold", {"self": "int8", "threshold": "int64", "out": "int8"}, True),
        ("aclnnThreshold", {"self": "int8", "threshold": "float32", "out": "int8"}, False),
        ("aclnnThreshold", {"self": "int8", "threshold": "float32", "out": "float16"}, True),
        ("aclnnThreshold", {"self": "float16", "threshold": "int8", "out": "int8"}, False),
        ("aclnnInplaceThreshold", {"selfRef": "int8", "threshold": "float32"}, False),
    ],
)
def test_outputs_are_of_types_to_which_the_promoted_one_converts(
    specs: SpecSet, operator: str, dtypes: dict[str, str], *, valid: bool
) -> None:
    """No call is planned whose result would have to become an integer from a fraction."""
    spec = specs.operator(operator)
    types = {f"dtype:{name}": each for name, each in ({"value": "int8"} | dtypes).items()}
    facts = {f"shape:{spec.inputs[0].name}": (8,), "attribute:threshold": 1.0}
    facts |= {"attribute:value": 2.0, **types}
    assert bool(valid_call(spec, "atlas-a2", facts)) is valid


def test_without_a_word_of_promotion_a_tensor_written_over_may_have_any_type(
    specs: SpecSet,
) -> None:
    """A seed of another type says nothing of the results."""
    assert specs.operator("aclnnInplaceNormalTensor").conversion_targets == ()
    assert specs.operator("aclnnInplaceBernoulli").conversion_targets == ()
    assert specs.operator("aclnnInplaceThreshold").conversion_targets == ("selfRef",)


def test_the_one_data_type_of_a_product(specs: SpecSet) -> None:
    """Where a product has one data type, and not the usual one, ordinary calls have it."""
    spec = specs.operator("aclnnSigmoid")
    first, *others = spec.parameters
    only = first.model_copy(update={"dtypes_on": {"atlas-a2": ["bfloat16"]}})
    said = {name: getattr(spec, name) for name in spec.model_fields_set}
    changed = OperatorSpec.model_validate({**said, "parameters": [only, *others]})
    call = ordinary_call(changed, specs.product("atlas-a2"))
    assert [tensor.dtype for tensor in call.tensors] == ["bfloat16", "bfloat16"]
