# SPDX-License-Identifier: Apache-2.0
"""A trial: the cases that ought to notice a fault, run on a device that has it, and judged."""

from __future__ import annotations

import functools
import tempfile
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.judge.case_judge import Reference, judge_case
from aclnn_cts.judge.pairing import Evidence, pair
from aclnn_cts.judge.session import output_reader, reference_of, seen_together
from aclnn_cts.judge.standards import STANDARDS, Standard
from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.execute import Campaign, run_cases
from aclnn_cts.run.folder import ProgramRun
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import SpecSet

CASE_SECONDS = 10.0
"""Time that a stream is given in a trial: a fault that hangs must not hold up the others."""

GATE: Standard = "strict"


@dataclass(frozen=True)
class Bench:
    """Cases of one product, with all that does not depend on the device under trial.

    Attributes:
        specs: All specs.
        product: The product's id.
        cases: The cases.
        programs: The folder of the programs.
        store: The folder of the input data.
        data: Where each case's data stand, by case id.
    """

    specs: SpecSet
    product: str
    cases: tuple[Case, ...]
    programs: Path
    store: Path
    data: Mapping[str, DataReference]

    @functools.cached_property
    def references(self) -> dict[str, Reference]:
        """What each case's outputs are held against, evaluated once for all devices."""
        return {case.id: self._kept(case) for case in self.cases}

    def _kept(self, case: Case) -> Reference:
        reference = reference_of(self.specs, case, self.store, self.data.get(case.id))
        return Reference(reference.inputs, functools.lru_cache(maxsize=1)(reference.expect))

    def verdicts(self, toolkit: Toolkit) -> tuple[CaseVerdict, ...]:
        """Run all cases on a device and judge them by the strict standard, in order.

        Raises:
            NotTrustworthyError: A program cannot be started, or the disk is full.
        """
        with tempfile.TemporaryDirectory(prefix="aclnn-cts-trial-") as folder:
            campaign = Campaign(
                self.specs,
                self.product,
                toolkit,
                self.programs,
                Path(folder),
                self.store,
                self.data,
                CASE_SECONDS,
            )
            return self._judge(run_cases(campaign, self.cases, 1, _silent))

    def _judge(self, programs: Sequence[ProgramRun]) -> tuple[CaseVerdict, ...]:
        found = pair(self.cases, programs).found
        judged = [(case, self._judge_one(case, found[case.id])) for case in self.cases]
        verdicts, _ = seen_together(judged, self.specs, GATE)
        return verdicts

    def _judge_one(self, case: Case, found: Evidence | CaseVerdict) -> CaseVerdict:
        if isinstance(found, CaseVerdict):
            return found
        reader = output_reader(found.outputs)
        reference = self.references[case.id]
        return judge_case(self.specs, case, reference, found.record, reader, GATE)


def _silent(operator: str, ended: int) -> None:
    del operator, ended


@dataclass(frozen=True)
class Notice:
    """How one case noticed a fault.

    Attributes:
        case: The case's id.
        operator: Its operator.
        tier: The least tier that holds it.
        elements: Elements of all its tensors: what it costs.
        clauses: The clauses that it found broken.
        standards: The standards under which it fails.
    """

    case: str
    operator: str
    tier: str
    elements: int
    clauses: tuple[str, ...]
    standards: tuple[Standard, ...]


def notices_of(
    cases: Sequence[Case],
    unharmed: Mapping[str, Collection[Standard]],
    verdicts: Sequence[CaseVerdict],
) -> tuple[Notice, ...]:
    """Return the cases that notice that a device is not the unharmed one, cheapest first.

    Args:
        cases: The cases.
        unharmed: The standards that the unharmed device keeps, by case id.
        verdicts: The verdicts on the faulty one, in the order of the cases.
    """
    noticed = []
    for case, verdict in zip(cases, verdicts, strict=True):
        failed = _failed_standards(verdict, unharmed[case.id])
        if failed:
            elements = sum(tensor.numel for tensor in case.tensors)
            noticed.append(
                Notice(case.id, case.operator, case.tier, elements, verdict.broken, failed)
            )
    return tuple(sorted(noticed, key=lambda notice: (notice.elements, notice.case)))


def _failed_standards(verdict: CaseVerdict, unharmed: Collection[Standard]) -> tuple[Standard, ...]:
    """Return the standards by which a case fails now, and did not on the unharmed device.

    A wrong status, written memory or a crash break each of them; they differ in what they say of
    values.
    """
    if verdict.verdict.breaks_promise and verdict.kinds != {"value"}:
        return STANDARDS
    return tuple(
        name
        for name in STANDARDS
        if (verdict.verdict.breaks_promise and name == GATE)
        or (name in verdict.standards and not verdict.standards[name].passed and name in unharmed)
    )


def kept_standards(verdict: CaseVerdict) -> tuple[Standard, ...]:
    """Return the standards that a case keeps; all of them if nothing was compared."""
    return tuple(
        name
        for name in STANDARDS
        if name not in verdict.standards or verdict.standards[name].passed
    )


def count_clauses(notices: Sequence[Notice]) -> dict[str, int]:
    """Return how many cases found each clause broken, the most often broken first."""
    counts = Counter(clause for notice in notices for clause in notice.clauses)
    return dict(counts.most_common())
