# SPDX-License-Identifier: Apache-2.0
"""The operator of docs/adding-an-operator.md in a folder of its own."""

from __future__ import annotations

import re
from pathlib import Path

OPERATOR = "aclnnSoftsignBackward"
PAGE = Path(__file__).resolve().parents[1] / "docs" / "adding-an-operator.md"
_FILE = re.compile(r"^`([\w./]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def walk_files() -> dict[str, str]:
    """Return the files of the page by their paths in a checkout."""
    return dict(_FILE.findall(PAGE.read_text(encoding="utf-8")))


def write_operator(folder: Path, header: str = "aclnn_softsign_backward.h") -> Path:
    """Write spec, formula and kernel into a folder; return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in walk_files().items():
        own = text.replace("aclnnop/aclnn_softsign_backward.h", header)
        (folder / Path(name).name).write_text(own, encoding="utf-8")
    return folder
