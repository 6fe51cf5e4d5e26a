# SPDX-License-Identifier: Apache-2.0
"""A compiler that does not optimise, and compiles a text once, whatever the paths of its headers.

    python remembering_compiler.py COMPILER FOLDER OPTIONS...

Toolkits of tests have the same headers in folders of their own: what was made of the same text is
copied from the folder.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

_PLACES = ("-I", "-MF", "-MT")


def main(compiler: str, folder: str, *options: str) -> int:
    """Compile; return the compiler's exit status."""
    command = [compiler, *options, "-O0"]
    if "-c" not in options:
        os.execv(compiler, command)  # noqa: S606
    source = sys.stdin.buffer.read() if "-" in options else b""
    at = command.index("-o")
    made, asked = Path(command[at + 1]), command[:at] + command[at + 2 :]
    read = subprocess.run([*asked, "-E", "-P"], input=source, capture_output=True, check=False)
    how = [each for each in asked if each.startswith("-") and not each.startswith(_PLACES)]
    key = hashlib.sha256(read.stdout + repr(how).encode()).hexdigest()
    kept = Path(folder) / f"{key}{made.suffix}"
    if kept.is_file():
        shutil.copy(kept, made)
        return 0
    status = subprocess.run(command, input=source, check=False).returncode
    if status == read.returncode == 0:
        shutil.copy(made, kept)
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
