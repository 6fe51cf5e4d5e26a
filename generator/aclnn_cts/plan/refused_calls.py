# SPDX-License-Identifier: Apache-2.0
"""Calls that must be refused.

Each differs in one fact from a passing twin; with a null pointer, a second fact may be wrong. For
each field of an error clause that names a violation, a function yields changes of the twin, with
names for case ids. Shapes are broken in their number of dimensions, in their extents, and by being
empty.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from aclnn_cts.plan.binding import Binding, Facts, UnboundError, bind, rebound
from aclnn_cts.plan.case_builder import build_case, requirements_broken, token, usual_format
from aclnn_cts.plan.cases import Case, Intent, Tier
from aclnn_cts.plan.extents import TWIN, other_data, twin_scenes
from aclnn_cts.plan.factors import dtype_choices
from aclnn_cts.plan.layouts import is_contiguous, lay_out
from aclnn_cts.plan.requirements import (
    allowed_dtypes,
    base_facts,
    broken_rules,
    cannot_become,
    holds_on,
    is_shape_allowed,
    is_valid,
    nearest_valid,
    violated_ids,
    wrongly_promoted,
)
from aclnn_cts.spec.clause_models import ErrorClause, spread_of
from aclnn_cts.spec.data_types import DATA_TYPES, PRIVATE_FORMATS
from aclnn_cts.spec.expression import ExpressionError, typed_names
from aclnn_cts.spec.models import (
    INTEGERS,
    AttributeParameter,
    OperatorSpec,
    ShapeRule,
    TensorParameter,
)
from aclnn_cts.spec.parameter_clauses import clause_id


@dataclass(frozen=True)
class Twin:
    """A call that passes.

    Attributes:
        binding: The binding of the facts.
        lengths: The possible lengths of each list attribute.
        shapes: The tensors whose shapes are broken; None for the most ordinary call, in which
            everything is broken.
    """

    spec: OperatorSpec
    product: str
    facts: Facts
    binding: Binding
    lengths: Mapping[str, Sequence[int]] = field(default_factory=dict)
    shapes: frozenset[str] | None = None

    def to_break(self, names: Sequence[str] | None) -> list[str]:
        """Return which of the tensors are to get wrong shapes."""
        return [name for name in names or () if self.shapes is None or name in self.shapes]


Change = dict[str, Any]
"""Facts that differ from the twin's."""

Broken = Iterator[tuple[str, Change]]
"""Violations, each with a name for the case's id."""


def with_and_without_followers(
    at: Twin, detail: str, change: Change, aspect: Literal["dtype", "shape"]
) -> Broken:
    """Yield a change, and the same change with the twin's types or shapes for its followers.

    If the followers change, too, a device may refuse the call because of one of them, without
    checking the tensor itself.

    Args:
        detail: The change's name.
    """
    kept = _followers_kept(at, change, aspect)
    if not _can_be_bound(at, change):
        yield detail, {**change, **kept}
        return
    yield detail, change
    if kept:
        yield f"{detail}_alone", {**change, **kept}


def _can_be_bound(at: Twin, change: Change) -> bool:
    """Whether a change determines the shapes of all tensors."""
    try:
        bind(at.spec, {**at.facts, **change})
    except (UnboundError, ExpressionError):
        return False
    return True


def _followers_kept(at: Twin, change: Change, aspect: Literal["dtype", "shape"]) -> Change:
    """Return the twin's data types or shapes of the tensors that follow a changed one."""
    values: Mapping[str, Any] = at.binding.dtypes if aspect == "dtype" else at.binding.shapes
    followed = {key.removeprefix(f"{aspect}:") for key in change if key.startswith(f"{aspect}:")}
    found: Change = {}
    parameters: tuple[TensorParameter | AttributeParameter, ...]
    parameters = (*at.spec.tensors, *at.spec.scalars)
    for each in parameters:
        source = getattr(each, aspect, None)
        sources = source.followed if isinstance(source, ShapeRule) else []
        if isinstance(source, str):
            sources = [source.removesuffix(f".{aspect}")]
        if not followed.isdisjoint(sources):
            followed.add(each.name)
            found[f"{aspect}:{each.name}"] = values[each.name]
    if aspect == "shape" and not _can_be_bound(at, {**change, **found}):
        # a conditional shape of the twin may not exist after the change
        found |= {f"shape:{n}": s for n, s in values.items() if f"shape:{n}" not in change}
    return found


_HIGH_RANK = 5
"""From this rank on extents repeat, so other axes' extents give no further shapes."""


def rank_above(at: Twin, error: ErrorClause) -> Broken:
    """Yield shapes of more dimensions than a tensor may have."""
    for name in at.to_break(error.rank_outside):
        tensor = at.spec.tensor(name)
        greatest = error.rank_bound(tensor.rank)
        shape = at.binding.shapes[name]
        change = _reshaped(at, tensor, _padded(shape, greatest + 1))
        yield from with_and_without_followers(at, f"{name}_rank{greatest + 1}", change, "shape")
        if isinstance(tensor.shape, ShapeRule) and is_shape_allowed(tensor, (1,), at.binding):
            # one element is right in any number of dimensions
            change = {f"shape:{name}": (1,) * (greatest + 1)}
            yield f"{name}_one_rank{greatest + 1}", _with_what_follows(at, change)
    yield from _rank_above_together(at, error)


def _rank_above_together(at: Twin, error: ErrorClause) -> Broken:
    """Yield one more dimension for all tensors whose dimensions have names.

    The names tie their shapes together, so one changed tensor would be refused for its shape.
    """
    names = error.rank_outside or [] if at.shapes is None else []
    if len(names) > 1 and any(_has_named_dims(at.spec.tensor(name)) for name in names):
        rank = max(error.rank_bound(at.spec.tensor(name).rank) for name in names) + 1
        shapes = {name: _padded(at.binding.shapes[name], rank) for name in names}
        yield f"all_rank{rank}", {f"shape:{name}": shape for name, shape in shapes.items()}


def _has_named_dims(tensor: TensorParameter) -> bool:
    """Whether a fixed number of dimensions is listed, without a spread one."""
    return isinstance(tensor.shape, list) and spread_of(tensor.shape) is None


def _padded(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """Return the shape with this rank; new extents are 1, so no element is added."""
    return (*shape[:1], *(1,) * (rank - len(shape)), *shape[1:])


def rank_below(at: Twin, error: ErrorClause) -> Broken:
    """Yield shapes of fewer dimensions than a tensor must have."""
    for name in at.to_break(error.rank_below):
        tensor = at.spec.tensor(name)
        rank = error.rank_bound(tensor.rank) - 1
        shape = at.binding.shapes[name]
        yield f"{name}_rank{rank}", _with_what_follows(at, {f"shape:{name}": shape[:rank]})
        if rank:  # the same number of elements on fewer axes
            merged = (*shape[: rank - 1], math.prod(shape[rank - 1 :]))
            yield f"{name}_merged", _with_what_follows(at, {f"shape:{name}": merged})


def _with_what_follows(at: Twin, change: Change) -> Change:
    """Return a change, with the twin's shapes for followers whose shapes it leaves open."""
    if _shapes_that_follow(at, change) is not None:
        return change
    kept = _followers_kept(at, change, "shape")
    for fact in list(kept):
        others = {each: shape for each, shape in kept.items() if each != fact}
        if _can_be_bound(at, {**change, **others}):
            kept = others
    return {**change, **kept}


def _reshaped(at: Twin, tensor: TensorParameter, shape: tuple[int, ...]) -> Change:
    """Return the change that gives a tensor a shape, by its spread dimension if it has one."""
    if isinstance(tensor.shape, list) and (spread := spread_of(tensor.shape)):
        before, after = spread
        own = at.binding.shapes[tensor.name]
        own = own[before : len(own) - after]
        fact = f"dim:{tensor.shape[before]}".replace("*", "")
        if fact in at.facts:  # not by an attribute
            return {fact: _padded(own, len(shape) - before - after)}
    return {f"shape:{tensor.name}": shape}


def shape_differs(at: Twin, error: ErrorClause) -> Broken:
    """Yield shapes that do not fit those of the other tensors."""
    for name in at.to_break(error.shape_differs):
        tensor = at.spec.tensor(name)
        for broken in dict.fromkeys(_neighbour_shapes(at, tensor)):
            if is_shape_allowed(tensor, broken, at.binding) or _told_elsewhere(at, tensor, broken):
                continue
            detail = f"{name}_{token(broken) if broken else 'scalar'}"
            change = {f"shape:{name}": broken}
            yield from with_and_without_followers(at, detail, change, "shape")


def _told_elsewhere(at: Twin, tensor: TensorParameter, shape: tuple[int, ...]) -> bool:
    """Whether other clauses refuse a shape, or its rank is contradictory in the document."""
    if math.prod(shape) == 0 and _named(at, "empty_tensor", tensor):
        return True
    least, greatest = tensor.ranks
    beyond = (
        e.rank_bound(tensor.rank) for e in at.spec.errors if tensor.name in (e.rank_outside or ())
    )
    if len(shape) < least and _named(at, "rank_below", tensor):
        return True
    if isinstance(tensor.shape, str) and shape == (*at.binding.shapes[tensor.name], 1):
        return False
    return len(shape) > max(beyond, default=greatest) or (
        len(shape) < least
        and any(
            item.clause == clause_id(tensor.name, "rank") and item.missing == "negative"
            for item in at.spec.one_sided
        )
    )


def _named(at: Twin, field: str, tensor: TensorParameter) -> bool:
    return any(error.violation == field and tensor.name in error.named for error in at.spec.errors)


def _neighbour_shapes(at: Twin, tensor: TensorParameter) -> Iterator[tuple[int, ...]]:
    """Yield shapes near a tensor's own, each preserving some property.

    Each extent off by one or replaced by 1, 0, or another tensor's extent; another axis resized;
    the same number of elements in other dimensions (swapped, merged, split, an extent of 1 more or
    less); one axis more or less; one element; the largest tensor's shape.
    """
    shape = at.binding.shapes[tensor.name]
    for axis, extent in enumerate(shape):
        for changed in (extent + 1, extent - 1):
            if changed > 0:
                yield _with(shape, axis, changed)
    if isinstance(tensor.shape, str):
        yield (*shape, 1)
    if tensor.name in at.spec.resized:
        yield from _resized_elsewhere(at.binding.shapes[at.spec.resized[tensor.name].tensor], shape)
    yield shape[::-1]
    for axis, extent in enumerate(shape):
        part = next((extent // n for n in range(2, extent) if extent % n == 0), 1)
        yield from (_with(shape, axis, changed) for changed in (1, 0, part))
        yield (*shape[:axis], *shape[axis + 1 :])
    yield (1, *shape)
    yield (*shape[:1], 1, *shape[1:])
    yield (*shape, 1)
    yield (2, *shape)
    yield (*shape, 2)
    yield (1, 1, *shape)
    yield (1, *shape, 1)
    for axis in range(len(shape) - 1):
        one, two = shape[axis : axis + 2]
        yield (*shape[:axis], two, one, *shape[axis + 2 :])
        yield (*shape[:axis], one * two, *shape[axis + 2 :])
    yield from _split(shape)
    yield (math.prod(shape),)
    yield from ((), (1,), (1,) * len(shape), (1,) * (len(shape) + 1))
    if at.shapes is not None and len(shape) >= _HIGH_RANK:
        return
    largest = max(at.binding.shapes.values(), key=math.prod)
    yield from (largest, (math.prod(largest),))
    for extent in dict.fromkeys(largest):
        yield (extent,)
        yield from (_with(shape, axis, extent) for axis in range(len(shape)))


def _resized_elsewhere(
    source: tuple[int, ...], shape: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    """Yield a shape with the share of ``shape`` in the elements of another, along each axis."""
    for axis, extent in enumerate(source if all(source) else ()):
        yield _with(source, axis, extent * math.prod(shape) // math.prod(source))


def _with(shape: tuple[int, ...], axis: int, extent: int) -> tuple[int, ...]:
    """Return the shape with another extent along an axis, counted from either end."""
    axis %= len(shape)
    return (*shape[:axis], extent, *shape[axis + 1 :])


def _split(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the shape with its first composite extent split in two."""
    for axis, extent in enumerate(shape):
        factor = next((n for n in range(2, extent) if extent % n == 0), None)
        if factor is not None:
            yield (*shape[:axis], factor, extent // factor, *shape[axis + 1 :])
            return


def empty(at: Twin, error: ErrorClause) -> Broken:
    """Yield shapes without elements: an extent of 0 in each place."""
    broken = [(name, list(_empty_shapes(at, name))) for name in at.to_break(error.empty_tensor)]
    for name, changes in broken:
        yield name, changes[0]
    for name, changes in broken:
        yield from ((f"{name}_{n}", change) for n, change in enumerate(changes) if n)


def _empty_shapes(at: Twin, name: str) -> Iterator[Change]:
    tensor = at.spec.tensor(name)
    shape = at.binding.shapes[name]
    dims = tensor.shape if isinstance(tensor.shape, list) else []
    facts = [f"dim:{dim if isinstance(dim, str) else dim.text}".replace("*", "") for dim in dims]
    if facts and facts[0] in at.facts:
        yield from (change for fact in facts for change in _emptied(at, fact))
        return
    shapes = [_with(shape, axis, 0) for axis in range(len(shape))] or [(0,)]
    yield from ({f"shape:{name}": changed} for changed in shapes)
    if isinstance(tensor.shape, ShapeRule) and (source := tensor.shape.trailing_of):
        yield {f"shape:{source}": _with(at.binding.shapes[source], -len(shape), 0)}


def _emptied(at: Twin, fact: str) -> Iterator[Change]:
    """Yield a fact's dimension with an extent of 0, for a spread one in each place."""
    extents = at.facts.get(fact)
    if isinstance(extents, tuple):
        yield from ({fact: _with(extents, axis, 0)} for axis in range(len(extents)))
    elif extents is not None:
        yield {fact: 0}


REFUSED_DTYPES = (
    "double",
    "int32",
    "int8",
    "uint8",
    "int64",
    "bool",
    "complex64",
    "int16",
    "bfloat16",
    "float16",
    "float32",
)
"""Unsupported data types to try, the most likely mistakes first."""

_OTHER_DTYPES = (*REFUSED_DTYPES, "uint16")
"""Also one without a common type with others (the common document on promotion)."""

_MOST_ELEMENTS = 2**22
"""Limit for tensors that follow from a broken attribute; beyond it the twin's shapes stay."""


Breaker = Callable[[Twin, ErrorClause], Broken]


def _null(at: Twin, error: ErrorClause) -> Broken:
    for name in error.null_pointer or []:
        yield name, {f"null:{name}": True}
        if error.basis != "status":
            continue
        # Two mistakes at once: a device that finds one must not stumble over the other.
        for detail, change in itertools.chain(_wrong_type(at, name), _wrong_value(at)):
            yield f"{name}+{detail}", {f"null:{name}": True, **change}


def _wrong_type(at: Twin, null: str) -> Broken:
    """Yield an unsupported data type for the first tensor that is not null."""
    name = next((tensor.name for tensor in at.spec.tensors if tensor.name != null), None)
    for dtype in _unsupported(at, name)[:1] if name is not None else ():
        yield f"{name}_{dtype}", {f"dtype:{name}": dtype}


def _wrong_value(at: Twin) -> Broken:
    """Yield the first attribute value that another error clause refuses on the product."""
    refused = (
        found
        for error in at.spec.errors
        if holds_on(error, at.product)
        for found in _assign(at, error)
    )
    yield from itertools.islice(refused, 1)


def _unsupported(at: Twin, name: str) -> list[str]:
    supported = at.spec.dtypes(name, at.product, untested=True)
    return [dtype for dtype in REFUSED_DTYPES if dtype not in supported]


def _dtype_outside(at: Twin, error: ErrorClause) -> Broken:
    absent = {
        each.name for each in at.spec.attributes if at.facts[f"attribute:{each.name}"] is None
    }
    named = [each for each in error.dtype_outside_support or [] if each not in absent]
    for name in named:
        for dtype in _unsupported(at, name):
            yield from with_and_without_followers(
                at, f"{name}_{dtype}", {f"dtype:{name}": dtype}, "dtype"
            )
    # if one follows another's data type, a device may refuse it alone for their difference
    refused = {dtype for name in named for dtype in _unsupported(at, name)}
    for root in dict.fromkeys(map(at.spec.dtype_root, named)):
        own = (dtype for dtype in _unsupported(at, root) if root not in named and dtype in refused)
        yield from ((f"{root}_{dtype}", {f"dtype:{root}": dtype}) for dtype in own)


def _dtype_differs(at: Twin, error: ErrorClause) -> Broken:
    for name in error.dtype_differs or []:
        for dtype in (*at.spec.dtypes(name, at.product), *_unsupported(at, name)):
            if dtype not in allowed_dtypes(
                at.spec, at.spec.parameter(name), at.product, at.binding
            ):
                yield f"{name}_{dtype}", {f"dtype:{name}": dtype}
    for names in _of_one_shape(at, error.dtype_differs or []):
        for dtype in at.spec.dtypes(names[0], at.product):
            types = {**at.binding.dtypes, **dict.fromkeys(names, dtype)}
            changed = replace(at.binding, dtypes=types)
            allowed = (
                dtype in allowed_dtypes(at.spec, at.spec.tensor(name), at.product, changed)
                for name in names
            )
            # tensors that follow one another change their type together
            if all(dtype != at.binding.dtypes[name] for name in names) and not all(allowed):
                change = {f"dtype:{name}": dtype for name in names}
                yield f"{'-'.join(names)}_{dtype}", change


def _wrongly_promoted(at: Twin, error: ErrorClause) -> Broken:
    names = error.named
    types = {name: at.binding.dtypes[name] for name in names}
    together = [name for name in names if name in at.binding.shapes]
    for changed in (*([name] for name in names), *([together] if len(together) > 1 else [])):
        for dtype in _OTHER_DTYPES:
            if wrongly_promoted(at.spec, error, at.product, types | dict.fromkeys(changed, dtype)):
                yield f"{'-'.join(changed)}_{dtype}", {f"dtype:{name}": dtype for name in changed}


def _not_castable(at: Twin, error: ErrorClause) -> Broken:
    for name in error.not_castable or []:
        yield from _unconvertible(at, name, name, _OTHER_DTYPES)
    parameters: tuple[TensorParameter | AttributeParameter, ...]
    parameters = (*at.spec.inputs, *at.spec.scalars)
    for name in at.spec.converted:
        for each in parameters:
            types = at.spec.own_dtypes(each.name, at.product)
            yield from itertools.islice(_unconvertible(at, name, each.name, types), 1)


def _unconvertible(at: Twin, output: str, changed: str, dtypes: Iterable[str]) -> Broken:
    """Yield data types of a parameter with which the promoted one does not become an output's.

    An output in place is an input, too: with another data type, the promoted one is another.
    """
    for dtype in dtypes:
        change = {f"dtype:{changed}": dtype}
        types = bind(at.spec, {**at.facts, **change}).dtypes
        if cannot_become(at.spec, types[output], types):
            yield f"{changed}_{dtype}", change


def _of_one_shape(at: Twin, names: Sequence[str]) -> list[list[str]]:
    """Return groups of tensors with one data type, and all of them; mixed types keep to groups."""
    groups: dict[Any, list[str]] = {}
    for name in names:
        groups.setdefault(at.binding.shapes.get(name), []).append(name)
    together = [list(names), *groups.values()] if len(groups) > 1 else [list(names)]
    return [group for group in together if len(group) > 1]


def _format_outside(at: Twin, error: ErrorClause) -> Broken:
    differing = (each.format_differs or [] for each in errors_on(at.spec, at.product))
    alike = [at.spec.tensors[0].name, *itertools.chain.from_iterable(differing)]
    for name in error.format_outside_support or []:
        allowed = at.spec.tensor(name).formats
        # No page says that an operator that takes ND refuses other public formats. One that does
        # not take ND must refuse it (the common document on formats).
        public = () if "ND" in allowed else ("NHWC", "ND", "HWCN")
        for offered in (*PRIVATE_FORMATS, *public):
            if offered not in allowed:
                yield f"{name}_{offered}", {f"format:{name}": offered}
                if len(alike) > 1 and name == alike[0]:
                    together = {f"format:{each}": offered for each in alike}
                    yield f"{name}_{offered}_together", together


def _format_differs(at: Twin, error: ErrorClause) -> Broken:
    usual = usual_format(at.spec.tensors[0], at.binding)
    for name in error.format_differs or []:
        listed = at.spec.tensor(name).formats
        for offered in dict.fromkeys((*listed, "NCHW", "NHWC", *PRIVATE_FORMATS)):
            if offered != usual:
                yield f"{name}_{offered}", {f"format:{name}": offered}


def _non_contiguous(at: Twin, error: ErrorClause) -> Broken:
    for name in error.non_contiguous or []:
        shape = at.binding.shapes[name]
        for layout in ("transposed", "stepped", "sliced"):
            # a slice of a vector has an offset, but adjacent elements
            if not is_contiguous(shape, lay_out(layout, shape).strides):
                yield f"{name}_{layout}", {f"layout:{name}": layout}


def _assign(at: Twin, error: ErrorClause) -> Broken:
    attributes = {attribute.name for attribute in at.spec.attributes}
    kinds = dict.fromkeys(attributes, "attribute") | dict.fromkeys(at.binding.shapes, "shape")
    for assignment in _assignments(at, error):
        null = _null_with(at, assignment)
        if not _broken_rules(at, assignment):
            continue  # wrong only for another twin: 9 channels in 3 groups are right
        change = {
            f"{kinds.get(name, 'dim')}:{name}": (tuple(value) if isinstance(value, list) else value)
            for name, value in assignment.items()
            if value is not None or name not in at.binding.shapes
        }
        change |= {f"null:{name}": name in null for name in null ^ at.binding.null}
        change = {_TYPE_FACT.sub(r"dtype:\1", fact): value for fact, value in change.items()}
        named = ((name.removesuffix(".dtype"), value) for name, value in assignment.items())
        detail = "-".join(f"{name}_{token(value)}" for name, value in named)
        if kinds.keys().isdisjoint(assignment):
            yield detail, change  # dimensions determine the shapes, also empty ones
            continue
        kept = {
            f"shape:{name}": shape
            for name, shape in at.binding.shapes.items()
            if name not in assignment
        }
        shapes = _shapes_that_follow(at, change)
        if shapes is None:
            yield detail, {**change, **kept}
            yield from ((f"{detail}_cut", {**change, **cut}) for cut in _of_one(at, change))
            continue
        yield detail, change
        # shapes that follow from the value must not reveal it to a device that ignores the value
        if shapes != at.binding.shapes and kinds.keys() >= assignment.keys():
            yield f"{detail}_alone", {**change, **kept}


def _of_one(at: Twin, change: Change) -> Iterator[Change]:
    """Yield shapes in which extents of 0 are 1, as if quotients were rounded towards 0."""
    shapes = _bound_shapes(at, change) or {}
    outputs = {output.name: shapes[output.name] for output in at.spec.outputs if shapes}
    if min((extent for shape in outputs.values() for extent in shape), default=1) != 0:
        return
    cut = {name: tuple(max(extent, 1) for extent in shape) for name, shape in outputs.items()}
    if all(math.prod(shape) <= _MOST_ELEMENTS for shape in cut.values()):
        yield {f"shape:{name}": shape for name, shape in cut.items()}


_TYPE_FACT = re.compile(r"^dim:(\w+)\.dtype$")
"""Pattern of a data type's fact in ``assign``."""

_EXTREMES = (2**63 - 1, 2**32, 2**31, -1, -(2**31), -(2**32), -(2**63))
"""Integers to show devices that keep only the lower 32 bits; a power of two is added to an ordinary
one."""


def _assignments(at: Twin, error: ErrorClause) -> Iterator[dict[str, Any]]:
    """Yield the values that a clause states, and others that break the same rules.

    For numbers and lists these are more extreme ones, in each place of each valid length, and
    longer lists.
    """
    stated = [item for item in error.assign or [] if at.shapes is None or _is_list(at, item)]
    yield from stated
    known = [repr(item) for item in stated]
    attributes = {attribute.name for attribute in at.spec.attributes}
    broken = [_broken_rules(at, item) for item in stated]
    limits = {each.name: INTEGERS.get(each.attribute) for each in at.spec.attributes}
    for item in stated:
        ((name, value), *others) = item.items()
        ordinary = at.binding.values.get(name)
        if others or ordinary is None or name not in attributes or isinstance(value, bool):
            continue
        for changed in _further_values(value, ordinary, at.lengths.get(name, ())):
            further = {name: changed}
            limit = limits[name]
            if limit and changed not in limit:
                continue
            if repr(further) not in known and _broken_rules(at, further) in broken:
                known.append(repr(further))
                yield further


def _is_list(at: Twin, item: Mapping[str, Any]) -> bool:
    """Whether values are lists of other lengths than in the most ordinary call."""
    return not at.shapes and all(name in at.lengths for name in item)


def _further_values(value: Any, ordinary: Any, lengths: Sequence[int]) -> Iterator[Any]:
    """Yield values that are wrong in the same way as ``value``, compared with an ordinary one."""
    if isinstance(value, int) and isinstance(ordinary, int):
        yield from _more_extreme(value, ordinary)
    if not isinstance(value, list) or not lengths:
        return
    if len(value) not in lengths:
        yield from ([value[0]] * length for length in (4, 5, 8) if len(value) > max(lengths))
        return
    usual = list(ordinary) or [1]
    for wrong in dict.fromkeys(x for x in value if x != usual[0]):
        for number in (wrong, *_more_extreme(wrong, usual[0])):
            for length in lengths:
                places = [[number if at == place else usual[0] for at in range(length)]
                          for place in range(length)]  # fmt: skip
                yield from places


def _more_extreme(wrong: int, usual: int) -> Iterator[int]:
    """Yield more extreme numbers on the same side, some with the usual number's lower 32 bits."""
    for extreme in _EXTREMES:
        number = extreme + usual if abs(extreme) == 2**32 else extreme
        if (number < 0 and number < wrong < usual) or number > wrong > usual:
            yield number


def _null_with(at: Twin, assignment: Mapping[str, Any]) -> set[str]:
    """Return the tensors that become null: those without a shape of their own."""
    named = at.binding.shapes.keys() & assignment.keys()
    return (at.binding.null - named) | {name for name in named if assignment[name] is None}


def _broken_rules(at: Twin, assignment: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the rules that the twin breaks if attributes or dimensions change."""
    values: Change = {
        name: tuple(x) if isinstance(x, list) else x for name, x in assignment.items()
    }
    assigned = {name: values.pop(name) for name in at.binding.shapes.keys() & values.keys()}
    given = {name: shape for name, shape in assigned.items() if shape is not None}
    shapes = {**at.binding.shapes, **given}
    dtypes = {name: values.pop(f"{name}.dtype", own) for name, own in at.binding.dtypes.items()}
    null = _null_with(at, assignment)
    binding = rebound(at.spec, {**at.binding.values, **values}, shapes, dtypes, null)
    return tuple(broken_rules(at.spec, at.product, binding, open_ones=True))


def _shapes_that_follow(at: Twin, change: Change) -> dict[str, tuple[int, ...]] | None:
    """Return the shapes that follow from a broken attribute; None if there are none."""
    shapes = _bound_shapes(at, change)
    possible = shapes is not None and all(
        min(shape, default=1) > 0 and math.prod(shape) <= _MOST_ELEMENTS
        for shape in shapes.values()
    )
    return shapes if possible else None


def _bound_shapes(at: Twin, change: Change) -> dict[str, tuple[int, ...]] | None:
    try:
        return bind(at.spec, {**at.facts, **change}).shapes
    except (UnboundError, ExpressionError, ValueError, OverflowError):
        return None


def _product(at: Twin, error: ErrorClause) -> Broken:
    """Yield the unchanged call, which is wrong only on the product."""
    del error
    if not at.spec.supports(at.product):
        yield "", {}


BREAKERS: dict[str, Breaker] = {
    "null_pointer": _null,
    "dtype_outside_support": _dtype_outside,
    "dtype_differs": _dtype_differs,
    "not_promotable": _wrongly_promoted,
    "promotion_outside_support": _wrongly_promoted,
    "not_castable": _not_castable,
    "rank_outside": rank_above,
    "rank_below": rank_below,
    "shape_differs": shape_differs,
    "format_outside_support": _format_outside,
    "format_differs": _format_differs,
    "empty_tensor": empty,
    "non_contiguous": _non_contiguous,
    "assign": _assign,
    "unsupported_product": _product,
}
"""Makers of violations, by the field of :class:`aclnn_cts.spec.models.ErrorClause`."""


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
            if error.id not in alone | hidden and not error.unsupported_product:
                yield from _broken_alone(spec, product, error, factors)


def _broken_alone(
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
    integers = False
    for number, twin in enumerate(_ordinary_calls(spec, product, factors)):
        own = bind(spec, twin).dtypes
        before = integers
        integers = before or any(DATA_TYPES[own[name]].floating is None for name in spec.converted)
        for error in errors:
            converts = error.violation == "not_castable" and integers != before
            if not number or converts or _concerns_all_dtypes(error):
                yield from _beside_ordinary(spec, product, error, twin)
    if not spec.supports(product):
        return
    if spec.is_contract:
        yield from _beside_settings(spec, product, factors, errors)
        return
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
        for error in filter(_concerns_shapes, errors):
            wrong = list(violations(spec, product, facts, error, names))
            later = _later(wrong, shapes, number) if error.violation == "shape_differs" else ()
            yield from _beside(spec, passing, error, wrong, later=later)
    yield from _beside_settings(spec, product, factors, errors)


_Setting: TypeAlias = Literal["negative", "left-out", "other"]
"""Kinds of attribute values beside which calls are wrong: a negative integer unlike the ordinary
one, a list without numbers, and others."""


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
    for kind, other in _other_settings(spec, product, factors):
        if spec.is_contract and kind == "other":
            continue
        passing = build_case(spec, product, other, Intent(TWIN, "smoke"))
        yield passing
        for error in errors:
            if _is_tried_beside(kind, error):
                broken = violations(spec, product, other, error)
                # the stated lists come first
                stated = itertools.islice(broken, len(error.assign) if error.assign else None)
                yield from _beside(spec, passing, error, stated, once=error.assign is None)


def _is_tried_beside(kind: _Setting, error: ErrorClause) -> bool:
    """Whether an error clause is tried beside another attribute value."""
    if error.assign is not None:
        values = [value for item in error.assign for value in item.values()]
        return kind == "left-out" and all(isinstance(value, list) for value in values)
    return error.basis == "status" or kind == "negative"


def _ordinary_calls(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[Facts]:
    """Yield the ordinary call with each data type, or the nearest valid one."""
    for dtypes in dtype_choices(factors):
        wanted = {**base_facts(factors), **dtypes}
        if spec.supports(product):
            near = nearest_valid(spec, product, wanted, factors, kept=dtypes)
            yield from () if near is None else (near,)
        else:
            yield wanted  # it is refused as it is


_WHOLE_SHAPES = 3
"""One in this many shapes that differ from a twin's in more than one axis is in smoke."""


def _later(
    broken: Sequence[tuple[str, Facts]], shapes: Mapping[str, Sequence[int]], number: int
) -> set[str]:
    """Return the wrong shapes that smoke omits with a twin of another rank.

    Smoke holds all of them with the ordinary call, scalars and vectors as twins. With other twins
    each axis is wrong once, and the ways in which a shape is wrong take turns.

    Args:
        broken: The wrong shapes, by their names in case ids.
        shapes: The twin's.
        number: The twin's number.
    """
    ways: dict[tuple[str, bool, int | None], list[str]] = {}
    for detail, facts in broken:
        name = parameter_of(detail, shapes)
        pairs = list(zip(facts[f"shape:{name}"], shapes[name], strict=False))
        axes = [axis for axis, (wrong, right) in enumerate(pairs) if wrong != right]
        is_one = len(axes) == 1 and len(facts[f"shape:{name}"]) == len(shapes[name])
        way = name, detail.endswith("_alone"), axes[0] if is_one else None
        if len(shapes[name]) > 1:
            ways.setdefault(way, []).append(detail)
    later: set[str] = set()
    for (_, _, axis), details in ways.items():
        step = _WHOLE_SHAPES if axis is None else len(details)
        turn = (number + (axis or 0)) % step
        later.update(set(details) - set(details[turn::step]))
    return later


def _other_settings(
    spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]
) -> Iterator[tuple[_Setting, Facts]]:
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


def _kind_of(usual: Any, level: Any) -> _Setting:
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
        found = list(_beside(spec, passing, error, violations(spec, product, at, error)))
        yield from (passing, *found) if found and at is not twin else found
        if found or error.when is None:
            break
    if error.violation in _OF_GIVEN:
        left = {name for name in error.named if twin.get(f"null:{name}")}
        for name in sorted(left - spec.reserved(product)):
            yield from _beside_given(spec, product, error, {**twin, f"null:{name}": False}, name)


def _beside_given(
    spec: OperatorSpec, product: str, error: ErrorClause, twin: Facts, name: str
) -> Iterator[Case]:
    """Yield a call with an optional tensor, and calls in which that tensor is wrong."""
    passing = build_case(spec, product, twin, Intent("base", "smoke"))
    broken = violations(spec, product, twin, error)
    own = [(detail, facts) for detail, facts in broken if parameter_of(detail, [name])]
    found = list(_beside(spec, passing, error, own))
    yield from (passing, *found) if found else ()


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
    broken: Iterable[tuple[str, Facts]],
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
    for detail, facts in broken:
        parameter = parameter_of(detail, [each.name for each in spec.parameters])
        if once and parameter in seen:
            continue
        tier: Tier = "standard" if detail in later else "smoke"
        intent = Intent(error.id, tier, is_valid=False, detail=detail, twin=passing.id)
        case = build_case(spec, passing.product, facts, intent)
        if error.violation in _OF_GIVEN and _is_null(case, parameter):
            continue
        if error.id not in case.refused_by and error.id not in violated_ids(spec, case):
            continue  # what was changed breaks nothing beside this twin
        # smoke samples these: the first of each tensor, and others in turn
        few = spec.is_contract and error.violation in _ALIKE
        violated = violated_ids(spec, case) if few else ()
        shaped = few and error.violation == "shape_differs"
        other_rank = shaped and _has_other_rank(spec, detail, facts)
        way = other_rank, *sorted({*violated, *requirements_broken(case)})
        own = seen.setdefault(parameter, Counter())
        is_later = few and own[way] and (own[way] + len(seen)) % _FEW
        own[way] += 1
        yield replace(case, tier="standard") if is_later else case


def _has_other_rank(spec: OperatorSpec, detail: str, facts: Facts) -> bool:
    """Whether a wrong shape has more or fewer axes than its tensor may have."""
    name = parameter_of(detail, [each.name for each in spec.tensors])
    low, high = spec.tensor(name).ranks
    return not low <= len(facts[f"shape:{name}"]) <= high


def _is_null(case: Case, parameter: str) -> bool:
    """Whether a call passes a null pointer for a tensor, which then cannot be wrong."""
    return any(each.name == parameter and each.source == "null" for each in case.tensors)


_OF_GIVEN = BREAKERS.keys() - {"null_pointer", "assign", "unsupported_product"}
"""Violations of a tensor that apply only if it is given."""

_ALIKE = (
    "shape_differs",
    "dtype_outside_support",
    "dtype_differs",
    "format_outside_support",
    "null_pointer",
)
_FEW = 6
"""Smoke holds one in this many violations of a contract operator's tensors."""


def parameter_of(detail: str, names: Iterable[str]) -> str:
    """Return the name of the parameter that is wrong, or "" if it is none of those names.

    Names may contain the underscore that separates what is wrong with them.
    """
    starts = (name for name in names if re.match(rf"{re.escape(name)}(?![A-Za-z0-9])", detail))
    return max(starts, key=len, default="")


def errors_on(spec: OperatorSpec, product: str) -> Iterator[ErrorClause]:
    """Yield the error clauses that hold on a product; without support, only that one."""
    for error in spec.errors:
        if holds_on(error, product) and (
            spec.supports(product) or error.unsupported_product is not None
        ):
            yield error


_SHAPE_VIOLATIONS = ("rank_outside", "rank_below", "shape_differs", "empty_tensor", "assign")


def _concerns_shapes(error: ErrorClause) -> bool:
    return error.violation in _SHAPE_VIOLATIONS


def _concerns_all_dtypes(error: ErrorClause) -> bool:
    typed = error.assign is not None and error.when is not None and typed_names(error.when)
    return bool(typed) or error.violation in ("dtype_differs", "unsupported_product")


def violations(
    spec: OperatorSpec,
    product: str,
    twin: Facts,
    error: ErrorClause,
    shapes: frozenset[str] | None = None,
) -> Iterator[tuple[str, Facts]]:
    """Yield every violation of an error clause: one fact, or a null pointer and one more.

    Each has a name for the case's id, and facts: the twin's with the difference.

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
    at = Twin(spec, product, twin, bind(spec, twin), lengths, shapes)
    # a wrong shape keeps the format of the right one
    formats = {f"format:{each.name}": usual_format(each, at.binding) for each in spec.tensors}
    for detail, change in BREAKERS[error.violation](at, error):
        yield detail, _given_inputs(spec, {**formats, **twin, **change})


def _given_inputs(spec: OperatorSpec, facts: dict[str, Any]) -> dict[str, Any]:
    """Give every input data of its own; a refused call needs no producer."""
    for tensor in spec.inputs:
        if tensor.producer is not None:
            facts[f"fill:{tensor.name}"] = "bits"
    return facts
