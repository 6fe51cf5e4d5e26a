# SPDX-License-Identifier: Apache-2.0
"""``arguments.yaml``: what is to be said of single mutants that nothing kills."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

from tools.mutation.mutants import Outcome, join


@dataclass(frozen=True)
class Argument:
    """What is to be said of one mutant, or of all that change a line.

    Attributes:
        file: The end of the file's path.
        before: The lines as they are.
        after: What stands there instead; None for all mutants of these lines.
        argument: Why it is not a gap, or why it is left.
        equivalent: Whether it does nothing else than the code as it is.
    """

    file: str
    before: str
    after: str | None
    argument: str
    equivalent: bool

    def fits(self, outcome: Outcome) -> bool:
        """Whether it speaks of this mutant."""
        same = self.speaks_of(outcome.file) and outcome.before == self.before
        return same and self.after in (None, outcome.after)

    def speaks_of(self, file: str) -> bool:
        """Whether it is about a file, given by its path below the root of the suite."""
        return f"/{file}".endswith(f"/{self.file}")

    def stands_in(self, text: str) -> bool:
        """Whether a source still holds the lines that it speaks of."""
        return self.before in join(text.splitlines())


def read(path: Path) -> list[Argument]:
    """Return all arguments.

    Raises:
        ValueError: An entry lacks something, or has a key that is unknown.
    """
    arguments = []
    for number, entry in enumerate(yaml.safe_load(path.read_text()) or [], start=1):
        keys = {"file", "before", "after", "argument", "equivalent"}
        lacking = (keys - {"after"}) - entry.keys()
        if lacking or entry.keys() - keys:
            wrong = ", ".join(sorted([*lacking, *(entry.keys() - keys)]))
            raise ValueError(f"{path}: entry {number}: lacking or unknown: {wrong}")
        arguments.append(Argument(**{"after": None, **entry}))
    return arguments


def argument_about(outcome: Outcome, arguments: list[Argument]) -> Argument | None:
    """Return the argument about a mutant; one that names the change itself comes first."""
    fitting = [each for each in arguments if each.fits(outcome)]
    return min(fitting, key=lambda each: each.after is None, default=None)
