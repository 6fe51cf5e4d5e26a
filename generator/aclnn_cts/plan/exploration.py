# SPDX-License-Identifier: Apache-2.0
"""Exploration: random valid calls from the factors of the plans, those first that were least tried.

A plan has few extents, numbers and layouts, and always the same; exploration draws any. What it
draws are calls of a call list, so that a finding can be repeated by anybody.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.binding import UnboundError
from aclnn_cts.plan.call_list import LISTED, ListedCall, ListedTensor, ListedView, case_of_call
from aclnn_cts.plan.case_builder import build_case
from aclnn_cts.plan.cases import BELL, BETWEEN, Case, Fill, Intent, TensorCase
from aclnn_cts.plan.extents import Space
from aclnn_cts.plan.factors import dtype_choices, factors_of
from aclnn_cts.plan.layouts import contiguous, is_contiguous
from aclnn_cts.plan.validity import valid_call
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec, Product

_CANDIDATES = 4
"""Valid calls among which the one of the least tried levels is taken."""

_TRIES = 100
"""Draws in search of the candidates."""

_MOST_ELEMENTS = 2**21
_MOST_BITS = 16
"""Of an input at most this power of two, so that a call takes milliseconds."""

_MODEL_EXTENTS = (64, 80, 96, 128, 197, 768, 1024, 2048, 4096, 5120, 7168, 11008, 14336, 32000)

_ANYWHERE = ("whole-range", "specials", "octaves", BETWEEN)
"""Kinds of data of elementwise operators, beside those that their specs name."""


class Explorer:
    """Draws calls of one operator; equal seeds draw equal calls."""

    def __init__(self, specs: SpecSet, spec: OperatorSpec, product: Product, seed: int) -> None:
        self.spec = spec
        self._specs = specs
        self._product = product
        self._random = random.Random(f"{seed}/{spec.operator}")  # noqa: S311
        self._factors = factors_of(spec, product, "full")
        self._space = Space(spec, product.id, self._factors)
        self._dtypes = list(dtype_choices(self._factors))
        self._tried: Counter[tuple[Any, ...]] = Counter()
        self._count = 0

    def draw(self) -> ListedCall | None:
        """Return a call; None if none was valid."""
        candidates = list(itertools.islice(self._calls(), _CANDIDATES))
        if not candidates:
            return None
        call, case = max(candidates, key=lambda each: self._novelty(each[1]))
        self._tried.update(_levels(case))
        self._count += 1
        return call.model_copy(update={"name": f"explored-{self._count}"})

    def _novelty(self, case: Case) -> float:
        return sum(1 / (1 + self._tried[each]) for each in _levels(case))

    def _calls(self) -> Iterator[tuple[ListedCall, Case]]:
        """Yield valid calls and their cases."""
        for _ in range(_TRIES):
            facts = {**self._space.base, **self._facts()}
            call = valid_call(self.spec, self._product.id, facts, _MOST_ELEMENTS)
            if call is None:
                continue
            try:
                listed = listed_call(self.spec, build_case(call, Intent(LISTED, "smoke")))
                yield listed, case_of_call(self._specs, self._product, listed)
            except (UnboundError, ExpressionError, WrongInputError):
                continue  # a list cannot state it, or a scene's permission is needed

    def _facts(self) -> dict[str, Any]:
        facts = dict(self._random.choice(self._dtypes))
        for name, levels in self._factors.items():
            kind = name.partition(":")[0]
            is_free_shape = name in self._space.free or kind == "dim"
            if is_free_shape or (name in facts and self._random.random() < 0.75):
                continue
            if self._random.random() < 0.5:
                facts[name] = self._level(name, levels)
        return facts | self._extents() | self._bounds()

    def _level(self, name: str, levels: Sequence[Any]) -> Any:
        level = self._random.choice(levels)
        if isinstance(level, float) and math.isfinite(level) and self._random.random() < 0.5:
            numbers = [each for each in levels if isinstance(each, int | float)]
            finite = [each for each in numbers if math.isfinite(each)]
            return float(np.float32(self._random.uniform(min(finite), max(finite))))
        if name.startswith("shape:") and isinstance(level, tuple):
            return self._shape(len(level))
        return level

    def _shape(self, rank: int) -> tuple[int, ...]:
        budget = 2 ** self._random.randint(2, _MOST_BITS)
        shape = [self._extent() for _ in range(rank)]
        while math.prod(shape) > budget:
            at = self._random.randrange(rank)
            shape[at] = max(1, shape[at] // 2)
        return tuple(shape)

    def _extent(self) -> int:
        """Return one that is small, beside a power of two or a block, any, or that of a model."""
        pick = self._random.randrange(5)
        if pick == 0:
            return self._random.randint(1, 20)
        if pick == 1:
            return max(1, (1 << self._random.randint(1, 14)) + self._random.randint(-3, 3))
        if pick == 2:
            return max(1, 16 * self._random.randint(1, 40) + self._random.randint(-1, 1))
        if pick == 3:
            return round(math.exp2(self._random.uniform(0, 15)))
        return self._random.choice(_MODEL_EXTENTS)

    def _extents(self) -> dict[str, Any]:
        """Return facts that give each axis a random extent, or now and then none."""
        if self._random.random() < 0.1:
            return {}
        axes = self._space.axes(self._random.randint(*self._space.ranks))
        return self._space.facts(axes, self._shape(len(axes)))

    def _bounds(self) -> dict[str, Any]:
        """Return facts that give inputs of elementwise operators data of any range."""
        facts: dict[str, Any] = {}
        for name, kinds in self.spec.factors.fill.items():
            if "special" not in kinds or "elementwise" not in self.spec.traits:
                continue
            kind = self._random.choice((None, *_ANYWHERE))
            if kind == BETWEEN:
                low = self._random.choice((-1, 1)) * 2 ** self._random.uniform(-14, 15)
                high = low * (1 + 2 ** self._random.uniform(-7, 1))
                facts[f"data:{name}"] = Fill(BETWEEN, (min(low, high), max(low, high)))
            elif kind is not None:
                facts[f"fill:{name}"] = kind
        return facts


def _levels(case: Case) -> list[tuple[Any, ...]]:
    """Return what a call has that others may lack: its properties, and all pairs of them."""
    single: list[tuple[Any, ...]] = [(name, value) for name, value in case.attributes.items()]
    for tensor in case.tensors:
        kind = tensor.fill.kind if tensor.fill else tensor.source
        single += [
            (tensor.parameter, "dtype", tensor.dtype),
            (tensor.parameter, "data", kind),
            (tensor.parameter, "strides", is_contiguous(tensor.shape, tensor.strides)),
            (tensor.parameter, "rank", len(tensor.shape)),
            (tensor.parameter, "size", tensor.numel.bit_length()),
            (tensor.parameter, "tail", tensor.shape[-1] % 32 if tensor.shape else 0),
        ]
    return [*single, *itertools.combinations(single, 2)]


def listed_call(spec: OperatorSpec, case: Case, name: str = "call") -> ListedCall:
    """Return the entry of a call list that makes a case's call."""
    tensors: dict[str, Any] = {}
    outputs: dict[str, ListedView] = {}
    dtypes = {
        name: dtype for name, dtype in case.scalars.items() if case.attributes[name] is not None
    }
    for tensor in case.tensors:
        parameter = spec.tensor(tensor.parameter)
        if not parameter.is_input:
            if parameter.dtype is None:
                dtypes[parameter.name] = tensor.dtype
            if (view := _view_of(tensor)) is not None and parameter.length is None:
                outputs[parameter.name] = view
        elif tensor.source == "data" and tensor.fill is not None and tensor.fill.kind != "derived":
            entry = _listed_tensor(tensor, tensor.fill)
            if parameter.length is None:
                tensors[parameter.name] = entry
            else:
                tensors.setdefault(parameter.name, []).append(entry)
    attributes = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in case.attributes.items()
        if value is not None
    }
    return ListedCall(
        name=name,
        operator=spec.operator,
        tensors=tensors,
        attributes=attributes,
        dtypes=dtypes,
        outputs=outputs,
    )


def _listed_tensor(tensor: TensorCase, fill: Fill) -> ListedTensor:
    data: Any = fill.kind
    if fill.kind == BETWEEN:
        data = fill.thresholds
    elif fill.kind == BELL:
        data = {"mean": fill.thresholds[0], "deviation": fill.thresholds[1]}
    return ListedTensor(
        dtype=tensor.dtype,
        shape=tensor.shape,
        data=data,
        format=tensor.format,
        view=_view_of(tensor),
        memory_of=tensor.shares,
    )


def _view_of(tensor: TensorCase) -> ListedView | None:
    usual = contiguous(tensor.shape)
    if (tensor.strides, tensor.offset, tensor.storage) == (usual.strides, 0, usual.storage):
        return None
    return ListedView(strides=tensor.strides, offset=tensor.offset, storage=tensor.storage)
