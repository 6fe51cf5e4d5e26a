# SPDX-License-Identifier: Apache-2.0
"""What the tests of the specs share."""

from __future__ import annotations

import pytest
from hypothesis import settings

from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import find_suite

# How long an example takes depends on who else uses the machine; that is no property of the code.
settings.register_profile("no-deadline", deadline=None)
settings.load_profile("no-deadline")


@pytest.fixture(scope="session")
def specs() -> SpecSet:
    """The suite's own specs."""
    return load_specs(find_suite())
