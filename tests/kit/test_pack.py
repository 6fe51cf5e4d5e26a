# SPDX-License-Identifier: Apache-2.0
"""What a kit holds."""

from __future__ import annotations

import sys
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from tests.kit.conftest import NONCE, Packed
from tests.old_python import oldest_python
from tests.processes import ended

from aclnn_cts.emit.case_file import operators_beside
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.kit.archive import KIT, check_archive
from aclnn_cts.kit.pack import RUNNER, read_kit
from aclnn_cts.suite import Suite


@pytest.fixture(scope="module")
def files(packed: Packed) -> Mapping[str, bytes]:
    """The files of the kit."""
    return check_archive(packed.archive, KIT, lambda _: True)[1]


def test_a_kit_is_whole(packed: Packed, files: Mapping[str, bytes], suite: Suite) -> None:
    """Sources, runner, case files and inputs are there, and the program's further operators."""
    assert files["batches.txt"] == b"aclnnLogitGrad-000 aclnnLogitGrad\n"
    beside = (each for case in packed.cases for each in operators_beside(packed.specs, case))
    called = " ".join(dict.fromkeys(each.operator for each in beside))
    assert files["programs.mk"].decode() == (
        f"programs := aclnnLogitGrad\ncalls := aclnnLogitGrad {called}\n"
        f"aclnnLogitGrad_calls := {called}\n"
    )
    text = files["cases/aclnnLogitGrad-000.txt"].decode()
    assert text.splitlines()[1] == f"nonce {NONCE}"
    for planned in packed.described.planned():
        if planned.data is not None and planned.data.path is not None:
            stored = suite.cache / "data" / planned.data.path
            assert files[f"data/{planned.data.path}"] == stored.read_bytes()
    assert {"run.sh", "Makefile", "README.txt", "runner/__main__.py"} <= files.keys()
    assert {
        "harness/src/main.cpp",
        *(f"generated_tests/{name}.cpp" for name in called.split()),
    } <= files.keys()


def test_the_runner_needs_no_packages(packed: Packed, tmp_path: Path) -> None:
    """A host may have Python 3.8 and nothing else: without site-packages the runner starts.

    It gets as far as the first thing that is wrong.
    """
    with tarfile.open(packed.archive) as archive:
        archive.extractall(tmp_path, filter="data")
    runner = tmp_path / KIT / "runner"
    done = ended([oldest_python(), "-I", "-S", "-B", str(runner), str(tmp_path / "none")])
    assert (done.returncode, done.stdout) == (1, "")
    assert "none: there is no such folder; name the CANN toolkit" in done.stderr


def test_the_runner_knows_nothing_newer_than_python_38(
    files: Mapping[str, bytes], tmp_path: Path
) -> None:
    """Neither syntax nor names of the standard library: ``functools.cache`` broke every kit once.

    Where no Python 3.8 is installed, this is the only test that notices them.
    """
    modules = {name: content for name, content in files.items() if name.endswith(".py")}
    assert len(modules) == len(RUNNER) + 1
    for name, content in modules.items():
        (tmp_path / name.replace("/", ".")).write_bytes(content)
    run = [sys.executable, "-c", "import vermin; vermin.main()"]
    command = [*run, "--target=3.8-", "--violations", str(tmp_path)]
    done = ended(command)
    assert done.returncode == 0, done.stdout
    (tmp_path / "newer.py").write_text("import functools\nfunctools.cache(print)\n")
    assert ended(command).returncode == 1


def test_the_same_kit_twice(packed: Packed, suite: Suite, tmp_path: Path) -> None:
    """Nothing but nonce and time tells two kits of the same cases apart."""
    assert packed.again(tmp_path / "same") == len(check_archive(packed.archive, KIT, bool)[0])
    assert (tmp_path / "same").read_bytes() == packed.archive.read_bytes()
    packed.again(tmp_path / "other", "ab" * 16)
    kit, other = read_kit(packed.archive, suite), read_kit(tmp_path / "other", suite)
    assert (kit.nonce, other.nonce) == (NONCE, "ab" * 16)
    assert kit.manifest != other.manifest


def test_stale_calls_are_not_packed(
    packed: Packed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On its host a kit's programs would pass other arguments than its cases say."""

    def refuse(_: Suite, operators: Iterable[str]) -> None:
        assert "aclnnDropoutBackward" in operators
        raise NotTrustworthyError("out of step")

    monkeypatch.setattr("aclnn_cts.kit.pack.require_generated", refuse)
    with pytest.raises(NotTrustworthyError, match="out of step"):
        packed.again(tmp_path / "stale")
    assert not (tmp_path / "stale").exists()


def test_a_kit_is_never_replaced(packed: Packed) -> None:
    """It may be on a host already, and its outputs are compared with the one at home."""
    whole = packed.archive.read_bytes()
    with pytest.raises(WrongInputError, match=r"kit\.tar\.gz: already exists"):
        packed.again(packed.archive, "ab" * 16)
    assert packed.archive.read_bytes() == whole
