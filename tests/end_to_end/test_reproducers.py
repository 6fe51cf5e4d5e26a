# SPDX-License-Identifier: Apache-2.0
"""Reproducers, built against the simulated device and run: they tell devices apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.end_to_end.reproducing import Workbench, in_scene

from aclnn_cts.plan.cases import Case
from aclnn_cts.report.failure_message import told_clauses
from aclnn_cts.repro.minimize import make_smaller
from aclnn_cts.repro.reproducer import reproducer_files, write_folder
from aclnn_cts.run.campaign import Silent

pytestmark = pytest.mark.end_to_end

FAULTS = [
    ("logit-reciprocal-estimate", "aclnnLogitGrad", in_scene("base"), "out["),
    (
        "logit-null-pointer-as-invalid",
        "aclnnLogitGrad",
        lambda case: case.scene == "null-pointer" and case.tensor("out").source == "null",
        "promised: 161001",
    ),
    (
        "logit-empty-refused",
        "aclnnLogitGrad",
        lambda case: case.scene == "empty" and len(case.tensors[0].shape) > 1,
        "phase one returned 161002",
    ),
    (
        "logit-scalar-refused",
        "aclnnLogitGrad",
        lambda case: case.expects_success and not case.tensors[0].shape,
        "phase one returned 161002",
    ),
    (
        "logit-result-formed-in-dy",
        "aclnnLogitGrad",
        lambda case: case.expects_success and case.tensors[0].numel > 1,
        "of the input dy changed",
    ),
    (
        "logit-out-rows-packed",
        "aclnnLogitGrad",
        lambda case: case.expects_success and case.tensor("out").layout == "stepped",
        "in the gaps of out",
    ),
    (
        "logit-workspace-in-narrow-type",
        "aclnnLogitGrad",
        in_scene("base", "float16"),
        "the workspace",
    ),
    ("logit-second-stream-unprepared", "aclnnLogitGrad", in_scene("state"), "on a second stream"),
    ("dropout-mask-kept-by-executor", "aclnnDropoutBackward", in_scene("state"), "second launch"),
    ("dropout-result-varies", "aclnnDropoutBackward", in_scene("base"), "other bits"),
    (
        "prelu-workspace-trusted-once-filled",
        "aclnnPreluBackward",
        in_scene("state"),
        "with a used workspace",
    ),
    ("prelu-rounding-mode-left-by-dropout", "aclnnPreluBackward", in_scene("state"), "after aclnn"),
    (
        "pool-mask-strides-ignored",
        "aclnnMaxPool2dWithMaskBackward",
        lambda case: (
            case.expects_success
            and case.tensor("indices").source == "producer"
            and case.tensor("indices").layout == "sliced"
        ),
        "gradInput[",
    ),
    ("runtime-second-launch-replaces-first", "aclnnLogitGrad", in_scene("state"), "in flight"),
    ("runtime-second-plan-replaces-first", "aclnnLogitGrad", in_scene("state"), "planned between"),
    (
        "group-norm-dgamma-dbeta-swapped",
        "aclnnGroupNormSwishGrad",
        in_scene("base", "float16"),
        "dgammaOut[",
    ),
    ("softmax-double-in-float32", "aclnnSoftmax", in_scene("long-axis", "double"), "out["),
    ("integers-through-float.aclnnRelu", "aclnnRelu", in_scene("special", "int64"), "out["),
]


@pytest.mark.parametrize(
    ("fault", "operator", "wanted", "said"), FAULTS, ids=[fault[0] for fault in FAULTS]
)
def test_the_program_shows_the_fault_and_nothing_else(
    workbench: Workbench,
    tmp_path: Path,
    fault: str,
    operator: str,
    wanted: Callable[[Case], bool],
    said: str,
) -> None:
    """It ends with 1 on the faulty device, says what is wrong, and with 0 on the unharmed one."""
    case = workbench.case(operator, wanted)
    known = workbench.trial(fault).observe(case, Silent())
    assert known.verdict.verdict.breaks_promise, known.verdict
    folder = tmp_path / "made"
    write_folder(folder, reproducer_files(known))
    workbench.compile(folder)
    shown = workbench.run(folder, workbench.faulty(fault))
    assert shown.returncode == 1, shown
    assert said in shown.stdout
    kept = workbench.run(folder, workbench.unharmed)
    assert kept.returncode == 0, kept
    assert "Every promise was kept." in kept.stdout
    readme = (folder / "README.md").read_text()
    assert known.verdict.broken
    assert all(f"**{clause}**" in readme for clause in told_clauses(known.verdict.broken)[0])


KEPT = [
    ("aclnnMaxPool2dWithMaskBackward", "state"),
    ("aclnnGroupNormSwishGrad", "state"),
    ("aclnnPreluBackward", "special"),
    ("aclnnDropoutBackward", "beyond-one-tile"),
    ("aclnnSoftmax", "special-rows"),
]


@pytest.mark.parametrize(("operator", "scene"), KEPT)
def test_the_unharmed_device_keeps_all_variants(
    workbench: Workbench, tmp_path: Path, operator: str, scene: str
) -> None:
    """Each variant's program passes there, with producers and long data, too."""
    case = workbench.case(operator, in_scene(scene))
    known = workbench.trial(None).observe(case, Silent())
    for variant in case.again or ("",):
        folder = tmp_path / (variant or "plain")
        again = (variant,) if variant else ()
        one = replace(known, case=replace(known.case, again=again))
        write_folder(folder, reproducer_files(one))
        workbench.compile(folder)
        done = workbench.run(folder, workbench.unharmed)
        assert done.returncode == 0, (variant, done)


def test_a_case_is_made_smaller(workbench: Workbench) -> None:
    """A wrong stride of the weight shows in two channels: shape, other layouts and data go."""
    case = workbench.case(
        "aclnnPreluBackward",
        lambda case: case.expects_success and case.tensor("weight").layout == "stepped",
    )
    trial = workbench.trial("prelu-weight-stride-ignored")
    known, said = make_smaller(trial, trial.observe(case, Silent()))
    small = known.case
    assert small.tensor("self").numel == 2
    assert [t.layout for t in small.tensors].count("contiguous") == len(small.tensors) - 1
    assert known.verdict.verdict.breaks_promise
    assert "tries" in said
