# SPDX-License-Identifier: Apache-2.0
"""Reading YAML files into the models, with errors that name file and line."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from aclnn_cts.errors import WrongInputError, unknown_name
from aclnn_cts.spec.checks import complaints, producer_complaints
from aclnn_cts.spec.models import (
    CommonClause,
    CommonClauses,
    OperatorSpec,
    PrecisionStandards,
    Product,
    Products,
)
from aclnn_cts.suite import Suite

Location = tuple[int | str, ...]
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class SpecSet:
    """All that the ``specs`` folder says.

    Attributes:
        operators: Operator specs by operator name, in the order of their names.
        products: Products by id, in the order in which SoC names are matched.
        precision: The precision standards.
        common: Promises that all operators share.
    """

    operators: Mapping[str, OperatorSpec]
    products: Mapping[str, Product]
    precision: PrecisionStandards
    common: tuple[CommonClause, ...]

    def operator(self, name: str) -> OperatorSpec:
        """Return an operator's spec.

        Raises:
            WrongInputError: There is no such operator; the nearest name is offered.
        """
        if name not in self.operators:
            raise unknown_name("operator", name, self.operators)
        return self.operators[name]

    def product(self, name: str) -> Product:
        """Return a product.

        Raises:
            WrongInputError: There is no such product; the nearest name is offered.
        """
        if name not in self.products:
            raise unknown_name("product", name, self.products)
        return self.products[name]

    @property
    def tested(self) -> tuple[OperatorSpec, ...]:
        """The operators that have cases of their own."""
        return tuple(spec for spec in self.operators.values() if spec.role == "tested")


class _DuplicateKeyError(yaml.constructor.ConstructorError):
    """A mapping names one key twice; YAML would silently keep the last."""


class _Loader(yaml.SafeLoader):
    """The safe loader, which refuses aliases and a key that stands twice in one mapping."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            # An alias could make a document endless; a spec says things where they belong.
            raise yaml.composer.ComposerError(
                None,
                None,
                "aliases are not allowed",
                self.peek_event().start_mark,  # type: ignore[no-untyped-call]
            )
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise _DuplicateKeyError(
                    None, None, f"the key {key!r} stands twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def _compose(path: Path) -> tuple[Any, dict[Location, int]]:
    """Return a YAML file's data, and the line of each place in it."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WrongInputError(f"{path}: cannot be read: {error}") from None
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        data = loader.construct_document(node) if node is not None else None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        problem = getattr(error, "problem", None) or str(error)
        raise WrongInputError(f"{path}:{line}: not valid YAML: {problem}") from None
    except (ValueError, RecursionError, TypeError) as error:
        raise WrongInputError(f"{path}:1: not valid YAML: {error}") from None
    lines: dict[Location, int] = {(): 1}
    if node is not None:
        _note_lines(node, (), lines)
    return data, lines


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


def _line(lines: Mapping[Location, int], location: Location) -> int:
    """Return the line of the deepest part of ``location`` that the file has."""
    known: Location = ()
    for part in location:
        if (*known, part) in lines:
            known = (*known, part)
    return lines[known]


def _explain(error: Any) -> str:
    """Return one sentence for a pydantic error: where, what, and what is allowed."""
    names = [str(part) for part in error["loc"] if not _is_branch(part)]
    place = ".".join(names)
    if error["type"] == "extra_forbidden":
        return f"unknown key {names[-1]!r}" + (f" in {'.'.join(names[:-1])}" if names[1:] else "")
    if error["type"] == "missing":
        return f"{place} is missing"
    message = error["msg"].removeprefix("Value error, ")
    shown = "" if isinstance(error["input"], dict | list) else f" (it is {error['input']!r})"
    return f"{place}: {message}{shown}"


_BRANCHES = (
    "TensorParameter",
    "AttributeParameter",
    "ShapeRule",
    "function-before",
    "constrained-str",
    "list[",
)


def _is_branch(part: int | str) -> bool:
    """Whether a part of pydantic's location names a branch of a union, not a place in the file."""
    return isinstance(part, str) and part.startswith(_BRANCHES)


def _relevant(errors: list[Any], data: Any) -> list[Any]:
    """Keep, of a union's branches, the errors of the one that the author meant."""
    kept = []
    for error in errors:
        location = error["loc"]
        if len(location) > 2 and location[0] == "parameters" and isinstance(location[1], int):
            row = data["parameters"][location[1]]
            attribute = isinstance(row, dict) and "attribute" in row
            meant = "AttributeParameter" if attribute else "TensorParameter"
            if location[2] != meant:
                continue
        kept.append(error)
    return kept or errors


def read_model(path: Path, model: type[Model]) -> tuple[Model, dict[Location, int]]:
    """Read a YAML file into a model.

    Returns:
        The model, and the line of each place in the file.

    Raises:
        WrongInputError: ``path:LINE: what is wrong``, one line for each thing.
    """
    data, lines = _compose(path)
    try:
        return model.model_validate(data), lines
    except ValidationError as error:
        messages = [
            f"{path}:{_line(lines, item['loc'])}: {_explain(item)}"
            for item in _relevant(list(error.errors()), data)
        ]
        raise WrongInputError("\n".join(dict.fromkeys(messages))) from None


def load_operator(path: Path, products: Mapping[str, Product]) -> OperatorSpec:
    """Read and check one operator's spec.

    Raises:
        WrongInputError: ``path:LINE: what is wrong``, one line for each thing.
    """
    spec, lines = read_model(path, OperatorSpec)
    found = [
        f"{path}:{_line(lines, location)}: {text}" for location, text in complaints(spec, products)
    ]
    if spec.operator != path.stem:
        found.append(f"{path}:1: the file of {spec.operator} must be named {spec.operator}.yaml")
    if found:
        raise WrongInputError("\n".join(found))
    return spec


@functools.lru_cache(maxsize=4)
def specs_digest(suite: Suite) -> str:
    """Return the SHA-256 digest of all YAML files in the ``specs`` folder, names included."""
    digest = hashlib.sha256()
    for path in sorted(suite.specs.glob("*.yaml")):
        digest.update(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


@functools.lru_cache(maxsize=4)
def load_specs(suite: Suite) -> SpecSet:
    """Read and check everything in the ``specs`` folder.

    Raises:
        WrongInputError: Something in it is wrong; names file and line.
    """
    products, _ = read_model(suite.specs / "products.yaml", Products)
    by_id = {product.id: product for product in products.products}
    precision, _ = read_model(suite.specs / "precision.yaml", PrecisionStandards)
    common, _ = read_model(suite.specs / "common.yaml", CommonClauses)
    paths = sorted(suite.specs.glob("aclnn*.yaml"))
    if not paths:
        raise WrongInputError(f"{suite.specs}: holds no aclnn*.yaml; nothing to test")
    operators = {path.stem: load_operator(path, by_id) for path in paths}
    found = [
        f"{suite.specs / name}.yaml:{_line(_compose(suite.specs / f'{name}.yaml')[1], at)}: {text}"
        for name, spec in operators.items()
        for at, text in producer_complaints(spec, operators)
    ]
    if found:
        raise WrongInputError("\n".join(found))
    return SpecSet(operators, by_id, precision, tuple(common.clauses))
