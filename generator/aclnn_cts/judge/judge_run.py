# SPDX-License-Identifier: Apache-2.0
"""Judge all cases of a run in several processes, and rerun suspects meanwhile."""

from __future__ import annotations

import contextlib
import functools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from aclnn_cts.cache import take
from aclnn_cts.emit.data_files import DataReference, DataStore, inputs_of, is_unchanged
from aclnn_cts.errors import CtsError, NotTrustworthyError
from aclnn_cts.golden.data_kinds import absent_inputs
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.judge.attribution import attribute
from aclnn_cts.judge.bias import PooledRounding
from aclnn_cts.judge.records import (
    NOT_KEPT,
    Evidence,
    Pairing,
    Unrecorded,
    fingerprint_of,
    pair,
)
from aclnn_cts.judge.rerun import Judged, Reruns, conclude, interrupted_cases
from aclnn_cts.judge.standards import STANDARDS, Standard
from aclnn_cts.judge.verdict_files import (
    Told,
    ToldVerdicts,
    VerdictCache,
    pack_verdicts,
    read_verdicts,
)
from aclnn_cts.judge.verdicts import (
    CaseVerdict,
    Reference,
    Verdict,
    judge_case,
    with_bias,
    with_times,
    with_twins,
    without_record,
)
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.campaign import Perform
from aclnn_cts.run.executor import Campaign, Task, cost_of
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.run.host_health import Failures
from aclnn_cts.run.journal import PLAN_FILE, RUN_FILE, damaged
from aclnn_cts.run.planned_cases import PlannedCase
from aclnn_cts.run.process import ProgramRun
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite
from aclnn_cts.worker_pool import spread

OnJudged = Callable[[int, int], None]
"""Called with the number of judged cases and of all cases."""

CHUNK = 16
"""Cases per work item: few enough to spread large ones."""

_KILLED = "a judging process was killed, perhaps for lack of memory; use --jobs 1"


@dataclass(frozen=True)
class JudgedOperator:
    """Verdicts on the cases of one operator.

    Attributes:
        verdicts: One per planned case, in the run's order.
        problems: Problems of the record as a whole, which make the run not trustworthy.
        rounding: Rounding of each output over the cases.
        first: The verdicts by the records of the batches alone, in the same order.
    """

    operator: str
    verdicts: tuple[CaseVerdict, ...]
    problems: tuple[str, ...]
    rounding: tuple[PooledRounding, ...] = ()
    first: tuple[CaseVerdict, ...] = ()


@dataclass(frozen=True)
class Judging:
    """How a run is judged.

    Attributes:
        enforce: Whether unenforced requirements cause exit status 1.
        reuse: Whether a call with the same record as in an earlier run has the same verdict.
    """

    suite: Suite
    standard: Standard
    jobs: int = 1
    enforce: bool = False
    reuse: bool = False


def recorded_standard(run: RunFolder) -> Standard:
    """Return the standard that was requested for a run.

    Raises:
        NotTrustworthyError: The run names one that does not exist.
    """
    for standard in STANDARDS:
        if standard == run.standard:
            return standard
    raise damaged(run.path / RUN_FILE, f"unknown standard {run.standard!r}")


@dataclass
class Confirmation:
    """Judges the batches of a run and reruns suspects; keeps the verdicts.

    Attributes:
        on_stage: Called at the beginning of a stage, with its name and number of steps.
        on_step: Called with the number of completed steps.
        judged: The verdicts; None before the run.
    """

    judging: Judging
    on_stage: Callable[[str, int], None]
    on_step: Callable[[int], None]
    judged: Judged | None = None

    def __call__(self, run: RunFolder, perform: Perform) -> None:
        """Judge a run whose batches are done, and rerun its suspects."""
        self.on_stage("judge", len(run.cases))
        judged = Judged()
        for judged_operator in _judge_records(
            run, self.judging, lambda done, _: self.on_step(done)
        ):
            cut = interrupted_cases(judged_operator.batches, judged_operator.planned)
            judged.add(
                judged_operator.operator,
                judged_operator.pairing,
                judged_operator.verdicts,
                judged_operator.reruns,
                cut,
            )
        self.judged = judged
        for group in judged.groups():
            while tasks := list(judged.due(run, group)):
                self.on_stage("rerun", sum(len(task.batch.cases) for task in tasks))
                program_count = len(run.programs)
                run = perform(tasks, self.on_step)
                for operator in dict.fromkeys(task.batch.operator for task in tasks):
                    judge_reruns(run, self.judging, operator, judged.reruns[operator])
                if len(run.programs) == program_count:
                    break  # no device is left


def judge_operators(
    run: RunFolder, judging: Judging, progress: OnJudged | None = None, judged: Judged | None = None
) -> Iterator[JudgedOperator]:
    """Judge every planned case of a run; yield its operators in order.

    Args:
        progress: Called after each chunk.
        judged: Earlier verdicts; None for none.

    Raises:
        NotTrustworthyError: The run has no case, its input data have changed, or a judging
            process was killed.
    """
    specs = load_specs(judging.suite, run.edition)
    cut = {program.cut for program in run.programs}
    hosts = tuple(_quarantines(run.programs))
    for operator, first, reruns, problems in _by_batches(run, judging, progress, judged):
        concluded = conclude(first, reruns, cut)
        cases = {name: planned.case for name, planned in run.cases.of(operator).items()}
        twins = with_twins(concluded, cases)
        verdicts, rounding = with_bias(twins, specs, judging.standard)
        attributed = attribute([(cases[each.case], each) for each in verdicts], specs)
        problems_of_run = (*hosts, *problems, *reruns.problems)
        yield JudgedOperator(operator, attributed, problems_of_run, rounding, tuple(first))
        hosts = ()


def _quarantines(programs: Sequence[ProgramRun]) -> Iterator[str]:
    """Yield a problem for each host whose batches were set aside."""
    batches: dict[str, list[str]] = {}
    for program in programs:
        if program.purpose == "set-aside":
            batches.setdefault(program.host, []).append(program.batch)
    for host, names in batches.items():
        yield (
            f"host {host} was quarantined: no valid call of {', '.join(names)} passed there, "
            "unlike on other hosts, whose records count; run `aclnn-cts doctor` there"
        )


def failures_of(judging: Judging, campaign: Campaign, task: Task, program: ProgramRun) -> Failures:
    """Return the failures of a process; the count is 0 if any valid call passed."""
    records = pair(task.batch.cases, [program], campaign.nonce).found
    verdicts = read_verdicts([program], judging.standard)

    def verdict_of(case: Case, record: Evidence | Unrecorded) -> Verdict:
        if isinstance(record, Unrecorded):
            return without_record(case, record).verdict
        entry = verdicts.get((record.outputs.stem, case.id))
        judged = entry.verdict if entry else _judge(campaign, case, record, judging.standard)
        return judged.verdict

    count = 0
    for case in sorted(task.batch.cases, key=lambda one: (not one.expects_success, cost_of(one))):
        record = records[case.id]
        verdict = verdict_of(case, record)
        if case.expects_success and not (verdict.breaks_promise or verdict.proves_nothing):
            return Failures(0, passed=True)
        not_done = verdict is Verdict.MISSING and isinstance(record, Evidence)
        count += verdict.breaks_promise or not_done
    return Failures(count, passed=False)


def _judge(campaign: Campaign, case: Case, found: Evidence, standard: Standard) -> CaseVerdict:
    data = campaign.references[case.id]
    reference = reference_of(campaign.specs, case, campaign.store, data)
    return judge_case(campaign.specs, case, reference, found, standard)


def judge_process(standard: Standard, campaign: Campaign, task: Task, program: ProgramRun) -> bytes:
    """Return a verdicts file on the cases of a process; judged beside the device that ran it."""
    records = pair(task.batch.cases, [program], campaign.nonce).found
    entries = {
        case.id: Told(_judge(campaign, case, record, standard), fingerprint_of(record))
        for case in task.batch.cases
        if isinstance(record := records[case.id], Evidence)
    }
    return pack_verdicts(standard, entries)


def _by_batches(
    run: RunFolder, judging: Judging, progress: OnJudged | None, judged: Judged | None
) -> Iterator[tuple[str, Sequence[CaseVerdict], Reruns, Sequence[str]]]:
    """Yield each operator with the verdicts of its batches, its reruns, and problems."""
    if judged is None:
        for judged_operator in _judge_records(
            run, judging, progress or (lambda _done, _total: None)
        ):
            yield (
                judged_operator.operator,
                judged_operator.verdicts,
                judged_operator.reruns,
                judged_operator.pairing.problems,
            )
        return
    problems: Sequence[str] = judged.problems
    for operator in run.cases.operators:
        yield operator, judged.verdicts(operator), judged.reruns[operator], problems
        problems = ()


class _Item(NamedTuple):
    """A record to judge, and the place of its verdict."""

    into: dict[str, CaseVerdict]
    planned: PlannedCase
    found: Evidence


class _Records:
    """The records of an operator's cases, and the verdicts on them.

    Attributes:
        operator: The operator.
        planned: Its cases, by id.
        batches: The processes of its batches.
        pairing: The records of the batches.
        reruns: Its reruns, as they are judged.
        again: The reruns that are not judged yet.
        chunks: Work items; at least one.
    """

    def __init__(
        self,
        run: RunFolder,
        operator: str,
        programs: Sequence[ProgramRun],
        specs: SpecSet,
        standard: Standard,
        cache: VerdictCache | None,
    ) -> None:
        verdicts = read_verdicts(programs, standard, cache.context if cache else "")
        self.operator = operator
        self.planned = run.cases.of(operator)
        self.batches = [each for each in programs if each.purpose == "batch"]
        self.pairing = pair(run.due(operator), self.batches, run.nonce)
        self.reruns = Reruns()
        self._host, self._store = run.environment.host, run.store
        self._verdicts: dict[str, CaseVerdict] = {}
        self._cache, self._portion = cache, run.cases.portion(operator)
        self._fingerprints: dict[str, str] = {}
        self._earlier = cache.read(self._portion) if cache and self._portion else {}
        items = []
        for name, planned in self.planned.items():
            if name in run.left_out:
                self._verdicts[name] = without_record(planned.case, Unrecorded(run.left_out[name]))
                continue
            evidence = self.pairing.found[name]
            if isinstance(evidence, Unrecorded):
                self._verdicts[name] = without_record(planned.case, evidence)
            elif entry := verdicts.get((evidence.outputs.stem, name)):
                self._verdicts[name] = replace(entry.verdict, reused=not evidence.is_kept)
            elif reused := self._reusable(planned, evidence):
                self._verdicts[name] = reused
            elif not evidence.is_kept:
                lacking = Unrecorded(NOT_KEPT, evidence.record.microseconds / 1e6)
                self._verdicts[name] = without_record(planned.case, lacking)
            else:
                items.append(_Item(self._verdicts, planned, evidence))
        self.again = _Again(
            run, self.planned, programs, self.reruns, lambda: self.pairing, verdicts
        )
        items += self.again.items
        restore_data(specs, run.store, [item.planned for item in items])
        starts = range(0, max(len(items), 1), CHUNK)
        self.chunks = [items[start : start + CHUNK] for start in starts]

    def _reusable(self, planned: PlannedCase, evidence: Evidence) -> CaseVerdict | None:
        """Return the verdict on an equal record of an earlier run, with the times of this one."""
        if self._cache is None:
            return None
        fingerprint, earlier = fingerprint_of(evidence), self._earlier.get(planned.case.id)
        if earlier is not None and earlier.fingerprint == fingerprint:
            # a refused call is judged without its data
            data = planned.data if planned.case.expects_success else None
            # results may be equal although the data have changed, which only a judgement refuses
            if data is None or is_unchanged(self._store, data):
                return with_times(earlier.verdict, evidence.record, reused=True)
        self._fingerprints[planned.case.id] = fingerprint
        return None

    def remember(self) -> None:
        """Keep the verdicts for later runs, if some are new."""
        if self._cache is None or self._portion is None or not self._fingerprints:
            return
        # with their places, which the next run usually shares
        located = zip(self.planned, self.verdicts, strict=True)
        told = {
            name: Told(verdict, self._fingerprints[name])
            for name, verdict in located
            if name in self._fingerprints
        }
        self._cache.write(self._portion, self._earlier, told)

    @property
    def judged(self) -> int:
        return len(self._verdicts)

    @property
    def verdicts(self) -> tuple[CaseVerdict, ...]:
        """The verdict on each case by its batch, in the run's order."""
        return tuple(
            _locate(self._verdicts[name], self.pairing.program_of(name), self._host)
            for name in self.planned
        )


def _locate(verdict: CaseVerdict, program: ProgramRun | None, host: str) -> CaseVerdict:
    """Return a verdict with the host and the card of its process; ``host`` is the run's own."""
    if program is None or (verdict.host, verdict.card) == (program.host or host, program.device):
        return verdict
    return replace(verdict, host=program.host or host, card=program.device)


class _Again:
    """Rerun processes of an operator that are not judged yet.

    Cases that only ran as company are judged only if they behaved differently than in their batch.
    """

    def __init__(
        self,
        run: RunFolder,
        planned: Mapping[str, PlannedCase],
        programs: Sequence[ProgramRun],
        reruns: Reruns,
        first: Callable[[], Pairing],
        verdicts: ToldVerdicts,
    ) -> None:
        """Take the operator's processes, its reruns so far, and its batches' records."""
        again = [each for each in programs if each.purpose != "batch"][reruns.programs :]
        self._reruns = reruns
        self._host = run.environment.host
        self._verdicts: list[tuple[ProgramRun, dict[str, CaseVerdict]]] = [(p, {}) for p in again]
        self.items: list[_Item] = []
        for program, program_verdicts in self._verdicts:
            if program.about not in planned:
                reruns.problems.append(
                    f"{program.events.name} is about a case that was not planned"
                )
            ran = (*program.company, program.about)
            pairing = pair([planned[n].case for n in ran if n in planned], [program], run.nonce)
            reruns.problems += pairing.problems
            for name, evidence in pairing.found.items():
                if isinstance(evidence, Unrecorded):
                    program_verdicts[name] = without_record(planned[name].case, evidence)
                elif name == program.about or _differs(name, evidence, first(), verdicts):
                    if entry := verdicts.get((evidence.outputs.stem, name)):
                        program_verdicts[name] = entry.verdict
                    else:
                        self.items.append(_Item(program_verdicts, planned[name], evidence))

    def finish(self) -> None:
        """Add the processes to the reruns, when they are judged."""
        for program, program_verdicts in self._verdicts:
            located = {
                name: _locate(each, program, self._host) for name, each in program_verdicts.items()
            }
            self._reruns.add(program, located)


def _programs_of(run: RunFolder) -> dict[str, list[ProgramRun]]:
    """Return the processes by operator.

    Those of an unplanned operator go with the last one, because they hold no planned case.
    """
    programs_by_operator: dict[str, list[ProgramRun]] = {
        operator: [] for operator in run.cases.operators
    }
    *_, last = programs_by_operator
    for program in run.programs:
        if program.purpose not in ("set-aside", "compared"):
            programs_by_operator.get(program.operator, programs_by_operator[last]).append(program)
    return programs_by_operator


def _judge_records(run: RunFolder, judging: Judging, progress: OnJudged) -> Iterator[_Records]:
    """Yield the operators in order, each when it is judged; errors as for judge_operators."""
    if not run.cases.portions:
        raise NotTrustworthyError(f"{run.path}: the run holds no case; nothing was tested")
    take(run.store, *run.cases.stored())  # workers may read them much later
    programs = _programs_of(run)
    waiting: deque[_Records] = deque()
    specs = load_specs(judging.suite, run.edition)
    cache = VerdictCache.of(judging.suite, run.edition, judging.standard) if judging.reuse else None

    def chunks() -> Iterator[list[_Item]]:
        for operator in run.cases.operators:
            own = programs[operator]
            waiting.append(_Records(run, operator, own, specs, judging.standard, cache))
            yield from waiting[-1].chunks

    done = 0
    progress(done, len(run.cases))
    judged = _judge_chunks(run, judging, chunks())
    for first in judged:
        records = waiting.popleft()
        for chunk, verdicts in zip(records.chunks, chain([first], judged), strict=False):
            for item, verdict in zip(chunk, verdicts, strict=True):
                item.into[verdict.case] = verdict
            progress(done + records.judged, len(run.cases))
        done += records.judged
        records.again.finish()
        records.remember()
        yield records


def judge_reruns(run: RunFolder, judging: Judging, operator: str, reruns: Reruns) -> None:
    """Judge the reruns of an operator that are not yet judged, and add them."""
    programs = _programs_of(run)[operator]
    batches = [each for each in programs if each.purpose == "batch"]

    @functools.cache
    def first() -> Pairing:
        return pair(run.due(operator), batches, run.nonce)

    known_verdicts = read_verdicts(programs, judging.standard)
    again = _Again(run, run.cases.of(operator), programs, reruns, first, known_verdicts)
    chunks = [again.items[start : start + CHUNK] for start in range(0, len(again.items), CHUNK)]
    for chunk, verdicts in zip(chunks, _judge_chunks(run, judging, chunks), strict=True):
        for item, verdict in zip(chunk, verdicts, strict=True):
            item.into[verdict.case] = verdict
    again.finish()


def _differs(name: str, record: Evidence, first: Pairing, known: ToldVerdicts) -> bool:
    def fingerprint(found: Evidence) -> str:
        entry = known.get((found.outputs.stem, name))
        return (entry and entry.fingerprint) or fingerprint_of(found)

    before = first.found.get(name)
    return not isinstance(before, Evidence) or fingerprint(record) != fingerprint(before)


def _judge_chunks(
    run: RunFolder, judging: Judging, chunks: Iterable[Sequence[_Item]]
) -> Iterator[list[CaseVerdict]]:
    """Yield the verdicts on the records of each chunk, in order."""
    work = functools.partial(_judge_chunk, judging, run.store, run.edition)
    # the places of verdicts stay in this process
    records = ([(item.planned, item.found) for item in chunk] for chunk in chunks)
    return spread(work, records, judging.jobs, _KILLED)


def _judge_chunk(
    judging: Judging, store: Path, edition: str, records: Sequence[tuple[PlannedCase, Evidence]]
) -> list[CaseVerdict]:
    """Judge a few cases in a worker."""
    specs, verdicts = load_specs(judging.suite, edition), []
    for planned, evidence in records:
        reference = reference_of(specs, planned.case, store, planned.data)
        verdicts.append(judge_case(specs, planned.case, reference, evidence, judging.standard))
    return verdicts


def restore_data(specs: SpecSet, store: Path, planned: Iterable[PlannedCase]) -> None:
    """Make the data of cases again that are no longer in the store, if this suite can."""
    missing = [
        each.case
        for each in planned
        if each.case.expects_success and each.data and not each.data.is_in(store)
    ]
    # what cannot be made is missed by the judge of the case, which says so
    if missing:
        with contextlib.suppress(CtsError):
            DataStore(store).provide(specs, missing)


def reference_of(specs: SpecSet, case: Case, store: Path, data: DataReference | None) -> Reference:
    """Return the expected outputs of a case.

    Args:
        data: Location of the case's data there.

    Raises:
        NotTrustworthyError: Their location is unknown, or they have changed.
    """
    if not case.expects_success:
        return Reference({}, functools.partial(expect_case, specs, case, {}))
    if data is None:
        raise NotTrustworthyError(f"{PLAN_FILE} does not say where the data of {case.id} are")
    inputs = inputs_of(case, store, data) | absent_inputs(specs.operator(case.operator), case)
    return Reference(inputs, functools.partial(expect_case, specs, case, inputs))
