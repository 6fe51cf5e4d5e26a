# SPDX-License-Identifier: Apache-2.0
"""Mutants of C++ sources, made by universalmutator's rules for C++.

The rules work on the text of a line, so many of the mutants do not compile. Those that change
words of messages or comments only are left out here; those that compile to the same code are found
by the compiler.
"""

from __future__ import annotations

import contextlib
import io
import random
import re
from collections.abc import Sequence
from pathlib import Path

from universalmutator.mutator import mutants_regexp

from tools.mutation.mutants import Mutant, mutant_of

_RULES = ("universal.rules", "c_like.rules", "cpp.rules")

_WORDS = re.compile(r'"(?:[^"\\]|\\.)*"|//.*|/\*.*?\*/')


def mutants_of(root: Path, file: str) -> list[Mutant]:
    """Return the mutants of a source, in the order of its lines, each text once.

    Args:
        root: The root of the suite.
        file: The source, below the root.
    """
    original = (root / file).read_text()
    lines = original.splitlines(keepends=True)
    with contextlib.redirect_stdout(io.StringIO()):  # the tool tells what it does
        changes = mutants_regexp(lines, list(_RULES), ignorePatterns=[], ignoreStringOnly=True)
    mutants: dict[str, Mutant] = {}
    for number, changed, *_ in changes:
        text = "".join([*lines[: number - 1], changed, *lines[number:]])
        if text not in mutants and _code(changed) != _code(lines[number - 1]):
            mutants[text] = mutant_of(file, original, text)
    return list(mutants.values())


def _code(line: str) -> str:
    """Return a line without words for people and without space."""
    return re.sub(r"\s+", "", _WORDS.sub('""', line))


def in_random_order(mutants: Sequence[Mutant], seed: int) -> list[tuple[float, Mutant]]:
    """Return mutants of one file in an order that a seed decides, each with its share of the way.

    Several files' lists merged by that share can be cut off anywhere: what is done then is a random
    sample of each file, of the same share.
    """
    ordered = list(mutants)
    random.Random(seed).shuffle(ordered)  # noqa: S311 - a sample, no secret
    return [(place / len(ordered), mutant) for place, mutant in enumerate(ordered)]
