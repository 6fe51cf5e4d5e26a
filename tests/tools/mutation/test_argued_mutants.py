# SPDX-License-Identifier: Apache-2.0
"""Each mutant that something is said of is one that the tools make."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from tools.mutation import arguments, cpp_mutants, python_mutants, subjects

ROOT = Path(__file__).resolve().parents[3]

ARGUED: dict[str, list[arguments.Argument]] = defaultdict(list)
for _each in arguments.read(ROOT / "tools" / "mutation" / "arguments.yaml"):
    ARGUED[next(filter(_each.speaks_of, subjects.FILES))].append(_each)


@pytest.mark.parametrize("file", ARGUED)
def test_argued_mutants_are_made(file: str) -> None:
    """Else the argument is about nothing, and the mutant that was meant survives without one."""
    tool = cpp_mutants if file in subjects.CPP else python_mutants
    made = {(mutant.before, mutant.after) for mutant in tool.mutants_of(ROOT, file)}
    changed = {before for before, _ in made}
    for argument in ARGUED[file]:
        if argument.after is None:
            assert argument.before in changed
        else:
            assert (argument.before, argument.after) in made
