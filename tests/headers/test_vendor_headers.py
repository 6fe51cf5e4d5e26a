# SPDX-License-Identifier: Apache-2.0
"""Harness and programs compile against the vendor's own headers, not just against ours."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VENDOR = Path(os.environ["ACLNN_CTS_VENDOR_HEADERS"])
SOURCES = sorted([*(ROOT / "harness/src").glob("*.cpp"), *(ROOT / "generated_tests").glob("*.cpp")])


@pytest.fixture(scope="session")
def lacking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with those of our declarations that the vendor's wheel lacks, and no others."""
    folder = tmp_path_factory.mktemp("lacking")
    ours = ROOT / "simulator" / "include"
    for header in ours.rglob("*.h"):
        relative = header.relative_to(ours)
        if not (VENDOR / relative).is_file():
            (folder / relative).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(header, folder / relative)
    return folder


def test_acl_headers_are_the_vendors(lacking: Path) -> None:
    """No declaration of acl/acl.h, acl_base.h or acl_rt.h comes from us in this check."""
    for name in ("acl/acl.h", "acl/acl_base.h", "acl/acl_rt.h"):
        assert (VENDOR / name).is_file()
        assert not (lacking / name).exists()


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_compiles_with_the_vendors_headers(source: Path, lacking: Path) -> None:
    """Every source compiles without a warning (-Wall -Wextra -Werror) as C++17."""
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    assert compiler is not None
    flags = ("-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror")
    folders = ("-I", ROOT / "harness/include", "-I", ROOT / "harness/src")
    command = [compiler, *flags, *folders, "-isystem", VENDOR, "-I", lacking, source]
    done = subprocess.run(list(map(str, command)), check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
