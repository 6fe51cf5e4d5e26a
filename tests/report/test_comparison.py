# SPDX-License-Identifier: Apache-2.0
"""Two judged runs: what became of their cases and clauses, and what a gate says to it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.errors import CtsError, ExitCode, NotTrustworthyError
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.clauses import ClauseVerdict
from aclnn_cts.report.comparison import compare_results
from aclnn_cts.report.comparison_document import ComparisonDocument
from aclnn_cts.report.comparison_options import GATES, Options
from aclnn_cts.report.comparison_sections import headline
from aclnn_cts.report.comparison_text import FORMS, MOST_ROWS, as_json, as_markdown, as_text
from aclnn_cts.report.comparison_values import RunComparison
from aclnn_cts.report.document import CaseEntry, FiguresEntry, ResultsDocument, SuiteEntry
from aclnn_cts.report.results import read_results
from aclnn_cts.report.waiving import WaiverOutcome
from aclnn_cts.report.wording import prose
from aclnn_cts.run.environment import Environment, Library
from aclnn_cts.run.folder import Device

OPERATOR = "aclnnLogitGrad"
Make = Callable[..., ResultsDocument]


def figures(worst: float, mean: float, compared: int = 100) -> FiguresEntry:
    facts = dict.fromkeys(FiguresEntry.model_fields, 0.0)
    return FiguresEntry.model_validate(
        {
            **facts,
            "passed": True,
            "elements": compared,
            "compared": compared,
            "failing": 0,
            "first_failing": -1,
            "output": "out",
            "worst_ulp": worst,
            "mean_abs_ulp": mean,
        }
    )


def case(name: str, verdict: str = "pass", **facts: Any) -> CaseEntry:
    worst, mean = facts.pop("errors", (0.5, 0.25))
    broken = facts.pop("broken", ("formula",) if Verdict(verdict).breaks_promise else ())
    return CaseEntry(
        **{
            "id": name,
            "operator": OPERATOR,
            "verdict": Verdict(verdict),
            "scene": "cover",
            "dtype": "float32",
            "broken": broken,
            "exercised": ("formula",),
            "kinds": ("value",) if broken else (),
            "standards": {"strict": figures(worst, mean)},
            "resolving": None,
            "seconds": 0.1,
            "device_microseconds": (),
            "message": "" if verdict == "pass" else f"because of {name}",
            "remarks": (),
            "samples": (),
            "story": "",
            **facts,
        }
    )


def clause(verdict: str, name: str = "formula") -> ClauseVerdict:
    return ClauseVerdict(OPERATOR, name, verdict, 1, 0, None, "out = f(x)", "function")  # type: ignore[arg-type]


def compared(
    make: Make, base: list[CaseEntry], new: list[CaseEntry], options: Options | None = None
) -> RunComparison:
    return compare_results(make(cases=tuple(base)), make(cases=tuple(new)), options)


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
    assert found.exit_code is (ExitCode.BROKEN_PROMISE if gate else ExitCode.PASSED)
    assert dict(found.worse) == ({gate: 1} if gate else {})


@pytest.mark.parametrize("verdict", [verdict.value for verdict in Verdict])
def test_the_same_verdict_is_no_news(results_document: Make, verdict: str) -> None:
    """What failed before and fails alike is known."""
    found = compared(results_document, [case("a", verdict)], [case("a", verdict)])
    assert found.cases == ()
    assert found.exit_code is ExitCode.PASSED


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
    assert (found.cases[0].waiver, found.exit_code) == ("known", ExitCode.PASSED)
    assert found.new.waived == 1
    assert found.new.failing == 0
    assert "waived by known: because of a" in as_text(found)
    again = compared(results_document, [waived], [case("a", "fail")])
    assert again.exit_code is ExitCode.BROKEN_PROMISE


def test_a_gate_counts_what_it_is_asked_for(results_document: Make) -> None:
    """Everything is told, whatever counts."""
    before, after = [case("a"), case("b")], [case("a", "fail")]
    for gate in GATES:
        found = compared(results_document, before, after, Options(gate=(gate,)))
        worse = gate in ("failing", "gone")
        assert found.exit_code is (ExitCode.BROKEN_PROMISE if worse else ExitCode.PASSED)
        assert dict(found.worse) == {"failing": 1, "gone": 1}
    told = compared(results_document, before, after, Options(gate=("failing",)))
    assert headline(told) == "NEW is worse than BASE: 1 case newly fails, 1 case is gone (no gate)"


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
    assert found.exit_code is ExitCode(bool(figures_drifted))
    back = compared(results_document, new, base)
    assert {d.direction for d in back.accuracy} <= {"better"}
    assert back.exit_code is ExitCode.PASSED


def test_the_mean_of_a_group_weighs_elements(results_document: Make) -> None:
    """A small case cannot move it, whatever becomes of its own mean."""

    def both(mean: float) -> list[CaseEntry]:
        large = {"strict": figures(0.5, 0.25, compared=100_000)}
        small = {"strict": figures(0.5, mean, compared=10)}
        return [case("large", standards=large), case("small", standards=small)]

    found = compared(results_document, both(0.1), both(0.5))
    assert [(drift.case, drift.figure) for drift in found.accuracy] == [("small", "mean")]


def test_errors_of_failing_cases_are_no_drift(results_document: Make) -> None:
    """That a case fails is told already; how wrong it is now is no second finding."""
    found = compared(results_document, [case("a")], [case("a", "fail", errors=(1e6, 1e6))])
    assert found.accuracy == ()


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
        ({"edition": "earlier"}, "`aclnn-cts diff --edition current --edition earlier`"),
        ({}, "hold the same results"),
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
    assert found.exit_code is ExitCode.PASSED


def test_a_damaged_run_is_not_trusted(results_document: Make) -> None:
    """Nothing got worse, as far as one can tell; but one cannot."""
    whole = results_document(cases=(case("a"),))
    damaged = results_document(cases=(case("a"),), problems=("a line is no event",))
    for base, new in ((whole, damaged), (damaged, whole)):
        found = compare_results(base, new)
        assert found.exit_code is ExitCode.NOT_TRUSTWORTHY
        assert "not trustworthy: a line is no event" in as_text(found)
    worse = results_document(cases=(case("a", "fail"),), problems=("a line is no event",))
    assert compare_results(whole, worse).exit_code is ExitCode.BROKEN_PROMISE


def test_a_waiver_that_would_hide_a_failure_is_told(results_document: Make) -> None:
    """As in the run itself."""
    outcome = WaiverOutcome("w", "improved", (), "its case a passes", "r", "l", "o", "2027-01-01")
    new = results_document(cases=(case("a"),), waivers=(outcome,))
    found = compare_results(results_document(cases=(case("a"),)), new)
    assert found.exit_code is ExitCode.NOT_TRUSTWORTHY
    assert "waiver w: its case a passes" in as_text(found)


def test_the_json_document_holds_everything(results_document: Make) -> None:
    """It is read back as it was, infinities included, and names its format."""
    base, new = [case("a"), case("b")], [case("a", "fail"), case("b", errors=(math.inf, 0.5))]
    found = compared(results_document, base, new)
    document = ComparisonDocument.model_validate_json(as_json(found))
    assert document.format == "aclnn-cts/comparison/1"
    assert (document.exit_status, document.worse) == (1, {"failing": 1, "accuracy": 4})
    assert (document.cases, document.accuracy) == (found.cases, found.accuracy)
    assert document.options == found.options
    assert "NaN" not in as_json(found)


def test_a_person_is_shown_the_first_of_many(results_document: Make) -> None:
    """A release that breaks everything must not bury the first line."""
    names = [f"case-{number:03}" for number in range(MOST_ROWS + 5)]
    found = compared(results_document, [case(n) for n in names], [case(n, "fail") for n in names])
    for write in (as_text, as_markdown):
        text = write(found)
        assert "and 5 more" in text
        assert text.count("because of") == MOST_ROWS
    assert as_json(found).count("because of") == len(names)


def test_markdown_keeps_what_a_message_holds(results_document: Make) -> None:
    """A bar or a line break in a message would end the cell or the row."""
    found = compared(results_document, [case("a")], [case("a", "fail", message="x | y\n<b>`z`")])
    (row,) = [line for line in as_markdown(found).splitlines() if line.startswith("| `a` |")]
    assert row == "| `a` | pass | fail | formula | x \\| y \\<b\\>\\`z\\` |"


def test_commands_in_sentences_are_code() -> None:
    """Backticks of our own are no signs to be escaped; those that are no pair are."""
    assert prose("no gate but `--gate time`; 2 * 3") == "no gate but `--gate time`; 2 \\* 3"
    assert prose("one ` alone") == "one \\` alone"


def test_all_forms_say_the_outcome(results_document: Make) -> None:
    """No form leaves out that a case newly fails."""
    found = compared(results_document, [case("a")], [case("a", "fail")])
    for form, write in FORMS.items():
        assert ('"newly-failing"' if form == "json" else "1 case newly fails") in write(found)


def test_results_that_are_cut_off_anywhere_are_refused(
    results_document: Make, tmp_path: Path
) -> None:
    """However much of the file is there: no comparison with a part of a run."""
    text = results_document(cases=(case("a"),)).model_dump_json(indent=1, by_alias=True) + "\n"
    file = tmp_path / "results.json"
    file.write_text(text)
    assert read_results(file).cases
    for end in range(len(text.rstrip()) - 1):
        file.write_text(text[:end])
        with pytest.raises(CtsError, match=r"results\.json: is damaged"):
            read_results(file)
