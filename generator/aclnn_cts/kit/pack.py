# SPDX-License-Identifier: Apache-2.0
"""The content of a kit: sources, case files, inputs, the runner, and its identity."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

from pydantic import ConfigDict, Field, ValidationError

import aclnn_cts
from aclnn_cts import __version__
from aclnn_cts.emit.case_file import case_file_text
from aclnn_cts.emit.programs import require_generated
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.kit.archive import KIT, MANIFEST, check_archive, write_archive
from aclnn_cts.kit.inputs import RECIPES, STORED
from aclnn_cts.kit.recipes import write_recipes
from aclnn_cts.kit.runner import BATCHES_FILE, KIT_FILE
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.executor import batches_of, elements_of
from aclnn_cts.run.folder import require_suite
from aclnn_cts.run.operator_folders import with_recorded_folders
from aclnn_cts.run.planned_cases import PlannedCase, unpack_cases
from aclnn_cts.run.toolkit import needed_operators
from aclnn_cts.spec.clause_models import Strict
from aclnn_cts.spec.loading import SpecSet, specs_digest
from aclnn_cts.spec.parts import parts_of
from aclnn_cts.suite import OperatorFolder, Suite
from aclnn_cts.validation_messages import duplicate_key, json_damage

RUNNER = (
    *(
        "__init__.py",
        "compiler.py",
        "errors.py",
        "files.py",
        "kit/__init__.py",
        "kit/archive.py",
        "kit/inputs.py",
        "kit/runner.py",
    ),
    *("run/__init__.py", "run/process.py", "run/schedule.py", "run/toolkit_layout.py"),
    "run/workers.py",
)
"""Modules that a kit's runner needs; they import only the standard library."""

_PLAIN = r"^[a-z0-9-]+$"
"""Characters allowed in a folder's name."""


class SuiteOrigin(Strict):
    """The suite that packed a kit.

    Attributes:
        specs_sha256: Digest of all specs, only for information.
        specs: Digests of the parts of the specs that the kit's operators depend on, by name.
    """

    version: str
    specs_sha256: str
    specs: dict[str, str]
    folders: tuple[OperatorFolder, ...] = ()

    @classmethod
    def of(cls, suite: Suite, specs: SpecSet, cases: Iterable[Case]) -> SuiteOrigin:
        return cls(
            version=__version__,
            specs_sha256=specs_digest(suite),
            specs=parts_of(suite, specs, {case.operator for case in cases}),
            folders=suite.folders,
        )


class KitDescription(Strict):
    """The content of ``kit.json``.

    Attributes:
        format: Format of this file and of the outputs.
        suite: The suite that packed it.
        product: The product whose promises the cases test.
        edition: The edition of the documents whose promises the cases test.
        nonce: The nonce that the kit's events repeat.
        calls: The call list that the cases are from; empty for those of the tier.
        unlisted: Numbers of a recorded program's calls that no case makes, by operator and reason.
        selected: Whether it has only cases that the user named by id or pattern.
        timings: Launches of each call that must work, for their time alone.
        packed: When it was packed, UTC, in ISO 8601; only for information.
        plan: The cases and where their data are, as :func:`pack_cases` returns them.
    """

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    format: Literal["aclnn-cts/kit/5"] = "aclnn-cts/kit/5"
    suite: SuiteOrigin
    product: str = Field(pattern=_PLAIN)
    tier: str = Field(pattern=_PLAIN)
    standard: str
    edition: str
    nonce: str = Field(pattern=r"^[0-9a-f]{32}$")
    calls: str = ""
    unlisted: dict[str, dict[str, int]] = Field(default_factory=dict)
    selected: bool = False
    timings: int = Field(default=0, ge=0)
    packed: str
    plan: bytes

    def planned(self) -> tuple[PlannedCase, ...]:
        """Return the cases; NotTrustworthyError if they are malformed."""
        try:
            return unpack_cases(self.plan)
        except ValueError as error:
            raise NotTrustworthyError(
                f"{KIT_FILE}: its cases are damaged ({error}); pack the kit again"
            ) from None


def read_description(
    where: Path, content: bytes, suite: Suite, user_folders: Sequence[Path]
) -> tuple[KitDescription, Suite]:
    """Return the content of ``kit.json``, and the suite with the kit's operator folders.

    Args:
        where: The archive, for messages.
        suite: The suite that is to judge.
        user_folders: The operator folders that the user names.

    Raises:
        NotTrustworthyError: It is damaged, or of another suite, or an operator folder has changed.
        WrongInputError: It has operator folders and none is named, or they cannot be read.
    """
    try:
        damage = duplicate_key(content)
        kit = KitDescription.model_validate_json(content)
    except ValidationError as error:
        damage = json_damage(error, "the whole file")
    if damage:
        raise NotTrustworthyError(
            f"{where}: {KIT_FILE} is not what this suite packs ({damage}); judge with the suite "
            "that packed the kit"
        )
    origin = kit.suite
    suite = with_recorded_folders(suite, origin.folders, origin.specs, where, user_folders, "pack")
    otherwise = "pack and run a new kit"
    require_suite(f"{where}: the kit", origin.version, origin.specs, suite, otherwise)
    return kit, suite


class KitIdentity(NamedTuple):
    """What outputs must share with the kit that they come from: nonce and digests."""

    nonce: str
    manifest: str
    description: str


def read_kit(path: Path, suite: Suite, user_folders: Sequence[Path] = ()) -> KitIdentity:
    """Check each file of a kit, and return its identity.

    Arguments are those of :func:`read_description`.

    Raises:
        WrongInputError: There is no such archive.
        NotTrustworthyError: It is modified, truncated, or packed by another suite.
    """
    digests, contents = check_archive(path, KIT, lambda name: name == KIT_FILE)
    kit, _ = read_description(path, contents.get(KIT_FILE, b""), suite, user_folders)
    return KitIdentity(kit.nonce, digests[MANIFEST], digests[KIT_FILE])


def require_new(archive: Path) -> None:
    """Refuse to replace a kit, because its outputs could no longer be judged.

    Raises:
        WrongInputError: The archive, or something else of its name, already exists.
    """
    if archive.exists() or archive.is_symlink():
        raise WrongInputError(f"{archive}: already exists; name another file, or remove it")


def pack(
    suite: Suite,
    specs: SpecSet,
    kit: KitDescription,
    archive: Path,
    *,
    store_inputs: bool = False,
) -> int:
    """Write a kit; return the number of its files. The same arguments give the same bytes.

    Args:
        suite: Where the sources are, and the store of the input data.
        specs: Of the kit's edition.
        store_inputs: Whether it holds all inputs as files, and none as a recipe.

    Raises:
        WrongInputError: The archive already exists, or cannot be written.
        NotTrustworthyError: The disk is full, or the generated calls are out of step.
    """
    require_new(archive)
    planned = kit.planned()
    cases = [each.case for each in planned]
    references = {each.case.id: each.data for each in planned if each.data is not None}
    require_generated(suite, needed_operators(specs, {case.operator for case in cases}))
    members: dict[str, bytes | Path | BinaryIO] = {
        KIT_FILE: (kit.model_dump_json() + "\n").encode(),
        **dict(_sources(suite)),
    }
    # Longest first, so that no device waits for a long batch at the end.
    batches = sorted(batches_of(cases), key=lambda batch: -elements_of(batch))
    calls: dict[str, dict[str, None]] = {}
    for batch in batches:
        pairs = ((case, references[case.id]) for case in batch.cases)
        text = case_file_text(specs, batch.operator, pairs, kit.nonce, kit.timings)
        called = dict.fromkeys(_called_operators(text, batch.operator))
        calls.setdefault(batch.operator, {}).update(called)
        members[f"cases/{batch.name}.txt"] = text.encode()
    batch_lines = "".join(f"{batch.name} {batch.operator}\n" for batch in batches)
    members[BATCHES_FILE] = batch_lines.encode()
    members["programs.mk"] = _programs_text(calls).encode()
    store = suite.cache / "data"
    by_path = {references[case.id].path: (case, references[case.id]) for case in cases}
    with tempfile.TemporaryFile() as stored:
        recipes = (
            {} if store_inputs else dict(write_recipes(specs, store, by_path.values(), stored))
        )
        for path in sorted(path for path in by_path if path is not None and path not in recipes):
            members[f"data/{path}"] = store / path
        if recipes:
            members[RECIPES] = "".join(recipes.values()).encode()
            members[STORED] = stored
        write_archive(archive, KIT, members)
    return len(members) + 1


def _sources(suite: Suite) -> Iterator[tuple[str, Path]]:
    package = Path(aclnn_cts.__file__).parent
    yield from ((f"runner/aclnn_cts/{name}", package / name) for name in RUNNER)
    yield "runner/__main__.py", suite.harness / "kit" / "start.py"
    for name in ("Makefile", "README.txt", "make_data.cpp", "run.sh"):
        yield name, suite.harness / "kit" / name
    for folder in (suite.harness / "src", suite.harness / "include", suite.generated_tests):
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".cpp", ".h"):
                yield path.relative_to(suite.root).as_posix(), path


def _called_operators(cases: str, measured: str) -> Iterator[str]:
    """Yield the operators that a case file names, other than the measured one.

    Other operators that a program could call are not built, as a toolkit may lack them.
    """
    for line in cases.splitlines():
        fact, _, operator = line.partition(" ")
        if fact in ("producer", "other") and operator != measured:
            yield operator


def _programs_text(calls: Mapping[str, Iterable[str]]) -> str:
    """Return the part of the Makefile that says which programs are built from which calls."""
    operators = dict.fromkeys((*calls, *(called for names in calls.values() for called in names)))
    lines = [f"programs := {' '.join(calls)}", f"calls := {' '.join(operators)}"]
    lines += [f"{name}_calls := {' '.join(called)}".rstrip() for name, called in calls.items()]
    return "\n".join(lines) + "\n"
