# SPDX-License-Identifier: Apache-2.0
"""A simulated device with a fault, or a variant of it: some sources changed, the rest as it is.

The sources of the unharmed device hold nothing about either. Each is another text for one or a few
of them; what depends on these is compiled by the commands of the unharmed device's build, and
linked with its other objects, in about a second.
"""

from __future__ import annotations

import functools
import hashlib
import json
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import explain, sha256_of
from aclnn_cts.run.build import COMMANDS, DEPENDENCIES, SOURCES, made_once, run_tool
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.suite import Suite

_DIGESTS = "digests.json"
"""In a faulty toolkit: what its libraries were when they were built."""

Kind: TypeAlias = Literal["fault", "variant"]


@dataclass(frozen=True)
class Change:
    """An edit that turns the simulated device into another one.

    Attributes:
        sources: Another text for each changed source, by its path below ``simulator/``.
        kind: Whether the device is wrong, or right in another way.
    """

    id: str
    sources: Mapping[str, str]
    kind: Kind = "fault"

    @property
    def digest(self) -> str:
        """A digest of the changed sources."""
        digest = hashlib.sha256()
        for path, text in sorted(self.sources.items()):
            digest.update(f"{path} {hashlib.sha256(text.encode()).hexdigest()}\n".encode())
        return digest.hexdigest()[:24]


@dataclass(frozen=True)
class _Step:
    """One command of the unharmed device's build, and the file that it makes."""

    arguments: tuple[str, ...]
    output: str


def build_faulty(suite: Suite, parts: Path, change: Change) -> Toolkit:
    """Build a faulty device, unless it was built before; return it as a toolkit of libraries.

    Args:
        suite: Where the unharmed sources are, and the cache.
        parts: The tree of :func:`aclnn_cts.run.build.build_parts`.

    Raises:
        NotTrustworthyError: It does not build, or a library of it does not depend on the change.
    """
    final = suite.cache / "faulty" / f"{parts.name}-{change.digest}"

    def build(work: Path) -> None:
        link_faulty(parts, change, work)
        (work / _DIGESTS).write_text(json.dumps(_digests(work)), encoding="utf-8")

    if final.is_dir() and not _is_whole(final):
        # Another device, or the unharmed one, would be judged under the fault's name.
        shutil.rmtree(final, ignore_errors=True)
    made_once(final, build)
    if change.kind == "variant":
        return Toolkit(final, "simulator", variant=change.id)
    return Toolkit(final, "simulator", change.id)


def _is_whole(toolkit: Path) -> bool:
    """Whether a faulty device is what was built."""
    try:
        wanted = json.loads((toolkit / _DIGESTS).read_text(encoding="utf-8"))
        return bool(wanted == _digests(toolkit))
    except (OSError, ValueError):
        return False


def _digests(toolkit: Path) -> dict[str, str]:
    return {path.name: sha256_of(path) for path in sorted((toolkit / "lib64").glob("*.so"))}


def link_faulty(parts: Path, change: Change, work: Path) -> None:
    """Compile what depends on the changed sources, and link the libraries, into ``work/lib64``.

    Args:
        parts: The tree of :func:`aclnn_cts.run.build.build_parts`.

    Raises:
        NotTrustworthyError: It does not build, or nothing depends on the change.
    """
    try:
        (work / "lib64").mkdir()
        for unharmed in parts.glob("*.so"):
            shutil.copy2(unharmed, work / "lib64")
        for path, text in change.sources.items():
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            (work / path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise explain(error, work) from None
    steps = tuple(_steps(parts))
    objects = _compile(parts, change, work, steps)
    if not objects:
        raise NotTrustworthyError(
            f"{change.id}: nothing of the simulator depends on {', '.join(change.sources)}"
        )
    for step in steps:
        if step.output.endswith(".so") and not objects.keys().isdisjoint(step.arguments):
            library = str(work / "lib64" / step.output)
            linked = [objects.get(part, part) for part in step.arguments]
            command = [library if part == step.output else part for part in linked]
            run_tool(command, f"the device with the {change.kind} {change.id}", parts)


def _compile(parts: Path, change: Change, work: Path, steps: Sequence[_Step]) -> dict[str, str]:
    """Compile all sources that are changed or include a changed one; return objects by old name."""
    changed = {str(parts / SOURCES / path): str(work / path) for path in change.sources}
    affected = set(_depending(parts, changed))
    # Before the folders of the unharmed device, so that a changed header is found first.
    headers = [f"-I{work / folder}" for folder in ("include", "src", "")]
    objects: dict[str, str] = {}
    for step in steps:
        if step.output not in affected:
            continue
        new = str(work / f"{len(objects)}.o")
        compiler, *rest = (changed.get(part, part) for part in step.arguments)
        arguments = [new if part == step.output else part for part in rest]
        command = [compiler, *headers, *arguments, "-w", "-MF", f"{new}.d"]
        run_tool(command, f"the device with the {change.kind} {change.id}", parts)
        objects[step.output] = new
    return objects


def _steps(parts: Path) -> Iterator[_Step]:
    """Yield the commands of a build tree that make objects and libraries, objects first."""
    try:
        steps = json.loads(_read_part(parts / COMMANDS))
    except ValueError:
        raise _damaged(parts) from None
    made = [step for step in steps if step["output"].endswith((".o", ".so"))]
    for step in sorted(made, key=lambda item: str(item["output"]).endswith(".so")):
        yield _Step(_arguments(step["command"]), step["output"])


@functools.lru_cache(maxsize=256)
def _arguments(command: str) -> tuple[str, ...]:
    """Return the arguments in a command of ninja's, a line for a shell where ":" does nothing.

    Every device that is built asks for the same ones, and splitting them takes as long as linking.
    """
    return tuple(part for part in shlex.split(command) if part not in ("&&", ":"))


def _read_part(path: Path) -> str:
    """Return one of the notes beside the objects."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if not text:
        raise _damaged(path.parent)
    return text


def _damaged(parts: Path) -> NotTrustworthyError:
    return NotTrustworthyError(
        f"{parts}: the cache is damaged; delete this folder, and the next run makes it again"
    )


def _depending(parts: Path, changed: Mapping[str, str]) -> Iterator[str]:
    """Yield the objects that are made from any of the changed sources."""
    made = ""
    for line in _read_part(parts / DEPENDENCIES).splitlines():
        if line and not line.startswith(" "):
            made = line.partition(":")[0]
        elif line.strip() in changed:
            yield made
