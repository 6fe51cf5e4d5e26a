# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a place of a YAML file: what is allowed there, and what it holds."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel

from aclnn_cts.errors import unknown_name
from aclnn_cts.wording import UNKNOWN_KEY, requirement

_HINTS: Mapping[str, str] = {
    "string_type": "; put numbers, dates and words such as yes in quotes",
}
"""What YAML takes for something else than it looks like, by the type of error."""


def worded(error: Any, model: type[BaseModel]) -> str:
    """Return one sentence for an error that pydantic found in a file's data.

    Args:
        error: The error, as :meth:`pydantic.ValidationError.errors` gives it.
        model: What the whole file is read into.
    """
    names = [str(part) for part in error["loc"] if not _is_branch(part)]
    place = ".".join(names)
    if error["type"] in UNKNOWN_KEY:
        inside = f" in {'.'.join(names[:-1])}" if names[1:] else ""
        return _unknown_key(names[-1], inside, _keys_at(model, error["loc"][:-1]))
    if error["type"] == "missing":
        return f"{place} is missing"
    said = requirement(error) + _HINTS.get(error["type"], "")
    start = f"{place}: " if place else "the whole file: "
    return f"{start}{said}{_shown(error['input'])}"


def _unknown_key(name: str, inside: str, known: set[str]) -> str:
    told = str(unknown_name("key", name, known))
    head = f"unknown key {name!r}"
    return f"{head}{inside}{told.removeprefix(head)}"


def _shown(value: Any) -> str:
    """Return what stands in the file, as it is written there, if that is short."""
    if isinstance(value, dict | list | BaseModel):
        return ""
    if value is None:
        return " (it is empty)"
    if isinstance(value, bool):
        return f" (it is {str(value).lower()})"
    return f" (it is {value})" if isinstance(value, datetime.date) else f" (it is {value!r})"


_BRANCHES = (
    "TensorParameter",
    "AttributeParameter",
    "ShapeRule",
    "function-before",
    "constrained-str",
    "list[",
)


def _is_branch(part: int | str) -> bool:
    """Whether a part of pydantic's location names a branch of a union, not a place in the file."""
    return isinstance(part, str) and part.startswith(_BRANCHES)


def _keys_at(model: type[BaseModel], location: tuple[int | str, ...]) -> set[str]:
    """Return the keys that may stand at a place of a file that is read into a model."""
    reached = [model]
    for part in location:
        branch = [each for each in reached if each.__name__ == part]
        below = [inner for each in reached for inner in _models_below(each, part)]
        # An index, or a key of the author's own, leads no further than its list or mapping did.
        reached = branch or below or reached
    return {field.alias or name for each in reached for name, field in each.model_fields.items()}


def _models_below(model: type[BaseModel], part: int | str) -> Iterator[type[BaseModel]]:
    for name, field in model.model_fields.items():
        if part in (name, field.alias):
            yield from _models_in(field.annotation)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models_in(inner)
