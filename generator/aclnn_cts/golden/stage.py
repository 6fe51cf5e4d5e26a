# SPDX-License-Identifier: Apache-2.0
"""Parts of a formula that go element by element, between its sums.

A stage takes an arithmetic and numbers, and returns numbers of the same places. For large tensors
it is compiled (:mod:`aclnn_cts.golden.kernel`) in the quick arithmetic; the elements that this
marks as unusual are evaluated again in the full one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import Arithmetic, Mask, Number, either_mask
from aclnn_cts.golden.expected import BLOCK
from aclnn_cts.golden.kernel import LARGE, Symbol, Trace, compile_trace

Stage: TypeAlias = Callable[..., Sequence[Number]]

_PARTS = ("value", "error", "spread", "ulps")


def by_element(on: Arithmetic, stage: Stage, *operands: Number) -> Sequence[Number]:
    """Return what a stage makes of numbers whose shapes broadcast.

    Args:
        on: How the device computes.
        stage: Takes numbers of one shape, and returns some; called with numbers of ``on``, or of
            its quick variant.
        operands: The numbers.
    """
    shape = np.broadcast_shapes(*(operand.value.shape for operand in operands))
    if math.prod(shape) < LARGE:
        return stage(*operands)
    try:
        loop = _Loop.of(on, stage, operands)
    except (AttributeError, TypeError):  # it cannot be traced
        loop = None
    return stage(*operands) if loop is None else loop.run(stage, operands, shape)


@dataclass(frozen=True)
class _Loop:
    """A compiled stage.

    Attributes:
        kernel: The loop.
        results: What it computes, with the places of arrays in the loop's outputs instead of these.
    """

    kernel: Any
    results: Sequence[tuple[Number, dict[str, int]]]

    @classmethod
    def of(cls, on: Arithmetic, stage: Stage, operands: Sequence[Number]) -> _Loop | None:
        trace, quick = Trace(), replace(on, quick=True)
        results = stage(*(_traced(trace, quick, k, each) for k, each in enumerate(operands)))
        outputs: list[tuple[str, Any]] = []
        described = []
        unusual: Mask | None = None
        for number in (each.absolute for each in results):
            unusual = either_mask(unusual, number.unusual)
            places = {}
            for name in _PARTS:
                part: Any = getattr(number, name)
                if isinstance(part, Symbol):
                    places[name] = len(outputs)
                    outputs.append(("float64", part))
            described.append((replace(number, on=on, unusual=None), places))
        outputs.append(("bool", False if unusual is None else unusual))
        kernel = compile_trace(trace, outputs)
        return None if kernel is None else cls(kernel, described)

    def run(
        self, stage: Stage, operands: Sequence[Number], shape: tuple[int, ...]
    ) -> Sequence[Number]:
        arrays = [np.empty(shape, dtype) for dtype in self.kernel.outputs]
        inputs = {
            name: np.broadcast_to(array, shape)
            for k, operand in enumerate(operands)
            for name, array in _arrays(k, operand)
        }
        for tile in tiles(shape):
            columns = {
                name: np.ascontiguousarray(a[tile]).reshape(-1) for name, a in inputs.items()
            }
            self.kernel.fill(columns, [array[tile].reshape(-1) for array in arrays])
        results = []
        for number, places in self.results:
            parts: dict[str, Any] = {name: arrays[place] for name, place in places.items()}
            results.append(replace(number, **parts))
        if not arrays[-1].any():
            return results
        index = np.nonzero(arrays[-1])
        some = (each.each(lambda a: np.broadcast_to(a, shape)[index]) for each in operands)
        exact = stage(*some)
        return [_with(*both, index) for both in zip(results, exact, strict=True)]


def _arrays(place: int, number: Number) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    """Yield what a loop reads of an operand, by name."""
    for name in _PARTS:
        part: Any = getattr(number, name)
        if name == "value" or not isinstance(part, float):
            yield f"{name}{place}", np.asarray(part, np.float64)
    if number.extremes is not None:
        yield f"unusual{place}", number.extremes != 0


def _traced(trace: Trace, quick: Arithmetic, place: int, number: Number) -> Number:
    symbols: dict[str, Any] = {
        name: trace.input(name, array.dtype.name) for name, array in _arrays(place, number)
    }
    parts = {name: symbols[f"{name}{place}"] for name in _PARTS if f"{name}{place}" in symbols}
    unusual = symbols.get(f"unusual{place}")
    if number.grid is None and number.extremes is None and set(parts) == {"value"}:
        return quick.exact(parts["value"])
    return replace(number, on=quick, extremes=None, unusual=unusual, **parts)


def _with(number: Number, exact: Number, index: Any) -> Number:
    """Return a number with some of its elements replaced."""
    parts: dict[str, Any] = {}
    for name in _PARTS:
        own, other = getattr(number, name), getattr(exact, name)
        if np.ndim(own) == 0 and np.ndim(other) == 0 and own == other:
            continue
        parts[name] = own if np.ndim(own) else np.full(number.value.shape, own)
        parts[name][index] = other
    if exact.extremes is not None:
        parts["extremes"] = np.zeros(number.value.shape, np.uint8)
        parts["extremes"][index] = exact.extremes
    return replace(number, **parts)


def tiles(shape: tuple[int, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield indices of parts that are contiguous and hold some :data:`BLOCK` elements."""
    axis = len(shape) - 1
    while axis > 0 and math.prod(shape[axis:]) <= BLOCK:
        axis -= 1
    inner = math.prod(shape[axis + 1 :])
    step = max(1, BLOCK // max(inner, 1))
    for outer in np.ndindex(*shape[:axis]):
        for start in range(0, shape[axis], step):
            yield (*outer, slice(start, start + step))
