# SPDX-License-Identifier: Apache-2.0
"""How a command that judged a run ends."""

from __future__ import annotations

from typing import Any

import pytest
import typer
from tests.report.reports import case, report

from aclnn_cts.cli.showing import show_and_exit
from aclnn_cts.judge.verdicts import Verdict


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
