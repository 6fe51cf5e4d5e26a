# SPDX-License-Identifier: Apache-2.0
"""The input data of cases, one .npy file per case, and the golden data that are checked in.

The files of inputs are addressed by content.

The file holds one structured record with a field for each input, so that ``np.load(file)["x"]``
shows an input in its view shape (bfloat16 as its 16 bits). Its name is the digest of the recipe:
the fills, shapes and types, and the sources of the code that makes the data. The store keeps the
SHA-256 digest of each file as it was written; a file that has changed since is refused.

Golden data are inputs and expectations of small cases of the smoke tier, as .npz. They anchor the
generator: a change of NumPy, of a formula or of a fill that changes a bit of an input shows as a
difference to these files, and so does an expectation that moves by more than the formula states as
its own error. Keys are ``<case id>/input/<tensor>`` and ``<case id>/expected/<output>/<value,
allowed, tolerance>``, with ``rest`` for what float64 does not hold of a value; bfloat16 inputs are
kept as their 16 bits.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import os
import zipfile
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
from aclnn_cts.files import replacing, sha256_of, write_text
from aclnn_cts.golden.arithmetic import FLOAT64, LONG_DOUBLE
from aclnn_cts.golden.data import fill_inputs
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.golden.expected import FloatArray, real_of
from aclnn_cts.golden.formula import Result, broadcast, evaluate_whole, formula_module, with_digits
from aclnn_cts.golden.inputs import make_inputs, settled
from aclnn_cts.plan.cases import Case, case_to_json, fields_of
from aclnn_cts.plan.covering import CoveringStore
from aclnn_cts.plan.planner import plan
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import Formula, OperatorSpec
from aclnn_cts.suite import Suite

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
        sha256: Digest of the whole file; empty when there is none.
    """

    path: str | None
    payload: int
    fields: Mapping[str, PayloadField]
    sha256: str = ""


@functools.lru_cache(maxsize=16)
def _makers_digest(formula: Formula) -> str:
    """Return a digest of the code that the data depend on."""
    formula_module(formula)  # says it in a sentence if there is none
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
    data = case_to_json(case)
    recipe = [
        [
            {**fields_of(tensor), "fill": tensor.fill and fields_of(tensor.fill)}
            for tensor in case.inputs
            if tensor.source == "data"
        ],
        data["attributes"],
        data["names"],
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
            # Without a manifest nothing can be vouched for: all files are made again.
            return {}
        return dict(digests) if isinstance(digests, dict) else {}

    def _write_manifest(self) -> None:
        """Add to the manifest; another process may have added files meanwhile: they stay."""
        with locked(self.folder):
            both = {**self._read_manifest(), **self._digests}
            there = {
                f"{Path(folder).name}/{name}"
                for folder, _, names in os.walk(self.folder)
                for name in names
            }
            merged = {name: digest for name, digest in both.items() if name in there}
            write_text(self._manifest_path, json.dumps(merged, indent=0, sort_keys=True))

    def provide(self, specs: SpecSet, cases: Iterable[Case]) -> dict[str, DataReference]:
        """Make the data that are not there yet; return references by case id.

        Raises:
            NotTrustworthyError: A file is not what was written, or the disk is full.
            WrongInputError: The folder cannot be written to.
        """
        return {case.id: reference for case, reference in self.provide_each(specs, cases)}

    def provide_each(
        self, specs: SpecSet, cases: Iterable[Case]
    ) -> Iterator[tuple[Case, DataReference]]:
        """Yield each case with its reference as soon as its data are there; raises as provide."""
        made = False
        register(self.folder)
        try:
            for case in cases:
                reference, new = self._provide_one(
                    specs.operator(case.operator), settled(specs, case)
                )
                made = made or new
                yield case, reference
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
    """Write what :func:`npy_bytes` returns, the inputs made in the file itself."""
    with replacing(path) as file:
        described = {"descr": dtype_to_descr(dtype), "fortran_order": False, "shape": ()}
        write_array_header_1_0(file, described)
        file.flush()
        # Where a mapping has no room on the disk, the process is killed.
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
        record = np.load(path, mmap_mode="r", allow_pickle=False)
    except OSError as error:
        raise NotTrustworthyError(
            f"{path}: the data of {case.id} cannot be read ({error.strerror}); run the case again"
        ) from None
    return _inputs_in(record, case)


_GOLDEN_PRODUCT = "atlas-a2"
"""The product whose smoke tier is checked in, for the operators that it supports."""

MOST_ELEMENTS = 500
"""Elements of all tensors of a case that is checked in. A bit that moves shows in small arrays as
well, since all elements are made alike; large ones would only swell every clone."""

SAME = 2.0**-30
"""The share by which two hosts' tolerances may differ."""

Arrays = dict[str, npt.NDArray[Any]]


def golden_path(suite: Suite, operator: str) -> Path:
    """Return the path of an operator's golden data."""
    return suite.golden / f"{operator}.npz"


def golden_product(specs: SpecSet, operator: str) -> str:
    """Return the product for which an operator's golden data are checked in."""
    spec = specs.operator(operator)
    supported = [product for product in specs.products if spec.supports(product)]
    return _GOLDEN_PRODUCT if _GOLDEN_PRODUCT in supported else supported[0]


def golden_arrays(specs: SpecSet, operator: str, store: CoveringStore | None = None) -> Arrays:
    """Return all arrays of an operator's golden data, as they are made now."""
    cases = _golden_cases(specs, operator, store)
    return dict(item for case in cases for item in _case_arrays(specs, case))


def _golden_cases(specs: SpecSet, operator: str, store: CoveringStore | None) -> list[Case]:
    """Return a small case for each combination of data types, kinds of data and attributes.

    What differs in its shape or its layout alone is made by the same code.
    """
    cases = plan(specs, golden_product(specs, operator), "smoke", [operator], store)
    small = [case for case in cases if case.expects_success and case.elements <= MOST_ELEMENTS]
    return list({_kind(case): case for case in reversed(small)}.values())


def _kind(case: Case) -> Hashable:
    tensors = ((tensor.dtype, tensor.fill and tensor.fill.kind) for tensor in case.tensors)
    return tuple(tensors), repr(case.attributes)


def _case_arrays(specs: SpecSet, case: Case) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    inputs = make_inputs(specs, case)
    for name, array in inputs.items():
        yield f"{case.id}/input/{name}", array.view(case.tensor(name).data_type.stored)
    for name, expectation in expect_case(specs, case, inputs).items():
        expected = expectation.whole()
        # What wider types look like in memory depends on the host; their range is wider, too.
        with np.errstate(over="ignore", invalid="ignore"):  # Inf less Inf
            value = expected.value.astype(np.float64)
            rest = (expected.value - value).astype(np.float64)
            tolerance = expected.tolerance.astype(np.float64)
        yield f"{case.id}/expected/{name}/value", value
        if expected.value.dtype != np.float64:
            yield f"{case.id}/expected/{name}/rest", rest
        yield f"{case.id}/expected/{name}/allowed", expected.allowed
        yield f"{case.id}/expected/{name}/tolerance", tolerance


def golden_errors(
    specs: SpecSet, operator: str, store: CoveringStore | None = None
) -> dict[str, FloatArray]:
    """Return how far apart two hosts' arrays of the same names may be, by array.

    Hosts add up in another order, and their exponentials differ. Each keeps within the stated error
    of the exact value, so two are within twice that error of each other.
    """
    return {
        f"{case.id}/expected/{name}/value": 2 * result.error
        for case in _golden_cases(specs, operator, store)
        for name, result in _results(specs, case).items()
    }


def _results(specs: SpecSet, case: Case) -> dict[str, Result]:
    spec = specs.operator(case.operator)
    wide = real_of([tensor.dtype for tensor in case.tensors]) is not np.float64
    on = LONG_DOUBLE if wide else FLOAT64
    inputs = with_digits(broadcast(spec, make_inputs(specs, case)), on.real)
    return evaluate_whole(spec.formula, inputs, case.values, on)


def differences(
    recorded: Arrays, made: Arrays, errors: Mapping[str, FloatArray] | None = None
) -> list[str]:
    """Return the differences: inputs in any bit, expectations beyond their stated error.

    A value counts with its rest. A tolerance holds the value's error beside its own share.

    Args:
        recorded: The arrays of a golden file.
        errors: How far apart values may be; a share of :data:`SAME` where nothing is said.
    """
    errors = errors or {}
    found = [f"{name}: only recorded" for name in recorded.keys() - made.keys()]
    found += [f"{name}: not recorded" for name in made.keys() - recorded.keys()]
    for name in recorded.keys() & made.keys():
        if not _same(recorded, made, name, errors):
            found.append(f"{name}: differs")
    return sorted(found)


def _equal(recorded: Arrays, made: Arrays) -> bool:
    """Return whether both have the same bits under the same names."""
    if recorded.keys() != made.keys():
        return False
    pairs = ((recorded[name], array) for name, array in made.items())
    return all(
        (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
        for one, other in pairs
    )


def _same(recorded: Arrays, made: Arrays, name: str, errors: Mapping[str, FloatArray]) -> bool:
    one, other = recorded[name], made[name]
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if other.dtype != np.float64:
        return one.tobytes() == other.tobytes()
    stem, _, part = name.rpartition("/")
    rest = f"{stem}/rest"
    if part == "rest":
        return True
    with np.errstate(invalid="ignore", over="ignore"):
        apart, allowed, last = one - other, np.abs(other) * SAME, np.spacing(np.abs(other))
        if part == "value" and rest in recorded and rest in made:
            apart, last = apart + (recorded[rest] - made[rest]), last * 2.0**-11
        if part == "tolerance":
            allowed = allowed + errors.get(f"{stem}/value", 0.0)
        elif name in errors:
            allowed = np.fmax(last, errors[name])
        near = np.abs(apart) <= allowed
        near &= np.isfinite(one) & np.isfinite(other)
    equal = np.isinf(one) & (one == other) | np.isnan(one) & np.isnan(other)
    return bool(np.all(near | equal))


def read_golden(path: Path) -> Arrays:
    """Return the arrays of a golden file; nothing if it is missing or damaged."""
    try:
        # NumPy would leave a damaged file open that it opened itself.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except (OSError, ValueError, zipfile.BadZipFile, EOFError, KeyError):
        return {}


def anchored(specs: SpecSet, operators: Iterable[str] | None = None) -> list[OperatorSpec]:
    """Return the operators with golden data, of those named or of all.

    One in place has the formula of the other, and so its golden data.
    """
    named = {spec.second_of or spec.operator for spec in specs.tested_named(operators)}
    return [
        s for s in specs.tested if s.operator in named and not s.is_contract and not s.is_random
    ]


def stale_golden(
    specs: SpecSet, suite: Suite, operators: Iterable[str] | None = None
) -> dict[Path, bytes]:
    """Return the golden files that are not what is made now, with what is made now."""
    store = CoveringStore.of(suite)
    stale = {}
    for spec in anchored(specs, operators):
        path, made = golden_path(suite, spec.operator), golden_arrays(specs, spec.operator, store)
        recorded = read_golden(path)
        # Stated errors are worked out only where they matter: on a host that rounds otherwise.
        if _equal(recorded, made):
            continue
        if differences(recorded, made, golden_errors(specs, spec.operator, store)):
            file = io.BytesIO()
            np.savez_compressed(file, **made)  # type: ignore[arg-type]
            stale[path] = file.getvalue()
    return stale
