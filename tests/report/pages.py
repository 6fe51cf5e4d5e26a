# SPDX-License-Identifier: Apache-2.0
"""What the tests of the page hold against it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from aclnn_cts.judge.comparison import ErrorBin, Picture
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.results.document import (
    ResultsDocument,
)

Entries = Callable[..., CaseEntry]
Documents = Callable[..., ResultsDocument]
PICTURE = Picture(
    "out",
    (32, 32),
    32,
    32,
    512,
    1,
    tuple("09" * 16 if row % 2 else "90" * 16 for row in range(32)),
    (ErrorBin(0.5, 512, 0), ErrorBin(float("inf"), 511, 511)),
)


def data_of(page: str) -> dict[str, Any]:
    """Return the data that the page's script reads."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return dict(json.loads(found[1]))
