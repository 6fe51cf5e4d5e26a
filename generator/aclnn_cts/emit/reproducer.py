# SPDX-License-Identifier: Apache-2.0
"""One case as a stand-alone C++ program that depends on CANN alone, for a vendor's bug tracker."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.emit import cpp_literals as cpp
from aclnn_cts.emit.filling import text_templates
from aclnn_cts.emit.programs import clang_format
from aclnn_cts.emit.reproducer_calls import CallText, call_text, producer_case
from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.plan.cases import DECOYED, Case, TensorCase
from aclnn_cts.plan.ordinary import another_operator, decoy_call, ordinary_call
from aclnn_cts.spec.common_clauses import DETERMINISM
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite

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
