# SPDX-License-Identifier: Apache-2.0
"""Cases in the portions that one process runs: a process that dies takes no more with it.

The cases that ended in such a process are as good as any. A program writes the outputs of a case
before it tells of them, and tells that the case has ended last. So everything up to the last such
line is whole, wherever the file breaks off.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.plan.cases import Case

CASES_PER_BATCH = 128
"""Few enough to share a tier out over many devices and to lose little with a process, enough to
make the second or two that a card takes to be initialised small."""

_ELEMENTS_PER_CALL = 1000
"""What a tensor costs besides its elements, in elements: an empty one takes time, too."""


@dataclass(frozen=True)
class Batch:
    """What one process runs.

    Attributes:
        name: Unique in a run, and a file name: the operator and a number.
        operator: The operator that is measured.
        cases: In the order in which they run.
    """

    name: str
    operator: str
    cases: tuple[Case, ...]

    @property
    def elements(self) -> int:
        """A measure of the time that it takes."""
        return sum(_ELEMENTS_PER_CALL + tensor.numel for c in self.cases for tensor in c.tensors)


def batches_of(cases: Sequence[Case]) -> tuple[Batch, ...]:
    """Share cases out, operators and cases in their order.

    The portions follow from the cases alone, so that a run gives the same verdicts however many
    devices work on it.
    """
    by_operator: dict[str, list[Case]] = {}
    for case in cases:
        by_operator.setdefault(case.operator, []).append(case)
    return tuple(
        Batch(f"{operator}-{number:03}", operator, tuple(own[start : start + CASES_PER_BATCH]))
        for operator, own in by_operator.items()
        for number, start in enumerate(range(0, len(own), CASES_PER_BATCH))
    )


_BEGUN = b'{"event":"begin"'
_ENDED = b'{"event":"end"'
_OUTPUT = b'{"event":"output"'


@dataclass(frozen=True)
class Half:
    """What is left of a process that did not come to its end.

    Attributes:
        ended: How many cases ended in it.
        cut: Id of the case that was running then; empty if none was.
        whole: Bytes of the events file before that case.
    """

    ended: int = 0
    cut: str = ""
    whole: int = 0


def find_half(events: Path, outputs: Path) -> Half:
    """Return how far a process had got; a case whose outputs are not all there has not ended."""
    if not events.is_file():
        return Half()
    held = outputs.stat().st_size if outputs.is_file() else 0
    count = whole = place = 0
    cut = ""
    with events.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n") or _lacks(line, held):
                break
            if line.startswith(_BEGUN):
                cut, whole = _case_of(line), place
            place += len(line)
            if line.startswith(_ENDED):
                count, cut, whole = count + 1, "", place
    return Half(count, cut, whole)


def cut_back(events: Path, half: Half) -> None:
    """Leave in an events file only what its process told before the case that was running."""
    os.truncate(events, half.whole)


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
