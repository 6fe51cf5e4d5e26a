# SPDX-License-Identifier: Apache-2.0
"""Lists of tensors: the tensors beside a planned one, and lists that are wrong."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.golden.inputs import make_inputs
from aclnn_cts.plan.calls import Call
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.planner import plan
from aclnn_cts.plan.violated_clauses import unmet_requirements, violated_ids
from aclnn_cts.spec.loading import SpecSet

ABS, MUL, SCALARS = "aclnnForeachAbs", "aclnnForeachMulListInplace", "aclnnForeachDivScalarList"


@pytest.fixture(scope="module")
def cases(specs: SpecSet) -> tuple[Case, ...]:
    return plan(specs, "atlas-a2", "smoke", [ABS])


@pytest.fixture(scope="module")
def products(specs: SpecSet) -> tuple[Case, ...]:
    return plan(specs, "ascend-950", "smoke", [MUL])


def test_lengths(cases: tuple[Case, ...]) -> None:
    """One tensor, several, and in one scene many; lists do not multiply the cases."""
    valid = [case for case in cases if case.expects_success]
    lengths = Counter(len(case.slices) for case in valid)
    assert set(lengths) == {1, 2, 5, 33}
    assert lengths[33] == 1
    assert len(cases) < 300


def test_tensors_at_one_place(cases: tuple[Case, ...]) -> None:
    """Those at one place have one shape, those beside one another others; each has its own data."""
    for case in (case for case in cases if case.expects_success):
        for each in case.slices:
            assert each.case.tensor("x").shape == each.case.tensor("out").shape
        seeds = [tensor.fill.seed for tensor in case.inputs if tensor.fill]
        assert len({*seeds}) == len(seeds)
    several = [case for case in cases if case.expects_success and len(case.slices) == 2]
    assert all(len({each.shape for each in case.members("x")}) == 2 for case in several)


def test_planned_tensors_take_turns(cases: tuple[Case, ...]) -> None:
    """A layout, a wrong shape and an empty tensor occur at the first and at later places."""
    strided: set[int | None] = set()
    wrong: set[int] = set()
    for case in cases:
        if case.expects_success:
            strided |= {each.place for each in case.inputs if each.layout == "transposed"}
        elif case.scene == "shape-differs":
            wrong |= {
                place
                for place, each in enumerate(case.slices)
                if each.case.tensor("x").shape != each.case.tensor("out").shape
            }
    assert {0, 1} <= strided
    assert {0, 1} <= wrong


def test_expectations_by_place(specs: SpecSet, cases: tuple[Case, ...]) -> None:
    """Each tensor of the result follows from the input at its place."""
    case = next(case for case in cases if case.scene == "lists")
    inputs = make_inputs(specs, case)
    for name, expected in expect_case(specs, case, inputs).items():
        x = inputs[name.replace("out", "x")]
        assert (expected.whole().value == abs(x)).all()


def test_each_place_has_its_scalar(specs: SpecSet) -> None:
    """Neighbours differ, so that a device shows that takes another's, or the first one for all."""
    spec, cases = specs.operator(SCALARS), plan(specs, "atlas-a2", "smoke", [SCALARS])
    turns = set()
    for case in (case for case in cases if case.expects_success and len(case.slices) > 1):
        scalars = case.attributes["scalars"]
        assert isinstance(scalars, tuple)
        assert len({*scalars}) > 1
        turns.add(scalars.index(2.0) if 2.0 in scalars else -1)
    assert {0, 1} <= turns
    case = next(case for case in cases if case.scene == "lists")
    inputs = make_inputs(specs, case)
    expected = expect_case(specs, case, inputs)
    for place, each in enumerate(Call.all_of(spec, case)):
        (scalar,) = each.case.attributes.values()
        quotient = inputs[f"x[{place}]"].astype(float) / scalar
        assert np.allclose(expected[f"out[{place}]"].whole().value, quotient)


def test_another_number_of_scalars(specs: SpecSet) -> None:
    """One more and one less than there are tensors; a null pointer has no number."""
    spec, cases = specs.operator(SCALARS), plan(specs, "atlas-a2", "smoke", [SCALARS])
    found = set()
    for case in (case for case in cases if case.scene == "length-differs"):
        if case.lengths["x"] == case.lengths["out"]:
            found.add(case.lengths["scalars"] - case.lengths["x"])
            assert violated_ids(Call.of(spec, case)) == ("length-differs",)
            assert case.statuses == (561002,)
    assert found == {1, -1}
    nulls = [case for case in cases if case.scene == "null-pointer"]
    assert {case.statuses for case in nulls if len(case.refused_by) == 1} == {(161001,)}


def test_wrong_lists(specs: SpecSet, products: tuple[Case, ...]) -> None:
    """A null pointer in a list, another length, and another type are recognised, each alone."""
    spec = specs.operator(MUL)
    alone = {
        ids[0]
        for case in products
        if not case.expects_success and len(ids := violated_ids(Call.of(spec, case))) == 1
    }
    assert {"null-pointer", "null-member", "length-differs", "member-dtype-differs"} <= alone
    null = [case for case in products if case.scene == "null-member"]
    assert {each.place for case in null for each in case.tensors if each.source == "null"} == {0, 1}
    assert not [case for case in products if case.expects_success and unmet(specs, case)]


def unmet(specs: SpecSet, case: Case) -> tuple[str, ...]:
    return unmet_requirements(Call.of(specs.operator(case.operator), case))


def test_a_larger_output_is_not_refused(cases: tuple[Case, ...]) -> None:
    """The page asks for as many elements as the input has, or more."""
    for case in (case for case in cases if case.scene == "shape-differs"):
        parts = [each.case for each in case.slices]
        assert any(each.tensor("out").numel < each.tensor("x").numel for each in parts)
