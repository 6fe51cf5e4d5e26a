# SPDX-License-Identifier: Apache-2.0
"""Devices that a change of the suite concerns, and a sample of all others."""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import yaml

from aclnn_cts.errors import WrongInputError
from aclnn_cts.qualify.catalog import Entry
from aclnn_cts.spec.loading import SpecSet

_INCLUDED = re.compile(r'#include "operators/(\w+)\.h"')

ONE_IN = 10
"""The share of operators that a change does not touch, of which the devices are tried, too."""


def select_since(
    commit: str, specs: SpecSet, entries: Sequence[Entry], folder: Path
) -> list[Entry]:
    """Return the devices of operators and classes that differ from a commit, and a sample.

    The id of the present commit decides about the others, so each commit tries different ones.

    Args:
        folder: A folder of the checkout, with ``simulator``.

    Raises:
        WrongInputError: It is no checkout of git, or has no such commit.
    """
    paths = _git(folder, "diff", "--name-only", "--end-of-options", commit).splitlines()
    stems = _add_users({Path(path).stem for path in paths}, folder / "simulator" / "operators")
    touched = {
        spec.operator
        for spec in specs.operators.values()
        if not stems.isdisjoint({Path(spec.file).stem, spec.kernel, spec.golden})
    }
    changed = _changed_entries(folder, commit, "faults") | _changed_entries(
        folder, commit, "variants"
    )
    touched |= {name for kind, name in changed if kind != "class"}
    classes = {name for kind, name in changed if kind == "class"}
    is_drawn = _lot(_git(folder, "rev-parse", "HEAD").strip())
    return [
        entry
        for entry in entries
        if entry.home in touched
        or entry.fault_class in classes
        or is_drawn(entry.home if len(entry.tried_on) == 1 else entry.id)
    ]


def _changed_entries(folder: Path, commit: str, name: str) -> set[tuple[str, str]]:
    """Return kind and name of each entry of a catalog's file that differs from a commit."""
    before = _catalog(_git(folder, "show", "--end-of-options", f"{commit}:./simulator/{name}.yaml"))
    after = _catalog((folder / "simulator" / f"{name}.yaml").read_text(encoding="utf-8"))
    return {key for key, value in after.items() if before.get(key) != value}


def _add_users(stems: set[str], kernels: Path) -> set[str]:
    """Add the kernels that include a changed one, by one step: none includes a user of another."""
    return stems | {
        path.stem
        for path in kernels.glob("*.*")
        for name in _INCLUDED.findall(path.read_text(encoding="utf-8"))
        if name in stems
    }


def _catalog(text: str) -> dict[tuple[str, str], list[Any]]:
    """Return what a file of the catalog says of each class, operator and part, by group."""
    groups: dict[tuple[str, str], list[Any]] = {}
    for section in yaml.safe_load(text).values():
        for item in section if isinstance(section, list) else ():
            for kind in {"class", "operator", "part"} & item.keys():
                groups.setdefault((kind, item[kind]), []).append(item)
    return groups


def _lot(commit: str) -> Callable[[str], bool]:
    def is_drawn(name: str) -> bool:
        digest = hashlib.sha256(f"{commit}/{name}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % ONE_IN == 0

    return is_drawn


def _git(folder: Path, *arguments: str) -> str:
    command = ("git", "-C", str(folder), *arguments)
    try:
        process = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    except FileNotFoundError:
        raise WrongInputError("--since needs git, which is not installed") from None
    except subprocess.CalledProcessError as error:
        reason = str(error.stderr).strip().splitlines()
        raise WrongInputError(f"--since: git says: {reason[0] if reason else 'nothing'}") from None
    return process.stdout
