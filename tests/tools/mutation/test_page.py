# SPDX-License-Identifier: Apache-2.0
"""What the page says of mutants, and what may be said of single ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.mutation import arguments, mutants, page
from tools.mutation.mutants import Outcome, mutant_of, told

FILE = "generator/aclnn_cts/judge/sensitivity.py"


def outcome(after: str, kind: str, by: str = "") -> Outcome:
    return Outcome(after, FILE, 7, "x = 1", after, kind, by, 0.5)


def argument(after: str | None, text: str, *, equivalent: bool) -> arguments.Argument:
    return arguments.Argument("judge/sensitivity.py", "x = 1", after, text, equivalent)


def test_the_share_leaves_equivalent_mutants_out() -> None:
    """Killed of those that do something else; argued ones do not count."""
    found = [outcome("x = 2", "killed"), outcome("x = 3", "survived"), outcome("x=1", "survived")]
    known = [argument("x=1", "the same", equivalent=True)]
    lines = list(page.python_table({FILE: 5}, page.judged(found, known)))
    assert lines[2] == "| `judge/sensitivity.py` | 5 | 3 | 1 | 1 | 1 | 50.0 % |"
    assert lines[3] == "| all | 5 | 3 | 1 | 1 | 1 | 50.0 % |"


def test_mutants_that_compile_to_nothing_new_are_counted_apart() -> None:
    """The C++ table tells what did not compile and what the smoke tier alone kills."""
    kinds = ["uncompiled", "same-code", "equivalent"]
    found = [outcome(kind, kind) for kind in kinds]
    found += [
        outcome("a", "killed", "smoke, atlas-a2: X"),
        outcome("b", "killed", "standard, x: Y"),
    ]
    lines = list(page.cpp_table({FILE: 9}, found))
    assert lines[2] == "| `judge/sensitivity.py` | 9 | 5 | 3 | 1 | 2 | 1 | 0 | 100.0 % |"


def test_no_mutant_that_counts_has_no_share() -> None:
    """Nothing tried is not 100 %."""
    assert page.count([], 3).share == "-"


def test_survivors_have_a_reason() -> None:
    """The argument about the very change comes before one about the line."""
    found = [outcome("x = 2", "survived"), outcome("x = 3", "survived")]
    known = [argument(None, "left", equivalent=False), argument("x = 3", "so", equivalent=False)]
    assert list(page.survivor_list(found, known)) == [
        "- `judge/sensitivity.py:7` `x = 1` → `x = 2`: left",
        "- `judge/sensitivity.py:7` `x = 1` → `x = 3`: so",
    ]
    assert "not looked at yet" in next(page.survivor_list(found, []))


def test_outcomes_are_kept(tmp_path: Path) -> None:
    """A later line replaces an earlier one; a line that was cut off is left out."""
    path = tmp_path / "store" / "outcomes.jsonl"
    assert mutants.read(path) == {}
    mutant = mutant_of(FILE, "x = 1\n", "x = 2\n")
    mutants.add(path, told(mutant, "survived", "", 0.123))
    mutants.add(path, told(mutant, "killed", "a test", 0.456))
    with path.open("a") as file:
        file.write('{"digest": "ab')
    found = mutants.read(path)
    assert list(found) == [mutant.digest]
    assert found[mutant.digest] == Outcome(
        mutant.digest, FILE, 1, "x = 1", "x = 2", "killed", "a test", 0.46
    )


def test_only_what_stands_between_the_marks_is_renewed() -> None:
    """The rest of the page is a person's; without the marks nothing is written."""
    text = f"# Title\n\n{page.BEGIN}\n\nold\n\n{page.END}\n\nmore\n"
    made = page.renewed(text, ["new", ""])
    assert made == f"# Title\n\n{page.BEGIN}\n\nnew\n\n{page.END}\n\nmore\n"
    assert page.renewed(made, ["new", ""]) == made
    with pytest.raises(ValueError, match="each once"):
        page.renewed("# Title\n", ["new"])
