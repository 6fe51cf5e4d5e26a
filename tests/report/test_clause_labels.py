# SPDX-License-Identifier: Apache-2.0
"""A reader learns what is wrong with the elements, and with which type or layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from aclnn_cts.judge.verdicts import Common
from aclnn_cts.plan.cases import Case
from aclnn_cts.report.failure_message import text_in, told_clauses, told_common


@pytest.mark.parametrize(
    ("broken", "told", "rest"),
    [
        ((), (), ()),
        (("a", "b", "formula"), ("a", "b", "formula"), ()),
        (("a", "b", "c", "formula"), ("a", "b", "formula"), ("c",)),
    ],
)
def test_what_the_elements_break_is_always_told(
    broken: tuple[str, ...], told: tuple[str, ...], rest: tuple[str, ...]
) -> None:
    """It stands last, behind what explains the whole run; none is lost, none told twice."""
    assert told_clauses(broken) == (told, rest)


def test_in_what_alone_values_are_wrong_is_told_apart() -> None:
    """A type that was accepted is no broken promise to read first, however many tensors have it."""
    common = Common("bfloat16", ("x-dtype", "dy-dtype"))
    assert told_clauses(("formula", "x-dtype", "dy-dtype"), [common]) == (("formula",), ())
    assert told_common(common) == "bfloat16 (x-dtype, dy-dtype)"


def test_the_type_and_the_layout_that_fail_are_named(bench: Any) -> None:
    """One of three data types is broken, or one of several layouts: the text says which."""
    case = bench.case("c", [0.5], [1.0], dtype="bfloat16", layout="stepped")
    assert text_in(case, "x-dtype", "x has three types") == "x has three types (here bfloat16)"
    assert text_in(case, "x-non-contiguous", "x may be") == "x may be (here stepped)"
    assert text_in(case, "formula", "dx is dy") == "dx is dy"
    assert text_in(case, "x-dtype", "") == ""


def test_the_layout_of_a_tensor_of_several_words_is_named(
    planned: Callable[[str, str], tuple[Case, ...]],
) -> None:
    """Clauses write ``gradOutput`` with a hyphen; the text says its layout all the same."""
    case = next(
        case
        for case in planned("atlas-a2", "smoke")
        for tensor in case.tensors
        if (tensor.name, tensor.layout) == ("gradOutput", "stepped")
    )
    told = text_in(case, "grad-output-non-contiguous", "gradOutput may be non-contiguous")
    assert told == "gradOutput may be non-contiguous (here stepped)"
