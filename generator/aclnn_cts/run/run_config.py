# SPDX-License-Identifier: Apache-2.0
"""The run configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

CASE_SECONDS = 60.0
"""Default time limit of a stream for a case. The largest case takes a second or two on the
simulated device, and far less on a card."""

BATCH_SECONDS = 3600.0
"""Default time limit of a process. The longest batch of the full tier takes minutes on the
simulated device."""

FAULTY_SECONDS = 10.0
"""Time limit of a case on a faulty device, where hangs are expected."""

MOST_SECONDS = 1_000_000.0
"""Longest possible limit: programs take milliseconds in 32 bits."""


def case_seconds_of(*, faulty: bool) -> float:
    """Return the time limit of a case; shorter on a faulty device."""
    return FAULTY_SECONDS if faulty else CASE_SECONDS


@dataclass(frozen=True)
class RunConfig:
    """How cases are run.

    The command line makes it, :func:`aclnn_cts.run.devices.resolve` adds what the device reports,
    and ``run.json`` records it, so that a resumed run goes on as it began.

    Attributes:
        product: The product's id; empty to take the device's.
        cann: A real toolkit's folder; empty for the simulated device or to look for a toolkit.
        simulator: Whether to use the simulated device even if there is a toolkit.
        sanitize: Whether simulator and programs are built with AddressSanitizer and UBSan.
        devices: Numbers of the devices, one for each worker; empty for the default.
        case_seconds: Time that a stream is given for a case.
        batch_seconds: Time limit of a process; a new process continues with the remaining cases.
        calls: The call list that the cases are from; empty for those of a tier.
        unlisted: Numbers of a recorded program's calls that no case makes, by operator and reason.
        selected: Whether only cases run that the user named by id or pattern.
        timings: Launches of each call that must work, for their time alone.
        memory: Least free memory of a device in bytes; None if unknown. The simulated device is
            asked when it is built.
        cluster: Address of the Ray cluster whose hosts run the cases; empty for this host.
        judge: Where each case is judged first: ``home``, or ``cluster`` for the host that ran it.
        shard: The shard, such as ``3/16``; empty for the whole run.
        plan_sha256: Digest of the ids of all shards' cases; empty without shards.
        keep_outputs: Whether the outputs of passing cases stay, too.
    """

    product: str = ""
    cann: str = ""
    simulator: bool = False
    sanitize: bool = False
    devices: tuple[int, ...] = (0,)
    case_seconds: float = CASE_SECONDS
    batch_seconds: float = BATCH_SECONDS
    calls: str = ""
    unlisted: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    selected: bool = False
    timings: int = 0
    memory: int | None = None
    cluster: str = ""
    judge: Literal["home", "cluster"] = "home"
    shard: str = ""
    plan_sha256: str = ""
    keep_outputs: bool = False
