# SPDX-License-Identifier: Apache-2.0
"""The facts of a case say what it is, in phrases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from aclnn_cts.plan.cases import Case
from aclnn_cts.report.facts import MUST_BE_REFUSED, facts_of

Planned = Callable[[str, str], tuple[Case, ...]]


def test_a_plain_case(bench: Any) -> None:
    """Data type, layout, tails, attributes and scene are told, each once."""
    facts = facts_of(bench.case("c", [0.5] * 9, [1.0] * 9))
    assert facts == (
        "float32",
        "all contiguous",
        "out of rank 1",
        "elements of out no multiple of 16",
        "bytes of out no multiple of 32",
        "rows of out no multiple of 32 bytes",
        "eps = -1.0",
        "scene pairs",
        "x filled with uniform",
        "dy filled with uniform",
    )


def test_a_stepped_input(bench: Any) -> None:
    """How a view lies in its storage is told besides its layout's name."""
    facts = facts_of(bench.case("c", [0.5] * 4, [1.0] * 4, layout="stepped"))
    assert {"an input not contiguous", "x stepped", "x with steps along its last axis"} <= set(
        facts
    )
    assert "all contiguous" not in facts


def test_a_refusal_is_told_as_one(bench: Any) -> None:
    """Calls that must be refused can be told from those that must work."""
    assert facts_of(bench.refusal("r"))[0] == MUST_BE_REFUSED
    assert MUST_BE_REFUSED not in facts_of(bench.case("c", [0.5], [1.0]))


@pytest.mark.parametrize("size", [16, 32])
def test_whole_blocks_have_no_tail(bench: Any, size: int) -> None:
    """Nothing is left over of a tensor that fills its blocks."""
    facts = facts_of(bench.case("c", [0.5] * size, [1.0] * size))
    assert not [fact for fact in facts if "multiple" in fact]


def test_every_planned_case_has_facts(planned: Planned) -> None:
    """No case of a tier breaks the facts, and no fact of it is told twice."""
    for case in planned("atlas-a2", "smoke"):
        facts = facts_of(case)
        assert len(facts) == len(set(facts)) >= 4
        assert f"scene {case.scene}" in facts
