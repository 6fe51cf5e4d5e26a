# SPDX-License-Identifier: Apache-2.0
"""The benchmark's competitors compute what the golden data hold: else a ratio would say nothing."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tools.benchmarks.elements import DTYPES, PRODUCT
from tools.benchmarks.partners import calls, mixed_rule

from aclnn_cts.golden.expectations import evaluate
from aclnn_cts.golden.expected import Outcome
from aclnn_cts.spec.loading import SpecSet


@pytest.mark.parametrize("dtype", DTYPES)
def test_partners_compute_the_same(specs: SpecSet, dtype: str) -> None:
    """Within eight roundings of the type, of the element or of the largest one."""
    roundoff = float(torch.finfo(getattr(torch, dtype)).eps)
    for call in calls(4096, dtype):
        found = call.partner()
        expected = evaluate(specs, call.operator, call.inputs, call.attributes, PRODUCT)
        assert found.keys() == expected.keys()
        for name, own in expected.items():
            golden = np.where(own.allowed & Outcome.ZERO, 0.0, own.value)
            room = 8 * roundoff * float(np.abs(golden).max())
            actual = torch.as_tensor(found[name]).double().numpy()
            np.testing.assert_allclose(actual, golden, rtol=8 * roundoff, atol=room)


def test_mixed_rule() -> None:
    """Inf and NaN match themselves only; a number matches within atol + rtol * |golden|."""
    golden = np.array([1, 2, 0, np.inf, np.nan, np.inf, 4], np.float32)
    actual = np.array([1.25, 2, 0.5, np.inf, np.nan, -np.inf, np.nan], np.float32)
    mismatches, *_ = mixed_rule(actual, golden, rtol=0.125, atol=0.125)
    assert mismatches == 3
    assert mixed_rule(actual[:2], golden[:2], 0.125, 0.125) == (0, 0.25, 0.25)
