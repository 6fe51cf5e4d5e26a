# SPDX-License-Identifier: Apache-2.0
"""What the judge can say about a case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from aclnn_cts.golden.resolution import Resolution
from aclnn_cts.judge.clauses import Contest
from aclnn_cts.judge.rounding import Rounding
from aclnn_cts.judge.samples import Picture, Sample
from aclnn_cts.judge.standards import Figures, Standard
from aclnn_cts.plan.cases import Case


class MissingDataError(Exception):
    """Something that the verdict needs is not in the results; says what."""


class Verdict(str, Enum):
    """What is known about a case.

    PASS: every promise that it tests was kept. FAIL: one was broken. CRASH: the program died in it.
    TIMEOUT: it did not end in time. FLAKY: it broke a promise once and kept it another time, and
    nothing that ran before it explains that. MISSING: there is no complete record of it.
    UNENFORCED: the device accepts a call that its documents only require not to be made; neither
    pass nor fail. CONTESTED_ONLY: it broke nothing, but the documents contradict themselves on
    every element.
    UNTRUSTED: it broke nothing, but could not have, see :mod:`aclnn_cts.judge.sensitivity`, or its
    golden data are quarantined, see :mod:`aclnn_cts.judge.sensitivity`.
    """

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    FAIL = "fail"
    CRASH = "crash"
    TIMEOUT = "timeout"
    FLAKY = "flaky"
    MISSING = "missing"
    UNENFORCED = "unenforced"
    CONTESTED_ONLY = "contested-only"
    UNTRUSTED = "untrusted"

    @property
    def breaks_promise(self) -> bool:
        """Whether the device is at fault."""
        return self in (Verdict.FAIL, Verdict.CRASH, Verdict.TIMEOUT, Verdict.FLAKY)

    @property
    def proves_nothing(self) -> bool:
        """Whether the case says nothing about the device."""
        return self in (Verdict.MISSING, Verdict.UNTRUSTED)


@dataclass(frozen=True)
class Common:
    """What all cases with wrong values of an operator have in common, and few others have.

    Attributes:
        setting: A data type, rank or format, such as ``bfloat16`` or ``rank 4``.
        clauses: Ids of the promises on calls that it is an instance of.
    """

    setting: str
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class CaseVerdict:
    """What the judge found about one case.

    Attributes:
        case: The case's id.
        operator: The operator's name.
        verdict: The verdict by the standard that decides.
        broken: Ids of the broken clauses, most specific first.
        exercised: Ids of the clauses that the case tests: those of the call, and those of its data,
            without those of further runs that were not made.
        standards: Figures of each standard; empty if nothing was compared.
        seconds: Time of the case on the host of the device.
        message: One sentence: why the verdict is not pass; empty for a pass.
        kinds: Kinds of what is broken, see :class:`aclnn_cts.judge.call_checks.Finding`.
        contests: Where the documents contradict themselves, and the reading that the device
            follows.
        remarks: What is worth telling, but breaks nothing.
        samples: The first failing elements.
        pictures: Where the errors of each output that fails sit.
        elements: Elements of all outputs.
        contested: Those on which the documents contradict themselves.
        unpromised: Those of which nothing is promised.
        status: What phase one returned; None if there is no record of it.
        resolution: What the judgement of the outputs could find; None if there was none.
        rounding: What the outputs say about rounding, for the whole run to be pooled.
        device_microseconds: Time on the device, as far as the device told it, of each launch that
            was made for its time alone; if there were none, of each ordinary launch, in order.
        tries: How many times it was run again.
        confirmed: Whether it broke a promise again alone, in a process that ran nothing before.
        after: Ids of the cases without which it breaks no promise, if there are such: as few as
            were found.
        only_in: In what alone the operator's values are wrong, if that is a data type, rank or
            format; its clauses stand in ``broken``, too, behind what was computed wrong.
        unenforced: Ids of the requirements that the device does not enforce.
    """

    case: str
    operator: str
    verdict: Verdict
    broken: tuple[str, ...] = ()
    exercised: tuple[str, ...] = ()
    standards: Mapping[Standard, Figures] = field(default_factory=dict)
    seconds: float = 0.0
    message: str = ""
    kinds: frozenset[str] = frozenset()
    contests: tuple[Contest, ...] = ()
    remarks: tuple[str, ...] = ()
    samples: tuple[Sample, ...] = ()
    elements: int = 0
    contested: int = 0
    unpromised: int = 0
    status: int | None = None
    resolution: Resolution | None = None
    rounding: tuple[Rounding, ...] = ()
    device_microseconds: tuple[float, ...] = ()
    pictures: tuple[Picture, ...] = ()
    tries: int = 0
    confirmed: bool = False
    after: tuple[str, ...] = ()
    only_in: tuple[Common, ...] = ()
    unenforced: tuple[str, ...] = ()


def missing(case: Case, reason: str, *, seconds: float = 0.0) -> CaseVerdict:
    """Return the verdict on a case of which there is no complete record."""
    return CaseVerdict(
        case.id,
        case.operator,
        Verdict.MISSING,
        exercised=case.clauses,
        seconds=seconds,
        message=reason,
    )
