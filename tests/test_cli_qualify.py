# SPDX-License-Identifier: Apache-2.0
"""What ``qualify``, ``run --fault`` and ``run --variant`` refuse before any work is done."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aclnn_cts.cli import app, faults, qualify, run
from aclnn_cts.qualify.catalog import load_catalog
from aclnn_cts.spec.revisions import Revision


@pytest.fixture(scope="module", autouse=True)
def _read_once() -> Iterator[None]:
    """Have the commands share the catalog."""
    with pytest.MonkeyPatch.context() as patched:
        for command in (faults, qualify, run):
            patched.setattr(command, "load_catalog", functools.cache(load_catalog))
        yield


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["qualify", "--tier", "smok"], "did you mean 'smoke'"),
        (["qualify", "--operator", "aclnnLogitGrat"], "did you mean 'aclnnLogitGrad'"),
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


def test_a_revision_that_concerns_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A status of 0 would say that faults were tried."""
    monkeypatch.setattr(Revision, "since", lambda *_: Revision("", frozenset(), frozenset()))
    monkeypatch.setattr(Revision, "draws", lambda *_: False)
    ended = CliRunner().invoke(app, ["qualify", "--since", "HEAD"])
    assert ended.exit_code == 2
    assert "--since leaves no fault" in ended.stderr


def test_an_output_that_is_a_folder_is_refused_at_once(tmp_path: Path) -> None:
    """Nobody waits for minutes to learn that the result cannot be written."""
    ended = CliRunner().invoke(app, ["qualify", "--output", str(tmp_path)])
    assert ended.exit_code == 2
    assert "is a folder" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["reciprocal"], "logit-reciprocal-estimate (fault, aclnnLogitGrad): "),
        (["logit-upper-bound-excluded"], "+  } else if (x < eps || x >= 1.0F - eps) {"),
        (["logit-two-quotients"], "right by: unstated, subnormals-flushed: "),
        (["--operator", "runtime", "stale"], "runtime-stale-after-another-operator"),
        (["strides-ignored", "--json"], '"class": "strides-ignored"'),
        (["--all"], "logit-reciprocal-estimate (fault, aclnnLogitGrad): "),
        ([], "  strides-ignored: "),
        ([], " variants in all; `aclnn-cts faults --all` lists them"),
    ],
)
def test_faults_are_listed(arguments: list[str], shown: str) -> None:
    """By id, class, operator or word; one alone with its edits."""
    ended = CliRunner().invoke(app, ["faults", *arguments])
    assert ended.exit_code == 0
    assert shown in ended.stdout


def test_all_faults_are_only_counted() -> None:
    """Thousands of lines are for those who ask for them."""
    ended = CliRunner().invoke(app, ["faults"])
    assert 30 < len(ended.stdout.splitlines()) < 300
    assert "logit-reciprocal-estimate" not in ended.stdout


def test_near_faults_are_suggested() -> None:
    """A word that no id or text holds is answered with near ids."""
    ended = CliRunner().invoke(app, ["faults", "logit-two-quotiens"])
    assert ended.exit_code == 2
    assert "'logit-two-quotients'" in ended.stderr
