# SPDX-License-Identifier: Apache-2.0
"""Drafts of specs from pages, with todos for everything that was not understood.

A todo names the place on the page and quotes nothing; a spec that has one is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import yaml

from aclnn_cts.errors import counted, unknown_name
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.editions import CURRENT, SECTION
from aclnn_cts.spec.models import C_TYPES
from aclnn_cts.transcribe.page_lock import lock_text
from aclnn_cts.transcribe.page_model import (
    Condition,
    ErrorTableRow,
    Function,
    Page,
    PageParameter,
    Place,
)
from aclnn_cts.violations import KINDS

_ATTRIBUTES = {c_type: kind for kind, c_type in C_TYPES.items()}

_SCHEMA = "# yaml-language-server: $schema=schema/operator.schema.json\n"


def draft(page: Page, edition: str, operator: str | None = None) -> tuple[str, str]:
    """Return the texts of a spec, and of the lock file of its page.

    Args:
        edition: Year and month of the other specs' pages; this page does not state its own.
        operator: The operator to draft a spec for; the first one of the page if None.

    Raises:
        WrongInputError: The page has no such operator.
    """
    function = page.functions[0] if operator is None else page.function(operator)
    if function is None:
        raise unknown_name(
            "operator of the page", str(operator), [each.name for each in page.functions]
        )
    parts = _Draft(page, function)
    data = parts.data(edition)
    body: str = yaml.dump(
        data, Dumper=_Dumper, default_flow_style=False, sort_keys=False, width=110
    )
    # blank lines between sections
    sections = f"products|parameters|precision|clauses|errors|factors|{SECTION}|todo"
    text = _SCHEMA + re.sub(rf"^(?=(?:{sections}):)", "\n", body, flags=re.MULTILINE)
    return text, lock_text({CURRENT: parts.sentences()})


def _beyond(row: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return what a row states that another one does not; todos of both are in the other."""
    same = {"name", "tensor", "const", "todo"} if other else {"name"}
    return {key: value for key, value in row.items() if key not in same and other.get(key) != value}


def _todo(place: Place, text: str) -> str:
    return f"page {place}: {text}"


def _without_circles(
    followed: Mapping[str, str | None], outputs: Collection[str]
) -> dict[str, str]:
    """Return the parameter that each one follows, without cycles.

    Rows of equal tensors refer to each other, so one of them must have its own statement: an input,
    even where only the input's row refers to the output.
    """
    turned = dict(followed)
    for name, source in followed.items():
        if name not in outputs and source in outputs and followed[str(source)] in (None, name):
            turned |= {name: None, str(source): name}
    followers: dict[str, str] = {}
    for name, source in sorted(turned.items(), key=lambda each: each[0] not in outputs):
        end = source
        while end in followers:
            end = followers[end]
        if source is not None and end != name:
            followers[name] = source
    return followers


def _with_ids(errors: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows, with an id where several of a spec have the same violation."""
    kinds = Counter(kind for rows in errors.values() for row in rows for kind in row)

    def named(row: dict[str, Any]) -> dict[str, Any]:
        kind = next((k for k in row if k in KINDS and kinds[k] > 1), None)
        if kind is None or not isinstance(row[kind], list):
            return row
        words = "-".join([*row[kind], kind]).replace("_", "-")
        kebab = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", words).lower()
        return {"row": row["row"], "id": kebab, **row}

    return {status: [named(row) for row in rows] for status, rows in errors.items()}


def _usual_first(dtypes: Iterable[str]) -> list[str]:
    """Return data types in the order of their codes: a spec's first one has most cases."""
    return sorted(dtypes, key=list(DATA_TYPES).index)


def _shape(
    parameter: PageParameter,
    source: str | None,
    ranks: tuple[int, ...] | None,
    leave_open: Callable[[str], None],
) -> dict[str, Any]:
    row: dict[str, Any] = {}
    if source is not None:
        row["shape"] = f"{source}.shape"
    elif parameter.shape is not None:
        row["shape"] = [int(d) if d.isdecimal() else d for d in parameter.shape]
    elif parameter.direction != "input":
        leave_open("shape: not stated, or not understood")
    if ranks is not None:
        low, high = ranks[0], ranks[-1]
        if ranks == tuple(range(low, high + 1)):
            row["rank"] = [low, high]
        else:
            leave_open(f"ranks {', '.join(map(str, ranks))}: not a range")
    return row


def _formats(parameter: PageParameter, leave_open: Callable[[str], None]) -> dict[str, Any]:
    if parameter.formats_on:
        leave_open(f"other formats on {', '.join(parameter.formats_on)}")
    if parameter.formats is None:
        leave_open("formats: not stated, or not understood")
    elif parameter.formats != ("ND",):
        return {"formats": list(parameter.formats)}
    return {}


class _Dumper(yaml.SafeDumper):
    """Writes lists of names, and short entries without a todo, on one line."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: FBT001, FBT002
        del indentless  # lists are indented under their keys
        super().increase_indent(flow, indentless=False)

    def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> Any:  # noqa: FBT001
        flat = all(isinstance(item, str | int) for item in sequence)
        short = flat and not any(" " in str(item) for item in sequence)
        return super().represent_sequence(tag, sequence, flow_style=short or flow_style)

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> Any:  # noqa: FBT001
        is_entry = not {"name", "row", "title"}.isdisjoint(mapping)
        flow = is_entry and {"todo", "dtypes_on"}.isdisjoint(mapping)
        return super().represent_mapping(tag, mapping, flow_style=flow or flow_style)


def _first_stated(parameters: Sequence[PageParameter]) -> PageParameter:
    """Return the first with ranks, of inputs if there are any; the first one if none has any."""
    inputs = [each for each in parameters if each.direction != "output"] or parameters
    return next((each for each in inputs if each.ranks is not None), inputs[0])


class _Draft:
    """The draft of one operator's spec."""

    def __init__(self, page: Page, function: Function) -> None:
        self.page = page
        self.function = function
        self.by_name = {each.name: each for each in function.parameters}
        self.dtype_of = self._follow("dtype", self._same_dtypes)
        self.shape_of = self._follow("shape", self._may_have_one_shape)
        self.open = [each for each in page.open if each.function in ("", function.name)]
        self.todos: list[str] = []

    def _follow(
        self, aspect: str, agree: Callable[[Sequence[PageParameter]], bool]
    ) -> dict[str, str]:
        """Return the parameter whose data type or shape each one has.

        Rows of the error table that refuse unequal ones say so, too.
        """
        followed = {e.name: getattr(e, f"{aspect}_of") for e in self.function.parameters}
        for condition in (c for row in self.function.errors for c in row.conditions):
            parameters = [
                self.by_name[name] for name in condition.parameters if name in self.by_name
            ]
            if not condition.equal or condition.guarded or condition.kind != f"{aspect}_differs":
                continue
            if all(each.is_tensor for each in parameters) and agree(parameters):
                root = _first_stated(parameters).name
                for each in parameters:
                    if each.name != root and followed[each.name] is None:
                        followed[each.name] = root
        outputs = {e.name for e in self.function.parameters if e.direction == "output"}
        return _without_circles(followed, outputs)

    def _same_dtypes(self, parameters: Sequence[PageParameter]) -> bool:
        """Whether the rows list the same data types on each product."""
        return all(
            len({frozenset(each.dtypes_of(product) or ()) for each in parameters}) == 1
            for product in self.page.products
        )

    @staticmethod
    def _may_have_one_shape(parameters: Sequence[PageParameter]) -> bool:
        """Whether no row says that the shape is of a kind of its own."""
        ranks = {each.ranks for each in parameters if each.ranks is not None}
        return len(ranks) < 2 and all(each.shape is None for each in parameters)

    def _root(self, parameter: PageParameter) -> PageParameter:
        """Return the parameter whose row states the shape of this one."""
        source = self.shape_of.get(parameter.name)
        return parameter if source is None else self._root(self.by_name[source])

    def data(self, edition: str) -> dict[str, Any]:
        page, function = self.page, self.function
        content: dict[str, Any] = {"operator": function.name}
        if page.header is not None:
            content["header"] = page.header
        content["document"] = {"title": page.title, "edition": edition}
        if page.family is not None:
            content["document"]["family"] = page.family
        levels = set(function.determinism.values())
        supported = [p for p, support in page.products.items() if support == "supported"]
        if len(levels) == 1 and len(function.determinism) == len(supported):
            content["determinism"] = levels.pop()
        elif levels:
            content["determinism"] = dict(function.determinism)
        content["products"] = {
            support: [p for p, s in page.products.items() if s == support]
            for support in ("supported", "unsupported", "unlisted")
            if support in page.products.values()
        }
        content["parameters"] = [self.parameter(each) for each in function.parameters]
        if errors := self.errors():
            content["errors"] = errors
        for other in self._others:
            content[SECTION] = self._second(_Draft(page, other), content["parameters"])
        content["todo"] = [*self._general(), *self.todos]
        return content

    def sentences(self) -> dict[str, list[str]]:
        """Return what should say the sentences that the todos are about, by fingerprint."""
        places: dict[str, list[str]] = {}
        has_summary = False
        for each in self.page.unread():
            name = each.about
            if each.chapter == "function":
                name = "formula" if "$$" in each.text or has_summary else "summary"
            if name and each.chapter in ("function", "parameters"):
                has_summary |= name == "summary"
                places.setdefault(each.fingerprint, [])
                places[each.fingerprint] += [name] * (name not in places[each.fingerprint])
        return places

    @property
    def _others(self) -> tuple[Function, ...]:
        """The page's second operator, if this is the first one: a spec states both."""
        functions = self.page.functions
        both = len(functions) == 2 and functions[0].name == self.function.name
        return functions[1:] if both else ()

    def _second(self, other: _Draft, rows: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the section of the second operator, as far as it differs from this one.

        Args:
            rows: The drafted parameters of this one.
        """
        second: dict[str, Any] = {"operator": other.function.name}
        own_rows = {row["name"]: row for row in rows}
        theirs = {each.name: other.parameter(each) for each in other.function.parameters}
        lost = [name for name in own_rows if name not in theirs]
        added = [name for name in theirs if name not in own_rows]
        in_place = [self.by_name[name].direction for name in lost] == ["input", "output"]
        # some pages call the tensor an input, and only the prototype shows that it is written
        written = [other.by_name[name] for name in added]
        if in_place and [each.direction == "inout" or not each.const for each in written] == [True]:
            (name,) = added
            const = {"const": True} if written[0].const else {}
            row = {"name": name, **const, **_beyond(theirs.pop(name), own_rows[lost[0]])}
            second |= {"of": lost, "tensor": row}
        second["errors"] = other.errors()
        changes = {name: _beyond(row, own_rows.get(name, {})) for name, row in theirs.items()}
        if changes := {name: row for name, row in changes.items() if row}:
            second["changes"] = {"parameters": changes}
        return second

    def _general(self) -> Iterator[str]:
        """Yield the todos about the spec as a whole."""
        place = self.function.prototype.place
        yield _todo(place, "summary and formula, or `depth: contract`, are to be written")
        yield _todo(Place(line=1), "document: the edition is that of the other specs' pages")
        if self.page.header is None:
            yield _todo(place, "header, which no example on the page includes")
        for other in self.page.functions:
            if other.name != self.function.name and other not in self._others:
                yield _todo(other.prototype.place, f"the page has the operator {other.name}, too")
        for item in self.open:
            name = item.about.partition(",")[0]
            if name not in self.by_name and "row" not in item.about:
                yield str(item)
        places = {
            sentence.chapter: sentence.place
            for sentence in reversed(list(self.page.unread()))
            if sentence.chapter in ("function", "constraints")
        }
        for chapter, first in places.items():
            count = sum(each.chapter == chapter for each in self.page.unread())
            yield _todo(first, f"{chapter}: clauses for {counted(count, 'sentence')} from here")

    def parameter(self, parameter: PageParameter) -> dict[str, Any]:
        todos = [
            _todo(item.place, f"{item.about.partition(', ')[2] or 'row'}: {item.reason}")
            for item in self.open
            if item.about.partition(",")[0] == parameter.name
        ]

        def leave_open(text: str) -> None:
            todos.append(_todo(parameter.place, text))

        if parameter.optional:
            leave_open("optional: `absent`, what a null pointer stands for")
        row: dict[str, Any] = {"name": parameter.name}
        if parameter.is_tensor:
            row |= self._tensor(parameter, leave_open)
        elif parameter.type in _ATTRIBUTES:
            row["attribute"] = _ATTRIBUTES[parameter.type]
            if row["attribute"] == "scalar":
                row |= self._dtypes(parameter, leave_open)
        else:
            leave_open(f"type {parameter.type}, which specs cannot state yet")
        return row | ({"todo": list(dict.fromkeys(todos))} if todos else {})

    def _tensor(
        self, parameter: PageParameter, leave_open: Callable[[str], None]
    ) -> dict[str, Any]:
        row: dict[str, Any] = {}
        if parameter.direction in ("input", "output"):
            row["tensor"] = parameter.direction
            if parameter.const != (parameter.direction == "input"):
                row["const"] = parameter.const
        elif parameter.direction == "inout":
            leave_open("input and output in one, which specs cannot state yet")
        row |= self._dtypes(parameter, leave_open)
        root = self._root(parameter)
        ranks = root.ranks if parameter.ranks is None else parameter.ranks
        row |= _shape(parameter, self.shape_of.get(parameter.name), ranks, leave_open)
        row |= _formats(parameter, leave_open)
        if parameter.non_contiguous is None:
            leave_open("non-contiguous tensors: not stated, or not understood")
        elif not parameter.non_contiguous:
            row["non_contiguous"] = False
        if root.empty if parameter.empty is None else parameter.empty:
            row["empty"] = True
        return row

    def _dtypes(
        self, parameter: PageParameter, leave_open: Callable[[str], None]
    ) -> dict[str, Any]:
        other = self.by_name.get(self.dtype_of.get(parameter.name, ""))
        if other is not None:
            if parameter.dtypes is None or all(
                set(parameter.dtypes_of(p) or ()) == set(other.dtypes_of(p) or ())
                for p in self.page.products
            ):
                return {"dtype": f"{other.name}.dtype"}
            leave_open(f"data types: not those of {other.name}, with which they agree")
            return {}
        if parameter.dtypes is None:
            leave_open("data types: not stated, or not understood")
            return {}
        tables = {"": parameter.dtypes, **parameter.dtypes_on}
        if not all(tables.values()):
            leave_open("data types: not understood on all products")
            return {}
        unknown = {name for each in tables.values() for name in each if name not in DATA_TYPES}
        if unknown:
            leave_open(f"data types that specs do not know: {', '.join(sorted(unknown))}")
            return {}
        row: dict[str, Any] = {"dtypes": _usual_first({n for t in tables.values() for n in t})}
        special = {p: _usual_first(parameter.dtypes_of(p) or ()) for p in self.page.products}
        if special := {p: each for p, each in special.items() if each != row["dtypes"]}:
            row["dtypes_on"] = special
        return row

    def errors(self) -> dict[str, list[dict[str, Any]]]:
        rows_by_status: dict[str, list[dict[str, Any]]] = {}
        for row in self.function.errors:
            entries = ({"row": row.number, **entry} for entry in self._row(row))
            rows_by_status.setdefault(row.status, []).extend(entries)
        return _with_ids(rows_by_status)

    def _row(self, row: ErrorTableRow) -> Iterator[dict[str, Any]]:
        if not row.conditions:
            yield {"todo": [_todo(row.place, "not understood")]}
        for condition in row.conditions:
            violation = self._violation(condition)
            if violation is None:
                about = f" of {', '.join(condition.parameters)}" if condition.parameters else ""
                some = ", on some calls" if condition.guarded else ""
                violation = {"todo": [_todo(row.place, f"{condition.kind}{about}{some}")]}
            yield violation

    def _violation(self, condition: Condition) -> dict[str, Any] | None:
        """Return the equivalent violation, or None if it is unclear or does not exist."""
        kind = condition.kind
        if kind == "product_unsupported":
            return {"unsupported_product": True}
        names = [name for name in condition.parameters if name in self.by_name]
        if condition.guarded or not names:
            return None
        if kind == "null_pointer":
            return {kind: names}
        if kind == "dtype_outside_support":
            typed = {"aclTensor*", "aclScalar*"}
            return {kind: names} if {self.by_name[name].type for name in names} <= typed else None
        tensors = [self.by_name[name] for name in names if self.by_name[name].is_tensor]
        if kind == "dtype_not_castable":
            outputs = [each.name for each in tensors if each.direction == "output"]
            return {"not_castable": outputs} if outputs else None
        return self._tensor_violation(condition, tensors) if len(tensors) == len(names) else None

    def _tensor_violation(
        self, condition: Condition, tensors: list[PageParameter]
    ) -> dict[str, Any] | None:
        kind, names = condition.kind, [tensor.name for tensor in tensors]
        if kind in ("format_outside_support", "empty_tensor"):
            return {kind: names}
        if kind in ("dtype_differs", "shape_differs"):
            return self._differing(kind, tensors)
        if kind not in ("rank_above", "rank_below"):
            return None
        end = -1 if kind == "rank_above" else 0
        violation: dict[str, Any] = {"rank_outside" if end else "rank_below": names}
        if any(t.ranks is None or t.ranks[end] != condition.bound for t in tensors):
            violation["dimensions"] = condition.bound
        return violation

    def _differing(self, kind: str, tensors: list[PageParameter]) -> dict[str, Any] | None:
        """Return the tensors that must agree with another one of the row."""
        followed = self.dtype_of if kind == "dtype_differs" else self.shape_of
        sources = {each.name: followed.get(each.name) for each in tensors}
        free = [name for name, source in sources.items() if source is None]
        bound = [name for name, source in sources.items() if source in sources]
        if bound and len(free) == 1 and len(bound) == len(sources) - 1:
            return {kind: bound}
        return None
