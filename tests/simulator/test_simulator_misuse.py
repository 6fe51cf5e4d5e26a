# SPDX-License-Identifier: Apache-2.0
"""Misuse of the simulated device ends the program with a sentence that names it."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.processes import ended

ADDRESS = "0x[0-9a-f]+"

SENTENCES = {
    "call-before-init": "aclrtSetDevice was called outside aclInit and aclFinalize; "
    "call aclInit first",
    "tensor-before-init": "aclCreateTensor was called outside aclInit and aclFinalize; "
    "call aclInit first",
    "call-before-device": "aclrtMalloc was called while no device is set; "
    "call aclrtSetDevice first",
    "call-after-reset": "aclrtMalloc was called while no device is set; call aclrtSetDevice first",
    "reset-another-device": "aclrtResetDevice: device 1 is not in use; "
    "reset each device as often as it was set",
    "exit-without-finalize": "the program ended between aclInit and aclFinalize; "
    "call aclFinalize before it ends",
    "host-reads": "host code touched device memory at {}; "
    "copy between host and device with aclrtMemcpy",
    "host-writes": "host code touched device memory at {}; "
    "copy between host and device with aclrtMemcpy",
    "free-twice": "aclrtFree: device memory {} was already freed; free each piece once",
    "free-inside": "aclrtFree: {} is not the start of device memory; free what aclrtMalloc gave",
    "free-host": "aclrtFree: {} is not device memory; free only what aclrtMalloc gave",
    "memory-leak": "aclFinalize: pieces of device memory not freed: 1, among them {} of 100 bytes; "
    "call aclrtFree for each",
    "host-memory-leak": "aclFinalize: pieces of host memory not freed: 1, "
    "among them {} of 100 bytes; call aclrtFreeHost for each",
    "free-host-twice": "aclrtFreeHost: {} is not live memory from aclrtMallocHost; "
    "free each piece once",
    "copy-past-device": "aclrtMemcpy: destination {} needs 129 bytes but its memory {} "
    "of 96 bytes ends after 128; allocate more",
    "copy-past-host": "aclrtMemcpy: destination {} needs 97 bytes but its memory from "
    "aclrtMallocHost ends after 96; allocate more",
    "copy-from-freed": "aclrtMemcpy: source {} is not in live device memory; "
    "it was freed, or never allocated",
    "copy-wrong-source": "aclrtMemcpy: the kind expects device memory as source, "
    "but {} is host memory; pass the right kind",
    "copy-wrong-destination": "aclrtMemcpy: the kind expects host memory as destination, "
    "but {} is device memory; pass the right kind",
    "copy-freed-before-synchronise": "aclrtMemcpyAsync: source {} is not in live device memory; "
    "it was freed, or never allocated",
    "set-unknown-host": "aclrtMemset: {} is neither device memory nor memory from "
    "aclrtMallocHost; use memset",
    "stream-destroyed-twice": "aclrtDestroyStream: stream {} was already destroyed; "
    "create a stream with aclrtCreateStream",
    "stream-unknown": "aclrtSynchronizeStream: {} is not a live stream; "
    "create a stream with aclrtCreateStream",
    "stream-leak": "aclFinalize: 1 of kind stream not released, among them stream {}; "
    "call aclrtDestroyStream for each",
    "event-leak": "aclFinalize: 1 of kind event not released, among them event {}; "
    "call aclrtDestroyEvent for each",
    "event-destroyed-used": "aclrtRecordEvent: event {} was already destroyed; "
    "create an event with aclrtCreateEvent",
    "tensor-leak": "aclFinalize: 1 of kind aclTensor not released, among them aclTensor {}; "
    "call aclDestroyTensor for each",
    "tensor-destroyed-twice": "aclDestroyTensor: aclTensor {} was already destroyed; "
    "create a tensor with aclCreateTensor",
    "tensor-destroyed-used": "x: aclTensor {} was already destroyed; "
    "create a tensor with aclCreateTensor",
    "tensor-view-leaves-storage": "aclCreateTensor: the view (2, 3) with strides (3, 1) and "
    "offset 1 reaches element 6 but the storage (6) ends before it; "
    "give the storage shape that the memory has",
    "tensor-storage-leaves-memory": "aclCreateTensor: tensorData {} needs 68 bytes but its memory "
    "{} of 32 bytes ends after 64; allocate more",
    "tensor-unaligned": "aclCreateTensor: tensorData {} is not aligned to 32 bytes; align it",
    "tensor-on-host": "aclCreateTensor: tensorData {} is not device memory; "
    "pass an address from aclrtMalloc",
    "tensor-without-memory-launched": "running an operator: tensorData {} is not device memory; "
    "pass an address from aclrtMalloc",
    "tensor-memory-freed-before-synchronise": "running an operator: tensorData {} is not in live "
    "device memory; it was freed, or never allocated",
    "array-leak": "aclFinalize: 1 of kind aclIntArray not released, among them aclIntArray {}; "
    "call aclDestroyIntArray for each",
    "bool-array-leak": "aclFinalize: 1 of kind aclBoolArray not released, among them "
    "aclBoolArray {}; call aclDestroyBoolArray for each",
    "scalar-leak": "aclFinalize: 1 of kind aclScalar not released, among them aclScalar {}; "
    "call aclDestroyScalar for each",
    "executor-never-launched": "aclFinalize: 1 of kind aclOpExecutor not released, among them "
    "aclOpExecutor {} (planned by aclnnLogitGradGetWorkspaceSize); "
    "launch each, or call aclDestroyAclOpExecutor for it",
    "tensor-list-leak": "aclFinalize: 1 of kind aclTensorList not released, among them "
    "aclTensorList {}; call aclDestroyTensorList for each",
    "tensor-of-a-list-destroyed-alone": "aclDestroyTensorList: aclTensor {} was already destroyed; "
    "create a tensor with aclCreateTensor",
    "executor-launched-twice": "aclnnLogitGrad: aclOpExecutor {} "
    "(planned by aclnnLogitGradGetWorkspaceSize) was already launched; "
    "call the GetWorkspaceSize function again, or aclSetAclOpExecutorRepeatable "
    "before the first launch",
    "executor-repeatable-leak": "aclFinalize: 1 of kind aclOpExecutor not released, among them "
    "aclOpExecutor {} (planned by aclnnLogitGradGetWorkspaceSize); "
    "launch each, or call aclDestroyAclOpExecutor for it",
    "call-in-thread-without-device": "aclrtMalloc was called while no device is set; "
    "call aclrtSetDevice first",
    "context-unknown": "aclrtSetCurrentContext: {} is no context; "
    "pass one of aclrtGetCurrentContext",
    "model-leak": "aclFinalize: 1 of kind model not released, among them model {}; "
    "call aclmdlRIDestroy for each",
    "executor-not-repeatable-moved": "aclSetInputTensorAddr: the executor is not repeatable; "
    "call aclSetAclOpExecutorRepeatable first",
    "tensor-moved-at-wrong-index": "aclSetInputTensorAddr: the tensor with this index is "
    "another one; pass the right index",
    "executor-of-other-operator": "aclnnGroupNormSwishGrad: executor {} was planned for "
    "aclnnLogitGrad; launch it with that function",
    "workspace-too-small": "aclnnGroupNormSwishGrad: the workspace has 15 bytes but 16 are needed; "
    "pass what GetWorkspaceSize returned",
    "workspace-null": "aclnnGroupNormSwishGrad: the workspace is null but 16 bytes are needed; "
    "allocate them with aclrtMalloc",
    "workspace-unaligned": "aclnnGroupNormSwishGrad: the workspace {} is not aligned to 32 bytes; "
    "align it",
    "workspace-leaves-memory": "aclnnGroupNormSwishGrad: the workspace {} needs 100 bytes but its "
    "memory {} of 64 bytes ends after 96; allocate more",
    "workspace-freed-before-synchronise": "aclnnGroupNormSwishGrad: the workspace {} is not in "
    "live device memory; it was freed, or never allocated",
}


def end_of(
    program: Path, misuse: str, soc: str = "Ascend910B3", address_space: int | None = None
) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if address_space is not None:
            resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))

    environment = {**os.environ, "ACLNN_SIM_SOC": soc}
    return ended([str(program), misuse], env=environment, preexec_fn=limit)


def matches(sentence: str, text: str) -> bool:
    pattern = re.escape(f"simulator: {sentence}\n").replace(re.escape("{}"), ADDRESS)
    return re.fullmatch(pattern, text) is not None


@pytest.mark.parametrize("misuse", SENTENCES)
def test_misuse_aborts_with_its_sentence(misuse: str, compiled: Callable[..., Path]) -> None:
    """Each misuse ends the process by SIGABRT, and stderr holds exactly the sentence about it."""
    ended = end_of(compiled("misuse.cpp"), misuse)
    assert ended.returncode == -signal.SIGABRT
    assert matches(SENTENCES[misuse], ended.stderr), ended.stderr


def test_every_misuse_of_the_program_is_expected(compiled: Callable[..., Path]) -> None:
    """No misuse that the program knows is left out of the table above."""
    listed = end_of(compiled("misuse.cpp"), "no-such-misuse").stdout.split()
    assert sorted(listed) == sorted(SENTENCES)


def test_unknown_soc_is_refused(compiled: Callable[..., Path]) -> None:
    """A SoC name that belongs to no product ends the program at aclInit."""
    ended = end_of(compiled("misuse.cpp"), "exit-without-finalize", soc="Ascend42")
    assert ended.returncode == -signal.SIGABRT
    assert "ACLNN_SIM_SOC names the unknown SoC 'Ascend42'; use a name that" in ended.stderr


def test_unknown_edition_is_refused(
    compiled: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edition that the device does not know ends the program at aclInit."""
    monkeypatch.setenv("ACLNN_SIM_EDITION", "later")
    ended = end_of(compiled("misuse.cpp"), "exit-without-finalize")
    assert ended.returncode == -signal.SIGABRT
    assert matches(
        "ACLNN_SIM_EDITION names the unknown edition 'later'; use current or earlier", ended.stderr
    )


def test_lack_of_address_space_is_told(compiled: Callable[..., Path]) -> None:
    """Where the arena does not fit into the address space, the program says how to make room."""
    ended = end_of(compiled("misuse.cpp"), "exit-without-finalize", address_space=4 << 30)
    assert ended.returncode == -signal.SIGABRT
    assert "bytes of address space for device memory" in ended.stderr


def test_memory_ends_earlier_on_ascend_950(compiled: Callable[..., Path]) -> None:
    """On Ascend 950 the room behind a piece is only what fills it up to 32 bytes."""
    ended = end_of(compiled("misuse.cpp"), "copy-past-device", soc="Ascend950PR_9599")
    assert ended.returncode == -signal.SIGABRT
    assert "of 96 bytes ends after 96; allocate more" in ended.stderr
