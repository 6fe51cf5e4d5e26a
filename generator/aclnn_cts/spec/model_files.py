# SPDX-License-Identifier: Apache-2.0
"""Reading of a YAML file into a model; errors name file and line."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from aclnn_cts.errors import WrongFileError, unknown_name
from aclnn_cts.spec.clause_models import Complaint
from aclnn_cts.spec.yaml_files import Location, compose, line_of
from aclnn_cts.validation_messages import UNKNOWN_KEY, requirement

Model = TypeVar("Model", bound=BaseModel)


def read_model(path: Path, model: type[Model]) -> tuple[Model, dict[Location, int]]:
    """Read a YAML file into a model.

    Returns:
        The model, and the line of each place in the file.

    Raises:
        WrongFileError: ``path:LINE: what is wrong``, one line per mistake.
    """
    data, lines = compose(path)
    return validate(model, path, data, lines), lines


def validate(
    model: type[Model], path: Path, data: Any, lines: Mapping[Location, int], said_by: str = ""
) -> Model:
    """Return the data of a YAML file as a model.

    Args:
        lines: The line of each place in it.

    Raises:
        WrongFileError: ``path:LINE: what is wrong``, one line per mistake.
    """
    if data is None:
        fields = model.model_fields
        first = next(
            (name for name, field in fields.items() if field.is_required()), next(iter(fields))
        )
        raise WrongFileError(f"{path}:1: {said_by}is empty; it needs at least {first!r}")
    try:
        return model.model_validate(data)
    except ValidationError as error:
        messages = [
            f"{path}:{line_of(lines, item['loc'])}: {said_by}{wording(item, model)}"
            for item in _relevant(list(error.errors()), data)
        ]
        raise WrongFileError("\n".join(dict.fromkeys(messages))) from None


def refuse(
    path: Path, lines: Mapping[Location, int], complaints: Iterable[Complaint], said_by: str = ""
) -> None:
    """Raise the error for a file with mistakes.

    Args:
        lines: The line of each place in it.

    Raises:
        WrongFileError: ``path:LINE: what is wrong``, one line for each thing, if there is any.
    """
    messages = [f"{path}:{line_of(lines, at)}: {said_by}{text}" for at, text in complaints]
    if messages:
        raise WrongFileError("\n".join(messages))


def _relevant(errors: list[Any], data: Any) -> list[Any]:
    """Keep only the errors of the union branch that the author meant."""
    relevant = []
    for error in errors:
        location = error["loc"]
        if error["type"] == "too_short" and any(
            _inside(other["loc"], location) for other in errors
        ):
            continue
        if len(location) > 2 and location[0] == "parameters" and isinstance(location[1], int):
            row = data["parameters"][location[1]]
            attribute = isinstance(row, dict) and "attribute" in row
            meant = "AttributeParameter" if attribute else "TensorParameter"
            if location[2] != meant:
                continue
        relevant.append(error)
    return [error for error in relevant if not _is_of_another_form(error, relevant)] or errors


_FORMS = ("string_type", "list_type", "dict_type", "model_type")


def _is_of_another_form(error: Any, errors: list[Any]) -> bool:
    """Whether a union's branch expects another YAML form (text, list, mapping) than the data's."""
    if error["type"] not in _FORMS or not any(map(_is_branch, error["loc"][-1:])):
        return False
    place = _names(error["loc"])
    return any(
        error["type"] not in _FORMS and _names(error["loc"])[: len(place)] == place
        for error in errors
    )


def _names(location: Location) -> Location:
    return tuple(part for part in location if not _is_branch(part))


def _inside(location: Location, outer: Location) -> bool:
    return len(location) > len(outer) and location[: len(outer)] == outer


_HINTS: Mapping[str, str] = {
    "string_type": "; put numbers, dates and words such as yes in quotes",
}
"""Hints on values that YAML reads as an unexpected type, by pydantic's error type."""


def wording(error: Any, model: type[BaseModel]) -> str:
    """Return the message for an error that pydantic found in a file's data.

    Args:
        error: The error, as :meth:`pydantic.ValidationError.errors` gives it.
        model: The model of the whole file.
    """
    names = [str(part) for part in _names(error["loc"])]
    place = ".".join(names)
    if error["type"] in UNKNOWN_KEY:
        inside = f" in {'.'.join(names[:-1])}" if names[1:] else ""
        key_error = str(unknown_name("key", names[-1], _keys_at(model, error["loc"][:-1])))
        head = f"unknown key {names[-1]!r}"
        return f"{head}{inside}{key_error.removeprefix(head)}"
    if error["type"] == "missing":
        return f"{place} is missing"
    message = requirement(error) + _HINTS.get(error["type"], "")
    start = f"{place}: " if place else "the whole file: "
    return f"{start}{message}{_display(error['input'])}"


def _display(value: Any) -> str:
    """Return the value as written in the file, if that is short."""
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


def _keys_at(model: type[BaseModel], location: Location) -> set[str]:
    """Return the keys that a model allows at a place of its file."""
    models = [model]
    for part in location:
        branch = [candidate for candidate in models if candidate.__name__ == part]
        below = [inner for candidate in models for inner in _models_below(candidate, part)]
        # an index or a free key stays at its list or mapping
        models = branch or below or models
    return {field.alias or name for model in models for name, field in model.model_fields.items()}


def _models_below(model: type[BaseModel], part: int | str) -> Iterator[type[BaseModel]]:
    for name, field in model.model_fields.items():
        if part in (name, field.alias):
            yield from _models_in(field.annotation)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models_in(inner)
