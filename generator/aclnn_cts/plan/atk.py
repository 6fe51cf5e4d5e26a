# SPDX-License-Identifier: Apache-2.0
"""Case lists of ATK, the system tests of CANN's operator libraries, as call lists.

A list is a JSON array. A case names its operator (``aclnn_name``) and its inputs in the order of
the C prototype, each with data type, shape and range of values. Its tensors may have the names of
another interface, usually PyTorch's. Names that do not match are matched by order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.call_list import ListedCall
from aclnn_cts.plan.cases import NAN
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import ARRAYS, AttributeParameter, OperatorSpec, TensorParameter
from aclnn_cts.validation_messages import json_damage

_DTYPES: Mapping[str, str] = {
    "fp32": "float32",
    "fp16": "float16",
    "bf16": "bfloat16",
    "fp64": "double",
    "float64": "double",
    "float": "float32",
    "half": "float16",
}
"""Data types by ATK's names, where these differ from ours."""

_SHOWN = 30
"""Maximum length of a case's id in the name of its call."""

_WITHOUT_EFFECT = ("required", "backward", "align_32B")
"""Keys of an input that do not affect the call."""


class AtkInput(BaseModel):
    """An input of a case: a tensor or an attribute."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    name: str
    type: str
    dtype: str | None = None
    shape: tuple[Annotated[int, Field(strict=True)], ...] | None = None
    range_values: Any = None
    format: str | None = None

    @property
    def is_tensor(self) -> bool:
        """Whether it is a tensor, or one of a list of tensors."""
        return self.type.startswith("tensor")


class AtkCase(BaseModel):
    """A case; other keys are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)

    id: Annotated[int, Field(strict=True)] | str
    aclnn_name: str | None = None
    inputs: tuple[AtkInput | tuple[AtkInput, ...], ...]


_Given = AtkInput | tuple[AtkInput, ...]
_Matched = tuple[TensorParameter | AttributeParameter, _Given]


@dataclass(frozen=True)
class Imported:
    """Result of importing a case.

    Attributes:
        call: The call; None if it cannot be imported.
        reason: The reason why it cannot be imported, or "".
        by_order: Parameters that were matched by order: the case's names, by ours.
    """

    id: str
    call: ListedCall | None
    reason: str = ""
    by_order: Mapping[str, str] = field(default_factory=dict)


def read_atk(path: Path) -> tuple[AtkCase, ...]:
    """Read a case list.

    Raises:
        WrongInputError: The file cannot be read, or is not such a list; says where.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise WrongInputError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        return TypeAdapter(tuple[AtkCase, ...]).validate_json(content)
    except ValidationError as error:
        raise WrongInputError(f"{path}: {json_damage(error, 'the whole file')}") from None


def imported(specs: SpecSet, case: AtkCase, names: Mapping[str, str]) -> Imported:
    """Return the converted case, without checking a product's promises.

    Args:
        names: Our names of parameters by those of the list, where they differ.
    """
    name = str(case.id)
    try:
        (spec,) = specs.tested_named([case.aclnn_name or ""])
        shown = re.sub(r"[^A-Za-z0-9]+", "-", name)[:_SHOWN].strip("-")
        given = _matched(spec, case, names)
        call = {"name": f"atk-{shown}", "operator": spec.operator, **_parameters(given)}
        by_order = {
            parameter.name: _first(each).name
            for parameter, each in given
            if not _same(parameter.name, _renamed(each, names))
        }
        return Imported(name, ListedCall.model_validate(call), by_order=by_order)
    except ValidationError as error:
        return Imported(name, None, json_damage(error, "the call"))
    except WrongInputError as error:
        return Imported(name, None, str(error))


def _parameters(matched: Sequence[_Matched]) -> dict[str, Any]:
    """Return tensors and attributes of a call, by the names of the spec."""
    tensors: dict[str, Any] = {}
    attributes: dict[str, Any] = {}
    for parameter, given in matched:
        if isinstance(parameter, AttributeParameter):
            attributes[parameter.name] = _value(parameter, given)
        elif isinstance(given, AtkInput):
            tensors[parameter.name] = _tensor(given)
        else:
            raise WrongInputError(f"{parameter.name} is one tensor, but a list of tensors is given")
    return {"tensors": tensors, "attributes": attributes}


def _matched(spec: OperatorSpec, case: AtkCase, names: Mapping[str, str]) -> list[_Matched]:
    """Match the parameters with the case's inputs: by name, then by order."""
    left: list[TensorParameter | AttributeParameter] = [*spec.inputs, *spec.attributes]
    unnamed: list[_Given] = []
    matched: list[_Matched] = []
    for given in case.inputs:
        name = _renamed(given, names)
        parameter = next((each for each in left if _same(each.name, name)), None)
        if parameter is None or isinstance(parameter, TensorParameter) != _first(given).is_tensor:
            unnamed.append(given)
            continue
        left.remove(parameter)
        matched.append((parameter, given))
    for given in unnamed:
        tensor = _first(given).is_tensor
        fitting = [each for each in left if isinstance(each, TensorParameter) == tensor]
        if not fitting:
            kind = "tensor" if tensor else "attribute"
            raise WrongInputError(f"{spec.operator} has no {kind} for {_first(given).name}")
        left.remove(fitting[0])
        matched.append((fitting[0], given))
    return matched


def _renamed(given: _Given, names: Mapping[str, str]) -> str:
    name = _first(given).name
    return names.get(name, name)


def _first(given: _Given) -> AtkInput:
    if isinstance(given, AtkInput):
        return given
    if not given:
        raise WrongInputError("an empty list is given as an input")
    return given[0]


def _same(ours: str, theirs: str) -> bool:
    """Whether names are equal except for the conventions of Python and C++."""
    ours, theirs = (name.replace("_", "").lower() for name in (ours, theirs))
    return ours.removesuffix("optional") == theirs.removesuffix("optional")


def _tensor(given: AtkInput) -> dict[str, Any]:
    further = {
        name: value
        for name, value in (given.model_extra or {}).items()
        if name not in _WITHOUT_EFFECT
    }
    if unknown := next((name for name, value in further.items() if value not in (None, False)), ""):
        raise WrongInputError(f"{given.name}: the import does not know the key {unknown!r}")
    if given.shape is None or given.dtype is None:
        raise WrongInputError(
            f"{given.name} has no {'dtype' if given.shape is not None else 'shape'}"
        )
    return {
        "dtype": _DTYPES.get(given.dtype, given.dtype),
        "shape": given.shape,
        "data": _data(given),
        "format": given.format,
    }


def _data(given: AtkInput) -> str | tuple[float, float] | None:
    """Return kind or bounds of a tensor's data."""
    values = given.range_values
    if values is None:
        return None
    listed = values if isinstance(values, list) else [values]
    numbers = [number for value in listed if (number := _number(value)) is not None]
    if len(listed) not in (1, 2) or len(numbers) != len(listed):
        raise WrongInputError(f"{given.name}: range_values is neither one value nor two bounds")
    return NAN if all(map(math.isnan, numbers)) else (numbers[0], numbers[-1])


def _number(value: Any) -> float | None:
    """Parse a number, which may be written as text. Returns None if it is not a number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def _value(parameter: AttributeParameter, given: _Given) -> Any:
    """Return the value of an attribute: one number, or the numbers of an array."""
    if not isinstance(given, AtkInput):
        return [_value(parameter, each) for each in given]
    values: Any = (given.model_extra or {}).get("value", given.range_values)
    if parameter.attribute in ARRAYS:
        return values
    if isinstance(values, list):
        if len({repr(value) for value in values}) != 1:
            raise WrongInputError(f"{given.name} has no single value")
        values = values[0]
    if parameter.attribute in ("double", "float", "scalar"):
        return _number(values)
    return values
