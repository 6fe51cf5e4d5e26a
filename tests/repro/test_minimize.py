# SPDX-License-Identifier: Apache-2.0
"""The search for a smaller case: its facts, its steps, and which failures are the same one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.judge.comparison import Sample
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.calls import Call
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.validity import valid_call
from aclnn_cts.repro.minimize import (
    Candidate,
    SearchResult,
    build,
    candidate_of,
    expected_classes,
    fails_alike,
    make_smaller,
    shrink,
    simpler,
    smaller,
)
from aclnn_cts.repro.observed_case import ObservedCase, TrialBench
from aclnn_cts.run.folder import Device
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import find_suite

Planned = Callable[..., tuple[Case, ...]]
Shape = tuple[int, ...]


def of_each_scene(cases: tuple[Case, ...]) -> list[Case]:
    """Return one case of each operator, scene and data type."""
    found = {(case.operator, case.scene, case.tensors[0].dtype): case for case in cases}
    return list(found.values())


@pytest.mark.parametrize("product", ["atlas-a2", "atlas-training"])
def test_facts_make_the_very_case(specs: SpecSet, planned: Planned, product: str) -> None:
    """What is read back from a case builds a case of the same call, refused ones included."""
    for case in of_each_scene(planned(product, "smoke")):
        spec = specs.operator(case.operator)
        candidate = candidate_of(spec, case)
        assert candidate is not None, case.id
        rebuilt = build(spec, case, candidate)
        assert rebuilt is not None
        # A case about state is told apart by whether its determinism was chosen.
        assert rebuilt.digest == case.digest or case.again
        assert [t.strides for t in rebuilt.tensors] == [t.strides for t in case.tensors]
        assert rebuilt.clauses == case.clauses


def weight(case: Case, candidate: Candidate) -> int:
    """A measure that each step must lessen, or leave with simpler data or attributes."""
    elements = sum(sum(tensor.shape) + len(tensor.shape) for tensor in case.tensors)
    strided = sum(tensor.layout != "contiguous" for tensor in case.tensors)
    return elements + 1000 * (strided + len(candidate.again))


def test_steps_lead_to_valid_smaller_cases(specs: SpecSet, planned: Planned) -> None:
    """Each scene that must work has simpler valid calls, and no step makes shapes larger."""
    shrinkable = 0
    for case in of_each_scene(planned("atlas-a2", "smoke")):
        spec = specs.operator(case.operator)
        start = candidate_of(spec, case)
        assert start is not None
        if not case.expects_success or case.tensors[0].numel < 2:
            continue
        batches = list(simpler(spec, start))
        for batch in batches[:2]:  # variants and layouts leave shapes as they are
            for each in batch:
                made = build(spec, case, each)
                assert made is None or weight(made, each) <= weight(case, start)
        valid = [
            each
            for batch in batches
            for each in batch
            if valid_call(
                spec,
                case.product,
                dict(each.facts),
                may_be_fixed=Call.of(spec, case).is_fixed,
            )
        ]
        shrinkable += bool(valid)
        assert valid, case.id
    assert shrinkable > 20


def test_an_ordinary_case_is_reached(specs: SpecSet, planned: Planned) -> None:
    """The layouts' step makes all tensors contiguous at once, first of all."""
    case = next(
        case
        for case in planned("atlas-a2", "smoke", "aclnnLogitGrad")
        if case.expects_success
        if sum(tensor.layout != "contiguous" for tensor in case.tensors) > 1
    )
    spec = specs.operator(case.operator)
    start = candidate_of(spec, case)
    assert start is not None
    _, layouts, *_ = simpler(spec, start)
    made = build(spec, case, layouts[0])
    assert made is not None
    assert {tensor.layout for tensor in made.tensors} == {"contiguous"}


def search(
    start: Shape,
    fails: Callable[[Sequence[Shape]], list[bool]],
    most_tries: int = 10_000,
    is_expired: Callable[[], bool] = lambda: False,
) -> SearchResult[Shape]:
    """Search among shapes."""
    return shrink(start, one_axis_less, fails, most_tries, is_expired)


def one_axis_less(shape: Shape) -> Iterator[list[Shape]]:
    """Steps as those of a case's shape: fewer axes, then smaller extents."""
    yield [shape[:at] + shape[at + 1 :] for at in range(len(shape)) if len(shape) > 1]
    for at, extent in enumerate(shape):
        yield [(*shape[:at], less, *shape[at + 1 :]) for less in smaller(extent)]


@given(st.integers(1, 400), st.integers(1, 400))
def test_the_least_failing_extent_is_found(threshold: int, extra: int) -> None:
    """Where all extents from some threshold on fail, the threshold is what a search ends at."""
    start = (threshold + extra,)

    def fails(batch: Sequence[Shape]) -> list[bool]:
        return [shape[0] >= threshold for shape in batch]

    found = search(start, fails, 10_000)
    assert found.smallest == (threshold,)
    assert found.ended == "done"


def test_axes_that_do_not_matter_go() -> None:
    """A failure that takes an extent of 17 in any axis ends as one axis of 17."""
    found = search(
        (4, 9, 17),
        lambda batch: [any(x >= 17 for x in shape) for shape in batch],
        1000,
    )
    assert found.smallest == (17,)


def test_nothing_is_tried_twice() -> None:
    """An item that is known not to fail is not tried again; a winner is confirmed alone."""
    tried: list[Shape] = []

    def fails(batch: Sequence[Shape]) -> list[bool]:
        if len(batch) > 1:
            tried.extend(batch)
        return [shape[0] >= 50 for shape in batch]

    search((100, 3), fails, 1000)
    assert len(tried) == len(set(tried))


def test_what_fails_only_in_company_is_not_taken() -> None:
    """An item that fails beside others and not alone explains nothing."""
    found = search(
        (8,),
        lambda batch: [len(batch) > 1 for _ in batch],
        1000,
    )
    assert found.smallest == (8,)


def test_the_number_of_tries_is_bounded() -> None:
    """A search ends at its bound and says so."""
    calls: list[int] = []

    def fails(batch: Sequence[Shape]) -> list[bool]:
        calls.append(len(batch))
        return [True for _ in batch]

    found = search((4096, 4096), fails, 3)
    assert found.tries == 3
    assert found.ended == "tries"


def test_time_is_bounded() -> None:
    """A search whose time is up keeps what it has."""
    found = search((9,), lambda _: [True], 100, lambda: True)
    assert found.smallest == (9,)
    assert found.ended == "time"


@given(st.integers(1, 100_000))
def test_smaller_extents(extent: int) -> None:
    """They are below the extent, above 0, in order; 1 is among them unless the extent is 1."""
    found = smaller(extent)
    assert found == sorted(set(found))
    assert all(0 < each < extent for each in found)
    assert (1 in found) == (extent > 1)


def sample(expected: str) -> Sample:
    """Return a wrong element."""
    return Sample("out", (0,), (), expected, 0.0, 1.0, 0.1)


ORIGINAL = CaseVerdict(
    "a",
    "aclnnLogitGrad",
    Verdict.FAIL,
    broken=("inside", "accuracy"),
    kinds=frozenset({"value"}),
    samples=(sample("-4.363"),),
)


def expecting(*expected: str) -> CaseVerdict:
    """Return a failure like the original one but for what its wrong elements expected."""
    return replace(ORIGINAL, case="b", samples=tuple(map(sample, expected)))


@pytest.mark.parametrize(
    ("other", "alike"),
    [
        (expecting("2.5"), True),
        (expecting("+Inf", "2.5"), True),
        (expecting("+Inf"), False),
        (expecting("0"), False),
        (expecting("NaN"), False),
        (expecting("2.5 or +Inf"), False),
        (expecting(), False),
        (replace(expecting("2.5"), contested=1), False),
        (replace(expecting("2.5"), verdict=Verdict.CRASH), False),
        (replace(expecting("2.5"), kinds=frozenset({"memory"})), False),
        (replace(expecting("2.5"), broken=("accuracy",)), False),
    ],
)
def test_the_same_failure_expects_the_same_class(other: CaseVerdict, *, alike: bool) -> None:
    """A wrong element of another class, or of documents that disagree, is another failure."""
    assert fails_alike(ORIGINAL, other) is alike


@pytest.mark.parametrize(
    ("kinds", "kept", "alike"),
    [
        ({"value", "memory"}, {"value"}, True),
        ({"value", "memory"}, {"memory"}, False),
        ({"value", "memory"}, {"value", "repeat"}, True),
        ({"unwritten", "repeat"}, {"unwritten"}, True),
        ({"unwritten", "repeat"}, {"repeat"}, False),
        ({"status", "memory"}, {"status"}, True),
    ],
)
def test_what_was_told_first_must_stay(kinds: set[str], kept: set[str], *, alike: bool) -> None:
    """The first broken clause is of the first kind that the judge tells of; others may go."""
    original = replace(ORIGINAL, kinds=frozenset(kinds))
    assert fails_alike(original, replace(expecting("2.5"), kinds=frozenset(kept))) is alike


def test_contradictions_are_no_drift_where_the_original_has_some() -> None:
    """Documents that disagree on elements of the original may do so in a smaller case."""
    assert fails_alike(replace(ORIGINAL, contested=2), replace(expecting("2.5"), contested=1))


def test_a_failure_without_wrong_elements_has_no_class() -> None:
    """A status or a guard that is wrong says nothing about classes."""
    assert fails_alike(replace(ORIGINAL, samples=()), expecting())


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("-4.363", {"finite"}),
        ("0", {"zero"}),
        ("±Inf", {"Inf"}),
        ("-Inf", {"Inf"}),
        ("0 or NaN", {"zero", "NaN"}),
        ("1e-07 or 0 or ±Inf or NaN", {"finite", "zero", "Inf", "NaN"}),
    ],
)
def test_what_was_expected_has_classes(text: str, classes: set[str]) -> None:
    """Each wording of what may come back is understood."""
    assert expected_classes(sample(text)) == classes


@pytest.mark.parametrize(
    ("cann", "where"), [(None, "the simulated device"), (Path("cann"), "device 3 of this host")]
)
def test_it_says_on_which_device_it_was_tried(
    specs: SpecSet,
    planned: Planned,
    monkeypatch: pytest.MonkeyPatch,
    cann: Path | None,
    where: str,
) -> None:
    """What a kit's host saw cannot be shrunk on a device that is right."""
    case = planned("atlas-a2", "smoke")[0]
    device = Device("hardware", "atlas-a2", "Ascend910B3", "8.0")
    passed = CaseVerdict(case.id, case.operator, Verdict.PASS)
    failed = replace(passed, verdict=Verdict.FAIL)
    monkeypatch.setattr(
        TrialBench, "run", lambda _, cases: (device, {c.id: (c, passed) for c in cases})
    )
    bench = TrialBench(find_suite(), specs, "atlas-a2", "smoke", "strict", cann=cann, number=3)
    known = ObservedCase(case, case, failed, device, bench)
    same, said = make_smaller(bench, known)
    assert same == known
    assert where in said


def test_lists_get_shorter(specs: SpecSet, planned: Planned) -> None:
    """The facts of a list's planned tensors give its case, and shorter lists are tried."""
    cases = planned("atlas-a2", "smoke", "aclnnForeachAbs")
    case = next(case for case in cases if len(case.slices) == 5 and case.expects_success)
    start = candidate_of(specs.operator(case.operator), case)
    assert start is not None
    shorter = {
        each.get("length:x")
        for batch in simpler(specs.operator(case.operator), start)
        for each in batch
    }
    assert {1, 2} < shorter
