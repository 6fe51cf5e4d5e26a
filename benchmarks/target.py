# SPDX-License-Identifier: Apache-2.0
"""A speed that is promised, and was not reached."""

from __future__ import annotations


class MissedTargetError(Exception):
    """What was measured is slower than promised; the message says what, and by how much."""
