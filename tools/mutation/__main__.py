# SPDX-License-Identifier: Apache-2.0
"""Mutate and count what is noticed: ``python -m tools.mutation python|cpp|page``."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from tools.mutation.mutants import Outcome, read
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

        files = _select(_python_files(), options.only)
        effort = Effort(options.processes, options.minutes, again=options.again)
        run(ROOT, files, store, effort)
    else:
        from aclnn_cts.suite import find_suite  # noqa: PLC0415 - not before a mutant's import
        from tools.mutation import cpp_run  # noqa: PLC0415

        files = _select(CPP, options.only)
        cpp_run.run(find_suite(), files, store, options.processes, options.minutes)


def _python_files() -> list[str]:
    return [file for group in PYTHON.values() for file in group]


def _select(files: Iterable[str], words: Sequence[str]) -> list[str]:
    return [file for file in files if not words or any(word in file for word in words)]


def _renew(document: Path, store: Path) -> None:
    """Put what is kept of both halves into the document."""
    from tools.mutation import arguments, cpp_mutants, page, python_mutants  # noqa: PLC0415

    known_arguments = arguments.read(Path(__file__).with_name("arguments.yaml"))
    kept_outcomes = {**read(store / "python.jsonl"), **read(store / "cpp.jsonl")}
    groups: dict[str, tuple[int, list[Outcome]]] = {}
    for group, files in {**PYTHON, "simulated operators": tuple(CPP)}.items():
        tool = cpp_mutants if group not in PYTHON else python_mutants
        digests = [mutant.digest for file in files for mutant in tool.mutants_of(ROOT, file)]
        outcomes = page.judge(
            [kept_outcomes[digest] for digest in digests if digest in kept_outcomes],
            known_arguments,
        )
        groups[group] = len(digests), outcomes
    survivors = page.survivor_list(
        [each for _, group_outcomes in groups.values() for each in group_outcomes], known_arguments
    )
    lines = [*page.table(groups), "", *survivors, ""]
    document.write_text(page.renew(document.read_text(), lines))


if __name__ == "__main__":
    main()
