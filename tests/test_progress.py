# SPDX-License-Identifier: Apache-2.0
"""Progress as JSON Lines: what a wrapper is told, and that it cannot stop a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.console import progress_of
from aclnn_cts.errors import WrongInputError


def told(path: Path) -> list[dict[str, Any]]:
    """Return the events without their times."""
    events = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert all(event.pop("seconds") >= 0 for event in events)
    return events


def test_events(tmp_path: Path) -> None:
    """Stages, steps, sentences and the end, one JSON object in each line."""
    path = tmp_path / "progress.jsonl"
    with progress_of(f"json:{path}") as progress:
        progress.stage("run", 3)
        progress.step(0)
        progress.step(2)
        progress.say("é")
        assert told(path)[-1] == {"event": "message", "text": "é"}  # written at once
        progress.judged(4, 4)
    assert told(path) == [
        {"event": "stage", "stage": "run", "steps": 3},
        {"event": "step", "stage": "run", "done": 2, "steps": 3},
        {"event": "message", "text": "é"},
        {"event": "step", "stage": "run", "done": 4, "steps": 4},
        {"event": "end"},
    ]


def test_a_long_stage_is_told_a_hundred_times(tmp_path: Path) -> None:
    """400,000 cases are no 400,000 lines."""
    path = tmp_path / "progress.jsonl"
    with progress_of(f"json:{path}") as progress:
        progress.stage("run", 100_000)
        for done in range(100_001):
            progress.step(done)
    assert sum(event["event"] == "step" for event in told(path)) == 100
    assert told(path)[-2]["done"] == 100_000


def test_the_end_says_what_went_wrong(tmp_path: Path) -> None:
    """An error ends the stream, too."""
    path = tmp_path / "progress.jsonl"
    with pytest.raises(WrongInputError), progress_of(f"json:{path}"):
        raise WrongInputError("no such thing")
    assert told(path) == [{"event": "end", "error": "no such thing"}]


def test_a_wrapper_that_went_away_ends_nothing() -> None:
    """Nobody reads any more, and the run goes on."""
    with progress_of("json:/dev/full") as progress:
        progress.stage("run", 2)
        progress.step(1)


@pytest.mark.parametrize("form", ["xml", "json:", "", "auto:x", "json:/none/such/file"])
def test_wrong_forms(form: str) -> None:
    """A form that does not exist, or a file that cannot be written."""
    with pytest.raises(WrongInputError):
        progress_of(form)
