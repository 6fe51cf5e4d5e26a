# SPDX-License-Identifier: Apache-2.0
"""Cases of a call list are run, judged, explained and reproduced like those of a tier."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.conftest import Bed

from aclnn_cts.errors import ExitCode
from aclnn_cts.results.document import read_results

pytestmark = pytest.mark.end_to_end


def atk_case(number: int, dtype: str, x: list[Any]) -> dict[str, Any]:
    """Return a case of an ATK list, about aclnnLogitGrad."""
    rest = {"type": "tensor", "required": True, "dtype": dtype, "shape": [33, 4], "align_32B": None}
    return {
        "id": number,
        "name": "torch.ops.aten.logit_backward",
        "aclnn_name": "aclnnLogitGrad",
        "inputs": [
            {"name": "grad_output", "range_values": [-5, 5], **rest},
            {"name": "x", "range_values": x, **rest},
            {"name": "eps", "type": "attr", "dtype": "float", "range_values": 0.25},
        ],
    }


@pytest.fixture(scope="module")
def calls(bed: Bed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A call list of two of the three cases of an ATK list."""
    folder = tmp_path_factory.mktemp("lists")
    cases = [atk_case(0, "fp32", [0.75]), atk_case(1, "bf16", ["nan"]), atk_case(2, "int8", [0, 1])]
    (folder / "atk.json").write_text(json.dumps(cases), encoding="utf-8")
    path = folder / "calls.yaml"
    done = bed.command(
        "list", "--atk", str(folder / "atk.json"), "-o", str(path), "--rename", "grad_output=dy"
    )
    assert done.returncode == ExitCode.PASSED
    told = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert told["0"].startswith("LogitGrad.listed.atk-0.float32.33x4.")
    assert told["2"].startswith("no case: ")
    assert "dtype" in told["2"]
    return path


def test_a_listed_case_is_judged_and_reproduced(bed: Bed, calls: Path, tmp_path: Path) -> None:
    """A fault is found in it, and each command that a report gives runs that case again."""
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    run = ("run", "--calls", str(calls), "--simulator", "--results")
    assert bed.command(*run, str(right)).returncode == ExitCode.PASSED
    fault = ("--fault", "logit-upper-bound-excluded")
    assert bed.command(*run, str(wrong), *fault).returncode == ExitCode.BROKEN_PROMISE
    document = read_results(wrong)
    (failed,) = [case for case in document.cases if case.verdict.breaks_promise]
    assert (document.tier, document.calls) == ("listed", str(calls))
    again = failed.story.partition("again:  ")[2].replace("\\\n", "")
    _, *arguments = shlex.split(again)
    third = bed.command(*arguments, "--results", str(tmp_path / "third"))
    assert third.returncode == ExitCode.BROKEN_PROMISE
    assert [case.id for case in read_results(tmp_path / "third").cases] == [failed.id]
    rerun = ("run", "--rerun-failed", str(wrong), "--simulator", "--results")
    fourth = bed.command(*rerun, str(tmp_path / "fourth"))
    assert fourth.returncode == ExitCode.PASSED
    assert "had the fault logit-upper-bound-excluded; this one has none" in fourth.stderr
    kept = bed.command(*rerun, str(tmp_path / "fifth"), *fault)
    assert kept.returncode == ExitCode.BROKEN_PROMISE
    assert "had the fault" not in kept.stderr
    explained = bed.command("explain", failed.id, "--calls", str(calls))
    assert explained.returncode == ExitCode.PASSED
    repro = ("repro", failed.id, "--calls", str(calls), "-o", str(tmp_path / "repro"))
    assert bed.command(*repro, *fault, "--shrink").returncode == ExitCode.PASSED
    assert f"--calls {calls}" in (tmp_path / "repro" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", [("list",), ("run", "--simulator")])
def test_an_unknown_case_of_a_list(bed: Bed, calls: Path, command: tuple[str, ...]) -> None:
    """A pattern or an operator that the list does not have is the user's mistake."""
    done = bed.command(*command, "--calls", str(calls), "--case", "LogitGrad.base.*")
    assert done.returncode == ExitCode.WRONG_INPUT
    assert f"--calls {calls}" in done.stderr


def test_a_list_and_a_tier_exclude_each_other(bed: Bed, calls: Path) -> None:
    """A list has no tier."""
    done = bed.command("run", "--calls", str(calls), "--tier", "smoke", "--simulator")
    assert done.returncode == ExitCode.WRONG_INPUT


def test_a_kit_of_a_list(bed: Bed, calls: Path, tmp_path: Path) -> None:
    """A kit holds the list's cases, and no others."""
    done = bed.command("pack", "--calls", str(calls), "-o", str(tmp_path / "kit.tar.gz"))
    assert done.returncode == ExitCode.PASSED
    assert ": 2 cases in " in done.stdout
