# SPDX-License-Identifier: Apache-2.0
"""A whole run: data, build, programs, and its record in the results folder."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Protocol, TypeVar

from aclnn_cts import __version__
from aclnn_cts.emit.case_file import device_bytes, new_nonce
from aclnn_cts.emit.data_files import DataReference, DataStore, Workers
from aclnn_cts.errors import CtsError, NotTrustworthyError
from aclnn_cts.files import explain
from aclnn_cts.golden.expectations import expectation_bytes
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.devices import check_overflow_mode, check_product
from aclnn_cts.run.environment import Prepared, host_memory, prepare, require_same_libraries
from aclnn_cts.run.executor import (
    FAULTY_TIMEOUTS,
    Campaign,
    Executor,
    Leftover,
    LocalExecutor,
    OnProgress,
    Task,
    batches_of,
)
from aclnn_cts.run.fault_injection import Change
from aclnn_cts.run.folder import Device, RunFolder, open_begun, resume_command
from aclnn_cts.run.folder_lock import claim, clear, withdraw
from aclnn_cts.run.journal import Journal, ReachedDevice
from aclnn_cts.run.planned_cases import PlannedCase, PlannedCases
from aclnn_cts.run.resume import (
    Interrupted,
    describe_replaced_run,
    reached_device,
    require_devices,
    require_whole_journal,
    salvage_leftovers,
    tasks_of,
)
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.schedule import MOST_TIMEOUTS
from aclnn_cts.spec.loading import SpecSet, specs_digest
from aclnn_cts.spec.parts import parts_of
from aclnn_cts.suite import Suite

Item = TypeVar("Item")


class Progress(Protocol):
    """Interface for reporting the progress of a run."""

    def stage(self, name: str, steps: int) -> None:
        """Begin a stage; ``steps`` is 0 if unknown."""

    def step(self, done: int) -> None:
        """Report the number of completed steps."""

    def say(self, sentence: str) -> None:
        """Print a message between two stages."""


class Silent:
    """Progress that shows nothing."""

    def stage(self, name: str, steps: int) -> None:
        pass

    def step(self, done: int) -> None:
        pass

    def say(self, sentence: str) -> None:
        pass


def count_steps(items: Iterable[Item], progress: Progress) -> Iterator[Item]:
    for number, item in enumerate(items):
        progress.step(number)
        yield item


@dataclass(frozen=True)
class Request:
    """The request for a run.

    Attributes:
        change: The fault or variant of the simulated device; None for the unharmed one.
        jobs: Number of processes that make input data.
    """

    product: str
    tier: str
    standard: str
    cases: tuple[Case, ...]
    results: Path
    config: RunConfig
    change: Change | None = None
    jobs: int = 1


Perform = Callable[[Sequence[Task], OnProgress], RunFolder]
"""Runs further tasks, and returns the run with their results."""


class Engine(Protocol):
    """The hosts on which cases are run."""

    def prepare(
        self,
        suite: Suite,
        specs: SpecSet,
        config: RunConfig,
        operators: Sequence[str],
        change: Change | None = None,
    ) -> Prepared:
        """Build what is missing; as :func:`aclnn_cts.run.environment.prepare`."""

    def executor(self, campaign: Campaign) -> Executor:
        """Return the executor of a campaign's tasks."""


@dataclass(frozen=True)
class LocalEngine:
    """Runs cases on this host."""

    executor: Callable[[Campaign], Executor] = LocalExecutor
    prepare = staticmethod(prepare)


LOCAL = LocalEngine()


Rerun = Callable[[RunFolder, Perform], None]
"""Reruns the suspects of a run whose batches are done."""


def run_campaign(
    suite: Suite,
    specs: SpecSet,
    request: Request,
    progress: Progress,
    rerun: Rerun | None = None,
    engine: Engine = LOCAL,
) -> RunFolder:
    """Make the data, build, run all cases, and record the results.

    Args:
        rerun: Called before the run counts as complete; None for no reruns.
        engine: The hosts; usually this one alone.

    Raises:
        NotTrustworthyError: A build fails or a program does not start; see the message.
        WrongInputError: A folder is not what it should be.
    """
    with claim(request.results):
        withdraw(request.results)
        operators = tuple(dict.fromkeys(case.operator for case in request.cases))
        _announce_build(request.config, progress)
        prepared = engine.prepare(suite, specs, request.config, operators, request.change)
        toolkit = prepared.toolkit
        store = suite.cache / "data"
        left_out = dict(_too_large(specs, request.cases, prepared.memory, progress))
        count = len(request.cases) - len(left_out)
        planned = [case for batch in batches_of(request.cases) for case in batch.cases]
        due = (case for case in planned if case.id not in left_out)
        progress.stage("data", count)
        data = DataStore(store, specs_digest(suite))
        made = data.provide_all(specs, due, Workers(suite, request.jobs))
        provided = count_steps(made, progress)
        cases = PlannedCases.pack(
            PlannedCase(case, None if case.id in left_out else next(provided)[1])
            for case in planned
        )
        if note := describe_replaced_run(request.results):
            progress.say(note)
        clear(request.results)
        run = RunFolder(
            path=request.results,
            suite_version=__version__,
            specs_sha256=specs_digest(suite),
            specs=parts_of(suite, specs, cases.operators),
            device=Device(toolkit.kind, request.product, "", "", toolkit.fault, toolkit.variant),
            tier=request.tier,
            standard=request.standard,
            cases=cases,
            programs=(),
            state="running",
            store=store,
            edition=specs.edition,
            started=datetime.now(timezone.utc).isoformat(timespec="seconds"),
            config=request.config,
            environment=prepared.environment,
            nonce=new_nonce(),
            left_out=left_out,
            folders=suite.folders,
        )
        run.save()
        with _naming_resume_command(run):
            return _Conductor(run, specs, prepared, progress).conduct(rerun, engine)


def resume_campaign(
    suite: Suite,
    specs: SpecSet,
    interrupted: Interrupted,
    progress: Progress,
    rerun: Rerun | None = None,
    engine: Engine = LOCAL,
) -> RunFolder:
    """Finish an interrupted run; do nothing if it is complete.

    Args:
        specs: All specs, in the run's edition.
        rerun: As for :func:`run_campaign`.
        engine: As for :func:`run_campaign`.

    Raises:
        NotTrustworthyError: A build fails, a program does not start, or the toolkit or the data
            have changed.
        WrongInputError: A folder is not what it should be.
    """
    run = interrupted.run
    with claim(run.path), _naming_resume_command(run):
        withdraw(run.path)
        # It may have changed between reading and locking.
        run = replace(open_begun(run.path, suite), config=run.config)
        if run.state == "complete":
            return run
        require_whole_journal(run)
        operators = run.cases.operators
        _announce_build(run.config, progress)
        prepared = engine.prepare(suite, specs, run.config, operators, interrupted.change)
        require_same_libraries(run.environment, prepared.environment)
        count = len(run.cases) - len(run.left_out)
        due = (case for operator in operators for case in run.due(operator))
        progress.stage("data", count)
        provided = DataStore(run.store).provide_all(specs, count_steps(due, progress))
        for case, reference in provided:
            if reference != run.cases.of(case.operator)[case.id].data:
                raise NotTrustworthyError(
                    f"{run.path}: the input data differ from those of the run; start the run again"
                )
        return _Conductor(run, specs, prepared, progress).conduct(rerun, engine)


@contextlib.contextmanager
def _naming_resume_command(run: RunFolder) -> Iterator[None]:
    """Add the resume command to an interruption."""
    try:
        yield
    except KeyboardInterrupt:
        command = resume_command(run.path, run.folders)
        raise KeyboardInterrupt(f"finish the run with `{command}`") from None


def _announce_build(config: RunConfig, progress: Progress) -> None:
    progress.stage("programs" if config.cann else "build", 0)


def _too_large(
    specs: SpecSet, cases: Sequence[Case], memory: int | None, progress: Progress
) -> Iterator[tuple[str, str]]:
    """Yield the cases that exceed the memory of the device or of this host, with the reason.

    Raises:
        NotTrustworthyError: None of them fits.
    """
    limits = [
        ("its tensors and guards", "device", memory, functools.partial(device_bytes, specs)),
        ("judging it", "host", host_memory(), functools.partial(expectation_bytes, specs)),
    ]
    reasons: dict[str, str] = {}
    for what, whose, free, need_of in limits:
        if free is None:
            continue
        needs = {case.id: need_of(case) for case in cases if case.id not in reasons}
        large = {name: need for name, need in needs.items() if need > free}
        free_text = f"and the {whose} has {free:,} free"
        if large and len(reasons) + len(large) == len(cases):
            raise NotTrustworthyError(
                f"no case fits the {whose}'s memory: the smallest takes "
                f"{min(large.values()):,} bytes, {free_text}; use another {whose}"
            )
        if large:
            progress.say(
                f"cases skipped: {len(large)} of {len(cases)}; the largest takes "
                f"{max(large.values()):,} bytes of {whose} memory, {free_text}"
            )
        for name, need in large.items():
            reasons[name] = f"left out: {what} takes {need:,} bytes of {whose} memory, {free_text}"
    yield from reasons.items()


class _Conductor:
    """Executes a run's tasks, journals them, and keeps their state."""

    def __init__(
        self, run: RunFolder, specs: SpecSet, prepared: Prepared, progress: Progress
    ) -> None:
        self._run = run
        self._specs = specs
        self._prepared = prepared
        self._progress = progress
        self._most_timeouts = FAULTY_TIMEOUTS if prepared.toolkit.fault else MOST_TIMEOUTS

    def conduct(self, rerun: Rerun | None, engine: Engine) -> RunFolder:
        """Execute the remaining tasks; return the complete run."""
        with contextlib.closing(Journal(self._run.path)) as journal:
            remaining, references = self._remaining_tasks()
            executor = engine.executor(self._campaign(references))
            perform = functools.partial(self._perform, journal, executor)
            tasks = [task for task in remaining if task.is_due(self._most_timeouts)]
            leftovers = tuple(salvage_leftovers(self._run, tasks))
            ended = sum(len(process.progress.ended) for _, process in leftovers)
            kept = len(self._run.cases) - len(self._run.left_out) + ended
            kept -= sum(len(task.batch.cases) for task in remaining)
            due = sum(len(task.batch.cases) for task in tasks) - ended
            if kept:
                of_all = f"{kept} of {len(self._run.cases)}"
                self._progress.say(f"cases kept: {of_all}; left to run: {due}")
            self._progress.stage("run", due)
            begun = {task.name for task, _ in leftovers}
            fresh = [task for task in tasks if task.name not in begun]
            perform(fresh, self._progress.step, leftovers)
            device = self._reached_device()
            if rerun is not None:
                rerun(self._run, perform)
            journal.complete(device)
        return self._run.complete(device)

    def _remaining_tasks(self) -> tuple[list[Task], dict[str, DataReference]]:
        """Return the remaining part of each batch, and the cases' data references by id."""
        remaining: list[Task] = []
        references: dict[str, DataReference] = {}
        for operator, tasks in itertools.groupby(tasks_of(self._run), lambda t: t.batch.operator):
            # Its cases are unpacked at this moment, which takes seconds for those of all operators.
            planned = self._run.cases.of(operator).items()
            references |= {name: case.data for name, case in planned if case.data is not None}
            remaining += tasks
        return remaining, references

    def _perform(
        self,
        journal: Journal,
        executor: Executor,
        tasks: Sequence[Task],
        on_progress: OnProgress,
        leftovers: Sequence[Leftover] = (),
    ) -> RunFolder:
        ended = []
        try:
            running = executor.run(tasks, on_progress, leftovers)
            with contextlib.closing(running) as processes:
                for program in processes:
                    journal.note(program)
                    ended.append(program)
        except OSError as error:
            raise self._with_resume_command(explain(error, self._run.path)) from None
        except NotTrustworthyError as error:
            raise self._with_resume_command(error) from None
        self._run = self._run.with_programs(ended)
        return self._run

    def _reached_device(self) -> ReachedDevice:
        """Return the device as the programs reported it.

        Raises:
            NotTrustworthyError: No program reached a device, no device is left for the remaining
                cases, or its product or overflow mode is not that of the cases.
        """
        try:
            event = reached_device(self._run.programs)
            require_devices(self._run, self._most_timeouts)
        except NotTrustworthyError as error:
            raise self._with_resume_command(error) from None
        product = self._run.device.product
        check_product(self._specs, event.soc, product)
        check_overflow_mode(self._specs, product, inf_nan=event.inf_nan)
        return ReachedDevice(event.soc, event.cann)

    def _with_resume_command(self, error: CtsError) -> CtsError:
        """Return the error with the command that resumes the run."""
        hint = f"`{resume_command(self._run.path, self._run.folders)}` goes on where it ended"
        return type(error)(f"{error}; {hint}")

    def _campaign(self, references: Mapping[str, DataReference]) -> Campaign:
        run = self._run
        return Campaign(
            specs=self._specs,
            product=run.device.product,
            toolkit=self._prepared.toolkit,
            programs=self._prepared.programs,
            folder=run.path,
            store=run.store,
            references=references,
            config=run.config,
            most_timeouts=self._most_timeouts,
            nonce=run.nonce,
        )
