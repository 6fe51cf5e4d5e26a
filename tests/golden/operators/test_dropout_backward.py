# SPDX-License-Identifier: Apache-2.0
"""The formula of aclnnDropoutBackward against hand-computed values and a bit-by-bit loop."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import mpmath  # type: ignore[import-untyped, unused-ignore]
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.golden.formula import UNIT_ROUNDOFF, Result
from aclnn_cts.golden.operators import dropout_backward

SEEDS = st.integers(0, 2**32 - 1)
SHAPES = st.lists(st.integers(1, 5), min_size=1, max_size=4).map(tuple)
SCALES = st.sampled_from([0.0, 1.0, 1.25, 2.0, 10.0 / 3.0, 1e6])


def out(gradient: npt.NDArray[Any], mask: npt.NDArray[np.uint8], scale: float) -> Result:
    attributes = {"scale": scale}
    inputs = dropout_backward.align({"gradOutput": gradient, "mask": mask}, attributes)
    return dropout_backward.evaluate(inputs, attributes)["out"]


def mask_of(first_byte: int) -> npt.NDArray[np.uint8]:
    mask = np.zeros(16, np.uint8)
    mask[0] = first_byte
    return mask


def random_case(
    seed: int, shape: tuple[int, ...]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]:
    generator = np.random.default_rng(seed)
    gradient = generator.standard_normal(shape).astype(np.float32)
    padded = -(-gradient.size // 128) * 16
    return gradient, generator.integers(0, 256, padded, dtype=np.uint8)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
def test_least_significant_bit_belongs_to_the_first_element(dtype: npt.DTypeLike) -> None:
    """Kept elements are multiplied by scale, dropped ones are 0 (mask 0b101: first and third)."""
    result = out(np.array([1, -2, -3, 4], dtype), mask_of(0b0101), 2.0)
    assert result.value.tolist() == [2.0, 0.0, -6.0, 0.0]
    assert result.error[1] == result.error[3] == 0
    assert result.error[2] == 3 * result.error[0] <= 6 * 5 * UNIT_ROUNDOFF
    assert result.scope["keep"].tolist() == [True, False, True, False]
    assert result.scope["gradOutput"].tolist() == [1, -2, -3, 4]


def test_ninth_element_belongs_to_the_second_byte() -> None:
    """Element k reads byte k // 8."""
    mask = np.zeros(16, np.uint8)
    mask[1] = 1
    assert out(np.ones(10, np.float32), mask, 4.0).value.tolist() == [0.0] * 8 + [4.0, 0.0]


def test_elements_count_in_row_major_order_whatever_the_strides() -> None:
    """A transposed view is read in the order of its own axes."""
    gradient = np.arange(1, 7, dtype=np.float32).reshape(3, 2).T
    assert out(gradient, mask_of(0b000010), 2.0).value.tolist() == [[0, 6, 0], [0, 0, 0]]


def test_scale_one_changes_nothing_whatever_the_mask_says() -> None:
    """With scale 1 each element, Inf and NaN too, comes back under an empty mask."""
    gradient = np.array([1.5, np.inf, -np.inf, np.nan], np.float32)
    np.testing.assert_array_equal(out(gradient, mask_of(0), 1.0).value, gradient)


def test_scale_zero_makes_everything_zero_whatever_the_mask_says() -> None:
    """With scale 0 even Inf and NaN become 0 under a full mask."""
    gradient = np.array([1.5, np.inf, -np.inf, np.nan], np.float32)
    assert out(gradient, mask_of(0xFF), 0.0).value.tolist() == [0, 0, 0, 0]


def test_dropped_special_values_become_zero_and_kept_ones_stay() -> None:
    """Dropping sets to 0 instead of multiplying by 0."""
    gradient = np.array([np.inf, np.nan, np.inf, np.nan], np.float32)
    np.testing.assert_array_equal(out(gradient, mask_of(0b0011), 2.0).value, [np.inf, np.nan, 0, 0])


@given(SEEDS, SHAPES, SCALES)
def test_equals_a_loop_over_the_bits(seed: int, shape: tuple[int, ...], scale: float) -> None:
    """Each element is what the document's sentence says of it; products state a rounding."""
    gradient, mask = random_case(seed, shape)
    result = out(gradient, mask, scale)
    for k, (g, value) in enumerate(zip(gradient.flat, result.value.flat, strict=True)):
        kept = scale == 1 or mask[k // 8] >> (k % 8) & 1
        assert value == (float(g) * scale if kept else 0.0)
    roundings = 0 if scale in (0, 1) else 1
    assert (result.error >= roundings * UNIT_ROUNDOFF * np.abs(result.value)).all()
    assert roundings or not result.error.any()


@given(SEEDS, SHAPES, SCALES)
def test_padding_bits_mean_nothing(seed: int, shape: tuple[int, ...], scale: float) -> None:
    """Turning over all bits beyond the last element changes nothing."""
    gradient, mask = random_case(seed, shape)
    bits = np.unpackbits(mask, bitorder="little")
    bits[gradient.size :] ^= 1
    turned = np.packbits(bits, bitorder="little")
    assert (turned != mask).any() or gradient.size % 128 == 0
    np.testing.assert_array_equal(
        out(gradient, mask, scale).value, out(gradient, turned, scale).value
    )


@given(SEEDS, SHAPES, SCALES)
def test_linear_in_the_gradient(seed: int, shape: tuple[int, ...], scale: float) -> None:
    """Doubling gradOutput, which is exact, doubles the result exactly."""
    gradient, mask = random_case(seed, shape)
    np.testing.assert_array_equal(
        out(2 * gradient, mask, scale).value, 2 * out(gradient, mask, scale).value
    )


@given(st.floats(-(2.0**127), 2.0**127, width=32), st.floats(1.0, 1e30))
def test_within_one_rounding_of_the_exact_product(gradient: float, scale: float) -> None:
    """The product rounds once."""
    result = out(np.array([gradient], np.float32), mask_of(1), scale)
    with mpmath.workdps(100):
        error = abs(mpmath.mpf(result.value[0]) - mpmath.mpf(gradient) * mpmath.mpf(scale))
        assert error <= 1.01 * UNIT_ROUNDOFF * abs(result.value[0])
        assert error <= 1.01 * result.error[0]
