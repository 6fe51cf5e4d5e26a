# SPDX-License-Identifier: Apache-2.0
"""Questions to a results store: history, flaky cases, trends, and a dashboard of all runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from aclnn_cts.cli import options
from aclnn_cts.cli.store import selection_of
from aclnn_cts.console import PlainConsole, print_json
from aclnn_cts.errors import WrongInputError, counted
from aclnn_cts.report.view import untested_values
from aclnn_cts.results.commands import card_of

if TYPE_CHECKING:
    from aclnn_cts.store.folder import Store
    from aclnn_cts.store.history import History, PlaceHistory, Point
    from aclnn_cts.store.runs import RunFacts, Selection
    from aclnn_cts.store.statistics import Flakiness, Rate, Trend

_STYLES = {"F": "red", "C": "red", "T": "red", "~": "red", "w": "yellow", ".": "green"}
_CASES_SHOWN = _PLACES_SHOWN = 20


def history(
    case: options.CasePatterns = None,
    clause: Annotated[str, typer.Option("--clause", help="Only cases that test it.")] = "",
    operator: options.Operators = None,
    product: options.StoredProducts = None,
    host: options.StoredHosts = None,
    cann: options.StoredCann = "",
    tier: options.StoredTier = "",
    since: options.StoredSince = "",
    flaky: Annotated[
        bool,
        typer.Option("--flaky", help="List cases that fail now and then, and cards that disagree."),
    ] = False,
    trends: Annotated[
        bool, typer.Option("--trends", help="Show accuracy and device time by release.")
    ] = False,
    changed: Annotated[
        bool, typer.Option("--changed", help="With --trends: only figures that changed for good.")
    ] = False,
    as_json: options.AsJson = False,
    store: options.StoreAddress = None,
) -> None:
    """Show since when cases fail, which are flaky, or trends of figures."""
    from aclnn_cts.store.folder import open_store  # noqa: PLC0415 - DuckDB takes long to import

    if flaky and trends:
        raise WrongInputError("--flaky and --trends exclude each other; give one of them")
    if changed and not trends:
        raise WrongInputError("--changed is for --trends; add it, or leave out --changed")
    if (case or clause) and (flaky or trends):
        raise WrongInputError("--flaky and --trends take --operator, not --case or --clause")
    if not (case or clause or operator or flaky or trends):
        raise WrongInputError(
            "nothing to look up; give --case, --clause or --operator, or --flaky or --trends"
        )
    operators = tuple(operator or ())
    selection = selection_of(product, host, cann, tier, since)
    with open_store(store) as opening:
        if flaky:
            _show_flaky(opening, selection, operators, as_json=as_json)
        elif trends:
            _show_trends(opening, selection, operators, changed=changed, as_json=as_json)
        else:
            about = tuple(case or ()), clause, operators
            _show_history(opening, selection, about, as_json=as_json)


def _show_history(
    store: Store,
    selection: Selection,
    about: tuple[tuple[str, ...], str, tuple[str, ...]],
    *,
    as_json: bool,
) -> None:
    from aclnn_cts.store.history import Subject, history  # noqa: PLC0415 - as above

    found = history(store, Subject(*about), selection)
    if as_json:
        print_json([_history_as_json(each) for each in found])
        return
    console = PlainConsole()
    for number, each in enumerate(found):
        if number:
            console.print()
        for line in _history_lines(each, console.width):
            console.print(line, soft_wrap=True)


def _history_as_json(found: History) -> dict[str, Any]:
    """Return a history with each run's facts, and elsewhere the runs' ids."""
    named = {name: getattr(found, name) for name in ("before", "began", "since")}
    return {
        "product": found.product,
        "points": [asdict(point) for point in found.points],
        **{name: run and run.id for name, run in named.items()},
        "changes": found.changes,
        "contract_only": found.contract_only,
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
    return f"run {run.short}{label}, {run.started[:10]}, CANN {run.cann or 'unknown'}, {run.host}"


def _history_lines(found: History, width: int) -> Iterator[Text | str]:
    failing = found.failing
    first = f"{found.product}: {len(failing)} of {counted(len(found.points), 'run')} fail"
    yield Text("; ".join(filter(None, (first, untested_values(found.contract_only)))))
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
        state = f"since run {case.since.short}" if case.since else "not the last time on its card"
        seen = f"{case.broken} of {case.runs}, runs {case.first.short} to {case.last.short}"
        yield Text(f"{case.case}: {seen}, {state}")
    if len(found.cases) > _CASES_SHOWN:
        yield Text(f"… and {len(found.cases) - _CASES_SHOWN} more; --json lists them all")


def _seen_at(place: PlaceHistory) -> str:
    seen = f"fails in {place.broken} of {counted(place.runs, 'run')}"
    if place.began is None:
        return seen
    before = f", not in run {place.before.short} before" if place.before else ""
    return f"{seen}, {'since' if place.fails else 'last from'} run {place.began.short}{before}"


def _versions(points: Sequence[Point], width: int) -> Iterator[Text]:
    """Yield a line for each version of CANN, with a letter for each run, or for several."""
    from aclnn_cts.store.columns import worst_letter  # noqa: PLC0415
    from aclnn_cts.store.runs import by_version  # noqa: PLC0415

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
            letter = worst_letter(letters)
            strip.append(letter, style=_STYLES.get(letter, ""))
        failing = sum(bool(point.broken) for point in own)
        told_step = f", {step} runs a letter" if step > 1 else ""
        line = Text(f"  {names[version]:<{max(map(len, names.values()))}}  ")
        yield line.append_text(strip).append(f"  {failing} of {len(own)} fail{told_step}")


_SHOWN = 20
_OF_A_CARD = 3


def _show_flaky(
    store: Store, selection: Selection, operators: tuple[str, ...], *, as_json: bool
) -> None:
    from aclnn_cts.store.statistics import flakiness  # noqa: PLC0415 - as above

    found = flakiness(store, selection, operators)
    if as_json:
        print_json(asdict(found))
        return
    for line in _flaky_lines(found):
        typer.echo(line)


def _flaky_lines(found: Flakiness) -> Iterator[str]:
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
            yield f"  … and {counted(len(card.cases) - _OF_A_CARD, 'more case')}"
    if found.cases:
        yield ""
    for case in found.cases[:_SHOWN]:
        yield f"{case.case}: fails {_rate(case.rate)} on {card_of(case.host, case.card)}"
        others = (
            "no other card ran it" if case.elsewhere is None else f"others {_rate(case.elsewhere)}"
        )
        within = (
            f"; now so, now otherwise within {counted(case.reruns, 'run')}" if case.reruns else ""
        )
        yield f"  {others}; {found.builds[case.build]}{within}"
    if len(found.cases) > _SHOWN:
        yield f"… and {len(found.cases) - _SHOWN} more; --json lists them all"


def _rate(rate: Rate) -> str:
    return f"{rate.failed} of {rate.tried} ({rate.low:.1%} to {rate.high:.1%})"


def _show_trends(
    store: Store,
    selection: Selection,
    operators: tuple[str, ...],
    *,
    changed: bool,
    as_json: bool,
) -> None:
    from aclnn_cts.store.statistics import FIGURES, trends  # noqa: PLC0415 - as above

    found = [trend for trend in trends(store, selection, operators) if trend.changes or not changed]
    if as_json:
        print_json([_trends_as_json(trend) for trend in found])
        return
    title: tuple[str, ...] = ()
    for trend in found:
        if title != (title := (trend.product, trend.tier, trend.operator, trend.dtype)):
            typer.echo(f"{trend.operator} {trend.dtype}, {trend.product}, tier {trend.tier}")
        for line in _trends_lines(trend, FIGURES[trend.figure]):
            typer.echo(line)
    changes = sum(len(trend.changes) for trend in found)
    typer.echo(f"{counted(len(found), 'figure')}, {counted(changes, 'permanent change')}")


def _trends_lines(trend: Trend, title: str) -> Iterator[str]:
    parts = (
        f"{release.cann or 'unknown'}: {release.median:.4g}"
        + (f" (up to {release.largest:.4g})" if release.largest != release.median else "")
        + f" in {release.runs}"
        for release in trend.releases
    )
    yield f"  {title:<16} CANN {'; '.join(parts)}"
    for change in trend.changes:
        word = "grew" if change.worse else "shrank"
        yield f"    {word} from {change.base:.4g} to {change.new:.4g} with {told(change.after)}"
        yield f"      before it {told(change.before)}"
        between = "; ".join(change.differences) or "nothing that the runs record"
        yield f"      between them {between}"


def _trends_as_json(trend: Trend) -> dict[str, Any]:
    return {
        **{
            name: getattr(trend, name)
            for name in ("product", "tier", "operator", "dtype", "figure")
        },
        "values": [(each.run.id, each.value) for each in trend.values],
        "releases": [asdict(release) for release in trend.releases],
        "changes": [
            {
                "before": change.before.id,
                "after": change.after.id,
                "base": change.base,
                "new": change.new,
                "differences": change.differences,
            }
            for change in trend.changes
        ],
    }


def dashboard(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="The folder of the pages.")
    ],
    product: options.StoredProducts = None,
    host: options.StoredHosts = None,
    cann: options.StoredCann = "",
    tier: options.StoredTier = "",
    since: options.StoredSince = "",
    store: options.StoreAddress = None,
) -> None:
    """Write static pages of many runs: a grid of operators and products, and their histories."""
    from aclnn_cts.store.dashboard import write_dashboard  # noqa: PLC0415 - as above
    from aclnn_cts.store.folder import open_store  # noqa: PLC0415 - DuckDB takes long to import

    selection = selection_of(product, host, cann, tier, since)
    with open_store(store) as opening:
        typer.echo(write_dashboard(opening, selection, output))
