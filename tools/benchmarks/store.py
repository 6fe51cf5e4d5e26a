# SPDX-License-Identifier: Apache-2.0
"""How long a results store of many runs takes to grow and to answer.

Usage: python -m tools.benchmarks.store FOLDER [--runs 1000] [--cases 4000] [--operators 5]

The store is filled by the function that ``aclnn-cts store add`` calls, with made-up runs: each
night one of four cards of two hosts, a new version of CANN each 100 nights, now and then a failing
case, one card that fails more often, times of two launches that differ each night. A store that
holds as many runs already is only asked.
"""

from __future__ import annotations

import argparse
import datetime
import resource
import secrets
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from aclnn_cts.judge.standards import Figures
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.results.document import (
    RESULTS_FORMAT,
    ClauseState,
    ClauseVerdict,
    ResultsDocument,
    SuiteEntry,
    totals,
)
from aclnn_cts.run.environment import Environment
from aclnn_cts.run.folder import Device
from aclnn_cts.store.dashboard import write_dashboard
from aclnn_cts.store.folder import Store, open_store
from aclnn_cts.store.history import Subject, history
from aclnn_cts.store.recording import recorded_document, recording
from aclnn_cts.store.runs import Selection, all_runs, select_runs
from aclnn_cts.store.statistics import flakiness, trends

_CLAUSES = 40
_DTYPES = ("float32", "float16", "bfloat16")


def plan(operators: int, cases: int) -> list[CaseEntry]:
    """Return the cases of each night, as they pass."""
    figures = Figures(
        passed=True,
        elements=297,
        compared=297,
        failing=0,
        first_failing=-1,
        output="out",
        matched_ratio=1.0,
        max_abs_error=1e-7,
        mean_relative_error=1e-8,
        max_relative_error=1e-7,
        worst_ulp=0.5,
        worst_share=0.4,
        mean_ulp=0.01,
        mean_abs_ulp=0.25,
    )
    entries = []
    for number in range(cases):
        operator, place = number % operators, number // operators
        dtype = _DTYPES[place % len(_DTYPES)]
        exercised = tuple(f"clause-{(place + step) % _CLAUSES}" for step in range(20))
        standard = replace(figures, worst_ulp=0.5 + place / cases, max_abs_error=1e-7 * place)
        entries.append(
            CaseEntry(
                id=f"Made{operator}.scene-{place % 12}.{dtype}.4x9.{number:010x}",
                operator=f"aclnnMade{operator}",
                verdict=Verdict.PASS,
                scene=f"scene-{place % 12}",
                dtype=dtype,
                broken=(),
                exercised=exercised,
                kinds=(),
                standards={"strict": standard},
                resolving=None,
                host="",
                card=-1,
                seconds=0.001,
                device_microseconds=(),
                message="",
                remarks=(),
                samples=(),
                story="",
                waiver=None,
                facts=(),
                pictures=(),
                tries=0,
                confirmed=False,
                after=(),
                only_in=(),
                unenforced=(),
                basis=None,
            )
        )
    return entries


def night(number: int, cases: list[CaseEntry], operators: int) -> ResultsDocument:
    """Return the run of one night."""
    card = number % 4
    entries = tuple(_cases_of_night(number, card, cases))
    broken = {(entry.operator, *entry.broken) for entry in entries if entry.broken}
    started = datetime.datetime(2020, 1, 1, 3, tzinfo=datetime.timezone.utc)
    return ResultsDocument(
        format=RESULTS_FORMAT,
        suite=SuiteEntry(version="0.1.0", specs_sha256="00"),
        device=Device("hardware", "atlas-a2", "Ascend910B3", f"8.{number // 100}"),
        environment=Environment(host=f"host-{card % 2}", devices=(card,), driver="24.1"),
        started=(started + datetime.timedelta(days=number)).isoformat(),
        tier="standard",
        standard="strict",
        edition="current",
        totals=totals(case.outcome for case in entries),
        problems=(),
        cases=entries,
        clauses=tuple(_clauses(operators, len(cases) // operators // 2, broken)),
        rounding=(),
        contradictions=(),
        not_promised=(),
        document_gaps=(),
        waivers=(),
        nonce=secrets.token_hex(16),
        calls="",
        timings=0,
        all_operators=True,
        cann="",
        sanitize=False,
        enforce=False,
    )


def _cases_of_night(number: int, card: int, cases: list[CaseEntry]) -> Iterator[CaseEntry]:
    """Yield the cases of a night, some of which fail; one card is worse than the others."""
    random = np.random.default_rng(number)
    chance = 0.002 if card == 3 else 0.0002
    failing = random.random(len(cases)) < chance
    times = (10 + random.random((len(cases), 2)) * (1 + number // 400)).astype(np.float32)
    nights = zip(cases, times.tolist(), failing.tolist(), strict=True)
    for place, (entry, microseconds, fails) in enumerate(nights):
        update = {
            "host": f"host-{card % 2}",
            "card": card,
            "device_microseconds": tuple(microseconds),
        }
        failure = {
            "verdict": Verdict.FAIL,
            "broken": entry.exercised[:1],
            "kinds": ("value",),
            "message": f"{place % 9} of 297 elements of out are wrong",
        }
        yield entry.model_copy(update=update | (failure if fails else {}))


def _clauses(
    operators: int, cases: int, broken: Collection[tuple[str, ...]]
) -> Iterator[ClauseVerdict]:
    """Yield the verdicts on all clauses, each of which has so many cases."""
    for operator in (f"aclnnMade{number}" for number in range(operators)):
        for clause in (f"clause-{number}" for number in range(_CLAUSES)):
            verdict: ClauseState = "fail" if (operator, clause) in broken else "pass"
            yield ClauseVerdict(
                operator, clause, verdict, cases, 0, None, "what it says", "its place", "stated"
            )


def fill(folder: str, runs: int, cases: int, operators: int) -> None:
    """Bring a store to so many runs, and say how long adding one took."""
    entries = plan(operators, cases)
    seconds = []
    with open_store(folder, create=True) as store:
        for number in range(len(store.counting), runs):
            document = night(number, entries, operators)
            began = time.process_time()
            with recording(store) as recorder:
                recorder.record(document, recorded=document.started, label="", report="")
            seconds.append(time.process_time() - began)
    if seconds:
        print(
            f"adding a run, at work: median {sorted(seconds)[len(seconds) // 2]:.3f} s, "
            f"longest {max(seconds):.3f} s ({len(seconds)} runs)"
        )


def ask(folder: str) -> None:
    """Ask each question, and say how long it took and how much memory it took at most."""
    name = "Made0.scene-0.float32.4x9.0000000000"
    questions: dict[str, Callable[[Store], object]] = {
        "store show": lambda store: len(select_runs(store, Selection())),
        "history of a case": lambda store: history(store, Subject((name,)), Selection()),
        "history of an operator": lambda store: history(
            store, Subject(operators=("aclnnMade1",)), Selection()
        ),
        "history of all cases": lambda store: history(store, Subject(("*",)), Selection()),
        "history of a clause": lambda store: history(
            store, Subject(clause="clause-3"), Selection()
        ),
        "flaky": lambda store: flakiness(store, Selection()),
        "trends": lambda store: list(trends(store, Selection())),
        "a run to compare with": lambda store: recorded_document(store, all_runs(store)[0]),
        "dashboard": _dashboard,
    }
    for title, question in questions.items():
        began, cpu_began = time.perf_counter(), time.process_time()
        with open_store(folder) as store:
            question(store)
        seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - cpu_began
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{title}: {seconds:.3f} s, {cpu_seconds:.3f} s of it at work on all cores, "
            f"at most {memory:.0f} MiB so far"
        )


def _dashboard(store: Store) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_dashboard(store, Selection(), Path(folder))


def main() -> None:
    """Fill and ask."""
    parser = argparse.ArgumentParser(description="Fill a results store, and ask it.")
    parser.add_argument("folder")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--cases", type=int, default=4000)
    parser.add_argument("--operators", type=int, default=5)
    arguments = parser.parse_args()
    fill(arguments.folder, arguments.runs, arguments.cases, arguments.operators)
    ask(arguments.folder)


if __name__ == "__main__":
    main()
