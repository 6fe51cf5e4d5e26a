# SPDX-License-Identifier: Apache-2.0
"""One process of a generated program, as it is recorded."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from aclnn_cts.run.process import Ended, ProcessFiles, digest_of

Purpose = Literal["batch", "alone", "company"]
"""Why a process ran its cases.

``batch``: they were due. ``alone``: its only case broke a promise in its batch. ``company``: its
last case did, but not alone; the cases before it are (some of) those that ran before it then.
"""

BAD_INPUT = 2
"""Exit status by which a program says that its input is wrong, or its results cannot be written."""

NO_RUNTIME = 3
"""Exit status by which a program says that the runtime refused it the device."""

NO_RUNNER = 4
"""Exit status by which a program says that its runner is gone, or is not what started it."""

UNKNOWN_DEVICE = -1
"""Number of the device of a process that was not journaled by the runner that had started it."""

_STDERR_SHOWN = 400
"""Characters of standard error that a sentence ends with."""


@dataclass(frozen=True)
class Assignment:
    """What a process was started for.

    Attributes:
        operator: The operator whose cases it was to run.
        batch: Name of the batch.
        part: How many processes had worked at the batch before.
        purpose: Why it ran.
        about: The case that it is about; empty for a batch.
        company: Ids of the cases that were to run before that one.
    """

    operator: str
    batch: str
    part: int = 0
    purpose: Purpose = "batch"
    about: str = ""
    company: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProgramRun:
    """One process that ran cases of one operator.

    Attributes:
        operator: The operator.
        exit_code: The exit code; negative for the signal that ended the process; None if it was
            ended although it did nothing wrong, because its batch's time was up or with the run.
        timed_out: Whether it was ended because nothing happened for too long.
        seconds: Wall time.
        stderr: The end of what it wrote on standard error.
        events: Its events file.
        outputs: Its outputs file.
        events_sha256: The events file's digest at the end of the process; empty if there is none.
        outputs_sha256: The same of the outputs file.
        purpose: Why it ran.
        batch: Name of the batch that it worked at.
        part: How many processes had worked at the batch before.
        device: Number of the device; -1 if it is not known.
        about: The case that it is about; empty for a batch.
        company: Ids of the cases that were to run before that one.
        cut: Id of the case that was running when the process was ended although it did nothing
            wrong; empty if none was. Its events are gone, and with them what it may have done.
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
    purpose: Purpose = "batch"
    batch: str = ""
    part: int = 0
    device: int = 0
    about: str = ""
    company: tuple[str, ...] = ()
    cut: str = ""

    @classmethod
    def ended(
        cls,
        assignment: Assignment,
        end: Ended,
        files: ProcessFiles,
        digests: tuple[str, str],
        device: int,
        cut: str = "",
    ) -> ProgramRun:
        """Return a process that has come to its end.

        Args:
            assignment: What it was started for.
            end: How it ended.
            files: Where its files stand.
            digests: Those of its events file and of its outputs file.
            device: Number of the device.
            cut: The case that was running then, if the process did nothing wrong.
        """
        events_sha256, outputs_sha256 = digests
        return cls(
            operator=assignment.operator,
            exit_code=end.exit_code,
            timed_out=end.timed_out,
            seconds=end.seconds,
            stderr=end.stderr,
            events=files.events,
            outputs=files.outputs,
            events_sha256=events_sha256,
            outputs_sha256=outputs_sha256,
            purpose=assignment.purpose,
            batch=assignment.batch,
            part=assignment.part,
            device=device,
            about=assignment.about,
            company=assignment.company,
            cut=cut,
        )

    @classmethod
    def cut_off(cls, assignment: Assignment, files: ProcessFiles, cut: str) -> ProgramRun:
        """Return a process that was ended with its runner, so that nobody noted how.

        Args:
            assignment: What it was started for.
            files: Where that stands which it had recorded until then, if anything.
            cut: The case that was running then.
        """
        end = Ended(exit_code=None, timed_out=False, seconds=0.0, stderr="")
        return cls.ended(assignment, end, files, files.digests(), device=UNKNOWN_DEVICE, cut=cut)

    def altered(self) -> Path | None:
        """Return a file that is not what the process left, if there is one."""
        left = ((self.events, self.events_sha256), (self.outputs, self.outputs_sha256))
        return next((path for path, digest in left if digest and digest_of(path) != digest), None)


def describe_end(program: ProgramRun) -> str:
    """Return how a program ended, with the end of what it said."""
    text = how_it_ended(program)
    said = " ".join(program.stderr.split())
    return f"{text}: {said[-_STDERR_SHOWN:]}" if said else text


def how_it_ended(program: ProgramRun) -> str:
    """Return how a program ended, in a few words."""
    if program.timed_out:
        return f"the program was stopped after {program.seconds:.0f} s without an end"
    if program.exit_code is None:
        return "the program was stopped from outside"
    if program.exit_code < 0:
        return f"the program was killed by {_signal_name(-program.exit_code)}"
    return f"the program ended with status {program.exit_code}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
