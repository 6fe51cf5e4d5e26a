# SPDX-License-Identifier: Apache-2.0
"""What is made of specs when it is built."""

from __future__ import annotations

import sys

from tests.processes import ended

from aclnn_cts.emit.cpp_sources import MAKERS

_ROOMS = """
import sys, aclnn_cts.emit.simulated
print(*{name.split(".")[1] for name in sys.modules if name.count(".") > 1
        and name.startswith("aclnn_cts.")})
"""


def test_sources_are_made_anew_if_what_makes_them_changes() -> None:
    """The digest that names them covers each room that has a part in it."""
    done = ended([sys.executable, "-c", _ROOMS])
    assert set(done.stdout.split()) == {pattern.partition("/")[0] for pattern in MAKERS}
