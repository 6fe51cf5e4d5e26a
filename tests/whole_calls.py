# SPDX-License-Identifier: Apache-2.0
"""Expectations of calls with all elements in memory."""

from __future__ import annotations

from typing import Any

from aclnn_cts.golden.expectations import expect_call
from aclnn_cts.golden.expected import Expected


def evaluate(*call: Any) -> dict[str, Expected]:
    """Return what :func:`expect_call` returns, with all elements in memory."""
    return {name: expectation.whole() for name, expectation in expect_call(*call).items()}
