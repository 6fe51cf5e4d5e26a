# SPDX-License-Identifier: Apache-2.0
"""Where and how cases were run: names of cards, and commands to copy."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from aclnn_cts.judge.standards import DEFAULT_STANDARD
from aclnn_cts.results.document import ResultsDocument
from aclnn_cts.spec.editions import CURRENT


def card_of(host: str, number: int) -> str:
    """Return the name of a card: ``lab-07, card 3``; the number is negative if unknown."""
    return f"{host}, card {number}" if number >= 0 else f"{host}, card not recorded"


MOST_COMPANY = 4
"""Maximum number of preceding cases in a command or a message."""


@dataclass(frozen=True)
class RunSetup:
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

    def on_card(self, number: int) -> RunSetup:
        """Return how one of the cases was run; the number is negative if unknown."""
        return self if number < 0 else replace(self, number=number)


def setup_of(document: ResultsDocument) -> RunSetup:
    """Return how a run was made, for commands that rerun its cases."""
    return RunSetup(
        document.tier,
        document.edition,
        document.standard,
        simulator=document.device.kind == "simulator",
        fault=document.device.fault,
        variant=document.device.variant,
        cann=document.cann,
        calls=document.calls,
        number=next(iter(document.environment.devices), 0),
        sanitize=document.sanitize,
        enforce=document.enforce,
        folders=tuple(folder.path for folder in document.suite.folders),
    )


def run_start(product: str, setup: RunSetup) -> tuple[str, ...]:
    """Return the start of the command and its long options, without the cases."""
    source = f"--calls {shlex.quote(setup.calls)}" if setup.calls else f"--tier {setup.tier}"
    start = f"aclnn-cts run --product {product} {source}"
    start += f" --standard {setup.standard}" if setup.standard != DEFAULT_STANDARD else ""
    start += f" --edition {setup.edition}" if setup.edition != CURRENT else ""
    if setup.fault:
        start += f" --fault {setup.fault}"
    elif setup.variant:
        start += f" --variant {setup.variant}"
    elif setup.simulator:
        # otherwise a host with a toolkit would use its card
        start += " --simulator"
    start += "".join(f" --specs {shlex.quote(str(folder))}" for folder in setup.folders)
    start += " --sanitize" if setup.sanitize else ""
    start += " --enforce" if setup.enforce else ""
    if not setup.cann:
        return (start,)
    start += f" --devices {setup.number}" if setup.number else ""
    return start, f"--cann {shlex.quote(setup.cann)}"


def run_command(case: str, product: str, setup: RunSetup) -> tuple[str, ...]:
    """Return the command that runs exactly one case: its start, and its options."""
    return *run_start(product, setup), f"--case {case}"


def rerun_command(
    case: str, operator: str, product: str, setup: RunSetup, after: Sequence[str]
) -> tuple[str, ...]:
    """Return the command that reproduces a case's result: its start, and its options.

    A case that fails only after others runs after them, in the same process. If they are too many
    to name, all cases of the operator run, in the same batches.

    Args:
        after: Ids of the cases without which it breaks no promise; empty without any.
    """
    start = run_start(product, setup)
    if len(after) > MOST_COMPANY:
        return *start, f"--operator {operator}"
    return *start, *(f"--case {name}" for name in (*after, case))


def company_remark(after: Sequence[str]) -> str:
    """Return a remark on preceding cases that the command does not name, or ""."""
    if len(after) <= MOST_COMPANY:
        return ""
    return f"all cases of the operator: it fails only after {len(after)} of them, and passes alone"
