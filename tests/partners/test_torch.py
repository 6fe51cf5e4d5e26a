# SPDX-License-Identifier: Apache-2.0
"""PyTorch's kernels as a device: what they compute in the tensors' own types is judged as a card's.

They were written by others, from no page: what fails is a difference of the page's, which is named,
or a false alarm of ours.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]
from tests.bench import Bench
from tests.partners.kernels import DIFFERENCES, KERNELS, Array

from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.golden.formula import broadcast
from aclnn_cts.golden.inputs import make_inputs
from aclnn_cts.judge.verdicts import CaseVerdict, Reference
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.models import OperatorSpec, ShapeRule
from aclnn_cts.suite import find_suite

LEAST_JUDGED = 0.4
"""Share of an operator's cases that PyTorch computes; its CPU kernels lack some integer types."""


def first_of(spec: OperatorSpec) -> str:
    """Return the operator itself, or the one of which it is the one in place."""
    in_place = any(tensor.stands_for for tensor in spec.tensors)
    return spec.second_of if in_place and spec.second_of else spec.operator


def lenient(expected: Expected, anything: Any) -> Expected:
    """Return an expectation that accepts anything in some elements."""
    anything = np.broadcast_to(anything, expected.shape)
    return replace(
        expected,
        allowed=np.where(anything, Outcome.ANY.value, expected.allowed),
        tolerance=np.where(anything, np.inf, expected.tolerance),
    )


def tensor_of(array: Array) -> torch.Tensor:
    """Return a copy of an array; NumPy has no bfloat16 that PyTorch knows."""
    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)
    return torch.from_numpy(array.copy())


def array_of(tensor: torch.Tensor, dtype: Any) -> Array:
    """Return a tensor's elements, converted to the type of an output."""
    tensor = tensor.detach().contiguous()
    with np.errstate(over="ignore"):
        if tensor.dtype == torch.bfloat16:
            return np.asarray(tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16), dtype)
        return np.asarray(tensor.numpy(), dtype)


@dataclass(frozen=True)
class Device:
    """A device that computes an operator by PyTorch's kernel, in one run after another."""

    specs: SpecSet
    bench: Bench
    operator: str

    def compute(self, case: Case, inputs: Mapping[str, Array]) -> Sequence[torch.Tensor | None]:
        """Return what the kernel gives for the inputs, in a common type; RuntimeError if none."""
        spec = self.specs.operator(self.operator)
        tensors = {name: tensor_of(np.ascontiguousarray(x)) for name, x in inputs.items()}
        floating = [each.dtype for each in tensors.values() if each.is_floating_point()]
        common = functools.reduce(torch.promote_types, floating) if floating else None
        arguments = [
            x if x is None or common is None or not x.is_floating_point() else x.to(common)
            for x in (tensors.get(p.name) for p in spec.tensors if p.tensor != "output")
        ]
        values = [case.attributes.get(each.name) for each in spec.attributes]
        results = KERNELS[first_of(spec)](*arguments, *values)
        return [results] if isinstance(results, torch.Tensor) else results

    def judge(self, case: Case) -> CaseVerdict | None:
        """Return the verdict on a case's ordinary run; None if PyTorch refuses the call."""
        case, spec = replace(case, again=()), self.specs.operator(self.operator)
        inputs = make_inputs(self.specs, case)
        stretched = dict(broadcast(spec, inputs))
        for tensor in spec.inputs:
            rule = tensor.shape
            if tensor.name in stretched and isinstance(rule, ShapeRule) and rule.broadcasts_to:
                shape = stretched[rule.broadcasts_to].shape
                stretched[tensor.name] = np.broadcast_to(stretched[tensor.name], shape)
        try:
            results = self.compute(case, stretched)
        except (RuntimeError, NotImplementedError):
            return None
        first = self.specs.operator(first_of(spec))
        difference = DIFFERENCES.get(first.operator)

        def expect(reading: int) -> Mapping[str, Expected]:
            expectations = expect_case(self.specs, case, inputs, reading)
            expected = {name: each.whole() for name, each in expectations.items()}
            if difference is None:
                return expected
            arrays = zip(first.inputs, stretched.values(), strict=False)
            wide = {tensor.name: array.astype(np.float64) for tensor, array in arrays}
            with np.errstate(all="ignore"):
                anything = difference.where(wide, case.attributes, case.tensors[0].dtype)
            return {name: lenient(each, anything) for name, each in expected.items()}

        outputs = {
            output.name: array_of(result, output.data_type.numpy)
            for output, result in zip(case.outputs, results, strict=False)
            if output.source != "null" and result is not None
        }
        computed = self.bench.computed(case, outputs)
        return self.bench.judge(computed, self.specs, Reference(inputs, expect))


@pytest.mark.parametrize(
    "operator",
    [s.operator for s in load_specs(find_suite()).tested_operators if first_of(s) in KERNELS],
)
def test_a_kernel_passes(
    specs: SpecSet, planned: Callable[..., tuple[Case, ...]], tmp_path: Path, operator: str
) -> None:
    """All cases of the smoke tier but those in which the page differs, and most are judged."""
    device = Device(specs, Bench(tmp_path, find_suite()), operator)
    cases = [case for case in planned("atlas-a2", "smoke", operator) if case.expects_success]
    verdicts = [device.judge(case) for case in cases]
    judged = [each for each in verdicts if each is not None]
    assert [(v.case, v.message, v.samples[:2]) for v in judged if v.verdict.breaks_promise] == []
    assert len(judged) >= LEAST_JUDGED * len(cases)
