# SPDX-License-Identifier: Apache-2.0
"""results.json: what is written can be read, what is damaged is refused, and the exit status."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.report.reports import ALL, OPERATOR, case, report

from aclnn_cts.errors import CtsError, ExitCode, NotTrustworthyError, WrongInputError
from aclnn_cts.judge.judge_run import Judging
from aclnn_cts.judge.standards import Figures
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.judging import report_on
from aclnn_cts.report.view import label_runs
from aclnn_cts.results.document import exit_code, read_results, write_document
from aclnn_cts.run.environment import Environment
from aclnn_cts.run.folder import Device, RunFolder
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.spec.loading import specs_digest
from aclnn_cts.suite import code_digest

BAD = float("inf")
FIGURES = Figures(
    passed=False,
    elements=3,
    compared=3,
    failing=1,
    first_failing=0,
    output="out",
    matched_ratio=0.5,
    max_abs_error=BAD,
    mean_relative_error=float("nan"),
    max_relative_error=-BAD,
    worst_ulp=BAD,
    worst_share=BAD,
    mean_ulp=0.0,
    mean_abs_ulp=BAD,
)


def test_what_is_written_can_be_read(bench: Any) -> None:
    """The reader returns all that was written, whether it is given the file or its folder."""
    odd = case("odd", Verdict.FAIL, standards={"strict": FIGURES}, device_microseconds=(1.5, 2.0))
    made = report(bench, *ALL, odd)
    path = write_document(made.document, bench.folder)
    told = read_results(bench.folder)
    assert read_results(path) == told
    assert told.model_copy(update={"cases": made.document.cases}) == made.document
    assert [case.model_dump_json() for case in told.cases] == [
        case.model_dump_json() for case in made.document.cases
    ]
    assert list(told.cases)[-1].device_microseconds == (1.5, 2.0)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"edition": None}, "edition must be text, not null"),
        ({"device": {}}, "device.kind is missing"),
        ({"clauses": [{"operator": "aclnnLogitGrad"}]}, "clauses.0.clause is missing"),
        ({"clauses": {}}, "clauses must be a list"),
        ({"more": 1}, "more is an unknown key"),
    ],
)
def test_malformed_results_are_refused(bench: Any, changes: dict[str, Any], told: str) -> None:
    """A sentence tells what is wrong, and how to make the file again."""
    path = write_document(report(bench, *ALL).document, bench.folder)
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    with pytest.raises(NotTrustworthyError, match=rf"is damaged \({told}\); .*judge .* again"):
        read_results(bench.folder)


def test_results_of_no_format(bench: Any) -> None:
    """Another format is named; where none is told, the file is damaged, and is not repeated."""
    path = write_document(report(bench, *ALL).document, bench.folder)
    whole = json.loads(path.read_text())
    path.write_text(json.dumps({**whole, "format": "aclnn-cts/results/1"}))
    with pytest.raises(NotTrustworthyError, match="in the format 'aclnn-cts/results/1'; run"):
        read_results(bench.folder)
    del whole["format"]
    path.write_text(json.dumps(whole))
    with pytest.raises(NotTrustworthyError, match=r"is damaged \(format is missing\); run"):
        read_results(bench.folder)


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        (["pass"], 0),
        (["pass", "contested-only"], 0),
        (["pass", "fail"], 1),
        (["crash"], 1),
        (["timeout"], 1),
        (["pass", "flaky"], 1),
        (["pass", "missing"], 3),
        (["pass", "untrusted"], 3),
        (["missing", "fail", "untrusted"], 1),
        ([], 3),
    ],
)
def test_exit_codes(verdicts: list[str], code: int) -> None:
    """A broken promise is 1, a result that proves nothing 3, and 1 wins."""
    assert exit_code(Counter(verdicts)) == code


def test_a_damaged_record_is_not_trustworthy() -> None:
    """Problems of the record count although all cases pass."""
    assert exit_code({"pass": 1}, ["altered"]) is ExitCode.NOT_TRUSTWORTHY


def test_results_file(bench: Any) -> None:
    """The file has the published format, and is valid JSON whatever the figures are."""
    odd = case("odd", Verdict.FAIL, standards={"strict": FIGURES}, broken=("formula",))
    path = write_document(report(bench, *ALL, odd).document, bench.folder)

    def refuse(name: str) -> None:
        raise AssertionError(name)

    data = json.loads(path.read_text(), parse_constant=refuse)
    assert data["format"] == "aclnn-cts/results/6"
    judged = {"judged_specs_sha256", "judged_code_sha256"}
    assert set(data["suite"]) == {"version", "specs_sha256", "folders", "files", *judged}
    assert set(data["device"]) == {"kind", "product", "soc", "cann", "fault", "variant"}
    assert data["totals"]["planned"] == data["cases"]["count"] == len(Verdict) + 1
    told = [
        verdict.value for verdict in Verdict if verdict.breaks_promise or verdict.proves_nothing
    ]
    assert [case["verdict"] for case in data["failures"]] == [*told, "fail"]
    assert data["totals"]["fail"] == 2
    assert set(data["totals"]) == {"planned", "waived", *(v.value for v in Verdict)}
    last = data["failures"][-1]
    assert {"id", "operator", "verdict", "broken", "standards", "seconds", "message"} <= set(last)
    assert last["broken"] == ["formula"]
    assert last["standards"]["strict"]["pass"] is False
    assert last["standards"]["strict"]["max_abs_error"] == "Infinity"
    assert last["standards"]["strict"]["mean_relative_error"] == "NaN"
    assert set(data["clauses"][0]) == {
        "operator",
        "clause",
        "verdict",
        "cases",
        "contested",
        "reading",
        "basis",
        "text",
        "place",
    }
    assert {item.name for item in bench.folder.iterdir()} == {"results.json", "cases.sqlite"}


def test_story_and_results_name_the_same_device(bench: Any) -> None:
    """The command in a case's story and that which a page makes of the results are one."""
    case = bench.case("a", [0.5], [1.0])
    bench.program(bench.refused(case), device=5)
    device = Device("hardware", "atlas-a2", "Ascend910B3", "8.0")
    asked = RunConfig(cann="/opt/cann", sanitize=True, devices=(4, 5))
    ran_on = Environment(devices=asked.devices)
    run = replace(bench.run(), device=device, config=asked, environment=ran_on)
    made = report_on(run, Judging(bench.suite, "strict"))
    (shown,) = label_runs([made.document])
    command = shown.command(next(iter(shown.document.cases)))
    assert command.endswith("--tier smoke --sanitize --devices 5 --cann /opt/cann --case a")
    assert made.case("a").story.endswith(f"again:  {command}")


@pytest.mark.parametrize(
    ("state", "advice"),
    [("running", "aclnn-cts run --resume --results"), ("complete", "aclnn-cts judge")],
)
def test_a_run_without_results_gets_the_right_advice(bench: Any, state: str, advice: str) -> None:
    """What was interrupted is to be finished; what was only not judged, judged."""
    bench.program(bench.kept(bench.case("a", [0.5], [1.0])))
    run = bench.run()
    facts = {name: getattr(run, name) for name in run.__dataclass_fields__}
    RunFolder(**{**facts, "state": state}).save()
    with pytest.raises(CtsError, match=advice):
        read_results(bench.folder)


def test_a_folder_that_cannot_be_written(bench: Any, tmp_path: Path) -> None:
    """The message names the file; nothing is left behind."""
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    with pytest.raises(WrongInputError, match=r"cases\.sqlite"):
        write_document(report(bench, *ALL).document, in_the_way)


def test_the_scope_of_a_run(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a run had of its plan: families, missing operators, quarantine, shard, selection."""
    config = replace(bench.run().config, shard="2/3", selected=True)
    run = replace(bench.run(), config=config)
    monkeypatch.setattr(bench, "run", lambda: run)
    document = report(bench, case("a", Verdict.PASS)).document
    scope = document.scope
    assert scope.families == {OPERATOR: "loss"}
    assert {"aclnnSilu", "aclnnGelu"} <= set(scope.missing)
    assert OPERATOR not in scope.missing
    assert (scope.shard, scope.selected, scope.quarantined) == ("2/3", True, {})
    assert scope.products == tuple(bench.specs.products)
    assert document.suite.judged_specs_sha256 == specs_digest(bench.suite)
    assert document.suite.judged_code_sha256 == code_digest()
