# SPDX-License-Identifier: Apache-2.0
"""A hand-made case with all further runs, and what judges it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.plan.cases import CIRCUMSTANCES, Case

PHRASES = dict(
    zip(
        CIRCUMSTANCES,
        (
            "on a second stream",
            "with a workspace that an earlier call had used",
            "after aclnnLogitGrad ran",  # the hand-made suite has no other
            "between two other calls in flight",
            "with another call planned between its phases",
            "from a repeatable executor's second launch with new data",
        ),
        strict=True,
    )
)


def repeat(run: int, different: int = 0) -> dict[str, Any]:
    """The comparison of a further run, in which the first elements may differ."""
    first = 0 if different else -1
    facts = {"run": run, "again": CIRCUMSTANCES[run - 2], "tensor": "out", "different": different}
    return {"event": "repeat", **facts, "first": first, "unwritten": 0, "unwritten_first": -1}


def planned(bench: Any, *, deterministic: bool) -> Case:
    case: Case = bench.case("a", [0.25, 0.5, 0.75], [1.0, 2.0, 3.0], again=CIRCUMSTANCES)
    if deterministic:
        return case
    return replace(case, clauses=tuple(name for name in case.clauses if name != "determinism"))


def judged(
    bench: Any,
    case: Case,
    *events: dict[str, Any],
    wrong: tuple[int, ...] = (),
    ordinary: float = 1,
    launch: int = 1,
) -> CaseVerdict:
    """Judge a case: a factor on the ordinary outputs, and further runs whose output is wrong.

    ``launch`` says which one of a run gave the wrong output.
    """
    told, lines, data = bench.kept(case, bench.right(case) * np.float32(ordinary))
    for run in wrong:
        bad = (bench.right(case) * np.float32(2)).tobytes()
        place = {"tensor": "out", "offset": len(data), "bytes": len(bad)}
        wrong_output = {"event": "output", "run": run, "launch": launch, "case": case.id}
        lines.insert(-1, {**wrong_output, **place})
        data += bad
    lines[-1:-1] = [{**event, "case": case.id} for event in events]
    verdict: CaseVerdict = bench.judge((told, lines, data))
    return verdict
