# SPDX-License-Identifier: Apache-2.0
"""From a formula and a spec's clauses to what may come back for each element.

Several clauses can apply to one element. An overridden clause steps back. If what the others allow
has a common part, all of them can be kept, and the common part is required. If not, the document
contradicts itself: the element is contested, and each outcome is accepted. An element for which a
rounding of the device decides whether a clause applies may follow either reading.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections import deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.arithmetic import Arithmetic, Mask, either_mask
from aclnn_cts.golden.data import make_inputs
from aclnn_cts.golden.expected import BLOCK, Alternatives, Expectation, Expected, Outcome
from aclnn_cts.golden.formula import Inputs, Result, formula_module
from aclnn_cts.golden.kernel import LARGE, Kernel, Trace, compile_trace, readable
from aclnn_cts.golden.outcomes import ALL_OUTCOMES, ClauseSet, expected_of
from aclnn_cts.plan.binding import values_of
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.planner import Cases
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat
from aclnn_cts.spec.edition_diff import values_differ
from aclnn_cts.spec.evaluation import Scope, hold
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

SPAN = 1 << 19
"""Elements that are evaluated at a time, so that the few unusual ones are evaluated together."""

SLIVER = 2.0**-20
"""Share of a tolerance that is below what error bounds mean."""

CHECKED = 1 << 10
"""Elements of a call of which a compiled loop is held against NumPy."""

MOST_COMBINED = 3
"""Inputs with subnormal numbers up to which each set of them is evaluated with zeros instead."""

_VALUE = np.uint8(Outcome.VALUE)
_NON_FINITE = np.uint8(Outcome.NON_FINITE)


@dataclass(frozen=True)
class _Context:
    """What stays the same for all elements of one output."""

    clauses: ClauseSet
    scalars: Mapping[str, Any]
    shapes: Mapping[str, tuple[int, ...]]
    output: FloatFormat
    inf_nan: bool


def expect_case(specs: SpecSet, case: Case, inputs: Inputs) -> dict[str, Expectation]:
    """Return what may come back from a case that must work.

    Args:
        specs: All specs.
        case: The case; its values and output data types count.
        inputs: View-shaped arrays in the tensors' own data types.
    """
    spec = specs.operator(case.operator)
    return _expect(specs, spec, case.product, inputs, _call_of(case))


WHOLE_BYTES = 280
"""Bytes of memory for each element of the largest tensor that a formula with sums takes at most:
GroupNormSwishGrad took 258 at 2^24 elements, PreluBackward 128, MaxPool2dWithMaskBackward 102."""


def expectation_bytes(specs: SpecSet, case: Case) -> int:
    """Return about how many bytes of the host's memory the expectation of a case takes."""
    if not case.expects_success or formula_module(specs.operator(case.operator).golden).ELEMENTWISE:
        return 0
    return WHOLE_BYTES * max(tensor.numel for tensor in case.tensors)


def call_key(specs: SpecSet, case: Case) -> Hashable:
    """Return what decides the expectation of a case; the same for two products with one arithmetic.

    Calls that must be refused have no expectation: all of them have the key None.
    """
    if not case.expects_success:
        return None
    narrower = specs.operator(case.operator).computes_in.get(case.product, {})
    inf_nan = specs.product(case.product).inf_nan
    return case.operator, case.digest, inf_nan, tuple(sorted(narrower.items()))


def expect_call(
    specs: SpecSet,
    operator: str,
    inputs: Inputs,
    attributes: Mapping[str, Any],
    product: str,
    output_dtypes: Mapping[str, str] | None = None,
) -> dict[str, Expectation]:
    """Return what may come back from a call with given data, of large tensors block by block.

    Args:
        specs: All specs.
        operator: The operator's name.
        inputs: View-shaped arrays by parameter name, in the tensors' own data types.
        attributes: All attributes by name.
        product: The product whose promises count.
        output_dtypes: Data types of outputs that may differ from the inputs'.

    Raises:
        WrongInputError: There is no such operator or product.
    """
    spec, _ = specs.operator(operator), specs.product(product)
    shapes = {name: tuple(array.shape) for name, array in inputs.items()}
    dtypes = {name: array.dtype.name for name, array in inputs.items()}
    first = next(tensor.name for tensor in spec.inputs if tensor.name in dtypes)
    for output in spec.outputs:
        follows = output.dtype.removesuffix(".dtype") if output.dtype else first
        dtypes[output.name] = (output_dtypes or {}).get(output.name, dtypes[follows])
    values = values_of(spec, shapes, attributes)
    return _expect(specs, spec, product, inputs, _Call(values, dtypes, shapes))


def evaluate(
    specs: SpecSet,
    operator: str,
    inputs: Inputs,
    attributes: Mapping[str, Any],
    product: str,
    output_dtypes: Mapping[str, str] | None = None,
) -> dict[str, Expected]:
    """Return what :func:`expect_call` does, with all elements in memory."""
    expected = expect_call(specs, operator, inputs, attributes, product, output_dtypes)
    return {name: each.whole() for name, each in expected.items()}


@dataclass(frozen=True)
class _Call:
    values: Mapping[str, Any]
    dtypes: Mapping[str, str]
    shapes: Mapping[str, tuple[int, ...]]


def _call_of(case: Case) -> _Call:
    return _Call(
        {**case.names, **case.attributes},
        {tensor.name: tensor.dtype for tensor in case.tensors},
        {tensor.name: tensor.shape for tensor in case.tensors},
    )


def _expect(
    specs: SpecSet, spec: OperatorSpec, product: str, inputs: Inputs, call: _Call
) -> dict[str, Expectation]:
    """Return the expectations; a spec that its formula or its data cannot follow is wrong input."""
    try:
        return _evaluate(specs, spec, product, inputs, call)
    except ExpressionError as error:
        raise WrongInputError(f"specs/{spec.operator}.yaml: {error}") from None
    except KeyError as error:
        raise WrongInputError(
            f"the formula module {spec.golden} wants {error}, which specs/{spec.operator}.yaml "
            "does not have; correct `golden:` or the formula"
        ) from None


def _evaluate(
    specs: SpecSet, spec: OperatorSpec, product: str, inputs: Inputs, call: _Call
) -> dict[str, Expectation]:
    contexts = {
        output.name: _context(specs, spec, product, call, output.name) for output in spec.outputs
    }
    module = formula_module(spec.golden)
    on = arithmetic_of(specs, spec, product, call.dtypes)
    with np.errstate(all="ignore"):
        inputs = _as_computed(spec, product, inputs)
        if module.ELEMENTWISE:
            aligned = module.align(inputs, call.values) if hasattr(module, "align") else inputs
            return _by_element(_Elements(module, contexts, call.values, on), aligned)
        fill = functools.partial(_fill, module, contexts, call.values, on)
        expected = fill(inputs)
        others = [fill(flushed) for flushed in _flushed(inputs)] if on.flushes else []
        return {
            name: _with_alternatives(own, [_differing(own, other[name]) for other in others])
            for name, own in expected.items()
        }


def _fill(
    module: ModuleType,
    contexts: Mapping[str, _Context],
    values: Mapping[str, Any],
    on: Arithmetic,
    inputs: Inputs,
) -> dict[str, Expected]:
    """Return the expectations for some inputs, in the full arithmetic."""
    filled = {}
    for name, result in module.evaluate(inputs, values, on).items():
        filled[name] = replace(Expected.blank(result.value.shape), shared=result.shared)
        for part, block in _result_blocks(result, filled[name]):
            block.put(..., _expected(part, contexts[name]))
    return filled


@dataclass(frozen=True)
class _Elements:
    """A call of an elementwise operator.

    Attributes:
        module: The formula.
        contexts: What stays the same for all elements, by output.
        values: Attributes and derived names.
        on: How the device computes.
    """

    module: ModuleType
    contexts: Mapping[str, _Context]
    values: Mapping[str, Any]
    on: Arithmetic

    def expected(
        self,
        columns: Inputs,
        kernel: Kernel | None = None,
        room: Mapping[str, Expected] | None = None,
    ) -> dict[str, Expected]:
        """Return the expectations of some elements, one-dimensional.

        Args:
            columns: Their inputs.
            kernel: The compiled loop, if it is worth while.
            room: Arrays to be filled, one-dimensional, of as many elements or more.
        """
        shape = next(iter(columns.values())).shape
        room = room or {name: Expected.blank(shape) for name in self.contexts}
        filled = self._fill(columns, kernel, {n: e.part(slice(shape[0])) for n, e in room.items()})
        others: dict[str, list[Alternatives]] = {name: [] for name in filled}
        for index, flushed in _flushed_elements(columns) if self.on.flushes else ():
            exact = _fill(self.module, self.contexts, self.values, self.on, flushed)
            for name, other in exact.items():
                part = filled[name].at(index)
                others[name].append(_differing(part, other, index))
                filled[name].tolerance[index] = part.tolerance
        return {name: _with_alternatives(own, others[name]) for name, own in filled.items()}

    def _fill(
        self, columns: Inputs, kernel: Kernel | None, room: Mapping[str, Expected]
    ) -> dict[str, Expected]:
        """Fill the expectations, quickly of most elements, in full arithmetic of few."""
        shape, filled = next(iter(columns.values())).shape, dict(room)
        if kernel is None:
            found, unusual = self._quick(columns)
            for name, own in filled.items():
                own.put(..., found[name])
                filled[name] = replace(own, shared=found[name].shared)
        else:
            unusual = np.empty(shape, np.bool_)
            arrays = [array for own in filled.values() for array in own.arrays]
            kernel.fill(
                {name: readable(array) for name, array in columns.items()}, [*arrays, unusual]
            )
        if unusual is not None and unusual.any():
            index = np.flatnonzero(np.broadcast_to(unusual, shape))
            part = {name: array[index] for name, array in columns.items()}
            for name, exact in _fill(
                self.module, self.contexts, self.values, self.on, part
            ).items():
                filled[name].put(index, exact)
                filled[name] = replace(filled[name], shared=exact.shared)
        return filled

    def kernel(self, columns: Inputs) -> Kernel | None:
        """Return the compiled loop; None if there is none, or if it disagrees with NumPy.

        A formula that decides by its data for all elements at once is traced wrongly, so each call
        compares a sample of its elements.
        """
        try:
            made = self._traced(columns)
        except (AttributeError, TypeError, ExpressionError):  # symbols cannot do all that arrays do
            return None
        if made is None:
            return None
        size = len(next(iter(columns.values())))
        index = np.arange(0, size, max(1, size // CHECKED))
        some = {name: column[index] for name, column in columns.items()}
        with np.errstate(all="ignore"):
            one, other = self.expected(some, made), self.expected(some)
        return made if all(_are_equal(one[name], other[name]) for name in one) else None

    def _traced(self, columns: Inputs) -> Kernel | None:
        trace = Trace()
        types = {name: readable(array[:0]).dtype.name for name, array in columns.items()}
        inputs: dict[str, Any] = {name: trace.input(name, each) for name, each in types.items()}
        found, unusual = self._quick(inputs)
        outputs = [
            (array.dtype.name, symbol)
            for own in found.values()
            for array, symbol in zip(Expected.blank((0,)).arrays, own.arrays, strict=True)
        ]
        mask = ("bool", False if unusual is None else unusual)
        return compile_trace(trace, [*outputs, mask])

    def _quick(self, inputs: Inputs) -> tuple[dict[str, Expected], Mask | None]:
        """Return the expectations, and of which elements they say nothing."""
        results = self.module.evaluate(inputs, self.values, replace(self.on, quick=True))
        found, unusual = {}, None
        for name, context in self.contexts.items():
            found[name] = _expected(results[name], context)
            own = _unusual(results[name], found[name], context.output)
            unusual = either_mask(unusual, own)
        return found, unusual


def _by_element(call: _Elements, aligned: Inputs) -> dict[str, Expectation]:
    """Return the expectations of an elementwise operator; of small calls, those in memory."""
    shape = np.broadcast_shapes(*(array.shape for array in aligned.values()))
    columns = {name: np.ascontiguousarray(array).reshape(-1) for name, array in aligned.items()}
    if math.prod(shape) < LARGE:
        return {name: own.shaped(shape) for name, own in call.expected(columns).items()}
    kernel = call.kernel(columns)
    first = call.expected({name: column[:1] for name, column in columns.items()})
    return {
        name: ElementsOfOutput(call, name, columns, shape, first[name].shared, kernel)
        for name in call.contexts
    }


def _are_equal(one: Expected, other: Expected) -> bool:
    """Whether two expectations are one, but for the last bits of an exponential."""
    numbers = ("value", "own", "tolerance")
    exact = ("allowed", "reached", "contested", "undecided", "formula")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in exact) and all(
        np.allclose(getattr(one, name), getattr(other, name), 1e-12, 0.0, equal_nan=True)
        for name in numbers
    )


@dataclass(frozen=True)
class ElementsOfOutput:
    """The expectation for one output of an elementwise operator, worked out when asked for.

    Attributes:
        call: The call.
        output: The output.
        columns: The inputs, one-dimensional.
        shape: The output's view shape.
        shared: Largest relative error of a factor that is the same for the whole call.
        kernel: The compiled loop, if it is worth while.
    """

    call: _Elements
    output: str
    columns: Inputs
    shape: tuple[int, ...]
    shared: float
    kernel: Kernel | None

    def part(self, part: slice) -> Expected:
        """Return a range of the elements, row-major."""
        return self._of({name: column[part] for name, column in self.columns.items()}, self.kernel)

    def at(self, index: npt.NDArray[np.int64]) -> Expected:
        """Return the elements at flat indices."""
        return self._of({name: column[index] for name, column in self.columns.items()}, None)

    def blocks(self, threads: int = 1) -> Iterator[tuple[int, Expected]]:
        """Yield all elements in order, :data:`BLOCK` at a time, each with its first index.

        A block is valid until the next one is asked for. Threads work ahead.
        """
        for start, span in self._spans(threads):
            for first in range(0, len(span.value), BLOCK):
                yield start + first, span.part(slice(first, first + BLOCK))

    def _spans(self, threads: int) -> Iterator[tuple[int, Expected]]:
        size = math.prod(self.shape)
        rooms = [
            {name: Expected.blank((min(SPAN, size),)) for name in self.call.contexts}
            for _ in range(threads + 1)
        ]

        def span(number: int) -> Expected:
            part = slice(number * SPAN, (number + 1) * SPAN)
            columns = {name: column[part] for name, column in self.columns.items()}
            return self._of(columns, self.kernel, rooms[number % len(rooms)])

        numbers = range(-(-size // SPAN))
        with ThreadPoolExecutor(threads) as pool:
            ahead = deque(pool.submit(span, number) for number in numbers[:threads])
            for number in numbers:
                found = ahead.popleft().result()
                # The room that comes next is that of the span before this one.
                if number + threads in numbers:
                    ahead.append(pool.submit(span, number + threads))
                yield number * SPAN, found

    def whole(self) -> Expected:
        """Return all elements in the output's shape: some 36 bytes for each."""
        whole, others = Expected.blank(self.shape), []
        into = whole.flat()
        for start, span in self._spans(1):
            into.put(slice(start, start + SPAN), span)
            if span.alternatives is not None:
                own = span.alternatives
                others.append(Alternatives(own.index + start, own.expected))
        return replace(_with_alternatives(whole, others), shared=self.shared)

    def _of(
        self, columns: Inputs, kernel: Kernel | None, room: Mapping[str, Expected] | None = None
    ) -> Expected:
        with np.errstate(all="ignore"):
            return self.call.expected(columns, kernel, room)[self.output]


def _with_alternatives(expected: Expected, others: Sequence[Alternatives]) -> Expected:
    return replace(expected, alternatives=Alternatives.joined(others)) if others else expected


def _differing(
    expected: Expected, other: Expected, index: npt.NDArray[np.int64] | None = None
) -> Alternatives:
    """Return where another expectation accepts other results than the first one.

    Of a sum with one flushed term all elements differ, but by next to nothing. Where the other
    expectation goes beyond the tolerance by less than :data:`SLIVER` of it, that is widened.

    Args:
        expected: The expectation, whose tolerances may be changed.
        other: Another one of the same shape.
        index: The flat indices of the elements; all of the output's if absent.
    """
    own, other = expected.flat(), other.flat()
    same = (own.value == other.value) | (np.isnan(own.value) & np.isnan(other.value))
    same &= own.tolerance >= other.tolerance
    farthest = np.abs(own.value - other.value) + other.tolerance
    near = farthest <= own.tolerance * (1 + SLIVER)
    same |= near | ((own.allowed & _VALUE) == 0)
    same &= own.allowed == other.allowed
    np.copyto(own.tolerance, np.maximum(own.tolerance, farthest), where=near & same)
    where = np.flatnonzero(~same)
    return Alternatives(where if index is None else index[where], other.at(where))


def is_subnormal(array: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return which numbers of a floating type other than float64 are subnormal; others: none."""
    floating = DATA_TYPES[array.dtype.name].floating if array.dtype.name in DATA_TYPES else None
    unsigned = _UNSIGNED.get(array.dtype.itemsize)
    if floating is None or unsigned is None:
        return np.zeros(array.shape, np.bool_)
    fraction = unsigned((1 << floating.fraction_bits) - 1)
    sign = unsigned(1 << (8 * array.dtype.itemsize - 1))
    # Of 0 this gives the largest number.
    bits = (np.ascontiguousarray(array).view(unsigned) & ~sign) - unsigned(1)
    return np.asarray(bits < fraction).reshape(array.shape)


_UNSIGNED: dict[int, Any] = {2: np.uint16, 4: np.uint32}


def _without_subnormals(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array whose subnormal numbers are zeros of their sign."""
    return np.where(is_subnormal(array), array * array.dtype.type(0), array)


def _subsets(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the sets of inputs that may count as flushed; of many inputs, only all together."""
    least = 1 if len(names) <= MOST_COMBINED else len(names)
    for size in range(least, len(names) + 1):
        yield from itertools.combinations(names, size)


def _flushed(inputs: Inputs) -> Iterator[Inputs]:
    """Yield the inputs with the subnormal numbers of one tensor, and of all, as zeros."""
    concerned = {
        name: _without_subnormals(array)
        for name, array in inputs.items()
        if is_subnormal(array).any()
    }
    for name, flushed in concerned.items():
        yield {**inputs, name: flushed}
    if len(concerned) > 1:
        yield {**inputs, **concerned}


def _flushed_elements(block: Inputs) -> Iterator[tuple[npt.NDArray[np.int64], Inputs]]:
    """Yield the elements that have subnormal numbers, with these as zeros."""
    found = {name: is_subnormal(array) for name, array in block.items()}
    for chosen in _subsets([name for name, mask in found.items() if mask.any()]):
        index = np.flatnonzero(np.logical_and.reduce([found[name] for name in chosen]))
        part = {name: array[index] for name, array in block.items()}
        if len(index):
            yield index, {**part, **{name: _without_subnormals(part[name]) for name in chosen}}


def arithmetic_of(
    specs: SpecSet, spec: OperatorSpec, product: str, dtypes: Mapping[str, str]
) -> Arithmetic:
    """Return how a right device may compute a call.

    Args:
        specs: All specs.
        spec: The operator's.
        product: The product.
        dtypes: Data types of the tensors by name.
    """
    own = dtypes[spec.leading]
    computing = spec.computes_in.get(product, {}).get(own, "float32")
    names = dict.fromkeys(name for item in spec.precision for name in item.allowances)
    allowances = (specs.allowances[name] for name in names)
    return Arithmetic.of(allowances, _floating(computing), _floating(own))


def _as_computed(spec: OperatorSpec, product: str, inputs: Inputs) -> Inputs:
    """Round inputs to the narrower type in which the product computes them."""
    narrower = spec.computes_in.get(product, {})
    if not narrower:
        return inputs
    return {
        name: array.astype(DATA_TYPES[narrower[array.dtype.name]].numpy)
        if array.dtype.name in narrower
        else array
        for name, array in inputs.items()
    }


def _context(
    specs: SpecSet, spec: OperatorSpec, product: str, call: _Call, output: str
) -> _Context:
    held = {
        attribute.name: DATA_TYPES[attribute.held_in].floating
        for attribute in spec.attributes
        if attribute.held_in is not None
    }
    scalars = {
        name: hold(value, held[name]) if held.get(name) else value  # type: ignore[arg-type]
        for name, value in call.values.items()
    }
    inf_nan = specs.products[product].inf_nan
    clauses = spec.clauses_of(output, inf_nan=inf_nan)
    applicable = ClauseSet.of(clauses, Scope(scalars, call.shapes))
    return _Context(applicable, scalars, call.shapes, _floating(call.dtypes[output]), inf_nan)


def _floating(name: str) -> FloatFormat:
    floating = DATA_TYPES[name].floating
    if floating is None:
        raise ValueError(f"{name} is no floating type")
    return floating


def _result_blocks(result: Result, expected: Expected) -> Iterator[tuple[Result, Expected]]:
    """Cut a whole result into blocks, unless its conditions gather elements from all over."""
    shape = result.value.shape
    if result.gather is not None or math.prod(shape) <= BLOCK:
        yield result, expected
        return
    flat = {name: np.broadcast_to(array, shape).reshape(-1) for name, array in result.scope.items()}
    number, into = result.number.each(lambda array: array.reshape(-1)), expected.flat()
    for start in range(0, len(number.value), BLOCK):
        part = slice(start, start + BLOCK)
        scope = {name: column[part] for name, column in flat.items()}
        block = replace(result, number=number.each(operator.itemgetter(part)), scope=scope)
        yield block, into.part(part)


def _expected(result: Result, context: _Context) -> Expected:
    """Return the expectation of some elements; numpy's error state is the caller's."""
    scope = Scope({**context.scalars, **result.scope}, context.shapes, result.gather)
    found = expected_of(result.number, context.clauses, scope, context.output, result.shared)
    if context.inf_nan:
        return found
    # Conversions saturate there: nothing is promised where Inf or NaN would come in.
    silent = ((found.allowed & _NON_FINITE) != 0) | ~np.isfinite(found.value)
    return replace(found, allowed=np.where(silent, ALL_OUTCOMES, found.allowed))


def _unusual(result: Result, found: Expected, output: FloatFormat) -> Mask | None:
    """Return the elements of which a quick result says nothing."""
    reach = np.abs(found.value) + found.tolerance
    beyond = None if reach.max(initial=0.0) < output.overflow else ~(reach < output.overflow)
    return either_mask(result.number.settled.unusual, beyond)


def differing_outcomes(before: SpecSet, after: SpecSet, operator: str, cases: Cases) -> int:
    """Return for how many of the calls the allowed outcomes of any element differ.

    Cases of two products are often one call; it counts once, and is evaluated once. The data are
    made only if what the outcomes follow from differs at all.

    Args:
        before: The specs of one edition.
        after: The specs of the other.
        operator: The operator.
        cases: Its cases that both editions have.
    """
    if not values_differ(before.operator(operator), after.operator(operator)):
        return 0
    distinct = {
        (call_key(before, case), call_key(after, case)): case
        for own in cases.values()
        for case in own
        if case.expects_success
    }
    return sum(_differs(before, after, case) for case in distinct.values())


def _differs(before: SpecSet, after: SpecSet, case: Case) -> bool:
    inputs = make_inputs(after.operator(case.operator), case)
    old, new = expect_case(before, case, inputs), expect_case(after, case, inputs)
    return any(
        not np.array_equal(old[name].whole().allowed, new[name].whole().allowed) for name in new
    )
