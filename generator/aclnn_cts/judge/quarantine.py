# SPDX-License-Identifier: Apache-2.0
"""What is left to say of a case whose golden data are known to be wrong.

Nothing about its values: neither that they are right nor that they are wrong, nor which reading of
the documents the device follows. Its statuses, its memory and its repetitions are judged as ever,
since no golden value has a part in them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from aclnn_cts.judge.call_checks import Finding
from aclnn_cts.judge.outputs import JudgedOutput
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.quarantine import QuarantineEntry


def quarantine_of(specs: SpecSet, case: Case) -> QuarantineEntry | None:
    """Return why the case's golden data are not to be trusted; None if they are.

    A call that must be refused has no golden data.
    """
    return specs.quarantine.entry_of(case.id) if case.expects_success else None


def set_apart(outputs: Iterable[JudgedOutput]) -> list[JudgedOutput]:
    """Return judged outputs without what follows from golden values; findings become remarks."""
    return [
        replace(
            output,
            findings=tuple(
                Finding((), f"by golden data that are quarantined: {finding.text}", "remark")
                for finding in output.findings
            ),
            contests=(),
            samples=(),
            rounding=None,
        )
        for output in outputs
    ]


def sentence(entry: QuarantineEntry) -> str:
    """Return why nothing can be said about the values of a case."""
    return f"its golden data are quarantined since {entry.found}: {entry.reason}"
