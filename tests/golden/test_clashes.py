# SPDX-License-Identifier: Apache-2.0
"""Which clauses speak against each other where several reach an element."""

from __future__ import annotations

from typing import Any

import pytest

from aclnn_cts.golden.tolerances import clashing_pairs
from aclnn_cts.spec.clause_models import ValueClause


def clause(expect: str) -> ValueClause:
    where = {"section": "function", "item": "formula"}
    content: dict[str, Any] = {"id": f"says-{expect}", "text": "A sentence.", "where": where}
    return ValueClause.model_validate({**content, "expect": expect})


VALUE, ZERO, NAN, NON_FINITE, ANY = map(clause, ("value", "zero", "nan", "non-finite", "any"))


@pytest.mark.parametrize(
    ("clauses", "bits", "pairs"),
    [
        ((VALUE, ZERO), 0b11, [(0, 1)]),
        ((VALUE, NAN), 0b11, [(0, 1)]),
        ((ZERO, NAN, NON_FINITE), 0b111, [(0, 1), (0, 2)]),  # NaN is a non-finite result
        ((ZERO, VALUE, NAN), 0b101, [(0, 2)]),  # the second one does not reach the element
        ((ZERO, ANY, NAN), 0b111, [(0, 2)]),
        ((ZERO, NAN), 0b10, []),
    ],
)
def test_pairs_that_leave_nothing(
    clauses: tuple[ValueClause, ...], bits: int, pairs: list[tuple[int, int]]
) -> None:
    """Two clauses clash if no outcome satisfies both; one that does not reach clashes with none."""
    assert clashing_pairs([bits], clauses) == pairs


def test_clauses_that_clash_only_together() -> None:
    """If any two agree although all together leave nothing, each pair counts."""
    assert clashing_pairs([0b111], (NON_FINITE, NAN, NAN)) == [(0, 1), (0, 2), (1, 2)]


def test_pairs_of_all_elements_in_order() -> None:
    """What different elements show is put together, each pair once."""
    clauses = (ZERO, NAN, VALUE)
    assert clashing_pairs([0b110, 0b011, 0b110], clauses) == [(0, 1), (1, 2)]
