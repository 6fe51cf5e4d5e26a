# SPDX-License-Identifier: Apache-2.0
"""The checked-in golden data are what the suite makes today, and a changed bit is found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from aclnn_cts.cli import app
from aclnn_cts.emit.golden_files import (
    SAME,
    anchored,
    differences,
    golden_arrays,
    golden_errors,
    golden_path,
    read_golden,
    stale_golden,
)
from aclnn_cts.plan.covering import CoveringStore
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite, find_suite


def test_hosts_may_differ_by_twice_the_stated_error() -> None:
    """Another order of adding up is not a change of the data; classes stay what they are."""
    value, error = np.array([1.0, np.inf, np.nan, 2.0]), np.array([0.5, np.inf, np.nan, np.inf])
    for changed, same in (
        ([1.5, np.inf, np.nan, 2.5], True),
        ([1.6, np.inf, np.nan, 2.0], False),
        ([1.0, 5.0, np.nan, 2.0], False),
        ([1.0, np.inf, 5.0, 2.0], False),
        ([1.0, np.inf, np.nan, np.inf], False),
    ):
        found = differences({"v": value}, {"v": np.array(changed)}, {"v": error})
        assert found == ([] if same else ["v: differs"])


def test_stated_errors_are_given_for_what_is_rounded(specs: SpecSet) -> None:
    """Those of the values of each output; next to nothing beside what a device may be off."""
    store = CoveringStore.of(find_suite())
    arrays = golden_arrays(specs, "aclnnGroupNormSwishGrad", store)
    errors = golden_errors(specs, "aclnnGroupNormSwishGrad", store)
    assert errors.keys() == {name for name in arrays if name.endswith("/value")}
    for name, error in errors.items():
        tolerance = arrays[name.replace("/value", "/tolerance")]
        finite = np.isfinite(tolerance)
        assert (error[finite] <= 1e-6 * tolerance[finite]).all()
        assert (error >= 0).all()
    assert any(error.any() for error in errors.values())


def test_every_operator_has_a_file_and_all_are_small(specs: SpecSet) -> None:
    """One file per operator with a formula of its own, and less than 0.2 MB of each on average."""
    files = {path.stem: path.stat().st_size for path in find_suite().golden.iterdir()}
    assert set(files) == {spec.operator for spec in anchored(specs)}
    assert sum(files.values()) < 200_000 * len(files)


@pytest.mark.parametrize("part", ["input/x", "expected/out/value", "expected/out/allowed"])
def test_a_flipped_bit_is_found(specs: SpecSet, part: str) -> None:
    """In an input any bit counts; in an expected value, what is beyond one ulp."""
    del specs
    recorded = read_golden(golden_path(find_suite(), "aclnnLogitGrad"))
    name = next(name for name in recorded if name.endswith(part) and recorded[name].size > 3)
    changed = recorded[name].copy()
    flat = changed.view(np.uint8).reshape(-1)
    flat[changed.itemsize + (6 if changed.itemsize == 8 else 0)] ^= 1
    assert differences(recorded, {**recorded, name: changed}) == [f"{name}: differs"]


def test_one_ulp_is_forgiven_and_two_are_not() -> None:
    """Values may differ in the last bit or by their stated error; NaN and Inf stay what they are.

    Where no error is stated, as for tolerances, a share of SAME is forgiven.
    """
    value = np.array([1.5, np.nan, np.inf, 0.0])
    near, far = value.copy(), value.copy()
    near[0] = np.nextafter(1.5, 2)
    far[0] = np.nextafter(near[0], 2)
    nothing, something = {"v": np.zeros(4)}, {"v": np.full(4, 2.0**-51)}
    assert differences({"v": value}, {"v": near}, nothing) == []
    assert differences({"v": value}, {"v": far}, nothing) == ["v: differs"]
    assert differences({"v": value}, {"v": far}, something) == []
    assert differences({"v": value}, {"v": value * (1 + SAME / 2)}) == []
    assert differences({"v": value}, {"v": value * (1 + SAME * 2)}) == ["v: differs"]
    for changed in ([1.5, 0.0, np.inf, 0.0], [1.5, np.nan, -np.inf, 0.0], [1.5, np.nan, 9, 0.0]):
        assert differences({"v": value}, {"v": np.array(changed)}) == ["v: differs"]


def test_a_value_counts_with_its_rest() -> None:
    """Where float64 does not hold a value, hosts may differ by the error that longdouble leaves."""
    value, rest = np.array([1.0, 3.0]), np.array([2.0**-54, -(2.0**-60)])
    recorded = {"v/value": value, "v/rest": rest, "v/tolerance": np.full(2, 2.0**-60)}
    error = {"v/value": np.full(2, 2.0**-63)}
    step = np.array([np.spacing(1.0), 0.0])
    same = {**recorded, "v/value": value + step, "v/rest": rest - step + 2.0**-63}
    assert differences(recorded, same, error) == []
    other = {**recorded, "v/rest": rest + 2.0**-61}
    assert differences(recorded, other, error) == ["v/value: differs"]
    for share, found in ((2.0**-63, []), (2.0**-62, ["v/tolerance: differs"])):
        shifted = {**recorded, "v/tolerance": recorded["v/tolerance"] + share}
        assert differences(recorded, shifted, error) == found


def test_missing_and_new_arrays_are_named() -> None:
    """Both sides are looked at."""
    one = np.zeros(2)
    assert differences({"a": one}, {"b": one}) == ["a: only recorded", "b: not recorded"]
    assert differences({"a": one}, {"a": np.zeros(3)}) == ["a: differs"]
    assert differences({"a": one}, {"a": one.astype(np.float32)}) == ["a: differs"]


def test_golden_data_of_the_operators_asked_for(specs: SpecSet, tmp_path: Path) -> None:
    """Those of the others are not made; one in place has those of the other function."""
    suite = Suite(tmp_path)
    stale = stale_golden(specs, suite, ["aclnnInplaceRelu"])
    assert list(stale) == [golden_path(suite, "aclnnRelu")]


def test_a_damaged_file_is_made_again(specs: SpecSet, tmp_path: Path) -> None:
    """A file that is cut off counts as nothing, is reported, and written anew."""
    whole = golden_path(find_suite(), "aclnnLogitGrad").read_bytes()
    suite = Suite(tmp_path)
    suite.golden.mkdir()
    small = SpecSet(
        {"aclnnLogitGrad": specs.operator("aclnnLogitGrad")},
        specs.products,
        specs.precision,
        specs.allowances,
        specs.common,
    )
    path = golden_path(suite, "aclnnLogitGrad")
    for size in (0, 100, len(whole) // 2):
        path.write_bytes(whole[:size])
        assert read_golden(path) == {}
    stale = stale_golden(small, suite)
    assert list(stale) == [path]
    path.write_bytes(stale[path])
    assert stale_golden(small, suite) == {}


def test_a_check_of_one_operator_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """With --operator it looks at the golden data of that one, and vouches for no others."""
    monkeypatch.setattr("aclnn_cts.emit.generated_files.check", lambda *_: [])
    for named, whose in (([], "golden data"), (["--operator", "aclnnSilu"], "data of aclnnSilu")):
        said = CliRunner().invoke(app, ["generate", "--check", *named]).output
        assert f"{whose} are up to date" in said
