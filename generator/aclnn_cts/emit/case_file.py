# SPDX-License-Identifier: Apache-2.0
"""The case file: what a program is to run, one fact per line (docs/case-file.md)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.plan.cases import AttributeValue, Case, TensorCase
from aclnn_cts.plan.layouts import contiguous
from aclnn_cts.plan.ordinary import another_operator, ordinary_call
from aclnn_cts.spec.data_types import FORMATS
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import AttributeParameter, OperatorSpec, Producer

FORMAT_VERSION = 2


def case_file_text(
    specs: SpecSet, operator: str, cases: Iterable[tuple[Case, DataReference]]
) -> str:
    """Return the text of an operator's case file."""
    lines = [f"aclnn-cts-cases {FORMAT_VERSION} {operator}"]
    spec = specs.operator(operator)
    for case, data in cases:
        lines.extend(_case_lines(specs, spec, case, data))
    return "\n".join(lines) + "\n"


def _case_lines(
    specs: SpecSet, spec: OperatorSpec, case: Case, data: DataReference
) -> Iterator[str]:
    yield f"case {case.id}"
    yield "data -" if data.path is None else f"data {data.path} {data.payload}"
    yield "runs 2"
    yield f"slack {specs.product(case.product).malloc_slack}"
    yield f"deterministic {int(case.deterministic)}"
    for tensor in case.tensors:
        yield f"tensor {_view(tensor)} {_source(tensor, data)}"
    for attribute in spec.attributes:
        yield f"attribute {_attribute(attribute, case.attributes[attribute.name])}"
    for parameter in spec.inputs:
        if parameter.producer and case.tensor(parameter.name).source == "producer":
            yield from _producer_lines(specs, case, parameter.name, parameter.producer)
    yield from (f"again {circumstance}" for circumstance in case.again)
    if "after-others" in case.again:
        yield from _other_lines(specs, case)
    yield "end"


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


def _source(tensor: TensorCase, data: DataReference) -> str:
    if tensor.source == "data":
        field = data.fields[tensor.name]
        return f"data {field.offset} {field.size}"
    return {"output": "output", "null": "null", "producer": "from-producer"}[tensor.source]


def _attribute(attribute: AttributeParameter, value: AttributeValue) -> str:
    """Return ``name kind value`` as the programs read it."""
    kind = attribute.attribute
    if value is None:
        return f"{attribute.name} {kind}-null"
    if kind == "double":
        number = float(value)  # type: ignore[arg-type]
        return f"{attribute.name} double {number.hex() if math.isfinite(number) else number}"
    if isinstance(value, tuple):
        return f"{attribute.name} ints {_dims(value)}"
    return f"{attribute.name} {kind} {int(value) if kind == 'bool' else value}"


def _producer_lines(
    specs: SpecSet, case: Case, handed_over: str, producer: Producer
) -> Iterator[str]:
    """Describe the other operator's call: its inputs are this case's, its outputs plain tensors.

    A producer's document need not promise strided outputs; the program places the elements itself
    where the case's own tensor is not plain.
    """
    spec = specs.operator(producer.operator)
    yield f"producer {spec.operator}"
    for parameter in spec.tensors:
        if parameter.is_input:
            own = case.tensor(producer.inputs[parameter.name])
            view = _view(own).split(" ", 1)[1]
            yield f"producer-tensor {parameter.name} {view} same {own.name}"
        else:
            like = producer.outputs.get(parameter.name, handed_over)
            view = _view(_contiguous(case.tensor(like))).split(" ", 2)[2]
            yield f"producer-tensor {parameter.name} output {view} scratch"
    for attribute in spec.attributes:
        yield f"producer-attribute {_attribute(attribute, case.attributes[attribute.name])}"


def _other_lines(specs: SpecSet, case: Case) -> Iterator[str]:
    """Describe the call that runs before: its results are ignored, so any inputs will do."""
    spec = another_operator(specs, case.operator, case.product)
    call = ordinary_call(spec, specs.product(case.product))
    yield f"other {spec.operator}"
    for tensor in call.tensors:
        yield f"other-tensor {_view(tensor)} scratch"
    for attribute in spec.attributes:
        yield f"other-attribute {_attribute(attribute, call.attributes[attribute.name])}"


def _contiguous(tensor: TensorCase) -> TensorCase:
    layout = contiguous(tensor.shape)
    return replace(tensor, strides=layout.strides, offset=0, storage=layout.storage)
