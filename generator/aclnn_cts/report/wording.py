# SPDX-License-Identifier: Apache-2.0
"""How reports write numbers of things, and texts within Markdown."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")


def counted(number: int, thing: str) -> str:
    """Return a number of things in words: ``1 case``, ``2,000 cases``."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def escape(text: str) -> str:
    """Return text that Markdown shows as it is, in one line, also within a table."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def spans(text: str) -> list[tuple[str, bool]]:
    """Return the parts of a sentence of ours, each with whether it stands between backticks."""
    parts = re.split(r"`([^`]+)`", text)
    return [(part, place % 2 == 1) for place, part in enumerate(parts) if part]


def prose(text: str) -> str:
    """Return a sentence of ours for Markdown: what stands between backticks is a code span."""
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
