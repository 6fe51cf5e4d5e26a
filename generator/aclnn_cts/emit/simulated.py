# SPDX-License-Identifier: Apache-2.0
"""Simulated operators that are kernels: their checks and both phases follow from the spec.

``simulator/operators/x.h`` defines the kernel by hand: a function with the operator's name without
``aclnn``. That of an elementwise operator with one output computes an element in float32 from the
elements of the inputs. That of an operator along an axis computes a row of the output from the rows
of the inputs, the axis left out. Any other gets all tensors. Attributes come last.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from aclnn_cts.emit.programs import OperatorContext, text_templates
from aclnn_cts.errors import WrongInputError
from aclnn_cts.spec.expression import Expression
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
    context = OperatorContext.of(spec)
    read = {name for condition, _ in _refused(spec) for name in condition.names}
    return (
        text_templates()
        .get_template("simulated_operator.cpp.j2")
        .render(
            operator=context,
            header=spec.header,
            kernel=spec.golden,
            function=spec.operator.removeprefix("aclnn"),
            tensors=[tensor.name for tensor in spec.tensors],
            inputs=[tensor.name for tensor in spec.inputs],
            outputs=[tensor.name for tensor in spec.outputs],
            attributes=attributes,
            checked=[each for each in context.arguments if each.name in read & attributes.keys()],
            elementwise=elementwise,
            by_rows="axis" in spec.traits,
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
    for condition, text in _refused(spec):
        yield f"Require(!({_condition(spec, condition.tree)}), {json.dumps(text)});"


def _refused(spec: OperatorSpec) -> Iterator[tuple[Expression, str]]:
    """Yield when values of attributes are refused, and what they should be."""
    for error in spec.errors:
        if error.assign and error.when is not None:
            yield error.when, error.text


_OPERATORS = {
    ast.And: "&&",
    ast.Or: "||",
    ast.Not: "!",
    ast.USub: "-",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def _condition(spec: OperatorSpec, node: ast.expr) -> str:
    """Return in C++ a condition on attributes and ranks, or a part of one."""
    text = partial(_condition, spec)
    if isinstance(node, ast.BoolOp):
        return f" {_OPERATORS[type(node.op)]} ".join(f"({text(each)})" for each in node.values)
    if isinstance(node, ast.UnaryOp):
        return f"{_OPERATORS[type(node.op)]}({text(node.operand)})"
    if isinstance(node, ast.Compare):
        sides = [text(each) for each in (node.left, *node.comparators)]
        signs = [_OPERATORS[type(each)] for each in node.ops]
        return " && ".join(map(" ".join, zip(sides, signs, sides[1:], strict=False)))
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "rank":
        return f"{ast.unparse(node.args[0])}->Rank()"
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "max":
        return f"std::max<int64_t>({', '.join(map(text, node.args))})"
    known = {attribute.name for attribute in spec.attributes}
    if isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id in known):
        return ast.unparse(node)
    raise _by_hand(spec, f"{ast.unparse(node)!r} is no condition on attributes and ranks")


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
