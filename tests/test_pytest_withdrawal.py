# SPDX-License-Identifier: Apache-2.0
"""Plain pytest leaves no judgement that is not its own, and none that is not to be replaced."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.pytest_sessions import DY, WAIVERS, X, save

from aclnn_cts.judge import judge_run
from aclnn_cts.run.folder_lock import REPORT_FILES, claim
from aclnn_cts.run.planned_cases import PlannedCases
from aclnn_cts.suite import OperatorFolder

pytest_plugins = ["pytester"]

EARLIER = "judged earlier"


def judged_earlier(bench: Any) -> set[str]:
    """Leave the files of an earlier judgement; return their names."""
    for name in REPORT_FILES:
        (bench.folder / name).write_text(EARLIER)
    return set(REPORT_FILES)


def spared(bench: Any) -> set[str]:
    """Return which files of the earlier judgement are still there."""
    files = (bench.folder / name for name in REPORT_FILES)
    return {file.name for file in files if file.exists() and file.read_bytes() == EARLIER.encode()}


@pytest.mark.parametrize(
    "changes", [{"state": "running"}, {"suite_version": "0.0.0"}, {"cases": PlannedCases(())}]
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


def test_operators_that_are_gone_cost_nobody_their_results(
    run_pytest: Any, bench: Any, tmp_path: Path
) -> None:
    """The record is right, and so is what was judged while the operators were there."""
    bench.program(bench.kept(bench.case("a", X, DY)))
    save(bench, folders=(OperatorFolder(tmp_path / "gone", "0" * 64),))
    whole = judged_earlier(bench)
    assert run_pytest().ret == pytest.ExitCode.INTERRUPTED
    assert spared(bench) == whole


def test_somebody_who_writes_to_the_folder_is_left_alone(run_pytest: Any, bench: Any) -> None:
    """The run that holds it has withdrawn what was there, and may be about to publish."""
    bench.program(bench.kept(bench.case("a", X, DY)))
    save(bench)
    with claim(bench.folder):
        whole = judged_earlier(bench)
        assert run_pytest().ret == 3
        assert spared(bench) == whole


@pytest.mark.parametrize(
    ("waivers", "arguments"),
    [
        ("wrong.yaml", []),
        ("wrong.yaml", ["-k", "cover.a"]),
        ("unknown.yaml", []),
        ("none.yaml", []),
    ],
)
def test_wrong_waivers_cost_nobody_their_results(
    run_pytest: Any, bench: Any, waivers: str, arguments: list[str]
) -> None:
    """They are refused before anything else happens, also where the run itself is damaged."""
    for name in ("LogitGrad.cover.a", "LogitGrad.cover.b"):
        bench.program(bench.kept(bench.case(name, X, DY)))
    save(bench)
    (bench.folder / "wrong.yaml").write_text(WAIVERS.replace("owner", "owned-by"))
    (bench.folder / "unknown.yaml").write_text(WAIVERS.replace("aclnnLogitGrad", "aclnnNone"))
    whole = judged_earlier(bench)
    assert run_pytest("--cts-waivers", waivers, *arguments).ret == 2
    assert spared(bench) == whole
    if waivers == "wrong.yaml":
        save(bench, state="running")
        assert run_pytest("--cts-waivers", waivers, *arguments).ret == 2
        assert spared(bench) == whole


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
    # no verdict of another session is reused, so each case is judged
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(bench.folder / "cache"))
    seen = []

    def look(case: Any, *_: Any) -> Any:
        seen.append(spared(bench))
        return bench.inputs[case.id]

    monkeypatch.setattr(judge_run, "inputs_of", look)
    assert run_pytest("--cts-jobs", "1", *arguments).ret == 0
    assert seen[0] == (whole if stays else set())
    assert (spared(bench) == whole) is stays
