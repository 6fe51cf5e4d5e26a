# SPDX-License-Identifier: Apache-2.0
"""Lost devices: in which case, and what their processes said."""

from __future__ import annotations

from collections.abc import Sequence

from aclnn_cts.run.process import ProgramRun, how_it_ended

_MOST_NAMED = 3
"""Most devices that a message lists as lost; a host may have eight or more."""


def lost_devices(programs: Sequence[ProgramRun], devices: Sequence[int]) -> str:
    """Return where each device was lost, the one that was lost last first; empty if unknown.

    Args:
        programs: All processes of a run, in order of time.
        devices: Numbers of the devices that are asked about.
    """
    last = {program.device: program for program in programs if program.device in devices}
    refused = [program for program in programs if last.get(program.device) is program]
    told = [where_lost(programs, each) for each in reversed(refused) if each.found_no_device]
    known = [place for place in told if place]
    more = len(known) - _MOST_NAMED
    return ", ".join((*known[:_MOST_NAMED], *((f"{more} more before",) if more > 0 else ())))


def why_refused(refused: ProgramRun) -> str:
    """Return why a process did not get its device, in its own words if it had any."""
    return (refused.stderr.splitlines() or [how_it_ended(refused)])[-1]


def where_lost(programs: Sequence[ProgramRun], refused: ProgramRun) -> str:
    """Return which case ran last on a device before it was refused; empty if none did.

    Args:
        programs: All processes of a run, in order of time.
        refused: The one that was refused its device.
    """
    before = programs[: programs.index(refused)]
    for program in reversed(before):
        same = (program.host, program.device) == (refused.host, refused.device)
        if same and (place := _last_place(program)):
            how = f"{program.operator}: {how_it_ended(program)}"
            host = program.host and f" of host {program.host}"
            return f"device {program.device}{host} was lost {place} ({how})"
    return ""


def _last_place(program: ProgramRun) -> str:
    """Return in or after which case a process ended; empty if it began none."""
    if program.cut:
        return f"in {program.cut}"
    progress = program.progress
    return progress.last and f"{'after' if progress.ended[progress.last] else 'in'} {progress.last}"
