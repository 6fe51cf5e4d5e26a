# SPDX-License-Identifier: Apache-2.0
"""One case as a stand-alone C++ program that depends on CANN alone, for a vendor's bug tracker.

With the calls as its template writes them, and a README: what is broken, expected and got, and how
to build and run it.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.emit import cpp_literals as cpp
from aclnn_cts.emit.filling import text_templates
from aclnn_cts.emit.programs import clang_format
from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.plan.cases import DECOYED, AttributeValue, Case, TensorCase
from aclnn_cts.plan.layouts import contiguous
from aclnn_cts.plan.planner import another_operator, decoy_call, ordinary_call
from aclnn_cts.spec.clause_models import DETERMINISM
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import AttributeParameter, OperatorSpec, Producer
from aclnn_cts.suite import Suite


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


INLINE_ELEMENTS = 64
"""Elements that stand in the program itself; more of them would hide the call."""

_CLASSES = (
    (Outcome.VALUE, "kValue"),
    (Outcome.ZERO, "kZero"),
    (Outcome.POS_INF, "kPosInf"),
    (Outcome.NEG_INF, "kNegInf"),
    (Outcome.NAN, "kNaN"),
)

Inputs = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Reproduced:
    """What a program is made from.

    Attributes:
        case: The case; made again under one circumstance at most.
        inputs: The inputs that have data: view shape, the tensors' own types.
        expected: What may come back, by output; empty for a call that must be refused.
        title: One line: what the program is about.
        same_bits: Whether the case shows that its bits depend on what they must not depend on, so
            that all runs must give the same ones even where determinism is not promised.
    """

    case: Case
    inputs: Inputs
    expected: Mapping[str, Expected]
    title: str
    same_bits: bool = False


@dataclass(frozen=True)
class _Input:
    name: str
    bytes: int
    element_bytes: int
    file: str
    element: str
    values: str
    comment: str


@dataclass(frozen=True)
class _Result:
    name: str
    function: str
    facts: str
    elements: int
    file: str
    rows: tuple[str, ...]


@dataclass(frozen=True)
class _Side:
    type: str
    call: CallText
    says: str


@dataclass(frozen=True)
class _Producing:
    call: CallText
    handed_over: str
    output: str
    same: tuple[tuple[str, str], ...]
    bytes: int


def program_files(specs: SpecSet, suite: Suite, made: Reproduced) -> dict[str, bytes]:
    """Return the program's files by name: sources, CMakeLists.txt, and data that are not short.

    Args:
        specs: All specs.
        suite: Where the C++ style stands.
        made: What the program is made from.

    Raises:
        NotTrustworthyError: clang-format is missing.
    """
    style = suite.root / ".clang-format"
    # A backslash at the end of a comment would take the next line into it.
    title = " ".join(made.title.replace("\\", "/").split())
    context = {"title": title, **_context(specs, made)}
    source = text_templates().get_template("reproducer.cpp.j2").render(context)
    cmake = text_templates().get_template("reproducer_cmake.txt.j2").render(title=title)
    return {
        "reproducer.cpp": clang_format(source, style, "reproducer.cpp").encode(),
        "reproducer.h": (Path(__file__).parent / "templates" / "reproducer.h").read_bytes(),
        "CMakeLists.txt": cmake.encode(),
        **dict(_data_files(made)),
    }


def _context(specs: SpecSet, made: Reproduced) -> dict[str, Any]:
    case = made.case
    spec = specs.operator(case.operator)
    call = call_text(spec, case)
    circumstance = case.again[0] if case.again else ""
    producing = _producing(specs, case)
    sides = tuple(_sides(specs, case, producing))
    operators = [spec, *(specs.operator(side.call.operator) for side in sides)]
    return {
        "headers": sorted({operator.header for operator in operators}),
        "slack": specs.product(case.product).malloc_slack,
        "call": call,
        "sides": sides,
        "producer": producing,
        "other": next((side.call.operator for side in sides if side.type == "Other"), ""),
        "inputs": [_input(case.tensor(name), array) for name, array in made.inputs.items()],
        "results": [_result(case.tensor(name), each) for name, each in made.expected.items()],
        "refused": not case.expects_success,
        "basis": case.basis or "",
        "any_error": not case.statuses,
        "statuses": cpp.int64s(case.statuses),
        "circumstance": circumstance,
        "zeros": circumstance == "repeatable-executor",
        "reversed": circumstance == "kept-workspace",
        "deterministic": made.same_bits or DETERMINISM in case.clauses,
        "determinism_switched": case.deterministic,
    }


def _sides(specs: SpecSet, case: Case, producing: _Producing | None) -> Iterator[_Side]:
    """Yield the calls beside the one that is measured."""
    if producing is not None:
        yield _Side("Producer", producing.call, f"The call that makes {producing.handed_over}.")
    product = specs.product(case.product)
    if set(DECOYED) & set(case.again):
        spec = specs.operator(case.operator)
        decoy = call_text(spec, decoy_call(spec, product, case), "Decoy")
        yield _Side("Decoy", decoy, "Another call of the same operator; its results are ignored.")
    if "after-others" in case.again:
        spec = another_operator(specs, case.operator, case.product)
        other = call_text(spec, ordinary_call(spec, product), "Other")
        yield _Side("Other", other, "A call of another operator; its results are ignored.")


def _producing(specs: SpecSet, case: Case) -> _Producing | None:
    spec = specs.operator(case.operator)
    for parameter in spec.inputs:
        if parameter.producer is None or case.tensor(parameter.name).source != "producer":
            continue
        maker = specs.operator(parameter.producer.operator)
        made, same = producer_case(maker, case, parameter.name, parameter.producer)
        own = case.tensor(parameter.name)
        return _Producing(
            call=call_text(maker, made, "Producer"),
            handed_over=parameter.name,
            output=parameter.producer.output,
            same=tuple(same.items()),
            bytes=own.numel * own.data_type.itemsize,
        )
    return None


def _input(tensor: TensorCase, array: npt.NDArray[Any]) -> _Input:
    inline = array.size <= INLINE_ELEMENTS
    return _Input(
        name=cpp.identifier(tensor.name),
        bytes=array.nbytes,
        element_bytes=tensor.data_type.itemsize,
        file="" if inline else f"{tensor.name}.bin",
        element=cpp.element_type(tensor.dtype),
        values=cpp.elements(array, tensor.dtype) if inline else "",
        comment=_comment(tensor, array),
    )


def _comment(tensor: TensorCase, array: npt.NDArray[Any]) -> str:
    """Return what the elements are, where C++ has no literals for them."""
    if tensor.dtype not in ("float16", "bfloat16") or array.size > INLINE_ELEMENTS:
        return f"{tensor.dtype}, row-major"
    numbers = ", ".join(f"{float(x):.5g}" for x in array.reshape(-1))
    return f"bits of {tensor.dtype} numbers: {numbers}"


def _result(tensor: TensorCase, expected: Expected) -> _Result:
    name = cpp.identifier(tensor.name)
    inline = tensor.numel <= INLINE_ELEMENTS
    return _Result(
        name=name,
        function=f"Expected{name[0].upper()}{name[1:]}",
        facts=f"k{name[0].upper()}{name[1:]}",
        elements=tensor.numel,
        file="" if inline else f"{name}.expected.bin",
        rows=tuple(_rows(tensor, expected)) if inline else (),
    )


def _rows(tensor: TensorCase, expected: Expected) -> Iterator[str]:
    values, tolerances, classes = _plain(expected)
    for flat in range(tensor.numel):
        index = ", ".join(str(int(part)) for part in np.unravel_index(flat, tensor.shape))
        numbers = f"{cpp.double(values[flat])}, {cpp.double(tolerances[flat])}"
        yield f"/* [{index}] */ {{{numbers}, {_classes(int(classes[flat]))}}}"


def _classes(bits: int) -> str:
    if bits == Outcome.ANY:
        return "kAny"
    return " | ".join(name for bit, name in _CLASSES if bits & bit) or "0"


_Arrays = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.uint8]]


def _plain(expected: Expected) -> _Arrays:
    """Return values, tolerances and classes, flat; finite numbers where no value can come back.

    The program compares with one value; it leaves out elements that may satisfy another one.
    """
    allowed = expected.allowed.reshape(-1).copy()
    allowed[expected.flat().has_alternatives()] = np.uint8(Outcome.ANY)
    values = expected.value.reshape(-1)
    number = np.isfinite(values) & ((allowed & np.uint8(Outcome.VALUE)) != 0)
    gone = ~number & (allowed != np.uint8(Outcome.ANY))
    allowed[gone] &= np.uint8(0xFF ^ Outcome.VALUE)
    largest = np.finfo(np.float64).max
    tolerances = np.nan_to_num(expected.tolerance.reshape(-1), nan=0.0, posinf=largest)
    return np.where(number, values, 0.0), np.where(number, tolerances, 0.0), allowed


def _data_files(made: Reproduced) -> Iterator[tuple[str, bytes]]:
    for name, array in made.inputs.items():
        if array.size > INLINE_ELEMENTS:
            yield f"{cpp.identifier(name)}.bin", np.ascontiguousarray(array).tobytes()
    for name, expected in made.expected.items():
        if math.prod(expected.value.shape) > INLINE_ELEMENTS:
            content = b"".join(part.tobytes() for part in _plain(expected))
            yield f"{cpp.identifier(name)}.expected.bin", content


WIDTH = 110

_MARKUP = re.compile(r"[\\`*<>\[\]|~&#!]|(?<!\w)_|_(?!\w)")
"""What Markdown may take for more than itself; an underscore within a word is none."""


@dataclass(frozen=True)
class BrokenPromise:
    """A promise that the call breaks.

    Attributes:
        id: The clause's id.
        text: What it says.
        place: Where in which document.
    """

    id: str
    text: str
    place: str


@dataclass(frozen=True)
class Told:
    """What a README says; all texts are for people.

    Attributes:
        title: One line.
        outcome: Whether the call broke a promise, and on what.
        broken: The promises that it broke.
        only_in: In what alone values of the operator are wrong, with the clauses on it.
        facts: Rows of names and values: operator, product, versions.
        message: What was found.
        samples: Rows of wrong elements: place, inputs, expected, got, error.
        call: Lines that describe the call.
        files: Names of the data files.
        checks: What the program checks.
        left_out: What it does not.
        origin: Where the call comes from, and the command that runs it, as a block of code.
    """

    title: str
    outcome: str
    broken: tuple[BrokenPromise, ...]
    facts: tuple[tuple[str, str], ...]
    message: str
    samples: tuple[tuple[str, ...], ...]
    call: tuple[str, ...]
    checks: tuple[str, ...]
    origin: tuple[str, str]
    files: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    only_in: tuple[str, ...] = ()


def readme_text(told: Told) -> str:
    """Return the README in Markdown."""
    templates = text_templates()
    templates.filters["wrapped"] = _wrapped
    text = templates.get_template("reproducer_readme.md.j2").render(told=_escaped(told))
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _escaped(told: Told) -> Mapping[str, object]:
    """Return the texts so that none of what a device said shapes the page."""
    fields = dict(vars(told))
    fields["outcome"] = _literal(told.outcome)
    fields["facts"] = tuple((name, _literal(value)) for name, value in told.facts)
    fields["left_out"] = tuple(map(_literal, told.left_out))
    fields["message"] = _verbatim(told.message) if told.message else ""
    fields["samples"] = tuple(tuple(map(_cell, row)) for row in told.samples)
    return fields


def _literal(text: str) -> str:
    """Return a text that stands for itself within a paragraph or a table's cell."""
    return _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))


def _verbatim(text: str) -> str:
    """Return a text as a block of its own, between fences that are longer than any in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{_wrapped(text)}\n{fence}"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
