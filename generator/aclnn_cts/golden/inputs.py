# SPDX-License-Identifier: Apache-2.0
"""The inputs of a case, and seeds with which the case can fail.

Of a few elements, all results may by chance be plain zeros, or smaller than the error of a correct
device: such a case could not fail. So the data of cases with few elements are redrawn with other
seeds until the case can be trusted. If no draw helps, small data replace the planned kinds (a sum
may always overflow), then ordinary data (integers of a planned kind may always give 0).

Of many elements some nearly always show errors. All vanish in a type of few exponents where their
data share a mean (the slope of a loss falls off exponentially), or where each is a share of a mean
over many elements. Some elements with the same data show this; then the data are redrawn, or large
data replace the planned kind of one tensor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy.typing as npt

from aclnn_cts.golden.data_kinds import DERIVED, LARGE, SHARING, SMALL, fill_inputs
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.golden.expected import Expectation, Expected
from aclnn_cts.golden.formula_modules import formula_module
from aclnn_cts.golden.losses import is_by_place
from aclnn_cts.golden.outcomes import ANY
from aclnn_cts.golden.resolution import Resolution, distrust, resolve
from aclnn_cts.plan.calls import Call
from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.names import PLACE_FILLS

FEW = 64
"""Maximum number of elements of all outputs for redrawing data."""

SOME_TRUTHS = 1 << 10
"""The same of conditions and bits, of which many elements may be 0 or equal."""

DRAWS = 64
"""Draws of each kind of data, the first one included."""

LEAST_NORMAL = 2.0**-20
"""Results of ordinary data do not vanish in a type with smaller normal numbers."""

MANY = 1 << 12
"""Elements of a mean whose shares may vanish."""

SOME = 256
"""Elements that stand for many when these may vanish."""

REDRAWS = 8
"""Draws of many elements; about half of all random moments will do."""


@dataclass(frozen=True)
class Draw:
    """A case with settled seeds; inputs and expectation are made on demand.

    Attributes:
        case: The case.
    """

    specs: SpecSet
    case: Case

    @cached_property
    def inputs(self) -> dict[str, npt.NDArray[Any]]:
        """The data of all inputs, see :func:`fill_inputs`."""
        return fill_inputs(self.specs.operator(self.case.operator), self.case)

    @cached_property
    def expectations(self) -> dict[str, Expectation]:
        """The expectation of these inputs."""
        return expect_case(self.specs, self.case, self.inputs)

    @property
    def is_trusted(self) -> bool:
        """Whether it can fail, or its documents contradict themselves on all elements."""
        return self.distrust_reason is None

    @cached_property
    def resolutions(self) -> dict[str, Resolution]:
        """The resolution of the judgement of each output."""
        return {
            name: resolve(each, self.case.tensor(name).data_type.grid)
            for name, each in self.expectations.items()
        }

    @property
    def distrust_reason(self) -> str | None:
        """Why it cannot fail; None if it is trusted."""
        spec = self.specs.operator(self.case.operator)
        shapes = {name: each.shape for name, each in self.expectations.items()}
        fixed = Call.of(spec, self.case).is_fixed
        reason = distrust(
            shapes,
            self.resolutions,
            fixed=fixed,
            of_truths=spec.is_condition,
            arranged=spec.arrangement is not None,
        )
        if reason is None:
            return None
        return (
            None if _is_contested(each.whole() for each in self.expectations.values()) else reason
        )


def make_inputs(specs: SpecSet, case: Case) -> dict[str, npt.NDArray[Any]]:
    """Return the data of all inputs of a planned case."""
    return settle(specs, case).inputs


def settle(specs: SpecSet, case: Case) -> Draw:
    """Return the case with settled seeds; the planned ones if they work."""
    planned, spec = Draw(specs, case), specs.operator(case.operator)
    elements = sum(tensor.numel for tensor in case.outputs)
    if not case.expects_success or not elements:
        return planned
    if elements > (SOME_TRUTHS if spec.is_exact else FEW):
        return _settle_by_some(planned) if may_vanish(spec, case) else planned
    redrawn = (_redrawn(case, number) for number in range(1, DRAWS))
    others = (Draw(specs, other) for other in chain(redrawn, _plainer(spec, case)))
    return next((draw for draw in chain([planned], others) if draw.is_trusted), planned)


def may_vanish(spec: OperatorSpec, case: Case) -> bool:
    """Whether all of many elements may be too small for their type.

    A sample of elements suffices only if each is computed from those at its own place.
    """
    narrow = all(
        floating is not None and floating.smallest_normal > LEAST_NORMAL
        for floating in (each.data_type.floating for each in case.outputs)
    )
    size = max(each.numel for each in case.tensors)
    shared = any(each.fill and each.fill.kind in SHARING for each in case.inputs)
    return (
        narrow
        and (shared or size > MANY)
        and is_by_place(formula_module(spec.formula_source))
        and all(each.numel in (1, size) for each in case.tensors)
    )


def _settle_by_some(planned: Draw) -> Draw:
    """Return a case of many elements with data of which some elements can fail."""
    specs, case = planned.specs, planned.case
    levels = specs.operator(case.operator).factors.fill
    redrawn = (_redrawn(case, number) for number in range(1, REDRAWS))
    larger = (
        _of_kinds(case, {name: kinds}, LARGE) for name, kinds in levels.items() if LARGE in kinds
    )
    candidates = chain([case], redrawn, larger)
    trusted = (each for each in candidates if Draw(specs, _some_of(each)).is_trusted)
    return Draw(specs, next(trusted, case))


def _some_of(case: Case) -> Case:
    """Return a call of some elements with the data of a call of many."""

    def cut(tensor: TensorCase) -> TensorCase:
        count = min(tensor.numel, SOME)
        return replace(tensor, shape=tensor.shape and (count,), strides=tensor.shape and (1,))

    return replace(case, tensors=tuple(map(cut, case.tensors)))


def _redrawn(case: Case, number: int) -> Case:
    """Return the case with other seeds."""

    def redrawn(tensor: TensorCase) -> TensorCase:
        if tensor.fill is None:
            return tensor
        return replace(tensor, fill=replace(tensor.fill, seed=f"{tensor.fill.seed}:{number}"))

    return replace(case, tensors=tuple(map(redrawn, case.tensors)))


def _plainer(spec: OperatorSpec, case: Case) -> Iterator[Case]:
    """Yield the case with small, then with ordinary data in place of the kinds that vary."""
    levels = spec.factors.fill
    small, ordinary = _of_kinds(case, levels, SMALL), _of_kinds(case, levels)
    if small != case:
        yield small
    if ordinary != case:
        yield from (_redrawn(ordinary, number) for number in range(1, DRAWS))


def _of_kinds(case: Case, levels: Mapping[str, Sequence[str]], kind: str = "") -> Case:
    """Return the case with another kind of data, or the first level, for those that vary."""
    tensors = []
    for tensor in case.tensors:
        fill, kinds = tensor.fill, levels.get(case.elements_of(tensor).parameter, [])
        if fill is not None and fill.kind in {*kinds} - {DERIVED, *PLACE_FILLS}:
            fill = replace(fill, kind=kind or kinds[0])
        tensors.append(replace(tensor, fill=fill))
    return replace(case, tensors=tuple(tensors))


def _is_contested(outputs: Iterable[Expected]) -> bool:
    """Whether clauses contradict each other on all elements with a promise."""
    promised = [each.contested[each.allowed != ANY] for each in outputs]
    return any(each.size for each in promised) and all(each.all() for each in promised)
