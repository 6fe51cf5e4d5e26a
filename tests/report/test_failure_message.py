# SPDX-License-Identifier: Apache-2.0
"""The text of a failing item: everything a person needs, in lines of 110 characters."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aclnn_cts.judge.case_judge import judge_case
from aclnn_cts.judge.clauses import clause_texts
from aclnn_cts.judge.judge_run import output_reader
from aclnn_cts.judge.samples import Sample
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.command_line import MOST_COMPANY, Ran, run_command
from aclnn_cts.report.failure_message import MOST_LINES, WIDTH, failure_message


def test_a_failing_case_tells_everything(bench: Any) -> None:
    """Clause with text and place, counts, first elements, the case, and the command are there."""
    case = bench.case("logit.f32.a", [0.25, 0.5, 2.0], [1.0, 2.0, 3.0], eps=0.1)
    told = bench.kept(case, np.array([5.333334, 8.1, 1.0], np.float32))
    path = bench.folder / "out.bin"
    path.write_bytes(told[2])
    record = bench.record(told)
    verdict = judge_case(
        bench.specs, case, bench.reference(case), record, output_reader(path), "strict"
    )
    story = failure_message(case, verdict, clause_texts(bench.specs, case.operator), Ran("smoke"))
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
        case, verdict, {"formula": ("t" * 500, "p" * 500)}, Ran("full")
    ).splitlines()
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= WIDTH
    assert lines[-1].endswith(f"--case {case.id}")


def test_a_requirement_that_is_not_enforced_is_named(bench: Any) -> None:
    """The story names it with its text and place, and repeats its sentence nowhere."""
    case = bench.refusal("r", statuses=(), basis="requirement")
    one = {**bench.phases(case)[0], "status": 0}
    told = case, bench.framed(case, [one, {**one, "run": 1}]), b""
    record, reader = bench.record(told), output_reader(bench.folder / "none")
    verdict = judge_case(bench.specs, case, bench.reference(case), record, reader, "strict")
    assert (verdict.unenforced, verdict.remarks) == (("dtype-differs",), ())
    ran = Ran("smoke", enforce=True)
    story = failure_message(case, verdict, clause_texts(bench.specs, case.operator), ran)
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
    assert run_command(*facts, Ran("smoke")) == usual
    start, _ = run_command(*facts, Ran("smoke", "earlier", "ecosystem", fault="logit-x"))
    assert start == f"{usual[0]} --standard ecosystem --edition earlier --fault logit-x"


def test_the_command_names_the_device() -> None:
    """On a host that has a card it takes the simulated device, if that showed it, and vice versa.

    A fault is one of the simulated device, and a crash may be the sanitizers' own.
    """
    facts, case = ("LogitGrad.a.1", "atlas-a2"), "--case LogitGrad.a.1"
    usual = "aclnn-cts run --product atlas-a2 --tier smoke"
    assert run_command(*facts, Ran("smoke", simulator=True)) == (f"{usual} --simulator", case)
    faulty = Ran("smoke", simulator=True, fault="logit-x")
    assert run_command(*facts, faulty) == (f"{usual} --fault logit-x", case)
    right = Ran("smoke", simulator=True, variant="logit-y")
    assert run_command(*facts, right) == (f"{usual} --variant logit-y", case)
    watched = Ran("smoke", simulator=True, sanitize=True)
    assert run_command(*facts, watched) == (f"{usual} --simulator --sanitize", case)
    real = Ran("smoke", cann="/opt/my cann/8.5.0")
    assert run_command(*facts, real) == (usual, "--cann '/opt/my cann/8.5.0'", case)
    fifth = Ran("smoke", cann="/opt/cann", number=4)
    assert run_command(*facts, fifth) == (f"{usual} --devices 4", "--cann /opt/cann", case)


def test_a_long_path_has_a_line_of_its_own(bench: Any) -> None:
    """The command can be copied whole, and the story keeps its width."""
    case = bench.case("logit.f32.a", [0.5], [1.0])
    verdict = CaseVerdict(case.id, case.operator, Verdict.FAIL)
    folder = "/usr/local/Ascend/ascend-toolkit/8.5.0"
    lines = failure_message(case, verdict, {}, Ran("smoke", cann=folder)).splitlines()
    assert lines[-3:] == [
        "again:  aclnn-cts run --product atlas-a2 --tier smoke \\",
        f"    --cann {folder} \\",
        "    --case logit.f32.a",
    ]
    short = failure_message(case, verdict, {}, Ran("smoke", cann="/opt/cann")).splitlines()
    assert short[-1].endswith("--tier smoke --cann /opt/cann --case logit.f32.a")


def test_the_command_runs_the_company_too(bench: Any) -> None:
    """A case that passes alone is told with a command in which it fails: behind the other case."""
    case = bench.case("logit.f32.a", [0.5], [1.0])
    verdict = CaseVerdict(case.id, case.operator, Verdict.FAIL, after=("logit.f32.b",))
    lines = failure_message(case, verdict, {}, Ran("smoke")).splitlines()
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
    lines = failure_message(case, verdict, {}, Ran("smoke")).splitlines()
    assert lines[-2:] == [
        "again:  aclnn-cts run --product atlas-a2 --tier smoke --operator aclnnLogitGrad",
        "        all cases of the operator: it fails only behind 5 of them, and passes alone",
    ]
    verdict = CaseVerdict(case.id, case.operator, Verdict.FAIL, after=company[1:])
    told = failure_message(case, verdict, {}, Ran("smoke"))
    assert told.count("--case") == MOST_COMPANY + 1
    assert len(told.splitlines()) <= MOST_LINES
