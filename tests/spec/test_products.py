# SPDX-License-Identifier: Apache-2.0
"""Whoever writes a SoC's name for a product's is told its product, and never another one."""

from __future__ import annotations

import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.products import product_of_soc


@pytest.mark.parametrize(
    ("name", "product"),
    [
        ("Ascend910B3", "atlas-a2"),
        ("ascend910b3", "atlas-a2"),
        ("910B3", "atlas-a2"),
        ("ascend-910b", "atlas-a2"),
        ("Ascend910_9391", "atlas-a3"),
        ("Ascend310P3", "atlas-inference"),
        ("Ascend310B4", "atlas-200i-500-a2"),
        ("Ascend910ProA", "atlas-training"),
        ("Ascend950DT", "ascend-950"),
    ],
)
def test_a_soc_leads_to_its_product(specs: SpecSet, name: str, product: str) -> None:
    """Also as `npu-smi` shows it, and in the spelling of products."""
    with pytest.raises(WrongInputError) as refused:
        specs.product(name)
    assert str(refused.value) == f"{name} is a SoC; its product is {product}"


@pytest.mark.parametrize("name", ["Ascend910", "Ascend920", "ascend-590", "310"])
def test_a_soc_of_no_product_has_no_near_one(specs: SpecSet, name: str) -> None:
    """The nearest id would be another product's; which SoC names there are is told instead."""
    with pytest.raises(WrongInputError) as refused:
        specs.product(name)
    assert str(refused.value).startswith(
        f"unknown product {name!r}; no product's SoC names have this prefix: "
        "Ascend950* (ascend-950), Ascend910_93* (atlas-a3), Ascend910B* (atlas-a2), "
    )


def test_other_names_have_near_ones(specs: SpecSet) -> None:
    """What is not a SoC's name is a typo."""
    with pytest.raises(WrongInputError, match="unknown product 'atlas_a2'; did you mean 'atlas-a"):
        specs.product("atlas_a2")


def test_each_simulated_soc_has_its_product(specs: SpecSet) -> None:
    """Names are matched in the order of the products: that of A3 begins as an older series does."""
    for product in specs.products.values():
        assert product_of_soc(specs.products, product.simulated_soc) == product


def test_no_type_is_tested_that_a_product_does_not_have(specs: SpecSet) -> None:
    """A row that lists bfloat16 for all products is not held against those without it."""
    wrong = {
        (spec.operator, product)
        for spec in specs.tested_operators
        for product in ("atlas-inference", "atlas-training")
        for tensor in spec.tensors
        if spec.supports(product) and "bfloat16" in spec.dtypes(tensor.name, product)
    }
    assert wrong == set()
