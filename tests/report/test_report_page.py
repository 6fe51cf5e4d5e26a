# SPDX-License-Identifier: Apache-2.0
"""What report.html holds, apart from what a browser makes of it; and the command that writes it."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from tests.report.pages import PICTURE, Documents, Entries, data_of
from tests.report.reports import page_of
from typer.testing import CliRunner

from aclnn_cts.cli import app
from aclnn_cts.errors import ExitCode, NotTrustworthyError
from aclnn_cts.judge.comparison import Picture, Sample
from aclnn_cts.results.document import ClauseVerdict, write_document
from aclnn_cts.run.folder import Device

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u2028]]>"


def test_a_page_of_several_runs_keeps_their_cases_apart(
    entry: Entries, results_document: Documents
) -> None:
    """The same case of two products has two links."""
    page = page_of(
        [
            results_document(cases=(entry("c", "fail"),)),
            results_document(product="ascend-950", cases=(entry("c", "fail"),)),
        ]
    )
    assert 'id="case=atlas-a2/c"' in page
    assert 'id="case=ascend-950/c"' in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_whatever_a_device_says_stays_text(entry: Entries, results_document: Documents) -> None:
    """Messages, ids, texts and labels cannot become markup, in the page or in its data."""
    case = entry(
        HOSTILE,
        "fail",
        operator=HOSTILE,
        message=HOSTILE,
        broken=(HOSTILE,),
        remarks=(HOSTILE,),
        story=f"call: {HOSTILE}",
        facts=(HOSTILE,),
        pictures=(Picture(HOSTILE, (1,), 1, 1, 1, 1, ("9",), ()),),
        samples=(Sample(HOSTILE, (0,), ((HOSTILE, 1.0),), HOSTILE, 1.0, 1.0, 1.0),),
    )
    clause = ClauseVerdict(HOSTILE, HOSTILE, "fail", 1, 0, None, HOSTILE, HOSTILE, "stated")
    device = Device(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    page = page_of(
        [results_document(cases=(case,), clauses=(clause,), device=device, problems=(HOSTILE,))]
    )
    assert "<script>alert" not in page
    assert "<img" not in page
    assert page.count("</script>") == 2
    assert HOSTILE in [row[1] for row in data_of(page)["cases"]]


class _Loads(HTMLParser):
    """Collects what a page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [f"{tag} {name}" for name, _ in attrs if name in ("src", "data", "action")]
        self.loads += [
            f"{tag} {value}" for name, value in attrs if name == "style" or tag == "link"
        ]
        handlers = [name for name, _ in attrs if name.startswith("on")]
        assert not handlers, handlers


def test_the_page_loads_nothing(entry: Entries, results_document: Documents) -> None:
    """No element loads anything, and the policy allows the page's own style and script alone."""
    page = page_of([results_document(cases=(entry("c", "fail", pictures=(PICTURE,)),))])
    loads = _Loads()
    loads.feed(page)
    assert loads.loads == []
    assert not re.search(r"url\(|@import|https?://", page)
    policy = html.unescape(re.findall(r'Content-Security-Policy" content="([^"]+)"', page)[0])
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_the_command(entry: Entries, results_document: Documents, tmp_path: Any) -> None:
    """Folders and files are taken alike; a baseline of another product is refused in a sentence."""
    for name, product in (("a", "atlas-a2"), ("b", "ascend-950"), ("c", "atlas-a3")):
        (tmp_path / name).mkdir()
        write_document(results_document(product=product, cases=(entry("x"),)), tmp_path / name)
    page = tmp_path / "pages" / "page.html"
    folders = [str(tmp_path / "a"), str(tmp_path / "b" / "results.json")]
    done = CliRunner().invoke(app, ["report", *folders, "-o", str(page)])
    assert (done.exit_code, done.stdout) == (0, f"{page}\n")
    assert [run["label"] for run in data_of(page.read_text())["runs"]] == ["atlas-a2", "ascend-950"]
    base = ["--baseline", str(tmp_path / "c")]
    refused = CliRunner().invoke(app, ["report", *folders, *base, "-o", str(tmp_path / "no.html")])
    assert refused.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert "the baseline is about atlas-a3" in refused.output
    assert not (tmp_path / "no.html").exists()


def test_each_run_says_what_it_is(entry: Entries, results_document: Documents) -> None:
    """Runs that are called by their folders still name product and fault, in the head and below."""
    broken = Device("simulator", "atlas-a2", "Ascend910B3", "8.0", "logit-tail")
    one, two = results_document(cases=(entry("x"),)), results_document(device=broken)
    page = page_of([one, two], names=["good", "bad"])
    assert "<strong>bad</strong> · atlas-a2 · simulator Ascend910B3" in page
    assert "standard strict · fault logit-tail" in page
    assert "bad: the simulated device was given the fault logit-tail" in page
    right = replace(broken, fault="", variant="logit-other")
    page = page_of([one, results_document(device=right)], names=["good", "other"])
    assert "standard strict · variant logit-other" in page
    assert "given the variant logit-other: it is meant to pass" in page
    assert '<th scope="col">other</th>' in page


def test_a_baseline_among_the_runs(entry: Entries, results_document: Documents) -> None:
    """It is shown, but neither counted with the others nor compared with itself."""
    base = results_document(
        cases=(entry("x", "fail"),), nonce="1", started="2025-01-01T00:00:00+00:00"
    )
    new = results_document(cases=(entry("x"),), nonce="2")
    page = page_of([base, new], base, ["earlier", "tonight"])
    assert "All tested promises were kept" in page.split("</title>")[0]
    assert "<strong>earlier</strong> · atlas-a2 · the baseline, not counted here" in page
    assert page.count('<article class="compared') == 1
    assert "1</b> planned" in page
    assert '<article class="compared good">' in page_of([base], base)


def test_a_baseline_is_compared(entry: Entries, results_document: Documents) -> None:
    """What got worse since is on the page, with a link to the case."""
    base = results_document(cases=(entry("x"), entry("y")))
    new = results_document(cases=(entry("x", "fail"), entry("y")))
    page = page_of([new], base)
    assert "NEW is worse than BASE: 1 case newly fails" in page
    assert '<a href="#case=x"><code>x</code></a>' in page.split('id="failures"')[0]
    came = results_document(cases=(entry("x"), entry("y"), entry("z")), problems=("a gap",))
    assert '<article class="compared warn">' in page_of([came], base)
    with pytest.raises(NotTrustworthyError, match="the page's runs are not"):
        page_of([results_document(product="atlas-a3", cases=(entry("x"),))], base)
