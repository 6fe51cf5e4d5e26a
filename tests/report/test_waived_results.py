# SPDX-License-Identifier: Apache-2.0
"""What waivers accept of a run, and what becomes of them."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.report.comparing_runs import case, figures
from tests.report.reports import junit_root, summary_text

from aclnn_cts.errors import ExitCode
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.formatting import round_up
from aclnn_cts.report.summary import render_summary
from aclnn_cts.report.view import run_of
from aclnn_cts.report.waivers import Acceptance, apply_waivers, load_acceptance
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.results.document import (
    ResultsDocument,
    WaiverOutcome,
    read_results,
    write_document,
)
from aclnn_cts.run.folder import Device
from aclnn_cts.spec.waivers import Waivers

Held = Callable[..., ResultsDocument]

TODAY = datetime.date(2027, 3, 31)
CASE = "LogitGrad.pairs.float16.3x5.eps_-1.0123456789"
OTHER = "LogitGrad.pairs.float16.9x9.eps_-1.abcdef0123"
PATTERN = "LogitGrad.pairs.float16.*"
WAIVER: dict[str, Any] = {
    "id": "known",
    "operator": "aclnnLogitGrad",
    "cases": [CASE],
    "failure": ["value"],
    "max_ulp": 2.0,
    "reason": "rounds twice",
    "link": "https://example.org/1",
    "owner": "Ada",
    "expires": TODAY,
}
FAILING = case(CASE, "fail", errors=(1.5, 1.0), story="story")
PASSING = case(CASE)


def changed(entry: CaseEntry, **facts: Any) -> CaseEntry:
    """Return a case with other facts, among them its largest error, which may have no size."""
    if "worst_ulp" in facts:
        worst = facts.pop("worst_ulp")
        facts["standards"] = {} if worst is None else {"strict": figures(worst, worst)}
    return entry.model_copy(update=facts)


@pytest.fixture(scope="session")
def held(results_document: Callable[..., ResultsDocument]) -> Held:
    """Return what makes the results of a run on atlas-a2 with one waiver."""

    def make(*cases: CaseEntry, device_cann: str = "8.0.RC3", **changes: Any) -> ResultsDocument:
        waivers = Waivers.model_validate({"waivers": [{**WAIVER, **changes}]})
        device = Device("simulator", "atlas-a2", "Ascend910B3", device_cann)
        return apply_waivers(
            results_document(cases=cases, device=device), Acceptance(waivers, TODAY)
        )

    return make


def outcome(document: ResultsDocument) -> WaiverOutcome:
    (found,) = document.waivers
    return found


def waived(document: ResultsDocument) -> dict[str, str]:
    return {entry.id: entry.waiver for entry in document.cases if entry.waiver is not None}


def printed(document: ResultsDocument) -> str:
    return summary_text(run_of(document), width=200)


def test_what_a_waiver_says_is_waived(held: Held) -> None:
    """The failure is accepted, on its last day, too; it is neither passed nor failed anywhere."""
    document = held(FAILING, changed(PASSING, id=OTHER))
    assert waived(document) == {CASE: "known"}
    assert (outcome(document).state, outcome(document).cases) == ("waives", (CASE,))
    assert document.exit_code is ExitCode.PASSED
    totals = document.totals
    assert (totals["waived"], totals["fail"], totals["pass"]) == (1, 0, 1)
    assert next(iter(document.cases)).verdict is Verdict.FAIL
    root = junit_root(run_of(document))
    assert (root.get("skipped"), root.get("failures"), root.get("errors")) == ("1", "0", "0")
    skipped = root.find(".//skipped")
    assert skipped is not None
    assert "waived by known until 2027-03-31: rounds twice" in skipped.get("message", "")
    text = printed(document)
    assert "known waives 1 case, first" in text
    assert "https://example.org/1" in text
    assert "Broken promises" not in text


@pytest.mark.parametrize(
    "facts",
    [
        {"kinds": ("memory",)},
        {"kinds": ("memory", "value")},
        {"worst_ulp": 2.5},
        {"worst_ulp": float("inf")},
        {"worst_ulp": float("nan")},
        {"worst_ulp": None},
        {"verdict": Verdict.CRASH, "kinds": ()},
        {"verdict": Verdict.FLAKY},
        {"verdict": Verdict.TIMEOUT, "kinds": ("hang",)},
    ],
)
def test_another_failure_of_the_case_is_not(held: Held, facts: dict[str, Any]) -> None:
    """Another kind, one more kind, a larger error, a verdict that is not a plain fail."""
    document = held(changed(FAILING, **facts))
    assert (waived(document), outcome(document).state) == ({}, "unmatched")


def test_a_clause_more_is_not_waived(held: Held) -> None:
    """Who accepts a broken formula has not accepted an output that differs from run to run."""
    assert waived(held(FAILING, clauses=["formula"]))
    both = changed(FAILING, broken=("formula", "determinism"))
    document = held(both, clauses=["formula"])
    assert waived(document) == {}
    assert f"{CASE} showed: it breaks determinism, too" in outcome(document).message
    assert waived(held(both, clauses=["formula", "determ*"]))


def test_the_waiver_of_a_refused_twin_covers_the_refusals_beside_it(
    held: Held, tmp_path: Path
) -> None:
    """They follow from its failure, so they are waived with it, and prove nothing without."""
    twin = changed(FAILING, kinds=("status",), standards={})
    names = [f"LogitGrad.null-pointer.x.{number}" for number in range(40)]
    beside = [case(name, "untrusted", refused_twin=CASE, waiver=None) for name in names]
    document = held(*beside, twin, failure=["status"], max_ulp=None)
    assert waived(document) == dict.fromkeys([*names, CASE], "known")
    assert outcome(document).cases == (CASE, *names)
    assert (document.exit_code, document.totals["waived"]) == (ExitCode.PASSED, 41)
    write_document(document, tmp_path)
    assert waived(read_results(tmp_path)) == waived(document)
    other = held(*beside, twin, failure=["value"])
    assert (waived(other), other.exit_code) == ({}, ExitCode.BROKEN_PROMISE)


def test_refusals_beside_a_refused_twin_are_told_once(held: Held) -> None:
    """They do not hide the twin, nor other cases that prove nothing."""
    names = [f"LogitGrad.null-pointer.x.{number}" for number in range(40)]
    beside = [case(name, "untrusted", refused_twin=CASE) for name in names]
    run = run_of(held(*beside, FAILING, case(OTHER, "untrusted"), failure=["crash"], max_ulp=None))
    text = render_summary(run)
    assert "40 refusals prove nothing, because 1 valid call beside them is refused, too" in text
    assert f"40 of them beside `{CASE}`" in text
    assert f"untrusted: `{OTHER}`" in text
    assert "1 case could not have failed" in text
    assert not any(name in text for name in names)


@pytest.mark.parametrize("verdict", [Verdict.MISSING, Verdict.UNTRUSTED])
def test_what_proves_nothing_cannot_be_waived(held: Held, verdict: Verdict) -> None:
    """A gap in the record is not a failure of the device that somebody could accept."""
    assert not waived(held(changed(PASSING, verdict=verdict), failure=["crash"], max_ulp=None))


@pytest.mark.parametrize(
    ("verdict", "kinds", "failure"),
    [
        (Verdict.CRASH, (), "crash"),
        (Verdict.TIMEOUT, ("hang",), "timeout"),
        (Verdict.FLAKY, (), "flaky"),
    ],
)
def test_crashes_timeouts_and_flaky_cases_have_their_classes(
    held: Held, verdict: Verdict, kinds: tuple[str, ...], failure: str
) -> None:
    """They can be accepted, by their own names alone."""
    shown = changed(FAILING, verdict=verdict, kinds=kinds)
    assert waived(held(shown, failure=[failure], max_ulp=None))
    assert not waived(held(shown, failure=["memory"], max_ulp=None))


def test_an_expired_waiver_waives_nothing(held: Held) -> None:
    """The day after its last one, the failure counts again, and the owner is named."""
    document = held(FAILING, expires=TODAY - datetime.timedelta(days=1))
    assert (waived(document), outcome(document).state) == ({}, "expired")
    assert "1 of its cases fail; ask Ada" in outcome(document).message


def test_a_case_that_passes_is_an_unexpected_improvement(held: Held) -> None:
    """If its waiver stayed, the failure could come back without anybody noticing."""
    document = held(PASSING)
    assert (outcome(document).state, outcome(document).hides) == ("improved", True)
    assert document.exit_code is ExitCode.NOT_TRUSTWORTHY
    assert "known improved: unexpected improvement" in printed(document)


def test_what_is_unenforced_cannot_be_waived(held: Held) -> None:
    """A waiver for such cases is not needed; that they improved would not be true."""
    accepted = changed(PASSING, verdict=Verdict.UNENFORCED)
    other, passing = changed(accepted, id=OTHER), changed(PASSING, id=OTHER)

    def told(*shown: CaseEntry, **changes: Any) -> tuple[str, str]:
        document = held(*shown, cases=[PATTERN], **changes)
        assert waived(document) == {}
        return outcome(document).state, outcome(document).message

    end = "unenforced, which cannot be waived"
    assert told(accepted) == ("improved", f"its case {CASE} is {end}; remove the waiver")
    assert told(accepted, other) == ("improved", f"its 2 cases are {end}; remove the waiver")
    some = f"its 2 cases break nothing; 1 of them is {end}"
    assert told(accepted, passing) == ("improved", f"{some}; remove the waiver")
    flaky = told(accepted, passing, failure=["flaky"], max_ulp=None)
    assert flaky == ("unmatched", f"{some}; the others passed this time, as flaky cases may")


def test_a_flaky_case_may_pass(held: Held) -> None:
    """Passing once is what a flaky case does; that is not an improvement."""
    assert outcome(held(PASSING, failure=["flaky"], max_ulp=None)).state == "unmatched"


def test_a_pattern_improved_only_if_all_its_cases_pass(held: Held) -> None:
    """It says which cases may fail, not that each does."""
    passing = changed(PASSING, id=OTHER)
    assert outcome(held(FAILING, passing, cases=[PATTERN])).state == "waives"
    assert outcome(held(PASSING, passing, cases=[PATTERN])).state == "improved"


@pytest.mark.parametrize(
    ("changes", "state", "why"),
    [
        ({"products": ["atlas-a3"]}, "elsewhere", "is for atlas-a3, not atlas-a2"),
        ({"products": ["atlas-a2", "atlas-a3"]}, "waives", ""),
        ({"cann": ">=8.5"}, "elsewhere", "is for CANN >=8.5; this one is '8.0.RC3'"),
        ({"cann": ">=8.0"}, "elsewhere", ""),
        ({"cann": ">=8.0.RC1"}, "waives", ""),
        ({"cann": ">=1.0", "device_cann": ""}, "elsewhere", ""),
        ({"operator": "aclnnDropoutBackward"}, "elsewhere", ""),
        ({"cases": [OTHER]}, "unused", "matches no case of this run"),
        ({"cases": None, "clauses": ["formula"]}, "waives", ""),
        ({"cases": None, "clauses": ["determinism"]}, "unused", ""),
    ],
)
def test_a_waiver_is_for_its_products_versions_and_cases(
    held: Held, changes: dict[str, Any], state: str, why: str
) -> None:
    """What it is not for is told apart from what it should have met, on the terminal, too."""
    document = held(FAILING, **changes)
    assert outcome(document).state == state
    assert document.exit_code is (ExitCode.PASSED if state == "waives" else ExitCode.BROKEN_PROMISE)
    if why:
        assert f"known {state}: {why}" in printed(document)


def test_an_unused_waiver_does_no_harm(held: Held) -> None:
    """It waives nothing, so nothing can hide behind it; one waiver does not make a run pass."""
    assert held(PASSING, cases=[OTHER]).exit_code is ExitCode.PASSED
    assert held(FAILING, changed(FAILING, id=OTHER)).exit_code is ExitCode.BROKEN_PROMISE


@given(
    st.sampled_from(list(Verdict)),
    st.frozensets(st.sampled_from(["value", "memory", "status", "hang"])),
    st.floats(0, 10) | st.none(),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_is_waived_that_shows_more_than_is_accepted(
    held: Held, verdict: Verdict, kinds: frozenset[str], worst: float | None
) -> None:
    """Whatever a case shows, it is waived only if all of it is named."""
    shown = changed(FAILING, verdict=verdict, kinds=tuple(kinds), worst_ulp=worst)
    if waived(held(shown, failure=["value", "crash"])):
        assert verdict in {Verdict.FAIL, Verdict.CRASH}
        assert kinds <= {"value"} or (verdict is Verdict.CRASH and kinds <= {"value", "hang"})
        assert "value" not in kinds or (worst is not None and worst <= 2.0)


def test_the_largest_error_is_one_that_can_be_written_down(held: Held) -> None:
    """It is that of all cases, rounded up: with it as max_ulp the waiver holds for each of them."""
    errors = [2.1, 2.9900822074802136, 2.5]
    shown = [changed(FAILING, id=f"{CASE}{n}", worst_ulp=ulp) for n, ulp in enumerate(errors)]
    assert outcome(held(*shown, cases=[f"{CASE}*"])).message == (
        f"does not accept what its 3 cases showed: {CASE}1 is off by 2.991 ulp, the most of all"
    )
    assert len(waived(held(*shown, cases=[f"{CASE}*"], max_ulp=2.991))) == 3
    one = outcome(held(changed(FAILING, worst_ulp=4.0))).message
    assert one == f"does not accept what its case {CASE} showed: it is off by 4 ulp"


def test_what_else_a_case_shows_comes_before_its_error(held: Held) -> None:
    """A larger max_ulp would not help where any of the cases shows another kind of failure."""
    other = changed(FAILING, id=OTHER, kinds=("memory",))
    found = outcome(held(changed(FAILING, worst_ulp=9.0), other, cases=["LogitGrad.*"]))
    assert found.message.endswith(f"{OTHER} shows memory")


@given(st.floats(min_value=0, exclude_min=True, allow_infinity=False))
def test_a_number_rounded_up_is_never_too_small(error: float) -> None:
    """Whatever the error, the number that is told accepts it once it is written into a file."""
    told = float(round_up(error))
    assert error <= told
    assert told <= error * 1.002 or error < 1e-300
    assert isinstance(yaml.safe_load(round_up(error)), float | int)


@pytest.mark.parametrize("worst", [float("inf"), None])
def test_an_error_without_a_size_says_what_would_accept_it(held: Held, worst: float | None) -> None:
    """No number is large enough where Inf came back for 1."""
    assert outcome(held(changed(FAILING, worst_ulp=worst))).message.endswith(
        "showed: it has results of a wrong class, which `max_ulp: .inf` alone accepts"
    )


def test_the_file_is_read_with_todays_date(tmp_path: Path, specs: Any) -> None:
    """The clock is asked at the edge, once; a waiver that expired long ago is expired."""
    path = tmp_path / "waivers.yaml"
    path.write_text("waivers: []\n")
    accepted = load_acceptance(path, specs)
    assert accepted is not None
    assert abs(accepted.today - datetime.date.today()) <= datetime.timedelta(days=1)
