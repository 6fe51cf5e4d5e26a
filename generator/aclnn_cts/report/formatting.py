# SPDX-License-Identifier: Apache-2.0
"""Formatting of counts, numbers, Markdown text, and commands for people to copy."""

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


MOST_COMPANY = 4
"""Cases before another one that a command or a sentence names."""


@dataclass(frozen=True)
class Ran:
    """How a case was run.

    Attributes:
        tier: A tier that holds the case.
        edition: The edition of the documents that it is planned from.
        simulator: Whether it was the simulated device.
        fault: The fault that the simulated device was given; empty for none.
        variant: The variant that the simulated device was; empty for the usual one.
        cann: The folder of the real device's toolkit; empty if it is another host's, or not known.
        calls: The call list that holds the case; empty if a tier does.
        number: The number of the real device; the first one's, if it is not known which of several.
        sanitize: Whether simulator and programs were built with AddressSanitizer and UBSan.
        enforce: Whether a requirement that is not enforced ended with exit status 1.
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
        """Return how one of the cases was run; the number is negative if it is not known."""
        return self if number < 0 else replace(self, number=number)


def run_start(product: str, ran: Ran) -> tuple[str, ...]:
    """Return the command up to what it runs: its start, and each option that may be long."""
    source = f"--calls {shlex.quote(ran.calls)}" if ran.calls else f"--tier {ran.tier}"
    start = f"aclnn-cts run --product {product} {source}"
    start += f" --standard {ran.standard}" if ran.standard != DEFAULT_STANDARD else ""
    start += f" --edition {ran.edition}" if ran.edition != CURRENT else ""
    if ran.fault:
        start += f" --fault {ran.fault}"
    elif ran.variant:
        start += f" --variant {ran.variant}"
    elif ran.simulator:
        # Without it a host that has a toolkit would take its card.
        start += " --simulator"
    start += "".join(f" --specs {shlex.quote(str(folder))}" for folder in ran.folders)
    start += " --sanitize" if ran.sanitize else ""
    start += " --enforce" if ran.enforce else ""
    if not ran.cann:
        return (start,)
    start += f" --devices {ran.number}" if ran.number else ""
    return start, f"--cann {shlex.quote(ran.cann)}"


def run_command(case: str, product: str, ran: Ran) -> tuple[str, ...]:
    """Return the command that runs exactly one case: its start, and each option."""
    return *run_start(product, ran), f"--case {case}"


def rerun_command(
    case: str, operator: str, product: str, ran: Ran, after: Sequence[str]
) -> tuple[str, ...]:
    """Return the command that reproduces a case's result: its start, and each option.

    A case that fails only behind others is run behind them, in the same process. Where they are too
    many to name, all cases of the operator are run: they share processes as they did then.

    Args:
        after: Ids of the cases without which it breaks no promise; empty without any.
    """
    start = run_start(product, ran)
    if len(after) > MOST_COMPANY:
        return *start, f"--operator {operator}"
    return *start, *(f"--case {name}" for name in (*after, case))


def company_remark(after: Sequence[str]) -> str:
    """Return a remark on cases that the command does not name, or ""."""
    if len(after) <= MOST_COMPANY:
        return ""
    return f"all cases of the operator: it fails only behind {len(after)} of them, and passes alone"
