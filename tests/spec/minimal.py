# SPDX-License-Identifier: Apache-2.0
"""A small spec that is right, for tests to break."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from aclnn_cts.spec.editions import CURRENT
from aclnn_cts.spec.loading import load_file
from aclnn_cts.spec.models import OperatorSpec, Product, Trait

MINIMAL = """\
operator: aclnnThing
summary: A thing for tests.
header: aclnnop/aclnn_thing.h
document: {title: aclnnThing, edition: "2026-08"}
products: {ascend-950: supported, atlas-a3: supported, atlas-a2: supported, atlas-200i-500-a2:
           unlisted, atlas-inference: unlisted, atlas-training: unlisted}
parameters:
  - {name: x, tensor: input, dtypes: [float32], rank: [0, 8]}
  - {name: eps, attribute: double}
  - {name: out, tensor: output, dtype: x.dtype, shape: x.shape}
golden: thing
precision:
  - {output: out, allowances: [float32-or-wider], why: One product.}
clauses:
  - id: formula
    text: the result is something
    where: {section: function, item: formula}
    when: x > eps
    expect: value
errors:
  - id: null-pointer
    text: a null pointer is refused
    where: {section: errors, item: first row}
    status: ACLNN_ERR_PARAM_NULLPTR
    null_pointer: [x, out]
    basis: status
factors:
  attributes: {eps: [0.5]}
"""

Load = Callable[[str], str]


def load_operator(
    path: Path, products: Mapping[str, Product], traits: Mapping[str, Trait]
) -> OperatorSpec:
    """Return the current edition of the first spec in a file."""
    return next(iter(load_file(path, products, traits).values()))[CURRENT].spec
