# SPDX-License-Identifier: Apache-2.0
"""Scenes name what exists, and choose what there is."""

from __future__ import annotations

import pytest
from tests.spec.minimal import MINIMAL, Load

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
        (1, "unknown clause 'x-shapely'"),
        (3, "two scenes have the id 'one'"),
        (5, "unknown name 'y' in fill"),
        (7, "unknown name 'epsilon' in attributes"),
        (8, "two scenes have the id 'one'"),
        (8, "unknown product 'atlas-a4'"),
        (8, "unknown name 'out' in shapes"),
    }


def test_no_scene_has_the_id_of_planned_cases(complaint: Load) -> None:
    """Waivers and the quarantine name cases by their scene: one id must not mean two."""
    lines = complaint(MINIMAL + SCENES.replace("id: one, why", "id: cover, why")).splitlines()
    (told,) = (line for line in lines if "'cover'" in line)
    assert int(told.split(":", 2)[1]) == MINIMAL.count("\n") + 9


SHAPED = (
    "  - {name: x, tensor: input, dtypes: [float32], rank: [0, 8]}\n"
    "  - {name: w, tensor: input, dtypes: [float32, float16], "
    "dtypes_on: {atlas-a3: [float16], atlas-a2: [float32]}, "
    "shape: {one_of: [{name: one, dims: [1]}]}}\n"
    "  - {name: v, tensor: input, dtypes: [float32], shape: {broadcasts_to: x}}\n"
)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("fill: {x: bits-paddding}", "scenes.0.fill.x: unknown kind of data 'bits-paddding'; allo"),
        (
            "formats: {x: NHCW}",
            "scenes.0.formats.x: unknown format 'NHCW'; allowed: NCHW, ",
        ),
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
