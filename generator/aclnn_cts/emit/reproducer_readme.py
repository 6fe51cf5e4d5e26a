# SPDX-License-Identifier: Apache-2.0
"""The README of a stand-alone program: what is broken, expected and got, how to build and run."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from aclnn_cts.emit.filling import text_templates

WIDTH = 110

_MARKUP = re.compile(r"[\\`*<>\[\]|~&#!]|(?<!\w)_|_(?!\w)")
"""What Markdown may take for more than itself; an underscore within a word is none."""


@dataclass(frozen=True)
class BrokenPromise:
    """A promise that the call breaks.

    Attributes:
        id: The clause's id.
        text: What it says.
        place: Where in which document.
    """

    id: str
    text: str
    place: str


@dataclass(frozen=True)
class Told:
    """What a README says; all texts are for people.

    Attributes:
        title: One line.
        outcome: Whether the call broke a promise, and on what.
        broken: The promises that it broke.
        only_in: In what alone values of the operator are wrong, with the clauses on it.
        facts: Rows of names and values: operator, product, versions.
        message: What was found.
        samples: Rows of wrong elements: place, inputs, expected, got, error.
        call: Lines that describe the call.
        files: Names of the data files.
        checks: What the program checks.
        left_out: What it does not.
        origin: Where the call comes from, and the command that runs it, as a block of code.
    """

    title: str
    outcome: str
    broken: tuple[BrokenPromise, ...]
    facts: tuple[tuple[str, str], ...]
    message: str
    samples: tuple[tuple[str, ...], ...]
    call: tuple[str, ...]
    checks: tuple[str, ...]
    origin: tuple[str, str]
    files: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    only_in: tuple[str, ...] = ()


def readme_text(told: Told) -> str:
    """Return the README in Markdown."""
    templates = text_templates()
    templates.filters["wrapped"] = _wrapped
    text = templates.get_template("reproducer_readme.md.j2").render(told=_escaped(told))
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _escaped(told: Told) -> Mapping[str, object]:
    """Return the texts so that none of what a device said shapes the page."""
    fields = dict(vars(told))
    fields["outcome"] = _literal(told.outcome)
    fields["facts"] = tuple((name, _literal(value)) for name, value in told.facts)
    fields["left_out"] = tuple(map(_literal, told.left_out))
    fields["message"] = _verbatim(told.message) if told.message else ""
    fields["samples"] = tuple(tuple(map(_cell, row)) for row in told.samples)
    return fields


def _literal(text: str) -> str:
    """Return a text that stands for itself within a paragraph or a table's cell."""
    return _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))


def _verbatim(text: str) -> str:
    """Return a text as a block of its own, between fences that are longer than any in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{_wrapped(text)}\n{fence}"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
