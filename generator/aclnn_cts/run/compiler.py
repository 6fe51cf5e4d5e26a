# SPDX-License-Identifier: Apache-2.0
"""Finding a C++17 compiler, and saying in one sentence what to install when there is none."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.errors import NotTrustworthyError

_PROBE = """\
#include <memory>
#include <optional>
#include <string_view>
int main() {
  std::optional<std::string_view> name{"x"};
  if (auto size = name->size(); size != 1) return 1;
}
"""

_ADVICE = (
    "install g++ 7.3 or newer (Debian, Ubuntu: apt-get install g++; "
    "openEuler, CentOS: yum install gcc-c++) or name one in CXX"
)


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler that was tried.

    Attributes:
        path: The program.
        version: The first line that it prints about itself.
    """

    path: str
    version: str


def find_compiler() -> Compiler:
    """Return the compiler that ``CXX`` names, or the first of c++, g++ and clang++ on the path.

    Raises:
        NotTrustworthyError: There is none, or it does not compile C++17.
    """
    wanted = os.environ.get("CXX")
    names = [wanted] if wanted else ["c++", "g++", "clang++"]
    path = next((found for name in names if (found := shutil.which(name))), None)
    if path is None:
        missing = "no C++ compiler found"
        if wanted:
            missing = f"CXX is {wanted!r}, which is no program (it takes one, without options)"
        raise NotTrustworthyError(f"{missing}: {_ADVICE}")
    return _tried(path)


@functools.lru_cache(maxsize=8)
def _tried(path: str) -> Compiler:
    """Return a compiler that builds C++17 programs; once for a process that runs many times."""
    version = _output([path, "--version"]).splitlines()
    with tempfile.TemporaryDirectory() as folder:
        probe = Path(folder) / "probe.cpp"
        probe.write_text(_PROBE, encoding="utf-8")
        command = [path, "-std=c++17", str(probe), "-o", str(Path(folder) / "probe")]
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, errors="replace", check=False
        )
    if done.returncode != 0:
        about = version[0] if version else path
        raise NotTrustworthyError(f"{about} does not build C++17 programs: {_ADVICE}")
    return Compiler(path, version[0] if version else "")


def _output(command: list[str]) -> str:
    try:
        return subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, errors="replace", check=False
        ).stdout
    except OSError as error:
        raise NotTrustworthyError(f"{command[0]} cannot be run ({error}): {_ADVICE}") from None
