# SPDX-License-Identifier: Apache-2.0
"""How the tests run here: the same examples each time, fewer of them, and no search for others."""

from __future__ import annotations

import hypothesis
import pytest

EXAMPLES = 40
"""Examples of a property that does not ask for a number of its own."""

OPTIONS = (
    "--quiet",
    "--tb=no",
    "--assert=plain",
    "--no-header",
    "--no-summary",
    "-pno:cacheprovider",
    "-otmp_path_retention_policy=none",
)


class Profile:
    """A pytest plugin that chooses Hypothesis's settings before the tests are imported."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Replace the settings that the tests' conftest has chosen."""
        hypothesis.settings.register_profile(
            "mutation",
            deadline=None,
            derandomize=True,
            database=None,
            max_examples=EXAMPLES,
            report_multiple_bugs=False,
            phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
        )
        hypothesis.settings.load_profile("mutation")
