# SPDX-License-Identifier: Apache-2.0
"""Drafts of specs from pages, with todos for everything that was not understood.

A todo names the place on the page and quotes what was not understood; a spec that has one is
refused.
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
from aclnn_cts.spec.models import ARRAYS, BY_VALUE, C_TYPES, SCALARS
from aclnn_cts.transcribe import values
from aclnn_cts.transcribe.padding import Padding
from aclnn_cts.transcribe.page_lock import UNTESTED, lock_text
from aclnn_cts.transcribe.page_model import (
    Condition,
    ErrorTableRow,
    Function,
    Interval,
    Open,
    Page,
    PageParameter,
    PageSentence,
    Place,
    quoted,
)
from aclnn_cts.transcribe.statements import is_description
from aclnn_cts.violations import KINDS, OF_LISTS
from aclnn_cts.violations.lists import LengthDiffers

_ATTRIBUTES = {c_type: kind for kind, c_type in C_TYPES.items()}
_COMPLEX = [name for name, each in DATA_TYPES.items() if each.numpy.kind == "c"]
_INTEGERS = {name for name, each in DATA_TYPES.items() if each.numpy.kind in "iu"}

_SCHEMA = "# yaml-language-server: $schema=schema/operator.schema.json\n"


def draft(
    page: Page, edition: str, operator: str | None = None, *, contract: bool = False
) -> tuple[str, str]:
    """Return the texts of a spec, and of the lock file of its page.

    Args:
        edition: Year and month of the page, which does not state it.
        operator: The operator to draft a spec for; the first one of the page if None.
        contract: Whether the values of outputs are left out.

    Raises:
        WrongInputError: The page has no such operator.
    """
    function = page.functions[0] if operator is None else page.function(operator)
    if function is None:
        raise unknown_name(
            "operator of the page", str(operator), [each.name for each in page.functions]
        )
    parts = _Draft(page, function, contract=contract)
    data = parts.data(edition)
    body: str = yaml.dump(
        data,
        Dumper=_Dumper,
        default_flow_style=False,
        sort_keys=False,
        width=90,  # an item that begins before it may end behind it
        allow_unicode=True,
    )
    # blank lines between sections
    sections = f"products|parameters|rules|precision|clauses|errors|factors|{SECTION}|todo"
    text = _SCHEMA + re.sub(rf"^(?=(?:{sections}):)", "\n", body, flags=re.MULTILINE)
    return text, lock_text({CURRENT: parts.sentences()})


_UNSTATED: dict[str, Any] = {
    "dtypes_on": {},
    "untested_on": {},
    "formats": ["ND"],
    "non_contiguous": True,
    "empty": False,
}
"""What a row says without a key; null for others."""


def _beyond(row: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return what a row states otherwise than another one, with null for what it does not state."""
    differing = {key: value for key, value in row.items() if other.get(key) != value}
    lost = {key: _UNSTATED.get(key) for key in other if key not in row}
    return {
        key: each for key, each in {**lost, **differing}.items() if key not in ("tensor", "const")
    }


def _patch(row: Any, other: Any) -> Any:
    """Return a merge patch (RFC 7386) that changes a value into another."""
    if not isinstance(row, dict) or not isinstance(other, dict):
        return row
    lost = dict.fromkeys(key for key in other if key not in row)
    changed = {
        key: _patch(value, other.get(key)) for key, value in row.items() if other.get(key) != value
    }
    return {**lost, **changed}


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a row, or a text, with other names of tensors."""
    if isinstance(value, dict):
        return {key: _renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    if not isinstance(value, str):
        return value
    return re.sub(
        r"[A-Za-z_]\w*", lambda match: names.get(match[0], match[0]), value, flags=re.ASCII
    )


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


def _kebab(words: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", "-", words).lower().strip("-")


_BROADCASTS = {"broadcasts_with": "mutual_broadcast", "broadcasts_to": "stretched"}
"""The traits of inputs that broadcast, by the rule of their shapes."""


def _with_ids(errors: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows, with an id where several of a spec would have the same one."""
    rows_without = (row for rows in errors.values() for row in rows if "id" not in row)
    kinds = Counter(kind for row in rows_without for kind in row)
    ids: set[str] = set()

    def named(row: dict[str, Any]) -> dict[str, Any]:
        kind = next((k for k in row if k in KINDS), None)
        if kind is None or not ("id" in row or (kinds[kind] > 1 and isinstance(row[kind], list))):
            return row
        name = row.get("id") or _kebab("-".join([*row[kind], kind]))
        while name in ids:
            name += f"-{row.get('row', 'too')}"
        ids.add(name)
        first = {"row": row["row"]} if "row" in row else {}
        return {**first, "id": name, **{k: v for k, v in row.items() if k not in ("row", "id")}}

    return {status: [named(row) for row in rows] for status, rows in errors.items()}


def _usual_first(dtypes: Iterable[str]) -> list[str]:
    """Return data types in the order of their codes: a spec's first one has most cases."""
    return sorted(dtypes, key=list(DATA_TYPES).index)


def _squashed(name: str) -> str:
    return re.sub("_|^aclnn|inplace", "", name.lower())


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

    def __init__(
        self, page: Page, function: Function, *, contract: bool = False, is_second: bool = False
    ) -> None:
        self.page = page
        self.is_second = is_second
        self.contract = contract
        self.function = function
        self.by_name = {each.name: each for each in function.parameters}
        self.open = [each for each in page.open if each.function in ("", function.name)]
        self.dtype_of = self._follow("dtype", self._same_dtypes)
        self.shape_of = self._follow("shape", self._may_have_one_shape)
        self.padding = Padding.of(function)
        self.texts = {each.fingerprint: each.text for each in page.sentences}
        self.rules: list[dict[str, Any]] = []
        self.levels: dict[str, list[Any]] = {}
        self.silences: dict[str, str] = {}

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
                    is_clear = not self._is_open(each.name, _ASPECTS[aspect])
                    if each.name != root and followed[each.name] is None and is_clear:
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
        content = self._heading(edition)
        parameters = [self.parameter(each) for each in self.function.parameters]
        errors = self.errors(parameters)
        sections: dict[str, Any] = {
            "rules": self.rules,
            "errors": errors,
            "not_promised": self.silences,
            "factors": self._factors(parameters),
        }
        traits = self._traits(parameters, errors)
        content |= {"traits": traits} if traits else {}
        content["parameters"] = parameters
        content |= {key: section for key, section in sections.items() if section}
        todos = list(self._general())
        for other in self._others:
            second = _Draft(self.page, other, contract=self.contract, is_second=True)
            content[SECTION] = self._second(second, parameters, traits)
            todos += second.noted(self.open)
        return content | ({"todo": list(dict.fromkeys(todos))} if todos else {})

    def _traits(
        self, rows: Collection[Mapping[str, Any]], errors: Mapping[str, Sequence[Mapping[str, Any]]]
    ) -> list[str]:
        """Return how inputs of different shapes and data types go together."""
        if self.contract:
            return []
        rules = {key for row in rows if isinstance(row.get("shape"), dict) for key in row["shape"]}
        typed = [row for row in rows if "dtypes" in row and row.get("tensor") != "output"]
        keys = {key for entries in errors.values() for entry in entries for key in entry}
        kinds = [KINDS[key] for key in keys & KINDS.keys()]
        mixed = len(typed) > 1 and any(kind.promotes or kind.converts for kind in kinds)
        broadcasts = [name for rule, name in _BROADCASTS.items() if rule in rules]
        return [*broadcasts, *(["promotion"] if mixed else [])]

    def _heading(self, edition: str) -> dict[str, Any]:
        """Return what a spec says before its parameters."""
        page, function = self.page, self.function
        heading: dict[str, Any] = {"operator": function.name}
        if self.contract:
            words = re.findall("[A-Z][a-z0-9]*|[0-9]+", function.name)
            heading["summary"] = f"{' '.join(words).capitalize()}, by its contract."
        if header := self._header() or next(iter(page.headers), None):
            heading["header"] = header
        heading["document"] = {"title": page.title, "edition": edition}
        if page.family is not None:
            heading["document"]["family"] = page.family
        if self.contract:
            heading["depth"] = "contract"
        levels = set(function.determinism.values())
        if len(levels) == 1 and len(function.determinism) == len(self._supported):
            heading["determinism"] = levels.pop()
        elif levels:
            heading["determinism"] = dict(function.determinism)
        heading["products"] = {
            support: [p for p, s in page.products.items() if s == support]
            for support in ("supported", "unsupported", "unlisted")
            if support in page.products.values()
        }
        return heading

    @property
    def _supported(self) -> list[str]:
        return [p for p, support in self.page.products.items() if support == "supported"]

    def _header(self) -> str | None:
        """Return the header with the operator's name, or with the longest beginning of it.

        Examples also include headers of other operators, which make their inputs.
        """
        name = _squashed(self.function.name)
        stems = {each: _squashed(each.rpartition("/")[2][:-2]) for each in self.page.headers}
        return max(
            (each for each, stem in stems.items() if name.startswith(stem)),
            key=lambda each: len(stems[each]),
            default=None,
        )

    def sentences(self) -> dict[str, list[str]]:
        """Return what should say the sentences that the todos are about, by fingerprint."""
        places: dict[str, list[str]] = {}
        has_summary = False
        types = {each.name: each.type for each in self.function.parameters}
        for each in self.page.unread():
            name = each.about
            if each.chapter == "function":
                name = "formula" if "$$" in each.text or has_summary else "summary"
            if self.contract and name != "summary" and each.chapter in ("function", "constraints"):
                name = UNTESTED if _is_untested(each, types) else ""
            if name and each.chapter in ("function", "constraints", "parameters"):
                has_summary |= name == "summary"
                places.setdefault(each.fingerprint, [])
                places[each.fingerprint] += [name] * (name not in places[each.fingerprint])
        for row in self.function.errors:
            if row.conditions and all(each.kind == "internal" for each in row.conditions):
                places[row.fingerprint] = ["nothing"]
        return places

    @property
    def _others(self) -> tuple[Function, ...]:
        """The page's second operator, if this is the first one: a spec states both."""
        functions = self.page.functions
        both = len(functions) == 2 and functions[0].name == self.function.name
        return functions[1:] if both else ()

    def _second(
        self, other: _Draft, parameters: Sequence[dict[str, Any]], traits: Sequence[str]
    ) -> dict[str, Any]:
        """Return the section of the second operator, as far as it differs from this one.

        Args:
            parameters: The drafted ones of this operator.
            traits: Its traits.
        """
        second: dict[str, Any] = {"operator": other.function.name}
        rows = {row["name"]: row for row in parameters}
        theirs = {each.name: other.parameter(each) for each in other.function.parameters}
        errors = other.errors(list(theirs.values()))
        their_traits = other._traits(theirs.values(), errors)
        lost = [name for name in rows if name not in theirs]
        added = [name for name in theirs if name not in rows]
        if not added:  # the tensor in place has the name of the input
            added = [name for name in theirs if other.by_name[name].is_written]
            inputs = [name for name in added if self.by_name[name].direction == "input"]
            lost = [*inputs, *lost]
        in_place = [self.by_name[name].direction for name in lost] == ["input", "output"]
        written = [other.by_name[name] for name in added]
        names: dict[str, str] = {}
        if in_place and [each.is_written for each in written] == [True]:
            (name,) = added
            names = dict.fromkeys(lost, name)
            const = {"const": True} if written[0].const else {}
            row = _without_known(theirs.pop(name), rows[lost[0]], names)
            base = _renamed(rows[lost[0]], names)
            second |= {"of": lost, "tensor": {"name": name, **const, **_beyond(row, base)}}
            second["tensor"].pop("todo", None)
            if "todo" in row:
                second["tensor"]["todo"] = row["todo"]
        second["errors"] = errors
        changes: dict[str, Any] = {} if their_traits == traits else {"traits": their_traits}
        if gone := [name for name in lost if not names]:
            changes["parameters"] = dict.fromkeys(gone)
        for name, row in theirs.items():
            own = {key: each for key, each in rows.get(name, {}).items() if key != "todo"}
            patch = _patch(_without_known(row, rows.get(name, {}), names), _renamed(own, names))
            if patch := {key: each for key, each in patch.items() if key != "name"}:
                changes.setdefault("parameters", {})[name] = patch
        ours = {rule["id"]: rule for rule in self.rules}
        rules = {rule["id"]: rule for rule in other.rules}
        # names of tensors in expressions are not replaced by themselves
        if patch := _patch(rules, ours):
            changes["rules"] = patch
        return second | ({"changes": changes} if changes else {})

    def noted(self, known: Sequence[Open]) -> Iterator[str]:
        """Yield the todos about notes, as far as the first operator has not the same ones."""
        reasons = {each.reason for each in known}
        items = [each for each in self.open if each.function and each.reason not in reasons]
        yield from self._unassigned(items)

    def _general(self) -> Iterator[str]:
        """Yield the todos about the spec as a whole."""
        place = self.function.prototype.place
        if not self.contract:
            yield _todo(place, "summary and formula are to be written")
        if self._header() is None:
            included = ", ".join(self.page.headers)
            yield _todo(place, f"header: the example includes {included or 'none'}")
        for other in self.page.functions:
            if other.name != self.function.name and other not in self._others:
                yield _todo(other.prototype.place, f"the page has the operator {other.name}, too")
        yield from self._unassigned(self.open)
        yield from self._chapters()

    def _unassigned(self, items: Iterable[Open]) -> Iterator[str]:
        """Yield the todos about no parameter and no row of an error table, one for each subject."""
        by_subject: dict[str, list[Open]] = {}
        for item in items:
            name = item.about.partition(",")[0]
            if name not in self.by_name and not re.fullmatch(r"ACLNN_\w+, row \d+", item.about):
                by_subject.setdefault(item.about, []).append(item)
        for subject, same in by_subject.items():
            reasons = "; ".join(dict.fromkeys(each.reason for each in same))
            first, marker, rest = reasons.partition(_UNREAD)
            yield _todo(same[0].place, f"{subject}: {first}{marker}{rest.replace(_UNREAD, '')}")

    def _chapters(self) -> Iterator[str]:
        """Yield the todos about the chapters on function and constraints."""
        types = {each.name: each.type for each in self.function.parameters}
        unread: dict[str, list[PageSentence]] = {}
        is_list = False  # of items that only continue an untested sentence
        for sentence in self.page.unread():
            continues = is_list and not re.search(_LIMITS, sentence.text)
            if self.contract and (continues or _is_untested(sentence, types)):
                is_list = continues or sentence.text.endswith((":", "："))
                continue
            is_list = False
            if sentence.chapter in ("function", "constraints"):
                unread.setdefault(sentence.chapter, []).append(sentence)
        for chapter, sentences in unread.items():
            count = counted(len(sentences), "sentence")
            text = f"{chapter}: clauses for {count} from here"
            if self.contract:
                text = f"{chapter}: {_UNREAD}{quoted(each.text for each in sentences)}"
            yield _todo(sentences[0].place, text)

    def parameter(self, parameter: PageParameter) -> dict[str, Any]:
        subjects: dict[int, list[str]] = {}
        for item in self.open:
            # dtypes_on tells the same
            is_doubt = item.about == f"{parameter.name}, dtypes" and "note" in item.reason
            if item.about.partition(",")[0] == parameter.name and not is_doubt:
                subject = item.about.partition(", ")[2] or "row"
                subjects.setdefault(item.place.line, []).append(f"{subject}: {item.reason}")

        def leave_open(text: str) -> None:
            subjects.setdefault(parameter.place.line, []).append(text)

        row: dict[str, Any] = {"name": parameter.name}
        if parameter.is_tensor:
            is_list = parameter.type == "aclTensorList*"
            row |= {"length": parameter.length or "any"} if is_list else {}
            row |= {"length_on": parameter.length_on} if parameter.length_on else {}
            row |= self._tensor(parameter, leave_open)
        elif parameter.type in _ATTRIBUTES:
            row["attribute"] = _ATTRIBUTES[parameter.type]
            row |= self._attribute(parameter, row["attribute"], leave_open)
        else:
            leave_open(f"type {parameter.type}, which specs cannot state yet")
        if parameter.optional and row.get("tensor") == "output":
            row["absent"] = "unwanted"
        elif parameter.optional:
            leave_open("optional: `absent`, what a null pointer stands for")
        places = {place.line: place for place in (parameter.place, *(e.place for e in self.open))}
        todos = [
            _todo(places[line], "; ".join(dict.fromkeys(texts))) for line, texts in subjects.items()
        ]
        return row | ({"todo": todos} if todos else {})

    def _attribute(
        self, parameter: PageParameter, kind: str, leave_open: Callable[[str], None]
    ) -> dict[str, Any]:
        name = parameter.name
        listed = [n for each in parameter.intervals if each.is_example for n in each.values]
        levels = values.inside(kind, parameter.intervals) or listed
        for number, interval in enumerate(parameter.strict_intervals):
            require = self._require(parameter, kind, interval)
            self._rule(f"{name}-values{f'-{number + 1}' if number else ''}", name, require)
        is_whole = kind not in ARRAYS or any(e.keeps_axes for e in self.function.parameters)
        if self.padding is not None and name == self.padding.name:
            levels, is_whole = self.padding.levels, True
        if not levels or not is_whole:
            length = next((each.length for each in parameter.intervals if each.length), None)
            placeholder = [[1] * length] if length else values.PLACEHOLDERS.get(kind, [1])
            levels = levels or placeholder
            if kind not in values.FREE:
                shown = ", ".join(map(str, levels))
                leave_open(f"values in `factors`: to be chosen; {shown} is a placeholder")
        self.levels[name] = [*levels]
        if kind not in SCALARS:
            if parameter.dtype_of is not None:
                leave_open(f"data type: that of {parameter.dtype_of}, which specs cannot state yet")
            return {}
        others = parameter.others("converts_to")
        if others and parameter.dtypes is None:
            leave_open(f"data types: those that convert to that of {' and '.join(others)}")
        return self._dtypes(parameter, leave_open)

    def _require(self, parameter: PageParameter, kind: str, interval: Interval) -> str:
        tensor = next(each.name for each in self.function.parameters if each.is_tensor)
        return values.rule(parameter.name, kind, interval, tensor)

    def _rule(self, id_: str, name: str, require: str) -> None:
        rule = {"id": _kebab(id_), "require": require, "where": f"parameters, {name}"}
        self.rules.append({**rule, "text": f"what is valid of {name}: {require}"})

    def _tensor(
        self, parameter: PageParameter, leave_open: Callable[[str], None]
    ) -> dict[str, Any]:
        row: dict[str, Any] = {}
        if parameter.direction is not None:
            row["tensor"] = parameter.direction
            if parameter.const != (parameter.direction == "input"):
                row["const"] = parameter.const
            if parameter.direction == "input" and not parameter.const and not self.is_second:
                leave_open("direction: an input by its row, and not const in the prototype")
        row |= self._dtypes(parameter, leave_open)
        row |= self._shape(parameter, leave_open)
        if parameter.formats_on:
            leave_open(f"other formats on {', '.join(parameter.formats_on)}")
        if parameter.formats is None:
            leave_open("formats: not stated, or not understood")
        elif parameter.formats != ("ND",):
            row["formats"] = list(parameter.formats)
        # what is not promised is not tested
        if not parameter.non_contiguous:
            row["non_contiguous"] = False
        if parameter.is_index:
            text = f"what happens for values of {parameter.name} that name no element"
            self.silences[_kebab(f"{parameter.name}-outside")] = text
        root = self._root(parameter)
        if root.empty if parameter.empty is None else parameter.empty:
            row["empty"] = True
        return row

    def _shape(self, parameter: PageParameter, leave_open: Callable[[str], None]) -> dict[str, Any]:
        row: dict[str, Any] = {}
        name = parameter.name
        shape = self._stated_shape(parameter)
        if shape is not None:
            row["shape"] = shape
            if other := parameter.larger_than:
                text = f"what {name} holds behind as many elements as {other} has"
                self.silences[_kebab(f"larger-{name}")] = text
        elif parameter.direction == "output" and not self._is_open(name, _ASPECTS["shape"]):
            leave_open("shape: not stated")
        ranks = self._ranks(parameter)
        if ranks is not None:
            row["rank"] = [ranks[0], ranks[-1]]
            if len(ranks) != ranks[-1] - ranks[0] + 1 and parameter is self._root(parameter):
                require = " or ".join(f"rank({name}) == {rank}" for rank in ranks)
                self._rule(f"{name}-ranks", name, require)
        elif "shape" not in row and parameter.direction != "output":
            row["rank"] = [0, 8]
            if not self._is_open(name, "维"):
                leave_open("dimensions: not stated; 0 to 8 is a placeholder")
        return row

    def _stated_shape(self, parameter: PageParameter) -> dict[str, Any] | list[Any] | str | None:
        if (source := self.shape_of.get(parameter.name)) is not None:
            return f"{source}.shape"
        if parameter.shape is not None:
            return [int(d) if d.isdecimal() else d for d in parameter.shape]
        if parameter.ranks == (0,):
            return []
        if parameter.pooled in self.by_name:
            return {"resized": {"tensor": parameter.pooled, "axis": 2, "extent": 1, "onward": True}}
        padding = self.padding
        if padding is not None and parameter.name in (padding.source, *padding.results):
            return padding.shape(parameter.name)
        single = {"one_of": [{"name": "one", "dims": [1]}], "one_element": True}
        rule = single if parameter.is_single else self._broadcast(parameter)
        return rule or self._reduced(parameter)

    def _is_open(self, name: str, subject: str) -> bool:
        """Whether a todo quotes a sentence that may be about the shape of a tensor."""
        return any(
            item.about.partition(",")[0] == name and re.search(subject, item.reason)
            for item in self.open
        )

    def _ranks(self, parameter: PageParameter) -> tuple[int, ...] | None:
        """Return the stated ranks, or those that rows of the error table leave."""
        root = self._root(parameter)
        like = self.by_name[parameter.rank_of].ranks if parameter.rank_of else None
        return parameter.ranks or root.ranks or like or self._ranks_of_rows(parameter.name)

    def _ranks_of_rows(self, name: str) -> tuple[int, ...] | None:
        """Return the ranks that rows of the error table leave, if they refuse greater ones."""
        bounds: dict[str, int] = {}
        for condition in (each for row in self.function.errors for each in row.conditions):
            if (
                condition.bound is not None
                and name in condition.parameters
                and not condition.guarded
            ):
                bounds[condition.kind] = condition.bound
        if "rank_above" not in bounds:
            return None
        return tuple(range(bounds.get("rank_below", 0), bounds["rank_above"] + 1))

    def _partners(self, name: str) -> set[str]:
        """Return the tensors with which one broadcasts, by the parameter table or an error row."""
        partners = {*self.by_name[name].others("broadcasts_with")}
        for each in self.function.parameters:
            in_place = each.direction == "inout" and name in each.others("broadcast_of")
            if in_place or name in each.others("broadcasts_with"):
                partners.add(each.name)
        for condition in (each for row in self.function.errors for each in row.conditions):
            names = {*condition.parameters} if not condition.guarded else set[str]()
            if condition.kind == "not_broadcastable" and name in names:
                partners |= names
        written = {n for n, each in self.by_name.items() if each.direction == "output"}
        return partners - written - {name}

    def _is_broadcast(self, name: str) -> bool:
        """Whether a row of the error table wants the shape to which inputs broadcast."""
        conditions = (each for row in self.function.errors for each in row.conditions)
        return any(each.of_broadcast and name in each.parameters for each in conditions)

    def _reduced(self, parameter: PageParameter) -> dict[str, Any] | None:
        """Return the shape of an input without some axes, or with an extent of 1 there."""
        named = {_squashed(name): each for name, each in self.by_name.items()}
        axis = next((named[name] for name in _AXES if name in named), None)
        is_stated = any(each.keeps_axes for each in self.function.parameters)
        kept = next((named[name] for name in _KEPT if name in named), None) if is_stated else None
        if parameter.direction != "output" or axis is None or kept is None:
            return None
        source = next(each.name for each in self.function.parameters if each.is_tensor)
        return {"resized": {"tensor": source, "axis": axis.name, "extent": 1, "kept": kept.name}}

    def _broadcast(self, parameter: PageParameter) -> dict[str, Any] | str | None:
        """Return the rule of a tensor that broadcasts with others, or that they broadcast to."""
        tensors = [each.name for each in self.function.parameters if each.is_tensor]
        if parameter.direction == "inout":
            return None
        sources = [each for each in tensors if each in parameter.others("broadcast_of")]
        if not sources and parameter.direction == "output" and self._is_broadcast(parameter.name):
            sources = [each for each in tensors if self._partners(each)]
        if sources:
            return f"{sources[0]}.shape" if len(sources) == 1 else {"broadcast_of": sources}
        return None if parameter.is_written else self._mutual(parameter, tensors)

    def _mutual(self, parameter: PageParameter, tensors: Sequence[str]) -> dict[str, Any] | None:
        """Return the rule of an input that broadcasts with the inputs before it."""
        partners = self._partners(parameter.name)
        # in place, or where an output has this shape, the other broadcasts to it
        results = {self.shape_of.get(e.name) for e in self.function.parameters if e.is_written}
        ends = [
            e for e in tensors if e in partners and (self.by_name[e].is_written or e in results)
        ]
        if ends:
            return {"broadcasts_to": ends[0]}
        earlier = [each for each in tensors[: tensors.index(parameter.name)] if each in partners]
        return {"broadcasts_with": earlier[0]} if earlier else None

    def _dtypes(
        self, parameter: PageParameter, leave_open: Callable[[str], None]
    ) -> dict[str, Any]:
        if parameter.dtypes_by_of is not None:
            return self._dtypes_beside(parameter)
        other = self.by_name.get(self.dtype_of.get(parameter.name, ""))
        if other is not None and other.is_tensor:
            if parameter.dtypes is None or all(
                set(parameter.dtypes_of(p) or ()) == set(other.dtypes_of(p) or ())
                for p in self._supported
            ):
                return {"dtype": f"{other.name}.dtype"}
            leave_open(f"data types: not those of {other.name}, with which they agree")
        elif other is not None:
            leave_open(f"data types: those of {other.name}, which specs cannot state yet")
        if parameter.dtypes is None:
            if other is None and not self._is_open(parameter.name, _ASPECTS["dtype"]):
                leave_open("data types: not stated")
            return {}
        if any(parameter.dtypes_on.get(p) == () for p in self._supported):
            leave_open("data types: not understood on all products")
        row = self._listed(
            {p: parameter.dtypes_of(p) or parameter.dtypes for p in self._supported},
            {*_COMPLEX},  # no case can use complex tensors, nor scalars beside them
        )
        if not row["dtypes"]:
            leave_open("data types: none that cases can use")
        return row

    def _dtypes_beside(self, parameter: PageParameter) -> dict[str, Any]:
        """Return the keys of data types that go with those of another parameter."""
        tables = {p: parameter.dtypes_beside(p) for p in self._supported}
        usual = parameter.dtypes_by or max(tables.values(), key=len)
        special = {
            product: beside
            for product, table in tables.items()
            if (beside := {d: list(each) for d, each in table.items() if each != usual.get(d)})
        }
        return {
            "dtype": f"{parameter.dtypes_by_of}.dtype",
            "dtypes_by": {dtype: list(each) for dtype, each in usual.items()},
            **({"dtypes_by_on": special} if special else {}),
        }

    @staticmethod
    def _listed(tables: Mapping[str, Sequence[str]], unused: set[str]) -> dict[str, Any]:
        """Return the keys of data types by product.

        Args:
            unused: Data types that no case can use.
        """
        listed = {name for each in tables.values() for name in each}
        row: dict[str, Any] = {}
        if unknown := sorted(listed - DATA_TYPES.keys()):
            row["note"] = f"The page lists {', '.join(unknown)}, too, which specs do not know."
        row["dtypes"] = _usual_first(listed & DATA_TYPES.keys() - unused)
        usable = {p: _usual_first(n for n in each if n in DATA_TYPES) for p, each in tables.items()}
        special = {p: [n for n in each if n not in unused] for p, each in usable.items()}
        if special := {p: each for p, each in special.items() if each != row["dtypes"]}:
            row["dtypes_on"] = special
        untested = {p: [n for n in each if n in unused] for p, each in usable.items()}
        if untested := {p: each for p, each in untested.items() if each}:
            row["untested_on"] = untested
        return row

    def errors(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
        """Return the rows of the error table, and what else the parameter table requires.

        Args:
            rows: The drafted parameters.
        """
        self.rows = {row["name"]: row for row in rows}
        rows_by_status: dict[str, list[dict[str, Any]]] = {}
        for row in self.function.errors:
            entries = ({"row": row.number, **entry} for entry in self._row(row))
            rows_by_status.setdefault(row.status, []).extend(entries)
        stated = [entry for entries in rows_by_status.values() for entry in entries]
        if requirements := list(self._requirements(stated)):
            rows_by_status["requirement"] = requirements
        return _with_ids({status: each for status, each in rows_by_status.items() if each})

    def _requirements(self, stated: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield what the parameter table requires, and no row of the error table states."""
        keys = {key for entry in stated for key in entry}
        supported = any(each.count("promoted_supported") for each in self.function.parameters)
        stated_keys = {"promotion_outside_support", *(["not_promotable"] if not supported else [])}
        if keys.isdisjoint(stated_keys):
            key = "promotion_outside_support" if supported else "not_promotable"
            yield from ({key: group} for group in self._promoted())
        results = self._converted()
        if results and "not_castable" not in keys:
            yield {"not_castable": results}
        converted = {name for entry in stated for name in entry.get("not_castable", ())}
        for name in (e.name for e in self.function.parameters if e.type == "aclScalar*"):
            if self.by_name[name].others("converts_to") and name not in converted:
                text = f"{name} has a data type that converts to the promoted one"
                yield {"id": _kebab(f"{name}-not-castable"), "text": text, "not_castable": [name]}
        yield from self._unmentioned(stated)
        assigned = {name for entry in stated for name in entry.get("assign", ())}
        for each in self.function.parameters:
            if each.name not in assigned:
                yield from self._outside(each, each.strict_intervals, "parameters")

    def _unmentioned(self, stated: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield requirements on data types and formats of which rows refuse only others' ones."""
        refused = {n for entry in stated for n in entry.get("dtype_outside_support", ())}
        for each in self.function.parameters if refused else ():
            if (
                each.name not in refused
                and not each.is_written
                and "dtypes" in self.rows[each.name]
            ):
                item = f"{each.name}, data types"
                id_ = _kebab(f"{each.name}-dtype-unsupported")
                yield {"id": id_, "item": item, "dtype_outside_support": [each.name]}
        alike = {name for entry in stated for name in entry.get("dtype_differs", ())}
        beside = (e.name for e in self.function.parameters if e.dtypes_by_of is not None)
        if unstated := [name for name in beside if name not in alike]:
            yield {"dtype_differs": unstated}
        checked = {n for entry in stated for n in entry.get("format_outside_support", ())}
        for name in self.by_name if checked and not self.contract else ():
            if name not in checked and self.by_name[name].is_tensor:
                id_ = _kebab(f"{name}-format-private")
                item = f"{name}, data format"
                yield {"id": id_, "item": item, "format_outside_support": [name]}

    def _converted(self) -> list[str]:
        """Return the outputs to whose data type that of the inputs converts."""
        names: set[str] = set()
        for each in self.function.parameters:
            sources = each.others("converts_from")
            names |= {each.name} if sources and each.is_written else set()
            names |= {*each.others("converts_to")} if each.is_tensor else set()
        written = [name for name in self.by_name if name in names and self.by_name[name].is_written]
        return [name for name in written if "dtypes" in self.rows[name]]

    def _promoted(self) -> list[list[str]]:
        """Return groups of parameters that must have a common data type."""
        groups: list[set[str]] = []
        for each in self.function.parameters:
            if others := each.others("promotes_with"):
                group = {each.name, *others}
                for same in [known for known in groups if known & group]:
                    groups.remove(same)
                    group |= same
                groups.append(group)
        typed = [[n for n in self.by_name if n in group and self._is_typed(n)] for group in groups]
        return [names for names in typed if len(names) > 1]

    def _is_typed(self, name: str) -> bool:
        kind = _ATTRIBUTES.get(self.by_name[name].type)
        return self.by_name[name].is_tensor or kind in SCALARS

    def _outside(
        self, parameter: PageParameter, intervals: Iterable[Interval], section: str
    ) -> Iterator[dict[str, Any]]:
        """Yield a violation for each statement on the values of an attribute."""
        kind = _ATTRIBUTES.get(parameter.type, "")
        for interval in intervals if kind else ():
            require = self._require(parameter, kind, interval)
            wrong = values.outside(kind, interval)
            if interval.elements and self.padding is not None:
                wrong = [self.padding.beyond(interval.elements)]
            if not wrong:
                continue
            entry: dict[str, Any] = {
                "id": _kebab(f"{parameter.name}-outside"),
                "text": f"{parameter.name} beyond {require}",
                "when": f"not ({require})",
                "assign": {parameter.name: wrong},
            }
            if section == "parameters":
                entry["where"] = f"parameters, {parameter.name}"
            yield entry

    def _row(self, row: ErrorTableRow) -> Iterator[dict[str, Any]]:
        entries = [each for c in row.conditions for each in self._violations(c, row.interval)]
        if all(condition.kind == "internal" for condition in row.conditions) and row.conditions:
            return
        yield from (each for each in entries if each is not None)
        if None in entries or not row.conditions:
            text = quoted([self.texts[row.fingerprint]])
            yield {"todo": [_todo(row.place, f"{_UNREAD}{text}")]}

    def _violations(
        self, condition: Condition, interval: Interval | None
    ) -> Iterator[dict[str, Any] | None]:
        """Yield the equivalent violations; None if it is unclear or does not exist.

        Args:
            interval: The values that the row leaves.
        """
        kind = condition.kind
        names = [name for name in condition.parameters if name in self.by_name]
        lists = [name for name in names if self.by_name[name].type == "aclTensorList*"]
        if kind == "product_unsupported":
            yield {"unsupported_product": True}
        elif kind == "internal":
            return
        elif condition.guarded:
            yield None
        elif kind == "dtype_not_castable" and (scalar := self._unconvertible(names)):
            text = f"a data type of {scalar} that does not convert to the promoted one is refused"
            yield {"id": _kebab(f"{scalar}-not-castable"), "text": text, "not_castable": [scalar]}
        elif kind in ("value_outside", "length_outside") and names and not lists:
            parameter = self.by_name[names[0]]
            stated = parameter.strict_intervals if condition.around else ()
            entries: list[dict[str, Any] | None] = []
            entries += self._outside(parameter, (interval,) if interval else stated, "errors")
            yield from entries or [None]
        elif kind in _OF_LISTS and lists:
            typed_lists = [n for n in names if self.by_name[n].type.endswith("List*")]
            yield {kind: typed_lists[1:] if kind == LengthDiffers.key else lists}
        elif kind == "shape_differs" and any(self.by_name[name].larger_than for name in names):
            yield from self._smaller(condition, names)
        elif kind == "rank_outside" and condition.around and self._ranked(names):
            yield {"rank_outside": names}
            if raised := [name for name in names if self.rows[name]["rank"][0] > 0]:
                yield {"rank_below": raised}
        else:
            yield self._violation(condition, names)

    def _smaller(
        self, condition: Condition, names: Sequence[str]
    ) -> Iterator[dict[str, Any] | None]:
        """Yield the violations of a row on shapes where a tensor may be larger than another."""
        larger = {name: other for name in names if (other := self.by_name[name].larger_than)}
        others = [name for name in names if name not in larger]
        if len(others) > 1:
            yield self._violation(condition, others)
        for name, other in larger.items():
            id_ = {"id": _kebab(f"{name}-smaller")} if len(others) > 1 else {}
            yield {**id_, "shape_differs": [name], "when": f"numel({name}) < numel({other})"}

    def _ranked(self, names: Sequence[str]) -> bool:
        return bool(names) and all("rank" in self.rows[name] for name in names)

    def _unconvertible(self, names: Sequence[str]) -> str | None:
        """Return the scalar that a row on conversion begins with, and whose type must convert."""
        first = next((self.by_name[name] for name in names), None)
        is_scalar = first is not None and first.type == "aclScalar*"
        return names[0] if is_scalar and first and first.others("converts_to") else None

    def _violation(self, condition: Condition, names: list[str]) -> dict[str, Any] | None:
        kind = condition.kind
        if kind == "null_pointer":
            chosen = names or [n for n, row in self.rows.items() if not self.by_name[n].optional]
            pointers = [n for n in chosen if self.rows[n].get("attribute") not in BY_VALUE]
            pointers = [n for n in pointers if "absent" not in self.rows[n]]
            return {kind: pointers} if pointers else None
        typed = [name for name in names if self._is_typed(name)]
        if kind == "dtype_outside_support":
            # the type of other attributes is that of the prototype
            typed = typed if names else [name for name in self.by_name if self._is_typed(name)]
            return {kind: typed} if typed else None
        if kind in ("dtype_not_derivable", "promotion_outside_support"):
            key = "not_promotable" if kind == "dtype_not_derivable" else kind
            return {key: typed} if len(typed) > 1 else None
        tensors = [self.by_name[name] for name in names if self.by_name[name].is_tensor]
        if kind == "dtype_not_castable":
            results = [t.name for t in tensors if t.is_written]
            return {"not_castable": results} if results else None
        return self._tensor_violation(condition, tensors, is_whole=len(tensors) == len(names))

    def _tensor_violation(
        self, condition: Condition, tensors: list[PageParameter], *, is_whole: bool
    ) -> dict[str, Any] | None:
        kind, names = condition.kind, [tensor.name for tensor in tensors]
        if kind == "format_outside_support":
            # only tensors have one
            if not condition.parameters:
                names = [name for name, each in self.by_name.items() if each.is_tensor]
            return {kind: names} if names else None
        is_rank = kind in ("rank_above", "rank_below")
        if not names or not (is_whole or is_rank):  # only tensors have dimensions
            return None
        is_count = kind == "shape_outside_support" and all(each.is_single for each in tensors)
        if kind == "empty_tensor" or is_count:
            return {"shape_differs" if is_count else kind: names}
        if kind == "not_broadcastable":
            return self._not_broadcastable(names)
        if kind in ("dtype_differs", "shape_differs"):
            return self._differing(kind, tensors)
        return self._rank_violation(condition, names) if is_rank else None

    def _rank_violation(self, condition: Condition, names: list[str]) -> dict[str, Any]:
        end = -1 if condition.kind == "rank_above" else 0
        violation: dict[str, Any] = {"rank_outside" if end else "rank_below": names}
        if any(self.rows[n].get("rank", [None, None])[end] != condition.bound for n in names):
            violation["dimensions"] = condition.bound
        return violation

    def _partner(self, name: str, rule: str) -> Any:
        """Return the tensors by which a rule states the shape of another, if it does."""
        shape = self.rows[name].get("shape")
        return shape.get(rule) if isinstance(shape, dict) else None

    def _not_broadcastable(self, names: Sequence[str]) -> dict[str, Any] | None:
        text = f"shapes of {' and '.join(names)} that do not broadcast are refused"
        entry = {"id": "not-broadcastable", "text": text}
        if mutual := [name for name in names if self._partner(name, "broadcasts_with")]:
            return entry | {"shape_differs": mutual}
        for name in names:
            if target := self._partner(name, "broadcasts_to"):
                when = f"not broadcastable({name}, {target})"
                return entry | {"when": when, "shape_differs": [name]}
        return None

    def _differing(self, kind: str, tensors: list[PageParameter]) -> dict[str, Any] | None:
        """Return the tensors that must agree with another one of the row."""
        followed = self.dtype_of if kind == "dtype_differs" else self.shape_of
        results = [t.name for t in tensors if self._partner(t.name, "broadcast_of")]
        if kind == "shape_differs" and results:
            return {kind: results}
        for name in self.rows:
            target = self._partner(name, "broadcasts_to")
            if kind == "shape_differs" and target and target in [t.name for t in tensors]:
                when = f"broadcastable({name}, {target})"
                text = f"shapes of {target} to which {name} does not broadcast are refused"
                return {"id": "broadcast-differs", "text": text, "when": when, kind: [name]}
        sources = {each.name: followed.get(each.name) for each in tensors}
        free = [name for name, source in sources.items() if source is None]
        bound = [name for name, source in sources.items() if source in sources]
        if bound and len(free) == 1 and len(bound) == len(sources) - 1:
            return {kind: bound}
        shaped = [t.name for t in tensors if "shape" in self.rows[t.name]]
        if kind == "shape_differs" and shaped and len(shaped) == len(tensors):
            return {kind: shaped}
        return None

    def _factors(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return values of attributes and dimensions, and indices that are always valid."""
        dims = {d for row in rows for d in _names_in(row.get("shape")) if d not in self.by_name}
        fill = {
            row["name"]: ["zeros"]
            for row in rows
            if row.get("tensor") == "input" and row.get("dtypes") and {*row["dtypes"]} <= _INTEGERS
        }
        inputs = [row for row in rows if row.get("tensor") == "input"]
        levels: dict[str, list[Any]] = {name: [3, 1, 8] for name in sorted(dims)}
        if self.padding is not None:
            levels |= self.padding.dims
        factors = {
            "dims": levels,
            "attributes": self.levels,
            "fill": fill if len(fill) < len(inputs) else {},
        }
        return {key: each for key, each in factors.items() if each}


def _names_in(shape: Any) -> list[str]:
    texts = [each for each in shape if isinstance(each, str)] if isinstance(shape, list) else []
    return [name for text in texts for name in re.findall(r"[A-Za-z_]\w*", text)]


def _without_known(
    row: dict[str, Any], other: Mapping[str, Any], names: Mapping[str, str]
) -> dict[str, Any]:
    """Return a row without the todos that another one has, too."""
    theirs = other.get("todo", [])
    # some pages keep the first operator's names
    known = {each.partition(": ")[2] for each in (*theirs, *_renamed(theirs, names))}
    todos = [each for each in row.get("todo", []) if each.partition(": ")[2] not in known]
    kept = {key: each for key, each in row.items() if key != "todo"}
    return kept | ({"todo": todos} if todos else {})


def _is_untested(sentence: PageSentence, known: Mapping[str, str]) -> bool:
    """Whether a sentence speaks of values or speed alone, which contracts leave out."""
    if re.search("超时|timeout", sentence.text) and not re.search("必须|支持|不能", sentence.text):
        return True
    if re.search(_LIMITS, sentence.text) and not is_description(sentence.text, known):
        return False
    return sentence.chapter == "function" or re.search(_QUALITIES, sentence.text) is not None


_QUALITIES = re.compile("精度|性能|超时|劣化|nan|inf", re.IGNORECASE)
_ASPECTS = {"dtype": "类型", "shape": "shape|维|轴"}
"""Words of sentences about data types and shapes."""

_OF_LISTS = tuple(kind.key for kind in OF_LISTS)
_KEPT = ("keepdim", "keepdims")
_AXES = ("dim", "dims", "axis", "axes")
_LIMITS = "必须|仅支持|只支持|不支持|不能|不允许|只能|需要满足|需满足|取值范围|约束"
_UNREAD = "not understood: "
