# SPDX-License-Identifier: Apache-2.0
"""The CANN toolkit that programs are built against: a real one, or the built-in simulator.

Releases differ in layout. Headers and libraries are in ``include`` and ``lib64`` of the toolkit's
folder, or of a folder for one architecture below it; operators are in one library or in several. So
everything is queried: the release from files, machine and symbols from the libraries (ELF), and a
program's libraries from the dynamic loader.
"""

from __future__ import annotations

import itertools
import os
import platform
import re
import struct
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from aclnn_cts.emit.programs import operators_beside
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.run.process import start_command
from aclnn_cts.run.toolkit_layout import (
    CUSTOM,
    CUSTOM_LIBRARY,
    HEADERS,
    LIBRARIES,
    MOST_RELEASE_BYTES,
    PLACES,
    RELEASE_FILES,
    VARIABLES,
    branches_of,
    custom_packages,
    has_all,
    newest_release,
)
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

if TYPE_CHECKING:
    from elftools.elf.hash import ELFHashSection, GNUHashSection

_MACHINES = {"EM_X86_64": "x86_64", "EM_AARCH64": "aarch64"}
_HASHES = (".gnu.hash", ".hash")

_UNREADABLE = (OSError, struct.error, ArithmeticError, LookupError, TypeError, ValueError)
"""Errors of reading a file that is damaged or not ELF, because the reader trusts sizes and offsets.
The reader takes long to import, and most commands read no library."""


def machine_of(path: Path) -> str:
    """Return a file's machine, as ``uname -m`` calls it; empty if it is not an ELF file.

    A machine that CANN does not support keeps its ELF name.
    """
    from elftools.common.exceptions import ELFError  # noqa: PLC0415
    from elftools.elf.elffile import ELFFile  # noqa: PLC0415

    try:
        with path.open("rb") as file:
            machine = str(ELFFile(file).header["e_machine"])
    except (ELFError, *_UNREADABLE):
        return ""
    return _MACHINES.get(machine, machine.removeprefix("EM_").lower())


def find_exports(path: Path, names: Sequence[str]) -> frozenset[str]:
    """Return which of some names a library exports; none if it is not an ELF file.

    The hash table is fast, and a library of operators has many thousands of symbols.
    """
    from elftools.common.exceptions import ELFError  # noqa: PLC0415
    from elftools.elf.elffile import ELFFile  # noqa: PLC0415
    from elftools.elf.hash import ELFHashSection, GNUHashSection  # noqa: PLC0415

    try:
        with path.open("rb") as file:
            sections = map(ELFFile(file).get_section_by_name, _HASHES)
            tables = [s for s in sections if isinstance(s, GNUHashSection | ELFHashSection)]
            return frozenset(name for name in names if any(_defines(t, name) for t in tables))
    except (ELFError, *_UNREADABLE):
        return frozenset()


def _defines(table: GNUHashSection | ELFHashSection, name: str) -> bool:
    symbol = table.get_symbol(name)
    return symbol is not None and symbol["st_shndx"] != "SHN_UNDEF"


_FACT = re.compile(r"\s*(?P<key>[A-Za-z_]+)\s*=\s*(?P<value>[^\s#]+)\s*")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
_RUNNING = re.compile(r"\[[^:\]]*:(?P<version>[^\]]*)\]")
"""``version.cfg`` pairs a package's own version with that of the release: ``[7.1.0:8.0.RC1]``."""


def toolkit_version(folders: Iterable[Path]) -> str:
    """Return the release of a toolkit; empty if no file of it states one.

    Args:
        folders: The toolkit's folder, and those of one architecture below it.
    """
    files = (folder / name for folder in folders for name in RELEASE_FILES)
    keys = ("version_dir", "version", "runtime_running_version")
    return next(filter(None, (_version(file, keys) for file in files)), "")


def installed_version(part: Literal["driver", "firmware"], installation: Path) -> str:
    """Return the release of driver or firmware; empty if it is not installed there."""
    return _version(installation / part / "version.info", ("version", "package_version"))


def _version(file: Path, keys: Sequence[str]) -> str:
    facts = dict(_facts(file))
    for key in keys:
        value = facts.get(key, "")
        paired = _RUNNING.fullmatch(value)
        value = paired["version"] if paired else value
        if _VERSION.fullmatch(value):
            return value
    return ""


def _facts(file: Path) -> Iterator[tuple[str, str]]:
    """Yield keys, in lower case, and values; other lines are skipped."""
    try:
        with file.open("rb") as content:
            text = content.read(MOST_RELEASE_BYTES).decode("utf-8", "replace")
    except OSError:
        return
    for fact in filter(None, map(_FACT.fullmatch, text.splitlines())):
        yield fact["key"].lower(), fact["value"]


_ADVICE = "--cann takes the toolkit folder that ASCEND_HOME_PATH names after `source set_env.sh`"


class NoToolkitError(WrongInputError):
    """A folder holds no toolkit that this host can run.

    Attributes:
        wrong: The problem, without advice.
        mend: How to repair the toolkit itself; empty if another folder must be named.
    """

    def __init__(self, wrong: str, mend: str = "", instead: str = "") -> None:
        """Create the message for a folder that ``--cann`` names; ``instead`` is the alternative."""
        advice = ", or ".join(filter(None, (mend or _ADVICE, instead)))
        super().__init__(f"{wrong}; {advice}")
        self.wrong = wrong
        self.mend = mend


@dataclass(frozen=True)
class Toolkit:
    """Headers and libraries as CANN lays them out.

    Attributes:
        kind: ``simulator`` for the built-in device, ``hardware`` for a real toolkit.
        fault: Id of the fault that the simulated device was given; empty for an unharmed one. A
            faulty toolkit has libraries only: programs are those of the unharmed one.
        variant: Id of the variant that the simulated device is; libraries only, too.
        include_folder: Where the headers are, below ``root``.
        library_folder: Where the libraries are, below ``root``.
        operator_libraries: Files that hold the operators; if it is empty, CMake finds them.
        version: What the toolkit's own files say; empty if they say nothing.
        custom: The folders ``op_api`` of custom packages, which have operators, too.
        played: The device that the simulator's library plays; empty if it has only one.
    """

    root: Path
    kind: Literal["simulator", "hardware"]
    fault: str = ""
    variant: str = ""
    include_folder: str = "include"
    library_folder: str = "lib64"
    operator_libraries: tuple[str, ...] = ()
    version: str = ""
    custom: tuple[Path, ...] = ()
    played: str = ""

    @property
    def custom_includes(self) -> tuple[Path, ...]:
        return tuple(folder / "include" for folder in self.custom)

    @property
    def include(self) -> Path:
        return self.root / self.include_folder

    @property
    def libraries(self) -> Path:
        return self.root / self.library_folder


def real_toolkit(root: Path, environment: Mapping[str, str] = os.environ) -> Toolkit:
    """Return a real toolkit; raises NoToolkitError if this host cannot use it.

    Args:
        root: Its folder, or the folder that holds ``latest``.
        environment: The environment's variables, which name custom packages.

    Raises:
        NoToolkitError: There is no such folder, a header or library is missing, or the libraries
            are for another architecture; names it.
    """
    if not root.is_dir():
        wrong = "is not a folder" if root.exists() else "there is no such folder"
        raise NoToolkitError(f"{root}: {wrong}")
    root = newest_release(root.resolve())
    machine = platform.machine()
    branches = branches_of(root, machine)
    include = next((b / "include" for b in branches if has_all(b / "include", HEADERS)), None)
    if include is None:
        _refuse_other_host(root, machine)
        missing = next(name for name in HEADERS if not (root / "include" / name).exists())
        raise NoToolkitError(f"{root}: include/{missing} is missing")
    libraries = _libraries(root, branches, machine)
    return Toolkit(
        root,
        "hardware",
        include_folder=str(include.relative_to(root)),
        library_folder=str(libraries.relative_to(root)),
        version=toolkit_version(branches),
        custom=custom_packages(root, environment.get(CUSTOM, "")),
    )


def _libraries(root: Path, branches: tuple[Path, ...], machine: str) -> Path:
    """Return the first folder with libraries for this host."""
    folders = [b / "lib64" for b in branches if has_all(b / "lib64", LIBRARIES)]
    for folder in folders:
        if all(machine_of(folder / name) == machine for name in LIBRARIES):
            return folder
    candidates = (folder / name for folder in folders for name in LIBRARIES)
    other_branches = root.glob(f"*-linux/lib64/{LIBRARIES[0]}")
    for library in (*candidates, *other_branches):
        if machine_of(library) != machine:
            raise _foreign_library(library, machine)
    holders = (b / "lib64" for b in branches if any((b / "lib64" / n).exists() for n in LIBRARIES))
    first = next(holders, root / "lib64")
    missing = next(first / name for name in LIBRARIES if not (first / name).exists())
    raise NoToolkitError(f"{root}: {missing.relative_to(root)} is missing")


def _refuse_other_host(root: Path, machine: str) -> None:
    """Refuse a toolkit whose parts all lie in the folder of another architecture.

    Raises:
        NoToolkitError: It is one; names the architecture.
    """
    for folder in sorted(root.glob("*-linux")):
        library = folder / "lib64" / LIBRARIES[0]
        architecture = machine_of(library) or folder.name.removesuffix("-linux")
        is_toolkit = has_all(folder / "include", HEADERS) and library.exists()
        if is_toolkit and architecture != machine:
            raise NoToolkitError(
                f"{root}: is a toolkit for {architecture} hosts (in {folder.name}), but this host "
                f"is {machine}",
                f"install the toolkit for {machine}",
                f"run on a host of {architecture}",
            )


def _foreign_library(library: Path, machine: str) -> NoToolkitError:
    architecture = machine_of(library)
    if not architecture:
        return NoToolkitError(f"{library}: is not a library", "install the toolkit again")
    return NoToolkitError(
        f"{library}: is for {architecture}, but this host is {machine}",
        f"install the toolkit for {machine}",
        "run on a host of that architecture",
    )


@dataclass(frozen=True)
class FoundToolkit:
    """A toolkit and its origin.

    Attributes:
        origin: Its origin: an option, a variable, or the default folder.
    """

    toolkit: Toolkit
    origin: str


def find_toolkit(
    environment: Mapping[str, str], places: Sequence[Path] = PLACES
) -> FoundToolkit | None:
    """Return the toolkit that a variable names, or that is in the default folder.

    A named or installed folder that is not a toolkit for this host is an error, so that the
    simulated device never silently replaces the card.

    Args:
        places: Where to look if no variable names a toolkit.

    Raises:
        WrongInputError: The folder holds no toolkit for this host.
    """
    for name in filter(environment.get, VARIABLES):
        mend = "read the toolkit's set_env.sh again"
        return FoundToolkit(_require(name, Path(environment[name]), mend, environment), name)
    for place in filter(Path.is_dir, places):
        toolkit = _require(str(place), place, "install the toolkit again", environment)
        return FoundToolkit(toolkit, "where toolkits are installed by default")
    return None


def _require(origin: str, folder: Path, mend: str, environment: Mapping[str, str]) -> Toolkit:
    """Return the toolkit in a folder that the command line does not name.

    Args:
        mend: Advice, unless the toolkit itself must be repaired.
    """
    try:
        return real_toolkit(folder, environment=environment)
    except NoToolkitError as error:
        raise WrongInputError(
            f"{origin} leads to no toolkit ({error.wrong}); {error.mend or mend}, name a toolkit "
            "with --cann, or run with --simulator"
        ) from None


@dataclass(frozen=True)
class Holding:
    """Header and library of one operator.

    Attributes:
        libraries: The libraries that define its two phases; usually one.
        lacking: The missing parts: its header, or functions.
        hidden: Libraries that define a phase, too, and are not used.
    """

    operator: str
    libraries: tuple[Path, ...]
    lacking: tuple[str, ...]
    hidden: tuple[Path, ...] = ()


def operator_libraries(toolkit: Toolkit) -> tuple[Path, ...]:
    """Return the libraries that may hold operators: those of custom packages first.

    A package's operator replaces the toolkit's. Of the toolkit's libraries, the single one of older
    releases comes first.
    """
    libraries = sorted(toolkit.libraries.glob("libopapi*.so"), key=lambda path: path.stem)
    return (*(folder / "lib" / CUSTOM_LIBRARY for folder in toolkit.custom), *libraries)


def holding_of(toolkit: Toolkit, spec: OperatorSpec) -> Holding:
    """Look for an operator's header and its two functions."""
    functions = (f"{spec.operator}GetWorkspaceSize", spec.operator)
    libraries: dict[str, Path] = {}
    holders = []
    for library in operator_libraries(toolkit):
        for name in find_exports(library, functions):
            libraries.setdefault(name, library)
            holders.append(library)
    headers = (toolkit.include, *toolkit.custom_includes)
    lacking = [] if any((folder / spec.header).is_file() for folder in headers) else [spec.header]
    lacking += [name for name in functions if name not in libraries]
    used = tuple(dict.fromkeys(libraries.values()))
    hidden = tuple(path for path in dict.fromkeys(holders) if path not in used)
    return Holding(spec.operator, used, tuple(lacking), hidden)


def needed_operators(specs: SpecSet, operators: Iterable[str]) -> tuple[str, ...]:
    """Return operators and those that their programs also call, each once."""
    needed: dict[str, None] = {}
    for name in operators:
        needed |= dict.fromkeys((name, *operators_beside(specs, specs.operators[name])))
    return tuple(needed)


def with_operators(
    toolkit: Toolkit, editions: Sequence[SpecSet], operators: Sequence[str]
) -> Toolkit:
    """Return a real toolkit that knows its libraries of some operators.

    Args:
        editions: The specs in each edition, because a program is linked for the cases of all.

    Raises:
        NotTrustworthyError: It lacks something of an operator that they need.
    """
    needed: dict[str, OperatorSpec] = {}
    for specs in editions:
        present = [name for name in operators if name in specs.operators]
        for name in needed_operators(specs, present):
            needed.setdefault(name, specs.operators[name])
    holdings = [holding_of(toolkit, spec) for spec in needed.values()]
    if any(holding.lacking for holding in holdings):
        beside = {name for specs in editions for name in beside_others(specs)}
        raise _lacking(toolkit, holdings, operators, beside)
    libraries = dict.fromkeys(path for holding in holdings for path in holding.libraries)
    _refuse_namesakes(libraries)
    return replace(toolkit, operator_libraries=tuple(map(str, libraries)))


def beside_others(specs: SpecSet) -> frozenset[str]:
    """Return the operators that programs of others may call."""
    return frozenset(itertools.chain.from_iterable(specs.side_calls.values()))


def _lacking(
    toolkit: Toolkit, holdings: Sequence[Holding], operators: Sequence[str], beside: Collection[str]
) -> NotTrustworthyError:
    """Return the error of a toolkit that lacks operators.

    Args:
        operators: The operators that are to be tested.
        beside: Those that programs of others call.
    """
    missing = {h.operator: f"{h.operator} ({', '.join(h.lacking)})" for h in holdings if h.lacking}
    advice = []
    if any(name in operators or name not in beside for name in missing):
        advice.append("choose others with --operator")
    if side_calls := [name for name in missing if name in beside]:
        advice.append(without_side_calls(side_calls))
    return NotTrustworthyError(
        f"{toolkit.root}: this toolkit lacks {'; '.join(missing.values())}; "
        f"{' and '.join(advice)}, or install a release that has them"
    )


def without_side_calls(operators: Iterable[str]) -> str:
    """Return the advice for operators that a toolkit lacks and programs of others call."""
    return (
        f"remove {' and '.join(operators)} from side_calls in specs/common.yaml, so that other "
        "programs do without, and run `aclnn-cts generate`"
    )


def _refuse_namesakes(libraries: Iterable[Path]) -> None:
    """Refuse libraries of one name, because the loader would take the first for all programs."""
    path_by_name: dict[str, Path] = {}
    for path in libraries:
        other = path_by_name.setdefault(path.name, path)
        if other != path:
            raise NotTrustworthyError(
                f"{path} and {other} have the same name, so a program can load only one of them; "
                f"run the operators of one package, with --operator, and leave only it in {CUSTOM}"
            )


_LOADED = re.compile(r"\s*(?:(?P<name>.+) => )?(?P<path>not found|/.*?)(?: \(0x[0-9a-f]+\))?")
"""A library without a soname, and the loader, are listed with only their path."""

_LOADER_SECONDS = 60.0


def loader_environment(toolkit: Toolkit, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment in which programs find this toolkit's libraries first.

    ``set_env.sh`` may have been read from another toolkit, and the loader does not look for a
    library's dependencies where the program was linked.
    """
    usual = environment.get("LD_LIBRARY_PATH", "")
    operators = (str(Path(library).parent) for library in toolkit.operator_libraries)
    packages = (str(folder / "lib") for folder in toolkit.custom)
    first = dict.fromkeys((str(toolkit.libraries), *operators, *packages))
    folders = os.pathsep.join(filter(None, (*first, usual)))
    return {**environment, "LD_LIBRARY_PATH": folders}


def linked_libraries(program: Path, environment: Mapping[str, str]) -> dict[str, Path | None]:
    """Return the file that the loader uses for each library of a program, directly or not.

    The loader itself lists them, without starting the program. None means a library that it does
    not find.

    Args:
        program: A program that was linked dynamically.
        environment: Its whole environment.

    Raises:
        NotTrustworthyError: The loader cannot read the program, or its output is not glibc's.
    """
    try:
        result = subprocess.run(  # noqa: S603
            start_command(program),
            env={**environment, "LD_TRACE_LOADED_OBJECTS": "1"},
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_LOADER_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _unknown_libraries(program, str(error)) from None
    libraries: dict[str, Path | None] = {}
    for line in filter(None, map(_LOADED.fullmatch, result.stdout.splitlines())):
        path = None if line["path"] == "not found" else Path(line["path"]).resolve()
        libraries[Path(line["name"] or line["path"]).name] = path
    # The loader may fail if a library is not found, but lists it all the same.
    if result.returncode != 0 and None not in libraries.values():
        errors = result.stderr.strip().splitlines() or ["the loader fails"]
        raise _unknown_libraries(program, f"{errors[-1]} (status {result.returncode})")
    if not libraries:
        raise _unknown_libraries(program, "the loader names none")
    return libraries


def _unknown_libraries(program: Path, reason: str) -> NotTrustworthyError:
    return NotTrustworthyError(
        f"{program}: its libraries are unknown: {reason}; it must be linked dynamically, for a "
        "host with glibc"
    )
