# SPDX-License-Identifier: Apache-2.0
"""Mutate and count what is noticed: ``python -m mutation python|cpp|page``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from mutation.mutants import Mutant
from mutation.subjects import CPP, PYTHON

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m mutation", description=__doc__)
    parser.add_argument("half", choices=["python", "cpp", "page"])
    parser.add_argument("--only", nargs="*", default=[], help="words that the files' paths hold")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--again", action="store_true", help="try Python's survivors again")
    parser.add_argument("--minutes", type=float, default=60, help="time for the C++ half")
    parser.add_argument("--store", type=Path, default=Path(".cache/mutation"))
    options = parser.parse_args()
    store = ROOT / options.store
    if options.half == "page":
        print("\n".join(_page(store)))
    elif options.half == "python":
        from mutation.python_run import run  # noqa: PLC0415 - each half needs other packages

        files = _wanted(_python_files(), options.only)
        run(ROOT, files, store, options.processes, again=options.again)
    else:
        from aclnn_cts.suite import find_suite  # noqa: PLC0415 - not before a mutant's import
        from mutation import cpp_run  # noqa: PLC0415

        files = _wanted(CPP, options.only)
        cpp_run.run(find_suite(), files, store, options.processes, options.minutes)


def _python_files() -> list[str]:
    return [file for group in PYTHON.values() for file in group]


def _wanted(files: Iterable[str], words: Sequence[str]) -> list[str]:
    return [file for file in files if not words or any(word in file for word in words)]


def _page(store: Path) -> list[str]:
    """Return the lines of the page: both halves, as far as their outcomes are kept."""
    from mutation import arguments, cpp_mutants, kept, page, python_mutants  # noqa: PLC0415

    known = arguments.read(Path(__file__).with_name("arguments.yaml"))
    lines: list[str] = []
    makers: list[tuple[str, Iterable[str], Callable[[Path, str], list[Mutant]]]] = [
        ("python", _python_files(), python_mutants.mutants_of),
        ("cpp", CPP, cpp_mutants.mutants_of),
    ]
    for half, files, make in makers:
        made = {file: make(ROOT, file) for file in files}
        kept_ones = kept.read(store / f"{half}.jsonl")
        current = [mutant.digest for mutants in made.values() for mutant in mutants]
        outcomes = page.judged([kept_ones[d] for d in current if d in kept_ones], known)
        numbers = {file: len(mutants) for file, mutants in made.items()}
        table = page.python_table if half == "python" else page.cpp_table
        lines += [*table(numbers, outcomes), "", *page.survivor_list(outcomes, known), ""]
    return lines


if __name__ == "__main__":
    main()
