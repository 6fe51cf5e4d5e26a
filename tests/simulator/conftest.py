# SPDX-License-Identifier: Apache-2.0
"""Builds the simulator once per session, and hands out devices and compiled programs."""

from __future__ import annotations

import math
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import ArrayLike, DTypeLike, NDArray

from aclnn_cts.run.toolkit import Toolkit

pytest.register_assert_rewrite("tests.simulator.calls")

HERE = Path(__file__).parent
SIMULATOR = HERE.parent.parent / "simulator"

# cmake and ninja may come with the Python environment.
TOOL_PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

# Set to 1, everything is built with AddressSanitizer and UndefinedBehaviorSanitizer.
SANITIZE = os.environ.get("ACLNN_CTS_SANITIZE") == "1"
COMPILER = os.environ.get("CXX", "g++")
SANITIZER_OPTIONS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

SOC = {
    "ascend-950": "Ascend950PR_9599",
    "atlas-a3": "Ascend910_9391",
    "atlas-a2": "Ascend910B3",
    "atlas-200i-500-a2": "Ascend310B1",
    "atlas-inference": "Ascend310P3",
    "atlas-training": "Ascend910ProA",
}
CODES = {
    np.dtype(np.float32): 0,
    np.dtype(np.float16): 1,
    np.dtype(np.int8): 2,
    np.dtype(np.int32): 3,
    np.dtype(np.uint8): 4,
    np.dtype(np.float64): 11,
    np.dtype(ml_dtypes.bfloat16): 27,
}
FORMATS = {"NCHW": 0, "NHWC": 1, "ND": 2, "FRACTAL_NZ": 29}
# What the tests fill outputs and gaps with.
POISON = 0x7B

Array = NDArray[Any]


@dataclass(frozen=True)
class Tensor:
    """A view on a one-dimensional storage; strides and offset count elements."""

    storage: Array
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0
    layout: str = "ND"

    def view(self, storage: Array) -> Array:
        """The elements that the view has in `storage`."""
        size = storage.dtype.itemsize
        return np.lib.stride_tricks.as_strided(
            storage[self.offset :], self.shape, [step * size for step in self.strides]
        ).copy()

    def gaps(self) -> Array:
        """Which elements of the storage no view element covers."""
        gaps = np.ones(self.storage.size, dtype=bool)
        gaps[self.view(np.arange(self.storage.size)).reshape(-1)] = False
        return gaps

    def describe(self) -> dict[str, Any]:
        """The tensor as the device process takes it."""
        return {
            "storage": self.storage.tobytes(),
            "dtype": CODES[self.storage.dtype],
            "shape": list(self.shape),
            "strides": list(self.strides),
            "offset": self.offset,
            "format": FORMATS[self.layout],
            "storage_shape": [self.storage.size],
        }


def poison(dtype: DTypeLike, elements: int) -> Array:
    """A storage of garbage."""
    return np.full(elements * np.dtype(dtype).itemsize, POISON, dtype=np.uint8).view(dtype)


def dense(values: ArrayLike, dtype: DTypeLike | None = None, layout: str = "ND") -> Tensor:
    """A contiguous tensor that holds `values`."""
    array = np.asarray(values, dtype=dtype)
    strides = [math.prod(array.shape[axis + 1 :]) for axis in range(array.ndim)]
    return Tensor(array.flatten(), array.shape, tuple(strides), 0, layout)


def stepped(values: ArrayLike, dtype: DTypeLike | None = None, layout: str = "ND") -> Tensor:
    """The same values with gaps: axes in reverse order, every second element, an offset."""
    array = np.asarray(values, dtype=dtype)
    compact = dense(array.transpose())
    storage = poison(array.dtype, 2 * array.size + 5)
    storage[3 : 3 + 2 * array.size : 2] = compact.storage
    strides = tuple(2 * step for step in reversed(compact.strides))
    return Tensor(storage, array.shape, strides, 3, layout)


def empty_like(tensor: Tensor, dtype: DTypeLike | None = None) -> Tensor:
    """An output with the same view, full of garbage."""
    return replace(tensor, storage=poison(dtype or tensor.storage.dtype, tensor.storage.size))


@dataclass(frozen=True)
class Outcome:
    """What a call returned, and its tensors afterwards in the order of the arguments."""

    status: int
    message: str
    workspace: int
    views: list[Array]


def run_tool(*command: str) -> None:
    """Runs a build tool; a failure shows its words."""
    environment = {**os.environ, "PATH": TOOL_PATH}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def sanitizer_environment() -> dict[str, str]:
    """What lets Python, which is not sanitized itself, load sanitized libraries."""
    if not SANITIZE:
        return {}
    # libasan looks for the C++ library's functions when it starts, so that one comes along.
    libraries = [
        subprocess.run(
            [COMPILER, f"-print-file-name={name}.so"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in ("libasan", "libstdc++")
    ]
    return {"LD_PRELOAD": " ".join(libraries), "ASAN_OPTIONS": "detect_leaks=0"}


class Device:
    """A simulated device in a process of its own."""

    dense = staticmethod(dense)
    stepped = staticmethod(stepped)
    empty_like = staticmethod(empty_like)

    def __init__(self, lib64: Path, product: str) -> None:
        self._command = [sys.executable, str(HERE / "device_worker.py"), str(lib64)]
        self._environment = {**os.environ, **sanitizer_environment(), "ACLNN_SIM_SOC": SOC[product]}
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, operator: str, *arguments: Any) -> Outcome:
        """Both phases of an operator; also checks that nothing beside the tensors was written."""
        described = [a.describe() if isinstance(a, Tensor) else a for a in arguments]
        result = self._ask((operator, described))
        assert result["intact"], f"{operator} wrote behind a tensor or its workspace"
        assert result["launched"] in (None, 0)
        tensors = [a for a in arguments if isinstance(a, Tensor)]
        storages = [
            np.frombuffer(raw, dtype=tensor.storage.dtype)
            for raw, tensor in zip(result["storages"], tensors, strict=True)
        ]
        for tensor, after in zip(tensors, storages, strict=True):
            untouched = tensor.gaps() if result["status"] == 0 else slice(None)
            assert after[untouched].tobytes() == tensor.storage[untouched].tobytes()
        views = [t.view(s) for t, s in zip(tensors, storages, strict=True)]
        return Outcome(result["status"], result["message"], result["workspace"], views)

    def _ask(self, call: tuple[str, list[Any]]) -> dict[str, Any]:
        """Has the device process do the call, started if need be."""
        if self._process is None:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=self._environment,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump(call, self._process.stdin)
        self._process.stdin.flush()
        try:
            answer: dict[str, Any] = pickle.load(self._process.stdout)  # noqa: S301 - our own process
        except EOFError:
            ended, self._process = self._process, None
            ended.communicate()
            pytest.fail(f"{call[0]} ended the device; its words are on stderr")
        return answer

    def close(self) -> None:
        """Ends the process, which must not leave anything behind on the device."""
        if self._process is not None:
            self._process.communicate()
            assert self._process.returncode == 0, "the device was left with unreleased handles"


@pytest.fixture(scope="session")
def toolkit(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The prefix of an installed simulator."""
    if not SANITIZE:
        device: Toolkit = request.getfixturevalue("simulated_device")
        return device.root
    build = tmp_path_factory.mktemp("simulator-build")
    prefix = tmp_path_factory.mktemp("simulator")
    configure = ["cmake", "-S", str(SIMULATOR), "-B", str(build), "-G", "Ninja"]
    configure.append("-DACLNN_CTS_SANITIZE=ON")
    run_tool(*configure, f"-DCMAKE_INSTALL_PREFIX={prefix}")
    run_tool("cmake", "--build", str(build), "--target", "install", "-j", "2")
    return prefix


@pytest.fixture
def unsanitized() -> None:
    """Skips a test that makes no sense when a sanitizer watches the program."""
    if SANITIZE:
        pytest.skip("the sanitizer has its own word about this")


@pytest.fixture(scope="session")
def compiled(toolkit: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compiles a C++ file of this directory against the installed simulator."""
    folder = tmp_path_factory.mktemp("programs")

    def compile_program(name: str, *options: str) -> Path:
        program = folder / Path(name).stem
        if not program.exists():
            command = [COMPILER, "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", *options]
            command += SANITIZER_OPTIONS if SANITIZE else []
            command += [str(HERE / name), "-o", str(program), f"-I{toolkit}/include"]
            command += [f"-L{toolkit}/lib64", f"-Wl,-rpath,{toolkit}/lib64"]
            command += ["-lopapi", "-lnnopbase", "-lascendcl"]
            run_tool(*command)
        return program

    return compile_program


@pytest.fixture(scope="session")
def device(toolkit: Path) -> Iterator[Callable[[str], Device]]:
    """The device of a product, started once per session."""
    devices: dict[str, Device] = {}

    def get(product: str) -> Device:
        if product not in devices:
            devices[product] = Device(toolkit / "lib64", product)
        return devices[product]

    yield get
    for started in devices.values():
        started.close()


@pytest.fixture(scope="session")
def a2(device: Callable[[str], Device]) -> Device:
    return device("atlas-a2")


@pytest.fixture(scope="session")
def training(device: Callable[[str], Device]) -> Device:
    return device("atlas-training")
