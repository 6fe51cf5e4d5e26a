# SPDX-License-Identifier: Apache-2.0
"""The other devices that the simulated one can be turned into.

``simulator/faults.yaml`` lists faults: devices that break a promise, and that the suite has to
notice. ``simulator/variants.yaml`` lists variants: devices that are as right as the unharmed one,
though they compute, check or store otherwise, and on which every case has to pass. An entry is
described for people and for the machine: by edits of the simulator's sources, which hold nothing
about either.
"""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, StringConstraints

from aclnn_cts.errors import WrongInputError, unknown_name
from aclnn_cts.judge.clauses import clause_texts
from aclnn_cts.run.fault_injection import Change
from aclnn_cts.run.folder import Device
from aclnn_cts.spec.fields import Complaint, Strict
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.model_files import read_model, refuse
from aclnn_cts.spec.products import unknown_product
from aclnn_cts.spec.yaml_files import Location
from aclnn_cts.suite import Suite

DEFAULT_PRODUCT = "atlas-a2"
"""Where an entry is played that shows on any product."""

_MOST_OFFERED = 3

Kind: TypeAlias = Literal["fault", "variant"]
FILES: Mapping[Kind, str] = {"fault": "faults.yaml", "variant": "variants.yaml"}
"""Where the entries of each kind stand, below ``simulator/``."""

Sentence = Annotated[str, StringConstraints(min_length=10, strip_whitespace=True)]
EntryId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)+$", max_length=60)]
SourcePath = Annotated[
    str, StringConstraints(pattern=r"^(operators|src|include)/([a-z0-9_]+/)*[a-z0-9_]+\.(cpp|h)$")
]
LEFT_OPEN = ("requirement", "refusal", "order-of-checks", "contested", "unstated")
"""What else makes a variant right: what pages leave to the device.

``requirement``: a page states what callers must keep and nothing of what happens otherwise.
``refusal``: a page states that a call is refused, not with which status or in which phase.
``order-of-checks``: no page states an order, so either status of two is right.
``contested``: sentences of a page contradict each other. ``unstated``: no page speaks of it.
"""


class Edit(Strict):
    """One place of a source, and what stands there in the other device.

    Attributes:
        source: The source, below ``simulator/``.
        replace: What stands there, exactly once in that file.
        by: What takes its place.
    """

    source: SourcePath = Field(alias="in")
    replace: Annotated[str, StringConstraints(min_length=1)]
    by: str


class Entry(Strict):
    """One device that differs from the unharmed one.

    Attributes:
        id: Its id.
        operator: The operator in whose sources it differs; None for what all operators share.
        part: What it differs in otherwise: the layout of tensors, or the runtime.
        operators: Whose cases are run on a device that differs in a part.
        product: The product on which it is played.
        edits: How the sources differ.
    """

    id: EntryId
    operator: str | None = None
    part: Literal["layout", "runtime"] | None = None
    operators: tuple[str, ...] = Field(default=())
    product: str = DEFAULT_PRODUCT
    edits: tuple[Edit, ...] = Field(min_length=1)

    @property
    def home(self) -> str:
        """The operator or the part that it is in."""
        return self.operator or str(self.part)

    @property
    def tried_on(self) -> tuple[str, ...]:
        """The operators whose cases are run on it."""
        return (self.operator,) if self.operator else self.operators


class Fault(Entry):
    """A device that breaks a promise.

    Attributes:
        fault: What goes wrong.
        bug: The kind of real bug that it stands for.
        notices: Ids of the clauses that ought to notice.
        needs: What has to be true of a case that notices it.
    """

    fault: Sentence
    bug: Sentence
    notices: tuple[str, ...] = Field(min_length=1)
    needs: Sentence


class Variant(Entry):
    """A device that keeps every promise in another way.

    Attributes:
        variant: What it does otherwise.
        allows: What makes it right: ids of allowances, or what the page leaves open.
        why: Why it is right, in words: the sentences that it keeps, and real devices that do so.
    """

    variant: Sentence
    allows: tuple[str, ...] = Field(min_length=1)
    why: Sentence


class _Faults(Strict):
    faults: tuple[Fault, ...] = Field(min_length=1)


class _Variants(Strict):
    variants: tuple[Variant, ...] = Field(default=())


@dataclass(frozen=True)
class Catalog:
    """All known faults and variants, by id, what makes each of them, and where they are listed."""

    faults: Mapping[str, Fault]
    variants: Mapping[str, Variant]
    changes: Mapping[str, Change]
    folder: Path

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All faults, then all variants."""
        return (*self.faults.values(), *self.variants.values())

    def change(self, name: str, kind: Kind = "fault") -> Change:
        """Return what makes the device of this id.

        Raises:
            WrongInputError: There is none of this kind; near ones are offered, and what lists all.
        """
        known: Mapping[str, Entry] = self.faults if kind == "fault" else self.variants
        if name not in known:
            raise self._unknown(name, kind, known)
        return self.changes[name]

    def _unknown(self, name: str, kind: Kind, known: Mapping[str, Entry]) -> WrongInputError:
        near = difflib.get_close_matches(name, known, n=_MOST_OFFERED, cutoff=0.4)
        # Whoever knows no id begins with a word, such as the operator's.
        near = near or [each for each in known if name in each][:_MOST_OFFERED]
        hint = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
        command = f"grep '  - id:' {shlex.quote(str(self.folder / FILES[kind]))}"
        what = "unknown fault" if kind == "fault" else "unknown variant"
        return WrongInputError(f"{what} {name!r}; {hint}`{command}` lists all {len(known)}")


def load_catalog(suite: Suite) -> Catalog:
    """Read and check faults and variants against the current edition of the documents.

    Raises:
        WrongInputError: ``simulator/faults.yaml:LINE: what is wrong``, one line for each thing.
    """
    checker = _Checker(load_specs(suite), suite.simulator)
    path = suite.simulator / FILES["fault"]
    listed, lines = read_model(path, _Faults)
    changes = checker.changes(path, lines, "faults", listed.faults)
    path = suite.simulator / FILES["variant"]
    others, lines = read_model(path, _Variants)
    changes |= checker.changes(path, lines, "variants", others.variants)
    return Catalog(
        {fault.id: fault for fault in listed.faults},
        {variant.id: variant for variant in others.variants},
        changes,
        suite.simulator,
    )


def recorded_change(suite: Suite, device: Device) -> Change | None:
    """Return what made another device of the simulated one in a run; None for the unharmed one."""
    if device.fault:
        return load_catalog(suite).change(device.fault)
    return load_catalog(suite).change(device.variant, "variant") if device.variant else None


class _Checker:
    """Checks the entries of one file after the other: ids and edits are of one entry each."""

    def __init__(self, specs: SpecSet, simulator: Path) -> None:
        self._specs = specs
        self._tested = {spec.operator: spec for spec in specs.tested}
        self._sources = _Sources(simulator)
        self._ids: set[str] = set()
        self._edits: dict[tuple[Edit, ...], str] = {}

    def changes(
        self, path: Path, lines: dict[Location, int], key: str, entries: Sequence[Entry]
    ) -> dict[str, Change]:
        """Return what makes each device, by id.

        Raises:
            WrongInputError: An entry is described wrongly, or does not fit the sources.
        """
        found: list[Complaint] = []
        changes = {}
        for number, entry in enumerate(entries):
            edited = _edited(entry, self._sources)
            wrong = (*self._repeated(entry), *self._misdescribed(entry), *edited.complaints)
            found += [((key, number, *at), f"{entry.id}: {text}") for at, text in wrong]
            kind: Kind = "variant" if isinstance(entry, Variant) else "fault"
            changes[entry.id] = Change(entry.id, edited.texts, kind)
        refuse(path, lines, found)
        return changes

    def _repeated(self, entry: Entry) -> Iterator[Complaint]:
        if entry.id in self._ids:
            yield ("id",), "duplicate id"
        self._ids.add(entry.id)
        if self._edits.setdefault(entry.edits, entry.id) != entry.id:
            yield ("edits",), f"has the edits of {self._edits[entry.edits]}"

    def _misdescribed(self, entry: Entry) -> Iterator[Complaint]:
        """Yield what is said of operators, products and clauses that there are not."""
        if (entry.operator is None) == (entry.part is None):
            yield (), "say either `operator` or `part`"
            return
        yield from _misnamed(entry)
        if entry.part is not None and not entry.operators:
            yield (), "an entry for a part says in `operators` whose cases are run on it"
        if entry.operator is not None and entry.operators:
            yield ("operators",), "an entry for an operator is tried on that operator's cases"
        for name in entry.tried_on:
            if name not in self._tested:
                yield (), str(unknown_name("operator", name, self._tested))
        if entry.product not in self._specs.products:
            yield ("product",), str(unknown_product(entry.product, self._specs.products))
        if isinstance(entry, Fault):
            yield from self._unknown_clauses(entry)
        if isinstance(entry, Variant):
            known = (*self._specs.allowances, *LEFT_OPEN)
            for name in set(entry.allows) - set(known):
                yield ("allows",), str(unknown_name("allowance", name, known))

    def _unknown_clauses(self, fault: Fault) -> Iterator[Complaint]:
        known = {
            clause
            for name in self._tested.keys() & set(fault.tried_on)
            for clause in clause_texts(self._specs, name)
        }
        for clause in fault.notices:
            if known and clause not in known:
                yield ("notices",), str(unknown_name("clause", clause, known))


def _misnamed(entry: Entry) -> Iterator[Complaint]:
    """Yield what is wrong if an id does not tell the operator or the part."""
    words = [word.lower() for word in re.findall("[A-Z]?[a-z]+", entry.home.removeprefix("aclnn"))]
    if entry.id.split("-")[0] not in words:
        yield ("id",), f"the id must begin with a word of {entry.home}: {', '.join(words)}"


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
    """What an entry's edits come to, one after the other: changed texts, or what does not fit."""

    texts: Mapping[str, str]
    complaints: tuple[Complaint, ...]


def _edited(entry: Entry, sources: _Sources) -> _Edited:
    """Apply an entry's edits in order, each to what the ones before it have left."""
    texts: dict[str, str] = {}
    found: list[Complaint] = []
    for number, edit in enumerate(entry.edits):
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
