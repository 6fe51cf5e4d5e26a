# SPDX-License-Identifier: Apache-2.0
"""Lists: their lengths, and tensors that do not go with the others of their list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from aclnn_cts.violations.kind import Argument, Broken, Check, Kind

if TYPE_CHECKING:
    from aclnn_cts.plan.calls import Call, Twin
    from aclnn_cts.spec.clause_models import ErrorClause
    from aclnn_cts.spec.models import OperatorSpec
    from aclnn_cts.violations.rows import Row

_ENDS = {"first": 0, "last": -1}
"""The places at which a single tensor of a list is wrong, by their names."""


class OfLists(Kind):
    """A kind of violation that a list shows only as a whole."""

    def breakable(self, spec: OperatorSpec) -> set[str]:
        return {tensor.name for tensor in spec.lists}

    def _names(self, spec: OperatorSpec) -> set[str]:
        return {name for error in spec.errors if error.kind is self for name in error.names}

    def _named(self, spec: OperatorSpec) -> tuple[str, ...]:
        """Return the lists of tensors that error clauses of the kind name, in prototype order."""
        names = self._names(spec)
        return tuple(tensor.name for tensor in spec.lists if tensor.name in names)


def _lengths(parameter: Mapping[str, Any]) -> dict[str, int | str]:
    """Return the stated length of a list by product, the usual one by an empty name."""
    return {"": parameter.get("length", "any"), **dict(parameter.get("length_on", {}))}


class LengthOutside(OfLists):
    key = "length_outside"
    description = "A list with one tensor too many."
    id = "length"
    column = "{}, remarks on the number of tensors"
    compared = "{}"
    kinds = ("length",)

    def requirement(self, row: Row, name: str) -> object:
        del row, name
        return "no more tensors than the parameter table says"

    def derived_value(self, row: Row) -> list[str]:
        parameters = row.parameters.items()
        return [name for name, each in parameters if {*_lengths(each).values()} != {"any"}]

    def derived_products(self, row: Row) -> list[str] | None:
        lengths = [_lengths(each) for each in row.parameters.values()]
        if any(each[""] != "any" for each in lengths):
            return None
        products = (on for each in lengths for on, length in each.items() if length != "any")
        return list(dict.fromkeys(products))

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        longest = at.spec.longest(at.product)
        if longest is not None:
            lists = {f"length:{tensor.name}": longest + 1 for tensor in at.spec.lists}
            yield Broken(error.names[0], f"{longest + 1}-tensors", lists)

    def is_wrong(self, call: Call, error: ErrorClause, name: str) -> bool:
        del error
        most = call.spec.longest(call.product, name)
        return most is not None and len(call.whole.members(name)) > most

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        for product in filter(spec.supports, spec.products):
            for tensor in spec.lists:
                if most := spec.longest(product, tensor.name):
                    arguments: tuple[Argument, ...] = (("number", most),)
                    yield Check("LengthAtMost", (tensor.name,), arguments, on=(product,))


class LengthDiffers(OfLists):
    key = "length_differs"
    description = "A list, also of scalars, that is longer or shorter than the first one."
    id = "length-differs"
    column = "{}, remarks on the number of tensors"
    refused = "a number of members of {} other than that of the first list is refused"
    required = "{} {have} as many members as the first list"

    def breakable(self, spec: OperatorSpec) -> set[str]:
        return super().breakable(spec).union(spec.scalar_lists)

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        for name in error.names:
            if name != at.spec.lists[0].name:
                yield Broken(name, f"{name}_longer", {f"extra:{name}": 1})
                yield Broken(name, f"{name}_shorter", {f"extra:{name}": -1})

    def is_wrong(self, call: Call, error: ErrorClause, name: str) -> bool:
        del error
        lengths = call.whole.lengths
        first = lengths.get(call.spec.lists[0].name)  # a null pointer has none
        return first is not None and lengths.get(name) != first

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        first = spec.lists[0].name
        if names := tuple(name for name in self._named(spec) if name != first):
            yield Check("SameLength", names, (("word", first),))
        if names := tuple(name for name in spec.scalar_lists if name in self._names(spec)):
            yield Check("ScalarCount", names, (("word", first),))


class NullMember(OfLists):
    key = "null_member"
    description = "A list with a null pointer in place of a tensor."
    id = "null-member"
    column = "{}"
    refused = "a null tensor in {} is refused"
    required = "no tensor of {} is null"
    needs_given = False

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        del at
        for name in error.names:
            for end, place in _ENDS.items():
                yield Broken(name, f"{name}_{end}", {f"null-member:{name}": place})

    def breaking(self, call: Call, error: ErrorClause) -> Iterator[str]:
        return (name for name in error.names if call.is_null(name) and call.is_member(name))

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        if names := self._named(spec):
            yield Check("Members", names)


class MemberDtypeDiffers(OfLists):
    key = "member_dtype_differs"
    description = "A tensor with another data type than the others of its list."
    id = "member-dtype-differs"
    column = "{}, data types"
    refused = "tensors of different data types in {} are refused"
    required = "the tensors of {} have one data type"
    kinds = ("dtype",)

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        for name in error.names:
            dtypes = at.spec.dtypes(name, at.product)
            others = [dtype for dtype in dtypes if dtype != at.dtype(name)]
            # the tensors at one place agree, or the lists' rows are not all that is broken
            alike = [name, *(tensor.name for tensor in at.spec.lists if tensor.name != name)]
            for (end, place), dtype in zip(_ENDS.items(), others * len(_ENDS), strict=False):
                for names in [alike] if len(alike) == 1 else [alike, [name]]:
                    change = {f"member-dtype:{other}": (dtype, place) for other in names}
                    detail = f"{name}_{end}_{dtype}{'_alone' * (names != alike)}"
                    yield Broken(name, detail, change, is_alone=names != alike)

    def is_wrong(self, call: Call, error: ErrorClause, name: str) -> bool:
        del error
        members = (each for each in call.whole.members(name) if each.source != "null")
        return len({each.dtype for each in members}) > 1

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        if names := self._named(spec):
            yield Check("OneDataType", names)
