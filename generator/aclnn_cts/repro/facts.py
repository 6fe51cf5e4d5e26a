# SPDX-License-Identifier: Apache-2.0
"""From a case back to the facts that it was built from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from aclnn_cts.plan.binding import Facts, UnboundError, bind
from aclnn_cts.plan.case_builder import Intent, build_case
from aclnn_cts.plan.cases import Case, Circumstance, TensorCase
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.models import OperatorSpec, ShapeRule, TensorParameter
from aclnn_cts.spec.names import BROADCASTS

SHRUNK = "shrunk"
"""In the ids of cases that no plan holds."""


@dataclass(frozen=True)
class Candidate:
    """A case as a search sees it: facts that can be changed one at a time.

    Attributes:
        facts: By name, in order.
        again: Circumstances under which the call is made again.
        deterministic: Whether determinism is switched on.
    """

    facts: tuple[tuple[str, Any], ...]
    again: tuple[Circumstance, ...]
    deterministic: bool

    def get(self, name: str) -> Any:
        """Return a fact; None if it is not stated."""
        return dict(self.facts).get(name)

    def stating(self, changes: Facts) -> Candidate:
        """Return the candidate with other facts."""
        return replace(self, facts=tuple({**dict(self.facts), **changes}.items()))


def candidate_of(spec: OperatorSpec, case: Case) -> Candidate | None:
    """Return the facts that make exactly this case; None if no facts do."""
    facts: dict[str, Any] = {}
    for tensor in case.tensors:
        facts |= _tensor_facts(spec.tensor(tensor.name), tensor)
    for name, value in case.attributes.items():
        facts[f"null:{name}" if value is None else f"attribute:{name}"] = (
            True if value is None else value
        )
    facts |= {f"dim:{name}": v for name, v in case.names.items() if name not in spec.derived}
    facts |= _chosen_shapes(spec, case, facts)
    candidate = Candidate(tuple(facts.items()), case.again, case.deterministic)
    rebuilt = build(spec, case, candidate)
    return candidate if rebuilt is not None and _same_call(rebuilt, case) else None


def _tensor_facts(parameter: TensorParameter, tensor: TensorCase) -> dict[str, Any]:
    name = tensor.name
    facts: dict[str, Any] = {
        f"dtype:{name}": tensor.dtype,
        f"format:{name}": tensor.format,
        f"layout:{name}": tensor.layout,
    }
    if tensor.source == "null":
        facts[f"null:{name}"] = True
    elif tensor.fill is not None and tensor.fill.kind == "derived":
        facts[f"source:{name}"] = "data"
    elif tensor.fill is not None:
        facts[f"fill:{name}"] = tensor.fill.kind
    if parameter.shape is None:
        facts[f"shape:{name}"] = tensor.shape
    return facts


def _chosen_shapes(spec: OperatorSpec, case: Case, facts: Facts) -> dict[str, Any]:
    """Return facts for the shapes that the others leave open, or give another value."""
    chosen: dict[str, Any] = {}
    for parameter in spec.tensors:
        name, wanted = parameter.name, case.tensor(parameter.name).shape
        possible: list[Any] = [None, *_choices(parameter), wanted]
        for choice in possible:
            stated = {} if choice is None else {f"shape:{name}": choice}
            rest = {
                f"shape:{other.name}": other.shape
                for other in case.tensors
                if other.name != name and f"shape:{other.name}" not in {**facts, **chosen}
            }
            if _shape_of(spec, {**facts, **chosen, **rest, **stated}, name) == wanted:
                chosen |= stated
                break
    return chosen


def _choices(parameter: TensorParameter) -> list[str]:
    if not isinstance(parameter.shape, ShapeRule):
        return []
    if parameter.shape.broadcasts_to:
        return list(BROADCASTS)
    return [choice.name for choice in parameter.shape.one_of or []]


def _shape_of(spec: OperatorSpec, facts: Facts, name: str) -> tuple[int, ...] | None:
    try:
        return bind(spec, facts).shapes[name]
    except (UnboundError, ExpressionError):
        return None


def build(spec: OperatorSpec, original: Case, candidate: Candidate) -> Case | None:
    """Return the case that a candidate stands for; None if there is no such call.

    Args:
        spec: The operator.
        original: The case that the search began with; what is no fact is taken from it.
        candidate: The facts.
    """
    intent = Intent(
        original.scene,
        original.tier,
        is_valid=original.expects_success,
        detail=SHRUNK,
        twin=original.twin,
        again=candidate.again,
        deterministic=candidate.deterministic,
    )
    try:
        return build_case(spec, original.product, dict(candidate.facts), intent)
    except (UnboundError, ExpressionError):
        return None


def _same_call(rebuilt: Case, case: Case) -> bool:
    return [_unseeded(t) for t in rebuilt.tensors] == [_unseeded(t) for t in case.tensors] and repr(
        dict(rebuilt.attributes)
    ) == repr(dict(case.attributes))


def _unseeded(tensor: TensorCase) -> TensorCase:
    fill = tensor.fill
    return tensor if fill is None else replace(tensor, fill=replace(fill, seed=""))
