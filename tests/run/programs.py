# SPDX-License-Identifier: Apache-2.0
"""Programs that record as the generated ones do, and do to their cases what a test is about."""

from __future__ import annotations

import sys
from pathlib import Path

_PROGRAM = """#!{python}
import json, os, sys, time
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
{before}
events = open(options["--events"], "w", buffering=1)
open(options["--outputs"], "wb").close()
cases = [line.split()[1] for line in open(options["--cases"]) if line.startswith("case ")]
nonce = open(options["--cases"]).read().split("nonce ")[1].split()[0]
def tell(**event): events.write(json.dumps(event, separators=(",", ":")) + "\\n")
tell(event="device", soc="Ascend910B3", cann="", inf_nan={inf_nan}, nonce=nonce)
for number, case in enumerate(cases):
    tell(event="begin", case=case)
    {body}
    tell(event="end", case=case, microseconds=1.0)
tell(event="finished", cases=len(cases))
"""


def write_program(
    path: Path, body: str = "pass", *, before: str = "", inf_nan: bool | None = True
) -> None:
    """Write an executable that records a device and its cases.

    Args:
        path: Where it is to stand.
        body: Python that is run in each ``case``, the ``number``-th; it may ``tell`` events.
        before: Python that is run before the device is told.
        inf_nan: What the device says of its overflow mode.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        _PROGRAM.replace("{python}", sys.executable)
        .replace("{before}", before)
        .replace("{inf_nan}", repr(inf_nan))
        .replace("{body}", body)
    )
    path.chmod(0o755)
