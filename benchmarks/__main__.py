# SPDX-License-Identifier: Apache-2.0
"""Print all speed figures: ``python -m benchmarks [elements|runner|tiers]``."""

from __future__ import annotations

import sys

from benchmarks import elements, runner, tiers


def main() -> None:
    """Run the benchmarks that the command line names, or all."""
    chosen = sys.argv[1:] or ["elements", "runner", "tiers"]
    for name in chosen:
        {"elements": elements.main, "runner": runner.main, "tiers": tiers.main}[name]()


if __name__ == "__main__":
    main()
