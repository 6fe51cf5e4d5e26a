# SPDX-License-Identifier: Apache-2.0
"""The formulas of operators: modules, or expressions of specs, and their evaluation for a call."""

from __future__ import annotations

import functools
import importlib
import math
import sys
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, Number
from aclnn_cts.golden.expressions import module_of
from aclnn_cts.golden.formula import (
    Attributes,
    Inputs,
    RandomBits,
    Result,
    Terms,
    align,
    aligned_shape,
    blaming,
    has_sums,
    reduce_regions,
    region_shape,
    spread,
    with_sums,
)
from aclnn_cts.spec.models import Formula, FormulaFile, FormulaText


def evaluate_whole(
    formula: Formula, inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64
) -> dict[str, Result]:
    """Return a formula module's results for a whole call, by output.

    Args:
        inputs: View-shaped arrays by parameter name, in the types in which they are computed.
        on: How the device computes.

    Raises:
        WrongInputError: There is no such module.
    """
    module = formula_module(formula)
    if all(array.dtype.kind in "iu" for array in inputs.values()):
        on = replace(on, integers=True)
    with np.errstate(all="ignore"):
        aligned = align(module, inputs, attributes)
        if not has_sums(module):
            results: dict[str, Result] = module.evaluate(aligned, attributes, on)
            return {
                name: _of_shape(expectation, aligned_shape(aligned))
                for name, expectation in results.items()
            }
        terms, results_of_sums = with_sums(
            module.evaluate(aligned, attributes, on),
            lambda terms: {name: _reduce(terms, name, aligned) for name in terms.sums},
        )
    shape = aligned_shape(aligned)

    def result(output: str, number: Number) -> Result:
        expectation = {**aligned, **inputs}[terms.outputs[output]].shape
        like = terms.gathers.get(output)

        def gather(condition: npt.NDArray[np.bool_], rule: np.ufunc) -> npt.NDArray[np.bool_]:
            region = region_shape(aligned[str(like)], shape)
            results_of_sums = reduce_regions(rule, spread(condition, shape), region)
            return np.broadcast_to(results_of_sums, number.value.shape).reshape(expectation)

        scope = terms.scope
        if not terms.is_of_sums(output) and expectation != shape:
            scope = {
                name: spread(array, shape).reshape(expectation) for name, array in scope.items()
            }
        shaped = number.apply(lambda array: array.reshape(expectation))
        return Result(shaped, scope, gather if like else None)

    return {output: result(output, results_of_sums[output]) for output in terms.outputs}


def _of_shape(result: Result, shape: tuple[int, ...]) -> Result:
    """Return a result, which may depend on some inputs only, in the shape of the aligned ones."""
    if result.value.shape == shape:
        return result
    number = result.number.apply(lambda array: np.broadcast_to(array, shape))
    return replace(result, number=number)


def random_bits_of(formula: Formula, attributes: Attributes) -> RandomBits:
    """Return the distribution of the bits of an output.

    Raises:
        WrongInputError: The formula module does not state it.
    """
    module = formula_module(formula)
    with blaming(module):
        if not hasattr(module, "random_bits"):
            raise WrongInputError(
                f"{module.__file__}: has no function random_bits, for random bits"
            )
        bits: RandomBits = module.random_bits(attributes)
        return bits


def _reduce(terms: Terms, name: str, aligned: Inputs) -> Number:
    number, like = terms.sums[name]
    shape = aligned_shape(aligned)
    region = region_shape(aligned[like], shape)
    count = math.prod(shape) // max(math.prod(region), 1)

    def reduce(rule: np.ufunc, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return reduce_regions(rule, spread(array, shape), region)

    if name not in terms.rules:
        return number.sum(reduce, count)
    return terms.accumulator(name).of(number, reduce).number(number.on, count)


def formula_module(formula: Formula) -> ModuleType:
    """Return a formula module.

    Raises:
        WrongInputError: The module does not exist or cannot be imported.
    """
    if isinstance(formula, FormulaText):
        return module_of(formula)
    if isinstance(formula, FormulaFile):
        return _module_in(formula)
    # an operator without a formula has the package itself, which defines nothing
    path = f"aclnn_cts.golden.operators.{formula}".rstrip(".")
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name != path:
            raise
        raise _no_module(f"generator/aclnn_cts/golden/operators/{formula}.py") from None


@functools.lru_cache(maxsize=64)
def _module_in(file: FormulaFile) -> ModuleType:
    """Import a file outside packages."""
    name = str(file.written)
    if not file.path.is_file():
        raise _no_module(name)
    module = ModuleType(name)
    module.__file__ = name
    sys.modules[name] = module  # dataclasses need it
    with blaming(module):
        # compiled under the path that tracebacks are to show, not that of its copy
        code = compile(file.path.read_bytes(), name, "exec", dont_inherit=True)
        exec(code, vars(module))  # noqa: S102 - the user's own formula
    return module


def _no_module(path: str) -> WrongInputError:
    return WrongInputError(
        f"there is no formula module {path}; write it, or correct `golden:` in the spec"
    )
