# SPDX-License-Identifier: Apache-2.0
"""A page becomes a draft; what is open in it keeps it out of every other command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.conftest import small_suite
from tests.transcribe.pages import X, Y, page, page_of_two
from typer.testing import CliRunner, Result

from aclnn_cts import cli
from aclnn_cts.errors import WrongFileError
from aclnn_cts.spec.editions import second_operator
from aclnn_cts.spec.loading import load_products, load_specs
from aclnn_cts.suite import find_suite


def _transcribe(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli.app, ["transcribe", *map(str, arguments)])


def _drafted(tmp_path: Path, text: str) -> dict[str, Any]:
    path = tmp_path / "page.md"
    path.write_text(text, encoding="utf-8")
    result = _transcribe(path)
    assert result.exit_code == 0, result.output
    drafted = yaml.safe_load(result.stdout)
    assert isinstance(drafted, dict)
    return drafted


def test_a_draft_says_what_the_page_says(tmp_path: Path) -> None:
    """Products, parameters, errors and determinism come out as a spec has them."""
    drafted = _drafted(tmp_path, page())
    assert drafted["operator"] == "aclnnMadeUp"
    assert drafted["document"]["title"] == "aclnnMadeUp"
    assert drafted["determinism"] == "deterministic"
    assert drafted["products"] == {
        "supported": ["ascend-950", "atlas-a3", "atlas-a2", "atlas-training"],
        "unsupported": ["atlas-200i-500-a2", "atlas-inference"],
    }
    dtypes = ["float32", "float16", "bfloat16"]
    assert drafted["parameters"] == [
        {"name": "x", "tensor": "input", "dtypes": dtypes, "rank": [0, 8], "empty": True},
        {
            "name": "y",
            "tensor": "output",
            "dtype": "x.dtype",
            "shape": "x.shape",
            "rank": [0, 8],
            "empty": True,
        },
    ]
    assert drafted["errors"] == {
        "ACLNN_ERR_PARAM_NULLPTR": [{"row": 1, "null_pointer": ["x", "y"]}],
        "ACLNN_ERR_PARAM_INVALID": [{"row": 1, "dtype_outside_support": ["x"]}],
    }


def test_a_page_on_two_operators(tmp_path: Path) -> None:
    """The draft of the first states the second as a spec does; that one alone can be drafted."""
    drafted = _drafted(tmp_path, page_of_two())
    assert drafted["second"] == {
        "operator": "aclnnInplaceMadeUp",
        "of": ["x", "y"],
        "tensor": {"name": "xRef"},
        "errors": {"ACLNN_ERR_PARAM_NULLPTR": [{"row": 1, "null_pointer": ["xRef"]}]},
    }
    assert "the operator aclnnInplaceMadeUp, too" not in str(drafted["todo"])
    merged = second_operator(drafted)
    assert merged is not None
    (row,) = merged.data["parameters"]
    assert (row["name"], row["tensor"], row["dtypes"]) == (
        "xRef", "inout", ["float32", "float16", "bfloat16"]
    )  # fmt: skip
    alone = _transcribe(tmp_path / "page.md", "--operator", "aclnnInplaceMadeUp")
    assert yaml.safe_load(alone.stdout)["operator"] == "aclnnInplaceMadeUp"


@pytest.mark.parametrize(
    ("text", "bound"), [("x的维度大于8。", {}), ("x的维度大于6。", {"dimensions": 6})]
)
def test_a_row_keeps_the_bound_that_it_states(
    tmp_path: Path, text: str, bound: dict[str, int]
) -> None:
    """It is left out where it is the tensor's own."""
    errors = [("ACLNN_ERR_PARAM_INVALID", "161002", text)]
    rows = _drafted(tmp_path, page(errors=errors))["errors"]["ACLNN_ERR_PARAM_INVALID"]
    assert rows == [{"row": 1, "rank_outside": ["x"], **bound}]


@pytest.mark.parametrize("text", ["y的数据类型不是x可转换的。", "x的数据类型不是y可转换的。"])
def test_types_convert_to_those_of_outputs(tmp_path: Path, text: str) -> None:
    """Whichever the row names first; where it names inputs alone, it stays open."""
    errors = [("ACLNN_ERR_PARAM_INVALID", "161002", text)]
    drafted = _drafted(tmp_path, page(errors=errors))
    refused = {"ACLNN_ERR_PARAM_INVALID": [{"row": 1, "not_castable": ["y"]}]}
    assert drafted["errors"] == refused
    inputs = (X, (Y[0], "输入", *Y[2:]))
    (open_row,) = _drafted(
        tmp_path, page(inputs, "const aclTensor *x, const aclTensor *y", errors=errors)
    )["errors"]["ACLNN_ERR_PARAM_INVALID"]
    assert open_row.keys() == {"row", "todo"}


@pytest.mark.parametrize(
    "remark",
    [
        "shape为x的shape的一半。",
        "shape与x满足broadcast关系。",
        "shape与x一致，最后一维除外。",
        "shape在x的shape上做padding。",
        "除dim指定的轴外，shape与x一致。",
        "当keepDim为true时，shape与x一致。",
        "shape与x一致。dim轴为x的一半。",
        "shape与z一致。",
    ],
)
def test_no_shape_is_guessed(tmp_path: Path, remark: str) -> None:
    """Words that say less, more or other than "the same shape" leave the shape open."""
    drafted = _drafted(tmp_path, page(rows=(X, (*Y[:3], remark, *Y[4:]))))
    parameters = drafted["parameters"]
    assert "shape" not in parameters[1]
    assert any("shape" in todo or "remarks" in todo for todo in parameters[1]["todo"])


def test_tensors_that_name_one_another(tmp_path: Path) -> None:
    """Of tensors that all agree one states its type and shape, whatever the order of the rows."""
    agree = "x、y和z的数据类型和shape一致。"
    named = (("x", X), ("y", X), ("z", Y))
    rows = [(name, *cells[1:3], agree, *cells[4:]) for name, cells in named]
    errors = [
        ("ACLNN_ERR_PARAM_INVALID", "161002", "x、y和z的数据类型不一致。"),
        ("ACLNN_ERR_PARAM_INVALID", "161002", "x、y和z的shape不一致。"),
    ]
    prototype = "const aclTensor *x, const aclTensor *y, aclTensor *z"
    drafted = _drafted(tmp_path, page(rows, prototype, errors=errors))
    parameters, refused = drafted["parameters"], drafted["errors"]
    x, y, z = parameters
    assert (x["dtype"], x["shape"]) == ("y.dtype", "y.shape")
    assert y["dtypes"] == ["float32", "float16", "bfloat16"]
    assert "shape" not in y
    assert (z["dtype"], z["shape"]) == ("x.dtype", "x.shape")
    assert refused["ACLNN_ERR_PARAM_INVALID"] == [
        {"row": 1, "dtype_differs": ["x", "z"]},
        {"row": 2, "shape_differs": ["x", "z"]},
    ]


_ADDED = "- <term>Atlas 训练系列产品</term>：x额外支持DOUBLE，y额外支持DOUBLE。\n"


def test_a_note_that_adds_data_types(tmp_path: Path) -> None:
    """A row lists those of all products together; the others leave some out."""
    for row in _drafted(tmp_path, page(rows=(X, (*Y[:3], "-", *Y[4:])), notes=_ADDED))[
        "parameters"
    ]:
        assert row["dtypes"] == ["float32", "float16", "double", "bfloat16"]
        assert row["dtypes_on"].keys() == {"ascend-950", "atlas-a3", "atlas-a2"}
        assert row["dtypes_on"]["atlas-a2"] == ["float32", "float16", "bfloat16"]


def test_outputs_follow_inputs(tmp_path: Path) -> None:
    """Even where only the row of the input speaks of the output."""
    rows = ((*X[:3], "shape与y一致。", *X[4:]), (*Y[:3], "-", *Y[4:]))
    x, y = _drafted(tmp_path, page(rows=rows))["parameters"]
    assert "shape" not in x
    assert y["shape"] == "x.shape"


@pytest.mark.parametrize(
    ("text", "equal"),
    [
        ("x和y的shape不同。", True),
        ("x和y的shape不匹配。", False),
        ("y的shape与x推导的不一致。", False),
    ],
)
def test_rows_that_refuse_unequal_tensors(tmp_path: Path, text: str, equal: bool) -> None:  # noqa: FBT001
    """They state the shape, ranks and empty tensors of one whose row states none."""
    errors = [("ACLNN_ERR_PARAM_INVALID", "161002", text)]
    rows = (X, (*Y[:3], "-", *Y[4:6], "-", Y[7]))
    drafted = _drafted(tmp_path, page(rows=rows, errors=errors))
    y = drafted["parameters"][1]
    assert (y.get("shape") == "x.shape") is equal
    if equal:
        assert (y["rank"], y["empty"]) == ([0, 8], True)
        (row,) = drafted["errors"]["ACLNN_ERR_PARAM_INVALID"]
        assert row["shape_differs"] == ["y"]


def test_rows_with_one_violation_have_ids(tmp_path: Path) -> None:
    """A spec needs different ids."""
    texts = ("x的数据类型不在支持的范围之内。", "y的数据类型不在支持的范围之内。")
    errors = [("ACLNN_ERR_PARAM_INVALID", "161002", text) for text in texts]
    rows = _drafted(tmp_path, page(errors=errors))["errors"]["ACLNN_ERR_PARAM_INVALID"]
    assert [row["id"] for row in rows] == [
        "x-dtype-outside-support",
        "y-dtype-outside-support",
    ]


def test_a_todo_keeps_a_spec_out_of_every_command(tmp_path: Path) -> None:
    """Loading refuses the draft: its file and the line of each todo."""
    small = small_suite(tmp_path)
    written = small.specs / "aclnnMadeUp.yaml"
    source = tmp_path / "page.md"
    source.write_text(page(), encoding="utf-8")
    assert _transcribe(source, "-o", written).exit_code == 0
    specs = load_specs(small)
    assert "aclnnMadeUp" not in specs.operators
    with pytest.raises(WrongFileError) as refused:
        specs.operator("aclnnMadeUp")
    lines = written.read_text(encoding="utf-8").split("\n")
    found = str(refused.value).split("\n")
    assert found
    for message in found:
        path, line, text = message.split(":", 2)
        assert path == str(written)
        assert text.startswith(" todo: page line ")
        assert "page line" in lines[int(line) - 1]


def test_a_draft_never_replaces_a_file(tmp_path: Path) -> None:
    """An existing spec stays, and a spec's file has the name of the page's operator."""
    source = tmp_path / "page.md"
    source.write_text(page(), encoding="utf-8")
    there = tmp_path / "aclnnMadeUp.yaml"
    there.write_text("mine", encoding="utf-8")
    assert _transcribe(source, "-o", there).exit_code == 2
    assert there.read_text(encoding="utf-8") == "mine"
    assert _transcribe(source, "-o", tmp_path / "aclnnOther.yaml").exit_code == 2
    assert not (tmp_path / "aclnnOther.yaml").exists()


def test_a_contract_draft_is_a_spec(tmp_path: Path) -> None:
    """Where a page is understood, nothing is left to do, and the spec loads."""
    small = small_suite(tmp_path)
    written, source = small.specs / "aclnnMadeUp.yaml", tmp_path / "page.md"
    example = '## 调用示例\n\n```Cpp\n#include "aclnnop/aclnn_made_up.h"\n```\n'
    source.write_text(f"{page()}\n{example}", encoding="utf-8")
    assert _transcribe(source, "--contract", "-o", written).exit_code == 0
    spec = load_specs(small).operator("aclnnMadeUp")
    assert spec.is_contract
    assert [tensor.name for tensor in spec.tensors] == ["x", "y"]


BROADCAST = (
    (*X[:3], "数据类型与w满足数据类型推导规则，shape与w满足broadcast关系。", *X[4:]),
    ("w", "输入", "小数。", "-", "FLOAT、INT32、COMPLEX64", "ND", "0-8", "√"),
    ("a", "输入", "标量。", "数据类型需要可转换成x与w推导后的数据类型。", X[4], "-", "-", "-"),
    (*Y[:3], "数据类型是x与w推导之后可转换的数据类型，shape是x与w broadcast之后的shape。", *Y[4:]),
)


def test_tensors_that_broadcast(tmp_path: Path) -> None:
    """Relations of shapes and data types become rules of shapes, and rows or requirements."""
    prototype = "const aclTensor *x, const aclTensor *w, const aclScalar *a, aclTensor *y"
    text = "x和w的shape无法做broadcast。"
    errors = [("ACLNN_ERR_PARAM_INVALID", "161002", text)]
    drafted = _drafted(tmp_path, page(BROADCAST, prototype, errors=errors))
    x, w, a, y = drafted["parameters"]
    assert "shape" not in x
    assert w["shape"] == {"broadcasts_with": "x"}
    assert (w["dtypes"], w["untested_on"]["atlas-a2"]) == (["float32", "int32"], ["complex64"])
    assert a["dtypes"] == ["float32", "float16", "bfloat16"]
    assert y["shape"] == {"broadcast_of": ["x", "w"]}
    assert not any("todo" in row for row in drafted["parameters"])
    (row,) = drafted["errors"]["ACLNN_ERR_PARAM_INVALID"]
    assert (row["id"], row["shape_differs"]) == ("not-broadcastable", ["w"])
    assert drafted["errors"]["requirement"] == [
        {"not_promotable": ["x", "w"]},
        {"not_castable": ["y"]},
        {
            "id": "a-not-castable",
            "text": "a has a data type that converts to the promoted one",
            "not_castable": ["a"],
        },
    ]
    assert drafted["traits"] == ["mutual_broadcast", "promotion"]


def test_a_common_type_that_is_supported(tmp_path: Path) -> None:
    """A page may want more of the common data type than that there is one."""
    remark = "数据类型与w满足数据类型推导规则，且推导后的数据类型需要在支持的输入类型里。"
    rows = ((*X[:3], remark, *X[4:]), *BROADCAST[1:])
    prototype = "const aclTensor *x, const aclTensor *w, const aclScalar *a, aclTensor *y"
    required = _drafted(tmp_path, page(rows, prototype))["errors"]["requirement"]
    assert required[0] == {"promotion_outside_support": ["x", "w"]}


def test_a_list_of_scalars(tmp_path: Path) -> None:
    """It is stated as a scalar is; a row on lengths names it beside other lists."""
    scalars = ("s", "输入", "标量。", "元素个数与x中Tensor的个数相等。", "FLOAT", "-", "-", "-")
    text = "x与s或y的TensorList长度不相等。"
    errors = [("ACLNN_ERR_PARAM_INVALID", "161002", text)]
    prototype = "const aclTensorList *x, const aclScalarList *s, aclTensorList *y"
    drafted = _drafted(tmp_path, page((X, scalars, Y), prototype, errors=errors))
    row = drafted["parameters"][1]
    assert row == {"name": "s", "attribute": "scalars", "dtypes": ["float32"]}
    (entry,) = drafted["errors"]["ACLNN_ERR_PARAM_INVALID"]
    assert entry["length_differs"] == ["s", "y"]


def test_an_output_of_the_first_shape(tmp_path: Path) -> None:
    """The other input broadcasts to the one whose shape the output has."""
    rows = (*BROADCAST[:3], (*Y[:3], "shape与x一致。", *Y[4:]))
    prototype = "const aclTensor *x, const aclTensor *w, const aclScalar *a, aclTensor *y"
    drafted = _drafted(tmp_path, page(rows, prototype))
    assert drafted["parameters"][1]["shape"] == {"broadcasts_to": "x"}


def _with_attribute(remark: str, type_: str = "int64_t") -> str:
    rows = (X, ("n", "输入", "个数。", remark, "-", "-", "-", "-"), Y)
    return page(rows, f"const aclTensor *x, {type_} n, aclTensor *y")


@pytest.mark.parametrize(
    ("remark", "type_", "require", "levels"),
    [
        ("取值范围为[-x.dim(), x.dim()-1]。", "int64_t", "-rank(x) <= n <= rank(x) - 1", [0, -1]),
        ("取值范围(1, 768]。", "int64_t", "1 < n <= 768", [2, 768]),
        ("需大于0。", "double", "0 < n", [1.0]),
        ("取值仅支持0、2。", "int64_t", "n == 0 or n == 2", [0, 2]),
    ],
)
def test_values_of_attributes(
    tmp_path: Path, remark: str, type_: str, require: str, levels: list[object]
) -> None:
    """A range becomes a rule, values that keep it, and a requirement with values that do not."""
    drafted = _drafted(tmp_path, _with_attribute(remark, type_))
    assert [rule["require"] for rule in drafted["rules"]] == [require]
    assert drafted["factors"]["attributes"]["n"] == levels
    (wrong,) = drafted["errors"]["requirement"]
    assert wrong["when"] == f"not ({require})"
    assert "todo" not in drafted["parameters"][1]


def test_an_array_of_a_stated_length(tmp_path: Path) -> None:
    """Its elements stay open; a scalar has no length."""
    drafted = _drafted(tmp_path, _with_attribute("长度为2。", "const aclIntArray *"))
    assert [rule["require"] for rule in drafted["rules"]] == ["len(n) == 2"]
    assert drafted["factors"]["attributes"]["n"] == [[1, 1]]
    assert "placeholder" in drafted["parameters"][1]["todo"][0]
    assert "rules" not in _drafted(tmp_path, _with_attribute("元素个数为1。", "double"))


@pytest.mark.parametrize(
    ("text", "assigned"),
    [
        ("n的值不在[-x.dim(), x.dim()-1]范围内。", [2, -3, 8, -9]),
        ("n超出x的维度范围。", [2, -3, 8, -9]),
        ("n小于1。", [0]),
        ("n的取值不在支持的范围内。", [2, -3, 8, -9]),
        ("n与月亮不匹配。", None),
    ],
)
def test_rows_on_values(tmp_path: Path, text: str, assigned: list[int] | None) -> None:
    """A row refuses what it says itself, or all that the parameter table excludes."""
    errors = [("ACLNN_ERR_PARAM_INVALID", "161002", text)]
    remark = "取值范围为[-x.dim(), x.dim()-1]。"
    rows = (X, ("n", "输入", "个数。", remark, "-", "-", "-", "-"), Y)
    drafted = _drafted(
        tmp_path, page(rows, "const aclTensor *x, int64_t n, aclTensor *y", errors=errors)
    )
    (row,) = drafted["errors"]["ACLNN_ERR_PARAM_INVALID"]
    assert row.get("assign") == (assigned and {"n": assigned})


def test_a_column_that_a_remark_restricts(tmp_path: Path) -> None:
    """A column says "as x" where a remark that is not understood excludes an axis."""
    row = (*Y[:3], "dim轴的大小为2，其他维度同x的shape。", *Y[4:6], "与x一致", Y[7])
    y = _drafted(tmp_path, page((X, row)))["parameters"][1]
    assert "shape" not in y
    assert "其他维度" in y["todo"][0]


@pytest.mark.parametrize(
    "remark", ["取值不超过epoch的一半。", "仅在周一有效。", "size为x的两倍。", "长度为x的维数。"]
)
def test_nothing_restrictive_is_dropped(tmp_path: Path, remark: str) -> None:
    """What may restrict calls and is not understood is quoted, from either cell."""
    as_remark = _drafted(tmp_path, _with_attribute(remark))
    text = _with_attribute("-").replace("<td>个数。</td>", f"<td>个数。{remark}</td>")
    for drafted in (as_remark, _drafted(tmp_path, text)):
        assert any(remark in todo for todo in drafted["parameters"][1]["todo"])


def test_dimensions_that_are_not_stated(tmp_path: Path) -> None:
    """A free shape has a todo, unless an error row gives its greatest rank."""
    rows = ((*X[:6], "-", X[7]), (*Y[:6], "-", Y[7]))
    x = _drafted(tmp_path, page(rows))["parameters"][0]
    assert "dimensions" in x["todo"][0]
    errors = [("ACLNN_ERR_PARAM_INVALID", "161002", "x的维度大于6。")]
    x = _drafted(tmp_path, page(rows, errors=errors))["parameters"][0]
    assert (x["rank"], "todo" in x) == ([0, 6], False)


def test_axes_that_a_reduction_keeps(tmp_path: Path) -> None:
    """The row of a bool says how the shape of the output follows."""
    rows = (
        X,
        ("dim", "输入", "轴。", "取值范围为[-x.dim(), x.dim())，且不能重复。", "-", "-", "-", "-"),
        ("keepDim", "输入", "是否保留reduce轴的维度。", "-", "-", "-", "-", "-"),
        (*Y[:3], "-", *Y[4:]),
    )
    prototype = "const aclTensor *x, const aclIntArray *dim, bool keepDim, aclTensor *y"
    drafted = _drafted(tmp_path, page(rows, prototype))
    assert drafted["parameters"][3]["shape"] == {
        "resized": {"tensor": "x", "axis": "dim", "extent": 1, "kept": "keepDim"}
    }
    assert [rule["require"] for rule in drafted["rules"]] == [
        "-rank(x) <= min(dim) and max(dim) < rank(x)",
        "axes(x, dim) == len(dim)",
    ]


def test_axes_that_are_padded(tmp_path: Path) -> None:
    """Each padded axis has a name, and the array is less than its extent."""
    rows = (
        ("self", *X[1:6], "2-3", X[7]),
        (
            "padding",
            "输入",
            "大小。",
            "长度为2，padding的两个数值都需小于self最后一维度的数值。",
            *"----",
        ),
        (
            *Y[:3],
            "维度与self一致，y最后一维度的数值等于self最后一维度的数值加padding前两个值。",
            *Y[4:6],
            "2-3",
            "√",
        ),
    )
    text = "padding的数值大于等于self最后一维度的值。"
    errors = [("ACLNN_ERR_PARAM_INVALID", "161002", text)]
    prototype = "const aclTensor *self, const aclIntArray *padding, aclTensor *y"
    drafted = _drafted(tmp_path, page(rows, prototype, errors=errors))
    x, padding, y = drafted["parameters"]
    assert x["shape"] == ["*outer", "W"]
    assert y["shape"] == ["*outer", "W + padding[0] + padding[1]"]
    assert "todo" not in padding
    assert drafted["factors"]["dims"]["outer"] == [[2], [2, 2]]
    assert [rule["require"] for rule in drafted["rules"]] == [
        "len(padding) == 2",
        "max(padding[0], padding[1]) < dim(self, -1)",
    ]
    (row,) = (e for e in drafted["errors"]["ACLNN_ERR_PARAM_INVALID"] if "dim" in e["when"])
    assert row["assign"] == {"padding": [[64, 64]]}


def test_an_input_that_is_written(tmp_path: Path) -> None:
    """A row that calls an output an input has a todo."""
    rows = (X, (Y[0], "输入", *Y[2:]))
    assert "direction" in _drafted(tmp_path, page(rows))["parameters"][1]["todo"][0]


@pytest.mark.parametrize(
    ("included", "header", "is_open"),
    [
        (("other", "made_up"), "aclnnop/aclnn_made_up.h", False),
        (("made",), "aclnnop/aclnn_made.h", False),
        (("other",), "aclnnop/aclnn_other.h", True),
    ],
)
def test_the_header_has_the_name(
    tmp_path: Path,
    included: tuple[str, ...],
    header: str,
    is_open: bool,  # noqa: FBT001
) -> None:
    """Of those that the example includes, even if its code has no end."""
    code = "\n".join(f'#include "aclnnop/aclnn_{name}.h"' for name in included)
    drafted = _drafted(tmp_path, f"{page()}\n## 调用示例\n\n```Cpp\n{code}\n")
    assert drafted["header"] == header
    assert any("header" in todo for todo in drafted["todo"]) is is_open


def test_what_is_open_of_the_second_operator(tmp_path: Path) -> None:
    """Its row has todos of its own, except those that the first one's row has, too."""
    text = page_of_two()
    drafted = _drafted(tmp_path, text.replace("支持空Tensor。", "仅在周一有效。"))
    assert "todo" not in drafted["second"]["tensor"]
    head, mark, tail = text.rpartition("支持空Tensor。")
    drafted = _drafted(tmp_path, f"{head}仅在周二有效。{tail}")
    assert mark
    assert "仅在周二有效" in drafted["second"]["tensor"]["todo"][0]
    assert drafted["second"]["tensor"]["empty"] is False


def test_rows_with_one_violation_have_ids_of_their_own(tmp_path: Path) -> None:
    """Even two rows of the same words."""
    errors = [("ACLNN_ERR_PARAM_INVALID", "161002", "x的维度大于8。")] * 2
    rows = _drafted(tmp_path, page(errors=errors))["errors"]["ACLNN_ERR_PARAM_INVALID"]
    assert len({row["id"] for row in rows}) == 2


def test_products_have_names_on_pages() -> None:
    """Each product can be recognised on a page, and no name or marker is of two."""
    products = load_products(find_suite()).values()
    names = [name for product in products for name in product.page_names]
    markers = [product.page_marker for product in products]
    assert all(product.page_names and product.page_marker for product in products)
    assert len(set(names)) == len(names)
    assert len(set(markers)) == len(markers)


def test_new_begins_a_folder(tmp_path: Path) -> None:
    """The spec is refused as long as it is a draft; nothing is overwritten."""
    source, folder = tmp_path / "page.md", tmp_path / "own"
    source.write_text(page(), encoding="utf-8")
    begin = ["transcribe", str(source), "--operator", "aclnnMadeUp", "--folder", str(folder)]
    done = CliRunner().invoke(cli.app, begin)
    assert done.exit_code == 0, done.output
    names = {"aclnnMadeUp.yaml", "README.md", "pages", "schema"}
    assert {path.name for path in folder.iterdir()} == names
    listed = ["list", "--specs", str(folder), "--operator", "aclnnMadeUp"]
    refused = CliRunner().invoke(cli.app, listed)
    assert refused.exit_code == 2
    assert f"{folder / 'aclnnMadeUp.yaml'}:" in refused.stderr
    before = {path: path.read_bytes() for path in folder.rglob("*.*")}
    assert CliRunner().invoke(cli.app, begin).exit_code == 2
    assert {path: path.read_bytes() for path in folder.rglob("*.*")} == before
    known = tmp_path / "known.md"
    known.write_text(page().replace("aclnnMadeUp", "aclnnRelu"), encoding="utf-8")
    twice = ["transcribe", str(known), "--folder", str(tmp_path / "twice")]
    assert CliRunner().invoke(cli.app, twice).exit_code == 2
    assert not (tmp_path / "twice").exists()
    second = tmp_path / "second.md"
    second.write_text(page().replace("aclnnMadeUp", "aclnnSecond"), encoding="utf-8")
    added = ["transcribe", str(second), "--folder", str(folder)]
    assert CliRunner().invoke(cli.app, added).exit_code == 0
    assert {path: path.read_bytes() for path in before} == before
    assert {path.name for path in folder.iterdir()} - names == {"aclnnSecond.yaml"}
    other = ["transcribe", str(source), "--folder", str(tmp_path / "other")]
    for options in (["--operator", "aclnnOther"], ["-o", str(tmp_path / "x.yaml")], ["--json"]):
        assert CliRunner().invoke(cli.app, [*other, *options]).exit_code == 2
    assert not (tmp_path / "other").exists()
