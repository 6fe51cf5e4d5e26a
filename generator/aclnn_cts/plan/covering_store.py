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
            write_text(path, json.dumps([_indices(row, factors) for row in rows]) + "\n")
        except CtsError:
            return rows
        return rows


def _indices(row: Mapping[str, Any], factors: Mapping[str, Sequence[Any]]) -> list[int]:
    # By type, too: true and 1 are different levels, though equal.
    return [
        [(type(level), repr(level)) for level in levels].index((type(row[name]), repr(row[name])))
        for name, levels in factors.items()
    ]


def _read(path: Path, factors: Mapping[str, Sequence[Any]]) -> Rows | None:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return [
            {
                name: levels[index]
                for (name, levels), index in zip(factors.items(), row, strict=True)
            }
            for row in kept
        ]
    except (OSError, ValueError, TypeError, IndexError):
        return None


@functools.lru_cache(maxsize=1)
def _code_digest() -> str:
    """Return a digest of what makes rows: the code of the plan and spec rooms, and the library."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256(importlib.metadata.version("covertable").encode())
    for path in sorted((*package.glob("plan/*.py"), *package.glob("spec/*.py"))):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()
