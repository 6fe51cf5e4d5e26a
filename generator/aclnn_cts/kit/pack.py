# SPDX-License-Identifier: Apache-2.0
"""Kits: their content (sources, case files, inputs, runner), and what comes of their outputs."""

from __future__ import annotations

import re
import shutil
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

import aclnn_cts
from aclnn_cts import __version__
from aclnn_cts.emit.case_file import case_file_text
from aclnn_cts.emit.data_files import DataReference, DataStore
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.files import explain
from aclnn_cts.kit.archive import KIT, MANIFEST, OUTPUTS, check_archive, write_archive
from aclnn_cts.kit.runner import BATCHES_FILE, KIT_FILE, RECORD_FILE, VERSIONS
from aclnn_cts.plan.cases import Case, case_from_json
from aclnn_cts.run.devices import check_overflow_mode, check_product
from aclnn_cts.run.environment import Environment, Library
from aclnn_cts.run.events import read_events
from aclnn_cts.run.executor import batches_of
from aclnn_cts.run.folder import Device, RunFolder
from aclnn_cts.run.folder_lock import claimed, clear, nonce_in, withdraw
from aclnn_cts.run.operator_folders import as_recorded
from aclnn_cts.run.planned_cases import PlannedCase, PlannedCases
from aclnn_cts.run.process import ProgramRun
from aclnn_cts.run.resume import reached_device
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.toolkit import installed_version, toolkit_version
from aclnn_cts.run.toolkit_layout import branches_of
from aclnn_cts.spec.loading import SpecSet, load_specs, specs_digest
from aclnn_cts.suite import OperatorFolder, Suite
from aclnn_cts.validation_messages import damage_of, json_damage

RUNNER = (
    *(
        "__init__.py",
        "compiler.py",
        "errors.py",
        "files.py",
        "kit/__init__.py",
        "kit/archive.py",
        "kit/runner.py",
    ),
    *("run/__init__.py", "run/process.py", "run/toolkit_layout.py"),
)
"""Modules of this package that a kit's runner needs; they need the standard library alone."""

_PLAIN = r"^[a-z0-9-]+$"
"""Characters allowed in a folder's name."""


class SuiteOrigin(BaseModel):
    """The suite that packed a kit."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    version: str
    specs_sha256: str
    folders: tuple[OperatorFolder, ...] = ()

    @classmethod
    def of(cls, suite: Suite) -> SuiteOrigin:
        return cls(version=__version__, specs_sha256=specs_digest(suite), folders=suite.folders)


class KitDescription(BaseModel):
    """The content of ``kit.json``.

    Attributes:
        format: Of this file, and of what comes back.
        suite: The suite that packed it.
        product: The product whose promises the cases test.
        edition: The edition of the documents whose promises the cases test.
        nonce: What the kit's events repeat.
        calls: The call list that the cases are from; empty for those of the tier.
        timings: Launches of each call that must work, for their time alone.
        packed: When it was packed, UTC, in the form of ISO 8601; nothing depends on it.
        data: The input data of each case, by case id.
        cases: The cases, as the plan of a results folder has them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    format: Literal["aclnn-cts/kit/2"] = "aclnn-cts/kit/2"
    suite: SuiteOrigin
    product: str = Field(pattern=_PLAIN)
    tier: str = Field(pattern=_PLAIN)
    standard: str
    edition: str
    nonce: str = Field(pattern=r"^[0-9a-f]{32}$")
    calls: str = ""
    timings: int = Field(default=0, ge=0)
    packed: str
    data: dict[str, DataReference]
    cases: tuple[dict[str, Any], ...]

    def planned(self) -> tuple[Case, ...]:
        """Return the cases; NotTrustworthyError if one is malformed."""
        try:
            return tuple(case_from_json(case) for case in self.cases)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise NotTrustworthyError(
                f"{KIT_FILE}: holds an invalid case ({damage_of(error)}); pack the kit again"
            ) from None


def read_description(
    where: Path, content: bytes, suite: Suite, moved: Sequence[Path] = ()
) -> tuple[KitDescription, Suite]:
    """Return the content of ``kit.json``, and the suite with the kit's operator folders.

    Args:
        where: The archive, for messages.
        suite: The suite that is to judge.
        moved: Where the operator folders are now; where they were if it is empty.

    Raises:
        NotTrustworthyError: It is damaged, or of another suite, or an operator folder is gone or
            has changed.
        WrongInputError: A folder that is named cannot be read.
    """
    try:
        kit = KitDescription.model_validate_json(content)
    except ValidationError as error:
        raise NotTrustworthyError(
            f"{where}: {KIT_FILE} is not what this suite packs "
            f"({json_damage(error, 'the whole file')}); judge with the suite that packed the kit"
        ) from None
    suite = as_recorded(suite, kit.suite.folders, where, moved, "pack")
    own = SuiteOrigin.of(suite)
    if (kit.suite.version, kit.suite.specs_sha256) != (own.version, own.specs_sha256):
        raise NotTrustworthyError(
            f"{where}: the kit was packed by suite {kit.suite.version}, specs "
            f"{kit.suite.specs_sha256[:12]}; this is suite {own.version}, specs "
            f"{own.specs_sha256[:12]}: judge with that suite, or pack and run a new kit"
        )
    return kit, suite


def read_kit(path: Path, suite: Suite, moved: Sequence[Path] = ()) -> tuple[str, str]:
    """Check each file of a kit; return its nonce and the digest of its manifest.

    Arguments are those of :func:`read_description`.

    Raises:
        WrongInputError: There is no such archive.
        NotTrustworthyError: It is modified, truncated, or packed by another suite.
    """
    digests, kept = check_archive(path, KIT, lambda name: name == KIT_FILE)
    kit, _ = read_description(path, kept.get(KIT_FILE, b""), suite, moved)
    return kit.nonce, digests[MANIFEST]


def require_new(archive: Path) -> None:
    """Refuse to replace a kit: the outputs of the first one could not be judged any more.

    Raises:
        WrongInputError: The archive, or something else of its name, already exists.
    """
    if archive.exists() or archive.is_symlink():
        raise WrongInputError(f"{archive}: already exists; name another file, or remove it")


def pack(
    suite: Suite, specs: SpecSet, kit: KitDescription, cases: Sequence[Case], archive: Path
) -> int:
    """Write a kit; return the number of its files. The same arguments give the same bytes.

    Args:
        suite: Where the sources are, and the store of the input data.
        specs: Of the kit's edition.

    Raises:
        WrongInputError: The archive already exists, or cannot be written.
        NotTrustworthyError: The disk is full.
    """
    require_new(archive)
    members: dict[str, bytes | Path] = {
        KIT_FILE: (kit.model_dump_json() + "\n").encode(),
        **dict(_sources(suite)),
    }
    # The longest is begun first, so that no device waits for it at the end.
    batches = sorted(batches_of(cases), key=lambda batch: -batch.elements)
    calls: dict[str, dict[str, None]] = {}
    for batch in batches:
        pairs = ((case, kit.data[case.id]) for case in batch.cases)
        text = case_file_text(specs, batch.operator, pairs, kit.nonce, kit.timings)
        calls.setdefault(batch.operator, {}).update(dict.fromkeys(_called(text, batch.operator)))
        members[f"cases/{batch.name}.txt"] = text.encode()
    listed = "".join(f"{batch.name} {batch.operator}\n" for batch in batches)
    members[BATCHES_FILE] = listed.encode()
    members["programs.mk"] = _programs_text(calls).encode()
    for path in sorted({data.path for data in kit.data.values() if data.path is not None}):
        members[f"data/{path}"] = suite.cache / "data" / path
    write_archive(archive, KIT, members)
    return len(members) + 1


def _sources(suite: Suite) -> Iterator[tuple[str, Path]]:
    package = Path(aclnn_cts.__file__).parent
    yield from ((f"runner/aclnn_cts/{name}", package / name) for name in RUNNER)
    yield "runner/__main__.py", suite.harness / "kit" / "start.py"
    for name in ("Makefile", "README.txt", "run.sh"):
        yield name, suite.harness / "kit" / name
    for folder in (suite.harness / "src", suite.harness / "include", suite.generated_tests):
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".cpp", ".h"):
                yield path.relative_to(suite.root).as_posix(), path


def _called(cases: str, measured: str) -> Iterator[str]:
    """Yield the operators that a case file names, other than the measured one.

    A toolkit may lack others that a program could call: they are not built.
    """
    for line in cases.splitlines():
        fact, _, rest = line.partition(" ")
        if fact in ("producer", "other") and rest != measured:
            yield rest


def _programs_text(calls: Mapping[str, Iterable[str]]) -> str:
    """Return the part of the Makefile that says which programs are built from which calls."""
    held = dict.fromkeys((*calls, *(called for each in calls.values() for called in each)))
    lines = [f"programs := {' '.join(calls)}", f"calls := {' '.join(held)}"]
    lines += [f"{name}_calls := {' '.join(called)}".rstrip() for name, called in calls.items()]
    return "\n".join(lines) + "\n"


SIMULATOR = "aclnn-cts simulator"
"""The simulated device's name in place of a release of CANN."""

_RECORDS = re.compile(r"events/[^/]+\.jsonl|outputs/[^/]+\.bin")


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class HostLine(_Line):
    """The host on which a kit ran, and the digest of the kit's manifest."""

    event: Literal["host"]
    manifest_sha256: str
    host: str
    architecture: str
    compiler: str
    toolkit: str


class LibraryLine(_Line):
    """A library of the toolkit that the programs could be linked with."""

    event: Literal["library"]
    name: str
    path: str
    sha256: str


class StartLine(_Line):
    """When the kit was first started, by the host's clock: UTC, in the form of ISO 8601."""

    event: Literal["start"]
    time: str = Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$")


class ProcessLine(_Line):
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
        host: What the host says about itself.
        started: When the host first started the kit, by its own clock; empty if it does not say.
        libraries: The libraries that the programs could be linked with.
        programs: The processes that ran, in order of time; their files as in the archive.
        versions: The small files in which toolkit, driver and firmware say their release, by name.
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
    archive: Path, suite: Suite, kit: tuple[str, str] | None = None, moved: Sequence[Path] = ()
) -> Received:
    """Return a kit's outputs after checking each file.

    Args:
        kit: Nonce and manifest's digest of the kit that it should come from; any kit of this suite
            if None.
        moved: Where the kit's operator folders are now; where they were if it is empty.

    Raises:
        WrongInputError: There is no such archive, or a folder that is named cannot be read.
        NotTrustworthyError: It is modified or truncated, or comes from another kit or suite.
    """
    digests, kept = check_archive(archive, OUTPUTS, lambda name: not _RECORDS.fullmatch(name))
    lines = list(_lines(archive, kept.get(RECORD_FILE, b"")))
    hosts = [line for line in lines if isinstance(line, HostLine)]
    if len(hosts) != 1:
        raise NotTrustworthyError(
            f"{archive}: {RECORD_FILE} does not name its host; run the kit again"
        )
    described, suite = read_description(archive, kept.get(KIT_FILE, b""), suite, moved)
    if kit not in (None, (described.nonce, hosts[0].manifest_sha256)):
        raise NotTrustworthyError(
            f"{archive}: belongs to the kit {described.nonce}, not to --kit; "
            "run that kit, or name the other"
        )
    return Received(
        archive=archive,
        suite=suite,
        kit=described,
        host=hosts[0],
        started=next((line.time for line in lines if isinstance(line, StartLine)), ""),
        libraries=tuple(
            Library(each.name, each.path, each.sha256)
            for each in lines
            if isinstance(each, LibraryLine)
        ),
        programs=tuple(line.program for line in lines if isinstance(line, ProcessLine)),
        versions={n[len(VERSIONS) :]: c for n, c in kept.items() if n.startswith(VERSIONS)},
        digests=digests,
    )


def _lines(archive: Path, content: bytes) -> Iterator[_RecordLine]:
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            yield _ADAPTER.validate_json(line)
        except ValidationError as error:  # noqa: PERF203 - the first one ends it
            raise NotTrustworthyError(
                f"{archive}: {RECORD_FILE}:{number} is not a line of a kit's record "
                f"({json_damage(error, 'the line')}); run the kit again"
            ) from None


def receive(received: Received, folder: Path) -> RunFolder:
    """Make a results folder of a kit's outputs, without judging them.

    An earlier judgement of the same kit's outputs is withdrawn before, whatever comes of these.

    Args:
        received: What :func:`read_outputs` found.

    Raises:
        WrongInputError: The folder cannot be written to, or holds a run that is not this kit's.
        NotTrustworthyError: The archive holds events of another run, or of another product; or the
            disk is full.
    """
    kit, suite = received.kit, received.suite
    with claimed(folder):
        if nonce_in(folder) not in (None, kit.nonce):
            raise WrongInputError(
                f"{folder}: holds another run than this kit's; name another folder with --results, "
                "or remove this one"
            )
        withdraw(folder)
        specs = load_specs(suite, kit.edition)
        cases = kit.planned()
        store = suite.cache / "data"
        _make_data(received, specs, cases, store)
        clear(folder)
        _unpack(received, folder)
        programs = tuple(_program(received, each, folder) for each in received.programs)
        run = RunFolder(
            path=folder,
            suite_version=kit.suite.version,
            specs_sha256=kit.suite.specs_sha256,
            device=_device(received, specs, programs),
            tier=kit.tier,
            standard=kit.standard,
            cases=PlannedCases.pack(
                PlannedCase(case, kit.data[case.id])
                for batch in batches_of(cases)
                for case in batch.cases
            ),
            programs=programs,
            state="complete",
            store=store,
            edition=kit.edition,
            started=received.started,
            environment=_environment(received),
            config=RunConfig(calls=kit.calls, timings=kit.timings),
            nonce=kit.nonce,
            folders=suite.folders,
        )
        run.save()
    return run


def _make_data(received: Received, specs: SpecSet, cases: Sequence[Case], store: Path) -> None:
    """Make the input data here, and require that they are those of the kit."""
    references = DataStore(store).provide(specs, cases)
    other = next((c.id for c in cases if references[c.id] != received.kit.data.get(c.id)), None)
    if other is not None:
        raise NotTrustworthyError(
            f"{received.archive}: the kit's input data of {other} differ from those that this "
            "suite makes; judge with the suite that packed the kit"
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


def _program(received: Received, left: ProgramRun, folder: Path) -> ProgramRun:
    program = replace(left, events=folder / left.events, outputs=folder / left.outputs)
    for path, digest in ((left.events, left.events_sha256), (left.outputs, left.outputs_sha256)):
        name = path.as_posix()
        if not _RECORDS.fullmatch(name) or received.digests.get(name) != digest:
            what = "was modified after the run" if name in received.digests else "is missing"
            raise NotTrustworthyError(f"{received.archive}: {name} {what}; run the kit again")
    told = read_events(program.events)
    nonce = told.device.nonce if told.device else ""
    if nonce != received.kit.nonce and (told.device or told.cases):
        raise NotTrustworthyError(
            f"{received.archive}: {left.events} was recorded with the nonce "
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
