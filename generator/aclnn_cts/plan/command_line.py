# SPDX-License-Identifier: Apache-2.0
"""The command that runs one case, as reports print it for people to copy."""

from __future__ import annotations

from aclnn_cts.spec.edition_models import CURRENT


def run_command(
    case: str, product: str, tier: str, edition: str, standard: str | None = None
) -> tuple[str, str]:
    """Return the command that runs exactly one case: up to the case, and the case.

    Args:
        case: The case's id.
        product: The product for which it is planned.
        tier: A tier that holds it.
        edition: The edition of the documents that it is planned from.
        standard: The gate; None for the one that is used unless another is named.
    """
    start = f"aclnn-cts run --product {product} --tier {tier}"
    start += f" --standard {standard}" if standard is not None else ""
    start += f" --edition {edition}" if edition != CURRENT else ""
    return start, f"--case {case}"
