# SPDX-License-Identifier: Apache-2.0
"""Rows of error tables with equal words and different transcriptions.

Two pages that use the same sentence mean the same by it, so its clauses break the same aspects:
data types, formats, shapes and so on. A row on shapes may concern extents on one page and ranks on
another, and values of attributes differ from page to page; neither counts.

    python tools/equal_rows.py PAGES
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from aclnn_cts.spec.expansion import ORDINALS
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.suite import find_suite
from aclnn_cts.transcribe.reader import read_page

ASPECTS: Mapping[str, str] = {
    "dtype_outside_support": "data type",
    "dtype_differs": "data type",
    "promotion_outside_support": "data type",
    "not_castable": "data type",
    "format_outside_support": "format",
    "format_differs": "format",
    "shape_differs": "shape",
    "rank_outside": "shape",
    "rank_below": "shape",
    "null_pointer": "null pointer",
    "non_contiguous": "strides",
}

EXPLAINED: Mapping[str, str] = {
    "k2o6szae2d": "all types of aclnnChamferDistanceBackward convert to one another",
}
"""Reasons for differences, by fingerprint of the row."""

_ROW = re.compile(r"^(ACLNN_\w+)(?:, (\w+) row)?")

Rows = dict[str, dict[frozenset[str], list[str]]]
"""Operators by transcription, by fingerprint of the row."""


def aspects_of(spec: OperatorSpec, status: str, number: int) -> frozenset[str]:
    """Return what the clauses of a row break; a clause may state several statuses."""
    aspects = set()
    for clause in spec.errors:
        match = _ROW.match(clause.where.item)
        ordinal = ORDINALS.index(match[2]) + 1 if match and match[2] in ORDINALS else 1
        if clause.basis == "status" and match and (match[1], ordinal) == (status, number):
            aspects.add(ASPECTS.get(clause.kind.key, ""))
    return frozenset(aspects - {""})


def equal_rows(specs: SpecSet, pages: Path) -> Rows:
    """Return the transcriptions of each row that several operators have."""
    rows: Rows = defaultdict(lambda: defaultdict(list))
    paths = {path.stem: path for path in sorted(pages.rglob("aclnn*.md"))}
    for spec in specs.tested_operators:
        path = next((paths[name] for name in paths if spec.operator in name.split("&")), None)
        function = read_page(path, specs.products).function(spec.operator) if path else None
        seen = set[str]()
        for row in function.errors if function else ():
            aspects = aspects_of(spec, row.status, row.number)
            if row.fingerprint not in seen:
                rows[row.fingerprint][aspects].append(spec.operator)
            seen.add(row.fingerprint)
    return {
        print_: dict(places)
        for print_, places in rows.items()
        if sum(map(len, places.values())) > 1
    }


def differing(rows: Rows) -> Rows:
    """Return the rows with several transcriptions and no explanation."""
    return {
        each: places for each, places in rows.items() if len(places) > 1 and each not in EXPLAINED
    }


def stale(rows: Rows, explained: Mapping[str, str]) -> set[str]:
    """Return the explained rows without several transcriptions."""
    return {each for each in explained if len(rows.get(each, ())) < 2}


def main(pages: Path) -> int:
    rows = equal_rows(load_specs(find_suite()), pages)
    for fingerprint, places in differing(rows).items():
        print(fingerprint)
        for aspects, operators in places.items():
            print(f"  {', '.join(sorted(aspects)) or 'nothing'}: {', '.join(operators)}")
    needless = stale(rows, EXPLAINED)
    for fingerprint in sorted(needless):
        print(f"{fingerprint}: explained, but no difference is left")
    return 1 if differing(rows) or needless else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
