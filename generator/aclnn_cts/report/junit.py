# SPDX-License-Identifier: Apache-2.0
"""junit.xml: the report in the form that Jenkins and GitLab read; one test suite per operator."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from aclnn_cts.files import write_bytes
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.report.model import Report
from aclnn_cts.spec.edition_models import CURRENT

FILE_NAME = "junit.xml"

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped (its section 2.2)."""


def as_xml(report: Report) -> ET.Element:
    """Return the document's root."""
    root = ET.Element("testsuites", name="aclnn-cts")
    _count(root, report.verdicts)
    for operator in dict.fromkeys(verdict.operator for verdict in report.verdicts):
        own = [verdict for verdict in report.verdicts if verdict.operator == operator]
        product = report.run.device.product
        suite = ET.SubElement(root, "testsuite", name=f"{product}.{operator}")
        _count(suite, own)
        _properties(suite, report)
        for verdict in own:
            _case(suite, verdict, product, report.stories.get(verdict.case, verdict.message))
    return root


def _properties(suite: ET.Element, report: Report) -> None:
    """Say what was tested, so that reports of several products and releases stay apart."""
    run = report.run
    properties = ET.SubElement(suite, "properties")
    for name, value in (
        ("product", run.device.product),
        ("device", run.device.kind),
        ("soc", run.device.soc),
        ("cann", run.device.cann),
        *((("fault", run.device.fault),) if run.device.fault else ()),
        ("tier", run.tier),
        ("standard", report.standard),
        *((("edition", run.edition),) if run.edition != CURRENT else ()),
        ("suite", run.suite_version),
        ("specs_sha256", run.specs_sha256),
        *(("problem", problem) for problem in report.problems),
    ):
        ET.SubElement(properties, "property", name=name, value=clean(value))


def _count(element: ET.Element, verdicts: Sequence[CaseVerdict]) -> None:
    failures = sum(verdict.verdict is Verdict.FAIL for verdict in verdicts)
    errors = sum(_is_error(verdict.verdict) for verdict in verdicts)
    element.set("tests", str(len(verdicts)))
    element.set("failures", str(failures))
    element.set("errors", str(errors))
    element.set("time", f"{sum(verdict.seconds for verdict in verdicts):.6f}")


def _is_error(verdict: Verdict) -> bool:
    return verdict not in (Verdict.PASS, Verdict.CONTESTED_ONLY, Verdict.FAIL)


def _case(suite: ET.Element, verdict: CaseVerdict, product: str, story: str) -> None:
    case = ET.SubElement(
        suite,
        "testcase",
        name=clean(verdict.case),
        classname=f"{product}.{verdict.operator}",
        time=f"{verdict.seconds:.6f}",
    )
    if verdict.verdict is Verdict.PASS:
        return
    if verdict.verdict is Verdict.CONTESTED_ONLY:
        ET.SubElement(case, "system-out").text = clean(verdict.message)
        return
    tag = "error" if _is_error(verdict.verdict) else "failure"
    message = ": ".join(filter(None, (*verdict.broken[:1], verdict.message)))
    outcome = ET.SubElement(case, tag, type=verdict.verdict.value, message=clean(message))
    outcome.text = clean(story)


def clean(text: str) -> str:
    """Return text without the characters that XML cannot hold; each is replaced by U+FFFD."""
    return _NOT_XML.sub("�", text)


def write_junit(report: Report, folder: Path) -> Path:
    """Write junit.xml into a folder and return its path.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: The disk is full.
    """
    path = folder / FILE_NAME
    root = as_xml(report)
    ET.indent(root)
    write_bytes(path, ET.tostring(root, encoding="utf-8", xml_declaration=True))
    return path
