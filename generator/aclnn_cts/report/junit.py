# SPDX-License-Identifier: Apache-2.0
"""junit.xml: the report in the form that Jenkins and GitLab read; one test suite per operator.

What both make of the file decides its form. Jenkins sorts by the class name, up to its last dot as
the package, so a case's class is product and operator. GitLab knows a case again by class and name,
shows the text of a failure but not its ``message``, and ignores ``properties``. So the text begins
with the verdict and the reason, and what a reader must know about the device is in the class. A
case that the documents contest throughout is a pass with a remark, one whose failure is waived is
skipped; so is a call that the device accepts although its documents require callers not to make it,
unless requirements are to be enforced: then it is a failure. Both tools count ``failure`` and
``error`` as failed; a failure is the device's, an error says that a case broke off or proves
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from aclnn_cts.files import write_bytes
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.cases import CaseEntry
from aclnn_cts.report.results import (
    ResultsDocument,
    WaiverOutcome,
)
from aclnn_cts.report.view import run_facts
from aclnn_cts.run.folder_lock import JUNIT_FILE
from aclnn_cts.spec.edition_models import CURRENT

FILE_NAME = JUNIT_FILE

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped (its section 2.2)."""

_FAILURES = (Verdict.FAIL, Verdict.FLAKY)
_ERRORS = (Verdict.CRASH, Verdict.TIMEOUT, Verdict.MISSING, Verdict.UNTRUSTED)

_MESSAGE = 300
"""Characters of a failure's message: it is one line of a table; the text behind it has all."""


def as_xml(document: ResultsDocument) -> ET.Element:
    """Return the document's root."""
    root = ET.Element("testsuites", name="aclnn-cts")
    _count(root, tuple(document.cases), document)
    product = document.device.product
    for operator in dict.fromkeys(case.operator for case in document.cases):
        own = [case for case in document.cases if case.operator == operator]
        suite = ET.SubElement(root, "testsuite", name=f"{product}.{operator}")
        _count(suite, own, document)
        suite.set("timestamp", document.started[: len("2026-01-01T00:00:00")])
        if document.environment.host:
            suite.set("hostname", clean(document.environment.host))
        _properties(suite, document)
        waivers = {waiver.id: waiver for waiver in document.waivers}
        for case in own:
            element = _named(suite, case, product)
            if case.waiver is not None:
                _waived(element, case, waivers[case.waiver])
            else:
                _outcome(element, case, _tag(case, document))
    return root


def _properties(suite: ET.Element, document: ResultsDocument) -> None:
    """Say what was tested, so that reports of several products and releases stay apart."""
    facts = run_facts(document)
    properties = ET.SubElement(suite, "properties")
    for name in ("product", "device", "SoC", "CANN", "fault", "variant", "tier", "standard"):
        if facts[name] or name not in ("fault", "variant"):
            _property(properties, name.lower(), facts[name])
    if document.edition != CURRENT:
        _property(properties, "edition", document.edition)
    _property(properties, "suite", facts["suite"])
    _property(properties, "specs_sha256", facts["specs"])
    for problem in document.problems:
        _property(properties, "problem", problem)


def _property(properties: ET.Element, name: str, value: str) -> None:
    ET.SubElement(properties, "property", name=name, value=clean(value))


def _tag(case: CaseEntry, document: ResultsDocument) -> str:
    """Return the element that tells what became of a case; empty for a pass."""
    if case.waiver is not None:
        return "skipped"
    if case.is_unenforced:
        return "failure" if document.enforce else "skipped"
    if case.verdict in _FAILURES:
        return "failure"
    return "error" if case.verdict in _ERRORS else ""


def _count(element: ET.Element, cases: Sequence[CaseEntry], document: ResultsDocument) -> None:
    tags = [_tag(case, document) for case in cases]
    element.set("tests", str(len(cases)))
    element.set("failures", str(tags.count("failure")))
    element.set("errors", str(tags.count("error")))
    element.set("skipped", str(tags.count("skipped")))
    element.set("time", f"{sum(case.seconds for case in cases):.6f}")


def _named(suite: ET.Element, case: CaseEntry, product: str) -> ET.Element:
    return ET.SubElement(
        suite,
        "testcase",
        name=clean(case.id),
        classname=f"{product}.{case.operator}",
        file=f"specs/{case.operator}.yaml",
        time=f"{case.seconds:.6f}",
    )


def _waived(element: ET.Element, case: CaseEntry, waiver: WaiverOutcome) -> None:
    """Tell of a case whose failure is waived: neither passed nor failed."""
    message = f"waived by {waiver.id} until {waiver.expires}: {waiver.reason} ({waiver.link})"
    ET.SubElement(element, "skipped", message=clean(message))
    ET.SubElement(element, "system-out").text = clean(case.story)


def _outcome(element: ET.Element, case: CaseEntry, tag: str) -> None:
    if case.verdict is Verdict.PASS:
        return
    if case.verdict is Verdict.CONTESTED_ONLY:
        ET.SubElement(element, "system-out").text = clean(case.message)
        return
    named = case.unenforced if case.is_unenforced else case.broken
    message = ": ".join(filter(None, (*named[:1], case.message)))
    if tag == "skipped":
        ET.SubElement(element, tag, message=clean(f"unenforced: {message}"))
        return
    short = message if len(message) <= _MESSAGE else message[: _MESSAGE - 1] + "…"
    outcome = ET.SubElement(element, tag, type=case.verdict.value, message=clean(short))
    outcome.text = clean(case.story or f"{case.verdict.value.upper()} {case.id}\n{message}")


def clean(text: str) -> str:
    """Return text without the characters that XML cannot hold; each is replaced by U+FFFD."""
    return _NOT_XML.sub("�", text)


def write_junit(document: ResultsDocument, folder: Path) -> Path:
    """Write junit.xml into a folder and return its path.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: The disk is full.
    """
    path = folder / FILE_NAME
    root = as_xml(document)
    ET.indent(root)
    write_bytes(path, ET.tostring(root, encoding="utf-8", xml_declaration=True))
    return path
