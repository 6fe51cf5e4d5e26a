# SPDX-License-Identifier: Apache-2.0
"""What failing cases have in common names the data that they had."""

from __future__ import annotations

from typing import Any

from aclnn_cts.emit.data_files import DataReference, recipe_digest
from aclnn_cts.golden.inputs import settle
from aclnn_cts.judge.features import facts_of
from aclnn_cts.plan.calls import PlannedCall
from aclnn_cts.plan.case_builder import build_case
from aclnn_cts.plan.cases import Case, Intent
from aclnn_cts.results.assembly import _case_as_run
from aclnn_cts.run.planned_cases import PlannedCase
from aclnn_cts.spec.loading import SpecSet

OPERATOR = "aclnnMseLossBackward"


def test_data_of_another_kind_than_planned(specs: SpecSet) -> None:
    """Shares of a large float16 mean vanish, so one tensor has large data, and its fact says so."""
    spec = specs.operator(OPERATOR)
    facts: dict[str, Any] = {f"dtype:{tensor.name}": "float16" for tensor in spec.tensors}
    facts |= {f"shape:{tensor.name}": (3, 128256) for tensor in spec.inputs}
    facts["attribute:reduction"] = 1
    case = build_case(PlannedCall.of(spec, "atlas-a2", facts), Intent("base", "smoke"))

    def told(made: Case) -> list[str]:
        recipe = recipe_digest(spec, made)
        data = DataReference(f"{recipe[:2]}/{recipe[2:]}-{'0' * 64}.npy", 6, {})
        found = facts_of(spec, _case_as_run(specs, PlannedCase(case, data)))
        return [fact for fact in found if fact.endswith("filled with large")]

    assert told(settle(specs, case).case) == ["self filled with large"]
    assert told(case) == []
