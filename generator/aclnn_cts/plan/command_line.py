# SPDX-License-Identifier: Apache-2.0
"""The command that runs one case, as reports print it for people to copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from aclnn_cts.spec.edition_models import CURRENT

DEFAULT_STANDARD: Final = "strict"
"""The standard that decides unless a command names another."""

MOST_COMPANY = 4
"""Cases before another one that a command or a sentence names."""


@dataclass(frozen=True)
class Ran:
    """How a case was run.

    Attributes:
        tier: A tier that holds the case.
        edition: The edition of the documents that it is planned from.
        standard: The standard that decides.
        fault: The fault that the simulated device was given; empty for none.
    """

    tier: str
    edition: str = CURRENT
    standard: str = DEFAULT_STANDARD
    fault: str = ""


def run_command(case: str, product: str, ran: Ran) -> tuple[str, str]:
    """Return the command that runs exactly one case: up to the case, and the case.

    Args:
        case: The case's id.
        product: The product for which it is planned.
        ran: How it was run.
    """
    start = f"aclnn-cts run --product {product} --tier {ran.tier}"
    start += f" --standard {ran.standard}" if ran.standard != DEFAULT_STANDARD else ""
    start += f" --edition {ran.edition}" if ran.edition != CURRENT else ""
    start += f" --fault {ran.fault}" if ran.fault else ""
    return start, f"--case {case}"


def run_again_command(
    case: str, operator: str, product: str, ran: Ran, after: Sequence[str]
) -> tuple[str, ...]:
    """Return the command that shows again what came of a case: its start, and each option.

    A case that fails only behind others is run behind them, in the same process. Where they are too
    many to name, all cases of the operator are run: they share processes as they did then.

    Args:
        case: The case's id.
        operator: Its operator.
        product: The product for which it is planned.
        ran: How it was run.
        after: Ids of the cases without which it breaks no promise; empty if there are none.
    """
    start, own = run_command(case, product, ran)
    if len(after) > MOST_COMPANY:
        return start, f"--operator {operator}"
    return (start, *(f"--case {name}" for name in after), own)


def company_remark(after: Sequence[str]) -> str:
    """Return what to say beside that command; empty where it names all that it runs."""
    if len(after) <= MOST_COMPANY:
        return ""
    return f"all cases of the operator: it fails only behind {len(after)} of them, and passes alone"
