# SPDX-License-Identifier: Apache-2.0
"""Golden data of planned cases against 100 digits; what disagrees must be quarantined."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.oracle.exact import ORACLES
from tests.oracle.exact.agreement import Agreement, Claims, agreement_of_case, compared
from tests.oracle.exact.numbers import Elements
from tests.oracle.exact.quarantine import complaints, complaints_about, entry_text, unmatched

from aclnn_cts.emit.golden_files import operators_with_golden
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Number
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.golden.formula import Result, Sums, has_sums
from aclnn_cts.golden.formula_modules import formula_module
from aclnn_cts.golden.inputs import make_inputs
from aclnn_cts.golden.outcomes import ANY
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.quarantine import Quarantine, QuarantineEntry
from aclnn_cts.suite import find_suite

Planned = Callable[..., tuple[Case, ...]]

VALUED = sorted(
    spec.operator
    for spec in load_specs(find_suite()).tested_operators
    if spec.operator in ORACLES and any(clause.expect == "value" for clause in spec.clauses)
)
"""The operators of which a clause promises the formula's value, and not only 0."""

MOST = 1000
"""Elements of an output that are compared; no case of the smoke tier has more."""

SAMPLED = 10
"""Elements of an output that `tox -e oracle` compares where cases before it had the same branches;
`tox -e oracle-standard` compares all."""

LEAST_COMPARED = 500
"""Elements of an operator that are compared in any case."""

LEAST_MARGIN = 1000
LEAST_MARGIN_OF_DOUBLE = 100
"""How far the golden value's error stays below the tolerance that it is judged with: at a
thousandth of it, no element fails or passes that would not do so by a rounding of its own."""

ORACLE = os.environ.get("ACLNN_CTS_ORACLE")
"""Set if all cases of the smoke tier are held against exact values (some minutes)."""


def smoke_tier(specs: SpecSet, planned: Planned, operator: str) -> list[tuple[Case, int]]:
    """Return an operator's calls that must work, and of how many elements each output is compared.

    The calls are the smoke tier's, on a product of each arithmetic. Without `tox -e oracle`: one of
    each branch, in the arithmetic that has Inf and NaN, and more where these have few elements.
    """
    spec = specs.operator(operator)
    first = "atlas-a2" if spec.supports("atlas-a2") else "ascend-950"
    products = [
        product
        for product in (first, "atlas-training")[: 2 if ORACLE else 1]
        if spec.mentions(product)
    ]
    calls = compared(specs, (c for name in products for c in planned(name, "smoke", operator)))
    seen: set[tuple[Any, ...]] = set()
    chosen, others = [], []
    for case in calls:
        new = not seen.issuperset(branches(case))
        seen.update(branches(case))
        if new or ORACLE:
            chosen.append((case, MOST if new or ORACLE == "standard" else SAMPLED))
        else:
            others.append((case, MOST))
    # Not of all elements anything is promised.
    elements = sum(output.numel for case, _ in chosen for output in case.outputs)
    while others and elements < 2 * LEAST_COMPARED:
        chosen.append(others.pop())
        elements += sum(output.numel for output in chosen[-1][0].outputs)
    return chosen


def branches(case: Case) -> Iterator[tuple[Any, ...]]:
    """Yield what a formula's branches may depend on: scenes, and types and kinds of data."""
    yield (case.scene,)
    yield tuple((tensor.dtype, tensor.fill and tensor.fill.kind) for tensor in case.inputs)


@pytest.fixture(scope="module", params=VALUED)
def operator(request: pytest.FixtureRequest) -> str:
    """Each operator in turn: all its tests share its cases, and processes share the operators."""
    return str(request.param)


@pytest.fixture(scope="module")
def claims(specs: SpecSet, planned: Planned, operator: str) -> list[tuple[Claims, int]]:
    """What the golden data of its cases say, and how many elements are compared."""
    return [(Claims.of(specs, c), most) for c, most in smoke_tier(specs, planned, operator)]


@pytest.fixture(scope="module")
def agreements(
    specs: SpecSet, claims: list[tuple[Claims, int]]
) -> list[tuple[Case, dict[str, Agreement]]]:
    """How each of these cases agrees, by output."""
    known: dict[Hashable, Elements] = {}
    return [(each.case, each.agreement(specs, most, known)) for each, most in claims]


def test_every_operator_with_golden_data_is_compared(specs: SpecSet) -> None:
    assert set(ORACLES) == {spec.operator for spec in operators_with_golden(specs)}


def test_golden_values_are_within_their_stated_error_of_the_exact_ones(
    specs: SpecSet,
    claims: list[tuple[Claims, int]],
    agreements: list[tuple[Case, dict[str, Agreement]]],
) -> None:
    """Value, bound and class of promised elements; what disagrees is quarantined."""
    assert complaints_about(specs.quarantine, agreements) == []
    compared_elements = sum(a.compared for _, each in agreements for a in each.values())
    unsaid = sum(a.unsaid for _, each in agreements for a in each.values())
    is_one = all(own.value.size == 1 for each, _ in claims for own in each.expected.values())
    assert compared_elements > (LEAST_COMPARED / 5 if is_one else LEAST_COMPARED)
    assert unsaid < compared_elements / 100


def test_every_type_and_scene_is_in_the_sample(
    specs: SpecSet, operator: str, agreements: list[tuple[Case, dict[str, Agreement]]]
) -> None:
    """Each data type that the operator has, and each of the smoke tier's scenes."""
    sampled: set[tuple[str, str]] = set()
    spec = specs.operator(operator)
    for case, outputs in agreements:
        for name, agreement in outputs.items():
            if agreement.compared:
                sampled |= {("type", case.tensor(name).dtype), ("scene", case.scene)}
                if spec.is_exact:
                    sampled |= {("type", tensor.dtype) for tensor in case.inputs}
                # Scenes of an operator's own may hold these values under other names.
                kinds = {t.fill.kind for t in case.inputs if t.fill}
                sampled |= {("scene", kind) for kind in kinds & {"special", "exact"}}
    types = {"float32", "float16", "bfloat16", "double"} & set(
        spec.dtypes((not spec.is_exact and spec.leading) or spec.inputs[0].name, "atlas-a2")
    )
    # An input's double may only ever be computed in a narrower type.
    if not spec.is_exact:
        types &= {
            dtype for output in spec.outputs for dtype in spec.dtypes(output.name, "atlas-a2")
        }
    # conditions, bits, copies, products and quotients have data of their own
    has_own = spec.is_exact or not {"multiplied", "whole_quotient"}.isdisjoint(spec.traits)
    kinds_of_numbers = () if has_own else ("special", "exact")
    wanted = {("scene", name) for name in ("base", "cover", *kinds_of_numbers, "state")}
    wanted |= {("type", name) for name in types}
    # A special value leaves nothing to compare in a row that is summed over.
    spoiled = {("scene", "special")} if has_sums(formula_module(spec.formula_source)) else set()
    assert wanted - spoiled <= sampled


def test_the_stated_error_is_a_thousandth_of_the_tolerance(
    claims: list[tuple[Claims, int]],
) -> None:
    """In every data type, wherever anything is promised, so that no verdict hangs on float64.

    Long double has 11 bits more than double, and a sum states its worst order: a hundredth.
    """
    for each, _ in claims:
        in_double = any(tensor.dtype == "double" for tensor in each.case.tensors)
        margin = LEAST_MARGIN_OF_DOUBLE if in_double else LEAST_MARGIN
        for name, result in each.stated.items():
            expected = each.expected[name]
            error = result.error.reshape(expected.shape)  # reduced axes may be kept
            said = np.isfinite(error) & np.isfinite(expected.value)
            said &= expected.allowed != ANY
            assert (margin * error[said] <= expected.tolerance[said]).all(), (each.case.id, name)


def test_a_wrong_formula_is_found(
    specs: SpecSet, planned: Planned, monkeypatch: pytest.MonkeyPatch, operator: str
) -> None:
    """A sum off by 2^-30, a sixty-fourth of one float32 rounding, and an output by twice that."""
    module = formula_module(specs.operator(operator).formula_source)
    right = module.evaluate

    def off(number: Number, share: float = 2.0**-29) -> Number:
        return replace(number, value=number.value * (1 + share))

    def wrong(inputs: Any, attributes: Any, on: Arithmetic = FLOAT64) -> dict[str, Result]:
        found = right(inputs, attributes, on)
        return {name: replace(own, number=off(own.number)) for name, own in found.items()}

    def wrong_with_sums(inputs: Any, attributes: Any, on: Arithmetic = FLOAT64) -> Sums:
        formula = right(inputs, attributes, on)
        terms = next(formula)
        wrong = {name: (off(own, 2.0**-30), like) for name, (own, like) in terms.sums.items()}
        sums = yield replace(terms, sums=wrong)
        with pytest.raises(StopIteration) as end:
            formula.send(sums)
        return {name: off(number) for name, number in end.value.value.items()}

    monkeypatch.setattr(module, "evaluate", wrong_with_sums if has_sums(module) else wrong)
    case = next(c for c, _ in smoke_tier(specs, planned, operator) if c.scene == "base")
    outputs = agreement_of_case(specs, case, MOST)
    assert outputs
    assert all(agreement.differences for agreement in outputs.values())


def regions_of(specs: SpecSet, case: Case) -> Counter[str]:
    """Count promised elements by what is special about them."""
    spec = specs.operator(case.operator)
    clauses = sum(1 << k for k, c in enumerate(spec.clauses) if c.expect == "value")
    found: Counter[str] = Counter()
    for name, expectation in expect_case(specs, case, make_inputs(specs, case)).items():
        expected = expectation.whole()
        floating = DATA_TYPES[case.tensor(name).dtype].floating
        if floating is None:
            continue  # integers have no regions
        promised = (expected.reached & np.uint64(clauses)) != 0
        value = expected.value[promised]
        size = np.abs(value)
        with np.errstate(invalid="ignore"):
            masks = {
                "nan": np.isnan(value),
                "inf": np.isinf(value),
                "overflow": np.isfinite(value) & (size > floating.max_finite),
                "zero": value == 0,
                "subnormal": (size > 0) & (size < floating.smallest_normal),
            }
        found.update({region: int(np.count_nonzero(mask)) for region, mask in masks.items()})
    return found


@pytest.mark.parametrize(
    ("name", "regions"),
    {
        "aclnnDropoutBackward": {"inf", "zero", "subnormal", "overflow"},
        "aclnnLogitGrad": {"nan", "inf", "zero", "overflow", "subnormal"},
        "aclnnMaxPool2dWithMaskBackward": {"inf", "zero", "subnormal"},
        "aclnnPreluBackward": {"nan", "inf", "zero", "overflow", "subnormal"},
    }.items(),
)
def test_the_special_regions_are_in_the_sample(
    specs: SpecSet, planned: Planned, name: str, regions: set[str]
) -> None:
    """Each region in which an operator's formula can stand is compared, not only planned.

    Those that only data of the standard tier reach are in test_exact_drawn.py.
    """
    found: Counter[str] = Counter()
    for case, _ in smoke_tier(specs, planned, name):
        found.update(regions_of(specs, case))
    assert regions <= {region for region, count in found.items() if count}


@pytest.mark.parametrize("terms", [2**k for k in range(0, 41, 4)])
def test_the_margin_holds_for_sums_of_any_length(specs: SpecSet, terms: int) -> None:
    """The error of float64 grows with the terms, the tolerance with their root; 2^40 are fine."""
    single = DATA_TYPES["float32"].floating
    assert single is not None
    on = Arithmetic.of(specs.allowances.values(), single, single)
    tolerated = on.additions(terms) * single.unit_roundoff
    assert LEAST_MARGIN * FLOAT64.additions(terms) * 2.0**-53 <= tolerated


@pytest.fixture
def wrong_formula(specs: SpecSet, monkeypatch: pytest.MonkeyPatch) -> float:
    """Make aclnnLogitGrad's formula wrong by twice its stated error wherever x is above 1/2."""
    module = formula_module(specs.operator("aclnnLogitGrad").formula_source)
    right = module.evaluate

    def wrong(inputs: Any, attributes: Any, on: Arithmetic = FLOAT64) -> dict[str, Result]:
        result = right(inputs, attributes, on)["out"]
        off = np.where(result.scope["x"] > 0.5, 2.0, 0.0) * right(inputs, attributes)["out"].error
        return {"out": replace(result, number=replace(result.number, value=result.value + off))}

    monkeypatch.setattr(module, "evaluate", wrong)
    return 0.5


def test_a_formula_that_is_a_little_wrong_is_found(
    specs: SpecSet, planned: Planned, wrong_formula: float
) -> None:
    """Twice the stated error, a millionth of what a device may be off, on exactly those elements.

    The complaint's entry, pasted, is what silences it; and once the formula is right, it must go.
    """
    cases = (case for case, _ in smoke_tier(specs, planned, "aclnnLogitGrad"))
    case = next(case for case in cases if case.scene == "base")
    x = make_inputs(specs, case)["x"]
    found = agreement_of_case(specs, case, MOST)["out"].differences
    assert {difference.index for difference in found} == {
        index for index in np.ndindex(x.shape) if wrong_formula < x[index] <= 1
    }
    assert found
    [complaint] = complaints(specs.quarantine, [case], {case.id: found})
    assert complaint.endswith(entry_text(case, found))


def entry_for(case: Case, pattern: str) -> Quarantine:
    entry = QuarantineEntry.model_validate(
        {
            "operator": case.operator,
            "case": pattern,
            "reason": "the golden value is wrong",
            "found": "2026-11-21",
            "measured": "out[0]: golden 1.0, exact 2.0",
        }
    )
    return Quarantine(quarantined=[entry])


def test_what_has_to_change_in_the_quarantine(
    specs: SpecSet, planned: Planned, wrong_formula: float
) -> None:
    """A disagreeing case needs an entry; an entry needs a disagreeing case."""
    del wrong_formula
    (case, _), (other, _) = smoke_tier(specs, planned, "aclnnLogitGrad")[:2]
    found = agreement_of_case(specs, case, MOST)["out"].differences
    entry = entry_for(case, case.id)
    assert complaints(entry, [case], {case.id: found}) == []
    assert "remove the entry" in complaints(entry, [case], {})[0]
    assert complaints(entry, [other], {}) == []
    assert "no planned case" in unmatched(entry, [other])[0]
    assert unmatched(entry, [case]) == []
