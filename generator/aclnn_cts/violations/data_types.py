# SPDX-License-Identifier: Apache-2.0
"""Data types that are not supported, or differ from those of other parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from aclnn_cts.violations.kind import (
    Argument,
    Broken,
    Check,
    Kind,
    names_by,
    with_and_without_followers,
)

if TYPE_CHECKING:
    from aclnn_cts.plan.calls import Call, Twin
    from aclnn_cts.spec.clause_models import ErrorClause
    from aclnn_cts.spec.models import AttributeParameter, OperatorSpec, TensorParameter
    from aclnn_cts.violations.rows import Row

REFUSED_DTYPES = (
    "double",
    "int32",
    "int8",
    "uint8",
    "int64",
    "bool",
    "complex64",
    "int16",
    "bfloat16",
    "float16",
    "float32",
)
"""Unsupported data types to try, the most likely mistakes first."""

RARE_DTYPES = ("uint16", "uint32", "complex128")
"""Those to try where all of these are supported."""


def unsupported_types(at: Twin, name: str) -> list[str]:
    """Return data types that a parameter does not support."""
    supported = at.supported_dtypes(name)
    usual, rare = (
        [dtype for dtype in dtypes if dtype not in supported]
        for dtypes in (REFUSED_DTYPES, RARE_DTYPES)
    )
    # a complex scalar has no common type with tensors, either
    is_complex = usual == ["complex64"] and any(each.name == name for each in at.spec.scalars)
    return usual + rare if is_complex else usual or rare


class DtypeOutsideSupport(Kind):
    key = "dtype_outside_support"
    description = "A data type that is not supported on the product."
    id = "dtype-unsupported"
    column = "{}, data types"
    refused = "a data type of {} outside the supported ones is refused"
    required = "{} {have} a supported data type"
    kinds = ("dtype",)
    is_sampled = True

    def breakable(self, spec: OperatorSpec) -> set[str]:
        return super().breakable(spec) | {scalar.name for scalar in spec.scalars}

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        absent = {
            attribute.name
            for attribute in at.spec.attributes
            if at.facts[f"attribute:{attribute.name}"] is None
        }
        names = [name for name in error.names if name not in absent]
        for name in names:
            for dtype in unsupported_types(at, name):
                yield from with_and_without_followers(at, with_dtype([name], dtype), "dtype")
        # if one follows another's data type, a device may refuse it alone for their difference
        refused = {dtype for name in names for dtype in unsupported_types(at, name)}
        for root in dict.fromkeys(map(at.spec.dtype_root, names)):
            dtypes = unsupported_types(at, root) if root not in names else ()
            yield from (with_dtype([root], dtype) for dtype in dtypes if dtype in refused)

    def is_wrong(self, call: Call, error: ErrorClause, name: str) -> bool:
        del error
        return call.dtype(name) not in call.supported_dtypes(name)

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        yield from _type_checks("DataType", spec, spec.tensors)
        yield from _type_checks("ScalarType", spec, spec.scalars)


def _type_checks(
    function: str, spec: OperatorSpec, parameters: Sequence[TensorParameter | AttributeParameter]
) -> Iterator[Check]:
    for product in filter(spec.supports, spec.products):
        for name in (each.name for each in parameters if each.dtypes_by):
            types: Argument = ("types", spec.own_dtypes(name, product))
            yield Check(function, (name,), (types,), on=(product,))
    typed = [parameter for parameter in parameters if not parameter.dtype]
    for usual, names in names_by(typed, lambda parameter: _types_of(parameter.dtypes)).items():
        yield Check(function, names, (("types", usual),))
    for product in filter(spec.supports, spec.products):

        def listed(parameter: TensorParameter | AttributeParameter, at: str = product) -> _Listed:
            return _types_of(parameter.dtypes_on.get(at))

        for others, names in names_by(typed, listed).items():
            yield Check(function, names, (("types", others), ("product", product)))


_Listed: TypeAlias = tuple[str, ...] | None


def _types_of(types: list[str] | None) -> _Listed:
    return tuple(types) if types else None


class DtypeDiffers(Kind):
    key = "dtype_differs"
    description = "A supported data type other than the one it must equal."
    id = "dtype-differs"
    column = "{}, data types"
    compared = "the data type {}"
    kinds = ("dtype",)
    is_of_dtypes = True
    is_sampled = True
    status_of = DtypeOutsideSupport.key  # a type that is not supported differs, too

    def requirement(self, row: Row, name: str) -> object:
        return row.source(name, "dtype")

    def derived_value(self, row: Row) -> list[str]:
        return row.with_column("dtype")

    def breakable(self, spec: OperatorSpec) -> set[str]:
        return super().breakable(spec) | {scalar.name for scalar in spec.scalars if scalar.dtype}

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        for name in error.names:
            for dtype in (*at.spec.dtypes(name, at.product), *unsupported_types(at, name)):
                if dtype not in at.allowed_dtypes(name):
                    yield with_dtype([name], dtype)
        for names in _of_one_shape(at, error.names):
            for dtype in at.spec.dtypes(names[0], at.product):
                changed = at.with_dtypes(dict.fromkeys(names, dtype))
                allowed = (dtype in changed.allowed_dtypes(name) for name in names)
                # tensors that follow one another change their type together
                if all(dtype != at.dtype(name) for name in names) and not all(allowed):
                    yield with_dtype(names, dtype)

    def is_wrong(self, call: Call, error: ErrorClause, name: str) -> bool:
        del error
        source = call.spec.parameter(name).dtype
        if source is None or call.is_null(source.removesuffix(".dtype")):
            return False
        return call.dtype(name) not in call.allowed_dtypes(name)

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        """Yield checks of parameters that share a tensor's data type; some may have others."""
        scalars = [scalar for scalar in spec.scalars if not scalar.dtypes_by]
        for source, names in names_by(scalars, _source).items():
            yield Check("ScalarType", names, (("type of", source),))
        for name in spec.dependent_types:
            source = spec.parameter(name).dtype or ""
            for product in filter(spec.supports, spec.products):
                beside = {
                    dtype: spec.dtypes_beside(name, dtype, product)
                    for dtype in spec.dtypes(source.removesuffix(".dtype"), product)
                }
                table: Argument = ("table", beside)
                like: Argument = ("word", source.removesuffix(".dtype"))
                yield Check("TypeBeside", (name,), (like, table), on=(product,))
        alike = [each for each in spec.tensors if each.dtypes is None and not each.dtypes_by]
        for source, names in names_by(alike, _source).items():
            yield Check("SameDataType", names, (("word", source),))
        for tensor in spec.tensors:
            if tensor.dtype and tensor.dtypes is not None:
                like = ("word", tensor.dtype.removesuffix(".dtype"))
                yield Check("SameDataType", (tensor.name,), (like, ("types", tensor.dtypes)))
                for product in filter(spec.supports, spec.products):
                    if product in tensor.dtypes_on:
                        arguments: tuple[Argument, ...] = (
                            like,
                            ("types", tensor.dtypes_on[product]),
                        )
                        yield Check("SameDataType", (tensor.name,), arguments, on=(product,))


def _source(parameter: TensorParameter | AttributeParameter) -> str | None:
    return parameter.dtype.removesuffix(".dtype") if parameter.dtype else None


def with_dtype(names: Sequence[str], dtype: str) -> Broken:
    """Return the change that gives parameters a data type."""
    change = {f"dtype:{name}": dtype for name in names}
    return Broken(names[0], f"{'-'.join(names)}_{dtype}", change)


def _of_one_shape(at: Twin, names: Sequence[str]) -> list[list[str]]:
    """Return groups of tensors with one data type, and all of them; mixed types keep to groups."""
    groups: dict[Any, list[str]] = {}
    for name in names:
        groups.setdefault(at.binding.shapes.get(name), []).append(name)
    together = [list(names), *groups.values()] if len(groups) > 1 else [list(names)]
    return [group for group in together if len(group) > 1]
