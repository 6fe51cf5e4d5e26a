# SPDX-License-Identifier: Apache-2.0
"""Trying all faults and variants, on several cores."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from aclnn_cts import __version__
from aclnn_cts.emit.data_files import DataReference, DataStore
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering import CoveringStore
from aclnn_cts.plan.planner import plan
from aclnn_cts.qualify.bench import Bench, TriedCase
from aclnn_cts.qualify.catalog import Entry
from aclnn_cts.qualify.qualification import Qualification, Trial, notices_of
from aclnn_cts.run.build import build_parts, build_programs, build_simulator, find_compiler
from aclnn_cts.run.campaign import Progress
from aclnn_cts.run.fault_injection import build_faulty
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import SpecSet, load_specs, specs_digest
from aclnn_cts.suite import Suite
from aclnn_cts.worker_pool import spread

_DEVICES_AT_A_TIME = 12
"""Devices that a worker tries on one bench: enough to evaluate the cases once for several."""

_KILLED = "a process that tried devices was killed, perhaps for lack of memory; use --jobs 1"


@dataclass(frozen=True)
class _Plant:
    """Shared parts of all trials: the unharmed device, its programs, and the data of all cases."""

    suite: Suite
    toolkit: Toolkit
    parts: Path
    programs: Path
    store: Path


@dataclass(frozen=True)
class _Task:
    """Some cases of one product, and the devices to try them on; none for the unharmed one.

    With ``first``, a fault is judged only until a case notices it.
    """

    plant: _Plant
    product: str
    cases: tuple[Case, ...]
    data: Mapping[str, DataReference]
    known: Mapping[str, TriedCase]
    tier: str
    devices: tuple[Entry, ...] = ()
    first: bool = False

    @property
    def size(self) -> int:
        """A measure of the time that it takes."""
        elements = sum(case.elements for case in self.cases)
        return (len(self.devices) + 1) * (1000 * len(self.cases) + elements)

    def bench(self) -> Bench:
        """Return the bench that all of its trials use."""
        plant = self.plant
        specs = load_specs(plant.suite)
        return Bench(
            specs, self.product, self.cases, plant.programs, plant.store, self.data, self.known
        )


def try_devices(  # noqa: PLR0913 - the options of the command `qualify`
    suite: Suite,
    entries: Sequence[Entry],
    tier: str,
    progress: Progress,
    jobs: int,
    *,
    on_all_products: bool = False,
    first: bool = False,
) -> Qualification:
    """Try faults and variants with the cases of a tier.

    Args:
        suite: The suite.
        entries: The faults and variants to try.
        tier: The tier.
        progress: Is told what is being done.
        jobs: Processes to use.
        on_all_products: Run the unharmed device on each product that a document mentions, not only
            with the cases that the entries need.
        first: Judge each fault only until a case notices it.

    Raises:
        NotTrustworthyError: Something does not build, or a case does not pass on the unharmed
            device.
    """
    started = time.monotonic()
    specs = load_specs(suite)
    progress.stage("build", 0)
    plant = _build(suite)
    progress.stage("plan", 0)
    plans = _plans(suite, specs, tier, None if on_all_products else entries)
    data = _provide(plant, specs, plans, progress)
    known = _try_unharmed(plant, plans, data, tier, progress, jobs)
    tasks = [
        _Task(
            plant,
            product,
            cases,
            _part(data[product], cases),
            _part(known[product], cases),
            tier,
            chunk,
            first,
        )
        for product, cases, chunk in _chunks(plans, entries)
    ]
    trials: dict[str, Trial] = {}
    progress.stage("devices", len(entries))
    # The longest first, so that no worker waits for a long one at the end.
    for done in spread(_try, sorted(tasks, key=lambda task: -task.size), jobs, _KILLED):
        trials.update((trial.entry.id, trial) for trial in done)
        progress.step(len(trials))
    return Qualification(
        __version__,
        specs_digest(suite),
        tier,
        {product: len(cases) for product, cases in plans.items()},
        tuple(trials[entry.id] for entry in entries),
        time.monotonic() - started,
        first,
    )


def _plans(
    suite: Suite, specs: SpecSet, tier: str, entries: Sequence[Entry] | None
) -> dict[str, tuple[Case, ...]]:
    """Return the cases by product, less the quarantined ones.

    For all entries these are the cases of each product that a document mentions, for some of them
    those that they are tried on.
    """
    store = CoveringStore.of(suite)
    operators = None if entries is None else sorted({name for e in entries for name in e.tried_on})
    wanted = specs.products if entries is None else {entry.product for entry in entries}
    return {
        product: tuple(
            case
            for case in plan(specs, product, tier, operators, store)
            if specs.quarantine.entry_of(case.id) is None
        )
        for product in specs.products
        if product in wanted and any(spec.mentions(product) for spec in specs.tested)
    }


def _build(suite: Suite) -> _Plant:
    compiler = find_compiler()
    toolkit = build_simulator(suite, compiler)
    programs = build_programs(suite, compiler, toolkit)
    parts = build_parts(suite, compiler)
    return _Plant(suite, toolkit, parts, programs, suite.cache / "data")


def _provide(
    plant: _Plant, specs: SpecSet, plans: Mapping[str, tuple[Case, ...]], progress: Progress
) -> dict[str, dict[str, DataReference]]:
    """Make the data of all cases; return their references by product and case id."""
    progress.stage("data", sum(map(len, plans.values())))
    store = DataStore(plant.store)
    found, done = {}, 0
    for product, cases in plans.items():
        found[product] = store.provide(specs, cases)
        done += len(cases)
        progress.step(done)
    return found


Item = TypeVar("Item")


def _part(whole: Mapping[str, Item], cases: Sequence[Case]) -> dict[str, Item]:
    """Return what belongs to some cases."""
    return {case.id: whole[case.id] for case in cases}


def _try_unharmed(
    plant: _Plant,
    plans: Mapping[str, tuple[Case, ...]],
    data: Mapping[str, Mapping[str, DataReference]],
    tier: str,
    progress: Progress,
    jobs: int,
) -> dict[str, dict[str, TriedCase]]:
    """Run everything on the device without a fault; return what it did, by product and case.

    Raises:
        NotTrustworthyError: A case does not pass; a fault could not be told from it.
    """
    tasks = [
        _Task(plant, product, own, _part(data[product], own), {}, tier)
        for product, cases in plans.items()
        for own in _by_operator(cases)
    ]
    tasks.sort(key=lambda task: -task.size)
    known: dict[str, dict[str, TriedCase]] = {product: {} for product in plans}
    progress.stage("unharmed", len(tasks))
    for number, done in enumerate(spread(_try_without, tasks, jobs, _KILLED)):
        known[tasks[number].product].update(done)
        progress.step(number + 1)
    return known


def _require_green(product: str, verdicts: Iterable[CaseVerdict]) -> None:
    for verdict in verdicts:
        if not _passes(verdict):
            raise NotTrustworthyError(
                f"{verdict.case} does not pass on the unharmed device ({product}): "
                f"{verdict.verdict.value}, {verdict.message}; mend that first"
            )


def _by_operator(cases: Sequence[Case]) -> Iterator[tuple[Case, ...]]:
    for operator in dict.fromkeys(case.operator for case in cases):
        yield tuple(case for case in cases if case.operator == operator)


def _chunks(
    plans: Mapping[str, tuple[Case, ...]], entries: Sequence[Entry]
) -> Iterator[tuple[str, tuple[Case, ...], tuple[Entry, ...]]]:
    """Yield products, cases, and a few devices that are to be tried with just these cases."""
    groups: dict[tuple[str, tuple[str, ...]], list[Entry]] = {}
    for entry in entries:
        groups.setdefault((entry.product, entry.tried_on), []).append(entry)
    for (product, operators), group in groups.items():
        cases = tuple(case for case in plans[product] if case.operator in operators)
        for start in range(0, len(group), _DEVICES_AT_A_TIME):
            yield product, cases, tuple(group[start : start + _DEVICES_AT_A_TIME])


def _try_without(task: _Task) -> dict[str, TriedCase]:
    bench = task.bench()
    done = bench.try_device(task.plant.toolkit)
    _require_green(task.product, bench.verdicts(done, task.tier))
    return done


def _try(task: _Task) -> tuple[Trial, ...]:
    bench = task.bench()
    return tuple(_try_one(task, bench, entry) for entry in task.devices)


def _try_one(task: _Task, bench: Bench, entry: Entry) -> Trial:
    started = time.monotonic()
    verdicts: tuple[CaseVerdict, ...] = ()
    cases: tuple[Case, ...] = ()
    left_open = ""
    try:
        toolkit = build_faulty(task.plant.suite, task.plant.parts, entry.change)
    except NotTrustworthyError as error:
        left_open = str(error)
    else:
        done = bench.try_device(toolkit, first=task.first and entry.kind == "fault")
        cases = tuple(case for case in task.cases if case.id in done)
        verdicts = bench.verdicts(done, task.tier)
    trial = Trial(entry, len(task.cases), time.monotonic() - started, left_open=left_open)
    if entry.kind == "variant":
        return replace(trial, not_passed=tuple(found for found in verdicts if not _passes(found)))
    if not verdicts:
        return trial
    unharmed = {name: known.verdict for name, known in task.known.items()}
    unknown = [found for found in verdicts if found.verdict.proves_nothing]
    return replace(
        trial,
        notices=notices_of(cases, unharmed, verdicts),
        left_open=f"{unknown[0].case}: {unknown[0].message}" if unknown else "",
    )


def _passes(found: CaseVerdict) -> bool:
    """Whether a case says nothing against the device."""
    return not (found.verdict.breaks_promise or found.verdict.proves_nothing)
