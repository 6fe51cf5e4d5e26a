# SPDX-License-Identifier: Apache-2.0
"""Calls that differ in their extents, and refusals beside calls of several ranks."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import pytest

from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.extents import TWIN, Space
from aclnn_cts.plan.factors import factors_of
from aclnn_cts.plan.refused_cases import refused_cases
from aclnn_cts.plan.sizes import SIZE, size_scenes
from aclnn_cts.spec.loading import SpecSet

Planned = Callable[..., tuple[Case, ...]]
Shape = tuple[int, ...]

OPERATORS = (
    "aclnnDropoutBackward",
    "aclnnGroupNormSwishGrad",
    "aclnnLogitGrad",
    "aclnnMaxPool2dWithMaskBackward",
    "aclnnPreluBackward",
)
LOGIT, PRELU, POOL = OPERATORS[2], OPERATORS[4], OPERATORS[3]


@pytest.fixture
def smoke(planned: Planned) -> Callable[[str], list[Case]]:
    def cases(operator: str) -> list[Case]:
        return list(planned("atlas-a2", "smoke", operator))

    return cases


@pytest.fixture
def standard(specs: SpecSet, smoke: Callable[[str], list[Case]]) -> Callable[[str], list[Case]]:
    """The calls of the smoke tier, with all refused calls of the standard tier."""

    def cases(operator: str) -> list[Case]:
        spec = specs.operator(operator)
        factors = factors_of(spec, specs.product("atlas-a2"), "smoke")
        return [*smoke(operator), *refused_cases(spec, "atlas-a2", factors)]

    return cases


def space_of(specs: SpecSet, operator: str) -> Space:
    spec = specs.operator(operator)
    factors = factors_of(spec, specs.product("atlas-a2"), "smoke")
    return Space(spec, "atlas-a2", factors)


def refused_shapes(cases: list[Case], twin: Shape, name: str) -> set[Shape]:
    """Return the shapes that a tensor alone has wrong, beside a twin whose first tensor is so."""
    twins = {case.id: case for case in cases if case.expects_success}
    return {
        case.tensor(name).shape
        for case in cases
        if case.twin is not None
        and twins[case.twin].tensors[0].shape == twin
        and all(
            mine.shape == other.shape
            for mine, other in zip(case.tensors, twins[case.twin].tensors, strict=True)
            if mine.name != name
        )
        and case.tensor(name).shape != twins[case.twin].tensor(name).shape
    }


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize(("tier", "power"), [("smoke", 12), ("smoke", 16), ("standard", 20)])
def test_sizes_with_a_tail(planned: Planned, operator: str, tier: str, power: int) -> None:
    """Some output has more elements than that, and ends within a block of 32 bytes."""
    cases = planned("atlas-a2", tier, operator)
    sized = [case for case in cases if case.scene == "size"]
    large = [case for case in sized if case.outputs[0].numel > 2**power]
    assert large
    assert any(case.outputs[0].numel % 16 != 0 for case in large)
    if power == 12:
        assert {case.outputs[0].dtype for case in large} == {"float32", "float16", "bfloat16"}


CONTRACTS = ("aclnnAddRmsNorm", "aclnnBatchNorm", "aclnnLayerNormBackward", "aclnnSwiGlu")


def test_one_large_call_has_three_long_rows(smoke: Callable[[str], list[Case]]) -> None:
    """Two rows will do in the others: each call beyond 2^16 costs as much as a hundred others."""
    sized = [case.outputs[0] for case in smoke("aclnnSilu") if case.scene == SIZE]
    large = sorted(each.numel for each in sized if max(each.shape) > 2**16)
    assert large[-1] > 3 * 2**16
    assert all(2**17 < numel < 3 * 2**16 for numel in large[:-1])


@pytest.mark.parametrize("operator", CONTRACTS)
def test_contract_operators_have_sizes(smoke: Callable[[str], list[Case]], operator: str) -> None:
    """Elements that are not written, crashes and refusals need no values."""
    sized = [case for case in smoke(operator) if case.scene == SIZE]
    assert max(output.numel for case in sized for output in case.outputs) > 2**16
    assert len({case.tensors[0].dtype for case in sized}) > 1


@pytest.mark.parametrize(
    "operator",
    [
        "aclnnCrossEntropyLoss",  # a loss for each sample, if nothing is reduced
        "aclnnDropoutGenMask",  # an attribute is the shape
        "aclnnMaxPool3dWithArgmaxBackward",  # windows that fit into the other axes
        "aclnnMultilabelMarginLoss",
        "aclnnNLLLoss2d",
        "aclnnRandperm",
    ],
)
def test_each_output_is_large_once(smoke: Callable[[str], list[Case]], operator: str) -> None:
    """Attributes decide whether an output grows with the inputs, and the largest is planned."""
    sized = [case.outputs[0].numel for case in smoke(operator) if case.scene == SIZE]
    assert max(sized) > 2**12


@pytest.mark.parametrize("operator", [*CONTRACTS, "aclnnRmsNorm", "aclnnSoftmax", "aclnnLayerNorm"])
def test_rows_and_vocabularies(smoke: Callable[[str], list[Case]], operator: str) -> None:
    """More than 32 rows of more than 128 elements for each core, and a last axis beyond 2^15."""
    shapes = {t.shape for case in smoke(operator) if case.scene == SIZE for t in case.tensors}
    assert any(math.prod(shape[:-1]) > 32 * 64 and shape[-1] > 128 for shape in shapes if shape)
    assert any(shape[-1] > 2**15 for shape in shapes if shape)


@pytest.mark.parametrize("operator", [*CONTRACTS, LOGIT, "aclnnSoftmax"])
def test_a_single_element_beyond_tiles(smoke: Callable[[str], list[Case]], operator: str) -> None:
    """Some call leaves one element behind all tiles of up to 4,096, along its last axis."""
    sized = [case for case in smoke(operator) if case.scene == SIZE]
    assert any(t.shape[-1:] == (2**12 + 1,) for case in sized for t in case.tensors)


def test_each_axis_of_a_contract_operator_is_once_of_one(
    smoke: Callable[[str], list[Case]],
) -> None:
    """A batch, a row or a process alone may be taken for none."""
    shapes = [
        c.tensors[0].shape for c in smoke("aclnnSyncBatchNormGatherStats") if c.expects_success
    ]
    assert {tuple(extent == 1 for extent in shape) for shape in shapes} >= {
        (True, False),
        (False, True),
    }


def test_attributes_meet_where_a_rule_lets_them(smoke: Callable[[str], list[Case]]) -> None:
    """Bounds that may be equal are."""
    valid = [case for case in smoke("aclnnInplaceUniform") if case.expects_success]
    assert any(case.attributes["from"] == case.attributes["to"] for case in valid)


def test_a_long_row_is_reduced(smoke: Callable[[str], list[Case]]) -> None:
    """The attribute that names an axis names the long one."""
    for operator in ("aclnnSoftmax", "aclnnLogSoftmaxBackward", "aclnnLinalgVectorNorm"):
        long = [case for case in smoke(operator) if case.tensors[0].shape[-1:] == (50257,)]
        assert {case.attributes.get("dim", case.attributes.get("dims")) for case in long} <= {
            -1,
            (-1,),
        }
        assert long


def test_models_shapes_in_several_types_and_ranks(planned: Planned) -> None:
    """Beyond 2^16 elements, standard has each floating type and more than one rank."""
    large = [
        case
        for case in planned("atlas-a2", "standard", "aclnnSilu")
        if case.expects_success and case.tensors[0].numel > 2**16
    ]
    assert {len(case.tensors[0].shape) for case in large} >= {2, 3, 4}
    assert {case.tensors[0].dtype for case in large} == {"float32", "float16", "bfloat16"}


@pytest.mark.parametrize("operator", OPERATORS)
def test_each_axis_alone_is_long(smoke: Callable[[str], list[Case]], operator: str) -> None:
    """Each dimension or place of a free shape is once beyond 16 bits, all others short."""
    shapes = [
        max((t.shape for t in case.tensors if t.dtype != "int8"), key=math.prod)
        for case in smoke(operator)
        if case.scene == "size"
    ]
    least = 2 if operator == "aclnnGroupNormSwishGrad" else 3
    for axis in range(least):
        assert any(
            len(shape) > axis and shape[axis] > 2**16 and math.prod(shape) / shape[axis] < 32
            for shape in shapes
        ), axis


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_largest_size(specs: SpecSet, operator: str) -> None:
    """The full tier goes beyond 2^24 elements in each data type, and beyond 2^27 in one."""
    space = space_of(specs, operator)
    full = size_scenes(space.spec, space.product, space.factors, "full")
    products = [
        math.prod(math.prod(x) if isinstance(x, tuple) else x for x in sizes)
        for _, facts in full
        for sizes in [[v for k, v in facts.items() if k[:4] == "dim:" or k in space.free]]
    ]
    assert sum(2**24 < product < 2**25 for product in products) >= 3
    assert 2**27 < max(products) < 2**28


@pytest.mark.parametrize("operator", OPERATORS)
def test_counts_beside_those_of_cores(smoke: Callable[[str], list[Case]], operator: str) -> None:
    """48, 96 and numbers that neither divides are the extent of some axis."""
    counts = [case for case in smoke(operator) if case.scene == "count"]
    extents = {extent for case in counts for tensor in case.tensors for extent in tensor.shape}
    assert {48, 49, 96, 109} <= extents


def test_halves_end_within_blocks(smoke: Callable[[str], list[Case]]) -> None:
    """Of short and of long axes, counted from either end, and of each rank."""
    halves, ranks = set(), set()
    for case in smoke("aclnnGlu"):
        if case.expects_success:
            dim = int(str(case.attributes["dim"]))
            halves.add((case.tensor("out").shape[dim], dim < 0))
            ranks.add(len(case.tensor("out").shape))
    assert {(n, False) for n in (0, 1, 2, 7, 49, 109, 4099, 73731)} <= halves
    assert {(n, True) for n in (1, 2, 7, 9, 17, 4099)} <= halves
    assert ranks == set(range(1, 9))


def test_odd_quotients(smoke: Callable[[str], list[Case]]) -> None:
    """Groups and channels to a group are 1, 3 and 5, each with each."""
    found = {
        (case.attributes["numGroups"], int(case.names["C"]) // int(case.attributes["numGroups"]))  # type: ignore[arg-type]
        for case in smoke("aclnnGroupNormSwishGrad")
        if case.scene == "quotient"
    }
    assert found == set(itertools.product((1, 3, 5), (1, 3, 5)))


@pytest.mark.parametrize("operator", OPERATORS)
def test_each_pair_of_axes_is_once_equal(smoke: Callable[[str], list[Case]], operator: str) -> None:
    """Any two axes are as long while the others differ; beside it stands a call where none are."""
    count = 4
    shapes = [case.outputs[0].shape for case in smoke(operator) if case.scene == "coincidence"]
    vectors = {shape for shape in shapes if len(shape) == count}
    assert any(len(set(vector)) == count for vector in vectors)
    for one, two in itertools.combinations(range(count), 2):
        assert any(v[one] == v[two] and len(set(v)) == count - 1 for v in vectors), (one, two)


@pytest.mark.parametrize("operator", [LOGIT, PRELU, "aclnnDropoutBackward"])
def test_high_ranks(smoke: Callable[[str], list[Case]], operator: str) -> None:
    """Ranks 5 to 8 with every axis longer than 1, and with an extent of 1 in each place."""
    shapes = [case.outputs[0].shape for case in smoke(operator) if case.scene == "rank"]
    for rank in range(5, 9):
        assert any(len(shape) == rank and min(shape) > 1 for shape in shapes)
    for rank, place in [(5, 2), (8, 0), (8, 7), *((8, at) for at in range(8))]:
        assert any(len(s) == rank and s[place] == 1 and s.count(1) == 1 for s in shapes)


@pytest.mark.parametrize("name", ["dy", "out"])
@pytest.mark.parametrize("shape", [(), (2,), (4, 9), (2, 3, 5, 7), (2, 3, 2, 3, 2, 3, 2, 5)])
def test_a_shape_is_broken_in_each_way(
    standard: Callable[[str], list[Case]], name: str, shape: Shape
) -> None:
    """Of each rank: other dimensions with as many elements, one element, none, one axis off."""
    found = refused_shapes(standard(LOGIT), shape, name)
    if len(shape) < 8:  # beyond it another clause refuses them
        assert {(*shape, 1), (1, *shape), (2, *shape)} <= found
    if not shape:
        return
    assert () in found
    assert {(0, *shape[1:]), (*shape[:-1], 0)} <= found
    assert {(1, *shape[1:]), (*shape[:-1], 1)} <= found
    assert {(*shape[:axis], e + 1, *shape[axis + 1 :]) for axis, e in enumerate(shape)} <= found
    if len(shape) > 1:
        assert {(math.prod(shape),), shape[::-1], shape[1:], (1,)} <= found


@pytest.mark.parametrize("name", ["dy", "out"])
def test_smoke_breaks_each_axis_of_each_rank(smoke: Callable[[str], list[Case]], name: str) -> None:
    """Over the axes, an extent is one more, one less, 1 and 0; over the ranks, axes come and go."""
    changes, ranks = set(), set()
    for twin in [(2, 3, 5, 7), (2, 3, 2, 3, 2, 3, 2, 5)]:
        wrong = refused_shapes(smoke(LOGIT), twin, name)
        alike = [tuple(zip(shape, twin, strict=True)) for shape in wrong if len(shape) == len(twin)]
        ones = [pairs for pairs in alike if sum(one != other for one, other in pairs) == 1]
        for axis in range(len(twin)):
            ((found, right),) = [pairs[axis] for pairs in ones if pairs[axis][0] != pairs[axis][1]]
            changes |= {found - right, found}
        ranks |= {len(shape) - len(twin) for shape in wrong}
    assert {1, -1, 0} <= changes
    assert {-1, 0, 1} <= ranks


def test_weights_that_a_self_does_not_have(standard: Callable[[str], list[Case]]) -> None:
    """Several weights for a vector; another axis's extent; as many in other dimensions."""
    cases = standard(PRELU)
    assert (2,) in refused_shapes(cases, (2,), "weight")
    found = {case.tensor("weight").shape for case in cases if case.scene == "weight-shape-differs"}
    assert {(9, 1), (1, 1, 9), (1, 3, 1), (3, 1)} <= found
    found = {case.tensor("weight").shape for case in cases if case.scene == "weight-size"}
    assert {(4,), (36,), (0,)} <= found


def test_a_gradient_that_broadcasts_elsewhere(smoke: Callable[[str], list[Case]]) -> None:
    """A gradOutput of more axes than self, or longer where self has an extent of 1."""
    cases = [case for case in smoke(PRELU) if case.scene == "grad-output-broadcasts-beyond"]
    assert {case.tensor("gradOutput").shape for case in cases} >= {(1, 4, 9), (2, 4, 9)}


def test_one_weight_in_any_number_of_dimensions(smoke: Callable[[str], list[Case]]) -> None:
    """A single weight is valid whatever its rank and that of self."""
    found = {
        (len(case.tensor("self").shape), len(case.tensor("weight").shape))
        for case in smoke(PRELU)
        if case.expects_success and case.tensor("weight").numel == 1
    }
    assert set(itertools.product((0, 4), range(9))) <= found


@pytest.mark.parametrize("value", [2**32 + 1, 2**63 - 1, -(2**32) + 1, 0, 2])
def test_each_place_of_each_list(smoke: Callable[[str], list[Case]], value: int) -> None:
    """Numbers that are wrong in 64 bits only, in each place and in a list of one."""
    found = {
        case.attributes["dilation"] for case in smoke(POOL) if case.scene == "dilation-not-one"
    }
    assert {(value, 1), (1, value), (value,)} <= found


@pytest.mark.parametrize("operator", OPERATORS)
def test_refusals_are_bounded(smoke: Callable[[str], list[Case]], operator: str) -> None:
    """Breaking every shape in every way costs hundreds of refusals, not thousands."""
    cases = smoke(operator)
    assert sum(not case.expects_success for case in cases) < 1100
    assert any(case.scene == TWIN for case in cases)


def test_sizes_of_an_operator_with_one_data_type(specs: SpecSet) -> None:
    """It takes the turns of the narrower ones."""
    spec = specs.operator("aclnnMaxPool2dWithIndicesBackward")
    factors = factors_of(spec, specs.product("atlas-a2"), "standard")
    assert len(list(size_scenes(spec, "atlas-a2", factors, "standard"))) > 3


def test_shares_of_large_means_have_a_type_that_holds_them(
    planned: Planned,
) -> None:
    """A float16 share of 2^17 elements is subnormal: whatever the data are, 0 may be right."""
    cases = planned("atlas-a2", "standard", "aclnnSmoothL1LossBackward")
    sized = [case for case in cases if case.scene == SIZE and case.outputs[0].numel > 2**17]
    means = [case for case in sized if case.attributes["reduction"] == 1]
    assert {case.outputs[0].dtype for case in means} >= {"bfloat16"}
    assert "float16" not in {case.outputs[0].dtype for case in means}


def test_an_operator_without_inputs_has_no_sizes(specs: SpecSet) -> None:
    """An attribute says how long its output is, and scenes give that values."""
    spec = specs.operator("aclnnDropoutGenMaskV2")
    factors = factors_of(spec, specs.product("atlas-a2"), "standard")
    assert not list(size_scenes(spec, "atlas-a2", factors, "standard"))


def test_modes_of_contract_operators(smoke: Callable[[str], list[Case]]) -> None:
    """Each type meets each mode, and each mode a tensor beyond a tile."""
    valid = [case for case in smoke("aclnnCrossEntropyLoss") if case.expects_success]
    pairs = {(case.tensors[0].dtype, case.attributes["reductionOptional"]) for case in valid}
    assert len(pairs) == 9
    large = [case for case in valid if case.tensors[0].shape[0] > 2**12]
    assert {case.attributes["reductionOptional"] for case in large} == {"none", "mean", "sum"}


@pytest.mark.parametrize(
    ("operator", "optional"),
    [
        ("aclnnCrossEntropyLossGrad", "weightOptional"),
        ("aclnnAddRmsNormQuant", "zeroPoints1Optional"),
    ],
)
def test_types_of_contract_operators_meet_absence(
    smoke: Callable[[str], list[Case]], operator: str, optional: str
) -> None:
    """A single element that is broadcast is no reason to leave a call out."""
    valid = [case for case in smoke(operator) if case.expects_success]
    types = {case.tensors[0].dtype for case in valid}
    absent = [case for case in valid if case.tensor(optional).source == "null"]
    assert {case.tensors[0].dtype for case in absent} == types
    assert len(types) > 1


def test_modes_of_contract_operators_with_large_ordinary_calls(
    smoke: Callable[[str], list[Case]],
) -> None:
    """A call of ordinary extents is never too large, however many dimensions it has."""
    valid = [case for case in smoke("aclnnAvgPool3d") if case.expects_success]
    for mode in ("ceilMode", "countIncludePad"):
        assert len({(case.tensors[0].dtype, case.attributes[mode]) for case in valid}) == 6


def test_arrays_may_be_the_extents(smoke: Callable[[str], list[Case]]) -> None:
    """A pooling to its own size is a call like any other."""
    valid = [case for case in smoke("aclnnAdaptiveAvgPool3d") if case.expects_success]
    assert any(case.tensors[0].shape == case.outputs[0].shape for case in valid)


def test_an_axis_is_long_beside_the_ordinary_ones(smoke: Callable[[str], list[Case]]) -> None:
    """Where short extents do not fit arrays of the call, the others stay."""
    valid = [case for case in smoke("aclnnCtcLoss") if case.expects_success]
    assert any(case.tensors[0].shape[2] > 2**12 for case in valid)


@pytest.mark.parametrize(
    "operator", ["aclnnL1LossBackward", "aclnnKlDivBackward", "aclnnKlDivTargetBackward"]
)
def test_each_reduction_has_a_gradient_of_one_element(
    smoke: Callable[[str], list[Case]], operator: str
) -> None:
    """The gradient of a sum or a mean has one element, and is stretched to all of them."""
    valid = [case for case in smoke(operator) if case.expects_success]
    modes = {case.attributes["reduction"] for case in valid}
    assert modes == {
        case.attributes["reduction"]
        for case in valid
        if case.tensor("gradOutput").numel == 1 < case.outputs[0].numel
    }
