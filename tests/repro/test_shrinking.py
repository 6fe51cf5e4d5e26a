# SPDX-License-Identifier: Apache-2.0
"""The search for a smaller thing that still fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.repro.minimize import Bounds, Shrunk, shrink, smaller

Shape = tuple[int, ...]


def search(
    start: Shape, fails: Callable[[Sequence[Shape]], list[bool]], bounds: Bounds
) -> Shrunk[Shape]:
    """Search among shapes."""
    return shrink(start, one_axis_less, fails, bounds)


def one_axis_less(shape: Shape) -> Iterator[list[Shape]]:
    """Steps as those of a case's shape: fewer axes, then smaller extents."""
    yield [shape[:at] + shape[at + 1 :] for at in range(len(shape)) if len(shape) > 1]
    for at, extent in enumerate(shape):
        yield [(*shape[:at], less, *shape[at + 1 :]) for less in smaller(extent)]


@given(st.integers(1, 400), st.integers(1, 400))
def test_the_least_failing_extent_is_found(threshold: int, extra: int) -> None:
    """Where all extents from some threshold on fail, the threshold is what a search ends at."""
    start = (threshold + extra,)

    def fails(batch: Sequence[Shape]) -> list[bool]:
        return [shape[0] >= threshold for shape in batch]

    found = search(start, fails, Bounds(10_000))
    assert found.smallest == (threshold,)
    assert found.ended == "done"


def test_axes_that_do_not_matter_go() -> None:
    """A failure that takes an extent of 17 in any axis ends as one axis of 17."""
    found = search(
        (4, 9, 17),
        lambda batch: [any(x >= 17 for x in shape) for shape in batch],
        Bounds(1000),
    )
    assert found.smallest == (17,)


def test_nothing_is_tried_twice() -> None:
    """An item that is known not to fail is not tried again; a winner is confirmed alone."""
    tried: list[Shape] = []

    def fails(batch: Sequence[Shape]) -> list[bool]:
        if len(batch) > 1:
            tried.extend(batch)
        return [shape[0] >= 50 for shape in batch]

    search((100, 3), fails, Bounds(1000))
    assert len(tried) == len(set(tried))


def test_what_fails_only_in_company_is_not_taken() -> None:
    """An item that fails beside others and not alone explains nothing."""
    found = search(
        (8,),
        lambda batch: [len(batch) > 1 for _ in batch],
        Bounds(1000),
    )
    assert found.smallest == (8,)


def test_the_number_of_tries_is_bounded() -> None:
    """A search ends at its bound and says so."""
    calls: list[int] = []

    def fails(batch: Sequence[Shape]) -> list[bool]:
        calls.append(len(batch))
        return [True for _ in batch]

    found = search((4096, 4096), fails, Bounds(3))
    assert found.tries == 3
    assert found.ended == "tries"


def test_time_is_bounded() -> None:
    """A search whose time is up keeps what it has."""
    found = search((9,), lambda _: [True], Bounds(100, lambda: True))
    assert found.smallest == (9,)
    assert found.ended == "time"


@given(st.integers(1, 100_000))
def test_smaller_extents(extent: int) -> None:
    """They are below the extent, above 0, in order; 1 is among them unless the extent is 1."""
    found = smaller(extent)
    assert found == sorted(set(found))
    assert all(0 < each < extent for each in found)
    assert (1 in found) == (extent > 1)
