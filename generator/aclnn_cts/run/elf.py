# SPDX-License-Identifier: Apache-2.0
"""What a library's own file says: for which machine it is, and which functions it offers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.hash import ELFHashSection, GNUHashSection

_MACHINES = {"EM_X86_64": "x86_64", "EM_AARCH64": "aarch64"}
_HASHES = (".gnu.hash", ".hash")


def machine_of(path: Path) -> str:
    """Return the machine that a file is for, as ``uname -m`` calls it; empty if it is no ELF file.

    A machine that CANN knows nothing of keeps the name that the ELF standard gives it.
    """
    try:
        with path.open("rb") as file:
            machine = str(ELFFile(file).header["e_machine"])
    except (OSError, ELFError):
        return ""
    return _MACHINES.get(machine, machine.removeprefix("EM_").lower())


def exported(path: Path, names: Iterable[str]) -> frozenset[str]:
    """Return those of the names that a library defines for others; none if it is no ELF file.

    The library's own hash table finds a name at once: a library of operators has many thousands.
    """
    wanted = tuple(names)
    try:
        with path.open("rb") as file:
            sections = map(ELFFile(file).get_section_by_name, _HASHES)
            tables = [
                each for each in sections if isinstance(each, GNUHashSection | ELFHashSection)
            ]
            return frozenset(name for name in wanted if any(_defines(t, name) for t in tables))
    except (OSError, ELFError):
        return frozenset()


def _defines(table: GNUHashSection | ELFHashSection, name: str) -> bool:
    symbol = table.get_symbol(name)
    return symbol is not None and symbol["st_shndx"] != "SHN_UNDEF"
