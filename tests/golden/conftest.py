# SPDX-License-Identifier: Apache-2.0
"""What tests of golden data share."""

from __future__ import annotations

import pytest

from aclnn_cts.golden import kernel


@pytest.fixture(autouse=True)
def quickly_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectorise small loops only: g++ takes 8 s for one of 900 statements, whose bits are equal."""
    monkeypatch.setattr(kernel, "MOST_VECTORISED", 400)
