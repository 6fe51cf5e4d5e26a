# SPDX-License-Identifier: Apache-2.0
"""Exploration of a device: rounds of random calls until time is up, and what they find."""

from __future__ import annotations

import itertools
import re
import shutil
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import typer
import yaml

from aclnn_cts.errors import ExitCode, NotTrustworthyError, WrongInputError, counted
from aclnn_cts.files import write_text
from aclnn_cts.judging import Report
from aclnn_cts.plan.call_list import ListedCall, call_list_text, case_of_call
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.exploration import Explorer, listed_call
from aclnn_cts.qualify.catalog import recorded_change
from aclnn_cts.repro.minimize import candidate_of, make_smaller
from aclnn_cts.repro.observed_case import from_results
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.results.document import exit_code
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite

ROUND_SECONDS = 60.0
"""The time that a round should take."""

_FIRST_CALLS = 2
_MOST_CALLS = 64
"""Calls of an operator in the first round, and at most."""

_UNITS: Mapping[str, float] = {"s": 1.0, "m": 60.0, "h": 3600.0}

RunCalls = Callable[[Path, Path], Report]
"""Runs a call list into a results folder."""


def parse_duration(text: str) -> float:
    """Return the seconds of a text such as ``30m``.

    Raises:
        WrongInputError: It is no duration.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])", text)
    if match is None:
        raise WrongInputError(f"--for {text}: must be a number with s, m or h, such as 30m")
    return float(match[1]) * _UNITS[match[2]]


@dataclass
class Exploration:
    """An exploration and its findings.

    Attributes:
        run_calls: Runs a call list.
        folder: Where call lists and results are written.
        found: The first call that breaks a promise, by operator, clause and kinds of the failure.
        scenes: A draft of a scene for the spec, by operator.
        totals: Numbers of calls by outcome.
        problems: Problems of rounds.
    """

    suite: Suite
    specs: SpecSet
    product: str
    explorers: Sequence[Explorer]
    run_calls: RunCalls
    folder: Path
    found: dict[tuple[str, ...], ListedCall] = field(default_factory=dict)
    scenes: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    totals: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> ExitCode:
        """The exit status of all rounds; calls that could not have failed do not count."""
        return exit_code({**self.totals, "untrusted": 0}, self.problems)

    def run(self, seconds: float) -> None:
        """Run rounds until time is up, one at least."""
        started, size = time.monotonic(), _FIRST_CALLS
        for number in itertools.count(1):
            began = time.monotonic()
            self._run_round(self.folder / f"round-{number}", size)
            now = time.monotonic()
            if now - started >= seconds:
                break
            remaining = min(ROUND_SECONDS, seconds - (now - started))
            size = max(1, min(_MOST_CALLS, int(size * remaining / (now - began))))

    def _run_round(self, results: Path, size: int) -> None:
        calls = [call for each in self.explorers for _ in range(size) if (call := each.draw())]
        if not calls:
            raise NotTrustworthyError("no valid call of these operators was drawn")
        path = results.with_suffix(".yaml")
        write_text(path, call_list_text(calls))
        document = self.run_calls(path, results).document
        self.totals.update(document.totals)
        self.problems += document.problems
        failing = [case for case in document.cases if case.fails]
        for case in failing:
            key = (case.operator, case.named_clause, *case.kinds)
            if key not in self.found:
                self.found[key] = self._smaller(case, results, len(self.found) + 1)
        total = counted(self.totals["planned"], "call")
        typer.echo(
            f"{results.name}: {counted(len(calls), 'call')}, {len(failing):,} failed; "
            f"{total} and {counted(len(self.found), 'finding')} in all"
        )
        if not (failing or document.totals["missing"] or document.problems):
            shutil.rmtree(results)
            path.unlink()

    def _smaller(self, case: CaseEntry, results: Path, number: int) -> ListedCall:
        """Return a small call that still fails in the same way, or the one that was drawn."""
        observed = from_results(self.suite, results, case.id)
        bench = replace(observed.bench, change=recorded_change(self.suite, observed.device))
        smaller, _ = make_smaller(bench, replace(observed, bench=bench))
        spec, name = self.specs.operator(case.operator), f"found-{number}"
        call = listed_call(spec, smaller.case, name)
        again = case_of_call(self.specs, self.specs.product(self.product), call)
        if not bench.run([again])[1][again.id][1].verdict.breaks_promise:
            call = listed_call(spec, observed.planned, name)
        scene = scene_draft(self.specs, smaller.case, name, case.message)
        self.scenes.setdefault(case.operator, []).append(scene)
        return call

    def write_findings(self) -> Path:
        """Write the findings as a call list, and scenes for their specs; return the list's path."""
        path = self.folder / "found.yaml"
        write_text(path, call_list_text(list(self.found.values())))
        scenes = yaml.safe_dump(self.scenes, sort_keys=False, default_flow_style=None, width=110)
        write_text(self.folder / "scenes.yaml", scenes)
        return path


_SCENE_KEYS: Mapping[str, str] = {
    "shape": "shapes",
    "dim": "dims",
    "attribute": "attributes",
    "dtype": "dtypes",
    "fill": "fill",
    "layout": "layouts",
    "null": "absent",
}
"""Keys of a spec's scene by kind of fact."""


def scene_draft(specs: SpecSet, case: Case, name: str, why: str) -> dict[str, Any]:
    """Return a draft of a spec's scene that makes a call like a case's."""
    spec = specs.operator(case.operator)
    scene: dict[str, Any] = {"id": name, "why": why}
    candidate = candidate_of(spec, case)
    for fact, value in candidate.facts if candidate is not None else ():
        kind, _, parameter = fact.partition(":")
        is_stated = isinstance(value, str | int | float | tuple) and value != "contiguous"
        if kind in _SCENE_KEYS and is_stated:
            plain = list(value) if isinstance(value, tuple) else value
            scene.setdefault(_SCENE_KEYS[kind], {})[parameter] = plain
    return scene
