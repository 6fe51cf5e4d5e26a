# SPDX-License-Identifier: Apache-2.0
"""Defaults of options: ``aclnn-cts.toml``, or ``[tool.aclnn-cts]`` in ``pyproject.toml``."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from aclnn_cts.cache import LIMIT, parse_size
from aclnn_cts.errors import WrongFileError, WrongInputError, nearest_name
from aclnn_cts.judge.standards import Standard
from aclnn_cts.plan.cases import Tier
from aclnn_cts.store.address import is_path
from aclnn_cts.validation_messages import UNKNOWN_KEY, requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_OWN_FILE, _PROJECT_FILE = "aclnn-cts.toml", "pyproject.toml"
_TABLE = "tool.aclnn-cts"
_HEADER = re.compile(r"\s*\[+(?P<name>[^\]]*)\]+")

_LIMIT_VARIABLE = "ACLNN_CTS_CACHE_LIMIT"


def _require_size(text: str) -> str:
    try:
        parse_size(text, "it")
    except WrongInputError:
        raise ValueError("must be a size, such as 500M, 4G or none") from None
    return text


class Defaults(BaseModel):
    """The user's defaults; None for an option without one."""

    model_config = ConfigDict(
        extra="forbid", strict=True, alias_generator=lambda name: name.replace("_", "-")
    )

    product: str | None = None
    tier: Tier | None = None
    edition: str | None = None
    standard: Standard | None = None
    devices: str | None = None
    jobs: Annotated[int, Field(ge=1)] | None = None
    waivers: str | None = None
    store: str | None = None
    enforce: bool | None = None
    timings: Annotated[int, Field(ge=0)] | None = None
    case_timeout: Annotated[float, Field(gt=0)] | None = None
    folders: Annotated[str | list[str] | None, Field(alias="specs")] = None
    call_lists: Annotated[dict[str, str] | None, Field(alias="calls")] = None
    batch_timeout: Annotated[float, Field(gt=0)] | None = None
    cache_limit: Annotated[str, AfterValidator(_require_size)] | None = None


def read_defaults(folder: Path) -> Mapping[str, Any]:
    """Return the defaults by option, from the nearest file in a folder or above it.

    The paths of ``waivers``, of ``specs``, of call lists, and of a store that is a file, are taken
    relative to the file.

    Raises:
        WrongFileError: The file is not TOML, has an unknown key, or a value of a wrong type.
    """
    for parent in (folder, *folder.parents):
        for name in (_OWN_FILE, _PROJECT_FILE):
            path = parent / name
            if path.is_file() and (defaults := _read(path)) is not None:
                for key in ("waivers", "store"):
                    if key in defaults and (key != "store" or is_path(defaults[key])):
                        defaults[key] = str(parent / defaults[key])
                if "folders" in defaults:
                    paths = defaults["folders"]
                    folders = [paths] if isinstance(paths, str) else paths
                    defaults["folders"] = [str(parent / folder) for folder in folders]
                lists = defaults.get("call_lists", {})
                lists |= {name: str(parent / path) for name, path in lists.items()}
                return defaults
    return {}


def cache_limit() -> float:
    """Return the size to which commands prune the cache, in bytes.

    Raises:
        WrongInputError: ``ACLNN_CTS_CACHE_LIMIT`` is not a size.
        WrongFileError: As for :func:`read_defaults`.
    """
    if _LIMIT_VARIABLE in os.environ:
        return parse_size(os.environ[_LIMIT_VARIABLE], _LIMIT_VARIABLE)
    stated = read_defaults(Path.cwd()).get("cache_limit")
    return float(LIMIT) if stated is None else parse_size(stated, "cache-limit")


def _read(path: Path) -> dict[str, Any] | None:
    """Return the content of a file; None for a ``pyproject.toml`` without our table."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WrongFileError(f"{path}: cannot be read: {error}") from None
    is_ours = path.name == _OWN_FILE
    if not is_ours and "aclnn-cts" not in text:
        return None
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise WrongFileError(f"{path}: not valid TOML: nested too deeply") from None
    except ValueError as error:  # TOMLDecodeError, or a number of thousands of digits
        raise WrongFileError(f"{path}: not valid TOML: {error}") from None
    tools = data.get("tool")
    table = data if is_ours else tools.get("aclnn-cts") if isinstance(tools, dict) else None
    if table is None:
        return None
    try:
        return Defaults.model_validate(table).model_dump(exclude_none=True)
    except ValidationError as error:
        raise _refusal(path, text, error.errors()[0], "" if is_ours else _TABLE) from None


def _refusal(path: Path, text: str, error: Any, table: str) -> WrongFileError:
    key = str(error["loc"][0]) if error["loc"] else ""
    place = f"{path}:{_line_of(text, table, key)}"
    if error["type"] in UNKNOWN_KEY:
        keys = [field.alias or name for name, field in Defaults.model_fields.items()]
        return WrongFileError(f"{place}: unknown key {key!r}; {nearest_name(key, keys)}")
    return WrongFileError(f"{place}: {key or table} {requirement(error)}")


def _line_of(text: str, table: str, key: str) -> int:
    """Return the line number of a key, or of its table: tomllib gives none."""
    inside, header = not table, 1
    for number, line in enumerate(text.splitlines(), start=1):
        if header_match := _HEADER.match(line):
            inside = header_match["name"].replace('"', "").strip() == table
            header = number if inside else header
        elif inside and line.partition("=")[0].strip().strip("\"'") == key:
            return number
    return header
