# SPDX-License-Identifier: Apache-2.0
"""Of how many calls another edition of the documents allows other results."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.data import make_inputs
from aclnn_cts.golden.expectations import call_key, expect_case
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.edition_cases import Cases
from aclnn_cts.spec.edition_diff import values_differ
from aclnn_cts.spec.loading import SpecSet


def differing_outcomes(before: SpecSet, after: SpecSet, operator: str, cases: Cases) -> int:
    """Return for how many of the calls the allowed outcomes of any element differ.

    Cases of two products are often one call; it counts once, and is evaluated once. The data are
    made only if what the outcomes follow from differs at all.

    Args:
        before: The specs of one edition.
        after: The specs of the other.
        operator: The operator.
        cases: Its cases that both editions have.
    """
    if not values_differ(before.operator(operator), after.operator(operator)):
        return 0
    distinct = {
        (call_key(before, case), call_key(after, case)): case
        for own in cases.values()
        for case in own
        if case.expects_success
    }
    return sum(_differs(before, after, case) for case in distinct.values())


def _differs(before: SpecSet, after: SpecSet, case: Case) -> bool:
    inputs = make_inputs(after.operator(case.operator), case)
    old, new = expect_case(before, case, inputs), expect_case(after, case, inputs)
    return any(not np.array_equal(old[name].allowed, new[name].allowed) for name in new)
