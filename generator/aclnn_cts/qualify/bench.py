# SPDX-License-Identifier: Apache-2.0
"""Cases that are run on one device after another, and judged as far as these differ.

What does not depend on the device is made once: inputs, expectations, and the verdicts on the
unharmed device. A case whose record is the same as there, bit for bit, has the same verdict.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aclnn_cts.emit.case_file import case_lines
from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.judge.judge_run import reference_of
from aclnn_cts.judge.records import Evidence, Unrecorded, fingerprint_of, pair
from aclnn_cts.judge.verdicts import (
    CaseVerdict,
    Reference,
    judge_case,
    with_bias,
    without_record,
)
from aclnn_cts.plan.cases import TIERS, Case
from aclnn_cts.qualify.qualification import DECISIVE, notices_of
from aclnn_cts.report.explanation import attribute
from aclnn_cts.run.executor import FAULTY_TIMEOUTS, Campaign, run_in_turn
from aclnn_cts.run.run_config import RunConfig, case_seconds_of
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import SpecSet

_PORTIONS = 8
"""Portions that cases are run in until one notices a fault; each samples all groups of cases."""


@dataclass(frozen=True)
class TriedCase:
    """Result of the unharmed device in a case, before the checks over all cases.

    Attributes:
        fingerprint: A digest of its record.
    """

    verdict: CaseVerdict
    fingerprint: str


@dataclass(frozen=True)
class Bench:
    """Cases of one product, with all that does not depend on the device.

    Attributes:
        product: The product's id.
        store: The folder of the input data.
        data: Where each case's data are, by case id.
        known: What the unharmed device did, by case id; empty as long as it was not tried.
    """

    specs: SpecSet
    product: str
    cases: tuple[Case, ...]
    programs: Path
    store: Path
    data: Mapping[str, DataReference]
    known: Mapping[str, TriedCase] = field(default_factory=dict)
    _references: dict[str, Reference] = field(default_factory=dict, init=False, repr=False)
    _lines: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False)

    def try_device(self, toolkit: Toolkit, *, first: bool = False) -> dict[str, TriedCase]:
        """Run all cases on a device; return what it did in each, by case id.

        Args:
            first: Run and judge the cases in portions, then all together, and stop at the first
                that notices a fault.

        Raises:
            NotTrustworthyError: A program cannot be started, or the disk is full.
        """
        portions = [self.cases[start::_PORTIONS] for start in range(_PORTIONS)] if first else []
        done: dict[str, TriedCase] = {}
        # A fault may need more calls in one process than a portion makes.
        for cases in (*portions, self.cases):
            for case, tried in self._try(toolkit, cases):
                done[case.id] = tried
                if first and self._notices(case, tried.verdict):
                    return done
        return done

    def _try(self, toolkit: Toolkit, cases: Sequence[Case]) -> Iterator[tuple[Case, TriedCase]]:
        """Run cases on a device; yield each with what it did, as they are judged."""
        with tempfile.TemporaryDirectory(prefix="aclnn-cts-trial-") as folder:
            campaign = Campaign(
                specs=self.specs,
                product=self.product,
                toolkit=toolkit,
                programs=self.programs,
                folder=Path(folder),
                store=self.store,
                references=self.data,
                config=RunConfig(case_seconds=case_seconds_of(faulty=bool(toolkit.fault))),
                most_timeouts=FAULTY_TIMEOUTS,
                lines_of=self._lines_of,
            )
            programs = run_in_turn(campaign, cases)
            found = pair(cases, programs, campaign.nonce).found
            for case in cases:
                yield case, self.judge_one(case, found[case.id])

    def _lines_of(self, specs: SpecSet, case: Case, data: DataReference) -> Iterable[str]:
        if case.id not in self._lines:
            self._lines[case.id] = tuple(case_lines(specs, case, data))
        return self._lines[case.id]

    def _notices(self, case: Case, verdict: CaseVerdict) -> bool:
        """Whether a case tells the device from the unharmed one by the standard that decides."""
        unharmed = {case.id: self.known[case.id].verdict}
        notices = notices_of((case,), unharmed, (verdict,))
        return any(DECISIVE in notice.standards for notice in notices)

    def judge_one(self, case: Case, found: Evidence | Unrecorded) -> TriedCase:
        """Return the verdict on a case, that on the unharmed device if its record is the same."""
        if isinstance(found, Unrecorded):
            return TriedCase(without_record(case, found), "")
        fingerprint = self.fingerprint(case, found)
        known = self.known.get(case.id)
        if known is not None and known.fingerprint == fingerprint:
            return known
        if case.id not in self._references:
            data = self.data.get(case.id)
            self._references[case.id] = reference_of(self.specs, case, self.store, data).kept()
        verdict = judge_case(self.specs, case, self._references[case.id], found, DECISIVE)
        return TriedCase(verdict, fingerprint)

    def fingerprint(self, case: Case, found: Evidence) -> str:
        """Return a digest of all that a verdict can depend on."""
        del case
        return fingerprint_of(found)

    def verdicts(self, done: Mapping[str, TriedCase], tier: str) -> tuple[CaseVerdict, ...]:
        """Return the verdicts with the checks over all cases together applied, in order.

        Where not all cases were judged, these checks are left out.

        Those checks report in a few cases of a run, so each lower tier is checked by itself, too:
        its findings appear in its own cases.

        Args:
            done: What a device did in each case.
        """
        if len(done) < len(self.cases):
            return tuple(done[case.id].verdict for case in self.cases if case.id in done)
        told: dict[str, CaseVerdict] = {}
        for number in range(TIERS.index(tier) + 1, 0, -1):
            held = [case for case in self.cases if case.tier in TIERS[:number]]
            verdicts, _ = with_bias([done[case.id].verdict for case in held], self.specs, DECISIVE)
            for verdict in attribute(list(zip(held, verdicts, strict=True)), self.specs):
                if verdict.case not in told or verdict.verdict.breaks_promise:
                    told[verdict.case] = verdict
        return tuple(told[case.id] for case in self.cases)
