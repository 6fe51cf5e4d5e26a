# SPDX-License-Identifier: Apache-2.0
"""Null pointers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aclnn_cts.violations.data_types import unsupported_types, with_dtype
from aclnn_cts.violations.kind import Argument, Broken, Check, Kind

if TYPE_CHECKING:
    from aclnn_cts.plan.calls import Call, Twin
    from aclnn_cts.spec.clause_models import ErrorClause
    from aclnn_cts.spec.models import OperatorSpec


class NullPointer(Kind):
    key = "null_pointer"
    description = "Pass a null pointer for one of these, in turn."
    id = "null-pointer"
    column = "{}"
    refused = "a null {} is refused"
    required = "{} {are} not null"
    needs_given = False
    is_sampled = True
    status = "ACLNN_ERR_PARAM_NULLPTR"

    def breakable(self, spec: OperatorSpec) -> set[str]:
        optional = {tensor.name for tensor in spec.outputs if tensor.wanted is not None}
        return optional | {
            parameter.name for parameter in spec.parameters if parameter.absent is None
        }

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        for name in error.names:
            null = {f"null:{name}": True}
            yield Broken(name, name, null)
            if error.basis != "status":
                continue
            # Two mistakes at once: a device that finds one must not stumble over the other.
            for other in itertools.chain(_wrong_type(at, name), _wrong_value(at)):
                yield Broken(name, f"{name}+{other.detail}", {**null, **other.change})

    def breaking(self, call: Call, error: ErrorClause) -> Iterator[str]:
        return (name for name in error.names if call.is_null(name) and not call.is_member(name))

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        arrays = [attribute for attribute in spec.attributes if attribute.is_array]
        tensors = [tensor for tensor in spec.tensors if tensor.length is None]
        scalars = [scalar for scalar in spec.scalars if scalar.name not in spec.scalar_lists]
        groups: list[Argument] = [
            ("names", tuple(parameter.name for parameter in group if parameter.absent is None))
            for group in (tensors, arrays, scalars)
        ]
        while len(groups) > 1 and not groups[-1][1]:
            groups.pop()
        if any(names for _, names in groups):
            yield Check("NotNull", arguments=tuple(groups))
        for name in refused_texts(spec):
            yield Check("Text", arguments=(("word", name), ("text", name)))
        for tensor in spec.outputs:
            if tensor.wanted is not None:
                yield Check("NotNull", (tensor.name,), when=tensor.wanted)


def refused_texts(spec: OperatorSpec) -> list[str]:
    """Return the strings that must not be null."""
    errors = (error for error in spec.errors if isinstance(error.kind, NullPointer))
    names = {name for error in errors for name in error.names}
    return [x.name for x in spec.attributes if x.attribute == "string" and x.name in names]


def _wrong_type(at: Twin, null: str) -> Iterator[Broken]:
    """Yield an unsupported data type for the first tensor that is not null."""
    for tensor in [tensor for tensor in at.spec.tensors if tensor.name != null][:1]:
        yield from (
            with_dtype([tensor.name], dtype) for dtype in unsupported_types(at, tensor.name)[:1]
        )


def _wrong_value(at: Twin) -> Iterator[Broken]:
    """Yield the first attribute value that another error clause refuses on the product."""
    refused = (
        change
        for error in at.errors
        if error.assignments
        for change in error.kind.changes(at, error)
    )
    yield from itertools.islice(refused, 1)
