# SPDX-License-Identifier: Apache-2.0
"""Scenes outside the covering array, which are not crossed with the other factors.

The public precision standard (section 1.4) requires empty tensors, scalars, extreme extents and
every special value in every input and data type. Special values enter one input at a time, so that
a failure shows which. Likewise, each layout is tried in one tensor at a time and in all together,
so that a failure shows which tensor's strides a device ignores. A spec may request further scenes
(its section ``scenes``). The scene ``state`` repeats calls as other execution variants.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.binding import Facts, UnboundError, bind, chosen_dtype
from aclnn_cts.plan.calls import Call, PlannedCall
from aclnn_cts.plan.case_builder import build_case, with_variants
from aclnn_cts.plan.cases import (
    BATCH,
    CONSTANT_FILLS,
    EXECUTION_VARIANTS,
    INTEGER_FILLS,
    SOAK,
    SOAK_VARIANTS,
    STATE,
    TIERS,
    TURN_VARIANTS,
    Case,
    Intent,
    TensorCase,
    Tier,
)
from aclnn_cts.plan.factors import (
    EMPTY_SHAPES,
    deep_layouts,
    dtype_choices,
    factors_of,
    finite_kind,
    free_shapes,
    is_empty_extent,
    layout_of_all,
    traversal_shapes,
    type_factors,
)
from aclnn_cts.plan.layouts import (
    CONTIGUOUS_LAYOUTS,
    DEEP_INPUT_LAYOUTS,
    HALVES,
    contiguous_strides,
)
from aclnn_cts.plan.members import MANY, length_fact
from aclnn_cts.plan.validity import base_facts, nearest_valid, valid_call
from aclnn_cts.plan.violated_clauses import unmet_requirements
from aclnn_cts.spec.data_types import DATA_TYPES, promote
from aclnn_cts.spec.expression import ExpressionError, calls, typed_names
from aclnn_cts.spec.models import (
    OperatorSpec,
    Product,
    Settings,
    SpecialScene,
    TensorParameter,
)
from aclnn_cts.spec.names import FLOATING_FILLS, SPECIAL_FILLS

_SHAPE = (2, 3, 4, 5)
"""All extents differ and exceed 1, so each permutation is another shape."""


def layout_facts(
    spec: OperatorSpec, factors: Mapping[str, Sequence[Any]]
) -> Iterator[dict[str, Any]]:
    """Yield the facts of the calls with each layout; data types take turns."""
    base = {**base_facts(factors), **free_shape_facts(spec, _SHAPE)}
    together = (layout_of_all(spec, layout) for layout in DEEP_INPUT_LAYOUTS[1:])
    choices = itertools.chain(_one_at_a_time(spec), together)
    for chosen, dtypes in zip(choices, itertools.cycle(dtype_choices(factors)), strict=False):
        yield {**base, **dtypes, **chosen}


def free_shape_facts(spec: OperatorSpec, shape: tuple[int, ...]) -> dict[str, Any]:
    """Return the facts that give a shape to each input whose shape is free."""
    return {
        f"shape:{tensor.name}": shape
        for tensor in spec.inputs
        if tensor.shape is None and tensor.rank and len(shape) <= tensor.rank[1]
    }


def _one_at_a_time(spec: OperatorSpec) -> Iterator[dict[str, str]]:
    for tensor in spec.tensors:
        if tensor.non_contiguous:
            # elements behind an input matter only if other layouts are wrong, too
            plain = CONTIGUOUS_LAYOUTS if tensor.tensor == "input" else ("contiguous",)
            for layout in (each for each in deep_layouts(tensor) if each not in plain):
                yield {f"layout:{tensor.name}": layout}


@dataclass(frozen=True)
class Scene:
    """The facts of one case outside the covering array.

    Attributes:
        name: The purpose of the case.
        tier: The lowest tier that holds it.
    """

    name: str
    tier: Tier
    facts: Facts


def scenes(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]], tier: Tier
) -> Iterator[Scene]:
    """Yield the scenes of an operator up to a tier, without those about extents."""
    base = base_facts(factors)
    for number, dtypes in enumerate(dtype_choices(factors)):
        facts = {**base, **dtypes}
        yield Scene("base", "smoke", facts)
        is_turn = not spec.types_in_turn or number % _FEW == 0
        if is_turn:
            yield from _empty_scenes(spec, product, facts)
            yield from _special_scenes(spec, factors, facts)
            yield from _common_fill_scenes(spec, factors, facts)
        yield from _threshold_scenes(spec, factors, facts)
    for number, facts in enumerate(layout_facts(spec, factors)):
        yield Scene("layout", _layout_tier(spec, facts, number), facts)
    yield from _scalar_scenes(spec, product, factors)
    if spec.mixes_types:
        yield from _promotion_scenes(spec, product, factors)
    if spec.lists:
        yield Scene("lists", "smoke", {**base, length_fact(spec): spec.longest(product) or MANY})
    if tier == "full" and not spec.is_contract:
        yield from _traversal_scenes(spec, base, factors)


_BATCHES = (1, 7, 131)
"""Numbers of samples: one, fewer than the cores of a card, and more than two for each of 64."""

_SAMPLE = 33
"""Elements of a sample, where they are free to choose."""


def batch_scenes(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Scene]:
    """Yield calls with the same samples in several batches, if a page says that they are equal.

    Samples lie along the outermost axis, and elements are combined along the innermost one.
    """
    promise = spec.batch_consistency
    if promise is None or spec.batch_level_on(product) is None:
        return
    fills = {
        f"fill:{tensor.name}": "samples"
        for tensor in spec.inputs
        if set(factors.get(f"fill:{tensor.name}", ())) - {*CONSTANT_FILLS, *INTEGER_FILLS}
    }
    reduced = {
        f"attribute:{name}": level
        for name in promise.reduced.names
        for level in factors.get(f"attribute:{name}", ())
        if level in (-1, (-1,))
    }
    for dtypes in dtype_choices(factors):
        types = (DATA_TYPES[name] for name in dtypes.values() if name in DATA_TYPES)
        if spec.is_reduced and any(each.floating is None for each in types):
            continue  # sums of integers are exact in any batch
        for count in _BATCHES:
            shape = _batch_of(spec, promise.tensor, count)
            yield Scene(
                BATCH, "smoke", {**base_facts(factors), **dtypes, **fills, **reduced, **shape}
            )


def _batch_of(spec: OperatorSpec, tensor: str, count: int) -> dict[str, Any]:
    """Return the facts that give a tensor a number of samples."""
    shape = spec.tensor(tensor).shape
    if not isinstance(shape, list):
        least, _ = spec.tensor(tensor).ranks
        return free_shape_facts(spec, (count, *(1,) * (least - 2), _SAMPLE))
    outermost = str(shape[0])
    is_spread = outermost.startswith("*")
    return {f"dim:{outermost.removeprefix('*')}": (count,) if is_spread else count}


SHARING = "sharing"
"""The scene of calls with two inputs in one storage."""


def sharing_scenes(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Scene]:
    """Yield calls with two inputs in one storage: halves of it, and the same elements.

    The first pair of each kind is in smoke; data types take turns.
    """
    reserved = spec.reserved_tensors(product)
    inputs = [
        each
        for each in spec.inputs
        if each.tensor == "input" and each.producer is None and each.name not in reserved
    ]
    for shared in (_halves, _same_elements):
        dtypes = itertools.cycle(dtype_choices(factors))
        tier: Tier = "smoke"
        for pair in itertools.combinations(inputs, 2):
            base = {**base_facts(factors), **next(dtypes)}
            chosen = shared(spec, factors, base, pair)
            if chosen is not None and valid_call(spec, product, facts := {**base, **chosen}):
                yield Scene(SHARING, tier, facts)
                tier = "standard"


Pair = tuple[TensorParameter, TensorParameter]


def _halves(
    spec: OperatorSpec, factors: Mapping[str, Sequence[Any]], base: Facts, pair: Pair
) -> dict[str, Any] | None:
    """Return the facts by which two inputs are the halves of each row of one tensor."""
    del factors
    shape = _shape_of_both(spec, base, pair)
    if not shape or not all(each.non_contiguous for each in pair):
        return None
    layouts = {f"layout:{each.name}": name for each, name in zip(pair, HALVES, strict=True)}
    return {**layouts, f"shares:{pair[1].name}": pair[0].name}


def _same_elements(
    spec: OperatorSpec, factors: Mapping[str, Sequence[Any]], base: Facts, pair: Pair
) -> dict[str, Any] | None:
    """Return the facts by which a tensor is passed twice, with data that are valid for both."""
    compared = all(each.name in spec.factors.never_same for each in pair)
    if compared or _shape_of_both(spec, base, pair) is None:
        return None
    names = [f"fill:{each.name}" for each in pair]
    usual, other = (factors.get(name, ("uniform", "bits")) for name in names)
    kinds = [kind for kind in usual if kind in other and kind not in ("derived", *SPECIAL_FILLS)]
    if not kinds:
        return None
    return {**dict.fromkeys(names, kinds[0]), f"shares:{pair[1].name}": pair[0].name}


def _shape_of_both(spec: OperatorSpec, base: Facts, pair: Pair) -> tuple[int, ...] | None:
    """Return the shape of two inputs with data, of equal shape and data type; None for others."""
    names = [each.name for each in pair]
    if any(base.get(f"null:{name}") for name in names):
        return None
    try:
        bound = bind(spec, base)
    except (UnboundError, ExpressionError):
        return None
    if len({(bound.dtypes[name], bound.shapes[name]) for name in names}) > 1:
        return None
    return bound.shapes[names[0]]


def _layout_tier(spec: OperatorSpec, facts: Facts, number: int) -> Tier:
    """Return the tier of a layout; smoke samples some, except the first tensors'."""
    layouts = {name: each for name, each in facts.items() if name.startswith("layout:")}
    strided = [name for name, each in layouts.items() if each != "contiguous"]
    first = {f"layout:{tensors[0].name}" for tensors in (spec.inputs, spec.outputs) if tensors}
    is_sampled = spec.is_contract or spec.types_in_turn
    is_further = is_sampled and len(strided) == 1 and first.isdisjoint(strided)
    return "standard" if is_further and number % _FEW else "smoke"


_FEW = 5
"""Smoke holds one in this many of these layouts, and data types with some kinds of data."""


def _empty_scenes(spec: OperatorSpec, product: str, facts: Facts) -> Iterator[Scene]:
    for tensor in spec.inputs:
        if not tensor.empty or tensor.shape is not None or tensor.rank is None:
            continue
        shapes = free_shapes(tensor.rank, EMPTY_SHAPES)
        if spec.is_reduced:
            # the axes along which elements are reduced have some, or there are no results
            shapes = tuple(
                shape
                for shape in shapes
                if valid_call(spec, product, {**facts, f"shape:{tensor.name}": shape})
            )
        for number, shape in enumerate(shapes):
            tier: Tier = "smoke" if number < 2 else "standard"
            yield Scene("empty", tier, {**facts, f"shape:{tensor.name}": shape})


def empty_scenes_with_nulls(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Scene]:
    """Yield an empty call without the tensors that may be null, as far as all rules allow it."""
    nulls = [
        name for name, levels in factors.items() if name.startswith("null:") and True in levels
    ]
    shapes = {
        f"shape:{tensor.name}": free_shapes(tensor.rank, EMPTY_SHAPES)
        for tensor in spec.inputs
        if tensor.empty and tensor.shape is None and tensor.rank is not None
    }
    offered = itertools.chain(factors.items(), shapes.items())
    empty = ((name, x) for name, levels in offered for x in levels if is_empty_extent(name, x))
    for name, extent in empty if nulls else ():
        change = {**base_facts(factors), name: extent}
        call = nearest_valid(spec, product, change, factors, kept=[name])
        if call is None:
            continue
        kept_names = [name]
        for null in nulls:
            without = nearest_valid(
                spec, product, {**call.facts, null: True}, factors, [*kept_names, null]
            )
            if without is not None:
                call = without
                kept_names.append(null)
        yield Scene("empty", "smoke", call.facts)
        return


def _special_scenes(
    spec: OperatorSpec, factors: Mapping[str, Sequence[Any]], facts: Facts
) -> Iterator[Scene]:
    for tensor in spec.inputs:
        name = f"fill:{tensor.name}"
        for kind in factors.get(name, []):
            if kind in SPECIAL_FILLS:
                tier: Tier = "smoke" if kind.startswith("special") else "standard"
                yield Scene("special", tier, {**facts, name: kind})


def _common_fill_scenes(
    spec: OperatorSpec, factors: Mapping[str, Sequence[Any]], facts: Facts
) -> Iterator[Scene]:
    """Special values in all inputs at once; data on which the exact result is representable."""
    offered = {
        name: [kind for kind in factors.get(name, []) if kind.startswith("special")]
        for name in (f"fill:{tensor.name}" for tensor in spec.inputs)
    }
    together = {name: kinds[0] for name, kinds in offered.items() if kinds}
    yield Scene("special-together", "smoke", {**facts, **together})
    exact = {name: "exact" for name in offered if "exact" in factors.get(name, [])}
    yield Scene("exact", "smoke", {**facts, **exact})


_THRESHOLD_SHAPE = (257,)
"""Room for all neighbours of four thresholds several times, and a tail."""


def _threshold_scenes(
    spec: OperatorSpec, factors: Mapping[str, Sequence[Any]], facts: Facts
) -> Iterator[Scene]:
    """Data around each threshold, for each value of the attributes that move it."""
    for tensor in spec.inputs:
        names = {name for threshold in tensor.thresholds for name in threshold.names}
        moving = [f"attribute:{a.name}" for a in spec.attributes if a.name in names]
        if not tensor.thresholds:
            continue
        chosen = {
            f"fill:{tensor.name}": spec.threshold_fill(tensor.name),
            **free_shape_facts(spec, _THRESHOLD_SHAPE),
        }
        for values in itertools.product(*(factors[name] for name in moving)):
            moved = dict(zip(moving, values, strict=True))
            yield Scene("thresholds", "smoke", {**facts, **chosen, **moved})


_TELLING = {
    "int8": -100,
    "uint8": 200,
    "int16": -1000,
    "uint16": 40_000,
    "int32": -100_000,
    "uint32": 3_000_000_123,
    "int64": -10_000_000_123,
    "uint64": 10_000_000_000_000_000_123,
}
"""A value that neither the next narrower type holds nor that of the other sign, by integer type."""


def _scalar_scenes(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Scene]:
    """Yield calls whose scalars are integers that a device must read in their own type.

    Which elements such a number changes depends on it, so the data have all magnitudes.
    """
    if spec.is_contract:
        return
    data = {
        name: "octaves"
        for name, levels in factors.items()
        if name.startswith("fill:") and not {"uniform", "tens"}.isdisjoint(levels)
    }
    facts = {**base_facts(factors), **free_shape_facts(spec, _THRESHOLD_SHAPE), **data}
    powers = [each for term in spec.formula.values() for each in calls(term, "power")]
    for scalar in spec.scalars:
        if any(scalar.name in exponents for _, *exponents in powers):
            continue  # no power to such a number is within a range
        name = f"dtype:{scalar.name}"
        settings = ({name: dtype} for dtype in factors.get(name, scalar.dtypes or ()))
        # the function of a negative number is NaN; a rule may exclude negative numbers, too
        is_positive = any(
            scalar.name in arguments[:1]
            for term in spec.formula.values()
            for function in ("log", "log2", "log10", "sqrt", "rsqrt", "power")
            for arguments in calls(term, function)
        )
        # an element is compared with the scalar in their common type
        is_alike = scalar.dtype is not None or spec.is_exact
        for dtypes in dtype_choices(factors) if is_alike else settings:
            dtype = held = chosen_dtype(spec, scalar, dtypes)
            if scalar.dtype is not None:  # a narrower type may hold it
                tensor = spec.tensor(scalar.dtype.removesuffix(".dtype"))
                source = chosen_dtype(spec, tensor, dtypes)
                held = min(dtype, source, key=lambda name: DATA_TYPES[name].itemsize)
            # data around a threshold are made in float64, which does not have that of uint64
            is_lost = spec.is_condition and held == "uint64"
            if dtype in _TELLING and held in _TELLING and not is_lost:
                value = f"attribute:{scalar.name}"
                number = _TELLING[held]
                numbers = (abs(number),) if is_positive else (number, abs(number))
                options = ({**facts, **dtypes, value: number} for number in numbers)
                valid = (call for call in options if valid_call(spec, product, call))
                yield from (Scene("scalar", "smoke", call) for call in itertools.islice(valid, 1))


def _promotion_scenes(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Scene]:
    """Yield calls with each data type beside the next ones of the list.

    Outputs have the promoted type, and then the first one to which that converts.
    """
    names = {each.name for each in spec.inputs} | {each.name for each in spec.scalars}
    inputs = {f"dtype:{name}" for name in names - {*spec.converted_scalars}}
    first, *others = [name for name in type_factors(factors) if name in inputs]
    outputs = [f"dtype:{each.name}" for each in spec.outputs if f"dtype:{each.name}" not in inputs]
    base = {**base_facts(factors), **free_shape_facts(spec, _THRESHOLD_SHAPE)}
    types = factors[first]
    for step, (place, dtype) in itertools.product((1, 2), enumerate(types)):
        turns = {}
        for turn, name in enumerate(others, 1):
            levels = factors[name]
            other = types[(place + step * turn) % len(types)]
            turns[name] = other if other in levels else levels[(place + step) % len(levels)]
        facts = {**base, **turns, first: dtype}
        if step == 1:
            promoted = promote([dtype, *turns.values()])
            facts |= {name: promoted for name in outputs if promoted in factors.get(name, ())}
        call = nearest_valid(spec, product, facts, factors, kept=[first, *others])
        if call is not None:
            yield Scene("promotion", "smoke", call.facts)


def _traversal_scenes(
    spec: OperatorSpec, base: Facts, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Scene]:
    """The public standard's traversal: ranks and extents, half uniform and half normal data."""
    free = next((t for t in spec.inputs if t.shape is None and t.rank is not None), None)
    if free is None or free.rank is None:
        return
    dtypes = list(dtype_choices(factors))
    for number, shape in enumerate(traversal_shapes(free.rank)):
        fill = ("uniform", "normal")[number % 2]
        fills = {
            key: fill if fill in levels else levels[0]
            for key, levels in factors.items()
            if key.startswith("fill:")
        }
        for chosen in dtypes:
            facts = {**base, **chosen, **fills, f"shape:{free.name}": shape}
            yield Scene("traversal", "full", facts)


_SECTIONS = {
    "dims": "dim",
    "attributes": "attribute",
    "shapes": "shape",
    "dtypes": "dtype",
    "fill": "fill",
    "layouts": "layout",
    "formats": "format",
    "sources": "source",
    "absent": "null",
}
"""The kinds of facts that the sections of a scene's settings state."""


def special_scenes(
    spec: OperatorSpec, product: Product, factors: Mapping[str, Sequence[Any]], tier: Tier
) -> Iterator[Scene]:
    """Yield the special scenes of a spec that belong to exactly this tier.

    Each is made for each of its variants and every data type, except later ones that a rule on data
    types refuses.

    Args:
        factors: The factors of the smoke tier; their first levels are the defaults of a scene.

    Raises:
        WrongInputError: A scene is not a valid call.
    """
    base = base_facts(factors)
    for scene in spec.scenes:
        elsewhere = scene.products is not None and product.id not in scene.products
        if elsewhere or scene.tier != tier:
            continue
        facts_of_scene = [*_facts_of(scene, product)]
        variations = _variations(spec, scene, product, factors) if scene.varied else ()
        choices = [*dtype_choices(factors)]
        for turn, facts in enumerate([*facts_of_scene, *variations]):
            for number, dtypes in enumerate(choices):
                is_variant = turn or len(facts_of_scene) > 1
                if spec.types_in_turn and is_variant and number != turn % len(choices):
                    continue
                chosen = {**base, **dtypes, **_usual_followers(spec, facts), **facts}
                refused = number and _has_refused_types(spec, product, chosen)
                if refused or not _is_offered(facts, factors) or not _suits_types(spec, chosen):
                    continue
                if facts in facts_of_scene:
                    _require_valid(spec, product, scene, chosen)
                elif not valid_call(spec, product.id, chosen, may_be_fixed=True):
                    continue
                yield Scene(scene.id, scene.tier, chosen)


def _usual_followers(spec: OperatorSpec, facts: Facts) -> dict[str, Any]:
    """Return the facts that parameters have the usual type beside that of a scene."""
    return {
        f"dtype:{name}": None
        for name in spec.dependent_types
        if f"dtype:{spec.dtype_root(name)}" in facts
    }


def _has_refused_types(spec: OperatorSpec, product: Product, facts: Facts) -> bool:
    if spec.mixes_types and not valid_call(spec, product.id, facts, may_be_fixed=True):
        return True
    typed = {rule.id for rule in spec.rules if typed_names(rule.require)}
    if not typed:
        return False
    call = PlannedCall.of(spec, product.id, facts)
    return not typed.isdisjoint(call.broken_rules(open_ones=True))


def _facts_of(scene: SpecialScene, product: Product) -> Iterator[dict[str, Any]]:
    """Yield the facts of each variant; those of the scene itself if it has none."""
    for variant in scene.each or [Settings()]:
        yield {**_facts(scene, product), **_facts(variant, product)}


def _variations(
    spec: OperatorSpec, scene: SpecialScene, product: Product, factors: Mapping[str, Sequence[Any]]
) -> Iterator[dict[str, Any]]:
    """Yield the facts of a scene with its data in one input alone, and with other attributes.

    With several attributes at 0 some formulas are the identity.
    """
    facts = _facts(scene, product)
    fills = {name for name in facts if name.startswith("fill:")}
    for kept_name in sorted(fills) if len(fills) > 1 else ():
        yield {
            name: value for name, value in facts.items() if name == kept_name or name not in fills
        }
    names = [f"attribute:{attribute.name}" for attribute in spec.attributes]
    levels = {name: factors[name] for name in names if name in factors and name not in facts}
    for name, values in levels.items():
        for value in values[1:]:
            yield {**facts, name: value}
    zeros = {
        name: 0.0
        for name, values in levels.items()
        if any(isinstance(value, float) and not value for value in values)
    }
    if len(zeros) > 1:
        yield {**facts, **zeros}


def _facts(settings: Settings, product: Product) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for section, kind in _SECTIONS.items():
        for name, value in getattr(settings, section).items():
            facts[f"{kind}:{name}"] = tuple(value) if isinstance(value, list) else value
    if not product.inf_nan:
        facts |= {key: finite_kind(x) for key, x in facts.items() if key.startswith("fill:")}
    return facts


def _is_offered(facts: Facts, factors: Mapping[str, Sequence[Any]]) -> bool:
    """Whether the product has the data types and layouts of a scene."""
    return all(
        value in factors.get(key, [value])
        for key, value in facts.items()
        if key.startswith(("dtype:", "source:"))
    )


def _suits_types(spec: OperatorSpec, facts: Facts) -> bool:
    """Whether inputs whose data are of a kind for floating types have such a type."""
    return all(
        DATA_TYPES[chosen_dtype(spec, tensor, facts)].floating is not None
        for tensor in spec.inputs
        if facts.get(f"fill:{tensor.name}") in FLOATING_FILLS
    )


def _require_valid(spec: OperatorSpec, product: Product, scene: SpecialScene, facts: Facts) -> None:
    broken = tuple(obstacles(spec, product, facts, Intent(scene.id, scene.tier)))
    if broken:
        details = {
            key: facts[key] for key in facts if key.startswith(("dim", "attribute", "shape"))
        }
        raise WrongInputError(
            f"{spec.file}: scene {scene.id!r} is not a valid call on {product.id}: "
            f"{'; '.join(broken)}; chosen were {details}"
        )


def obstacles(spec: OperatorSpec, product: Product, facts: Facts, intent: Intent) -> Iterator[str]:
    """Yield the reasons why a scene's call is invalid or not what the scene requests."""
    try:
        case = build_case(PlannedCall.of(spec, product.id, facts), intent)
    except (UnboundError, ExpressionError) as error:
        yield str(error)
        return
    broken = unmet_requirements(Call.of(spec, case))
    if broken:
        yield f"it breaks {', '.join(broken)}"
    elif not valid_call(spec, product.id, facts, may_be_fixed=True):
        yield "a rule cannot be evaluated for it"
    for tensor in case.tensors:
        yield from _missing_permissions(spec, tensor)
    yield from _missing_data(case, facts)


def _missing_permissions(spec: OperatorSpec, tensor: TensorCase) -> Iterator[str]:
    """Yield the permissions that a tensor needs and lacks."""
    parameter = spec.tensor(tensor.parameter)
    if tensor.strides != contiguous_strides(tensor.shape) and not parameter.non_contiguous:
        yield f"{tensor.name} has the layout {tensor.layout}, but may not be non-contiguous"
    if tensor.numel == 0 and not parameter.empty:
        yield f"{tensor.name} has no elements, but may not be empty"


def _missing_data(case: Case, facts: Facts) -> Iterator[str]:
    """Yield the kinds of data of a scene that the data type cannot hold."""
    for tensor in case.tensors:
        kind = facts.get(f"fill:{tensor.parameter}") if tensor.source != "null" else None
        if kind is not None and (tensor.fill is None or tensor.fill.kind != kind):
            yield f"{tensor.name} in {tensor.dtype} cannot hold data of the kind {kind}"


_ELEMENTS = 4096
"""Approximate number of elements of the largest tensor of a larger call."""

_MOST_ELEMENTS = 3 * _ELEMENTS


def state_cases(spec: OperatorSpec, product: Product, tier: Tier) -> Iterator[Case]:
    """Yield the operator's cases of the scene that belong to exactly this tier.

    A data type for which the ordinary call breaks a rule has the nearest valid one.
    """
    if tier == "full":
        return
    factors = factors_of(spec, product, tier)
    base = base_facts(factors)
    if tier == "standard":
        base |= _larger(spec, product.id, factors)
    cases = []
    for dtypes in dtype_choices(factors):
        call = nearest_valid(spec, product.id, {**base, **dtypes}, factors, kept=dtypes)
        if call is None:
            continue
        for deterministic in _switch(spec, product.id):
            intent = Intent(
                STATE,
                tier,
                detail={None: "", True: "deterministic", False: "any-order"}[deterministic],
                again=EXECUTION_VARIANTS,
                deterministic=deterministic,
            )
            cases.append(build_case(call, intent))
    variants = [v for v in TURN_VARIANTS if spec.has_known_places or v != "moved-addresses"]
    first = TIERS.index(tier)  # each tier gives other data types the same variant
    for place, case in enumerate(cases):
        yield with_variants(case, *variants[(place + first) % len(cases) :: len(cases)])
    if tier == "smoke":
        yield from _soak_case(spec, product, factors)


def _soak_case(
    spec: OperatorSpec, product: Product, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Case]:
    """Yield the small call that is made many times, of which equal bits are promised if ever."""
    (deterministic, *_) = _switch(spec, product.id)
    intent = Intent(SOAK, "smoke", again=SOAK_VARIANTS, deterministic=deterministic)
    base = base_facts(factors)
    for dtypes in dtype_choices(factors):
        call = nearest_valid(spec, product.id, {**base, **dtypes}, factors, kept=dtypes)
        if call is not None:
            yield build_case(call, intent)
            return


def _switch(spec: OperatorSpec, product: str) -> tuple[bool | None, ...]:
    """Return the settings of determinism to try: both, if the operator is switchable."""
    return (True, False) if spec.determinism_on(product) == "switchable" else (None,)


def _larger(spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]) -> Facts:
    """Return the extents that make the largest tensor a few thousand elements, or nearly so."""
    names = [name for name in factors if name.startswith("dim:")]
    names = names or [name for name in factors if name.startswith("shape:")]
    lists = {f"attribute:{each.name}" for each in spec.attributes if each.attribute == "ints"}
    names = names or [name for name in factors if name in lists]
    names.sort(key=lambda name: not isinstance(factors[name][0], str))
    names = names[-2:]  # two are enough, and more would take seconds
    base = base_facts(factors)
    best, distance = {}, math.inf
    for levels in itertools.product(*(factors[name] for name in names)):
        chosen = dict(zip(names, levels, strict=True))
        call = valid_call(spec, product, {**base, **chosen}, _MOST_ELEMENTS)
        if call is None:
            continue
        largest = max(map(math.prod, call.binding.shapes.values()))
        away = abs(math.log((largest or 1) / _ELEMENTS))
        if away < distance:
            best, distance = chosen, away
    return best
