# SPDX-License-Identifier: Apache-2.0
"""Covering arrays that were made before, kept by content.

An array takes seconds to make and depends on nothing but the spec, the factors and the code that
makes it: so the second plan of a day need not make it again.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aclnn_cts.errors import CtsError
from aclnn_cts.files import write_text
from aclnn_cts.suite import Suite

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class CoveringStore:
    """A folder of covering arrays.

    Attributes:
        folder: Where they are kept; it need not exist.
    """

    folder: Path

    @classmethod
    def of(cls, suite: Suite) -> CoveringStore:
        """Return the folder in which a suite keeps the covering arrays that it made."""
        return cls(suite.cache / "covering")

    def rows(
        self, content: str, factors: Mapping[str, Sequence[Any]], make: Callable[[], Rows]
    ) -> Rows:
        """Return the rows that ``make`` gives, which are made only if they are not here yet.

        A file that is damaged counts as none. A folder that cannot be written to costs the time to
        make the rows, and nothing else.

        Args:
            content: All that the rows depend on, besides the code and the factors.
            factors: Levels by factor; the rows choose among them.
            make: Makes the rows.
        """
        text = f"{_code_digest()}\n{content}\n{list(factors.items())!r}"
        path = self.folder / f"{hashlib.sha256(text.encode()).hexdigest()}.json"
        kept = _read(path, factors)
        if kept is not None:
            return kept
        rows = make()
        try:
            write_text(path, _text([_indices(row, factors) for row in rows]))
        except CtsError:
            return rows
        return rows


def _indices(row: Mapping[str, Any], factors: Mapping[str, Sequence[Any]]) -> list[int]:
    # By type, too: true and 1 are different levels, though equal.
    return [
        [(type(level), repr(level)) for level in levels].index((type(row[name]), repr(row[name])))
        for name, levels in factors.items()
    ]


def _text(indices: list[list[int]]) -> str:
    """Return the text of a file: the rows, and their digest, which tells damage."""
    digest = hashlib.sha256(json.dumps(indices).encode()).hexdigest()
    return json.dumps({"rows": indices, "sha256": digest}) + "\n"


def _read(path: Path, factors: Mapping[str, Sequence[Any]]) -> Rows | None:
    """Return the rows of a file; None unless it is, byte for byte, as it was written."""
    try:
        text = path.read_text(encoding="utf-8")
        indices = json.loads(text)["rows"]
        if text != _text(indices):
            return None
        return [_row(row, factors) for row in indices]
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _row(indices: Sequence[Any], factors: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the levels at the indices; raises ValueError if one is no index of its levels."""
    row = {}
    for (name, levels), index in zip(factors.items(), indices, strict=True):
        # true is no index, though Python takes it for 1; -1 would be the last level.
        if type(index) is not int or not 0 <= index < len(levels):
            raise ValueError(f"{index!r} is no index of {name}")
        row[name] = levels[index]
    return row


@functools.lru_cache(maxsize=1)
def _code_digest() -> str:
    """Return a digest of what makes rows: the code of the plan and spec rooms, and the library."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256(importlib.metadata.version("covertable").encode())
    for path in sorted((*package.glob("plan/*.py"), *package.glob("spec/*.py"))):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()
