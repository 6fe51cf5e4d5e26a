# SPDX-License-Identifier: Apache-2.0
"""Types of the spec models' fields: names, sentences, places, dimensions."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from aclnn_cts.spec.data_types import DATA_TYPES, FORMATS, STATUSES
from aclnn_cts.spec.expression import Expression, ExpressionError, parse
from aclnn_cts.spec.names import FILL_KINDS, LAYOUT_NAMES, OWN_FILL


class Strict(BaseModel):
    """A frozen model that refuses unknown keys."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, arbitrary_types_allowed=True, defer_build=True
    )


class Drafted(Strict):
    """A part of a spec that a draft may leave open."""

    todo: list[str] = Field(
        default_factory=list,
        description="Statements to be transcribed, with their places on the page; a spec with "
        "any is refused.",
    )


def _expression(value: Any) -> Any:
    """Parse an expression; a plain number or boolean is itself."""
    if isinstance(value, bool):
        value = "true" if value else "false"
    if isinstance(value, Expression):
        return value
    try:
        return parse(str(value))
    except ExpressionError as error:
        raise ValueError(str(error)) from None


def _known(kind: str, known: Collection[str]) -> BeforeValidator:
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
    _known("data type", DATA_TYPES),
    Field(json_schema_extra={"enum": list(DATA_TYPES)}),
]
FormatName: TypeAlias = Annotated[
    str, _known("format", FORMATS), Field(json_schema_extra={"enum": list(FORMATS)})
]
StatusName: TypeAlias = Annotated[
    str, _known("status", STATUSES), Field(json_schema_extra={"enum": list(STATUSES)})
]
FillKind: TypeAlias = Annotated[
    str,
    BeforeValidator(_fill_kind),
    Field(json_schema_extra={"anyOf": [{"enum": list(FILL_KINDS)}, {"pattern": f"^{OWN_FILL}$"}]}),
]
LayoutName: TypeAlias = Annotated[
    str, _known("layout", LAYOUT_NAMES), Field(json_schema_extra={"enum": list(LAYOUT_NAMES)})
]
ExpressionText: TypeAlias = Annotated[
    Expression,
    BeforeValidator(_expression, json_schema_input_type=str | int | float | bool),
]
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


def spread_of(dims: Any) -> tuple[int, int] | None:
    """Return where the spread dimension of a list begins, and how many follow it; or None."""
    if isinstance(dims, list):
        for position, dim in enumerate(dims):
            if isinstance(dim, str):
                return position, len(dims) - position - 1
    return None


Spread: TypeAlias = Annotated[str, StringConstraints(pattern=r"^\*[a-z][A-Za-z0-9_]*$")]
ShapeOf: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*\.shape$")]
DtypeOf: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*\.dtype$")]
Dims: TypeAlias = Annotated[list[Spread | ExpressionText], BeforeValidator(_shape)]


def written_as(form: Any) -> BeforeValidator:
    """Return the mark of a field whose written form differs; ``defaults`` expands that."""
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


class Document(Strict):
    """The document that the spec transcribes."""

    title: str = Field(description="Title of the page.")
    edition: Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}$")] = Field(
        description="Year and month of the page."
    )
    family: Annotated[str, StringConstraints(pattern=r"^[a-z]+$")] = Field(
        "other", description="The chapter of operators that the page is filed under."
    )


Complaint = tuple[tuple[int | str, ...], str]
"""A mistake in a spec: the place in its data, and the sentence."""
