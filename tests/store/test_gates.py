# SPDX-License-Identifier: Apache-2.0
"""A nightly gate in one line, and drafts of waivers for what it finds."""

from __future__ import annotations

import datetime
import math
from pathlib import Path

import pytest
import yaml
from tests.report.comparing_runs import case
from tests.store.conftest import Make, add, invoke

from aclnn_cts.errors import ExitCode, NotTrustworthyError, WrongInputError
from aclnn_cts.report.waivers import Acceptance, apply_waivers, draft_waivers
from aclnn_cts.results.document import write_document
from aclnn_cts.spec.waivers import Waivers
from aclnn_cts.store.folder import Store
from aclnn_cts.store.runs import LAST_GREEN, all_runs, baseline_of


@pytest.fixture
def recorded(store: Store, judged: Make) -> dict[str, str]:
    """Ids of some runs: green and red ones, of another tier and product, a labelled one."""
    good, bad = case("LogitGrad.a"), case("LogitGrad.a", "fail")
    documents = {
        "old": judged(good, day=1, cann="8.0"),
        "green": judged(good, day=2, cann="8.1"),
        "red": judged(bad, day=3, cann="8.1"),
        "other tier": judged(good, day=4, tier="full"),
        "later": judged(good, day=9),
    }
    return {
        name: add(store, document, label="release" if name == "red" else "")
        for name, document in documents.items()
    }


@pytest.mark.parametrize(
    ("wanted", "name"),
    [(LAST_GREEN, "green"), ("8.0", "old"), ("8.1", "red"), ("release", "red"), ("id", "later")],
)
def test_the_baseline(
    store: Store, recorded: dict[str, str], judged: Make, wanted: str, name: str
) -> None:
    """It is the last run before the new one of its product, tier, standard and edition."""
    new = judged(case("LogitGrad.a"), day=5, cann="8.2")
    add(store, new)
    wanted = recorded[name][:8] if wanted == "id" else wanted
    assert baseline_of(all_runs(store), new, wanted).id == recorded[name]


def test_no_baseline(store: Store, recorded: dict[str, str], judged: Make) -> None:
    """Where there is none, nothing was compared: that is never a pass."""
    assert recorded
    first = judged(case("LogitGrad.a"), day=0)
    for wanted in (LAST_GREEN, "9.9"):
        with pytest.raises(NotTrustworthyError):
            baseline_of(all_runs(store), first, wanted)
    with pytest.raises(WrongInputError):
        baseline_of(all_runs(store), first, "0" * 16)
    with store.replacing():
        store.withdraw(recorded["later"], "2026-11-23T00:00:00+00:00", "the card was hot")
    with pytest.raises(NotTrustworthyError):
        baseline_of(all_runs(store), first, recorded["later"])


def test_a_nightly_gate(
    folder: str, recorded: dict[str, str], judged: Make, tmp_path: Path
) -> None:
    """`compare NEW --against last-green` ends as a comparison with that run's folder would."""
    assert recorded
    for verdict, status in (("pass", ExitCode.PASSED), ("fail", ExitCode.BROKEN_PROMISE)):
        new = tmp_path / verdict
        new.mkdir()
        write_document(judged(case("LogitGrad.a", verdict), day=5), new)
        done = invoke("compare", str(new), "--against", LAST_GREEN, "--store", folder)
        assert done.exit_code == status, done.output
    both = invoke("compare", str(new), str(new), "--against", LAST_GREEN, "--store", folder)
    assert both.exit_code == ExitCode.WRONG_INPUT
    assert invoke("compare", str(new)).exit_code == ExitCode.WRONG_INPUT


def test_drafts_accept_what_fails_and_nothing_else(judged: Make) -> None:
    """Filled in by a person, the drafts waive each failing case, with the error that it has."""
    failing = (
        case("LogitGrad.base.float32.a", "fail", errors=(3.25, 1.0)),
        case("LogitGrad.base.float32.b", "fail", errors=(2.0, 1.0), broken=("formula", "eps-one")),
        case("LogitGrad.base.float16.c", "fail", errors=(math.inf, 1.0), broken=("eps-nan",)),
        case("LogitGrad.base.float16.d", "crash", broken=(), kinds=()),
        case("LogitGrad.base.float16.e", "flaky", broken=("formula",), kinds=("value",)),
    )
    document = judged(*failing, case("LogitGrad.base.float32.f"), cann="8.2.RC1")
    drafts = yaml.safe_load(draft_waivers(document))
    for waiver in drafts["waivers"]:
        assert [waiver[key] for key in ("reason", "link", "owner", "expires")] == [None] * 4
        waiver |= {
            "reason": "known and followed up",
            "link": "https://tracker.example.org/1",
            "owner": "Ada",
            "expires": datetime.date(2030, 1, 1),
        }
    waivers = Waivers.model_validate(drafts)
    today = datetime.date(2026, 11, 23)
    waived = apply_waivers(document, Acceptance(waivers, today))
    assert waived.totals["waived"] == len(failing)
    assert {outcome.state for outcome in waived.waivers} == {"waives"}
    assert waivers.waivers[0].max_ulp == 3.25
    for other in (
        case("LogitGrad.base.float32.a", "fail", errors=(3.5, 1.0)),
        case("LogitGrad.base.float32.a", "fail", errors=(1.0, 1.0), broken=("formula", "eps-one")),
        case("LogitGrad.base.float32.f", "fail", errors=(1.0, 1.0)),
    ):
        found = apply_waivers(judged(other, cann="8.2.RC1"), Acceptance(waivers, today))
        assert found.totals["waived"] == 0


def test_a_draft_is_refused_until_a_person_fills_it_in(
    folder: str, recorded: dict[str, str], tmp_path: Path
) -> None:
    """The drafts of a run in the store cannot be used as they are; a green run has none."""
    file = tmp_path / "waivers.yaml"
    arguments = ["waivers", "--store", folder, "--run"]
    done = invoke(*arguments, recorded["red"], "-o", str(file))
    assert done.exit_code == ExitCode.PASSED, done.output
    assert "LogitGrad.a" in file.read_text(encoding="utf-8")
    refused = invoke("judge", str(tmp_path), "--waivers", str(file))
    assert refused.exit_code == ExitCode.WRONG_INPUT
    assert f"{file}:" in refused.output
    before = file.read_bytes()
    assert invoke(*arguments, recorded["red"], "-o", str(file)).exit_code == ExitCode.WRONG_INPUT
    assert file.read_bytes() == before
    assert invoke(*arguments, recorded["green"]).stdout == "waivers: []\n"
    for both_or_none in ((), (".", "--run", "123456")):
        ended = invoke("waivers", *both_or_none)
        assert ended.exit_code == ExitCode.WRONG_INPUT
        assert "give either" in ended.stderr
