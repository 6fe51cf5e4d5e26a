# SPDX-License-Identifier: Apache-2.0
"""What the documents say of values, sizes and repeated runs, on both sides of each boundary."""

from __future__ import annotations

import pytest
from tests.spec.documents import (
    DROPOUT,
    ERFC,
    FORWARD,
    GROUP_NORM,
    GROUP_NORM_FORWARD,
    INPLACE_ERFC,
    LOGIT,
    MSE,
    POOL,
    PRELU,
    RMS_NORM,
    RMS_NORM_GRAD,
)

from aclnn_cts.spec.evaluation import Scope, evaluate_number, holds
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

DETERMINISM = {
    DROPOUT: {"": "deterministic"},
    ERFC: {"": "deterministic"},
    INPLACE_ERFC: {"": "deterministic"},
    GROUP_NORM: {
        "ascend-950": "deterministic",
        "atlas-a3": "switchable",
        "atlas-a2": "switchable",
    },
    GROUP_NORM_FORWARD: {"": "deterministic"},
    LOGIT: {"": "deterministic"},
    MSE: {"": "deterministic"},
    POOL: {"": "switchable"},
    FORWARD: {"": "deterministic"},
    PRELU: {"": "deterministic"},
    RMS_NORM: {"": "deterministic"},
    RMS_NORM_GRAD: {"ascend-950": "deterministic", "": "switchable"},
}


GROUP_NORM_CALL = {
    "samples": 2, "channels": 8, "spatial": (3, 5),
    "N": 2, "C": 8, "HxW": 15, "group": 2, "eps": 1e-5,
}  # fmt: skip


@pytest.mark.parametrize("operator", DETERMINISM)
def test_determinism(specs: SpecSet, operator: str) -> None:
    """What each document says about repeated runs, product by product."""
    spec = specs.operator(operator)
    for product in specs.products:
        if spec.supports(product):
            stated = DETERMINISM[operator]
            assert spec.determinism_on(product) == stated.get(product, stated.get(""))


def test_float32_pooling_in_float16(specs: SpecSet) -> None:
    """Only pooling on atlas-training computes float32 in float16, and that of means on another."""
    narrower = {
        name: spec.computes_in for name, spec in specs.operators.items() if spec.computes_in
    }
    in_half = {"atlas-training": {"float32": "float16"}}
    on_both = in_half | {"atlas-inference": in_half["atlas-training"]}
    assert narrower == {
        POOL: in_half,
        FORWARD: in_half,
        "aclnnAvgPool2d": on_both,
        "aclnnAvgPool2dBackward": on_both,
    }


@pytest.mark.parametrize(
    ("operator", "values", "valid"),
    [
        (DROPOUT, {"scale": 0.0}, True),
        (DROPOUT, {"scale": 1.0}, True),
        (DROPOUT, {"scale": 0.5}, False),
        (DROPOUT, {"scale": -2.0}, False),
        (DROPOUT, {"scale": float("nan")}, False),
        (GROUP_NORM, {"numGroups": 1, "C": 4000}, True),
        (GROUP_NORM, {"numGroups": 1, "C": 4001}, False),
        (GROUP_NORM, {"numGroups": 3, "C": 8}, False),
        (GROUP_NORM, {"numGroups": -2, "C": 8}, False),
        *(
            (GROUP_NORM_FORWARD, {**GROUP_NORM_CALL, **changes}, valid)
            for changes, valid in (
                ({}, True),
                ({"spatial": (), "HxW": 1}, True),
                ({"N": 3}, False),
                ({"C": 4}, False),
                ({"HxW": 14}, False),
                ({"group": 8}, True),
                ({"group": 3}, False),
                ({"group": 0}, False),
                ({"eps": 1e-40}, True),
                ({"eps": 0.0}, False),
            )
        ),
        *((MSE, {"reduction": value}, True) for value in (0, 1, 2)),
        *((MSE, {"reduction": value}, False) for value in (-1, 3)),
        (POOL, {"padding": (1, 1), "kernelSize": (2, 2)}, True),
        (POOL, {"padding": (1, 1), "kernelSize": (3, 3)}, True),
        (POOL, {"padding": (2,), "kernelSize": (3,)}, False),
        (POOL, {"padding": (-1, 0)}, False),
        (POOL, {"stride": ()}, True),
        (POOL, {"stride": (1, 0)}, False),
        (POOL, {"dilation": (2,)}, False),
        (POOL, {"H": 0}, False),
    ],
)
def test_rules(specs: SpecSet, operator: str, values: dict[str, object], valid: bool) -> None:  # noqa: FBT001
    """The conditions of valid calls, on both sides of their boundaries."""
    scope = _pool_scope(specs.operator(operator), values) if operator == POOL else Scope(values)
    rules = specs.operator(operator).rules
    assert all(holds(rule.require, scope) for rule in rules) is valid


@pytest.mark.parametrize(
    ("dtype", "extent", "kept"),
    [("float32", 8, True), ("float32", 7, False), ("float16", 16, True), ("float16", 15, False)],
)
@pytest.mark.parametrize(("operator", "name"), [(RMS_NORM, "x"), (RMS_NORM_GRAD, "dy")])
def test_the_last_axis_of_rms_norm(
    specs: SpecSet, operator: str, name: str, dtype: str, extent: int, *, kept: bool
) -> None:
    """On one product it has 32 bytes at least."""
    [rule] = (rule for rule in specs.operator(operator).rules if rule.products)
    assert rule.products == ["atlas-inference"]
    scope = Scope({}, {name: (3, extent)}, dtypes={name: dtype})
    assert holds(rule.require, scope) is kept


def _pool_scope(spec: OperatorSpec, changes: dict[str, object]) -> Scope:
    values: dict[str, object] = {
        "N": 2, "C": 3, "H": 6, "W": 8, "kernelSize": (2, 2), "stride": (2, 2), "padding": (0, 0),
        "dilation": (1, 1), "ceilMode": False, **changes,
    }  # fmt: skip
    scope = Scope(values)
    for name, expression in spec.derived.items():
        if name in {"windowsH", "windowsW", "Ho", "Wo"} and 0 in (values["sH"], values["sW"]):
            continue
        values[name] = evaluate_number(expression, scope)
    return scope


def test_mask_sizes(specs: SpecSet) -> None:
    """The dropout mask holds a bit per element up to 128; the pooling mask follows the formula."""
    mask = specs.operator(DROPOUT).tensor("mask").shape
    assert isinstance(mask, list)
    for elements, count in ((1, 16), (128, 16), (129, 32), (1111, 144)):
        scope = Scope({}, {"gradOutput": (elements,)})
        assert [evaluate_number(dim, scope) for dim in mask] == [count]  # type: ignore[arg-type]
    for operator in (POOL, FORWARD):
        spec = specs.operator(operator)
        indices = spec.tensor("indices").shape
        assert isinstance(indices, list)
        scope = _pool_scope(spec, {"H": 10, "W": 10, "kernelSize": (3, 2), "stride": (1,)})
        extents = [evaluate_number(dim, scope) for dim in indices]  # type: ignore[arg-type]
        assert extents == [2, 3, 6, (-(-8 * 9 // 16) + 1) * 2 * 16]
