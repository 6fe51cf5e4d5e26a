# SPDX-License-Identifier: Apache-2.0
"""How a command that judged a run ends."""

from __future__ import annotations

from typing import Any

import pytest
import typer
from tests.report.reports import case, report

from aclnn_cts.cli.options import show_and_exit
from aclnn_cts.judge.verdicts import Verdict


def test_the_first_case_of_each_broken_promise_is_told(
    bench: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nine failures of one promise do not hide the others; they fill what is left."""
    cases = [case(f"a{n}", Verdict.FAIL, broken=("formula",)) for n in range(9)]
    cases += [case(name, Verdict.FAIL, broken=(name,)) for name in ("x-dtype", "determinism")]
    with pytest.raises(typer.Exit):
        show_and_exit(report(bench, *cases))
    lines = capsys.readouterr().out.splitlines()
    told = [line.split()[2] for line in lines if line.startswith("story of ")]
    names = [name.split(chr(27))[0] for name in told]
    assert names == ["a0", "x-dtype", "determinism", "a1", "a2"]
    assert any(line.startswith("… and 6 more; `pytest") for line in lines)


@pytest.mark.parametrize(
    ("verdicts", "last"),
    [
        ([Verdict.PASS], "Every promise that was tested was kept: exit status 0"),
        ([Verdict.PASS, Verdict.FAIL], "1 case breaks 2 promises: exit status 1"),
        ([Verdict.PASS, Verdict.MISSING], "1 case of 2 prove nothing: exit status 3"),
    ],
)
def test_the_last_line_is_the_outcome(
    bench: Any, capsys: pytest.CaptureFixture[str], verdicts: list[Verdict], last: str
) -> None:
    """Behind stories, tables and file names: what became of it, and which status says so."""
    broken = {Verdict.FAIL: ("formula", "x-dtype")}
    cases = [
        case(str(n), verdict, broken=broken.get(verdict, ())) for n, verdict in enumerate(verdicts)
    ]
    with pytest.raises(typer.Exit) as ended:
        show_and_exit(report(bench, *cases))
    line = capsys.readouterr().out.splitlines()[-1]
    assert line == last
    assert line.endswith(f"exit status {ended.value.exit_code}")
