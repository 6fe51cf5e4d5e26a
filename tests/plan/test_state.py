# SPDX-License-Identifier: Apache-2.0
"""The scene `state`, and the calls that its cases make besides their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.calls import Call
from aclnn_cts.plan.case_builder import clause_of
from aclnn_cts.plan.cases import EXECUTION_VARIANTS, TURN_VARIANTS, Case, Tier
from aclnn_cts.plan.factors import factors_of, most_elements
from aclnn_cts.plan.planner import decoy_call, ordinary_call, other_operators, plan
from aclnn_cts.plan.scenes import state_cases
from aclnn_cts.plan.violated_clauses import unmet_requirements
from aclnn_cts.spec.clause_models import Rule, Where
from aclnn_cts.spec.expression import parse
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

Forms = tuple[OperatorSpec, ...]
Planned = Callable[..., tuple[Case, ...]]


def state(cases: tuple[Case, ...], operator: str, tier: str = "smoke") -> list[Case]:
    own = [case for case in cases if case.operator == operator and case.scene == "state"]
    return [case for case in own if case.tier == tier]


@pytest.mark.parametrize("product", ["ascend-950", "atlas-a2", "atlas-training"])
def test_each_operator_and_data_type(forms: Forms, planned: Planned, product: str) -> None:
    """Each data type once; with determinism on and off where it can be switched."""
    for spec in (spec for spec in forms if spec.supports(product)):
        cases = state(planned(product, "smoke", spec.operator), spec.operator)
        switchable = spec.determinism_on(product) == "switchable"
        settings = [True, False] if switchable else [False]
        dtypes = max(spec.tensors, key=lambda t: len(spec.dtypes(t.name, product)) > 1)
        assert [(case.tensor(dtypes.name).dtype, case.deterministic) for case in cases] == [
            (dtype, setting) for dtype in spec.dtypes(dtypes.name, product) for setting in settings
        ]
        for case in cases:
            assert case.again[: len(EXECUTION_VARIANTS)] == EXECUTION_VARIANTS
            assert {"call-independence", "repeatable-executor"} <= {*case.clauses}
            assert ("determinism" in case.clauses) == (
                case.deterministic or spec.determinism_on(product) == "deterministic"
            )


@pytest.mark.parametrize("tier", ["smoke", "standard"])
def test_variants_that_take_turns(forms: Forms, planned: Planned, tier: Tier) -> None:
    """Each of them is tried by one case, of a tier; moved tensors where their places are known."""
    for spec in (spec for spec in forms if spec.supports("atlas-a2")):
        cases = state(planned("atlas-a2", tier, spec.operator), spec.operator, tier)
        variants = [each for case in cases for each in case.again[len(EXECUTION_VARIANTS) :]]
        if not spec.has_known_places:
            variants.append("moved-addresses")
            assert "moved-addresses" not in {name for case in cases for name in case.clauses}
        assert sorted(variants) == sorted(TURN_VARIANTS if cases else variants), spec.operator
        for case in cases:
            for variant in case.again:
                assert clause_of(variant) in case.clauses


def test_the_standard_tier_has_larger_calls(forms: Forms, planned: Planned) -> None:
    """A few thousand elements in the largest tensor, where values are judged."""
    for spec in forms:
        if spec.is_contract or not spec.supports("atlas-a2"):
            continue
        cases = state(planned("atlas-a2", "standard", spec.operator), spec.operator, "standard")
        assert cases
        assert all(2000 <= max(t.numel for t in case.tensors) <= 12000 for case in cases)


def test_extents_without_a_shape_are_passed_over(specs: SpecSet) -> None:
    """One combination whose shapes have no value costs no other one."""
    whole = specs.operator("aclnnMaxPool2dWithMaskBackward")
    indices = whole.tensor("indices")
    assert isinstance(indices.shape, list)
    product = specs.product("atlas-a2")
    widest = factors_of(whole, product, "standard")["dim:W"][-1]
    dims = [*indices.shape[:-1], parse(f"(ceil_div(Ho * Wo, 16) + 1) * 32 + 0 // (W - {widest})")]
    odd = indices.model_copy(update={"shape": dims})
    parameters = [odd if each is indices else each for each in whole.parameters]
    spec = whole.model_copy(update={"parameters": parameters})
    (case, *_) = state_cases(spec, product, "standard")
    assert 2000 <= max(tensor.numel for tensor in case.tensors) <= 12000


def _with_rule(specs: SpecSet, text: str, operator: str = "aclnnHardshrink") -> SpecSet:
    """Return the specs with one operator, of which a rule demands more than that of the suite."""
    whole = specs.operator(operator)
    place = Where(section="constraints", item="made up")
    rule = Rule(id="made-up", text="made up for a test", where=place, require=parse(text))
    spec = whole.model_copy(update={"rules": [*whole.rules, rule]})
    return replace(specs, operators={**specs.operators, spec.operator: spec})


def test_the_calls_keep_the_rules(specs: SpecSet) -> None:
    """A data type with which the ordinary call breaks a rule has the nearest call that does not."""
    changed = _with_rule(specs, "itemsize(self) == 4 or lambd == 0")
    spec, product = changed.operator("aclnnHardshrink"), specs.product("atlas-a2")
    ordinary = {c.tensor("self").dtype: c for c in state_cases(spec, product, "smoke")}
    lambdas = {dtype: case.attributes["lambd"] for dtype, case in ordinary.items()}
    assert lambdas.keys() == {"float32", "float16", "bfloat16"}
    assert lambdas["float16"] == lambdas["bfloat16"] == 0 != lambdas["float32"]
    cases = plan(changed, product.id, "smoke", [spec.operator])
    valid = {case.id: case for case in cases if case.expects_success}
    assert not [name for name, case in valid.items() if unmet_requirements(Call.of(spec, case))]
    twins = {case.twin for case in cases if not case.expects_success}
    assert twins <= valid.keys()


def test_the_ordinary_call_is_valid(specs: SpecSet) -> None:
    """Where the first levels do not go together, the nearest ones that do are the ordinary call."""
    spec = _with_rule(specs, "lambd == 0").operator("aclnnHardshrink")
    assert ordinary_call(spec, specs.product("atlas-a2")).attributes["lambd"] == 0


def test_a_spec_without_a_valid_call_is_refused(specs: SpecSet) -> None:
    """The rule that the first levels break is named; calls that break it would prove nothing."""
    changed = _with_rule(specs, "dim == 12345", "aclnnSwiGlu")
    with pytest.raises(WrongInputError, match=r"no valid call can be planned .* made-up"):
        plan(changed, "atlas-a2", "smoke", ["aclnnSwiGlu"])


def test_only_that_scene_is_made_again(planned: Planned) -> None:
    """Other cases keep their two runs, and exercise none of its clauses."""
    for case in planned("atlas-a2", "smoke"):
        if "many-calls" in case.again:
            continue
        if case.scene != "state":
            assert case.again == ()
            assert not {"call-independence", "repeatable-executor"} & {*case.clauses}


def test_other_operators(specs: SpecSet) -> None:
    """One of each family, its own last; never the operator itself."""
    for operator, product in (
        ("aclnnLogitGrad", "atlas-a2"),
        ("aclnnBatchNorm", "ascend-950"),
        ("aclnnDropoutBackward", "atlas-training"),
        ("aclnnMaxPool2dWithMaskBackward", "atlas-training"),
    ):
        others = other_operators(specs, operator, product)
        families = [each.document.family for each in others]
        assert len(families) == len({*families}) >= 4
        assert specs.operator(operator).document.family not in families[:-1]
        assert all(each.operator != operator and each.supports(product) for each in others)


def test_others_may_run_on_any_memory(specs: SpecSet) -> None:
    """What their inputs hold is not known, so that none is an index; most products have them."""
    for family, names in specs.side_calls.items():
        for spec in map(specs.operator, names):
            assert spec.document.family == family
            assert sum(map(spec.supports, specs.products)) >= 4
            call = ordinary_call(spec, specs.product("atlas-a2"))
            assert call.expects_success
            for tensor in call.inputs:
                assert tensor.layout == "contiguous"
                assert tensor.source in ("data", "null")
                bits = tensor.fill is not None and tensor.fill.kind == "bits"
                assert bits or tensor.data_type.floating is not None


def test_each_family_runs_before_each(specs: SpecSet) -> None:
    """Right before a call, too: the first of the others is of each family in turn."""
    firsts, pairs = set(), set()
    for spec in specs.tested_operators:
        if spec.supports("atlas-a2"):
            others = other_operators(specs, spec.operator, "atlas-a2")
            found = [(each.document.family, spec.document.family) for each in others]
            firsts.add(found[0])
            pairs.update(found)
    families = {*specs.side_calls}
    assert pairs >= {(one, two) for one in families for two in families}
    assert {one for one, two in firsts if two == "norm"} == families - {"norm"}


@pytest.mark.parametrize("product", ["ascend-950", "atlas-a2", "atlas-training"])
@pytest.mark.parametrize("tier", ["smoke", "standard"])
def test_decoys(specs: SpecSet, forms: Forms, planned: Planned, product: str, tier: Tier) -> None:
    """Of the same data types, but with other shapes and attributes; small, with work to do."""
    for spec in (spec for spec in forms if spec.supports(product)):
        cases = state(planned(product, tier), spec.operator, tier)
        calls = [each for each in planned(product, tier, spec.operator) if each.expects_success]
        sizes = [max(tensor.numel for tensor in each.tensors) for each in calls]
        none = spec.is_contract and (tier == "standard" or min(sizes) > most_elements("smoke"))
        assert cases or none, spec.operator
        for case in cases:
            alike = [each for each in calls if each.scalars == case.scalars]
            varied = any(each.attributes != alike[0].attributes for each in alike)
            call = decoy_call(spec, specs.product(product), case)
            pairs = list(zip(call.tensors, case.tensors, strict=True))
            assert all(ours.dtype == theirs.dtype for ours, theirs in pairs)
            assert call.scalars == case.scalars
            assert any(ours.shape != theirs.shape for ours, theirs in pairs)
            assert call.attributes != case.attributes or not varied
            assert 1 < max(tensor.numel for tensor in call.tensors) <= most_elements("smoke")
            assert all(tensor.numel for tensor in call.tensors)
            assert call.expects_success


def test_common_clauses_say_why_no_call_stands_outside(specs: SpecSet) -> None:
    """Each shared promise holds for all calls that it speaks of, and says so."""
    assert all(clause.no_negative for clause in specs.common)


def test_one_valid_call_and_two_refused_ones_are_made_many_times(planned: Planned) -> None:
    """Also of contract operators; early checks and late ones refuse the two."""
    for operator in ("aclnnLogitGrad", "aclnnBatchNorm"):
        many = [c for c in planned("atlas-a2", "smoke", operator) if "many-calls" in c.again]
        valid = {case.scene: case.elements for case in many if case.expects_success}
        assert "soak" in valid
        assert operator == "aclnnBatchNorm" or max(valid.values()) > 1 << 12
        refused = [case for case in many if not case.expects_success]
        assert len({case.scene for case in refused}) == 2
        assert all(case.again == ("many-calls",) and case.statuses for case in refused)
        assert all("memory-returned" in case.clauses for case in refused)
