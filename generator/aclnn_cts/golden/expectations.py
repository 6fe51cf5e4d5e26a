# SPDX-License-Identifier: Apache-2.0
"""From a formula and a spec's clauses to what may come back for each element.

Several clauses can apply to one element. An overridden clause steps back. If what the others allow
has a common part, all of them can be kept, and the common part is required. If not, the document
contradicts itself: the element is contested, and each outcome is accepted. An element for which a
rounding of the device decides whether a clause applies may follow either reading.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.application import ALL_OUTCOMES, ClauseSet, apply_clauses
from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.golden.formula import Inputs, Result, formula_module
from aclnn_cts.golden.outcomes import value_outcome
from aclnn_cts.golden.tolerance import Budget, accumulation_roundings, strict_tolerance
from aclnn_cts.plan.binding import values_of
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat
from aclnn_cts.spec.evaluation import Scope, evaluate_number, hold, holds
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

BLOCK = 1 << 16
"""Elements that are worked off at a time: some twenty float64 arrays of them fit the cache."""

_NON_FINITE = np.uint8(Outcome.NON_FINITE)


@dataclass(frozen=True)
class _Context:
    """What stays the same for all elements of one output."""

    clauses: ClauseSet
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
    spec = specs.operator(case.operator)
    return _expect(specs, spec, case.product, inputs, _call_of(case))


def budgets_of(specs: SpecSet, case: Case) -> dict[str, Budget]:
    """Return the error budget of each output of a case that must work."""
    spec = specs.operator(case.operator)
    call = _call_of(case)
    return {
        output.name: _budget(specs, spec, case.product, call, output.name)
        for output in spec.outputs
    }


def call_key(specs: SpecSet, case: Case) -> Hashable:
    """Return what decides the expectation of a case; the same for two products with one arithmetic.

    Calls that must be refused have no expectation: all of them have the key None.
    """
    if not case.expects_success:
        return None
    narrower = specs.operator(case.operator).computes_in.get(case.product, {})
    inf_nan = specs.product(case.product).inf_nan
    return case.operator, case.digest, inf_nan, tuple(sorted(narrower.items()))


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
    first = next(tensor.name for tensor in spec.inputs if tensor.name in dtypes)
    for output in spec.outputs:
        follows = output.dtype.removesuffix(".dtype") if output.dtype else first
        dtypes[output.name] = (output_dtypes or {}).get(output.name, dtypes[follows])
    values = values_of(spec, shapes, attributes)
    return _expect(specs, spec, product, inputs, _Call(values, dtypes, shapes))


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
) -> dict[str, Expected]:
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
                for part, into in _result_blocks(result, expected[name]):
                    _fill_block(part, contexts[name], into)
            return expected
        aligned = module.align(inputs, call.values) if hasattr(module, "align") else inputs
        shape = np.broadcast_shapes(*(array.shape for array in aligned.values()))
        expected = {name: Expected.blank(shape) for name in contexts}
        for block, parts in _blocks(aligned, {n: e.flat() for n, e in expected.items()}):
            for name, result in module.evaluate(block, call.values).items():
                _fill_block(result, contexts[name], parts[name])
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
    budget = _budget(specs, spec, product, call, output)
    return _Context(applicable, scalars, call.shapes, budget, inf_nan)


def _budget(specs: SpecSet, spec: OperatorSpec, product: str, call: _Call, output: str) -> Budget:
    precision = spec.precision_of(output)
    computing = spec.computes_in.get(product, {}).get(call.dtypes[output], "float32")
    types = (
        _floating(call.dtypes[output]),
        _floating(computing),
        _floating(call.dtypes[precision.stored_in or output]),
    )
    if precision.exact_when is not None and holds(
        precision.exact_when, Scope(call.values, call.shapes)
    ):
        return Budget(*types, roundings=0.0)
    roundings, terms = precision.roundings, 1
    if precision.accumulates is not None:
        terms = int(evaluate_number(precision.accumulates, Scope(call.values, call.shapes)))
        factor = specs.precision.strict.accumulation_factor
        roundings += accumulation_roundings(terms, factor)
    return Budget(
        *types,
        roundings=roundings,
        storage_roundings=precision.storage_roundings,
        call_roundings=precision.call_roundings,
        call_storage_roundings=precision.call_storage_roundings,
        terms=terms,
    )


def _floating(name: str) -> FloatFormat:
    floating = DATA_TYPES[name].floating
    if floating is None:
        raise ValueError(f"{name} is no floating type")
    return floating


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
            {name: expected.part(part) for name, expected in flat.items()},
        )


def _result_blocks(result: Result, expected: Expected) -> Iterator[tuple[Result, Expected]]:
    """Cut a whole result into blocks, unless its conditions gather elements from all over."""
    numel = result.value.size
    if result.gather is not None:
        yield result, expected
        return
    shape = result.value.shape
    flat = {name: np.broadcast_to(array, shape).reshape(-1) for name, array in result.scope.items()}
    value, bound, into = result.value.reshape(-1), result.bound.reshape(-1), expected.flat()
    peak = None if result.peak is None else result.peak.reshape(-1)
    for start in range(0, numel, BLOCK):
        part = slice(start, start + BLOCK)
        scope = {name: column[part] for name, column in flat.items()}
        block_peak = None if peak is None else peak[part]
        block = replace(result, value=value[part], bound=bound[part], scope=scope, peak=block_peak)
        yield block, into.part(part)


def _fill_block(result: Result, context: _Context, into: Expected) -> None:
    """Fill one block of an expectation; numpy's error state is the caller's."""
    into.value[...] = result.value
    into.bound[...] = result.bound
    into.tolerance[...] = strict_tolerance(into.value, into.bound, context.budget)
    outcome = value_outcome(result, into, context.budget)
    scope = Scope({**context.scalars, **result.scope}, context.shapes, result.gather)
    apply_clauses(context.clauses, scope, outcome, into)
    if not context.inf_nan:
        # Conversions saturate there: nothing is promised where Inf or NaN would come in.
        silent = ((into.allowed & _NON_FINITE) != 0) | ~np.isfinite(into.value)
        into.allowed[silent] = ALL_OUTCOMES
