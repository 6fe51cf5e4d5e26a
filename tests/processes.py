# SPDX-License-Identifier: Apache-2.0
"""Programs that tests run to their end."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import Any


def ended(command: Sequence[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a program; return its status and what it wrote."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)
