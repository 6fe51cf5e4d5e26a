# SPDX-License-Identifier: Apache-2.0
"""The input data of cases on disk: one .npy file per case, addressed by content.

The file holds one structured record with a field for each input, so that ``np.load(file)["x"]``
shows an input in its view shape (bfloat16 as its 16 bits). Its name holds two digests: that of the
recipe (the fills, shapes and types, and the sources of the code that makes the data), and that of
the content as it was written. A file that has changed since is made again before a run, and is
removed by a judgement, which refuses it, because the run may have used it.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import json
import os
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.lib.format import dtype_to_descr, write_array_header_1_0

from aclnn_cts import golden
from aclnn_cts.cache import register, take
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import beside, mapped, sha256_of
from aclnn_cts.golden.data_kinds import DERIVED, drawn_shape, fill_inputs
from aclnn_cts.golden.expectations import call_key
from aclnn_cts.golden.formula_modules import formula_module
from aclnn_cts.golden.inputs import settle
from aclnn_cts.plan.cases import TIERS, Case, fields_of
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.models import Formula, FormulaFile, OperatorSpec
from aclnn_cts.suite import Suite, code_digest
from aclnn_cts.worker_pool import spread

# at import, because the files may change while the process runs the old code
_CODE = code_digest(
    *(f"{room}/*.py" for room in ("spec", "violations", "plan", "golden")),
    "golden/operators/*.py",
    "emit/data_files.py",
    library="numpy",
)

_KILLED = "a process that made input data was killed, perhaps for lack of memory; use --jobs 1"

_NAME = re.compile(r"([0-9a-f]{22})-([0-9a-f]{64})\.npy")


@dataclass(frozen=True, slots=True)
class PayloadField:
    """Position of one input in a file's payload, in bytes after the header."""

    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class DataReference:
    """Location of a case's data.

    Attributes:
        path: Path relative to the store; None when no input has a byte.
        payload: Bytes after the file's header.
        fields: Position of each input in the payload, by name.
        sha256: Digest of the whole file; empty without a file.
    """

    path: str | None
    payload: int
    fields: Mapping[str, PayloadField]
    sha256: str = ""

    def is_in(self, store: Path) -> bool:
        """Whether the store holds a file of its name, or needs none."""
        return self.path is None or (store / self.path).exists()

    def is_made_by(self, recipe: str) -> bool:
        """Whether the file has the data of a recipe, see :func:`recipe_digest`."""
        return self.path is not None and self.path.startswith(f"{recipe[:2]}/{recipe[2:]}-")


@functools.lru_cache(maxsize=16)
def _makers_digest(formula: Formula) -> str:
    """Return a digest of the code that the data depend on."""
    formula_module(formula)  # raises if it is missing
    folder = Path(golden.__file__).parent
    paths = [folder / "data_kinds.py"]
    if isinstance(formula, FormulaFile):
        paths.append(formula.path)
    elif isinstance(formula, str):
        paths += sorted(folder.glob("operators/*.py"))  # they borrow from each other
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def record_type(case: Case) -> np.dtype[Any]:
    """Return the structured type of a case's data: a field for each input that it gives."""
    return np.dtype(
        [
            (tensor.name, DATA_TYPES[tensor.dtype].npy_type, tensor.shape)
            for tensor in case.inputs
            if tensor.source == "data"
        ]
    )


def recipe_digest(spec: OperatorSpec, case: Case) -> str:
    """Return the digest of everything that decides the bytes of a case's data."""
    inputs = [tensor for tensor in case.inputs if tensor.source == "data"]
    is_derived = any(tensor.fill is not None and tensor.fill.kind == DERIVED for tensor in inputs)
    recipe = [
        [
            (
                tensor.name,
                tensor.dtype,
                tensor.shape,
                drawn_shape(tensor),
                tensor.fill and fields_of(tensor.fill),
            )
            for tensor in inputs
        ],
        case.values if is_derived else None,
        _makers_digest(spec.formula_source),
    ]
    return hashlib.sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest()[:24]


_Keyed: TypeAlias = tuple[str, Sequence[Case]]
"""An operator's cases after the key of their cached references, which is "" if they have none."""


@dataclass(frozen=True)
class Workers:
    """Processes that make data.

    Attributes:
        suite: Where they read the specs.
    """

    suite: Suite
    jobs: int


class DataStore:
    """The files of all cases' data in one folder."""

    def __init__(self, folder: Path, context: str = "") -> None:
        """Open the store.

        Args:
            folder: It is made when the first file is written.
            context: A digest of the specs, with which references of a plan's cases are cached.
        """
        self.folder = folder
        self._context = context
        self._cache = PlanCache(folder.parent / "covering")
        self._digests: dict[str, dict[str, str]] = {}  # by the first characters of the recipe

    def _digests_in(self, folder: str) -> dict[str, str]:
        """Return the digests of a folder's files by their recipe."""
        if folder not in self._digests:
            try:
                names = sorted(path.name for path in (self.folder / folder).iterdir())
            except OSError:
                names = []
            matches = (_NAME.fullmatch(name) for name in names)
            self._digests[folder] = {folder + match[1]: match[2] for match in matches if match}
        return self._digests[folder]

    def provide(self, specs: SpecSet, cases: Iterable[Case]) -> dict[str, DataReference]:
        """Make missing data; return references by case id.

        Raises:
            NotTrustworthyError: A file is not what was written, or the disk is full.
            WrongInputError: The folder cannot be written to.
        """
        return {case.id: reference for case, reference in self.provide_all(specs, cases)}

    def provide_all(
        self, specs: SpecSet, cases: Iterable[Case], workers: Workers | None = None
    ) -> Iterator[tuple[Case, DataReference]]:
        """Yield each case with its reference; raises as provide.

        Data of all cases of an operator and a product in a row are made before the first one.

        Args:
            workers: The processes that make data; None for this one alone.

        Raises:
            NotTrustworthyError: Also if a worker was killed.
        """
        register(self.folder)
        portions = [
            tuple(group) for _, group in groupby(cases, lambda case: (case.operator, case.product))
        ]
        keyed = [(self._key(specs, portion), portion) for portion in portions]
        are_known = [bool(key) and self._cache.has("data", key) for key, _ in keyed]
        missing = (each for each, known in zip(keyed, are_known, strict=True) if not known)
        make = functools.partial(self._make, specs, {})
        made: Iterator[Sequence[DataReference]]
        if workers is None:
            made = map(make, missing)
        else:
            work = functools.partial(_make_in_worker, self, workers.suite, specs.edition)
            made = spread(work, missing, workers.jobs, _KILLED)
        for (key, portion), known in zip(keyed, are_known, strict=True):
            references = (self._known(key) or make((key, portion))) if known else next(made)
            yield from zip(portion, references, strict=True)

    def _key(self, specs: SpecSet, portion: Sequence[Case]) -> str:
        """Return the key of the cached references of an operator's cases; "" if they have none."""
        if not self._context or any(case.tier not in TIERS for case in portion):
            return ""
        ids = hashlib.sha256("\n".join(case.id for case in portion).encode()).hexdigest()
        names = portion[0].operator, portion[0].product
        return "\n".join([_CODE, self._context, specs.edition, *names, ids])

    def _make(
        self, specs: SpecSet, shared: dict[Hashable, DataReference], keyed: _Keyed
    ) -> Sequence[DataReference]:
        """Make the data of an operator's cases, and cache their references under their key."""
        key, portion = keyed
        references = [self._shared(specs, case, shared) for case in portion]
        if key:
            self._cache.keep("data", key, [(each, self._size(each)) for each in references])
        return references

    def _known(self, key: str) -> Sequence[DataReference]:
        """Return cached references; none if a file is no longer there, or was cut off."""
        entries = self._cache.load("data", key, tuple[tuple[DataReference, int], ...]) or ()
        take(self.folder, *(each.path for each, _ in entries if each.path is not None))
        is_whole = all(self._size(each) == size for each, size in entries)
        return [each for each, _ in entries] if is_whole else ()

    def _size(self, reference: DataReference) -> int:
        """Return the size of a file in bytes; 0 if there is none."""
        with contextlib.suppress(FileNotFoundError):
            if reference.path is not None:
                return (self.folder / reference.path).stat().st_size
        return 0

    def _shared(
        self, specs: SpecSet, case: Case, references: dict[Hashable, DataReference]
    ) -> DataReference:
        """Return the reference of a case; equal calls, on another product, share data."""
        call = case.id, call_key(specs, case)
        if call not in references:
            spec = specs.operator(case.operator)
            references[call] = self._provide_one(spec, settle(specs, case).case)
        return references[call]

    def _provide_one(self, spec: OperatorSpec, case: Case) -> DataReference:
        dtype = record_type(case)
        fields = payload_fields(dtype)
        if dtype.itemsize == 0:
            return DataReference(None, 0, fields)
        recipe = recipe_digest(spec, case)
        digests = self._digests_in(recipe[:2])
        digest = digests.get(recipe, "")
        name = _path(recipe, digest)
        reference = DataReference(name, dtype.itemsize, fields, digest)
        if not (digest and take(self.folder, name) and is_unchanged(self.folder, reference)):
            with beside(self.folder / f"{recipe[:2]}/{recipe[2:]}") as temporary:
                _write_inputs(temporary, spec, case, dtype)
                digest = digests[recipe] = sha256_of(temporary)
                temporary.replace(self.folder / _path(recipe, digest))
        return DataReference(_path(recipe, digest), dtype.itemsize, fields, digest)


def _make_in_worker(
    store: DataStore, suite: Suite, edition: str, keyed: _Keyed
) -> Sequence[DataReference]:
    return store._make(load_specs(suite, edition), {}, keyed)


def _path(recipe: str, digest: str) -> str:
    return f"{recipe[:2]}/{recipe[2:]}-{digest}.npy"


def _write_inputs(path: Path, spec: OperatorSpec, case: Case, dtype: np.dtype[Any]) -> None:
    """Write the file of :func:`npy_bytes`, making the inputs in the mapped file."""
    with path.open("w+b") as file:
        described = {"descr": dtype_to_descr(dtype), "fortran_order": False, "shape": ()}
        write_array_header_1_0(file, described)
        file.flush()
        # Reserve the space: a process is killed if a mapping has no room on the disk.
        os.posix_fallocate(file.fileno(), file.tell(), dtype.itemsize)
        record = np.memmap(file, dtype, "r+", file.tell(), ())
        fill_inputs(spec, case, _inputs_in(record, case))


def _inputs_in(record: npt.NDArray[Any], case: Case) -> dict[str, npt.NDArray[Any]]:
    return {
        tensor.name: np.asarray(record[tensor.name])
        .view(tensor.data_type.numpy)
        .reshape(tensor.shape)
        for tensor in case.inputs
        if tensor.source == "data"
    }


def npy_bytes(inputs: Mapping[str, npt.NDArray[Any]], dtype: np.dtype[Any]) -> bytes:
    """Return a .npy file with one record that holds the inputs."""
    record = np.zeros((), dtype)
    for name in dtype.names or ():
        record[name] = (
            np.ascontiguousarray(inputs[name]).view(dtype[name].base).reshape(dtype[name].shape)
        )
    file = io.BytesIO()
    np.save(file, record, allow_pickle=False)
    return file.getvalue()


def payload_fields(dtype: np.dtype[Any]) -> dict[str, PayloadField]:
    """Return the offsets and sizes of a case's inputs, from the type of its record."""
    fields: Mapping[str, tuple[Any, ...]] = dtype.fields or {}
    return {name: PayloadField(fields[name][1], fields[name][0].itemsize) for name in fields}


def is_unchanged(store: Path, reference: DataReference) -> bool:
    """Whether a case's file is what was written."""
    try:
        return reference.path is None or sha256_of(store / reference.path) == reference.sha256
    except OSError:
        return False


def inputs_of(case: Case, store: Path, reference: DataReference) -> dict[str, npt.NDArray[Any]]:
    """Return the inputs of a case from the store: mapped, view shape, the tensors' own types.

    Raises:
        NotTrustworthyError: The file is missing or not what was written.
    """
    if reference.path is None:
        return _inputs_in(np.zeros((), record_type(case)), case)
    path = store / reference.path
    try:
        content = mapped(path)
    except OSError as error:
        raise NotTrustworthyError(
            f"{path}: the data of {case.id} cannot be read ({error.strerror}); run the case again"
        ) from None
    if hashlib.sha256(content).hexdigest() != reference.sha256:
        with contextlib.suppress(OSError):
            path.unlink()  # no later run may use it
        raise NotTrustworthyError(
            f"{path}: the golden data of {case.id} have changed since the run; run the case again, "
            "with data that are made again"
        )
    # NumPy's own reader parses each header, which takes longer than all the rest
    start = len(content) - reference.payload
    return _inputs_in(np.frombuffer(content, record_type(case), 1, start).reshape(()), case)
