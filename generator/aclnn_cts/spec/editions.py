# SPDX-License-Identifier: Apache-2.0
"""Editions: their model, and merging their differences into the data of a spec.

The merge follows RFC 7386: mappings merge, ``null`` removes, everything else replaces. In addition,
a list of named entries is patched by a mapping from names to patches. The merged data remember
their places in the file, so that errors name the right line.

The spec of a page's second operator is merged in the same way: it is the first one's with the
differences that the page states. If it writes its result over an input, one row stands for both
tensors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, StringConstraints

from aclnn_cts.spec.clause_models import Sentence, Strict
from aclnn_cts.spec.yaml_files import Location

CURRENT = "current"
"""The name of the edition that a spec states in full."""

EditionName: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


class Edition(Strict):
    """The differences of another edition of the document, and gaps of its copy."""

    note: Sentence | None = Field(
        None, description="Differences that cannot be expressed here, and what is used instead."
    )
    unreadable: list[Sentence] = Field(
        default_factory=list,
        description="Parts that the copy of the page has lost; the current edition's apply.",
    )
    statuses: Literal["unreadable"] | None = Field(
        None,
        description="The copy has lost the error table's statuses: its rows become refusals.",
    )
    changes: dict[str, Any] = Field(
        default_factory=dict,
        description=(
            "A merge patch of the spec: mappings merge, `null` removes. Lists of named entries "
            "are patched by name: parameters by `name`; clauses, rules, errors, not_promised and "
            "scenes by `id`; precision by `output`."
        ),
    )


NAMED_LISTS: Mapping[Location, str] = {
    ("parameters",): "name",
    ("precision",): "output",
    ("rules",): "id",
    ("clauses",): "id",
    ("errors",): "id",
    ("not_promised",): "id",
    ("scenes",): "id",
    ("one_sided",): "clause",
}
"""The lists of a spec that are patched by name, and the key that holds an entry's name."""


@dataclass
class Merged:
    """A spec's data with an edition's changes in them.

    Attributes:
        origins: The place in the file of a place of the merged data, for the places at which that
            changes; below them, the rest of the way is the same.
        idle: The places in the file of ``null`` values that remove nothing.
        unknown: Entries with such a ``null`` because the spec has no entry of that name, by place
            in the file; with the list and its names.
    """

    data: Any = None
    origins: dict[Location, Location] = field(default_factory=dict)
    idle: list[Location] = field(default_factory=list)
    unknown: dict[Location, tuple[Location, frozenset[str]]] = field(default_factory=dict)

    def origin(self, at: Location) -> Location:
        """Return the place in the file of a place of the merged data."""
        for length in range(len(at), -1, -1):
            if at[:length] in self.origins:
                return (*self.origins[at[:length]], *at[length:])
        return at


def merge(target: Any, patch: Any, patch_at: Location = ()) -> Merged:
    """Return data with a patch merged into them; neither argument is changed.

    Args:
        patch_at: The place of the changes in the file.
    """
    merged = Merged()
    merged.data = _merge(target, patch, (), patch_at, merged)
    return merged


def _merge(target: Any, patch: Any, at: Location, patch_at: Location, merged: Merged) -> Any:
    if not isinstance(patch, dict):
        merged.origins[at] = patch_at
        return patch
    name_key = NAMED_LISTS.get(at)
    if name_key is not None and (target is None or _is_named_list(target, name_key)):
        return _merge_list(target or [], patch, at, patch_at, merged)
    if not isinstance(target, dict):
        target = {}
        merged.origins[at] = patch_at
    result = dict(target)
    for key, change in patch.items():
        place, source = (*at, key), (*patch_at, key)
        if change is not None:
            result[key] = _merge(target.get(key), change, place, source, merged)
            continue
        merged.origins[place] = source
        if result.pop(key, None) is None:
            merged.idle.append(source)
    return result


def _is_named_list(target: Any, name_key: str) -> bool:
    return isinstance(target, list) and all(
        isinstance(entry, dict) and isinstance(entry.get(name_key), str) for entry in target
    )


def _merge_list(
    entries: list[Any], patch: Mapping[Any, Any], at: Location, patch_at: Location, merged: Merged
) -> list[Any]:
    """Patch the entries of a list by their names; new names come last."""
    name_key = NAMED_LISTS[at]
    names = {entry[name_key] for entry in entries}
    merged.idle += [
        (*patch_at, name) for name, change in patch.items() if change is None and name not in names
    ]
    merged_entries: list[Any] = []
    for number, entry in enumerate(entries):
        name = entry[name_key]
        if name in patch and patch[name] is None:
            continue
        place = (*at, len(merged_entries))
        merged.origins[place] = (*at, number)
        change = patch.get(name, {})
        merged_entries.append(_merge(entry, change, place, (*patch_at, name), merged))
    for name, change in patch.items():
        if name not in names and change is not None:
            idle = len(merged.idle)
            entry = _merge(None, change, (*at, len(merged_entries)), (*patch_at, name), merged)
            merged_entries.append({name_key: name, **entry} if isinstance(entry, dict) else entry)
            if merged.idle[idle:]:
                del merged.idle[idle:]
                merged.unknown[(*patch_at, name)] = at, frozenset(names)
    return merged_entries


def merged_lines(merged: Merged, lines: Mapping[Location, int]) -> dict[Location, int]:
    """Return the line in the file of each place of merged data, and of each that was removed."""
    places = [*_places(merged.data, ()), *merged.origins]
    return {at: lines[origin] for at in places if (origin := merged.origin(at)) in lines}


def _places(data: Any, at: Location) -> Iterator[Location]:
    yield at
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _places(value, (*at, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from _places(value, (*at, number))


SECTION = "second"

_OWN = ("operator", "editions", SECTION)
"""Keys that the second operator does not inherit."""

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
    """Replace an input and an output by one row; return the places of all rows."""
    names = dict.fromkeys(map(str, replaced), row["name"])
    origins: dict[Location, Location] = {}
    data["parameters"] = []
    for number, base_row in enumerate(rows):
        name = base_row.get("name") if isinstance(base_row, dict) else None
        if name == replaced[1]:
            continue
        place = len(data["parameters"])
        origins["parameters", place] = ("parameters", number)
        new_row = _rename(base_row, names)
        if name == replaced[0]:
            new_row = {**base_row, "const": None, **row, "tensor": "inout", "stands_for": replaced}
            origins |= {("parameters", place, key): (SECTION, "tensor", key) for key in row}
        data["parameters"].append(new_row)
    if "precision" in data:
        data["precision"] = _rename(data["precision"], names)
    for key in _BY_TENSOR:
        if key in data:
            data[key] = _by_tensor(data[key], names, str(replaced[1]))
    return origins


def _rename(value: Any, names: Mapping[str, str]) -> Any:
    """Return a value with the names of the tensors replaced."""
    if isinstance(value, dict):
        return {key: _rename(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_rename(item, names) for item in value]
    if not isinstance(value, str):
        return value
    name, dot, aspect = value.partition(".")
    return names.get(name, name) + dot + aspect if aspect in ("", "dtype", "shape") else value


def _by_tensor(value: Any, names: Mapping[str, str], result: str) -> Any:
    """Return a section with the input's entries moved to the new tensor."""
    if isinstance(value, dict):
        return {
            names.get(key, key): _by_tensor(item, names, result)
            for key, item in value.items()
            if key != result
        }
    return [_by_tensor(item, names, result) for item in value] if isinstance(value, list) else value
