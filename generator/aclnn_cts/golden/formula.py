# SPDX-License-Identifier: Apache-2.0
"""Interface of a formula module: the mathematics of one operator in float64.

A module in :mod:`aclnn_cts.golden.operators` has a function ``evaluate(inputs, attributes, on)``
that returns a :class:`Result` for each output. Every output element depends only on the input
elements at the same index, so that large tensors can be processed in blocks that fit the
processor's cache. A module may have ``align(inputs, attributes)``, which brings all inputs to the
output's shape first (a mask's bits, a weight per channel). Inputs to whose common shape an output
broadcasts by its spec have that shape already.

A module whose ``align`` reads the inputs around an element has ``shape(inputs, attributes)``, the
shape of the output, and ``part(inputs, attributes, start, stop)``. The latter returns the inputs
and attributes of a smaller call that gives these elements, in row-major order, and the index of the
first of them in its output. They are several whole planes (the last two axes) or a part of one. If
several results are right, ``choices(inputs, attributes)`` yields the aligned inputs of each; the
first are those of ``align``, and elements with fewer results repeat the first.

A module may define kinds of data: ``FILLS`` maps names that begin with ``own-`` to functions of a
:class:`aclnn_cts.golden.data_kinds.Block` and the tensor's floating format, which return the
block's values in float64. ``derive(tensor, inputs, values)`` makes the inputs of the kind
``derived`` from the others.

If an output consists of random bits, a module has only ``random_bits(attributes)``, which returns
their distribution (:class:`RandomBits`); the judge tests the output against it.

If outputs are sums, or depend on sums, ``evaluate`` is a generator. It works element by element on
inputs that broadcast to one shape after ``align``, yields the :class:`Terms`, receives the sums of
all elements as numbers that broadcast to that shape, and returns the numbers of the other outputs.
So it runs twice over the blocks of a large tensor: up to the sums, and to the end.

The formula is written in numbers of :mod:`aclnn_cts.golden.arithmetic`; ``on`` says how a device
computes. By default a module computes as float64 does, so that float64's own roundings can be
compared with an evaluation in 100 digits. If a tensor is double or of 64-bit integers, values are
computed in a wider type, and double inputs are passed in that type.
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
import math
import traceback
from collections.abc import Callable, Collection, Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import GeneratorType, ModuleType
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from aclnn_cts.errors import CtsError, WrongFileError, WrongInputError
from aclnn_cts.golden.arithmetic import Number
from aclnn_cts.golden.expected import FloatArray, Real, real_of
from aclnn_cts.golden.reductions import ACCUMULATORS, Accumulator
from aclnn_cts.spec.models import OperatorSpec

Array: TypeAlias = npt.NDArray[Any]
Inputs: TypeAlias = Mapping[str, Array]
Attributes: TypeAlias = Mapping[str, Any]

Part: TypeAlias = tuple[Inputs, Attributes, int]
"""A smaller call, and the index in its output of the first element that is wanted."""


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
        """The largest error of a device, without the rounding to the output's type."""
        with np.errstate(all="ignore"):  # the last operation's own error is computed only here
            return np.broadcast_to(self.number.result.total, self.value.shape)


@dataclass(frozen=True)
class Terms:
    """The totals that a formula needs before it continues.

    Attributes:
        sums: Numbers to add up, each with the aligned input that has one element per sum, by name.
            A sum with the name of an output is that output.
        rules: What becomes of numbers that are not added up, by name: another reduction of
            :data:`aclnn_cts.golden.reductions.ACCUMULATORS`.
        scope: As in :class:`Result`.
        outputs: The input with the shape of each output. If sums have that shape, the output is a
            sum or depends only on sums.
        gathers: For outputs with ``any_of`` and ``all_of``: the aligned input with one element per
            gathered condition.
    """

    sums: Mapping[str, tuple[Number, str]]
    scope: Mapping[str, Any]
    outputs: Mapping[str, str]
    gathers: Mapping[str, str]
    rules: Mapping[str, str] = field(default_factory=dict)

    def accumulator(self, name: str) -> type[Accumulator]:
        """Return what reduces the numbers of a name."""
        return ACCUMULATORS[self.rules.get(name, "sum")]

    def is_of_sums(self, output: str) -> bool:
        """Whether an output is a sum, or depends only on sums."""
        return any(self.outputs[output] == like for _, like in self.sums.values())


@dataclass(frozen=True)
class RandomBits:
    """The distribution of an output's random bits, which are independent of each other.

    Attributes:
        least: The least probability of a 1 on a correct device.
        most: The greatest probability of a 1.
        count: Number of random bits; padding follows.
    """

    least: float
    most: float
    count: int


Sums: TypeAlias = Generator[Terms, Mapping[str, Number], dict[str, Number]]
"""The result of ``evaluate`` if there are sums."""


def widen(array: npt.NDArray[Any]) -> FloatArray:
    """Return an array's exact values in float64, or a wider type if needed."""
    if array.dtype.kind == "V" or array.dtype.name == "bfloat16":
        # a bfloat16 is the upper half of a float32; this is several times faster than a cast
        bits = array.view(np.uint16).astype(np.uint32) << np.uint32(16)
        array = bits.view(np.float32)
    if array.dtype == np.longdouble:
        return array
    with np.errstate(invalid="ignore"):  # a device may return a signalling NaN
        return array.astype(real_of([array.dtype.name]))


def with_digits(inputs: Inputs, real: Real) -> Inputs:
    """Return inputs with double ones converted to the computing type."""
    return {
        name: array.astype(real) if array.dtype == np.float64 else array
        for name, array in inputs.items()
    }


def broadcast(spec: OperatorSpec, inputs: Inputs) -> Inputs:
    """Return inputs, broadcast to a common shape where the spec says so."""
    stretched = dict(inputs)
    for names in spec.broadcasts.values():
        arrays = np.broadcast_arrays(*(inputs[name] for name in names))
        stretched.update(zip(names, arrays, strict=True))
    passed = [tensor for tensor in spec.inputs if tensor.name in inputs]
    shapes = [stretched[tensor.name].shape for tensor in passed if not tensor.is_single]
    for tensor in passed if "elementwise" in spec.traits else ():
        if tensor.is_single and inputs[tensor.name].size == 1:
            stretched[tensor.name] = np.broadcast_to(inputs[tensor.name].reshape(()), shapes[0])
    return stretched


def spread(array: npt.NDArray[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Broadcast or reshape an array."""
    same = array.size == math.prod(shape)
    return array.reshape(shape) if same else np.broadcast_to(array, shape)


def has_sums(module: ModuleType) -> bool:
    """Whether a formula's outputs are sums over elements, or depend on sums."""
    return inspect.isgeneratorfunction(getattr(module, "evaluate", None))


def with_sums(
    formula: Sums, add_up: Callable[[Terms], Mapping[str, Number]]
) -> tuple[Terms, dict[str, Number]]:
    """Return the terms of a formula, and the numbers of all outputs.

    Args:
        formula: The formula's generator, not yet started.
    """
    terms = terms_of(formula)
    sums = {
        name: replace(number, on=terms.sums[name][0].on) for name, number in add_up(terms).items()
    }
    try:
        formula.send(sums)
    except StopIteration as end:
        numbers: dict[str, Number] = {**sums, **(end.value or {})}
        if missing := [output for output in terms.outputs if output not in numbers]:
            raise _wrong_formula(_file_of(formula), f"no number for {', '.join(missing)}") from None
        return terms, {output: numbers[output] for output in terms.outputs}
    raise TypeError("a formula yields its terms once")


def terms_of(formula: Sums) -> Terms:
    """Start a formula with sums; return its terms.

    Raises:
        WrongInputError: It yields something else, or nothing.
    """
    terms = next(formula, None)
    if not isinstance(terms, Terms):
        raise _wrong_formula(_file_of(formula), "it must yield Terms first")
    return terms


def align(module: ModuleType, inputs: Inputs, attributes: Attributes) -> Inputs:
    """Return the inputs as a formula aligns them; as they are if it does not.

    Raises:
        WrongInputError: The formula has sums and does not align them.
    """
    if hasattr(module, "align"):
        aligned: Inputs = module.align(inputs, attributes)
        return aligned
    if has_sums(module):
        raise _wrong_formula(str(module.__file__), "with sums, the module needs align, too")
    return inputs


def _file_of(formula: Sums) -> str:
    return cast("GeneratorType[Any, Any, Any]", formula).gi_code.co_filename


def require_outputs(module: ModuleType, found: Any, outputs: Collection[str]) -> None:
    """Require that a formula speaks of an operator's outputs, and of no others.

    Args:
        found: What it says, by output.

    Raises:
        WrongInputError: It does not.
    """
    if isinstance(found, Mapping) and found.keys() == set(outputs):
        return
    names = ", ".join(map(str, found)) or "none" if isinstance(found, Mapping) else repr(found)
    raise _wrong_formula(
        str(module.__file__), f"a result for each of {', '.join(outputs)} is needed, not {names}"
    )


def require_results(module: ModuleType, found: Any, outputs: Collection[str]) -> dict[str, Result]:
    """Return what ``evaluate`` returned: a result for each output.

    Raises:
        WrongInputError: It is something else.
    """
    require_outputs(module, found, outputs)
    for name, result in found.items():
        if not isinstance(result, Result) or not isinstance(result.number, Number):
            raise _wrong_formula(str(module.__file__), f"{name} must be a Result of a Number")
    return dict(found)


def _wrong_formula(file: str, what: str) -> WrongInputError:
    return WrongInputError(f"{file}: evaluate: {what}")


def by_rows(inputs: Inputs, axes: int | Collection[int]) -> dict[str, npt.NDArray[Any]]:
    """Join neighbouring axes of inputs, and add ``rows``, one element for all along the axes.

    Args:
        inputs: Arrays of one shape.
        axes: The axis, or several, counted from either end; a scalar has one axis of one element.
    """
    shape = next(iter(inputs.values())).shape or (1,)
    named = {axis % len(shape) for axis in ([axes] if isinstance(axes, int) else axes)}
    runs = [
        (is_along, math.prod(shape[axis] for axis in run))
        for is_along, run in itertools.groupby(range(len(shape)), named.__contains__)
    ]
    folded = [extent for _, extent in runs]
    rows = np.zeros([1 if is_along else extent for is_along, extent in runs], np.bool_)
    return {**{name: array.reshape(folded) for name, array in inputs.items()}, "rows": rows}


def aligned_shape(aligned: Inputs) -> tuple[int, ...]:
    """Return the shape to which all aligned inputs broadcast."""
    return np.broadcast_shapes(*(array.shape for array in aligned.values()))


def region_shape(like: npt.NDArray[Any], shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape with one number per element of an aligned input, in as many axes."""
    return (1,) * (len(shape) - like.ndim) + like.shape


def reduce_regions(
    rule: np.ufunc, array: npt.NDArray[Any], region: tuple[int, ...]
) -> npt.NDArray[Any]:
    """Reduce an array to one element per element of a region."""
    axes = tuple(axis for axis, extent in enumerate(region) if extent == 1)
    return np.asarray(rule.reduce(array, axis=axes, keepdims=True, initial=nothing_of(rule)))


def nothing_of(rule: np.ufunc) -> Any:
    """Return what a rule's reduction of nothing is."""
    return -np.inf if rule is np.maximum else rule.identity


@contextlib.contextmanager
def blaming(module: ModuleType, operator: str = "") -> Iterator[None]:
    """Convert an error of a formula module into a message with its line.

    Raises:
        WrongFileError: The module, or code that it called, raised another error.
    """
    file = module.__file__
    try:
        yield
    except (CtsError, MemoryError):
        raise
    except SyntaxError as error:
        if error.filename != file:
            raise
        raise WrongFileError(f"{file}:{error.lineno}: {error.msg}") from None
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        line = next((frame.lineno for frame in reversed(frames) if frame.filename == file), None)
        if line is None:
            raise
        message = f"{type(error).__name__}: {error}"
        if isinstance(error, KeyError):
            message = f"wants {error}, which its spec does not have"
        of = f"{operator}: " if operator else ""
        raise WrongFileError(f"{file}:{line}: {of}{message}") from None
