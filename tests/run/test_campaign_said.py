# SPDX-License-Identifier: Apache-2.0
"""What a run says of another one in its folder: what it replaces, keeps, and has left to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.run.programs import write_program

from aclnn_cts.emit.case_file import device_bytes
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.plan.cases import Case
from aclnn_cts.run import campaign
from aclnn_cts.run.campaign import LocalEngine, Request, resume_campaign, run_campaign
from aclnn_cts.run.environment import Environment, Prepared
from aclnn_cts.run.folder import RunFolder, open_interrupted
from aclnn_cts.run.journal import JOURNAL, RUN_FILE
from aclnn_cts.run.resume import Interrupted
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import find_suite

ENDED = 2
"""Cases that end before a device is gone."""


@dataclass
class Listener:
    """Keeps all that it is told."""

    stages: list[tuple[str, int]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def stage(self, name: str, steps: int) -> None:
        """Keep a stage."""
        self.stages.append((name, steps))

    def step(self, done: int) -> None:
        """Forget how far it is."""
        del done

    def say(self, sentence: str) -> None:
        """Keep a sentence."""
        self.said.append(sentence)


class Lab:
    """Runs five cases of one operator, whose program plays what the device does."""

    def __init__(self, specs: SpecSet, cases: tuple[Case, ...], folder: Path) -> None:
        self.suite = find_suite()
        self.specs = specs
        self.cases = cases
        self.programs = folder / "programs"
        self.results = folder / "results"
        self.heard = Listener()
        self.memory: int | None = None
        write_program(self.programs / "aclnnLogitGrad")

    @property
    def prepared(self) -> Prepared:
        """What the program runs with: nothing has to be built."""
        toolkit = Toolkit(self.programs, "simulator")
        return Prepared(toolkit, self.programs, Environment(), self.memory)

    def run(self, cann: str = "") -> RunFolder:
        """Run all cases."""
        asked = RunConfig(cann=cann, devices=(0,))
        request = Request(*("atlas-a2", "smoke", "strict", self.cases, self.results), asked)
        self.heard = Listener()
        return run_campaign(self.suite, self.specs, request, self.heard)

    def resume(self) -> RunFolder:
        """Run what is left."""
        self.heard = Listener()
        found = Interrupted(open_interrupted(self.results, self.suite))
        return resume_campaign(self.suite, self.specs, found, self.heard)

    def interrupt(self) -> None:
        """Leave a run in the folder of which two cases have ended: its device was lost."""
        gone = self.programs / "gone"
        body = f"if number == {ENDED}: open({str(gone)!r}, 'w'); os.abort()"
        refused = f"if os.path.exists({str(gone)!r}): sys.stderr.write('busy'); sys.exit(3)"
        write_program(self.programs / "aclnnLogitGrad", body, before=refused)
        with pytest.raises(NotTrustworthyError, match="no device is left"):
            self.run()
        gone.unlink()
        write_program(self.programs / "aclnnLogitGrad")


@pytest.fixture
def lab(
    tmp_path: Path,
    specs: SpecSet,
    planned: Callable[..., tuple[Case, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> Lab:
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path / "cache"))
    cases = planned("atlas-a2", "smoke", "aclnnLogitGrad")
    made = Lab(specs, tuple(cases[:5]), tmp_path)
    monkeypatch.setattr(LocalEngine, "prepare", lambda *_: made.prepared)
    return made


def test_an_interrupted_run_that_is_replaced(lab: Lab) -> None:
    """It is named with what it had done: whoever meant --resume sees what was lost."""
    lab.interrupt()
    lab.run()
    assert lab.heard.said == [
        f"{lab.results}: held an interrupted run (3 of 5 cases completed), which this run replaces"
    ]


def test_a_process_that_was_cut_off_counts_with_what_had_ended(lab: Lab) -> None:
    """Of a run that was killed the journal may say nothing, and its records all."""
    lab.run()
    (lab.results / JOURNAL).write_text("")
    lab.run()
    assert "(5 of 5 cases completed)" in lab.heard.said[0]


def test_nothing_is_said_of_a_run_that_came_to_its_end(lab: Lab) -> None:
    """A run each night takes the place of the last one, as it should."""
    lab.run()
    assert lab.heard.said == []
    lab.run()
    assert lab.heard.said == []


@pytest.mark.parametrize("file", [RUN_FILE, JOURNAL])
def test_a_run_that_cannot_be_read_is_no_loss(lab: Lab, file: str) -> None:
    """Nobody could have finished it."""
    lab.interrupt()
    with (lab.results / file).open("r+") as held:
        held.write('{"format": "aclnn-cts/run/3"]]\n')
    lab.run()
    assert lab.heard.said == []


def test_an_interrupted_run_that_stays(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing builds, the run in the folder is kept, and nothing else is said of it."""
    lab.interrupt()

    def broken(*_: object) -> Prepared:
        raise NotTrustworthyError("the programs do not build")

    monkeypatch.setattr(LocalEngine, "prepare", broken)
    with pytest.raises(NotTrustworthyError):
        lab.run()
    assert lab.heard.said == []
    assert len(open_interrupted(lab.results, lab.suite).programs) > 0


def test_what_a_resumed_run_keeps(lab: Lab) -> None:
    """How many cases had ended and how many are to run, and progress counts the latter alone."""
    lab.interrupt()
    lab.resume()
    assert lab.heard.said == ["cases kept: 3 of 5; left to run: 2"]
    assert ("run", 2) in lab.heard.stages


def test_a_whole_run_counts_all(lab: Lab) -> None:
    """There is nothing to keep, and nothing to say of it."""
    lab.run()
    assert ("run", 5) in lab.heard.stages


@pytest.mark.parametrize(("cann", "stage"), [("", "build"), ("/usr/local/Ascend", "programs")])
def test_what_is_built(lab: Lab, cann: str, stage: str) -> None:
    """On hardware no simulator is built, and none is named."""
    lab.run(cann)
    assert lab.heard.stages[0] == (stage, 0)


def test_cases_that_do_not_fit(lab: Lab) -> None:
    """They are named with what they take, have no data and are not begun; a resumed run knows."""
    needs = sorted((device_bytes(lab.specs, case), case.id) for case in lab.cases)
    lab.memory, largest = needs[-2][0], needs[-1][1]
    assert lab.memory < needs[-1][0]
    run = lab.run()
    (said,) = lab.heard.said
    assert said.startswith("cases skipped: 1 of 5")
    assert ("run", 4) in lab.heard.stages
    assert run.left_out.keys() == {largest}
    assert f"{needs[-1][0]:,} bytes" in run.left_out[largest]
    assert {c.id for batch in run.batches for c in batch.cases} == {id_ for _, id_ in needs[:-1]}
    assert open_interrupted(lab.results, lab.suite).left_out == run.left_out
    lab.interrupt()
    assert lab.resume().left_out == run.left_out


def test_cases_that_the_judge_cannot_hold(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are left out as those that the device cannot hold: the system would end the judge."""
    largest = max(lab.cases, key=lambda case: device_bytes(lab.specs, case)).id
    monkeypatch.setattr(campaign, "host_memory", lambda: 99)
    monkeypatch.setattr(
        campaign, "expectation_bytes", lambda _, case: 100 if case.id == largest else 99
    )
    run = lab.run()
    assert run.left_out.keys() == {largest}
    assert "100 bytes of host memory" in run.left_out[largest]
    monkeypatch.setattr(campaign, "expectation_bytes", lambda *_: 100)
    with pytest.raises(NotTrustworthyError, match="host"):
        lab.run()


def test_no_case_fits(lab: Lab) -> None:
    """A run that would test nothing is none."""
    lab.memory = min(device_bytes(lab.specs, case) for case in lab.cases) - 1
    with pytest.raises(NotTrustworthyError, match="no case fits"):
        lab.run()
    assert not (lab.results / RUN_FILE).exists()


def interrupted(*_: object) -> Prepared:
    raise KeyboardInterrupt


def test_ctrl_c_with_something_to_finish(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once cases have begun, the command that goes on is told, also when a resumed run is ended."""
    monkeypatch.setattr("aclnn_cts.run.executor.run_program", interrupted)
    command = f"`aclnn-cts run --resume --results {lab.results}`"
    with pytest.raises(KeyboardInterrupt, match=f"finish the run with {command}"):
        lab.run()
    monkeypatch.setattr(LocalEngine, "prepare", interrupted)
    with pytest.raises(KeyboardInterrupt, match=f"finish the run with {command}"):
        lab.resume()


def test_ctrl_c_with_nothing_to_finish(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a run builds there is nothing of it that could go on."""
    monkeypatch.setattr(LocalEngine, "prepare", interrupted)
    with pytest.raises(KeyboardInterrupt) as ended:
        lab.run()
    assert ended.value.args == ()
