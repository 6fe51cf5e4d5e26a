# SPDX-License-Identifier: Apache-2.0
"""What is said of damaged JSON: where, and what is wrong, in words of our own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from tests.library_words import LIBRARY_WORDS

from aclnn_cts.kit.receive import _ADAPTER as RECORD_LINE
from aclnn_cts.run.events import _ADAPTER as EVENT
from aclnn_cts.validation_messages import (
    MALFORMED,
    damage_of,
    duplicate_key,
    json_damage,
    read_json,
)


class _Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class _Host:
    name: str
    cores: int = 1


class _Whole(BaseModel):
    model_config = ConfigDict(extra="forbid")

    format: Literal["a/1"] = "a/1"
    name: str = Field(default="n", pattern="^n+$")
    share: float = 0.5
    sure: bool = True
    colour: _Colour = _Colour.RED
    host: _Host = _Host("h")
    pair: tuple[int, int] = (1, 2)
    counts: dict[Literal["x", "y"], int] = {}


def damage(content: str | bytes, adapter: TypeAdapter[Any] | None = None) -> str:
    """Return what is said of a content that is refused."""
    with pytest.raises(ValidationError) as caught:
        (adapter or TypeAdapter(_Whole)).validate_json(content)
    told = json_damage(caught.value, "the whole file")
    assert not LIBRARY_WORDS.search(told), told
    assert "\n" not in told
    return told


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "it is empty"),
        ("\n  \n", "it is empty"),
        ('{"name":', "it is cut off at column 8"),
        ('{\n "name": "n', "it is cut off at line 2, column 11"),
        ("\0\0\0", "it is not JSON from column 1 on"),
        ('{\n "name" "n"}', "it is not JSON from line 2, column 9 on"),
        ('{"name": "n"} {}', "it is not JSON from column 15 on"),
        (b'{"name": "\xff"}', "it is not JSON from column 11 on"),
        ("[" * 999, "it is nested too deeply at column 202"),
        ("[]", "the whole file must hold keys with values"),
        ("null", "the whole file must hold keys with values, not null"),
        ('{"nome": 1}', "nome is an unknown key"),
        ('{"host": {}}', "host.name is missing"),
        ('{"host": {"name": "h", "coers": 2}}', "host.coers is an unknown key"),
        ('{"host": 5}', "host must hold keys with values, not 5"),
        ('{"format": "a/2"}', "format must be 'a/1', not \"a/2\""),
        ('{"name": 5}', "name must be text, not 5"),
        ('{"name": "m"}', "name must match the pattern '^n+$', not \"m\""),
        ('{"share": "much"}', 'share must be a number, not "much"'),
        ('{"sure": "perhaps"}', 'sure must be true or false, not "perhaps"'),
        ('{"colour": "green"}', "colour must be 'red' or 'blue', not \"green\""),
        ('{"pair": [1]}', "pair.1 is missing"),
        ('{"pair": [1, 2.5]}', "pair.1 must be a whole number, not 2.5"),
        ('{"pair": [1, 2, 3]}', "pair must be a list of length 2 or less"),
        ('{"counts": {"z": 1}}', "counts.z must be 'x' or 'y', not \"z\""),
    ],
)
def test_what_is_damaged(content: str | bytes, told: str) -> None:
    """The place is that in the file, a value is shown as it is written there."""
    assert damage(content) == told


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{}", "event is missing"),
        ('{"event": "fin"}', 'event is unknown: "fin"'),
        ('{"event": "end", "case": "c"}', "end.microseconds is missing"),
        ('{"event": "end", "case": "c", "microseconds": []}', "end.microseconds must be a number"),
    ],
)
def test_lines_of_several_kinds(content: str, told: str) -> None:
    """The kind of the line stands before the key."""
    assert damage(content, EVENT) == told


def test_a_long_value_is_not_shown() -> None:
    """A message is a line, whatever was written over the file."""
    assert damage(json.dumps({"share": "x" * 400})) == "share must be a number"


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(
    st.sampled_from([EVENT, RECORD_LINE, TypeAdapter(_Whole)]),
    st.dictionaries(st.sampled_from(["event", "case", "run", "host", "pair", "name"]), JSON)
    | st.fixed_dictionaries({"event": st.sampled_from(["end", "memory", "host", "process"])}),
)
@example(EVENT, {"event": None})
def test_no_word_of_the_library(adapter: TypeAdapter[Any], data: dict[str, Any]) -> None:
    """Whatever a file holds: the words are ours."""
    content = json.dumps(data)
    try:
        adapter.validate_json(content)
    except ValidationError as error:
        told = json_damage(error, "the whole line")
        shown = told.partition(", not ")[0].partition(", but ")[0]
        assert not LIBRARY_WORDS.search(shown), told


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "it is empty"),
        (b" \n", "it is empty"),
        (b'{"a":', "it is cut off at column 6"),
        (b'{"a": "b', "it is cut off at column 7"),
        (b'{"a": fal', "it is cut off at column 7"),
        (b'{"a":\n x}', "it is not JSON from line 2, column 2 on"),
        (b"{} x", "it is not JSON from column 4 on"),
        (b'{"a": "\xff"}', "it is not UTF-8 from byte 8 on"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b"{}", "'name' is missing"),
        (b"7", "it has the wrong structure"),
        (b'{"name": 7}', "it has the wrong structure"),
    ],
)
def test_without_a_model(content: bytes, told: str) -> None:
    """The same words where Python's own reader refuses, or what takes the data apart."""
    with pytest.raises(_EXPECTED) as caught:
        json.loads(content)["name"].upper()
    assert damage_of(caught.value) == told


_EXPECTED = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


def test_a_file_that_cannot_be_read() -> None:
    """The system's reason, without its number."""
    assert damage_of(PermissionError(13, "Permission denied")) == "Permission denied"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"a": 1, "a": 1}', "duplicate key 'a'"),
        ('{"a" : ",", "\\u0061"\n: 2}', "duplicate key 'a'"),
        ('{"x": [{"a": 1}, {"a": ":", "b": "a", "a": 2}]}', "duplicate key 'a'"),
        ('{"x": [{"a": 1}, {"a": 1}], "y": "\\"x\\": 1"}', ""),
        ('{"a": 1, "a": ', ""),
    ],
)
def test_duplicate_keys(content: str, told: str) -> None:
    """They are found however they are written; what is no JSON is left to the model."""
    assert duplicate_key(content.encode()) == told
    if told:
        with pytest.raises(MALFORMED, match=told):
            read_json(content)
