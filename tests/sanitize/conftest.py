# SPDX-License-Identifier: Apache-2.0
"""The smoke tier under sanitizers runs by ``tox -e sanitize``."""

from __future__ import annotations

import os

collect_ignore_glob = [] if "ACLNN_CTS_SANITIZERS" in os.environ else ["test_*.py"]
