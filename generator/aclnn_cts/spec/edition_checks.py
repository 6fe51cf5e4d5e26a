# SPDX-License-Identifier: Apache-2.0
"""What may not be said in the changes of an edition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aclnn_cts.errors import unknown_name
from aclnn_cts.spec.edition_models import CURRENT
from aclnn_cts.spec.editions import Merged
from aclnn_cts.spec.fields import Complaint
from aclnn_cts.spec.models import AttributeParameter, OperatorSpec
from aclnn_cts.spec.yaml_files import Location

_FIXED = ("operator", "header", "role", "golden", "editions")
"""What all editions share: programs and formulas are made once."""

_ENTRIES: Mapping[Location, str] = {
    ("parameters",): "parameter",
    ("precision",): "output",
    ("scenes",): "scene",
}
"""What an entry of a named list is, where it is no clause."""


def patch_complaints(name: str, spec: OperatorSpec) -> Iterator[Complaint]:
    """Yield what is wrong with an edition before it is merged."""
    if name in (CURRENT, spec.document.edition):
        yield ("editions", name), f"the name {name!r} means the edition that the spec itself states"
    for key in _FIXED:
        if key in spec.editions[name].changes:
            at = ("editions", name, "changes", key)
            yield at, f"{key} is the same in all editions; the changes may not name it"


def idle_complaints(merged: Merged) -> Iterator[Complaint]:
    """Yield each ``null`` that removes nothing: the name is a slip, or the change is none."""
    for at, (within, known) in merged.unknown.items():
        told = unknown_name(_ENTRIES.get(within, "clause"), str(at[-1]), known)
        yield at, f"{told} (a new one holds nothing that null could remove)"
    for at in merged.idle:
        yield at, f"{at[-1]!r} is not there, so null removes nothing"


def prototype_complaints(spec: OperatorSpec, current: OperatorSpec) -> Iterator[Complaint]:
    """Yield what is wrong if an edition has another C prototype than the current one."""
    if _prototype(spec) != _prototype(current):
        sentence = "the C prototype differs from that of the spec; one program serves all editions"
        yield ("parameters",), sentence


def _prototype(spec: OperatorSpec) -> list[tuple[Any, ...]]:
    return [
        (parameter.name, parameter.attribute)
        if isinstance(parameter, AttributeParameter)
        else (parameter.name, parameter.tensor, parameter.const)
        for parameter in spec.parameters
    ]
