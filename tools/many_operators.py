# SPDX-License-Identifier: Apache-2.0
"""Results of as many operators as CANN has: those of a real run, copied under other names.

Usage: PYTHONPATH=. python -m tools.many_operators RESULTS FOLDER [--operators 700]

Writes into the folder the page of a run in which three operators fail, of the same with three other
products, its results and those of a baseline; and a store of 60 nights on four products with its
dashboard. Says how long each took and how large it is.
"""

from __future__ import annotations

import argparse
import itertools
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from aclnn_cts.judge.features import MUST_BE_REFUSED, RETURNS
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.page import write_page
from aclnn_cts.report.view import label_runs
from aclnn_cts.results.cases import CaseEntry, CaseFile
from aclnn_cts.results.document import (
    ResultsDocument,
    TestedClauses,
    read_results,
    totals,
    write_document,
)
from aclnn_cts.store.dashboard import write_dashboard
from aclnn_cts.store.folder import open_store
from aclnn_cts.store.recording import recording
from aclnn_cts.store.runs import Selection

PRODUCTS = ("atlas-a2", "ascend-950", "atlas-a3", "atlas-inference")
STATUS = "561002"
NIGHTS = 60


def copies(
    document: ResultsDocument,
    operators: int,
    failing: Sequence[str] = (),
    product: str = PRODUCTS[0],
    most_cases: int | None = None,
) -> ResultsDocument:
    """Return the results of a run with so many operators.

    Args:
        document: The results of a real run.
        failing: Operators that fail: the first one refuses float32, the others compute wrong
            values in float32.
        most_cases: Maximum number of cases of an operator.
    """
    cases_of: dict[str, list[CaseEntry]] = {}
    for case in document.cases:
        cases_of.setdefault(case.operator, []).append(case)
    pairs = tuple(itertools.islice(_names(tuple(cases_of)), operators))
    cases = CaseFile.collect(
        _copy(case, copy, failing) for copy, name in pairs for case in cases_of[name][:most_cases]
    )
    tested = TestedClauses()
    for case in cases:
        tested.add(case)

    def copied(entries: Sequence[Any]) -> tuple[Any, ...]:
        of_operator: dict[str, list[Any]] = {}
        for entry in entries:
            of_operator.setdefault(entry.operator, []).append(entry)
        return tuple(
            replace(entry, operator=copy)
            for copy, name in pairs
            for entry in of_operator.get(name, ())
        )

    families = {copy: document.scope.families.get(name, "other") for copy, name in pairs}
    changes = {
        "cases": cases,
        "totals": totals(case.outcome for case in cases),
        "clauses": tuple(
            replace(clause, verdict=count.state, cases=count.cases)
            for clause in copied(document.clauses)
            for count in [tested[clause.operator, clause.clause]]
        ),
        "not_promised": copied(document.not_promised),
        "document_gaps": copied(document.document_gaps),
        "contract_only": tuple(copy for copy, name in pairs if name in document.contract_only),
        "device": replace(document.device, product=product),
        "scope": document.scope.model_copy(update={"families": families}),
        "nonce": secrets.token_hex(16),
    }
    return document.model_copy(update=changes)


def _names(operators: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield names of copies with their originals; every second copy has a long name."""
    yield from zip(operators, operators, strict=True)
    for number in itertools.count(2):
        for name in operators:
            yield f"{name}{'FinalizeRoutingWeightNz' * (number % 2)}V{number}", name


def _copy(case: CaseEntry, operator: str, failing: Sequence[str]) -> CaseEntry:
    """Return a case of the copy of its operator, which fails if the copy does."""
    _, _, rest = case.id.partition(".")
    changes: dict[str, Any] = {
        "id": f"{operator.removeprefix('aclnn')}.{rest}",
        "operator": operator,
    }
    if operator in failing and case.dtype == "float32" and MUST_BE_REFUSED not in case.facts:
        refused = operator == failing[0]
        message = (
            f"phase one returns {STATUS}, expected ACLNN_SUCCESS"
            if refused
            else "17 of 1024 elements of out are wrong"
        )
        changes |= {
            "verdict": Verdict.FAIL,
            "broken": case.exercised[-1:],
            "kinds": ("status",) if refused else ("value",),
            "message": message,
            "story": f"FAIL\ncall:   {operator}\n  self: float32[4, 9]\nagain:  it",
            "facts": (*case.facts, f"{RETURNS}{STATUS}") if refused else case.facts,
            "standards": {} if refused else case.standards,
        }
    return case.model_copy(update=changes)


def fill_store(
    document: ResultsDocument, folder: Path, operators: int, nights: int = NIGHTS
) -> None:
    """Fill a store with nights of all products; one operator failed for a while, one does now."""
    started = datetime.fromisoformat(document.started)
    names = tuple(dict.fromkeys(case.operator for case in document.cases if case.standards))
    small = copies(document, len(document.scope.families), most_cases=4)
    clauses = tuple(clause for clause in small.clauses if clause.cases)
    small = small.model_copy(update={"clauses": clauses[:: max(1, len(clauses) // 1000)]})
    runs = {
        (product, failing): copies(small, operators, failing, product)
        for product in PRODUCTS
        for failing in ((), names[:1], names[-1:])
    }
    with open_store(str(folder), create=True) as store, recording(store) as recorder:
        for night in range(nights):
            sixth = 6 * night // nights
            failing = {2: names[:1], 5: names[-1:]}.get(sixth, ())
            day = (started + timedelta(days=night)).isoformat()
            for product in PRODUCTS:
                changes = {"started": day, "nonce": secrets.token_hex(16)}
                run = runs[product, failing].model_copy(update=changes)
                recorder.record(run, recorded=day, label="", report="")


def main() -> None:
    """Write page, results and dashboard."""
    parser = argparse.ArgumentParser()
    parser.add_argument("results", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--operators", type=int, default=700)
    options = parser.parse_args()
    document, folder = read_results(options.results), options.folder
    names = tuple(dict.fromkeys(case.operator for case in document.cases if case.standards))
    failing = names[:: max(1, len(names) // 3)][:3]
    base = copies(document, options.operators, (), most_cases=100)
    runs = [copies(document, options.operators, failing, each, 100) for each in PRODUCTS]
    for name, run in (("baseline", base), ("failing", runs[0])):
        (folder / name).mkdir(parents=True)
        write_document(run, folder / name)
    for name, shown in (("one", runs[:1]), ("four", runs)):
        began = time.monotonic()
        page = write_page(label_runs(shown), folder / f"{name}.html", base)
        print(f"{page}: {page.stat().st_size:,} bytes, {time.monotonic() - began:.1f} s")
    if not (folder / "store").is_dir():
        fill_store(document, folder / "store", options.operators)
    with open_store(str(folder / "store")) as store:
        began = time.monotonic()
        wall = write_dashboard(store, Selection(), folder / "dashboard")
        size = sum(path.stat().st_size for path in wall.parent.iterdir())
        print(
            f"{wall}: {wall.stat().st_size:,} bytes, all {size:,}, {time.monotonic() - began:.1f} s"
        )


if __name__ == "__main__":
    main()
