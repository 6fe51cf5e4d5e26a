# SPDX-License-Identifier: Apache-2.0
"""Print all speed figures: ``python -m tools.benchmarks [elements|runner|tiers]``.

The exit status is 1 if a promised speed was not reached.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence

from tools.benchmarks import MissedTargetError

NAMES = ("elements", "runner", "tiers")


def missed(names: Sequence[str]) -> Iterator[str]:
    """Run benchmarks; yield what was promised of each and not reached."""
    for name in names:
        try:
            # Each is imported by itself: only the first one needs PyTorch.
            importlib.import_module(f"tools.benchmarks.{name}").main()
        except MissedTargetError as error:  # noqa: PERF203 - the others are to be seen, too
            yield str(error)


def main() -> None:
    """Run the benchmarks that the command line names, or all."""
    chosen = sys.argv[1:] or NAMES
    if unknown := [name for name in chosen if name not in NAMES]:
        sys.exit(f"there is no benchmark {unknown[0]!r}; choose among {', '.join(NAMES)}")
    if complaints := list(missed(chosen)):
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
