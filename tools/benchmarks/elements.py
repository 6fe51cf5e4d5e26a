# SPDX-License-Identifier: Apache-2.0
"""Speed and memory of golden data, judge, resolving power and planning, against targets.

Golden data compete with PyTorch's own gradients, the judge with the mixed rule of vendors' kits,
all in one thread and in turn. Ratios are compared, as these tell the same on any machine. Golden
data, resolving power and comparison are one pass over the elements, so what the latter two take is
the difference of two passes.
"""

from __future__ import annotations

import functools
import multiprocessing
import re
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch

from aclnn_cts.golden.expectations import expect_call
from aclnn_cts.golden.expected import Expected, Outcome, Question, Questions
from aclnn_cts.golden.resolution import Resolving
from aclnn_cts.judge.comparison import Comparing, compare
from aclnn_cts.judge.standards import yardstick_of
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.covering import CoveringStore
from aclnn_cts.plan.planner import plan
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite, find_suite
from tools.benchmarks import MissedTargetError
from tools.benchmarks.partners import Array, Call, calls, mixed_rule
from tools.benchmarks.targets import Figure, ratio, seconds

PRODUCT = "atlas-a2"
DTYPES = ("float32", "float16", "bfloat16")
LARGE = 1 << 22
SMALL = 64
IN_MEMORY = 8
"""How many times as many elements memory is measured with: only then do fixed costs vanish."""

GOLDEN, JUDGE, RESOLVE, TWO_THREADS = 2.0, 1.0, 0.1, 1 / 1.8
GOLDEN_MS, JUDGE_MS, PLAN_MS = 0.3, 0.1, 0.2
BYTES = (1 << 30) / 1e8


@dataclass(frozen=True)
class Everything:
    """What a judge may read of each element, so that a loop leaves nothing of it out."""

    reads: ClassVar[Mapping[str, str]] = {}
    rules: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("value", "tolerance", "contested"), "+"),
        **dict.fromkeys(("allowed", "reached"), "or"),
    }

    def __call__(self, arrays: Mapping[str, Any], expected: Expected) -> Mapping[str, Any]:
        """Return the arrays."""
        del arrays
        return {name: getattr(expected, name) for name in self.rules}


class Subject:
    """One call as the suite evaluates and judges it, and a device's outputs.

    The outputs are the expected values rounded to the outputs' type, and 0 where that is allowed.
    """

    def __init__(self, specs: SpecSet, call: Call, dtype: str) -> None:
        """Evaluate the call once."""
        self.dtype = dtype
        self.yardstick = yardstick_of(dtype, specs.precision)
        self.expect = functools.partial(
            expect_call, specs, call.operator, call.inputs, call.attributes, PRODUCT
        )
        kind = DATA_TYPES[dtype].numpy
        self.expected = {name: own.whole() for name, own in self.expect().items()}
        with np.errstate(over="ignore"):
            self.values: dict[str, Array] = {
                name: np.where(own.allowed & Outcome.ZERO, 0.0, own.value).astype(kind)
                for name, own in self.expected.items()
            }
        self.rounded = {name: own.copy() for name, own in self.values.items()}

    def golden(self, threads: int = 1) -> None:
        """Work out what all outputs must be, as the judge does: nobody wants it in memory."""
        self._ask(Everything(), threads=threads)

    def resolve(self) -> None:
        """Work out, besides, what the judgement of all outputs could find."""
        self._ask(Everything(), Resolving(self.yardstick.floating))

    def judge(self) -> None:
        """Compare, besides, all outputs by all standards."""
        comparing = Comparing(self.yardstick, self.dtype)
        self._ask(Everything(), Resolving(self.yardstick.floating), comparing)

    def _ask(self, *questions: Question, threads: int = 1) -> None:
        question = Questions(tuple((str(place), own) for place, own in enumerate(questions)))
        for name, own in self.expect().items():
            arrays = {each: self.values[name].reshape(-1) for each in question.reads}
            deque(own.tallies(question, arrays, threads), maxlen=0)

    def compare(self) -> None:
        """Compare all outputs with what is in memory."""
        for name, own in self.expected.items():
            compare(name, self.values[name], own, self.yardstick)

    def mixed(self) -> None:
        """Apply the rule of vendors' kits to all outputs."""
        for name, own in self.values.items():
            mixed_rule(own, self.rounded[name], self.yardstick.rtol, self.yardstick.atol)


def _large(specs: SpecSet, numel: int) -> Iterator[Figure]:
    """Print a line for each operator and type; yield its figures."""
    print(f"{'operator':<23}{'type':<10}{'golden M/s':<12}{'judge M/s':<11}", end="")
    print(f"{f'golden/PyTorch <= {GOLDEN:g}':<23}{f'judge/mixed <= {JUDGE:g}':<20}", end="")
    print(f"resolve/golden <= {RESOLVE:g}")
    for dtype in DTYPES:
        for call in calls(numel, dtype):
            subject = Subject(specs, call, dtype)
            golden, partner, judged, mixed, resolved = seconds(
                subject.golden, call.partner, subject.judge, subject.mixed, subject.resolve
            )
            judge, resolve = _more(judged, resolved), _more(resolved, golden)
            title = f"{call.title} {dtype}"
            figures = (
                Figure(f"{title}: golden/PyTorch", ratio(golden, partner), GOLDEN),
                Figure(f"{title}: judge/mixed rule", ratio(judge, mixed), JUDGE),
                Figure(f"{title}: resolve/golden", ratio(resolve, golden), RESOLVE),
            )
            speeds = (numel / 1e6 / statistics.median(times) for times in (golden, judge))
            cells = (figure.cell for figure in figures)
            line = "{:<23}{:<10}{:<12.1f}{:<11.1f}{:<23}{:<20}{}"
            print(line.format(call.title, dtype, *speeds, *cells), flush=True)
            yield from figures


def _more(longer: Sequence[float], shorter: Sequence[float]) -> list[float]:
    """Return what works took longer that do more in the same pass over the elements."""
    return [one - other for one, other in zip(longer, shorter, strict=True)]


def _small(specs: SpecSet) -> Iterator[Figure]:
    for call in calls(SMALL, "float32"):
        subject = Subject(specs, call, "float32")
        golden, judge = seconds(subject.expect, subject.compare, repeats=20)
        title = f"{call.title}, {SMALL} elements, ms"
        yield Figure(f"{title}: golden", statistics.median(golden) * 1e3, GOLDEN_MS)
        yield Figure(f"{title}: judge", statistics.median(judge) * 1e3, JUDGE_MS)


def _threads(specs: SpecSet, numel: int) -> Iterator[Figure]:
    """Yield the share of one thread's time that two need for golden data."""
    for call in calls(numel, "float32"):
        subject = Subject(specs, call, "float32")
        one, two = (functools.partial(subject.golden, threads) for threads in (1, 2))
        value = ratio(*seconds(two, one, clock=time.perf_counter))
        yield Figure(f"{call.title}: golden, two threads / one", value, TWO_THREADS)


class _ArraysAlone(CoveringStore):
    """Keeps no plans, so that each is made."""

    def plan(self, content: str, make: Callable[[], tuple[Case, ...]]) -> tuple[Case, ...]:
        del content
        return make()


def _planning(suite: Suite, specs: SpecSet) -> Figure:
    """Return the milliseconds per case of the standard tier; covering arrays are there already."""
    store = _ArraysAlone.of(suite)
    cases = len(plan(specs, PRODUCT, "standard", store=store))
    (times,) = seconds(lambda: plan(specs, PRODUCT, "standard", store=store), runs=3)
    return Figure("planning, ms per case", statistics.median(times) * 1e3 / cases, PLAN_MS)


def _memory_of(numel: int) -> float:
    """Return the bytes per element by which golden data and judge raise a process's peak."""
    specs, call = load_specs(find_suite()), next(calls(numel, "float32"))
    actual: Array = call.partner()["out"].numpy()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins anew
    before = _kibibytes("VmRSS")
    expected = expect_call(specs, call.operator, call.inputs, call.attributes, PRODUCT)
    compare("out", actual, expected["out"], yardstick_of("float32", specs.precision))
    return (_kibibytes("VmHWM") - before) * 1024 / actual.size


def _kibibytes(name: str) -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (found,) = re.findall(rf"^{name}:\s+(\d+) kB$", status, re.MULTILINE)
    return int(found)


def _memory(numel: int) -> Figure:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        value = pool.submit(_memory_of, numel).result()
    return Figure(f"LogitGrad float32, {numel} elements, bytes per element", value, BYTES)


def main(numel: int = LARGE) -> None:
    """Print all figures.

    Args:
        numel: About how many elements a large tensor has.

    Raises:
        MissedTargetError: A figure is beyond its target.
    """
    torch.set_num_threads(1)
    suite = find_suite()
    specs = load_specs(suite)
    print(f"elements: {numel} in a tensor, one thread, medians of runs in turn")
    figures = list(_large(specs, numel))
    others = (
        *_small(specs),
        _planning(suite, specs),
        *_threads(specs, numel),
        _memory(numel * IN_MEMORY),
    )
    print(*others, sep="\n")
    figures += others
    if missed := sum(figure.missed for figure in figures):
        raise MissedTargetError(
            f"elements: {missed} of {len(figures)} figures miss their targets; "
            "tools/benchmarks/README.md says why"
        )
