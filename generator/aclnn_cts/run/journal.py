# SPDX-License-Identifier: Apache-2.0
"""The journal of a run: a line for each ended process, and a last one for the end of the run.

A line is on the disk before the run continues. So the journal is valid however the runner ends,
except for a cut-off last line, which is ignored.

Each line has a seal: the SHA-256 digest of the previous seal and the line's text. The first seal
starts from the digest of ``run.json``, which holds the digests of the cases. So changes of
``run.json``, of the cases, and changed, missing or inserted lines are detected.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import explain, write_text
from aclnn_cts.run.process import ProgramRun
from aclnn_cts.validation_messages import MALFORMED, damage_of, read_json

_START = b'{"seal": "'
_MIDDLE = b'", "record": '
_END = b"}\n"
_DIGITS = 64
_BODY = len(_START) + _DIGITS + len(_MIDDLE)


class BrokenSealError(Exception):
    """A line was changed or moved; ``number`` counts from 1."""

    def __init__(self, number: int) -> None:
        super().__init__(f"line {number} was modified")
        self.number = number


def sealed_lines(records: Iterable[str], before: str) -> tuple[bytes, str]:
    """Return lines with their seals, and the last seal.

    Args:
        records: The records, each JSON on one line.
        before: The seal before the first one.
    """
    lines = []
    for record in records:
        before = _seal(record.encode(), before)
        lines.append(b"".join((_START, before.encode(), _MIDDLE, record.encode(), _END)))
    return b"".join(lines), before


def read_sealed_lines(content: bytes, before: str) -> tuple[list[bytes], str]:
    """Return the records of lines, and the last seal.

    Args:
        content: Whole lines.
        before: The seal before the first one.

    Raises:
        BrokenSealError: A line was modified.
    """
    records = []
    for number, line in enumerate(content.splitlines(keepends=True), start=1):
        record = line[_BODY : -len(_END)]
        before = _seal(record, before)
        if line != b"".join((_START, before.encode(), _MIDDLE, record, _END)):
            raise BrokenSealError(number)
        records.append(record)
    return records, before


def _seal(record: bytes, before: str) -> str:
    return hashlib.sha256(before.encode() + record).hexdigest()


JOURNAL = "journal.jsonl"
RUN_FILE = "run.json"
PLAN_FILE = "plan.msgpack.gz"


@dataclass(frozen=True)
class ReachedDevice:
    """The programs' facts about the device.

    Attributes:
        soc: What aclrtGetSocName said.
        cann: The CANN version, if the toolkit states one.
    """

    soc: str
    cann: str


@dataclass(frozen=True)
class Journaled:
    """The content of a journal.

    Attributes:
        programs: The ended processes, in order of time.
        found: The device according to the last line; None if the run is incomplete.
    """

    programs: tuple[ProgramRun, ...] = ()
    found: ReachedDevice | None = None


class Journal:
    """The journal of a locked folder, open for appending."""

    def __init__(self, folder: Path) -> None:
        """Open it, and drop a line that was cut off.

        Raises:
            WrongInputError: It cannot be written to.
            NotTrustworthyError: It was modified.
        """
        self._path = folder / JOURNAL
        # Check first: a journal that is refused must not be truncated.
        _, self._seal = _read_records(folder)
        try:
            # Unbuffered: what a full disk refused must not be tried again when the file is closed.
            self._file = self._path.open("ab", buffering=0)
            self._file.truncate(len(_whole_lines(folder)))
        except OSError as error:
            raise explain(error, self._path) from None

    def close(self) -> None:
        self._file.close()

    def note(self, program: ProgramRun) -> None:
        """Add a process that ended; raises as :func:`aclnn_cts.files.replacing`."""
        self._append(_program_record(program, self._path.parent))

    def complete(self, device: ReachedDevice) -> None:
        """Add the last line; raises as :func:`aclnn_cts.files.replacing`."""
        self._append(_complete_record(device))

    def _append(self, record: str) -> None:
        line, seal = sealed_lines([record], self._seal)
        try:
            _write_whole(self._file, line)
            os.fsync(self._file.fileno())
        except OSError as error:
            raise explain(error, self._path) from None
        self._seal = seal


def _write_whole(file: io.FileIO, content: bytes) -> None:
    """Write everything; after a partial write, the next one raises the reason."""
    while content:
        content = content[file.write(content) :]


def write_journal(folder: Path, journaled: Journaled, run_file: bytes) -> None:
    """Write a whole journal at once; raises as :func:`aclnn_cts.files.replacing`.

    Args:
        run_file: The content of ``run.json``.
    """
    records = [_program_record(program, folder) for program in journaled.programs]
    if journaled.found is not None:
        records.append(_complete_record(journaled.found))
    lines, _ = sealed_lines(records, _digest(run_file))
    write_text(folder / JOURNAL, lines.decode())


def read_journal(folder: Path) -> Journaled:
    """Read the complete lines of a journal; a missing one is empty.

    Raises:
        NotTrustworthyError: A line or ``run.json`` was modified, or lines follow the last one.
    """
    path = folder / JOURNAL
    items: list[ProgramRun | ReachedDevice] = []
    try:
        for record in _read_records(folder)[0]:
            items.append(_read(folder, record))  # noqa: PERF401 - their number tells the place
    except MALFORMED as error:
        place = f"{path}:{len(items) + 1}"
        raise damaged(place, damage_of(error)) from None
    programs = tuple(item for item in items if isinstance(item, ProgramRun))
    devices = tuple(item for item in items if isinstance(item, ReachedDevice))
    if len(devices) > 1 or (devices and items[-1] is not devices[0]):
        raise damaged(path, "there are data after its last line")
    return Journaled(programs, devices[0] if devices else None)


def damaged(place: object, how: str) -> NotTrustworthyError:
    return NotTrustworthyError(f"{place}: is damaged ({how}); run `aclnn-cts run` again")


def _read(folder: Path, record: bytes) -> ProgramRun | ReachedDevice:
    data = read_json(record)
    if data["event"] == "complete":
        return ReachedDevice(data["soc"], data["cann"])
    return ProgramRun.of_record(data["program"], folder)


def _read_records(folder: Path) -> tuple[list[bytes], str]:
    """Return the records of a folder's journal, and its last seal; raises as read_journal."""
    run_file = folder / RUN_FILE
    seal = _digest(run_file.read_bytes() if run_file.is_file() else b"")
    try:
        return read_sealed_lines(_whole_lines(folder), seal)
    except BrokenSealError as error:
        place = f"{folder / JOURNAL}:{error.number}"
        if error.number == 1:
            place = f"{run_file} or {place}"
        raise damaged(place, "it was modified") from None


def _digest(run_file: bytes) -> str:
    return hashlib.sha256(run_file).hexdigest()


def _whole_lines(folder: Path) -> bytes:
    """Return the complete lines."""
    path = folder / JOURNAL
    content = path.read_bytes() if path.is_file() else b""
    return content[: content.rfind(b"\n") + 1]


def _program_record(program: ProgramRun, folder: Path) -> str:
    return json.dumps({"event": "program", "program": program.record(folder)})


def _complete_record(device: ReachedDevice) -> str:
    return json.dumps({"event": "complete", **asdict(device)})
