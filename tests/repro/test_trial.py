# SPDX-License-Identifier: Apache-2.0
"""What a trial leaves: nothing, also where it is interrupted."""

from __future__ import annotations

import pytest

from aclnn_cts.repro.trial import TrialBench
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import find_suite


def test_an_interrupted_trial_cannot_go_on(specs: SpecSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folder is thrown away, so no command that would finish its run is told."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt("finish the run with `aclnn-cts run --resume --results folder`")

    monkeypatch.setattr("aclnn_cts.repro.trial.run_campaign", interrupted)
    bench = TrialBench(find_suite(), specs, "atlas-a2", "smoke", "strict")
    with pytest.raises(KeyboardInterrupt) as ended:
        bench.run([])
    assert ended.value.args == ()
