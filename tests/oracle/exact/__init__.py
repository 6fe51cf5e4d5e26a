# SPDX-License-Identifier: Apache-2.0
"""The operators' mathematics in 100 digits, element by element, written from the documents.

Nothing here knows the NumPy formulas: these are loops over single elements in the order in which
the documents say things, so that an agreement of both is evidence for both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.oracle.exact import (
    dropout_backward,
    elementwise,
    group_norm_swish_grad,
    logit_grad,
    max_pool2d_with_mask_backward,
    prelu_backward,
)
from tests.oracle.exact.elementwise import elementwise as oracle_of
from tests.oracle.exact.numbers import Arrays, Elements, Values

ORACLES: Mapping[str, Callable[[Arrays, Values], Elements]] = {
    "aclnnDropoutBackward": dropout_backward.oracle,
    "aclnnFastGelu": oracle_of("out", ("self",), elementwise.fast_gelu),
    "aclnnFastGeluBackward": oracle_of(
        "gradInput", ("gradOutput", "self"), elementwise.fast_gelu_backward
    ),
    "aclnnGroupNormSwishGrad": group_norm_swish_grad.oracle,
    "aclnnHardsigmoidBackward": oracle_of(
        "out", ("gradOutput", "self"), elementwise.hardsigmoid_backward
    ),
    "aclnnHardswishBackward": oracle_of(
        "out", ("gradOutput", "self"), elementwise.hardswish_backward
    ),
    "aclnnHardswishBackwardV2": oracle_of(
        "out", ("gradOutput", "self"), elementwise.hardswish_backward_v2
    ),
    "aclnnLeakyRelu": oracle_of("out", ("self",), elementwise.leaky_relu, ("negativeSlope",)),
    "aclnnLogSigmoid": oracle_of("out", ("self",), elementwise.log_sigmoid),
    "aclnnLogitGrad": logit_grad.oracle,
    "aclnnMaxPool2dWithMaskBackward": max_pool2d_with_mask_backward.oracle,
    "aclnnPreluBackward": prelu_backward.oracle,
    "aclnnSilu": oracle_of("out", ("self",), elementwise.silu),
    "aclnnSoftshrink": oracle_of("out", ("self",), elementwise.softshrink, ("lambd",)),
}
"""By operator: from inputs and attributes to a function for each output."""
