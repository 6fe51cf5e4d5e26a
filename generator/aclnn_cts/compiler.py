# SPDX-License-Identifier: Apache-2.0
"""The C++ compiler of a host: for programs, and in a kit.

The runner of a kit uses this module on its host, so it imports nothing but the standard library of
Python 3.8.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess


def compiler_path() -> str | None:
    """Return the compiler that ``CXX`` names, or the first of c++, g++ and clang++, if any."""
    chosen = os.environ.get("CXX")
    names = [chosen] if chosen else ["c++", "g++", "clang++"]
    return next(filter(None, map(shutil.which, names)), None)


@functools.lru_cache(maxsize=None)  # noqa: UP033 - Python 3.8 has no functools.cache
def compiler_version(path: str) -> str:
    """Return the first line that a compiler prints about itself; OSError if it does not start."""
    result = subprocess.run(  # noqa: S603 - the compiler that the user names
        [path, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    return next(iter(result.stdout.decode("utf-8", "replace").splitlines()), "")
