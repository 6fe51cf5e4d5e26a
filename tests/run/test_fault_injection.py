# SPDX-License-Identifier: Apache-2.0
"""Building a device with a fault from the unharmed one's parts."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.qualify.catalog import load_catalog
from aclnn_cts.run import fault_injection
from aclnn_cts.run.build import build_parts, find_compiler, run_tool, simulator_files
from aclnn_cts.run.fault_injection import Change, build_faulty, build_together, link_faulty
from aclnn_cts.suite import Suite, find_suite

SUMS, KERNEL = "src/nnopbase/sums.h", "operators/group_norm.h"
LIBRARIES = {"libascendcl.so", "libnnopbase.so", "libopapi.so"}


@pytest.fixture(scope="module")
def suite() -> Suite:
    return find_suite()


@pytest.fixture(scope="module")
def parts(suite: Suite) -> Path:
    return build_parts(suite, find_compiler())


def changed(suite: Suite, path: str, old: str, new: str, name: str = "test") -> Change:
    text = simulator_files(suite)[path].read_text()
    assert text.count(old) == 1
    return Change(name, {path: text.replace(old, new)})


def different(parts: Path, toolkit: Path) -> set[str]:
    """Return the libraries of a faulty toolkit that are not the unharmed ones."""
    made = {path.name: path.read_bytes() for path in (toolkit / "lib64").iterdir()}
    assert made.keys() == LIBRARIES
    return {name for name, content in made.items() if content != (parts / name).read_bytes()}


def test_a_changed_source_changes_its_library_only(
    suite: Suite, parts: Path, tmp_path: Path
) -> None:
    """A fault in the runtime leaves the operators as they are."""
    change = changed(
        suite, "src/runtime/stream.cpp", "work_.pop_front();", "work_.pop_front(); work_.clear();"
    )
    link_faulty(parts, change, tmp_path)
    assert different(parts, tmp_path) == {"libascendcl.so"}


def test_a_changed_header_changes_all_that_include_it(
    suite: Suite, parts: Path, tmp_path: Path
) -> None:
    """Only the operators that normalise groups are compiled again."""
    files = simulator_files(suite)

    def normalises(source: str) -> bool:
        included = re.findall(r'"(operators/\w+\.h)"', files[source].read_text())
        return KERNEL in included or any(map(normalises, included))

    sources = (name for name in files if re.fullmatch(r"(operators|generated)/\w+\.cpp", name))
    found = [source for source in sources if normalises(source)]
    link_faulty(parts, changed(suite, KERNEL, "channels / groups;", "channels;"), tmp_path)
    assert different(parts, tmp_path) == {"libopapi.so"}
    assert len(list(tmp_path.glob("*.o"))) == len(found) > 1


def test_changed_operators_are_linked_before_all_groups(
    suite: Suite, parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Inline functions, too, are then those of the changed header, whichever group has them."""
    commands: list[list[str]] = []

    def run(command: list[str], what: str, folder: Path) -> str:
        commands.append(command)
        return run_tool(command, what, folder)

    monkeypatch.setattr(fault_injection, "run_tool", run)
    link_faulty(parts, changed(suite, KERNEL, "channels / groups;", "channels;"), tmp_path)
    new = {str(path) for path in tmp_path.glob("*.o")}
    linked = [part for part in commands[-1] if part.endswith(".o")]
    assert set(linked[: len(new)]) == new
    assert len(linked) > len(new)


def test_operators_that_are_not_called_stay_unharmed(
    suite: Suite, parts: Path, tmp_path: Path
) -> None:
    """Of a header only what is called is compiled, and sources of no operator in any case."""
    called = {"aclnnRmsNorm"}
    link_faulty(parts, changed(suite, SUMS, "count / 2", "count / 3"), tmp_path, called)
    assert len(list(tmp_path.glob("*.o"))) == 1
    assert different(parts, tmp_path) == {"libopapi.so"}
    common = tmp_path / "common"
    common.mkdir()
    change = changed(suite, "src/runtime/stream.cpp", "work_.pop_front();", "work_.clear();")
    link_faulty(parts, change, common, called)
    assert different(parts, common) == {"libascendcl.so"}


def test_devices_of_a_shared_kernel_share_a_library(suite: Suite, parts: Path) -> None:
    """Where one operator is called, a kernel of several is like its own; it is kept apart."""
    changes = [
        changed(suite, KERNEL, "channels / groups;", "channels / groups + 0;", "same"),
        changed(suite, KERNEL, "1.0F / std::sqrt(", "1.5F / std::sqrt(", "root"),
    ]
    assert build_together(suite, parts, changes) == {}
    built = build_together(suite, parts, changes, {"aclnnGroupNorm"})
    assert {name: each.played for name, each in built.items()} == {"same": "0", "root": "1"}
    alone = build_faulty(suite, parts, changes[1])
    assert alone.root != build_faulty(suite, parts, changes[1], {"aclnnGroupNorm"}).root


def test_an_unchanged_source_makes_the_same_object(
    suite: Suite, parts: Path, tmp_path: Path
) -> None:
    """The same text compiled again gives the same bytes, so a difference is the fault's."""
    source = "src/nnopbase/tensor.cpp"
    text = (suite.simulator / source).read_text()
    link_faulty(parts, Change("none", {source: text}), tmp_path)
    unharmed = parts / "CMakeFiles" / "nnopbase.dir" / f"{source}.o"
    assert (tmp_path / "0.o").read_bytes() == unharmed.read_bytes()


def test_built_once(suite: Suite, parts: Path) -> None:
    """The same change is not built a second time."""
    change = changed(suite, "operators/logit_grad.cpp", "1.0F - eps", "1.0F - 2.0F * eps")
    first = build_faulty(suite, parts, change)
    made = (first.root / "lib64" / "libopapi.so").stat().st_mtime_ns
    again = build_faulty(suite, parts, change)
    assert again == first
    assert (again.root / "lib64" / "libopapi.so").stat().st_mtime_ns == made
    assert (again.fault, again.variant) == ("test", "")


def test_devices_of_an_operator_share_a_library(suite: Suite, parts: Path) -> None:
    """Whether the operator's own source or its kernel is changed; what others have, too, is not."""
    source, kernel = "generated/aclnnSoftmax.cpp", "operators/softmax.h"
    changes = [
        changed(suite, source, "0, 8", "0, 7", "one-axis-less"),
        changed(suite, kernel, "x[i] - most", "x[i]", "unshifted"),
        changed(suite, kernel, "each /= sum", "each *= sum", "multiplied"),
        changed(suite, SUMS, "count / 2", "count / 3", "sums"),
        changed(suite, "operators/group_norm.h", "1.0F / std::sqrt", "2.0F / std::sqrt", "shared"),
    ]
    built = build_together(suite, parts, changes)
    assert {name: each.played for name, each in built.items()} == {
        "one-axis-less": "0",
        "unshifted": "1",
        "multiplied": "2",
    }
    (root,) = {each.root for each in built.values()}
    assert different(parts, root) == {"libopapi.so"}
    assert all(each.fault == name for name, each in built.items())


@pytest.mark.parametrize("operator", ["aclnnRmsNormGrad", "aclnnGroupNormSwishGrad"])
def test_known_devices_of_an_operator_share_a_library(
    suite: Suite, parts: Path, operator: str
) -> None:
    """A header that only some change, and a parameter without a name, keep nobody out."""
    known = [entry.change for entry in load_catalog(suite).entries if entry.home == operator]
    own = {
        tuple(change.sources): change
        for change in known
        if not any(path.startswith("src/") for path in change.sources)
    }
    built = build_together(suite, parts, list(own.values()))
    assert built.keys() == {change.id for change in own.values()}


def test_nothing_shares_a_library_with_what_does_not_compile(suite: Suite, parts: Path) -> None:
    """Each is built by itself then, so that the message names one device."""
    source = "generated/aclnnSoftshrink.cpp"
    changes = [
        changed(suite, source, "0, 8", "0, 6", "two-axes-less"),
        changed(suite, source, "0, 8", "no C++", "unbuildable"),
    ]
    assert build_together(suite, parts, changes) == {}


def test_a_variant_is_no_fault(suite: Suite, parts: Path) -> None:
    """The same machinery builds it, and a run records it under its own name."""
    change = changed(suite, "operators/logit_grad.cpp", "1.0F - eps", "1.0F - 3.0F * eps")
    built = build_faulty(suite, parts, replace(change, kind="variant"))
    assert (built.fault, built.variant) == ("", "test")


def test_a_fault_that_does_not_compile_is_said(suite: Suite, parts: Path) -> None:
    """The message names the fault and the compiler's complaint, and no half device is left."""
    change = changed(suite, "operators/logit_grad.cpp", "1.0F - eps", "1.0F - epsilon")
    with pytest.raises(NotTrustworthyError, match=r"cannot build .* fault test:\n.*epsilon"):
        build_faulty(suite, parts, change)
    assert not list((suite.cache / "faulty").glob(f"*{change.digest}"))


def test_a_source_that_nothing_is_made_of(parts: Path, tmp_path: Path) -> None:
    """A change that reaches no library is not a fault."""
    with pytest.raises(NotTrustworthyError, match="nothing of the simulator depends"):
        link_faulty(parts, Change("lost", {"operators/none.cpp": ""}), tmp_path)


@pytest.mark.parametrize("how", ["cut", "gone"])
def test_a_damaged_device_is_built_again(suite: Suite, parts: Path, how: str) -> None:
    """Otherwise a broken library, or the unharmed one, would be judged under the fault's name."""
    change = changed(suite, "operators/logit_grad.cpp", "1.0F - eps", "1.0F - 3.0F * eps")
    library = build_faulty(suite, parts, change).root / "lib64" / "libopapi.so"
    whole = library.read_bytes()
    if how == "cut":
        library.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    else:
        library.unlink()
    build_faulty(suite, parts, change)
    assert library.stat().st_size == len(whole)
    assert different(parts, library.parent.parent) == {"libopapi.so"}


@pytest.mark.parametrize(
    "file",
    ["commands.json", "CMakeFiles/opapi.dir/Unity/unity_0_cxx.cxx"],
    ids=["command", "group"],
)
def test_damaged_parts_are_said(suite: Suite, parts: Path, tmp_path: Path, file: str) -> None:
    """The message names the folder to delete, whatever is damaged in it."""
    copy = tmp_path / "parts"
    shutil.copytree(parts, copy)
    commands = (copy / "commands.json").read_text()
    (copy / "commands.json").write_text(commands.replace(str(parts), str(copy)))
    (copy / file).write_text("" if file.endswith("cxx") else "[{")
    change = changed(suite, "operators/logit_grad.cpp", "1.0F - eps", "1.0F - 4.0F * eps")
    (tmp_path / "work").mkdir()
    with pytest.raises(NotTrustworthyError, match="parts: the cache is damaged; delete"):
        link_faulty(copy, change, tmp_path / "work")
