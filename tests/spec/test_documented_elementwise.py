# SPDX-License-Identifier: Apache-2.0
"""Pages of elementwise operators, written down once more: a line for each, in a few forms."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from aclnn_cts.spec.loading import SpecSet

NULL, INVALID = 161001, 161002

FLOATS = "float32 float16 bfloat16"
NUMBERS = f"{FLOATS} double int8 uint8 int16 int32 int64"

EVERYWHERE = "ascend-950 atlas-a3 atlas-a2 atlas-inference atlas-training"
NO_INFERENCE = "ascend-950 atlas-a3 atlas-a2 atlas-training"
NEW = "ascend-950"
BEFORE_NEW = "atlas-a3 atlas-a2 atlas-inference atlas-training"
NO_BEFORE_A2 = "ascend-950 atlas-a3 atlas-a2"
_OLD = ("atlas-200i-500-a2", "atlas-inference", "atlas-training")
_ALL = f"{NO_BEFORE_A2} {' '.join(_OLD)}"


@dataclass(frozen=True)
class Page:
    """What a page says.

    Attributes:
        prototype: The parameters in order.
        dtypes: The data types of the first tensor on all products that have bfloat16.
        products: Those that are supported.
        refused: The violations for which the error table states that a parameter is invalid.
        ranks: The dimensions of the first tensor.
        empty: Whether empty tensors are promised.
        on_old: The data types on other products than ascend-950, if there are others.
        on_a3: Data types that atlas-a3 alone supports.
        lists_bfloat16: Whether the page lists bfloat16 also for products that do not have it.
    """

    prototype: str
    dtypes: str
    refused: str
    products: str = EVERYWHERE
    ranks: tuple[int, int] = (0, 8)
    empty: bool = False
    on_old: str = ""
    on_a3: str = ""
    lists_bfloat16: bool = False


SHORT = "int8 uint8 int16 int32 int64 bool"
MIDDLE = f"{SHORT} uint16"
LONG = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 bool"
_BITS = "dtype_outside_support not_promotable not_castable rank_outside"

_ONE = "dtype_outside_support shape_differs rank_outside"
_REALS = f"{NUMBERS} bool"
_WORDS = "int8 uint8 int16 uint16 int32 uint32 int64 uint64"
_SHIFT = "dtype_outside_support not_promotable rank_outside shape_differs"
_LONG = f"{FLOATS} double int32 int64"
_DIVIDED = f"{_BITS} format_outside_support"
_POWERS = "dtype_outside_support not_promotable shape_differs"
_REMAINDER = "not_promotable promotion_outside_support not_castable rank_outside shape_differs"

PAGES = {
    "Acos": Page("input out", _REALS, _ONE, BEFORE_NEW, on_a3="bfloat16"),
    "InplaceAcos": Page(
        "inputRef",
        f"{FLOATS} double",
        "dtype_outside_support rank_outside",
        BEFORE_NEW,
        on_a3="bfloat16",
    ),
    "Acosh": Page(
        "self out",
        _REALS,
        "dtype_outside_support shape_differs not_castable",
        BEFORE_NEW,
        on_a3=f"{SHORT} bfloat16",
    ),
    "InplaceAcosh": Page(
        "selfRef", f"{FLOATS} double", "dtype_outside_support", BEFORE_NEW, on_a3="bfloat16"
    ),
    "Asin": Page("self out", _REALS, _ONE, empty=True, on_a3="bfloat16"),
    "InplaceAsin": Page(
        "selfRef",
        f"{FLOATS} double",
        "dtype_outside_support rank_outside",
        empty=True,
        on_a3="bfloat16",
    ),
    "Asinh": Page("input out", _REALS, _ONE, BEFORE_NEW, on_a3="bfloat16"),
    "InplaceAsinh": Page(
        "inputRef",
        f"{FLOATS} double",
        "dtype_outside_support rank_outside",
        BEFORE_NEW,
        on_a3="bfloat16",
    ),
    "Atanh": Page("input out", _REALS, _ONE, BEFORE_NEW, on_a3="bfloat16"),
    "InplaceAtanh": Page(
        "inputRef",
        f"{FLOATS} double",
        "dtype_outside_support rank_outside",
        BEFORE_NEW,
        on_a3="bfloat16",
    ),
    "Tan": Page("self out", _REALS, f"{_ONE} not_castable", BEFORE_NEW),
    "InplaceTan": Page("selfRef", f"{FLOATS} double", "dtype_outside_support", BEFORE_NEW),
    "Log10": Page(
        "self out",
        _REALS,
        "dtype_outside_support format_outside_support not_castable rank_outside",
        NO_BEFORE_A2,
    ),
    "InplaceLog10": Page(
        "selfRef",
        f"{FLOATS} double",
        "dtype_outside_support format_outside_support",
        NO_BEFORE_A2,
    ),
    "Sinc": Page("self out", _REALS, _ONE, NO_INFERENCE),
    "InplaceSinc": Page(
        "selfRef", f"{FLOATS} double", "dtype_outside_support rank_outside", NO_INFERENCE
    ),
    "BitwiseAndScalar": Page("self other out", MIDDLE, f"{_BITS} shape_differs"),
    "InplaceBitwiseAndScalar": Page("selfRef other", MIDDLE, _BITS, NO_INFERENCE),
    "BitwiseAndTensor": Page("self other out", MIDDLE, f"{_BITS} shape_differs"),
    "InplaceBitwiseAndTensor": Page(
        "selfRef other", MIDDLE, f"{_BITS} shape_differs", NO_INFERENCE
    ),
    "BitwiseOrScalar": Page("self other out", LONG, f"{_BITS} shape_differs", on_old=MIDDLE),
    "InplaceBitwiseOrScalar": Page("selfRef other", LONG, _BITS, on_old=MIDDLE),
    "BitwiseOrTensor": Page("self other out", LONG, f"{_BITS} shape_differs"),
    "InplaceBitwiseOrTensor": Page("selfRef other", LONG, f"{_BITS} shape_differs"),
    "BitwiseNot": Page("self out", SHORT, "dtype_outside_support dtype_differs shape_differs"),
    "BitwiseXorScalar": Page("self other out", LONG, f"{_BITS} shape_differs", on_old=SHORT),
    "InplaceBitwiseXorScalar": Page("selfRef other", LONG, _BITS, on_old=SHORT),
    "BitwiseXorTensor": Page("self other out", LONG, f"{_BITS} shape_differs", on_old=SHORT),
    "InplaceBitwiseXorTensor": Page("selfRef other", LONG, f"{_BITS} shape_differs", on_old=SHORT),
    "MaskedScale": Page(
        "self mask scale y", FLOATS, "dtype_outside_support dtype_differs shape_differs", NEW
    ),
    "InplaceMaskedFillScalar": Page(
        "selfRef mask value",
        f"{FLOATS} int8 int32 int64 bool",
        "dtype_outside_support format_outside_support shape_differs not_castable",
    ),
    "InplaceMaskedFillTensor": Page(
        "selfRef mask value",
        f"{FLOATS} int8 int32 int64 bool",
        "dtype_outside_support format_outside_support shape_differs not_castable",
        NO_INFERENCE,
    ),
    "InplaceFillTensor": Page(
        "selfRef value", f"{FLOATS} {LONG}", "dtype_outside_support rank_outside shape_differs"
    ),
    "InplaceOne": Page("selfRef", f"{FLOATS} double {MIDDLE}", "dtype_outside_support"),
    "InplaceZero": Page("selfRef", f"{FLOATS} double {MIDDLE}", "dtype_outside_support"),
    "ClampMin": Page(
        "self clipValueMin out",
        NUMBERS,
        "dtype_outside_support format_outside_support",
        ranks=(1, 8),
    ),
    "ClampMaxTensor": Page(
        "self max out",
        NUMBERS,
        "dtype_outside_support not_promotable not_castable rank_outside shape_differs",
        ranks=(1, 8),
    ),
    "InplaceClampMaxTensor": Page(
        "selfRef max",
        NUMBERS,
        "dtype_outside_support not_promotable not_castable rank_outside shape_differs",
        ranks=(1, 8),
    ),
    "ClampMax": Page(
        "self clipValueMax out",
        NUMBERS,
        "dtype_outside_support shape_differs not_castable",
        ranks=(1, 8),
    ),
    "Atan2": Page(
        "self other out",
        f"{FLOATS} double {SHORT}",
        "dtype_outside_support shape_differs rank_outside",
        lists_bfloat16=True,
    ),
    "InplaceAtan2": Page(
        "selfRef other",
        f"{FLOATS} double {SHORT}",
        "dtype_outside_support shape_differs rank_outside",
        lists_bfloat16=True,
    ),
    "Clamp": Page(
        "self clipValueMin clipValueMax out",
        NUMBERS,
        "dtype_outside_support format_outside_support",
        ranks=(1, 8),
    ),
    "ClampTensor": Page(
        "self clipValueMin clipValueMax out",
        NUMBERS,
        "dtype_outside_support format_outside_support shape_differs not_promotable not_castable",
        ranks=(1, 8),
        lists_bfloat16=True,
    ),
    "InplaceClampMax": Page("selfRef clipValueMax", NUMBERS, "dtype_outside_support", ranks=(1, 8)),
    "ClampMinTensor": Page(
        "self clipValueMin out",
        NUMBERS,
        "dtype_outside_support format_outside_support not_promotable not_castable",
        NO_INFERENCE,
        ranks=(1, 8),
    ),
    "InplaceClampMinTensor": Page(
        "selfRef clipValueMin",
        NUMBERS,
        "dtype_outside_support format_outside_support not_promotable not_castable "
        "shape_differs rank_outside",
        NO_INFERENCE,
        ranks=(1, 8),
    ),
    "AddV3": Page(
        "self other alpha out",
        f"{FLOATS} int8 int32",
        "dtype_outside_support not_promotable not_castable shape_differs rank_outside",
        NEW,
    ),
    "InplaceAddV3": Page(
        "selfRef other alpha",
        f"{FLOATS} int8 int32",
        "dtype_outside_support not_promotable not_castable rank_outside",
        NEW,
    ),
    "Addcdiv": Page(
        "self tensor1 tensor2 value out",
        f"{FLOATS} double int64",
        "dtype_outside_support format_outside_support not_promotable not_castable rank_outside "
        "shape_differs",
        NO_INFERENCE,
    ),
    "InplaceAddcdiv": Page(
        "selfRef tensor1 tensor2 value",
        f"{FLOATS} double int64",
        "dtype_outside_support format_outside_support not_promotable not_castable rank_outside "
        "shape_differs",
        NO_INFERENCE,
    ),
    "FloorDivide": Page("self other out", _REALS, f"{_DIVIDED} shape_differs"),
    "InplaceFloorDivide": Page(
        "selfRef other",
        _REALS,
        "dtype_outside_support format_outside_support not_promotable rank_outside shape_differs",
    ),
    "FloorDivides": Page("self other out", _REALS, _DIVIDED, NO_INFERENCE),
    "InplaceFloorDivides": Page(
        "selfRef other",
        _REALS,
        "dtype_outside_support format_outside_support not_promotable rank_outside",
        NO_INFERENCE,
    ),
    "RemainderTensorTensor": Page("self other out", _LONG, _REMAINDER),
    "InplaceRemainderTensorTensor": Page("selfRef other", _LONG, _REMAINDER),
    "RemainderTensorScalar": Page(
        "self other out", _LONG, f"{_REMAINDER} format_differs", NO_INFERENCE, empty=True
    ),
    "InplaceRemainderTensorScalar": Page(
        "selfRef other",
        _LONG,
        "not_promotable promotion_outside_support not_castable rank_outside",
        NO_INFERENCE,
        empty=True,
    ),
    "RemainderScalarTensor": Page("self other out", _LONG, _REMAINDER, NO_INFERENCE, empty=True),
    "FmodTensor": Page(
        "self other out", f"{_LONG} int8 uint8", f"{_DIVIDED} shape_differs", lists_bfloat16=True
    ),
    "InplaceFmodTensor": Page(
        "selfRef other", f"{_LONG} int8 uint8", f"{_DIVIDED} shape_differs", lists_bfloat16=True
    ),
    "XLogYTensor": Page(
        "self other out",
        f"{FLOATS} {SHORT}",
        "dtype_outside_support not_castable shape_differs",
        BEFORE_NEW,
        lists_bfloat16=True,
    ),
    "InplaceXLogYTensor": Page(
        "selfRef other",
        f"{FLOATS} {SHORT}",
        "dtype_outside_support not_castable shape_differs",
        BEFORE_NEW,
        lists_bfloat16=True,
    ),
    "XLogYScalarOther": Page(
        "self other out",
        f"{FLOATS} {SHORT}",
        "dtype_outside_support not_castable shape_differs",
        "atlas-a3 atlas-a2 atlas-training",
        lists_bfloat16=True,
    ),
    "InplaceXLogYScalarOther": Page(
        "selfRef other",
        FLOATS,
        "dtype_outside_support not_castable",
        "atlas-a3 atlas-a2 atlas-training",
        lists_bfloat16=True,
    ),
    "XLogYScalarSelf": Page(
        "self other out",
        f"{FLOATS} double {SHORT}",
        "dtype_outside_support not_castable shape_differs",
        BEFORE_NEW,
        lists_bfloat16=True,
    ),
    "Xlog1py": Page(
        "x y z",
        FLOATS,
        "dtype_outside_support dtype_differs rank_outside format_outside_support",
        NEW,
        empty=True,
    ),
    "LogAddExp": Page("self other out", f"{FLOATS} double {LONG}", _ONE),
    "LogAddExp2": Page("self other out", f"{FLOATS} double {LONG}", _ONE),
    "LeftShift": Page(
        "self shiftBits out", _WORDS, f"{_SHIFT} format_outside_support", NO_BEFORE_A2, empty=True
    ),
    "FmodScalar": Page(
        "self other out", f"{_LONG} int8 uint8", f"{_BITS} shape_differs", NO_INFERENCE
    ),
    "InplaceFmodScalar": Page("selfRef other", f"{_LONG} int8 uint8", _BITS, NO_INFERENCE),
    "PowTensorScalar": Page("self exponent out", _REALS, f"{_BITS} shape_differs", _ALL),
    "InplacePowTensorScalar": Page("self exponent", NUMBERS, _BITS, _ALL, lists_bfloat16=True),
    "PowTensorTensor": Page("self exponent out", _REALS, f"{_POWERS} not_castable", _ALL),
    "InplacePowTensorTensor": Page("self exponent", NUMBERS, f"{_POWERS} rank_outside", _ALL),
    "RightShift": Page("input shiftBits out", _WORDS, _SHIFT, NO_BEFORE_A2, empty=True),
    "IsInScalarTensor": Page(
        "element testElements assumeUnique invert out",
        f"{FLOATS} double {MIDDLE}",
        _ONE,
        "atlas-a3 atlas-a2 atlas-training",
    ),
    "IsInTensorScalar": Page(
        "element testElement assumeUnique invert out",
        f"{FLOATS} double {MIDDLE}",
        "dtype_outside_support rank_outside",
        NO_INFERENCE,
    ),
    "BitwiseAndTensorOut": Page("self other out", MIDDLE, f"{_BITS} shape_differs", NEW),
    "InplaceBitwiseAndTensorOut": Page("self other", MIDDLE, f"{_BITS} shape_differs", NEW),
    "InplaceAdds": Page(
        "selfRef other alpha",
        f"{NUMBERS} bool",
        "dtype_outside_support not_promotable not_castable",
        NO_INFERENCE,
    ),
    "Lerps": Page(
        "self end weight out",
        FLOATS,
        "dtype_outside_support dtype_differs shape_differs",
        NO_INFERENCE,
    ),
    "InplaceLerps": Page(
        "selfRef end weight",
        FLOATS,
        "dtype_outside_support dtype_differs shape_differs",
        NO_INFERENCE,
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_tables(specs: SpecSet, name: str) -> None:
    """Products, prototype, and the columns of the first tensor's row."""
    spec, page = specs.operator(f"aclnn{name}"), PAGES[name]
    assert {each for each in specs.products if spec.supports(each)} == {*page.products.split()}
    assert [parameter.name for parameter in spec.parameters] == page.prototype.split()
    first = spec.tensors[0]
    for product in page.products.split():
        types = {*(page.dtypes if product == NEW else page.on_old or page.dtypes).split()}
        has_bfloat16 = page.lists_bfloat16 or product not in _OLD
        expected = types if has_bfloat16 else types - {"bfloat16"}
        if product != "atlas-a3":
            expected -= {*page.on_a3.split()}
        found = {*spec.dtypes(first.name, product, untested=True)}
        assert found - {"complex64", "complex128"} == expected
    assert first.ranks == page.ranks
    assert first.empty == page.empty


@pytest.mark.parametrize("name", PAGES)
def test_error_tables(specs: SpecSet, name: str) -> None:
    """The kinds of violations by status."""
    spec, page = specs.operator(f"aclnn{name}"), PAGES[name]
    by_status: dict[int, set[str]] = {NULL: set(), INVALID: set()}
    for error in spec.errors:
        if error.basis == "status":
            (status,) = error.statuses
            by_status[status].add(error.kind.key)
    assert by_status == {NULL: {"null_pointer"}, INVALID: {*page.refused.split()}}
