# SPDX-License-Identifier: Apache-2.0
"""Call lists: YAML files of calls that become cases.

A list states data types, shapes and data of the inputs, and the attributes. Everything else
(outputs, clauses, tolerances) follows from the spec, so a list serves all products and editions for
which its calls are valid.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
import yaml
from pydantic import Field, StringConstraints

from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.binding import binding_of
from aclnn_cts.plan.calls import PlannedCall
from aclnn_cts.plan.case_builder import build_case
from aclnn_cts.plan.cases import BELL, BETWEEN, NAN, Case, Fill, Intent
from aclnn_cts.plan.layouts import Layout
from aclnn_cts.plan.members import PLACES, length_fact
from aclnn_cts.plan.scenes import obstacles
from aclnn_cts.spec.checks import FITS_PLAIN, is_whole
from aclnn_cts.spec.clause_models import (
    Complaint,
    DtypeName,
    FillKind,
    FormatName,
    Identifier,
    OperatorName,
    Strict,
)
from aclnn_cts.spec.data_types import DATA_TYPES, promote
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.model_files import read_model, refuse
from aclnn_cts.spec.models import INTEGERS, OperatorSpec, Product
from aclnn_cts.spec.names import PLACE_FILLS, unknown

LISTED = "listed"

MOST_ELEMENTS = 2**40
"""Maximum number of elements of a tensor: beyond the memory of any host, and far from index
overflow."""


_MOST_BYTES = 2**31 - 1
"""Maximum size of a case's inputs: NumPy's records are no larger."""


class Bell(Strict):
    """Normally distributed data."""

    mean: Annotated[float, Field(allow_inf_nan=False)]
    deviation: Annotated[float, Field(ge=0, allow_inf_nan=False)]


_Figure = Annotated[int, Field(ge=0, le=MOST_ELEMENTS)]


class ListedView(Strict):
    """A view in a storage, all figures in elements."""

    strides: tuple[_Figure, ...]
    offset: _Figure = 0
    storage: tuple[_Figure, ...]

    @property
    def layout(self) -> Layout:
        return Layout(LISTED, self.strides, self.offset, self.storage)


class ListedTensor(Strict):
    """An input of a call."""

    dtype: DtypeName
    shape: tuple[_Figure, ...]
    data: Literal["nan"] | FillKind | tuple[float, float] | Bell | None = Field(
        None,
        description="A kind of data, two bounds, or mean and deviation; by default the spec's "
        "first kind.",
    )
    format: FormatName | None = None
    view: ListedView | None = Field(None, description="Its memory; by default contiguous.")
    memory_of: Identifier | None = Field(
        None, description="An earlier input that is the same tensor, in the same memory."
    )


class ListedCall(Strict):
    """One call of an operator."""

    name: Annotated[
        str, StringConstraints(pattern=r"^[A-Za-z0-9]([A-Za-z0-9_-]{0,38}[A-Za-z0-9])?$")
    ]
    operator: OperatorName
    tensors: dict[Identifier, ListedTensor | Annotated[list[ListedTensor], Field(min_length=1)]] = (
        Field(description="The inputs; a list of tensors for a parameter that takes one.")
    )
    attributes: dict[Identifier, Any] = Field(default_factory=dict)
    dtypes: dict[Identifier, DtypeName] = Field(
        default_factory=dict, description="Data types of scalars and outputs that have several."
    )
    outputs: dict[Identifier, ListedView] = Field(
        default_factory=dict, description="The memory of outputs that are no contiguous tensors."
    )
    count: int = Field(1, ge=1, description="How often a recorded program made it.")

    @property
    def members(self) -> dict[str, list[ListedTensor]]:
        """The inputs by name; one that is no list of tensors has one member."""
        return {
            name: tensor if isinstance(tensor, list) else [tensor]
            for name, tensor in self.tensors.items()
        }


Unlisted: TypeAlias = dict[str, dict[str, Annotated[int, Field(ge=1)]]]


class CallList(Strict):
    """A file of calls."""

    calls: list[ListedCall] = Field(min_length=1)
    unlisted: Unlisted = Field(
        default_factory=dict,
        description="Numbers of a recorded program's calls that no case makes, by operator and "
        "reason.",
    )


def call_list_text(calls: Sequence[ListedCall], unlisted: Unlisted | None = None) -> str:
    content: dict[str, Any] = {"calls": [call.model_dump(exclude_defaults=True) for call in calls]}
    content |= {"unlisted": unlisted} if unlisted else {}
    return yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=110)


def unlisted_calls(path: Path) -> Unlisted:
    """Return what a call list states of calls that no case makes; raises as read_model."""
    return read_model(path, CallList)[0].unlisted


def cases_of_list(specs: SpecSet, path: Path, product: str) -> tuple[Case, ...]:
    """Return the cases of a call list on a product, in its order.

    Raises:
        WrongInputError: ``path:LINE: what is wrong``, for each call that is not valid there.
    """
    calls, lines = read_model(path, CallList)
    at, cases = specs.product(product), dict[str, Case]()
    complaints: list[Complaint] = []
    for number, call in enumerate(calls.calls):
        place = ("calls", number)
        try:
            case = case_of_call(specs, at, call)
        except WrongInputError as error:
            complaints.append((place, f"{call.name}: {error}"))
            continue
        if (same := cases.setdefault(case.digest, case)) is not case:
            complaints.append((place, f"{call.name} is the same call as {same.id}"))
    refuse(path, lines, complaints)
    return tuple(cases.values())


def case_of_call(specs: SpecSet, product: Product, call: ListedCall) -> Case:
    """Return the case of a listed call.

    Raises:
        WrongInputError: The list does not fit the spec, or the call is not valid.
    """
    (spec,) = specs.select_tested([call.operator])
    if wrong := list(_misfits(spec, product, call)):
        raise WrongInputError("; ".join(wrong))
    facts, intent = _facts(spec, product, call), Intent(LISTED, "smoke", detail=call.name)
    if broken := list(obstacles(spec, product, facts, intent)):
        raise WrongInputError("; ".join(broken))
    case = build_case(PlannedCall.of(spec, product.id, facts), intent)
    case = replace(case, count=call.count)
    if untested := list(_untested_types(spec, case)):
        raise WrongInputError("; ".join(untested))
    size = sum(each.numel * each.data_type.itemsize for each in case.inputs)
    if size > _MOST_BYTES:
        raise WrongInputError(f"its inputs have {size:,} bytes; a case has at most {_MOST_BYTES:,}")
    return case


def _untested_types(spec: OperatorSpec, case: Case) -> Iterator[str]:
    """Yield the data types that the page supports, and of which no result can be judged."""
    for tensor in case.tensors:
        if tensor.source != "null" and tensor.dtype not in spec.dtypes(
            tensor.parameter, case.product
        ):
            yield f"{tensor.name} in {tensor.dtype} is not tested on {case.product}"


def _optional_names(spec: OperatorSpec) -> set[str]:
    """Return the inputs and attributes that a call may leave out."""
    inputs = (
        each.name
        for each in spec.inputs
        if each.producer or each.absent is not None or _is_derived(spec, each.name)
    )
    return {*inputs, *(each.name for each in spec.attributes if each.absent is not None)}


def _misfits(spec: OperatorSpec, product: Product, call: ListedCall) -> Iterator[str]:
    """Yield mistakes in a call: unknown names, missing parameters, invalid values."""
    inputs = [tensor.name for tensor in spec.inputs]
    kinds = {attribute.name: attribute.attribute for attribute in spec.attributes}
    typed = [each.name for each in spec.scalars]
    typed += [each.name for each in spec.tensors if each.name not in inputs]
    for noun, names, allowed in (
        ("input", call.tensors, inputs),
        ("attribute", call.attributes, kinds),
        ("scalar or output", call.dtypes, typed),
    ):
        yield from (unknown(noun, name, allowed) for name in names if name not in allowed)
    optional = _optional_names(spec)
    for name in (*inputs, *kinds):
        if name not in {*call.tensors, *call.attributes, *optional}:
            yield f"{name} is missing"
    for name, kind in kinds.items():
        if name in call.attributes and not _FITS[kind](call.attributes[name]):
            yield f"{name} is not of the type {kind}{_OF_STRINGS if kind == 'string' else ''}"
    yield from _misfits_of_outputs(spec, call)
    yield from _misfits_of_lists(spec, call)
    for name, tensors in call.members.items():
        for tensor in tensors:
            yield from (f"{name} {misfit}" for misfit in _misfits_in(spec, name, tensor))
            yield from (f"{name} {misfit}" for misfit in _misfits_of(tensor, product))


def _misfits_in(spec: OperatorSpec, name: str, tensor: ListedTensor) -> Iterator[str]:
    """Yield mistakes in a tensor as that parameter of the operator."""
    inputs = [each.name for each in spec.inputs]
    is_written = any(each.name == name for each in spec.outputs)
    if is_written and tensor.view is not None and 0 in tensor.view.strides:
        yield "is written, but its view repeats elements"
    owner = tensor.memory_of
    if owner is not None and name in inputs and owner not in inputs[: inputs.index(name)]:
        yield f"is in the memory of {owner}, which is no earlier input"
    is_index = name == spec.places
    if tensor.data is not None and is_index != (tensor.data in PLACE_FILLS):
        use = f"use one of {', '.join(PLACE_FILLS)}" if is_index else "only an index can have these"
        yield f"has {tensor.data} as data; {use}"
    if {owner, name} <= {*spec.factors.never_same}:
        yield f"and {owner} are one tensor, so that nothing could differ"


def _misfits_of_outputs(spec: OperatorSpec, call: ListedCall) -> Iterator[str]:
    names = [each.name for each in spec.outputs if not each.is_input and each.length is None]
    for name, view in call.outputs.items():
        if name not in names:
            yield unknown("output", name, names)
        elif 0 in view.strides:
            yield f"{name} is written, but its view repeats elements"


def _misfits_of_lists(spec: OperatorSpec, call: ListedCall) -> Iterator[str]:
    lists = {each.name for each in spec.lists}
    for name, tensor in call.tensors.items():
        if (name in lists) != isinstance(tensor, list):
            yield f"{name} is {'a list of tensors' if name in lists else 'one tensor'}"
        elif isinstance(tensor, list) and any(member.memory_of for member in tensor):
            yield f"{name} has a tensor in the memory of another, which lists cannot state"
    lengths = {len(call.members[name]) for name in lists if name in call.members}
    values = (call.attributes.get(name) for name in spec.scalar_lists)
    lengths |= {len(value) for value in values if isinstance(value, list)}
    if len(lengths) > 1:
        yield f"lists have {' and '.join(map(str, sorted(lengths)))} members"


def _misfits_of(tensor: ListedTensor, product: Product) -> Iterator[str]:
    if (size := math.prod(tensor.shape)) > MOST_ELEMENTS:
        yield f"has {size:,} elements"
    if tensor.view is not None and not tensor.view.layout.holds(tensor.shape):
        yield "does not lie within the storage of its view"
    if tensor.data == NAN and not product.inf_nan:
        yield f"holds NaN, which {product.id} does not have"
    numpy_type = DATA_TYPES[tensor.dtype].numpy
    if tensor.data == NAN and numpy_type.kind in "biu":
        yield f"holds NaN, which {tensor.dtype} does not have"
    if not isinstance(tensor.data, tuple):
        return
    low, high = tensor.data
    if not low <= high:
        yield "has bounds that are not in order"
    elif math.isinf(high - low) and low != high and math.isinf(max(-low, high)):
        yield "has an infinite bound; two equal ones make every element infinite"
    elif math.isinf(high) and not product.inf_nan:
        yield f"holds Inf, which {product.id} does not have"
    elif (
        numpy_type.kind in "iu"
        and not np.iinfo(numpy_type).min <= low <= high <= np.iinfo(numpy_type).max
    ):
        yield f"has bounds that {tensor.dtype} cannot hold"


def _is_derived(spec: OperatorSpec, name: str) -> bool:
    """Whether the formula module can make an input from the others."""
    return "derived" in spec.factors.fill.get(name, [])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, int | float)


_OF_STRINGS = ", of printable characters"

_FITS: Mapping[str, Callable[[Any], bool]] = {
    **FITS_PLAIN,
    "double": _is_number,
    "float": _is_number,
    **{kind: functools.partial(is_whole, numbers=numbers) for kind, numbers in INTEGERS.items()},
    "ints": lambda value: isinstance(value, list) and all(map(is_whole, value)),
    "scalar": _is_scalar,
    "scalars": lambda value: isinstance(value, list) and all(map(_is_scalar, value)),
}
"""Checks of attribute values, by kind."""


def _facts(spec: OperatorSpec, product: Product, call: ListedCall) -> dict[str, Any]:
    facts: dict[str, Any] = _output_types(spec, product, call)
    facts |= {f"dtype:{name}": dtype for name, dtype in call.dtypes.items()}
    absent = (each.name for each in spec.inputs if each.absent is not None)
    facts |= {f"null:{name}": True for name in absent if name not in call.tensors}
    values = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in call.attributes.items()
    }
    listed = {name: values.pop(name) for name in spec.scalar_lists if name in values}
    facts |= {f"attribute:{name}": value for name, value in values.items()}
    shapes = {name: tensors[0].shape for name, tensors in call.members.items()}
    bound_values = binding_of(spec, shapes, values).values
    of_spec = {*values, *spec.derived}
    facts |= {f"dim:{name}": bound_values[name] for name in bound_values if name not in of_spec}
    facts |= {f"layout:{name}": view.layout for name, view in call.outputs.items()}
    length = max((len(tensors) for tensors in call.members.values()), default=1)
    places = [dict(facts) for _ in range(length)]
    for name, tensors in call.members.items():
        for place in range(length):
            places[place] |= _facts_of(name, tensors[place % len(tensors)])
    for name, numbers in listed.items():
        for at_place, number in zip(places, numbers, strict=True):
            at_place[f"attribute:{name}"] = number
    for name, tensors in call.members.items():
        if (owner := tensors[0].memory_of) is not None:
            places[0] |= _shared_facts(spec, places[0], owner, name)
    return places[0] | ({length_fact(spec): length, PLACES: places} if spec.lists else {})


def _facts_of(name: str, tensor: ListedTensor) -> dict[str, Any]:
    facts: dict[str, Any] = {f"dtype:{name}": tensor.dtype, f"shape:{name}": tensor.shape}
    if tensor.format is not None:
        facts[f"format:{name}"] = tensor.format
    if tensor.view is not None:
        facts[f"layout:{name}"] = tensor.view.layout
    if isinstance(tensor.data, tuple):
        facts[f"data:{name}"] = Fill(BETWEEN, tensor.data)
    elif isinstance(tensor.data, Bell):
        facts[f"data:{name}"] = Fill(BELL, (tensor.data.mean, tensor.data.deviation))
    elif tensor.data is not None:
        facts[f"fill:{name}"] = tensor.data
    return facts


def _shared_facts(
    spec: OperatorSpec, facts: Mapping[str, Any], owner: str, name: str
) -> dict[str, Any]:
    """Return the facts by which two inputs are one tensor, with data that are valid for both."""
    stated = {
        kind: facts[f"{kind}:{owner}"] for kind in ("data", "fill") if f"{kind}:{owner}" in facts
    }
    if not stated:
        of_owner, of_other = (spec.factors.fill.get(each, []) for each in (owner, name))
        kinds = [kind for kind in of_owner if kind in of_other and kind != "derived"]
        stated = {"fill": kinds[0]} if kinds else {}
    both = {f"{kind}:{each}": data for kind, data in stated.items() for each in (owner, name)}
    return {f"shares:{name}": owner, **both}


def _output_types(spec: OperatorSpec, product: Product, call: ListedCall) -> dict[str, Any]:
    """Return the data types of outputs that the page leaves free: the promoted one of the inputs.

    An output that cannot have that type keeps the first one of its row.
    """
    common = promote(tensor.dtype for tensors in call.members.values() for tensor in tensors)
    return {
        f"dtype:{output.name}": common
        for output in spec.outputs
        if not output.is_input
        and output.dtype is None
        and common in spec.own_dtypes(output.name, product.id)
    }
