# SPDX-License-Identifier: Apache-2.0
"""The part of ``docs/qualification.md`` that tells of mutants nobody chose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tools.mutation.arguments import Argument, argument_about
from tools.mutation.mutants import Outcome

_LONGEST = 150
"""Characters of a line of code that are shown."""

BEGIN, END = "<!-- mutation: begin -->", "<!-- mutation: end -->"
"""Between these lines of the page stands what is made here."""


def judge(outcomes: Sequence[Outcome], arguments: list[Argument]) -> list[Outcome]:
    """Return the outcomes, survivors that are argued to be equivalent as ``equivalent``."""
    judged_outcomes = []
    for outcome in outcomes:
        argument = argument_about(outcome, arguments)
        if outcome.outcome == "survived" and argument is not None and argument.equivalent:
            judged_outcomes.append(Outcome(**{**vars(outcome), "outcome": "equivalent"}))
        else:
            judged_outcomes.append(outcome)
    return judged_outcomes


def table(groups: Mapping[str, tuple[int, Sequence[Outcome]]]) -> Iterator[str]:
    """Yield the lines of the table: for each group, how many mutants were made, and the outcomes.

    Those that do not compile, or compile to the same code, count as tried only; the share is that
    of the killed mutants among those that do something else.
    """
    yield "| Sources | Mutants | Tried | Equivalent | Killed | Survived | Share |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for name, (mutant_count, outcomes) in groups.items():
        kinds = Counter(outcome.outcome for outcome in outcomes)
        killed, survived = kinds["killed"], kinds["survived"]
        share = f"{100 * killed / (killed + survived):.1f} %" if killed + survived else "-"
        cells = (mutant_count, len(outcomes), kinds["equivalent"], killed, survived, share)
        yield f"| {name} | " + " | ".join(map(str, cells)) + " |"


def _short(file: str) -> str:
    return file.removeprefix("generator/aclnn_cts/").removeprefix("simulator/")


def survivor_list(outcomes: Sequence[Outcome], arguments: list[Argument]) -> Iterator[str]:
    """Yield a line for each survivor: where, what, and why."""
    survivors = [outcome for outcome in outcomes if outcome.outcome == "survived"]
    for outcome in sorted(survivors, key=lambda each: (each.file, each.line, each.after)):
        argument = argument_about(outcome, arguments)
        reason = argument.argument if argument else outcome.by or "not looked at yet"
        yield f"- `{_short(outcome.file)}:{outcome.line}` {_change(outcome)}: {reason}"


def _change(outcome: Outcome) -> str:
    """Return what differs, with a little of what stands around it."""
    if not outcome.before:
        return f"`{_code(outcome.after)}` inserted"
    return f"`{_code(outcome.before)}` → `{_code(outcome.after)}`"


def _code(text: str) -> str:
    excerpt = text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
    return excerpt.replace("`", "'").replace("|", "\\|")


def renew(text: str, lines: Sequence[str]) -> str:
    """Return a page with other lines between :data:`BEGIN` and :data:`END`.

    Raises:
        ValueError: The page does not hold each of them once.
    """
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise ValueError(f"the page must hold {BEGIN} and {END}, each once")
    head, _, after = text.partition(BEGIN)
    _, _, tail = after.partition(END)
    return "\n".join([f"{head}{BEGIN}", "", *lines, f"{END}{tail}"])
