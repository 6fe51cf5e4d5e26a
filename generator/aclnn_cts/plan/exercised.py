# SPDX-License-Identifier: Apache-2.0
"""Which clauses a call as such exercises; the value clauses follow from the data."""

from __future__ import annotations

from aclnn_cts.plan.cases import Case, Circumstance
from aclnn_cts.plan.layouts import contiguous_strides
from aclnn_cts.plan.requirements import broken_requirements
from aclnn_cts.spec.common_clauses import (
    CALL_INDEPENDENCE,
    DETERMINISM,
    INPUTS_UNCHANGED,
    OUTPUTS_WRITTEN,
    OUTSIDE_UNTOUCHED,
    PHASE_ONE_DATA,
    REFUSAL_LEAVES_OUTPUTS,
    REPEATABLE_EXECUTOR,
    TWO_PHASE,
    UNINITIALISED_MEMORY,
    WORKSPACE_SIZE,
)
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.structure import PRODUCT_SUPPORT, clause_id, structural_clauses

COMMON_OF_SUCCESS = (
    TWO_PHASE,
    INPUTS_UNCHANGED,
    OUTPUTS_WRITTEN,
    OUTSIDE_UNTOUCHED,
    WORKSPACE_SIZE,
    UNINITIALISED_MEMORY,
    PHASE_ONE_DATA,
)
COMMON_OF_REFUSAL = (REFUSAL_LEAVES_OUTPUTS, INPUTS_UNCHANGED, OUTSIDE_UNTOUCHED)


def exercised_clauses(spec: OperatorSpec, case: Case) -> tuple[str, ...]:
    """Return the ids of the structural, error, rule and common clauses that a case exercises.

    A call that must be refused exercises the error clause and the requirements that it breaks.
    """
    if not case.expects_success:
        broken = broken_requirements(spec, case)
        return tuple(dict.fromkeys((case.scene, *broken, *COMMON_OF_REFUSAL)))
    promised = {clause.id for clause in structural_clauses(spec)}
    found = [PRODUCT_SUPPORT]
    for tensor in case.tensors:
        kinds = ["dtype", "rank", "format", "shape"]
        if tensor.strides != contiguous_strides(tensor.shape) or tensor.offset:
            kinds.append("non-contiguous")
        if tensor.numel == 0:
            kinds.append("empty")
        found += [clause_id(tensor.name, kind) for kind in kinds]
    if case.deterministic or spec.determinism_on(case.product) == "deterministic":
        found.append(DETERMINISM)
    rules = [
        rule.id for rule in spec.rules if rule.products is None or case.product in rule.products
    ]
    kept = [name for name in found if name in promised]
    further = dict.fromkeys(clause_of(circumstance) for circumstance in case.again)
    return (*kept, *rules, *COMMON_OF_SUCCESS, *further)


def clause_of(circumstance: Circumstance) -> str:
    """Return the common clause that promises a circumstance to make no difference."""
    return REPEATABLE_EXECUTOR if circumstance == "repeatable-executor" else CALL_INDEPENDENCE


def requirements_broken(case: Case) -> tuple[str, ...]:
    """Return the requirements that a call that must be refused does not meet."""
    return tuple(
        name for name in case.clauses if name != case.scene and name not in COMMON_OF_REFUSAL
    )


def requirements_met(case: Case) -> tuple[str, ...]:
    """Return the promises on shapes and attributes by which a call that must work is valid."""
    others = {
        clause_id(tensor.name, kind)
        for tensor in case.tensors
        for kind in ("dtype", "rank", "format", "non-contiguous", "empty")
    }
    others |= {PRODUCT_SUPPORT, DETERMINISM, *COMMON_OF_SUCCESS}
    others |= {CALL_INDEPENDENCE, REPEATABLE_EXECUTOR}
    return tuple(name for name in case.clauses if name not in others)
