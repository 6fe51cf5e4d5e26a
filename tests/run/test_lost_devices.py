# SPDX-License-Identifier: Apache-2.0
"""A whole run: it counts as complete when all that could be run was, and goes on otherwise."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Sequence
from unittest import mock

import pytest
from tests.run.conftest import HUNG, Lab

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.run.events import read_events
from aclnn_cts.run.executor import Campaign, Leftover, LocalExecutor, OnProgress, Processes, Task
from aclnn_cts.run.folder import RunFolder, open_interrupted
from aclnn_cts.run.journal import Journal

OPERATORS = ("aclnnLogitGrad", "aclnnDropoutBackward", "aclnnPreluBackward")


@pytest.fixture
def lab(make_lab: Callable[..., Lab]) -> Lab:
    return make_lab(4, *OPERATORS)


def begun(run: RunFolder) -> list[str]:
    return [name for each in run.programs for name in read_events(each.events).cases]


def test_all_is_done(lab: Lab) -> None:
    """Each case was begun once, and there is nothing left to do."""
    run = lab.run()
    assert sorted(begun(run)) == sorted(case.id for case in lab.cases)
    assert lab.resume().state == "complete"


@pytest.mark.parametrize("devices", [(0,), (0, 1)])
def test_all_devices_are_lost_halfway(lab: Lab, devices: tuple[int, ...]) -> None:
    """The run stays interrupted and says how to go on; with devices again, only the rest is run."""
    lab.play(f"open({str(lab.gone)!r}, 'w').close()")
    sentence = (
        r"no device is left \(aclrtSetDevice failed\), and (\d+) cases not begun; "
        rf"device \d was lost after .*; `aclnn-cts run --resume --results {lab.results}` goes on"
    )
    with pytest.raises(NotTrustworthyError, match=sentence):
        lab.run(devices)
    interrupted = open_interrupted(lab.results, lab.suite)
    assert interrupted.state == "running"
    assert 0 < len(begun(interrupted)) < len(lab.cases)
    lab.gone.unlink()
    lab.play()
    resumed = lab.resume()
    assert resumed.state == "complete"
    assert sorted(begun(resumed)) == sorted(case.id for case in lab.cases)


@pytest.mark.parametrize(
    ("how", "end"),
    [
        ("os.abort()", "was killed by SIGABRT"),
        ("sys.exit(3)", "ended with status 3"),
        ("hang()", r"was stopped after \d+ s without an end"),
    ],
)
def test_the_case_that_took_the_device_along(lab: Lab, how: str, end: str) -> None:
    """Whoever resets the card is told in which case it was lost, and how that ended."""
    case = lab.cases[1]
    lab.play(f"if case == {case.id!r}: open({str(lab.gone)!r}, 'w').close(); {how}")
    with pytest.raises(NotTrustworthyError) as caught:
        lab.run()
    place = rf"device 0 was lost in {re.escape(case.id)} \({case.operator}: the program {end}\)"
    assert re.search(f"cases not begun; {place}; `aclnn-cts run --resume", str(caught.value))


def test_a_device_that_does_not_answer_any_more(lab: Lab) -> None:
    """Asking for it takes as long as a hang, and is none of a case: the run can go on, too."""
    case = lab.cases[1]
    lab.play(
        f"if case == {case.id!r}: open({str(lab.gone)!r}, 'w').close(); os.abort()", refusal=HUNG
    )
    with pytest.raises(NotTrustworthyError) as caught:
        lab.run()
    sentence = (
        r"no device is left \(the program was stopped after \d+ s without an end\), and \d+ cases"
    )
    assert re.search(sentence, str(caught.value))
    assert f"device 0 was lost in {case.id}" in str(caught.value)
    lab.gone.unlink()
    assert sorted(begun(lab.resume())) == sorted(case.id for case in lab.cases)


def interrupt(lab: Lab, devices: tuple[int, ...] = (0,)) -> None:
    """Have the first case of each process hang, and end the run when all devices have one.

    Once: a second signal would end what called the run.
    """
    begun = lab.programs.parent / "begun"
    begun.touch()
    lab.play(
        f"begun = open({str(begun)!r}, 'ab')\n"
        "    fcntl.flock(begun, fcntl.LOCK_EX)\n"
        "    begun.write(b'.')\n"
        "    begun.flush()\n"
        f"    begun.tell() == {len(devices)} and os.kill(os.getppid(), 2)\n"
        "    begun.close()\n"
        "    time.sleep(600)"
    )
    with pytest.raises(KeyboardInterrupt):
        lab.run(devices)
    lab.play()


def test_a_first_case_that_was_running_when_the_run_was_ended(lab: Lab) -> None:
    """It may have hung or been about to crash; that it was begun before is not forgotten."""
    interrupt(lab)
    resumed = lab.resume()
    assert resumed.state == "complete"
    (half,) = (each for each in resumed.programs if each.cut)
    assert half.cut in {case.id for case in lab.cases}
    assert read_events(half.events).cases == {}
    assert sorted(begun(resumed)) == sorted(case.id for case in lab.cases)


def test_how_many_cases_are_left_of_processes_that_were_cut_off(lab: Lab) -> None:
    """Those behind a process that was ended with the run count, be it started again or not."""
    interrupt(lab, (0, 1))
    lab.gone.touch()
    with pytest.raises(NotTrustworthyError, match=f"and {len(lab.cases)} cases not begun"):
        lab.resume()


def test_what_does_not_begin_for_another_reason(lab: Lab) -> None:
    """Cases behind a program that dies at once are no reason to wait for a device."""
    (lab.programs / OPERATORS[0]).write_text("#!/bin/sh\nexit 1\n")
    run = lab.run()
    assert run.state == "complete"
    assert {case.operator for case in lab.cases if case.id not in begun(run)} == {OPERATORS[0]}


def test_a_device_that_is_lost_by_the_last_case(lab: Lab) -> None:
    """Where nothing is left to do, nobody needs the device: the run is complete."""
    last = lab.cases[-1]
    lab.play(f"if case == {last.id!r}: open({str(lab.gone)!r}, 'w').close(); sys.exit(3)")
    cases = tuple(case for case in lab.cases if case.operator == last.operator)
    assert lab.run(cases=cases).state == "complete"


def test_a_device_in_another_overflow_mode(lab: Lab) -> None:
    """What is promised of Inf and NaN is for the other mode: nothing of it is judged."""
    lab.play(inf_nan=False)
    with pytest.raises(NotTrustworthyError, match="the device's arithmetic has no Inf and NaN"):
        lab.run()
    assert open_interrupted(lab.results, lab.suite).state == "running"


def test_a_device_that_does_not_tell_its_overflow_mode(lab: Lab) -> None:
    """Older runtimes do not know it; that speaks against nothing."""
    lab.play(inf_nan=None)
    assert lab.run().state == "complete"


class Elsewhere:
    """An executor that is not that of this host, and does not forget what it yields."""

    def __init__(self, campaign: Campaign) -> None:
        self._inner = LocalExecutor(campaign)
        self.running: list[Processes] = []

    def run(
        self, tasks: Sequence[Task], on_progress: OnProgress, leftovers: Sequence[Leftover] = ()
    ) -> Processes:
        """Run tasks here all the same."""
        self.running.append(self._inner.run(tasks, on_progress, leftovers))
        return self.running[-1]


def test_another_executor(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tasks is closed when the journal cannot be written, and may go on."""
    made: list[Elsewhere] = []

    def make(campaign: Campaign) -> Elsewhere:
        made.append(Elsewhere(campaign))
        return made[-1]

    full = OSError(errno.ENOSPC, "No space")
    with monkeypatch.context() as patched:
        patched.setattr(Journal, "note", mock.Mock(side_effect=full))
        with pytest.raises(NotTrustworthyError, match="the disk is full"):
            lab.run(executor=make)
    assert [next(processes, None) for processes in made[0].running] == [None]
    assert lab.resume(make).state == "complete"
    assert len(made) == 2  # one for the run, one for what was left of it
