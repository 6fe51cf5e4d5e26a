# SPDX-License-Identifier: Apache-2.0
"""Kinds of data: each keeps its promise, in each data type, the same every time."""

from __future__ import annotations

import hashlib
import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden import data_kinds
from aclnn_cts.golden.data_kinds import DERIVED, FLOAT_FILLS, check_fill, make_data
from aclnn_cts.golden.formula import widen
from aclnn_cts.plan.cases import INTEGER_FILLS, Fill
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat
from aclnn_cts.spec.names import FILL_KINDS, PLACE_FILLS

FLOATS = ("float32", "float16", "bfloat16")
SHAPES = st.lists(st.integers(0, 6), max_size=4).map(tuple)


def floating(dtype: str) -> FloatFormat:
    found = DATA_TYPES[dtype].floating
    assert found is not None
    return found


def made(kind: str, dtype: str, shape: tuple[int, ...] = (400,), **more: Any) -> npt.NDArray[Any]:
    """Return the data as float64."""
    return widen(make_data(Fill(kind, seed="seed", **more), shape, dtype))


@given(st.sampled_from(sorted(FLOAT_FILLS)), st.sampled_from(FLOATS), SHAPES, st.text(max_size=9))
def test_same_seed_same_bits(kind: str, dtype: str, shape: tuple[int, ...], seed: str) -> None:
    """Shape and type are as asked for, empty shapes and scalars included, and bits repeat."""
    fill = Fill(kind, (0.0, 1.0), seed)
    data = make_data(fill, shape, dtype)
    assert (data.shape, data.dtype) == (shape, DATA_TYPES[dtype].numpy)
    assert data.tobytes() == make_data(fill, shape, dtype).tobytes()


@pytest.mark.parametrize("kind", [*FLOAT_FILLS, *INTEGER_FILLS])
@pytest.mark.parametrize("shape", [(1003,), (3, 17, 23)])
def test_blocks_make_no_difference(
    kind: str, shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many elements are made and sorted at a time, the bits are those of one piece."""
    fill = Fill(kind, (0.25, -1.0), "seed")
    dtype = "uint8" if kind in INTEGER_FILLS else "float32"
    whole = make_data(fill, shape, dtype)
    monkeypatch.setattr(data_kinds, "BLOCK", 66)
    monkeypatch.setattr(data_kinds, "SORTED", 300)
    out = np.empty_like(whole)
    assert make_data(fill, shape, dtype, out) is out
    assert out.tobytes() == whole.tobytes()


@pytest.mark.parametrize("kind", [*FLOAT_FILLS, *INTEGER_FILLS])
def test_data_are_the_same_on_all_processors(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No kind calls a function of NumPy whose last bits depend on the processor."""
    for name in ("cbrt", "cos", "exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "power"):
        monkeypatch.delattr(np, name)
    for dtype in ("uint8",) if kind in INTEGER_FILLS else ("int64", "double"):
        fill = Fill(kind, (0.25, 1.0), "seed")
        assert make_data(fill, (3, 17), dtype).shape == (3, 17)


def test_powers_of_two_are_the_same_on_all_processors() -> None:
    """The bits of float64 follow from the seed alone."""
    wide = [made(kind, "double") for kind in ("magnitudes", "octaves", "whole-range", "large")]
    assert hashlib.sha256(np.stack(wide).tobytes()).hexdigest()[:16] == "0e1c1001480d4f3a"


def test_every_kind_has_a_name_for_specs() -> None:
    """A spec may ask for exactly the kinds of data that there are."""
    assert set(FILL_KINDS) == {*FLOAT_FILLS, *INTEGER_FILLS, DERIVED}


@pytest.mark.parametrize("kind", sorted(set(FLOAT_FILLS) - {"ones", "zeros", "negative-zeros"}))
def test_other_seeds_other_data(kind: str) -> None:
    """Two inputs of one kind do not hold the same data."""
    numbers = (500.0,) if kind in PLACE_FILLS else (0.5,)
    one, two = (make_data(Fill(kind, numbers, seed), (64, 4), "float32") for seed in "ab")
    assert one.tobytes() != two.tobytes()


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [
        ("uniform", -5.0, 5.0),
        ("unit-interval", 2.0**-10, 1 - 2.0**-10),
        ("wide", -3.0, 4.0),
        ("positive", 0.125, 2.0),
        ("ones", 1.0, 1.0),
        ("zeros", 0.0, 0.0),
    ],
)
def test_ranges(kind: str, low: float, high: float, dtype: str) -> None:
    """All values lie in the interval (whose ends rounding may reach), and near both ends."""
    data = made(kind, dtype)
    slack = (high - low) * 2.0 ** -floating(dtype).fraction_bits
    assert data.min() >= low - slack
    assert data.max() <= high + slack
    assert data.min() <= low + 0.05 * (high - low)
    assert data.max() >= high - 0.05 * (high - low)


@pytest.mark.parametrize("dtype", FLOATS)
def test_data_for_exponentials(dtype: str) -> None:
    """Exponentials overflow in double, or in float32 by the distance of a row's last element."""
    with np.errstate(over="ignore"):
        assert np.isinf(np.exp(made("far-above", dtype))).all()
    assert (made("far-below", dtype) < -DATA_TYPES["float16"].grid.max_finite).all()
    rows = made("last-largest", dtype, (8, 9))
    above = rows[:, -1] - rows[:, :-1].max(1)
    assert [float(each) > 88.8 for each in above] == [True, False, False, False] * 2


@given(st.text(max_size=9), st.sampled_from(FLOATS))
def test_normal_keeps_the_standard(seed: str, dtype: str) -> None:
    """Mean in [-5, 5] and deviation in [0.1, 2], give or take what so many samples show."""
    data = widen(make_data(Fill("normal", (), seed), (2000,), dtype))
    assert -5.2 <= data.mean() <= 5.2
    assert 0.09 <= data.std() <= 2.1


def signature(values: npt.NDArray[Any]) -> set[tuple[str, float]]:
    return {(repr(float(value)), math.copysign(1, value)) for value in values.flat}


def specials(dtype: str) -> dict[str, list[float]]:
    kind = floating(dtype)
    finite = [
        0.0, -0.0, kind.smallest_subnormal, -kind.smallest_subnormal, kind.smallest_normal,
        -(kind.smallest_normal - kind.smallest_subnormal), kind.max_finite, -kind.max_finite,
        1.0, -1.0,
    ]  # fmt: skip
    return {
        "special": [*finite, math.inf, -math.inf, math.nan],
        "special-corner": [*finite, math.inf, -math.inf, math.nan],
        "special-no-nan": [*finite, math.inf],
        "special-finite": finite,
    }


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("kind", sorted(specials("float32")))
def test_all_special_values_are_there(kind: str, dtype: str) -> None:
    """Zeros of both signs, subnormals, extremes, and Inf and NaN just where the kind has them."""
    data = made(kind, dtype)
    wanted = specials(dtype)[kind]
    assert signature(np.array(wanted)) <= signature(data)
    assert np.isnan(data).any() == any(map(math.isnan, wanted))
    assert (-math.inf in data) == (-math.inf in wanted)
    assert (math.inf in data) == (math.inf in wanted)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("kind", ["special", "special-no-nan", "special-finite"])
@pytest.mark.parametrize("numel", [2, 3, 7, 16, 26, 100])
def test_half_stays_ordinary(kind: str, dtype: str, numel: int) -> None:
    """However few elements: at least half are ordinary values, so a call is never only special."""
    data = made(kind, dtype, (numel,))
    special = signature(np.array(specials(dtype)[kind]))
    ordinary = [value for value in data if not signature(np.array([value])) <= special]
    assert len(ordinary) >= numel // 2
    assert len(ordinary) < numel


def test_a_corner_is_a_corner() -> None:
    """Beyond the first eighth everything is ordinary."""
    data = made("special-corner", "float16", (400,))
    assert (abs(data[50:]) <= 2).all()
    assert not np.isfinite(data[:50]).all()


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("threshold", [0.0, 1.0, -0.25, 1e-6, 0.7])
def test_thresholds_and_their_neighbours(dtype: str, threshold: float) -> None:
    """The threshold as the type holds it, and the next values on both sides, bit by bit."""
    data = make_data(Fill("around-thresholds", (threshold,), "s"), (200,), dtype)
    held = np.array([threshold]).astype(np.float32).astype(DATA_TYPES[dtype].numpy)
    width = np.uint32 if dtype == "float32" else np.uint16
    bits = {int(x) for x in data.view(width)}
    if threshold == 0:
        assert {1, 1 + (1 << (8 * width().nbytes - 1))} <= bits
        # A device that takes small numbers for 0 shows it, however small they are.
        sizes = np.abs(data.astype(np.float64))
        least = np.finfo(data.dtype).minexp if dtype != "bfloat16" else -126
        for below in (least + 1, least // 2 + 1, least // 3 + 1, -19, -11, -5):
            assert ((2.0 ** (below - 1) <= sizes) & (sizes < 2.0**below)).any(), below
    else:
        here = int(held.view(width)[0])
        # The neighbour towards 0 of a power of two lies half a step nearer; a whole step is near.
        below = 2 if math.frexp(float(held[0]))[0] in (0.5, -0.5) else 1
        assert {here, here + 1, here - below} <= bits


def test_thresholds_that_cannot_be_surrounded() -> None:
    """Inf and NaN have no neighbours: the data stay ordinary."""
    data = made("around-thresholds", "float32", thresholds=(math.inf, math.nan))
    assert (abs(data) <= 2).all()


@pytest.mark.parametrize("dtype", FLOATS)
def test_exact_products_and_short_sums(dtype: str) -> None:
    """Three fraction bits at most: products of two, and sums of four products, are exact."""
    data = made("exact", dtype, (64,))
    products = (data * data[::-1]).reshape(16, 4)
    for exact in (products, products.sum(axis=1)):
        steps = exact * 16
        assert (steps == np.round(steps)).all()
        assert abs(steps).max() < 2.0 ** (floating("float16").fraction_bits + 1)
    assert {-1.0, 1.0} <= set(np.sign(data))


@pytest.mark.parametrize("dtype", FLOATS)
def test_subnormal(dtype: str) -> None:
    """Subnormals of both signs among ordinary values, in equal parts."""
    data = made("subnormal", dtype)
    tiny = abs(data) < floating(dtype).smallest_normal
    assert (tiny & (data > 0)).any()
    assert (tiny & (data < 0)).any()
    assert 0.15 < tiny.mean() <= 0.5
    assert (data != 0).mean() > 0.95


def test_subnormal_integers() -> None:
    """The widest integers have more bits than a word can choose among."""
    assert len({*made("subnormal", "uint64").flat}) > 2


@pytest.mark.parametrize("dtype", FLOATS)
def test_large(dtype: str) -> None:
    """Values beyond half the largest finite one, none infinite, and ordinary ones between them."""
    data, largest = made("large", dtype), floating(dtype).max_finite
    assert np.isfinite(data).all()
    assert (abs(data) > largest / 2).any()
    assert (abs(data) <= 2).mean() >= 0.4


@pytest.mark.parametrize(("kind", "sign"), [("mostly-negative", -1), ("mostly-positive", 1)])
def test_biased(kind: str, sign: int) -> None:
    """Nine in ten have the sign, and none is 0."""
    data = made(kind, "float32", (4000,))
    assert 0.88 < (np.sign(data) == sign).mean() < 0.92
    assert (data != 0).all()


@pytest.mark.parametrize("dtype", FLOATS)
@given(shape=st.tuples(st.integers(1, 3), st.integers(1, 40), st.integers(1, 40)))
def test_windows_without_repeats(dtype: str, shape: tuple[int, ...]) -> None:
    """In any window of 16 x 16 all values differ, and the type holds them exactly."""
    data = made("distinct", dtype, shape)
    assert (data == np.round(data)).all()
    height, width = min(16, shape[1]), min(16, shape[2])
    windows = np.lib.stride_tricks.sliding_window_view(data, (height, width), axis=(1, 2))
    flat = np.sort(windows.reshape(-1, height * width), axis=1)
    assert (np.diff(flat, axis=1) > 0).all()


def test_ties() -> None:
    """Three values only."""
    assert set(made("ties", "float16")) == {-1.0, 0.0, 1.0}


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "double", "int64", "uint8"])
@pytest.mark.parametrize("kind", ["pairs", "special-pairs"])
def test_pairs_are_often_equal_and_often_not(kind: str, dtype: str) -> None:
    """Those of two tensors, either way; each comparison holds and fails for many."""
    x, y = (widen(make_data(Fill(kind, seed=seed), (1024,), dtype)) for seed in "ab")
    for truths in (x == y, x < y, x > y):
        assert 0.1 < truths.mean() < 0.9


@pytest.mark.parametrize(
    ("threshold", "values"),
    [
        (0.0, [-(2.0**-126), 0.0, 2.0**-126]),
        (1.0, [1 - 2.0**-23, 1.0, 1 + 2.0**-23]),
        (math.inf, [-(2 - 2.0**-23) * 2.0**127, (2 - 2.0**-23) * 2.0**127, math.inf]),
    ],
)
def test_pairs_lie_at_a_threshold(threshold: float, values: list[float]) -> None:
    """Its neighbours are not subnormal; those of an Inf are the largest numbers."""
    data = widen(make_data(Fill("pairs", (threshold,), "a"), (1024,), "float32"))
    assert sorted(set(data.tolist())) == values
    assert 0.2 < (data == threshold).mean() < 0.5


def test_bits() -> None:
    """Bytes of all kinds; with padding, the last bytes have their upper bits set."""
    data = make_data(Fill("bits", seed="s"), (4000,), "uint8")
    assert len(set(data.tolist())) == 256
    padded = make_data(Fill("bits-padding", seed="s"), (64,), "uint8")
    assert (padded[-16:] >= 0xF0).all()
    assert (padded[:-16] < 0xF0).any()


def test_constant_bytes() -> None:
    """A mask of ones keeps everything: every bit is set; zeros have none."""
    assert set(make_data(Fill("ones"), (5, 2), "uint8").flat) == {255}
    assert set(make_data(Fill("zeros"), (5, 2), "uint8").flat) == {0}


@pytest.mark.parametrize("dtype", ["int32", "int64", "bool", "complex64", "int8"])
def test_types_to_be_refused_have_data(dtype: str) -> None:
    """A call with a wrong type still hands over small, valid elements."""
    data = make_data(Fill("uniform", seed="s"), (50,), dtype)
    assert data.dtype == DATA_TYPES[dtype].numpy
    assert {complex(x) for x in data.tolist()} <= set(range(-5, 6))


@pytest.mark.parametrize("kind", ["uniform", "wide", "special", "exact", "magnitudes", "octaves"])
def test_bool_has_both_values(kind: str) -> None:
    """Neither value is so rare that a few elements tell nothing of their order."""
    assert 0.25 < made(kind, "bool").mean() < 0.75


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8"])
def test_integers_reach_the_ends_of_their_type(dtype: str) -> None:
    """Special values of an integer type are its ends, 0 and its neighbours."""
    info = np.iinfo(dtype)
    data = set(make_data(Fill("special", seed="s"), (200,), dtype).tolist())
    assert {0, 1, info.min, info.max} <= data


def test_kinds_that_do_not_exist() -> None:
    """The nearest kind is offered; bits are no floating numbers; derived data need the others."""
    with pytest.raises(WrongInputError, match="did you mean 'uniform'"):
        check_fill("unifrom")
    with pytest.raises(WrongInputError, match="integer type"):
        make_data(Fill("bits"), (3,), "float32")
    with pytest.raises(WrongInputError, match="derived"):
        make_data(Fill("derived"), (3,), "int8")


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_every_number_of_a_type(dtype: str) -> None:
    """Of floating types both zeros, both Inf and NaN, which is one number."""
    data = make_data(Fill("every", seed="s"), (65536,), dtype)
    values = data.astype(np.float64)
    bits = data.view(f"u{data.itemsize}")[~np.isnan(values)]
    nans = 2 * (2 ** (10 if dtype == "float16" else 7) - 1)
    assert len(np.unique(bits)) == 65536 - nans
    assert np.count_nonzero(np.isnan(values)) == nans


@pytest.mark.parametrize("dtype", ["float32", "double"])
def test_a_number_for_all_leading_bits(dtype: str) -> None:
    """Of wider types, spread over their whole range."""
    data = make_data(Fill("every", seed="s"), (65536,), dtype)
    numbers = data.view(f"u{data.itemsize}").astype(np.uint64)
    leading = numbers >> np.uint64(8 * data.itemsize - 16)
    is_nan = np.isnan(data.astype(np.float64))
    assert len(np.unique(leading[~is_nan])) == 65536 - np.count_nonzero(is_nan)


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8"])
def test_the_whole_range_of_integers_begins_at_1(dtype: str) -> None:
    """As many in each octave: a square of most would overflow otherwise."""
    size = np.abs(made("whole-range", dtype))
    assert np.count_nonzero(size < 16) > size.size / 32
