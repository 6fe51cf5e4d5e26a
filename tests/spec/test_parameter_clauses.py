# SPDX-License-Identifier: Apache-2.0
"""Clauses that follow from the parameter rows: stable ids, texts and places for each of them."""

from __future__ import annotations

import re

import pytest

from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.parameter_clauses import all_clause_texts, clause_id, structural_clauses


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ("x", "x-dtype"),
        ("gradOutput", "grad-output-dtype"),
        ("dgammaOut", "dgamma-out-dtype"),
        ("dx_out", "dx-out-dtype"),
    ],
)
def test_ids_are_in_kebab_case(parameter: str, expected: str) -> None:
    """Ids are published in reports: they follow from the prototype's names alone."""
    assert clause_id(parameter, "dtype") == expected


def test_the_clauses_of_one_operator(specs: SpecSet) -> None:
    """Rows of aclnnLogitGrad: x has a free shape, dy and out have that of x."""
    found = [clause.id for clause in structural_clauses(specs.operator("aclnnLogitGrad"))]
    kinds = ["dtype", "rank", "format", "shape", "non-contiguous", "empty"]
    expected = [f"{name}-{kind}" for name in ("x", "dy", "out") for kind in kinds]
    expected.remove("x-shape")
    assert found == ["product-support", *expected, "determinism"]


def test_determinism_names_the_products(specs: SpecSet) -> None:
    """Where products differ, the clause says which promise holds on which."""
    clauses = structural_clauses(specs.operator("aclnnGroupNormSwishGrad"))
    text = {clause.id: clause.text for clause in clauses}["determinism"]
    assert "the same bits (ascend-950)" in text
    assert "switched on (atlas-a3, atlas-a2)" in text


def test_batch_consistency_names_products_and_level(specs: SpecSet) -> None:
    """The clause says where a batch changes nothing, and whether that must be switched on."""
    texts = {
        name: {each.id: each.text for each in structural_clauses(specs.operator(name))}
        for name in ("aclnnSoftmax", "aclnnCrossEntropySumExpAndIndexLogit", "aclnnRelu")
    }
    always, switched = (
        texts["aclnnCrossEntropySumExpAndIndexLogit"]["batch-consistency"],
        texts["aclnnSoftmax"]["batch-consistency"],
    )
    assert always.endswith("and its place there (ascend-950)")
    assert switched.endswith("once determinism has the level 3 (ascend-950)")
    assert "batch-consistency" not in texts["aclnnRelu"]
    assert specs.operator("aclnnSoftmax").batch_level_on("ascend-950") == 3
    assert specs.operator("aclnnSoftmax").batch_level_on("atlas-a2") is None


def test_texts_of_rows(specs: SpecSet) -> None:
    """The derived texts say what the row says, data types by product included."""
    texts = all_clause_texts(specs.operator("aclnnPreluBackward"), specs.common)
    assert texts["self-dtype"][0] == (
        "self has the data type float32, float16 or bfloat16; on atlas-training float32 or float16"
    )
    assert texts["self-rank"] == (
        "self has 0 to 8 dimensions",
        "aclnnPreluBackward, parameters, self, dimensions",
    )
    pooling = all_clause_texts(specs.operator("aclnnMaxPool2dWithMaskBackward"), specs.common)
    assert pooling["grad-output-shape"][0] == "gradOutput has the shape [N, C, Ho, Wo]"


def test_every_clause_has_a_text_and_a_place(specs: SpecSet) -> None:
    """A report can quote each clause: value clauses, rules, errors, rows and common ones."""
    for spec in specs.operators.values():
        texts = all_clause_texts(spec, specs.common)
        count = len(spec.clauses) + len(spec.rules) + len(spec.errors) + len(specs.common)
        assert len(texts) == count + len(structural_clauses(spec))
        for clause, (text, place) in texts.items():
            assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", clause)
            assert len(text) >= 8
            assert ", " in place or place.startswith("a rule of this suite: ")
