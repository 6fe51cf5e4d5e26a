# SPDX-License-Identifier: Apache-2.0
"""Editions: the merge patch keeps the laws of RFC 7386, and mistakes in it name their line."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spec.minimal import load_operator

from aclnn_cts.errors import WrongInputError
from aclnn_cts.spec.editions import merge, merged_lines
from aclnn_cts.spec.loading import SpecSet, editions_of, load_specs
from aclnn_cts.suite import Suite, find_suite

SCALARS = st.booleans() | st.integers() | st.text(max_size=3)
KEYS = st.sampled_from("abcd")
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
"""Data without nulls, as a spec's are."""

PATCHES = st.recursive(
    SCALARS | st.none(),
    lambda inner: st.lists(VALUES, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


def reference(target: Any, patch: Any) -> Any:
    """The algorithm of RFC 7386, section 2, word for word."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = reference(result.get(name), value)
    return result


@given(VALUES, PATCHES)
def test_the_merge_is_that_of_the_rfc(target: Any, patch: Any) -> None:
    """Where no list of named entries is patched, the result is the RFC's; arguments stay whole."""
    before = copy.deepcopy((target, patch))
    assert merge(target, patch).data == reference(target, patch)
    assert (target, patch) == before


@given(VALUES, PATCHES)
def test_merging_twice_is_merging_once(target: Any, patch: Any) -> None:
    """A patch that was applied changes nothing any more."""
    once = merge(target, patch).data
    assert merge(once, patch).data == once


@given(VALUES)
def test_an_empty_patch_changes_no_mapping(target: Any) -> None:
    """The empty mapping is the neutral patch of a mapping."""
    if isinstance(target, dict):
        assert merge(target, {}).data == target


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_null_removes_everything(target: dict[str, Any]) -> None:
    """A null for each key leaves nothing, and each of them removed something."""
    merged = merge(target, dict.fromkeys(target))
    assert merged.data == {}
    assert merged.idle == []


CLAUSES = {"clauses": [{"id": "a", "text": "one"}, {"id": "b", "text": "two"}, {"id": "c"}]}


def test_lists_of_named_entries_are_patched_by_name() -> None:
    """An entry is patched, removed or added; the others keep their order."""
    changes = {"clauses": {"c": {"text": "three"}, "a": None, "d": {"text": "four"}}}
    assert merge(CLAUSES, changes).data == {
        "clauses": [
            {"id": "b", "text": "two"},
            {"id": "c", "text": "three"},
            {"id": "d", "text": "four"},
        ]
    }


def test_a_list_replaces_a_list() -> None:
    """A named list can still be replaced as a whole, and other lists know no names."""
    assert merge(CLAUSES, {"clauses": []}).data == {"clauses": []}
    assert merge({"x": [{"id": "a"}]}, {"x": {"a": {"b": 1}}}).data == {"x": {"a": {"b": 1}}}


def test_places_lead_to_where_things_stand() -> None:
    """Entries that moved up are found where they were, changed ones in the edition."""
    at = ("editions", "e", "changes")
    merged = merge(CLAUSES, {"clauses": {"a": None, "b": {"text": "2"}, "d": {"text": "4"}}}, at)
    assert merged.origin(("clauses", 0, "id")) == ("clauses", 1, "id")
    assert merged.origin(("clauses", 0, "text")) == (*at, "clauses", "b", "text")
    assert merged.origin(("clauses", 1, "id")) == ("clauses", 2, "id")
    assert merged.origin(("clauses", 2, "text")) == (*at, "clauses", "d", "text")
    lines = {("clauses", 2, "id"): 7, (*at, "clauses", "d", "text"): 30}
    assert merged_lines(merged, lines)["clauses", 1, "id"] == 7


Load = Callable[[str], str]
EDITION = "editions:\n  earlier:\n    changes:\n"


@pytest.fixture
def complaint(tmp_path: Path, specs: SpecSet) -> Load:
    """Load a copy of a spec with an edition of its own; return what is said of it."""
    source = find_suite().specs / "aclnnLogitGrad.yaml"
    base = source.read_text(encoding="utf-8").partition("\neditions:")[0]

    def load(text: str) -> str:
        path = tmp_path / source.name
        path.write_text(f"{base}\n{text}", encoding="utf-8")
        with pytest.raises(WrongInputError) as caught:
            load_operator(path, specs.products, specs.traits)
        line = base.count("\n") + 1
        return str(caught.value).replace(f"{path}:", "").replace(f"{line + 4}:", "LINE:")

    return load


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("clauses: {formula: {expect: nothing}}", "LINE: edition earlier: clauses.0.expect: must"),
        ("clauses: {formula: {text: null}}", "LINE: edition earlier: clauses.0.text is missing"),
        ("clauses: {fresh: {expect: nan}}", "LINE: edition earlier: clauses.10.text is missing"),
        ("clauses: {formula: {exspect: nan}}", "LINE: edition earlier: unknown key 'exspect'"),
        ("clauses: {formla: null}", "LINE: 'formla' does not exist, so null removes nothing"),
        (
            "errors: {null-ponter: {basis: refusal, status: null}}",
            "LINE: unknown clause 'null-ponter'; did you mean 'null-pointer'?",
        ),
        ("scenes: {ends: {note: null}}", "LINE: unknown scene 'ends'; "),
        ("determinisms: null", "LINE: 'determinisms' does not exist, so null removes nothing"),
        ("products: {ascend-951: unlisted}", "LINE: edition earlier: unknown product 'ascend-951'"),
        ("products: {atlas-a2: maybe}", "LINE: edition earlier: products.atlas-a2: must be"),
        ("parameters: {x: {rank: [3, 1]}}", "LINE: edition earlier: rank is [least, greatest]"),
        ("clauses: {formula: {when: y > 0}}", "LINE: edition earlier: 'y > 0': unknown name 'y'"),
        ("operator: aclnnOther", "LINE: operator is the same in all editions"),
        ("editions: {}", "LINE: editions is the same in all editions"),
    ],
)
def test_mistakes_in_an_edition(complaint: Load, change: str, expected: str) -> None:
    """Each mistake names the line of the edition at which it was made."""
    assert complaint(f"{EDITION}      {change}").startswith(expected)


def test_what_an_edition_breaks_elsewhere_is_told_there(complaint: Load) -> None:
    """A statement of the spec that an edition leaves without ground is named with the edition."""
    told = complaint(f"{EDITION}      clauses: {{formula: null}}")
    assert "edition earlier: unknown clause 'formula'; known: " in told
    assert not told.startswith("LINE")


@pytest.mark.parametrize("name", ["current", "2026-08"])
def test_names_that_mean_the_spec_itself(complaint: Load, name: str) -> None:
    """No edition can take the name of the one that is stated in full."""
    told = complaint(f"editions:\n  {name}: {{changes: {{}}}}")
    assert f"the name {name!r} means the edition that the spec itself states" in told


def test_the_prototype_is_one(complaint: Load) -> None:
    """One program serves all editions, so none may have another prototype."""
    told = complaint(f"{EDITION}      parameters: {{more: {{attribute: double}}}}")
    assert "edition earlier: the C prototype differs from that of the spec" in told


def test_names_of_editions(specs: SpecSet) -> None:
    """The current edition goes by two names; an unknown one is answered with the nearest."""
    suite = find_suite()
    assert set(editions_of(suite)) == {"current", "earlier"}
    assert load_specs(suite, "2026-08") == load_specs(suite, "current")
    assert specs.edition == "current"
    assert load_specs(suite, "earlier").edition == "earlier"
    with pytest.raises(WrongInputError, match="unknown edition 'erlier'; did you mean 'earlier'"):
        load_specs(suite, "erlier")


def test_a_spec_without_the_edition_is_as_it_is_now(specs: SpecSet) -> None:
    """The forward pooling has no earlier page."""
    name = "aclnnMaxPool2dWithMask"
    assert load_specs(find_suite(), "earlier").operator(name) == specs.operator(name)


def test_producers_are_checked_in_each_edition(tmp_path: Path) -> None:
    """An edition that takes away what another spec's edition needs is refused."""
    specs = find_suite().specs
    (tmp_path / "specs").mkdir()
    for path in specs.glob("*.yaml"):
        (tmp_path / "specs" / path.name).write_bytes(path.read_bytes())
    path = tmp_path / "specs" / "aclnnMaxPool2dWithMaskBackward.yaml"
    text = path.read_text(encoding="utf-8")
    old = "        indices: {rank: null, non_contiguous: false}"
    new = "        indices: {rank: null, non_contiguous: false, producer: {output: mask}}"
    path.write_text(text.replace(old, new), encoding="utf-8")
    line = text[: text.index(old)].count("\n") + 1
    with pytest.raises(WrongInputError) as caught:
        load_specs(Suite(tmp_path)).require_valid()
    assert str(caught.value).startswith(f"{path}:{line}: edition earlier: unknown output 'mask'")
