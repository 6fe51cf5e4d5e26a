# SPDX-License-Identifier: Apache-2.0
"""What the page says of mutants, and what may be said of single ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.mutation import arguments, mutants, page
from tools.mutation.mutants import Outcome, mutant_of, outcome_of

FILE = "generator/aclnn_cts/judge/sensitivity.py"


def outcome(after: str, kind: str, by: str = "") -> Outcome:
    return Outcome(after, FILE, 7, "x = 1", after, kind, by, 0.5)


def argument(after: str | None, text: str, *, equivalent: bool) -> arguments.Argument:
    return arguments.Argument("judge/sensitivity.py", "x = 1", after, text, equivalent)


def test_the_share_leaves_equivalent_mutants_out() -> None:
    """Killed of those that do something else; of nothing tried there is no share."""
    found = [outcome("x = 2", "killed"), outcome("x = 3", "survived"), outcome("x=1", "survived")]
    known = [argument("x=1", "the same", equivalent=True)]
    kinds = ("uncompiled", "same-code", "equivalent")
    found += [outcome(kind, kind) for kind in kinds]
    lines = list(page.table({"comparator": (9, page.judge(found, known)), "formulas": (3, [])}))
    assert lines[2] == "| comparator | 9 | 6 | 2 | 1 | 1 | 50.0 % |"
    assert lines[3] == "| formulas | 3 | 0 | 0 | 0 | 0 | - |"


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
    mutants.add(path, outcome_of(mutant, "survived", "", 0.123))
    mutants.add(path, outcome_of(mutant, "killed", "a test", 0.456))
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
    made = page.renew(text, ["new", ""])
    assert made == f"# Title\n\n{page.BEGIN}\n\nnew\n\n{page.END}\n\nmore\n"
    assert page.renew(made, ["new", ""]) == made
    with pytest.raises(ValueError, match="each once"):
        page.renew("# Title\n", ["new"])
