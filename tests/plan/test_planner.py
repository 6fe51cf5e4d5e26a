# SPDX-License-Identifier: Apache-2.0
"""The plan: the same every time, complete over clauses and levels, and fair to its negatives.

What holds for whole standard tiers is tested here, so that they are planned once.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.plan import planner
from aclnn_cts.plan.calls import Call
from aclnn_cts.plan.cases import Case, TensorCase, case_to_json
from aclnn_cts.plan.factors import factors_of
from aclnn_cts.plan.layouts import DEEP_OUTPUT_LAYOUTS, lay_out
from aclnn_cts.plan.planner import find_cases, operators_of, plan
from aclnn_cts.plan.validity import base_facts, valid_call
from aclnn_cts.plan.violated_clauses import unmet_requirements
from aclnn_cts.spec.clause_models import REFUSAL_LEAVES_OUTPUTS
from aclnn_cts.spec.data_types import DATA_TYPES, round_to_type
from aclnn_cts.spec.expression import calls
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.parameter_clauses import structural_clauses

Forms = tuple[OperatorSpec, ...]
Planned = Callable[..., tuple[Case, ...]]

PRODUCTS = ("ascend-950", "atlas-a2", "atlas-training")
DEEP = ("ascend-950", "atlas-a2")
"""Products of which the standard tier is held against its promises: another one takes as long to
plan as both, and its data types are held by `aclnn-cts coverage`."""
"""One product of each plan: atlas-a3 has the calls of atlas-a2."""


def fingerprint(cases: tuple[Case, ...]) -> str:
    text = json.dumps([case_to_json(case) for case in cases])
    return hashlib.sha256(text.encode()).hexdigest()


_FINGERPRINT = """
import hashlib, json
from aclnn_cts.plan.planner import plan
from aclnn_cts.plan.cases import case_to_json
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite
specs = load_specs(find_suite())
cases = plan(specs, "atlas-a2", "standard", ["aclnnLogitGrad", "aclnnPreluBackward"])
text = json.dumps([case_to_json(case) for case in cases])
print(hashlib.sha256(text.encode()).hexdigest())
"""


def test_the_plan_depends_on_the_specs_alone(planned: Planned) -> None:
    """Another process, whose hashes of text differ, plans the same cases in the same order."""
    here = planned("atlas-a2", "standard", "aclnnLogitGrad", "aclnnPreluBackward")
    environment = {**os.environ, "PYTHONHASHSEED": "4711"}
    command = [sys.executable, "-c", _FINGERPRINT]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == fingerprint(here)


@pytest.mark.parametrize(
    ("product", "tier"), [*((p, "smoke") for p in PRODUCTS), *((p, "standard") for p in DEEP)]
)
def test_each_call_once(planned: Planned, product: str, tier: str) -> None:
    """Ids and digests are unique, ids are readable tokens, and the tier marks itself."""
    cases = planned(product, tier)
    assert len({case.id for case in cases}) == len(cases)
    assert len({(case.operator, case.digest) for case in cases}) == len(cases)
    allowed = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:+-")
    assert all(set(case.id) <= allowed for case in cases)
    assert {case.product for case in cases} == {product}
    assert {case.tier for case in cases} <= {"smoke", tier}


@pytest.mark.parametrize("operator", ["aclnnDropoutBackward", "aclnnLogitGrad"])
def test_products_of_which_a_page_says_the_same_share_a_plan(specs: SpecSet, operator: str) -> None:
    """The plan of a product is the same whether it is made or taken over from another product."""
    shared = {name: plan(specs, name, "smoke", [operator]) for name in specs.products}
    assert planner._plan.cache_info().hits
    for name, cases in shared.items():
        planner._plan.cache_clear()
        assert plan(specs, name, "smoke", [operator]) == cases
        assert {case.product for case in cases} == {name}


@pytest.mark.parametrize("product", DEEP)
def test_tiers_are_nested(planned: Planned, product: str) -> None:
    """What smoke runs, standard runs, the very same cases."""
    standard = planned(product, "standard")
    smoke = planned(product, "smoke", *dict.fromkeys(case.operator for case in standard))
    held = {case.id: repr(case) for case in standard}
    assert smoke
    assert all(held[case.id] == repr(case) for case in smoke)
    assert len(standard) > len(smoke)


def test_standard_is_a_night_of_other_suites(planned: Planned) -> None:
    """The standard tier of atlas-a2 has at least 1500 cases."""
    assert len(planned("atlas-a2", "standard")) >= 1500


def test_smoke_is_small(specs: SpecSet, planned: Planned) -> None:
    """What the planner combines is small; calls about extents and scenes of a spec need not be."""
    cases = [case for case in planned("atlas-a2", "smoke") if case.expects_success]
    # what is copied to a matrix, or to each place of an index, multiplies
    large = [case for case in cases if max((t.numel for t in case.inputs), default=0) > 4096]
    assert all(case.scene not in ("base", "cover", "layout", "state") for case in large)
    assert sum(t.numel for case in cases for t in case.tensors) < 2**25 * len(
        specs.tested_operators
    )


def test_a_leading_input_is_never_one_value(specs: SpecSet, planned: Planned) -> None:
    """One value for all of several outputs would hide swaps; only special scenes ask for that."""
    for case in planned("atlas-a2", "standard"):
        spec = specs.operator(case.operator)
        if not spec.inputs or spec.is_contract:
            continue
        tensor = case.tensor(spec.leading)
        largest = max(output.numel for output in case.outputs)
        if not case.expects_success or case.scene != "cover" or largest < 2:
            continue
        several = [s for e, s in zip(tensor.shape, tensor.strides, strict=True) if e > 1]
        assert any(several), case.id


def test_calls_whose_results_are_fixed_are_not_planned(planned: Planned) -> None:
    """The softmax of one element is 1 and its logarithm 0, whatever the element, or of equal ones.

    Such a case shows nothing but that; a scene of the specs asks for it.
    """
    for operator in ("aclnnSoftmax", "aclnnLogSoftmax"):
        cases = planned("atlas-a2", "standard", operator)
        along = {
            (case.tensor("self").shape[dim], case.tensor("self").strides[dim] == 0)
            for case in cases
            if case.expects_success and case.scene != "axis-of-one" and case.tensor("self").shape
            for dim in [int(str(case.attributes["dim"]))]
        }
        assert {(0, False), (2, False), (4099, False)} <= along
        assert not {extent for extent, repeats in along if extent == 1 or repeats}
        assert any(0 in case.tensor("self").strides for case in cases)


@pytest.mark.parametrize("product", DEEP)
def test_every_structural_clause_is_exercised(forms: Forms, planned: Planned, product: str) -> None:
    """Each promise of the parameter tables has a passing call in the standard tier."""
    found = {(c.operator, clause) for c in planned(product, "standard") for clause in c.clauses}
    for spec in forms:
        if not spec.supports(product):
            continue
        null = spec.reserved_tensors(product)
        promised = {each.id for each in structural_clauses(spec) if each.parameter not in null}
        if spec.determinism_on(product) == "unpromised":
            promised.discard("determinism")
        promised |= {r.id for r in spec.rules if r.products is None or product in r.products}
        assert {clause for clause in promised if (spec.operator, clause) not in found} == set()


def _shown(case: Case, factor: str) -> str:
    """Return the level of a factor that a case has, as text."""
    kind, _, name = factor.partition(":")
    if kind == "dtype":
        return case.scalars.get(name) or case.tensor(name).dtype
    if kind == "layout":
        return case.tensor(name).layout
    if kind == "attribute":
        return str(case.attributes[name])
    if kind == "dim":
        return str(case.names[name])
    tensor = case.tensor(name)
    if kind == "null":
        return str(tensor.source == "null")
    return tensor.fill.kind if tensor.fill is not None else "none"


def _can_be(cases: list[Case], factor: str, level: object, leading: str) -> bool:
    """Whether some case's tensor can have a layout at all; other factors' levels always can be.

    The leading input does not repeat along its only axis, where its elements would all be alike.
    """
    kind, _, name = factor.partition(":")
    if kind != "layout":
        return True
    repeats = str(level).startswith("expanded")
    return any(
        tensor.source != "null"
        and (tensor.numel > 1 or len(tensor.shape) < 2)  # else all orders of its axes are one
        and not (repeats and _follows_from_other_inputs(tensor))
        and not (repeats and name == leading and len(tensor.shape) == 1)
        and lay_out(str(level), tensor.shape).name == level
        for tensor in (case.tensor(name) for case in cases)
    )


def _follows_from_other_inputs(tensor: TensorCase) -> bool:
    """Whether the data are made from others, so that they do not repeat along an axis."""
    return tensor.source == "producer" or (
        tensor.fill is not None and tensor.fill.kind == "derived"
    )


@pytest.mark.parametrize("product", DEEP)
def test_every_level_is_there(specs: SpecSet, forms: Forms, planned: Planned, product: str) -> None:
    """Each data type, layout, attribute value, extent and kind of data is in some passing case."""
    cases = [case for case in planned(product, "standard") if case.expects_success]
    for spec in forms:
        if not spec.supports(product):
            continue
        own = [case for case in cases if case.operator == spec.operator]
        factors = factors_of(spec, specs.product(product), "standard")
        for factor, levels in factors.items():
            if factor.partition(":")[0] in ("shape", "source"):
                continue
            if factor.partition(":")[2] in spec.reserved_tensors(product):
                continue
            if spec.is_contract and factor.startswith("dim:"):
                continue  # an extent of 1 may make the leading input one value, which is left out
            if any(isinstance(x, str) for x in levels) and factor.startswith("attribute"):
                continue  # expressions, whose values differ from their text
            scalars = {f"attribute:{scalar.name}": scalar.dtypes for scalar in spec.scalars}
            if factor in scalars:
                # They are rounded to the data type that is passed.
                usual = DATA_TYPES[(scalars[factor] or ["float32"])[0]]
                levels = [  # noqa: PLW2901
                    None if each is None else round_to_type(each, usual)
                    for each in levels
                    if valid_call(spec, product, {**base_facts(factors), factor: each})
                ]
            shown = {_shown(case, factor) for case in own}
            # Without a data type of its own, a tensor has that of another one.
            stated = (level for level in levels if level is not None)
            possible = {str(level) for level in stated if _can_be(own, factor, level, spec.leading)}
            assert possible - shown == set(), (spec.operator, factor)


@pytest.mark.parametrize("product", ["atlas-a2", "atlas-training"])
def test_every_layout_from_a_producer(planned: Planned, product: str) -> None:
    """What another operator makes is tried in each layout that does not repeat elements.

    Where an extent is 1, its stride may be any besides.
    """
    found: dict[str, set[str]] = {}
    for case in planned(product, "standard"):
        for tensor in case.inputs:
            if tensor.source == "producer":
                found.setdefault(f"{case.operator}/{tensor.name}", set()).add(tensor.layout)
    assert found == {"aclnnMaxPool2dWithMaskBackward/indices": {*DEEP_OUTPUT_LAYOUTS, "loose-ones"}}


@pytest.mark.parametrize("product", DEEP)
def test_every_rank_and_data_type(forms: Forms, planned: Planned, product: str) -> None:
    """Each tensor has every rank and every data type that its row promises on the product.

    But rank 0 where a rule asks for an axis.
    """
    for spec in (spec for spec in forms if spec.supports(product)):
        own = [
            case
            for case in planned(product, "standard")
            if case.operator == spec.operator and case.expects_success
        ]
        for tensor in spec.tensors:
            dtypes = {case.tensor(tensor.name).dtype for case in own}
            assert dtypes == set(spec.dtypes(tensor.name, product))
            if tensor.shape is None and tensor.rank is not None:
                ranks = {len(case.tensor(tensor.name).shape) for case in own}
                least, greatest = tensor.rank
                least += any(rule.require.text == f"rank({tensor.name}) > 0" for rule in spec.rules)
                assert ranks >= set(range(least, min(greatest, 8) + 1))
                assert max(ranks) == greatest


@pytest.mark.parametrize("product", PRODUCTS)
def test_special_data_enter_one_input_at_a_time(
    specs: SpecSet, forms: Forms, planned: Planned, product: str
) -> None:
    """Each kind of special data is in a scene of its own, in every data type, others ordinary.

    Where data types take turns, some of them do.
    """
    for spec in (spec for spec in forms if spec.supports(product)):
        planned_ones = planned(product, "smoke", spec.operator)
        own = [case for case in planned_ones if case.scene == "special"]
        factors = factors_of(spec, specs.product(product), "smoke")
        for tensor in spec.inputs:
            kinds = [
                k for k in factors.get(f"fill:{tensor.name}", []) if str(k).startswith("special")
            ]
            for kind in kinds:
                cases = [
                    case
                    for case in own
                    if (fill := case.tensor(tensor.name).fill) is not None and fill.kind == kind
                ]
                dtypes = {case.tensor(tensor.name).dtype for case in cases}
                supported = set(spec.dtypes(tensor.name, product))
                assert dtypes == supported or (spec.types_in_turn and dtypes < supported)
                for case in cases:
                    others = [t.fill.kind for t in case.inputs if t.fill and t.name != tensor.name]
                    assert not any(other.startswith("special") for other in others)


def test_an_order_of_operators(specs: SpecSet) -> None:
    """Operators asked for come in the order asked for, each once."""
    names = ["aclnnPreluBackward", "aclnnLogitGrad", "aclnnPreluBackward"]
    cases = plan(specs, "atlas-a2", "smoke", names)
    assert list(dict.fromkeys(case.operator for case in cases)) == names[:2]


@pytest.mark.parametrize(
    ("operator", "product", "tier", "sentence"),
    [
        ("aclnnLogitgrad", "atlas-a2", "smoke", "did you mean 'aclnnLogitGrad'"),
        (
            "aclnnMaxPool2dWithMask",
            "atlas-a2",
            "smoke",
            "did you mean 'aclnnMaxPool2dWithMaskBackward'",
        ),
        ("aclnnLogitGrad", "atlas_a2", "smoke", "did you mean 'atlas-a2'"),
        ("aclnnLogitGrad", "atlas-a2", "smok", "did you mean 'smoke'"),
    ],
)  # fmt: skip
def test_wrong_names(specs: SpecSet, operator: str, product: str, tier: str, sentence: str) -> None:
    """Operators, products and tiers that do not exist, or not together: the nearest is offered."""
    with pytest.raises(WrongInputError, match=sentence):
        plan(specs, product, tier, [operator])


def test_finding_a_case(specs: SpecSet, planned: Planned) -> None:
    """A case is found by its id; an id with a typing error brings the nearest one."""
    case = planned("atlas-a2", "smoke")[0]
    assert repr(find_cases(specs, [case.id], "atlas-a2", "smoke")) == repr((case,))
    with pytest.raises(WrongInputError, match=f"did you mean '{case.id}'"):
        find_cases(specs, [case.id[:-1]], "atlas-a2", "smoke")


@pytest.mark.parametrize(
    ("pattern", "operators"),
    [
        ("LogitGrad.base.x", {"aclnnLogitGrad"}),
        ("GluB*", {"aclnnGluBackward"}),
        ("GluBackward.[bc]*", {"aclnnGluBackward"}),
        ("Mse*backward*.out*", {"aclnnMseLoss", "aclnnMseLossBackward", "aclnnMseLossOut"}),
        ("LogitGrat.base.x", {"aclnnLogitGrad"}),
        ("LogitGrat*", {"aclnnLogitGrad"}),
        ("x", set()),
    ],
)
def test_the_operators_that_a_pattern_may_mean(
    specs: SpecSet, pattern: str, operators: set[str]
) -> None:
    """No case of another matches; what begins with none has those of the nearest name, if any."""
    assert set(operators_of(specs, [pattern], "atlas-a2")) == operators
    everyone = [spec.operator for spec in specs.tested_operators if spec.mentions("atlas-a2")]
    assert operators_of(specs, [pattern, "*.base.*"], "atlas-a2") == everyone


def test_nothing_to_test_in_an_edition(specs: SpecSet) -> None:
    """A product that only another edition mentions: the message names the edition."""
    silent = {
        spec.operator: spec.model_copy(update={"products": {"atlas-a2": "supported"}})
        for spec in specs.tested_operators
    }
    earlier = replace(specs, operators=silent, edition="earlier")
    with pytest.raises(NotTrustworthyError, match="mentions ascend-950 in the edition earlier: "):
        plan(earlier, "ascend-950", "smoke")
    with pytest.raises(WrongInputError, match="mention ascend-950 in the edition earlier; it name"):
        plan(earlier, "ascend-950", "smoke", ["aclnnLogitGrad"])
    with pytest.raises(NotTrustworthyError, match="no document mentions ascend-950: there is"):
        plan(replace(earlier, edition="current"), "ascend-950", "smoke")


@pytest.mark.parametrize("product", DEEP)
def test_a_refused_call_breaks_what_it_is_refused_for(
    specs: SpecSet, planned: Planned, product: str
) -> None:
    """Seen from its own data, a call meets its requirements exactly if it must work.

    Null pointers, conversions, empty tensors and layouts are not requirements with clauses of their
    own.
    """
    elsewhere = {"no-empty-tensors", "outputs-contiguous"}
    elsewhere |= {
        each.id
        for spec in specs.tested_operators
        for each in spec.errors
        if each.kind.key in ("null_pointer", "not_castable")
    }
    for case in planned(product, "standard"):
        broken = unmet_requirements(Call.of(specs.operator(case.operator), case))
        if case.expects_success:
            assert broken == (), case.id
        elif case.scene not in elsewhere:
            assert broken, case.id
            assert set(broken) <= set(case.clauses)
            assert REFUSAL_LEAVES_OUTPUTS in case.clauses


def test_every_scene_of_the_specs_has_cases(forms: Forms, planned: Planned) -> None:
    """On each product that supports the operator, apart from what it lacks."""
    for product in ("ascend-950", "atlas-a3", "atlas-a2"):
        found = {(case.operator, case.scene) for case in planned(product, "standard")}
        for spec in forms:
            if spec.supports(product):
                own = (each for each in spec.scenes if product in (each.products or [product]))
                assert {(spec.operator, scene.id) for scene in own} <= found


def test_each_mode_of_a_contract_operator_has_work(specs: SpecSet, planned: Planned) -> None:
    """Each value of an attribute in a valid call is also in one whose inputs have elements."""
    for spec in specs.tested_operators:
        if not spec.is_contract or not spec.supports("atlas-a2"):
            continue
        cases = [c for c in planned("atlas-a2", "smoke", spec.operator) if c.expects_success]
        working = [c for c in cases if all(t.numel or t.source == "null" for t in c.inputs)]
        factors = factors_of(spec, specs.product("atlas-a2"), "smoke")
        for name in cases[0].attributes:
            named = factors.get(f"attribute:{name}", [])
            if not any(isinstance(level, str) for level in named):
                levels, shown = (
                    {
                        repr(case.attributes[name])
                        for case in among
                        if case.attributes[name] in named
                    }
                    for among in (cases, working)
                )
                assert levels == shown, (spec.operator, name)


@pytest.mark.parametrize(
    ("operator", "attribute", "edges"),
    [
        ("aclnnRenorm", "p", {0.0, math.inf}),
        ("aclnnInplaceRenorm", "p", {0.0, math.inf}),
        ("aclnnAddRmsNorm", "epsilon", {0.0}),
        ("aclnnCrossEntropyLoss", "labelSmoothing", {0.0, 1.0}),
        ("aclnnQuantizedBatchNorm", "outputZeroPoint", {0, 127}),
        ("aclnnEluBackward", "alpha", {0.0}),
        ("aclnnLeakyReluBackward", "negativeSlope", {0.0}),
    ],
)
def test_edges_of_ranges_are_accepted(
    planned: Planned, operator: str, attribute: str, edges: set[float]
) -> None:
    """A bound that a page allows is in a valid call with elements."""
    values = {
        case.attributes[attribute]
        for case in planned("atlas-a2", "smoke", operator)
        if case.expects_success and all(tensor.numel for tensor in case.tensors)
    }
    assert edges <= values


_NARROWER = {"int64": "int32", "int32": "int16", "int16": "int8"}
_NARROWER |= {f"u{wide}": f"u{narrow}" for wide, narrow in _NARROWER.items()}


def test_integer_scalars_fill_their_types(specs: SpecSet, planned: Planned) -> None:
    """Each scalar has, once in each integer type, a value that no narrower or other type holds.

    But in types that are wider than those of the tensors in which it is held, and in uint64 where
    it is only compared: data around a threshold are made in float64. A number that must be positive
    is one of the unsigned type, too. Powers to such exponents are beyond all types.
    """
    exponents = {
        (spec.operator, name)
        for spec in specs.tested_operators
        for term in spec.formula.values()
        for _, *names in calls(term, "power")
        for name in names
    }
    positive = {
        (spec.operator, name)
        for spec in specs.tested_operators
        for name, levels in spec.factors.attributes_of("atlas-a2").items()
        if all(isinstance(level, int | float) and level > 0 for level in levels)
    }
    taken = {
        (spec.operator, scalar.name, dtype)
        for spec in specs.tested_operators
        if spec.supports("atlas-a2") and not spec.is_contract
        for scalar in spec.scalars
        for dtype in spec.own_dtypes(scalar.name, "atlas-a2")
        if DATA_TYPES[dtype].numpy.kind in "iu"
        and (spec.operator, scalar.name) not in exponents
        and (not scalar.dtypes_by or dtype in scalar.dtypes_by)
        and not (spec.is_condition and dtype == "uint64")
    }
    told = {
        (case.operator, name, dtype)
        for case in planned("atlas-a2", "smoke", *{operator for operator, _, _ in taken})
        for name, dtype in case.scalars.items()
        if DATA_TYPES[dtype].numpy.kind in "iu"
        and isinstance(value := case.attributes[name], int)
        and (
            (case.operator, name) in positive
            or round_to_type(value, DATA_TYPES[_other_sign(dtype)]) != value
        )
        and round_to_type(value, DATA_TYPES[_NARROWER.get(dtype, "bool")]) != value
    }
    assert taken
    assert taken <= told


def _other_sign(dtype: str) -> str:
    return dtype.removeprefix("u") if dtype.startswith("u") else f"u{dtype}"
