# SPDX-License-Identifier: Apache-2.0
"""Compiles programs against the simulated device."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.processes import ended

from aclnn_cts.run.build import find_compiler
from aclnn_cts.run.toolkit import Toolkit


@pytest.fixture(scope="session")
def compiled(
    simulated_device: Toolkit, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Path]:
    """Return what compiles a C++ file of this directory once."""
    folder, root = tmp_path_factory.mktemp("programs"), simulated_device.root

    def compile_program(name: str, *options: str) -> Path:
        program = folder / Path(name).stem
        if not program.exists():
            command = [
                *(find_compiler().path, "-std=c++17", "-Wall", "-Wextra", "-Werror", *options),
                *(str(Path(__file__).with_name(name)), "-o", str(program), f"-I{root}/include"),
                *(f"-L{root}/lib64", f"-Wl,-rpath,{root}/lib64"),
                *("-lopapi", "-lnnopbase", "-lascendcl"),
            ]
            done = ended(command)
            assert done.returncode == 0, done.stderr
        return program

    return compile_program
