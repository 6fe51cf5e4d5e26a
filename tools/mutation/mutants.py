# SPDX-License-Identifier: Apache-2.0
"""What a mutant is, what became of it, and a file of such outcomes, one JSON line each."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Mutant:
    """One changed text of one file.

    Attributes:
        file: Path below the root of the suite.
        line: First line that differs, from 1.
        before: The lines that were replaced, without their margin, joined by a space.
        after: What stands there instead.
        source: The whole changed text.
    """

    file: str
    line: int
    before: str
    after: str
    source: str

    @property
    def digest(self) -> str:
        """What tells this mutant from all others, whatever run asks."""
        return hashlib.sha256(f"{self.file}\n{self.source}".encode()).hexdigest()[:20]


@dataclass(frozen=True)
class Outcome:
    """What became of one mutant.

    Attributes:
        digest: The mutant's.
        file: Path below the root of the suite.
        line: First line that differs, from 1.
        before: The lines that were replaced.
        after: What stands there instead.
        outcome: ``killed``, ``survived``, or (C++ only) ``uncompiled``, ``same-code`` and
            ``equivalent``.
        by: What killed it: a test's id, or a tier and a case; empty otherwise.
        seconds: What it took.
    """

    digest: str
    file: str
    line: int
    before: str
    after: str
    outcome: str
    by: str
    seconds: float


def outcome_of(mutant: Mutant, outcome: str, by: str, seconds: float) -> Outcome:
    """Return the outcome of a mutant as it is kept."""
    return Outcome(
        mutant.digest, mutant.file, mutant.line, mutant.before, mutant.after, outcome, by,
        round(seconds, 2),
    )  # fmt: skip


def mutant_of(file: str, original: str, changed: str) -> Mutant:
    """Return the mutant that a changed text is; the texts differ.

    Raises:
        ValueError: The texts are the same.
    """
    old, new = original.splitlines(), changed.splitlines()
    if old == new:
        raise ValueError(f"nothing differs in {file}")
    head = _common(old, new)
    shortest = min(len(old), len(new)) - head
    tail = min(_common(old[::-1], new[::-1]), shortest)
    before, after = join(old[head : len(old) - tail]), join(new[head : len(new) - tail])
    return Mutant(file, head + 1, before, after, changed)


def _common(one: list[str], other: list[str]) -> int:
    """Return with how many equal lines both begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(one), len(other)))


def join(lines: list[str]) -> str:
    """Return lines of a source as one text, as a mutant tells them: without their margin."""
    return " ".join(line.strip() for line in lines)


def read(path: Path) -> dict[str, Outcome]:
    """Return the kept outcomes by the mutants' digests; later lines replace earlier ones.

    A last line that was cut off, because a run was ended, is left out.
    """
    if not path.is_file():
        return {}
    outcomes: dict[str, Outcome] = {}
    for line in path.read_text().splitlines():
        try:
            outcome = Outcome(**json.loads(line))
        except json.JSONDecodeError:
            continue
        outcomes[outcome.digest] = outcome
    return outcomes


def add(path: Path, outcome: Outcome) -> None:
    """Append one outcome; a line is written whole, so several processes may write."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write(json.dumps(asdict(outcome)) + "\n")
