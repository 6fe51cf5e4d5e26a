# SPDX-License-Identifier: Apache-2.0
"""Functions that run on a host of a Ray cluster: the survey, the build, and one process at a time.

Each function is a generator, because Ray then delivers items while the task runs. So records reach
home before the host can be lost. Errors for the user are returned as :class:`Refusal`, because Ray
wraps exceptions.
"""

from __future__ import annotations

import functools
import os
import secrets
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import ray

from aclnn_cts.emit.data_files import DataReference, DataStore
from aclnn_cts.errors import CtsError
from aclnn_cts.files import write_bytes
from aclnn_cts.run.build import build_simulator, find_compiler
from aclnn_cts.run.devices import VISIBLE, ask_toolkit, choose_toolkit
from aclnn_cts.run.environment import Prepared, prepare
from aclnn_cts.run.executor import Campaign, Task, run_program
from aclnn_cts.run.fault_injection import Change
from aclnn_cts.run.process import ProcessFiles, ProgramRun, Tail
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import find_suite

RESOURCE = "NPU"
"""Ray's name for Ascend cards."""

_PIECE_SECONDS = 0.1


@dataclass(frozen=True)
class Host:
    """A host of the cluster that has cards.

    Attributes:
        node: Ray's id of it.
        name: Unique in the cluster.
    """

    node: str
    name: str
    cards: int


@dataclass(frozen=True)
class Refusal:
    """A :class:`CtsError` of a host, without the host's name."""

    sentence: str


@dataclass(frozen=True)
class Survey:
    """A host's answer.

    Attributes:
        soc: What aclrtGetSocName said.
        toolkit: The toolkit's folder; empty for the simulated device.
        memory: Bytes that are free on the device with the fewest; None if none told.
    """

    soc: str
    cann: str
    toolkit: str
    memory: int | None


JudgeProcess = Callable[[Campaign, Task, ProgramRun], bytes]
"""Judges a process; a function that can be pickled."""


@dataclass(frozen=True)
class ProcessRequest:
    """A process to run on a host.

    Attributes:
        prepared: The result of :func:`prepare_host` on that host.
        nonce: The run's own.
        references: The locations of the cases' data, by case id.
        sent: Content of the data files by path; empty if the host makes them.
        judge: Returns the content of a verdicts file for a process; None to judge at home.
    """

    task: Task
    product: str
    edition: str
    config: RunConfig
    prepared: Prepared
    nonce: str
    references: Mapping[str, DataReference]
    sent: Mapping[str, bytes]
    judge: JudgeProcess | None


@dataclass(frozen=True)
class Growth:
    """New records of a process.

    Attributes:
        card: Number of its device on the host.
        events: Whole lines.
        outputs: At least the bytes that these lines describe.
    """

    card: int
    events: bytes
    outputs: bytes


@dataclass(frozen=True)
class DataRequest:
    """The host makes different data for a case, so they must be sent."""

    case: str


@dataclass(frozen=True)
class End:
    """An ended process; its paths are those on the host.

    Attributes:
        events: Final size of its events file, which may have been truncated.
        verdicts: The verdicts on its cases; empty if home judges it and has its outputs.
    """

    program: ProgramRun
    events: int
    verdicts: bytes


@functools.lru_cache(maxsize=4)
def _specs(edition: str) -> SpecSet:
    return load_specs(find_suite(), edition)


def survey_host(config: RunConfig) -> Iterator[Survey | Refusal]:
    """Yield the survey of this host's devices, by the functions of ``aclnn-cts doctor``."""
    if not os.environ.get(VISIBLE, "all"):
        del os.environ[VISIBLE]  # Ray hides all devices from a task that requests none
    try:
        suite = find_suite()
        choice = choose_toolkit(config, os.environ, lambda _: None)
        toolkit = choice.toolkit if choice else build_simulator(suite, find_compiler())
        answer = ask_toolkit(suite, toolkit, os.environ, None)
    except CtsError as error:
        yield Refusal(str(error))
        return
    yield Survey(
        soc=answer.soc,
        cann=toolkit.version or answer.cann,
        toolkit=str(toolkit.root) if choice else "",
        memory=answer.memory,
    )


def prepare_host(
    edition: str, config: RunConfig, operators: Sequence[str], change: Change | None
) -> Iterator[Prepared | Refusal]:
    """Build what is missing; yield it. Other tasks on the host wait for the build."""
    try:
        yield prepare(find_suite(), _specs(edition), config, operators, change)
    except CtsError as error:
        yield Refusal(str(error))


def run_request(request: ProcessRequest) -> Iterator[Growth | DataRequest | End | Refusal]:
    """Run a process, and yield its growing record."""
    card = ray.get_runtime_context().get_accelerator_ids()[RESOURCE][0]
    os.environ[VISIBLE] = card  # as Ray does, unless the host disables it
    scratch = Path(tempfile.gettempdir(), f"aclnn-cts-{secrets.token_hex(8)}")
    stop = threading.Event()
    try:
        scratch.mkdir(mode=0o700)
        store = _store(request, scratch)
        if isinstance(store, DataRequest):
            yield store
            return
        campaign = Campaign(
            specs=_specs(request.edition),
            product=request.product,
            toolkit=request.prepared.toolkit,
            programs=request.prepared.programs,
            folder=scratch,
            store=store,
            references=request.references,
            config=request.config,
            nonce=request.nonce,
            stop=stop,
        )
        yield from _run(campaign, request, int(card))
    except (CtsError, OSError) as error:
        yield Refusal(str(error))
    finally:
        stop.set()
        shutil.rmtree(scratch, ignore_errors=True)


def _store(request: ProcessRequest, scratch: Path) -> Path | DataRequest:
    """Return the folder of the task's data, which are made here unless they were sent."""
    if request.sent:
        for path, content in request.sent.items():
            write_bytes(scratch / "data" / path, content)
        return scratch / "data"
    store = find_suite().cache / "data"
    references = DataStore(store).provide(_specs(request.edition), request.task.batch.cases)
    different = (case for case in references if references[case] != request.references[case])
    return next(map(DataRequest, different), store)


def _run(campaign: Campaign, request: ProcessRequest, card: int) -> Iterator[Growth | End]:
    task, files = request.task, ProcessFiles.of(campaign.folder, request.task.name)
    with (
        ThreadPoolExecutor(1) as pool,
        closing(Tail(files.events)) as events,
        closing(Tail(files.outputs)) as outputs,
    ):
        running = pool.submit(run_program, campaign, task, 0, lambda _: None)
        try:
            growing = True
            while growing:
                growing = not wait([running], _PIECE_SECONDS).done
                # The events first: a program writes outputs before the events that describe them.
                lines = events.lines(only_complete=growing)
                for content in outputs.pieces() if request.judge is None else ():
                    yield Growth(card, b"", content)
                if lines:
                    yield Growth(card, lines, b"")
        finally:
            campaign.stop.set()
    run = running.result()
    size = files.events.stat().st_size if files.events.is_file() else 0
    verdicts = b"" if request.judge is None else request.judge(campaign, task, run)
    yield End(replace(run, device=card), size, verdicts)
    if run.outcome.refused:
        threading.Event().wait()  # until the end: the next task would get the same card
