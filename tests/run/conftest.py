# SPDX-License-Identifier: Apache-2.0
"""Whole runs whose programs play what a device does, so that nothing has to be built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from tests.run.programs import Clock, write_program

from aclnn_cts.plan.cases import Case
from aclnn_cts.run.campaign import LocalEngine, Request, resume_campaign, run_campaign
from aclnn_cts.run.environment import Environment, Prepared
from aclnn_cts.run.executor import Campaign, Executor, LocalExecutor
from aclnn_cts.run.folder import RunFolder, open_interrupted
from aclnn_cts.run.resume import Interrupted
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import find_suite

REFUSED = "sys.stderr.write('aclrtSetDevice failed'); sys.exit(3)"
HUNG = "hang()"
"""What the programs do without a device: the runtime refuses it, or never answers."""


@dataclass
class Listener:
    """Progress that keeps all that it is told."""

    stages: list[tuple[str, int]] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)

    def stage(self, name: str, steps: int) -> None:
        self.stages.append((name, steps))

    def step(self, done: int) -> None:
        pass

    def say(self, sentence: str) -> None:
        self.sentences.append(sentence)


@dataclass
class Lab:
    """A host whose programs play what a device does.

    Attributes:
        memory: Bytes that are free on the device; None if it does not tell.
        listener: What the last run told.
    """

    specs: SpecSet
    cases: tuple[Case, ...]
    folder: Path
    memory: int | None = None
    listener: Listener = field(default_factory=Listener)

    def __post_init__(self) -> None:
        self.suite = find_suite()
        self.programs, self.results = self.folder / "programs", self.folder / "results"
        self.gone = self.folder / "gone"  # while this file is there, no device can be had
        self.play()

    @property
    def prepared(self) -> Prepared:
        """What the programs run with."""
        toolkit = Toolkit(self.folder, "simulator")
        return Prepared(toolkit, self.programs, Environment(), self.memory)

    def play(
        self, body: str = "pass", *, inf_nan: bool | None = True, refusal: str = REFUSED
    ) -> None:
        """Have the programs do something in each of their cases, and without a device."""
        before = f"if os.path.exists({str(self.gone)!r}):\n    {refusal}"
        for name in {case.operator for case in self.cases}:
            write_program(self.programs / name, body, before=before, inf_nan=inf_nan)

    def executor(self, campaign: Campaign) -> Executor:
        """Make the usual executor, with the clock of the programs."""
        return LocalExecutor(replace(campaign, clock=Clock(self.programs)))

    def run(
        self,
        devices: tuple[int, ...] = (0,),
        executor: Callable[[Campaign], Executor] | None = None,
        *,
        cann: str = "",
        cases: tuple[Case, ...] = (),
    ) -> RunFolder:
        """Run all cases, or these."""
        self.listener = Listener()
        request = Request(
            *("atlas-a2", "smoke", "strict", cases or self.cases, self.results),
            RunConfig(cann=cann, devices=devices),
        )
        engine = LocalEngine(executor or self.executor)
        return run_campaign(self.suite, self.specs, request, self.listener, engine=engine)

    def resume(self, executor: Callable[[Campaign], Executor] | None = None) -> RunFolder:
        """Run what is left."""
        self.listener = Listener()
        interrupted = Interrupted(open_interrupted(self.results, self.suite))
        engine = LocalEngine(executor or self.executor)
        return resume_campaign(self.suite, self.specs, interrupted, self.listener, engine=engine)


@pytest.fixture
def make_lab(
    tmp_path: Path,
    specs: SpecSet,
    planned: Callable[..., tuple[Case, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., Lab]:
    """Return what makes a lab of the first cases of some operators."""
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path / "cache"))

    def make(count: int, *operators: str) -> Lab:
        cases = (case for name in operators for case in planned("atlas-a2", "smoke", name)[:count])
        lab = Lab(specs, tuple(cases), tmp_path)
        monkeypatch.setattr(LocalEngine, "prepare", lambda *_: lab.prepared)
        return lab

    return make
