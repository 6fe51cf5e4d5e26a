# SPDX-License-Identifier: Apache-2.0
"""The specs of a suite together: no operators, producers, names and clauses that are looked up."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import SMALL, small_suite

from aclnn_cts.errors import WrongInputError
from aclnn_cts.spec import loading
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """Specs to be spoilt."""
    return small_suite(tmp_path, *SMALL)


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
            "unknown operator 'aclnnMaxPool3d'; known: aclnnLogitGrad, ",
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
        load_specs(suite).require_valid()
    assert str(caught.value).startswith(f"{path}:{line}: {message}")


def test_allowances_of_one_id(suite: Suite) -> None:
    """Of two allowances the later one is named, before any spec that refers to them."""
    path = suite.specs / "allowances.yaml"
    text = path.read_text(encoding="utf-8")
    broken = text.replace("id: division-within-one-ulp", "id: float32-or-wider")
    path.write_text(broken, encoding="utf-8")
    line = broken[: broken.rindex("id: float32-or-wider")].count("\n") + 1
    with pytest.raises(WrongInputError) as caught:
        load_specs(suite)
    assert str(caught.value) == f"{path}:{line}: duplicate id 'float32-or-wider'"


def test_an_allowance_that_stands_twice(suite: Suite) -> None:
    """A spec names each allowance of an output once."""
    path = suite.specs / "aclnnLogitGrad.yaml"
    text = path.read_text(encoding="utf-8")
    entry = "[float32-or-wider, "
    path.write_text(text.replace(entry, f"{entry}float32-or-wider, "), encoding="utf-8")
    line = text[: text.index(entry)].count("\n") + 1
    with pytest.raises(WrongInputError) as caught:
        load_specs(suite).require_valid()
    assert str(caught.value) == f"{path}:{line}: duplicate allowance 'float32-or-wider'"


def test_unknown_names_offer_the_nearest(specs: SpecSet) -> None:
    """A slip in an operator's or product's name is answered with the right one."""
    with pytest.raises(WrongInputError, match="did you mean 'aclnnLogitGrad'"):
        specs.operator("aclnnLogitgrad")
    with pytest.raises(WrongInputError, match="did you mean 'atlas-a2'"):
        specs.product("atlas-a22")


def test_tested_operators_by_name(specs: SpecSet) -> None:
    """Each once, in the order of the names; all without names; a producer is none of them."""
    logit, prelu = "aclnnLogitGrad", "aclnnPreluBackward"
    named = specs.select_tested([prelu, logit, prelu])
    assert [spec.operator for spec in named] == [prelu, logit]
    assert specs.select_tested(None) == specs.tested_operators
    assert specs.select_tested([]) == ()
    with pytest.raises(WrongInputError, match="unknown operator 'aclnnMaxPool2dWithMask'"):
        specs.select_tested(["aclnnMaxPool2dWithMask"])


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


def test_only_files_that_are_needed_are_read(suite: Suite) -> None:
    """An operator's file is read with those of its producers, and no other."""
    needed = {"aclnnMaxPool2dWithMask", "aclnnMaxPool2dWithMaskBackward"}
    for path in suite.specs.glob("aclnn*.yaml"):
        if path.stem not in needed:
            path.write_text("[", encoding="utf-8")
    specs = load_specs(suite)
    assert specs.operator("aclnnMaxPool2dWithMaskBackward").inputs
    assert not loading._files(suite).invalid
    with pytest.raises(WrongInputError, match="not valid YAML"):
        specs.operator("aclnnLogitGrad")


def test_an_invalid_spec_leaves_the_others(suite: Suite) -> None:
    """It is refused where it is asked for, by its name or with all; others can be used."""
    path = suite.specs / "aclnnLogitGrad.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("summary:", "sumary:"))
    specs = load_specs(suite)
    assert specs.operator("aclnnPreluBackward") == specs.select_tested(["aclnnPreluBackward"])[0]
    for ask in (
        lambda: specs.operator("aclnnLogitGrad"),
        lambda: specs.select_tested(["aclnnLogitGrad"]),
        lambda: specs.select_tested(None),
    ):
        with pytest.raises(WrongInputError) as caught:
            ask()
        assert f"{path}:3: unknown key 'sumary'" in str(caught.value)


@pytest.mark.parametrize("mark", ["", '"'])
def test_a_second_operator_is_found_without_reading_all_files(tmp_path: Path, mark: str) -> None:
    """A run of one operator need not wait until those of a whole release are read."""
    suite = small_suite(tmp_path, *SMALL, "aclnnAddRelu")
    path = suite.specs / "aclnnAddRelu.yaml"
    name, text = "aclnnInplaceAddRelu", path.read_text(encoding="utf-8")
    path.write_text(text.replace(f" {name}\n", f" {mark}{name}{mark}\n"))
    assert load_specs(suite).operator(name).second_of == "aclnnAddRelu"
    assert list(loading._files(suite)._read) == [path]


@pytest.mark.parametrize(
    ("new", "told"), [("sumary:", "3: unknown key"), ("summary: [", "4: not valid YAML")]
)
def test_the_second_operator_of_an_invalid_spec(tmp_path: Path, new: str, told: str) -> None:
    """It is no unknown operator: the place in its file is named, also if that is no YAML."""
    suite = small_suite(tmp_path, *SMALL, "aclnnAddRelu")
    path = suite.specs / "aclnnAddRelu.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("summary:", new, 1))
    specs = load_specs(suite)
    for ask in (specs.operator, lambda name: specs.select_tested([name])):
        with pytest.raises(WrongInputError, match=f"{path}:{told}"):
            ask("aclnnInplaceAddRelu")
    assert list(specs.invalid) == ["aclnnAddRelu"]
    with pytest.raises(WrongInputError, match="unknown operator 'aclnnInplaceAdd'"):
        specs.operator("aclnnInplaceAdd")
