# SPDX-License-Identifier: Apache-2.0
"""Cases that were running when their run was interrupted: what they did then nobody knows.

They are run again from the start, also behind the cases that ran before them. What passes then may
have crashed or hung at first, so that the record was cut off has to be told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.run.process import ProgramRun

REMARK = (
    "it was running when its process was ended, with the run or because the batch's time was up; "
    "what it did then was not recorded"
)


def remark_interrupted(
    verdicts: Iterable[CaseVerdict], programs: Iterable[ProgramRun]
) -> Iterator[CaseVerdict]:
    """Yield the verdicts, in order, with a remark on each case whose first record was cut off.

    Args:
        verdicts: What is concluded of each case.
        programs: The run's processes.
    """
    cut = {program.cut for program in programs if program.cut}
    for verdict in verdicts:
        told = verdict.verdict.breaks_promise or verdict.case not in cut
        yield verdict if told else replace(verdict, remarks=(*verdict.remarks, REMARK))
