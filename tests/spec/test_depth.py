# SPDX-License-Identifier: Apache-2.0
"""Specs without a formula: what they may say, and what is planned for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.spec.minimal import MINIMAL, load_operator

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.expectations import call_key, expect_case
from aclnn_cts.golden.expected import Outcome
from aclnn_cts.plan.calls import Call
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.planner import plan
from aclnn_cts.plan.violated_clauses import violated_ids
from aclnn_cts.spec.clause_models import FINITE_OUTPUTS, RESULTS_FOLLOW_DATA
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.names import SPECIAL_FILLS

_OF_VALUES = MINIMAL[MINIMAL.index("golden") : MINIMAL.index("errors")]
CONTRACT = MINIMAL.replace(_OF_VALUES, "depth: contract\n")


def _loaded(text: str, folder: Path, specs: SpecSet) -> OperatorSpec:
    path = folder / "aclnnThing.yaml"
    path.write_text(text, encoding="utf-8")
    return load_operator(path, specs.products, specs.traits)


def test_a_contract_needs_nothing_about_values(tmp_path: Path, specs: SpecSet) -> None:
    """Scenes of traits are about values, too."""
    spec = _loaded(CONTRACT + "traits: [elementwise]\n", tmp_path, specs)
    assert spec.is_contract
    assert spec.scenes == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (CONTRACT + "golden: thing\n", "golden does not go with the depth contract"),
        (MINIMAL + "depth: contract\n", "clauses does not go with the depth contract"),
        (CONTRACT + "  fill: {x: [uniform, special]}\n", "'special' does not go with the depth"),
        (CONTRACT + "  fill: {x: [derived]}\n", "'derived' does not go with the depth contract"),
        (CONTRACT.replace("depth: contract", "depth: full"), "formula is missing"),
        (CONTRACT.replace("rank: [0, 8]", "rank: [0, 8], unpromised: eps > 0"), "is for outputs"),
        (
            MINIMAL.replace("shape: x.shape", "shape: x.shape, unpromised: eps > 0"),
            "is for outputs",
        ),
        (CONTRACT.replace("x.shape", "x.shape, unpromised: a > 0"), "unknown name 'a'"),
        (CONTRACT.replace("x.shape", "x.shape, unpromised_on: [a]"), "unknown product 'a'"),
    ],
)
def test_what_is_about_values_is_refused(
    text: str, said: str, tmp_path: Path, specs: SpecSet
) -> None:
    """What nobody tests is not stated, and what is stated is tested."""
    with pytest.raises(WrongInputError, match=said):
        _loaded(text, tmp_path, specs)


def test_outputs_of_which_a_page_promises_nothing(specs: SpecSet) -> None:
    """Any element is right, by a condition or on a product; products do not share that."""
    open_ones: dict[object, set[bool]] = {}
    for operator, output in (("aclnnNLLLoss2d", "totalWeightOut"), ("aclnnAddRmsNorm", "rstdOut")):
        for product in ("atlas-a2", "atlas-inference"):
            for case in plan(specs, product, "smoke", [operator]):
                if case.scene == "cover" and case.expects_success:
                    promised = expect_case(specs, case, {})[output].whole().allowed != Outcome.ANY
                    assert promised.all() == promised.any()
                    condition = case.values.get("reduction", product)
                    open_ones.setdefault(condition, set()).add(not promised.any())
    assert open_ones == {
        0: {True},
        1: {False},
        2: {False},
        "atlas-a2": {False},
        "atlas-inference": {True},
    }
    first, other = (
        next(c for c in plan(specs, each, "smoke", ["aclnnAddRmsNorm"]) if c.expects_success)
        for each in ("atlas-a2", "atlas-inference")
    )
    assert call_key(specs, first) != call_key(specs, other)


def test_a_tensor_that_must_be_null_is_passed_in_refused_calls_alone(specs: SpecSet) -> None:
    """It has no promise but that, so nothing else can be wrong with it."""
    cases = plan(specs, "ascend-950", "smoke", ["aclnnDropoutV3"])
    given = {case.scene for case in cases if case.tensor("optionalNoiseShape").source != "null"}
    assert given == {"noise-shape-given"}
    (wrong,) = (case for case in cases if case.scene == "noise-shape-given")
    assert violated_ids(Call.of(specs.operator("aclnnDropoutV3"), wrong)) == ("noise-shape-given",)
    own = {name for name in specs.clause_texts("aclnnDropoutV3") if "optional-noise" in name}
    assert own == {"optional-noise-shape-absent"}


def test_a_tensor_that_takes_the_promise_of_an_output_is_null_at_first(specs: SpecSet) -> None:
    """Its own clauses are broken beside a call that has it."""
    cases = plan(specs, "ascend-950", "smoke", ["aclnnSwigluGroup"])
    for case in cases:
        given = case.tensor("groupIndexOptional").source != "null"
        if case.scene in ("state", "layout", "size"):
            assert not given
        if case.scene in ("no-empty-groups", "groups-dtype-unsupported"):
            assert given
        if case.expects_success and case.elements:
            allowed = expect_case(specs, case, {})["out"].whole().allowed
            assert (allowed == Outcome.ANY).all() == given


@pytest.fixture
def cases(
    specs: SpecSet, forms: tuple[OperatorSpec, ...], planned: Callable[..., tuple[Case, ...]]
) -> list[Case]:
    """Those of a contract operator of each form, on a product that has it."""
    found = [
        case
        for spec in forms
        if spec.is_contract
        for case in planned(next(filter(spec.supports, specs.products)), "smoke", spec.operator)
    ]
    assert found
    return found


def test_finite_outputs_are_promised_of_contracts_alone(specs: SpecSet, cases: list[Case]) -> None:
    """Each call that must work tests it; no other operator has the clause."""
    assert all((FINITE_OUTPUTS in case.clauses) is case.expects_success for case in cases)
    for spec in specs.operators.values():
        assert (FINITE_OUTPUTS in specs.clause_texts(spec.operator)) is spec.is_contract


def test_contracts_get_ordinary_data(cases: list[Case]) -> None:
    """A correct device may make a NaN of others."""
    kinds = {tensor.fill.kind for case in cases for tensor in case.tensors if tensor.fill}
    assert kinds
    assert not kinds & set(SPECIAL_FILLS)


def test_contracts_have_few_refused_calls_in_smoke(specs: SpecSet) -> None:
    """Each tensor is wrong in one way at least, and tensors of one shape in different ways."""
    standard = plan(specs, "atlas-a2", "standard", ["aclnnDeepNorm"])
    wrong: dict[tuple[str, ...], set[str]] = {}
    for case in standard:
        if case.scene in ("shape-differs", "dtype-differs") and not case.expects_success:
            name, _, way = case.id.split(".")[2].partition("_")
            wrong.setdefault((case.scene, name), set()).add(way)
            wrong.setdefault((case.scene, name, case.tier), set()).add(way)
    for scene, name in [key for key in wrong if len(key) == 2]:
        every, few = wrong[scene, name], wrong[scene, name, "smoke"]
        assert 1 <= len(few) <= 5 + len(every) // 6
    first, other = (wrong["shape-differs", name, "smoke"] for name in ("gx", "yOut"))
    assert first != other


def test_results_that_a_seed_decides_need_not_follow_the_data(specs: SpecSet) -> None:
    """The promise is shared by the contract operators whose results their inputs decide."""
    contract = [spec for spec in specs.tested_operators if spec.is_contract]
    sharing = {
        spec.operator
        for spec in contract
        if RESULTS_FOLLOW_DATA in {clause.id for clause in specs.common_of(spec.operator)}
    }
    assert sharing == {spec.operator for spec in contract if spec.follows_data}
    assert "aclnnRandperm" not in sharing
    assert "aclnnSwiGlu" in sharing
