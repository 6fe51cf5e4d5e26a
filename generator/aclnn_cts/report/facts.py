# SPDX-License-Identifier: Apache-2.0
"""Facts that cases may share, as phrases for people: ``float16``, ``out stepped``.

Failing cases are grouped by such facts (:mod:`aclnn_cts.report.grouping`). Nothing here knows what
an operator may get wrong: the facts are those of any call.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from aclnn_cts.plan.cases import AttributeValue, Case, TensorCase

MUST_BE_REFUSED = "must be refused"
"""The fact of a call that phase one must not accept."""

BLOCK_BYTES = 32
"""The unit in which the vector core moves data between its memories: aclrtMalloc's document rounds
sizes up to it."""

_MANY = (256, 2048, 16384, 131072)
"""Elements above which a call may need another tile, core or pass."""

_PLAIN_FORMATS = ("ND", "NCHW")


def facts_of(case: Case) -> tuple[str, ...]:
    """Return the facts of a case; of two that are as telling the first is the plainer one."""
    return tuple(dict.fromkeys(_facts(case)))


def _facts(case: Case) -> Iterator[str]:
    if not case.expects_success:
        yield MUST_BE_REFUSED
    yield from _data_types(case)
    yield from _layouts(case)
    yield from _extents(case)
    for name, value in case.attributes.items():
        yield f"{name} = {_told(value)}"
    yield f"scene {case.scene}"
    for tensor in case.inputs:
        if tensor.fill is not None:
            yield f"{tensor.name} filled with {tensor.fill}"
    if case.deterministic:
        yield "determinism switched on"


def _data_types(case: Case) -> Iterator[str]:
    yield case.tensors[0].dtype
    for tensor in case.tensors[1:]:
        if tensor.dtype != case.tensors[0].dtype:
            yield f"{tensor.name} {tensor.dtype}"


def _layouts(case: Case) -> Iterator[str]:
    if all(tensor.layout == "contiguous" for tensor in case.tensors):
        yield "all contiguous"
    for role in ("input", "output"):
        if any(each.role == role and each.layout != "contiguous" for each in case.tensors):
            yield f"an {role} not contiguous"
    for tensor in case.tensors:
        if tensor.layout != "contiguous":
            yield f"{tensor.name} {tensor.layout}"
            yield from _steps(tensor)
        if tensor.source == "null":
            yield f"{tensor.name} null"
        if tensor.format not in _PLAIN_FORMATS:
            yield f"{tensor.name} in {tensor.format}"


def _steps(tensor: TensorCase) -> Iterator[str]:
    """Yield how a view lies in its storage, whatever its layout is called."""
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


def _extents(case: Case) -> Iterator[str]:
    if any(tensor.numel == 0 for tensor in case.tensors):
        yield "an empty tensor"
    # The first output is what a kernel's tiling follows.
    tensor = (case.outputs or case.tensors)[0]
    yield f"{tensor.name} of rank {len(tensor.shape)}"
    yield from _tails(tensor)
    for many in _MANY:
        if tensor.numel > many:
            yield f"{tensor.name} above {many} elements"
    if 1 in tensor.shape:
        yield f"{tensor.name} with an axis of 1"


def _tails(tensor: TensorCase) -> Iterator[str]:
    """Yield what is left over when a tensor is moved in whole blocks."""
    if tensor.numel % 16:
        yield f"elements of {tensor.name} no multiple of 16"
    if tensor.numel * tensor.data_type.itemsize % BLOCK_BYTES:
        yield f"bytes of {tensor.name} no multiple of {BLOCK_BYTES}"
    if tensor.shape and tensor.shape[-1] * tensor.data_type.itemsize % BLOCK_BYTES:
        yield f"rows of {tensor.name} no multiple of {BLOCK_BYTES} bytes"


def _told(value: AttributeValue) -> str:
    if value is None:
        return "null"
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)
