# SPDX-License-Identifier: Apache-2.0
"""Allure results of a run: a file per case, with steps and attachments."""

from __future__ import annotations

import hashlib
import shlex
import uuid
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aclnn_cts.errors import WrongInputError
from aclnn_cts.files import explain, write_text
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.cases import CaseEntry
from aclnn_cts.report.formatting import card_of
from aclnn_cts.report.results import ResultsDocument
from aclnn_cts.report.view import Run, run_facts, run_of, tool_state

if TYPE_CHECKING:
    from allure_commons.logger import AllureFileLogger

ENVIRONMENT = "environment.properties"


def require_allure() -> None:
    """Raise WrongInputError unless allure-python-commons is installed."""
    try:
        import allure_commons  # noqa: F401, PLC0415 - an extra
    except ImportError:
        raise WrongInputError(
            "--allure needs allure-python-commons: pip install 'aclnn-cts[allure]'"
        ) from None


def write_allure(document: ResultsDocument, results: Path, folder: Path) -> None:
    """Add a run to a folder of Allure results, one case after the other.

    Args:
        folder: The folder of Allure results; it is created if needed.

    Raises:
        WrongInputError: allure-python-commons is not installed, or the folder cannot be written to.
        NotTrustworthyError: The disk is full.
    """
    require_allure()
    from allure_commons.logger import AllureFileLogger  # noqa: PLC0415

    run = run_of(document)
    texts = {(each.operator, each.clause): each.text for each in document.clauses}
    try:
        logger = AllureFileLogger(str(folder))
        for case in document.cases:
            logger.report_result(
                _result(case, run, texts, list(_attached(logger, case, run, results)))
            )
    except OSError as error:
        raise explain(error, folder) from None
    facts = (f"{name}={value}" for name, value in run_facts(document).items() if value)
    write_text(folder / ENVIRONMENT, "\n".join(facts) + "\n")


def _result(
    case: CaseEntry, run: Run, texts: Mapping[tuple[str, str], str], attachments: list[Any]
) -> Any:
    from allure_commons.model2 import Label, Parameter, StatusDetails, TestResult  # noqa: PLC0415

    document = run.document
    product = document.device.product
    start = int(datetime.fromisoformat(document.started).timestamp() * 1000)
    labels = {
        "parentSuite": product,
        "suite": case.operator,
        "subSuite": case.scene,
        "framework": "aclnn-cts",
        "language": "c++",
        "host": case.host or document.environment.host,
        "thread": card_of(case.host, case.card) if case.host else "",
        "tag": case.dtype,
    }
    told = {"product": product, "edition": document.edition, "standard": document.standard}
    identity = hashlib.sha256(f"{product} {document.edition} {case.id}".encode()).hexdigest()[:32]
    return TestResult(
        uuid=str(uuid.uuid4()),
        historyId=identity,
        testCaseId=identity,
        fullName=f"{product}.{case.operator}.{case.id}",
        name=case.id,
        status=tool_state(case.outcome, enforce=document.enforce),
        statusDetails=StatusDetails(
            known=case.waiver is not None,
            flaky=case.verdict is Verdict.FLAKY,
            message=case.message or None,
            trace=case.story or None,
        ),
        stage="finished",
        description="\n\n".join(case.remarks) or None,
        steps=list(_steps(case, document, texts)),
        attachments=attachments,
        parameters=[Parameter(name=name, value=value) for name, value in told.items()],
        labels=[Label(name=name, value=value) for name, value in labels.items() if value],
        start=start,
        stop=start + round(case.seconds * 1000),
    )


def _steps(
    case: CaseEntry, document: ResultsDocument, texts: Mapping[tuple[str, str], str]
) -> Iterator[Any]:
    """Yield the clauses that a case tests, and the comparison of its outputs by the standard."""
    from allure_commons.model2 import Parameter, TestStepResult  # noqa: PLC0415

    for clause in dict.fromkeys((*case.broken, *case.exercised)):
        text = texts.get((case.operator, clause), "")
        status = "failed" if clause in case.broken else "passed"
        if case.verdict.proves_nothing or (case.verdict.breaks_promise and not case.broken):
            status = "broken"
        name = f"{clause}: {text}" if text else clause
        yield TestStepResult(name=name, status=status, stage="finished")
    figures = case.standards.get(document.standard)
    if figures is not None:
        yield TestStepResult(
            name=f"the outputs by the standard {document.standard}",
            status="passed" if figures.passed else "failed",
            stage="finished",
            parameters=[
                Parameter(name=name, value=str(value))
                for name, value in figures.as_json().items()
                if name != "pass"
            ],
        )


def _attached(logger: AllureFileLogger, case: CaseEntry, run: Run, results: Path) -> Iterator[Any]:
    """Write and yield the attachments of a case that has a story."""
    from allure_commons.model2 import Attachment  # noqa: PLC0415

    if not case.story:
        return
    repro = f"aclnn-cts repro {case.id} --results {shlex.quote(str(results))} -o reproducer"
    contents = {
        "message": (case.story, "txt", "text/plain"),
        "commands": (f"{run.command(case)}\n{repro}\n", "txt", "text/plain"),
    }
    if case.samples:
        samples = case.model_dump_json(include={"samples"}, indent=1)
        contents["samples"] = samples, "json", "application/json"
    for name, (content, suffix, kind) in contents.items():
        file = f"{uuid.uuid4()}-attachment.{suffix}"
        logger.report_attached_data(content, file)
        yield Attachment(name=name, source=file, type=kind)
