# SPDX-License-Identifier: Apache-2.0
"""Comparison of a spec with its page."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from aclnn_cts.errors import WrongInputError, counted
from aclnn_cts.spec.clause_models import ErrorClause
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.expansion import ORDINALS
from aclnn_cts.spec.models import (
    ARRAYS,
    BY_VALUE,
    C_TYPES,
    AttributeParameter,
    OperatorSpec,
    TensorParameter,
)
from aclnn_cts.transcribe.page_lock import Sentences
from aclnn_cts.transcribe.page_model import (
    ErrorTableRow,
    Function,
    Page,
    PageParameter,
    PageSentence,
    Place,
)

FindingKind: TypeAlias = Literal["differs", "unchecked", "unreferenced", "gone"]
"""``differs``: page and spec differ; ``unchecked``: they were not compared, because the page is
unclear there; ``unreferenced``: a sentence is only on the page; ``gone``: a clause refers to a
sentence that the page no longer has."""


@dataclass(frozen=True)
class Finding:
    """A finding for the reviewer.

    Attributes:
        about: The clause, parameter or row.
        text: The difference, or the page's sentence.
        place: The place on the page; None if gone.
        fingerprint: Fingerprint of the sentence; empty if the finding is not about one.
    """

    kind: FindingKind
    about: str
    text: str
    place: Place | None = None
    fingerprint: str = ""


@dataclass(frozen=True)
class Traced:
    """The result of comparing one edition of a spec with its page.

    Attributes:
        findings: The findings, in the order of the page.
        pairs: Each referenced sentence, with the clauses or parameters that refer to it.
    """

    operator: str
    findings: tuple[Finding, ...]
    pairs: tuple[tuple[PageSentence, tuple[str, ...]], ...]


def trace_page(
    spec: OperatorSpec, page: Page, sentences: Sentences, stated: Container[str]
) -> Traced:
    """Compare a spec with its page.

    Args:
        spec: The spec in the edition of the page.
        sentences: What transcribes each sentence of the page, by its lock file.
        stated: The operators that have a spec: half of a page is not read if another one has none.

    Raises:
        WrongInputError: The page is about other operators.
    """
    function = page.function(spec.operator)
    if function is None:
        names = " and ".join(each.name for each in page.functions)
        raise WrongInputError(f"the page is about {names}, not about {spec.operator}")
    findings = [*_prototype(spec, function), *_products(spec, page)]
    findings += [
        Finding("unreferenced", each.name, _NO_SPEC, each.prototype.place)
        for each in page.functions
        if each.name not in stated
    ]
    for parameter in function.parameters:
        findings += _parameter(spec, function, parameter, page)
    findings += _errors(spec, function, sentences)
    findings += _determinism(spec, function)
    findings += _sentences(spec, page, sentences)
    pairs = tuple(
        (sentence, tuple(sentences[sentence.fingerprint]))
        for sentence in page.sentences
        if sentence.fingerprint in sentences
    )
    ordered = sorted(findings, key=lambda f: f.place.line if f.place else 1 << 30)
    return Traced(spec.operator, tuple(ordered), pairs)


def _sentences(spec: OperatorSpec, page: Page, sentences: Sentences) -> Iterator[Finding]:
    """Compare the sentences of the page with those that the spec transcribes."""
    for sentence in page.unread():
        ours = sentence.function in ("", spec.operator) and sentence.chapter != "errors"
        if ours and sentence.fingerprint not in sentences:
            about = sentence.about or sentence.chapter
            yield Finding(
                "unreferenced", about, sentence.text, sentence.place, sentence.fingerprint
            )
    known_prints = {sentence.fingerprint for sentence in page.sentences}
    for each, keys in sentences.items():
        for key in keys if each not in known_prints else ():
            yield Finding("gone", key, "its sentence is not on the page", None, each)


_UNCLEAR = "the page has a note on data types that was not understood"
_NO_SPEC = "no spec of this operator; state it under `second`"


def _differs(place: Place, about: str, page: object, spec: object) -> Finding:
    return Finding(
        "differs", about, f"the page says {_display(page)}, the spec {_display(spec)}", place
    )


def _display(value: object) -> str:
    if isinstance(value, tuple) and value and all(isinstance(each, int) for each in value):
        low, high = min(value), max(value)
        if value == tuple(range(low, high + 1)):
            return f"{low} to {high}"
    if isinstance(value, list | tuple | set | frozenset):
        parts = sorted(value) if isinstance(value, set | frozenset) else value
        return ", ".join(map(str, parts)) or "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nothing" if value is None else str(value)


def _prototype(spec: OperatorSpec, function: Function) -> Iterator[Finding]:
    place = function.prototype.place
    page = [f"{'const ' if p.const else ''}{p.type} {p.name}" for p in function.parameters]
    declarations = [_declaration(each) for each in spec.parameters]
    # const makes no difference to callers for arrays and char
    for ours, theirs, parameter in zip(declarations, page, function.parameters, strict=False):
        if parameter.type != "aclTensor*":
            ours, theirs = ours.removeprefix("const "), theirs.removeprefix("const ")  # noqa: PLW2901
        if ours != theirs:
            yield _differs(place, "prototype", theirs, ours)
    if len(page) != len(declarations):
        yield _differs(
            place, "prototype", *(counted(len(each), "parameter") for each in (page, declarations))
        )


def _declaration(parameter: TensorParameter | AttributeParameter) -> str:
    if isinstance(parameter, AttributeParameter):
        return f"{C_TYPES[parameter.attribute]} {parameter.name}"
    kind = "aclTensor" if parameter.length is None else "aclTensorList"
    return f"{'const ' if parameter.is_const else ''}{kind}* {parameter.name}"


def _products(spec: OperatorSpec, page: Page) -> Iterator[Finding]:
    places = [each.place for each in page.sentences if each.chapter == "products"]
    place = places[0] if places else Place(line=1)
    for product, support in page.products.items():
        ours = spec.products.get(product)
        if ours != support and (ours, support) != ("incomplete", "supported"):
            yield _differs(place, product, support, ours)


def _parameter(
    spec: OperatorSpec, function: Function, parameter: PageParameter, page: Page
) -> Iterator[Finding]:
    place, name = parameter.place, parameter.name
    scalars = {each.name for each in spec.scalars}
    if name not in scalars | {each.name for each in spec.tensors}:
        return  # other attributes have no columns; the prototype shows a missing one
    own_and_root = (spec.parameter(each) for each in (name, spec.dtype_root(name)))
    if not any("dtypes" in getattr(each, "contradicted", ()) for each in own_and_root):
        yield from _data_types(spec, function, parameter, page)
    spec_parameter = spec.parameter(name)
    if parameter.dtype_of and spec.dtype_root(name) != spec.dtype_root(parameter.dtype_of):
        yield _differs(
            place, f"{name}, data type", f"that of {parameter.dtype_of}", spec_parameter.dtype
        )
    if isinstance(spec_parameter, AttributeParameter):
        return
    if (
        parameter.shape_of
        and "shape" not in spec_parameter.contradicted
        and not _same_shape(spec, name, parameter.shape_of)
    ):
        yield _differs(
            place, f"{name}, shape", f"that of {parameter.shape_of}", spec_parameter.shape
        )
    yield from _columns(parameter, spec_parameter)


def _data_types(
    spec: OperatorSpec, function: Function, parameter: PageParameter, page: Page
) -> Iterator[Finding]:
    """Compare data types with those of the row that lists them, which may be another one."""
    place, name = parameter.place, parameter.name
    by_name = {each.name: each for each in function.parameters}
    row = parameter if parameter.dtypes else by_name.get(parameter.dtype_of or "", parameter)
    unclear = any(each.about == f"{name}, dtypes" for each in page.open)
    yield from _dtypes_beside(spec, parameter)
    for product in filter(spec.supports, page.products):
        listed = row.dtypes_of(product)
        theirs = {each for each in listed or () if each in DATA_TYPES}  # specs have only these
        beside = row.dtypes_beside(product)
        if beside and beside.keys() >= {*spec.dtypes(row.dtypes_by_of or "", product)}:
            theirs &= {dtype for types in beside.values() for dtype in types}
        ours = set(spec.dtypes(name, product, untested=True))
        differ = listed is not None and theirs != ours
        about = f"{name}, data types on {product}"
        # a note may be about any row
        may_be_noted = unclear and product in spec.parameter(name).dtypes_on
        if row.dtypes_on.get(product) == () or (differ and may_be_noted):
            yield Finding("unchecked", about, _UNCLEAR, place)
        elif differ:
            yield _differs(place, about, theirs, ours)


def _dtypes_beside(spec: OperatorSpec, parameter: PageParameter) -> Iterator[Finding]:
    """Compare the data types that go with those of another parameter."""
    for product in filter(spec.supports, spec.products):
        for dtype, theirs in parameter.dtypes_beside(product).items():
            ours = spec.dtypes_beside(parameter.name, dtype, product)
            is_used = dtype in spec.dtypes(parameter.dtypes_by_of or "", product)
            if is_used and set(ours) != set(theirs):
                about = f"{parameter.name}, data types beside {dtype} on {product}"
                yield _differs(parameter.place, about, set(theirs), set(ours))


def _columns(parameter: PageParameter, said: TensorParameter) -> Iterator[Finding]:
    """Compare columns, except those that the page itself contradicts."""
    ranks = None if said.rank is None else tuple(range(said.rank[0], said.rank[1] + 1))
    for column, theirs, spec_says in (
        ("direction", parameter.direction, said.tensor),
        ("rank", parameter.ranks, ranks),
        ("formats", parameter.formats and set(parameter.formats), set(said.formats)),
        ("non_contiguous", parameter.non_contiguous, said.non_contiguous),
        ("empty", parameter.empty, said.empty),
    ):
        if theirs is not None and theirs != spec_says and column not in said.contradicted:
            yield _differs(parameter.place, f"{parameter.name}, {column}", theirs, spec_says)


def _same_shape(spec: OperatorSpec, name: str, other: str) -> bool:
    """Whether both state the same shape."""
    arrays = {each.name: (f"*{each.name}",) for each in spec.attributes}
    shapes = {each.name: each.shape for each in spec.tensors}

    def root(each: str) -> object:
        shape = shapes.get(each)
        if isinstance(shape, str):
            return root(shape.removesuffix(".shape"))
        return tuple(map(str, shape)) if isinstance(shape, list) else arrays.get(each, each)

    return root(name) == root(other)


_ROW = re.compile(r"^(ACLNN_\w+)(?:, (\w+) row)?")


def _errors(
    spec: OperatorSpec, function: Function, referenced: Mapping[str, object]
) -> Iterator[Finding]:
    """Compare the rows of the error table, if the page has one."""
    if function.error_table is None:
        return
    clauses: dict[tuple[str, int], list[ErrorClause]] = {}
    for clause in spec.errors:
        match = _ROW.match(clause.where.item)
        if clause.basis == "status" and match:
            number = ORDINALS.index(match[2]) + 1 if match[2] in ORDINALS else 1
            clauses.setdefault((match[1], number), []).append(clause)
    for row in function.errors:
        ours = clauses.pop((row.status, row.number), [])
        yield from _row(row, ours, spec, row.fingerprint in referenced)
    for (status, number), ours in clauses.items():
        for clause in ours:
            yield Finding(
                "gone", clause.id, f"the page has no row {number} of {status}", function.error_table
            )


def _row(
    row: ErrorTableRow,
    clauses: list[ErrorClause],
    spec: OperatorSpec,
    is_referenced: bool,  # noqa: FBT001
) -> Iterator[Finding]:
    about = f"{row.status}, row {row.number}"
    if not clauses:
        if not is_referenced:
            yield Finding("unreferenced", about, "no clause", row.place, row.fingerprint)
        return
    unlisted = {
        "format_outside_support": spec.attributes,  # they have none, regardless of the row
        # that of an array is its type in C
        "dtype_outside_support": [
            each for each in spec.attributes if each.attribute in (*ARRAYS, "dtype")
        ],
        "null_pointer": [each for each in spec.attributes if each.attribute in BY_VALUE],
        "empty_tensor": spec.attributes,
    }
    for kind in _COMPARED:
        conditions = [
            each
            for each in row.conditions
            if each.kind == kind and each.parameters and not each.guarded
        ]
        if not conditions:
            continue
        ours = [name for clause in clauses for name in getattr(clause, kind) or ()]
        # a row may speak of its parameters one after another
        theirs = [name for each in conditions for name in each.parameters]
        if set(ours) != set(theirs) - {each.name for each in unlisted.get(kind, ())}:
            yield _differs(row.place, f"{about}, {kind}", theirs, ours)


_COMPARED = ("null_pointer", "dtype_outside_support", "format_outside_support", "empty_tensor")
"""Kinds of rows with equal names and parameters in specs."""


def _determinism(spec: OperatorSpec, function: Function) -> Iterator[Finding]:
    for product, level in function.determinism.items():
        if spec.determinism_on(product) != level:
            yield _differs(
                function.prototype.place,
                f"determinism on {product}",
                level,
                spec.determinism_on(product),
            )
