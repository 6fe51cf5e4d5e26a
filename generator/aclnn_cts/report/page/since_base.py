# SPDX-License-Identifier: Apache-2.0
"""What became of an earlier run in those of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.report.comparison import RunComparison, compare_results
from aclnn_cts.report.comparison_text import aside, headline, sections, side_lines
from aclnn_cts.report.results import ResultsDocument, told_waivers
from aclnn_cts.report.view import COLOURS, Run, Section, State

MOST_ROWS = 200
"""Rows of a section that a page shows; `aclnn-cts compare` has no such bound."""


@dataclass(frozen=True)
class RunSinceBase:
    """A run of the page against an earlier one.

    Attributes:
        run: The run.
        state: The outcome's colour.
        headline: The outcome in one sentence.
        sides: A line about either run.
        notes: What to keep in mind.
        sections: Tables, what got worse first.
    """

    run: Run
    state: State
    headline: str
    sides: tuple[str, str]
    notes: tuple[str, ...]
    sections: tuple[Section, ...]


def others_than(base: ResultsDocument | None, runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return the runs of a page that are not its baseline; all if there are no others."""
    if base is None:
        return tuple(runs)
    return tuple(run for run in runs if not _is_run(base, run.document)) or tuple(runs)


def _is_run(base: ResultsDocument, told: ResultsDocument) -> bool:
    # The nonce is the run's own, however it was judged, and with whatever waivers.
    return base == told or (base.nonce != "" and base.nonce == told.nonce)


def comparisons_with(base: ResultsDocument, runs: Sequence[Run]) -> tuple[RunSinceBase, ...]:
    """Return what became of an earlier run in those of the page that are about its product.

    Raises:
        NotTrustworthyError: None of them is, or two runs say nothing about each other.
    """
    product = base.device.product
    own = [run for run in others_than(base, runs) if run.document.device.product == product]
    if not own:
        told = ", ".join(run.label for run in runs)
        raise NotTrustworthyError(
            f"the baseline is about {product}, and no run of the page is ({told}); name a baseline "
            "of the same product"
        )
    return tuple(_since(run, compare_results(base, run.document)) for run in own)


def _since(run: Run, comparison: RunComparison) -> RunSinceBase:
    return RunSinceBase(
        run=run,
        state=COLOURS[comparison.exit_status],
        headline=headline(comparison),
        sides=side_lines(comparison),
        notes=(
            *filter(None, [aside(comparison)]),
            *comparison.notes,
            *(f"waiver {told}" for told in told_waivers(comparison.waivers)),
        ),
        sections=tuple(sections(comparison)),
    )
