# SPDX-License-Identifier: Apache-2.0
"""Where the parts of a CANN toolkit are, in older and in newer releases.

The runner of a kit uses this module on its host, so it imports nothing but the standard library of
Python 3.8.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

INSTALLATION = Path("/usr/local/Ascend")
"""Default installation folder of driver and firmware."""

VARIABLES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")
"""Variables of ``set_env.sh``; older releases use the second one."""

PLACES = (INSTALLATION / "ascend-toolkit" / "latest", INSTALLATION / "cann")
"""Default installation folders of toolkits, in older and in newer releases."""

RELEASE_FILES = (
    "ascend_toolkit_install.info",
    "compiler/version.info",
    "runtime/version.info",
    "opp/version.info",
    "share/info/runtime/version.info",
    "version.cfg",
)
"""Files that name a toolkit's release; the first one that exists counts."""

MOST_RELEASE_BYTES = 1 << 16

HEADERS = ("acl/acl.h", "aclnn/acl_meta.h")
LIBRARIES = ("libascendcl.so", "libnnopbase.so")

_FOLDERS = {"aarch64": ("aarch64-linux", "arm64-linux")}
"""Folders of one architecture; early releases use arm64."""

CUSTOM = "ASCEND_CUSTOM_OPP_PATH"
"""The folders of custom packages of operators, as their own ``set_env.bash`` names them."""

CUSTOM_LIBRARY = "libcust_opapi.so"

_PRIORITY = re.compile(r"^\s*load_priority\s*=(.*)$", re.MULTILINE)


def custom_packages(root: Path, variable: str) -> tuple[Path, ...]:
    """Return the folders with headers and library of custom packages, ``op_api``.

    Args:
        root: The toolkit's folder; packages may be installed below it.
        variable: What :data:`CUSTOM` says; its packages come first.
    """
    packages = [Path(name) for name in variable.split(os.pathsep) if name]
    packages += _installed_packages(root / "opp" / "vendors")
    folders = dict.fromkeys((package / "op_api").resolve() for package in packages)
    return tuple(folder for folder in folders if (folder / "lib" / CUSTOM_LIBRARY).is_file())


def _installed_packages(vendors: Path) -> list[Path]:
    """Return the packages of a toolkit, those with priority in its ``config.ini`` first."""
    try:
        text = (vendors / "config.ini").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    names = [name for line in _PRIORITY.findall(text) for name in line.split(",")]
    return [*(vendors / name.strip() for name in names if name.strip()), *sorted(vendors.glob("*"))]


def newest_release(root: Path) -> Path:
    """Return the newest release if a folder is that of all releases."""
    latest = root / "latest"
    return latest.resolve() if latest.is_dir() and not (root / "include").exists() else root


def branches_of(root: Path, machine: str) -> tuple[Path, ...]:
    """Return the folders that may hold a toolkit's parts, the outermost first.

    Args:
        machine: The host's architecture, as ``uname -m`` reports it.
    """
    names = (".", *_FOLDERS.get(machine, (f"{machine}-linux",)))
    return tuple(root / name for name in names if (root / name).is_dir())


def has_all(folder: Path, names: Sequence[str]) -> bool:
    return all((folder / name).exists() for name in names)
