# SPDX-License-Identifier: Apache-2.0
"""Shards: each case in one of them, alike on every host, as much work in each."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.executor import cost_of
from aclnn_cts.run.shards import Shard


@pytest.mark.parametrize("of", [1, 3, 16])
def test_cases_are_shared_out(planned: Callable[..., tuple[Case, ...]], of: int) -> None:
    """Each case is in one shard, in the plan's order, and no shard has much more to do.

    The host that asks for its shard may have planned the operators in another order.
    """
    cases = planned("atlas-a2", "smoke")
    shards = [Shard(number, of).cases_of(cases) for number in range(1, of + 1)]
    place = {case.id: number for number, case in enumerate(cases)}
    for shard in shards:
        assert [place[case.id] for case in shard] == sorted(place[case.id] for case in shard)
    assert sorted(case.id for shard in shards for case in shard) == sorted(place)
    loads = [sum(map(cost_of, shard)) for shard in shards]
    largest = max(map(cost_of, cases))
    assert max(loads) - min(loads) <= largest
    elsewhere = Shard(1, of).cases_of(cases[::-1])
    assert {case.id for case in elsewhere} == {case.id for case in shards[0]}


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "a/b", "1/0", "-1/3", "1/3/5"])
def test_what_is_not_a_shard(text: str) -> None:
    """It is refused as the user's mistake."""
    with pytest.raises(WrongInputError, match="write 3/16"):
        Shard.parse(text)


def test_more_shards_than_cases(planned: Callable[..., tuple[Case, ...]]) -> None:
    """A shard without a case would be a run that tested nothing."""
    with pytest.raises(WrongInputError, match="only 2 cases"):
        Shard(1, 3).cases_of(planned("atlas-a2", "smoke")[:2])
