# SPDX-License-Identifier: Apache-2.0
"""Messages about wrong values in files, and about damaged JSON.

A program wrote the JSON, so no similar key is suggested.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if (
    TYPE_CHECKING
):  # pydantic takes long to import, and readers of JSON without a model do not need it
    from pydantic import ValidationError

_DATE = "must be a date such as 2026-12-31"
_LIST = "must be a list"
_MAPPING = "must hold keys with values"
_NUMBER = "must be a number"
_TRUTH = "must be true or false"
_WHOLE = "must be a whole number"

_WORDS: Mapping[str, str] = {
    "string_type": "must be text",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must match the pattern '{pattern}'",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "too_short": "must be a list of length {min_length} or more",
    "too_long": "must be a list of length {max_length} or less",
    "list_type": _LIST,
    "tuple_type": _LIST,
    "dict_type": _MAPPING,
    "model_type": _MAPPING,
    "model_attributes_type": _MAPPING,
    "dataclass_type": _MAPPING,
    "bool_type": _TRUTH,
    "bool_parsing": _TRUTH,
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": _WHOLE,
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": "must be a finite number",
    "greater_than": "must be more than {gt:g}",
    "greater_than_equal": "must be {ge:g} or more",
    "less_than": "must be less than {lt:g}",
    "less_than_equal": "must be {le:g} or less",
    "date_type": _DATE,
    "date_parsing": _DATE,
    "date_from_datetime_parsing": _DATE,
    "date_from_datetime_inexact": _DATE,
    "value_error": "{error}",
}
"""Messages by pydantic's error type; braces take values from its context."""

UNKNOWN_KEY = ("extra_forbidden", "unexpected_keyword_argument", "invalid_key")
"""pydantic's error types for an unknown key."""


def requirement(error: Any) -> str:
    """Return what a value must be, such as ``must be a number``.

    Args:
        error: The error, as :meth:`pydantic.ValidationError.errors` gives it.
    """
    words = _WORDS.get(error["type"], "is not allowed here")
    return words.format(**error.get("ctx", {}))


_PLACE = re.compile(r" at line (?P<line>\d+) column (?P<column>\d+)$")
_MOST_SHOWN = 40


def json_damage(error: ValidationError, whole: str) -> str:
    """Return the first mistake in JSON that was read into a model.

    Args:
        whole: What all of it is called, such as ``the whole file``.
    """
    first: Any = error.errors(include_url=False)[0]
    kind = first["type"]
    if kind == "json_invalid":
        return _syntax(first["ctx"]["error"], first["input"])
    if kind == "union_tag_not_found":
        return f"{_discriminator(first)} is missing"
    if kind == "union_tag_invalid":
        name = _discriminator(first)
        return f"{name} is unknown" + _shown(first["input"].get(name), ":")
    place = ".".join(str(part) for part in first["loc"] if part != "[key]") or whole
    if kind in UNKNOWN_KEY:
        return f"{place} is an unknown key"
    if kind == "missing":
        return f"{place} is missing"
    return f"{place} {requirement(first)}" + _shown(first["input"], ", not")


class _DuplicateKeyError(ValueError):
    """A key appears twice in an object of JSON; readers would differ on its value."""


def read_json(content: str | bytes) -> Any:
    """Return the value of JSON; raises one of :data:`MALFORMED`, also for a duplicate key."""
    return json.loads(content, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        keys = [key for key, _ in pairs]
        duplicate = next(key for key in keys if keys.count(key) > 1)
        raise _DuplicateKeyError(f"duplicate key {duplicate!r}")
    return mapping


_KEY = re.compile(rb'"([^"]*)"\s*:')


def duplicate_key(content: bytes) -> str:
    """Return the damage of JSON with a duplicate key, which models accept; empty for none."""
    keys = _KEY.findall(content)
    if len(set(keys)) == len(keys) and b"\\" not in b"".join(keys):
        return ""
    try:
        read_json(content)
    except _DuplicateKeyError as error:
        return str(error)
    except MALFORMED:
        return ""  # the model says so
    return ""


MALFORMED = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""Errors of Python's JSON reader, and of code that processes JSON of the wrong structure."""


def damage_of(error: Exception) -> str:
    """Return the damage of JSON that is read without a model.

    Args:
        error: One of :data:`MALFORMED`, or of reading the file.
    """
    if isinstance(error, json.JSONDecodeError):
        return _python_syntax(error)
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8 from byte {error.start + 1} on"
    if isinstance(error, OSError):
        is_missing = isinstance(error, FileNotFoundError)
        return "it is missing" if is_missing else error.strerror or "it cannot be read"
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is missing"
    if isinstance(error, _DuplicateKeyError):
        return str(error)
    nested = isinstance(error, RecursionError)
    return "it is nested too deeply" if nested else "it has the wrong structure"


def _python_syntax(error: json.JSONDecodeError) -> str:
    if not error.doc.strip():
        return "it is empty"
    at = _place(error.doc.count("\n"), error.lineno, error.colno)
    rest = error.doc[error.pos :].strip()
    part_of_word = any(word.startswith(rest) for word in ("true", "false", "null", "-"))
    if part_of_word or error.msg.startswith("Unterminated string"):
        return f"it is cut off at {at}"
    return f"it is not JSON from {at} on"


def _discriminator(error: Any) -> str:
    return str(error["ctx"]["discriminator"]).strip("'")


def _syntax(reason: str, content: str | bytes) -> str:
    """Rephrase the message of pydantic's JSON reader, with the same place."""
    if not content.strip():
        return "it is empty"
    match = _PLACE.search(reason)
    breaks = content.count("\n") if isinstance(content, str) else content.count(b"\n")
    at = _place(breaks, int(match["line"]), int(match["column"])) if match else "an unknown place"
    if reason.startswith("EOF"):
        return f"it is cut off at {at}"
    if reason.startswith("recursion"):
        return f"it is nested too deeply at {at}"
    return f"it is not JSON from {at} on"


def _place(breaks: int, line: int, column: int) -> str:
    """Return line and column; only the column for a single line, which the caller names."""
    return f"line {line}, column {column}" if breaks else f"column {column}"


def _shown(value: Any, joint: str) -> str:
    """Return the value as written in the file, if that is short."""
    if isinstance(value, dict | list):
        return ""
    text = json.dumps(value, default=str)
    return f"{joint} {text}" if len(text) <= _MOST_SHOWN else ""
