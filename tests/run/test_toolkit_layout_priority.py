# SPDX-License-Identifier: Apache-2.0
"""Which custom package of operators comes first."""

from __future__ import annotations

import os
from pathlib import Path

from aclnn_cts.run.toolkit_layout import CUSTOM_LIBRARY, custom_packages


def _package(folder: Path) -> Path:
    library = folder / "op_api" / "lib" / CUSTOM_LIBRARY
    library.parent.mkdir(parents=True)
    library.touch()
    return folder / "op_api"


def test_the_toolkit_gives_priority(tmp_path: Path) -> None:
    """Named packages come first, then those of config.ini in its order, then the others."""
    vendors = tmp_path / "opp" / "vendors"
    first, second, third = (_package(vendors / name) for name in ("c", "b", "a"))
    named = _package(tmp_path / "named")
    (vendors / "config.ini").write_text("load_priority=c, b,gone\n", encoding="utf-8")
    found = custom_packages(tmp_path, os.pathsep.join([str(tmp_path / "named")]))
    assert found == tuple(each.resolve() for each in (named, first, second, third))
