# SPDX-License-Identifier: Apache-2.0
"""Recordings of how a program calls operators.

The recorder (harness/recorder) stands in front of a toolkit's operators. Frameworks look for an
operator in the packages that ``ASCEND_CUSTOM_OPP_PATH`` names first, and programs that are linked
with the toolkit are reached by ``LD_PRELOAD``. For each process it writes a line for each distinct
call, and an array of counters.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import subprocess
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.plan.call_list import ListedCall, ListedTensor, ListedView, case_of_call
from aclnn_cts.run.build import build_recorder, build_simulator, find_compiler
from aclnn_cts.run.toolkit import Toolkit, holding_of, loader_environment
from aclnn_cts.run.toolkit_layout import CUSTOM, CUSTOM_LIBRARY
from aclnn_cts.spec.data_types import DATA_TYPES, FORMATS
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import AttributeParameter, OperatorSpec, Product
from aclnn_cts.suite import Suite

FOLDER = "ACLNN_CTS_RECORDING"
LIBRARIES = "ACLNN_CTS_RECORDED_LIBRARIES"
MOST_CALLS = "ACLNN_CTS_MOST_RECORDED"
"""Environment variables of the recorder (recorder.cpp)."""

_BEYOND_LIMIT, _FAILED = "beyond limit", "failed"
"""Calls without a line, which have the first two counters (recorder.cpp)."""

_DTYPES = {data_type.code: name for name, data_type in DATA_TYPES.items()}
_FORMATS = {code: name for name, code in FORMATS.items()}


@dataclass(frozen=True)
class RecordedCall:
    """A distinct call.

    Attributes:
        arguments: By name, as the recorder writes them; None is a null pointer.
        count: How often it was made.
    """

    operator: str
    arguments: Mapping[str, Any]
    status: int
    count: int


@dataclass(frozen=True)
class Recording:
    """What the processes of a command called.

    Attributes:
        calls: Distinct calls, the most frequent first.
        beyond_limit: Number of calls that were not kept, because their operators have too many.
        failed: Number of calls that could not be noted, for lack of memory or of space.
    """

    calls: tuple[RecordedCall, ...]
    beyond_limit: int
    failed: int


def recorder_environment(
    suite: Suite, specs: SpecSet, product: Product, real: Toolkit | None, folder: Path, most: int
) -> dict[str, str]:
    """Build the recorder for the operators of a toolkit; return the environment of a command.

    Args:
        real: The toolkit that the command finds by itself. If it is None, the command gets the
            simulated device of the product.
        folder: Where the recording is written.
        most: Number of distinct calls of an operator that are kept.

    Raises:
        NotTrustworthyError: It does not build, or the toolkit has no operator of the suite.
    """
    compiler = find_compiler()
    toolkit, variables = real, dict(os.environ)
    if toolkit is None:
        toolkit = build_simulator(suite, compiler)
        variables = loader_environment(toolkit, os.environ)
        variables["ACLNN_SIM_SOC"] = product.simulated_soc
    holdings = {spec.operator: holding_of(toolkit, spec) for spec in specs.operators.values()}
    present = [spec for spec in specs.operators.values() if not holdings[spec.operator].lacking]
    if not present:
        raise NotTrustworthyError(f"{toolkit.root}: has no operator of the suite")
    package = build_recorder(suite, compiler, toolkit, present)
    libraries = {path for spec in present for path in holdings[spec.operator].libraries}
    recorder = package / "op_api" / "lib" / CUSTOM_LIBRARY
    variables |= {
        FOLDER: str(folder),
        LIBRARIES: os.pathsep.join(map(str, _in_order(toolkit, libraries))),
        MOST_CALLS: str(most),
    }
    for name, value in (("LD_PRELOAD", recorder), (CUSTOM, package)):
        variables[name] = os.pathsep.join(filter(None, (str(value), variables.get(name))))
    return variables


def _in_order(toolkit: Toolkit, libraries: set[Path]) -> list[Path]:
    """Return custom packages' libraries, then the toolkit's, as applications look for operators."""
    custom = {folder / "lib" / CUSTOM_LIBRARY for folder in toolkit.custom}
    return sorted(libraries, key=lambda path: (path not in custom, path.name))


def run_command(command: Sequence[str], variables: Mapping[str, str]) -> int:
    """Run a command until it ends, also after Ctrl-C; return its exit status.

    Raises:
        WrongInputError: It cannot be started.
    """
    try:
        process = subprocess.Popen(command, env=variables)  # noqa: S603
    except OSError as error:
        raise WrongInputError(f"{command[0]}: cannot be started: {error.strerror}") from None
    while True:
        with contextlib.suppress(KeyboardInterrupt):  # the command gets it, too
            return process.wait()


def read_recording(folder: Path) -> Recording:
    """Return the recording of all processes that wrote into a folder.

    An incomplete last line is of a process that was killed while it wrote it.

    Raises:
        NotTrustworthyError: A file is damaged.
    """
    counts: Counter[str] = Counter()
    for path in sorted(folder.glob("*.calls")):
        counts.update(_counted_calls(path))
    beyond_limit, failed = counts.pop(_BEYOND_LIMIT, 0), counts.pop(_FAILED, 0)
    calls = (RecordedCall(**json.loads(text), count=count) for text, count in counts.most_common())
    return Recording(tuple(call for call in calls if call.count), beyond_limit, failed)


def _counted_calls(path: Path) -> dict[str, int]:
    """Return how often a process made each call."""
    try:
        counters = np.fromfile(path.with_suffix(".counts"), np.uint64).tolist()
        counts = {_BEYOND_LIMIT: counters[0], _FAILED: counters[1]}
        for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
            entry = json.loads(line)
            number = entry.pop("counter")
            counts[json.dumps(entry)] = counters[number]
    except (OSError, ValueError, LookupError, AttributeError) as error:
        raise NotTrustworthyError(f"{path}: the recording is damaged: {error}") from None
    return counts


@dataclass(frozen=True)
class CallsOfOperator:
    """What became of the calls of an operator.

    Attributes:
        listed: Calls for a call list.
        views: Number of calls with an output that is a view which no case has. They are listed with
            contiguous outputs.
        apart: Number of calls whose tensors share memory in a way that no case has. They are listed
            with memory of their own.
        left_out: Number of calls by the reason why they are not listed.
    """

    operator: str
    listed: tuple[ListedCall, ...]
    views: int
    apart: int
    left_out: Mapping[str, int]


def list_calls(recording: Recording, specs: SpecSet, product: Product) -> Iterator[CallsOfOperator]:
    """Yield the calls that cases can make on a product, operator by operator.

    Calls that differ only in what a list does not state are one.
    """
    by_operator: dict[str, list[RecordedCall]] = {}
    for call in recording.calls:
        by_operator.setdefault(call.operator, []).append(call)
    for operator, calls in by_operator.items():
        spec = specs.operator(operator)
        outputs = [output.name for output in spec.outputs if not output.is_input]
        listed: dict[str, ListedCall] = {}
        left_out: Counter[str] = Counter()
        views = apart = 0
        for call in calls:
            try:
                entry = _listed(spec, call, len(listed) + 1)
                stated, digest = _nearest_case(specs, product, entry)
            except WrongInputError as error:
                left_out[str(error)] += call.count
                continue
            owners = (_owner(call.arguments[name]) for name in outputs)
            apart += call.count * (stated.tensors != entry.tensors or any(owners))
            views += call.count * (stated.outputs != entry.outputs)
            known = listed.get(digest)
            count = call.count + (known.count if known else 0)
            listed[digest] = (known or stated).model_copy(update={"count": count})
        yield CallsOfOperator(operator, tuple(listed.values()), views, apart, left_out)


def _nearest_case(specs: SpecSet, product: Product, call: ListedCall) -> tuple[ListedCall, str]:
    """Return the call, and the digest of its case.

    If no case makes it, its tensors get memory of their own, or its outputs are contiguous.

    Raises:
        WrongInputError: No case makes such a call either.
    """
    apart = {
        name: tensor if isinstance(tensor, list) else tensor.model_copy(update={"memory_of": None})
        for name, tensor in call.tensors.items()
    }
    changes: tuple[dict[str, Any], ...] = ({}, {"tensors": apart}, {"outputs": {}})
    tried: list[ListedCall] = []
    errors: list[WrongInputError] = []
    for change in (*changes, {"tensors": apart, "outputs": {}}):
        if (changed := call.model_copy(update=change)) in tried:
            continue
        tried.append(changed)
        try:
            return changed, case_of_call(specs, product, changed).digest
        except WrongInputError as error:
            errors.append(error)
    raise errors[0]


def _listed(spec: OperatorSpec, call: RecordedCall, number: int) -> ListedCall:
    """Return the entry of a call.

    Raises:
        WrongInputError: It was refused, or has an argument that a list cannot state.
    """
    if call.status != 0:
        raise WrongInputError(f"the operator returned {call.status}")
    tensors: dict[str, ListedTensor | list[ListedTensor]] = {}
    outputs: dict[str, ListedView] = {}
    attributes, dtypes = {}, {}
    inputs = {tensor.name for tensor in spec.inputs}
    for tensor in spec.tensors:
        noted = call.arguments[tensor.name]
        if noted is None:
            continue
        members = [noted] if tensor.length is None else _members(tensor.name, noted)
        if tensor.is_input:
            entries = [_listed_tensor(tensor.name, member, inputs) for member in members]
            tensors[tensor.name] = entries[0] if tensor.length is None else entries
            continue
        if tensor.dtype is None:
            dtypes[tensor.name] = _dtype(tensor.name, members[0]["dtype"])
        if tensor.length is None and (view := _view_of(noted)) is not None:
            outputs[tensor.name] = view
    for attribute in spec.attributes:
        noted = call.arguments[attribute.name]
        if noted is not None:
            attributes[attribute.name], dtype = _value(attribute, noted)
            dtypes |= {attribute.name: dtype} if dtype else {}
    name = f"recorded-{spec.operator.removeprefix('aclnn')[:24]}-{number}"
    return ListedCall(
        name=name,
        operator=spec.operator,
        tensors=tensors,
        attributes=attributes,
        dtypes=dtypes,
        outputs=outputs,
    )


def _members(name: str, noted: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the tensors of a list; raises WrongInputError if a call list cannot state them."""
    members: list[Mapping[str, Any] | None] = _made_here(name, noted)
    tensors = [member for member in members if member is not None]
    if not tensors or len(tensors) < len(members):
        raise WrongInputError(f"{name} is an empty list, or has a null pointer")
    return tensors


def _listed_tensor(name: str, noted: Mapping[str, Any], inputs: Collection[str]) -> ListedTensor:
    owner = _owner(noted)
    return ListedTensor(
        dtype=_dtype(name, noted["dtype"]),
        shape=tuple(noted["shape"]),
        format=_name(_FORMATS, noted["format"], f"{name}: format"),
        view=_view_of(noted),
        memory_of=owner if owner in inputs else None,
    )


def _owner(noted: Any) -> str | None:
    """Return the earlier tensor in whose memory the elements of a tensor are."""
    is_tensor = isinstance(noted, dict) and "shape" in noted
    return noted.get("memory_of") if is_tensor and 0 not in noted["shape"] else None


def _dtype(name: str, code: int) -> str:
    return _name(_DTYPES, code, f"{name}: data type")


def _made_here(name: str, noted: Mapping[str, Any]) -> Any:
    """Return the value of an object.

    Raises:
        WrongInputError: The recorder did not see how it was made.
    """
    if noted["value"] is None:
        raise WrongInputError(f"{name} was made by another library")
    return noted["value"]


def _value(attribute: AttributeParameter, noted: Any) -> tuple[Any, str]:
    """Return an attribute's value, and the data type of a scalar."""
    kind = attribute.attribute
    if kind == "dtype":
        return _dtype(attribute.name, noted), ""
    if kind == "bool":
        return bool(noted), ""
    if not isinstance(noted, dict):
        return noted, ""
    value = _made_here(attribute.name, noted)
    if kind == "bools":
        return [bool(item) for item in value], ""
    if kind == "ints":
        return value, ""
    scalars = value if kind == "scalars" else [value]
    if None in scalars:
        raise WrongInputError(f"{attribute.name} has a scalar that was made by another library")
    codes = {scalar["dtype"] for scalar in scalars}
    if len(codes) > 1:
        raise WrongInputError(f"{attribute.name} has scalars of different data types")
    dtype = _dtype(attribute.name, codes.pop())
    elements = b"".join(bytes(scalar["bytes"]) for scalar in scalars)
    numbers = np.frombuffer(elements, DATA_TYPES[dtype].numpy).tolist()
    return numbers if kind == "scalars" else numbers[0], dtype


def _name(names: Mapping[int, str], code: int, what: str) -> str:
    if code not in names:
        raise WrongInputError(f"{what} {code} is not tested")
    return names[code]


def _view_of(noted: Mapping[str, Any]) -> ListedView | None:
    """Return the view that a tensor is; None if it fills its memory in order."""
    shape, strides = noted["shape"], noted["strides"]
    ordered = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    moves = [axis for axis, extent in enumerate(shape) if extent > 1]
    if not noted["offset"] and all(strides[axis] == ordered[axis] for axis in moves):
        return None
    return ListedView(**{key: noted[key] for key in ("strides", "offset", "storage")})
