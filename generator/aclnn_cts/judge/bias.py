# SPDX-License-Identifier: Apache-2.0
"""Rounding bias over a whole run: pooling the cases, and blaming those that show it best.

The strict standard holds a device to unbiased rounding, see :mod:`aclnn_cts.judge.rounding`. A
finding belongs to no single element. It is told in the cases that add most to it: they fail, by the
value clauses that their rounded elements are promised by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from aclnn_cts.judge.clauses import broken_values
from aclnn_cts.judge.rounding import DIRECTIONS, Direction, Rounding, pooled
from aclnn_cts.judge.standards import Standard
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.spec.loading import SpecSet

BLAMED = 3
"""Cases that a finding is told in."""

Pool = tuple[str, str, str]
"""Operator, output, data type."""


@dataclass(frozen=True)
class PooledRounding:
    """What a run says about the rounding of one output in one data type.

    Attributes:
        operator: The operator.
        output: The output.
        dtype: Its data type.
        elements: How many elements count.
        toward_zero: Mean error toward zero, in ulps.
        up: Mean error upward, in ulps.
        biased: Whether either is a finding.
    """

    operator: str
    output: str
    dtype: str
    elements: int
    toward_zero: float
    up: float
    biased: bool


def find_bias(
    verdicts: Sequence[CaseVerdict], specs: SpecSet, standard: Standard
) -> tuple[tuple[CaseVerdict, ...], tuple[PooledRounding, ...]]:
    """Return the verdicts, with the failures that bias makes of some, and the figures.

    Only cases that keep every element's budget are pooled: what is plainly wrong is no rounding.

    Args:
        verdicts: Of all cases of a run.
        specs: All specs.
        standard: The standard that decides; bias breaks the strict one only.
    """
    pools: dict[Pool, dict[str, Rounding]] = {}
    for verdict in verdicts:
        for part in verdict.rounding if _is_strict(verdict) else ():
            key = (verdict.operator, part.output, part.dtype)
            pools.setdefault(key, {})[verdict.case] = part
    found: list[PooledRounding] = []
    told: dict[str, CaseVerdict] = {verdict.case: verdict for verdict in verdicts}
    for (operator, _, _), cases in sorted(pools.items()):
        whole = pooled(cases.values())
        biased = [direction for direction in DIRECTIONS if whole.is_biased(direction)]
        found.append(_figures(operator, whole, biased=bool(biased)))
        if biased:
            strongest = max(biased, key=lambda direction: abs(whole.bias(direction)))
            for case in _blamed(cases, whole, strongest):
                reached = cases[case].reached
                told[case] = _blame(told[case], whole, strongest, reached, specs, standard)
    return tuple(told[verdict.case] for verdict in verdicts), tuple(found)


def _is_strict(verdict: CaseVerdict) -> bool:
    figures = verdict.standards.get("strict")
    return figures is not None and figures.passed


def _figures(operator: str, whole: Rounding, *, biased: bool) -> PooledRounding:
    return PooledRounding(
        operator=operator,
        output=whole.output,
        dtype=whole.dtype,
        elements=whole.elements,
        toward_zero=whole.bias("toward-zero"),
        up=whole.bias("up"),
        biased=biased,
    )


def _blamed(cases: Mapping[str, Rounding], whole: Rounding, direction: Direction) -> Iterator[str]:
    """Yield the cases that add most to a bias."""
    at, sign = DIRECTIONS.index(direction), 1 if whole.bias(direction) > 0 else -1
    order = sorted(cases, key=lambda case: (-sign * cases[case].sums[at], case))
    yield from order[:BLAMED]


def _blame(
    verdict: CaseVerdict,
    whole: Rounding,
    direction: Direction,
    reached: int,
    specs: SpecSet,
    standard: Standard,
) -> CaseVerdict:
    figures = {**verdict.standards, "strict": replace(verdict.standards["strict"], passed=False)}
    text = describe(whole, direction)
    if standard != "strict":
        return replace(verdict, standards=figures, remarks=(*verdict.remarks, text))
    clauses = specs.operator(verdict.operator).clauses
    broken = broken_values({reached: whole.elements}, clauses)
    return replace(
        verdict,
        verdict=verdict.verdict if verdict.verdict.breaks_promise else Verdict.FAIL,
        broken=tuple(dict.fromkeys((*verdict.broken, *broken))),
        standards=figures,
        message="; ".join(filter(None, (verdict.message, text))),
        kinds=verdict.kinds | {"value"},
    )


def describe(whole: Rounding, direction: Direction) -> str:
    """Return a finding in one sentence."""
    bias, error = whole.bias(direction), whole.error(direction)
    sides = {"toward-zero": ("toward zero", "away from zero"), "up": ("upward", "downward")}
    side = sides[direction][0 if bias > 0 else 1]
    return (
        f"{whole.output} is rounded with a bias: over {whole.elements} {whole.dtype} elements of "
        f"the run the mean error is {abs(bias):.3f} ulp {side}, {abs(bias) / error:.0f} standard "
        "errors from 0, although each element is within its budget"
    )
