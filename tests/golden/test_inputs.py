# SPDX-License-Identifier: Apache-2.0
"""The data of few elements are drawn until the case can be judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.golden.inputs import Draw, make_inputs, settle
from aclnn_cts.plan.calls import PlannedCall
from aclnn_cts.plan.case_builder import build_case
from aclnn_cts.plan.cases import BETWEEN, Case, Fill, Intent
from aclnn_cts.spec.loading import SpecSet

Planned = Callable[..., tuple[Case, ...]]
OPERATOR = "aclnnLogSigmoid"


def call(specs: SpecSet, fill: Fill, shape: tuple[int, ...] = (1,)) -> Case:
    """Return a call of an operator whose result for a large self is too small to be judged."""
    spec = specs.operator(OPERATOR)
    facts = {"dtype:self": "bfloat16", "shape:self": shape}
    case = build_case(PlannedCall.of(spec, "atlas-a2", facts), Intent("base", "smoke"))
    tensors = (replace(t, fill=fill) if t.name == "self" else t for t in case.tensors)
    return replace(case, tensors=tuple(tensors))


def decisive(specs: SpecSet, case: Case) -> int:
    """Return the number of elements at which an error as large as the value is rejected."""
    return sum(found.decisive for found in settle(specs, case).resolutions.values())


def test_one_element_tells_something(specs: SpecSet) -> None:
    """Some first draws are too large to say anything; what is used never is."""
    cases = [call(specs, Fill("uniform", (), f"{number}")) for number in range(40)]
    changed = [case for case in cases if settle(specs, case).case is not case]
    assert 0 < len(changed) < 20
    assert all(decisive(specs, case) == 1 for case in cases)


def test_what_tells_nothing_stays(specs: SpecSet) -> None:
    """Where no draw can be judged, and where there are many elements, data are as planned."""
    nothing = call(specs, Fill(BETWEEN, (8.0, 9.0), "seed"))
    assert settle(specs, nothing).case is nothing
    many = call(specs, Fill(BETWEEN, (8.0, 9.0), "seed"), (65,))
    assert settle(specs, many).case is many


def test_what_is_always_too_large_is_made_smaller(specs: SpecSet) -> None:
    """The sum of many squares overflows float16, whatever the seed; a user's own data stay."""
    tensors = ("self", "target", "out")
    facts: dict[str, Any] = {f"dtype:{name}": "float16" for name in tensors}
    facts |= {"shape:self": (257, 259), "shape:target": (257, 259), "attribute:reduction": 2}
    spec = specs.operator("aclnnMseLoss")
    case = build_case(PlannedCall.of(spec, "atlas-training", facts), Intent("base", "smoke"))
    kinds = {tensor.fill.kind for tensor in settle(specs, case).case.inputs if tensor.fill}
    assert kinds == {"small"}
    assert decisive(specs, case) == 1
    own = (replace(t, fill=t.fill and replace(t.fill, kind="wide")) for t in case.tensors)
    case = replace(case, tensors=tuple(own))
    assert settle(specs, case).case is case


def test_what_is_always_too_small_becomes_ordinary(specs: SpecSet) -> None:
    """A single int32 of the kind large is below 3, where the operator returns 0."""
    facts: dict[str, Any] = {"dtype:self": "int32", "shape:self": (), "fill:self": "large"}
    spec = specs.operator("aclnnHardsigmoid")
    case = build_case(PlannedCall.of(spec, "atlas-a2", facts), Intent("cover", "standard"))
    draw = settle(specs, case)
    assert [tensor.fill.kind for tensor in draw.case.inputs if tensor.fill] == ["uniform"]
    assert draw.is_trusted


def test_planned_data_stay(specs: SpecSet, planned: Planned) -> None:
    """What the first draw tells, or what the documents contradict themselves on, is not redrawn."""
    for case in planned("atlas-a2", "smoke", "aclnnLogitGrad", "aclnnPreluBackward"):
        assert settle(specs, case).case is case


def test_contested_elements(specs: SpecSet, planned: Planned) -> None:
    """A contradiction of the documents is what such a case is about."""
    cases = planned("atlas-a2", "standard", "aclnnLogitGrad")
    contested = [
        case
        for case in cases
        if case.expects_success
        and 0 < case.tensor("out").numel <= 2
        and expect_case(specs, case, make_inputs(specs, case))["out"].whole().contested.all()
    ]
    assert contested
    assert all(settle(specs, case).case is case for case in contested)


def many(specs: SpecSet, operator: str, kind: str, shape: tuple[int, ...], seed: int) -> Case:
    """Return a float16 call of many elements with one kind of data in all inputs."""
    spec = specs.operator(operator)
    facts: dict[str, Any] = {f"dtype:{tensor.name}": "float16" for tensor in spec.tensors}
    facts |= {f"shape:{tensor.name}": shape for tensor in spec.inputs}
    facts |= {f"fill:{tensor.name}": kind for tensor in spec.inputs}
    facts["attribute:reduction"] = 1 if kind == "uniform" else 0
    case = build_case(PlannedCall.of(spec, "atlas-a2", facts), Intent("base", "smoke"))
    own = (
        replace(t, fill=t.fill and replace(t.fill, seed=f"{seed}/{t.name}")) for t in case.tensors
    )
    return replace(case, tensors=tuple(own))


def test_slopes_of_many_elements_do_not_vanish(specs: SpecSet) -> None:
    """Means of 5 and 5 leave no float16 slope, e^-25; such data are drawn again."""
    cases = [many(specs, "aclnnSoftMarginLossBackward", "normal", (257,), n) for n in range(99)]
    vanished = [case for case in cases if Draw(specs, case).distrust_reason]
    assert vanished
    assert all(settle(specs, case).is_trusted for case in vanished)
    assert all(settle(specs, case).case is case for case in cases if case not in vanished)


def test_shares_of_a_mean_do_not_vanish(specs: SpecSet) -> None:
    """A float16 share of 384,768 is subnormal and may be 0; one tensor has large data instead."""
    draw = settle(specs, many(specs, "aclnnMseLossBackward", "uniform", (3, 128256), 1))
    kinds = [tensor.fill.kind for tensor in draw.case.inputs if tensor.fill]
    assert sorted(kinds) == ["large", "uniform", "uniform"]
    assert draw.is_trusted
