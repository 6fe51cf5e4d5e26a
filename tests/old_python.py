# SPDX-License-Identifier: Apache-2.0
"""The oldest Python of this host that a kit supports."""

from __future__ import annotations

import functools
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.processes import ended


@functools.cache
def oldest_python() -> str:
    """Return a Python 3.8 of this host, from PATH or pyenv; this Python if there is none."""
    asks = "import sys; sys.exit(sys.version_info[:2] != (3, 8))"
    found = (path for path in _named() if ended([path, "-c", asks]).returncode == 0)
    return next(found, sys.executable)


def _named() -> Iterator[str]:
    """Yield files that may be a Python 3.8; pyenv's shims fail unless that version is chosen."""
    if on_path := shutil.which("python3.8"):
        yield on_path
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from map(str, sorted(pyenv.glob("versions/3.8*/bin/python3.8")))
