# SPDX-License-Identifier: Apache-2.0
"""``aclnn-cts dashboard``: static pages of all runs of a store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli.options import (
    StoreAddress,
    StoredCann,
    StoredHosts,
    StoredProducts,
    StoredSince,
    StoredTier,
    reported,
)
from aclnn_cts.cli.store import selection_of


@reported
def dashboard(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="The folder of the pages.")
    ],
    product: StoredProducts = None,
    host: StoredHosts = None,
    cann: StoredCann = "",
    tier: StoredTier = "",
    since: StoredSince = "",
    store: StoreAddress = None,
) -> None:
    """Write static pages of many runs: a grid of operators and products, and their histories."""
    from aclnn_cts.store import database  # noqa: PLC0415 - SQLAlchemy takes long to import
    from aclnn_cts.store.dashboard import write_dashboard  # noqa: PLC0415 - as above

    selection = selection_of(product, host, cann, tier, since)
    with database.opened(store) as opening, opening.reading() as connection:
        typer.echo(write_dashboard(connection, selection, output))
