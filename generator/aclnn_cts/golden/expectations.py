# SPDX-License-Identifier: Apache-2.0
"""Expectations of each element, from a formula and a spec's clauses.

Several clauses can apply to one element, except overridden ones. If their allowed results have a
common part, it is required. If not, the document contradicts itself: the element is contested, and
the results of each clause are accepted. If the device's rounding determines whether a clause
applies to an element, it may apply or not.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.arithmetic import FLOAT64, LONG_DOUBLE, Arithmetic
from aclnn_cts.golden.elements import LARGE, Context, Elements, Windows
from aclnn_cts.golden.expected import Expectation, Expected, Outcome, real_of
from aclnn_cts.golden.expressions import computes_whole
from aclnn_cts.golden.flushing import (
    differing,
    flush,
    flush_sets,
    is_subnormal,
    with_alternatives,
)
from aclnn_cts.golden.formula import (
    Inputs,
    align,
    aligned_shape,
    blaming,
    broadcast,
    has_sums,
    require_outputs,
    with_digits,
)
from aclnn_cts.golden.formula_modules import evaluate_whole, formula_module
from aclnn_cts.golden.tolerances import ClauseSet
from aclnn_cts.plan.binding import binding_of
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.data_types import DATA_TYPES, IntegerFormat, promote, type_name
from aclnn_cts.spec.evaluation import Scope, hold, holds
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import Formula, OperatorSpec, TensorParameter


def expect_case(
    specs: SpecSet, case: Case, inputs: Inputs, reading: int = 0
) -> dict[str, Expectation]:
    """Return the expectation of a valid case, for its requested outputs.

    Args:
        specs: All specs.
        case: The case, for its values and output data types.
        inputs: View-shaped arrays in the tensors' own data types.
        reading: The number of the document's reading, below the spec's ``readings``.
    """
    spec = specs.operator(case.operator)
    expected: dict[str, Expectation] = {}
    for each in case.slices:
        columns, call = each.of(inputs), _call_of(each.case)
        results = _expect(specs, spec, case.product, columns, call, reading)
        expected |= {each.names[output]: result for output, result in results.items()}
    return {
        name: expectation
        for name, expectation in expected.items()
        if case.tensor(name).source != "null"
    }


SUM_BYTES = 600
"""Bytes of memory per sum: a float16 PreluBackward took 515 per weight, with subnormal numbers in
all inputs."""


def expectation_bytes(specs: SpecSet, case: Case) -> int:
    """Return the approximate memory of the host for a case's sums, in bytes."""
    spec = specs.operator(case.operator)
    if (
        not case.expects_success
        or spec.is_contract
        or not has_sums(formula_module(spec.formula_source))
    ):
        return 0
    # each sum belongs to an element of a smaller tensor that is not a stretched input
    largest = max(case.tensors, key=lambda tensor: tensor.numel)
    stretched = {name for names in spec.broadcasts.values() for name in names}
    smaller = (
        tensor.numel
        for tensor in case.tensors
        if tensor.shape != largest.shape and tensor.name not in stretched
    )
    return SUM_BYTES * max(smaller, default=0)


def call_key(specs: SpecSet, case: Case) -> Hashable:
    """Return the key of a case's expectation; equal for products with the same arithmetic.

    Refused calls have no expectation; their key is None.
    """
    if not case.expects_success:
        return None
    narrower = specs.operator(case.operator).computes_in.get(case.product, {})
    inf_nan = specs.product(case.product).inf_nan
    outputs = specs.operator(case.operator).outputs
    left_open = tuple(each.name for each in outputs if case.product in each.unpromised_on)
    silent = tuple(specs.operator(case.operator).silences_of(o.name, case.product) for o in outputs)
    narrowed = tuple(sorted(narrower.items()))
    return case.operator, case.digest, inf_nan, narrowed, left_open, silent


def expect_call(
    specs: SpecSet,
    operator: str,
    inputs: Inputs,
    attributes: Mapping[str, Any],
    product: str,
    output_dtypes: Mapping[str, str] | None = None,
) -> dict[str, Expectation]:
    """Return the expectation of a call with given data; large tensors block by block.

    Args:
        specs: All specs.
        operator: The operator's name.
        inputs: View-shaped arrays by parameter name, in the tensors' own data types.
        attributes: All attributes by name.
        product: The product.
        output_dtypes: Data types of outputs, which may differ from the inputs'.

    Raises:
        WrongInputError: There is no such operator or product.
    """
    spec, _ = specs.operator(operator), specs.product(product)
    shapes = {name: tuple(array.shape) for name, array in inputs.items()}
    dtypes = {name: type_name(array.dtype) for name, array in inputs.items()}
    first = next(tensor.name for tensor in spec.inputs if tensor.name in dtypes)
    for output in spec.outputs:
        follows = output.dtype.removesuffix(".dtype") if output.dtype else first
        listed = output.dtypes or ()
        dtype = listed[0] if len(listed) == 1 else dtypes[follows]
        dtypes[output.name] = (output_dtypes or {}).get(output.name, dtype)
    binding = binding_of(spec, shapes, attributes)
    call = _Call(binding.values, dtypes, {**binding.shapes, **shapes})
    return _expect(specs, spec, product, inputs, call)


@dataclass(frozen=True)
class _Call:
    values: Mapping[str, Any]
    dtypes: Mapping[str, str]
    shapes: Mapping[str, tuple[int, ...]]
    null: frozenset[str] = frozenset()


def _call_of(case: Case) -> _Call:
    return _Call(
        case.values,
        {**case.scalars, **{tensor.name: tensor.dtype for tensor in case.tensors}},
        {tensor.name: tensor.shape for tensor in case.tensors},
        frozenset(tensor.name for tensor in case.tensors if tensor.source == "null"),
    )


def _expect(
    specs: SpecSet, spec: OperatorSpec, product: str, inputs: Inputs, call: _Call, reading: int = 0
) -> dict[str, Expectation]:
    """Return the expectations; a spec that does not fit its formula or data is wrong input."""
    if spec.is_contract:
        return {output.name: _by_contract(output, product, call) for output in spec.outputs}
    try:
        if spec.is_random:
            return {
                output.name: _random(specs, spec, product, call, output.name)
                for output in spec.outputs
            }
        with blaming(formula_module(spec.formula_source), spec.operator):
            on = replace(arithmetic_of(specs, spec, product, call.dtypes), reading=reading)
            expectations = _evaluate(specs, spec, product, inputs, call, on)
        return {output.name: expectations[output.as_output] for output in spec.outputs}
    except ExpressionError as error:
        raise WrongInputError(f"{spec.file}: {error}") from None


def _by_contract(output: TensorParameter, product: str, call: _Call) -> Expected:
    """Return the expectation that elements are finite, or anything without a promise."""
    expected = Expected.finite(call.shapes[output.name])
    scope = Scope(call.values, call.shapes, null=call.null)
    left_open = output.unpromised is not None and holds(output.unpromised, scope)
    unwanted = output.wanted is not None and not holds(output.wanted, scope)
    if product in output.unpromised_on or left_open or unwanted:
        expected.allowed[...] = Outcome.ANY
    return expected


def _random(specs: SpecSet, spec: OperatorSpec, product: str, call: _Call, output: str) -> Expected:
    """Return the expectation of random bits: any element is right, and all clauses apply."""
    context = _context(specs, spec, product, call, output)
    numbers = context.clauses.conditions(context.scope({}, None))
    return Expected.finite(call.shapes[output], sum(1 << number for number in numbers))


def _evaluate(
    specs: SpecSet, spec: OperatorSpec, product: str, inputs: Inputs, call: _Call, on: Arithmetic
) -> dict[str, Expectation]:
    contexts = {
        output.as_output: _context(specs, spec, product, call, output.name)
        for output in spec.outputs
    }
    module = formula_module(spec.formula_source)
    with np.errstate(all="ignore"):
        inputs = broadcast(spec, inputs)
        inputs = {spec.tensor(name).as_input: array for name, array in inputs.items()}
        inputs = with_digits(_narrow_inputs(spec, product, inputs), on.real)
        if not has_sums(module):
            return _by_element(module, contexts, call.values, on, inputs)
        aligned = align(module, inputs, call.values)
        # reduced axes may be kept
        reduced = {n: call.shapes[n] for n in spec.of_rows}
        if math.prod(aligned_shape(aligned)) < LARGE:
            whole = _whole(spec.formula_source, contexts, call.values, on, inputs)
            return {n: e.reshape(reduced[n]) if n in reduced else e for n, e in whole.items()}
        elements = Elements(module, contexts, call.values, on, aligned)
        outputs = elements.terms.outputs
        all_of_them = {**aligned, **inputs}
        shapes = {n: all_of_them[like].shape for n, like in outputs.items()}
        return elements.expectations(shapes | reduced)


def _by_element(
    module: ModuleType,
    contexts: Mapping[str, Context],
    values: Mapping[str, Any],
    on: Arithmetic,
    inputs: Inputs,
) -> dict[str, Expectation]:
    """Return the expectations of an operator without sums; small calls are in memory."""
    if hasattr(module, "part"):
        elements: Elements = Windows(module, contexts, values, on, inputs)
    else:
        elements = Elements(module, contexts, values, on, align(module, inputs, values))
    if elements.size >= LARGE:
        return elements.expectations(dict.fromkeys(contexts, elements.shape))
    expectations = elements.expect(elements.select(0, elements.size), elements.outputs)
    return {name: expectation.reshape(elements.shape) for name, expectation in expectations.items()}


def _whole(
    formula: Formula,
    contexts: Mapping[str, Context],
    values: Mapping[str, Any],
    on: Arithmetic,
    inputs: Inputs,
) -> dict[str, Expected]:
    """Return the expectations of a call in memory, in the full arithmetic."""

    def fill(inputs: Inputs) -> dict[str, Expected]:
        results = evaluate_whole(formula, inputs, values, on)
        require_outputs(formula_module(formula), results, contexts)
        return {name: contexts[name].whole(result) for name, result in results.items()}

    expected = fill(inputs)
    concerned = [name for name, array in inputs.items() if on.flushes and is_subnormal(array).any()]
    others = [fill(flush(inputs, names)) for names in flush_sets(concerned)]
    return {
        name: with_alternatives(
            expectation, [differing(expectation, other[name]) for other in others]
        )
        for name, expectation in expected.items()
    }


def arithmetic_of(
    specs: SpecSet, spec: OperatorSpec, product: str, dtypes: Mapping[str, str]
) -> Arithmetic:
    """Return how a correct device may compute a call, after promotion of the inputs.

    Args:
        specs: All specs.
        spec: The operator's.
        product: The product.
        dtypes: Data types of the tensors by name, and of scalars where they are known.
    """
    # a tensor beside lists is a number that they are computed with
    tensors = [tensor for tensor in spec.inputs if not spec.lists or tensor.length is not None]
    inputs = [dtypes[tensor.name] for tensor in tensors if tensor.name in dtypes]
    floating = [name for name in inputs if DATA_TYPES[name].floating is not None]
    # the formula determines the type for integers
    storage = promote(floating) or "float32"
    usual = "double" if storage == "double" else "float32"
    computing = spec.computes_in.get(product, {}).get(storage, usual)
    names = {name for item in spec.precision for name in item.allowances}
    on = Arithmetic.of(
        (a for name, a in specs.allowances.items() if name in names or (names and a.always)),
        DATA_TYPES[computing].grid,
        DATA_TYPES[storage].grid,
        real_of(dtypes[tensor.name] for tensor in spec.tensors if tensor.name in dtypes),
    )
    saturates = not specs.product(product).inf_nan
    output = DATA_TYPES[dtypes.get(spec.outputs[0].name, storage)].floating
    whole = None
    if not floating and all(scalar.name in dtypes for scalar in spec.scalars):
        promoted = promote(inputs, (dtypes[scalar.name] for scalar in spec.scalars))
        grid = DATA_TYPES[promoted or "float32"].grid
        whole = grid if isinstance(grid, IntegerFormat) else None
    return replace(on, integers=not floating, whole=whole, saturates=saturates, output=output)


def golden_arithmetic(specs: SpecSet, case: Case) -> Arithmetic:
    """Return the arithmetic of a case's golden values themselves, for their stated errors.

    It is float64, or long double, with the exact integers of the device's.
    """
    spec, dtypes = specs.operator(case.operator), _call_of(case.slices[0].case).dtypes
    whole = arithmetic_of(specs, spec, case.product, dtypes).whole
    on = LONG_DOUBLE if any(tensor.data_type.is_wide for tensor in case.tensors) else FLOAT64
    is_exact = whole is not None and computes_whole(spec.formula.values())
    return replace(on, integers=True, whole=whole) if is_exact else on


def _narrow_inputs(spec: OperatorSpec, product: str, inputs: Inputs) -> Inputs:
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


def _context(specs: SpecSet, spec: OperatorSpec, product: str, call: _Call, output: str) -> Context:
    scalars = dict(call.values)
    for attribute in spec.attributes:
        # a named type, or that of a tensor
        tensor, _, follows = (attribute.held_in or "").partition(".")
        dtype = call.dtypes[tensor] if follows else tensor
        if attribute.name in scalars and dtype and (floating := DATA_TYPES[dtype].floating):
            scalars[attribute.name] = hold(scalars[attribute.name], floating)
    inf_nan = specs.products[product].inf_nan
    clauses = spec.clauses_of(output, inf_nan=inf_nan)
    names = {alias: t.name for t in spec.tensors for alias in (t.name, *t.stands_for)}
    shapes = {alias: call.shapes[name] for alias, name in names.items() if name in call.shapes}
    dtypes = {alias: call.dtypes[name] for alias, name in names.items() if name in call.dtypes}
    applicable = ClauseSet.of(
        clauses, Scope(scalars, call.shapes), spec.silences_of(output, product)
    )
    grid = DATA_TYPES[call.dtypes[output]].grid
    return Context(applicable, scalars, shapes, dtypes, grid, inf_nan)
