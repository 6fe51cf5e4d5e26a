# SPDX-License-Identifier: Apache-2.0
"""Facts of the earlier pages, written down once more, independently of the YAML."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.planner import plan
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.parameter_clauses import structural_clauses
from aclnn_cts.suite import find_suite

DROPOUT = "aclnnDropoutBackward"
GROUP_NORM = "aclnnGroupNormSwishGrad"
LOGIT = "aclnnLogitGrad"
POOL = "aclnnMaxPool2dWithMaskBackward"
PRELU = "aclnnPreluBackward"

SUPPORT = {
    #            950  A3  A2 310B 310P 910
    DROPOUT: "     ?   +   +   -    -    +",
    GROUP_NORM: "  ?   +   +   -    -    -",
    LOGIT: "       ?   +   +   -    -    -",
    POOL: "        ?   ?   +   ?    ?    +",
    PRELU: "       ?   ?   +   ?    ?    +",
}
MARKS = {"supported": "+", "unsupported": "-", "unlisted": "?"}

NON_CONTIGUOUS = {
    DROPOUT: "gradOutput mask out",
    GROUP_NORM: "dy mean rstd x gamma beta dxOut dgammaOut dbetaOut",
    LOGIT: "x dy out",
    POOL: "gradOutput self",
    PRELU: "gradOutput self weight gradInput gradWeight",
}
EMPTY = {DROPOUT: "", GROUP_NORM: "", LOGIT: "x dy out", POOL: "", PRELU: ""}
"""The page of LogitGrad names x and dy; out has the shape of x."""

RANKS = {
    # gradOutput: not stated; a free shape needs them to be planned. mask: what its shape gives.
    DROPOUT: {"gradOutput": (1, 8), "mask": (1, 1)},
    GROUP_NORM: {"dy": (2, 8), "x": (2, 8), "gamma": (1, 1), "beta": (1, 1)},
    LOGIT: {"x": (0, 8), "dy": (0, 8)},
    POOL: {},
    PRELU: {"self": (0, 8)},  # not stated, as for DROPOUT
}

GONE = {
    DROPOUT: "scale-nan",
    GROUP_NORM: "statistics-samples x-shape-differs rank-above-eight no-empty-tensors "
    "outputs-contiguous",
    LOGIT: "",
    POOL: "dilation-wrong-length rank-above-four",
    PRELU: "weight-shape-differs",
}
"""Refusals of the current edition that the earlier pages say nothing about."""


@pytest.fixture(scope="module")
def earlier() -> SpecSet:
    """The specs as the earlier pages have them."""
    return load_specs(find_suite(), "earlier")


@pytest.fixture(scope="module")
def store() -> PlanCache:
    """The covering arrays that other tests need, too."""
    return PlanCache.of(find_suite())


@pytest.mark.parametrize("operator", SUPPORT)
def test_products(earlier: SpecSet, operator: str) -> None:
    """Supported, unsupported, or not mentioned."""
    products = earlier.operator(operator).products
    assert [MARKS[products[name]] for name in earlier.products] == SUPPORT[operator].split()


@pytest.mark.parametrize("operator", SUPPORT)
def test_layouts_and_empty_tensors(earlier: SpecSet, operator: str) -> None:
    """What the pages say of non-contiguous and of empty tensors; silence is not a promise."""
    tensors = earlier.operator(operator).tensors
    found = {tensor.name for tensor in tensors if tensor.non_contiguous}
    assert found == set(NON_CONTIGUOUS[operator].split())
    assert {tensor.name for tensor in tensors if tensor.empty} == set(EMPTY[operator].split())


@pytest.mark.parametrize("operator", SUPPORT)
def test_dimensions(earlier: SpecSet, operator: str) -> None:
    """Numbers of dimensions, where the pages state them."""
    tensors = earlier.operator(operator).tensors
    assert {tensor.name: tensor.rank for tensor in tensors if tensor.rank} == RANKS[operator]


@pytest.mark.parametrize("operator", SUPPORT)
def test_refusals(specs: SpecSet, earlier: SpecSet, operator: str) -> None:
    """No refusal is new, and those that went are the ones without a sentence."""
    now = {error.id for error in specs.operator(operator).errors}
    then = {error.id for error in earlier.operator(operator).errors}
    assert now - then == set(GONE[operator].split())
    assert then <= now


@pytest.mark.parametrize("operator", SUPPORT)
def test_data_types_are_the_same(specs: SpecSet, earlier: SpecSet, operator: str) -> None:
    """All earlier pages name the data types of today, bfloat16 not on atlas-training."""
    now, then = specs.operator(operator), earlier.operator(operator)
    for tensor in now.tensors:
        for product in now.products:
            assert then.dtypes(tensor.name, product) == now.dtypes(tensor.name, product)


@pytest.mark.parametrize("operator", SUPPORT)
def test_determinism_and_copy(earlier: SpecSet, operator: str) -> None:
    """No earlier page speaks of determinism, and each copy has lost something."""
    spec = earlier.operator(operator)
    assert spec.determinism == "unpromised"
    assert "repeatability" in {item.id for item in spec.not_promised}
    assert spec.editions["earlier"].unreadable
    table = any("error table" in sentence for sentence in spec.editions["earlier"].unreadable)
    assert table is (operator != GROUP_NORM)  # that page never had one


def test_group_norm_has_no_row_in_an_error_table(earlier: SpecSet) -> None:
    """Its page has no error table, and the conditions of its constraints stand at numGroups."""
    spec = earlier.operator(GROUP_NORM)
    sections = {error.where.section for error in spec.errors if not error.unsupported_product}
    assert sections == {"parameters"}
    assert {rule.where.section for rule in spec.rules} == {"parameters"}
    assert {rule.where.item for rule in spec.rules} == {"numGroups"}
    assert {error.basis for error in spec.errors} == {"requirement"}
    differing = next(error for error in spec.errors if error.id == "input-dtype-differs")
    assert differing.dtype_differs == ["mean", "rstd", "beta"]


def test_dropout_empty_out_is_not_spoken_of(earlier: SpecSet) -> None:
    """Only gradOutput and mask must not be empty; the row of out does not say so."""
    empty = next(e for e in earlier.operator(DROPOUT).errors if e.id == "no-empty-tensors")
    assert empty.empty_tensor == ["gradOutput", "mask"]


def test_prelu_gradient_of_the_weight_has_one_dimension(earlier: SpecSet, store: PlanCache) -> None:
    """Whatever the weight's dimensions: one for several elements, else the weight's shape."""
    shapes = set()
    for case in plan(earlier, "atlas-a2", "standard", [PRELU], store):
        weight, gradient = case.tensor("weight"), case.tensor("gradWeight")
        if case.expects_success:
            wanted = weight.shape if weight.numel == 1 else (weight.numel,)
            assert gradient.shape == wanted
            shapes.add((len(weight.shape), len(gradient.shape)))
    assert {(4, 1), (0, 0), (8, 8)} <= shapes


def test_pooling_lengths(earlier: SpecSet) -> None:
    """The rows of the arrays name one length only, that of an empty stride."""
    spec = earlier.operator(POOL)
    assert "dilation-length" not in {rule.id for rule in spec.rules}
    lengths = {rule.id: rule.where.section for rule in spec.rules if rule.id.endswith("-length")}
    assert set(lengths.values()) == {"errors"}
    assert spec.factors.attributes["dilation"] == [[1, 1]]


def test_an_unlisted_product_has_no_cases(earlier: SpecSet, store: PlanCache) -> None:
    """Neither support nor a refusal is promised there."""
    assert {case.operator for case in plan(earlier, "atlas-a3", "smoke", store=store)} == {
        DROPOUT, GROUP_NORM, LOGIT,
    }  # fmt: skip
    texts = {clause.id: clause.text for clause in structural_clauses(earlier.operator(PRELU))}
    assert texts["product-support"] == "the operator works on atlas-a2 and atlas-training"


def test_equal_calls_have_equal_ids(
    planned: Callable[..., tuple[Case, ...]], earlier: SpecSet, store: PlanCache
) -> None:
    """An id depends on the call alone, so most cases of both editions are one."""
    now = {case.id for case in planned("atlas-a2", "smoke")}
    then = {case.id for case in plan(earlier, "atlas-a2", "smoke", store=store)}
    assert len(now & then) > 500
