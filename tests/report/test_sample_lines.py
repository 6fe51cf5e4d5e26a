# SPDX-License-Identifier: Apache-2.0
"""The lines of a story that a person copies or compares are whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from aclnn_cts.judge.clauses import clause_texts
from aclnn_cts.judge.samples import Sample
from aclnn_cts.judge.verdicts import CaseVerdict, Common, Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.command_line import Ran
from aclnn_cts.report.failure_message import (
    WIDTH,
    absolute_error_of,
    allowed_error_of,
    failure_message,
)

INPUTS = (("x", 0.389767438), ("dy", -3.50795174))
SAMPLE = Sample("out", (3, 5), INPUTS, "14.7486638", 1.30577099e36, 1.369e42, 3.1e-06)
RAN = Ran("smoke", "current", "strict")


def story(case: Any, *samples: Sample) -> list[str]:
    verdict = CaseVerdict(
        case.id, case.operator, Verdict.FAIL, kinds=frozenset({"value"}), samples=samples
    )
    return failure_message(case, verdict, {}, RAN).splitlines()


def test_inputs_come_before_the_tolerance(bench: Any) -> None:
    """Where a line is short of room: with the inputs one can look for the cause."""
    (line,) = (each for each in story(bench.case("c", [0.5], [1.0]), SAMPLE) if "out[" in each)
    assert "x 0.389767438, dy -3.50795174" in line
    assert "+1.369e+42 ulp" in line
    assert "tolerance" not in line
    assert len(line) <= WIDTH


def test_samples_and_tensors_go_on_in_the_next_line(
    bench: Any, planned: Callable[[str, str], tuple[Case, ...]]
) -> None:
    """What came back, and the storage behind a view, are never cut off."""
    inputs = tuple((name, -0.28515625) for name in ("dy", "mean", "rstd", "x"))
    long = Sample("dxOut", (0, 1), inputs, "-0.252960911", 0.5, 1e9, 1e-6)
    told = " ".join(" ".join(story(bench.case("c", [0.5], [1.0]), long)).split())
    assert "rstd -0.28515625, x -0.28515625: expected -0.252960911, got 0.5, +1e+09 ulp" in told
    case = next(
        case for case in planned("atlas-a2", "smoke") if "gradOutput_stepped-all" in case.id
    )
    (view,) = (tensor for tensor in case.tensors if tensor.layout == "stepped-all")
    assert view.fill
    lines = story(case)
    assert f"in {list(view.storage)}, {view.fill.kind}" in " ".join(" ".join(lines).split())
    assert all(len(line) <= WIDTH for line in lines)


def test_each_output_has_its_share(bench: Any) -> None:
    """Elements of all outputs that are wrong are told, and no output takes the others' room."""
    samples = [replace(SAMPLE, output=name) for name in ("dx", "dgamma", "dbeta") for _ in range(4)]
    lines = story(bench.case("c", [0.5], [1.0]), *samples)
    told = [line.split("[")[0].strip() for line in lines if "expected" in line]
    assert told == ["dx", "dx", "dgamma", "dgamma", "dbeta", "dbeta"]
    assert (
        sum("expected" in line for line in story(bench.case("c", [0.5], [1.0]), *samples[:4])) == 4
    )


def test_a_type_in_which_alone_values_are_wrong_says_where(bench: Any) -> None:
    """It was not refused: what was computed wrong leads, and the type stands behind it."""
    case = bench.case("c", [0.5], [1.0], dtype="bfloat16")
    verdict = CaseVerdict(
        case.id,
        case.operator,
        Verdict.FAIL,
        ("formula", "x-dtype", "dy-dtype"),
        kinds=frozenset({"value"}),
        only_in=(Common("bfloat16", ("x-dtype", "dy-dtype")),),
    )
    lines = failure_message(
        case, verdict, clause_texts(bench.specs, case.operator), RAN
    ).splitlines()
    assert lines[1].startswith("broken: formula: dx is")
    assert lines[3] == "only in: bfloat16 (x-dtype, dy-dtype)"
    assert sum(line.startswith("broken:") for line in lines) == 1


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
