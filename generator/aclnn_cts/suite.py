# SPDX-License-Identifier: Apache-2.0
"""Paths of the suite's folders and of the cache."""

from __future__ import annotations

import functools
import importlib.metadata
import os
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.errors import WrongInputError
from aclnn_cts.files import digest_of_files


@dataclass(frozen=True)
class OperatorFolder:
    """A folder of specs, formula modules and kernels outside the suite.

    Attributes:
        path: The folder, absolute.
    """

    path: Path
    sha256: str

    @property
    def recorded(self) -> dict[str, str]:
        """The form in which a run records it."""
        return {"path": str(self.path), "sha256": self.sha256}


@dataclass(frozen=True)
class Suite:
    """The folders of one suite: a checkout, or the copy that an installed wheel carries.

    Attributes:
        files: Their files, which are copied into the suite.
        home: The suite to which they were added; it owns the cache. None if this is it.
    """

    root: Path
    folders: tuple[OperatorFolder, ...] = ()
    files: tuple[Path, ...] = ()
    home: Suite | None = None

    @property
    def specs(self) -> Path:
        """YAML: one file per operator; products, precision, common clauses and the quarantine."""
        return self.root / "specs"

    @property
    def operators(self) -> Path:
        """The specs and formula modules of operator folders; absent without any."""
        return self.root / "operators"

    @property
    def simulator(self) -> Path:
        """The C++ stand-in for the CANN runtime."""
        return self.root / "simulator"

    @property
    def harness(self) -> Path:
        """The C++ library that every generated program links."""
        return self.root / "harness"

    @property
    def generated_tests(self) -> Path:
        """The generated C++ programs."""
        return self.root / "generated_tests"

    @property
    def golden(self) -> Path:
        """The golden data of the smoke tier, one CSV file per operator."""
        return self.root / "golden"

    @property
    def is_checkout(self) -> bool:
        """Whether its files are for developers to change."""
        return (self.root / "pyproject.toml").is_file()

    @property
    def cache(self) -> Path:
        """Builds and input data, addressed by content.

        ``ACLNN_CTS_CACHE`` names another folder; an installed suite uses the user's cache folder.
        """
        chosen = os.environ.get("ACLNN_CTS_CACHE")
        if chosen:
            return Path(chosen).resolve()
        home = self.home or self
        if home.is_checkout:
            return home.root / ".cache"
        base = os.environ.get("XDG_CACHE_HOME")
        try:
            return (Path(base) if base else Path.home() / ".cache") / "aclnn-cts"
        except RuntimeError:
            raise WrongInputError(
                "no home folder for the cache; set ACLNN_CTS_CACHE to a folder"
            ) from None

    def place_of(self, name: str) -> Path:
        """Return where a file of an operator folder is, by its name."""
        kernel = name.endswith((".h", ".cpp"))
        return (self.simulator / "operators" if kernel else self.operators) / name

    def as_written(self, text: str) -> str:
        """Return a message that names the files of operator folders instead of their copies."""
        for file in self.files:
            text = text.replace(str(self.place_of(file.name)), str(file))
        return text


@functools.cache
def code_digest(*patterns: str, library: str = "") -> str:
    """Return the digest of files of the package, as they were at the first call.

    Args:
        patterns: Globs of the files; all Python files if there are none.
        library: A library whose version the digest covers, too.
    """
    package = Path(__file__).resolve().parent
    paths = sorted(
        {path for glob in patterns or ("**/*.py",) for path in package.glob(glob) if path.is_file()}
    )
    files = [(str(path.relative_to(package)), path.read_bytes()) for path in paths]
    version = importlib.metadata.version(library) if library else ""
    return digest_of_files([(library, version.encode()), *files])


def find_suite() -> Suite:
    """Return the suite that belongs to this package.

    ``ACLNN_CTS_SUITE`` names another root (used to qualify a changed suite).

    Raises:
        WrongInputError: The root has no ``specs`` folder.
    """
    package = Path(__file__).resolve().parent
    chosen = os.environ.get("ACLNN_CTS_SUITE")
    candidates = [Path(chosen)] if chosen else [package.parent.parent, package / "_suite"]
    for root in candidates:
        if (root / "specs" / "products.yaml").is_file():
            return Suite(root)
    raise WrongInputError(
        f"no suite at {candidates[0]}: specs/products.yaml is missing; "
        "set ACLNN_CTS_SUITE to a checkout, or install the package again"
    )
