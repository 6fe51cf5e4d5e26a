# SPDX-License-Identifier: Apache-2.0
"""A comparison as text, Markdown and JSON: what a person is shown, and what a program reads."""

from __future__ import annotations

import json
import math

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.report.comparing_runs import Make, case, compared

from aclnn_cts.report.comparison_text import FORMS, MOST_ROWS, WIDTH, as_json, as_markdown, as_text
from aclnn_cts.report.formatting import prose
from aclnn_cts.report.run_comparison import RunComparison


def test_the_json_document_holds_everything(results_document: Make) -> None:
    """It is read back as it was, infinities included, and names its format."""
    base, new = [case("a"), case("b")], [case("a", "fail"), case("b", errors=(math.inf, 0.5))]
    found = compared(results_document, base, new)
    held = json.loads(as_json(found))
    worse = {"failing": 1, "accuracy": 4}
    assert (held.pop("exit_status"), held.pop("worse"), held.pop("stale")) == (1, worse, [])
    assert held["format"] == "aclnn-cts/comparison/1"
    assert RunComparison.model_validate_json(json.dumps(held)) == found
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


def test_an_id_is_never_cut(results_document: Make) -> None:
    """It ends in the digest that `run --case` takes; long sentences go on in the next line."""
    name = "LogitGrad." + "very-long-kind-of-layout-" * 5 + "0caf824483"
    message = " ".join(f"word{number}" for number in range(40))
    found = compared(results_document, [case(name)], [case(name, "fail", message=message)])
    lines = as_text(found).splitlines()
    at = lines.index(f"  {name}")
    assert lines[at + 1].startswith("    BASE: pass; NEW: fail; clauses: formula; why: word0")
    assert "…" not in "".join(lines)
    assert "word39" in "".join(lines)
    assert all(len(line) <= WIDTH for line in lines if line.strip() != name)


@given(
    st.lists(st.text("abc", min_size=1, max_size=130), min_size=1, max_size=4, unique=True),
    st.lists(st.text("xyz-", min_size=1, max_size=60), max_size=12),
    st.lists(st.text("mno", min_size=1, max_size=20), max_size=60),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
def test_it_is_as_wide_as_the_summary(
    results_document: Make, names: list[str], broken: list[str], words: list[str]
) -> None:
    """Whatever is compared; only ids are longer, and stand on lines of their own."""
    failing = [
        case(name, "fail", broken=tuple(broken), message=" ".join(words) or "x") for name in names
    ]
    text = as_text(compared(results_document, [case(name) for name in names], failing))
    long = [line.strip() for line in text.splitlines() if len(line) > WIDTH]
    assert set(long) <= set(names)
    assert all(word in text for word in (*names, *words))


def test_a_short_row_is_a_row_of_a_table(results_document: Make) -> None:
    """Where all columns fit, they stand side by side under their heads."""
    found = compared(results_document, [case("a")], [case("a", "fail", message="why not")])
    lines = as_text(found).splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("Newly failing"))
    assert lines[at + 1].split() == ["case", "BASE", "NEW", "clauses", "why"]
    assert lines[at + 2] == "  a     pass  fail  formula  why not"


def test_markdown_keeps_what_a_message_holds(results_document: Make) -> None:
    """A bar or a line break in a message would end the cell or the row."""
    found = compared(results_document, [case("a")], [case("a", "fail", message="x | y\n<b>`z`")])
    (row,) = [line for line in as_markdown(found).splitlines() if line.startswith("| `a` |")]
    assert row == "| `a` | pass | fail | formula | x \\| y \\<b\\>\\`z\\` |"


def test_commands_in_sentences_are_code() -> None:
    """Backticks of our own are not signs to be escaped; those that are no pair are."""
    assert prose("no gate but `--gate time`; 2 * 3") == "no gate but `--gate time`; 2 \\* 3"
    assert prose("one ` alone") == "one \\` alone"


def test_all_forms_say_the_outcome(results_document: Make) -> None:
    """No form leaves out that a case newly fails."""
    found = compared(results_document, [case("a")], [case("a", "fail")])
    for form, write in FORMS.items():
        assert ('"newly-failing"' if form == "json" else "1 case newly fails") in write(found)
