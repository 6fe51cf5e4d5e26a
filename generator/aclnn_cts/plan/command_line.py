# SPDX-License-Identifier: Apache-2.0
"""The command that runs one case, as reports print it for people to copy."""

from __future__ import annotations

from dataclasses import dataclass

from aclnn_cts.spec.edition_models import CURRENT


@dataclass(frozen=True)
class Ran:
    """How a case was run.

    Attributes:
        tier: A tier that holds the case.
        edition: The edition of the documents that it is planned from.
        standard: The standard that decides; None for the one that is used unless another is named.
        fault: The fault that the simulated device was given; empty for none.
    """

    tier: str
    edition: str = CURRENT
    standard: str | None = None
    fault: str = ""


def run_command(case: str, product: str, ran: Ran) -> tuple[str, str]:
    """Return the command that runs exactly one case: up to the case, and the case.

    Args:
        case: The case's id.
        product: The product for which it is planned.
        ran: How it was run.
    """
    start = f"aclnn-cts run --product {product} --tier {ran.tier}"
    start += f" --standard {ran.standard}" if ran.standard is not None else ""
    start += f" --edition {ran.edition}" if ran.edition != CURRENT else ""
    start += f" --fault {ran.fault}" if ran.fault else ""
    return start, f"--case {case}"
