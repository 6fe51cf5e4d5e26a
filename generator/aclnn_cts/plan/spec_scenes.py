# SPDX-License-Identifier: Apache-2.0
"""The special scenes that a spec asks for by name (its section ``scenes``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.binding import Facts, UnboundError
from aclnn_cts.plan.case_builder import Intent, build_case
from aclnn_cts.plan.cases import Case, TensorCase, Tier
from aclnn_cts.plan.factors import dtype_choices, finite_kind, most_elements
from aclnn_cts.plan.layouts import contiguous_strides
from aclnn_cts.plan.requirements import broken_requirements
from aclnn_cts.plan.rules import base_facts, is_valid
from aclnn_cts.plan.scenes import Scene
from aclnn_cts.spec.expression import ExpressionError
from aclnn_cts.spec.models import OperatorSpec, Product
from aclnn_cts.spec.scene_models import Settings, SpecialScene

_SECTIONS = {
    "dims": "dim",
    "attributes": "attribute",
    "shapes": "shape",
    "dtypes": "dtype",
    "fill": "fill",
    "layouts": "layout",
    "sources": "source",
}
"""The kinds of facts that the sections of a scene's settings state."""


def asked_scenes(
    spec: OperatorSpec, product: Product, factors: Mapping[str, Sequence[Any]], tier: Tier
) -> Iterator[Scene]:
    """Yield the special scenes of a spec that belong to exactly this tier.

    Each is made for every data type and each of its variants.

    Args:
        spec: The operator.
        product: The product whose promises count.
        factors: The factors of the smoke tier; what a scene leaves open takes their first levels.
        tier: The tier.

    Raises:
        WrongInputError: A scene is no valid call.
    """
    base = base_facts(factors)
    for scene in spec.scenes:
        elsewhere = scene.products is not None and product.id not in scene.products
        if elsewhere or scene.tier != tier:
            continue
        for facts in _facts_of(scene, product):
            for dtypes in dtype_choices(factors):
                chosen = {**base, **dtypes, **facts}
                if not _is_offered(facts, factors):
                    continue
                _require_valid(spec, product, scene, chosen)
                yield Scene(scene.id, scene.tier, chosen)


def _facts_of(scene: SpecialScene, product: Product) -> Iterator[dict[str, Any]]:
    """Yield the facts of each variant; those of the scene itself if it has none."""
    for variant in scene.each or [Settings()]:
        yield {**_facts(scene, product), **_facts(variant, product)}


def _facts(settings: Settings, product: Product) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for section, kind in _SECTIONS.items():
        for name, value in getattr(settings, section).items():
            facts[f"{kind}:{name}"] = tuple(value) if isinstance(value, list) else value
    if not product.inf_nan:
        facts |= {key: finite_kind(x) for key, x in facts.items() if key.startswith("fill:")}
    return facts


def _is_offered(facts: Facts, factors: Mapping[str, Sequence[Any]]) -> bool:
    """Whether the product has the data types, and knows the mask's layout, that a scene wants."""
    return all(
        value in factors.get(key, [value])
        for key, value in facts.items()
        if key.startswith(("dtype:", "source:"))
    )


def _require_valid(spec: OperatorSpec, product: Product, scene: SpecialScene, facts: Facts) -> None:
    broken = tuple(_broken(spec, product, scene, facts))
    if broken:
        shown = {key: facts[key] for key in facts if key.startswith(("dim", "attribute", "shape"))}
        raise WrongInputError(
            f"specs/{spec.operator}.yaml: scene {scene.id!r} is no valid call on {product.id}: "
            f"{'; '.join(broken)}; chosen were {shown}"
        )


def _broken(
    spec: OperatorSpec, product: Product, scene: SpecialScene, facts: Facts
) -> Iterator[str]:
    """Yield what forbids a call that must work, and what of the wishes it does not have."""
    try:
        case = build_case(spec, product.id, facts, Intent(scene.id, scene.tier))
    except (UnboundError, ExpressionError) as error:
        yield str(error)
        return
    broken = broken_requirements(spec, case)
    if broken:
        yield f"it breaks {', '.join(broken)}"
    elif not is_valid(spec, product.id, facts, most_elements("full")):
        most = most_elements("full")
        yield f"a rule cannot be evaluated for it, or a tensor has more than {most} elements"
    for tensor in case.tensors:
        yield from _not_permitted(spec, tensor)
    yield from _not_given(case, facts)


def _not_permitted(spec: OperatorSpec, tensor: TensorCase) -> Iterator[str]:
    """Yield the permissions that a tensor makes use of and does not have."""
    parameter = spec.tensor(tensor.name)
    if tensor.strides != contiguous_strides(tensor.shape) and not parameter.non_contiguous:
        yield f"{tensor.name} has the layout {tensor.layout}, but may not be non-contiguous"
    if tensor.numel == 0 and not parameter.empty:
        yield f"{tensor.name} has no elements, but may not be empty"


def _not_given(case: Case, facts: Facts) -> Iterator[str]:
    """Yield the kinds of data that a scene asks for and that the data type cannot hold."""
    for tensor in case.tensors:
        wanted = facts.get(f"fill:{tensor.name}")
        if wanted is not None and (tensor.fill is None or tensor.fill.kind != wanted):
            yield f"{tensor.name} in {tensor.dtype} cannot hold data of the kind {wanted}"
