# SPDX-License-Identifier: Apache-2.0
"""Print all speed figures, or those of some benchmarks: growth, large, runner, speed.

The exit status is 1 if a promised speed was not reached.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tools.benchmarks import MissedTargetError

NAMES = ("growth", "large", "runner", "speed")


def misses(names: Sequence[str], options: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Run benchmarks with their own options; yield what was promised of each and not reached."""
    for name in names:
        try:
            importlib.import_module(f"tools.benchmarks.{name}").main(**options.get(name, {}))
        except MissedTargetError as error:  # noqa: PERF203 - the others are to be seen, too
            yield str(error)


def main() -> None:
    """Run the benchmarks that the command line names, or all."""
    parser = argparse.ArgumentParser("python -m tools.benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="a benchmark; all if none is named"
    )
    parser.add_argument("--against", metavar="COMMIT", help="the state that speed is compared with")
    parser.add_argument("--cases", type=int, metavar="N", help="in the large results")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.names if name not in NAMES]:
        sys.exit(f"there is no benchmark {unknown[0]!r}; choose among {', '.join(NAMES)}")
    options: dict[str, Mapping[str, Any]] = {}
    options |= {"speed": {"against": arguments.against}} if arguments.against else {}
    options |= {"large": {"cases": arguments.cases}} if arguments.cases else {}
    if complaints := list(misses(arguments.names or NAMES, options)):
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
