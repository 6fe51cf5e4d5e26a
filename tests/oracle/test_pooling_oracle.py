# SPDX-License-Identifier: Apache-2.0
"""The formulas of average pooling against PyTorch in float64."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import torch  # type: ignore[import-not-found, unused-ignore]

from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.golden.operators import max_pool2d_with_indices_backward as backward
from aclnn_cts.plan.binding import binding_of
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite

SPECS = load_specs(find_suite())
GEOMETRIES = list(
    itertools.product(
        [(2, 2), (3, 2), (4, 4)], [(1, 1), (2, 3), (3, 1)], [(0, 0), (1, 1), (2, 0)], [False, True]
    )
)


def values_for(operator: str, x: Any, attributes: dict[str, Any]) -> dict[str, Any]:
    """Return attributes with what the spec derives from them and the shape of self."""
    return binding_of(SPECS.operator(operator), {"self": x.shape}, attributes).values


@pytest.mark.parametrize("output", [(1, 1), (3, 5), (5, 2), (7, 8), (7, 3), (9, 11)])
@pytest.mark.parametrize("shape", [(2, 3, 7, 8), (3, 7, 8)])
def test_adaptive_avg_pool2d(shape: tuple[int, ...], output: tuple[int, int]) -> None:
    """Out is what PyTorch gives, with Inf and NaN in the windows that hold them."""
    x = np.random.default_rng(18).normal(1, 3, shape)
    x[..., 2, 3], x[..., 5, 7], x[..., 6, 0] = np.inf, np.nan, -np.inf
    values = {"H": shape[-2], "W": shape[-1], "outputSize": output}
    found = evaluate_whole("adaptive_avg_pool2d", {"self": x}, values)["out"]
    theirs = torch.nn.functional.adaptive_avg_pool2d(torch.tensor(x), output).numpy()
    assert np.allclose(found.value, theirs, 1e-14, 1e-14, equal_nan=True)
    assert (found.error <= 1e-13).all()


@pytest.mark.parametrize(("kernel", "stride", "padding", "ceil"), GEOMETRIES)
@pytest.mark.parametrize(("include", "divisor"), [(True, 0), (False, 0), (False, 7)])
def test_avg_pool2d(
    kernel: tuple[int, int],
    stride: tuple[int, int],
    padding: tuple[int, int],
    ceil: bool,  # noqa: FBT001 - a parameter of the test
    include: bool,  # noqa: FBT001 - a parameter of the test
    divisor: int,
) -> None:
    """Out is what PyTorch gives, but for divisors of windows that reach beyond the padding."""
    padding = min(padding[0], kernel[0] // 2), min(padding[1], kernel[1] // 2)
    x = np.random.default_rng(19).normal(1, 3, (2, 3, 7, 8))
    x[..., 2, 3], x[..., 5, 7] = np.inf, np.nan
    given = {
        "kernelSize": kernel, "strides": stride, "paddings": padding, "ceilMode": ceil,
        "countIncludePad": include, "divisorOverride": divisor, "cubeMathType": 0,
    }  # fmt: skip
    values = values_for("aclnnAvgPool2d", x, given)
    found = evaluate_whole("avg_pool2d", {"self": x}, values)["out"]
    theirs = torch.nn.functional.avg_pool2d(
        torch.tensor(x), kernel, stride, padding, ceil, include, divisor or None
    ).numpy()
    assert found.value.shape == theirs.shape
    told = ~found.scope["overhangs"] if include else np.full(theirs.shape, fill_value=True)
    assert np.allclose(found.value[told], theirs[told], 1e-14, 1e-14, equal_nan=True)


@pytest.mark.parametrize(("kernel", "stride", "padding", "ceil"), GEOMETRIES)
@pytest.mark.parametrize("dilation", [(1, 1), (2, 1)])
def test_max_pool2d_with_indices(
    kernel: tuple[int, int],
    stride: tuple[int, int],
    padding: tuple[int, int],
    ceil: bool,  # noqa: FBT001 - a parameter of the test
    dilation: tuple[int, int],
) -> None:
    """Both outputs and the gradient are PyTorch's, which names the first of equal maxima."""
    padding = min(padding[0], kernel[0] // 2), min(padding[1], kernel[1] // 2)
    given = {
        "kernelSize": kernel, "stride": stride, "padding": padding, "ceilMode": ceil,
        "dilation": dilation,
    }  # fmt: skip
    random = np.random.default_rng(21)
    for x in (random.normal(0, 1, (2, 3, 7, 8)), random.integers(-1, 2, (2, 3, 7, 8)) * 1.0):
        values = values_for("aclnnMaxPool2dWithIndices", x, given)
        found = evaluate_whole("max_pool2d_with_indices", {"self": x}, values)
        out, places = torch.nn.functional.max_pool2d(
            torch.tensor(x), kernel, stride, padding, dilation, ceil, return_indices=True
        )
        assert np.array_equal(found["out"].value, out.numpy())
        assert np.array_equal(found["indices"].value, places.numpy())
        gradient = random.normal(0, 1, out.shape)
        inputs = {"self": x, "gradOutput": gradient, "indices": places.numpy()}
        back = evaluate_whole("max_pool2d_with_indices_backward", inputs, values)["gradInput"]
        theirs = torch.ops.aten.max_pool2d_with_indices_backward(
            torch.tensor(gradient), torch.tensor(x), kernel, stride, padding, dilation, ceil, places
        )
        assert np.allclose(back.value, theirs.numpy(), 1e-14, 1e-14)
        derived = backward.derive("indices", {"self": x}, values).astype(int)
        flat = derived.reshape(2, 3, -1), x.reshape(2, 3, -1)
        assert np.array_equal(np.take_along_axis(flat[1], flat[0], -1).reshape(out.shape), out)
        assert (derived >= places.numpy()).all()


@pytest.mark.parametrize(("kernel", "stride", "padding", "ceil"), GEOMETRIES)
@pytest.mark.parametrize(("include", "divisor"), [(True, 0), (False, 0), (False, -7)])
def test_avg_pool2d_backward(
    kernel: tuple[int, int],
    stride: tuple[int, int],
    padding: tuple[int, int],
    ceil: bool,  # noqa: FBT001 - a parameter of the test
    include: bool,  # noqa: FBT001 - a parameter of the test
    divisor: int,
) -> None:
    """GradInput is PyTorch's, but where windows reach beyond the padding."""
    padding = min(padding[0], kernel[0] // 2), min(padding[1], kernel[1] // 2)
    random = np.random.default_rng(20)
    leaf = torch.tensor(random.normal(1, 3, (2, 3, 7, 8)), requires_grad=True)
    out = torch.nn.functional.avg_pool2d(
        leaf, kernel, stride, padding, ceil, include, divisor or None
    )
    gradient = random.normal(0, 1, tuple(out.shape))
    gradient[0, 0, 1, 0], gradient[1, 2, 0, 1] = np.inf, np.nan
    out.backward(torch.tensor(gradient))
    given = {
        "kernelSize": kernel, "stride": stride, "padding": padding, "ceilMode": ceil,
        "countIncludePad": include, "divisorOverride": divisor, "cubeMathType": 0,
    }  # fmt: skip
    values = values_for("aclnnAvgPool2dBackward", leaf, given)
    inputs = {"self": leaf.detach().numpy(), "gradOutput": gradient}
    found = evaluate_whole("avg_pool2d_backward", inputs, values)["gradInput"]
    theirs = leaf.grad.numpy()
    told = found.scope["overhanging"] == 0 if include else np.full(theirs.shape, fill_value=True)
    assert np.allclose(found.value[told], theirs[told], 1e-14, 1e-14, equal_nan=True)
