# SPDX-License-Identifier: Apache-2.0
"""The README's table of the tested operators: how many of each family, by product."""

from __future__ import annotations

from collections.abc import Iterator

from aclnn_cts.spec.loading import SpecSet

_BEGIN, _END = "<!-- operators: begin -->\n", "<!-- operators: end -->"


def _lines(specs: SpecSet) -> Iterator[str]:
    families = sorted({spec.document.family for spec in specs.tested})
    rows = {name: [s for s in specs.tested if s.document.family == name] for name in families}
    rows["all"] = list(specs.tested)
    yield f"| Family | Operators | {' | '.join(f'`{product}`' for product in specs.products)} |"
    yield "|---|--:|" + "--:|" * len(specs.products)
    for family, operators in rows.items():
        promised = (sum(spec.supports(product) for spec in operators) for product in specs.products)
        yield f"| {family} | {len(operators)} | {' | '.join(map(str, promised))} |"


def with_operator_table(page: str, specs: SpecSet) -> str:
    """Return a page with its table renewed; a page without the marks of one as it is."""
    before, begin, rest = page.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not end:
        return page
    return "".join(
        (before, begin, "\n", *(f"{line}\n" for line in _lines(specs)), "\n", end, after)
    )
