# SPDX-License-Identifier: Apache-2.0
"""Plays one simulated device: reads pickled calls from stdin, writes pickled results to stdout.

A process of its own, because the product is chosen once per process and misuse ends it.
"""

from __future__ import annotations

import ctypes
import pickle
import sys
from pathlib import Path
from typing import Any

GUARD_BYTES = 64
GUARD = b"\x77" * GUARD_BYTES
WORKSPACE_POISON = 0x5A


class Library:
    """The three libraries of an installed simulator, and one stream."""

    def __init__(self, lib64: Path) -> None:
        self.acl = ctypes.CDLL(str(lib64 / "libascendcl.so"), mode=ctypes.RTLD_GLOBAL)
        self.meta = ctypes.CDLL(str(lib64 / "libnnopbase.so"), mode=ctypes.RTLD_GLOBAL)
        self.operators = ctypes.CDLL(str(lib64 / "libopapi.so"))
        self.acl.aclGetRecentErrMsg.restype = ctypes.c_char_p
        self.meta.aclCreateTensor.restype = ctypes.c_void_p
        self.meta.aclCreateIntArray.restype = ctypes.c_void_p
        self.acl.aclInit(None)
        self.acl.aclrtSetDevice(0)
        self.stream = ctypes.c_void_p()
        self.acl.aclrtCreateStream(ctypes.byref(self.stream))

    def close(self) -> None:
        """Releases everything, as the device demands."""
        self.acl.aclrtDestroyStream(self.stream)
        self.acl.aclrtResetDevice(0)
        self.acl.aclFinalize()

    def upload(self, payload: bytes) -> ctypes.c_void_p:
        """Device memory that holds `payload`."""
        address = ctypes.c_void_p()
        size = ctypes.c_size_t(len(payload))
        assert self.acl.aclrtMalloc(ctypes.byref(address), size, 0) == 0
        assert self.acl.aclrtMemcpy(address, size, payload, size, 1) == 0
        return address

    def download(self, address: ctypes.c_void_p, size: int) -> bytes:
        """The first `size` bytes of device memory."""
        buffer = ctypes.create_string_buffer(size)
        length = ctypes.c_size_t(size)
        assert self.acl.aclrtMemcpy(buffer, length, address, length, 2) == 0
        return buffer.raw


def int64s(values: list[int]) -> Any:
    """A C array."""
    return (ctypes.c_int64 * len(values))(*values)


class Call:
    """One operator call: the handles that it needs, and their release."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.memory: list[tuple[ctypes.c_void_p, int]] = []
        self.tensors: list[ctypes.c_void_p] = []
        self.arrays: list[ctypes.c_void_p] = []

    def argument(self, value: Any) -> Any:
        """The argument as ctypes passes it: handles for lists and tensors, null for None."""
        if value is None:
            return ctypes.c_void_p()
        if isinstance(value, list):
            return self.int_array(value)
        if isinstance(value, dict):
            return self.tensor(value)
        if isinstance(value, str):
            return ctypes.c_char_p(value.encode())
        if isinstance(value, float):
            return ctypes.c_double(value)
        # bool first: it is an int, too.
        return ctypes.c_bool(value) if isinstance(value, bool) else ctypes.c_int64(value)

    def int_array(self, values: list[int]) -> ctypes.c_void_p:
        """An aclIntArray."""
        handle = ctypes.c_void_p(
            self.library.meta.aclCreateIntArray(int64s(values), ctypes.c_uint64(len(values)))
        )
        self.arrays.append(handle)
        return handle

    def tensor(self, value: dict[str, Any]) -> ctypes.c_void_p:
        """An aclTensor on memory of its own, with a guard behind it."""
        address = self.library.upload(value["storage"] + GUARD)
        self.memory.append((address, len(value["storage"])))
        handle = self.library.meta.aclCreateTensor(
            int64s(value["shape"]),
            ctypes.c_uint64(len(value["shape"])),
            ctypes.c_int(value["dtype"]),
            int64s(value["strides"]),
            ctypes.c_int64(value["offset"]),
            ctypes.c_int(value["format"]),
            int64s(value["storage_shape"]),
            ctypes.c_uint64(len(value["storage_shape"])),
            address,
        )
        assert handle, self.library.acl.aclGetRecentErrMsg()
        self.tensors.append(ctypes.c_void_p(handle))
        return self.tensors[-1]

    def launch(self, name: str, size: int, executor: ctypes.c_void_p) -> tuple[int, bool]:
        """The status of phase two, and whether the bytes behind the workspace are untouched."""
        workspace = self.library.upload(bytes([WORKSPACE_POISON]) * size + GUARD)
        status = getattr(self.library.operators, name)(
            workspace if size else None, ctypes.c_uint64(size), executor, self.library.stream
        )
        self.library.acl.aclrtSynchronizeStream(self.library.stream)
        after = self.library.download(workspace, size + GUARD_BYTES)
        self.library.acl.aclrtFree(workspace)
        return status, after[size:] == GUARD

    def run(self, name: str, arguments: list[Any]) -> dict[str, Any]:
        """Both phases; the second one only when the first one succeeds."""
        converted = [self.argument(value) for value in arguments]
        size = ctypes.c_uint64(0xDEAD)
        executor = ctypes.c_void_p()
        plan = getattr(self.library.operators, name + "GetWorkspaceSize")
        status = plan(*converted, ctypes.byref(size), ctypes.byref(executor))
        launched, workspace_intact = None, True
        message = self.library.acl.aclGetRecentErrMsg()
        if status == 0:
            launched, workspace_intact = self.launch(name, size.value, executor)
        storages = [self.library.download(a, size + GUARD_BYTES) for a, size in self.memory]
        return {
            "status": status,
            "launched": launched,
            "message": message.decode() if message else "",
            "workspace": size.value,
            "storages": [storage[:-GUARD_BYTES] for storage in storages],
            "intact": workspace_intact and all(s.endswith(GUARD) for s in storages),
        }

    def release(self) -> None:
        """Destroys the handles and frees the memory."""
        for handle in self.tensors:
            self.library.meta.aclDestroyTensor(handle)
        for handle in self.arrays:
            self.library.meta.aclDestroyIntArray(handle)
        for address, _ in self.memory:
            self.library.acl.aclrtFree(address)


def main() -> None:
    library = Library(Path(sys.argv[1]))
    while True:
        try:
            name, arguments = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the tests
        except EOFError:
            break
        call = Call(library)
        result = call.run(name, arguments)
        call.release()
        pickle.dump(result, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    library.close()


if __name__ == "__main__":
    main()
