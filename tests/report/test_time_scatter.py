# SPDX-License-Identifier: Apache-2.0
"""Whether a comparison says that its times are those of busy hosts."""

from __future__ import annotations

import numpy as np
import pytest
from tests.report.comparing_runs import case

from aclnn_cts.report.comparison import Options
from aclnn_cts.report.drift import LEAST_SCATTERED, Pair, scatter_note, time_drifts

USUAL = Options()


def pairs(ratios: np.ndarray, moments: float = 0.0, launches: float = 0.05) -> list[Pair]:
    """Return cases that take so many times as long in NEW.

    Args:
        ratios: Of each case.
        moments: How much all launches of a case scatter together, from run to run.
        launches: How much each launch scatters by itself.
    """
    rng = np.random.default_rng(1)
    found = []
    for number, ratio in enumerate(ratios):
        base, new = (
            (level * rng.lognormal(0, moments) * rng.lognormal(0, launches, 20)).tolist()
            for level in (50.0, 50.0 * ratio)
        )
        name = f"case-{number}"
        found.append((case(name, device_microseconds=base), case(name, device_microseconds=new)))
    return found


SAME = np.ones(200)


@pytest.mark.parametrize("moments", [0.15, 0.3])
def test_a_busy_host_is_told(moments: float) -> None:
    """Equal releases, and yet cases drift both ways: that is said beside them."""
    found = time_drifts(pairs(SAME, moments), USUAL)
    assert any(drift.case is not None for drift in found.drifts)
    assert "a tenth of the cases took more than 1." in found.note
    assert "the hosts were busy now and then" in found.note


@pytest.mark.parametrize("launches", [0.02, 0.1, 0.4])
def test_launches_that_scatter_by_themselves_are_no_busy_host(launches: float) -> None:
    """The rank tests take care of these."""
    assert scatter_note(pairs(SAME, launches=launches), USUAL) == ""


@pytest.mark.parametrize(
    "ratios",
    [
        np.geomspace(1.2, 50.0, 200),
        np.where(np.arange(200) < 30, 2.0, 1.0),
        np.where(np.arange(200) < 10, 2.0, np.where(np.arange(200) < 100, 0.5, 1.0)),
    ],
    ids=["all, differently", "some", "most of them faster"],
)
def test_a_slower_release_is_no_busy_host(ratios: np.ndarray) -> None:
    """What goes one way, as a rule, says nothing against its times."""
    found = time_drifts(pairs(ratios), USUAL)
    assert any(drift.case is not None for drift in found.drifts)
    assert found.note == ""


def test_few_cases_say_nothing_of_their_host() -> None:
    """A tenth of them would be one or two."""
    assert scatter_note(pairs(SAME[:LEAST_SCATTERED], 0.5), USUAL)
    assert scatter_note(pairs(SAME[: LEAST_SCATTERED - 1], 0.5), USUAL) == ""


def test_no_time_at_all_is_no_mistake() -> None:
    """Clocks that tell 0 for some launches are no reason to end with a defect."""
    zeros = [(case("zero", device_microseconds=(0.0,) * 20),) * 2] * LEAST_SCATTERED
    assert scatter_note([*zeros, *pairs(SAME)], USUAL) == ""
