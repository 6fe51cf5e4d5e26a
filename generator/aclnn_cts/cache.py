# SPDX-License-Identifier: Apache-2.0
"""The cache: its shelves, the entries in use, and the removal of unused ones.

Each folder of the cache, a shelf, keeps track of its own users. A process that takes an entry stays
registered with the shelf until it ends, even if a signal kills it, and taking an entry updates its
time stamp. A live process may need only entries that were used after it registered, so pruning
removes only entries that were last used before every live process registered.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.errors import WrongInputError
from aclnn_cts.files import explain

_REMOVED = r"\.removed\.[0-9a-f]{16}"
_BUILD = rf"[0-9a-f]{{24}}(\.partial)?({_REMOVED})?"
_LEFTOVER = re.compile(rf"(\.|tmp).*|.*(\.partial|{_REMOVED})")

SHELVES: Mapping[str, tuple[str, str]] = {
    "data": (
        r"[0-9a-f]{2}/([0-9a-f]{22}-[0-9a-f]{64}\.npy|\.[0-9a-f]{22}\.[0-9a-f]{16})",
        "inputs of cases",
    ),
    "covering": (
        r"[0-9a-f]{64}\.(json|plan|operators|reach|data|verdicts|trials)|\.[0-9a-f]{64}\.\w+\.[0-9a-f]{16}",
        "plans, covering arrays, where data are, what they reach, verdicts, and trials of devices",
    ),
    "sources": (_BUILD, "sources of the simulated device that follow from the specs"),
    "simulator": (_BUILD, "simulated devices"),
    "programs": (_BUILD, "programs that run cases"),
    "probe": (_BUILD, "programs that ask for devices"),
    "recorder": (_BUILD, "libraries that record calls"),
    "parts": (_BUILD, "objects of the simulated device, for faults and variants"),
    "faulty": (r"[0-9a-f]{24}-" + _BUILD, "simulated devices with faults, and variants"),
    "trees": (_BUILD, "build trees"),
    "suites": (_BUILD, "the suite with operators of other folders"),
    "bundles": (
        rf"[0-9a-f]{{64}}(\.partial)?({_REMOVED})?",
        "packages that home sent to this host of a cluster",
    ),
}
"""The pattern and the description of each shelf's entries. Nothing else is ever removed, because
``ACLNN_CTS_CACHE`` may name a folder with other files."""

LIMIT = 4 * 10**9
"""The size in bytes to which commands prune the cache. Inputs and devices of the smoke tier take 2
GB; with a limit near that, each run would recompile what the previous one removed."""

_USERS, _LOCK = ".users", ".lock"
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


@dataclass(frozen=True)
class Entry:
    """An entry of the cache.

    Attributes:
        path: A file or folder.
        size: In bytes.
        used: When it was last used, seconds since the epoch.
        in_use: Whether a live process may still need it.
    """

    shelf: str
    path: Path
    size: int
    used: float
    in_use: bool

    @property
    def is_leftover(self) -> bool:
        """Whether it is the unfinished work of a killed process."""
        return _LEFTOVER.fullmatch(self.path.name) is not None


def register(shelf: Path) -> None:
    """Register this process as a user of a shelf until it ends; makes the shelf.

    A shelf without write permission is only read; its owner must not prune it meanwhile.
    """
    with contextlib.suppress(OSError):
        shelf.mkdir(parents=True, exist_ok=True)
        _user_file(shelf, os.getpid())


def take(shelf: Path, *names: str) -> bool:
    """Mark entries as used by this process until it ends; return whether all of them exist."""
    remaining = list(names)
    if not remaining:
        return True  # without a lock, because the shelf may not be one
    try:
        _user_file(shelf, os.getpid())
        with locked(shelf, fcntl.LOCK_SH):
            while remaining:
                os.utime(f"{shelf}/{remaining[-1]}")
                remaining.pop()
    except OSError:
        return all((shelf / name).exists() for name in remaining)
    return True


@functools.cache
def _user_file(shelf: Path, process: int) -> int:
    """Return the file whose lock marks the process as a user of a shelf until it ends."""
    del process  # a forked process is a user of its own
    with locked(shelf):
        (shelf / _USERS).mkdir(exist_ok=True)
        _oldest_user(shelf)  # removes what ended processes left
        path = shelf / _USERS / secrets.token_hex(8)
        user = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        fcntl.flock(user, fcntl.LOCK_EX)
        return user


@contextlib.contextmanager
def locked(shelf: Path, how: int = fcntl.LOCK_EX) -> Iterator[None]:
    """Lock a shelf against other processes; raises OSError."""
    with (shelf / _LOCK).open("ab") as lock:
        fcntl.flock(lock, how)
        yield


def _oldest_user(shelf: Path) -> float:
    """Return when the oldest live user registered (Inf if none), and remove dead users.

    The caller holds the shelf's lock.
    """
    began = float("inf")
    for path in (shelf / _USERS).glob("*"):
        with path.open("ab") as user:
            try:
                fcntl.flock(user, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                began = min(began, path.stat().st_mtime)
            else:
                path.unlink()
    return began


def entries(cache: Path) -> Iterator[Entry]:
    """Yield all entries of a cache.

    Raises:
        WrongInputError: A shelf cannot be read or written to.
    """
    for name in SHELVES:
        shelf = cache / name
        if not shelf.is_dir():
            continue
        try:
            with locked(shelf):
                began = _oldest_user(shelf)
            for item in _scan(shelf):
                with contextlib.suppress(FileNotFoundError):  # another process removed it
                    used = item.stat(follow_symlinks=False).st_mtime
                    yield Entry(name, Path(item.path), _size(item), used, used >= began)
        except OSError as error:
            raise explain(error, shelf) from None


def _scan(shelf: Path) -> Iterator[os.DirEntry[str]]:
    """Yield the entries of a shelf; scandir is fast enough for tens of thousands."""
    pattern = re.compile(SHELVES[shelf.name][0])
    folders = [str(shelf)]
    if "/" in pattern.pattern:
        with os.scandir(shelf) as inner:
            folders = [item.path for item in inner if item.is_dir()]
    start = len(str(shelf)) + 1
    for folder in folders:
        with os.scandir(folder) as inner:
            yield from (item for item in inner if pattern.fullmatch(item.path[start:]))


def _size(entry: os.DirEntry[str]) -> int:
    """Return the size of a file or folder in bytes; unreadable files count 0."""
    try:
        if not entry.is_dir(follow_symlinks=False):
            return entry.stat(follow_symlinks=False).st_size
        with os.scandir(entry.path) as inner:
            return sum(map(_size, inner))
    except OSError:
        return 0


def prune(cache: Path, limit: float, oldest: float = 0.0) -> list[Entry]:
    """Remove old entries, then the least recently used ones; return them.

    Args:
        limit: The bytes that may stay. Entries in use stay even if they are larger.
        oldest: Entries last used before this time go, in seconds since the epoch.

    Raises:
        WrongInputError: A shelf cannot be read or written to.
    """
    by_age = sorted(entries(cache), key=lambda entry: entry.used)
    size = sum(entry.size for entry in by_age)
    removed: list[Entry] = []
    for entry in by_age:
        stays = entry.used >= oldest and size <= limit and not entry.is_leftover
        if not (stays or entry.in_use) and _remove(cache / entry.shelf, entry):
            size -= entry.size
            removed.append(entry)
    return removed


def _remove(shelf: Path, entry: Entry) -> bool:
    """Remove an entry unless a process took it meanwhile; return whether it is gone."""
    try:
        with locked(shelf):
            used = entry.path.lstat().st_mtime
            if used != entry.used or used >= _oldest_user(shelf):
                return False
            if not entry.path.is_dir():
                entry.path.unlink()
                return True
            # Rename it first: a folder that is removed only in part must not look whole.
            name = f"{entry.path.name.partition('.')[0]}.removed.{secrets.token_hex(8)}"
            removed = entry.path.rename(shelf / name)
        shutil.rmtree(removed)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise explain(error, entry.path) from None
    return True


def parse_size(text: str, what: str) -> float:
    """Return a size in bytes, such as that of ``500M`` or ``2G``; Inf for ``none``.

    Raises:
        WrongInputError: It is not a size; ``what`` says where it is from.
    """
    if text == "none":
        return float("inf")
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)B?", text.strip(), re.IGNORECASE)
    if match is None:
        raise WrongInputError(f"{what}: {text!r} is not a size; write 500M, 2G or none")
    return float(match[1]) * _UNITS[match[2].upper()]


def as_size(size: float) -> str:
    """Return a number of bytes as text, such as ``2.1 GB``."""
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"
