# SPDX-License-Identifier: Apache-2.0
"""One C++ source of several devices that differ in the source of one operator.

Each device has a namespace, and the operator's functions call those of the device that the process
plays. So the headers are read once for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

PLAYED = "ACLNN_SIM_PLAYED"
"""Environment variable that selects the device of a library with several."""

_INCLUDE = re.compile(r'^#include [<"](?P<path>[^">]+)[>"].*\n', re.MULTILINE)
_GUARD = re.compile(r"^#ifndef (\w+)", re.MULTILINE)
_FUNCTION = re.compile(r"^(?P<head>aclnnStatus (?P<name>aclnn\w+)\([^)]*\)) \{", re.MULTILINE)
_NAMESPACE = re.compile(r"^namespace \w+ \{", re.MULTILINE)
_UNNAMED = re.compile(r"[*&](?=\s*[,)])")
_PARAMETER = re.compile(r"\w+(?=\s*[,)])")

_PLAYED = f"""\
#include <cstdlib>

namespace {{
const int kPlayed = std::atoi(std::getenv("{PLAYED}"));
}}
"""


def is_part(path: str, source: str, changed: Mapping[str, str]) -> bool:
    """Whether changes are all in an operator's source and in headers that it includes itself.

    A source with a named namespace is no operator's: other sources call what it defines.

    Args:
        path: The source's path below ``simulator/``.
        source: Its unharmed text.
        changed: The changed texts, by path below ``simulator/``.
    """
    read = _Flat(changed)
    read.take(path, source)
    own = _FUNCTION.search(source) and not _NAMESPACE.search(source)
    return bool(own) and read.taken == set(changed)


def joint_source(
    path: str, unharmed: Mapping[str, str], devices: Sequence[Mapping[str, str]]
) -> str:
    """Return the source of several devices, see :func:`is_part`.

    Args:
        unharmed: The texts of the source and of all headers that a device changes.
    """
    source = unharmed[path]
    includes: dict[str, None] = {}
    bodies = []
    for number, changed in enumerate(devices):
        # Each has its own copy of a header that one of them changes: beside a common one, calls of
        # its functions would be ambiguous.
        flat = _Flat({**unharmed, **changed})
        bodies.append(f"namespace device{number} {{\n{flat.take(path)}\n}}\n")
        includes |= flat.includes
    for found in _FUNCTION.finditer(source):
        own = ", ".join(f"&device{number}::{found['name']}" for number in range(len(devices)))
        head = _UNNAMED.sub(lambda mark: f"{mark[0]}unnamed{mark.start()}", found["head"])
        given = ", ".join(_PARAMETER.findall(head))
        bodies.append(
            f"{head} {{\n"
            f"  constexpr decltype(&{found['name']}) kDevices[] = {{{own}}};\n"
            f"  return kDevices[kPlayed]({given});\n}}\n"
        )
    return "".join([*includes, _PLAYED, *bodies])


class _Flat:
    """The text of one device, with its changed headers in place and without the other includes.

    Attributes:
        includes: The lines of these, in order.
        taken: Paths of the changed sources that are in it.
    """

    def __init__(self, changed: Mapping[str, str]) -> None:
        self.includes: dict[str, None] = {}
        self.taken: set[str] = set()
        self._changed = changed

    def take(self, path: str, unharmed: str = "") -> str:
        """Return the text of a source, the changed one if there is one."""
        if path in self._changed:
            self.taken.add(path)
        return _INCLUDE.sub(self._included, self._changed.get(path, unharmed))

    def _included(self, line: re.Match[str]) -> str:
        if line["path"] not in self._changed:
            self.includes[line[0]] = None
            return ""
        text = self.take(line["path"])
        guard = _GUARD.search(text)
        # Another device may have the header, too.
        return f"#undef {guard[1]}\n{text}" if guard else text
