# SPDX-License-Identifier: Apache-2.0
"""Whether a case could have failed at all: three rules on what its data can show.

A case that expects success and has output elements is *untrusted* if

* no element of it is decisive: wherever a value is promised, an error as large as the value itself
  would be accepted (0 for the value, or twice the value), and no class is promised anywhere; or
* most of the elements of which anything is promised are plain zeros, 0 by the formula alone: an
  output that nobody wrote, on memory that happens to be zeroed, would pass there. A 0 that a clause
  promises where the plain formula says otherwise is no such zero; or
* some output hides swaps along every axis that has neighbours: a device that mixed up its elements
  would return what is expected. Equal rows alone are no fault: a tensor that is repeated along an
  axis has them, and the other axes tell elements apart.

Empty outputs are fine: such a case tests the status and the memory. A case that expects a refusal
can always fail, since its status can be wrong. What the data can show is found by
:mod:`aclnn_cts.golden.resolution`, before any run.

Of a case whose golden data are known to be wrong, nothing is said about values: neither that they
are right nor that they are wrong, nor which reading of the documents the device follows. Its
statuses, its memory and its repetitions are judged as ever, since no golden value has a part in
them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from aclnn_cts.golden.resolution import Resolution
from aclnn_cts.judge.call_checks import Finding
from aclnn_cts.judge.case_records import JudgedOutput
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.quarantine import QuarantineEntry

MOST_PLAIN_ZEROS = 0.5
"""Share of the judged elements that may be plain zeros: above it they are most of them."""


def distrust(shapes: Mapping[str, tuple[int, ...]], found: Mapping[str, Resolution]) -> str | None:
    """Return in one sentence why a case that expects success could not have failed; or None.

    Args:
        shapes: View shape of each output.
        found: What the judgement of each output could find.
    """
    elements = sum(math.prod(shape) for shape in shapes.values())
    if elements == 0:
        return None
    whole = sum(found.values(), Resolution())
    if whole.decisive == 0:
        return (
            f"none of {elements} elements could have failed: wherever a value is promised, an "
            "error as large as the value would be accepted"
        )
    if whole.plain_zeros > MOST_PLAIN_ZEROS * whole.judged:
        return (
            f"{whole.plain_zeros} of {whole.judged} elements are 0 by the formula alone: memory "
            "that nobody wrote could pass for them"
        )
    for name, resolution in found.items():
        if hides_swaps(shapes[name], resolution):
            return f"no two neighbouring elements of {name} could be told apart if swapped"
    return None


def hides_swaps(shape: tuple[int, ...], resolution: Resolution) -> bool:
    """Whether no axis of an output tells neighbours apart, though there are some to tell."""
    axes = {axis for axis, extent in enumerate(shape) if extent > 1}
    return bool(axes) and axes <= set(resolution.hiding)


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
