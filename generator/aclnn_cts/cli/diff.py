# SPDX-License-Identifier: Apache-2.0
"""The command that says what differs between two editions of the documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from aclnn_cts.cli.options import (
    DEFAULT_TIER,
    Operators,
    SpecFolders,
    TierName,
    reported,
    suite_with,
)
from aclnn_cts.console import print_json
from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.cases import require_tier
from aclnn_cts.plan.covering import CoveringStore
from aclnn_cts.report.edition_comparison import (
    EditionComparison,
    OperatorNote,
    compare,
    note_lines,
    notes_as_json,
)
from aclnn_cts.spec.loading import SpecSet, load_specs


@reported
def diff(
    edition: Annotated[
        list[str] | None,
        typer.Option("--edition", help="Give it twice, earlier edition first."),
    ] = None,
    operator: Operators = None,
    folders: SpecFolders = None,
    product: Annotated[
        list[str] | None,
        typer.Option("--product", help="Only this product's cases; may be repeated."),
    ] = None,
    tier: TierName = DEFAULT_TIER,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON document, with the cases' ids.")
    ] = False,
) -> None:
    """Compare promises and cases of two editions."""
    if len(edition or ()) != 2:
        raise WrongInputError(
            "diff takes two editions; give --edition twice, the earlier one first"
        )
    suite = suite_with(folders)
    before, after = (load_specs(suite, name) for name in edition or ())
    require_tier(tier)
    products = tuple(after.product(name).id for name in product or after.products)
    operators = tuple(spec.operator for spec in after.tested_named(operator or None))
    store = CoveringStore.of(suite)
    notes = compare(EditionComparison(before, after, operators, products, tier, store))
    if as_json:
        print_json(_document(before, after, tier, notes))
        return
    _show(before, after, tier, notes)


def _document(
    before: SpecSet, after: SpecSet, tier: str, notes: Sequence[OperatorNote]
) -> dict[str, object]:
    return {
        "format": "aclnn-cts/diff/1",
        "before": before.edition,
        "after": after.edition,
        "tier": tier,
        "operators": notes_as_json(notes),
    }


def _show(before: SpecSet, after: SpecSet, tier: str, notes: Sequence[OperatorNote]) -> None:
    differing = [note for note in notes if note.differs]
    if not differing:
        typer.echo(f"nothing differs between the editions {before.edition} and {after.edition}")
        return
    typer.echo(f"From edition {before.edition} to {after.edition}; cases of tier {tier}")
    for note in differing:
        typer.echo()
        for line in note_lines(note):
            typer.echo(line)
