# SPDX-License-Identifier: Apache-2.0
"""Reading YAML with the line of each place; aliases and duplicate keys are refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from aclnn_cts.errors import WrongFileError
from aclnn_cts.files import read_text

Location = tuple[int | str, ...]
"""A place in a file's data: keys and indices from the root."""


_DEEPEST = 50
"""Maximum nesting of nodes: several times what our files need."""


_MOST_DIGITS = 100
"""Maximum length of a whole number; Python prints none of more than 4,300 digits."""


class _DuplicateKeyError(yaml.constructor.ConstructorError):
    """A duplicate key in a mapping; YAML would silently keep the last value."""


class _Loader(yaml.composer.Composer, yaml.CSafeLoader):
    """The safe loader over libyaml, which refuses aliases, duplicate keys, and endless depth.

    Nodes are composed in Python, because libyaml's composer offers no hooks for refusals.
    """

    def __init__(self, text: str) -> None:
        yaml.CSafeLoader.__init__(self, text)
        yaml.composer.Composer.__init__(self)
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: Any = self.peek_event()
        problem = ""
        if isinstance(event, yaml.AliasEvent):
            # an alias could make a document endless, and specs do not need them
            problem = "aliases are not allowed"
        elif self._depth == _DEEPEST:
            problem = f"nested more than {_DEEPEST} deep"
        if problem:
            raise yaml.composer.ComposerError(None, None, problem, event.start_mark)
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: FBT001, FBT002
        if node.tag.endswith(":int") and len(node.value) > _MOST_DIGITS:
            problem = f"a number of {len(node.value)} characters"
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)
        try:
            return super().construct_object(node, deep)
        except (ValueError, LookupError, AttributeError) as error:
            # A date such as 2027-02-30, or a tag such as !!bool before another value; the loader
            # reports no place, and not always the reason.
            kind = str(node.tag).rpartition(":")[2]
            reason = f"{error} " if type(error) is ValueError else f"this is not a valid {kind} "
            raise yaml.constructor.ConstructorError(
                None, None, f"{reason}(it is {node.value!r})", node.start_mark
            ) from None

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002
        keys: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in keys:
                raise _DuplicateKeyError(None, None, f"duplicate key {key!r}", key_node.start_mark)
            keys.add(key)
        return super().construct_mapping(node, deep)


def compose(path: Path) -> tuple[Any, dict[Location, int]]:
    """Return a YAML file's data, and the line of each place in it.

    Raises:
        WrongInputError: The file cannot be read, or is not valid YAML of this form.
    """
    text = read_text(path)
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        data = loader.construct_document(node) if node is not None else None
    except yaml.YAMLError as error:
        line, problem = _problem(error, text)
        raise WrongFileError(f"{path}:{line}: not valid YAML: {problem}") from None
    except (ValueError, RecursionError, TypeError) as error:
        raise WrongFileError(f"{path}:1: not valid YAML: {error}") from None
    lines: dict[Location, int] = {(): 1}
    if node is not None:
        _note_lines(node, (), lines)
    return data, lines


def _problem(error: yaml.YAMLError, text: str) -> tuple[int, str]:
    """Return line and reason of a YAML error."""
    if isinstance(error, yaml.reader.ReaderError):
        # libyaml reports the character as a number, and its place in bytes
        line = text.encode()[: error.position].count(b"\n") + 1
        return line, f"{error.reason} (it is {chr(error.character)!r})"
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    if mark and text[mark.index : mark.index + 1] == "\t":
        problem += "; indent with spaces, not with tabs"
    return mark.line + 1 if mark else 1, problem


def _note_lines(node: yaml.Node, at: Location, lines: dict[Location, int]) -> None:
    lines.setdefault(at, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            key = str(key_node.value)
            lines[(*at, key)] = key_node.start_mark.line + 1
            _note_lines(value_node, (*at, key), lines)
    elif isinstance(node, yaml.SequenceNode):
        for index, child in enumerate(node.value):
            _note_lines(child, (*at, index), lines)


def line_of(lines: Mapping[Location, int], location: Location) -> int:
    """Return the line of the deepest part of ``location`` that the file has."""
    place: Location = ()
    for part in location:
        if (*place, part) in lines:
            place = (*place, part)
    return lines[place]
