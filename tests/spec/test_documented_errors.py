# SPDX-License-Identifier: Apache-2.0
"""The error tables of the documents, written down once more, independently of the YAML.

Every row and no other: which status, and which parameters it speaks of.
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
from aclnn_cts.violations import KINDS

NULL, INVALID, TILING = 161001, 161002, 561002

ERROR_ROWS = [
    # operator, row of the table, status, violation, parameters
    (DROPOUT, "NULLPTR", NULL, "null_pointer", "gradOutput mask out"),
    (DROPOUT, "first", INVALID, "dtype_outside_support", "gradOutput mask out"),
    (DROPOUT, "second", INVALID, "assign", "scale"),
    (DROPOUT, "third", INVALID, "rank_outside", "gradOutput"),
    (DROPOUT, "fourth", INVALID, "shape_differs", "out"),
    (DROPOUT, "fifth", INVALID, "shape_differs", "mask"),
    (ERFC, "NULLPTR", NULL, "null_pointer", "self out"),
    (ERFC, "first", INVALID, "dtype_outside_support", "self out"),
    (ERFC, "first", INVALID, "format_outside_support", "self out"),
    (ERFC, "third", INVALID, "shape_differs", "out"),
    (ERFC, "fourth", INVALID, "rank_outside", "self out"),
    (INPLACE_ERFC, "NULLPTR", NULL, "null_pointer", "selfRef"),
    (INPLACE_ERFC, "first", INVALID, "dtype_outside_support", "selfRef"),
    (INPLACE_ERFC, "first", INVALID, "format_outside_support", "selfRef"),
    (INPLACE_ERFC, "second", INVALID, "rank_outside", "selfRef"),
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
    (GROUP_NORM_FORWARD, "NULLPTR", NULL, "null_pointer", "self gamma beta out meanOut rstdOut"),
    (
        GROUP_NORM_FORWARD,
        "first",
        INVALID,
        "dtype_outside_support",
        "self gamma beta out meanOut rstdOut",
    ),
    (GROUP_NORM_FORWARD, "second", INVALID, "dtype_differs", "gamma beta out meanOut rstdOut"),
    (GROUP_NORM_FORWARD, "third", INVALID, "rank_below", "self"),
    (GROUP_NORM_FORWARD, "third", INVALID, "rank_outside", "self"),
    (GROUP_NORM_FORWARD, "fourth", INVALID, "assign", "group"),
    (GROUP_NORM_FORWARD, "fifth", INVALID, "assign", "group"),
    (GROUP_NORM_FORWARD, "sixth", INVALID, "assign", "eps"),
    (GROUP_NORM_FORWARD, "seventh", INVALID, "shape_differs", "out"),
    (GROUP_NORM_FORWARD, "eighth", INVALID, "shape_differs", "meanOut rstdOut"),
    (GROUP_NORM_FORWARD, "ninth", INVALID, "assign", "N"),
    (GROUP_NORM_FORWARD, "tenth", INVALID, "assign", "C"),
    (GROUP_NORM_FORWARD, "eleventh", INVALID, "assign", "HxW"),
    (GROUP_NORM_FORWARD, "twelfth", INVALID, "assign", "N C HxW"),
    (GROUP_NORM_FORWARD, "thirteenth", INVALID, "shape_differs", "gamma"),
    (GROUP_NORM_FORWARD, "fourteenth", INVALID, "shape_differs", "beta"),
    (GROUP_NORM_FORWARD, "fifteenth", INVALID, "format_differs", "out"),
    (LOGIT, "NULLPTR", NULL, "null_pointer", "x dy out"),
    (LOGIT, "first", INVALID, "dtype_outside_support", "x dy out"),
    (MSE, "NULLPTR", NULL, "null_pointer", "self target out"),
    (MSE, "first", INVALID, "dtype_outside_support", "self target out"),
    (MSE, "second", INVALID, "shape_differs", "target"),
    (MSE, "third", INVALID, "rank_outside", "self target"),
    (MSE, "fourth", INVALID, "assign", "reduction"),
    (MSE, "fifth", INVALID, "shape_differs", "out"),
    (MSE, "sixth", INVALID, "shape_differs", "out"),
    (POOL, "NULLPTR", NULL, "null_pointer", "self indices"),
    (POOL, "first", INVALID, "dtype_outside_support", "gradOutput self indices gradInput"),
    (POOL, "second", INVALID, "format_outside_support", "gradOutput self indices gradInput"),
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
    (RMS_NORM, "NULLPTR", NULL, "null_pointer", "x gamma yOut rstdOut"),
    (RMS_NORM, "INVALID", INVALID, "dtype_outside_support", "x gamma yOut rstdOut"),
    (RMS_NORM, "ERROR", TILING, "rank_outside", "x gamma yOut rstdOut"),
    (RMS_NORM, "ERROR", TILING, "rank_below", "x gamma"),
    (RMS_NORM, "ERROR", TILING, "shape_differs", "gamma yOut rstdOut"),
    (RMS_NORM, "ERROR", TILING, "empty_tensor", "gamma"),
    (RMS_NORM, "ERROR", TILING, "format_outside_support", "x gamma yOut rstdOut"),
    (RMS_NORM_GRAD, "NULLPTR", NULL, "null_pointer", "dy x rstd gamma dxOut dgammaOut"),
    (RMS_NORM_GRAD, "INVALID", INVALID, "dtype_outside_support", "dy x rstd gamma dxOut dgammaOut"),
    (RMS_NORM_GRAD, "ERROR", TILING, "rank_outside", "dy x rstd gamma dxOut dgammaOut"),
    (RMS_NORM_GRAD, "ERROR", TILING, "rank_below", "dy x rstd gamma"),
    (RMS_NORM_GRAD, "ERROR", TILING, "shape_differs", "x rstd gamma dxOut dgammaOut"),
    (RMS_NORM_GRAD, "ERROR", TILING, "format_outside_support", "dy x rstd gamma dxOut dgammaOut"),
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
    (GROUP_NORM_FORWARD, "shape_differs", "gamma"),
    (GROUP_NORM_FORWARD, "shape_differs", "beta"),
    (LOGIT, "dtype_differs", "dy out"),
    (LOGIT, "shape_differs", "dy out"),
    (LOGIT, "rank_outside", "x dy out"),
    (POOL, "shape_differs", "gradOutput indices"),
    (POOL, "null_pointer", "gradOutput kernelSize stride padding dilation gradInput"),
    (POOL, "assign", "dilation"),
    (POOL, "rank_outside", "self gradOutput indices gradInput"),
    (PRELU, "shape_differs", "gradInput"),
    (PRELU, "shape_differs", "weight"),
    (PRELU, "shape_differs", "gradWeight"),
    (PRELU, "shape_differs", "gradOutput"),
    (RMS_NORM, "dtype_differs", "gamma yOut"),
    (RMS_NORM, "assign", "x"),
    (RMS_NORM_GRAD, "dtype_differs", "x gamma dxOut"),
    (RMS_NORM_GRAD, "assign", "dy"),
]


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
    assert [(error.basis, error.statuses) for error in found] == [("status", (status,))]


@pytest.mark.parametrize(("operator", "violation", "names"), TABLE_ONLY)
def test_constraints_without_a_row(
    specs: SpecSet, operator: str, violation: str, names: str
) -> None:
    """Constraints outside the error tables are requirements: no page says what follows."""
    found = [
        error
        for error in specs.operator(operator).errors
        if error.where.section in {"parameters", "constraints"}
        and set(names.split()) == _broken(error, violation)
    ]
    assert found
    for error in found:
        assert error.basis == "requirement"
        assert error.statuses == ()


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
        for violation in KINDS
        if getattr(error, violation) is not None
        and violation != "unsupported_product"
        and (operator, violation, frozenset(_broken(error, violation))) not in known
    }
    assert unlisted == {
        (GROUP_NORM, "format-private"),
        (GROUP_NORM_FORWARD, "format-private"),
        (LOGIT, "format-private"),
        (MSE, "format-private"),
        (PRELU, "format-private"),
    }


@pytest.mark.parametrize("operator", SUPPORT)
def test_products_without_support_refuse(specs: SpecSet, operator: str) -> None:
    """The table of products is all that is said of them: not what such a call ends in."""
    spec = specs.operator(operator)
    found = [error for error in spec.errors if error.unsupported_product]
    assert len(found) == (spec.role == "tested")
    for error in found:
        assert error.where.section == "products"
        assert error.basis == "requirement"
        assert error.statuses == ()
