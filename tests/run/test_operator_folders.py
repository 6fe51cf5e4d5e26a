# SPDX-License-Identifier: Apache-2.0
"""Folders of operators that are not the suite's: what they add, what is refused, what stays."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.conftest import SMALL, small_suite
from tests.own_operator import OPERATOR, with_module, write_operator
from typer.testing import CliRunner

from aclnn_cts.cli import app
from aclnn_cts.emit.data_files import recipe_digest
from aclnn_cts.emit.programs import calls_text, require_generated
from aclnn_cts.errors import ExitCode, NotTrustworthyError, WrongFileError, WrongInputError
from aclnn_cts.golden.data_kinds import fill_inputs
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.kit.archive import OUTPUTS, write_archive
from aclnn_cts.kit.pack import KitDescription, SuiteOrigin
from aclnn_cts.kit.runner import KIT_FILE, RECORD_FILE
from aclnn_cts.plan.cases import Case, Fill
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.planner import plan
from aclnn_cts.run.build import simulator_files
from aclnn_cts.run.doctor import Level, check_specs
from aclnn_cts.run.operator_folders import recorded_folders, with_folders, with_recorded_folders
from aclnn_cts.spec.loading import SpecSet, editions_of, load_specs, specs_digest
from aclnn_cts.spec.parts import folder_parts, parts_of
from aclnn_cts.suite import Suite, find_suite

SPEC, FORMULA, KERNEL = f"{OPERATOR}.yaml", "softsign_backward.py", "softsign_backward.h"


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Add to a small suite; what is assembled here is of no use to anybody else."""
    whole = find_suite()
    further = ("aclnnDropoutBackward", "aclnnDropoutDoMask", "aclnnGelu", "aclnnSilu")
    small = small_suite(tmp_path_factory.mktemp("own") / "suite", *SMALL, *further)
    for part in ("harness", "simulator", "generated_tests"):
        (small.root / part).symlink_to(whole.root / part)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("ACLNN_CTS_SUITE", str(small.root))
        patched.setenv("ACLNN_CTS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one operator; its name has what names of folders may have."""
    return with_module(write_operator(tmp_path / "meine Öperatoren"))


_RETURN = 'return {"gradInput": Result(gradient / divisor / divisor, scope)}'


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def loaded(*folders: Path) -> tuple[Suite, SpecSet]:
    suite = with_folders(find_suite(), folders)
    return suite, load_specs(suite)


def smoke(suite: Suite, specs: SpecSet) -> tuple[Case, ...]:
    return plan(specs, "atlas-a2", "smoke", [OPERATOR], PlanCache.of(suite))


def valid_case(folder: Path) -> tuple[SpecSet, Case]:
    suite, specs = loaded(folder)
    return specs, next(case for case in smoke(suite, specs) if case.expects_success)


def content_of(root: Path) -> dict[Path, bytes]:
    return {p: p.read_bytes() for p in root.rglob("*") if p.is_file() and p.suffix != ".pyc"}


def test_a_folder_adds_its_operators_and_changes_nothing_else(folder: Path) -> None:
    """Its operator is planned and expected; the checkout and all other plans stay as they are."""
    own = find_suite()
    before = {name: content_of(own.root / name) for name in ("specs", "simulator", "golden")}
    suite, specs = loaded(folder)
    cases = smoke(suite, specs)
    assert {case.operator for case in cases} == {OPERATOR}
    first = next(case for case in cases if case.expects_success)
    assert expect_case(specs, first, fill_inputs(specs.operator(OPERATOR), first))["gradInput"]
    assert {name: content_of(own.root / name) for name in before} == before
    assert (suite.generated_tests / f"{OPERATOR}.cpp").is_file()
    assert suite.root.is_relative_to(own.cache)
    name = "aclnnSilu"
    there, here = (plan(each, "atlas-a2", "smoke", [name]) for each in (specs, load_specs(own)))
    assert there == here
    calls = calls_text([load_specs(own, edition) for edition in editions_of(own)]).splitlines()
    assert set(calls) < set((suite.generated_tests / "calls.cmake").read_text().splitlines())


def test_both_operators_of_a_page_are_generated(tmp_path: Path) -> None:
    """Programs and simulated operators of both follow from one spec."""
    spec = find_suite().simulator.resolve().parent / "specs" / "aclnnLeakyRelu.yaml"
    text = spec.read_text(encoding="utf-8").replace("LeakyRelu", "MineRelu")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "aclnnMineRelu.yaml").write_text(text.replace("leaky_relu", "mine_relu"))
    suite = with_folders(find_suite(), [mine])
    both = ("aclnnMineRelu", "aclnnInplaceMineRelu")
    require_generated(suite, both)
    files = simulator_files(suite)
    for name in both:
        assert f"Number {name.removeprefix('aclnn')}(" in files[f"generated/{name}.cpp"].read_text()


def test_the_suite_without_folders_is_itself() -> None:
    """No copy is made for those who have no operators of their own."""
    assert with_folders(find_suite(), ()) == find_suite()


def test_the_same_content_is_assembled_once(folder: Path) -> None:
    """What is named by its content is made once; another content is another suite."""
    first, again = (with_folders(find_suite(), [folder, folder / "."]) for _ in range(2))
    assert first == again
    assert len(first.folders) == 1
    edited(folder / FORMULA, "abs(x)", "abs(x) + 0.0 * x")
    other = with_folders(find_suite(), [folder])
    assert other.root != first.root
    assert specs_digest(other) != specs_digest(first) != specs_digest(find_suite())


def test_names_that_are_taken_are_refused_with_both_places(folder: Path, tmp_path: Path) -> None:
    """Neither the suite's operators nor those of another folder can be replaced in silence."""
    copy = with_module(write_operator(tmp_path / "copy"))
    with pytest.raises(WrongInputError) as refused:
        with_folders(find_suite(), [folder, copy])
    assert str(folder / SPEC) in str(refused.value)
    assert str(copy / SPEC) in str(refused.value)
    for name, place in (
        ("aclnnSilu.yaml", find_suite().specs),
        ("softmax.h", find_suite().simulator / "operators"),
    ):
        (folder / name).write_bytes((place / name).read_bytes())
        with pytest.raises(WrongInputError) as refused:
            with_folders(find_suite(), [folder])
        assert str(folder / name) in str(refused.value)
        assert str(place / name) in str(refused.value)
        (folder / name).unlink()


def test_the_suites_own_folder_is_refused() -> None:
    """Each operator of it has a name that is taken: by itself."""
    with pytest.raises(WrongInputError, match="has the same name"):
        with_folders(find_suite(), [find_suite().specs])


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch, lambda path: path.is_dir()])
def test_what_is_no_folder_of_specs_is_refused(
    make: Callable[[Path], object], tmp_path: Path
) -> None:
    """An empty folder, a file and a missing folder are named."""
    make(tmp_path / "x")
    with pytest.raises(WrongInputError, match=str(tmp_path / "x")):
        with_folders(find_suite(), [tmp_path / "x"])


@pytest.mark.parametrize("name", [SPEC, FORMULA, KERNEL])
def test_a_link_out_of_the_folder_is_refused(folder: Path, name: str) -> None:
    """The folder may be somebody else's, and messages would quote a file of this host."""
    (folder.parent / "secret").write_text("hunter2\n")
    (folder / name).unlink()
    (folder / name).symlink_to("../secret")
    with pytest.raises(WrongInputError, match=f"{name}: is a link out of the folder"):
        with_folders(find_suite(), [folder])


def test_a_dangling_link_is_refused(folder: Path) -> None:
    """A spec that cannot be read must not be left out in silence; links within are followed."""
    target = folder / "kept.txt"
    (folder / FORMULA).rename(target)
    (folder / FORMULA).symlink_to(target)
    assert smoke(*loaded(folder))
    (folder / SPEC).unlink()
    (folder / SPEC).symlink_to(folder / "gone.yaml")
    with pytest.raises(WrongInputError, match=f"{folder / SPEC}: cannot be read: .*; make it"):
        with_folders(find_suite(), [folder])


@pytest.mark.parametrize(
    ("name", "old", "new", "line"),
    [
        (SPEC, "summary: Gradient", "todo: [look]\nsummary: Gradient", 3),
        (SPEC, "rank: [0, 8]", "rank: [0, x]", 19),
        (FORMULA, "\n\ndef evaluate", "\n\n# todo: write it\ndef evaluate", 10),
        (KERNEL, "#include", "  // todo: write it\n#include", 5),
    ],
)
def test_what_is_wrong_or_open_is_told_where_its_author_wrote_it(
    folder: Path, name: str, old: str, new: str, line: int
) -> None:
    """Messages name the file in the folder and its line, not a copy; other operators stay valid."""
    edited(folder / name, old, new)
    _, specs = loaded(folder)
    with pytest.raises(WrongFileError) as refused:
        specs.operator(OPERATOR)
    assert str(refused.value).startswith(f"{folder / name}:{line}: ")
    assert str(find_suite().cache) not in str(refused.value)
    assert specs.operator("aclnnSilu")


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("abs(x)", "abs(x) + [][0]", 15),
        ('inputs["gradOutput"]', 'inputs["gradient"]', 13),
        ("    del attributes", "    dell attributes", 12),
        ("FLOAT64, Arithmetic\n", "FLOAT64, Arithmetics\n", 6),
    ],
)
def test_mistakes_of_a_formula_are_told_with_their_line(
    folder: Path, old: str, new: str, line: int
) -> None:
    """What a formula raises, lacks or misspells is a sentence about it."""
    edited(folder / FORMULA, old, new)
    specs, case = valid_case(folder)
    with pytest.raises(WrongFileError) as refused:
        expect_case(specs, case, fill_inputs(specs.operator(OPERATOR), case))
    assert str(refused.value).startswith(f"{folder / FORMULA}:{line}: ")


@pytest.mark.parametrize(
    "statement",
    [
        "return None",
        "return {}",
        "return {'other': 3}",
        "return {'gradInput': 3.0}",
        "return {'gradInput': Result(3.0, scope)}",
        "yield 3",
    ],
)
def test_what_a_formula_returns_is_checked(folder: Path, statement: str) -> None:
    """It is a result for each output, or terms first."""
    edited(folder / FORMULA, _RETURN, statement)
    specs, case = valid_case(folder)
    with pytest.raises(WrongInputError) as refused:
        expect_case(specs, case, fill_inputs(specs.operator(OPERATOR), case))
    assert str(refused.value).startswith(f"{folder / FORMULA}: evaluate: ")


def test_a_draft_stops_nobody_else(folder: Path) -> None:
    """A command about another operator works; one about all operators, or the draft, names it."""
    draft = folder / "aclnnDraft.yaml"
    text = (folder / SPEC).read_text().replace(OPERATOR, draft.stem)
    draft.write_text(text.replace("summary:", "todo: [look]\nsummary:", 1))
    _, specs = loaded(folder)
    (finding,) = check_specs(specs)
    assert (finding.topic, finding.level) == (draft.stem, Level.WARN)
    clause = specs.operator(OPERATOR).clauses[0].id
    for command, status in (
        (["explain", f"{OPERATOR}/{clause}", "--tier", "smoke"], ExitCode.PASSED),
        (["explain", f"{draft.stem}/{clause}"], ExitCode.WRONG_INPUT),
        (["faults", "--operator", draft.stem], ExitCode.WRONG_INPUT),
        (["qualify", "--operator", draft.stem], ExitCode.WRONG_INPUT),
        (["qualify"], ExitCode.WRONG_INPUT),
        (["generate", "--check"], ExitCode.WRONG_INPUT),
    ):
        ended = CliRunner().invoke(app, [*command, "--specs", str(folder)])
        assert ended.exit_code == status, ended.output
        assert (f"{draft}:3: todo: look" in ended.stderr) == bool(status)


def test_a_missing_formula_is_named(folder: Path) -> None:
    """Cases can be listed before it is written; what needs it says where it is to be."""
    (folder / FORMULA).unlink()
    specs, case = valid_case(folder)
    with pytest.raises(WrongInputError, match="write it") as refused:
        fill_inputs(specs.operator(OPERATOR), case)
    assert str(folder / FORMULA) in str(refused.value)


def test_a_formula_makes_kinds_of_data(folder: Path) -> None:
    """A kind of its own is planned, made in blocks, and remade when its code changes."""
    edited(folder / SPEC, "gradOutput: [uniform,", "gradOutput: [own-halves, uniform,")
    with (folder / FORMULA).open("a") as file:
        file.write("\n\nFILLS = {'own-halves': lambda block, _: block.bits % 2 + 0.5}\n")
    suite, specs = loaded(folder)
    spec = specs.operator(OPERATOR)
    case = next(
        case
        for case in smoke(suite, specs)
        if case.expects_success
        and any(t.fill and t.fill.kind == "own-halves" and t.numel > 8 for t in case.inputs)
    )
    assert set(np.unique(fill_inputs(spec, case)["gradOutput"].astype(float))) == {0.5, 1.5}
    before = recipe_digest(spec, case)
    edited(folder / FORMULA, "% 2 + 0.5", "% 4 + 0.5")
    assert recipe_digest(loaded(folder)[1].operator(OPERATOR), case) != before
    wrong = tuple(replace(t, fill=Fill("own-thirds")) if t.fill else t for t in case.tensors)
    with pytest.raises(WrongInputError, match="own-thirds"):
        fill_inputs(spec, replace(case, tensors=wrong))


def test_recorded_folders_must_be_there_and_unchanged(folder: Path, tmp_path: Path) -> None:
    """A changed or missing folder is refused; the user names it, or an equal copy elsewhere."""
    own, results = find_suite(), tmp_path / "results"
    made = with_folders(own, [folder])
    recorded = recorded_folders([each.recorded for each in made.folders])
    parts = parts_of(made, load_specs(made), [OPERATOR, "aclnnSilu"])
    assert set(folder_parts(parts)) == {f"operators/{name}" for name in (SPEC, FORMULA, KERNEL)}
    assert with_recorded_folders(own, recorded, parts, results, [folder]) == made
    assert with_recorded_folders(own, (), {}, results) == own
    copy = with_module(write_operator(tmp_path / "copy"))
    assert with_recorded_folders(own, recorded, parts, results, [copy]).folders[0].path == copy
    (folder / FORMULA).write_text("x = 1\n")
    with pytest.raises(NotTrustworthyError, match="have changed since") as refused:
        with_recorded_folders(own, recorded, parts, results, [folder])
    assert str(folder) in str(refused.value)
    folder.rename(tmp_path / "away")
    with pytest.raises(WrongInputError, match=r"--specs .*: there is no such folder"):
        with_recorded_folders(own, recorded, parts, results, [folder])


def test_another_operator_of_a_folder_may_change(folder: Path, tmp_path: Path) -> None:
    """What was made with one operator stays valid when others are edited or come, not its code."""
    own = find_suite()
    made = with_folders(own, [folder])
    recorded = recorded_folders([each.recorded for each in made.folders])
    parts = parts_of(made, load_specs(made), [OPERATOR])
    text = (folder / SPEC).read_text().replace("aclnnSoftsign", "aclnnOther")
    text = text.replace("softsign_backward", "other")
    (folder / "aclnnOtherBackward.yaml").write_text(text)
    for suffix in (".py", ".h"):
        name = f"softsign_backward{suffix}"
        (folder / f"other{suffix}").write_bytes((folder / name).read_bytes())
    both = with_recorded_folders(own, recorded, parts, tmp_path, [folder])
    assert parts_of(both, load_specs(both), [OPERATOR]) == parts
    (folder / "helper.py").write_text("x = 1\n")
    more = with_folders(own, [folder])
    assert "operators/helper.py" in parts_of(more, load_specs(more), [OPERATOR])
    edited(folder / SPEC, "summary: ", "summary: a ")
    with pytest.raises(NotTrustworthyError, match=rf"have changed since \({SPEC}\)"):
        with_recorded_folders(own, recorded, parts, tmp_path, [folder])


_MARK = "import pathlib\npathlib.Path({!r}).touch()\n"


@pytest.mark.parametrize(
    "command",
    [
        ("judge", "foreign"),
        ("judge", "foreign", "-o", "merged"),
        ("run", "--resume", "--results", "foreign"),
        ("repro", "SoftsignBackward.base", "--results", "foreign", "-o", "out"),
        ("judge", "outputs.tar.gz", "--results", "judged"),
    ],
    ids=" ".join,
)
def test_no_code_of_a_record_runs_unless_it_is_named(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who judges a stranger's results does not run the Python that the record names.

    An earlier judgement is spared, because only an option is missing.
    """
    monkeypatch.chdir(tmp_path)
    folder = with_module(write_operator(tmp_path / "foreign" / "operators"))
    (folder / FORMULA).write_text(_MARK.format(str(tmp_path / "ran")))
    recorded = [{"path": "foreign/operators", "sha256": "0" * 64}]
    suite = {"version": "0.1.0", "specs_sha256": "0" * 64, "specs": {}, "folders": recorded}
    (tmp_path / "foreign" / "run.json").write_text(json.dumps({"suite": suite}))
    (tmp_path / "foreign" / "results.json").write_text("mine")
    kit = KitDescription(
        suite=SuiteOrigin.model_validate_json(json.dumps(suite)),
        product="atlas-a2",
        tier="smoke",
        standard="strict",
        edition="current",
        nonce="0" * 32,
        packed="",
        plan=b"",
    )
    host = {"event": "host", "manifest_sha256": "", "host": "", "architecture": "x86_64"}
    record = json.dumps({**host, "compiler": "", "toolkit": ""}).encode()
    members = {RECORD_FILE: record, KIT_FILE: kit.model_dump_json().encode()}
    write_archive(tmp_path / "outputs.tar.gz", OUTPUTS, members)
    ended = CliRunner().invoke(app, command)
    assert ended.exit_code == ExitCode.WRONG_INPUT, ended.output
    assert "if you trust it, add `--specs foreign/operators`" in ended.stderr
    assert not (tmp_path / "ran").exists()
    assert (tmp_path / "foreign" / "results.json").read_text() == "mine"


def test_a_bundle_for_other_hosts_has_them(folder: Path) -> None:
    """Hosts of a cluster get specs, formulas and programs of the folder with the suite."""
    cluster = pytest.importorskip("aclnn_cts.run.ray_cluster", exc_type=ImportError)
    suite = with_folders(find_suite(), [folder])
    with zipfile.ZipFile(io.BytesIO(cluster.bundle_of(suite))) as bundle:
        names = set(bundle.namelist())
    sent = {f"operators/{SPEC}", f"operators/{FORMULA}", f"generated_tests/{OPERATOR}.cpp"}
    assert {f"aclnn_cts/_suite/{name}" for name in sent} <= names
