# SPDX-License-Identifier: Apache-2.0
"""Import of stores of earlier releases: SQLite files of both revisions, 0001 and 0002.

They hold, for each run and operator, a letter per case and clause, and compressed content that
several runs share.
"""

from __future__ import annotations

import array
import contextlib
import functools
import itertools
import json
import math
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.results.cases import CaseEntry, CaseFile, ResolvingEntry
from aclnn_cts.results.document import RESULTS_FORMAT, ClauseVerdict, ResultsDocument, totals
from aclnn_cts.run.process import UNKNOWN_DEVICE
from aclnn_cts.store.folder import BUNDLE, Store
from aclnn_cts.store.recording import OtherJudgement, recording

_HEADER = b"SQLite format 3\0"
_REVISIONS = ("0001", "0002")
_CASES = dict(
    zip(
        ".FCT~?!ucw",
        (
            *("pass", "fail", "crash", "timeout", "flaky", "missing", "untrusted", "unenforced"),
            *("contested-only", "waived"),
        ),
        strict=True,
    )
)
_CLAUSES = {
    ".": "pass",
    "F": "fail",
    "u": "unenforced",
    "c": "contested-only",
    "!": "unproven",
    "-": "untested",
}
_COUNTS = ("elements", "compared", "failing")
_FIGURES = (
    *(*_COUNTS, "matched_ratio", "max_abs_error", "mean_relative_error", "max_relative_error"),
    *("worst_ulp", "worst_share", "mean_ulp", "mean_abs_ulp"),
)

_BY_CLASS = ResolvingEntry(ulps=None, by_value=0, by_class=0, plain_zeros=0)

Content = Callable[[int], bytes]


def is_earlier_store(path: Path) -> bool:
    """Return whether a file is an SQLite database."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_HEADER)) == _HEADER


def import_runs(path: Path, store: Store) -> int:
    """Record all runs of a store of an earlier release, and return their number.

    Raises:
        WrongInputError: It is another database.
        NotTrustworthyError: It is damaged, or of another release.
    """
    uri = f"{path.absolute().as_uri()}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as old:
            old.row_factory = sqlite3.Row
            _require_revision(old, path)
            return _import(old, store)
    except (sqlite3.Error, zlib.error, ValueError, LookupError, TypeError) as error:
        message = " ".join(str(error).split())
        raise NotTrustworthyError(
            f"{path}: is damaged, or not a results store ({message}); restore a backup"
        ) from None


def _require_revision(old: sqlite3.Connection, path: Path) -> None:
    tables = {name for (name,) in old.execute("SELECT name FROM sqlite_master")}
    if "alembic_version" not in tables:
        raise WrongInputError(f"{path}: is not a results store; give the file of one")
    revision = old.execute("SELECT version_num FROM alembic_version").fetchone()
    if revision is None or revision[0] not in _REVISIONS:
        number = "none" if revision is None else repr(revision[0])
        raise NotTrustworthyError(
            f"{path}: has the revision {number}; this release imports {' and '.join(_REVISIONS)}, "
            "which are those of all releases that kept stores in SQLite"
        )


def _import(old: sqlite3.Connection, store: Store) -> int:
    @functools.lru_cache(maxsize=1000)
    def content(number: int) -> bytes:
        (data,) = old.execute("SELECT data FROM content WHERE id = ?", (number,)).fetchone()
        return zlib.decompress(data)

    places = {number: (host, card) for number, host, card in old.execute("SELECT * FROM place")}
    places[0] = "", UNKNOWN_DEVICE
    withdrawn = {run: (at, why) for run, at, why in old.execute("SELECT * FROM withdrawal")}
    runs = old.execute("SELECT * FROM run ORDER BY started, id").fetchall()
    # withdrawn runs first, because they make room for another judgement of the same run
    withdrawn_runs = [run for run in runs if run["id"] in withdrawn]
    others = [run for run in runs if run["id"] not in withdrawn]
    batches = [[run] for run in withdrawn_runs]
    batches += [others[start : start + BUNDLE] for start in range(0, len(others), BUNDLE)]
    count = 0
    for batch in batches:
        with recording(store) as recorder:
            for run in batch:
                document = _document(old, run, content, places)
                try:
                    recorded = recorder.record(
                        document, recorded=run["recorded"], label=run["label"], report=run["report"]
                    )
                except OtherJudgement as other:
                    raise WrongInputError(
                        f"{store.folder}: has run {run['id']} with other verdicts or figures, as "
                        f"run {other.id}; withdraw that one first, or import into another folder"
                    ) from None
                count += recorded.is_new
        if recorded.is_new and run["id"] in withdrawn:
            with store.replacing():
                store.withdraw(recorded.id, *withdrawn[run["id"]])
    return count


def _document(
    old: sqlite3.Connection,
    run: sqlite3.Row,
    content: Content,
    places: Mapping[int, tuple[str, int]],
) -> ResultsDocument:
    """Return a run in the form of its results file."""
    sheets = old.execute(
        "SELECT operator.name AS name, sheet.* FROM sheet JOIN operator ON operator.id = operator "
        "WHERE run = ? ORDER BY operator.name",
        (run["id"],),
    ).fetchall()
    measured = {
        (operator, dtype)
        for operator, dtype in old.execute(
            "SELECT operator, dtype FROM summary WHERE run = ? AND worst_ulp IS NOT NULL",
            (run["id"],),
        )
    }
    cases = CaseFile.collect(
        # of cases without errors, as of contract operators, only sums were kept apart
        case
        if case.verdict.breaks_promise or (sheet["operator"], case.dtype) in measured
        else case.model_copy(update={"resolving": _BY_CLASS})
        for sheet in sheets
        for case in _cases(sheet, content, places)
    )
    return ResultsDocument.model_validate(
        {
            "format": RESULTS_FORMAT,
            "totals": totals(case.outcome for case in cases),
            "not_promised": (),
            "document_gaps": (),
            **json.loads(content(run["header"])),
            "cases": cases,
            "clauses": [clause for sheet in sheets for clause in _clauses(sheet, content)],
        }
    )


def _cases(
    sheet: sqlite3.Row, content: Content, places: Mapping[int, tuple[str, int]]
) -> Iterator[CaseEntry]:
    names, facts, details = (json.loads(content(sheet[n])) for n in ("names", "facts", "details"))
    letters = zlib.decompress(sheet["letters"]).decode()
    figures = _numbers("d", content(sheet["figures"]))
    data = content(sheet["times"])
    launches = _numbers("H", data[: 2 * len(letters)])
    times = iter(_numbers("f", data[2 * len(letters) :]))
    place_numbers = _numbers("i", zlib.decompress(sheet["places"]))
    for number, (name, letter) in enumerate(zip(names["cases"], letters, strict=True)):
        scene, dtype, basis, exercised = facts["cases"][number]
        host, card = places[place_numbers[number % len(place_numbers)]]
        detail = dict(details["cases"].get(str(number), {}))
        standard = _strict(figures[number :: len(letters)], detail.pop("strict", None))
        yield CaseEntry.model_validate(
            {
                "id": name,
                "operator": sheet["name"],
                "verdict": _CASES[letter],
                "scene": scene,
                "dtype": dtype,
                "exercised": [names["clauses"][number] for number in exercised],
                "standards": standard,
                "resolving": None,
                "host": host,
                "card": card,
                "seconds": 0.0,
                "device_microseconds": list(itertools.islice(times, launches[number])),
                "waiver": None,
                "facts": (),
                "basis": basis,
                **detail,
            }
        )


def _numbers(kind: str, data: bytes) -> array.array[Any]:
    return array.array(kind, data)


def _strict(values: array.array[float], entries: Any) -> dict[str, Any]:
    """Return the figures of a case by standard; none if nothing was compared."""
    if math.isnan(values[0]):
        return {}
    values_by_name: dict[str, Any] = dict(zip(_FIGURES, values, strict=True))
    values_by_name |= {name: int(values_by_name[name]) for name in _COUNTS}
    passed, first, output = entries or (True, -1, "")
    return {
        "strict": {"passed": passed, "first_failing": first, "output": output, **values_by_name}
    }


def _clauses(sheet: sqlite3.Row, content: Content) -> Iterator[ClauseVerdict]:
    names, facts, details = (json.loads(content(sheet[n])) for n in ("names", "facts", "details"))
    letters = zlib.decompress(sheet["clauses"]).decode()
    # a list of names may end with clauses without a verdict in the run
    for name, letter, (text, place, basis), (cases, contested, reading) in zip(
        names["clauses"], letters, facts["clauses"], details["clauses"], strict=False
    ):
        yield ClauseVerdict(
            operator=sheet["name"],
            clause=name,
            verdict=_CLAUSES[letter],  # type: ignore[arg-type]
            cases=cases,
            contested=contested,
            reading=reading,
            text=text,
            place=place,
            basis=basis,
        )
