# SPDX-License-Identifier: Apache-2.0
"""aclnnMaxPool2dWithMaskBackward: each window hands its gradient to its maximum.

The positions of the maxima are recomputed from ``self``; ``indices`` is never read, because its
content is the device's own affair, or follows from ``self``, too (:func:`derive`).

Names for the spec's ``when``, output ``gradInput``:

- ``self``;
- ``selected``: how many windows have their maximum at the element;
- ``unsupported``: how many windows that hold the element hold a NaN or -Inf, too, which the
  document excludes: where the gradient of such a window goes is not promised.

``self`` and ``gradOutput`` have the axes [N, C, H, W], or any number of leading axes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import EllipsisType
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, extremes_of
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


@dataclass(frozen=True)
class _Windows:
    """The windows over a plane of ``plane`` elements; each field is (vertical, horizontal)."""

    plane: tuple[int, int]
    kernel: tuple[int, int]
    stride: tuple[int, int]
    padding: tuple[int, int]
    count: tuple[int, int]

    @classmethod
    def over(cls, x: FloatArray, names: Attributes) -> _Windows:
        """Read the spec's derived names kH, kW, sH, sW, pH, pW, Ho and Wo."""
        kernel, stride, padding, count = (
            (int(names[vertical]), int(names[horizontal]))
            for vertical, horizontal in (("kH", "kW"), ("sH", "sW"), ("pH", "pW"), ("Ho", "Wo"))
        )
        return cls((x.shape[-2], x.shape[-1]), kernel, stride, padding, count)

    @property
    def size(self) -> int:
        """Elements of a window."""
        return self.kernel[0] * self.kernel[1]

    @property
    def counts(self) -> np.dtype[Any]:
        """The type in which windows are counted."""
        return np.dtype(np.uint8 if self.size <= np.iinfo(np.uint8).max else np.uint64)

    @property
    def padded(self) -> tuple[int, ...]:
        """Extents of a plane with its padding."""
        return tuple(
            before + extent + after
            for (before, after), extent in zip(self._frame, self.plane, strict=True)
        )

    @property
    def _frame(self) -> list[tuple[int, int]]:
        """What surrounds a plane, so that every window lies inside; before and after.

        With ceilMode the last window may reach beyond the padding.
        """
        ends = (
            (count - 1) * stride + kernel
            for count, stride, kernel in zip(self.count, self.stride, self.kernel, strict=True)
        )
        return [
            (before, max(0, end - before - extent))
            for before, end, extent in zip(self.padding, ends, self.plane, strict=True)
        ]

    def places(self, positions: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Return h * W + w of kernel positions, [..., Ho, Wo]; -1 of those in no kernel."""
        rows, columns = (
            np.arange(count) * stride - padding
            for count, stride, padding in zip(self.count, self.stride, self.padding, strict=True)
        )
        vertical, horizontal = np.divmod(positions.astype(np.int64), self.kernel[1])
        found = (rows[:, np.newaxis] + vertical) * self.plane[1] + columns + horizontal
        return np.where(positions < self.size, found, -1)

    def pad(self, planes: npt.NDArray[Any], fill: float) -> npt.NDArray[Any]:
        """Surround planes [..., H, W] with ``fill``, so that every window lies inside."""
        if not any(map(any, self._frame)):
            return planes
        padded = np.full((*planes.shape[:-2], *self.padded), fill, planes.dtype)
        self.crop(padded)[...] = planes
        return padded

    def crop(self, padded: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Undo :meth:`pad`."""
        (top, left), (height, width) = self.padding, self.plane
        return padded[..., top : top + height, left : left + width]

    def views(self) -> Iterator[tuple[EllipsisType, slice, slice]]:
        """Yield what all windows see of padded planes, [..., Ho, Wo], kernel position by position.

        The positions come in row-major order.
        """
        (sh, sw), (ho, wo) = self.stride, self.count
        for m in range(self.kernel[0]):
            for n in range(self.kernel[1]):
                yield ..., slice(m, m + sh * ho, sh), slice(n, n + sw * wo, sw)


def shape(inputs: Inputs, attributes: Attributes) -> tuple[int, ...]:
    """Return the shape of ``gradInput``."""
    del attributes
    return inputs["self"].shape


def part(
    inputs: Inputs, attributes: Attributes, start: int, stop: int
) -> tuple[Inputs, Attributes, int]:
    """Return the smaller call that gives some elements of ``gradInput``: planes, or a band of one.

    Args:
        inputs: ``self`` [..., H, W] and ``gradOutput`` [..., Ho, Wo].
        attributes: As for :func:`align`.
        stop: The one behind the last.
    """
    height, width = inputs["self"].shape[-2:]
    first, last = start // max(height * width, 1), -(-stop // max(height * width, 1))
    x = inputs["self"].reshape(-1, height, width)[first:last]
    gradient = inputs["gradOutput"]
    gradient = gradient.reshape(-1, *gradient.shape[-2:])[first:last]
    offset = start - first * height * width
    if last - first > 1:
        return {"self": x, "gradOutput": gradient}, attributes, offset
    top, bottom = offset // width, -(-(offset + stop - start) // width)
    kernel, stride, padding, count = (int(attributes[name]) for name in ("kH", "sH", "pH", "Ho"))
    # From a window that holds the first row, or begins above it, to the last one that holds any.
    above = min(-(-(top + padding - kernel + 1) // stride), (top + padding) // stride)
    above = min(max(above, 0), max(count - 1, 0))
    below = min(max((bottom - 1 + padding) // stride, above) + 1, count)
    begin = above * stride - padding
    rows = slice(max(begin, 0), max(bottom, (below - 1) * stride - padding + kernel))
    own = {"self": x[:, rows], "gradOutput": gradient[:, above:below]}
    names = {**attributes, "pH": rows.start - begin, "Ho": below - above}
    return own, names, offset - rows.start * width


def align(inputs: Inputs, attributes: Attributes) -> dict[str, npt.NDArray[Any]]:
    """Return, in the shape of ``self``, what its windows say of each element.

    ``total`` and ``size`` are the sums of the finite gradients of the windows that have their
    maximum there, and of their magnitudes; ``extremes`` has bits of the others (:class:`Outcome`).

    Args:
        inputs: ``self`` [..., H, W] and ``gradOutput`` [..., Ho, Wo].
        attributes: Holds the derived names kH, kW, sH, sW, pH, pW, Ho and Wo.
    """
    x, gradient = widen(inputs["self"]), widen(inputs["gradOutput"])
    windows = _Windows.over(x, attributes)
    chosen, finite = _maxima(x, windows), np.isfinite(gradient)
    bits = None if finite.all() else extremes_of(gradient)
    amounts = gradient if bits is None else np.where(finite, gradient, 0.0)
    total, size, extremes, selected = (
        np.zeros((*x.shape[:-2], *windows.padded), dtype)
        for dtype in (np.float64, np.float64, np.uint8, windows.counts)
    )
    overlap = _overlapping(attributes) > 1
    # Backwards, so that terms are added up in the order of the windows.
    for position, view in reversed(list(enumerate(windows.views()))):
        hit = chosen == position
        term = amounts * hit
        total[view] += term
        if overlap:
            size[view] += np.abs(term)
        selected[view] += hit
        if bits is not None:
            extremes[view] |= bits * hit
    if not overlap:
        size = np.abs(total)
    columns = {"total": total, "size": size, "extremes": extremes, "selected": selected}
    return {
        "self": inputs["self"],
        **{name: windows.crop(column) for name, column in columns.items()},
        "unsupported": _unsupported(x, windows),
    }


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for the aligned inputs.

    Rounding errors come from adding up overlapping windows only: no element lies in more windows
    than fit onto a kernel.
    """
    overlapping = _overlapping(attributes)
    number = on.sums(inputs["total"], inputs["size"], inputs["extremes"], overlapping)
    scope = {name: inputs[name] for name in ("selected", "unsupported")}
    return {"gradInput": Result(number, {"self": widen(inputs["self"]), **scope})}


def derive(name: str, inputs: Inputs, attributes: Attributes) -> npt.NDArray[np.int8]:
    """Return the mask that belongs to ``self``, in the layout of Atlas A2 and A3.

    The bytes are a little-endian int32 array [N, C, Ho, Wo] of h * W + w of the maxima, followed by
    zeros up to the documented shape [N, C, kH * kW, (ceil(Ho * Wo / 16) + 1) * 32]. With a kernel
    of 1 x 1 the layout is another, unknown one, and the int32 array would not even fit.

    Args:
        name: ``indices``, the only input that follows from the others.
        inputs: ``self``; nothing else is read.
        attributes: As for :func:`evaluate`.

    Raises:
        WrongInputError: Another input is asked for, or the kernel has one element.
    """
    x = widen(inputs["self"])
    windows = _Windows.over(x, attributes)
    kernel_size = windows.kernel[0] * windows.kernel[1]
    if name != "indices" or kernel_size == 1:
        raise WrongInputError(
            f"{name} of a pooling with kernel {windows.kernel} cannot be derived: only the mask "
            "`indices` can, and its layout is known for kernels of two elements and more"
        )
    row = (-(-windows.count[0] * windows.count[1] // 16) + 1) * 32
    mask = np.zeros((*x.shape[:-2], kernel_size, row), np.int8)
    content = windows.places(_maxima(x, windows)).astype("<i4").reshape(-1).view(np.int8)
    mask.reshape(-1)[: content.size] = content
    return mask


def _maxima(x: FloatArray, windows: _Windows) -> npt.NDArray[Any]:
    """Return the kernel position of each window's maximum, [..., Ho, Wo]; the first of equal ones.

    A comparison with a NaN never holds; the document excludes NaN. A window that lies in the
    padding altogether has the position behind the last.
    """
    values, nowhere = windows.pad(x, -np.inf), windows.size
    shape = (*x.shape[:-2], *windows.count)
    best = np.full(shape, -np.inf)
    chosen = np.full(shape, nowhere, np.min_scalar_type(nowhere))
    # Where all are above the padding, it is never the largest.
    inside = None
    if not x.min(initial=np.inf) > -np.inf:
        inside = windows.pad(np.ones(windows.plane, np.bool_), fill=False)
    for position, view in enumerate(windows.views()):
        seen = np.ascontiguousarray(values[view])
        better = seen > best
        if inside is None:
            np.maximum(best, seen, out=best)
        else:
            better = inside[view] & (better | (chosen == nowhere))
            np.copyto(best, seen, where=better)
        # Six times as fast as copying where one is better.
        chosen *= ~better
        chosen += better * chosen.dtype.type(position)
    return chosen


def _unsupported(x: FloatArray, windows: _Windows) -> npt.NDArray[Any]:
    """Return, for each element, how many of its windows hold a NaN or -Inf."""
    if x.min(initial=np.inf) > -np.inf:
        return np.zeros(x.shape, windows.counts)
    excluded = windows.pad(np.isnan(x) | np.isneginf(x), fill=False)
    spoiled = np.zeros((*x.shape[:-2], *windows.count), np.bool_)
    for view in windows.views():
        spoiled |= excluded[view]
    count = np.zeros(excluded.shape, windows.counts)
    for view in windows.views():
        count[view] += spoiled
    return windows.crop(count)


def _overlapping(names: Attributes) -> int:
    """Return the most windows that one element can lie in."""
    vertical, horizontal = (-(-int(names[f"k{axis}"]) // int(names[f"s{axis}"])) for axis in "HW")
    return vertical * horizontal
