# SPDX-License-Identifier: Apache-2.0
"""Golden data of planned cases against 100 digits; what disagrees must be quarantined."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.oracle.exact import ORACLES
from tests.oracle.exact.agreement import Agreement, agreement_of_case, compared, stated_results
from tests.oracle.exact.quarantine import complaints, complaints_about, entry_text, unmatched

from aclnn_cts.emit.golden_files import anchored
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Number
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.golden.formula import (
    UNIT_ROUNDOFF,
    Result,
    Sums,
    broadcast,
    formula_module,
    has_sums,
)
from aclnn_cts.golden.inputs import make_inputs
from aclnn_cts.golden.operators import logit_grad
from aclnn_cts.golden.outcomes import ALL_OUTCOMES
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.quarantine import Quarantine, QuarantineEntry

Planned = Callable[[str, str], tuple[Case, ...]]

MOST = 1000
"""Elements of an output that are compared; no case of the smoke tier has more."""

LEAST_MARGIN = 1000
LEAST_MARGIN_OF_DOUBLE = 100
"""How far the golden value's error stays below the tolerance that it is judged with: at a
thousandth of it, no element fails or passes that would not do so by a rounding of its own."""

THOROUGH = "ACLNN_CTS_ORACLE" in os.environ
"""Whether all cases of the smoke tier are held against exact values (some minutes)."""


@pytest.fixture(scope="module")
def smoke(specs: SpecSet, planned: Planned) -> list[Case]:
    """The smoke tier's calls that must work, on a product of each arithmetic.

    Without `tox -e oracle`: one of each scene, and of each combination of data types and kinds
    of data, in the arithmetic that has Inf and NaN.
    """
    products = ("atlas-a2", "atlas-training") if THOROUGH else ("atlas-a2",)
    cases = compared(specs, (case for name in products for case in planned(name, "smoke")))
    if THOROUGH:
        return list(cases)
    sample = {key: case for case in cases for key in branches(case)}
    return list({case.id: case for case in sample.values()}.values())


def branches(case: Case) -> Iterator[tuple[Any, ...]]:
    """Yield what a formula's branches may depend on: scenes, and types and kinds of data."""
    yield case.operator, case.scene
    yield (
        case.operator,
        *((tensor.dtype, tensor.fill and tensor.fill.kind) for tensor in case.inputs),
    )


@pytest.fixture(scope="module")
def agreements(specs: SpecSet, smoke: list[Case]) -> dict[str, dict[str, Agreement]]:
    """How each of these cases agrees, by its id and output."""
    return {f"{c.product} {c.id}": agreement_of_case(specs, c, MOST) for c in smoke}


def test_golden_values_are_within_their_stated_error_of_the_exact_ones(
    specs: SpecSet, smoke: list[Case], agreements: dict[str, dict[str, Agreement]]
) -> None:
    """Value, bound and class of every promised element; what disagrees is quarantined."""
    assert complaints_about(specs.quarantine, smoke, agreements) == []
    compared_elements = sum(a.compared for each in agreements.values() for a in each.values())
    unsaid = sum(a.unsaid for each in agreements.values() for a in each.values())
    assert compared_elements > 20_000
    assert unsaid < compared_elements / 1000


def test_every_operator_type_and_scene_is_in_the_sample(
    specs: SpecSet, smoke: list[Case], agreements: dict[str, dict[str, Agreement]]
) -> None:
    """Of each operator, in each data type that it has, and of each of the smoke tier's scenes."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for case in smoke:
        for name, agreement in agreements[f"{case.product} {case.id}"].items():
            if agreement.compared:
                found[case.operator].add(("type", case.tensor(name).dtype))
                found[case.operator].add(("scene", case.scene))
                # Scenes of an operator's own may hold the special values under other names.
                if any(t.fill and t.fill.kind == "special" for t in case.inputs):
                    found[case.operator].add(("scene", "special"))
    assert set(found) == {spec.operator for spec in anchored(specs)}
    scenes = {("scene", name) for name in ("base", "cover", "special", "exact", "state")}
    for operator, sampled in found.items():
        spec = specs.operator(operator)
        types = {"float32", "float16", "bfloat16", "double"} & set(
            spec.dtypes(spec.leading, "atlas-a2")
        )
        wanted = scenes | {("type", name) for name in types}
        # A special value leaves nothing to compare in a row that is summed over.
        spoiled = {("scene", "special")} if has_sums(formula_module(spec.golden)) else set()
        assert wanted - spoiled <= sampled, operator


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


def test_the_special_regions_are_in_the_sample(specs: SpecSet, smoke: list[Case]) -> None:
    """Each region in which an operator's formula can stand is compared, not only planned.

    Those that only data of the standard tier reach are in test_exact_drawn.py.
    """
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for case in smoke:
        found[case.operator].update(regions_of(specs, case))
    regions = {
        "aclnnDropoutBackward": {"inf", "zero", "subnormal", "overflow"},
        "aclnnGroupNormSwishGrad": set(),
        "aclnnLogitGrad": {"nan", "inf", "zero", "overflow", "subnormal"},
        "aclnnMaxPool2dWithMaskBackward": {"inf", "zero", "subnormal"},
        "aclnnPreluBackward": {"nan", "inf", "zero", "overflow", "subnormal"},
    }
    lacking = {
        operator: missing
        for operator, wanted in regions.items()
        if (missing := wanted - {name for name, count in found[operator].items() if count})
    }
    assert lacking == {}


def test_the_stated_error_is_a_thousandth_of_the_tolerance(
    specs: SpecSet, smoke: list[Case]
) -> None:
    """In every data type, wherever anything is promised, so that no verdict hangs on float64.

    Long double has 11 bits more than double, and a sum states its worst order: a hundredth.
    """
    for case in smoke:
        in_double = any(tensor.dtype == "double" for tensor in case.tensors)
        margin = LEAST_MARGIN_OF_DOUBLE if in_double else LEAST_MARGIN
        spec = specs.operator(case.operator)
        inputs = make_inputs(specs, case)
        expected = {name: each.whole() for name, each in expect_case(specs, case, inputs).items()}
        results = stated_results(specs, case, broadcast(spec, inputs))
        for name, result in results.items():
            said = np.isfinite(result.error) & np.isfinite(expected[name].value)
            said &= expected[name].allowed != ALL_OUTCOMES
            tolerance = expected[name].tolerance[said]
            assert (margin * result.error[said] <= tolerance).all(), (case.id, name)


@pytest.mark.parametrize("terms", [2**k for k in range(0, 41, 4)])
def test_the_margin_holds_for_sums_of_any_length(specs: SpecSet, terms: int) -> None:
    """The error of float64 grows with the terms, the tolerance with their root; 2^40 are fine."""
    single = DATA_TYPES["float32"].floating
    assert single is not None
    on = Arithmetic.of(specs.allowances.values(), single, single)
    tolerated = on.additions(terms) * single.unit_roundoff
    assert LEAST_MARGIN * FLOAT64.additions(terms) * UNIT_ROUNDOFF <= tolerated


@pytest.fixture
def wrong_formula(monkeypatch: pytest.MonkeyPatch) -> float:
    """Make aclnnLogitGrad's formula wrong by twice its stated error wherever x is above 1/2."""
    right = logit_grad.evaluate

    def wrong(inputs: Any, attributes: Any, on: Arithmetic = FLOAT64) -> dict[str, Result]:
        result = right(inputs, attributes, on)["out"]
        off = np.where(result.scope["x"] > 0.5, 2.0, 0.0) * right(inputs, attributes)["out"].error
        return {"out": replace(result, number=replace(result.number, value=result.value + off))}

    monkeypatch.setattr(logit_grad, "evaluate", wrong)
    return 0.5


def test_a_formula_that_is_a_little_wrong_is_found(
    specs: SpecSet, smoke: list[Case], wrong_formula: float
) -> None:
    """Twice the stated error, a millionth of what a device may be off, on exactly those elements.

    The complaint's entry, pasted, is what silences it; and once the formula is right, it must go.
    """
    case = next(c for c in smoke if c.operator == "aclnnLogitGrad" and c.scene == "base")
    x = make_inputs(specs, case)["x"]
    found = agreement_of_case(specs, case, MOST)["out"].differences
    assert {difference.index for difference in found} == {
        index for index in np.ndindex(x.shape) if wrong_formula < x[index] <= 1
    }
    assert found
    [complaint] = complaints(specs.quarantine, [case], {case.id: found})
    assert complaint.endswith(entry_text(case, found))


@pytest.mark.parametrize("operator", sorted(ORACLES))
def test_a_wrong_formula_of_any_operator_is_found(
    specs: SpecSet, smoke: list[Case], monkeypatch: pytest.MonkeyPatch, operator: str
) -> None:
    """A sum off by 2^-30, a sixty-fourth of one float32 rounding, and an output by twice that."""
    module = formula_module(specs.operator(operator).golden)
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
    case = next(c for c in smoke if c.operator == operator and c.scene == "base")
    outputs = agreement_of_case(specs, case, MOST)
    assert outputs
    assert all(agreement.differences for agreement in outputs.values())


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
    specs: SpecSet, smoke: list[Case], wrong_formula: float
) -> None:
    """A disagreeing case needs an entry; an entry needs a disagreeing case."""
    del wrong_formula
    case, other = [c for c in smoke if c.operator == "aclnnLogitGrad"][:2]
    found = agreement_of_case(specs, case, MOST)["out"].differences
    entry = entry_for(case, case.id)
    assert complaints(entry, [case], {case.id: found}) == []
    assert "remove the entry" in complaints(entry, [case], {})[0]
    assert complaints(entry, [other], {}) == []
    assert "no planned case" in unmatched(entry, [other])[0]
    assert unmatched(entry, [case]) == []
