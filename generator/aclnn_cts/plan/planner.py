# SPDX-License-Identifier: Apache-2.0
"""The plan: all cases of a tier on a product, in a fixed order, each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aclnn_cts.errors import NotTrustworthyError, WrongInputError, unknown_name
from aclnn_cts.plan.binding import UnboundError
from aclnn_cts.plan.building import Purpose, build_case
from aclnn_cts.plan.cases import TIERS, Case, Tier
from aclnn_cts.plan.covering import covering_rows, first_levels
from aclnn_cts.plan.factors import Factor, factors_of, most_elements
from aclnn_cts.plan.negatives import violations
from aclnn_cts.plan.rules import base_facts, is_valid, shaping_factors, valid_facts
from aclnn_cts.plan.scenes import scenes
from aclnn_cts.plan.state import state_cases
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec, Product


def plan(
    specs: SpecSet, product: str, tier: str, operators: Iterable[str] | None = None
) -> tuple[Case, ...]:
    """Return the cases of a tier on a product.

    Args:
        specs: All specs.
        product: The product's id.
        tier: ``smoke``, ``standard`` or ``full``; each holds the one before.
        operators: Operator names; all tested operators that the product supports if None.

    Raises:
        WrongInputError: A name is unknown, or the product does not support an operator asked for.
        NotTrustworthyError: There is nothing to test.
    """
    chosen = _chosen(specs, product, operators)
    cases = [case for spec in chosen for case in _planned(spec, specs.product(product), tier)]
    if not cases:
        raise NotTrustworthyError(f"no operator is promised on {product}: there is nothing to test")
    return tuple(cases)


def find_case(specs: SpecSet, case_id: str, product: str, tier: str) -> Case:
    """Return the case of that id; raises as :func:`find_cases`."""
    return find_cases(specs, [case_id], product, tier)[0]


def find_cases(
    specs: SpecSet, case_ids: Iterable[str], product: str, tier: str
) -> tuple[Case, ...]:
    """Return the cases of those ids, each once.

    Raises:
        WrongInputError: The tier has no such case; the nearest id is offered.
    """
    wanted = list(dict.fromkeys(case_ids))
    names = dict.fromkeys("aclnn" + case_id.split(".", 1)[0] for case_id in wanted)
    tested = {spec.operator for spec in specs.tested if spec.supports(product)}
    # An id tells its operator; only an unknown one makes it worth planning all.
    operators = names if names.keys() <= tested else None
    known = {case.id: case for case in plan(specs, product, tier, operators)}
    for case_id in wanted:
        if case_id not in known:
            raise unknown_name(f"case of tier {tier} on {product}", case_id, known)
    return tuple(known[case_id] for case_id in wanted)


def _chosen(
    specs: SpecSet, product: str, operators: Iterable[str] | None
) -> tuple[OperatorSpec, ...]:
    specs.product(product)
    tested = {spec.operator: spec for spec in specs.tested}
    if operators is None:
        return tuple(spec for spec in tested.values() if spec.supports(product))
    for name in (names := list(dict.fromkeys(operators))):
        if name not in tested:
            raise unknown_name("operator", name, tested)
        if not tested[name].supports(product):
            supported = [other for other in specs.products if tested[name].supports(other)]
            raise WrongInputError(
                f"{name} is not promised on {product}; its document names {', '.join(supported)}"
            )
    return tuple(tested[name] for name in names)


def _planned(spec: OperatorSpec, product: Product, tier: str) -> list[Case]:
    try:
        return list(_unique(_tiers(spec, product, tier)))
    except (UnboundError, ExpressionError) as error:
        raise WrongInputError(f"specs/{spec.operator}.yaml: no case can be made: {error}") from None


def _unique(cases: Iterable[Case]) -> Iterator[Case]:
    """Drop cases that differ from an earlier one in nothing but why they were made."""
    seen: set[str] = set()
    for case in cases:
        if case.digest not in seen:
            seen.add(case.digest)
            yield case


def _tiers(spec: OperatorSpec, product: Product, tier: str) -> Iterator[Case]:
    """Yield the cases of all tiers up to the one wanted, lowest first."""
    if tier not in TIERS:
        raise unknown_name("tier", tier, TIERS)
    for each in TIERS[: TIERS.index(tier) + 1]:
        yield from _scene_cases(spec, product, each)
        yield from state_cases(spec, product, each)
        yield from _covering_cases(spec, product, each)
        if each == "smoke":
            yield from _negative_cases(spec, product)


def _scene_cases(spec: OperatorSpec, product: Product, tier: Tier) -> Iterator[Case]:
    factors = factors_of(spec, product, tier)
    for scene in scenes(spec, factors, tier):
        if scene.tier != tier or not is_valid(spec, product.id, scene.facts):
            continue
        yield build_case(spec, product.id, scene.facts, Purpose(scene.name, tier))


def _covering_cases(spec: OperatorSpec, product: Product, tier: Tier) -> Iterator[Case]:
    for strength, factors in _arrays(spec, product, tier):
        valid = valid_facts(spec, product.id, factors, most_elements(tier))
        for row in covering_rows(factors, strength, shaping_factors(factors), valid):
            yield build_case(spec, product.id, row, Purpose("cover", tier))


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


def _negative_cases(spec: OperatorSpec, product: Product) -> Iterator[Case]:
    factors = factors_of(spec, product, "smoke")
    twin = base_facts(factors)
    passing = build_case(spec, product.id, twin, Purpose("base", "smoke"))
    for violation in violations(spec, product.id, twin):
        error = violation.error
        purpose = Purpose(error.id, "smoke", error.statuses, violation.detail, passing.id)
        yield build_case(spec, product.id, violation.facts, purpose)
