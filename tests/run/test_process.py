# SPDX-License-Identifier: Apache-2.0
"""Watching a program: whatever it does, the watcher comes back and tells what happened."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest
from tests.run.programs import Clock

from aclnn_cts.run.process import Limits, ProcessEnd, watch

END = '{"event":"end","case":"c","microseconds":1.0}'


def run(folder: Path, script: str) -> tuple[ProcessEnd, list[int]]:
    """Run Python code as the program; `events` is its events file, opened without buffer.

    It may be silent for 20 seconds of a clock that it moves itself.
    """
    events = folder / "events.jsonl"
    clock = Clock(folder / "clock")
    head = f"import os, signal, sys, time\nevents = open({str(events)!r}, 'ab', 0)\n{clock.code}"
    seen: list[int] = []
    command = [sys.executable, "-c", head + script]
    limits = Limits(20.0, clock=clock)
    return watch(command, os.environ, events, limits, seen.append), seen


def test_a_good_end(tmp_path: Path) -> None:
    """Exit code 0, the ended cases counted, standard error kept and its file gone."""
    script = f"for _ in range(3): events.write(b'{END}\\n')\nprint('words', file=sys.stderr)"
    ended, seen = run(tmp_path, script)
    assert (ended.exit_code, ended.timed_out, ended.stderr) == (0, False, "words")
    assert seen[-1] == 3
    assert {path.name for path in tmp_path.iterdir()} == {"events.jsonl", "clock"}


def test_a_line_in_two_pieces_counts_once(tmp_path: Path) -> None:
    """Only whole lines count, however they arrive."""
    first, second = END[:20], END[20:]
    script = (
        f"events.write(b'{first}'); await_watcher(); events.write(b'{second}\\n')\n"
        f"events.write(b'{END}')"
    )
    ended, seen = run(tmp_path, script)
    assert ended.exit_code == 0
    assert seen[-1] == 1


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_a_crash(tmp_path: Path, number: signal.Signals) -> None:
    """The signal is the negative exit code."""
    ended, _ = run(tmp_path, f"os.kill(os.getpid(), {int(number)})")
    assert (ended.exit_code, ended.timed_out) == (-number, False)


def test_silence_is_ended(tmp_path: Path) -> None:
    """A program that records nothing for too long is ended, and said to have timed out."""
    ended, _ = run(tmp_path, "hang()")
    assert ended.timed_out
    assert ended.exit_code == -signal.SIGTERM


def test_signs_of_life_keep_it_going(tmp_path: Path) -> None:
    """Slow is not silent: each line starts the clock anew."""
    script = f"for _ in range(6): advance(15); await_watcher(); events.write(b'{END}\\n')"
    ended, seen = run(tmp_path, script)
    assert (ended.exit_code, ended.timed_out, seen[-1]) == (0, False, 6)


@pytest.mark.parametrize("end", ["os._exit(0)", "hang()"])
def test_no_child_stays(tmp_path: Path, end: str) -> None:
    """What a program started ends with it, whether it ends by itself or is ended."""
    script = f"{CHILD}\n{end}"
    run(tmp_path, script)
    _require_end(tmp_path)


def test_one_that_will_not_be_ended(tmp_path: Path) -> None:
    """A program that ignores TERM, and the child that it started, are killed."""
    script = f"{CHILD}\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nhang()"
    ended, _ = run(tmp_path, script)
    assert (ended.timed_out, ended.exit_code) == (True, -signal.SIGKILL)
    _require_end(tmp_path)


CHILD = """
ready, told = os.pipe()
child = os.fork()
if not child:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.write(told, b"x")
    time.sleep(600)
os.read(ready, 1)
open(events.name + ".child", "w").write(str(child))
"""
"""Starts a child that ignores TERM."""


def _require_end(folder: Path) -> None:
    """Wait until the child is gone."""
    pid = int((folder / "events.jsonl.child").read_text())
    while _alive(pid):
        time.sleep(0.01)


def _alive(pid: int) -> bool:
    """Whether a process runs; one that is dead and not yet waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (OSError, IndexError):
        return False
    return state not in "ZX"


def test_long_words_are_cut(tmp_path: Path) -> None:
    """Of much text on standard error the end is kept; bytes that are no text do not hurt."""
    ended, _ = run(tmp_path, "sys.stderr.buffer.write(b'x' * 100_000 + b'\\xff the end')")
    assert len(ended.stderr) <= 4000
    assert ended.stderr.endswith("the end")


def test_no_program(tmp_path: Path) -> None:
    """A program that is not there is an OSError for the caller to explain."""
    with pytest.raises(FileNotFoundError):
        watch([str(tmp_path / "none")], {}, tmp_path / "e.jsonl", Limits(1.0), lambda _: None)
