# SPDX-License-Identifier: Apache-2.0
"""``aclnn-cts store``: keeps judged runs, and says which ones there are."""

from __future__ import annotations

import contextlib
import datetime
import gzip
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, cast

import typer
from rich.table import Table

from aclnn_cts.cli import options
from aclnn_cts.console import PlainConsole, print_json
from aclnn_cts.errors import WrongInputError, counted
from aclnn_cts.files import replacing
from aclnn_cts.report.view import untested_values
from aclnn_cts.results.commands import card_of
from aclnn_cts.results.document import ResultsDocument, read_results
from aclnn_cts.run.folder_lock import PAGE_FILE
from aclnn_cts.store.address import is_id

if TYPE_CHECKING:
    from aclnn_cts.store.recording import Recorder
    from aclnn_cts.store.runs import RunFacts, Selection


def now() -> str:
    """Return the time, UTC, to the second."""
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")


def add(
    results: Annotated[
        list[Path],
        typer.Argument(
            help="Results folders, their results.json, or an SQLite store of an earlier release.",
            show_default=False,
        ),
    ],
    label: Annotated[str, typer.Option("--label", help="A name, such as that of a release.")] = "",
    report: Annotated[
        str, typer.Option("--report", metavar="URL", help="Address of the report [report.html].")
    ] = "",
    store: options.StoreAddress = None,
) -> None:
    """Record judged runs; a recorded run is not changed."""
    # DuckDB takes long to import, which other commands need not pay.
    from aclnn_cts.store import folder, recording, runs  # noqa: PLC0415
    from aclnn_cts.store.importing import import_runs, is_earlier_store  # noqa: PLC0415

    _require_line(label, "--label")
    if is_id(label) or label == runs.LAST_GREEN:
        raise WrongInputError(
            f"--label {label!r}: means a run already; choose another name, with a letter beyond f"
        )
    if report and len(results) > 1:
        raise WrongInputError("--report is for one run; add them one at a time")
    if earlier := [path for path in results if is_earlier_store(path)]:
        if label or report or len(results) > 1:
            raise WrongInputError(f"{earlier[0]}: a whole store; add it alone, without options")
        with folder.open_store(store, create=True) as opening:
            count = import_runs(earlier[0], opening)
        typer.echo(f"{opening.folder}: {counted(count, 'run')} imported")
        return
    documents = [(path, read_results(path)) for path in results]
    with folder.open_store(store, create=True) as opening, recording.recording(opening) as recorder:
        lines = [
            _record(recorder, path, document, label, report or _page_of(path))
            for path, document in documents
        ]
    typer.echo("\n".join((*lines, str(opening.folder))))


def _record(
    recorder: Recorder, path: Path, document: ResultsDocument, label: str, report: str
) -> str:
    """Record a run; return the line about it.

    Raises:
        WrongInputError: It was recorded otherwise.
    """
    from aclnn_cts.store.recording import OtherJudgement  # noqa: PLC0415 - as above
    from aclnn_cts.store.runs import SHORT  # noqa: PLC0415 - as above

    try:
        recorded = recorder.record(document, recorded=now(), label=label, report=report)
    except OtherJudgement as other:
        name = other.id[:SHORT]
        raise WrongInputError(
            f"{path}: was recorded as run {name}, with other verdicts or figures; "
            "what is recorded never changes, so withdraw that one first: "
            f"`aclnn-cts store withdraw {name} --reason TEXT`"
        ) from None
    name = recorded.id[:SHORT]
    if label and recorded.label != label:
        raise WrongInputError(
            f"{path}: was recorded as run {name} with the label "
            f"{recorded.label!r}, which is never changed; leave out --label"
        )
    state = "recorded" if recorded.is_new else "unchanged, was recorded"
    return f"{path}: {state} as run {name}"


def _require_line(text: str, option: str) -> None:
    if not text.isprintable():
        raise WrongInputError(f"{option} {text!r}: has control characters; write one line of text")


def _page_of(path: Path) -> str:
    """Return the address of the page of a results folder; empty if it has none."""
    page = (path if path.is_dir() else path.parent).resolve() / PAGE_FILE
    return page.as_uri() if page.is_file() else ""


def day(text: str, option: str) -> str:
    """Return a day as the store compares it; empty for none.

    Raises:
        WrongInputError: It is not one.
    """
    try:
        return text and datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise WrongInputError(f"{option} {text!r}: not a day; write it as 2026-11-23") from None


def selection_of(
    products: list[str] | None, hosts: list[str] | None, cann: str, tier: str, since: str
) -> Selection:
    """Return the selection of runs.

    Raises:
        WrongInputError: The day is not one.
    """
    from aclnn_cts.store import runs  # noqa: PLC0415 - as above

    since = day(since, "--since")
    return runs.Selection(tuple(products or ()), cann, tuple(hosts or ()), tier, since)


def show(
    run: Annotated[
        str | None,
        typer.Argument(
            metavar="[RUN]", parser=options.run_id, help="A run's id, or its beginning [all runs]."
        ),
    ] = None,
    product: options.StoredProducts = None,
    host: options.StoredHosts = None,
    cann: options.StoredCann = "",
    tier: options.StoredTier = "",
    since: options.StoredSince = "",
    as_json: options.AsJson = False,
    store: options.StoreAddress = None,
) -> None:
    """List the runs, also withdrawn ones, the latest last; of one, its environment and failures."""
    from aclnn_cts.store.folder import open_store  # noqa: PLC0415 - as above
    from aclnn_cts.store.runs import select_runs  # noqa: PLC0415 - as above

    if run is not None:
        if product or host or cann or tier or since:
            raise WrongInputError("a run and a selection of runs exclude each other")
        _show_run(run, store, as_json=as_json)
        return
    selection = replace(selection_of(product, host, cann, tier, since), withdrawn=True)
    with open_store(store) as opening:
        runs = list(select_runs(opening, selection).values())
    if as_json:
        print_json([asdict(facts) for facts in runs])
    else:
        PlainConsole().print(_table(runs))


def _table(runs: Sequence[RunFacts]) -> Table:
    table = Table(box=None, pad_edge=False, caption_justify="left")
    if any(facts.contract_only for facts in runs):
        table.caption = "*: with operators whose values are not tested"
    for title in ("run", "started", "product", "CANN", "host", "tier"):
        table.add_column(title, no_wrap=title == "run", overflow="fold")
    for title in ("cases", "fail", "status"):
        table.add_column(title, justify="right", no_wrap=True, overflow="fold")
    table.add_column("", overflow="fold")
    for facts in runs:
        withdrawn = facts.withdrawn is not None
        table.add_row(
            facts.short,
            facts.started[:16].replace("T", " "),
            facts.card_kind,
            facts.cann,
            facts.host,
            facts.tier,
            f"{facts.cases:,}{'*' if facts.contract_only else ''}",
            f"{facts.failing:,}",
            str(facts.exit_status),
            f"withdrawn: {facts.withdrawn}" if withdrawn else facts.label,
        )
    return table


def _show_run(run: str, store: str | None, *, as_json: bool) -> None:
    from aclnn_cts.store.folder import open_store  # noqa: PLC0415 - as above
    from aclnn_cts.store.recording import recorded_document  # noqa: PLC0415 - as above
    from aclnn_cts.store.runs import all_runs, run_of  # noqa: PLC0415 - as above

    with open_store(store) as opening:
        facts = run_of(all_runs(opening), run)
        document = recorded_document(opening, facts)
    failing = [case for case in document.cases if case.verdict.breaks_promise]
    if as_json:
        description = {
            "run": asdict(facts),
            "cards": [{"host": host, "card": card} for host, card in facts.cards],
            "totals": document.totals,
            "contract_only": document.contract_only,
            "failing": [
                case.model_dump(mode="json", include={"id", "verdict", "broken", "message"})
                for case in failing
            ],
        }
        print_json(description)
        return
    for name, value in asdict(facts).items():
        if value not in ("", None) and not isinstance(value, tuple):
            typer.echo(f"{name.replace('_', ' ')}: {value}")
    for name, card in facts.cards:
        typer.echo(f"ran on: {card_of(name, card)}")
    counts = (f"{count} {name}" for name, count in document.totals.items() if count)
    typer.echo(f"totals: {', '.join(counts)}")
    if untested := untested_values(document.contract_only):
        typer.echo(untested)
    for case in failing:
        where = card_of(case.host, case.card)
        reason = f"{', '.join(case.broken)}; {case.message}"
        typer.echo(f"{case.outcome} {case.id} on {where}: {reason}")


def withdraw(
    run: Annotated[
        str,
        typer.Argument(metavar="RUN", parser=options.run_id, help="A run's id, or its beginning."),
    ],
    reason: Annotated[str, typer.Option("--reason", help="Why the run does not count.")],
    store: options.StoreAddress = None,
) -> None:
    """Withdraw a run from all queries; it stays in the store, with the reason."""
    from aclnn_cts.store.folder import open_store  # noqa: PLC0415 - as above
    from aclnn_cts.store.runs import all_runs, run_of  # noqa: PLC0415 - as above

    _require_line(reason, "--reason")
    if not reason.strip():
        raise WrongInputError("--reason is empty; say why the run does not count")
    with open_store(store) as opening, opening.replacing():
        facts = run_of(all_runs(opening), run)
        if facts.withdrawn is not None:
            raise WrongInputError(f"run {facts.short} was withdrawn already: {facts.withdrawn}")
        opening.withdraw(facts.id, now(), reason.strip())
    typer.echo(f"run {facts.short} is withdrawn")


def prune(
    before: Annotated[
        str, typer.Option("--before", metavar="DATE", help="Remove runs from before this day.")
    ],
    product: options.StoredProducts = None,
    host: options.StoredHosts = None,
    labelled: Annotated[
        bool, typer.Option("--labelled", help="Remove runs with a label, too.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    store: options.StoreAddress = None,
) -> None:
    """Remove old runs permanently; those with a label only with --labelled."""
    from aclnn_cts.store.folder import open_store  # noqa: PLC0415 - as above
    from aclnn_cts.store.runs import select_runs  # noqa: PLC0415 - as above

    selection = replace(
        selection_of(product, host, "", "", ""), before=day(before, "--before"), withdrawn=True
    )
    with open_store(store) as opening, opening.replacing():
        selected_runs = select_runs(opening, selection).values()
        removed = [run for run in selected_runs if labelled or not run.label]
        if not dry_run:
            opening.drop({run.id for run in removed})
    for run in removed:
        typer.echo(f"run {run.short}, {run.started[:10]}, {run.card_kind}, {run.host}")
    kept = len(selected_runs) - len(removed)
    outcome = "would go" if dry_run else "removed"
    typer.echo(f"{counted(len(removed), 'run')} {outcome}; kept by label: {kept}")


def export(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RUN]...", parser=options.run_id, help="Ids of runs [all]."),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file to write: JSON lines, gzip if .gz.")
    ] = Path("store.jsonl.gz"),
    store: options.StoreAddress = None,
) -> None:
    """Write runs with all their cases as JSON lines, for other programs."""
    from aclnn_cts.store import folder, recording, runs  # noqa: PLC0415 - as above

    with folder.open_store(store) as opening:
        known_runs = runs.all_runs(opening)
        selected = [runs.run_of(known_runs, name) for name in names] if names else known_runs
        with replacing(output) as file, _lines_into(file, output) as lines:
            for run in selected:
                for line in recording.export_run(opening, run):
                    lines.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
    typer.echo(f"{output}: {counted(len(selected), 'run')}")


def _lines_into(file: BinaryIO, path: Path) -> contextlib.AbstractContextManager[BinaryIO]:
    """Return a writer to a file that compresses by the suffix of its name."""
    if path.suffix != ".gz":
        return contextlib.nullcontext(file)
    return cast("contextlib.AbstractContextManager[BinaryIO]", gzip.open(file, "wb"))
