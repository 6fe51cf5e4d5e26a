# SPDX-License-Identifier: Apache-2.0
"""Mutate and count what is noticed: ``python -m mutation python|cpp|page``."""

from __future__ import annotations

import argparse
from pathlib import Path

from aclnn_cts.suite import find_suite

from mutation.subjects import CPP, PYTHON


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m mutation", description=__doc__)
    parser.add_argument("half", choices=["python", "cpp"])
    parser.add_argument("--only", nargs="*", default=[], help="words that the files' paths hold")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--again", action="store_true", help="try survivors again")
    parser.add_argument("--store", type=Path, default=Path(".cache/mutation"))
    parser.add_argument("--minutes", type=float, default=60, help="time for the C++ half")
    options = parser.parse_args()
    root = Path(__file__).resolve().parent.parent
    store = root / options.store
    if options.half == "python":
        from mutation.python_run import run  # noqa: PLC0415 - each half needs packages of its own

        files = [file for group in PYTHON.values() for file in group]
        chosen = [file for file in files if _is_wanted(file, options.only)]
        run(root, chosen, store, options.processes, again=options.again)
    else:
        from mutation import cpp_run  # noqa: PLC0415

        chosen = [file for file in CPP if _is_wanted(file, options.only)]
        cpp_run.run(find_suite(), chosen, store, options.processes, options.minutes)


def _is_wanted(file: str, words: list[str]) -> bool:
    return not words or any(word in file for word in words)


if __name__ == "__main__":
    main()
