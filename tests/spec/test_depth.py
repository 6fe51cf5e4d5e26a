# SPDX-License-Identifier: Apache-2.0
"""Specs without a formula: what they may say, and what is planned for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.spec.minimal import MINIMAL

from aclnn_cts.errors import WrongInputError
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.planner import plan
from aclnn_cts.spec.clause_models import FINITE_OUTPUTS
from aclnn_cts.spec.loading import SpecSet, load_operator
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.names import SPECIAL_FILLS

_OF_VALUES = MINIMAL[MINIMAL.index("golden") : MINIMAL.index("errors")]
CONTRACT = MINIMAL.replace(_OF_VALUES, "depth: contract\n")


def _loaded(text: str, folder: Path, specs: SpecSet) -> OperatorSpec:
    path = folder / "aclnnThing.yaml"
    path.write_text(text, encoding="utf-8")
    return load_operator(path, specs.products, specs.traits)


def test_a_contract_needs_nothing_about_values(tmp_path: Path, specs: SpecSet) -> None:
    """Scenes of traits are about values, too."""
    spec = _loaded(CONTRACT + "traits: [elementwise]\n", tmp_path, specs)
    assert spec.is_contract
    assert spec.scenes == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (CONTRACT + "golden: thing\n", "golden does not go with the depth contract"),
        (MINIMAL + "depth: contract\n", "clauses does not go with the depth contract"),
        (CONTRACT + "  fill: {x: [uniform, special]}\n", "'special' does not go with the depth"),
        (CONTRACT + "  fill: {x: [derived]}\n", "'derived' does not go with the depth contract"),
        (CONTRACT.replace("depth: contract", "depth: full"), "golden is missing"),
        (MINIMAL + "sentences: {current: {untested-values: [aaaaaaaaaa]}}\n", "unknown clause"),
    ],
)
def test_what_is_about_values_is_refused(
    text: str, said: str, tmp_path: Path, specs: SpecSet
) -> None:
    """What nobody tests is not stated, and what is stated is tested."""
    with pytest.raises(WrongInputError, match=said):
        _loaded(text, tmp_path, specs)


def _contracts(specs: SpecSet) -> list[OperatorSpec]:
    found = [spec for spec in specs.tested if spec.is_contract]
    assert found
    return found


def _cases(specs: SpecSet) -> list[Case]:
    products = {spec.operator: next(filter(spec.supports, specs.products)) for spec in specs.tested}
    names = [spec.operator for spec in _contracts(specs)]
    return [case for name in names for case in plan(specs, products[name], "smoke", [name])]


def test_finite_outputs_are_promised_of_contracts_alone(specs: SpecSet) -> None:
    """Each call that must work tests it; no other operator has the clause."""
    cases = _cases(specs)
    assert all((FINITE_OUTPUTS in case.clauses) is case.expects_success for case in cases)
    for spec in specs.operators.values():
        assert (FINITE_OUTPUTS in specs.clause_texts(spec.operator)) is spec.is_contract


def test_contracts_get_ordinary_data(specs: SpecSet) -> None:
    """A correct device may make a NaN of others."""
    kinds = {tensor.fill.kind for case in _cases(specs) for tensor in case.tensors if tensor.fill}
    assert kinds
    assert not kinds & set(SPECIAL_FILLS)
