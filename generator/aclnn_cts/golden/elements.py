# SPDX-License-Identifier: Apache-2.0
"""Large calls, evaluated block by block.

Elements are processed in rows, along which everything shared (a channel's weight, a group's sums)
is constant. A call without sums is one row. A compiled loop (:mod:`aclnn_cts.golden.kernel`)
evaluates most elements in the quick arithmetic and marks the others, which NumPy evaluates in the
full arithmetic, also with zeros for subnormal inputs.

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

from aclnn_cts.golden.arithmetic import Arithmetic, Mask, Number, Total, either_mask, grid_of, lost
from aclnn_cts.golden.expected import (
    BLOCK,
    Alternatives,
    Arrays,
    Expectation,
    Expected,
    Outcome,
    Question,
    Tallied,
    Totals,
    joined,
    trace_tally,
)
from aclnn_cts.golden.flushing import (
    covering,
    differing,
    each_and_all,
    flushed,
    flushed_format,
    is_subnormal,
    subsets,
    with_alternatives,
)
from aclnn_cts.golden.formula import (
    Inputs,
    Result,
    Sums,
    aligned_shape,
    has_sums,
    region_shape,
    require_outputs,
    require_results,
    terms_of,
    with_sums,
)
from aclnn_cts.golden.kernel import Kernel, Trace, compile_trace
from aclnn_cts.golden.tolerances import ALL_OUTCOMES, ClauseSet, expected_of
from aclnn_cts.spec.data_types import FloatFormat
from aclnn_cts.spec.evaluation import Scope
from aclnn_cts.spec.expression import ExpressionError

Array: TypeAlias = npt.NDArray[Any]
Index: TypeAlias = npt.NDArray[np.int64]
Item = TypeVar("Item")
Found = TypeVar("Found")

SPAN = 1 << 19
"""Elements per span, so that the few unusual ones are evaluated together."""

COUNTED = 1 << 21
"""Elements per span if a loop keeps only whether an element is unusual."""

ROWS = 1 << 16
"""Rows per span: each needs some hundred bytes for its sums, however short it is."""

CHECKED = 1 << 10
"""Number of elements of a call for which a compiled loop is compared with NumPy."""

_APART = "differs if flushed"
"""Name of the column that tells whether an element differs if inputs around it are flushed."""

_UNTRACEABLE = (AttributeError, TypeError, ExpressionError)
"""Errors of symbols, which do not support all operations of arrays."""

_NON_FINITE = np.uint8(Outcome.NON_FINITE)
_PARTS = ("value", "error", "spread", "ulps")
_WIDENED = ("value", "allowed", "tolerance")
"""The arrays of an expectation that :func:`covering` reads and widens."""


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
        found = expected_of(result.number, self.clauses, scope, self.output, result.shared)
        if self.inf_nan:
            return found
        # conversions saturate there, so nothing is promised for Inf or NaN
        silent = ((found.allowed & _NON_FINITE) != 0) | ~np.isfinite(found.value)
        return replace(found, allowed=np.where(silent, ALL_OUTCOMES, found.allowed))

    def whole(self, result: Result) -> Expected:
        """Return the expectation of a result in arrays of its shape."""
        blank = Expected.blank(result.value.shape, result.number.on.real)
        filled = replace(blank, shared=result.shared)
        filled.put(..., self.expected(result))
        return filled


def _unusual(result: Result, found: Expected, output: FloatFormat) -> Mask | None:
    """Return the elements for which a quick result is not valid."""
    reach = np.abs(found.value) + found.tolerance
    beyond = None if reach.max(initial=0.0) < output.overflow else ~(reach < output.overflow)
    return either_mask(result.number.settled.unusual, beyond)


@dataclass(frozen=True)
class Gathered:
    """Totals over all elements, for a set of flushed inputs.

    Attributes:
        sums: Sums by name; they broadcast to the elements.
        conditions: Gathered conditions by output, in the order of the clauses.
    """

    flushed: tuple[str, ...] = ()
    sums: Mapping[str, Number] = field(default_factory=dict)
    conditions: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def each(self, change: Callable[[Array], Array]) -> Gathered:
        """Apply a function to all arrays."""
        return Gathered(
            self.flushed,
            {name: number.each(change) for name, number in self.sums.items()},
            {name: [change(each) for each in own] for name, own in self.conditions.items()},
        )

    def quick(self, on: Arithmetic) -> Gathered:
        """Return the totals for the quick arithmetic, in which a possible Inf is unusual."""
        sums = {
            name: number
            if number.on.quick
            else replace(
                number,
                on=on,
                extremes=None,
                unusual=None if number.extremes is None else number.extremes != 0,
            )
            for name, number in self.sums.items()
        }
        return replace(self, sums=sums)


@dataclass(frozen=True)
class _Chosen:
    """A selection of elements.

    Attributes:
        rows: Number of their rows, or of single elements.
        length: Elements of each row, or 1.
        take: Returns the selection's values of an array that broadcasts to all elements: one number
            per row if it is constant along rows.
        columns: Its results for the inputs.
        flushed: Columns for sets of flushed inputs, and which elements differ unless the columns
            tell.
    """

    rows: int
    length: int
    take: Callable[[Array], Array]
    columns: Inputs
    flushed: Sequence[tuple[Inputs, Mask]] = ()

    @property
    def size(self) -> int:
        return self.rows * self.length

    def spread(self, taken: Array) -> Array:
        """Spread selected values to all elements."""
        return taken if taken.size == self.size else np.repeat(taken, self.length)

    def pick(self, taken: Array, places: Index) -> Array:
        """Return the selected values of some elements."""
        return taken[places if taken.size == self.size else places // self.length]


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
        self._dtypes = {name: array.dtype.name for name, array in columns.items()}
        self.length, self._inner_axes = self.size, len(self.shape)
        self._lock = threading.Lock()
        self._main = [Gathered()]
        self._found: tuple[Sequence[Gathered], Sequence[Kernel] | None] | None = None
        self._usual: tuple[Trace, Mapping[str, Expected], Mask | None] | None = None
        self._loops: dict[tuple[str, Question], Kernel | None] = {}
        self._rules: dict[str, list[np.ufunc]] = {}
        self._sums_matter = False
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
                self._added(first, on)
            self._likes = {name: like for name, (_, like) in self.terms.sums.items()}
            likes = {*self._likes.values(), *self.terms.gathers.values()}
            self.regions = {like: region_shape(columns[like], self.shape) for like in likes}
            inner = max(
                (axis + 1 for own in self.regions.values() for axis, n in enumerate(own) if n > 1),
                default=0,
            )
            self.length = math.prod(self.shape[inner:])
            self._inner_axes = len(self.shape) - inner

    def at(self, array: Array, index: Index) -> Array:
        """Return the values at flat indices of an array that broadcasts to all elements."""
        if array.size == self.size:
            return array.reshape(-1)[index]
        return np.broadcast_to(array, self.shape)[np.unravel_index(index, self.shape)]

    def chosen_at(self, index: Index) -> _Chosen:
        """Return the elements at flat indices."""
        take = functools.partial(self.at, index=index)
        return _Chosen(len(index), 1, take, {n: take(array) for n, array in self.columns.items()})

    def chosen(self, start: int, stop: int) -> _Chosen:
        """Return the elements of a range, which is a part of a row or several whole rows."""
        first, last = start // max(self.length, 1), -(-stop // max(self.length, 1))

        def take(array: Array) -> Array:
            if array.size == self.size:
                return array.reshape(-1)[start:stop]
            spread: Any = np.broadcast_to(array, self.shape)
            if self._is_of_rows(array):
                return np.asarray(spread[(..., *(0,) * self._inner_axes)].flat[first:last])
            return np.asarray(spread.flat[start:stop])

        columns = {name: take(array) for name, array in self.columns.items()}
        return _Chosen(last - first, (stop - start) // max(last - first, 1), take, columns)

    def _is_of_rows(self, array: Array) -> bool:
        """Whether an array is constant along rows."""
        inner = array.shape[max(array.ndim - self._inner_axes, 0) :]
        return array.size < self.size and math.prod(inner) == 1

    def spans(self, size: int) -> Iterator[tuple[int, int]]:
        """Yield ranges of up to ``size`` elements that :meth:`chosen` takes."""
        rows = max(min(size // max(self.length, 1), ROWS), 1) * self.length
        for start in range(0, self.size, max(rows, 1)):
            stop = min(start + rows, self.size)
            for part in range(start, stop, size) if rows > size else (start,):
                yield part, min(part + size, stop) if rows > size else stop

    # -- evaluation of some elements ---------------------------------------------------------------

    def _results(self, columns: Inputs, known: Gathered, on: Arithmetic) -> dict[str, Result]:
        """Return the results of the outputs that are not sums."""
        evaluated = self.module.evaluate(columns, self.values, on)
        if not has_sums(self.module):
            return require_results(self.module, evaluated, self.contexts)
        terms, numbers = with_sums(evaluated, lambda _: known.sums)
        return {
            name: Result(number, terms.scope, _answering(known.conditions.get(name)))
            for name, number in numbers.items()
            if not terms.is_of_sums(name)
        }

    def expected_at(self, index: Index) -> dict[str, Expected]:
        """Return the expectations of the elements at flat, ascending indices."""
        return self.expected(self.chosen_at(index), *self.known())

    @property
    def span(self) -> int:
        """Elements per span."""
        return SPAN

    @property
    def counted(self) -> int:
        """Elements per span of a counting loop."""
        return COUNTED

    @property
    def outputs(self) -> list[str]:
        """The outputs that are not sums."""
        return [
            name
            for name in self.contexts
            if not has_sums(self.module) or not self.terms.is_of_sums(name)
        ]

    def _subnormal(self, columns: Inputs) -> Mask | None:
        """Return the elements with subnormal inputs that may count as flushed."""
        found: Mask | None = None
        for name, column in columns.items() if self.on.flushes else ():
            if flushed_format(self._dtypes[name]) is not None:
                found = either_mask(found, is_subnormal(column, self._dtypes[name]))
        return found

    def _quick(
        self, columns: Inputs, known: Gathered, before: Mapping[str, Expected]
    ) -> tuple[dict[str, Expected], Mask | None]:
        """Return the expectations, and the elements that need exact evaluation.

        Args:
            known: The totals, for a set of flushed inputs.
            before: The expectations without flushed inputs, which are widened; empty at first.
        """
        on = replace(self.on, quick=True)
        closer, found = None if before else self._subnormal(columns), {}
        for name, result in self._results(columns, known.quick(on), on).items():
            own = self.contexts[name].expected(result)
            closer = either_mask(closer, _unusual(result, own, self.contexts[name].output))
            if before:
                tolerance, apart = covering(before[name], own)
                own = replace(before[name], tolerance=tolerance)
                closer = either_mask(closer, apart)
            found[name] = own
        return found, closer

    def _exact(self, columns: Inputs, known: Gathered) -> dict[str, Expected]:
        """Return the expectations of single elements, in the full arithmetic."""
        results = self._results(columns, known, self.on)
        return {name: self.contexts[name].whole(result) for name, result in results.items()}

    def _added(
        self, columns: Inputs, on: Arithmetic, grids: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, tuple[float, float]], Mask | None]:
        """Return the terms, their error shares, and the terms that must not be added.

        Given the grids of the sums, return the losses of the terms.
        """
        terms = next(self.module.evaluate(columns, self.values, on))
        closer = self._subnormal(columns)
        numbers = {name: number.kept.settled for name, (number, _) in terms.sums.items()}
        for number in numbers.values():
            closer = either_mask(closer, number.unusual)
        parts: dict[str, Any] = {}
        for name, number in numbers.items():
            if grids is not None:
                parts[name] = lost(number.value, grids[name])
                continue
            parts[f"value {name}"], parts[f"size {name}"] = number.value, np.abs(number.value)
            for part in ("error", "spread"):
                if not isinstance(getattr(number, part), float):
                    parts[f"{part} {name}"] = getattr(number, part)
        added = {
            name: part if closer is None else np.where(closer, 0.0, part)
            for name, part in parts.items()
        }
        for name, condition in self._conditions(terms.scope).items() if grids is None else ():
            added[name] = condition if closer is None else condition & ~closer
        shares = {
            name: (number.relative, number.relative_spread) for name, number in numbers.items()
        }
        return added, shares, closer

    def _conditions(self, scope: Mapping[str, Any]) -> dict[str, Any]:
        """Return the condition that makes each gathered condition unusual."""
        found: dict[str, Any] = {}
        for output in self.terms.gathers:
            rules = self._rules[output] = []

            def note(condition: Any, rule: np.ufunc) -> Any:
                own = condition if rule is np.logical_or else np.logical_not(condition)
                found[f"{output} {len(rules)}"] = own  # noqa: B023 - called in this turn only
                rules.append(rule)  # noqa: B023
                return condition

            own = self.contexts[output]
            # in the order in which `expected_of` asks for them
            own.clauses.conditions(own.scope(scope, note))
            own.clauses.silent(own.scope(scope, note))
        return found

    # -- sums --------------------------------------------------------------------------------------

    def known(self, threads: int = 1) -> tuple[Sequence[Gathered], Sequence[Kernel] | None]:
        """Return the totals over all elements, and the loops that use them."""
        with self._lock, np.errstate(all="ignore"):
            if self._found is None:
                variants = self._add_up(threads) if has_sums(self.module) else self._main
                self._found = variants, self._kernels_of(variants)
            return self._found

    def _add_up(self, threads: int) -> list[Gathered]:
        """Return sums and gathered conditions, for each set of inputs that may count as flushed."""
        counts = {like: math.prod(region) for like, region in self.regions.items()}
        labels = {
            like: np.arange(counts[like]).reshape(region) for like, region in self.regions.items()
        }
        base = _Totals(
            {name: Total.zero(counts[like], self.on.real) for name, like in self._likes.items()},
            {
                f"{output} {number}": np.zeros(counts[like], np.int64)
                for output, like in self.terms.gathers.items()
                for number in range(len(self._rules[output]))
            },
        )
        likes = dict(self._likes)
        likes |= {name: self.terms.gathers[name.split()[0]] for name in base.conditions}
        kernel, shares = self._kernel_of_sums()

        def span(part: tuple[int, int]) -> tuple[_Chosen, Mapping[str, Array], Index]:
            chosen = self.chosen(*part)
            with np.errstate(all="ignore"):
                sums, closer = self._row_sums(chosen, kernel)
            return chosen, sums, np.flatnonzero(closer) + part[0]

        closer: list[Index] = []
        for chosen, sums, index in ahead(span, list(self.spans(SPAN)), threads):
            places = {like: chosen.take(own) for like, own in labels.items()}
            base.add_sums({name: places[like] for name, like in likes.items()}, sums, shares)
            closer.append(index)
        index = np.concatenate(closer)
        parts = [index[start : start + BLOCK] for start in range(0, len(index), BLOCK)]
        concerned = {
            name
            for part in parts
            for name, column in self.chosen_at(part).columns.items()
            if self.on.flushes and is_subnormal(column).any()
        }
        names = [name for name in self.columns if name in concerned]
        variants = [(), *each_and_all(names)]
        totals = [base, *(copy.deepcopy(base) for _ in variants[1:])]
        for part in parts:
            columns = self.chosen_at(part).columns
            places = {name: self.at(labels[like], part) for name, like in likes.items()}
            for own, chosen_names in zip(totals, variants, strict=True):
                terms = next(
                    self.module.evaluate(flushed(columns, chosen_names), self.values, self.on)
                )
                own.add(places, terms.sums, self._conditions(terms.scope))
        if any(
            self._arithmetic_of(name).may_lose(self.size // counts[like])
            for name, like in self._likes.items()
        ):
            self._add_losses(totals, variants, labels, parts, threads)
        return [
            self._gathered(chosen_names, own)
            for own, chosen_names in zip(totals, variants, strict=True)
        ]

    def _add_losses(
        self,
        totals: Sequence[_Totals],
        variants: Sequence[tuple[str, ...]],
        labels: Mapping[str, Index],
        parts: Sequence[Index],
        threads: int,
    ) -> None:
        """Add up the losses of terms on the grids of their known sums.

        Args:
            totals: The sums of each of the variants.
            variants: Sets of inputs that count as flushed.
            labels: The indices of the sums.
            parts: The elements without loops.
            threads: Number of parallel spans.
        """
        likes = self._likes
        sizes = {name: own.size for name, own in totals[0].sums.items()}
        flat = {
            name: grid_of(size, self._arithmetic_of(name).computing) for name, size in sizes.items()
        }
        grids = {name: own.reshape(self.regions[likes[name]]) for name, own in flat.items()}
        kernel, _ = self._kernel_of_sums(grids)

        def span(part: tuple[int, int]) -> tuple[_Chosen, Mapping[str, Array]]:
            chosen = self.chosen(*part)
            with np.errstate(all="ignore"):
                return chosen, self._row_sums(chosen, kernel, grids)[0]

        for chosen, sums in ahead(span, list(self.spans(SPAN)), threads):
            for name, like in likes.items():
                places = chosen.take(labels[like])
                for each in totals:
                    np.add.at(each.sums[name].losses, places, sums[name])
        for part in parts:
            columns = self.chosen_at(part).columns
            for each, names in zip(totals, variants, strict=True):
                terms = next(self.module.evaluate(flushed(columns, names), self.values, self.on))
                for name, like in likes.items():
                    places = self.at(labels[like], part)
                    value = terms.sums[name][0].value
                    np.add.at(each.sums[name].losses, places, lost(value, flat[name][places]))

    def _arithmetic_of(self, name: str) -> Arithmetic:
        """Return the arithmetic of a sum, which may be narrower than that of the call."""
        return replace(self.terms.sums[name][0].on, quick=self.on.quick)

    def _gathered(self, names: tuple[str, ...], totals: _Totals) -> Gathered:
        sums, conditions = {}, {}
        for name, like in self._likes.items():
            region = self.regions[like]
            on = self._arithmetic_of(name)
            number = totals.sums[name].number(on, self.size // math.prod(region))
            sums[name] = number.each(operator.methodcaller("reshape", region))
        for output, like in self.terms.gathers.items():
            found = (
                (totals.conditions[f"{output} {place}"] > 0) == (rule is np.logical_or)
                for place, rule in enumerate(self._rules[output])
            )
            conditions[output] = [each.reshape(self.regions[like]) for each in found]
        return Gathered(names, sums, conditions)

    def _row_sums(
        self, chosen: _Chosen, kernel: Kernel | None, grids: Mapping[str, Array] | None = None
    ) -> tuple[Mapping[str, Array], Mask]:
        """Return the sums of each row, and the skipped elements."""
        shape = chosen.rows, chosen.length
        taken = {name: chosen.take(grid) for name, grid in (grids or {}).items()}
        if kernel is not None:
            closer = np.empty(chosen.size, np.bool_)
            operands = {**chosen.columns, **{f"grid {name}": own for name, own in taken.items()}}
            return kernel.rows(operands, [closer], *shape), closer
        columns = {name: chosen.spread(array) for name, array in chosen.columns.items()}
        spread = None if grids is None else {n: chosen.spread(own) for n, own in taken.items()}
        added, _, found = self._added(columns, replace(self.on, quick=True), spread)
        sums = {name: array.reshape(shape).sum(axis=1) for name, array in added.items()}
        return sums, np.zeros(shape, np.bool_).reshape(-1) if found is None else found

    def _kernel_of_sums(
        self, grids: Mapping[str, Array] | None = None
    ) -> tuple[Kernel | None, dict[str, tuple[float, float]]]:
        """Return the loop that computes sums, and the relative errors of its terms."""
        some = self._sample()
        quick = replace(self.on, quick=True)
        taken = None if grids is None else {name: some.take(own) for name, own in grids.items()}
        wanted, shares, _ = self._added(some.columns, quick, taken)
        try:
            trace = Trace()
            columns = self._symbols(trace)
            symbols: dict[str, Any] | None = None
            if grids is not None:
                grid = functools.partial(trace.input, dtype="float64", of_row=True)
                symbols = {name: grid(f"grid {name}") for name in grids}
            added, _, closer = self._added(columns, quick, symbols)
            for name, symbol in added.items():
                trace.total(name, "+", symbol)
            mask = ("bool", False if closer is None else closer)
            kernel = compile_trace(trace, [mask])
        except _UNTRACEABLE:
            return None, shares
        if kernel is None:
            return None, shares
        found, _ = self._row_sums(some, kernel, grids)
        # losses may differ by the last bits of an exponential in the term
        terms = wanted if grids is None else self._added(some.columns, quick)[0]
        last = {name: 1e-14 * terms.get(f"size {name.split()[-1]}", 0.0) for name in wanted}
        same = all(
            np.allclose(found[name], array, 1e-12, last[name], equal_nan=True)
            for name, array in wanted.items()
        )
        return kernel if same else None, shares

    def _sample(self) -> _Chosen:
        return self.chosen_at(np.arange(0, self.size, max(1, self.size // CHECKED)))

    def _symbols(self, trace: Trace) -> dict[str, Any]:
        """Return symbols for the inputs.

        Raises:
            TypeError: The call needs a wider type than loops compute in.
        """
        if self.on.real is not np.float64:
            raise TypeError("loops compute in float64")
        return {
            name: trace.input(name, array.dtype.name, of_row=self._is_of_rows(array))
            for name, array in self.columns.items()
        }

    # -- expectations ------------------------------------------------------------------------------

    def _kernels_of(self, variants: Sequence[Gathered]) -> Sequence[Kernel] | None:
        """Return the loops for the outputs, one for each set of inputs that may count as flushed.

        None without loops, or if they disagree with NumPy. A formula that branches on data for all
        elements at once is traced wrongly, so each call compares a sample of its elements.
        """
        kernels: list[Kernel] = []
        if not self.outputs:
            return None
        try:
            # outputs without sums are the same in all variants
            for known in variants if self._sums_matter else variants[:1]:
                kernel = self._traced(known, first=not kernels)
                if kernel is None:
                    return None
                kernels.append(kernel)
        except _UNTRACEABLE:
            return None
        some = self._sample()
        one, other = (self.expected(some, variants, made) for made in (kernels, None))
        return kernels if all(_are_equal(one[name], other[name]) for name in one) else None

    def _traced(self, known: Gathered, *, first: bool) -> Kernel | None:
        """Return the loop that fills all arrays, or the one that widens them.

        Several small loops are faster than a large one, which runs out of registers. Widening loops
        differ at most in constants, and share a library.
        """
        trace = Trace()
        columns = self._symbols(trace)
        symbols = _symbolic(trace, replace(self.on, quick=True), known)
        before = {
            name: Expected.traced(trace, _WIDENED, f"{name} ")
            for name in (() if first else self.outputs)
        }
        found, mask = self._quick(columns, symbols, before)
        self._usual = self._usual or (trace, found, mask)
        kinds = {name: array.dtype.name for name, array in Expected.blank((0,)).named.items()}
        outputs = [
            (kinds[part], getattr(own, part))
            for own in found.values()
            for part in (kinds if first else ("tolerance",))
        ]
        return compile_trace(trace, [*outputs, ("bool", False if mask is None else mask)])

    def expected(
        self,
        chosen: _Chosen,
        variants: Sequence[Gathered],
        kernels: Sequence[Kernel] | None,
        room: Mapping[str, Expected] | None = None,
    ) -> dict[str, Expected]:
        """Return the expectations of some elements, one-dimensional, of all outputs except sums.

        Args:
            variants: The totals of each variant.
            kernels: The compiled loops, if they pay off.
            room: One-dimensional arrays to fill, with at least as many elements.
        """
        room = room or {name: Expected.blank((chosen.size,), self.on.real) for name in self.outputs}
        filled = {name: own.part(slice(chosen.size)) for name, own in room.items()}
        known = [each.each(chosen.take) for each in variants]
        closer: Mask | None = None
        if kernels is None:
            columns = {name: chosen.spread(array) for name, array in chosen.columns.items()}
            found: dict[str, Expected] = {}
            for each in known:
                found, more = self._quick(columns, each.each(chosen.spread), found)
                closer = either_mask(closer, more)
            for name, own in found.items():
                filled[name].put(..., own)
                filled[name] = replace(filled[name], shared=own.shared)
        else:
            for kernel, each in zip(kernels, known, strict=self._sums_matter):
                more = _fill(filled, kernel, chosen, each, first=closer is None)
                closer = either_mask(closer, more)
        if closer is None or not closer.any():
            return filled
        others: dict[str, list[Alternatives]] = {name: [] for name in filled}
        for places, found in self._closer(chosen, np.broadcast_to(closer, (chosen.size,)), known):
            for name, own in found.items():
                filled[name].put(places, own)
                filled[name] = replace(filled[name], shared=own.shared)
                if own.alternatives is not None:
                    index = places[own.alternatives.index]
                    others[name].append(Alternatives(index, own.alternatives.expected))
        return {name: with_alternatives(own, others[name]) for name, own in filled.items()}

    def _closer(
        self, chosen: _Chosen, marked: Mask, known: Sequence[Gathered]
    ) -> Iterator[tuple[Index, dict[str, Expected]]]:
        """Yield indices of elements, :data:`BLOCK` at a time, with their expectations.

        They are evaluated in the full arithmetic, also with flushed inputs.
        """
        every = np.flatnonzero(marked)
        for start in range(0, len(every), BLOCK):
            places = every[start : start + BLOCK]
            pick = functools.partial(chosen.pick, places=places)
            columns = {name: pick(array) for name, array in chosen.columns.items()}
            single = [each.each(pick) for each in known]
            found = self._exact(columns, single[0])
            others: dict[str, list[Alternatives]] = {name: [] for name in found}
            for own, changed, each in self._flushed(chosen, places, columns, single):
                for name, other in self._exact(changed, each).items():
                    some = found[name].at(own)
                    others[name].append(differing(some, other, own))
                    found[name].tolerance[own] = some.tolerance
            yield places, {n: with_alternatives(own, others[n]) for n, own in found.items()}

    def loop(self, output: str, question: Question) -> Kernel | None:
        """Return the loop that evaluates an output and answers a question about it.

        None if there is none, or if several sets of inputs may count as flushed, because the loop
        would be too large; then expectations are computed first.
        """
        _, kernels = self.known()
        usual = self._usual
        if usual is None or kernels is None or len(kernels) > 1:
            return None
        with self._lock:
            key = output, question
            if key not in self._loops:
                self._loops[key] = _asking(output, question, *usual)
            return self._loops[key]

    def tallied(
        self, output: str, question: Question, loop: Kernel, arrays: Arrays, part: tuple[int, int]
    ) -> Tallied:
        """Return a question's answer for a range of elements that :meth:`chosen` takes.

        Args:
            loop: The result of :meth:`loop`.
            arrays: The arrays that the question reads.
        """
        with np.errstate(all="ignore"):
            chosen = self.chosen(*part)
            known = [each.each(chosen.take) for each in self.known()[0]]
            back = {name: np.ascontiguousarray(own[slice(*part)]) for name, own in arrays.items()}
            closer = np.empty(chosen.size, np.bool_)
            operands = {**chosen.columns, **_operands(known[0]), **back}
            rows = loop.rows(operands, [closer], chosen.rows, chosen.length)
            totals: Totals = loop.reduced(rows)
            for places, found in self._closer(chosen, closer, known):
                some = {name: array[places] for name, array in back.items()}
                totals = joined(question.rules, totals, found[output].tally(question, some))
        return Tallied(*part, totals)

    def _flushed(
        self, chosen: _Chosen, places: Index, columns: Inputs, known: Sequence[Gathered]
    ) -> Iterator[tuple[Index, Inputs, Gathered]]:
        """Yield the elements that differ if some inputs are flushed, with their evaluation."""
        del chosen
        if has_sums(self.module):
            for each in known[1:]:
                yield np.arange(len(places)), flushed(columns, each.flushed), each
            return
        found = {name: is_subnormal(array) for name, array in columns.items()}
        concerned = [name for name, mask in found.items() if mask.any()]
        for names in subsets(concerned) if self.on.flushes else ():
            own = np.flatnonzero(np.logical_and.reduce([found[name] for name in names]))
            if len(own):
                yield own, flushed({n: array[own] for n, array in columns.items()}, names), known[0]

    def expectations(self, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Expectation]:
        """Return the expectations of all outputs of a call with elements."""
        with np.errstate(all="ignore"):
            columns = self.chosen(0, 1).columns
            results = {} if has_sums(self.module) else self._results(columns, Gathered(), self.on)
        return {
            name: ElementsOfOutput(
                self, name, shapes[name], results[name].shared if name in results else 0.0
            )
            if name in self.outputs
            else SumsOfOutput(self, name, shapes[name])
            for name in self.contexts
        }

    def of_sums(self, name: str, variants: Sequence[Gathered]) -> Expected:
        """Return the expectation of an output that is a sum, or depends only on sums."""
        first = self.chosen_at(np.zeros(1, np.int64)).columns
        found = []
        for known in variants:
            formula = self.module.evaluate(flushed(first, known.flushed), self.values, self.on)
            terms, numbers = with_sums(formula, lambda _: known.sums)  # noqa: B023 - called at once
            gather = _answering(known.conditions.get(name))
            found.append(self.contexts[name].whole(Result(numbers[name], terms.scope, gather)))
        own, *others = found
        return with_alternatives(own, [differing(own, other) for other in others])


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
        first[_APART] = np.zeros(1, np.bool_)
        super().__init__(module, contexts, values, on, first)
        self.inputs, self.shape = inputs, module.shape(inputs, values)
        self.size, self.length = math.prod(self.shape), math.prod(self.shape[-2:])
        self.has_choices = hasattr(module, "choices")

    def chosen(self, start: int, stop: int) -> _Chosen:
        """Return the elements of a range, which is a part of a plane or several whole planes."""
        part, values, offset = self.module.part(self.inputs, self.values, start, stop)
        own = slice(offset, offset + stop - start)

        def columns(inputs: Inputs) -> Iterator[dict[str, Array]]:
            of_each = self.module.choices if self.has_choices else _only(self.module.align)
            for aligned in of_each(inputs, values):
                rows = {name: array.reshape(-1)[own] for name, array in aligned.items()}
                yield {name: np.ascontiguousarray(array) for name, array in rows.items()}

        with np.errstate(all="ignore"):
            names = [n for n, a in part.items() if self.on.flushes and is_subnormal(a).any()]
            ways = [part, *(flushed(part, some) for some in each_and_all(names))]
            found, *rest = itertools.chain.from_iterable(map(columns, ways))
            others = []
            for other in rest:
                differ = [~_are_same(found[name], other[name]) for name in found]
                others.append((other, np.logical_or.reduce(differ)))
            apart = np.zeros(stop - start, np.bool_)
            found[_APART] = np.logical_or.reduce([apart, *(differ for _, differ in others)])
        return _Chosen(1, stop - start, np.asarray, found, others)

    def chosen_at(self, index: Index) -> _Chosen:
        """Return consecutive elements from the first index, as many as there are indices."""
        return self.chosen(0, min(len(index), self.length))

    def expected_at(self, index: Index) -> dict[str, Expected]:
        """Return the expectations of the elements at flat, ascending indices."""
        filled = {name: Expected.blank((len(index),), self.on.real) for name in self.outputs}
        others: dict[str, list[Alternatives]] = {name: [] for name in filled}
        for start, stop in self.spans(self.span):
            first, last = np.searchsorted(index, (start, stop))
            if first == last:
                continue
            own = index[first:last]
            chosen = self.chosen(int(own[0]), int(own[-1]) + 1)
            for name, found in self.expected(chosen, *self.known()).items():
                some = found.at(own - own[0])
                filled[name].put(slice(first, last), some)
                if some.alternatives is not None:
                    index_of = some.alternatives.index + first
                    others[name].append(Alternatives(index_of, some.alternatives.expected))
        return {name: with_alternatives(own, others[name]) for name, own in filled.items()}

    @property
    def span(self) -> int:
        """Elements per span; fewer, because windows are arrays in memory."""
        return SPAN // 4

    counted = span

    def _is_of_rows(self, array: Array) -> bool:
        """Return false: each element has its own columns."""
        del array
        return False

    def _subnormal(self, columns: Inputs) -> Mask | None:
        """Return the elements that differ if inputs are flushed, which is known already."""
        return columns[_APART] if self.on.flushes or self.has_choices else None

    def _flushed(
        self, chosen: _Chosen, places: Index, columns: Inputs, known: Sequence[Gathered]
    ) -> Iterator[tuple[Index, Inputs, Gathered]]:
        """Yield the elements that differ if some inputs are flushed, with their evaluation."""
        del columns
        for other, differ in chosen.flushed:
            own = np.flatnonzero(differ[places])
            yield own, {name: array[places[own]] for name, array in other.items()}, known[0]


def _only(align: Callable[..., Inputs]) -> Callable[..., Iterator[Inputs]]:
    """Return a function that yields what ``align`` returns, for elements with one right result."""
    return lambda *call: iter([align(*call)])


def _are_same(one: Array, other: Array) -> Mask:
    """Return where two arrays are equal or both NaN."""
    if one.dtype.kind in "ub":
        return np.asarray(one == other)
    return np.asarray((one == other) | (np.isnan(one) & np.isnan(other)))


@dataclass(frozen=True)
class _Totals:
    """Sums over all elements, by name."""

    sums: Mapping[str, Total]
    conditions: Mapping[str, Index]

    def add(
        self, places: Mapping[str, Index], terms: Mapping[str, Any], conditions: Mapping[str, Any]
    ) -> None:
        """Add terms, each to the sum at its index."""
        for name, own in self.sums.items():
            own.add(places[name], terms[name][0])
        for name, counts in self.conditions.items():
            np.add.at(counts, places[name], conditions[name])

    def add_sums(
        self,
        places: Mapping[str, Index],
        sums: Mapping[str, Array],
        shares: Mapping[str, tuple[float, float]],
    ) -> None:
        """Add sums of terms, each to the sum at its index."""
        for name, own in self.sums.items():
            value, size = sums[f"value {name}"], sums[f"size {name}"]
            error, spread = (
                sums.get(f"{part} {name}", 0.0) + share * size
                for part, share in zip(("error", "spread"), shares[name], strict=True)
            )
            own.add_sums(places[name], value, size, error, spread)
        for name, counts in self.conditions.items():
            np.add.at(counts, places[name], sums[name].astype(np.int64))


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
            return self._of(self.call.chosen(start, stop))
        return self.at(np.arange(start, stop))

    def at(self, index: Index) -> Expected:
        """Return the elements at flat, ascending indices."""
        with np.errstate(all="ignore"):
            return self.call.expected_at(index)[self.output]

    def blocks(self, threads: int = 1) -> Iterator[tuple[int, Expected]]:
        """Yield all elements in order, :data:`BLOCK` at a time, each with its first index.

        A block is valid until the next one is requested. Threads work ahead.
        """
        for start, span in self._spans(threads):
            for first in range(0, len(span.value), BLOCK):
                yield start + first, span.part(slice(first, first + BLOCK))

    def tallies(self, question: Question, arrays: Arrays, threads: int = 1) -> Iterator[Tallied]:
        """Yield a question's answers for all elements, by span, in order."""
        self.call.known(threads)
        loop = self.call.loop(self.output, question)
        if loop is None:
            for start, block in self.blocks(threads):
                stop = start + len(block.value)
                own = {name: array[start:stop] for name, array in arrays.items()}
                yield Tallied(start, stop, block.tally_large(question, own))
            return
        work = functools.partial(self.call.tallied, self.output, question, loop, arrays)
        yield from ahead(work, list(self.call.spans(self.call.counted)), threads)

    def _spans(self, threads: int) -> Iterator[tuple[int, Expected]]:
        parts = list(self.call.spans(self.call.span))
        size = max((stop - start for start, stop in parts), default=0)
        rooms = [
            {name: Expected.blank((size,), self.call.on.real) for name in self.call.outputs}
            for _ in range(threads + 1)
        ]
        self.call.known(threads)

        def span(number: int) -> tuple[int, Expected]:
            chosen = self.call.chosen(*parts[number])
            return parts[number][0], self._of(chosen, rooms[number % len(rooms)])

        # spans ahead use other buffers than the span that was yielded last
        yield from ahead(span, range(len(parts)), threads)

    def whole(self) -> Expected:
        """Return all elements in the output's shape, about 36 bytes each."""
        whole, others = Expected.blank(self.shape, self.call.on.real), []
        into = whole.flat()
        for start, span in self._spans(1):
            into.put(slice(start, start + len(span.value)), span)
            if span.alternatives is not None:
                own = span.alternatives
                others.append(Alternatives(own.index + start, own.expected))
        return replace(with_alternatives(whole, others), shared=self.shared)

    def _of(self, chosen: _Chosen, room: Mapping[str, Expected] | None = None) -> Expected:
        with np.errstate(all="ignore"):
            return self.call.expected(chosen, *self.call.known(), room)[self.output]


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
        self.call.known(threads)
        return self.whole().blocks()

    def tallies(self, question: Question, arrays: Arrays, threads: int = 1) -> Iterator[Tallied]:
        """Yield a question's answers for all sums, :data:`BLOCK` at a time."""
        self.call.known(threads)
        return self.whole().tallies(question, arrays)

    def whole(self) -> Expected:
        """Return all sums in the output's shape."""
        return self._whole

    @functools.cached_property
    def _whole(self) -> Expected:
        variants, _ = self.call.known()
        with np.errstate(all="ignore"):
            return self.call.of_sums(self.output, variants).shaped(self.shape)


def ahead(work: Callable[[Item], Found], items: Sequence[Item], threads: int) -> Iterator[Found]:
    """Yield the results of work items in order; threads work ahead, one item each."""
    with ThreadPoolExecutor(threads) as pool:
        begun = deque(pool.submit(work, item) for item in items[:threads])
        for place in range(len(items)):
            found = begun.popleft().result()
            if place + threads < len(items):
                begun.append(pool.submit(work, items[place + threads]))
            yield found


def _needs_sums(formula: Sums) -> bool:
    """Whether a formula needs the sums of its terms."""
    try:
        formula.send({})
    except StopIteration:
        return False
    except KeyError:
        return True
    raise TypeError("a formula yields its terms once")


def _asking(
    output: str,
    question: Question,
    trace: Trace,
    found: Mapping[str, Expected],
    closer: Mask | None,
) -> Kernel | None:
    """Return the loop that answers a question about a traced output."""
    with np.errstate(all="ignore"), trace.beside():
        try:
            trace_tally(trace, question, found[output], closer)
        except _UNTRACEABLE:
            return None
        return compile_trace(trace, [("bool", False if closer is None else closer)])


def _answering(conditions: Sequence[Any] | None) -> Callable[[Any, np.ufunc], Any] | None:
    """Return a function that returns gathered conditions in the clauses' order."""
    if conditions is None:
        return None
    answers = iter(conditions)
    return lambda condition, rule: next(answers)  # noqa: ARG005 - they are known


def _fill(
    filled: dict[str, Expected], kernel: Kernel, chosen: _Chosen, known: Gathered, *, first: bool
) -> Mask:
    """Fill or widen arrays with a loop; return the elements that need exact evaluation."""
    closer = np.empty(chosen.size, np.bool_)
    operands = {**chosen.columns, **_operands(known)}
    if first:
        arrays = [array for own in filled.values() for array in own.arrays]
    else:
        for name, own in filled.items():
            operands |= {f"{name} {part}": getattr(own, part) for part in _WIDENED}
            filled[name] = replace(own, tolerance=np.empty(chosen.size))
        arrays = [own.tolerance for own in filled.values()]
    kernel.rows(operands, [*arrays, closer], chosen.rows, chosen.length)
    return closer


def _operands(known: Gathered) -> dict[str, Array]:
    """Return the totals that a loop reads, by name."""
    found: dict[str, Array] = {}
    for name, number in known.sums.items():
        for part in _PARTS:
            own: Any = getattr(number, part)
            if part == "value" or not isinstance(own, float):
                found[f"{part} {name}"] = np.asarray(own, np.float64)
        if number.extremes is not None:
            found[f"unusual {name}"] = number.extremes != 0
    for output, conditions in known.conditions.items():
        for place, condition in enumerate(conditions):
            found[f"{output} {place}"] = condition
    return found


def _symbolic(trace: Trace, quick: Arithmetic, known: Gathered) -> Gathered:
    symbols: dict[str, Any] = {
        name: trace.input(name, array.dtype.name, of_row=True)
        for name, array in _operands(known).items()
    }
    sums = {}
    for name, number in known.sums.items():
        parts = {part: symbols.get(f"{part} {name}", getattr(number, part)) for part in _PARTS}
        unusual = symbols.get(f"unusual {name}")
        sums[name] = replace(number, on=quick, extremes=None, unusual=unusual, **parts)
    conditions = {
        output: [symbols[f"{output} {place}"] for place in range(len(own))]
        for output, own in known.conditions.items()
    }
    return Gathered(known.flushed, sums, conditions)


def _are_equal(one: Expected, other: Expected) -> bool:
    """Whether two expectations are equal, except for the last bits of an exponential.

    If an error is the difference of two readings, these may be many of its own ulps.
    """
    numbers = {"value": 1e-12, "own": 1e-10, "tolerance": 1e-10}
    exact = ("allowed", "reached", "contested", "undecided", "formula")
    last = 1e-14 * np.where(np.isfinite(one.value), np.abs(one.value), 0.0)
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in exact) and all(
        np.allclose(getattr(one, name), getattr(other, name), share, last, equal_nan=True)
        for name, share in numbers.items()
    )
