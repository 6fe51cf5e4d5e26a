# SPDX-License-Identifier: Apache-2.0
"""A whole run over a tiny project: what is noticed is killed, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tools.mutation import mutants

ROOT = Path(__file__).resolve().parents[3]

TINY = """\
FACTOR = 2


class Scale:
    @property
    def factor(self):
        return FACTOR + 0


def unused(x):
    return x + 1


def scaled(x):
    while x < 0:
        x = x + 100
    return x * Scale().factor
"""

TEST = """\
from tiny import scaled


def test_scaled():
    assert scaled(4) == 8
    assert scaled(-1) == 198
"""


def outcomes(folder: Path) -> dict[tuple[str, str], tuple[str, str]]:
    """Run over the tiny project; return each change, what became of it, and what noticed it."""
    source = folder / "generator" / "tiny.py"
    source.parent.mkdir()
    source.write_text(TINY)
    (folder / "tests").mkdir()
    (folder / "tests" / "test_tiny.py").write_text(TEST)
    program = (
        "from pathlib import Path\n"
        "from tools.mutation.python_run import Effort, run\n"
        "if __name__ == '__main__':\n"
        f"    run(Path({str(folder)!r}), ['generator/tiny.py'], Path({str(folder)!r}),"
        " Effort(2, 5, start_seconds=20), tests=['tests'])\n"
    )
    script = folder / "script.py"
    script.write_text(program)
    path = os.pathsep.join([str(ROOT), str(ROOT / "generator"), str(source.parent)])
    environment = {**os.environ, "PYTHONPATH": path}
    subprocess.run(
        [sys.executable, str(script)], check=True, cwd=folder, env=environment, timeout=300
    )
    found = mutants.read(folder / "python.jsonl").values()
    return {(each.before, each.after): (each.outcome, each.by) for each in found}


def test_mutants_are_killed_where_a_test_notices(tmp_path: Path) -> None:
    """In functions, properties and constants; a hang counts; what no test reaches survives."""
    found = outcomes(tmp_path)
    test = "tests/test_tiny.py::test_scaled"
    assert found["return x * Scale().factor", "return x / Scale().factor"][0] == "killed"
    assert found["return FACTOR + 0", "return FACTOR + 1"][0] == "killed"
    assert found["FACTOR = 2", "FACTOR = 3"][0] == "killed"
    assert found["FACTOR = 2", "FACTOR = 3"][1].endswith(test.split("::")[1])
    assert found["x = x + 100", "x = x - 100"] == ("killed", "time limit")
    assert found["return x + 1", "return x - 1"] == ("survived", "no test reaches it")
    assert found["return FACTOR + 0", "return FACTOR - 0"][0] == "survived"
    assert found["while x < 0:", "while x <= 0:"][0] == "survived"
