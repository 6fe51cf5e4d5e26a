# SPDX-License-Identifier: Apache-2.0
"""The verdict on one case, from its record.

The values of a case with quarantined golden data are not judged, nor is the reading of the
documents that the device follows. Statuses, memory and repetitions are judged as usual, because
they do not depend on golden values.
"""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import numpy.typing as npt

from aclnn_cts.errors import counted, form
from aclnn_cts.golden.elements import LARGE
from aclnn_cts.golden.expected import Expectation, Questions, tallies
from aclnn_cts.golden.formula_modules import random_bits_of
from aclnn_cts.golden.resolution import Resolution, Resolving, distrust, hidden
from aclnn_cts.judge.batches import KeptSamples, find_other_samples, keep_samples
from aclnn_cts.judge.bias import Bias, PooledRounding, Rounding, find_bias, measure_rounding, pool
from aclnn_cts.judge.call_checks import (
    FIRST,
    ORDINARY_RUNS,
    UNENFORCED,
    Finding,
    Launch,
    Runs,
    error_text,
    find_broken_runtime,
    find_changed_handles,
    find_differences,
    find_failed_calls,
    find_many_calls,
    find_memory,
    find_needless_outputs,
    find_silence,
    find_unmade,
    find_unwritten,
    is_refused,
    outputs_of,
    place_of,
    require_further,
    require_ordinary,
    unrefused_clauses,
)
from aclnn_cts.judge.comparison import (
    Comparison,
    ElementErrors,
    Picture,
    Sample,
    draw,
    errors_of,
    take_samples,
)
from aclnn_cts.judge.randomness import KeptBits, bits_text, find_equal_bits, find_pattern
from aclnn_cts.judge.records import Evidence, MissingDataError, Unrecorded
from aclnn_cts.judge.regions import Region, join, search_regions
from aclnn_cts.judge.stale_results import KeptResults, find_stale_results, keep_results
from aclnn_cts.judge.standards import (
    STANDARDS,
    Contest,
    Figures,
    Standard,
    broken_counts,
    broken_values,
    find_contests,
    merge_contests,
    reached_numbers,
    worst,
    yardstick_of,
)
from aclnn_cts.plan.calls import Call
from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.run.events import CaseEvent, CaseRecord, OutputEvent, PhaseOneEvent, PhaseTwoEvent
from aclnn_cts.run.process import UNKNOWN_DEVICE
from aclnn_cts.spec.clause_models import (
    BATCH_CONSISTENCY,
    FINITE_OUTPUTS,
    RESULTS_FOLLOW_DATA,
    TWO_PHASE,
    ValueClause,
)
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec


class Verdict(str, Enum):
    """The verdict on a case.

    PASS: the device kept every promise that the case tests.
    FAIL: it broke one.
    CRASH: the program died in the case.
    TIMEOUT: the case did not end in time.
    FLAKY: it broke a promise once and kept it another time, and no earlier case explains that.
    MISSING: there is no complete record of it.
    UNENFORCED: the device accepts a call that breaks a requirement; neither pass nor fail.
    CONTESTED_ONLY: no promise was broken, but the documents contradict themselves on every element.
    UNTRUSTED: no promise was broken, but the case could not have failed, see :func:`distrust`, its
        golden data are quarantined, or its valid twin is refused as well.
    """

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    FAIL = "fail"
    CRASH = "crash"
    TIMEOUT = "timeout"
    FLAKY = "flaky"
    MISSING = "missing"
    UNENFORCED = "unenforced"
    CONTESTED_ONLY = "contested-only"
    UNTRUSTED = "untrusted"

    @property
    def breaks_promise(self) -> bool:
        """Whether the device is at fault."""
        return self in (Verdict.FAIL, Verdict.CRASH, Verdict.TIMEOUT, Verdict.FLAKY)

    @property
    def proves_nothing(self) -> bool:
        """Whether the case proves nothing about the device."""
        return self in (Verdict.MISSING, Verdict.UNTRUSTED)


MOST_THREADS = 2
"""Threads that compute the expectation of a large output; more wait for the interpreter's lock."""


@dataclass(frozen=True)
class Common:
    """Features that all cases of an operator with wrong values share, and few others have.

    Attributes:
        setting: A data type, rank or format, such as ``bfloat16`` or ``rank 4``.
        clauses: Ids of the promises on calls that it is an instance of.
    """

    setting: str
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class CaseVerdict:
    """The judge's result for one case.

    Attributes:
        broken: Ids of the broken clauses, most specific first.
        exercised: Ids of the clauses that the case tests: those of the call, and those of its data,
            without those of further runs that were not made.
        standards: Figures of each standard; empty if nothing was compared.
        seconds: Time of the case on the host of the device.
        message: One sentence: why the verdict is not pass; empty for a pass.
        kinds: Kinds of what is broken, see :class:`aclnn_cts.judge.call_checks.Finding`.
        contests: Where the documents contradict themselves, and the reading that the device
            follows.
        remarks: Notes about what breaks no promise.
        samples: The first failing elements.
        regions: Where in the values of its inputs all failing elements lie.
        pictures: Pictures of the errors of failing outputs.
        contested: Elements on which the documents contradict themselves.
        status: Status of phase one; None without a record.
        said: The runtime's message for the first status that is not success.
        resolution: Resolution of the judgement of the outputs; None if there was none.
        rounding: Rounding statistics of the outputs, to be pooled over the run.
        kept_bits: Some bits of random outputs, for comparison with other cases.
        kept_results: Digests of a contract operator's results, likewise.
        kept_samples: Digests of the samples of a batch, likewise.
        biased: Whether only the pooled run shows that its values are wrong.
        device_microseconds: Known device times of the timed launches, or else of the ordinary
            launches, in order.
        tries: Number of reruns.
        confirmed: Whether it broke a promise again, alone in a new process.
        after: Ids of preceding cases without which it breaks no promise; the smallest set found.
        only_in: The data type, rank or format to which the operator's wrong values are limited, if
            any; its clauses follow the others in ``broken``.
        unenforced: Ids of the requirements that the device does not enforce.
        refused_twin: Of a refusal that proves nothing, because the device refuses its valid twin,
            too: the twin's id.
        host: Name of the host of the record; empty without a record.
        card: Number of the card there; -1 if unknown.
        reading: The document's reading with which the outputs are compared, if readings differ.
        reused: Whether it is the verdict on an equal record of an earlier run.
    """

    case: str
    operator: str
    verdict: Verdict
    broken: tuple[str, ...] = ()
    exercised: tuple[str, ...] = ()
    standards: Mapping[Standard, Figures] = field(default_factory=dict)
    seconds: float = 0.0
    message: str = ""
    kinds: frozenset[str] = frozenset()
    contests: tuple[Contest, ...] = ()
    remarks: tuple[str, ...] = ()
    samples: tuple[Sample, ...] = ()
    regions: tuple[Region, ...] = ()
    contested: int = 0
    status: int | None = None
    said: str = ""
    resolution: Resolution | None = None
    rounding: tuple[Rounding, ...] = ()
    kept_bits: tuple[KeptBits, ...] = ()
    kept_results: KeptResults | None = None
    kept_samples: KeptSamples | None = None
    biased: bool = False
    device_microseconds: tuple[float, ...] = ()
    pictures: tuple[Picture, ...] = ()
    tries: int = 0
    confirmed: bool = False
    after: tuple[str, ...] = ()
    only_in: tuple[Common, ...] = ()
    unenforced: tuple[str, ...] = ()
    refused_twin: str = ""
    host: str = ""
    card: int = UNKNOWN_DEVICE
    reading: int = 0
    reused: bool = False


def without_record(case: Case, found: Unrecorded) -> CaseVerdict:
    broken: tuple[str, ...] = ()
    if found.ended:
        broken = (TWO_PHASE,) if case.expects_success else unrefused_clauses(case)
    return CaseVerdict(
        case.id,
        case.operator,
        Verdict(found.ended or "missing"),
        broken=broken,
        exercised=case.clauses,
        seconds=found.seconds,
        message=found.reason,
    )


@dataclass(frozen=True)
class Reference:
    """Expected outputs of a case.

    Attributes:
        inputs: View-shaped input arrays; not needed for a case that expects a refusal.
        expect: Returns the expectations by output for each of the document's readings; not called
            without outputs.
    """

    inputs: Mapping[str, npt.NDArray[Any]]
    expect: Callable[[int], Mapping[str, Expectation]]

    def cached(self) -> Reference:
        """Return a reference for several devices that computes the expectation once."""
        return Reference(self.inputs, functools.cache(self.expect))


def judge_case(
    specs: SpecSet, case: Case, reference: Reference, evidence: Evidence, standard: Standard
) -> CaseVerdict:
    """Judge one case whose program went through it.

    Args:
        reference: The reference for its outputs.
        found: The record.
    """
    runs, events = Runs(specs, case), evidence.record.events
    ordinary = [event for event in events if event.run < ORDINARY_RUNS]
    findings = [*find_failed_calls(runs, events), *find_memory(runs, events)]
    findings += (*find_changed_handles(runs, events), *find_many_calls(runs, events))
    findings += find_broken_runtime(events)
    findings += (*find_unmade(runs, events), *find_silence(events))
    outputs: list[JudgedOutput] = []
    results: KeptResults | None = None
    samples: KeptSamples | None = None
    try:
        if not any(each.is_broken for each in find_failed_calls(runs, ordinary)):
            require_ordinary(case, ordinary)
            if case.expects_success and not is_refused(ordinary):
                outputs = _judge_outputs(runs, reference, evidence, standard)
                requested = {each.name for each in outputs if each.is_requested}
                results = _results_to_compare(runs, reference, evidence, requested)
                samples, differing = _samples_to_compare(runs, reference, evidence, requested)
                findings += differing
                findings += find_unwritten(runs, events, requested)
                findings += find_needless_outputs(runs, events)
                findings += (finding for each in outputs for finding in each.findings)
                findings += find_differences(runs, events, requested)
            # Last, because the ordinary runs count even if further runs are missing.
            require_further(runs, events)
    except MissingDataError as error:
        if not any(finding.is_broken for finding in findings):
            return without_record(case, Unrecorded(str(error), evidence.record.microseconds / 1e6))
        findings.append(Finding((), f"also, {error}", "remark"))
    verdict = _conclude(runs, evidence.record, findings, outputs)
    return replace(verdict, kept_results=results, kept_samples=samples)


def _results_to_compare(
    runs: Runs, reference: Reference, found: Evidence, requested: Set[str]
) -> KeptResults | None:
    """Return the results of a contract operator's first run, to be compared with other cases."""
    case, spec = runs.case, runs.specs.operator(runs.case.operator)
    if RESULTS_FOLLOW_DATA not in case.clauses:
        return None
    return keep_results(spec, case, reference.inputs, _first_results(case, found, requested))


def _samples_to_compare(
    runs: Runs, reference: Reference, found: Evidence, requested: Set[str]
) -> tuple[KeptSamples | None, tuple[Finding, ...]]:
    """Return the samples of a batch, and a finding if equal ones have other results."""
    case, spec = runs.case, runs.specs.operator(runs.case.operator)
    if BATCH_CONSISTENCY not in case.clauses:
        return None, ()
    results = _first_results(case, found, requested)
    samples, differing = keep_samples(spec, case, reference.inputs, results)
    if differing is None:
        return samples, ()
    text = "samples {} and {} of the batch are equal, but their results are not"
    return samples, (Finding((BATCH_CONSISTENCY,), text.format(*differing), "repeat"),)


def _first_results(
    case: Case, found: Evidence, requested: Set[str]
) -> Mapping[str, npt.NDArray[Any]]:
    return {
        event.tensor: found.read(event, case.tensor(event.tensor))
        for event in found.record.events
        if isinstance(event, OutputEvent) and event.run == 0 and event.tensor in requested
    }


@dataclass(frozen=True)
class JudgedOutput:
    """The judge's result for one output.

    Attributes:
        comparison: Of the first run.
        figures: By standard: those of the worse run.
        resolution: Resolution of its judgement.
        findings: Broken value clauses by the deciding standard.
        contests: Where the documents contradict themselves, first run.
        samples: The first failing elements.
        regions: Where in the values of its inputs all failing elements lie; None if none fails.
        rounding: Rounding statistics; None if no element counts.
        picture: Its picture; None if the deciding standard is kept.
        reading: The document's reading with which it is compared.
    """

    comparison: Comparison
    figures: Mapping[Standard, Figures]
    resolution: Resolution
    findings: tuple[Finding, ...] = ()
    contests: tuple[Contest, ...] = ()
    samples: tuple[Sample, ...] = ()
    regions: tuple[Region, ...] | None = None
    rounding: Rounding | None = None
    picture: Picture | None = None
    reading: int = 0
    kept_bits: KeptBits | None = None

    @property
    def name(self) -> str:
        """The output's name."""
        return self.comparison.output

    @property
    def is_requested(self) -> bool:
        """Whether it was requested; other outputs have no promise."""
        elements = self.comparison.elements
        return elements == 0 or self.comparison.unpromised < elements

    def without_values(self) -> JudgedOutput:
        """Return it without results from quarantined golden data; findings become remarks."""
        findings = tuple(
            Finding((), f"by golden data that are quarantined: {finding.text}", "remark")
            for finding in self.findings
        )
        return replace(
            self,
            findings=findings,
            contests=(),
            samples=(),
            regions=None,
            rounding=None,
            kept_bits=None,
        )


def _judge_outputs(
    runs: Runs, reference: Reference, found: Evidence, standard: Standard
) -> list[JudgedOutput]:
    """Judge each output of the first launch, and of launches that differ from it.

    All are compared with the nearest of the document's readings.
    """
    case = runs.case
    announced = {
        (Launch.of(event), event.tensor): event
        for event in found.record.events
        if isinstance(event, OutputEvent)
    }
    actuals = {
        name: {
            launch: found.read(event, case.tensor(name))
            for (launch, output), event in sorted(announced.items())
            if output == name
        }
        for name in outputs_of(case)
    }
    by_reading = []
    for reading in range(runs.specs.operator(case.operator).readings):
        expected = reference.expect(reading)
        by_reading.append(
            [
                _compare_output(runs, case.tensor(name), arrays, expected[name], reading)
                for name, arrays in actuals.items()
            ]
        )
    nearest = min(by_reading, key=functools.partial(_distance, standard=standard))
    judged = [_judge_output(runs, output, reference.inputs, standard) for output in nearest]
    if runs.specs.quarantine.entry_of(case.id) is not None:
        return [output.without_values() for output in judged]
    return judged


@dataclass(frozen=True)
class _ComparedOutput:
    """The launches of one output, compared with one of the document's readings.

    Attributes:
        arrays: The results, view-shaped.
        expected: The expectation by this reading.
        launches: The comparison of each launch.
        contests: Where the documents contradict themselves, first run.
    """

    tensor: TensorCase
    arrays: Mapping[Launch, npt.NDArray[Any]]
    expected: Expectation
    reading: int
    launches: Mapping[Launch, Comparison]
    resolution: Resolution
    contests: tuple[Contest, ...]

    def figures(self, standard: Standard) -> Figures:
        """Return the figures of the worst launch by a standard."""
        figures = [comparison.figures[standard] for comparison in self.launches.values()]
        return next((each for each in figures if not each.passed), figures[0])


def _distance(outputs: Sequence[_ComparedOutput], standard: Standard) -> tuple[int, float]:
    """Return the distance of outputs from a reading: failing elements, mean error in ulps."""
    figures = [output.figures(standard) for output in outputs]
    return sum(f.failing for f in figures), sum(f.mean_abs_ulp for f in figures)


def _compare_output(
    runs: Runs,
    tensor: TensorCase,
    arrays: Mapping[Launch, npt.NDArray[Any]],
    expected: Expectation,
    reading: int,
) -> _ComparedOutput:
    clauses = runs.specs.operator(runs.case.operator).clauses
    yardstick = yardstick_of(tensor.dtype, runs.specs.precision)
    flat = {launch: actual.reshape(-1) for launch, actual in arrays.items()}
    compared = {
        launch: Comparison(tensor.name, actual.size, yardstick, tensor.dtype)
        for launch, actual in flat.items()
    }
    names = {launch: f"launch-{number}" for number, launch in enumerate(compared)}
    questions = ((names[launch], comparison.question) for launch, comparison in compared.items())
    question = Questions((*questions, ("resolution", Resolving(yardstick.floating))))
    back = {f"{names[launch]} actual": actual for launch, actual in flat.items()}
    resolution = Resolution()
    contests: list[Contest] = []
    threads = min(MOST_THREADS, os.cpu_count() or 1) if tensor.numel >= LARGE else 1
    for tallied in tallies(expected, question, back, threads):
        totals = question.split(tallied.totals)
        resolution += Resolution(**totals["resolution"])
        for launch, comparison in compared.items():
            comparison.add(tallied, totals[names[launch]], flat[launch])
        if totals[names[FIRST]]["contested"]:
            contests += find_contests(flat[FIRST][tallied.part], tallied.block, clauses)
    return _ComparedOutput(
        tensor, arrays, expected, reading, compared, resolution, merge_contests(contests)
    )


def _judge_output(
    runs: Runs, output: _ComparedOutput, inputs: Mapping[str, npt.NDArray[Any]], standard: Standard
) -> JudgedOutput:
    tensor, expected, compared = output.tensor, output.expected, output.launches
    judged = JudgedOutput(
        comparison=compared[FIRST],
        figures={name: output.figures(name) for name in STANDARDS},
        contests=output.contests,
        resolution=output.resolution + hidden(expected),
        rounding=measure_rounding(tensor.name, tensor.dtype, output.arrays[FIRST], expected),
        reading=output.reading,
    )
    failing = [launch for launch, one in compared.items() if not one.figures[standard].passed]
    spec = runs.specs.operator(runs.case.operator)
    if not failing:
        return _judge_random_bits(spec, runs.case, judged, output) if spec.is_random else judged
    clauses = spec.clauses
    worse, actual = compared[failing[0]], output.arrays[failing[0]]
    yardstick, flat = worse.yardstick, actual.reshape(-1)
    counted: Counter[int] = Counter()
    elements, search = worse.failures[standard].first, None
    if elements:
        call = runs.case.slice_of(tensor.name)
        inputs = call.of(inputs)
        search = search_regions(call.case, tensor, inputs, elements[0])

    def errors() -> Iterator[ElementErrors]:
        for block in errors_of(actual, expected, yardstick, standard):
            here = slice(block.start, block.start + len(block.wrong))
            if block.wrong.any():
                counted.update(broken_counts(block.wrong, flat[here], block.expected, clauses))
            if search is not None:
                search.add(block)
            yield block

    picture = draw(tensor.name, tensor.shape, errors())
    broken = counted or _promising_values(worse.reached, clauses)
    first, how = _of_failing(runs, failing)
    if FINITE_OUTPUTS in runs.case.clauses:
        first = (*first, FINITE_OUTPUTS)
    text = f"{_wrong(worse, standard)}{how}"
    return replace(
        judged,
        findings=(Finding((*first, *broken_values(broken, clauses)), text, "value"),),
        samples=take_samples(tensor, elements, actual, expected, inputs),
        regions=search.regions if search is not None else (),
        picture=picture,
    )


def _judge_random_bits(
    spec: OperatorSpec, case: Case, judged: JudgedOutput, output: _ComparedOutput
) -> JudgedOutput:
    """Return the judgement of an output of random bits, with that of their statistics."""
    clauses, reached = spec.clauses, reached_numbers(judged.comparison.reached)
    promised, actual = random_bits_of(spec.formula_source, case.values), output.arrays[FIRST]
    calls = {}
    for number in reached:
        if (by := clauses[number].by) is not None:
            other_attributes = {
                name: value for name, value in case.attributes.items() if name != by
            }
            calls[number] = repr((other_attributes, actual.shape)), f"{by} {case.attributes[by]}"
    bits = bits_text(actual, promised)
    bits_to_compare = KeptBits(judged.name, bits, promised.least, promised.most, calls)
    # Without a promise of determinism, further launches may return different bits.
    different = {each.tobytes(): each for each in output.arrays.values()}
    pattern = next(
        filter(None, (find_pattern(each, promised) for each in different.values())), None
    )
    if pattern is None:
        return replace(judged, kept_bits=bits_to_compare)
    broken = tuple(clauses[number].id for number in reached if clauses[number].by is None)
    return replace(
        judged,
        figures={name: replace(each, passed=False) for name, each in judged.figures.items()},
        findings=(Finding(broken, f"{judged.name}: {pattern}", "value"),),
    )


def _promising_values(reached: int, clauses: Sequence[ValueClause]) -> Mapping[int, int]:
    """Return the value clauses, broken although no element fails by itself."""
    numbers = reached_numbers(reached)
    values = [number for number in numbers if clauses[number].expect == "value"]
    return dict.fromkeys(values or numbers, 1)


def _of_failing(runs: Runs, launches: Sequence[Launch]) -> tuple[tuple[str, ...], str]:
    """Return the clause that is broken if exactly these launches fail, with a phrase for them."""
    if launches[0] == FIRST:
        return (), ""
    if launches[0] == Launch(1):
        return (), " in the second run"
    special = not any(launch.is_ordinary for launch in launches)
    broken = runs.clauses_of_all(launches) if special else ()
    return broken, " and".join(map(runs.phrase, launches))


def _wrong(comparison: Comparison, standard: Standard) -> str:
    count, name = comparison.failures[standard].count, comparison.output
    if count:
        verb = form(count, "is", "are")
        return f"{count:,} of {counted(comparison.elements, 'element')} of {name} {verb} wrong"
    mean = comparison.figures[standard].mean_relative_error
    return f"the mean relative error of {name} is {mean:.3g}"


def _conclude(
    runs: Runs, record: CaseRecord, findings: Sequence[Finding], outputs: Sequence[JudgedOutput]
) -> CaseVerdict:
    case, events = runs.case, record.events
    broken = sorted(
        (finding for finding in findings if finding.is_broken),
        key=lambda finding: place_of(finding.kind),
    )
    accepted = [finding for finding in findings if finding.kind == UNENFORCED]
    verdict, message = _verdict(runs, outputs, broken or accepted)
    besides = [f.text for f in findings if not f.is_broken and (broken or f not in accepted)]
    untested = runs.untested_clauses(events)
    concluded = CaseVerdict(
        case=case.id,
        operator=case.operator,
        verdict=verdict,
        broken=_clauses_of(broken),
        unenforced=_clauses_of(accepted),
        exercised=tuple(name for name in case.clauses if name not in untested),
        message=message,
        kinds=frozenset(finding.kind for finding in broken),
        remarks=tuple(dict.fromkeys(besides)),
        status=next((e.status for e in events if isinstance(e, PhaseOneEvent)), None),
        said=error_text(events),
    )
    concluded = with_times(concluded, record)
    clauses = runs.specs.operator(case.operator).clauses
    return _with_outputs(concluded, outputs, clauses) if outputs else concluded


def with_times(verdict: CaseVerdict, record: CaseRecord, *, reused: bool = False) -> CaseVerdict:
    """Return a verdict with the times of a record; ``reused`` if it was made on an equal one."""
    times, seconds = record.timings or _device_times(record.events), record.microseconds / 1e6
    return replace(verdict, seconds=seconds, device_microseconds=times, reused=reused)


def _with_outputs(
    verdict: CaseVerdict, outputs: Sequence[JudgedOutput], clauses: Sequence[ValueClause]
) -> CaseVerdict:
    """Return the verdict with what was compared of the outputs, of which there is at least one."""
    compared = [output.comparison for output in outputs]
    reached = reached_numbers(functools.reduce(int.__or__, (each.reached for each in compared)))
    return replace(
        verdict,
        exercised=(*verdict.exercised, *(clauses[number].id for number in reached)),
        standards={name: worst(each.figures[name] for each in outputs) for name in STANDARDS},
        contests=merge_contests(contest for output in outputs for contest in output.contests),
        samples=tuple(sample for output in outputs for sample in output.samples),
        regions=join([each.regions for each in outputs if each.regions is not None]),
        pictures=tuple(each.picture for each in outputs if each.picture is not None),
        contested=sum(each.contested for each in compared),
        resolution=sum((output.resolution for output in outputs), Resolution()),
        rounding=tuple(output.rounding for output in outputs if output.rounding is not None),
        kept_bits=tuple(output.kept_bits for output in outputs if output.kept_bits is not None),
        reading=outputs[0].reading,
    )


def _clauses_of(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for finding in findings for name in finding.clauses))


def _device_times(events: Iterable[CaseEvent]) -> tuple[float, ...]:
    return tuple(
        event.device_microseconds
        for event in events
        if isinstance(event, PhaseTwoEvent)
        and event.run < ORDINARY_RUNS
        and event.device_microseconds is not None
    )


_VERDICTS = {"hang": Verdict.TIMEOUT, UNENFORCED: Verdict.UNENFORCED}
"""Verdicts of findings that are not failures."""


def _verdict(
    runs: Runs, outputs: Sequence[JudgedOutput], findings: Sequence[Finding]
) -> tuple[Verdict, str]:
    """Return the verdict, and why it is not pass."""
    case, compared = runs.case, [output.comparison for output in outputs]
    if findings:
        verdict = _VERDICTS.get(findings[0].kind, Verdict.FAIL)
        return verdict, "; ".join(dict.fromkeys(finding.text for finding in findings))
    quarantined = runs.specs.quarantine.entry_of(case.id)
    if quarantined is not None and case.expects_success:
        reason = f"its golden data are quarantined since {quarantined.found}: {quarantined.reason}"
        return Verdict.UNTRUSTED, reason
    contested = sum(each.contested for each in compared)
    if contested and not any(each.settled for each in compared):
        return (
            Verdict.CONTESTED_ONLY,
            "the documents contradict themselves on all elements about which they promise "
            f"anything ({contested:,})",
        )
    spec = runs.specs.operator(case.operator)
    if spec.is_contract:  # without promises on values, only status and memory are tested
        outputs = [output for output in outputs if output.is_requested]
    distrusted = distrust(
        {output.name: case.tensor(output.name).shape for output in outputs},
        {
            output.name: output.resolution.over_input()
            if case.tensor(output.name).role == "inout"
            else output.resolution
            for output in outputs
        },
        fixed=case.expects_success and Call.of(spec, case).is_fixed,
        of_truths=spec.is_condition,
        arranged=spec.arrangement is not None,
    )
    return (Verdict.PASS, "") if distrusted is None else (Verdict.UNTRUSTED, distrusted)


def with_twins(
    verdicts: Sequence[CaseVerdict], cases: Mapping[str, Case]
) -> tuple[CaseVerdict, ...]:
    """Return the verdicts; a refusal proves nothing if the device refuses its valid twin, too.

    Args:
        verdicts: The verdicts on an operator's cases.
        cases: These cases, by id.
    """
    refused = {
        verdict.case: verdict.status
        for verdict in verdicts
        if cases[verdict.case].expects_success and verdict.status
    }

    def judged(verdict: CaseVerdict) -> CaseVerdict:
        twin = cases[verdict.case].twin
        if twin is None or twin not in refused or verdict.verdict is not Verdict.PASS:
            return verdict
        reason = f"its valid twin is refused as well (status {refused[twin]}): {twin}"
        return replace(verdict, verdict=Verdict.UNTRUSTED, message=reason, refused_twin=twin)

    return tuple(map(judged, verdicts))


def with_bias(
    verdicts: Sequence[CaseVerdict], specs: SpecSet, standard: Standard
) -> tuple[tuple[CaseVerdict, ...], tuple[PooledRounding, ...]]:
    """Return the verdicts with failures that only several cases show, and the figures of bias.

    Only cases within every element's budget are pooled, because larger errors are not rounding.

    Args:
        verdicts: Of all cases of an operator, or of a run.
        standard: The standard that decides; bias breaks the strict one only.
    """
    pools: dict[tuple[str, str, str], dict[str, Rounding]] = {}
    for verdict in verdicts:
        figures = verdict.standards.get("strict")
        for part in verdict.rounding if figures is not None and figures.passed else ():
            key = (verdict.operator, part.output, part.dtype)
            pools.setdefault(key, {})[verdict.case] = part
    pooled_roundings: list[PooledRounding] = []
    after = {verdict.case: verdict for verdict in verdicts}
    for (operator, _, _), cases in sorted(pools.items()):
        whole = pool(cases.values())
        pooled_roundings.append(PooledRounding.of(operator, whole))
        if bias := find_bias(cases, whole):
            clauses = specs.operator(operator).clauses
            after |= {
                case: _with_bias(after[case], bias, clauses, standard) for case in bias.reached
            }
    after |= {verdict.case: verdict for verdict in _with_equal_bits(after, specs)}
    after |= {verdict.case: verdict for verdict in _with_stale_results(after)}
    after |= {verdict.case: verdict for verdict in _with_other_samples(after)}
    return tuple(after[verdict.case] for verdict in verdicts), tuple(pooled_roundings)


def _with_equal_bits(verdicts: Mapping[str, CaseVerdict], specs: SpecSet) -> Iterator[CaseVerdict]:
    """Yield the verdicts on cases with the random bits of another case."""
    by_output: dict[tuple[str, str], dict[str, KeptBits]] = {}
    for verdict in verdicts.values():
        for kept_bits in verdict.kept_bits:
            by_output.setdefault((verdict.operator, kept_bits.output), {})[verdict.case] = kept_bits
    verdicts_by_case: dict[str, CaseVerdict] = {}
    for (operator, _), cases in by_output.items():
        for case, number, text in find_equal_bits(cases):
            before = verdicts_by_case.get(case, verdicts[case])
            broken = specs.operator(operator).clauses[number].id
            standards = {
                n: replace(figures, passed=False) for n, figures in before.standards.items()
            }
            failed = _fail(before, "" if before.message else text, broken)
            verdicts_by_case[case] = replace(failed, standards=standards)
    yield from verdicts_by_case.values()


def _with_stale_results(verdicts: Mapping[str, CaseVerdict]) -> Iterator[CaseVerdict]:
    """Yield the verdicts on cases of contract operators with the results of another case."""
    results = {
        name: own_verdict.kept_results
        for name, own_verdict in verdicts.items()
        if own_verdict.kept_results
    }
    for case, earlier in find_stale_results(results):
        text = f"every output equals that of {earlier}, which has other data"
        yield _fail(verdicts[case], text, RESULTS_FOLLOW_DATA)


def _with_other_samples(verdicts: Mapping[str, CaseVerdict]) -> Iterator[CaseVerdict]:
    """Yield the verdicts on batches with a sample that has other results in another batch."""
    samples = {
        name: own_verdict.kept_samples
        for name, own_verdict in verdicts.items()
        if own_verdict.kept_samples
    }
    for case, earlier, place in find_other_samples(samples):
        text = f"the results of sample {place} differ from those in the batch of {earlier}"
        yield _fail(verdicts[case], text, BATCH_CONSISTENCY)


def _fail(before: CaseVerdict, text: str, *broken: str) -> CaseVerdict:
    """Return the verdict on a case whose results only other cases show to be wrong."""
    return replace(
        before,
        verdict=before.verdict if before.verdict.breaks_promise else Verdict.FAIL,
        broken=tuple(dict.fromkeys((*before.broken, *broken))),
        message="; ".join(filter(None, (before.message, text))),
        kinds=before.kinds | {"value"},
        biased=before.biased or not before.kinds,
    )


def _with_bias(
    verdict: CaseVerdict, bias: Bias, clauses: Sequence[ValueClause], standard: Standard
) -> CaseVerdict:
    """Return the verdict on a case that adds to a bias."""
    figures = {**verdict.standards, "strict": replace(verdict.standards["strict"], passed=False)}
    if standard != "strict":
        return replace(verdict, standards=figures, remarks=(*verdict.remarks, bias.text))
    reached = reached_numbers(bias.reached[verdict.case])
    broken = broken_values(dict.fromkeys(reached, bias.elements), clauses)
    return replace(_fail(verdict, bias.text, *broken), standards=figures, biased=True)
