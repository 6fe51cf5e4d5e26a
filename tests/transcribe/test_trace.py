# SPDX-License-Identifier: Apache-2.0
"""A spec held against its page: what differs, what only one of them says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.conftest import small_suite
from tests.transcribe.pages import ERRORS, X, Y, page
from typer.testing import CliRunner, Result

from aclnn_cts import cli
from aclnn_cts.errors import WrongFileError
from aclnn_cts.spec.loading import load_products, load_specs
from aclnn_cts.suite import Suite
from aclnn_cts.transcribe.page_lock import read_lock
from aclnn_cts.transcribe.page_model import fingerprint
from aclnn_cts.transcribe.reader import read_page
from aclnn_cts.transcribe.trace import Finding, trace_page

SPEC = """\
operator: aclnnMadeUp
summary: Doubles a tensor.
header: aclnnop/aclnn_made_up.h
document: {title: aclnnMadeUp, edition: "2026-08"}
golden: made_up
determinism: deterministic
products:
  supported: [ascend-950, atlas-a3, atlas-a2, atlas-training]
  unsupported: [atlas-200i-500-a2, atlas-inference]
parameters:
  - {name: x, tensor: input, dtypes: [float32, float16, bfloat16], rank: [0, 8], empty: true}
  - {name: y, tensor: output, dtype: x.dtype, shape: x.shape, rank: [0, 8]}
precision:
  - {output: y, allowances: [halves-either-way], why: One product.}
clauses:
  - {id: formula, where: "function, first sentence", text: y is twice x}
errors:
  ACLNN_ERR_PARAM_NULLPTR:
    - {null_pointer: [x, y]}
  ACLNN_ERR_PARAM_INVALID:
    - {dtype_outside_support: [x]}
"""

LOCK = f"""\
sentences:
  current:
    {fingerprint("把x加倍。")}: [formula]
    {fingerprint("小数的张量。")}: [x]
    {fingerprint("结果。")}: [y]
"""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Suite:
    """A suite with the spec of aclnnMadeUp."""
    small = small_suite(tmp_path / "suite")
    (small.specs / "aclnnMadeUp.yaml").write_text(SPEC, encoding="utf-8")
    (small.specs / "pages").mkdir(exist_ok=True)
    lock_of(small).write_text(LOCK, encoding="utf-8")
    monkeypatch.setenv("ACLNN_CTS_SUITE", str(small.root))
    return small


def lock_of(suite: Suite) -> Path:
    return suite.specs / "pages" / "aclnnMadeUp.lock.yaml"


def _found(suite: Suite, tmp_path: Path, text: str) -> tuple[Finding, ...]:
    path = tmp_path / "page.md"
    path.write_text(text, encoding="utf-8")
    specs = load_specs(suite)
    spec, read = specs.operator("aclnnMadeUp"), read_page(path, load_products(suite))
    sentences = read_lock(lock_of(suite), specs, spec.operator)["current"]
    return trace_page(spec, read, sentences, specs.operators).findings


def test_agreement(suite: Suite, tmp_path: Path) -> None:
    """Nothing is found where the spec says what the page says."""
    assert _found(suite, tmp_path, page()) == ()


def test_half_a_page(suite: Suite, tmp_path: Path) -> None:
    """A page of two operators does not agree with a spec of one."""
    path = tmp_path / "page.md"
    path.write_text(page(), encoding="utf-8")
    specs, read = load_specs(suite), read_page(path, load_products(suite))
    second = read.functions[0].model_copy(update={"name": "aclnnInplaceMadeUp"})
    both = read.model_copy(update={"functions": (*read.functions, second)})
    sentences = read_lock(lock_of(suite), specs, "aclnnMadeUp")["current"]
    (found,) = trace_page(specs.operator("aclnnMadeUp"), both, sentences, specs.operators).findings
    assert (found.kind, found.about) == ("unreferenced", "aclnnInplaceMadeUp")
    assert "state it under `second`" in found.text


@pytest.mark.parametrize(
    ("text", "about"),
    [
        (page(rows=(("x", "输入", X[2], X[3], "FLOAT", *X[5:]), Y)), "x, data types on atlas-a2"),
        (page(rows=((*X[:5], "NCHW", *X[6:]), Y)), "x, formats"),
        (page(rows=((*X[:6], "1-8", X[7]), Y)), "x, rank"),
        (page(rows=((*X[:7], "×"), Y)), "x, non_contiguous"),
        (page(rows=((*X[:3], "不支持空Tensor。", *X[4:]), Y)), "x, empty"),
        (page(rows=(X, ("y", "输入", *Y[2:]))), "y, direction"),
        (page(prototype="const aclTensor *x, const aclTensor *y"), "prototype"),
        (page(prototype="const aclTensor *x, aclTensor *y, bool z"), "prototype"),
        (
            page().replace("Atlas 训练系列产品</term>：支持", "Atlas 训练系列产品</term>：不支持"),
            "atlas-training",
        ),
        (
            page(notes="- <term>Atlas 训练系列产品</term>：数据类型不支持BFLOAT16。\n"),
            "x, data types on atlas-training",
        ),
        (page(constraints="- aclnnMadeUp默认非确定性实现。\n"), "determinism on atlas-a2"),
        (
            page(errors=((*ERRORS[0][:2], "传入的x是空指针。"), ERRORS[1])),
            "ACLNN_ERR_PARAM_NULLPTR, row 1, null_pointer",
        ),
    ],
)
def test_each_field_is_compared(suite: Suite, tmp_path: Path, text: str, about: str) -> None:
    """What page and spec say differently is named with its line."""
    found = [each for each in _found(suite, tmp_path, text) if each.about == about]
    assert [each.kind for each in found] == ["differs"]
    assert found[0].place is not None
    assert found[0].place.line > 1


def test_a_product_of_which_the_page_leaves_something_out(suite: Suite, tmp_path: Path) -> None:
    """It supports the product all the same."""
    text = SPEC.replace(", atlas-training]", "]\n  incomplete: [atlas-training]", 1)
    (suite.specs / "aclnnMadeUp.yaml").write_text(text, encoding="utf-8")
    assert _found(suite, tmp_path, page()) == ()


def test_an_array_has_no_data_type_of_its_own(suite: Suite, tmp_path: Path) -> None:
    """A row about data types may name one; no call can pass another."""
    row = "  - {name: sizes, attribute: ints}\n  - {name: y,"
    text = SPEC.replace("  - {name: y,", row) + "factors: {attributes: {sizes: [[1]]}}\n"
    (suite.specs / "aclnnMadeUp.yaml").write_text(text, encoding="utf-8")
    lock = f"{LOCK}    {fingerprint('数组。')}: [sizes]\n"
    lock_of(suite).write_text(lock, encoding="utf-8")
    assert "x的数据类型" in ERRORS[1][2]
    named = (*ERRORS[1][:2], ERRORS[1][2].replace("x的数据类型", "x、sizes的数据类型"))
    read = page(
        prototype="const aclTensor *x, const aclIntArray *sizes, aclTensor *y",
        rows=(X, ("sizes", "输入", "数组。", "-", "INT64", "-", "-", "-"), Y),
        errors=(ERRORS[0], named),
    )
    assert _found(suite, tmp_path, read) == ()


def test_a_column_that_the_page_contradicts(suite: Suite, tmp_path: Path) -> None:
    """The page calls its result an input: the spec names the column, and both agree."""
    path = suite.specs / "aclnnMadeUp.yaml"
    said = "contradicted: [direction], rank"
    path.write_text(SPEC.replace("x.shape, rank", f"x.shape, {said}"), encoding="utf-8")
    assert _found(suite, tmp_path, page(rows=(X, ("y", "输入", *Y[2:])))) == ()


@pytest.mark.parametrize("is_said", [False, True])
def test_a_note_that_is_not_understood(suite: Suite, tmp_path: Path, is_said: bool) -> None:  # noqa: FBT001
    """The data types that it is about are not compared, unless the spec says that it is unclear."""
    if is_said:
        text = SPEC.replace("rank: [0, 8], empty", "rank: [0, 8], contradicted: [dtypes], empty")
        (suite.specs / "aclnnMadeUp.yaml").write_text(text, encoding="utf-8")
    note = "- <term>Atlas 训练系列产品</term>：支持FLOAT、FLOAT16，其他数据类型另行支持。\n"
    found = _found(suite, tmp_path, page(notes=note))
    unchecked = [each.about for each in found if each.kind == "unchecked"]
    product = "data types on atlas-training"
    assert unchecked == ([] if is_said else [f"x, {product}", f"y, {product}"])


def test_a_changed_sentence_names_its_clause(suite: Suite, tmp_path: Path) -> None:
    """The clause's sentence is gone, and the new one belongs to no clause; layout is no change."""
    assert _found(suite, tmp_path, page().replace("把x加倍。", "把`X` 加倍")) == ()
    found = _found(suite, tmp_path, page().replace("把x加倍。", "把x乘以三。"))
    assert [(each.kind, each.about) for each in found] == [
        ("unreferenced", "function"),
        ("gone", "formula"),
    ]
    assert found[0].fingerprint == fingerprint("把x乘以三。")


def test_rows_that_came_and_went(suite: Suite, tmp_path: Path) -> None:
    """A new row of the error table has no clause, a clause about a missing one is named."""
    found = _found(suite, tmp_path, page(errors=(*ERRORS, (*ERRORS[1][:2], "x的维度大于8。"))))
    assert [(each.kind, each.about) for each in found] == [
        ("unreferenced", "ACLNN_ERR_PARAM_INVALID, row 2")
    ]
    found = _found(suite, tmp_path, page(errors=ERRORS[:1]))
    assert [(each.kind, each.about) for each in found] == [("gone", "dtype-unsupported")]


def test_sentences_go_by_names_that_exist(suite: Suite) -> None:
    """A sentence of no clause, and an edition that there is not, are refused with line."""
    specs, path = load_specs(suite), lock_of(suite)
    for old, new in (("[formula]", "[formulas]"), ("  current:", "  previous:")):
        path.write_text(LOCK.replace(old, new), encoding="utf-8")
        with pytest.raises(WrongFileError) as refused:
            read_lock(path, specs, "aclnnMadeUp")
        line = LOCK[: LOCK.index(old)].count("\n") + 1
        assert str(refused.value).startswith(f"{path}:{line}: unknown ")


@pytest.mark.usefixtures("suite")
def test_sentences_are_assigned(suite: Suite, tmp_path: Path) -> None:
    """In the order of the page; without names, a sentence leaves the file."""
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "aclnnMadeUp.md").write_text(
        page().replace("把x加倍。", "把x乘以三。"), encoding="utf-8"
    )
    new, gone = fingerprint("把x乘以三。"), fingerprint("把x加倍。")
    ask = ("--pages", pages, "--operator", "aclnnMadeUp")
    before = lock_of(suite).read_text(encoding="utf-8")
    wrong = ("aaaaaaaaaa=x", f"{new}=formulas", new)
    assert [_run(*ask, "--assign", each).exit_code for each in wrong] == [2, 2, 2]
    assert lock_of(suite).read_text(encoding="utf-8") == before
    assert _run(*ask, "--assign", f"{new}=formula,y").exit_code == 1
    assert _run(*ask, "--assign", f"{gone}=").exit_code == 0
    sentences = read_lock(lock_of(suite), load_specs(suite), "aclnnMadeUp")["current"]
    assert next(iter(sentences.items())) == (new, ["formula", "y"])
    assert gone not in sentences
    lock_of(suite).unlink()
    assert _run(*ask).exit_code == 1


def _run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli.app, ["trace", *map(str, arguments)])


@pytest.mark.usefixtures("suite")
def test_the_command(tmp_path: Path) -> None:
    """0 if spec and page agree, 1 if they do not, 2 without a page of the operator."""
    pages = tmp_path / "pages"
    pages.mkdir()
    ask = ("--pages", pages, "--operator", "aclnnMadeUp")
    assert _run(*ask).exit_code == 2
    path = pages / "aclnnMadeUp&aclnnInplaceMadeUp.md"
    path.write_text(page(), encoding="utf-8")
    assert _run(*ask).exit_code == 0
    assert "formula" in _run(*ask, "--review").output
    path.write_text(page(rows=((*X[:6], "1-8", X[7]), Y)), encoding="utf-8")
    assert _run(*ask).exit_code == 1
    told = json.loads(_run(*ask, "--json").output)
    assert [each["about"] for each in told["operators"]["aclnnMadeUp"]] == ["x, rank"]
    path.write_text(page().replace("MadeUp", "Other"), encoding="utf-8")
    result = _run(*ask)
    assert result.exit_code == 2
    assert str(path) in result.stderr
    assert _run("--pages", pages).exit_code == 2
