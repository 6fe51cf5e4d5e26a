# SPDX-License-Identifier: Apache-2.0
"""A bad spec never gets past loading: each mistake ends in file, line and a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.spec.minimal import MINIMAL, Load, load_operator

from aclnn_cts.errors import WrongInputError
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.model_files import read_model
from aclnn_cts.spec.models import Products


def test_the_minimal_spec_is_right(tmp_path: Path, specs: SpecSet) -> None:
    """What the other tests break is whole before."""
    path = tmp_path / "aclnnThing.yaml"
    path.write_text(MINIMAL, encoding="utf-8")
    assert load_operator(path, specs.products, specs.traits).operator == "aclnnThing"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("golden: thing", "goldem: thing", "11: unknown key 'goldem'"),
        ("rank: [0, 8]", "rnak: [0, 8]", "8: unknown key 'rnak' in parameters.0"),
        ("attribute: double", "attribute: double, shape: x", "9: unknown key 'shape'"),
        ("summary: A thing for tests.\n", "", "1: summary is missing"),
        ("summary: A thing for tests.", "summary: 5", "2: summary: must be text"),
        ("clauses:\n", "clauses: 5\nx:\n", "14: clauses: must be a list (it is 5)"),
        ("[float32-or-wider]", "many", "13: precision.0.allowances: must be a list"),
        (
            "[float32]",
            "[float31]",
            "8: parameters.0.dtypes.0: unknown data type 'float31'; allowed",
        ),
        ("[float32]", "[[float32]]", "8: parameters.0.dtypes.0: unknown data type ['float32']"),
        ("double}", "scalar}", "9: eps: dtypes (a list) or dtype (x.dtype) go with a scalar"),
        ("double}", "double, dtypes: [float32]}", "9: eps: dtypes (a list) or dtype (x.dtype) go"),
        ("double}", "double, held_in: y.dtype}", "9: unknown tensor 'y'; known: out, x"),
        ("double}", "scalar, dtype: y.dtype}", "9: unknown tensor 'y'; known: out, x"),
        ("double}", "scalar, dtypes: [float32], dtype: x.dtype}", "9: eps: dtypes (a list) or"),
        ("null_pointer: [x, out]", "shape_differs: [eps]", "25: unknown parameter 'eps'"),
        ("double}", "complex}", "9: parameters.1.attribute: must be 'double', 'float', 'int64'"),
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
            "19: clauses.0.expect: must be 'value', 'zero'",
        ),
        ("id: formula", "id: Formula", "15: clauses.0.id: must match the pattern"),
        ("id: formula", "id: null-pointer", "15: two clauses have the id 'null-pointer'"),
        ("id: formula", "id: x-dtype", "15: 'x-dtype' is the id of a clause derived from the"),
        (
            "null_pointer: [x, out]",
            "null_pointer: [y]",
            "25: unknown parameter 'y'; known: eps, out",
        ),
        ("null_pointer: [x, out]", "note: none", "21: error 'null-pointer' needs exactly one of"),
        ("null_pointer: [x, out]", "assign: []", "25: errors.0.assign: must be a list of length 1"),
        ("null_pointer: [x, out]", "products: []", "25: errors.0.products: must be a list of le"),
        ("ACLNN_ERR_PARAM_NULLPTR", "[]", "24: errors.0.status: must be a list of length 1 or"),
        ("    basis: status\n", "", "21: errors.0.basis is missing"),
        ("basis: status", "basis: refused", "26: errors.0.basis: must be"),
        ("basis: status", "basis: refusal", "24: error 'null-pointer' has the basis 'refusal', so"),
        ("basis: status", "basis: requirement", "24: error 'null-pointer' has the basis 'requi"),
        ("    status: ACLNN_ERR_PARAM_NULLPTR\n", "", "25: error 'null-pointer' has the basis 'st"),
        (
            "null_pointer: [x, out]",
            "assign: [{eps: 1}]",
            "25: error 'null-pointer' needs `when`: the values are examples of it",
        ),
        (
            "basis: status",
            "basis: status\n    when: y > 0",
            "27: 'y > 0': unknown name 'y'; known: eps, out, x",
        ),
        (
            "basis: status",
            "basis: status\n    when: not broadcastable(x, y)",
            "27: 'not broadcastable(x, y)': unknown name 'y'; known: eps, out, x",
        ),
        (
            "null_pointer: [x, out]",
            "assign: [{y: 1}]",
            "25: unknown attribute, dimension or tensor 'y'",
        ),
        ("ascend-950: supported, ", "", "5: product 'ascend-950' is missing; say supported,"),
        (
            "ascend-950: s",
            "ascend: s",
            "5: unknown product 'ascend'; known: ascend-950, atlas-200i",
        ),
        (
            "atlas-a2: supported",
            "atlas-a2: maybe",
            "5: products.atlas-a2: must be 'supported'",
        ),
        ("dtype: x.dtype", "dtype: y.dtype", "10: unknown tensor 'y'; known: out, x"),
        ("shape: x.shape", "shape: y.shape", "10: unknown tensor 'y'; known: out, x"),
        ("shape: x.shape", "shape: [n + 1]", "10: 'n + 1': unknown name 'n'; known: eps, out, x"),
        ("shape: x.shape", "shape: {broadcasts_to: y}", "10: unknown tensor 'y'; known: out, x"),
        (
            "shape: x.shape",
            "shape: {resized: {tensor: y, axis: 0, extent: 1}}",
            "10: unknown tensor 'y'; known: out, x",
        ),
        (
            "shape: x.shape",
            "shape: {resized: {tensor: x, axis: n, extent: 1}}",
            "10: 'n': unknown name 'n'; known: eps, out, x",
        ),
        ("dtype: x.dtype, ", "", "10: out: say dtypes (a list), dtype (x.dtype), or both"),
        ("rank: [0, 8]", "rank: [0, 33]", "8: rank is [least, greatest] with 0 <= least"),
        (", rank: [0, 8]", "", "8: x: a free shape needs rank: [least, greatest]"),
        (", shape: x.shape", "", "10: out: an output needs a shape, such as that of an input"),
        ("name: out", "name: x", "8: two parameters are named 'x'"),
        ("name: eps", "name: nan", "9: 'nan' is a constant: no expression can read the parameter"),
        ("tensor: output", "tensor: input", "7: no tensor is an output"),
        ("{output: out,", "{output: x,", "12: output 'out' has no error budget"),
        ("{eps: [0.5]}", "{eps: [null]}", "28: None is not a value of eps; wanted: a number"),
        ("attribute: double", "attribute: double, absent: 1", "9: eps: only a scalar or an ar"),
        ("shape: x.shape", "shape: x.shape, absent: 1", "10: out: an output may be unwanted, an"),
        (", rank: [0, 8]", ", rank: [0, 8], absent: unwanted", "8: x: an output may be unwanted, "),
        ("tensor: output,", "tensor: inout, absent: unwanted,", "10: out: an output may be unwant"),
        (
            "shape: x.shape",
            "shape: x.shape, wanted: eps > 0",
            "10: out: `wanted` goes with `absent",
        ),
        ("attribute: double", "attribute: bools", "28: 0.5 is not a value of eps; wanted: a list"),
        (
            "factors:",
            "second: {operator: aclnnOther, errors: {}, of: [x, out]}\nfactors:",
            "27: second: `tensor` and `of` go together",
        ),
        (", rank: [0, 8]", ", rank: [0, 8], absent: 1", "8: x: only an input whose shape follows"),
        ("{eps: [0.5]}", "{}", "28: attribute 'eps' has no values to vary"),
        ("{eps: [0.5]}", "{eps: [1], y: [1]}", "28: unknown attribute 'y'; known: eps"),
        ("{eps: [0.5]}", "{eps: [1]}\n  fill: {y: [ones]}", "29: unknown input 'y'; known: x"),
        ("{eps: [0.5]}", "{eps: [1]}\n  never_same: [x, y]", "29: unknown input 'y'; known: x"),
        (
            "{eps: [0.5]}",
            "{eps: [1]}\n  fill: {x: [ones, onse]}",
            "29: factors.fill.x.1: unknown kind of data 'onse'; allowed: uniform, normal",
        ),
        (
            "training: unlisted}",
            "training: unsupported}\nunderived: [unsupported_product]",
            "5: atlas-training is unsupported, but no error clause with unsupported_product",
        ),
        *(
            ("golden: thing", f"golden: thing\nbatch_consistency: {{{promise}}}", f"12: {told}")
            for promise, told in (
                ("level: 3, tensor: out, reduced: 0", "unknown input 'out'; known: x"),
                ("level: 3, tensor: x, reduced: n", "'n': unknown name 'n'; known: eps, out, x"),
                ("level: 1, tensor: x, reduced: 0", "batch_consistency.level: must be 0 or 3"),
                (
                    "level: 0, products: [atlas-training], tensor: x, reduced: 0",
                    "unknown product 'atlas-training'; known: ascend-950",
                ),
            )
        ),
        *(
            ("factors:", f"not_promised: {{gap: {{text: some results, {rest}}}}}\nfactors:", told)
            for rest, told in (
                ("when: y > 0", "27: 'y > 0': unknown name 'y'; known: eps, out, x"),
                ("output: [y], when: x < eps", "27: unknown output 'y'; known: out"),
                ("output: [out]", "27: `output` goes with `when`"),
                ("products: [atlas-a2]", "27: `products` goes with `when`"),
                (
                    "when: not isfinite(eps)",
                    "27: 'gap' overlaps the clause 'formula': both apply with eps = -inf, x = ",
                ),
                ("when: x > 0.9 and eps < 1", "27: 'gap' overlaps the clause 'formula': both"),
            )
        ),
        ("operator: aclnnThing", "operator: aclnnOther", "1: the file of aclnnOther must be named"),
        (
            "golden: thing",
            "golden: thing\ngolden: other",
            "12: not valid YAML: duplicate key 'golden'",
        ),
        ("golden: thing", "golden: [thing", "12: not valid YAML: did not find expected ',' or ']'"),
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


def test_complex_tensors_are_refused(complaint: Load) -> None:
    """No case can use them, so a spec says so, or its first run would end in a traceback."""
    told = complaint(MINIMAL.replace("dtypes: [float32]", "dtypes: [float32, complex64]"))
    assert "x: no case can use complex64; list them in `untested_on`" in told


def test_types_of_a_product_are_among_all(complaint: Load) -> None:
    """A device that takes only those of all products would refuse the further one."""
    types = "dtypes: [float32], dtypes_on: {ascend-950: [float32, float16]}"
    told = complaint(MINIMAL.replace("dtypes: [float32]", types, 1))
    assert "aclnnThing.yaml" in told
    assert "x: `dtypes`, of all products, lacks float16" in told


def test_a_prototype_has_an_end(complaint: Load) -> None:
    """Hundreds of parameters would keep the planner busy for minutes."""
    row = "  - {name: eps, attribute: double}\n"
    many = "".join(row.replace("eps", f"a{number}") for number in range(70))
    assert "parameters" in complaint(MINIMAL.replace(row, row + many))


def test_a_list_is_not_held_against_other_forms(complaint: Load) -> None:
    """Where text, a list or a mapping may be written, only the written form is spoken of."""
    assert complaint(MINIMAL.replace("shape: x.shape", 'shape: ["*rest", 1, "*last"]')) == (
        "aclnnThing.yaml:10: parameters.2.shape: '*last': only one dimension can be a spread"
    )


def test_an_overridden_clause_must_exist(complaint: Load) -> None:
    """`overrides` names a value clause of the same spec."""
    found = complaint(MINIMAL.replace("expect: value", "expect: value\n    overrides: [other]"))
    assert found == "aclnnThing.yaml:20: unknown clause 'other'; known: formula"


def test_random_bits_stand_alone(complaint: Load) -> None:
    """Nothing else is promised of values; `by` names an attribute, and goes with them."""
    drawn = MINIMAL.replace("expect: value", "expect: random-bits\n    by: seed")
    assert complaint(drawn) == "aclnnThing.yaml:20: unknown attribute 'seed'; known: eps"
    told = "if one clause expects random-bits, all do; `by` goes with it"
    assert complaint(MINIMAL.replace("expect: value", "by: eps")) == f"aclnnThing.yaml:15: {told}"
    where = "where: {section: function, item: i}"
    other = f"  - {{id: other, text: some value, {where}, expect: random-bits}}"
    assert told in complaint(MINIMAL.replace("errors:", f"{other}\nerrors:"))


def test_gathering_belongs_into_when(complaint: Load) -> None:
    """A rule has one truth per call; any_of would have no meaning there."""
    rule = (
        "rules:\n  - {id: r, text: some rule here, where: {section: errors, item: i}, "
        "require: any_of(eps > 0)}\n"
    )
    assert complaint(MINIMAL + rule) == (
        "aclnnThing.yaml:30: 'any_of(eps > 0)': any_of and all_of are allowed only in "
        "`when` of clauses"
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
    with pytest.raises(WrongInputError, match=r"products\.yaml:1: is not valid UTF-8"):
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


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("{eps: [0.5]}", "{eps: [[1]]}", "[1] is not a value of eps; wanted: a number"),
        ("{eps: [0.5]}", "{eps: [true]}", "True is not a value of eps"),
        ("{eps: [0.5]}", "{eps: [null]}", "None is not a value of eps"),
        ("{eps: [0.5]}", "{eps: ['foo bar']}", "'foo bar' is not a value of eps"),
    ],
)
def test_values_are_of_the_attribute(complaint: Load, old: str, new: str, sentence: str) -> None:
    """A value that the attribute's type cannot hold is refused with its line."""
    line = MINIMAL[: MINIMAL.index(old)].count("\n") + 1
    assert complaint(MINIMAL.replace(old, new)).startswith(f"aclnnThing.yaml:{line}: {sentence}")


@pytest.mark.parametrize(
    ("levels", "sentence"),
    [
        ("{eps: [128]}", "128 is not a value of eps; wanted: a whole number from -128 to 127"),
        ("{eps: [0.5]}", "0.5 is not a value of eps"),
        ("{eps: [1]}\n  attributes_on: {atlas-a2: {eps: [200]}}", "200 is not a value of eps"),
        ("{eps: [1]}\n  attributes_on: {atlas-a2: {ep: [1]}}", "unknown attribute 'ep'"),
        ("{eps: [1]}\n  attributes_on: {atlas-a: {eps: [1]}}", "unknown product 'atlas-a'"),
        ("{eps: [1]}\n  dims_on: {atlas-a: {N: [1]}}", "unknown product 'atlas-a'"),
        ("{eps: [1]}\n  dims_on: {atlas-a2: {N: [1]}}", "unknown dimension 'N'"),
    ],
)
def test_values_of_an_int8(complaint: Load, levels: str, sentence: str) -> None:
    """A value fits into eight bits, on each product that there is."""
    text = MINIMAL.replace("{name: eps, attribute: double}", "{name: eps, attribute: int8}")
    assert sentence in complaint(text.replace("{eps: [0.5]}", levels))


@pytest.mark.parametrize(
    ("kind", "level"), [("uint64", -1), ("uint64", 2**64), ("int64", 2**63), ("int", 2**31)]
)
def test_values_of_integers(complaint: Load, kind: str, level: int) -> None:
    """A value is one that the C type has."""
    text = MINIMAL.replace("{name: eps, attribute: double}", f"{{name: eps, attribute: {kind}}}")
    found = complaint(text.replace("{eps: [0.5]}", f"{{eps: [{level}]}}"))
    assert f"{level} is not a value of eps; wanted: a whole number" in found


def test_values_of_a_data_type(complaint: Load) -> None:
    """An attribute may be a data type, under our names."""
    text = MINIMAL.replace("{name: eps, attribute: double}", "{name: eps, attribute: dtype}")
    found = complaint(text.replace("{eps: [0.5]}", "{eps: [float32, float]}"))
    assert "'float' is not a value of eps; wanted: a data type" in found
