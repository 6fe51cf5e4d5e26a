# SPDX-License-Identifier: Apache-2.0
"""A journal that lost lines is refused: what broke once must not be run until it passes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.run.resume import require_whole_journal

BATCH = "aclnnLogitGrad-000"
AGAIN = "aclnnLogitGrad-case00000-again0"


@pytest.fixture
def run(bench: Any) -> RunFolder:
    """A run of one batch, of which nothing is recorded yet."""
    bench.case("a", [0.5], [1.0])
    (bench.folder / "events").mkdir()
    made: RunFolder = bench.run()
    return made


def recorded(run: RunFolder, bench: Any, *names: str, journaled: int) -> RunFolder:
    """Leave records of processes, of which the journal names the first ones."""
    programs = []
    for number, name in enumerate(names):
        events: Path = run.path / "events" / f"{name}.jsonl"
        bench.program(purpose="alone" if name == AGAIN else "batch", batch=BATCH, part=number)
        bench.programs[-1].events.rename(events)
        programs.append(replace(bench.programs[-1], events=events))
    return replace(run, programs=tuple(programs[:journaled]))


@pytest.mark.parametrize(
    ("names", "journaled"),
    [
        ([], 0),
        ([BATCH], 0),
        ([BATCH, f"{BATCH}.1"], 1),
        ([BATCH, f"{BATCH}.1"], 2),
        ([BATCH, AGAIN], 1),
        ([BATCH, AGAIN], 2),
    ],
)
def test_the_processes_that_were_running_may_lack(
    run: RunFolder, bench: Any, names: list[str], journaled: int
) -> None:
    """Wherever a run is ended, the journal lacks what had not ended, and nothing before that."""
    require_whole_journal(recorded(run, bench, *names, journaled=journaled))


@pytest.mark.parametrize(
    ("names", "first"),
    [([BATCH, f"{BATCH}.1"], f"{BATCH}.1"), ([BATCH, AGAIN], AGAIN)],
)
def test_what_ended_before_others_began_may_not(
    run: RunFolder, bench: Any, names: list[str], first: str
) -> None:
    """An emptied journal would have a crash run again as if it had never been seen."""
    with pytest.raises(NotTrustworthyError, match=f"journal.jsonl: lacks .* {first}.jsonl began"):
        require_whole_journal(recorded(run, bench, *names, journaled=0))
