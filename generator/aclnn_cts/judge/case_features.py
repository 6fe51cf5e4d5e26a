# SPDX-License-Identifier: Apache-2.0
"""What a call makes of each promise about calls: what failing calls may have in common."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.spec.models import OperatorSpec, ShapeRule, TensorParameter
from aclnn_cts.spec.structure import PRODUCT_SUPPORT, clause_id

STRUCTURAL_KINDS = ("broadcast", "non-contiguous", "empty", "dtype", "rank", "format")
"""Kinds of structural promises, by which cases differ or are alike; what is rarer is the better
explanation."""

VALUE_KINDS = ("length", "rule", "shape")
"""Kinds of what rules and shapes read, the most telling first."""


@dataclass(frozen=True)
class Trait:
    """What a case makes of one promise, such as ``x-dtype`` with ``float16``.

    Attributes:
        kind: One of the kinds above, or ``product``.
        clause: The promise's id.
        setting: What the case makes of it.
        role: The tensor's role; empty where no tensor is meant.
    """

    kind: str
    clause: str
    setting: str
    role: str = ""


SUPPORT = Trait("product", PRODUCT_SUPPORT, "")
"""What all calls on a product share."""


def structural_traits(spec: OperatorSpec, case: Case) -> Iterator[Trait]:
    """Yield a case's traits; only of promises that the document makes (Case.clauses holds them).

    Args:
        spec: The operator.
        case: One of its calls that must work.
    """
    for parameter in spec.tensors:
        yield from _broadcasts(parameter, case)
    for kind in STRUCTURAL_KINDS:
        for tensor in case.tensors:
            clause = clause_id(tensor.name, kind)
            if clause in case.clauses:
                yield Trait(kind, clause, _setting(kind, tensor), tensor.role)


def _broadcasts(parameter: TensorParameter, case: Case) -> Iterator[Trait]:
    """Yield how a tensor is broadcast: it lacks axes of the other one, or stretches some."""
    rule, clause = parameter.shape, clause_id(parameter.name, "shape")
    if not isinstance(rule, ShapeRule) or rule.broadcasts_to is None or clause not in case.clauses:
        return
    own, other = case.tensor(parameter.name), case.tensor(rule.broadcasts_to)
    lacking = len(other.shape) - len(own.shape)
    if lacking and own.numel > 1:
        yield Trait("broadcast", clause, "fewer", own.role)
    if any(a != b for a, b in zip(own.shape, other.shape[lacking:], strict=True)):
        yield Trait("broadcast", clause, "stretched", own.role)


def _setting(kind: str, tensor: TensorCase) -> str:
    settings = {
        "dtype": tensor.dtype,
        "rank": str(len(tensor.shape)),
        "non-contiguous": tensor.layout,
        "format": tensor.format,
    }
    return settings.get(kind, "")


def value_traits(spec: OperatorSpec, case: Case) -> Iterator[Trait]:
    """Yield the values that rules and shapes read in a call: each by itself, a rule's together.

    Args:
        spec: The operator.
        case: One of its calls that must work.
    """
    for rule in spec.rules:
        values = _values(case, rule.require.names)
        yield Trait("rule", rule.id, repr(sorted(values.items())))
        for name, value in values.items():
            yield Trait("rule", rule.id, f"{name}={value!r}")
            if isinstance(value, tuple):
                yield Trait("length", rule.id, f"len({name})={len(value)}")
    for tensor in spec.tensors:
        clause = clause_id(tensor.name, "shape")
        if clause not in case.clauses:
            continue
        yield Trait("shape", clause, repr(case.tensor(tensor.name).shape))
        dims = tensor.shape if isinstance(tensor.shape, list) else []
        read = {name for dim in dims if not isinstance(dim, str) for name in dim.names}
        for name, value in _values(case, read).items():
            yield Trait("shape", clause, f"{name}={value!r}")


def _values(case: Case, names: frozenset[str] | set[str]) -> dict[str, object]:
    known = {**case.names, **case.attributes}
    return {name: known[name] for name in sorted(names) if name in known}
