# SPDX-License-Identifier: Apache-2.0
"""Entries of a results file, from the few facts that a test is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.report.comparing_runs import case

from aclnn_cts.judge.standards import Figures
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.cases import CaseEntry

Entries = Callable[..., CaseEntry]


@pytest.fixture(scope="session")
def entry() -> Entries:
    """Return what makes the entry of one case."""

    def make(name: str, verdict: str = "pass", **facts: Any) -> CaseEntry:
        fails = Verdict(verdict).breaks_promise
        return case(
            name,
            verdict,
            **{
                "exercised": ("formula", "two-phase"),
                "kinds": ("value",) if fails else (),
                "standards": {},
                "seconds": 0.001,
                "device_microseconds": (2.0, 4.0),
                "message": "3 of 9 elements of out are wrong" if fails else "",
                "story": f"{verdict.upper()} {name}\ncall:   it\n  x: float32\nagain:  it",
                **facts,
            },
        )

    return make


@pytest.fixture(scope="session")
def figures() -> Callable[..., Figures]:
    """Return what makes the figures of one standard."""

    def make(**facts: Any) -> Figures:
        names = ("max_abs_error", "mean_relative_error", "max_relative_error", "mean_abs_ulp")
        return Figures(
            **{
                "passed": True,
                "elements": 9,
                "compared": 9,
                "failing": 0,
                "first_failing": -1,
                "output": "out",
                "matched_ratio": 1.0,
                **dict.fromkeys(names, 0.0),
                "worst_ulp": 0.5,
                "worst_share": 1.0,
                "mean_ulp": 0.01,
                **facts,
            }
        )

    return make
