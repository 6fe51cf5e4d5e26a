# SPDX-License-Identifier: Apache-2.0
"""Samples whose results depend on the batch around them.

A batch is the outermost axis. Samples with equal bits in all inputs have equal bits in all outputs,
at each place of a batch and in batches of each size; no value has to be known.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import TypeAlias

import numpy as np

from aclnn_cts.golden.expected import Arrays
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.models import OperatorSpec

KeptSamples: TypeAlias = Mapping[str, tuple[str, int]]
"""Digest of the outputs by digest of the inputs, and the first place of each sample."""


def keep_samples(
    spec: OperatorSpec, case: Case, inputs: Arrays, outputs: Arrays
) -> tuple[KeptSamples, tuple[int, int] | None]:
    """Return the samples of a batch, and the first two equal ones with other results, if any.

    Args:
        outputs: The requested outputs of the first run.
    """
    promise = spec.batch_consistency
    count = case.tensor(promise.tensor).shape[0] if promise is not None else 0
    call = f"{case.attributes!r} {[(t.dtype, t.shape[1:]) for t in case.tensors]!r}"
    sample_inputs = _samples(inputs, count, call)
    got = _samples({n: a for n, a in outputs.items() if a.shape[:1] == (count,)}, count, "")
    samples: dict[str, tuple[str, int]] = {}
    differing = None
    for place, (sample, result) in enumerate(zip(sample_inputs, got, strict=True)):
        earlier, first = samples.setdefault(sample, (result, place))
        if earlier != result and differing is None:
            differing = first, place
    return samples, differing


def _samples(arrays: Arrays, count: int, call: str) -> list[str]:
    """Return a digest of each sample; arrays without the axis of the batch belong to all."""
    digests = [hashlib.sha256(call.encode()) for _ in range(count)]
    for _, array in sorted(arrays.items()):
        is_whole = array.shape[:1] != (count,)
        for place, digest in enumerate(digests):
            digest.update(np.ascontiguousarray(array if is_whole else array[place]).tobytes())
    return [digest.hexdigest() for digest in digests]


def find_other_samples(cases: Mapping[str, KeptSamples]) -> Iterator[tuple[str, str, int]]:
    """Yield case, earlier case and place of each sample whose results differ from earlier ones."""
    seen_samples: dict[str, tuple[str, str]] = {}
    for case, samples in cases.items():
        for sample, (result, place) in samples.items():
            earlier, before = seen_samples.setdefault(sample, (result, case))
            if earlier != result:
                yield case, before, place
                break
