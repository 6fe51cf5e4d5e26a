# SPDX-License-Identifier: Apache-2.0
"""The results folder: one writer, no strangers, and nothing believed that is not whole."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.library_words import LIBRARY_WORDS

from aclnn_cts import __version__
from aclnn_cts.emit.data_files import DataReference, PayloadField
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.run.folder import RunFolder, open_run
from aclnn_cts.run.folder_lock import claim, clear, reading
from aclnn_cts.run.journal import sealed_lines
from aclnn_cts.run.planned_cases import PlannedCase, PlannedCases
from aclnn_cts.run.process import digest_of
from aclnn_cts.spec.loading import specs_digest
from aclnn_cts.spec.parts import parts_of
from aclnn_cts.suite import Suite, find_suite


@pytest.fixture
def saved(bench: Any) -> RunFolder:
    """A complete run of two cases, written down."""
    one, two = bench.case("Op.a.1", [0.5], [1.0], eps=float("nan")), bench.refusal("Op.b.2")
    bench.program(bench.kept(one), bench.refused(two), stderr="grün", exit_code=-11)
    reference = DataReference("ab/c.npy", 8, {"x": PayloadField(0, 4)}, "00")
    run: RunFolder = replace(
        bench.run(),
        suite_version=__version__,
        specs_sha256=specs_digest(bench.suite),
        specs=parts_of(bench.suite, bench.specs, [one.operator]),
        cases=PlannedCases.pack([PlannedCase(one, reference), PlannedCase(two)]),
    )
    run.save()
    return run


def test_round_trip(saved: RunFolder, bench: Any) -> None:
    """What was saved is opened, to the last bit of a NaN attribute."""
    opened = open_run(saved.path, bench.suite)
    assert repr(opened) == repr(saved)
    assert repr(opened.cases.of(bench.cases[0].operator)) == repr(
        saved.cases.of(bench.cases[0].operator)
    )
    assert [case.id for case in opened.cases] == ["Op.a.1", "Op.b.2"]


def test_a_folder_that_moved(saved: RunFolder, bench: Any, tmp_path: Path) -> None:
    """Events and outputs are found beside run.json, wherever the folder went."""
    moved = shutil.move(saved.path, tmp_path / "elsewhere")
    run = open_run(Path(moved), bench.suite)
    assert run.programs[0].events.is_file()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"state": "running"}, "interrupted and is incomplete"),
        ({"suite_version": "0.0.9"}, r"made with suite 0\.0\.9"),
        ({"specs": {"products.yaml": "ab"}}, r"the specs have changed since \(products\.yaml\)"),
        ({"specs": {"../main.yaml": "ab"}}, r"the specs have changed since \(\.\./main\.yaml\)"),
        ({"cases": PlannedCases(())}, "holds no cases"),
    ],
)
def test_runs_that_prove_nothing(
    saved: RunFolder, bench: Any, change: dict[str, Any], sentence: str
) -> None:
    """Incomplete, of another suite, of other specs, or without cases."""
    replace(saved, **change).save()
    with pytest.raises(NotTrustworthyError, match=sentence):
        open_run(saved.path, bench.suite)


@pytest.mark.parametrize("part", ["events", "outputs"])
def test_records_that_changed(saved: RunFolder, bench: Any, part: str) -> None:
    """The digests of what the programs left are kept, and held against the files."""
    program = replace(
        saved.programs[0],
        events_sha256=digest_of(saved.programs[0].events),
        outputs_sha256=digest_of(saved.programs[0].outputs),
    )
    replace(saved, programs=(program,)).save()
    assert open_run(saved.path, bench.suite).programs[0].find_altered() is None
    path = getattr(saved.programs[0], part)
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(NotTrustworthyError, match=f"{path.name}: has changed since the run"):
        open_run(saved.path, bench.suite)
    path.unlink()
    with pytest.raises(NotTrustworthyError, match=f"{path.name}: is missing; run it again"):
        open_run(saved.path, bench.suite)


@pytest.mark.parametrize(
    "changes",
    [
        {"operator": "aclnnSilu"},
        {"batch": "aclnnLogitGrad-001"},
        {"batch": "aclnnLogitGrad-001-shard001"},
        {"batch": "aclnnLogitGrad-001.1-compared", "purpose": "compared"},
        {"batch": "aclnnSilu-000", "purpose": "set-aside"},
        {"batch": "x"},
        {},
    ],
)
def test_a_process_that_the_plan_has_not(
    saved: RunFolder, bench: Any, changes: dict[str, Any]
) -> None:
    """Listed and sealed like the others, it is refused all the same."""
    extra = replace(saved.programs[0], **changes)
    replace(saved, programs=(*saved.programs, extra)).save()
    with pytest.raises(NotTrustworthyError, match="does not belong to this run, whose plan"):
        open_run(saved.path, bench.suite)


@pytest.mark.parametrize("changes", [{"events": "../a.jsonl"}, {"outputs": "/etc/passwd"}])
def test_a_record_outside_the_folder(saved: RunFolder, bench: Any, changes: dict[str, str]) -> None:
    """A journal that was sealed anew names no file of this host."""
    run_file = (saved.path / "run.json").read_bytes()
    record = {"event": "program", "program": saved.programs[0].record(saved.path) | changes}
    lines, _ = sealed_lines([json.dumps(record)], hashlib.sha256(run_file).hexdigest())
    (saved.path / "journal.jsonl").write_bytes(lines)
    with pytest.raises(NotTrustworthyError, match=r"journal\.jsonl:1: is damaged"):
        open_run(saved.path, bench.suite)


def test_cut_off_anywhere(saved: RunFolder, bench: Any) -> None:
    """A run.json that ends too early is damaged, wherever it was cut."""
    file = saved.path / "run.json"
    content = file.read_bytes()
    for cut in {0, 1, 2, 10, *range(1, len(content) - 1, max(1, len(content) // 60))}:
        file.write_bytes(content[:cut])
        with pytest.raises(NotTrustworthyError, match=r"is damaged \(it is (empty|cut off at)"):
            open_run(saved.path, bench.suite)


@pytest.mark.parametrize(
    "damage",
    [
        b"null", b"[]", b"3", b"{}", b'"text"', b"\xff\xfe", b'{"format": "aclnn-cts/run/8"}',
        b"[" * 100_000, b'{"format": "aclnn-cts/run/8", "format": "aclnn-cts/run/7"}',
    ],
)  # fmt: skip
def test_other_content(saved: RunFolder, bench: Any, damage: bytes) -> None:
    """JSON of another kind, and no JSON at all."""
    (saved.path / "run.json").write_bytes(damage)
    with pytest.raises(NotTrustworthyError, match="is damaged") as caught:
        open_run(saved.path, bench.suite)
    assert not LIBRARY_WORDS.search(str(caught.value)), caught.value


@pytest.mark.parametrize("key", ["suite", "device", "tier", "asked", "store", "cases", "standard"])
def test_a_part_is_missing_or_wrong(saved: RunFolder, bench: Any, key: str) -> None:
    """Each part is needed, and a number in its place is damage, not a traceback.

    So it is said even of a run that was ended before its first process, which nothing seals.
    """
    file = saved.path / "run.json"
    (saved.path / "journal.jsonl").unlink()
    data = json.loads(file.read_text())
    del data[key]
    file.write_text(json.dumps(data))
    with pytest.raises(NotTrustworthyError, match=rf"is damaged \('{key}' is missing\)"):
        open_run(saved.path, bench.suite)
    if key in ("suite", "device", "store", "asked", "cases"):
        file.write_text(json.dumps({**data, key: 7}))
        with pytest.raises(NotTrustworthyError, match="is damaged") as caught:
            open_run(saved.path, bench.suite)
        assert not LIBRARY_WORDS.search(str(caught.value)), caught.value


@pytest.mark.parametrize("name", ["run.json", "plan.msgpack.gz", "journal.jsonl"])
def test_each_bit_counts(saved: RunFolder, bench: Any, name: str) -> None:
    """A case whose output is none any more would pass, and a process whose end changed, too."""
    file = saved.path / name
    whole = file.read_bytes()
    chance = random.Random(1)  # noqa: S311
    for _ in range(300):
        place = chance.randrange(len(whole) - 1)
        flipped = whole[place] ^ 1 << chance.randrange(8)
        file.write_bytes(whole[:place] + bytes([flipped]) + whole[place + 1 :])
        with pytest.raises((NotTrustworthyError, WrongInputError)):
            open_run(saved.path, bench.suite)
    file.write_bytes(whole)
    assert open_run(saved.path, bench.suite).state == "complete"


def edited(content: bytes) -> bytes:
    """Return a plan in which an output is an input."""
    return gzip.compress(gzip.decompress(content).replace(b'"role":"output"', b'"role":"input"'))


@pytest.mark.parametrize(
    "damage", [edited, lambda content: content[:-9], lambda content: content * 2, lambda _: b""]
)
def test_another_plan(saved: RunFolder, bench: Any, damage: Callable[[bytes], bytes]) -> None:
    """A plan that was edited, cut off, or has a tail; the message names it."""
    file = saved.path / "plan.msgpack.gz"
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(NotTrustworthyError, match=r"plan.msgpack.gz: is damaged \("):
        open_run(saved.path, bench.suite)
    file.unlink()
    with pytest.raises(NotTrustworthyError, match=r"plan.msgpack.gz: is damaged \(it is missing"):
        open_run(saved.path, bench.suite)


def test_the_plan_of_another_run(saved: RunFolder, bench: Any) -> None:
    """Its digests are in run.json, which the journal seals: neither can be exchanged alone."""
    journal = (saved.path / "journal.jsonl").read_bytes()
    other = PlannedCases.pack(PlannedCase(case) for case in bench.cases[:1])
    replace(saved, cases=other).save()
    (saved.path / "journal.jsonl").write_bytes(journal)
    with pytest.raises(NotTrustworthyError, match=r"run.json or .*journal.jsonl:1: is damaged \("):
        open_run(saved.path, bench.suite)


@pytest.mark.parametrize(
    "line", [b"", b"null", b"[]", b"{}", b'{"case": {}, "data": null}', b"\xff", b"[" * 100_000]
)
def test_a_plan_that_nothing_seals(saved: RunFolder, line: bytes) -> None:
    """Digests that fit do not make a plan of what is none."""
    (portion,) = saved.cases.portions
    for content in (gzip.compress(line + b"\n"), line):
        with pytest.raises(NotTrustworthyError, match=r"plan.msgpack.gz: is damaged") as caught:
            PlannedCases((replace(portion, content=content),)).of(portion.operator)
        assert not LIBRARY_WORDS.search(str(caught.value)), caught.value


def test_another_format(saved: RunFolder, bench: Any) -> None:
    """A later suite's folder is recognised as such."""
    file = saved.path / "run.json"
    file.write_text(file.read_text().replace("aclnn-cts/run/8", "aclnn-cts/run/9"))
    with pytest.raises(NotTrustworthyError, match="has the format 'aclnn-cts/run/9'"):
        open_run(saved.path, bench.suite)


def test_no_results(tmp_path: Path, bench: Any) -> None:
    """Not there, empty, or a folder of something else: each has its sentence."""
    with pytest.raises(WrongInputError, match="no such results folder"):
        open_run(tmp_path / "none", bench.suite)
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotTrustworthyError, match="holds no results"):
        open_run(tmp_path / "empty", bench.suite)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "holiday.jpg").touch()
    with pytest.raises(WrongInputError, match="is not a results folder"):
        open_run(tmp_path / "other", bench.suite)


def test_claiming_clears_an_earlier_run(saved: RunFolder, bench: Any) -> None:
    """Nothing of the earlier run is left to be taken for the new one's."""
    assert (saved.path / "events").is_dir()
    (saved.path / "results.json").touch()
    with claim(saved.path):
        assert (saved.path / "run.json").exists()  # a run that cannot start costs no results
        clear(saved.path)
        assert not (saved.path / "run.json").exists()
        assert not (saved.path / "events").exists()
        assert not (saved.path / "results.json").exists()
    with pytest.raises(NotTrustworthyError, match="holds no results"):
        open_run(saved.path, bench.suite)


def refuse_claim(path: Path, sentence: str, error: type[Exception] = WrongInputError) -> None:
    with pytest.raises(error, match=sentence), claim(path):
        pytest.fail("the folder was claimed")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("thesis.tex", "years of work"),
        ("run.json", '{"mine": 1}'),
        (".lock", ""),
        ("outputs/figure.png", ""),
    ],
)
def test_a_foreign_folder_is_not_touched(tmp_path: Path, name: str, text: str) -> None:
    """Somebody's files are not results, whatever they are called; the folder stays as it was."""
    (tmp_path / "outputs").mkdir()
    (tmp_path / "outputs" / "figure.png").touch()
    (tmp_path / name).write_text(text)
    refuse_claim(tmp_path, r"'.*' and is not a results folder")
    assert (tmp_path / name).read_text() == text
    assert (tmp_path / "outputs" / "figure.png").exists()


def test_a_full_disk_at_the_first_claim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told as such, and the folder that it leaves can be claimed when there is room."""
    # the device that stands for the disk would be refused
    monkeypatch.setattr("aclnn_cts.run.folder_lock.refuse_odd", lambda _: None)
    folder = tmp_path / "run"
    folder.mkdir()
    lock = folder / ".lock"
    lock.symlink_to("/dev/full")
    refuse_claim(folder, "the disk is full", NotTrustworthyError)
    lock.unlink()
    lock.touch()
    with claim(folder):
        assert lock.read_text()


HOLD = """
import sys
from pathlib import Path
from aclnn_cts.run.folder_lock import claim
with claim(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_two_runs_refuse_each_other(tmp_path: Path, bench: Any) -> None:
    """While a run writes, another run and a judge are told to wait; a dead writer holds nothing."""
    command = [sys.executable, "-c", HOLD, str(tmp_path / "run")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with (
            pytest.raises(NotTrustworthyError, match="a run is writing"),
            reading(tmp_path / "run"),
        ):
            pytest.fail("a judge reads what a run writes")
        refuse_claim(tmp_path / "run", "another run is writing", NotTrustworthyError)
        with pytest.raises(NotTrustworthyError, match="a run is writing"):
            open_run(tmp_path / "run", bench.suite)
        holder.kill()
    with reading(tmp_path / "run"):
        refuse_claim(tmp_path / "run", "is being judged", NotTrustworthyError)
    with claim(tmp_path / "run"):
        assert (tmp_path / "run" / ".lock").read_text()


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    """A file in its place is the user's to change."""
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        refuse_claim(path, "cannot be written")


def test_another_suites_specs(saved: RunFolder, bench: Any, tmp_path: Path) -> None:
    """A changed word in the spec of one of its operators makes it another suite, no other one."""
    shutil.copytree(bench.suite.root, tmp_path / "changed")
    specs = tmp_path / "changed" / "specs"
    shutil.copy(find_suite().specs / "aclnnPreluBackward.yaml", specs)
    assert open_run(saved.path, Suite(tmp_path / "changed"))
    with (specs / "aclnnLogitGrad.yaml").open("a") as spec:
        spec.write("# a remark\n")
    with pytest.raises(NotTrustworthyError, match="judge with that suite, or run again"):
        open_run(saved.path, Suite(tmp_path / "changed"))
