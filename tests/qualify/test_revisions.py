# SPDX-License-Identifier: Apache-2.0
"""Which devices a change of the suite has to try."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.qualify.catalog import Catalog, load_catalog
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.revisions import ONE_IN, Revision
from aclnn_cts.suite import Suite, find_suite


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(find_suite())


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    command = ("git", "-C", str(folder), *who, *arguments)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path, **files: str) -> str:
    for name, text in files.items():
        with (folder / name.replace("__", "/")).with_suffix(".yaml").open("a") as file:
            file.write(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "a change")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with the files that hold operators and devices."""
    (tmp_path / "simulator").mkdir()
    for name in ("faults.yaml", "variants.yaml"):
        shutil.copy(find_suite().simulator / name, tmp_path / "simulator")
    (tmp_path / "specs").mkdir()
    shutil.copy(find_suite().specs / "aclnnGelu.yaml", tmp_path / "specs")
    git(tmp_path, "init", "--quiet")
    return tmp_path


def concerned(commit: str, specs: SpecSet, catalog: Catalog, checkout: Path) -> set[str]:
    revision = Revision.since(commit, specs, Suite(checkout))
    return {entry.id for entry in catalog.entries if entry.is_concerned(revision)}


def test_a_changed_spec_has_all_its_devices(
    specs: SpecSet, catalog: Catalog, checkout: Path
) -> None:
    before = commit(checkout)
    commit(checkout, specs__aclnnGelu="# changed\n")
    found = concerned(before, specs, catalog, checkout)
    assert found >= {entry.id for entry in catalog.entries if entry.home == "aclnnGelu"}


def test_users_of_a_changed_kernel_are_concerned(
    specs: SpecSet, catalog: Catalog, checkout: Path
) -> None:
    kernels = checkout / "simulator" / "operators"
    shutil.copytree(find_suite().simulator / "operators", kernels)
    before = commit(checkout)
    with (kernels / "group_norm.h").open("a", encoding="utf-8") as kernel:
        kernel.write("// changed\n")
    found = concerned(before, specs, catalog, checkout)
    users = {"aclnnGroupNorm", "aclnnGroupNormSwish", "aclnnGroupNormSilu", "aclnnGroupNormSiluV2"}
    assert found >= {entry.id for entry in catalog.entries if entry.home in users}


def test_each_commit_tries_others(specs: SpecSet, catalog: Catalog, checkout: Path) -> None:
    """About a tenth of the devices, and over many commits all of them."""
    before = commit(checkout)
    drawn = []
    for _ in range(8):
        commit(checkout)
        drawn.append(concerned(before, specs, catalog, checkout))
    assert len(set(map(frozenset, drawn))) == len(drawn)
    share = sum(map(len, drawn)) / len(drawn) / len(catalog.entries)
    assert 0.3 / ONE_IN < share < 3 / ONE_IN


def test_a_changed_class_has_all_its_instances(
    specs: SpecSet, catalog: Catalog, checkout: Path
) -> None:
    before = commit(checkout)
    path = checkout / "simulator" / "faults.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Results below 2^-100 are 0.", "They are 0."), encoding="utf-8")
    found = concerned(before, specs, catalog, checkout)
    lost = {e.id for e in catalog.entries if e.fault_class == "small-results-lost"}
    assert lost
    assert lost <= found


def test_a_changed_group_of_a_part_has_all_its_devices(
    specs: SpecSet, catalog: Catalog, checkout: Path
) -> None:
    """Also if another group of that part follows."""
    before = commit(checkout)
    path = checkout / "simulator" / "faults.yaml"
    text = path.read_text(encoding="utf-8")
    first = text.index("- part: runtime")
    assert "- part: runtime" in text[first + 1 :]
    path.write_text(text[:first] + text[first:].replace("fault: ", "fault: Now, ", 1), "utf-8")
    found = concerned(before, specs, catalog, checkout)
    assert found >= {entry.id for entry in catalog.entries if entry.home == "runtime"}


@pytest.mark.parametrize("commit_id", ["nothing", "--output=x"])
def test_an_unknown_commit(
    specs: SpecSet, catalog: Catalog, checkout: Path, commit_id: str
) -> None:
    commit(checkout)
    with pytest.raises(WrongInputError, match="--since: git says"):
        concerned(commit_id, specs, catalog, checkout)
    assert not (checkout / "x").exists()


def test_at_least_one_operator_is_selected(specs: SpecSet, checkout: Path) -> None:
    """Few operators have an earlier edition; a lot that leaves all out would check nothing."""
    before = commit(checkout)
    for _ in range(4):
        commit(checkout)
        revision = Revision.since(before, specs, Suite(checkout))
        alone = [name for name in specs.operators if not revision.concerns(name)][:3]
        assert len(revision.select(alone)) == 1
        drawn = [name for name in specs.operators if revision.concerns(name)]
        assert revision.select(tuple(specs.operators)) == tuple(drawn)
