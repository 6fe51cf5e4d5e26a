# SPDX-License-Identifier: Apache-2.0
"""Scenes that specs ask for: each made for every data type and variant, or a plain sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.calls import PlannedCall
from aclnn_cts.plan.case_builder import build_case
from aclnn_cts.plan.cases import Case, Intent
from aclnn_cts.plan.factors import factors_of
from aclnn_cts.plan.scenes import special_scenes
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec, SpecialScene

Planned = Callable[..., tuple[Case, ...]]

PRELU = "aclnnPreluBackward"
POOL = "aclnnMaxPool2dWithMaskBackward"
GROUP_NORM = "aclnnGroupNormSwishGrad"
LOGIT = "aclnnLogitGrad"
DROPOUT = "aclnnDropoutBackward"


def with_scene(specs: SpecSet, operator: str, **fields: Any) -> OperatorSpec:
    """Return an operator that asks for one scene."""
    scene = SpecialScene.model_validate({"id": "one", "why": "For a test.", **fields})
    return specs.operator(operator).model_copy(update={"scenes": [scene]})


def made(specs: SpecSet, spec: OperatorSpec, product: str = "atlas-a2") -> list[dict[str, Any]]:
    at = specs.product(product)
    return [
        dict(s.facts) for s in special_scenes(spec, at, factors_of(spec, at, "smoke"), "standard")
    ]


def test_each_variant_for_each_data_type(specs: SpecSet) -> None:
    """A variant adds to the scene's own settings and has the last word."""
    variants = [{"shapes": {"weight": "scalar"}}, {"fill": {"self": "ones"}}]
    spec = with_scene(specs, PRELU, shapes={"self": [2, 3], "weight": "one"}, each=variants)
    found = made(specs, spec)
    assert {facts["shape:self"] for facts in found} == {(2, 3)}
    chosen = {(facts["dtype:self"], facts["shape:weight"]) for facts in found}
    dtypes = ("float32", "float16", "bfloat16")
    assert chosen == {(dtype, name) for dtype in dtypes for name in ("scalar", "one")}
    assert sum(facts["fill:self"] == "ones" for facts in found) == 3
    assert len(found) == 6


def test_a_varied_scene(specs: SpecSet) -> None:
    """Data in both inputs and in one alone; each value of the attribute, with data in both."""
    fill = {"dy": "whole-range", "x": "whole-range"}
    spec = with_scene(specs, LOGIT, shapes={"x": [9]}, fill=fill, varied=True)
    found = [
        (facts["fill:dy"] == "whole-range", facts["fill:x"] == "whole-range")
        for facts in made(specs, spec)
    ]
    levels = factors_of(spec, specs.product("atlas-a2"), "smoke")["attribute:eps"]
    assert found.count((True, True)) == 3 * len(levels)
    assert found.count((True, False)) == found.count((False, True)) == 3
    assert {facts["attribute:eps"] for facts in made(specs, spec)} == {*levels}


def test_what_a_product_lacks_is_left_out(specs: SpecSet) -> None:
    """No bfloat16 output and no own mask on atlas-training; special values are finite there."""
    spec = with_scene(specs, DROPOUT, dtypes={"out": "bfloat16"})
    assert len(made(specs, spec)) == 3
    assert made(specs, spec, "atlas-training") == []
    spec = with_scene(specs, POOL, sources={"indices": "data"})
    assert made(specs, spec, "atlas-training") == []
    spec = with_scene(specs, DROPOUT, fill={"gradOutput": "special"})
    fills = {facts["fill:gradOutput"] for facts in made(specs, spec, "atlas-training")}
    assert fills == {"special-finite"}


@pytest.mark.parametrize(
    ("operator", "absent", "facts"),
    [
        ("aclnnLayerNorm", "weightOptional", {"null:weightOptional": True}),
        ("aclnnLayerNorm", "meanOutOptional", {"null:meanOutOptional": True}),
        ("aclnnSwish", "betaOptional", {"null:betaOptional": True}),
    ],
)
def test_what_may_be_null_is_in_a_scene(
    specs: SpecSet, operator: str, absent: str, facts: dict[str, Any]
) -> None:
    """A scene may ask for a null pointer, and leave it out again in a variant."""
    spec = with_scene(
        specs, operator, absent={absent: True}, each=[{}, {"absent": {absent: False}}]
    )
    both = made(specs, spec)
    assert [facts.items() <= each.items() for each in both[: len(both) // 2]] == [True] * 3
    at = specs.product("atlas-a2")
    for number, each in enumerate(both):
        case = build_case(PlannedCall.of(spec, at.id, each), Intent("one", "standard"))
        sources = [tensor.source for tensor in case.tensors]
        null = "null" in sources or None in case.attributes.values()
        assert null is (number < len(both) // 2)


def test_a_scene_on_some_products(specs: SpecSet) -> None:
    """A scene that names products is made on these alone."""
    spec = with_scene(specs, DROPOUT, products=["atlas-a3"])
    assert (len(made(specs, spec)), len(made(specs, spec, "atlas-a3"))) == (0, 3)


@pytest.mark.parametrize(
    ("operator", "fields", "broken"),
    [
        (PRELU, {"shapes": {"self": [7], "weight": "channels"}}, "the shape 'channels' does not"),
        (PRELU, {"shapes": {"weight": "chanels"}}, "unknown shape 'chanels'; known: channels, "),
        (
            POOL,
            {"attributes": {"kernelSize": [2, 2], "padding": [2, 2]}},
            "it breaks padding-",
        ),
        (POOL, {"dims": {"H": 1, "W": 1}, "attributes": {"kernelSize": [3, 3]}}, "it breaks "),
        (LOGIT, {"shapes": {"x": [1] * 10}}, "it breaks x-rank, dy-rank, out-rank"),
        (DROPOUT, {"dtypes": {"mask": "int8"}}, "it breaks mask-dtype"),
        (DROPOUT, {"shapes": {"gradOutput": [0]}}, "gradOutput has no elements, but may not be"),
        (GROUP_NORM, {"formats": {"dxOut": "FRACTAL_NZ"}}, "it breaks dx-out-format"),
        (GROUP_NORM, {"layouts": {"dxOut": "transposed"}}, "dxOut has the layout transposed, but"),
        (GROUP_NORM, {"fill": {"x": "bits"}}, "x in float32 cannot hold data of the kind bits"),
    ],
)
def test_a_scene_that_is_no_valid_call(
    specs: SpecSet, operator: str, fields: dict[str, Any], broken: str
) -> None:
    """It must not be a call that must work: the spec, the scene and what is broken are named."""
    spec = with_scene(specs, operator, **fields)
    with pytest.raises(WrongInputError) as caught:
        made(specs, spec)
    start = f"{operator}.yaml: scene 'one' is not a valid call on atlas-a2: "
    assert str(caught.value).startswith(start + broken), str(caught.value)


@pytest.mark.parametrize("elements", [2**27, 2**33])
def test_a_scene_of_any_size(specs: SpecSet, elements: int) -> None:
    """How large a tensor may be is up to the device, and not to the plan."""
    spec = with_scene(specs, LOGIT, shapes={"x": [elements]})
    assert {facts["shape:x"] for facts in made(specs, spec)} == {(elements,)}


def test_scenes_keep_to_their_tier(forms: tuple[OperatorSpec, ...], planned: Planned) -> None:
    """A smoke scene is in every tier on its products, a standard scene not in smoke."""
    for spec in (spec for spec in forms if spec.supports("atlas-a2")):
        smoke = {case.scene for case in planned("atlas-a2", "smoke", spec.operator)}
        asked = {scene.id for scene in spec.scenes}
        own = (each for each in spec.scenes if "atlas-a2" in (each.products or ["atlas-a2"]))
        assert asked & smoke == {scene.id for scene in own if scene.tier == "smoke"}


def test_a_scene_chooses_formats(planned: Planned) -> None:
    """Tensors have the formats that a scene names, and elsewhere the first of their rows."""
    chosen: dict[str, set[str]] = {}
    for case in planned("atlas-a2", "smoke", "aclnnSmoothL1Loss"):
        if case.expects_success:
            formats = {tensor.format for tensor in case.tensors}
            chosen.setdefault(case.scene, set()).update(formats)
    assert chosen.pop("formats") == {"NCL", "NCHW", "NHWC"}
    assert set().union(*chosen.values()) == {"ND"}


@pytest.mark.parametrize("operator", ["aclnnLayerNorm", "aclnnAddRmsNormQuant"])
def test_an_empty_call_without_all_that_may_be_null(
    planned: Callable[..., tuple[Case, ...]], operator: str
) -> None:
    """Shapes are often derived from one of these tensors, and elements counted in another."""
    cases = planned("atlas-a2", "smoke", operator)
    empty = [case for case in cases if case.expects_success and not case.tensors[0].numel]
    nulls = [{t.name for t in case.tensors if t.source == "null"} for case in empty]
    optional = {
        t.name for case in cases if case.expects_success for t in case.tensors if t.source == "null"
    }
    assert len(optional) > 1
    assert optional in nulls
