# SPDX-License-Identifier: Apache-2.0
"""Finding a toolkit, its layout, its release and its operators; no program is built for it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from hypothesis import given
from hypothesis import strategies as st
from tests.hardware.conftest import BRANCH, MACHINE, OTHER_MACHINE, Forge, made_foreign

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.run.toolkit import (
    find_exports,
    find_toolkit,
    installed_version,
    machine_of,
    needed_operators,
    real_toolkit,
    toolkit_version,
    with_operators,
)
from aclnn_cts.spec.loading import SpecSet

OPERATORS = ("aclnnLogitGrad",)


def test_layouts(forge: Forge, tmp_path: Path) -> None:
    """Headers and libraries are found wherever a release keeps them, and its version is read."""
    plain = real_toolkit(forge.plain(tmp_path / "plain"))
    assert (plain.include_folder, plain.library_folder, plain.version) == (
        "include",
        "lib64",
        "7.0.0",
    )
    linked = real_toolkit(forge.linked(tmp_path / "linked"))
    assert (linked.include_folder, linked.version) == ("include", "8.0.RC2")
    branch = real_toolkit(forge.branch_only(tmp_path / "branch"))
    assert (branch.include_folder, branch.library_folder, branch.version) == (
        f"{BRANCH}/include",
        f"{BRANCH}/lib64",
        "8.5.0",
    )


def test_the_folder_of_all_releases(forge: Forge, tmp_path: Path) -> None:
    """Where it holds `latest`, that is the toolkit."""
    forge.plain(tmp_path / "all" / "7.0.0")
    (tmp_path / "all" / "latest").symlink_to("7.0.0")
    assert real_toolkit(tmp_path / "all").root == (tmp_path / "all" / "7.0.0").resolve()


def test_another_architecture(forge: Forge, tmp_path: Path) -> None:
    """Libraries for another machine are refused before anything is built against them."""
    root = forge.plain(tmp_path / "plain")
    made_foreign(root / "lib64" / "libascendcl.so")
    with pytest.raises(
        WrongInputError, match=f"is for {OTHER_MACHINE}, but this host is {MACHINE}"
    ):
        real_toolkit(root)
    both = forge.branch_only(tmp_path / "both")
    shutil.move(both / BRANCH / "lib64", both / "lib64")
    made_foreign(both / "lib64" / "libnnopbase.so")
    with pytest.raises(WrongInputError, match=r"libnnopbase\.so: is for"):
        real_toolkit(both)


def test_only_another_architecture_is_installed(forge: Forge, tmp_path: Path) -> None:
    """A tree that has a folder for another architecture alone says so."""
    root = forge.branch_only(tmp_path / "toolkit")
    made_foreign(root / BRANCH / "lib64" / "libascendcl.so")
    (root / BRANCH).rename(root / f"{OTHER_MACHINE}-linux")
    (root / "include").symlink_to(f"{OTHER_MACHINE}-linux/include")
    with pytest.raises(WrongInputError, match=f"is for {OTHER_MACHINE}"):
        real_toolkit(root)


def test_a_toolkit_for_another_host(forge: Forge, tmp_path: Path) -> None:
    """One without links at the top is known as such, and said to be for which host it is."""
    root = forge.branch_only(tmp_path / "toolkit")
    for name in ("libascendcl.so", "libnnopbase.so"):
        made_foreign(root / BRANCH / "lib64" / name)
    (root / BRANCH).rename(root / f"{OTHER_MACHINE}-linux")
    with pytest.raises(WrongInputError) as refused:
        real_toolkit(root)
    assert str(refused.value) == (
        f"{root}: is a toolkit for {OTHER_MACHINE} hosts (in {OTHER_MACHINE}-linux), but this host "
        f"is {MACHINE}; install the toolkit for {MACHINE}, or run on a host of {OTHER_MACHINE}"
    )


def test_the_right_one_of_two_architectures(forge: Forge, tmp_path: Path) -> None:
    """Links at the top may lead to the other architecture; the host's own folder is taken."""
    root = forge.branch_only(tmp_path / "toolkit")
    shutil.copytree(root / BRANCH / "lib64", root / "lib64")
    for name in ("libascendcl.so", "libnnopbase.so"):
        made_foreign(root / "lib64" / name)
    assert real_toolkit(root).library_folder == f"{BRANCH}/lib64"


def test_libraries_in_two_places(forge: Forge, tmp_path: Path) -> None:
    """A tree that was installed by halves says what the first of them lacks."""
    root = forge.branch_only(tmp_path / "toolkit")
    (root / "lib64").mkdir()
    shutil.move(root / BRANCH / "lib64" / "libascendcl.so", root / "lib64")
    with pytest.raises(WrongInputError, match=r"toolkit: lib64/libnnopbase\.so is missing"):
        real_toolkit(root)
    shutil.rmtree(root / "lib64")
    sentence = rf"toolkit: {BRANCH}/lib64/libascendcl\.so is missing"
    with pytest.raises(WrongInputError, match=sentence):
        real_toolkit(root)


def test_who_leads_to_a_toolkit(forge: Forge, tmp_path: Path) -> None:
    """The newer variable before the older one, both before the default places."""
    first, second = (forge.plain(tmp_path / name) for name in ("first", "second"))
    both = {"ASCEND_HOME_PATH": str(first), "ASCEND_TOOLKIT_HOME": str(second)}
    found = find_toolkit(both, (second,))
    assert found is not None
    assert (found.toolkit.root, found.origin) == (first, "ASCEND_HOME_PATH")
    found = find_toolkit({"ASCEND_TOOLKIT_HOME": str(second)}, ())
    assert found is not None
    assert (found.toolkit.root, found.origin) == (second, "ASCEND_TOOLKIT_HOME")
    found = find_toolkit({"ASCEND_HOME_PATH": ""}, (tmp_path / "none", second, first))
    assert found is not None
    assert found.toolkit.root == second
    assert find_toolkit({}, (tmp_path / "none",)) is None


def test_what_leads_to_no_toolkit(tmp_path: Path) -> None:
    """It is an error: results of the simulated device must not pass for the card's."""
    others = "name a toolkit with --cann, or run with --simulator"
    lacks = f"leads to no toolkit ({tmp_path}: include/acl/acl.h is missing)"
    assert refusal({}, tmp_path) == f"{tmp_path} {lacks}; install the toolkit again, {others}"
    again = f"read the toolkit's set_env.sh again, {others}"
    assert refusal({"ASCEND_HOME_PATH": str(tmp_path)}) == f"ASCEND_HOME_PATH {lacks}; {again}"
    gone = tmp_path / "gone"
    assert refusal({"ASCEND_HOME_PATH": str(gone)}) == (
        f"ASCEND_HOME_PATH leads to no toolkit ({gone}: there is no such folder); {again}"
    )


def test_a_variable_that_leads_to_a_foreign_toolkit(forge: Forge, tmp_path: Path) -> None:
    """What mends the toolkit is offered in the place of what mends the variable."""
    root = forge.plain(tmp_path / "plain")
    made_foreign(root / "lib64" / "libascendcl.so")
    advice = f"but this host is {MACHINE}); install the toolkit for {MACHINE}, name a toolkit with"
    assert advice in refusal({"ASCEND_HOME_PATH": str(root)})


def refusal(variables: Mapping[str, str], *places: Path) -> str:
    """Return what is said where these lead to no toolkit."""
    with pytest.raises(WrongInputError) as refused:
        find_toolkit(variables, places)
    return str(refused.value)


@pytest.mark.parametrize(
    ("name", "wrong"), [("gone", "there is no such folder"), ("file", "is not a folder")]
)
def test_a_toolkit_that_is_no_folder(tmp_path: Path, name: str, wrong: str) -> None:
    """It lacks more than a header: its path is wrong."""
    (tmp_path / "file").touch()
    with pytest.raises(WrongInputError) as refused:
        real_toolkit(tmp_path / name)
    assert str(refused.value) == (
        f"{tmp_path / name}: {wrong}; --cann takes the toolkit folder that ASCEND_HOME_PATH names "
        "after `source set_env.sh`"
    )


def test_operators_of_a_toolkit(forge: Forge, specs: SpecSet, tmp_path: Path) -> None:
    """Each library that holds a function is taken, and what is lacking is named."""
    toolkit = real_toolkit(forge.branch_only(tmp_path / "toolkit"))
    specs = replace(specs, side_calls={"random": ["aclnnDropoutBackward"]})
    assert needed_operators(specs, OPERATORS) == ("aclnnLogitGrad", "aclnnDropoutBackward")
    names = {
        Path(path).name for path in with_operators(toolkit, [specs], OPERATORS).operator_libraries
    }
    assert names == {"libopapi_math.so", "libopapi_nn.so"}
    (toolkit.include / "aclnnop" / "aclnn_logit_grad.h").unlink()
    (toolkit.libraries / "libopapi_nn.so").unlink()
    lacking = (
        r"lacks aclnnLogitGrad \(aclnnop/aclnn_logit_grad\.h\); "
        r"aclnnDropoutBackward \(aclnnDropoutBackwardGetWorkspaceSize, aclnnDropoutBackward\)"
    )
    both = r"; choose others with --operator and remove aclnnDropoutBackward from side_calls in "
    with pytest.raises(NotTrustworthyError, match=lacking + both):
        with_operators(toolkit, [specs], OPERATORS)


def test_a_side_call_that_a_toolkit_lacks(forge: Forge, specs: SpecSet, tmp_path: Path) -> None:
    """Testing other operators does not help; what the message advises does."""
    toolkit = real_toolkit(forge.branch_only(tmp_path / "toolkit"))
    lacking = replace(specs, side_calls={"random": ["aclnnSiluBackward"]})
    with pytest.raises(NotTrustworthyError) as refused:
        with_operators(toolkit, [lacking], OPERATORS)
    assert str(refused.value) == (
        f"{toolkit.root}: this toolkit lacks aclnnSiluBackward (aclnnSiluBackwardGetWorkspaceSize, "
        "aclnnSiluBackward); remove aclnnSiluBackward from side_calls in specs/common.yaml, so "
        "that other programs do without, and run `aclnn-cts generate`, or install a "
        "release that has them"
    )
    mended = replace(specs, side_calls={"random": ["aclnnDropoutBackward"]})
    assert with_operators(toolkit, [mended], OPERATORS).operator_libraries


def test_symbols_of_a_library(forge: Forge, tmp_path: Path) -> None:
    """What is defined counts, what is only used does not; a file that is not a library has none."""
    library = forge.split / "libopapi_math.so"
    names = ("aclnnLogitGrad", "aclrtMalloc", "aclnnNone")
    assert machine_of(library) == MACHINE
    assert find_exports(library, names) == {"aclnnLogitGrad"}
    (tmp_path / "text").write_text("no library")
    for path in (tmp_path / "text", tmp_path / "none", tmp_path):
        assert machine_of(path) == ""
        assert find_exports(path, names) == frozenset()


@pytest.mark.parametrize("word", [0, 1, 0xFFFFFFFF])
def test_damaged_hash_tables(forge: Forge, tmp_path: Path, word: int) -> None:
    """Whatever a library's table of names says of its sizes and offsets, and wherever it ends."""
    content = (forge.split / "libopapi_math.so").read_bytes()
    with (forge.split / "libopapi_math.so").open("rb") as file:
        table = ELFFile(file).get_section_by_name(".gnu.hash")
        assert table is not None
        begin, size = table["sh_offset"], table["sh_size"]
    path = tmp_path / "library.so"
    for at in range(begin, begin + size, 4):
        path.write_bytes(content[:at] + word.to_bytes(4, "little") + content[at + 4 :])
        assert find_exports(path, ["aclnnLogitGrad", "aclnnNone"]) <= {"aclnnLogitGrad"}
        # The headers of the sections are the last in a library.
        path.write_bytes(content[:at] + content[at + 4 :])
        assert find_exports(path, ["aclnnLogitGrad", "aclnnNone"]) <= {"aclnnLogitGrad"}


@given(data=st.data())
def test_damaged_libraries(
    data: st.DataObject, forge: Forge, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Bytes that are changed, or missing at the end, raise nothing that would end the command.

    Nor do they make up a function: what is found stands in the file.
    """
    content = bytearray((forge.split / "libopapi_math.so").read_bytes())
    del content[data.draw(st.integers(0, len(content))) :]
    for at in data.draw(st.lists(st.integers(0, max(len(content) - 1, 0)), max_size=8)):
        if content:
            content[at] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("damaged") / "library.so"
    path.write_bytes(content)
    names = ("aclnnLogitGrad", "aclnnNone")
    assert find_exports(path, names) <= {name for name in names if name.encode() in content}
    assert machine_of(path) == "" or content.startswith(b"\x7fELF")


@pytest.mark.parametrize(
    ("name", "text", "version"),
    [
        ("ascend_toolkit_install.info", "package_name=x\nversion=8.0.RC1\n", "8.0.RC1"),
        ("compiler/version.info", "Version=7.6.0.1\nversion_dir=8.0.RC3\n", "8.0.RC3"),
        ("opp/version.info", "Version = 8.0.0 # of the operators\n", ""),
        ("opp/version.info", "Version = 8.0.0 \n", "8.0.0"),
        ("version.cfg", "# version: 1.0\nruntime_running_version=[7.1.0:8.0.RC2]\n", "8.0.RC2"),
        ("version.cfg", "runtime_running_version=[7.1.0\n", ""),
        ("version.cfg", "version=$(rm -rf .)\n", ""),
        ("version.cfg", "\x00\x01\x02", ""),
        ("version.cfg", "version=" + "9" * 70, ""),
        ("elsewhere.info", "version=8.0\n", ""),
    ],
)
def test_release_of_a_toolkit(name: str, text: str, version: str, tmp_path: Path) -> None:
    """Files of several releases are understood; junk tells nothing, and harms nothing."""
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    assert toolkit_version((tmp_path / "none", tmp_path)) == version


@given(content=st.binary(max_size=200))
def test_junk_in_a_version_file(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever bytes it holds, a version is short and plain."""
    folder = tmp_path_factory.mktemp("junk")
    (folder / "version.cfg").write_bytes(b"version=" + content)
    version = toolkit_version((folder,))
    assert version == "" or (version.isascii() and version.isprintable() and " " not in version)


def test_driver_and_firmware(tmp_path: Path) -> None:
    """Their own files tell their releases; one that is not installed has none."""
    (tmp_path / "driver").mkdir()
    (tmp_path / "driver" / "version.info").write_text("Version=24.1.rc2\nascendhal_version=7.35\n")
    assert installed_version("driver", tmp_path) == "24.1.rc2"
    assert installed_version("firmware", tmp_path) == ""
