# SPDX-License-Identifier: Apache-2.0
"""Cases as JSON: what is read back is what was written, to the last bit."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.plan.cases import (
    AttributeValue,
    Case,
    Fill,
    TensorCase,
    case_to_json,
)
from aclnn_cts.run.planned_cases import PlannedCase, pack_cases, unpack_cases

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.text(),
    st.lists(st.integers(-(2**63), 2**63 - 1) | st.booleans()).map(tuple),
)
TENSOR = TensorCase(
    "x", "input", "float32", (2, 3), (3, 1), 0, (2, 3), "ND", "contiguous", "data", Fill("uniform")
)


def again(case: Case) -> Case:
    (planned,) = unpack_cases(pack_cases([PlannedCase(case)]))
    return planned.case


def a_case(attributes: dict[str, AttributeValue], thresholds: tuple[float, ...] = ()) -> Case:
    tensor = replace(TENSOR, fill=Fill("around-thresholds", thresholds, "seed/x"))
    output = replace(TENSOR, name="out", role="output", source="output", fill=None)
    return Case(
        "Op.cover.1234567890", "aclnnOp", "atlas-a2", "cover", "smoke", (tensor, output),
        attributes, (0, 161002), ("x-dtype",), None, basis="status", refused_by=("dtype-differs",),
        is_launched=False, names=dict(attributes), deterministic=True,
    )  # fmt: skip


@given(st.dictionaries(st.text(min_size=1), VALUES), st.lists(st.floats()).map(tuple))
def test_round_trip_is_exact(
    attributes: dict[str, AttributeValue], thresholds: tuple[float, ...]
) -> None:
    """All types of values, Inf, NaN and -0.0 among them, come back as they were (repr tells)."""
    case = a_case(attributes, thresholds)
    assert repr(again(case)) == repr(case)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -0.0, 5e-324, 0.1])
def test_special_attributes(value: float) -> None:
    """Numbers that JSON has no word for are kept."""
    found = again(a_case({"eps": value})).attributes["eps"]
    assert isinstance(found, float)
    assert (found.hex(), math.copysign(1, found)) == (value.hex(), math.copysign(1, value))


def test_every_planned_case(planned: Callable[..., tuple[Case, ...]]) -> None:
    """The real plan survives, and its JSON is what strict readers accept."""
    for case in planned("atlas-a2", "smoke"):
        assert repr(again(case)) == repr(case)
        json.dumps(case_to_json(case), allow_nan=False)
