# SPDX-License-Identifier: Apache-2.0
"""Headers can be included in any order: each includes what it uses."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.processes import ended

from aclnn_cts.run.build import find_compiler
from aclnn_cts.suite import find_suite

SUITE = find_suite()
PLACES = [
    *(SUITE.simulator / name for name in ("include", "src", "")),
    *(SUITE.harness / name for name in ("include", "src", "recorder", "reproducer")),
]


def first_error(header: Path) -> str:
    """Return the compiler's message, nothing if the header compiles by itself."""
    done = ended(
        [
            *(find_compiler().path, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"),
            *(f"-I{place}" for place in PLACES),
            *("-include", str(header), "-x", "c++", "/dev/null"),
        ]
    )
    return done.stderr


def test_every_header_compiles_alone() -> None:
    headers = sorted({path for place in PLACES for path in place.rglob("*.h")})
    assert {"computations.h", "softmax_backward.h", "report.h"} <= {path.name for path in headers}
    with ThreadPoolExecutor(2) as pool:
        errors = [*filter(None, pool.map(first_error, headers))]
    assert errors == []
