# SPDX-License-Identifier: Apache-2.0
"""junit.xml: the report in the form that Jenkins and GitLab read; one test suite per operator.

Servers keep such files of many runs, so the cases of a scene that simply passed are one test case.
Each other case has its own.

Both tools determine the form. Jenkins sorts by class name, with its part before the last dot as the
package, so a case's class is product and operator. GitLab identifies a case by class and name,
shows the text of a failure but not its ``message``, and ignores ``properties``. So the text begins
with the verdict and the reason, and the class names the device. A contested case is a pass with a
remark. Both tools count ``failure`` and ``error`` as failed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from aclnn_cts.errors import counted
from aclnn_cts.files import replacing
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.totals import OfOperator
from aclnn_cts.report.view import Run, ToolState, run_facts, tool_state
from aclnn_cts.results.cases import CaseEntry, CaseFile
from aclnn_cts.results.document import ResultsDocument
from aclnn_cts.spec.editions import CURRENT

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped (its section 2.2)."""

_TAGS: Mapping[ToolState, str] = {
    "passed": "",
    "failed": "failure",
    "broken": "error",
    "skipped": "skipped",
}
"""The element of a test case in each state; empty for none."""

_MESSAGE = 300
"""Maximum length of a failure's message, which is shown in one line; the text has everything."""


def xml_of(
    run: Run, operators: Collection[str] | None = None, *, each_case: bool = False
) -> Iterator[str]:
    """Yield the document in pieces.

    Args:
        operators: The operators to include; all if None.
        each_case: Whether each case that passed is a test case of its own.
    """
    names = [name for name in run.sums.operators if operators is None or name in operators]
    cases = CaseFile.of(run.document.cases)
    suites = {
        name: [
            _element(element, 2)
            for element in _test_cases(run, cases.where(operator=name), each_case=each_case)
        ]
        for name in names
    }
    root = ET.Element("testsuites", name="aclnn-cts")
    sums = [run.sums.operators[name] for name in names]
    _count(root, sums, sum(map(len, suites.values())), run.document)
    yield "<?xml version='1.0' encoding='utf-8'?>\n"
    yield _start_tag(root, 0)
    for name, elements in suites.items():
        yield _start_tag(_suite(run, name, len(elements)), 1)
        yield from elements
        yield "\n  </testsuite>"
    yield "\n</testsuites>"


def _start_tag(element: ET.Element, level: int) -> str:
    """Return an element without its end."""
    text = _element(element, level)
    end = f"</{element.tag}>"
    return text.removesuffix(end).rstrip() if text.endswith(end) else text[: -len(" />")] + ">"


def _element(element: ET.Element, level: int) -> str:
    """Return an element on its own lines."""
    ET.indent(element, level=level)
    start = "\n" + "  " * level if level else ""
    return start + ET.tostring(element, encoding="unicode")


def _suite(run: Run, operator: str, tests: int) -> ET.Element:
    """Return the test suite of an operator, without its test cases."""
    document = run.document
    suite = ET.Element("testsuite", name=f"{document.device.product}.{operator}")
    _count(suite, [run.sums.operators[operator]], tests, document)
    suite.set("timestamp", document.started[: len("2026-01-01T00:00:00")])
    if document.environment.host:
        suite.set("hostname", clean(document.environment.host))
    _properties(suite, document)
    if operator in document.contract_only:
        # a pass says nothing about values
        _property(suite[0], "depth", "contract")
    return suite


def _test_cases(run: Run, cases: Iterable[CaseEntry], *, each_case: bool) -> Iterator[ET.Element]:
    """Yield the test cases of an operator's cases, those of whole scenes last."""
    passed: dict[tuple[str, str], list[float]] = {}
    for case in cases:
        if each_case or case.waiver is not None or case.verdict is not Verdict.PASS:
            yield _test_case(run, case)
        else:
            passed.setdefault((case.operator, case.scene), []).append(case.seconds)
    for (operator, scene), seconds in passed.items():
        element = _new_element(run, operator, scene, sum(seconds))
        ET.SubElement(element, "system-out").text = f"{counted(len(seconds), 'case')} passed"
        yield element


def _new_element(run: Run, operator: str, name: str, seconds: float) -> ET.Element:
    return ET.Element(
        "testcase",
        name=clean(name),
        classname=f"{run.document.device.product}.{operator}",
        file=clean(run.document.suite.file_of(operator)),
        time=f"{seconds:.6f}",
    )


def _test_case(run: Run, case: CaseEntry) -> ET.Element:
    element = _new_element(run, case.operator, case.id, case.seconds)
    if case.waiver is not None:
        (waiver,) = (w for w in run.document.waivers if w.id == case.waiver)
        message = f"waived by {waiver.id} until {waiver.expires}: {waiver.reason} ({waiver.link})"
        ET.SubElement(element, "skipped", message=clean(message))
        ET.SubElement(element, "system-out").text = clean(case.story)
    else:
        _outcome(element, case, _tag(case.outcome, run.document))
    return element


def _properties(suite: ET.Element, document: ResultsDocument) -> None:
    """Add the tested product and release, so that reports differ."""
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


def _tag(outcome: str, document: ResultsDocument) -> str:
    return _TAGS[tool_state(outcome, enforce=document.enforce)]


def _count(
    element: ET.Element, sums: Sequence[OfOperator], tests: int, document: ResultsDocument
) -> None:
    tags: Counter[str] = Counter()
    for totals in sums:
        for outcome, count in totals.counts.items():
            tags[_tag(outcome, document)] += count
    element.set("tests", str(tests))
    element.set("failures", str(tags["failure"]))
    element.set("errors", str(tags["error"]))
    element.set("skipped", str(tags["skipped"]))
    element.set("time", f"{sum(totals.host_seconds for totals in sums):.6f}")


def _outcome(element: ET.Element, case: CaseEntry, tag: str) -> None:
    if case.verdict is Verdict.PASS:
        return
    if case.verdict is Verdict.CONTESTED_ONLY:
        ET.SubElement(element, "system-out").text = clean(case.message)
        return
    clauses = case.unenforced if case.is_unenforced else case.broken
    message = ": ".join(filter(None, (*clauses[:1], case.message)))
    if tag == "skipped":
        ET.SubElement(element, tag, message=clean(f"unenforced: {message}"))
        return
    short = message if len(message) <= _MESSAGE else message[: _MESSAGE - 1] + "…"
    outcome = ET.SubElement(element, tag, type=case.verdict.value, message=clean(short))
    outcome.text = clean(case.story or f"{case.verdict.value.upper()} {case.id}\n{message}")


def clean(text: str) -> str:
    """Return text without the characters that XML cannot hold; each is replaced by U+FFFD."""
    return _NOT_XML.sub("�", text)


def write_junit(
    run: Run, path: Path, operators: Collection[str] | None = None, *, each_case: bool = False
) -> Path:
    """Write the document to a file and return its path; arguments are those of :func:`xml_of`.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: The disk is full.
    """
    with replacing(path) as file:
        for piece in xml_of(run, operators, each_case=each_case):
            file.write(piece.encode())
    return path


def write_junit_by_operator(run: Run, folder: Path, *, each_case: bool = False) -> tuple[Path, ...]:
    """Write a file for each operator and return their paths; raises as :func:`write_junit`."""
    return tuple(
        write_junit(run, folder / f"{run.label}.{name}.xml", [name], each_case=each_case)
        for name in run.sums.operators
    )
