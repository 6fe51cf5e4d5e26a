# SPDX-License-Identifier: Apache-2.0
"""The file of all cases: what is written comes back, row by row, and takes little room."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.report.pages import PICTURE

from aclnn_cts.judge.comparison import Sample
from aclnn_cts.judge.standards import STANDARDS, Figures
from aclnn_cts.judge.verdicts import Common, Verdict
from aclnn_cts.report.run_comparison import pair_cases
from aclnn_cts.results.cases import CaseEntry, CaseFile, ResolvingEntry

Entries = Callable[..., CaseEntry]


def resolving(ulps: float | None) -> ResolvingEntry:
    return ResolvingEntry(ulps=ulps, by_value=900, by_class=100, plain_zeros=0)


def told(cases: Any) -> list[str]:
    """Return entries as texts: NaN is not equal to itself."""
    return [case.model_dump_json(by_alias=True) for case in cases]


def stored(entries: list[CaseEntry], folder: Path) -> CaseFile:
    """Return entries that were written to a file and opened again."""
    file = folder / "cases.sqlite"
    return CaseFile.open(file, CaseFile.collect(entries).write(file), "do it again")


@pytest.fixture
def odd(entry: Entries, figures: Callable[..., Figures]) -> list[CaseEntry]:
    """Entries with each value that is stored in a way of its own."""
    other = figures(worst_ulp=2.0, matched_ratio=0.5, failing=3, passed=False)
    beyond = figures(worst_ulp=math.inf, mean_ulp=math.nan, worst_share=math.inf)
    sample = Sample("out", (0,), (("x", math.nan),), "1", -math.inf, math.inf, 0.0)
    facts = tuple(f"fact {number}" for number in range(300))
    return [
        entry("plain"),
        entry("same", standards=dict.fromkeys(("strict", "ecosystem"), figures())),
        entry("gate", standards={"strict": figures(), "ecosystem": figures(passed=False)}),
        entry("differ", standards={"strict": figures(), "statistical": other}),
        entry("beyond", standards={"strict": beyond}),
        entry("nan", "fail", standards={"strict": replace(figures(), matched_ratio=math.nan)}),
        entry("no ulps", resolving=resolving(None)),
        entry(
            "endless",
            resolving=resolving(math.inf),
        ),
        entry("facts", facts=facts),
        entry("other facts", operator="aclnnPreluBackward", facts=facts[::-1]),
        entry("broken", "fail", samples=(sample,), pictures=(PICTURE,), after=("a", "b"), tries=3),
        entry("where", "fail", confirmed=True, only_in=(Common("rank 4", ("x-rank",)),)),
        entry("waived", "fail", waiver="known"),
        entry("elsewhere", host="lab-02", card=7),
        entry("nowhere", "missing", host="", card=-1),
        entry("accepted", "unenforced", unenforced=("x-rank",), basis="requirement"),
        entry("ünïcode ' \\x00", message="a\u2028b", device_microseconds=()),
    ]


def test_what_is_written_comes_back(odd: list[CaseEntry], tmp_path: Path) -> None:
    """Every value of every case, in order, whether from memory, a temporary file or a file."""
    for held in (CaseFile.collect(odd), stored(odd, tmp_path)):
        assert len(held) == len(odd)
        assert told(held) == told(held) == told(odd)


def test_some_of_the_cases(odd: list[CaseEntry], tmp_path: Path) -> None:
    """Those of an operator, of some verdicts, of both, or of an id."""
    held = stored(odd, tmp_path)
    failing = [case.id for case in odd if case.verdict is Verdict.FAIL]
    assert [case.id for case in held.where(verdicts=[Verdict.FAIL])] == failing
    assert [case.id for case in held.where("aclnnPreluBackward")] == ["other facts"]
    assert list(held.where("aclnnPreluBackward", [Verdict.FAIL])) == []
    assert list(held.where("aclnnOther")) == []
    for place, case in enumerate(odd, start=1):
        found = held.find(case.id)
        assert found is not None
        assert (found[0], told([found[1]])) == (place, told([case]))
    assert held.find("nosuch") is None


def test_the_same_cases_make_the_same_file(odd: list[CaseEntry], tmp_path: Path) -> None:
    """Judging again changes no byte; another value does."""
    first, again = (CaseFile.collect(odd).write(tmp_path / name) for name in "ab")
    assert first == again
    changed = [odd[0].model_copy(update={"seconds": 9.0}), *odd[1:]]
    assert CaseFile.collect(changed).write(tmp_path / "c") != first


def test_a_case_takes_little_room(
    entry: Entries, figures: Callable[..., Figures], tmp_path: Path
) -> None:
    """A passing case with figures of three standards takes at most 250 bytes."""
    cases = [
        entry(
            f"LogitGrad.thresholds.float32.257x33.eps_0.013.x_stepped.out_sliced.{n:010x}",
            standards=dict.fromkeys(STANDARDS, figures(worst_ulp=n / 7)),
            resolving=resolving(n / 3),
            facts=tuple(f"fact {(n * k) % 150}" for k in range(1, 16)),
            story="",
        )
        for n in range(4000)
    ]
    stored(cases, tmp_path)
    assert (tmp_path / "cases.sqlite").stat().st_size / len(cases) <= 250


def test_two_runs_are_joined(entry: Entries, tmp_path: Path) -> None:
    """Each case of NEW comes beside BASE's, in NEW's order, then what BASE alone has."""
    base = stored([entry(name) for name in ("a", "b", "c", "d")], tmp_path)
    new = [entry(name) for name in ("d", "x", "b")]
    pairs = [(b and b.id, n and n.id) for b, n in pair_cases(base, new)]
    assert pairs == [("d", "d"), (None, "x"), ("b", "b"), ("a", None), ("c", None)]
