# SPDX-License-Identifier: Apache-2.0
"""A bad spec never gets past loading: each mistake ends in file, line and sentence."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.spec.loading import SpecSet, load_operator, load_specs, read_model
from aclnn_cts.spec.models import Products
from aclnn_cts.suite import Suite, find_suite

MINIMAL = """\
operator: aclnnThing
summary: A thing for tests.
header: aclnnop/aclnn_thing.h
document: {title: aclnnThing, edition: "2026-08"}
products: {ascend-950: supported, atlas-a3: supported, atlas-a2: supported, atlas-200i-500-a2:
           unlisted, atlas-inference: unlisted, atlas-training: unlisted}
parameters:
  - {name: x, tensor: input, dtypes: [float32], rank: [0, 8]}
  - {name: eps, attribute: double}
  - {name: out, tensor: output, dtype: x.dtype, shape: x.shape}
golden: thing
precision:
  - {output: out, roundings: 1, why: One product.}
clauses:
  - id: formula
    text: the result is something
    where: {section: function, item: formula}
    when: x > eps
    expect: value
errors:
  - id: null-pointer
    text: a null pointer is refused
    where: {section: errors, item: first row}
    status: ACLNN_ERR_PARAM_NULLPTR
    null_pointer: [x, out]
factors:
  attributes: {eps: [0.5]}
"""

Load = Callable[[str], str]


@pytest.fixture
def complaint(tmp_path: Path, specs: SpecSet) -> Load:
    """Load a spec from text and return its complaint, with the folder's name taken out."""

    def load(text: str) -> str:
        path = tmp_path / "aclnnThing.yaml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(WrongInputError) as caught:
            load_operator(path, specs.products)
        return str(caught.value).replace(f"{tmp_path}/", "")

    return load


def test_the_minimal_spec_is_right(tmp_path: Path, specs: SpecSet) -> None:
    """What the other tests break is whole before."""
    path = tmp_path / "aclnnThing.yaml"
    path.write_text(MINIMAL, encoding="utf-8")
    assert load_operator(path, specs.products).operator == "aclnnThing"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("golden: thing", "goldem: thing", "11: unknown key 'goldem'"),
        ("rank: [0, 8]", "rnak: [0, 8]", "8: unknown key 'rnak' in parameters.0"),
        ("attribute: double", "attribute: double, dtype: x", "9: unknown key 'dtype'"),
        ("summary: A thing for tests.\n", "", "1: summary is missing"),
        ("summary: A thing for tests.", "summary: 5", "2: summary: Input should be a valid string"),
        ("clauses:\n", "clauses: 5\nx:\n", "14: clauses: Input should be a valid list (it is 5)"),
        ("roundings: 1", "roundings: many", "13: precision.0.roundings: Input should be a valid"),
        (
            "[float32]",
            "[float31]",
            "8: parameters.0.dtypes.0: unknown data type 'float31'; allowed",
        ),
        ("[float32]", "[[float32]]", "8: parameters.0.dtypes.0: unknown data type ['float32']"),
        ("double}", "complex}", "9: parameters.1.attribute: Input should be 'double', 'int64'"),
        (
            "PARAM_NULLPTR",
            "PARAM_NULL",
            "24: errors.0.status: unknown status 'ACLNN_ERR_PARAM_NULL'",
        ),
        ("when: x > eps", "when: y > eps", "18: 'y > eps': unknown name 'y'; known: eps, out, x"),
        ("when: x > eps", "when: x.y > eps", "18: clauses.0.when: 'x.y' is not part of the"),
        (
            "when: x > eps",
            "when: rank(eps) > 1",
            "18: 'rank(eps) > 1': rank takes a tensor: unknown",
        ),
        (
            "expect: value",
            "expect: number",
            "19: clauses.0.expect: Input should be 'value', 'zero'",
        ),
        ("id: formula", "id: Formula", "15: clauses.0.id: String should match pattern"),
        ("id: formula", "id: null-pointer", "15: two clauses have the id 'null-pointer'"),
        ("id: formula", "id: x-dtype", "15: 'x-dtype' is the id of a clause derived from the"),
        (
            "null_pointer: [x, out]",
            "null_pointer: [y]",
            "25: unknown parameter 'y'; known: eps, out",
        ),
        ("null_pointer: [x, out]", "note: none", "21: error 'null-pointer' needs exactly one of"),
        ("null_pointer: [x, out]", "assign: []", "25: errors.0.assign: List should have at least"),
        ("null_pointer: [x, out]", "products: []", "25: errors.0.products: List should have at"),
        ("ACLNN_ERR_PARAM_NULLPTR", "[]", "24: errors.0.status: List should have at least 1 it"),
        ("null_pointer: [x, out]", "assign: [{y: 1}]", "25: unknown attribute or dimension 'y'"),
        ("ascend-950: supported, ", "", "5: product 'ascend-950' is missing; say supported,"),
        (
            "ascend-950: s",
            "ascend: s",
            "5: unknown product 'ascend'; known: ascend-950, atlas-200i",
        ),
        (
            "atlas-a2: supported",
            "atlas-a2: maybe",
            "5: products.atlas-a2: Input should be 'supported'",
        ),
        ("dtype: x.dtype", "dtype: y.dtype", "10: unknown tensor 'y'; known: out, x"),
        ("shape: x.shape", "shape: y.shape", "10: unknown tensor 'y'; known: out, x"),
        ("shape: x.shape", "shape: [n + 1]", "10: 'n + 1': unknown name 'n'; known: eps, out, x"),
        ("shape: x.shape", "shape: {broadcasts_to: y}", "10: unknown tensor 'y'; known: out, x"),
        ("dtype: x.dtype, ", "", "10: out: say either dtypes (a list) or dtype (x.dtype)"),
        ("rank: [0, 8]", "rank: [0, 9]", "8: rank is [least, greatest] with 0 <= least"),
        (", rank: [0, 8]", "", "8: x: a free shape needs rank: [least, greatest]"),
        ("name: out", "name: x", "8: two parameters are named 'x'"),
        ("{output: out,", "{output: x,", "12: output 'out' has no error budget"),
        ("{eps: [0.5]}", "{}", "27: attribute 'eps' has no values to vary"),
        ("{eps: [0.5]}", "{eps: [1], y: [1]}", "27: unknown attribute 'y'; known: eps"),
        ("{eps: [0.5]}", "{eps: [1]}\n  fill: {y: [ones]}", "28: unknown input 'y'; known: x"),
        (
            "{eps: [0.5]}",
            "{eps: [1]}\n  fill: {x: [ones, onse]}",
            "28: factors.fill.x.1: unknown kind of data 'onse'; allowed: uniform, normal",
        ),
        (
            "training: unlisted",
            "training: unsupported",
            "5: atlas-training is unsupported, but no error clause with unsupported_product",
        ),
        ("operator: aclnnThing", "operator: aclnnOther", "1: the file of aclnnOther must be named"),
        (
            "golden: thing",
            "golden: thing\ngolden: other",
            "12: not valid YAML: the key 'golden' stands",
        ),
        ("golden: thing", "golden: [thing", "12: not valid YAML: expected ',' or ']'"),
        (
            "golden: thing",
            "golden: &a thing\nrole: *a",
            "12: not valid YAML: aliases are not allowed",
        ),
        (
            "golden: thing",
            "golden: !!python/name:os.system",
            "11: not valid YAML: could not determine",
        ),
    ],
)
def test_mistakes(complaint: Load, old: str, new: str, expected: str) -> None:
    """One mistake each: the line on which it stands, what is wrong, what would be right."""
    assert old in MINIMAL
    found = complaint(MINIMAL.replace(old, new, 1))
    assert any(line.startswith(f"aclnnThing.yaml:{expected}") for line in found.splitlines()), found


def test_an_overridden_clause_must_exist(complaint: Load) -> None:
    """`overrides` names a value clause of the same spec."""
    found = complaint(MINIMAL.replace("expect: value", "expect: value\n    overrides: [other]"))
    assert found == "aclnnThing.yaml:20: unknown clause 'other'; known: formula"


def test_gathering_belongs_into_when(complaint: Load) -> None:
    """A rule has one truth per call; any_of would have no meaning there."""
    rule = (
        "rules:\n  - {id: r, text: some rule here, where: {section: errors, item: i}, "
        "require: any_of(eps > 0)}\n"
    )
    assert complaint(MINIMAL + rule) == (
        "aclnnThing.yaml:29: 'any_of(eps > 0)': any_of and all_of belong into clauses' `when` only"
    )


def test_every_mistake_is_told_at_once(complaint: Load) -> None:
    """Whoever corrects a spec sees all its mistakes."""
    text = MINIMAL.replace("when: x", "when: y").replace("[x, out]", "[z]")
    assert [line.split(":")[1] for line in complaint(text).splitlines()] == ["18", "25"]


@pytest.mark.parametrize("text", ["", "5\n", "[]\n", "parameters:\n  - 5\n", "parameters: {}\n"])
def test_other_things_than_specs(complaint: Load, text: str) -> None:
    """Empty files, numbers and lists end in a sentence, too."""
    assert complaint(text).startswith("aclnnThing.yaml:")


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    """A file that is not UTF-8 cannot be read, and the message says so."""
    path = tmp_path / "products.yaml"
    path.write_bytes(b"products: \xff\xfe\n")
    with pytest.raises(WrongInputError, match=r"products\.yaml: is no text in UTF-8"):
        read_model(path, Products)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """A missing file is the user's mistake, not a crash."""
    with pytest.raises(WrongInputError, match=r"products\.yaml: there is no such file"):
        read_model(tmp_path / "products.yaml", Products)


def test_deep_nesting_does_not_crash(tmp_path: Path) -> None:
    """YAML nested beyond reason ends in a sentence."""
    path = tmp_path / "products.yaml"
    path.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(WrongInputError, match=r"products\.yaml:1: not valid YAML"):
        read_model(path, Products)


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """A copy of the suite's specs to be spoilt."""
    shutil.copytree(find_suite().specs, tmp_path / "specs")
    return Suite(tmp_path)


def test_a_folder_without_operators(suite: Suite) -> None:
    """An empty suite is an error, not an empty success."""
    for path in suite.specs.glob("aclnn*.yaml"):
        path.unlink()
    with pytest.raises(WrongInputError, match=r"holds no aclnn\*\.yaml; nothing to test"):
        load_specs(suite)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "operator: aclnnMaxPool2dWithMask\n",
            "operator: aclnnMaxPool3d\n",
            "unknown operator 'aclnnMaxPool3d'; known: aclnnDropoutBackward, ",
        ),
        ("output: indices", "output: mask", "unknown output 'mask'; known: indices, out"),
        ("{self: self}", "{x: self}", "unknown input 'x'; known: self"),
        ("{self: self}", "{self: x}", "unknown input 'x'; known: gradOutput, indices, self"),
    ],
)
def test_producers(suite: Suite, old: str, new: str, message: str) -> None:
    """What a spec says about its producer is held against the producer's own spec."""
    path = suite.specs / "aclnnMaxPool2dWithMaskBackward.yaml"
    text = path.read_text(encoding="utf-8")
    start = text.index("producer:")
    broken = text[:start] + text[start:].replace(old, new, 1)
    path.write_text(broken, encoding="utf-8")
    line = broken[: broken.index(new.strip(), start)].count("\n") + 1
    with pytest.raises(WrongInputError) as caught:
        load_specs(suite)
    assert str(caught.value).startswith(f"{path}:{line}: {message}")


def test_unknown_names_offer_the_nearest(specs: SpecSet) -> None:
    """A slip in an operator's or product's name is answered with the right one."""
    with pytest.raises(WrongInputError, match="did you mean 'aclnnLogitGrad'"):
        specs.operator("aclnnLogitgrad")
    with pytest.raises(WrongInputError, match="did you mean 'atlas-a2'"):
        specs.product("atlas-a22")


def test_tested_operators_by_name(specs: SpecSet) -> None:
    """Each once, in the order of the names; all without names; a producer is none of them."""
    logit, prelu = "aclnnLogitGrad", "aclnnPreluBackward"
    named = specs.tested_named([prelu, logit, prelu])
    assert [spec.operator for spec in named] == [prelu, logit]
    assert specs.tested_named(None) == specs.tested
    assert specs.tested_named([]) == ()
    with pytest.raises(WrongInputError, match="unknown operator 'aclnnMaxPool2dWithMask'"):
        specs.tested_named(["aclnnMaxPool2dWithMask"])


def test_clauses_of_an_output(specs: SpecSet) -> None:
    """By their place in the spec: those that speak of it, and need nothing that is not there."""
    spec = specs.operator("aclnnLogitGrad")
    assert spec.clauses_of("out", inf_nan=True) == dict(enumerate(spec.clauses))
    kept = spec.clauses_of("out", inf_nan=False)
    assert kept == {k: c for k, c in enumerate(spec.clauses) if not c.needs_inf_nan}
    assert len(kept) < len(spec.clauses)
    other = spec.clauses[0].model_copy(update={"output": ["other"]})
    spec = spec.model_copy(update={"clauses": [other, *spec.clauses[1:]]})
    assert min(spec.clauses_of("out", inf_nan=True)) == 1


SCENES = """one_sided:
  - {clause: x-shapely, missing: negative, reason: Nobody knows.}
scenes:
  - id: one
    why: A first one.
    fill: {y: uniform}
    each:
      - {attributes: {epsilon: 1.0}}
  - {id: one, why: The same again., products: [atlas-a4], shapes: {out: [1]}}
"""


def test_scenes_name_what_exists(complaint: Load) -> None:
    """Tensors, attributes, products and clauses of scenes and one-sided clauses are looked up."""
    first = MINIMAL.count("\n") + 1
    lines = complaint(MINIMAL + SCENES).splitlines()
    told = [line.split(":", 2) for line in lines]
    assert {(int(number) - first, text.split(";")[0].strip()) for _, number, text in told} == {
        (1, "unknown name 'x-shapely' in clause"),
        (3, "two scenes have the id 'one'"),
        (5, "unknown name 'y' in fill"),
        (7, "unknown name 'epsilon' in attributes"),
        (8, "two scenes have the id 'one'"),
        (8, "unknown name 'atlas-a4' in product"),
        (8, "unknown name 'out' in shapes"),
    }


SHAPED = (
    "  - {name: x, tensor: input, dtypes: [float32], rank: [0, 8]}\n"
    "  - {name: w, tensor: input, dtypes: [float32], dtypes_on: {atlas-a3: [float16]}, "
    "shape: {one_of: [{name: one, dims: [1]}]}}\n"
    "  - {name: v, tensor: input, dtypes: [float32], shape: {broadcasts_to: x}}\n"
)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("fill: {x: bits-paddding}", "scenes.0.fill.x: unknown kind of data 'bits-paddding'; allo"),
        (
            "layouts: {x: transposd}",
            "scenes.0.layouts.x: unknown layout 'transposd'; allowed: cont",
        ),
        ("shapes: {w: oen}", "unknown shape 'oen'; known: one; or give a list of extents"),
        ("shapes: {v: inner}", "unknown shape 'inner'; known: all-one, fewer, full, inner-one, "),
        ("shapes: {x: one}", "the shape of x is free; give a list of extents, not 'one'"),
        ("dtypes: {w: double}", "w never has the data type 'double'; allowed: float32, float16"),
        (
            "products: [atlas-a2], dtypes: {w: float16}",
            "no case on any product: w: float16 is offered on none of atlas-a2",
        ),
        (
            "dtypes: {w: float16}, each: [{dtypes: {x: float32}}, {dtypes: {w: double}}]",
            "w never has the data type 'double'; allowed: float32, float16",
        ),
        ("products: [atlas-training]", "aclnnThing works on none of atlas-training"),
    ],
)
def test_scenes_choose_what_there_is(complaint: Load, settings: str, expected: str) -> None:
    """A slip in a name, or a scene that would never be a case, is told with its line."""
    text = MINIMAL.replace(SHAPED.splitlines(keepends=True)[0], SHAPED)
    text += f"scenes:\n  - {{id: one, why: A first one., {settings}}}\n"
    assert complaint(text).startswith(f"aclnnThing.yaml:{text.count(chr(10))}: {expected}")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("{eps: [0.5]}", "{eps: [[1]]}", "[1] is no value of eps; wanted: a number"),
        ("{eps: [0.5]}", "{eps: [true]}", "True is no value of eps"),
        ("{eps: [0.5]}", "{eps: [null]}", "None is no value of eps"),
        ("{eps: [0.5]}", "{eps: ['foo bar']}", "'foo bar' is no value of eps"),
    ],
)
def test_values_are_of_the_attribute(complaint: Load, old: str, new: str, sentence: str) -> None:
    """A value that the attribute's type cannot hold is refused with its line."""
    line = MINIMAL[: MINIMAL.index(old)].count("\n") + 1
    assert complaint(MINIMAL.replace(old, new)).startswith(f"aclnnThing.yaml:{line}: {sentence}")
