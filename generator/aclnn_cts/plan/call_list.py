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
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import yaml
from pydantic import Field, StringConstraints

from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.binding import values_of
from aclnn_cts.plan.case_builder import build_case
from aclnn_cts.plan.cases import NAN, Case, Intent
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
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.model_files import read_model, refuse
from aclnn_cts.spec.models import INTEGERS, OperatorSpec, Product
from aclnn_cts.spec.names import unknown

SCENE = "listed"

MOST_ELEMENTS = 2**40
"""Maximum number of elements of a tensor: beyond the memory of any host, and far from index
overflow."""


class ListedTensor(Strict):
    """An input of a call."""

    dtype: DtypeName
    shape: tuple[Annotated[int, Field(ge=0, le=MOST_ELEMENTS)], ...]
    data: Literal["nan"] | FillKind | tuple[float, float] | None = Field(
        None, description="A kind of data, or two bounds; by default the spec's first kind."
    )
    format: FormatName | None = None


class ListedCall(Strict):
    """One call of an operator."""

    name: Annotated[
        str, StringConstraints(pattern=r"^[A-Za-z0-9]([A-Za-z0-9_-]{0,38}[A-Za-z0-9])?$")
    ]
    operator: OperatorName
    tensors: dict[Identifier, ListedTensor]
    attributes: dict[Identifier, Any] = Field(default_factory=dict)


class CallList(Strict):
    """A file of calls."""

    calls: list[ListedCall] = Field(min_length=1)


def call_list_text(calls: Sequence[ListedCall]) -> str:
    listed = [call.model_dump(exclude_none=True) for call in calls]
    return yaml.safe_dump({"calls": listed}, sort_keys=False, default_flow_style=None, width=110)


def listed_cases(specs: SpecSet, path: Path, product: str) -> tuple[Case, ...]:
    """Return the cases of a call list on a product, in its order.

    Raises:
        WrongInputError: ``path:LINE: what is wrong``, for each call that is not valid there.
    """
    calls, lines = read_model(path, CallList)
    at, made = specs.product(product), dict[str, Case]()
    found: list[Complaint] = []
    for number, call in enumerate(calls.calls):
        place = ("calls", number)
        try:
            case = listed_case(specs, at, call)
        except WrongInputError as error:
            found.append((place, f"{call.name}: {error}"))
            continue
        if (same := made.setdefault(case.digest, case)) is not case:
            found.append((place, f"{call.name} is the same call as {same.id}"))
    refuse(path, lines, found)
    return tuple(made.values())


def listed_case(specs: SpecSet, product: Product, call: ListedCall) -> Case:
    """Return the case of a listed call.

    Raises:
        WrongInputError: The list does not fit the spec, or the call is not valid.
    """
    (spec,) = specs.tested_named([call.operator])
    if wrong := list(_misfits(spec, product, call)):
        raise WrongInputError("; ".join(wrong))
    facts, intent = _facts(spec, call), Intent(SCENE, "smoke", detail=call.name)
    if broken := list(obstacles(spec, product, facts, intent)):
        raise WrongInputError("; ".join(broken))
    return build_case(spec, product.id, facts, intent)


def _misfits(spec: OperatorSpec, product: Product, call: ListedCall) -> Iterator[str]:
    """Yield mistakes in a call: unknown names, missing parameters, invalid values."""
    inputs = [tensor.name for tensor in spec.inputs]
    kinds = {attribute.name: attribute.attribute for attribute in spec.attributes}
    optional = {
        each.name
        for each in spec.inputs
        if each.producer or each.absent is not None or _is_derived(spec, each.name)
    }
    yield from (unknown("input", name, inputs) for name in call.tensors if name not in inputs)
    yield from (unknown("attribute", name, kinds) for name in call.attributes if name not in kinds)
    for name in (*inputs, *kinds):
        if name not in {*call.tensors, *call.attributes, *optional}:
            yield f"{name} is missing"
    for name, kind in kinds.items():
        if name in call.attributes and not _FITS[kind](call.attributes[name]):
            yield f"{name} is not of the type {kind}"
    for name, tensor in call.tensors.items():
        yield from (f"{name} {misfit}" for misfit in _misfits_of(tensor, product))


def _misfits_of(tensor: ListedTensor, product: Product) -> Iterator[str]:
    if (size := math.prod(tensor.shape)) > MOST_ELEMENTS:
        yield f"has {size:,} elements"
    if tensor.data == NAN and not product.inf_nan:
        yield f"holds NaN, which {product.id} does not have"
    if not isinstance(tensor.data, tuple):
        return
    low, high = tensor.data
    held = DATA_TYPES[tensor.dtype].numpy
    if not low <= high:
        yield "has bounds that are not in order"
    elif math.isinf(high - low) and low != high and math.isinf(max(-low, high)):
        yield "has an infinite bound; two equal ones make every element infinite"
    elif math.isinf(high) and not product.inf_nan:
        yield f"holds Inf, which {product.id} does not have"
    elif held.kind in "iu" and not np.iinfo(held).min <= low <= high <= np.iinfo(held).max:
        yield f"has bounds that {tensor.dtype} cannot hold"


def _is_derived(spec: OperatorSpec, name: str) -> bool:
    """Whether the formula module can make an input from the others."""
    return "derived" in spec.factors.fill.get(name, [])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_FITS: Mapping[str, Callable[[Any], bool]] = {
    **FITS_PLAIN,
    "double": _is_number,
    "float": _is_number,
    **{kind: functools.partial(is_whole, numbers=numbers) for kind, numbers in INTEGERS.items()},
    "ints": lambda value: isinstance(value, list) and all(map(is_whole, value)),
    "scalar": lambda value: isinstance(value, int | float),
}
"""Checks of attribute values, by kind."""


def _facts(spec: OperatorSpec, call: ListedCall) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for name, tensor in call.tensors.items():
        facts |= {f"dtype:{name}": tensor.dtype, f"shape:{name}": tensor.shape}
        if tensor.format is not None:
            facts[f"format:{name}"] = tensor.format
        if isinstance(tensor.data, tuple):
            facts[f"between:{name}"] = tensor.data
        elif tensor.data is not None:
            facts[f"fill:{name}"] = tensor.data
    absent = (each.name for each in spec.inputs if each.absent is not None)
    facts |= {f"null:{name}": True for name in absent if name not in call.tensors}
    values = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in call.attributes.items()
    }
    facts |= {f"attribute:{name}": value for name, value in values.items()}
    shapes = {name: tensor.shape for name, tensor in call.tensors.items()}
    known = values_of(spec, shapes, values)
    of_spec = {*values, *spec.derived}
    return facts | {f"dim:{name}": known[name] for name in known if name not in of_spec}
