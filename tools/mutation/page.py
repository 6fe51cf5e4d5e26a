# SPDX-License-Identifier: Apache-2.0
"""The part of ``docs/qualification.md`` that tells of mutants nobody chose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tools.mutation.arguments import Argument, argued
from tools.mutation.mutants import Outcome

_LONGEST = 150
"""Characters of a line of code that are shown."""

BEGIN, END = "<!-- mutation: begin -->", "<!-- mutation: end -->"
"""Between these lines of the page stands what is made here."""


@dataclass(frozen=True)
class Count:
    """How many mutants of one file became what."""

    made: int
    tried: int
    outcomes: Mapping[str, int]
    smoke: int

    @property
    def decided(self) -> int:
        """Mutants that count: those that do something else."""
        return self.outcomes.get("killed", 0) + self.outcomes.get("survived", 0)

    @property
    def share(self) -> str:
        """The share of killed ones, in percent."""
        if not self.decided:
            return "-"
        return f"{100 * self.outcomes.get('killed', 0) / self.decided:.1f} %"


def judged(outcomes: Sequence[Outcome], arguments: list[Argument]) -> list[Outcome]:
    """Return the outcomes, survivors that are argued to be equivalent as ``equivalent``."""
    found = []
    for outcome in outcomes:
        argument = argued(outcome, arguments)
        if outcome.outcome == "survived" and argument is not None and argument.equivalent:
            found.append(Outcome(**{**vars(outcome), "outcome": "equivalent"}))
        else:
            found.append(outcome)
    return found


def count(outcomes: Sequence[Outcome], made: int) -> Count:
    """Count the outcomes of some mutants, of which so many were made."""
    kinds = Counter(outcome.outcome for outcome in outcomes)
    smoke = sum(o.outcome == "killed" and o.by.startswith("smoke") for o in outcomes)
    return Count(made, len(outcomes), kinds, smoke)


def python_table(made: Mapping[str, int], outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the lines of the table of the Python half; ``made`` is in the order wanted."""
    yield "| File | Mutants | Tried | Equivalent | Killed | Survived | Share |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for name, counted in _counts(made, outcomes):
        kinds = counted.outcomes
        cells = (counted.made, counted.tried, kinds.get("equivalent", 0), kinds.get("killed", 0),
                 kinds.get("survived", 0), counted.share)  # fmt: skip
        yield f"| {name} | " + " | ".join(map(str, cells)) + " |"


def cpp_table(made: Mapping[str, int], outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the lines of the table of the C++ half; ``made`` is in the order wanted."""
    yield (
        "| File | Mutants | Tried | Compile to other code | Equivalent | Killed | "
        "by smoke | Survived | Share |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for name, counted in _counts(made, outcomes):
        kinds = counted.outcomes
        other = counted.tried - kinds.get("uncompiled", 0) - kinds.get("same-code", 0)
        cells = (counted.made, counted.tried, other, kinds.get("equivalent", 0),
                 kinds.get("killed", 0), counted.smoke, kinds.get("survived", 0),
                 counted.share)  # fmt: skip
        yield f"| {name} | " + " | ".join(map(str, cells)) + " |"


def _counts(made: Mapping[str, int], outcomes: Sequence[Outcome]) -> Iterator[tuple[str, Count]]:
    for file, number in made.items():
        yield f"`{_short(file)}`", count([o for o in outcomes if o.file == file], number)
    yield "all", count(outcomes, sum(made.values()))


def _short(file: str) -> str:
    return file.removeprefix("generator/aclnn_cts/").removeprefix("simulator/")


def survivor_list(outcomes: Sequence[Outcome], arguments: list[Argument]) -> Iterator[str]:
    """Yield a line for each survivor: where, what, and why."""
    survivors = [outcome for outcome in outcomes if outcome.outcome == "survived"]
    for outcome in sorted(survivors, key=lambda each: (each.file, each.line, each.after)):
        argument = argued(outcome, arguments)
        reason = argument.argument if argument else outcome.by or "not looked at yet"
        yield f"- `{_short(outcome.file)}:{outcome.line}` {_change(outcome)}: {reason}"


def _change(outcome: Outcome) -> str:
    """Return what differs, with a little of what stands around it."""
    if not outcome.before:
        return f"`{_code(outcome.after)}` inserted"
    return f"`{_code(outcome.before)}` → `{_code(outcome.after)}`"


def _code(text: str) -> str:
    shown = text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
    return shown.replace("`", "'").replace("|", "\\|")


def renewed(text: str, lines: Sequence[str]) -> str:
    """Return a page with other lines between :data:`BEGIN` and :data:`END`.

    Raises:
        ValueError: The page does not hold each of them once.
    """
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise ValueError(f"the page must hold {BEGIN} and {END}, each once")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return "\n".join([f"{head}{BEGIN}", "", *lines, f"{END}{tail}"])
