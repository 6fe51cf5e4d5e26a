# SPDX-License-Identifier: Apache-2.0
"""Holding a spec's special scenes and one-sided clauses against the rest of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from aclnn_cts.spec.fields import Complaint
from aclnn_cts.spec.models import OperatorSpec, Product, ShapeRule, TensorParameter
from aclnn_cts.spec.scene_models import Settings
from aclnn_cts.spec.structure import structural_clauses


def scene_complaints(spec: OperatorSpec, products: Mapping[str, Product]) -> Iterator[Complaint]:
    """Yield what is wrong with the sections ``scenes`` and ``one_sided``: the place, the sentence.

    Args:
        spec: The operator.
        products: All products by id.
    """
    ids = Counter(scene.id for scene in spec.scenes)
    for index, scene in enumerate(spec.scenes):
        at: tuple[int | str, ...] = ("scenes", index)
        if ids[scene.id] > 1:
            yield (*at, "id"), f"two scenes have the id {scene.id!r}"
        yield from _unknown_names((*at, "products"), "product", scene.products or [], products)
        yield from _check_settings(spec, scene, at)
        for number, variant in enumerate(scene.each):
            yield from _check_settings(spec, variant, (*at, "each", number))
    known = _clause_ids(spec)
    for index, one_sided in enumerate(spec.one_sided):
        at = ("one_sided", index)
        yield from _unknown_names((*at, "clause"), "clause", [one_sided.clause], known)
        yield from _unknown_names((*at, "products"), "product", one_sided.products or [], products)


def _clause_ids(spec: OperatorSpec) -> set[str]:
    return {
        clause.id
        for group in (structural_clauses(spec), spec.rules, spec.clauses, spec.errors)
        for clause in group
    }


def _check_settings(
    spec: OperatorSpec, settings: Settings, at: tuple[int | str, ...]
) -> Iterator[Complaint]:
    inputs = {tensor.name for tensor in spec.inputs}
    known: dict[str, set[str]] = {
        "dims": _dim_names(spec),
        "attributes": {attribute.name for attribute in spec.attributes},
        "shapes": {tensor.name for tensor in spec.tensors if _has_choice(tensor)},
        "dtypes": {tensor.name for tensor in spec.tensors if tensor.dtypes is not None},
        "fill": inputs,
        "layouts": {tensor.name for tensor in spec.tensors},
        "sources": {tensor.name for tensor in spec.inputs if tensor.producer is not None},
    }
    for section, names in known.items():
        yield from _unknown_names((*at, section), section, getattr(settings, section), names)


def _has_choice(tensor: TensorParameter) -> bool:
    """Whether something may be chosen about a tensor's shape."""
    return tensor.shape is None or isinstance(tensor.shape, ShapeRule)


def _dim_names(spec: OperatorSpec) -> set[str]:
    names: set[str] = set()
    for tensor in spec.tensors:
        dims = tensor.shape if isinstance(tensor.shape, list) else []
        texts = [dim.removeprefix("*") if isinstance(dim, str) else dim.text for dim in dims]
        names |= {text for text in texts if text.isidentifier()}
    return names


def _unknown_names(
    at: tuple[int | str, ...], kind: str, names: object, known: object
) -> Iterator[Complaint]:
    options = sorted(str(name) for name in known)  # type: ignore[attr-defined]
    for name in names:  # type: ignore[attr-defined]
        if name not in options:
            sentence = f"unknown name {name!r} in {kind}; known: {', '.join(options) or 'none'}"
            yield (*at, name) if kind not in ("product", "clause") else at, sentence
