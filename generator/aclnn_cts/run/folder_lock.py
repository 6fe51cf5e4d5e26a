# SPDX-License-Identifier: Apache-2.0
"""Locks of a results folder: one writing run, or several judges."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from aclnn_cts.errors import NotTrustworthyError, WrongFileError, WrongInputError
from aclnn_cts.files import explain, refuse_links_out, refuse_pipes
from aclnn_cts.run.journal import JOURNAL, PLAN_FILE, RUN_FILE, damaged
from aclnn_cts.validation_messages import MALFORMED, read_json

FORMAT = "aclnn-cts/run/8"
_RUN_FILE_BEGINS = b'{"format": "aclnn-cts/run/'
RESULTS_FILE = "results.json"
CASES_FILE = "cases.sqlite"
JUNIT_FILE = "junit.xml"
PAGE_FILE = "report.html"
SUMMARY_FILE = "summary.md"
REPORT_FILES = (RESULTS_FILE, CASES_FILE, JUNIT_FILE, PAGE_FILE, SUMMARY_FILE)
"""The files that a judgement writes to the folder."""

LOCK_FILE = ".lock"
_RECORD_FILES = (RUN_FILE, PLAN_FILE, JOURNAL)
_FOLDERS = ("cases", "events", "outputs", "verdicts")
_OWN = (*_RECORD_FILES, *REPORT_FILES, *_FOLDERS)
_MARK = b"the lock of an aclnn-cts results folder\n"


@contextlib.contextmanager
def claim(path: Path) -> Iterator[None]:
    """Lock a results folder for writing, without changing it.

    Raises:
        WrongInputError: It holds something else, or cannot be written to.
        NotTrustworthyError: Another run is writing to it, or it is being judged.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        _refuse_foreign(path)
        refuse_odd(path)
        # Unbuffered, so that close does not retry a write that a full disk refused.
        lock = (path / LOCK_FILE).open("ab", buffering=0)
    except FileExistsError:
        raise WrongInputError(f"{path}: cannot be written, it is a file; name a folder") from None
    except OSError as error:
        raise explain(error, path) from None
    with lock:
        if not _acquire(lock, fcntl.LOCK_EX):
            raise NotTrustworthyError(
                f"{path}: another run is writing to this folder, or it is being judged; "
                "wait for it, or name another"
            )
        _mark(lock, path)
        yield


def _mark(lock: IO[bytes], path: Path) -> None:
    if lock.tell() > 0:
        return
    try:
        lock.write(_MARK)
    except OSError as error:
        raise explain(error, path) from None


def _refuse_foreign(path: Path) -> None:
    """Refuse a folder without a run, because clearing it would remove foreign files.

    A folder with only an empty lock was claimed when the disk was full.
    """
    names = sorted(item.name for item in path.iterdir())
    unmarked = names == [LOCK_FILE] and (path / LOCK_FILE).stat().st_size == 0
    if names and not unmarked and not is_ours(path):
        raise WrongInputError(
            f"{path}: holds {names[0]!r} and is not a results folder; name a new folder"
        )


def refuse_odd(path: Path) -> None:
    """Refuse a results folder with a pipe, a device, or a link that leads out of it.

    Raises:
        WrongInputError: It has one.
    """
    for folder in (path, *(path / name for name in _FOLDERS)):
        refuse_links_out(path, folder.iterdir() if folder.is_dir() else ())
        refuse_pipes(folder)


def refuse_folders(path: Path) -> None:
    """Refuse a results folder that has a folder in the place of a file.

    Raises:
        NotTrustworthyError: It has one.
    """
    for name in (LOCK_FILE, *_RECORD_FILES):
        if (path / name).is_dir():
            raise damaged(path / name, "it is a folder")


def is_ours(path: Path) -> bool:
    """Whether a folder holds or held a run, even with a damaged ``run.json``."""
    return is_run_file(path / RUN_FILE) or _beginning(path / LOCK_FILE, _MARK) == _MARK


def is_run_file(path: Path) -> bool:
    """Whether a file begins like our ``run.json``; the rest may be damaged."""
    return _beginning(path, _RUN_FILE_BEGINS) == _RUN_FILE_BEGINS


def _beginning(path: Path, expected: bytes) -> bytes:
    if not path.is_file():  # reading a pipe would wait forever
        return b""
    try:
        with path.open("rb") as file:
            return file.read(len(expected))
    except OSError:
        return b""


def clear(path: Path) -> None:
    """Remove an earlier run's files from a claimed folder, ``run.json`` first.

    Raises:
        WrongInputError: Something in it cannot be removed.
    """
    try:
        for name in _OWN:
            _remove(path / name)
    except OSError as error:
        raise explain(error, path) from None


def nonce_in(path: Path) -> str | None:
    """Return the nonce of the run in a results folder; None without a run, "" if unreadable."""
    if not is_run_file(path / RUN_FILE):
        return None
    try:
        return str(read_json((path / RUN_FILE).read_bytes())["nonce"])
    except (OSError, *MALFORMED):
        return ""


def require_same(path: Path, nonce: str) -> None:
    """Raise NotTrustworthyError unless a results folder still holds the run of that nonce."""
    if nonce_in(path) != nonce:
        raise NotTrustworthyError(
            f"{path}: another run was made in this folder since this one was looked at; judge again"
        )


def withdraw(path: Path) -> None:
    """Remove the judgement from a locked results folder; its run stays.

    The next judgement may fail, and the old one must not pass for it then. Does nothing in a folder
    that is not a results folder.

    Raises:
        WrongInputError: Something in it cannot be removed.
    """
    if not is_ours(path):
        return
    try:
        for name in REPORT_FILES:
            _remove(path / name)
    except OSError as error:
        raise explain(error, path) from None


def claim_to_withdraw(path: Path | None) -> None:
    """Withdraw the judgement in the results folder of a new run, if there is one.

    Args:
        path: The results folder; None if the user named none.

    Raises:
        WrongInputError: It cannot be written to.
        NotTrustworthyError: Another run is writing to it, or it is being judged.
    """
    if path is not None and is_ours(path):
        with claim(path):
            withdraw(path)


def withdraw_unless_mistyped(path: Path | None) -> contextlib.AbstractContextManager[None]:
    """Check a run's options, then withdraw its judgement as :func:`claim_to_withdraw` does."""
    return unless_mistyped(functools.partial(claim_to_withdraw, path))


@contextlib.contextmanager
def unless_mistyped(withdraw_it: Callable[[], None]) -> Iterator[None]:
    """Run a block that checks options, then withdraw the judgement to be replaced.

    The user's mistakes (WrongInputError) spare it: a typo says nothing about the earlier run. Other
    errors do not, nor does a WrongFileError.

    Args:
        withdraw_it: Withdraws it; may raise anything.
    """
    with if_refused(withdraw_it):
        yield
    withdraw_it()


@contextlib.contextmanager
def if_refused(withdraw_it: Callable[[], None]) -> Iterator[None]:
    """Run a block that reads a record; if the record is refused, withdraw its judgement.

    The user's mistakes spare it, as in :func:`unless_mistyped`.

    Args:
        withdraw_it: Withdraws it; may raise anything.
    """
    try:
        yield
    except BaseException as error:
        if not isinstance(error, WrongInputError) or isinstance(error, WrongFileError):
            withdraw_it()
        raise


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """Lock a results folder against runs while it is judged.

    Raises:
        WrongInputError: It holds a pipe, a device, or a link that leads out of it.
        NotTrustworthyError: A run is writing to it, or it has a folder in the place of a file.
    """
    if path.is_dir():
        refuse_odd(path)
        refuse_folders(path)
    try:
        lock = (path / LOCK_FILE).open("rb")
    except OSError:
        # no run has ever claimed it
        yield
        return
    with lock:
        if not _acquire(lock, fcntl.LOCK_SH):
            raise NotTrustworthyError(
                f"{path}: a run is writing to this folder; wait until it is done"
            )
        yield


def _acquire(lock: IO[Any], how: int) -> bool:
    try:
        fcntl.flock(lock, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
