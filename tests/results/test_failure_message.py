# SPDX-License-Identifier: Apache-2.0
"""The message of a failing case: its clauses, wrong elements, call and command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aclnn_cts.judge.comparison import Sample
from aclnn_cts.judge.features import facts_of
from aclnn_cts.judge.verdicts import CaseVerdict, Common, Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.results.commands import MOST_COMPANY, RunSetup, run_command
from aclnn_cts.results.failure_message import (
    MOST_LINES,
    WIDTH,
    absolute_error_of,
    allowed_error_of,
    clauses_to_name,
    common_texts,
    describe_call,
    failure_message,
    text_in,
)
from aclnn_cts.spec.loading import SpecSet


def test_a_failing_case_tells_everything(bench: Any) -> None:
    """Clause with text and place, counts, first elements, the case, and the command are there."""
    case = bench.case("logit.f32.a", [0.25, 0.5, 2.0], [1.0, 2.0, 3.0], eps=0.1)
    told = bench.kept(case, np.array([5.333334, 8.1, 1.0], np.float32))
    verdict = bench.judge(told)
    story = failure_message(
        case, verdict, bench.specs.clause_texts(case.operator), RunSetup("smoke")
    )
    lines = story.splitlines()
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= WIDTH
    for fact in (
        "eps-outside: with eps at or above 0, an x outside [eps, 1 - eps] gives 0",
        "aclnnLogitGrad, constraints, eps, second item",
        "2 of 3 elements of out are wrong",
        "out[1]: x 0.5, dy 2: expected 8, got 8.1",
        "ulp (tolerance",
        "out[2]: x 2, dy 3: expected 0, got 1",
        "x: input float32 [3]",
        "eps=0.1",
        "aclnn-cts run --product atlas-a2 --tier smoke --case logit.f32.a",
    ):
        assert fact in " ".join(story.split())


@pytest.mark.parametrize(
    ("card", "told", "option"), [(3, "card 3", "--devices 3"), (-1, "card not recorded", "")]
)
def test_it_names_the_card(bench: Any, card: int, told: str, option: str) -> None:
    """The message says where the case ran, and the command takes the same card."""
    case = bench.case("logit.f32.a", [0.25], [1.0], eps=0.1)
    verdict = replace(bench.judge(bench.kept(case, np.array([9], np.float32))), host="lab-07")
    texts, ran = bench.specs.clause_texts(case.operator), RunSetup("smoke", cann="/cann")
    story = failure_message(case, replace(verdict, card=card), texts, ran)
    assert f"ran on: lab-07, {told}" in story.splitlines()
    assert option in story
    assert ("--devices" in story) == bool(option)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(
    st.text(max_size=3000),
    st.lists(st.sampled_from(["formula", "eps-outside", "two-phase", "x" * 300]), max_size=40),
    st.integers(0, 10),
)
def test_never_too_long(bench: Any, message: str, broken: list[str], samples: int) -> None:
    """Whatever a device says, and however much is broken, the story keeps its size."""
    case = bench.case("c" * 60, [0.5], [1.0])
    sample = Sample("out", (0,) * 8, (("x", 1e-30),) * 6, "1" * 90, 1.0, 2.0, 3.0)
    verdict = CaseVerdict(
        case.id,
        case.operator,
        Verdict.FAIL,
        tuple(broken),
        message=message,
        samples=(sample,) * samples,
        remarks=(message,),
    )
    lines = failure_message(
        case, verdict, {"formula": ("t" * 500, "p" * 500)}, RunSetup("full")
    ).splitlines()
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= WIDTH
    assert lines[-1].endswith(f"--case {case.id}")


def test_a_requirement_that_is_not_enforced_is_named(bench: Any) -> None:
    """The story names it with its text and place, and repeats its sentence nowhere."""
    case = bench.refusal("r", statuses=(), basis="requirement")
    one = {**bench.phases(case)[0], "status": 0}
    told = case, bench.framed(case, [one, {**one, "run": 1}]), b""
    verdict = bench.judge(told)
    assert (verdict.unenforced, verdict.remarks) == (("dtype-differs",), ())
    ran = RunSetup("smoke", enforce=True)
    story = failure_message(case, verdict, bench.specs.clause_texts(case.operator), ran)
    head, clause, *_ = story.splitlines()
    assert head == "UNENFORCED r"
    assert clause.startswith("clause: dtype-differs: dy and out have the data type of x [")
    assert story.count("accepted the call") == 1
    assert "note:" not in story
    assert story.endswith("--tier smoke --enforce --case r")


def test_the_command_names_what_is_not_usual() -> None:
    """Standard, edition and fault stand there only where leaving them out changes the verdict."""
    facts = ("LogitGrad.a.1", "atlas-a2")
    usual = ("aclnn-cts run --product atlas-a2 --tier smoke", "--case LogitGrad.a.1")
    assert run_command(*facts, RunSetup("smoke")) == usual
    start, _ = run_command(*facts, RunSetup("smoke", "earlier", "ecosystem", fault="logit-x"))
    assert start == f"{usual[0]} --standard ecosystem --edition earlier --fault logit-x"


def test_the_command_names_the_device() -> None:
    """On a host that has a card it takes the simulated device, if that showed it, and vice versa.

    A fault is one of the simulated device, and a crash may be the sanitizers' own.
    """
    facts, case = ("LogitGrad.a.1", "atlas-a2"), "--case LogitGrad.a.1"
    usual = "aclnn-cts run --product atlas-a2 --tier smoke"
    assert run_command(*facts, RunSetup("smoke", simulator=True)) == (f"{usual} --simulator", case)
    faulty = RunSetup("smoke", simulator=True, fault="logit-x")
    assert run_command(*facts, faulty) == (f"{usual} --fault logit-x", case)
    right = RunSetup("smoke", simulator=True, variant="logit-y")
    assert run_command(*facts, right) == (f"{usual} --variant logit-y", case)
    watched = RunSetup("smoke", simulator=True, sanitize=True)
    assert run_command(*facts, watched) == (f"{usual} --simulator --sanitize", case)
    real = RunSetup("smoke", cann="/opt/my cann/8.5.0")
    assert run_command(*facts, real) == (usual, "--cann '/opt/my cann/8.5.0'", case)
    fifth = RunSetup("smoke", cann="/opt/cann", number=4)
    assert run_command(*facts, fifth) == (f"{usual} --devices 4", "--cann /opt/cann", case)


def test_a_long_path_has_a_line_of_its_own(bench: Any) -> None:
    """The command can be copied whole, and the story keeps its width."""
    case = bench.case("logit.f32.a", [0.5], [1.0])
    verdict = CaseVerdict(case.id, case.operator, Verdict.FAIL)
    folder = "/usr/local/Ascend/ascend-toolkit/8.5.0"
    lines = failure_message(case, verdict, {}, RunSetup("smoke", cann=folder)).splitlines()
    assert lines[-3:] == [
        "again:  aclnn-cts run --product atlas-a2 --tier smoke \\",
        f"    --cann {folder} \\",
        "    --case logit.f32.a",
    ]
    short = failure_message(case, verdict, {}, RunSetup("smoke", cann="/opt/cann")).splitlines()
    assert short[-1].endswith("--tier smoke --cann /opt/cann --case logit.f32.a")


def test_the_command_runs_the_company_too(bench: Any) -> None:
    """A case that passes alone is told with a command in which it fails: behind the other case."""
    case = bench.case("logit.f32.a", [0.5], [1.0])
    verdict = CaseVerdict(case.id, case.operator, Verdict.FAIL, after=("logit.f32.b",))
    lines = failure_message(case, verdict, {}, RunSetup("smoke")).splitlines()
    assert lines[-3:] == [
        "again:  aclnn-cts run --product atlas-a2 --tier smoke \\",
        "    --case logit.f32.b \\",
        "    --case logit.f32.a",
    ]


def test_a_company_too_large_to_name_is_run_with_its_operator(bench: Any) -> None:
    """The command is never one in which the case passes: all of the operator brings the company."""
    case = bench.case("logit.f32.a", [0.5], [1.0])
    company = tuple(f"logit.f32.b{number}" for number in range(MOST_COMPANY + 1))
    verdict = CaseVerdict(case.id, case.operator, Verdict.FAIL, after=company)
    lines = failure_message(case, verdict, {}, RunSetup("smoke")).splitlines()
    assert lines[-2:] == [
        "again:  aclnn-cts run --product atlas-a2 --tier smoke --operator aclnnLogitGrad",
        "        all cases of the operator: it fails only after 5 of them, and passes alone",
    ]
    verdict = CaseVerdict(case.id, case.operator, Verdict.FAIL, after=company[1:])
    told = failure_message(case, verdict, {}, RunSetup("smoke"))
    assert told.count("--case") == MOST_COMPANY + 1
    assert len(told.splitlines()) <= MOST_LINES


INPUTS = (("x", 0.389767438), ("dy", -3.50795174))
SAMPLE = Sample("out", (3, 5), INPUTS, "14.7486638", 1.30577099e36, 1.369e42, 3.1e-06)
RAN = RunSetup("smoke", "current", "strict")


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
    bench: Any, planned: Callable[..., tuple[Case, ...]]
) -> None:
    """What came back, and the storage behind a view, are never cut off."""
    inputs = tuple((name, -0.28515625) for name in ("dy", "mean", "rstd", "x"))
    long = Sample("dxOut", (0, 1), inputs, "-0.252960911", 0.5, 1e9, 1e-6)
    told = " ".join(" ".join(story(bench.case("c", [0.5], [1.0]), long)).split())
    assert "rstd -0.28515625, x -0.28515625: expected -0.252960911, got 0.5, +1e+09 ulp" in told
    cases = planned("atlas-a2", "smoke", "aclnnPreluBackward")
    case = next(case for case in cases if "gradOutput_stepped-all" in case.id)
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
        case, verdict, bench.specs.clause_texts(case.operator), RAN
    ).splitlines()
    assert lines[1].startswith("broken: formula: dx is")
    assert lines[3] == "only in: bfloat16 (x-dtype, dy-dtype)"
    assert sum(line.startswith("broken:") for line in lines) == 1


def test_ids_are_whole(bench: Any) -> None:
    """The case's and its twin's, however long: they are there to be copied."""
    name, twin = "LogitGrad." + "a" * 140, "LogitGrad." + "b" * 140
    told = story(bench.case(name, [0.5], [1.0], twin=twin))
    assert told[0] == f"FAIL {name}"
    assert f"  its valid twin: {twin}" in told


def test_errors_and_what_is_allowed_have_one_unit() -> None:
    """The absolute error stands beside the absolute tolerance; what has no size has neither."""
    near = Sample("out", (0,), (), "1.5", 1.50001, 84.0, 1e-7)
    assert (absolute_error_of(near), allowed_error_of(near)) == ("1e-05", "1e-07")
    for expected, ulps in (("NaN", float("inf")), ("1 or 2", 3.0)):
        odd = Sample("out", (0,), (), expected, 1.0, ulps, 1e-7)
        assert (absolute_error_of(odd), allowed_error_of(odd)) == ("–", "–")


@pytest.mark.parametrize(
    ("broken", "told", "rest"),
    [
        ((), (), ()),
        (("a", "b", "formula"), ("a", "b", "formula"), ()),
        (("a", "b", "c", "formula"), ("a", "b", "formula"), ("c",)),
    ],
)
def test_what_the_elements_break_is_always_told(
    broken: tuple[str, ...], told: tuple[str, ...], rest: tuple[str, ...]
) -> None:
    """It stands last, behind what explains the whole run; none is lost, none told twice."""
    assert clauses_to_name(broken) == (told, rest)


def test_in_what_alone_values_are_wrong_is_told_apart() -> None:
    """An accepted type is not a broken promise to read first, however many tensors have it."""
    common = Common("bfloat16", ("x-dtype", "dy-dtype"))
    assert clauses_to_name(("formula", "x-dtype", "dy-dtype"), [common]) == (("formula",), ())
    assert common_texts(common) == "bfloat16 (x-dtype, dy-dtype)"


def test_the_type_and_the_layout_that_fail_are_named(bench: Any) -> None:
    """One of three data types is broken, or one of several layouts: the text says which."""
    case = bench.case("c", [0.5], [1.0], dtype="bfloat16", layout="stepped")
    assert text_in(case, "x-dtype", "x has three types") == "x has three types (here bfloat16)"
    assert text_in(case, "x-non-contiguous", "x may be") == "x may be (here stepped)"
    assert text_in(case, "formula", "dx is dy") == "dx is dy"
    assert text_in(case, "x-dtype", "") == ""


def test_the_type_of_a_scalar_is_named(bench: Any, specs: SpecSet) -> None:
    """In the call, in the clause about it, and among the facts that failing cases may share."""
    case = bench.case("c", [0.5], [1.0], eps=3)
    case = replace(case, scalars={"eps": "int8"})
    assert "  eps=3 (int8)" in describe_call(case)
    assert text_in(case, "eps-dtype", "eps has two types") == "eps has two types (here int8)"
    assert "eps int8" in facts_of(specs.operator(case.operator), case)


def test_the_layout_of_a_tensor_of_several_words_is_named(
    planned: Callable[..., tuple[Case, ...]],
) -> None:
    """Clauses write ``gradOutput`` with a hyphen; the text says its layout all the same."""
    case = next(
        case
        for case in planned("atlas-a2", "smoke")
        for tensor in case.tensors
        if (tensor.name, tensor.layout) == ("gradOutput", "stepped")
    )
    told = text_in(case, "grad-output-non-contiguous", "gradOutput may be non-contiguous")
    assert told == "gradOutput may be non-contiguous (here stepped)"
