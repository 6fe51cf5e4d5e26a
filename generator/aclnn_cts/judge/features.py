# SPDX-License-Identifier: Apache-2.0
"""Features that cases may share, such as float16 or a stepped output.

Each is a phrase for people, an instance of a promise of the document (``x-dtype`` with float16), or
both. They separate failing cases from passing ones (:mod:`aclnn_cts.judge.attribution`). The
features are those of any call, independent of operators.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from aclnn_cts.plan.cases import ACLNN_SUCCESS, AttributeValue, Case, TensorCase
from aclnn_cts.spec.data_types import status_name
from aclnn_cts.spec.models import OperatorSpec, ShapeRule, TensorParameter
from aclnn_cts.spec.parameter_clauses import clause_id

MUST_BE_REFUSED = "must be refused"
"""The feature of a call that phase one must not accept."""

RETURNS = "phase one returns "
"""How the fact about the status of phase one begins."""

BLOCK_BYTES = 32
"""Block size of the vector core; the page on aclrtMalloc rounds sizes up to it."""

_MANY = (256, 2048, 16384, 131072)
"""Numbers of elements above which a call may need another tile, core or pass."""


@dataclass(frozen=True)
class Feature:
    """A property that cases may share.

    Attributes:
        setting: The case's setting of the promise, such as ``float16``; without a promise, the
            text.
        kind: The kind of promise: ``dtype``, ``rank`` …; empty without one.
        clause: The promise's id; empty without one.
        role: The tensor's role; empty without a tensor.
        text: Description; empty if it is not shown.
    """

    setting: str
    kind: str = ""
    clause: str = ""
    role: str = ""
    text: str = field(default="", compare=False)


def facts_of(spec: OperatorSpec, case: Case) -> tuple[str, ...]:
    """Return the descriptions of a case's features, simpler ones first."""
    return tuple(dict.fromkeys(each.text for each in features_of(spec, case) if each.text))


def status_fact(case: Case, status: int | None) -> tuple[str, ...]:
    """Return the fact about the status of a refused or refusable call, if there is one."""
    if status is None or (case.expects_success and status == ACLNN_SUCCESS):
        return ()
    return (f"{RETURNS}{status_name(status)}",)


def features_of(spec: OperatorSpec, case: Case) -> Iterator[Feature]:
    """Yield the features of a case, given its document's promises."""
    if not case.expects_success:
        yield _statement(MUST_BE_REFUSED)
    yield from _data_types(case)
    yield from _layouts(spec, case)
    yield from _extents(spec, case)
    for name, value in case.attributes.items():
        yield _statement(f"{name} = {_value(value)}")
    yield _statement(f"scene {case.scene}")
    for tensor in case.inputs:
        if tensor.fill is not None:
            yield _statement(f"{tensor.name} filled with {tensor.fill}")
    if case.deterministic:
        yield _statement("determinism switched on")
    for each in case.slices if case.expects_success else ():
        for parameter in spec.tensors:
            yield from _broadcasts(parameter, each.case)


def _statement(text: str) -> Feature:
    return Feature(text, text=text)


def _of_tensor(
    case: Case, tensor: TensorCase, kind: str, setting: str, text: str = ""
) -> Iterator[Feature]:
    """Yield a tensor's setting of a promise if there is one, else only the text."""
    clause = clause_id(tensor.parameter, kind)
    if clause in case.clauses:
        yield Feature(setting, kind, clause, tensor.role, text)
    elif text:
        yield _statement(text)


def _data_types(case: Case) -> Iterator[Feature]:
    first = case.tensors[0]
    for tensor in case.tensors:
        text = first.dtype if tensor is first else f"{tensor.name} {tensor.dtype}"
        differs = tensor is first or tensor.dtype != first.dtype
        yield from _of_tensor(case, tensor, "dtype", tensor.dtype, text if differs else "")
    for name, dtype in case.scalars.items():
        if dtype != first.dtype:
            yield _statement(f"{name} {dtype}")


def _layouts(spec: OperatorSpec, case: Case) -> Iterator[Feature]:
    usual = {parameter.name: parameter.formats[0] for parameter in spec.tensors}
    stepped = [tensor for tensor in case.tensors if tensor.layout != "contiguous"]
    if not stepped:
        yield _statement("all contiguous")
    for role, other in (("input", "output"), ("output", "input")):
        if any(tensor.role != other for tensor in stepped):
            yield _statement(f"an {role} not contiguous")
    for tensor in case.tensors:
        text = f"{tensor.name} {tensor.layout}" if tensor in stepped else ""
        yield from _of_tensor(case, tensor, "non-contiguous", tensor.layout, text)
        if tensor in stepped:
            yield from map(_statement, _steps(tensor))
        if tensor.source == "null":
            yield _statement(f"{tensor.name} null")
        if tensor.shares is not None:
            same = case.elements_of(tensor) is not tensor
            yield _statement(
                f"{tensor.name} {'is' if same else 'in the storage of'} {tensor.shares}"
            )
        is_usual = usual.get(tensor.parameter) in (tensor.format, None)
        text = "" if is_usual else f"{tensor.name} in {tensor.format}"
        yield from _of_tensor(case, tensor, "format", tensor.format, text)


def _steps(tensor: TensorCase) -> Iterator[str]:
    """Yield descriptions of a view's offset and strides, independent of its layout's name."""
    if tensor.offset:
        yield f"{tensor.name} behind an offset"
    if 0 in tensor.strides:
        yield f"{tensor.name} with a stride of 0"
    axes = [
        (extent, stride)
        for extent, stride in zip(tensor.shape, tensor.strides, strict=True)
        if extent > 1
    ]
    if axes and axes[-1][1] != 1:
        yield f"{tensor.name} with steps along its last axis"
    packed = all(outer[1] == inner[0] * inner[1] for outer, inner in itertools.pairwise(axes))
    if not packed:
        yield f"{tensor.name} with rows that are not packed"


def _extents(spec: OperatorSpec, case: Case) -> Iterator[Feature]:
    if any(tensor.numel == 0 for tensor in case.tensors):
        yield _statement("an empty tensor")
    by_nature = {each.name for each in spec.tensors if not _has_rank_of_its_own(each)}
    # a kernel's tiling follows the first output
    leading = (case.outputs or case.tensors)[0]
    for tensor in case.tensors:
        yield from _of_tensor(case, tensor, "empty", "")
        if tensor.parameter not in by_nature:
            text = f"{tensor.name} of rank {len(tensor.shape)}" if tensor is leading else ""
            yield from _of_tensor(case, tensor, "rank", str(len(tensor.shape)), text)
    yield from map(_statement, _tails(leading))
    for many in _MANY:
        if leading.numel > many:
            yield _statement(f"{leading.name} above {many} elements")
    if 1 in leading.shape:
        yield _statement(f"{leading.name} with an axis of 1")


def _has_rank_of_its_own(parameter: TensorParameter) -> bool:
    """Whether a tensor's rank may differ, unlike that of a mean, which has no axis by nature."""
    return parameter.is_input or parameter.shape is None or isinstance(parameter.shape, str)


def _tails(tensor: TensorCase) -> Iterator[str]:
    """Yield tail sizes: elements beyond the last whole block."""
    if tensor.numel % 16:
        yield f"number of elements of {tensor.name} not a multiple of 16"
    if tensor.numel * tensor.data_type.itemsize % BLOCK_BYTES:
        yield f"size of {tensor.name} not a multiple of {BLOCK_BYTES} bytes"
    if tensor.shape and tensor.shape[-1] * tensor.data_type.itemsize % BLOCK_BYTES:
        yield f"rows of {tensor.name} not a multiple of {BLOCK_BYTES} bytes"


def _value(value: AttributeValue) -> str:
    if value is None:
        return "null"
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _broadcasts(parameter: TensorParameter, case: Case) -> Iterator[Feature]:
    """Yield how a tensor is broadcast: missing axes or stretched ones."""
    rule, clause = parameter.shape, clause_id(parameter.name, "shape")
    if not isinstance(rule, ShapeRule) or rule.partner is None or clause not in case.clauses:
        return
    tensor, other = case.tensor(parameter.name), case.tensor(rule.partner)
    lacking = max(len(other.shape) - len(tensor.shape), 0)
    if lacking and tensor.numel > 1:
        yield Feature("fewer", "broadcast", clause, tensor.role)
    if any(a != b for a, b in zip(tensor.shape[::-1], other.shape[::-1], strict=False)):
        yield Feature("stretched", "broadcast", clause, tensor.role)


def value_features(spec: OperatorSpec, case: Case) -> Iterator[Feature]:
    """Yield the values in rules and shapes, alone and for each rule together.

    Args:
        case: A valid call.
    """
    for rule in spec.rules:
        values = _values(case, rule.require.names)
        yield Feature(repr(sorted(values.items())), "rule", rule.id)
        for name, value in values.items():
            yield Feature(f"{name}={value!r}", "rule", rule.id)
            if isinstance(value, tuple):
                yield Feature(f"len({name})={len(value)}", "length", rule.id)
    for tensor in spec.tensors:
        clause = clause_id(tensor.name, "shape")
        if clause not in case.clauses:
            continue
        for each in case.members(tensor.name):
            yield Feature(repr(each.shape), "shape", clause)
        dims = tensor.shape if isinstance(tensor.shape, list) else []
        names = {name for dim in dims if not isinstance(dim, str) for name in dim.names}
        for name, value in _values(case, names).items():
            yield Feature(f"{name}={value!r}", "shape", clause)


def _values(case: Case, names: Collection[str]) -> dict[str, object]:
    values = case.values
    return {name: values[name] for name in sorted(names) if name in values}
