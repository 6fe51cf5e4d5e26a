# SPDX-License-Identifier: Apache-2.0
"""Whether a case could have failed at all.

An element is *decisive* if a plainly wrong result would have been rejected:

* its value is promised, 0 is not allowed besides, and the tolerance is smaller than the value
  itself, so that a device that returned 0, or twice the value, would have been caught; or
* a clause wants something other than the value (0, Inf, NaN), so that a device that just
  computed the formula would have been caught.

An element that is 0 by the formula alone is not decisive: an output that nobody wrote, on memory
that happens to be zeroed, would pass.

A case that expects success and has output elements, of which fewer than 1 % (or none) are decisive,
is *untrusted*: its PASS would say nothing. One percent, because a fault in a single branch of an
operator shows in the few elements of that branch only, and fewer decisive elements than that are
accidents of the data. Empty outputs are fine: such a case tests the status and the memory. A
case that expects a refusal is always decisive, since its status can be wrong.
"""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.expected import Expected, Outcome

LEAST_DECISIVE_SHARE = 0.01
"""Least share of decisive elements over all outputs of a case."""

_VALUE = np.uint8(Outcome.VALUE)
_ZERO = np.uint8(Outcome.ZERO)


def count_decisive(expected: Expected) -> int:
    """Return how many elements are decisive; the arrays may be a block of an expectation."""
    by_value = np.less(expected.tolerance, np.abs(expected.value))
    allowed = expected.allowed
    if np.equal(allowed, _VALUE).all():
        return int(np.count_nonzero(by_value))
    by_value &= (allowed & (_VALUE | _ZERO)) == _VALUE
    elsewhere = (allowed & _VALUE) == 0
    return int(np.count_nonzero(by_value)) + int(np.count_nonzero(elsewhere))


def is_trusted(elements: int, decisive: int) -> bool:
    """Whether a case that expects success could have failed.

    Args:
        elements: Elements of all outputs.
        decisive: Decisive elements of all outputs.
    """
    return elements == 0 or decisive >= max(1, LEAST_DECISIVE_SHARE * elements)
