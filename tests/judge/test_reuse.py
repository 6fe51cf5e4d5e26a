# SPDX-License-Identifier: Apache-2.0
"""Verdicts on equal records of earlier runs: reused only if nothing could make them differ."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.files import sha256_of
from aclnn_cts.judge import judge_run as judge_run_module
from aclnn_cts.judge import verdict_files
from aclnn_cts.judge.judge_run import Judging, judge_operators
from aclnn_cts.judge.standards import Standard
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.planned_cases import PlannedCase, PlannedCases
from aclnn_cts.spec.loading import _files, load_specs, specs_digest

X, DY = [0.25, 0.5, 0.75], [1.0, 2.0, 3.0]
CHANGES = 300
QUARANTINE = """\
quarantined:
- operator: aclnnLogitGrad
  case: LogitGrad.base.*
  reason: Every value is off.
  found: 2026-08-01
  measured: In x[1], golden 0.5, exact 0.25.
"""


@pytest.fixture
def computed(bench: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The ids of the cases whose inputs were read for a judgement, with an empty cache."""
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path / "cache"))
    cases: list[str] = []

    def inputs_of(case: Case, store: Path, reference: DataReference) -> Any:
        del store, reference
        cases.append(case.id)
        return bench.inputs[case.id]

    monkeypatch.setattr(judge_run_module, "inputs_of", inputs_of)
    monkeypatch.setattr(judge_run_module, "restore_data", lambda *_: None)
    return cases


def judge(
    bench: Any, standard: Standard = "strict", *, reuse: bool = True, **run: Any
) -> dict[str, CaseVerdict]:
    judging = Judging(bench.suite, standard, reuse=reuse)
    (found,) = judge_operators(replace(bench.run(), **run), judging)
    return {verdict.case: verdict for verdict in found.verdicts}


@pytest.fixture
def once(bench: Any, computed: list[str]) -> dict[str, CaseVerdict]:
    """The verdicts of a first run: a pass, a refusal, and a failure."""
    cases = [bench.case("right", X, DY), bench.case("wrong", [0.5], [1.0])]
    refusal = bench.refusal("refused")
    wrong = bench.kept(cases[1], np.array([9.0], np.float32))
    bench.program(bench.kept(cases[0]), wrong, bench.refused(refusal))
    verdicts = judge(bench)
    assert [verdict.reused for verdict in verdicts.values()] == [False] * 3
    computed.clear()
    return verdicts


def test_an_equal_record_has_an_equal_verdict(
    bench: Any, once: dict[str, CaseVerdict], computed: list[str]
) -> None:
    """The same in each field; what failed is judged anew."""
    again = judge(bench)
    assert {name for name, verdict in again.items() if verdict.reused} == {"right", "refused"}
    assert {name: replace(each, reused=False) for name, each in again.items()} == once
    assert computed == ["wrong"]
    assert once["wrong"].verdict is Verdict.FAIL


def test_other_outputs_are_judged(bench: Any, once: dict[str, CaseVerdict]) -> None:
    del once
    outputs = bench.programs[-1].outputs
    content = bytearray(outputs.read_bytes())
    content[1] ^= 1
    outputs.write_bytes(content)
    assert not judge(bench)["right"].reused


@pytest.mark.parametrize("change", [lambda file: file.write_bytes(b"date"), Path.unlink])
def test_changed_data(
    bench: Any, computed: list[str], tmp_path: Path, change: Callable[[Path], object]
) -> None:
    """Equal results prove nothing about what they were computed from."""
    case, file = bench.case("right", X, DY), tmp_path / "data.npy"
    bench.program(bench.kept(case))
    file.write_bytes(b"data")
    reference = DataReference(file.name, 4, {}, sha256_of(file))
    cases = PlannedCases.pack([PlannedCase(case, reference)])
    judge(bench, cases=cases, store=tmp_path)
    assert judge(bench, cases=cases, store=tmp_path)["right"].reused
    change(file)
    assert not judge(bench, cases=cases, store=tmp_path)["right"].reused
    assert computed == ["right", "right"]


@pytest.mark.parametrize(
    "change",
    [
        lambda bench: judge(bench, reuse=False),
        lambda bench: judge(bench, "ecosystem"),
        lambda bench: judge(bench, edition="earlier"),
    ],
)
def test_another_judgement(
    bench: Any, once: dict[str, CaseVerdict], change: Callable[[Any], dict[str, CaseVerdict]]
) -> None:
    """By another standard or edition, or if the user asks for it, nothing is reused."""
    del once
    assert not any(verdict.reused for verdict in change(bench).values())


@pytest.mark.parametrize("file", ["quarantine.yaml", "allowances.yaml"])
def test_a_changed_suite(bench: Any, once: dict[str, CaseVerdict], file: str) -> None:
    del once
    append(bench.suite.specs / file)
    start_anew()
    assert not any(verdict.reused for verdict in judge(bench).values())


def append(path: Path) -> None:
    with path.open("a", encoding="utf-8") as changed:
        changed.write(QUARANTINE if path.name == "quarantine.yaml" else "# changed\n")


def start_anew() -> None:
    """Forget the specs, as if another process judged; a process reads each file once."""
    for read_once in (load_specs, _files, specs_digest):
        read_once.cache_clear()


@pytest.mark.parametrize("file", ["quarantine.yaml", "allowances.yaml"])
def test_a_suite_that_changes_during_a_run(bench: Any, computed: list[str], file: str) -> None:
    """The run judges by the specs as it read them, and so its verdicts are not those of the new."""
    del computed
    bench.program(bench.kept(bench.case("right", X, DY)))
    start_anew()
    load_specs(bench.suite, bench.run().edition)
    specs_digest(bench.suite)  # recorded when the run begins
    append(bench.suite.specs / file)
    judge(bench)
    start_anew()
    assert not any(verdict.reused for verdict in judge(bench).values())


def test_changed_code(
    bench: Any, once: dict[str, CaseVerdict], monkeypatch: pytest.MonkeyPatch
) -> None:
    del once
    monkeypatch.setattr(verdict_files, "_CODE", "another version")
    assert not any(verdict.reused for verdict in judge(bench).values())


def test_a_changed_file_of_the_cache_is_not_believed(
    bench: Any, once: dict[str, CaseVerdict]
) -> None:
    """Whichever bytes are changed, added or cut off: the verdicts are those of a judgement."""
    (path,) = (bench.suite.cache / "covering").glob("*.verdicts")
    content, seeded = path.read_bytes(), random.Random(7)  # noqa: S311
    for _ in range(CHANGES):
        damaged = bytearray(content)
        match seeded.randrange(3):
            case 0:
                damaged[seeded.randrange(len(damaged))] ^= 1 << seeded.randrange(8)
            case 1:
                del damaged[seeded.randrange(len(damaged)) :]
            case _:
                damaged += bytes([seeded.randrange(256)])
        path.write_bytes(damaged)
        again = judge(bench)
        assert not any(verdict.reused for verdict in again.values())
        assert again == once
