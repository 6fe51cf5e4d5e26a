# SPDX-License-Identifier: Apache-2.0
"""aclnnMaxPool2dWithMaskBackward: each window hands its gradient to the first of its maxima.

The places of the maxima follow from ``self``; ``indices`` is never read, because its content is the
device's own affair, or follows from ``self``, too (:func:`derive`). So the formula is that of
aclnnMaxPool2dWithIndicesBackward without places.
"""

from __future__ import annotations

import numpy as np

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.formula import Array, Attributes, Inputs, Part
from aclnn_cts.golden.operators import max_pool2d_with_indices, max_pool2d_with_indices_backward

shape, evaluate = max_pool2d_with_indices_backward.shape, max_pool2d_with_indices_backward.evaluate


def part(inputs: Inputs, attributes: Attributes, start: int, stop: int) -> Part:
    """Return the windows over some elements of ``gradInput``, and what these windows hold."""
    return max_pool2d_with_indices_backward.part(_unmask(inputs), attributes, start, stop)


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    """Return, in the shape of ``gradInput``, what the windows over an element hand to it."""
    return max_pool2d_with_indices_backward.align(_unmask(inputs), attributes)


def derive(name: str, inputs: Inputs, attributes: Attributes) -> Array:
    """Return the mask that belongs to ``self``, in the layout of Atlas A2 and A3.

    The bytes are a little-endian int32 array [N, C, Ho, Wo] of h * W + w of the maxima, followed by
    zeros up to the documented shape [N, C, kH * kW, (ceil(Ho * Wo / 16) + 1) * 32]. With a kernel
    of 1 x 1 the layout is another, unknown one, and the int32 array would not even fit.

    Args:
        name: ``indices``, the only input that follows from the others.
        inputs: ``self``; nothing else is read.
        attributes: As for :func:`align`.

    Raises:
        WrongInputError: Another input is asked for, or the kernel has one element.
    """
    kernel = int(attributes["kH"]), int(attributes["kW"])
    if name != "indices" or kernel == (1, 1):
        raise WrongInputError(
            f"{name} of a pooling with kernel {kernel} cannot be derived: only the mask "
            "`indices` can, and its layout is known for kernels of two elements and more"
        )
    places = max_pool2d_with_indices.align(inputs, attributes)["place"]
    row = (-(-places.shape[-2] * places.shape[-1] // 16) + 1) * 32
    mask = np.zeros((*places.shape[:-2], kernel[0] * kernel[1], row), np.int8)
    content = places.astype("<i4").reshape(-1).view(np.int8)
    mask.reshape(-1)[: content.size] = content
    return mask


def _unmask(inputs: Inputs) -> Inputs:
    return {name: inputs[name] for name in ("self", "gradOutput")}
