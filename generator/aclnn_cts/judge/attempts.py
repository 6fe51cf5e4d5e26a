# SPDX-License-Identifier: Apache-2.0
"""Judging the processes that ran cases again, from their records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from aclnn_cts.judge.case_records import Evidence, pair
from aclnn_cts.judge.fingerprint import fingerprint_of
from aclnn_cts.judge.rerun_policy import Attempt
from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.process import ProgramRun

EvidenceOrVerdict = Evidence | CaseVerdict
JudgeItems = Callable[[Sequence[tuple[Case, Evidence]]], Iterator[CaseVerdict]]
"""Returns the verdicts on some cases and their records, in order."""


@dataclass
class Attempts:
    """All that was run again, as far as it was judged.

    Attributes:
        nonce: The run's own.
        by_case: What was tried of each case, by id, in order.
        bystanders: Cases that broke a promise when they were company, by id.
        problems: What is wrong with the records.
        programs: How many processes that is.
    """

    nonce: str
    by_case: dict[str, list[Attempt]] = field(default_factory=dict)
    bystanders: dict[str, CaseVerdict] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    programs: int = 0

    def judge(
        self,
        programs: Sequence[ProgramRun],
        cases: Mapping[str, Case],
        first: Mapping[str, EvidenceOrVerdict],
        judge_items: JudgeItems,
    ) -> None:
        """Judge further processes.

        Args:
            programs: Processes that are not yet judged.
            cases: All cases of the run, by id.
            first: What was found of each case in its batch.
            judge_items: Judges cases by their records.
        """
        told = [(program, self._read(program, cases)) for program in programs]
        wanted = [
            (place, name, record)
            for place, (program, found) in enumerate(told)
            for name, record in found.items()
            if isinstance(record, Evidence)
            and (name == program.about or _differs(record, first.get(name)))
        ]
        judged = judge_items([(cases[name], record) for _, name, record in wanted])
        verdicts: list[dict[str, CaseVerdict]] = [{} for _ in told]
        for (place, name, _), verdict in zip(wanted, judged, strict=True):
            verdicts[place][name] = verdict
        for (program, found), own in zip(told, verdicts, strict=True):
            self._note(program, {**_only_verdicts(found), **own})

    def _read(
        self, program: ProgramRun, cases: Mapping[str, Case]
    ) -> Mapping[str, EvidenceOrVerdict]:
        names = [name for name in (*program.company, program.about) if name in cases]
        if program.about not in cases:
            self.problems.append(f"{program.events.name} is about a case that was not planned")
        pairing = pair([cases[name] for name in names], [program], self.nonce)
        self.problems += pairing.problems
        return pairing.found

    def _note(self, program: ProgramRun, verdicts: Mapping[str, CaseVerdict]) -> None:
        self.programs += 1
        for name, verdict in verdicts.items():
            if name == program.about:
                attempt = Attempt(program.purpose, program.company, verdict)
                self.by_case.setdefault(name, []).append(attempt)
            elif verdict.verdict.breaks_promise:
                self.bystanders.setdefault(name, verdict)


def _differs(record: Evidence, first: EvidenceOrVerdict | None) -> bool:
    """Whether company behaved otherwise than in its batch; only then is it judged again."""
    return not isinstance(first, Evidence) or fingerprint_of(record) != fingerprint_of(first)


def _only_verdicts(found: Mapping[str, EvidenceOrVerdict]) -> dict[str, CaseVerdict]:
    return {name: item for name, item in found.items() if isinstance(item, CaseVerdict)}
