# SPDX-License-Identifier: Apache-2.0
"""Golden data of the standard tier against 100 digits; what disagrees must be quarantined."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from tests.oracle.exact.agreement import agreement_of_case, compared
from tests.oracle.exact.quarantine import complaints_about, unmatched

from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.loading import SpecSet

pytestmark = pytest.mark.skipif(
    os.environ.get("ACLNN_CTS_ORACLE") != "standard",
    reason="takes minutes; `tox -e oracle-standard` does it",
)

Planned = Callable[..., tuple[Case, ...]]


@pytest.mark.parametrize("product", ["atlas-a2", "atlas-training"])
def test_the_standard_tier(specs: SpecSet, planned: Planned, product: str) -> None:
    """As the smoke tier, with a sample of the elements; and no entry is left over."""
    cases = compared(specs, planned(product, "standard"))
    found = [(case, agreement_of_case(specs, case, 100)) for case in cases]
    assert complaints_about(specs.quarantine, found) == []


def test_every_entry_of_the_quarantine_speaks_of_a_planned_case(
    specs: SpecSet, planned: Planned
) -> None:
    """A pattern that fits nothing would quarantine nothing, silently."""
    if specs.quarantine.quarantined:
        cases = [case for product in specs.products for case in planned(product, "full")]
        assert unmatched(specs.quarantine, cases) == []
