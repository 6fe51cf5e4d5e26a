# SPDX-License-Identifier: Apache-2.0
"""Expectations of lists of tensors against PyTorch's functions of lists, in float64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]

from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.golden.expected import Outcome
from aclnn_cts.golden.inputs import make_inputs
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.loading import SpecSet

Planned = Callable[..., tuple[Case, ...]]

FUNCTIONS: dict[str, Callable[..., list[torch.Tensor]]] = {
    **{
        f"aclnnForeach{name.capitalize()}": getattr(torch, f"_foreach_{name}")
        for name in (
            *("abs", "acos", "asin", "atan", "cos", "cosh", "erf", "erfc", "log", "log10", "log1p"),
            *("log2", "reciprocal", "sigmoid", "sin", "sinh", "sqrt", "tan", "tanh"),
        )
    },
    "aclnnForeachACosInplace": torch._foreach_acos,
    "aclnnForeachLogInplace": torch._foreach_log,
    **{
        f"aclnnForeach{name}": lambda x, y, alpha: torch._foreach_add(x, y, alpha=float(alpha))
        for name in ("AddList", "AddListInplace")
    },
    **{
        f"aclnnForeach{name}": lambda x, y, alpha: torch._foreach_sub(x, y, alpha=float(alpha))
        for name in ("SubList", "SubListInplace")
    },
    "aclnnForeachAddScalar": lambda x, scalar: torch._foreach_add(x, float(scalar)),
    "aclnnForeachAddcdivScalar": lambda *x: torch._foreach_addcdiv(*x[:3], float(x[3])),
    "aclnnForeachAddcmulScalar": lambda *x: torch._foreach_addcmul(*x[:3], float(x[3])),
    "aclnnForeachDivScalar": lambda x, scalar: torch._foreach_div(x, float(scalar)),
    "aclnnForeachMaximumScalar": lambda x, scalar: torch._foreach_clamp_min(x, float(scalar)),
    "aclnnForeachMinimumScalar": lambda x, scalar: torch._foreach_clamp_max(x, float(scalar)),
    "aclnnForeachMulScalar": lambda x, scalar: torch._foreach_mul(x, float(scalar)),
    "aclnnForeachMulScalarInplace": lambda x, scalar: torch._foreach_mul(x, float(scalar)),
    "aclnnForeachSubScalar": lambda x, scalar: torch._foreach_sub(x, float(scalar)),
    "aclnnForeachSubScalarInplace": lambda x, scalar: torch._foreach_sub(x, float(scalar)),
    "aclnnForeachAddListV2": lambda x, y, alpha: torch._foreach_add(x, y, alpha=alpha),
    "aclnnForeachAddScalarV2": torch._foreach_add,
    "aclnnForeachAddcdivScalarV2": torch._foreach_addcdiv,
    "aclnnForeachAddcmulScalarV2": torch._foreach_addcmul,
    "aclnnForeachAddScalarList": torch._foreach_add,
    "aclnnForeachSubScalarList": torch._foreach_sub,
    "aclnnForeachMulScalarList": torch._foreach_mul,
    "aclnnForeachDivScalarList": torch._foreach_div,
    "aclnnForeachMaximumScalarList": torch._foreach_clamp_min,
    "aclnnForeachMinimumScalarList": torch._foreach_clamp_max,
    "aclnnForeachDivList": torch._foreach_div,
    "aclnnForeachDivListInplace": torch._foreach_div,
    "aclnnForeachDivScalarV2": torch._foreach_div,
    "aclnnForeachLerpList": torch._foreach_lerp,
    "aclnnForeachLerpScalar": torch._foreach_lerp,
    "aclnnForeachMaximumScalarV2": torch._foreach_clamp_min,
    "aclnnForeachMinimumScalarV2": torch._foreach_clamp_max,
    "aclnnForeachSubListV2": lambda x, y, alpha: torch._foreach_sub(x, y, alpha=alpha),
    "aclnnForeachMaximumList": torch._foreach_maximum,
    "aclnnForeachMinimumList": torch._foreach_minimum,
    "aclnnForeachMulList": torch._foreach_mul,
    "aclnnForeachMulListInplace": torch._foreach_mul,
    "aclnnForeachMulScalarV2": torch._foreach_mul,
    "aclnnForeachSubScalarV2": torch._foreach_sub,
}
"""By operator; each takes the operator's inputs in the order of the prototype, then scalars."""

SCENES = ("base", "lists", "wide", "magnitudes", "cover")


def doubles(array: npt.NDArray[Any]) -> torch.Tensor:
    return torch.tensor(array.astype(np.float64))


@pytest.mark.parametrize("operator", FUNCTIONS)
def test_lists(specs: SpecSet, planned: Planned, operator: str) -> None:
    """Each tensor of the result is within tolerance of PyTorch's at its place."""
    spec = specs.operator(operator)
    product = next(product for product in specs.products if spec.supports(product))
    cases = [
        case
        for case in planned(product, "smoke", operator)
        if case.expects_success and case.scene in SCENES
    ]
    places, compared = set(), 0
    for case in cases:
        inputs = make_inputs(specs, case)
        arguments: list[Any] = []
        for parameter in spec.inputs:
            tensors = [doubles(inputs[each.name]) for each in case.members(parameter.name)]
            arguments.append(tensors if parameter.length is not None else tensors[0])
        theirs = FUNCTIONS[operator](*arguments, *case.attributes.values())
        outputs = case.members(spec.outputs[0].name)
        places.add(len(outputs))
        expected = expect_case(specs, case, inputs)
        for output, result in zip(outputs, theirs, strict=True):
            whole = expected[output.name].whole()
            judged = whole.allowed == Outcome.VALUE
            off = np.abs(result.numpy()[judged] - whole.value[judged])
            assert (off <= whole.tolerance[judged]).all(), output.name
            compared += int(judged.sum())
    assert {1, 2, 5} < places
    assert compared > 1000
