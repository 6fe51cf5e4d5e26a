# SPDX-License-Identifier: Apache-2.0
"""What a record of some operators depends on: an unrelated edit of the specs orphans nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import SMALL, small_suite

from aclnn_cts.spec import loading
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.spec.parts import changed_part, parts_of
from aclnn_cts.suite import Suite

OPERATOR, PRODUCER = "aclnnMaxPool2dWithMaskBackward", "aclnnMaxPool2dWithMask"


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """Specs to be edited."""
    return small_suite(tmp_path, *SMALL)


@pytest.fixture
def parts(suite: Suite) -> dict[str, str]:
    """What cases of the operator depend on."""
    return parts_of(suite, load_specs(suite), [OPERATOR])


def edited(suite: Suite, file: str, old: str, new: str) -> None:
    """Edit a file of the specs, which are then read again; an empty text is at its end."""
    path = suite.specs / file
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new, 1) if old else text + new, encoding="utf-8")
    load_specs.cache_clear()
    loading._files.cache_clear()


def test_what_an_operator_depends_on(suite: Suite, parts: dict[str, str]) -> None:
    """Its own spec, that of its producer, what all share, and the entries that they name."""
    shared = {"common.yaml", "precision.yaml", "products.yaml"}
    named = {f"allowances.yaml#{name}" for name in ("float32-or-wider", "sums-in-any-order")}
    assert {f"{OPERATOR}.yaml", f"{PRODUCER}.yaml"} | shared | named <= parts.keys()
    assert not {"quarantine.yaml", "allowances.yaml", "traits.yaml"} & parts.keys()
    assert not {"aclnnLogitGrad.yaml", "aclnnPreluBackward.yaml"} & parts.keys()
    assert all(parts.values())
    assert changed_part(suite, load_specs(suite), parts) == ""


_ALLOWANCE = """
  - id: new-one
    text: be another
    reason: It is new.
    source: public kernels
"""


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("aclnnPreluBackward.yaml", "summary: ", "summary: another "),
        ("aclnnNew.yaml", "", "operator: aclnnNew\n"),
        ("allowances.yaml", "allowances:\n", f"allowances:{_ALLOWANCE}"),
        ("allowances.yaml", "# What", "# Whatever"),
        ("quarantine.yaml", "", "quarantined: []\n"),
    ],
)
def test_an_unrelated_edit(
    suite: Suite, parts: dict[str, str], file: str, old: str, new: str
) -> None:
    """Another operator, even an invalid one, and an entry that it does not name change nothing."""
    edited(suite, file, old, new)
    assert changed_part(suite, load_specs(suite), parts) == ""


@pytest.mark.parametrize(
    ("file", "old", "new", "part"),
    [
        (f"{OPERATOR}.yaml", "summary: ", "summary: another ", f"{OPERATOR}.yaml"),
        (f"{PRODUCER}.yaml", "summary: ", "summary: another ", f"{PRODUCER}.yaml"),
        ("common.yaml", "", "# more\n", "common.yaml"),
        ("products.yaml", "", "# more\n", "products.yaml"),
        (
            "allowances.yaml",
            "accumulation_factor: 4.0",
            "accumulation_factor: 5.0",
            "allowances.yaml#sums-in-any-order",
        ),
    ],
)
def test_an_edit_that_concerns_it(
    suite: Suite, parts: dict[str, str], file: str, old: str, new: str, part: str
) -> None:
    """What was made with other specs of the operator is not judged with these."""
    edited(suite, file, old, new)
    assert changed_part(suite, load_specs(suite), parts) == part


@pytest.mark.parametrize("part", ["../x.yaml", "aclnnGone.yaml", "traits.yaml#gone", "/dev/zero"])
def test_a_part_that_is_not_there(suite: Suite, part: str) -> None:
    """Names come from a record of somebody else: nothing outside the specs is read."""
    assert changed_part(suite, load_specs(suite), {part: ""}) == part
