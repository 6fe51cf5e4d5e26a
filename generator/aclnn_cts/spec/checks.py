# SPDX-License-Identifier: Apache-2.0
"""Consistency checks within a spec.

They also cover factors, special scenes, one-sided clauses, and the types of attribute values.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from aclnn_cts.errors import unknown_name
from aclnn_cts.spec.clause_models import (
    Complaint,
    ErrorClause,
)
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.editions import CURRENT, Merged
from aclnn_cts.spec.expression import (
    ARRANGEMENTS,
    COMPOSITES,
    CONSTANTS,
    MOVEMENTS,
    OF_DTYPES,
    OF_TENSORS,
    PLACES,
    SOURCES,
    Expression,
    ExpressionError,
    arrangement_of,
    calls,
    movement_of,
    names_outside_reductions,
    parse,
    parse_formula,
    reduction_of,
    reductions_in,
    uses_bits,
)
from aclnn_cts.spec.models import (
    ARRAYS,
    INTEGERS,
    SCALARS,
    SHAPE_KINDS,
    Allowances,
    AttributeParameter,
    OperatorSpec,
    Product,
    Settings,
    ShapeRule,
    SpecialScene,
    TensorParameter,
    listed_types,
)
from aclnn_cts.spec.names import FILL_KINDS, PLACE_FILLS, PLANNED_SCENES, SPECIAL_FILLS, unknown
from aclnn_cts.spec.overlaps import overlap_complaints
from aclnn_cts.spec.parameter_clauses import structural_clauses
from aclnn_cts.spec.yaml_files import Location
from aclnn_cts.violations import KINDS


def factor_complaints(spec: OperatorSpec) -> Iterator[Complaint]:
    """Yield mistakes in the section ``factors``: place in the file and message."""
    attributes = {attribute.name for attribute in spec.attributes}
    inputs = {tensor.name for tensor in spec.inputs}
    for at, names in _levels(spec):
        yield from _unknown_names(at, "attribute", names, attributes)
    for name in attributes:
        if spec.role == "tested" and not spec.factors.attributes.get(name):
            yield ("factors", "attributes"), f"attribute {name!r} has no values to vary"
    for product, dims in spec.factors.dims_on.items():
        at = ("factors", "dims_on", product)
        yield from _unknown_names(at, "dimension", dims, spec.factors.dims)
    for key in ("fill", "never_same"):
        names = getattr(spec.factors, key)
        yield from _unknown_names(("factors", key), "input", names, inputs)


def _levels(spec: OperatorSpec) -> Iterator[tuple[Location, dict[str, list[Any]]]]:
    """Yield the values of attributes everywhere, and on each product, with their places."""
    yield ("factors", "attributes"), spec.factors.attributes
    for product, values in spec.factors.attributes_on.items():
        yield ("factors", "attributes_on", product), values


def scene_complaints(spec: OperatorSpec, products: Mapping[str, Product]) -> Iterator[Complaint]:
    """Yield mistakes in the sections ``scenes`` and ``one_sided``."""
    for key in ("attributes_on", "dims_on"):
        on = getattr(spec.factors, key)
        yield from _unknown_names(("factors", key), "product", on, products)
    ids = Counter(scene.id for scene in spec.scenes)
    for index, scene in enumerate(spec.scenes):
        at: Location = ("scenes", index)
        if ids[scene.id] > 1:
            yield (*at, "id"), f"two scenes have the id {scene.id!r}"
        if scene.id in PLANNED_SCENES:
            yield (*at, "id"), f"cases of the planner have the id {scene.id!r}; choose another"
        yield from _unknown_names((*at, "products"), "product", scene.products or [], products)
        yield from _check_settings(spec, scene, at)
        for number, variant in enumerate(scene.each):
            yield from _check_settings(spec, variant, (*at, "each", number))
        yield from _check_offers(spec, products, scene, at)
    groups = (structural_clauses(spec), spec.rules, spec.clauses, spec.errors)
    clause_ids = {clause.id for group in groups for clause in group}
    for index, one_sided in enumerate(spec.one_sided):
        at = ("one_sided", index)
        yield from _unknown_names((*at, "clause"), "clause", [one_sided.clause], clause_ids)
        yield from _unknown_names((*at, "products"), "product", one_sided.products or [], products)


def _names_in_settings(spec: OperatorSpec) -> dict[str, set[str]]:
    """Return the names that each section of a scene's settings may have."""
    tensors = {tensor.name for tensor in spec.tensors}
    return {
        "dims": spec.dim_names,
        "attributes": {attribute.name for attribute in spec.attributes},
        "shapes": {tensor.name for tensor in spec.tensors if _has_choice(tensor)},
        "dtypes": {p.name for p in spec.parameters if p.dtypes is not None or p.dtypes_by},
        "fill": {tensor.name for tensor in spec.inputs},
        "layouts": tensors,
        "formats": tensors,
        "sources": {tensor.name for tensor in spec.inputs if tensor.producer is not None},
        "absent": {parameter.name for parameter in spec.parameters if parameter.absent is not None},
    }


def _check_settings(spec: OperatorSpec, settings: Settings, at: Location) -> Iterator[Complaint]:
    for section, names in _names_in_settings(spec).items():
        for name in getattr(settings, section):
            if name not in names:
                problem = f"unknown name {name!r} in {section}"
                yield (
                    (*at, section, name),
                    f"{problem}; known: {', '.join(sorted(names)) or 'none'}",
                )
    yield from _check_choices(spec, settings, at)


def _check_choices(spec: OperatorSpec, settings: Settings, at: Location) -> Iterator[Complaint]:
    """Yield mistakes in the requested shapes and data types of tensors."""
    tensors = {tensor.name: tensor for tensor in spec.tensors}
    for name, shape in settings.shapes.items():
        if name in tensors and _has_choice(tensors[name]) and isinstance(shape, str):
            yield from _check_choice(tensors[name], shape, (*at, "shapes", name))
    parameters = {parameter.name: parameter for parameter in spec.parameters}
    for name, dtype in settings.dtypes.items():
        allowed = listed_types(parameters[name]) if name in parameters else ()
        if allowed and dtype not in allowed:
            sentence = f"{name} never has the data type {dtype!r}; allowed: {', '.join(allowed)}"
            yield (*at, "dtypes", name), sentence


def _check_choice(tensor: TensorParameter, choice: str, at: Location) -> Iterator[Complaint]:
    """Yield a complaint if a tensor has no shape of that name."""
    if not isinstance(tensor.shape, ShapeRule):
        yield at, f"the shape of {tensor.name} is free; give a list of extents, not {choice!r}"
        return
    levels = tensor.shape.levels
    if choice not in levels:
        yield at, f"{unknown('shape', choice, levels)}; or give a list of extents"


def _check_offers(
    spec: OperatorSpec,
    products: Mapping[str, Product],
    scene: SpecialScene,
    at: Location,
) -> Iterator[Complaint]:
    """Yield a complaint for each variant that is a case on no product."""
    candidates = [name for name in scene.products or products if name in products]
    supported = {name: products[name] for name in candidates if spec.supports(name)}
    if not supported and candidates:
        yield (*at, "products"), f"{spec.operator} works on none of {', '.join(candidates)}"
        return
    for number, variant in enumerate(scene.each or [Settings()]):
        dtypes = {**scene.dtypes, **variant.dtypes}
        sources = {**scene.sources, **variant.sources}
        if candidates and not any(
            _has(spec, product, dtypes, sources) for product in supported.values()
        ):
            choices = ", ".join(f"{name}: {item}" for name, item in {**dtypes, **sources}.items())
            names = ", ".join(supported)
            place = (*at, "each", number) if scene.each else at
            yield place, f"no case on any product: {choices} is offered on none of {names}"


def _has(
    spec: OperatorSpec, product: Product, dtypes: Mapping[str, str], sources: Mapping[str, str]
) -> bool:
    """Whether a product has data types, and whether the layout of passed data is known."""
    tensors = {tensor.name: tensor for tensor in spec.tensors}
    parameters = {parameter.name: parameter for parameter in spec.parameters}
    own_types = all(
        dtype in spec.dtypes(name, product.id)
        for name, dtype in dtypes.items()
        if name in parameters and dtype in listed_types(parameters[name])
    )
    return own_types and all(
        source == "producer" or product.architecture in producer.layout_known_on
        for name, source in sources.items()
        if name in tensors and (producer := tensors[name].producer) is not None
    )


def _has_choice(tensor: TensorParameter) -> bool:
    """Whether a tensor's shape involves a choice."""
    return tensor.shape is None or isinstance(tensor.shape, ShapeRule)


def _unknown_names(
    at: Location, kind: str, names: Iterable[str], known: Collection[str]
) -> Iterator[Complaint]:
    """Yield a complaint for each name that is not known, at its place within another one."""
    return (((*at, name), unknown(kind, name, known)) for name in names if name not in known)


_WANTED = {
    "double": "a number, or an expression",
    "float": "a number, or an expression",
    "int64": "a whole number, or an expression",
    "uint64": "a whole number from 0, or an expression",
    "int32": "a whole number of 32 bits, or an expression",
    "int": "a whole number of 32 bits, or an expression",
    "int8": "a whole number from -128 to 127, or an expression",
    "bool": "true or false",
    "string": "text of printable characters",
    "ints": "a list of whole numbers, or an expression",
    "bools": "a list of true and false",
    "scalar": "a number, or an expression",
    "scalars": "a number of each list, or an expression",
    "dtype": "a data type",
}


def value_complaints(spec: OperatorSpec) -> Iterator[Complaint]:
    """Yield a complaint for each attribute value of the wrong type."""
    kinds = {attribute.name: attribute.attribute for attribute in spec.attributes}
    absent = {attribute.name for attribute in spec.attributes if attribute.absent is not None}
    for at, name, value in _values(spec):
        if name in kinds and not (_fits(kinds[name], value) or (value is None and name in absent)):
            yield at, f"{value!r} is not a value of {name}; wanted: {_WANTED[kinds[name]]}"


def _values(spec: OperatorSpec) -> Iterator[tuple[Location, str, Any]]:
    """Yield every value that the spec gives to an attribute, with its place."""
    for at, attributes in _levels(spec):
        for name, levels in attributes.items():
            yield from (((*at, name, number), name, level) for number, level in enumerate(levels))
    for index, scene in enumerate(spec.scenes):
        yield from _values_at(("scenes", index, "attributes"), scene.attributes)
        for number, variant in enumerate(scene.each):
            yield from _values_at(
                ("scenes", index, "each", number, "attributes"), variant.attributes
            )
    for index, error in enumerate(spec.errors):
        for number, assignment in enumerate(error.assign or []):
            yield from _values_at(("errors", index, "assign", number), assignment)


def _values_at(at: Location, values: Mapping[str, Any]) -> Iterator[tuple[Location, str, Any]]:
    return (((*at, name), name, value) for name, value in values.items())


FITS_PLAIN: Mapping[str, Callable[[Any], bool]] = {
    "bool": lambda value: isinstance(value, bool),
    "bools": lambda value: isinstance(value, list) and all(isinstance(x, bool) for x in value),
    # a case file has one line for each attribute
    "string": lambda value: isinstance(value, str) and value.isprintable(),
    # a text with a dot is the type of a tensor
    "dtype": lambda value: isinstance(value, str) and (value in DATA_TYPES or "." in value),
}
"""Checks of attribute values that cannot be expressions, by kind."""


def is_whole(value: Any, numbers: range = INTEGERS["int64"]) -> bool:
    """Whether a value is an integer of a type."""
    return isinstance(value, int) and not isinstance(value, bool) and value in numbers


def _fits(kind: str, value: Any) -> bool:
    if kind in FITS_PLAIN:
        return FITS_PLAIN[kind](value)
    if isinstance(value, str):
        return _is_expression(value)
    if kind == "ints":
        return isinstance(value, list) and all(type(item) is int for item in value)
    if kind in INTEGERS:
        return is_whole(value, INTEGERS[kind])
    return type(value) is int or isinstance(value, float)


def _is_expression(text: str) -> bool:
    try:
        parse(text)
    except ExpressionError:
        return False
    return True


def complaints(spec: OperatorSpec, products: Mapping[str, Product]) -> Iterator[Complaint]:
    """Yield mistakes in a spec: place in the file and message."""
    yield from _check_products(spec, products)
    yield from _check_unique_names(spec)
    if not spec.outputs:
        yield ("parameters",), "no tensor is an output; a call without one promises nothing"
    for index, parameter in enumerate(spec.parameters):
        if isinstance(parameter, TensorParameter):
            yield from _check_tensor(spec, parameter, ("parameters", index))
        else:
            yield from _check_attribute(spec, parameter, ("parameters", index))
    yield from _check_expressions(spec)
    yield from _check_clauses(spec)
    yield from _check_depth(spec) if spec.is_contract else _check_budgets(spec)
    yield from overlap_complaints(spec)
    for index, error in enumerate(spec.errors):
        yield from _check_error(spec, error, ("errors", index))
    yield from factor_complaints(spec)
    yield from scene_complaints(spec, products)
    yield from value_complaints(spec)


def _check_products(spec: OperatorSpec, products: Mapping[str, Product]) -> Iterator[Complaint]:
    yield from _unknown_names(("products",), "product", spec.products, products)
    for product in products:
        if product not in spec.products:
            yield (
                ("products",),
                f"product {product!r} is missing; "
                "say supported, incomplete, unsupported or unlisted",
            )
    yield from _check_refusals(spec)
    if isinstance(spec.determinism, dict):
        yield from _unknown_names(("determinism",), "product", spec.determinism, products)
    yield from _check_batches(spec)


def _check_batches(spec: OperatorSpec) -> Iterator[Complaint]:
    """Yield mistakes in ``batch_consistency``."""
    promise = spec.batch_consistency
    if promise is None:
        return
    supported = [product for product in spec.products if spec.supports(product)]
    inputs = [tensor.name for tensor in spec.inputs]
    at = ("batch_consistency",)
    yield from _unknown_names((*at, "products"), "product", promise.products or [], supported)
    yield from _unknown_names((*at, "tensor"), "input", [promise.tensor], inputs)


def _check_refusals(spec: OperatorSpec) -> Iterator[Complaint]:
    """Yield a complaint for each unsupported product on which no clause refuses the operator."""
    refusing = [error.products for error in spec.errors if error.unsupported_product]
    for product, support in spec.products.items():
        refused = any(products is None or product in products for products in refusing)
        if spec.role == "tested" and support == "unsupported" and not refused:
            sentence = (
                f"{product} is unsupported, but no error clause with unsupported_product holds "
                "there; add one, or say unlisted"
            )
            yield ("products",), sentence


def _check_unique_names(spec: OperatorSpec) -> Iterator[Complaint]:
    names = Counter(parameter.name for parameter in spec.parameters)
    for index, parameter in enumerate(spec.parameters):
        if names[parameter.name] > 1:
            yield ("parameters", index, "name"), f"two parameters are named {parameter.name!r}"
        if parameter.name in CONSTANTS:
            sentence = f"{parameter.name!r} is a constant: no expression can read the parameter"
            yield ("parameters", index, "name"), sentence
    ids = Counter(
        clause.id
        for group in (spec.clauses, spec.rules, spec.errors, spec.not_promised)
        for clause in group
    )
    derived = {clause.id for clause in structural_clauses(spec)}
    for section in ("clauses", "rules", "errors", "not_promised"):
        for index, clause in enumerate(getattr(spec, section)):
            if ids[clause.id] > 1:
                sentence = f"two clauses have the id {clause.id!r}; give one of them another `id`"
                yield (section, index, "id"), sentence
            if clause.id in derived:
                sentence = f"{clause.id!r} is the id of a clause derived from the parameter table"
                yield (section, index, "id"), sentence


def _goes_round(spec: OperatorSpec, tensor: TensorParameter, aspect: str) -> bool:
    """Whether ``x.dtype`` or ``x.shape`` references from a tensor form a cycle."""
    tensors = {parameter.name: parameter for parameter in spec.tensors}
    checked_names: set[str] = set()
    current: TensorParameter | None = tensor
    while current is not None:
        if current.name in checked_names:
            return True
        checked_names.add(current.name)
        follows = getattr(current, aspect)
        name = follows.removesuffix(f".{aspect}") if isinstance(follows, str) else ""
        current = tensors.get(name)
    return False


def _check_roots(spec: OperatorSpec, tensor: TensorParameter, at: Location) -> Iterator[Complaint]:
    if tensor.dtypes is not None and len(set(tensor.dtypes)) < max(len(tensor.dtypes), 1):
        yield (*at, "dtypes"), "name at least one data type, each once"
    for aspect in ("dtype", "shape"):
        if _goes_round(spec, tensor, aspect):
            yield (*at, aspect), f"{tensor.name}: its {aspect} follows from itself"


def _check_tensor(spec: OperatorSpec, tensor: TensorParameter, at: Location) -> Iterator[Complaint]:
    yield from _check_roots(spec, tensor, at)
    names = {parameter.name for parameter in spec.tensors}
    if tensor.dtypes is None and tensor.dtype is None:
        yield at, f"{tensor.name}: say dtypes (a list), dtype (x.dtype), or both"
    for aspect, source in (("dtype", tensor.dtype), ("shape", tensor.shape)):
        if isinstance(source, str):
            followed = source.removesuffix(f".{aspect}")
            yield from _unknown_names((*at, aspect), "tensor", [followed], names)
    if isinstance(tensor.shape, ShapeRule):
        yield from _check_rule(tensor.shape, names, (*at, "shape"))
    if tensor.shape is None and tensor.tensor == "output":
        yield at, f"{tensor.name}: an output needs a shape, such as that of an input: x.shape"
    elif tensor.shape is None and tensor.rank is None:
        yield at, f"{tensor.name}: a free shape needs rank: [least, greatest]"
    if tensor.rank and not 0 <= tensor.rank[0] <= tensor.rank[1] <= 32:
        yield (*at, "rank"), "rank is [least, greatest] with 0 <= least <= greatest <= 32"
    yield from _check_absent(tensor, (*at, "absent"))
    yield from _check_silence(spec, tensor, at)
    yield from _check_types(tensor, at)


def _check_types(tensor: TensorParameter, at: Location) -> Iterator[Complaint]:
    """Yield data types that no case can use, and those of a product that ``dtypes`` lacks."""
    types = {"dtypes": tensor.dtypes or [], **_by_product(tensor)}
    for key, dtypes in types.items():
        here = (*at, *key.split(":"))
        if unjudged := [name for name in dtypes if DATA_TYPES[name].numpy.kind == "c"]:
            names = ", ".join(unjudged)
            yield here, f"{tensor.name}: no case can use {names}; list them in `untested_on`"
        if tensor.dtypes and (further := [name for name in dtypes if name not in tensor.dtypes]):
            yield here, f"{tensor.name}: `dtypes`, of all products, lacks {', '.join(further)}"


def _by_product(tensor: TensorParameter) -> dict[str, list[str]]:
    return {f"dtypes_on:{product}": dtypes for product, dtypes in tensor.dtypes_on.items()}


def _check_silence(
    spec: OperatorSpec, tensor: TensorParameter, at: Location
) -> Iterator[Complaint]:
    unpromised = tensor.unpromised is not None or tensor.unpromised_on
    if unpromised and not (spec.is_contract and tensor.is_output):
        yield at, f"{tensor.name}: `unpromised` is for outputs, with the depth contract"
    at = (*at, "unpromised_on")
    yield from _unknown_names(at, "product", tensor.unpromised_on, spec.products)


def _check_absent(tensor: TensorParameter, at: Location) -> Iterator[Complaint]:
    if tensor.wanted is not None and tensor.absent != "unwanted":
        yield at, f"{tensor.name}: `wanted` goes with `absent: unwanted`"
    if tensor.absent is None or (tensor.absent == "unwanted" and tensor.tensor == "output"):
        return
    if tensor.absent == "unwanted" or tensor.is_output:
        yield at, f"{tensor.name}: an output may be unwanted, an input has a value"
    elif tensor.shape is None or tensor.producer is not None:
        yield (
            at,
            f"{tensor.name}: only an input whose shape follows from other tensors, and that no "
            "producer makes, may be absent",
        )


def _check_rule(rule: ShapeRule, names: Collection[str], at: Location) -> Iterator[Complaint]:
    if len(rule.kinds) != 1:
        yield at, f"say one of {', '.join(SHAPE_KINDS)}"
    for number, choice in enumerate(rule.one_of or []):
        if (choice.dims is None) == (choice.broadcast_of is None):
            yield (*at, "one_of", number), f"{choice.name}: say either dims or broadcast_of"
    followed = [rule.partner] if rule.partner else rule.sources
    yield from _unknown_names(at, "tensor", followed, names)


def _check_attribute(
    spec: OperatorSpec, attribute: AttributeParameter, at: Location
) -> Iterator[Complaint]:
    type_count = [bool(attribute.dtypes), attribute.dtype is not None].count(True)
    is_type = attribute.attribute == "dtype" and not attribute.dtypes
    if type_count != (attribute.attribute in SCALARS) and not is_type:
        yield (
            at,
            f"{attribute.name}: dtypes (a list) or dtype (x.dtype) go with a scalar, the latter "
            "also with a data type, and with no other attribute",
        )
    if attribute.absent is not None and attribute.attribute not in ("scalar", *ARRAYS):
        yield (*at, "absent"), f"{attribute.name}: only a scalar or an array may be absent"
    if attribute.attribute == "scalars" and not spec.lists:
        yield at, f"{attribute.name}: a list of scalars goes with lists of tensors"
    names = {tensor.name for tensor in spec.tensors}
    for field in ("held_in", "dtype"):
        name, dot, _ = (getattr(attribute, field) or "").partition(".")
        yield from _unknown_names((*at, field), "tensor", [name] if dot else [], names)


def scalar_names(spec: OperatorSpec) -> set[str]:
    """Return the names that have one value per case: attributes, dimensions, derived names."""
    return {attribute.name for attribute in spec.attributes} | set(spec.derived) | spec.dim_names


def _check_expressions(spec: OperatorSpec) -> Iterator[Complaint]:
    tensors = {tensor.name for tensor in spec.tensors}
    tensors |= {attribute.name for attribute in spec.attributes if attribute.attribute == "dtype"}
    per_case = scalar_names(spec) | tensors
    for at, expression in _case_expressions(spec):
        yield from _check_names(expression, per_case, at)
        yield from _check_tensor_names(expression, tensors, at)
        if calls(expression, "any_of") or calls(expression, "all_of"):
            yield (
                at,
                f"{expression.text!r}: any_of and all_of are allowed only in `when` of clauses",
            )
    aliases = {name for tensor in spec.tensors for name in tensor.stands_for}
    for section in ("clauses", "not_promised"):
        for index, clause in enumerate(getattr(spec, section)):
            if clause.when is not None:
                at = (section, index, "when")
                yield from _check_names(clause.when, per_case | aliases | set(spec.elements), at)
                yield from _check_tensor_names(clause.when, tensors | aliases, at)


def _case_expressions(spec: OperatorSpec) -> Iterator[tuple[Location, Expression]]:
    """Yield the expressions that have one value per case, with their places."""
    for name, expression in spec.derived.items():
        yield ("derived", name), expression
    if spec.batch_consistency is not None:
        yield ("batch_consistency", "reduced"), spec.batch_consistency.reduced
    for index, rule in enumerate(spec.rules):
        yield ("rules", index, "require"), rule.require
    if spec.factors.data_dependent is not None:
        yield ("factors", "data_dependent"), spec.factors.data_dependent
    for index, error in enumerate(spec.errors):
        if error.when is not None:
            yield ("errors", index, "when"), error.when
    for index, parameter in enumerate(spec.parameters):
        if isinstance(parameter, TensorParameter):
            yield from _row_expressions(parameter, ("parameters", index))


def _row_expressions(
    tensor: TensorParameter, row: Location
) -> Iterator[tuple[Location, Expression]]:
    for key in ("wanted", "unpromised"):
        if (condition := getattr(tensor, key)) is not None:
            yield (*row, key), condition
    for number, threshold in enumerate(tensor.thresholds):
        yield (*row, "thresholds", number), threshold
    if isinstance(tensor.shape, list):
        for number, dim in enumerate(tensor.shape):
            if isinstance(dim, Expression):
                yield (*row, "shape", number), dim
    if isinstance(tensor.shape, ShapeRule):
        yield from _rule_expressions(tensor.shape, (*row, "shape"))


def _rule_expressions(rule: ShapeRule, row: Location) -> Iterator[tuple[Location, Expression]]:
    if rule.resized is not None:
        expressions = rule.resized.expressions.items()
        yield from (((*row, "resized", key), expression) for key, expression in expressions)
    if rule.within is not None:
        yield (*row, "within", "axis"), rule.within.axis
    for number, choice in enumerate(rule.one_of or []):
        at = (*row, "one_of", number)
        for place, dim in enumerate(choice.dims or []):
            dimension = parse(dim.removeprefix("*")) if isinstance(dim, str) else dim
            yield (*at, "dims", place), dimension
        for key, expression in (("pad_to_rank", choice.pad_to_rank), ("when", choice.when)):
            if expression is not None:
                yield (*at, key), expression


def _check_tensor_names(
    expression: Expression, tensors: set[str], at: Location
) -> Iterator[Complaint]:
    """Yield a complaint for each shape function whose argument is not the name of a tensor."""
    counts = dict.fromkeys((*OF_TENSORS, *OF_DTYPES), 1)
    counts |= dict.fromkeys(("broadcastable", "same_type"), 2)
    for function, count in counts.items():
        for arguments in calls(expression, function):
            for name in arguments[:count]:
                if name not in tensors:
                    sentence = f"{function} takes a tensor: {unknown('tensor', name, tensors)}"
                    yield at, f"{expression.text!r}: {sentence}"


def _check_names(expression: Expression, known: set[str], at: Location) -> Iterator[Complaint]:
    for name in sorted(expression.names - known):
        yield at, f"{expression.text!r}: " + unknown("name", name, known)


def _check_clauses(spec: OperatorSpec) -> Iterator[Complaint]:
    ids = {clause.id for clause in spec.clauses}
    outputs = {output.name for output in spec.outputs}
    attributes = {attribute.name for attribute in spec.attributes}
    for index, clause in enumerate(spec.clauses):
        at = ("clauses", index)
        yield from _unknown_names((*at, "overrides"), "clause", clause.overrides, ids)
        by = [] if clause.by is None else [clause.by]
        yield from _unknown_names((*at, "by"), "attribute", by, attributes)
        yield from _unknown_names((*at, "output"), "output", clause.output or [], outputs)
        if clause.expect != "random-bits" and (spec.is_random or clause.by is not None):
            yield (
                (*at, "expect"),
                "if one clause expects random-bits, all do; `by` goes with it",
            )
    if len(spec.clauses) > 64:
        yield ("clauses",), "more than 64 value clauses; an element's clauses are kept in 64 bits"
    yield from _check_silences(spec, outputs)


def _check_silences(spec: OperatorSpec, outputs: set[str]) -> Iterator[Complaint]:
    """Yield mistakes in ``not_promised``."""
    for index, silence in enumerate(spec.not_promised):
        at = ("not_promised", index)
        yield from _unknown_names((*at, "output"), "output", silence.output or [], outputs)
        for key in ("output", "products"):
            if getattr(silence, key) and silence.when is None:
                yield (*at, key), f"`{key}` goes with `when`"
        unsupported = [name for name in silence.products or [] if not spec.supports(name)]
        for name in unsupported:
            yield (*at, "products"), f"{name} is not a product that supports the operator"


_OF_VALUES = ("golden", "formula", "precision", "clauses", "elements")
"""Sections about values, which a contract operator does not have."""


def _check_depth(spec: OperatorSpec) -> Iterator[Complaint]:
    for section in _OF_VALUES:
        if getattr(spec, section):
            yield (section,), f"{section} does not go with the depth contract"
    for index, silence in enumerate(spec.not_promised):
        if silence.when is not None:
            sentence = "`when` does not go with the depth contract: say `unpromised` of an output"
            yield ("not_promised", index, "when"), sentence
    for name, kinds in spec.factors.fill.items():
        for number, kind in enumerate(kinds):
            if kind not in FILL_KINDS or kind in (*SPECIAL_FILLS, "derived"):
                at = ("factors", "fill", name, number)
                yield at, f"{kind!r} does not go with the depth contract: give ordinary data"


def _check_formula(spec: OperatorSpec) -> Iterator[Complaint]:
    """Yield mistakes in the expressions of a formula, in which each name comes before its use."""
    outputs = {output.as_output for output in spec.outputs}
    parameters = scalar_names(spec) | {tensor.as_input for tensor in spec.inputs}
    defined = set(parameters)
    read_names = {name for expression in spec.formula.values() for name in expression.names}
    for name, expression in spec.formula.items():
        at, movement = ("formula", name), movement_of(expression)
        moved = movement[1][0] if movement else ""
        if name in parameters and name != moved:
            yield at, f"{name!r} is a parameter or a derived name already"
        if name not in outputs | read_names:
            yield at, unknown("output", name, outputs) + "; no later formula reads it either"
        yield from _check_names(expression, defined, at)
        yield from _check_whole_terms(spec, name, expression)
        if uses_bits(expression.tree):
            yield from _check_bits(spec, expression, at)
        defined.add(name)
    yield from _check_sums(spec)
    yield from _check_movements(spec)
    yield from _check_arrangement(spec)
    if spec.formula and (missing := sorted(outputs - defined)):
        yield ("formula",), f"no formula of {', '.join(missing)}"
    if spec.formula and spec.golden:
        yield ("golden",), "`golden` and `formula` exclude one another"


def _check_bits(spec: OperatorSpec, expression: Expression, at: Location) -> Iterator[Complaint]:
    """Yield the parameters without bits that a formula of bits reads."""
    types = {tensor.as_input: listed_types(tensor) for tensor in spec.inputs}
    types |= {scalar.name: listed_types(scalar) for scalar in spec.scalars}
    for name in expression.names & types.keys():
        if any(DATA_TYPES[dtype].floating for dtype in types[name]):
            yield at, f"the formula takes the bits of {name}, which may be floating"


def _check_whole_terms(spec: OperatorSpec, name: str, term: Expression) -> Iterator[Complaint]:
    """Yield functions that are a part of a term, but take a whole formula, or attributes alone."""
    at, last = ("formula", name), [*spec.formula][-1]
    if sum(len(calls(term, movement)) for movement in MOVEMENTS) != int(
        movement_of(term) is not None
    ):
        yield at, f"{', '.join(MOVEMENTS)} need a formula of their own, with a name"
    is_alone = [*spec.formula] == [output.as_output for output in spec.outputs]
    if sum(len(calls(term, arrangement)) for arrangement in ARRANGEMENTS) != int(
        is_alone and arrangement_of(term) is not None
    ):
        yield at, f"{', '.join(ARRANGEMENTS)} take the whole formula of the only output"
    _, reduction = reduction_of(term) or (None, "")
    is_only_output = name == last and {output.as_output for output in spec.outputs} == {name}
    is_whole = is_only_output and reduction in scalar_names(spec)
    if len(calls(term, "reduce")) != int(is_whole):
        yield at, "`reduce` takes the whole formula of the only output, and an attribute"
    for (part,) in (*calls(term, "host"), *calls(term, "narrowed")):
        if not parse_formula(part).names <= scalar_names(spec):
            yield at, f"{part}: `host` and `narrowed` take terms of attributes alone"


def _check_sums(spec: OperatorSpec) -> Iterator[Complaint]:
    """Yield sums that cannot be evaluated, and outputs without an element for each input's."""
    elements = {tensor.as_input for tensor in spec.inputs}
    inputs, summed, axes = {*elements}, set[str](), _axes(spec)
    for name, expression in spec.formula.items():
        at, sums = ("formula", name), reductions_in(expression)
        for text, axis_sum in sums.items():
            if axis_sum.names & summed:
                yield at, f"{text} is a sum of sums"
            if not axis_sum.names & elements:
                yield at, f"{text} adds up no elements"
            if axis_sum.rule in COMPOSITES and ast.unparse(axis_sum.term) not in inputs:
                yield at, f"{text} takes an input"
        if sums or expression.names & summed:
            summed.add(name)
        if names_outside_reductions(expression) & elements:
            elements.add(name)
    if spec.of_rows and len(spec.of_rows) < len(spec.outputs):
        yield ("formula",), "outputs of sums alone beside others need a module, see `golden`"
    if axes:
        yield from _check_axes(spec, axes)


def _check_axes(spec: OperatorSpec, axes: set[str]) -> Iterator[Complaint]:
    """Yield mistakes of a formula along axes."""
    for name, expression in spec.formula.items():
        if calls(expression, "half") or reduction_of(expression):
            sentence = "`half` and `reduce` exclude sums along an axis, and `largest`"
            yield ("formula", name), sentence
    names = {attribute.name for attribute in spec.attributes} | spec.derived.keys()
    if len(axes) > 1 or not axes <= names:
        sentence = "all sums, and `largest`, take the same axis: an attribute or a derived value"
        yield ("formula",), sentence


def _axes(spec: OperatorSpec) -> set[str]:
    """Return the axes along which a formula adds up, or looks for the largest element."""
    reductions = (each for term in spec.formula.values() for each in reductions_in(term).values())
    axes = {reduction.axis for reduction in reductions}
    movements = filter(None, map(movement_of, spec.formula.values()))
    return axes | {arguments[1] for name, arguments in movements if name == "largest"}


def _check_movements(spec: OperatorSpec) -> Iterator[Complaint]:
    """Yield movements of something else than inputs."""
    inputs = {tensor.as_input: tensor for tensor in spec.inputs}
    axes = [attribute.name for attribute in spec.attributes]
    allowed = {
        "largest": (inputs, axes),
        "half": (inputs, axes, ["0", "1"]),
        "channels": (inputs, inputs),
        "bits": (inputs, inputs),
    }
    for name, expression in spec.formula.items():
        at, movement = ("formula", name), movement_of(expression)
        if movement is None:
            continue
        function, arguments = movement
        if name in {output.as_output for output in spec.outputs}:
            yield at, "an output is computed: give what is moved a name of its own"
        for argument, names in zip(arguments, allowed[function], strict=True):
            if argument not in names:
                yield at, unknown(f"argument of {function}", argument, names)
        moved = inputs.get(arguments[0])
        if function == "bits" and moved is not None and moved.dtypes != ["uint8"]:
            yield at, f"`bits` needs an input of uint8, which {arguments[0]} is not"
        if function == "half" and arguments[0] in spec.read_names:
            yield at, f"formulas and clauses must name the halves of {arguments[0]}, not the whole"


def _check_arrangement(spec: OperatorSpec) -> Iterator[Complaint]:
    """Yield arguments of an arrangement that are neither inputs, attributes nor numbers."""
    inputs, attributes = ({each.as_input: each for each in spec.inputs}, scalar_names(spec))
    for name, expression in spec.formula.items():
        function, arguments = arrangement_of(expression) or ("", [])
        for place, argument in enumerate(arguments):
            is_tensor = place in (0, PLACES.get(function), SOURCES.get(function))
            names: Collection[str] = inputs if is_tensor else attributes
            if argument not in names and (is_tensor or not argument.isdecimal()):
                yield ("formula", name), unknown(f"argument of {function}", argument, names)
    for name, kinds in spec.factors.fill.items():
        for number, kind in enumerate(kinds):
            if (kind in PLACE_FILLS) != (name == spec.places):
                at = ("factors", "fill", name, number)
                yield at, f"{kind!r} does not go with {name}: indices have {', '.join(PLACE_FILLS)}"


def _check_budgets(spec: OperatorSpec) -> Iterator[Complaint]:
    yield from _check_formula(spec)
    if not (spec.golden or spec.formula):
        yield (
            (),
            "formula is missing: state it, name its module in `golden`, or say `depth: contract`",
        )
    budgeted = {precision.output for precision in spec.precision}
    floating = [t for t in spec.tensors if t.dtype is not None or "float32" in (t.dtypes or [])]
    for tensor in spec.outputs:
        if spec.role == "tested" and tensor in floating and tensor.name not in budgeted:
            yield ("precision",), f"output {tensor.name!r} has no error budget"


def allowance_complaints(spec: OperatorSpec, known: Collection[str]) -> Iterator[Complaint]:
    """Yield mistakes in the allowances that a spec names, given all of them."""
    for index, precision in enumerate(spec.precision):
        for number, allowance in enumerate(precision.allowances):
            at = ("precision", index, "allowances", number)
            if allowance not in known:
                yield at, unknown("allowance", allowance, known)
            if allowance in precision.allowances[:number]:
                yield at, f"duplicate allowance {allowance!r}"


def duplicate_complaints(allowances: Allowances) -> Iterator[Complaint]:
    """Yield each allowance with a duplicate id."""
    ids = [allowance.id for allowance in allowances.allowances]
    for index, name in enumerate(ids):
        if name in ids[:index]:
            yield ("allowances", index, "id"), f"duplicate id {name!r}"


def _check_error(spec: OperatorSpec, error: ErrorClause, at: Location) -> Iterator[Complaint]:
    if sum(getattr(error, key) is not None for key in KINDS) != 1:
        yield at, f"error {error.id!r} needs exactly one of {', '.join(KINDS)}"
        return
    kind = error.kind
    yield from _check_basis(error, at)
    for key in {key for other in KINDS.values() for key in other.further} - kind.further.keys():
        if getattr(error, key) is not None:
            yield (*at, key), f"error {error.id!r} is about no {key}: drop `{key}`"
    if kind.form == "assignments":
        if error.when is None:
            sentence = f"error {error.id!r} needs `when`: the values are examples of it"
            yield (*at, kind.key), sentence
        tensors = {tensor.name for tensor in spec.tensors}
        names = scalar_names(spec) | tensors | {f"{name}.dtype" for name in tensors}
        for assignment in error.assignments:
            noun = "attribute, dimension or tensor"
            yield from _unknown_names((*at, kind.key), noun, assignment, names)
    yield from _unknown_names((*at, kind.key), "parameter", error.names, kind.breakable(spec))


def _check_basis(error: ErrorClause, at: Location) -> Iterator[Complaint]:
    if error.basis == "status" and error.status is None:
        yield (*at, "basis"), f"error {error.id!r} has the basis 'status'; say which `status`"
    if error.basis != "status" and error.status is not None:
        sentence = (
            f"error {error.id!r} has the basis {error.basis!r}, so its document states no status; "
            "drop `status`, or say `basis: status`"
        )
        yield (*at, "status"), sentence


def producer_complaints(
    spec: OperatorSpec, operators: Mapping[str, OperatorSpec]
) -> Iterator[Complaint]:
    """Yield mistakes in the producers that a spec names, given all specs."""
    for index, parameter in enumerate(spec.parameters):
        if not isinstance(parameter, TensorParameter) or parameter.producer is None:
            continue
        at: Location = ("parameters", index, "producer")
        producer = operators.get(parameter.producer.operator)
        if producer is None:
            name = parameter.producer.operator
            yield (*at, "operator"), unknown("operator", name, operators)
            continue
        outputs = {output.name for output in producer.outputs}
        yield from _unknown_names((*at, "output"), "output", [parameter.producer.output], outputs)
        theirs = {tensor.name for tensor in producer.inputs}
        ours = {tensor.name for tensor in spec.inputs}
        at = (*at, "inputs")
        for name, source in parameter.producer.inputs.items():
            yield from _unknown_names(at, "input", [name], theirs)
            yield from _unknown_names((*at, name), "input", [source], ours)


_FIXED = ("operator", "header", "role", "golden", "editions")
"""Keys that all editions share, because they share programs and formulas."""

_ENTRIES: Mapping[Location, str] = {
    ("parameters",): "parameter",
    ("precision",): "output",
    ("scenes",): "scene",
}
"""Names of the entries of named lists that are not clauses."""


def patch_complaints(name: str, spec: OperatorSpec) -> Iterator[Complaint]:
    """Yield mistakes in an edition before it is merged."""
    if name in (CURRENT, spec.document.edition):
        yield ("editions", name), f"the name {name!r} means the edition that the spec itself states"
    for key in _FIXED:
        if key in spec.editions[name].changes:
            at = ("editions", name, "changes", key)
            yield at, f"{key} is the same in all editions; the changes may not name it"


def idle_complaints(merged: Merged) -> Iterator[Complaint]:
    """Yield each ``null`` that removes nothing, as its name may be a typo."""
    for at, (within, names) in merged.unknown.items():
        problem = unknown_name(_ENTRIES.get(within, "clause"), str(at[-1]), names)
        yield at, f"{problem} (null removes nothing from a new one)"
    for at in merged.idle:
        yield at, f"{at[-1]!r} does not exist, so null removes nothing"


def prototype_complaints(spec: OperatorSpec, current: OperatorSpec) -> Iterator[Complaint]:
    """Yield differences of an edition's C prototype from the current one."""
    if _prototype(spec) != _prototype(current):
        sentence = "the C prototype differs from that of the spec; one program serves all editions"
        yield ("parameters",), sentence


def _prototype(spec: OperatorSpec) -> list[tuple[Any, ...]]:
    return [
        (parameter.name, parameter.attribute)
        if isinstance(parameter, AttributeParameter)
        else (parameter.name, parameter.tensor, parameter.const)
        for parameter in spec.parameters
    ]
