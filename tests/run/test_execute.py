# SPDX-License-Identifier: Apache-2.0
"""Running programs: one bad case costs itself alone, and a run that is to end ends at once."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.run.programs import Clock, write_program

from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.judge.records import pair
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.events import read_events
from aclnn_cts.run.executor import (
    Campaign,
    LocalExecutor,
    Task,
    batches_of,
    elements_of,
    run_in_turn,
)
from aclnn_cts.run.process import ProgramRun
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import SpecSet

OPERATORS = ("aclnnLogitGrad", "aclnnDropoutBackward", "aclnnPreluBackward")


@pytest.fixture
def campaign(
    tmp_path: Path, specs: SpecSet, planned: Callable[..., tuple[Case, ...]]
) -> Callable[..., tuple[Campaign, list[Case]]]:
    """Return what prepares a campaign of four cases for each operator, with a given program."""

    def prepare(body: str, *operators: str) -> tuple[Campaign, list[Case]]:
        cases = [case for name in operators for case in planned("atlas-a2", "smoke", name)[:4]]
        programs = tmp_path / "programs"
        for name in operators:
            write_program(programs / name, body)
        store, results = tmp_path / "store", tmp_path / "results"
        results.mkdir()
        references = DataStore(store).provide(specs, cases)
        toolkit = Toolkit(tmp_path, "simulator")
        made = Campaign(specs, "atlas-a2", toolkit, programs, results, store, references)
        return replace(made, clock=Clock(programs)), cases

    return prepare


def run(made: Campaign, cases: Sequence[Case], **asked: Any) -> tuple[list[ProgramRun], list[int]]:
    """Run cases; return the processes by name, and the numbers of ended cases that were told."""
    told: list[int] = []
    tasks = [Task(batch) for batch in batches_of(cases)]
    executor = LocalExecutor(replace(made, config=RunConfig(**asked)))
    runs = list(executor.run(tasks, told.append))
    return sorted(runs, key=lambda each: (each.batch, each.part)), told


def test_one_process_for_each_batch(campaign: Any) -> None:
    """All cases ended, progress told, and the records vouched for."""
    made, cases = campaign("pass", *OPERATORS)
    runs, told = run(made, cases, devices=(0, 0))
    assert {each.operator for each in runs} == set(OPERATORS)
    assert [each.batch for each in runs] == sorted(f"{name}-000" for name in OPERATORS)
    assert {each.exit_code for each in runs} == {0}
    assert max(told) == len(cases)
    assert all(each.find_altered() is None and each.events_sha256 for each in runs)


def test_a_crash_costs_one_case(campaign: Any) -> None:
    """The program is started again for the cases behind the one in which it died."""
    made, cases = campaign("pass", OPERATORS[0])
    harm(made, f"if case == {cases[1].id!r}: os.abort()")
    runs, _ = run(made, cases)
    assert [each.exit_code for each in runs] == [-6, 0]
    assert [each.events.stem for each in runs] == [f"{OPERATORS[0]}-000", f"{OPERATORS[0]}-000.1"]
    assert [begun(each) for each in runs] == [[c.id for c in cases[:2]], [c.id for c in cases[2:]]]


def test_what_an_interrupted_process_recorded_is_no_sign_of_life(campaign: Any) -> None:
    """A process that takes its name again is given as long as any other, however much was told."""
    made, cases = campaign("advance(50); await_watcher()", OPERATORS[0])
    (made.folder / "events").mkdir()
    earlier = made.folder / "events" / f"{OPERATORS[0]}-000.jsonl"
    earlier.write_text('{"event":"output"}\n' * 1000)
    ((done, *others), _) = run(made, cases)
    assert (done.timed_out, done.exit_code, others) == (False, 0, [])
    assert len(begun(done)) == len(cases)


def test_a_batch_goes_on_when_its_process_was_taken(campaign: Any) -> None:
    """What a process left is with whoever keeps the journal before the next one begins."""
    made, cases = campaign("pass", OPERATORS[0])
    harm(made, f"if case == {cases[1].id!r}: os.abort()")
    executor = LocalExecutor(made)
    processes = executor.run([Task(batch) for batch in batches_of(cases)], lambda _: None)
    first = next(processes)
    time.sleep(0.2)  # a next process would begin at once
    assert [path.stem for path in (made.folder / "events").glob("*.jsonl")] == [first.events.stem]
    assert [each.part for each in processes] == [1]


def test_nothing_runs_on_when_a_worker_does_not_start(
    campaign: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others' programs end with the run, or they would hold devices and write to its folder."""
    made, cases = campaign("time.sleep(600)", *OPERATORS)
    start = threading.Thread.start
    started: list[threading.Thread] = []

    def start_one(thread: threading.Thread) -> None:
        if started:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_one)
    with pytest.raises(RuntimeError, match="start new thread"):
        run(made, cases, devices=(0, 1))
    assert not started[0].is_alive()


def test_an_end_with_status_0_is_no_end(campaign: Any) -> None:
    """A call that ends its program as if all were done costs itself alone, too."""
    made, cases = campaign("pass", OPERATORS[0])
    harm(made, f"if case == {cases[1].id!r}: os._exit(0)")
    runs, _ = run(made, cases)
    assert [each.exit_code for each in runs] == [0, 0]
    assert [begun(each) for each in runs] == [[c.id for c in cases[:2]], [c.id for c in cases[2:]]]
    found = pair(cases, runs, made.nonce).found
    assert [getattr(found[each.id], "ended", "") for each in cases[:3]] == ["", "crash", ""]


def harm(made: Campaign, *body: str) -> None:
    """Change what the program does in each case."""
    program = made.programs / OPERATORS[0]
    program.write_text(program.read_text().replace("    pass", f"    {'; '.join(body)}"))


def begun(each: ProgramRun) -> list[str]:
    return list(read_events(each.events).cases)


def test_a_hang_costs_one_case(campaign: Any) -> None:
    """A case that falls silent is ended; the next process goes on behind it."""
    made, cases = campaign("pass", OPERATORS[0])
    harm(made, f"if case == {cases[1].id!r}: hang()")
    runs, _ = run(made, cases)
    assert [each.timed_out for each in runs] == [True, False]
    assert begun(runs[1]) == [case.id for case in cases[2:]]


def test_too_many_hangs(campaign: Any) -> None:
    """A batch in which case after case hangs is given up, not waited for."""
    made, cases = campaign("hang()", OPERATORS[0])
    runs, _ = run(replace(made, most_timeouts=2), cases)
    assert [each.timed_out for each in runs] == [True, True]


def test_a_batch_that_takes_too_long(campaign: Any) -> None:
    """Its time up, the case that it came to is not blamed: a fresh process begins it again."""
    made, cases = campaign("pass", OPERATORS[0])
    slow = f"mark = {str(made.folder)!r} + '/' + case"
    once = "os.path.exists(mark) or number == 0 or (open(mark, 'w').close(), hang())"
    harm(made, slow, once)
    runs, _ = run(made, cases, batch_seconds=10.0)
    assert len(runs) == len(cases)
    assert {each.timed_out for each in runs} == {False}
    assert {each.exit_code for each in runs[:-1]} == {None}
    assert [each.cut for each in runs] == [*(begun(each)[0] for each in runs[1:]), ""]
    assert [name for each in runs for name in begun(each)] == [case.id for case in cases]
    assert all(each.find_altered() is None for each in runs)


def test_a_case_that_takes_a_batch_s_time_by_itself(campaign: Any) -> None:
    """It would never end, however often it were begun: that is a timeout."""
    body = "while True: tell(event='x'); advance(5); await_watcher()"
    made, cases = campaign(body, OPERATORS[0])
    runs, _ = run(replace(made, most_timeouts=1), cases, batch_seconds=10.0)
    assert [(each.timed_out, begun(each)) for each in runs] == [(True, [cases[0].id])]


def test_a_program_that_never_gets_anywhere(campaign: Any) -> None:
    """One that dies before its first case is not started again and again."""
    made, cases = campaign("pass", OPERATORS[0])
    (made.programs / OPERATORS[0]).write_text("#!/bin/sh\nexit 1\n")
    runs, _ = run(made, cases)
    assert [each.exit_code for each in runs] == [1]


@pytest.mark.parametrize("operators", [OPERATORS, OPERATORS[:1]])
def test_a_device_that_is_gone(campaign: Any, operators: Sequence[str]) -> None:
    """What it had, and all that is left, falls to the other device, even one not needed so far."""
    made, cases = campaign("pass", *operators)
    for name in operators:
        program = made.programs / name
        text = program.read_text().replace("events =", GONE + "events =", 1)
        program.write_text(text)
    runs, _ = run(made, cases, devices=(7, 0))
    assert [each.exit_code for each in runs if each.device == 7] == [3]
    ended = [name for each in runs if each.device == 0 for name in begun(each)]
    assert sorted(ended) == sorted(case.id for case in cases)


GONE = "if options['--device'] == '7': sys.exit(3)\n"


def test_no_device_is_left(campaign: Any) -> None:
    """The run ends; what was not run is not in the records."""
    made, cases = campaign("pass", *OPERATORS)
    for name in OPERATORS:
        (made.programs / name).write_text("#!/bin/sh\nexit 3\n")
    runs, _ = run(made, cases, devices=(0, 1))
    assert [each.exit_code for each in runs] == [3, 3]


def test_a_device_is_lost_in_a_case(campaign: Any) -> None:
    """The process that lost it ends; a fresh one is tried on the same device."""
    made, cases = campaign("pass", OPERATORS[0])
    lose = "tell(event='end', case=case, microseconds=1.0)", "sys.exit(3)"
    first = '{"event":"device","soc":"S","cann":"","inf_nan":true,"nonce":""}'
    program = made.programs / OPERATORS[0]
    program.write_text(
        program.read_text().replace("cases = [", f"events.write({first!r} + '\\n')\ncases = [", 1)
    )
    harm(made, f"if case == {cases[1].id!r}: " + "; ".join(lose))
    runs, _ = run(made, cases)
    assert [each.exit_code for each in runs] == [3, 0]
    assert begun(runs[1]) == [case.id for case in cases[2:]]


def test_the_longest_first(campaign: Any) -> None:
    """The order in which batches are taken is that of their size."""
    made, cases = campaign("pass", *OPERATORS)
    tasks = [Task(batch) for batch in batches_of(cases)]
    runs = list(LocalExecutor(made).run(tasks, lambda _: None))
    sizes = {task.batch.name: elements_of(task.batch) for task in tasks}
    assert [sizes[each.batch] for each in runs] == sorted(sizes.values(), reverse=True)


def test_ctrl_c_ends_all_at_once(campaign: Any) -> None:
    """Programs that would run for minutes are ended, waiting ones are not started."""
    made, cases = campaign("time.sleep(600)", *OPERATORS)
    started = time.monotonic()
    main = threading.main_thread().ident
    assert main is not None

    def interrupt() -> None:
        while not list((made.folder / "events").glob("*.jsonl")):
            time.sleep(0.01)
        signal.pthread_kill(main, signal.SIGINT)

    waiter = threading.Thread(target=interrupt)
    waiter.start()
    with pytest.raises(KeyboardInterrupt):
        run(made, cases, devices=(0, 0))
    waiter.join()
    assert time.monotonic() - started < 300
    assert len(list((made.folder / "events").glob("*.jsonl"))) <= 2
    assert [path for path in Path("/proc").glob("[0-9]*/cmdline") if _runs(path, made)] == []


def _runs(path: Path, made: Campaign) -> bool:
    try:
        return str(made.folder).encode() in path.read_bytes()
    except OSError:
        return False


def test_one_that_cannot_start_ends_the_others(campaign: Any) -> None:
    """A missing program is an error at once, not after the others' minutes."""
    made, cases = campaign("time.sleep(600)", *OPERATORS)
    (made.programs / OPERATORS[0]).unlink()
    started = time.monotonic()
    with pytest.raises(NotTrustworthyError, match="cannot be started"):
        run(made, cases, devices=(0, 0, 0))
    assert time.monotonic() - started < 300


def test_a_full_disk_ends_the_run(campaign: Any) -> None:
    """A program that cannot write its results says so; no case is blamed for it."""
    made, cases = campaign("pass", OPERATORS[0])
    words = "e.jsonl: cannot be written: No space; choose a place that is writable and has room"
    harm(made, f"sys.stderr.write({words!r}); sys.exit(2)")
    with pytest.raises(NotTrustworthyError, match=r"No space.*has room"):
        run(made, cases)


def test_in_turn(campaign: Any) -> None:
    """To try a device: in order, and an operator that hangs is given up over its batches."""
    made, cases = campaign("hang()", OPERATORS[0], OPERATORS[1])
    runs = run_in_turn(replace(made, most_timeouts=1), cases)
    assert [each.operator for each in runs] == list(OPERATORS[:2])


def test_in_turn_without_a_device(campaign: Any) -> None:
    """Each batch of a device that is refused is tried once, and not for ever."""
    made, cases = campaign("pass", *OPERATORS[:2])
    for name in OPERATORS[:2]:
        (made.programs / name).write_text("#!/bin/sh\nexit 3\n")
    stop = threading.Timer(300.0, made.stop.set)
    stop.start()
    runs = run_in_turn(made, cases)
    stop.cancel()
    assert [(each.operator, each.exit_code) for each in runs] == [
        (name, 3) for name in OPERATORS[:2]
    ]
