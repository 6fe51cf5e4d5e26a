# SPDX-License-Identifier: Apache-2.0
"""Validity of calls, and the requirements that a call breaks.

The latter follow from the call's shapes, data types and attributes, not from the purpose of its
case. This detects a case that was meant to break a rule and does not.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from aclnn_cts.plan.binding import Binding, Facts, UnboundError, bind, chosen_dtype, derived_shape
from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.plan.layouts import is_contiguous
from aclnn_cts.spec.clause_models import Basis, ErrorClause, Rule
from aclnn_cts.spec.data_types import DATA_TYPES, PUBLIC_FORMATS, can_hold, castable, promoted
from aclnn_cts.spec.evaluation import broadcastable, evaluate_number, holds
from aclnn_cts.spec.expression import (
    Expression,
    ExpressionError,
    asked_for,
    parse,
    typed_names,
)
from aclnn_cts.spec.models import AttributeParameter, OperatorSpec, ShapeRule, TensorParameter
from aclnn_cts.spec.parameter_clauses import PRODUCT_SUPPORT, Kind, clause_id

STRONGEST_FIRST: tuple[Basis, ...] = ("status", "refusal", "requirement")
"""Order of bases; a call that breaks several clauses has the first one."""


def holds_on(promise: Rule | ErrorClause, product: str) -> bool:
    """Whether a rule or an error clause holds on a product."""
    return promise.products is None or product in promise.products


def broken_requirements(
    spec: OperatorSpec, case: Case, binding: Binding | None = None
) -> tuple[str, ...]:
    """Return the ids of the structural clauses and rules that a call breaks.

    A call with a null pointer is refused for it first, so it tests no other requirement; on a
    product without support, only that is broken. If a rule is broken (a length of 0), no shape
    follows from the attributes, so no shape can be wrong.

    Args:
        binding: The binding of its facts, if known.
    """
    if not spec.supports(case.product):
        return (PRODUCT_SUPPORT,)
    if passes_null(spec, case):
        return ()
    binding = binding or binding_of(case)
    rules = tuple(broken_rules(spec, case.product, binding, open_ones=False))
    broken = [
        clause_id(tensor.name, kind)
        for tensor in case.tensors
        for kind in _broken_kinds(spec, tensor, case, binding)
    ]
    broken += [
        clause_id(name, "dtype")
        for name, dtype in case.scalars.items()
        if case.attributes.get(name) is not None
        and dtype not in allowed_dtypes(spec, spec.parameter(name), case.product, binding)
    ]
    return rules or tuple(broken)


def passes_null(spec: OperatorSpec, case: Case) -> bool:
    """Whether a call passes a null pointer that is not allowed."""
    null = _null_ones(case)
    wanted = {each.name for each in spec.outputs if each.name in null and each.wanted is not None}
    missed = any(each.absent is None and each.name in null for each in spec.parameters)
    return missed or any(_is_wanted(spec.tensor(name), binding_of(case)) for name in wanted)


def _is_wanted(output: TensorParameter, binding: Binding) -> bool:
    """Whether a call requests an optional output."""
    return output.wanted is not None and _speaks_of(output.wanted, binding)


def _null_ones(case: Case) -> set[str]:
    """Return the parameters for which a null pointer is passed."""
    null = {tensor.name for tensor in case.tensors if tensor.source == "null"}
    return null | {name for name, value in case.attributes.items() if value is None}


@dataclass(frozen=True)
class Refusal:
    """The documents' statement about a call that breaks error clauses or requirements.

    Attributes:
        basis: ``status`` or ``refusal`` if any clause states that, else ``requirement``.
        statuses: The allowed statuses; none if any status but 0 is allowed.
        clauses: Ids of the error clauses that state the basis, the one of the case's scene first.
        requirements: Ids of the requirements that the call breaks.
        is_launched: Whether phase two may follow if phase one accepts the call: if a document says
            that one of the phases fails, or if only the product makes the call wrong.
    """

    basis: Basis
    statuses: tuple[int, ...]
    clauses: tuple[str, ...]
    requirements: tuple[str, ...]
    is_launched: bool


def refusal_of(spec: OperatorSpec, case: Case) -> Refusal:
    """Return the documents' statement about a call, from all its violations.

    No page states the order of checks. So if several clauses are broken, the status of each is
    allowed, and any status if one of them states none. There is one exception: if a row refuses a
    tensor's data type, a requirement on the same data type allows no other status, or the row would
    be void.
    """
    binding = binding_of(case)
    broken = _violated(spec, case, binding)
    requirements = broken_requirements(spec, case, binding)
    stating = [error for error in broken if error.basis != "requirement"]
    basis = _strongest(error.basis for error in broken)
    unmet = broken_besides_null(spec, case) if passes_null(spec, case) else requirements
    breaking = {error.id: tuple(_violating(spec, error, case, binding)) for error in broken}
    clauses = sorted((stating or broken), key=lambda error: error.id != case.scene)
    alone = all(error.unsupported_product for error in broken)
    return Refusal(
        basis=basis,
        statuses=tuple(dict.fromkeys(code for error in broken for code in error.statuses))
        if _all_told(spec, broken, breaking, unmet)
        else (),
        clauses=tuple(error.id for error in clauses),
        requirements=requirements,
        is_launched=basis == "refusal" or (bool(broken) and alone),
    )


def _all_told(
    spec: OperatorSpec,
    broken: Sequence[ErrorClause],
    breaking: Mapping[str, Iterable[str]],
    unmet: Iterable[str],
) -> bool:
    """Whether clauses with a status cover all violations of a call.

    Args:
        breaking: The parameters that break each of the clauses, by its id.
        unmet: The requirements that the call breaks.
    """
    rows = [error for error in broken if error.basis == "status"]
    refused = {each for row in rows for each in _about(spec, row, breaking[row.id])}
    for error in broken:
        same = error.basis == "requirement" and error.violation in _SPEAKING
        if error not in rows and not (same and _about(spec, error, breaking[error.id]) <= refused):
            return False
    return {each for row in rows for each in _about(spec, row, row.named)}.issuperset(unmet)


def violated_ids(spec: OperatorSpec, case: Case) -> tuple[str, ...]:
    """Return the ids of the error clauses that a call breaks, regardless of its purpose."""
    return tuple(error.id for error in _violated(spec, case, binding_of(case)))


def _strongest(bases: Iterable[Basis]) -> Basis:
    found = set(bases)
    return next((basis for basis in STRONGEST_FIRST if basis in found), "requirement")


def _violated(spec: OperatorSpec, case: Case, binding: Binding) -> list[ErrorClause]:
    """Return the error clauses that a call breaks, from its own facts.

    A null pointer has no data type and no shape that could be wrong. On a product without support,
    only that is broken.
    """
    supported = spec.supports(case.product)
    return [
        error
        for error in spec.errors
        if holds_on(error, case.product)
        and supported == (error.unsupported_product is None)
        and _is_violated(spec, error, case, binding)
    ]


def _is_violated(spec: OperatorSpec, error: ErrorClause, case: Case, binding: Binding) -> bool:
    if error.unsupported_product:
        return True
    if error.null_pointer is not None:
        null = not _null_ones(case).isdisjoint(error.null_pointer)
        return null and (error.when is None or _speaks_of(error.when, binding))
    if error.when is not None and not _speaks_of(error.when, binding):
        return False
    if error.assign is not None:
        return True
    return any(_violating(spec, error, case, binding))


def _violating(
    spec: OperatorSpec, error: ErrorClause, case: Case, binding: Binding
) -> Iterator[str]:
    """Yield which of an error clause's tensors and scalars break it."""
    if error.violation in PROMOTIONS:
        null = _null_ones(case)
        types = {name: binding.dtypes[name] for name in error.named if name not in null}
        yield from types if wrongly_promoted(spec, error, case.product, types) else ()
    elif test := _test_of(error):
        for name in error.named:
            if name in case.scalars:
                breaks = _has_wrong_scalar(spec, error, name, case)
            else:
                tensor = case.tensor(name)
                breaks = tensor.source != "null" and test(spec, tensor, case, binding)
            if breaks:
                yield name


def _test_of(error: ErrorClause) -> Test | None:
    """Return the check whether a tensor breaks an error clause; None if it is about no tensor."""
    ranked = error.rank_outside or error.rank_below
    return functools.partial(_has_other_rank, error) if ranked else _TESTS.get(error.violation)


def _speaks_of(condition: Expression, binding: Binding) -> bool:
    try:
        return holds(condition, binding.scope)
    except ExpressionError:
        # a name in the condition has no value: the array is null or too short
        return False


def _has_wrong_scalar(spec: OperatorSpec, error: ErrorClause, name: str, case: Case) -> bool:
    allowed = spec.dtypes(name, case.product, untested=True)
    if error.dtype_differs:
        allowed = allowed_dtypes(spec, spec.parameter(name), case.product, binding_of(case))
    return case.attributes[name] is not None and case.scalars[name] not in allowed


def _has_unsupported_dtype(spec: OperatorSpec, tensor: TensorCase, case: Case, _: Binding) -> bool:
    return tensor.dtype not in spec.dtypes(tensor.name, case.product, untested=True)


def _has_other_dtype(spec: OperatorSpec, tensor: TensorCase, case: Case, binding: Binding) -> bool:
    parameter = spec.tensor(tensor.name)
    if parameter.dtype is None:
        return False
    other = case.tensor(parameter.dtype.removesuffix(".dtype"))
    allowed = allowed_dtypes(spec, parameter, case.product, binding)
    return other.source != "null" and tensor.dtype not in allowed


PROMOTIONS = ("not_promotable", "promotion_outside_support")
"""Violations by the data types of several parameters together."""


def wrongly_promoted(
    spec: OperatorSpec, error: ErrorClause, product: str, dtypes: Mapping[str, str]
) -> bool:
    """Whether data types have no common type, or none that all their tensors may have.

    Args:
        error: The clause, which says which of these; it names the parameters.
        product: The product, which determines the supported types.
        dtypes: The data types of those that are given.
    """
    tensors = [each.name for each in spec.tensors if each.name in dtypes]
    if error.not_promotable is not None:
        scalars = (dtypes[each.name] for each in spec.scalars if each.name in dtypes)
        return bool(tensors) and promoted([dtypes[name] for name in tensors], scalars) is None
    common = _promoted(spec, dtypes)
    return any(common not in spec.dtypes(name, product, untested=True) for name in tensors)


def cannot_become(spec: OperatorSpec, dtype: str, dtypes: Mapping[str, str]) -> bool:
    """Whether the promoted data type of the inputs does not convert to another."""
    computed = _promoted(spec, dtypes)
    return computed is not None and not castable(computed, dtype)


def _promoted(spec: OperatorSpec, dtypes: Mapping[str, str]) -> str | None:
    """Return the data type to which inputs and scalars are promoted."""
    of_inputs, of_scalars = (
        [dtypes[each.name] for each in parameters if each.name in dtypes]
        for parameters in (spec.inputs, spec.scalars)
    )
    return promoted(of_inputs, of_scalars)


def _is_not_castable(spec: OperatorSpec, tensor: TensorCase, _: Case, binding: Binding) -> bool:
    return cannot_become(spec, tensor.dtype, binding.dtypes)


def _has_other_rank(
    error: ErrorClause, spec: OperatorSpec, tensor: TensorCase, _: Case, __: Binding
) -> bool:
    bound = error.rank_bound(spec.tensor(tensor.name).rank)
    return len(tensor.shape) > bound if error.rank_outside else len(tensor.shape) < bound


def _has_other_shape(spec: OperatorSpec, tensor: TensorCase, case: Case, binding: Binding) -> bool:
    parameter = spec.tensor(tensor.name)
    if isinstance(parameter.shape, list) and _no_shapes_follow(spec, case, binding):
        return False
    return not is_shape_allowed(parameter, tensor.shape, binding)


def _no_shapes_follow(spec: OperatorSpec, case: Case, binding: Binding) -> bool:
    """Whether no shapes follow from attributes that break a rule (a length of 0)."""
    if not any(broken_rules(spec, case.product, binding, open_ones=False)):
        return False
    listed = (tensor for tensor in spec.tensors if isinstance(tensor.shape, list))
    shapes = (_shape_of(tensor, "", binding) for tensor in listed)
    return any(shape is None or min(shape, default=1) <= 0 for shape in shapes)


def _has_other_format(spec: OperatorSpec, tensor: TensorCase, _: Case, __: Binding) -> bool:
    # no page says that an operator that takes ND refuses other public formats
    allowed = spec.tensor(tensor.name).formats
    known = PUBLIC_FORMATS if "ND" in allowed else ()
    return tensor.format not in allowed and tensor.format not in known


def _differs_in_format(_: OperatorSpec, tensor: TensorCase, case: Case, __: Binding) -> bool:
    return tensor.format != case.tensors[0].format


def _is_empty(_: OperatorSpec, tensor: TensorCase, __: Case, ___: Binding) -> bool:
    return tensor.numel == 0


def _is_strided(_: OperatorSpec, tensor: TensorCase, __: Case, ___: Binding) -> bool:
    return not is_contiguous(tensor.shape, tensor.strides)


Test = Callable[[OperatorSpec, TensorCase, Case, Binding], bool]

_TESTS: dict[str, Test] = {
    "dtype_outside_support": _has_unsupported_dtype,
    "dtype_differs": _has_other_dtype,
    "not_castable": _is_not_castable,
    "shape_differs": _has_other_shape,
    "format_outside_support": _has_other_format,
    "format_differs": _differs_in_format,
    "empty_tensor": _is_empty,
    "non_contiguous": _is_strided,
}
"""Checks whether a tensor breaks an error clause, by violation; those of ranks need the clause."""

_SPEAKING: dict[str, tuple[Kind, ...]] = {
    "dtype_outside_support": ("dtype",),
    "dtype_differs": ("dtype",),
    "not_promotable": ("dtype",),
    "promotion_outside_support": ("dtype",),
    "not_castable": ("dtype",),
    "rank_outside": ("rank", "shape"),
    "rank_below": ("rank", "shape"),
    "format_outside_support": ("format",),
    "format_differs": ("format",),
    "shape_differs": ("shape",),
    "empty_tensor": ("empty", "shape"),
}
"""Kinds of requirements on a tensor that an error clause covers, by violation."""


def _about(spec: OperatorSpec, error: ErrorClause, names: Iterable[str]) -> set[str]:
    """Return the requirements on the parameters of an error clause."""
    if error.assign:
        return {rule.id for rule in spec.rules}
    if error.unsupported_product:
        return {PRODUCT_SUPPORT}
    return {clause_id(name, kind) for name in names for kind in _SPEAKING.get(error.violation, ())}


def broken_besides_null(spec: OperatorSpec, case: Case) -> tuple[str, ...]:
    """Return the requirements that a call would break without its null pointer.

    A call with a null array or string breaks no other requirement; a null scalar has no value that
    could break one.
    """
    missed = (each for each in spec.tensors if each.absent is None or each.wanted is not None)
    names = {each.name for each in missed}
    whole = tuple(
        replace(tensor, source="output" if tensor.role == "output" else "data")
        if tensor.name in names
        else tensor
        for tensor in case.tensors
    )
    values = {
        name: value
        for name, value in case.attributes.items()
        if value is not None or name not in case.scalars
    }
    return broken_requirements(spec, replace(case, tensors=whole, attributes=values))


def binding_of(case: Case) -> Binding:
    """Return the binding of a case."""
    return Binding(
        case.values,
        {tensor.name: tensor.shape for tensor in case.tensors},
        {tensor.name: tensor.dtype for tensor in case.tensors} | dict(case.scalars),
        {tensor.name for tensor in case.tensors if tensor.source == "null"},
    )


def _broken_kinds(
    spec: OperatorSpec, tensor: TensorCase, case: Case, binding: Binding
) -> Iterator[str]:
    parameter = spec.tensor(tensor.name)
    if tensor.dtype not in allowed_dtypes(spec, parameter, case.product, binding):
        yield "dtype"
    if parameter.rank and not parameter.rank[0] <= len(tensor.shape) <= parameter.rank[1]:
        yield "rank"
    alike = (error for error in spec.errors if tensor.name in (error.format_differs or ()))
    differs = any(holds_on(error, case.product) for error in alike)
    if tensor.format not in parameter.formats or (
        differs and tensor.format != case.tensors[0].format
    ):
        yield "format"
    if not is_shape_allowed(parameter, tensor.shape, binding):
        yield "shape"


def allowed_dtypes(
    spec: OperatorSpec,
    parameter: TensorParameter | AttributeParameter,
    product: str,
    binding: Binding,
) -> tuple[str, ...]:
    """Return the data types that a tensor or a scalar may have, given those of all others."""
    if parameter.dtype is None:
        return spec.dtypes(parameter.name, product, untested=True)
    source = binding.dtypes[parameter.dtype.removesuffix(".dtype")]
    return (source, *spec.own_dtypes(parameter.name, product))


def is_shape_allowed(parameter: TensorParameter, shape: tuple[int, ...], binding: Binding) -> bool:
    """Whether a tensor may have a shape, given the shapes and values of everything else.

    An unknown shape (of an empty array) is allowed.
    """
    rule = parameter.shape
    if isinstance(rule, ShapeRule) and rule.broadcasts_to is not None:
        return broadcasts(shape, binding.shapes[rule.broadcasts_to])
    if isinstance(rule, ShapeRule) and rule.broadcasts_with is not None:
        return broadcastable(shape, binding.shapes[rule.broadcasts_with])
    if isinstance(rule, ShapeRule) and rule.trailing_of is not None:
        target = binding.shapes[rule.trailing_of]
        return 0 < len(shape) <= len(target) and shape == target[len(target) - len(shape) :]
    if isinstance(rule, ShapeRule) and rule.one_element and math.prod(shape) == 1:
        return True
    if isinstance(rule, ShapeRule) and not broadcastable(
        *(binding.shapes[name] for name in rule.stretched)
    ):
        return True
    choices = [choice.name for choice in parameter.choices] or [""]
    possible = [_shape_of(parameter, choice, binding) for choice in choices]
    known = [candidate for candidate in possible if candidate is not None]
    return not known or shape in known


def _shape_of(parameter: TensorParameter, choice: str, binding: Binding) -> tuple[int, ...] | None:
    try:
        return derived_shape(parameter, choice or None, binding)
    except (UnboundError, ExpressionError):
        return None


def broadcasts(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether a shape broadcasts to exactly ``target`` (common document on broadcasting)."""
    padded = (1,) * (len(target) - len(shape)) + shape
    return len(shape) <= len(target) and all(
        extent in (1, wanted) for extent, wanted in zip(padded, target, strict=True)
    )


def broken_rules(
    spec: OperatorSpec, product: str, binding: Binding, *, open_ones: bool
) -> Iterator[str]:
    """Yield the ids of the rules on a product that a call does not obey.

    Args:
        binding: The binding of the call.
        open_ones: Whether a rule counts as broken if it cannot be evaluated because another broken
            rule leaves names without values.
    """
    for rule in spec.rules:
        if holds_on(rule, product):
            try:
                broken = not holds(rule.require, binding.scope)
            except ExpressionError:
                broken = open_ones
            if broken:
                yield rule.id


_SHAPING = ("dim", "attribute", "shape")


def base_facts(factors: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the most ordinary facts: the first level of each factor."""
    return {name: levels[0] for name, levels in factors.items()}


def shaping_factors(spec: OperatorSpec, factors: Mapping[str, Sequence[Any]]) -> tuple[str, ...]:
    """Return the factors that can affect shapes and rules."""
    # a scalar's data type determines its possible values
    typed = {f"dtype:{spec.dtype_root(scalar.name)}" for scalar in spec.scalars}
    for rule in spec.rules:
        typed |= {f"dtype:{tensor}" for tensor in typed_names(rule.require)}
    typed |= {f"null:{each.name}" for each in spec.outputs if each.wanted is not None}
    chosen = (choice.when for each in spec.tensors for choice in each.choices if choice.when)
    for condition in (*(rule.require for rule in spec.rules), *chosen):
        typed |= {f"null:{name}" for name in asked_for(condition)}
    if spec.converted:
        typed |= {f"dtype:{each.name}" for each in spec.tensors}
    return tuple(name for name in factors if name.partition(":")[0] in _SHAPING or name in typed)


_MOST_CHANGES = 2
_MOST_TRIED = 4096


def nearest_valid(
    spec: OperatorSpec,
    product: str,
    facts: Facts,
    factors: Mapping[str, Sequence[Any]],
    kept: Collection[str] = (),
) -> Facts | None:
    """Return the valid facts that differ least from others; None if there are none near them.

    Args:
        facts: The facts wanted; themselves if they are valid.
        factors: The levels of the factors that may change.
        kept: Factors that may not.
    """
    names = [name for name in shaping_factors(spec, factors) if name not in kept]
    nearby = (
        {**facts, **dict(zip(changed, levels, strict=True))}
        for count in range(_MOST_CHANGES + 1)
        for changed in itertools.combinations(names, count)
        for levels in itertools.product(*(factors[name] for name in changed))
    )
    tried = itertools.islice(nearby, _MOST_TRIED)
    return next((each for each in tried if is_valid(spec, product, each)), None)


def can_show_errors(
    spec: OperatorSpec, product: str, most_elements: int
) -> Callable[[Facts], bool]:
    """Return a check that facts are a valid call that can show errors.

    The call has a bounded size, and its shapes do not hide errors: if a leading input of one
    element is broadcast, all elements of the output are equal. Special scenes make such calls with
    other data.

    Args:
        most_elements: Maximum number of elements of a tensor.
    """

    def check(facts: Facts) -> bool:
        valid = is_valid(spec, product, facts, most_elements)
        return valid and _distinguishes_elements(spec, facts)

    return check


def is_valid(
    spec: OperatorSpec,
    product: str,
    facts: Facts,
    most_elements: float = math.inf,
    *,
    may_be_fixed: bool = False,
) -> bool:
    """Whether facts describe a call of bounded size that obeys all rules and can show errors.

    Args:
        most_elements: Maximum number of elements of a tensor.
        may_be_fixed: Whether results that do not depend on data are allowed, as a scene may
            request.
    """
    if not all(_holds_number(spec, scalar, facts) for scalar in spec.scalars):
        return False  # rejects most rows of several scalars before the slow binding
    try:
        binding = bind(spec, facts)
    except (UnboundError, ExpressionError):
        return False
    return (
        _bounded(binding, most_elements)
        and not any(
            facts.get(f"null:{each.name}") and _is_wanted(each, binding) for each in spec.outputs
        )
        and all(_has_its_rank(tensor, binding) for tensor in spec.inputs)
        and all(_holds_result(scalar, facts, binding) for scalar in spec.scalars)
        and not any(broken_rules(spec, product, binding, open_ones=True))
        and not any(
            cannot_become(spec, binding.dtypes[name], binding.dtypes) for name in spec.converted
        )
        and (may_be_fixed or not is_fixed(spec, binding))
    )


def is_fixed(spec: OperatorSpec, binding: Binding) -> bool:
    """Whether shapes and attributes alone determine the results of a call."""
    condition = spec.factors.data_dependent
    return condition is not None and not holds(condition, binding.scope)


def _holds_number(spec: OperatorSpec, scalar: AttributeParameter, facts: Facts) -> bool:
    """Whether a scalar's data type can hold its chosen number, if any."""
    value = facts.get(f"attribute:{scalar.name}")
    if value is None or isinstance(value, str):
        return True
    return can_hold(value, DATA_TYPES[chosen_dtype(spec, scalar, facts)])


def _holds_result(scalar: AttributeParameter, facts: Facts, binding: Binding) -> bool:
    """Whether a scalar's data type can hold the value of its chosen expression."""
    value = facts.get(f"attribute:{scalar.name}")
    if not isinstance(value, str):
        return True
    return can_hold(
        evaluate_number(parse(value), binding.scope), DATA_TYPES[binding.dtypes[scalar.name]]
    )


def _distinguishes_elements(spec: OperatorSpec, facts: Facts) -> bool:
    """Whether the leading input is not a single element that is broadcast to several.

    Operators whose values are not tested need no such difference.
    """
    if spec.is_contract or not spec.leading:
        return True
    shapes = bind(spec, facts).shapes
    single = math.prod(shapes[spec.leading]) == 1
    return not single or all(math.prod(shapes[each.name]) <= 1 for each in spec.outputs)


def _has_its_rank(tensor: TensorParameter, binding: Binding) -> bool:
    """Whether a shape that follows from another tensor's has an allowed rank."""
    least, greatest = tensor.ranks
    return least <= len(binding.shapes[tensor.name]) <= greatest


def _bounded(binding: Binding, most_elements: float) -> bool:
    return all(
        min(shape, default=0) >= 0 and math.prod(shape) <= most_elements
        for shape in binding.shapes.values()
    )
