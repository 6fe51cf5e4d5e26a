# SPDX-License-Identifier: Apache-2.0
"""The errors that end a command without a verdict.

A message of either class is a sentence for the user: what is wrong, where, and what to do next.
"""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Iterable
from enum import IntEnum
from typing import TypeVar

Name = TypeVar("Name", bound=str)


class ExitCode(IntEnum):
    """Exit statuses of the commands and of pytest sessions."""

    PASSED = 0
    BROKEN_PROMISE = 1
    WRONG_INPUT = 2
    NOT_TRUSTWORTHY = 3


_MOST_SHOWN = 2000
"""Maximum length of a line of a message."""

MARK = "\ufffd"
"""Stands for a control character."""

CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)
"""The characters that could control a terminal, or cannot be written; not newlines and tabs."""


def printable(text: str, most: int = _MOST_SHOWN) -> str:
    """Return a text that is safe for a terminal.

    Control characters are replaced and long lines are cut, because it may quote files of other
    people.

    Args:
        most: Maximum length of a line.
    """
    lines = CONTROL.sub(MARK, text).split("\n")
    return "\n".join(line if len(line) <= most else f"{line[: most - 1]}…" for line in lines)


def strongest(codes: Iterable[ExitCode]) -> ExitCode:
    """Return the exit status for several outcomes (at least one).

    A broken promise counts most, then wrong input, then what proves nothing.
    """
    return min(codes, key=lambda code: code or len(ExitCode))


class CtsError(Exception):
    """Base of the errors whose text is meant for the user; shown without a traceback."""

    exit_code = ExitCode.NOT_TRUSTWORTHY


class WrongInputError(CtsError):
    """The user's input (spec, option, path) is wrong."""

    exit_code = ExitCode.WRONG_INPUT


class WrongFileError(WrongInputError):
    """A hand-written file of the suite (a spec, the catalog) is invalid.

    The command line itself is right, so an earlier judgement is not spared: a nightly job would
    publish yesterday's results.
    """


class NotTrustworthyError(CtsError):
    """The run cannot be trusted: nothing ran, a build failed, results are missing or altered."""


def unknown_name(
    kind: str, name: str, known: Iterable[str], listed_by: str = ""
) -> WrongInputError:
    """Return the error for a name that does not exist, with the nearest right one.

    Args:
        kind: What is named, such as ``operator``.
        listed_by: The command that lists them if they are too many for the message.
    """
    names = sorted(known)
    hint = nearest_name(name, names)
    if listed_by and not hint.startswith("did"):
        hint = f"{listed_by} lists them"
    return WrongInputError(f"unknown {kind} {name!r}; {hint}")


def one_of(kind: str, name: str, known: Iterable[Name]) -> Name:
    """Return the known name that equals a name; raises as :func:`unknown_name` says."""
    for candidate in known:
        if candidate == name:
            return candidate
    raise unknown_name(kind, name, known)


def nearest_name(name: str, known: Iterable[str]) -> str:
    """Return "did you mean" with the nearest name, or the first existing names."""
    names = sorted(known)
    same = [other for other in names if other.lower() == name.lower()]
    if nearest := same or difflib.get_close_matches(name, names, n=1, cutoff=0.4):
        return f"did you mean {nearest[0]!r}?"
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    return f"known: {shown or 'none'}"


def counted(number: int, thing: str) -> str:
    """Return a number of things in words: ``1 case``, ``2,000 cases``, ``3 entries``."""
    several = f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"
    return f"{number:,} {form(number, thing, several)}"


def listed(names: Iterable[str], last: str = "and") -> str:
    """Return names as an English list."""
    *head, tail = list(names) or ["nothing"]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def form(number: int, one: str, several: str) -> str:
    """Return the form of a word that goes with a number of things: ``is`` or ``are``."""
    return one if number == 1 else several


def wrapped(text: str, width: int, first: str = "", rest: str | None = None) -> list[str]:
    """Wrap a text without breaking words, so that ids can be copied.

    Args:
        width: Width of a line.
        first: Indent of the first line.
        rest: Indent of the others; None for two columns more than the first.
    """
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=f"{first}  " if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
