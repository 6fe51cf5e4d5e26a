# SPDX-License-Identifier: Apache-2.0
"""Writing a report's files so that nothing half-written is ever left behind."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from aclnn_cts.errors import WrongInputError


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside its place and rename it.

    Raises:
        WrongInputError: The folder cannot be written, or the disk is full.
    """
    beside: Path | None = None
    try:
        with tempfile.NamedTemporaryFile(
            dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            beside = Path(file.name)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(0o644)
        beside.replace(path)
        beside = None
    except OSError as error:
        reason = error.strerror or str(error)
        raise WrongInputError(
            f"{path}: cannot be written: {reason}; free some space or choose another folder"
        ) from None
    finally:
        if beside is not None:  # the rename did not happen
            with contextlib.suppress(OSError):
                beside.unlink()
