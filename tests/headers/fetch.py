# SPDX-License-Identifier: Apache-2.0
"""Fetch the vendor's acl headers from the PyPI wheel that carries them.

Usage: python fetch.py FOLDER. The headers are the vendor's: they stay in FOLDER (below .tox) and
are never committed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

WHEEL = "torch-npu==2.6.0"
PREFIX = "torch_npu/include/third_party/acl/inc/"


def fetch(folder: Path) -> None:
    """Put the wheel's acl headers, and what they include, into ``folder`` if they are missing."""
    if (folder / "acl" / "acl.h").is_file():
        return
    with tempfile.TemporaryDirectory() as download:
        # The wheel exists for some Python versions only; its headers are the same in all.
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", WHEEL]
        command += ["--only-binary=:all:", "--python-version", "3.10", "--implementation", "cp"]
        subprocess.run([*command, "--dest", download], check=True)
        (wheel,) = Path(download).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                relative = name.removeprefix(PREFIX)
                if name.startswith(PREFIX) and name.endswith(".h"):
                    target = folder / relative
                    if not target.resolve().is_relative_to(folder.resolve()):
                        raise SystemExit(f"{wheel}: {name} leads out of the folder")
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(archive.read(name))


if __name__ == "__main__":
    fetch(Path(sys.argv[1]))
