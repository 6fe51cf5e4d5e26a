# SPDX-License-Identifier: Apache-2.0
"""The scheduler by itself: no process, no file, no clock."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass

import pytest

from aclnn_cts.run.schedule import (
    MOST_TIMEOUTS,
    NO_RUNTIME,
    Batch,
    Host,
    Outcome,
    Purpose,
    Schedule,
    Task,
    suspects_of,
)


@dataclass(frozen=True)
class Named:
    id: str


CRASH, REFUSAL = -11, Outcome(exit_code=NO_RUNTIME, reached_device=False)


def task(name: str, count: int = 3, purpose: Purpose = "batch") -> Task[Named]:
    cases = tuple(Named(f"{name}{number}") for number in range(count))
    return Task(Batch(name, "aclnnX", cases), purpose)


def ids(one: Task[Named] | None) -> list[str]:
    return [case.id for case in one.batch.cases] if one else []


def ended(one: Task[Named], count: int | None = None, exit_code: int | None = 0) -> Outcome:
    """Return how a process ended that began so many cases, or all."""
    begun = ids(one)[:count]
    finished = exit_code == 0 and len(begun) == len(one.batch.cases)
    return Outcome(begun, (begun or [""])[-1], finished, exit_code=exit_code)


def hung(one: Task[Named], count: int) -> Outcome:
    begun = ids(one)[:count]
    return Outcome(begun, (begun or [""])[-1], exit_code=-9, timed_out=True)


def test_in_their_order() -> None:
    """The next device takes the next task; no task is given twice."""
    schedule: Schedule[Named] = Schedule.of_devices([7, 0])
    schedule.begin([task("a"), task("b"), task("c")])
    first, second, third = schedule.next(), schedule.next(), schedule.next()
    assert first is not None
    assert second is not None
    assert third is None
    assert [(each.task.name, each.device) for each in (first, second)] == [("a", 7), ("b", 0)]
    assert not schedule.end(second, ended(second.task))
    last = schedule.next()
    assert last is not None
    assert (last.task.name, last.device) == ("c", 0)


@pytest.mark.parametrize(
    ("outcome", "rest", "timeouts"),
    [
        (ended(task("a")), [], 0),
        (ended(task("a"), 1, CRASH), ["a1", "a2"], 0),
        (ended(task("a"), 1, 0), ["a1", "a2"], 0),
        (hung(task("a"), 2), ["a2"], 1),
        (ended(task("a"), 3, CRASH), [], 0),
        (ended(task("a"), 0, CRASH), [], 0),
        (ended(task("a"), 0, None), ["a0", "a1", "a2"], 0),
        (REFUSAL, ["a0", "a1", "a2"], 0),
    ],
)
def test_what_remains_of_a_batch(outcome: Outcome, rest: list[str], timeouts: int) -> None:
    """What no process began, in the next process; nothing if one gets nowhere by itself."""
    left = task("a").rest(outcome, MOST_TIMEOUTS)
    assert ids(left) == rest
    if left is not None:
        assert (left.name, left.timeouts) == ("a.1", timeouts)


@pytest.mark.parametrize("purpose", ["alone", "company", "compared"])
def test_other_purposes_are_one_process(purpose: Purpose) -> None:
    """Unless the device was refused, so that no case began."""
    one = task("a", purpose=purpose)
    assert one.rest(ended(one, 1, CRASH), MOST_TIMEOUTS) is None
    assert ids(one.rest(REFUSAL, MOST_TIMEOUTS)) == ids(one)


def test_many_hangs() -> None:
    """A batch is given up after so many."""
    left: Task[Named] | None = task("a", 9)
    for _ in range(2):
        assert left is not None
        left = left.rest(hung(left, 1), 2)
    assert left is None
    schedule: Schedule[Named] = Schedule.of_devices([0], most_timeouts=2)
    schedule.begin([Task(task("a").batch, timeouts=2), task("b", 0), task("c")])
    assert [each.name for each in schedule.waiting] == ["c"]


def test_after_an_interruption() -> None:
    """The recorded processes count, each with its hang; names go on behind all of them."""
    whole = task("a", 5)
    left = whole.after(ended(whole, 2, CRASH), hung(whole, 3), parts=4)
    assert (ids(left), left.name, left.timeouts) == (["a3", "a4"], "a.4", 1)


def test_a_refused_device_is_gone() -> None:
    """Its task goes to the next device first, and to none if there is none."""
    schedule: Schedule[Named] = Schedule.of_devices([7, 0])
    schedule.begin([task("a"), task("b")])
    for left in (1, 0):
        turn = schedule.next()
        assert turn is not None
        assert schedule.end(turn, REFUSAL)
        assert len(schedule.idle()) == left
        assert ids(schedule.waiting[0]) == ids(task("a"))
    assert schedule.next() is None
    assert [each.name for each in schedule.waiting] == ["a.2", "b"]


def test_the_host_with_most_idle_devices() -> None:
    """A suspect host gets nothing for now, one that is gone nothing at all."""
    one, two, three = Host("one", [0]), Host("two", [0, 1]), Host("three", [0, 1, 2], gone=True)
    schedule: Schedule[Named] = Schedule([one, two, three])
    schedule.begin(map(task, "abcd"))
    turn = schedule.next()
    assert turn is not None
    assert turn.host is two
    two.suspect = True
    turn = schedule.next()
    assert turn is not None
    assert turn.host is one
    assert schedule.next() is None


def test_suspects() -> None:
    """The case that a process died in, hung in or was cut off in runs again alone."""
    one = task("a", 9)
    outcomes = (
        ended(one, 2, CRASH),
        hung(one, 4),
        Outcome(ids(one)[:5], "a4", exit_code=None, cut="a5"),
        ended(one, 7, 0),
        ended(one),
    )
    found = dict(suspects_of(one.batch, outcomes))
    assert {why: ids(alone) for why, alone in found.items()} == {
        "crashed": ["a6"], "hung": ["a3"], "were interrupted": ["a5"],
    }  # fmt: skip
    assert found["hung"].assignment.about == "a3"
    assert found["hung"].name == "a-case3-alone"
    assert not list(suspects_of(one.batch, [ended(one), REFUSAL]))


def test_time_limits() -> None:
    """A rerun may take as long as its cases do."""
    assert task("a").limits(10.0, 60.0) == (15.0, 60.0)
    assert task("a").limits(10.0) == (15.0, math.inf)
    assert task("a", purpose="alone").limits(10.0, 60.0) == (15.0, math.inf)


@pytest.mark.parametrize("seed", range(50))
def test_each_case_is_begun_once(seed: int) -> None:
    """In whatever order processes end, whatever they die of, as long as a device is left."""
    chance = random.Random(seed)  # noqa: S311
    tasks = [task(name, 12) for name in "abcdef"]
    bad = {case for one in tasks for case in ids(one) if chance.random() < 0.2}
    devices = 6
    schedule: Schedule[Named] = Schedule(Host(name, [0, 1, 2]) for name in "xy")
    schedule.begin(tasks)
    begun: Counter[str] = Counter()
    names: Counter[str] = Counter()
    running = list(iter(schedule.next, None))
    while running:
        turn = running.pop(chance.randrange(len(running)))
        names[turn.task.name] += 1
        if devices > 1 and chance.random() < 0.2:
            devices -= 1
            outcome = REFUSAL
        else:
            dying = [number for number, name in enumerate(ids(turn.task), 1) if name in bad]
            outcome = ended(turn.task, dying[0], CRASH) if dying else ended(turn.task)
        begun.update(outcome.begun)
        schedule.end(turn, outcome)
        running += iter(schedule.next, None)
    assert begun == Counter(case for one in tasks for case in ids(one))
    assert set(names.values()) == {1}
