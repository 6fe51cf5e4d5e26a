# SPDX-License-Identifier: Apache-2.0
"""Reading one YAML file into a model, and refusing it with file and line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from aclnn_cts.errors import WrongFileError
from aclnn_cts.spec.fields import Complaint
from aclnn_cts.spec.wording import worded
from aclnn_cts.spec.yaml_files import Location, compose, line_of

Model = TypeVar("Model", bound=BaseModel)


def read_model(path: Path, model: type[Model]) -> tuple[Model, dict[Location, int]]:
    """Read a YAML file into a model.

    Returns:
        The model, and the line of each place in the file.

    Raises:
        WrongFileError: ``path:LINE: what is wrong``, one line for each thing.
    """
    data, lines = compose(path)
    return validated(model, path, data, lines), lines


def validated(
    model: type[Model], path: Path, data: Any, lines: Mapping[Location, int], said_by: str = ""
) -> Model:
    """Return the data of a YAML file as a model.

    Args:
        model: The model.
        path: The file.
        data: What it holds.
        lines: The line of each place in it.
        said_by: Begins each complaint.

    Raises:
        WrongFileError: ``path:LINE: what is wrong``, one line for each thing.
    """
    if data is None:
        first = next(iter(model.model_fields))
        raise WrongFileError(f"{path}:1: {said_by}holds nothing; it needs at least {first!r}")
    try:
        return model.model_validate(data)
    except ValidationError as error:
        messages = [
            f"{path}:{line_of(lines, item['loc'])}: {said_by}{worded(item, model)}"
            for item in _relevant(list(error.errors()), data)
        ]
        raise WrongFileError("\n".join(dict.fromkeys(messages))) from None


def refuse(
    path: Path, lines: Mapping[Location, int], found: Iterable[Complaint], said_by: str = ""
) -> None:
    """Refuse a file that something is wrong with.

    Args:
        path: The file.
        lines: The line of each place in it.
        found: What is wrong.
        said_by: Begins each complaint.

    Raises:
        WrongFileError: ``path:LINE: what is wrong``, one line for each thing, if there is any.
    """
    messages = [f"{path}:{line_of(lines, at)}: {said_by}{text}" for at, text in found]
    if messages:
        raise WrongFileError("\n".join(messages))


def _relevant(errors: list[Any], data: Any) -> list[Any]:
    """Keep, of a union's branches, the errors of the one that the author meant.

    A list is no shorter than its author wrote it because some of its entries are wrong.
    """
    kept = []
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
        kept.append(error)
    return kept or errors


def _inside(location: Location, outer: Location) -> bool:
    return len(location) > len(outer) and location[: len(outer)] == outer
