# SPDX-License-Identifier: Apache-2.0
"""The journal of a run: a line for each process that ended, and a last one when all is done.

A line is with the disk before the run goes on. So whatever ends the runner, the journal tells what
is known; a line that was being written then is cut off, and says nothing.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import explain, write_text
from aclnn_cts.json_wording import damage_of
from aclnn_cts.run.program_run import ProgramRun

JOURNAL = "journal.jsonl"
_PATHS = ("events", "outputs")


@dataclass(frozen=True)
class ReachedDevice:
    """What the programs learnt of the device.

    Attributes:
        soc: What aclrtGetSocName said.
        cann: The CANN version, as far as the toolkit tells it.
    """

    soc: str
    cann: str


@dataclass(frozen=True)
class Journaled:
    """What a journal tells.

    Attributes:
        programs: The processes that ended, in order of time.
        found: What the last line says of the device; None if the run did not come to its end.
    """

    programs: tuple[ProgramRun, ...] = ()
    found: ReachedDevice | None = None


class Journal:
    """The journal of a folder that is claimed, open for further lines."""

    def __init__(self, folder: Path) -> None:
        """Open it, and drop a line that was cut off.

        Raises:
            WrongInputError: It cannot be written to.
        """
        self._path = folder / JOURNAL
        try:
            # Unbuffered: what a full disk refused must not be tried again when the file is closed.
            self._file = self._path.open("ab", buffering=0)
            self._file.truncate(_whole_lines(self._path))
        except OSError as error:
            raise explain(error, self._path) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def note(self, program: ProgramRun) -> None:
        """Add a process that ended; raises as :func:`aclnn_cts.files.replacing`."""
        self._append(_program_line(program, self._path.parent))

    def complete(self, found: ReachedDevice) -> None:
        """Add the last line; raises as :func:`aclnn_cts.files.replacing`."""
        self._append(_complete_line(found))

    def _append(self, line: str) -> None:
        try:
            _write_whole(self._file, line.encode())
            os.fsync(self._file.fileno())
        except OSError as error:
            raise explain(error, self._path) from None


def _write_whole(file: io.FileIO, content: bytes) -> None:
    """Write all of it; a write may take a part only, and the next one then says why."""
    while content:
        content = content[file.write(content) :]


def write_journal(folder: Path, journaled: Journaled) -> None:
    """Write a whole journal at once; raises as :func:`aclnn_cts.files.replacing`."""
    lines = [_program_line(program, folder) for program in journaled.programs]
    if journaled.found is not None:
        lines.append(_complete_line(journaled.found))
    write_text(folder / JOURNAL, "".join(lines))


def read_journal(folder: Path) -> Journaled:
    """Read a journal as far as its lines are whole; a missing one is empty.

    Raises:
        NotTrustworthyError: A line is damaged, or stands behind the last one.
    """
    path = folder / JOURNAL
    if not path.is_file():
        return Journaled()
    lines = path.read_bytes()[: _whole_lines(path)].splitlines()
    told: list[ProgramRun | ReachedDevice] = []
    try:
        for line in lines:
            told.append(_read_line(folder, line))  # noqa: PERF401 - their number tells the place
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        place = f"{path}:{len(told) + 1}"
        raise _damaged(place, damage_of(error)) from None
    programs = tuple(item for item in told if isinstance(item, ProgramRun))
    found = tuple(item for item in told if isinstance(item, ReachedDevice))
    if len(found) > 1 or (found and told[-1] is not found[0]):
        raise _damaged(str(path), "something stands behind its last line")
    return Journaled(programs, found[0] if found else None)


def _damaged(place: str, how: str) -> NotTrustworthyError:
    return NotTrustworthyError(f"{place}: is damaged ({how}); run `aclnn-cts run` again")


def _read_line(folder: Path, line: bytes) -> ProgramRun | ReachedDevice:
    data = json.loads(line)
    if data["event"] == "complete":
        return ReachedDevice(data["soc"], data["cann"])
    return _program(folder, data["program"])


def _whole_lines(path: Path) -> int:
    """Return how many bytes belong to lines that have an end."""
    return path.read_bytes().rfind(b"\n") + 1


def _program_line(program: ProgramRun, folder: Path) -> str:
    fields = asdict(program)
    for name in _PATHS:
        fields[name] = str(fields[name].relative_to(folder))
    return json.dumps({"event": "program", "program": fields}) + "\n"


def _complete_line(found: ReachedDevice) -> str:
    return json.dumps({"event": "complete", **asdict(found)}) + "\n"


def _program(folder: Path, data: Mapping[str, Any]) -> ProgramRun:
    fields = {**data, "company": tuple(data["company"])}
    for name in _PATHS:
        fields[name] = folder / data[name]
    return ProgramRun(**fields)
