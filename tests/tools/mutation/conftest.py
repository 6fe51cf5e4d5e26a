# SPDX-License-Identifier: Apache-2.0
"""Those tests of the mutation run that need its tools, where these are installed.

``tox -e mutate`` sets ``ACLNN_CTS_MUTATION``: then a missing tool is an error, not a silent pass.
"""

from __future__ import annotations

import importlib.util
import os

_TOOLS = ("coverage", "mutmut", "universalmutator")

collect_ignore: list[str] = []
if "ACLNN_CTS_MUTATION" not in os.environ and not all(map(importlib.util.find_spec, _TOOLS)):
    collect_ignore += [
        "test_argued_mutants.py",
        "test_cpp.py",
        "test_python_mutants.py",
        "test_python_run.py",
    ]
