# SPDX-License-Identifier: Apache-2.0
"""Case lists of ATK, the system tests of CANN's operator libraries, as call lists.

A list is a JSON array. A case names its operator (``aclnn_name``, with or without ``aclnn``) and
its inputs in the order of the C prototype, each with data type, shape and range of values. Its
tensors may have no names, or those of another interface, usually PyTorch's. Names that do not match
are matched by order.
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
from aclnn_cts.plan.ranges import Moments, draw, read_range
from aclnn_cts.spec.data_types import DATA_TYPES, FORMATS, DataType
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import AttributeParameter, OperatorSpec, TensorParameter
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

_FORMAT = "format"
"""The attribute by which lists state the format of all tensors."""


class AtkInput(BaseModel):
    """An input of a case: a tensor or an attribute."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    name: str | None = None
    type: str
    dtype: str | None = None
    shape: tuple[Annotated[int, Field(strict=True)], ...] | None = None
    range_values: Any = None
    format: str | None = None

    @property
    def is_tensor(self) -> bool:
        """Whether it is a tensor, or one of a list of tensors."""
        return self.type.startswith("tensor")

    @property
    def label(self) -> str:
        """Its name, for messages."""
        return self.name or f"a {self.type} without a name"

    @property
    def statement(self) -> Any:
        """The value or the range of an attribute."""
        return (self.model_extra or {}).get("value", self.range_values)


class AtkCase(BaseModel):
    """A case; other keys are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)

    id: Annotated[int, Field(strict=True)] | str
    aclnn_name: str | None = None
    inputs: tuple[AtkInput | tuple[AtkInput, ...], ...]


_Given = AtkInput | tuple[AtkInput, ...]
_Parameter = TensorParameter | AttributeParameter
_Matched = tuple[_Parameter, _Given]


@dataclass(frozen=True)
class Imported:
    """Result of importing a case.

    Attributes:
        call: The call; None if it cannot be imported.
        reason: The reason why it cannot be imported, or "".
        by_order: Parameters that were matched by order: the case's names, by ours.
        made: The tensors whose data another operator or the formula module makes, as the list's
            own executors do, whatever range the list has.
    """

    id: str
    call: ListedCall | None
    reason: str = ""
    by_order: Mapping[str, str] = field(default_factory=dict)
    made: tuple[str, ...] = ()


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


def import_case(specs: SpecSet, case: AtkCase, names: Mapping[str, str]) -> Imported:
    """Return the converted case, without checking a product's promises.

    Args:
        names: Our names of parameters by those of the list, where they differ.
    """
    name = str(case.id)
    try:
        spec = _operator(specs, case.aclnn_name)
        label = re.sub(r"[^A-Za-z0-9]+", "-", name)[:_SHOWN].strip("-")
        matched = _match(spec, case, names)
        parameters = _parameters(spec, case, matched)
        call = {"name": f"atk-{label}", "operator": spec.operator, **parameters}
        by_order = {
            parameter.name: _first(each).label
            for parameter, each in matched
            if _first(each).name and not _same(parameter.name, _rename(each, names))
        }
        generated = tuple(
            parameter.name for parameter, _ in matched if _makes_data(spec, parameter)
        )
        return Imported(name, ListedCall.model_validate(call), by_order=by_order, made=generated)
    except ValidationError as error:
        return Imported(name, None, json_damage(error, "the call"))
    except WrongInputError as error:
        return Imported(name, None, str(error))


def _operator(specs: SpecSet, name: str | None) -> OperatorSpec:
    """Return the operator of a name that may lack its prefix or be written as in Python."""
    if not name:
        raise WrongInputError("it names no operator: aclnn_name is missing")
    operators = [
        each.operator for each in specs.tested_operators if _plain(each.operator) == _plain(name)
    ]
    prefixed = name if name.startswith("aclnn") else f"aclnn{name}"
    (spec,) = specs.select_tested(operators[:1] or [prefixed])
    return spec


def _plain(name: str) -> str:
    """Return a name without the conventions of Python and C++."""
    return name.replace("_", "").lower().removeprefix("aclnn")


def _parameters(
    spec: OperatorSpec, case: AtkCase, matched: Sequence[_Matched]
) -> dict[str, dict[str, Any]]:
    """Return tensors, attributes and data types of a call, as a call list has them."""
    tensors: dict[str, Any] = {}
    attributes: dict[str, Any] = {}
    dtypes: dict[str, str] = {}
    common = _common_format(spec, case)
    for parameter, value in matched:
        if parameter.absent is not None and _is_null(_first(value)):
            continue
        if isinstance(parameter, AttributeParameter):
            if parameter.attribute == "scalar" and (dtype := _first(value).dtype):
                dtypes[parameter.name] = _type_of(_first(value), dtype).name
            attributes[parameter.name] = _value(parameter, value, f"{case.id}/{parameter.name}")
        elif isinstance(value, AtkInput):
            is_generated = _makes_data(spec, parameter)
            tensors[parameter.name] = {"format": common, **_tensor(value, made=is_generated)}
        else:
            raise WrongInputError(f"{parameter.name} is one tensor, but a list of tensors is given")
    return {"tensors": tensors, "attributes": attributes, "dtypes": dtypes}


def _match(spec: OperatorSpec, case: AtkCase, names: Mapping[str, str]) -> list[_Matched]:
    """Match the parameters with the case's inputs: by name, then by order."""
    unmatched: list[_Parameter] = [*spec.inputs, *spec.attributes]
    unnamed: list[_Given] = []
    matched: list[_Matched] = []
    for value in case.inputs:
        if _is_format(spec, value):
            continue
        name = _rename(value, names)
        parameter = next((each for each in unmatched if _same(each.name, name)), None)
        if parameter is None or isinstance(parameter, TensorParameter) != _first(value).is_tensor:
            unnamed.append(value)
            continue
        unmatched.remove(parameter)
        matched.append((parameter, value))
    for value in unnamed:
        tensor = _first(value).is_tensor
        fitting = [each for each in unmatched if isinstance(each, TensorParameter) == tensor]
        if not fitting:
            kind = "tensor" if tensor else "attribute"
            raise WrongInputError(f"{spec.operator} has no {kind} for {_first(value).label}")
        unmatched.remove(fitting[0])
        matched.append((fitting[0], value))
    return matched


def _rename(given: _Given, names: Mapping[str, str]) -> str:
    name = _first(given).name or ""
    return names.get(name, name)


def _first(given: _Given) -> AtkInput:
    if isinstance(given, AtkInput):
        return given
    if not given:
        raise WrongInputError("an empty list is given as an input")
    return given[0]


def _same(ours: str, theirs: str) -> bool:
    """Whether names are equal except for the conventions of Python and C++."""
    return _plain(ours).removesuffix("optional") == _plain(theirs).removesuffix("optional")


def _is_null(given: AtkInput) -> bool:
    """Whether nothing is given for a parameter."""
    return given.shape is None if given.is_tensor else given.statement is None


def _is_format(spec: OperatorSpec, given: _Given) -> bool:
    """Whether an input states the format of the tensors, and is no attribute of the operator."""
    first = _first(given)
    is_attribute = any(_same(each.name, first.name or "") for each in spec.attributes)
    return not first.is_tensor and not is_attribute and _same(_FORMAT, first.name or "")


def _common_format(spec: OperatorSpec, case: AtkCase) -> str | None:
    """Return the format of the tensors that state none themselves."""
    values = [_first(entry).statement for entry in case.inputs if _is_format(spec, entry)]
    for value in values:
        if value not in FORMATS:
            raise WrongInputError(f"unknown format {value!r}; known: {', '.join(FORMATS)}")
    return values[0] if values else None


def _makes_data(spec: OperatorSpec, parameter: _Parameter) -> bool:
    """Whether only another operator or the formula module can make an input's data."""
    if not isinstance(parameter, TensorParameter):
        return False
    kinds = spec.factors.fill.get(parameter.name, [])
    data_kinds = [kind for kind in kinds if kind == "derived" or kind.startswith("own-")]
    return parameter.producer is not None or (bool(kinds) and data_kinds == kinds)


def _type_of(given: AtkInput, name: str) -> DataType:
    data_type = _DTYPES.get(name, name)
    if data_type.startswith("complex"):
        raise WrongInputError(
            f"{given.label} has the type {name}: results in complex numbers are not tested"
        )
    if data_type not in DATA_TYPES:
        raise WrongInputError(f"{given.label}: unknown data type {name!r}")
    return DATA_TYPES[data_type]


def _tensor(given: AtkInput, *, made: bool) -> dict[str, Any]:
    for name, value in (given.model_extra or {}).items():
        if name not in _WITHOUT_EFFECT and value not in (None, False):
            raise WrongInputError(f"{given.label}: the import does not know the key {name!r}")
    if given.shape is None or given.dtype is None:
        missing = "dtype" if given.shape is not None else "shape"
        raise WrongInputError(f"{given.label} has no {missing}")
    data_type = _type_of(given, given.dtype)
    tensor = {"dtype": data_type.name, "shape": given.shape}
    if given.format is not None:
        tensor["format"] = given.format
    return (
        tensor if made or given.range_values is None else tensor | {"data": _data(given, data_type)}
    )


def _data(given: AtkInput, data_type: DataType) -> Any:
    """Return NaN, bounds or moments of a tensor's data."""
    interval = read_range(given.range_values)
    if isinstance(interval, Moments):
        return {"mean": interval.mean, "deviation": interval.deviation}
    if interval is None:
        raise WrongInputError(
            f"{given.label}: range_values is neither a value, two bounds, nor a normal distribution"
        )
    bounds = interval.within(data_type)
    if bounds is None:
        raise WrongInputError(f"{given.label}: range_values holds no number of {data_type.name}")
    return NAN if math.isnan(bounds[0]) else bounds


def _value(parameter: AttributeParameter, given: _Given, seed: str) -> Any:
    """Return the value of an attribute, drawn from its range, or the values of an array."""
    if not isinstance(given, AtkInput):
        return [_number(parameter, each, f"{seed}/{at}") for at, each in enumerate(given)]
    statement = given.statement
    if parameter.attribute in ("string", "bools"):
        return statement
    if parameter.attribute == "dtype":
        return _DTYPES.get(statement, statement) if isinstance(statement, str) else statement
    if parameter.attribute == "ints":
        return statement if isinstance(statement, list) else [_number(parameter, given, seed)]
    return _number(parameter, given, seed)


_HELD_IN = {"float": "float32", "int": "int32", "ints": "int64", "bools": "bool"}
"""Data types of attributes, where their names differ."""


def _number(parameter: AttributeParameter, given: AtkInput, seed: str) -> float | int | bool:
    kind = _HELD_IN.get(parameter.attribute, parameter.attribute)
    if kind == "scalar":
        kind = "double" if given.dtype is None else _type_of(given, given.dtype).name
    if kind not in DATA_TYPES:
        raise WrongInputError(f"{parameter.name} is one {kind}, but a list of them is given")
    number = draw(given.statement, DATA_TYPES[kind], seed)
    if number is None:
        raise WrongInputError(f"{given.label}: {given.statement!r} holds no value of a {kind}")
    return number
