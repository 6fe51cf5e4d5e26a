# SPDX-License-Identifier: Apache-2.0
"""Cases that share an expectation share a key, and no others."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace

from aclnn_cts.golden.expectations import call_key
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.planner import plan
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec


def test_cases_with_one_expectation_have_one_key(
    specs: SpecSet, forms: tuple[OperatorSpec, ...], planned: Callable[..., tuple[Case, ...]]
) -> None:
    """Products with one arithmetic share keys; other data, or no Inf and NaN, make others."""
    keys: dict[str, dict[str, Hashable]] = {}
    for product in ("atlas-a2", "atlas-a3", "atlas-training"):
        own = [spec.operator for spec in forms if spec.mentions(product)]
        cases = [case for case in planned(product, "smoke", *own) if case.expects_success]
        keys[product] = {case.digest: call_key(specs, case) for case in cases}
        assert None not in keys[product].values()
        assert len(set(keys[product].values())) == len(keys[product])
    shared = keys["atlas-a2"].keys() & keys["atlas-a3"].keys()
    assert shared
    assert all(keys["atlas-a2"][name] == keys["atlas-a3"][name] for name in shared)
    training = keys["atlas-a2"].keys() & keys["atlas-training"].keys()
    assert training
    assert not specs.product("atlas-training").inf_nan
    assert all(keys["atlas-a2"][name] != keys["atlas-training"][name] for name in training)


def test_a_narrower_computing_type_is_part_of_the_key(specs: SpecSet) -> None:
    """Where a product computes in another type, its tolerances are its own."""
    pooling = "aclnnMaxPool2dWithMaskBackward"
    case = next(c for c in plan(specs, "atlas-a2", "smoke", [pooling]) if c.expects_success)
    spec = specs.operator(pooling).model_copy(
        update={"computes_in": {"atlas-a2": {"float32": "float16"}}}
    )
    narrower = replace(specs, operators={**specs.operators, pooling: spec})
    assert call_key(specs, case) != call_key(narrower, case)


def test_infinities_are_part_of_the_key(specs: SpecSet) -> None:
    """A product without Inf and NaN promises less, so its expectations are its own."""
    (case,) = [
        case
        for case in plan(specs, "atlas-a2", "smoke", ["aclnnLogitGrad"])
        if case.scene == "base" and case.tensor("x").dtype == "float32"
    ]
    product = specs.product("atlas-a2")
    saturating = product.model_copy(update={"inf_nan": False})
    without = replace(specs, products={**specs.products, "atlas-a2": saturating})
    assert call_key(specs, case) != call_key(without, case)


def test_refused_calls_have_no_expectation(
    specs: SpecSet, planned: Callable[..., tuple[Case, ...]]
) -> None:
    """All calls that must be refused have the key None."""
    refused = [case for case in planned("atlas-a2", "smoke") if not case.expects_success]
    assert {call_key(specs, case) for case in refused} == {None}
