# SPDX-License-Identifier: Apache-2.0
"""The files of a process: how they are named, and where they stand in a results folder.

The runner of a kit names its files in the same way (harness/kit/run_plan.cpp).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.files import sha256_of


def part_name(batch: str, part: int) -> str:
    """Return the name of the files of a batch's first, second, … process."""
    return batch if part == 0 else f"{batch}.{part}"


def part_of(batch: str, name: str) -> int:
    """Return how many processes had worked at a batch before the one that left these files.

    Args:
        batch: Name of the batch.
        name: Name of the files.
    """
    number = name.removeprefix(batch).removeprefix(".")
    return int(number) if number.isdecimal() else 0


@dataclass(frozen=True)
class ProcessFiles:
    """The files of one process.

    Attributes:
        cases: The case file that it reads.
        events: What it records.
        outputs: The outputs of its cases.
    """

    cases: Path
    events: Path
    outputs: Path

    @classmethod
    def of(cls, folder: Path, name: str) -> ProcessFiles:
        """Return where the files of this name stand in a results folder."""
        return cls(
            cases=folder / "cases" / f"{name}.txt",
            events=folder / "events" / f"{name}.jsonl",
            outputs=folder / "outputs" / f"{name}.bin",
        )

    def digests(self) -> tuple[str, str]:
        """Return the digests of what it recorded, as :func:`digest_of` does: events, outputs."""
        return digest_of(self.events), digest_of(self.outputs)


def digest_of(path: Path) -> str:
    """Return the digest of a file that a program may have left; empty if it did not."""
    return sha256_of(path) if path.is_file() else ""
