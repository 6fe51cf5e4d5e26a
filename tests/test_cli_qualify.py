# SPDX-License-Identifier: Apache-2.0
"""What ``qualify``, ``run --fault`` and ``run --variant`` refuse before any work is done."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from aclnn_cts.cli import app


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["qualify", "--tier", "smok"], "did you mean 'smoke'"),
        (["qualify", "--operator", "aclnnLogit"], "did you mean 'aclnnLogitGrad'"),
        (["qualify", "--fault", "logit-lower-bound"], "did you mean 'logit-lower-bound-excluded'"),
        (
            ["qualify", "--operator", "layout", "--fault", "logit-upper-bound-excluded"],
            "no fault or",
        ),
        (
            ["run", "--fault", "logit-upper-bound-exclude"],
            "did you mean 'logit-upper-bound-excluded'",
        ),
        (["run", "--fault", "logit-upper-bound-excluded", "--sanitize"], "exclude each other"),
        (["run", "--fault", "logit-upper-bound-excluded", "--cann", "."], "--fault is for"),
        (["qualify", "--variant", "logit-two-quotient"], "did you mean 'logit-two-quotients'"),
        (["run", "--variant", "logit-upper-bound-excluded"], "unknown variant"),
        (["run", "--variant", "logit-two-quotients", "--sanitize"], "exclude each other"),
        (["run", "--variant", "logit-two-quotients", "--fault", "x-y"], "exclude each other"),
        (["run", "--variant", "logit-two-quotients", "--cann", "."], "--variant is for"),
    ],
)
def test_wrong_input_is_refused_at_once(arguments: list[str], said: str) -> None:
    """Status 2, and a sentence that offers the right name."""
    ended = CliRunner().invoke(app, arguments)
    assert ended.exit_code == 2
    assert said in ended.stderr


def test_an_output_that_is_a_folder_is_refused_at_once(tmp_path: Path) -> None:
    """Nobody waits for minutes to learn that the result cannot be written."""
    ended = CliRunner().invoke(app, ["qualify", "--output", str(tmp_path)])
    assert ended.exit_code == 2
    assert "is a folder" in ended.stderr
