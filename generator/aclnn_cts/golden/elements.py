# SPDX-License-Identifier: Apache-2.0
"""Elements of a call, evaluated block by block.

Elements are processed in rows, along which everything shared (a channel's weight, a group's sums)
is constant. A call without sums is one row. Blocks fit a core's cache.

A formula with sums passes over the elements twice: first to add up its terms, then to compute the
other outputs from the sums. There are separate sums for each set of inputs that may count as
flushed.
"""

from __future__ import annotations

import copy
import functools
import itertools
import math
import operator
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import Arithmetic, Number, Total, grid_of, rounding_error
from aclnn_cts.golden.expected import (
    BLOCK,
    Alternatives,
    Expectation,
    Expected,
    Mask,
)
from aclnn_cts.golden.flushing import (
    differing,
    flush,
    flush_sets,
    is_subnormal,
    subsets,
    with_alternatives,
)
from aclnn_cts.golden.formula import (
    Array,
    Inputs,
    Result,
    Sums,
    Terms,
    aligned_shape,
    has_sums,
    nothing_of,
    region_shape,
    require_outputs,
    require_results,
    terms_of,
    with_sums,
)
from aclnn_cts.golden.outcomes import ANY, EXTREME
from aclnn_cts.golden.reductions import Accumulator
from aclnn_cts.golden.tolerances import ClauseSet, expectation_of
from aclnn_cts.spec.data_types import FloatFormat
from aclnn_cts.spec.evaluation import Scope

Index: TypeAlias = npt.NDArray[np.int64]
Item = TypeVar("Item")
Found = TypeVar("Found")

LARGE = 1 << 18
"""Minimum number of elements of a call that is evaluated on demand, not in memory."""


@dataclass(frozen=True)
class Context:
    """Constants of all elements of one output."""

    clauses: ClauseSet
    scalars: Mapping[str, Any]
    shapes: Mapping[str, tuple[int, ...]]
    dtypes: Mapping[str, str]
    output: FloatFormat
    inf_nan: bool

    def scope(self, names: Mapping[str, Any], gather: Any) -> Scope:
        """Return the scope of the clauses."""
        return Scope({**self.scalars, **names}, self.shapes, gather, self.dtypes)

    def expected(self, result: Result) -> Expected:
        """Return the expectation of some elements; numpy's error state is the caller's."""
        scope = self.scope(result.scope, result.gather)
        expectations = expectation_of(
            result.number, self.clauses, scope, self.output, result.shared
        )
        if self.inf_nan:
            return expectations
        # conversions saturate there, so nothing is promised for Inf or NaN
        silent = ((expectations.allowed & EXTREME) != 0) | ~np.isfinite(expectations.value)
        return replace(expectations, allowed=np.where(silent, ANY, expectations.allowed))

    def whole(self, result: Result) -> Expected:
        """Return the expectation of a result in arrays of its shape."""
        blank = Expected.blank(result.value.shape, result.number.on.real)
        filled = replace(blank, shared=result.shared)
        filled.put(..., self.expected(result))
        return filled


@dataclass(frozen=True)
class Gathered:
    """Totals over all elements, for a set of flushed inputs.

    Attributes:
        sums: Sums by name; they broadcast to the elements.
        conditions: Gathered conditions by output, in the order of the clauses.
        is_near: Whether the totals without flushed inputs cover these, which are left out.
    """

    flushed: tuple[str, ...] = ()
    sums: Mapping[str, Number] = field(default_factory=dict)
    conditions: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    is_near: bool = False

    def apply(self, change: Callable[[Array], Array]) -> Gathered:
        """Apply a function to all arrays."""
        return replace(
            self,
            sums={name: number.apply(change) for name, number in self.sums.items()},
            conditions={
                n: [change(each) for each in arrays] for n, arrays in self.conditions.items()
            },
        )

    def covering(self, other: Gathered) -> Gathered | None:
        """Return the totals with errors that cover others; None if they are not nearly equal."""
        for output, arrays in self.conditions.items():
            if not all(map(np.array_equal, arrays, other.conditions[output])):
                return None
        sums = {name: number.covering(other.sums[name]) for name, number in self.sums.items()}
        wider = {name: number for name, number in sums.items() if number is not None}
        return replace(self, sums=wider) if wider.keys() == sums.keys() else None


def _merge(variants: Sequence[Gathered]) -> list[Gathered]:
    """Return totals of which the first ones cover those that nearly equal them."""
    base, *others = variants
    for number, other in enumerate(others):
        if wider := base.covering(other):
            base, others[number] = wider, Gathered(other.flushed, is_near=True)
    return [base, *others]


@dataclass(frozen=True)
class _Chosen:
    """A selection of elements.

    Attributes:
        rows: Number of their rows, or of single elements.
        length: Elements of each row, or 1.
        take: Returns the selection's values of an array that broadcasts to all elements: one number
            per row if it is constant along rows.
        columns: The inputs of each element.
        flushed: Columns for sets of flushed inputs, and which elements differ, if they depend on
            more than the columns tell.
    """

    rows: int
    length: int
    take: Callable[[Array], Array]
    columns: Inputs
    flushed: Sequence[tuple[Inputs, Mask]] = ()

    @property
    def size(self) -> int:
        return self.rows * self.length

    def spread(self, array: Array) -> Array:
        """Return the value of each selected element of an array."""
        taken = self.take(array)
        return taken if taken.size == self.size else np.repeat(taken, self.length)


class Elements:
    """The elements of a call.

    Attributes:
        module: The formula.
        contexts: Constants of all elements, by output.
        values: Attributes and derived names.
        on: How the device computes.
        columns: The inputs, which broadcast to one shape.
        shape: That shape.
        length: Elements of a row.
    """

    def __init__(
        self,
        module: ModuleType,
        contexts: Mapping[str, Context],
        values: Mapping[str, Any],
        on: Arithmetic,
        columns: Inputs,
    ) -> None:
        """Create it; evaluates the first element if there are sums."""
        self.module, self.contexts, self.values, self.on = module, contexts, values, on
        self.shape = aligned_shape(columns)
        self.size = math.prod(self.shape)
        self.columns = {
            name: np.ascontiguousarray(array) if array.size == self.size else array
            for name, array in columns.items()
        }
        self.length, self._inner_axes = self.size, len(self.shape)
        self._lock = threading.Lock()
        self._variants = None if has_sums(module) else [Gathered()]
        self._sums_matter = False
        self.terms = Terms({}, {}, {}, {})
        if has_sums(module):
            with np.errstate(all="ignore"):
                first = {
                    name: self.at(array, np.zeros(1, np.int64)) for name, array in columns.items()
                }
                formula = module.evaluate(first, values, on)
                self.terms = terms_of(formula)
                require_outputs(module, self.terms.outputs, contexts)
                self._sums_matter = _needs_sums(formula) or any(
                    output in self.outputs for output in self.terms.gathers
                )
                counts = self._counts(self.terms.scope)
                self._rules = {key: rule for key, (_, rule) in counts.items()}
            self._likes = {name: like for name, (_, like) in self.terms.sums.items()}
            regions = {
                like: region_shape(columns[like], self.shape)
                for like in (*self._likes.values(), *self.terms.gathers.values())
            }
            axes = [axis for region in regions.values() for axis, n in enumerate(region) if n > 1]
            inner = max(axes, default=-1) + 1
            self.length = math.prod(self.shape[inner:])
            self._inner_axes = len(self.shape) - inner
            self._places = {
                like: np.arange(math.prod(region)).reshape(region)
                for like, region in regions.items()
            }

    def at(self, array: Array, index: Index) -> Array:
        """Return the values at flat indices of an array that broadcasts to all elements."""
        if array.size == self.size:
            return array.reshape(-1)[index]
        return np.broadcast_to(array, self.shape)[np.unravel_index(index, self.shape)]

    def select_at(self, index: Index) -> _Chosen:
        """Return the elements at flat indices."""
        return self._select(len(index), 1, functools.partial(self.at, index=index))

    def select(self, start: int, stop: int) -> _Chosen:
        """Return the elements of a range, which is a part of a row or several whole rows."""
        first, last = start // max(self.length, 1), -(-stop // max(self.length, 1))

        def take(array: Array) -> Array:
            if array.size == self.size:
                return array.reshape(-1)[start:stop]
            spread: Any = np.broadcast_to(array, self.shape)
            if self._is_of_rows(array):
                return np.asarray(spread[(..., *(0,) * self._inner_axes)].flat[first:last])
            return np.asarray(spread.flat[start:stop])

        return self._select(last - first, (stop - start) // max(last - first, 1), take)

    def _select(self, rows: int, length: int, take: Callable[[Array], Array]) -> _Chosen:
        blank = _Chosen(rows, length, take, {})
        return replace(
            blank, columns={n: blank.spread(column) for n, column in self.columns.items()}
        )

    def _is_of_rows(self, array: Array) -> bool:
        """Whether an array is constant along rows."""
        inner = array.shape[max(array.ndim - self._inner_axes, 0) :]
        return array.size < self.size and math.prod(inner) == 1

    def spans(self) -> Iterator[tuple[int, int]]:
        """Yield the ranges of blocks, each a part of a row or several whole rows."""
        rows = max(BLOCK // max(self.length, 1), 1) * self.length
        for start in range(0, self.size, max(rows, 1)):
            stop = min(start + rows, self.size)
            for part in range(start, stop, BLOCK) if rows > BLOCK else (start,):
                yield part, min(part + BLOCK, stop) if rows > BLOCK else stop

    # -- evaluation of some elements ---------------------------------------------------------------

    def _evaluate(
        self, outputs: Sequence[str], columns: Inputs, known: Gathered
    ) -> dict[str, Expected]:
        """Return the expectations of some of the outputs that are not sums."""
        evaluated = self.module.evaluate(columns, self.values, self.on)
        if has_sums(self.module):
            terms, numbers = with_sums(evaluated, lambda _: known.sums)
            results = {
                name: Result(numbers[name], terms.scope, _answering(known.conditions.get(name)))
                for name in outputs
            }
        else:
            results = require_results(self.module, evaluated, self.contexts)
        return {name: self.contexts[name].whole(results[name]) for name in outputs}

    def expect_at(self, index: Index, output: str) -> Expected:
        """Return the expectation of the elements at flat, ascending indices."""
        return self.expect(self.select_at(index), [output])[output]

    @property
    def outputs(self) -> list[str]:
        """The outputs that are not sums."""
        return [name for name in self.contexts if not self.terms.is_of_sums(name)]

    def _counts(self, scope: Mapping[str, Any]) -> dict[_Gather, tuple[Any, np.ufunc]]:
        """Return the condition of which one element decides each gathered one, and its rule."""
        counts: dict[_Gather, tuple[Any, np.ufunc]] = {}
        for output in self.terms.gathers:

            def note(condition: Any, rule: np.ufunc) -> Any:
                counted = condition if rule is np.logical_or else np.logical_not(condition)
                counts[output, len(counts)] = counted, rule  # noqa: B023 - called in this turn only
                return condition

            context = self.contexts[output]
            # in the order in which `expected_of` asks for them
            context.clauses.conditions(context.scope(scope, note))
            context.clauses.silent(context.scope(scope, note))
        return counts

    # -- sums --------------------------------------------------------------------------------------

    def totals(self, threads: int = 1) -> Sequence[Gathered]:
        """Return the totals over all elements, for each set of inputs that may be flushed."""
        with self._lock, np.errstate(all="ignore"):
            if self._variants is None:
                self._variants = self._add_up(threads)
            return self._variants

    def _terms(self, columns: Inputs) -> Terms:
        return terms_of(self.module.evaluate(columns, self.values, self.on))

    def _add_up(self, threads: int) -> list[Gathered]:
        """Return sums and gathered conditions, for each set of inputs that may count as flushed."""
        counts = {like: places.size for like, places in self._places.items()}
        blank = _Totals(
            {
                name: self.terms.accumulator(name).zero(counts[like], self.on.real)
                for name, like in self._likes.items()
            },
            {key: np.zeros(counts[self.terms.gathers[key[0]]], np.int64) for key in self._rules},
        )
        totals: dict[tuple[str, ...], _Totals] = {(): blank}
        index = self._add_spans(self._totals, totals, threads)
        parts = [index[start : start + BLOCK] for start in range(0, len(index), BLOCK)]
        concerned = {
            name
            for part in parts
            for name, column in self.select_at(part).columns.items()
            if is_subnormal(column).any()
        }
        names = [name for name in self.columns if name in concerned]
        totals |= {some: copy.deepcopy(blank) for some in flush_sets(names)}
        self._add_flushed(self._totals, totals, parts)
        additions = {
            name: number for name, number in blank.sums.items() if isinstance(number, Total)
        }
        if any(
            self._arithmetic_of(name).may_lose(self.size // counts[self._likes[name]])
            for name in additions
        ):
            grids = {
                name: grid_of(number.size, self._arithmetic_of(name).computing).reshape(
                    self._places[self._likes[name]].shape
                )
                for name, number in additions.items()
            }
            losses = functools.partial(self._losses, grids)
            self._add_spans(losses, totals, threads)
            self._add_flushed(losses, totals, parts)
        return _merge([self._gather(some, each) for some, each in totals.items()])

    def _add_spans(
        self, measure: _Measure, totals: Mapping[tuple[str, ...], _Totals], threads: int
    ) -> Index:
        """Add to all totals what is measured of elements whose inputs are not flushed.

        Return the indices of the others.
        """

        def span(part: tuple[int, int]) -> tuple[_Chosen, _Totals, Index]:
            chosen = self.select(*part)
            with np.errstate(all="ignore"):
                apart = self._apart(chosen)
                amounts = measure(chosen, chosen.columns, apart)
            return chosen, amounts, np.flatnonzero(apart) + part[0]

        others: list[Index] = []
        for chosen, amounts, index in ahead(span, list(self.spans()), threads):
            others.append(index)
            for each in totals.values():
                self._add(each, chosen, amounts)
        return np.concatenate(others)

    def _add_flushed(
        self,
        measure: _Measure,
        totals: Mapping[tuple[str, ...], _Totals],
        parts: Sequence[Index],
    ) -> None:
        """Add what is measured of elements whose inputs each of the totals flushes."""
        for chosen in map(self.select_at, parts):
            nothing = np.zeros(chosen.size, np.bool_)
            for some, each in totals.items():
                self._add(each, chosen, measure(chosen, flush(chosen.columns, some), nothing))

    def _add(self, totals: _Totals, chosen: _Chosen, amounts: _Totals) -> None:
        places = {like: chosen.take(each) for like, each in self._places.items()}
        for name, amount in amounts.sums.items():
            totals.sums[name].add(places[self._likes[name]], amount)
        for key, numbers in amounts.conditions.items():
            np.add.at(totals.conditions[key], places[self.terms.gathers[key[0]]], numbers)

    def _totals(self, chosen: _Chosen, columns: Inputs, apart: Mask) -> _Totals:
        """Return the sums of each row, without the elements that are apart."""
        terms, shape = self._terms(columns), (chosen.rows, chosen.length)
        some = apart if apart.any() else None
        conditions = {}
        for key, (condition, _) in self._counts(terms.scope).items():
            counted = np.broadcast_to(np.logical_and(condition, ~apart), chosen.size)
            conditions[key] = np.count_nonzero(counted.reshape(shape), axis=1)

        def reduce(rule: np.ufunc, array: Array) -> Array:
            every = np.broadcast_to(array, chosen.size)
            if some is not None:
                every = np.where(some, every.dtype.type(nothing_of(rule)), every)
            return np.asarray(rule.reduce(every.reshape(shape), axis=1))

        sums = {
            name: terms.accumulator(name).of(number, reduce)
            for name, (number, _) in terms.sums.items()
        }
        return _Totals(sums, conditions)

    def _losses(
        self, grids: Mapping[str, Array], chosen: _Chosen, columns: Inputs, apart: Mask
    ) -> _Totals:
        """Return the losses of terms on the grids of their known sums, of each row."""
        sums, blank = {}, Total.zero(chosen.rows, self.on.real)
        terms = self._terms(columns).sums
        for name in grids:
            value = np.broadcast_to(terms[name][0].value, chosen.size)
            errors = np.where(apart, 0.0, rounding_error(value, chosen.spread(grids[name])))
            sums[name] = replace(blank, losses=errors.reshape(chosen.rows, -1).sum(axis=1))
        return _Totals(sums, {})

    def _apart(self, chosen: _Chosen) -> Mask:
        """Return the elements with inputs that may count as flushed."""
        is_apart = np.zeros(chosen.size, np.bool_)
        for column in chosen.columns.values() if self.on.flushes else ():
            is_apart |= is_subnormal(column)
        return is_apart

    def _arithmetic_of(self, name: str) -> Arithmetic:
        """Return the arithmetic of a sum, which may be narrower than that of the call."""
        return self.terms.sums[name][0].on

    def _gather(self, names: tuple[str, ...], totals: _Totals) -> Gathered:
        sums: dict[str, Number] = {}
        for name, like in self._likes.items():
            places, on = self._places[like], self._arithmetic_of(name)
            number = totals.sums[name].number(on, self.size // places.size)
            sums[name] = number.apply(operator.methodcaller("reshape", places.shape))
        conditions: dict[str, list[Array]] = {output: [] for output in self.terms.gathers}
        for key, numbers in totals.conditions.items():
            answers = (numbers > 0) == (self._rules[key] is np.logical_or)
            shape = self._places[self.terms.gathers[key[0]]].shape
            conditions[key[0]].append(answers.reshape(shape))
        return Gathered(names, sums, conditions)

    # -- expectations ------------------------------------------------------------------------------

    def expect(self, chosen: _Chosen, outputs: Sequence[str]) -> dict[str, Expected]:
        """Return the expectations of some elements, one-dimensional, also with flushed inputs.

        Args:
            outputs: Some of the outputs that are not sums.
        """
        first, *variants = self.totals()
        base = first.apply(chosen.spread)
        expectations = self._evaluate(outputs, chosen.columns, base)
        others: dict[str, list[Alternatives]] = {name: [] for name in expectations}
        for index, changed, each in self._flush(chosen, base, variants):
            for name, other in self._evaluate(outputs, changed, each).items():
                expectation = expectations[name].at(index)
                others[name].append(differing(expectation, other, index))
                expectations[name].tolerance[index] = expectation.tolerance
        return {
            name: with_alternatives(expectation, others[name])
            for name, expectation in expectations.items()
        }

    def _flush(
        self, chosen: _Chosen, base: Gathered, variants: Sequence[Gathered]
    ) -> Iterator[tuple[Index, Inputs, Gathered]]:
        """Yield the elements that differ if some inputs are flushed, with their evaluation."""
        columns = chosen.columns
        small = (
            {n: is_subnormal(column) for n, column in columns.items()} if self.on.flushes else {}
        )
        rule: np.ufunc = np.logical_or
        ways = [(each.flushed, each) for each in variants]
        if not has_sums(self.module):
            rule = np.logical_and
            names = [name for name, column in small.items() if column.any()]
            ways = [(some, base) for some in subsets(names)]
        for some, each in ways:
            if self._sums_matter and not each.is_near:
                yield np.arange(chosen.size), flush(columns, some), each.apply(chosen.spread)
                continue
            index = np.flatnonzero(rule.reduce([small[name] for name in some]))
            if len(index):
                taken = {name: array[index] for name, array in columns.items()}
                yield index, flush(taken, some), base.apply(lambda column: column[index])  # noqa: B023

    def expectations(self, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Expectation]:
        """Return the expectations of all outputs of a call with elements."""
        with np.errstate(all="ignore"):
            columns = self.select(0, 1).columns
            own_expectations = (
                {} if has_sums(self.module) else self._evaluate(self.outputs, columns, Gathered())
            )
        return {
            name: ElementsOfOutput(
                self,
                name,
                shapes[name],
                own_expectations[name].shared if name in own_expectations else 0.0,
            )
            if name in self.outputs
            else SumsOfOutput(self, name, shapes[name])
            for name in self.contexts
        }

    def of_sums(self, name: str) -> Expected:
        """Return the expectation of an output that is a sum, or depends only on sums."""
        first = self.select_at(np.zeros(1, np.int64)).columns
        variants = []
        for totals in (each for each in self.totals() if not each.is_near):
            formula = self.module.evaluate(flush(first, totals.flushed), self.values, self.on)
            terms, numbers = with_sums(formula, lambda _: totals.sums)  # noqa: B023 - called at once
            gather = _answering(totals.conditions.get(name))
            variants.append(self.contexts[name].whole(Result(numbers[name], terms.scope, gather)))
        base, *others = variants
        return with_alternatives(base, [differing(base, other) for other in others])


class Windows(Elements):
    """The elements of a call that depend on surrounding inputs in their own plane.

    The columns are computed for each part of the call, from the inputs that it needs.
    """

    def __init__(
        self,
        module: ModuleType,
        contexts: Mapping[str, Context],
        values: Mapping[str, Any],
        on: Arithmetic,
        inputs: Inputs,
    ) -> None:
        """Create it; computes the columns of the first element for their types."""
        part, names, _ = module.part(inputs, values, 0, 1)
        first = {name: array.reshape(-1)[:1] for name, array in module.align(part, names).items()}
        super().__init__(module, contexts, values, on, first)
        self.inputs, self.shape = inputs, module.shape(inputs, values)
        self.size, self.length = math.prod(self.shape), math.prod(self.shape[-2:])

    def select(self, start: int, stop: int) -> _Chosen:
        """Return the elements of a range, which is a part of a plane or several whole planes."""
        part, values, offset = self.module.part(self.inputs, self.values, start, stop)
        positions = slice(offset, offset + stop - start)

        def columns(inputs: Inputs) -> Iterator[dict[str, Array]]:
            module = self.module
            only = not hasattr(module, "choices")
            for aligned in (
                [module.align(inputs, values)] if only else module.choices(inputs, values)
            ):
                rows = {name: array.reshape(-1)[positions] for name, array in aligned.items()}
                yield {name: np.ascontiguousarray(array) for name, array in rows.items()}

        with np.errstate(all="ignore"):
            names = [n for n, a in part.items() if self.on.flushes and is_subnormal(a).any()]
            ways = [part, *(flush(part, some) for some in flush_sets(names))]
            base, *variants = itertools.chain.from_iterable(map(columns, ways))
            others = []
            for other in variants:
                differ = [~_are_same(base[name], other[name]) for name in base]
                others.append((other, np.logical_or.reduce(differ)))
        return _Chosen(1, stop - start, np.asarray, base, others)

    def select_at(self, index: Index) -> _Chosen:
        """Return consecutive elements from the first index, as many as there are indices."""
        return self.select(0, min(len(index), self.length))

    def expect_at(self, index: Index, output: str) -> Expected:
        """Return the expectation of the elements at flat, ascending indices."""

        def parts() -> Iterator[tuple[int, Expected]]:
            for start, stop in self.spans():
                first, last = np.searchsorted(index, (start, stop))
                if first < last:
                    indices = index[first:last]
                    chosen = self.select(int(indices[0]), int(indices[-1]) + 1)
                    yield int(first), self.expect(chosen, [output])[output].at(indices - indices[0])

        return Expected.of_blocks((len(index),), self.on.real, parts())

    def _flush(
        self, chosen: _Chosen, base: Gathered, variants: Sequence[Gathered]
    ) -> Iterator[tuple[Index, Inputs, Gathered]]:
        """Yield the elements that differ if some inputs are flushed, with their evaluation."""
        del variants
        for other, differ in chosen.flushed:
            index = np.flatnonzero(differ)
            if len(index):
                yield index, {name: array[index] for name, array in other.items()}, base


def _are_same(one: Array, other: Array) -> Mask:
    """Return where two arrays are equal or both NaN."""
    if one.dtype.kind in "ub":
        return np.asarray(one == other)
    return np.asarray((one == other) | (np.isnan(one) & np.isnan(other)))


_Gather: TypeAlias = tuple[str, int]
"""An output and the number of one of its gathered conditions."""


@dataclass(frozen=True)
class _Totals:
    """Sums by name, and the numbers of elements that decide gathered conditions."""

    sums: Mapping[str, Accumulator]
    conditions: Mapping[_Gather, Index]


_Measure: TypeAlias = Callable[[_Chosen, Inputs, Mask], _Totals]
"""Returns totals of each row of some elements, given their inputs, without those of a mask."""


@dataclass(frozen=True)
class ElementsOfOutput:
    """The expectation of an output that is not a sum, evaluated on demand.

    Attributes:
        shape: The output's view shape.
        shared: Largest relative error of a factor that is the same for the whole call.
    """

    call: Elements
    output: str
    shape: tuple[int, ...]
    shared: float

    def part(self, part: slice) -> Expected:
        """Return a range of the elements, row-major."""
        start, stop, _ = part.indices(self.call.size)
        length = self.call.length
        if start // length == (stop - 1) // length or not (start % length or stop % length):
            return self._of((start, stop))
        return self.at(np.arange(start, stop))

    def at(self, index: Index) -> Expected:
        """Return the elements at flat, ascending indices."""
        with np.errstate(all="ignore"):
            return self.call.expect_at(index, self.output)

    def blocks(self, threads: int = 1) -> Iterator[tuple[int, Expected]]:
        """Yield all elements in order, in blocks, each with its first index; threads work ahead."""
        self.call.totals(threads)
        parts = list(self.call.spans())
        blocks = ahead(self._of, parts, threads)
        return zip((start for start, _ in parts), blocks, strict=True)

    def whole(self) -> Expected:
        """Return all elements in the output's shape, about 36 bytes each."""
        whole = Expected.of_blocks(self.shape, self.call.on.real, self.blocks())
        return replace(whole, shared=self.shared)

    def _of(self, part: tuple[int, int]) -> Expected:
        with np.errstate(all="ignore"):
            return self.call.expect(self.call.select(*part), [self.output])[self.output]


@dataclass(frozen=True)
class SumsOfOutput:
    """The expectation of an output that is a sum, evaluated on first use.

    Attributes:
        shape: The output's view shape.
        shared: Always 0: no factor is shared by the whole call.
    """

    call: Elements
    output: str
    shape: tuple[int, ...]
    shared: float = 0.0

    def part(self, part: slice) -> Expected:
        """Return a range of the sums, row-major."""
        return self.whole().part(part)

    def at(self, index: Index) -> Expected:
        """Return the sums at flat, ascending indices."""
        return self.whole().at(index)

    def blocks(self, threads: int = 1) -> Iterator[tuple[int, Expected]]:
        """Yield all sums in order, :data:`BLOCK` at a time, each with its first index."""
        self.call.totals(threads)
        return self.whole().blocks()

    def whole(self) -> Expected:
        """Return all sums in the output's shape."""
        return self._whole

    @functools.cached_property
    def _whole(self) -> Expected:
        with np.errstate(all="ignore"):
            return self.call.of_sums(self.output).reshape(self.shape)


def ahead(work: Callable[[Item], Found], items: Sequence[Item], threads: int) -> Iterator[Found]:
    """Yield the results of work items in order; several threads work ahead, one item each."""
    if threads == 1:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(threads) as pool:
        begun = deque(pool.submit(work, item) for item in items[:threads])
        for place in range(len(items)):
            result = begun.popleft().result()
            if place + threads < len(items):
                begun.append(pool.submit(work, items[place + threads]))
            yield result


def _needs_sums(formula: Sums) -> bool:
    """Whether a formula needs the sums of its terms."""
    try:
        formula.send({})
    except StopIteration:
        return False
    except KeyError:
        return True
    raise TypeError("a formula yields its terms once")


def _answering(conditions: Sequence[Any] | None) -> Callable[[Any, np.ufunc], Any] | None:
    """Return a function that returns gathered conditions in the clauses' order."""
    if conditions is None:
        return None
    answers = iter(conditions)
    return lambda condition, rule: next(answers)  # noqa: ARG005 - they are known
