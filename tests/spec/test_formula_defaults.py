# SPDX-License-Identifier: Apache-2.0
"""What the formula of a spec determines, where the spec does not state it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.spec.minimal import load_operator

from aclnn_cts.errors import WrongInputError
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

_SPEC = """\
operator: aclnnThing
summary: A thing for tests.
header: aclnnop/aclnn_thing.h
document: {title: aclnnThing, edition: "2026-08"}
products:
  supported: [atlas-a2]
  unlisted: [ascend-950, atlas-a3, atlas-200i-500-a2, atlas-inference, atlas-training]
parameters:
  - {name: gradOutput, tensor: input, dtype: x.dtype, shape: x.shape}
  - {name: x, tensor: input, dtypes: [float32, float16], rank: [0, 8]}
  - {name: eps, attribute: double}
  - {name: out, tensor: output, dtype: x.dtype, shape: x.shape}
formula:
  out: %s
errors:
  ACLNN_ERR_PARAM_NULLPTR:
    - {null_pointer: [x, out]}
"""
_FACTORS = "factors: {attributes: {eps: [0.5]}%s}\n"


def _spec(formula: str, path: Path, specs: SpecSet, more: str = "", fill: str = "") -> OperatorSpec:
    path = path / "aclnnThing.yaml"
    path.write_text(_SPEC % formula + more + _FACTORS % fill, encoding="utf-8")
    return load_operator(path, specs.products, specs.traits)


def test_a_formula_alone(tmp_path: Path, specs: SpecSet) -> None:
    """Scenes, data, allowances and a clause about all elements follow."""
    spec = _spec("gradOutput * x if x > 3 else 0", tmp_path, specs)
    assert spec.traits == ["elementwise"]
    assert {"rounding", "beyond-one-tile", "magnitudes"} <= {scene.id for scene in spec.scenes}
    assert list(spec.factors.fill) == ["x", "gradOutput"]
    assert "around-thresholds" in spec.factors.fill["x"]
    (clause,) = spec.clauses
    assert (clause.id, clause.when.text) == ("formula", "true")
    assert "gradOutput * x if x > 3 else 0" in clause.text
    assert [(one.clause, one.missing) for one in spec.one_sided] == [("formula", "negative")]


def test_elements_that_are_equal(tmp_path: Path, specs: SpecSet) -> None:
    """A formula of attributes alone gives equal elements, which cases need not tell apart."""
    assert _spec("eps + 1", tmp_path, specs).is_uniform
    assert not _spec("x + eps", tmp_path, specs).is_uniform


def test_data_of_a_mask(tmp_path: Path, specs: SpecSet) -> None:
    """A mask holds as many truths as not, where a scene asks for nothing else."""
    mask = "factors: {attributes: {eps: [0.5]}}\n"
    text = (_SPEC % "x if gradOutput else 0" + mask).replace("dtype: x.dtype", "dtypes: [bool]", 1)
    path = tmp_path / "aclnnThing.yaml"
    path.write_text(text, encoding="utf-8")
    spec = load_operator(path, specs.products, specs.traits)
    assert spec.factors.fill["gradOutput"] == ["labels"]


_ALWAYS = {"float32-or-wider", "halves-either-way", "subnormals-flushed"}
_DIVIDED = {"division-within-one-ulp", "division-by-reciprocal"}


@pytest.mark.parametrize(
    ("formula", "allowances"),
    [
        ("gradOutput if x > 0 else 0", {"subnormals-flushed"}),
        ("gradOutput * x", _ALWAYS),
        ("gradOutput * x + 1", _ALWAYS | {"intermediates-in-own-type"}),
        ("x / 3", _ALWAYS | _DIVIDED),
        ("x * (1 / 3)", _ALWAYS),
        ("exp(x)", _ALWAYS | {"functions-within-two-ulps"}),
        (
            "sigmoid(x)",
            _ALWAYS | _DIVIDED | {"functions-within-two-ulps", "intermediates-in-own-type"},
        ),
        ("x * eps", _ALWAYS | {"scalars-in-own-type"}),
    ],
)
def test_allowances(formula: str, allowances: set[str], tmp_path: Path, specs: SpecSet) -> None:
    """Each operation brings those that it has a place for."""
    (precision,) = _spec(formula, tmp_path, specs).precision
    assert set(precision.allowances) == allowances


def test_a_spec_states_what_differs(tmp_path: Path, specs: SpecSet) -> None:
    """What it states is kept, and what it does not state of a clause is added."""
    more = """\
precision:
  - {output: out, allowances: [subnormals-flushed], why: Nothing else.}
clauses:
  - {id: above, when: x > 0}
  - {id: below, when: x < 0, expect: zero}
"""
    spec = _spec("x if x > 0 else 0", tmp_path, specs, more, ", fill: {x: [uniform]}")
    assert spec.precision[0].allowances == ["subnormals-flushed"]
    assert spec.factors.fill == {"x": ["uniform"]}
    assert not spec.one_sided
    for clause in spec.clauses:
        assert clause.when.text in clause.text
        assert (clause.where.section, clause.where.item) == ("function", "formula")


def test_sums_along_an_axis_have_no_defaults(tmp_path: Path, specs: SpecSet) -> None:
    """Such an operator is not elementwise, and its spec states what devices may do."""
    with pytest.raises(WrongInputError, match="has no error budget"):
        _spec("x / sum(x, eps)", tmp_path, specs)


def test_a_row_on_conversion_that_no_call_breaks(tmp_path: Path, specs: SpecSet) -> None:
    """All supported data types convert, and another row refuses the others."""
    rows = "  ACLNN_ERR_PARAM_INVALID:\n    - {not_castable: [out]}\n"
    assert {one.clause for one in _spec("x", tmp_path, specs, rows).one_sided} == {"formula"}
    rows += "    - {dtype_outside_support: [x, out]}\n"
    told = {one.clause for one in _spec("x", tmp_path, specs, rows).one_sided}
    assert told == {"formula", "not-castable"}


def test_messages_name_the_second_operator(tmp_path: Path, specs: SpecSet) -> None:
    """A file of two operators is read twice, and most of it is of the first."""
    more = """\
one_sided:
  - {clause: rank-above-eight, missing: negative, reason: No reason at all.}
second:
  operator: aclnnOther
  errors: {ACLNN_ERR_PARAM_NULLPTR: [{null_pointer: [x]}]}
  changes: {parameters: {x: {rank: null}}}
"""
    with pytest.raises(WrongInputError, match=r"aclnnOther: unknown clause 'rank-above-eight'"):
        _spec("x", tmp_path, specs, more)
