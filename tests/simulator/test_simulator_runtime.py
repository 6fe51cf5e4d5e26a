# SPDX-License-Identifier: Apache-2.0
"""What the simulated runtime promises to programs that use it properly."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.processes import ended

BEHAVIOURS = [
    *("work-runs-at-synchronise", "default-stream", "repeatable-executor", "destroyed-executor"),
    *("fresh-memory", "memory-accounting", "error-returns", "recent-error-message", "events"),
    *("asynchronous-copy", "lifecycle", "tensor-getters", "foreign-fault", "moved-tensors"),
    *("captured-work", "threads"),
]


def outcome_of(
    program: Path, behaviour: str, soc: str | None = None
) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "ACLNN_SIM_SOC"}
    if soc is not None:
        environment["ACLNN_SIM_SOC"] = soc
    return ended(
        [str(program), behaviour],
        env=environment,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
    )


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_behaviour(behaviour: str, compiled: Callable[..., Path]) -> None:
    """The device behaves as the program of that name expects; the program says what it expects."""
    ended = outcome_of(compiled("behaviour.cpp"), behaviour)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stderr == ""


def test_a_small_device(compiled: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """ACLNN_SIM_MEMORY is what the device has and tells, and no more can be had."""
    monkeypatch.setenv("ACLNN_SIM_MEMORY", "1048576")
    assert outcome_of(compiled("behaviour.cpp"), "memory-accounting").returncode == 0
    assert outcome_of(compiled("behaviour.cpp"), "print-memory").stdout == "1048576\n"
    monkeypatch.delenv("ACLNN_SIM_MEMORY")
    assert outcome_of(compiled("behaviour.cpp"), "print-memory").stdout == f"{16 << 30}\n"


@pytest.mark.parametrize("size", ["", "-4096", "4095", "4096x", str((16 << 30) + 1), "9" * 30])
def test_memory_that_cannot_be(
    size: str, compiled: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program ends with a sentence that names the variable and what it holds."""
    monkeypatch.setenv("ACLNN_SIM_MEMORY", size)
    ended = outcome_of(compiled("behaviour.cpp"), "print-memory")
    assert ended.returncode == -signal.SIGABRT
    assert f"ACLNN_SIM_MEMORY is '{size}'" in ended.stderr


@pytest.mark.parametrize(
    ("soc", "gradients"), [("Ascend910B3", "0 0 1 0"), ("Ascend910A", "1 1 1 1")]
)
def test_a_damaged_mask(soc: str, gradients: str, compiled: Callable[..., Path]) -> None:
    """Positions and bits outside a plane write nothing; a sound one beside them still counts."""
    ended = outcome_of(compiled("behaviour.cpp"), "damaged-mask", soc)
    assert ended.stdout == f"{gradients}\n"


def test_fault_elsewhere_ends_the_program_as_ever(compiled: Callable[..., Path]) -> None:
    """A fault that has nothing to do with device memory is an ordinary SIGSEGV."""
    ended = outcome_of(compiled("behaviour.cpp"), "foreign-fault-by-default")
    assert ended.returncode == -signal.SIGSEGV
    assert ended.stderr == ""


@pytest.mark.parametrize(
    ("soc", "printed"),
    [
        (None, "Ascend910B3 1"),
        ("Ascend950PR_9599", "Ascend950PR_9599 1"),
        ("Ascend910_9391", "Ascend910_9391 1"),
        ("Ascend310P3", "Ascend310P3 1"),
        ("Ascend910A", "Ascend910A 0"),
        ("Ascend910PremiumA", "Ascend910PremiumA 0"),
    ],
)
def test_soc_name(soc: str | None, printed: str, compiled: Callable[..., Path]) -> None:
    """ACLNN_SIM_SOC names the SoC; only the training products have no Inf and NaN."""
    assert outcome_of(compiled("behaviour.cpp"), "print-product", soc).stdout == f"{printed}\n"


@pytest.mark.parametrize(
    ("settings", "printed"),
    [
        ({}, "++++++++"),
        ({"ACLNN_SIM_DEVICES": "3"}, "+++"),
        ({"ACLNN_SIM_DEVICES": "0"}, ""),
        ({"ASCEND_RT_VISIBLE_DEVICES": "5,1"}, "++"),
        ({"ASCEND_RT_VISIBLE_DEVICES": "5,9,1"}, "+"),
        ({"ASCEND_RT_VISIBLE_DEVICES": "5,1,5"}, "++"),
        ({"ASCEND_RT_VISIBLE_DEVICES": "5,none"}, "+"),
        ({"ASCEND_RT_VISIBLE_DEVICES": ""}, ""),
        ({"ACLNN_SIM_BUSY": "0,2", "ACLNN_SIM_DEVICES": "4"}, "b+b+"),
        ({"ACLNN_SIM_BUSY": "1", "ASCEND_RT_VISIBLE_DEVICES": "5,1"}, "+b"),
    ],
)
def test_devices(
    settings: dict[str, str],
    printed: str,
    compiled: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each visible device can be set and is the current one then, unless another process has it."""
    for name in ("ACLNN_SIM_DEVICES", "ACLNN_SIM_BUSY", "ASCEND_RT_VISIBLE_DEVICES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    ended = outcome_of(compiled("behaviour.cpp"), "print-devices")
    assert (ended.stdout, ended.stderr) == (f"{printed}\n", "")


@pytest.mark.parametrize(
    ("name", "value"),
    [("ACLNN_SIM_DEVICES", "many"), ("ACLNN_SIM_DEVICES", "65"), ("ACLNN_SIM_BUSY", "0;1")],
)
def test_devices_that_cannot_be(
    name: str, value: str, compiled: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program ends with a sentence that names the variable and what it holds."""
    monkeypatch.setenv(name, value)
    ended = outcome_of(compiled("behaviour.cpp"), "print-devices")
    assert ended.returncode == -signal.SIGABRT
    assert f"{name} is '{value}'" in ended.stderr
