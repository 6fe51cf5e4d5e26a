# SPDX-License-Identifier: Apache-2.0
"""The runner's overhead is measured over what is promised: 1000 trivial cases of all kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from unittest import mock

import pytest
from tools.benchmarks import MissedTargetError, runner
from tools.benchmarks import __main__ as command
from tools.benchmarks.runner import elements_of, trivial_cases

from aclnn_cts.plan.cases import Case

Planned = Callable[..., tuple[Case, ...]]


def test_as_many_cases_as_are_promised(planned: Planned) -> None:
    """The standard tier has 1000, each operator and kind with about its share."""
    plan = planned("atlas-a2", "standard")
    cases = trivial_cases(plan, runner.CASES)
    assert len({case.id for case in cases}) == len(cases) == 1000
    shares = Counter((case.operator, case.expects_success) for case in cases)
    known = Counter((case.operator, case.expects_success) for case in plan if not case.again)
    assert shares.keys() == known.keys()
    fair = len(cases) / len(shares)
    assert all(share >= min(0.7 * fair, known[kind]) for kind, share in shares.items())
    assert max(shares.values()) <= 1.1 * fair


def test_the_smallest_cases(planned: Planned) -> None:
    """No smaller case of its operator and kind was left out, and none is about state."""
    plan = planned("atlas-a2", "standard")
    cases = trivial_cases(plan, runner.CASES)
    chosen = {case.id for case in cases}
    for operator in {case.operator for case in plan}:
        for works in (True, False):
            own = [c for c in plan if (c.operator, c.expects_success) == (operator, works)]
            taken = [elements_of(case) for case in own if case.id in chosen]
            left = [elements_of(c) for c in own if c.id not in chosen and not c.again]
            assert not own or max(taken) <= min(left, default=max(taken))
    assert not any(case.again for case in cases)


def test_the_cases_inside_do_not_count() -> None:
    """What programs say that their cases took is taken off, and the rest is per 1000 cases."""
    assert runner.Cost(cases=500, wall=3.0, busy=4.0, inside=1.0, processes=8).overhead == 4.0


def test_a_missed_target_ends_with_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that was asked for is measured first; then the sentence stands on standard error."""
    runner.require_speed(runner.TARGET_SECONDS)
    with pytest.raises(MissedTargetError, match=r"5\.01 s per 1000 .* more than the promised 5\.0"):
        runner.require_speed(5.01)
    measured = mock.Mock()
    slow = mock.Mock(main=mock.Mock(side_effect=MissedTargetError("too slow")))
    modules = {"tools.benchmarks.runner": slow, "tools.benchmarks.large": measured}
    loader = mock.Mock(import_module=modules.__getitem__)
    monkeypatch.setattr("tools.benchmarks.__main__.importlib", loader)
    monkeypatch.setattr("sys.argv", ["benchmarks", "runner", "large"])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == "too slow"  # a text is printed, and the status is 1
    measured.main.assert_called_once_with()


def test_the_state_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes to the benchmark of speed, and to no other."""
    loader = mock.Mock()
    monkeypatch.setattr("tools.benchmarks.__main__.importlib", loader)
    monkeypatch.setattr("sys.argv", ["benchmarks", "speed", "growth", "--against", "v1"])
    command.main()
    assert loader.import_module.return_value.main.mock_calls == [
        mock.call(against="v1"),
        mock.call(),
    ]


def test_an_unknown_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told with the names that there are, before anything is measured."""
    monkeypatch.setattr("sys.argv", ["benchmarks", "runer"])
    with pytest.raises(SystemExit, match="no benchmark 'runer'; choose among growth, large"):
        command.main()
