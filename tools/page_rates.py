# SPDX-License-Identifier: Apache-2.0
"""How much of operators' pages `transcribe` reads, and how much of that is right.

Against 30 pages read by eye (``tools/pages_by_eye.yaml``), and against counts over all pages
by regular expressions that know nothing of the reader.

    python tools/page_rates.py PAGES
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from aclnn_cts.errors import WrongInputError
from aclnn_cts.spec.loading import load_products
from aclnn_cts.spec.models import Product
from aclnn_cts.suite import find_suite
from aclnn_cts.transcribe.page_model import Function, Page, PageParameter
from aclnn_cts.transcribe.reader import read_page

BY_EYE = Path(__file__).resolve().parent / "pages_by_eye.yaml"
_LETTERS = {"f": "float32", "h": "float16", "b": "bfloat16", "d": "double"}
_STATUSES = {
    "N": "ACLNN_ERR_PARAM_NULLPTR",
    "I": "ACLNN_ERR_PARAM_INVALID",
    "T": "ACLNN_ERR_INNER_TILING_ERROR",
    "X": "ACLNN_ERR_INNER_NULLPTR",
}
_DETERMINISM = {"D": "deterministic", "S": "switchable"}


@dataclass
class Rate:
    """How many facts pages state, and how many were read.

    Attributes:
        stated: Facts that the pages state.
        right: Facts of these that were read as they are.
        asserted: Facts that the reader states.
        wrong: What it states and the pages do not, for people.
    """

    stated: int = 0
    right: int = 0
    asserted: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def add(self, where: str, truth: object, read: object) -> None:
        """Count a fact; None is what is not stated, or not read."""
        self.stated += truth is not None
        self.asserted += read is not None
        self.right += truth is not None and truth == read
        if read is not None and truth != read:
            self.wrong.append(f"{where}: {read} instead of {truth}")
        elif truth is not None and read is None:
            self.missed.append(f"{where}: {truth}")


@dataclass(frozen=True)
class _Fact:
    """A parameter as read by eye."""

    direction: str
    dtypes: frozenset[str] | None
    formats: frozenset[str] | None
    ranks: tuple[int, ...] | None
    non_contiguous: bool | None
    empty: bool | None
    optional: bool | None
    of: Mapping[str, tuple[str, ...]]
    dtypes_on: Mapping[str, frozenset[str]]


def _dtypes(text: str) -> frozenset[str] | None:
    if text == "-":
        return None
    parts = [
        _LETTERS[letter] if part_is_letters else part
        for part in text.split(",")
        if (part_is_letters := not set(part) - set(_LETTERS)) or part
        for letter in (part if part_is_letters else [part])
    ]
    return frozenset(parts)


def _fact(text: str) -> _Fact:
    direction, dtypes, formats, ranks, *others = text.split()
    flags = [each for each in others if "=" not in each and ":" not in each]
    low, _, high = ranks.partition("-")
    listed = None if ranks == "-" else tuple(map(int, ranks.split(","))) if not high else None
    return _Fact(
        direction={"i": "input", "o": "output", "b": "inout"}[direction],
        dtypes=_dtypes(dtypes),
        formats=None if formats == "-" else frozenset(formats.split(",")),
        ranks=tuple(range(int(low), int(high) + 1)) if high else listed,
        non_contiguous={"+": True, "x": False}.get(others[0] if others else "-"),
        empty=True if "e+" in flags else False if "e-" in flags else None,
        optional=True if "opt" in flags else False if "need" in flags else None,
        of={k: tuple(v.split(",")) for k, _, v in (e.partition("=") for e in others) if v},
        dtypes_on={
            product: listed_types
            for product, _, types in (each.partition(":") for each in others)
            if (listed_types := _dtypes(types or "-")) is not None
        },
    )


def rates(folder: Path) -> dict[str, Rate]:
    """Compare what is read of the 30 pages with what they say; by the kind of fact."""
    products = load_products(find_suite())
    truth = yaml.safe_load(BY_EYE.read_text(encoding="utf-8"))
    rates_by_kind = {name: Rate() for name in _KINDS}
    for operator, facts in truth.items():
        page = read_page(_page_of(folder, operator), products)
        function = page.function(operator)
        if function is None:
            raise WrongInputError(f"{folder}: the page of {operator} is about another operator")
        for kind, where, truth_value, read_value in _compare(
            operator, facts, page, function, products
        ):
            rates_by_kind[kind].add(f"{operator} {where}", truth_value, read_value)
    return rates_by_kind


_KINDS = (
    "products",
    "determinism",
    "parameters",
    "data types per product",
    "ranks",
    "formats",
    "non-contiguous",
    "empty",
    "optional",
    "data type of",
    "shape of",
    "format of",
    "error rows",
)


def _page_of(folder: Path, operator: str) -> Path:
    paths = [path for path in folder.rglob("*.md") if operator in path.stem.split("&")]
    if not paths:
        raise WrongInputError(f"{folder}: no page of {operator}")
    return paths[0]


def _compare(
    operator: str,
    facts: Mapping[str, Any],
    page: Page,
    function: Function,
    products: Mapping[str, Product],
) -> Iterator[tuple[str, str, object, object]]:
    """Yield kind, place, truth and what was read of each fact."""
    del operator
    support = dict(zip(products, facts["products"], strict=True))
    supported = [product for product, sign in support.items() if sign == "+"]
    for product, sign in support.items():
        stated_support = {"+": "supported", "-": "unsupported"}[sign]
        yield "products", product, stated_support, page.products.get(product)
    for product in supported:
        determinism = facts["determinism"]
        letter = determinism if isinstance(determinism, str) else determinism[product]
        read_level = function.determinism.get(product)
        yield "determinism", product, _DETERMINISM[letter], read_level
    by_name = {each.name: each for each in function.parameters}
    for name, text in facts["parameters"].items():
        yield from _parameter(name, _fact(text), by_name.get(name), supported)
    for name in set(by_name) - set(facts["parameters"]):
        yield "parameters", name, None, name
    yield from _error_rows(facts["errors"], function)


def _error_rows(
    listed: Sequence[str], function: Function
) -> Iterator[tuple[str, str, object, object]]:
    rows: dict[str, int] = {}
    for each in listed:
        head, _, tail = each.partition(" ")
        status = _STATUSES[head[0]]
        rows[status] = rows.get(status, 0) + 1
        row = next(
            (e for e in function.errors if (e.status, e.number) == (status, rows[status])), None
        )
        true_conditions = {_condition(part) for part in tail.split(";")}
        conditions = {(c.kind, frozenset(c.parameters)) for c in row.conditions} if row else set()
        guarded = bool(row and any(c.guarded for c in row.conditions))
        read_row = (frozenset(conditions), guarded) if conditions else None
        true_row = (frozenset(true_conditions), "?" in head)
        yield "error rows", f"{status} {rows[status]}", true_row, read_row
    for extra in function.errors:
        if extra.number > rows.get(extra.status, 0):
            yield "error rows", f"{extra.status} {extra.number}", None, "a row that is not there"


def _condition(text: str) -> tuple[str, frozenset[str]]:
    kind, _, names = text.strip().partition(" ")
    return kind, frozenset(names.strip().split(",")) - {"", "-"}


def _parameter(
    name: str, fact: _Fact, read: PageParameter | None, supported: list[str]
) -> Iterator[tuple[str, str, object, object]]:
    yield "parameters", name, (name, fact.direction), read and (read.name, read.direction)
    if read is None:
        return
    for product in supported:
        listed = read.dtypes_of(product)
        truth = fact.dtypes_on.get(product, fact.dtypes)
        yield "data types per product", f"{name} {product}", truth, listed and frozenset(listed)
    yield "ranks", name, fact.ranks, read.ranks
    yield "formats", name, fact.formats, read.formats and frozenset(read.formats)
    yield "non-contiguous", name, fact.non_contiguous, read.non_contiguous
    yield "empty", name, fact.empty, read.empty
    yield "optional", name, fact.optional, read.optional
    for kind, letter, other in (
        ("data type of", "d", read.dtype_of),
        ("shape of", "s", read.shape_of),
        ("format of", "f", read.format_of),
    ):
        truth_value = fact.of.get(letter)
        # Of several parameters that agree, one is enough.
        agreed = None if truth_value is None else other if other in truth_value else truth_value[0]
        yield kind, name, agreed, other


_TAGS = re.compile(r"<[^>]*>|\s")


def counts(folder: Path) -> tuple[dict[str, tuple[int, int]], list[str]]:
    """Count by regular expressions what all pages hold, and what of it was read.

    Returns:
        Stated and read by the kind of fact, and the pages that are refused.
    """
    products = load_products(find_suite())
    counts_by_kind: dict[str, tuple[int, int]] = {}
    refused = []
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text(encoding="utf-8").split("## 调用示例")[0]
        prototypes = re.findall(r"aclnnStatus\s+aclnn\w+GetWorkspaceSize\(([^)]*)\)", text)
        if not prototypes:
            continue
        try:
            page = read_page(path, products)
        except WrongInputError as error:
            refused.append(str(error))
            continue
        for kind, stated, read_count in _counts_of_page(text, prototypes, page):
            total, total_read = counts_by_kind.get(kind, (0, 0))
            counts_by_kind[kind] = total + stated, total_read + min(stated, read_count)
    return counts_by_kind, refused


def _table_rows(text: str) -> list[list[str]]:
    return [
        [_TAGS.sub("", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)]
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", text, re.DOTALL)
    ]


def _counts_of_page(
    text: str, prototypes: Sequence[str], page: Page
) -> Iterator[tuple[str, int, int]]:
    """Yield the kinds of facts, and how many of each a page states and how many were read."""
    parameters = [p for f in page.functions for p in f.parameters]
    yield "pages", 1, 1
    yield "operators", len(prototypes), len(page.functions)
    yield "parameters", sum(p.count(",") - 1 for p in prototypes), len(parameters)
    rows = _table_rows(text)
    tensors = [row for row in rows if len(row) == 8 and re.search("[A-Z]{2}", row[4])]
    typed = sum(not re.match("workspaceSize|executor", row[0]) for row in tensors)
    yield "rows that list data types", typed, sum(p.dtypes is not None for p in parameters)
    ranked = sum(len(row) == 8 and bool(re.match(r"\d", row[6])) for row in rows)
    yield "rows with ranks", ranked, sum(p.ranks is not None for p in parameters)
    marked = sum(len(row) in (7, 8) and row[-1] in ("√", "×", "x") for row in rows)
    yield "rows with √ or ×", marked, sum(p.non_contiguous is not None for p in parameters)
    tables = re.findall(r"错误码.*?</table>", text, re.DOTALL)
    errors = [error for function in page.functions for error in function.errors]
    error_rows = sum(table.count("</tr>") - 1 for table in tables)
    yield "error rows", error_rows, len(errors)
    yield "error rows understood", error_rows, sum(bool(e.conditions) for e in errors)


LEAST = {
    "parameters": 0.98,
    "data types per product": 0.97,
    "ranks": 0.97,
    "formats": 0.97,
    "non-contiguous": 0.97,
    "error rows": 0.97,
}
"""Shares of the facts stated on the pages read by eye that must be read, by kind."""

_MOST_WRONG = 0.01
"""Share of what the reader asserts of these pages that may be wrong."""


def misses(
    found: Mapping[str, Rate], counted: Mapping[str, tuple[int, int]], refused: Sequence[str]
) -> Iterator[str]:
    """Yield the targets that are missed.

    Args:
        counted: Stated and read by kind, as :func:`counts` returns them.
        refused: The pages that are refused.
    """
    for kind, least in LEAST.items():
        if found[kind].right < least * found[kind].stated:
            yield f"{kind}: less than {least:.0%} read"
    asserted = sum(rate.asserted for rate in found.values())
    if sum(len(rate.wrong) for rate in found.values()) > _MOST_WRONG * asserted:
        yield f"more than {_MOST_WRONG:.0%} of what is asserted is wrong"
    total, read_count = counted.get("parameters", (0, 0))
    if not read_count >= LEAST["parameters"] * total > 0:
        yield f"parameters of all pages: less than {LEAST['parameters']:.0%} read"
    yield from (f"refused: {each}" for each in refused)


def main() -> int:
    """Print the rates; return 1 if one misses its target."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    print(f"{'30 pages read by eye':28} stated   read  right    of what is asserted")
    rates_by_kind = rates(folder)
    for kind, rate in rates_by_kind.items():
        recall = 100 * rate.right / max(rate.stated, 1)
        precision = 100 * (rate.asserted - len(rate.wrong)) / max(rate.asserted, 1)
        print(f"{kind:28} {rate.stated:6} {rate.right:6} {recall:5.1f} %  {precision:5.1f} %")
    asserted = sum(rate.asserted for rate in rates_by_kind.values())
    wrong = sum(len(rate.wrong) for rate in rates_by_kind.values())
    print(f"all that is asserted: {asserted}, right {100 * (asserted - wrong) / asserted:.2f} %")
    if "--verbose" in sys.argv:
        for kind, rate in rates_by_kind.items():
            for label, items in (("wrong", rate.wrong), ("missed", rate.missed)):
                for item in items:
                    print(f"{label}: {kind}: {item}")
    print("all pages, against counts by regular expressions")
    counted, refused = counts(folder)
    for kind, (total, read_count) in counted.items():
        print(f"{kind:28} {total:6} {read_count:6} {100 * read_count / max(total, 1):5.1f} %")
    missed = list(misses(rates_by_kind, counted, refused))
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
