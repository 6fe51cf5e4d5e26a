# SPDX-License-Identifier: Apache-2.0
"""How a results store is named; without SQLAlchemy, which takes long to import."""

from __future__ import annotations

import re

_SCHEME = re.compile(r"[\w+.-]*:")


def is_path(store: str) -> bool:
    """Whether it is the path of a file; an address, even a wrong one, is no path."""
    return not _SCHEME.match(store)
