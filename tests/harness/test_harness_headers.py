# SPDX-License-Identifier: Apache-2.0
"""The harness and the programs need nothing but CANN's public headers."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*(ROOT / "harness/src").glob("*.cpp"), *(ROOT / "generated_tests").glob("*.cpp")])
# A folder with the vendor's acl/ headers, for example from the torch-npu wheel.
VENDOR = os.environ.get("ACLNN_CTS_VENDOR_HEADERS")


@pytest.mark.skipif(VENDOR is None, reason="ACLNN_CTS_VENDOR_HEADERS names no folder")
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_compiles_with_the_vendors_headers(source: Path) -> None:
    """With the vendor's acl/ headers in front, every source compiles without a warning."""
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    assert compiler is not None
    done = subprocess.run(
        [
            *(compiler, "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"),
            *("-I", ROOT / "harness/include", "-isystem", str(VENDOR)),
            *("-isystem", ROOT / "simulator/include", source),
        ],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


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
