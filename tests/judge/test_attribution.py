# SPDX-License-Identifier: Apache-2.0
"""Structural promises that explain an operator's failures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from aclnn_cts.judge.attribution import attribute
from aclnn_cts.judge.features import facts_of, features_of
from aclnn_cts.judge.verdicts import CaseVerdict, Common, Verdict
from aclnn_cts.plan.calls import PlannedCall
from aclnn_cts.plan.case_builder import build_case
from aclnn_cts.plan.cases import Case, Intent
from aclnn_cts.plan.factors import factors_of
from aclnn_cts.plan.planner import plan
from aclnn_cts.plan.validity import base_facts
from aclnn_cts.spec.loading import SpecSet

PRELU = "aclnnPreluBackward"
Told = tuple[str, dict[str, Any], bool]


def verdict(
    name: str, *, fails: bool, kind: str = "value", status: int | None = None
) -> CaseVerdict:
    """Return a verdict that breaks the formula's clause, or none."""
    if not fails:
        return CaseVerdict(name, "aclnnLogitGrad", Verdict.PASS)
    kinds = frozenset({kind})
    facts: dict[str, Any] = {"broken": ("formula",), "kinds": kinds, "status": status}
    return CaseVerdict(name, "aclnnLogitGrad", Verdict.FAIL, **facts)


def broken(bench: Any, told: list[Told]) -> dict[str, tuple[str, ...]]:
    """Return the clauses that cases break: each told as id, changes, whether it fails."""
    return {found.case: found.broken for found in attributed(bench, told)}


def attributed(bench: Any, told: list[Told]) -> tuple[CaseVerdict, ...]:
    pairs = [
        (bench.case(name, [0.5], [1.0], **changes), verdict(name, fails=fails))
        for name, changes, fails in told
    ]
    return attribute(pairs, bench.specs)


def test_ignored_stride_is_the_non_contiguous_promise(bench: Any) -> None:
    """If exactly the non-contiguous cases fail, that promise is named before the formula."""
    told: list[Told] = [(f"c{i}", {}, False) for i in range(3)]
    told += [(f"s{i}", {"layout": "stepped"}, True) for i in range(2)]
    found = broken(bench, told)
    assert found["s0"] == found["s1"] == ("x-non-contiguous", "formula")
    assert found["c0"] == ()


def test_a_contiguous_failure_speaks_against_it(bench: Any) -> None:
    """A failing case without the promise clears it."""
    told: list[Told] = [(f"c{i}", {}, False) for i in range(3)]
    told += [("s", {"layout": "stepped"}, True), ("c3", {}, True)]
    assert broken(bench, told)["s"] == ("formula",)


def test_fewer_than_three_passing_cases_explain_nothing(bench: Any) -> None:
    """Two cases that pass without it may be chance."""
    told: list[Told] = [("c0", {}, False), ("c1", {}, False), ("s", {"layout": "stepped"}, True)]
    assert broken(bench, told)["s"] == ("formula",)


def test_few_failures_among_many_explain_nothing(bench: Any) -> None:
    """One failing float16 case among ten that pass is no matter of the data type."""
    told: list[Told] = [(f"c{i}", {}, False) for i in range(3)]
    told += [(f"h{i}", {"dtype": "float16"}, i == 0) for i in range(10)]
    assert broken(bench, told)["h0"] == ("formula",)


def test_a_data_type_is_a_promise_of_its_own(bench: Any) -> None:
    """If exactly the float16 cases fail, x-dtype is named, though all cases exercise it.

    The type was not refused: what was computed wrong leads, and the type says where.
    """
    told: list[Told] = [(f"c{i}", {}, False) for i in range(3)]
    told += [(f"h{i}", {"dtype": "float16"}, True) for i in range(2)]
    found = {verdict.case: verdict for verdict in attributed(bench, told)}
    assert found["h0"].broken == ("formula",)
    assert found["h0"].only_in == (Common("float16", ("x-dtype",)),)
    assert found["c0"].only_in == ()


def test_a_refused_data_type_leads(bench: Any) -> None:
    """Where exactly the float16 calls are refused, the promise of the type is what is broken."""
    dtypes = ["float32"] * 4 + ["float16"] * 2
    cases = [bench.case(f"c{n}", [0.5], [1.0], dtype=name) for n, name in enumerate(dtypes)]
    judged = [
        (case, verdict(case.id, fails=name == "float16", kind="status", status=161002))
        for case, name in zip(cases, dtypes, strict=True)
    ]
    refused = attribute(judged, bench.specs)[-1]
    assert (refused.broken, refused.only_in) == (("x-dtype", "formula"), ())


def test_several_tensors_share_the_blame(bench: Any) -> None:
    """If cases with either of two non-contiguous tensors fail, each names its own promise."""
    dy = {"clauses": ("x-dtype", "dy-non-contiguous")}
    x = {"clauses": ("x-dtype", "x-non-contiguous")}
    told: list[Told] = [(f"c{i}", {}, False) for i in range(3)] + [("x", x, True), ("dy", dy, True)]
    found = broken(bench, told)
    assert found["x"] == ("x-non-contiguous", "formula")
    assert found["dy"] == ("dy-non-contiguous", "formula")


def test_refusals_are_no_part_of_it(bench: Any) -> None:
    """A negative case neither explains nor is explained."""
    case = bench.refusal("r")
    bad = CaseVerdict(
        "r", case.operator, Verdict.FAIL, ("dtype-differs",), kinds=frozenset({"status"})
    )
    assert attribute([(case, bad)], bench.specs)[0].broken == ("dtype-differs",)


def test_a_device_that_refuses_everything_does_not_support_the_operator(bench: Any) -> None:
    """Then the table of products is broken; a single call that works clears it."""
    cases = [bench.case(f"c{i}", [0.5], [1.0]) for i in range(5)]
    refused = [verdict(case.id, fails=True, kind="status", status=161002) for case in cases]
    told = attribute(list(zip(cases, refused, strict=True)), bench.specs)
    assert {found.broken[0] for found in told} == {"product-support"}
    mixed = [*refused[:4], verdict("c4", fails=False)]
    told = attribute(list(zip(cases, mixed, strict=True)), bench.specs)
    assert {found.case for found in told if "product-support" not in found.broken} == {
        case.id for case in cases
    }


def test_a_device_that_is_stuck_is_not_explained_by_its_calls(bench: Any) -> None:
    """Alone, the calls are accepted: it is the state of the runtime, and no shape or rule."""
    cases = [bench.case(f"c{i}", [0.5], [1.0]) for i in range(6)]
    cases += [bench.case(f"s{i}", [0.5], [1.0], layout="stepped") for i in range(3)]
    refused = verdict("c", fails=True, kind="status", status=561000)
    alone = replace(refused, after=("c0",), tries=4)
    told = [verdict(case.id, fails=False) for case in cases[:6]]
    told += [
        replace(each, case=case.id)
        for case, each in zip(cases[6:], [alone, refused, refused], strict=True)
    ]
    found = attribute(list(zip(cases, told, strict=True)), bench.specs)
    assert {each.broken for each in found if each.broken} == {("formula",)}
    others = [replace(each, after=()) for each in told]
    found = attribute(list(zip(cases, others, strict=True)), bench.specs)
    assert found[-1].broken == ("x-non-contiguous", "formula")


def test_a_rank_that_follows_explains_nothing(specs: SpecSet) -> None:
    """A mean has no axis by nature; only where ranks may differ does one say where."""
    spec = specs.operator("aclnnMseLoss")
    case = next(
        case
        for case in plan(specs, "atlas-a2", "smoke", [spec.operator])
        if case.expects_success and not case.tensor("out").shape
    )
    named = {each.clause for each in features_of(spec, case) if each.kind == "rank"}
    assert "self-rank" in named
    assert "out-rank" not in named
    assert not any("of rank" in fact for fact in facts_of(spec, case))


def test_a_device_that_refuses_each_call_now_and_then_supports_the_operator(bench: Any) -> None:
    """An equal call was accepted: neither product nor parameters are to blame."""
    unsteady = [verdict(f"c{i}", fails=True, kind="unsteady", status=161002) for i in range(5)]
    told = attribute(
        [(bench.case(each.case, [0.5], [1.0]), each) for each in unsteady], bench.specs
    )
    assert {found.broken for found in told} == {("formula",)}


@pytest.mark.parametrize(("kind", "status"), [("producer", None), ("producer", 0), ("status", 0)])
def test_a_device_that_refuses_nothing_may_support_the_operator(
    bench: Any, kind: str, status: int | None
) -> None:
    """A call that was never made, or that failed after phase one had accepted it, says nothing."""
    cases = [bench.case(f"c{i}", [0.5], [1.0]) for i in range(5)]
    failed = [verdict(case.id, fails=True, kind=kind, status=status) for case in cases]
    told = attribute(list(zip(cases, failed, strict=True)), bench.specs)
    assert {found.broken for found in told} == {("formula",)}


def test_what_all_calls_share_may_be_what_is_refused(bench: Any) -> None:
    """If all calls are refused, a type that all of them have is named behind the product."""
    cases = [bench.case(f"c{i}", [0.5], [1.0]) for i in range(5)]
    refused = [verdict(case.id, fails=True, kind="status", status=161002) for case in cases]
    told = attribute(list(zip(cases, refused, strict=True)), bench.specs)
    assert told[0].broken == ("product-support", "x-dtype", "formula")


def test_unexplained_refusals_name_what_makes_the_call_valid(bench: Any) -> None:
    """Some valid calls are refused, alike in nothing: shapes and rules stand behind two-phase."""
    clauses = ("x-dtype", "x-shape", "eps-range", "product-support", "two-phase", "determinism")
    cases = [bench.case(f"c{i}", [0.5], [1.0], clauses=clauses) for i in range(8)]
    refused = replace(
        verdict("c0", fails=True, kind="status"), broken=("two-phase",), status=161002
    )
    passing = [verdict(case.id, fails=False) for case in cases[1:]]
    told = attribute(list(zip(cases, [refused, *passing], strict=True)), bench.specs)
    assert told[0].broken == ("two-phase", "x-shape", "eps-range")
    wrong = replace(refused, status=0)
    told = attribute(list(zip(cases, [wrong, *passing], strict=True)), bench.specs)
    assert told[0].broken == ("two-phase",)


def test_a_value_that_all_refused_calls_have(specs: SpecSet, planned: Any) -> None:
    """Calls with a scale of 1 are refused: the rule that allows it is named, no other."""
    name = "aclnnDropoutBackward"
    cases = [c for c in planned("atlas-a2", "standard", name) if c.expects_success]
    told = [
        (
            case,
            CaseVerdict(case.id, name, Verdict.FAIL, ("two-phase",), status=161002,
                        kinds=frozenset({"status"}))
            if case.attributes["scale"] == 1
            else CaseVerdict(case.id, name, Verdict.PASS),
        )
        for case in cases
    ]  # fmt: skip
    broken = {found.broken for found in attribute(told, specs)}
    assert broken == {(), ("scale-range", "two-phase")}


def prelu(specs: SpecSet, grad: str, name: str, layout: str = "contiguous") -> Case:
    """Return a call whose gradOutput is broadcast in a way; the id tells the rest."""
    facts = {
        **base_facts(factors_of(specs.operator(PRELU), specs.product("atlas-a2"), "smoke")),
        "shape:self": (2, 3, 4),
        "shape:gradOutput": grad,
        "layout:gradOutput": layout,
    }
    case = build_case(
        PlannedCall.of(specs.operator(PRELU), "atlas-a2", facts), Intent("cover", "smoke")
    )
    return replace(case, id=name)


@pytest.mark.parametrize("layout", ["contiguous", "stepped"])
def test_a_broadcast_is_a_promise_of_its_own(specs: SpecSet, layout: str) -> None:
    """If exactly the tensors of fewer axes are wrong, the shape is named, whatever their layout."""
    told = [(prelu(specs, "full", f"f{i}", "stepped"), False) for i in range(3)]
    told += [(prelu(specs, "inner-one", f"i{i}"), False) for i in range(3)]
    told += [(prelu(specs, "fewer", f"w{i}", layout), True) for i in range(2)]
    pairs = [(case, replace(verdict(case.id, fails=bad), operator=PRELU)) for case, bad in told]
    found = {each.case: each.broken for each in attribute(pairs, specs)}
    assert found["w0"][0] == "grad-output-shape"
    assert "grad-output-non-contiguous" not in found["w0"]
    assert found["f0"] == ()
