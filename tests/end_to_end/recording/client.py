# SPDX-License-Identifier: Apache-2.0
"""A program that loads operators as frameworks do, by ctypes, and calls them in threads.

It looks for each function in the packages of ``ASCEND_CUSTOM_OPP_PATH``, then in the toolkit.

    client.py LIBRARIES THREADS CALLS [kill]
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

FLOAT, ND = 0, 2


class Operators:
    """The functions that a process finds."""

    def __init__(self, libraries: Path) -> None:
        packages = os.environ.get("ASCEND_CUSTOM_OPP_PATH", "").split(os.pathsep)
        paths = [Path(p, "op_api", "lib", "libcust_opapi.so") for p in packages if p]
        paths.append(libraries / "libopapi.so")
        self.acl = ctypes.CDLL(str(libraries / "libascendcl.so"))
        self.libraries = [ctypes.CDLL(str(path)) for path in paths if path.is_file()]

    def __call__(self, name: str, *arguments: object, result: Any = ctypes.c_int) -> Any:
        for library in self.libraries:
            if hasattr(library, name):
                function = library[name]  # a new object: threads set types of their own
                function.restype = result
                return function(*arguments)
        raise AttributeError(name)


def tensor(
    operators: Operators,
    memory: ctypes.c_void_p,
    shape: tuple[int, ...],
    strides: tuple[int, ...] | None = None,
) -> Any:
    dims = (ctypes.c_int64 * len(shape))(*shape)
    steps = (ctypes.c_int64 * len(shape))(*strides) if strides else None
    return operators(
        "aclCreateTensor",
        *(dims, ctypes.c_uint64(len(shape)), FLOAT, steps, ctypes.c_int64(0), ND),
        *(dims, ctypes.c_uint64(len(shape)), memory),
        result=ctypes.c_void_p,
    )


def work(operators: Operators, calls: int) -> None:
    """Alternate between two operators; each 100th call has another shape."""
    assert operators.acl.aclrtSetDevice(0) == 0
    stream = ctypes.c_void_p()
    assert operators.acl.aclrtCreateStream(ctypes.byref(stream)) == 0
    memory = ctypes.c_void_p()
    assert operators.acl.aclrtMalloc(ctypes.byref(memory), ctypes.c_size_t(4096), 0) == 0
    few, many = tensor(operators, memory, (7,)), tensor(operators, memory, (3, 4))
    view = tensor(operators, memory, (2, 3), (1, 2))
    out = tensor(operators, memory, (2, 3))
    alpha = ctypes.c_float(0.25)
    scalar = operators("aclCreateScalar", ctypes.byref(alpha), FLOAT, result=ctypes.c_void_p)
    for number in range(calls):
        pair = {0: (few, few), 50: (view, out)}.get(number % 100, (many, many))
        size, executor = ctypes.c_uint64(), ctypes.c_void_p()
        name, *further = ("aclnnSilu",) if number % 2 else ("aclnnCelu", ctypes.c_void_p(scalar))
        arguments = (ctypes.c_void_p(pair[0]), *further, ctypes.c_void_p(pair[1]))
        phase_one = (*arguments, ctypes.byref(size), ctypes.byref(executor))
        assert operators(f"{name}GetWorkspaceSize", *phase_one) == 0
        workspace = ctypes.c_void_p()
        if size.value:
            operators.acl.aclrtMalloc(ctypes.byref(workspace), size, 0)
        assert operators(name, workspace, size, executor, stream) == 0
        assert operators.acl.aclrtSynchronizeStream(stream) == 0
        if workspace:
            operators.acl.aclrtFree(workspace)
    operators("aclDestroyScalar", ctypes.c_void_p(scalar))
    for each in (few, many, view, out):
        operators("aclDestroyTensor", ctypes.c_void_p(each))
    operators.acl.aclrtFree(memory)
    operators.acl.aclrtDestroyStream(stream)
    size, executor = ctypes.c_uint64(), ctypes.c_void_p()
    refused = operators(
        "aclnnSiluGetWorkspaceSize", None, None, ctypes.byref(size), ctypes.byref(executor)
    )
    assert refused == 161001


def main(libraries: str, threads: str, calls: str, end: str = "") -> None:
    operators = Operators(Path(libraries))
    assert operators.acl.aclInit(None) == 0
    workers = [
        threading.Thread(target=work, args=(operators, int(calls))) for _ in range(int(threads))
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if end == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    assert operators.acl.aclFinalize() == 0


main(*sys.argv[1:])
