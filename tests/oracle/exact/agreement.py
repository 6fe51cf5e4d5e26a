# SPDX-License-Identifier: Apache-2.0
"""Whether golden values agree with the exact ones, within the error that the formulas state."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import mpmath  # type: ignore[import-untyped, unused-ignore]
import numpy as np
import numpy.typing as npt
from tests.oracle.exact import ORACLES
from tests.oracle.exact.numbers import (
    DIGITS,
    Arrays,
    Elements,
    Exact,
    Index,
    Number,
    Values,
    number,
)

from aclnn_cts.emit.golden_files import operators_with_golden
from aclnn_cts.golden.expectations import call_key, expect_case, golden_arithmetic
from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.golden.formula import Result, broadcast, with_digits
from aclnn_cts.golden.formula_modules import evaluate_whole
from aclnn_cts.golden.inputs import make_inputs
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.data_types import DATA_TYPES, type_name
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import find_suite

HIGHER_ORDER = 1.01
"""What products of errors may add to the stated error."""

OVERFLOW = 2**1024 - 2**970
"""The largest float64 and half an ulp, no float64 itself; an exact value beyond it is Inf there."""


@dataclass(frozen=True)
class Difference:
    """An element on which golden and exact value differ by more than is stated."""

    output: str
    index: Index
    golden: float
    exact: str
    share: float

    def __str__(self) -> str:
        where = f"{self.output}{list(self.index)}"
        return f"{where}: golden {self.golden!r}, exact {self.exact}"


@dataclass
class Agreement:
    """What a comparison found.

    Attributes:
        compared: Elements held against their exact value.
        unsaid: Elements of which the formula says nothing, since an intermediate result overflows.
        worst: The largest error, as a share of the stated one.
        differences: Elements beyond the stated error, or of another class.
    """

    compared: int = 0
    unsaid: int = 0
    worst: float = 0.0
    differences: list[Difference] = field(default_factory=list)

    def add(self, other: Agreement) -> None:
        """Take another comparison in."""
        self.compared += other.compared
        self.unsaid += other.unsaid
        self.worst = max(self.worst, other.worst)
        self.differences += other.differences


@dataclass(frozen=True)
class Claims:
    """What the golden data of a case say.

    Attributes:
        inputs: The inputs as the product computes with them.
        expected: By output, what may come back.
        stated: By output, what the formula module says, with the errors of the golden values.
    """

    case: Case
    inputs: Arrays
    expected: Mapping[str, Expected]
    stated: Mapping[str, Result]

    @classmethod
    def of(cls, specs: SpecSet, case: Case) -> Claims:
        """Return those of a case that must work."""
        spec = specs.operator(case.operator)
        inputs = broadcast(spec, make_inputs(specs, case))
        expected = {name: each.whole() for name, each in expect_case(specs, case, inputs).items()}
        inputs = _as_computed(spec.computes_in.get(case.product, {}), inputs)
        on = golden_arithmetic(specs, case)
        stated = evaluate_whole(spec.formula_source, with_digits(inputs, on.real), case.values, on)
        formulas = {output.name: output.as_output for output in spec.outputs}
        return cls(case, inputs, expected, {name: stated[formulas[name]] for name in expected})

    def agreement(
        self, specs: SpecSet, most: int, known: dict[Hashable, Elements]
    ) -> dict[str, Agreement]:
        """Return, for each output, how they agree with the exact values.

        Elements are compared where a clause promises the formula's value.

        Args:
            specs: All specs.
            most: Elements of an output that are compared; of more, a sample from end to end.
            known: The exact values of earlier calls, with their sums: on another product, most
                calls are the same.
        """
        spec = specs.operator(self.case.operator)
        held = ((n, each.dtype, each.shape, each.tobytes()) for n, each in self.inputs.items())
        call = spec.operator, repr(self.case.values), *held
        if call not in known:
            known[call] = ORACLES[spec.operator](self.inputs, self.case.values)
        exact = known[call]
        value_clauses = sum(1 << k for k, c in enumerate(spec.clauses) if c.expect == "value")
        found = {}
        for name, own in self.expected.items():
            places = _sample((own.reached & np.uint64(value_clauses)) != 0, most)
            # reduced axes may be kept
            said = own.value, self.stated[name].error.reshape(own.shape), own.allowed
            found[name] = _agreement(name, *said, exact, places)
        return found


def agreement_of_case(specs: SpecSet, case: Case, most: int) -> dict[str, Agreement]:
    """Return how the golden data of a case agree with the exact ones, as ``Claims.agreement``."""
    return Claims.of(specs, case).agreement(specs, most, {})


def agreement_of_formula(operator: str, inputs: Arrays, values: Values) -> dict[str, Agreement]:
    """Return how a formula agrees with the exact values on all elements of given inputs."""
    formula = load_specs(find_suite()).operator(operator).formula_source
    exact = ORACLES[operator](inputs, values)
    found = {}
    for name, own in evaluate_whole(formula, inputs, values).items():
        extremes = own.number.extremes
        accepted = np.zeros(own.value.shape, np.uint8) if extremes is None else extremes
        said = own.value, own.error, accepted
        found[name] = _agreement(name, *said, exact, np.ndindex(own.value.shape))
    return found


def _agreement(
    output: str,
    values: npt.NDArray[Any],
    errors: npt.NDArray[Any],
    accepted: npt.NDArray[np.uint8],
    exact: Elements,
    places: Iterable[Index],
) -> Agreement:
    """Hold the elements of an output at some places against the exact ones."""
    found = Agreement()
    with mpmath.workdps(DIGITS):
        for index in places:
            # Half of the smallest number, which a rounding may lose there, is not a number.
            error = float(errors[index]) * HIGHER_ORDER + math.ulp(0.0)
            claim = _Claim(output, index, number(values[index]), error, int(accepted[index]))
            found.add(claim.against(exact[output](index)))
    return found


def _as_computed(narrower: Any, inputs: Arrays) -> Arrays:
    """Round inputs to the type in which the product computes them."""
    with np.errstate(over="ignore"):
        return {
            name: array.astype(DATA_TYPES[narrower.get(kind, kind)].numpy)
            for name, array in inputs.items()
            for kind in (type_name(array.dtype),)
        }


def _sample(promised: npt.NDArray[np.bool_], most: int) -> Iterator[Index]:
    """Yield indices of promised elements: all, or ``most`` from the first to the last."""
    places = np.argwhere(promised)
    if len(places) > most:
        places = places[np.linspace(0, len(places) - 1, most).astype(np.int64)]
    yield from map(tuple, places.tolist())


@dataclass(frozen=True)
class _Claim:
    """What the golden data say about one element."""

    output: str
    index: Index
    value: Number
    error: float
    accepted: int

    def against(self, exact: Exact) -> Agreement:
        """Hold the value against the exact one.

        Inf times a factor that is 0 in float64, but not in 100 digits, is NaN: then the exact Inf
        is accepted beside it. So is a 0 beside a condition that the device's rounding decides.
        """
        if exact.value == 0 and self.accepted & Outcome.ZERO:
            return Agreement(1)
        if math.isnan(self.value) or math.isinf(self.value):
            infinity = Outcome.POS_INF if exact.value > 0 else Outcome.NEG_INF
            same = _same_class(self.value, exact.value) or (
                math.isnan(self.value)
                and mpmath.isinf(exact.value)
                and bool(self.accepted & infinity)
            )
            return Agreement(1, differences=[] if same else [self._differs(exact.value, math.inf)])
        if math.isinf(self.error):
            return Agreement(unsaid=1)
        share = _share(self.value, exact.value, self.error)
        differences = [self._differs(exact.value, share)] if not share <= 1 else []
        return Agreement(1, worst=share, differences=differences)

    def _differs(self, exact: Number, share: float) -> Difference:
        return Difference(self.output, self.index, float(self.value), mpmath.nstr(exact, 20), share)


def _same_class(golden: Number, exact: Number) -> bool:
    if math.isnan(golden):
        return bool(mpmath.isnan(exact))
    return bool(exact >= OVERFLOW if golden > 0 else exact <= -OVERFLOW)


def _share(golden: Number, exact: Number, error: float) -> float:
    """Return the error as a share of the stated one; Inf if none is stated and there is one."""
    if not mpmath.isfinite(exact):
        return math.inf
    off = abs(golden - exact)
    if off == 0:
        return 0.0
    return float(off / error) if error else math.inf


WORK = 40_000
"""Input elements of a case; loops over the sums of larger ones would take minutes each."""


def compared(specs: SpecSet, cases: Iterable[Case]) -> Iterator[Case]:
    """Yield the cases with golden data, each call once; of lists, the largest tensors."""
    seen, known = set(), {spec.operator for spec in operators_with_golden(specs)}
    for case in cases:
        key = call_key(specs, case)
        elements = sum(tensor.numel for tensor in case.inputs)
        if case.operator in known and key is not None and key not in seen and elements <= WORK:
            seen.add(key)
            yield max((each.case for each in case.slices), key=lambda each: each.elements)
