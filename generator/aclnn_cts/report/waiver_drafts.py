# SPDX-License-Identifier: Apache-2.0
"""Drafts of waivers for what fails in a run; a person decides, and fills in who and until when."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from aclnn_cts.report.cases import CaseEntry
from aclnn_cts.report.results import ResultsDocument
from aclnn_cts.report.waivers import error_of, failure_classes
from aclnn_cts.report.wording import rounded_up
from aclnn_cts.spec.waivers import cann_version

_LEFT_OPEN = ("reason", "link", "owner", "expires")
"""What only a person can say; a draft without them is refused, with file and line."""


def draft_waivers(document: ResultsDocument) -> str:
    """Return waivers.yaml with a draft for each kind of failure that is not waived.

    Cases of an operator that show the same classes of failure and name the same clause first share
    a waiver. It accepts their largest error, of this product and version of CANN alone.
    """
    groups: dict[tuple[str, tuple[str, ...], str], list[CaseEntry]] = {}
    for case in document.cases:
        if case.fails:
            key = case.operator, tuple(sorted(failure_classes(case))), case.named_clause
            groups.setdefault(key, []).append(case)
    if not groups:
        return "waivers: []\n"
    names: dict[str, int] = {}
    return "waivers:\n" + "".join(
        _draft(document, classes, cases, names) for (_, classes, _), cases in groups.items()
    )


def _draft(
    document: ResultsDocument,
    classes: Sequence[str],
    cases: Sequence[CaseEntry],
    names: dict[str, int],
) -> str:
    first = cases[0]
    name = "-".join(
        filter(None, (first.operator.removeprefix("aclnn").lower(), first.named_clause, *classes))
    )
    names[name] = names.get(name, 0) + 1
    waiver: dict[str, Any] = {
        "id": name if names[name] == 1 else f"{name}-{names[name]}",
        "operator": first.operator,
        "products": [document.device.product],
    }
    cann = document.device.cann or document.environment.toolkit_version
    if cann_version(cann) is not None:
        waiver["cann"] = f"=={cann}"
    waiver["case"] = _pattern([case.id for case in cases])
    if clauses := list(dict.fromkeys(clause for case in cases for clause in case.broken)):
        waiver["clauses"] = clauses
    waiver["failure"] = list(classes)
    if "value" in classes:
        worst = max(map(error_of, cases))
        waiver["max_ulp"] = float(rounded_up(worst)) if math.isfinite(worst) else worst
    text = yaml.safe_dump([waiver], sort_keys=False, allow_unicode=True, width=100)
    lines = [*_comments(cases), *text.splitlines(), *(f"  {key}:" for key in _LEFT_OPEN)]
    return "".join(f"  {line}\n" for line in lines)


def _comments(cases: Sequence[CaseEntry]) -> Iterator[str]:
    """Yield what fails, for the person who decides."""
    count = f"{len(cases)} cases" if len(cases) > 1 else cases[0].id
    message = re.sub(r"\s+", " ", cases[0].message)
    yield f"# {count}: {message}" if len(cases) == 1 else f"# {count}, such as: {message}"


def _pattern(names: Sequence[str]) -> str:
    """Return the narrowest pattern of whole parts of an id that all of them match."""
    if len(names) == 1:
        return names[0]
    parts = zip(*(name.split(".") for name in names), strict=False)
    common = itertools.takewhile(lambda same: len(set(same)) == 1, parts)
    return ".".join((*(same[0] for same in common), "*"))
