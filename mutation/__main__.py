# SPDX-License-Identifier: Apache-2.0
"""Mutate and count what is noticed: ``python -m mutation python|cpp|page``."""

from __future__ import annotations

import argparse
from pathlib import Path

from mutation.subjects import PYTHON


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m mutation", description=__doc__)
    parser.add_argument("half", choices=["python"])
    parser.add_argument("--only", nargs="*", default=[], help="words that the files' paths hold")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--again", action="store_true", help="try survivors again")
    parser.add_argument("--store", type=Path, default=Path(".cache/mutation"))
    options = parser.parse_args()
    root = Path(__file__).resolve().parent.parent
    files = [file for group in PYTHON.values() for file in group]
    chosen = [file for file in files if _is_wanted(file, options.only)]
    from mutation.python_run import run  # noqa: PLC0415 - each half needs packages of its own

    run(root, chosen, root / options.store, options.processes, again=options.again)


def _is_wanted(file: str, words: list[str]) -> bool:
    return not words or any(word in file for word in words)


if __name__ == "__main__":
    main()
