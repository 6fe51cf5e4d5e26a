# SPDX-License-Identifier: Apache-2.0
"""aclnnLogitGrad's special regions: what may come back, from the document's sentences themselves.

The other operators have one formula each; this one's page divides the plane of x and eps into
regions, in sentences that contradict one another. Here each sentence is a line of Python.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from tests.whole_calls import evaluate

from aclnn_cts.golden.expected import Outcome
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.loading import SpecSet

EPS = [-1.0, -math.inf, 0.0, 2.0**-20, 0.25, 0.5, 0.75, 1.0, 2.0, math.inf, math.nan]
"""In all types, so that no rounding decides where a threshold lies."""

X = [math.nan, math.inf, -math.inf, -0.5, 0.0, -0.0, 0.125, 0.25, 0.5, 0.75, 0.875, 1.0, 1.5]
DY = [1.0, -2.0, 0.0, math.inf, -math.inf, math.nan]

FORMULA = "formula"


def sentences(x: float, dy: float, eps: float) -> list[Outcome | str]:
    """Return what the page's sentences that apply say, each for itself."""
    inside = is_inside(x, eps)
    page: list[tuple[bool, Outcome | str]] = [
        (inside and math.isfinite(dy), FORMULA),
        (eps < 0 and not inside, Outcome.NAN),
        (eps >= 0 and not inside, Outcome.ZERO),
        (1 < eps < math.inf, Outcome.NAN),
        (eps == 1, Outcome.INF),
        (eps == math.inf, Outcome.ZERO),
        (math.isnan(eps), Outcome.NAN),
        (x in (0, 1) and math.isfinite(dy), Outcome.INF),
        (not math.isfinite(x), Outcome.NAN),
        (not math.isfinite(dy), Outcome.NON_FINITE),
    ]
    return [said for applies, said in page if applies]


def is_inside(x: float, eps: float) -> bool:
    """Whether x lies in [0, 1] for an eps below 0, or in [eps, 1 - eps], without any rounding."""
    if eps < 0:
        return 0 <= x <= 1
    if not (math.isfinite(eps) and math.isfinite(x)):
        return False
    return Fraction(eps) <= Fraction(x) <= 1 - Fraction(eps)


def outcome_of_formula(x: float, dy: float) -> Outcome:
    """Return the class of dy / (x * (1 - x)) for an x in [0, 1]."""
    if x in (0, 1):
        # The 0 of the denominator may have either sign: no page says how it comes about.
        return Outcome.NAN if dy == 0 else Outcome.INF
    return Outcome.VALUE | Outcome.ZERO if dy == 0 else Outcome.VALUE


def allowed(x: float, dy: float, eps: float) -> tuple[Outcome, bool]:
    """Return what all sentences allow together, or each of them; and whether they clash."""
    said = sentences(x, dy, eps)
    outcomes = [outcome_of_formula(x, dy) if s == FORMULA else Outcome(int(s)) for s in said]
    common = functools.reduce(operator.and_, outcomes)
    return (common, False) if common else (functools.reduce(operator.or_, outcomes), True)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("eps", EPS)
def test_every_region_of_the_page(specs: SpecSet, dtype: str, eps: float) -> None:
    """Each x, each dy and each eps: the classes that the sentences leave, and where they clash."""
    pairs = np.array(list(itertools.product(X, DY)), np.float32)
    kind = DATA_TYPES[dtype].numpy
    inputs = {"x": pairs[:, 0].astype(kind), "dy": pairs[:, 1].astype(kind)}
    expected = evaluate(specs, "aclnnLogitGrad", inputs, {"eps": eps}, "atlas-a2")["out"]
    decided = ~expected.undecided
    assert decided.sum() > 0.7 * len(pairs)
    for k in np.flatnonzero(decided):
        x, dy = (float(value) for value in pairs[k])
        found = Outcome(int(expected.allowed[k])), bool(expected.contested[k])
        assert found == allowed(x, dy, eps), (x, dy, eps)


def test_all_sentences_are_tried() -> None:
    """Every outcome that the page names, alone and in contradiction with another."""
    found = Counter(allowed(x, dy, eps) for x, dy, eps in itertools.product(X, DY, EPS))
    settled = {outcome for outcome, clash in found if not clash}
    assert {Outcome.NAN, Outcome.ZERO, Outcome.VALUE, Outcome.INF} <= settled
    assert any(clash for _, clash in found)
