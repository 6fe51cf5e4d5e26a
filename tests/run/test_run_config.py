# SPDX-License-Identifier: Apache-2.0
"""What is usual where the user says nothing: it depends on the device alone."""

from __future__ import annotations

from aclnn_cts.run.run_config import CASE_SECONDS, FAULTY_SECONDS, RunConfig, case_seconds_of


def test_a_faulty_device_is_given_less_time() -> None:
    """A hang is expected of it, and must not cost a minute each."""
    assert case_seconds_of(faulty=True) == FAULTY_SECONDS < CASE_SECONDS
    assert case_seconds_of(faulty=False) == RunConfig().case_seconds == CASE_SECONDS
