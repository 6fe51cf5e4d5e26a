# SPDX-License-Identifier: Apache-2.0
"""Judging all cases of a run, on several cores."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.emit.data_files import DataReference, inputs_of
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.judge.attribution import attribute
from aclnn_cts.judge.bias import PooledRounding, find_bias
from aclnn_cts.judge.case_judge import Inputs, ReadOutput, Reference, judge_case
from aclnn_cts.judge.pairing import Evidence, pair
from aclnn_cts.judge.standards import Standard
from aclnn_cts.judge.verdicts import CaseVerdict, MissingDataError
from aclnn_cts.judge.workers import spread
from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.run.events import OutputEvent
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite

Progress = Callable[[int, int], None]
"""Is told how many cases are judged, and of how many."""

CHUNK = 16
"""Cases that a worker is given at a time: few enough to share out the large ones."""

_KILLED = "a judging process was killed, perhaps for lack of memory; judge again with --jobs 1"


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


def judge_run(
    run: RunFolder,
    suite: Suite,
    standard: Standard,
    jobs: int = 1,
    progress: Progress | None = None,
) -> JudgedRun:
    """Judge every planned case of a run.

    Args:
        run: The opened folder.
        suite: The suite that the run was made with.
        standard: The standard that decides.
        jobs: Processes to use.
        progress: Called after each chunk.

    Raises:
        NotTrustworthyError: The run has no case, its input data have changed, or a judging
            process was killed.
    """
    if not run.cases:
        raise NotTrustworthyError(f"{run.path}: the run holds no case; nothing was tested")
    pairing = pair(run.cases, run.programs)
    verdicts = {
        name: found for name, found in pairing.found.items() if isinstance(found, CaseVerdict)
    }
    items = [
        (case, found, run.references.get(case.id))
        for case in run.cases
        if isinstance(found := pairing.found[case.id], Evidence)
    ]
    chunks = [
        _Chunk(suite, standard, run.store, run.edition, tuple(items[start : start + CHUNK]))
        for start in range(0, len(items), CHUNK)
    ]
    report = progress or _silent
    report(len(verdicts), len(run.cases))
    for judged in spread(_judge_chunk, chunks, jobs, _KILLED):
        verdicts.update((verdict.case, verdict) for verdict in judged)
        report(len(verdicts), len(run.cases))
    ordered = [(case, verdicts[case.id]) for case in run.cases]
    specs = load_specs(suite, run.edition)
    told, rounding = seen_together(ordered, specs, standard)
    return JudgedRun(told, pairing.problems, rounding)


def seen_together(
    judged: Sequence[tuple[Case, CaseVerdict]], specs: SpecSet, standard: Standard
) -> tuple[tuple[CaseVerdict, ...], tuple[PooledRounding, ...]]:
    """Return the verdicts, in order, after what only a look at all of them shows; and the rounding.

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
