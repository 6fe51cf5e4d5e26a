# SPDX-License-Identifier: Apache-2.0
"""aclnnMaxPool2dWithMaskBackward: each window hands its gradient to its maximum.

The positions of the maxima are recomputed from ``self``; ``indices`` is never read, because its
content is the device's own affair, or follows from ``self``, too (:func:`derive`).

Names for the spec's ``when``, output ``gradInput``:

- ``self``;
- ``selected``: how many windows have their maximum at the element;
- ``unsupported``: how many windows that hold the element hold a NaN or -Inf, too, which the
  document excludes: where the gradient of such a window goes is not promised;
- ``gradOutput``, only inside ``any_of`` and ``all_of``, which gather the windows that have their
  maximum at the element.

``self`` and ``gradOutput`` have the axes [N, C, H, W], or any number of leading axes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from types import EllipsisType
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen

ELEMENTWISE = False

IntArray = npt.NDArray[np.int64]

_NOWHERE = -1
"""The position of the maximum of a window that lies in the padding altogether."""


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
    def overlapping(self) -> int:
        """Most windows that one element can lie in."""
        vertical, horizontal = (
            -(-kernel // stride) for kernel, stride in zip(self.kernel, self.stride, strict=True)
        )
        return vertical * horizontal

    def pad(self, planes: npt.NDArray[Any], fill: float) -> npt.NDArray[Any]:
        """Surround planes [..., H, W] with ``fill``, so that every window lies inside.

        With ceilMode the last window may reach beyond the padding.
        """
        frame = [(0, 0)] * (planes.ndim - 2)
        for axis in (0, 1):
            end = (self.count[axis] - 1) * self.stride[axis] + self.kernel[axis]
            before = self.padding[axis]
            frame.append((before, max(0, end - before - self.plane[axis])))
        return np.pad(planes, frame, constant_values=fill)

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


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for ``gradOutput`` and ``self``.

    Rounding errors come from adding up overlapping windows only: no element lies in more windows
    than fit onto a kernel.

    Args:
        inputs: ``self`` [..., H, W] and ``gradOutput`` [..., Ho, Wo].
        attributes: Holds the derived names kH, kW, sH, sW, pH, pW, Ho and Wo.
        on: How the device computes.
    """
    x, gradient = widen(inputs["self"]), widen(inputs["gradOutput"])
    windows = _Windows.over(x, attributes)
    targets = _targets(x, windows)
    reached = targets != _NOWHERE

    def total(amounts: npt.NDArray[Any]) -> FloatArray:
        weights = np.broadcast_to(amounts, gradient.shape)[reached]
        sums = np.bincount(targets[reached], weights, x.size)
        return sums.astype(np.float64, copy=False).reshape(x.shape)

    def gather(condition: npt.NDArray[np.bool_], rule: np.ufunc) -> npt.NDArray[np.bool_]:
        result = np.full(x.size, rule.identity, np.bool_)
        rule.at(result, targets[reached], np.broadcast_to(condition, gradient.shape)[reached])
        return result.reshape(x.shape)

    scope = {
        "self": x,
        "selected": total(np.ones(())),
        "unsupported": _unsupported(x, windows),
        "gradOutput": gradient,
    }
    grad_input = on.exact(gradient).summed(total, windows.overlapping)
    return {"gradInput": Result(grad_input, scope, gather)}


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
    content = _maxima(x, windows).astype("<i4").reshape(-1).view(np.int8)
    mask.reshape(-1)[: content.size] = content
    return mask


def _maxima(x: FloatArray, windows: _Windows) -> IntArray:
    """Return h * W + w of each window's maximum, [..., Ho, Wo]; the first one of equal maxima.

    A comparison with a NaN never holds; the document excludes NaN.
    """
    height, width = windows.plane
    values = windows.pad(x, -np.inf)
    places = windows.pad(np.arange(height * width).reshape(height, width), _NOWHERE)
    shape = (*x.shape[:-2], *windows.count)
    best, chosen = np.full(shape, -np.inf), np.full(shape, _NOWHERE, np.int64)
    for view in windows.views():
        seen, place = values[view], places[view]
        better = (place != _NOWHERE) & ((seen > best) | (chosen == _NOWHERE))
        np.copyto(best, seen, where=better)
        np.copyto(chosen, place, where=better)
    return chosen


def _targets(x: FloatArray, windows: _Windows) -> IntArray:
    """Return the maxima's places [..., Ho, Wo] in all of ``x``, flat."""
    height, width = windows.plane
    planes = np.arange(math.prod(x.shape[:-2])).reshape(*x.shape[:-2], 1, 1)
    places = _maxima(x, windows)
    return np.where(places == _NOWHERE, _NOWHERE, places + planes * (height * width))


def _unsupported(x: FloatArray, windows: _Windows) -> IntArray:
    """Return, for each element, how many of its windows hold a NaN or -Inf."""
    excluded = windows.pad(np.isnan(x) | np.isneginf(x), fill=False)
    spoiled = np.zeros((*x.shape[:-2], *windows.count), np.bool_)
    for view in windows.views():
        spoiled |= excluded[view]
    count = np.zeros(excluded.shape, np.int64)
    if spoiled.any():
        for view in windows.views():
            count[view] += spoiled
    return windows.crop(count)
