# SPDX-License-Identifier: Apache-2.0
"""Real services on this machine: run where ``tox -e services`` has seen to them."""

from __future__ import annotations

import os

collect_ignore_glob = [] if "ACLNN_CTS_SERVICES" in os.environ else ["test_*.py", "*/test_*.py"]
