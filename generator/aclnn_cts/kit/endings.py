# SPDX-License-Identifier: Apache-2.0
"""How processes ended on a kit's host: what its record says of that, against what they told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.judge.case_records import culprit_of
from aclnn_cts.kit.outputs import ProcessLine, Received
from aclnn_cts.run.events import ProgramRecord
from aclnn_cts.run.process_files import ProcessFiles, part_of
from aclnn_cts.run.program_run import Assignment, ProgramRun


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
