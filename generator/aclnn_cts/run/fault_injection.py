# SPDX-License-Identifier: Apache-2.0
"""Builds of the simulated device with a fault or variant: some sources are changed.

The sources of the unharmed device do not mention faults. A fault replaces the text of one or a few
sources. What depends on these is compiled by the commands of the unharmed device's build and linked
with its other objects, in about a second. The unharmed device compiles operators in groups; a
changed operator is compiled alone and linked before all groups, so its functions take the place of
those in its group.

Devices that differ only in one operator's source are compiled together, so that headers are read
once: each is a namespace of one source, and the operator's functions call those of the device that
the process plays. Blocks that several devices have are compiled once.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import json
import re
import shlex
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import digest_of_files, explain, sha256_of
from aclnn_cts.run.build import COMMANDS, SOURCES, make_once, run_tool
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.suite import Suite

_DIGESTS = "digests.json"
"""In a faulty toolkit: the digests of its libraries."""

_FOLDERS = ("include", "src", "")
"""Folders of headers, below ``simulator/``."""

_DEFINED = re.compile(r"aclnnStatus (aclnn\w+)GetWorkspaceSize\(")
"""Matches the definition of an operator in its source."""

Kind: TypeAlias = Literal["fault", "variant"]


@dataclass(frozen=True)
class Change:
    """An edit that turns the simulated device into another one.

    Attributes:
        sources: The text of each changed source, by path below ``simulator/``.
        kind: Whether the device is wrong, or right in another way.
    """

    id: str
    sources: Mapping[str, str]
    kind: Kind = "fault"

    @property
    def digest(self) -> str:
        sources = sorted(self.sources.items())
        return digest_of_files((path, text.encode()) for path, text in sources)[:24]

    def reaches(self, operators: Iterable[str]) -> bool:
        """Whether it may affect one of these operators; shared sources affect all."""
        called = set(operators)
        defined = (set(_DEFINED.findall(text)) for text in self.sources.values())
        return any(not names or names & called for names in defined)


@dataclass(frozen=True)
class _Step:
    """A command that makes a file of the unharmed device.

    Attributes:
        group: The object of the group that a source is compiled in; empty if it is compiled alone.
    """

    arguments: tuple[str, ...]
    output: str
    group: str = ""


def build_faulty(
    suite: Suite, parts: Path, change: Change, operators: AbstractSet[str] = frozenset()
) -> Toolkit:
    """Build a faulty device, or take it from the cache; return it as a toolkit of libraries.

    Args:
        suite: Where the unharmed sources are, and the cache.
        parts: The tree of :func:`aclnn_cts.run.build.build_parts`.
        operators: The operators that will be called; others need not be compiled. All if empty.

    Raises:
        NotTrustworthyError: It does not build, or a library of it does not depend on the change.
    """
    final = _folder(suite, parts, [change], operators, "alone")
    _make(final, lambda work: link_faulty(parts, change, work, operators))
    return _toolkit(final, change)


def build_together(
    suite: Suite, parts: Path, changes: Sequence[Change], operators: AbstractSet[str] = frozenset()
) -> dict[str, Toolkit]:
    """Build those devices that differ in one operator's source, a library for each operator.

    Most of the time of a separate build goes into headers and linking. If one of an operator's
    devices does not compile, none is built; :func:`build_faulty` then finds which one.

    Args:
        operators: As of :func:`build_faulty`.

    Returns:
        The toolkits of the devices that were built, by id.
    """
    toolkits: dict[str, Toolkit] = {}
    for path, group in _by_operator(parts, changes, operators).items():
        final = _folder(suite, parts, group, operators, "together")
        link = functools.partial(_link_together, parts, path, group)
        with contextlib.suppress(NotTrustworthyError):
            _make(final, link)
            for number, change in enumerate(group):
                toolkits[change.id] = replace(_toolkit(final, change), played=str(number))
    return toolkits


def _folder(
    suite: Suite, parts: Path, changes: Sequence[Change], operators: AbstractSet[str], how: str
) -> Path:
    """Return where a library of some devices is kept; ``how`` is how it is made."""
    code = sha256_of(Path(__file__))
    ingredients = " ".join([how, code, *(change.digest for change in changes), *sorted(operators)])
    digest = hashlib.sha256(ingredients.encode()).hexdigest()[:24]
    return suite.cache / "faulty" / f"{parts.name}-{digest}"


def _make(final: Path, link: Callable[[Path], None]) -> None:
    """Make a toolkit unless it exists undamaged."""

    def build(work: Path) -> None:
        link(work)
        (work / _DIGESTS).write_text(json.dumps(_digests(work)), encoding="utf-8")

    if final.is_dir() and not _is_whole(final):
        # Otherwise another device would be judged under the fault's name.
        shutil.rmtree(final, ignore_errors=True)
    make_once(final, build)


def _toolkit(final: Path, change: Change) -> Toolkit:
    if change.kind == "variant":
        return Toolkit(final, "simulator", variant=change.id)
    return Toolkit(final, "simulator", change.id)


def _is_whole(toolkit: Path) -> bool:
    """Whether a built faulty device is complete and unmodified."""
    try:
        expected = json.loads((toolkit / _DIGESTS).read_text(encoding="utf-8"))
        return bool(expected == _digests(toolkit))
    except (OSError, ValueError):
        return False


def _digests(toolkit: Path) -> dict[str, str]:
    return {path.name: sha256_of(path) for path in sorted((toolkit / "lib64").glob("*.so"))}


def link_faulty(
    parts: Path, change: Change, work: Path, operators: AbstractSet[str] = frozenset()
) -> None:
    """Compile what depends on the changed sources, and link the libraries, into ``work/lib64``.

    Args:
        parts: The tree of :func:`aclnn_cts.run.build.build_parts`.
        operators: As of :func:`build_faulty`.

    Raises:
        NotTrustworthyError: It does not build, or nothing depends on the change.
    """
    what = f"the device with the {change.kind} {change.id}"
    _place(parts, change.sources, work)
    changed = {str(parts / SOURCES / path): str(work / path) for path in change.sources}
    objects = _compile(parts, changed, _affected(parts, change, operators), work, what)
    if not objects:
        raise NotTrustworthyError(
            f"{change.id}: nothing of the simulator depends on {', '.join(change.sources)}"
        )
    _link(parts, objects, work, what)


def _by_operator(
    parts: Path, changes: Sequence[Change], operators: AbstractSet[str]
) -> dict[str, list[Change]]:
    """Return the changes of one operator's source alone, by its path below ``simulator/``."""
    groups: dict[str, list[Change]] = {}
    root = parts / SOURCES
    source_by_object = {step.output: step.arguments[-1] for step in _steps(parts)}
    for change in changes:
        affected = _affected(parts, change, operators)
        if len(affected) == 1:
            source = Path(source_by_object[affected.pop()])
            path = str(source.relative_to(root))
            if is_part(path, source.read_text(encoding="utf-8"), change.sources):
                groups.setdefault(path, []).append(change)
    return groups


def _link_together(parts: Path, path: str, changes: Sequence[Change], work: Path) -> None:
    """As :func:`link_faulty`, for several devices; a process plays one of them."""
    source = parts / SOURCES / path
    paths = {path, *itertools.chain.from_iterable(change.sources for change in changes)}
    texts = {name: (parts / SOURCES / name).read_text(encoding="utf-8") for name in paths}
    text = joint_source(path, texts, [change.sources for change in changes])
    _place(parts, {path: text}, work)
    what = f"the library of {len(changes)} devices"
    affected = _dependents(parts)[str(source)]
    objects = _compile(parts, {str(source): str(work / path)}, affected, work, what)
    _link(parts, objects, work, what)


def _place(parts: Path, sources: Mapping[str, str], work: Path) -> None:
    """Write changed sources, and copies of the unharmed libraries."""
    try:
        (work / "lib64").mkdir()
        for unharmed in parts.glob("*.so"):
            shutil.copy2(unharmed, work / "lib64")
        for path, text in sources.items():
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            (work / path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise explain(error, work) from None


def _link(parts: Path, objects: Mapping[str, str], work: Path, what: str) -> None:
    """Relink the libraries with recompiled objects, given by old name."""
    grouped: dict[str, list[str]] = {}
    for step in _steps(parts):
        if step.group and step.output in objects:
            grouped.setdefault(step.group, []).append(objects[step.output])
        elif step.output.endswith(".so"):
            changed_objects = [name for part in step.arguments for name in grouped.get(part, ())]
            if not changed_objects and objects.keys().isdisjoint(step.arguments):
                continue
            changed = {**objects, step.output: str(work / "lib64" / step.output)}
            compiler, *rest = (changed.get(part, part) for part in step.arguments)
            # The linker takes the first of several definitions, of inline functions in any case.
            changed_objects = ["-Wl,-z,muldefs", *changed_objects] if changed_objects else []
            run_tool([compiler, *changed_objects, *rest], what, parts)


def _compile(
    parts: Path, changed: Mapping[str, str], affected: AbstractSet[str], work: Path, what: str
) -> dict[str, str]:
    """Compile objects with changed sources in place of the old ones; return them by old name."""
    # Before the folders of the unharmed device, so that a changed header is found first.
    headers = [f"-I{work / folder}" for folder in _FOLDERS]
    objects: dict[str, str] = {}
    for step in _steps(parts):
        if step.output not in affected:
            continue
        new = str(work / f"{len(objects)}.o")
        compiler, *rest = (changed.get(part, part) for part in step.arguments)
        arguments = [new if part == step.output else part for part in rest]
        command = [compiler, *headers, *arguments, "-w", "-MF", f"{new}.d"]
        run_tool(command, what, parts)
        objects[step.output] = new
    return objects


@functools.lru_cache(maxsize=8)
def _steps(parts: Path) -> tuple[_Step, ...]:
    """Return the commands that compile each source, then those that link libraries."""
    try:
        steps = json.loads(_read_part(parts, parts / COMMANDS))
    except ValueError:
        raise _damaged(parts) from None
    results = [step for step in steps if step["output"].endswith((".o", ".so"))]
    results.sort(key=lambda step: str(step["output"]).endswith(".so"))
    commands: list[_Step] = []
    for step in results:
        # ninja's command is a shell line, which may contain ":" commands
        words = (word for word in shlex.split(step["command"]) if word not in ("&&", ":"))
        commands += _split_group(parts, _Step(tuple(words), step["output"]))
    return tuple(commands)


def _split_group(parts: Path, step: _Step) -> Iterator[_Step]:
    """Yield the step; if it compiles a group, a step for each source of the group instead."""
    group = Path(step.arguments[-1])
    if group.suffix != ".cxx":
        yield step
        return
    for include in _INCLUDE.finditer(_read_part(parts, group)):
        output = f"{step.output}.{Path(include['path']).name}.o"
        changed = {step.output: output, str(group): include["path"]}
        arguments = (changed.get(part, part) for part in step.arguments)
        yield _Step(tuple(arguments), output, step.output)


def _read_part(parts: Path, path: Path) -> str:
    """Return the text of one of the files beside the objects."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if not text:
        raise _damaged(parts)
    return text


def _damaged(parts: Path) -> NotTrustworthyError:
    return NotTrustworthyError(
        f"{parts}: the cache is damaged; delete this folder, and the next run makes it again"
    )


def _affected(parts: Path, change: Change, operators: AbstractSet[str]) -> set[str]:
    """Return the objects made from changed sources, except those of other operators."""
    paths = (str(parts / SOURCES / path) for path in change.sources)
    affected = {output for path in paths for output in _dependents(parts).get(path, ())}
    defined = _defined_operators(parts)
    needed = {output for output in affected if not defined[output] or defined[output] & operators}
    return needed if operators else affected


def sources_for(parts: Path, operators: AbstractSet[str]) -> frozenset[Path]:
    """Return the sources and headers of the unharmed device that calls of some operators need."""
    defined = _defined_operators(parts)
    return frozenset().union(
        *(
            _read_by(source, parts / SOURCES)
            for output, source in _source_by_object(parts).items()
            if not defined[output] or defined[output] & operators
        )
    )


@functools.lru_cache(maxsize=8)
def _defined_operators(parts: Path) -> Mapping[str, AbstractSet[str]]:
    return {
        output: {*_DEFINED.findall(source.read_text(encoding="utf-8"))}
        for output, source in _source_by_object(parts).items()
    }


def _source_by_object(parts: Path) -> dict[str, Path]:
    sources = {step.output: Path(step.arguments[-1]) for step in _steps(parts)}
    return {output: source for output, source in sources.items() if source.suffix == ".cpp"}


@functools.lru_cache(maxsize=8)
def _dependents(parts: Path) -> Mapping[str, AbstractSet[str]]:
    """Return the objects that are made from each source or header."""
    dependents: dict[str, set[str]] = {}
    for output, source in _source_by_object(parts).items():
        for path in _read_by(source, parts / SOURCES):
            dependents.setdefault(str(path), set()).add(output)
    return dependents


@functools.lru_cache(maxsize=1024)
def _read_by(path: Path, root: Path) -> frozenset[Path]:
    """Return a source, and the simulator's headers that it includes, directly or not."""
    included = (include["path"] for include in _INCLUDE.finditer(path.read_text(encoding="utf-8")))
    folders = (path.parent, *(root / folder for folder in _FOLDERS))
    places = ((folder / name for folder in folders) for name in included)
    headers = (next(filter(Path.is_file, candidates), None) for candidates in places)
    return frozenset({path}.union(*(_read_by(header, root) for header in headers if header)))


PLAYED = "ACLNN_SIM_PLAYED"
"""Environment variable that selects the device of a library with several."""

_INCLUDE = re.compile(r'^#include [<"](?P<path>[^">]+)[>"].*\n', re.MULTILINE)
_GUARD = re.compile(r"^#ifndef (\w+)", re.MULTILINE)
_FUNCTION = re.compile(r"^(?P<head>aclnnStatus (?P<name>aclnn\w+)\([^)]*\)) \{", re.MULTILINE)
_NAMESPACE = re.compile(r"^namespace \w+ \{", re.MULTILINE)
_USING = re.compile(r"^using namespace \w+;\n", re.MULTILINE)
_BLOCK = re.compile(
    r"^#undef (?P<guard>\w+)\n.*?^#endif  // (?P=guard)\n|^namespace \{\n.*?^\}  // namespace\n",
    re.MULTILINE | re.DOTALL,
)
"""Matches an inlined header, or an unnamed namespace."""

_NAMED = re.compile(r"^(?:#define |\w[^\n(={;[]*?)?(\w+)(?= *[(={;[])", re.MULTILINE)
"""Matches names at the beginning of lines that may be definitions, and a few others."""

_WORD = re.compile(r"\w+")
_UNNAMED = re.compile(r"[*&](?=\s*[,)])")
_PARAMETER = re.compile(r"\w+(?=\s*[,)])")

_PLAYED = f"""\
#include <cstdlib>

namespace {{
const int kPlayed = std::atoi(std::getenv("{PLAYED}"));
}}
"""


def is_part(path: str, source: str, changed: Mapping[str, str]) -> bool:
    """Whether all changes are in an operator's source and in headers that it includes directly.

    A source with a named namespace is shared: other sources call its functions.

    Args:
        path: The source's path below ``simulator/``.
        source: Its unharmed text.
        changed: The changed texts, by path below ``simulator/``.
    """
    flat = _Flat(changed)
    flat.inline(path, source)
    is_operator = _FUNCTION.search(source) and not _NAMESPACE.search(source)
    return bool(is_operator) and flat.inlined == set(changed)


def joint_source(
    path: str, unharmed: Mapping[str, str], devices: Sequence[Mapping[str, str]]
) -> str:
    """Return the source of several devices, see :func:`is_part`.

    Args:
        unharmed: The texts of the source and of all headers that a device changes.
    """
    source = unharmed[path]
    flat = [_Flat({**unharmed, **changed}) for changed in devices]
    texts = [device.inline(path) for device in flat]
    includes = dict.fromkeys(line for device in flat for line in device.includes)
    blocks = [dict.fromkeys(_blocks(text)) for text in texts]
    counts = Counter(block for device_blocks in blocks for block in device_blocks)
    shared = (block for block, count in counts.items() if count > 1)
    common = {block: f"common{number}" for number, block in enumerate(shared)}
    usings = "".join(_USING.findall(source))
    bodies = [f"namespace {name} {{\n{usings}{block}}}\n" for block, name in common.items()]
    for number, (text, device_blocks) in enumerate(zip(texts, blocks, strict=True)):
        device = text
        for block in filter(common.get, device_blocks):
            device = device.replace(block, f"using namespace {common[block]};\n")
        bodies.append(f"namespace device{number} {{\n{device}\n}}\n")
    for function in _FUNCTION.finditer(source):
        functions = ", ".join(f"&device{n}::{function['name']}" for n in range(len(devices)))
        head = _UNNAMED.sub(lambda mark: f"{mark[0]}unnamed{mark.start()}", function["head"])
        arguments = ", ".join(_PARAMETER.findall(head))
        bodies.append(
            f"{head} {{\n"
            f"  constexpr decltype(&{function['name']}) kDevices[] = {{{functions}}};\n"
            f"  return kDevices[kPlayed]({arguments});\n}}\n"
        )
    return "".join([*includes, _PLAYED, *bodies])


def _blocks(device: str) -> Iterator[str]:
    """Yield the blocks of a device that mean the same beside any other text."""
    for match in _BLOCK.finditer(device):
        others = device[: match.start()] + device[match.end() :]
        if set(_WORD.findall(match[0])).isdisjoint(_NAMED.findall(others)):
            yield match[0]


class _Flat:
    """The text of one device with its changed headers inlined and without other includes.

    Attributes:
        includes: The lines of the other includes, in order.
        inlined: Paths of the inlined changed sources.
    """

    def __init__(self, changed: Mapping[str, str]) -> None:
        self.includes: dict[str, None] = {}
        self.inlined: set[str] = set()
        self._changed = changed

    def inline(self, path: str, unharmed: str = "") -> str:
        """Return the text of a source, changed if it is."""
        if path in self._changed:
            self.inlined.add(path)
        return _INCLUDE.sub(self._inline_include, self._changed.get(path, unharmed))

    def _inline_include(self, line: re.Match[str]) -> str:
        if line["path"] not in self._changed:
            self.includes[line[0]] = None
            return ""
        text = self.inline(line["path"])
        guard = _GUARD.search(text)
        # Another device may have the header, too.
        return f"#undef {guard[1]}\n{text}" if guard else text
