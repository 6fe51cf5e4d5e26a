# SPDX-License-Identifier: Apache-2.0
"""Running a handful of cases in a folder that is thrown away, and looking at each by itself."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from aclnn_cts.judge.standards import Standard
from aclnn_cts.plan.cases import Case
from aclnn_cts.repro.looking import Seen, look
from aclnn_cts.run.campaign import Progress, Request, Silent, run_campaign
from aclnn_cts.run.fault_injection import Change
from aclnn_cts.run.folder import Device
from aclnn_cts.run.run_config import Asked
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite


@dataclass(frozen=True)
class Trial:
    """What some cases showed on a device.

    Attributes:
        device: The device.
        seen: By the case's id.
    """

    device: Device
    seen: dict[str, Seen]


@dataclass(frozen=True)
class TrialBench:
    """A device, and what cases need to be run on it.

    Attributes:
        suite: The suite.
        specs: All specs, in the edition that counts.
        product: The product's id.
        tier: The tier that the cases are from.
        standard: The standard that decides.
        cann: A real toolkit's folder; None for the simulated device.
        change: What makes the simulated device a faulty one; None for the unharmed one.
        number: The number of the device.
    """

    suite: Suite
    specs: SpecSet
    product: str
    tier: str
    standard: Standard
    cann: Path | None = None
    change: Change | None = None
    number: int = 0

    def run(self, cases: Sequence[Case], progress: Progress | None = None) -> Trial:
        """Run cases, one after the other in one process as far as they let it live.

        Raises:
            NotTrustworthyError: Something would not build or start.
            WrongInputError: The toolkit is none.
        """
        with tempfile.TemporaryDirectory(prefix="aclnn-cts-repro-") as folder:
            request = Request(
                product=self.product,
                tier=self.tier,
                standard=self.standard,
                cases=tuple(cases),
                results=Path(folder) / "results",
                asked=replace(Asked.usual(self.cann, self.change), devices=(self.number,)),
                change=self.change,
            )
            try:
                run = run_campaign(self.suite, self.specs, request, progress or Silent())
            except KeyboardInterrupt:
                # The folder goes: there is no run that could be finished, as the campaign says.
                raise KeyboardInterrupt from None
            return Trial(run.device, look(run, self.specs, self.standard, cases))
