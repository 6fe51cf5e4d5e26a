# SPDX-License-Identifier: Apache-2.0
"""Judge large tensors, and print the seconds: what :mod:`tools.benchmarks.speed` runs and compares.

The device's outputs are the expected values. The first call of a process is included.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from aclnn_cts.golden.expectations import expect_call
from aclnn_cts.golden.expected import Outcome
from aclnn_cts.judge.comparison import compare
from aclnn_cts.judge.standards import yardstick_of
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite
from tools.benchmarks.calls import calls


def main(numel: int) -> None:
    """Print operator, type, elements and processor seconds of each call."""
    specs = load_specs(find_suite())
    for dtype in ("float32", "float16"):
        for call in calls(numel, dtype):
            arguments = (specs, call.operator, call.inputs, call.attributes, "atlas-a2")
            expected = {
                name: expectation.whole() for name, expectation in expect_call(*arguments).items()
            }
            with np.errstate(over="ignore"):
                actual = {
                    name: np.where(
                        expectation.allowed & Outcome.ZERO, 0.0, expectation.value
                    ).astype(DATA_TYPES[dtype].numpy)
                    for name, expectation in expected.items()
                }
            started = time.process_time()
            for name, expectation in expect_call(*arguments).items():
                compare(name, actual[name], expectation, yardstick_of(dtype, specs.precision))
            print(call.operator, dtype, numel, time.process_time() - started)


if __name__ == "__main__":
    main(int(sys.argv[1]))
