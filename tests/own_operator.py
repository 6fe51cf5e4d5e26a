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
    """Write the spec, and a kernel by hand, into a folder; return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in walk_files().items():
        own = text.replace("aclnnop/aclnn_softsign_backward.h", header)
        (folder / Path(name).name).write_text(own, encoding="utf-8")
    (folder / "softsign_backward.h").write_text(_KERNEL, encoding="utf-8")
    return folder


_KERNEL = """// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SOFTSIGN_BACKWARD_H_
#define SIMULATOR_OPERATORS_SOFTSIGN_BACKWARD_H_

#include <cmath>

// Two divisions: the square of a large divisor would overflow.
inline float SoftsignBackward(float gradient, float x) {
  const float divisor = 1.0F + std::fabs(x);
  return gradient / divisor / divisor;
}

#endif  // SIMULATOR_OPERATORS_SOFTSIGN_BACKWARD_H_
"""


_FORMULA = "formula:\n  gradInput: gradOutput / (1 + abs(self)) ** 2\n"
_GOLDEN = """\
golden: softsign_backward
traits: [elementwise]
precision:
  - output: gradInput
    allowances: [float32-or-wider, halves-either-way, division-within-one-ulp, subnormals-flushed]
    why: The sum 1 + |self|, and two divisions by it.
"""
_MODULE = '''# SPDX-License-Identifier: Apache-2.0
"""aclnnSoftsignBackward: gradInput = gradOutput / (1 + |self|)^2."""

from __future__ import annotations

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic
from aclnn_cts.golden.formula import Attributes, Inputs, Result, widen


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> dict[str, Result]:
    """Return ``gradInput`` for ``gradOutput`` and ``self`` of one shape."""
    del attributes
    scope = {"gradOutput": widen(inputs["gradOutput"]), "self": widen(inputs["self"])}
    gradient, x = on.exact(scope["gradOutput"]), on.exact(scope["self"])
    divisor = on.exact(1.0) + abs(x)
    return {"gradInput": Result(gradient / divisor / divisor, scope)}
'''


def with_module(folder: Path) -> Path:
    """Give the operator of a folder a formula module in place of its formula; return the folder."""
    spec = folder / f"{OPERATOR}.yaml"
    text = spec.read_text(encoding="utf-8")
    clause = "  - {id: formula, "
    assert _FORMULA in text
    assert clause in text
    told = f'{clause}text: the gradient by the formula, where: "function, formula", '
    text = text.replace(_FORMULA, _GOLDEN).replace(clause, told)
    spec.write_text(text, encoding="utf-8")
    (folder / "softsign_backward.py").write_text(_MODULE, encoding="utf-8")
    return folder
