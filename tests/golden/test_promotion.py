# SPDX-License-Identifier: Apache-2.0
"""Expectations of inputs with different data types, which are promoted to a common one."""

from __future__ import annotations

from typing import Any

import numpy as np

from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.plan.calls import PlannedCall
from aclnn_cts.plan.case_builder import build_case
from aclnn_cts.plan.cases import Intent
from aclnn_cts.plan.factors import factors_of
from aclnn_cts.plan.validity import base_facts
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.loading import SpecSet


def sums(specs: SpecSet, self: list[Any], other: list[Any], *dtypes: str) -> Expected:
    """Return what aclnnAdd may give for inputs, scalar and output of these data types."""
    spec, product = specs.operator("aclnnAdd"), specs.product("atlas-a2")
    names = ("self", "other", "alpha", "out")
    facts = base_facts(factors_of(spec, product, "smoke"))
    facts |= {f"dtype:{name}": dtype for name, dtype in zip(names, dtypes, strict=True)}
    facts |= {"shape:self": (len(self),), "shape:other": (len(other),)}
    case = build_case(PlannedCall.of(spec, product.id, facts), Intent("base", "smoke"))
    arrays = {
        name: np.array(values, DATA_TYPES[dtype].numpy)
        for name, values, dtype in zip(names, (self, other), dtypes, strict=False)
    }
    expected = expect_case(specs, case, arrays)["out"]
    assert isinstance(expected, Expected)
    return expected


def test_integers_are_added_exactly(specs: SpecSet) -> None:
    """Whatever type holds the sum: float32 has no 2^24 + 1, so only the conversion rounds."""
    exact = sums(specs, [2**24 + 1], [-(2**24)], "int32", "int64", "int8", "int64")
    assert (exact.value[0], exact.tolerance[0]) == (1.0, 0.0)
    converted = sums(specs, [2**24 + 1], [-(2**24)], "int32", "int32", "int32", "float32")
    assert (converted.value[0], converted.tolerance[0]) == (1.0, 2.0**-24)


def test_nothing_is_promised_beyond_the_promoted_type(specs: SpecSet) -> None:
    """The sum of two int8 is computed in int8, even if the output could hold it."""
    beyond = sums(specs, [100, 100], [100, 27], "int8", "int8", "int8", "int32")
    assert [Outcome(int(each)) for each in beyond.allowed] == [Outcome.ANY, Outcome.VALUE]
    mixed = sums(specs, [100], [100], "int8", "uint8", "int8", "int32")
    assert (mixed.value[0], mixed.allowed[0]) == (200.0, Outcome.VALUE)


def test_an_integer_beside_a_floating_number_is_rounded(specs: SpecSet) -> None:
    """To the type of the other input, in which a device may also be infinite, or to float32."""
    rounded = sums(specs, [2049, 70000], [0.0, 0.0], "int32", "float16", "float16", "float32")
    assert (rounded.value[0], rounded.tolerance[0] >= 1.0) == (2049.0, True)
    assert rounded.allowed[1] & Outcome.POS_INF
    exact = sums(specs, [2048], [0.5], "int32", "float32", "float32", "float32")
    assert exact.tolerance[0] < 2.0**-10
