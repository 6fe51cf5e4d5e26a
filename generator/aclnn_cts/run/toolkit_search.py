# SPDX-License-Identifier: Apache-2.0
"""Which toolkit a run uses that nobody named one for, and where it keeps each operator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from aclnn_cts.emit.programs import called_besides
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.run.elf import exported
from aclnn_cts.run.releases import INSTALLATION
from aclnn_cts.run.toolkit import NoToolkitError, Toolkit, real_toolkit
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec

VARIABLES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")
"""What ``set_env.sh`` sets; the second name is that of older releases."""

PLACES = (INSTALLATION / "ascend-toolkit" / "latest", INSTALLATION / "cann")
"""Where toolkits are installed by default, in older and in newer releases."""


@dataclass(frozen=True)
class FoundToolkit:
    """A toolkit, and why it is used.

    Attributes:
        toolkit: The toolkit.
        origin: What led to it: an option, a variable, or where toolkits are by default.
    """

    toolkit: Toolkit
    origin: str


def find_toolkit(
    environment: Mapping[str, str], places: Sequence[Path] = PLACES
) -> FoundToolkit | None:
    """Return the toolkit that a variable names, or that stands where toolkits do by default.

    Where something is named or installed that is no toolkit for this host, it is an error: results
    of the simulated device must not take the place of the card's without anybody noticing.

    Args:
        environment: The environment's variables.
        places: Where to look if no variable names a toolkit.

    Raises:
        WrongInputError: The folder holds no toolkit for this host.
    """
    for name in VARIABLES:
        if environment.get(name):
            toolkit = _wanted(name, Path(environment[name]), "read the toolkit's set_env.sh again")
            return FoundToolkit(toolkit, name)
    for place in places:
        if place.is_dir():
            toolkit = _wanted(str(place), place, "install the toolkit again")
            return FoundToolkit(toolkit, "where toolkits are installed by default")
    return None


def _wanted(origin: str, folder: Path, mend: str) -> Toolkit:
    """Return the toolkit in a folder that nobody named in this call.

    Args:
        origin: What leads to the folder.
        folder: The folder.
        mend: What mends the way there, unless the toolkit itself wants mending.
    """
    try:
        return real_toolkit(folder)
    except NoToolkitError as error:
        raise WrongInputError(
            f"{origin} leads to no toolkit ({error.wrong}); {error.mend or mend}, name a toolkit "
            "with --cann, or run with --simulator"
        ) from None


@dataclass(frozen=True)
class Holding:
    """What a toolkit has of one operator.

    Attributes:
        operator: The operator.
        libraries: The libraries that define its two phases; usually one.
        lacking: What is not there: its header as programs include it, or a function.
    """

    operator: str
    libraries: tuple[Path, ...]
    lacking: tuple[str, ...]


def operator_libraries(toolkit: Toolkit) -> tuple[Path, ...]:
    """Return the libraries that may hold operators: the single one of older releases first."""
    return tuple(sorted(toolkit.libraries.glob("libopapi*.so"), key=lambda path: path.stem))


def holding_of(toolkit: Toolkit, spec: OperatorSpec) -> Holding:
    """Look for an operator's header and its two functions."""
    functions = (f"{spec.operator}GetWorkspaceSize", spec.operator)
    libraries: dict[str, Path] = {}
    for library in operator_libraries(toolkit):
        for name in exported(library, functions):
            libraries.setdefault(name, library)
    lacking = [] if (toolkit.include / spec.header).is_file() else [spec.header]
    lacking += [name for name in functions if name not in libraries]
    return Holding(spec.operator, tuple(dict.fromkeys(libraries.values())), tuple(lacking))


def needed_operators(specs: SpecSet, operators: Iterable[str]) -> tuple[str, ...]:
    """Return operators and those that their programs call besides, each once."""
    needed: dict[str, None] = {}
    for name in operators:
        needed |= dict.fromkeys((name, *called_besides(specs, specs.operators[name])))
    return tuple(needed)


def with_operators(toolkit: Toolkit, specs: SpecSet, operators: Sequence[str]) -> Toolkit:
    """Return a real toolkit that knows its libraries of some operators.

    Raises:
        NotTrustworthyError: It lacks something of an operator that they need.
    """
    needed = needed_operators(specs, operators)
    holdings = [holding_of(toolkit, specs.operators[name]) for name in needed]
    lacking = [f"{h.operator} ({', '.join(h.lacking)})" for h in holdings if h.lacking]
    if lacking:
        raise NotTrustworthyError(
            f"{toolkit.root}: this toolkit lacks {'; '.join(lacking)}; choose others with "
            "--operator, or install a release that has them"
        )
    libraries = dict.fromkeys(str(path) for holding in holdings for path in holding.libraries)
    return replace(toolkit, operator_libraries=tuple(libraries))
