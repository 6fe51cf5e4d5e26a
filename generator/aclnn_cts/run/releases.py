# SPDX-License-Identifier: Apache-2.0
"""Which release of toolkit, driver and firmware is installed, as their own small files tell it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

INSTALLATION = Path("/usr/local/Ascend")
"""Where driver and firmware are installed unless their installer was told another place."""

_TOOLKIT_FILES = (
    "ascend_toolkit_install.info",
    "compiler/version.info",
    "runtime/version.info",
    "opp/version.info",
    "share/info/runtime/version.info",
    "version.cfg",
)
"""Names of several releases; what is there first is taken."""

_MOST_BYTES = 1 << 16
_LINE = re.compile(r"\s*(?P<key>[A-Za-z_]+)\s*=\s*(?P<value>[^\s#]+)\s*")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
_RUNNING = re.compile(r"\[[^:\]]*:(?P<version>[^\]]*)\]")
"""``version.cfg`` pairs a package's own version with that of the release: ``[7.1.0:8.0.RC1]``."""


def toolkit_version(folders: Iterable[Path]) -> str:
    """Return the release of a toolkit; empty if no file of it tells one.

    Args:
        folders: The toolkit's folder, and those of one architecture below it.
    """
    files = (folder / name for folder in folders for name in _TOOLKIT_FILES)
    keys = ("version_dir", "version", "runtime_running_version")
    return next((found for file in files if (found := _version(file, keys))), "")


def driver_version(installation: Path = INSTALLATION) -> str:
    """Return the release of the driver; empty if it is not installed there."""
    return _version(installation / "driver" / "version.info", ("version", "package_version"))


def firmware_version(installation: Path = INSTALLATION) -> str:
    """Return the release of the firmware; empty if it is not installed there."""
    return _version(installation / "firmware" / "version.info", ("version", "package_version"))


def _version(file: Path, keys: Sequence[str]) -> str:
    facts = dict(_facts(file))
    for key in keys:
        value = facts.get(key, "")
        paired = _RUNNING.fullmatch(value)
        value = paired["version"] if paired else value
        if _VERSION.fullmatch(value):
            return value
    return ""


def _facts(file: Path) -> Iterator[tuple[str, str]]:
    """Yield keys, in lower case, and values; what is no such line is passed over."""
    try:
        with file.open("rb") as content:
            text = content.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return
    for line in text.splitlines():
        found = _LINE.fullmatch(line)
        if found:
            yield found["key"].lower(), found["value"]
