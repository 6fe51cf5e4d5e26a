# SPDX-License-Identifier: Apache-2.0
"""Generated checks and phases of simulated operators, around kernels written by hand.

``simulator/operators/x.h`` defines the kernel by hand: a function with the operator's name without
``aclnn``. The kernel of an elementwise operator with one output, or of a loss, computes an element
in float32 from the elements of the inputs; if it is a template, it computes integers in int64 and
double in double. The mean and the sum of a loss are made here. The kernel of an operator along an
axis, or whose tensors differ in the extent of one axis, computes a row of the output from the rows
of the inputs, without the axis. Any other kernel gets all tensors. Attributes come last, followed
by the values that the spec derives. A contract operator has no kernel: its outputs are numbers that
follow from the bits of its inputs.
"""

from __future__ import annotations

import ast
import copy
import functools
import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from aclnn_cts.emit.kernels import (
    OPERATORS,
    USUAL,
    Computation,
    arrangement_text,
    gives_integers,
    is_by_formula,
    kernel_text,
    mapping,
    output_function,
)
from aclnn_cts.emit.programs import OperatorContext, declaration, text_templates
from aclnn_cts.errors import WrongInputError
from aclnn_cts.spec.clause_models import Dims, ErrorClause, dim_texts, spread_of
from aclnn_cts.spec.data_types import STATUSES
from aclnn_cts.spec.expression import (
    OF_DTYPES,
    OF_TENSORS,
    Expression,
    arrangement_of,
    calls,
    has_fractions,
)
from aclnn_cts.spec.models import (
    ARRAYS,
    REAL,
    SCALARS,
    AttributeParameter,
    OperatorSpec,
    ShapeChoice,
    ShapeRule,
    TensorParameter,
)
from aclnn_cts.suite import Suite
from aclnn_cts.violations import CHECKED, KINDS, OF_LISTS
from aclnn_cts.violations.kind import Argument, Check, Kind, names_by
from aclnn_cts.violations.pointers import NullPointer, refused_texts
from aclnn_cts.violations.shapes import ShapeDiffers

_ACL_TYPES = {"float32": "FLOAT", "bfloat16": "BF16"}
"""Names in ``aclDataType`` that differ from the spec's names in capitals."""


def kernel_path(spec: OperatorSpec, suite: Suite) -> Path:
    """Return where the kernel of an operator is, if it has one."""
    return suite.simulator / "operators" / f"{spec.kernel}.h"


def is_generated(spec: OperatorSpec, suite: Suite) -> bool:
    """Whether the source of a simulated operator follows from its spec."""
    by_hand = kernel_path(spec, suite)
    by_formula = is_by_formula(spec) and not by_hand.with_suffix(".cpp").is_file()
    return spec.is_contract or by_formula or by_hand.is_file()


def simulated_text(
    spec: OperatorSpec, computation: Computation = USUAL, *, by_hand: bool = False
) -> str:
    """Return the (unformatted) source of a simulated operator around its kernel.

    Args:
        computation: How it computes a formula of elements.
        by_hand: Whether somebody wrote a kernel, which takes the place of such a formula's.

    Raises:
        WrongInputError: The spec needs a check that only an operator written by hand can make.
    """
    return next(simulated_texts(spec, [(spec, computation)], by_hand=by_hand))


def simulated_texts(
    spec: OperatorSpec,
    kernels: Iterable[tuple[OperatorSpec, Computation]],
    *,
    by_hand: bool = False,
) -> Iterator[str]:
    """Yield the source with each kernel; raises as :func:`simulated_text`.

    Args:
        kernels: The spec with the formula to be computed, in other respects the same; and how.
    """
    elementwise = "elementwise" in spec.traits and len(spec.outputs) == 1
    is_loss = "loss" in spec.traits
    attributes = {} if spec.is_contract else _kernel_arguments(spec)
    checked = _checked_parameters(spec)
    read_names = {**checked, **attributes}
    template = text_templates().get_template("simulated_operator.cpp.j2")
    # of two operators with one formula each has its own function
    has_own_kernel = is_by_formula(spec) and not by_hand
    function = (spec.operator if has_own_kernel else spec.second_of or spec.operator).removeprefix(
        "aclnn"
    )
    render = functools.partial(
        template.render,
        operator=OperatorContext.of(spec),
        header=spec.header,
        kernel=spec.kernel,
        mapping=mapping(spec),
        types=_operand_types(spec) if mapping(spec) else [],
        function=function,
        tensors=_tensor_names(spec.tensors),
        checked=list(checked.values()),
        unused=[
            attribute.name for attribute in spec.attributes if attribute.name not in read_names
        ],
        inputs=_tensor_names(spec.inputs),
        absent=list(_absent(spec)),
        by_sample=spec.batch_consistency is not None,
        outputs=_tensor_names(spec.outputs),
        attributes=attributes,
        elementwise=elementwise,
        arranges=has_own_kernel and spec.arrangement is not None,
        is_loss=is_loss,
        stretched=[f'{{"{name}", {name}}}' for name in _broadcast_inputs(spec)],
        in_own_type=_is_beyond_float32(spec),
        are_whole="" if mapping(spec) else _whole_scalars(spec),
        axis=None if spec.is_reduced else _axis(spec),
        axes=_axes(spec) if spec.is_reduced else "",
        functions={
            output.name: output_function(spec, function, output.name) for output in spec.outputs
        },
        keeps_whole=not any(has_fractions(term.tree) for term in spec.formula.values()),
        views=[_view(spec, tensor.name) for tensor in spec.inputs],
        told=[name for name in attributes if not is_loss or name != "reduction"],
        checks=list(_checks_with_status(_parts(spec))),
        names=[parameter.name for parameter in spec.parameters],
        lists=dict.fromkeys(_tensor_names(spec.lists), "Tensor")
        | dict.fromkeys(spec.scalar_lists, "Scalar"),
        list_checks=list(_checks_with_status(_list_parts(spec))),
    )
    for changed, computation in kernels:
        own_kernel = usual = ""
        if has_own_kernel:
            usual = own_kernel = kernel_text(changed, function)
            if computation != USUAL:
                own_kernel = kernel_text(changed, function, computation)
        yield render(
            own_kernel=own_kernel,
            computes_otherwise=own_kernel != usual,
            has_whole_numbers="whole::" in own_kernel,
            has_bits="bits::" in own_kernel,
            has_reductions="reductions::" in own_kernel,
        )


def _tensor_names(tensors: Iterable[TensorParameter]) -> list[str]:
    return [tensor.name for tensor in tensors]


def _operand_types(spec: OperatorSpec) -> list[str]:
    """Return in C++ the data types of what a kernel gets; real attributes are float."""
    names = [*_tensor_names(spec.inputs), *(scalar.name for scalar in spec.scalars)]
    typed = [f"{name}->dataType" for name in names]
    reals = (attribute for attribute in spec.attributes if attribute.attribute in REAL)
    return typed + ["ACL_FLOAT" for attribute in reals if attribute not in spec.scalars]


def _kernel_arguments(spec: OperatorSpec) -> dict[str, str]:
    """Return in C++ the kernel's attributes, and the derived values that no check reads."""
    arguments = {attribute.name: _kernel_argument(spec, attribute) for attribute in spec.attributes}
    names = {*spec.derived} if spec.is_reduced else spec.derived.keys() - _names_in_checks(spec)
    return arguments | {
        name: _condition(spec, _Plain(spec).visit(copy.deepcopy(term.tree)))
        for name, term in spec.derived.items()
        if name in names
    }


class _Plain(ast.NodeTransformer):
    """Replaces derived values by what they are derived from."""

    def __init__(self, spec: OperatorSpec) -> None:
        self._spec = spec

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._spec.derived:
            return node
        return cast("ast.expr", self.visit(copy.deepcopy(self._spec.derived[node.id].tree)))


def _axes(spec: OperatorSpec) -> str:
    """Return in C++ the axes along which outputs are reduced, as the work has them."""
    axes = spec.reductions[0].axis
    return axes if axes in _arrays(spec) else _set([axes])


def _arrays(spec: OperatorSpec) -> set[str]:
    """Return the attributes and derived values that are arrays."""
    arrays = {attribute.name for attribute in spec.attributes if attribute.is_array}
    for name, term in spec.derived.items():
        sides = [term.tree]
        while isinstance(sides[-1], ast.IfExp):
            sides.append(sides[-1].orelse)
        if calls(term, "axes_from") or ast.unparse(sides[-1]) in arrays:
            arrays.add(name)
    return arrays


def _axis(spec: OperatorSpec) -> str | None:
    """Return the axis whose rows the kernel computes, if it computes rows."""
    if spec.arrangement:
        return None
    alone = (rule for rule in spec.resize_rules.values() if not rule.onward)
    axes = (_condition(spec, rule.axis.tree) for rule in alone)
    return next(axes, "dim" if "axis" in spec.traits else None)


def _is_beyond_float32(spec: OperatorSpec) -> bool:
    """Whether a tensor may be double, or an output may have another type beyond float32."""
    if any("double" in _dtypes(spec, tensor) for tensor in spec.tensors):
        return True
    return gives_integers(spec)


def _whole_scalars(spec: OperatorSpec) -> str:
    """Return in C++ whether scalars are integers; empty if an integer output shows that."""
    roots = {spec.dtype_root(tensor.name) for tensor in spec.tensors}
    if len(roots) == 1 or any(has_fractions(term.tree) for term in spec.formula.values()):
        return ""
    whole = "({0} == nullptr || IsInteger({0}->dataType))"
    return " && ".join(whole.format(scalar.name) for scalar in spec.scalars) or "true"


def _dtypes(spec: OperatorSpec, tensor: TensorParameter) -> set[str]:
    return {name for product in spec.products for name in spec.dtypes(tensor.name, product)}


def _kernel_argument(spec: OperatorSpec, attribute: AttributeParameter) -> str:
    """Return an attribute as the kernel gets it."""
    name = attribute.name
    if attribute.attribute in ARRAYS:
        return _numbers(attribute)
    if attribute.attribute == "string":
        return f"std::string({name})"  # a copy: the caller may free its own before the work runs
    if attribute.attribute in SCALARS:
        if mapping(spec) or spec.arrangement:
            return f"ScalarValue{{*{name}}}"
        is_wide = _is_beyond_float32(spec)
        number = f"static_cast<{'double' if is_wide else 'float'}>(ToDouble(*{name}))"
        if attribute.absent is None:
            return number
        return f"{name} == nullptr ? {float(attribute.absent)}F : {number}"
    return f"static_cast<float>({name})" if attribute.held_in == "float32" else name


def _absent(spec: OperatorSpec) -> Iterator[tuple[str, str, str, str]]:
    """Yield the tensors that may be null: name, type and value of the replacement, when else."""
    for tensor in spec.tensors:
        if tensor.absent is None:
            continue
        # A contract says nothing about values, so nothing has to be read or written.
        shape = "{0}" if spec.is_contract else _implied_shape(spec, tensor)
        if tensor.absent == "unwanted":
            # a kernel reads the attributes itself
            condition = tensor.wanted if spec.is_contract else None
            refusal = f" || !({_condition(spec, condition.tree)})" if condition else ""
            yield tensor.name, "aclTensor", f"Unwanted({shape})", refusal
        else:
            value = f"Filled({shape}, {tensor.absent}F)"
            const = "" if tensor.const is False else "const "
            yield tensor.name, f"{const}aclTensor", value, ""


def _implied_shape(spec: OperatorSpec, tensor: TensorParameter) -> str:
    """Return in C++ the shape that follows for a tensor from others and from attributes."""
    if reference := _shape_reference(spec, tensor) or _target(tensor):
        return f"{reference}->shape"
    if isinstance(tensor.shape, list):
        return _extents(spec, tensor.shape)
    if tensor.name in spec.resize_rules:
        return _resized_shape(spec, tensor.name)
    raise _by_hand(spec, f"{tensor.name} may be null, and its shape is a rule")


def _checked_parameters(spec: OperatorSpec) -> dict[str, tuple[str, str]]:
    """Return the parameters that are checked: declaration and argument of the check, by name."""
    checked_names = _names_in_checks(spec).union(refused_texts(spec))
    parameters = {}
    for parameter in spec.parameters:
        name = parameter.name
        attribute = "" if isinstance(parameter, TensorParameter) else parameter.attribute
        if kind := _HANDLES.get(attribute, ""):
            parameters[name] = (f"const {kind}Parameter &{name}", f'{{"{name}", {name}}}')
        elif name in checked_names:
            parameters[name] = (declaration(attribute, name), name)
    return parameters


def _names_in_checks(spec: OperatorSpec) -> set[str]:
    """Return the names that rules and shapes read, directly or not."""
    expressions = [
        *(rule.require for rule in spec.rules),
        *(tensor.wanted for tensor in spec.tensors if tensor.wanted is not None),
        *(term for rule in spec.resize_rules.values() for term in rule.expressions.values()),
        *_computed_extents(spec),
        *(tensor.rule.arranged for tensor in spec.tensors if tensor.rule and tensor.rule.arranged),
        *(each.rule.within.axis for each in spec.tensors if each.rule and each.rule.within),
    ]
    names = {name for expression in expressions for name in expression.names}
    while more := {n for d in names & spec.derived.keys() for n in spec.derived[d].names} - names:
        names |= more
    return names


def _computed_extents(spec: OperatorSpec) -> Iterator[Expression]:
    for tensor in spec.tensors:
        if isinstance(tensor.shape, list):
            yield from (dim for dim in tensor.shape if not isinstance(dim, str))


def _derived_functions(spec: OperatorSpec) -> Iterator[str]:
    """Yield functions for derived values that checks read, of parameters that may be null."""
    checked_names = _names_in_checks(spec)
    waiting = [name for name in spec.derived if name in checked_names]
    while waiting:
        name = next(n for n in waiting if spec.derived[n].names.isdisjoint(waiting))
        waiting.remove(name)
        yield f"const auto {name} = [&] {{ return {_condition(spec, spec.derived[name].tree)}; }};"


_HANDLES = {
    "": "Tensor",
    **dict.fromkeys(SCALARS, "Scalar"),
    **dict.fromkeys(ARRAYS, "IntArray"),
}
"""The checks' names for pointers, tensors and attributes."""


@dataclass(frozen=True)
class _Part:
    """A statement among the checks.

    Attributes:
        text: The statement.
        status: The status with which it rejects a call; None for its own.
    """

    text: str
    status: int | None = None


def _checks_with_status(all_parts: Iterable[_Part]) -> Iterator[str]:
    """Yield the checks, wrapped so that they reject with the status of their error clauses."""
    for code, parts in itertools.groupby(all_parts, lambda part: part.status):
        joined = "\n".join(part.text for part in parts)
        yield joined if code is None else f"RejectWith({code}, [&] {{\n{joined}\n}});"


def _parts(spec: OperatorSpec) -> Iterator[_Part]:
    """Yield the checks in the order of the pages: pointers, product, types, formats, shapes."""
    shapes = KINDS[ShapeDiffers.key]
    for kind in CHECKED:
        if kind.covers == "rules":
            yield from map(_Part, _derived_functions(spec))
        yield from _of_kind(spec, kind, kind.checks(spec))
        yield from _of_kind(spec, kind, _shape_checks(spec) if kind is shapes else ())
    # after the rules, which ensure that axis and extent exist
    yield from _of_kind(spec, shapes, _resized_checks(spec))


def _list_parts(spec: OperatorSpec) -> Iterator[_Part]:
    """Yield the checks of lists, which come before those of the tensors at one place."""
    if not spec.lists:
        return
    scalars: list[Argument] = [("names", spec.scalar_lists)] if spec.scalar_lists else []
    lists = Check("Lists", tuple(_tensor_names(spec.lists)), tuple(scalars))
    yield from _of_kind(spec, KINDS[NullPointer.key], [lists])
    for kind in OF_LISTS:
        yield from _of_kind(spec, kind, kind.checks(spec))


def _of_kind(spec: OperatorSpec, kind: Kind, checks: Iterable[Check]) -> Iterator[_Part]:
    """Yield the checks that find a kind of violation, those of several parameters by status."""
    for check in checks:
        groups: dict[int | None, list[str]] = {}
        for name in check.names:
            status = _status(spec, kind, _names_in(check) | {name}, _terms_in(check))
            groups.setdefault(status, []).append(name)
        if not groups:
            status = _status(spec, kind, _names_in(check), _terms_in(check))
            yield _Part(_text(spec, check), status)
        for status, names in groups.items():
            yield _Part(_text(spec, replace(check, names=tuple(names))), status)


def _names_in(check: Check) -> frozenset[str]:
    """Return the names that a check reads besides its first argument's."""
    words = (value for form, value in check.arguments if form == "word")
    sets = (value for form, value in check.arguments if form == "names")
    return check.reads.union(words, *sets)


def _terms_in(check: Check) -> frozenset[str]:
    """Return the terms that a check computes."""
    codes = (value for form, value in check.arguments if form == "code")
    return frozenset(term for code in codes for term in _terms(code))


def _terms(expression: Expression) -> Iterator[str]:
    nodes = (node for node in ast.walk(expression.tree) if isinstance(node, ast.Call | ast.BinOp))
    return map(ast.unparse, nodes)


def _status(
    spec: OperatorSpec, kind: Kind, read: frozenset[str], terms: frozenset[str]
) -> int | None:
    """Return the status of the error clause that speaks of most of what a check reads.

    Of several, it is the one with most of its terms, and then the one that speaks of least
    besides; None if it is the check's own status.
    """
    stating = [error for error in spec.errors if error.statuses]
    alike = [error for error in stating if error.kind is kind]
    alike = alike or [error for error in stating if error.kind.key == kind.status_of]
    if not alike:
        return None
    spoken = {error.id: _subjects(error) for error in alike}
    stated = {error.id: {*_terms(error.when)} if error.when else set() for error in alike}
    best = max(
        alike,
        key=lambda error: (
            len(read & spoken[error.id]),
            len(terms & stated[error.id]),
            -len(spoken[error.id]),
        ),
    )
    return best.statuses[0] if best.statuses[0] != STATUSES[kind.status] else None


def _subjects(error: ErrorClause) -> set[str]:
    """Return the parameters that an error clause is about."""
    return {*error.names, *(error.when.names if error.when is not None else ())}


def _text(spec: OperatorSpec, check: Check) -> str:
    """Return a check in C++."""
    arguments = [_set(check.names)] if check.names else []
    arguments += (_argument(spec, *argument) for argument in check.arguments)
    text = f"Require{check.function}({', '.join(arguments)});"
    if check.when is not None:
        text = f"if ({_condition(spec, check.when.tree)}) {text}"
    return text if check.on is None else f"if (IsOn({_set(map(_product, check.on))})) {text}"


def _argument(spec: OperatorSpec, form: str, value: Any) -> str:
    if form == "code":
        return _condition(spec, value.tree)
    return _ARGUMENTS[form](value)


def _shape_checks(spec: OperatorSpec) -> Iterator[Check]:
    """Yield checks of shapes that follow from those of other tensors alone."""
    for reference, names in names_by(spec.tensors, partial(_shape_reference, spec)).items():
        yield Check("SameShape", names, (("word", reference),))
    for tensor in spec.tensors:
        if tensor.rule and tensor.rule.trailing_of:
            yield _check("Trailing", tensor.name, tensor.rule.trailing_of)
        if target := _target(tensor):
            yield _check("BroadcastTo", tensor.name, target)
    for name, sources in spec.broadcasts.items():
        if choices := _choice_of_shapes(spec, spec.tensor(name)):
            yield _check("Shape", name, choices)
        else:
            yield Check("Broadcast", tuple(sources), (("word", name),))


def _check(function: str, name: str, shape: str) -> Check:
    return Check(function, arguments=(("word", name), ("shape", shape)))


def _resized_checks(spec: OperatorSpec) -> Iterator[Check]:
    """Yield checks of shapes with axes and extents that rules allow."""
    yield from (_check("Shape", name, _resized_shape(spec, name)) for name in spec.resize_rules)
    for tensor in spec.tensors:
        if conditions := _offered_dims(spec, tensor):
            yield _check("OneShape", tensor.name, conditions)
        elif choices := _chosen_dims(spec, tensor):
            yield _check("Shape", tensor.name, choices)
        elif within := tensor.rule and tensor.rule.within:
            words: tuple[Argument, ...] = (("word", tensor.name), ("word", within.tensor))
            yield Check("Within", arguments=(*words, ("code", within.axis)))
        elif arranged := tensor.rule and tensor.rule.arranged:
            yield _check("Shape", tensor.name, _arranged_shape(spec, arranged))
    naming = next(_naming(spec), None)
    for tensor in spec.tensors:
        names = _dim_names(tensor)
        repeats = len({*names}) < len(names)  # as those of a square matrix
        if isinstance(tensor.shape, list) and (tensor is not naming or repeats):
            yield _check("Shape", tensor.name, _extents(spec, tensor.shape))


def _resized_shape(spec: OperatorSpec, name: str) -> str:
    """Return in C++ the shape of a tensor that equals another's except for some extents."""
    rule = spec.resize_rules[name]
    source = f"{rule.tensor}->shape"
    parts = {key: _condition(spec, expression.tree) for key, expression in rule.expressions.items()}
    axis, onward = parts["axis"], "Onward" * rule.onward
    without = f"Without({source}, {axis if rule.axis.text in _arrays(spec) else _set([axis])})"
    if rule.onward:
        without = f"Leading({source}, {axis})"
    if rule.extent is None:
        return without
    resized = f"Resized{onward}({source}, {axis}, {parts['extent']})"
    return resized if rule.kept is None else f"({parts['kept']} ? {resized} : {without})"


def _arranged_shape(spec: OperatorSpec, formula: Expression) -> str:
    """Return in C++ the shape that an arrangement gives; the numbers beside elements do not."""
    called = arrangement_of(formula)
    if called is None:
        raise _by_hand(spec, f"{formula.text} is no arrangement")
    scalars = {scalar.name for scalar in spec.scalars}
    first, *others = called[1]
    names = {**_names(spec), spec.places: f"Places{{{spec.places}->shape, {{}}}}"}
    numbers = [names.get(name, name) for name in others if name not in scalars]
    return f"{arrangement_text(called, f'{first}->shape', numbers)}.shape"


def _extents(spec: OperatorSpec, dims: Dims) -> str:
    """Return in C++ a shape, in which there may be the extents of a spread dimension."""
    parts: list[str] = []
    for is_spread, group in itertools.groupby(dims, lambda dim: isinstance(dim, str)):
        if is_spread:
            parts += (_names(spec)[str(dim).removeprefix("*")] for dim in group)
        else:
            parts.append(_set(_condition(spec, dim.tree) for dim in group))  # type: ignore[union-attr]
    return functools.reduce(lambda shape, others: f"Joined({shape}, {others})", parts or ["{}"])


def _shape(spec: OperatorSpec, choice: ShapeChoice) -> str:
    dims = choice.dims or []
    if spread_of(dims) is not None:
        return _extents(spec, dims)
    return f"Shape{_set(_condition(spec, dim.tree) for dim in dims if not isinstance(dim, str))}"


def _offered_dims(spec: OperatorSpec, tensor: TensorParameter) -> str:
    """Return the condition that an input has one of its alternative shapes."""
    choices = tensor.choices
    is_open = any(choice.dims is None or choice.pad_to_rank for choice in choices)
    if not tensor.is_input or not choices or is_open:
        return ""
    null = [] if tensor.absent is None else [f"{tensor.name}.tensor == nullptr"]
    offered = (
        f"(({'true' if choice.when is None else _condition(spec, choice.when.tree)}) && "
        f"{tensor.name}->shape == {_shape(spec, choice)})"
        for choice in choices
    )
    single = [f"ElementCount({tensor.name}->shape) == 1"] if tensor.is_single else offered
    return " || ".join([*null, *single])


def _chosen_dims(spec: OperatorSpec, tensor: TensorParameter) -> str:
    """Return the list of dimensions that the conditions choose; the last by default."""
    choices = tensor.choices
    if tensor.name in spec.broadcasts or any(choice.dims is None for choice in choices):
        return ""
    text = ""
    for choice in reversed(choices):
        dims = _shape(spec, choice)
        if text and choice.when is not None:
            dims = f"{_condition(spec, choice.when.tree)} ? {dims} : {text}"
        text = dims
    return text


def _naming(spec: OperatorSpec) -> Iterator[TensorParameter]:
    """Return the tensors whose dimensions are names that other shapes and rules speak of."""
    taken_names = {*spec.derived, *(attribute.name for attribute in spec.attributes)}
    tensors = (tensor for tensor in spec.tensors if taken_names.isdisjoint(_dim_names(tensor)))
    return (tensor for tensor in tensors if _dim_names(tensor))


def _dim_names(tensor: TensorParameter) -> list[str]:
    """Return the names of all dimensions of a tensor; none if one of them is not a name."""
    dims = tensor.shape if isinstance(tensor.shape, list) else []
    names = [text.removeprefix("*") for text in dim_texts(dims)]
    return names if all(name.isidentifier() for name in names) else []


def _named_dims(spec: OperatorSpec) -> dict[str, str]:
    """Return the C++ of all dimension names, each from the first tensor that has it."""
    return {
        name: text
        for tensor in reversed([*_naming(spec)])
        for name, text in _dims_of(tensor).items()
    }


def _dims_of(tensor: TensorParameter) -> dict[str, str]:
    """Return the C++ of each dimension name: an extent, or the shape of a spread."""
    if not isinstance(tensor.shape, list):
        return {}
    dims = {}
    before, after = spread_of(tensor.shape) or (len(tensor.shape), 0)
    for axis, name in enumerate(_dim_names(tensor)):
        if axis == before:
            ends = f"begin(){f' + {before}' * (before > 0)}", f"end(){f' - {after}' * (after > 0)}"
            dims[name] = f"Shape({', '.join(f'{tensor.name}->shape.{end}' for end in ends)})"
        else:
            place = axis if axis < before else axis - len(tensor.shape)
            dims[name] = f"Extent({tensor.name}, {place})"
    return dims


def _choice_of_shapes(spec: OperatorSpec, tensor: TensorParameter) -> str:
    """Return the shape that a condition chooses: that of stretched inputs, or a constant one."""
    choices = tensor.choices
    extents = dim_texts(dim for choice in choices for dim in choice.dims or [])
    text = f"Shape{_set(extents)}"
    for choice in choices:
        is_open = choice.broadcast_of and choice.when is None
        if choice.pad_to_rank or is_open or not all(map(str.isdigit, extents)):
            raise _by_hand(spec, f"{tensor.name} has the shape {choice.name}")
        if choice.broadcast_of and choice.when is not None:
            condition = _condition(spec, choice.when.tree)
            text = f"{condition} ? BroadcastShape({_set(choice.broadcast_of)}) : {text}"
    return text if choices else ""


_OPERATORS = {
    **OPERATORS,
    ast.Not: "!",
    ast.USub: "-",
    ast.FloorDiv: "/",  # operands are not negative
    ast.Mod: "%",
}


_FUNCTIONS = {
    "rank": "{}->Rank()",
    "numel": "ElementCount({}->shape)",
    "dim": "Extent({}, {})",
    "trailing": "Trailing({}->shape, {})",
    "axes": "CountAxes({}->shape, {})",
    "axes_from": "AxesFrom({}->shape, {})",
    "itemsize": "ElementBits({}) / 8",
    "isfloating": "!IsInteger({})",
    "digits": "Digits({})",
    "same_type": "{} == {}",
    "given": "{}.tensor != nullptr",
    "ceil_div": "DividedUp({}, {})",
    "product": "ElementCount({})",
    "len": "Length({})",
    "others": "Others({}, {})",
}


_OF_ARRAYS = {"min": "Least({})", "max": "Greatest({})"}
"""Functions over all numbers of an array."""


def _condition(spec: OperatorSpec, node: ast.expr) -> str:
    """Return in C++ a condition on attributes, ranks, extents and counts of elements, or a part."""
    text = partial(_condition, spec)
    called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
    count = len(node.args) if isinstance(node, ast.Call) else 0
    form = {**_FUNCTIONS, **_OF_ARRAYS}.get(called, "")
    if called in _OF_ARRAYS and count > 1:
        form = f"std::{called}<int64_t>({{{{{', '.join(['{}'] * count)}}}}})"
    if isinstance(node, ast.Call) and form.count("{}") == count:
        first, *others = node.args
        if called in OF_DTYPES:
            return form.format(*(_data_type(spec, ast.unparse(each)) for each in node.args))
        operand = ast.unparse(first) if called in OF_TENSORS else text(first)
        return form.format(operand, *map(text, others))
    if isinstance(node, ast.BoolOp | ast.UnaryOp | ast.Compare | ast.BinOp | ast.IfExp):
        return _operation(text, node)
    if isinstance(node, ast.Subscript):
        return f"Number({text(node.value)}, {text(node.slice)})"
    if isinstance(node, ast.Constant):
        return json.dumps(node.value)
    names = _names(spec)
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    source = ast.unparse(node)
    raise _by_hand(
        spec, f"{source!r} says more than attributes, ranks, extents and counts of elements"
    )


def _data_type(spec: OperatorSpec, name: str) -> str:
    """Return in C++ the data type of a tensor, or the one that an attribute is."""
    is_attribute = any(name == attribute.name for attribute in spec.attributes)
    return name if is_attribute else f"{_type_source(spec, name)}->dataType"


def _type_source(spec: OperatorSpec, name: str) -> str:
    """Return in C++ the first tensor that is not null of those that give a data type."""
    tensor = spec.tensor(name)
    source = _dtype_source(tensor)
    if tensor.absent is None or source is None:
        return name
    return f"Either({name}, {_type_source(spec, source)})"


def _names(spec: OperatorSpec) -> dict[str, str]:
    """Return in C++ what names stand for: dimensions, attributes, and functions of derived ones."""
    names = _named_dims(spec) | {attribute.name: attribute.name for attribute in spec.attributes}
    names |= {a.name: _numbers(a) for a in spec.attributes if a.attribute in ARRAYS}
    texts = (attribute.name for attribute in spec.attributes if attribute.attribute == "string")
    names |= {name: f"std::string({name})" for name in texts}
    names |= {scalar.name: f"ToDouble(*{scalar.name}.scalar)" for scalar in spec.scalars}
    return names | {name: f"{name}()" for name in spec.derived}


def _numbers(array: AttributeParameter) -> str:
    """Return in C++ the numbers of an array, or those that replace a null pointer."""
    absent = "" if array.absent is None else f", {_set(str(int(each)) for each in array.absent)}"
    return f"Numbers({array.name}{absent})"


def _operation(
    text: Callable[[ast.expr], str],
    node: ast.BoolOp | ast.UnaryOp | ast.Compare | ast.BinOp | ast.IfExp,
) -> str:
    """Return in C++ an operation on operands."""
    if isinstance(node, ast.IfExp):
        return f"({text(node.test)} ? {text(node.body)} : {text(node.orelse)})"
    if isinstance(node, ast.BoolOp):
        return f" {_OPERATORS[type(node.op)]} ".join(f"({text(value)})" for value in node.values)
    if isinstance(node, ast.UnaryOp):
        return f"{_OPERATORS[type(node.op)]}({text(node.operand)})"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv) and _subtracts(node.left):
        return f"DividedDown({text(node.left)}, {text(node.right)})"
    if isinstance(node, ast.BinOp):
        return f"({text(node.left)} {_OPERATORS[type(node.op)]} {text(node.right)})"
    sides = [_side(text(side), side) for side in (node.left, *node.comparators)]
    signs = [_OPERATORS[type(operator)] for operator in node.ops]
    return " && ".join(map(" ".join, zip(sides, signs, sides[1:], strict=False)))


def _side(text: str, node: ast.expr) -> str:
    """Return an operand of a comparison; conditions are put in parentheses."""
    is_truth = isinstance(node, ast.BoolOp | ast.Compare) or ast.unparse(node).startswith("given(")
    return f"({text})" if is_truth else text


def _subtracts(node: ast.expr) -> bool:
    """Whether something is subtracted, so that a number may be negative."""
    return any(isinstance(inner, ast.Sub) for inner in ast.walk(node))


def _dtype_source(parameter: TensorParameter | AttributeParameter) -> str | None:
    return parameter.dtype.removesuffix(".dtype") if parameter.dtype else None


def _shape_reference(spec: OperatorSpec, tensor: TensorParameter) -> str | None:
    """Return the tensor whose shape a tensor must have; None if it is free to have any."""
    if tensor.shape is None or tensor.name in spec.broadcasts:
        return None
    if tensor.name in spec.resize_rules or isinstance(tensor.shape, list):
        return None
    if _offered_dims(spec, tensor) or _chosen_dims(spec, tensor):
        return None
    if isinstance(tensor.shape, ShapeRule) and tensor.shape.partner:
        return None  # the check of the output, or a check of its own, covers it
    if tensor.rule and (tensor.rule.trailing_of or tensor.rule.arranged or tensor.rule.within):
        return None
    if not isinstance(tensor.shape, str):
        raise _by_hand(spec, f"the shape of {tensor.name} is not that of another tensor")
    return tensor.shape.removesuffix(".shape")


def _view(spec: OperatorSpec, name: str) -> str:
    """Return an input in the shape of the output, element by element."""
    shape = "shape" if "loss" in spec.traits else f"{spec.outputs[0].name}.shape"
    stretched = name in _broadcast_inputs(spec) and not _is_whole(spec, name)
    stretched |= spec.tensor(name).is_single
    return f"BroadcastTo({name}, {shape})" if stretched else name


def _is_whole(spec: OperatorSpec, name: str) -> bool:
    """Whether an input has the shape to which all of several broadcast."""
    names = next(iter(spec.broadcasts.values()), [])
    alike = {name, *(partner for partner in names if spec.tensor(partner).shape == f"{name}.shape")}
    alike |= {partner for partner in names if spec.tensor(name).shape == f"{partner}.shape"}
    return name in names and all(
        partner in alike or _target(spec.tensor(partner)) in alike for partner in names
    )


def _broadcast_inputs(spec: OperatorSpec) -> list[str]:
    """Return the inputs that broadcast to the output's shape; none if all shapes are equal."""
    names = next(iter(spec.broadcasts.values()), [])
    others = {spec.tensor(name).shape != f"{names[0]}.shape" for name in names[1:]}
    return names if any(others) else [tensor.name for tensor in spec.inputs if _target(tensor)]


def _target(tensor: TensorParameter) -> str | None:
    """Return the tensor to whose shape a tensor broadcasts, if it does."""
    return tensor.shape.broadcasts_to if isinstance(tensor.shape, ShapeRule) else None


def _by_hand(spec: OperatorSpec, why: str) -> WrongInputError:
    return WrongInputError(
        f"{spec.kernel}.h: a kernel is not enough for {spec.operator}: {why}; "
        f"write the whole operator in {spec.kernel}.cpp beside it, and remove {spec.kernel}.h"
    )


def _type(name: str) -> str:
    return f"ACL_{_ACL_TYPES.get(name, name.upper())}"


def _types(names: Iterable[str]) -> str:
    return _set(map(_type, names))


def _product(name: str) -> str:
    """Return the enumerator of ``Product`` for a product's id, such as kAtlas200I500A2."""
    words = (
        re.sub(r"(?:^|(?<=\d))[a-z]", lambda letter: letter[0].upper(), word)
        for word in name.split("-")
    )
    return "Product::k" + "".join(words)


def _set(names: Iterable[str]) -> str:
    return "{" + ", ".join(names) + "}"


_ARGUMENTS: Mapping[str, Callable[[Any], str]] = {
    "word": str,
    "number": str,
    "shape": str,
    "text": json.dumps,
    "names": _set,
    "types": _types,
    "type of": lambda name: f"{{{name}->dataType}}",
    "formats": lambda names: _set(f"ACL_FORMAT_{name}" for name in names),
    "table": lambda table: _set(
        f"{{{_type(name)}, {_types(beside)}}}" for name, beside in table.items()
    ),
    "product": _product,
    "products": lambda names: _set(map(_product, names)),
}
"""The arguments of checks in C++, by what they are."""
