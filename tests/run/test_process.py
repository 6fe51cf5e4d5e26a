# SPDX-License-Identifier: Apache-2.0
"""Watching a program: whatever it does, the watcher comes back and tells what happened."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from aclnn_cts.run.process import Ended, Limits, watch

END = '{"event":"end","case":"c","microseconds":1.0}'


def run(folder: Path, script: str, silence: float = 20.0) -> tuple[Ended, list[int]]:
    """Run Python code as the program; `events` is its events file, opened without buffer."""
    events = folder / "events.jsonl"
    head = f"import os, signal, sys, time\nevents = open({str(events)!r}, 'ab', 0)\n"
    seen: list[int] = []
    command = [sys.executable, "-c", head + script]
    return watch(command, os.environ, events, Limits(silence), seen.append), seen


def test_a_good_end(tmp_path: Path) -> None:
    """Exit code 0, the ended cases counted, standard error kept and its file gone."""
    script = f"for _ in range(3): events.write(b'{END}\\n')\nprint('words', file=sys.stderr)"
    ended, seen = run(tmp_path, script)
    assert (ended.exit_code, ended.timed_out, ended.stderr) == (0, False, "words")
    assert seen[-1] == 3
    assert [path.name for path in tmp_path.iterdir()] == ["events.jsonl"]


def test_a_line_in_two_pieces_counts_once(tmp_path: Path) -> None:
    """Only whole lines count, however they arrive."""
    first, second = END[:20], END[20:]
    script = (
        f"events.write(b'{first}'); time.sleep(0.2); events.write(b'{second}\\n')\n"
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
    started = time.monotonic()
    ended, _ = run(tmp_path, "time.sleep(100)", silence=0.4)
    assert ended.timed_out
    assert ended.exit_code == -signal.SIGTERM
    assert time.monotonic() - started < 10


def test_signs_of_life_keep_it_going(tmp_path: Path) -> None:
    """Slow is not silent: each line starts the clock anew."""
    script = f"for _ in range(6): time.sleep(0.25); events.write(b'{END}\\n')"
    ended, seen = run(tmp_path, script, silence=1.0)
    assert (ended.exit_code, ended.timed_out, seen[-1]) == (0, False, 6)


def test_one_that_will_not_be_ended(tmp_path: Path) -> None:
    """A program that ignores TERM, and the child that it started, are killed."""
    note = tmp_path / "child"
    script = (
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = os.fork()\n"
        f"if child: open({str(note)!r}, 'w').write(str(child))\n"
        "time.sleep(100)"
    )
    ended, _ = run(tmp_path, script, silence=1.0)
    assert (ended.timed_out, ended.exit_code) == (True, -signal.SIGKILL)
    for _ in range(100):
        if not _alive(int(note.read_text())):
            break
        time.sleep(0.05)
    assert not _alive(int(note.read_text()))


@pytest.mark.parametrize("end", ["os._exit(0)", "time.sleep(100)"])
def test_no_child_stays(tmp_path: Path, end: str) -> None:
    """What a program started ends with it, whether it ends by itself or is ended."""
    note = tmp_path / "child"
    script = (
        "child = os.fork()\n"
        "if not child: signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(100)\n"
        f"open({str(note)!r}, 'w').write(str(child))\n"
        "time.sleep(0.3)\n"
        f"{end}"
    )
    run(tmp_path, script, silence=1.0)
    for _ in range(100):
        if not _alive(int(note.read_text())):
            break
        time.sleep(0.05)
    assert not _alive(int(note.read_text()))


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
