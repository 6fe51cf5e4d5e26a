# SPDX-License-Identifier: Apache-2.0
"""Interface of a formula module: the mathematics of one operator in float64.

A module in :mod:`aclnn_cts.golden.operators` has a function ``evaluate(inputs, attributes, on)``
that returns a :class:`Result` for each output, and says with ``ELEMENTWISE`` whether every output
element depends only on the input elements at the same place, so that it can be worked off in blocks
that fit the processor's cache. An elementwise module may have ``align(inputs, attributes)``, which
brings all inputs to the output's shape first (a mask's bits, a broadcast weight).

The formula is written in numbers of :mod:`aclnn_cts.golden.arithmetic`; ``on`` says how a device
computes. Without it a module computes as float64 does, so that what float64 itself rounds can be
held against an evaluation in 100 digits.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Number
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.golden.kernel import Symbol

Inputs = Mapping[str, npt.NDArray[Any]]
Attributes = Mapping[str, Any]

UNIT_ROUNDOFF = 2.0**-53
"""The largest relative error of one rounding to float64."""


@dataclass(frozen=True)
class Result:
    """The formula's result for one output.

    Attributes:
        number: The result and its error; the output's view shape.
        scope: Arrays that broadcast to the output's shape (or, with ``gather``, have the shape
            that ``gather`` reduces), by the names that the spec's ``when`` uses.
        gather: For ``any_of`` and ``all_of``: reduces a condition over the scope's arrays to the
            output's shape with the given ufunc (logical_or, logical_and); None if elementwise.
        shared: Largest relative error of a factor that is the same for the whole call.
    """

    number: Number
    scope: Mapping[str, Any]
    gather: Callable[[npt.NDArray[np.bool_], np.ufunc], npt.NDArray[np.bool_]] | None = None
    shared: float = 0.0

    @property
    def value(self) -> FloatArray:
        """The exact result in float64."""
        return self.number.value

    @property
    def error(self) -> FloatArray:
        """How far off a device may be, without the rounding to the output's type; value's shape."""
        with np.errstate(all="ignore"):  # the last operation's own error is worked out only here
            return np.broadcast_to(self.number.settled.total, self.value.shape)


def widen(array: npt.NDArray[Any]) -> FloatArray:
    """Return an array's exact values in float64."""
    if isinstance(array, Symbol):
        return array
    if array.dtype.kind == "V" or array.dtype.name == "bfloat16":
        # A bfloat16 is the upper half of a float32; this is several times faster than the cast.
        bits = array.view(np.uint16).astype(np.uint32) << np.uint32(16)
        array = bits.view(np.float32)
    with np.errstate(invalid="ignore"):  # a device may return a signalling NaN
        return array.astype(np.float64)


def evaluate_whole(
    name: str, inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64
) -> dict[str, Result]:
    """Return what a formula module says about a whole call, by output.

    Args:
        name: The module's name.
        inputs: View-shaped arrays by parameter name, in the types in which they are computed.
        attributes: Attributes and derived names.
        on: How the device computes.

    Raises:
        WrongInputError: There is no such module.
    """
    module = formula_module(name)
    with np.errstate(all="ignore"):
        aligned = module.align(inputs, attributes) if hasattr(module, "align") else inputs
        results: dict[str, Result] = module.evaluate(aligned, attributes, on)
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
