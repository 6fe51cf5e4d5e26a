# SPDX-License-Identifier: Apache-2.0
"""Trying all faults and variants, on several cores.

Inputs, expectations, and the verdicts on the unharmed device are computed once. A case whose record
equals that on the unharmed device, bit for bit, has the same verdict. So one process runs the
unharmed device and all devices that are tried with only that operator's cases.
"""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from aclnn_cts import __version__
from aclnn_cts.emit.case_file import case_lines
from aclnn_cts.emit.data_files import DataReference, DataStore
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.golden.expectations import call_key
from aclnn_cts.judge.attribution import attribute
from aclnn_cts.judge.judge_run import reference_of
from aclnn_cts.judge.records import Evidence, Unrecorded, fingerprint_of, pair
from aclnn_cts.judge.verdicts import CaseVerdict, Reference, judge_case, with_bias, without_record
from aclnn_cts.plan.cases import TIERS, Case
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.planner import plan
from aclnn_cts.qualify.catalog import Entry
from aclnn_cts.qualify.formula_edits import is_equivalent
from aclnn_cts.qualify.kept_trials import KeptTrials, TrialCache
from aclnn_cts.qualify.qualification import DECISIVE, Qualification, Trial, notices_of
from aclnn_cts.run.build import build_parts, build_programs, build_simulator, find_compiler
from aclnn_cts.run.campaign import Progress
from aclnn_cts.run.executor import FAULTY_TIMEOUTS, Campaign, run_in_turn
from aclnn_cts.run.fault_injection import build_faulty, build_together
from aclnn_cts.run.run_config import RunConfig, case_seconds_of
from aclnn_cts.run.toolkit import Toolkit, needed_operators
from aclnn_cts.spec.loading import SpecSet, load_specs, specs_digest
from aclnn_cts.suite import Suite
from aclnn_cts.worker_pool import spread

_DEVICES_AT_A_TIME = 48
"""Maximum number of devices that are compiled together."""

_KILLED = "a process that tried devices was killed, perhaps for lack of memory; use --jobs 1"


@dataclass(frozen=True)
class Effort:
    """How thoroughly devices are tried.

    Attributes:
        tier: The tier of the cases.
        first: Whether to judge each fault only until a case notices it.
        reuse: Whether devices of single operators are not tried again if nothing has changed.
    """

    tier: str
    first: bool = False
    reuse: bool = True


@dataclass(frozen=True)
class _Plant:
    """Shared parts of all trials: the unharmed device, its programs, and the data of all cases."""

    suite: Suite
    toolkit: Toolkit
    parts: Path
    programs: Path
    store: Path
    results: Path
    effort: Effort
    compiler: str

    @classmethod
    def build(cls, suite: Suite, results: Path, effort: Effort) -> _Plant:
        compiler = find_compiler()
        toolkit = build_simulator(suite, compiler)
        programs = build_programs(suite, compiler, toolkit)
        parts = build_parts(suite, compiler)
        store = suite.cache / "data"
        version = compiler.version
        return cls(suite, toolkit, parts, programs, store, results, effort, version)

    def trials_of(self, specs: SpecSet, operator: str) -> TrialCache:
        """Return where the trials of an operator are kept."""
        settings = (self.compiler, self.effort.tier, str(self.effort.first))
        return TrialCache.of(self.suite, self.parts, specs, operator, *settings)


@dataclass(frozen=True)
class _Share:
    """An operator, and the devices that are tried with only its cases.

    Attributes:
        products: The products on which the unharmed device runs.
        kept: The products whose results other trials need.
    """

    plant: _Plant
    operator: str
    products: tuple[str, ...]
    devices: tuple[Entry, ...]
    kept: frozenset[str]


@dataclass(frozen=True)
class _ShareResult:
    """The result of a share.

    Attributes:
        cases: Number of cases that passed on the unharmed device, by product.
    """

    cases: Mapping[str, int]
    bases: Mapping[str, _Base]
    trials: tuple[Trial, ...]


@dataclass(frozen=True)
class _Base:
    """Cases of one product, and the unharmed device's results."""

    cases: tuple[Case, ...]
    data: Mapping[str, DataReference]
    known: Mapping[str, TriedCase]


@dataclass(frozen=True)
class _Task:
    """Devices that are tried with the cases of several operators on one product."""

    plant: _Plant
    product: str
    bases: tuple[_Base, ...]
    devices: tuple[Entry, ...]


def try_devices(
    suite: Suite,
    entries: Sequence[Entry],
    effort: Effort,
    progress: Progress,
    jobs: int,
) -> Qualification:
    """Try faults and variants with the cases of a tier, after the unharmed device on all products.

    Args:
        progress: Receives the progress.

    Raises:
        NotTrustworthyError: Something does not build, or a case does not pass on the unharmed
            device.
    """
    started = time.monotonic()
    specs = load_specs(suite)
    progress.stage("build", 0)
    with tempfile.TemporaryDirectory(prefix="aclnn-cts-qualify-") as results:
        plant = _Plant.build(suite, Path(results), effort)
        shares = _shares(plant, tuple(specs.products), entries, jobs)
        trials: dict[str, Trial] = {}
        cases: dict[str, Counter[str]] = {}
        bases: dict[tuple[str, str], _Base] = {}
        progress.stage("devices", len(entries))
        for share, result in zip(shares, spread(_try_operator, shares, jobs, _KILLED), strict=True):
            for product, count in result.cases.items():
                cases.setdefault(product, Counter())[share.operator] = count
            bases |= {(product, share.operator): base for product, base in result.bases.items()}
            trials |= {trial.entry.id: trial for trial in result.trials}
            progress.step(len(trials))
        tasks = _tasks(plant, specs, entries, jobs, bases)
        for group_trials in spread(_try_together, tasks, jobs, _KILLED):
            trials |= {trial.entry.id: trial for trial in group_trials}
            progress.step(len(trials))
    return Qualification(
        __version__,
        specs_digest(suite),
        effort.tier,
        {name: cases[name].total() for name in specs.products if name in cases},
        tuple(trials[entry.id] for entry in entries),
        time.monotonic() - started,
        effort.first,
        tuple(sorted({s.operator for s in shares if specs.operator(s.operator).is_contract})),
        frozenset(n for n, s in specs.operators.items() if s.file in {f.name for f in suite.files}),
    )


def _tasks(
    plant: _Plant,
    specs: SpecSet,
    entries: Sequence[Entry],
    jobs: int,
    bases: Mapping[tuple[str, str], _Base],
) -> list[_Task]:
    """Divide the entries that concern several operators into tasks."""
    tested = [spec.operator for spec in specs.tested_operators]
    together = [entry for entry in entries if len(entry.tried_on) > 1]
    return [
        _Task(
            plant, product, tuple(bases[product, name] for name in tested if name in names), devices
        )
        for (product, names), devices in _chunks(together, jobs)
    ]


def _shares(
    plant: _Plant, products: tuple[str, ...], entries: Sequence[Entry], jobs: int
) -> list[_Share]:
    """Divide the entries of single operators into shares, the largest first."""
    names = chain.from_iterable(entry.tried_on for entry in entries)
    entries_by_operator: dict[str, list[Entry]] = {name: [] for name in names}
    kept_products = defaultdict[str, set[str]](set)
    for entry in entries:
        if len(entry.tried_on) == 1:
            entries_by_operator[entry.tried_on[0]].append(entry)
        else:
            for name in entry.tried_on:
                kept_products[name].add(entry.product)
    # several processes share an operator's devices if there are few operators
    number = math.ceil(jobs / len(entries_by_operator))
    shares = [
        _Share(plant, name, products, tuple(devices[start::number]), frozenset(kept_products[name]))
        for name, devices in entries_by_operator.items()
        for start in range(number)
        if devices[start::number] or not start
    ]
    return sorted(shares, key=lambda share: -len(share.devices))


def _require_green(product: str, verdicts: Iterable[CaseVerdict]) -> None:
    for verdict in verdicts:
        if not _passes(verdict):
            raise NotTrustworthyError(
                f"{verdict.case} does not pass on the unmodified device ({product}): "
                f"{verdict.verdict.value}, {verdict.message}; fix that first"
            )


def _chunks(
    entries: Sequence[Entry], jobs: int
) -> Iterator[tuple[tuple[str, tuple[str, ...]], tuple[Entry, ...]]]:
    """Yield a product, operators, and devices that are tried with exactly their cases."""
    most = math.ceil(len(entries) / (2 * jobs))
    groups: dict[tuple[str, tuple[str, ...]], list[Entry]] = {}
    for entry in entries:
        groups.setdefault((entry.product, entry.tried_on), []).append(entry)
    for cases, group in groups.items():
        for start in range(0, len(group), most):
            yield cases, tuple(group[start : start + most])


def _plan_share(share: _Share, specs: SpecSet) -> list[Case]:
    """Return the cases of an operator on all products, without quarantined ones."""
    plans = PlanCache.of(share.plant.suite)
    return [
        case
        for product in share.products
        if specs.operator(share.operator).mentions(product)
        for case in plan(specs, product, share.plant.effort.tier, [share.operator], plans)
        if specs.quarantine.entry_of(case.id) is None
    ]


def _try_operator(share: _Share) -> _ShareResult:
    """Plan an operator on all products, which share much of the work, and run its cases.

    Verdicts are reused for calls on another product with the same expectation and the same record.
    """
    plant = share.plant
    specs = load_specs(plant.suite)
    cache = plant.trials_of(specs, share.operator)
    kept = cache.read() if plant.effort.reuse else KeptTrials()
    trials = [trial for entry in share.devices if (trial := kept.trial(entry))]
    if kept.unharmed and len(trials) == len(share.devices) and not share.kept:
        return _ShareResult(kept.unharmed, {}, tuple(trials))
    known = {trial.entry.id for trial in trials}
    planned = _plan_share(share, specs)
    elsewhere: dict[str, list[tuple[tuple[Case, Hashable, DataReference], TriedCase]]] = {}
    data = defaultdict[str, dict[str, DataReference]](dict)
    for case, reference in DataStore(plant.store).provide_all(specs, planned):
        data[case.product][case.id] = reference
    counts: dict[str, int] = {}
    bases: dict[str, _Base] = {}
    for product in share.products:
        cases = tuple(case for case in planned if case.product == product)
        product_data = data[product]
        calls = {
            case.id: (replace(case, product=""), call_key(specs, case), product_data[case.id])
            for case in cases
        }
        same = {
            name: verdict
            for name, call in calls.items()
            for theirs, verdict in elsewhere.get(name, ())
            if theirs == call
        }
        bench = Bench(
            specs, product, cases, plant.programs, plant.store, plant.results, product_data, same
        )
        bench.known.update(bench.try_device(plant.toolkit))
        _require_green(product, bench.verdicts(bench.known, plant.effort.tier))
        for name, call in calls.items():
            elsewhere.setdefault(name, []).append((call, bench.known[name]))
        if cases:
            counts[product] = len(cases)
        if product in share.kept:
            bases[product] = _Base(cases, product_data, bench.known)
        devices = [
            entry for entry in share.devices if entry.product == product and entry.id not in known
        ]
        for start in range(0, len(devices), _DEVICES_AT_A_TIME):
            trials += _try(plant, bench, devices[start : start + _DEVICES_AT_A_TIME])
    cache.write(cache.read().extended(counts, trials))
    return _ShareResult(counts, bases, tuple(trials))


def _try_together(task: _Task) -> list[Trial]:
    plant = task.plant
    bench = Bench(
        load_specs(plant.suite),
        task.product,
        tuple(case for base in task.bases for case in base.cases),
        plant.programs,
        plant.store,
        plant.results,
        {name: reference for base in task.bases for name, reference in base.data.items()},
        {name: case for base in task.bases for name, case in base.known.items()},
    )
    return _try(plant, bench, task.devices)


def _try(plant: _Plant, bench: Bench, devices: Sequence[Entry]) -> list[Trial]:
    names = {case.operator for case in bench.cases}
    called = set(needed_operators(bench.specs, names))
    built = build_together(plant.suite, plant.parts, [entry.change for entry in devices], called)
    return [_try_one(plant, bench, entry, called, built.get(entry.id)) for entry in devices]


def _try_one(
    plant: _Plant, bench: Bench, entry: Entry, called: AbstractSet[str], built: Toolkit | None
) -> Trial:
    started = time.monotonic()
    verdicts: tuple[CaseVerdict, ...] = ()
    cases: tuple[Case, ...] = ()
    left_open = ""
    try:
        toolkit = built or build_faulty(plant.suite, plant.parts, entry.change, called)
    except NotTrustworthyError as error:
        left_open = str(error)
    else:
        first = entry.notices if plant.effort.first and entry.kind == "fault" else None
        outcomes = bench.try_device(toolkit, first)
        cases = tuple(case for case in bench.cases if case.id in outcomes)
        verdicts = bench.verdicts(outcomes, plant.effort.tier)
    trial = Trial(entry, len(bench.cases), time.monotonic() - started, left_open=left_open)
    if entry.kind == "variant":
        return replace(
            trial, not_passed=tuple(verdict for verdict in verdicts if not _passes(verdict))
        )
    return _add_notices(trial, bench, cases, verdicts) if verdicts else trial


def _add_notices(
    trial: Trial, bench: Bench, cases: Sequence[Case], verdicts: Sequence[CaseVerdict]
) -> Trial:
    """Return the trial of a fault with the cases that notice it."""
    unharmed = {name: case.verdict for name, case in bench.known.items()}
    unknown = [verdict for verdict in verdicts if verdict.verdict.proves_nothing]
    trial = replace(
        trial,
        notices=notices_of(cases, unharmed, verdicts),
        left_open=f"{unknown[0].case}: {unknown[0].message}" if unknown else "",
    )
    formula = trial.entry.formula
    if trial.is_killed or trial.left_open or formula is None:
        return trial
    return replace(trial, equivalent=is_equivalent(bench.specs, formula, bench.cases))


def _passes(verdict: CaseVerdict) -> bool:
    """Whether a case finds nothing wrong with the device."""
    return not (verdict.verdict.breaks_promise or verdict.verdict.proves_nothing)


_STRIDE = 8
"""Distance of consecutive cases, because neighbours exercise almost the same."""

_SMALLEST_PORTION = 16
"""Number of cases of the first portion, which notices three of four faults."""


@dataclass(frozen=True)
class TriedCase:
    """Result of a case on the unharmed device, before the checks over all cases."""

    verdict: CaseVerdict
    fingerprint: str


@dataclass(frozen=True)
class Bench:
    """The cases of one product, with everything that does not depend on the device.

    Attributes:
        results: The folder of results; each process overwrites its own part of it.
        data: Locations of the cases' data, by case id.
        known: Results of the unharmed device, by case id; empty before its trial.
    """

    specs: SpecSet
    product: str
    cases: tuple[Case, ...]
    programs: Path
    store: Path
    results: Path
    data: Mapping[str, DataReference]
    known: dict[str, TriedCase] = field(default_factory=dict)
    _references: dict[str, Reference] = field(default_factory=dict, init=False, repr=False)
    _lines: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False)

    def try_device(
        self, toolkit: Toolkit, first: Sequence[str] | None = None
    ) -> dict[str, TriedCase]:
        """Run all cases on a device; return the results by case id.

        Args:
            first: Clauses whose cases come first: run and judge the cases in portions, then all
                together, and stop at the first one that notices a fault.

        Raises:
            NotTrustworthyError: A program cannot be started, or the disk is full.
        """
        portions = [] if first is None else self._portions(set(first))
        outcomes: dict[str, TriedCase] = {}
        # a fault may need more calls in one process than a portion has
        for cases in (*portions, self.cases):
            for case, outcome in self._try(toolkit, cases):
                outcomes[case.id] = outcome
                if portions and self._notices(case, outcome.verdict):
                    return outcomes
        return outcomes

    def _portions(self, clauses: AbstractSet[str]) -> list[list[Case]]:
        """Return the cases in growing portions, those of these clauses first."""
        mixed = [case for start in range(_STRIDE) for case in self.cases[start::_STRIDE]]
        mixed.sort(key=lambda case: clauses.isdisjoint(case.clauses))
        portions: list[list[Case]] = []
        while mixed:
            size = _SMALLEST_PORTION << len(portions)
            portions.append(mixed[:size])
            mixed = mixed[size:]
        return portions

    def _try(self, toolkit: Toolkit, cases: Sequence[Case]) -> Iterator[tuple[Case, TriedCase]]:
        """Run cases on a device; yield each with its result, as it is judged."""
        folder = self.results / str(os.getpid())
        folder.mkdir(parents=True, exist_ok=True)
        campaign = Campaign(
            specs=self.specs,
            product=self.product,
            toolkit=toolkit,
            programs=self.programs,
            folder=folder,
            store=self.store,
            references=self.data,
            config=RunConfig(case_seconds=case_seconds_of(faulty=bool(toolkit.fault))),
            most_timeouts=FAULTY_TIMEOUTS,
            lines_of=self._lines_of,
        )
        programs = run_in_turn(campaign, cases)
        records = pair(cases, programs, campaign.nonce).found
        for case in cases:
            yield case, self.judge_one(case, records[case.id])

    def _lines_of(self, specs: SpecSet, case: Case, data: DataReference) -> Iterable[str]:
        if case.id not in self._lines:
            self._lines[case.id] = tuple(case_lines(specs, case, data))
        return self._lines[case.id]

    def _notices(self, case: Case, verdict: CaseVerdict) -> bool:
        """Whether a case notices the device by the deciding standard."""
        unharmed = {case.id: self.known[case.id].verdict}
        notices = notices_of((case,), unharmed, (verdict,))
        return any(DECISIVE in notice.standards for notice in notices)

    def judge_one(self, case: Case, evidence: Evidence | Unrecorded) -> TriedCase:
        """Return the verdict on a case, that of the unharmed device if the records are equal."""
        if isinstance(evidence, Unrecorded):
            return TriedCase(without_record(case, evidence), "")
        fingerprint = self.fingerprint(case, evidence)
        earlier = self.known.get(case.id)
        if earlier is not None and earlier.fingerprint == fingerprint:
            return earlier
        if case.id not in self._references:
            data = self.data.get(case.id)
            self._references[case.id] = reference_of(self.specs, case, self.store, data).cached()
        verdict = judge_case(self.specs, case, self._references[case.id], evidence, DECISIVE)
        return TriedCase(verdict, fingerprint)

    def fingerprint(self, case: Case, evidence: Evidence) -> str:
        """Return a digest of everything that affects a verdict."""
        del case
        return fingerprint_of(evidence)

    def verdicts(self, outcomes: Mapping[str, TriedCase], tier: str) -> tuple[CaseVerdict, ...]:
        """Return the verdicts, in order, with the checks over all cases if all were judged.

        These checks report in a few cases of a run, so each lower tier is also checked by itself.
        """
        if len(outcomes) < len(self.cases):
            return tuple(outcomes[case.id].verdict for case in self.cases if case.id in outcomes)
        judged_cases: dict[str, CaseVerdict] = {}
        for number in range(TIERS.index(tier) + 1, 0, -1):
            cases = [case for case in self.cases if case.tier in TIERS[:number]]
            verdicts, _ = with_bias(
                [outcomes[case.id].verdict for case in cases], self.specs, DECISIVE
            )
            for verdict in attribute(list(zip(cases, verdicts, strict=True)), self.specs):
                if verdict.case not in judged_cases or verdict.verdict.breaks_promise:
                    judged_cases[verdict.case] = verdict
        return tuple(judged_cases[case.id] for case in self.cases)
