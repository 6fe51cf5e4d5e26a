# SPDX-License-Identifier: Apache-2.0
"""The harness and the programs need nothing but CANN's public headers."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*(ROOT / "harness/src").glob("*.cpp"), *(ROOT / "generated_tests").glob("*.cpp")])


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_includes_only_public_headers(source: Path) -> None:
    """No header of the toolkit beyond acl/acl.h, aclnn/acl_meta.h and aclnnop/ is included."""
    includes = [
        line.split('"')[1]
        for line in source.read_text().splitlines()
        if line.startswith("#include") and '"' in line
    ]
    toolkit = [name for name in includes if name.split("/")[0] in {"acl", "aclnn", "aclnnop"}]
    assert all(
        name in {"acl/acl.h", "aclnn/acl_meta.h"} or name.startswith("aclnnop/") for name in toolkit
    )
