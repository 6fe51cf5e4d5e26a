# SPDX-License-Identifier: Apache-2.0
"""Formatting of counts, numbers and Markdown text in reports."""

from __future__ import annotations

import math
import re
import textwrap
from decimal import ROUND_CEILING, Decimal

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")


def wrapped(text: str, width: int, first: str = "", rest: str | None = None) -> list[str]:
    """Return a text in lines that fit; a word, such as a case's id, stays whole to be copied.

    Args:
        width: Columns of a line.
        first: Indent of the first line.
        rest: Indent of the others; that of the first one and two columns more if None.
    """
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=f"{first}  " if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def card_of(host: str, number: int) -> str:
    """Return a card in words: ``lab-07, card 3``; the number is negative if unknown."""
    return f"{host}, card {number}" if number >= 0 else f"{host}, card not recorded"


def counted(number: int, thing: str) -> str:
    """Return a number of things in words: ``1 case``, ``2,000 cases``."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def percentage(part: int, whole: int) -> str:
    """Return a share, to the nearest per cent; ``0 %`` and ``100 %`` only if it is exactly that.

    Args:
        part: How many things.
        whole: Of how many; at least one.
    """
    percent = 100 * part / whole
    if part in (0, whole) or 0 < round(percent) < 100:
        return f"{percent:.0f} %"
    return f"{min(max(percent, 0.1), 99.9):.1f} %"


def rounded_up(value: float) -> str:
    """Return a number in four digits, never a smaller one, as YAML reads it: ``0.9901``.

    Args:
        value: A finite number above 0.
    """
    exact = Decimal(value)
    rounded = exact.quantize(Decimal((0, (1,), exact.adjusted() - 3)), ROUND_CEILING)
    return f"{rounded.normalize():f}" if 1e-4 <= value < 1e9 else f"{rounded:.3e}"


WRONG_CLASS = "wrong class"
"""An error without a size: NaN, Inf, 0 or a number where the documents allow another of them."""


def of_budget(share: float) -> str:
    """Return an error as a share of its tolerance: ``98%``, ``12 times``, ``5e32 times``.

    Args:
        share: The share; infinite where a result is of a class that is not allowed.
    """
    if not math.isfinite(share):
        return WRONG_CLASS
    if share < 10:
        return f"{share:.0%}"
    number = f"{share:.0f}" if share < 1000 else f"{share:.0e}".replace("e+0", "e")
    return f"{number.replace('e+', 'e')} times"


def escape(text: str) -> str:
    """Return text that Markdown shows as it is, in one line, also within a table."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def spans(text: str) -> list[tuple[str, bool]]:
    """Return the parts of a sentence of ours, each with whether it is between backticks."""
    parts = re.split(r"`([^`]+)`", text)
    return [(part, place % 2 == 1) for place, part in enumerate(parts) if part]


def prose(text: str) -> str:
    """Return a sentence of ours for Markdown: text between backticks is a code span."""
    line = " ".join(text.split())
    return "".join(
        code(part) if is_code else _SPECIAL.sub(r"\\\1", part) for part, is_code in spans(line)
    )


def code(text: str) -> str:
    """Return text as a code span of Markdown, also within a table; text may hold backticks."""
    shown = " ".join(text.split()).replace("|", "\\|")
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{shown}{pad}{fence}"
