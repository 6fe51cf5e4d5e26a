# SPDX-License-Identifier: Apache-2.0
"""Plain pytest in a folder of results."""

from __future__ import annotations

import json
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aclnn_cts import __version__
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.judge import session
from aclnn_cts.report import table
from aclnn_cts.run.claim import REPORT_FILES, claimed
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.spec.loading import specs_digest

pytest_plugins = ["pytester"]

LOADED = (table,)
"""A session within this one forgets what it loads, and rich does not bear being loaded twice."""

X, DY = [0.25, 0.5, 0.75], [1.0, 2.0, 3.0]


@pytest.fixture
def run_pytest(pytester: pytest.Pytester, bench: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what runs pytest in a hand-made results folder."""
    monkeypatch.setenv("ACLNN_CTS_SUITE", str(bench.suite.root))
    monkeypatch.setattr(session, "inputs_of", lambda case, *_: bench.inputs[case.id])
    bench.folder = pytester.path
    installed = any(each.name == "aclnn-cts" for each in entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", "aclnn_cts.pytest_plugin"]

    def run(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_inprocess(*plugin, "-p", "no:cacheprovider", *arguments)

    return run


def save(bench: Any, **changes: Any) -> None:
    """Write run.json as the run room does."""
    run: RunFolder = bench.run()
    facts = {name: getattr(run, name) for name in run.__dataclass_fields__}
    facts |= {"suite_version": __version__, "specs_sha256": specs_digest(bench.suite)}
    RunFolder(**{**facts, **changes}).save()


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
    assert run_pytest("--cts-standard", "ecosystem").ret == 0
    assert json.loads((bench.folder / "results.json").read_text())["standard"] == "ecosystem"


def test_the_runs_own_standard_decides(run_pytest: Any, bench: Any) -> None:
    """A run that was made for another gate is judged by that one, as `judge` would."""
    case = bench.case("a", X, DY)
    bench.program(bench.kept(case, bench.right(case) * np.float32(1.0005)))
    save(bench, standard="ecosystem")
    assert run_pytest().ret == 0
    assert json.loads((bench.folder / "results.json").read_text())["standard"] == "ecosystem"


def test_no_run_can_begin_while_it_is_judged(
    run_pytest: Any, bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who wants to write to the folder meanwhile is refused: it would clear what is being read."""
    bench.program(bench.kept(bench.case("a", X, DY)))
    save(bench)
    with claimed(bench.folder):
        pass  # as every run leaves it, with a lock
    refused = []

    def run_into_it(case: Any, *_: Any) -> Any:
        with pytest.raises(NotTrustworthyError, match="it is being judged"), claimed(bench.folder):
            pass
        refused.append(case.id)
        return bench.inputs[case.id]

    monkeypatch.setattr(session, "inputs_of", run_into_it)
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


WAIVERS = """\
waivers:
  - id: known
    operator: aclnnLogitGrad
    case: LogitGrad.cover.*
    failure: [value]
    max_ulp: .inf
    reason: known for long
    link: https://example.org/1
    owner: Ada
    expires: 2999-12-31
"""


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
    """A clause that only another edition has is no clause of the run."""
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
            "not written: only some cases were selected: results.json, junit.xml, *",
        ]
    )
    result.stdout.no_fnmatch_line("junit.xml: *")


@pytest.mark.parametrize(
    "changes", [{"state": "running"}, {"suite_version": "0.0.0"}, {"cases": ()}]
)
def test_a_run_that_cannot_be_trusted(run_pytest: Any, bench: Any, changes: dict[str, Any]) -> None:
    """An interrupted, foreign or empty run ends with its sentence and status 3."""
    bench.program(bench.kept(bench.case("a", X, DY)))
    save(bench, **changes)
    result = run_pytest()
    assert result.ret == 3
    assert not (bench.folder / "results.json").exists()
    result.stdout.no_fnmatch_line("*Traceback*")


EARLIER = "judged earlier"


def judged_earlier(bench: Any) -> set[str]:
    """Leave the files of an earlier judgement; return their names."""
    for name in REPORT_FILES:
        (bench.folder / name).write_text(EARLIER)
    return set(REPORT_FILES)


def spared(bench: Any) -> set[str]:
    """Return which files of the earlier judgement are still there."""
    files = (bench.folder / name for name in REPORT_FILES)
    return {file.name for file in files if file.exists() and file.read_text() == EARLIER}


@pytest.mark.parametrize(
    "changes", [{"state": "running"}, {"suite_version": "0.0.0"}, {"cases": ()}]
)
def test_a_refused_run_withdraws_the_earlier_judgement(
    run_pytest: Any, bench: Any, changes: dict[str, Any]
) -> None:
    """As `judge` does: a nightly job that publishes what lies there must not publish old results.

    A session that looks at some cases, or only lists them, publishes nothing and takes nothing.
    """
    bench.program(bench.kept(bench.case("a", X, DY)))
    save(bench, **changes)
    whole = judged_earlier(bench)
    for narrowed in (["-k", "a"], ["run.json::a"], ["--collect-only"], ["--deselect", "x"]):
        assert run_pytest(*narrowed).ret != 0
        assert spared(bench) == whole, narrowed
    assert run_pytest().ret == 3
    assert spared(bench) == set()


def test_somebody_who_writes_to_the_folder_is_left_alone(run_pytest: Any, bench: Any) -> None:
    """The run that holds it has withdrawn what was there, and may be about to publish."""
    bench.program(bench.kept(bench.case("a", X, DY)))
    save(bench)
    with claimed(bench.folder):
        whole = judged_earlier(bench)
        assert run_pytest().ret == 3
        assert spared(bench) == whole


@pytest.mark.parametrize(
    ("waivers", "arguments", "stays"),
    [
        ("wrong.yaml", [], False),
        ("wrong.yaml", ["-k", "cover.a"], True),
        ("none.yaml", [], True),
    ],
)
def test_wrong_waivers_withdraw_it_and_a_typo_does_not(
    run_pytest: Any, bench: Any, waivers: str, arguments: list[str], *, stays: bool
) -> None:
    """The same difference as in `judge`: what somebody wrote into a file is no typo of the call."""
    for name in ("LogitGrad.cover.a", "LogitGrad.cover.b"):
        bench.program(bench.kept(bench.case(name, X, DY)))
    save(bench)
    (bench.folder / "wrong.yaml").write_text(WAIVERS.replace("owner", "owned-by"))
    whole = judged_earlier(bench)
    assert run_pytest("--cts-waivers", waivers, *arguments).ret == 2
    assert spared(bench) == (whole if stays else set())


@pytest.mark.parametrize(("arguments", "stays"), [([], False), (["-k", "a"], True)])
def test_it_is_withdrawn_before_anything_is_judged(
    run_pytest: Any,
    bench: Any,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    *,
    stays: bool,
) -> None:
    """Judging takes minutes, and kill -9 leaves no time; a session about a part takes nothing."""
    bench.program(*(bench.kept(bench.case(name, X, DY)) for name in ("a", "b")))
    save(bench)
    whole = judged_earlier(bench)
    seen = []

    def look(case: Any, *_: Any) -> Any:
        seen.append(spared(bench))
        return bench.inputs[case.id]

    monkeypatch.setattr(session, "inputs_of", look)
    assert run_pytest("--cts-jobs", "1", *arguments).ret == 0
    assert seen[0] == (whole if stays else set())
    assert (spared(bench) == whole) is stays


@pytest.mark.parametrize("content", ['{"format": "something else"}', "[]", "{", ""])
def test_other_sessions_are_left_alone(
    run_pytest: Any, pytester: pytest.Pytester, content: str
) -> None:
    """A run.json of another kind is no item, and ordinary tests keep their own status."""
    (Path(pytester.path) / "run.json").write_text(content)
    pytester.makepyfile("def test_ok():\n    assert True\n")
    result = run_pytest()
    result.assert_outcomes(passed=1)
    assert result.ret == 0
    pytester.makepyfile("def test_bad():\n    assert False\n")
    assert run_pytest().ret == 1
