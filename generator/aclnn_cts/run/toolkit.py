# SPDX-License-Identifier: Apache-2.0
"""The CANN toolkit that programs are built against: a real one, or the built-in simulator.

Releases lay their parts out differently. Headers and libraries stand in ``include`` and ``lib64``
of the toolkit's folder, or of a folder for one architecture below it; operators are in one library
or in several.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from aclnn_cts.errors import WrongInputError
from aclnn_cts.run.elf import machine_of
from aclnn_cts.run.releases import toolkit_version

_HEADERS = ("acl/acl.h", "aclnn/acl_meta.h")
_LIBRARIES = ("libascendcl.so", "libnnopbase.so")
_FOLDERS = {
    "aarch64": ("aarch64-linux", "arm64-linux"),
    "x86_64": ("x86_64-linux",),
}
"""Folders of one architecture; the name with arm64 is that of early releases."""

_NAMED = "--cann takes the toolkit folder that ASCEND_HOME_PATH names after `source set_env.sh`"


class NoToolkitError(WrongInputError):
    """A folder holds no toolkit that this host can run.

    Attributes:
        wrong: What is wrong with it, without what to do about it.
        mend: What mends the toolkit itself; empty if another folder must be named.
    """

    def __init__(self, wrong: str, mend: str = "", instead: str = "") -> None:
        """Make the sentence for a folder that ``--cann`` names; ``instead`` does without it."""
        advice = ", or ".join(filter(None, (mend or _NAMED, instead)))
        super().__init__(f"{wrong}; {advice}")
        self.wrong = wrong
        self.mend = mend


@dataclass(frozen=True)
class Toolkit:
    """Headers and libraries as CANN lays them out.

    Attributes:
        root: The toolkit's folder.
        kind: ``simulator`` for the built-in device, ``hardware`` for a real toolkit.
        fault: Id of the fault that the simulated device was given; empty for an unharmed one. A
            faulty toolkit has libraries only: programs are those of the unharmed one.
        variant: Id of the variant that the simulated device is; libraries only, too.
        include_folder: Where the headers are, below ``root``.
        library_folder: Where the libraries are, below ``root``.
        operator_libraries: Files that hold the operators; if it is empty, CMake finds them.
        version: What the toolkit's own files say; empty if they say nothing.
    """

    root: Path
    kind: Literal["simulator", "hardware"]
    fault: str = ""
    variant: str = ""
    include_folder: str = "include"
    library_folder: str = "lib64"
    operator_libraries: tuple[str, ...] = ()
    version: str = ""

    @property
    def include(self) -> Path:
        """The folder of the headers."""
        return self.root / self.include_folder

    @property
    def libraries(self) -> Path:
        """The folder of the libraries."""
        return self.root / self.library_folder


def real_toolkit(root: Path, machine: str = "") -> Toolkit:
    """Return a real toolkit after a look whether it is one that this host can run.

    Args:
        root: Its folder, or the folder that holds ``latest``.
        machine: The host's architecture, as ``uname -m`` tells it; asked for if it is empty.

    Raises:
        NoToolkitError: There is no such folder, a header or library is missing, or the libraries
            are for another architecture; names it.
    """
    if not root.is_dir():
        wrong = "is no folder" if root.exists() else "there is no such folder"
        raise NoToolkitError(f"{root}: {wrong}")
    root = _whole(root.resolve())
    machine = machine or platform.machine()
    branches = branches_of(root, machine)
    include = next((b / "include" for b in branches if _has_all(b / "include", _HEADERS)), None)
    if include is None:
        _refuse_other_host(root, machine)
        missing = next(name for name in _HEADERS if not (root / "include" / name).exists())
        raise _missing(root, f"include/{missing}")
    libraries = _libraries(root, branches, machine)
    return Toolkit(
        root,
        "hardware",
        include_folder=str(include.relative_to(root)),
        library_folder=str(libraries.relative_to(root)),
        version=toolkit_version(branches),
    )


def _whole(root: Path) -> Path:
    """Return the newest release where the folder of all releases was named."""
    latest = root / "latest"
    return latest.resolve() if latest.is_dir() and not (root / "include").exists() else root


def branches_of(root: Path, machine: str) -> tuple[Path, ...]:
    """Return the folders that may hold a toolkit's parts, the outermost first.

    Args:
        root: The toolkit's folder.
        machine: The host's architecture, as ``uname -m`` tells it.
    """
    names = (".", *_FOLDERS.get(machine, (f"{machine}-linux",)))
    return tuple(root / name for name in names if (root / name).is_dir())


def _has_all(folder: Path, names: tuple[str, ...]) -> bool:
    return all((folder / name).exists() for name in names)


def _libraries(root: Path, branches: tuple[Path, ...], machine: str) -> Path:
    """Return the first folder of libraries that are for this host."""
    folders = [b / "lib64" for b in branches if _has_all(b / "lib64", _LIBRARIES)]
    for folder in folders:
        if all(machine_of(folder / name) == machine for name in _LIBRARIES):
            return folder
    whole = (folder / name for folder in folders for name in _LIBRARIES)
    other_branches = root.glob(f"*-linux/lib64/{_LIBRARIES[0]}")
    for library in (*whole, *other_branches):
        if machine_of(library) != machine:
            raise _foreign(library, machine)
    holders = (b / "lib64" for b in branches if any((b / "lib64" / n).exists() for n in _LIBRARIES))
    first = next(holders, root / "lib64")
    missing = next(first / name for name in _LIBRARIES if not (first / name).exists())
    raise _missing(root, str(missing.relative_to(root)))


def _refuse_other_host(root: Path, machine: str) -> None:
    """Refuse a toolkit whose parts all lie in the folder of another architecture.

    Raises:
        NoToolkitError: It is one; names the architecture.
    """
    for folder in sorted(root.glob("*-linux")):
        library = folder / "lib64" / _LIBRARIES[0]
        found = machine_of(library) or folder.name.removesuffix("-linux")
        whole = _has_all(folder / "include", _HEADERS) and library.exists()
        if whole and found != machine:
            raise NoToolkitError(
                f"{root}: is a toolkit for {found} hosts (in {folder.name}), but this host is "
                f"{machine}",
                f"install the toolkit for {machine}",
                f"run on a host of {found}",
            )


def _missing(root: Path, name: str) -> NoToolkitError:
    return NoToolkitError(f"{root}: {name} is missing")


def _foreign(library: Path, machine: str) -> NoToolkitError:
    found = machine_of(library)
    if not found:
        return NoToolkitError(f"{library}: is no library", "install the toolkit again")
    return NoToolkitError(
        f"{library}: is for {found}, but this host is {machine}",
        f"install the toolkit for {machine}",
        "run on a host of that architecture",
    )
