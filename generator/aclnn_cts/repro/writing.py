# SPDX-License-Identifier: Apache-2.0
"""The folder of a reproducer, written whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from aclnn_cts.emit.reproducer import Reproduced, program_files, readme_text
from aclnn_cts.errors import WrongInputError
from aclnn_cts.files import explain
from aclnn_cts.golden.data import make_inputs
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.repro.observed import ObservedCase
from aclnn_cts.repro.readme import tell, title_of
from aclnn_cts.spec.clause_models import PHASE_ONE_DATA, UNINITIALISED_MEMORY
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite


def reproducer_files(
    specs: SpecSet, suite: Suite, known: ObservedCase, shrunk: str = ""
) -> dict[str, bytes]:
    """Return the files of a case's reproducer by name.

    Args:
        specs: All specs, in the edition that counts.
        suite: The suite.
        known: What is known about the case.
        shrunk: How the case was made smaller, for the README; empty if it was not.

    Raises:
        NotTrustworthyError: clang-format is missing.
    """
    case = known.case
    inputs = make_inputs(specs.operator(case.operator), case)
    expected = expect_case(specs, case, inputs) if case.expects_success else {}
    depends = {UNINITIALISED_MEMORY, PHASE_ONE_DATA} & set(known.verdict.broken)
    made = Reproduced(case, inputs, expected, title_of(specs, known), same_bits=bool(depends))
    files = program_files(specs, suite, made)
    data = tuple(f"`{name}`" for name in files if name.endswith(".bin"))
    told = replace(tell(specs, known, shrunk), files=data)
    return {"README.md": readme_text(told).encode(), **files}


def require_free(folder: Path) -> None:
    """Raise WrongInputError unless a new folder can have this name."""
    if folder.is_dir() and not any(folder.iterdir()):
        return
    if folder.exists() or folder.is_symlink():
        raise WrongInputError(f"{folder}: is there already, and not empty; name a new folder")


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a new folder, which has its name only when it is whole.

    Raises:
        WrongInputError: It is there already, or cannot be written.
        NotTrustworthyError: The disk is full.
    """
    require_free(folder)
    work: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        for name, content in files.items():
            (work / name).write_bytes(content)
        work.chmod(0o755)
        work.replace(folder)
    except OSError as error:
        raise explain(error, folder) from None
    finally:
        if work is not None:
            shutil.rmtree(work, ignore_errors=True)
