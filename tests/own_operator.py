# SPDX-License-Identifier: Apache-2.0
"""The operator of docs/adding-an-operator.md in a folder of its own."""

from __future__ import annotations

import re
from pathlib import Path

OPERATOR = "aclnnSoftsignBackward"
_PAGE = Path(__file__).resolve().parents[1] / "docs" / "adding-an-operator.md"
_FILE = re.compile(r"^`([\w./]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def write_operator(folder: Path, header: str = "aclnn_softsign_backward.h") -> Path:
    """Write spec, formula and kernel into a folder; return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in _FILE.findall(_PAGE.read_text(encoding="utf-8")):
        own = text.replace("aclnnop/aclnn_softsign_backward.h", header)
        (folder / Path(name).name).write_text(own, encoding="utf-8")
    return folder
