# SPDX-License-Identifier: Apache-2.0
"""The C++ that follows from the specs: one source per operator, and the operators' headers."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import jinja2

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.plan.planner import other_operators
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.models import C_TYPES, AttributeParameter, OperatorSpec, TensorParameter
from aclnn_cts.suite import Suite

_GETTERS = {
    **{kind: kind.capitalize() for kind in C_TYPES},
    "int": "Int32",
    "ints": "IntArray",
    "scalars": "ScalarList",
    "bools": "BoolArray",
    "dtype": "DataType",
}


def declaration(kind: str, name: str) -> str:
    """Return the (unformatted) declaration of an attribute."""
    c_type = C_TYPES[kind]
    const = "const " if c_type.startswith("acl") and c_type.endswith("*") else ""
    return f"{const}{c_type} {name}"


@dataclass(frozen=True)
class Argument:
    """One parameter of a prototype, as the templates write it.

    Attributes:
        getter: The harness's method that returns it.
    """

    name: str
    getter: str
    declaration: str


@dataclass(frozen=True)
class OperatorContext:
    """One operator, as the templates write it.

    Attributes:
        stem: Its name without the prefix, of which names in C++ are made.
        arguments: In the order of the prototype.
    """

    name: str
    stem: str
    arguments: tuple[Argument, ...]

    @classmethod
    def of(cls, spec: OperatorSpec) -> OperatorContext:
        """Return it for an operator."""
        stem = spec.operator.removeprefix("aclnn")
        return cls(spec.operator, stem, tuple(map(_argument, spec.parameters)))

    @property
    def call_arguments(self) -> str:
        """The arguments of a call, as the harness gives them."""
        return ", ".join(
            f'arguments.{argument.getter}("{argument.name}")' for argument in self.arguments
        )


@functools.cache
def text_templates() -> jinja2.Environment:
    """Return this layer's templates; a missing value is an error, and nothing is escaped."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("aclnn_cts.emit"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - they make C++, CMake and Markdown, from checked names
    )


def _argument(parameter: TensorParameter | AttributeParameter) -> Argument:
    if isinstance(parameter, AttributeParameter):
        kind = parameter.attribute
        return Argument(parameter.name, _GETTERS[kind], declaration(kind, parameter.name))
    const = "const " if parameter.is_const else ""
    getter = "Tensor" if parameter.length is None else "TensorList"
    return Argument(parameter.name, getter, f"{const}acl{getter} *{parameter.name}")


def program_text(spec: OperatorSpec) -> str:
    """Return the (unformatted) source of an operator's calls."""
    template = text_templates().get_template("program.cpp.j2")
    return template.render(operator=OperatorContext.of(spec), header=spec.header)


def recorder_text(specs: Sequence[OperatorSpec]) -> str:
    """Return the (unformatted) source that notes the calls of some operators."""
    template = text_templates().get_template("recorded_calls.cpp.j2")
    headers = sorted({spec.header for spec in specs})
    return template.render(headers=headers, operators=list(map(OperatorContext.of, specs)))


_ARGUMENT = re.compile(r'arguments\.(\w+)\(\s*"(\w+)"\)')


def require_generated(suite: Suite, operators: Iterable[str]) -> None:
    """Check that the generated calls of some operators have the prototypes of their specs.

    Raises:
        NotTrustworthyError: A spec has changed since; the calls would pass other arguments.
    """
    specs = load_specs(suite)
    for name in operators:
        spec = specs.operators[name]
        path = suite.generated_tests / f"{name}.cpp"
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        expected = [
            (argument.getter, argument.name) for argument in OperatorContext.of(spec).arguments
        ]
        if _ARGUMENT.findall(text) != expected or f'#include "{spec.header}"' not in text:
            raise NotTrustworthyError(
                f"{path}: is out of step with {spec.file}; run `aclnn-cts generate`"
            )


def calls_text(editions: Sequence[SpecSet]) -> str:
    """Return the list for CMake of the operators that each program calls in addition to its own.

    Args:
        editions: The specs in each edition: a program runs the cases of all of them.
    """
    calls: dict[str, dict[str, None]] = {}
    for specs in editions:
        for name, spec in specs.operators.items():
            calls.setdefault(name, {}).update(dict.fromkeys(operators_beside(specs, spec)))
    return text_templates().get_template("calls.cmake.j2").render(calls=calls)


def operators_beside(specs: SpecSet, spec: OperatorSpec) -> tuple[str, ...]:
    """Return the other operators that an operator's cases of one edition call."""
    made_by = [t.producer.operator for t in spec.inputs if t.producer is not None]
    others = [
        other.operator
        for product in specs.products
        if spec.supports(product) and spec.role == "tested"
        for other in other_operators(specs, spec.operator, product)
    ]
    return tuple(name for name in dict.fromkeys([*made_by, *others]) if name != spec.operator)


def header_texts(specs: SpecSet) -> dict[str, str]:
    """Return the (unformatted) operator headers by their path, as ``aclnnop/aclnn_x.h``."""
    template = text_templates().get_template("operator_header.h.j2")
    texts = {}
    for header in sorted({spec.header for spec in specs.operators.values()}):
        declared = [s for s in specs.operators.values() if s.header == header]
        guard = re.sub(r"[^A-Za-z0-9]", "_", header).upper() + "_"
        operators = [OperatorContext.of(spec) for spec in declared]
        texts[header] = template.render(guard=guard, operators=operators)
    return texts
