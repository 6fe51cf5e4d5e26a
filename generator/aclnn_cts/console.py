# SPDX-License-Identifier: Apache-2.0
"""Output on the terminal: progress, lists of cases, explanations."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from typing_extensions import Self

from aclnn_cts.coverage.coverage_text import MOST_OPERATORS, title_of
from aclnn_cts.errors import WrongInputError, counted, printable
from aclnn_cts.files import explain
from aclnn_cts.golden.inputs import settle
from aclnn_cts.golden.reach import Reach, reach_of
from aclnn_cts.golden.resolution import Resolution
from aclnn_cts.plan.calls import Call
from aclnn_cts.plan.cases import Case, case_to_json
from aclnn_cts.plan.violated_clauses import passes_null, unmet_besides_null
from aclnn_cts.report.summary import LEAST_WIDTH
from aclnn_cts.results.failure_message import describe_call
from aclnn_cts.spec.loading import SpecSet

_TITLES = {
    "build": "building simulator and programs",
    "programs": "building programs",
    "data": "making input data",
    "run": "running cases",
    "rerun": "rerunning cases",
    "judge": "judging cases",
    "plan": "planning cases",
    "cover": "covering the clauses of operators",
    "reach": "evaluating cases",
    "devices": "trying faults and variants",
    "shrink": "searching for a smaller case",
}


class PlainConsole(Console):
    """Standard output; wide enough for tables if it is not a terminal."""

    def __init__(self) -> None:
        super().__init__(markup=False, emoji=False, highlight=False)
        if not (self.is_terminal or "COLUMNS" in os.environ):
            self.width = LEAST_WIDTH


def _bars(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


class ConsoleProgress:
    """Progress bars on a terminal; elsewhere a plain line for each stage that takes a second.

    Args:
        beside: The display of another run of this process, whose bars are shared.
        title: Prefix of each line if there are several runs.
    """

    def __init__(self, beside: ConsoleProgress | None = None, title: str = "") -> None:
        self._title = f"{title}: " if title else ""
        self._is_guest = beside is not None
        self.console: Console = beside.console if beside else Console(stderr=True)
        self.bars: Progress = beside.bars if beside else _bars(self.console)
        self._task = self.bars.add_task("", start=False, visible=False)
        self._stage = ""
        self._steps = 0
        self._started = time.monotonic()

    def __enter__(self) -> Self:
        if not self._is_guest:
            self.bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the progress bars, also after an error."""
        self._finish_stage()
        if not self._is_guest:
            self.bars.stop()

    def stage(self, name: str, steps: int) -> None:
        """Begin a stage; ``steps`` is 0 if unknown."""
        self._finish_stage()
        self._stage, self._steps, self._started = name, steps, time.monotonic()
        self.bars.reset(
            self._task,
            description=f"{self._title}{_TITLES[name]}",
            total=steps or None,
            visible=True,
            start=True,
        )

    def step(self, done: int) -> None:
        self.bars.update(self._task, completed=done)

    def say(self, sentence: str) -> None:
        """Print a message above the bars, after the output of the previous stage."""
        self._finish_stage()
        self.console.print(
            printable(self._title + sentence),
            markup=False,
            emoji=False,
            highlight=False,
            soft_wrap=True,
        )

    def judged(self, done: int, total: int) -> None:
        self._steps = total
        self.bars.update(self._task, completed=done, total=total)

    def reached(self, stage: str, done: int, total: int) -> None:
        """Report the progress of a stage; begin it if it is new."""
        if stage != self._stage:
            self.stage(stage, total)
        self.step(done)

    def _finish_stage(self) -> None:
        seconds = time.monotonic() - self._started
        if self._stage and seconds >= 1 and not self.console.is_terminal:
            count = f" ({self._steps})" if self._steps else ""
            typer.echo(f"{self._title}{_TITLES[self._stage]}{count}: {seconds:.1f} s", err=True)
        self._stage = ""


class JsonProgress:
    """Progress for a wrapper: one line of JSON per event, on standard error or in a file.

    If the wrapper goes away, the run continues without progress.
    """

    def __init__(self, file: io.FileIO) -> None:
        self._file = file
        self._started = time.monotonic()
        self._stage = ""
        self._steps = self._shown = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, *_: object) -> None:
        """Report the end, also after an error."""
        facts = {} if error is None else {"error": str(error) or type(error).__name__}
        self._tell("end", **facts)
        self._file.close()

    def stage(self, name: str, steps: int) -> None:
        """Report that a stage begins; ``steps`` is 0 if unknown."""
        self._stage, self._steps, self._shown = name, steps, 0
        self._tell("stage", stage=name, steps=steps)

    def step(self, done: int) -> None:
        """Report the completed steps of the stage, a hundred times at most."""
        hundredths = done * 100 // self._steps if self._steps else done
        if hundredths > self._shown:
            self._shown = hundredths
            self._tell("step", stage=self._stage, done=done, steps=self._steps)

    def say(self, sentence: str) -> None:
        self._tell("message", text=sentence)

    def judged(self, done: int, total: int) -> None:
        self._steps = total
        self.step(done)

    def _tell(self, event: str, **facts: object) -> None:
        seconds = round(time.monotonic() - self._started, 3)
        line = json.dumps({"event": event, "seconds": seconds, **facts}, ensure_ascii=False)
        with contextlib.suppress(OSError):
            self._file.write(f"{line}\n".encode())


Shown = ConsoleProgress | JsonProgress
AUTO = "auto"
_JSON = "json"


def progress_of(form: str) -> Shown:
    """Return the progress display of a form: ``auto``, ``json`` or ``json:FILE``.

    Raises:
        WrongInputError: There is no such form, or the file cannot be written to.
    """
    kind, _, name = form.partition(":")
    if form == AUTO:
        return ConsoleProgress()
    if kind != _JSON or (":" in form and not name):
        raise WrongInputError(f"--progress {form}: write auto, json or json:FILE")
    try:
        # Unbuffered: a wrapper reads each line at once, and a lost one is not written again.
        return JsonProgress(io.FileIO(name, "w") if name else io.FileIO(2, "w", closefd=False))
    except OSError as error:
        raise explain(error, Path(name)) from None


def print_json(document: object) -> None:
    """Print one JSON document, without escaping non-ASCII characters."""
    json.dump(document, sys.stdout, indent=1, ensure_ascii=False)
    sys.stdout.write("\n")


def show_cases(
    specs: SpecSet, cases: Sequence[Case], *, as_json: bool, verbose: bool = False
) -> None:
    """Print the ids of cases and their number by operator or family, or all data as JSON."""
    if as_json:
        print_json([case_to_json(case) for case in cases])
        return
    for case in cases:
        typer.echo(case.id)
    operators = {case.operator: specs.operator(case.operator) for case in cases}
    short = not verbose and len(operators) > MOST_OPERATORS
    names = {
        operator: spec.document.family if short else title_of(spec)
        for operator, spec in operators.items()
    }
    counts = Counter(names[case.operator] for case in cases)
    refused = Counter(names[case.operator] for case in cases if not case.expects_success)
    for name, count in counts.items():
        refusals = counted(refused[name], "refusal")
        typer.echo(f"{name}: {counted(count, 'case')}, including {refusals}", err=True)
    hint = f" of {len(operators)} operators; `--verbose` counts each one's" if short else ""
    typer.echo(f"{counted(len(cases), 'case')} in all{hint}", err=True)


def show_explanation(specs: SpecSet, case: Case) -> None:
    """Print a case: its call, expected status and promises."""
    texts = specs.clause_texts(case.operator)
    scenes = specs.operator(case.operator).scenes
    typer.echo(case.id)
    typer.echo(f"scene {case.scene}, from tier {case.tier} on")
    for why in (scene.why for scene in scenes if scene.id == case.scene):
        typer.echo(f"why: {why}")
    draw = settle(specs, case)
    for line in describe_call(draw.case):
        typer.echo(line)
    for line in _outcome(case):
        typer.echo(line)
    if case.twin is not None:
        typer.echo(_difference(specs, case))
    typer.echo("promises:")
    for clause in case.clauses:
        text, place = texts[clause]
        typer.echo(f"  {clause}: {text} [{place}]")
    reach = reach_of(draw)
    for clause in reach.applied:
        text, place = texts[clause]
        typer.echo(f"  {clause}: {text} [{place}] ({_reach_text(clause, reach)})")
    if case.expects_success:
        typer.echo(f"resolution: {sum(draw.resolutions.values(), Resolution()).description()}")


def _outcome(case: Case) -> Iterator[str]:
    """Yield the required status of phase one, and the basis of a wrong call."""
    if case.basis is None:
        yield f"phase one must return {case.required_status}"
        return
    phases = "one of the phases" if case.is_launched else "phase one"
    if case.basis == "requirement":
        yield f"{phases} should return {case.required_status}; accepting the call is unenforced"
    else:
        yield f"{phases} must return {case.required_status}"
    launched = "launched" if case.is_launched else "not launched"
    yield f"basis {case.basis} ({', '.join(case.refused_by)}); {launched} if phase one accepts it"


def _difference(specs: SpecSet, case: Case) -> str:
    """Show how a call that must be refused differs from its twin."""
    call = Call.of(specs.operator(case.operator), case)
    if not passes_null(call):
        return f"differs in one fact from {case.twin}"
    others = unmet_besides_null(call)
    second = f", and also in what breaks {', '.join(others)}," if others else ""
    return f"differs in a null pointer{second} from {case.twin}"


def _reach_text(clause: str, reach: Reach) -> str:
    """Return how many elements a value clause applies to, and whether a violation would show."""
    elements, contested = reach.applied[clause], reach.contested.get(clause, 0)
    parts = [counted(elements, "element")]
    if contested:
        parts.append(f"{contested} of them contested")
    if clause not in reach.positive and contested < elements:
        parts.append("none decides")
    return ", ".join(parts)
