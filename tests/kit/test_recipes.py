# SPDX-License-Identifier: Apache-2.0
"""Recipes of a kit: the host makes the bits that NumPy made at home, or nothing."""

from __future__ import annotations

import hashlib
import io
import subprocess
from pathlib import Path

import numpy as np
import pytest

from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.golden.data_kinds import FLOAT_FILLS, SCATTERED, Uniform, Values, make_data
from aclnn_cts.golden.operators.group_norm import FILLS
from aclnn_cts.kit.inputs import RECIPES, STORED, make_inputs, read_recipes
from aclnn_cts.kit.recipes import uniform_line, write_recipes
from aclnn_cts.plan.calls import PlannedCall
from aclnn_cts.plan.case_builder import build_case
from aclnn_cts.plan.cases import Case, Fill, Intent
from aclnn_cts.run.build import find_compiler
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import find_suite

TYPES = ("float32", "float16", "bfloat16", "double")
ALL: dict[str, Values] = {**FLOAT_FILLS, **FILLS}
KINDS = {
    name: kind for name, kind in ALL.items() if isinstance(kind, Uniform) and name not in SCATTERED
}


@pytest.fixture(scope="module")
def maker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that makes data on a kit's host."""
    program = tmp_path_factory.mktemp("maker") / "make_data"
    source = find_suite().harness / "kit" / "make_data.cpp"
    options = ("-std=c++17", "-O2", "-ffp-contract=off")
    subprocess.run([find_compiler().path, *options, source, "-o", program], check=True)
    return program


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", TYPES)
def test_the_same_bits(maker: Path, tmp_path: Path, kind: str, dtype: str) -> None:
    """Of each kind and type, over several blocks, at any place in the file."""
    fill, numel = Fill(kind, (), "a seed"), 40_001
    data = make_data(fill, (numel,), dtype, own=FILLS)
    line = uniform_line(KINDS[kind], fill.seed, (6, numel, dtype))
    (tmp_path / "made").write_bytes(b"before")
    subprocess.run([maker, tmp_path], input=f"file made\n{line}\n".encode(), check=True)
    assert (tmp_path / "made").read_bytes() == b"before" + data.tobytes()


def test_small_numbers_of_short_types(maker: Path, tmp_path: Path) -> None:
    """Subnormals and zeros of float16 are rounded as NumPy rounds them."""
    keys = " ".join(hashlib.sha256(b"x").digest()[at : at + 8][::-1].hex() for at in (0, 8))
    low, high = (-(2.0**-13)).hex(), (2.0**-14).hex()
    line = f"uniform 0 5000 float16 {keys} {low} {high} 0x0p+0 0"
    (tmp_path / "made").touch()
    subprocess.run([maker, tmp_path], input=f"file made\n{line}\n".encode(), check=True)
    wide = line.replace("float16", "double")
    (tmp_path / "wide").touch()
    subprocess.run([maker, tmp_path], input=f"file wide\n{wide}\n".encode(), check=True)
    expected = np.fromfile(tmp_path / "wide", np.float64).astype(np.float16)
    assert (tmp_path / "made").read_bytes() == expected.tobytes()


@pytest.fixture
def kit(specs: SpecSet, tmp_path: Path) -> Path:
    """A kit's folder with the recipe of one case: x is made, dy is stored."""
    facts = {"shape:x": (50, 70), "dtype:x": "float32", "attribute:eps": -1.0}
    facts |= {"fill:x": "wide", "fill:dy": "exact"}
    spec = specs.operator("aclnnLogitGrad")
    case: Case = build_case(PlannedCall.of(spec, "atlas-a2", facts), Intent("base", "smoke"))
    reference = DataStore(tmp_path / "store").provide(specs, [case])[case.id]
    (tmp_path / "data").mkdir()
    stored = io.BytesIO()
    recipes = dict(write_recipes(specs, tmp_path / "store", [(case, reference)], stored))
    (tmp_path / RECIPES).write_text("".join(recipes.values()))
    (tmp_path / STORED).write_bytes(stored.getvalue())
    assert list(recipes) == [reference.path]
    assert len(stored.getvalue()) < reference.payload * 0.6
    return tmp_path


def test_a_file_of_both(kit: Path, maker: Path) -> None:
    """The file is that of home; nothing else is left, and the second time nothing is made."""
    (recipe,) = read_recipes(kit)
    make_inputs(kit, maker)
    made = kit / "data" / recipe.path
    assert made.read_bytes() == (kit / "store" / recipe.path).read_bytes()
    assert [path.name for path in made.parent.iterdir()] == [made.name]
    make_inputs(kit, Path("/no/maker"))


@pytest.mark.parametrize("name", ["{}", "{}.partial"])
def test_what_a_killed_start_left_is_made_again(kit: Path, maker: Path, name: str) -> None:
    """A file counts only with its digest, whatever a killed process wrote."""
    (recipe,) = read_recipes(kit)
    path = kit / "data" / name.format(recipe.path)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"half a file" * 9999)
    make_inputs(kit, maker)
    whole = (kit / "store" / recipe.path).read_bytes()
    assert (kit / "data" / recipe.path).read_bytes() == whole


def test_other_numbers_are_refused(kit: Path, maker: Path) -> None:
    """A host that computes otherwise runs nothing."""
    text = (kit / RECIPES).read_text()
    (kit / RECIPES).write_text(text.replace(" -0x1.8", " -0x1.4"))
    with pytest.raises(NotTrustworthyError, match="--store-inputs"):
        make_inputs(kit, maker)
    (recipe,) = read_recipes(kit)
    assert not (kit / "data" / recipe.path).exists()
