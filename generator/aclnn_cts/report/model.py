# SPDX-License-Identifier: Apache-2.0
"""A judged run: what the report's files and tables are made of."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from aclnn_cts.errors import ExitCode
from aclnn_cts.judge.bias import PooledRounding
from aclnn_cts.judge.standards import Standard
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.report.clauses import ClauseVerdict
from aclnn_cts.report.gaps import AnsweredGap, Silence
from aclnn_cts.report.waiver_states import WaiverOutcome, stale_waivers
from aclnn_cts.run.folder import RunFolder


@dataclass(frozen=True)
class Report:
    """Everything that is known about a run.

    Attributes:
        run: The opened folder.
        standard: The standard that decided.
        verdicts: One per planned case, in the run's order.
        stories: For each case that did not pass, by id: the text for people.
        clauses: The verdict on every clause of the run's operators.
        problems: What is wrong with the run's record as a whole.
        silences: Of what the documents of the run's operators promise nothing.
        gaps: Refusals whose status they do not tell, with the status that came back.
        rounding: What the run says about how each output is rounded.
        waived: Id of the waiver that holds for a case, by the case's id.
        waivers: What became of each waiver.
        enforce: Whether a requirement that the device does not enforce ends with exit status 1.
        all_operators: Whether the run holds cases of every operator that is tested on its product.
    """

    run: RunFolder
    standard: Standard
    verdicts: tuple[CaseVerdict, ...]
    stories: dict[str, str]
    clauses: tuple[ClauseVerdict, ...]
    problems: tuple[str, ...]
    silences: tuple[Silence, ...] = ()
    gaps: tuple[AnsweredGap, ...] = ()
    rounding: tuple[PooledRounding, ...] = ()
    waived: Mapping[str, str] = field(default_factory=dict)
    waivers: tuple[WaiverOutcome, ...] = ()
    all_operators: bool = True
    enforce: bool = False

    @functools.cached_property
    def by_case(self) -> dict[str, CaseVerdict]:
        """The verdicts by case id."""
        return {verdict.case: verdict for verdict in self.verdicts}

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that a command ends with after this report."""
        counted = [each.verdict for each in self.verdicts if each.case not in self.waived]
        return exit_code(
            counted, [*self.problems, *self.stale], len(self.waived), enforce=self.enforce
        )

    @property
    def stale(self) -> tuple[str, ...]:
        """The waivers that would hide a failure that came back, each with a sentence."""
        return stale_waivers(self.waivers)


def exit_code(
    verdicts: Collection[Verdict],
    problems: Iterable[str] = (),
    waived: int = 0,
    *,
    enforce: bool = False,
) -> ExitCode:
    """Return the exit status for some verdicts.

    A broken promise (fail, crash, timeout, flaky) counts more than a result that proves nothing
    (missing, untrusted, no case at all, a damaged record). A case on which the documents contradict
    themselves throughout breaks nothing, nor does a requirement that is not enforced.

    Args:
        verdicts: The verdicts that count.
        problems: What is wrong with the run as a whole, or with its waivers.
        waived: How many cases there are besides whose failure is waived.
        enforce: Whether a requirement that is not enforced counts as a broken promise.
    """
    unenforced = enforce and Verdict.UNENFORCED in verdicts
    if unenforced or any(verdict.breaks_promise for verdict in verdicts):
        return ExitCode.BROKEN_PROMISE
    nothing = not verdicts and not waived
    if nothing or any(verdict.proves_nothing for verdict in verdicts) or any(problems):
        return ExitCode.NOT_TRUSTWORTHY
    return ExitCode.PASSED
