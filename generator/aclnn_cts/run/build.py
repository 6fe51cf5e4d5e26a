# SPDX-License-Identifier: Apache-2.0
"""Building the simulator and the programs, once for each content of their sources."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import os
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import explain
from aclnn_cts.run.toolkit import Toolkit
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
    """A C++ compiler that was tried.

    Attributes:
        path: The program.
        version: The first line that it prints about itself.
    """

    path: str
    version: str


def find_compiler() -> Compiler:
    """Return the compiler that ``CXX`` names, or the first of c++, g++ and clang++ on the path.

    Raises:
        NotTrustworthyError: There is none, or it does not compile C++17.
    """
    wanted = os.environ.get("CXX")
    names = [wanted] if wanted else ["c++", "g++", "clang++"]
    path = next((found for name in names if (found := shutil.which(name))), None)
    if path is None:
        missing = "no C++ compiler found"
        if wanted:
            missing = f"CXX is {wanted!r}, which is no program (it takes one, without options)"
        raise NotTrustworthyError(f"{missing}: {_ADVICE}")
    return _tried(path)


@functools.lru_cache(maxsize=8)
def _tried(path: str) -> Compiler:
    """Return a compiler that builds C++17 programs; once for a process that runs many times."""
    version = _output([path, "--version"]).splitlines()
    with tempfile.TemporaryDirectory() as folder:
        probe = Path(folder) / "probe.cpp"
        probe.write_text(_PROBE, encoding="utf-8")
        command = [path, "-std=c++17", str(probe), "-o", str(Path(folder) / "probe")]
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, errors="replace", check=False
        )
    if done.returncode != 0:
        about = version[0] if version else path
        raise NotTrustworthyError(f"{about} does not build C++17 programs: {_ADVICE}")
    return Compiler(path, version[0] if version else "")


def _output(command: list[str]) -> str:
    try:
        return subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, errors="replace", check=False
        ).stdout
    except OSError as error:
        raise NotTrustworthyError(f"{command[0]} cannot be run ({error}): {_ADVICE}") from None


_SOURCES = (".cpp", ".h", ".txt", ".map", ".cmake")

COMMANDS, DEPENDENCIES = "commands.json", "dependencies.txt"
"""In the tree of :func:`build_parts`: how each file is made, and from which files."""


def build_simulator(suite: Suite, compiler: Compiler, options: Sequence[str] = ()) -> Toolkit:
    """Build and install the simulated device; return it as a toolkit.

    Args:
        suite: Where its sources are, and the cache.
        compiler: What to build with.
        options: Further CMake definitions, such as ``-DACLNN_CTS_SANITIZE=ON``.

    Raises:
        NotTrustworthyError: It does not build.
    """
    key = _digest([suite.simulator], compiler, options)
    final = suite.cache / "simulator" / key

    def build(work: Path) -> None:
        source, tree = suite.simulator, work / "build"
        _configure(source, tree, compiler, options)
        _cmake(["--build", str(tree)], "the simulator")
        _cmake(["--install", str(tree), "--prefix", str(work / "toolkit")], "the simulator")
        shutil.rmtree(tree)

    made_once(final, build)
    return Toolkit(final / "toolkit", "simulator")


def build_programs(
    suite: Suite,
    compiler: Compiler,
    toolkit: Toolkit,
    options: Sequence[str] = (),
    operators: Sequence[str] = (),
) -> Path:
    """Build the generated programs against a toolkit; return the folder that holds them.

    Args:
        suite: Where their sources are, and the cache.
        compiler: What to build with.
        toolkit: What to build against.
        options: Further CMake definitions.
        operators: The programs to build; all if it is empty. A toolkit need not have the others.

    Raises:
        NotTrustworthyError: A program does not build: its sources ask for something that the
            toolkit lacks.
    """
    definitions = [*_definitions(toolkit), *options]
    sources = [suite.harness, suite.generated_tests, *_headers(toolkit)]
    key = _digest(sources, compiler, [*definitions, *operators])
    final = suite.cache / "programs" / key
    targets = [part for operator in operators for part in ("--target", operator)]

    def build(work: Path) -> None:
        tree = work / "build"
        _configure(suite.generated_tests, tree, compiler, definitions)
        _cmake(["--build", str(tree), *targets], "the generated programs")
        for path in tree.glob("aclnn*"):
            if os.access(path, os.X_OK) and path.is_file():
                path.replace(work / path.name)
        shutil.rmtree(tree)

    made_once(final, build)
    return final


PROBE = "aclnn-cts-probe"


def build_probe(suite: Suite, compiler: Compiler, toolkit: Toolkit) -> Path:
    """Build the program that asks a toolkit's runtime for its devices; return it.

    Raises:
        NotTrustworthyError: It does not build.
    """
    definitions = _definitions(toolkit)
    key = _digest([suite.harness, *_headers(toolkit)], compiler, definitions)
    final = suite.cache / "probe" / key

    def build(work: Path) -> None:
        tree = work / "build"
        _configure(suite.harness / "probe", tree, compiler, definitions)
        _cmake(["--build", str(tree)], "the program that asks for the devices")
        (tree / PROBE).replace(work / PROBE)
        shutil.rmtree(tree)

    made_once(final, build)
    return final / PROBE


def _definitions(toolkit: Toolkit) -> list[str]:
    """Return what CMake must know of a toolkit."""
    operators = ";".join(toolkit.operator_libraries)
    return [
        f"-DACLNN_CTS_TOOLKIT={toolkit.root}",
        f"-DACLNN_CTS_INCLUDE={toolkit.include}",
        f"-DACLNN_CTS_LIBRARIES={toolkit.libraries}",
        *([f"-DACLNN_CTS_OPERATOR_LIBRARIES={operators}"] if operators else []),
    ]


def _headers(toolkit: Toolkit) -> list[Path]:
    """Return the folders of headers that may change while their path stays the same."""
    if toolkit.kind == "simulator":
        return []
    return [toolkit.include / name for name in ("acl", "aclnn", "aclnnop")]


def build_parts(suite: Suite, compiler: Compiler) -> Path:
    """Build the simulated device once more, and keep its objects; return the build tree.

    A faulty device differs from the unharmed one in a source or two: only these are compiled anew,
    by the very commands of this tree (``commands.json``), and linked with its other objects. It is
    compiled with less optimisation, which gives the same bits, because compiling is what takes
    time.

    Raises:
        NotTrustworthyError: It does not build.
    """
    options = (
        "-DCMAKE_BUILD_TYPE=Faulty",
        "-DCMAKE_CXX_FLAGS_FAULTY=-O1",
        "-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON",
        "-DACLNN_CTS_PRECOMPILE=ON",
    )
    # The commands name the sources by their full paths, so each checkout has a tree of its own.
    key = _digest([suite.simulator], compiler, [*options, str(suite.simulator)])
    final = suite.cache / "parts" / key

    def build(work: Path) -> None:
        _configure(suite.simulator, work, compiler, options)
        _cmake(["--build", str(work)], "the simulator")
        for tool, file in (("compdb", COMMANDS), ("deps", DEPENDENCIES)):
            # The tree gets its name when it is whole.
            told = run_tool(
                [tool_path("ninja"), "-C", str(work), "--quiet", "-t", tool], "the simulator"
            )
            (work / file).write_text(told.replace(str(work), str(final)), encoding="utf-8")

    made_once(final, build)
    return final


def _digest(folders: Iterable[Path], compiler: Compiler, options: Iterable[str]) -> str:
    digest = hashlib.sha256(repr((compiler, list(options))).encode())
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix in _SOURCES:
                content = hashlib.sha256(path.read_bytes()).hexdigest()
                digest.update(f"{path.relative_to(folder)} {content}\n".encode())
    return digest.hexdigest()[:24]


def made_once(final: Path, build: Callable[[Path], None]) -> None:
    """Run a build whose result takes its name only when it is whole; other processes wait."""
    if final.is_dir():
        return
    with _locked(final.parent, final.name):
        if final.is_dir():
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
    command = ["-S", str(source), "-B", str(tree), "-G", "Ninja"]
    command += [
        f"-DCMAKE_CXX_COMPILER={compiler.path}",
        f"-DCMAKE_MAKE_PROGRAM={tool_path('ninja')}",
    ]
    _cmake([*command, *options], str(source))


def tool_path(name: str) -> str:
    """Return a tool that came with the package, or else the one on the path.

    Raises:
        NotTrustworthyError: There is none; says how to get it.
    """
    own = Path(sysconfig.get_path("scripts")) / name
    path = str(own) if own.is_file() else shutil.which(name)
    if path is None:
        raise NotTrustworthyError(f"{name} is missing; install it with: pip install {name}")
    return path


_KEPT_LINES = 12


def _cmake(arguments: Sequence[str], what: str) -> None:
    run_tool([tool_path("cmake"), *arguments], what)


def run_tool(command: Sequence[str], what: str, folder: Path | None = None) -> str:
    """Run a command that builds something; return its standard output.

    Args:
        command: The program and its arguments.
        what: What is built, for the message.
        folder: Where to run it; here if None.

    Raises:
        NotTrustworthyError: It fails; with the telling lines of its output.
    """
    done = subprocess.run(  # noqa: S603
        command, cwd=folder, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode == 0:
        return done.stdout
    lines = (done.stdout + done.stderr).splitlines()
    if any("No space left on device" in line for line in lines):
        raise NotTrustworthyError(
            f"{what} would not build: the disk is full; free some space, or set ACLNN_CTS_CACHE"
        )
    telling = [line for line in lines if "error" in line.lower() or "undefined" in line] or lines
    shown = "\n".join(telling[:_KEPT_LINES])
    raise NotTrustworthyError(f"{what} would not build:\n{shown}")
