# SPDX-License-Identifier: Apache-2.0
"""From a formula and a spec's clauses to what may come back for each element.

Several clauses can apply to one element. An overridden clause steps back. If what the others allow
has a common part, all of them can be kept, and the common part is required. If not, the document
contradicts itself: the element is contested, and each outcome is accepted. An element for which a
rounding of the device decides whether a clause applies may follow either reading.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Expected, FloatArray, Outcome
from aclnn_cts.golden.formula import Inputs, Result, formula_module
from aclnn_cts.golden.tolerance import Budget, accumulation_roundings, strict_tolerance
from aclnn_cts.plan.binding import values_of
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat
from aclnn_cts.spec.evaluation import Scope, Truth, evaluate_condition, evaluate_number, hold
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec, ValueClause

BLOCK = 1 << 14
"""Elements that are worked off at a time: some twenty float64 arrays of them fit the cache."""

_ZERO = np.uint8(Outcome.ZERO)
_NAN = np.uint8(Outcome.NAN)
_POS_INF = np.uint8(Outcome.POS_INF)
_NEG_INF = np.uint8(Outcome.NEG_INF)
_NON_FINITE = np.uint8(Outcome.NON_FINITE)
_ANY = np.uint8(Outcome.ANY)
_EXPECT = {
    "zero": _ZERO,
    "nan": _NAN,
    "inf": np.uint8(Outcome.INF),
    "non-finite": _NON_FINITE,
    "any": _ANY,
}


@dataclass(frozen=True)
class _Context:
    """What stays the same for all elements of one output."""

    clauses: tuple[tuple[int, ValueClause], ...]
    numbers: Mapping[int, ValueClause]
    scalars: Mapping[str, Any]
    shapes: Mapping[str, tuple[int, ...]]
    budget: Budget
    inf_nan: bool


def expect_case(specs: SpecSet, case: Case, inputs: Inputs) -> dict[str, Expected]:
    """Return what may come back from a case that must work.

    Args:
        specs: All specs.
        case: The case; its values and output data types count.
        inputs: View-shaped arrays in the tensors' own data types.
    """
    values = {**case.names, **case.attributes}
    dtypes = {tensor.name: tensor.dtype for tensor in case.tensors}
    shapes = {tensor.name: tensor.shape for tensor in case.tensors}
    spec = specs.operator(case.operator)
    return _expect(specs, spec, case.product, inputs, _Call(values, dtypes, shapes))


def evaluate(
    specs: SpecSet,
    operator: str,
    inputs: Inputs,
    attributes: Mapping[str, Any],
    product: str,
    output_dtypes: Mapping[str, str] | None = None,
) -> dict[str, Expected]:
    """Return what may come back from a call with given data.

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
    for output in spec.outputs:
        follows = output.dtype.removesuffix(".dtype") if output.dtype else next(iter(dtypes))
        dtypes[output.name] = (output_dtypes or {}).get(output.name, dtypes[follows])
    values = values_of(spec, shapes, attributes)
    return _expect(specs, spec, product, inputs, _Call(values, dtypes, shapes))


@dataclass(frozen=True)
class _Call:
    values: Mapping[str, Any]
    dtypes: Mapping[str, str]
    shapes: Mapping[str, tuple[int, ...]]


def _expect(
    specs: SpecSet, spec: OperatorSpec, product: str, inputs: Inputs, call: _Call
) -> dict[str, Expected]:
    contexts = {
        output.name: _context(specs, spec, product, call, output.name) for output in spec.outputs
    }
    module = formula_module(spec.golden)
    expected: dict[str, Expected] = {}
    with np.errstate(all="ignore"):
        inputs = _as_computed(spec, product, inputs)
        if not module.ELEMENTWISE:
            for name, result in module.evaluate(inputs, call.values).items():
                expected[name] = Expected.blank(result.value.shape)
                _judge_block(result, contexts[name], expected[name])
            return expected
        aligned = module.align(inputs, call.values) if hasattr(module, "align") else inputs
        shape = np.broadcast_shapes(*(array.shape for array in aligned.values()))
        expected = {name: Expected.blank(shape) for name in contexts}
        for block, parts in _blocks(aligned, {n: _flat(e) for n, e in expected.items()}):
            for name, result in module.evaluate(block, call.values).items():
                _judge_block(result, contexts[name], parts[name])
    return expected


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
    numbered = tuple(
        (number, clause)
        for number, clause in enumerate(spec.clauses)
        if clause.output is None or output in clause.output
    )
    held = {
        attribute.name: DATA_TYPES[attribute.held_in].floating
        for attribute in spec.attributes
        if attribute.held_in is not None
    }
    scalars = {
        name: hold(value, held[name]) if held.get(name) else value  # type: ignore[arg-type]
        for name, value in call.values.items()
    }
    budget = _budget(specs, spec, product, call, output)
    inf_nan = specs.products[product].inf_nan
    return _Context(numbered, dict(numbered), scalars, call.shapes, budget, inf_nan)


def _budget(specs: SpecSet, spec: OperatorSpec, product: str, call: _Call, output: str) -> Budget:
    precision = spec.precision_of(output)
    floats = [
        kind for name in call.dtypes.values() if (kind := DATA_TYPES[name].floating) is not None
    ]
    storage = min(floats, key=lambda kind: kind.fraction_bits)
    roundings, terms = precision.roundings, 1
    if precision.accumulates is not None:
        terms = int(evaluate_number(precision.accumulates, Scope(call.values, call.shapes)))
        factor = specs.precision.strict.accumulation_factor
        roundings += accumulation_roundings(terms, factor)
    dtype = call.dtypes[output]
    computing = spec.computes_in.get(product, {}).get(dtype, "float32")
    return Budget(
        output=_floating(dtype),
        computing=_floating(computing),
        storage=storage,
        roundings=roundings,
        storage_roundings=precision.storage_roundings,
        terms=terms,
    )


def _floating(name: str) -> FloatFormat:
    floating = DATA_TYPES[name].floating
    if floating is None:
        raise ValueError(f"{name} is no floating type")
    return floating


def _flat(expected: Expected) -> Expected:
    """Return a one-dimensional view of an expectation's (contiguous) arrays."""
    return Expected(
        expected.value.reshape(-1),
        expected.allowed.reshape(-1),
        expected.bound.reshape(-1),
        expected.tolerance.reshape(-1),
        expected.reached.reshape(-1),
        expected.contested.reshape(-1),
    )


def _blocks(
    aligned: Inputs, flat: Mapping[str, Expected]
) -> Iterator[tuple[Inputs, dict[str, Expected]]]:
    """Cut arrays of one shape, and the expectations to be filled, into blocks."""
    columns = {name: np.ascontiguousarray(array).reshape(-1) for name, array in aligned.items()}
    numel = len(next(iter(columns.values())))
    for start in range(0, numel, BLOCK):
        part = slice(start, start + BLOCK)
        yield (
            {name: column[part] for name, column in columns.items()},
            {name: _part(expected, part) for name, expected in flat.items()},
        )


def _part(expected: Expected, part: slice) -> Expected:
    return Expected(
        expected.value[part],
        expected.allowed[part],
        expected.bound[part],
        expected.tolerance[part],
        expected.reached[part],
        expected.contested[part],
    )


def _judge_block(result: Result, context: _Context, into: Expected) -> None:
    """Fill one block of an expectation; numpy's error state is the caller's."""
    into.value[...] = result.value
    into.bound[...] = result.bound
    into.tolerance[...] = strict_tolerance(into.value, into.bound, context.budget)
    outcome = _value_outcome(result, into, context)
    _apply_clauses(result, context, outcome, into)
    if not context.inf_nan:
        # Conversions saturate there: nothing is promised where Inf or NaN would come in.
        silent = ((into.allowed & _NON_FINITE) != 0) | ~np.isfinite(into.value)
        into.allowed[silent] = _ANY


def _value_outcome(result: Result, into: Expected, context: _Context) -> npt.NDArray[np.uint8]:
    """Return the outcomes that satisfy the formula's value, in the output's type."""
    value = into.value
    outcome = np.full(value.shape, np.uint8(Outcome.VALUE))
    magnitude = np.abs(value)
    limit = _overflow_threshold(context.budget.output)
    # One comparison tells whether a block has anything but ordinary values.
    ordinary = magnitude + into.tolerance < limit
    ordinary &= into.bound < context.budget.computing.max_finite
    if not ordinary.all():
        _mark_extremes(outcome, magnitude, into, context)
        _mark_strained(outcome, result, into, context.budget.computing.max_finite)
    outcome[value == 0] |= _ZERO
    return outcome


def _overflow_threshold(output: FloatFormat) -> float:
    """Return the least magnitude that rounds to Inf (IEEE 754-2019, 4.3.1)."""
    return output.max_finite + math.ldexp(0.5, output.max_exponent - output.fraction_bits)


def _mark_extremes(
    outcome: npt.NDArray[np.uint8], magnitude: FloatArray, into: Expected, context: _Context
) -> None:
    value, tolerance = into.value, into.tolerance
    limit = _overflow_threshold(context.budget.output)
    infinity = np.where(value > 0, _POS_INF, _NEG_INF)
    near = (magnitude + tolerance >= limit) & (magnitude - tolerance < limit)
    outcome[near] |= infinity[near]
    tolerance[near] *= 2  # the largest finite value must be within reach from beyond the threshold
    beyond = (magnitude - tolerance >= limit) | np.isinf(value)
    outcome[beyond] = infinity[beyond]
    nan = np.isnan(value)
    outcome[nan] = _NAN


def _mark_strained(
    outcome: npt.NDArray[np.uint8], result: Result, into: Expected, largest: float
) -> None:
    """Allow what an intermediate overflow may lead to, although the exact result is another."""
    strained = (into.bound >= largest) & np.isfinite(into.value)
    if result.peak is not None:
        strained |= (result.peak >= largest) & ~np.isnan(into.value)
    outcome[strained] |= _NON_FINITE


def _apply_clauses(
    result: Result, context: _Context, outcome: npt.NDArray[np.uint8], into: Expected
) -> None:
    scope = Scope({**context.scalars, **result.scope}, context.shapes, result.gather)
    conditions = _conditions(context, scope)
    common = np.full(outcome.shape, _ANY)
    union = np.zeros(outcome.shape, np.uint8)
    undecided: Any = False
    into.reached[...] = 0
    for number, truth in conditions.items():
        expect = context.numbers[number].expect
        bits = outcome if expect == "value" else np.uint8(_EXPECT[expect])
        possible = np.broadcast_to(truth.possible, outcome.shape)
        np.bitwise_and(common, bits, out=common, where=possible)
        np.bitwise_or(union, bits, out=union, where=possible)
        np.bitwise_or(into.reached, np.uint32(1 << number), out=into.reached, where=possible)
        if not truth.is_exact:
            undecided = undecided | np.not_equal(truth.possible, truth.certain)
    np.copyto(common, union, where=np.broadcast_to(undecided, outcome.shape))
    np.equal(common, 0, out=into.contested)
    np.copyto(common, union, where=into.contested)
    into.allowed[...] = common


def _conditions(context: _Context, scope: Scope) -> dict[int, Truth]:
    """Return where each clause applies after overrides; clauses that cannot apply are left out."""
    raw: dict[int, Truth] = {}
    for number, clause in context.clauses:
        if clause.needs_inf_nan and not context.inf_nan:
            continue
        truth = evaluate_condition(clause.when, scope)
        if np.any(truth.possible):
            raw[number] = truth
    ids = {context.numbers[number].id: number for number in raw}
    effective = dict(raw)
    for number, clause in ((number, context.numbers[number]) for number in raw):
        for overridden in clause.overrides:
            if overridden in ids:
                effective[ids[overridden]] = effective[ids[overridden]] & ~raw[number]
    return effective
