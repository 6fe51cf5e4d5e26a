# SPDX-License-Identifier: Apache-2.0
"""Expectations do not depend on how the work is cut, nor on the order of the inputs."""

from __future__ import annotations

import copy
import functools
import math
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.golden.special_calls import TYPES, special_call
from tests.whole_calls import evaluate

from aclnn_cts.golden import elements, expectations
from aclnn_cts.golden.expectations import expect_call, expect_case
from aclnn_cts.golden.expected import RULES, Expected, Questions, tallies
from aclnn_cts.golden.inputs import make_inputs
from aclnn_cts.judge.comparison import Comparing
from aclnn_cts.judge.standards import yardstick_of
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


def test_calls_on_demand_are_those_in_memory(
    specs: SpecSet,
    forms: tuple[OperatorSpec, ...],
    planned: Callable[[str, str, str], tuple[Case, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Calls of operators, as if they were large; strided and broadcast tensors are among them."""
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


def some(planned: Callable[[str, str, str], tuple[Case, ...]], operator: str) -> Sequence[Case]:
    """Return some calls of an operator, of all its data types."""
    cases = [
        case
        for case in planned("atlas-a2", "smoke", operator)
        if case.expects_success and all(own.shape and own.numel for own in case.tensors)
    ]
    return cases[:: max(1, -(-len(cases) // CALLS))]


CUT: dict[str, list[tuple[int, ...]]] = {
    "aclnnLogitGrad": [(2, 8, 50, 41)],
    "aclnnDropoutBackward": [(2, 8, 50, 41)],
    "aclnnPreluBackward": [(3, 8, 5, 47), (40, 8), (2, 8, 300)],
    "aclnnGroupNormSwishGrad": [(3, 8, 5, 47), (40, 8), (2, 8, 300)],
    "aclnnMaxPool2dWithMaskBackward": [(3, 8, 5, 47), (2, 1, 60, 41), (1, 1, 3, 1500)],
}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    ("operator", "shape"), [(name, shape) for name, shapes in CUT.items() for shape in shapes]
)
def test_special_elements_do_not_depend_on_blocks(
    monkeypatch: pytest.MonkeyPatch,
    specs: SpecSet,
    operator: str,
    shape: tuple[int, ...],
    dtype: str,
) -> None:
    """Elements, sums and windows, in rows of any length, by block, by index and by slice."""
    inputs, attributes = special_call(operator, dtype, shape)
    whole = evaluate(specs, operator, inputs, attributes, "atlas-a2")
    monkeypatch.setattr(expectations, "LARGE", 1)
    for block in (64, 1000):
        monkeypatch.setattr(elements, "BLOCK", block)
        for name, own in expect_call(specs, operator, inputs, attributes, "atlas-a2").items():
            size = math.prod(own.shape)
            index = np.arange(min(5, size - 1), size, 7)
            assert are_one(own.whole(), whole[name])
            assert are_one(own.at(index), whole[name].at(index))
            for part in (slice(0, 30), slice(40, 300), slice(max(size - 50, 0), size)):
                if part.start < size:
                    assert are_one(own.part(part), whole[name].part(part))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("operator", CUT)
def test_answers_do_not_depend_on_blocks(
    monkeypatch: pytest.MonkeyPatch, specs: SpecSet, operator: str, threads: int
) -> None:
    """The totals of a question over blocks are those over all elements in memory."""
    inputs, attributes = special_call(operator, "float16", (2, 8, 50, 41))
    whole = evaluate(specs, operator, inputs, attributes, "atlas-a2")
    yardstick = yardstick_of("float16", specs.precision)
    question = Questions((("found", Comparing(yardstick, "float16")),))
    monkeypatch.setattr(expectations, "LARGE", 1)
    monkeypatch.setattr(elements, "BLOCK", 1000)
    for name, own in expect_call(specs, operator, inputs, attributes, "atlas-a2").items():
        expected = whole[name].flat()
        draw = np.random.default_rng(5).random(expected.value.size)
        actual = np.where(draw < 0.1, expected.value * 1.01, expected.value)
        actual[draw > 0.95] = np.nan
        with np.errstate(over="ignore"):
            back = {"found actual": actual.astype(np.float16)}
        wanted = expected.tally(question, back)
        parts = list(tallies(own, question, back, threads))
        assert [each.start for each in parts[1:]] == [each.part.stop for each in parts[:-1]]
        assert wanted["found strict"] > 0 or actual.size <= 8
        for key, rule in question.rules.items():
            found = functools.reduce(RULES[rule], (part.totals[key] for part in parts))
            assert found == pytest.approx(wanted[key], rel=1e-6, abs=1e-9, nan_ok=True), key


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
