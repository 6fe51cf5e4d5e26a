# SPDX-License-Identifier: Apache-2.0
"""Which libraries a program gets, as the dynamic loader of this host finds them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.run.toolkit import Toolkit

_LINE = re.compile(r"\s*(?:(?P<name>.+) => )?(?P<path>not found|/.*?)(?: \(0x[0-9a-f]+\))?")
"""A library without a name of its own stands there with its path alone, and so does the loader."""

_SECONDS = 60.0


def loader_environment(toolkit: Toolkit, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment in which programs find this toolkit's libraries first.

    ``set_env.sh`` may have been read from another toolkit than the one that the run is about; and a
    library's own dependencies are not looked for where the program was linked.
    """
    usual = environment.get("LD_LIBRARY_PATH", "")
    folders = os.pathsep.join(filter(None, (str(toolkit.libraries), usual)))
    return {**environment, "LD_LIBRARY_PATH": folders}


def linked_libraries(program: Path, environment: Mapping[str, str]) -> dict[str, Path | None]:
    """Return what the loader takes for each library that a program needs, directly or not.

    The loader itself is asked, which starts nothing of the program. None stands for a library that
    it does not find.

    Args:
        program: A program that was linked dynamically.
        environment: All of the environment in which it would run.

    Raises:
        NotTrustworthyError: The loader cannot read the program, or does not answer as glibc's does.
    """
    try:
        done = subprocess.run(  # noqa: S603
            [str(program)],
            env={**environment, "LD_TRACE_LOADED_OBJECTS": "1"},
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _untold(program, str(error)) from None
    taken: dict[str, Path | None] = {}
    for line in filter(None, map(_LINE.fullmatch, done.stdout.splitlines())):
        path = None if line["path"] == "not found" else Path(line["path"]).resolve()
        taken[Path(line["name"] or line["path"]).name] = path
    # A library that is not found may make the loader fail; it is told all the same.
    if done.returncode != 0 and None not in taken.values():
        words = done.stderr.strip().splitlines() or ["the loader fails"]
        raise _untold(program, f"{words[-1]} (status {done.returncode})")
    if not taken:
        raise _untold(program, "the loader names none")
    return taken


def _untold(program: Path, reason: str) -> NotTrustworthyError:
    return NotTrustworthyError(
        f"{program}: its libraries cannot be told: {reason}; it must be linked dynamically, for a "
        "host with glibc"
    )
