# SPDX-License-Identifier: Apache-2.0
"""The distribution of the bits of aclnnDropoutGenMaskV2, and what is expected of its bytes."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.golden.expected import Outcome
from aclnn_cts.golden.formula import RandomBits
from aclnn_cts.golden.formula_modules import random_bits_of
from aclnn_cts.plan.planner import plan
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import FormulaFile

MODULE = "dropout_gen_mask_v2"
TYPES = {"float32": np.float32, "float16": np.float16, "bfloat16": ml_dtypes.bfloat16}


@pytest.mark.parametrize("prob", [0.0, 0.1, 0.3, 0.5, 0.9, 0.999, 1.0])
@pytest.mark.parametrize("name", TYPES)
def test_the_probability_may_be_rounded(prob: float, name: str) -> None:
    """Once, twice, or not at all; what needs no rounding has no bounds."""
    dtype: npt.DTypeLike = TYPES[name]
    promised = random_bits_of(MODULE, {"prob": prob, "probDataType": name, "shape": (3, 5)})
    held = float(np.array(prob, dtype))
    for kept in (1 - prob, 1 - held, float(np.array(1 - held, dtype))):
        assert promised.least <= kept <= promised.most
    assert promised.most - promised.least <= 2.0 ** (
        1 - {"float32": 23, "float16": 10}.get(name, 7)
    )
    assert promised.count == 15
    if prob in (0.0, 0.5, 1.0):
        assert promised == RandomBits(1 - prob, 1 - prob, 15)


def test_each_byte_may_be_anything(specs: SpecSet) -> None:
    """All clauses apply, and none says anything of a byte alone."""
    case = next(
        each
        for each in plan(specs, "atlas-a2", "smoke", ["aclnnDropoutGenMaskV2"])
        if each.expects_success
    )
    found = expect_case(specs, case, {})["out"].whole()
    assert found.shape == case.tensor("out").shape
    assert (found.allowed == Outcome.FINITE).all()
    assert (found.reached == 0b111).all()


def test_a_module_without_random_bits_is_refused(tmp_path: Path) -> None:
    """By its name."""
    path = tmp_path / "mine.py"
    path.write_text("x = 1\n")
    with pytest.raises(WrongInputError, match=r"mine\.py: has no function random_bits"):
        random_bits_of(FormulaFile(path, path), {})
