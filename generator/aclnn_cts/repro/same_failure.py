# SPDX-License-Identifier: Apache-2.0
"""Whether two cases fail in the same way."""

from __future__ import annotations

import math

from aclnn_cts.judge.call_checks import place_of
from aclnn_cts.judge.samples import Sample
from aclnn_cts.judge.verdicts import CaseVerdict


def fails_alike(original: CaseVerdict, other: CaseVerdict) -> bool:
    """Whether a case breaks the promise that another one breaks first, in the same way.

    The same clause broken by the same kind is not enough: where an element is wrong, the document
    must promise the same class of results, and must not contradict itself.
    """
    if other.verdict is not original.verdict or not other.kinds >= _first(original.kinds):
        return False
    if original.broken and original.broken[0] not in other.broken:
        return False
    if other.contested and not original.contested:
        return False
    if not original.samples:
        return True
    wanted = expected_classes(original.samples[0])
    return any(expected_classes(sample) == wanted for sample in other.samples)


def expected_classes(sample: Sample) -> frozenset[str]:
    """Return the classes of what may come back: ``finite``, ``zero``, ``Inf``, ``NaN``."""
    return frozenset(map(_class_of, sample.expected.split(" or ")))


def _class_of(word: str) -> str:
    value = float(word.lstrip("±"))
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Inf"
    return "zero" if value == 0 else "finite"


def _first(kinds: frozenset[str]) -> frozenset[str]:
    """Return the kind that the verdict tells of first; none if a process died of it."""
    return frozenset(sorted(kinds, key=place_of)[:1])
