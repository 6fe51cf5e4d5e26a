# SPDX-License-Identifier: Apache-2.0
"""Special scenes: calls that a spec asks for by name, beside what the planner combines."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from aclnn_cts.spec.fields import (
    ClauseId,
    DtypeName,
    FillKind,
    Identifier,
    LayoutName,
    ProductId,
    Sentence,
    Strict,
    written_as,
)


class Settings(Strict):
    """What a scene chooses; all else stays as ordinary as it can be."""

    dims: dict[Identifier, Any] = Field(
        default_factory=dict, description="Extents of named dimensions."
    )
    attributes: dict[Identifier, Any] = Field(
        default_factory=dict, description="Values of attributes; text is an expression."
    )
    shapes: dict[Identifier, list[int] | str] = Field(
        default_factory=dict,
        description="Shapes of tensors whose shape is free, or the name of one of the choices.",
    )
    dtypes: dict[Identifier, DtypeName] = Field(
        default_factory=dict, description="Data types of tensors that choose their own."
    )
    fill: dict[Identifier, FillKind] = Field(
        default_factory=dict, description="Kinds of data by tensor."
    )
    layouts: dict[Identifier, LayoutName] = Field(
        default_factory=dict, description="Layouts by tensor."
    )
    sources: dict[Identifier, Literal["producer", "data"]] = Field(
        default_factory=dict, description="Who makes an input that has a producer."
    )


class _Scene(Settings):
    tier: Literal["smoke", "standard", "full"] = Field(
        "standard", description="The lowest tier that holds it."
    )
    products: list[ProductId] | None = Field(None, description="Where it is made; all if absent.")
    each: Annotated[
        list[Settings], written_as(list[Settings] | dict[str, dict[Identifier, list[Any]]])
    ] = Field(
        default_factory=list,
        description="Variants: each is added to the scene's own settings. As a mapping: the values "
        "that a setting takes in turn, several settings side by side.",
    )


class SpecialScene(_Scene):
    """A special scene: made once for each data type and each of its variants."""

    id: ClauseId
    why: Sentence = Field(description="What a device may get wrong here.")


class SceneChange(_Scene):
    """A scene by its id: one of the spec's own, or what differs from a trait's."""

    why: Sentence | None = Field(None, description="What a device may get wrong here.")


class OneSided(Strict):
    """A direction in which a clause cannot be tested, and why."""

    clause: Annotated[ClauseId, written_as(ClauseId | list[ClauseId])] = Field(
        description="A clause of the spec, or one of its parameter table; several as a list."
    )
    missing: Literal["positive", "negative"] = Field(
        description="No case can keep it to the promise, or no case can stand just outside it."
    )
    reason: Sentence
    products: list[ProductId] | None = Field(None, description="Where it is so; all if absent.")
