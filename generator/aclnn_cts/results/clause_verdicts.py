# SPDX-License-Identifier: Apache-2.0
"""Verdicts on clauses, and silences of the documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aclnn_cts.judge.standards import Contest, merge_contests
from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.plan.cases import ACLNN_SUCCESS
from aclnn_cts.results.document import (
    ClauseState,
    ClauseVerdict,
    DocumentGap,
    Silence,
    clause_state,
)
from aclnn_cts.spec.data_types import status_name
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.parameter_clauses import ClauseBasis, clause_bases


def judge_clauses(
    specs: SpecSet, operator: str, verdicts: Sequence[CaseVerdict]
) -> tuple[ClauseVerdict, ...]:
    """Return the verdict on every clause of an operator, in the specs' order."""
    contests = merge_contests(contest for verdict in verdicts for contest in verdict.contests)
    bases = clause_bases(specs.operator(operator), specs.common_of(operator))
    return tuple(
        _judge_clause(operator, clause, bases[clause], statement, verdicts, contests)
        for clause, statement in specs.clause_texts(operator).items()
    )


def _judge_clause(
    operator: str,
    clause: str,
    basis: ClauseBasis,
    statement: tuple[str, str],
    verdicts: Sequence[CaseVerdict],
    contests: Sequence[Contest],
) -> ClauseVerdict:
    testing = [v for v in verdicts if clause in v.exercised or clause in v.broken]
    mine = [contest for contest in contests if clause in (contest.first, contest.second)]
    readings = {contest.reading for contest in mine}
    return ClauseVerdict(
        operator=operator,
        clause=clause,
        basis=basis,
        verdict=_state(clause, testing),
        cases=len(testing),
        contested=sum(contest.elements for contest in mine),
        reading=next(iter(readings)) if len(readings) == 1 else None,
        text=statement[0],
        place=statement[1],
    )


def _state(clause: str, testing: Sequence[CaseVerdict]) -> ClauseState:
    return clause_state(
        {verdict.verdict for verdict in testing},
        broken=any(clause in verdict.broken for verdict in testing),
        unenforced=any(clause in verdict.unenforced for verdict in testing),
    )


def document_gaps(
    spec: OperatorSpec, verdicts: Sequence[CaseVerdict] = ()
) -> tuple[DocumentGap, ...]:
    """Return the error clauses of an operator whose status the document does not state."""
    return tuple(
        DocumentGap(
            spec.operator,
            error.id,
            error.text,
            tuple(map(status_name, error.statuses)),
            _device_statuses(error.id, verdicts),
        )
        for error in spec.errors
        if len(error.statuses) != 1
    )


def _device_statuses(clause: str, verdicts: Sequence[CaseVerdict]) -> tuple[str, ...]:
    codes = {
        verdict.status
        for verdict in verdicts
        if verdict.status is not None
        and verdict.status != ACLNN_SUCCESS
        and clause in verdict.exercised
    }
    return tuple(map(status_name, sorted(codes)))


def silences(specs: SpecSet, operators: Iterable[str]) -> tuple[Silence, ...]:
    """Return the points on which the documents of some operators promise nothing."""
    return tuple(
        Silence(name, silence.id, silence.text)
        for name in operators
        for silence in specs.operator(name).not_promised
    )
