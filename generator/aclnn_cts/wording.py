# SPDX-License-Identifier: Apache-2.0
"""Our own words for what pydantic finds wrong with a value of a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
    "string_pattern_mismatch": "must be written as the pattern '{pattern}' says",
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
"""By pydantic's type of error; in braces the context that pydantic gives."""

UNKNOWN_KEY = ("extra_forbidden", "unexpected_keyword_argument", "invalid_key")
"""The types of error of a key that does not exist."""


def requirement(error: Any) -> str:
    """Return what a value must be, such as ``must be a number``.

    Args:
        error: The error, as :meth:`pydantic.ValidationError.errors` gives it.
    """
    words = _WORDS.get(error["type"], "is not allowed here")
    return words.format(**error.get("ctx", {}))
