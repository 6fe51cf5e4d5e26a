# SPDX-License-Identifier: Apache-2.0
"""What a process recorded that did not come to its end: the cases that ended are as good as any.

A program writes the outputs of a case before it tells of them, and tells that the case has ended
last. So everything up to the last such line is whole, wherever the file breaks off.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

_BEGUN = b'{"event":"begin"'
_ENDED = b'{"event":"end"'
_OUTPUT = b'{"event":"output"'


@dataclass(frozen=True)
class Half:
    """What is left of a process that did not come to its end.

    Attributes:
        ended: How many cases ended in it.
        cut: Id of the case that was running then, whose events are gone; empty if none was.
    """

    ended: int = 0
    cut: str = ""


def keep_ended(events: Path, outputs: Path) -> Half:
    """Cut an events file back to its last whole case; return what it holds then.

    A case whose outputs are not all there is not whole. A file without any whole case is left as it
    is.
    """
    if not events.is_file():
        return Half()
    held = outputs.stat().st_size if outputs.is_file() else 0
    count = whole = place = 0
    cut = ""
    with events.open("r+b") as file:
        for line in file:
            place += len(line)
            if not line.endswith(b"\n") or _lacks(line, held):
                break
            if line.startswith(_BEGUN):
                cut = _case_of(line)
            elif line.startswith(_ENDED):
                count, whole, cut = count + 1, place, ""
        if count:
            file.truncate(whole)
    return Half(count, cut if count else "")


def _case_of(line: bytes) -> str:
    try:
        return str(json.loads(line)["case"])
    except (ValueError, KeyError, TypeError):
        return ""


def _lacks(line: bytes, held: int) -> bool:
    """Whether a line tells of output bytes that the outputs file does not hold."""
    if not line.startswith(_OUTPUT):
        return False
    try:
        event = json.loads(line)
        return int(event["offset"]) + int(event["bytes"]) > held
    except (ValueError, KeyError, TypeError):
        return True
