# SPDX-License-Identifier: Apache-2.0
"""Judging all cases of a run, in several processes."""

from __future__ import annotations

import ctypes
import functools
import multiprocessing
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from aclnn_cts.emit.data_files import DataReference, inputs_of
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.judge.attempts import Attempts
from aclnn_cts.judge.attribution import attribute
from aclnn_cts.judge.bias import PooledRounding, find_bias
from aclnn_cts.judge.case_judge import Inputs, ReadOutput, Reference, judge_case
from aclnn_cts.judge.case_records import Evidence, Pairing, pair
from aclnn_cts.judge.interrupted import remark_interrupted
from aclnn_cts.judge.rerun_policy import conclude
from aclnn_cts.judge.standards import STANDARDS, Standard
from aclnn_cts.judge.verdicts import CaseVerdict, MissingDataError
from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.run.events import OutputEvent
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.run.journal import RUN_FILE
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite

Item = TypeVar("Item")
Result = TypeVar("Result")


def spread(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int, killed: str
) -> Iterator[Result]:
    """Yield what work makes of each item, in order; in this process if more would not pay.

    Args:
        work: A function of a module, so that other processes can find it.
        items: What it is given, one at a time.
        jobs: Processes to use.
        killed: The sentence for the user if a process was killed.

    Raises:
        NotTrustworthyError: A process was killed.
    """
    workers = min(jobs, len(items))
    if workers < 2:
        yield from map(work, items)
        return
    pool = ProcessPoolExecutor(workers, mp_context=_context(), initializer=_follow_the_parent)
    try:
        yield from pool.map(work, items)
    except BrokenProcessPool:
        raise NotTrustworthyError(killed) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _context() -> BaseContext:
    """Return how workers start: as copies, which have the specs, unless threads forbid it."""
    method = "fork" if threading.active_count() == 1 else "forkserver"
    available = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context(method if method in available else "spawn")


def _follow_the_parent() -> None:
    """Leave Ctrl-C to the parent, which ends the pool; end with it if it is killed.

    Without that, a worker of a killed parent would wait for work for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


_PR_SET_PDEATHSIG = 1
"""prctl(2): the signal that a process gets when its parent ends."""

OnJudged = Callable[[int, int], None]
"""Is told how many cases are judged, and of how many."""

CHUNK = 16
"""Cases that a worker is given at a time: few enough to share out the large ones."""

_KILLED = "a judging process was killed, perhaps for lack of memory; use --jobs 1"


@dataclass(frozen=True)
class JudgedRun:
    """What was found about a run.

    Attributes:
        verdicts: One per planned case, in the run's order.
        problems: What is wrong with the record as a whole; it makes the run not trustworthy.
        rounding: What the run says about how each output is rounded.
    """

    verdicts: tuple[CaseVerdict, ...]
    problems: tuple[str, ...]
    rounding: tuple[PooledRounding, ...] = ()


@dataclass(frozen=True)
class _Chunk:
    """A few cases with their records: what a worker needs to judge them."""

    suite: Suite
    standard: Standard
    store: Path
    edition: str
    items: tuple[tuple[Case, Evidence, DataReference | None], ...]


@dataclass(frozen=True)
class Judging:
    """How a run is judged.

    Attributes:
        suite: The suite that the run was made with.
        standard: The standard that decides.
        jobs: Processes to use.
        enforce: Whether a requirement that the device does not enforce ends with exit status 1.
    """

    suite: Suite
    standard: Standard
    jobs: int = 1
    enforce: bool = False


def recorded_standard(run: RunFolder) -> Standard:
    """Return the standard that a run was made to be judged by.

    Raises:
        NotTrustworthyError: The run names one that does not exist.
    """
    for standard in STANDARDS:
        if standard == run.standard:
            return standard
    raise NotTrustworthyError(
        f"{run.path / RUN_FILE}: is damaged (no standard is named {run.standard!r}); "
        "run `aclnn-cts run` again"
    )


@dataclass(frozen=True)
class Batches:
    """What was found in a run's batches, each case by itself.

    Attributes:
        pairing: The cases' records.
        verdicts: The verdict on each case, by id.
    """

    pairing: Pairing
    verdicts: Mapping[str, CaseVerdict]


@dataclass(frozen=True)
class Judged:
    """What was found in the batches, and in what was run again."""

    batches: Batches
    attempts: Attempts


def judge_run(
    run: RunFolder, judging: Judging, progress: OnJudged | None = None, judged: Judged | None = None
) -> JudgedRun:
    """Judge every planned case of a run.

    Args:
        run: The opened folder.
        judging: How to judge.
        progress: Called after each chunk.
        judged: What was found already, in the same way; nothing if None.

    Raises:
        NotTrustworthyError: The run has no case, its input data have changed, or a judging
            process was killed.
    """
    if judged is None:
        batches = judge_batches(run, judging, progress or _silent)
        judged = Judged(batches, judge_attempts(run, judging, batches, Attempts(run.nonce)))
    batches, attempts = judged.batches, judged.attempts
    first = [batches.verdicts[case.id] for case in run.cases]
    concluded = remark_interrupted(
        conclude(first, attempts.by_case, attempts.bystanders), run.programs
    )
    specs = load_specs(judging.suite, run.edition)
    pairs = list(zip(run.cases, concluded, strict=True))
    told, rounding = seen_together(pairs, specs, judging.standard)
    return JudgedRun(told, (*batches.pairing.problems, *attempts.problems), rounding)


def judge_batches(run: RunFolder, judging: Judging, progress: OnJudged) -> Batches:
    """Judge each case by what its batch recorded; arguments and errors as for judge_run."""
    if not run.cases:
        raise NotTrustworthyError(f"{run.path}: the run holds no case; nothing was tested")
    batch_runs = [each for each in run.programs if each.purpose == "batch"]
    pairing = pair(run.cases, batch_runs, run.nonce)
    verdicts = {
        name: found for name, found in pairing.found.items() if isinstance(found, CaseVerdict)
    }
    items = [
        (case, found) for case in run.cases if isinstance(found := pairing.found[case.id], Evidence)
    ]
    progress(len(verdicts), len(run.cases))
    for number, verdict in enumerate(_judge_items(run, judging, items), start=1):
        verdicts[verdict.case] = verdict
        if number % CHUNK == 0 or number == len(items):
            progress(len(verdicts), len(run.cases))
    return Batches(pairing, verdicts)


def judge_attempts(run: RunFolder, judging: Judging, batches: Batches, known: Attempts) -> Attempts:
    """Judge what was run again and is not yet among what is known; return what is known then."""
    again = [each for each in run.programs if each.purpose != "batch"][known.programs :]
    cases = {case.id: case for case in run.cases}
    judge_items = functools.partial(_judge_items, run, judging)
    known.judge(again, cases, batches.pairing.found, judge_items)
    return known


def _judge_items(
    run: RunFolder, judging: Judging, items: Sequence[tuple[Case, Evidence]]
) -> Iterator[CaseVerdict]:
    """Yield the verdicts on cases by their records, in order."""
    whole = [(case, found, run.references.get(case.id)) for case, found in items]
    chunks = [
        _Chunk(
            judging.suite,
            judging.standard,
            run.store,
            run.edition,
            tuple(whole[start : start + CHUNK]),
        )
        for start in range(0, len(whole), CHUNK)
    ]
    for judged in spread(_judge_chunk, chunks, judging.jobs, _KILLED):
        yield from judged


def seen_together(
    judged: Sequence[tuple[Case, CaseVerdict]], specs: SpecSet, standard: Standard
) -> tuple[tuple[CaseVerdict, ...], tuple[PooledRounding, ...]]:
    """Apply the checks that need all verdicts together; return verdicts, in order, and rounding.

    Args:
        judged: All cases of a run with their verdicts.
        specs: All specs.
        standard: The standard that decides.
    """
    return find_bias(attribute(judged, specs), specs, standard)


def _silent(done: int, total: int) -> None:
    del done, total


def _judge_chunk(chunk: _Chunk) -> tuple[CaseVerdict, ...]:
    specs = load_specs(chunk.suite, chunk.edition)
    verdicts = []
    for case, evidence, data in chunk.items:
        reference = reference_of(specs, case, chunk.store, data)
        reader = output_reader(evidence.outputs)
        verdicts.append(judge_case(specs, case, reference, evidence.record, reader, chunk.standard))
    return tuple(verdicts)


def reference_of(specs: SpecSet, case: Case, store: Path, data: DataReference | None) -> Reference:
    """Return what a case's outputs are held against.

    Args:
        specs: All specs.
        case: The case.
        store: The folder of the input data.
        data: Where the case's data stand there.

    Raises:
        NotTrustworthyError: It is not known where they stand, or they have changed.
    """
    inputs: Inputs = {}
    if case.expects_success:
        if data is None:
            raise NotTrustworthyError(f"run.json does not say where the data of {case.id} are")
        inputs = inputs_of(case, store, data)
    return Reference(inputs, functools.partial(expect_case, specs, case, inputs))


def output_reader(path: Path) -> ReadOutput:
    """Return what reads outputs from a program's outputs file."""

    def read(event: OutputEvent, tensor: TensorCase) -> npt.NDArray[Any]:
        wanted = tensor.numel * tensor.data_type.itemsize
        if event.bytes != wanted:
            raise MissingDataError(
                f"the output {tensor.name} was recorded with {event.bytes} bytes, not {wanted}"
            )
        if wanted == 0:
            return np.empty(tensor.shape, tensor.data_type.numpy)
        held = path.stat().st_size if path.is_file() else 0
        if event.offset < 0 or event.offset + wanted > held:
            raise MissingDataError(
                f"{path.name} ends before the output {tensor.name}: it holds {held} bytes, "
                f"{event.offset + wanted} are needed"
            )
        stored = np.fromfile(path, np.uint8, count=wanted, offset=event.offset)
        return stored.view(tensor.data_type.numpy).reshape(tensor.shape)

    return read
