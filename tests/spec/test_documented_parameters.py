# SPDX-License-Identifier: Apache-2.0
"""The tables of products and of parameters, written down once more, independently of the YAML.

A vendor engineer can hold these tables beside the documents; the specs must say the same.
"""

from __future__ import annotations

import pytest
from tests.spec.documents import (
    DROPOUT,
    ERFC,
    FORWARD,
    GROUP_NORM,
    GROUP_NORM_FORWARD,
    INPLACE_ERFC,
    LOGIT,
    MSE,
    POOL,
    PRELU,
    RMS_NORM,
    RMS_NORM_GRAD,
    SUPPORT,
)

from aclnn_cts.spec.loading import SpecSet

RMS_NORMS = {RMS_NORM, RMS_NORM_GRAD}

PROTOTYPES = {
    DROPOUT: "gradOutput mask scale out",
    ERFC: "self out",
    INPLACE_ERFC: "selfRef",
    GROUP_NORM: "dy mean rstd x gamma beta numGroups dataFormatOptional swishScale dgammaIsRequire "
    "dbetaIsRequire dxOut dgammaOut dbetaOut",
    GROUP_NORM_FORWARD: "self gamma beta N C HxW group eps out meanOut rstdOut",
    LOGIT: "x dy eps out",
    MSE: "self target reduction out",
    POOL: "gradOutput self indices kernelSize stride padding dilation ceilMode gradInput",
    FORWARD: "self kernelSize stride padding dilation ceilMode out indices",
    PRELU: "gradOutput self weight gradInput gradWeight",
    RMS_NORM: "x gamma epsilon yOut rstdOut",
    RMS_NORM_GRAD: "dy x rstd gamma dxOut dgammaOut",
}

ATTRIBUTES = {
    DROPOUT: {"scale": "double"},
    ERFC: {},
    INPLACE_ERFC: {},
    GROUP_NORM: {
        "numGroups": "int64",
        "dataFormatOptional": "string",
        "swishScale": "double",
        "dgammaIsRequire": "bool",
        "dbetaIsRequire": "bool",
    },
    GROUP_NORM_FORWARD: {**dict.fromkeys(("N", "C", "HxW", "group"), "int64"), "eps": "double"},
    LOGIT: {"eps": "double"},
    MSE: {"reduction": "int64"},
    POOL: {
        "kernelSize": "ints",
        "stride": "ints",
        "padding": "ints",
        "dilation": "ints",
        "ceilMode": "bool",
    },
    PRELU: {},
    RMS_NORM: {"epsilon": "double"},
    RMS_NORM_GRAD: {},
}

FLOATS = frozenset({"float32", "float16", "bfloat16"})
HALF_AND_SINGLE = frozenset({"float32", "float16"})

#        operator, tensor, rank, non-contiguous, empty, formats
TENSORS = [
    (DROPOUT, "gradOutput", (1, 8), True, False, "ND"),
    (DROPOUT, "mask", (1, 1), True, False, "ND"),
    (DROPOUT, "out", (1, 8), True, False, "ND"),
    (ERFC, "self", (0, 8), True, False, "ND"),
    (ERFC, "out", (0, 8), True, False, "ND"),
    (INPLACE_ERFC, "selfRef", (0, 8), True, False, "ND"),
    (GROUP_NORM, "dy", (2, 8), True, False, "ND"),
    (GROUP_NORM, "mean", (2, 2), True, False, "ND"),
    (GROUP_NORM, "rstd", (2, 2), True, False, "ND"),
    (GROUP_NORM, "x", (2, 8), True, False, "ND"),
    (GROUP_NORM, "gamma", (1, 1), True, False, "ND"),
    (GROUP_NORM, "beta", (1, 1), True, False, "ND"),
    (GROUP_NORM, "dxOut", (2, 8), False, False, "ND"),
    (GROUP_NORM, "dgammaOut", (1, 1), False, False, "ND"),
    (GROUP_NORM, "dbetaOut", (1, 1), False, False, "ND"),
    (GROUP_NORM_FORWARD, "self", (2, 8), True, True, "ND"),
    (GROUP_NORM_FORWARD, "gamma", (1, 1), True, True, "ND"),
    (GROUP_NORM_FORWARD, "beta", (1, 1), True, True, "ND"),
    (GROUP_NORM_FORWARD, "out", (2, 8), True, True, "ND"),
    (GROUP_NORM_FORWARD, "meanOut", (2, 2), True, True, "ND"),
    (GROUP_NORM_FORWARD, "rstdOut", (2, 2), True, True, "ND"),
    (LOGIT, "x", (0, 8), True, True, "ND"),
    (LOGIT, "dy", (0, 8), True, True, "ND"),
    (LOGIT, "out", (0, 8), True, True, "ND"),
    (MSE, "self", (1, 8), True, False, "ND"),
    (MSE, "target", (1, 8), True, False, "ND"),
    (MSE, "out", (0, 8), True, False, "ND"),
    (POOL, "gradOutput", (4, 4), True, False, "NCHW"),
    (POOL, "self", (4, 4), True, False, "NCHW"),
    (POOL, "indices", (4, 4), True, False, "NCHW"),
    (POOL, "gradInput", (4, 4), True, False, "NCHW"),
    (FORWARD, "self", (3, 4), True, False, "NCHW ND"),
    (FORWARD, "out", (3, 4), True, False, "NCHW ND"),
    (FORWARD, "indices", (3, 4), False, False, "NCHW ND"),
    (PRELU, "gradOutput", (0, 8), True, True, "ND"),
    (PRELU, "self", (0, 8), True, True, "ND"),
    (PRELU, "weight", (0, 8), True, True, "ND"),
    (PRELU, "gradInput", (0, 8), True, True, "ND"),
    (PRELU, "gradWeight", (0, 8), True, True, "ND"),
    (RMS_NORM, "x", (1, 8), True, True, "ND"),
    (RMS_NORM, "gamma", (1, 8), True, False, "ND"),
    (RMS_NORM, "yOut", (1, 8), True, True, "ND"),
    (RMS_NORM, "rstdOut", (1, 8), True, True, "ND"),
    (RMS_NORM_GRAD, "dy", (2, 8), True, True, "ND"),
    (RMS_NORM_GRAD, "x", (2, 8), True, True, "ND"),
    (RMS_NORM_GRAD, "rstd", (1, 7), True, True, "ND"),
    (RMS_NORM_GRAD, "gamma", (1, 7), True, True, "ND"),
    (RMS_NORM_GRAD, "dxOut", (2, 8), True, True, "ND"),
    (RMS_NORM_GRAD, "dgammaOut", (1, 7), True, True, "ND"),
]


@pytest.mark.parametrize("operator", SUPPORT)
def test_products(specs: SpecSet, operator: str) -> None:
    """Each document's table of products."""
    supported = [specs.operator(operator).supports(product) for product in specs.products]
    assert supported == [mark == "+" for mark in SUPPORT[operator].split()]


@pytest.mark.parametrize("operator", PROTOTYPES)
def test_prototypes(specs: SpecSet, operator: str) -> None:
    """Parameters stand in the order of the C prototype."""
    names = [parameter.name for parameter in specs.operator(operator).parameters]
    assert names == PROTOTYPES[operator].split()


@pytest.mark.parametrize("operator", ATTRIBUTES)
def test_attribute_types(specs: SpecSet, operator: str) -> None:
    """Attributes have the C types of the prototype."""
    attributes = specs.operator(operator).attributes
    assert {item.name: item.attribute for item in attributes} == ATTRIBUTES[operator]


def test_const_outputs(specs: SpecSet) -> None:
    """Some prototypes take their outputs as `const aclTensor *`."""
    full = {
        name: spec for name, spec in specs.operators.items() if not (spec.is_contract or spec.lists)
    }
    const = {name for name, spec in full.items() if all(each.const for each in spec.outputs)}
    mixed = {name for name, spec in full.items() if any(each.const for each in spec.outputs)}
    gated = {
        "aclnnEmbedding",
        "aclnnGroupNormSwish",
        "aclnnLogit",
        "aclnnPowScalarTensor",
        "aclnnPowTensorScalar",
        "aclnnInplacePowTensorScalar",
        "aclnnInplacePowTensorTensor",
        "aclnnInplaceHardsigmoid",
        "aclnnHardswish",
        "aclnnInplaceHardswish",
        "aclnnGeluBackward",
        "aclnnGlu",
        "aclnnGluBackward",
        INPLACE_ERFC,
        "aclnnInplaceReciprocal",
        "aclnnInplaceRound",
        "aclnnLog2",
        "aclnnInplaceLog2",
        "aclnnInplaceAdd",
        "aclnnInplaceEqTensor",
        "aclnnInplaceAddcmul",
        "aclnnIsInf",
        "aclnnInplaceEqScalar",
        "aclnnInplaceGtTensor",
        "aclnnInplaceLtScalar",
        "aclnnInplaceLtTensor",
        "aclnnAddcdiv",
        "aclnnInplaceAddcdiv",
        "aclnnInplaceAddV3",
        "aclnnInplaceAdds",
        "aclnnInplaceClampMax",
        "aclnnInplaceTan",
        "aclnnInplaceTril",
        "aclnnInplaceOne",
        "aclnnInplaceBitwiseAndScalar",
        "aclnnInplaceBitwiseAndTensor",
        "aclnnInplaceBitwiseAndTensorOut",
        "aclnnXlog1py",
    }
    assert (
        const == mixed == {GROUP_NORM, LOGIT, *RMS_NORMS, "aclnnRelu", "aclnnSquaredRelu"} | gated
    )


@pytest.mark.parametrize("row", TENSORS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_tensor_rows(specs: SpecSet, row: tuple[object, ...]) -> None:
    """Columns of the parameter tables."""
    tensor = specs.operator(str(row[0])).tensor(str(row[1]))
    formats = " ".join(tensor.formats)
    assert (tensor.rank, tensor.non_contiguous, tensor.empty, formats) == row[2:]


@pytest.mark.parametrize(("operator", "name"), [row[:2] for row in TENSORS])
def test_data_types(specs: SpecSet, operator: str, name: str) -> None:
    """Three floating types everywhere but on atlas-training; masks are uint8 and int8.

    The complementary error function takes others besides, and bfloat16 on two products.
    """
    spec = specs.operator(operator)
    expected = dict.fromkeys(specs.products, FLOATS)
    expected["atlas-training"] = HALF_AND_SINGLE if spec.supports("atlas-training") else FLOATS
    if operator == FORWARD:
        expected["atlas-inference"] = frozenset({"float32"})
    if operator in {GROUP_NORM_FORWARD, MSE, *RMS_NORMS}:
        expected["atlas-inference"] = HALF_AND_SINGLE
    if operator in RMS_NORMS and name in {"rstdOut", "rstd", "dgammaOut"}:
        expected = dict.fromkeys(specs.products, frozenset({"float32"}))
    if operator in {ERFC, INPLACE_ERFC}:
        others = {"double"} | ({"bool", "int64"} if name == "self" else set())
        expected = dict.fromkeys(specs.products, HALF_AND_SINGLE | others)
        expected |= dict.fromkeys(("ascend-950", "atlas-a3"), FLOATS | others)
    if name in {"mask", "indices"}:
        kind = "uint8" if name == "mask" else "int8"
        expected = dict.fromkeys(specs.products, frozenset({kind}))
    assert {p: set(spec.dtypes(name, p)) for p in specs.products} == expected
