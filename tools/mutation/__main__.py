# SPDX-License-Identifier: Apache-2.0
"""Mutate and count what is noticed: ``python -m tools.mutation python|cpp|page``."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tools.mutation.mutants import Mutant, Outcome, read
from tools.mutation.subjects import CPP, PYTHON

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument("half", choices=["python", "cpp", "page"])
    parser.add_argument("--only", nargs="*", default=[], help="words that the files' paths hold")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--again", action="store_true", help="try Python's survivors again")
    parser.add_argument("--minutes", type=float, default=60, help="time for new mutants")
    parser.add_argument("--store", type=Path, default=Path(".cache/mutation"))
    options = parser.parse_args()
    store = ROOT / options.store
    if options.half == "page":
        _renew(ROOT / "docs" / "qualification.md", store)
    elif options.half == "python":
        from tools.mutation.python_run import Effort, run  # noqa: PLC0415 - each half needs others

        files = _wanted(_python_files(), options.only)
        effort = Effort(options.processes, options.minutes, again=options.again)
        run(ROOT, files, store, effort)
    else:
        from aclnn_cts.suite import find_suite  # noqa: PLC0415 - not before a mutant's import
        from tools.mutation import cpp_run  # noqa: PLC0415

        files = _wanted(CPP, options.only)
        cpp_run.run(find_suite(), files, store, options.processes, options.minutes)


def _python_files() -> list[str]:
    return [file for group in PYTHON.values() for file in group]


def _wanted(files: Iterable[str], words: Sequence[str]) -> list[str]:
    return [file for file in files if not words or any(word in file for word in words)]


def _renew(document: Path, store: Path) -> None:
    """Put what is kept of both halves into the document."""
    from tools.mutation import arguments, cpp_mutants, page, python_mutants  # noqa: PLC0415

    known = arguments.read(Path(__file__).with_name("arguments.yaml"))
    lines: list[str] = []
    for group, files in PYTHON.items():
        made = {file: python_mutants.mutants_of(ROOT, file) for file in files}
        outcomes = page.judged(_kept(store / "python.jsonl", made), known)
        table = page.python_table(_numbers(made), outcomes)
        lines += [f"### {group.capitalize()}", "", *table, ""]
        lines += [*page.survivor_list(outcomes, known), ""]
    made = {file: cpp_mutants.mutants_of(ROOT, file) for file in CPP}
    outcomes = page.judged(_kept(store / "cpp.jsonl", made), known)
    lines += ["### Simulated operators", "", *page.cpp_table(_numbers(made), outcomes), ""]
    lines += [*page.survivor_list(outcomes, known), ""]
    document.write_text(page.renewed(document.read_text(), lines))


def _numbers(made: Mapping[str, Sequence[Mutant]]) -> dict[str, int]:
    return {file: len(mutants) for file, mutants in made.items()}


def _kept(path: Path, made: Mapping[str, Sequence[Mutant]]) -> list[Outcome]:
    """Return what is kept of the mutants that the files have now."""
    known = read(path)
    digests = [mutant.digest for mutants in made.values() for mutant in mutants]
    return [known[digest] for digest in digests if digest in known]


if __name__ == "__main__":
    main()
