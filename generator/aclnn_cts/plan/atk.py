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
    def stated(self) -> Any:
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


def imported(specs: SpecSet, case: AtkCase, names: Mapping[str, str]) -> Imported:
    """Return the converted case, without checking a product's promises.

    Args:
        names: Our names of parameters by those of the list, where they differ.
    """
    name = str(case.id)
    try:
        spec = _operator(specs, case.aclnn_name)
        shown = re.sub(r"[^A-Za-z0-9]+", "-", name)[:_SHOWN].strip("-")
        given = _matched(spec, case, names)
        parameters = _parameters(spec, case, given)
        call = {"name": f"atk-{shown}", "operator": spec.operator, **parameters}
        by_order = {
            parameter.name: _first(each).label
            for parameter, each in given
            if _first(each).name and not _same(parameter.name, _renamed(each, names))
        }
        made = tuple(parameter.name for parameter, _ in given if _makes_data(spec, parameter))
        return Imported(name, ListedCall.model_validate(call), by_order=by_order, made=made)
    except ValidationError as error:
        return Imported(name, None, json_damage(error, "the call"))
    except WrongInputError as error:
        return Imported(name, None, str(error))


def _operator(specs: SpecSet, name: str | None) -> OperatorSpec:
    """Return the operator of a name that may lack its prefix or be written as in Python."""
    if not name:
        raise WrongInputError("it names no operator: aclnn_name is missing")
    found = [each.operator for each in specs.tested if _plain(each.operator) == _plain(name)]
    prefixed = name if name.startswith("aclnn") else f"aclnn{name}"
    (spec,) = specs.tested_named(found[:1] or [prefixed])
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
    for parameter, given in matched:
        if parameter.absent is not None and _is_null(_first(given)):
            continue
        if isinstance(parameter, AttributeParameter):
            if parameter.attribute == "scalar" and (dtype := _first(given).dtype):
                dtypes[parameter.name] = _type_of(_first(given), dtype).name
            attributes[parameter.name] = _value(parameter, given, f"{case.id}/{parameter.name}")
        elif isinstance(given, AtkInput):
            made = _makes_data(spec, parameter)
            tensors[parameter.name] = {"format": common, **_tensor(given, made=made)}
        else:
            raise WrongInputError(f"{parameter.name} is one tensor, but a list of tensors is given")
    return {"tensors": tensors, "attributes": attributes, "dtypes": dtypes}


def _matched(spec: OperatorSpec, case: AtkCase, names: Mapping[str, str]) -> list[_Matched]:
    """Match the parameters with the case's inputs: by name, then by order."""
    left: list[_Parameter] = [*spec.inputs, *spec.attributes]
    unnamed: list[_Given] = []
    matched: list[_Matched] = []
    for given in case.inputs:
        if _is_format(spec, given):
            continue
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
            raise WrongInputError(f"{spec.operator} has no {kind} for {_first(given).label}")
        left.remove(fitting[0])
        matched.append((fitting[0], given))
    return matched


def _renamed(given: _Given, names: Mapping[str, str]) -> str:
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
    return given.shape is None if given.is_tensor else given.stated is None


def _is_format(spec: OperatorSpec, given: _Given) -> bool:
    """Whether an input states the format of the tensors, and is no attribute of the operator."""
    first = _first(given)
    own = any(_same(each.name, first.name or "") for each in spec.attributes)
    return not first.is_tensor and not own and _same(_FORMAT, first.name or "")


def _common_format(spec: OperatorSpec, case: AtkCase) -> str | None:
    """Return the format of the tensors that state none themselves."""
    values = [_first(given).stated for given in case.inputs if _is_format(spec, given)]
    for value in values:
        if value not in FORMATS:
            raise WrongInputError(f"unknown format {value!r}; known: {', '.join(FORMATS)}")
    return values[0] if values else None


def _makes_data(spec: OperatorSpec, parameter: _Parameter) -> bool:
    """Whether only another operator or the formula module can make an input's data."""
    if not isinstance(parameter, TensorParameter):
        return False
    kinds = spec.factors.fill.get(parameter.name, [])
    own = [kind for kind in kinds if kind == "derived" or kind.startswith("own-")]
    return parameter.producer is not None or (bool(kinds) and own == kinds)


def _type_of(given: AtkInput, name: str) -> DataType:
    found = _DTYPES.get(name, name)
    if found.startswith("complex"):
        raise WrongInputError(
            f"{given.label} has the type {name}: results in complex numbers are not tested"
        )
    if found not in DATA_TYPES:
        raise WrongInputError(f"{given.label}: unknown data type {name!r}")
    return DATA_TYPES[found]


def _tensor(given: AtkInput, *, made: bool) -> dict[str, Any]:
    for name, value in (given.model_extra or {}).items():
        if name not in _WITHOUT_EFFECT and value not in (None, False):
            raise WrongInputError(f"{given.label}: the import does not know the key {name!r}")
    if given.shape is None or given.dtype is None:
        missing = "dtype" if given.shape is not None else "shape"
        raise WrongInputError(f"{given.label} has no {missing}")
    data_type = _type_of(given, given.dtype)
    stated = {"dtype": data_type.name, "shape": given.shape}
    if given.format is not None:
        stated["format"] = given.format
    return (
        stated if made or given.range_values is None else stated | {"data": _data(given, data_type)}
    )


def _data(given: AtkInput, data_type: DataType) -> Any:
    """Return NaN, bounds or moments of a tensor's data."""
    found = read_range(given.range_values)
    if isinstance(found, Moments):
        return {"mean": found.mean, "deviation": found.deviation}
    if found is None:
        raise WrongInputError(
            f"{given.label}: range_values is neither a value, two bounds, nor a normal distribution"
        )
    bounds = found.within(data_type)
    if bounds is None:
        raise WrongInputError(f"{given.label}: range_values holds no number of {data_type.name}")
    return NAN if math.isnan(bounds[0]) else bounds


def _value(parameter: AttributeParameter, given: _Given, seed: str) -> Any:
    """Return the value of an attribute, drawn from its range, or the values of an array."""
    if not isinstance(given, AtkInput):
        return [_number(parameter, each, f"{seed}/{at}") for at, each in enumerate(given)]
    stated = given.stated
    if parameter.attribute in ("string", "bools"):
        return stated
    if parameter.attribute == "dtype":
        return _DTYPES.get(stated, stated) if isinstance(stated, str) else stated
    if parameter.attribute == "ints":
        return stated if isinstance(stated, list) else [_number(parameter, given, seed)]
    return _number(parameter, given, seed)


_HELD_IN = {"float": "float32", "int": "int32", "ints": "int64", "bools": "bool"}
"""Data types of attributes, where their names differ."""


def _number(parameter: AttributeParameter, given: AtkInput, seed: str) -> float | int | bool:
    kind = _HELD_IN.get(parameter.attribute, parameter.attribute)
    if kind == "scalar":
        kind = "double" if given.dtype is None else _type_of(given, given.dtype).name
    if kind not in DATA_TYPES:
        raise WrongInputError(f"{parameter.name} is one {kind}, but a list of them is given")
    found = draw(given.stated, DATA_TYPES[kind], seed)
    if found is None:
        raise WrongInputError(f"{given.label}: {given.stated!r} holds no value of a {kind}")
    return found
