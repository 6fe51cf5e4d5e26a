# SPDX-License-Identifier: Apache-2.0
"""What is usual where the user says nothing: it depends on the device alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aclnn_cts.run.fault_injection import Change
from aclnn_cts.run.run_config import CASE_SECONDS, FAULTY_SECONDS, RunConfig


def test_the_simulated_device_has_as_many_workers_as_jobs() -> None:
    """They share device 0: a simulated device is a number and no card."""
    assert RunConfig.usual(jobs=3).devices == (0, 0, 0)


def test_a_card_has_one_worker(tmp_path: Path) -> None:
    """However many jobs there are, programs do not share a card unless it is named twice."""
    assert RunConfig.usual(tmp_path, jobs=3).devices == (0,)


def test_a_faulty_device_is_given_less_time() -> None:
    """A hang is expected of it, and must not cost a minute each."""
    assert RunConfig.usual(change=Change("some", {})).case_seconds == FAULTY_SECONDS
    assert RunConfig.usual(change=Change("some", {}, "variant")).case_seconds == CASE_SECONDS
    assert RunConfig.usual().case_seconds == CASE_SECONDS > FAULTY_SECONDS


def test_the_toolkit_is_known_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who goes on with a run may do so from another folder than it was started in."""
    monkeypatch.chdir(tmp_path)
    assert RunConfig.usual(Path("toolkit")).cann == os.fspath(tmp_path.resolve() / "toolkit")
    assert not RunConfig.usual().cann
