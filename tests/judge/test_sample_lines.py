# SPDX-License-Identifier: Apache-2.0
"""The lines of a story that a person copies or compares are whole."""

from __future__ import annotations

from typing import Any

from aclnn_cts.judge.evidence import Sample, absolute_error_of, allowed_error_of
from aclnn_cts.judge.story import WIDTH, tell_story
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.command_line import Ran

INPUTS = (("x", 0.389767438), ("dy", -3.50795174))
SAMPLE = Sample("out", (3, 5), INPUTS, "14.7486638", 1.30577099e36, 1.369e42, 3.1e-06)
RAN = Ran("smoke", "current", "strict")


def story(case: Any, *samples: Sample) -> list[str]:
    verdict = CaseVerdict(
        case.id, case.operator, Verdict.FAIL, kinds=frozenset({"value"}), samples=samples
    )
    return tell_story(case, verdict, {}, RAN).splitlines()


def test_inputs_come_before_the_tolerance(bench: Any) -> None:
    """Where a line is short of room: with the inputs one can look for the cause."""
    (line,) = (each for each in story(bench.case("c", [0.5], [1.0]), SAMPLE) if "out[" in each)
    assert "x 0.389767438, dy -3.50795174" in line
    assert "+1.369e+42 ulp" in line
    assert "tolerance" not in line
    assert len(line) <= WIDTH


def test_ids_are_whole(bench: Any) -> None:
    """The case's and its twin's, however long: they are there to be copied."""
    name, twin = "LogitGrad." + "a" * 140, "LogitGrad." + "b" * 140
    told = story(bench.case(name, [0.5], [1.0], twin=twin))
    assert told[0] == f"FAIL {name}"
    assert f"  its twin, which must work: {twin}" in told


def test_errors_and_what_is_allowed_have_one_unit() -> None:
    """The absolute error stands beside the absolute tolerance; what has no size has neither."""
    near = Sample("out", (0,), (), "1.5", 1.50001, 84.0, 1e-7)
    assert (absolute_error_of(near), allowed_error_of(near)) == ("1e-05", "1e-07")
    for expected, ulps in (("NaN", float("inf")), ("1 or 2", 3.0)):
        odd = Sample("out", (0,), (), expected, 1.0, ulps, 1e-7)
        assert (absolute_error_of(odd), allowed_error_of(odd)) == ("–", "–")
