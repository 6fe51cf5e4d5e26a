# SPDX-License-Identifier: Apache-2.0
"""Commands about this host: what a run needs, and what the cache holds."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from math import isinf
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from aclnn_cts.cache import SHELVES, Entry, as_size, entries, parse_size, prune
from aclnn_cts.cli import options
from aclnn_cts.cli.defaults import cache_limit
from aclnn_cts.console import PlainConsole, print_json
from aclnn_cts.errors import CtsError, ExitCode, counted
from aclnn_cts.run.doctor import Finding, Host, Level, examine
from aclnn_cts.suite import find_suite

_INDENT = 8


def doctor(
    cann: options.CannFolder = None,
    folders: options.SpecFolders = None,
    as_json: options.AsJson = False,
) -> None:
    """Check whether this host can run cases, and say how to get what is missing."""
    suite, specs = options.load(folders=folders)
    findings = examine(Host(suite, specs, os.environ, str(cann or ""), Path.cwd()))
    results = tuple(findings) if as_json else _print_findings(findings)
    ready = all(finding.level is not Level.MISSING for finding in results)
    if as_json:
        document = {
            "format": "aclnn-cts/doctor/1",
            "ready": ready,
            "findings": [asdict(finding) for finding in results],
        }
        print_json(document)
    raise typer.Exit(int(ExitCode.PASSED if ready else ExitCode.NOT_TRUSTWORTHY))


def _print_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Print each finding as it comes; return all of them."""
    listed = []
    for finding in findings:
        typer.echo(f"{finding.level.value:<{_INDENT}}{finding.topic}: {finding.what}")
        if finding.advice:
            typer.echo(f"{'':<{_INDENT}}  → {finding.advice}")
        listed.append(finding)
    lacking = sum(finding.level is Level.MISSING for finding in listed)
    typer.echo(f"{lacking} missing" if lacking else "this host can run cases")
    return tuple(listed)


_DAY = 86400.0

_PRUNED_SECONDS = 600
"""Minimum time between two prunings without ``cache``: scanning 50,000 entries takes a second."""


def cache(
    wanted: Annotated[bool, typer.Option("--prune", help="Remove unused entries.")] = False,
    older_than: Annotated[
        float,
        typer.Option("--older-than", metavar="DAYS", min=0, help="Days without use to prune at."),
    ] = 30.0,
    limit: Annotated[
        str | None,
        typer.Option(
            "--limit", metavar="SIZE", help="Size to prune to [ACLNN_CTS_CACHE_LIMIT; 4G]."
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """List the cache's content; with --prune, remove unused entries by age or size."""
    folder = find_suite().cache
    most = cache_limit() if limit is None else parse_size(limit, "--limit")
    pruned = prune(folder, most, time.time() - older_than * _DAY) if wanted else []
    cached = list(entries(folder))
    if as_json:
        print_json(
            {
                "folder": str(folder),
                "limit": None if isinf(most) else most,
                "shelves": list(_shelves(cached)),
                "removed": list(_shelves(pruned)),
            }
        )
        return
    for shelf in _shelves(pruned):
        typer.echo(f"{shelf['name']}: {shelf['entries']} removed, {as_size(shelf['bytes'])}")
    if wanted and not pruned:
        typer.echo("nothing to remove")
    _show(cached)
    total = sum(entry.size for entry in cached)
    room = "without a limit" if isinf(most) else f"of at most {as_size(most)}"
    typer.echo(f"{folder}: {as_size(total)} {room}")


def _shelves(cached: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    """Yield the facts of each shelf that holds any of these entries."""
    for name, (_, content) in SHELVES.items():
        on_shelf = [entry for entry in cached if entry.shelf == name]
        if on_shelf:
            yield {
                "name": name,
                "content": content,
                "entries": len(on_shelf),
                "bytes": sum(entry.size for entry in on_shelf),
                "in_use": sum(entry.in_use for entry in on_shelf),
                "first_used": min(entry.used for entry in on_shelf),
                "last_used": max(entry.used for entry in on_shelf),
            }


def _show(cached: Sequence[Entry]) -> None:
    table = Table(box=None, pad_edge=False)
    for title in ("folder", "entries", "size", "in use", "last used", "holds"):
        table.add_column(
            title, justify="right" if title in ("entries", "size", "in use") else "left"
        )
    for shelf in _shelves(cached):
        times = (_age(shelf[key]) for key in ("last_used", "first_used"))
        table.add_row(
            shelf["name"],
            f"{shelf['entries']:,}",
            as_size(shelf["bytes"]),
            f"{shelf['in_use']:,}",
            " to ".join(dict.fromkeys(times)),
            shelf["content"],
        )
    PlainConsole().print(table)


def _age(used: float) -> str:
    days = int((time.time() - used) / _DAY)
    return f"{days} days ago" if days > 1 else ("yesterday" if days == 1 else "today")


def prune_cache(cache: Path) -> None:
    """Keep the cache below its limit; the command that filled it does not depend on it."""
    stamp = cache / ".pruned"
    with contextlib.suppress(OSError):
        if abs(time.time() - stamp.stat().st_mtime) < _PRUNED_SECONDS:
            return
    try:
        removed = prune(cache, cache_limit())
    except CtsError as error:
        options.say(f"the cache was not pruned: {error}")
        return
    with contextlib.suppress(OSError):
        stamp.touch()
    if removed:
        size = sum(entry.size for entry in removed)
        options.say(
            f"{cache}: {counted(len(removed), 'entry')} removed, {as_size(size)}; see "
            "`aclnn-cts cache`"
        )
