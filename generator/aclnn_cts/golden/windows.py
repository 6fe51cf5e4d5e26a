# SPDX-License-Identifier: Apache-2.0
"""Windows of poolings over planes, the two innermost axes of a tensor.

Windows along an axis are two arrays: starts and exclusive ends. They lie within the plane and may
be empty.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import (
    Arithmetic,
    Number,
    either,
    grid_of,
    rounding_error,
    select,
)
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import Array, Attributes, Inputs, Part, widen
from aclnn_cts.golden.outcomes import extremes_of
from aclnn_cts.spec.data_types import DATA_TYPES

Bounds: TypeAlias = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]

_FEW = 17
"""Up to this number of terms, the error of the additions covers the losses."""


def along(names: Attributes, axis: str) -> Bounds:
    """Return the windows of a pooling along an axis, H or W, beyond the plane as well.

    Args:
        names: The derived names kH, sH, pH and Ho, or those of W.
    """
    kernel, stride, padding, count = (
        int(names[name]) for name in (f"k{axis}", f"s{axis}", f"p{axis}", f"{axis}o")
    )
    starts = np.arange(count) * stride - padding
    return starts, starts + kernel


def inside(bounds: Bounds, extent: int) -> Bounds:
    """Return the parts of windows within an axis of this extent."""
    starts, stops = (np.clip(bound, 0, extent) for bound in bounds)
    return starts, stops


def holding(names: Attributes, axis: str) -> Bounds:
    """Return the windows of a pooling that contain each element along an axis."""
    kernel, stride, padding = (int(names[f"{name}{axis}"]) for name in "ksp")
    places, reach = np.arange(int(names[axis])) + padding, (kernel - 1) * names.get(f"d{axis}", 1)
    bounds = -((reach - places) // stride), places // stride + 1
    starts, stops = inside(bounds, int(names[f"{axis}o"]))
    return starts, np.maximum(starts, stops)


def divisors(names: Attributes) -> tuple[Array, Array]:
    """Return the divisors of an average pooling, and which windows reach beyond the padding."""
    bounds = {axis: along(names, axis) for axis in "HW"}
    over = [stops > names[axis] + names[f"p{axis}"] for axis, (_, stops) in bounds.items()]
    overhangs = np.logical_or.outer(*over)
    if names["divisorOverride"]:
        return np.full(overhangs.shape, float(names["divisorOverride"])), overhangs
    if not names["countIncludePad"]:
        bounds = {axis: inside(axis_bounds, names[axis]) for axis, axis_bounds in bounds.items()}
    counts = [(stops - starts).astype(np.float64) for starts, stops in bounds.values()]
    return np.multiply.outer(*counts), overhangs


def part(
    inputs: Inputs, names: Attributes, rows: Bounds, columns: int, start: int, stop: int
) -> Part:
    """Return the smaller call that gives some windows, of the planes and rows that contain them.

    Its ``which`` are the windows along the first axis that lie over a band of one plane; None for
    whole planes.

    Args:
        inputs: The tensor over which the windows lie.
        names: The derived names of the call.
        rows: The windows along the first axis of a plane.
        columns: Number of windows along the second axis.
        start: Index of the first window, in row-major order.
        stop: Index after the last window.
    """
    ((name, planes),) = inputs.items()
    size = max(len(rows[0]) * columns, 1)
    first, last = start // size, -(-stop // size)
    chosen = planes.reshape(-1, *planes.shape[-2:])[first:last]
    offset, which = start - first * size, None
    if last - first == 1:
        top, bottom = offset // columns, -(-(offset + stop - start) // columns)
        starts, stops = (bound[top:bottom] for bound in rows)
        chosen, which = chosen[:, starts.min() : stops.max()], slice(top, bottom)
        offset -= top * columns
    return {name: chosen}, {**names, "which": which}, offset


def over(rows: Bounds, which: slice | None) -> Bounds:
    """Return the windows over the band that :func:`part` returns, or over whole planes."""
    if which is None:
        return rows
    starts, stops = (bound[which] for bound in rows)
    return starts - starts.min(), stops - starts.min()


def overlapping(names: Attributes) -> int:
    """Return an upper bound of the number of windows that contain an element."""
    return math.prod(
        min(kernel, -(-(names.get(f"d{axis}", 1) * (kernel - 1) + 1) // int(names[f"s{axis}"])))
        for axis in "HW"
        for kernel in [int(names[f"k{axis}"])]
    )


def scatter(gradient: Array, places: Array, shape: tuple[int, ...]) -> dict[str, Array]:
    """Return, in a shape, what windows add to the elements that they name.

    ``total``, ``size`` and ``extremes`` are as :func:`window_sums` has them; ``selected`` is the
    number of windows that name the element. Elements outside the planes are left out.
    """
    size, count = math.prod(shape[-2:]), math.prod(shape)
    indices = places.reshape(math.prod(shape[:-2]), -1).astype(np.int64)
    is_inside = (indices >= 0) & (indices < size)
    at, contributions = (
        (indices + size * np.arange(len(indices))[:, np.newaxis])[is_inside],
        gradient[is_inside.reshape(gradient.shape)],
    )
    extremes, finite = np.zeros(count, np.uint8), np.isfinite(contributions)
    np.bitwise_or.at(extremes, at[~finite], extremes_of(contributions[~finite]))
    terms = np.where(finite, contributions, 0.0)
    weights = {"total": terms, "size": np.abs(terms), "selected": None}
    columns: dict[str, Array] = {
        name: np.bincount(at, weight, count).astype(np.float64) for name, weight in weights.items()
    }
    columns["extremes"] = extremes
    return {name: column.reshape(shape) for name, column in columns.items()}


def window_sums(planes: Array, rows: Bounds, columns: Bounds) -> dict[str, Array]:
    """Return the sums of all windows: ``total``, ``size``, ``extremes``, ``losses`` and ``count``.

    The first two are those of the finite elements and of their magnitudes, ``extremes`` has bits of
    the others (:class:`Outcome`), ``losses`` what :func:`rounding_error` says of the terms in
    float32, and ``count`` is the number of elements.
    """
    x = widen(planes)
    finite = np.isfinite(x)
    amounts = x if finite.all() else np.where(finite, x, 0.0)
    total, size = (
        reduce_windows(np.add, each, rows, columns) for each in (amounts, np.abs(amounts))
    )
    count = np.multiply.outer(*(stops - starts for starts, stops in (rows, columns)))
    extremes, lost_ones = np.zeros(total.shape, np.uint8), np.zeros(total.shape)
    if not finite.all():
        extremes = reduce_windows(np.bitwise_or, extremes_of(x), rows, columns)
    if count.max(initial=0) > _FEW:
        grids = grid_of(size, DATA_TYPES["float32"].grid)
        for grid in np.unique(grids):
            losses_of_windows = reduce_windows(np.add, rounding_error(amounts, grid), rows, columns)
            lost_ones = np.where(grids == grid, losses_of_windows, lost_ones)
    counts = np.broadcast_to(count.astype(np.float64), total.shape)
    return {
        "total": total,
        "size": size,
        "extremes": extremes,
        "losses": lost_ones,
        "count": counts,
    }


def reduce_windows(rule: np.ufunc, planes: Array, rows: Bounds, columns: Bounds) -> Array:
    """Return a rule's reduction of each window; 0 for one without elements."""
    return _along(rule, _along(rule, planes, rows, -2), columns, -1)


def _along(rule: np.ufunc, array: Array, bounds: Bounds, axis: int) -> Array:
    starts, stops = bounds
    # `reduceat` needs an element after the end of a window, which may be that of the plane
    padding = np.zeros_like(array, shape=(*array.shape[:axis], 1, *array.shape[axis:][1:]))
    pairs = np.stack([starts, stops], axis=-1).reshape(-1)
    reductions = rule.reduceat(np.concatenate([array, padding], axis=axis), pairs, axis=axis)
    of_windows = reductions.swapaxes(axis, -1)[..., ::2]
    return np.where(starts < stops, of_windows, 0).swapaxes(axis, -1).astype(array.dtype)


def losses(sums: Inputs, on: Arithmetic) -> FloatArray:
    """Return the errors of rounding terms to the type of the additions."""
    is_narrower = on.computing.fraction_bits < DATA_TYPES["float32"].grid.fraction_bits
    return sums["size"] + np.inf if is_narrower else sums["losses"]  # unknown for those


def mean(sums: Inputs, terms: int, on: Arithmetic) -> Number:
    """Return sums divided by ``count``, at once or term by term.

    Args:
        sums: The result of :func:`window_sums`.
        terms: Number of terms of the longest sum.
        on: How the device computes.
    """
    count = widen(sums["count"])
    total, size, extremes = (sums[each] for each in ("total", "size", "extremes"))
    on = on.keeping
    divisor = on.exact(count)
    whole = on.sums(total, size, extremes, terms, losses(sums, on))
    divided = whole / divisor
    scaled = whole.times_reciprocal(on.exact(1.0) / divisor, total / count)
    # no device keeps a reciprocal in a type in which it loses its digits
    scaled = select(1 / count >= on.storage.smallest_normal, scaled, divided)
    shares = on.sums(total / count, size / count, extremes, terms, losses(sums, on) / count)
    quotients = (on.exact(size) / divisor).result.total
    by_term = replace(shares, error=shares.error + quotients)
    return either(either(divided, scaled), by_term)
