# SPDX-License-Identifier: Apache-2.0
"""The checked-in golden data: inputs and expectations of small cases of the smoke tier, as .npz.

They anchor the generator: a change of NumPy, of a formula or of a fill that changes a bit of an
input, or moves an expectation by more than the formula's stated error, shows as a difference. Keys
are ``<case id>/input/<tensor>`` and ``<case id>/expected/<output>/<value, allowed, tolerance>``,
with ``rest`` for what float64 does not hold of a value; bfloat16 inputs are kept as their 16 bits.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.arithmetic import FLOAT64, LONG_DOUBLE
from aclnn_cts.golden.expected import FloatArray, real_of
from aclnn_cts.golden.formula import Result, broadcast, with_digits
from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.golden.inputs import make_inputs, settled
from aclnn_cts.plan.cases import SOAK, Case
from aclnn_cts.plan.covering import CoveringStore
from aclnn_cts.plan.planner import plan
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.suite import Suite

_GOLDEN_PRODUCT = "atlas-a2"
"""The product whose smoke tier is checked in, for the operators that it supports."""

MOST_ELEMENTS = 500
"""Maximum number of elements of a checked-in case. All elements are made alike, so small arrays
show every change, and large ones would only swell clones."""

SAME = 2.0**-30
"""Relative difference that is allowed between two hosts' tolerances."""

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

    Cases that differ only in shape or layout are made by the same code.
    """
    cases = plan(specs, golden_product(specs, operator), "smoke", [operator], store)
    # the call of the soak is that of the scene base
    valid = (case for case in cases if case.expects_success and case.scene != SOAK)
    small = [case for case in valid if case.elements <= MOST_ELEMENTS]
    return list({_kind(case): case for case in reversed(small)}.values())


def _kind(case: Case) -> Hashable:
    tensors = ((tensor.dtype, tensor.fill and tensor.fill.kind) for tensor in case.tensors)
    return tuple(tensors), repr(case.attributes)


def _case_arrays(specs: SpecSet, case: Case) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    draw = settled(specs, case)
    for name, array in draw.inputs.items():
        yield f"{case.id}/input/{name}", array.view(case.tensor(name).data_type.stored)
    for name, expectation in draw.expected.items():
        expected = expectation.whole()
        # The memory format of wider types depends on the host, and their range is wider.
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

    Hosts sum in different orders, and their exponentials differ. Each keeps within the stated error
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
    return evaluate_whole(spec.formula_source, inputs, case.values, on)


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
        # NumPy leaves a damaged file open if it opened it itself.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except (OSError, ValueError, zipfile.BadZipFile, EOFError, KeyError):
        return {}


def anchored(specs: SpecSet, operators: Iterable[str] | None = None) -> list[OperatorSpec]:
    """Return the operators with golden data, of those named or of all.

    An operator in place shares the formula and the golden data of the other one.
    """
    chosen = specs.tested if operators is None else specs.tested_named(operators)
    named = {spec.second_of or spec.operator for spec in chosen}
    return [
        s for s in specs.tested if s.operator in named and not s.is_contract and not s.is_random
    ]


def stale_golden(
    specs: SpecSet, suite: Suite, operators: Iterable[str] | None = None
) -> dict[Path, bytes]:
    """Return the golden files that are out of date, with their new content.

    Operators in operator folders have no golden data.
    """
    store = CoveringStore.of(suite)
    stale = {}
    for spec in () if suite.folders else anchored(specs, operators):
        path, made = golden_path(suite, spec.operator), golden_arrays(specs, spec.operator, store)
        recorded = read_golden(path)
        # Stated errors are needed only on a host that rounds differently.
        if _equal(recorded, made):
            continue
        if differences(recorded, made, golden_errors(specs, spec.operator, store)):
            file = io.BytesIO()
            np.savez_compressed(file, **made)  # type: ignore[arg-type]
            stale[path] = file.getvalue()
    return stale
