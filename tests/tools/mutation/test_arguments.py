# SPDX-License-Identifier: Apache-2.0
"""What is said of single mutants is about the code as it is; this needs none of the tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.mutation import arguments, subjects

ROOT = Path(__file__).resolve().parents[3]
KNOWN = arguments.read(ROOT / "tools" / "mutation" / "arguments.yaml")


def test_arguments_are_read_strictly(tmp_path: Path) -> None:
    """An entry without an argument is refused."""
    path = tmp_path / "arguments.yaml"
    path.write_text("- {file: a.py, before: x, equivalent: true}\n")
    with pytest.raises(ValueError, match="entry 1: lacking or unknown: argument"):
        arguments.read(path)
    path.write_text("- {file: a.py, before: x, argument: y, equivalent: true}\n")
    assert arguments.read(path) == [arguments.Argument("a.py", "x", None, "y", equivalent=True)]


@pytest.mark.parametrize("argument", KNOWN, ids=lambda each: f"{each.file}: {each.before:.40}")
def test_no_argument_is_stale(argument: arguments.Argument) -> None:
    """Each is about one mutated file, and the lines that it speaks of still stand there.

    Else a mutant that is argued away today is a survivor at the next run, and nobody knows why.
    """
    (file,) = filter(argument.speaks_of, subjects.FILES)
    assert argument.stands_in((ROOT / file).read_text()), f"{file} changed; mend arguments.yaml"
    assert argument.after != argument.before


def test_mutated_files_are_there() -> None:
    """A list of files that moved would quietly mutate fewer."""
    assert [file for file in subjects.FILES if not (ROOT / file).is_file()] == []


def test_lines_that_changed_are_missed() -> None:
    """A text stands in a source whatever its margin is and however it is broken, but no other."""
    argument = arguments.Argument("a.py", "f( x, y, )", None, "left", equivalent=False)
    assert argument.stands_in("def g():\n    f(\n        x,\n        y,\n    )\n")
    assert not argument.stands_in("def g():\n    f(\n        x,\n        y,\n        z,\n    )\n")


def test_a_file_is_named_by_whole_parts_of_its_path() -> None:
    """``rounding.py`` is not meant by ``ding.py``."""
    argument = arguments.Argument("judge/rounding.py", "x", None, "left", equivalent=False)
    assert argument.speaks_of("generator/aclnn_cts/judge/rounding.py")
    assert not argument.speaks_of("generator/aclnn_cts/misjudge/rounding.py")
