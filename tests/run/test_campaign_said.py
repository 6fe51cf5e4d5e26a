# SPDX-License-Identifier: Apache-2.0
"""What a run says of another one in its folder: what it replaces, keeps, and has left to do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.run.conftest import Lab

from aclnn_cts.emit.case_file import device_bytes
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.run import campaign
from aclnn_cts.run.campaign import LocalEngine
from aclnn_cts.run.environment import Prepared
from aclnn_cts.run.folder import open_interrupted
from aclnn_cts.run.journal import JOURNAL, RUN_FILE

ENDED = 2
"""Cases that end before a device is gone."""


@pytest.fixture
def lab(make_lab: Callable[..., Lab]) -> Lab:
    return make_lab(5, "aclnnLogitGrad")


def interrupt(lab: Lab) -> None:
    """Leave a run in the folder of which two cases have ended: its device was lost."""
    lab.play(f"if number == {ENDED}: open({str(lab.gone)!r}, 'w'); os.abort()")
    with pytest.raises(NotTrustworthyError, match="no device is left"):
        lab.run()
    lab.gone.unlink()
    lab.play()


def test_an_interrupted_run_that_is_replaced(lab: Lab) -> None:
    """It is named with what it had done: whoever meant --resume sees what was lost."""
    interrupt(lab)
    lab.run()
    assert lab.listener.sentences == [
        f"{lab.results}: held an interrupted run (3 of 5 cases completed), which this run replaces"
    ]


def test_a_process_that_was_cut_off_counts_with_what_had_ended(lab: Lab) -> None:
    """Of a run that was killed the journal may say nothing, and its records all."""
    lab.run()
    (lab.results / JOURNAL).write_text("")
    lab.run()
    assert "(5 of 5 cases completed)" in lab.listener.sentences[0]


def test_nothing_is_said_of_a_run_that_came_to_its_end(lab: Lab) -> None:
    """A run each night takes the place of the last one, as it should."""
    lab.run()
    assert lab.listener.sentences == []
    lab.run()
    assert lab.listener.sentences == []


@pytest.mark.parametrize("file", [RUN_FILE, JOURNAL])
def test_a_run_that_cannot_be_read_is_no_loss(lab: Lab, file: str) -> None:
    """Nobody could have finished it."""
    interrupt(lab)
    with (lab.results / file).open("r+") as held:
        held.write('{"format": "aclnn-cts/run/3"]]\n')
    lab.run()
    assert lab.listener.sentences == []


def test_an_interrupted_run_that_stays(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing builds, the run in the folder is kept, and nothing else is said of it."""
    interrupt(lab)

    def broken(*_: object) -> Prepared:
        raise NotTrustworthyError("the programs do not build")

    monkeypatch.setattr(LocalEngine, "prepare", broken)
    with pytest.raises(NotTrustworthyError):
        lab.run()
    assert lab.listener.sentences == []
    assert len(open_interrupted(lab.results, lab.suite).programs) > 0


def test_what_a_resumed_run_keeps(lab: Lab) -> None:
    """How many cases had ended and how many are to run, and progress counts the latter alone."""
    interrupt(lab)
    lab.resume()
    assert lab.listener.sentences == ["cases kept: 3 of 5; left to run: 2"]
    assert ("run", 2) in lab.listener.stages


def test_a_whole_run_counts_all(lab: Lab) -> None:
    """There is nothing to keep, and nothing to say of it."""
    lab.run()
    assert ("run", 5) in lab.listener.stages


@pytest.mark.parametrize(("cann", "stage"), [("", "build"), ("/usr/local/Ascend", "programs")])
def test_what_is_built(lab: Lab, cann: str, stage: str) -> None:
    """On hardware no simulator is built, and none is named."""
    lab.run(cann=cann)
    assert lab.listener.stages[0] == (stage, 0)


def test_cases_that_do_not_fit(lab: Lab) -> None:
    """They are named with what they take, have no data and are not begun; a resumed run knows."""
    needs = sorted((device_bytes(lab.specs, case), case.id) for case in lab.cases)
    lab.memory, largest = needs[-2][0], needs[-1][1]
    assert lab.memory < needs[-1][0]
    run = lab.run()
    (said,) = lab.listener.sentences
    assert said.startswith("cases skipped: 1 of 5")
    assert ("run", 4) in lab.listener.stages
    assert run.left_out.keys() == {largest}
    assert f"{needs[-1][0]:,} bytes" in run.left_out[largest]
    assert {c.id for batch in run.batches for c in batch.cases} == {id_ for _, id_ in needs[:-1]}
    assert open_interrupted(lab.results, lab.suite).left_out == run.left_out
    interrupt(lab)
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
