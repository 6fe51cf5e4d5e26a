# SPDX-License-Identifier: Apache-2.0
"""Whether the values that a spec gives to attributes are of the attributes' types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aclnn_cts.spec.expression import ExpressionError, parse
from aclnn_cts.spec.fields import Complaint
from aclnn_cts.spec.models import OperatorSpec

_WANTED = {
    "double": "a number, or an expression",
    "int64": "a whole number, or an expression",
    "bool": "true or false",
    "string": "text",
    "ints": "a list of whole numbers",
}


def value_complaints(spec: OperatorSpec) -> Iterator[Complaint]:
    """Yield the values of attributes that are of another type: the place, and the sentence."""
    kinds = {attribute.name: attribute.attribute for attribute in spec.attributes}
    for at, name, value in _values(spec):
        if name in kinds and not _fits(kinds[name], value):
            yield at, f"{value!r} is no value of {name}; wanted: {_WANTED[kinds[name]]}"


def _values(spec: OperatorSpec) -> Iterator[tuple[tuple[int | str, ...], str, Any]]:
    """Yield every value that the spec gives to an attribute, with its place."""
    for name, levels in spec.factors.attributes.items():
        for number, value in enumerate(levels):
            yield ("factors", "attributes", name, number), name, value
    for index, scene in enumerate(spec.scenes):
        for name, value in scene.attributes.items():
            yield ("scenes", index, "attributes", name), name, value
        for number, variant in enumerate(scene.each):
            for name, value in variant.attributes.items():
                yield ("scenes", index, "each", number, "attributes", name), name, value
    for index, error in enumerate(spec.errors):
        for number, assignment in enumerate(error.assign or []):
            for name, value in assignment.items():
                yield ("errors", index, "assign", number, name), name, value


def _fits(kind: str, value: Any) -> bool:
    if kind == "bool":
        return isinstance(value, bool)
    if kind == "string":
        return isinstance(value, str)
    if kind == "ints":
        return isinstance(value, list) and all(type(item) is int for item in value)
    if isinstance(value, str):
        return _is_expression(value)
    return type(value) is int or (kind == "double" and isinstance(value, float))


def _is_expression(text: str) -> bool:
    try:
        parse(text)
    except ExpressionError:
        return False
    return True
