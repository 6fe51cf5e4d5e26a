# SPDX-License-Identifier: Apache-2.0
"""Calls that must be refused.

Each differs in one fact from a passing twin; with a null pointer, a second fact may be wrong. The
kind of an error clause yields changes of the twin, with names for case ids.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from aclnn_cts.plan.binding import Facts, UnboundError, bind
from aclnn_cts.plan.calls import Twin
from aclnn_cts.plan.case_builder import broken_requirements, build_case
from aclnn_cts.plan.cases import Case, Intent, Tier
from aclnn_cts.plan.extents import TWIN, other_data, twin_scenes
from aclnn_cts.plan.factors import dtype_choices
from aclnn_cts.plan.refusals import violated_ids
from aclnn_cts.plan.requirements import (
    base_facts,
    broken_rules,
    errors_on,
    is_valid,
    nearest_valid,
    usual_format,
)
from aclnn_cts.spec.clause_models import ErrorClause
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.expression import typed_names
from aclnn_cts.spec.models import OperatorSpec, ShapeRule
from aclnn_cts.violations.kind import Broken, Setting

Wrong: TypeAlias = tuple[Broken, Facts]
"""A change that breaks a twin, and the facts of the changed call."""


def negative_cases(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Case]:
    """Yield the calls that must be refused on a product, and further passing twins.

    If no call breaks a clause alone, a further twin that allows one is added. Otherwise a device
    that does not check the clause would still refuse all calls.
    """
    alone: set[str] = set()
    for case in _systematic_cases(spec, product, factors):
        if len(case.refused_by) == 1 and case.tier == "smoke" and alone.isdisjoint(case.refused_by):
            alone.update(case.refused_by if violated_ids(spec, case) == case.refused_by else ())
        yield case
    hidden = {
        one.clause
        for one in spec.one_sided
        if one.missing == "negative" and product in (one.products or [product])
    }
    if spec.supports(product):
        for error in errors_on(spec, product):
            if error.id not in alone | hidden and not error.is_of_product:
                yield from _single_breaks(spec, product, error, factors)


def _single_breaks(
    spec: OperatorSpec, product: str, error: ErrorClause, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Case]:
    """Yield a call that breaks a clause and no other, and its twin; nothing if there is none."""
    for at in _further_twins(spec, product, factors):
        passing = build_case(spec, product, at, Intent(TWIN, "smoke"))
        broken = violations(spec, product, at, error)
        for case in _beside(spec, passing, error, broken):
            if violated_ids(spec, case) == (error.id,):
                yield passing
                yield case
                return


def _further_twins(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Facts]:
    """Yield the ordinary call without optional parameters, and with each other level.

    Also with each dimension empty if outputs are then empty: counts that multiply to 0 may differ
    without a wrong product.
    """
    base = base_facts(factors)
    optional: dict[str, Any] = {name: True for name in factors if name.startswith("null:")}
    others = [optional] if optional else []
    for name, levels in factors.items():
        if name.startswith(("dim:", "attribute:", "shape:", "dtype:")):
            others += [{name: level} for level in levels[1:]]
        if name.startswith("dim:"):
            others.append({name: (0,) if isinstance(levels[0], tuple) else 0})
    for other in others:
        facts = {**base, **other}
        if is_valid(spec, product, facts, may_be_fixed=True):
            shapes = bind(spec, facts).shapes
            empty = {name for name, shape in shapes.items() if not math.prod(shape)}
            may_be = all(spec.tensor(name).empty for name in empty)
            if not empty or (may_be and empty.issuperset(each.name for each in spec.outputs)):
                yield facts


def _systematic_cases(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Case]:
    """Yield refused calls beside the ordinary call and other twins.

    Most of them have the most ordinary call as twin. Those that break the agreement of data types
    have twins of each data type, those with types that do not convert also one of integers, those
    about shapes several ranks. On a product without support, a call of each data type is refused
    unchanged. For contract operators, the twins are the most ordinary call, and the same with
    a negative axis or without a list.
    """
    errors = list(errors_on(spec, product))
    yield from _beside_ordinary_calls(spec, product, factors, errors)
    if not spec.supports(product):
        return
    if not spec.is_contract:
        yield from _beside_twin_scenes(spec, product, factors, errors)
    yield from _beside_settings(spec, product, factors, errors)


def _beside_ordinary_calls(
    spec: OperatorSpec,
    product: str,
    factors: Mapping[str, Sequence[Any]],
    errors: Sequence[ErrorClause],
) -> Iterator[Case]:
    """Yield refused calls beside the ordinary calls of all data types."""
    integers = False
    for number, twin in enumerate(_ordinary_calls(spec, product, factors)):
        dtypes = bind(spec, twin).dtypes
        before = integers
        integers = before or any(
            DATA_TYPES[dtypes[name]].floating is None for name in spec.conversion_targets
        )
        for error in errors:
            converts = error.kind.is_of_integers and integers != before
            if not number or converts or _concerns_all_dtypes(error):
                yield from _beside_ordinary(spec, product, error, twin)


def _beside_twin_scenes(
    spec: OperatorSpec,
    product: str,
    factors: Mapping[str, Sequence[Any]],
    errors: Sequence[ErrorClause],
) -> Iterator[Case]:
    """Yield calls with wrong shapes beside twins of several ranks."""
    ordinary = bind(spec, base_facts(factors)).shapes
    twins = (
        each
        for each in twin_scenes(spec, product, factors)
        if is_valid(spec, product, each, may_be_fixed=True)
    )
    for number, facts in enumerate(twins):
        shapes = bind(spec, facts).shapes
        names = frozenset(
            name
            for name, shape in shapes.items()
            if number == 0
            or len(shape) != len(ordinary[name])
            or isinstance(spec.tensor(name).shape, ShapeRule)
        )
        passing = build_case(spec, product, facts, Intent(TWIN, "smoke"))
        for error in (each for each in errors if each.kind.is_of_shapes):
            wrong = list(violations(spec, product, facts, error, names))
            later = _later(wrong, shapes, number) if error.kind.has_neighbours else ()
            yield from _beside(spec, passing, error, wrong, later=later)


def _beside_settings(
    spec: OperatorSpec,
    product: str,
    factors: Mapping[str, Sequence[Any]],
    errors: Sequence[ErrorClause],
) -> Iterator[Case]:
    """Yield refused calls beside the ordinary call with other attribute values.

    Beside a negative number, such as an axis that is counted from the end, requirements are broken,
    too; beside a list that is left out, and so follows from another one, also other lists are
    wrong. For contract operators there are only these settings.
    """
    for setting, other in _other_settings(spec, product, factors):
        if spec.is_contract and setting == "other":
            continue
        passing = build_case(spec, product, other, Intent(TWIN, "smoke"))
        yield passing
        for error in errors:
            if error.kind.is_tried_beside(setting, error):
                broken = violations(spec, product, other, error)
                # the stated lists come first
                examples = itertools.islice(broken, len(error.assignments) or None)
                yield from _beside(spec, passing, error, examples, once=error.kind.is_once)


def _ordinary_calls(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Facts]:
    """Yield the ordinary call with each data type, or the nearest valid one."""
    for dtypes in dtype_choices(factors):
        facts = {**base_facts(factors), **dtypes}
        if spec.supports(product):
            near = nearest_valid(spec, product, facts, factors, kept=dtypes)
            yield from () if near is None else (near,)
        else:
            yield facts  # it is refused as it is


_WHOLE_SHAPES = 3
"""One in this many shapes that differ from a twin's in more than one axis is in smoke."""


def _later(broken: Sequence[Wrong], shapes: Mapping[str, Sequence[int]], number: int) -> set[str]:
    """Return the wrong shapes that smoke omits with a twin of another rank.

    Smoke holds all of them with the ordinary call, scalars and vectors as twins. With other twins
    each axis is wrong once, and the ways in which a shape is wrong take turns.

    Args:
        shapes: The twin's.
        number: The twin's number.
    """
    ways: dict[tuple[str, bool, int | None], list[str]] = {}
    for each, facts in broken:
        name = each.parameter
        pairs = list(zip(facts[f"shape:{name}"], shapes[name], strict=False))
        axes = [axis for axis, (wrong, right) in enumerate(pairs) if wrong != right]
        is_one = len(axes) == 1 and len(facts[f"shape:{name}"]) == len(shapes[name])
        way = name, each.is_alone, axes[0] if is_one else None
        if len(shapes[name]) > 1:
            ways.setdefault(way, []).append(each.detail)
    later: set[str] = set()
    for (_, _, axis), details in ways.items():
        step = _WHOLE_SHAPES if axis is None else len(details)
        turn = (number + (axis or 0)) % step
        later.update(set(details) - set(details[turn::step]))
    return later


def _other_settings(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[tuple[Setting, Facts]]:
    """Yield the ordinary call with other attribute values, for which a device may skip checks."""
    ordinary = {**base_facts(factors), **other_data(factors)}
    for name, (usual, *levels) in factors.items():
        if name.startswith("attribute:"):
            further = levels[:_OTHER_LEVELS]
            further += [()] if isinstance(usual, tuple) and () not in (usual, *further) else []
            for level in further:
                facts = {**ordinary, name: level}
                if is_valid(spec, product, facts):
                    yield _kind_of(usual, level), facts


def _kind_of(usual: Any, level: Any) -> Setting:
    if level == ():
        return "left-out"
    is_negative = isinstance(level, int) and level < 0 <= usual
    return "negative" if is_negative else "other"


_OTHER_LEVELS = 2
"""Number of further values of each attribute that refused calls are tried with."""


def _beside_ordinary(
    spec: OperatorSpec, product: str, error: ErrorClause, twin: Facts
) -> Iterator[Case]:
    """Yield the calls that break a clause, with the ordinary call or one near it as twin.

    A clause may be about other shapes or attributes than those of the ordinary call.
    """
    for at in _twins(spec, product, twin):
        passing = build_case(spec, product, at, Intent("base", "smoke"))
        cases = list(_beside(spec, passing, error, violations(spec, product, at, error)))
        yield from (passing, *cases) if cases and at is not twin else cases
        if cases or error.when is None:
            break
    if error.kind.needs_given:
        absent = {name for name in error.names if twin.get(f"null:{name}")}
        for name in sorted(absent - spec.reserved_tensors(product)):
            yield from _beside_optional(spec, product, error, {**twin, f"null:{name}": False}, name)


def _beside_optional(
    spec: OperatorSpec, product: str, error: ErrorClause, twin: Facts, name: str
) -> Iterator[Case]:
    """Yield a call with an optional tensor, and calls in which that tensor is wrong."""
    passing = build_case(spec, product, twin, Intent("base", "smoke"))
    broken = violations(spec, product, twin, error)
    breaks = [(each, facts) for each, facts in broken if each.parameter == name]
    cases = list(_beside(spec, passing, error, breaks))
    yield from (passing, *cases) if cases else ()


def _twins(spec: OperatorSpec, product: str, twin: Facts) -> Iterator[Facts]:
    """Yield the ordinary call, and variants of it in one value, shape or type."""
    yield twin
    for facts in _other_facts(spec, product):
        other = {**twin, **facts}
        with contextlib.suppress(UnboundError):
            if not any(broken_rules(spec, product, bind(spec, other), open_ones=True)):
                yield other


def _other_facts(spec: OperatorSpec, product: str) -> Iterator[Facts]:
    values = [
        {f"attribute:{name}": level}
        for name, levels in spec.factors.attributes_of(product).items()
        for level in levels[1:]
    ]
    shapes = [
        {f"shape:{tensor.name}": choice.name} for tensor in spec.inputs for choice in tensor.choices
    ]
    yield from (*values, *shapes)
    for tensor in spec.inputs:
        types = spec.own_dtypes(tensor.name, product)
        yield from ({f"dtype:{tensor.name}": dtype} for dtype in types[1:])
    # a shape may be right only with another value
    yield from ({**value, **shape} for value in values for shape in shapes)


def _beside(
    spec: OperatorSpec,
    passing: Case,
    error: ErrorClause,
    broken: Iterable[Wrong],
    *,
    once: bool = False,
    later: Collection[str] = (),
) -> Iterator[Case]:
    """Yield calls that break a clause and otherwise equal their twin.

    Args:
        once: Whether one per wrong parameter is enough.
        later: Which of them only the standard tier holds.
    """
    seen: dict[str, Counter[tuple[object, ...]]] = {}
    for each, facts in broken:
        parameter = each.parameter
        if once and parameter in seen:
            continue
        tier: Tier = "standard" if each.detail in later else "smoke"
        intent = Intent(error.id, tier, is_valid=False, detail=each.detail, twin=passing.id)
        case = build_case(spec, passing.product, facts, intent)
        if error.kind.needs_given and _is_null(case, parameter):
            continue
        if error.id not in case.refused_by and error.id not in violated_ids(spec, case):
            continue  # what was changed breaks nothing beside this twin
        # smoke samples these: the first of each tensor, and others in turn
        few = spec.is_contract and error.kind.is_sampled
        violated = violated_ids(spec, case) if few else ()
        shaped = few and error.kind.has_neighbours
        other_rank = shaped and _has_other_rank(spec, parameter, facts)
        way = other_rank, *sorted({*violated, *broken_requirements(case)})
        counts = seen.setdefault(parameter, Counter())
        is_later = few and counts[way] and (counts[way] + len(seen)) % _FEW
        counts[way] += 1
        yield replace(case, tier="standard") if is_later else case


def _has_other_rank(spec: OperatorSpec, name: str, facts: Facts) -> bool:
    """Whether a wrong shape has more or fewer axes than its tensor may have."""
    low, high = spec.tensor(name).ranks
    return not low <= len(facts[f"shape:{name}"]) <= high


def _is_null(case: Case, parameter: str) -> bool:
    """Whether a call passes a null pointer for a tensor, which then cannot be wrong."""
    return any(each.name == parameter and each.source == "null" for each in case.tensors)


_FEW = 6
"""Smoke holds one in this many violations of a contract operator's tensors."""


def _concerns_all_dtypes(error: ErrorClause) -> bool:
    typed = error.assignments and error.when is not None and typed_names(error.when)
    return bool(typed) or error.kind.is_of_dtypes


def violations(
    spec: OperatorSpec,
    product: str,
    twin: Facts,
    error: ErrorClause,
    shapes: frozenset[str] | None = None,
) -> Iterator[Wrong]:
    """Yield every violation of an error clause: one fact, or a null pointer and one more.

    Args:
        product: The product; if it lacks support, that is the only violation.
        twin: The facts of a passing call.
        shapes: The tensors whose shapes are broken; all if None.
    """
    lengths = {
        name: sorted({len(level) for level in levels})
        for name, levels in spec.factors.attributes_of(product).items()
        if all(isinstance(level, list) for level in levels)
    }
    at = Twin(spec, product, bind(spec, twin), twin, lengths, shapes)
    # a wrong shape keeps the format of the right one
    formats = {f"format:{each.name}": usual_format(each, at.binding) for each in spec.tensors}
    for each in error.kind.changes(at, error):
        yield each, _with_data(spec, {**formats, **twin, **each.change})


def _with_data(spec: OperatorSpec, facts: dict[str, Any]) -> dict[str, Any]:
    """Give every input data of its own; a refused call needs no producer."""
    for tensor in spec.inputs:
        if tensor.producer is not None:
            facts[f"fill:{tensor.name}"] = "bits"
    return facts
