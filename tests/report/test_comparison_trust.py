# SPDX-License-Identifier: Apache-2.0
"""Which runs can be compared, and what is to be kept in mind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.report.comparing_runs import Make, case

from aclnn_cts.errors import CtsError, ExitCode, NotTrustworthyError
from aclnn_cts.report.comparison_text import as_json, as_markdown, as_text, headline
from aclnn_cts.report.run_comparison import compare_results
from aclnn_cts.results.document import (
    SuiteEntry,
    WaiverOutcome,
    WaiverState,
    read_results,
    write_document,
)
from aclnn_cts.run.environment import Environment, Library
from aclnn_cts.run.folder import Device


def test_what_was_not_the_same_comes_first(results_document: Make) -> None:
    """Who looks for the cause of a change begins with what was exchanged."""
    library = Library("libopapi.so", "/cann/lib64/libopapi.so", "a" * 64)
    base = results_document(
        cases=(case("a"),),
        device=Device("hardware", "atlas-a2", "Ascend910B3", "8.0.RC3"),
        environment=Environment(driver="24.1", libraries=(library,)),
    )
    new = results_document(
        cases=(case("a"),),
        device=Device("hardware", "atlas-a2", "Ascend910B3", "8.2.RC1"),
        environment=Environment(driver="24.1", libraries=(replace(library, sha256="b" * 64),)),
        suite=SuiteEntry(version="0.1.0", specs_sha256="11"),
    )
    found = compare_results(base, new)
    told = [(each.name, each.base, each.new) for each in found.differences]
    assert told == [
        ("CANN", "8.0.RC3", "8.2.RC1"),
        ("specs", "00", "11"),
        ("libopapi.so", "a" * 12, "b" * 12),
    ]
    assert any("the suites differ" in note for note in found.notes)


def test_what_only_one_run_recorded_is_no_difference(results_document: Make) -> None:
    """A kit records CANN's libraries alone, a run at home those of the system, too."""
    cann, system = (
        Library(name, f"/lib/{name}", "a" * 64) for name in ("libopapi.so", "libc.so.6")
    )
    base, kit = (
        results_document(cases=(case("a"),), environment=Environment(libraries=libraries))
        for libraries in ((cann, system), (cann,))
    )
    assert compare_results(base, kit).differences == ()
    assert compare_results(kit, base).differences == ()
    split = replace(cann, name="libopapi_nn.so")
    environment = Environment(libraries=(cann, split))
    newer = results_document(cases=(case("a"),), environment=environment)
    (told,) = compare_results(kit, newer).differences
    assert (told.name, told.base, told.new) == ("libopapi_nn.so", "", "a" * 12)


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"product": "atlas-a3"}, "BASE is about atlas-a2, NEW about atlas-a3"),
        ({"standard": "ecosystem"}, "judge one of them again"),
        ({"cases": ()}, "NEW holds no cases"),
        ({"cases": (case("z"),)}, "have no case in common"),
    ],
)
def test_runs_that_say_nothing_about_each_other(
    results_document: Make, facts: dict[str, Any], sentence: str
) -> None:
    """They are refused: no difference between them would be one between releases."""
    base = results_document(cases=(case("a"),))
    new = results_document(**{"cases": (case("a"),), **facts})
    with pytest.raises(NotTrustworthyError, match=sentence):
        compare_results(base, new)


@pytest.mark.parametrize(
    ("facts", "note"),
    [
        ({"tier": "standard"}, "BASE is of the tier smoke, NEW of standard"),
        ({"edition": "earlier"}, "`aclnn-cts coverage --against current --edition earlier`"),
        ({}, "hold the same results"),
        ({"contract_only": ("aclnnLogitGrad",)}, "nothing is said about values"),
        (
            {"device": Device("hardware", "atlas-a2", "Ascend910B1", "8.0")},
            "times are not compared: BASE ran on simulator Ascend910B3, NEW on hardware",
        ),
    ],
)
def test_what_to_keep_in_mind(results_document: Make, facts: dict[str, Any], note: str) -> None:
    """Runs that differ in more than the release can be compared, with a note."""
    base = results_document(cases=(case("a"),))
    found = compare_results(base, results_document(**{"cases": (case("a"),), **facts}))
    assert any(note in each for each in found.notes), found.notes
    assert found.exit_status is ExitCode.PASSED


def test_a_damaged_run_is_not_trusted(results_document: Make) -> None:
    """Nothing got worse, as far as one can tell; but one cannot."""
    whole = results_document(cases=(case("a"),))
    damaged = results_document(cases=(case("a"),), problems=("a line is not an event",))
    for base, new in ((whole, damaged), (damaged, whole)):
        found = compare_results(base, new)
        assert found.exit_status is ExitCode.NOT_TRUSTWORTHY
        assert "not trustworthy: a line is not an event" in as_text(found)
        assert headline(found).startswith("Whether NEW is worse than BASE is unknown")
    worse = results_document(cases=(case("a", "fail"),), problems=("a line is not an event",))
    assert compare_results(whole, worse).exit_status is ExitCode.BROKEN_PROMISE


def test_a_waiver_that_would_hide_a_failure_is_told(results_document: Make) -> None:
    """As in the run itself."""
    outcome = WaiverOutcome("w", "improved", (), "its case a passes", "r", "l", "o", "2027-01-01")
    new = results_document(cases=(case("a"),), waivers=(outcome,))
    found = compare_results(results_document(cases=(case("a"),)), new)
    assert found.exit_status is ExitCode.NOT_TRUSTWORTHY
    assert "waiver w improved: its case a passes" in as_text(found)
    assert headline(found) == "NEW is no worse than BASE, but 1 waiver is no longer needed"


def test_a_waiver_that_says_something_else_is_a_difference(results_document: Make) -> None:
    """Who accepts more under the same id does not do so unseen."""
    narrow = WaiverOutcome("w", "waives", ("a",), "", "r", "l", "o", "2027-01-01", "1" * 64)
    base, new = (
        results_document(cases=(case("a", "fail", waiver="w"),), waivers=(each,))
        for each in (narrow, replace(narrow, sha256="2" * 64))
    )
    (told,) = compare_results(base, new).differences
    assert (told.name, told.base, told.new) == ("waiver w", "1" * 12, "2" * 12)
    assert compare_results(base, base).differences == ()


def test_every_form_tells_a_waiver_that_waives_nothing(results_document: Make) -> None:
    """One that expired explains why a known failure counts again; one for elsewhere is in place."""
    states: dict[str, WaiverState] = {"late": "expired", "idle": "unused", "away": "elsewhere"}
    outcomes = [
        WaiverOutcome(name, state, (), "a sentence about it", "r", "l", "o", "2020-01-01")
        for name, state in states.items()
    ]
    new = results_document(cases=(case("a"),), waivers=tuple(outcomes))
    found = compare_results(results_document(cases=(case("a"),)), new)
    assert found.exit_status is ExitCode.PASSED
    for write in (as_text, as_markdown):
        assert "waiver late expired: a sentence about it" in write(found)
        assert "waiver idle unused: a sentence about it" in write(found)
        assert "away" not in write(found)
    assert '"state":"expired"' in "".join(as_json(found).split())


def test_results_that_are_cut_off_anywhere_are_refused(
    results_document: Make, tmp_path: Path
) -> None:
    """However much of the file is there: no comparison with a part of a run."""
    file = write_document(results_document(cases=(case("a"),)), tmp_path)
    text = file.read_text()
    assert len(read_results(file).cases) == 1
    for end in range(len(text.rstrip()) - 1):
        file.write_text(text[:end])
        with pytest.raises(CtsError, match=r"results\.json: is damaged"):
            read_results(file)
