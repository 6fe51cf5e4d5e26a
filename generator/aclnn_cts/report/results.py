# SPDX-License-Identifier: Apache-2.0
"""results.json, written and read; its content is :class:`ResultsDocument`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from aclnn_cts.errors import CtsError, NotTrustworthyError, WrongInputError
from aclnn_cts.files import write_bytes
from aclnn_cts.json_wording import json_damage
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.report.clauses import contests_of
from aclnn_cts.report.consistency import contradictions_in
from aclnn_cts.report.document import (
    FORMAT,
    CaseEntry,
    ContradictionEntry,
    ResolvingEntry,
    ResultsDocument,
    SuiteEntry,
)
from aclnn_cts.report.facts import facts_of
from aclnn_cts.report.model import Report
from aclnn_cts.run.folder import resume_command
from aclnn_cts.run.folder_lock import RESULTS_FILE, is_run_file
from aclnn_cts.run.journal import RUN_FILE, read_journal

FILE_NAME = RESULTS_FILE


def totals(cases: Sequence[CaseEntry]) -> dict[str, int]:
    """Return how many cases were planned, and how many have each verdict or are waived."""
    counts = Counter(case.outcome for case in cases)
    names = (*(verdict.value for verdict in Verdict), "waived")
    return {"planned": len(cases), **{name: counts[name] for name in names}}


def document_of(report: Report) -> ResultsDocument:
    """Return the content of the results file."""
    run = report.run
    planned = {case.id: case for case in run.cases}
    cases = tuple(_case(planned[verdict.case], verdict, report) for verdict in report.verdicts)
    return ResultsDocument(
        format=FORMAT,
        suite=SuiteEntry(version=run.suite_version, specs_sha256=run.specs_sha256),
        device=run.device,
        environment=run.environment,
        started=run.started,
        tier=run.tier,
        standard=report.standard,
        edition=run.edition,
        totals=totals(cases),
        problems=report.problems,
        cases=cases,
        clauses=report.clauses,
        rounding=report.rounding,
        contradictions=_contradictions(report),
        not_promised=report.silences,
        document_gaps=report.gaps,
        waivers=report.waivers,
        nonce=run.nonce,
        timings=run.config.timings,
        all_operators=report.all_operators,
        cann=run.config.cann,
        sanitize=run.config.sanitize,
        enforce=report.enforce,
    )


def _contradictions(report: Report) -> tuple[ContradictionEntry, ...]:
    return tuple(
        ContradictionEntry(
            operator=operator,
            clauses=(contest.first, contest.second),
            elements=contest.elements,
            follow=(contest.follow_first, contest.follow_second),
            reading=contest.reading,
            others=dict(contest.others),
        )
        for operator, contest in contests_of(report.verdicts)
    )


def _case(case: Case, verdict: CaseVerdict, report: Report) -> CaseEntry:
    return CaseEntry(
        id=verdict.case,
        operator=verdict.operator,
        verdict=verdict.verdict,
        scene=case.scene,
        dtype=case.tensors[0].dtype,
        broken=verdict.broken,
        unenforced=verdict.unenforced,
        basis=case.basis,
        exercised=verdict.exercised,
        kinds=tuple(sorted(verdict.kinds)),
        standards=dict(verdict.standards),
        resolving=None
        if verdict.resolution is None
        else ResolvingEntry.model_validate(verdict.resolution.as_json()),
        seconds=verdict.seconds,
        device_microseconds=verdict.device_microseconds,
        message=verdict.message,
        remarks=verdict.remarks,
        samples=verdict.samples,
        story=report.stories.get(verdict.case, ""),
        waiver=report.waived.get(verdict.case),
        facts=facts_of(case),
        pictures=verdict.pictures,
        tries=verdict.tries,
        confirmed=verdict.confirmed,
        after=verdict.after,
        only_in=verdict.only_in,
    )


def write_document(document: ResultsDocument, folder: Path) -> Path:
    """Write what is known about a run as results.json into a folder and return its path.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: The disk is full.
    """
    path = folder / FILE_NAME
    text = document.model_dump_json(indent=1, by_alias=True)
    write_bytes(path, (text + "\n").encode())
    return path


def read_results(path: Path) -> ResultsDocument:
    """Read results.json, by its own name or that of the results folder that holds it.

    Raises:
        WrongInputError: There is no such folder or file, or it cannot be read.
        NotTrustworthyError: The file is damaged, cut off, contradicts itself, or is of another
            format; or the run has not come to its end.
    """
    file = path if path.suffix == ".json" else path / FILE_NAME
    if path.suffix != ".json" and path.exists() and not path.is_dir():
        raise WrongInputError(
            f"{path}: is neither a results folder nor results.json; if a kit left it, run "
            f"`aclnn-cts judge {path}` first and give the folder that this makes"
        )
    folder = file.parent
    try:
        text = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise _missing(path, file) from None
    except OSError as error:
        raise WrongInputError(
            f"{file}: cannot be read: {error.strerror}; give a folder that you may read"
        ) from None
    document = _validated(text, file)
    wrong = next(contradictions_in(document, totals(document.cases)), None)
    if wrong is not None:
        raise NotTrustworthyError(
            f"{file}: contradicts itself ({wrong}); run `aclnn-cts judge {folder}` again"
        )
    return document


def _validated(text: bytes, file: Path) -> ResultsDocument:
    folder = file.parent
    try:
        return ResultsDocument.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        if first["loc"] == ("format",) and first["type"] == "literal_error":
            raise NotTrustworthyError(
                f"{file}: was written by another version of aclnn-cts, in the format "
                f"{first['input']!r}; run `aclnn-cts judge {folder}` to write it anew"
            ) from None
        told = json_damage(error, "the whole file")
        raise NotTrustworthyError(
            f"{file}: is damaged ({told}); run `aclnn-cts judge {folder}` again"
        ) from None


def _missing(path: Path, file: Path) -> CtsError:
    """Return what to do about a results file that is not there."""
    folder = file.parent
    if not folder.is_dir() or (path == file and not is_run_file(folder / RUN_FILE)):
        return WrongInputError(
            f"{path}: there is no such results folder or file; "
            "give the folder that `aclnn-cts run` wrote to (results/PRODUCT-TIER if none was named)"
        )
    if not is_run_file(folder / RUN_FILE):
        return WrongInputError(f"{path}: is no results folder: {FILE_NAME} is missing")
    if read_journal(folder).found is None:
        return NotTrustworthyError(
            f"{folder}: the run has not come to its end; if it was interrupted, "
            f"finish it with `{resume_command(folder)}`"
        )
    return WrongInputError(f"{file}: is missing; run `aclnn-cts judge {folder}` first")


def require_about(
    results: ResultsDocument, folder: Path, identifier: str, product: str, edition: str
) -> None:
    """Refuse what is said about another product or edition than is asked for.

    Args:
        results: What an earlier judgement says.
        folder: The results folder that it stands in.
        identifier: The clause that is to be explained, for the right command.
        product: The product asked for.
        edition: The edition asked for.

    Raises:
        WrongInputError: The run is about another product or edition.
    """
    about, told = results.device.product, results.edition
    if (about, told) == (product, edition):
        return
    raise WrongInputError(
        f"{folder / FILE_NAME}: is about {about} in the edition {told}, not {product} in the "
        f"edition {edition}; run `aclnn-cts explain {identifier} --product {about} "
        f"--edition {told} --results {folder}`"
    )
