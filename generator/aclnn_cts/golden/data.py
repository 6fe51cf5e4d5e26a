# SPDX-License-Identifier: Apache-2.0
"""The input data of a case: every kind is a function of seed, shape and data type alone.

Philox 4x64-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011) gives the bits;
NumPy promises that a bit generator's raw stream never changes. What NumPy makes of the bits (its
distributions) it may change, so nothing here uses it.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.errors import WrongInputError, unknown_name
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import formula_module
from aclnn_cts.plan.cases import CONSTANT_FILLS, INTEGER_FILLS, Case, Fill, TensorCase
from aclnn_cts.spec.data_types import DATA_TYPES, DataType, FloatFormat
from aclnn_cts.spec.models import OperatorSpec

Bits = npt.NDArray[np.uint64]


def random_bits(seed: str, numel: int) -> Bits:
    """Return ``numel`` words of 64 random bits that depend on ``seed`` alone."""
    digest = hashlib.sha256(seed.encode()).digest()
    key = np.frombuffer(digest[:16], dtype="<u8").astype(np.uint64)
    return np.random.Philox(key=key).random_raw(numel).astype(np.uint64, copy=False)


def unit_interval(bits: Bits) -> FloatArray:
    """Map words to [0, 1): multiples of 2^-53, exact in float64."""
    return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53


def uniform(bits: Bits, low: float, high: float) -> FloatArray:
    """Map words to [low, high)."""
    return low + (high - low) * unit_interval(bits)


def normal(bits: Bits) -> FloatArray:
    """Map words to a bell curve of mean 0 and deviation 1 (Irwin-Hall, four 16-bit parts).

    A sum needs no logarithm or cosine, whose last bits differ between mathematics libraries.
    """
    total = np.zeros(bits.shape)
    for shift in (0, 16, 32, 48):
        total += ((bits >> np.uint64(shift)) & np.uint64(0xFFFF)).astype(np.float64)
    # Four uniform parts of [0, 65535] have mean 2 * 65535 and variance 4 / 12 * 65535^2 (nearly).
    return np.asarray((total - 2 * 65535.0) * (1.7320508075688772 / 65535.0))


def pick(bits: Bits, count: int) -> npt.NDArray[np.int64]:
    """Map words to indices below ``count`` (a bias of at most count / 2^32)."""
    high = bits >> np.uint64(32)
    return ((high * np.uint64(count)) >> np.uint64(32)).astype(np.int64)


def permutation(seed: str, numel: int) -> npt.NDArray[np.int64]:
    """Return a permutation of ``range(numel)`` that depends on ``seed`` alone."""
    return np.argsort(random_bits(seed, numel), kind="stable").astype(np.int64)


Shape = tuple[int, ...]
Values = Callable[[Fill, Shape, FloatFormat], FloatArray]


def _flat(rule: Callable[[Fill, int, FloatFormat], FloatArray]) -> Values:
    """Make a rule for so many elements into one for a shape."""

    def shaped(fill: Fill, shape: Shape, floating: FloatFormat) -> FloatArray:
        return rule(fill, math.prod(shape), floating).reshape(shape)

    return shaped


def _uniform(low: float, high: float) -> Values:
    return _flat(lambda fill, numel, _: uniform(random_bits(fill.seed, numel), low, high))


def _normal(fill: Fill, numel: int, floating: FloatFormat) -> FloatArray:
    """Mean in [-5, 5], deviation in [0.1, 2]: the public precision standard, section 1.2."""
    del floating
    mean, deviation = unit_interval(random_bits(fill.seed + ":moments", 2))
    values = normal(random_bits(fill.seed, numel))
    return np.asarray((10 * mean - 5) + (0.1 + 1.9 * deviation) * values)


def _around_thresholds(fill: Fill, numel: int, floating: FloatFormat) -> FloatArray:
    """Each threshold, its neighbours in the tensor's type, and values further off, step by step."""
    candidates: list[float] = []
    for threshold in fill.thresholds:
        if not math.isfinite(threshold):
            continue
        exponent = math.frexp(threshold)[1] - 1 if threshold else floating.min_exponent
        step = math.ldexp(1.0, max(exponent, floating.min_exponent) - floating.fraction_bits)
        nearest = round(threshold / step) * step
        candidates += [nearest, nearest - step, nearest + step]
        candidates += [nearest - 3 * step, nearest + 3 * step]
        candidates += [nearest + sign * 2.0**-power for power in (6, 12, 20) for sign in (-1, 1)]
    return _mixed(fill, numel, candidates, share=0.5)


def _mixed(fill: Fill, numel: int, candidates: list[float], share: float) -> FloatArray:
    """Scatter all candidates among ordinary values of [-2, 2).

    Each appears if there is room; half of the elements at least stay ordinary, so that a call is
    never about special values alone.
    """
    values = uniform(random_bits(fill.seed, numel), -2.0, 2.0)
    count = min(numel // 2 + numel % 2, max(math.ceil(numel * share), len(candidates)))
    if not candidates or numel < 2:
        return values
    places = permutation(fill.seed + ":places", numel)
    first = int(pick(random_bits(fill.seed + ":first", 1), len(candidates))[0])
    chosen = (np.arange(count) + first) % len(candidates)
    values[places[:count]] = np.asarray(candidates)[chosen]
    return values


def _special_corner(fill: Fill, numel: int, floating: FloatFormat) -> FloatArray:
    """Special values in the first eighth only: what gathers elements elsewhere stays ordinary."""
    values = uniform(random_bits(fill.seed, numel), -2.0, 2.0)
    corner = numel // 8
    values[:corner] = _special(fill, corner, floating)
    return values


def _special_corner_summable(fill: Fill, numel: int, floating: FloatFormat) -> FloatArray:
    """As ``special-corner``, without Inf and the largest values: a sum of these says something."""
    values = uniform(random_bits(fill.seed, numel), -2.0, 2.0)
    candidates = [value for value in _special_values(floating) if not abs(value) > 1]
    corner = numel // 8
    values[:corner] = _mixed(fill, corner, candidates, share=0.3)
    return values


def _special_values(floating: FloatFormat) -> list[float]:
    tiny, normal_least = floating.smallest_subnormal, floating.smallest_normal
    return [
        math.nan,
        math.inf,
        -math.inf,
        0.0,
        -0.0,
        tiny,
        -tiny,
        normal_least,
        -(normal_least - tiny),
        floating.max_finite,
        -floating.max_finite,
        1.0,
        -1.0,
    ]


def _special(fill: Fill, numel: int, floating: FloatFormat) -> FloatArray:
    """Zeros, subnormals, the largest finite values, Inf and NaN among ordinary values."""
    return _mixed(fill, numel, _special_values(floating), share=0.3)


def _special_finite(fill: Fill, numel: int, floating: FloatFormat) -> FloatArray:
    """The special values that a product without Inf and NaN has."""
    values = [value for value in _special_values(floating) if math.isfinite(value)]
    return _mixed(fill, numel, values, share=0.3)


def _special_no_nan(fill: Fill, numel: int, floating: FloatFormat) -> FloatArray:
    """The special values without NaN and -Inf, which pooling does not support."""
    values = [value for value in _special_values(floating) if value > -math.inf]
    return _mixed(fill, numel, values, share=0.3)


def _special_mild(fill: Fill, numel: int, floating: FloatFormat) -> FloatArray:
    """Zeros, subnormals and ones: special values that a narrower computing type holds, too."""
    values = [value for value in _special_values(floating) if abs(value) <= 1]
    return _mixed(fill, numel, values, share=0.3)


def _exact(fill: Fill, numel: int, floating: FloatFormat) -> FloatArray:
    """Signed powers of two and small sums of them: products and short sums stay exact."""
    del floating
    choices = np.array([0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0])
    bits = random_bits(fill.seed, numel)
    sign = np.where(bits & np.uint64(1), -1.0, 1.0)
    return np.asarray(sign * choices[pick(bits, len(choices))])


def _subnormal(fill: Fill, numel: int, floating: FloatFormat) -> FloatArray:
    """Subnormal and smallest normal values of both signs, every other one an ordinary value."""
    bits = random_bits(fill.seed, numel)
    steps = (1 + pick(bits, 2 ** (floating.fraction_bits + 1))).astype(np.float64)
    values = np.where(bits & np.uint64(1), -1.0, 1.0) * steps * floating.smallest_subnormal
    values[::2] = uniform(bits[::2], -2.0, 2.0)
    return values


def _large(fill: Fill, numel: int, floating: FloatFormat) -> FloatArray:
    """Magnitudes up to the largest finite value, so that some overflow; half are ordinary."""
    bits = random_bits(fill.seed, numel)
    scale = floating.max_finite * 2.0 ** -pick(bits, 7).astype(np.float64)
    sign = np.where(bits & np.uint64(1), -1.0, 1.0)
    values = sign * scale * (0.5 + 0.5 * unit_interval(bits))
    values[::2] = uniform(bits[::2], -2.0, 2.0)
    return values


def _biased(sign: float) -> Values:
    """Nine values in ten have the sign."""

    def rule(fill: Fill, numel: int, floating: FloatFormat) -> FloatArray:
        del floating
        bits = random_bits(fill.seed, numel)
        magnitude = uniform(bits, 0.05, 4.0)
        return np.where((bits & np.uint64(0x3FF)) < 922, sign, -sign) * magnitude

    return _flat(rule)


_LARGEST_OFFSET = 64.0
"""Beyond it, a float32 computation that subtracts two such values has no digit left to judge."""


def _offset(fill: Fill, numel: int, floating: FloatFormat) -> FloatArray:
    """Values within 1 of a large one, which the type still tells apart in steps of 1/8 or less."""
    large = min(_LARGEST_OFFSET, 2.0 ** (floating.fraction_bits - 3))
    return large + uniform(random_bits(fill.seed, numel), -1.0, 1.0)


def _distinct(fill: Fill, shape: Shape, floating: FloatFormat) -> FloatArray:
    """Integers that all differ within any window of 16 x 16 of the two innermost axes."""
    del floating
    if len(shape) < 2:
        return permutation(fill.seed, math.prod(shape)).astype(np.float64).reshape(shape)
    height, width = shape[-2:]
    tile = (permutation(fill.seed, 256) - 128).astype(np.float64).reshape(16, 16)
    plane = tile[np.arange(height)[:, None] % 16, np.arange(width)[None, :] % 16]
    planes = math.prod(shape[:-2])
    # Every other plane negated; a tile negated as a whole stays free of repeats.
    signs = np.where(np.arange(planes) % 2, -1.0, 1.0)[:, None, None]
    return np.asarray(plane[None] * signs).reshape(shape)


def _ties(fill: Fill, numel: int, floating: FloatFormat) -> FloatArray:
    """Three values only, so that most windows have several maxima."""
    del floating
    return pick(random_bits(fill.seed, numel), 3).astype(np.float64) - 1.0


FLOAT_FILLS: dict[str, Values] = {
    "uniform": _uniform(-5.0, 5.0),
    "normal": _flat(_normal),
    "unit-interval": _uniform(0.0009765625, 0.9990234375),
    "wide": _uniform(-3.0, 4.0),
    "positive": _uniform(0.125, 2.0),
    "around-thresholds": _flat(_around_thresholds),
    "special": _flat(_special),
    "special-corner": _flat(_special_corner),
    "special-corner-summable": _flat(_special_corner_summable),
    "special-finite": _flat(_special_finite),
    "special-no-nan": _flat(_special_no_nan),
    "special-mild": _flat(_special_mild),
    "exact": _flat(_exact),
    "subnormal": _flat(_subnormal),
    "large": _flat(_large),
    "mostly-negative": _biased(-1.0),
    "mostly-positive": _biased(1.0),
    "offset": _flat(_offset),
    "negative": _uniform(-5.0, -0.125),
    "all-positive": _uniform(0.125, 5.0),
    "distinct": _distinct,
    "ties": _flat(_ties),
    "ones": _flat(lambda _fill, numel, _floating: np.ones(numel)),
    "zeros": _flat(lambda _fill, numel, _floating: np.zeros(numel)),
    "negative-zeros": _flat(lambda _fill, numel, _floating: np.full(numel, -0.0)),
}
"""Floating data by kind; values are computed in float64 and then rounded to the tensor's type."""

DERIVED = "derived"
"""The operator's formula module makes the data from the other inputs."""


def check_fill(kind: str) -> None:
    """Raise WrongInputError if there is no such kind of data."""
    if kind not in FLOAT_FILLS and kind not in INTEGER_FILLS and kind != DERIVED:
        raise unknown_name("kind of data", kind, [*FLOAT_FILLS, *INTEGER_FILLS, DERIVED])


def make_data(fill: Fill, shape: Shape, dtype: str) -> npt.NDArray[Any]:
    """Return the data of an input: view shape, in the tensor's type.

    Raises:
        WrongInputError: The kind does not exist, or does not suit the type.
    """
    data_type = DATA_TYPES[dtype]
    if fill.kind in INTEGER_FILLS:
        return _bits(fill, shape, data_type)
    check_fill(fill.kind)
    if fill.kind == DERIVED:
        raise WrongInputError("data derived from other inputs cannot be made alone")
    if data_type.floating is None:
        return _integers(fill, shape, data_type)
    values = FLOAT_FILLS[fill.kind](fill, shape, data_type.floating)
    with np.errstate(over="ignore", invalid="ignore"):
        if data_type.name == "bfloat16":
            # By way of float32: that is how ml_dtypes rounds, too, and no version may change it.
            return values.astype(np.float32).astype(data_type.numpy)
        return values.astype(data_type.numpy)


def _bits(fill: Fill, shape: Shape, data_type: DataType) -> npt.NDArray[Any]:
    if data_type.floating is not None:
        raise WrongInputError(f"{fill.kind} data need an integer type, not {data_type.name}")
    numel = math.prod(shape)
    flat = (random_bits(fill.seed, numel) >> np.uint64(40)).astype(np.uint8)
    if fill.kind == "bits-padding":
        flat[max(numel - 16, 0) :] |= np.uint8(0xF0)
    return flat.astype(data_type.numpy).reshape(shape)


def _integers(fill: Fill, shape: Shape, data_type: DataType) -> npt.NDArray[Any]:
    """Return equal bits, or small integers for a type that the operator must refuse."""
    if fill.kind in CONSTANT_FILLS:
        return np.full(shape, -1 if fill.kind == "ones" else 0).astype(data_type.numpy)
    numel = math.prod(shape)
    return (random_bits(fill.seed, numel) & np.uint64(1)).astype(data_type.numpy).reshape(shape)


def make_inputs(spec: OperatorSpec, case: Case) -> dict[str, npt.NDArray[Any]]:
    """Return the data of all inputs that the case gives: view shape, the tensors' own types.

    Null tensors and tensors that another operator produces have no data.
    """
    inputs = {
        tensor.name: _independent(tensor)
        for tensor in case.inputs
        if tensor.source == "data" and tensor.fill is not None and tensor.fill.kind != DERIVED
    }
    for tensor in case.inputs:
        if tensor.source == "data" and tensor.fill is not None and tensor.fill.kind == DERIVED:
            derive = formula_module(spec.golden).derive
            values = {**case.names, **case.attributes}
            inputs[tensor.name] = derive(tensor.name, inputs, values).reshape(tensor.shape)
    return inputs


def _independent(tensor: TensorCase) -> npt.NDArray[Any]:
    """Make the data of one tensor; along an axis of stride 0 they repeat."""
    assert tensor.fill is not None  # noqa: S101 - the caller asked for tensors with a fill
    base = tuple(
        1 if stride == 0 and extent > 1 else extent
        for extent, stride in zip(tensor.shape, tensor.strides, strict=True)
    )
    data = make_data(tensor.fill, base, tensor.dtype)
    return (
        data if base == tensor.shape else np.ascontiguousarray(np.broadcast_to(data, tensor.shape))
    )
