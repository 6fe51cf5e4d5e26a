# SPDX-License-Identifier: Apache-2.0
"""``simulator/faults.yaml``: the faults that the simulated device can be given.

A fault is described for people (what goes wrong, which kind of real bug it stands for, which clause
ought to notice, what a case must have to notice it) and for the machine: edits of the simulator's
sources. The sources themselves hold nothing about faults.
"""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from aclnn_cts.errors import WrongInputError, unknown_name
from aclnn_cts.judge.clauses import clause_texts
from aclnn_cts.run.faulty import Change
from aclnn_cts.spec.fields import Complaint, Strict
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.model_files import read_model, refuse
from aclnn_cts.spec.products import unknown_product
from aclnn_cts.suite import Suite

CATALOG = "faults.yaml"

DEFAULT_PRODUCT = "atlas-a2"
"""Where a fault is played that shows on any product."""

_MOST_OFFERED = 3

Sentence = Annotated[str, StringConstraints(min_length=10, strip_whitespace=True)]
FaultId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)+$", max_length=60)]
SourcePath = Annotated[
    str, StringConstraints(pattern=r"^(operators|src|include)/([a-z0-9_]+/)*[a-z0-9_]+\.(cpp|h)$")
]


class Edit(Strict):
    """One place of a source, and what stands there in the faulty device.

    Attributes:
        source: The source, below ``simulator/``.
        replace: What stands there, exactly once in that file.
        by: What takes its place.
    """

    source: SourcePath = Field(alias="in")
    replace: Annotated[str, StringConstraints(min_length=1)]
    by: str


class Fault(Strict):
    """One known fault.

    Attributes:
        id: Its id.
        operator: The operator in whose sources it is; None for what all operators share.
        part: What it is in otherwise: the layout of tensors, or the runtime.
        operators: Whose cases are to notice a fault that is in no operator.
        fault: What goes wrong.
        bug: The kind of real bug that it stands for.
        notices: Ids of the clauses that ought to notice.
        needs: What has to be true of a case that notices it.
        product: The product on which it is played.
        edits: How the sources differ.
    """

    id: FaultId
    operator: str | None = None
    part: Literal["layout", "runtime"] | None = None
    operators: tuple[str, ...] = Field(default=())
    fault: Sentence
    bug: Sentence
    notices: tuple[str, ...] = Field(min_length=1)
    needs: Sentence
    product: str = DEFAULT_PRODUCT
    edits: tuple[Edit, ...] = Field(min_length=1)

    @property
    def home(self) -> str:
        """The operator or the part that it is in."""
        return self.operator or str(self.part)

    @property
    def tried_on(self) -> tuple[str, ...]:
        """The operators whose cases are run against it."""
        return (self.operator,) if self.operator else self.operators


class _Catalog(Strict):
    faults: tuple[Fault, ...] = Field(min_length=1)


@dataclass(frozen=True)
class Catalog:
    """All known faults, by id, what makes each of them, and the file that lists them."""

    faults: Mapping[str, Fault]
    changes: Mapping[str, Change]
    path: Path

    def change(self, name: str) -> Change:
        """Return what makes a device that has the fault of this id.

        Raises:
            WrongInputError: There is no such fault; near ones are offered, and what lists all.
        """
        if name not in self.changes:
            raise self._unknown(name)
        return self.changes[name]

    def _unknown(self, name: str) -> WrongInputError:
        near = difflib.get_close_matches(name, self.changes, n=_MOST_OFFERED, cutoff=0.4)
        # Whoever knows no id begins with a word, such as the operator's.
        near = near or [known for known in self.changes if name in known][:_MOST_OFFERED]
        hint = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
        command = f"grep '  - id:' {shlex.quote(str(self.path))}"
        return WrongInputError(
            f"unknown fault {name!r}; {hint}`{command}` lists all {len(self.changes)}"
        )


def load_catalog(suite: Suite) -> Catalog:
    """Read and check the catalog against the current edition of the documents.

    Raises:
        WrongInputError: ``simulator/faults.yaml:LINE: what is wrong``, one line for each thing.
    """
    path, specs = suite.simulator / CATALOG, load_specs(suite)
    catalog, lines = read_model(path, _Catalog)
    sources = _Sources(suite.simulator)
    edited = [_edited(fault, sources) for fault in catalog.faults]
    found: list[Complaint] = list(_repeated(catalog))
    for number, (fault, made) in enumerate(zip(catalog.faults, edited, strict=True)):
        for at, text in (*_misdescribed(fault, specs), *made.complaints):
            found.append((("faults", number, *at), f"{fault.id}: {text}"))
    refuse(path, lines, found)
    return Catalog(
        {fault.id: fault for fault in catalog.faults},
        {
            fault.id: Change(fault.id, made.texts)
            for fault, made in zip(catalog.faults, edited, strict=True)
        },
        path,
    )


def _repeated(catalog: _Catalog) -> Iterator[Complaint]:
    """Yield what stands twice in the catalog: an id, or the same edits under two ids."""
    ids: dict[str, int] = {}
    edits: dict[tuple[Edit, ...], str] = {}
    for number, fault in enumerate(catalog.faults):
        if ids.setdefault(fault.id, number) != number:
            yield ("faults", number, "id"), f"the id {fault.id} stands twice"
        if edits.setdefault(fault.edits, fault.id) != fault.id:
            yield ("faults", number, "edits"), f"{fault.id} has the edits of {edits[fault.edits]}"


def _misdescribed(fault: Fault, specs: SpecSet) -> Iterator[Complaint]:
    """Yield what is said of operators, products and clauses that there are not."""
    if (fault.operator is None) == (fault.part is None):
        yield (), "say either `operator` or `part`"
        return
    if fault.part is not None and not fault.operators:
        yield (), "a fault in no operator says in `operators` whose cases are to notice it"
    if fault.operator is not None and fault.operators:
        yield ("operators",), "a fault in an operator is tried on that operator's cases"
    tested = {spec.operator: spec for spec in specs.tested}
    for name in fault.tried_on:
        if name not in tested:
            yield (), str(unknown_name("operator", name, tested))
    if fault.product not in specs.products:
        yield ("product",), str(unknown_product(fault.product, specs.products))
    known = {
        clause
        for name in tested.keys() & set(fault.tried_on)
        for clause in clause_texts(specs, name)
    }
    for clause in fault.notices:
        if known and clause not in known:
            yield ("notices",), str(unknown_name("clause", clause, known))


class _Sources:
    """The unharmed sources, each read once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._texts: dict[str, str | None] = {}

    def text(self, path: str) -> str | None:
        """Return a source; None if there is no such file."""
        if path not in self._texts:
            file = self._folder / path
            self._texts[path] = file.read_text(encoding="utf-8") if file.is_file() else None
        return self._texts[path]


@dataclass(frozen=True)
class _Edited:
    """What a fault's edits come to, one after the other: changed texts, or what does not fit."""

    texts: Mapping[str, str]
    complaints: tuple[Complaint, ...]


def _edited(fault: Fault, sources: _Sources) -> _Edited:
    """Apply a fault's edits in order, each to what the ones before it have left."""
    texts: dict[str, str] = {}
    found: list[Complaint] = []
    for number, edit in enumerate(fault.edits):
        text = texts[edit.source] if edit.source in texts else sources.text(edit.source)
        if text is None:
            found.append((("edits", number, "in"), f"there is no simulator/{edit.source}"))
            continue
        count = text.count(edit.replace)
        if count != 1:
            said = f"stands {count} times in simulator/{edit.source}, must stand there once"
            found.append((("edits", number, "replace"), said))
        elif edit.by == edit.replace:
            found.append((("edits", number, "by"), "changes nothing"))
        texts[edit.source] = text.replace(edit.replace, edit.by)
    return _Edited(texts, tuple(found))
