# SPDX-License-Identifier: Apache-2.0
"""Clause by clause: does this device keep what the documents promise?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from aclnn_cts.judge.clauses import Contest, clause_texts, merge
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.structure import ClauseBasis, clause_bases

ClauseState: TypeAlias = Literal[
    "pass", "fail", "unenforced", "contested-only", "unproven", "untested"
]


@dataclass(frozen=True)
class ClauseVerdict:
    """What a run says about one clause of one operator.

    Attributes:
        operator: The operator's name.
        clause: The clause's id.
        verdict: ``fail`` if a case broke it; else ``unenforced`` if a call that it is about was
            accepted, and the documents only require that it is not made; else ``pass`` if a
            passing case tests it; else ``contested-only``; ``unproven`` if all cases that test it
            crashed, are missing or untrusted, or failed for another reason; ``untested`` if no case
            tests it, or none of the further runs that it takes could be made.
        cases: Cases that test it.
        contested: Elements on which it contradicts another clause.
        reading: The clause that the device follows on them; None where it does not contradict one,
            or where the device follows now one, now the other.
        text: What the clause says.
        place: Where in the documents it stands.
        basis: What it rests on: what the documents say of a call that breaks an error clause;
            ``suite`` for a rule of this suite; ``stated`` for all others.
    """

    operator: str
    clause: str
    verdict: ClauseState
    cases: int
    contested: int
    reading: str | None
    text: str
    place: str
    basis: ClauseBasis


def judge_clauses(
    specs: SpecSet, verdicts: Sequence[CaseVerdict], operators: Iterable[str]
) -> tuple[ClauseVerdict, ...]:
    """Return the verdict on every clause of the given operators, in the specs' order."""
    found: list[ClauseVerdict] = []
    for operator in operators:
        own = [verdict for verdict in verdicts if verdict.operator == operator]
        contests = merge(contest for verdict in own for contest in verdict.contests)
        texts = clause_texts(specs, operator)
        bases = clause_bases(specs.operator(operator), specs.common)
        for clause, said in texts.items():
            found.append(_judge_clause(operator, clause, bases[clause], said, own, contests))
    return tuple(found)


def _judge_clause(
    operator: str,
    clause: str,
    basis: ClauseBasis,
    said: tuple[str, str],
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
        text=said[0],
        place=said[1],
    )


def _state(clause: str, testing: Sequence[CaseVerdict]) -> ClauseState:
    if not testing:
        return "untested"
    if any(clause in verdict.broken for verdict in testing):
        return "fail"
    if any(clause in verdict.unenforced for verdict in testing):
        return "unenforced"
    verdicts = {verdict.verdict for verdict in testing}
    # A call that the device need not refuse keeps the promises on memory all the same.
    if Verdict.PASS in verdicts or Verdict.UNENFORCED in verdicts:
        return "pass"
    return "contested-only" if Verdict.CONTESTED_ONLY in verdicts else "unproven"


def contests_of(verdicts: Sequence[CaseVerdict]) -> Iterator[tuple[str, Contest]]:
    """Yield the operator and each of its contests, over all its cases."""
    for operator in dict.fromkeys(verdict.operator for verdict in verdicts):
        own = (verdict for verdict in verdicts if verdict.operator == operator)
        for contest in merge(contest for verdict in own for contest in verdict.contests):
            yield operator, contest
