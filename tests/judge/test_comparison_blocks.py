# SPDX-License-Identifier: Apache-2.0
"""However the elements are cut into blocks, and the outputs into a case: the figures add up."""

from __future__ import annotations

import numpy as np
import pytest
from tests.judge.comparing import NAN, ULP16, expectation, held

from aclnn_cts.golden import expected as expectations
from aclnn_cts.golden.expected import BLOCK
from aclnn_cts.judge.comparison import compare
from aclnn_cts.judge.standards import STANDARDS, Figures, worst, yardstick_of
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite


def test_blocks_add_up() -> None:
    """Elements beyond the first block count, and keep their index."""
    size = 2 * BLOCK + 5
    expected = expectation(np.ones(size), tolerance=ULP16)
    expected.reached[-1] = 6
    actual = np.ones(size)
    actual[[BLOCK, size - 1]] = 2.0
    found = held(actual, expected)
    failures = found.failures["strict"]
    assert (failures.count, failures.first) == (2, [BLOCK, size - 1])
    assert (found.reached, found.settled) == (7, size)


def test_worst_output_speaks_for_the_case() -> None:
    """A case keeps a standard only if every output does, and shows the worst figures."""
    good = held([1.0], expectation([1.0])).figures["strict"]
    bad = held([1.0, 1.5], expectation([1.0, 1.0])).figures["strict"]
    both = worst([good, bad])
    assert (both.passed, both.elements, both.failing, both.first_failing) == (False, 3, 1, 1)
    assert both.max_abs_error == 0.5
    assert next(iter(both.as_json())) == "pass"


def test_the_worst_of_a_case() -> None:
    """Counts add up, errors are the largest, the ratio the least; the bias keeps its sign."""

    def figures(*numbers: float, passed: bool, output: str) -> Figures:
        elements, compared, failing, first = map(int, numbers[:4])
        return Figures(passed, elements, compared, failing, first, output, *numbers[4:])

    one = figures(10, 8, 0, -1, 1.0, 1.0, 0.2, 0.3, 4.0, 0.5, -0.25, 0.3, passed=True, output="a")
    other = figures(
        20, 17, 3, 7, 0.85, 0.5, 0.1, 0.6, 2.0, 1.5, 0.125, 0.4, passed=False, output="b"
    )
    whole = figures(
        30, 25, 3, 7, 0.85, 1.0, 0.2, 0.6, 4.0, 1.5, -0.25, 0.4, passed=False, output="b"
    )
    assert worst([one, other]) == worst([other, one]) == whole
    assert worst([one]) == one
    assert next(iter(whole.as_json())) == "pass"
    assert whole.as_json() == {
        "pass": False, **{name: value for name, value in vars(whole).items() if name != "passed"}
    }  # fmt: skip


@pytest.mark.parametrize("block", [1, 7, 100, 999])
def test_figures_do_not_depend_on_blocks(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    """However the elements are cut, all counts and figures are those of the whole."""
    rng = np.random.default_rng(12)
    size = 1000
    value = rng.normal(size=size)
    expected = expectation(value, tolerance=ULP16)
    expected.allowed[...] = rng.choice(np.array([1, 1, 1, 2, 3, 16, 31, 63], np.uint8), size)
    expected.contested[...] = rng.random(size) < 0.1
    expected.reached[...] = 1 << rng.integers(0, 3, size)
    actual = np.where(rng.random(size) < 0.2, value + 3 * ULP16, value)
    actual[expected.allowed == 16] = NAN
    actual[rng.random(size) < 0.1] = 0.0
    whole = held(actual, expected)
    monkeypatch.setattr(expectations, "BLOCK", block)
    cut = held(actual, expected)
    assert cut.failures == whole.failures
    assert whole.failures["strict"].count > 100
    for name in ("reached", "contested", "unpromised"):
        assert getattr(cut, name) == getattr(whole, name) > 0, name
    for standard in STANDARDS:
        one, other = cut.figures[standard].as_json(), whole.figures[standard].as_json()
        assert one.pop("output") == other.pop("output")
        assert one == pytest.approx(other)


def test_an_output_of_integers_is_compared() -> None:
    """Each must be exact, and outputs need not be contiguous."""
    yardstick = yardstick_of("int32", load_specs(find_suite()).precision)
    expected = expectation(range(4))
    right = np.repeat(np.arange(4, dtype=np.int32), 2)[::2]
    assert compare("out", right, expected, yardstick).failures["strict"].count == 0
    assert compare("out", right + 1, expected, yardstick).failures["strict"].count == 4
    floats = np.repeat(np.arange(4, dtype=np.float32), 2)[::2]
    yardstick = yardstick_of("float32", load_specs(find_suite()).precision)
    assert compare("out", floats, expected, yardstick).failures["strict"].count == 0
