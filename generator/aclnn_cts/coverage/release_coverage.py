# SPDX-License-Identifier: Apache-2.0
"""Operators that a release declares, and how far the suite tests them."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import yaml
from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from aclnn_cts.errors import WrongInputError, counted
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import Product
from aclnn_cts.transcribe.draft import draft
from aclnn_cts.transcribe.reader import read_page
from aclnn_cts.worker_pool import spread

_DECLARATION = re.compile(r"\baclnnStatus\s+(aclnn\w+?)GetWorkspaceSize\s*\(")
_HEADER, _PAGE = ".h", ".md"

DepthOfTests = Literal["values", "contract", "unknown"]
_DEPTHS: tuple[DepthOfTests, ...] = ("values", "contract", "unknown")


@dataclass(frozen=True)
class ReleaseOperator:
    """An operator of a release.

    Attributes:
        file: The page or header that declares it.
        family: That of its spec or page, or the folder of the page.
        depth: Whether the suite tests values, the contract alone, or does not know the operator.
        reason: What a spec of an unknown operator lacks.
    """

    name: str
    file: Path
    family: str
    depth: DepthOfTests
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return its entry in the output of ``--json``."""
        return {**vars(self), "file": str(self.file)}


def cover_release(folder: Path, specs: SpecSet, jobs: int) -> tuple[ReleaseOperator, ...]:
    """Return the operators that pages or headers of a folder declare, by name.

    Raises:
        WrongInputError: The folder cannot be read, or declares no operator.
    """
    files: dict[str, Path] = {}
    for path in sorted(folder.rglob("*"), key=lambda path: (path.suffix != _PAGE, path)):
        if path.suffix in (_HEADER, _PAGE) and path.is_file():
            for name in _DECLARATION.findall(path.read_text(encoding="utf-8", errors="replace")):
                files.setdefault(name, path)
    if not files:
        raise WrongInputError(
            f"{folder}: no page (.md) or header (.h) below it declares an aclnn operator"
        )
    operators = [_known(name, files[name], specs) for name in sorted(files)]
    unknown = (operator for operator in operators if operator.depth == "unknown")
    read = functools.partial(_explain, specs.products, specs.date)
    explained = spread(read, unknown, jobs, "a process that read pages was killed")
    return tuple(
        next(explained) if operator.depth == "unknown" else operator for operator in operators
    )


def _known(name: str, file: Path, specs: SpecSet) -> ReleaseOperator:
    spec = specs.operators.get(name)
    if spec is None:
        return ReleaseOperator(name, file, file.parent.name, "unknown")
    depth: DepthOfTests = "contract" if spec.is_contract else "values"
    return ReleaseOperator(name, file, spec.document.family, depth)


def _explain(
    products: Mapping[str, Product], edition: str, operator: ReleaseOperator
) -> ReleaseOperator:
    """Return an unknown operator with what a draft of its spec leaves open."""
    file, family = operator.file, operator.family
    if file.suffix == _HEADER:
        return replace(operator, reason="no page; its header alone is here")
    try:
        page = read_page(file, products)
        family = page.family or family
        text, _ = draft(page, edition, operator.name, contract=True)
        todos = [*_todos(yaml.safe_load(text))]
    except WrongInputError as error:
        reason = f"the page cannot be transcribed: {str(error).removeprefix(f'{file}:')}"
    else:
        first = f": {todos[0]}" if todos else ""
        count = counted(len(todos), "todo")
        reason = f"no spec; `aclnn-cts transcribe` drafts one with {count}{first}"
    return replace(operator, family=family, reason=reason)


def _todos(data: Any) -> Iterable[str]:
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        if key == "todo":
            yield from value if isinstance(value, list) else [value]
        elif isinstance(value, dict | list):
            yield from _todos(value)


def release_tables(operators: Sequence[ReleaseOperator], *, verbose: bool = False) -> Group:
    """Return a table of families; and what keeps each unknown operator out, if it is asked for."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("family", no_wrap=True)
    for title in ("operators", "with values", "by contract", "unknown"):
        table.add_column(title, justify="right", no_wrap=True)
    families = sorted({operator.family for operator in operators})
    for family in (*families, None):
        depths = Counter(each.depth for each in operators if family in (None, each.family))
        name = "all" if family is None else family
        table.add_row(name, *map(str, (depths.total(), *(depths[depth] for depth in _DEPTHS))))
    unknown = [operator for operator in operators if operator.depth == "unknown"]
    if not verbose:
        return Group(table, Text("`--verbose` says what keeps each unknown operator out"))
    return Group(table, *(Text(f"{each.name} ({each.file}): {each.reason}") for each in unknown))
