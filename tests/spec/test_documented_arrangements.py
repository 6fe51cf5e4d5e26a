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
EVERY = f"{SHORT} uint16 uint32 uint64 double"
SLICED = "float32 float16 bfloat16 int8 int32 uint8 int64 bool"
CIRCULAR = "float32 float16 bfloat16 int8 int32"
NEW = "ascend-950 atlas-a3 atlas-a2"
TRAINED = f"{NEW} atlas-training"
ALL = f"{NEW} atlas-inference atlas-training"


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
    "Permute": Page("self dims out", TRAINED, EVERY, (0, 8), "self dims out"),
    "Roll": Page("x shifts dims out", ALL, f"{SHORT} uint32", (0, 8), "x shifts", contiguous=True),
    "Repeat": Page("self repeats out", ALL, EVERY, (0, 8), "self out"),
    "RepeatInterleaveInt": Page("self repeats outputSize out", NEW, SHORT, (0, 8), "self out"),
    "RepeatInterleaveIntWithDim": Page(
        "self repeats dim outputSize out", NEW, SHORT, (1, 8), "self out"
    ),
    "Slice": Page("self dim start end step out", TRAINED, SLICED, (1, 8), "self out"),
    "SliceV2": Page(
        "self starts ends axes steps out",
        TRAINED,
        SLICED,
        (1, 8),
        "self starts ends axes steps out",
    ),
    "ReflectionPad1d": Page("self padding out", ALL, EVERY, (2, 3), "self out"),
    "ReflectionPad2d": Page("self padding out", ALL, EVERY, (3, 4), "self out"),
    "ReflectionPad3d": Page("self padding out", TRAINED, EVERY, (4, 5), "self out"),
    "ReplicationPad1d": Page("self padding out", ALL, EVERY, (2, 3), "self padding out"),
    "ReplicationPad2d": Page("self padding out", ALL, EVERY, (3, 4), "self padding out"),
    "ReplicationPad3d": Page("self padding out", ALL, EVERY, (4, 5), "self padding out"),
    "CircularPad2d": Page(
        "self padding out", "atlas-a3 atlas-a2", CIRCULAR, (3, 4), "self padding out"
    ),
    "CircularPad3d": Page(
        "self padding out", "atlas-a3 atlas-a2", CIRCULAR, (4, 5), "self padding out"
    ),
    "ConstantPadNd": Page("self pad value out", ALL, EVERY, (0, 8), "self pad value out"),
    "Tril": Page("self diagonal out", TRAINED, EVERY, (2, 8), "self out", contiguous=True),
    "Triu": Page("self diagonal out", ALL, EVERY, (2, 8), "self out", contiguous=True),
    "Diag": Page("self diagonal out", ALL, f"{SHORT} double", (1, 2), "self out"),
    "DiagFlat": Page(
        "self diagonal out",
        "atlas-a3 atlas-a2 atlas-inference atlas-training",
        f"{SHORT} double",
        (1, 8),
        "self out",
    ),
    "Expand": Page("self size out", ALL, SLICED, (0, 8), "self size out"),
    "Flatten": Page(
        "self axis out",
        "ascend-950 atlas-a3 atlas-a2 atlas-200i-500-a2 atlas-inference atlas-training",
        f"{SHORT} uint16 uint32 uint64",
        (2, 8),
        "self out",
    ),
}

CHANNEL = [[[0, 1, 2], [3, 4, 5], [6, 7, 8]]]
CUBE = [[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]]
MATRIX = [[9, 6, 3], [1, 2, 3], [3, 4, 1]]
COLUMNS = [[1, 2], [3, 4], [5, 6]]


EXAMPLES: list[tuple[str, Any, dict[str, Any], Any]] = [
    ("Flip", [[1, 2, 3], [4, 5, 6]], {"dims": (1,)}, [[3, 2, 1], [6, 5, 4]]),
    ("Flip", [[1, 2, 3], [4, 5, 6]], {"dims": (0, -1)}, [[6, 5, 4], [3, 2, 1]]),
    ("Permute", [[[1, 2, 3], [4, 5, 6]]], {"dims": (2, 0, 1)}, [[[1, 4]], [[2, 5]], [[3, 6]]]),
    (
        "Roll",
        [[1, 2], [3, 4], [5, 6], [7, 8]],
        {"shifts": (1,), "dims": (0,)},
        [[7, 8], [1, 2], [3, 4], [5, 6]],
    ),
    ("Repeat", COLUMNS, {"repeats": (2, 4)}, [[n, n + 1] * 4 for n in (1, 3, 5)] * 2),
    ("Repeat", COLUMNS, {"repeats": (2, 4, 2)}, [[[n, n + 1] * 2 for n in (1, 3, 5)] * 4] * 2),
    (
        "RepeatInterleaveInt",
        COLUMNS,
        {"repeats": 2, "outputSize": 12},
        [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6],
    ),
    (
        "RepeatInterleaveIntWithDim",
        COLUMNS,
        {"repeats": 2, "dim": 0, "outputSize": 6},
        [[1, 2], [1, 2], [3, 4], [3, 4], [5, 6], [5, 6]],
    ),
    ("Slice", [0, 1, 2, 3, 4], {"dim": 0, "start": -4, "end": 9, "step": 2}, [1, 3]),
    ("Slice", [0, 1, 2, 3, 4], {"dim": 0, "start": -9, "end": -2, "step": 1}, [0, 1, 2]),
    (
        "SliceV2",
        [[0, 1, 2], [3, 4, 5]],
        {"starts": (-2, 1), "ends": (9, -1), "axes": (-2, 1), "steps": (2, 1)},
        [[1]],
    ),
    ("ReflectionPad1d", [[0, 1, 2]], {"padding": (2, 2)}, [[2, 1, 0, 1, 2, 1, 0]]),
    (
        "ReflectionPad2d",
        CHANNEL,
        {"padding": (2, 2, 2, 2)},
        [[[n + 2, n + 1, n, n + 1, n + 2, n + 1, n] for n in (6, 3, 0, 3, 6, 3, 0)]],
    ),
    (
        "ReflectionPad3d",
        CUBE,
        {"padding": (1,) * 6},
        [[[[n + 1, n, n + 1, n] for n in (z + 2, z, z + 2, z)] for z in (4, 0, 4, 0)]],
    ),
    ("ReplicationPad1d", [[0, 1, 2]], {"padding": (2, 2)}, [[0, 0, 0, 1, 2, 2, 2]]),
    (
        "ReplicationPad2d",
        CHANNEL,
        {"padding": (2, 2, 2, 2)},
        [[[n, n, n, n + 1, n + 2, n + 2, n + 2] for n in (0, 0, 0, 3, 6, 6, 6)]],
    ),
    (
        "ReplicationPad3d",
        CUBE,
        {"padding": (1,) * 6},
        [[[[n, n, n + 1, n + 1] for n in (z, z, z + 2, z + 2)] for z in (0, 0, 4, 4)]],
    ),
    (
        "CircularPad2d",
        CHANNEL,
        {"padding": (2, 2, 2, 2)},
        [[[n + 1, n + 2, n, n + 1, n + 2, n, n + 1] for n in (3, 6, 0, 3, 6, 0, 3)]],
    ),
    (
        "CircularPad3d",
        CUBE,
        {"padding": (1,) * 6},
        [[[[n + 1, n, n + 1, n] for n in (z + 2, z, z + 2, z)] for z in (4, 0, 4, 0)]],
    ),
    ("ConstantPadNd", [[1, 2]], {"pad": (0, 1, 1, 0), "value": 7.0}, [[7, 7, 7], [1, 2, 7]]),
    ("ConstantPadNd", [[1, 2]], {"pad": (2, -1), "value": 7.0}, [[7, 7, 1]]),
    ("Tril", MATRIX, {"diagonal": 0}, [[9, 0, 0], [1, 2, 0], [3, 4, 1]]),
    ("Tril", MATRIX, {"diagonal": 1}, [[9, 6, 0], [1, 2, 3], [3, 4, 1]]),
    ("Tril", MATRIX, {"diagonal": -1}, [[0, 0, 0], [1, 0, 0], [3, 4, 0]]),
    ("Triu", MATRIX, {"diagonal": 0}, [[9, 6, 3], [0, 2, 3], [0, 0, 1]]),
    ("Triu", MATRIX, {"diagonal": 1}, [[0, 6, 3], [0, 0, 3], [0, 0, 0]]),
    ("Triu", MATRIX, {"diagonal": -1}, [[9, 6, 3], [1, 2, 3], [0, 4, 1]]),
    ("Diag", [1, 2], {"diagonal": -1}, [[0, 0, 0], [1, 0, 0], [0, 2, 0]]),
    ("Diag", MATRIX, {"diagonal": 1}, [6, 3]),
    ("DiagFlat", [[1], [2]], {"diagonal": 1}, [[0, 1, 0], [0, 0, 2], [0, 0, 0]]),
    ("Expand", [[1], [2]], {"size": (2, 2, 3)}, [[[1] * 3, [2] * 3]] * 2),
    ("Flatten", [[[1, 2], [3, 4]]], {"axis": 1}, [[1, 2, 3, 4]]),
]
"""Calls of the pages, or by their formulas."""


def test_every_arrangement_has_a_line_and_an_example(specs: SpecSet) -> None:
    arranging = {
        spec.operator.removeprefix("aclnn")
        for spec in specs.tested_operators
        if spec.arrangement is not None and not spec.places and spec.second_of is None
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
