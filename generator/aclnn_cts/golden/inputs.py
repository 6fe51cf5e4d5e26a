# SPDX-License-Identifier: Apache-2.0
"""The inputs of a case, and seeds with which the case can fail.

Of many elements some always show errors. Of a few, all results may by chance be plain zeros, or
smaller than the error of a correct device: such a case could not fail. So the data of cases with
few elements are redrawn with other seeds until the case can be trusted. If no draw helps, small
data replace the planned kinds (a sum may always overflow), then ordinary data (integers of a
planned kind may always give 0).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.data_kinds import SMALL, fill_inputs
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.golden.expected import Expectation, Expected, Outcome
from aclnn_cts.golden.resolution import Resolution, distrust, resolve
from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.plan.requirements import binding_of, is_fixed
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

FEW = 64
"""Maximum number of elements of all outputs for redrawing data."""

DRAWS = 64
"""Draws of each kind of data, the first one included."""


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
    def expected(self) -> dict[str, Expectation]:
        """The expectation of these inputs."""
        return expect_case(self.specs, self.case, self.inputs)

    @property
    def is_trusted(self) -> bool:
        """Whether it can fail, or its documents contradict themselves on all elements."""
        return self.distrusted is None

    @cached_property
    def resolutions(self) -> dict[str, Resolution]:
        """The resolution of the judgement of each output."""
        return {
            name: resolve(each, self.case.tensor(name).data_type.grid)
            for name, each in self.expected.items()
        }

    @property
    def distrusted(self) -> str | None:
        """Why it cannot fail; None if it is trusted."""
        spec = self.specs.operator(self.case.operator)
        shapes = {name: each.shape for name, each in self.expected.items()}
        fixed = is_fixed(spec, binding_of(self.case))
        reason = distrust(shapes, self.resolutions, fixed=fixed)
        if reason is None:
            return None
        return None if _is_contested(each.whole() for each in self.expected.values()) else reason


def make_inputs(specs: SpecSet, case: Case) -> dict[str, npt.NDArray[Any]]:
    """Return the data of all inputs of a planned case."""
    return settled(specs, case).inputs


def settled(specs: SpecSet, case: Case) -> Draw:
    """Return the case with settled seeds; the planned ones if they work."""
    planned = Draw(specs, case)
    elements = sum(tensor.numel for tensor in case.outputs)
    if not case.expects_success or not 0 < elements <= FEW:
        return planned
    redrawn = (_redrawn(case, number) for number in range(1, DRAWS))
    plainer = _plainer(specs.operator(case.operator), case)
    others = (Draw(specs, other) for other in chain(redrawn, plainer))
    return next((draw for draw in chain([planned], others) if draw.is_trusted), planned)


def _redrawn(case: Case, number: int) -> Case:
    """Return the case with other seeds."""

    def redrawn(tensor: TensorCase) -> TensorCase:
        if tensor.fill is None:
            return tensor
        return replace(tensor, fill=replace(tensor.fill, seed=f"{tensor.fill.seed}:{number}"))

    return replace(case, tensors=tuple(map(redrawn, case.tensors)))


def _plainer(spec: OperatorSpec, case: Case) -> Iterator[Case]:
    """Yield the case with small, then with ordinary data in place of the kinds that vary."""

    def replaced(kind_of: Callable[[Sequence[str]], str]) -> Case:
        tensors = []
        for tensor in case.tensors:
            fill, levels = tensor.fill, spec.factors.fill.get(tensor.name, [])
            if fill is not None and fill.kind in {*levels} - {"derived"}:
                fill = replace(fill, kind=kind_of(levels))
            tensors.append(replace(tensor, fill=fill))
        return replace(case, tensors=tuple(tensors))

    small, ordinary = replaced(lambda _: SMALL), replaced(lambda levels: levels[0])
    if small != case:
        yield small
    if ordinary != case:
        yield from (_redrawn(ordinary, number) for number in range(1, DRAWS))


def _is_contested(outputs: Iterable[Expected]) -> bool:
    """Whether clauses contradict each other on all elements with a promise."""
    promised = [each.contested[each.allowed != np.uint8(Outcome.ANY)] for each in outputs]
    return any(each.size for each in promised) and all(each.all() for each in promised)
