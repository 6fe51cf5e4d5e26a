# SPDX-License-Identifier: Apache-2.0
"""The spec of a page's second operator.

It is the spec of the first with what the page says otherwise. If it writes its result over an
input, one row stands for both tensors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aclnn_cts.spec.editions import Merged, merge
from aclnn_cts.spec.yaml_files import Location

SECTION = "second"

_OWN = ("operator", "editions", SECTION)
"""Keys that the second operator does not inherit from the first."""

_BY_TENSOR = ("factors", "scenes")
"""Sections in which mappings are by tensor."""


def second_operator(written: Any) -> Merged | None:
    """Return the second operator's spec as an author would have written it.

    Args:
        written: The first operator's spec as YAML has it; not changed.

    Returns:
        The data, with their places in the file; None if there is no second operator, or its section
        is malformed, which its model reports.
    """
    section = written.get(SECTION) if isinstance(written, dict) else None
    if not isinstance(section, dict):
        return None
    data = {key: value for key, value in written.items() if key not in _OWN}
    data |= {"operator": section.get("operator"), "second_of": written.get("operator")}
    origins: dict[Location, Location] = {("operator",): (SECTION, "operator")}
    if "tensor" in section or "of" in section:
        row, replaced, rows = section.get("tensor"), section.get("of"), written.get("parameters")
        if not isinstance(row, dict) or not isinstance(replaced, list) or len(replaced) != 2:
            return None
        if not isinstance(rows, list) or not isinstance(row.get("name"), str):
            return None
        origins |= _in_place(data, row, replaced, rows)
    data["errors"] = section.get("errors", {})
    origins["errors",] = (SECTION, "errors")
    merged = merge(data, section.get("changes", {}), (SECTION, "changes"))
    merged.origins = {**origins, **merged.origins}
    return merged


def _in_place(
    data: dict[str, Any], row: Mapping[str, Any], replaced: list[Any], rows: list[Any]
) -> dict[Location, Location]:
    """Let one row take the places of an input and an output; return the places of all rows."""
    names = dict.fromkeys(map(str, replaced), row["name"])
    origins: dict[Location, Location] = {}
    data["parameters"] = []
    for number, each in enumerate(rows):
        name = each.get("name") if isinstance(each, dict) else None
        if name == replaced[1]:
            continue
        place = len(data["parameters"])
        origins["parameters", place] = ("parameters", number)
        own = _renamed(each, names)
        if name == replaced[0]:
            own = {**each, "const": None, **row, "tensor": "inout", "stands_for": replaced}
            origins |= {("parameters", place, key): (SECTION, "tensor", key) for key in row}
        data["parameters"].append(own)
    data["precision"] = _renamed(data.get("precision", []), names)
    for key in _BY_TENSOR:
        if key in data:
            data[key] = _by_tensor(data[key], names, str(replaced[1]))
    return origins


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a value in which each text that names one of the tensors names the new one."""
    if isinstance(value, dict):
        return {key: _renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, names) for item in value]
    if not isinstance(value, str):
        return value
    name, dot, aspect = value.partition(".")
    return names.get(name, name) + dot + aspect if aspect in ("", "dtype", "shape") else value


def _by_tensor(value: Any, names: Mapping[str, str], result: str) -> Any:
    """Return a section in which what is said of the input is said of the new tensor."""
    if isinstance(value, dict):
        return {
            names.get(key, key): _by_tensor(item, names, result)
            for key, item in value.items()
            if key != result
        }
    return [_by_tensor(item, names, result) for item in value] if isinstance(value, list) else value
