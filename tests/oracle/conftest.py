# SPDX-License-Identifier: Apache-2.0
"""The comparison with PyTorch runs where PyTorch is installed; that with 100 digits, everywhere.

``tox -e oracle`` sets ``ACLNN_CTS_ORACLE``: then a missing PyTorch is an error, not a silent pass.
"""

from __future__ import annotations

import importlib.util
import os

collect_ignore_glob: list[str] = []
if "ACLNN_CTS_ORACLE" not in os.environ and importlib.util.find_spec("torch") is None:
    collect_ignore_glob.append("test_*_oracle.py")
