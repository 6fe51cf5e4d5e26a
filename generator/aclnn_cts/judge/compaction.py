# SPDX-License-Identifier: Apache-2.0
"""Compact results folders: of cases that passed, they hold digests and verdicts, but no outputs.

Cases that did not pass or were rerun keep everything. All text is compressed. The new files are
written beside the old ones, then the journal that names them replaces the old one, and at last the
old files go. So a killed process leaves a whole record, of which a few files are there twice.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from aclnn_cts.files import explain, replacing, write_bytes
from aclnn_cts.judge.judge_run import JudgedOperator, Judging
from aclnn_cts.judge.verdict_files import Told, context_of, pack_verdicts
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.run.journal import RUN_FILE, Journaled, read_journal, write_journal
from aclnn_cts.run.process import KEPT, OUTPUT, PACKED, ProcessFiles, ProgramRun, read_record
from aclnn_cts.worker_pool import spread

_KILLED = "a process was killed, perhaps for lack of memory"
_CHUNK = 1 << 20


@dataclass(frozen=True)
class _Part:
    """A process, and the cases of which it keeps no outputs.

    Attributes:
        verdicts: The content of the file with the verdicts on them.
    """

    program: ProgramRun
    passed: frozenset[str] = frozenset()
    verdicts: bytes = b""


@dataclass
class Compaction:
    """Makes the folder of a run compact when all operators are judged."""

    run: RunFolder
    judging: Judging
    _parts: dict[str, _Part] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._rerun = {program.about for program in self.run.programs if program.about}
        self._context = context_of(self.judging.suite, self.run.edition, self.judging.standard)

    def watch(self, judged: Iterator[JudgedOperator]) -> Iterator[JudgedOperator]:
        """Yield the operators, and note which of their cases keep no outputs."""
        for operator in judged:
            planned = self.run.cases.of(operator.operator)
            passed = {
                first.case: first
                for first, last in zip(operator.first, operator.verdicts, strict=True)
                if last.verdict is first.verdict is Verdict.PASS
                if planned[first.case].case.expects_success and first.case not in self._rerun
            }
            for program in self.run.programs:
                if program.operator == operator.operator and _is_whole(program):
                    begun = program.progress.ended
                    told = {name: Told(passed[name], "") for name in begun if name in passed}
                    verdicts = pack_verdicts(self.judging.standard, told, self._context)
                    self._parts[program.name] = _Part(program, frozenset(told), verdicts)
            yield operator

    def finish(self) -> None:
        """Make the folder compact; the caller has locked it.

        Raises:
            WrongInputError: The folder cannot be written to.
            NotTrustworthyError: The disk is full, or a process was killed.
        """
        folder = self.run.path
        try:
            journaled = read_journal(folder)
            parts = [self._parts.get(each.name, _Part(each)) for each in journaled.programs]
            work = functools.partial(_compact, folder)
            programs = tuple(spread(work, parts, self.judging.jobs, _KILLED))
            run_file = (folder / RUN_FILE).read_bytes()
            write_journal(folder, Journaled(programs, journaled.found), run_file)
            _remove_others(folder, programs)
        except OSError as error:
            raise explain(error, folder) from None


def _is_whole(program: ProgramRun) -> bool:
    """Whether a process of a batch still has the outputs of all its cases."""
    is_batch = program.purpose == "batch" and program.outputs.suffix != KEPT
    return is_batch and bool(program.outputs_sha256)


def _compact(folder: Path, part: _Part) -> ProgramRun:
    """Write the compact files of a process; return the process with them."""
    program = part.program
    files = ProcessFiles.of(folder, program.name)
    if files.cases.is_file():
        write_bytes(_packed(files.cases), gzip.compress(files.cases.read_bytes(), mtime=0))
    if program.events.suffix == PACKED or not program.events_sha256:
        return program
    lines = read_record(program.events).splitlines(keepends=True)
    if part.passed:
        kept = program.outputs.with_suffix(KEPT)
        with replacing(kept) as file, program.outputs.open("rb") as outputs:
            digest, lines = hashlib.sha256(), list(lines)
            place = 0
            for number, line in enumerate(lines):
                if not (line.startswith(OUTPUT) and line.endswith(b"\n")):
                    continue
                event = json.loads(line)
                outputs.seek(event["offset"])
                content = outputs.read(event["bytes"])
                if event["case"] in part.passed:
                    event |= {"offset": 0, "sha256": hashlib.sha256(content).hexdigest()}
                else:
                    event["offset"] = place
                    place += file.write(content)
                    digest.update(content)
                lines[number] = json.dumps(event, separators=(",", ":")).encode() + b"\n"
        write_bytes(program.verdicts, part.verdicts)
        program = replace(
            program,
            outputs=kept,
            outputs_sha256=digest.hexdigest() if place else "",
            verdicts_sha256=hashlib.sha256(part.verdicts).hexdigest(),
        )
    content = gzip.compress(b"".join(lines), mtime=0)
    write_bytes(_packed(program.events), content)
    sha256 = hashlib.sha256(content).hexdigest()
    return replace(program, events=_packed(program.events), events_sha256=sha256)


def _packed(path: Path) -> Path:
    return path.with_name(path.name + PACKED)


def _remove_others(folder: Path, programs: tuple[ProgramRun, ...]) -> None:
    """Remove the files that the journal no longer names."""
    named = {program.events for program in programs}
    named |= {program.outputs for program in programs if program.outputs_sha256}
    for path in (*folder.glob("events/*"), *folder.glob("outputs/*")):
        if path not in named:
            path.unlink()
    for path in folder.glob("cases/*.txt"):
        path.unlink()
