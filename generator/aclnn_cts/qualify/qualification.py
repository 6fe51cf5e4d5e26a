# SPDX-License-Identifier: Apache-2.0
"""What the trials come to: the kill matrix, scores, survivors, and false alarms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from aclnn_cts.judge.standards import STANDARDS, Standard
from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.plan.cases import TIERS
from aclnn_cts.qualify.catalog import Fault, Variant
from aclnn_cts.qualify.notices import DECISIVE, Notice, count_clauses

Format: TypeAlias = Literal["aclnn-cts/qualification/2"]
FORMAT: Format = "aclnn-cts/qualification/2"


@dataclass(frozen=True)
class FaultTrial:
    """What came of one fault.

    Attributes:
        fault: The fault.
        cases: Cases that were run on the faulty device.
        notices: How cases noticed it by any standard, cheapest first.
        seconds: Time to build the device, run the cases and judge them.
        left_open: A case that proves nothing, and why; empty if there is none.
    """

    fault: Fault
    cases: int
    notices: tuple[Notice, ...]
    seconds: float
    left_open: str = ""

    def noticed(self, standard: Standard = DECISIVE, tier: str | None = None) -> tuple[Notice, ...]:
        """Return the notices by one standard, of the cases that a tier holds (all if None)."""
        tiers = TIERS if tier is None else TIERS[: TIERS.index(tier) + 1]
        return tuple(
            notice
            for notice in self.notices
            if standard in notice.standards and notice.tier in tiers
        )

    @property
    def killed(self) -> bool:
        """Whether the strict standard turns the verdict of the run red."""
        return bool(self.noticed())

    @property
    def clauses(self) -> dict[str, int]:
        """How many cases found each clause broken."""
        return count_clauses(self.noticed())

    @property
    def unnamed(self) -> tuple[str, ...]:
        """The clauses that ought to notice the fault and are not named by any case."""
        return tuple(clause for clause in self.fault.notices if clause not in self.clauses)


@dataclass(frozen=True)
class VariantTrial:
    """What came of one variant.

    Attributes:
        variant: The variant.
        cases: Cases that were run on it.
        not_passed: The verdicts on the cases that do not pass, though the device is right.
        seconds: Time to build the device, run the cases and judge them.
        left_open: Why it could not be tried; empty if it was.
    """

    variant: Variant
    cases: int
    not_passed: tuple[CaseVerdict, ...]
    seconds: float
    left_open: str = ""

    @property
    def alarm(self) -> bool:
        """Whether a case does not pass, or the variant could not be tried."""
        return bool(self.not_passed or self.left_open)


@dataclass(frozen=True)
class Qualification:
    """The trials of a tier.

    Attributes:
        suite_version: Version of the suite.
        specs_sha256: Digest of its specs.
        tier: The tier whose cases were run.
        unharmed: Cases that passed on the device without a fault, by product.
        trials: One for each fault, in the catalog's order.
        variants: One for each variant, in the catalog's order.
        seconds: Wall time of the whole.
    """

    suite_version: str
    specs_sha256: str
    tier: str
    unharmed: Mapping[str, int]
    trials: tuple[FaultTrial, ...]
    variants: tuple[VariantTrial, ...]
    seconds: float

    @property
    def tiers(self) -> tuple[str, ...]:
        """The tiers whose cases the one that was run holds."""
        return TIERS[: TIERS.index(self.tier) + 1]

    @property
    def killed(self) -> tuple[FaultTrial, ...]:
        """The faults that were noticed."""
        return tuple(trial for trial in self.trials if trial.killed)

    @property
    def survivors(self) -> tuple[FaultTrial, ...]:
        """The faults that no case noticed."""
        return tuple(trial for trial in self.trials if not trial.killed)

    @property
    def alarms(self) -> tuple[VariantTrial, ...]:
        """The variants that raised an alarm."""
        return tuple(trial for trial in self.variants if trial.alarm)

    @property
    def trusted(self) -> bool:
        """Whether every fault was noticed, and no variant raised an alarm."""
        return not self.survivors and not self.alarms

    def by_home(self) -> dict[str, tuple[FaultTrial, ...]]:
        """Return the trials by the operator or the part that the fault is in."""
        homes: dict[str, list[FaultTrial]] = {}
        for trial in self.trials:
            homes.setdefault(trial.fault.home, []).append(trial)
        return {home: tuple(trials) for home, trials in homes.items()}

    def as_json(self) -> dict[str, Any]:
        """Return what the file and ``--json`` hold."""
        return {
            "format": FORMAT,
            "suite": {"version": self.suite_version, "specs_sha256": self.specs_sha256},
            "tier": self.tier,
            "standard": DECISIVE,
            "faults": len(self.trials),
            "killed": len(self.killed),
            "survivors": [trial.fault.id for trial in self.survivors],
            "variants": len(self.variants),
            "alarms": len(self.alarms),
            "alarming": [trial.variant.id for trial in self.alarms],
            "unharmed": dict(self.unharmed),
            "scores": {home: self._scores(trials) for home, trials in self.by_home().items()},
            "matrix": [_row(trial, self.tiers) for trial in self.trials],
            "right_devices": [_variant_row(trial) for trial in self.variants],
            "seconds": round(self.seconds, 1),
        }

    def _scores(self, trials: tuple[FaultTrial, ...]) -> dict[str, Any]:
        return {
            "faults": len(trials),
            **{tier: sum(bool(t.noticed(tier=tier)) for t in trials) for tier in self.tiers},
            "by_standard": {
                name: sum(bool(trial.noticed(name)) for trial in trials) for name in STANDARDS
            },
        }


def _row(trial: FaultTrial, tiers: tuple[str, ...]) -> dict[str, Any]:
    fault, noticed = trial.fault, trial.noticed()
    cheapest = noticed[0] if noticed else None
    return {
        "fault": fault.id,
        "home": fault.home,
        "product": fault.product,
        "what": fault.fault,
        "killed": trial.killed,
        "clauses": trial.clauses,
        "ought_to_notice": list(fault.notices),
        "unnamed": list(trial.unnamed),
        "cases": trial.cases,
        "noticing_cases": len(noticed),
        "cheapest": None
        if cheapest is None
        else {"case": cheapest.case, "elements": cheapest.elements, "tier": cheapest.tier},
        "tiers": {tier: bool(trial.noticed(tier=tier)) for tier in tiers},
        "standards": {name: len(trial.noticed(name)) for name in STANDARDS},
        "needs": fault.needs,
        "left_open": trial.left_open,
        "seconds": round(trial.seconds, 2),
    }


def _variant_row(trial: VariantTrial) -> dict[str, Any]:
    variant = trial.variant
    return {
        "variant": variant.id,
        "home": variant.home,
        "product": variant.product,
        "what": variant.variant,
        "allows": list(variant.allows),
        "cases": trial.cases,
        "alarm": trial.alarm,
        "not_passed": [
            {
                "case": found.case,
                "verdict": found.verdict.value,
                "clauses": list(found.broken),
                "message": found.message,
            }
            for found in trial.not_passed
        ],
        "left_open": trial.left_open,
        "seconds": round(trial.seconds, 2),
    }
