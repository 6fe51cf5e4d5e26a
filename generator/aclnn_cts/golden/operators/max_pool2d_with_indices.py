# SPDX-License-Identifier: Apache-2.0
"""aclnnMaxPool2dWithIndices: the maximum of each window of a plane, and where in the plane it is.

Padding is never a maximum. Of several equal maxima, the page does not say which one is named: each
is right.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aclnn_cts.golden import windows
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Array, Attributes, Inputs, Part, Result, widen


def shape(inputs: Inputs, attributes: Attributes) -> tuple[int, ...]:
    """Return the shape of both outputs."""
    return (*inputs["self"].shape[:-2], int(attributes["Ho"]), int(attributes["Wo"]))


def part(inputs: Inputs, attributes: Attributes, start: int, stop: int) -> Part:
    """Return the smaller call that gives some elements of the outputs."""
    rows = windows.inside(_dilated_rows(attributes), attributes["H"])
    x = {"self": inputs["self"]}
    return windows.part(x, attributes, rows, int(attributes["Wo"]), start, stop)


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    """Return the maxima of the windows in the shape of ``out``, and the first place of each or -1.

    Args:
        inputs: Holds ``self``.
    """
    return next(choices(inputs, attributes))


def choices(inputs: Inputs, attributes: Attributes) -> Iterator[dict[str, Array]]:
    """Yield what ``align`` returns, then with the second place of each maximum, and so on.

    A window with fewer equal maxima repeats the first place.
    """
    x = widen(inputs["self"])
    best = np.full(shape(inputs, {**attributes, "Ho": len(_rows(attributes)[0])}), -np.inf)
    unsupported = np.zeros(best.shape, np.bool_)
    is_supported = x.min(initial=np.inf) > -np.inf  # not beside a NaN
    for seen, _, within in _positions(x, attributes):
        best = np.where(within & (seen > best), seen, best)
        if not is_supported:
            unsupported |= within & (np.isnan(seen) | np.isneginf(seen))
    first, further = _places(x, best, attributes)
    columns = {"maximum": best, "unsupported": unsupported}
    yield {**columns, "place": first.reshape(best.shape)}
    for windows_of_tie, places in further:
        other = first.copy()
        other[windows_of_tie] = places
        yield {**columns, "place": other.reshape(best.shape)}


def _places(
    x: Array, best: Array, attributes: Attributes
) -> tuple[Array, list[tuple[Array, Array]]]:
    """Return the first place of each window's maximum, or -1, and further ones.

    The latter are, for the second places, the third ones, and so on, the flat indices of the
    windows that have one, and the places.
    """
    first, seen_before = np.full(best.size, -1.0), np.zeros(best.size, np.int64)
    ties: list[tuple[Array, Array, Array]] = []
    for seen, at, within in _positions(x, attributes):
        tied = np.flatnonzero(within & (seen == best))
        places, rank = at.reshape(-1)[tied % max(at.size, 1)], seen_before[tied]
        first[tied[rank == 0]] = places[rank == 0]
        ties.append((rank[rank > 0], tied[rank > 0], places[rank > 0]))
        seen_before[tied] += 1
    rank, tied, places = (np.concatenate(each) for each in zip(*ties, strict=True))
    if not rank.size:
        return first, []
    order, ends = np.argsort(rank, kind="stable"), np.cumsum(np.bincount(rank))[1:-1]
    return first, list(zip(*(np.split(each[order], ends) for each in (tied, places)), strict=True))


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``out`` and ``indices`` for the aligned inputs."""
    del attributes
    scope = {"unsupported": np.not_equal(widen(inputs["unsupported"]), 0)}
    return {
        output: Result(on.exact(widen(inputs[name])), scope)
        for output, name in (("out", "maximum"), ("indices", "place"))
    }


def _dilated_rows(names: Attributes) -> windows.Bounds:
    """Return the windows along H, with the gaps between their elements."""
    starts, _ = windows.along(names, "H")
    return starts, starts + int(names["dH"]) * (int(names["kH"]) - 1) + 1


def _rows(names: Attributes) -> tuple[Array, int]:
    """Return where the windows begin along the first axis of a band, and where that does."""
    starts, _ = _dilated_rows(names)
    which = names.get("which")
    if which is None:
        return starts, 0
    begin = int(windows.inside(_dilated_rows(names), names["H"])[0][which].min())
    return starts[which] - begin, begin


def _positions(x: Array, names: Attributes) -> Iterator[tuple[Array, Array, Array]]:
    """Yield, for each position of the kernel, what windows see there, where, and if it exists."""
    (rows, begin), columns = _rows(names), windows.along(names, "W")[0]
    for m in range(int(names["kH"])):
        for n in range(int(names["kW"])):
            h, w = rows + m * int(names["dH"]), columns + n * int(names["dW"])
            inside = np.clip(h, 0, x.shape[-2] - 1), np.clip(w, 0, x.shape[-1] - 1)
            within = np.logical_and.outer(h == inside[0], w == inside[1])
            seen = x[..., inside[0][:, np.newaxis], inside[1]]
            yield seen, np.add.outer((h + begin) * int(names["W"]), w).astype(np.float64), within
