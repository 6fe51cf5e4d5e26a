# SPDX-License-Identifier: Apache-2.0
"""Programs that record as the generated ones do, and do to their cases what a test is about."""

from __future__ import annotations

import sys
from pathlib import Path

CLOCK = """
def advance(seconds): open(SECONDS, "ab").write(b"." * seconds)
def await_watcher():
    looks = os.path.getsize(LOOKS)
    while os.path.getsize(LOOKS) < looks + 3: time.sleep(0.001)
def hang():
    while True: advance(50); await_watcher()
"""
"""What a program does to a :class:`Clock`."""


class Clock:
    """A clock that programs move: its time and how often it was looked at are sizes of files."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._seconds, self._looks = folder / "seconds", folder / "looks"
        for path in (self._seconds, self._looks):
            path.touch()

    def __call__(self) -> float:
        """Return the time."""
        with self._looks.open("ab") as file:
            file.write(b".")
        return float(self._seconds.stat().st_size)

    @property
    def code(self) -> str:
        """Python for programs: ``advance(seconds)``, ``await_watcher()`` and ``hang()``."""
        return f"SECONDS, LOOKS = {str(self._seconds)!r}, {str(self._looks)!r}{CLOCK}"


_PROGRAM = """#!{python}
import fcntl, json, os, sys, time
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
{clock}
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
        body: Python that is run in each ``case``, the ``number``-th; it may ``tell`` events, and
            move the clock of the programs' folder, as :data:`CLOCK` says.
        before: Python that is run before the device is told.
        inf_nan: What the device says of its overflow mode.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        _PROGRAM.replace("{python}", sys.executable)
        .replace("{before}", before)
        .replace("{clock}", Clock(path.parent).code)
        .replace("{inf_nan}", repr(inf_nan))
        .replace("{body}", body)
    )
    path.chmod(0o755)
