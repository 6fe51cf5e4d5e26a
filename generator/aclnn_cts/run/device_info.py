# SPDX-License-Identifier: Apache-2.0
"""What the programs of a run learnt of the device that they reached."""

from __future__ import annotations

from collections.abc import Sequence

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.run.events import DeviceEvent, read_events
from aclnn_cts.run.program_run import ProgramRun, describe_end


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
