# SPDX-License-Identifier: Apache-2.0
"""Model of a page: each statement with its place; what was not understood stays open.

A field that is None is one of which the page says nothing, or nothing that was understood: in the
second case :attr:`Page.open` has an entry for it.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Iterator
from typing import Literal, TypeAlias

from pydantic import Field

from aclnn_cts.spec.clause_models import Strict
from aclnn_cts.spec.models import Determinism, Support

_MARKUP = re.compile(r"[\s`*_$\\]+")
_ENDS = re.compile(r"^[-·•(\d).:]*(?<=[-·•]) ?|[.;,:]+$")


def fingerprint(text: str) -> str:
    """Return the digest by which a sentence is known: spaces, markup and letter case do not count.

    Full-width characters are those of ASCII (Unicode's NFKC), so ``，`` is a comma.
    """
    folded = unicodedata.normalize("NFKC", text).casefold().replace("。", ".")
    bare = _ENDS.sub("", _MARKUP.sub("", folded))
    # Letters, mostly: YAML takes a word of digits for a number.
    return base64.b32encode(hashlib.sha256(bare.encode()).digest())[:10].decode().lower()


class Place(Strict):
    """A place on a page.

    A table is known by its number on the page, from 1, and its row likewise.
    """

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
        place: Where it is.
        function: The operator whose chapter it is in; empty if it is about all of the page.
        about: The parameter in whose row it is; empty if none.
        fingerprint: See :func:`fingerprint`.
        understood: All that it says is in a field of the page's model, or common to all pages.
        text: The sentence itself; in no file that is written.
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


class PageParameter(Strict):
    """A row of a parameter table.

    Attributes:
        name: As in the prototype.
        type: The C type, from the prototype.
        const: Whether the prototype says ``const``.
        direction: What the operator does with it.
        optional: Whether it may be left out.
        dtypes: The data types, in the order of the page.
        dtypes_on: The data types on the products that have others; none if that is open.
        dtype_of: The parameter whose data type it has.
        formats: The formats.
        formats_on: The formats on the products that have others.
        format_of: The parameter whose format it has.
        ranks: The ranks, ascending.
        shape: The dimensions, if the row lists them.
        shape_of: The parameter whose shape it has.
        non_contiguous: Whether non-contiguous tensors are promised.
        empty: Whether empty tensors are promised.
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
    formats: tuple[str, ...] | None = None
    formats_on: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    format_of: str | None = None
    ranks: tuple[int, ...] | None = None
    shape: tuple[str, ...] | None = None
    shape_of: str | None = None
    non_contiguous: bool | None = None
    empty: bool | None = None
    place: Place

    @property
    def is_tensor(self) -> bool:
        return self.type == "aclTensor*"

    def dtypes_of(self, product: str) -> tuple[str, ...] | None:
        """Return the data types on a product; None if the row lists none, or that is open."""
        return self.dtypes_on.get(product, self.dtypes) or None


ConditionKind: TypeAlias = Literal[
    "null_pointer",
    "dtype_outside_support",
    "dtype_differs",
    "dtype_not_derivable",
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
    "value_outside",
    "extent_outside",
    "elements_outside",
    "product_unsupported",
    "stated_elsewhere",
    "internal",
]
"""The violation of a refused call. ``stated_elsewhere``: the row only refers to it."""


class Condition(Strict):
    """One thing that a row of the error table refuses.

    Attributes:
        parameters: The parameters that the row names for it; none if it speaks of all of a sort.
        bound: The greatest or least rank that is right, for ``rank_above`` and ``rank_below``.
        guarded: The row speaks of some calls only; which ones is not read.
    """

    kind: ConditionKind
    parameters: tuple[str, ...] = ()
    bound: int | None = None
    guarded: bool = False


class ErrorTableRow(Strict):
    """A row of an error table.

    Attributes:
        number: Its number among the rows of that status, from 1.
        conditions: What it refuses; empty if that was not understood.
        place: The row.
        fingerprint: Of its text.
    """

    status: str
    number: int
    conditions: tuple[Condition, ...]
    place: Place
    fingerprint: str


class Function(Strict):
    """One operator of the page: a page may have two, the second of them in place."""

    name: str
    prototype: Prototype
    parameters: tuple[PageParameter, ...]
    errors: tuple[ErrorTableRow, ...]
    error_table: Place | None = None
    determinism: dict[str, Determinism] = Field(default_factory=dict)


class Open(Strict):
    """A statement that was not understood, and why."""

    place: Place
    function: str = ""
    about: str
    reason: str

    def __str__(self) -> str:
        return f"page {self.place}: {self.about}: {self.reason}"


class Page(Strict):
    """The statements of a page that were understood."""

    title: str
    header: str | None
    products: dict[str, Support]
    functions: tuple[Function, ...]
    sentences: tuple[PageSentence, ...]
    open: tuple[Open, ...]

    def function(self, name: str) -> Function | None:
        return next((each for each in self.functions if each.name == name), None)

    def unread(self) -> Iterator[PageSentence]:
        """Yield the sentences that no field covers completely."""
        return (each for each in self.sentences if not each.understood)
