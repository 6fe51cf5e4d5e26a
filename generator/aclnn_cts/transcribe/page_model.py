# SPDX-License-Identifier: Apache-2.0
"""Model of a page: statements with their places.

A field is None if the page states nothing about it, or nothing that was understood; then
:attr:`Page.open` has an entry for it.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from pydantic import Field

from aclnn_cts.spec.clause_models import Strict
from aclnn_cts.spec.models import Determinism, Support

_MARKUP = re.compile(r"[\s`*_$\\]+")
_ENDS = re.compile(r"^[-·•(\d).:]*(?<=[-·•]) ?|[.;,:]+$")


def fingerprint(text: str) -> str:
    """Return the digest of a sentence without spaces, markup and letter case.

    Full-width characters equal those of ASCII (Unicode's NFKC), so ``，`` is a comma.
    """
    folded = unicodedata.normalize("NFKC", text).casefold().replace("。", ".")
    bare = _ENDS.sub("", _MARKUP.sub("", folded))
    # base 32, because YAML reads a word of digits as a number
    return base64.b32encode(hashlib.sha256(bare.encode()).digest())[:10].decode().lower()


def quoted(sentences: Iterable[str]) -> str:
    """Return sentences of the page as a todo quotes them."""
    texts = dict.fromkeys(" ".join(sentence.split()) for sentence in sentences)
    return "; ".join(f"“{text}”" for text in texts)


class Place(Strict):
    """A place on a page; tables and rows are numbered from 1."""

    line: int
    table: int | None = None
    row: int | None = None

    def __str__(self) -> str:
        parts = [f"line {self.line}"]
        if self.table is not None:
            parts.append(f"table {self.table}")
        if self.row is not None:
            parts.append(f"row {self.row}")
        return ", ".join(parts)


Chapter: TypeAlias = Literal[
    "products", "function", "prototype", "parameters", "errors", "constraints"
]


class PageSentence(Strict):
    """A sentence of a page.

    Attributes:
        place: Its place.
        function: The operator of its chapter; empty if it is about the whole page.
        about: The parameter of its row; empty if none.
        fingerprint: See :func:`fingerprint`.
        understood: Whether the model covers everything that it states.
        text: The sentence; never written to a file.
    """

    place: Place
    chapter: Chapter
    function: str = ""
    about: str = ""
    fingerprint: str
    understood: bool
    text: str = Field(exclude=True)


class CParameter(Strict):
    """A parameter of a C prototype: ``const aclTensor *`` is the type ``aclTensor*``, const."""

    name: str
    type: str
    const: bool = False


class Prototype(Strict):
    """The first phase of an operator, without ``workspaceSize`` and ``executor``."""

    function: str
    parameters: tuple[CParameter, ...]
    place: Place


RelationKind: TypeAlias = Literal[
    "broadcasts_with",
    "broadcast_of",
    "result_of_broadcast",
    "promotes_with",
    "promoted_supported",
    "converts_from",
    "converts_to",
    "padded",
    "padded_like",
]


class Relation(Strict, frozen=True):
    """How a parameter depends on others.

    Attributes:
        kind: ``broadcasts_with``: the shapes broadcast together; ``broadcast_of``: it has the shape
            to which the others broadcast; ``result_of_broadcast``: that shape is its own;
            ``promotes_with``: the data types have a common one; ``promoted_supported``: this one
            is supported; ``converts_from``: what the others are promoted to converts to its data
            type; ``converts_to``: its data type converts to theirs; ``padded``: an extent is the
            first one's and two elements of the second; ``padded_like``: it has the shape of the
            result of padding.
        others: The other parameters; none if the sentence names none.
        subject: The parameter that it is about, if a row states it of another one.
    """

    kind: RelationKind
    others: tuple[str, ...]
    subject: str = ""


class Interval(Strict, frozen=True):
    """The values of an attribute, or of each element of an array.

    Attributes:
        low: The lower bound, an expression of specs; empty if none.
        high: The upper bound, likewise.
        above: Whether the lower bound is no value itself.
        below: Whether the upper bound is no value itself.
        values: All values, if the page lists them.
        length: The number of elements of an array.
        elements: The elements of an array that are bounded; none for all.
        is_distinct: Whether an array has no axis twice.
        is_example: Whether the page explains these values, and may allow others.
    """

    low: str = ""
    high: str = ""
    above: bool = False
    below: bool = False
    values: tuple[int, ...] = ()
    length: int | None = None
    elements: tuple[int, ...] = ()
    is_distinct: bool = False
    is_example: bool = False


class PageParameter(Strict):
    """A row of a parameter table.

    Attributes:
        name: Its name in the prototype.
        type: The C type, from the prototype.
        const: Whether it is ``const`` in the prototype.
        direction: Input or output.
        optional: Whether it may be null.
        dtypes: The data types, in the order of the page.
        dtypes_on: The data types on products with other ones; none if unclear.
        dtype_of: The parameter with the same data type.
        dtypes_by: The data types beside each of another parameter.
        dtypes_by_on: The same where a product is named.
        dtypes_by_of: That parameter.
        formats: The formats.
        formats_on: The formats on products with other ones.
        format_of: The parameter with the same format.
        ranks: The ranks, ascending.
        rank_of: The parameter with as many dimensions.
        shape: The dimensions, if the row lists them.
        is_single: Whether it has one element.
        shape_of: The parameter with the same shape.
        larger_than: The parameter than which it may have more elements, but not fewer.
        length: The greatest number of tensors of a list.
        length_on: The same where a product is named.
        non_contiguous: Whether non-contiguous tensors are promised.
        empty: Whether empty tensors are promised.
        pooled: The tensor whose shape it has, with an extent of 1 from the third axis on.
        relations: How it depends on others.
        intervals: The values of an attribute.
        is_index: Whether it holds indices, which must not be outside an axis.
        keeps_axes: Whether it says which axes of an input are kept, by a bool.
        place: The row.
    """

    name: str
    type: str
    const: bool = False
    direction: Literal["input", "output", "inout"] | None = None
    optional: bool | None = None
    dtypes: tuple[str, ...] | None = None
    dtypes_on: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    dtype_of: str | None = None
    dtypes_by: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    dtypes_by_on: dict[str, dict[str, tuple[str, ...]]] = Field(default_factory=dict)
    dtypes_by_of: str | None = None
    formats: tuple[str, ...] | None = None
    formats_on: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    format_of: str | None = None
    ranks: tuple[int, ...] | None = None
    rank_of: str | None = None
    shape: tuple[str, ...] | None = None
    is_single: bool = False
    shape_of: str | None = None
    larger_than: str | None = None
    length: int | None = None
    length_on: dict[str, int] = Field(default_factory=dict)
    non_contiguous: bool | None = None
    empty: bool | None = None
    pooled: str | None = None
    relations: tuple[Relation, ...] = ()
    intervals: tuple[Interval, ...] = ()
    is_index: bool = False
    keeps_axes: bool = False
    place: Place

    def count(self, kind: RelationKind) -> int:
        """Return how many sentences state a relation."""
        return sum(relation.kind == kind for relation in self.relations)

    def others(self, kind: RelationKind) -> tuple[str, ...]:
        """Return the parameters with which it has a relation."""
        return tuple(each for r in self.relations if r.kind == kind for each in r.others)

    @property
    def is_tensor(self) -> bool:
        return self.type in ("aclTensor*", "aclTensorList*")

    @property
    def strict_intervals(self) -> tuple[Interval, ...]:
        """What the page says of values beyond explaining some."""
        return tuple(each for each in self.intervals if not each.is_example)

    @property
    def is_written(self) -> bool:
        """Whether the operator writes it; some pages call a tensor an input that it writes."""
        return self.is_tensor and (self.direction in ("output", "inout") or not self.const)

    def dtypes_of(self, product: str) -> tuple[str, ...] | None:
        """Return the data types on a product; None if the row lists none, or it is unclear."""
        return self.dtypes_on.get(product, self.dtypes) or None

    def dtypes_beside(self, product: str) -> dict[str, tuple[str, ...]]:
        """Return the data types by those of another parameter on a product."""
        return self.dtypes_by | self.dtypes_by_on.get(product, {})


ConditionKind: TypeAlias = Literal[
    "null_pointer",
    "dtype_outside_support",
    "dtype_differs",
    "dtype_not_derivable",
    "promotion_outside_support",
    "dtype_not_castable",
    "format_outside_support",
    "format_differs",
    "shape_outside_support",
    "shape_differs",
    "not_broadcastable",
    "rank_above",
    "rank_below",
    "rank_outside",
    "rank_differs",
    "empty_tensor",
    "length_outside",
    "length_differs",
    "null_member",
    "member_dtype_differs",
    "value_outside",
    "extent_outside",
    "elements_outside",
    "product_unsupported",
    "stated_elsewhere",
    "internal",
]
"""The violation of a refused call. ``stated_elsewhere``: the row only refers to it."""


class Condition(Strict):
    """A violation in a row of the error table.

    Attributes:
        parameters: The parameters that the row names; none for all of a kind.
        bound: The greatest or least valid rank, for ``rank_above`` and ``rank_below``.
        guarded: Whether the row is only about some calls, which are not read.
        equal: Whether the parameters must have the same data type, format, shape or rank.
        around: Whether all ranks or values but those of the parameter table are refused.
        of_broadcast: Whether the shape must be that to which others broadcast.
    """

    kind: ConditionKind
    parameters: tuple[str, ...] = ()
    bound: int | None = None
    guarded: bool = False
    equal: bool = False
    around: bool = False
    of_broadcast: bool = False


class ErrorTableRow(Strict):
    """A row of an error table.

    Attributes:
        number: Its number among the rows of that status, from 1.
        conditions: Its violations; empty if it was not understood.
        place: The row.
        fingerprint: Fingerprint of its text.
        interval: The values of an attribute that it leaves.
    """

    status: str
    number: int
    conditions: tuple[Condition, ...]
    place: Place
    fingerprint: str
    interval: Interval | None = None


class Function(Strict):
    """An operator of the page; a page may have two, the second one in place."""

    name: str
    prototype: Prototype
    parameters: tuple[PageParameter, ...]
    errors: tuple[ErrorTableRow, ...]
    error_table: Place | None = None
    determinism: dict[str, Determinism] = Field(default_factory=dict)


class Open(Strict):
    """A statement that was not understood, with the reason."""

    place: Place
    function: str = ""
    about: str
    reason: str

    def __str__(self) -> str:
        return f"page {self.place}: {self.about}: {self.reason}"


class Page(Strict):
    """The statements of a page that were understood.

    Attributes:
        title: Its title.
        headers: The headers of operators that its example includes.
        family: The family of operators in which its link to the sources leads.
    """

    title: str
    headers: tuple[str, ...]
    family: str | None = None
    products: dict[str, Support]
    functions: tuple[Function, ...]
    sentences: tuple[PageSentence, ...]
    open: tuple[Open, ...]

    def function(self, name: str) -> Function | None:
        return next((each for each in self.functions if each.name == name), None)

    def unread(self) -> Iterator[PageSentence]:
        """Yield the sentences that no field covers completely."""
        return (each for each in self.sentences if not each.understood)
