# SPDX-License-Identifier: Apache-2.0
"""results.json: the report for machines, written and read, format ``aclnn-cts/results/1``.

Numbers that JSON has no literal for are strings: ``"NaN"``, ``"Infinity"``, ``"-Infinity"``.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ValidationError

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.files import write_bytes
from aclnn_cts.judge.contested import Contest
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.report.clauses import ClauseVerdict, contests_of
from aclnn_cts.report.model import Report

Format: TypeAlias = Literal["aclnn-cts/results/1"]
FORMAT: Format = "aclnn-cts/results/1"
FILE_NAME = "results.json"


class _Device(BaseModel):
    product: str


class _Document(BaseModel):
    """What is read of a results file."""

    format: Format
    device: _Device
    edition: str
    clauses: tuple[ClauseVerdict, ...]


@dataclass(frozen=True)
class Told:
    """What an earlier judgement says about the clauses.

    Attributes:
        folder: The results folder.
        product: The product of its device.
        edition: The edition of the documents that the run was about.
        clauses: The verdict on each clause of its operators.
    """

    folder: Path
    product: str
    edition: str
    clauses: tuple[ClauseVerdict, ...]

    def require(self, identifier: str, product: str, edition: str) -> None:
        """Refuse what is said about another product or edition than is asked for.

        Args:
            identifier: The clause that is to be explained, for the right command.
            product: The product asked for.
            edition: The edition asked for.

        Raises:
            WrongInputError: The run is about another product or edition.
        """
        if (self.product, self.edition) == (product, edition):
            return
        options = f"--product {self.product} --edition {self.edition} --results {self.folder}"
        raise WrongInputError(
            f"{self.folder / FILE_NAME}: is about {self.product} in the edition {self.edition}, "
            f"not {product} in the edition {edition}; run `aclnn-cts explain {identifier} "
            f"{options}`"
        )


def read_told(folder: Path) -> Told:
    """Read what results.json in a folder says about the clauses.

    Raises:
        WrongInputError: The folder has no such file, or it cannot be read.
        NotTrustworthyError: The file is damaged, or of another format.
    """
    path = folder / FILE_NAME
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        raise WrongInputError(f"{path}: is missing; run `aclnn-cts judge {folder}` first") from None
    except OSError as error:
        raise WrongInputError(
            f"{path}: cannot be read: {error.strerror}; give a folder that you may read"
        ) from None
    again = f"run `aclnn-cts judge {folder}` again"
    try:
        found = _Document.model_validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the whole file"
        raise NotTrustworthyError(
            f"{path}: is damaged ({place}: {first['msg']}); {again}"
        ) from None
    return Told(folder, found.device.product, found.edition, found.clauses)


def totals(report: Report) -> dict[str, int]:
    """Return how many cases were planned, and how many have each verdict."""
    counts = Counter(verdict.verdict for verdict in report.verdicts)
    return {
        "planned": len(report.verdicts),
        **{verdict.value: counts[verdict] for verdict in Verdict},
    }


def as_json(report: Report) -> dict[str, Any]:
    """Return the content of the results file."""
    run = report.run
    return {
        "format": FORMAT,
        "suite": {"version": run.suite_version, "specs_sha256": run.specs_sha256},
        "device": {
            "kind": run.device.kind,
            "product": run.device.product,
            "soc": run.device.soc,
            "cann": run.device.cann,
            "fault": run.device.fault,
        },
        "tier": run.tier,
        "standard": report.standard,
        "edition": run.edition,
        "totals": totals(report),
        "problems": list(report.problems),
        "cases": [_case(verdict) for verdict in report.verdicts],
        "clauses": [asdict(clause) for clause in report.clauses],
        "rounding": [asdict(rounding) for rounding in report.rounding],
        "contradictions": [
            _contradiction(*contested) for contested in contests_of(report.verdicts)
        ],
        "not_promised": [asdict(silence) for silence in report.silences],
        "document_gaps": [asdict(gap) for gap in report.gaps],
    }


def _contradiction(operator: str, contest: Contest) -> dict[str, Any]:
    """Return two clauses that cannot both be kept, and how many elements follow each."""
    return {
        "operator": operator,
        "clauses": [contest.first, contest.second],
        "elements": contest.elements,
        "follow": [contest.follow_first, contest.follow_second],
        "reading": contest.reading,
    }


def _case(verdict: CaseVerdict) -> dict[str, Any]:
    """Return a case's entry; the clauses are the broken ones, or those tested if none is."""
    return {
        "id": verdict.case,
        "operator": verdict.operator,
        "verdict": verdict.verdict.value,
        "clauses": list(verdict.broken or verdict.exercised),
        "standards": {name: figures.as_json() for name, figures in verdict.standards.items()},
        "resolving": None if verdict.resolution is None else verdict.resolution.as_json(),
        "seconds": verdict.seconds,
        "message": verdict.message,
        "remarks": list(verdict.remarks),
    }


def write_results(report: Report, folder: Path) -> Path:
    """Write results.json into a folder and return its path.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: The disk is full.
    """
    path = folder / FILE_NAME
    text = json.dumps(_plain(as_json(report)), indent=1, ensure_ascii=False, allow_nan=False)
    write_bytes(path, (text + "\n").encode())
    return path


def _plain(value: Any) -> Any:
    """Replace numbers that JSON cannot hold."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
