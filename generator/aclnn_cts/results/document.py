# SPDX-License-Identifier: Apache-2.0
"""Writing, reading and checking results: results.json and cases.sqlite.

Comparisons and reports need only these files, without specs, events or outputs, so runs of other
releases of the suite can be read if the format is the same. results.json describes the whole run,
repeats the first cases that did not pass, and names the digest of cases.sqlite, which holds all
cases. Its last key is a seal, the digest of the text before it, so that no edit goes unnoticed: a
deleted problem would turn a run that proves nothing into one that passed. It is not a signature.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import ConfigDict, Field, ValidationError

from aclnn_cts.errors import CtsError, ExitCode, NotTrustworthyError, WrongInputError, counted
from aclnn_cts.files import refuse_pipes, write_text
from aclnn_cts.judge.bias import PooledRounding
from aclnn_cts.judge.standards import Standard
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.results.cases import CaseEntry, CaseFile, Cases, Entry
from aclnn_cts.run.environment import Environment
from aclnn_cts.run.folder import Device, resume_command
from aclnn_cts.run.folder_lock import (
    CASES_FILE,
    RESULTS_FILE,
    is_run_file,
    refuse_folders,
    refuse_odd,
)
from aclnn_cts.run.journal import RUN_FILE, read_journal
from aclnn_cts.spec.data_types import open_status
from aclnn_cts.spec.parameter_clauses import ClauseBasis
from aclnn_cts.suite import OperatorFolder
from aclnn_cts.validation_messages import duplicate_key, json_damage

Format: TypeAlias = Literal["aclnn-cts/results/6"]
RESULTS_FORMAT: Format = "aclnn-cts/results/6"

_TIME = r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00)?$"
"""Times are UTC, so that their texts sort; empty if a kit has none."""


ClauseState: TypeAlias = Literal[
    "pass", "fail", "unenforced", "contested-only", "unproven", "untested"
]


@dataclass(frozen=True)
class ClauseVerdict:
    """The verdict of a run on one clause of one operator.

    Attributes:
        operator: The operator's name.
        clause: The clause's id.
        verdict: ``fail`` if a case broke it; else ``unenforced`` if the device accepted a call that
            it requires callers not to make; else ``pass`` if a passing case tests it; else
            ``contested-only``; ``unproven`` if all cases that test it crashed, are missing or
            untrusted, or failed for another reason; ``untested`` if no case tests it, or none of
            its further runs could be made.
        contested: Elements on which it contradicts another clause.
        reading: The clause that the device follows on these; None without any, or if it does not
            always follow the same one.
        basis: Its basis: for an error clause, the documents' statement about a call that breaks it;
            ``suite`` for a rule of this suite; ``stated`` for all others.
    """

    operator: str
    clause: str
    verdict: ClauseState
    cases: int
    contested: int
    reading: str | None
    text: str
    place: str
    basis: ClauseBasis


def clause_state(verdicts: Collection[Verdict], *, broken: bool, unenforced: bool) -> ClauseState:
    """Return the verdict on a clause.

    Args:
        verdicts: Those of the cases that test it.
        broken: Whether one of them broke it.
        unenforced: Whether it is a requirement that the device did not enforce in one of them.
    """
    if not verdicts:
        return "untested"
    if broken or unenforced:
        return "fail" if broken else "unenforced"
    # promises on memory also hold for a call that the device need not refuse
    if Verdict.PASS in verdicts or Verdict.UNENFORCED in verdicts:
        return "pass"
    return "contested-only" if Verdict.CONTESTED_ONLY in verdicts else "unproven"


@dataclass(frozen=True)
class DocumentGap:
    """An error clause for which more than one status is right.

    Attributes:
        operator: The operator's name.
        clause: The clause's id.
        accepted: The names of the statuses; none if any but ACLNN_SUCCESS is right.
        given: The names of the statuses that the device returned.
    """

    operator: str
    clause: str
    text: str
    accepted: tuple[str, ...]
    given: tuple[str, ...]

    @property
    def told(self) -> str:
        """The open point as text."""
        return open_status(self.accepted)


@dataclass(frozen=True)
class Silence:
    """A point on which a document promises nothing."""

    operator: str
    id: str
    text: str


WaiverState: TypeAlias = Literal[
    "waives", "improved", "unmatched", "unused", "expired", "elsewhere"
]
"""State of a waiver: it applies to a case; its cases pass; they fail differently; the run has none
of them; it has expired; it is about another product, version of CANN or operator."""


@dataclass(frozen=True)
class WaiverOutcome:
    """A waiver and its state in a run.

    Attributes:
        cases: Ids of the cases that it waives.
        message: What to do about it; may be empty.
        reason: Why the failure is accepted.
        link: Link to the handling of the failure.
        owner: Who is responsible for removing the waiver.
        expires: The last day on which the failure is accepted, in ISO 8601.
        sha256: Digest of the waiver.
    """

    id: str
    state: WaiverState
    cases: tuple[str, ...]
    message: str
    reason: str
    link: str
    owner: str
    expires: str
    sha256: str = ""

    @property
    def hides(self) -> bool:
        """Whether all its cases pass, so that it would hide a recurring failure."""
        return self.state == "improved"


def waiver_notes(outcomes: Iterable[WaiverOutcome]) -> tuple[str, ...]:
    """Return the waivers that need attention, with messages.

    Waivers for another product, version of CANN or operator need none.
    """
    return tuple(
        f"{waiver.id} {waiver.state}: {waiver.message}"
        for waiver in outcomes
        if waiver.message and waiver.state != "elsewhere"
    )


def stale_waivers(outcomes: Iterable[WaiverOutcome]) -> tuple[str, ...]:
    """Return the waivers that would hide a recurring failure, with messages."""
    return tuple(f"{waiver.id}: {waiver.message}" for waiver in outcomes if waiver.hides)


class SuiteEntry(Entry):
    """The suite that made and judged the run, and its operator folders.

    ``files`` has the file of each operator's spec that is not ``specs/OPERATOR.yaml``.
    ``judged_specs_sha256`` and ``judged_code_sha256`` are digests of the specs and the package that
    judged the run; empty if unknown.
    """

    version: str
    specs_sha256: str
    folders: tuple[OperatorFolder, ...] = ()
    files: dict[str, str] = Field(default_factory=dict)
    judged_specs_sha256: str = ""
    judged_code_sha256: str = ""

    def file_of(self, operator: str) -> str:
        """Return the file of an operator's spec."""
        return self.files.get(operator, f"specs/{operator}.yaml")


class ContradictionEntry(Entry):
    """Two clauses that cannot both be kept, with the numbers of elements that follow each.

    ``others`` counts elements that follow neither, but a further applicable clause, by its id.
    """

    operator: str
    clauses: tuple[str, str]
    elements: int
    follow: tuple[int, int]
    reading: str | None
    others: dict[str, int]

    @property
    def followed(self) -> str:
        """The clause that the device follows, as text: one of the two, or a third one."""
        if self.reading is not None:
            return self.reading
        counts = dict(zip(self.clauses, self.follow, strict=True))
        counts |= {f"{name} (a third clause)": count for name, count in self.others.items()}
        counts["neither"] = self.elements - sum(counts.values())
        counts = {name: count for name, count in counts.items() if count > 0}
        if list(counts.values()) == [self.elements] and "neither" not in counts:
            return next(iter(counts))
        return ", ".join(f"{name} on {count:,}" for name, count in counts.items())


class ScopeEntry(Entry):
    """What a run had of the plan of its tier.

    ``families`` has the family of each operator, ``missing`` the tested operators of the product
    without cases, ``products`` all products of the suite, ``quarantined`` the number of cases with
    quarantined golden data by operator.
    ``selected`` is whether only cases ran that the user named; ``shard`` is such as ``3/16``, empty
    for the whole run.
    """

    families: dict[str, str] = Field(default_factory=dict)
    missing: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    quarantined: dict[str, int] = Field(default_factory=dict)
    selected: bool = False
    shard: str = ""


class _Header(Entry):
    """Results of a whole run.

    ``totals`` holds the number of planned cases, and of those with each verdict, by name; a case
    whose failure is waived counts under ``waived`` instead. ``waivers`` holds the outcome of each
    waiver; it is empty if the run was judged without any. ``nonce`` is what the events of the run,
    or of the kit, repeat. ``timings`` is how many launches of each
    call were made for their time alone; ``all_operators`` is whether cases of every tested operator
    are among those planned. ``cann`` is the toolkit's folder on the host of a run on hardware;
    empty for a kit, whose host has no such command. ``calls`` is the call list that the
    cases are from; empty for those of the tier. ``unlisted`` has the numbers of a recorded
    program's calls that no case makes, by operator and reason. ``sanitize`` is whether simulator
    and programs were built with AddressSanitizer and UBSan. ``enforce`` is whether a requirement
    that the device does not enforce ends with exit status 1. ``contract_only`` names the operators
    of which the contract alone is tested: a pass says nothing about the values of their outputs.
    ``reused`` is how many verdicts are those on equal records of earlier runs.
    """

    format: Format
    suite: SuiteEntry
    device: Device
    environment: Environment
    started: str = Field(pattern=_TIME)
    tier: str
    standard: Standard
    edition: str
    totals: dict[str, int]
    problems: tuple[str, ...]
    clauses: tuple[ClauseVerdict, ...]
    rounding: tuple[PooledRounding, ...]
    contradictions: tuple[ContradictionEntry, ...]
    not_promised: tuple[Silence, ...]
    document_gaps: tuple[DocumentGap, ...]
    waivers: tuple[WaiverOutcome, ...]
    nonce: str
    timings: int
    all_operators: bool
    cann: str
    calls: str
    unlisted: dict[str, dict[str, int]] = Field(default_factory=dict)
    sanitize: bool
    enforce: bool
    contract_only: tuple[str, ...] = ()
    scope: ScopeEntry = Field(default_factory=ScopeEntry)
    reused: int = 0


class CaseFileEntry(Entry):
    """The file with all cases."""

    file: Literal["cases.sqlite"] = "cases.sqlite"
    count: int
    sha256: str


class ResultsFile(_Header):
    """The whole of results.json.

    ``failures`` repeats from cases.sqlite the cases that broke a promise or prove nothing, the
    first 1,000 of them at most, without those that follow from a refused twin.
    ``seal`` is the SHA-256 of the text before it.
    """

    cases: CaseFileEntry
    failures: tuple[CaseEntry, ...]
    seal: str = ""


class ResultsDocument(_Header):
    """The results of a judged run: the description of the run, and its cases."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    cases: Cases

    @property
    def by_clause(self) -> dict[tuple[str, str], ClauseVerdict]:
        """The verdicts on clauses by operator and clause."""
        return {(verdict.operator, verdict.clause): verdict for verdict in self.clauses}

    @property
    def stale(self) -> tuple[str, ...]:
        """The waivers that would hide a recurring failure, with messages."""
        return stale_waivers(self.waivers)

    @property
    def exit_code(self) -> ExitCode:
        """The exit status of a command with this run."""
        return exit_code(self.totals, [*self.problems, *self.stale], enforce=self.enforce)


def exit_code(
    totals: Mapping[str, int], problems: Iterable[str] = (), *, enforce: bool = False
) -> ExitCode:
    """Return the exit status for some cases.

    A broken promise (fail, crash, timeout, flaky) takes precedence over a result that proves
    nothing (missing, untrusted, no case at all, a damaged record). Contested cases and unenforced
    requirements break nothing.

    Args:
        totals: Numbers of cases by outcome.
        problems: Problems of the run as a whole, or of its waivers.
        enforce: Whether unenforced requirements count as broken promises.
    """
    occurring = [verdict for verdict in Verdict if totals.get(verdict.value)]
    unenforced = enforce and Verdict.UNENFORCED in occurring
    if unenforced or any(verdict.breaks_promise for verdict in occurring):
        return ExitCode.BROKEN_PROMISE
    nothing = not occurring and not totals.get("waived")
    if nothing or any(verdict.proves_nothing for verdict in occurring) or any(problems):
        return ExitCode.NOT_TRUSTWORTHY
    return ExitCode.PASSED


def totals(outcomes: Iterable[str]) -> dict[str, int]:
    """Return the numbers of planned cases and of cases by outcome."""
    counts = Counter(outcomes)
    names = (*(verdict.value for verdict in Verdict), "waived")
    return {"planned": counts.total(), **{name: counts[name] for name in names}}


MOST_FAILURES = 1000
"""Maximum number of cases that results.json repeats."""


def write_document(document: ResultsDocument, folder: Path) -> Path:
    """Write results.json and cases.sqlite into a folder and return the path of the first.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: The disk is full.
    """
    path = folder / RESULTS_FILE
    file = CaseFile.of(document.cases)
    # the cases first, because results.json marks the results as complete
    tie = CaseFileEntry(count=len(file), sha256=file.write(folder / CASES_FILE))
    header = {name: getattr(document, name) for name in _Header.model_fields}
    results = ResultsFile(**header, cases=tie, failures=tuple(_failures_of(file)))
    write_text(path, seal(_body(results)))
    return path


def _failures_of(file: CaseFile) -> Iterator[CaseEntry]:
    """Return the cases that results.json repeats."""
    failures = file.where(verdicts=[v for v in Verdict if v.breaks_promise or v.proves_nothing])
    return itertools.islice((case for case in failures if not case.refused_twin), MOST_FAILURES)


_SEAL = ',\n "seal": "{}"\n}}\n'


def seal(body: str) -> str:
    """Return the text of results.json.

    Args:
        body: Its text without the seal and the closing brace.
    """
    return body + _SEAL.format(hashlib.sha256(body.encode()).hexdigest())


def is_sealed(content: bytes) -> bool:
    """Return whether the content of results.json is what was written."""
    body = content[: -len(_SEAL.format("0" * 64))]
    return content == seal(body.decode(errors="replace")).encode()


def _body(results: ResultsFile) -> str:
    """Return readable JSON without its end: long lists have one entry per line."""
    parts = []
    for name, value in json.loads(results.model_dump_json(by_alias=True, exclude={"seal"})).items():
        text = json.dumps(value, ensure_ascii=False, indent=1 if name == "failures" else None)
        if name != "failures" and isinstance(value, list) and value:
            lines = (json.dumps(entry, ensure_ascii=False) for entry in value)
            text = "[\n  " + ",\n  ".join(lines) + "\n ]"
        parts.append(f"{json.dumps(name)}: {text}")
    return "{\n " + ",\n ".join(parts)


def read_results(path: Path) -> ResultsDocument:
    """Read results.json, by its own name or that of the results folder that holds it.

    Raises:
        WrongInputError: There is no such folder or file, or it cannot be read.
        NotTrustworthyError: The file is damaged, truncated, inconsistent, or of another format, or
            the run is incomplete.
    """
    file = path if path.suffix == ".json" else path / RESULTS_FILE
    if path.suffix != ".json" and path.exists() and not path.is_dir():
        raise WrongInputError(
            f"{path}: is neither a results folder nor results.json; if it is of a kit, run "
            f"`aclnn-cts judge {path}` first and give the resulting folder"
        )
    folder = file.parent
    if path.is_dir():
        refuse_odd(path)
        refuse_folders(path)
    else:
        refuse_pipes(path)
    try:
        text = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise _missing_error(path, file) from None
    except IsADirectoryError:
        raise NotTrustworthyError(
            f"{file}: is damaged (it is a folder); run `aclnn-cts judge {folder}` again"
        ) from None
    except OSError as error:
        raise WrongInputError(
            f"{file}: cannot be read: {error.strerror}; give a folder that you may read"
        ) from None
    results = _validate(text, file)
    again = f"run `aclnn-cts judge {folder}` again"
    cases = CaseFile.open(folder / CASES_FILE, results.cases.sha256, again)
    wrong = next(contradictions_in(results, cases), None)
    if wrong is not None:
        raise NotTrustworthyError(f"{file}: contradicts itself ({wrong}); {again}")
    return ResultsDocument(
        **{name: getattr(results, name) for name in _Header.model_fields}, cases=cases
    )


def _validate(text: bytes, file: Path) -> ResultsFile:
    again = f"run `aclnn-cts judge {file.parent}`"
    if damage := duplicate_key(text):
        raise NotTrustworthyError(f"{file}: is damaged ({damage}); {again} again")
    try:
        results = ResultsFile.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        if first["loc"] == ("format",) and first["type"] == "literal_error":
            raise NotTrustworthyError(
                f"{file}: was written by another version of aclnn-cts, in the format "
                f"{first['input']!r}; {again} to rewrite it"
            ) from None
        damage = json_damage(error, "the whole file")
        raise NotTrustworthyError(f"{file}: is damaged ({damage}); {again} again") from None
    if not is_sealed(text):
        raise NotTrustworthyError(
            f"{file}: was modified after it was written (its seal differs); {again} again"
        )
    return results


def _missing_error(path: Path, file: Path) -> CtsError:
    """Return the error for a missing results file."""
    folder = file.parent
    if not folder.is_dir() or (path == file and not is_run_file(folder / RUN_FILE)):
        return WrongInputError(
            f"{path}: there is no such results folder or file; "
            "give the folder that `aclnn-cts run` wrote to (results/PRODUCT-TIER if none was named)"
        )
    if not is_run_file(folder / RUN_FILE):
        return WrongInputError(f"{path}: is not a results folder: {RESULTS_FILE} is missing")
    if read_journal(folder).found is None:
        return NotTrustworthyError(
            f"{folder}: the run has not ended; if it was interrupted, "
            f"finish it with `{resume_command(folder)}`"
        )
    return WrongInputError(f"{file}: is missing; run `aclnn-cts judge {folder}` first")


_MOST = 2**63
"""Upper bound of all counts of elements."""


@dataclass
class Tested:
    """The cases that test a clause."""

    cases: int = 0
    broken: bool = False
    unenforced: bool = False
    verdicts: set[Verdict] = field(default_factory=set)

    def add(self, case: CaseEntry, clause: str) -> None:
        self.cases += 1
        self.broken |= clause in case.broken
        self.unenforced |= clause in case.unenforced
        self.verdicts.add(case.verdict)

    @property
    def state(self) -> ClauseState:
        """The verdict on the clause."""
        return clause_state(self.verdicts, broken=self.broken, unenforced=self.unenforced)


class TestedClauses(defaultdict[tuple[str, str], Tested]):
    """The cases that test each clause, by operator and clause."""

    def __init__(self) -> None:
        super().__init__(Tested)

    def add(self, case: CaseEntry) -> None:
        """Add a case to the clauses that it tests."""
        for clause in {*case.exercised, *case.broken}:
            self[case.operator, clause].add(case, clause)


def contradictions_in(results: ResultsFile, cases: CaseFile) -> Iterator[str]:
    """Yield inconsistencies of results, such as those of an edited file."""
    waivers: dict[str, str] = {}
    for waiver in results.waivers:
        for name in waiver.cases:
            waivers.setdefault(name, waiver.id)
    tested = TestedClauses()
    impossible: list[str] = []

    def outcomes() -> Iterator[str]:
        for case in cases:
            if not impossible:
                impossible.extend(_of_case(case, waivers))
            tested.add(case)
            yield case.outcome

    counts = totals(outcomes())
    yield from impossible
    yield from _wrong_counts(results, counts)
    yield from _wrong_clauses(results.clauses, tested)
    yield from _wrong_failures(results, cases)


def _wrong_counts(results: ResultsFile, counts: Mapping[str, int]) -> Iterator[str]:
    for name in sorted({*counts, *results.totals}):
        stated, actual = results.totals.get(name, 0), counts.get(name, 0)
        if stated != actual:
            yield f"it counts {stated} cases as {name}, and holds {actual}"
    if results.cases.count != counts["planned"]:
        yield f"it speaks of {results.cases.count} cases, and holds {counts['planned']}"


def _wrong_failures(results: ResultsFile, cases: CaseFile) -> Iterator[str]:
    for repeated, case in itertools.zip_longest(results.failures, _failures_of(cases)):
        if repeated is None or case is None or repeated.model_dump_json() != case.model_dump_json():
            first = (repeated or case).id
            yield f"its failures differ from those of {CASES_FILE}, from {first} on"
            return


def _wrong_clauses(
    clauses: Iterable[ClauseVerdict], tested: Mapping[tuple[str, str], Tested]
) -> Iterator[str]:
    """Yield the verdicts on clauses that those on cases contradict."""
    for verdict in clauses:
        evidence = tested.get((verdict.operator, verdict.clause), Tested())
        if (verdict.verdict, verdict.cases) != (evidence.state, evidence.cases):
            state = f"{verdict.verdict} by {counted(verdict.cases, 'case')}"
            yield (
                f"it has the verdict {state} on {verdict.operator}/{verdict.clause}, "
                f"and its cases {evidence.state} by {evidence.cases}"
            )


def _of_case(case: CaseEntry, waivers: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong with a case.

    Args:
        waivers: The waiver of each waived case, as the waivers say.
    """
    if case.waiver != waivers.get(case.id):
        yield (
            f"{case.id} is waived by {case.waiver or 'none'}, and according to its waivers by "
            f"{waivers.get(case.id, 'none')}"
        )
    if case.waiver is not None and not (case.verdict.breaks_promise or case.refused_twin):
        yield f"{case.id} is {case.verdict}, which cannot be waived"
    if not all(0 <= time < math.inf for time in case.device_microseconds):
        yield f"{case.id} has an impossible time"
    for name, figures in case.standards.items():
        counts = (figures.elements, figures.compared, figures.failing)
        errors = (figures.worst_ulp, figures.worst_share, figures.mean_abs_ulp)
        if not all(0 <= count < _MOST for count in counts) or any(map(math.isnan, errors)):
            yield f"the figures of {case.id} by the standard {name} are impossible"
