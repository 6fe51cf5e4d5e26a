# SPDX-License-Identifier: Apache-2.0
"""The plan: all cases of a tier on a product, in a fixed order, each once."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from aclnn_cts.errors import NotTrustworthyError, WrongInputError, unknown_name
from aclnn_cts.plan.binding import UnboundError
from aclnn_cts.plan.case_builder import Intent, build_case
from aclnn_cts.plan.cases import TIERS, Case, Tier, require_tier
from aclnn_cts.plan.covering import CoveringStore, covering_rows, first_levels
from aclnn_cts.plan.extents import extent_scenes
from aclnn_cts.plan.factors import Factor, factors_of, most_elements
from aclnn_cts.plan.negatives import negative_cases
from aclnn_cts.plan.requirements import is_valid, shaping_factors, telling_facts
from aclnn_cts.plan.scenes import asked_scenes, scenes
from aclnn_cts.plan.state import state_cases
from aclnn_cts.spec.edition_models import CURRENT
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec, Product


def plan(
    specs: SpecSet,
    product: str,
    tier: str,
    operators: Iterable[str] | None = None,
    store: CoveringStore | None = None,
) -> tuple[Case, ...]:
    """Return the cases of a tier on a product.

    Args:
        specs: All specs.
        product: The product's id.
        tier: ``smoke``, ``standard`` or ``full``; each holds the one before.
        operators: Operator names; all tested operators if None. One whose document calls the
            product unsupported must refuse every call there.
        store: Where covering arrays are kept; without one each is made anew.

    Raises:
        WrongInputError: A name is unknown, or the document of an operator asked for does not
            mention the product.
        NotTrustworthyError: There is nothing to test.
    """
    chosen = _chosen(specs, product, operators)
    at = specs.product(product)
    cases = [case for spec in chosen for case in _planned(spec, at, tier, store)]
    if not cases:
        raise NotTrustworthyError(
            f"no document mentions {product}{_said_in(specs)}: there is nothing to test"
        )
    return tuple(cases)


def find_case(
    specs: SpecSet, case_id: str, product: str, tier: str, store: CoveringStore | None = None
) -> Case:
    """Return the case of that id; raises as :func:`find_cases`."""
    return find_cases(specs, [case_id], product, tier, store)[0]


def find_cases(
    specs: SpecSet,
    case_ids: Iterable[str],
    product: str,
    tier: str,
    store: CoveringStore | None = None,
) -> tuple[Case, ...]:
    """Return the cases of those ids, each once.

    Raises:
        WrongInputError: The tier has no such case; the nearest id is offered.
    """
    wanted = list(dict.fromkeys(case_ids))
    names = dict.fromkeys("aclnn" + case_id.split(".", 1)[0] for case_id in wanted)
    tested = {spec.operator for spec in specs.tested if spec.mentions(product)}
    # An id tells its operator; only an unknown one makes it worth planning all.
    operators = names if names.keys() <= tested else None
    known = {case.id: case for case in plan(specs, product, tier, operators, store)}
    for case_id in wanted:
        if case_id not in known:
            listed_by = f"`aclnn-cts list --product {product} --tier {tier}`"
            kind = f"case of tier {tier} on {product}"
            raise unknown_name(kind, case_id, known, listed_by)
    return tuple(known[case_id] for case_id in wanted)


def _chosen(
    specs: SpecSet, product: str, operators: Iterable[str] | None
) -> tuple[OperatorSpec, ...]:
    specs.product(product)
    chosen = specs.tested_named(operators)
    if operators is None:
        return tuple(spec for spec in chosen if spec.mentions(product))
    for spec in chosen:
        if not spec.mentions(product):
            mentioned = [other for other in specs.products if spec.mentions(other)]
            raise WrongInputError(
                f"the document of {spec.operator} does not mention {product}{_said_in(specs)}; "
                f"it names {', '.join(mentioned)}"
            )
    return chosen


def _said_in(specs: SpecSet) -> str:
    return "" if specs.edition == CURRENT else f" in the edition {specs.edition}"


def _planned(
    spec: OperatorSpec, product: Product, tier: str, store: CoveringStore | None
) -> list[Case]:
    try:
        return _interleaved(list(_unique(_tiers(spec, product, tier, store))))
    except (UnboundError, ExpressionError) as error:
        raise WrongInputError(f"specs/{spec.operator}.yaml: no case can be made: {error}") from None


def _unique(cases: Iterable[Case]) -> Iterator[Case]:
    """Drop cases that differ from an earlier one in nothing but why they were made."""
    seen: set[str] = set()
    for case in cases:
        if case.digest not in seen:
            seen.add(case.digest)
            yield case


def _interleaved(cases: Sequence[Case]) -> list[Case]:
    """Spread the calls that are refused among those that must work, which keep the last place.

    So what a refused call leaves behind in the process shows in the calls after it.
    """
    refused = [case for case in cases if not case.expects_success]
    valid = [case for case in cases if case.expects_success]
    ordered: list[Case] = []
    for number, case in enumerate(valid):
        ordered += refused[_share(number, refused, valid) : _share(number + 1, refused, valid)]
        ordered.append(case)
    return ordered or refused


def _share(number: int, refused: Sequence[Case], valid: Sequence[Case]) -> int:
    """Return how many refused calls stand before the valid call of that number."""
    return number * len(refused) // len(valid)


def _tiers(
    spec: OperatorSpec, product: Product, tier: str, store: CoveringStore | None
) -> Iterator[Case]:
    """Yield the cases of all tiers up to the one wanted, lowest first."""
    require_tier(tier)
    if not spec.supports(product.id):
        yield from negative_cases(spec, product.id, factors_of(spec, product, "smoke"))
        return
    for each in TIERS[: TIERS.index(tier) + 1]:
        yield from _scene_cases(spec, product, each)
        yield from state_cases(spec, product, each)
        yield from _covering_cases(spec, product, each, store)
        if each == "smoke":
            yield from negative_cases(spec, product.id, factors_of(spec, product, each))


def _scene_cases(spec: OperatorSpec, product: Product, tier: Tier) -> Iterator[Case]:
    factors = factors_of(spec, product, tier)
    possible = (
        scene
        for scene in scenes(spec, factors, tier)
        if scene.tier == tier and is_valid(spec, product.id, scene.facts)
    )
    first = factors_of(spec, product, "smoke")
    asked = asked_scenes(spec, product, first, tier)
    for scene in itertools.chain(possible, asked):
        yield build_case(spec, product.id, scene.facts, Intent(scene.name, tier))
    for name, facts in extent_scenes(spec, product.id, first, tier):
        yield build_case(spec, product.id, facts, Intent(name, tier))


def _covering_cases(
    spec: OperatorSpec, product: Product, tier: Tier, store: CoveringStore | None
) -> Iterator[Case]:
    for strength, factors in _arrays(spec, product, tier):
        make = functools.partial(_rows, spec, product, tier, strength, factors)
        described = (spec.parameters, spec.derived, spec.rules, product.id)
        content = f"{described!r} {strength} {most_elements(tier)}"
        for row in store.rows(content, factors, make) if store is not None else make():
            yield build_case(spec, product.id, row, Intent("cover", tier))


def _rows(
    spec: OperatorSpec, product: Product, tier: Tier, strength: int, factors: Factor
) -> list[dict[str, Any]]:
    valid = telling_facts(spec, product.id, factors, most_elements(tier))
    return covering_rows(factors, strength, shaping_factors(factors), valid)


def _arrays(spec: OperatorSpec, product: Product, tier: Tier) -> Iterator[tuple[int, Factor]]:
    """Yield the covering arrays of a tier: how many factors at a time, of which factors.

    Smoke covers every level, standard every pair. Full covers every pair of its further layouts,
    too, and every triple of the standard factors' first levels, as many as are affordable.
    """
    factors = factors_of(spec, product, tier)
    if tier == "full":
        yield 2, factors
        yield 3, first_levels(factors_of(spec, product, "standard"), 3, _MOST_TRIPLES)
    else:
        yield {"smoke": 1, "standard": 2}[tier], factors


_MOST_TRIPLES = 30_000
"""Combinations in an array of triples; the time to make one grows faster than their number."""
