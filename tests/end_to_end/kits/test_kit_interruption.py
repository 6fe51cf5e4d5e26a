# SPDX-License-Identifier: Apache-2.0
"""What ends a kit's run loses nothing: started again, it goes on with what was not done."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from tests.end_to_end.kits.conftest import OPERATOR, Host, judged

pytestmark = pytest.mark.end_to_end


def test_a_killed_run_goes_on(fresh: Host, host: Host, tmp_path: Path) -> None:
    """After kill -9 the batches that were done are not run again, and nothing is missing."""
    done = fresh.work / "done"
    script = fresh.start(str(fresh.toolkit))
    while script.poll() is None and not (done.is_dir() and any(done.glob("*-000"))):
        time.sleep(0.01)
    script.send_signal(signal.SIGKILL)
    script.communicate()
    assert not fresh.outputs.exists()
    first = (fresh.work / "events" / f"{OPERATOR}-000.jsonl").stat().st_mtime_ns
    status, out, err = fresh.run()
    assert (status, err) == (0, ""), out
    assert (fresh.work / "events" / f"{OPERATOR}-000.jsonl").stat().st_mtime_ns == first
    assert judged(fresh.outputs, tmp_path / "a") == judged(host.outputs, tmp_path / "b")


def test_a_full_disk(fresh: Host) -> None:
    """The run ends with a sentence, nothing is packed, and it goes on when there is room."""
    (fresh.work / "outputs").mkdir()
    (fresh.work / "outputs" / f"{OPERATOR}-000.bin").symlink_to("/dev/full")
    status, _, err = fresh.run()
    assert status == 1
    assert "No space left on device" in err
    assert "start run.sh again" in err
    assert not fresh.outputs.exists()
    (fresh.work / "outputs" / f"{OPERATOR}-000.bin").unlink()
    assert fresh.run()[0] == 0
    # With another toolkit or compiler half of the run would be of one kind, and half of another.
    (fresh.work / "host.jsonl").write_text("{}\n")
    assert "the run began on another host" in fresh.run()[2]
