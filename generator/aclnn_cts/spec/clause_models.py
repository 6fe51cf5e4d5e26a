# SPDX-License-Identifier: Apache-2.0
"""Models of promises: accepted results, valid calls, refused calls.

Also the types of all models' fields (names, sentences, places, dimensions), and the ids of the
clauses that all operators share: those of common.yaml, determinism and batch consistency.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    create_model,
)

from aclnn_cts.spec.data_types import DATA_TYPES, FORMATS, STATUSES
from aclnn_cts.spec.expression import Expression, ExpressionError, parse, parse_formula
from aclnn_cts.spec.names import FILL_KINDS, LAYOUT_NAMES, OWN_FILL
from aclnn_cts.spec.yaml_files import Location
from aclnn_cts.violations import KINDS
from aclnn_cts.violations.kind import Kind


class Strict(BaseModel):
    """A frozen model that refuses unknown keys."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, arbitrary_types_allowed=True, defer_build=True
    )


class Drafted(Strict):
    """A part of a spec that may have todos in a draft."""

    todo: list[str] = Field(
        default_factory=list,
        description="Statements to be transcribed, with their places on the page; a spec with "
        "any is refused.",
    )


def _parser(parse: Callable[[str], Expression], form: Any) -> BeforeValidator:
    """Return the validator of an expression; a plain number or boolean is itself."""

    def expression(value: Any) -> Any:
        if isinstance(value, Expression):
            return value
        text = str(value).lower() if isinstance(value, bool) else str(value)
        try:
            return parse(text)
        except ExpressionError as error:
            raise ValueError(str(error)) from None

    return BeforeValidator(expression, json_schema_input_type=form)


def _one_of(kind: str, known: Collection[str]) -> BeforeValidator:
    return BeforeValidator(lambda value: _require(kind, value, known))


def _require(kind: str, value: Any, known: Collection[str]) -> Any:
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"unknown {kind} {value!r}; allowed: {', '.join(known)}")
    return value


def _fill_kind(value: Any) -> Any:
    if isinstance(value, str) and re.fullmatch(OWN_FILL, value):
        return value
    return _require("kind of data", value, FILL_KINDS)


ClauseId: TypeAlias = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$"),
    Field(description="Small letters and digits, joined by hyphens; stable once published."),
]
Identifier: TypeAlias = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*$"),
    Field(description="A name as in the C prototype."),
]
OperatorName: TypeAlias = Annotated[
    str,
    StringConstraints(pattern=r"^aclnn[A-Z][A-Za-z0-9]*$"),
    Field(description="The operator, as in its C functions."),
]
HeaderPath: TypeAlias = Annotated[
    str,
    StringConstraints(pattern=r"^(aclnnop/(level2/)?)?aclnn_[a-z0-9_]+\.h$"),
    Field(description="The header that declares the operator."),
]
ModuleName: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
ProductId: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Fingerprint: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z2-7]{10}$")]
DtypeName: TypeAlias = Annotated[
    str,
    _one_of("data type", DATA_TYPES),
    Field(json_schema_extra={"enum": list(DATA_TYPES)}),
]
FormatName: TypeAlias = Annotated[
    str, _one_of("format", FORMATS), Field(json_schema_extra={"enum": list(FORMATS)})
]
StatusName: TypeAlias = Annotated[
    str, _one_of("status", STATUSES), Field(json_schema_extra={"enum": list(STATUSES)})
]
FillKind: TypeAlias = Annotated[
    str,
    BeforeValidator(_fill_kind),
    Field(json_schema_extra={"anyOf": [{"enum": list(FILL_KINDS)}, {"pattern": f"^{OWN_FILL}$"}]}),
]
LayoutName: TypeAlias = Annotated[
    str, _one_of("layout", LAYOUT_NAMES), Field(json_schema_extra={"enum": list(LAYOUT_NAMES)})
]
ExpressionText: TypeAlias = Annotated[Expression, _parser(parse, str | int | float | bool)]
FormulaExpression: TypeAlias = Annotated[Expression, _parser(parse_formula, str | int | float)]
Sentence: TypeAlias = Annotated[
    str, StringConstraints(min_length=8), Field(description="A few English words of your own.")
]


def _shape(value: Any) -> Any:
    """Check that there is one spread dimension (``*rest``) at most."""
    if isinstance(value, list):
        spread = [dim for dim in value if isinstance(dim, str) and dim.startswith("*")]
        if len(spread) > 1:
            raise ValueError(f"{spread[1]!r}: only one dimension can be a spread")
    return value


def dim_texts(dims: Iterable[str | Expression]) -> list[str]:
    """Return listed dimensions as a spec writes them; a spread one has an asterisk."""
    return [dim if isinstance(dim, str) else dim.text for dim in dims]


def spread_of(dims: Any) -> tuple[int, int] | None:
    """Return the index of a list's spread dimension, and how many dimensions follow it; or None."""
    if isinstance(dims, list):
        for position, dim in enumerate(dims):
            if isinstance(dim, str):
                return position, len(dims) - position - 1
    return None


Spread: TypeAlias = Annotated[str, StringConstraints(pattern=r"^\*[a-z][A-Za-z0-9_]*$")]
ShapeOf: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*\.shape$")]
DtypeOf: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*\.dtype$")]
Dims: TypeAlias = Annotated[list[Spread | ExpressionText], BeforeValidator(_shape)]


def short_form(form: Any) -> BeforeValidator:
    """Return the marker of a field with a short form, which ``expansion`` expands."""
    return BeforeValidator(lambda value: value, json_schema_input_type=form)


def split_place(text: str) -> dict[str, str]:
    """Return section and item of a place that is written as ``section, item``."""
    section, _, item = text.partition(", ")
    return {"section": section, "item": item}


class Where(Strict):
    """The place of a promise in the operator's document."""

    section: Literal["products", "function", "prototype", "parameters", "errors", "constraints"] = (
        Field(description="The chapter of the document.")
    )
    item: str = Field(description="The row, formula or list item within the chapter.")


Place: TypeAlias = Annotated[
    Where,
    BeforeValidator(
        lambda value: split_place(value) if isinstance(value, str) else value,
        json_schema_input_type=Where | str,
    ),
    Field(description="Its place in the document: `section, item`."),
]


MOST_DIMENSIONS = 8
"""Maximum number of dimensions if a page names none (aclnn pages say 0 to 8)."""


class Document(Strict):
    """The document that the spec transcribes."""

    title: str = Field(description="Title of the page.")
    edition: Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}$")] = Field(
        description="Year and month of the page."
    )
    family: Annotated[str, StringConstraints(pattern=r"^[a-z]+$")] = Field(
        "other", description="The chapter of operators that the page is filed under."
    )


Complaint = tuple[Location, str]
"""A mistake in a spec: the place in its data, and the sentence."""


def _without_needs(schema: dict[str, Any]) -> None:
    """Leave out what the loader adds where a spec with a formula does not state it."""
    schema["required"] = ["id"]


class ValueClause(Drafted):
    """The accepted results of the elements to which the clause applies."""

    model_config = ConfigDict(json_schema_extra=_without_needs)

    id: ClauseId
    text: Sentence = Field(description="A few English words; the formula and `when`, if absent.")
    where: Place = Field(description="Its place in the document; the formula's, if absent.")
    output: list[Identifier] | None = Field(
        None, description="Outputs that it applies to; all if absent."
    )
    when: ExpressionText = Field(
        default_factory=lambda: parse("true"), description="The elements that it applies to."
    )
    expect: Literal["value", "zero", "nan", "inf", "non-finite", "any", "random-bits"] = Field(
        "value",
        description="Accepted results; `value`: the formula's result, `any`: no promise, "
        "`random-bits`: random bits, whose distribution the formula module states.",
    )
    by: Identifier | None = Field(
        None,
        description="An attribute on which random bits depend, such as a seed: the judge compares "
        "calls that differ in nothing else.",
    )
    overrides: list[ClauseId] = Field(
        default_factory=list, description="Clauses to which the document makes this an exception."
    )
    needs_inf_nan: bool = Field(
        default=False, description="Cannot be held against a product without Inf/NaN mode."
    )


class Rule(Drafted):
    """A condition on shapes and attributes that every valid call fulfils."""

    id: ClauseId
    text: Sentence
    where: Place
    require: ExpressionText = Field(description="The condition, one truth per call.")
    products: list[ProductId] | None = Field(None, description="Where it holds; all if absent.")


Names: TypeAlias = Annotated[list[Identifier], Field(min_length=1)]
"""The parameters to which an error clause applies, one at a time; at least one."""


Basis: TypeAlias = Literal["status", "refusal", "requirement"]
"""The document's statement about a call that breaks an error clause: ``status``, it is refused with
a certain status; ``refusal``, it is refused or ends in an error; ``requirement``, callers must not
make it, and the outcome is open."""


class _Guarded(Drafted):
    """How a valid call is changed into one that must not be made: exactly one of the kinds."""

    when: ExpressionText | None = Field(
        None,
        description="A condition for the calls that it applies to. `assign` needs it: its "
        "values are examples.",
    )
    products: Annotated[list[ProductId], Field(min_length=1)] | None = Field(
        None, description="Where it holds; all if absent."
    )


_Assignments: TypeAlias = Annotated[
    list[dict[Identifier | DtypeOf, Any]],
    Field(min_length=1),
    short_form(list[dict[Identifier | DtypeOf, Any]] | dict[Identifier | DtypeOf, list[Any]]),
]
_FORMS = {"names": Names, "assignments": _Assignments, "true": Literal[True]}


def _fields() -> dict[str, Any]:
    """Return the fields of all kinds of violations, with types."""
    fields: dict[str, Any] = {}
    for kind in KINDS.values():
        form: Any = _FORMS[kind.form]
        fields[kind.key] = (form | None, Field(None, description=kind.description))
        for key, further in kind.further.items():
            fields.pop(key, None)  # it follows the last kind that has it
            fields[key] = further
    note = Field(None, description="What the document leaves open or contradicts.")
    return fields | {"note": (str | None, note)}


if TYPE_CHECKING:

    class Violation(_Guarded):
        note: str | None

        def __getattr__(self, key: str) -> Any: ...

else:
    Violation = create_model("Violation", __base__=_Guarded, **_fields())


class ErrorRow(Violation):
    """A row of an error table, or a requirement; omitted keys follow from its violation."""

    id: ClauseId | None = Field(None, description="Needed where the violation is `assign`.")
    text: Sentence | None = Field(None, description="Needed where the violation is `assign`.")
    where: Place | None = Field(None, description="Its place, unless row and table determine it.")
    item: str | None = Field(
        None, description="The part of the row; for a requirement, its place among the parameters."
    )
    row: int | None = Field(None, description="The row's number, if it is not the next one.")
    status: list[StatusName] | None = Field(None, description="All statuses that the row states.")


class ErrorClause(Violation):
    """A call that must not be made, and how a valid call is changed into it."""

    id: ClauseId
    text: Sentence
    where: Place
    basis: Basis = Field(
        description="What the document says of such a call: `status`: it returns that status; "
        "`refusal`: it is refused or ends in an error, not how; `requirement`: what callers "
        "must keep, but not what happens otherwise."
    )
    status: StatusName | Annotated[list[StatusName], Field(min_length=1)] | None = Field(
        None, description="The status that the document states; only with the basis `status`."
    )

    @property
    def statuses(self) -> tuple[int, ...]:
        """The codes that the document states; none if it states no status."""
        names = [self.status] if isinstance(self.status, str) else self.status or []
        return tuple(STATUSES[name] for name in names)

    @cached_property
    def kind(self) -> Kind:
        """The kind of violation that is set."""
        return next(kind for key, kind in KINDS.items() if getattr(self, key) is not None)

    @property
    def names(self) -> Sequence[str]:
        """The parameters that the violation names."""
        names: list[str] = self._value("names")
        return names

    @property
    def assignments(self) -> Sequence[dict[str, Any]]:
        """The values that break a rule."""
        assignments: list[dict[str, Any]] = self._value("assignments")
        return assignments

    @property
    def is_of_product(self) -> bool:
        """Whether it is about products without support."""
        return self.kind.covers == "product"

    def _value(self, form: str) -> Any:
        return getattr(self, self.kind.key) if self.kind.form == form else []


class Precision(Strict):
    """The allowed error of one output."""

    output: Annotated[Identifier, short_form(Identifier | list[Identifier])] = Field(
        description="The output; several as a list."
    )
    allowances: list[ClauseId] = Field(
        description="What a correct device may do, by ids of allowances.yaml; the errors follow "
        "from the operations of the formula module."
    )
    why: Sentence


class Silence(Strict):
    """A point on which the document is silent."""

    text: Sentence
    when: ExpressionText | None = Field(
        None,
        description="The elements of which nothing is promised, if it is about results: the judge "
        "accepts everything there, so no clause may apply.",
    )
    output: list[Identifier] | None = Field(
        None, description="Outputs that `when` is about; all if absent."
    )
    products: Annotated[list[ProductId], Field(min_length=1)] | None = Field(
        None,
        description="Where `when` holds; everywhere if absent. Clauses have no products, so on "
        "these ones the silence is the exception.",
    )


class NotPromised(Silence):
    """A silence and its id."""

    id: ClauseId


TWO_PHASE = "two-phase"
INPUTS_UNCHANGED = "inputs-unchanged"
OUTPUTS_WRITTEN = "outputs-written"
OUTSIDE_UNTOUCHED = "outside-untouched"
WORKSPACE_SIZE = "workspace-size"
UNINITIALISED_MEMORY = "uninitialised-memory"
PHASE_ONE_DATA = "phase-one-data"
REFUSAL_LEAVES_OUTPUTS = "refusal-leaves-outputs"
FINITE_OUTPUTS = "finite-outputs"
RESULTS_FOLLOW_DATA = "results-follow-data"
HANDLES_UNCHANGED = "handles-unchanged"
MEMORY_RETURNED = "memory-returned"
RUNTIME_FUNCTIONS = "runtime-functions"
CALL_INDEPENDENCE = "call-independence"
REPEATABLE_EXECUTOR = "repeatable-executor"
MOVED_ADDRESSES = "moved-addresses"
GRAPH_CAPTURE = "graph-capture"
HOST_THREADS = "host-threads"

DETERMINISM = "determinism"
"""Not in ``common.yaml``, because each operator's spec states where it holds."""

BATCH_CONSISTENCY = "batch-consistency"
"""Likewise; it is about a sample's bits in different batches."""
