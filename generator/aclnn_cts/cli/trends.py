# SPDX-License-Identifier: Apache-2.0
"""``aclnn-cts trends``: accuracy and device time over releases, and where they change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aclnn_cts.cli.history import told
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

if TYPE_CHECKING:
    from aclnn_cts.store.trends import Trend


@reported
def trends(
    operator: Operators = None,
    product: StoredProducts = None,
    host: StoredHosts = None,
    cann: StoredCann = "",
    tier: StoredTier = "",
    since: StoredSince = "",
    changed: Annotated[
        bool, typer.Option("--changed", help="Only figures that changed for good.")
    ] = False,
    as_json: AsJson = False,
    store: StoreAddress = None,
) -> None:
    """Show accuracy and device time by release, and their permanent changes."""
    from aclnn_cts.store import database  # noqa: PLC0415 - SQLAlchemy takes long to import
    from aclnn_cts.store import trends as asked  # noqa: PLC0415 - as above

    selection = selection_of(product, host, cann, tier, since)
    with database.opened(store) as opening, opening.reading() as connection:
        found = [
            trend
            for trend in asked.trends(connection, selection, tuple(operator or ()))
            if trend.changes or not changed
        ]
    if as_json:
        print_json([_as_json(trend) for trend in found])
        return
    title: tuple[str, ...] = ()
    for trend in found:
        if title != (title := (trend.product, trend.tier, trend.operator, trend.dtype)):
            typer.echo(f"{trend.operator} {trend.dtype}, {trend.product}, tier {trend.tier}")
        for line in _lines(trend, asked.FIGURES[trend.figure]):
            typer.echo(line)
    changes = sum(len(trend.changes) for trend in found)
    typer.echo(f"{len(found)} figures, {changes} permanent changes")


def _lines(trend: Trend, title: str) -> Iterator[str]:
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


def _as_json(trend: Trend) -> dict[str, Any]:
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
