# SPDX-License-Identifier: Apache-2.0
"""The quarantine file: what it may say, and where it is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import SMALL, small_suite

from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec import loading
from aclnn_cts.spec.loading import SpecSet, load_specs, specs_digest
from aclnn_cts.spec.names import PLANNED_SCENES
from aclnn_cts.spec.quarantine import Quarantine
from aclnn_cts.suite import Suite, find_suite

ENTRY = """\
quarantined:
  - operator: aclnnLogitGrad
    case: LogitGrad.special.bfloat16.*
    reason: the formula rounds twice
    found: 2026-11-21
    measured: "out[3]: golden 1.0, exact 1.5"
"""


def forget() -> None:
    """Have what was read of a suite read again."""
    loading._files.cache_clear()
    load_specs.cache_clear()
    specs_digest.cache_clear()


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str], SpecSet]:
    """Return what loads specs with another quarantine."""
    small = small_suite(tmp_path, *SMALL)

    def loaded(text: str) -> SpecSet:
        (small.specs / "quarantine.yaml").write_text(text, encoding="utf-8")
        forget()
        return load_specs(small)

    return loaded


def test_the_suite_has_the_file() -> None:
    """An empty list says that nothing is quarantined; a missing file would say nothing."""
    assert (find_suite().specs / "quarantine.yaml").is_file()


def test_an_entry_speaks_of_the_cases_that_its_pattern_fits(load: Callable[[str], SpecSet]) -> None:
    """Ids are matched as a whole, letter by letter."""
    quarantine = load(ENTRY).quarantine
    entry = quarantine.entry_of("LogitGrad.special.bfloat16.4x9.eps_-1.0123456789")
    assert entry is not None
    assert entry.reason == "the formula rounds twice"
    for other in (
        "LogitGrad.special.float16.4x9.eps_-1.0123456789",
        "logitgrad.special.bfloat16.4",
    ):
        assert quarantine.entry_of(other) is None


def test_every_edition_has_the_quarantine(load: Callable[[str], SpecSet], tmp_path: Path) -> None:
    """A wrong formula is wrong for every edition of the page."""
    quarantine = load(ENTRY).quarantine
    assert (
        load_specs(Suite(tmp_path), "earlier").quarantine
        == quarantine
        != Quarantine(quarantined=[])
    )


def test_without_the_file_nothing_is_quarantined(
    load: Callable[[str], SpecSet], tmp_path: Path
) -> None:
    """Suites of other operators need none."""
    load("quarantined: []\n")
    (tmp_path / "specs" / "quarantine.yaml").unlink()
    forget()
    assert load_specs(Suite(tmp_path)).quarantine.quarantined == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("aclnnLogitGrad", "aclnnLogitGard", "2: unknown operator 'aclnnLogitGard'; known: aclnnL"),
        ("aclnnLogitGrad", "aclnnMaxPool2dWithMask", "2: unknown operator 'aclnnMaxPool2dWithM"),
        ("aclnnLogitGrad", "LogitGrad", "2: quarantined.0.operator: must match the pattern"),
        ("LogitGrad.sp", "PreluBackward.sp", "3: 'PreluBackward.special.bfloat16.*' is not a case"),
        ("special", "speciall", "3: unknown scene 'speciall'; known: "),
        (
            "LogitGrad.special.bfloat16.*",
            "LogitGrad",
            "3: quarantined.0.case: must match the pattern",
        ),
        ("LogitGrad.special.bfloat16.*", '"*"', "3: quarantined.0.case: must match the pattern"),
        ("the formula rounds twice", "bad", "4: quarantined.0.reason: must have at least 8 c"),
        ("2026-11-21", "yesterday", "5: quarantined.0.found: must be a date such as 2026"),
        ("    found: 2026-11-21\n", "", "2: quarantined.0.found is missing"),
        ("measured", "seen", "6: unknown key 'seen'"),
    ],
)
def test_mistakes(load: Callable[[str], SpecSet], old: str, new: str, expected: str) -> None:
    """The line on which it stands, and what is wrong."""
    assert old in ENTRY
    text = ENTRY.replace(old, new, 1)
    with pytest.raises(WrongInputError) as caught:
        load(text)
    lines = str(caught.value).splitlines()
    assert any(f"quarantine.yaml:{expected}" in line for line in lines), lines


def test_the_digest_of_the_specs_does_not_depend_on_it(
    load: Callable[[str], SpecSet], tmp_path: Path
) -> None:
    """A run that was made before the wrong value was found can be judged again."""
    load("quarantined: []\n")
    before = specs_digest(Suite(tmp_path))
    load(ENTRY)
    assert specs_digest(Suite(tmp_path)) == before
    spec = tmp_path / "specs" / "aclnnLogitGrad.yaml"
    spec.write_text(spec.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    forget()
    assert specs_digest(Suite(tmp_path)) != before


def test_the_planner_s_scenes_are_those_that_may_be_named(
    specs: SpecSet, planned: Callable[..., tuple[Case, ...]]
) -> None:
    """No scene of a planned case is unknown to the file, and none is known that is not planned."""
    asked = {scene.id for spec in specs.tested_operators for scene in spec.scenes}
    made = {case.scene for case in planned("atlas-a2", "standard") if case.expects_success}
    # the page of Softmax speaks of batches there, Celu has a scalar, and Add promotes its inputs
    own = planned("ascend-950", "smoke", "aclnnSoftmax", "aclnnCelu", "aclnnAdd")
    made |= {case.scene for case in own if case.expects_success}
    assert made - asked | {"traversal", "listed"} == set(PLANNED_SCENES)
