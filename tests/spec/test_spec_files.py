# SPDX-License-Identifier: Apache-2.0
"""In which file an operator's spec is."""

from __future__ import annotations

from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite


def test_each_operator_names_a_file_that_is_there() -> None:
    """Also one that is on the page of another, and has no file of its own."""
    suite = find_suite()
    specs = load_specs(suite)
    assert all((suite.root / specs.file_of(name)).is_file() for name in specs.operators)
    assert specs.file_of("aclnnInplaceLeakyRelu") == "specs/aclnnLeakyRelu.yaml"
