# SPDX-License-Identifier: Apache-2.0
"""Formatting of numbers and Markdown text."""

from __future__ import annotations

import math
import re
from decimal import ROUND_CEILING, Decimal

from aclnn_cts.errors import counted, form

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")


def percentage(part: int, whole: int) -> str:
    """Return a share to the nearest per cent; ``0 %`` and ``100 %`` only if exact.

    Args:
        part: The part.
        whole: The whole; at least one.
    """
    percent = 100 * part / whole
    if part in (0, whole) or 0 < round(percent) < 100:
        return f"{percent:.0f} %"
    return f"{min(max(percent, 0.1), 99.9):.1f} %"


def round_up(value: float) -> str:
    """Return a number rounded up to four digits, as YAML reads it: ``0.9901``.

    Args:
        value: A finite number above 0.
    """
    exact = Decimal(value)
    rounded = exact.quantize(Decimal((0, (1,), exact.adjusted() - 3)), ROUND_CEILING)
    return f"{rounded.normalize():f}" if 1e-4 <= value < 1e9 else f"{rounded:.3e}"


WRONG_CLASS = "wrong class"
"""Text for an error without a size: NaN, Inf, 0 or a number where the documents allow another."""


def of_budget(share: float) -> str:
    """Return an error as a share of its tolerance: ``98%``, ``12 times``, ``5e32 times``.

    Args:
        share: The share; infinite if the class is not allowed.
    """
    if not math.isfinite(share):
        return WRONG_CLASS
    if share < 10:
        return f"{share:.0%}"
    number = f"{share:.0f}" if share < 1000 else f"{share:.0e}".replace("e+0", "e")
    return f"{number.replace('e+', 'e')} times"


def open_points(contradictions: int, silences: int, statuses: int) -> str:
    """Return the numbers of open points of documents as a sentence."""
    left_open = f"{statuses:,} {form(statuses, 'status', 'statuses')} left open"
    return (
        f"{counted(contradictions, 'contradiction')} between clauses, "
        f"{counted(silences, 'silence')}, {left_open}."
    )


def escape(text: str) -> str:
    """Escape text for one line of Markdown, also in a table."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def spans(text: str) -> list[tuple[str, bool]]:
    """Split one of our messages at backticks; true marks code."""
    parts = re.split(r"`([^`]+)`", text)
    return [(part, place % 2 == 1) for place, part in enumerate(parts) if part]


def prose(text: str) -> str:
    """Return one of our messages in Markdown, with code spans for text between backticks."""
    line = " ".join(text.split())
    return "".join(
        code(part) if is_code else _SPECIAL.sub(r"\\\1", part) for part, is_code in spans(line)
    )


def code(text: str) -> str:
    """Return text as a code span of Markdown, also in a table; it may contain backticks."""
    shown = " ".join(text.split()).replace("|", "\\|")
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{shown}{pad}{fence}"
