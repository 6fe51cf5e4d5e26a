# SPDX-License-Identifier: Apache-2.0
"""junit.xml keeps the rules by which Jenkins and GitLab read it.

Jenkins: attributes and children that its schema knows, counts that agree with the children,
times and moments in its form. GitLab: a case is known again by its class and name, which must be
unique; of a failure it shows the text, not ``message``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.report.reports import junit_root

from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.junit import write_junit_by_operator
from aclnn_cts.report.view import run_of
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.results.document import (
    ResultsDocument,
    WaiverOutcome,
)
from aclnn_cts.run.environment import Environment

ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testsuite": {
        *("name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname"),
    },
    "testcase": {"name", "classname", "time", "file"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"message"},
    "system-out": set[str](),
    "properties": set[str](),
    "property": {"name", "value"},
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase"},
    "testcase": {"failure", "error", "skipped", "system-out"},
    "properties": {"property"},
}
WAIVER = WaiverOutcome("known", "waives", ("w",), "", "a reason", "a link", "who", "2027-01-01")


@pytest.fixture
def root(
    entry: Callable[..., CaseEntry], results_document: Callable[..., ResultsDocument]
) -> ET.Element:
    """The document of a run with every verdict, and a waived failure, of two operators.

    A device may say what XML cannot hold.
    """
    cases = [entry(verdict.value, verdict.value) for verdict in Verdict]
    cases += [entry("w", "fail", waiver="known", story="\x1b[31m\x00")]
    cases += [entry("long", "fail", message="\x00" + "x" * 5000)]
    cases += [entry("pass", operator="aclnnPreluBackward")]
    document = results_document(
        cases=tuple(cases), waivers=(WAIVER,), environment=Environment(host="lab-7")
    )
    return junit_root(run_of(document), each_case=True)


def test_nothing_that_readers_do_not_know(root: ET.Element) -> None:
    """Elements and attributes are those that both tools know."""
    for element in root.iter():
        assert set(element.attrib) <= ATTRIBUTES[element.tag], element.tag
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())


def test_counts_agree(root: ET.Element) -> None:
    """What a suite counts is what it holds, and the whole is the sum of its suites."""
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        for suite in root:
            assert int(suite.get(name, "")) == len(suite.findall(f"testcase/{tag}"))
        assert int(root.get(name, "")) == len(list(root.iter(tag)))
    assert int(root.get("tests", "")) == len(list(root.iter("testcase")))


def test_cases_can_be_known_again(root: ET.Element) -> None:
    """Class and name are unique, the class is product and operator, and the file is the spec."""
    found = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert max(Counter(found).values()) == 1
    assert {name for name, _ in found} == {"atlas-a2.aclnnLogitGrad", "atlas-a2.aclnnPreluBackward"}
    assert {case.get("file") for case in root.iter("testcase")} == {
        "specs/aclnnLogitGrad.yaml",
        "specs/aclnnPreluBackward.yaml",
    }


def test_forms(root: ET.Element) -> None:
    """Times are seconds, the moment has no zone, the host is named."""
    for suite in root:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp", ""))
        assert suite.get("hostname") == "lab-7"
    for element in (root, *root.iter("testcase")):
        assert float(element.get("time", "")) >= 0


def test_each_verdict_has_its_form(root: ET.Element) -> None:
    """Flaky is a failure of its own type; waived is skipped; a contested case passes."""
    shown = {
        str(case.get("name")): [(child.tag, child.get("type")) for child in case]
        for case in root[0].iter("testcase")
    }
    assert shown == {
        "pass": [],
        "fail": [("failure", "fail")],
        "crash": [("error", "crash")],
        "timeout": [("error", "timeout")],
        "flaky": [("failure", "flaky")],
        "missing": [("error", "missing")],
        "unenforced": [("skipped", None)],
        "contested-only": [("system-out", None)],
        "untrusted": [("error", "untrusted")],
        "w": [("skipped", None), ("system-out", None)],
        "long": [("failure", "fail")],
    }


def test_the_text_says_it_all(root: ET.Element) -> None:
    """The text begins with verdict and case; the message is a line, whatever the device says."""
    for outcome in (*root.iter("failure"), *root.iter("error")):
        assert (outcome.text or "").startswith(f"{outcome.get('type', '').upper()} ")
        assert len(outcome.get("message", "")) <= 300
    skipped = root.find(".//testcase[@name='w']/skipped")
    assert skipped is not None
    assert skipped.get("message") == "waived by known until 2027-01-01: a reason (a link)"


def test_a_file_for_each_operator(
    entry: Callable[..., CaseEntry],
    results_document: Callable[..., ResultsDocument],
    tmp_path: Path,
) -> None:
    """Each is a document of its own that counts its cases; together they hold all of them."""
    cases = (entry("a", "fail"), entry("b"), entry("c", operator="aclnnPreluBackward"))
    run = run_of(results_document(cases=cases))
    paths = write_junit_by_operator(run, tmp_path / "junit", each_case=True)
    assert [path.name for path in paths] == [
        "atlas-a2.aclnnLogitGrad.xml",
        "atlas-a2.aclnnPreluBackward.xml",
    ]
    roots = [ET.parse(path).getroot() for path in paths]  # noqa: S314 - our own
    assert [(root.get("tests"), root.get("failures")) for root in roots] == [("2", "1"), ("1", "0")]
    assert [case.get("name") for root in roots for case in root.iter("testcase")] == ["a", "b", "c"]


def test_a_run_without_cases(results_document: Callable[..., ResultsDocument]) -> None:
    """The document is well-formed and empty."""
    root = junit_root(run_of(results_document()))
    assert (root.tag, root.get("tests"), len(root)) == ("testsuites", "0", 0)


def test_scenes_that_passed(
    entry: Callable[..., CaseEntry], results_document: Callable[..., ResultsDocument]
) -> None:
    """By default one test case stands for them, and each other case for itself."""
    cases = [entry(f"a{n}", scene="size", seconds=0.5) for n in range(3)]
    cases += [entry("b", scene="layout"), entry("c", "fail", scene="size", message="wrong")]
    cases += [entry("w", "fail", waiver="known"), entry("d", "contested-only")]
    document = results_document(cases=tuple(cases), waivers=(WAIVER,))
    (suite,) = junit_root(run_of(document))
    shown = {each.get("name"): [child.tag for child in each] for each in suite.iter("testcase")}
    assert shown == {
        "size": ["system-out"],
        "layout": ["system-out"],
        "c": ["failure"],
        "w": ["skipped", "system-out"],
        "d": ["system-out"],
    }
    counts = [suite.get(name) for name in ("tests", "failures", "errors", "skipped")]
    assert counts == ["5", "1", "0", "1"]
    size = suite.find("testcase[@name='size']")
    assert size is not None
    assert (size.findtext("system-out"), size.get("time")) == ("3 cases passed", "1.500000")
