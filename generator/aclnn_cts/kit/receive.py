# SPDX-License-Identifier: Apache-2.0
"""Conversion of a kit's outputs into a results folder."""

from __future__ import annotations

import re
import shutil
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.files import explain
from aclnn_cts.kit.archive import MANIFEST, OUTPUTS, check_archive
from aclnn_cts.kit.pack import KitDescription, KitIdentity, read_description
from aclnn_cts.kit.runner import KIT_FILE, RECORD_FILE, VERSIONS
from aclnn_cts.run.devices import check_overflow_mode, check_product
from aclnn_cts.run.environment import Environment, Library
from aclnn_cts.run.events import read_events
from aclnn_cts.run.executor import batches_of
from aclnn_cts.run.folder import Device, RunFolder
from aclnn_cts.run.folder_lock import claim, clear, nonce_in, withdraw
from aclnn_cts.run.planned_cases import PlannedCase, PlannedCases
from aclnn_cts.run.process import ProgramRun
from aclnn_cts.run.resume import reached_device
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.toolkit import installed_version, toolkit_version
from aclnn_cts.run.toolkit_layout import branches_of
from aclnn_cts.spec.clause_models import Strict
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite
from aclnn_cts.validation_messages import duplicate_key, json_damage

SIMULATOR = "aclnn-cts simulator"
"""The simulated device's name in place of a release of CANN."""

_RECORDS = re.compile(r"events/[^/]+\.jsonl|outputs/[^/]+\.bin")


class HostLine(Strict):
    """The host on which a kit ran, and the digest of the kit's manifest."""

    event: Literal["host"]
    manifest_sha256: str
    host: str
    architecture: str
    compiler: str
    toolkit: str


class LibraryLine(Strict):
    """A library of the toolkit that the programs could be linked with."""

    event: Literal["library"]
    name: str
    path: str
    sha256: str


class StartLine(Strict):
    """When the kit was first started, by the host's clock: UTC, in the form of ISO 8601."""

    event: Literal["start"]
    time: str = Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$")


class ProcessLine(Strict):
    """A process; the paths of its files are those in the archive."""

    event: Literal["process"]
    program: ProgramRun


_RecordLine = Annotated[
    HostLine | LibraryLine | StartLine | ProcessLine, Field(discriminator="event")
]
_ADAPTER: TypeAdapter[_RecordLine] = TypeAdapter(_RecordLine, config=ConfigDict(defer_build=True))


@dataclass(frozen=True)
class Received:
    """The outputs of a kit.

    Attributes:
        host: The facts that the host recorded about itself.
        started: When the host first started the kit, by its own clock; empty if it does not say.
        libraries: The libraries that the programs could be linked with.
        programs: The processes that ran, in order of time; their files as in the archive.
        versions: The version files of toolkit, driver and firmware, by name.
        digests: Digests of all files in the archive, by name.
    """

    archive: Path
    suite: Suite
    kit: KitDescription
    host: HostLine
    started: str
    libraries: tuple[Library, ...]
    programs: tuple[ProgramRun, ...]
    versions: Mapping[str, bytes]
    digests: Mapping[str, str]


def read_outputs(
    archive: Path, suite: Suite, kit: KitIdentity | None = None, user_folders: Sequence[Path] = ()
) -> Received:
    """Return a kit's outputs after checking each file.

    Args:
        kit: The kit that it should come from; any kit of this suite if None.
        user_folders: The operator folders that the user names.

    Raises:
        WrongInputError: There is no such archive; or the kit has operator folders, and none is
            named, or they cannot be read.
        NotTrustworthyError: It is modified or truncated, or comes from another kit or suite.
    """
    digests, contents = check_archive(archive, OUTPUTS, lambda name: not _RECORDS.fullmatch(name))
    lines = list(_lines(archive, contents.get(RECORD_FILE, b"")))
    hosts = [line for line in lines if isinstance(line, HostLine)]
    if len(hosts) != 1:
        raise NotTrustworthyError(
            f"{archive}: {RECORD_FILE} does not name its host; run the kit again"
        )
    programs = tuple(line.program for line in lines if isinstance(line, ProcessLine))
    known = {KIT_FILE, RECORD_FILE, MANIFEST}
    known |= {path.as_posix() for each in programs for path in (each.events, each.outputs)}
    stranger = next((n for n in digests if n not in known and not n.startswith(VERSIONS)), None)
    if stranger is not None:
        raise NotTrustworthyError(
            f"{archive}: {stranger} does not belong to it, because {RECORD_FILE} names no such "
            "file; run the kit again"
        )
    described, suite = read_description(archive, contents.get(KIT_FILE, b""), suite, user_folders)
    identity = KitIdentity(described.nonce, hosts[0].manifest_sha256, digests[KIT_FILE])
    if kit is not None and kit != identity:
        raise _other_kit(archive, identity, kit)
    return Received(
        archive=archive,
        suite=suite,
        kit=described,
        host=hosts[0],
        started=next((line.time for line in lines if isinstance(line, StartLine)), ""),
        libraries=tuple(
            Library(line.name, line.path, line.sha256)
            for line in lines
            if isinstance(line, LibraryLine)
        ),
        programs=programs,
        versions={n[len(VERSIONS) :]: c for n, c in contents.items() if n.startswith(VERSIONS)},
        digests=digests,
    )


def _other_kit(archive: Path, archived: KitIdentity, kit: KitIdentity) -> NotTrustworthyError:
    """Return the error for outputs that do not come from a kit."""
    if archived.nonce != kit.nonce:
        return NotTrustworthyError(
            f"{archive}: belongs to the kit {archived.nonce}, and --kit is {kit.nonce}; run that "
            "kit, or name the other"
        )
    changed = KIT_FILE if archived.description != kit.description else MANIFEST
    return NotTrustworthyError(
        f"{archive}: comes from the kit {archived.nonce}, whose {changed} was changed after it was "
        "packed; unpack --kit anew, and run that"
    )


def _lines(archive: Path, content: bytes) -> Iterator[_RecordLine]:
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            damage = duplicate_key(line)
            record_line = _ADAPTER.validate_json(line)
        except ValidationError as error:
            damage = json_damage(error, "the line")
        if damage:
            raise NotTrustworthyError(
                f"{archive}: {RECORD_FILE}:{number} is not a line of a kit's record "
                f"({damage}); run the kit again"
            )
        yield record_line


def receive(received: Received, folder: Path) -> RunFolder:
    """Make a results folder of a kit's outputs, without judging them.

    An earlier judgement of the same kit's outputs is withdrawn first.

    Args:
        received: What :func:`read_outputs` found.

    Raises:
        WrongInputError: The folder cannot be written to, or holds a run that is not this kit's.
        NotTrustworthyError: The archive holds events of another run, or of another product; or the
            disk is full.
    """
    kit, suite = received.kit, received.suite
    with claim(folder):
        if nonce_in(folder) not in (None, kit.nonce):
            raise WrongInputError(
                f"{folder}: holds another run than this kit's; name another folder with --results, "
                "or remove this one"
            )
        withdraw(folder)
        specs = load_specs(suite, kit.edition)
        planned = {each.case.id: each for each in kit.planned()}
        cases = [each.case for each in planned.values()]
        store = suite.cache / "data"
        _make_data(received, specs, planned, store)
        clear(folder)
        _unpack(received, folder)
        programs = tuple(_program(received, each, folder) for each in received.programs)
        run = RunFolder(
            path=folder,
            suite_version=kit.suite.version,
            specs_sha256=kit.suite.specs_sha256,
            specs=kit.suite.specs,
            device=_device(received, specs, programs),
            tier=kit.tier,
            standard=kit.standard,
            cases=PlannedCases.pack(
                planned[case.id] for batch in batches_of(cases) for case in batch.cases
            ),
            programs=programs,
            state="complete",
            store=store,
            edition=kit.edition,
            started=received.started,
            environment=_environment(received),
            config=RunConfig(
                calls=kit.calls,
                unlisted=kit.unlisted,
                selected=kit.selected,
                timings=kit.timings,
            ),
            nonce=kit.nonce,
            folders=suite.folders,
        )
        run.save()
    return run


def _make_data(
    received: Received, specs: SpecSet, planned: Mapping[str, PlannedCase], store: Path
) -> None:
    """Make the input data, and check that they equal the kit's."""
    cases = [each.case for each in planned.values()]
    for case, reference in DataStore(store).provide_all(specs, cases):
        if reference != planned[case.id].data:
            raise NotTrustworthyError(
                f"{received.archive}: the kit's input data of {case.id} differ from those that "
                "this suite makes; judge with the suite that packed the kit"
            )


def _unpack(received: Received, folder: Path) -> None:
    """Unpack events and outputs; all names and contents were checked before."""
    try:
        for name in ("events", "outputs"):
            (folder / name).mkdir()
        with tarfile.open(received.archive) as archive:
            for info in archive:
                content = archive.extractfile(info)
                if content is not None and _RECORDS.fullmatch(info.name):
                    with (folder / info.name).open("wb") as file:
                        shutil.copyfileobj(content, file)
    except OSError as error:
        raise explain(error, folder) from None


def _program(received: Received, recorded: ProgramRun, folder: Path) -> ProgramRun:
    program = replace(recorded, events=folder / recorded.events, outputs=folder / recorded.outputs)
    for path, digest in (
        (recorded.events, recorded.events_sha256),
        (recorded.outputs, recorded.outputs_sha256),
    ):
        name = path.as_posix()
        if not _RECORDS.fullmatch(name) or received.digests.get(name) != digest:
            what = "was modified after the run" if name in received.digests else "is missing"
            raise NotTrustworthyError(f"{received.archive}: {name} {what}; run the kit again")
    record = read_events(program.events)
    nonce = record.device.nonce if record.device else ""
    if nonce != received.kit.nonce and (record.device or record.cases):
        raise NotTrustworthyError(
            f"{received.archive}: {recorded.events} was recorded with the nonce "
            f"{nonce or 'of no run'}, the kit has {received.kit.nonce}: these outputs are of "
            "another kit or run; run the kit again"
        )
    return program


def _device(received: Received, specs: SpecSet, programs: Sequence[ProgramRun]) -> Device:
    """Return the device as the programs reported it.

    Raises:
        NotTrustworthyError: No program reached one, or it is not what the kit is for: another
            product, another overflow mode.
    """
    try:
        event = reached_device(programs)
        check_product(specs, event.soc, received.kit.product)
        check_overflow_mode(specs, received.kit.product, inf_nan=event.inf_nan)
    except NotTrustworthyError as error:
        raise NotTrustworthyError(f"{received.archive}: {error}") from None
    kind = "simulator" if event.cann == SIMULATOR else "hardware"
    return Device(kind, received.kit.product, event.soc, event.cann)


def _environment(received: Received) -> Environment:
    host = received.host
    with tempfile.TemporaryDirectory(prefix="aclnn-cts-versions-") as name:
        folder = Path(name)
        try:
            for file, content in received.versions.items():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_bytes(content)
        except OSError as error:
            raise explain(error, folder) from None
        toolkit = folder / "toolkit"
        return Environment(
            host=host.host,
            architecture=host.architecture,
            compiler=host.compiler,
            toolkit=host.toolkit,
            toolkit_version=toolkit_version(branches_of(toolkit, host.architecture)),
            driver=installed_version("driver", folder),
            firmware=installed_version("firmware", folder),
            devices=tuple(sorted({each.device for each in received.programs if each.device >= 0})),
            libraries=received.libraries,
        )
