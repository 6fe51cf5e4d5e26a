# SPDX-License-Identifier: Apache-2.0
"""Operators that a change of the suite concerns, and a sample of all others."""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import yaml

from aclnn_cts.errors import WrongInputError
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite

_INCLUDED = re.compile(r'#include "operators/(\w+)\.h"')

ONE_IN = 10
"""The share of operators that a change does not touch, but that are tried, too."""


@dataclass(frozen=True)
class Revision:
    """The files as they are now, and what differs from an earlier commit.

    Attributes:
        head: Id of the present commit. It decides which untouched operators are tried, so each
            commit tries different ones.
        operators: Operators whose spec, formula, kernel or devices differ.
        classes: Classes of faults and variants that differ.
    """

    head: str
    operators: frozenset[str]
    classes: frozenset[str]

    @classmethod
    def since(cls, commit: str, specs: SpecSet, suite: Suite) -> Self:
        """Return what differs from a commit.

        Raises:
            WrongInputError: The suite is not a checkout of git, or has no such commit.
        """
        folder = (suite.home or suite).root
        paths = _git(folder, "diff", "--name-only", "--end-of-options", commit).splitlines()
        stems = _add_users({Path(path).stem for path in paths}, folder / "simulator" / "operators")
        operators = {
            spec.operator
            for spec in specs.operators.values()
            if not stems.isdisjoint({Path(spec.file).stem, spec.kernel, spec.golden})
        }
        entries = _changed_entries(folder, commit, "faults")
        entries |= _changed_entries(folder, commit, "variants")
        operators |= {name for kind, name in entries if kind != "class"}
        classes = {name for kind, name in entries if kind == "class"}
        head = _git(folder, "rev-parse", "HEAD").strip()
        return cls(head, frozenset(operators), frozenset(classes))

    def concerns(self, operator: str) -> bool:
        """Return whether an operator is to be tried: it differs, or this commit draws it."""
        return operator in self.operators or self.draws(operator)

    def select(self, operators: Sequence[str]) -> tuple[str, ...]:
        """Return the operators to be tried, at least one of them."""
        return tuple(filter(self.concerns, operators)) or tuple(
            sorted(operators, key=self._lot)[:1]
        )

    def draws(self, name: str) -> bool:
        """Return whether this is one of the names that this commit draws."""
        return self._lot(name) % ONE_IN == 0

    def _lot(self, name: str) -> int:
        digest = hashlib.sha256(f"{self.head}/{name}".encode()).digest()
        return int.from_bytes(digest[:8], "big")


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
