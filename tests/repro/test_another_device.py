# SPDX-License-Identifier: Apache-2.0
"""A case that does not fail here may have failed on another device: where it was tried is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.repro.minimize import make_smaller
from aclnn_cts.repro.observed import ObservedCase
from aclnn_cts.repro.trial import TrialBench
from aclnn_cts.run.folder import Device
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import find_suite


@pytest.mark.parametrize(
    ("cann", "where"), [(None, "the simulated device"), (Path("cann"), "device 3 of this host")]
)
def test_it_says_on_which_device_it_was_tried(
    specs: SpecSet,
    planned: Callable[[str, str], tuple[Case, ...]],
    monkeypatch: pytest.MonkeyPatch,
    cann: Path | None,
    where: str,
) -> None:
    """What a kit's host saw cannot be shrunk on a device that is right."""
    case = planned("atlas-a2", "smoke")[0]
    device = Device("hardware", "atlas-a2", "Ascend910B3", "8.0")
    failed = CaseVerdict(case.id, case.operator, Verdict.FAIL)
    known = ObservedCase(case, case, failed, device, "strict", "smoke", specs.edition)
    monkeypatch.setattr("aclnn_cts.repro.minimize._Trials.fails", lambda *_: [False])
    bench = TrialBench(find_suite(), specs, "atlas-a2", "smoke", "strict", cann=cann, number=3)
    smaller = make_smaller(bench, known)
    assert smaller.known == known
    assert f"run alone on {where} it did not fail in the same way" in smaller.said
    assert "kit's host" in smaller.said
