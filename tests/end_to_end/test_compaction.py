# SPDX-License-Identifier: Apache-2.0
"""Compact results folders: small, judged as before, and never better than before."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.errors import ExitCode, NotTrustworthyError
from aclnn_cts.judge import compaction, verdict_files
from aclnn_cts.judge.judge_run import Judging
from aclnn_cts.judge.standards import Standard
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.judging import JudgingRequest, Report, make_report, publish
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.folder import RunFolder, open_run
from aclnn_cts.run.process import digest_of

pytestmark = pytest.mark.end_to_end

Planned = Callable[..., tuple[Case, ...]]


@pytest.fixture(scope="module")
def whole(bed: Any, planned: Planned) -> RunFolder:
    """A run of valid and refused calls, of which nothing is judged or compact."""
    run: RunFolder = bed.run("atlas-a2", planned("atlas-a2", "smoke", "aclnnSilu")[:40])
    assert any(not case.expects_success for case in run.cases)
    return run


@pytest.fixture
def copy(bed: Any, whole: RunFolder, tmp_path: Path) -> RunFolder:
    """The same, in a folder of its own."""
    return open_run(Path(shutil.copytree(whole.path, tmp_path / "run")), bed.suite)


@pytest.fixture
def compact(bed: Any, copy: RunFolder) -> Path:
    """The run, judged and made compact."""
    assert publish(copy, Judging(bed.suite, "strict"), None).exit_code == ExitCode.PASSED
    return copy.path


def verdicts(report: Report) -> list[tuple[str, Verdict, float]]:
    return [(case.id, case.verdict, case.seconds) for case in report.document.cases]


def test_judged_as_before(whole: RunFolder, compact: Path) -> None:
    """Without an output, each case has its verdict and figures, which count as reused."""
    assert not list(compact.glob("outputs/*.bin"))
    before, after = make_report(whole.path), make_report(compact, JudgingRequest(reuse=True))
    assert verdicts(after) == verdicts(before)
    assert after.document.rounding == before.document.rounding
    valid = sum(case.expects_success for case in whole.cases)
    assert after.document.reused >= valid  # those of refusals may be in the cache
    assert after.exit_code == ExitCode.PASSED


@pytest.mark.parametrize(("standard", "reuse"), [("strict", False), ("ecosystem", True)])
def test_nothing_is_made_up(compact: Path, standard: Standard, *, reuse: bool) -> None:
    """Another judgement has no verdict on what has no outputs; refusals are judged anew."""
    report = make_report(compact, JudgingRequest(standard, reuse=reuse))
    assert report.exit_code == ExitCode.NOT_TRUSTWORTHY
    for case in report.run.cases:
        entry = report.case(case.id)
        wanted = Verdict.MISSING if case.expects_success else Verdict.PASS
        assert entry.verdict is wanted
        assert case.expects_success is ("--keep-outputs" in entry.message)


def test_other_code_has_no_verdict(compact: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A suite that might judge otherwise does not take over what an earlier one found."""
    monkeypatch.setattr(verdict_files, "_CODE", "other")
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(compact / "no cache"))
    report = make_report(compact, JudgingRequest(reuse=True))
    assert report.exit_code == ExitCode.NOT_TRUSTWORTHY


@pytest.mark.parametrize("pattern", ["verdicts/*.gz", "events/*.gz"])
def test_altered_files_are_noticed(compact: Path, pattern: str) -> None:
    """Verdicts and digests are sealed like every record."""
    path = next(compact.glob(pattern))
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(NotTrustworthyError, match=path.name):
        make_report(compact, JudgingRequest(reuse=True))


def test_what_failed_keeps_all(bed: Any, copy: RunFolder) -> None:
    """A failing case is judged anew from its outputs, and found wrong in the same way."""
    program = copy.programs[0]
    content = bytearray(program.outputs.read_bytes())
    content[3] ^= 0x40  # of the first output, a float32
    program.outputs.write_bytes(content)
    spoiled = replace(program, outputs_sha256=digest_of(program.outputs))
    replace(copy, programs=(spoiled, *copy.programs[1:])).save()
    report = publish(open_run(copy.path, bed.suite), Judging(bed.suite, "strict"), None)
    (failed,) = (case for case in report.document.cases if case.verdict is Verdict.FAIL)
    (kept,) = copy.path.glob("outputs/*.kept")
    assert 0 < kept.stat().st_size < len(content) // 4
    for reuse in (True, False):
        again = make_report(copy.path, JudgingRequest(reuse=reuse))
        assert again.case(failed.id).model_dump() == failed.model_dump()
        assert again.exit_code == ExitCode.BROKEN_PROMISE
        missing = sum(case.verdict is Verdict.MISSING for case in again.document.cases)
        assert bool(missing) is not reuse


def test_compact_once(bed: Any, compact: Path) -> None:
    """A finished run that is resumed is judged and written again, and stays as it is."""
    before = {path: path.read_bytes() for path in compact.glob("*/*")}
    publish(open_run(compact, bed.suite), Judging(bed.suite, "strict", reuse=True), None)
    assert {path: path.read_bytes() for path in compact.glob("*/*")} == before


@pytest.mark.parametrize("at", ["write_bytes", "replacing", "write_journal", "_remove_others"])
def test_killed_at_any_moment(bed: Any, whole: RunFolder, copy: RunFolder, at: str) -> None:
    """The record is that of before or of after, and the same verdicts follow."""
    child = os.fork()
    if not child:
        setattr(compaction, at, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        publish(copy, Judging(bed.suite, "strict"), None)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    before = verdicts(make_report(whole.path))
    assert verdicts(make_report(copy.path, JudgingRequest(reuse=True))) == before
    publish(open_run(copy.path, bed.suite), Judging(bed.suite, "strict", reuse=True), None)
    assert verdicts(make_report(copy.path, JudgingRequest(reuse=True))) == before
    assert not [*copy.path.glob("*/*.bin"), *copy.path.glob("*/*.jsonl")]


def test_kept_outputs(bed: Any, copy: RunFolder) -> None:
    """On request all stays, and is judged anew by another standard."""
    replace(copy, config=replace(copy.config, keep_outputs=True)).save()
    publish(open_run(copy.path, bed.suite), Judging(bed.suite, "strict"), None)
    assert make_report(copy.path, JudgingRequest("ecosystem")).exit_code == ExitCode.PASSED
