# SPDX-License-Identifier: Apache-2.0
"""Which host is to blame, without a host: processes are made up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from aclnn_cts.run.host_health import (
    LEAST_FAILURES,
    MOST_LOSSES,
    SLOW_FACTOR,
    SLOW_SECONDS,
    Failures,
    HostHealth,
)
from aclnn_cts.run.process import ProgramRun, Progress
from aclnn_cts.run.schedule import Batch, Host, Schedule, Task, Turn


@dataclass(frozen=True)
class Named:
    id: str


COUNT = LEAST_FAILURES // 2
"""Cases of a batch, so that two batches of failures make a host suspect."""


@dataclass
class Lab:
    """Two hosts with a device each.

    Attributes:
        fails: Whether all cases of a batch fail on a host, by the names of both.
    """

    fails: Callable[[str, str], bool] = lambda *_: False
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.schedule: Schedule[Named] = Schedule([Host("bad", [0]), Host("good", [0])])
        self.health = HostHealth(self.schedule, self.failures, lambda _: 1, self.said.append)

    def failures(self, task: Task[Named], run: ProgramRun) -> Failures:
        if self.fails(run.host, task.batch.name):
            return Failures(len(task.batch.cases), passed=False)
        return Failures(0, passed=True)

    def run(self, *names: str) -> list[tuple[str, str, str]]:
        """Run batches; return batch, host and purpose of each process that is yielded."""
        cases = {name: tuple(Named(f"{name}{number}") for number in range(COUNT)) for name in names}
        self.schedule.begin(Task(Batch(name, "aclnnX", cases[name])) for name in names)
        self.health.begin()
        runs: list[ProgramRun] = []
        while True:
            turns = list(iter(self.schedule.next, None))
            for turn in turns:
                self.health.record_end(turn, 1.0, refused=False)
                runs += self.health.examine(turn.task, turn.host, run_of(turn))
            if not turns:
                if not self.health.pending:
                    return [(run.batch, run.host, run.purpose) for run in runs]
                runs += self.health.settle()


def run_of(turn: Turn[Named]) -> ProgramRun:
    """Return a process that went through all cases of a turn; its events' path holds them."""
    begun = Path(" ".join(case.id for case in turn.task.batch.cases))
    run = ProgramRun(
        "aclnnX", 0, timed_out=False, seconds=1.0, stderr="", events=begun, outputs=begun
    )
    return ProgramRun(**{**vars(run), **vars(turn.task.assignment), "host": turn.host.name})


@pytest.fixture(autouse=True)
def progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the cases that a process began from the path of its events."""

    def read(run: ProgramRun) -> Progress:
        return Progress(
            device=True, finished=True, ended=dict.fromkeys(str(run.events).split(), True)
        )

    monkeypatch.setattr(ProgramRun, "progress", property(read))


def test_healthy_hosts() -> None:
    """Each process is yielded as it is."""
    assert sorted(Lab().run("a", "b")) == [("a", "bad", "batch"), ("b", "good", "batch")]


def test_a_bad_host() -> None:
    """What fails there and passes elsewhere is set aside, and the other host's record counts."""
    lab = Lab(lambda host, _: host == "bad")
    runs = lab.run(*"abcd")
    counted = [(batch, host) for batch, host, purpose in runs if purpose == "batch"]
    assert sorted(batch for batch, _ in counted) == list("abcd")
    assert {host for _, host in counted} == {"good"}
    aside = [(batch, host) for batch, host, purpose in runs if purpose == "set-aside"]
    assert len(aside) == 2
    assert {host for _, host in aside} == {"bad"}
    assert lab.schedule.hosts["bad"].gone
    assert any("quarantined" in said for said in lab.said)


def test_a_bad_operator() -> None:
    """What fails on both is the operator's; both hosts go on."""
    lab = Lab(lambda *_: True)
    runs = lab.run(*"abcd")
    assert sorted(batch for batch, _, purpose in runs if purpose == "batch") == list("abcd")
    assert {purpose for _, _, purpose in runs} == {"batch", "compared"}
    assert all(host.usable for host in lab.schedule.hosts.values())


def test_few_failures_are_no_suspicion() -> None:
    """A single batch of a host, and one in which a valid call passed soon after."""
    lab = Lab(lambda _, batch: batch == "a")
    assert {purpose for _, _, purpose in lab.run(*"abcd")} == {"batch"}
    assert lab.said == []


def test_a_host_that_was_quarantined_stays_so() -> None:
    """As does one that the cluster no longer has."""
    lab = Lab()
    for name in ("bad", "left"):
        lab.health.quarantine(name)
    assert [host.name for host in lab.schedule.idle()] == ["good"]
    assert {host for _, host, _ in lab.run(*"ab")} == {"good"}


def begun(lab: Lab) -> Turn[Named]:
    turn = lab.schedule.next()
    assert turn is not None
    return turn


@pytest.mark.parametrize(
    ("losses", "alive", "gone"), [(1, True, False), (MOST_LOSSES, True, True), (1, False, True)]
)
def test_lost_processes(losses: int, *, alive: bool, gone: bool) -> None:
    """So many in a row, or the host itself, cost the host."""
    lab = Lab()
    for _ in range(losses):
        lab.schedule.begin([Task(Batch("a", "aclnnX", (Named("a0"),)))])
        lab.schedule.hosts["good"].gone = True
        lab.health.record_loss(begun(lab), "reason", alive=alive)
    assert lab.schedule.hosts["bad"].gone is gone
    assert len(lab.said) == losses


def test_a_case_that_loses_its_process() -> None:
    """It is given up; earlier tasks do not count."""
    health = Lab().health
    tries = [health.is_given_up("a0") for _ in range(MOST_LOSSES)]
    assert tries == [False] * (MOST_LOSSES - 1) + [True]
    health.begin()
    assert not health.is_given_up("a0")


def test_a_slow_host() -> None:
    """Its batch is moved once, if another host is idle and nothing else waits."""
    lab = Lab()
    lab.run("a", "b")
    lab.schedule.begin([Task(Batch("c", "aclnnX", (Named("c0"),)))])
    turn = begun(lab)
    limit = max(SLOW_SECONDS, SLOW_FACTOR)
    assert lab.health.slow([(turn, limit)]) is None
    assert lab.health.slow([(turn, limit + 1)]) is turn
    assert lab.health.slow([(turn, limit + 1)]) is None
