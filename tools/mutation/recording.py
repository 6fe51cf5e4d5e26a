# SPDX-License-Identifier: Apache-2.0
"""One recorded run of the tests: which lines each test reaches, and how long it takes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path

import coverage
import pytest

from tools.mutation import plugin
from tools.mutation.mutants import Mutant

MOST_SECONDS = 40.0
"""What the tests of one mutant may take together, by the recorded run."""


@dataclass(frozen=True)
class Recording:
    """What the recorded run told.

    Attributes:
        reached: By file and line, the tests that reach the line once the module is imported.
        seconds: By test.
    """

    reached: dict[str, dict[str, list[str]]]
    seconds: dict[str, float]

    def tests_for(self, mutant: Mutant, function: range | None) -> list[str]:
        """Return the tests that may notice a mutant: those named after the module, then fast ones.

        Slow tests are left out from where all together would take :data:`MOST_SECONDS`; a mutant
        that only they would notice counts as survived.

        Args:
            mutant: What is changed.
            function: The lines of the function that holds the change; None if it stands outside of
                all functions: then all tests that reach the module may.
        """
        lines = self.reached.get(mutant.file, {})
        numbers = lines.keys() if function is None else map(str, function)
        tests = {test for line in numbers for test in lines.get(line, ())}
        test_file = f"test_{Path(mutant.file).stem}.py"
        ordered = sorted(tests, key=lambda test: (test_file not in test, self.seconds[test], test))
        ends = accumulate(self.seconds[test] for test in ordered)
        return [test for test, end in zip(ordered, ends, strict=True) if end <= MOST_SECONDS]


class _Recorder:
    """A pytest plugin that gives each test a context of its own and takes its time."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self.measured = measured
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Run a test in its context."""
        self.measured.switch_context(item.nodeid)
        result = yield
        self.measured.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up set-up, call and tear-down."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)


def record(root: Path, files: Sequence[str], tests: Sequence[str], store: Path) -> Recording:
    """Return the recording of the tests as they are now; it is made if there is none.

    Raises:
        RuntimeError: The tests fail without any mutant.
    """
    path = store / f"recording-{_digest(root, files, tests)}.json"
    if path.is_file():
        return Recording(**json.loads(path.read_text()))
    measured = coverage.Coverage(
        data_file=None, config_file=False, include=[str(root / file) for file in files]
    )
    recorder = _Recorder(measured)
    measured.start()
    code = pytest.main([*plugin.OPTIONS, *(str(root / test) for test in tests)], [plugin, recorder])
    measured.stop()
    if code != pytest.ExitCode.OK:
        raise RuntimeError(f"these tests fail without any mutant: {', '.join(recorder.failed)}")
    recording = Recording(_reach(root, files, measured), recorder.seconds)
    store.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(recording)))
    return recording


def _reach(
    root: Path, files: Sequence[str], measured: coverage.Coverage
) -> dict[str, dict[str, list[str]]]:
    data = measured.get_data()
    return {
        file: {
            str(line): sorted(set(contexts) - {""})
            for line, contexts in data.contexts_by_lineno(str(root / file)).items()
        }
        for file in files
    }


def _digest(root: Path, files: Sequence[str], tests: Sequence[str]) -> str:
    digest = hashlib.sha256()
    sources = [path for test in tests for path in sorted((root / test).rglob("*.py"))]
    for path in [*(root / file for file in files), root / "tests" / "conftest.py", *sources]:
        if path.is_file():
            digest.update(f"{path.relative_to(root)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:20]
