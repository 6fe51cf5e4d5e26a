# SPDX-License-Identifier: Apache-2.0
"""Holding what a spec lets the planner vary against its parameters."""

from __future__ import annotations

from collections.abc import Iterator

from aclnn_cts.spec.fields import Complaint
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.names import unknown


def factor_complaints(spec: OperatorSpec) -> Iterator[Complaint]:
    """Yield what is wrong with the section ``factors``: the place in the file, and the sentence."""
    attributes = {attribute.name for attribute in spec.attributes}
    inputs = {tensor.name for tensor in spec.inputs}
    for name in spec.factors.attributes:
        if name not in attributes:
            yield ("factors", "attributes", name), unknown("attribute", name, attributes)
    for name in attributes:
        if spec.role == "tested" and not spec.factors.attributes.get(name):
            yield ("factors", "attributes"), f"attribute {name!r} has no values to vary"
    for name in spec.factors.fill:
        if name not in inputs:
            yield ("factors", "fill", name), unknown("input", name, inputs)
