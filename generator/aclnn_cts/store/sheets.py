# SPDX-License-Identifier: Apache-2.0
"""Packing and unpacking of sheets: the cases and clauses of one operator in a run."""

from __future__ import annotations

import json
import math
import statistics
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.judge.standards import Figures
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.cases import CaseEntry
from aclnn_cts.report.results import ClauseState, ClauseVerdict

LETTERS: Mapping[str, str] = {
    "pass": ".",
    "fail": "F",
    "crash": "C",
    "timeout": "T",
    "flaky": "~",
    "missing": "?",
    "untrusted": "!",
    "unenforced": "u",
    "contested-only": "c",
    "waived": "w",
}
"""The letter of each outcome of a case, in the store and on the terminal; fixed forever."""

OUTCOMES: Mapping[str, str] = {letter: name for name, letter in LETTERS.items()}

CLAUSE_LETTERS: Mapping[ClauseState, str] = {
    "pass": ".",
    "fail": "F",
    "unenforced": "u",
    "contested-only": "c",
    "unproven": "!",
    "untested": "-",
}
"""The letter of each verdict on a clause."""

BROKEN = "FCT~w"
"""Letters of cases that break a promise, waived or not."""

BY_WEIGHT = "-cu.!?w~FTC"
"""Letters of cases and clauses by severity; where one letter shows many, the last one wins."""

_COLUMNS = (
    "elements",
    "compared",
    "failing",
    "matched_ratio",
    "max_abs_error",
    "mean_relative_error",
    "max_relative_error",
    "worst_ulp",
    "worst_share",
    "mean_ulp",
    "mean_abs_ulp",
)
"""Figures of the strict standard that are kept; the errors are the same by every standard."""

_COUNTS = ("elements", "compared", "failing")

_OF_DETAILS = (
    "broken",
    "kinds",
    "unenforced",
    "message",
    "waiver",
    "tries",
    "confirmed",
    "after",
    "refused_twin",
)
"""Recorded keys of a case that did not pass."""


def pack(data: bytes) -> bytes:
    return zlib.compress(data, 6)


def pack_json(data: Any) -> bytes:
    """Return a compressed JSON document, the same bytes for the same data."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return pack(text.encode())


def unpack_json(data: bytes) -> Any:
    """Return the data of a compressed JSON document."""
    return json.loads(zlib.decompress(data))


@dataclass
class Sheet:
    """Collects the cases of one operator in compact form.

    Attributes:
        facts: Scene, data type, basis and numbers of the tested clauses of each case.
        letters: The letters of the cases.
        details: Details of cases that did not pass, by index.
        figures: Columns of figures; NaN if nothing was compared.
        passed: Whether each case keeps the strict standard.
        launches: Number of times of each case.
        times: The times, in microseconds.
        places: Host and card of each case.
        medians: Median times of passing cases, by data type.
        errors: Compared elements, largest error and sum of errors of passing cases, by data type.
    """

    names: list[str] = field(default_factory=list)
    facts: list[tuple[str, str, str | None, tuple[str, ...]]] = field(default_factory=list)
    letters: bytearray = field(default_factory=bytearray)
    details: dict[int, dict[str, Any]] = field(default_factory=dict)
    figures: dict[str, array[float]] = field(
        default_factory=lambda: {name: array("d") for name in _COLUMNS}
    )
    launches: array[int] = field(default_factory=lambda: array("H"))
    times: array[float] = field(default_factory=lambda: array("f"))
    places: list[tuple[str, int]] = field(default_factory=list)
    medians: dict[str, list[float]] = field(default_factory=dict)
    errors: dict[str, tuple[int, float, float]] = field(default_factory=dict)

    def add(self, case: CaseEntry) -> None:
        """Add a case."""
        strict = case.standards.get("strict")
        self._detail(case, strict)
        self.names.append(case.id)
        self.facts.append((case.scene, case.dtype, case.basis, case.exercised))
        self.letters += LETTERS[case.outcome].encode()
        for name, column in self.figures.items():
            column.append(math.nan if strict is None else getattr(strict, name))
        self.launches.append(len(case.device_microseconds))
        self.times.extend(case.device_microseconds)
        self.places.append((case.host, case.card))
        if not case.verdict.breaks_promise:
            self._sum_up(case, strict)

    def _detail(self, case: CaseEntry, strict: Figures | None) -> None:
        detail: dict[str, Any] = {}
        if case.verdict is not Verdict.PASS:
            detail = case.model_dump(mode="json", include=set(_OF_DETAILS))
            detail = {name: value for name, value in detail.items() if value}
        if case.waiver is not None:
            detail["verdict"] = case.verdict.value
        if strict is not None and not (strict.passed and strict.first_failing == -1):
            detail["strict"] = [strict.passed, strict.first_failing, strict.output]
        if detail:
            self.details[len(self.names)] = detail

    def _sum_up(self, case: CaseEntry, strict: Figures | None) -> None:
        if case.device_microseconds:
            median = statistics.median(case.device_microseconds)
            self.medians.setdefault(case.dtype, []).append(median)
        # Where no element is judged by value, as in a contract operator, no error was measured.
        is_measured = case.resolving is None or case.resolving.by_value > 0
        if strict is not None and strict.compared and is_measured:
            compared, worst, total = self.errors.get(case.dtype, (0, 0.0, 0.0))
            self.errors[case.dtype] = (
                compared + strict.compared,
                max(worst, strict.worst_ulp),
                total + strict.mean_abs_ulp * strict.compared,
            )

    def summaries(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of ``summary``, without run and operator."""
        for dtype in sorted({*self.medians, *self.errors}):
            medians = self.medians.get(dtype, [])
            compared, worst, total = self.errors.get(dtype, (0, 0.0, 0.0))
            yield {
                "dtype": dtype,
                "compared": compared,
                "worst_ulp": worst if compared else None,
                "mean_ulp": total / compared if compared else None,
                "timed": len(medians),
                # the clock does not resolve a time of 0
                "microseconds": statistics.geometric_mean(max(each, 1e-3) for each in medians)
                if medians
                else None,
            }

    def contents(self, clauses: Sequence[ClauseVerdict]) -> dict[str, bytes]:
        """Return the content that is stored by digest, by column."""
        columns = b"".join(column.tobytes() for column in self.figures.values())
        numbers = {clause.clause: number for number, clause in enumerate(clauses)}
        # a case may test a clause without a verdict in the run
        for _, _, _, exercised in self.facts:
            for clause in exercised:
                numbers.setdefault(clause, len(numbers))
        facts = {
            "cases": [
                (scene, dtype, basis, [numbers[clause] for clause in exercised])
                for scene, dtype, basis, exercised in self.facts
            ],
            "clauses": [(each.text, each.place, each.basis) for each in clauses],
        }
        details = {
            "cases": self.details,
            "clauses": [(each.cases, each.contested, each.reading) for each in clauses],
        }
        return {
            "names": pack_json({"cases": self.names, "clauses": list(numbers)}),
            "facts": pack_json(facts),
            "details": pack_json(details),
            "figures": pack(columns),
            "times": pack(self.launches.tobytes() + self.times.tobytes()),
        }


@dataclass(frozen=True)
class Packed:
    """A stored sheet; parts with a digest are compressed JSON or columns.

    Attributes:
        letters: A letter for each case, compressed.
        clauses: A letter for each clause, compressed.
        places: Host and card of each case, or one for all.
        names: Ids of cases and clauses.
        facts: Their facts that do not depend on a run.
        details: Details of cases that did not pass, and how clauses were tested.
        times: Number of times of each case, and the times.
    """

    operator: str
    letters: bytes
    clauses: bytes
    places: Sequence[tuple[str, int]]
    names: bytes
    facts: bytes
    details: bytes
    figures: bytes
    times: bytes

    def cases(self) -> Iterator[CaseEntry]:
        names, facts, details = map(unpack_json, (self.names, self.facts, self.details))
        letters = zlib.decompress(self.letters).decode()
        columns = np.frombuffer(zlib.decompress(self.figures), "<f8").reshape(len(_COLUMNS), -1)
        data = zlib.decompress(self.times)
        launches = np.frombuffer(data, "<u2", count=len(letters))
        times = np.frombuffer(data, "<f4", offset=launches.nbytes)
        parts = np.split(times, np.cumsum(launches)[:-1]) if len(letters) else []
        shown = details["cases"]
        for number, (name, letter) in enumerate(zip(names["cases"], letters, strict=True)):
            scene, dtype, basis, exercised = facts["cases"][number]
            host, card = self.places[number % len(self.places)]
            detail = dict(shown.get(str(number), {}))
            figures = _figures(columns[:, number].tolist(), detail.pop("strict", None))
            yield CaseEntry.model_validate(
                {
                    "id": name,
                    "operator": self.operator,
                    "verdict": OUTCOMES[letter],
                    "scene": scene,
                    "dtype": dtype,
                    "exercised": [names["clauses"][each] for each in exercised],
                    "standards": {} if figures is None else {"strict": figures},
                    "resolving": None,
                    "host": host,
                    "card": card,
                    "seconds": 0.0,
                    "device_microseconds": parts[number].tolist(),
                    "waiver": None,
                    "facts": (),
                    "basis": basis,
                    **detail,
                }
            )

    def verdicts(self) -> Iterator[ClauseVerdict]:
        names, facts, details = map(unpack_json, (self.names, self.facts, self.details))
        states = {letter: state for state, letter in CLAUSE_LETTERS.items()}
        rows = zip(facts["clauses"], details["clauses"], strict=True)
        letters = zlib.decompress(self.clauses).decode()
        for name, letter, ((text, where, basis), (cases, contested, reading)) in zip(
            names["clauses"], letters, rows, strict=False
        ):
            yield ClauseVerdict(
                operator=self.operator,
                clause=name,
                verdict=states[letter],
                cases=cases,
                contested=contested,
                reading=reading,
                text=text,
                place=where,
                basis=basis,
            )


def _figures(values: Sequence[float], told: Sequence[Any] | None) -> Figures | None:
    """Return the figures of a case; None if nothing was compared."""
    if math.isnan(values[0]):
        return None
    named: dict[str, Any] = dict(zip(_COLUMNS, values, strict=True))
    named |= {name: int(named[name]) for name in _COUNTS}
    passed, first, output = told or (True, -1, "")
    return Figures(passed=passed, first_failing=first, output=output, **named)


Letters = npt.NDArray[np.uint8]


def letters_of(data: bytes) -> Letters:
    """Return the letters of a sheet as numbers."""
    return np.frombuffer(zlib.decompress(data), dtype=np.uint8)


def places_of(data: bytes) -> npt.NDArray[np.int32]:
    """Return the ids of the places of a sheet's cases: one for each, or one for all."""
    return np.frombuffer(zlib.decompress(data), dtype="<i4")
