# SPDX-License-Identifier: Apache-2.0
"""Which device a program reached, and which case was the last on a device that was lost."""

from __future__ import annotations

from collections.abc import Sequence

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.run.events import DeviceEvent, read_events
from aclnn_cts.run.execute import found_no_device
from aclnn_cts.run.program_run import ProgramRun, describe_end, how_it_ended

_MOST_NAMED = 3
"""Devices of which a sentence tells where they were lost; a host may have eight or more."""


def lost_devices(programs: Sequence[ProgramRun], devices: Sequence[int]) -> str:
    """Return where each device was lost, the one that was lost last first; empty if unknown.

    Args:
        programs: All processes of a run, in order of time.
        devices: Numbers of the devices that are asked about.
    """
    last = {program.device: program for program in programs if program.device in devices}
    refused = [program for program in programs if last.get(program.device) is program]
    told = [where_lost(programs, each) for each in reversed(refused) if found_no_device(each)]
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
        if program.device == refused.device and (place := _last_place(program)):
            how = f"{program.operator}: {how_it_ended(program)}"
            return f"device {program.device} was lost {place} ({how})"
    return ""


def _last_place(program: ProgramRun) -> str:
    """Return in or after which case a process ended; empty if it began none."""
    if program.cut:
        return f"in {program.cut}"
    cases = list(read_events(program.events).cases.values())
    if not cases:
        return ""
    return f"{'after' if cases[-1].ended else 'in'} {cases[-1].case}"


def reached_device(programs: Sequence[ProgramRun]) -> DeviceEvent:
    """Return what the first program that reached a device says about it.

    Raises:
        NotTrustworthyError: None did; the message ends with what one of them complained of,
            or with how one of them ended.
    """
    for program in programs:
        device = read_events(program.events).device
        if device is not None:
            return device
    complaints = (each.stderr.splitlines()[-1] for each in programs if each.stderr)
    ends = (describe_end(each) for each in programs if each.exit_code != 0)
    reason = next((f": {told}" for told in (*complaints, *ends) if told), "")
    raise NotTrustworthyError(f"no program reached a device, so nothing was tested{reason}")
