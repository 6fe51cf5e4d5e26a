# SPDX-License-Identifier: Apache-2.0
"""What an operator's spec may say: the pydantic models behind ``specs/aclnn*.yaml``.

The models state the shape of a spec; :mod:`aclnn_cts.spec.checks` holds what is said in one place
against what is said in another; ``docs/spec-reference.md`` and ``specs/schema`` are generated from
here.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from aclnn_cts.spec.clause_models import (
    VIOLATIONS,
    ErrorClause,
    ErrorRow,
    NotPromised,
    Precision,
    Rule,
    ValueClause,
)
from aclnn_cts.spec.edition_models import Edition, EditionName
from aclnn_cts.spec.fields import (
    ClauseId,
    Document,
    DtypeName,
    ExpressionText,
    FillKind,
    HeaderPath,
    Identifier,
    ModuleName,
    OperatorName,
    ProductId,
    Sentence,
    Strict,
    Where,
    written_as,
)
from aclnn_cts.spec.parameters import (
    AttributeParameter,
    Producer,
    ShapeChoice,
    ShapeRule,
    TensorParameter,
)
from aclnn_cts.spec.scene_models import OneSided, SceneChange, SpecialScene
from aclnn_cts.spec.standards import (
    Allowance,
    Allowances,
    CommonClause,
    CommonClauses,
    EcosystemStandard,
    MixedTolerance,
    PrecisionStandards,
    Product,
    Products,
    StatisticalStandard,
    StrictStandard,
    Trait,
    Traits,
)

DerivedKind: TypeAlias = Literal[
    "dtype_differs",
    "shape_differs",
    "rank_outside",
    "format_outside_support",
    "unsupported_product",
]
"""Violations that the tables of parameters and products require nobody to make."""

Determinism: TypeAlias = Literal["deterministic", "switchable", "unpromised"]
Support: TypeAlias = Literal["supported", "unsupported", "unlisted"]
"""``unlisted``: the page does not mention the product, so it promises neither."""


class Factors(Strict):
    """What the planner varies beyond what it derives from the parameters; ordinary values first."""

    dims: dict[Identifier, list[Any]] = Field(
        default_factory=dict, description="Extents of the named dimensions."
    )
    attributes: dict[Identifier, list[Any]] = Field(
        default_factory=dict, description="Values of attributes; text is an expression."
    )
    fill: dict[Identifier, list[FillKind]] = Field(
        default_factory=dict, description="Kinds of data by tensor."
    )


class OperatorSpec(Strict):
    """Everything that an operator's document promises."""

    operator: OperatorName
    summary: Sentence
    header: HeaderPath
    document: Document = Field(description="The page that is transcribed.")
    products: Annotated[
        dict[ProductId, Support],
        written_as(dict[ProductId, Support] | dict[Support, list[ProductId]]),
    ] = Field(description="The table of products, all of them: support by product, or the reverse.")
    role: Literal["tested", "producer"] = Field(
        "tested", description="A producer only makes inputs for other operators."
    )
    traits: list[Identifier] = Field(
        default_factory=list,
        description="Kinds of operators that it belongs to; traits.yaml has their scenes.",
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
        default_factory=list, description="What a right device may be off, for each output."
    )
    computes_in: dict[ProductId, dict[DtypeName, DtypeName]] = Field(
        default_factory=dict, description="Products that compute a data type in a narrower one."
    )
    rules: list[Rule] = Field(default_factory=list, description="Conditions of valid calls.")
    clauses: list[ValueClause] = Field(
        default_factory=list, description="What may come back, element by element."
    )
    errors: Annotated[
        list[ErrorClause], written_as(list[ErrorClause] | dict[str, list[ErrorRow]])
    ] = Field(
        default_factory=list,
        description="Calls to be refused: the rows of the error table by status, and what the page "
        "says elsewhere under `refusal` or `requirement`.",
    )
    underived: list[DerivedKind] = Field(
        default_factory=list,
        description="Violations that no clause forbids, although the parameter table has a column.",
    )
    determinism: Determinism | dict[ProductId, Determinism] = Field(
        default="unpromised",
        description="Whether repeated runs agree bit for bit; per product if need be.",
    )
    not_promised: Annotated[
        list[NotPromised], written_as(list[NotPromised] | dict[ClauseId, Sentence | None])
    ] = Field(
        default_factory=list,
        description="Points on which the document is silent, by id; `null` takes a default back.",
    )
    one_sided: list[OneSided] = Field(
        default_factory=list, description="Directions in which a clause cannot be tested."
    )
    factors: Factors = Field(default=Factors(), description="What the planner varies.")
    scenes: Annotated[
        list[SpecialScene], written_as(list[SpecialScene] | dict[ClauseId, SceneChange | None])
    ] = Field(
        default_factory=list,
        description="Calls that deserve a case of their own, by id. An id of a trait's scene "
        "changes that, as a merge patch; `null` removes it.",
    )
    editions: dict[EditionName, Edition] = Field(
        default_factory=dict, description="What other editions of the document say differently."
    )

    def __copy__(self) -> OperatorSpec:
        """Return a copy that works its parameters out anew: it may be given others."""
        copied = super().__copy__()
        for name in ("tensors", "inputs", "outputs", "attributes", "_tensors_by_name"):
            copied.__dict__.pop(name, None)
        return copied

    @cached_property
    def tensors(self) -> tuple[TensorParameter, ...]:
        """The tensor parameters in prototype order."""
        return tuple(p for p in self.parameters if isinstance(p, TensorParameter))

    @cached_property
    def inputs(self) -> tuple[TensorParameter, ...]:
        """The input tensors in prototype order."""
        return tuple(p for p in self.tensors if p.is_input)

    @cached_property
    def outputs(self) -> tuple[TensorParameter, ...]:
        """The output tensors in prototype order."""
        return tuple(p for p in self.tensors if not p.is_input)

    @cached_property
    def attributes(self) -> tuple[AttributeParameter, ...]:
        """The attributes in prototype order."""
        return tuple(p for p in self.parameters if isinstance(p, AttributeParameter))

    @property
    def dim_names(self) -> set[str]:
        """The names of dimensions in the tensors' shapes; a spread one without its asterisk."""
        lists = [tensor.shape for tensor in self.tensors if isinstance(tensor.shape, list)]
        texts = [dim if isinstance(dim, str) else dim.text for dims in lists for dim in dims]
        return {name for text in texts if (name := text.removeprefix("*")).isidentifier()}

    def tensor(self, name: str) -> TensorParameter:
        """Return the tensor parameter of that name; KeyError if there is none."""
        return self._tensors_by_name[name]

    @cached_property
    def _tensors_by_name(self) -> dict[str, TensorParameter]:
        return {parameter.name: parameter for parameter in self.tensors}

    def supports(self, product: str) -> bool:
        """Whether the document promises the operator on the product."""
        return self.products.get(product) == "supported"

    def mentions(self, product: str) -> bool:
        """Whether the document says of the product that it supports the operator, or does not."""
        return self.products.get(product) in ("supported", "unsupported")

    def supported_dtypes(self, name: str, product: str) -> tuple[str, ...]:
        """Return the data types that a tensor may have on a product, tested or not."""
        parameter = self.tensor(name)
        if parameter.dtype is not None:
            return self.supported_dtypes(parameter.dtype.removesuffix(".dtype"), product)
        return (*self.dtypes(name, product), *parameter.untested_on.get(product, []))

    def dtypes(self, name: str, product: str) -> tuple[str, ...]:
        """Return the data types that a tensor may have on a product, of those that are tested."""
        parameter = self.tensor(name)
        if parameter.dtype is not None:
            return self.dtypes(parameter.dtype.removesuffix(".dtype"), product)
        return tuple(parameter.dtypes_on.get(product, parameter.dtypes or []))

    def clauses_of(self, output: str, *, inf_nan: bool) -> dict[int, ValueClause]:
        """Return the value clauses that a product is held to on an output.

        Args:
            output: The output's name.
            inf_nan: Whether the product has Inf and NaN; without them nothing that is said about
                them can be held against it.

        Returns:
            The clauses by their place in the spec, which is their bit in ``Expected.reached``.
        """
        return {
            number: clause
            for number, clause in enumerate(self.clauses)
            if (clause.output is None or output in clause.output)
            and (inf_nan or not clause.needs_inf_nan)
        }

    def determinism_on(self, product: str) -> Determinism:
        """Return what is promised about repeated runs on a product."""
        if isinstance(self.determinism, dict):
            return self.determinism.get(product, "unpromised")
        return self.determinism

    @property
    def leading(self) -> str:
        """The floating input that comes first, whose elements tell the outputs' apart; or none."""
        floating = (t.name for t in self.inputs if t.dtypes is None or "float32" in t.dtypes)
        return next(floating, "")


__all__ = [
    "VIOLATIONS",
    "Allowance",
    "Allowances",
    "AttributeParameter",
    "CommonClause",
    "CommonClauses",
    "Determinism",
    "Document",
    "EcosystemStandard",
    "Edition",
    "ErrorClause",
    "Factors",
    "MixedTolerance",
    "NotPromised",
    "OneSided",
    "OperatorSpec",
    "Precision",
    "PrecisionStandards",
    "Producer",
    "Product",
    "Products",
    "Rule",
    "ShapeChoice",
    "ShapeRule",
    "SpecialScene",
    "StatisticalStandard",
    "StrictStandard",
    "Support",
    "TensorParameter",
    "Trait",
    "Traits",
    "ValueClause",
    "Where",
]
