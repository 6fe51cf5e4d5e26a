# SPDX-License-Identifier: Apache-2.0
"""Formatting of numbers, Markdown text, and commands to copy."""

from __future__ import annotations

import math
import re
import shlex
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal
from pathlib import Path

from aclnn_cts.judge.standards import DEFAULT_STANDARD
from aclnn_cts.spec.editions import CURRENT

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")


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


def card_of(host: str, number: int) -> str:
    """Return the name of a card: ``lab-07, card 3``; the number is negative if unknown."""
    return f"{host}, card {number}" if number >= 0 else f"{host}, card not recorded"


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


def rounded_up(value: float) -> str:
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


MOST_COMPANY = 4
"""Maximum number of preceding cases in a command or a message."""


@dataclass(frozen=True)
class Ran:
    """How a case was run.

    Attributes:
        tier: A tier that holds the case.
        edition: The edition of the documents.
        simulator: Whether it was the simulated device.
        fault: The fault that the simulated device was given; empty for none.
        variant: The variant that the simulated device was; empty for the usual one.
        cann: The real device's toolkit; empty if it is on another host or unknown.
        calls: The call list that holds the case; empty if a tier does.
        number: The number of the real device; the first one if unknown.
        sanitize: Whether simulator and programs were built with AddressSanitizer and UBSan.
        enforce: Whether unenforced requirements caused exit status 1.
        folders: The operator folders beside the suite.
    """

    tier: str
    edition: str = CURRENT
    standard: str = DEFAULT_STANDARD
    simulator: bool = False
    fault: str = ""
    variant: str = ""
    cann: str = ""
    calls: str = ""
    number: int = 0
    sanitize: bool = False
    enforce: bool = False
    folders: tuple[Path, ...] = ()

    def on_card(self, number: int) -> Ran:
        """Return how one of the cases was run; the number is negative if unknown."""
        return self if number < 0 else replace(self, number=number)


def run_start(product: str, ran: Ran) -> tuple[str, ...]:
    """Return the start of the command and its long options, without the cases."""
    source = f"--calls {shlex.quote(ran.calls)}" if ran.calls else f"--tier {ran.tier}"
    start = f"aclnn-cts run --product {product} {source}"
    start += f" --standard {ran.standard}" if ran.standard != DEFAULT_STANDARD else ""
    start += f" --edition {ran.edition}" if ran.edition != CURRENT else ""
    if ran.fault:
        start += f" --fault {ran.fault}"
    elif ran.variant:
        start += f" --variant {ran.variant}"
    elif ran.simulator:
        # otherwise a host with a toolkit would use its card
        start += " --simulator"
    start += "".join(f" --specs {shlex.quote(str(folder))}" for folder in ran.folders)
    start += " --sanitize" if ran.sanitize else ""
    start += " --enforce" if ran.enforce else ""
    if not ran.cann:
        return (start,)
    start += f" --devices {ran.number}" if ran.number else ""
    return start, f"--cann {shlex.quote(ran.cann)}"


def run_command(case: str, product: str, ran: Ran) -> tuple[str, ...]:
    """Return the command that runs exactly one case: its start, and its options."""
    return *run_start(product, ran), f"--case {case}"


def rerun_command(
    case: str, operator: str, product: str, ran: Ran, after: Sequence[str]
) -> tuple[str, ...]:
    """Return the command that reproduces a case's result: its start, and its options.

    A case that fails only after others runs after them, in the same process. If they are too many
    to name, all cases of the operator run, in the same batches.

    Args:
        after: Ids of the cases without which it breaks no promise; empty without any.
    """
    start = run_start(product, ran)
    if len(after) > MOST_COMPANY:
        return *start, f"--operator {operator}"
    return *start, *(f"--case {name}" for name in (*after, case))


def company_remark(after: Sequence[str]) -> str:
    """Return a remark on preceding cases that the command does not name, or ""."""
    if len(after) <= MOST_COMPANY:
        return ""
    return f"all cases of the operator: it fails only after {len(after)} of them, and passes alone"
