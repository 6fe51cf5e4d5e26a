# SPDX-License-Identifier: Apache-2.0
"""Cases as JSON, exactly: what is read back equals what was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from aclnn_cts.plan.cases import Case, Fill, TensorCase


def case_to_json(case: Case) -> dict[str, Any]:
    """Return a case as JSON values; floating numbers as C99 hexadecimal text, which is exact."""
    data = fields_of(case)
    data["attributes"] = {name: _encode(value) for name, value in case.attributes.items()}
    data["names"] = {name: _encode(value) for name, value in case.names.items()}
    data["tensors"] = [tensor_to_json(tensor) for tensor in case.tensors]
    return data


def tensor_to_json(tensor: TensorCase) -> dict[str, Any]:
    """Return a tensor as JSON values."""
    data = fields_of(tensor)
    if tensor.fill is not None:
        data["fill"] = fields_of(tensor.fill)
        data["fill"]["thresholds"] = [x.hex() for x in tensor.fill.thresholds]
    return data


def fields_of(item: Case | TensorCase | Fill) -> dict[str, Any]:
    """Return the fields as they are: dataclasses.asdict copies them, which takes long for many."""
    return {field.name: getattr(item, field.name) for field in fields(item)}


def case_from_json(data: Mapping[str, Any]) -> Case:
    """Return the case that :func:`case_to_json` wrote.

    Raises:
        KeyError, TypeError, ValueError: The data are none of ours.
    """
    own = dict(data)
    own["tensors"] = tuple(_tensor(tensor) for tensor in data["tensors"])
    own["attributes"] = {name: _decode(value) for name, value in data["attributes"].items()}
    own["names"] = {name: _decode(value) for name, value in data["names"].items()}
    own["statuses"] = tuple(data["statuses"])
    own["clauses"] = tuple(data["clauses"])
    own["refused_by"] = tuple(data["refused_by"])
    own["again"] = tuple(data["again"])
    return Case(**own)


def _tensor(data: Mapping[str, Any]) -> TensorCase:
    own = dict(data)
    for name in ("shape", "strides", "storage"):
        own[name] = tuple(data[name])
    if data["fill"] is not None:
        thresholds = tuple(float.fromhex(x) for x in data["fill"]["thresholds"])
        own["fill"] = Fill(data["fill"]["kind"], thresholds, data["fill"]["seed"])
    return TensorCase(**own)


def _encode(value: Any) -> Any:
    if isinstance(value, float):
        return {"double": value.hex()}
    return list(value) if isinstance(value, tuple) else value


def _decode(value: Any) -> Any:
    if isinstance(value, dict):
        return float.fromhex(value["double"])
    return tuple(value) if isinstance(value, list) else value
