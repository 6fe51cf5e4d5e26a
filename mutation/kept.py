# SPDX-License-Identifier: Apache-2.0
"""What became of each mutant, kept as lines of JSON, so that a run can be continued."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from mutation.mutants import Outcome


def read(path: Path) -> dict[str, Outcome]:
    """Return the kept outcomes by the mutants' digests; later lines replace earlier ones.

    A last line that was cut off, because a run was ended, is left out.
    """
    if not path.is_file():
        return {}
    found: dict[str, Outcome] = {}
    for line in path.read_text().splitlines():
        try:
            outcome = Outcome(**json.loads(line))
        except json.JSONDecodeError:
            continue
        found[outcome.digest] = outcome
    return found


def add(path: Path, outcome: Outcome) -> None:
    """Append one outcome; a line is written whole, so several processes may write."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write(json.dumps(asdict(outcome)) + "\n")
