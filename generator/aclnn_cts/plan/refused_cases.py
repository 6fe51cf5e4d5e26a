# SPDX-License-Identifier: Apache-2.0
"""Cases of calls that must be refused.

Each differs in one fact from a passing twin; with a null pointer, a second fact may be wrong. The
kind of an error clause yields changes of the twin, with names for case ids.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from aclnn_cts.plan.calls import PlannedCall, Twin
from aclnn_cts.plan.case_builder import build_case, build_refused_case
from aclnn_cts.plan.cases import Case, Intent, Tier
from aclnn_cts.plan.extents import TWIN
from aclnn_cts.plan.twins import Twins, near_twins
from aclnn_cts.plan.violated_clauses import Refusal
from aclnn_cts.spec.clause_models import ErrorClause
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.expression import typed_names
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.violations.kind import Broken

Wrong: TypeAlias = tuple[Broken, Mapping[str, Any]]
"""A change that breaks a twin, and the facts of the changed call."""

Planned: TypeAlias = tuple[Case, Refusal | None]
"""A case, and what the documents say of the call if it must be refused."""


def refused_cases(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Case]:
    """Yield the calls that must be refused on a product, and further passing twins.

    If no call breaks a clause alone, a further twin that allows one is added. Otherwise a device
    that does not check the clause would still refuse all calls.
    """
    twins = Twins(spec, product, factors)
    alone: set[str] = set()
    for case, refusal in _systematic_cases(twins):
        if refusal is not None and len(refusal.violated) == 1 and case.tier == "smoke":
            alone.update(refusal.violated)
        yield case
    hidden = {
        one.clause
        for one in spec.one_sided
        if one.missing == "negative" and product in (one.products or [product])
    }
    if spec.supports(product):
        for error in spec.errors_on(product):
            if error.id not in alone | hidden and not error.is_of_product:
                yield from _single_breaks(twins, error)


def _single_breaks(twins: Twins, error: ErrorClause) -> Iterator[Case]:
    """Yield a call that breaks a clause and no other, and its twin; nothing if there is none."""
    for twin in twins.further():
        passing = build_case(twin, Intent(TWIN, "smoke"))
        for case, refusal in _beside(twin, passing, error, violations(twin, error)):
            if refusal.violated == (error.id,):
                yield passing
                yield case
                return


def _systematic_cases(twins: Twins) -> Iterator[Planned]:
    """Yield refused calls beside the ordinary call and other twins.

    Most of them have the most ordinary call as twin. Those that break the agreement of data types
    have twins of each data type, those with types that do not convert also one of integers, those
    about shapes several ranks. On a product without support, a call of each data type is refused
    unchanged. For contract operators, the twins are the most ordinary call, and the same with
    a negative axis or without a list.
    """
    yield from _beside_ordinary_calls(twins)
    if not twins.spec.supports(twins.product):
        return
    if not twins.spec.is_contract:
        yield from _beside_calls_of_ranks(twins)
    yield from _beside_settings(twins)


def _beside_ordinary_calls(twins: Twins) -> Iterator[Planned]:
    """Yield refused calls beside the ordinary calls of all data types."""
    integers = False
    for number, twin in enumerate(twins.ordinary()):
        before = integers
        integers = before or any(
            DATA_TYPES[twin.dtype(name)].floating is None for name in twin.spec.conversion_targets
        )
        for error in twin.errors:
            mixes = twins.spec.mixes_types and error.kind.promotes
            converts = (error.kind.is_of_integers or mixes) and integers != before
            if not number or converts or _concerns_all_dtypes(error):
                yield from _beside_ordinary_call(twin, error)


def _beside_calls_of_ranks(twins: Twins) -> Iterator[Planned]:
    """Yield calls with wrong shapes beside twins of several ranks.

    Smoke holds all lists of tensors with the first twin; with others, one list is wrong in turn.
    """
    for number, twin in enumerate(twins.of_ranks()):
        passing = build_case(twin, Intent(TWIN, "smoke"))
        for error in (each for each in twin.errors if each.kind.is_of_shapes):
            wrong = list(violations(twin, error))
            shapes = twin.binding.shapes
            later = _later(wrong, shapes, number) if error.kind.has_neighbours else set()
            if twins.spec.lists and number:  # they take turns
                turn = error.names[number % len(error.names)] if error.names else ""
                later |= {each.detail for each, _ in wrong if each.parameter != turn}
            once = twins.spec.types_in_turn and not error.kind.has_neighbours
            yield from _beside(twin, passing, error, wrong, once=once, later=later)


def _beside_settings(twins: Twins) -> Iterator[Planned]:
    """Yield refused calls beside the ordinary call with other attribute values.

    Beside a negative number requirements are broken, too; beside a list that is left out, also
    other lists are wrong.
    """
    for setting, twin in twins.with_settings():
        passing = build_case(twin, Intent(TWIN, "smoke"))
        yield passing, None
        for error in twin.errors:
            if error.kind.is_tried_beside(setting, error):
                # the stated lists come first
                most = len(error.assignments) or None
                examples = itertools.islice(violations(twin, error), most)
                yield from _beside(twin, passing, error, examples, once=error.kind.is_once)


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


def _beside_ordinary_call(twin: Twin, error: ErrorClause) -> Iterator[Planned]:
    """Yield the calls that break a clause, with the ordinary call or one near it as twin.

    A clause may be about other shapes or attributes than those of the ordinary call, or about an
    optional tensor that it leaves out.
    """
    for near in near_twins(twin):
        passing = build_case(near, Intent("base", "smoke"))
        cases = list(_beside(near, passing, error, violations(near, error)))
        yield from ((passing, None), *cases) if cases and near is not twin else cases
        if cases or error.when is None:
            break
    if error.kind.needs_given:
        absent = {name for name in error.names if twin.facts.get(f"null:{name}")}
        for name in sorted(absent - twin.spec.reserved_tensors(twin.product)):
            given = twin.with_changes({f"null:{name}": False})
            passing = build_case(given, Intent("base", "smoke"))
            wrong = (each for each in violations(given, error) if each[0].parameter == name)
            cases = list(_beside(given, passing, error, wrong))
            yield from ((passing, None), *cases) if cases else ()


def _beside(
    twin: Twin,
    passing: Case,
    error: ErrorClause,
    wrong: Iterable[Wrong],
    *,
    once: bool = False,
    later: Collection[str] = (),
) -> Iterator[tuple[Case, Refusal]]:
    """Yield calls that break a clause and otherwise equal their twin.

    Args:
        passing: The twin's case.
        once: Whether one per wrong parameter is enough.
        later: Which of them only the standard tier holds.
    """
    spec = twin.spec
    is_sampled = spec.is_contract or spec.lists or spec.types_in_turn or spec.arrangement
    few = error.kind.is_sampled and bool(is_sampled)
    seen: dict[str, Counter[tuple[object, ...]]] = {}
    for broken, facts in wrong:
        parameter = broken.parameter
        if once and parameter in seen:
            continue
        tier: Tier = "standard" if broken.detail in later else "smoke"
        intent = Intent(error.id, tier, is_valid=False, detail=broken.detail, twin=passing.id)
        call = PlannedCall.of(twin.spec, twin.product, facts)
        case, refusal = build_refused_case(call, intent)
        if error.kind.needs_given and _is_null(case, parameter):
            continue
        if error.id not in refusal.violated:
            continue  # what was changed breaks nothing beside this twin
        # smoke samples these: the first of each tensor, and others in turn
        other_rank = few and error.kind.has_neighbours and _has_other_rank(call, parameter)
        way = other_rank, *sorted({*refusal.violated, *refusal.requirements})
        counts = seen.setdefault(parameter, Counter())
        is_later = few and counts[way] and (counts[way] + len(seen)) % _FEW
        counts[way] += 1
        yield replace(case, tier="standard") if is_later else case, refusal


def _has_other_rank(call: PlannedCall, name: str) -> bool:
    """Whether a wrong shape has more or fewer axes than its tensor may have."""
    low, high = call.spec.tensor(name).ranks
    return not low <= len(call.binding.shapes[name]) <= high


def _is_null(case: Case, parameter: str) -> bool:
    """Whether a call passes a null pointer for a tensor, which then cannot be wrong."""
    return any(each.name == parameter and each.source == "null" for each in case.tensors)


_FEW = 6
"""Smoke holds one in this many violations of a contract operator's tensors, of lists, or of an
operator that mixes data types or copies elements of many."""


def _concerns_all_dtypes(error: ErrorClause) -> bool:
    typed = error.assignments and error.when is not None and typed_names(error.when)
    return bool(typed) or error.kind.is_of_dtypes


def violations(twin: Twin, error: ErrorClause) -> Iterator[Wrong]:
    """Yield every violation of an error clause: one fact, or a null pointer and one more.

    On a product without support, that is the only violation.
    """
    # a wrong shape keeps the format of the right one
    formats = {f"format:{each.name}": twin.usual_format(each) for each in twin.spec.tensors}
    # a refused call needs no producer
    data = {f"fill:{each.name}": "bits" for each in twin.spec.inputs if each.producer is not None}
    for broken in error.kind.changes(twin, error):
        yield broken, {**formats, **twin.facts, **broken.change, **data}
