# SPDX-License-Identifier: Apache-2.0
"""Expectations do not depend on how the work is cut, nor on the order of the inputs."""

from __future__ import annotations

import copy
import math
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.golden.special_calls import TYPES

from aclnn_cts.golden import elements, expectations
from aclnn_cts.golden.elements import ElementsOfOutput
from aclnn_cts.golden.expectations import evaluate, expect_case
from aclnn_cts.golden.expected import Expected
from aclnn_cts.golden.inputs import make_inputs
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

CALLS = 5

Arrays = Mapping[str, npt.NDArray[Any]]


@pytest.mark.parametrize(("block", "threads"), [(1, 1), (7, 3), (1000, 2)])
def test_results_do_not_depend_on_blocks(
    specs: SpecSet,
    planned: Callable[..., tuple[Case, ...]],
    monkeypatch: pytest.MonkeyPatch,
    block: int,
    threads: int,
) -> None:
    """Cutting the elements elsewhere gives the same bits, tails of blocks and spans included."""
    operators = ("aclnnLogitGrad", "aclnnDropoutBackward", "aclnnMseLoss", "aclnnPreluBackward")
    cases = [
        case
        for case in planned("atlas-a2", "smoke", *operators)
        if case.expects_success
        and case.scene != "cover"
        and max(math.prod(tensor.shape) for tensor in case.tensors) <= 100 * block
    ][::5]
    assert len(cases) >= 10
    for case in cases:
        inputs = make_inputs(specs, case)
        whole = expect_case(specs, case, inputs)
        with monkeypatch.context() as patched:
            patched.setattr(expectations, "LARGE", 1)
            patched.setattr(elements, "BLOCK", block)
            patched.setattr(elements, "SPAN", 3 * block)
            patched.setattr(elements, "compile_trace", lambda *_: None)
            cut = expect_case(specs, case, inputs)
            together = {name: own.whole() for name, own in cut.items()}
            parts = {
                name: [(start, copy.deepcopy(own)) for start, own in each.blocks(threads)]
                for name, each in cut.items()
            }
        for name, own in whole.items():
            for start, part in parts[name]:
                assert are_one(own.part(slice(start, start + len(part.value))), part), case.id
            assert sum(len(part.value) for _, part in parts[name]) == math.prod(own.shape)
            assert are_one(own.whole(), together[name]), (case.id, name)


@pytest.mark.parametrize("operator", ["aclnnSoftmax", "aclnnLogSoftmaxBackward"])
def test_short_rows_take_little_memory(specs: SpecSet, operator: str) -> None:
    """Off the last axis, each element is a row of its own; there spans are shorter."""
    bits = np.random.default_rng(5).standard_normal((8, 131072), np.float32)
    inputs = {tensor.name: bits for tensor in specs.operator(operator).inputs}
    tracemalloc.start()
    try:
        found = expectations.expect_call(specs, operator, inputs, {"dim": 0}, "atlas-a2")
        assert sum(len(block.value) for _, block in found["out"].blocks()) == bits.size
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 40 * bits.size


def test_compiled_loops_say_what_numpy_says(
    specs: SpecSet,
    forms: tuple[OperatorSpec, ...],
    planned: Callable[[str, str, str], tuple[Case, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Calls of operators, as if they were large: the loop runs, and its results are NumPy's.

    Strided views and broadcast tensors are among them. Large calls have axes and floating types.
    """
    for case in (
        case
        for spec in forms
        if not (spec.is_random or spec.is_contract)
        for case in some(planned, spec.operator)
    ):
        inputs = make_inputs(specs, case)
        whole = expect_case(specs, case, inputs)
        with monkeypatch.context() as patched:
            patched.setattr(expectations, "LARGE", 1)
            for name, own in expect_case(specs, case, inputs).items():
                assert are_one(whole[name].whole(), own.whole()), (case.id, name)
                # Beside 64-bit inputs NumPy computes in long double, which loops do not.
                if isinstance(own, ElementsOfOutput):
                    assert bool(own.call.known()[1]) == (own.call.on.real is np.float64), case.id


def some(planned: Callable[[str, str, str], tuple[Case, ...]], operator: str) -> Sequence[Case]:
    """Return some calls of an operator, of one data type.

    One type needs one library or two, which take up to a second to compile.
    """
    cases = [
        case
        for case in planned("atlas-a2", "smoke", operator)
        if case.expects_success and all(own.shape and own.numel for own in case.tensors)
    ]
    dtypes = [case.tensors[0].dtype for case in cases]
    dtype = next(name for name in dtypes if name in TYPES)
    own = [case for case, each in zip(cases, dtypes, strict=True) if each == dtype]
    return own[:: -(-len(own) // CALLS)]


def are_one(one: Expected, other: Expected) -> bool:
    """Whether two expectations are equal but for last bits, their alternatives included."""
    pairs = zip(one.arrays, other.arrays, strict=True)
    # Where errors are differences of values, the values' last bits are many of theirs.
    last = 1e-14 * np.where(np.isfinite(one.value), np.abs(one.value), 0.0)
    same = [np.allclose(a, b, rtol=1e-10, atol=last, equal_nan=True) for a, b in pairs]
    if one.alternatives is None or other.alternatives is None:
        return all(same) and one.alternatives is other.alternatives
    same.append(one.alternatives.index.tolist() == other.alternatives.index.tolist())
    return all(same) and are_one(one.alternatives.expected, other.alternatives.expected)


def test_the_order_of_the_inputs_does_not_matter(specs: SpecSet) -> None:
    """An output's type follows from the input that the spec names, not from the first one."""
    gradient = np.array([1.0, -2.0, 3.0], np.float16)
    mask = np.full(16, 0b101, np.uint8)
    calls: list[Arrays] = [
        {"gradOutput": gradient, "mask": mask},
        {"mask": mask, "gradOutput": gradient},
    ]
    found = [
        evaluate(specs, "aclnnDropoutBackward", call, {"scale": 1.25}, "atlas-a2")["out"]
        for call in calls
    ]
    for name in ("value", "allowed", "tolerance", "reached"):
        one, other = (getattr(each, name) for each in found)
        assert one.tobytes() == other.tobytes(), name
    assert found[0].value.tolist() == [1.25, 0.0, 3.75]
