# SPDX-License-Identifier: Apache-2.0
"""Shards of a run, made and judged apart, merged into one results folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.conftest import only

from aclnn_cts.errors import ExitCode
from aclnn_cts.results.document import read_results

pytestmark = pytest.mark.end_to_end

FAULTY = (
    *only(f"Silu.{scene}.*" for scene in ("cover", "layout", "null-pointer", "size")),
    *("--fault", "tail-not-written.aclnnSilu.out"),
)
"""A run in which cases fail, so that verdicts and reruns are there to be merged."""


def verdicts_of(folder: Path) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return verdict and broken clauses of each case, by id."""
    return {case.id: (case.verdict, case.broken) for case in read_results(folder).cases}


@pytest.fixture(scope="module")
def whole(bed: Any) -> Path:
    """The run as one."""
    return run(bed, "whole", FAULTY)


@pytest.fixture(scope="module")
def shards(bed: Any) -> list[Path]:
    """The run in three parts."""
    return [run(bed, f"shard-{n}", (*FAULTY, "--shard", f"{n}/3")) for n in (1, 2, 3)]


def run(bed: Any, name: str, options: Sequence[str]) -> Path:
    """Run cases into a folder of that name."""
    folder: Path = bed.root / "results" / name
    done = bed.command("run", *options, "--results", str(folder))
    assert done.returncode in (ExitCode.PASSED, ExitCode.BROKEN_PROMISE), done.stderr
    return folder


def test_merged(bed: Any, whole: Path, shards: list[Path]) -> None:
    """The verdicts are those of one run, in its order; a later judge finds the same."""
    merged = bed.root / "results" / "merged"
    done = bed.command("judge", *map(str, reversed(shards)), "-o", str(merged))
    assert done.returncode == ExitCode.BROKEN_PROMISE, done.stderr
    assert list(verdicts_of(merged).items()) == list(verdicts_of(whole).items())
    assert read_results(merged).problems == ()
    again = bed.command("judge", str(merged))
    assert again.returncode == ExitCode.BROKEN_PROMISE
    assert verdicts_of(merged) == verdicts_of(whole)


def test_incomplete_or_strange(bed: Any, whole: Path, shards: list[Path]) -> None:
    """A missing shard, one that is given twice or is of another run, and a whole run are refused.

    Nothing is written then.
    """
    merged = bed.root / "results" / "refused"
    other = run(bed, "other", ("--case", "LogSigmoid.cover.*", "--shard", "3/3"))
    scope = json.loads((other / "results.json").read_text())["scope"]
    assert (scope["selected"], scope["shard"]) == (True, "3/3")
    for folders, code, words in (
        (shards[:2], ExitCode.NOT_TRUSTWORTHY, "missing: 3"),
        ([*shards, shards[1]], ExitCode.NOT_TRUSTWORTHY, "2/3 is given 2 times"),
        ([*shards[:2], other], ExitCode.NOT_TRUSTWORTHY, "not shards of one run"),
        ([*shards[:2], whole], ExitCode.WRONG_INPUT, "without --shard"),
    ):
        done = bed.command("judge", *map(str, folders), "-o", str(merged))
        assert (done.returncode, words in done.stderr) == (code, True), done.stderr
        assert not merged.exists()
    into = bed.command("judge", *map(str, shards), "-o", str(shards[0]))
    assert into.returncode == ExitCode.WRONG_INPUT


def test_a_shard_of_another_night(bed: Any, shards: list[Path]) -> None:
    """Events that come from another run than their shard's are noticed."""
    stray = bed.root / "results" / "stray"
    shutil.copytree(shards[1], stray)
    record = json.loads((stray / "run.json").read_text())
    (stray / "run.json").write_text(json.dumps({**record, "nonce": "0" * 32}))
    merged = bed.root / "results" / "with-stray"
    folders = (shards[0], stray, shards[2])
    done = bed.command("judge", *map(str, folders), "-o", str(merged))
    assert done.returncode == ExitCode.NOT_TRUSTWORTHY, done.stdout
