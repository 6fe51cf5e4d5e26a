# SPDX-License-Identifier: Apache-2.0
"""The pages of operators with an index of places, written down once more: tables and examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from aclnn_cts.golden.data_kinds import make_data
from aclnn_cts.golden.expectations import expect_call
from aclnn_cts.plan.cases import Fill
from aclnn_cts.spec.loading import SpecSet

NULL, INVALID = 161001, 161002
THREE = "ascend-950 atlas-a3 atlas-a2"
FLOATING = "float32 float16 bfloat16"
SHORT = f"{FLOATING} int8 uint8 int16 int32 int64 bool double"
UNSIGNED = "uint16 uint32 uint64"


@dataclass(frozen=True)
class Page:
    """What a page says.

    Attributes:
        prototype: The parameters in order, up to the workspace.
        products: Those that are supported.
        dtypes: The data types of elements on the first of them, without complex ones.
        fewer: Those that A2 lacks.
        null: Parameters of which a row refuses null pointers.
        contiguous: Whether the output must be contiguous.
    """

    prototype: str
    products: str
    dtypes: str
    null: str
    fewer: str = ""
    contiguous: bool = False


PAGES = {
    "Embedding": Page(
        "weight indices out",
        "ascend-950 atlas-a3 atlas-a2 atlas-200i-500-a2 atlas-inference atlas-training",
        SHORT,
        "weight indices out",
    ),
    "Gather": Page(
        "self dim index out", "atlas-a3 atlas-a2", f"{SHORT} {UNSIGNED}", "self index out"
    ),
    "GatherNd": Page(
        "self indices negativeIndexSupport out",
        THREE,
        f"{SHORT} {UNSIGNED}",
        "self out",
        fewer=f"double int16 {UNSIGNED}",
    ),
    "GatherV2": Page(
        "self dim index out",
        f"{THREE} atlas-inference atlas-training",
        SHORT,
        "self index out",
        contiguous=True,
    ),
    "GatherV3": Page(
        "self dim index batchDims mode out",
        THREE,
        SHORT.replace(" bfloat16", ""),
        "self index out",
        contiguous=True,
    ),
    "IndexCopy": Page(
        "selfRef dim index source outRef",
        THREE,
        f"{SHORT} uint32 uint64",
        "selfRef index source outRef",
        fewer="uint32 uint64",
        contiguous=True,
    ),
    "IndexFill": Page(
        "self dim index value out",
        THREE,
        SHORT,
        "self index value out",
        fewer="int8 uint8 int16 double",
    ),
    "IndexSelect": Page(
        "self dim index out",
        f"{THREE} atlas-inference atlas-training",
        f"{SHORT} {UNSIGNED}",
        "self index out",
        contiguous=True,
    ),
    "ScatterNd": Page(
        "data indices updates out", THREE, f"{FLOATING} bool", "data indices updates out"
    ),
    "Take": Page(
        "self index out", f"{THREE} atlas-training", f"{SHORT} {UNSIGNED}", "self index out"
    ),
}

SQUARE = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
FIRST = {"batchDims": 0, "mode": 1}
EXAMPLES: list[tuple[str, list[Any], dict[str, Any], Any]] = [
    ("Embedding", [SQUARE, [0, 2, 0]], {}, [[1, 2, 3], [7, 8, 9], [1, 2, 3]]),
    ("Gather", [SQUARE, [[0, 2], [1, 0]]], {"dim": 0}, [[1, 8], [4, 2]]),
    ("Gather", [SQUARE, [[0, 2], [1, 0]]], {"dim": 1}, [[1, 3], [5, 4]]),
    ("Gather", [SQUARE, [[-1, -3], [-2, 0]]], {"dim": -1}, [[3, 1], [5, 4]]),
    ("GatherNd", [[[0, 1], [2, 3]], [[0, 0], [1, 1]]], {"negativeIndexSupport": False}, [0, 3]),
    (
        "GatherNd",
        [[[0, 1], [2, 3]], [[1], [0]]],
        {"negativeIndexSupport": False},
        [[2, 3], [0, 1]],
    ),
    (
        "GatherNd",
        [[[[0, 1], [2, 3]], [[4, 5], [6, 7]]], [[[0, 1]], [[1, 0]]]],
        {"negativeIndexSupport": False},
        [[[2, 3]], [[4, 5]]],
    ),
    ("GatherV2", [SQUARE, [1, 0]], {"dim": 0}, [[4, 5, 6], [1, 2, 3]]),
    ("GatherV2", [SQUARE, [1, 0]], {"dim": 1}, [[2, 1], [5, 4], [8, 7]]),
    ("GatherV3", [SQUARE, [1, 0]], {**FIRST, "dim": 0}, [[4, 5, 6], [1, 2, 3]]),
    ("GatherV3", [SQUARE, [1, 0]], {**FIRST, "dim": 1}, [[2, 1], [5, 4], [8, 7]]),
    (
        "IndexCopy",
        [SQUARE, [2, 0], [[5, 5, 6], [6, 7, 7]]],
        {"dim": 0},
        [[6, 7, 7], [4, 5, 6], [5, 5, 6]],
    ),
    ("IndexFill", [SQUARE, [0, 2]], {"dim": 0, "value": 0}, [[0, 0, 0], [4, 5, 6], [0, 0, 0]]),
    ("IndexFill", [SQUARE, [0, 2]], {"dim": 1, "value": 0}, [[0, 2, 0], [0, 5, 0], [0, 8, 0]]),
    ("IndexFill", [SQUARE, [-1, 3, -4]], {"dim": 0, "value": 0}, [[1, 2, 3], [4, 5, 6], [0, 0, 0]]),
    ("IndexSelect", [SQUARE, [1, 0]], {"dim": 0}, [[4, 5, 6], [1, 2, 3]]),
    ("IndexSelect", [SQUARE, 1], {"dim": 1}, [[2], [5], [8]]),
    (
        "ScatterNd",
        [SQUARE, [[2], [0]], [[5, 5, 6], [6, 7, 7]]],
        {},
        [[6, 7, 7], [4, 5, 6], [5, 5, 6]],
    ),
    ("ScatterNd", [SQUARE, [[2, 0], [0, 1]], [5, 6]], {}, [[1, 6, 3], [4, 5, 6], [5, 8, 9]]),
    ("Take", [SQUARE, [[8, 0], [4, 4]]], {}, [[9, 1], [5, 5]]),
]
"""Calls of the pages, or by their formulas."""


def test_every_operator_with_places_has_a_line_and_an_example(specs: SpecSet) -> None:
    with_places = {
        spec.operator.removeprefix("aclnn")
        for spec in specs.tested_operators
        if spec.places and spec.second_of is None
    }
    assert with_places == set(PAGES) == {name for name, *_ in EXAMPLES}


@pytest.mark.parametrize("name", PAGES)
def test_tables(specs: SpecSet, name: str) -> None:
    spec, page = specs.operator(f"aclnn{name}"), PAGES[name]
    products = [product for product in specs.products if spec.supports(product)]
    assert products == page.products.split()
    assert [parameter.name for parameter in spec.parameters] == page.prototype.split()
    elements, places = spec.inputs[0].name, spec.places
    assert set(spec.dtypes(elements, products[0])) == {*page.dtypes.split()}
    assert set(spec.dtypes(elements, "atlas-a2")) == {*page.dtypes.split()} - {*page.fewer.split()}
    for product in products:
        assert set(spec.dtypes(places, product)) == {"int64", "int32"}
    assert spec.outputs[0].non_contiguous != page.contiguous
    null = [each.names for each in spec.errors if each.null_pointer and NULL in each.statuses]
    assert null == [page.null.split()]
    rows = {each.kind.key for each in spec.errors if INVALID in each.statuses}
    assert {"dtype_outside_support", "rank_outside"} <= rows or name == "Embedding"


@pytest.mark.parametrize(("name", "given", "attributes", "expected"), EXAMPLES)
def test_examples(
    specs: SpecSet, name: str, given: list[Any], attributes: dict[str, Any], expected: Any
) -> None:
    spec = specs.operator(f"aclnn{name}")
    product = next(filter(spec.supports, specs.products))
    names = [tensor.name for tensor in spec.inputs]
    inputs = {
        each: np.array(data, np.int64 if each == spec.places else np.float32)
        for each, data in zip(names, given, strict=True)
    }
    (result,) = expect_call(specs, spec.operator, inputs, attributes, product).values()
    assert np.array_equal(result.whole().value, np.array(expected))


@pytest.mark.parametrize(
    ("kind", "least", "most"),
    [
        ("places", 0, 9),
        ("places-either-way", -9, 9),
        ("places-ends", 0, 9),
        ("places-around", -18, 18),
    ],
)
def test_places_are_within_their_bounds(kind: str, least: int, most: int) -> None:
    data = make_data(Fill(kind, (9.0,), "seed"), (500,), "int32")
    assert data.min() == least
    assert data.max() == most - 1


def test_places_of_several_axes_have_bounds_of_their_own() -> None:
    data = make_data(Fill("places", (2.0, 9.0), "seed"), (300, 2), "int64")
    assert data.max(axis=0).tolist() == [1, 8]


@pytest.mark.parametrize("extents", [(500.0,), (20.0, 25.0)])
def test_places_without_repetition(extents: tuple[float, ...]) -> None:
    data = make_data(Fill("places-once", extents, "seed"), (499, len(extents)), "int64")
    assert len(np.unique(data, axis=0)) == 499
    assert (data >= 0).all()
    assert (data < np.array(extents)).all()
