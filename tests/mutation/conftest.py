# SPDX-License-Identifier: Apache-2.0
"""The tests of the mutation run where its tools are installed.

``tox -e mutate`` sets ``ACLNN_CTS_MUTATION``: then a missing tool is an error, not a silent pass.
"""

from __future__ import annotations

import importlib.util
import os

_TOOLS = ("coverage", "mutmut", "universalmutator")

collect_ignore_glob: list[str] = []
if "ACLNN_CTS_MUTATION" not in os.environ and not all(map(importlib.util.find_spec, _TOOLS)):
    collect_ignore_glob.append("test_*.py")
