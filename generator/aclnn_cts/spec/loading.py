# SPDX-License-Identifier: Apache-2.0
"""The ``specs`` folder, read and checked, in each edition.

Each operator's file is read only when it is needed, so a command about one of several hundred
operators is fast.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from aclnn_cts.errors import WrongFileError, WrongInputError, unknown_name
from aclnn_cts.files import digest_of_files
from aclnn_cts.spec.checks import (
    allowance_complaints,
    complaints,
    duplicate_complaints,
    idle_complaints,
    patch_complaints,
    producer_complaints,
    prototype_complaints,
)
from aclnn_cts.spec.clause_models import MOVED_ADDRESSES, RESULTS_FOLLOW_DATA, Complaint
from aclnn_cts.spec.editions import CURRENT, merge, merged_lines, second_operator
from aclnn_cts.spec.expansion import expand
from aclnn_cts.spec.model_files import read_model, refuse, validate
from aclnn_cts.spec.models import (
    Allowance,
    Allowances,
    CommonClause,
    CommonClauses,
    FormulaFile,
    OperatorSpec,
    PrecisionStandards,
    Product,
    Products,
    Trait,
    Traits,
)
from aclnn_cts.spec.parameter_clauses import all_clause_texts
from aclnn_cts.spec.products import unknown_product
from aclnn_cts.spec.quarantine import NOTHING, Quarantine, quarantine_complaints
from aclnn_cts.spec.yaml_files import Location, compose
from aclnn_cts.suite import OperatorFolder, Suite


@dataclass(frozen=True)
class SpecSet:
    """The content of the ``specs`` folder.

    Attributes:
        operators: Operator specs by operator name, in the order of their files.
        products: Products by id, in the order in which SoC names are matched.
        allowances: What a correct device may do, by id.
        common: Promises that all operators share.
        quarantine: Cases whose golden data are known to be wrong.
        traits: Common properties of kinds of operators, by name.
        invalid: Errors of invalid specs, by operator name.
        absent: Operators without a transcribed page of this edition.
        folders: The operator folders beside the suite.
        side_calls: The operators that run beside others, by family.
    """

    operators: Mapping[str, OperatorSpec]
    products: Mapping[str, Product]
    precision: PrecisionStandards
    allowances: Mapping[str, Allowance]
    common: tuple[CommonClause, ...]
    edition: str = CURRENT
    quarantine: Quarantine = NOTHING
    traits: Mapping[str, Trait] = field(default_factory=dict)
    invalid: Mapping[str, WrongFileError] = field(default_factory=dict)
    absent: Container[str] = frozenset()
    folders: tuple[OperatorFolder, ...] = ()
    side_calls: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The operator folders."""
        return tuple(folder.path for folder in self.folders)

    def file_of(self, name: str) -> str:
        """Return the file of an operator's spec: below the suite, or in its operator folder."""
        file = f"{self.operator(name).second_of or name}.yaml"
        return next((str(p / file) for p in self.paths if (p / file).is_file()), f"specs/{file}")

    def operator(self, name: str) -> OperatorSpec:
        """Return an operator's spec.

        Raises:
            WrongInputError: There is no such operator (the nearest name is offered), or its spec is
                invalid.
        """
        spec = self.operators.get(name)
        if spec is None:
            self.require_valid([name])
            raise self._unknown(name, self.operators)
        return spec

    def clause_texts(self, operator: str) -> dict[str, tuple[str, str]]:
        """Return text and place of every clause of an operator, by id."""
        return all_clause_texts(self.operator(operator), self.common_of(operator))

    def common_of(self, operator: str) -> tuple[CommonClause, ...]:
        """Return the promises that an operator shares with others."""
        spec = self.operator(operator)
        lacking = {
            RESULTS_FOLLOW_DATA: not spec.follows_data,
            MOVED_ADDRESSES: not spec.has_known_places,
        }
        return tuple(
            clause
            for clause in self.common
            if clause.depth in (None, spec.depth) and not lacking.get(clause.id)
        )

    def _unknown(self, name: str, known: Iterable[str]) -> WrongInputError:
        if name in self.absent:
            return WrongInputError(f"specs/{name}.yaml has no edition {self.edition!r}")
        return unknown_name("operator", name, known)

    def product(self, name: str) -> Product:
        """Return a product.

        Raises:
            WrongInputError: There is no such product; existing ones are offered.
        """
        if name not in self.products:
            raise unknown_product(name, self.products)
        return self.products[name]

    def require_valid(self, names: Iterable[str] | None = None) -> None:
        """Raise if any operator of those names (all if None) is invalid.

        Raises:
            WrongFileError: Their specs are invalid: ``path:LINE: what is wrong``, line by line.
        """
        invalid = (
            self.invalid if names is None else [name for name in names if name in self.invalid]
        )
        if invalid:
            raise WrongFileError("\n".join(str(self.invalid[name]) for name in invalid))

    @property
    def date(self) -> str:
        """Year and month of the pages, as the first spec has them."""
        return next(iter(self.operators.values())).document.edition

    @property
    def tested_operators(self) -> tuple[OperatorSpec, ...]:
        """The operators that have cases of their own."""
        return tuple(spec for spec in self.operators.values() if spec.role == "tested")

    def select_tested(self, names: Iterable[str] | None) -> tuple[OperatorSpec, ...]:
        """Return the tested operators of those names, each once; all of them if None.

        Raises:
            WrongInputError: There is no such tested operator (the nearest name is offered), or its
                spec is invalid.
        """
        if names is None:
            self.require_valid()
            return self.tested_operators
        selection = tuple(dict.fromkeys(names))
        self.require_valid(selection)
        for name in selection:
            spec = self.operators.get(name)
            if spec is None or spec.role != "tested":
                raise self._unknown(name, (spec.operator for spec in self.tested_operators))
        return tuple(self.operators[name] for name in selection)


@dataclass(frozen=True)
class _Loaded:
    """One edition of an operator's spec, and the lines of its statements in the file."""

    spec: OperatorSpec
    path: Path
    lines: Mapping[Location, int]
    said_by: str = ""

    def refuse(self, complaints: Iterable[Complaint]) -> None:
        """Raise WrongInputError if there is any complaint."""
        refuse(self.path, self.lines, complaints, self.said_by)


def load_file(
    path: Path, products: Mapping[str, Product], traits: Mapping[str, Trait]
) -> dict[str, dict[str, _Loaded]]:
    """Read and check all editions of the specs in a file.

    Most files have one operator. A page's second operator has only the current edition.
    """
    written, lines = compose(path)
    refuse(path, lines, _todos(written, ()))
    loaded = [_load_editions(path, written, lines, products, traits)]
    operator = loaded[0][CURRENT].spec.operator
    if operator != path.stem:
        refuse(path, lines, [((), f"the file of {operator} must be named {operator}.yaml")])
    if (second := second_operator(written)) is not None:
        refuse(path, lines, idle_complaints(second))
        places = merged_lines(second, lines)
        said_by = f"{second.data['operator']}: "
        loaded.append(_load_editions(path, second.data, places, products, traits, said_by))
    return {editions[CURRENT].spec.operator: editions for editions in loaded}


def _load_editions(
    path: Path,
    written: Any,
    lines: Mapping[Location, int],
    products: Mapping[str, Product],
    traits: Mapping[str, Trait],
    said_by: str = "",
) -> dict[str, _Loaded]:
    """Check each edition of a spec.

    Args:
        said_by: What messages begin with, in a file of two operators.
    """
    expanded, expansion_complaints = expand(written, products, traits)
    refuse(path, lines, expansion_complaints, said_by)
    data, lines = expanded.data, merged_lines(expanded, lines)
    spec = validate(OperatorSpec, path, data, lines, said_by)
    current = _Loaded(spec, path, lines, said_by)
    current.refuse(complaints(current.spec, products))
    editions = {CURRENT: current}
    base = {key: value for key, value in data.items() if key != "editions"}
    for name, edition in current.spec.editions.items():
        current.refuse(patch_complaints(name, current.spec))
        at = ("editions", name, "changes")
        merged = merge(base, edition.changes, at)
        current.refuse(idle_complaints(merged))
        places = merged_lines(merged, lines)
        said_by = f"edition {name}: "
        spec = validate(OperatorSpec, path, merged.data, places, said_by)
        spec = spec.model_copy(update={"editions": current.spec.editions})
        editions[name] = _Loaded(spec, path, places, said_by)
        editions[name].refuse(
            [*prototype_complaints(spec, current.spec), *complaints(spec, products)]
        )
    return editions


def _todos(data: Any, at: Location) -> Iterator[Complaint]:
    """Yield a draft's todos, before anything else is checked."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key != "todo":
                yield from _todos(value, (*at, key))
                continue
            for number, text in enumerate(value if isinstance(value, list) else [value]):
                if text:
                    yield (*at, key, number), f"todo: {text}"
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from _todos(value, (*at, number))


_QUARANTINE = "quarantine.yaml"

_SECOND = re.compile(r"""(?ms)^second:.*?\boperator: *["']?(\w+)""")
"""The second operator in the text of a file, which may not even be YAML."""


@functools.lru_cache(maxsize=4)
def specs_digest(suite: Suite) -> str:
    """Return the SHA-256 digest of all YAML files in the ``specs`` folder, names included.

    It includes the files of operator folders with their formula modules, but not the quarantine,
    which changes no case and no data: earlier runs can still be judged.
    """
    spec_files = sorted(set(suite.specs.glob("*.yaml")) - {suite.specs / _QUARANTINE})
    paths = (*spec_files, *sorted(suite.operators.glob("*.*")))
    return digest_of_files((path.name, path.read_bytes()) for path in paths)


class _Files:
    """The files of a suite's operators, each read and checked on first use.

    Attributes:
        invalid: Errors of files and operators that were found invalid.
    """

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self.products = load_products(suite)
        self.traits = read_model(suite.specs / "traits.yaml", Traits)[0].traits
        path = suite.specs / "allowances.yaml"
        allowances, lines = read_model(path, Allowances)
        refuse(path, lines, duplicate_complaints(allowances))
        self.allowances = {allowance.id: allowance for allowance in allowances.allowances}
        paths = sorted(suite.specs.glob("aclnn*.yaml"))
        if not paths:
            raise WrongInputError(f"{suite.specs}: holds no aclnn*.yaml; nothing to test")
        # after the suite's operators, so that the side calls of its own cases stay the same
        paths += sorted(suite.operators.glob("aclnn*.yaml"))
        self._paths = {path.stem: path for path in paths}
        self._read: dict[Path, dict[str, dict[str, _Loaded]]] = {}
        self._checked: set[str] = set()
        self.invalid: dict[str, WrongFileError] = {}

    def items(self) -> Iterator[tuple[str, dict[str, _Loaded]]]:
        """Yield each operator with its spec in each edition, if its file is valid by itself."""
        for path in self._paths.values():
            yield from self._in(path).items()

    def editions_of(self, name: str) -> dict[str, _Loaded]:
        """Return an operator's spec in each edition; none if its file is not valid by itself."""
        path = self._paths.get(name) or self._seconds.get(name)
        paths = self._paths.values() if path is None else [path]
        return next((editions[name] for path in paths if name in (editions := self._in(path))), {})

    @functools.cached_property
    def _seconds(self) -> dict[str, Path]:
        """The files by the second operators of their pages; found without reading the YAML."""
        named = (
            (_SECOND.search(path.read_text("utf-8", "replace")), path)
            for path in self._paths.values()
        )
        return {match[1]: path for match, path in named if match}

    def _in(self, path: Path) -> dict[str, dict[str, _Loaded]]:
        if path not in self._read:
            try:
                editions = load_file(path, self.products, self.traits)
                if path.parent == self._suite.operators:
                    editions = {
                        name: _with_own_files(self._suite, edition)
                        for name, edition in editions.items()
                    }
            except WrongFileError as error:
                editions = {}
                self.invalid[path.stem] = WrongFileError(self._suite.as_written(str(error)))
            self._read[path] = editions
        return self._read[path]

    def is_valid(self, name: str) -> bool:
        """Whether an operator exists and its editions are consistent with other operators."""
        if name not in self._checked:
            self._checked.add(name)
            try:
                for edition, item in self.editions_of(name).items():
                    theirs = _Operators(self, edition, checked=False)
                    item.refuse(producer_complaints(item.spec, theirs))
                    item.refuse(allowance_complaints(item.spec, self.allowances))
            except WrongFileError as error:
                self.invalid[name] = WrongFileError(self._suite.as_written(str(error)))
        return name not in self.invalid and bool(self.editions_of(name))

    def error_of(self, name: str) -> WrongFileError:
        """Return the error of an invalid operator; KeyError for a valid or unknown one."""
        if name in self.invalid:
            return self.invalid[name]
        if name in self._seconds and not self._in(self._seconds[name]):
            return self.invalid[self._seconds[name].stem]
        raise KeyError(name)


class _Operators(Mapping[str, OperatorSpec]):
    """The operators' specs in an edition; only consistent ones unless ``checked`` is false."""

    def __init__(self, files: _Files, edition: str, *, checked: bool = True) -> None:
        self._files, self._edition, self._checked = files, edition, checked
        self._found: dict[str, OperatorSpec] = {}

    def __getitem__(self, name: str) -> OperatorSpec:
        if name not in self._found:
            if self._checked and not self._files.is_valid(name):
                raise KeyError(name)
            self._found[name] = self._files.editions_of(name)[self._edition].spec
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._files.items() if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _Invalid(Mapping[str, WrongFileError]):
    """What is wrong with the specs that are left out."""

    def __init__(self, files: _Files, operators: _Operators) -> None:
        self._files, self._operators = files, operators

    def __getitem__(self, name: str) -> WrongFileError:
        if name in self._operators:
            raise KeyError(name)
        return self._files.error_of(name)

    def __iter__(self) -> Iterator[str]:
        list(self._operators)
        return iter(self._files.invalid)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _Absent(Container[str]):
    """The operators of which an edition has no page."""

    def __init__(self, files: _Files, edition: str) -> None:
        self._files, self._edition = files, edition

    def __contains__(self, name: object) -> bool:
        editions = self._files.editions_of(str(name))
        return bool(editions) and self._edition not in editions


@functools.lru_cache(maxsize=16)
def load_specs(suite: Suite, edition: str = CURRENT) -> SpecSet:
    """Read the shared files of the ``specs`` folder; operators' files are read on use.

    Raises:
        WrongInputError: A file is invalid (names file and line), or no spec has the edition.
    """
    files = _files(suite)
    if edition != CURRENT and edition not in (editions := editions_of(suite)):
        # the date of the pages means the current edition
        dates = {editions[CURRENT].spec.document.edition for _, editions in files.items()}
        if edition not in dates:
            raise unknown_name("edition", edition, [*editions, *dates])
        return load_specs(suite, CURRENT)
    precision, _ = read_model(suite.specs / "precision.yaml", PrecisionStandards)
    common, _ = read_model(suite.specs / "common.yaml", CommonClauses)
    operators, absent = _Operators(files, edition), _Absent(files, edition)
    invalid = _Invalid(files, operators)
    quarantine = _read_quarantine(suite.specs / _QUARANTINE, operators, invalid, absent)
    return SpecSet(
        operators,
        files.products,
        precision,
        files.allowances,
        tuple(common.clauses),
        edition,
        quarantine,
        files.traits,
        invalid,
        absent,
        suite.folders,
        common.side_calls,
    )


def editions_of(suite: Suite) -> tuple[str, ...]:
    """Return the names of all editions that any spec has; raises as :func:`load_specs`."""
    return tuple(dict.fromkeys(name for _, editions in _files(suite).items() for name in editions))


def load_products(suite: Suite) -> dict[str, Product]:
    """Return the products by id; raises as :func:`load_specs`."""
    products, _ = read_model(suite.specs / "products.yaml", Products)
    return {product.id: product for product in products.products}


@functools.lru_cache(maxsize=4)
def _files(suite: Suite) -> _Files:
    return _Files(suite)


_OPEN = re.compile(r"\s*(#|//)\s*(?P<todo>todo: .*)")


def _with_own_files(suite: Suite, editions: Mapping[str, _Loaded]) -> dict[str, _Loaded]:
    """Return the editions of a spec whose formula module is beside it.

    Raises:
        WrongFileError: Its formula or kernel is still a skeleton.
    """
    current = editions[CURRENT]
    if current.spec.is_contract:
        return dict(editions)
    name = current.spec.kernel
    formula, *kernels = (suite.place_of(name + suffix) for suffix in (".py", ".h", ".cpp"))
    todos = [
        f"{path}:{number}: {line['todo']}"
        for path in (formula, *kernels)
        if path.is_file()
        for number, text in enumerate(path.read_text("utf-8", "replace").splitlines(), start=1)
        if (line := _OPEN.fullmatch(text))
    ]
    if todos:
        raise WrongFileError("\n".join(todos))
    if not current.spec.golden:
        return dict(editions)
    written = Path(suite.as_written(str(current.path))).with_name(formula.name)
    file = FormulaFile(formula, written)
    return {
        name: replace(edition, spec=edition.spec.with_formula(file))
        for name, edition in editions.items()
    }


def _read_quarantine(
    path: Path,
    operators: Mapping[str, OperatorSpec],
    invalid: Container[str],
    absent: Container[str],
) -> Quarantine:
    """Read the quarantine; a suite without the file quarantines nothing."""
    if not path.is_file():
        return NOTHING
    quarantine, lines = read_model(path, Quarantine)
    unknown = [
        number
        for number, entry in enumerate(quarantine.quarantined)
        if entry.operator in absent or entry.operator in invalid
    ]
    wrong_entries = quarantine_complaints(quarantine, operators)
    refuse(path, lines, (entry for entry in wrong_entries if entry[0][1] not in unknown))
    return quarantine
