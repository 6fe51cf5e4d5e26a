# SPDX-License-Identifier: Apache-2.0
"""A reader learns what is wrong with the elements, and with which type or layout."""

from __future__ import annotations

from typing import Any

import pytest

from aclnn_cts.judge.naming import text_in, told_clauses


@pytest.mark.parametrize(
    ("broken", "told", "rest"),
    [
        ((), (), ()),
        (("a", "b", "formula"), ("a", "b", "formula"), ()),
        (
            ("x-dtype", "dy-dtype", "out-dtype", "formula"),
            ("x-dtype", "dy-dtype", "formula"),
            ("out-dtype",),
        ),
    ],
)
def test_what_the_elements_break_is_always_told(
    broken: tuple[str, ...], told: tuple[str, ...], rest: tuple[str, ...]
) -> None:
    """It stands last, behind what explains the whole run; none is lost, none told twice."""
    assert told_clauses(broken) == (told, rest)


def test_the_type_and_the_layout_that_fail_are_named(bench: Any) -> None:
    """One of three data types is broken, or one of several layouts: the text says which."""
    case = bench.case("c", [0.5], [1.0], dtype="bfloat16", layout="stepped")
    assert text_in(case, "x-dtype", "x has three types") == "x has three types (here bfloat16)"
    assert text_in(case, "x-non-contiguous", "x may be") == "x may be (here stepped)"
    assert text_in(case, "formula", "dx is dy") == "dx is dy"
    assert text_in(case, "x-dtype", "") == ""
