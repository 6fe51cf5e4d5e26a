# SPDX-License-Identifier: Apache-2.0
"""Trials that are not repeated, because nothing that they depend on has changed."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from aclnn_cts.files import sha256_of
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.qualify.catalog import Entry
from aclnn_cts.qualify.qualification import Notice, Trial
from aclnn_cts.run.fault_injection import sources_for
from aclnn_cts.run.toolkit import needed_operators
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite, code_digest


@dataclass(frozen=True)
class _KeptTrial:
    """A fault that was noticed, an edit that is equivalent, or a variant without an alarm."""

    cases: int
    seconds: float
    notices: tuple[Notice, ...]
    equivalent: bool


@dataclass(frozen=True)
class KeptTrials:
    """The trials of an operator with one state of its spec, kernel and program, and of the code.

    Attributes:
        unharmed: Number of cases that passed on the unharmed device, by product.
        trials: By what identifies a device.
    """

    unharmed: Mapping[str, int] = field(default_factory=dict)
    trials: Mapping[str, _KeptTrial] = field(default_factory=dict)

    def trial(self, entry: Entry) -> Trial | None:
        """Return the trial of a device; None if it is to be tried."""
        kept = self.trials.get(_identity(entry))
        if kept is None:
            return None
        return Trial(entry, kept.cases, kept.seconds, kept.notices, equivalent=kept.equivalent)

    def extended(self, unharmed: Mapping[str, int], trials: Iterable[Trial]) -> KeptTrials:
        """Return them with further ones, without what survives, alarms or could not be tried."""
        further = {
            _identity(trial.entry): _KeptTrial(
                trial.cases, trial.seconds, trial.notices, trial.equivalent
            )
            for trial in trials
            if not trial.left_open
            and (trial.is_killed or trial.equivalent or trial.entry.kind == "variant")
            and not trial.alarm
        }
        return KeptTrials(unharmed, {**self.trials, **further})


def _identity(entry: Entry) -> str:
    """Return everything of a device that its trial depends on."""
    return json.dumps([entry.id, entry.kind, entry.product, entry.change.digest, entry.notices])


@dataclass(frozen=True)
class TrialCache:
    """Where the trials of an operator are kept, by the content that they depend on."""

    cache: PlanCache
    key: str

    @classmethod
    def of(
        cls, suite: Suite, parts: Path, specs: SpecSet, operator: str, *settings: str
    ) -> TrialCache:
        """Return the place of an operator's trials.

        Args:
            parts: The tree of :func:`aclnn_cts.run.build.build_parts`.
            settings: The compiler, and how devices are tried.
        """
        called = needed_operators(specs, [operator])
        files = {
            *sources_for(parts, {*called}),
            *(suite.specs / specs.operator(name).file for name in called),
            *(suite.generated_tests / f"{name}.cpp" for name in called),
            *_common_files(suite),
        }
        digests = sorted((path.name, _digest(path)) for path in files if path.is_file())
        folders = [folder.sha256 for folder in suite.folders]
        code = code_digest(library="numpy")
        return cls(
            PlanCache.of(suite),
            json.dumps([operator, specs.edition, code, settings, folders, digests]),
        )

    def read(self) -> KeptTrials:
        return self.cache.load("trials", self.key, KeptTrials) or KeptTrials()

    def write(self, trials: KeptTrials) -> None:
        self.cache.keep("trials", self.key, trials)


@functools.lru_cache(maxsize=8)
def _common_files(suite: Suite) -> tuple[Path, ...]:
    """Return the specs that are of no operator, the harness, and how all is built."""
    specs = (path for path in suite.specs.glob("*.yaml") if not path.name.startswith("aclnn"))
    cmake = (
        *suite.simulator.rglob("CMakeLists.txt"),
        *suite.generated_tests.glob("CMakeLists.txt"),
    )
    return (*specs, *cmake, *(path for path in suite.harness.rglob("*") if path.is_file()))


_digest = functools.lru_cache(maxsize=1 << 14)(sha256_of)
"""All operators share most files."""
