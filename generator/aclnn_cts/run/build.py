# SPDX-License-Identifier: Apache-2.0
"""Builds of the simulator and the programs, cached by the content of their sources."""

from __future__ import annotations

import contextlib
import fcntl
import filecmp
import functools
import hashlib
import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.cache import take
from aclnn_cts.compiler import compiler_path, compiler_version
from aclnn_cts.emit.cpp_sources import makers_digest, simulator_texts
from aclnn_cts.emit.programs import recorder_text
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import digest_of_files, explain, write_text
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.run.toolkit_layout import CUSTOM_LIBRARY
from aclnn_cts.spec.loading import load_specs, specs_digest
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.suite import Suite

_PROBE = """\
#include <memory>
#include <optional>
#include <string_view>
int main() {
  std::optional<std::string_view> name{"x"};
  if (auto size = name->size(); size != 1) return 1;
}
"""

_ADVICE = (
    "install g++ 7.3 or newer (Debian, Ubuntu: apt-get install g++; "
    "openEuler, CentOS: yum install gcc-c++) or name one in CXX"
)


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler that works.

    Attributes:
        version: The first line that it prints about itself.
    """

    path: str
    version: str


def find_compiler() -> Compiler:
    """Return the compiler that ``CXX`` names, or the first of c++, g++ and clang++ on the path.

    Raises:
        NotTrustworthyError: No compiler was found, or it does not compile C++17.
    """
    path = compiler_path()
    if path is None:
        missing = "no C++ compiler found"
        if name := os.environ.get("CXX"):
            missing = f"CXX is {name!r}, which is not a program (it takes one, without options)"
        raise NotTrustworthyError(f"{missing}: {_ADVICE}")
    return _check_compiler(path)


@functools.lru_cache(maxsize=8)
def _check_compiler(path: str) -> Compiler:
    """Return a compiler that builds C++17 programs; once for a process that runs many times."""
    try:
        version = compiler_version(path)
    except OSError as error:
        raise NotTrustworthyError(f"{path} cannot be run ({error}): {_ADVICE}") from None
    with tempfile.TemporaryDirectory() as folder:
        write_text(Path(folder) / "probe.cpp", _PROBE)
        command = [path, "-std=c++17", "probe.cpp", "-o", "probe"]
        run_tool(command, f"a C++17 program by {version or path}", Path(folder), _ADVICE)
    return Compiler(path, version)


_SOURCES = (".cpp", ".h", ".txt", ".map", ".cmake")

COMMANDS, SOURCES = "commands.json", "source"
"""In the result of :func:`build_parts`: how each file is made, and the sources."""

PROBE = "aclnn-cts-probe"


def build_simulator(suite: Suite, compiler: Compiler, options: Sequence[str] = ()) -> Toolkit:
    """Build and install the simulated device; return it as a toolkit.

    Args:
        suite: Where its sources are, and the cache.
        options: Further CMake definitions, such as ``-DACLNN_CTS_SANITIZE=ON``.

    Raises:
        NotTrustworthyError: It does not build.
    """
    project, options = _simulator(suite), [*options, *_fast_linker(compiler.path)]
    final = suite.cache / "simulator" / _key(project.content, compiler, options)

    def build(work: Path) -> None:
        with _tree(suite, project, compiler, options) as tree:
            install = ["--install", str(tree / "build"), "--prefix", str(work / "toolkit")]
            _cmake(install, "the simulator")

    make_once(final, build)
    return Toolkit(final / "toolkit", "simulator")


def build_programs(
    suite: Suite,
    compiler: Compiler,
    toolkit: Toolkit,
    options: Sequence[str] = (),
    operators: Sequence[str] = (),
) -> Path:
    """Build the generated programs against a toolkit; return the folder that holds them.

    Programs for the simulated device depend only on its headers, because any build of its libraries
    can take the place of the one that they were linked with.

    Args:
        suite: Where their sources are, and the cache.
        options: Further CMake definitions.
        operators: The programs to build; all if it is empty. The toolkit may lack the others.

    Raises:
        NotTrustworthyError: A program does not build, because the toolkit lacks something.
    """
    sources = {"harness": suite.harness, "generated_tests": suite.generated_tests}
    project = _Project.of(_files(sources), "generated_tests", "the generated programs", operators)
    content = project.content + _content(_headers(toolkit))
    key = _key(content, compiler, [*_definitions(toolkit), *options, *operators])
    final = suite.cache / "programs" / key

    def build(work: Path) -> None:
        # Vendors' libraries get the default linker.
        linker = _fast_linker(compiler.path) if toolkit.kind == "simulator" else []
        with _tree(suite, project, compiler, [*options, *linker], toolkit) as tree:
            for path in (tree / "build").glob("aclnn*"):
                is_target = not operators or path.name in operators
                if is_target and os.access(path, os.X_OK) and path.is_file():
                    shutil.copy2(path, work)

    try:
        make_once(final, build)
    except NotTrustworthyError as error:
        if toolkit.kind == "hardware" or "GetWorkspaceSize" not in str(error):
            raise
        raise NotTrustworthyError(
            f"{error}\nan operator without a kernel runs on hardware only; write the kernel, or "
            "leave the operator out"
        ) from None
    return final


def build_probe(
    suite: Suite, compiler: Compiler, toolkit: Toolkit, options: Sequence[str] = ()
) -> Path:
    """Build the program that asks a toolkit's runtime for its devices; return it.

    Args:
        suite: Where its sources are, and the cache.
        options: The CMake definitions that the toolkit was built with.

    Raises:
        NotTrustworthyError: It does not build.
    """
    what = "the program that asks for the devices"
    project = _Project.of(_files({"harness": suite.harness}), "harness/probe", what)
    content = project.content + _content(_headers(toolkit))
    key = _key(content, compiler, [*_definitions(toolkit), *options])
    final = suite.cache / "probe" / key

    def build(work: Path) -> None:
        with _tree(suite, project, compiler, options, toolkit) as tree:
            shutil.copy2(tree / "build" / PROBE, work)

    make_once(final, build)
    return final / PROBE


def build_recorder(
    suite: Suite, compiler: Compiler, toolkit: Toolkit, specs: Sequence[OperatorSpec]
) -> Path:
    """Build the library that notes calls of operators; return the folder of its package.

    Args:
        specs: The operators, which the toolkit must have: others must not seem to exist.

    Raises:
        NotTrustworthyError: It does not build.
    """
    text = recorder_text(specs)
    source = suite.cache / "sources" / hashlib.sha256(text.encode()).hexdigest()[:24]
    make_once(source, lambda work: write_text(work / "recorded_calls.cpp", text))
    files = _files({"harness": suite.harness})
    files["harness/recorder/recorded_calls.cpp"] = source / "recorded_calls.cpp"
    project = _Project.of(files, "harness/recorder", "the library that records calls")
    content = project.content + _content(_headers(toolkit))
    final = suite.cache / "recorder" / _key(content, compiler, _definitions(toolkit))

    def build(work: Path) -> None:
        with _tree(suite, project, compiler, (), toolkit) as tree:
            folder = work / "op_api" / "lib"
            folder.mkdir(parents=True)
            shutil.copy2(tree / "build" / CUSTOM_LIBRARY, folder)

    make_once(final, build)
    return final


def build_parts(suite: Suite, compiler: Compiler) -> Path:
    """Build the simulated device, and keep its objects; return their folder.

    A faulty device differs from the unharmed one in one or two sources. Only these are recompiled,
    by the commands of this build (``commands.json``), and linked with its other objects.

    Raises:
        NotTrustworthyError: It does not build.
    """
    project, options = _simulator(suite), _fast_linker(compiler.path)
    final = suite.cache / "parts" / _key(project.content, compiler, options)

    def build(work: Path) -> None:
        with _tree(suite, project, compiler, options) as tree:
            shutil.copytree(tree / "build", work, dirs_exist_ok=True)
            shutil.copytree(tree / "simulator", work / SOURCES)
            command = [tool_path("ninja"), "-C", str(tree / "build"), "--quiet", "-t", "compdb"]
            (work / COMMANDS).write_text(run_tool(command, "the simulator"), encoding="utf-8")
            for path in (work / COMMANDS, *work.glob("**/Unity/*.cxx")):
                # The folder gets its final name when it is complete.
                text = path.read_text(encoding="utf-8").replace(str(tree / "build"), str(final))
                text = text.replace(str(tree / "simulator"), str(final / SOURCES))
                path.write_text(text, encoding="utf-8")

    make_once(final, build)
    if str(final) not in (final / COMMANDS).read_text(encoding="utf-8"):
        shutil.rmtree(final)  # a copied or moved cache: its commands name the old place
        make_once(final, build)
    return final


@functools.lru_cache(maxsize=8)
def _fast_linker(compiler: str) -> list[str]:
    """Return the definitions that make a compiler link with lld or gold, if it has one.

    They link a device in a third of the time of the default linker, and a program in half of it.
    """
    for option in ("-fuse-ld=lld", "-fuse-ld=gold"):
        command = [compiler, option, "-Wl,--version"]
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:  # noqa: S603
            return [f"-DCMAKE_{kind}_LINKER_FLAGS_RELEASE={option}" for kind in ("SHARED", "EXE")]
    return []


@dataclass(frozen=True)
class _Project:
    """What CMake builds.

    Attributes:
        files: Its sources, by their paths in the build tree.
        root: The folder of its CMakeLists.txt, in the build tree.
        content: Digest of the sources, the key of its results.
        targets: The targets to build; all if it is empty.
    """

    files: Mapping[str, Path]
    root: str
    what: str
    content: str
    targets: Sequence[str] = ()

    @classmethod
    def of(
        cls, files: Mapping[str, Path], root: str, what: str, targets: Sequence[str] = ()
    ) -> _Project:
        """Return a project of the sources as they are now."""
        return cls(files, root, what, _content(files), targets)


def simulator_files(suite: Suite) -> dict[str, Path]:
    """Return the sources of the simulated device, by their paths below ``simulator/``.

    Those that follow from the specs, operators and headers, are made in the cache.

    Raises:
        WrongInputError: A spec needs a check that only an operator written by hand can make.
    """
    kernels = sorted(path.name for path in (suite.simulator / "operators").glob("*"))
    facts = (specs_digest(suite), makers_digest(), kernels)
    final = suite.cache / "sources" / hashlib.sha256(repr(facts).encode()).hexdigest()[:24]

    def make(work: Path) -> None:
        for name, text in simulator_texts(load_specs(suite), suite).items():
            path = work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    make_once(final, make)
    return _files({"": suite.simulator}) | _files({"": final})


def _simulator(suite: Suite) -> _Project:
    files = {f"simulator/{name}": path for name, path in simulator_files(suite).items()}
    return _Project.of(files, "simulator", "the simulator")


@contextlib.contextmanager
def _tree(
    suite: Suite,
    project: _Project,
    compiler: Compiler,
    options: Sequence[str],
    toolkit: Toolkit | None = None,
) -> Iterator[Path]:
    """Build a project in a persistent tree, so that the next build is incremental.

    Ninja compares time stamps, which do not show that a file was restored or comes from another
    checkout. So the tree has copies of the sources that are rewritten only if their content
    differs. The headers of a real toolkit are used in place, and other headers need another tree.
    CMake writes the tree's path into it, so a tree that was copied or moved is not reused.

    Yields:
        The locked tree; the result is in ``build``.

    Raises:
        NotTrustworthyError: It does not build.
    """
    files = dict(project.files)
    headers: Mapping[str, Path] = {}
    if toolkit is not None and toolkit.kind == "simulator":
        files |= _files({"toolkit/include": toolkit.include, "toolkit/lib64": toolkit.libraries})
    elif toolkit is not None:
        headers = _headers(toolkit)
    trees = (suite.cache / "trees").resolve()
    key = [str(trees), project.root, *options, *(_definitions(toolkit) if toolkit else ())]
    tree = trees / _key(_content(headers), compiler, key)
    definitions = list(options)
    if toolkit is not None:
        definitions += _definitions(toolkit) or [f"-DACLNN_CTS_TOOLKIT={tree / 'toolkit'}"]
    with _locked(tree.parent, tree.name):
        take(tree.parent, tree.name)
        try:
            _mirror(files, tree)
        except OSError as error:
            raise explain(error, tree) from None
        if _content({name: tree / name for name in project.files}) != project.content:
            raise NotTrustworthyError(
                f"the sources of {project.what} changed while they were built; run it again"
            )
        targets = [part for target in project.targets for part in ("--target", target)]
        try:
            if not (tree / "build" / "build.ninja").is_file():
                _configure(tree / project.root, tree / "build", compiler, definitions)
            _cmake(["--build", str(tree / "build"), *targets], project.what)
            # Remove results whose sources are gone.
            command = [tool_path("ninja"), "-C", str(tree / "build"), "-t", "cleandead"]
            run_tool(command, project.what)
        except NotTrustworthyError as error:
            text = str(error).replace("/./", "/")  # as compilers find kernels
            for name, path in files.items():
                text = text.replace(str(tree / name), str(path))
            raise NotTrustworthyError(suite.as_written(text)) from None
        yield tree


def _files(folders: Mapping[str, Path]) -> dict[str, Path]:
    """Return the files of folders, by their paths in a tree that has the folders by these names."""
    return {
        Path(name, path.relative_to(folder)).as_posix(): path
        for name, folder in folders.items()
        for path in folder.rglob("*")
        if path.is_file()
    }


def _mirror(files: Mapping[str, Path], tree: Path) -> None:
    """Make the sources in a tree equal to files; one with the same content keeps its time stamp."""
    for folder in {name.partition("/")[0] for name in files}:
        for path in (tree / folder).rglob("*"):
            if path.is_file() and path.relative_to(tree).as_posix() not in files:
                path.unlink()
    for name, path in files.items():
        copy = tree / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        # one that is gone meanwhile differs from what the key was computed of
        if path.is_file() and not (copy.is_file() and filecmp.cmp(path, copy, shallow=False)):
            shutil.copyfile(path, copy)


def _definitions(toolkit: Toolkit) -> list[str]:
    """Return CMake's definitions for a real toolkit; none for the simulated device."""
    if toolkit.kind == "simulator":
        return []
    operators = ";".join(toolkit.operator_libraries)
    custom = ";".join(map(str, toolkit.custom_includes))
    return [
        f"-DACLNN_CTS_TOOLKIT={toolkit.root}",
        f"-DACLNN_CTS_INCLUDE={toolkit.include}",
        f"-DACLNN_CTS_LIBRARIES={toolkit.libraries}",
        *([f"-DACLNN_CTS_CUSTOM_INCLUDES={custom}"] if custom else []),
        *([f"-DACLNN_CTS_OPERATOR_LIBRARIES={operators}"] if operators else []),
    ]


def _headers(toolkit: Toolkit) -> dict[str, Path]:
    """Return the headers that may change in place, by names that are independent of their place."""
    folders = [toolkit.include]
    if toolkit.kind == "hardware":
        folders = [toolkit.include / name for name in ("acl", "aclnn", "aclnnop")]
        folders += toolkit.custom_includes
    return _files({str(number): folder for number, folder in enumerate(folders)})


_ENVIRONMENT = (
    "CFLAGS", "CPPFLAGS", "CXXFLAGS", "LDFLAGS",
    "CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH",
)  # fmt: skip
"""Environment variables that affect compiler, linker and CMake."""


def _key(content: str, compiler: Compiler, options: Iterable[str]) -> str:
    """Return the cache key of a build's result.

    Args:
        content: Digest of what it is built from.
        compiler: The compiler. Its file counts, too, because a wrapper script has no version of its
            own.
        options: Everything else that affects the result.
    """
    file = Path(compiler.path).stat()
    environment = [os.environ.get(name, "") for name in _ENVIRONMENT]
    parts = (content, compiler, file.st_size, file.st_mtime_ns, list(options), environment)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]


def _content(files: Mapping[str, Path]) -> str:
    """Return a digest of the sources among files, by name and content; a missing one counts."""
    sources = sorted((name, path) for name, path in files.items() if path.suffix in _SOURCES)
    return digest_of_files((name, path.read_bytes()) for name, path in sources if path.is_file())


def make_once(final: Path, build: Callable[[Path], None]) -> None:
    """Run a build unless its result exists; other processes wait for it."""
    if take(final.parent, final.name):
        return
    with _locked(final.parent, final.name):
        if take(final.parent, final.name):
            return
        work = final.with_name(f"{final.name}.partial")
        shutil.rmtree(work, ignore_errors=True)
        try:
            work.mkdir(parents=True)
            build(work)
            work.replace(final)
        except OSError as error:
            raise explain(error, work) from None
        finally:
            shutil.rmtree(work, ignore_errors=True)


@contextlib.contextmanager
def _locked(folder: Path, name: str) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / f"{name}.lock").open("w")
    except OSError as error:
        raise explain(error, folder) from None
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _configure(source: Path, tree: Path, compiler: Compiler, options: Sequence[str]) -> None:
    tools = [f"-DCMAKE_CXX_COMPILER={compiler.path}", f"-DCMAKE_MAKE_PROGRAM={tool_path('ninja')}"]
    _cmake(["-S", str(source), "-B", str(tree), "-G", "Ninja", *tools, *options], str(source))


def tool_path(name: str) -> str:
    """Return the tool that is installed with the package, or else the one on PATH.

    Raises:
        NotTrustworthyError: It is not installed; the message says how to get it.
    """
    script = Path(sysconfig.get_path("scripts")) / name
    path = str(script) if script.is_file() else shutil.which(name)
    if path is None:
        raise NotTrustworthyError(f"{name} is missing; install it with: pip install {name}")
    return path


_MOST_LINES = 12

_DISK_FULL = "No space left on device"
"""Part of a compiler's message about a full disk."""


def _cmake(arguments: Sequence[str], what: str) -> None:
    run_tool([tool_path("cmake"), *arguments], what)


def run_tool(
    command: Sequence[str], what: str, folder: Path | None = None, advice: str = ""
) -> str:
    """Run a command that builds something; return its standard output.

    Args:
        folder: Where to run it; here if None.
        advice: What to do if it fails.

    Raises:
        NotTrustworthyError: It fails; the message has the errors of its output.
    """
    result = subprocess.run(  # noqa: S603
        command, cwd=folder, capture_output=True, text=True, errors="replace", check=False
    )
    if result.returncode == 0:
        return result.stdout
    lines = (result.stdout + result.stderr).splitlines()
    if any(_DISK_FULL in line for line in lines):
        raise NotTrustworthyError(
            f"cannot build {what}: the disk is full; free some space, or set ACLNN_CTS_CACHE "
            "and TMPDIR"
        )
    # A command has options such as -Werror.
    errors = [line for line in lines if _ERROR.search(_OPTION.sub("", line))] or lines
    shown = "\n".join([*errors[:_MOST_LINES], *filter(None, [advice])])
    raise NotTrustworthyError(f"cannot build {what}:\n{shown}")


_OPTION = re.compile(r"(?<!\S)-\S+")
_ERROR = re.compile("error|undefined", re.IGNORECASE)
