# SPDX-License-Identifier: Apache-2.0
"""The search for a smaller case that fails in the same way: greedy, deterministic, bounded.

The search works on the facts from which the planner builds a case. Each step simplifies one fact:
execution variants, layouts, ranks, extents, attributes, data. Each candidate runs on the device.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from aclnn_cts.errors import counted
from aclnn_cts.judge.call_checks import place_of
from aclnn_cts.judge.comparison import Sample
from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.plan.binding import Facts, UnboundError, bind
from aclnn_cts.plan.call_list import LISTED
from aclnn_cts.plan.calls import Call, PlannedCall
from aclnn_cts.plan.case_builder import build_case
from aclnn_cts.plan.cases import (
    BELL,
    BETWEEN,
    INTEGER_FILLS,
    Case,
    ExecutionVariant,
    Intent,
    TensorCase,
)
from aclnn_cts.plan.layouts import Layout
from aclnn_cts.plan.members import length_fact
from aclnn_cts.plan.validity import valid_call
from aclnn_cts.repro.observed_case import Observation, ObservedCase, TrialBench
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.models import OperatorSpec, ShapeRule, TensorParameter

Item = TypeVar("Item", bound=Hashable)

MOST_TRIES = 300
MOST_SECONDS = 300.0
"""Time limit of a search. It normally ends after some dozens of tries; the limit is for varying
faults."""

_SHRUNK = "shrunk"
"""Scene in the ids of cases that no plan contains."""

_FLOAT_FILLS = ("ones", "exact", "uniform")
_INTEGER_FILLS = ("zeros", "ones", *INTEGER_FILLS[:1])
"""Kinds of data, the simplest first."""


def make_smaller(bench: TrialBench, observed: ObservedCase) -> tuple[ObservedCase, str]:
    """Return a smaller case that breaks the same promise in the same way, with a message.

    If there is no smaller one, it is the given case.

    Raises:
        NotTrustworthyError: A build fails or a program does not start.
        WrongInputError: It is not a toolkit.
    """
    if not observed.verdict.verdict.breaks_promise:
        return observed, "not made smaller, because it broke no promise by itself"
    spec = bench.specs.operator(observed.case.operator)
    start = candidate_of(spec, observed.case)
    if start is None:
        return observed, "not made smaller, because no facts of the spec make it"
    observations: dict[Candidate, Observation] = {}

    def fails(batch: Sequence[Candidate]) -> list[bool]:
        cases = {c: case for c in batch if (case := _comparable(spec, observed.case, c))}
        unique = list({case.id: case for case in cases.values()}.values())
        results = bench.run(unique)[1] if unique else {}
        failing = {
            candidate: results[case.id]
            for candidate, case in cases.items()
            if fails_alike(observed.verdict, results[case.id][1])
        }
        observations.update(failing)
        return [candidate in failing for candidate in batch]

    if fails([start]) != [True]:
        real = f"device {bench.number} of this host"
        return observed, (
            f"not made smaller, because run alone on "
            f"{'the simulated device' if bench.cann is None else real} it did not fail in the same "
            "way; if it failed on another device, such as that of a kit's host, try there"
        )
    end = time.monotonic() + MOST_SECONDS
    shrunk = shrink(
        start, lambda item: simpler(spec, item), fails, MOST_TRIES, lambda: time.monotonic() > end
    )
    tries = counted(shrunk.tries, "try")
    if shrunk.smallest == start:
        return observed, f"as it was planned: no smaller case failed in {tries}"
    case, verdict = observations[shrunk.smallest]
    summary = f"made smaller: from {_size_of(observed.case)} to {_size_of(case)} in {tries}"
    if shrunk.ended != "done":
        summary += f", when the bound on {shrunk.ended} ended the search"
    clauses = (*verdict.broken, *verdict.exercised)
    blamed = tuple(name for name in observed.blamed if name in clauses) or verdict.broken
    return replace(
        observed, case=case, verdict=verdict, blamed=blamed, message=verdict.message
    ), summary


def _comparable(spec: OperatorSpec, original: Case, candidate: Candidate) -> Case | None:
    """Return a candidate's case if it tests the promises of the original one."""
    case = build(spec, original, candidate)
    if case is None:
        return None
    if case.expects_success:
        fixed = Call.of(spec, original).is_fixed
        valid = valid_call(spec, case.product, dict(candidate.facts), may_be_fixed=fixed)
        return case if valid else None
    # a call that is refused for another reason is not comparable
    return case if case.clauses == original.clauses else None


def _size_of(case: Case) -> str:
    """Describe shape and layouts of a case."""
    first = case.tensors[0]
    shape = "x".join(map(str, first.shape)) or "a scalar"
    layouts = sorted({tensor.layout for tensor in case.tensors} - {"contiguous"})
    return f"{shape} {' and '.join(layouts) or 'contiguous'}"


def fails_alike(original: CaseVerdict, other: CaseVerdict) -> bool:
    """Whether a case breaks the promise that another one breaks first, in the same way.

    The same clause and kind are not enough: the document must promise the same class of results for
    the wrong element, without a contradiction.
    """
    reported = sorted(original.kinds, key=place_of)[:1]  # none if the process died
    if other.verdict is not original.verdict or not other.kinds.issuperset(reported):
        return False
    if original.broken and original.broken[0] not in other.broken:
        return False
    if other.contested and not original.contested:
        return False
    if not original.samples:
        return True
    classes = expected_classes(original.samples[0])
    return any(expected_classes(sample) == classes for sample in other.samples)


def expected_classes(sample: Sample) -> frozenset[str]:
    """Return the accepted classes: ``finite``, ``zero``, ``Inf``, ``NaN``."""
    return frozenset(map(_class_of, sample.expected.split(" or ")))


def _class_of(word: str) -> str:
    value = float(word.lstrip("±"))
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Inf"
    return "zero" if value == 0 else "finite"


@dataclass(frozen=True)
class SearchResult(Generic[Item]):
    """The result of a search.

    Attributes:
        smallest: The simplest failing item; the first one if no other fails.
        ended: ``done`` if no step makes it simpler, or the limit that ended the search.
    """

    smallest: Item
    tries: int
    ended: str


def shrink(
    start: Item,
    steps: Callable[[Item], Iterable[Sequence[Item]]],
    fails: Callable[[Sequence[Item]], Sequence[bool]],
    most_tries: int,
    is_expired: Callable[[], bool] = lambda: False,
) -> SearchResult[Item]:
    """Return the simplest failing item that the steps reach.

    Each step starts from the simplest item so far. Of a batch, the simplest failing item is taken
    if it also fails alone, because other items of its batch may have affected it.

    Args:
        steps: Returns batches of simpler items, the simplest of each batch first.
        fails: Returns for each item of a batch whether it still fails in the same way.
        is_expired: Whether time is up; the result then depends on the machine's speed.
    """
    seen = {start}
    smallest, tries = start, 0
    batches = iter(steps(start))
    while tries < most_tries and (batch := next(batches, None)) is not None:
        fresh = [item for item in dict.fromkeys(batch) if item not in seen]
        if not fresh:
            continue
        if is_expired():
            return SearchResult(smallest, tries, "time")
        fresh = fresh[: most_tries - tries]
        seen.update(fresh)
        tries += len(fresh)
        for item, failed in zip(fresh, fails(fresh), strict=True):
            if failed and (len(fresh) == 1 or fails([item])[0]):
                smallest, batches = item, iter(steps(item))
                break
    return SearchResult(smallest, tries, "done" if tries < most_tries else "tries")


@dataclass(frozen=True)
class Candidate:
    """A candidate of the search: facts that can be changed one at a time.

    Attributes:
        facts: By name, in order.
        again: Execution variants of further runs.
        deterministic: Whether determinism is switched on.
    """

    facts: tuple[tuple[str, Any], ...]
    again: tuple[ExecutionVariant, ...]
    deterministic: bool

    def get(self, name: str) -> Any:
        """Return a fact; None if it is not stated."""
        return dict(self.facts).get(name)

    def with_facts(self, changes: Facts) -> Candidate:
        return replace(self, facts=tuple({**dict(self.facts), **changes}.items()))


def candidate_of(spec: OperatorSpec, case: Case) -> Candidate | None:
    """Return the facts that make exactly this case; None if no facts do.

    Of lists, they are those of the tensors for which the call was planned.
    """
    for each in case.slices:
        length = {length_fact(spec): len(case.slices)} if spec.lists else {}
        facts = _facts_of(spec, each.case) | length
        candidate = Candidate(tuple(facts.items()), case.again, case.deterministic)
        rebuilt = build(spec, case, candidate)
        if rebuilt is not None and _call(rebuilt) == _call(case):
            return candidate
    return None


def _facts_of(spec: OperatorSpec, case: Case) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for tensor in case.tensors:
        facts |= _tensor_facts(spec.tensor(tensor.name), tensor)
    for name, value in case.attributes.items():
        facts[f"null:{name}" if value is None else f"attribute:{name}"] = (
            True if value is None else value
        )
    facts |= {f"dtype:{name}": dtype for name, dtype in case.scalars.items()}
    names = {*spec.derived, *case.attributes}
    facts |= {f"dim:{name}": v for name, v in case.names.items() if name not in names}
    return facts | _shape_facts(spec, case, facts)


def _tensor_facts(parameter: TensorParameter, tensor: TensorCase) -> dict[str, Any]:
    name = tensor.name
    facts: dict[str, Any] = {
        f"dtype:{name}": tensor.dtype,
        f"format:{name}": tensor.format,
        f"layout:{name}": (
            Layout(LISTED, tensor.strides, tensor.offset, tensor.storage)
            if tensor.layout == LISTED
            else tensor.layout
        ),
    }
    if tensor.source == "null":
        facts[f"null:{name}"] = True
    elif parameter.producer and tensor.fill is not None and tensor.fill.kind == "derived":
        facts[f"source:{name}"] = "data"
    elif tensor.fill is not None and tensor.fill.kind in (BETWEEN, BELL):
        facts[f"data:{name}"] = replace(tensor.fill, seed="")
    elif tensor.fill is not None:
        facts[f"fill:{name}"] = tensor.fill.kind
    if tensor.shares is not None:
        facts[f"shares:{name}"] = tensor.shares
    if parameter.shape is None:
        facts[f"shape:{name}"] = tensor.shape
    return facts


def _shape_facts(spec: OperatorSpec, case: Case, facts: Facts) -> dict[str, Any]:
    """Return facts for the shapes that the others leave open, or give another value."""
    chosen: dict[str, Any] = {}
    shapes = {f"shape:{tensor.name}": tensor.shape for tensor in case.tensors}
    for parameter in spec.tensors:
        key = f"shape:{parameter.name}"
        other_shapes = {name: shape for name, shape in shapes.items() if name != key}
        levels = parameter.shape.levels if isinstance(parameter.shape, ShapeRule) else ()
        for choice in (None, *levels, shapes[key]):
            choice_facts = {} if choice is None else {key: choice}
            with contextlib.suppress(UnboundError, ExpressionError):
                bound = bind(spec, {**other_shapes, **facts, **chosen, **choice_facts})
                if bound.shapes[parameter.name] == shapes[key]:
                    chosen |= choice_facts
                    break
    return chosen


def build(spec: OperatorSpec, original: Case, candidate: Candidate) -> Case | None:
    """Return a candidate's case; None if there is no such call.

    Args:
        original: The original case, from which everything but the facts is taken.
    """
    intent = Intent(
        original.scene,
        original.tier,
        is_valid=original.expects_success,
        detail=_SHRUNK,
        twin=original.twin,
        again=candidate.again,
        deterministic=candidate.deterministic,
    )
    try:
        call = PlannedCall.of(spec, original.product, dict(candidate.facts))
        return build_case(call, intent)
    except (UnboundError, ExpressionError):
        return None


def _call(case: Case) -> tuple[list[TensorCase], str]:
    """Return the call without its data seeds."""
    tensors = [
        t if t.fill is None else replace(t, fill=replace(t.fill, seed="")) for t in case.tensors
    ]
    return tensors, repr(dict(case.attributes))


def simpler(spec: OperatorSpec, candidate: Candidate) -> Iterator[Sequence[Candidate]]:
    """Yield batches of simpler candidates, not all of them valid calls.

    The largest simplifications come first, because they shorten later steps.
    """
    yield _variants(candidate)
    yield _layouts(candidate)
    yield _lengths(candidate)
    yield _all_small(candidate)
    yield from _ranks(candidate)
    yield from _extents(candidate)
    yield _attributes(spec, candidate)
    yield _fills(candidate)


def _variants(candidate: Candidate) -> list[Candidate]:
    candidates = [replace(candidate, again=())] if candidate.again else []
    if len(candidate.again) > 1:
        candidates += [replace(candidate, again=(variant,)) for variant in candidate.again]
    if candidate.deterministic:
        candidates.append(replace(candidate, deterministic=False))
    return candidates


def _lengths(candidate: Candidate) -> list[Candidate]:
    """Shorter lists."""
    return [
        candidate.with_facts({name: less})
        for name, length in candidate.facts
        if name.startswith("length:")
        for less in smaller(length)
    ]


def _layouts(candidate: Candidate) -> list[Candidate]:
    """Contiguous tensors in their own storages: all at once, then each alone."""
    strided = {
        name: "contiguous"
        for name, level in candidate.facts
        if name.startswith("layout:") and level != "contiguous"
    }
    shared = {name: None for name, owner in candidate.facts if name.startswith("shares:") and owner}
    changes: list[Facts] = [{**strided, **shared}, shared]
    changes += [{name: strided[name]} for name in strided]
    return [candidate.with_facts(change) for change in changes if change]


def _shaping(candidate: Candidate) -> dict[str, tuple[int, ...]]:
    """Return the facts that hold extents: dimensions and free shapes."""
    return {
        name: value if isinstance(value, tuple) else (value,)
        for name, value in candidate.facts
        if name.startswith(("dim:", "shape:")) and isinstance(value, (int, tuple))
    }


def _reshape(candidate: Candidate, changes: Mapping[str, Sequence[int]]) -> Candidate:
    """Return the candidate with other extents."""
    return candidate.with_facts(
        {
            name: extents[0] if isinstance(candidate.get(name), int) else tuple(extents)
            for name, extents in changes.items()
        }
    )


def _all_small(candidate: Candidate) -> list[Candidate]:
    """All extents at once: at most 1, 2, 3, and half."""
    shaping = _shaping(candidate)
    least = [{n: [min(x, most) for x in v] for n, v in shaping.items()} for most in (1, 2, 3)]
    halves = {n: [max(x // 2, min(x, 1)) for x in v] for n, v in shaping.items()}
    return [_reshape(candidate, changes) for changes in (*least, halves)]


def _ranks(candidate: Candidate) -> Iterator[list[Candidate]]:
    """Fewer axes, where the rank is free."""
    for name, extents in _shaping(candidate).items():
        if isinstance(candidate.get(name), int) or not extents:
            continue
        short = [(extent,) for extent in sorted(set(extents))] if len(extents) > 1 else []
        dropped = [extents[:at] + extents[at + 1 :] for at in range(len(extents))]
        yield [_reshape(candidate, {name: shape}) for shape in (*short, *dropped) if shape]


def _extents(candidate: Candidate) -> Iterator[list[Candidate]]:
    """One extent at a time; the smallest first."""
    for name, extents in _shaping(candidate).items():
        for at, extent in enumerate(extents):
            yield [
                _reshape(candidate, {name: (*extents[:at], less, *extents[at + 1 :])})
                for less in smaller(extent)
            ]


def smaller(extent: int) -> list[int]:
    """Return smaller extents to try: the least ones, some between, and one less."""
    between = (extent // 8, extent // 4, extent // 2, extent - extent // 4, extent - 1)
    return sorted({x for x in (1, 2, 3, 4, *between) if 0 < x < extent})


def _attributes(spec: OperatorSpec, candidate: Candidate) -> list[Candidate]:
    """Return simpler values of the attributes, which come first in a spec's factors."""
    candidates = []
    for name, levels in spec.factors.attributes.items():
        current = candidate.get(f"attribute:{name}")
        plain = [tuple(level) if isinstance(level, list) else level for level in levels]
        if current is not None:
            candidates += [
                candidate.with_facts({f"attribute:{name}": x}) for x in _before(plain, current)
            ]
    return candidates


def _before(levels: Sequence[Any], current: Any) -> list[Any]:
    """Return the levels before the current one; all if it is not among them."""
    for place, level in enumerate(levels):
        if repr(level) == repr(current):
            return list(levels[:place])
    return [level for level in levels if type(level) is type(current)]


def _fills(candidate: Candidate) -> list[Candidate]:
    candidates = []
    for name, kind in candidate.facts:
        if not name.startswith("fill:"):
            continue
        dtype = candidate.get(f"dtype:{name.removeprefix('fill:')}")
        integral = DATA_TYPES[dtype].floating is None and kind in _INTEGER_FILLS
        order = _INTEGER_FILLS if integral else _FLOAT_FILLS
        candidates += [candidate.with_facts({name: level}) for level in _before(order, kind)]
    return candidates
