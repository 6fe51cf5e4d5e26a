# SPDX-License-Identifier: Apache-2.0
"""Having cases that broke a promise run again, until it is known what they depend on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from aclnn_cts.judge.attempts import Attempts
from aclnn_cts.judge.judge_run import Judged, Judging, judge_attempts, judge_batches
from aclnn_cts.judge.rerun_policy import Attempt, next_try, next_try_of_cut, suspects_of
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.campaign import Perform
from aclnn_cts.run.events import read_events
from aclnn_cts.run.executor import Batch, Task
from aclnn_cts.run.folder import RunFolder

OnStage = Callable[[str, int], None]
"""Is told that a stage begins, and how many steps it has."""


@dataclass
class Confirmation:
    """Judges the batches of a run, and has its suspects run again; keeps what it found.

    Attributes:
        judging: How to judge.
        on_stage: Is told what is being done.
        on_step: Is told how many steps of it are done.
        judged: What was found; None before the run.
    """

    judging: Judging
    on_stage: OnStage
    on_step: Callable[[int], None]
    judged: Judged | None = field(default=None)

    def __call__(self, run: RunFolder, perform: Perform) -> None:
        """Look at a run whose batches are done; have run again what is to be seen again."""
        self.on_stage("judge", len(run.cases))
        batches = judge_batches(run, self.judging, lambda done, _: self.on_step(done))
        attempts = judge_attempts(run, self.judging, batches, Attempts(run.nonce))
        self.judged = Judged(batches, attempts)
        search = _Search(run.cases, self.judged, _cut_off(run))
        for group in search.groups():
            while tasks := list(search.due(group)):
                self.on_stage("again", sum(len(task.batch.cases) for task in tasks))
                known = len(run.programs)
                run = perform(tasks, self.on_step)
                judge_attempts(run, self.judging, batches, attempts)
                if len(run.programs) == known:
                    break  # no device is left to try anything on


class _Search:
    """What is known of a run while its suspects are run again, and which try of each is due."""

    def __init__(
        self, cases: Sequence[Case], judged: Judged, cut: Mapping[str, tuple[str, ...]]
    ) -> None:
        """Take what was found in the batches.

        Args:
            cases: All cases of the run.
            judged: What was found; what is run again is added to it from outside.
            cut: As of :func:`_cut_off`; no process of a batch is started while it is searched.
        """
        self._cases = {case.id: case for case in cases}
        self._places = {case.id: number for number, case in enumerate(cases)}
        self._judged = judged
        self._cut = cut

    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Return the cases to try, by id, in the order in which groups of them are to be done.

        A crash may cost the device: all that can be learnt without is learnt before.
        """
        verdicts = self._judged.batches.verdicts
        suspects = [each.case for each in suspects_of([verdicts[name] for name in self._cases])]
        crashes = tuple(each for each in suspects if verdicts[each].verdict is Verdict.CRASH)
        others = (each for each in suspects if verdicts[each].verdict is not Verdict.CRASH)
        return tuple(dict.fromkeys((*others, *self._cut))), crashes

    def due(self, group: Sequence[str]) -> Iterator[Task]:
        """Yield the next try of each case, as far as one is due."""
        for name in group:
            company = self._company(name)
            if company is not None:
                case, tried = self._cases[name], len(self._attempts(name))
                own = tuple(self._cases[each] for each in (*company, name))
                batch = f"{case.operator}-case{self._places[name]:05}-again{tried}"
                yield Task(Batch(batch, case.operator, own), "company" if company else "alone")

    def _company(self, name: str) -> tuple[str, ...] | None:
        """Return the cases behind which a case is to be run next; None for no more tries."""
        batches, attempts = self._judged.batches, self._attempts(name)
        first = batches.verdicts[name]
        if first.verdict.breaks_promise:
            return next_try(batches.pairing.before(name), attempts)
        return next_try_of_cut(self._cut[name], first, attempts)

    def _attempts(self, name: str) -> Sequence[Attempt]:
        return self._judged.attempts.by_case.get(name, [])


def _cut_off(run: RunFolder) -> dict[str, tuple[str, ...]]:
    """Return the cases that were running when their process was ended, and what ran before each.

    One that was cut off again, in the fresh process, ran behind nothing then.
    """
    planned = {case.id for case in run.cases}
    before: dict[str, tuple[str, ...]] = {}
    for program in run.programs:
        if program.purpose == "batch" and program.cut in planned:
            own = tuple(name for name in read_events(program.events).cases if name in planned)
            before[program.cut] = max(before.get(program.cut, ()), own, key=len)
    return before
