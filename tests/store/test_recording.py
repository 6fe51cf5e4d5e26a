# SPDX-License-Identifier: Apache-2.0
"""What is recorded of a run, and that it stays as it is."""

from __future__ import annotations

import contextlib
import json
import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.report.comparing_runs import case
from tests.store.conftest import Make, add, invoke

from aclnn_cts.errors import ExitCode, WrongInputError
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.report.run_comparison import compare_results
from aclnn_cts.results.document import ClauseVerdict, ResultsDocument, write_document
from aclnn_cts.store.address import folder_of
from aclnn_cts.store.folder import Store, open_store
from aclnn_cts.store.recording import OtherJudgement, recorded_document, recording
from aclnn_cts.store.runs import all_runs, run_of

_KEPT = [
    *("id", "operator", "verdict", "scene", "dtype", "broken", "exercised", "kinds", "message"),
    *("waiver", "unenforced", "basis", "tries", "confirmed", "after", "device_microseconds"),
    *("host", "card"),
]


def _files(store: Store) -> list[Path]:
    return sorted(path for path in store.folder.rglob("*") if path.is_file())


def _document(store: Store, name: str) -> ResultsDocument:
    return recorded_document(store, run_of(all_runs(store), name))


def test_a_run_comes_back(store: Store, judged: Make) -> None:
    """All that a comparison goes by comes back: each verdict, errors without a size, times."""
    clause = ClauseVerdict(
        "aclnnLogitGrad", "formula", "fail", 9, 3, "other", "what it says", "its place", "stated"
    )
    cases = [
        *(case(verdict.value, verdict.value) for verdict in Verdict),
        case("beyond", "fail", errors=(math.inf, math.inf)),
        case("nothing-compared", standards={}),
        case("elsewhere", host="b", card=5),
        case("nowhere", "missing", host="", card=-1),
        case("timed", device_microseconds=(1.5, 2.25)),
        case("waived", "crash", waiver="w", kinds=("crash",)),
        case("refused", basis="requirement", exercised=("formula", "x-dtype")),
        case("other", "fail", operator="aclnnPreluBackward", after=("x",), confirmed=True, tries=2),
    ]
    document = judged(
        *cases,
        card=None,
        clauses=(clause,),
        problems=("a program died",),
        contract_only=("aclnnPreluBackward",),
    )
    number = add(store, document)
    found = _document(store, number)
    for before, after in zip(document.cases, found.cases, strict=True):
        assert [getattr(before, name) for name in _KEPT] == [getattr(after, name) for name in _KEPT]
        assert before.standards.keys() == after.standards.keys()
        for name, kept in after.standards.items():
            assert vars(kept) == vars(before.standards[name]) | {"output": kept.output}
    assert found.clauses == document.clauses
    assert found.totals == document.totals
    assert found.contract_only == document.contract_only
    assert found.exit_code == document.exit_code
    assert (found.device, found.environment) == (document.device, document.environment)
    assert not compare_results(document, found).cases


def test_adding_is_idempotent(store: Store, judged: Make) -> None:
    """A recorded run adds no file, and is found by its content."""
    document = judged(case("a"), case("b", "fail"))
    run = add(store, document)
    (file,) = _files(store)
    assert file.name == f"{run}.parquet"
    before = file.read_bytes()
    assert add(store, document) == run
    assert file.read_bytes() == before
    for label in ("name", "another name", ""):
        assert add(store, document, label=label) == run
    assert _files(store) == [file]
    assert [each.label for each in all_runs(store)] == ["name"]
    assert _document(store, run).totals == document.totals


def test_a_label_is_added_but_never_changed(folder: str, judged: Make, tmp_path: Path) -> None:
    """A command that could not give its label says so."""
    write_document(judged(case("a")), tmp_path)
    command = ("store", "add", str(tmp_path), "--store", folder, "--label")
    for label, status in (("", 0), ("release", 0), ("release", 0), ("other", 2)):
        ended = invoke(*command, label)
        assert ended.exit_code == status, ended.output
    assert "'release'" in ended.output


def test_another_judgement_is_refused(store: Store, judged: Make) -> None:
    """What is recorded never changes: the same run with other verdicts is not taken."""
    number = add(store, judged(case("a"), nonce="n"))
    with pytest.raises(OtherJudgement) as refusal:
        add(store, judged(case("a", "fail"), nonce="n"))
    assert refusal.value.id == number


def test_a_withdrawn_run(folder: str, store: Store, judged: Make) -> None:
    """It is marked with a reason, once, and makes room for another judgement of the same run."""
    document = judged(case("a"), nonce="n")
    run = add(store, document)
    withdraw = ["store", "withdraw", run[:8], "--store", folder, "--reason"]
    assert invoke(*withdraw, " ").exit_code == ExitCode.WRONG_INPUT
    assert invoke(*withdraw, "the card was hot").exit_code == ExitCode.PASSED
    assert invoke(*withdraw, "again").exit_code == ExitCode.WRONG_INPUT
    nowhere = invoke("store", "withdraw", "0" * 16, *withdraw[3:], "x")
    assert nowhere.exit_code == ExitCode.WRONG_INPUT
    store.refresh()
    assert _files(store) == [store.folder / "withdrawn" / f"{run}.parquet"]
    assert _document(store, run).totals == document.totals
    assert add(store, document) == run
    assert add(store, judged(case("a", "fail"), nonce="n")) != run
    listed = json.loads(invoke("store", "show", "--store", folder, "--json").output)
    assert {run["withdrawn"] for run in listed} == {"the card was hot", None}


def test_all_or_nothing(store: Store, judged: Make) -> None:
    """A command that dies while it records leaves nothing behind."""

    def dying() -> None:
        with recording(store) as recorder:
            for name in "ab":
                recorder.record(judged(case(name)), recorded="", label="", report="")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dying()
    assert not _files(store)


def _commands(*commands: Sequence[str]) -> list[tuple[int, str]]:
    """Run commands at the same time, and return their statuses and errors."""
    program = [sys.executable, "-c", "from aclnn_cts.entry import main; main()"]
    running = [
        subprocess.Popen(
            [*program, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for command in commands
    ]
    errors = [process.communicate()[1] for process in running]
    return [(process.returncode, told) for process, told in zip(running, errors, strict=True)]


def test_several_writers(folder: str, judged: Make, tmp_path: Path) -> None:
    """Commands that add to a new store at the same time all succeed; equal runs are added once."""
    results = [tmp_path / name for name in ("one", "other")]
    for each in results:
        each.mkdir()
        write_document(judged(case("a"), case(each.name, "fail")), each)
    added = [("store", "add", str(each), "--store", folder) for each in (*results, results[0])]
    for status, errors in _commands(*added):
        assert status == 0, errors
    with open_store(folder) as store:
        assert len(all_runs(store)) == len(_files(store)) == 2


def test_two_judgements_at_once(folder: str, store: Store, judged: Make) -> None:
    """Of two judgements of a run, one that comes while the other is written is refused."""
    with contextlib.ExitStack() as stack:
        recorder = stack.enter_context(recording(store))
        recorder.record(judged(case("a"), nonce="n"), recorded="", label="", report="")
        with open_store(folder) as other:
            first = add(other, judged(case("a", "fail"), nonce="n"))
        with pytest.raises(OtherJudgement) as refusal:
            stack.close()
    assert refusal.value.id == first
    assert [path.stem for path in _files(store)] == [first]


def test_what_is_no_store(tmp_path: Path) -> None:
    """A folder that is missing is a sentence, and stays missing."""
    path = tmp_path / "store"
    with pytest.raises(WrongInputError, match=str(path)), open_store(str(path)):
        pass
    assert not path.exists()


@pytest.mark.parametrize(
    "address",
    [
        *("mysql://x/y", "postgresql://h", "://", "nothing://", "mysql://ada:secret@h/db"),
        *("postgresql:/ada:secret@h/db", "postgresql:ada", "postgres://ada:secret@h/db"),
        *("sqlite://", "sqlite:///file:x?mode=memory", ":memory:", "file:x", "s3://secret/x"),
    ],
)
def test_addresses_that_are_none(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are refused before anything is made, and no part of them is repeated."""
    monkeypatch.chdir(tmp_path)
    with (
        pytest.raises(WrongInputError, match="--store") as refusal,
        open_store(address, create=True),
    ):
        pass
    assert "secret" not in str(refusal.value)
    assert not list(tmp_path.iterdir())


def test_a_path_with_a_colon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that begins with ./ is one whatever it holds."""
    monkeypatch.chdir(tmp_path)
    with open_store("./night:1", create=True):
        pass
    assert (tmp_path / "night:1").is_dir()


def test_the_users_own_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without an address it is a folder in the user's data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert folder_of(None) == tmp_path / "aclnn-cts" / "store"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folder_of(None) == tmp_path / ".local" / "share" / "aclnn-cts" / "store"
