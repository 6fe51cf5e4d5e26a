# SPDX-License-Identifier: Apache-2.0
"""The C++ half: mutants of the simulated operators against the smoke and the standard tier."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import multiprocessing
import resource
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.judge.records import Evidence, Unrecorded
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.planner import plan
from aclnn_cts.qualify.trials import Bench, TriedCase
from aclnn_cts.run.build import build_parts, build_programs, build_simulator, find_compiler
from aclnn_cts.run.events import OutputEvent
from aclnn_cts.run.fault_injection import Change, link_faulty
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.editions import CURRENT
from aclnn_cts.spec.loading import SpecSet, editions_of, load_specs
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.suite import Suite
from tools.mutation import mutants
from tools.mutation.cpp_mutants import in_random_order, mutants_of
from tools.mutation.mutants import Mutant
from tools.mutation.random_calls import random_calls
from tools.mutation.subjects import CPP

SEED = 2026
"""Decides the sample of mutants and the random calls."""

RANDOM_CALLS = 1200
"""Random calls of an operator where results differ; a quarter of it elsewhere."""

_FIRST_PRODUCT = "atlas-a2"
_FIRST_CALLS = 8
"""Calls that are made first: most mutants are noticed by any call, and crash in each."""

_UNPROMISED = {"case", "microseconds", "device_microseconds", "message", "workspace", "offset"}
"""Fields of an event that are not results: times, words, the requested size, places in files."""

_MEMORY = 4 << 30
"""Bytes of data that a process may ask for."""


@dataclass(frozen=True)
class Stage(Bench):
    """Calls of one product and edition that are made together.

    Attributes:
        name: Tier, product and edition.
        judged: Whether a verdict decides; else any result that is not the unharmed device's does.
    """

    name: str = ""
    judged: bool = True

    def after(self, toolkit: Toolkit) -> Stage:
        """Return the stage with what the unharmed device did, which is right by `qualify`."""
        return replace(self, known=self.try_device(toolkit))

    def first_difference(self, toolkit: Toolkit) -> str:
        """Return the first call that tells a device from the unharmed one; empty if none does."""
        for name, tried in self.try_device(toolkit).items():
            verdict = tried.verdict.verdict
            red = verdict.breaks_promise or verdict.proves_nothing
            if red if self.judged else tried.fingerprint != self.known[name].fingerprint:
                return name
        return ""

    def judge_one(self, case: Case, found: Evidence | Unrecorded) -> TriedCase:
        """Return the verdict on a case; a pass where only its results are asked for."""
        if isinstance(found, Unrecorded) or (self.judged and self.known):
            return super().judge_one(case, found)
        passed = CaseVerdict(case.id, case.operator, Verdict.PASS, (), ())
        return TriedCase(passed, self.fingerprint(case, found))

    def fingerprint(self, case: Case, found: Evidence) -> str:
        """Return a digest of statuses, memory, and all bits of outputs."""
        digest = hashlib.sha256(f"{found.record.ended} {found.record.begun}".encode())
        for event in found.record.events:
            digest.update(event.model_dump_json(exclude=_UNPROMISED).encode())
            if isinstance(event, OutputEvent):
                with found.outputs.open("rb") as outputs:
                    outputs.seek(event.offset)
                    data = outputs.read(event.bytes)
                digest.update(_with_one_nan(case.tensor(event.tensor), data))
        return digest.hexdigest()


def _with_one_nan(tensor: TensorCase, data: bytes) -> bytes:
    """Return an output's bytes, all NaN as one: the compiler chooses their sign and payload."""
    kind = tensor.data_type.numpy
    if tensor.data_type.floating is None or len(data) % kind.itemsize:
        return data
    values = np.frombuffer(data, kind).copy()
    values[np.isnan(values)] = np.nan
    return values.tobytes()


@dataclass(frozen=True)
class Plant:
    """What all mutants share: the unharmed device's parts, and the stages of each operator."""

    suite: Suite
    parts: Path
    stages: Mapping[str, tuple[Stage, ...]]


def run(suite: Suite, files: Sequence[str], store: Path, processes: int, minutes: float) -> None:
    """Find out what becomes of as many mutants as time allows; what is known already is kept.

    Args:
        suite: The suite.
        files: Sources below the root of the suite.
        store: Where outcomes are kept.
        processes: How many mutants are tried at a time.
        minutes: After so long no further mutant is begun.
    """
    outcomes = store / "cpp.jsonl"
    earlier = mutants.read(outcomes)
    ordered = [
        pair for file in files for pair in in_random_order(mutants_of(suite.root, file), SEED)
    ]
    missing = [m for _, m in sorted(ordered, key=_share) if m.digest not in earlier]
    print(f"{len(ordered)} mutants, {len(missing)} to try", flush=True)
    plant = _prepare(suite, dict.fromkeys(CPP[file] for file in files))
    for file in files:
        _unharmed_libraries(
            suite, plant.parts, file
        )  # else nothing would compile, and all pass for that
    end = time.monotonic() + 60 * minutes
    fork = multiprocessing.get_context("fork")  # what is prepared is shared
    shares = [missing[number::processes] for number in range(processes)]
    workers = [fork.Process(target=_work, args=(plant, share, outcomes, end)) for share in shares]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if any(worker.exitcode for worker in workers):
        raise RuntimeError("a worker died, and its share was not tried; run the command again")


def _share(pair: tuple[float, Mutant]) -> float:
    return pair[0]


def _prepare(suite: Suite, operators: Iterable[str]) -> Plant:
    """Build what is unharmed, make the data, and note what comes back from each call."""
    compiler = find_compiler()
    programs = build_programs(suite, compiler, build_simulator(suite, compiler))
    parts = build_parts(suite, compiler)
    # Compiled as the mutants are.
    toolkit = Toolkit(_as_toolkit(parts, suite.cache / "mutation"), "simulator", "unharmed")
    stages = {}
    for name in operators:
        stages[name] = tuple(stage.after(toolkit) for stage in _stages(suite, programs, name))
        listed = ", ".join(f"{stage.name} {len(stage.cases)}" for stage in stages[name])
        print(f"{name}: {listed}", flush=True)
    return Plant(suite, parts, stages)


def _as_toolkit(parts: Path, folder: Path) -> Path:
    """Return a folder in which the libraries of a build tree stand where a toolkit's do."""
    folder = folder / parts.name
    (folder / "lib64").mkdir(parents=True, exist_ok=True)
    for library in parts.glob("*.so"):
        shutil.copy(library, folder / "lib64")
    return folder


def _stages(suite: Suite, programs: Path, operator: str) -> Iterator[Stage]:
    """Yield the stages in the order in which they are tried: cheap ones first, random ones last."""
    store, results = suite.cache / "data", suite.cache / "mutation" / "results"
    for tier in ("smoke", "standard", "random"):
        for edition in editions_of(suite):
            specs = load_specs(suite, edition)
            spec = specs.operator(operator)
            products = [name for name in specs.products if spec.mentions(name)]
            for product in sorted(products, key=lambda name: name != _FIRST_PRODUCT):
                if tier == "standard" and not _differs(spec, product):
                    continue
                cases = tuple(_cases(suite, specs, spec, product, tier))
                if not cases:
                    continue
                data = DataStore(store).provide(specs, cases)
                name = f"{tier}, {product}" + ("" if edition == CURRENT else f", {edition}")
                stage = Stage(specs, product, cases, programs, store, results, data)
                stage = replace(stage, name=name, judged=tier != "random")
                if name == f"smoke, {_FIRST_PRODUCT}":
                    first = cases[:: max(1, len(cases) // _FIRST_CALLS)]
                    yield replace(stage, name=f"{name} (first)", cases=first)
                yield stage


def _differs(spec: OperatorSpec, product: str) -> bool:
    """Whether the standard tier of a product asks for other results than the first product's."""
    return product == _FIRST_PRODUCT or bool(spec.computes_in.get(product))


def _cases(
    suite: Suite, specs: SpecSet, spec: OperatorSpec, product: str, tier: str
) -> Iterable[Case]:
    if tier == "random":
        all_of_them = specs.edition == CURRENT and _differs(spec, product)
        count = RANDOM_CALLS if all_of_them else RANDOM_CALLS // 4
        return random_calls(spec, specs.product(product), count, SEED)
    planned = plan(specs, product, tier, [spec.operator], PlanCache.of(suite))
    # What the tiers before hold is not run again.
    return (case for case in planned if case.tier == tier)


def _work(plant: Plant, share: Sequence[Mutant], outcomes: Path, end: float) -> None:
    """Try mutants until time is up."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    for mutant in share:
        if time.monotonic() > end:
            return
        started = time.monotonic()
        outcome, by = try_one(plant, mutant)
        mutants.add(outcomes, mutants.outcome_of(mutant, outcome, by, time.monotonic() - started))


def try_one(plant: Plant, mutant: Mutant) -> tuple[str, str]:
    """Return what becomes of a mutant, and what noticed it (or in which call it differs)."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        library = _link(plant, mutant.file, mutant.source, Path(folder))
        if library is None:
            return "uncompiled", ""
        if library == _unharmed_libraries(plant.suite, plant.parts, mutant.file):
            return "same-code", ""
        toolkit = Toolkit(Path(folder), "simulator", mutant.digest)
        for stage in plant.stages[CPP[mutant.file]]:
            if by := stage.first_difference(toolkit):
                return "killed" if stage.judged else "survived", f"{stage.name}: {by}"
        return "equivalent", ""


def _link(plant: Plant, file: str, text: str, folder: Path) -> bytes | None:
    """Link a device with another text of a source; None if it does not compile."""
    change = Change("mutant", {file.removeprefix("simulator/"): text})
    with contextlib.suppress(NotTrustworthyError):
        link_faulty(plant.parts, change, folder)
        libraries = sorted((folder / "lib64").glob("*.so"))
        return b"".join(library.read_bytes() for library in libraries)
    return None


@functools.lru_cache(maxsize=8)
def _unharmed_libraries(suite: Suite, parts: Path, file: str) -> bytes:
    """Return the libraries that the unchanged text of a source gives.

    Raises:
        NotTrustworthyError: It does not compile.
    """
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        plant = Plant(suite, parts, {})
        library = _link(plant, file, (suite.root / file).read_text(), Path(folder))
    if library is None:
        raise NotTrustworthyError(f"{file} does not compile as it is")
    return library
