# SPDX-License-Identifier: Apache-2.0
"""Data types of several parameters that have no common one, or one that converts to none."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from aclnn_cts.spec.data_types import promote
from aclnn_cts.violations.data_types import REFUSED_DTYPES, with_dtype
from aclnn_cts.violations.kind import Argument, Broken, Check, Kind

if TYPE_CHECKING:
    from aclnn_cts.plan.calls import Call, Twin
    from aclnn_cts.spec.clause_models import ErrorClause
    from aclnn_cts.spec.models import OperatorSpec

_OTHER_DTYPES = (*REFUSED_DTYPES, "uint16")
"""Also one without a common type with others (the common document on promotion)."""


class _Promotion(Kind):
    """Data types of several parameters together."""

    column = "{}, data types"
    kinds = ("dtype",)
    promotes = True

    def breakable(self, spec: OperatorSpec) -> set[str]:
        return super().breakable(spec) | {scalar.name for scalar in spec.scalars}

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        names = error.names
        types = {name: at.dtype(name) for name in names}
        together = [name for name in names if name in at.binding.shapes]
        for changed in (*([name] for name in names), *([together] if len(together) > 1 else [])):
            for dtype in (*REFUSED_DTYPES, "uint64" if at.spec.mixes_types else "uint16"):
                if self.is_unsuitable(at.spec, at.product, types | dict.fromkeys(changed, dtype)):
                    yield with_dtype(changed, dtype)

    def breaking(self, call: Call, error: ErrorClause) -> Iterator[str]:
        types = {name: call.dtype(name) for name in error.names if not call.is_null(name)}
        yield from types if self.is_unsuitable(call.spec, call.product, types) else ()

    def is_unsuitable(self, spec: OperatorSpec, product: str, dtypes: Mapping[str, str]) -> bool:
        """Whether the data types of the given parameters break a clause that names them."""
        raise NotImplementedError

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        if not spec.unpromotable:
            return
        for error in (error for error in spec.errors if error.kind is self):
            tensors = tuple(each.name for each in spec.tensors if each.name in error.names)
            scalars = [each.name for each in spec.scalars if each.name in error.names]
            on = None if error.products is None else tuple(error.products)
            yield Check("CommonType", tensors, (("names", scalars),), on=on)


class NotPromotable(_Promotion):
    key = "not_promotable"
    description = "Data types that have no common one, whatever is supported."
    id = "not-promotable"
    refused = "data types of {} without a common one are refused"
    required = "{} {have} a common data type"

    def is_unsuitable(self, spec: OperatorSpec, product: str, dtypes: Mapping[str, str]) -> bool:
        del product
        tensors = [dtypes[tensor.name] for tensor in spec.tensors if tensor.name in dtypes]
        scalars = (dtypes[scalar.name] for scalar in spec.scalars if scalar.name in dtypes)
        return bool(tensors) and promote(tensors, scalars) is None


class PromotionOutsideSupport(_Promotion):
    key = "promotion_outside_support"
    description = "Data types that have no common one, or one that is not supported."
    id = "promotion-unsupported"
    refused = "data types of {} without a supported common one are refused"
    required = "{} {have} a supported common data type"
    needs_support = True

    def is_unsuitable(self, spec: OperatorSpec, product: str, dtypes: Mapping[str, str]) -> bool:
        tensors = (tensor.name for tensor in spec.tensors if tensor.name in dtypes)
        common = spec.promoted_dtype(dtypes)
        return any(common not in spec.dtypes(name, product, untested=True) for name in tensors)

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        yield from super().checks(spec)
        rows = [error for error in spec.errors if error.kind is self and spec.mixes_types]
        for product in filter(spec.supports, spec.products) if rows else ():
            names = [tensor.name for tensor in spec.inputs if tensor.name in rows[0].names]
            types: Argument = ("types", spec.dtypes(names[0], product))
            yield Check("Promotion", arguments=(("names", names), types), on=(product,))


class NotCastable(Kind):
    key = "not_castable"
    description = (
        "An output's data type to which the inputs' promoted one does not convert, or a scalar's "
        "that does not convert to the tensors'."
    )
    id = "not-castable"
    column = "{}, data types"
    refused = "a data type of {} to which the promoted one does not convert is refused"
    required = "{} {have} a data type to which the promoted one converts"
    kinds = ("dtype",)
    converts = True
    is_of_integers = True

    def breakable(self, spec: OperatorSpec) -> set[str]:
        return super().breakable(spec) | {scalar.name for scalar in spec.scalars}

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        for name in error.names:
            yield from _unconvertible(at, name, name, _OTHER_DTYPES)
        for name in at.spec.conversion_targets:
            inputs = (tensor.name for tensor in at.spec.inputs)
            for source in (*inputs, *(scalar.name for scalar in at.spec.scalars)):
                types = at.spec.own_dtypes(source, at.product)
                yield from itertools.islice(_unconvertible(at, name, source, types), 1)

    def is_wrong(self, call: Call, error: ErrorClause, name: str) -> bool:
        del error
        return not call.is_convertible(name)

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        inputs: Argument = ("names", [tensor.name for tensor in spec.inputs])
        converted = spec.converted_scalars
        others = [scalar.name for scalar in spec.scalars if scalar.name not in converted]
        for name in spec.conversion_targets:
            yield Check("Conversion", arguments=(("word", name), inputs, ("names", others)))


def _unconvertible(at: Twin, output: str, changed: str, dtypes: Iterable[str]) -> Iterator[Broken]:
    """Yield data types of a parameter with which an output's or a scalar's does not fit.

    An output in place is an input, too: with another data type, the promoted one is another.
    """
    for dtype in dtypes:
        broken = with_dtype([changed], dtype)
        if not at.with_changes(broken.change).is_convertible(output):
            yield broken
