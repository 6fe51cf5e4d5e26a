# SPDX-License-Identifier: Apache-2.0
"""The input data of a case."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.fills import DERIVED, make_data
from aclnn_cts.golden.formula import formula_module
from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.spec.models import OperatorSpec


def make_inputs(spec: OperatorSpec, case: Case) -> dict[str, npt.NDArray[Any]]:
    """Return the data of all inputs that the case gives: view shape, the tensors' own types.

    Null tensors and tensors that another operator produces have no data.
    """
    inputs = {
        tensor.name: _independent(tensor)
        for tensor in case.inputs
        if tensor.source == "data" and tensor.fill is not None and tensor.fill.kind != DERIVED
    }
    for tensor in case.inputs:
        if tensor.source == "data" and tensor.fill is not None and tensor.fill.kind == DERIVED:
            derive = formula_module(spec.golden).derive
            values = {**case.names, **case.attributes}
            inputs[tensor.name] = derive(tensor.name, inputs, values).reshape(tensor.shape)
    return inputs


def _independent(tensor: TensorCase) -> npt.NDArray[Any]:
    """Make the data of one tensor; along an axis of stride 0 they repeat."""
    assert tensor.fill is not None  # noqa: S101 - the caller asked for tensors with a fill
    base = tuple(
        1 if stride == 0 and extent > 1 else extent
        for extent, stride in zip(tensor.shape, tensor.strides, strict=True)
    )
    data = make_data(tensor.fill, base, tensor.dtype)
    return (
        data if base == tensor.shape else np.ascontiguousarray(np.broadcast_to(data, tensor.shape))
    )
