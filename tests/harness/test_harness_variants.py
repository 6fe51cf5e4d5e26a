# SPDX-License-Identifier: Apache-2.0
"""Runs after the two ordinary ones: what they are given, and that each fault shows in its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.harness.conftest import Bench, Recording

AGAIN = (
    "second-stream",
    "kept-workspace",
    "after-others",
    "in-flight",
    "planned-between",
    "repeatable-executor",
)
OTHER = """other aclnnDropoutBackward
other-tensor gradOutput input 0 2 shape 4 strides 1 offset 0 storage 4 scratch
other-tensor mask input 4 2 shape 16 strides 1 offset 0 storage 16 scratch
other-tensor out output 0 2 shape 4 strides 1 offset 0 storage 4 scratch
other-attribute scale double 0x1p+0"""
DECOY = """decoy aclnnLogitGrad
decoy-tensor x input 0 2 shape 2,2 strides 2,1 offset 0 storage 2,2 scratch
decoy-tensor dy input 0 2 shape 2,2 strides 2,1 offset 0 storage 2,2 scratch
decoy-tensor out output 0 2 shape 2,2 strides 2,1 offset 0 storage 2,2 scratch
decoy-attribute eps double 0x1p+2"""
ORDINARY = "runs 2\nslack 32\ndeterministic 0"
FACTS = "\n".join([ORDINARY, *(f"again {name}" for name in AGAIN), OTHER, DECOY])


def run(fake: Bench, faults: str = "", facts: str = FACTS) -> Recording:
    x, dy = fake.floats(3, 4), fake.floats(3, 4, start=50)
    recording = fake.logit_grad(x, dy, facts=facts, faults=f"workspace:100 {faults}")
    if facts == FACTS:
        assert recording.code == 0, recording.stderr
    return recording


def differing(recording: Recording) -> list[str]:
    """The variants in which the output was another one."""
    return [e.get("again", "ordinary") for e in recording.of("repeat") if e["different"]]


def test_order_of_runs(fake: Bench) -> None:
    """Eight runs, each compared with the first; equal outputs are written once."""
    recording = run(fake)
    assert [(e["run"], e.get("again"), e.get("launch")) for e in recording.of("repeat")] == [
        (1, None, None),
        (2, "second-stream", None),
        (3, "kept-workspace", 0),
        *((number, name, None) for number, name in enumerate(AGAIN[1:], start=3)),
    ]
    assert differing(recording) == []
    assert len(recording.of("output")) == 1
    assert recording.of("memory") == recording.of("error") == []
    # A kept workspace takes three calls, a repeatable executor one phase one for two launches.
    assert [e["run"] for e in recording.of("phase1")] == [0, 1, 2, 3, 3, 3, 4, 5, 6, 7]
    assert [e["run"] for e in recording.of("phase2")] == [0, 1, 2, 3, 3, 3, 4, 5, 6, 7, 7]
    assert [(e["run"], e["phase"], e["status"]) for e in recording.of("other")] == [
        (4, 1, 0),
        (4, 2, 0),
    ]
    assert [(e["run"], e["phase"], e["status"]) for e in recording.of("decoy")] == [
        *((5, phase, 0) for phase in (1, 1, 1, 2, 2, 2)),
        *((6, phase, 0) for phase in (1, 2)),
    ]


def order(recording: Recording, run: int) -> list[str]:
    """What was done in a run, phase by phase."""
    told = (e for e in recording.events if e.get("run") == run)
    return [f"decoy {e['phase']}" if e["event"] == "decoy" else e["event"] for e in told]


def test_order_within_a_run(fake: Bench) -> None:
    """Decoys around a launch, and one between the phases; each is planned as its run wants."""
    recording = run(fake)
    flight = [*["decoy 1"] * 3, "phase1", "decoy 2", "decoy 2", "phase2", "repeat", "decoy 2"]
    assert order(recording, 5) == flight
    assert order(recording, 6) == ["phase1", "decoy 1", "phase2", "repeat", "decoy 2"]


def test_nothing_is_waited_for_between_launches_in_flight(fake: Bench) -> None:
    """All of them wait in the stream at once: one synchronisation less than launches allow."""
    # Two of the ordinary runs, the second stream, three with a workspace, the other operator, and
    # the call behind it: the ninth is that of four launches.
    recording = run(fake, "synchronize-fails:9")
    lost = recording.of("phase2")[-1]
    assert (lost["run"], lost["synchronize"]) == (5, 507000)
    assert order(recording, 5)[-1] == "decoy 2"
    assert recording.events[-1]["event"] == "finished"


def test_a_copy_that_fails_between_launches_in_flight(fake: Bench) -> None:
    """The case ends there, and the program goes on to its end."""
    recording = run(fake, "copy-fails")
    (error,) = recording.of("error")
    assert (error["run"], error["message"]) == (5, "no copy")
    assert error["what"].startswith("aclrtMemcpyAsync")
    assert recording.events[-1]["event"] == "finished"


def test_what_was_lost_in_a_call_that_prepares(fake: Bench) -> None:
    """The call before the one with a kept workspace has true data, so it is compared, too."""
    recording = run(fake, "lose-launch:4")
    (lost,) = (e for e in recording.of("repeat") if e["different"])
    assert (lost["run"], lost["launch"], lost["missing"], lost["missing_before"]) == (3, 0, 12, 0)
    assert [(e["run"], e.get("launch")) for e in recording.of("output")] == [(0, None), (3, 0)]


def test_what_was_lost_in_the_first_run(fake: Bench) -> None:
    """Each later run tells how much of the first one's output holds its poison."""
    told = run(fake, "lose-launch:1").of("repeat")
    found = [(e["missing_before"], e["missing"], e["unwritten"]) for e in told]
    assert found == [(12, 0, 0)] * 9
    assert told[1]["run"] == 100  # the first run is repeated, since the second one differs


def test_wide_guards(fake: Bench) -> None:
    """A case may have more memory watched than others; a write there is found."""
    write = "write:out@1536"  # 6144 bytes behind the start, 4096 and more behind the end
    facts = f"{ORDINARY}\nguard 65536"
    assert run(fake, write, facts=facts).findings() == [("out", "guard-rear", 6048, 4)]
    before = run(fake, "write:x@-2048", facts=facts)
    assert before.findings() == [("x", "guard-front", -8192, 4)]


def test_events_say_which_launch(fake: Bench) -> None:
    """Where a run has two, its events tell the one that prepares from the one that is recorded."""
    recording = run(fake, "write-workspace:170")
    assert launches(recording, "phase1") == [
        *((number, None) for number in range(3)),
        *(
            (3, 0),
            (3, 1),
            (4, None),
            (5, None),
            (6, None),
            (7, 0),
        ),  # a repeatable executor has one phase one
    ]
    both = [*((number, None) for number in range(3)), (3, 0), (3, 1)]
    both += [*((number, None) for number in range(4, 7)), (7, 0), (7, 1)]
    assert launches(recording, "phase2") == both
    assert launches(recording, "memory") == both


def launches(recording: Recording, kind: str) -> list[tuple[int, int | None]]:
    """Run and launch of the events of one kind, each pair once."""
    return list(dict.fromkeys((e["run"], e.get("launch")) for e in recording.of(kind)))


@pytest.mark.parametrize(
    ("fault", "variants"),
    [
        ("first-stream-only", ["second-stream"]),
        ("stale-workspace", ["kept-workspace"]),
        ("impressed", list(AGAIN[2:])),  # it does not forget
        ("one-buffer", ["in-flight"]),
        ("one-plan", ["planned-between"]),
        # Runs 1 and 102, and what gets its data later than phase one.
        ("frozen", ["ordinary", "ordinary", "in-flight", "repeatable-executor"]),
    ],
)
def test_faults_show_in_their_variant(fake: Bench, fault: str, variants: list[str]) -> None:
    """Each kind of state changes the outputs of its run, which are then written."""
    recording = run(fake, fault)
    assert differing(recording) == variants
    further = [event["run"] for event in recording.of("output") if event["run"] > 1]
    assert further == [2 + AGAIN.index(name) for name in variants if name in AGAIN]


def test_second_launch_has_the_true_data(fake: Bench) -> None:
    """An executor that kept the data of phase one has seen zeros."""
    recording = run(fake, "frozen")
    eps, dy = 0.5, fake.floats(12, start=50)
    assert recording.output("out", run=7).tolist() == (eps - dy).tolist()


def test_executor_that_cannot_be_repeated(fake: Bench) -> None:
    """The run ends there, and the executor is given back."""
    recording = run(fake, "not-repeatable")
    assert recording.of("not-repeatable") == [
        {
            "event": "not-repeatable",
            "case": "a",
            "run": 7,
            "status": 561103,
            "message": "it copies between devices",
        }
    ]
    assert list(dict.fromkeys(e["again"] for e in recording.of("repeat")[1:])) == list(AGAIN[:5])


def test_other_operator_that_fails(fake: Bench) -> None:
    """Without the other call its run is not made; the next one is."""
    recording = run(fake, "other-refuses")
    assert [(e["phase"], e["status"]) for e in recording.of("other")] == [(1, 161002)]
    assert [e["run"] for e in recording.of("repeat")] == [1, 2, 3, 3, 5, 6, 7]


def test_memory_is_checked_in_every_run(fake: Bench) -> None:
    """A write behind the workspace is found in each execution variant, after each launch."""
    recording = run(fake, "write-workspace:170")
    runs = [e["run"] for e in recording.of("memory") if e["tensor"] == "workspace"]
    assert sorted(set(runs)) == list(range(8))


@pytest.mark.parametrize(("offset", "data"), [(4, 48), (0, 0)], ids=["halves", "same"])
def test_inputs_in_one_storage_in_every_run(fake: Bench, offset: int, data: int) -> None:
    """Memory that is filled again or copied holds both inputs, with the data of the run."""
    x, dy = fake.floats(3, 4), fake.floats(3, 4, start=50) ** 2
    rows = {"strides": [8, 1], "storage": [3, 8]}
    recording = fake.logit_grad(
        x,
        dy,
        fake.tensor("x", "input", (3, 4), "data 0 48", **rows),
        fake.tensor("dy", "input", (3, 4), f"shares x data {data} 48", offset=offset, **rows),
        facts=FACTS,
        faults="workspace:100",
    )
    assert recording.code == 0, recording.stderr
    assert len(recording.of("repeat")) == 8
    assert (differing(recording), recording.of("memory")) == ([], [])


@pytest.mark.parametrize("fault", ["launch-fails", "refuse"])
def test_no_further_runs_of_a_call_that_fails(fake: Bench, fault: str) -> None:
    """What fails by itself says nothing in other execution variants."""
    recording = run(fake, fault)
    assert {event["run"] for event in recording.of("phase1")} == {0, 1}


def test_second_stream_that_hangs(fake: Bench) -> None:
    """After a timeout on the second stream the case ends."""
    recording = run(fake, "synchronize-fails:3")
    assert recording.of("phase2")[-1]["run"] == 2
    assert recording.events[-1]["event"] == "finished"


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        (FACTS.replace("runs 2", "runs 1"), "has again lines but no second run"),
        (FACTS.replace("again after-others\n", ""), "`again among-others`, and an other line"),
        (f"{ORDINARY}\nagain after-others", "`again among-others`, and an other line"),
        (f"{ORDINARY}\nagain and-again", "execution variant 'and-again' is unknown"),
        (f"{ORDINARY}\nagain second-stream\nagain second-stream", "is stated twice"),
        (FACTS.replace("16 scratch", "16 data 0 16"), "the source of other-tensor mask"),
        (FACTS.replace("other aclnnDropout", "other aclnnDropin"), "is not in this program"),
        (FACTS.replace("other aclnnDropoutBackward\n", ""), "has no other line"),
        (FACTS.replace("other-attribute", "others-attribute"), "'others-attribute' is unknown"),
        (FACTS.replace(f"\n{DECOY}", ""), "and a decoy line"),
        (f"{ORDINARY}\n{DECOY}", "and a decoy line"),
        (FACTS.replace("2,2 scratch", "2,2 output"), "the source of decoy-tensor x"),
        (f"{ORDINARY}\nguard 100", "the guard is not a multiple of 64 bytes"),
        (f"{ORDINARY}\nguard 0", "the guard"),
    ],
)
def test_wrong_lines(fake: Bench, facts: str, sentence: str) -> None:
    """What does not fit is refused before anything runs."""
    recording = run(fake, facts=facts)
    assert recording.code == 2
    assert sentence in recording.stderr


MANY = f"{ORDINARY}\nagain many-planned\nagain many-calls\ncalls 1000\n{DECOY}"


def test_many_calls_are_planned_and_made(fake: Bench) -> None:
    """Of 31 other plans and 1000 calls nothing is left: the fake counts what is not released."""
    recording = run(fake, facts=MANY)
    assert recording.code == 0, recording.stderr
    assert order(recording, 2) == [
        *("phase1", *["decoy 1"] * 31, "phase2", "repeat"),
        *["decoy 2"] * 31,
    ]
    (calls,) = recording.of("calls")
    assert order(recording, 3) == ["phase1", "phase2", "repeat", "calls"]
    assert (calls["made"], calls["different"], calls["first"]) == (1000, 0, 0)
    assert (calls["device_grown"], calls["host_grown"]) == (0, 0)


def test_one_of_many_launches_is_lost(fake: Bench) -> None:
    """Its output is taken although all before and behind it were right."""
    recording = run(fake, "lose-launch:534", facts=MANY)  # two, 32 and 500
    (calls,) = recording.of("calls")
    assert (calls["made"], calls["different"], calls["first"]) == (1000, 1, 500)
    assert [(e["run"], e["missing"]) for e in recording.of("repeat")[-2:]] == [(3, 0), (3, 12)]
    assert [e["run"] for e in recording.of("output")] == [0, 3]


def test_memory_that_grows_with_each_look(fake: Bench) -> None:
    """Calls go on as long as it grows, until no pool explains it; what stays small is no leak."""
    (calls,) = run(fake, f"leak:{6 << 20}", facts=MANY).of("calls")
    assert (calls["made"], calls["device_grown"]) == (1000, 18 << 20)
    (calls,) = run(fake, f"leak:{1 << 20}", facts=MANY).of("calls")
    assert (calls["made"], calls["device_grown"]) == (4500, 17 << 20)


@pytest.mark.parametrize(
    ("fault", "function"),
    [
        ("even-memset", "aclrtMemset"),
        ("leave-streams", "aclrtSynchronizeDevice"),
        ("leave-default-stream", "aclrtSynchronizeDevice"),
        ("ignore-parameter", "aclrtCtxGetSysParamOpt"),
        ("keep-message", "aclGetRecentErrMsg"),
        ("copy-at-once", "aclrtMemcpyAsync"),
    ],
)
def test_a_runtime_that_breaks_its_pages(fake: Bench, fault: str, function: str) -> None:
    """Behind many calls the program tries what it needs of the runtime itself."""
    assert function in {event["function"] for event in run(fake, fault, facts=MANY).of("runtime")}


@pytest.mark.parametrize("fault", ["", "no-parameter"])
def test_a_runtime_that_keeps_its_pages(fake: Bench, fault: str) -> None:
    """A function that a product lacks is not broken."""
    assert run(fake, fault, facts=MANY).of("runtime") == []


def test_a_refused_call_is_made_many_times(fake: Bench) -> None:
    """Phase one alone, and nothing else of the variants."""
    recording = run(fake, "refuse", facts=MANY)
    assert [e["run"] for e in recording.of("phase1")] == [0, 1, 3]
    (calls,) = recording.of("calls")
    assert (calls["made"], calls["different"]) == (1000, 0)


def test_handles_that_a_call_changes(fake: Bench) -> None:
    """Each run tells what is no longer as it was when the handle was made."""
    told = run(fake, "strides", facts=ORDINARY).of("handle")
    assert {(e["tensor"], e["what"]) for e in told} == {("x", "strides")}
    assert {e["run"] for e in told} == {0, 1}


SECOND = OTHER.replace("other aclnnDropoutBackward", "other aclnnLogitGrad").split("\n")[0]
AMONG = f"""{ORDINARY}
again among-others
{OTHER}
{SECOND}
{DECOY.split(chr(10), 1)[1].replace("decoy", "other")}"""


def test_calls_among_other_operators(fake: Bench) -> None:
    """Every second one runs before the first run, all in the opposite order before further ones."""
    recording = run(fake, facts=AMONG)
    assert recording.code == 0, recording.stderr
    one, two = "aclnnDropoutBackward", "aclnnLogitGrad"
    assert [(e["run"], e["operator"]) for e in recording.of("other") if e["phase"] == 1] == [
        (0, one),
        *((2, name) for name in (two, one)),
    ]
    assert order(recording, 2) == [
        *("other", "other", "phase1", "phase2", "repeat") * 2,
    ]


def further(*variants: str) -> str:
    return "\n".join([ORDINARY, *(f"again {name}" for name in variants)])


def test_functions_that_the_toolkit_lacks(fake: Bench) -> None:
    """A run without them ends, and the next one is made."""
    facts = further("moved-addresses", "captured", "default-stream", "second-stream")
    recording = run(fake, facts=facts)
    assert recording.code == 0, recording.stderr
    lacking = [(e["run"], e["function"], e["status"]) for e in recording.of("unmade")]
    assert lacking == [
        (2, "aclSetInputTensorAddr", -1),
        (3, "aclmdlRICaptureBegin", -1),
        (4, "aclrtCtxGetCurrentDefaultStream", -1),
    ]
    assert not any(e["promised"] for e in recording.of("unmade"))
    assert [e["run"] for e in recording.of("repeat")] == [1, 5]


def test_a_thread_and_a_workspace_of_others(fake: Bench) -> None:
    """The call is launched by a thread of its own, and between two others with its workspace."""
    facts = further("other-thread", "shared-workspace")
    recording = run(fake, facts=facts)
    assert recording.code == 0, recording.stderr
    assert order(recording, 2) == ["phase1", "phase2", "repeat"]
    neighbours = ["decoy 1", "decoy 1", "phase1", "decoy 2", "phase2", "repeat", "decoy 2"]
    assert order(recording, 3) == neighbours
    assert differing(recording) == []
    assert differing(run(fake, "stale-workspace", facts=facts)) == ["shared-workspace"]


@pytest.mark.parametrize(
    ("fault", "function"),
    [("no-context", "aclrtGetCurrentContext"), ("no-other-thread", "aclrtSetCurrentContext")],
)
def test_a_thread_that_cannot_use_the_device(fake: Bench, fault: str, function: str) -> None:
    """The case ends there, and the program goes on to its end."""
    recording = run(fake, fault, facts=further("other-thread"))
    assert [(e["run"], e["what"]) for e in recording.of("error")] == [(2, function)]
    assert recording.events[-1]["event"] == "finished"
