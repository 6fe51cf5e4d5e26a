# SPDX-License-Identifier: Apache-2.0
"""Cases as JSON, exactly: what is read back equals what was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from aclnn_cts.plan.cases import Case, Fill, TensorCase


def case_to_json(case: Case) -> dict[str, Any]:
    """Return a case as JSON values; floating numbers as C99 hexadecimal text, which is exact."""
    data = asdict(case)
    data["attributes"] = {name: _encode(value) for name, value in case.attributes.items()}
    data["names"] = {name: _encode(value) for name, value in case.names.items()}
    for tensor in data["tensors"]:
        if tensor["fill"] is not None:
            tensor["fill"]["thresholds"] = [x.hex() for x in tensor["fill"]["thresholds"]]
    return data


def case_from_json(data: Mapping[str, Any]) -> Case:
    """Return the case that :func:`case_to_json` wrote.

    Raises:
        KeyError, TypeError, ValueError: The data are none of ours.
    """
    fields = dict(data)
    fields["tensors"] = tuple(_tensor(tensor) for tensor in data["tensors"])
    fields["attributes"] = {name: _decode(value) for name, value in data["attributes"].items()}
    fields["names"] = {name: _decode(value) for name, value in data["names"].items()}
    fields["statuses"] = tuple(data["statuses"])
    fields["clauses"] = tuple(data["clauses"])
    fields["again"] = tuple(data["again"])
    return Case(**fields)


def _tensor(data: Mapping[str, Any]) -> TensorCase:
    fields = dict(data)
    for name in ("shape", "strides", "storage"):
        fields[name] = tuple(data[name])
    if data["fill"] is not None:
        thresholds = tuple(float.fromhex(x) for x in data["fill"]["thresholds"])
        fields["fill"] = Fill(data["fill"]["kind"], thresholds, data["fill"]["seed"])
    return TensorCase(**fields)


def _encode(value: Any) -> Any:
    if isinstance(value, float):
        return {"double": value.hex()}
    return list(value) if isinstance(value, tuple) else value


def _decode(value: Any) -> Any:
    if isinstance(value, dict):
        return float.fromhex(value["double"])
    return tuple(value) if isinstance(value, list) else value
