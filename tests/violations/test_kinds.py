# SPDX-License-Identifier: Apache-2.0
"""The registry of kinds of violations: what a kind states is used."""

from __future__ import annotations

import pytest

from aclnn_cts.spec.clause_models import ErrorClause
from aclnn_cts.violations import CHECKED, DERIVED, KINDS, OF_LISTS
from aclnn_cts.violations.kind import Kind


def kinds_with(method: str) -> set[str]:
    """Return the keys of the kinds that have a method of their own."""
    return {
        key for key, kind in KINDS.items() if getattr(type(kind), method) != getattr(Kind, method)
    }


def test_every_kind_can_be_broken_and_recognised() -> None:
    """A clause that a spec may state and that nothing breaks would be tested by no call."""
    assert kinds_with("changes") == set(KINDS)
    assert kinds_with("is_wrong") | kinds_with("breaking") | kinds_with("holds") == set(KINDS)


def test_the_lists_hold_the_kinds_that_have_what_they_are_for() -> None:
    """Shapes are checked without checks of their own: they follow from C++ expressions."""
    assert kinds_with("derived_value") == set(DERIVED)
    checked = {kind.key for kind in (*CHECKED, *OF_LISTS)}
    assert kinds_with("checks") | {"shape_differs"} == checked


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_clause_has_the_kind_of_its_key(kind: Kind) -> None:
    values = {"names": ["x"], "assignments": [{"eps": 1}], "true": True}
    where = {"section": "errors", "item": "first row"}
    data = {"id": "wrong", "text": "it is wrong", "where": where, "basis": "refusal"}
    clause = ErrorClause.model_validate({**data, kind.key: values[kind.form]})
    assert clause.kind is kind
    assert (clause.names, clause.assignments) == (
        ["x"] if kind.form == "names" else [],
        [{"eps": 1}] if kind.form == "assignments" else [],
    )
