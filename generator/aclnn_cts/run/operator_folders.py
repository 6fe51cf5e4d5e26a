# SPDX-License-Identifier: Apache-2.0
"""Suites with operators from other folders.

Such a suite is a folder of the cache, named by the digest of its content: the suite's own files,
those of the operator folders, and the generated C++. It can be used like any suite, and a run that
begins with it ends with it, even if the folders are edited meanwhile.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from aclnn_cts.emit.cpp_sources import makers_digest, program_texts
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.files import digest_of_files, refuse_links_out, refuse_pipes
from aclnn_cts.run.build import make_once
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.spec.parts import changed_part, folder_parts
from aclnn_cts.suite import OperatorFolder, Suite

_FILE = re.compile(r"aclnn.*\.yaml|[a-z][a-z0-9_]*\.(py|h|cpp)")
"""Specs, formula modules, and kernels for the simulated device."""

_PARTS = ("specs", "harness", "simulator", "generated_tests")


def with_folders(suite: Suite, paths: Iterable[Path]) -> Suite:
    """Return a suite with the operators of some folders added.

    Raises:
        WrongInputError: A folder cannot be read, has no spec, or one of its files has a name that
            the suite or another folder has.
    """
    roots = dict.fromkeys(map(_resolve, paths))
    if not roots:
        return suite
    contents = {path: content for folder in roots for path, content in _read(folder).items()}
    folders = tuple(_describe(folder, contents) for folder in roots)
    _refuse_clashes(suite, contents)
    suite_files = (path for part in _PARTS for path in sorted((suite.root / part).rglob("*")))
    sources = (path for path in (*suite_files, Path(__file__)) if path.is_file())
    digest = digest_of_files((str(path), path.read_bytes()) for path in sources)
    facts = (digest, makers_digest(), folders)
    key = hashlib.sha256(repr(facts).encode()).hexdigest()[:24]
    final = suite.cache / "suites" / key

    def assemble(work: Path) -> None:
        for name in _PARTS:
            shutil.copytree(suite.root / name, work / name)
        extended = Suite(work, folders, tuple(contents), suite)
        extended.operators.mkdir()
        for path, content in contents.items():
            extended.place_of(path.name).write_bytes(content)
        specs = load_specs(extended)
        # a file is named after the first operator of its page
        files = {path.name for path in contents}
        further = [name for name, spec in specs.operators.items() if spec.file in files]
        for name, text in program_texts(specs, extended, further).items():
            (extended.generated_tests / name).write_text(text, encoding="utf-8")

    make_once(final, assemble)
    return Suite(final, folders, tuple(contents), suite)


def with_current_folders(
    suite: Suite, recorded: Sequence[OperatorFolder], where: Path, user_folders: Sequence[Path]
) -> Suite:
    """Return a suite with the operator folders of a run or kit in their current state.

    The record does not say which code runs here, because it may be from somebody else: only folders
    that the user names are read.

    Args:
        where: The run or kit that was made with them, for messages.
        user_folders: The folders that the user names; not used if none is recorded.

    Raises:
        WrongInputError: The user names none, or they cannot be read.
    """
    if not recorded:
        return suite
    if not user_folders:
        raise WrongInputError(
            f"{where}: made with the operators in {', '.join(str(each.path) for each in recorded)}"
            f", whose code would run now; if you trust it, add `{specs_options(recorded)}`"
        )
    return with_folders(suite, user_folders)


def specs_options(recorded: Iterable[OperatorFolder]) -> str:
    """Return the options that name operator folders; empty for none."""
    return shlex.join(part for each in recorded for part in ("--specs", str(each.path)))


def first_changed(suite: Suite, recorded: Iterable[OperatorFolder]) -> OperatorFolder | None:
    """Return the first recorded folder whose content differs from the suite's."""
    digests = {each.sha256 for each in suite.folders}
    return next((each for each in recorded if each.sha256 not in digests), None)


def with_recorded_folders(
    suite: Suite,
    recorded: Sequence[OperatorFolder],
    parts: Mapping[str, str],
    where: Path,
    user_folders: Sequence[Path] = (),
    command: str = "run",
) -> Suite:
    """Return a suite with the recorded operator folders.

    Args:
        parts: The recorded digests of the specs that the run or kit depends on.
        where: As for :func:`with_current_folders`.
        user_folders: As for :func:`with_current_folders`.
        command: The command that makes a new run or kit.

    Raises:
        NotTrustworthyError: A file that it depends on has changed.
        WrongInputError: As for :func:`with_current_folders`.
    """
    current = with_current_folders(suite, recorded, where, user_folders)
    changed = changed_part(current, load_specs(current), folder_parts(parts)) if recorded else ""
    if changed:
        raise NotTrustworthyError(
            f"{where}: made with the operators in {', '.join(str(each.path) for each in recorded)}"
            f", which have changed since ({Path(changed).name}); restore them, or start again with "
            f"`aclnn-cts {command} {specs_options(current.folders)}`"
        )
    return current


def recorded_folders(recorded: Iterable[Mapping[str, str]]) -> tuple[OperatorFolder, ...]:
    """Return operator folders as a run or a kit recorded them; KeyError if one is malformed."""
    return tuple(OperatorFolder(Path(each["path"]), each["sha256"]) for each in recorded)


def _resolve(path: Path) -> Path:
    if not path.is_dir():
        wrong = "is not a folder" if path.exists() else "there is no such folder"
        raise WrongInputError(f"--specs {path}: {wrong}; name a folder of aclnn*.yaml")
    return path.resolve()


def _read(folder: Path) -> dict[Path, bytes]:
    """Return the content of the files of an operator folder, by path."""
    try:
        paths = sorted(path for path in folder.iterdir() if _FILE.fullmatch(path.name))
        refuse_links_out(folder, paths)
        for path in paths:
            refuse_pipes(path)
        files = {path: path.read_bytes() for path in paths}
    except OSError as error:
        raise WrongInputError(
            f"{error.filename}: cannot be read: {error.strerror}; make it readable, or leave it out"
        ) from None
    if not any(path.suffix == ".yaml" for path in files):
        raise WrongInputError(f"--specs {folder}: holds no aclnn*.yaml; name a folder of specs")
    return files


def _describe(folder: Path, contents: Mapping[Path, bytes]) -> OperatorFolder:
    files = ((path.name, content) for path, content in contents.items() if path.parent == folder)
    return OperatorFolder(folder, digest_of_files(files))


def _refuse_clashes(suite: Suite, paths: Iterable[Path]) -> None:
    path_by_place: dict[Path, Path] = {}
    for path in paths:
        place = suite.place_of(path.name)
        own_file = suite.specs / path.name if path.suffix == ".yaml" else place
        other = own_file if own_file.is_file() else path_by_place.get(place)
        path_by_place[place] = path
        if other is not None:
            raise WrongInputError(f"{path}: {other} has the same name; rename one of them")
