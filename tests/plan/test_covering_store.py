# SPDX-License-Identifier: Apache-2.0
"""Covering arrays and plans are made once: what is kept is what would be made, damaged or not."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import SMALL, small_suite

from aclnn_cts.plan import planner
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.planner import make_plans, operators_on, plan
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite

FACTORS: dict[str, list[Any]] = {"flag": [True, 1, 1.0], "shape": [(), (2, 3)], "eps": [0.0, -0.0]}
ROWS = [
    {"flag": 1, "shape": (2, 3), "eps": -0.0},
    {"flag": True, "shape": (), "eps": 0.0},
    {"flag": 1.0, "shape": (), "eps": -0.0},
]


def refuse() -> list[dict[str, Any]]:
    raise AssertionError("the rows were made again")


def test_rows_are_made_once(tmp_path: Path) -> None:
    """The second time they are read, equal levels of different types and zeros kept apart."""
    store = PlanCache(tmp_path / "covering")
    assert store.rows("content", FACTORS, lambda: ROWS) == ROWS
    assert repr(store.rows("content", FACTORS, refuse)) == repr(ROWS)


def test_the_folder_of_a_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays are kept among the made things of their suite."""
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path))
    assert PlanCache.of(Suite(tmp_path / "suite")) == PlanCache(tmp_path / "covering")


def test_other_content_other_rows(tmp_path: Path) -> None:
    """Another spec, another product or another level asks for rows of its own."""
    store = PlanCache(tmp_path)
    store.rows("content", FACTORS, lambda: ROWS)
    for content, factors in (("other", FACTORS), ("content", {**FACTORS, "eps": [0.0, 1.0]})):
        with pytest.raises(AssertionError, match="made again"):
            store.rows(content, factors, refuse)


def kept(rows: Any) -> str:
    """Return the text of a file with any rows at all, and their right digest."""
    digest = hashlib.sha256(json.dumps(rows).encode()).hexdigest()
    return json.dumps({"rows": rows, "sha256": digest}) + "\n"


WHOLE = [[1, 1, 1], [0, 0, 0], [2, 0, 1]]


def test_what_is_kept(tmp_path: Path) -> None:
    """The levels by their numbers, and the digest that tells damage."""
    PlanCache(tmp_path).rows("content", FACTORS, lambda: ROWS)
    (file,) = tmp_path.glob("*.json")
    assert file.read_text() == kept(WHOLE)


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "[]",
        "5",
        "{}",
        json.dumps(WHOLE),
        kept(WHOLE).replace("[1, 1, 1], ", ""),
        kept(WHOLE).replace("[1, 1, 1]", "[1, 1, 0]"),
        kept(WHOLE).replace("{", '{"more": 1, '),
        kept(WHOLE)[:-3],
        kept(5),
    ],
)
def test_damaged_files_count_as_none(tmp_path: Path, damage: str) -> None:
    """Rows are made again, and the file is mended."""
    store = PlanCache(tmp_path)
    store.rows("content", FACTORS, lambda: ROWS)
    (file,) = tmp_path.glob("*.json")
    file.write_text(damage)
    assert store.rows("content", FACTORS, lambda: ROWS) == ROWS
    assert repr(store.rows("content", FACTORS, refuse)) == repr(ROWS)


def test_code_that_changes_meanwhile_is_not_taken_for_that_which_made_the_rows(
    tmp_path: Path,
) -> None:
    """What makes them is known from the start: later its files may be those of another version."""
    code = (
        "import sys; from pathlib import Path\n"
        "from aclnn_cts.plan.covering import PlanCache\n"
        "Path.read_bytes = lambda path: b'changed'\n"
        "PlanCache(Path(sys.argv[1])).rows('content', {'flag': [0, 1]}, lambda: [])\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)
    assert PlanCache(tmp_path).rows("content", {"flag": [0, 1]}, refuse) == []


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """Costs time, but no run."""
    (tmp_path / "file").write_text("")
    assert PlanCache(tmp_path / "file" / "below").rows("c", FACTORS, lambda: ROWS) == ROWS


def test_a_stored_plan_is_the_plan(specs: SpecSet, tmp_path: Path) -> None:
    """With nothing kept, the plan kept, only the arrays kept, and no store: the same cases."""
    store = PlanCache(tmp_path)
    chosen = ("atlas-training", "smoke", ["aclnnLogitGrad"])
    fresh = plan(specs, *chosen)
    for number, gone in enumerate(("*.none", "*.none", "*.plan")):
        assert bool(list(tmp_path.glob("*.plan"))) is bool(number)
        for path in tmp_path.glob(gone):
            path.unlink()
        planner._plan.cache_clear()
        assert repr(plan(specs, *chosen, store)) == repr(fresh)


def test_processes_make_the_plans_that_are_missing(specs: SpecSet, tmp_path: Path) -> None:
    """They say how many; the plans are those that one process makes."""
    store = PlanCache(tmp_path)
    chosen = ("atlas-training", "smoke", ["aclnnLogitGrad", "aclnnPreluBackward", "aclnnAbs"])
    plan(specs, "atlas-training", "smoke", ["aclnnAbs"], store)
    assert list(make_plans(specs, *chosen, store, 2)) == [(0, 2), (1, 2), (2, 2)]
    assert len(list(tmp_path.glob("*.plan"))) == 3
    assert list(make_plans(specs, *chosen, store, 2)) == []
    planner._plan.cache_clear()
    assert repr(plan(specs, *chosen, store)) == repr(plan(specs, *chosen))


def test_the_operators_of_a_product_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until a spec changes; of each edition and product."""
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path / "cache"))
    suite = small_suite(tmp_path, *SMALL)
    specs = load_specs(suite)
    operators = operators_on(suite, specs, "atlas-a2")
    assert operators == tuple(s.operator for s in specs.tested_operators if s.mentions("atlas-a2"))
    unread = replace(specs, operators={})
    assert operators_on(suite, unread, "atlas-a2") == operators
    assert operators_on(suite, replace(unread, edition="earlier"), "atlas-a2") == ()
    assert operators_on(suite, unread, "atlas-training") == ()


@pytest.mark.parametrize("left", [slice(0), slice(20), slice(32), slice(-1), slice(1, None)])
def test_damaged_plans_count_as_none(
    planned: Callable[..., tuple[Case, ...]], tmp_path: Path, left: slice
) -> None:
    """A plan is made again, and the file is mended."""
    cases = planned("atlas-a2", "smoke", "aclnnLogitGrad")
    store = PlanCache(tmp_path)
    store.plan("content", lambda: cases)
    (file,) = tmp_path.glob("*.plan")
    file.write_bytes(file.read_bytes()[left])
    assert store.plan("content", lambda: cases) is cases
    assert repr(store.plan("content", tuple)) == repr(cases)
    assert store.plan("other", tuple) == ()
