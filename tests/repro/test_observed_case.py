# SPDX-License-Identifier: Apache-2.0
"""What a case did: unknown cases of a recorded run, and trial runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.repro.observed_case import TrialBench, from_results
from aclnn_cts.spec.loading import SpecSet, specs_digest
from aclnn_cts.suite import find_suite

HELD = "LogitGrad.base.float32.4x9.eps_-1.a6ef63b6b7"


def refusal(bench: Any, case_id: str) -> str:
    """Return what is said of a case that a run of one case of aclnnLogitGrad does not hold."""
    bench.case(HELD, [0.5], [1.0])
    bench.program()
    run = replace(bench.run(), specs_sha256=specs_digest(find_suite()))
    run.save()
    with pytest.raises(WrongInputError) as refused:
        from_results(find_suite(), run.path, case_id)
    return str(refused.value).replace(str(run.path), "FOLDER")


@pytest.mark.parametrize("operator", ["PreluBackward", "PreluBackwrd"])
def test_a_case_of_another_operator(bench: Any, operator: str) -> None:
    """No case of the run is near it, however alike their ids are."""
    assert refusal(bench, HELD.replace("LogitGrad", operator)) == (
        "the run in FOLDER holds no case of aclnnPreluBackward; its cases are of aclnnLogitGrad: "
        "name one of them, or another folder with --results"
    )


@pytest.mark.parametrize("case_id", [HELD[:-1] + "0", HELD.replace("Logit", "Logti")])
def test_a_mistyped_case(bench: Any, case_id: str) -> None:
    """The nearest case of its operator is offered."""
    assert refusal(bench, case_id).endswith(f"did you mean {HELD!r}?")


def test_what_is_like_no_case(bench: Any) -> None:
    """Its results.json lists all cases."""
    assert (
        refusal(bench, "x") == "unknown case of the run in FOLDER 'x'; its results.json lists them"
    )


def test_an_interrupted_trial_cannot_go_on(specs: SpecSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folder is thrown away, so no command that would finish its run is told."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt("finish the run with `aclnn-cts run --resume --results folder`")

    monkeypatch.setattr("aclnn_cts.repro.observed_case.run_campaign", interrupted)
    bench = TrialBench(find_suite(), specs, "atlas-a2", "smoke", "strict")
    with pytest.raises(KeyboardInterrupt) as ended:
        bench.run([])
    assert ended.value.args == ()
