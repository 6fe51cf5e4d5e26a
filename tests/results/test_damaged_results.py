# SPDX-License-Identifier: Apache-2.0
"""A results.json that was damaged, edited or written by another version is refused."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.library_words import LIBRARY_WORDS
from typer.testing import CliRunner

from aclnn_cts import cli
from aclnn_cts.errors import ExitCode, NotTrustworthyError
from aclnn_cts.files import sha256_of
from aclnn_cts.judge.standards import Figures
from aclnn_cts.results.cases import CaseEntry, CaseFile
from aclnn_cts.results.document import (
    ClauseVerdict,
    ResultsDocument,
    WaiverOutcome,
    read_results,
    seal,
    write_document,
)

READERS = {
    "report": ("report", "damaged", "--output", "page.html"),
    "baseline": ("report", "whole", "--baseline", "damaged", "--output", "page.html"),
    "compare": ("compare", "whole", "damaged"),
    "compared": ("compare", "damaged", "whole"),
    "explain": ("explain", "aclnnLogitGrad/formula", "--results", "damaged"),
}
WRONG: list[tuple[tuple[str | int, ...], Any]] = [
    ((), []),
    ((), None),
    (("suite",), "0.1.0"),
    (("device", "product"), 5),
    (("environment",), []),
    (("started",), 20260101),
    (("totals",), []),
    (("totals", "planned"), "many"),
    (("cases",), {}),
    (("cases", "count"), None),
    (("cases", "file"), "/etc/passwd"),
    (("failures",), {}),
    (("failures", 0), "LogitGrad"),
    (("failures", 0, "verdict"), "passed"),
    (("failures", 0, "broken"), "formula"),
    (("failures", 0, "seconds"), "fast"),
    (("failures", 0, "id"), None),
    (("clauses",), 1),
]


@pytest.fixture
def folder(
    results_document: Callable[..., ResultsDocument],
    entry: Callable[..., CaseEntry],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """A folder with the results of a run, twice."""
    for name in ("whole", "damaged"):
        (tmp_path / name).mkdir()
        write_document(results_document(cases=(entry("a", "fail"),)), tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(reader: str) -> str:
    """Run a command that must refuse what it reads, and return what it says."""
    result = CliRunner().invoke(cli.app, READERS[reader])
    assert result.exit_code == ExitCode.NOT_TRUSTWORTHY, result.output
    assert "Traceback" not in result.output
    assert "results.json: is damaged" in result.output
    assert "run `aclnn-cts judge damaged` again" in result.output
    assert not LIBRARY_WORDS.search(result.output), result.output
    return result.output


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("tenths", [0, 4, 9])
def test_cut_off(folder: Path, reader: str, tenths: int) -> None:
    """A part of a file is not results, wherever it ends; nothing is written from it."""
    file = folder / "damaged" / "results.json"
    content = file.read_bytes().rstrip()
    file.write_bytes(content[: len(content) * tenths // 10])
    refused(reader)
    assert not (folder / "page.html").exists()


@pytest.mark.parametrize(("place", "value"), WRONG, ids=str)
def test_another_type(folder: Path, place: tuple[str | int, ...], value: Any) -> None:
    """A field that holds something else is named, as far as a whole file is one."""
    file = folder / "damaged" / "results.json"
    file.write_text(json.dumps(_changed(json.loads(file.read_text()), place, value)))
    assert ".".join(map(str, place)) in refused("compare")


def _changed(whole: Any, place: tuple[str | int, ...], value: Any) -> Any:
    if not place:
        return value
    inner = _changed(whole[place[0]], place[1:], value)
    if isinstance(whole, list):
        return [inner if number == place[0] else each for number, each in enumerate(whole)]
    return {**whole, place[0]: inner}


@pytest.fixture
def held(
    tmp_path: Path,
    results_document: Callable[..., ResultsDocument],
    entry: Callable[..., CaseEntry],
    figures: Callable[..., Figures],
) -> Path:
    """A folder with results of two cases, one of which failed."""
    write_document(
        results_document(
            cases=(entry("a", standards={"strict": figures()}), entry("b", "fail", unenforced=()))
        ),
        tmp_path,
    )
    read_results(tmp_path)
    return tmp_path


def signed(folder: Path, **changes: Any) -> None:
    """Make results.json speak of cases.sqlite as it is, with some other values changed, sealed."""
    file = folder / "results.json"
    data = json.loads(file.read_text())
    data["cases"]["sha256"] = sha256_of(folder / "cases.sqlite")
    del data["seal"]
    file.write_text(seal(json.dumps({**data, **changes}).removesuffix("}")))


def says_no(folder: Path, says: str) -> None:
    """Check that results are refused, with a sentence that says why and what to do."""
    with pytest.raises(NotTrustworthyError, match=says) as refused:
        read_results(folder)
    assert f"`aclnn-cts judge {folder}`" in str(refused.value)


def edited(folder: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(folder / "cases.sqlite")) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE cases SET id = 'b'", "the case b appears 2 times"),
        ("DELETE FROM cases WHERE place = 2", "it counts 1 cases as fail, and holds 0"),
        ("UPDATE cases SET waiver = operator WHERE place = 2", "b is waived by aclnnLogitGrad"),
        ("UPDATE cases SET waiver = operator WHERE place = 1", "a is waived by aclnnLogitGrad"),
        ("UPDATE cases SET device_microseconds = x'000000000000f07f'", "a has an impossible time"),
        ("UPDATE cases SET device_microseconds = x'00'", "cases.sqlite: is damaged"),
        ("UPDATE cases SET worst_ulp = NULL", "the figures of a by the standard strict"),
        ("UPDATE cases SET compared = -1", "the figures of a by the standard strict"),
        ("UPDATE cases SET seconds = 'soon'", "the table cases holds values of a wrong type"),
        ("UPDATE cases SET id = x'00'", "the table cases holds values of a wrong type"),
        ("UPDATE words SET word = 5.0", "cases.sqlite: is damaged"),
        ("UPDATE words SET word = x'00'", "the table words holds values of a wrong type"),
        ("DELETE FROM words", "cases.sqlite: is damaged"),
        ("DELETE FROM facts", "b tells|cases.sqlite: is damaged"),
        ('UPDATE cases SET others = \'{"tries": 1, "tries": 2}\'', "duplicate key 'tries'"),
        ("UPDATE cases SET others = '['", "cases.sqlite: is damaged"),
        ('UPDATE cases SET others = \'{"id": "c"}\'', "cases.sqlite: is damaged"),
        ('UPDATE cases SET others = \'{"tries": "x"}\'', "a case has an impossible value"),
        (
            "UPDATE cases SET others = NULL",
            "its failures differ from those of cases.sqlite, from b",
        ),
        ("UPDATE cases SET standards = elements", "cases.sqlite: is damaged"),
        ("UPDATE cases SET verdict = scene", "cases.sqlite: is damaged"),
        ("CREATE VIEW more AS SELECT 1", "its tables are not those of this version"),
        ("ALTER TABLE cases ADD COLUMN more", "its tables are not those of this version"),
        ("DROP TABLE facts", "its tables are not those of this version"),
    ],
)
def test_what_cannot_be_so_is_refused(held: Path, statement: str, says: str) -> None:
    """Edited cases are noticed by the digest, and by what they say where that was edited, too."""
    edited(held, "DELETE FROM facts" if "facts" in statement else "SELECT 1", statement)
    says_no(held, "is not the file that results.json beside it was written with")
    signed(held)
    if statement == "DELETE FROM facts":
        read_results(held)  # these cases have none
    else:
        says_no(held, says)


def test_what_results_say_of_their_cases_must_be_so(held: Path) -> None:
    """Totals, the number of cases and the failures that are repeated agree with the cases."""
    data = json.loads((held / "results.json").read_text())
    signed(held, totals={**data["totals"], "pass": 0, "fail": 2})
    says_no(held, "it counts 2 cases as fail, and holds 1")
    signed(held, totals=data["totals"], cases={**data["cases"], "count": 3})
    says_no(held, "it speaks of 3 cases, and holds 2")
    signed(held, cases=data["cases"], failures=[{**data["failures"][0], "message": "nothing"}])
    says_no(held, "its failures differ from those of cases.sqlite, from b on")
    signed(held, failures=[])
    says_no(held, "its failures differ from those of cases.sqlite, from b on")
    signed(held, failures=data["failures"] * 2)
    says_no(held, "its failures differ from those of cases.sqlite, from b on")
    of_pass = next(iter(CaseFile.open(held / "cases.sqlite", sha256_of(held / "cases.sqlite"), "")))
    signed(held, failures=[json.loads(of_pass.model_dump_json(by_alias=True)), *data["failures"]])
    says_no(held, "its failures differ from those of cases.sqlite, from a on")


@pytest.mark.parametrize("state", [{"verdict": "pass"}, {"verdict": "untested"}, {"cases": 1}])
def test_what_results_say_of_clauses_must_be_so(
    results_document: Callable[..., ResultsDocument],
    entry: Callable[..., CaseEntry],
    tmp_path: Path,
    state: dict[str, Any],
) -> None:
    """A clause that a case broke is no kept one, whatever the seal says."""
    cases = (entry("a", exercised=("x",)), entry("b", "fail", broken=("x",)))
    clause = ClauseVerdict(cases[0].operator, "x", "fail", 2, 0, None, "text", "place", "stated")
    write_document(results_document(cases=cases, clauses=(clause,)), tmp_path)
    clauses = json.loads((tmp_path / "results.json").read_text())["clauses"]
    signed(tmp_path, clauses=[{**clauses[0], **state}])
    says_no(tmp_path, "it has the verdict .* on aclnnLogitGrad/x, and its cases fail by 2")


def test_what_results_say_of_waivers_must_be_so(held: Path) -> None:
    """A waiver names the cases that it waives."""
    waiver = WaiverOutcome("w", "waives", ("b",), "", "reason", "link", "me", "2030-01-01")
    signed(held, waivers=[asdict(waiver)])
    says_no(held, "b is waived by none, and according to its waivers by w")


@pytest.mark.parametrize("key", ["totals", "problems", "kind"])
def test_a_key_that_appears_twice(full: Path, key: str) -> None:
    """Readers would differ on its value, so it has none, whatever the seal says."""
    whole = json.loads(full.read_text())
    del whole["seal"]
    body = json.dumps(whole).removesuffix("}")
    if key == "kind":
        body = body.replace('"kind": ', '"ki\\u006ed": "x", "kind": ', 1)
    else:
        body += f', "{key}": []'
    full.write_text(seal(body))
    with pytest.raises(NotTrustworthyError, match=rf"is damaged \(duplicate key '{key}'\)"):
        read_results(full)


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\x00", b"a text", bytes(9000)])
def test_another_file_in_the_place_of_the_cases(held: Path, content: bytes) -> None:
    """It is refused by its digest; one that was made to fit, by its content."""
    (held / "cases.sqlite").write_bytes(content)
    says_no(held, "is not the file")
    signed(held)
    says_no(held, "cases.sqlite: is damaged")


def test_the_cases_are_missing(held: Path) -> None:
    """A copy of results.json alone proves nothing."""
    (held / "cases.sqlite").unlink()
    says_no(held, "cases.sqlite: is missing")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_damaged_pages(held: Path, data: st.DataObject) -> None:
    """Wherever bytes change, the cases are refused or can be read to their end."""
    whole = (held / "cases.sqlite").read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    length = data.draw(st.integers(1, 64))
    noise = data.draw(st.binary(min_size=length, max_size=length))
    try:
        (held / "cases.sqlite").write_bytes(whole[:place] + noise + whole[place + length :])
        signed(held)
        with contextlib.suppress(NotTrustworthyError):
            assert len(list(read_results(held).cases)) == 2
    finally:
        (held / "cases.sqlite").write_bytes(whole)


def test_nothing_is_written_beside_the_cases(held: Path) -> None:
    """Reading changes no folder, and no journal that lies there is rolled back."""
    (held / "cases.sqlite-journal").write_bytes(b"not ours")
    before = {file.name: file.read_bytes() for file in held.iterdir()}
    assert len(list(read_results(held).cases)) == 2
    assert {file.name: file.read_bytes() for file in held.iterdir()} == before


def test_an_older_format_is_named(
    results_document: Callable[..., ResultsDocument], tmp_path: Path
) -> None:
    """The sentence names the format and the command that writes the file anew."""
    path = write_document(results_document(), tmp_path)
    path.write_text(path.read_text().replace("aclnn-cts/results/", "aclnn-cts/results/0"))
    with pytest.raises(NotTrustworthyError, match=r"in the format 'aclnn-cts/results/0") as error:
        read_results(tmp_path)
    assert f"aclnn-cts judge {tmp_path}" in str(error.value)
    assert "damaged" not in str(error.value)


@pytest.fixture
def full(
    tmp_path: Path,
    results_document: Callable[..., ResultsDocument],
    entry: Callable[..., CaseEntry],
) -> Path:
    """The results.json of a run that proves nothing, because it has a problem."""
    document = results_document(cases=(entry("a"),), problems=("a record was modified",))
    path = write_document(document, tmp_path)
    assert read_results(tmp_path).exit_code == ExitCode.NOT_TRUSTWORTHY
    return path


def test_every_edit_is_noticed(full: Path) -> None:
    """No line can be deleted, laid out anew or changed, nor can a character."""
    whole = full.read_text()
    lines = whole.splitlines(keepends=True)
    edits = {
        "".join([*lines[:number], instead, *lines[number + 1 :]])
        for number, line in enumerate(lines)
        for instead in ("", line.replace(" ", "  "), line.swapcase(), line.rstrip())
    }
    places = range(0, len(whole), 7)
    edits |= {whole[:at] + chr(ord(whole[at]) ^ 1) + whole[at + 1 :] for at in places}
    edits |= {whole + "\n", whole[:-1]}
    for text in edits - {whole}:
        full.write_text(text)
        with pytest.raises(NotTrustworthyError, match=r"results\.json: "):
            read_results(full.parent)


def test_the_status_cannot_be_edited(full: Path) -> None:
    """Without its problems, the run would pass; the edited copy is refused."""
    whole = full.read_text()
    full.write_text(whole.replace('\n  "a record was modified"\n ', ""))
    assert json.loads(full.read_text()) == {**json.loads(whole), "problems": []}
    with pytest.raises(NotTrustworthyError, match=r"was modified after it was written .* again"):
        read_results(full)
