# SPDX-License-Identifier: Apache-2.0
"""What a kit left on its host, what tells one kit from another, and how its processes ended."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.json_wording import json_damage
from aclnn_cts.judge.case_records import culprit_of
from aclnn_cts.kit.description import KIT_FILE, KitDescription, read_description
from aclnn_cts.kit.pack import PREFIX
from aclnn_cts.kit.sealing import MANIFEST
from aclnn_cts.kit.unsealing import read_sealed
from aclnn_cts.run.events import ProgramRecord
from aclnn_cts.run.process import Assignment, ProcessFiles, ProgramRun, part_of
from aclnn_cts.suite import Suite

RECORD_FILE = "record.jsonl"
VERSIONS = "versions/"
"""Where the small files stand in which toolkit, driver and firmware say their release."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class HostLine(_Line):
    """The host on which a kit ran."""

    event: Literal["host"]
    manifest_sha256: str
    host: str
    architecture: str
    compiler: str
    toolkit: str


class StartLine(_Line):
    """When the kit was first started, by the host's clock: UTC, in the form of ISO 8601."""

    event: Literal["start"]
    time: str = Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$")


class LibraryLine(_Line):
    """A library of the toolkit that the programs could be linked with."""

    event: Literal["library"]
    name: str
    path: str
    sha256: str


class ProcessLine(_Line):
    """How a process ended.

    ``about`` is the only case of a process that ran it again, alone; empty for a batch. ``culprit``
    is for readers: the case that the host's runner had run again because of this process. The
    digests are those of its files when it had ended.
    """

    event: Literal["process"]
    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    batch: str
    operator: str
    about: str = ""
    culprit: str = ""
    device: int
    exit_code: int
    timed_out: bool
    seconds: float
    stderr: str
    events_sha256: str
    outputs_sha256: str


class CutLine(_Line):
    """A case that was running when the host's run was ended, or when its end could not be noted.

    What it did then is not known: its events are gone. It ran again in the batch, and once more
    alone if a device was left for that.
    """

    event: Literal["cut"]
    case: str
    batch: str
    operator: str


_RecordLine = Annotated[
    HostLine | StartLine | LibraryLine | ProcessLine | CutLine, Field(discriminator="event")
]
_ADAPTER: TypeAdapter[_RecordLine] = TypeAdapter(_RecordLine)


@dataclass(frozen=True)
class KitIdentity:
    """What tells one kit from another.

    Attributes:
        nonce: What its events repeat.
        manifest_sha256: Digest of the list of its files.
    """

    nonce: str
    manifest_sha256: str


@dataclass(frozen=True)
class Received:
    """What a kit left.

    Attributes:
        archive: The archive.
        kit: The kit's own description.
        host: What the host says about itself.
        started: When the host first started the kit, by its own clock; empty if it does not say.
        libraries: The libraries that the programs could be linked with.
        processes: The processes that ran, in the order of the batches.
        cuts: The cases that were running when the run was ended.
        versions: The files below ``versions/``, by their names there.
        digests: Digests of all files in the archive, by name.
    """

    archive: Path
    kit: KitDescription
    host: HostLine
    started: str
    libraries: tuple[LibraryLine, ...]
    processes: tuple[ProcessLine, ...]
    cuts: tuple[CutLine, ...]
    versions: Mapping[str, bytes]
    digests: Mapping[str, str]


class _Kept(io.BytesIO):
    """What is written stays readable after it was closed."""

    content = b""

    def close(self) -> None:
        if not self.closed:
            self.content = self.getvalue()
        super().close()


def read_kit(path: Path, suite: Suite) -> KitIdentity:
    """Return what tells a kit from others, after a look at each byte of it.

    Raises:
        WrongInputError: There is no such archive.
        NotTrustworthyError: It was altered, cut off, or packed by another suite.
    """
    kept = {KIT_FILE: _Kept()}
    digests = read_sealed(path, "kit", PREFIX, kept.get)
    described = read_description(str(path), kept[KIT_FILE].content, suite)
    return KitIdentity(described.nonce, digests[MANIFEST])


def look_at(outputs: Path, suite: Suite, kit: KitIdentity | None = None) -> Received:
    """Return what a kit left, after a look at each byte of it.

    Args:
        outputs: The archive.
        suite: The suite that packed the kit.
        kit: The kit that it should come from; any of this suite if None.

    Raises:
        WrongInputError: There is no such archive.
        NotTrustworthyError: It was altered or cut off, or comes from another kit or suite.
    """
    kept = {KIT_FILE: _Kept(), RECORD_FILE: _Kept()}

    def place(name: str) -> BinaryIO | None:
        return kept.setdefault(name, _Kept()) if name.startswith(VERSIONS) else kept.get(name)

    digests = read_sealed(outputs, "outputs", "", place)
    lines = list(_lines(outputs, kept[RECORD_FILE].content))
    hosts = [line for line in lines if isinstance(line, HostLine)]
    if len(hosts) != 1:
        raise NotTrustworthyError(
            f"{outputs}: {RECORD_FILE} does not say on which host it was made"
        )
    received = Received(
        archive=outputs,
        kit=read_description(str(outputs), kept[KIT_FILE].content, suite),
        host=hosts[0],
        started=next((line.time for line in lines if isinstance(line, StartLine)), ""),
        libraries=tuple(line for line in lines if isinstance(line, LibraryLine)),
        processes=tuple(line for line in lines if isinstance(line, ProcessLine)),
        cuts=tuple(line for line in lines if isinstance(line, CutLine)),
        versions={
            name.removeprefix(VERSIONS): file.content
            for name, file in kept.items()
            if name.startswith(VERSIONS)
        },
        digests=digests,
    )
    found = KitIdentity(received.kit.nonce, received.host.manifest_sha256)
    if kit is not None and kit != found:
        raise NotTrustworthyError(
            f"{outputs}: come from the kit {found.nonce}, not from the kit {kit.nonce} that --kit "
            "names; run that kit, or name the other"
        )
    return received


def _lines(outputs: Path, content: bytes) -> Iterator[_RecordLine]:
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            yield _ADAPTER.validate_json(line)
        except ValidationError as error:  # noqa: PERF203 - the first one ends it
            raise NotTrustworthyError(
                f"{outputs}: {RECORD_FILE}:{number} is no line of a kit's record "
                f"({json_damage(error, 'the line')}); run the kit again"
            ) from None


def require_culprit(
    received: Received, process: ProcessLine, events: str, told: ProgramRecord
) -> None:
    """See that a process ended in the case that the record names, or came to its end.

    The host's runner wrote the record when the process ended. What the events tell otherwise was
    changed since, and with them a crash could be lost.

    Args:
        received: What the kit left.
        process: The line about the process.
        events: The name of its events file in the archive.
        told: What is in that file.

    Raises:
        NotTrustworthyError: It did not, or no case of it explains why another one took over.
    """
    found = culprit_of(process.exit_code, told, timed_out=process.timed_out)
    if found != process.culprit:
        raise NotTrustworthyError(
            f"{received.archive}: {events} is not what its process left: it ended in "
            f"{found or 'no case'}, the host's record says {process.culprit or 'no case'}; "
            "run the kit again"
        )
    if not process.culprit and _has_successor(received, process):
        raise NotTrustworthyError(
            f"{received.archive}: {events} is not what its process left: another process took over "
            "its batch, but no case is known that it ended in; run the kit again"
        )


def _has_successor(received: Received, process: ProcessLine) -> bool:
    part = part_of(process.batch, process.name)
    return any(
        each.batch == process.batch and part_of(each.batch, each.name) > part
        for each in received.processes
    )


def cut_programs(received: Received, folder: Path) -> Iterator[ProgramRun]:
    """Yield a process without events for each case that was running when the run was ended.

    Raises:
        NotTrustworthyError: The kit has no such case.
    """
    planned = {case["id"] for case in received.kit.cases}
    cuts = {cut.case: cut for cut in reversed(received.cuts)}
    for number, cut in enumerate(reversed(cuts.values())):
        if cut.case not in planned:
            raise NotTrustworthyError(
                f"{received.archive}: its record names the case {cut.case}, which the kit does not "
                "have; run the kit again"
            )
        files = ProcessFiles.of(folder, f"cut{number}")
        yield ProgramRun.cut_off(Assignment(cut.operator, cut.batch), files, cut.case)
