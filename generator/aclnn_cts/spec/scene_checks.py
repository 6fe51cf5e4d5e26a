# SPDX-License-Identifier: Apache-2.0
"""Holding a spec's special scenes and one-sided clauses against the rest of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from aclnn_cts.spec.fields import Complaint
from aclnn_cts.spec.models import OperatorSpec, Product, ShapeRule, TensorParameter
from aclnn_cts.spec.names import BROADCASTS, unknown
from aclnn_cts.spec.scene_models import Settings, SpecialScene
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
        yield from _never_made(spec, products, scene, at)
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
        "dims": spec.dim_names,
        "attributes": {attribute.name for attribute in spec.attributes},
        "shapes": {tensor.name for tensor in spec.tensors if _has_choice(tensor)},
        "dtypes": {tensor.name for tensor in spec.tensors if tensor.dtypes is not None},
        "fill": inputs,
        "layouts": {tensor.name for tensor in spec.tensors},
        "sources": {tensor.name for tensor in spec.inputs if tensor.producer is not None},
    }
    for section, names in known.items():
        yield from _unknown_names((*at, section), section, getattr(settings, section), names)
    yield from _check_choices(spec, settings, at)


def _check_choices(
    spec: OperatorSpec, settings: Settings, at: tuple[int | str, ...]
) -> Iterator[Complaint]:
    """Yield what is wrong with the shapes and data types that tensors are to have."""
    tensors = {tensor.name: tensor for tensor in spec.tensors}
    for name, shape in settings.shapes.items():
        if name in tensors and _has_choice(tensors[name]) and isinstance(shape, str):
            yield from _check_choice(tensors[name], shape, (*at, "shapes", name))
    for name, dtype in settings.dtypes.items():
        allowed = _dtypes(tensors[name]) if name in tensors else ()
        if allowed and dtype not in allowed:
            sentence = f"{name} never has the data type {dtype!r}; allowed: {', '.join(allowed)}"
            yield (*at, "dtypes", name), sentence


def _check_choice(
    tensor: TensorParameter, choice: str, at: tuple[int | str, ...]
) -> Iterator[Complaint]:
    """Yield a complaint if a tensor has no shape of that name."""
    if not isinstance(tensor.shape, ShapeRule):
        yield at, f"the shape of {tensor.name} is free; give a list of extents, not {choice!r}"
        return
    known = [item.name for item in tensor.shape.one_of or []] or BROADCASTS
    if choice not in known:
        yield at, f"{unknown('shape', choice, known)}; or give a list of extents"


def _dtypes(tensor: TensorParameter) -> tuple[str, ...]:
    """Return the data types that a tensor has on any product."""
    every = [tensor.dtypes or [], *tensor.dtypes_on.values()]
    return tuple(dict.fromkeys(dtype for dtypes in every for dtype in dtypes))


def _never_made(
    spec: OperatorSpec,
    products: Mapping[str, Product],
    scene: SpecialScene,
    at: tuple[int | str, ...],
) -> Iterator[Complaint]:
    """Yield a complaint for each variant that is a case on no product at all."""
    named = [name for name in scene.products or products if name in products]
    supported = [products[name] for name in named if spec.supports(name)]
    if not supported and named:
        yield (*at, "products"), f"{spec.operator} works on none of {', '.join(named)}"
        return
    places = [(*at, "each", number) for number in range(len(scene.each))] or [at]
    for place, variant in zip(places, scene.each or [Settings()], strict=True):
        dtypes = {**scene.dtypes, **variant.dtypes}
        sources = {**scene.sources, **variant.sources}
        if named and not any(_has(spec, product, dtypes, sources) for product in supported):
            wanted = ", ".join(f"{name}: {item}" for name, item in {**dtypes, **sources}.items())
            names = ", ".join(product.id for product in supported)
            yield place, f"no case on any product: {wanted} is offered on none of {names}"


def _has(
    spec: OperatorSpec, product: Product, dtypes: Mapping[str, str], sources: Mapping[str, str]
) -> bool:
    """Whether a product has data types, and whether the layout of data to hand over is known."""
    tensors = {tensor.name: tensor for tensor in spec.tensors}
    own_types = all(
        dtype in spec.dtypes(name, product.id)
        for name, dtype in dtypes.items()
        if name in tensors and dtype in _dtypes(tensors[name])
    )
    return own_types and all(
        source == "producer" or product.architecture in producer.layout_known_on
        for name, source in sources.items()
        if name in tensors and (producer := tensors[name].producer) is not None
    )


def _has_choice(tensor: TensorParameter) -> bool:
    """Whether something may be chosen about a tensor's shape."""
    return tensor.shape is None or isinstance(tensor.shape, ShapeRule)


def _unknown_names(
    at: tuple[int | str, ...], kind: str, names: object, known: object
) -> Iterator[Complaint]:
    options = sorted(str(name) for name in known)  # type: ignore[attr-defined]
    for name in names:  # type: ignore[attr-defined]
        if name not in options:
            sentence = f"unknown name {name!r} in {kind}; known: {', '.join(options) or 'none'}"
            yield (*at, name) if kind not in ("product", "clause") else at, sentence
