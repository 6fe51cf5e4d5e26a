# SPDX-License-Identifier: Apache-2.0
"""`aclnn-cts repro`: wrong input gets a sentence and status 2, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from aclnn_cts import cli

CASE = "LogitGrad.base.float32.4x9.eps_-1.a6ef63b6b7"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("LogitGrad.base.none", "-o", "new"), "unknown case of tier standard on atlas-a2"),
        ((CASE, "-o", "full"), "already exists and is not empty; name a new folder"),
        ((CASE, "-o", "full/mine"), "already exists and is not empty; name a new folder"),
        ((CASE, "-o", "new", "--product", "atlas_a2"), "did you mean 'atlas-a2'"),
        ((CASE, "-o", "new", "--tier", "smokey"), "did you mean 'smoke'"),
        ((CASE, "-o", "new", "--tier", "smoke", "--fault", "logit-x"), "unknown fault 'logit-x'"),
        ((CASE, "-o", "new", "--cann", ".", "--fault", "x-y"), "leave out --cann or --fault"),
        ((CASE, "-o", "new", "--tier", "smoke", "--cann", "full"), "acl.h is missing"),
        ((CASE, "-o", "new", "--results", "nowhere"), "there is no such results folder"),
        ((CASE, "-o", "new", "--results", "full"), "is not a results folder"),
        ((CASE, "-o", "new", "--results", "full", "--tier", "full"), "--results determines"),
        ((CASE, "-o", "new", "--results", "full", "--cann", "."), "--cann is for --shrink"),
        ((CASE, "-o", "new", "--results", "full", "--simulator"), "--simulator is for --shrink"),
        ((CASE, "-o", "new", "--results", "full", "--fault", "x-y"), "--fault is for --shrink"),
        ((CASE, "-o", "new", "--results", "full", "--devices", "1"), "--devices is for --shrink"),
        ((CASE, "-o", "new", "--devices", "x"), "is not a device number"),
        ((CASE, "-o", "new", "--devices", "0,1"), "on one device; name one"),
    ],
)  # fmt: skip
def test_wrong_input_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], sentence: str
) -> None:
    """One sentence says what is wrong; no folder is begun."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    result = CliRunner().invoke(cli.app, ("repro", *arguments))
    assert result.exit_code == 2, result.output
    assert sentence in result.output
    assert "Traceback" not in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["full"]
