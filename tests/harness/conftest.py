# SPDX-License-Identifier: Apache-2.0
"""Builds programs, and runs them on case files that the tests write by hand."""

from __future__ import annotations

import json
import math
import os
import resource
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.processes import ended

from aclnn_cts.run import build
from aclnn_cts.run.build import find_compiler
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.suite import find_suite

FAKE_CANN = Path(__file__).resolve().parent / "fake_cann"
# cmake and ninja may come with the Python environment.
TOOL_PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

LONG_SECONDS = 900
"""Ends a test whose program hangs; no machine is as slow as that."""

NONCE = "nonce 0123456789abcdef0123456789abcdef"

Array = NDArray[Any]
Event = dict[str, Any]


def cmake(source: Path, build: Path, *definitions: str, targets: Sequence[str] = ()) -> None:
    """Configures and builds; a failure shows the compiler's words."""
    configure = ["cmake", "-S", str(source), "-B", str(build), "-G", "Ninja", *definitions]
    make = ["cmake", "--build", str(build), "-j", "2"]
    for target in targets:
        make += ["--target", target]
    for command in (configure, make):
        done = ended(command, env={**os.environ, "PATH": TOOL_PATH})
        assert done.returncode == 0, done.stdout + done.stderr


def dims(values: Sequence[int]) -> str:
    """A list of integers as case files write it."""
    return ",".join(map(str, values)) or "-"


def dense_strides(shape: Sequence[int]) -> list[int]:
    """Row-major strides in elements."""
    return [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]


@dataclass
class Tensor:
    """One `tensor` line; by default contiguous float32."""

    name: str
    role: str
    shape: Sequence[int]
    source: str
    strides: Sequence[int] | None = None
    offset: int = 0
    storage: Sequence[int] | None = None
    dtype: int = 0

    def __str__(self) -> str:
        strides = dense_strides(self.shape) if self.strides is None else self.strides
        storage = self.shape if self.storage is None else self.storage
        return (
            f"{self.name} {self.role} {self.dtype} 2 shape {dims(self.shape)} "
            f"strides {dims(strides)} offset {self.offset} storage {dims(storage)} {self.source}"
        )


@dataclass
class Recording:
    """What a program left behind."""

    code: int
    stderr: str
    events: list[Event] = field(default_factory=list)
    outputs: bytes = b""

    def of(self, kind: str) -> list[Event]:
        """The events of one kind, in order."""
        return [event for event in self.events if event["event"] == kind]

    def findings(self, run: int = 0) -> list[tuple[str, str, int, int]]:
        """The memory findings of a run as (tensor, kind, first, count)."""
        return [
            (event["tensor"], event["kind"], event["first"], event["count"])
            for event in self.of("memory")
            if event["run"] == run
        ]

    def output(self, name: str, dtype: str = "<f4", run: int = 0) -> Array:
        """The elements of an output that was recorded."""
        (event,) = (e for e in self.of("output") if (e["tensor"], e["run"]) == (name, run))
        return np.frombuffer(
            self.outputs[event["offset"] : event["offset"] + event["bytes"]], dtype
        )


class Bench:
    """Runs programs in a folder of their own."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs = programs
        self.folder = folder
        _, self.own_memory = resource.getrlimit(resource.RLIMIT_DATA)  # without the device's
        (folder / "data").mkdir()

    @staticmethod
    def floats(*shape: int, start: float = 1.0) -> Array:
        """Distinct float32 values."""
        count = math.prod(shape)
        return np.arange(start, start + count, dtype=np.float32).reshape(shape)

    @staticmethod
    def tensor(name: str, role: str, shape: Sequence[int], source: str, **rest: Any) -> Tensor:
        """One `tensor` line."""
        return Tensor(name, role, shape, source, **rest)

    def save(self, /, **arrays: Array) -> str:
        """Saves one structured record; returns the `data` line. Fields lie one after the other."""
        record = np.zeros((), [(name, a.dtype, a.shape) for name, a in arrays.items()])
        for name, values in arrays.items():
            record[name] = values
        np.save(self.folder / "data" / "case.npy", record)
        return f"data case.npy {record.nbytes}"

    def run(
        self,
        text: str,
        *options: str,
        program: str = "aclnnLogitGrad",
        faults: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> Recording:
        """Writes the case file and runs the program on it."""
        cases = self.folder / "cases.txt"
        events = self.folder / "events.jsonl"
        outputs = self.folder / "outputs.bin"
        cases.write_text(text)
        done = ended(
            [
                *(str(self.programs / program), "--cases", str(cases)),
                *("--data", str(self.folder / "data"), "--events", str(events)),
                *("--outputs", str(outputs), *options),
            ],
            env={**os.environ, "FAKE_CANN_FAULTS": faults, **(environment or {})},
            timeout=LONG_SECONDS,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (self.own_memory,) * 2),
        )
        recording = Recording(done.returncode, done.stderr)
        if events.exists():
            recording.events = [json.loads(line) for line in events.read_text().splitlines()]
            recording.outputs = outputs.read_bytes()
        return recording

    def logit_grad(
        self,
        x: Array,
        dy: Array,
        *tensors: Tensor,
        faults: str = "",
        facts: str = "runs 2\nslack 32\ndeterministic 0",
        eps: str = "0x1p-1",
        options: Sequence[str] = (),
    ) -> Recording:
        """Runs one case; tensors that are not given are contiguous and get their data."""
        data = self.save(x=x, dy=dy)
        by_name = {
            "x": Tensor("x", "input", x.shape, f"data 0 {x.nbytes}"),
            "dy": Tensor("dy", "input", dy.shape, f"data {x.nbytes} {dy.nbytes}"),
            "out": Tensor("out", "output", x.shape, "output"),
        } | {tensor.name: tensor for tensor in tensors}
        lines = "".join(f"tensor {tensor}\n" for tensor in by_name.values())
        return self.run(
            f"aclnn-cts-cases 6 aclnnLogitGrad\n{NONCE}\ncase a\n{data}\n{facts}\n{lines}"
            f"attribute eps double {eps}\nend\n",
            *options,
            faults=faults,
        )


@pytest.fixture(scope="session")
def fake_programs() -> Path:
    """The programs, built with sanitizers against the fake toolkit; once for each content."""
    suite, compiler = find_suite(), find_compiler()
    headers = build.build_simulator(suite, compiler).include
    parts = (FAKE_CANN, headers, suite.harness, suite.generated_tests)
    used = build._files({str(number): part for number, part in enumerate(parts)})
    options = ("-DACLNN_CTS_SANITIZE=ON",)
    final = suite.cache / "fake" / build._key(build._content(used), compiler, options)
    toolkit = final.with_name(f"{final.name}-toolkit")

    def make_toolkit(work: Path) -> None:
        definitions = (f"-DCANN_HEADERS={headers}", f"-DCMAKE_INSTALL_PREFIX={work}")
        cmake(FAKE_CANN, work / "build", *definitions, *options, targets=["install"])

    def make_programs(work: Path) -> None:
        against = f"-DACLNN_CTS_TOOLKIT={toolkit}"
        operators = ("aclnnLogitGrad", "aclnnMaxPool2dWithMaskBackward")
        calls = f"-DACLNN_CTS_CALLS={FAKE_CANN / 'calls.cmake'}"
        cmake(suite.generated_tests, work, against, calls, *options, targets=operators)

    build.make_once(toolkit, make_toolkit)
    build.make_once(final, make_programs)
    return final


@pytest.fixture
def fake(fake_programs: Path, tmp_path: Path) -> Bench:
    """Programs on the fake device, which does wrong what a test asks it to."""
    return Bench(fake_programs, tmp_path)


@pytest.fixture
def simulated(
    generated_programs: Path,
    simulated_device: Toolkit,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Bench:
    """Programs on the simulated device.

    Its libraries are named, as a run does: where a program was linked, those of another suite may
    lie by now.
    """
    monkeypatch.setenv("LD_LIBRARY_PATH", str(simulated_device.root / "lib64"))
    return Bench(generated_programs, tmp_path)
