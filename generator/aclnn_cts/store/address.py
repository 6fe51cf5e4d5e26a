# SPDX-License-Identifier: Apache-2.0
"""How a results store and its runs are named; without DuckDB, which takes long to import."""

from __future__ import annotations

import os
import re
from pathlib import Path

from aclnn_cts.errors import WrongInputError

_ID = re.compile(r"[0-9a-f]{6,16}")
_SCHEME = re.compile(r"[\w+.-]*:")


def is_id(text: str) -> bool:
    """Whether a text is the id of a run, or the beginning of one."""
    return _ID.fullmatch(text) is not None


def is_path(store: str) -> bool:
    """Whether it is the path of a folder; an address, even a wrong one, is no path."""
    return not _SCHEME.match(store)


def folder_of(store: str | None) -> Path:
    """Return the folder of a store; None for the user's own.

    Raises:
        WrongInputError: It is an address, which is not repeated, because it may hold a password.
    """
    if store is None:
        base = os.environ.get("XDG_DATA_HOME")
        try:
            folder = Path(base) if base else Path.home() / ".local" / "share"
        except RuntimeError:
            raise WrongInputError(
                "there is no home folder for the results store; name one with --store"
            ) from None
        return folder / "aclnn-cts" / "store"
    if not is_path(store):
        raise WrongInputError(
            "--store: a results store is a folder, not an address; mount shared storage and give "
            "its path, with ./ before a name that contains a colon"
        )
    try:
        return Path(store).expanduser()
    except RuntimeError:
        raise WrongInputError(f"--store {store!r}: there is no such user") from None
