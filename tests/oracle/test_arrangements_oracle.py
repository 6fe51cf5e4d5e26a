# SPDX-License-Identifier: Apache-2.0
"""Arrangements of elements, and the shapes that they give, against PyTorch's functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]

from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.loading import SpecSet

Values: TypeAlias = Mapping[str, Any]

FUNCTIONS: dict[str, Callable[[torch.Tensor, Values], torch.Tensor]] = {
    "aclnnFlip": lambda x, v: torch.flip(x, v["dims"]),
}


@pytest.mark.parametrize("operator", FUNCTIONS)
def test_places(specs: SpecSet, planned: Callable[..., tuple[Case, ...]], operator: str) -> None:
    """Each planned call copies the same elements as PyTorch; they hold their own places."""
    spec = specs.operator(operator)
    product = next(filter(spec.supports, ("atlas-a2", *spec.products)))
    calls = {
        (case.inputs[0].shape, repr(case.attributes)): case
        for case in planned(product, "smoke", operator)
        if case.expects_success and case.inputs[0].numel < 2**14
    }
    assert len(calls) > 10
    for case in calls.values():
        (name,), shape = (spec.inputs[0].as_input,), case.inputs[0].shape
        places = torch.arange(1.0, case.inputs[0].numel + 1).to(torch.float64).reshape(shape)
        expected = FUNCTIONS[operator](places, case.values).numpy()
        result = evaluate_whole(spec.formula_source, {name: places.numpy()}, case.values)["out"]
        assert case.outputs[0].shape == expected.shape, case.id
        assert np.array_equal(result.value, expected), case.id
