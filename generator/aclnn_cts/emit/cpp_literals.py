# SPDX-License-Identifier: Apache-2.0
"""Values as C++ literals, exactly: what the compiler reads is bit for bit what was written."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.errors import WrongInputError
from aclnn_cts.spec.data_types import DATA_TYPES, FORMATS

_TYPES = {
    "float32": "ACL_FLOAT",
    "float16": "ACL_FLOAT16",
    "int8": "ACL_INT8",
    "int32": "ACL_INT32",
    "uint8": "ACL_UINT8",
    "int16": "ACL_INT16",
    "uint16": "ACL_UINT16",
    "uint32": "ACL_UINT32",
    "int64": "ACL_INT64",
    "uint64": "ACL_UINT64",
    "double": "ACL_DOUBLE",
    "bool": "ACL_BOOL",
    "complex64": "ACL_COMPLEX64",
    "complex128": "ACL_COMPLEX128",
    "bfloat16": "ACL_BF16",
}
"""Enumerators of aclDataType, from CANN's public header acl_base.h."""

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_INT64_MIN = -(2**63)


def identifier(name: str) -> str:
    """Return a name that may stand in C++ as it is.

    Raises:
        WrongInputError: It is none.
    """
    if _IDENTIFIER.fullmatch(name) is None:
        raise WrongInputError(f"{name!r} is no name for C++; correct the spec")
    return name


def type_enumerator(dtype: str) -> str:
    """Return the enumerator of aclDataType for a data type."""
    return _TYPES[DATA_TYPES[dtype].name]


def format_enumerator(name: str) -> str:
    """Return the enumerator of aclFormat for a format; KeyError if there is none."""
    prefix = "ACL_FORMAT_"
    assert name in FORMATS  # noqa: S101 - the models have checked it
    return prefix + name


def int64(value: int) -> str:
    """Return an integer of 64 bits."""
    if value == _INT64_MIN:
        return "INT64_MIN"
    return str(value) if abs(value) < 2**31 else f"INT64_C({value})"


def int64s(values: Iterable[int]) -> str:
    """Return a list of integers of 64 bits in braces."""
    return "{" + ", ".join(map(int64, values)) + "}"


def double(value: float) -> str:
    """Return a double; Python's shortest text for it reads back as the same number."""
    return _special(value) or repr(float(value))


def string(text: str) -> str:
    """Return a string; anything but plain printable characters as octal escapes."""
    escaped = "".join(
        char if char.isascii() and char.isprintable() and char not in '"\\?' else _octal(char)
        for char in text
    )
    return f'"{escaped}"'


def _octal(char: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in char.encode())


def _special(value: float) -> str:
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return ""


def element_type(dtype: str) -> str:
    """Return the C++ type whose literals :func:`elements` writes for a data type."""
    if dtype in ("float32", "double"):
        return {"float32": "float", "double": "double"}[dtype]
    if dtype in ("float16", "bfloat16"):
        return "uint16_t"
    kind = DATA_TYPES[dtype].numpy
    return f"{kind.name}_t" if kind.kind in "iu" else "uint8_t"


def elements(array: npt.NDArray[Any], dtype: str) -> str:
    """Return the elements of an array, row-major, as a list in braces.

    C++17 has no type for float16 and bfloat16, so they are written as their 16 bits; complex and
    boolean elements as bytes.
    """
    flat = np.ascontiguousarray(array).reshape(-1)
    if dtype == "float32":
        texts = [_special(float(x)) or f"{x!s}F" for x in flat]
        # "1e-05F" and "0.5F" are right; an integer needs a point before its suffix.
        texts = [t if "." in t or "e" in t or "N" in t else f"{t[:-1]}.0F" for t in texts]
    elif dtype == "double":
        texts = [double(float(x)) for x in flat]
    elif dtype in ("float16", "bfloat16"):
        texts = [f"0x{bits:04X}" for bits in flat.view(np.uint16)]
    elif DATA_TYPES[dtype].numpy.kind in "iu":
        texts = [_integer(int(x), flat.dtype) for x in flat]
    else:
        texts = [str(byte) for byte in flat.view(np.uint8)]
    return "{" + ", ".join(texts) + "}"


def _integer(value: int, dtype: np.dtype[Any]) -> str:
    if dtype == np.uint64:
        return f"UINT64_C({value})"
    return int64(value) if dtype == np.int64 else f"{value}U" if dtype == np.uint32 else str(value)
