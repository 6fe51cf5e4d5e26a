# SPDX-License-Identifier: Apache-2.0
"""Accuracy and device time over many runs, and where they change for good."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable

import numpy as np
from tests.report.comparing_runs import case
from tests.store.conftest import Make, add, invoke

from aclnn_cts.errors import ExitCode
from aclnn_cts.results.cases import ResolvingEntry
from aclnn_cts.store.folder import Store
from aclnn_cts.store.runs import Selection, all_runs
from aclnn_cts.store.statistics import Trend, trends


def fill(
    store: Store,
    judged: Make,
    errors: Iterable[tuple[float, float]],
    times: Iterable[float],
    versions: Iterable[str],
) -> None:
    for night, (own, time, cann) in enumerate(zip(errors, times, versions, strict=True)):
        cases = (
            case("LogitGrad.a", errors=own, device_microseconds=(time, time)),
            case("LogitGrad.wrong", "fail", errors=(math.inf, math.inf)),
        )
        add(store, judged(*cases, day=night, cann=cann))


def ask(store: Store) -> dict[str, Trend]:
    return {trend.figure: trend for trend in trends(store, Selection())}


def test_figures_by_release(store: Store, judged: Make) -> None:
    """Each release has its median and its largest value; failing cases have no part in them."""
    fill(store, judged, [(1, 0.25), (3, 0.25), (8, 0.5)], [10, 20, 40], ["8.0", "8.0", "8.1.RC1"])
    found = ask(store)
    worst = [
        (each.cann, each.runs, each.median, each.largest) for each in found["worst_ulp"].releases
    ]
    assert worst == [("8.0", 2, 2, 3), ("8.1.RC1", 1, 8, 8)]
    assert [each.value for each in found["mean_ulp"].values] == [0.25, 0.25, 0.5]
    np.testing.assert_allclose([each.value for each in found["microseconds"].values], [10, 20, 40])
    assert not any(trend.changes for trend in found.values())


def test_no_error_where_nothing_is_judged_by_value(store: Store, judged: Make) -> None:
    """The outputs of a contract operator are finite, which is no accuracy."""
    by_class = ResolvingEntry(ulps=None, by_value=0, by_class=7, plain_zeros=0)
    found = case("LogitGrad.a", errors=(0.0, 0.0), device_microseconds=(10.0, 10.0))
    add(store, judged(found.model_copy(update={"resolving": by_class}), day=1))
    assert set(ask(store)) == {"microseconds"}


def test_a_change_for_good(store: Store, judged: Make) -> None:
    """A step is found where it is, with what changed there; a single bad night is not."""
    random = np.random.default_rng(1)
    times = 100 + random.normal(size=40)
    times[25:] *= 1.3
    times[7] = 500.0
    errors = [(0.5, 0.25)] * 15 + [(2.0, 1.0)] * 25
    versions = ["8.0"] * 15 + ["8.1"] * 10 + ["8.2"] * 15
    fill(store, judged, errors, times.tolist(), versions)
    found = ask(store)
    (slower,) = found["microseconds"].changes
    assert (slower.after, slower.before) == (all_runs(store)[25], all_runs(store)[24])
    assert slower.differences == ("CANN 8.1 → 8.2",)
    assert slower.worse
    for figure in ("worst_ulp", "mean_ulp"):
        (change,) = found[figure].changes
        assert (change.after, change.differences) == (all_runs(store)[15], ("CANN 8.0 → 8.1",))


def test_noise_is_no_change(store: Store, judged: Make) -> None:
    """Times that only scatter, or change by less than a drift must, have no change."""
    random = np.random.default_rng(2)
    times = 100 + 3 * random.normal(size=60)
    times[30:] *= 1.05
    fill(store, judged, [(0.5, 0.25)] * 60, times.tolist(), ["8.0"] * 60)
    assert not any(trend.changes for trend in ask(store).values())


def test_the_command(folder: str, store: Store, judged: Make) -> None:
    """What people read says the same as the JSON document."""
    fill(store, judged, [(0.5, 0.25)] * 8 + [(4, 2)] * 8, [9.0] * 16, ["8.0"] * 8 + ["8.1"] * 8)
    ninth = all_runs(store)[8]
    arguments = ["history", "--trends", "--store", folder, "--changed"]
    shown = invoke(*arguments)
    assert shown.exit_code == ExitCode.PASSED, shown.output
    assert f"grew from 0.5 to 4 with run {ninth.short}" in shown.output
    told = json.loads(invoke(*arguments, "--json").output)
    assert {each["figure"]: each["changes"][0]["after"] for each in told} == {
        "worst_ulp": ninth.id,
        "mean_ulp": ninth.id,
    }
