# SPDX-License-Identifier: Apache-2.0
"""Old runs go when a person says so, and all that is recorded can be taken out."""

from __future__ import annotations

import glob
import gzip
import json
import re
from pathlib import Path

import duckdb
import pytest
from tests.report.comparing_runs import case
from tests.store.conftest import Make, add, invoke

from aclnn_cts.errors import ExitCode
from aclnn_cts.store.folder import Store
from aclnn_cts.store.recording import recorded_document
from aclnn_cts.store.runs import Selection, all_runs, select_runs


def listed(store: Store, *, withdrawn: bool = False) -> list[str]:
    return list(select_runs(store, Selection(withdrawn=withdrawn)))


def test_prune(folder: str, store: Store, judged: Make) -> None:
    """Runs from before a day go; labelled ones and later ones stay."""
    runs = []
    for night in range(5):
        cases = (case("LogitGrad.a"), case(f"LogitGrad.{night}", "fail"))
        runs.append(add(store, judged(*cases, day=night), "release" if night == 1 else ""))
    assert invoke("store", "withdraw", runs[2], "--reason", "x", "--store", folder).exit_code == 0
    arguments = ["store", "prune", "--before", "2026-01-04", "--store", folder]
    assert invoke(*arguments, "--dry-run").exit_code == ExitCode.PASSED
    store.refresh()
    assert listed(store, withdrawn=True) == runs
    done = invoke(*arguments)
    assert done.exit_code == ExitCode.PASSED, done.output
    store.refresh()
    assert listed(store, withdrawn=True) == [runs[1], *runs[3:]]
    assert len(list(store.folder.rglob("*.parquet"))) == 3
    for run in all_runs(store):
        assert len(recorded_document(store, run).cases) == 2
    assert invoke(*arguments[:3], "yesterday", "--store", folder).exit_code == ExitCode.WRONG_INPUT


@pytest.fixture
def bundled(store: Store, judged: Make, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of four runs, of which the first three are in one file."""
    monkeypatch.setattr("aclnn_cts.store.folder.BUNDLE", 3)
    return [
        add(store, judged(case("LogitGrad.a", "pass" if night else "fail"), day=night))
        for night in range(4)
    ]


def names(store: Store) -> list[str]:
    return sorted(
        re.sub(r"bundle-\w+", "bundle", path.stem) for path in store.runs_folder.iterdir()
    )


def test_bundled_runs(folder: str, store: Store, bundled: list[str]) -> None:
    """They answer as before, and can be withdrawn, labelled and removed."""
    assert names(store) == sorted((bundled[3], "bundle"))
    assert listed(store) == bundled
    verdicts = {
        run.id: next(iter(recorded_document(store, run).cases)).verdict.value
        for run in all_runs(store)
    }
    assert verdicts == dict(zip(bundled, ("fail", "pass", "pass", "pass"), strict=True))
    words = ("--reason", "the card was hot", "--store", folder)
    assert invoke("store", "withdraw", bundled[1], *words).exit_code == ExitCode.PASSED
    with store.replacing():
        store.change(bundled[0], "label", "release")
    assert listed(store) == [bundled[0], *bundled[2:]]
    assert [run.label for run in all_runs(store)] == ["release", "", "", ""]
    assert [run.withdrawn for run in all_runs(store)] == [None, "the card was hot", None, None]
    done = invoke("store", "prune", "--before", "2026-01-04", "--store", folder)
    assert done.exit_code == ExitCode.PASSED, done.output
    store.refresh()
    assert listed(store, withdrawn=True) == [bundled[0], bundled[3]]
    assert len(recorded_document(store, all_runs(store)[0]).cases) == 1


def test_an_interrupted_bundling(
    folder: str, store: Store, judged: Make, bundled: list[str]
) -> None:
    """What is in two files counts once, and the next bundling tidies up."""
    whole = {path.name: path.read_bytes() for path in store.runs_folder.iterdir()}
    assert invoke("store", "prune", "--before", "2026-01-02", "--store", folder).exit_code == 0
    for name, content in whole.items():
        (store.runs_folder / name).write_bytes(content)
    store.refresh()
    assert listed(store) == bundled
    assert names(store) == sorted((bundled[3], "bundle", "bundle"))
    add(store, judged(case("LogitGrad.a"), day=9))
    assert names(store)[-2:] != ["bundle", "bundle"]
    assert len(listed(store)) == 5


def test_files_that_share_some_runs(folder: str, store: Store, bundled: list[str]) -> None:
    """Neither can be left out, so both are named."""
    (bundle,) = store.runs_folder.glob("bundle-*")
    content = bundle.read_bytes()
    with store.replacing():
        store.drop({bundled[0]})
    with store.replacing():
        store._bundle(sorted({*store.counting.values()}), bundled[2:])
    bundle.write_bytes(content)
    asked = invoke("store", "show", "--store", folder)
    assert asked.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert bundle.name in asked.output


def test_another_command_replaces_files(
    store: Store, bundled: list[str], judged: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Adding does not wait for it; what replaces files does, and then names the lock."""
    monkeypatch.setattr("aclnn_cts.store.folder._SECONDS", 0)
    lock = store.folder / ".lock"
    lock.touch()
    for night in range(4, 8):
        add(store, judged(case("LogitGrad.a"), day=night))
    assert names(store).count("bundle") == 1
    words = ("--reason", "x", "--store", str(store.folder))
    refused = invoke("store", "withdraw", bundled[0], *words)
    assert refused.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert str(lock) in refused.output
    lock.unlink()
    add(store, judged(case("LogitGrad.a"), day=9))
    assert names(store).count("bundle") == 3
    assert len(listed(store)) == 9


def test_export(folder: str, store: Store, judged: Make, tmp_path: Path) -> None:
    """Each run comes with its clauses and cases, one JSON object a line."""
    runs = [
        add(store, judged(case("LogitGrad.a"), case("LogitGrad.b", "fail"), day=night))
        for night in range(2)
    ]
    for name, opening in (("all.jsonl.gz", gzip.open), ("all.jsonl", open)):
        path = tmp_path / name
        assert invoke("store", "export", "-o", str(path), "--store", folder).exit_code == 0
        with opening(path, "rt", encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        assert [next(iter(line)) for line in lines] == ["run", "case", "case"] * 2
        assert [line["case"]["verdict"] for line in lines if "case" in line] == ["pass", "fail"] * 2
    one = tmp_path / "one.jsonl"
    assert invoke("store", "export", runs[1], "-o", str(one), "--store", folder).exit_code == 0
    assert json.loads(one.read_text().splitlines()[0])["run"]["id"] == runs[1]
    missing = invoke("store", "export", "0" * 16, "-o", str(one), "--store", folder)
    assert missing.exit_code == ExitCode.WRONG_INPUT


def test_names_are_shown_as_they_are(folder: str, store: Store, judged: Make) -> None:
    """Neither markup nor SQL in a label or a reason does anything."""
    label = "[/]'☃:smile:"
    run = add(store, judged(case("LogitGrad.a")), label=label)
    assert label in invoke("store", "show", "--store", folder).stdout
    assert invoke("store", "withdraw", run, "--reason", "'[/]'", "--store", folder).exit_code == 0
    assert "'[/]'" in invoke("store", "show", "--store", folder).stdout


def rewrite(file: Path, columns: str) -> None:
    with duckdb.connect() as connection:
        table = connection.from_parquet(glob.escape(str(file)))
        table.project(columns).write_parquet(str(file))


READING = (
    ("store", "show"),
    ("history", "--case", "*"),
    ("history", "--flaky"),
    ("history", "--trends"),
)
QUESTIONS = (
    *READING,
    ("store", "export", "-o", "/dev/null"),
    ("store", "prune", "--before", "2026-01-01"),
)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda words: " ".join(words[:2]))
@pytest.mark.parametrize("kind", ["empty", "text", "cut", "foreign", "link", "name", "later"])
def test_a_file_that_is_none_of_a_store(
    folder: str, store: Store, judged: Make, kind: str, question: tuple[str, ...], tmp_path: Path
) -> None:
    """It is named, whatever is asked, and never left out."""
    run = add(store, judged(case("LogitGrad.a", "fail")))
    add(store, judged(case("LogitGrad.a"), day=2))
    file = store.runs_folder / f"{run}.parquet"
    whole = file.read_bytes()
    if kind == "name":
        file = file.rename(file.with_name("copy of a run.parquet"))
    elif kind == "link":
        file.unlink()
        file.symlink_to(tmp_path / "nowhere")
    elif kind in {"foreign", "later"}:
        rewrite(file, "1 AS a" if kind == "foreign" else "* REPLACE (99 AS format)")
    else:
        file.write_bytes({"empty": b"", "text": b"some text" * 9, "cut": whole[:-20]}[kind])
    asked = invoke(*question, "--store", folder)
    assert asked.exit_code == ExitCode.NOT_TRUSTWORTHY, asked.output
    assert str(file) in asked.output


def test_a_damaged_part(folder: str, store: Store, judged: Make) -> None:
    """What is altered within a file is noticed: nothing is said of the run."""
    run = add(store, judged(case("LogitGrad.a", "fail")))
    file = store.runs_folder / f"{run}.parquet"
    rewrite(file, "* REPLACE (CASE WHEN entry = 'case' THEN 'pass' END AS verdict)")
    for question in (("show", run), ("export", "-o", "/dev/null")):
        asked = invoke("store", *question, "--store", folder)
        assert asked.exit_code == ExitCode.NOT_TRUSTWORTHY
        assert str(file) in asked.output
    whole = bytearray(file.read_bytes())
    whole[4 : len(whole) // 2] = bytes(len(whole) // 2 - 4)
    file.write_bytes(whole)
    asked = invoke("history", "--case", "*", "--store", folder)
    assert asked.exit_code == ExitCode.NOT_TRUSTWORTHY
    assert str(file) in asked.output


def test_an_older_file(folder: str, store: Store, judged: Make) -> None:
    """A column that it lacks is null; a column of a later version is not looked at."""
    run = add(store, judged(case("LogitGrad.a", "fail"), day=1))
    file = store.runs_folder / f"{run}.parquet"
    rewrite(file, "* EXCLUDE (by_value, waiver, microseconds), 1 AS later")
    for others in (False, True):
        if others:
            store.refresh()
            add(store, judged(case("LogitGrad.a"), day=2))
        for question in READING:
            asked = invoke(*question, "--store", folder)
            assert asked.exit_code == ExitCode.PASSED, asked.output
        assert invoke("store", "show", run, "--store", folder).exit_code == ExitCode.PASSED


def test_a_store_that_nobody_may_write_to(folder: str, store: Store, judged: Make) -> None:
    """Questions need no more than reading."""
    add(store, judged(case("LogitGrad.a")))
    before = sorted(store.folder.rglob("*"))
    for question in READING:
        assert invoke(*question, "--store", folder).exit_code == ExitCode.PASSED
    assert sorted(store.folder.rglob("*")) == before


def test_other_programs(store: Store, judged: Make) -> None:
    """One glob reads all that counts, with a row per case and clause."""
    for night in range(3):
        add(store, judged(case("LogitGrad.a", "fail" if night else "pass"), day=night))
    files = f"{glob.escape(str(store.runs_folder))}/*.parquet"
    rows = duckdb.connect().execute(
        "SELECT started::DATE::VARCHAR, outcome, worst_ulp FROM read_parquet(?) "
        "WHERE entry = 'case' AND name = 'LogitGrad.a' ORDER BY started",
        [files],
    )
    assert rows.fetchall() == [
        ("2026-01-01", "pass", 0.5),
        ("2026-01-02", "fail", 0.5),
        ("2026-01-03", "fail", 0.5),
    ]


@pytest.mark.parametrize(
    "words",
    ["store show x1", "store export 123456 x1 -o /dev/null", "waivers --run x1"],
)
def test_what_is_no_id_of_a_run(words: str) -> None:
    """The value is named, and the command that lists the ids."""
    result = invoke(*words.split())
    assert result.exit_code == ExitCode.WRONG_INPUT
    assert "'x1'" in result.output
    assert "`aclnn-cts store show`" in result.output


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "1"),
        ("show", "123456"),
        ("export", "0" * 17, "-o", "/dev/null"),
        ("add", ".", "--label", "123abc"),
        ("withdraw", "123456", "--reason", "a\x1b[31m"),
        ("add", ".", "--label", "two\nlines"),
    ],
)
def test_wrong_input(folder: str, store: Store, arguments: tuple[str, ...]) -> None:
    """Ids of no run, labels that look like one, texts that would disturb a terminal."""
    del store
    assert invoke("store", *arguments, "--store", folder).exit_code == ExitCode.WRONG_INPUT
