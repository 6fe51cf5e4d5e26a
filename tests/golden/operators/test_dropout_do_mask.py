# SPDX-License-Identifier: Apache-2.0
"""The formula of aclnnDropoutDoMask against values by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from aclnn_cts.golden.operators import dropout_do_mask


@pytest.mark.parametrize(
    ("prob", "expected"),
    [
        (0.0, [1.0, -2.0, 3.0, np.inf]),
        (0.5, [2.0, 0.0, 6.0, 0.0]),
        (0.75, [4.0, 0.0, 12.0, 0.0]),
        (1.0, [0.0, 0.0, 0.0, 0.0]),
    ],
)
def test_kept_elements_grow_by_the_reciprocal(prob: float, expected: list[float]) -> None:
    """The first bit belongs to the first element; prob 0 and 1 leave the mask aside."""
    mask = np.zeros(16, np.uint8)
    mask[0] = 0b0101
    inputs: dict[str, npt.NDArray[Any]] = {
        "self": np.array([1, -2, 3, np.inf], np.float32),
        "mask": mask,
    }
    attributes: dict[str, object] = {"prob": prob}
    aligned = dropout_do_mask.align(inputs, attributes)
    result = dropout_do_mask.evaluate(aligned, attributes)["out"]
    np.testing.assert_array_equal(result.value, expected)
