# SPDX-License-Identifier: Apache-2.0
"""The models of the parameters in an operator's C prototype, with their rows of the document."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from aclnn_cts.spec.expression import parse
from aclnn_cts.spec.fields import (
    ClauseId,
    Dims,
    DtypeName,
    DtypeOf,
    ExpressionText,
    FormatName,
    Identifier,
    OperatorName,
    ProductId,
    ShapeOf,
    Strict,
)


class ShapeChoice(Strict):
    """One of several shapes that a tensor may have."""

    name: ClauseId
    dims: list[ExpressionText] = Field(description="One expression per dimension.")
    pad_to_rank: ExpressionText | None = Field(
        None, description="Append dimensions of 1 up to this rank."
    )
    when: ExpressionText | None = Field(
        None, description="The choice exists only where this holds."
    )


class ShapeRule(Strict):
    """A shape that is neither free, nor equal to another tensor's, nor one list of dimensions."""

    broadcasts_to: Identifier | None = Field(
        None, description="Any shape that broadcasts to exactly that tensor's shape."
    )
    one_of: list[ShapeChoice] | None = Field(None, description="The allowed shapes.")
    one_element: bool = Field(
        default=False, description="A single element is allowed, too, in any number of dimensions."
    )


class Producer(Strict):
    """Another operator whose output becomes this input (a forward operator's mask)."""

    operator: OperatorName
    output: Identifier = Field(description="The producer's output that is handed over.")
    inputs: dict[Identifier, Identifier] = Field(
        description="The producer's tensor inputs: this operator's tensor by the producer's name."
    )
    outputs: dict[Identifier, Identifier] = Field(
        default_factory=dict,
        description="The producer's other outputs: this operator's tensor of the same shape.",
    )
    layout_known_on: list[str] = Field(
        default_factory=list,
        description="Architectures on which the formula module can write the hand-over itself.",
    )
    layout_known_when: ExpressionText = Field(
        default_factory=lambda: parse("true"), description="The calls for which it can."
    )


class TensorParameter(Strict):
    """A tensor in the C prototype, with what its row of the parameter table promises."""

    name: Identifier
    tensor: Literal["input", "output"] = Field(
        description="Whether the operator reads or writes it."
    )
    const: bool | None = Field(
        None, description="Whether the prototype says `const`; inputs do unless stated."
    )
    dtypes: list[DtypeName] | None = Field(None, description="The supported data types.")
    dtypes_on: dict[ProductId, list[DtypeName]] = Field(
        default_factory=dict, description="Products with other data types."
    )
    untested_on: dict[ProductId, list[DtypeName]] = Field(
        default_factory=dict,
        description="Data types that are supported on a product, and that no case there can have.",
    )
    dtype: DtypeOf | None = Field(None, description="`x.dtype`: the same data type as x.")
    shape: ShapeOf | Dims | ShapeRule | None = Field(
        None, description="`x.shape`, a list of dimensions, or a rule; free if absent."
    )
    rank: tuple[int, int] | None = Field(None, description="Least and greatest rank.")
    formats: list[FormatName] = Field(
        default=["ND"], min_length=1, description="The supported formats, the usual one first."
    )
    non_contiguous: bool = Field(
        default=True, description="Non-contiguous tensors are promised to work."
    )
    empty: bool = Field(default=False, description="Empty tensors are promised to work.")
    thresholds: list[ExpressionText] = Field(
        default_factory=list, description="Values around which the outcome changes."
    )
    producer: Producer | None = Field(None, description="The operator whose output it is.")
    item: str | None = Field(None, description="Its row in the document, if named otherwise.")
    note: str | None = Field(None, description="What the document leaves open or contradicts.")

    @property
    def is_input(self) -> bool:
        """Whether the operator reads the tensor."""
        return self.tensor == "input"


class AttributeParameter(Strict):
    """An attribute in the C prototype."""

    name: Identifier
    attribute: Literal["double", "int64", "bool", "string", "ints"] = Field(
        description="The type in the prototype; `ints` is aclIntArray, `string` is char *."
    )
    held_in: Literal["float32", "float16"] | None = Field(
        None, description="The narrower type in which the operator keeps a double."
    )
    recommended: Any = Field(None, description="The value that the document recommends.")
    item: str | None = Field(None, description="Its row in the document, if named otherwise.")
    note: str | None = Field(None, description="What the document leaves open or contradicts.")
