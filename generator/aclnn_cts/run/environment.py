# SPDX-License-Identifier: Apache-2.0
"""The environment of a run: toolkit, programs, releases and libraries."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.emit.programs import require_generated
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import sha256_of
from aclnn_cts.run.build import (
    Compiler,
    build_parts,
    build_programs,
    build_simulator,
    find_compiler,
)
from aclnn_cts.run.devices import DEFAULT_PRODUCT, ask_toolkit
from aclnn_cts.run.fault_injection import Change, build_faulty
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.toolkit import (
    Toolkit,
    installed_version,
    linked_libraries,
    loader_environment,
    needed_operators,
    real_toolkit,
    with_operators,
)
from aclnn_cts.run.toolkit_layout import INSTALLATION
from aclnn_cts.spec.loading import SpecSet, editions_of, load_specs
from aclnn_cts.suite import Suite


def host_memory() -> int | None:
    """Return the available memory of this host in bytes; None if unknown."""
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    except OSError:
        return None
    sizes = dict(line.split(":", 1) for line in lines if ":" in line)
    available = sizes.get("MemAvailable", "").split()
    return int(available[0]) * 1024 if available else None


@dataclass(frozen=True)
class Library:
    """A library that the programs were linked with.

    Attributes:
        name: Its file name, such as ``libopapi.so``.
        path: Its path, links resolved.
    """

    name: str
    path: str
    sha256: str


@dataclass(frozen=True)
class Environment:
    """The environment of a run; unknown fields are empty.

    Attributes:
        architecture: Of the host, as ``uname -m`` reports it.
        compiler: The first line that the compiler prints about itself.
        toolkit_version: The release according to the toolkit's files.
        devices: Numbers of the devices that were used.
        libraries: The files that the loader uses for the libraries of the programs.
    """

    host: str = ""
    architecture: str = ""
    compiler: str = ""
    toolkit: str = ""
    toolkit_version: str = ""
    driver: str = ""
    firmware: str = ""
    devices: tuple[int, ...] = ()
    libraries: tuple[Library, ...] = ()


def describe_environment(
    toolkit: Toolkit,
    compiler: Compiler,
    programs: Iterable[Path],
    devices: tuple[int, ...],
    variables: Mapping[str, str],
    installation: Path = INSTALLATION,
) -> Environment:
    """Return the environment of a run on this host.

    Args:
        compiler: The compiler of the programs.
        variables: The whole environment of the programs.
        installation: Where driver and firmware are installed.

    Raises:
        NotTrustworthyError: A program's libraries are unknown, or one is missing.
    """
    real = toolkit.kind == "hardware"
    return Environment(
        host=platform.node(),
        architecture=platform.machine(),
        compiler=compiler.version,
        toolkit=str(toolkit.root) if real else "simulator",
        toolkit_version=toolkit.version,
        driver=installed_version("driver", installation) if real else "",
        firmware=installed_version("firmware", installation) if real else "",
        devices=devices,
        libraries=_libraries(programs, loader_environment(toolkit, variables)),
    )


def _libraries(programs: Iterable[Path], variables: Mapping[str, str]) -> tuple[Library, ...]:
    paths: dict[str, Path] = {}
    for program in programs:
        for name, path in linked_libraries(program, variables).items():
            if path is None:
                raise NotTrustworthyError(
                    f"{program.name} needs {name}, which is not found; read the toolkit's "
                    "set_env.sh and install the driver, then see `aclnn-cts doctor`"
                )
            paths[name] = path
    return tuple(_library(name, path) for name, path in sorted(paths.items()))


def _library(name: str, path: Path) -> Library:
    try:
        return Library(name, str(path), sha256_of(path))
    except OSError as error:
        raise NotTrustworthyError(f"{path}: cannot be read: {error.strerror}") from None


def require_same_libraries(before: Environment, now: Environment) -> None:
    """Refuse to mix results of two releases in one folder.

    Args:
        before: The environment at the beginning of the run.
        now: The current environment.

    Raises:
        NotTrustworthyError: A library has changed; names the first.
    """
    libraries = [{(each.name, each.sha256) for each in side.libraries} for side in (before, now)]
    changed = sorted(name for name, _ in libraries[0] ^ libraries[1])
    if changed:
        raise NotTrustworthyError(
            f"{changed[0]} has changed since the run began "
            f"({before.toolkit} {before.toolkit_version} then, {now.toolkit} {now.toolkit_version} "
            "now); results of two releases do not mix: run it from the start"
        )


@dataclass(frozen=True)
class Prepared:
    """The parts that running cases needs.

    Attributes:
        toolkit: The toolkit that the programs use.
        memory: Bytes that are free on the device with the fewest; None if none told.
    """

    toolkit: Toolkit
    programs: Path
    environment: Environment
    memory: int | None = None


def prepare(
    suite: Suite,
    specs: SpecSet,
    config: RunConfig,
    operators: Sequence[str],
    change: Change | None = None,
) -> Prepared:
    """Build what is missing, and return the environment of the programs.

    Args:
        config: The toolkit, the devices and whether to sanitize.
        operators: The operators whose programs are needed, each once.
        change: What makes the simulated device a faulty one; None for the unharmed one.

    Raises:
        NotTrustworthyError: Something does not build, or is missing; see the message.
        WrongInputError: It is not a toolkit.
    """
    memory = config.memory
    options = ("-DACLNN_CTS_SANITIZE=ON",) if config.sanitize else ()
    compiler = find_compiler()
    called = needed_operators(specs, operators)
    require_generated(suite, called)
    if config.cann:
        editions = [load_specs(suite, edition) for edition in editions_of(suite)]
        toolkit = with_operators(real_toolkit(Path(config.cann)), editions, operators)
        folder = build_programs(suite, compiler, toolkit, options, operators)
    else:
        toolkit = build_simulator(suite, compiler, options)
        # An author of an operator need not wait for others; under a sanitizer few are ever run.
        only = operators if suite.folders or config.sanitize else ()
        folder = build_programs(suite, compiler, toolkit, options, only)
        variables = {**os.environ, "ACLNN_SIM_SOC": specs.product(DEFAULT_PRODUCT).simulated_soc}
        memory = ask_toolkit(suite, toolkit, variables, (0,), options).memory
    if change is not None:
        toolkit = build_faulty(suite, build_parts(suite, compiler), change, {*called})
    programs = [folder / operator for operator in operators]
    devices = tuple(dict.fromkeys(config.devices))
    environment = describe_environment(toolkit, compiler, programs, devices, os.environ)
    return Prepared(toolkit, folder, environment, memory)
