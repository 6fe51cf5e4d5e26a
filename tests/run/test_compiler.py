# SPDX-License-Identifier: Apache-2.0
"""Finding a compiler: the one that works, or a sentence that says what to install."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.run.build import find_compiler
from aclnn_cts.run.process import start_command

PACKAGES = r"apt-get install g\+\+.*yum install gcc-c\+\+"


def fake(folder: Path, name: str, script: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def _no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CXX", raising=False)


def test_no_compiler_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty path: the sentence names the package of both families of systems."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotTrustworthyError, match=f"no C\\+\\+ compiler found: .*{PACKAGES}"):
        find_compiler()


def test_too_old_a_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that does not know C++17 is named with its version."""
    script = (
        'if [ "$1" = --version ]; then echo "g++ (GCC) 4.8.5"; exit 0; fi\n'
        "echo \"error: unrecognized command line option '-std=c++17'\" >&2; exit 1"
    )
    fake(tmp_path, "g++", script)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    monkeypatch.setenv("CXX", "g++")
    with pytest.raises(
        NotTrustworthyError, match=r"cannot build .* g\+\+ \(GCC\) 4\.8\.5:"
    ) as told:
        find_compiler()
    assert re.search(PACKAGES, str(told.value))


def test_a_choice_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """CXX names nothing: no other compiler is taken silently."""
    monkeypatch.setenv("CXX", "no-such-compiler-7")
    with pytest.raises(NotTrustworthyError, match="which is not a program"):
        find_compiler()


def test_a_file_that_cannot_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken interpreter line is a sentence, not a traceback."""
    path = tmp_path / "c++"
    path.write_text("#!/no/such/interpreter\n")
    path.chmod(0o755)
    monkeypatch.setenv("CXX", str(path))
    with pytest.raises(NotTrustworthyError, match="cannot be run"):
        find_compiler()


def test_the_choice_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CXX wins over what the path offers, and the version is the compiler's own first line."""
    real = shutil.which("g++") or shutil.which("c++") or "c++"
    path = fake(tmp_path, "my-c++", f'exec {real} "$@"')
    monkeypatch.setenv("CXX", str(path))
    found = find_compiler()
    assert found.path == str(path)
    assert found.version


def test_programs_for_another_machine_are_started_by_an_emulator(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may have options; without one a program is started itself."""
    program = Path("/programs/one")
    assert start_command(program) == ["/programs/one"]
    monkeypatch.setenv("ACLNN_CTS_EMULATOR", "qemu-aarch64 -L '/a sysroot'")
    assert start_command(program) == ["qemu-aarch64", "-L", "/a sysroot", "/programs/one"]
