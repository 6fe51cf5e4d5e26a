# SPDX-License-Identifier: Apache-2.0
"""What waivers accept of a run, and what becomes of them."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.errors import ExitCode
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.report.junit import as_xml
from aclnn_cts.report.model import Report
from aclnn_cts.report.results import document_of
from aclnn_cts.report.table import summary
from aclnn_cts.report.waived_results import shown_by
from aclnn_cts.report.waiver_states import Acceptance, Setting, Shown, Waived, waive
from aclnn_cts.report.wording import rounded_up
from aclnn_cts.spec.waivers import Waivers

TODAY = datetime.date(2027, 3, 31)
HERE = Setting("atlas-a2", "8.0.RC3")
CASE = "LogitGrad.pairs.float16.3x5.eps_-1.0123456789"
OTHER = "LogitGrad.pairs.float16.9x9.eps_-1.abcdef0123"
WAIVER: dict[str, Any] = {
    "id": "known",
    "operator": "aclnnLogitGrad",
    "case": CASE,
    "failure": ["value"],
    "max_ulp": 2.0,
    "reason": "rounds twice",
    "link": "https://example.org/1",
    "owner": "Ada",
    "expires": TODAY,
}
FAILING = Shown(
    CASE, "aclnnLogitGrad", Verdict.FAIL, ("formula",), ("formula",), frozenset({"value"}), 1.5
)
PASSING = replace(FAILING, verdict=Verdict.PASS, broken=(), kinds=frozenset(), worst_ulp=0.5)


def held(*shown: Shown, setting: Setting = HERE, **changes: Any) -> Waived:
    waivers = Waivers.model_validate({"waivers": [{**WAIVER, **changes}]})
    return waive(Acceptance(waivers, TODAY), setting, shown)


def state(*shown: Shown, **changes: Any) -> str:
    return held(*shown, **changes).outcomes[0].state


def test_what_a_waiver_says_is_waived() -> None:
    """The failure is accepted, on its last day, too."""
    waived = held(FAILING)
    assert waived.by_case == {CASE: "known"}
    assert (waived.outcomes[0].state, waived.outcomes[0].cases) == ("waives", (CASE,))


@pytest.mark.parametrize(
    "changes",
    [
        {"kinds": frozenset({"memory"})},
        {"kinds": frozenset({"value", "memory"})},
        {"worst_ulp": 2.5},
        {"worst_ulp": float("inf")},
        {"worst_ulp": float("nan")},
        {"worst_ulp": None},
        {"verdict": Verdict.CRASH, "kinds": frozenset()},
        {"verdict": Verdict.FLAKY},
        {"verdict": Verdict.TIMEOUT, "kinds": frozenset({"hang"})},
    ],
)
def test_another_failure_of_the_case_is_not(changes: dict[str, Any]) -> None:
    """Another kind, one more kind, a larger error, a verdict that is no plain fail."""
    waived = held(replace(FAILING, **changes))
    assert waived.by_case == {}
    assert waived.outcomes[0].state == "unmatched"


def test_a_clause_more_is_not_waived() -> None:
    """Who accepts a broken formula has not accepted an output that differs from run to run."""
    assert held(FAILING, clauses=["formula"]).by_case
    both = replace(FAILING, broken=("formula", "determinism"))
    waived = held(both, clauses=["formula"])
    assert waived.by_case == {}
    assert f"{CASE} showed: it breaks determinism, too" in waived.outcomes[0].message
    assert held(both, clauses=["formula", "determ*"]).by_case


@pytest.mark.parametrize("verdict", [Verdict.MISSING, Verdict.UNTRUSTED])
def test_what_proves_nothing_cannot_be_waived(verdict: Verdict) -> None:
    """A gap in the record is no failure of the device that somebody could accept."""
    assert held(replace(PASSING, verdict=verdict), failure=["crash"], max_ulp=None).by_case == {}


@pytest.mark.parametrize(
    ("verdict", "kinds", "failure"),
    [
        (Verdict.CRASH, frozenset(), "crash"),
        (Verdict.TIMEOUT, frozenset({"hang"}), "timeout"),
        (Verdict.FLAKY, frozenset(), "flaky"),
    ],
)
def test_crashes_timeouts_and_flaky_cases_have_their_classes(
    verdict: Verdict, kinds: frozenset[str], failure: str
) -> None:
    """They can be accepted, by their own names alone."""
    shown = replace(FAILING, verdict=verdict, kinds=kinds)
    assert held(shown, failure=[failure], max_ulp=None).by_case
    assert not held(shown, failure=["memory"], max_ulp=None).by_case


def test_an_expired_waiver_waives_nothing() -> None:
    """The day after its last one, the failure counts again, and the owner is named."""
    waived = held(FAILING, expires=TODAY - datetime.timedelta(days=1))
    assert waived.by_case == {}
    (outcome,) = waived.outcomes
    assert outcome.state == "expired"
    assert "1 of its cases fail; ask Ada" in outcome.message


def test_a_case_that_passes_is_an_unexpected_improvement() -> None:
    """If it stayed, the failure could come back without anybody noticing."""
    (outcome,) = held(PASSING).outcomes
    assert outcome.state == "improved"
    assert outcome.hides
    assert "unexpected improvement" in outcome.message


def test_what_is_unenforced_cannot_be_waived() -> None:
    """A waiver for such cases is not needed; that they improved would not be true."""
    pattern = "LogitGrad.pairs.float16.*"
    accepted = replace(PASSING, verdict=Verdict.UNENFORCED)
    other, passing = replace(accepted, case=OTHER), replace(PASSING, case=OTHER)

    def told(*shown: Shown, **changes: Any) -> tuple[str, str]:
        waived = held(*shown, case=pattern, **changes)
        assert waived.by_case == {}
        return waived.outcomes[0].state, waived.outcomes[0].message

    end = "unenforced, which cannot be waived"
    assert told(accepted) == ("improved", f"its case {CASE} is {end}; remove the waiver")
    assert told(accepted, other) == ("improved", f"its 2 cases are {end}; remove the waiver")
    some = f"its 2 cases break nothing; 1 of them is {end}"
    assert told(accepted, passing) == ("improved", f"{some}; remove the waiver")
    flaky = told(accepted, passing, failure=["flaky"], max_ulp=None)
    assert flaky == ("unmatched", f"{some}; the others passed this time, as a flaky one may")


def test_a_flaky_case_may_pass() -> None:
    """Passing once is what a flaky case does; that is no improvement."""
    assert state(PASSING, failure=["flaky"], max_ulp=None) == "unmatched"


def test_a_pattern_improved_only_if_all_its_cases_pass() -> None:
    """It says which cases may fail, not that each does."""
    pattern = "LogitGrad.pairs.float16.*"
    passing = replace(PASSING, case=OTHER)
    assert state(FAILING, passing, case=pattern) == "waives"
    assert state(PASSING, passing, case=pattern) == "improved"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"products": ["atlas-a3"]}, "elsewhere"),
        ({"products": ["atlas-a2", "atlas-a3"]}, "waives"),
        ({"cann": ">=8.0"}, "elsewhere"),
        ({"cann": ">=8.0.RC1"}, "waives"),
        ({"operator": "aclnnDropoutBackward"}, "elsewhere"),
        ({"case": OTHER}, "unused"),
        ({"case": None, "clauses": ["formula"]}, "waives"),
        ({"case": None, "clauses": ["determinism"]}, "unused"),
    ],
)
def test_a_waiver_is_for_its_products_versions_and_cases(
    changes: dict[str, Any], expected: str
) -> None:
    """What it is not for is told apart from what it should have met."""
    assert state(FAILING, **changes) == expected


def test_an_unknown_version_is_in_no_range() -> None:
    """A run that cannot say what it ran on gets no waiver that depends on it."""
    assert state(FAILING, setting=Setting("atlas-a2", ""), cann=">=1.0") == "elsewhere"


@given(
    st.sampled_from(list(Verdict)),
    st.frozensets(st.sampled_from(["value", "memory", "status", "hang"])),
    st.floats(0, 10) | st.none(),
)
def test_nothing_is_waived_that_shows_more_than_is_accepted(
    verdict: Verdict, kinds: frozenset[str], worst: float | None
) -> None:
    """Whatever a case shows, it is waived only if all of it is named."""
    shown = replace(FAILING, verdict=verdict, kinds=kinds, worst_ulp=worst)
    if held(shown, failure=["value", "crash"]).by_case:
        assert verdict in {Verdict.FAIL, Verdict.CRASH}
        assert kinds <= {"value"} or (verdict is Verdict.CRASH and kinds <= {"value", "hang"})
        assert "value" not in kinds or (worst is not None and worst <= 2.0)


def judged(bench: Any, *shown: Shown, **changes: Any) -> Report:
    """Return a report of hand-made verdicts with the waiver applied."""
    like = bench.case("like", [0.5], [1.0])
    verdicts = tuple(
        CaseVerdict(each.case, each.operator, each.verdict, each.broken, each.exercised)
        for each in shown
    )
    run = replace(bench.run(), cases=tuple(replace(like, id=each.case) for each in shown))
    waived = held(*shown, **changes)
    stories = {each.case: "story" for each in shown if each.verdict is not Verdict.PASS}
    return Report(
        run, "strict", verdicts, stories, (), (), waived=waived.by_case, waivers=waived.outcomes
    )


def printed(report: Report) -> str:
    from rich.console import Console  # noqa: PLC0415

    console = Console(width=200)
    with console.capture() as captured:
        console.print(summary(report))
    return captured.get()


def test_waived_is_shown_as_waived(bench: Any) -> None:
    """Never as passed, nor as failed: in results.json, the summary, junit, and the exit status."""
    report = judged(bench, FAILING, replace(PASSING, case=OTHER))
    assert report.exit_code is ExitCode.PASSED
    document = document_of(report)
    totals = document.totals
    assert (totals["waived"], totals["fail"], totals["pass"]) == (1, 0, 1)
    entry = document.cases[0]
    assert (entry.verdict, entry.waiver) == (Verdict.FAIL, "known")
    assert document.cases[1].waiver is None
    assert document.waivers == report.waivers
    root = as_xml(document_of(report))
    assert (root.get("skipped"), root.get("failures"), root.get("errors")) == ("1", "0", "0")
    skipped = root.find(".//skipped")
    assert skipped is not None
    assert "waived by known until 2027-03-31: rounds twice" in skipped.get("message", "")
    text = printed(report)
    assert "known waives 1 case, first" in text
    assert "https://example.org/1" in text
    assert "Broken promises" not in text


def test_another_failure_still_fails_the_run(bench: Any) -> None:
    """One waiver does not make the run pass."""
    report = judged(bench, FAILING, replace(FAILING, case=OTHER))
    assert report.exit_code is ExitCode.BROKEN_PROMISE


def test_an_unexpected_improvement_fails_the_gate(bench: Any) -> None:
    """Its waiver would hide the failure when it comes back: the run is not to be trusted so."""
    report = judged(bench, PASSING)
    assert report.exit_code is ExitCode.NOT_TRUSTWORTHY
    assert "known improved: unexpected improvement" in printed(report)


def test_an_unused_waiver_is_told_and_does_no_harm(bench: Any) -> None:
    """It waives nothing, so nothing can hide behind it."""
    report = judged(bench, PASSING, case=OTHER)
    assert report.exit_code is ExitCode.PASSED
    assert "known unused: speaks of no case of this run" in printed(report)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"cann": ">=8.5"}, "is for CANN >=8.5; this one says '8.0.RC3'"),
        ({"products": ["atlas-a3"]}, "is for atlas-a3, not atlas-a2"),
    ],
)
def test_a_waiver_for_elsewhere_is_told(bench: Any, changes: dict[str, Any], why: str) -> None:
    """Who wrote it for this run learns from the terminal why the failure counts all the same."""
    text = printed(judged(bench, FAILING, **changes))
    assert f"known elsewhere: {why}" in text


def test_the_largest_error_is_one_that_can_be_written_down() -> None:
    """It is that of all cases, rounded up: with it as max_ulp the waiver holds for each of them."""
    errors = [2.1, 2.9900822074802136, 2.5]
    shown = [replace(FAILING, case=f"{CASE}{n}", worst_ulp=ulp) for n, ulp in enumerate(errors)]
    pattern = f"{CASE}*"
    (outcome,) = held(*shown, case=pattern).outcomes
    assert outcome.message == (
        f"does not accept what its 3 cases showed: {CASE}1 is off by 2.991 ulp, the most of all"
    )
    assert len(held(*shown, case=pattern, max_ulp=2.991).by_case) == 3
    (one,) = held(replace(FAILING, worst_ulp=4.0)).outcomes
    assert one.message == f"does not accept what its case {CASE} showed: it is off by 4 ulp"


def test_what_else_a_case_shows_comes_before_its_error() -> None:
    """A larger max_ulp would not help where any of the cases shows another kind of failure."""
    other = replace(FAILING, case=OTHER, kinds=frozenset({"memory"}))
    (outcome,) = held(replace(FAILING, worst_ulp=9.0), other, case="LogitGrad.*").outcomes
    assert outcome.message.endswith(f"{OTHER} shows memory")


@given(st.floats(min_value=0, exclude_min=True, allow_infinity=False))
def test_a_number_rounded_up_is_never_too_small(error: float) -> None:
    """Whatever the error, the number that is told accepts it once it is written into a file."""
    told = float(rounded_up(error))
    assert error <= told
    assert told <= error * 1.002 or error < 1e-300
    assert isinstance(yaml.safe_load(rounded_up(error)), float | int)


@pytest.mark.parametrize("worst", [float("inf"), None])
def test_an_error_without_a_size_says_what_would_accept_it(worst: float | None) -> None:
    """No number is large enough where Inf came back for 1."""
    (outcome,) = held(replace(FAILING, worst_ulp=worst)).outcomes
    assert outcome.message.endswith(
        "showed: it has results of a wrong class, which `max_ulp: .inf` alone accepts"
    )


def test_what_a_case_showed_comes_from_its_verdict() -> None:
    """The kinds and clauses that the judge found are those that waivers see."""
    verdict = CaseVerdict(
        CASE, "aclnnLogitGrad", Verdict.FAIL, ("formula",), ("formula",), kinds=frozenset({"value"})
    )
    assert shown_by(verdict.case, verdict) == replace(FAILING, worst_ulp=None)


def test_the_file_is_read_with_todays_date(tmp_path: Path, specs: Any) -> None:
    """The clock is asked at the edge, once; a waiver that expired long ago is expired."""
    from aclnn_cts.report.waiver_states import accepted_in  # noqa: PLC0415

    path = tmp_path / "waivers.yaml"
    path.write_text("waivers: []\n")
    assert abs(accepted_in(path, specs).today - datetime.date.today()) <= datetime.timedelta(days=1)
