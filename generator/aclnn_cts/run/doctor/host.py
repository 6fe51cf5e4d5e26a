# SPDX-License-Identifier: Apache-2.0
"""What a run needs of the host itself: Python, compiler, build tools, room for what it makes."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.run.build import find_compiler, tool_path
from aclnn_cts.run.doctor.findings import Finding, missing, ok, split_advice, warn

GIGABYTE = 10**9
LEAST_FREE, ENOUGH_FREE = GIGABYTE // 2, 2 * GIGABYTE
"""Bytes. Builds and the standard tier's inputs take some 400 MB, the full tier far more."""


def check_python() -> Finding:
    """Tell which Python this is; the package itself sees to it that it is new enough."""
    return ok("Python", f"{platform.python_version()} on {platform.machine()}")


def check_compiler() -> Finding:
    """Look for a compiler, and try C++17 with it."""
    try:
        compiler = find_compiler()
    except NotTrustworthyError as error:
        what, _, advice = str(error).partition(": ")
        return missing("compiler", what, advice)
    return ok("compiler", f"{compiler.version} ({compiler.path})")


def check_tool(name: str, arguments: Sequence[str] = ("--version",)) -> Finding:
    """Look for a build tool, and start it."""
    try:
        path = tool_path(name)
        done = subprocess.run(  # noqa: S603
            [path, *arguments], capture_output=True, text=True, errors="replace", check=False
        )
    except NotTrustworthyError as error:
        return split_advice(name, str(error))
    except OSError as error:
        return missing(name, f"cannot be started: {error}", f"install it with: pip install {name}")
    if done.returncode != 0:
        return missing(name, f"{path} does not run", f"install it with: pip install {name}")
    return ok(name, f"{done.stdout.splitlines()[0]} ({path})" if done.stdout else path)


def check_room(topic: str, folder: Path) -> Finding:
    """Look whether a folder, which need not exist yet, can be written to and has room.

    Args:
        topic: What the folder is for.
        folder: The folder.
    """
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return missing(
            topic,
            f"{folder} cannot be written to",
            "choose another folder; for the cache with ACLNN_CTS_CACHE",
        )
    free = shutil.disk_usage(there).free
    what = f"{folder}, {free / GIGABYTE:.1f} GB free"
    if free < LEAST_FREE:
        return missing(topic, what, f"free some space: a run needs {LEAST_FREE / GIGABYTE:.1f} GB")
    if free < ENOUGH_FREE:
        return warn(topic, what, "enough for the smoke tier; free some space for higher ones")
    return ok(topic, what)
