# SPDX-License-Identifier: Apache-2.0
"""The check against the vendor's headers runs where ``tox -e headers`` has fetched them."""

from __future__ import annotations

import os

collect_ignore_glob = [] if "ACLNN_CTS_VENDOR_HEADERS" in os.environ else ["test_*.py"]
