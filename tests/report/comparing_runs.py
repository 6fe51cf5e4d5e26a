# SPDX-License-Identifier: Apache-2.0
"""Entries of two runs that are compared, from the few facts that a test is about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from aclnn_cts.judge.standards import Figures
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.run_comparison import Options, RunComparison, compare_results
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.results.document import (
    ResultsDocument,
)

OPERATOR = "aclnnLogitGrad"
Make = Callable[..., ResultsDocument]


def figures(worst: float, mean: float, compared: int = 100) -> Figures:
    facts: dict[str, Any] = dict.fromkeys((item.name for item in fields(Figures)), 0.0)
    return Figures(
        **{
            **facts,
            "passed": True,
            "elements": compared,
            "compared": compared,
            "failing": 0,
            "first_failing": -1,
            "output": "out",
            "worst_ulp": worst,
            "mean_abs_ulp": mean,
        }
    )


def case(name: str, verdict: str = "pass", **facts: Any) -> CaseEntry:
    worst, mean = facts.pop("errors", (0.5, 0.25))
    broken = facts.pop("broken", ("formula",) if Verdict(verdict).breaks_promise else ())
    return CaseEntry(
        **{
            "id": name,
            "operator": OPERATOR,
            "verdict": Verdict(verdict),
            "scene": "cover",
            "dtype": "float32",
            "broken": broken,
            "exercised": ("formula",),
            "kinds": ("value",) if broken else (),
            "standards": {"strict": figures(worst, mean)},
            "resolving": None,
            "host": "a",
            "card": 0,
            "seconds": 0.1,
            "device_microseconds": (),
            "message": "" if verdict == "pass" else f"because of {name}",
            "remarks": (),
            "samples": (),
            "story": "",
            "waiver": None,
            "facts": (),
            "pictures": (),
            "tries": 0,
            "confirmed": False,
            "after": (),
            "only_in": (),
            "unenforced": (),
            "basis": None,
            **facts,
        }
    )


def compared(
    make: Make, base: list[CaseEntry], new: list[CaseEntry], options: Options | None = None
) -> RunComparison:
    return compare_results(make(cases=tuple(base)), make(cases=tuple(new)), options)
