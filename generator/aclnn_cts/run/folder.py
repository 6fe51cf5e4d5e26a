# SPDX-License-Identifier: Apache-2.0
"""The results folder: options, environment and records of a run.

run.json             what is run: suite, device, configuration, and what the next file holds
plan.msgpack.gz       the cases, and where their data are
journal.jsonl        what ran: a line for each process, and a last one when all is done
cases/*.txt          the case files that the programs read
events/*.jsonl       what they recorded
outputs/*.bin        the outputs, view elements in row-major order
verdicts/*.json.gz   the verdicts on cases whose outputs are not in the folder
results.json         the verdicts; junit.xml, report.html and summary.md, too

A compact folder, see :mod:`aclnn_cts.judge.compaction`, has cases/*.txt.gz, events/*.jsonl.gz, and
outputs/*.kept without the outputs of cases that passed.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from aclnn_cts import __version__
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.files import replacing, write_text
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.environment import Environment, Library
from aclnn_cts.run.executor import CASES_PER_BATCH, Batch, batches_of
from aclnn_cts.run.folder_lock import FORMAT, LOCK_FILE, reading
from aclnn_cts.run.journal import (
    PLAN_FILE,
    RUN_FILE,
    Journaled,
    ReachedDevice,
    damaged,
    read_journal,
    write_journal,
)
from aclnn_cts.run.operator_folders import recorded_folders, specs_options, with_recorded_folders
from aclnn_cts.run.planned_cases import PlannedCases
from aclnn_cts.run.process import ProgramRun
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.schedule import COMPARED
from aclnn_cts.spec.editions import CURRENT
from aclnn_cts.spec.loading import editions_of, load_specs
from aclnn_cts.spec.parts import changed_part
from aclnn_cts.suite import OperatorFolder, Suite, find_suite
from aclnn_cts.validation_messages import MALFORMED, damage_of, read_json


@dataclass(frozen=True)
class Device:
    """The device that ran the programs.

    Attributes:
        kind: ``simulator`` or ``hardware``.
        product: The product whose promises are tested.
        soc: The result of aclrtGetSocName.
        cann: The CANN version, if the toolkit states one.
        fault: Id of the fault that the simulated device was given; empty for an unharmed one.
        variant: Id of the variant that the simulated device was; empty for the usual one.
    """

    kind: str
    product: str
    soc: str
    cann: str
    fault: str = ""
    variant: str = ""

    @property
    def changed(self) -> str:
        """The change of the simulated device, such as ``fault ID``; empty for none."""
        return f"fault {self.fault}" if self.fault else self.variant and f"variant {self.variant}"


@dataclass(frozen=True)
class RunFolder:
    """A results folder as ``run.json`` describes it.

    Attributes:
        specs_sha256: Digest of all specs, only for information.
        specs: Digests of the parts of the specs that its operators depend on, by name.
        programs: The processes that ran, in the order of their batches.
        state: ``running`` until the run came to its end.
        edition: The edition of the documents whose promises the cases test.
        started: When the run began, UTC, in ISO 8601; only for information.
        nonce: The nonce that the programs repeat in their events.
        left_out: The reasons for skipped cases, by case id.
        folders: The operator folders beside the suite.
    """

    path: Path
    suite_version: str
    specs_sha256: str
    specs: Mapping[str, str]
    device: Device
    tier: str
    standard: str
    cases: PlannedCases
    programs: tuple[ProgramRun, ...]
    state: Literal["running", "complete"]
    store: Path
    edition: str = CURRENT
    started: str = ""
    environment: Environment = field(default_factory=Environment)
    config: RunConfig = field(default_factory=RunConfig)
    nonce: str = ""
    left_out: Mapping[str, str] = field(default_factory=dict)
    folders: tuple[OperatorFolder, ...] = ()

    def due(self, operator: str) -> tuple[Case, ...]:
        """Return the cases of an operator without skipped ones."""
        planned = self.cases.of(operator).values()
        return tuple(each.case for each in planned if each.case.id not in self.left_out)

    @property
    def batches(self) -> Iterator[Batch]:
        """The cases that are run, shared out."""
        for operator in self.cases.operators:
            yield from batches_of(self.due(operator))

    def save(self) -> None:
        """Write plan, ``run.json`` and journal; raises as :func:`aclnn_cts.files.replacing`."""
        is_complete = self.state == "complete"
        device = ReachedDevice(self.device.soc, self.device.cann) if is_complete else None
        data = {
            "format": FORMAT,
            "suite": {
                "version": self.suite_version,
                "specs_sha256": self.specs_sha256,
                "specs": dict(self.specs),
                "folders": [folder.recorded for folder in self.folders],
            },
            "device": asdict(self.device),
            "tier": self.tier,
            "standard": self.standard,
            "edition": self.edition,
            "asked": asdict(self.config),
            "started": self.started,
            "nonce": self.nonce,
            "environment": asdict(self.environment),
            "store": str(self.store),
            "left_out": dict(self.left_out),
            "cases": self.cases.index(),
        }
        text = json.dumps(data) + "\n"
        with replacing(self.path / PLAN_FILE) as file:
            file.writelines(portion.content for portion in self.cases.portions)
        write_journal(self.path, Journaled(self.programs, device), text.encode())
        write_text(self.path / RUN_FILE, text)

    def complete(self, reached: ReachedDevice) -> RunFolder:
        device = replace(self.device, soc=reached.soc, cann=reached.cann)
        return replace(self, device=device, state="complete")

    def with_programs(self, programs: Iterable[ProgramRun]) -> RunFolder:
        """Return the run with further processes, sorted by name and not by time."""
        place = {operator: number for number, operator in enumerate(self.cases.operators)}

        def key(program: ProgramRun) -> tuple[int, int, str, int]:
            if program.purpose != "batch":
                # Reruns stay in the order of time.
                return len(place), 0, "", 0
            name = program.batch
            return place.get(program.operator, len(place)), len(name), name, program.part

        return replace(self, programs=tuple(sorted((*self.programs, *programs), key=key)))


def suite_of(path: Path, user_folders: Sequence[Path] = ()) -> Suite:
    """Return the suite with the operator folders of a results folder.

    Args:
        path: The results folder; it is checked when it is opened.
        user_folders: The operator folders that the user names.

    Raises:
        NotTrustworthyError: An operator folder has changed.
        WrongInputError: The run has operator folders and none is named, or they cannot be read.
    """
    try:
        # reading a pipe would wait forever
        file = path / RUN_FILE
        data = read_json(file.read_text(encoding="utf-8") if file.is_file() else "")
        folders, parts = recorded_folders(data["suite"]["folders"]), dict(data["suite"]["specs"])
    except (OSError, *MALFORMED):
        folders, parts = (), {}
    return with_recorded_folders(find_suite(), folders, parts, path, user_folders)


def open_run(path: Path, suite: Suite) -> RunFolder:
    """Read the results folder of a complete run.

    Raises:
        WrongInputError: It is not a results folder.
        NotTrustworthyError: It is empty, incomplete, damaged, modified, being written, or was made
            with another version of the suite or its specs.
    """
    run = open_interrupted(path, suite)
    if run.state != "complete":
        raise NotTrustworthyError(
            f"{path}: the run was interrupted and is incomplete; "
            f"finish it with `{resume_command(path, run.folders)}`"
        )
    return run


def resume_command(path: Path, folders: Iterable[OperatorFolder] = ()) -> str:
    """Return the command that finishes the interrupted run in a results folder.

    Args:
        folders: The operator folders of the run.
    """
    command = f"aclnn-cts run --resume --results {shlex.quote(str(path))}"
    return f"{command} {specs_options(folders)}".rstrip()


def open_interrupted(path: Path, suite: Suite) -> RunFolder:
    """Read the results folder of an interrupted or complete run; raises as open_run."""
    if not path.exists():
        raise WrongInputError(f"{path}: there is no such results folder")
    if not path.is_dir():
        raise WrongInputError(f"{path}: is not a folder; give the results folder of a run")
    with reading(path):
        return open_begun(path, suite)


def open_begun(path: Path, suite: Suite) -> RunFolder:
    """Read a locked results folder of a complete or interrupted run.

    Raises:
        NotTrustworthyError: As for :func:`open_run`.
        WrongInputError: It is not a results folder.
    """
    file = path / RUN_FILE
    if not file.is_file():
        if (path / LOCK_FILE).is_file() or not any(path.iterdir()):
            raise NotTrustworthyError(f"{path}: holds no results; run `aclnn-cts run` first")
        raise WrongInputError(f"{path}: is not a results folder: {RUN_FILE} is missing")
    run = read_run(path)
    _check(run, suite)
    return run


def read_run(path: Path) -> RunFolder:
    """Read a results folder's record, of any suite and specs.

    Raises:
        NotTrustworthyError: It is damaged.
    """
    file = path / RUN_FILE
    try:
        data = read_json(file.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise NotTrustworthyError(
                f"{file}: has the format {data['format']!r}, not {FORMAT!r}; "
                "judge with the suite that made it, or run again"
            )
        journaled = read_journal(path)
        run = RunFolder(
            path=path,
            suite_version=data["suite"]["version"],
            specs_sha256=data["suite"]["specs_sha256"],
            specs=dict(data["suite"]["specs"]),
            device=Device(**data["device"]),
            tier=data["tier"],
            standard=data["standard"],
            cases=PlannedCases.read(path / PLAN_FILE, data["cases"]),
            programs=(),
            state="running",
            store=Path(data["store"]),
            edition=data["edition"],
            started=data["started"],
            environment=_environment(data["environment"]),
            config=RunConfig(**{**data["asked"], "devices": tuple(data["asked"]["devices"])}),
            nonce=data["nonce"],
            left_out=dict(data["left_out"]),
            folders=recorded_folders(data["suite"]["folders"]),
        ).with_programs(journaled.programs)
        return run if journaled.found is None else run.complete(journaled.found)
    except (OSError, *MALFORMED) as error:
        raise damaged(file, damage_of(error)) from None


def _environment(data: Mapping[str, Any]) -> Environment:
    libraries = tuple(Library(**library) for library in data["libraries"])
    return Environment(**{**data, "devices": tuple(data["devices"]), "libraries": libraries})


def require_suite(
    what: str, version: str, parts: Mapping[str, str], suite: Suite, otherwise: str
) -> None:
    """Refuse what was made by another version of the suite, or with other specs of its operators.

    Args:
        what: What was made, for the message.
        parts: The recorded digests of the specs that it depends on.
        otherwise: What to do if that suite is gone.

    Raises:
        NotTrustworthyError: The version or a part differs.
    """
    changed = changed_part(suite, load_specs(suite), parts)
    if version != __version__ or changed:
        why = f"the specs have changed since ({changed})" if changed else f"this is {__version__}"
        raise NotTrustworthyError(
            f"{what}: made with suite {version}; {why}: judge with that suite, or {otherwise}"
        )


def _check(run: RunFolder, suite: Suite) -> None:
    require_suite(str(run.path), run.suite_version, run.specs, suite, "run again")
    if run.edition != CURRENT and run.edition not in editions_of(suite):
        raise damaged(run.path / RUN_FILE, f"unknown edition {run.edition!r}")
    altered = next(filter(None, (program.find_altered() for program in run.programs)), None)
    if altered is not None:
        how = "has changed since the run" if altered.exists() else "is missing"
        raise NotTrustworthyError(f"{altered}: {how}; run it again")
    if not run.cases:
        raise NotTrustworthyError(f"{run.path}: holds no cases; nothing was tested")
    if (stranger := _stranger(run)) is not None:
        raise NotTrustworthyError(
            f"{stranger.events}: does not belong to this run, whose plan starts no such process "
            f"(batch {stranger.batch!r} of {stranger.operator}); run it again"
        )


_BATCH = re.compile(
    rf"(?P<operator>\w+)-(?P<number>\d{{3,}})((\.\d+)?{COMPARED})?(-shard\d{{3,}})?", re.ASCII
)


def _stranger(run: RunFolder) -> ProgramRun | None:
    """Return the first process that no run of the plan would have started."""
    counts = {each.operator: -(-each.cases // CASES_PER_BATCH) for each in run.cases.portions}
    names: set[Path] = set()
    for program in run.programs:
        batch = _BATCH.fullmatch(program.batch)
        planned = program.operator in counts and (
            program.purpose in ("alone", "company")
            or (
                batch is not None
                and batch["operator"] == program.operator
                and int(batch["number"]) < counts[program.operator]
            )
        )
        if not planned or program.events in names:
            return program
        names.add(program.events)
    return None
