# SPDX-License-Identifier: Apache-2.0
"""The data types, formats and status codes of the aclnn interface, under the documents' names.

Codes are those of ``aclDataType``, ``aclFormat`` and ``aclnnStatus`` in CANN's public headers.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np


@dataclass(frozen=True)
class FloatFormat:
    """Parameters of a floating type (IEEE 754-2019, table 3.5; bfloat16 likewise).

    Attributes:
        fraction_bits: Bits after the implicit leading one.
        min_exponent: Exponent of the smallest normal number.
        max_exponent: Exponent of the largest finite number.
    """

    fraction_bits: int
    min_exponent: int
    max_exponent: int

    @property
    def max_finite(self) -> float:
        """The largest finite value."""
        return float((2.0 - 2.0**-self.fraction_bits) * 2.0**self.max_exponent)

    @functools.cached_property
    def overflow(self) -> Any:
        """The least magnitude that rounds to Inf (IEEE 754-2019, 4.3.1); may exceed float64."""
        half = math.ldexp(0.5, self.max_exponent - self.fraction_bits)
        least = self.max_finite + half
        return least if math.isfinite(least) else np.longdouble(self.max_finite) + half

    @property
    def least_finite(self) -> float:
        return -self.max_finite

    @functools.cached_property
    def smallest_normal(self) -> float:
        """The smallest positive normal value."""
        return float(2.0**self.min_exponent)

    @functools.cached_property
    def smallest_subnormal(self) -> float:
        """The distance between neighbouring subnormal values."""
        return float(2.0 ** (self.min_exponent - self.fraction_bits))

    @functools.cached_property
    def unit_roundoff(self) -> float:
        """The largest relative error of one rounding to nearest."""
        return float(2.0 ** -(self.fraction_bits + 1))


@dataclass(frozen=True)
class IntegerFormat(FloatFormat):
    """Integers as a format whose ulp is 1 everywhere.

    Attributes:
        most: The largest one.
    """

    least: int
    most: int

    @classmethod
    def of(cls, numpy: np.dtype[Any]) -> IntegerFormat:
        """Return the format of a NumPy type of integers or bool."""
        info = np.iinfo(numpy) if numpy.kind in "iu" else None
        least, most = (0, 1) if info is None else (int(info.min), int(info.max))
        bits = most.bit_length() - 1
        return cls(bits, bits, bits, least, most)

    @property
    def least_finite(self) -> float:
        return float(self.least)


@dataclass(frozen=True)
class DataType:
    """One data type of aclTensor.

    Attributes:
        code: Value of ``aclDataType``.
        numpy: How NumPy holds it.
        floating: How it rounds; None for integers, bool and complex types.
    """

    name: str
    code: int
    numpy: np.dtype[Any]
    floating: FloatFormat | None = None

    @property
    def grid(self) -> FloatFormat:
        """The numbers that it holds: floating ones or integers.

        Raises:
            ValueError: It is complex.
        """
        if self.numpy.kind == "c":
            raise ValueError(f"{self.name} is not a type of real numbers")
        return self.floating or IntegerFormat.of(self.numpy)

    @property
    def is_wide(self) -> bool:
        """Whether float64 cannot hold all of its numbers with digits to spare."""
        return self.numpy.itemsize == 8 and self.numpy.kind in "fiu"

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return int(self.numpy.itemsize)

    @property
    def digits(self) -> int:
        """Binary digits of a floating number, or of the largest integer."""
        return (self.floating.fraction_bits if self.floating else 8 * self.itemsize) + 1

    @property
    def npy_type(self) -> np.dtype[Any]:
        """The plain NumPy type of the same width that .npy files can name (bfloat16 as 16 bits)."""
        return np.dtype(np.uint16) if self.name == "bfloat16" else self.numpy


DATA_TYPES: dict[str, DataType] = {
    data_type.name: data_type
    for data_type in (
        DataType("float32", 0, np.dtype(np.float32), FloatFormat(23, -126, 127)),
        DataType("float16", 1, np.dtype(np.float16), FloatFormat(10, -14, 15)),
        DataType("int8", 2, np.dtype(np.int8)),
        DataType("int32", 3, np.dtype(np.int32)),
        DataType("uint8", 4, np.dtype(np.uint8)),
        DataType("int16", 6, np.dtype(np.int16)),
        DataType("uint16", 7, np.dtype(np.uint16)),
        DataType("uint32", 8, np.dtype(np.uint32)),
        DataType("int64", 9, np.dtype(np.int64)),
        DataType("uint64", 10, np.dtype(np.uint64)),
        DataType("double", 11, np.dtype(np.float64), FloatFormat(52, -1022, 1023)),
        DataType("bool", 12, np.dtype(np.bool_)),
        DataType("complex64", 16, np.dtype(np.complex64)),
        DataType("complex128", 17, np.dtype(np.complex128)),
        DataType("bfloat16", 27, np.dtype(ml_dtypes.bfloat16), FloatFormat(7, -126, 127)),
    )
}


def type_name(numpy: np.dtype[Any]) -> str:
    """Return the specs' name of a NumPy type: NumPy's own, except for double."""
    return "double" if numpy == np.float64 else numpy.name


def round_to_type(value: float, data_type: DataType) -> float | int | bool:
    """Return a number rounded to a type, as a call passes it.

    Integers drop a fraction and keep the low bits; complex types hold it as the real part.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        number = np.float64(value) if isinstance(value, float) else np.asarray(int(value))
        element = number.astype(data_type.numpy)
    if data_type.numpy.kind == "b":
        return bool(element)
    return int(element) if data_type.numpy.kind in "iu" else float(element.real)


@functools.lru_cache(maxsize=4096)
def can_hold(value: float, data_type: DataType) -> bool:
    """Whether a type holds a number up to rounding, without losing a fraction or overflowing."""
    rounded = round_to_type(value, data_type)
    if data_type.floating is None:
        return rounded == value
    return math.isfinite(rounded) == math.isfinite(value)


def promote(names: Iterable[str], scalars: Iterable[str] = ()) -> str | None:
    """Return the promoted data type; None if there is none, as for no types.

    The common document on promotion has a table of pairs of tensors and one of a tensor and a
    scalar; its complex32 is none of the types here.

    Args:
        names: Data types of tensors.
        scalars: Data types of scalars, which count only if they are of another kind of number.
    """
    tensors = _promote_tensors(names)
    for scalar in scalars:
        if tensors is not None and not castable(scalar, tensors):
            tensors = _promote_scalar(DATA_TYPES[scalar], DATA_TYPES[tensors])
    return tensors


UNPROMOTABLE = ("uint16", "uint32", "uint64")
"""The data types that have no common one with others."""


def _promote_scalar(scalar: DataType, tensor: DataType) -> str | None:
    """Return the promoted type of a tensor and a scalar of a later kind of number."""
    if _kind(scalar) == _COMPLEX:
        return "complex128" if tensor.name == "double" else "complex64"
    if _kind(scalar) == _FLOATING:
        return None if tensor.name in UNPROMOTABLE else "float32"
    return None if scalar.name in UNPROMOTABLE else scalar.name


def _promote_tensors(names: Iterable[str]) -> str | None:
    types = {DATA_TYPES[name] for name in names}
    if not types:
        return None
    if len(types) > 1 and any(each.name in UNPROMOTABLE for each in types):
        return None
    kind = max(map(_kind, types))
    alike = {data_type for data_type in types if _kind(data_type) == kind}
    if len(alike) == 1 and kind < _COMPLEX:
        return alike.pop().name
    wide = any(data_type.name in ("double", "complex128") for data_type in types)
    if kind == _COMPLEX:
        return "complex128" if wide else "complex64"
    if kind == _FLOATING:
        return "double" if wide else "float32"
    return type_name(np.result_type(*(data_type.numpy for data_type in alike)))


def castable(source: str, target: str) -> bool:
    """Whether a data type converts to another (document on conversion)."""
    return _kind(DATA_TYPES[source]) <= _kind(DATA_TYPES[target])


def all_castable(sources: Iterable[str], targets: Collection[str]) -> bool:
    """Whether each of some data types converts to each of others."""
    return all(castable(source, target) for source in sources for target in targets)


_FLOATING, _COMPLEX = 2, 3
_KINDS = {"b": 0, "i": 1, "u": 1, "f": _FLOATING, "V": _FLOATING, "c": _COMPLEX}
"""NumPy's kinds (bfloat16 is a V); each converts to itself and those above."""


def _kind(data_type: DataType) -> int:
    return _KINDS[data_type.numpy.kind]


FORMATS: dict[str, int] = {
    "NCHW": 0,
    "NHWC": 1,
    "ND": 2,
    "NC1HWC0": 3,
    "FRACTAL_Z": 4,
    "HWCN": 16,
    "NDHWC": 27,
    "FRACTAL_NZ": 29,
    "NCDHW": 30,
    "NDC1HWC0": 32,
    "NC": 35,
    "NCL": 47,
}

PUBLIC_FORMATS = {"NC": 2, "NCL": 3, "NCHW": 4, "NHWC": 4, "HWCN": 4, "NCDHW": 5, "NDHWC": 5}
"""Formats whose letters name dimensions, by the number of these; ND has any."""

PRIVATE_FORMATS = ("NC1HWC0", "FRACTAL_Z", "FRACTAL_NZ", "NDC1HWC0")

STATUSES: dict[str, int] = {
    "ACLNN_SUCCESS": 0,
    "ACLNN_ERR_PARAM_NULLPTR": 161001,
    "ACLNN_ERR_PARAM_INVALID": 161002,
    "ACLNN_ERR_RUNTIME_ERROR": 361001,
    "ACLNN_ERR_INNER": 561000,
    "ACLNN_ERR_INNER_INFERSHAPE_ERROR": 561001,
    "ACLNN_ERR_INNER_TILING_ERROR": 561002,
    "ACLNN_ERR_INNER_FIND_KERNEL_ERROR": 561003,
    "ACLNN_ERR_INNER_CREATE_EXECUTOR": 561101,
    "ACLNN_ERR_INNER_NULLPTR": 561103,
}


def status_name(code: int) -> str:
    """Return the document's name of a status code, or the number itself."""
    return next((name for name, value in STATUSES.items() if value == code), str(code))


def open_status(accepted: Iterable[str]) -> str:
    """Return in words that a document leaves the status of a refusal open.

    Args:
        accepted: Names of the accepted statuses; none if any but ACLNN_SUCCESS is.
    """
    statuses = " or ".join(accepted) or "any error status"
    return f"the document does not tell which status; accepted: {statuses}"
