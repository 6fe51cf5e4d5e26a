# SPDX-License-Identifier: Apache-2.0
"""Simulated operators that are kernels: their checks and both phases follow from the spec.

``simulator/operators/x.h`` defines the kernel by hand: a function with the operator's name without
``aclnn``. That of an elementwise operator with one output computes an element in float32 from the
elements of the inputs; any other gets all tensors. Attributes come last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from aclnn_cts.emit.programs import OperatorContext, text_templates
from aclnn_cts.errors import WrongInputError
from aclnn_cts.spec.models import AttributeParameter, OperatorSpec, TensorParameter
from aclnn_cts.suite import Suite

_ACL_TYPES = {"float32": "FLOAT", "bfloat16": "BF16"}
"""Names in ``aclDataType`` that are not the spec's in capitals."""

_Key = TypeVar("_Key", bound=Hashable)


def kernel_path(spec: OperatorSpec, suite: Suite) -> Path:
    """Return where the kernel of an operator is, if it has one."""
    return suite.simulator / "operators" / f"{spec.golden}.h"


def simulated_text(spec: OperatorSpec) -> str:
    """Return the (unformatted) source of a simulated operator around its kernel.

    Raises:
        WrongInputError: The spec promises what only an operator written by hand can check.
    """
    elementwise = "elementwise" in spec.traits and len(spec.outputs) == 1
    attributes = {each.name: _held(spec, each) for each in spec.attributes}
    return (
        text_templates()
        .get_template("simulated_operator.cpp.j2")
        .render(
            operator=OperatorContext.of(spec),
            header=spec.header,
            kernel=spec.golden,
            function=spec.operator.removeprefix("aclnn"),
            tensors=[tensor.name for tensor in spec.tensors],
            inputs=[tensor.name for tensor in spec.inputs],
            outputs=[tensor.name for tensor in spec.outputs],
            attributes=attributes,
            elementwise=elementwise,
            checks=list(_checks(spec)),
        )
    )


def _held(spec: OperatorSpec, attribute: AttributeParameter) -> str:
    """Return an attribute as the kernel gets it."""
    if attribute.attribute not in ("double", "int64", "bool"):
        raise _by_hand(spec, f"the attribute {attribute.name} is {attribute.attribute}")
    name = attribute.name
    return f"static_cast<float>({name})" if attribute.held_in == "float32" else name


def _checks(spec: OperatorSpec) -> Iterator[str]:
    """Yield the checks in the order of the pages: pointers, product, types, formats, shapes."""
    if spec.rules or any(error.assign for error in spec.errors):
        raise _by_hand(spec, "it has rules about shapes and attributes")
    tensors = spec.tensors
    yield f"RequireNotNull({_set(tensor.name for tensor in tensors)});"
    supported = [name for name, support in spec.products.items() if support == "supported"]
    yield f"RequireProduct({_set(map(_product, supported))});"
    yield from _type_checks(tensors, supported)
    for formats, names in _grouped(tensors, lambda tensor: tuple(tensor.formats)).items():
        known = _set(f"ACL_FORMAT_{name}" for name in formats)
        public = formats == ("ND",)
        check = f"PublicFormat({_set(names)})" if public else f"Format({_set(names)}, {known})"
        yield f"Require{check};"
    for rank, names in _grouped(tensors, lambda tensor: tensor.rank).items():
        yield f"RequireRank({_set(names)}, {rank[0]}, {rank[1]});"
    for reference, names in _grouped(tensors, partial(_shape_reference, spec)).items():
        yield f"RequireSameShape({_set(names)}, {reference});"
    contiguous = [tensor.name for tensor in tensors if not tensor.non_contiguous]
    if contiguous:
        yield f"RequireContiguous({_set(contiguous)});"


def _type_checks(tensors: Sequence[TensorParameter], supported: Sequence[str]) -> Iterator[str]:
    for types, names in _grouped(tensors, lambda tensor: _listed(tensor.dtypes)).items():
        yield f"RequireDataType({_set(names)}, {_types(types)});"
    for product in supported:
        for types, names in _grouped(tensors, partial(_types_on, product)).items():
            yield f"RequireDataType({_set(names)}, {_types(types)}, {_product(product)});"
    for reference, names in _grouped(tensors, lambda tensor: tensor.dtype).items():
        yield f"RequireSameDataType({_set(names)}, {reference.removesuffix('.dtype')});"


def _types_on(product: str, tensor: TensorParameter) -> tuple[str, ...] | None:
    return _listed(tensor.dtypes_on.get(product))


def _shape_reference(spec: OperatorSpec, tensor: TensorParameter) -> str | None:
    """Return the tensor whose shape a tensor must have; None if it is free to have any."""
    if tensor.shape is None:
        return None
    if not isinstance(tensor.shape, str):
        raise _by_hand(spec, f"the shape of {tensor.name} is not that of another tensor")
    return tensor.shape.removesuffix(".shape")


def _by_hand(spec: OperatorSpec, why: str) -> WrongInputError:
    return WrongInputError(
        f"simulator/operators/{spec.golden}.h: a kernel is not enough for {spec.operator}: {why}; "
        f"write simulator/operators/{spec.golden}.cpp instead"
    )


def _grouped(
    tensors: Iterable[TensorParameter], key: Callable[[TensorParameter], _Key | None]
) -> Mapping[_Key, list[str]]:
    """Return the names of the tensors that share a key, those without one left out."""
    groups: dict[_Key, list[str]] = {}
    for tensor in tensors:
        found = key(tensor)
        if found is not None:
            groups.setdefault(found, []).append(tensor.name)
    return groups


def _listed(types: list[str] | None) -> tuple[str, ...] | None:
    return tuple(types) if types else None


def _types(names: Iterable[str]) -> str:
    return _set(f"ACL_{_ACL_TYPES.get(name, name.upper())}" for name in names)


def _product(name: str) -> str:
    """Return the enumerator of ``Product`` for a product's id: kAtlas200I500A2, say."""
    words = (
        re.sub(r"(?:^|(?<=\d))[a-z]", lambda letter: letter[0].upper(), word)
        for word in name.split("-")
    )
    return "Product::k" + "".join(words)


def _set(names: Iterable[str]) -> str:
    return "{" + ", ".join(names) + "}"
