# SPDX-License-Identifier: Apache-2.0
"""The short form of a spec: what follows from its tables and traits, and what may be said of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.spec.minimal import MINIMAL, Load, load_operator

from aclnn_cts.errors import WrongInputError
from aclnn_cts.spec.clause_models import ErrorClause
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

Read = Callable[..., OperatorSpec]


@pytest.fixture
def read(tmp_path: Path, specs: SpecSet) -> Read:
    """Load the small spec with other sections in the place of its own; None leaves one out."""

    def load(**sections: Any) -> OperatorSpec:
        data = {**yaml.safe_load(MINIMAL), **sections}
        kept = {key: value for key, value in data.items() if value is not None}
        path = tmp_path / "aclnnThing.yaml"
        path.write_text(yaml.safe_dump(kept, sort_keys=False), encoding="utf-8")
        return load_operator(path, specs.products, specs.traits)

    return load


def _error(spec: OperatorSpec, name: str) -> ErrorClause:
    return next(error for error in spec.errors if error.id == name)


def test_requirements_follow_from_the_tables(read: Read) -> None:
    """What no clause states of a column is a requirement, with the column as its place."""
    spec = read(errors={}, products={"supported": ["atlas-a2"], "unsupported": _OTHERS})
    derived = ("dtype-differs", "shape-differs", "rank-above-eight", "format-private")
    ids = (*derived, "product-unsupported")
    assert {each.id: each.basis for each in spec.errors} == dict.fromkeys(ids, "requirement")
    assert _error(spec, "dtype-differs").dtype_differs == ["out"]
    assert _error(spec, "rank-above-eight").rank_outside == ["x"]
    assert _error(spec, "format-private").where.item == "data formats"


_OTHERS = ["ascend-950", "atlas-a3", "atlas-200i-500-a2", "atlas-inference", "atlas-training"]


def test_a_stated_kind_is_not_derived(read: Read) -> None:
    """An error table that speaks of a column, or a page that leaves it open, says all of it."""
    rows = {"ACLNN_ERR_PARAM_INVALID": [{"shape_differs": ["out"]}]}
    spec = read(errors=rows, underived=["dtype_differs", "rank_outside"])
    assert [error.id for error in spec.errors] == ["shape-differs", "format-private"]
    assert spec.errors[0].basis == "status"


def test_a_row_states_its_own_bound(read: Read) -> None:
    """A row may refuse more dimensions than 3, whatever the tensor's own row allows."""
    rows = [{"rank_outside": ["x"], "dimensions": 3}, {"rank_below": ["x"], "dimensions": 2}]
    spec = read(errors={"ACLNN_ERR_PARAM_INVALID": rows})
    texts = {error.id: error.text for error in spec.errors[:2]}
    assert texts == {
        "rank-above-three": "x has at most 3 dimensions",
        "rank-below-two": "x has at least 2 dimensions",
    }
    with pytest.raises(WrongInputError, match="is about no dimensions: drop `dimensions`"):
        read(errors={"ACLNN_ERR_PARAM_INVALID": [{"shape_differs": ["out"], "dimensions": 3}]})


def test_rows_have_their_place_by_their_order(read: Read) -> None:
    """The rows of a status are counted; a row may state its number, and its part."""
    rows = [
        {"dtype_outside_support": ["x"]},
        {"dtype_differs": ["out"], "item": "second half"},
        {"row": 7, "shape_differs": ["out"]},
        {"rank_outside": ["x"]},
    ]
    spec = read(errors={"ACLNN_ERR_PARAM_INVALID": rows})
    assert [error.where.item for error in spec.errors][:4] == [
        "ACLNN_ERR_PARAM_INVALID, first row",
        "ACLNN_ERR_PARAM_INVALID, second row, second half",
        "ACLNN_ERR_PARAM_INVALID, seventh row",
        "ACLNN_ERR_PARAM_INVALID, eighth row",
    ]


def test_values_of_an_assignment_one_at_a_time(read: Read) -> None:
    """A mapping from a name to values stands for one assignment each."""
    row = {"id": "eps", "text": "eps is not 1 or 2", "item": "eps", "when": "eps > 0"}
    spec = read(errors={"requirement": [{**row, "assign": {"eps": [1.0, 2.0]}}]})
    assert spec.errors[0].assign == [{"eps": 1.0}, {"eps": 2.0}]
    assert (spec.errors[0].where.section, spec.errors[0].where.item) == ("parameters", "eps")


def test_what_an_edition_changes_of_derived_clauses(specs: SpecSet) -> None:
    """An edition whose error table is lost has refusals without a status."""
    spec = specs.operator("aclnnLogitGrad")
    assert _error(spec, "null-pointer").basis == "status"
    lost = spec.editions["earlier"].changes["errors"]["null-pointer"]
    assert lost == {"basis": "refusal", "status": None}


def test_scenes_of_traits(read: Read) -> None:
    """A trait's scenes are there, changed by what the spec states of them, or taken back."""
    spec = read(traits=["elementwise"], scenes={"rounding": {"tier": "full"}})
    assert {scene.id: scene.tier for scene in spec.scenes} == {
        "rounding": "full",
        "magnitudes": "smoke",
        "turning-points": "smoke",
        "whole-range": "smoke",
        "specials": "smoke",
        "every-number": "standard",
        "beyond-one-tile": "smoke",
    }
    assert spec.scenes[0].shapes == {"x": [1024]}
    spec = read(traits=["elementwise"], scenes={"rounding": None})
    assert "rounding" not in {scene.id for scene in spec.scenes}


def test_a_scene_of_a_trait_may_be_about_all_floating_inputs(specs: SpecSet) -> None:
    """Those of integers alone are left out, and masks."""

    def inputs_of(operator: str) -> dict[str, object]:
        (scene,) = (each for each in specs.operator(operator).scenes if each.id == "specials")
        return dict(scene.fill)

    assert inputs_of("aclnnSmoothL1LossBackward") == dict.fromkeys(
        ("gradOut", "self", "target"), "specials"
    )
    assert inputs_of("aclnnSilu") == {"self": "specials"}


def test_variants_side_by_side(read: Read) -> None:
    """A mapping under `each` gives the values that settings take in turn."""
    each = {"attributes": {"eps": [0.5, 1.0]}, "shapes": {"x": [[1], [2]]}}
    spec = read(scenes={"own": {"why": "because of both", "each": each}})
    variants = [(item.attributes, item.shapes) for item in spec.scenes[0].each]
    assert variants == [({"eps": 0.5}, {"x": [1]}), ({"eps": 1.0}, {"x": [2]})]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "errors: {ACLNN_ERR_PARM_INVALID: []}",
            "unknown status or basis 'ACLNN_ERR_PARM_INVALID'",
        ),
        ("errors: {requirement: 5}", "requirement: must be a list"),
        ("errors: {requirement: [{shape_differs: [outt]}]}", "unknown parameter 'outt'"),
        ("traits: [elementwize]", "unknown trait 'elementwize'; did you mean 'elementwise'?"),
        ("scenes: {rounding: null}", "'rounding' is not a scene of a trait"),
        ("scenes: {own: {why: a good reason, each: {fill: {x: 5}}}}", "scenes.0.each: must be"),
    ],
)
def test_mistakes_in_short_forms(complaint: Load, text: str, said: str) -> None:
    """A mistake is named at its line, whatever it expands to."""
    base = MINIMAL.partition("errors:")[0] + "factors: {attributes: {eps: [0.5]}}\n"
    assert complaint(f"{base}{text}\n").startswith(
        f"aclnnThing.yaml:{base.count(chr(10)) + 1}: {said}"
    )


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ("out.shape", "x: its shape follows from itself"),
        ("[4]", "unknown name 'x' in shapes"),
    ],
)
def test_scenes_of_traits_without_a_free_input(complaint: Load, shape: str, said: str) -> None:
    """An operator whose inputs cannot have the shapes of a trait is told which of them."""
    text = MINIMAL.replace("rank: [0, 8]", f"shape: {shape}, rank: [0, 8]")
    found = complaint(f"{text}traits: [elementwise]\n")
    assert said in found
    assert "$free" not in found
