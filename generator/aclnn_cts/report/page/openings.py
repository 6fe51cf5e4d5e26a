# SPDX-License-Identifier: Apache-2.0
"""What the documents leave open, told once for all runs of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aclnn_cts.report.results import AnsweredGap, ContradictionEntry, Silence
from aclnn_cts.report.view import Run


@dataclass(frozen=True)
class Told:
    """What some runs have to say: a text, and the labels of the runs."""

    text: str
    runs: tuple[str, ...]


@dataclass(frozen=True)
class ContradictingClauses:
    """Two clauses that cannot both be kept.

    Attributes:
        operator: The operator's name.
        clauses: Their ids.
        elements: Elements on which both apply, over all runs.
        readings: Which of them the devices follow.
    """

    operator: str
    clauses: tuple[str, str]
    elements: int
    readings: tuple[Told, ...]


@dataclass(frozen=True)
class Opening:
    """A refusal whose status a document does not tell, and the statuses that came back."""

    gap: AnsweredGap
    given: tuple[Told, ...]


@dataclass(frozen=True)
class Openings:
    """All that the documents leave open."""

    contradictions: tuple[ContradictingClauses, ...]
    silences: tuple[Silence, ...]
    statuses: tuple[Opening, ...]


def openings_of(runs: Sequence[Run]) -> Openings:
    """Return what the documents of some runs leave open, in the documents' order."""
    contests: dict[tuple[str, tuple[str, str]], list[tuple[str, ContradictionEntry]]] = {}
    gaps: dict[tuple[str, str], list[tuple[str, AnsweredGap]]] = {}
    for run in runs:
        for contest in run.document.contradictions:
            key = (contest.operator, contest.clauses)
            contests.setdefault(key, []).append((run.label, contest))
        for gap in run.document.document_gaps:
            gaps.setdefault((gap.operator, gap.clause), []).append((run.label, gap))
    every = (silence for run in runs for silence in run.document.not_promised)
    return Openings(
        contradictions=tuple(
            ContradictingClauses(
                operator,
                clauses,
                sum(contest.elements for _, contest in told),
                _gathered([(label, contest.followed) for label, contest in told]),
            )
            for (operator, clauses), told in contests.items()
        ),
        silences=tuple(dict.fromkeys(every)),
        statuses=tuple(
            Opening(
                told[0][1],
                _gathered([(label, " and ".join(gap.given)) for label, gap in told if gap.given]),
            )
            for told in gaps.values()
        ),
    )


def _gathered(told: Sequence[tuple[str, str]]) -> tuple[Told, ...]:
    """Return each text once, with the runs that it is about."""
    texts = dict.fromkeys(text for _, text in told)
    return tuple(Told(text, tuple(run for run, own in told if own == text)) for text in texts)
