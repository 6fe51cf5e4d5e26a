# SPDX-License-Identifier: Apache-2.0
"""Judge all cases of a run, in several processes, and have suspects run again meanwhile."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.cache import take
from aclnn_cts.emit.data_files import DataReference, inputs_of
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.judge.attribution import seen_together
from aclnn_cts.judge.bias import PooledRounding
from aclnn_cts.judge.records import fingerprint_of, pair
from aclnn_cts.judge.rerun import Judged, RerunQueue, conclude
from aclnn_cts.judge.standards import STANDARDS, Standard
from aclnn_cts.judge.verdicts import CaseVerdict, Evidence, Reference, judge_case, missing
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.campaign import Perform
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.run.journal import RUN_FILE
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite
from aclnn_cts.worker_pool import spread

OnJudged = Callable[[int, int], None]
"""Is called with the number of judged cases, and of all."""

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


@dataclass
class Confirmation:
    """Judges the batches of a run, and has its suspects run again; keeps what it found.

    Attributes:
        judging: How to judge.
        on_stage: Is called with the name of a stage that begins, and how many steps it has.
        on_step: Is called with the number of steps that are done.
        judged: What was found; None before the run.
    """

    judging: Judging
    on_stage: Callable[[str, int], None]
    on_step: Callable[[int], None]
    judged: Judged | None = None

    def __call__(self, run: RunFolder, perform: Perform) -> None:
        """Judge a run whose batches are done, and run its suspects again."""
        self.on_stage("judge", len(run.cases))
        judged = judge_batches(run, self.judging, lambda done, _: self.on_step(done))
        self.judged = judged
        judge_reruns(run, self.judging, judged)
        queue = RerunQueue(run, judged)
        for group in queue.groups():
            while tasks := list(queue.due(group)):
                self.on_stage("rerun", sum(len(task.batch.cases) for task in tasks))
                known = len(run.programs)
                run = perform(tasks, self.on_step)
                judge_reruns(run, self.judging, judged)
                if len(run.programs) == known:
                    break  # no device is left to try anything on


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
        judged = judge_batches(run, judging, progress or (lambda _done, _total: None))
        judge_reruns(run, judging, judged)
    first = [judged.verdicts[case.id] for case in run.cases]
    concluded = conclude(first, judged.reruns, {program.cut for program in run.programs})
    specs = load_specs(judging.suite, run.edition)
    pairs = list(zip(run.cases, concluded, strict=True))
    verdicts, rounding = seen_together(pairs, specs, judging.standard)
    return JudgedRun(verdicts, (*judged.pairing.problems, *judged.reruns.problems), rounding)


def judge_batches(run: RunFolder, judging: Judging, progress: OnJudged) -> Judged:
    """Judge each case by what its batch recorded; arguments and errors as for judge_run."""
    if not run.cases:
        raise NotTrustworthyError(f"{run.path}: the run holds no case; nothing was tested")
    batch_runs = [each for each in run.programs if each.purpose == "batch"]
    pairing = pair(run.due, batch_runs, run.nonce)
    verdicts, items = {}, []
    for case in run.cases:
        if case.id in run.left_out:
            verdicts[case.id] = missing(case, run.left_out[case.id])
            continue
        found = pairing.found[case.id]
        if isinstance(found, CaseVerdict):
            verdicts[case.id] = found
        else:
            items.append((case, found))
    progress(len(verdicts), len(run.cases))
    for number, verdict in enumerate(_judge_items(run, judging, items), start=1):
        verdicts[verdict.case] = verdict
        if number % CHUNK == 0 or number == len(items):
            progress(len(verdicts), len(run.cases))
    return Judged(pairing, verdicts)


def judge_reruns(run: RunFolder, judging: Judging, judged: Judged) -> None:
    """Judge the reruns that are not yet judged, and add them.

    Company is judged only if it behaved otherwise than in its batch.
    """
    reruns, cases = judged.reruns, {case.id: case for case in run.cases}
    programs = [each for each in run.programs if each.purpose != "batch"][reruns.programs :]
    verdicts: list[dict[str, CaseVerdict]] = [{} for _ in programs]
    items = []
    for program, own in zip(programs, verdicts, strict=True):
        if program.about not in cases:
            reruns.problems.append(f"{program.events.name} is about a case that was not planned")
        ran = [cases[name] for name in (*program.company, program.about) if name in cases]
        pairing = pair(ran, [program], run.nonce)
        reruns.problems += pairing.problems
        for name, found in pairing.found.items():
            if isinstance(found, CaseVerdict):
                own[name] = found
            elif name == program.about or _differs(found, judged.pairing.found.get(name)):
                items.append((own, cases[name], found))
    judging_items = _judge_items(run, judging, [(case, found) for _, case, found in items])
    for (own, case, _), verdict in zip(items, judging_items, strict=True):
        own[case.id] = verdict
    for program, own in zip(programs, verdicts, strict=True):
        reruns.add(program, own)


def _differs(record: Evidence, first: Evidence | CaseVerdict | None) -> bool:
    return not isinstance(first, Evidence) or fingerprint_of(record) != fingerprint_of(first)


def _judge_items(
    run: RunFolder, judging: Judging, items: Sequence[tuple[Case, Evidence]]
) -> Iterator[CaseVerdict]:
    """Yield the verdicts on cases by their records, in order."""
    whole = [(case, found, run.references.get(case.id)) for case, found in items]
    for _, _, data in whole:
        if data is not None and data.path is not None:
            take(run.store, data.path)  # workers may read it much later
    chunks = [whole[start : start + CHUNK] for start in range(0, len(whole), CHUNK)]
    work = functools.partial(_judge_chunk, judging, run.store, run.edition)
    for judged in spread(work, chunks, judging.jobs, _KILLED):
        yield from judged


def _judge_chunk(
    judging: Judging,
    store: Path,
    edition: str,
    items: Sequence[tuple[Case, Evidence, DataReference | None]],
) -> list[CaseVerdict]:
    """Judge a few cases in a worker."""
    specs, verdicts = load_specs(judging.suite, edition), []
    for case, found, data in items:
        reference = reference_of(specs, case, store, data)
        verdicts.append(judge_case(specs, case, reference, found, judging.standard))
    return verdicts


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
    if not case.expects_success:
        return Reference({}, functools.partial(expect_case, specs, case, {}))
    if data is None:
        raise NotTrustworthyError(f"run.json does not say where the data of {case.id} are")
    inputs = inputs_of(case, store, data)
    return Reference(inputs, functools.partial(expect_case, specs, case, inputs))
