# SPDX-License-Identifier: Apache-2.0
"""Arrangements of elements, and the shapes that they give, against PyTorch's functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]
import torch.nn.functional as F  # type: ignore[import-not-found, unused-ignore] # noqa: N812

from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.golden.inputs import make_inputs
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.loading import SpecSet

Values: TypeAlias = Mapping[str, Any]
Function: TypeAlias = Callable[[torch.Tensor, Values], torch.Tensor]


def _cut(
    x: torch.Tensor, starts: Sequence[int], ends: Sequence[int], axes: Sequence[int], *steps: int
) -> torch.Tensor:
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        x = x.movedim(axis, 0)[start:end:step].movedim(0, axis)
    return x


def _padded(name: str, mode: str) -> Function:
    """Return PyTorch's padding of the last axes, which needs samples and channels before them."""

    def pad(x: torch.Tensor, values: Values) -> torch.Tensor:
        padding = values[name]
        rank = x.ndim
        while x.ndim < len(padding) // 2 + 2:
            x = x[None]
        x = F.pad(x, padding, mode)
        return x.reshape(x.shape[x.ndim - rank :])

    return pad


FUNCTIONS: dict[str, Function] = {
    "aclnnCircularPad2d": _padded("padding", "circular"),
    "aclnnCircularPad3d": _padded("padding", "circular"),
    "aclnnConstantPadNd": lambda x, v: F.pad(x, v["pad"], value=float(v["value"])),
    "aclnnDiag": lambda x, v: torch.diag(x, v["diagonal"]),
    "aclnnDiagFlat": lambda x, v: torch.diagflat(x, v["diagonal"]),
    "aclnnExpand": lambda x, v: x.expand(v["size"]),
    "aclnnFlatten": lambda x, v: torch.flatten(x, v["axis"]),
    "aclnnFlip": lambda x, v: torch.flip(x, v["dims"]),
    "aclnnPermute": lambda x, v: torch.permute(x, v["dims"]),
    "aclnnReflectionPad1d": _padded("padding", "reflect"),
    "aclnnReflectionPad2d": _padded("padding", "reflect"),
    "aclnnReflectionPad3d": _padded("padding", "reflect"),
    "aclnnRepeat": lambda x, v: x.repeat(v["repeats"]),
    "aclnnRepeatInterleaveInt": lambda x, v: torch.repeat_interleave(x, v["repeats"]),
    "aclnnRepeatInterleaveIntWithDim": lambda x, v: torch.repeat_interleave(
        x, v["repeats"], v["dim"]
    ),
    "aclnnReplicationPad1d": _padded("padding", "replicate"),
    "aclnnReplicationPad2d": _padded("padding", "replicate"),
    "aclnnReplicationPad3d": _padded("padding", "replicate"),
    "aclnnRoll": lambda x, v: torch.roll(x, v["shifts"], v["dims"]),
    "aclnnSlice": lambda x, v: _cut(x, [v["start"]], [v["end"]], [v["dim"]], v["step"]),
    "aclnnSliceV2": lambda x, v: _cut(x, v["starts"], v["ends"], v["axes"], *v["steps"]),
    "aclnnTril": lambda x, v: torch.tril(x, v["diagonal"]),
    "aclnnTriu": lambda x, v: torch.triu(x, v["diagonal"]),
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


OF_PLACES: dict[str, Callable[..., torch.Tensor]] = {
    "aclnnEmbedding": lambda _, x, index: torch.nn.functional.embedding(index, x),
    "aclnnGather": lambda v, x, index: torch.gather(x, v["dim"], index % max(x.shape[v["dim"]], 1)),
    "aclnnGatherNd": lambda _, x, index: x[tuple(index.movedim(-1, 0))],
    "aclnnGatherV2": lambda v, x, index: _selected(v["dim"], x, index),
    "aclnnGatherV3": lambda v, x, index: _selected(v["dim"], x, index),
    "aclnnIndexCopy": lambda v, x, index, y: x.index_copy(v["dim"], index, y),
    "aclnnIndexFill": lambda v, x, index: _filled(v["dim"], x, index, v["value"]),
    "aclnnIndexSelect": lambda v, x, index: torch.index_select(x, v["dim"], index),
    "aclnnScatterNd": lambda _, x, index, y: x.index_put(tuple(index.movedim(-1, 0)), y),
    "aclnnTake": lambda _, x, index: torch.take(x, index),
}


def _selected(dim: int, x: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    return x[(*(slice(None),) * (dim % x.ndim), index)]


def _filled(dim: int, x: torch.Tensor, index: torch.Tensor, value: float) -> torch.Tensor:
    """Fill the places that exist; PyTorch refuses the others."""
    return x.index_fill(dim, index[(-x.shape[dim] <= index) & (index < x.shape[dim])], value)


@pytest.mark.parametrize("operator", OF_PLACES)
def test_elements_at_places(
    specs: SpecSet, planned: Callable[..., tuple[Case, ...]], operator: str
) -> None:
    """Each planned call takes or writes the same elements as PyTorch, at its own places."""
    spec = specs.operator(operator)
    cases = [
        case
        for case in planned("atlas-a2", "smoke", operator)
        if case.expects_success and case.inputs[0].shape and case.inputs[0].numel < 2**14
    ]
    assert len(cases) > 30
    for case in cases:
        inputs: dict[str, npt.NDArray[Any]] = {}
        start = 1
        for name, data in make_inputs(specs, case).items():
            if name == spec.places:
                inputs[name] = data.astype(np.int64)
                continue
            numbers = np.arange(start, start + data.size, dtype=np.float64)
            inputs[name] = numbers.reshape(data.shape)
            start += data.size
        expected = OF_PLACES[operator](case.values, *map(torch.from_numpy, inputs.values()))
        (result,) = evaluate_whole(spec.formula_source, inputs, case.values).values()
        assert case.outputs[0].shape == tuple(expected.shape), case.id
        assert np.array_equal(result.value, expected.numpy()), case.id
