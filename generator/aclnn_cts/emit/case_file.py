# SPDX-License-Identifier: Apache-2.0
"""The case file: a program's cases, one fact per line (docs/case-file.md)."""

from __future__ import annotations

import math
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.plan.cases import COPIES, DECOYED, SOAK, Case, TensorCase
from aclnn_cts.plan.layouts import contiguous
from aclnn_cts.plan.planner import decoy_call, ordinary_call, other_operators
from aclnn_cts.spec.data_types import DATA_TYPES, FORMATS
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import (
    INTEGERS,
    SCALARS,
    AttributeParameter,
    OperatorSpec,
    Producer,
)

FORMAT_VERSION = 6

WIDE_GUARD = 65536
"""Guard bytes on each side of a tensor in the scenes below. Writes relative to a wrong base seldom
land within the 1024 bytes of other cases; wide guards in every case would take longer and find no
more.
"""

WIDELY_GUARDED = ("base", "state")

_GUARD = 1024
"""Guard bytes on each side of a tensor in other scenes."""

_MOST_ROOM = 64
"""Maximum number of bytes that the harness leaves behind a tensor: rounding up to 32, and slack."""


def device_bytes(specs: SpecSet, case: Case) -> int:
    """Return the maximum number of bytes that a case's tensors take on the device.

    Workspaces, whose size is known only after phase one, and small side calls do not count.
    """
    margin = 2 * (WIDE_GUARD if case.scene in WIDELY_GUARDED else _GUARD) + _MOST_ROOM
    views = [
        (math.prod(tensor.storage), tensor)
        for tensor in case.tensors
        if tensor.source != "null" and tensor.shares is None
    ]
    for handed_over, producer in _producers(specs, case):
        outputs = specs.operator(producer.operator).outputs
        producer_outputs = (
            case.tensor(producer.outputs.get(output.name, handed_over)) for output in outputs
        )
        views += [(tensor.numel, tensor) for tensor in producer_outputs]
    total = sum(elements * tensor.data_type.itemsize + margin for elements, tensor in views)
    return total * max((COPIES.get(variant, 1) for variant in case.again), default=1)


def _producers(specs: SpecSet, case: Case) -> Iterator[tuple[str, Producer]]:
    """Yield the inputs that another operator makes, with that operator."""
    for parameter in specs.operator(case.operator).inputs:
        if parameter.producer and case.tensor(parameter.name).source == "producer":
            yield parameter.name, parameter.producer


_NONCE = re.compile(r"[0-9a-f]{32}")


def new_nonce() -> str:
    """Return a new nonce, so that events of another run cannot pass for this run's.

    A program copies it from its case file into its first event.
    """
    return secrets.token_hex(16)


def require_nonce(text: str) -> str:
    """Return a nonce that is 32 lower-case hexadecimal digits.

    Raises:
        NotTrustworthyError: It is something else.
    """
    if _NONCE.fullmatch(text) is None:
        raise NotTrustworthyError(f"the nonce {text!r} is not 32 lower-case hexadecimal digits")
    return text


def case_lines(specs: SpecSet, case: Case, data: DataReference) -> Iterator[str]:
    spec = specs.operator(case.operator)
    yield f"case {case.id}"
    yield "data -" if data.path is None else f"data {data.path} {data.payload}"
    # A valid call follows each refusal, to notice a device that keeps the refusal's status for the
    # next call; a second refusal would hide it.
    once = not (case.expects_success or case.again) and int(case.digest[0], 16) % 2
    yield "runs 1" if once else "runs 2"
    yield f"slack {specs.product(case.product).malloc_slack}"
    if case.scene in WIDELY_GUARDED:
        yield f"guard {WIDE_GUARD}"
    yield f"deterministic {case.determinism_level}"
    if not case.is_launched:
        yield "launch 0"
    for tensor in case.tensors:
        yield f"tensor {_view(tensor)} {_source(case, tensor, data)}"
    for attribute in spec.attributes:
        yield f"attribute {_attribute(attribute, case)}"
    for handed_over, producer in _producers(specs, case):
        yield from _producer_lines(specs, case, handed_over, producer)
    yield from (f"again {variant}" for variant in case.again)
    if "many-calls" in case.again:
        yield f"calls {_calls(case)}"
    yield from _side_calls(specs, case)
    yield "end"


def _side_calls(specs: SpecSet, case: Case) -> Iterator[str]:
    """Describe the calls beside the measured one that execution variants need."""
    spec, product = specs.operator(case.operator), specs.product(case.product)
    for other in operators_beside(specs, case):
        yield from _side_lines("other", other, ordinary_call(other, product))
    if set(DECOYED) & set(case.again):
        yield from _side_lines("decoy", spec, decoy_call(spec, product, case))


def operators_beside(specs: SpecSet, case: Case) -> tuple[OperatorSpec, ...]:
    """Return the other operators that the execution variants of a case call."""
    if "among-others" in case.again:
        return other_operators(specs, case.operator, case.product)
    if "after-others" in case.again:
        return other_operators(specs, case.operator, case.product)[:1]
    return ()


def _calls(case: Case) -> int:
    """Return how many times the run ``many-calls`` makes a call."""
    if not case.expects_success:
        return 1000
    return 2000 if case.scene == SOAK else 32


CaseLines: TypeAlias = Callable[[SpecSet, Case, DataReference], Iterable[str]]


def case_file_text(
    specs: SpecSet,
    operator: str,
    cases: Iterable[tuple[Case, DataReference]],
    nonce: str,
    timed: int = 0,
    lines_of: CaseLines = case_lines,
) -> str:
    """Return the text of an operator's case file.

    Args:
        cases: Its cases, with the places of their data.
        nonce: The run's nonce; the program repeats it in its first event.
        timed: Timed launches of each valid call.
        lines_of: Returns the lines of one case.

    Raises:
        NotTrustworthyError: The nonce is malformed.
    """
    lines = [f"aclnn-cts-cases {FORMAT_VERSION} {operator}", f"nonce {require_nonce(nonce)}"]
    for case, data in cases:
        lines.extend(lines_of(specs, case, data))
        if timed and case.expects_success:
            lines.insert(-1, f"timed {timed}")
    return "\n".join(lines) + "\n"


def _view(tensor: TensorCase) -> str:
    return " ".join(
        (
            tensor.name,
            tensor.role,
            str(tensor.data_type.code),
            str(FORMATS[tensor.format]),
            f"shape {_dims(tensor.shape)}",
            f"strides {_dims(tensor.strides)}",
            f"offset {tensor.offset}",
            f"storage {_dims(tensor.storage)}",
        )
    )


def _dims(dims: Sequence[int]) -> str:
    return ",".join(map(str, dims)) or "-"


def _source(case: Case, tensor: TensorCase, data: DataReference) -> str:
    if tensor.source == "data":
        field = data.fields[case.elements_of(tensor).name]
        sharing = "" if tensor.shares is None else f"shares {tensor.shares} "
        return f"{sharing}data {field.offset} {field.size}"
    return {"output": "output", "null": "null", "producer": "from-producer"}[tensor.source]


def _attribute(attribute: AttributeParameter, case: Case) -> str:
    """Return ``name kind value`` as the programs read it."""
    kind, value = attribute.attribute, case.attributes[attribute.name]
    if value is None:
        return f"{attribute.name} {kind}-null"
    if kind in ("double", "float"):
        number = float(value)  # type: ignore[arg-type]
        return f"{attribute.name} double {number.hex() if math.isfinite(number) else number}"
    if kind in SCALARS:
        data_type = DATA_TYPES[case.scalars[attribute.name]]
        elements = np.asarray(value).astype(data_type.numpy)
        return f"{attribute.name} {kind} {data_type.code} {elements.tobytes().hex()}"
    if isinstance(value, tuple):
        return f"{attribute.name} {kind} {_dims(tuple(map(int, value)))}"
    if kind in INTEGERS:
        bits = int(value) % 2**64
        kind, value = "int64", bits - (bits >> 63) * 2**64
    if isinstance(value, str) and not value.isprintable():
        raise WrongInputError(
            f"{case.id}: {attribute.name} is {value!r}; a case file has one line for it, so use "
            "only printable characters"
        )
    if kind == "dtype":
        return f"{attribute.name} int64 {DATA_TYPES[str(value)].code}"
    return f"{attribute.name} {kind} {int(value) if kind == 'bool' else value}"


def _producer_lines(
    specs: SpecSet, case: Case, handed_over: str, producer: Producer
) -> Iterator[str]:
    """Describe the other operator's call: its inputs are this case's, its outputs plain tensors.

    A producer's document may not promise strided outputs, so the program itself moves the elements
    into tensors that are not plain.
    """
    spec = specs.operator(producer.operator)
    yield f"producer {spec.operator}"
    for parameter in spec.tensors:
        if parameter.is_input:
            tensor = case.tensor(producer.inputs[parameter.name])
            view = _view(tensor).split(" ", 1)[1]
            yield f"producer-tensor {parameter.name} {view} same {tensor.name}"
        else:
            like = producer.outputs.get(parameter.name, handed_over)
            view = _view(_contiguous(case.tensor(like))).split(" ", 2)[2]
            yield f"producer-tensor {parameter.name} output {view} scratch"
    for attribute in spec.attributes:
        yield f"producer-attribute {_attribute(attribute, case)}"


def _side_lines(fact: str, spec: OperatorSpec, call: Case) -> Iterator[str]:
    """Describe a side call; its results are ignored, so its inputs do not matter."""
    yield f"{fact} {spec.operator}"
    for tensor in call.tensors:
        source = "null" if tensor.source == "null" else "scratch"
        yield f"{fact}-tensor {_view(tensor)} {source}"
    for attribute in spec.attributes:
        yield f"{fact}-attribute {_attribute(attribute, call)}"


def _contiguous(tensor: TensorCase) -> TensorCase:
    layout = contiguous(tensor.shape)
    return replace(tensor, strides=layout.strides, offset=0, storage=layout.storage)
