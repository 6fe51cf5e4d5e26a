# SPDX-License-Identifier: Apache-2.0
"""The plan: all cases of a tier on a product, in a fixed order, each once.

Also the ordinary side calls of cases, and the differences between the plans of two editions.
"""

from __future__ import annotations

import difflib
import functools
import itertools
import math
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel

from aclnn_cts.errors import NotTrustworthyError, WrongInputError, one_of, unknown_name
from aclnn_cts.plan.binding import UnboundError, bind
from aclnn_cts.plan.calls import PlannedCall
from aclnn_cts.plan.case_builder import build_case, with_variants
from aclnn_cts.plan.cases import SOAK, TIERS, Case, Intent, Tier
from aclnn_cts.plan.covering import PlanCache, covering_rows, first_levels
from aclnn_cts.plan.extents import extent_scenes
from aclnn_cts.plan.factors import (
    Factor,
    factors_of,
    is_empty_extent,
    most_elements,
    type_factors,
)
from aclnn_cts.plan.refused_cases import refused_cases
from aclnn_cts.plan.scenes import (
    Scene,
    batch_scenes,
    empty_scenes_with_nulls,
    obstacles,
    scenes,
    sharing_scenes,
    special_scenes,
    state_cases,
)
from aclnn_cts.plan.sizes import MODES, size_scenes
from aclnn_cts.plan.validity import base_facts, can_show_errors, shaping_factors, valid_call
from aclnn_cts.spec.editions import CURRENT
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.loading import SpecSet, specs_digest
from aclnn_cts.spec.models import OperatorSpec, Product
from aclnn_cts.suite import Suite
from aclnn_cts.worker_pool import spread


def plan(
    specs: SpecSet,
    product: str,
    tier: str,
    operators: Iterable[str] | None = None,
    store: PlanCache | None = None,
) -> tuple[Case, ...]:
    """Return the cases of a tier on a product.

    Args:
        tier: ``smoke``, ``standard`` or ``full``; each includes the previous one.
        operators: Operator names; all tested operators if None. Operators that the product does not
            support must refuse every call.
        store: The cache of plans and covering arrays; None for no cache.

    Raises:
        WrongInputError: A name is unknown, or the document of a named operator does not mention the
            product.
        NotTrustworthyError: The plan is empty.
    """
    chosen = _selection(specs, product, operators)
    cases = [
        case if case.product == product else replace(case, product=product)
        for spec in chosen
        for case in _plan(_View.of(specs, spec, product), tier, store)
    ]
    if not cases:
        raise NotTrustworthyError(
            f"no document mentions {product}{_digest(specs)}: there is nothing to test"
        )
    return tuple(cases)


def make_plans(
    specs: SpecSet,
    product: str,
    tier: str,
    operators: Iterable[str] | None,
    store: PlanCache,
    jobs: int,
) -> Iterator[tuple[int, int]]:
    """Make the plans that the cache lacks, in worker processes; arguments as for :func:`plan`.

    Yields:
        The numbers of plans that are made, and of all that will be.

    Raises:
        WrongInputError: As :func:`plan`.
        NotTrustworthyError: A process was killed.
    """
    views = [_View.of(specs, spec, product) for spec in _selection(specs, product, operators)]
    new = [view for view in views if not store.has_plan(_content(view, tier))]
    if new:
        yield 0, len(new)
    made = spread(functools.partial(_keep_plan, tier, store), new, jobs, _KILLED)
    yield from ((count, len(new)) for count, _ in enumerate(made, start=1))


def operators_on(suite: Suite, specs: SpecSet, product: str) -> tuple[str, ...]:
    """Return the tested operators whose documents mention a product.

    They are cached, because it takes seconds to read all specs.
    """

    def find() -> tuple[str, ...]:
        return tuple(s.operator for s in specs.tested_operators if s.mentions(product))

    content = f"{specs_digest(suite)} {specs.edition} {product}"
    return PlanCache.of(suite).value("operators", content, tuple[str, ...], find)


_KILLED = "a planning process was killed, perhaps for lack of memory; use --jobs 1"

WILDCARD = re.compile(r"[*?\[]")


def operators_of(specs: SpecSet, patterns: Iterable[str], product: str) -> list[str]:
    """Return the operators whose cases may match ids or patterns.

    An id that begins with no operator counts for the one with the nearest name, if any.
    """
    specs.product(product)
    patterns = tuple(patterns)
    if len(first := {pattern.partition(".")[0] for pattern in patterns}) == 1:
        # the usual case: a few cases of one operator, without reading other specs
        spec = specs.operators.get(f"aclnn{first.pop()}")
        if spec is not None and spec.role == "tested" and spec.mentions(product):
            return [spec.operator]
    begins = {
        s.operator.removeprefix("aclnn") + ".": s
        for s in specs.tested_operators
        if s.mentions(product)
    }
    operators = set[str]()
    for pattern in patterns:
        head, *wild = WILDCARD.split(pattern, maxsplit=1)
        possible = [each for each in begins if head.startswith(each)]
        possible += [each for each in begins if wild and each.startswith(head)]
        operators.update(possible or difflib.get_close_matches(pattern.split(".")[0], begins, n=1))
    return [spec.operator for begin, spec in begins.items() if begin in operators]


def find_cases(
    specs: SpecSet,
    case_ids: Iterable[str],
    product: str,
    tier: str,
    store: PlanCache | None = None,
) -> tuple[Case, ...]:
    """Return the cases of those ids, each once.

    Raises:
        WrongInputError: The tier has no such case; the nearest id is offered.
    """
    ids = list(dict.fromkeys(case_ids))
    operators = operators_of(specs, ids, product)
    cases = plan(specs, product, tier, operators, store) if operators else ()
    cases_by_id = {case.id: case for case in cases}
    for case_id in ids:
        if case_id not in cases_by_id:
            listed_by = f"`aclnn-cts list --product {product} --tier {tier}`"
            kind = f"case of tier {tier} on {product}"
            raise unknown_name(kind, case_id, cases_by_id, listed_by)
    return tuple(cases_by_id[case_id] for case_id in ids)


def _selection(
    specs: SpecSet, product: str, operators: Iterable[str] | None
) -> tuple[OperatorSpec, ...]:
    specs.product(product)
    chosen = specs.select_tested(operators)
    if operators is None:
        return tuple(spec for spec in chosen if spec.mentions(product))
    for spec in chosen:
        if not spec.mentions(product):
            mentioned = [other for other in specs.products if spec.mentions(other)]
            is_open = spec.products.get(product) == "incomplete"
            says = "leaves out what a call needs on" if is_open else "does not mention"
            raise WrongInputError(
                f"the document of {spec.operator} {says} {product}{_digest(specs)}; "
                f"it names {', '.join(mentioned)}"
            )
    return chosen


def _digest(specs: SpecSet) -> str:
    return "" if specs.edition == CURRENT else f" in the edition {specs.edition}"


@dataclass(frozen=True)
class _View:
    """A spec restricted to a product; products with equal views have equal plans.

    Attributes:
        text: Its content, without the product's name.
    """

    text: str
    spec: OperatorSpec = field(compare=False)
    product: Product = field(compare=False)

    @classmethod
    def of(cls, specs: SpecSet, spec: OperatorSpec, product: str) -> _View:
        """Return the view of a spec for a product."""
        at = specs.product(product)
        names = {name for each in specs.products.values() for name in (each.id, each.architecture)}
        content = _view(spec, (at.id, at.architecture), names)
        return cls(f"{at.inf_nan} {content!r}", spec, at)


def _view(part: Any, own: tuple[str, ...], names: Set[str]) -> Any:
    """Return a part of a spec restricted to one product."""
    if isinstance(part, BaseModel):
        # editions are applied already
        part = {name: getattr(part, name) for name in type(part).model_fields if name != "editions"}
    if isinstance(part, dict):
        if part and part.keys() <= names:
            return [part.get(name) for name in own]
        return {key: _view(value, own, names) for key, value in part.items()}
    if isinstance(part, list):
        if part and all(isinstance(each, str) and each in names for each in part):
            return any(name in part for name in own)
        return [_view(each, own, names) for each in part]
    return part


@functools.lru_cache(maxsize=8)
def _plan(view: _View, tier: str, store: PlanCache | None) -> tuple[Case, ...]:
    """Return the cases of an operator, planned for the first product of an equal view."""
    make = functools.partial(_make, view, tier, store)
    return make() if store is None else store.plan(_content(view, tier), make)


def _content(view: _View, tier: str) -> str:
    """Return everything that a plan depends on, except the code."""
    return f"{tier} {view.text}"


def _keep_plan(tier: str, store: PlanCache, view: _View) -> None:
    """Put a plan into the cache, in a worker."""
    _plan(view, tier, store)


def _make(view: _View, tier: str, store: PlanCache | None) -> tuple[Case, ...]:
    spec = view.spec
    try:
        cases = _interleave(list(_unique(_tiers(spec, view.product, tier, store))))
    except (UnboundError, ExpressionError) as error:
        raise WrongInputError(f"{spec.file}: no case can be made: {error}") from None
    _require_valid_call(spec, view.product, cases)
    # First, because it shows whether other operators work before any call of this one.
    return tuple(sorted(cases, key=lambda case: case.scene != SOAK))


def _require_valid_call(spec: OperatorSpec, product: Product, cases: Iterable[Case]) -> None:
    if spec.supports(product.id) and not any(case.expects_success for case in cases):
        base = base_facts(factors_of(spec, product, "smoke"))
        broken = "; ".join(obstacles(spec, product, base, _INTENT))
        raise WrongInputError(
            f"{spec.file}: no valid call can be planned on {product.id}; of the first levels: "
            f"{broken}; give levels that go together (`factors`)"
        )


def _unique(cases: Iterable[Case]) -> Iterator[Case]:
    """Drop cases that differ from an earlier one only in their scene.

    The earlier one is then the twin of their refused calls.
    """
    ids: dict[str, str] = {}
    for case in cases:
        if case.digest not in ids:
            ids[case.digest] = case.id
            twin = ids.get((case.twin or "").rpartition(".")[2], case.twin)
            yield case if twin == case.twin else replace(case, twin=twin)


def _interleave(cases: Sequence[Case]) -> list[Case]:
    """Interleave refused calls with valid ones; a valid call is last.

    So effects of a refused call on the process show in the following calls.
    """
    refused = [case for case in cases if not case.expects_success]
    valid = [case for case in cases if case.expects_success]
    ordered: list[Case] = []
    for number, case in enumerate(valid):
        ordered += refused[_share(number, refused, valid) : _share(number + 1, refused, valid)]
        ordered.append(case)
    return ordered or refused


def _share(number: int, refused: Sequence[Case], valid: Sequence[Case]) -> int:
    """Return the number of refused calls before a valid call."""
    return number * len(refused) // len(valid)


def _tiers(
    spec: OperatorSpec, product: Product, tier: str, store: PlanCache | None
) -> Iterator[Case]:
    """Yield the cases of all tiers up to the one wanted, lowest first."""
    one_of("tier", tier, TIERS)
    if not spec.supports(product.id):
        yield from refused_cases(spec, product.id, factors_of(spec, product, "smoke"))
        return
    tiers = TIERS[: TIERS.index(tier) + 1]
    for each in tiers:
        yield from _scene_cases(spec, product, each)
        yield from state_cases(spec, product, each)
        yield from _covering_cases(spec, product, each, store)
        if each == "smoke":
            refused = refused_cases(spec, product.id, factors_of(spec, product, each))
            ordered = sorted(refused, key=lambda case: TIERS.index(case.tier))
            yield from _with_many_times(case for case in ordered if case.tier in tiers)


def _with_many_times(refused: Iterable[Case]) -> list[Case]:
    """Return the refused calls; those that the first and the last check refuse are repeated."""
    marked = list(refused)
    firm = [place for place, case in enumerate(marked) if case.tier == "smoke" and case.statuses]
    for place in {*firm[:1], *firm[-1:]}:
        marked[place] = with_variants(marked[place], "many-calls")
    return marked


def _scene_cases(spec: OperatorSpec, product: Product, tier: Tier) -> Iterator[Case]:
    factors = factors_of(spec, product, tier)
    possible = _possible(spec, product, factors, scenes(spec, product.id, factors, tier), tier)
    first = factors_of(spec, product, "smoke")
    special = special_scenes(spec, product, first, tier)
    batches = _possible(spec, product, first, batch_scenes(spec, product.id, first), tier)
    nulls = empty_scenes_with_nulls(spec, product.id, first) if tier == "smoke" else ()
    sharing = _possible(spec, product, first, sharing_scenes(spec, product.id, first), tier)
    for scene in itertools.chain(possible, special, batches, nulls, sharing):
        intent = Intent(scene.name, tier)
        yield build_case(PlannedCall.of(spec, product.id, scene.facts), intent)
    extents = [size_scenes(spec, product.id, first, tier)]
    if tier == "smoke":
        extents.append(extent_scenes(spec, product.id, first))
    calls = [
        build_case(call, Intent(name, tier))
        for name, facts in itertools.chain(*extents)
        if (call := valid_call(spec, product.id, facts, may_be_fixed=True))
    ]
    # where several cores work together, only many calls show that one does not wait for another
    shared = (case for case in calls if case.elements <= _MOST_OF_MANY)
    largest = max(shared, key=lambda case: (_sums_up(case), case.elements), default=None)
    for case in calls:
        is_shown = case is largest and tier == "smoke"
        yield with_variants(case, "many-calls") if is_shown else case


def _possible(
    spec: OperatorSpec, product: Product, factors: Factor, wanted: Iterable[Scene], tier: Tier
) -> Iterator[Scene]:
    """Yield the valid scenes of a tier; layouts in ordinary shapes if their own are not valid.

    A page may ask for an even extent, for example.
    """
    base = base_facts(factors)
    ordinary = {name: shape for name, shape in base.items() if name.startswith("shape:")}
    for scene in wanted:
        if scene.tier != tier:
            continue
        if valid_call(spec, product.id, scene.facts):
            yield scene
        elif scene.name == "layout" and valid_call(spec, product.id, {**scene.facts, **ordinary}):
            yield replace(scene, facts={**scene.facts, **ordinary})


def _sums_up(case: Case) -> bool:
    """Whether an output has fewer elements than an input, so that cores share one."""
    most = max((tensor.numel for tensor in case.inputs), default=0)
    return most > _FEWEST_SHARED and any(tensor.numel < most for tensor in case.outputs)


_FEWEST_SHARED = 1 << 12
"""Number of elements from which a device may share a sum among its cores."""

_MOST_OF_MANY = 1 << 15
"""Number of elements up to which calls of several cores are made many times: enough for all cores
of a card, and seconds instead of minutes in all."""


def _covering_cases(
    spec: OperatorSpec, product: Product, tier: Tier, store: PlanCache | None
) -> Iterator[Case]:
    for strength, factors in _arrays(spec, product, tier):
        most = _most_elements(spec, factors, tier)
        make = functools.partial(_rows, spec, product, most, strength, factors)
        described = (
            spec.parameters,
            spec.derived,
            spec.rules,
            spec.factors.data_dependent,
            product.id,
        )
        content = f"{described!r} {strength} {most}"
        for row in store.rows(content, factors, make) if store is not None else make():
            yield build_case(PlannedCall.of(spec, product.id, row), Intent("cover", tier))


def _rows(
    spec: OperatorSpec, product: Product, most: int, strength: int, factors: Factor
) -> list[dict[str, Any]]:
    valid = can_show_errors(spec, product.id, most)
    return covering_rows(factors, strength, shaping_factors(spec, factors), valid, is_empty_extent)


def _most_elements(spec: OperatorSpec, factors: Factor, tier: Tier) -> int:
    """Return how many elements a tensor of a row may have: at least those of the first levels."""
    shapes = bind(spec, base_facts(factors)).shapes.values()
    return max(most_elements(tier), *map(math.prod, shapes))


def _arrays(spec: OperatorSpec, product: Product, tier: Tier) -> Iterator[tuple[int, Factor]]:
    """Yield strength and factors of a tier's covering arrays.

    Smoke covers every level, and of contract operators every pair of types and modes, because a
    wrong branch shows only in elements that are not written or not finite. Standard covers every
    pair. Full also covers every pair of its further layouts, and every triple of the standard
    factors' first levels, as many as are affordable; no triples for contract operators, which have
    no values that they could show in.
    """
    factors = factors_of(spec, product, tier)
    if tier == "full":
        yield 2, factors
        if not spec.is_contract:
            yield 3, first_levels(factors_of(spec, product, "standard"))
    else:
        yield {"smoke": 1, "standard": 2}[tier], factors
        if tier == "smoke" and spec.is_contract:
            yield 2, {name: levels[: _modes_of(name)] for name, levels in factors.items()}


def _modes_of(name: str) -> int:
    """Return how many first levels of a factor may choose another branch of an operator."""
    kind = name.partition(":")[0]
    return MODES if kind in ("dtype", "null", "attribute") else 1


_INTENT = Intent("base", "smoke")


def ordinary_call(spec: OperatorSpec, product: Product) -> Case:
    """Return the most ordinary call of an operator on a product: each fact at its first level."""
    facts = base_facts(factors_of(spec, product, "smoke"))
    return build_case(PlannedCall.of(spec, product.id, facts), _INTENT)


def decoy_call(spec: OperatorSpec, product: Product, case: Case) -> Case:
    """Return a small call of the case's operator that differs from it in shapes and attributes.

    It has the case's data types, so that it shares state that an operator keeps by data type. If no
    valid call has other shapes, only the attributes differ, if possible.
    """
    factors = factors_of(spec, product, "smoke")
    base = base_facts(factors)
    for name in type_factors(factors):
        kind, _, parameter = name.partition(":")
        if kind == "attribute":
            base[name] = case.attributes[parameter]
        else:
            base[name] = case.scalars.get(parameter) or case.members(parameter)[0].dtype
    names = (name for name in shaping_factors(spec, factors) if not name.startswith("dtype:"))
    shaping = {name: factors[name] for name in names}
    most = max(map(len, shaping.values()), default=1)
    base_call = PlannedCall.of(spec, product.id, base)
    calls = [build_case(_advance(base_call, shaping, turn), _INTENT) for turn in range(1, most + 1)]
    return max(calls, key=lambda call: _distance(call, case))


def _advance(call: PlannedCall, shaping: Mapping[str, Sequence[Any]], turn: int) -> PlannedCall:
    """Return a valid call with each shape and attribute ``turn`` levels further, if possible."""
    for name, levels in shaping.items():
        changed = {**call.facts, name: levels[turn % len(levels)]}
        call = valid_call(call.spec, call.product, changed, most_elements("smoke")) or call
    return call


def _distance(call: Case, case: Case) -> tuple[bool, int, int, int]:
    """Return the distance between a call and a case: work, shapes, attributes and size."""
    pairs = zip(call.tensors, case.tensors, strict=False)  # their lists may differ in length
    sizes = [tensor.numel for tensor in call.tensors]
    return (
        all(sizes),
        sum(ours.shape != theirs.shape for ours, theirs in pairs),
        sum(repr(value) != repr(case.attributes[name]) for name, value in call.attributes.items()),
        max(sizes),
    )


def other_operators(specs: SpecSet, operator: str, product: str) -> tuple[OperatorSpec, ...]:
    """Return the operators that run before and among calls of one that must not depend on them.

    It is one of each family, that of ``operator`` last, so that over all operators each family runs
    before each. Without any other, it is the operator itself.
    """
    spec = specs.operator(operator)
    chosen = []
    for family in sorted(specs.side_calls, key=lambda each: _turn(operator, each)):
        names = specs.side_calls[family]
        start = _turn(operator, family) % len(names)
        turned = (*names[start:], *names[:start])
        possible = (specs.operators.get(name) for name in turned if name != operator)
        beside = (each for each in possible if each and each.supports(product))
        chosen += [*itertools.islice(beside, 1)]
    chosen.sort(key=lambda each: each.document.family == spec.document.family)
    return tuple(chosen) or (spec,)


def _turn(operator: str, family: str) -> int:
    """Return a number by which operators and families take turns; it depends on nothing else."""
    return zlib.crc32(f"{operator} {family}".encode())


Cases = Mapping[str, tuple[Case, ...]]
"""The cases of an operator by product."""


@dataclass(frozen=True)
class Movement:
    """The cases of one operator on one product in two editions.

    Attributes:
        came: Ids that only the later edition has.
        went: Ids that only the earlier edition has.
        stayed: How many cases both have.
    """

    came: tuple[str, ...]
    went: tuple[str, ...]
    stayed: int


def cases_of(
    specs: SpecSet,
    operator: str,
    products: Iterable[str],
    tier: str,
    store: PlanCache | None = None,
) -> Cases:
    """Return an operator's cases on each of the products; none where it is not mentioned."""
    spec = specs.operator(operator)
    return {
        product: plan(specs, product, tier, [operator], store) if spec.mentions(product) else ()
        for product in products
    }


def movements(before: Cases, after: Cases) -> dict[str, Movement]:
    """Return the changes of cases by product, without unchanged products."""
    changes = {product: _movement(before[product], cases) for product, cases in after.items()}
    return {product: moved for product, moved in changes.items() if moved.came or moved.went}


def _movement(before: Iterable[Case], after: Iterable[Case]) -> Movement:
    old, new = [case.id for case in before], [case.id for case in after]
    came, went = sorted(set(new) - set(old)), sorted(set(old) - set(new))
    return Movement(tuple(came), tuple(went), len(new) - len(came))


def holding(cases: Cases, clause: str) -> int:
    """Return the number of cases on all products that exercise a clause."""
    return sum(
        clause in case.clauses for operator_cases in cases.values() for case in operator_cases
    )
