# SPDX-License-Identifier: Apache-2.0
"""The scene ``state``: calls that are made again under other circumstances.

A result may depend on the call's own parameters alone. Each operator and data type gets an ordinary
small call, and in the standard tier one that is large enough to keep several cores busy.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aclnn_cts.plan.binding import Facts, bind
from aclnn_cts.plan.case_builder import Intent, build_case
from aclnn_cts.plan.cases import CIRCUMSTANCES, Case, Tier
from aclnn_cts.plan.factors import dtype_choices, factors_of
from aclnn_cts.plan.requirements import base_facts, is_valid
from aclnn_cts.spec.models import OperatorSpec, Product

SCENE = "state"

_ELEMENTS = 4096
"""About how many elements the largest tensor of a larger call has."""

_MOST_ELEMENTS = 3 * _ELEMENTS


def state_cases(spec: OperatorSpec, product: Product, tier: Tier) -> Iterator[Case]:
    """Yield the operator's cases of the scene that belong to exactly this tier."""
    if tier == "full":
        return
    factors = factors_of(spec, product, tier)
    base = base_facts(factors)
    if tier == "standard":
        base |= _larger(spec, product.id, factors)
    for dtypes in dtype_choices(factors):
        for deterministic in _switch(spec, product.id):
            intent = Intent(
                SCENE,
                tier,
                detail={None: "", True: "deterministic", False: "any-order"}[deterministic],
                again=CIRCUMSTANCES,
                deterministic=deterministic,
            )
            yield build_case(spec, product.id, {**base, **dtypes}, intent)


def _switch(spec: OperatorSpec, product: str) -> tuple[bool | None, ...]:
    """Return the settings of determinism to try: both, if it is what makes the operator so."""
    return (True, False) if spec.determinism_on(product) == "switchable" else (None,)


def _larger(spec: OperatorSpec, product: str, factors: Mapping[str, Sequence[Any]]) -> Facts:
    """Return the extents that make the largest tensor a few thousand elements, or nearly so."""
    names = [name for name in factors if name.startswith("dim:")]
    names = names or [name for name in factors if name.startswith("shape:")]
    names = names[-2:]  # further ones would take seconds, and two are enough
    base = base_facts(factors)
    best, distance = {}, math.inf
    for levels in itertools.product(*(factors[name] for name in names)):
        chosen = dict(zip(names, levels, strict=True))
        facts = {**base, **chosen}
        # Only a valid call is sure to have shapes that can be measured.
        if not is_valid(spec, product, facts, _MOST_ELEMENTS):
            continue
        away = abs(math.log((_largest(spec, facts) or 1) / _ELEMENTS))
        if away < distance:
            best, distance = chosen, away
    return best


def _largest(spec: OperatorSpec, facts: Facts) -> int:
    return max(math.prod(shape) for shape in bind(spec, facts).shapes.values())
