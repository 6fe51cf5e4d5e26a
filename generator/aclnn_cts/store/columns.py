# SPDX-License-Identifier: Apache-2.0
"""The columns of a store's files, and the letters that stand for outcomes.

A file has a row for each case and clause of a run, and one for the run itself. Columns are only
ever added: those that an older file lacks are read as null.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

FORMAT = 1
"""Version of the files; a later suite raises it if columns mean something else."""

LETTERS: Mapping[str, str] = {
    "untested": "-",
    "contested-only": "c",
    "unenforced": "u",
    "pass": ".",
    "untrusted": "!",
    "unproven": "!",
    "missing": "?",
    "waived": "w",
    "flaky": "~",
    "fail": "F",
    "timeout": "T",
    "crash": "C",
}
"""The letter of each outcome of a case or clause, by severity: of many, the last one is shown."""

BY_WEIGHT = tuple(LETTERS)

BROKEN = ("fail", "crash", "timeout", "flaky", "waived")
"""Outcomes of cases that break a promise, waived or not."""

BROKEN_LETTERS = frozenset(LETTERS[outcome] for outcome in BROKEN)

_TEXT, _NUMBER, _COUNT = "VARCHAR", "DOUBLE", "BIGINT"

OF_ALL: Mapping[str, str] = {
    "entry": _TEXT,  # run, clause or case
    "run": _TEXT,
    "started": "TIMESTAMP",
    **dict.fromkeys(("product", "kind", "cann", "tier", "build"), _TEXT),
}
"""Columns of every row; the facts of the run are repeated."""

OF_RUN: Mapping[str, str] = {
    "format": "INTEGER",
    **dict.fromkeys(("recorded", "label", "report", "nonce", "soc", "driver", "firmware"), _TEXT),
    **dict.fromkeys(("host", "fault", "variant", "standard", "edition", "suite", "specs"), _TEXT),
    **dict.fromkeys(("cases", "failing", "waived", "unproven"), _COUNT),
    "exit_status": "SMALLINT",
    "cards": "STRUCT(host VARCHAR, card INTEGER)[]",
    **dict.fromkeys(("operators", "contract_only", "header", "withdrawn", "withdrawn_at"), _TEXT),
}

FIGURES: Mapping[str, str] = {
    "passed": "BOOLEAN",
    **dict.fromkeys(("elements", "compared", "failing", "first_failing"), _COUNT),
    "output": _TEXT,
    **dict.fromkeys(("matched_ratio", "max_abs_error", "mean_relative_error"), _NUMBER),
    **dict.fromkeys(("max_relative_error", "worst_ulp", "worst_share"), _NUMBER),
    **dict.fromkeys(("mean_ulp", "mean_abs_ulp"), _NUMBER),
}
"""Figures of the strict standard; the errors are the same by every standard."""

WORDS = ("broken", "exercised", "kinds", "unenforced", "after")
"""Lists of ids, separated by spaces: unlike lists, equal texts are stored and compared once."""

OF_CASE: Mapping[str, str] = {
    **dict.fromkeys(("operator", "name", "outcome", "verdict", "scene", "dtype", "basis"), _TEXT),
    **dict.fromkeys(("message", "waiver", "refused_twin", *WORDS), _TEXT),
    **dict.fromkeys(("position", "card", "tries"), "INTEGER"),
    "confirmed": "BOOLEAN",
    "by_value": _COUNT,
    "microseconds": _NUMBER,
    "times": "FLOAT[]",
    **FIGURES,
}

OF_CLAUSE: Mapping[str, str] = {
    "contested": _COUNT,
    **dict.fromkeys(("reading", "text", "place"), _TEXT),
}

COLUMNS: Mapping[str, str] = {**OF_ALL, **OF_RUN, **OF_CASE, **OF_CLAUSE}


def worst_letter(letters: Iterable[str]) -> str:
    """Return the most severe of the letters (at least one)."""
    return max(letters, key=_WEIGHTS.__getitem__)


_WEIGHTS = {letter: weight for weight, letter in enumerate(LETTERS.values())}
