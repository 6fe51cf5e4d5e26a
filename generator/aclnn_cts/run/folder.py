# SPDX-License-Identifier: Apache-2.0
"""The results folder: what was asked for, what ran, and where its records stand.

run.json             suite, device, cases, programs; its state says whether the run came to its end
cases/*.txt          the case files that the programs read
events/*.jsonl       what they recorded
outputs/*.bin        the outputs, view elements in row-major order
results.json         the verdicts; junit.xml, too
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from aclnn_cts import __version__
from aclnn_cts.emit.data_files import DataReference, PayloadField
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.files import sha256_of, write_text
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.serialise import case_from_json, case_to_json
from aclnn_cts.run.claim import FORMAT, RUN_FILE, reading, was_claimed
from aclnn_cts.spec.edition_models import CURRENT
from aclnn_cts.spec.loading import editions_of, specs_digest
from aclnn_cts.suite import Suite


@dataclass(frozen=True)
class Device:
    """The device that ran the programs.

    Attributes:
        kind: ``simulator`` or ``hardware``.
        product: The product whose promises the cases test.
        soc: What aclrtGetSocName said.
        cann: The CANN version, as far as the toolkit tells it.
        fault: Id of the fault that the simulated device was given; empty for an unharmed one.
    """

    kind: str
    product: str
    soc: str
    cann: str
    fault: str = ""


@dataclass(frozen=True)
class ProgramRun:
    """One process that ran cases of one operator.

    Attributes:
        operator: The operator.
        exit_code: The exit code; negative for the signal that ended the process.
        timed_out: Whether it was ended because nothing happened for too long.
        seconds: Wall time.
        stderr: The end of what it wrote on standard error.
        events: Its events file.
        outputs: Its outputs file.
        events_sha256: The events file's digest at the end of the process; empty if there is none.
        outputs_sha256: The same of the outputs file.
    """

    operator: str
    exit_code: int | None
    timed_out: bool
    seconds: float
    stderr: str
    events: Path
    outputs: Path
    events_sha256: str = ""
    outputs_sha256: str = ""

    def altered(self) -> Path | None:
        """Return a file that is not what the process left, if there is one."""
        left = ((self.events, self.events_sha256), (self.outputs, self.outputs_sha256))
        return next((path for path, digest in left if digest and digest_of(path) != digest), None)


@dataclass(frozen=True)
class RunFolder:
    """A results folder as ``run.json`` describes it.

    Attributes:
        path: The folder.
        suite_version: Version of the suite that made it.
        specs_sha256: Digest of its specs.
        device: The device.
        tier: The tier that was asked for.
        standard: The standard that gates the verdicts.
        cases: All planned cases.
        programs: The processes that ran, in order.
        state: ``running`` until the run came to its end.
        store: The folder of the input data.
        references: Where each case's data stand, by case id.
        edition: The edition of the documents whose promises the cases test.
    """

    path: Path
    suite_version: str
    specs_sha256: str
    device: Device
    tier: str
    standard: str
    cases: tuple[Case, ...]
    programs: tuple[ProgramRun, ...]
    state: Literal["running", "complete"]
    store: Path
    references: Mapping[str, DataReference]
    edition: str = CURRENT

    def save(self) -> None:
        """Write ``run.json``; raises as :func:`aclnn_cts.files.replacing`."""
        data = {
            "format": FORMAT,
            "suite": {"version": self.suite_version, "specs_sha256": self.specs_sha256},
            "device": asdict(self.device),
            "tier": self.tier,
            "standard": self.standard,
            "edition": self.edition,
            "state": self.state,
            "store": str(self.store),
            "programs": [self._program(program) for program in self.programs],
            "data": {case_id: asdict(item) for case_id, item in self.references.items()},
            "cases": [case_to_json(case) for case in self.cases],
        }
        write_text(self.path / RUN_FILE, json.dumps(data) + "\n")

    def _program(self, program: ProgramRun) -> dict[str, Any]:
        fields = asdict(program)
        for name in ("events", "outputs"):
            fields[name] = str(fields[name].relative_to(self.path))
        return fields


def digest_of(path: Path) -> str:
    """Return the digest of a file that a program may have left; empty if it did not."""
    return sha256_of(path) if path.is_file() else ""


def open_run(path: Path, suite: Suite) -> RunFolder:
    """Read a results folder.

    Raises:
        WrongInputError: It is no results folder.
        NotTrustworthyError: It is empty, incomplete, damaged, being written, was changed since the
            run, or was made with another version of the suite or its specs.
    """
    if not path.is_dir():
        raise WrongInputError(f"{path}: there is no such results folder")
    with reading(path):
        return _open(path, suite)


def _open(path: Path, suite: Suite) -> RunFolder:
    file = path / RUN_FILE
    if not file.is_file():
        if was_claimed(path) or not any(path.iterdir()):
            raise NotTrustworthyError(f"{path}: holds no results; run `aclnn-cts run` first")
        raise WrongInputError(f"{path}: is no results folder: {RUN_FILE} is missing")
    run = _parse(path, file)
    _check(run, suite)
    return run


def _parse(path: Path, file: Path) -> RunFolder:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise NotTrustworthyError(f"{file}: has the format {data['format']!r}, not {FORMAT!r}")
        return RunFolder(
            path=path,
            suite_version=data["suite"]["version"],
            specs_sha256=data["suite"]["specs_sha256"],
            device=Device(**data["device"]),
            tier=data["tier"],
            standard=data["standard"],
            cases=tuple(case_from_json(case) for case in data["cases"]),
            programs=tuple(_program(path, program) for program in data["programs"]),
            state=data["state"],
            store=Path(data["store"]),
            references={name: _reference(item) for name, item in data["data"].items()},
            edition=data["edition"],
        )
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise NotTrustworthyError(
            f"{file}: is damaged ({type(error).__name__}: {error}); run `aclnn-cts run` again"
        ) from None


def _program(path: Path, data: Mapping[str, Any]) -> ProgramRun:
    fields = dict(data)
    for name in ("events", "outputs"):
        fields[name] = path / data[name]
    return ProgramRun(**fields)


def _reference(data: Mapping[str, Any]) -> DataReference:
    fields = {name: PayloadField(**item) for name, item in data["fields"].items()}
    return DataReference(data["path"], data["payload"], fields, data["sha256"])


def _check(run: RunFolder, suite: Suite) -> None:
    if run.state != "complete":
        raise NotTrustworthyError(
            f"{run.path}: the run was interrupted and is incomplete; run it again"
        )
    if run.suite_version != __version__ or run.specs_sha256 != specs_digest(suite):
        raise NotTrustworthyError(
            f"{run.path}: made with suite {run.suite_version}, specs {run.specs_sha256[:12]}; "
            f"this is suite {__version__}, specs {specs_digest(suite)[:12]}: "
            "judge with that suite, or run again"
        )
    if run.edition not in editions_of(suite):
        raise NotTrustworthyError(
            f"{run.path / RUN_FILE}: is damaged (no edition is named {run.edition!r}); "
            "run `aclnn-cts run` again"
        )
    altered = next(filter(None, (program.altered() for program in run.programs)), None)
    if altered is not None:
        raise NotTrustworthyError(f"{altered}: has changed since the run; run it again")
    if not run.cases:
        raise NotTrustworthyError(f"{run.path}: holds no cases; nothing was tested")
