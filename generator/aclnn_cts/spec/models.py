# SPDX-License-Identifier: Apache-2.0
"""The pydantic models behind the YAML files of ``specs``.

The models state the form of a spec; :mod:`aclnn_cts.spec.checks` checks its consistency;
``docs/spec-reference.md`` and the JSON Schemas are generated from here.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias

from pydantic import Field, PrivateAttr, model_validator

from aclnn_cts.spec.clause_models import (
    MOST_DIMENSIONS,
    ClauseId,
    Dims,
    Document,
    Drafted,
    DtypeName,
    DtypeOf,
    ErrorClause,
    ErrorRow,
    ExpressionText,
    FillKind,
    FormatName,
    FormulaExpression,
    HeaderPath,
    Identifier,
    LayoutName,
    ModuleName,
    NotPromised,
    OperatorName,
    Precision,
    ProductId,
    Rule,
    Sentence,
    ShapeOf,
    Silence,
    Strict,
    ValueClause,
    dim_texts,
    short_form,
    spread_of,
)
from aclnn_cts.spec.data_types import all_castable, promote
from aclnn_cts.spec.editions import Edition, EditionName
from aclnn_cts.spec.expression import (
    AxisReduction,
    Called,
    Expression,
    arrangement_of,
    calls,
    movement_of,
    names_outside_reductions,
    parse,
    places_in,
    reductions_in,
)
from aclnn_cts.spec.names import BROADCASTS, MUTUAL_BROADCASTS, TRAILING, WITHIN, kernel_name
from aclnn_cts.violations import DERIVED


class Product(Strict):
    """One product of products.yaml."""

    id: ProductId = Field(description="The name in specs and commands.")
    title: str = Field(description="The name in documents.")
    soc_prefixes: list[str] = Field(min_length=1, description="Prefixes of aclrtGetSocName.")
    simulated_soc: str = Field(description="The SoC name under which the simulator plays it.")
    architecture: str = Field(description="The NpuArch.")
    malloc_slack: Annotated[int, Field(ge=0, le=64)] = Field(
        description="Bytes that aclrtMalloc adds to the size rounded up to 32."
    )
    inf_nan: bool = Field(description="Whether arithmetic has Inf and NaN; else it saturates.")
    page_names: list[str] = Field(
        default_factory=list, description="Names on the pages of operators."
    )
    page_marker: str = Field("", description="Name in the pages' product markers.")


class Products(Strict):
    """products.yaml; the order is the order in which SoC names are matched."""

    products: list[Product] = Field(min_length=1, description="In matching order.")


class MixedTolerance(Strict):
    """One column of the public operator precision standard."""

    rtol: float = Field(description="Relative tolerance of an element.")
    atol: float = Field(description="Absolute tolerance of an element.")
    hard_limit: float = Field(
        description="Largest absolute error, or `hard_limit_ulps` if that is larger."
    )


class EcosystemStandard(Strict):
    """The public operator precision standard: mixed tolerance."""

    text: Sentence
    matched_ratio: float = Field(description="Share of the elements that must be within tolerance.")
    hard_limit_ulps: float = Field(description="Largest error in ulps that is always accepted.")
    tolerances: dict[str, MixedTolerance] = Field(description="By output type.")


class StatisticalStandard(Strict):
    """Mean and maximum relative error, the earlier public standard."""

    text: Sentence
    floor: float = Field(description="Added to the magnitude that the error is divided by.")
    maximum_factor: float = Field(description="The maximum may be this many times the threshold.")
    thresholds: dict[str, float] = Field(description="Mean relative error, by output type.")


class StrictStandard(Strict):
    """The project's own standard: every element within the operator's own error budget."""

    text: Sentence


class PrecisionStandards(Strict):
    """precision.yaml."""

    strict: StrictStandard = Field(description="The project's own.")
    ecosystem: EcosystemStandard = Field(description="The public one for open operators.")
    statistical: StatisticalStandard = Field(description="The earlier public one.")


Operation: TypeAlias = Literal[
    "add",
    "multiply",
    "divide",
    "exp",
    "log",
    "sqrt",
    "tanh",
    "erf",
    "sin",
    "cos",
    "asin",
    "atan",
    "angle",
]


class Allowance(Strict):
    """An operation that a correct device may do, because no page forbids it."""

    id: ClauseId
    text: Sentence
    reason: Sentence
    source: Sentence = Field(description="Source of the statement.")
    ulps: dict[Operation, Annotated[float, Field(ge=0.5, le=8)]] = Field(
        default_factory=dict,
        description="Largest error of an operation, in ulps of the type in which it is done; half "
        "an ulp unless an allowance says more.",
    )
    accumulation_factor: Annotated[float, Field(gt=0)] | None = Field(
        None,
        description="Error of a sum of K terms: this times sqrt(K - 1) roundings, and the bits "
        "that its terms lose in its digits, at most K - 1 roundings.",
    )
    rearrangement_ulps: Annotated[float, Field(gt=0, le=8)] | None = Field(
        None,
        description="The further error of an expression that equals the formula's, in ulps of "
        "the computing type; 0 where the formula has a single operation.",
    )
    always: bool = Field(
        default=False,
        description="Whether it applies to every output whose precision names any allowance.",
    )


READINGS = "readings-that-differ"
"""The allowance of operators whose document calls two terms equal that differ."""


class Allowances(Strict):
    """allowances.yaml."""

    allowances: list[Allowance] = Field(min_length=1, description="Specs refer to them by id.")


Depth: TypeAlias = Literal["full", "contract"]
"""Depth of an operator's tests; ``contract``: all but the values of its outputs."""


class CommonClause(Strict):
    """A promise that all operators share: of the common documents, or a rule of this suite."""

    id: ClauseId
    text: Sentence
    basis: Literal["stated", "suite"] = Field(
        description="`stated`: a common document says it; `suite`: no page says it, it is a rule "
        "of this suite about memory, state and call discipline."
    )
    document: str | None = Field(None, description="The common document that states it.")
    item: str | None = Field(None, description="The chapter or sentence within it.")
    depth: Depth | None = Field(
        None, description="The depth of the operators that share it; all of them if absent."
    )
    reason: Sentence | None = Field(
        None, description="Why the suite requires it; only with the basis `suite`."
    )
    no_negative: Sentence | None = Field(None, description="Why no call can break the promise.")

    @property
    def place(self) -> str:
        """The place of the promise, for people."""
        if self.basis == "suite":
            return f"a rule of this suite: {self.reason}"
        return f"{self.document}, {self.item}"

    @model_validator(mode="after")
    def _has_its_source(self) -> CommonClause:
        source = {"document": self.document, "item": self.item}
        needed, other = (source, {"reason": self.reason})
        if self.basis == "suite":
            needed, other = other, source
        missing = [name for name, value in needed.items() if value is None]
        idle = [name for name, value in other.items() if value is not None]
        if missing:
            raise ValueError(
                f"a clause with the basis {self.basis!r} needs {' and '.join(missing)}"
            )
        if idle:
            raise ValueError(f"{' and '.join(idle)} does not go with the basis {self.basis!r}")
        return self


class Trait(Strict):
    """A kind of operators, and the scenes that each of them gets."""

    text: Sentence
    derived: dict[Identifier, str] = Field(
        default_factory=dict, description="Values that specs may name, see `derived` there."
    )
    scenes: dict[ClauseId, dict[str, Any] | None] = Field(
        description="Scenes by id, as a spec has them, or `null` for none where an earlier trait "
        "has one; `$free` is the first input with a free shape, `$inputs` each input, `$floating` "
        "each input that may be floating, `$mask` the first input of bytes, `$axes` the attribute "
        "that names axes."
    )


class Traits(Strict):
    """traits.yaml."""

    traits: dict[Identifier, Trait] = Field(description="By the name that specs use.")


class CommonClauses(Strict):
    """common.yaml."""

    clauses: list[CommonClause] = Field(description="One per shared promise.")
    side_calls: dict[Identifier, Annotated[list[OperatorName], Field(min_length=1)]] = Field(
        default_factory=dict,
        description="Operators that run beside others, which must not depend on them, by family.",
    )


class ShapeChoice(Strict):
    """One of several shapes that a tensor may have."""

    name: ClauseId
    dims: Dims | None = Field(
        None, description="One expression per dimension; `*rest` for a spread dimension."
    )
    broadcast_of: Annotated[list[Identifier], Field(min_length=2)] | None = Field(
        None, description="Instead of dims: the shape to which those tensors broadcast together."
    )
    pad_to_rank: ExpressionText | None = Field(
        None, description="Append dimensions of 1 up to this rank."
    )
    when: ExpressionText | None = Field(
        None, description="The choice exists only where this holds."
    )


class Resized(Strict):
    """The shape of another tensor, with another extent along one axis or several."""

    tensor: Identifier = Field(description="The tensor whose shape is used.")
    axis: ExpressionText = Field(
        description="The axis, counted from either end; or an array of axes."
    )
    extent: ExpressionText | None = Field(
        None, description="The extent along that axis; without it the axis is removed."
    )
    kept: ExpressionText | None = Field(
        None, description="Where it does not hold, the axis is removed all the same."
    )
    onward: bool = Field(default=False, description="Applies to all later axes, too.")

    @property
    def expressions(self) -> dict[str, Expression]:
        """The axis, and what else is stated of it, by key."""
        expressions = {"axis": self.axis, "extent": self.extent, "kept": self.kept}
        return {
            key: expression for key, expression in expressions.items() if expression is not None
        }

    @property
    def sources(self) -> list[str]:
        """The tensors that it names, the one whose shape it is first."""
        functions = itertools.product(self.expressions.values(), ("rank", "dim", "numel"))
        names = (call[0] for text, function in functions for call in calls(text, function))
        return list(dict.fromkeys([self.tensor, *names]))


class Within(Strict):
    """No extent above another tensor's, but along one axis, where any is allowed."""

    tensor: Identifier = Field(description="The other tensor, which has as many axes.")
    axis: ExpressionText = Field(description="The axis, counted from either end.")


class ShapeRule(Strict):
    """A shape by a rule, in place of another tensor's shape or a list of dimensions."""

    broadcasts_to: Identifier | None = Field(
        None, description="Any shape that broadcasts to exactly that tensor's shape."
    )
    broadcasts_with: Identifier | None = Field(
        None, description="Any shape that broadcasts with that tensor's; either may be stretched."
    )
    broadcast_of: Annotated[list[Identifier], Field(min_length=2)] | None = Field(
        None, description="The shape to which those tensors broadcast together."
    )
    one_of: list[ShapeChoice] | None = Field(None, description="The allowed shapes.")
    trailing_of: Identifier | None = Field(
        None, description="The last extents of that tensor's shape, one of them at least."
    )
    resized: Resized | None = Field(
        None, description="Another tensor's shape, with another extent along some axes."
    )
    within: Within | None = Field(
        None, description="No extent above another tensor's, but along one axis."
    )
    arranged: FormulaExpression | None = Field(
        None,
        description="The shape that an arrangement gives, such as `permute(self, dims)`; follows "
        "from the formula of an output without a shape.",
    )
    one_element: bool = Field(
        default=False, description="A single element of any rank is also allowed."
    )

    @property
    def kinds(self) -> dict[str, Any]:
        """The fields that are set, by kind: exactly one in a valid rule."""
        return {kind: value for kind in SHAPE_KINDS if (value := getattr(self, kind)) is not None}

    @property
    def partner(self) -> str | None:
        """The tensor that an input broadcasts with, in one direction or both."""
        return self.broadcasts_to or self.broadcasts_with

    @property
    def broadcast_sources(self) -> list[str]:
        """The tensors that broadcast together to this shape, or to one of its choices."""
        sources = (choice.broadcast_of for choice in self.one_of or [])
        return self.broadcast_of or next(filter(None, sources), [])

    @property
    def sources(self) -> list[str]:
        """The tensors from whose shapes this one follows."""
        if self.trailing_of:
            return [self.trailing_of]
        if self.within:
            return [self.within.tensor]
        if self.arranged and (called := arrangement_of(self.arranged)):
            index = places_in(called)
            return [called[1][0], *([index] if index else [])]
        return self.resized.sources if self.resized else self.broadcast_sources

    @property
    def levels(self) -> list[str]:
        """The names of the shapes to try for an input."""
        if self.broadcasts_with:
            return [*BROADCASTS, *MUTUAL_BROADCASTS]
        if self.trailing_of:
            return list(TRAILING)
        if self.within:
            return list(WITHIN)
        return list(BROADCASTS) if self.broadcasts_to else [item.name for item in self.one_of or []]


SHAPE_KINDS = tuple(name for name in ShapeRule.model_fields if name != "one_element")
"""The fields of :class:`ShapeRule` of which exactly one is set."""


class Producer(Strict):
    """Another operator whose output becomes this input (a forward operator's mask)."""

    operator: OperatorName
    output: Identifier = Field(description="The producer's output that is passed on.")
    inputs: dict[Identifier, Identifier] = Field(
        description="The producer's tensor inputs: this operator's tensor by the producer's name."
    )
    outputs: dict[Identifier, Identifier] = Field(
        default_factory=dict,
        description="The producer's other outputs: this operator's tensor of the same shape.",
    )
    layout_known_on: list[str] = Field(
        default_factory=list,
        description="Architectures on which the formula module can make the passed tensor itself.",
    )
    layout_known_when: ExpressionText = Field(
        default_factory=lambda: parse("true"),
        description="The calls for which it can make the tensor.",
    )


ListLength: TypeAlias = Literal["any"] | Annotated[int, Field(ge=2)]
"""The greatest number of members of a list; `any` if the page states none."""


DtypesBy: TypeAlias = Annotated[
    dict[DtypeName, list[DtypeName]],
    Field(
        description="With `dtype: x.dtype`: the data types that go with each of x, the usual one "
        "first."
    ),
]
DtypesByOn: TypeAlias = Annotated[
    dict[ProductId, dict[DtypeName, list[DtypeName]]],
    Field(description="Products on which others go with some of them."),
]


class TensorParameter(Drafted):
    """A tensor in the C prototype, with what its row of the parameter table promises."""

    name: Identifier
    tensor: Literal["input", "output", "inout"] = Field(
        description="Whether the operator reads it, writes it, or writes its result over it."
    )
    const: bool | None = Field(
        None, description="Whether the prototype says `const`; inputs do unless stated."
    )
    stands_for: list[Identifier] = Field(
        default_factory=list,
        description="The input and the output that an inout tensor is in the formula and in "
        "`when`; follows from the section `second`.",
    )
    length: ListLength | None = Field(
        None,
        description="It is a list of tensors: how many there may be, or `any`. The operator is "
        "called once for all, and treats the first tensors of all lists like a call of their "
        "own, then the second ones, and so on.",
    )
    length_on: dict[ProductId, ListLength] = Field(
        default_factory=dict, description="Products on which a list may have another length."
    )
    dtypes: list[DtypeName] | None = Field(None, description="The supported data types.")
    dtypes_on: dict[ProductId, list[DtypeName]] = Field(
        default_factory=dict, description="Products with other data types."
    )
    untested_on: dict[ProductId, list[DtypeName]] = Field(
        default_factory=dict,
        description="Data types that a product supports, but no case there can use.",
    )
    dtype: DtypeOf | None = Field(
        None, description="`x.dtype`: the same data type as x, or else one of `dtypes` if stated."
    )
    dtypes_by: DtypesBy = Field(default_factory=dict)
    dtypes_by_on: DtypesByOn = Field(default_factory=dict)
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
    absent: float | Literal["unwanted"] | None = Field(
        None,
        description="The value of each element of an input for which a null pointer is "
        "passed; `unwanted`: an output may be null. Without `absent` a tensor may not be null.",
    )
    wanted: ExpressionText | None = Field(
        None,
        description="For an output that may be null: the calls in which it must not be. In the "
        "others it stays as it is.",
    )
    unpromised: ExpressionText | None = Field(
        None,
        description="For an output of a contract operator: the calls in which the page promises "
        "nothing about its values.",
    )
    unpromised_on: list[ProductId] = Field(
        default_factory=list,
        description="Products on which the page promises nothing about its values.",
    )
    thresholds: list[ExpressionText] = Field(
        default_factory=list,
        description="Values around which the outcome changes, beside those that the formula "
        "compares it with.",
    )
    producer: Producer | None = Field(None, description="The operator that makes it.")
    item: str | None = Field(None, description="Its row in the document, if named otherwise.")
    contradicted: list[
        Literal["direction", "dtypes", "shape", "rank", "formats", "non_contiguous", "empty"]
    ] = Field(
        default_factory=list,
        description="Columns of its row that the page itself contradicts, as `note` says.",
    )
    note: str | None = Field(None, description="What the document leaves open or contradicts.")

    @property
    def is_input(self) -> bool:
        """Whether the operator reads the tensor."""
        return self.tensor != "output"

    @property
    def is_output(self) -> bool:
        """Whether the operator writes the tensor."""
        return self.tensor != "input"

    @property
    def is_const(self) -> bool:
        """Whether the prototype says ``const``."""
        return not self.is_output if self.const is None else self.const

    @property
    def ranks(self) -> tuple[int, int]:
        """Least and greatest rank, also if its row names none."""
        return self.rank or (0, MOST_DIMENSIONS)

    @property
    def rule(self) -> ShapeRule | None:
        """The rule of its shape, if it has one."""
        return self.shape if isinstance(self.shape, ShapeRule) else None

    @property
    def is_single(self) -> bool:
        """Whether it has one element, whatever its rank, which goes with all of the others."""
        dims = [dim for choice in self.choices for dim in choice.dims or ["*"]]
        is_one = dim_texts(dims) == ["1"]
        return is_one and self.rule is not None and self.rule.one_element

    @property
    def named_axes(self) -> int:
        """Number of listed dimensions besides a spread one; 0 if there is none."""
        return sum(spread_of(self.shape) or ())

    @property
    def axes(self) -> int | None:
        """The number of listed dimensions that may be longer than 1; None if any number is."""
        if not isinstance(self.shape, list) or not self.has_named_dims:
            return None
        return sum(text != "1" for text in dim_texts(self.shape))

    @property
    def has_named_dims(self) -> bool:
        """Whether a fixed number of dimensions is listed, without a spread one."""
        return isinstance(self.shape, list) and spread_of(self.shape) is None

    @property
    def choices(self) -> list[ShapeChoice]:
        """The shapes that the tensor has one at a time; none if a single rule gives its shape."""
        return (self.shape.one_of if isinstance(self.shape, ShapeRule) else None) or []

    @property
    def as_input(self) -> str:
        """The tensor's name as an input of the formula."""
        return self.stands_for[0] if self.stands_for else self.name

    @property
    def as_output(self) -> str:
        """The tensor's name as an output of the formula."""
        return self.stands_for[1] if self.stands_for else self.name


INTEGERS = {
    "int64": range(-(2**63), 2**63),
    "uint64": range(2**64),
    "int32": range(-(2**31), 2**31),
    "int": range(-(2**31), 2**31),
    "int8": range(-(2**7), 2**7),
}
"""Attributes that are integers, and the numbers that they can be."""

BY_VALUE = ("double", "float", *INTEGERS, "bool", "dtype")
"""Attributes that are passed by value, and so never null."""

ARRAYS = ("ints", "bools")
"""Attributes that are arrays."""

SCALARS = ("scalar", "scalars")
"""Attributes that have a data type of their own."""


C_TYPES = {
    "double": "double",
    "float": "float",
    "int64": "int64_t",
    "uint64": "uint64_t",
    "int32": "int32_t",
    "int": "int",
    "int8": "int8_t",
    "bool": "bool",
    "string": "char*",
    "ints": "aclIntArray*",
    "bools": "aclBoolArray*",
    "scalar": "aclScalar*",
    "scalars": "aclScalarList*",
    "dtype": "aclDataType",
}
"""The types of attributes in C, without ``const``."""


class AttributeParameter(Drafted):
    """An attribute in the C prototype."""

    name: Identifier
    attribute: Literal[
        "double",
        "float",
        "int64",
        "uint64",
        "int32",
        "int",
        "int8",
        "bool",
        "string",
        "ints",
        "bools",
        "scalar",
        "scalars",
        "dtype",
    ] = Field(
        description="The type in the prototype; `ints` is aclIntArray, `bools` is aclBoolArray, "
        "`string` is char *, `scalar` is aclScalar, `dtype` is aclDataType; `scalars` is "
        "aclScalarList, with one scalar for the tensors at each place of the lists."
    )
    dtypes: list[DtypeName] | None = Field(
        None, description="The supported data types of a scalar, the usual one first."
    )
    dtypes_on: dict[ProductId, list[DtypeName]] = Field(
        default_factory=dict, description="Products on which a scalar has other data types."
    )
    untested_on: dict[ProductId, list[DtypeName]] = Field(
        default_factory=dict,
        description="Data types that a product supports, but no case there can use.",
    )
    dtype: DtypeOf | None = Field(
        None,
        description="`x.dtype`: instead of `dtypes`, a scalar has the data type of tensor x, or "
        "the attribute is that data type.",
    )
    dtypes_by: DtypesBy = Field(default_factory=dict)
    dtypes_by_on: DtypesByOn = Field(default_factory=dict)
    held_in: Literal["float32", "float16"] | DtypeOf | None = Field(
        None,
        description="The narrower type in which a number may be stored; `x.dtype`: that of "
        "the tensor x, or the attribute x.",
    )
    absent: Any = Field(
        None,
        description="The value that a null pointer stands for; without it, null is not allowed. "
        "`null` is then one of the values in `factors`.",
    )
    recommended: Any = Field(None, description="The value that the document recommends.")
    item: str | None = Field(None, description="Its row in the document, if named otherwise.")
    note: str | None = Field(None, description="What the document leaves open or contradicts.")

    @property
    def is_array(self) -> bool:
        return self.attribute in ARRAYS

    @property
    def numbers(self) -> range | None:
        """The integers that its type in C holds; None if it is no integer."""
        return INTEGERS.get(self.attribute)


REAL = ("double", "float", *SCALARS)
"""The attributes with real values."""


class Settings(Strict):
    """The settings of a scene; all others stay as ordinary as possible."""

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
    formats: dict[Identifier, FormatName] = Field(
        default_factory=dict, description="Formats by tensor; the first one of its row otherwise."
    )
    sources: dict[Identifier, Literal["producer", "data"]] = Field(
        default_factory=dict, description="What makes an input that has a producer."
    )
    absent: dict[Identifier, bool] = Field(
        default_factory=dict, description="Whether a null pointer is passed, where one may be."
    )


class _Scene(Settings):
    tier: Literal["smoke", "standard", "full"] = Field(
        "standard", description="The lowest tier that contains it."
    )
    products: list[ProductId] | None = Field(
        None, description="The products that it is made for; all if absent."
    )
    each: Annotated[
        list[Settings], short_form(list[Settings] | dict[str, dict[Identifier, list[Any]]])
    ] = Field(
        default_factory=list,
        description="Variants: each is added to the scene's own settings. As a mapping: the values "
        "of a setting, one per variant; several settings advance together.",
    )
    varied: bool = Field(
        default=False,
        description="Whether it is also made with its data in one input at a time, and for each "
        "value of each attribute that it leaves open.",
    )


class SpecialScene(_Scene):
    """A special scene: made once for each data type and each of its variants."""

    id: ClauseId
    why: Sentence = Field(description="What a device may get wrong here.")


class SceneChange(_Scene):
    """A scene by its id: one of the spec's own, or changes to a trait's."""

    why: Sentence | None = Field(None, description="What a device may get wrong here.")


class OneSided(Strict):
    """A direction in which a clause cannot be tested, and why."""

    clause: Annotated[ClauseId, short_form(ClauseId | list[ClauseId])] = Field(
        description="A clause of the spec, or one of its parameter table; several as a list."
    )
    missing: Literal["positive", "negative"] = Field(
        description="`positive`: no case can test it; `negative`: no case can break it alone."
    )
    reason: Sentence
    products: list[ProductId] | None = Field(
        None, description="The products concerned; all if absent."
    )


if TYPE_CHECKING:
    DerivedKind: TypeAlias = str
else:
    DerivedKind = Literal[DERIVED]
"""Violations of what the tables of parameters and products require."""

Determinism: TypeAlias = Literal["deterministic", "switchable", "unpromised"]
Support: TypeAlias = Literal["supported", "incomplete", "unsupported", "unlisted"]
"""``incomplete``: the page supports the product, but leaves out what each call there needs, such as
a shape; ``unlisted``: it does not mention the product, so it promises neither."""


class BatchConsistency(Strict):
    """The promise that a sample's results do not depend on the batch around it."""

    level: Literal[0, 3] = Field(
        description="The level of ACL_OPT_DETERMINISTIC from which on it holds; 0: always."
    )
    products: Annotated[list[ProductId], Field(min_length=1)] | None = Field(
        None, description="Where it is promised; on all supported ones if absent."
    )
    tensor: Identifier = Field(description="The input whose axes are those of the batch.")
    reduced: ExpressionText = Field(
        description="Its axis along which elements are combined, counted from either end, or an "
        "array of such axes. A batch may be cut and permuted along each other axis."
    )


class Factors(Strict):
    """Factors that the planner varies besides those of the parameters; ordinary values first."""

    dims: dict[Identifier, list[Any]] = Field(
        default_factory=dict, description="Extents of the named dimensions."
    )
    dims_on: dict[ProductId, dict[Identifier, list[Any]]] = Field(
        default_factory=dict, description="Products on which dimensions have other extents."
    )
    attributes: dict[Identifier, list[Any]] = Field(
        default_factory=dict, description="Values of attributes; text is an expression."
    )
    attributes_on: dict[ProductId, dict[Identifier, list[Any]]] = Field(
        default_factory=dict, description="Products on which attributes have other values."
    )
    fill: dict[Identifier, list[FillKind]] = Field(
        default_factory=dict,
        description="Kinds of data by tensor; follow from an elementwise formula.",
    )
    data_dependent: ExpressionText | None = Field(
        None,
        description="A condition for the calls to plan. Shapes and "
        "attributes alone determine the results of other calls, which only scenes make. Elements "
        "that a layout repeats count once.",
    )
    never_same: list[Identifier] = Field(
        default_factory=list,
        description="Inputs that are never passed as the same elements, because only their "
        "difference counts.",
    )

    def dims_of(self, product: str) -> dict[str, list[Any]]:
        """Return the extents of named dimensions on a product."""
        return self.dims | self.dims_on.get(product, {})

    def attributes_of(self, product: str) -> dict[str, list[Any]]:
        """Return the values of attributes on a product."""
        return self.attributes | self.attributes_on.get(product, {})


class SecondOperator(Strict):
    """A page's second operator.

    Everything that is not stated here is as for the first one.
    """

    operator: OperatorName
    tensor: dict[str, Any] | None = Field(
        None,
        description="If it works in place: the row of the inout tensor, as far "
        "as it differs from the input's; its `name` at least.",
    )
    of: tuple[Identifier, Identifier] | None = Field(
        None, description="The input and the output that `tensor` replaces."
    )
    errors: dict[str, Any] = Field(description="Its own error table, as in `errors`.")
    changes: dict[str, Any] = Field(
        default_factory=dict,
        description="A merge patch of the first operator's spec, before derivation.",
    )

    @model_validator(mode="after")
    def _takes_places(self) -> SecondOperator:
        if (self.tensor is None) != (self.of is None):
            raise ValueError("`tensor` and `of` go together: the tensor takes two places")
        return self


class FormulaFile(NamedTuple):
    """A formula module that is in no package.

    Attributes:
        written: The file of which that is a copy, and which messages name.
    """

    path: Path
    written: Path


class FormulaText(NamedTuple):
    """Formulas that a spec states.

    Attributes:
        file: The spec's file.
        terms: Names of outputs and local names, in order, with their expressions.
        outputs: The outputs.
        scalars: Real attributes, which a device may convert.
        reads: Names that the formulas or conditions of clauses read.
        of_rows: The outputs with one element for all along the axes of reductions.
    """

    file: str
    terms: tuple[tuple[str, Expression], ...]
    outputs: frozenset[str]
    scalars: frozenset[str]
    reads: frozenset[str]
    of_rows: frozenset[str] = frozenset()

    @property
    def trees(self) -> list[ast.expr]:
        """The syntax trees of the expressions."""
        return [expression.tree for _, expression in self.terms]


Formula: TypeAlias = str | FormulaFile | FormulaText
"""A formula module: its name in :mod:`aclnn_cts.golden.operators`, or its file; or the spec's own
formulas."""


def listed_types(parameter: TensorParameter | AttributeParameter) -> list[str]:
    """Return the data types that a row lists for any product."""
    every = itertools.chain(parameter.dtypes or (), *parameter.dtypes_on.values())
    return list(dict.fromkeys(every))


class OperatorSpec(Drafted):
    """Everything that an operator's document promises."""

    operator: OperatorName
    summary: Sentence
    header: HeaderPath
    document: Document = Field(description="The transcribed page.")
    products: Annotated[
        dict[ProductId, Support],
        short_form(dict[ProductId, Support] | dict[Support, list[ProductId]]),
    ] = Field(description="The table of products, all of them: support by product, or the reverse.")
    role: Literal["tested", "producer"] = Field(
        "tested", description="A producer only makes inputs for other operators."
    )
    traits: list[Identifier] = Field(
        default_factory=list,
        description="Kinds of operators that it belongs to; traits.yaml defines their scenes. "
        "`elementwise` follows from a formula.",
    )
    parameters: list[
        Annotated[TensorParameter | AttributeParameter, Field(union_mode="left_to_right")]
    ] = Field(min_length=1, max_length=64, description="In the order of the C prototype.")
    derived: dict[Identifier, ExpressionText] = Field(
        default_factory=dict, description="Named values computed from shapes and attributes."
    )
    elements: dict[Identifier, str] = Field(
        default_factory=dict,
        description="Per-element values that the formula module supplies to `when`.",
    )
    depth: Depth = Field(
        "full",
        description="`contract`: there is no formula. Cases test refusals, layouts, memory, state, "
        "repetition, and that ordinary data give finite values.",
    )
    golden: ModuleName = Field(
        "",
        description="Formula module: in generator/aclnn_cts/golden/operators, or beside a spec "
        "that is not the suite's. The depth `contract` has none.",
    )
    formula: dict[Identifier, FormulaExpression] = Field(
        default_factory=dict,
        description="The formula of each output, in place of a module; names of intermediate "
        "results come before their use.",
    )
    precision: list[Precision] = Field(
        default_factory=list,
        description="The allowed error of each output; follows from an elementwise formula.",
    )
    computes_in: dict[ProductId, dict[DtypeName, DtypeName]] = Field(
        default_factory=dict, description="Products that compute a data type in a narrower one."
    )
    rules: list[Rule] = Field(default_factory=list, description="Conditions of valid calls.")
    clauses: list[ValueClause] = Field(
        default_factory=list,
        description="Accepted results, element by element; the formula for all, if absent.",
    )
    errors: Annotated[
        list[ErrorClause], short_form(list[ErrorClause] | dict[str, list[ErrorRow]])
    ] = Field(
        default_factory=list,
        description="Wrong calls: the rows of the error table by status, and what the page "
        "says elsewhere under `refusal` or `requirement`.",
    )
    underived: list[DerivedKind] = Field(
        default_factory=list,
        description="Violations without a derived clause, despite a column of the parameter table.",
    )
    determinism: Determinism | dict[ProductId, Determinism] = Field(
        default="unpromised",
        description="Whether repeated runs agree bit for bit; by product if they differ.",
    )
    batch_consistency: BatchConsistency | None = Field(
        None,
        description="Whether a sample gets the same bits in each batch and at each place there.",
    )
    not_promised: Annotated[
        list[NotPromised], short_form(list[NotPromised] | dict[ClauseId, Sentence | Silence | None])
    ] = Field(
        default_factory=list,
        description="Points on which the document is silent, by id: a text, or a mapping with "
        "`when`; `null` removes a default.",
    )
    one_sided: list[OneSided] = Field(
        default_factory=list, description="Directions in which a clause cannot be tested."
    )
    factors: Factors = Field(default=Factors(), description="What the planner varies.")
    scenes: Annotated[
        list[SpecialScene], short_form(list[SpecialScene] | dict[ClauseId, SceneChange | None])
    ] = Field(
        default_factory=list,
        description="Special calls, by id, each with cases of its own. An id of a trait's scene "
        "changes that, as a merge patch; `null` removes it.",
    )
    editions: dict[EditionName, Edition] = Field(
        default_factory=dict, description="Differences of other editions of the document."
    )
    second: SecondOperator | None = Field(
        None, description="The page's second operator, such as one that works in place."
    )
    second_of: OperatorName | None = Field(
        None, description="The first operator of the page; follows from its section `second`."
    )

    _formula_file: FormulaFile | None = PrivateAttr(default=None)

    @cached_property
    def formula_source(self) -> Formula:
        """The formula module, or the formulas of the spec."""
        if not self.formula:
            return self._formula_file or self.golden
        return FormulaText(
            self.file,
            tuple(self.formula.items()),
            frozenset(output.as_output for output in self.outputs),
            frozenset(
                attribute.name for attribute in self.attributes if attribute.attribute in REAL
            ),
            self.read_names,
            self.of_rows,
        )

    @cached_property
    def reductions(self) -> list[AxisReduction]:
        """The sums along axes, and other reductions, in the formula."""
        return [each for term in self.formula.values() for each in reductions_in(term).values()]

    @cached_property
    def of_rows(self) -> frozenset[str]:
        """The outputs that read elements only within sums along axes, or other reductions."""
        elements = {tensor.as_input for tensor in self.inputs}
        for name, expression in self.formula.items():
            if names_outside_reductions(expression) & elements:
                elements.add(name)
        return frozenset({o.as_output for o in self.outputs} - elements if self.reductions else ())

    @cached_property
    def is_uniform(self) -> bool:
        """Whether elements of outputs are equal: formulas read no tensor of several elements."""
        names = {name for term in self.formula.values() for name in term.names}
        read = (tensor for tensor in self.inputs if tensor.as_input in names)
        return bool(self.formula) and all(each.is_single or each.shape == [] for each in read)

    @property
    def is_reduced(self) -> bool:
        """Whether outputs have one element for all along the axes of reductions."""
        return bool(self.of_rows)

    @cached_property
    def read_names(self) -> frozenset[str]:
        """The names that formulas, but for movements, or conditions of clauses read."""
        conditions = [clause.when for clause in self.clauses]
        conditions += [silence.when for silence in self.not_promised if silence.when is not None]
        terms = [
            expression for expression in self.formula.values() if movement_of(expression) is None
        ]
        return frozenset(name for expression in (*terms, *conditions) for name in expression.names)

    @cached_property
    def arrangement(self) -> Called | None:
        """The function and the arguments by which the formula arranges an input's elements."""
        return next(filter(None, map(arrangement_of, self.formula.values())), None)

    @property
    def places(self) -> str:
        """The input of places among those of another one's elements; empty if there is none."""
        return places_in(self.arrangement)

    @cached_property
    def kernel(self) -> str:
        """The name of the simulated operator's kernel, and of its oracle; empty without values."""
        if self.is_contract:
            return ""
        return self.golden or kernel_name(self.second_of or self.operator)

    @property
    def is_random(self) -> bool:
        """Whether the outputs consist of random bits."""
        return any(clause.expect == "random-bits" for clause in self.clauses)

    @property
    def follows_data(self) -> bool:
        """Whether the inputs' data decide the results, and not a seed."""
        return not self.is_random and all("seed" not in p.name.lower() for p in self.parameters)

    @property
    def has_known_places(self) -> bool:
        """Whether the place of each output among the outputs is known.

        No page says whether a tensor that is input and output counts beside other outputs.
        """
        return len({tensor.tensor for tensor in self.outputs}) == 1

    @property
    def is_condition(self) -> bool:
        """Whether elements of the output say where a condition holds."""
        return not {"condition", "truth_of_rows"}.isdisjoint(self.traits)

    @property
    def is_exact(self) -> bool:
        """Whether elements of the output are truths, bits or copies: many may be 0 or equal."""
        return self.is_condition or "of_bits" in self.traits or self.arrangement is not None

    @property
    def mixes_types(self) -> bool:
        """Whether inputs of different data types are promoted to a common one."""
        return "promotion" in self.traits

    @property
    def types_in_turn(self) -> bool:
        """Whether data types take turns at all that does not depend on them.

        Those of inputs that may differ, or ten of an output with a shape of its own, alone make
        hundreds of cases.
        """
        has_own_shape = self.is_reduced or (self.is_exact and "mutual_broadcast" in self.traits)
        return self.mixes_types or has_own_shape or bool(self.places)

    @property
    def is_contract(self) -> bool:
        """Whether the values of its outputs are not tested."""
        return self.depth == "contract"

    def with_formula(self, file: FormulaFile) -> OperatorSpec:
        """Return the spec with a formula module in a file of its own."""
        copied = self.model_copy()
        copied._formula_file = file  # noqa: SLF001 - its own copy
        return copied

    def __copy__(self) -> OperatorSpec:
        """Return a copy without cached properties, because its fields may be replaced."""
        copied = super().__copy__()
        for name, value in vars(type(self)).items():
            if isinstance(value, cached_property):
                copied.__dict__.pop(name, None)
        return copied

    @cached_property
    def tensors(self) -> tuple[TensorParameter, ...]:
        """The tensor parameters in prototype order."""
        return tuple(p for p in self.parameters if isinstance(p, TensorParameter))

    @cached_property
    def dependent_types(self) -> tuple[str, ...]:
        """The parameters whose data types go with some of another one's."""
        parameters: tuple[TensorParameter | AttributeParameter, ...] = self.tensors + self.scalars
        return tuple(parameter.name for parameter in parameters if parameter.dtypes_by)

    @cached_property
    def lists(self) -> tuple[TensorParameter, ...]:
        """The lists of tensors in prototype order."""
        return tuple(p for p in self.tensors if p.length is not None)

    @cached_property
    def scalar_lists(self) -> tuple[str, ...]:
        """The lists of scalars in prototype order."""
        return tuple(p.name for p in self.attributes if p.attribute == "scalars")

    def longest(self, product: str, name: str | None = None) -> int | None:
        """Return the greatest length of a list, or of all; None if the page states none."""
        lists = self.lists if name is None else [self.tensor(name)]
        lengths = (each.length_on.get(product, each.length) for each in lists)
        return min((length for length in lengths if isinstance(length, int)), default=None)

    @cached_property
    def inputs(self) -> tuple[TensorParameter, ...]:
        """The input tensors in prototype order."""
        return tuple(p for p in self.tensors if p.is_input)

    @cached_property
    def outputs(self) -> tuple[TensorParameter, ...]:
        """The output tensors in prototype order."""
        return tuple(p for p in self.tensors if p.is_output)

    @cached_property
    def attributes(self) -> tuple[AttributeParameter, ...]:
        """The attributes in prototype order."""
        return tuple(p for p in self.parameters if isinstance(p, AttributeParameter))

    @cached_property
    def scalars(self) -> tuple[AttributeParameter, ...]:
        """The attributes that have a data type of their own, in prototype order."""
        return tuple(p for p in self.attributes if p.attribute in SCALARS)

    def threshold_fill(self, name: str) -> str:
        """Return the kind of data of an input that lies around thresholds."""
        return "pairs" if "pairs" in self.factors.fill.get(name, []) else "around-thresholds"

    @cached_property
    def broadcasts(self) -> dict[str, list[str]]:
        """The inputs to whose common shape they broadcast, by output."""
        rules = {t.name: t.shape for t in self.outputs if isinstance(t.shape, ShapeRule)}
        return {
            name: rule.broadcast_sources for name, rule in rules.items() if rule.broadcast_sources
        }

    @cached_property
    def resize_rules(self) -> dict[str, Resized]:
        """The rules for shapes that equal another tensor's except for one extent, by tensor."""
        rules = {t.name: t.shape.resized for t in self.tensors if isinstance(t.shape, ShapeRule)}
        return {name: rule for name, rule in rules.items() if rule}

    @cached_property
    def conversion_targets(self) -> tuple[str, ...]:
        """The outputs to which the type promoted from the inputs' must convert, and may not.

        Also the scalars whose type must convert to that of the tensors.
        """
        if self.is_condition:
            return self.converted_scalars  # bool converts to each output
        converting = {name for error in self.errors if error.kind.converts for name in error.names}
        promoted = {name for error in self.errors if error.kind.promotes for name in error.names}
        promoted &= {tensor.name for tensor in self.inputs}
        sources: tuple[TensorParameter | AttributeParameter, ...] = (*self.inputs, *self.scalars)
        types = {name for source in sources for name in listed_types(source)}
        roots = {self.dtype_root(source.name) for source in sources}
        outputs = (
            output.name
            for output in self.outputs
            if output.name in converting | promoted
            and roots != {self.dtype_root(output.name)}
            and not all_castable(types, listed_types(output))
        )
        return (*outputs, *self.converted_scalars)

    @cached_property
    def converted_scalars(self) -> tuple[str, ...]:
        """The scalars whose data type must convert to the one promoted from the tensors'."""
        converting = {name for error in self.errors if error.kind.converts for name in error.names}
        return tuple(scalar.name for scalar in self.scalars if scalar.name in converting)

    @cached_property
    def unpromotable(self) -> frozenset[str]:
        """The parameters that must have a common data type, and whose supported ones may not."""
        named = {name for error in self.errors if error.kind.promotes for name in error.names}
        sources: tuple[TensorParameter | AttributeParameter, ...] = (*self.tensors, *self.scalars)
        types = {each.name: listed_types(each) for each in sources if each.name in named}
        pairs = itertools.combinations(
            sorted({dtype for each in types.values() for dtype in each}), 2
        )
        return frozenset(types if any(promote(pair) is None for pair in pairs) else ())

    def promoted_dtype(self, dtypes: Mapping[str, str]) -> str | None:
        """Return the data type to which inputs and scalars are promoted; None if there is none.

        Scalars that are converted to it do not count.

        Args:
            dtypes: The data types of parameters, by name; those of some may be missing.
        """
        scalars = [each for each in self.scalars if each.name not in self.converted_scalars]
        of_inputs, of_scalars = (
            [dtypes[parameter.name] for parameter in parameters if parameter.name in dtypes]
            for parameters in (self.inputs, scalars)
        )
        return promote(of_inputs, of_scalars)

    def rules_on(self, product: str | None) -> list[Rule]:
        """Return the rules that hold on a product; those that hold everywhere if None."""
        return [rule for rule in self.rules if rule.products is None or product in rule.products]

    def errors_on(self, product: str) -> list[ErrorClause]:
        """Return the error clauses that hold on a product; without support, only that one."""
        return [
            error
            for error in self.errors
            if (error.products is None or product in error.products)
            and (self.supports(product) or error.is_of_product)
        ]

    def reserved_tensors(self, product: str | None = None) -> set[str]:
        """Return the tensors for which a rule demands a null pointer: everywhere, or on one."""
        required = {rule.require.text for rule in self.rules_on(product)}
        return {tensor.name for tensor in self.tensors if f"not given({tensor.name})" in required}

    @property
    def readings(self) -> int:
        """Number of readings where the document calls different terms equal."""
        return 1 + any(READINGS in item.allowances for item in self.precision)

    @property
    def dim_names(self) -> set[str]:
        """The names of dimensions in the tensors' shapes; a spread one without its asterisk."""
        lists = [tensor.shape for tensor in self.tensors if isinstance(tensor.shape, list)]
        texts = dim_texts(itertools.chain.from_iterable(lists))
        return {name for text in texts if (name := text.removeprefix("*")).isidentifier()}

    def parameter(self, name: str) -> TensorParameter | AttributeParameter:
        """Return the parameter of that name; KeyError if there is none."""
        return self._parameters_by_name[name]

    def tensor(self, name: str) -> TensorParameter:
        """Return the tensor parameter of that name; KeyError if there is none."""
        return self._tensors_by_name[name]

    @cached_property
    def _tensors_by_name(self) -> dict[str, TensorParameter]:
        return {parameter.name: parameter for parameter in self.tensors}

    @cached_property
    def _parameters_by_name(self) -> dict[str, TensorParameter | AttributeParameter]:
        return {parameter.name: parameter for parameter in self.parameters}

    @property
    def file(self) -> str:
        """The name of the file that states the spec, in the suite or an operator folder."""
        return f"{self.second_of or self.operator}.yaml"

    def supports(self, product: str) -> bool:
        """Whether the document promises the operator on the product."""
        return self.products.get(product) == "supported"

    def mentions(self, product: str) -> bool:
        """Whether the document says of the product that it supports the operator, or does not."""
        return self.products.get(product) in ("supported", "unsupported")

    def dtypes(self, name: str, product: str, *, untested: bool = False) -> tuple[str, ...]:
        """Return the data types that a parameter may have in the cases of a product.

        Args:
            untested: Whether to include supported types that no case there can use.
        """
        parameter = self._parameters_by_name[name]
        dtypes = self.own_dtypes(name, product)
        if untested:
            dtypes = (*dtypes, *parameter.untested_on.get(product, []))
        if parameter.dtype is None or parameter.dtypes_by:
            return dtypes
        source = self.dtypes(parameter.dtype.removesuffix(".dtype"), product, untested=untested)
        return tuple(dict.fromkeys((*source, *dtypes)))

    def dtype_root(self, name: str) -> str:
        """Return the parameter whose data type another one has, by way of others perhaps."""
        parameter = self._parameters_by_name[name]
        if parameter.dtype is None:
            return name
        return self.dtype_root(parameter.dtype.removesuffix(".dtype"))

    def own_dtypes(self, name: str, product: str) -> tuple[str, ...]:
        """Return the data types that a row lists, whatever those of other tensors are."""
        parameter = self._parameters_by_name[name]
        if parameter.dtypes_by:
            beside = self._dtypes_by(name, product).values()
            return tuple(dict.fromkeys(itertools.chain(*beside)))
        return tuple(parameter.dtypes_on.get(product, parameter.dtypes or []))

    def dtypes_beside(self, name: str, source: str, product: str) -> tuple[str, ...]:
        """Return the data types of a parameter that go with one of its source."""
        return tuple(self._dtypes_by(name, product).get(source, ()))

    def _dtypes_by(self, name: str, product: str) -> DtypesBy:
        parameter = self._parameters_by_name[name]
        return parameter.dtypes_by | parameter.dtypes_by_on.get(product, {})

    def clauses_of(self, output: str, *, inf_nan: bool) -> dict[int, ValueClause]:
        """Return the value clauses that a product is held to on an output.

        Args:
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

    def silences_of(self, output: str, product: str) -> tuple[Expression, ...]:
        """Return the conditions under which a product promises nothing of an output's elements."""
        return tuple(
            silence.when
            for silence in self.not_promised
            if silence.when is not None
            and (silence.output is None or output in silence.output)
            and (silence.products is None or product in silence.products)
        )

    def determinism_on(self, product: str) -> Determinism:
        """Return the promise about repeated runs on a product."""
        if isinstance(self.determinism, dict):
            return self.determinism.get(product, "unpromised")
        return self.determinism

    def batch_level_on(self, product: str) -> int | None:
        """Return the level of determinism at which batches are consistent; None if never."""
        promise = self.batch_consistency
        if promise is None or not self.supports(product):
            return None
        return promise.level if promise.products is None or product in promise.products else None

    @property
    def leading(self) -> str:
        """The first input that may be floating, or of bits, distinguishes output elements."""
        bits = "of_bits" in self.traits
        telling = (t.name for t in self.inputs if bits or t.dtypes is None or "float32" in t.dtypes)
        return next(telling, "")
