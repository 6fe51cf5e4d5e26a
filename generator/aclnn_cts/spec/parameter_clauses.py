# SPDX-License-Identifier: Apache-2.0
"""Promises in the rows of the parameter table: data types, ranks, formats, layouts.

Their clauses are derived from the table: the parameter ``dxOut`` has the clauses ``dx-out-dtype``,
``dx-out-rank`` and so on, as far as something is promised.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from aclnn_cts.errors import listed
from aclnn_cts.spec.clause_models import (
    BATCH_CONSISTENCY,
    DETERMINISM,
    Basis,
    ErrorClause,
    Rule,
    ValueClause,
    Where,
    dim_texts,
)
from aclnn_cts.spec.models import (
    AttributeParameter,
    CommonClause,
    OperatorSpec,
    Resized,
    ShapeChoice,
    ShapeRule,
    TensorParameter,
)

PRODUCT_SUPPORT = "product-support"
"""Id of the clause on the table of products."""

ClauseBasis: TypeAlias = Basis | Literal["stated", "suite"]
"""The basis of a clause: for an error clause, the documents' statement about a call that breaks it;
for others, whether a document states it or it is a rule of this suite."""

Kind: TypeAlias = Literal[
    "length", "dtype", "rank", "format", "shape", "non-contiguous", "empty", "absent", "unwanted"
]

_COLUMNS: dict[Kind, str] = {
    "length": "remarks on the number of tensors",
    "dtype": "data types",
    "rank": "dimensions",
    "format": "data formats",
    "shape": "remarks on the shape",
    "non-contiguous": "non-contiguous tensors",
    "empty": "remarks on empty tensors",
    "absent": "remarks on null pointers",
    "unwanted": "remarks on what is not wanted",
}
"""The columns of the parameter table."""

_NO_NEGATIVE = {
    "any-length": "a permission: no number of tensors is wrong",
    "non-contiguous": "a permission: a contiguous tensor is right as well, so no call breaks it",
    "empty": "a permission: a tensor with elements is right as well, so no call breaks it",
    "absent": "a permission: a tensor is right as well, so no call breaks it",
    "unwanted": "a promise about results: no call breaks it",
    DETERMINISM: "a promise about results: no call breaks it",
    BATCH_CONSISTENCY: "a promise about results: no call breaks it",
}
"""The reason why promises that every valid call keeps have no negative cases."""

_DETERMINISM = {
    "deterministic": "repeated calls give the same bits",
    "switchable": "repeated calls give the same bits once determinism is switched on",
}


@dataclass(frozen=True)
class StructuralClause:
    """A promise of the parameter table, of the table of products, about determinism or batches.

    Attributes:
        id: Stable: ``<parameter in kebab-case>-<kind>``, ``product-support``, ``determinism``
            or ``batch-consistency``.
        text: The promise, in a few English words.
        where: Its place in the document.
        parameter: Its tensor; None for the call as a whole.
        no_negative: The reason why no call can break the promise; None if one can.
    """

    id: str
    text: str
    where: Where
    parameter: str | None
    no_negative: str | None = None


@functools.cache
def clause_id(parameter: str, kind: Kind | str) -> str:
    """Return the id of a tensor's clause: ``gradOutput`` and ``rank`` give ``grad-output-rank``."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", "-", parameter).lower()
    return f"{words}-{kind}"


def structural_clauses(spec: OperatorSpec) -> tuple[StructuralClause, ...]:
    """Return the clauses of the parameter table, in prototype order."""
    clauses = [_product_support(spec)]
    reserved = spec.reserved_tensors()
    for tensor in spec.tensors:
        kinds = {"absent"} if tensor.name in reserved else promised_kinds(tensor)
        clauses += [
            StructuralClause(
                clause_id(tensor.name, kind),
                _text(tensor, kind),
                _row(tensor, kind),
                tensor.name,
                _NO_NEGATIVE.get(
                    "any-length" if kind == "length" and _is_endless(tensor) else kind
                ),
            )
            for kind in _COLUMNS
            if kind in kinds
        ]
    clauses += [
        StructuralClause(
            clause_id(scalar.name, "dtype"), _dtype_text(scalar), _row(scalar, "dtype"), scalar.name
        )
        for scalar in spec.scalars
    ]
    clauses += _determinism(spec)
    clauses += _batch_consistency(spec)
    return tuple(clauses)


def _is_endless(tensor: TensorParameter) -> bool:
    return {tensor.length, *tensor.length_on.values()} == {"any"}


def all_clause_texts(
    spec: OperatorSpec, common: Iterable[CommonClause]
) -> dict[str, tuple[str, str]]:
    """Return text and place of every clause of an operator, by id.

    Args:
        common: The clauses that all operators share.
    """
    clauses: tuple[ValueClause | Rule | ErrorClause | StructuralClause, ...] = (
        *structural_clauses(spec),
        *spec.rules,
        *spec.clauses,
        *spec.errors,
    )
    texts = {clause.id: (clause.text, place(spec, clause.where)) for clause in clauses}
    shared = {clause.id: (clause.text, clause.place) for clause in common}
    return {**texts, **shared}


def clause_bases(spec: OperatorSpec, common: Iterable[CommonClause]) -> dict[str, ClauseBasis]:
    """Return the basis of every clause of an operator, by id."""
    bases: dict[str, ClauseBasis] = dict.fromkeys(all_clause_texts(spec, ()), "stated")
    bases |= {clause.id: clause.basis for clause in common}
    return bases | {error.id: error.basis for error in spec.errors}


def place(spec: OperatorSpec, where: Where) -> str:
    """Return the place of a promise as text: document, chapter, item."""
    return f"{spec.document.title}, {where.section}, {where.item}"


def _product_support(spec: OperatorSpec) -> StructuralClause:
    names = [name for name, support in spec.products.items() if support == "supported"]
    text = f"the operator works on {listed(names)}"
    return StructuralClause(PRODUCT_SUPPORT, text, Where(section="products", item="table"), None)


def _determinism(spec: OperatorSpec) -> Iterator[StructuralClause]:
    products: dict[str, list[str]] = {}
    for product in spec.products:
        if spec.supports(product):
            products.setdefault(spec.determinism_on(product), []).append(product)
    promised = {kind: names for kind, names in products.items() if kind in _DETERMINISM}
    if promised:
        parts = [f"{_DETERMINISM[kind]} ({', '.join(names)})" for kind, names in promised.items()]
        where = Where(section="constraints", item="determinism")
        yield StructuralClause(
            DETERMINISM, "; ".join(parts), where, None, _NO_NEGATIVE[DETERMINISM]
        )


def _batch_consistency(spec: OperatorSpec) -> Iterator[StructuralClause]:
    promise = spec.batch_consistency
    if promise is None:
        return
    names = [product for product in spec.products if spec.batch_level_on(product) is not None]
    condition = f" once determinism has the level {promise.level}" if promise.level else ""
    text = (
        f"a sample gets the same bits whatever the size of its batch and its place there"
        f"{condition} ({', '.join(names)})"
    )
    where = Where(section="constraints", item="batch consistency")
    yield StructuralClause(BATCH_CONSISTENCY, text, where, None, _NO_NEGATIVE[BATCH_CONSISTENCY])


def _row(row: TensorParameter | AttributeParameter, kind: Kind) -> Where:
    return Where(section="parameters", item=f"{row.item or row.name}, {_COLUMNS[kind]}")


def promised_kinds(tensor: TensorParameter) -> set[Kind]:
    """Return the kinds of promises in the row of one tensor."""
    promises: dict[Kind, bool] = {
        "length": tensor.length is not None,
        "dtype": True,
        "rank": tensor.rank is not None,
        "format": True,
        "shape": tensor.shape is not None,
        "non-contiguous": tensor.non_contiguous,
        "empty": tensor.empty,
        "absent": tensor.absent is not None,
        "unwanted": tensor.wanted is not None,
    }
    return {kind for kind, is_given in promises.items() if is_given}


def _text(tensor: TensorParameter, kind: Kind) -> str:
    """Return the text of a promise in the row of one tensor."""
    name = tensor.name
    if kind == "dtype":
        return _dtype_text(tensor)
    if kind in ("rank", "length"):
        return f"{name} has {_count_text(tensor, kind)}"
    if kind == "format":
        return f"{name} has the format {listed(tensor.formats, 'or')}"
    if kind == "shape":
        return _shape_text(tensor)
    if kind in ("absent", "unwanted"):
        return _unless_text(tensor, kind)
    return f"{name} may be {kind}"


def _count_text(tensor: TensorParameter, kind: Literal["rank", "length"]) -> str:
    """Return how many dimensions or, of a list, tensors there may be."""
    if kind == "length":
        lengths = {"": tensor.length, **tensor.length_on}
        most = [f"{x}{on and f' on {on}'}" for on, x in lengths.items() if x != "any"]
        return f"one tensor or several{', at most ' if most else ''}{', '.join(most)}"
    least, greatest = tensor.rank or (0, 0)
    count = str(least) if least == greatest else f"{least} to {greatest}"
    return f"{count} dimension{'' if count == '1' else 's'}"


def _unless_text(tensor: TensorParameter, kind: Literal["absent", "unwanted"]) -> str:
    """Return what an absent input stands for, or what is promised of an output unless wanted."""
    name, value = tensor.name, tensor.absent
    if kind == "absent" and value != "unwanted":
        return f"a null pointer for {name} stands for {value:g} in each element"
    unless = "" if tensor.wanted is None else f", unless {tensor.wanted.text}"
    return f"{name} {'stays as it is' if kind == 'unwanted' else 'may be a null pointer'}{unless}"


def _dtype_text(row: TensorParameter | AttributeParameter) -> str:
    if row.dtype is not None:
        root = row.dtype.removesuffix(".dtype")
        source = f"{row.name} has the data type of {root}"
        if row.dtypes_by:
            pairs = [f"{listed(each, 'or')} beside {name}" for name, each in row.dtypes_by.items()]
            return f"{row.name} has a data type by that of {root}: {', '.join(pairs)}"
        if row.dtypes is None:
            return source
        text = f"{source}, or {listed(row.dtypes, 'or')}"
    else:
        text = f"{row.name} has the data type {listed(row.dtypes or [], 'or')}"
    for product, dtypes in row.dtypes_on.items():
        text += f"; on {product} {listed(dtypes, 'or') if dtypes else 'no other'}"
    return text


def _shape_text(tensor: TensorParameter) -> str:
    name, shape = tensor.name, tensor.shape
    if isinstance(shape, str):
        return f"{name} has the shape of {shape.removesuffix('.shape')}"
    if isinstance(shape, ShapeRule):
        return f"{name} {_rule_text(shape)}"
    dims = dim_texts(shape or [])
    return f"{name} has the shape [{', '.join(dims)}]"


def _rule_text(rule: ShapeRule) -> str:
    if rule.partner is not None:
        return f"broadcasts {'to' if rule.broadcasts_to else 'with'} the shape of {rule.partner}"
    if rule.broadcast_of is not None:
        return f"has the shape to which {listed(rule.broadcast_of)} broadcast"
    if rule.resized is not None:
        return _resized_text(rule.resized)
    if rule.within is not None:
        bounds, axis = rule.within.tensor, rule.within.axis.text
        return f"has no extent above that of {bounds}, but along the axis {axis}"
    if rule.trailing_of is not None:
        return f"has the last extents of {rule.trailing_of}, one of them at least"
    return f"has one of the shapes {listed(map(_choice_text, rule.one_of or []), 'or')}"


def _resized_text(rule: Resized) -> str:
    along = f"the axis {rule.axis.text}{' and all behind it' if rule.onward else ''}"
    detail = f" without {along}"
    if rule.extent is not None:
        detail = f", but an extent of {rule.extent.text} along {along}"
    if rule.kept is not None:
        detail += f", which is removed unless {rule.kept.text}"
    return f"has the shape of {rule.tensor}{detail}"


def _choice_text(choice: ShapeChoice) -> str:
    dims = dim_texts(choice.dims or [])
    if choice.pad_to_rank is not None:
        dims.append("1 …")
    condition = f" where {choice.when.text}" if choice.when is not None else ""
    if choice.broadcast_of is not None:
        return f"to which {listed(choice.broadcast_of)} broadcast{condition}"
    return f"[{', '.join(dims)}]{condition}"
