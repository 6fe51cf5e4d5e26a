# SPDX-License-Identifier: Apache-2.0
"""Telling whether two records of a case can have different verdicts."""

from __future__ import annotations

import hashlib

from aclnn_cts.judge.case_records import Evidence
from aclnn_cts.run.events import OutputEvent

_VARYING = frozenset({"microseconds", "device_microseconds", "offset"})
"""What differs between two records of the same behaviour: times, and places in a file."""


def fingerprint_of(found: Evidence) -> str:
    """Return a digest of all that a verdict can depend on: what the program told, and outputs."""
    digest = hashlib.sha256()
    for event in found.record.events:
        told = {name: value for name, value in vars(event).items() if name not in _VARYING}
        digest.update(repr(told).encode())
        if isinstance(event, OutputEvent):
            with found.outputs.open("rb") as outputs:
                outputs.seek(event.offset)
                digest.update(outputs.read(event.bytes))
    return digest.hexdigest()
