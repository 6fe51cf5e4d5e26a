# SPDX-License-Identifier: Apache-2.0
"""The pages of operators that arrange elements, written down once more: tables and examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from aclnn_cts.golden.expectations import expect_call
from aclnn_cts.spec.loading import SpecSet

NULL, INVALID = 161001, 161002
SHORT = "float32 float16 bfloat16 int8 int32 uint8 int16 int64 bool"


@dataclass(frozen=True)
class Page:
    """What a page says.

    Attributes:
        prototype: The parameters in order, up to the workspace.
        products: Those that are supported.
        dtypes: The data types on the first of them, without complex ones.
        rank: The least and the greatest rank of the input.
        null: Parameters of which a row refuses null pointers.
        contiguous: Whether the output must be contiguous.
    """

    prototype: str
    products: str
    dtypes: str
    rank: tuple[int, int]
    null: str
    contiguous: bool = False


PAGES = {
    "Flip": Page(
        "self dims out",
        "ascend-950 atlas-a3 atlas-a2",
        f"{SHORT} double",
        (1, 8),
        "self out",
        contiguous=True,
    ),
}

EXAMPLES: list[tuple[str, Any, dict[str, Any], Any]] = [
    ("Flip", [[1, 2, 3], [4, 5, 6]], {"dims": (1,)}, [[3, 2, 1], [6, 5, 4]]),
    ("Flip", [[1, 2, 3], [4, 5, 6]], {"dims": (0, -1)}, [[6, 5, 4], [3, 2, 1]]),
]
"""Calls of the pages, or by their formulas."""


def test_every_arrangement_has_a_line_and_an_example(specs: SpecSet) -> None:
    arranging = {
        spec.operator.removeprefix("aclnn")
        for spec in specs.tested_operators
        if spec.arrangement is not None and spec.second_of is None
    }
    assert arranging == set(PAGES) == {name for name, *_ in EXAMPLES}


@pytest.mark.parametrize("name", PAGES)
def test_tables(specs: SpecSet, name: str) -> None:
    spec, page = specs.operator(f"aclnn{name}"), PAGES[name]
    products = [product for product in specs.products if spec.supports(product)]
    assert products == page.products.split()
    assert [parameter.name for parameter in spec.parameters] == page.prototype.split()
    (tensor,), (output,) = spec.inputs, spec.outputs
    assert set(spec.dtypes(tensor.name, products[0])) == set(page.dtypes.split())
    assert tensor.rank == page.rank
    assert output.non_contiguous != page.contiguous
    null = [each.names for each in spec.errors if each.null_pointer and NULL in each.statuses]
    assert null == [page.null.split()]
    rows = {each.kind.key for each in spec.errors if INVALID in each.statuses}
    assert "dtype_outside_support" in rows


@pytest.mark.parametrize(("name", "given", "attributes", "expected"), EXAMPLES)
def test_examples(
    specs: SpecSet, name: str, given: Any, attributes: dict[str, Any], expected: Any
) -> None:
    spec = specs.operator(f"aclnn{name}")
    product = next(filter(spec.supports, specs.products))
    inputs = {spec.inputs[0].name: np.array(given, np.float32)}
    (result,) = expect_call(specs, spec.operator, inputs, attributes, product).values()
    assert np.array_equal(result.whole().value, np.array(expected))
