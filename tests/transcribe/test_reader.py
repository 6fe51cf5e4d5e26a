# SPDX-License-Identifier: Apache-2.0
"""What the reader makes of each construct that pages have, on pages of a made-up operator."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.transcribe.pages import ERRORS, X, Y, page, page_of_two, table

from aclnn_cts.spec.loading import load_products
from aclnn_cts.suite import find_suite
from aclnn_cts.transcribe.page_model import Condition, Interval, Page, PageParameter
from aclnn_cts.transcribe.phrases import (
    conditions,
    dtypes_beside,
    larger_than,
    longest_list,
    longest_lists,
    rank_list,
    shape_list,
)
from aclnn_cts.transcribe.reader import read_page
from aclnn_cts.transcribe.values import inside, outside

A2 = "<term>Atlas A2 训练系列产品/Atlas A2 推理系列产品</term>"
TRAINING = "<term>Atlas 训练系列产品</term>"


@pytest.mark.parametrize(
    ("cell", "ranks"),
    [
        ("0-8", range(9)),
        ("[0,8]", range(9)),
        ("[0, 3]", range(4)),
        ("2、4", (2, 4)),
        ("[1,8]", None),
    ],
)
def test_cells_of_ranks(cell: str, ranks: Sequence[int] | None) -> None:
    """A range that begins at 0 is no shape, in which an axis would have no elements."""
    assert rank_list(cell) == (None if ranks is None else tuple(ranks))
    assert (shape_list(cell) == ("1", "8")) == (ranks is None)


def _read(tmp_path: Path, text: str) -> Page:
    path = tmp_path / "page.md"
    path.write_text(text, encoding="utf-8")
    return read_page(path, load_products(find_suite()))


def _parameter(read: Page, name: str) -> PageParameter:
    return next(each for f in read.functions for each in f.parameters if each.name == name)


@pytest.mark.parametrize(
    ("column", "text", "attribute", "expected"),
    [
        (1, "可选输入", "optional", True),
        (1, "输入/输出", "direction", "inout"),
        (4, "与y保持一致", "dtype_of", "y"),
        (4, "FLOAT或别的", "dtypes", None),
        (4, "INT", "dtypes", None),
        (5, "NCHW、ND", "formats", ("NCHW", "ND")),
        (5, "与y保持一致", "format_of", "y"),
        (6, "1、3", "ranks", (1, 3)),
        (6, "小于等于2维", "ranks", (0, 1, 2)),
        (6, "(N, C)", "shape", ("N", "C")),
        (6, "(N, C)或(C)", "ranks", (1, 2)),
        (6, "2-3，其中第1维为N", "ranks", (2, 3)),
        (6, "与y一致", "shape_of", "y"),
        (6, "维度与y一致", "rank_of", "y"),
        (6, "不支持8维以上", "ranks", tuple(range(9))),
        (6, "x的一半", "ranks", None),
        (7, "×", "non_contiguous", False),
        (7, "-", "non_contiguous", None),
        (3, "不支持空Tensor。", "empty", False),
        (3, "当y为空时，支持空Tensor。", "empty", None),
        (3, "可选参数，支持传入空指针。", "optional", True),
        (3, "x与y的shape一致。", "shape_of", "y"),
        (3, "数据类型、数据格式和shape与输出y保持一致。", "format_of", "y"),
        (3, "数据类型与y一致或为FLOAT。", "dtype_of", None),
        (3, "shape与y一致，dim轴为1。", "shape_of", None),
    ],
)
def test_cells(tmp_path: Path, column: int, text: str, attribute: str, expected: object) -> None:
    """A cell is read as a whole, or left open."""
    row = (*X[:column], text, *X[column + 1 :])
    read = _read(tmp_path, page(rows=(row, Y)))
    assert getattr(_parameter(read, "x"), attribute) == expected


def test_cells_that_are_open_are_named(tmp_path: Path) -> None:
    """What is not understood has an entry with line, table and row."""
    text = page(rows=(X, (*Y[:6], "一半", Y[7])))
    read = _read(tmp_path, text)
    assert [(each.about, each.place.table, each.place.row) for each in read.open] == [
        ("y, dimensions", 1, 2)
    ]
    assert "<td>y</td>" in text.split("\n")[read.open[0].place.line]


@pytest.mark.parametrize(
    ("note", "on"),
    [
        (f"- {TRAINING}：数据类型不支持BFLOAT16。", {"atlas-training": ("float32", "float16")}),
        (
            f"- {TRAINING}：数据类型不支持BFLOAT16。\n- {TRAINING}：数据类型不支持FLOAT。",
            {"atlas-training": ("float16",)},
        ),
        (
            f"- {TRAINING}：BFLOAT16仅支持该产品。",
            dict.fromkeys(("ascend-950", "atlas-a3", "atlas-a2"), ("float32", "float16")),
        ),
        (f"- {TRAINING}：数据类型支持FLOAT。", {"atlas-training": ("float32",)}),
        (f"- {TRAINING}：参数`x`仅支持FLOAT。", {"atlas-training": ("float32",)}),
        (
            f"- {TRAINING}、{A2}：FLOAT。",
            dict.fromkeys(("atlas-training", "atlas-a2"), ("float32",)),
        ),
        (
            f"- {TRAINING}：\n  - 参数x的数据类型不支持FLOAT、FLOAT16。",
            {"atlas-training": ("bfloat16",)},
        ),
        (
            '<!-- npu="910" id9 -->\n参数x的数据类型不支持FLOAT。\n<!-- end id9 -->',
            {"atlas-training": ("float16", "bfloat16")},
        ),
        (f"- {TRAINING}：参数y的数据类型不支持BFLOAT16。", {}),
        (f"- {TRAINING}：参数z的数据类型不支持BFLOAT16。", {"atlas-training": ()}),
        (f"- {TRAINING}：数据类型支持FLOAT、DOUBLE。", {}),
        (f"- {TRAINING}：数据类型支持INT8。", {}),
        (f"- {TRAINING}：当y为空时，不支持FLOAT。", {}),
    ],
)
def test_notes_on_products(tmp_path: Path, note: str, on: dict[str, tuple[str, ...]]) -> None:
    """A note below the table changes the data types on its products, or leaves them open."""
    assert _parameter(_read(tmp_path, page(notes=note)), "x").dtypes_on == on


def test_a_marker_that_contradicts_the_text(tmp_path: Path) -> None:
    """A note that names other products than the marker around it is named."""
    note = f'<!-- npu="910b" id9 -->\n- {TRAINING}：数据类型不支持BFLOAT16。\n<!-- end id9 -->'
    read = _read(tmp_path, page(notes=note))
    assert [each.about for each in read.open] == ["products of a passage"]


def test_two_operators_on_a_page(tmp_path: Path) -> None:
    """Each has its own prototype, parameters and errors, and both share products."""
    read = _read(tmp_path, page_of_two())
    assert [each.name for each in read.functions] == ["aclnnMadeUp", "aclnnInplaceMadeUp"]
    assert _parameter(read, "xRef").direction == "inout"
    assert [len(each.errors) for each in read.functions] == [2, 1]


def test_merged_cells_of_an_error_table(tmp_path: Path) -> None:
    """Status and code over several rows count for each; a row with neither is open."""
    body = table(
        ("返回码", "错误码", "描述"),
        (ERRORS[0], ("ACLNN_ERR_PARAM_INVALID", "161002", "x的维度大于8。")),
    )
    wide = body.replace("<td>ACLNN_ERR_PARAM_INVALID", '<td rowspan="2">ACLNN_ERR_PARAM_INVALID')
    wide = wide.replace("<td>161002", '<td rowspan="2">161002')
    wide = wide.replace(
        "</tbody>", "<tr><td>y的维度大于8。</td></tr><tr><td>x</td><td>y</td></tr></tbody>"
    )
    text = page()
    at = text.index("- **返回值")
    read = _read(tmp_path, f"{text[:at]}- **返回值：**\n\n{wide}\n{text[text.index('## 约束') :]}")
    rows = [
        (row.status, row.number, row.conditions[0].parameters) for row in read.functions[0].errors
    ]
    assert rows == [
        ("ACLNN_ERR_PARAM_NULLPTR", 1, ("x", "y")),
        ("ACLNN_ERR_PARAM_INVALID", 1, ("x",)),
        ("ACLNN_ERR_PARAM_INVALID", 2, ("y",)),
    ]
    assert [each.reason for each in read.open] == ["no status"]


def test_chapters_at_a_deeper_level(tmp_path: Path) -> None:
    """Some pages have the chapters of operators below others."""
    text = page().replace("## aclnnMadeUpGet", "### aclnnMadeUpGet")
    assert len(_read(tmp_path, text).functions[0].parameters) == 2


def test_other_titles_of_columns(tmp_path: Path) -> None:
    """The column of dimensions has two titles, and names of rows may differ in letter case."""
    text = (
        page().replace("<th>维度(shape)</th>", "<th>维度</th>").replace("<td>y</td>", "<td>Y</td>")
    )
    read = _read(tmp_path, text)
    assert [each.ranks for each in read.functions[0].parameters] == [tuple(range(9))] * 2


def test_products_in_a_table(tmp_path: Path) -> None:
    """A Markdown table of products says what a list says; a product it lacks is unlisted."""
    text = page()
    start, end = text.index("<!-- npu"), text.index("## 功能说明")
    listed = f"|产品 | 是否支持 |\n|:--|:--:|\n|{TRAINING}| √ |\n|{A2}| × |\n\n"
    read = _read(tmp_path, text[:start] + listed + text[end:])
    assert read.products["atlas-training"] == "supported"
    assert read.products["atlas-a2"] == "unsupported"
    assert read.products["atlas-a3"] == "unlisted"


@pytest.mark.parametrize(
    ("constraints", "expected"),
    [
        (
            "- 确定性计算：aclnnMadeUp默认确定性实现。",
            {"atlas-a2": "deterministic", "atlas-a3": "deterministic"},
        ),
        (
            f"- {A2}：aclnnMadeUp默认非确定性实现，支持通过aclrtCtxSetSysParamOpt开启确定性。",
            {"atlas-a2": "switchable"},
        ),
        ("- aclnnMadeUp默认非确定性实现。", {"atlas-a2": "unpromised", "atlas-a3": "unpromised"}),
        ("- aclnnMadeUp默认确定性实现，只在周一。", {}),
    ],
)
def test_determinism(tmp_path: Path, constraints: str, expected: dict[str, str]) -> None:
    """Per product, and nothing where the sentence says more."""
    said = _read(tmp_path, page(constraints=constraints)).functions[0].determinism
    assert {key: said[key] for key in ("atlas-a2", "atlas-a3") if key in said} == expected


def test_parameters_as_list_items(tmp_path: Path) -> None:
    """Earlier pages have no tables; an item may begin within another one's line."""
    items = (
        "- x(aclTensor*, 计算输入):小数,数据类型支持FLOAT、FLOAT16,shape维度0至8维。支持空Tensor。 "
        "- y(aclTensor*, 计算输出):结果,shape需要与x一致。\n"
    )
    read = _read(tmp_path, page(parameters=items, errors=()))
    x, y = read.functions[0].parameters
    assert (x.direction, x.dtypes, x.ranks, x.empty) == (
        "input",
        ("float32", "float16"),
        tuple(range(9)),
        True,
    )
    assert (y.direction, y.shape_of) == ("output", "x")


def test_an_item_that_is_read_and_written(tmp_path: Path) -> None:
    """Names of the workspace's size are no parameters, however they are written."""
    items = (
        "- x(aclTensor*,计算输入|计算输出):小数,数据类型支持FLOAT,shape维度0至8维。\n"
        "- workspace_size(uint64_t*,出参):返回大小。\n"
    )
    text = page(prototype="aclTensor *x", parameters=items, errors=())
    text = text.replace("uint64_t *workspaceSize", "uint64_t *workspace_size")
    (x,) = _read(tmp_path, text).functions[0].parameters
    assert (x.name, x.direction, x.dtypes) == ("x", "inout", ("float32",))


TYPES = {"x": "aclTensor*", "y": "aclTensor*", "n": "int64_t", "sizes": "aclIntArray*"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("传入的x、y是空指针。", [("null_pointer", ("x", "y"), False)]),
        (
            "x或y的数据类型和数据格式不在支持的范围之内。",
            [
                ("dtype_outside_support", ("x", "y"), False),
                ("format_outside_support", ("x", "y"), False),
            ],
        ),
        ("x的数据类型不是INT32。", [("dtype_outside_support", ("x",), False)]),
        ("x与y的数据类型不一致。", [("dtype_differs", ("x", "y"), False)]),
        ("x为空Tensor。", [("empty_tensor", ("x",), False)]),
        ("x是空Tensor，y不是空Tensor。", []),
        ("x不为1D Tensor或空Tensor。", []),
        ("x的shape与y不相等。", [("shape_differs", ("x", "y"), False)]),
        ("x和y的shape无法做broadcast。", [("not_broadcastable", ("x", "y"), False)]),
        ("x和y无法做数据类型推导。", [("dtype_not_derivable", ("x", "y"), False)]),
        ("y的数据类型不是x可转换的。", [("dtype_not_castable", ("y", "x"), False)]),
        ("x的维度大于8。", [("rank_above", ("x",), False)]),
        (
            "x的维度小于2维，或者大于8维。",
            [("rank_below", ("x",), False), ("rank_above", ("x",), False)],
        ),
        ("sizes的长度不等于1或2。", [("length_outside", ("sizes",), False)]),
        ("n不在0和1之间。", [("value_outside", ("n",), False)]),
        ("当n为1时，x与y的shape不一致。", [("shape_differs", ("x", "y"), True)]),
        ("y（非空时）的维度大于8。", [("rank_above", ("y",), True)]),
        ("输入或输出的数据类型不在支持的范围之内。", [("dtype_outside_support", (), False)]),
        ("当前平台不在支持的平台范围内。", [("product_unsupported", (), False)]),
        ("x不满足参数说明中的要求。", [("stated_elsewhere", ("x",), False)]),
        ("z是空指针。", []),
        ("x与y的shape除了第0轴都相同。", []),
        ("月亮是圆的。", []),
    ],
)
def test_error_rows(text: str, expected: list[tuple[str, tuple[str, ...], bool]]) -> None:
    """Kind, parameters, and whether it is about some calls only; nothing if any part is unclear."""
    found: tuple[Condition, ...] = conditions(text, TYPES)
    assert [(each.kind, each.parameters, each.guarded) for each in found] == expected


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("x、y中存在空指针Tensor。", "null_member", ("x", "y")),
        ("x或y中的Tensor的元素数据类型不一致。", "member_dtype_differs", ("x", "y")),
        ("x或y中的Tensor维度超过8维。", "rank_above", ("x", "y")),
        ("x、y的Tensor数量不一致。", "length_differs", ("x", "y")),
        ("x的TensorList长度不在支持范围。", "length_outside", ("x",)),
        ("x与y的shape不满足约束。", "shape_differs", ("x", "y")),
    ],
)
def test_rows_about_lists(text: str, kind: str, names: tuple[str, ...]) -> None:
    lists = dict.fromkeys("xy", "aclTensorList*")
    (condition,) = conditions(text, lists)
    assert (condition.kind, condition.parameters) == (kind, names)
    tensors = conditions(text, dict.fromkeys("xy", "aclTensor*"))
    assert [each.kind for each in tensors] != [kind]


def test_remarks_about_lists() -> None:
    assert longest_list("TensorList支持包含的Tensor个数为1-50。") == 50
    assert longest_list("支持的最大长度为256个。") == 256
    assert larger_than("shape size大于等于入参`x`的shape size。", ["x"]) == "x"
    assert larger_than("shape size大于等于入参`z`的shape size。", ["x"]) is None


def test_notes_on_lengths() -> None:
    found = longest_lists("参数`x`、`out`支持包含的最大Tensor个数均为50，且不支持INT16、INT8。")
    assert found is not None
    assert (found.names, found.length, found.excluded) == (("x", "out"), 50, ("int16", "int8"))
    assert longest_lists("参数`x`支持包含的最大Tensor个数为50，且不支持空Tensor。") is None


@pytest.mark.parametrize(
    ("text", "name", "beside", "dtypes"),
    [
        ("当`x`的数据类型为BFLOAT16、FLOAT32时，数据类型支持FLOAT32、DOUBLE。", "", 2, 2),
        ("当入参`x`的数据类型为INT32时，`s`的数据类型仅支持INT64。", "s", 1, 1),
        ("当`x`的数据类型为FLOAT32、INT32时，数据类型与`x`的数据类型保持一致。", "", 2, 0),
        ("入参`s`与入参`x`的数据类型具有一定对应关系：", "s", 0, 0),
    ],
)
def test_data_types_beside_others(text: str, name: str, beside: int, dtypes: int) -> None:
    found = dtypes_beside(text, {"x", "s"})
    assert found is not None
    assert (found.name, found.source) == (name, "x")
    assert (len(found.beside), len(found.dtypes)) == (beside, dtypes)


def test_notes_on_lists(tmp_path: Path) -> None:
    """Length and types on a product, also of a list that follows, and a scalar's types there."""
    note = f"- {A2}：\n  - 参数`x`支持包含的最大Tensor个数为50，且不支持BFLOAT16。\n"
    note += "  - 当`x`的数据类型为FLOAT16时，数据类型支持FLOAT。\n"
    scalar = ("s", "输入", "标量。", "-", "FLOAT", "-", "-", "-")
    prototype = "const aclTensorList *x, const aclScalar *s, aclTensorList *y"
    read = _read(tmp_path, page((X, scalar, Y), prototype, notes=note))
    assert _parameter(read, "x").length_on == {"atlas-a2": 50}
    for name in ("x", "y"):
        assert _parameter(read, name).dtypes_on == {"atlas-a2": ("float32", "float16")}
    assert _parameter(read, "s").dtypes_beside("atlas-a2") == {"float16": ("float32",)}
    assert _parameter(read, "s").dtypes_beside("atlas-a3") == {}


def test_nothing_lies_beyond_an_infinite_bound() -> None:
    """Nor is the bound itself among the values to begin with."""
    interval = Interval(low="0", high="inf")
    assert inside("float", (interval,)) == [1.0, 0.0]
    assert outside("float", interval) == [-1.0]
