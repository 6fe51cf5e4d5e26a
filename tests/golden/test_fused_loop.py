# SPDX-License-Identifier: Apache-2.0
"""The loop that evaluates and compares at once says what NumPy says of expectations in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pytest
from tests.golden.special_calls import SUMS, TYPES, special_call

from aclnn_cts.golden import elements, expectations
from aclnn_cts.golden.elements import ElementsOfOutput
from aclnn_cts.golden.expectations import evaluate, expect_call
from aclnn_cts.golden.expected import Expected, Outcome, Questions, Totals, joined
from aclnn_cts.golden.resolution import Resolving
from aclnn_cts.judge.comparison import Comparing
from aclnn_cts.judge.standards import yardstick_of
from aclnn_cts.spec.loading import SpecSet

OUTCOMES = (Outcome.VALUE, Outcome.ZERO, Outcome.POS_INF, Outcome.NEG_INF, Outcome.NAN)
CLAUSES = range(12)
SHAPE = (2, 8, 50, 41)


@dataclass(frozen=True)
class Counting:
    """How many elements have each outcome and clause, and what their numbers come to."""

    reads: ClassVar[Mapping[str, str]] = {}
    rules: ClassVar[Mapping[str, str]] = {
        **{f"{name} {bit.name}": "+" for name in ("allowed", "formula") for bit in OUTCOMES},
        **{f"clause {number}": "+" for number in CLAUSES},
        **dict.fromkeys(("contested", "undecided", "value", "own", "tolerance"), "+"),
        "rare": "or",
    }

    def __call__(self, arrays: Mapping[str, Any], expected: Expected) -> dict[str, Any]:
        """Return a condition or a number of each element."""
        del arrays
        found: dict[str, Any] = {
            f"{name} {bit.name}": np.not_equal(getattr(expected, name) & np.uint8(bit), 0)
            for name in ("allowed", "formula")
            for bit in OUTCOMES
        }
        for number in CLAUSES:
            bit = np.uint64(1 << number)
            found[f"clause {number}"] = np.not_equal(expected.reached & bit, 0)
        for name in ("contested", "undecided"):
            found[name] = getattr(expected, name)
        for name in ("value", "own", "tolerance"):
            # Those of extreme elements would hide all others in the sum.
            size = np.abs(getattr(expected, name))
            found[name] = np.where(size < 1e6, size, 0.0)
        # Of an ordinary gradient few elements lie there, and no special value does.
        size = np.abs(expected.value)
        rare = (size > 8.0) & (size < 9.0)
        found["rare"] = np.where(rare, np.uint64(2), np.uint64(1))
        return found


def came_back(expected: Expected, dtype: str) -> npt.NDArray[Any]:
    """Return the outputs of a device that is right for most elements, by any class allowed."""
    own, draw = expected.flat(), np.random.default_rng(5)
    value = np.where(draw.random(own.value.size) < 0.1, own.value * 1.01, own.value)
    for outcome, other in ((Outcome.NAN, np.nan), (Outcome.POS_INF, np.inf), (Outcome.ZERO, 0.0)):
        value = np.where(
            (own.allowed & outcome != 0) & (draw.random(value.size) < 0.5), other, value
        )
    special = draw.random(value.size) < 0.05
    value[special] = draw.choice([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40], special.sum())
    with np.errstate(over="ignore"):
        return value.astype(TYPES[dtype])


def total(parts: list[Totals], question: Questions) -> Totals:
    """Return the totals of all spans."""
    found = parts[0]
    for part in parts[1:]:
        found = joined(question.rules, found, part)
    return found


@pytest.mark.parametrize(
    ("operator", "dtype"),
    [
        *(("aclnnLogitGrad", dtype) for dtype in TYPES),
        ("aclnnDropoutBackward", "bfloat16"),
        ("aclnnGroupNormSwishGrad", "float32"),
        ("aclnnGroupNormSwishGrad", "float16"),
        ("aclnnMaxPool2dWithMaskBackward", "float16"),
        ("aclnnPreluBackward", "bfloat16"),
    ],
)
def test_a_fused_loop_says_what_numpy_says(
    monkeypatch: pytest.MonkeyPatch, specs: SpecSet, operator: str, dtype: str
) -> None:
    """Outcomes, clauses, comparison and resolving power, with all special values in all inputs.

    Sums may differ by their order, and what follows from them: numbers are nearly equal, counts and
    bits are equal. With one span and with several, by one thread and by two.
    """
    inputs, attributes = special_call(operator, dtype, SHAPE)
    if operator in SUMS:
        # Sums with flushed terms have several expectations, which no single loop answers.
        normal = np.finfo(np.float32).tiny if dtype != "float16" else 2.0**-14
        inputs = {
            name: np.where(np.abs(own.astype(np.float64)) < normal, own.dtype.type(0), own)
            for name, own in inputs.items()
        }
    yardstick = yardstick_of(dtype, specs.precision)
    comparing, resolving = Comparing(yardstick, dtype), Resolving(yardstick.floating)
    question = Questions(
        (("counting", Counting()), ("comparing", comparing), ("resolving", resolving))
    )
    whole = evaluate(specs, operator, inputs, attributes, "atlas-a2")
    monkeypatch.setattr(expectations, "LARGE", 1)
    for span, threads in ((elements.SPAN, 1), (2000, 2)):
        monkeypatch.setattr(elements, "SPAN", span)
        monkeypatch.setattr(elements, "COUNTED", span)
        made = expect_call(specs, operator, inputs, attributes, "atlas-a2")
        for output, own in made.items():
            back = {"comparing actual": came_back(whole[output], dtype)}
            wanted = whole[output].flat().tally(question, back)
            if isinstance(own, ElementsOfOutput):
                assert wanted["comparing strict"] > 0
                assert own.call.loop(output, question) is not None
            found = total([each.totals for each in own.tallies(question, back, threads)], question)
            # Errors of sums are differences, which lose digits.
            share = 1e-6 if operator in SUMS else 1e-9
            for name, number in wanted.items():
                if isinstance(number, float):
                    number = pytest.approx(number, rel=share, abs=1e-9, nan_ok=True)  # noqa: PLW2901
                assert found[name] == number, (output, name)


def test_a_question_leaves_the_elements_as_they_are(
    monkeypatch: pytest.MonkeyPatch, specs: SpecSet
) -> None:
    """Single elements can be looked at after a question, as the judge does where some fail."""
    inputs, attributes = special_call("aclnnLogitGrad", "float32", SHAPE)
    whole = evaluate(specs, "aclnnLogitGrad", inputs, attributes, "atlas-a2")["out"]
    monkeypatch.setattr(expectations, "LARGE", 1)
    own = expect_call(specs, "aclnnLogitGrad", inputs, attributes, "atlas-a2")["out"]
    comparing = Comparing(yardstick_of("float32", specs.precision), "float32")
    list(own.tallies(comparing, {"actual": came_back(whole, "float32")}))
    np.testing.assert_array_equal(own.part(slice(7, 900)).value, whole.part(slice(7, 900)).value)
