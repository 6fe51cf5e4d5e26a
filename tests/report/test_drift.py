# SPDX-License-Identifier: Apache-2.0
"""Drifts of device times: beyond chance, and beyond what a busy host explains."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from scipy.stats import false_discovery_control  # only to have a second opinion on p-values
from tests.report.comparing_runs import case

from aclnn_cts.errors import ExitCode
from aclnn_cts.report.comparison_text import aside, headline
from aclnn_cts.report.drift import (
    LEAST_CASES,
    LEAST_LAUNCHES,
    LEAST_SCATTERED,
    Pair,
    Scatter,
    TimeDrifts,
    TimeSums,
    holm,
)
from aclnn_cts.report.run_comparison import Options, compare_results
from aclnn_cts.run.folder import Device

LAUNCHES = 20
USUAL = Options()


def launches(rng: np.random.Generator, median: float, count: int = LAUNCHES) -> tuple[float, ...]:
    """Return times with the long tail that launches have, to a nanosecond."""
    times = median * rng.lognormal(0.0, 0.05, count)
    times[rng.random(count) < 0.1] *= 1.5
    return tuple(np.round(times, 3).tolist())


def pairs(seed: int, slow_down: float, cases: int = 50, count: int = LAUNCHES) -> list[Pair]:
    """Return cases of which NEW's take ``slow_down`` times as long, beyond chance."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(cases):
        median = float(rng.uniform(8, 200))
        base, new = (launches(rng, median * factor, count) for factor in (1.0, slow_down))
        name = f"case-{number}"
        found.append((case(name, device_microseconds=base), case(name, device_microseconds=new)))
    return found


def time_drifts(of: Iterable[Pair], options: Options) -> TimeDrifts:
    sums = TimeSums(options)
    for pair in of:
        sums.add(pair)
    return sums.drifts()


def scatter_note(of: Iterable[Pair], options: Options) -> str:
    scatter = Scatter()
    for pair in of:
        scatter.add(pair)
    return scatter.note(options)


def test_false_alarms_are_as_rare_as_is_said() -> None:
    """At most the significance, over all cases together, and over all groups together.

    The worst case that is still no drift: every case is slower by exactly the factor.
    """
    options, comparisons = Options(significance=0.05), 200
    found = [time_drifts(pairs(n, options.time_factor, 20), options).drifts for n in range(200)]
    of_cases = sum(any(drift.case is not None for drift in drifts) for drifts in found)
    of_groups = sum(any(drift.case is None for drift in drifts) for drifts in found)
    # Three standard deviations of what chance makes of 5 %.
    most = 0.05 * comparisons + 3 * math.sqrt(0.05 * 0.95 * comparisons)
    assert of_cases <= most
    assert of_groups <= most
    # A test that never alarms would find nothing either.
    assert of_cases + of_groups > 0


def test_equal_devices_give_no_drift() -> None:
    """The usual significance, some comparisons, nothing found."""
    assert not any(time_drifts(pairs(seed, 1.0), USUAL).drifts for seed in range(20))


@pytest.mark.parametrize("slow_down", [1.2, 1.5, 3.0])
def test_a_slower_device_is_found(slow_down: float) -> None:
    """20 % more time in each case: the group is named, and most of the cases."""
    found = time_drifts(pairs(1, slow_down), USUAL)
    assert found.tested.cases == 50
    assert {drift.direction for drift in found.drifts} == {"worse"}
    (group,) = [drift for drift in found.drifts if drift.case is None]
    assert group.samples == (50, 50)
    assert group.ratio == pytest.approx(slow_down, rel=0.05)
    named = [drift for drift in found.drifts if drift.case is not None]
    assert len(named) >= 0.7 * 50
    assert all(drift.p_value <= USUAL.significance for drift in found.drifts)


def test_one_slower_case_among_many_is_found() -> None:
    """The correction for many cases leaves room for one that is half as fast again."""
    together = [*pairs(2, 1.0, 199), *((a.model_copy(update={"id": "slow"}), b.model_copy(
        update={"id": "slow"})) for a, b in pairs(3, 1.5, 1))]  # fmt: skip
    assert [drift.case for drift in time_drifts(together, USUAL).drifts] == ["slow"]


def test_a_faster_device_is_better() -> None:
    """The other direction is told, and ends no gate."""
    found = time_drifts(pairs(4, 1 / 1.5), USUAL)
    assert {drift.direction for drift in found.drifts} == {"better"}


def test_two_ordinary_launches_show_a_slower_operator_alone() -> None:
    """They are too few for any single case, but many cases agree."""
    found = time_drifts(pairs(5, 1.5, 40, count=2), USUAL)
    assert [drift.case for drift in found.drifts] == [None]
    assert found.tested.cases == 0
    assert "--timings 20" in found.note


@pytest.mark.parametrize(
    ("cases", "count", "note"),
    [
        (3, 0, "no case has any on both sides"),
        (3, LEAST_LAUNCHES - 1, "none has 5 launches on both sides"),
        (300, LEAST_LAUNCHES, "only 5 launches of each of 300 cases"),
        (300, LAUNCHES, ""),
    ],
)
def test_why_nothing_could_be_seen(cases: int, count: int, note: str) -> None:
    """A comparison that cannot find anything says so."""
    said = time_drifts(pairs(6, 1.0, cases, count), USUAL).note
    assert note in said if note else not said


def test_many_launches_on_one_side_are_enough() -> None:
    """5 launches against 20 have 53,130 orders, 5 against 5 no more than 252."""
    few, many = pairs(6, 1.0, 300, LEAST_LAUNCHES), pairs(6, 1.0, 300, LAUNCHES)
    mixed = [(base, new) for (base, _), (_, new) in zip(few, many, strict=True)]
    assert time_drifts(mixed, USUAL).note == ""


def test_small_groups_are_not_tested() -> None:
    """Chance makes a handful of cases agree."""
    assert time_drifts(pairs(7, 2.0, LEAST_CASES - 1), USUAL).tested.groups == 0
    assert time_drifts(pairs(7, 2.0, LEAST_CASES), USUAL).tested.groups == 1


def test_a_difference_below_the_clocks_is_no_news() -> None:
    """0.1 µs more than 0.2 µs is half as much again, and nothing that events can tell."""
    times = {"base": (0.2,) * LAUNCHES, "new": (0.3,) * LAUNCHES}
    both = [
        (
            case(str(n), device_microseconds=times["base"]),
            case(str(n), device_microseconds=times["new"]),
        )
        for n in range(10)
    ]
    assert time_drifts(both, USUAL).drifts == ()


def test_no_time_at_all_is_no_mistake() -> None:
    """A device that tells 0 gives neither a division by 0 nor a drift."""
    both = [(case(str(n), device_microseconds=(0.0,) * 9),) * 2 for n in range(10)]
    assert time_drifts(both, USUAL).drifts == ()


def test_holm_corrects_for_the_number_of_tests() -> None:
    """As in the procedure's own definition, and never below the correction that bounds less."""
    assert holm([]) == []
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    rng = np.random.default_rng(8)
    values = (rng.random(40) ** 3).tolist()
    corrected = np.array(holm(values))
    assert np.all(corrected >= false_discovery_control(values) - 1e-12)
    assert np.all(corrected >= values)


@pytest.mark.parametrize(
    ("kind", "gate", "status"),
    [
        ("hardware", None, ExitCode.BROKEN_PROMISE),
        ("simulator", None, ExitCode.PASSED),
        ("simulator", ("time",), ExitCode.BROKEN_PROMISE),
        ("hardware", ("failing",), ExitCode.PASSED),
    ],
)
def test_time_counts_on_a_card(
    results_document: Any, kind: str, gate: tuple[Any, ...] | None, status: ExitCode
) -> None:
    """What plays the simulated device shares its host; its times count only if asked for."""
    device = Device(kind, "atlas-a2", "Ascend910B3", "8.0")
    both = pairs(9, 2.0)
    base, new = (
        results_document(cases=tuple(pair[side] for pair in both), device=device) for side in (0, 1)
    )
    found = compare_results(base, new, Options(gate=gate))
    count = len(found.times)
    assert found.worse["time"] == count > 0
    assert found.exit_status is status
    counts = kind == "hardware" if gate is None else "time" in gate
    grew = f"{count} times on the device grew"  # "51 times grew" could be read as 51 growths
    assert headline(found).endswith(grew) is counts
    assert aside(found).endswith(grew) is not counts
    back = headline(compare_results(new, base, Options(gate=gate)))
    assert back == "NEW is no worse than BASE" + (f": {count} better" if counts else "")


def scattered(ratios: np.ndarray, moments: float = 0.0, launches: float = 0.05) -> list[Pair]:
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
    found = time_drifts(scattered(SAME, moments), USUAL)
    assert any(drift.case is not None for drift in found.drifts)
    assert "a tenth of the cases took more than 1." in found.note
    assert "the hosts were busy now and then" in found.note


@pytest.mark.parametrize("launches", [0.02, 0.1, 0.4])
def test_launches_that_scatter_by_themselves_are_no_busy_host(launches: float) -> None:
    """The rank tests take care of these."""
    assert scatter_note(scattered(SAME, launches=launches), USUAL) == ""


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
    found = time_drifts(scattered(ratios), USUAL)
    assert any(drift.case is not None for drift in found.drifts)
    assert found.note == ""


def test_few_cases_say_nothing_of_their_host() -> None:
    """A tenth of them would be one or two."""
    assert scatter_note(scattered(SAME[:LEAST_SCATTERED], 0.5), USUAL)
    assert scatter_note(scattered(SAME[: LEAST_SCATTERED - 1], 0.5), USUAL) == ""


def test_no_time_at_all_is_no_scatter() -> None:
    """Clocks that tell 0 for some launches are no reason to end with a defect."""
    zeros = [(case("zero", device_microseconds=(0.0,) * 20),) * 2] * LEAST_SCATTERED
    assert scatter_note([*zeros, *scattered(SAME)], USUAL) == ""
