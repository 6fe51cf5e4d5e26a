# SPDX-License-Identifier: Apache-2.0
"""Lines that are only added to a file, each with a seal over itself and all that was before it.

A seal is the SHA-256 digest of the seal before it and the line's own text. So no line can change,
go or come between others unnoticed, and neither can what the first seal is begun with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

_START = b'{"seal": "'
_MIDDLE = b'", "record": '
_END = b"}\n"
_DIGITS = 64
_BODY = len(_START) + _DIGITS + len(_MIDDLE)


class BrokenSealError(Exception):
    """A line is not what was written, or not where; ``number`` counts lines from 1."""

    def __init__(self, number: int) -> None:
        """Take the number of the line."""
        super().__init__(f"line {number} is not what was written")
        self.number = number


def sealed_lines(records: Iterable[str], before: str) -> tuple[bytes, str]:
    """Return lines with their seals, and the last seal.

    Args:
        records: The records, each JSON on one line.
        before: The seal before the first one.
    """
    lines = []
    for record in records:
        before = _seal(record.encode(), before)
        lines.append(b"".join((_START, before.encode(), _MIDDLE, record.encode(), _END)))
    return b"".join(lines), before


def read_sealed_lines(content: bytes, before: str) -> tuple[list[bytes], str]:
    """Return the records of lines, and the last seal.

    Args:
        content: Whole lines.
        before: The seal before the first one.

    Raises:
        BrokenSealError: A line is not what was written.
    """
    records = []
    for number, line in enumerate(content.splitlines(keepends=True), start=1):
        record = line[_BODY : -len(_END)]
        before = _seal(record, before)
        if line != b"".join((_START, before.encode(), _MIDDLE, record, _END)):
            raise BrokenSealError(number)
        records.append(record)
    return records, before


def _seal(record: bytes, before: str) -> str:
    return hashlib.sha256(before.encode() + record).hexdigest()
