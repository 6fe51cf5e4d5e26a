# SPDX-License-Identifier: Apache-2.0
"""The catalog of modified simulated devices: faults and variants.

A fault breaks a promise, and the suite has to notice it. A variant keeps every promise in another
way, and every case has to pass on it. ``simulator/faults.yaml`` and ``simulator/variants.yaml``
describe each by edits of the simulator's sources. A fault class is an edit that applies to every
simulated operator, to each of its tensors, or to each place that a pattern finds.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import Field, StringConstraints

from aclnn_cts.emit.kernels import USUAL, Computation, is_of_elements
from aclnn_cts.emit.simulated import simulated_text, simulated_texts
from aclnn_cts.errors import WrongFileError, WrongInputError, nearest_name, one_of, unknown_name
from aclnn_cts.files import refuse_links_out, refuse_pipes
from aclnn_cts.qualify.formula_edits import FORMULA_EDITS, Formula, edits_of
from aclnn_cts.run.build import simulator_files
from aclnn_cts.run.devices import DEFAULT_PRODUCT
from aclnn_cts.run.fault_injection import Change, Kind
from aclnn_cts.run.folder import Device
from aclnn_cts.spec.clause_models import Complaint, DtypeName, Strict
from aclnn_cts.spec.data_types import DATA_TYPES, IntegerFormat
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.model_files import read_model, refuse
from aclnn_cts.spec.models import Depth, OperatorSpec, TensorParameter
from aclnn_cts.spec.products import unknown_product
from aclnn_cts.spec.revisions import Revision
from aclnn_cts.spec.yaml_files import Location
from aclnn_cts.suite import Suite

LEFT_OPEN = ("requirement", "refusal", "order-of-checks", "contested", "unstated")
"""Further justifications of a variant: choices that pages leave to the device
(docs/known-faults.md)."""

FAULTS_FILE = "faults.yaml"
"""Of the simulated device; of an operator folder, what is no fault of its operators."""

_MOST_SUGGESTED = 3

Sentence = Annotated[str, StringConstraints(min_length=10, strip_whitespace=True)]
Item = TypeVar("Item")
EntryId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)+$", max_length=60)]
Edits: TypeAlias = dict[str, str | dict[str, str]]

_VIEW = {
    r"using namespace simulator;": r"""\g<0>

namespace {
aclTensor Faulty(aclTensor tensor) {
  %s
  return tensor;
}
}  // namespace""",
    r"(?<!aclTensor )(?<!aclTensorList )\*{what}\b": "Faulty(*{what})",
}
"""Template for a tensor that is passed to the operator's work with a wrong description."""

_WORK = {
    r"using namespace simulator;": r"""\g<0>

namespace {
struct Faulty {
  aclTensor tensor;
  Work operator+(Work work) const {
    const auto run = [tensor = tensor, run = work.run](void *workspace) {
      %s
    };
    return {work.workspaceBytes, run};
  }
};
}  // namespace""",
    r"return Work\{": "return Faulty{*{what}} + Work{",
}
"""Template for work that does something wrong to a tensor before or after ``run(workspace)``."""


_SPACE = re.compile(r"(?P<behind>\(\?<[=!](?:\\.|[^)\\])*\))| (?P<perhaps>\?)?")


def _with_any_space(pattern: str) -> str:
    """Return a pattern whose spaces match any white space, because statements may be wrapped.

    Lookbehinds are unchanged, because they need a fixed width.
    """
    return _SPACE.sub(lambda at: at["behind"] or (r"\s*" if at["perhaps"] else r"\s+"), pattern)


class FaultClass(Strict):
    """A fault that applies to any simulated operator.

    Attributes:
        name: Prefix of the ids of its instances: ``NAME.OPERATOR.WHAT``.
        each: The kind of subject of its instances.
        depth: The depth of the operators that it applies to; all of them if None.
        strided: Whether only tensors that may be non-contiguous can show it.
        unless: Not of operators whose source has this pattern.
        unless_listed: Not of operators whose page lists this data type for one of their tensors.
        by_value: Whether only values can show it in a tensor that is input and output.
        reorders: Whether it takes elements in another order, which changes no result of an
            elementwise operator in a tensor that is input and output.
        several: Whether it needs several elements: a tensor that has one cannot show it.
        floating: Whether it needs a floating data type.
        rows: Whether it needs rows: a tensor whose shape lists less than two axes has none.
        named_in: The rows, of the error table or of any basis, that must name its tensor as one
            that must not be null; without such a row nothing is promised of a null pointer.
        place: With ``each: place``, a pattern whose group ``what`` names each instance.
        fault: What goes wrong; ``{what}`` is the tensor or place.
        bug: The kind of real bug that it represents.
        notices: The clauses that should notice it, as far as an operator has them; ``{what}``
            stands for the tensor, written with hyphens.
        view: Statements that change ``tensor``, the description that the operator's work sees.
        work: Statements in place of ``run(workspace);``, with access to ``tensor``.
        edits: Replacements by pattern; each pattern must match the operator's source, or the kernel
            that it includes.
        computes: How a device computes that computes wrong; of operators whose kernel follows from
            their formula.
        equivalent: Instances that are not faults, as ``OPERATOR.WHAT``, by reason.
    """

    name: EntryId = Field(alias="class")
    each: Literal["operator", "tensor", "input", "output", "place"]
    depth: Depth | None = None
    strided: bool = False
    unless: str = ""
    unless_listed: DtypeName | None = None
    by_value: bool = False
    reorders: bool = False
    several: bool = False
    rows: bool = False
    floating: bool = False
    named_in: Literal["statuses", "errors"] | None = None
    place: str = ""
    fault: Sentence
    bug: Sentence
    notices: tuple[str, ...] = Field(min_length=1)
    view: str = ""
    work: str = ""
    edits: dict[str, str] = Field(default_factory=dict)
    computes: Computation | None = None
    equivalent: dict[Sentence, tuple[str, ...]] = Field(default_factory=dict)

    def _subjects(self, spec: OperatorSpec, source: str) -> tuple[str, ...]:
        if self.each == "operator":
            return ("",)
        if self.each == "place":
            matches = re.finditer(_with_any_space(self.place), source)
            single = {each.name for each in spec.tensors if self.several and each.is_single}
            places = dict.fromkeys(match["what"] for match in matches)
            return tuple(name for name in places if name not in single)
        tensors = self._tensors(spec)
        if self.named_in is None:
            return tuple(tensor.name for tensor in tensors)
        names = self._null_pointers(spec)
        return tuple(tensor.name for tensor in tensors if tensor.name in names)

    def _tensors(self, spec: OperatorSpec) -> list[TensorParameter]:
        """Return the tensors that are subjects of the class."""
        by_role = {"tensor": spec.tensors, "input": spec.inputs, "output": spec.outputs}
        tensors = [tensor for tensor in by_role[self.each] if self._is_for(spec, tensor)]
        if not spec.is_contract:
            return tensors
        # all tensors are planned alike, and the source is generated, so one of each is enough
        promised = sorted(tensors, key=lambda tensor: tensor.unpromised is not None)
        first = {tensor.is_output: tensor for tensor in reversed(promised)}
        tensors = [first[is_output] for is_output in (False, True) if is_output in first]
        if not self.by_value:
            return tensors
        return [tensor for tensor in tensors if not (tensor.is_input and tensor.is_output)]

    def _is_for(self, spec: OperatorSpec, tensor: TensorParameter) -> bool:
        """Whether the class has an instance for a tensor."""
        if self.reorders and "elementwise" in spec.traits and tensor.is_input and tensor.is_output:
            return False
        axes = 0 if tensor.is_single else tensor.axes
        if axes is not None and axes < (2 if self.rows else 1 if self.several else 0):
            return False
        if self.floating and not _may_be_floating(spec, tensor):
            return False
        return tensor.non_contiguous or not self.strided

    def _null_pointers(self, spec: OperatorSpec) -> set[str]:
        """Return the parameters that error clauses forbid to be null."""
        return {
            name
            for error in spec.errors
            if self.named_in == "errors" or error.basis == "status"
            for name in error.null_pointer or ()
        }

    def instances(self, spec: OperatorSpec, source: str) -> Iterator[tuple[str, str]]:
        """Yield the ``OPERATOR.WHAT`` of each instance, and the changed source or kernel.

        Raises:
            re.error: A pattern or a replacement is invalid.
        """
        if self.unless and re.search(self.unless, source):
            return
        if self.computes is not None:
            if (text := simulated_text(spec, self.computes)) != source:
                yield spec.operator, text
            return
        template = {key: text.replace("%s", self.view) for key, text in _VIEW.items() if self.view}
        template |= {key: text.replace("%s", self.work) for key, text in _WORK.items() if self.work}
        for subject in self._subjects(spec, source):
            text, count = source, 0
            for pattern, new in (template | self.edits).items():
                old = _with_any_space(pattern.replace("{what}", subject))
                text, count = re.subn(old, new.replace("{what}", subject), text)
                if not count:
                    break
            if count:
                yield ".".join(filter(None, (spec.operator, subject))), text


def _may_be_floating(spec: OperatorSpec, tensor: TensorParameter) -> bool:
    return any(
        not isinstance(DATA_TYPES[dtype].grid, IntegerFormat)
        for product in spec.products
        if spec.supports(product)
        for dtype in spec.dtypes(tensor.name, product)
    )


class _Device(Strict):
    """Keys of a device, or of its group for all its devices."""

    operators: tuple[str, ...] = ()
    product: str = ""
    notices: tuple[str, ...] = ()
    allows: tuple[str, ...] = ()
    why: str = ""


class _Fault(_Device):
    fault: Sentence
    edits: Edits = Field(min_length=1)


class _Variant(_Device):
    variant: Sentence
    edits: Edits = Field(min_length=1)


class _Group(_Device):
    operator: str | None = None
    part: Literal["arithmetic", "layout", "runtime"] | None = None


class _FaultGroup(_Group):
    devices: dict[EntryId, _Fault] = Field(min_length=1)


class _VariantGroup(_Group):
    devices: dict[EntryId, _Variant] = Field(min_length=1)


class Faults(Strict):
    """``faults.yaml``."""

    faults: tuple[_FaultGroup, ...] = Field(min_length=1)
    classes: tuple[FaultClass, ...] = ()


class FolderFaults(Strict):
    """``faults.yaml`` of an operator folder.

    Attributes:
        equivalent: As those of a class, by its name.
    """

    equivalent: dict[EntryId, dict[Sentence, tuple[str, ...]]] = Field(min_length=1)


class VariantClass(Strict):
    """A variant of each operator whose kernel follows from its formula and whose spec permits it.

    Attributes:
        name: Prefix of the ids of its instances: ``NAME.OPERATOR``.
        variant: What it does differently.
        allows: The allowances that a spec must name.
        computes: How it computes.
        left_out: Operators of which it has no instance, by reason.
    """

    name: EntryId = Field(alias="class")
    variant: Sentence
    allows: tuple[str, ...] = Field(min_length=1)
    computes: Computation
    left_out: dict[Sentence, tuple[str, ...]] = Field(default_factory=dict)


class Variants(Strict):
    """``variants.yaml``."""

    variants: tuple[_VariantGroup, ...] = ()
    classes: tuple[VariantClass, ...] = ()


@dataclass(frozen=True)
class Entry:
    """A device that differs from the unharmed one.

    Attributes:
        change: Its id, its kind, and its changed sources.
        home: The operator or part in which it differs.
        tried_on: The operators whose cases are run on it.
        what: What it does differently.
        notices: The clauses that should notice a fault.
        allows: The justifications of a variant: ids of allowances, or choices that the page leaves
            open.
        why: Why a variant is right, if ``allows`` does not explain it.
        fault_class: The class of which it is an instance; empty for one written by hand.
        formula: The formula by which a fault computes, if it is an edit of the operator's own.
    """

    change: Change
    home: str
    tried_on: tuple[str, ...]
    product: str
    what: str
    notices: tuple[str, ...] = ()
    allows: tuple[str, ...] = ()
    why: str = ""
    fault_class: str = ""
    formula: Formula | None = None

    @property
    def id(self) -> str:
        """Its unique id."""
        return self.change.id

    @property
    def kind(self) -> Kind:
        """Whether it is a fault or a variant."""
        return self.change.kind

    def is_concerned(self, revision: Revision) -> bool:
        """Return whether a revision changes it, or draws it; the lot is its id if many share it."""
        return (
            self.home in revision.operators
            or self.fault_class in revision.classes
            or revision.draws(self.home if len(self.tried_on) == 1 else self.id)
        )


@dataclass(frozen=True)
class Catalog:
    """All faults, then all variants.

    Attributes:
        left_out: The errors of invalid specs, by operator, and by the ids that are left out for it.
    """

    entries: tuple[Entry, ...]
    left_out: Mapping[str, WrongFileError] = field(default_factory=dict)

    def ids(self, kind: Kind) -> tuple[str, ...]:
        return tuple(entry.id for entry in self.entries if entry.kind == kind)

    def of(self, specs: SpecSet, homes: Sequence[str]) -> list[Entry]:
        """Return the entries of some operators and parts; all if none is named.

        Raises:
            WrongInputError: There is no such operator or part, or its spec is invalid.
        """
        specs.require_valid(homes)
        homes_of_entries = {entry.home for entry in self.entries}
        for home in homes:
            one_of("operator or part", home, homes_of_entries)
        return [entry for entry in self.entries if not homes or entry.home in homes]

    def change(self, name: str, kind: Kind = "fault") -> Change:
        """Return the change for this id; raises as :meth:`entry`."""
        return self.entry(name, kind).change

    def entry(self, name: str, kind: Kind) -> Entry:
        """Return the entry for this id.

        Raises:
            WrongInputError: The id is unknown; near ids are suggested. Or its operator's spec is
                invalid.
        """
        entry = next(
            (entry for entry in self.entries if (entry.id, entry.kind) == (name, kind)), None
        )
        if entry is None:
            self.require_valid(name)
            near = self.near(name, kind)
            hint = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
            raise WrongInputError(
                f"unknown {kind} {name!r}; {hint}`aclnn-cts faults --all` lists all"
            )
        return entry

    def require_valid(self, name: str) -> None:
        """Raise the error of the spec for which an id is left out, if any."""
        operator = [part for part in name.split(".") if part in self.left_out]
        for key in (name, *operator):
            if key in self.left_out:
                raise self.left_out[key]

    def near(self, name: str, kind: Kind) -> list[str]:
        """Return the ids most like a name, or else the first ones with the most similar words."""
        ids = self.ids(kind)
        if near := difflib.get_close_matches(name, ids, n=_MOST_SUGGESTED, cutoff=0.7):
            return near
        words = sorted({word for id_ in ids for word in id_.split("-")})
        like = {
            word_match
            for word in name.split("-")
            for word_match in difflib.get_close_matches(word, words, n=1, cutoff=0.7)
        }
        shared = {id_: len(like & set(id_.split("-"))) + (name in id_) for id_ in ids}
        most = max(shared.values(), default=0)
        return [id_ for id_ in ids if most and shared[id_] == most][:_MOST_SUGGESTED]


def load_catalog(suite: Suite) -> Catalog:
    """Read and check faults and variants against the current edition of the documents.

    Those of operators whose specs are invalid are left out, and those that are no faults.

    Raises:
        WrongInputError: ``simulator/faults.yaml:LINE: what is wrong``, one line per mistake;
            likewise of the file of an operator folder.
    """
    specs = load_specs(suite)
    reader = _Reader(specs, simulator_files(suite))
    path = suite.simulator / FAULTS_FILE
    faults, lines = read_model(path, Faults)
    entries = [*reader.instances(faults.classes), *reader.devices("faults", faults.faults)]
    entries += reader.formula_edits()
    reader.refuse(path, lines)
    for folder in suite.folders:
        faults_path = folder.path / FAULTS_FILE
        refuse_links_out(folder.path, [faults_path])
        refuse_pipes(faults_path)
        if faults_path.exists():
            folder_faults, lines = read_model(faults_path, FolderFaults)
            entries = reader.remove_equivalent(entries, folder_faults, folder.path)
            reader.refuse(faults_path, lines)
    path = suite.simulator / "variants.yaml"
    variants, lines = read_model(path, Variants)
    entries += reader.devices("variants", variants.variants)
    entries += reader.computations(variants.classes)
    reader.refuse(path, lines)
    return Catalog(tuple(entries), {**specs.invalid, **reader.left_out})


def recorded_change(suite: Suite, device: Device) -> Change | None:
    """Return the fault or variant of a recorded run; None for the unharmed device."""
    if device.fault:
        return load_catalog(suite).change(device.fault)
    return load_catalog(suite).change(device.variant, "variant") if device.variant else None


class _Reader:
    """Makes entries from a file, and collects its mistakes."""

    def __init__(self, specs: SpecSet, files: Mapping[str, Path]) -> None:
        self._specs = specs
        self._all_valid = not specs.invalid
        self._tested = {spec.operator: spec for spec in specs.tested_operators}
        self._clauses = {name: set(specs.clause_texts(name)) for name in self._tested}
        self._files = files
        self._texts: dict[str, str] = {}
        self._ids: set[str] = set()
        self._devices: dict[tuple[str, str], str] = {}
        self._found: list[Complaint] = []
        self.left_out: dict[str, WrongFileError] = {}

    def refuse(self, path: Path, lines: Mapping[Location, int]) -> None:
        """Raise if the file has mistakes."""
        refuse(path, lines, self._found)

    @cached_property
    def _sources(self) -> dict[str, str]:
        """The source of each tested operator, found by the function that it defines."""
        pattern = re.compile(r"(operators|generated)/\w+\.cpp")
        paths = sorted(filter(pattern.fullmatch, self._files))
        return {
            operator: path
            for operator in self._tested
            for path in paths
            if f"aclnnStatus {operator}GetWorkspaceSize(" in self._text(path)
        }

    def _text(self, path: str) -> str:
        if path not in self._texts:
            self._texts[path] = self._files[path].read_text(encoding="utf-8")
        return self._texts[path]

    def _kernels(self, path: str) -> Iterator[str]:
        """Yield the kernels that a source includes, directly or not."""
        for kernel in re.findall(r'#include "(operators/\w+\.h)"', self._text(path)):
            yield kernel
            yield from self._kernels(kernel)

    def instances(self, classes: tuple[FaultClass, ...]) -> Iterator[Entry]:
        """Yield the instances of all classes, operator by operator."""
        for number, fault_class in enumerate(classes):
            at = ("classes", number)
            entries: dict[str, tuple[str, str, str]] = {}
            try:
                sources = self._sources if fault_class.computes is None else self._by_formula
                for operator, path in sources.items():
                    spec = self._tested[operator]
                    other_depth = fault_class.depth not in (None, spec.depth)
                    if other_depth or self._lists(spec, fault_class.unless_listed):
                        continue
                    for source in (path, *self._kernels(path)):
                        for key, text in fault_class.instances(spec, self._text(source)):
                            entries.setdefault(key, (operator, source, text))
            except re.error as error:
                self._found.append((at, f"{fault_class.name}: not a regular expression: {error}"))
            remaining = self._remove(fault_class.equivalent, entries, fault_class.name, at)
            for key, (operator, path, text) in remaining.items():
                subject = key.partition(".")[2]
                kebab = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", subject).lower()
                clauses = [clause.replace("{what}", kebab) for clause in fault_class.notices]
                yield self._instance(
                    Change(f"{fault_class.name}.{key}", {path: text}),
                    operator,
                    fault_class.fault.replace("{what}", subject),
                    fault_class.name,
                    at,
                    notices=tuple(c for c in clauses if c in self._clauses[operator]),
                )

    def _remove(
        self,
        reasons: Mapping[str, Collection[str]],
        items: Mapping[str, Item],
        name: str,
        at: Location,
    ) -> dict[str, Item]:
        """Return the instances of a class, which must have some, but for those left out."""
        left_out = {key for keys in reasons.values() for key in keys}
        if self._all_valid:
            if not items:
                self._found.append((at, f"{name}: applies to no operator"))
            for key in left_out - items.keys():
                hint = nearest_name(key, items)
                self._found.append((at, f"{name}: no instance {key!r}; {hint}"))
        return {key: item for key, item in items.items() if key not in left_out}

    def _instance(
        self, change: Change, operator: str, what: str, of: str, at: Location, **further: Any
    ) -> Entry:
        """Return the instance of a class in an operator's source."""
        home = self._home_of(operator)
        entry = Entry(change, operator, (operator,), home, what, fault_class=of, **further)
        self._require_new(entry, at)
        return entry

    @cached_property
    def _by_formula(self) -> dict[str, str]:
        """The source of each operator whose kernel follows from its formula."""
        return {
            operator: path
            for operator, path in self._sources.items()
            if is_of_elements(spec := self._tested[operator])
            and self._text(path) == simulated_text(spec)
        }

    def formula_edits(self) -> Iterator[Entry]:
        """Yield the edits of formulas."""
        for operator, path in self._by_formula.items():
            spec, texts = self._tested[operator], {self._text(path)}
            edits = [*edits_of(spec)]
            changed = (spec.model_copy(update={"formula": dict(edit.formula)}) for edit in edits)
            kernels = ((each, USUAL) for each in changed)
            for edit, text in zip(edits, simulated_texts(spec, kernels), strict=True):
                if text not in texts:
                    texts.add(text)
                    yield self._instance(
                        Change(f"{FORMULA_EDITS}.{operator}.{edit.what}", {path: text}),
                        operator,
                        edit.fault,
                        FORMULA_EDITS,
                        ("classes",),
                        notices=tuple(clause.id for clause in spec.clauses),
                        formula=edit.formula,
                    )

    def computations(self, classes: Sequence[VariantClass]) -> Iterator[Entry]:
        """Yield the devices that compute formulas as each allowance permits."""
        always = {name for name, allowance in self._specs.allowances.items() if allowance.always}
        entries_by_class: list[dict[str, tuple[str, str]]] = [{} for _ in classes]
        for operator, path in self._by_formula.items():
            spec, texts = self._tested[operator], {self._text(path)}
            granted = {name for item in spec.precision for name in item.allowances} | always
            kernels = [(spec, variant_class.computes) for variant_class in classes]
            for variant_class, entries, text in zip(
                classes, entries_by_class, simulated_texts(spec, kernels), strict=True
            ):
                if text not in texts and granted >= {*variant_class.allows}:
                    texts.add(text)
                    entries[operator] = (path, text)
        for number, (variant_class, entries) in enumerate(
            zip(classes, entries_by_class, strict=True)
        ):
            at = ("classes", number)
            remaining = self._remove(variant_class.left_out, entries, variant_class.name, at)
            for operator, (path, text) in remaining.items():
                yield self._instance(
                    Change(f"{variant_class.name}.{operator}", {path: text}, "variant"),
                    operator,
                    variant_class.variant,
                    variant_class.name,
                    at,
                    allows=variant_class.allows,
                )

    def remove_equivalent(
        self, entries: Sequence[Entry], declarations: FolderFaults, folder: Path
    ) -> list[Entry]:
        """Return the entries without those of a folder's operators that it says are no faults."""
        entries_by_id = {entry.id: entry for entry in entries if entry.fault_class}
        classes = {entry.fault_class for entry in entries_by_id.values()}
        dropped = set[str]()
        for name, reasons in declarations.equivalent.items():
            if name not in classes and self._all_valid:
                hint = nearest_name(name, classes)
                self._found.append((("equivalent", name), f"unknown class {name!r}; {hint}"))
                continue
            for reason, keys in reasons.items():
                for number, key in enumerate(keys):
                    at = ("equivalent", name, reason, number)
                    self._check_equivalent(entries_by_id, name, key, at, folder)
                    dropped.add(f"{name}.{key}")
        return [entry for entry in entries if entry.id not in dropped]

    def _check_equivalent(
        self, entries: Mapping[str, Entry], name: str, key: str, at: Location, folder: Path
    ) -> None:
        """Note what is wrong with an instance of a class that is declared to be no fault."""
        entry = entries.get(f"{name}.{key}")
        if entry is None and self._all_valid:
            ids = (id_ for id_ in entries if id_.startswith(f"{name}."))
            hint = nearest_name(key, (id_.partition(".")[2] for id_ in ids))
            self._found.append((at, f"{name}: no instance {key!r}; {hint}"))
        elif entry and not (folder / self._tested[entry.home].file).is_file():
            self._found.append((at, f"{entry.home} is no operator of this folder"))

    def _lists(self, spec: OperatorSpec, dtype: str | None) -> bool:
        """Whether a page lists a data type for a tensor on the product where faults are tried."""
        product = self._home_of(spec.operator)
        return any(dtype in spec.dtypes(t.name, product, untested=True) for t in spec.tensors)

    def _home_of(self, operator: str) -> str:
        """Return a product that has the operator."""
        supports = self._specs.operator(operator).supports
        return next(filter(supports, (DEFAULT_PRODUCT, *self._specs.products)), DEFAULT_PRODUCT)

    def devices(self, key: str, groups: Sequence[_FaultGroup | _VariantGroup]) -> Iterator[Entry]:
        """Yield the devices that are written by hand, in order."""
        for number, group in enumerate(groups):
            if (group.operator is None) == (group.part is None):
                self._found.append(((key, number), "say either `operator` or `part`"))
            for name, device in group.devices.items():
                named_operators = (
                    (group.operator,) if group.operator else device.operators or group.operators
                )
                tried_on = tuple(n for n in named_operators if n in self._tested or self._all_valid)
                if tried_on or not named_operators:
                    at = (key, number, "devices", name)
                    yield self._entry(group, name, device, tried_on, at)
                else:
                    for error in filter(None, map(self._specs.invalid.get, named_operators)):
                        self.left_out[name] = error

    def _entry(
        self,
        group: _Group,
        name: str,
        device: _Fault | _Variant,
        tried_on: tuple[str, ...],
        at: Location,
    ) -> Entry:
        kind: Kind = "fault" if isinstance(device, _Fault) else "variant"
        entry = Entry(
            Change(name, self._apply(group.operator, device.edits, (*at, "edits")), kind),
            group.operator or str(group.part),
            tried_on,
            device.product or group.product or DEFAULT_PRODUCT,
            device.fault if isinstance(device, _Fault) else device.variant,
            device.notices or group.notices,
            device.allows or group.allows,
            device.why or group.why,
        )
        self._require_new(entry, at)
        self._found += [((*at, *key), f"{name}: {text}") for key, text in self._wrong(entry)]
        return entry

    def _require_new(self, entry: Entry, at: Location) -> None:
        if entry.id in self._ids:
            self._found.append((at, f"{entry.id}: duplicate id"))
        self._ids.add(entry.id)
        other = self._devices.setdefault((entry.home, entry.change.digest), entry.id)
        if entry.change.sources and other != entry.id:
            self._found.append((at, f"{entry.id}: has the edits of {other}"))

    def _wrong(self, entry: Entry) -> Iterator[Complaint]:
        """Yield references to unknown operators, products, clauses and allowances."""
        if not entry.tried_on:
            yield (), "an entry for a part must list in `operators` the operators whose cases run"
        for name in entry.tried_on:
            if name not in self._tested:
                yield (), str(unknown_name("operator", name, self._tested))
        if entry.product not in self._specs.products:
            yield ("product",), str(unknown_product(entry.product, self._specs.products))
        clauses = {
            clause for operator in entry.tried_on for clause in self._clauses.get(operator, ())
        }
        allowances = (*self._specs.allowances, *LEFT_OPEN)
        ids = {"notices": clauses if self._all_valid else (), "allows": allowances}
        key, other = ("notices", "allows") if entry.kind == "fault" else ("allows", "notices")
        names = getattr(entry, key)
        if not names:
            yield (), f"`{key}` is missing"
        if getattr(entry, other):
            yield (other,), f"unknown key {other!r}"
        for name in set(names) - set(ids[key]) if ids[key] else ():
            kind = "clause" if key == "notices" else "allowance"
            yield (key,), str(unknown_name(kind, name, ids[key]))

    def _apply(self, operator: str | None, edits: Edits, at: Location) -> dict[str, str]:
        """Apply edits in order, each to the result of the previous ones.

        Edits that name no source are of that of the operator, or of a kernel that it includes;
        those of a part are of any source that operators share.
        """
        home = self._sources.get(operator or "", "")
        shared = [path for path in self._files if path.startswith("src/")]
        usual = [home, *self._kernels(home)] if home else shared
        texts: dict[str, str] = {}
        for key, value in edits.items():
            paths, pairs = (usual, {key: value}) if isinstance(value, str) else ([key], value)
            if not set(paths) <= self._files.keys():
                self._found.append(((*at, key), f"there is no simulator/{key}"))
                continue
            for old, new in pairs.items():
                places = [
                    (path, match)
                    for path in paths
                    if old.strip()
                    for match in re.finditer(
                        _pattern(old), texts.get(path, self._text(path)), re.DOTALL
                    )
                ]
                if len(places) != 1:
                    where = f"simulator/{paths[0]}" if len(paths) == 1 else "the sources"
                    message = f"{old!r} occurs {len(places)} times in {where}, must occur once"
                    self._found.append(((*at, key), message))
                    continue
                path, match = places[0]
                before, (start, end) = match.string, match.span()
                texts[path] = before[:start] + new.replace("…", match.group()) + before[end:]
                if texts[path] == before:
                    self._found.append(((*at, key), "changes nothing"))
        return texts


def _pattern(old: str) -> str:
    """Return the pattern of an edit's old text: white space matches any, "…" the least text.

    That text does not hold what precedes it again, so that an edit of the second of two checks
    that begin alike leaves the first one, and those between them, alone.
    """
    *parts, last = (r"\s+".join(map(re.escape, part.split())) for part in old.split("…"))
    return "".join(f"{part}(?:(?!{part}).)*?" for part in parts) + last
