# SPDX-License-Identifier: Apache-2.0
"""Which toolkit a run uses that nobody named one for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.errors import WrongInputError
from aclnn_cts.run.releases import INSTALLATION
from aclnn_cts.run.toolkit import NoToolkitError, Toolkit, real_toolkit

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
