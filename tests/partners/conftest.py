# SPDX-License-Identifier: Apache-2.0
"""PyTorch as a device: where it is installed. ``tox -e partners`` fails without it."""

from __future__ import annotations

import importlib.util
import os

collect_ignore_glob: list[str] = []
if "ACLNN_CTS_PARTNERS" not in os.environ and importlib.util.find_spec("torch") is None:
    collect_ignore_glob.append("test_*.py")
