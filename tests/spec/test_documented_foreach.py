# SPDX-License-Identifier: Apache-2.0
"""The pages of the foreach family, written down once more: a line for each, in a few forms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pytest

from aclnn_cts.spec.loading import SpecSet

NULL, INVALID, TILING = 161001, 161002, 561002

FLOATS = "float32 float16 bfloat16"
WITH_INT32 = f"{FLOATS} int32"
WITH_INTEGERS = f"{WITH_INT32} int16 int8 uint8"

EVERYWHERE = "ascend-950 atlas-a3 atlas-a2"
NEW = "ascend-950"
OLD = "atlas-a3 atlas-a2"


@dataclass(frozen=True)
class Page:
    """What a page says of its lists.

    Attributes:
        prototype: The parameters in order.
        products: Those that are supported.
        dtypes: The data types of the first list on atlas-a2, or on ascend-950.
        contiguous: Tensors that must be contiguous.
        empty: Whether empty tensors are promised.
        shapes: The status for wrong shapes, ranks and types within a list.
        most: The greatest length on ascend-950, if it is stated.
        alone: Whether rows refuse null tensors.
        without: Parameters of which no row refuses null pointers.
        ranked: Whether a row speaks of the dimensions of the tensor beside the lists.
        on_new: The data types on ascend-950, if there are others.
        counted: The lists of which a row says that they are as long as the first one, which has a
            row for its length.
    """

    prototype: str
    products: str = EVERYWHERE
    dtypes: str = FLOATS
    contiguous: str = ""
    empty: bool = True
    shapes: int = TILING
    most: int | None = None
    alone: bool = False
    without: str = ""
    on_new: str = ""
    ranked: bool = False
    counted: str = ""


UNARY = (
    "Abs Acos Asin Atan Cos Cosh Erf Erfc Log Log10 Log1p Log2 Reciprocal Sigmoid Sin Sinh Tan Tanh"
)
"""The pages that say the same of a function of one element."""

_V2 = partial(Page, contiguous="x x1 x2 x3 out", shapes=INVALID)
"""Pages of operators with a scalar, whose tensors are contiguous."""

PAGES = {
    "AddList": Page("x1 x2 alpha out", dtypes=WITH_INTEGERS),
    "AddListInplace": Page("x1 x2 alpha", NEW, WITH_INT32, alone=True),
    "AddScalar": Page(
        "x scalar out", dtypes=WITH_INTEGERS, on_new=WITH_INT32, most=50, contiguous="out"
    ),
    "AddcdivScalar": Page("x1 x2 x3 scalar out"),
    "AddcmulScalar": Page("x1 x2 x3 scalar out", dtypes=WITH_INT32, most=50, contiguous="out"),
    "DivScalar": Page("x scalar out"),
    "MaximumScalar": Page("x scalar out", OLD, WITH_INT32, contiguous="out"),
    "MinimumScalar": Page("x scalar out", OLD, WITH_INT32, contiguous="out"),
    "MulScalar": Page("x scalar out", dtypes=WITH_INT32, most=50, contiguous="out"),
    "MulScalarInplace": Page("x scalar", NEW, WITH_INT32, most=256, alone=True, ranked=True),
    "SubList": Page("x1 x2 alpha out", OLD, WITH_INTEGERS, contiguous="out"),
    "SubListInplace": Page("x1 x2 alpha", NEW, WITH_INT32, alone=True),
    "SubScalar": Page("x scalar out", OLD, WITH_INT32, contiguous="out"),
    "SubScalarInplace": Page("x scalar", NEW, WITH_INT32, alone=True, ranked=True),
    "AddListV2": Page(
        "x1 x2 alpha out", dtypes=WITH_INTEGERS, empty=False, shapes=INVALID, most=50
    ),
    "AddScalarV2": _V2("x scalar out", dtypes=WITH_INTEGERS, on_new=WITH_INT32, most=50),
    "AddcdivScalarV2": _V2("x1 x2 x3 scalar out", empty=False),
    "AddcmulScalarV2": _V2("x1 x2 x3 scalar out", dtypes=WITH_INT32, empty=False, most=50),
    "LerpScalar": Page("x1 x2 weight out", most=50, without="weight"),
    "MaximumScalarV2": _V2("x scalar out", dtypes=WITH_INT32, without="scalar"),
    "MinimumScalarV2": _V2("x scalar out", dtypes=WITH_INT32, empty=False),
    "SubListV2": _V2("x1 x2 alpha out", dtypes=WITH_INTEGERS, on_new=WITH_INT32),
    **dict.fromkeys(UNARY.split(), Page("x out", contiguous="out")),
    "Exp": Page("x out"),
    "Expm1": Page("x out"),
    "Neg": Page("x out", dtypes=WITH_INTEGERS, on_new=WITH_INT32, contiguous="out"),
    "Sign": Page("x out", dtypes=f"{WITH_INT32} int8 int64", contiguous="out"),
    "ACosInplace": Page("x", NEW, alone=True),
    "LogInplace": Page("x", NEW, contiguous="x", alone=True),
    "ZeroInplace": Page("x", dtypes=f"{WITH_INT32} int16", contiguous="x"),
    "Copy": Page(
        "x out",
        "ascend-950 atlas-a2",
        "bfloat16 int8 uint8 int16 uint16 int32 uint32 int64 double bool",
    ),
    "DivList": Page("x1 x2 out"),
    "DivListInplace": Page("x1 x2", NEW, contiguous="x1", alone=True),
    "DivScalarV2": Page("x scalar out", shapes=INVALID),
    "LerpList": Page("x1 x2 weight out", empty=False),
    "MaximumList": Page("x1 x2 out", dtypes=WITH_INT32, contiguous="out"),
    "MinimumList": Page("x1 x2 out", dtypes=WITH_INT32, contiguous="out"),
    "MulList": Page("x1 x2 out", dtypes=WITH_INTEGERS),
    "MulListInplace": Page("x1 x2", NEW, WITH_INT32, alone=True),
    "MulScalarV2": Page(
        "x scalar out", dtypes=WITH_INT32, contiguous="x out", shapes=INVALID, most=50
    ),
    "AddScalarList": Page("x scalars out", dtypes=WITH_INT32, contiguous="out"),
    "SubScalarList": Page("x scalars out", dtypes=WITH_INT32, contiguous="out"),
    "MulScalarList": Page("x scalars out", dtypes=WITH_INT32, contiguous="out", most=50),
    "DivScalarList": Page("x scalars out", contiguous="out", most=50, counted="scalars out"),
    "MaximumScalarList": Page("x scalars out", dtypes=WITH_INT32, contiguous="out"),
    "MinimumScalarList": Page("x scalars out", dtypes=WITH_INT32, contiguous="out"),
    "PowScalarList": Page("x scalars out", dtypes=WITH_INT32, contiguous="out"),
    "PowList": Page("x1 x2 out", dtypes=WITH_INT32, contiguous="out"),
    "PowScalar": Page("x scalar out", OLD, WITH_INT32, contiguous="out"),
    "PowScalarV2": _V2("x scalar out"),
    "PowScalarAndTensor": Page("scalar x out", dtypes=WITH_INT32, contiguous="out"),
    "RoundOffNumber": Page("x roundMode out", dtypes=f"{FLOATS} int16", contiguous="out"),
    "RoundOffNumberV2": Page(
        "x roundMode out", dtypes=f"{FLOATS} int16", contiguous="x out", shapes=INVALID
    ),
    "Sqrt": Page("x out", most=50),
    "SubScalarV2": Page("x scalar out", dtypes=WITH_INT32, contiguous="x out", shapes=INVALID),
}


def test_every_operator_with_lists_has_a_line(specs: SpecSet) -> None:
    with_lists = {spec.operator for spec in specs.tested_operators if spec.lists}
    assert with_lists == {f"aclnnForeach{name}" for name in PAGES}


@pytest.mark.parametrize("name", PAGES)
def test_tables(specs: SpecSet, name: str) -> None:
    """Products, prototype, and the columns of the parameter table."""
    spec, page = specs.operator(f"aclnnForeach{name}"), PAGES[name]
    assert [
        product for product in specs.products if spec.supports(product)
    ] == page.products.split()
    assert [parameter.name for parameter in spec.parameters] == page.prototype.split()
    product = "atlas-a2" if spec.supports("atlas-a2") else NEW
    assert spec.longest(NEW) == page.most
    for tensor in spec.inputs:
        assert tensor.is_single == (tensor.length is None)
    for tensor in spec.lists:
        assert set(spec.dtypes(tensor.name, product)) == set(page.dtypes.split())
        if spec.supports(NEW):
            on_new = page.on_new or page.dtypes
            assert set(spec.dtypes(tensor.name, NEW)) == set(on_new.split())
        assert tensor.rank == (0, 8)
        assert tensor.empty == page.empty
        assert tensor.non_contiguous == (tensor.name not in page.contiguous.split())


@pytest.mark.parametrize("name", PAGES)
def test_error_tables(specs: SpecSet, name: str) -> None:
    """Each row with its status, and the parameters that it speaks of."""
    spec, page = specs.operator(f"aclnnForeach{name}"), PAGES[name]
    every = page.prototype.split()
    lists = [tensor.name for tensor in spec.lists]
    expected = {
        ("null_pointer", NULL, *(name for name in every if name not in page.without.split())),
        ("dtype_outside_support", INVALID, *every),
        ("member_dtype_differs", page.shapes, *lists),
        ("rank_outside", page.shapes, *lists),
    }
    if others := lists[1:]:
        expected |= {("dtype_differs", INVALID, *others)}
        smaller = [name for name in others if name == "out"]
        equal = [name for name in others if name != "out"]
        expected |= {("shape_differs", page.shapes, *each) for each in (smaller, equal) if each}
    if single := [tensor.name for tensor in spec.inputs if tensor.length is None]:
        expected |= {("shape_differs", TILING, *single)}
        expected |= {("rank_outside", TILING, *single)} if page.ranked else set()
    if page.alone:
        expected |= {("null_member", INVALID, *lists)}
        expected |= {("length_differs", TILING, *others)} if others else set()
    if page.counted:
        expected |= {("length_differs", TILING, *page.counted.split())}
        expected |= {("length_outside", TILING, lists[0])}
    found = {
        (error.kind.key, *error.statuses, *error.names)
        for error in spec.errors
        if error.basis == "status"
    }
    assert found == expected


FROM_FLOATS = {
    "float32": "float32 double",
    "bfloat16": "float32 double",
    "float16": "float16 double",
}
HALF_ON_NEW = {"float16": "float16 float32 double"}
FROM_INT32 = {**FROM_FLOATS, "int32": "int32 int64"}
FLOAT = dict.fromkeys(FLOATS.split(), "float32") | {"int32": "int64"}
DOUBLE = dict.fromkeys(FLOATS.split(), "float32 double") | {"int32": "int64"}
FROM_INTEGERS = FROM_INT32 | dict.fromkeys(("int16", "int8", "uint8"), "int32 int64")
SCALARS = {
    "AddListV2": (FROM_INTEGERS, HALF_ON_NEW),
    "AddScalarV2": (FROM_INTEGERS, HALF_ON_NEW),
    "AddcdivScalarV2": (FROM_FLOATS, {}),
    "AddcmulScalarV2": (FROM_INT32, HALF_ON_NEW),
    "MaximumScalarV2": (FROM_INT32, {}),
    "MinimumScalarV2": (FROM_INT32, {}),
    "SubListV2": (FROM_INTEGERS, {}),
    "DivScalarV2": (FROM_FLOATS, {}),
    "MulScalarV2": (FROM_INT32, HALF_ON_NEW),
    "SubScalarV2": (FROM_INT32, {}),
    "AddScalarList": (FLOAT, {}),
    "SubScalarList": (FLOAT, {}),
    "MulScalarList": (FLOAT, DOUBLE),
    "MaximumScalarList": (DOUBLE, {}),
    "MinimumScalarList": (DOUBLE, {}),
    "PowScalarList": (FLOAT, {}),
    "PowScalarV2": (FROM_FLOATS, {}),
}
"""The data types of scalars beside those of the lists, and others on ascend-950."""


@pytest.mark.parametrize("name", SCALARS)
def test_scalars(specs: SpecSet, name: str) -> None:
    spec, (usual, new) = specs.operator(f"aclnnForeach{name}"), SCALARS[name]
    (scalar,) = spec.scalars
    for product, expected in (("atlas-a2", usual), (NEW, usual | new)):
        found = {
            dtype: " ".join(spec.dtypes_beside(scalar.name, dtype, product)) for dtype in expected
        }
        assert found == expected
