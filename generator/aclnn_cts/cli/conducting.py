# SPDX-License-Identifier: Apache-2.0
"""What a new run and one that goes on have in common: both are watched, confirmed and published."""

from __future__ import annotations

from collections.abc import Callable

from aclnn_cts.console import ConsoleProgress
from aclnn_cts.judge.judge_run import Judging
from aclnn_cts.judge.rerun import Confirmation
from aclnn_cts.report.judging import publish
from aclnn_cts.report.model import Report
from aclnn_cts.report.waiver_states import Acceptance
from aclnn_cts.run.campaign import Progress, RunAgain
from aclnn_cts.run.folder import RunFolder

Conduct = Callable[[Progress, RunAgain], RunFolder]
"""Runs what there is to run, and returns the complete run."""


def conduct_and_publish(
    conduct: Conduct, judging: Judging, acceptance: Acceptance | None
) -> Report:
    """Have cases run, and write the report on them; raises as the campaign that it is given.

    Args:
        conduct: Runs the cases.
        judging: How they are judged.
        acceptance: Failures that are accepted; None for none.
    """
    with ConsoleProgress() as progress:
        confirmation = Confirmation(judging, progress.stage, progress.step)
        try:
            done = conduct(progress, confirmation)
        except KeyboardInterrupt as ended:
            raise KeyboardInterrupt("results of this run are incomplete", *ended.args) from None
        return publish(done, judging, confirmation.judged, acceptance)
