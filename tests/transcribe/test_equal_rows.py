# SPDX-License-Identifier: Apache-2.0
"""Equal rows of real pages' error tables have equal transcriptions; the suite holds no pages."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tools.equal_rows import EXPLAINED, differing, equal_rows

from aclnn_cts.spec.loading import SpecSet

PAGES = os.environ.get("ACLNN_CTS_PAGES")
pytestmark = pytest.mark.skipif(
    PAGES is None, reason="ACLNN_CTS_PAGES names no folder with the public pages of operators"
)


def test_equal_words_equal_clauses(specs: SpecSet) -> None:
    """Each difference has an explanation, and each explanation a difference."""
    rows = equal_rows(specs, Path(PAGES or ""))
    assert not differing(rows)
    assert EXPLAINED.keys() <= {each for each, own in rows.items() if len(own) > 1}
