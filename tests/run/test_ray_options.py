# SPDX-License-Identifier: Apache-2.0
"""Options about a cluster, as far as no cluster is needed to refuse them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aclnn_cts.cli import app
from aclnn_cts.errors import ExitCode

_HAS_RAY = importlib.util.find_spec("ray") is not None
needs_ray = pytest.mark.skipif(not _HAS_RAY, reason="Ray is not installed")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--product", "atlas-a2", "--product", "atlas-a3"), "with --ray only"),
        (("--cann-version", "8"), "with --ray only"),
        (("--ray", "head:6379", "--devices", "0"), "exclude each other"),
        (("--shard", "4/3"), "is not a shard"),
        pytest.param(("--ray", "127.0.0.1:1"), "no Ray cluster answers", marks=needs_ray),
        pytest.param(("--ray", "ray://head:10001"), "is not an address", marks=needs_ray),
    ],
)
def test_refused(
    options: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence says what is wrong; nothing is written."""
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["run", *options])
    assert (done.exit_code, words in done.output) == (ExitCode.WRONG_INPUT, True), done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(_HAS_RAY, reason="Ray is installed")
def test_without_ray() -> None:
    """The sentence says how to get it."""
    done = CliRunner().invoke(app, ["run", "--ray", "head:6379"])
    assert done.exit_code == ExitCode.WRONG_INPUT
    assert "pip install 'aclnn-cts[ray]'" in done.output
