# SPDX-License-Identifier: Apache-2.0
"""The catalog of faults and variants: what is refused, and what it has to hold."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from aclnn_cts.errors import WrongInputError
from aclnn_cts.qualify.catalog import Catalog, load_catalog
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite, find_suite

GOOD: dict[str, Any] = {
    "id": "logit-x",
    "operator": "aclnnLogitGrad",
    "fault": "Something goes wrong.",
    "bug": "Somebody mistook it.",
    "notices": ["formula"],
    "needs": "A case that looks.",
    "edits": [{"in": "operators/logit_grad.cpp", "replace": "1.0F - x", "by": "2.0F - x"}],
}


RIGHT: dict[str, Any] = {
    "id": "logit-two-quotients",
    "operator": "aclnnLogitGrad",
    "variant": "It divides in another order.",
    "allows": ["division-within-one-ulp"],
    "why": "The page states no order.",
    "edits": [{"in": "operators/logit_grad.cpp", "replace": "1.0F - x", "by": "-x + 1.0F"}],
}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(find_suite())


def refusal(
    tmp_path: Path, *faults: object, variants: Sequence[object] = (), wrong: str = "faults"
) -> str:
    """Return what is said of a catalog with these faults and variants, one of them wrong."""
    (tmp_path / "simulator" / "operators").mkdir(parents=True)
    (tmp_path / "specs").symlink_to(find_suite().specs)
    source = find_suite().simulator / "operators" / "logit_grad.cpp"
    (tmp_path / "simulator" / "operators" / source.name).write_bytes(source.read_bytes())
    for key, listed in (("faults", faults), ("variants", variants)):
        entries = [yaml.safe_dump([entry], sort_keys=False) for entry in listed]
        path = tmp_path / "simulator" / f"{key}.yaml"
        path.write_text(f"{key}:\n" + "".join(entries) if entries else f"{key}: []\n")
    file = tmp_path / "simulator" / f"{wrong}.yaml"
    with pytest.raises(WrongInputError) as refused:
        load_catalog(Suite(tmp_path))
    text = str(refused.value)
    assert re.match(rf"{re.escape(str(file))}:\d+: ", text), text
    return text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": "Logit"}, "id:"),
        ({"operator": "aclnnLogit"}, "did you mean 'aclnnLogitGrad'"),
        (
            {"id": "prelu-x"},
            "prelu-x: the id must begin with a word of aclnnLogitGrad: logit, grad",
        ),
        ({"operator": None}, "either `operator` or `part`"),
        ({"part": "runtime"}, "either `operator` or `part`"),
        ({"operators": ["aclnnLogitGrad"]}, "is tried on that operator's cases"),
        ({"operator": None, "part": "runtime"}, "whose cases are run on it"),
        ({"notices": ["formulas"]}, "did you mean 'formula'"),
        ({"notices": []}, "notices"),
        ({"product": "atlas-a9"}, "unknown product"),
        ({"needs": "No."}, "needs"),
        ({"wrong": 1}, "unknown key 'wrong'"),
    ],
)
def test_wrong_descriptions_are_refused(
    change: dict[str, object], said: str, tmp_path: Path
) -> None:
    """Each is named with file and line, and with what would be right."""
    assert said in refusal(tmp_path, {**GOOD, **change})


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"in": "../specs/x.h"}, "in:"),
        ({"in": "operators/logit.cpp"}, "there is no simulator/operators/logit.cpp"),
        ({"replace": "0.0F"}, "must stand there once"),
        ({"replace": "nowhere to be found"}, "stands 0 times"),
        ({"by": "1.0F - x"}, "changes nothing"),
        ({"replace": ""}, "replace"),
    ],
)
def test_edits_must_fit_the_sources(edit: dict[str, str], said: str, tmp_path: Path) -> None:
    """An edit names a file of the simulator, and a text that stands there exactly once."""
    assert said in refusal(tmp_path, {**GOOD, "edits": [{**GOOD["edits"][0], **edit}]})


def test_a_wrong_edit_is_told_once(tmp_path: Path) -> None:
    """A list whose only entry is wrong is not too short as well."""
    edit = {**GOOD["edits"][0], "in": "/etc/passwd"}
    text = refusal(tmp_path, {**GOOD, "edits": [edit]})
    assert "faults.0.edits.0.in: must be written as the pattern" in text
    assert text.count("\n") == 0


def test_nothing_stands_twice(tmp_path: Path) -> None:
    """Two faults have neither one id nor the same edits."""
    text = refusal(tmp_path, GOOD, {**GOOD, "id": "logit-y"}, {**GOOD, "fault": "Another one."})
    assert "logit-y: has the edits of logit-x" in text
    assert "logit-x: duplicate id" in text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"allows": []}, "allows"),
        ({"allows": ["division-by-reciprocals"]}, "did you mean 'division-by-reciprocal'"),
        ({"why": "So."}, "why"),
        ({"notices": ["formula"]}, "unknown key 'notices'"),
        ({"operator": "aclnnLogit"}, "did you mean 'aclnnLogitGrad'"),
        ({"id": "prelu-two-quotients"}, "the id must begin with a word of aclnnLogitGrad"),
        ({"id": "logit-x"}, "duplicate id"),
        ({"edits": GOOD["edits"]}, "has the edits of logit-x"),
    ],
)
def test_wrong_variants_are_refused(change: dict[str, object], said: str, tmp_path: Path) -> None:
    """A variant says what makes it right, and is no fault under another name."""
    text = refusal(tmp_path, GOOD, variants=[{**RIGHT, **change}], wrong="variants")
    assert said in text


def test_edits_are_applied_one_after_the_other(tmp_path: Path) -> None:
    """A second edit of a file must fit what the first one has left."""
    edit = GOOD["edits"][0]
    text = refusal(tmp_path, {**GOOD, "edits": [edit, {**edit, "by": "3.0F - x"}]})
    assert "stands 0 times" in text


def test_unknown_fault_is_offered_the_nearest(catalog: Catalog) -> None:
    """A mistyped id is answered with the right one."""
    name = next(iter(catalog.faults))
    with pytest.raises(WrongInputError, match=f"did you mean '{name}'"):
        catalog.change(name + "x")


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("prelu-stride", "did you mean 'prelu-weight-stride-ignored' or 'prelu-"),
        ("nan", "did you mean 'logit-nan-eps-like-none' or 'prelu-nan-"),
        ("nosuch", "unknown fault 'nosuch'; `grep"),
    ],
)
def test_unknown_fault_is_offered_near_ones_and_all(
    catalog: Catalog, name: str, offered: str
) -> None:
    """A few that are written alike, or hold the word, and the command that lists all of them."""
    with pytest.raises(WrongInputError) as refused:
        catalog.change(name)
    said = str(refused.value)
    assert offered in said
    assert said.endswith(f"` lists all {len(catalog.faults)}")
    listed = subprocess.run(
        shlex.split(said.split("`")[1]), capture_output=True, text=True, check=True
    ).stdout
    assert [line.split("id: ")[1] for line in listed.splitlines()] == list(catalog.faults)


def test_the_catalog_is_large_enough(catalog: Catalog, specs: SpecSet) -> None:
    """At least 120 faults: 15 for each tested operator, 20 for layout and runtime together."""
    homes = Counter(fault.home for fault in catalog.faults.values())
    assert sum(homes.values()) >= 120
    assert all(homes[spec.operator] >= 15 for spec in specs.tested)
    assert homes["layout"] + homes["runtime"] >= 20


def test_there_are_variants_enough(catalog: Catalog, specs: SpecSet) -> None:
    """At least 60 right devices, 8 for each operator, and some that combine allowances."""
    homes = Counter(variant.home for variant in catalog.variants.values())
    assert sum(homes.values()) >= 60
    assert all(homes[spec.operator] >= 8 for spec in specs.tested)
    assert sum(len(variant.allows) > 1 for variant in catalog.variants.values()) >= 10


def test_a_fault_is_no_variant(catalog: Catalog) -> None:
    """Each kind is asked for by its own name; what is made says which it is."""
    fault, variant = next(iter(catalog.faults)), next(iter(catalog.variants))
    assert catalog.change(fault).kind == "fault"
    assert catalog.change(variant, "variant").kind == "variant"
    with pytest.raises(WrongInputError, match="unknown fault"):
        catalog.change(variant)
    with pytest.raises(WrongInputError, match=r"unknown variant .*variants\.yaml"):
        catalog.change(fault, "variant")


def test_each_device_is_its_own(catalog: Catalog) -> None:
    """No two entries make the same device, or are described in the same words."""
    assert len({change.digest for change in catalog.changes.values()}) == len(catalog.changes)
    sentences = {variant.variant for variant in catalog.variants.values()}
    assert len(sentences) >= len(catalog.variants) - 10
    told = {(fault.home, fault.fault) for fault in catalog.faults.values()}
    assert len(told) == len(catalog.faults)
