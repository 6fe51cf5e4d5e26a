# SPDX-License-Identifier: Apache-2.0
"""From what a kit left on its host to a results folder, as if it had run here."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.files import explain
from aclnn_cts.kit.outputs import ProcessLine, Received, cut_programs, require_culprit
from aclnn_cts.kit.unsealing import read_sealed
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.environment import Environment, Library
from aclnn_cts.run.events import ProgramRecord, read_events
from aclnn_cts.run.folder import Device, RunFolder
from aclnn_cts.run.folder_lock import claimed, clear, nonce_in, withdraw
from aclnn_cts.run.process import Assignment, Ended, ProcessFiles, ProgramRun, Purpose, part_of
from aclnn_cts.run.resume import reached_device
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.target import check_overflow_mode, product_of
from aclnn_cts.run.toolkit import branches_of, driver_version, firmware_version, toolkit_version
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite

SIMULATOR = "aclnn-cts simulator"
"""What the simulated device says instead of a release of CANN."""

_RECORDS = re.compile(r"events/[^/]+\.jsonl|outputs/[^/]+\.bin")


def receive(received: Received, folder: Path, suite: Suite) -> RunFolder:
    """Make a results folder of what a kit left; nothing of it is judged.

    An earlier judgement of the same kit's outputs is withdrawn before, whatever comes of these.

    Args:
        received: What :func:`look_at` found.
        folder: The results folder.
        suite: The suite that packed the kit.

    Raises:
        WrongInputError: The folder cannot be written to, or holds a run that is not this kit's.
        NotTrustworthyError: The archive holds events of another run, or of another product; or the
            disk is full.
    """
    with claimed(folder):
        if nonce_in(folder) not in (None, received.kit.nonce):
            raise WrongInputError(
                f"{folder}: holds another run than this kit's; name another folder with --results, "
                "or remove this one"
            )
        withdraw(folder)
        specs = load_specs(suite, received.kit.edition)
        cases = received.kit.planned()
        store = suite.cache / "data"
        _make_data(received, specs, cases, store)
        clear(folder)
        _unpack(received, folder)
        programs = tuple(_program(received, process, folder) for process in received.processes)
        run = RunFolder(
            path=folder,
            suite_version=received.kit.suite.version,
            specs_sha256=received.kit.suite.specs_sha256,
            device=_device(received, specs, programs),
            tier=received.kit.tier,
            standard=received.kit.standard,
            cases=cases,
            programs=(*cut_programs(received, folder), *programs),
            state="complete",
            store=store,
            references=received.kit.data,
            edition=received.kit.edition,
            started=received.started,
            environment=_environment(received),
            config=RunConfig(timings=received.kit.timings),
            nonce=received.kit.nonce,
        )
        run.save()
    return run


def _make_data(received: Received, specs: SpecSet, cases: Sequence[Case], store: Path) -> None:
    """Make the input data here, and see that they are those of the kit."""
    references = DataStore(store).provide(specs, cases)
    other = next((c.id for c in cases if references[c.id] != received.kit.data.get(c.id)), None)
    if other is not None:
        raise NotTrustworthyError(
            f"{received.archive}: the kit's input data of {other} are not those that this suite "
            "makes; judge with the suite that packed the kit"
        )


def _unpack(received: Received, folder: Path) -> None:
    try:
        for name in ("events", "outputs"):
            (folder / name).mkdir()
    except OSError as error:
        raise explain(error, folder) from None

    def place(name: str) -> BinaryIO | None:
        return (folder / name).open("wb") if _RECORDS.fullmatch(name) else None

    if read_sealed(received.archive, "outputs", "", place) != received.digests:
        raise NotTrustworthyError(f"{received.archive}: changed while it was read; judge it again")


def _program(received: Received, process: ProcessLine, folder: Path) -> ProgramRun:
    files = ProcessFiles.of(folder, process.name)
    events = files.events.relative_to(folder).as_posix()
    outputs = files.outputs.relative_to(folder).as_posix()
    _require_left(received, events, process.events_sha256)
    _require_left(received, outputs, process.outputs_sha256)
    told = read_events(files.events)
    _require_nonce(received, events, told)
    require_culprit(received, process, events, told)
    part = part_of(process.batch, process.name)
    purpose: Purpose = "alone" if process.about else "batch"
    work = Assignment(process.operator, process.batch, part, purpose, process.about)
    end = Ended(process.exit_code, process.timed_out, process.seconds, process.stderr)
    digests = process.events_sha256, process.outputs_sha256
    return ProgramRun.ended(work, end, files, digests, process.device)


def _require_left(received: Received, name: str, left: str) -> None:
    """See that a file is what its process left, by the digest that the host's runner noted then."""
    if name not in received.digests:
        raise NotTrustworthyError(f"{received.archive}: {name} is missing; run the kit again")
    if received.digests[name] != left:
        raise NotTrustworthyError(
            f"{received.archive}: {name} is not what its process left: the digest in the host's "
            "record is another one; run the kit again"
        )


def _require_nonce(received: Received, events: str, told: ProgramRecord) -> None:
    nonce = told.device.nonce if told.device else ""
    if nonce != received.kit.nonce and (told.device or told.cases):
        raise NotTrustworthyError(
            f"{received.archive}: {events} was recorded with the nonce {nonce or 'of no run'}, the "
            f"kit has {received.kit.nonce}: these are not the kit's own outputs; run it again"
        )


def _device(received: Received, specs: SpecSet, programs: Sequence[ProgramRun]) -> Device:
    """Return what the programs learnt of the device.

    Raises:
        NotTrustworthyError: No program reached one, or it is not what the kit is for: another
            product, another overflow mode.
    """
    try:
        event = reached_device(programs)
    except NotTrustworthyError as error:
        raise NotTrustworthyError(f"{received.archive}: {error}") from None
    product = product_of(specs, event.soc)
    if product != received.kit.product:
        raise NotTrustworthyError(
            f"{received.archive}: the device said it is {event.soc}, which is {product}; "
            f"the kit is for {received.kit.product}: pack one with --product {product}"
        )
    try:
        check_overflow_mode(specs, product, inf_nan=event.inf_nan)
    except NotTrustworthyError as error:
        raise NotTrustworthyError(f"{received.archive}: {error}") from None
    kind = "simulator" if event.cann == SIMULATOR else "hardware"
    return Device(kind, received.kit.product, event.soc, event.cann)


def _environment(received: Received) -> Environment:
    host = received.host
    with tempfile.TemporaryDirectory(prefix="aclnn-cts-versions-") as name:
        folder = Path(name)
        _write_versions(received, folder)
        toolkit = folder / "toolkit"
        return Environment(
            host=host.host,
            architecture=host.architecture,
            compiler=host.compiler,
            toolkit=host.toolkit,
            toolkit_version=toolkit_version(branches_of(toolkit, host.architecture)),
            driver=driver_version(folder),
            firmware=firmware_version(folder),
            devices=tuple(sorted({process.device for process in received.processes})),
            libraries=tuple(Library(e.name, e.path, e.sha256) for e in received.libraries),
        )


def _write_versions(received: Received, folder: Path) -> None:
    try:
        for name, content in received.versions.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    except OSError as error:
        raise explain(error, folder) from None
