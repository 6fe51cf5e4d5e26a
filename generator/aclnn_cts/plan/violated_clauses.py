# SPDX-License-Identifier: Apache-2.0
"""The clauses and requirements that a call violates, and which refusal the documents state.

They follow from the call's shapes, data types and attributes, not from the purpose of its case.
This detects a case that was meant to break a rule and does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from aclnn_cts.plan.calls import Call
from aclnn_cts.plan.cases import TensorCase
from aclnn_cts.spec.clause_models import Basis, ErrorClause
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.parameter_clauses import PRODUCT_SUPPORT, clause_id

STRONGEST_FIRST: tuple[Basis, ...] = ("status", "refusal", "requirement")
"""Order of bases; a call that breaks several clauses has the first one."""


def unmet_requirements(call: Call) -> tuple[str, ...]:
    """Return the ids of the structural clauses and rules that a call breaks.

    A call with a null pointer is refused for it first, so it tests no other requirement; on a
    product without support, only that is broken. If a rule is broken (a length of 0), no shape
    follows from the attributes, so no shape can be wrong.
    """
    if not call.spec.supports(call.product):
        return (PRODUCT_SUPPORT,)
    unmet = (name for each in call.slices for name in _unmet_by_one(each))
    return tuple(dict.fromkeys(unmet))


def _unmet_by_one(call: Call) -> tuple[str, ...]:
    """Return what a call of single tensors breaks."""
    if passes_null(call):
        return ()
    rules = tuple(call.broken_rules(open_ones=False))
    broken = [
        clause_id(tensor.name, kind)
        for tensor in call.case.tensors
        for kind in _broken_kinds(call, tensor)
    ]
    broken += [
        clause_id(name, "dtype")
        for name in call.case.scalars
        if call.case.attributes.get(name) is not None
        and call.dtype(name) not in call.allowed_dtypes(name)
    ]
    return rules or tuple(broken)


def passes_null(call: Call) -> bool:
    """Whether a call passes a null pointer that is not allowed."""
    return any(
        call.is_null(each.name) for each in call.spec.parameters if each.absent is None
    ) or any(call.is_null(each.name) and call.wants(each) for each in call.spec.outputs)


@dataclass(frozen=True)
class Refusal:
    """The documents' statement about a call that breaks error clauses or requirements.

    Attributes:
        basis: ``status`` or ``refusal`` if any clause states that, else ``requirement``.
        statuses: The allowed statuses; none if any status but 0 is allowed.
        clauses: Ids of the error clauses that state the basis, the one of the case's scene first.
        requirements: Ids of the requirements that the call breaks.
        violated: Ids of all error clauses that the call breaks.
        is_launched: Whether phase two may follow if phase one accepts the call: if a document says
            that one of the phases fails, or if only the product makes the call wrong.
    """

    basis: Basis
    statuses: tuple[int, ...]
    clauses: tuple[str, ...]
    requirements: tuple[str, ...]
    violated: tuple[str, ...]
    is_launched: bool


def refusal_of(call: Call) -> Refusal:
    """Return the documents' statement about a call, from all its violations.

    No page states the order of checks. So if several clauses are broken, the status of each is
    allowed, and any status if one of them states none. There is one exception: if a row refuses a
    tensor's data type, a requirement on the same data type allows no other status, or the row would
    be void.
    """
    broken = _violated_clauses(call)
    requirements = unmet_requirements(call)
    stating = [error for error in broken if error.basis != "requirement"]
    basis = _strongest(error.basis for error in broken)
    unmet = unmet_besides_null(call) if passes_null(call) else requirements
    breaking = {
        error.id: {name for each in call.slices for name in error.kind.breaking(each, error)}
        for error in broken
    }
    clauses = sorted((stating or broken), key=lambda error: error.id != call.case.scene)
    alone = all(error.is_of_product for error in broken)
    return Refusal(
        basis=basis,
        statuses=tuple(dict.fromkeys(code for error in broken for code in error.statuses))
        if _all_have_status(call.spec, broken, breaking, unmet)
        else (),
        clauses=tuple(error.id for error in clauses),
        requirements=requirements,
        violated=tuple(error.id for error in broken),
        is_launched=basis == "refusal" or (bool(broken) and alone),
    )


def _all_have_status(
    spec: OperatorSpec,
    broken: Sequence[ErrorClause],
    breaking: Mapping[str, Iterable[str]],
    unmet: Iterable[str],
) -> bool:
    """Whether clauses with a status cover all violations of a call.

    Args:
        breaking: The parameters that break each of the clauses, by its id.
        unmet: The requirements that the call breaks.
    """
    rows = [error for error in broken if error.basis == "status"]
    refused = {each for row in rows for each in _about(spec, row, breaking[row.id])}
    for error in broken:
        same = error.basis == "requirement" and error.kind.kinds
        if error not in rows and not (same and _about(spec, error, breaking[error.id]) <= refused):
            return False
    return {each for row in rows for each in _about(spec, row, row.names)}.issuperset(unmet)


def violated_ids(call: Call) -> tuple[str, ...]:
    """Return the ids of the error clauses that a call breaks, regardless of its purpose."""
    return tuple(error.id for error in _violated_clauses(call))


def _strongest(bases: Iterable[Basis]) -> Basis:
    present = set(bases)
    return next((basis for basis in STRONGEST_FIRST if basis in present), "requirement")


def _violated_clauses(call: Call) -> list[ErrorClause]:
    """Return the error clauses that a call breaks, from its own facts.

    A null pointer has no data type and no shape that could be wrong. On a product without support,
    only that is broken.
    """
    supported, slices = call.spec.supports(call.product), call.slices
    return [
        error
        for error in call.errors
        if supported != error.is_of_product
        and any(
            (error.when is None or each.speaks_of(error.when)) and error.kind.holds(each, error)
            for each in slices
        )
    ]


def _about(spec: OperatorSpec, error: ErrorClause, names: Iterable[str]) -> set[str]:
    """Return the requirements on the parameters of an error clause."""
    if error.kind.covers == "rules":
        return {rule.id for rule in spec.rules}
    if error.is_of_product:
        return {PRODUCT_SUPPORT}
    return {clause_id(name, kind) for name in names for kind in error.kind.kinds}


def unmet_besides_null(call: Call) -> tuple[str, ...]:
    """Return the requirements that a call would break without its null pointer.

    A call with a null array or string breaks no other requirement; a null scalar has no value that
    could break one.
    """
    spec, case = call.spec, call.whole
    missed = (each for each in spec.tensors if each.absent is None or each.wanted is not None)
    names = {each.name for each in missed}
    whole = tuple(
        replace(tensor, source="output" if tensor.role == "output" else "data")
        if tensor.parameter in names
        else tensor
        for tensor in case.tensors
    )
    values = {
        name: value
        for name, value in case.attributes.items()
        if value is not None or name not in case.scalars
    }
    return unmet_requirements(Call.of(spec, replace(case, tensors=whole, attributes=values)))


def _broken_kinds(call: Call, tensor: TensorCase) -> Iterator[str]:
    parameter = call.spec.tensor(tensor.name)
    longest = call.spec.longest(call.product, parameter.name) if parameter.length else None
    if longest is not None and len(call.whole.members(parameter.name)) > longest:
        yield "length"
    if tensor.dtype not in call.allowed_dtypes(tensor.name):
        yield "dtype"
    if parameter.rank and not parameter.rank[0] <= len(tensor.shape) <= parameter.rank[1]:
        yield "rank"
    added = {
        error.kind.adds
        for error in call.errors
        if error.kind.adds
        and tensor.name in error.names
        and error.kind.is_wrong(call, error, tensor.name)
    }
    if tensor.format not in parameter.formats or "format" in added:
        yield "format"
    if not call.allows_shape(tensor.name, tensor.shape):
        yield "shape"
