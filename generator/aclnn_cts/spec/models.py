# SPDX-License-Identifier: Apache-2.0
"""What an operator's spec may say: the pydantic models behind ``specs/aclnn*.yaml``.

The models state the shape of a spec; :mod:`aclnn_cts.spec.checks` holds what is said in one place
against what is said in another; ``docs/spec-reference.md`` and ``specs/schema`` are generated from
here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from aclnn_cts.spec.data_types import STATUSES
from aclnn_cts.spec.expression import parse
from aclnn_cts.spec.fields import (
    ClauseId,
    Document,
    DtypeName,
    ExpressionText,
    HeaderPath,
    Identifier,
    ModuleName,
    OperatorName,
    ProductId,
    Sentence,
    StatusName,
    Strict,
    Where,
)
from aclnn_cts.spec.parameters import (
    AttributeParameter,
    Producer,
    ShapeChoice,
    ShapeRule,
    TensorParameter,
)
from aclnn_cts.spec.standards import (
    CommonClause,
    CommonClauses,
    EcosystemStandard,
    MixedTolerance,
    PrecisionStandards,
    Product,
    Products,
    StatisticalStandard,
    StrictStandard,
)


class ValueClause(Strict):
    """What may come back for the elements to which the clause applies."""

    id: ClauseId
    text: Sentence
    where: Where = Field(description="Its place in the document.")
    output: list[Identifier] | None = Field(
        None, description="Outputs it speaks of; all if absent."
    )
    when: ExpressionText = Field(
        default_factory=lambda: parse("true"), description="The elements it speaks of."
    )
    expect: Literal["value", "zero", "nan", "inf", "non-finite", "any"] = Field(
        description="What may come back; `value` is what the formula gives, `any` is no promise."
    )
    overrides: list[ClauseId] = Field(
        default_factory=list, description="Clauses to which the document makes this an exception."
    )
    needs_inf_nan: bool = Field(
        default=False, description="Cannot be held against a product without Inf/NaN mode."
    )


class Rule(Strict):
    """A condition on shapes and attributes that every valid call fulfils."""

    id: ClauseId
    text: Sentence
    where: Where = Field(description="Its place in the document.")
    require: ExpressionText = Field(description="The condition, one truth per call.")
    products: list[ProductId] | None = Field(None, description="Where it holds; all if absent.")


class ErrorClause(Strict):
    """A call that must be refused, and how a passing call is changed into it."""

    id: ClauseId
    text: Sentence
    where: Where = Field(description="Its place in the document.")
    status: StatusName | list[StatusName] = Field(
        description="The status; several where the document does not tell which."
    )
    products: list[ProductId] | None = Field(None, description="Where it holds; all if absent.")
    null_pointer: list[Identifier] | None = Field(
        None, description="Pass a null pointer for one of these, in turn."
    )
    dtype_outside_support: list[Identifier] | None = Field(
        None, description="A data type that is not supported on the product."
    )
    dtype_differs: list[Identifier] | None = Field(
        None, description="A supported data type, but not that of the tensor it must equal."
    )
    rank_outside: list[Identifier] | None = Field(None, description="One dimension too many.")
    shape_differs: list[Identifier] | None = Field(
        None, description="Each dimension off by one, in turn."
    )
    format_outside_support: list[Identifier] | None = Field(
        None, description="A format that is not supported."
    )
    empty_tensor: list[Identifier] | None = Field(None, description="A tensor without elements.")
    non_contiguous: list[Identifier] | None = Field(
        None, description="A tensor that is not contiguous."
    )
    assign: list[dict[Identifier, Any]] | None = Field(
        None, description="Attribute values or dimensions that break the rule."
    )
    note: str | None = Field(None, description="What the document leaves open or contradicts.")

    @property
    def statuses(self) -> tuple[int, ...]:
        """The codes that are accepted."""
        names = self.status if isinstance(self.status, list) else [self.status]
        return tuple(STATUSES[name] for name in names)


VIOLATIONS = (
    "null_pointer",
    "dtype_outside_support",
    "dtype_differs",
    "rank_outside",
    "shape_differs",
    "format_outside_support",
    "empty_tensor",
    "non_contiguous",
    "assign",
)
"""The fields of :class:`ErrorClause` of which exactly one is set."""


class Precision(Strict):
    """The strict error budget of one output, from the number of its roundings."""

    output: Identifier
    roundings: Annotated[float, Field(ge=0, le=64)] = Field(
        description="Roundings in the computing type (float32), each half an ulp of `bound`."
    )
    storage_roundings: Annotated[float, Field(ge=0, le=4)] = Field(
        0, description="Roundings in the output's own type besides the last one."
    )
    accumulates: ExpressionText | None = Field(
        None, description="Terms that are summed up in the computing type."
    )
    why: Sentence


class NotPromised(Strict):
    """A point about which the document is silent on purpose of the spec's reader."""

    id: ClauseId
    text: Sentence


Determinism: TypeAlias = Literal["deterministic", "switchable", "unpromised"]
Support: TypeAlias = Literal["supported", "unsupported"]


class Factors(Strict):
    """What the planner varies beyond what it derives from the parameters; ordinary values first."""

    dims: dict[Identifier, list[Any]] = Field(
        default_factory=dict, description="Extents of the named dimensions."
    )
    attributes: dict[Identifier, list[Any]] = Field(
        default_factory=dict, description="Values of attributes; text is an expression."
    )
    fill: dict[Identifier, list[str]] = Field(
        default_factory=dict, description="Kinds of data by tensor."
    )


class OperatorSpec(Strict):
    """Everything that an operator's document promises."""

    operator: OperatorName
    summary: Sentence
    header: HeaderPath
    document: Document = Field(description="The page that is transcribed.")
    products: dict[ProductId, Support] = Field(description="The table of products, all of them.")
    role: Literal["tested", "producer"] = Field(
        "tested", description="A producer only makes inputs for other operators."
    )
    parameters: list[
        Annotated[TensorParameter | AttributeParameter, Field(union_mode="left_to_right")]
    ] = Field(min_length=1, description="In the order of the C prototype.")
    derived: dict[Identifier, ExpressionText] = Field(
        default_factory=dict, description="Named values computed from shapes and attributes."
    )
    elements: dict[Identifier, str] = Field(
        default_factory=dict,
        description="Per-element values that the formula module supplies to `when`.",
    )
    golden: ModuleName = Field(description="Module in generator/aclnn_cts/golden/operators.")
    precision: list[Precision] = Field(
        default_factory=list, description="The strict standard's budget for each output."
    )
    computes_in: dict[ProductId, dict[DtypeName, DtypeName]] = Field(
        default_factory=dict, description="Products that compute a data type in a narrower one."
    )
    rules: list[Rule] = Field(default_factory=list, description="Conditions of valid calls.")
    clauses: list[ValueClause] = Field(
        default_factory=list, description="What may come back, element by element."
    )
    errors: list[ErrorClause] = Field(default_factory=list, description="Calls to be refused.")
    determinism: Determinism | dict[ProductId, Determinism] = Field(
        default="unpromised",
        description="Whether repeated runs agree bit for bit; per product if need be.",
    )
    not_promised: list[NotPromised] = Field(
        default_factory=list, description="Points on which the document is silent."
    )
    factors: Factors = Field(default=Factors(), description="What the planner varies.")

    @property
    def tensors(self) -> tuple[TensorParameter, ...]:
        """The tensor parameters in prototype order."""
        return tuple(p for p in self.parameters if isinstance(p, TensorParameter))

    @property
    def inputs(self) -> tuple[TensorParameter, ...]:
        """The input tensors in prototype order."""
        return tuple(p for p in self.tensors if p.is_input)

    @property
    def outputs(self) -> tuple[TensorParameter, ...]:
        """The output tensors in prototype order."""
        return tuple(p for p in self.tensors if not p.is_input)

    @property
    def attributes(self) -> tuple[AttributeParameter, ...]:
        """The attributes in prototype order."""
        return tuple(p for p in self.parameters if isinstance(p, AttributeParameter))

    def tensor(self, name: str) -> TensorParameter:
        """Return the tensor parameter of that name; KeyError if there is none."""
        return {parameter.name: parameter for parameter in self.tensors}[name]

    def supports(self, product: str) -> bool:
        """Whether the document promises the operator on the product."""
        return self.products.get(product) == "supported"

    def dtypes(self, name: str, product: str) -> tuple[str, ...]:
        """Return the data types that a tensor may have on a product."""
        parameter = self.tensor(name)
        if parameter.dtype is not None:
            return self.dtypes(parameter.dtype.removesuffix(".dtype"), product)
        return tuple(parameter.dtypes_on.get(product, parameter.dtypes or []))

    def determinism_on(self, product: str) -> Determinism:
        """Return what is promised about repeated runs on a product."""
        if isinstance(self.determinism, dict):
            return self.determinism.get(product, "unpromised")
        return self.determinism

    def precision_of(self, output: str) -> Precision:
        """Return the error budget of an output; KeyError if the spec states none."""
        return {precision.output: precision for precision in self.precision}[output]


__all__ = [
    "VIOLATIONS",
    "AttributeParameter",
    "CommonClause",
    "CommonClauses",
    "Determinism",
    "Document",
    "EcosystemStandard",
    "ErrorClause",
    "Factors",
    "MixedTolerance",
    "NotPromised",
    "OperatorSpec",
    "Precision",
    "PrecisionStandards",
    "Producer",
    "Product",
    "Products",
    "Rule",
    "ShapeChoice",
    "ShapeRule",
    "StatisticalStandard",
    "StrictStandard",
    "Support",
    "TensorParameter",
    "ValueClause",
    "Where",
]
