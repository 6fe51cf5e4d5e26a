# SPDX-License-Identifier: Apache-2.0
"""The input data of cases on disk: one .npy file per case, addressed by content.

The file holds one structured record with a field for each input, so that ``np.load(file)["x"]``
shows an input in its view shape (bfloat16 as its 16 bits). Its name is the digest of the recipe:
the fills, shapes and types, and the sources of the code that makes the data. The store keeps the
SHA-256 digest of each file as it was written; a file that has changed since is refused.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import os
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.format import dtype_to_descr, write_array_header_1_0

from aclnn_cts import golden
from aclnn_cts.cache import locked, register, take
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import replaced, sha256_of, write_text
from aclnn_cts.golden.data import DERIVED, drawn_shape, fill_inputs
from aclnn_cts.golden.expectations import call_key
from aclnn_cts.golden.formula import formula_module
from aclnn_cts.golden.inputs import settled
from aclnn_cts.plan.cases import Case, fields_of
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import Formula, OperatorSpec

_MAKERS = ("data.py",)


@dataclass(frozen=True)
class PayloadField:
    """Position of one input in a file's payload, in bytes after the header."""

    offset: int
    size: int


@dataclass(frozen=True)
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


@functools.lru_cache(maxsize=16)
def _makers_digest(formula: Formula) -> str:
    """Return a digest of the code that the data depend on."""
    formula_module(formula)  # raises if it is missing
    name = formula or "__init__"
    own = Path("operators", f"{name}.py") if isinstance(name, str) else name.path
    folder = Path(golden.__file__).parent
    digest = hashlib.sha256()
    for path in (*_MAKERS, own):
        digest.update((folder / path).read_bytes())
    return digest.hexdigest()


def record_type(case: Case) -> np.dtype[Any]:
    """Return the structured type of a case's data: a field for each input that it gives."""
    return np.dtype(
        [
            (tensor.name, DATA_TYPES[tensor.dtype].stored, tensor.shape)
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
                each.name,
                each.dtype,
                each.shape,
                drawn_shape(each),
                each.fill and fields_of(each.fill),
            )
            for each in inputs
        ],
        case.values if is_derived else None,
        _makers_digest(spec.formula),
    ]
    return hashlib.sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest()


class DataStore:
    """The files of all cases' data in one folder, with a manifest of their digests."""

    def __init__(self, folder: Path) -> None:
        """Open the store; ``folder`` is made when the first file is written."""
        self.folder = folder
        self._manifest_path = folder / "manifest.json"
        self._digests = self._read_manifest()

    def _read_manifest(self) -> dict[str, str]:
        try:
            digests = json.loads(self._manifest_path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            # Without a manifest no file can be trusted, so all are remade.
            return {}
        return dict(digests) if isinstance(digests, dict) else {}

    def _write_manifest(self) -> None:
        """Add to the manifest; keep what another process added meanwhile."""
        with locked(self.folder):
            both = {**self._read_manifest(), **self._digests}
            walked = ((Path(folder).name, names) for folder, _, names in os.walk(self.folder))
            there = {f"{folder}/{name}" for folder, names in walked for name in names}
            merged = {name: digest for name, digest in both.items() if name in there}
            write_text(self._manifest_path, json.dumps(merged, indent=0, sort_keys=True))

    def provide(self, specs: SpecSet, cases: Iterable[Case]) -> dict[str, DataReference]:
        """Make missing data; return references by case id.

        Raises:
            NotTrustworthyError: A file is not what was written, or the disk is full.
            WrongInputError: The folder cannot be written to.
        """
        return {case.id: reference for case, reference in self.provide_each(specs, cases)}

    def provide_each(
        self, specs: SpecSet, cases: Iterable[Case]
    ) -> Iterator[tuple[Case, DataReference]]:
        """Yield each case with its reference as soon as its data exist; raises as provide."""
        made = False
        known: dict[Hashable, DataReference] = {}  # equal calls, on another product, share data
        register(self.folder)
        try:
            for case in cases:
                call = case.id, call_key(specs, case)
                if call not in known:
                    known[call], new = self._provide_one(
                        specs.operator(case.operator), settled(specs, case).case
                    )
                    made = made or new
                yield case, known[call]
        finally:
            if made:
                self._write_manifest()

    def _provide_one(self, spec: OperatorSpec, case: Case) -> tuple[DataReference, bool]:
        dtype = record_type(case)
        fields = payload_fields(dtype)
        if dtype.itemsize == 0:
            return DataReference(None, 0, fields), False
        digest = recipe_digest(spec, case)
        relative = f"{digest[:2]}/{digest}.npy"
        path = self.folder / relative
        known = self._digests.get(relative)
        new = not take(self.folder, relative) or known is None
        if new:
            _write_inputs(path, spec, case, dtype)
            known = self._digests[relative] = sha256_of(path)
        elif sha256_of(path) != known:
            raise NotTrustworthyError(
                f"{path}: the golden data have changed since they were made; "
                "delete the file, and the next run makes it again"
            )
        return DataReference(relative, dtype.itemsize, fields, str(known)), new


def _write_inputs(path: Path, spec: OperatorSpec, case: Case, dtype: np.dtype[Any]) -> None:
    """Write the file of :func:`npy_bytes`, making the inputs in the mapped file."""
    with replaced(path) as beside, beside.open("w+b") as file:
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


def inputs_of(case: Case, store: Path, reference: DataReference) -> dict[str, npt.NDArray[Any]]:
    """Return the inputs of a case from the store: mapped, view shape, the tensors' own types.

    Raises:
        NotTrustworthyError: The file is missing or not what was written.
    """
    if reference.path is None:
        return _inputs_in(np.zeros((), record_type(case)), case)
    path = store / reference.path
    try:
        if sha256_of(path) != reference.sha256:
            raise NotTrustworthyError(
                f"{path}: the golden data of {case.id} have changed since the run; run it again"
            )
        record = np.load(os.fspath(path), mmap_mode="r", allow_pickle=False)
    except OSError as error:
        raise NotTrustworthyError(
            f"{path}: the data of {case.id} cannot be read ({error.strerror}); run the case again"
        ) from None
    return _inputs_in(record, case)
