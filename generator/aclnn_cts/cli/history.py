# SPDX-License-Identifier: Apache-2.0
"""``aclnn-cts history``: since when cases or clauses fail, and on which card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from aclnn_cts.cli.options import (
    AsJson,
    CasePatterns,
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
from aclnn_cts.console import PlainConsole, print_json
from aclnn_cts.errors import WrongInputError
from aclnn_cts.report.formatting import card_of, counted

if TYPE_CHECKING:
    from aclnn_cts.store.history import History, PlaceHistory, Point
    from aclnn_cts.store.runs import RunFacts

_STYLES = {"F": "red", "C": "red", "T": "red", "~": "red", "w": "yellow", ".": "green"}
_CASES_SHOWN = _PLACES_SHOWN = 20


@reported
def history(
    case: CasePatterns = None,
    clause: Annotated[str, typer.Option("--clause", help="Only cases that test it.")] = "",
    operator: Operators = None,
    product: StoredProducts = None,
    host: StoredHosts = None,
    cann: StoredCann = "",
    tier: StoredTier = "",
    since: StoredSince = "",
    as_json: AsJson = False,
    store: StoreAddress = None,
) -> None:
    """Show since when cases, a clause or an operator fail, and on which card."""
    from aclnn_cts.store import database  # noqa: PLC0415 - SQLAlchemy takes long to import
    from aclnn_cts.store import history as asked  # noqa: PLC0415 - as above

    if not (case or clause or operator):
        raise WrongInputError("nothing to look up; give --case, --clause or --operator")
    subject = asked.Subject(tuple(case or ()), clause, tuple(operator or ()))
    selection = selection_of(product, host, cann, tier, since)
    with database.opened(store) as opening, opening.reading() as connection:
        found = asked.history(connection, subject, selection)
    if as_json:
        print_json([_as_json(each) for each in found])
        return
    console = PlainConsole()
    for number, each in enumerate(found):
        if number:
            console.print()
        for line in _lines(each, console.width):
            console.print(line, soft_wrap=True)


def _as_json(found: History) -> dict[str, Any]:
    """Return a history with each run's facts, and elsewhere the runs' numbers."""
    named = {name: getattr(found, name) for name in ("before", "began", "since")}
    return {
        "product": found.product,
        "points": [asdict(point) for point in found.points],
        **{name: run and run.id for name, run in named.items()},
        "changes": found.changes,
        "cases": [
            {
                "case": each.case,
                "runs": each.runs,
                "broken": each.broken,
                "first": each.first.id,
                "last": each.last.id,
                "since": each.since and each.since.id,
            }
            for each in found.cases
        ],
        "places": [
            {
                **vars(each),
                "began": each.began and each.began.id,
                "before": each.before and each.before.id,
            }
            for each in found.places
        ],
    }


def told(run: RunFacts) -> str:
    """Return a run in a few words."""
    label = f" ({run.label})" if run.label else ""
    return f"run {run.id}{label}, {run.started[:10]}, CANN {run.cann or 'unknown'}, {run.host}"


def _lines(found: History, width: int) -> Iterator[Text | str]:
    failing = found.failing
    yield Text(f"{found.product}: {len(failing)} of {counted(len(found.points), 'run')} fail")
    yield from _versions(found.points, width)
    if not failing:
        return
    began, before = found.began, found.before
    yield ""
    if began is not None:
        state = "failing since" if found.since is not None else "last began to fail"
        yield Text(f"{state}  {told(began)}")
    if before is not None:
        yield Text(f"passed until   {told(before)}")
        changes = found.changes or ("nothing that the runs record",)
        yield Text(f"between them   {'; '.join(changes)}")
    yield Text(f"first failing  {told(failing[0].run)}")
    yield Text(f"last failing   {told(failing[-1].run)}")
    if failing[-1].run.report:
        yield Text(f"its report     {failing[-1].run.report}")
    yield ""
    for place in found.places[:_PLACES_SHOWN]:
        yield Text(f"{card_of(place.host, place.card)}: {_seen_at(place)}")
    if len(found.places) > _PLACES_SHOWN:
        yield Text(f"… and {len(found.places) - _PLACES_SHOWN} more; --json lists them all")
    yield ""
    for case in found.cases[:_CASES_SHOWN]:
        state = f"since run {case.since.id}" if case.since else "not the last time on its card"
        seen = f"{case.broken} of {case.runs}, runs {case.first.id} to {case.last.id}"
        yield Text(f"{case.case}: {seen}, {state}")
    if len(found.cases) > _CASES_SHOWN:
        yield Text(f"… and {len(found.cases) - _CASES_SHOWN} more; --json lists them all")


def _seen_at(place: PlaceHistory) -> str:
    seen = f"fails in {place.broken} of {counted(place.runs, 'run')}"
    if place.began is None:
        return seen
    before = f", not in run {place.before.id} before" if place.before else ""
    return f"{seen}, {'since' if place.fails else 'last from'} run {place.began.id}{before}"


def _versions(points: Sequence[Point], width: int) -> Iterator[Text]:
    """Yield a line for each version of CANN, with a letter for each run, or for several."""
    from aclnn_cts.store.runs import by_version  # noqa: PLC0415
    from aclnn_cts.store.sheets import BY_WEIGHT  # noqa: PLC0415

    of = {point.run.id: point for point in points}
    versions = by_version([point.run for point in points])
    names = {version: f"CANN {version or 'unknown'}" for version in versions}
    room = max(width - max(map(len, names.values())) - 30, 20)
    for version, runs in versions.items():
        own = [of[run.id] for run in runs]
        step = -(-len(own) // room)
        strip = Text()
        for start in range(0, len(own), step):
            letters = (point.letter for point in own[start : start + step])
            letter = max(letters, key=BY_WEIGHT.index)
            strip.append(letter, style=_STYLES.get(letter, ""))
        failing = sum(bool(point.broken) for point in own)
        told_step = f", {step} runs a letter" if step > 1 else ""
        line = Text(f"  {names[version]:<{max(map(len, names.values()))}}  ")
        yield line.append_text(strip).append(f"  {failing} of {len(own)} fail{told_step}")
