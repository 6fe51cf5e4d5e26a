# SPDX-License-Identifier: Apache-2.0
"""What the runner costs by itself: cases that take no time, from the plan to the last record."""

from __future__ import annotations

import os
import tempfile
import time
from itertools import islice
from pathlib import Path

from aclnn_cts.plan.covering_store import CoveringStore
from aclnn_cts.plan.planner import plan
from aclnn_cts.run.asked import Asked
from aclnn_cts.run.campaign import Request, run_campaign
from aclnn_cts.run.events import read_events
from aclnn_cts.run.progress import Silent
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite

CASES = 1000
TARGET_SECONDS = 5.0


def main() -> None:
    """Print a line for one worker and for two."""
    suite = find_suite()
    specs = load_specs(suite)
    planned = plan(specs, "atlas-a2", "standard", store=CoveringStore.of(suite))
    # A refused call allocates its tensors, and computes nothing.
    cases = tuple(islice((case for case in planned if not case.expects_success), CASES))
    for jobs in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            asked = Asked.usual(jobs=jobs)
            request = Request("atlas-a2", "standard", "strict", cases, Path(folder), asked)
            run_campaign(suite, specs, request, Silent())  # builds what is not built yet
            started, before = time.monotonic(), sum(os.times()[:4])
            run = run_campaign(suite, specs, request, Silent())
            seconds, busy = time.monotonic() - started, sum(os.times()[:4]) - before
            records = (read_events(program.events).cases.values() for program in run.programs)
            inside = sum(case.microseconds for cases in records for case in cases) / 1e6
        print(
            f"{len(cases)} trivial cases, {jobs} at a time: {seconds:.2f} s "
            f"(target {TARGET_SECONDS}), {busy:.2f} s of a core, {inside:.2f} s inside the cases"
        )


if __name__ == "__main__":
    main()
