# SPDX-License-Identifier: Apache-2.0
"""Elements per second of golden data and judge on one core, beside what others take for the same.

Each figure is the median of several runs of processor time; the comparison partners (PyTorch's
backward of the same formula on one thread, ``numpy.testing.assert_allclose``) run in turn with
ours.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from aclnn_cts.golden.expectations import evaluate
from aclnn_cts.golden.expected import Expected
from aclnn_cts.judge.comparison import compare
from aclnn_cts.judge.standards import yardstick_of
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import find_suite

LARGE = 1 << 22
SMALL = 64
RUNS = 7
TARGET = 50.0


def median_seconds(work: Callable[[], Any], repeats: int = 1) -> float:
    """Return the median processor time of one call of ``work``."""
    work()
    times = []
    for _ in range(RUNS):
        started = time.process_time()
        for _ in range(repeats):
            work()
        times.append((time.process_time() - started) / repeats)
    return statistics.median(times)


def _operators(numel: int) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Return inputs and attributes of the element-wise operators."""
    generator = np.random.default_rng(1)
    gradient = generator.standard_normal(numel).astype(np.float32)
    probability = generator.random(numel).astype(np.float32)
    x = generator.standard_normal((numel // 32, 32)).astype(np.float32)
    mask = generator.integers(0, 256, -(-numel // 128) * 16, dtype=np.uint8)
    weight = np.full(1, 0.25, np.float32)
    return {
        "aclnnLogitGrad": ({"x": probability, "dy": gradient}, {"eps": 1e-6}),
        "aclnnDropoutBackward": ({"gradOutput": gradient, "mask": mask}, {"scale": 2.0}),
        "aclnnPreluBackward": (
            {"gradOutput": gradient.reshape(x.shape), "self": x, "weight": weight},
            {},
        ),
    }


def _torch_backward(name: str, inputs: dict[str, Any]) -> Callable[[], Any]:
    """Return PyTorch's backward of the same formula, in float64 as the golden data are."""
    tensors = {key: torch.from_numpy(value.astype(np.float64)) for key, value in inputs.items()}
    if name == "aclnnLogitGrad":
        x, dy = tensors["x"], tensors["dy"]
        return lambda: torch.ops.aten.logit_backward(dy, x, 1e-6)
    if name == "aclnnDropoutBackward":
        gradient = tensors["gradOutput"]
        keep = torch.rand(gradient.shape) < 0.5
        return lambda: torch.ops.aten.native_dropout_backward(gradient, keep, 2.0)
    gradient, x, weight = (tensors[key] for key in ("gradOutput", "self", "weight"))
    backward = torch.ops.aten._prelu_kernel_backward  # noqa: SLF001 - the public one is autograd
    return lambda: backward(gradient, x, weight)


def _measure(
    specs: SpecSet, name: str, inputs: dict[str, Any], attributes: dict[str, Any], repeats: int
) -> tuple[float, float, float]:
    """Return the seconds of golden data, judge and ``assert_allclose`` for one call."""
    yardstick = yardstick_of("float32", specs.precision)

    def golden() -> dict[str, Expected]:
        return evaluate(specs, name, inputs, attributes, "atlas-a2")

    output, wanted = next(iter(golden().items()))
    actual = wanted.value.astype(np.float32)
    return (
        median_seconds(golden, repeats),
        median_seconds(lambda: compare(output, actual, wanted, yardstick), repeats),
        median_seconds(lambda: np.testing.assert_allclose(actual, wanted.value, 1e-5, 1e-6)),
    )


def main() -> None:
    """Print a line for each operator."""
    torch.set_num_threads(1)
    specs = load_specs(find_suite())
    print(f"million elements a second on one core, float32, {LARGE} elements; target {TARGET:.0f}")
    for name, (inputs, attributes) in _operators(LARGE).items():
        golden, judge, plain = _measure(specs, name, inputs, attributes, 1)
        others = median_seconds(_torch_backward(name, inputs))
        million = LARGE / 1e6
        print(
            f"  {name}: golden {million / golden:.0f} (torch float64 {million / others:.0f}), "
            f"judge {million / judge:.0f} (assert_allclose {million / plain:.0f})"
        )
    print(f"milliseconds for {SMALL} elements; target below 1")
    for name, (inputs, attributes) in _operators(SMALL).items():
        golden, judge, _ = _measure(specs, name, inputs, attributes, 20)
        print(f"  {name}: golden {golden * 1e3:.2f}, judge {judge * 1e3:.2f}")
