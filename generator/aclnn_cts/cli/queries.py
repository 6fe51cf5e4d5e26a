# SPDX-License-Identifier: Apache-2.0
"""Questions to a results store: history, flaky cases, trends, and a dashboard of all runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
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
    from aclnn_cts.store.history import History, PlaceHistory, Point, Subject
    from aclnn_cts.store.runs import RunFacts, Selection
    from aclnn_cts.store.statistics import Flakiness, Rate, Trend

_STYLES = {"F": "red", "C": "red", "T": "red", "~": "red", "w": "yellow", ".": "green"}
_CASES_SHOWN = _PLACES_SHOWN = 20


@dataclass(frozen=True)
class HistoryOptions:
    """The options of a history."""

    case: options.CasePatterns = None
    clause: Annotated[str, typer.Option("--clause", help="Only cases that test it.")] = ""
    operator: options.Operators = None
    product: options.StoredProducts = None
    host: options.StoredHosts = None
    cann: options.StoredCann = ""
    tier: options.StoredTier = ""
    since: options.StoredSince = ""
    flaky: Annotated[
        bool,
        typer.Option("--flaky", help="List cases that fail now and then, and cards that disagree."),
    ] = False
    trends: Annotated[
        bool, typer.Option("--trends", help="Show accuracy and device time by release.")
    ] = False
    changed: Annotated[
        bool, typer.Option("--changed", help="With --trends: only figures that changed for good.")
    ] = False
    as_json: options.AsJson = False
    store: options.StoreAddress = None

    def require_question(self) -> None:
        """Raise WrongInputError unless the options ask for one thing."""
        if self.flaky and self.trends:
            raise WrongInputError("--flaky and --trends exclude each other; give one of them")
        if self.changed and not self.trends:
            raise WrongInputError("--changed is for --trends; add it, or leave out --changed")
        subject = self.case or self.clause
        if subject and (self.flaky or self.trends):
            raise WrongInputError("--flaky and --trends take --operator, not --case or --clause")
        if not (subject or self.operator or self.flaky or self.trends):
            raise WrongInputError(
                "nothing to look up; give --case, --clause or --operator, or --flaky or --trends"
            )


@options.take_options(HistoryOptions)
def history(arguments: HistoryOptions) -> None:
    """Show since when cases fail, which are flaky, or trends of figures."""
    from aclnn_cts.store.folder import open_store  # noqa: PLC0415 - DuckDB takes long to import
    from aclnn_cts.store.history import Subject  # noqa: PLC0415 - as above

    arguments.require_question()
    operators, as_json = tuple(arguments.operator or ()), arguments.as_json
    selection = selection_of(
        arguments.product, arguments.host, arguments.cann, arguments.tier, arguments.since
    )
    with open_store(arguments.store) as store:
        if arguments.flaky:
            _show_flaky(store, selection, operators, as_json=as_json)
        elif arguments.trends:
            changed = arguments.changed
            _show_trends(store, selection, operators, changed=changed, as_json=as_json)
        else:
            subject = Subject(tuple(arguments.case or ()), arguments.clause, operators)
            _show_history(store, selection, subject, as_json=as_json)


def _show_history(store: Store, selection: Selection, subject: Subject, *, as_json: bool) -> None:
    from aclnn_cts.store.history import history  # noqa: PLC0415 - as above

    histories = history(store, subject, selection)
    if as_json:
        print_json([_history_as_json(of_product) for of_product in histories])
        return
    console = PlainConsole()
    for number, of_product in enumerate(histories):
        if number:
            console.print()
        for line in _history_lines(of_product, console.width):
            console.print(line, soft_wrap=True)


def _history_as_json(history: History) -> dict[str, Any]:
    """Return a history with each run's facts, and elsewhere the runs' ids."""
    runs = {name: getattr(history, name) for name in ("before", "began", "since")}
    return {
        "product": history.product,
        "points": [asdict(point) for point in history.points],
        **{name: run and run.id for name, run in runs.items()},
        "changes": history.changes,
        "contract_only": history.contract_only,
        "cases": [
            {
                "case": case.case,
                "runs": case.runs,
                "broken": case.broken,
                "first": case.first.id,
                "last": case.last.id,
                "since": case.since and case.since.id,
            }
            for case in history.cases
        ],
        "places": [
            {
                **vars(place),
                "began": place.began and place.began.id,
                "before": place.before and place.before.id,
            }
            for place in history.places
        ],
    }


def describe_run(run: RunFacts) -> str:
    """Return a run in a few words."""
    label = f" ({run.label})" if run.label else ""
    return f"run {run.short}{label}, {run.started[:10]}, CANN {run.cann or 'unknown'}, {run.host}"


def _history_lines(history: History, width: int) -> Iterator[Text | str]:
    failing = history.failing
    first = f"{history.product}: {len(failing)} of {counted(len(history.points), 'run')} fail"
    yield Text("; ".join(filter(None, (first, untested_values(history.contract_only)))))
    yield from _versions(history.points, width)
    if not failing:
        return
    began, before = history.began, history.before
    yield ""
    if began is not None:
        state = "failing since" if history.since is not None else "last began to fail"
        yield Text(f"{state}  {describe_run(began)}")
    if before is not None:
        yield Text(f"passed until   {describe_run(before)}")
        changes = history.changes or ("nothing that the runs record",)
        yield Text(f"between them   {'; '.join(changes)}")
    yield Text(f"first failing  {describe_run(failing[0].run)}")
    yield Text(f"last failing   {describe_run(failing[-1].run)}")
    if failing[-1].run.report:
        yield Text(f"its report     {failing[-1].run.report}")
    yield ""
    for place in history.places[:_PLACES_SHOWN]:
        yield Text(f"{card_of(place.host, place.card)}: {_failures_at(place)}")
    if len(history.places) > _PLACES_SHOWN:
        yield Text(f"… and {len(history.places) - _PLACES_SHOWN} more; --json lists them all")
    yield ""
    for case in history.cases[:_CASES_SHOWN]:
        state = f"since run {case.since.short}" if case.since else "not the last time on its card"
        failures = f"{case.broken} of {case.runs}, runs {case.first.short} to {case.last.short}"
        yield Text(f"{case.case}: {failures}, {state}")
    if len(history.cases) > _CASES_SHOWN:
        yield Text(f"… and {len(history.cases) - _CASES_SHOWN} more; --json lists them all")


def _failures_at(place: PlaceHistory) -> str:
    failures = f"fails in {place.broken} of {counted(place.runs, 'run')}"
    if place.began is None:
        return failures
    before = f", not in run {place.before.short} before" if place.before else ""
    return f"{failures}, {'since' if place.fails else 'last from'} run {place.began.short}{before}"


def _versions(points: Sequence[Point], width: int) -> Iterator[Text]:
    """Yield a line for each version of CANN, with a letter for each run, or for several."""
    from aclnn_cts.store.columns import worst_letter  # noqa: PLC0415
    from aclnn_cts.store.runs import by_version  # noqa: PLC0415

    point_by_run = {point.run.id: point for point in points}
    versions = by_version([point.run for point in points])
    names = {version: f"CANN {version or 'unknown'}" for version in versions}
    room = max(width - max(map(len, names.values())) - 30, 20)
    for version, runs in versions.items():
        version_points = [point_by_run[run.id] for run in runs]
        step = -(-len(version_points) // room)
        strip = Text()
        for start in range(0, len(version_points), step):
            letters = (point.letter for point in version_points[start : start + step])
            letter = worst_letter(letters)
            strip.append(letter, style=_STYLES.get(letter, ""))
        failing = sum(bool(point.broken) for point in version_points)
        step_note = f", {step} runs a letter" if step > 1 else ""
        line = Text(f"  {names[version]:<{max(map(len, names.values()))}}  ")
        yield line.append_text(strip).append(
            f"  {failing} of {len(version_points)} fail{step_note}"
        )


_SHOWN = 20
_OF_A_CARD = 3


def _show_flaky(
    store: Store, selection: Selection, operators: tuple[str, ...], *, as_json: bool
) -> None:
    from aclnn_cts.store.statistics import flakiness  # noqa: PLC0415 - as above

    result = flakiness(store, selection, operators)
    if as_json:
        print_json(asdict(result))
        return
    for line in _flaky_lines(result):
        typer.echo(line)


def _flaky_lines(result: Flakiness) -> Iterator[str]:
    odd = [card for card in result.cards if card.disagrees]
    yield (
        f"{counted(result.runs, 'run')}; failing now and then on a card: "
        f"{counted(len(result.cases), 'case')}; disagreeing with the others: "
        f"{counted(len(odd), 'card')}"
    )
    for card in (*odd, *(card for card in result.cards if not card.disagrees))[: len(odd) + 3]:
        state = "disagrees" if card.disagrees else "may be chance"
        yield ""
        build = result.builds[card.build]
        yield f"{card_of(card.host, card.card)}: {state} (p {card.p_value:.2g}), {build}"
        yield f"  it alone fails   {_rate(card.rate)} of its runs"
        yield f"  another card     {_rate(card.siblings)} of theirs"
        yield from (f"  {case}" for case in card.cases[:_OF_A_CARD])
        if len(card.cases) > _OF_A_CARD:
            yield f"  … and {counted(len(card.cases) - _OF_A_CARD, 'more case')}"
    if result.cases:
        yield ""
    for case in result.cases[:_SHOWN]:
        yield f"{case.case}: fails {_rate(case.rate)} on {card_of(case.host, case.card)}"
        others = (
            "no other card ran it" if case.elsewhere is None else f"others {_rate(case.elsewhere)}"
        )
        within = (
            f"; now so, now otherwise within {counted(case.reruns, 'run')}" if case.reruns else ""
        )
        yield f"  {others}; {result.builds[case.build]}{within}"
    if len(result.cases) > _SHOWN:
        yield f"… and {len(result.cases) - _SHOWN} more; --json lists them all"


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

    shown_trends = [
        trend for trend in trends(store, selection, operators) if trend.changes or not changed
    ]
    if as_json:
        print_json([_trends_as_json(trend) for trend in shown_trends])
        return
    title: tuple[str, ...] = ()
    for trend in shown_trends:
        if title != (title := (trend.product, trend.tier, trend.operator, trend.dtype)):
            typer.echo(f"{trend.operator} {trend.dtype}, {trend.product}, tier {trend.tier}")
        for line in _trends_lines(trend, FIGURES[trend.figure]):
            typer.echo(line)
    changes = sum(len(trend.changes) for trend in shown_trends)
    typer.echo(f"{counted(len(shown_trends), 'figure')}, {counted(changes, 'permanent change')}")


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
        size = f"from {change.base:.4g} to {change.new:.4g}"
        yield f"    {word} {size} with {describe_run(change.after)}"
        yield f"      before it {describe_run(change.before)}"
        between = "; ".join(change.differences) or "nothing that the runs record"
        yield f"      between them {between}"


def _trends_as_json(trend: Trend) -> dict[str, Any]:
    return {
        **{
            name: getattr(trend, name)
            for name in ("product", "tier", "operator", "dtype", "figure")
        },
        "values": [(value.run.id, value.value) for value in trend.values],
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
