# SPDX-License-Identifier: Apache-2.0
"""Conversion of judged runs into rows of the store, and back."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import statistics
import struct
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, TypeAlias

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import beside
from aclnn_cts.judge.standards import Figures
from aclnn_cts.report.run_comparison import OF_CANN
from aclnn_cts.results.cases import CaseEntry, CaseFile
from aclnn_cts.results.document import RESULTS_FORMAT, ClauseVerdict, ResultsDocument, totals
from aclnn_cts.run.process import UNKNOWN_DEVICE
from aclnn_cts.store.columns import COLUMNS, FIGURES, FORMAT, OF_ALL, OF_CASE, OF_CLAUSE, WORDS
from aclnn_cts.store.folder import Store, publish
from aclnn_cts.store.runs import RunFacts, all_runs

_NOT_OF_HEADER = {
    *("format", "totals", "not_promised", "document_gaps", "cases", "clauses", "contract_only")
}
"""Keys of the results file that are recorded differently, or follow from the specs."""

_TEXTS = ("operator", "scene", "dtype", "host", "message", "refused_twin")
_SAME = (*_TEXTS, "basis", "card", "waiver", "tries", "confirmed")
"""Properties of a case that are columns under the same name."""

_PARTS = ("operator", "cases", "contested", "reading", "text", "place", "basis")
"""The same of a clause."""

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class RecordedRun:
    """A run in the store.

    Attributes:
        label: Its current label.
        is_new: Whether it was not there before.
    """

    id: str
    label: str
    is_new: bool


class OtherJudgement(Exception):  # noqa: N818 - it is no error of this room
    """The run is in the store with another judgement; ``id`` says under which id."""

    def __init__(self, run: str) -> None:
        super().__init__(run)
        self.id = run


@dataclass
class Recorder:
    """Records runs, which appear in the store together.

    Attributes:
        known: The runs that are in the store, or will be.
        nonces: The id of each run that counts, by its nonce.
        added: The file of each new run, and its place in the store.
        labels: Labels for runs that were recorded without one.
    """

    store: Store
    stack: contextlib.ExitStack
    known: dict[str, RecordedRun]
    nonces: dict[str, str]
    added: dict[Path, Path] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)

    def record(
        self, document: ResultsDocument, *, recorded: str, label: str, report: str
    ) -> RecordedRun:
        """Record a judged run, or name a recorded one that has no label yet.

        Args:
            document: The results of the run; its cases are read once.
            recorded: The time, UTC, in ISO 8601.
            label: A name for the run, such as that of a release.

        Raises:
            OtherJudgement: The run is recorded with another judgement, and not withdrawn.
        """
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as lines:
            facts = _write_rows(lines, document)
            run = facts["run"]
            if run in self.known:
                run_label = self.known[run].label
                if label and not run_label:
                    self.labels[run] = run_label = label
                self.known[run] = RecordedRun(run, run_label, is_new=False)
                return self.known[run]
            if document.nonce in self.nonces:
                raise OtherJudgement(self.nonces[document.nonce])
            facts |= {"recorded": recorded, "label": label, "report": report}
            lines.write(_line(_present_values(facts)))
            lines.flush()
            target = self.store.runs_folder / f"{run}.parquet"
            temporary = self.stack.enter_context(beside(target))
            self.store.prepare(temporary, _OF_LINES, [lines.name, dict(COLUMNS)])
        self.added[temporary] = target
        self.known[run] = RecordedRun(run, label, is_new=True)
        self.nonces |= {document.nonce: run} if document.nonce else {}
        return self.known[run]

    def publish(self) -> None:
        """Make the runs appear in the store.

        Raises:
            OtherJudgement: Another command has just recorded one with another judgement.
        """
        for temporary, target in self.added.items():
            publish(temporary, target)
        self.store.refresh()
        own_ids = {target.stem for target in self.added.values()}
        others = _nonces(self.store, without=own_ids)
        for nonce, run in self.nonces.items():
            if run in own_ids and nonce in others:
                self.store.counting[run].unlink()
                raise OtherJudgement(others[nonce])
        if self.labels:
            with self.store.replacing():
                for run, label in self.labels.items():
                    self.store.change(run, "label", label)
        self.store.bundle()


_REPEATED = ", ".join(f"facts.{name} AS {name}" for name in OF_ALL if name != "entry")
_OF_LINES = (
    "WITH rows AS (FROM read_json(?, format = 'newline_delimited', columns = ?)) "  # noqa: S608 - ours
    f"SELECT rows.* REPLACE ({_REPEATED}) "
    "FROM rows, (FROM rows WHERE entry = 'run') AS facts "
    "ORDER BY rows.entry, rows.operator, rows.name"
)
"""Gives each row the facts of its run."""


def _nonces(store: Store, without: Iterable[str] = ()) -> dict[str, str]:
    """Return the id of each run that counts, by its nonce."""
    return {
        run.nonce: run.id
        for run in all_runs(store)
        if run.nonce and run.withdrawn is None and run.id not in without
    }


@contextlib.contextmanager
def recording(store: Store) -> Iterator[Recorder]:
    """Record runs, which appear in the store at the end, or none of them if anything fails.

    Raises:
        OtherJudgement: Another command has just recorded one of them with another judgement.
    """
    recorded = {run.id: RecordedRun(run.id, run.label, is_new=False) for run in all_runs(store)}
    with contextlib.ExitStack() as stack:
        recorder = Recorder(store, stack, recorded, _nonces(store))
        yield recorder
        recorder.publish()


def _write_rows(lines: IO[str], document: ResultsDocument) -> Row:
    """Write the rows of cases and clauses, and return that of the run."""
    counts: Counter[str] = Counter()
    cards: set[tuple[str, int]] = set()
    positions: Counter[tuple[str, str]] = Counter()
    digests = [_write(lines, _clause_row(clause), positions) for clause in document.clauses]
    for case in document.cases:
        digests.append(_write(lines, _case_row(case), positions))
        counts[case.outcome] += 1
        cards |= {(case.host, case.card)} if case.host else set()
    header = document.model_dump(mode="json", exclude=_NOT_OF_HEADER, by_alias=True)
    device, about = document.device, document.environment
    return {
        "entry": "run",
        "format": FORMAT,
        "run": _id_of(header, digests),
        **{name: getattr(document, name) for name in ("nonce", "tier", "standard", "edition")},
        **{name: getattr(device, name) for name in ("product", "kind", "soc", "fault", "variant")},
        **{name: getattr(about, name) for name in ("driver", "firmware", "host")},
        "started": document.started.removesuffix("+00:00"),
        # the device's version of CANN takes precedence over the toolkit's files
        "cann": device.cann or about.toolkit_version,
        "build": _build(document),
        "suite": document.suite.version,
        "specs": document.suite.specs_sha256,
        "cases": counts.total(),
        "failing": sum(counts[name] for name in ("fail", "crash", "timeout", "flaky")),
        "waived": counts["waived"],
        "unproven": counts["missing"] + counts["untrusted"],
        "exit_status": int(document.exit_code),
        "cards": [{"host": host, "card": card} for host, card in sorted(cards)],
        "operators": " ".join(
            sorted({operator for entry, operator in positions if entry == "case"})
        ),
        "contract_only": " ".join(document.contract_only),
        "header": _line(header).strip(),
    }


def _write(lines: IO[str], row: Row, positions: Counter[tuple[str, str]]) -> str:
    """Write a row with its place among those of its operator, and return its digest."""
    place = row["entry"], row["operator"]
    line = _line(_present_values({**row, "position": positions[place]}))
    positions[place] += 1
    lines.write(line)
    return hashlib.sha256(line.encode()).hexdigest()


def _id_of(header: Row, digests: Iterable[str]) -> str:
    """Return the first digits of the digest of what a run is, without when it was recorded."""
    lines = [_line(header), *sorted(digests)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _line(row: Row) -> str:
    return json.dumps(row, ensure_ascii=False, sort_keys=True, allow_nan=False) + "\n"


def _present_values(row: Row) -> Row:
    """Return the values that are there; those that JSON has no number for as texts."""
    return {
        name: str(value) if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.items()
        if value is not None and value not in ("", [])
    }


def _case_row(case: CaseEntry) -> Row:
    strict = case.standards.get("strict")
    times = case.device_microseconds
    return {
        "entry": "case",
        "name": case.id,
        "verdict": case.verdict.value,
        "outcome": case.outcome,
        **{name: getattr(case, name) for name in _SAME},
        **{name: " ".join(getattr(case, name)) for name in WORDS},
        "by_value": None if case.resolving is None else case.resolving.by_value,
        # as the file holds them, so that the digest of what is read is that of what was written
        "times": list(struct.unpack(f"{len(times)}f", struct.pack(f"{len(times)}f", *times))),
        "microseconds": statistics.median(times) if times else None,
        **({} if strict is None else {name: getattr(strict, name) for name in FIGURES}),
    }


def _clause_row(clause: ClauseVerdict) -> Row:
    return {
        "entry": "clause",
        "name": clause.clause,
        "verdict": clause.verdict,
        "outcome": clause.verdict,
        **{name: getattr(clause, name) for name in _PARTS},
    }


def _build(document: ResultsDocument) -> str:
    """Return the build of a run; runs of a build should agree.

    Driver and firmware are left out, because they may cause differences between cards.
    """
    libraries = sorted(
        (library.name, library.sha256)
        for library in document.environment.libraries
        if library.name.startswith(OF_CANN)
    )
    facts = (
        asdict(document.device),
        document.environment.toolkit_version,
        document.edition,
        document.standard,
        document.suite.version,
        document.suite.specs_sha256,
        document.sanitize,
        libraries,
    )
    text = json.dumps(facts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


_OF_DIGEST = ("entry", *(name for name in {**OF_CASE, **OF_CLAUSE, "host": "", "cases": ""}))


def _rows_of(store: Store, run: RunFacts) -> tuple[Row, list[Row]]:
    """Return the header of a run, and the rows of its clauses and cases in their order.

    Raises:
        NotTrustworthyError: They are not what was recorded.
    """
    file = store.withdrawn.get(run.id) or store.counting[run.id]
    view = "gone" if run.id in store.withdrawn else "entries"
    (header,) = store.rows(
        f"SELECT header FROM {view} WHERE entry = 'run' AND run = ?",  # noqa: S608 - ours
        [run.id],
    )
    stored_rows = store.rows(
        f"SELECT {', '.join(_OF_DIGEST)} FROM {view} WHERE entry <> 'run' AND run = ? "  # noqa: S608 - ours
        "ORDER BY operator, entry DESC, position",
        [run.id],
    )
    rows = [_present_values(dict(zip(_OF_DIGEST, row, strict=True))) for row in stored_rows]
    facts = json.loads(header[0])
    digests = (hashlib.sha256(_line(row).encode()).hexdigest() for row in rows)
    if _id_of(facts, digests) != run.id:
        raise NotTrustworthyError(
            f"{file}: run {run.short} is not what was recorded; restore a backup, or withdraw it"
        )
    return facts, rows


def _case_of(row: Row) -> CaseEntry:
    figures = {name: _number(row.get(name, "")) for name in FIGURES} if "passed" in row else None
    return CaseEntry.model_validate(
        {
            **{name: row.get(name, "") for name in _TEXTS},
            **{name: row[name] for name in _SAME if name not in _TEXTS and name in row},
            **{name: tuple(row.get(name, "").split()) for name in WORDS},
            "id": row["name"],
            "verdict": row["verdict"],
            "standards": {} if figures is None else {"strict": Figures(**figures)},
            "resolving": None,
            "card": row.get("card", UNKNOWN_DEVICE),
            "seconds": 0.0,
            "device_microseconds": row.get("times", ()),
            "waiver": row.get("waiver"),
            "facts": (),
            "basis": row.get("basis"),
        }
    )


def _number(value: Any) -> Any:
    return float(value) if value in ("nan", "inf", "-inf") else value


def _clause_of(row: Row) -> ClauseVerdict:
    content = {
        "reading": None,
        "text": "",
        "place": "",
        **{name: row[name] for name in _PARTS if name in row},
    }
    return ClauseVerdict(clause=row["name"], verdict=row["verdict"], **content)


def recorded_document(store: Store, run: RunFacts) -> ResultsDocument:
    """Return a recorded run in the form of its results file, for comparing runs.

    Samples, stories, pictures, times on the host, and the figures of other standards than the
    strict one are missing; device times have seven digits.

    Raises:
        NotTrustworthyError: It is not what was recorded.
    """
    header, rows = _rows_of(store, run)
    cases = CaseFile.collect(_case_of(row) for row in rows if row["entry"] == "case")
    return ResultsDocument.model_validate(
        {
            "format": RESULTS_FORMAT,
            "totals": totals(case.outcome for case in cases),
            "not_promised": (),
            "document_gaps": (),
            "contract_only": run.contract_only,
            **header,
            "cases": cases,
            "clauses": [_clause_of(row) for row in rows if row["entry"] == "clause"],
        }
    )


_EXPORTED = {
    *("id", "operator", "verdict", "scene", "dtype", "host", "card", "broken", "exercised"),
    *("kinds", "standards", "device_microseconds", "message", "waiver", "unenforced", "basis"),
    *("tries", "confirmed", "after"),
}


def export_run(store: Store, facts: RunFacts) -> Iterator[dict[str, Any]]:
    """Yield a run as JSON objects: its facts, then its clauses and cases by operator."""
    yield {"run": asdict(facts)}
    for row in _rows_of(store, facts)[1]:
        if row["entry"] == "clause":
            yield {"clause": {"run": facts.id, **asdict(_clause_of(row))}}
        else:
            case = _case_of(row).model_dump(mode="json", include=_EXPORTED, by_alias=True)
            yield {"case": {"run": facts.id, **case}}
