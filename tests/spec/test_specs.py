# SPDX-License-Identifier: Apache-2.0
"""Facts of the documents, written down once more, independently of the YAML.

A vendor engineer can hold these tables beside the documents; the specs must say the same.
"""

from __future__ import annotations

import pytest

from aclnn_cts.spec.evaluation import Scope, evaluate_number, holds
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import VIOLATIONS, AttributeParameter, OperatorSpec, TensorParameter
from aclnn_cts.spec.structure import structural_clauses
from aclnn_cts.suite import find_suite

DROPOUT = "aclnnDropoutBackward"
GROUP_NORM = "aclnnGroupNormSwishGrad"
LOGIT = "aclnnLogitGrad"
POOL = "aclnnMaxPool2dWithMaskBackward"
FORWARD = "aclnnMaxPool2dWithMask"
PRELU = "aclnnPreluBackward"

NULL, INVALID = 161001, 161002

SUPPORT = {
    #            950  A3  A2 310B 310P 910
    DROPOUT: "     +   +   +   -    -    +",
    GROUP_NORM: "  +   +   +   -    -    -",
    LOGIT: "       +   +   +   -    -    -",
    POOL: "        -   +   +   -    -    +",
    FORWARD: "     -   +   +   -    +    +",
    PRELU: "       +   +   +   -    -    +",
}
"""Table of products of each document; the columns are the order of products.yaml."""

PROTOTYPES = {
    DROPOUT: "gradOutput mask scale out",
    GROUP_NORM: "dy mean rstd x gamma beta numGroups dataFormatOptional swishScale dgammaIsRequire "
    "dbetaIsRequire dxOut dgammaOut dbetaOut",
    LOGIT: "x dy eps out",
    POOL: "gradOutput self indices kernelSize stride padding dilation ceilMode gradInput",
    FORWARD: "self kernelSize stride padding dilation ceilMode out indices",
    PRELU: "gradOutput self weight gradInput gradWeight",
}

ATTRIBUTES = {
    DROPOUT: {"scale": "double"},
    GROUP_NORM: {
        "numGroups": "int64",
        "dataFormatOptional": "string",
        "swishScale": "double",
        "dgammaIsRequire": "bool",
        "dbetaIsRequire": "bool",
    },
    LOGIT: {"eps": "double"},
    POOL: {
        "kernelSize": "ints",
        "stride": "ints",
        "padding": "ints",
        "dilation": "ints",
        "ceilMode": "bool",
    },
    PRELU: {},
}

FLOATS = frozenset({"float32", "float16", "bfloat16"})
HALF_AND_SINGLE = frozenset({"float32", "float16"})

#        operator, tensor, rank, non-contiguous, empty, formats
TENSORS = [
    (DROPOUT, "gradOutput", (1, 8), True, False, "ND"),
    (DROPOUT, "mask", (1, 1), True, False, "ND"),
    (DROPOUT, "out", (1, 8), True, False, "ND"),
    (GROUP_NORM, "dy", (2, 8), True, False, "ND"),
    (GROUP_NORM, "mean", (2, 2), True, False, "ND"),
    (GROUP_NORM, "rstd", (2, 2), True, False, "ND"),
    (GROUP_NORM, "x", (2, 8), True, False, "ND"),
    (GROUP_NORM, "gamma", (1, 1), True, False, "ND"),
    (GROUP_NORM, "beta", (1, 1), True, False, "ND"),
    (GROUP_NORM, "dxOut", (2, 8), False, False, "ND"),
    (GROUP_NORM, "dgammaOut", (1, 1), False, False, "ND"),
    (GROUP_NORM, "dbetaOut", (1, 1), False, False, "ND"),
    (LOGIT, "x", (0, 8), True, True, "ND"),
    (LOGIT, "dy", (0, 8), True, True, "ND"),
    (LOGIT, "out", (0, 8), True, True, "ND"),
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
]

ERROR_ROWS = [
    # operator, row of the table, status, violation, parameters
    (DROPOUT, "NULLPTR", NULL, "null_pointer", "gradOutput mask out"),
    (DROPOUT, "first", INVALID, "dtype_outside_support", "gradOutput mask out"),
    (DROPOUT, "second", INVALID, "assign", "scale"),
    (DROPOUT, "third", INVALID, "rank_outside", "gradOutput"),
    (DROPOUT, "fourth", INVALID, "shape_differs", "out"),
    (DROPOUT, "fifth", INVALID, "shape_differs", "mask"),
    (
        GROUP_NORM,
        "NULLPTR",
        NULL,
        "null_pointer",
        "dy mean rstd x gamma beta dxOut dgammaOut dbetaOut",
    ),
    (GROUP_NORM, "first", INVALID, "dtype_outside_support", "dy"),
    (GROUP_NORM, "second", INVALID, "dtype_differs", "mean rstd x gamma beta"),
    (GROUP_NORM, "third", INVALID, "dtype_differs", "dxOut"),
    (LOGIT, "NULLPTR", NULL, "null_pointer", "x dy out"),
    (LOGIT, "first", INVALID, "dtype_outside_support", "x dy out"),
    (POOL, "NULLPTR", NULL, "null_pointer", "self indices"),
    (POOL, "first", INVALID, "dtype_outside_support", "gradOutput self indices gradInput"),
    (POOL, "second", INVALID, "format_outside_support", "gradOutput self indices gradInput"),
    (POOL, "third", INVALID, "shape_differs", "gradOutput indices"),
    (POOL, "third", INVALID, "shape_differs", "gradInput"),
    (POOL, "fourth", INVALID, "assign", "kernelSize"),
    (POOL, "fifth", INVALID, "assign", "kernelSize"),
    (POOL, "sixth", INVALID, "assign", "stride"),
    (POOL, "seventh", INVALID, "assign", "stride"),
    (POOL, "eighth", INVALID, "assign", "padding"),
    (POOL, "ninth", INVALID, "assign", "padding"),
    (POOL, "tenth", INVALID, "assign", "dilation"),
    (FORWARD, "NULLPTR", NULL, "null_pointer", "self kernelSize stride padding dilation out"),
    (FORWARD, "first", INVALID, "dtype_outside_support", "self"),
    (FORWARD, "second", INVALID, "format_outside_support", "self"),
    (FORWARD, "third", INVALID, "rank_outside", "self"),
    (FORWARD, "fourth", INVALID, "dtype_differs", "out"),
    (FORWARD, "fifth", INVALID, "assign", "C H W"),
    (FORWARD, "sixth", INVALID, "assign", "kernelSize"),
    (FORWARD, "seventh", INVALID, "shape_differs", "out"),
    (FORWARD, "eighth", INVALID, "shape_differs", "indices"),
    (FORWARD, "ninth", INVALID, "assign", "kernelSize"),
    (FORWARD, "tenth", INVALID, "assign", "kernelSize"),
    (FORWARD, "eleventh", INVALID, "assign", "stride"),
    (FORWARD, "twelfth", INVALID, "assign", "stride"),
    (FORWARD, "thirteenth", INVALID, "assign", "padding"),
    (FORWARD, "fourteenth", INVALID, "assign", "padding"),
    (FORWARD, "fifteenth", INVALID, "assign", "dilation"),
    (FORWARD, "sixteenth", INVALID, "assign", "dilation"),
    (PRELU, "NULLPTR", NULL, "null_pointer", "gradOutput self weight gradInput gradWeight"),
    (
        PRELU,
        "first",
        INVALID,
        "dtype_outside_support",
        "gradOutput self weight gradInput gradWeight",
    ),
    (PRELU, "second", INVALID, "dtype_differs", "gradOutput weight gradInput gradWeight"),
    (PRELU, "third", INVALID, "rank_outside", "self gradOutput weight gradInput gradWeight"),
    (PRELU, "fourth", INVALID, "shape_differs", "weight"),
    (PRELU, "fifth", INVALID, "shape_differs", "gradWeight"),
    (PRELU, "sixth", INVALID, "shape_differs", "gradOutput"),
]
"""Every row of every error table."""

TABLE_ONLY = [
    # operator, violation, parameters: constraints that have no row in the error table
    (DROPOUT, "assign", "scale"),
    (DROPOUT, "empty_tensor", "gradOutput mask out"),
    (DROPOUT, "format_outside_support", "gradOutput mask out"),
    (GROUP_NORM, "dtype_differs", "dgammaOut dbetaOut"),
    (GROUP_NORM, "assign", "numGroups"),
    (GROUP_NORM, "assign", "C numGroups"),
    (GROUP_NORM, "assign", "C"),
    (GROUP_NORM, "shape_differs", "mean rstd"),
    (GROUP_NORM, "shape_differs", "x"),
    (GROUP_NORM, "shape_differs", "gamma beta"),
    (GROUP_NORM, "shape_differs", "dxOut dgammaOut dbetaOut"),
    (GROUP_NORM, "rank_outside", "dy x dxOut"),
    (GROUP_NORM, "rank_below", "dy"),
    (GROUP_NORM, "empty_tensor", "dy mean rstd x gamma beta"),
    (GROUP_NORM, "non_contiguous", "dxOut dgammaOut dbetaOut"),
    (LOGIT, "dtype_differs", "dy out"),
    (LOGIT, "shape_differs", "dy out"),
    (LOGIT, "rank_outside", "x dy out"),
    (POOL, "assign", "dilation"),
    (POOL, "rank_outside", "self gradOutput indices gradInput"),
    (PRELU, "shape_differs", "gradInput"),
]

DETERMINISM = {
    DROPOUT: {"": "deterministic"},
    GROUP_NORM: {
        "ascend-950": "deterministic",
        "atlas-a3": "switchable",
        "atlas-a2": "switchable",
    },
    LOGIT: {"": "deterministic"},
    POOL: {"": "switchable"},
    FORWARD: {"": "deterministic"},
    PRELU: {"": "deterministic"},
}


def test_all_operators_are_there(specs: SpecSet) -> None:
    """Five operators are tested; the forward pooling only makes masks."""
    assert set(specs.operators) >= set(SUPPORT)
    assert {spec.operator for spec in specs.tested} >= set(SUPPORT) - {FORWARD}
    assert specs.operator(FORWARD).role == "producer"


@pytest.mark.parametrize("operator", SUPPORT)
def test_products(specs: SpecSet, operator: str) -> None:
    """Each document's table of products."""
    supported = [specs.operator(operator).supports(product) for product in specs.products]
    assert supported == [mark == "+" for mark in SUPPORT[operator].split()]


def test_products_in_matching_order(specs: SpecSet) -> None:
    """Longer SoC names stand before the names that they begin with."""
    prefixes = [prefix for item in specs.products.values() for prefix in item.soc_prefixes]
    for index, prefix in enumerate(prefixes):
        assert not any(prefix.startswith(earlier) for earlier in prefixes[:index])
    for product in specs.products.values():
        first = next(
            item.id
            for item in specs.products.values()
            if product.simulated_soc.startswith(tuple(item.soc_prefixes))
        )
        assert first == product.id


def test_memory_slack_and_infinities(specs: SpecSet) -> None:
    """Only Ascend 950 rounds an allocation up to 32 without more; only atlas-training saturates."""
    assert {p.id for p in specs.products.values() if p.malloc_slack == 0} == {"ascend-950"}
    assert {p.malloc_slack for p in specs.products.values()} == {0, 32}
    assert {p.id for p in specs.products.values() if not p.inf_nan} == {"atlas-training"}


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
    """Two prototypes take their outputs as `const aclTensor *`."""
    const = {
        operator
        for operator, spec in specs.operators.items()
        if all(output.const for output in spec.outputs)
    }
    mixed = {
        operator
        for operator, spec in specs.operators.items()
        if any(output.const for output in spec.outputs)
    }
    assert const == mixed == {GROUP_NORM, LOGIT}


@pytest.mark.parametrize("row", TENSORS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_tensor_rows(specs: SpecSet, row: tuple[object, ...]) -> None:
    """Columns of the parameter tables."""
    tensor = specs.operator(str(row[0])).tensor(str(row[1]))
    formats = " ".join(tensor.formats)
    assert (tensor.rank, tensor.non_contiguous, tensor.empty, formats) == row[2:]


@pytest.mark.parametrize(("operator", "name"), [row[:2] for row in TENSORS])
def test_data_types(specs: SpecSet, operator: str, name: str) -> None:
    """Three floating types everywhere but on atlas-training; masks are uint8 and int8."""
    spec = specs.operator(operator)
    expected = dict.fromkeys(specs.products, FLOATS)
    expected["atlas-training"] = HALF_AND_SINGLE if spec.supports("atlas-training") else FLOATS
    if operator == FORWARD:
        expected["atlas-inference"] = frozenset({"float32"})
    if name in {"mask", "indices"}:
        kind = "uint8" if name == "mask" else "int8"
        expected = dict.fromkeys(specs.products, frozenset({kind}))
    assert {p: set(spec.dtypes(name, p)) for p in specs.products} == expected


@pytest.mark.parametrize(("operator", "row", "status", "violation", "names"), ERROR_ROWS)
def test_error_rows(
    specs: SpecSet, operator: str, row: str, status: int, violation: str, names: str
) -> None:
    """Each row of each error table: status, and which parameters it speaks of."""
    found = [
        error
        for error in specs.operator(operator).errors
        if error.where.section == "errors"
        and row in error.where.item.replace(",", " ").replace("_", " ").replace(";", " ").split()
        and set(names.split()) == _broken(error, violation)
    ]
    assert [error.statuses for error in found] == [(status,)]


@pytest.mark.parametrize(("operator", "violation", "names"), TABLE_ONLY)
def test_constraints_without_a_row(
    specs: SpecSet, operator: str, violation: str, names: str
) -> None:
    """Constraints outside the error tables are refused as invalid, and a note says why."""
    found = [
        error
        for error in specs.operator(operator).errors
        if error.where.section in {"parameters", "constraints"}
        and set(names.split()) == _broken(error, violation)
    ]
    assert found
    for error in found:
        assert error.statuses == (INVALID,)
        assert error.note


def _broken(error: object, violation: str) -> set[str]:
    value = getattr(error, violation) or []
    if violation == "assign":
        return {name for assignment in value for name in assignment}
    return set(value)


def test_every_error_clause_is_in_a_table_above(specs: SpecSet) -> None:
    """No error clause is invented: each violation and status stands in one of the tables here."""
    known = {(row[0], row[3], frozenset(row[4].split())) for row in ERROR_ROWS}
    known |= {(row[0], row[1], frozenset(row[2].split())) for row in TABLE_ONLY}
    unlisted = {
        (operator, error.id)
        for operator, spec in specs.operators.items()
        if operator in SUPPORT
        for error in spec.errors
        for violation in VIOLATIONS
        if getattr(error, violation) is not None
        and violation != "unsupported_product"
        and (operator, violation, frozenset(_broken(error, violation))) not in known
    }
    assert unlisted == {
        (POOL, "null-pointer-unlisted"),
        (GROUP_NORM, "format-private"),
        (LOGIT, "format-private"),
        (PRELU, "format-private"),
    }


@pytest.mark.parametrize("operator", SUPPORT)
def test_products_without_support_refuse(specs: SpecSet, operator: str) -> None:
    """The table of products is all that is said of them: any status of a refusal will do."""
    spec = specs.operator(operator)
    found = [error for error in spec.errors if error.unsupported_product]
    assert len(found) == (spec.role == "tested")
    for error in found:
        assert error.where.section == "products"
        assert INVALID in error.statuses
        assert 0 not in error.statuses
        assert error.note


@pytest.mark.parametrize("operator", DETERMINISM)
def test_determinism(specs: SpecSet, operator: str) -> None:
    """What each document says about repeated runs, product by product."""
    spec = specs.operator(operator)
    for product in specs.products:
        if spec.supports(product):
            stated = DETERMINISM[operator]
            assert spec.determinism_on(product) == stated.get(product, stated.get(""))


def test_float32_pooling_in_float16(specs: SpecSet) -> None:
    """Only pooling on atlas-training computes float32 in float16."""
    narrower = {
        name: spec.computes_in for name, spec in specs.operators.items() if spec.computes_in
    }
    in_half = {"atlas-training": {"float32": "float16"}}
    assert narrower == {POOL: in_half, FORWARD: in_half}


@pytest.mark.parametrize(
    ("operator", "values", "valid"),
    [
        (DROPOUT, {"scale": 0.0}, True),
        (DROPOUT, {"scale": 1.0}, True),
        (DROPOUT, {"scale": 0.5}, False),
        (DROPOUT, {"scale": -2.0}, False),
        (DROPOUT, {"scale": float("nan")}, False),
        (GROUP_NORM, {"numGroups": 1, "C": 4000}, True),
        (GROUP_NORM, {"numGroups": 1, "C": 4001}, False),
        (GROUP_NORM, {"numGroups": 3, "C": 8}, False),
        (GROUP_NORM, {"numGroups": -2, "C": 8}, False),
        (POOL, {"padding": (1, 1), "kernelSize": (2, 2)}, True),
        (POOL, {"padding": (1, 1), "kernelSize": (3, 3)}, True),
        (POOL, {"padding": (2,), "kernelSize": (3,)}, False),
        (POOL, {"padding": (-1, 0)}, False),
        (POOL, {"stride": ()}, True),
        (POOL, {"stride": (1, 0)}, False),
        (POOL, {"dilation": (2,)}, False),
        (POOL, {"H": 0}, False),
    ],
)
def test_rules(specs: SpecSet, operator: str, values: dict[str, object], valid: bool) -> None:  # noqa: FBT001
    """The conditions of valid calls, on both sides of their boundaries."""
    scope = _pool_scope(specs.operator(operator), values) if operator == POOL else Scope(values)
    rules = specs.operator(operator).rules
    assert all(holds(rule.require, scope) for rule in rules) is valid


def _pool_scope(spec: OperatorSpec, changes: dict[str, object]) -> Scope:
    values: dict[str, object] = {
        "N": 2, "C": 3, "H": 6, "W": 8, "kernelSize": (2, 2), "stride": (2, 2), "padding": (0, 0),
        "dilation": (1, 1), "ceilMode": False, **changes,
    }  # fmt: skip
    scope = Scope(values)
    for name, expression in spec.derived.items():
        if name in {"Ho", "Wo"} and 0 in (values["sH"], values["sW"]):
            continue
        values[name] = evaluate_number(expression, scope)
    return scope


def test_mask_sizes(specs: SpecSet) -> None:
    """The dropout mask holds a bit per element up to 128; the pooling mask follows the formula."""
    mask = specs.operator(DROPOUT).tensor("mask").shape
    assert isinstance(mask, list)
    for elements, count in ((1, 16), (128, 16), (129, 32), (1111, 144)):
        scope = Scope({}, {"gradOutput": (elements,)})
        assert [evaluate_number(dim, scope) for dim in mask] == [count]  # type: ignore[arg-type]
    for operator in (POOL, FORWARD):
        spec = specs.operator(operator)
        indices = spec.tensor("indices").shape
        assert isinstance(indices, list)
        scope = _pool_scope(spec, {"H": 10, "W": 10, "kernelSize": (3, 2), "stride": (1,)})
        extents = [evaluate_number(dim, scope) for dim in indices]  # type: ignore[arg-type]
        assert extents == [2, 3, 6, (-(-8 * 9 // 16) + 1) * 2 * 16]


def test_no_clause_uses_a_derived_id(specs: SpecSet) -> None:
    """Ids are unique within an operator, the derived and the common ones included."""
    for spec in specs.operators.values():
        ids = [clause.id for clause in structural_clauses(spec)]
        ids += [clause.id for clause in spec.rules] + [clause.id for clause in spec.clauses]
        ids += [clause.id for clause in spec.errors] + [point.id for point in spec.not_promised]
        ids += [clause.id for clause in specs.common]
        assert len(ids) == len(set(ids))


def test_texts_are_english() -> None:
    """Paraphrases, not quotations: no sentence of the (Chinese) documents stands in a spec."""
    for path in find_suite().specs.glob("*.yaml"):
        assert path.read_text(encoding="utf-8").isascii(), path.name


def test_structural_clauses_follow_the_rows(specs: SpecSet) -> None:
    """Rows promise what they say: no clause about non-contiguous outputs of GroupNormSwishGrad."""
    ids = {clause.id for clause in structural_clauses(specs.operator(GROUP_NORM))}
    assert {"dy-non-contiguous", "dx-out-dtype", "dgamma-out-shape", "product-support"} <= ids
    assert "dx-out-non-contiguous" not in ids
    assert "dy-empty" not in ids
    assert "determinism" in ids
    assert "grad-output-empty" in {
        clause.id for clause in structural_clauses(specs.operator(PRELU))
    }


def test_parameters_are_of_two_kinds(specs: SpecSet) -> None:
    """A row with `attribute` is an attribute, one with `tensor` a tensor."""
    for spec in specs.operators.values():
        kinds = {type(parameter) for parameter in spec.parameters}
        assert kinds <= {TensorParameter, AttributeParameter}
        assert len(spec.tensors) + len(spec.attributes) == len(spec.parameters)
