# SPDX-License-Identifier: Apache-2.0
"""Where documents are silent, or leave open with which status a call is refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.plan.cases import ACLNN_SUCCESS
from aclnn_cts.spec.data_types import status_name
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec


@dataclass(frozen=True)
class DocumentGap:
    """An error clause for which more than one status is right.

    Attributes:
        operator: The operator's name.
        clause: The clause's id.
        text: What it says.
        accepted: The names of the statuses; none if any but ACLNN_SUCCESS is right.
    """

    operator: str
    clause: str
    text: str
    accepted: tuple[str, ...]

    @property
    def told(self) -> str:
        """What the document leaves open, in words."""
        statuses = " or ".join(self.accepted) or "any error status"
        return f"the document does not tell which status; accepted: {statuses}"


def document_gaps(spec: OperatorSpec) -> tuple[DocumentGap, ...]:
    """Return the error clauses of an operator whose status the document does not tell."""
    return tuple(
        DocumentGap(
            spec.operator, error.id, error.text, tuple(status_name(code) for code in error.statuses)
        )
        for error in spec.errors
        if len(error.statuses) != 1
    )


@dataclass(frozen=True)
class AnsweredGap(DocumentGap):
    """A gap, and how the device fills it.

    Attributes:
        given: The names of the statuses that came back.
    """

    given: tuple[str, ...]


@dataclass(frozen=True)
class Silence:
    """A point of which a document promises nothing."""

    operator: str
    id: str
    text: str


def silences(specs: SpecSet, operators: Iterable[str]) -> tuple[Silence, ...]:
    """Return of what the documents of some operators promise nothing."""
    return tuple(
        Silence(name, silence.id, silence.text)
        for name in operators
        for silence in specs.operator(name).not_promised
    )


def answered_gaps(
    specs: SpecSet, operators: Iterable[str], verdicts: Sequence[CaseVerdict]
) -> tuple[AnsweredGap, ...]:
    """Return the gaps of some operators' documents, with the statuses that a device gave."""
    return tuple(
        AnsweredGap(gap.operator, gap.clause, gap.text, gap.accepted, _given(gap, verdicts))
        for name in operators
        for gap in document_gaps(specs.operator(name))
    )


def _given(gap: DocumentGap, verdicts: Sequence[CaseVerdict]) -> tuple[str, ...]:
    codes = {
        verdict.status
        for verdict in verdicts
        if verdict.operator == gap.operator and gap.clause in verdict.exercised
    }
    return tuple(
        status_name(code)
        for code in sorted(c for c in codes if c is not None and c != ACLNN_SUCCESS)
    )
