# SPDX-License-Identifier: Apache-2.0
"""Where the elements of an output come from, index by index, as the pages say it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from tests.oracle.exact.numbers import Arrays, Elements, Exact, Index, Values, number, single

Source: TypeAlias = Callable[[Index, Index, Values], Index | None]
"""From an index of the output, the input's shape and the attributes to the index of the input."""


def oracle(source: Source, value: str = "") -> Callable[[Arrays, Values], Elements]:
    """Return the oracle of an operator of one input.

    Args:
        value: The attribute that is the value of elements without a source; 0 if empty.
    """

    def elements(inputs: Arrays, values: Values) -> Elements:
        (array,) = inputs.values()

        def out(index: Index) -> Exact:
            place = source(index, array.shape, values)
            if place is None:
                outside = values[value] if value else 0
                return single(number(np.asarray(outside).astype(array.dtype)[()]))
            return single(number(array[place]))

        return {"out": out}

    return elements


Array: TypeAlias = npt.NDArray[Any]
Chosen: TypeAlias = Callable[[Index, Sequence[Array], Values], Any]
"""From an index of the output, the inputs and the attributes to the element."""


def oracle_of_places(chosen: Chosen, output: str = "out") -> Callable[[Arrays, Values], Elements]:
    """Return the oracle of an operator with an input of places."""

    def elements(inputs: Arrays, values: Values) -> Elements:
        arrays = [*inputs.values()]
        return {output: lambda index: single(number(chosen(index, arrays, values)))}

    return elements


def flip(index: Index, shape: Index, values: Values) -> Index:
    """Count from the end along the axes that are named."""
    place = list(index)
    for dim in values["dims"]:
        place[dim] = shape[dim] - 1 - index[dim]
    return tuple(place)


def permute(index: Index, shape: Index, values: Values) -> Index:
    """Look up each axis at its new place."""
    place = [0] * len(shape)
    for axis, dim in enumerate(values["dims"]):
        place[dim] = index[axis]
    return tuple(place)


def roll(index: Index, shape: Index, values: Values) -> Index:
    """Move back by the shift along each axis, or along all of them as one."""
    if not values["dims"]:
        return nth((flat(index, shape) - values["shifts"][0]) % math.prod(shape), shape)
    place = list(index)
    for shift, dim in zip(values["shifts"], values["dims"], strict=True):
        place[dim] = (place[dim] - shift) % shape[dim]
    return tuple(place)


def flat(index: Index, shape: Index) -> int:
    """Return the place of an index in row-major order."""
    place = 0
    for part, extent in zip(index, shape, strict=True):
        place = place * extent + part
    return place


def nth(place: int, shape: Index) -> Index:
    """Return the index of a place in row-major order."""
    index: list[int] = []
    for extent in reversed(shape):
        place, part = divmod(place, extent)
        index.insert(0, part)
    return tuple(index)


def repeat(index: Index, shape: Index, values: Values) -> Index:
    """Begin again behind each extent; further axes come first."""
    del values
    last = index[len(index) - len(shape) :]
    return tuple(part % extent for part, extent in zip(last, shape, strict=True))


def interleave(index: Index, shape: Index, values: Values) -> Index:
    """Take each element, or each along the axis, several times before the next."""
    if "dim" not in values:
        return nth(index[0] // values["repeats"], shape)
    place = list(index)
    place[values["dim"]] //= values["repeats"]
    return tuple(place)


def expand(index: Index, shape: Index, values: Values) -> Index:
    """Take the only element of an axis for all."""
    del values
    last = index[len(index) - len(shape) :]
    return tuple(0 if extent == 1 else part for part, extent in zip(last, shape, strict=True))


def cut(names: Sequence[str]) -> Source:
    """Return the source of a part; the attributes are start, axis and step, or lists of them."""

    def source(index: Index, shape: Index, values: Values) -> Index:
        lists = [values[n] if isinstance(values[n], tuple) else (values[n],) for n in names]
        place = list(index)
        for start, axis, step in zip(*lists, strict=True):
            extent = shape[axis]
            first = 0 if start < -extent else extent if start >= extent else start % extent
            place[axis] = first + index[axis] * step
        return tuple(place)

    return source


def pad(name: str, outside: Callable[[int, int], int | None]) -> Source:
    """Return the source of a padding: from an index outside an extent to one inside, or none."""

    def source(index: Index, shape: Index, values: Values) -> Index | None:
        place: list[int] = []
        befores = itertools.chain(values[name][::2], itertools.repeat(0))
        axes = zip(reversed(index), reversed(shape), befores, strict=False)
        for part, extent, before in axes:
            inner: int | None = part - before
            if inner is not None and not 0 <= inner < extent:
                inner = outside(inner, extent)
            if inner is None:
                return None
            place.insert(0, inner)
        return tuple(place)

    return source


def nothing(inner: int, extent: int) -> None:
    """There is none."""
    del inner, extent


def mirror(inner: int, extent: int) -> int:
    """Turn round at the border."""
    return -inner if inner < 0 else 2 * extent - 2 - inner


def border(inner: int, extent: int) -> int:
    """Stay at the border."""
    return 0 if inner < 0 else extent - 1


def around(inner: int, extent: int) -> int:
    """Go on at the other end."""
    return inner + extent if inner < 0 else inner - extent


def tril(index: Index, shape: Index, values: Values) -> Index | None:
    """Keep what is on the diagonal or below it."""
    del shape
    return index if index[-2] + values["diagonal"] >= index[-1] else None


def triu(index: Index, shape: Index, values: Values) -> Index | None:
    """Keep what is on the diagonal or above it."""
    del shape
    return index if index[-2] + values["diagonal"] <= index[-1] else None


def flatten(index: Index, shape: Index, values: Values) -> Index:
    """Count the elements of the axes from the given one on."""
    return nth(index[0] * math.prod(shape[values["axis"] :]) + index[1], shape)


def diagonal(index: Index, shape: Index, values: Values) -> Index | None:
    """Put elements on a diagonal, or take them from that of a matrix."""
    offset = values["diagonal"]
    if len(index) == 1:
        return index[0] + max(-offset, 0), index[0] + max(offset, 0)
    return nth(min(index), shape) if index[1] - index[0] == offset else None


def gather(index: Index, arrays: Sequence[Array], values: Values) -> Any:
    """Replace the index along the axis by the number at the same index."""
    array, places = arrays
    if not array.ndim:
        return array[()]
    place = list(index)
    place[values["dim"]] = int(places[index])
    return array[tuple(place)]


def select(index: Index, arrays: Sequence[Array], values: Values) -> Any:
    """Replace the part of the index that belongs to the places by the number there."""
    array, places = arrays
    dim, end = values.get("dim", 0) % array.ndim, len(index) - array.ndim + 1
    number_there = places.reshape(places.shape or (1,))[index[dim : dim + end]]
    return array[(*index[:dim], int(number_there), *index[dim + end :])]


def take(index: Index, arrays: Sequence[Array], values: Values) -> Any:
    """Count elements in row-major order."""
    del values
    array, places = arrays
    return array[nth(int(places[index]), array.shape)]


def slices(index: Index, arrays: Sequence[Array], values: Values) -> Any:
    """Begin with the numbers that the last axis of the places lists."""
    del values
    array, places = arrays
    rows = places.ndim - 1
    return array[(*map(int, places[index[:rows]]), *index[rows:])]


def fill(index: Index, arrays: Sequence[Array], values: Values) -> Any:
    """Compare the index along the axis with each number, counted from either end."""
    array, places = arrays
    at, extent = (index[values["dim"]], array.shape[values["dim"]]) if index else (0, 1)
    if any(int(each) in (at, at - extent) for each in places.flat):
        return np.asarray(values["value"]).astype(array.dtype)[()]
    return array[index]


def copy(index: Index, arrays: Sequence[Array], values: Values) -> Any:
    """Look for the index along the axis among the places."""
    array, places, source = arrays
    for row, each in enumerate(places.flat):
        if each == index[values["dim"]]:
            place = list(index)
            place[values["dim"]] = row
            return source[tuple(place)]
    return array[index]


def update(index: Index, arrays: Sequence[Array], values: Values) -> Any:
    """Look for the first parts of the index among the places."""
    del values
    array, places, source = arrays
    depth = places.shape[-1]
    for row in np.ndindex(places.shape[:-1]):
        if tuple(places[row]) == index[:depth]:
            return source[(*row, *index[depth:])]
    return array[index]
