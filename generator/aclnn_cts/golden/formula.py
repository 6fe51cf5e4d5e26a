# SPDX-License-Identifier: Apache-2.0
"""What a formula module provides: the mathematics of one operator in float64.

A module in :mod:`aclnn_cts.golden.operators` has a function ``evaluate(inputs, attributes)`` that
returns a :class:`Result` for each output, and says with ``ELEMENTWISE`` whether every output
element depends only on the input elements at the same place, so that it can be worked off in blocks
that fit the processor's cache. An elementwise module may have ``align(inputs, attributes)``, which
brings all inputs to the output's shape first (a mask's bits, a broadcast weight).

float64 rounds, too. Each module counts what its own evaluation rounds and states it with the result
(:attr:`Result.roundings`), so that it can be held against an evaluation in 100 digits.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.expected import FloatArray

Inputs = Mapping[str, npt.NDArray[Any]]
Attributes = Mapping[str, Any]

UNIT_ROUNDOFF = 2.0**-53
"""The largest relative error of one rounding to float64."""

HIGHER_ORDER = 1.01
"""n roundings err by at most 1.01 n unit roundoffs while n of them are below 1 %, the products of
errors included (Higham, Accuracy and Stability of Numerical Algorithms, section 3.4)."""


@dataclass(frozen=True)
class Result:
    """What the formula says about one output.

    Attributes:
        value: The result in float64, within :attr:`error` of the exact one; the output's view
            shape.
        bound: The same formula on absolute values: what rounding errors scale with.
        scope: Arrays that broadcast to the output's shape (or, with ``gather``, have the shape
            that ``gather`` reduces), by the names that the spec's ``when`` uses.
        peak: For sums: the sum of the magnitudes of the finite terms. Where it exceeds what the
            computing type holds, partial sums may overflow, whatever the whole sum is.
        gather: For ``any_of`` and ``all_of``: reduces a condition over the scope's arrays to the
            output's shape with the given ufunc (logical_or, logical_and); None if elementwise.
        roundings: How many roundings to float64 ``value`` may be off by, each half an ulp of
            ``bound``; 0 if the value is exact.
    """

    value: FloatArray
    bound: FloatArray
    scope: Mapping[str, Any]
    gather: Callable[[npt.NDArray[np.bool_], np.ufunc], npt.NDArray[np.bool_]] | None = None
    peak: FloatArray | None = None
    roundings: float = field(kw_only=True)

    @property
    def error(self) -> FloatArray:
        """The stated error of ``value``: the exact result is no further off; ``value``'s shape.

        Inf where the bound is, since nothing is said about the value there.
        """
        if self.roundings == 0:
            return np.zeros(self.value.shape)
        return self.bound * (HIGHER_ORDER * self.roundings * UNIT_ROUNDOFF)


def additions(terms: int, sums: int = 1) -> int:
    """Return how often the longest of equal ``sums`` rounds that add ``terms`` up altogether."""
    return max(terms // max(sums, 1) - 1, 0)


def widen(array: npt.NDArray[Any]) -> FloatArray:
    """Return an array's exact values in float64."""
    if array.dtype.kind == "V" or array.dtype.name == "bfloat16":
        # A bfloat16 is the upper half of a float32; this is several times faster than the cast.
        bits = array.view(np.uint16).astype(np.uint32) << np.uint32(16)
        array = bits.view(np.float32)
    with np.errstate(invalid="ignore"):  # a device may return a signalling NaN
        return array.astype(np.float64)


def evaluate_whole(name: str, inputs: Inputs, attributes: Attributes) -> dict[str, Result]:
    """Return what a formula module says about a whole call, by output.

    Args:
        name: The module's name.
        inputs: View-shaped arrays by parameter name, in the types in which they are computed.
        attributes: Attributes and derived names.

    Raises:
        WrongInputError: There is no such module.
    """
    module = formula_module(name)
    with np.errstate(all="ignore"):
        aligned = module.align(inputs, attributes) if hasattr(module, "align") else inputs
        results: dict[str, Result] = module.evaluate(aligned, attributes)
    return results


def formula_module(name: str) -> ModuleType:
    """Return the formula module of that name.

    Raises:
        WrongInputError: There is none.
    """
    path = f"aclnn_cts.golden.operators.{name}"
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name != path:
            raise
        raise WrongInputError(
            f"there is no formula module generator/aclnn_cts/golden/operators/{name}.py; "
            "write it, or correct `golden:` in the spec"
        ) from None
