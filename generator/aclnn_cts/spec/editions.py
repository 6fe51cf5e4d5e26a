# SPDX-License-Identifier: Apache-2.0
"""Merging an edition's differences into the data of a spec, before any check.

The merge is that of RFC 7386: mappings merge, ``null`` removes, all else replaces. Beyond it, a
list of named entries is patched by a mapping from the name to the patch of that entry. For each
place of the merged data its place in the file is known, so that errors name the right
line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from aclnn_cts.spec.yaml_files import Location

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
        idle: The places in the file of each ``null`` that removes nothing.
        unknown: By where they stand in the file: entries of named lists that hold such a ``null``
            because the spec has no entry of that name; with the list and the names that it has.
    """

    data: Any = None
    origins: dict[Location, Location] = field(default_factory=dict)
    idle: list[Location] = field(default_factory=list)
    unknown: dict[Location, tuple[Location, frozenset[str]]] = field(default_factory=dict)

    def origin(self, at: Location) -> Location:
        """Return where in the file a place of the merged data is."""
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
        return _merge_named(target or [], patch, at, patch_at, merged)
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


def _merge_named(
    entries: list[Any], patch: Mapping[Any, Any], at: Location, patch_at: Location, merged: Merged
) -> list[Any]:
    """Patch the entries of a list by their names; new names come last."""
    name_key = NAMED_LISTS[at]
    known = {entry[name_key] for entry in entries}
    merged.idle += [
        (*patch_at, name) for name, change in patch.items() if change is None and name not in known
    ]
    kept: list[Any] = []
    for number, entry in enumerate(entries):
        name = entry[name_key]
        if name in patch and patch[name] is None:
            continue
        place = (*at, len(kept))
        merged.origins[place] = (*at, number)
        change = patch.get(name, {})
        kept.append(_merge(entry, change, place, (*patch_at, name), merged))
    for name, change in patch.items():
        if name not in known and change is not None:
            idle = len(merged.idle)
            kept.append(_new_entry(name, change, (*at, len(kept)), (*patch_at, name), merged))
            if merged.idle[idle:]:
                del merged.idle[idle:]
                merged.unknown[(*patch_at, name)] = at, frozenset(known)
    return kept


def _new_entry(name: Any, change: Any, place: Location, patch_at: Location, merged: Merged) -> Any:
    entry = _merge(None, change, place, patch_at, merged)
    if isinstance(entry, dict):
        entry = {NAMED_LISTS[place[:-1]]: name, **entry}
    return entry


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
