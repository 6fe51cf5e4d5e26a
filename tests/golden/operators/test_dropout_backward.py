# SPDX-License-Identifier: Apache-2.0
"""What the formula of aclnnDropoutBackward tells besides values, which tests/oracle holds."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.operators import dropout_backward


def test_what_is_kept() -> None:
    """A bit for each element in row-major order, whatever the strides; conditions can ask."""
    gradient = np.arange(1, 7, dtype=np.float32).reshape(3, 2).T
    mask = np.zeros(16, np.uint8)
    mask[0] = 0b000010
    attributes = {"scale": 2.0}
    inputs = dropout_backward.align({"gradOutput": gradient, "mask": mask}, attributes)
    result = dropout_backward.evaluate(inputs, attributes)["out"]
    assert result.value.tolist() == [[0, 6, 0], [0, 0, 0]]
    assert result.scope["keep"].tolist() == [[False, True, False], [False] * 3]
    assert result.scope["gradOutput"].tolist() == gradient.tolist()
