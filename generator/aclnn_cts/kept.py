# SPDX-License-Identifier: Apache-2.0
"""What takes long to make and little to read, kept by content in a shelf of the cache."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import pickle
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from aclnn_cts.cache import take
from aclnn_cts.errors import CtsError
from aclnn_cts.files import write_bytes

Made = TypeVar("Made")


def kept(shelf: Path, content: str, make: Callable[[], Made]) -> Made:
    """Return what ``make`` gives, which is made only if it is not here yet.

    A file that is damaged counts as none. A folder that cannot be written to costs the time to make
    it again, and nothing else.

    Args:
        content: All that it depends on.
    """
    path = shelf / f"{hashlib.sha256(content.encode()).hexdigest()}.kept"
    if take(shelf, path.name) and (packed := _sealed(path)):
        with _without_collection():
            found: Made = pickle.loads(zlib.decompress(packed))  # noqa: S301 - our own
        return found
    made = make()
    packed = zlib.compress(pickle.dumps(made), 1)
    with contextlib.suppress(CtsError):
        write_bytes(path, hashlib.sha256(packed).digest() + packed)
    return made


def _sealed(path: Path) -> bytes:
    """Return what follows its own digest in a file; nothing if it is damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return b""
    digest, rest = content[:32], content[32:]
    return rest if hashlib.sha256(rest).digest() == digest else b""


@contextlib.contextmanager
def _without_collection() -> Iterator[None]:
    """Look for no cycles among thousands of new objects, which takes longer than to read them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def digest_of_files(paths: Iterable[Path]) -> str:
    """Return the SHA-256 digest of files, names included."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()
