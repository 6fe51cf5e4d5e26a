# SPDX-License-Identifier: Apache-2.0
"""Plain pytest in a folder of results."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.pytest_sessions import DY, WAIVERS, X, save

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.judge import judge_run
from aclnn_cts.run.folder_lock import REPORT_FILES, claim
from aclnn_cts.run.planned_cases import PlannedCases

pytest_plugins = ["pytester"]


def test_a_clean_run_passes(run_pytest: Any, bench: Any) -> None:
    """One item per case, exit status 0, results and JUnit beside run.json, and the summary."""
    cases = [bench.case(f"c{i}", X, DY) for i in range(3)]
    bench.program(*map(bench.kept, cases))
    save(bench)
    result = run_pytest("-v")
    result.assert_outcomes(passed=3)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*run.json::c1 PASSED*", "*aclnnLogitGrad*3*", "results.json:*"])
    data = json.loads((bench.folder / "results.json").read_text())
    assert data["totals"]["pass"] == 3
    assert (bench.folder / "junit.xml").is_file()


def test_a_failing_item_tells_its_story_only(run_pytest: Any, bench: Any) -> None:
    """The story stands there without a traceback; the status is 1."""
    good, bad = bench.case("good", X, DY), bench.case("bad", X, DY)
    bench.program(bench.kept(good), bench.kept(bad, np.ones(3, np.float32)))
    save(bench)
    result = run_pytest()
    result.assert_outcomes(passed=1, failed=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAIL bad", "broken: formula: *", "*--case bad"])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")


def test_what_is_missing_is_status_three(run_pytest: Any, bench: Any) -> None:
    """A case without a record fails its item, and the session says not trustworthy."""
    here, _ = bench.case("here", X, DY), bench.case("gone", X, DY)
    bench.program(bench.kept(here))
    save(bench)
    result = run_pytest()
    result.assert_outcomes(passed=1, failed=1)
    assert result.ret == 3


def test_standard_option_picks_the_gate(run_pytest: Any, bench: Any) -> None:
    """An error that the ecosystem standard tolerates fails strict, and passes with the option."""
    case = bench.case("a", X, DY)
    bench.program(bench.kept(case, bench.right(case) * np.float32(1.0005)))
    save(bench)
    assert run_pytest().ret == 1
    by_option = run_pytest("--cts-standard", "ecosystem")
    assert by_option.ret == 0
    by_option.stdout.fnmatch_lines(["not written, *judged by the standard strict: results.json*"])
    assert json.loads((bench.folder / "results.json").read_text())["standard"] == "strict"


def test_results_that_were_judged_with_waivers_stay(run_pytest: Any, bench: Any) -> None:
    """A look with plain pytest must not turn what a gate has accepted into failures."""
    case = bench.case("LogitGrad.cover.a", X, DY)
    bench.program(bench.kept(case, bench.right(case) * 2))
    save(bench)
    (bench.folder / "waivers.yaml").write_text(WAIVERS)
    assert run_pytest("--cts-waivers", "waivers.yaml").ret == 0
    judged = {name: (bench.folder / name).read_bytes() for name in REPORT_FILES}
    plain = run_pytest()
    plain.assert_outcomes(failed=1)
    plain.stdout.fnmatch_lines(["not written, *was judged with waivers: results.json*"])
    for changed in (
        WAIVERS.replace("Ada", "Grace"),
        re.sub("max_ulp: .*", "max_ulp: 1000000000.0", WAIVERS),
    ):
        (bench.folder / "others.yaml").write_text(changed)
        other = run_pytest("--cts-waivers", "others.yaml")
        other.stdout.fnmatch_lines(["not written, *was judged with other waivers: *"])
    assert {name: (bench.folder / name).read_bytes() for name in REPORT_FILES} == judged
    same = run_pytest("--cts-waivers", "waivers.yaml")
    same.stdout.fnmatch_lines(["results.json: *"])


def test_a_run_that_cannot_be_judged_is_one_error(
    run_pytest: Any, bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its sentence stands there once, however many cases there are; the others are not run."""
    bench.program(*(bench.kept(bench.case(name, X, DY)) for name in ("a", "b", "c")))
    save(bench)

    def changed(*_: Any) -> Any:
        raise NotTrustworthyError("the data of a have changed")

    monkeypatch.setattr(judge_run, "inputs_of", changed)
    result = run_pytest("--cts-jobs", "1")
    result.assert_outcomes(errors=1)
    assert result.ret == 3
    result.stdout.fnmatch_lines(["*ERROR at setup of judgement*", "the data of a have changed"])
    result.stdout.no_fnmatch_line("*Traceback*")
    assert not (bench.folder / "results.json").exists()
    assert result.outlines.count("the data of a have changed") == 1


def test_the_runs_own_standard_decides(run_pytest: Any, bench: Any) -> None:
    """A run that was made for another gate is judged by that one, as `judge` would."""
    case = bench.case("a", X, DY)
    bench.program(bench.kept(case, bench.right(case) * np.float32(1.0005)))
    save(bench, standard="ecosystem")
    assert run_pytest().ret == 0
    assert json.loads((bench.folder / "results.json").read_text())["standard"] == "ecosystem"


def test_no_run_can_begin_while_it_is_judged(
    run_pytest: Any, bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who wants to write to the folder meanwhile is refused: it would clear what is being read."""
    bench.program(bench.kept(bench.case("a", X, DY)))
    save(bench)
    with claim(bench.folder):
        pass  # as every run leaves it, with a lock
    refused = []
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path / "cache"))  # holds no verdict on it

    def run_into_it(case: Any, *_: Any) -> Any:
        with pytest.raises(NotTrustworthyError, match="it is being judged"), claim(bench.folder):
            pass
        refused.append(case.id)
        return bench.inputs[case.id]

    monkeypatch.setattr(judge_run, "inputs_of", run_into_it)
    assert run_pytest("--cts-jobs", "1").ret == 0
    assert refused == ["a"]


@pytest.mark.parametrize("moment", ["pytest_collection_finish", "pytest_runtest_teardown"])
def test_a_report_never_lands_on_another_run(
    run_pytest: Any, bench: Any, pytester: pytest.Pytester, moment: str
) -> None:
    """A run that took the place of the collected or judged one gets no report of that; status 3."""
    bench.program(bench.kept(bench.case("a", X, DY)))
    save(bench)
    pytester.makeconftest(
        f"""
        from pathlib import Path

        def {moment}():
            file = Path("run.json")
            file.write_text(file.read_text().replace('"nonce": ""', '"nonce": "another"'))
            Path("results.json").write_text("of the other run")
        """
    )
    result = run_pytest()
    assert result.ret == 3
    assert (bench.folder / "results.json").read_text() == "of the other run"
    result.stdout.fnmatch_lines(["*another run was made in this folder*"])
    result.stdout.no_fnmatch_line("results.json: *")


def test_a_waived_item_is_skipped(run_pytest: Any, bench: Any) -> None:
    """Neither passed nor failed, with the waiver's id; the status is 0."""
    case = bench.case("LogitGrad.cover.a", X, DY)
    bench.program(bench.kept(case, bench.right(case) * 2))
    save(bench)
    (bench.folder / "waivers.yaml").write_text(WAIVERS)
    result = run_pytest("-rs", "--cts-waivers", "waivers.yaml")
    result.assert_outcomes(skipped=1)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*known waives 1 case*", "*waived by known*"])


def test_an_improved_item_asks_for_its_waiver_to_go(run_pytest: Any, bench: Any) -> None:
    """The item passes, and the status is 3."""
    bench.program(bench.kept(bench.case("LogitGrad.cover.a", X, DY)))
    save(bench)
    (bench.folder / "waivers.yaml").write_text(WAIVERS)
    result = run_pytest("--cts-waivers", "waivers.yaml")
    result.assert_outcomes(passed=1)
    assert result.ret == 3


def test_wrong_waivers_are_refused(run_pytest: Any, bench: Any) -> None:
    """A typo ends with its line and status 2; nothing is judged without the waivers."""
    bench.program(bench.kept(bench.case("LogitGrad.cover.a", X, DY)))
    save(bench)
    (bench.folder / "waivers.yaml").write_text(WAIVERS.replace("owner", "owned-by"))
    result = run_pytest("--cts-waivers", "waivers.yaml")
    assert result.ret == 2
    result.stdout.fnmatch_lines(["*waivers.yaml:2: *owner is missing*"])


def test_waivers_are_held_against_the_runs_edition(run_pytest: Any, bench: Any) -> None:
    """A clause that only another edition has is not a clause of the run."""
    case = bench.case("LogitGrad.cover.a", X, DY)
    bench.program(bench.kept(case, bench.right(case) * 2))
    text = WAIVERS.replace("failure:", "clauses: [formula, out-rank]\n    failure:")
    (bench.folder / "waivers.yaml").write_text(text)
    save(bench, edition="earlier")
    refused = run_pytest("--cts-waivers", "waivers.yaml")
    assert refused.ret == 2
    refused.stdout.fnmatch_lines(["*unknown clause 'out-rank'*"])
    save(bench)
    assert run_pytest("--cts-waivers", "waivers.yaml").ret == 0


def test_a_part_of_a_run_writes_no_results(run_pytest: Any, bench: Any) -> None:
    """One chosen case is judged, and decides alone; results.json would not be the whole truth."""
    good, bad = bench.case("good", X, DY), bench.case("bad", X, DY)
    bench.program(bench.kept(good), bench.kept(bad, np.ones(3, np.float32)))
    save(bench)
    (bench.folder / "junit.xml").write_text("of an earlier judgement")
    result = run_pytest("run.json::good")
    result.assert_outcomes(passed=1)
    assert result.ret == 0
    assert not (bench.folder / "results.json").exists()
    result.stdout.fnmatch_lines(
        [
            "the summary is of the whole run, the exit status of the 1 of 2 cases *",
            "not written: only some cases were selected: results.json, cases.sqlite, *",
        ]
    )
    result.stdout.no_fnmatch_line("junit.xml: *")


@pytest.mark.parametrize(
    "changes", [{"state": "running"}, {"suite_version": "0.0.0"}, {"cases": PlannedCases(())}]
)
def test_a_run_that_cannot_be_trusted(run_pytest: Any, bench: Any, changes: dict[str, Any]) -> None:
    """An interrupted, foreign or empty run ends with its sentence and status 3."""
    bench.program(bench.kept(bench.case("a", X, DY)))
    save(bench, **changes)
    result = run_pytest()
    assert result.ret == 3
    assert not (bench.folder / "results.json").exists()
    result.stdout.no_fnmatch_line("*Traceback*")
    told = [line for line in result.outlines if line.startswith(f"{bench.folder}: ")]
    assert len(told) == 1
    quiet = run_pytest("--tb=no")
    assert quiet.ret == 3
    quiet.stdout.fnmatch_lines([told[0].partition(":")[0] + ": *"])


@pytest.mark.parametrize("content", [b"", b'{"format', None])
def test_a_run_that_lost_its_description(
    run_pytest: Any, bench: Any, content: bytes | None
) -> None:
    """A folder of ours is never passed over: beside others, nobody would miss it."""
    bench.program(bench.kept(bench.case("a", X, DY)))
    save(bench)
    with claim(bench.folder):
        pass
    (bench.folder / "run.json").unlink()
    if content is not None:
        (bench.folder / "run.json").write_bytes(content)
    assert run_pytest().ret == 3


@pytest.mark.parametrize("option", ["--setup-plan", "--setup-only"])
def test_what_was_not_looked_at_did_not_pass(run_pytest: Any, bench: Any, option: str) -> None:
    """Options by which pytest runs no test must not turn a gate green."""
    bench.program(bench.kept(bench.case("a", X, DY)))
    save(bench)
    assert run_pytest(option).ret == 3
    assert run_pytest("--collect-only").ret == 0


def test_processes_that_see_a_part_judge_nothing(run_pytest: Any, bench: Any) -> None:
    """Whatever is wrong with the record as a whole would be lost under pytest-xdist."""
    bench.program(bench.kept(bench.case("a", X, DY)))
    save(bench)
    refused = run_pytest("-n", "1")
    assert refused.ret != 0
    refused.stdout.fnmatch_lines(["*leave out -n; judging uses several processes by itself*"])
    assert not (bench.folder / "results.json").exists()
    assert run_pytest("-n", "0").ret == 0


@pytest.mark.parametrize("content", ['{"format": "something else"}', "[]", "{", ""])
def test_other_sessions_are_left_alone(
    run_pytest: Any, pytester: pytest.Pytester, content: str
) -> None:
    """A run.json of another kind is not an item, and ordinary tests keep their own status."""
    (Path(pytester.path) / "run.json").write_text(content)
    pytester.makepyfile("def test_ok():\n    assert True\n")
    result = run_pytest()
    result.assert_outcomes(passed=1)
    assert result.ret == 0
    pytester.makepyfile("def test_bad():\n    assert False\n")
    assert run_pytest().ret == 1


def test_what_is_not_enforced_is_skipped_unless_asked(run_pytest: Any, bench: Any) -> None:
    """It is neither passed nor failed, and named; with --enforce it fails, and so does the run."""
    case = bench.refusal("r", statuses=(), basis="requirement")
    one = {**bench.phases(case)[0], "status": 0}
    kept = bench.case("a", X, DY)
    bench.program(bench.kept(kept), (case, bench.framed(case, [one, {**one, "run": 1}]), b""))
    save(bench)
    result = run_pytest("-rs")
    assert result.ret == 0
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["*unenforced: dtype-differs: phase one accepted the call*"])
    for option in ("--enforce", "--cts-enforce"):
        enforced = run_pytest(option)
        assert enforced.ret == 1
        enforced.assert_outcomes(passed=1, failed=1)
        enforced.stdout.fnmatch_lines(["not written, *was judged without --enforce: results.json*"])


def test_results_that_were_judged_with_enforce_stay(run_pytest: Any, bench: Any) -> None:
    """A look with plain pytest must not undo a gate."""
    case = bench.refusal("r", statuses=(), basis="requirement")
    one = {**bench.phases(case)[0], "status": 0}
    bench.program((case, bench.framed(case, [one, {**one, "run": 1}]), b""))
    save(bench)
    assert run_pytest("--enforce").ret == 1
    judged = {name: (bench.folder / name).read_bytes() for name in REPORT_FILES}
    assert json.loads(judged["results.json"])["enforce"] is True
    plain = run_pytest()
    assert plain.ret == 0
    plain.stdout.fnmatch_lines(["not written, *was judged with --enforce: results.json*"])
    assert {name: (bench.folder / name).read_bytes() for name in REPORT_FILES} == judged
    run_pytest("--enforce").stdout.fnmatch_lines(["results.json: *"])
