# SPDX-License-Identifier: Apache-2.0
"""Shards: parts of a run on hosts without a common cluster, and their merger."""

from __future__ import annotations

import hashlib
import heapq
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from aclnn_cts.emit.data_files import DataReference, DataStore
from aclnn_cts.errors import NotTrustworthyError, WrongInputError, counted
from aclnn_cts.files import explain
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.environment import require_same_libraries
from aclnn_cts.run.executor import batches_of, cost_of
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.run.folder_lock import claim, clear, withdraw
from aclnn_cts.run.planned_cases import PlannedCase, PlannedCases
from aclnn_cts.run.process import ProcessFiles, ProgramRun
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite

_SHARD = re.compile(r"(?P<number>[0-9]{1,4})/(?P<of>[0-9]{1,4})")


@dataclass(frozen=True)
class Shard:
    """One of several parts of a run.

    Attributes:
        number: From 1.
    """

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Return the shard that ``3/16`` names; WrongInputError if it names none."""
        match = _SHARD.fullmatch(text)
        shard = cls(int(match["number"]), int(match["of"])) if match else cls(0, 0)
        if not 1 <= shard.number <= shard.of:
            raise WrongInputError(
                f"--shard: {text!r} is not a shard; write 3/16 for the third of 16"
            )
        return shard

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def cases_of(self, cases: Sequence[Case]) -> tuple[Case, ...]:
        """Return this shard's cases, in their order.

        Each case, the most expensive first, goes to the shard with the lowest cost so far. This
        depends only on the cases, so all hosts compute the same shards.

        Raises:
            WrongInputError: There are fewer cases than shards.
        """
        if len(cases) < self.of:
            raise WrongInputError(f"--shard {self}: there is only {counted(len(cases), 'case')}")
        loads = [(0, number) for number in range(1, self.of + 1)]
        case_ids: set[str] = set()
        for case in sorted(cases, key=lambda case: (-cost_of(case), case.id)):
            load, number = loads[0]
            heapq.heapreplace(loads, (load + cost_of(case), number))
            if number == self.number:
                case_ids.add(case.id)
        return tuple(case for case in cases if case.id in case_ids)


def digest_of_plan(cases: Sequence[Case]) -> str:
    """Return a digest of the ids of all shards' cases."""
    return hashlib.sha256("\n".join(sorted(case.id for case in cases)).encode()).hexdigest()


def all_shards(runs: Sequence[RunFolder]) -> tuple[RunFolder, ...]:
    """Return the shards of a run in their order.

    Raises:
        WrongInputError: A folder is not a shard.
        NotTrustworthyError: A shard is missing or duplicate, or they are not of one run.
    """
    if other := next((run for run in runs if not run.config.shard), None):
        raise WrongInputError(f"{other.path}: is not a shard; it was run without --shard")
    ordered = sorted(runs, key=lambda run: Shard.parse(run.config.shard).number)
    _require_one_run(ordered)
    _require_all(ordered)
    return tuple(ordered)


def merge(
    runs: Sequence[RunFolder], folder: Path, suite: Suite, specs: SpecSet, plan: Sequence[Case]
) -> RunFolder:
    """Make one results folder of those of all shards of a run; nothing is judged.

    Args:
        runs: What :func:`all_shards` returned.
        specs: In their edition.
        plan: The cases of their product and tier, in the order of the merged run.

    Raises:
        WrongInputError: The new folder cannot be written to.
        NotTrustworthyError: The shards do not hold all cases, or this host makes different input
            data.
    """
    first = runs[0]
    case_ids = {case.id for run in runs for case in run.cases}
    cases = [case for batch in batches_of(plan) for case in batch.cases if case.id in case_ids]
    if digest_of_plan(cases) != first.config.plan_sha256:
        raise NotTrustworthyError(
            f"{first.path}: the shards do not hold all cases of their run; run them again"
        )
    with claim(folder):
        withdraw(folder)
        left_out = {name: reason for run in runs for name, reason in run.left_out.items()}
        store = suite.cache / "data"
        due = [case for case in cases if case.id not in left_out]
        references = DataStore(store).provide(specs, due)
        for run in runs:
            _require_same_data(run, references)
        clear(folder)
        try:
            programs = [program for run in runs for program in _copy_processes(run, folder)]
        except OSError as error:
            raise explain(error, folder) from None
        merged = replace(
            first,
            path=folder,
            cases=PlannedCases.pack(PlannedCase(case, references.get(case.id)) for case in cases),
            programs=(),
            store=store,
            left_out=left_out,
            specs={name: digest for run in runs for name, digest in run.specs.items()},
            started=min(run.started for run in runs),
            environment=replace(
                first.environment,
                host=", ".join(dict.fromkeys(run.environment.host for run in runs)),
                devices=(),
            ),
            config=replace(first.config, devices=(), shard="", plan_sha256=""),
            nonce=hashlib.sha256("".join(run.nonce for run in runs).encode()).hexdigest()[:32],
        ).with_programs(programs)
        merged.save()
    return merged


def _require_same_data(run: RunFolder, references: Mapping[str, DataReference]) -> None:
    for operator in run.cases.operators:
        for name, planned in run.cases.of(operator).items():
            if planned.data is not None and planned.data != references[name]:
                raise NotTrustworthyError(
                    f"{run.path}: the input data of {name} differ from those that this host makes; "
                    "merge on the host that ran the shard"
                )


def _require_all(runs: Sequence[RunFolder]) -> None:
    """Raise NotTrustworthyError unless each shard is given once."""
    of = Shard.parse(runs[0].config.shard).of
    numbers = Counter(Shard.parse(run.config.shard).number for run in runs)
    if duplicates := [number for number, count in numbers.items() if count > 1]:
        places = [str(run.path) for run in runs if run.config.shard == f"{duplicates[0]}/{of}"]
        raise NotTrustworthyError(
            f"shard {duplicates[0]}/{of} is given {len(places)} times: {', '.join(places)}; "
            "give each shard once"
        )
    if missing := [str(number) for number in range(1, of + 1) if number not in numbers]:
        raise NotTrustworthyError(
            f"{len(numbers)} of {of} shards are given; missing: {', '.join(missing)}; "
            "run these, too"
        )


def _require_one_run(runs: Sequence[RunFolder]) -> None:
    """Raise NotTrustworthyError unless all shards are of one run on one release."""
    first = runs[0]
    for other in runs[1:]:
        for (name, one), (_, two) in zip(_facts(first), _facts(other), strict=True):
            if one != two:
                raise NotTrustworthyError(
                    f"{first.path} and {other.path} are not shards of one run: {name} is {one!r} "
                    f"in one and {two!r} in the other"
                )
        require_same_libraries(first.environment, other.environment)


def _facts(run: RunFolder) -> Iterator[tuple[str, object]]:
    """Yield the facts that must agree in all shards."""
    yield "the number of shards", Shard.parse(run.config.shard).of
    for name in ("tier", "standard", "edition"):
        yield f"the {name}", getattr(run, name)
    yield from ((f"the device's {name}", value) for name, value in asdict(run.device).items())
    yield "the operator folders", [each.sha256 for each in run.folders]
    yield "--timings", run.config.timings
    yield "--sanitize", run.config.sanitize
    yield "the plan", run.config.plan_sha256


def _copy_processes(run: RunFolder, folder: Path) -> Iterator[ProgramRun]:
    """Copy the files of a shard's processes; yield the processes with their new names."""
    suffix = f"-shard{Shard.parse(run.config.shard).number:03}"
    for program in run.programs:
        name = f"{program.name}{suffix}"
        old, new = ProcessFiles.of(run.path, program.name), ProcessFiles.of(folder, name)
        for source, copy in zip(vars(old).values(), vars(new).values(), strict=True):
            copy.parent.mkdir(exist_ok=True)
            if source.is_file():
                shutil.copyfile(source, copy)
        moved = replace(
            program,
            events=new.events,
            outputs=new.outputs,
            batch=f"{program.batch}{suffix}",
            nonce=program.nonce or run.nonce,
            host=program.host or run.environment.host,
        )
        if program.verdicts_sha256:
            moved.verdicts.parent.mkdir(exist_ok=True)
            shutil.copyfile(program.verdicts, moved.verdicts)
        yield moved
