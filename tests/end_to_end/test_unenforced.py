# SPDX-License-Identifier: Apache-2.0
"""Devices that check no more than their documents state, or refuse what they need not otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from aclnn_cts.cli.authoring import SCHEMAS
from aclnn_cts.errors import ExitCode
from aclnn_cts.judge.judge_run import Judging, judge_operators
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.judging import JudgingRequest, judge_folder
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.schema import schemas

pytestmark = pytest.mark.end_to_end

LOGIT = "operators/logit_grad.cpp"
ONLY_REQUIRED = (
    (LOGIT, "  RequireSameDataType({dy, out}, x);\n", ""),
    (LOGIT, "  RequirePublicFormat({x, dy, out});\n", ""),
    (LOGIT, "  RequireSameFormat({dy, out}, x);\n", ""),
    (LOGIT, "  RequireRank({x, dy, out}, 0, 8);\n", ""),
    (LOGIT, "  RequireSameShape({dy, out}, x);\n", ""),
)
"""The checks of LogitGrad on what its page requires and states no refusal for."""

DTYPES = "  RequireDataType({x, dy, out}, {ACL_BF16, ACL_FLOAT16, ACL_FLOAT});\n"
REQUIRED = {"dtype-differs", "shape-differs", "rank-above-eight", "format-private"}


@pytest.fixture(scope="module")
def refusals(planned: Callable[..., tuple[Case, ...]]) -> tuple[Case, ...]:
    """LogitGrad's calls that break an error clause."""
    cases = planned("atlas-a2", "smoke", "aclnnLogitGrad")
    return tuple(case for case in cases if not case.expects_success)


def test_what_is_only_required_is_unenforced(bed: Any, refusals: tuple[Case, ...]) -> None:
    """Accepted requirements are counted on their own; they fail only where they are enforced."""
    run = bed.run("atlas-a2", refusals, bed.changed("only-required", ONLY_REQUIRED))
    report = judge_folder(run.path)
    assert report.exit_code is ExitCode.PASSED
    required = {case.id for case in refusals if case.basis == "requirement"}
    found = {v.id for v in report.document.cases if v.verdict is Verdict.UNENFORCED}
    assert found == required
    assert {v.verdict for v in report.document.cases if v.id not in required} == {Verdict.PASS}
    states = {clause.clause: clause.verdict for clause in report.document.clauses}
    assert {name for name, state in states.items() if state == "unenforced"} == REQUIRED
    written = json.loads((run.path / "results.json").read_text())
    assert written["totals"]["unenforced"] == len(required)
    jsonschema.validate(written, schemas(SCHEMAS)["results.schema.json"])
    for name in ("summary.md", "report.html"):
        assert "equirements that the device does not enforce" in (run.path / name).read_text()
    junit = (run.path / "junit.xml").read_text()
    assert 'failures="0"' in junit
    assert f'skipped="{len(required)}"' in junit
    enforced = judge_folder(run.path, JudgingRequest(enforce=True))
    assert enforced.exit_code is ExitCode.BROKEN_PROMISE
    assert f'failures="{len(required)}"' in (run.path / "junit.xml").read_text()
    told = (run.path / "summary.md").read_text()
    assert "not enforced" in told.splitlines()[0]
    assert "exit status 1: requirements are not enforced (--enforce)" in told
    assert " --enforce --operator aclnnLogitGrad" in told


@pytest.mark.parametrize("status", ["ACLNN_ERR_INNER_TILING_ERROR", "ACLNN_ERR_INNER_NULLPTR"])
def test_any_status_refuses_what_is_only_required(
    bed: Any, refusals: tuple[Case, ...], status: str
) -> None:
    """No page states with which status; where it does, another one is wrong."""
    codes = {"ACLNN_ERR_INNER_TILING_ERROR": 561002, "ACLNN_ERR_INNER_NULLPTR": 561103}
    check = (
        "  try {\n    RequireSameDataType({dy, out}, x);\n    RequirePublicFormat({x, dy, out});\n"
        "    RequireRank({x, dy, out}, 0, 8);\n    RequireSameShape({dy, out}, x);\n"
        f"  }} catch (const Rejection &error) {{ throw Rejection{{{codes[status]}, "
        "error.message}; }\n"
    )
    edits = [*ONLY_REQUIRED[1:], (LOGIT, ONLY_REQUIRED[0][1], check)]
    report = bed.judged("atlas-a2", refusals, bed.changed(f"other-{codes[status]}", edits))
    assert {v.verdict for v in report.document.cases} == {Verdict.PASS}


def test_a_stated_status_is_demanded(bed: Any, refusals: tuple[Case, ...]) -> None:
    """Calls that only the row on data types excludes are refused, with the status of that row."""
    stated = tuple(
        case
        for case in refusals
        if case.scene == "dtype-unsupported"
        and case.statuses
        and len({tensor.dtype for tensor in case.tensors}) == 1  # else it is refused for that, too
    )
    assert stated
    accepting = bed.judged("atlas-a2", stated, bed.changed("any-type", [(LOGIT, DTYPES, "")]))
    assert {v.verdict for v in accepting.document.cases} == {Verdict.FAIL}
    assert {v.broken[0] for v in accepting.document.cases} == {"dtype-unsupported"}
    other = (
        f"  try {{\n  {DTYPES}  }} catch (const Rejection &error) {{\n"
        "    throw Rejection{561002, error.message};\n  }\n"
    )
    otherwise = bed.judged("atlas-a2", stated, bed.changed("type-561002", [(LOGIT, DTYPES, other)]))
    assert {v.verdict for v in otherwise.document.cases} == {Verdict.FAIL}
    assert (
        "promised: ACLNN_ERR_PARAM_INVALID (161002)" in next(iter(otherwise.document.cases)).message
    )


def test_either_of_two_statuses_is_right(bed: Any, refusals: tuple[Case, ...]) -> None:
    """A device may look at data types before it looks for null pointers."""
    both = tuple(c for c in refusals if len(c.statuses) > 1)
    assert both
    null = "  RequireNotNull({x, dy, out});\n"
    late = (
        "  for (const auto &each : {x, dy, out})\n"
        "    if (each.tensor != nullptr)\n"
        "      RequireDataType({each}, {ACL_BF16, ACL_FLOAT16, ACL_FLOAT});\n" + null
    )
    for change in (None, bed.changed("types-first", [(LOGIT, null, late)])):
        report = bed.judged("atlas-a2", both, change)
        assert {v.verdict for v in report.document.cases} == {Verdict.PASS}
        wanted = 161001 if change is None else 161002
        (found,) = judge_operators(report.run, Judging(bed.suite, "strict"))
        assert {v.status for v in found.verdicts} == {wanted}


def test_an_unsupported_product_may_refuse_in_phase_two(
    bed: Any, planned: Callable[..., tuple[Case, ...]]
) -> None:
    """The call itself is well formed, so that it is launched; no outcome breaks a promise."""
    own = planned("atlas-training", "smoke", "aclnnLogitGrad")
    assert own
    assert all(c.is_launched for c in own)
    product = "  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});\n"
    accepting = bed.changed("every-product", [(LOGIT, product, "")])
    told = bed.judged("atlas-training", own, accepting)
    # The simulated product does not know bfloat16, so phase one refuses that type itself.
    assert {v.verdict for v in told.document.cases} <= {Verdict.UNENFORCED, Verdict.PASS}
    assert Verdict.UNENFORCED in {v.verdict for v in told.document.cases}
    launch = '  return LaunchOperator("aclnnLogitGrad"'
    late = "  if (executor != nullptr) return aclDestroyAclOpExecutor(executor), 561003;\n" + launch
    refusing = bed.changed("late", [(LOGIT, product, ""), (LOGIT, launch, late)])
    told = bed.judged("atlas-training", own, refusing)
    assert {v.verdict for v in told.document.cases} == {Verdict.PASS}


def test_a_crash_in_a_call_that_is_only_required_not_to_be_made(
    bed: Any, refusals: tuple[Case, ...]
) -> None:
    """That a device need not refuse a call does not mean that it may die of it."""
    ranks = tuple(c for c in refusals if c.scene == "rank-above-eight")
    check = "  RequireRank({x, dy, out}, 0, 8);\n"
    crash = "  if (x->shape.size() > 8) __builtin_trap();\n"
    report = bed.judged("atlas-a2", ranks, bed.changed("trap", [(LOGIT, check, crash)]))
    assert Verdict.CRASH in {v.verdict for v in report.document.cases}
    assert report.exit_code is ExitCode.BROKEN_PROMISE
