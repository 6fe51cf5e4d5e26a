# SPDX-License-Identifier: Apache-2.0
"""The command that runs one case, as reports print it for people to copy."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from aclnn_cts.judge.standards import DEFAULT_STANDARD
from aclnn_cts.spec.edition_models import CURRENT

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
