# SPDX-License-Identifier: Apache-2.0
"""Two judged runs: what became of their cases and clauses, and what a gate says to it."""

from __future__ import annotations

import math

import pytest
from tests.report.comparing_runs import OPERATOR, Make, case, compared, figures

from aclnn_cts.errors import ExitCode
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.comparison_text import as_markdown, as_text, aside, headline
from aclnn_cts.report.run_comparison import GATES, Options, compare_results
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.results.document import (
    ClauseVerdict,
)


def clause(verdict: str, name: str = "formula") -> ClauseVerdict:
    return ClauseVerdict(OPERATOR, name, verdict, 1, 0, None, "out = f(x)", "function", "stated")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("base", "new", "kind", "gate"),
    [
        ("pass", "fail", "newly-failing", "failing"),
        ("pass", "flaky", "newly-failing", "failing"),
        ("contested-only", "crash", "newly-failing", "failing"),
        ("missing", "fail", "newly-failing", "failing"),
        (None, "timeout", "newly-failing", "failing"),
        ("pass", "missing", "newly-unproven", "unproven"),
        ("pass", "untrusted", "newly-unproven", "unproven"),
        ("fail", "missing", "newly-unproven", "unproven"),
        ("fail", "crash", "fails-otherwise", "otherwise"),
        ("pass", None, "gone", "gone"),
        ("fail", "pass", "newly-passing", None),
        ("flaky", "pass", "newly-passing", None),
        ("pass", "contested-only", "changed", None),
        ("pass", "unenforced", "changed", None),
        ("unenforced", "pass", "changed", None),
        ("fail", "unenforced", "changed", None),
        ("unenforced", "fail", "newly-failing", "failing"),
        ("missing", "untrusted", "changed", None),
        ("untrusted", "pass", "changed", None),
        (None, "pass", "came", None),
    ],
)
def test_what_became_of_a_case(
    results_document: Make, base: str | None, new: str | None, kind: str, gate: str | None
) -> None:
    """Each change has one kind, and counts against the gate that it is about."""
    steady = case("steady")
    before = [steady, *([case("a", base)] if base else [])]
    after = [steady, *([case("a", new)] if new else [])]
    found = compared(results_document, before, after)
    (change,) = found.cases
    assert (change.case, change.kind, change.gate) == ("a", kind, gate)
    assert (change.base and change.base.value, change.new and change.new.value) == (base, new)
    assert found.exit_status is (ExitCode.BROKEN_PROMISE if gate else ExitCode.PASSED)
    assert dict(found.worse) == ({gate: 1} if gate else {})


@pytest.mark.parametrize("verdict", [verdict.value for verdict in Verdict])
def test_the_same_verdict_is_no_news(results_document: Make, verdict: str) -> None:
    """What failed before and fails alike is known."""
    found = compared(results_document, [case("a", verdict)], [case("a", verdict)])
    assert found.cases == ()
    assert found.exit_status is ExitCode.PASSED


def test_a_clause_more_is_another_failure(results_document: Make) -> None:
    """A case that fails anyway can become worse; a clause less is told, but is no worse."""
    one = case("a", "fail", broken=("formula",))
    two = case("a", "fail", broken=("formula", "determinism"))
    assert compared(results_document, [one], [two]).cases[0].kind == "fails-otherwise"
    assert compared(results_document, [two], [one]).cases[0].kind == "changed"


def test_a_waived_failure_is_no_worse(results_document: Make) -> None:
    """It is shown with its waiver, and the gate lets it through; without it, it fails anew."""
    waived = case("a", "fail", waiver="known")
    found = compared(results_document, [case("a")], [waived])
    assert found.cases[0].kind == "newly-failing"
    assert (found.cases[0].waiver, found.exit_status) == ("known", ExitCode.PASSED)
    assert found.new.waived == 1
    assert found.new.failing == 0
    assert "waived by known: because of a" in as_text(found)
    for worse in (case("a", "fail"), case("a", "fail", broken=("formula", "determinism"))):
        again = compared(results_document, [waived], [worse], Options(gate=("failing",)))
        assert again.exit_status is ExitCode.BROKEN_PROMISE


def test_a_gate_counts_what_it_is_asked_for(results_document: Make) -> None:
    """Everything is told, whatever counts."""
    before, after = [case("a"), case("b")], [case("a", "fail")]
    for gate in GATES:
        found = compared(results_document, before, after, Options(gate=(gate,)))
        worse = gate in ("failing", "gone")
        assert found.exit_status is (ExitCode.BROKEN_PROMISE if worse else ExitCode.PASSED)
        assert dict(found.worse) == {"failing": 1, "gone": 1}
    told = compared(results_document, before, after, Options(gate=("failing",)))
    assert headline(told) == "NEW is worse than BASE: 1 case newly fails"
    assert aside(told) == "no gate: 1 case is gone"
    kept = compared(results_document, before, after, Options(gate=("time",)))
    assert headline(kept) == "NEW is no worse than BASE"
    assert aside(kept) == "no gate: 1 case newly fails, 1 case is gone"
    assert as_text(kept).splitlines()[:2] == [headline(kept), aside(kept)]
    assert f"- {aside(kept)}" in as_markdown(kept)


@pytest.mark.parametrize(
    ("before", "after", "figures_drifted"),
    [
        ((0.5, 0.25), (0.5, 0.25), []),
        ((0.01, 0.01), (0.03, 0.03), []),
        ((0.5, 0.25), (0.74, 0.34), []),
        ((0.5, 0.25), (1.5, 0.25), ["worst"]),
        ((0.5, 0.25), (0.5, 0.45), ["mean"]),
        ((0.5, 0.25), (1.5, 0.5), ["worst", "mean"]),
        ((0.0, 0.0), (0.5, 0.25), ["worst", "mean"]),
        ((math.inf, 0.25), (math.inf, 0.25), []),
    ],
)
def test_errors_that_grew(
    results_document: Make,
    before: tuple[float, float],
    after: tuple[float, float],
    figures_drifted: list[str],
) -> None:
    """Beyond the factor and beyond the floor, for the case and for its operator and data type."""
    base, new = [case("a", errors=before)], [case("a", errors=after)]
    found = compared(results_document, base, new)
    assert [d.figure for d in found.accuracy if d.case == "a"] == figures_drifted
    assert [d.figure for d in found.accuracy if d.case is None] == figures_drifted
    assert {d.direction for d in found.accuracy} <= {"worse"}
    assert found.exit_status is ExitCode(bool(figures_drifted))
    back = compared(results_document, new, base)
    assert {d.direction for d in back.accuracy} <= {"better"}
    assert back.exit_status is ExitCode.PASSED


def test_the_mean_of_a_group_weighs_elements(results_document: Make) -> None:
    """A small case cannot move it, whatever becomes of its own mean."""

    def both(mean: float) -> list[CaseEntry]:
        large = {"strict": figures(0.5, 0.25, compared=100_000)}
        small = {"strict": figures(0.5, mean, compared=10)}
        return [case("large", standards=large), case("small", standards=small)]

    found = compared(results_document, both(0.1), both(0.5))
    assert [(drift.case, drift.figure) for drift in found.accuracy] == [("small", "mean")]


def test_errors_of_failing_cases_are_no_drift(results_document: Make) -> None:
    """That a case fails is told already; how wrong it is now is not a second finding."""
    found = compared(results_document, [case("a")], [case("a", "fail", errors=(1e6, 1e6))])
    assert found.accuracy == ()
    waived = case("a", "fail", errors=(1e6, 1e6), waiver="known")
    found = compared(results_document, [case("a")], [waived])
    assert (found.accuracy, found.exit_status) == ((), ExitCode.PASSED)


def test_clauses_are_told_with_their_cases(results_document: Make) -> None:
    """Per clause: both verdicts, and the cases that changed, drifted, came or went."""
    base = results_document(
        cases=(case("a"), case("b", "fail"), case("c"), case("d")), clauses=(clause("fail"),)
    )
    new = results_document(
        cases=(case("a", "fail"), case("b"), case("d", errors=(2.0, 0.25)), case("e")),
        clauses=(clause("fail"), clause("untested", "determinism")),
    )
    formula, determinism = compare_results(base, new).clauses
    assert (formula.clause, formula.base, formula.new) == ("formula", "fail", "fail")
    assert (formula.newly_failing, formula.newly_passing) == (("a",), ("b",))
    assert (formula.gone, formula.came, formula.accuracy) == (("c",), ("e",), ("d",))
    assert (determinism.base, determinism.new) == (None, "untested")


@pytest.mark.parametrize(
    ("base", "gate"), [("pass", "failing"), ("unenforced", None), ("fail", None), (None, "failing")]
)
def test_a_requirement_that_is_not_enforced_any_more(
    results_document: Make, base: str | None, gate: str | None
) -> None:
    """With --enforce it counts as a failure; one that was never enforced is no news."""
    before = [case("a", base)] if base else [case("b")]
    accepted = case("a", "unenforced", unenforced=("shape-differs",))
    found = compared(results_document, before, [accepted, case("b")], Options(enforce=True))
    shown = {change.case: change.clauses for change in found.cases}
    assert shown.get("a", ("shape-differs",)) == ("shape-differs",)
    assert ("shape-differs" in as_text(found)) == (base != "unenforced")
    gates = {change.gate for change in found.cases if change.case == "a"}
    assert gates <= {gate}
    assert bool(gates - {None}) == (gate is not None)
