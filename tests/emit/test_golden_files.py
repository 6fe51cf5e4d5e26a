# SPDX-License-Identifier: Apache-2.0
"""The checked-in golden data are what the suite makes today, and a moved expectation is found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.conftest import small_suite
from typer.testing import CliRunner

from aclnn_cts.cli import app
from aclnn_cts.emit.golden_files import (
    SAME,
    Anchor,
    Elements,
    agrees,
    anchor_of,
    differences,
    golden_anchors,
    golden_path,
    operators_with_golden,
    read_golden,
    stale_golden,
)
from aclnn_cts.golden.expected import Expected, Outcome, Real
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite, find_suite

VALUES = (1.5, 1e30, -3e-30, 0.0, np.inf, np.nan, 700.25)


def expected(real: Real = np.float64, **changed: Any) -> Expected:
    """Return the expectation of a float32 output with elements of all sizes."""
    made = Expected.blank((len(VALUES),), real)
    made.allowed[:] = Outcome.VALUE
    made.value[:] = VALUES
    with np.errstate(invalid="ignore"):
        made.tolerance[:] = np.abs(made.value) * 2.0**-23
    return replace(made, **changed)


def is_same(made: Expected, recorded: Expected, error: float = 0.0) -> bool:
    """Return whether two hosts may have these expectations; ``error`` is a share of the value."""
    one, other = (anchor_of("case", "out", "inputs", each) for each in (recorded, made))
    found = Elements.of(made)
    return agrees(one, other, found, error * np.abs(found.value))


def moved(values: Any, element: int, by: float) -> Any:
    """Return a copy of numbers of which one is larger by a share."""
    copy = values.copy()
    copy[element] *= 1 + by
    return copy


@pytest.mark.parametrize("real", [np.float64, np.longdouble])
@pytest.mark.parametrize("element", [0, 1, 2, 6])
def test_a_value_that_moves_is_found(real: Real, element: int) -> None:
    """By a thousandth of its tolerance, whatever the size of the others."""
    own = expected(real)
    other = expected(real, value=moved(own.value, element, 1e-3 * 2.0**-23))
    assert is_same(own, own)
    assert not is_same(other, own)
    assert is_same(other, own, error=1e-3 * 2.0**-23)


def test_one_ulp_is_forgiven() -> None:
    """Hosts may differ in the last bit of every value, although no error is stated."""
    own = expected()
    assert is_same(expected(value=np.nextafter(own.value, np.inf)), own)
    assert not is_same(expected(value=own.value * (1 + 2.0**-45)), own)


def test_an_error_without_bound_counts_as_the_tolerance() -> None:
    """Otherwise one element near overflow would hide all others."""
    own = expected()
    assert is_same(expected(value=moved(own.value, 0, 2.0**-24)), own, error=1e9)
    assert not is_same(expected(value=moved(own.value, 0, 2.0**-18)), own, error=1e9)


def test_a_tolerance_that_moves_is_found() -> None:
    """Beyond a share of SAME, and the error of the value that it holds."""
    own = expected()
    for by, same in ((SAME / 2, True), (SAME * 20, False)):
        assert is_same(expected(tolerance=moved(own.tolerance, 0, by)), own) is same


@pytest.mark.parametrize(
    "changed",
    [
        {"allowed": np.full(len(VALUES), Outcome.ZERO, np.uint8)},
        {"value": np.array([*VALUES[:4], -np.inf, *VALUES[5:]])},
        {"value": np.array([*VALUES[:5], np.inf, *VALUES[6:]])},
        {"value": np.array([*VALUES[:3], np.nan, *VALUES[4:]])},
        {"tolerance": np.full(len(VALUES), np.inf)},
    ],
)
def test_classes_are_the_same_on_all_hosts(changed: dict[str, Any]) -> None:
    """What is accepted, Inf and NaN; errors have no part in it."""
    assert not is_same(expected(**changed), expected(), error=1e9)


def test_values_that_change_places_are_found() -> None:
    """A sum alone would not show it; the elements that a row shows are not all."""
    own = expected(tolerance=np.full(len(VALUES), 1e30))
    value = own.value[[0, 2, 1, 3, 4, 5, 6]]
    assert not is_same(replace(own, value=value), own)


def test_elements_are_shown_from_end_to_end() -> None:
    """With all digits, whatever the type."""
    for real, value in ((np.float64, 1 / 3), (np.longdouble, np.longdouble(1) / 3)):
        own = expected(real)
        own.value[6] = value
        shown = anchor_of("case", "out", "inputs", own).elements.split("; ")
        places, texts = zip(*(each.split(": ") for each in shown), strict=True)
        assert places == ("0", "2", "6")
        assert real(texts[-1].partition("±")[0]) == value


def test_every_operator_has_a_file_and_all_are_small(specs: SpecSet) -> None:
    """One file per operator with a formula of its own, of no more than 5 kB on average."""
    files = {path.name: path.stat().st_size for path in find_suite().golden.iterdir()}
    assert set(files) == {f"{spec.operator}.csv" for spec in operators_with_golden(specs)}
    assert sum(files.values()) < 5e3 * len(specs.tested_operators)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("inputs", "0" * 12),
        ("classes", "0" * 12),
        ("total", "1.0"),
        ("total", "by hand"),
        ("tolerances", "1.0"),
        ("elements", ""),
        ("elements", "0: 9.5±1"),
    ],
)
def test_an_edited_row_is_found(specs: SpecSet, part: str, text: str) -> None:
    """Each column is compared; rows that only one side has are named, too."""
    made = [*golden_anchors(specs, "aclnnLogitGrad")][:2]
    first, second = (anchor for _, anchor, _ in made)
    names = [f"{each.case}: {each.output}" for each in (first, second)]
    edited = replace(first, **{part: text})
    assert differences(specs, [second, edited], made) == names[:1]
    assert differences(specs, [second], made) == names[:1]
    assert differences(specs, [first, second], made[1:]) == names[:1]
    assert differences(specs, [first, second], made) == []


def test_golden_data_of_the_operators_asked_for(specs: SpecSet, tmp_path: Path) -> None:
    """Those of the others are not made; one in place has those of the other function."""
    suite = Suite(tmp_path)
    stale = stale_golden(specs, suite, ["aclnnInplaceRelu"])
    assert list(stale) == [golden_path(suite, "aclnnRelu")]


def test_a_damaged_file_is_made_again(specs: SpecSet, tmp_path: Path) -> None:
    """A file that is cut off is reported, and written anew."""
    whole = golden_path(find_suite(), "aclnnLogitGrad").read_text(encoding="utf-8")
    suite = small_suite(tmp_path, "aclnnLogitGrad")
    suite.golden.mkdir()
    path = golden_path(suite, "aclnnLogitGrad")
    for size in (0, 20, len(whole) // 2):
        path.write_text(whole[:size], encoding="utf-8")
        stale = stale_golden(specs, suite, ["aclnnLogitGrad"])
        assert list(stale) == [path]
    path.write_text(stale[path], encoding="utf-8")
    assert stale_golden(specs, suite, ["aclnnLogitGrad"]) == {}
    assert all(isinstance(each, Anchor) for each in read_golden(path))


def test_a_check_of_one_operator_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """With --operator it looks at the golden data of that one, and vouches for no others."""
    monkeypatch.setattr("aclnn_cts.emit.generated_files.check", lambda *_: [])
    for named, whose in (([], "golden data"), (["--operator", "aclnnSilu"], "data of aclnnSilu")):
        said = CliRunner().invoke(app, ["generate", "--check", *named]).output
        assert f"{whose} are up to date" in said
