# SPDX-License-Identifier: Apache-2.0
"""Builds: once for each content, whole or not at all, with the compiler's words on failure."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.run import build
from aclnn_cts.run.build import Compiler, build_programs, build_simulator, find_compiler
from aclnn_cts.run.toolkit import Toolkit, real_toolkit
from aclnn_cts.suite import Suite, find_suite

SIMULATOR = """
cmake_minimum_required(VERSION 3.20)
project(tiny CXX)
add_library(tiny SHARED tiny.cpp other.cpp)
install(TARGETS tiny LIBRARY DESTINATION lib64)
"""
PROGRAMS = """
cmake_minimum_required(VERSION 3.20)
project(tiny_programs CXX)
add_executable(aclnnTiny tiny.cpp)
"""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Suite:
    """A suite of a tiny simulator, to which specs add nothing, and one tiny program."""
    found = Suite(tmp_path / "suite")
    for folder in (found.simulator, found.generated_tests, found.harness):
        folder.mkdir(parents=True)
    (found.simulator / "CMakeLists.txt").write_text(SIMULATOR)
    (found.simulator / "tiny.cpp").write_text("int Tiny() { return 1; }\n")
    (found.simulator / "other.cpp").write_text("int Other() { return 1; }\n")
    (found.generated_tests / "CMakeLists.txt").write_text(PROGRAMS)
    (found.generated_tests / "tiny.cpp").write_text("int main() { return 0; }\n")
    monkeypatch.setattr(build, "simulator_files", lambda suite: build._files({"": suite.simulator}))
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path / "cache"))
    return found


@pytest.fixture
def compiler() -> Compiler:
    return find_compiler()


def entries(folder: Path) -> set[str]:
    names = {item.name for item in folder.iterdir()}
    return {name for name in names if not name.endswith(".lock")} - {".users"}


def test_built_once_for_each_content(
    suite: Suite, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second call starts no tool at all; a changed source makes another build beside it."""
    first = build_simulator(suite, compiler)
    assert (first.root / "lib64" / "libtiny.so").is_file()
    with monkeypatch.context() as patched:
        patched.setattr(build, "_cmake", lambda *_: pytest.fail("a tool was started"))
        assert build_simulator(suite, compiler) == first
    (suite.simulator / "tiny.cpp").write_text("int Tiny() { return 2; }\n")
    second = build_simulator(suite, compiler)
    assert second.root != first.root
    assert len(entries(suite.cache / "simulator")) == 2


def test_only_what_differs_is_compiled(suite: Suite, compiler: Compiler) -> None:
    """One changed source is one compilation, whatever its time stamp; a removed one is gone."""
    first = build_simulator(suite, compiler)
    (kept,) = (suite.cache / "trees").rglob("other.cpp.o")
    made = kept.stat().st_mtime_ns
    source = suite.simulator / "tiny.cpp"
    source.write_text("int Tiny() { return 2; }\n")
    os.utime(source, (0, 0))  # as of a file that was restored
    second = build_simulator(suite, compiler)
    library = Path("lib64/libtiny.so")
    assert (first.root / library).read_bytes() != (second.root / library).read_bytes()
    assert kept.stat().st_mtime_ns == made
    source.unlink()
    with pytest.raises(NotTrustworthyError, match=r"tiny\.cpp"):
        build_simulator(suite, compiler)


def test_checkouts_share_their_builds(suite: Suite, compiler: Compiler, tmp_path: Path) -> None:
    """The same sources at another path are built already, with all that depends on them."""
    toolkit = build_simulator(suite, compiler)
    programs = build_programs(suite, compiler, toolkit)
    other = Suite(tmp_path / "moved")
    suite.root.rename(other.root)
    assert build_simulator(other, compiler) == toolkit
    assert build_programs(other, compiler, toolkit) == programs


def test_programs_outlive_a_changed_operator(suite: Suite, compiler: Compiler) -> None:
    """Programs for the simulated device depend on its headers, not on its libraries."""
    header = suite.simulator / "include" / "tiny.h"
    header.parent.mkdir()
    header.touch()
    with (suite.simulator / "CMakeLists.txt").open("a") as file:
        file.write("install(DIRECTORY include/ DESTINATION include)\n")
    programs = build_programs(suite, compiler, build_simulator(suite, compiler))
    (suite.simulator / "tiny.cpp").write_text("int Tiny() { return 2; }\n")
    assert build_programs(suite, compiler, build_simulator(suite, compiler)) == programs
    header.write_text("// another\n")
    assert build_programs(suite, compiler, build_simulator(suite, compiler)) != programs


def test_what_a_build_depends_on(
    suite: Suite, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Options and the compiler's version count; a README does not."""
    made: list[Path] = []

    def noted(final: Path, work: object) -> None:
        del work
        made.append(final)

    monkeypatch.setattr(build, "make_once", noted)
    build_simulator(suite, compiler)
    (suite.simulator / "README.md").write_text("words")
    build_simulator(suite, compiler)
    build_simulator(suite, compiler, ["-DX=1"])
    build_simulator(suite, Compiler(compiler.path, "another version"))
    (suite.simulator / "more.h").touch()
    build_simulator(suite, compiler)
    assert made[0] == made[1]
    assert len(set(made)) == 4


def test_programs_are_kept_and_the_tree_is_not(suite: Suite, compiler: Compiler) -> None:
    """The folder holds the programs alone."""
    toolkit = Toolkit(suite.root, "simulator")
    folder = build_programs(suite, compiler, toolkit)
    assert entries(folder) == {"aclnnTiny"}
    assert os.access(folder / "aclnnTiny", os.X_OK)
    (suite.harness / "harness.h").write_text("// changed\n")
    assert build_programs(suite, compiler, toolkit) != folder


def symbol_of(toolkit: Toolkit) -> bytes:
    return (toolkit.root / "lib64" / "libtiny.so").read_bytes()


def test_a_copied_cache(
    suite: Suite, compiler: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build tree that was copied, time stamps and all, does not build another place's sources."""
    before = symbol_of(build_simulator(suite, compiler))
    shutil.copytree(tmp_path / "cache", tmp_path / "copied", copy_function=shutil.copy2)
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path / "copied"))
    (suite.simulator / "tiny.cpp").write_text("int Tiny() { return 2; }\n")
    assert symbol_of(build_simulator(suite, compiler)) != before


def test_sources_that_change_while_a_build_waits(
    suite: Suite, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is kept under the digest of sources that it was not built from."""
    mirror = build._mirror

    def late(files: Mapping[str, Path], tree: Path) -> None:
        (suite.simulator / "tiny.cpp").write_text("int Tiny() { return 2; }\n")
        mirror(files, tree)

    with monkeypatch.context() as patched:
        patched.setattr(build, "_mirror", late)
        with pytest.raises(NotTrustworthyError, match="changed while they were built"):
            build_simulator(suite, compiler)
    assert entries(suite.cache / "simulator") == set()


def test_a_program_whose_source_is_gone(suite: Suite, compiler: Compiler) -> None:
    """Neither it nor a program that was not asked for is taken from the kept tree."""
    toolkit = Toolkit(suite.root, "simulator")
    lists = suite.generated_tests / "CMakeLists.txt"
    lists.write_text(f"{PROGRAMS}add_executable(aclnnOther tiny.cpp)\n")
    assert entries(build_programs(suite, compiler, toolkit)) == {"aclnnTiny", "aclnnOther"}
    asked = build_programs(suite, compiler, toolkit, operators=["aclnnTiny"])
    assert entries(asked) == {"aclnnTiny"}
    lists.write_text(PROGRAMS)
    (suite.generated_tests / "tiny.cpp").write_text("int main() { return 1; }\n")
    assert entries(build_programs(suite, compiler, toolkit)) == {"aclnnTiny"}


def test_flags_of_the_environment(
    suite: Suite, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They count as long as they are set, and no longer."""
    (suite.simulator / "tiny.cpp").write_text(
        "#ifdef POISON\nint Tiny() { return 2; }\n#else\nint Tiny() { return 1; }\n#endif\n"
    )
    monkeypatch.setenv("CXXFLAGS", "-DPOISON")
    poisoned = symbol_of(build_simulator(suite, compiler))
    monkeypatch.delenv("CXXFLAGS")
    assert symbol_of(build_simulator(suite, compiler)) != poisoned


def test_a_build_that_fails(suite: Suite, compiler: Compiler) -> None:
    """The message has the compiler's line and the user's path; a repair builds."""
    source = suite.simulator / "tiny.cpp"
    source.write_text("int Tiny() { return no_such_name; }\n")
    with pytest.raises(NotTrustworthyError, match=f"cannot build .*:\n{source}:1:.*no_such_name"):
        build_simulator(suite, compiler)
    assert entries(suite.cache / "simulator") == set()
    source.write_text("int Tiny() { return 3; }\n")
    assert build_simulator(suite, compiler).root.is_dir()


def test_a_cache_that_cannot_be_written(
    suite: Suite, compiler: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file where the cache should be is the user's to change."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path / "file"))
    with pytest.raises(WrongInputError, match="cannot be written"):
        build_simulator(suite, compiler)


def test_a_leftover_of_a_killed_build(suite: Suite, compiler: Compiler) -> None:
    """What a build that was killed left behind does not count as built."""
    toolkit = build_simulator(suite, compiler)
    final = toolkit.root.parent
    final.rename(final.with_name(f"{final.name}.partial"))
    (final.with_name(f"{final.name}.partial") / "rubbish").touch()
    assert build_simulator(suite, compiler) == toolkit
    assert entries(final) == {"toolkit"}


def test_a_toolkit_that_is_none(tmp_path: Path) -> None:
    """The first missing file is named, and where the right folder is found."""
    with pytest.raises(WrongInputError, match=r"acl/acl\.h is missing; .*ASCEND_HOME_PATH"):
        real_toolkit(tmp_path)
    for name in ("include/acl/acl.h", "include/aclnn/acl_meta.h"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    with pytest.raises(WrongInputError, match=r"lib64/libascendcl\.so is missing"):
        real_toolkit(tmp_path)
    (tmp_path / "lib64").mkdir()
    for name in ("libascendcl.so", "libnnopbase.so"):
        (tmp_path / "lib64" / name).touch()
    with pytest.raises(WrongInputError, match=r"libascendcl\.so: is not a library"):
        real_toolkit(tmp_path)


@pytest.mark.parametrize(
    ("known", "options"),
    [("gold", ["-fuse-ld=gold"]), ("gold lld", ["-fuse-ld=lld"]), ("none", [])],
)
def test_the_fastest_linker_that_is_there(tmp_path: Path, known: str, options: list[str]) -> None:
    """A compiler without lld and gold links with what it has."""
    compiler = tmp_path / "compiler"
    compiler.write_text(
        f'#!/bin/sh\ncase " {known} " in *" ${{1#-fuse-ld=}} "*) ;; *) exit 1; esac\n'
    )
    compiler.chmod(0o755)
    definitions = [
        f"-DCMAKE_{kind}_LINKER_FLAGS_RELEASE={option}"
        for option in options
        for kind in ("SHARED", "EXE")
    ]
    assert build._fast_linker(str(compiler)) == definitions


def test_no_two_operators_define_the_same_function() -> None:
    """Their sources are compiled in groups, where two would be overloads of each other."""
    files = build.simulator_files(find_suite())
    texts = (files[name].read_text() for name in files if re.match("operators|generated", name))
    defined = [name for text in texts for name in {*re.findall(_DEFINED, text, re.MULTILINE)}]
    assert "Mish" in defined
    assert [name for name, count in Counter(defined).items() if count > 1] == []


_DEFINED = r"^(?!return )\w[\w:<>,&* ]*[ &*](\w+)\("


def test_a_copied_cache_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of kept objects name their place; elsewhere they would change another cache."""
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path))
    places = iter(["/another/cache", "here"])

    def made(final: Path, make: object) -> None:
        del make
        if not final.exists():
            final.mkdir(parents=True)
            place = next(places)
            text = str(final) if place == "here" else place
            (final / build.COMMANDS).write_text(text, encoding="utf-8")

    monkeypatch.setattr(build, "make_once", made)
    final = build.build_parts(find_suite(), find_compiler())
    assert str(final) in (final / build.COMMANDS).read_text(encoding="utf-8")
    assert next(places, None) is None
    assert build.build_parts(find_suite(), find_compiler()) == final
