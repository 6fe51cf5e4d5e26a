# SPDX-License-Identifier: Apache-2.0
"""What the runner costs by itself: cases that take no time, from the plan to the last record.

Each program measures the time between a case's begin and end: the device's, the operator's and the
harness's own. With one program at a time nothing overlaps, so all other time of a run is the
runner's: looking for builds and data that are there, writing case files, starting processes,
opening the device, watching, and reading and journaling what came back.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from aclnn_cts.errors import ExitCode
from aclnn_cts.judge.judge_run import Judging, recorded_standard
from aclnn_cts.judging import publish
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.planner import plan
from aclnn_cts.run.campaign import Request, Silent, run_campaign
from aclnn_cts.run.events import read_events
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite, find_suite
from tools.benchmarks import MissedTargetError

CASES = 1000
OPERATORS = 50
RUNS = 3
TARGET_SECONDS = 5.0


@dataclass(frozen=True)
class Cost:
    """What one run took, in seconds.

    Attributes:
        cases: How many cases have ended in it.
        wall: From the begin to the end.
        busy: Of a core, by the runner and its programs.
        inside: Between begin and end of cases, added up.
        processes: How many processes ran them.
        judged: For judging them and writing the report, behind all that.
    """

    cases: int
    wall: float
    busy: float
    inside: float
    processes: int
    judged: float = 0.0

    @property
    def overhead(self) -> float:
        """Seconds per 1000 cases that no case took, if one program ran at a time."""
        return (self.wall - self.inside) * 1000 / self.cases


def trivial_cases(planned: Sequence[Case], count: int) -> tuple[Case, ...]:
    """Return the smallest cases of each operator, as many that must work as refused ones.

    Cases about state are none of them: these call their operator many times. Where an operator
    has too few of a kind, all others give more.

    Args:
        planned: The cases to choose from.
        count: How many to take; fewer if there are fewer.
    """
    groups: dict[tuple[str, bool], list[Case]] = {}
    for case in planned:
        if not case.again:
            groups.setdefault((case.operator, case.expects_success), []).append(case)
    ids = {case.id for case in islice(_in_turn(list(groups.values())), count)}
    # In the planned order: refused calls are spread among those that must work.
    return tuple(case for case in planned if case.id in ids)


def elements_of(case: Case) -> int:
    """Return how many elements all tensors of a case have."""
    return sum(tensor.numel for tensor in case.tensors)


def _in_turn(groups: Sequence[Sequence[Case]]) -> Iterator[Case]:
    """Yield the smallest case of each group, then the next one of each."""
    by_size = [sorted(group, key=elements_of) for group in groups]
    for place in range(max(map(len, by_size), default=0)):
        yield from (group[place] for group in by_size if place < len(group))


def measure(suite: Suite, specs: SpecSet, cases: Sequence[Case], jobs: int) -> Cost:
    """Run cases, so many programs at a time, and return what that took.

    Raises:
        RuntimeError: A case did not end, or not as it must, so that nothing was measured.
    """
    with tempfile.TemporaryDirectory() as folder:
        config = RunConfig(devices=(0,) * jobs)
        request = Request("atlas-a2", "smoke", "strict", tuple(cases), Path(folder), config)
        started, before = time.monotonic(), sum(os.times()[:4])
        run = run_campaign(suite, specs, request, Silent())
        wall, busy = time.monotonic() - started, sum(os.times()[:4]) - before
        records = [read_events(program.events).cases.values() for program in run.programs]
        started = time.monotonic()
        report = publish(run, Judging(suite, recorded_standard(run), jobs), None)
        judge_seconds = time.monotonic() - started
    if report.exit_code is not ExitCode.PASSED:
        raise RuntimeError(f"the cases ended with exit status {report.exit_code}")
    ended = [
        case.microseconds / 1e6
        for cases_of_process in records
        for case in cases_of_process
        if case.ended
    ]
    if len(ended) != len(cases):
        raise RuntimeError(f"{len(cases) - len(ended)} of {len(cases)} cases did not end")
    return Cost(len(ended), wall, busy, sum(ended), len(run.programs), judge_seconds)


def require_speed(overhead: float) -> None:
    """Raise MissedTargetError if 1000 trivial cases cost the runner more than is promised."""
    if overhead > TARGET_SECONDS:
        raise MissedTargetError(
            f"the runner's overhead is {overhead:.2f} s per 1000 trivial cases, more than the "
            f"promised {TARGET_SECONDS:.1f} s; is the machine busy with something else?"
        )


def main() -> None:
    """Print what was run, and a line for one program at a time and for two.

    Raises:
        MissedTargetError: The overhead is above the target.
    """
    suite = find_suite()
    specs = load_specs(suite)
    names = [spec.operator for spec in specs.tested_operators if spec.supports("atlas-a2")]
    some = names[:: max(len(names) // OPERATORS, 1)][:OPERATORS]
    planned = plan(specs, "atlas-a2", "smoke", some, PlanCache.of(suite))
    cases = trivial_cases(planned, CASES)
    print(description(cases))
    measure(suite, specs, cases, 1)  # builds and makes what is not there yet
    alone, pair = ([measure(suite, specs, cases, jobs) for _ in range(RUNS)] for jobs in (1, 2))
    overhead = statistics.median(cost.overhead for cost in alone)
    print(
        f"  1 at a time: {overhead:.2f} s of overhead per 1000 cases (target below "
        f"{TARGET_SECONDS:.1f}); {seconds(alone)}"
    )
    print(f"  2 at a time: {seconds(pair)}")
    require_speed(overhead)


def description(cases: Sequence[Case]) -> str:
    """Return which cases are run, and under which circumstances."""
    working = sum(case.expects_success for case in cases)
    operators = len({case.operator for case in cases})
    sizes = [elements_of(case) for case in cases]
    return (
        f"runner: {len(cases)} trivial cases of {operators} operators ({working} that must work, "
        f"{len(cases) - working} refused; at most {max(sizes)} elements, half of them at most "
        f"{statistics.median(sizes):.0f}), median of {RUNS} runs, "
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )


def seconds(costs: Sequence[Cost]) -> str:
    """Return what runs took, each number the median of all."""
    wall, busy, inside, judged = (
        statistics.median(getattr(cost, name) for cost in costs)
        for name in ("wall", "busy", "inside", "judged")
    )
    return (
        f"{wall:.2f} s in all, {inside:.2f} s of it inside cases (device, operator, harness), "
        f"{busy:.2f} s of a core, {costs[0].processes} processes; judge and report {judged:.2f} s"
    )
