# SPDX-License-Identifier: Apache-2.0
"""Simulator, harness and programs under AddressSanitizer and UBSan.

What the programs compute is judged elsewhere: `tox -e verdict` runs the same cases.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from aclnn_cts.judge.standards import DEFAULT_STANDARD
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.campaign import Request, Silent, run_campaign
from aclnn_cts.run.process import how_it_ended
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import find_suite

PRODUCT = "atlas-a2"


def test_no_sanitizer_ends_a_program(
    specs: SpecSet, planned: Callable[..., tuple[Case, ...]], tmp_path: Path
) -> None:
    """All cases of the smoke tier; a sanitizer that finds something ends the program."""
    cases = planned(PRODUCT, "smoke")
    config = RunConfig(devices=(0, 0), sanitize=True)
    request = Request(PRODUCT, "smoke", DEFAULT_STANDARD, cases, tmp_path, config)
    programs = run_campaign(find_suite(), specs, request, Silent()).programs
    ended = [f"{p.operator}: {how_it_ended(p)}\n{p.stderr}" for p in programs if p.exit_code != 0]
    assert not ended, "\n".join(ended)
    assert {p.operator for p in programs} == {case.operator for case in cases}
