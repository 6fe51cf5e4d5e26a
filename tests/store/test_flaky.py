# SPDX-License-Identifier: Apache-2.0
"""Cases that fail now and then on one build, and cards that disagree with their siblings."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, hypergeom
from tests.report.comparing_runs import case
from tests.store.conftest import Make, Nights, add, invoke

from aclnn_cts.errors import ExitCode
from aclnn_cts.report.common_cause import tail
from aclnn_cts.store.folder import Store
from aclnn_cts.store.runs import Selection
from aclnn_cts.store.statistics import Flakiness, Rate, flakiness


def ask(store: Store) -> Flakiness:
    return flakiness(store, Selection())


@given(st.integers(0, 60).flatmap(lambda tried: st.tuples(st.integers(0, tried), st.just(tried))))
def test_the_interval_is_that_of_clopper_and_pearson(counts: tuple[int, int]) -> None:
    """The interval of a rate is the exact one."""
    failed, tried = counts
    if not tried:
        return
    rate = Rate.of(failed, tried)
    exact = binomtest(failed, tried).proportion_ci(0.95, method="exact")
    assert (rate.low, rate.high) == pytest.approx((exact.low, exact.high), abs=1e-9)


@given(st.data())
def test_the_test_is_that_of_fisher(data: st.DataObject) -> None:
    """The probability is that of the hypergeometric distribution."""
    tried = data.draw(st.integers(1, 60))
    runs, failed = (data.draw(st.integers(0, tried)) for _ in range(2))
    own = data.draw(st.integers(0, min(runs, failed)))
    expected = float(hypergeom.sf(own - 1, tried, failed, runs))
    assert tail(own, failed, runs, tried) == pytest.approx(expected, abs=1e-9)


def test_a_case_that_fails_now_and_then(store: Store, nights: Nights) -> None:
    """It is flaky on the card on which it did both; the others are told beside it."""
    nights(
        {"LogitGrad.a": ".F..F.", "LogitGrad.b": "......", "LogitGrad.c": "FFFFFF"},
        card=[0, 0, 0, 0, 1, 1],
    )
    found = ask(store)
    assert [(each.case, each.card) for each in found.cases] == [
        ("LogitGrad.a", 0),
        ("LogitGrad.a", 1),
    ]
    first = found.cases[0]
    assert (first.rate.failed, first.rate.tried) == (1, 4)
    assert first.elsewhere is not None
    assert (first.elsewhere.failed, first.elsewhere.tried) == (1, 2)


def test_a_change_of_the_build_is_not_flakiness(store: Store, nights: Nights) -> None:
    """A case that fails with one version and passes with another is not flaky."""
    nights({"LogitGrad.a": "..FF"}, cann=["8.0", "8.0", "8.1", "8.1"])
    found = ask(store)
    assert not found.cases
    assert not found.cards


def test_the_verdict_flaky(store: Store, nights: Nights) -> None:
    """A case that was flaky within its only run is flaky."""
    nights({"LogitGrad.a": "~"})
    (found,) = ask(store).cases
    assert (found.reruns, found.rate.failed, found.elsewhere) == (1, 1, None)


def test_a_card_that_disagrees(store: Store, nights: Nights) -> None:
    """One card fails what its siblings pass, too often for chance; what fails on all is no sign."""
    cards = [0, 1, 2] * 6
    nights(
        {
            "LogitGrad.a": "".join("F" if card == 2 else "." for card in cards),
            "LogitGrad.b": "F" * 18,
            "LogitGrad.c": "F" + "." * 17,
        },
        card=cards,
    )
    odd, chance = ask(store).cards
    assert (odd.card, odd.cases, odd.disagrees) == (2, ("LogitGrad.a",), True)
    assert (odd.rate.failed, odd.rate.tried) == (6, 6)
    assert (odd.siblings.failed, odd.siblings.tried) == (1, 12)
    assert odd.p_value == pytest.approx(2 * tail(6, 7, 6, 18))
    assert (chance.card, chance.disagrees) == (0, False)


def test_a_card_of_a_run_on_several(store: Store, judged: Make) -> None:
    """Cases that move between the cards of a run tell which card is at fault, as single runs do."""
    for night in range(12):
        cards = {f"LogitGrad.{name}": (place + night) % 3 for place, name in enumerate("abc")}
        cases = [
            case(name, "fail" if card == 2 else "pass", host="h", card=card)
            for name, card in cards.items()
        ]
        missing = case("LogitGrad.d", "missing", host="h", card=0)
        add(store, judged(*cases, missing, day=night, card=None))
    found = ask(store)
    (odd,) = found.cards
    assert (odd.host, odd.card, odd.disagrees) == ("h", 2, True)
    assert odd.cases == ("LogitGrad.a", "LogitGrad.b", "LogitGrad.c")
    assert (odd.rate.failed, odd.rate.tried) == (12, 12)
    assert (odd.siblings.failed, odd.siblings.tried) == (0, 24)
    assert not found.cases


def test_what_proves_nothing_is_no_pass(store: Store, nights: Nights) -> None:
    """A case that failed, and left no record another time, did not keep its promise then."""
    nights({"LogitGrad.a": "F?F?"})
    assert not ask(store).cases


def test_a_single_card_has_no_siblings(store: Store, nights: Nights) -> None:
    """Without another card on the same build, there is nothing to disagree with."""
    nights({"LogitGrad.a": "FFFF"})
    assert not ask(store).cards


def test_the_command(folder: str, store: Store, nights: Nights) -> None:
    """What people read says the same as the JSON document."""
    del store
    nights({"LogitGrad.a": ".F..FF"}, card=[0, 1, 0, 0, 1, 1], host=["h"] * 6)
    shown = invoke("history", "--flaky", "--store", folder)
    assert shown.exit_code == ExitCode.PASSED, shown.output
    assert "h, card 1: may be chance" in shown.output
    told = json.loads(invoke("history", "--flaky", "--store", folder, "--json").output)
    assert [card["card"] for card in told["cards"]] == [1]
    assert told["runs"] == 6
