# SPDX-License-Identifier: Apache-2.0
"""Building the case of a bound call: its id, layouts, and the clauses that it exercises.

Ids are readable, stable, and dependent on the call alone. The clauses are those that the call
itself exercises; value clauses follow from the data.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal, cast

from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.binding import Binding, UnboundError, arranged
from aclnn_cts.plan.calls import Call, PlannedCall
from aclnn_cts.plan.cases import (
    ACLNN_SUCCESS,
    BATCH,
    CONSTANT_FILLS,
    INTEGER_FILLS,
    SOAK,
    STATE,
    AttributeValue,
    Case,
    ExecutionVariant,
    Fill,
    Intent,
    TensorCase,
    fields_of,
    token,
)
from aclnn_cts.plan.layouts import (
    HALVES,
    Layout,
    contiguous,
    contiguous_strides,
    is_constant,
    lay_out,
)
from aclnn_cts.plan.members import Lists
from aclnn_cts.plan.turning_points import turning_points
from aclnn_cts.plan.violated_clauses import Refusal, refusal_of
from aclnn_cts.spec.arrangements import places_along
from aclnn_cts.spec.clause_models import (
    BATCH_CONSISTENCY,
    CALL_INDEPENDENCE,
    DETERMINISM,
    FINITE_OUTPUTS,
    GRAPH_CAPTURE,
    HANDLES_UNCHANGED,
    HOST_THREADS,
    INPUTS_UNCHANGED,
    MEMORY_RETURNED,
    MOVED_ADDRESSES,
    OUTPUTS_WRITTEN,
    OUTSIDE_UNTOUCHED,
    PHASE_ONE_DATA,
    REFUSAL_LEAVES_OUTPUTS,
    REPEATABLE_EXECUTOR,
    RESULTS_FOLLOW_DATA,
    RUNTIME_FUNCTIONS,
    TWO_PHASE,
    UNINITIALISED_MEMORY,
    WORKSPACE_SIZE,
)
from aclnn_cts.spec.data_types import DATA_TYPES, FloatFormat
from aclnn_cts.spec.evaluation import evaluate_number, holds
from aclnn_cts.spec.models import OperatorSpec, ShapeRule, TensorParameter
from aclnn_cts.spec.names import PLACE_FILLS, ROW_FILLS
from aclnn_cts.spec.parameter_clauses import PRODUCT_SUPPORT, Kind, clause_id, promised_kinds


def case_id(
    spec: OperatorSpec,
    tensors: tuple[TensorCase, ...],
    attributes: Mapping[str, AttributeValue],
    intent: Intent,
    digest: str,
) -> str:
    """Return the id: operator, scene, distinguishing facts, and ``digest``."""
    parts = [spec.operator.removeprefix("aclnn"), intent.scene]
    if intent.detail:
        parts.append(intent.detail)
    dtypes = dict.fromkeys(
        tensor.dtype for tensor in tensors if tensor.data_type.floating is not None
    )
    parts.append("-".join(dtypes) or tensors[0].dtype)
    parts.append(token(tensors[0].shape) if tensors[0].shape else "scalar")
    if tensors[0].place is not None:
        parts.append(f"of-{sum(each.parameter == tensors[0].parameter for each in tensors)}")
    if intent.twin is None:
        parts += [f"{name}_{token(value)}" for name, value in list(attributes.items())[:4]]
        parts += [f"{token(t.name)}_{t.layout}" for t in tensors if t.layout != "contiguous"][:2]
        same = (t for t in tensors if t.shares and t.layout not in HALVES)
        parts += [f"{token(t.name)}_is-{token(t.shares)}" for t in same]
    return ".".join([*parts, digest[:10]])


def call_digest(
    operator: str,
    tensors: Iterable[TensorCase],
    attributes: Mapping[str, AttributeValue],
    scalars: Mapping[str, str],
    intent: Intent,
) -> str:
    """Return the digest of the call, without tier, scene and product."""
    content: list[Any] = [operator, [_content(tensor) for tensor in tensors], dict(attributes)]
    if scalars:
        content.append(dict(scalars))
    content.append((ACLNN_SUCCESS,) if intent.is_valid else "refused")
    if intent.again:
        content += [intent.again, intent.deterministic]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _content(tensor: TensorCase) -> dict[str, Any]:
    """Return a tensor's fields, including its fill's; dataclasses.asdict is far slower."""
    return {**fields_of(tensor), "fill": fields_of(tensor.fill) if tensor.fill else None}


COMMON_OF_SUCCESS = (
    TWO_PHASE,
    INPUTS_UNCHANGED,
    HANDLES_UNCHANGED,
    OUTPUTS_WRITTEN,
    OUTSIDE_UNTOUCHED,
    WORKSPACE_SIZE,
    UNINITIALISED_MEMORY,
    PHASE_ONE_DATA,
)
COMMON_OF_REFUSAL = (
    REFUSAL_LEAVES_OUTPUTS,
    INPUTS_UNCHANGED,
    HANDLES_UNCHANGED,
    OUTSIDE_UNTOUCHED,
)


def _clauses_of_tensor(call: PlannedCall, tensor: TensorCase) -> list[str]:
    """Return the ids of the structural clauses that a tensor exercises."""
    if tensor.source == "null":
        return [clause_id(tensor.name, "absent")]
    parameter = call.spec.tensor(tensor.parameter)
    kinds: list[Kind] = ["length", "dtype", "rank", "format", "shape"]
    if tensor.strides != contiguous_strides(tensor.shape) or tensor.offset:
        kinds.append("non-contiguous")
    if tensor.numel == 0:
        kinds.append("empty")
    elif call.is_unwanted(parameter):
        kinds.append("unwanted")
    promised = promised_kinds(parameter)
    return [clause_id(parameter.name, kind) for kind in kinds if kind in promised]


def _exercised_clauses(call: PlannedCall, case: Case) -> tuple[str, ...]:
    """Return the ids of the structural, rule and common clauses that a call exercises."""
    spec = call.spec
    clauses = [PRODUCT_SUPPORT]
    for tensor in case.tensors:
        clauses += _clauses_of_tensor(call, tensor)
    clauses += [
        clause_id(name, "dtype") for name in case.scalars if case.attributes[name] is not None
    ]
    if case.deterministic or spec.determinism_on(case.product) == "deterministic":
        clauses.append(DETERMINISM)
    if case.scene == BATCH:
        clauses.append(BATCH_CONSISTENCY)
    if spec.is_contract:
        clauses.append(FINITE_OUTPUTS)
        # the others have no partner with equal shapes and attributes
        if case.scene in ("base", STATE, SOAK) and spec.follows_data:
            clauses.append(RESULTS_FOLLOW_DATA)
    rules = [rule.id for rule in spec.rules_on(case.product)]
    exercised = (*clauses, *rules, *COMMON_OF_SUCCESS, *_of_further_runs(case))
    return tuple(dict.fromkeys(exercised))  # the members of a list exercise the same ones


def _of_further_runs(case: Case) -> tuple[str, ...]:
    """Return the clauses that execution variants test; of a refused call they only plan."""
    clauses = dict.fromkeys(map(clause_of, case.again)) if case.expects_success else {}
    if "many-calls" in case.again:
        # other valid calls are too few to show that memory grows
        if case.scene == SOAK or not case.expects_success:
            clauses[MEMORY_RETURNED] = None
        if case.expects_success:
            clauses[RUNTIME_FUNCTIONS] = None
    return tuple(clauses)


def with_variants(case: Case, *variants: ExecutionVariant) -> Case:
    """Return a case with further execution variants; its id stays, because the call does."""
    more = replace(case, again=(*case.again, *variants))
    clauses = dict.fromkeys((*case.clauses, *_of_further_runs(more)))
    return replace(more, clauses=tuple(clauses))


_CLAUSES: dict[ExecutionVariant, str] = {
    "repeatable-executor": REPEATABLE_EXECUTOR,
    "moved-addresses": MOVED_ADDRESSES,
    "captured": GRAPH_CAPTURE,
    "other-thread": HOST_THREADS,
    "four-threads": HOST_THREADS,
}


def clause_of(variant: ExecutionVariant) -> str:
    """Return the common clause that an execution variant makes no difference."""
    return _CLAUSES.get(variant, CALL_INDEPENDENCE)


def broken_requirements(case: Case) -> tuple[str, ...]:
    """Return the requirements that a refused call breaks."""
    others = (case.scene, *COMMON_OF_REFUSAL, MEMORY_RETURNED)
    return tuple(name for name in case.clauses if name not in others)


def met_requirements(case: Case) -> tuple[str, ...]:
    """Return the promises on shapes and attributes that make a call valid."""
    others = {
        clause_id(tensor.parameter, kind)
        for tensor in case.tensors
        for kind in ("dtype", "rank", "format", "non-contiguous", "empty", "absent", "unwanted")
    }
    others |= {PRODUCT_SUPPORT, DETERMINISM, *COMMON_OF_SUCCESS}
    others |= {CALL_INDEPENDENCE, *_CLAUSES.values(), FINITE_OUTPUTS, MEMORY_RETURNED}
    others |= {RESULTS_FOLLOW_DATA, RUNTIME_FUNCTIONS, BATCH_CONSISTENCY}
    return tuple(name for name in case.clauses if name not in others)


def build_case(call: PlannedCall, intent: Intent) -> Case:
    """Return the case of a call.

    Raises:
        UnboundError: Two tensors cannot be in one storage.
    """
    if not intent.is_valid:
        return build_refused_case(call, intent)[0]
    case = _draft(call, intent)
    return replace(case, clauses=_exercised_clauses(call, case))


def build_refused_case(call: PlannedCall, intent: Intent) -> tuple[Case, Refusal]:
    """Return a call that breaks error clauses, and the documents' statement about it.

    It exercises the error clause of its scene, and the requirements that it breaks.
    """
    case = _draft(call, intent)
    refusal = refusal_of(Call.of(call.spec, case))
    many = (MEMORY_RETURNED,) if case.again else ()
    clauses = dict.fromkeys((case.scene, *refusal.requirements, *COMMON_OF_REFUSAL, *many))
    return replace(
        case,
        statuses=refusal.statuses,
        clauses=tuple(clauses),
        basis=refusal.basis,
        refused_by=refusal.clauses,
        is_launched=refusal.is_launched,
    ), refusal


def _draft(call: PlannedCall, intent: Intent) -> Case:
    """Return the case of a call without clauses."""
    spec, facts, values = call.spec, call.facts, call.binding.values
    refused = not intent.is_valid
    make = partial(_tensor, refused=refused)
    tensors = tuple(make(call, tensor) for tensor in spec.tensors)
    attributes = {
        attribute.name: None
        if facts.get(f"null:{attribute.name}") or facts.get(f"attribute:{attribute.name}") is None
        else values[attribute.name]
        for attribute in spec.attributes
    }
    absent = [
        a.name for a in spec.attributes if a.absent is not None and attributes[a.name] is None
    ]
    # absent ones have no data type, so theirs never varies
    scalars = {
        scalar.name: (scalar.dtypes or ["float32"])[0]
        if scalar.name in absent
        else call.dtype(scalar.name)
        for scalar in spec.scalars
    }
    digest = call_digest(spec.operator, tensors, attributes, scalars, intent)
    if spec.lists:
        lists = Lists(call, make, int(digest[:8], 16))
        tensors = tuple(lists.tensors(tensors))
        given = (name for name in spec.scalar_lists if attributes[name] is not None)
        attributes |= {name: lists.scalars(name) for name in given}
        digest = call_digest(spec.operator, tensors, attributes, scalars, intent)
    # Samples have the same data in each batch, and in refused calls elements do not matter: with
    # equal seeds, calls share their data.
    seed = "refused" if refused else BATCH if intent.scene == BATCH else digest
    case = Case(
        id=case_id(spec, tensors, attributes, intent, digest),
        operator=spec.operator,
        product=call.product,
        scene=intent.scene,
        tier=intent.tier,
        tensors=tensors,
        attributes=attributes,
        statuses=() if refused else (ACLNN_SUCCESS,),
        clauses=(),
        twin=intent.twin,
        names={
            name: value
            for name, value in values.items()
            if name not in attributes or name in absent
        },
        deterministic=_is_switched_on(spec, call.product, intent, digest),
        batch_level=(spec.batch_level_on(call.product) or 0) if intent.scene == BATCH else 0,
        again=intent.again,
        scalars=scalars,
    )
    _require_shareable(case)
    return replace(case, tensors=tuple(_seed(each, case, seed) for each in tensors))


def _is_switched_on(spec: OperatorSpec, product: str, intent: Intent, digest: str) -> bool:
    """Whether to switch determinism on: in half of the cases of switchable operators."""
    if spec.determinism_on(product) != "switchable":
        return False
    return int(digest[:8], 16) % 2 == 0 if intent.deterministic is None else intent.deterministic


def _tensor(call: PlannedCall, parameter: TensorParameter, *, refused: bool) -> TensorCase:
    spec, facts, name = call.spec, call.facts, parameter.name
    shape = call.binding.shapes[name]
    source = _source(call, parameter)
    fill = _fill(call, parameter, refused=refused) if source == "data" else None
    # An absent tensor has no layout, so its layout would only duplicate calls.
    is_absent = source == "null" and parameter.absent is not None
    chosen = "contiguous" if is_absent else facts.get(f"layout:{name}", "contiguous")
    if isinstance(chosen, Layout):  # a listed call's; a smaller call may not have it
        is_free, layout = False, chosen if chosen.holds(shape) else contiguous(shape)
    else:
        is_free, layout = True, lay_out(_layout_name(chosen, source, fill), shape)
    stretches = isinstance(parameter.shape, ShapeRule) and parameter.shape.broadcasts_with
    matters = name == spec.leading or "axis" in spec.traits or stretches
    constant = matters and is_constant(layout, shape)
    if spec.is_reduced:
        along = _reduced_axes(call, parameter)
        kept = [axis for axis in range(len(shape)) if axis not in along]
        repeated = [axis for axis in kept if layout.strides[axis] == 0 or shape[axis] == 1]
        constant = constant or (repeated == kept and any(shape[axis] > 1 for axis in kept))
    if is_free and (constant or not (refused or _depends_on_data(call, name, layout))):
        # One repeated element would hide it if elements of the output were swapped, of any input
        # where the sum along an axis is far larger than what its elements differ by, and of one
        # that may give the output its shape alone.
        layout = lay_out("stepped", shape)
    return TensorCase(
        name=name,
        role=parameter.tensor,
        dtype=call.dtype(name),
        shape=shape,
        strides=layout.strides,
        offset=layout.offset,
        storage=layout.storage,
        format=facts.get(f"format:{name}") or call.usual_format(parameter),
        layout="absent" if is_absent else layout.name,
        source=source,
        fill=fill,
        shares=facts.get(f"shares:{name}"),
    )


def _depends_on_data(call: PlannedCall, tensor: str, layout: Layout) -> bool:
    """Whether the results depend on data even if a layout repeats elements along an axis."""
    condition, shapes = call.spec.factors.data_dependent, call.binding.shapes
    if condition is None or all(layout.strides):
        return True
    pairs = zip(shapes[tensor], layout.strides, strict=True)
    apart = tuple(extent if stride else 1 for extent, stride in pairs)
    return holds(condition, replace(call.binding.scope, shapes={**shapes, tensor: apart}))


_FLOAT32 = cast("FloatFormat", DATA_TYPES["float32"].floating)


def _layout_name(wanted: str, source: str, fill: Fill | None) -> str:
    """Return the layout that the tensor's source can have."""
    is_computed = source == "producer" or (
        fill is not None and fill.kind in ("derived", "places-once")
    )
    # derived data do not repeat along an axis
    return "sliced" if is_computed and wanted.startswith("expanded") else wanted


def _source(
    call: PlannedCall, parameter: TensorParameter
) -> Literal["data", "output", "null", "producer"]:
    facts = call.facts
    if facts.get(f"null:{parameter.name}"):
        return "null"
    if not parameter.is_input:
        return "output"
    if parameter.producer is None or f"fill:{parameter.name}" in facts:
        return "data"
    wants_data = facts.get(f"source:{parameter.name}") == "data"
    is_layout_known = wants_data and holds(parameter.producer.layout_known_when, call.binding.scope)
    return "data" if is_layout_known else "producer"


def _fill(call: PlannedCall, parameter: TensorParameter, *, refused: bool) -> Fill:
    """Return the chosen kind of data if the (perhaps refused) data type can hold it.

    If the shapes of a refused call do not fit together, data cannot be derived from other inputs.
    """
    facts, integral = call.facts, DATA_TYPES[call.dtype(parameter.name)].floating is None
    fill: Fill | None = facts.get(f"data:{parameter.name}")
    if fill is not None:
        return fill
    levels = call.spec.factors.fill.get(parameter.name, [])
    kind = facts.get(f"fill:{parameter.name}", levels[0] if levels else None)
    if refused and kind == "derived":
        kind = next((level for level in levels if level != kind), None)
    if refused and kind in PLACE_FILLS:
        kind = "zeros"  # a device that accepts the call must not read outside the input
    if kind is None and parameter.producer is not None:
        kind = "derived"
    suits = kind == "derived" or kind in CONSTANT_FILLS or integral == (kind in INTEGER_FILLS)
    # integers are made like numbers of any kind; a refused call needs no particular kind
    suits = suits or (integral and not refused)
    if kind is None or not suits:
        kind = "bits" if integral else "uniform"
    return Fill(kind, _numbers_of_data(call, parameter, kind))


def _numbers_of_data(call: PlannedCall, parameter: TensorParameter, kind: str) -> tuple[float, ...]:
    """Return the numbers on which a kind of data depends in the call."""
    spec, binding = call.spec, call.binding
    if kind in ("around-thresholds", "pairs", "special-pairs"):
        return _thresholds(parameter, binding, finite=kind == "around-thresholds")
    if kind in ROW_FILLS:
        return _reduced_axes(call, parameter)
    if kind in PLACE_FILLS:
        return _extents_of_places(call)
    if kind != "turning-points":
        return ()
    # integers are computed as real numbers
    numbers = DATA_TYPES[call.dtype(parameter.name)].floating or _FLOAT32
    return turning_points(spec.formula, parameter.as_input, binding.values, numbers)


def _reduced_axes(call: PlannedCall, parameter: TensorParameter) -> tuple[float, ...]:
    """Return the axes of a tensor along which a call reduces elements, as far as it has them."""
    rank = len(call.binding.shapes[parameter.name])
    named = {call.binding.values.get(each.axis) for each in call.spec.reductions}
    axes = {axis for each in named for axis in ((each,) if isinstance(each, int) else each or ())}
    return tuple(sorted(float(axis % rank) for axis in axes if -rank <= axis < rank))


def _extents_of_places(call: PlannedCall) -> tuple[float, ...]:
    """Return the extents that bound the places of an index, in turn."""
    function, arguments = arranged(call.spec, call.binding)
    if not function:
        raise WrongInputError(f"{call.spec.operator}: data that are places need an index")
    try:
        return tuple(map(float, places_along(function, *arguments)))
    except ValueError:
        return ()  # the call is refused, and has no data


def _thresholds(parameter: TensorParameter, binding: Binding, *, finite: bool) -> tuple[float, ...]:
    """Return the thresholds, or the finite ones, from the attributes' exact values in the call.

    An attribute that a device may keep in a narrower type is an interval, which only expectations
    use (:mod:`aclnn_cts.golden.expectations`).
    """
    values = (float(evaluate_number(each, binding.scope)) for each in parameter.thresholds)
    return tuple(dict.fromkeys(value for value in values if math.isfinite(value) or not finite))


def _seed(tensor: TensorCase, case: Case, seed: str) -> TensorCase:
    if tensor.fill is None:
        return tensor
    name = case.elements_of(tensor).name
    return replace(tensor, fill=replace(tensor.fill, seed=f"{seed}/{name}"))


def _require_shareable(case: Case) -> None:
    """Raise UnboundError if a tensor cannot be in the storage of the one that it names."""
    for tensor in case.tensors:
        if tensor.shares is None:
            continue
        owner = case.tensor(tensor.shares)
        alike = all(
            ours.role == "input" and ours.source == "data" for ours in (owner, tensor)
        ) and _storage_of(owner) == _storage_of(tensor)
        is_same = case.elements_of(tensor) is owner
        halves = (owner.layout, tensor.layout) == HALVES
        if not (alike and (owner.fill == tensor.fill if is_same else halves)):
            raise UnboundError(f"{tensor.name} cannot be in the storage of {owner.name}")


def _storage_of(tensor: TensorCase) -> tuple[object, ...]:
    """Return what is equal in two tensors that are in one storage."""
    return tensor.dtype, tensor.shape, tensor.strides, tensor.storage
