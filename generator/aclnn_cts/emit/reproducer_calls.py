# SPDX-License-Identifier: Apache-2.0
"""The calls of a stand-alone program, as its template writes them: literal tensors, arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from aclnn_cts.emit import cpp_literals as cpp
from aclnn_cts.plan.cases import AttributeValue, Case, TensorCase
from aclnn_cts.plan.layouts import contiguous
from aclnn_cts.spec.models import AttributeParameter, OperatorSpec, Producer


@dataclass(frozen=True)
class TensorText:
    """One tensor; texts are C++.

    Attributes:
        name: The parameter's name.
        facts: Name of the constant that describes it.
        type: Its aclDataType.
        element_bytes: Bytes of one element.
        shape: View shape.
        strides: View strides, elements.
        offset: Elements in front of the view.
        format: Its aclFormat.
        storage: Storage shape.
        is_output: Whether the call writes it.
        data: The expression for its elements.
    """

    name: str
    facts: str
    type: str
    element_bytes: int
    shape: str
    strides: str
    offset: str
    format: str
    storage: str
    is_output: bool
    data: str


@dataclass(frozen=True)
class ArrayText:
    """A list of numbers that is passed as an aclIntArray."""

    name: str
    values: str


@dataclass(frozen=True)
class StringText:
    """A string, which the interface takes as ``char *``; size in bytes with the final 0."""

    name: str
    size: int
    literal: str


@dataclass(frozen=True)
class CallText:
    """One call.

    Attributes:
        operator: The operator's name.
        tensors: Those that are no null pointers, in prototype order.
        arrays: Attributes that are lists of numbers.
        texts: Attributes that are strings.
        arguments: The arguments of phase one up to the last attribute or tensor.
        launched: Whether phase two is ever called.
    """

    operator: str
    tensors: tuple[TensorText, ...]
    arrays: tuple[ArrayText, ...]
    texts: tuple[StringText, ...]
    arguments: str
    launched: bool = True

    @property
    def any_output(self) -> bool:
        """Whether a tensor is written."""
        return any(tensor.is_output for tensor in self.tensors)


def call_text(spec: OperatorSpec, case: Case, prefix: str = "") -> CallText:
    """Return a case's call.

    Args:
        spec: The operator.
        case: The case.
        prefix: Begins the names of the constants, to tell several calls apart.
    """
    given = tuple(tensor for tensor in case.tensors if tensor.source != "null")
    return CallText(
        operator=cpp.identifier(spec.operator),
        tensors=tuple(_tensor(tensor, prefix) for tensor in given),
        arrays=tuple(
            ArrayText(cpp.identifier(name), cpp.int64s(value))
            for name, value in case.attributes.items()
            if isinstance(value, tuple)
        ),
        texts=tuple(
            StringText(cpp.identifier(name), len(value.encode()) + 1, cpp.string(value))
            for name, value in case.attributes.items()
            if isinstance(value, str)
        ),
        arguments=_arguments(spec, case),
        launched=case.is_launched,
    )


def _tensor(tensor: TensorCase, prefix: str) -> TensorText:
    name = cpp.identifier(tensor.name)
    return TensorText(
        name=name,
        facts=f"k{prefix}{name[0].upper()}{name[1:]}",
        type=cpp.type_enumerator(tensor.dtype),
        element_bytes=tensor.data_type.itemsize,
        shape=cpp.int64s(tensor.shape),
        strides=cpp.int64s(tensor.strides),
        offset=cpp.int64(tensor.offset),
        format=cpp.format_enumerator(tensor.format),
        storage=cpp.int64s(tensor.storage),
        is_output=tensor.role == "output",
        data=f"inputs.{name}" if tensor.source == "data" else "{}",
    )


def _arguments(spec: OperatorSpec, case: Case) -> str:
    sources = {tensor.name: tensor.source for tensor in case.tensors}
    return ", ".join(
        _attribute(parameter, case.attributes[parameter.name])
        if isinstance(parameter, AttributeParameter)
        else "nullptr"
        if sources[parameter.name] == "null"
        else f"{parameter.name}.Handle()"
        for parameter in spec.parameters
    )


def _attribute(parameter: AttributeParameter, value: AttributeValue) -> str:
    name = parameter.name
    if value is None:
        return f"/* {name} */ nullptr"
    if isinstance(value, tuple):
        return f"{name}.Handle()"
    if isinstance(value, str):
        return name
    if isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, float):
        text = cpp.double(value)
    else:
        text = cpp.int64(value)
    return f"/* {name} */ {text}"


def producer_case(
    spec: OperatorSpec, case: Case, handed_over: str, producer: Producer
) -> tuple[Case, Mapping[str, str]]:
    """Return the producer's call as a case, and this case's inputs that it reads, by its names.

    Args:
        spec: The producer's spec.
        case: The case that takes its output.
        handed_over: The case's tensor that is made.
        producer: What the case's spec says about it.
    """
    tensors = []
    for parameter in spec.tensors:
        if parameter.is_input:
            own = case.tensor(producer.inputs[parameter.name])
            tensors.append(replace(own, name=parameter.name, source="output", fill=None))
        else:
            like = case.tensor(producer.outputs.get(parameter.name, handed_over))
            layout = contiguous(like.shape)
            plain = replace(like, strides=layout.strides, offset=0, storage=layout.storage)
            tensors.append(replace(plain, name=parameter.name, role="output", source="output"))
    attributes = {a.name: case.attributes[a.name] for a in spec.attributes}
    same = {producer.inputs[t.name]: t.name for t in spec.inputs}
    made = replace(case, operator=spec.operator, tensors=tuple(tensors), attributes=attributes)
    return made, same
