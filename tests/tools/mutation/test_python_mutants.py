# SPDX-License-Identifier: Apache-2.0
"""Mutants of Python modules: all code is mutated, words for people are not."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tools.mutation.mutants import mutant_of
from tools.mutation.python_mutants import mutants_of

MODULE = '''\
"""A module."""

Number = Callable[[int], "float"]
LIMIT = 3


class Box:
    """A box."""

    @property
    def half(self) -> "float":
        return self.size / 2


def check(value: int) -> int:
    """Say it."""
    if value > LIMIT:
        raise ValueError(f"{value + 1} is too large, at most 3")
    return value * 2
'''


def changes(folder: Path) -> set[tuple[str, str]]:
    (folder / "tiny.py").write_text(MODULE)
    return {(mutant.before, mutant.after) for mutant in mutants_of(folder, "tiny.py")}


def test_constants_properties_and_functions_are_mutated(tmp_path: Path) -> None:
    """Code outside of functions and behind decorators counts, too."""
    found = changes(tmp_path)
    assert ("LIMIT = 3", "LIMIT = 4") in found
    assert ("return self.size / 2", "return self.size * 2") in found
    assert ("if value > LIMIT:", "if value >= LIMIT:") in found


def test_words_and_types_are_not(tmp_path: Path) -> None:
    """No mutant differs in a docstring, an annotation, a type's name or a message alone."""
    changed = {before for before, _ in changes(tmp_path)}
    assert changed == {
        "LIMIT = 3",
        "return self.size / 2",
        "if value > LIMIT:",
        "return value * 2",
    }


def test_every_mutant_is_another_program(tmp_path: Path) -> None:
    """Each text parses, differs from the original, and stands once."""
    (tmp_path / "tiny.py").write_text(MODULE)
    sources = [mutant.source for mutant in mutants_of(tmp_path, "tiny.py")]
    assert len(set(sources)) == len(sources)
    for source in sources:
        assert ast.dump(ast.parse(source)) != ast.dump(ast.parse(MODULE))


def test_a_mutant_names_the_lines_that_differ() -> None:
    """What differs is told without the margin; equal texts are no mutant."""
    mutant = mutant_of("a.py", "one\n  two\nthree\n", "one\n  2\n  3\nthree\n")
    assert (mutant.line, mutant.before, mutant.after) == (2, "two", "2 3")
    inserted = mutant_of("a.py", "one\none\n", "one\none\none\n")
    assert (inserted.before, inserted.after) == ("", "one")
    with pytest.raises(ValueError, match="nothing differs"):
        mutant_of("a.py", "one\n", "one\n")
