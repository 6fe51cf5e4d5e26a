# SPDX-License-Identifier: Apache-2.0
"""``aclnn-cts flaky``: cases that fail now and then, and cards that disagree with the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from aclnn_cts.cli.options import (
    AsJson,
    Operators,
    StoreAddress,
    StoredCann,
    StoredHosts,
    StoredProducts,
    StoredSince,
    StoredTier,
    reported,
)
from aclnn_cts.cli.store import selection_of
from aclnn_cts.console import print_json
from aclnn_cts.report.formatting import card_of, counted

if TYPE_CHECKING:
    from aclnn_cts.store.flaky import Flakiness, Rate

_SHOWN = 20
_OF_A_CARD = 3


@reported
def flaky(
    operator: Operators = None,
    product: StoredProducts = None,
    host: StoredHosts = None,
    cann: StoredCann = "",
    tier: StoredTier = "",
    since: StoredSince = "",
    as_json: AsJson = False,
    store: StoreAddress = None,
) -> None:
    """List cases that fail now and then on one build, and cards that disagree with the others."""
    from aclnn_cts.store import database  # noqa: PLC0415 - SQLAlchemy takes long to import
    from aclnn_cts.store.flaky import flakiness  # noqa: PLC0415 - as above

    selection = selection_of(product, host, cann, tier, since)
    with database.opened(store) as opening, opening.reading() as connection:
        found = flakiness(connection, selection, tuple(operator or ()))
    if as_json:
        print_json(asdict(found))
        return
    for line in _lines(found):
        typer.echo(line)


def _lines(found: Flakiness) -> Iterator[str]:
    odd = [card for card in found.cards if card.disagrees]
    yield (
        f"{counted(found.runs, 'run')}; failing now and then on a card: "
        f"{counted(len(found.cases), 'case')}; disagreeing with the others: "
        f"{counted(len(odd), 'card')}"
    )
    for card in (*odd, *(card for card in found.cards if not card.disagrees))[: len(odd) + 3]:
        state = "disagrees" if card.disagrees else "may be chance"
        yield ""
        build = found.builds[card.build]
        yield f"{card_of(card.host, card.card)}: {state} (p {card.p_value:.2g}), {build}"
        yield f"  it alone fails   {_rate(card.rate)} of its runs"
        yield f"  another card     {_rate(card.siblings)} of theirs"
        yield from (f"  {case}" for case in card.cases[:_OF_A_CARD])
        if len(card.cases) > _OF_A_CARD:
            yield f"  … and {len(card.cases) - _OF_A_CARD} more cases"
    if found.cases:
        yield ""
    for case in found.cases[:_SHOWN]:
        yield f"{case.case}: fails {_rate(case.rate)} on {card_of(case.host, case.card)}"
        others = (
            "no other card ran it" if case.elsewhere is None else f"others {_rate(case.elsewhere)}"
        )
        within = f"; now so, now otherwise within {case.reruns} runs" if case.reruns else ""
        yield f"  {others}; {found.builds[case.build]}{within}"
    if len(found.cases) > _SHOWN:
        yield f"… and {len(found.cases) - _SHOWN} more; --json lists them all"


def _rate(rate: Rate) -> str:
    return f"{rate.failed} of {rate.tried} ({rate.low:.1%} to {rate.high:.1%})"
