# SPDX-License-Identifier: Apache-2.0
"""Results of contract operators that do not follow the data.

No value of these operators is tested. But a device that caches results by shape, or computes them
from something else than the data, gives two calls with different data the same bits in each output.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expected import Arrays
from aclnn_cts.plan.calls import Call
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.models import OperatorSpec

_LEAST_BITS = 64
"""Minimum information of results that are compared: two correct ones are equal by chance less than
once in 10^19 times."""


@dataclass(frozen=True)
class KeptResults:
    """Digests of a call's parameters without the data, of each floating input, of all outputs."""

    call: str
    inputs: tuple[str, ...]
    outputs: str


def keep_results(
    spec: OperatorSpec, case: Case, inputs: Arrays, outputs: Arrays
) -> KeptResults | None:
    """Return digests for comparison with other calls; None if equality would show nothing.

    Args:
        outputs: The requested outputs of the first run.
    """
    if Call.of(spec, case).is_fixed:
        return None
    floating = [t for t in case.inputs if t.source == "data" and t.data_type.floating]
    if sum(map(_information, outputs.values())) < _LEAST_BITS or not floating:
        return None
    call = [(t.shape, t.dtype, t.source) for t in case.tensors], case.attributes, case.scalars
    return KeptResults(
        _digest(repr(call).encode()),
        tuple(_digest(inputs[tensor.name].tobytes()) for tensor in floating),
        _digest(b"".join(array.tobytes() for _, array in sorted(outputs.items()))),
    )


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _information(array: npt.NDArray[Any]) -> int:
    """Return a low estimate of the information in a correct result, in bits; 0 if constant."""
    flat = array.reshape(-1)
    if not flat.size or (flat == flat[0]).all() or not np.isfinite(flat.astype(np.float64)).any():
        return 0
    return int(flat.size) * flat.dtype.itemsize


def find_stale_results(cases: Mapping[str, KeptResults]) -> Iterator[tuple[str, str]]:
    """Yield each case with the results of an earlier case with other data, and that case."""
    earlier_results: dict[tuple[str, str], list[tuple[str, KeptResults]]] = {}
    for case, results in cases.items():
        equal = earlier_results.setdefault((results.call, results.outputs), [])
        for earlier, before in equal:
            if all(a != b for a, b in zip(results.inputs, before.inputs, strict=True)):
                yield case, earlier
                break
        equal.append((case, results))
