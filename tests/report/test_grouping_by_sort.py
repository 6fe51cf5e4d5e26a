# SPDX-License-Identifier: Apache-2.0
"""Calls that must work are held against such calls alone, and refusals against refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from aclnn_cts.report.facts import MUST_BE_REFUSED
from aclnn_cts.report.grouping import groups_of
from aclnn_cts.report.page.failures import failing_groups
from aclnn_cts.report.results import CaseEntry
from aclnn_cts.report.view import labelled

Entries = Callable[..., CaseEntry]


def refusals(entry: Entries, verdict: str = "pass", number: int = 60) -> Iterator[CaseEntry]:
    for n in range(number):
        yield entry(f"refused{n}", verdict, facts=(MUST_BE_REFUSED, "whole"))


def calls(entry: Entries, verdict: str, fact: str, number: int = 20) -> Iterator[CaseEntry]:
    for n in range(number):
        yield entry(f"{verdict}.{fact}.{n}", verdict, facts=(fact,))


def test_where_all_calls_fail_no_fact_tells_them_apart(entry: Entries) -> None:
    """Refusals pass for another reason: what they are not is no explanation."""
    (group,) = groups_of(
        [*calls(entry, "fail", "tail"), *calls(entry, "fail", "whole"), *refusals(entry)]
    )
    assert (group.facts, group.clauses[0][0], group.passing) == ((), "formula", 0)
    assert not group.refusals
    assert group.shared == ()


def test_only_passing_calls_of_the_sort_are_counted(
    entry: Entries, results_document: Callable[..., Any]
) -> None:
    """A hundred refusals that have the fact, too, do not speak against it; the page says so."""
    cases = (*calls(entry, "fail", "whole"), *calls(entry, "pass", "tail"), *refusals(entry))
    (group,) = failing_groups(labelled([results_document(cases=cases)]), lambda _: 0)
    assert group.group.facts == ("whole",)
    assert group.told == ("20 of 20 failing cases; none of 20 passing calls that must work has it")


def test_refusals_that_fail_have_groups_of_their_own(
    entry: Entries, results_document: Callable[..., Any]
) -> None:
    """They are never told together with calls whose values are wrong."""
    cases = (*calls(entry, "fail", "tail", 3), *refusals(entry, "fail", 2))
    found = failing_groups(labelled([results_document(cases=cases)]), lambda _: 0)
    assert [each.told for each in found] == [
        "3 of 5 failing cases; no call that must work passes",
        "2 of 5 failing cases; no call that must be refused passes",
    ]
