# SPDX-License-Identifier: Apache-2.0
"""Which failures a search for a smaller case takes for the same one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aclnn_cts.judge.samples import Sample
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.repro.same_failure import expected_classes, fails_alike


def sample(expected: str) -> Sample:
    """Return a wrong element."""
    return Sample("out", (0,), (), expected, 0.0, 1.0, 0.1)


ORIGINAL = CaseVerdict(
    "a",
    "aclnnLogitGrad",
    Verdict.FAIL,
    broken=("inside", "accuracy"),
    kinds=frozenset({"value"}),
    samples=(sample("-4.363"),),
)


def expecting(*expected: str) -> CaseVerdict:
    """Return a failure like the original one but for what its wrong elements expected."""
    return replace(ORIGINAL, case="b", samples=tuple(map(sample, expected)))


@pytest.mark.parametrize(
    ("other", "alike"),
    [
        (expecting("2.5"), True),
        (expecting("+Inf", "2.5"), True),
        (expecting("+Inf"), False),
        (expecting("0"), False),
        (expecting("NaN"), False),
        (expecting("2.5 or +Inf"), False),
        (expecting(), False),
        (replace(expecting("2.5"), contested=1), False),
        (replace(expecting("2.5"), verdict=Verdict.CRASH), False),
        (replace(expecting("2.5"), kinds=frozenset({"memory"})), False),
        (replace(expecting("2.5"), broken=("accuracy",)), False),
    ],
)
def test_the_same_failure_expects_the_same_class(other: CaseVerdict, *, alike: bool) -> None:
    """A wrong element of another class, or of documents that disagree, is another failure."""
    assert fails_alike(ORIGINAL, other) is alike


@pytest.mark.parametrize(
    ("kinds", "kept", "alike"),
    [
        ({"value", "memory"}, {"value"}, True),
        ({"value", "memory"}, {"memory"}, False),
        ({"value", "memory"}, {"value", "repeat"}, True),
        ({"unwritten", "repeat"}, {"unwritten"}, True),
        ({"unwritten", "repeat"}, {"repeat"}, False),
        ({"status", "memory"}, {"status"}, True),
    ],
)
def test_what_was_told_first_must_stay(kinds: set[str], kept: set[str], *, alike: bool) -> None:
    """The first broken clause is of the first kind that the judge tells of; others may go."""
    original = replace(ORIGINAL, kinds=frozenset(kinds))
    assert fails_alike(original, replace(expecting("2.5"), kinds=frozenset(kept))) is alike


def test_contradictions_are_no_drift_where_the_original_has_some() -> None:
    """Documents that disagree on elements of the original may do so in a smaller case."""
    assert fails_alike(replace(ORIGINAL, contested=2), replace(expecting("2.5"), contested=1))


def test_a_failure_without_wrong_elements_has_no_class() -> None:
    """A status or a guard that is wrong says nothing about classes."""
    assert fails_alike(replace(ORIGINAL, samples=()), expecting())


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("-4.363", {"finite"}),
        ("0", {"zero"}),
        ("±Inf", {"Inf"}),
        ("-Inf", {"Inf"}),
        ("0 or NaN", {"zero", "NaN"}),
        ("1e-07 or 0 or ±Inf or NaN", {"finite", "zero", "Inf", "NaN"}),
    ],
)
def test_what_was_expected_has_classes(text: str, classes: set[str]) -> None:
    """Each wording of what may come back is understood."""
    assert expected_classes(sample(text)) == classes
