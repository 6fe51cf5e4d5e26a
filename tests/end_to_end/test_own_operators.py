# SPDX-License-Identifier: Apache-2.0
"""docs/adding-an-operator.md is followed: outside a checkout, and last in a copy of it.

A folder is run, packed, judged and moved.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.own_operator import OPERATOR, PAGE, walk_files, write_operator
from tests.processes import ended

from aclnn_cts.errors import ExitCode
from aclnn_cts.results.document import read_results
from aclnn_cts.run.build import build_parts, find_compiler
from aclnn_cts.run.folder_lock import REPORT_FILES
from aclnn_cts.suite import find_suite

pytestmark = pytest.mark.end_to_end

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def followed(bed: object, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Command]:
    """The folder, and the results of the page's run in it."""
    command: Command = bed.command  # type: ignore[attr-defined]
    root = tmp_path_factory.mktemp("own")
    folder = write_operator(root / "operators")
    options = ("--simulator", "--specs", str(folder), "--operator", OPERATOR)
    done = command("run", *options, "--results", str(root / "results"))
    assert done.returncode == ExitCode.PASSED, done.stdout + done.stderr
    row = next(line for line in done.stdout.splitlines() if line.startswith(f" {OPERATOR}"))
    assert row.split() == _row(), "the page shows another output"
    return folder, root / "results", command


def _row() -> list[str]:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith(f" {OPERATOR}")).split()


def test_results_name_the_folder(followed: tuple[Path, Path, Command]) -> None:
    """The run and its results say where the operator comes from; refusals what the runtime said."""
    folder, results, _ = followed
    (recorded,) = json.loads((results / "run.json").read_text())["suite"]["folders"]
    document = read_results(results)
    assert recorded["path"] == str(folder)
    assert [(each.path, each.sha256) for each in document.suite.folders] == [
        (folder, recorded["sha256"])
    ]
    refused = [case for case in document.cases if case.scene == "null-pointer"]
    assert refused
    assert all("null" in case.said for case in refused)


def test_a_fault_is_failed_with_a_command_that_runs(followed: tuple[Path, Path, Command]) -> None:
    """A wrong kernel fails; the command that runs it again names the folder.

    When the kernel is right, what failed passes.
    """
    folder, results, command = followed
    wrong = write_operator(folder.parent / "wrong")
    kernel = wrong / "softsign_backward.h"
    kernel.write_text(kernel.read_text().replace("1.0F +", "1.5F +"))
    case = "SoftsignBackward.base.*"
    options = ("--simulator", "--specs", str(wrong), "--case", case)
    earlier = results.with_name("wrong-results")
    done = command("run", *options, "--results", str(earlier))
    assert done.returncode == ExitCode.BROKEN_PROMISE
    assert f"--specs {wrong}" in done.stdout
    assert command("judge", str(results), "--specs", str(folder)).returncode == ExitCode.PASSED
    unnamed = ("run", "--simulator", "--rerun-failed", str(earlier), "--results")
    assert command(*unnamed, str(results.with_name("again"))).returncode == ExitCode.WRONG_INPUT
    rerun = ("run", "--simulator", "--specs", str(wrong), *unnamed[2:])
    assert command(*rerun, str(earlier)).returncode == ExitCode.WRONG_INPUT
    failed = {case.id for case in read_results(earlier).cases if case.verdict.breaks_promise}
    again = results.with_name("again")
    still = command(*rerun, str(again))
    assert still.returncode == ExitCode.BROKEN_PROMISE
    assert "changed since" not in still.stderr
    write_operator(wrong)
    fixed = command(*rerun, str(again))
    assert fixed.returncode == ExitCode.PASSED, fixed.stderr
    assert f"the operators in {wrong} have changed since" in fixed.stderr
    assert {case.id for case in read_results(again).cases} == failed


def test_a_kernel_that_does_not_compile(followed: tuple[Path, Path, Command]) -> None:
    """The compiler's words name the file that its author wrote."""
    folder, results, command = followed
    broken = write_operator(folder.parent / "broken")
    kernel = broken / "softsign_backward.h"
    kernel.write_text(kernel.read_text().replace("return gradient", "return gradiant"))
    options = ("--simulator", "--specs", str(broken), "--operator", OPERATOR)
    done = command("run", *options, "--results", str(results.with_name("broken-results")))
    assert done.returncode == ExitCode.NOT_TRUSTWORTHY
    assert f"{kernel}:" in done.stderr


def test_a_folder_that_changes_or_moves(followed: tuple[Path, Path, Command]) -> None:
    """What was made with it is judged with it alone, wherever it is by then."""
    folder, results, command = followed
    kernel = folder / "softsign_backward.h"
    text = kernel.read_text(encoding="utf-8")
    moved = write_operator(folder.parent / "moved")
    kernel.write_text(text + "// changed\n", encoding="utf-8")
    try:
        for arguments in (("judge", str(results)), ("run", "--resume", "--results", str(results))):
            refused = command(*arguments)
            assert refused.returncode == ExitCode.WRONG_INPUT
            assert f"add `--specs {folder}`" in refused.stderr
            refused = command(*arguments, "--specs", str(folder))
            assert refused.returncode == ExitCode.NOT_TRUSTWORTHY
            assert f"`aclnn-cts run --specs {folder}`" in refused.stderr
            assert all((results / name).is_file() for name in REPORT_FILES)
        judged = command("judge", str(results), "--specs", str(moved))
        assert judged.returncode == ExitCode.PASSED, judged.stderr
    finally:
        kernel.write_text(text, encoding="utf-8")


def test_a_kit_of_own_operators(followed: tuple[Path, Path, Command], tmp_path: Path) -> None:
    """A kit holds the program of the operator, and names the folder."""
    folder, _, command = followed
    options = ("--specs", str(folder), "--operator", OPERATOR)
    packed = command("pack", *options, "-o", str(tmp_path / "kit.tar.gz"))
    assert packed.returncode == 0, packed.stderr
    assert f"--kit {tmp_path / 'kit.tar.gz'} --specs {folder}" in packed.stdout
    with tarfile.open(tmp_path / "kit.tar.gz") as archive:
        names = archive.getnames()
        description = archive.extractfile("aclnn-cts-kit/kit.json")
        assert description is not None
        (recorded,) = json.load(description)["suite"]["folders"]
    assert f"aclnn-cts-kit/generated_tests/{OPERATOR}.cpp" in names
    assert recorded["path"] == str(folder)


def test_a_checkout(tmp_path: Path) -> None:
    """The page's two commands succeed in a tree that has only its three files besides."""
    own = find_suite()
    # All other operators go from the trees in which devices are built, so their parts come first.
    build_parts(own, find_compiler())
    root = tmp_path / "suite"
    for name in ("specs", "harness", "simulator", "generated_tests", "generator"):
        shutil.copytree(own.root / name, root / name)
    for name in ("pyproject.toml", ".clang-format"):
        shutil.copy(own.root / name, root / name)
    for folder in ("specs", "simulator/operators", "generated_tests"):
        for path in (*(root / folder).glob("aclnn*.*"), *(root / folder).glob("*.cpp")):
            path.unlink(missing_ok=True)
    for name, text in walk_files().items():
        assert not (root / name).exists(), f"{name} already exists"
        (root / name).write_text(text, encoding="utf-8")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ACLNN")}
    environment |= {"PYTHONPATH": str(root / "generator"), "ACLNN_CTS_CACHE": str(own.cache)}
    command = (sys.executable, "-c", "from aclnn_cts.entry import main; main()")
    for arguments in ("generate", "run"):
        done = ended([*command, arguments, "--operator", OPERATOR], cwd=root, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr
    assert (root / "generated_tests" / f"{OPERATOR}.cpp").is_file()
    row = next(line.split() for line in done.stdout.splitlines() if line.startswith(f" {OPERATOR}"))
    assert row[1] == row[2], "not all planned cases passed"
