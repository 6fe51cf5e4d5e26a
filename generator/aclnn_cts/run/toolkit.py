# SPDX-License-Identifier: Apache-2.0
"""The CANN toolkit that programs are built against: a real one, or the built-in simulator."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from aclnn_cts.errors import WrongInputError

_NEEDED = ("include/acl/acl.h", "include/aclnn/acl_meta.h", "lib64/libascendcl.so")


@dataclass(frozen=True)
class Toolkit:
    """A folder with ``include`` and ``lib64`` as CANN lays them out.

    Attributes:
        root: The folder.
        kind: ``simulator`` for the built-in device, ``hardware`` for a real toolkit.
        fault: Id of the fault that the simulated device was given; empty for an unharmed one. A
            faulty toolkit has libraries only: programs are those of the unharmed one.
    """

    root: Path
    kind: Literal["simulator", "hardware"]
    fault: str = ""


def real_toolkit(root: Path) -> Toolkit:
    """Return a real toolkit after a look whether it is one.

    Raises:
        WrongInputError: A header or library is missing; names it.
    """
    root = root.resolve()
    for needed in _NEEDED:
        if not (root / needed).exists():
            raise WrongInputError(
                f"{root}: {needed} is missing; --cann takes the toolkit folder that "
                "ASCEND_HOME_PATH names after `source set_env.sh`"
            )
    return Toolkit(root, "hardware")
