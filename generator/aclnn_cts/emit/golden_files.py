# SPDX-License-Identifier: Apache-2.0
"""The checked-in golden data: anchors of small cases of the smoke tier, as CSV.

They show in review which expectations a change moves, and on any host that NumPy, a formula or a
kind of data changed. A row is an output of a case; see :class:`Anchor`. Hosts round differently, so
what is rounded is compared with the formula's stated error, and a digest covers only what all hosts
must have in common.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.golden.expectations import golden_arithmetic
from aclnn_cts.golden.expected import Expected, FloatArray, Real
from aclnn_cts.golden.formula import broadcast, with_digits
from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.golden.inputs import make_inputs, settle
from aclnn_cts.plan.cases import SOAK, Case
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.planner import plan
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.suite import Suite

GOLDEN_PRODUCT = "atlas-a2"
"""The product whose smoke tier is checked in, for the operators that it supports."""

MOST_ELEMENTS = 500
"""Maximum number of elements of a checked-in case. All elements are made alike, so small arrays
show every change."""

SAME = 2.0**-30
"""Relative difference that is allowed between two hosts' tolerances."""

_SAMPLES = 3
"""Elements of an output that its row shows."""

_GOLDEN_RATIO = (5**0.5 - 1) / 2


@dataclass(frozen=True)
class Anchor:
    """What is checked in of the expectation of an output, as text.

    Attributes:
        inputs: Digest of the bits of all inputs of the case.
        classes: Digest of the accepted classes of each element, and of which values and tolerances
            are Inf or NaN.
        total: The weighted sum of all values, each in units of its tolerance: a change of any value
            by a thousandth of its tolerance shows.
        tolerances: The weighted sum of the binary logarithms of all tolerances.
        elements: A few elements from end to end, each as ``index: value±tolerance``.
    """

    case: str
    output: str
    inputs: str
    classes: str
    total: str
    tolerances: str
    elements: str


_COLUMNS = [field.name for field in fields(Anchor)]


@dataclass(frozen=True)
class Elements:
    """The finite elements of an expectation, in one dimension.

    Attributes:
        where: Their indices among all elements.
    """

    where: npt.NDArray[np.intp]
    value: FloatArray
    tolerance: FloatArray

    @classmethod
    def of(cls, expected: Expected) -> Elements:
        """Return those whose value and tolerance are finite."""
        value, tolerance = expected.value.reshape(-1), expected.tolerance.reshape(-1)
        where = np.flatnonzero(np.isfinite(value) & np.isfinite(tolerance))
        return cls(where, value[where], tolerance[where])

    @property
    def weight(self) -> npt.NDArray[np.floating[Any]]:
        """From 1 to 2, another one for each element, so that no two may change places."""
        return 1 + self.where * _GOLDEN_RATIO % 1

    @property
    def unit(self) -> FloatArray:
        """A power of two near the tolerance; halfway between two is irrational, so hosts agree."""
        least = np.fmax(self.tolerance, np.abs(self.value) * np.finfo(self.value.dtype).eps)
        exponent = np.rint(np.log2(np.where(least > 0, least, 1)))
        return np.ldexp(np.ones_like(self.value), exponent.astype(np.int32))

    @property
    def total(self) -> Any:
        """The sum of all values in units of their tolerances, weighted."""
        return np.sum(self.weight * (self.value / self.unit).astype(np.longdouble))

    @property
    def tolerances(self) -> Any:
        """The sum of the tolerances' binary logarithms, weighted; without those of exact values."""
        positive = self.tolerance > 0
        return np.sum(self.weight[positive] * np.log2(self.tolerance[positive]))

    @property
    def samples(self) -> npt.NDArray[np.intp]:
        """Places of the elements that are shown, from the first to the last."""
        count = min(_SAMPLES, self.where.size)
        return np.linspace(0, self.where.size - 1, count).astype(np.intp)


def anchor_of(case: str, output: str, inputs: str, expected: Expected) -> Anchor:
    """Return the anchor of an output's expectation."""
    elements = Elements.of(expected)
    classes = (expected.allowed, *_classes(expected.value), *_classes(expected.tolerance))
    samples = (
        f"{elements.where[n]}: {elements.value[n]!s}±{elements.tolerance[n]:.3g}"
        for n in elements.samples
    )
    return Anchor(
        case,
        output,
        inputs,
        _digest({str(number): counts for number, counts in enumerate(classes)}),
        str(elements.total),
        str(elements.tolerances),
        "; ".join(samples),
    )


def _classes(numbers: FloatArray) -> Iterator[npt.NDArray[np.bool_]]:
    yield from (numbers == np.inf, numbers == -np.inf, np.isnan(numbers))


def _digest(arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    digest = hashlib.sha256()
    for name, array in arrays.items():
        digest.update(f"{name} {array.dtype} {array.shape}\n".encode() + array.tobytes())
    return digest.hexdigest()[:12]


def agrees(recorded: Anchor, anchor: Anchor, elements: Elements, error: FloatArray) -> bool:
    """Return whether two hosts may have made these anchors of an output.

    Hosts sum in different orders, and their exponentials differ. Each keeps within the stated error
    of the exact value, so two are within twice that error of each other; or within one ulp, where
    that is more. A tolerance holds the value's error beside its own share, :data:`SAME`.

    Args:
        found: The elements of which this host made its anchor.
        error: Their stated errors; no more than the tolerance counts.
    """
    parts = ("case", "output", "inputs", "classes")
    if any(getattr(recorded, part) != getattr(anchor, part) for part in parts):
        return False
    apart = np.fmax(np.fmin(2 * error, elements.tolerance), np.spacing(np.abs(elements.value)))
    total = np.sum(elements.weight * (apart / elements.unit))
    total += abs(elements.total) * np.finfo(np.float64).eps
    positive = elements.tolerance > 0
    shares = apart[positive] / elements.tolerance[positive] + SAME
    tolerances = np.sum(elements.weight[positive] * np.log2(1 + shares))
    differences_by_place = dict(
        zip(elements.where[elements.samples], apart[elements.samples], strict=True)
    )
    return (
        _near(recorded.total, anchor.total, total)
        and _near(recorded.tolerances, anchor.tolerances, tolerances)
        and _near_elements(
            recorded.elements, anchor.elements, differences_by_place, elements.value.dtype.type
        )
    )


def _near(left: str, right: str, allowed: Any, real: Real = np.longdouble) -> bool:
    try:
        return bool(abs(real(left) - real(right)) <= allowed)
    except ValueError:  # edited by hand
        return False


_ELEMENT = re.compile(r"(\d+): (\S+)±")


def _near_elements(left: str, right: str, allowed: Mapping[Any, Any], real: Real) -> bool:
    recorded, computed = map(_ELEMENT.findall, (left, right))
    return [index for index, _ in recorded] == [index for index, _ in computed] and all(
        _near(value, mine, allowed[int(index)], real)
        for (index, value), (_, mine) in zip(recorded, computed, strict=True)
    )


def golden_path(suite: Suite, operator: str) -> Path:
    """Return the path of an operator's golden data."""
    return suite.golden / f"{operator}.csv"


def golden_product(specs: SpecSet, operator: str) -> str:
    """Return the product for which an operator's golden data are checked in."""
    spec = specs.operator(operator)
    supported = [product for product in specs.products if spec.supports(product)]
    return GOLDEN_PRODUCT if GOLDEN_PRODUCT in supported else supported[0]


def _golden_cases(specs: SpecSet, operator: str, store: PlanCache | None) -> list[Case]:
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


def golden_anchors(
    specs: SpecSet, operator: str, store: PlanCache | None = None
) -> Iterator[tuple[Case, Anchor, Elements]]:
    """Yield an operator's golden data, as they are made now."""
    for case in _golden_cases(specs, operator, store):
        draw = settle(specs, case)
        inputs = _digest(draw.inputs)
        for name, expectation in draw.expectations.items():
            expected = expectation.whole()
            yield case, anchor_of(case.id, name, inputs, expected), Elements.of(expected)


def differences(
    specs: SpecSet, recorded: Iterable[Anchor], computed: Iterable[tuple[Case, Anchor, Elements]]
) -> list[str]:
    """Return cases and outputs of which no two hosts could have made these anchors."""
    anchors = {(anchor.case, anchor.output): anchor for anchor in recorded}
    differing = []
    for case, anchor, elements in computed:
        old = anchors.pop((anchor.case, anchor.output), None)
        # Stated errors are needed only on a host that rounds differently.
        if old == anchor:
            continue
        name = f"{anchor.case}: {anchor.output}"
        if old is None or not agrees(old, anchor, elements, _error(specs, case, anchor, elements)):
            differing.append(name)
    return sorted([*differing, *(f"{case}: {output}" for case, output in anchors)])


def _error(specs: SpecSet, case: Case, anchor: Anchor, elements: Elements) -> FloatArray:
    """Return the stated errors of the elements of an output."""
    spec = specs.operator(case.operator)
    on = golden_arithmetic(specs, case)
    call = case.slice_of(anchor.output)
    columns = with_digits(broadcast(spec, call.of(make_inputs(specs, case))), on.real)
    columns = {spec.tensor(name).as_input: array for name, array in columns.items()}
    results = evaluate_whole(spec.formula_source, columns, call.case.values, on)
    output = spec.tensor(case.tensor(anchor.output).parameter).as_output
    if output not in results:  # no formula gives it
        return np.zeros_like(elements.value)
    return results[output].error.reshape(-1)[elements.where]


def golden_text(anchors: Iterable[Anchor]) -> str:
    """Return a golden file's text."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(map(astuple, anchors))
    return text.getvalue()


def read_golden(path: Path) -> list[Anchor]:
    """Return the anchors of a golden file; nothing if it is missing or damaged."""
    try:
        header, *rows = csv.reader(path.read_text(encoding="utf-8").splitlines())
        return [Anchor(*row) for row in rows] if header == _COLUMNS else []
    except (OSError, ValueError, TypeError, csv.Error):
        return []


def operators_with_golden(
    specs: SpecSet, operators: Iterable[str] | None = None
) -> list[OperatorSpec]:
    """Return the operators with golden data, of those named or of all.

    An operator in place shares the formula and the golden data of the other one.
    """
    selected = specs.tested_operators if operators is None else specs.select_tested(operators)
    names = {spec.second_of or spec.operator for spec in selected}
    return [
        s
        for s in specs.tested_operators
        if s.operator in names and not s.is_contract and not s.is_random
    ]


def stale_golden(
    specs: SpecSet, suite: Suite, operators: Iterable[str] | None = None
) -> dict[Path, str]:
    """Return the golden files that are out of date, with their new text.

    Operators in operator folders have no golden data.
    """
    store = PlanCache.of(suite)
    stale = {}
    for spec in () if suite.folders else operators_with_golden(specs, operators):
        path, anchors = (
            golden_path(suite, spec.operator),
            [*golden_anchors(specs, spec.operator, store)],
        )
        if differences(specs, read_golden(path), anchors):
            stale[path] = golden_text(anchor for _, anchor, _ in anchors)
    return stale
