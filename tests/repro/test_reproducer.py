# SPDX-License-Identifier: Apache-2.0
"""The folder of a reproducer: its program, its data, and what its README says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.golden.expected import Outcome
from aclnn_cts.golden.inputs import make_inputs
from aclnn_cts.judge.comparison import Sample
from aclnn_cts.judge.standards import Standard
from aclnn_cts.judge.verdicts import CaseVerdict, Common, Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.repro.observed_case import ObservedCase, TrialBench
from aclnn_cts.repro.reproducer import reproducer_files, write_folder
from aclnn_cts.run.folder import Device
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import find_suite

Planned = Callable[..., tuple[Case, ...]]
FILES = {"README.md": b"read", "inner/x.bin": b"\0\1"}


@pytest.fixture
def known(specs: SpecSet, planned: Planned) -> ObservedCase:
    """A case of aclnnLogitGrad that failed as it was planned, on the simulated device."""
    cases = planned("atlas-a2", "smoke", "aclnnLogitGrad")
    case = next(case for case in cases if case.scene == "base")
    return observed(specs, case)


def observed(specs: SpecSet, case: Case) -> ObservedCase:
    """Return a case that failed as it was planned, on the simulated device."""
    device = Device("simulator", "atlas-a2", "Ascend910B3", "8.0")
    verdict = CaseVerdict(case.id, case.operator, Verdict.FAIL)
    bench = TrialBench(find_suite(), specs, "atlas-a2", "smoke", "strict")
    return ObservedCase(case, case, verdict, device, bench)


def files_of(known: ObservedCase) -> dict[str, str]:
    """Return the text files of a reproducer."""
    made = reproducer_files(known)
    return {name: text.decode() for name, text in made.items() if not name.endswith(".npy")}


def readme(known: ObservedCase) -> str:
    """Return the README of a reproducer, each paragraph in one line."""
    return files_of(known)["README.md"]


def test_the_program_calls_both_phases_in_order(known: ObservedCase) -> None:
    """It reads top to bottom, as a vendor's sample does."""
    source = files_of(known)["reproducer.cpp"]
    main = source[source.index("int Reproduce(") :]
    steps = ["Runtime", "Arguments", "aclnnLogitGradGetWorkspaceSize(", "aclnnLogitGrad(work"]
    steps += ["aclrtSynchronizeStream", "report.Check("]
    places = [main.index(step) for step in steps]
    assert places == sorted(places)


def test_a_refused_call_is_not_launched(specs: SpecSet, planned: Planned) -> None:
    """A call that must not reach the device has no phase two, and no expected results."""
    case = next(c for c in planned("atlas-a2", "smoke") if c.statuses and not c.is_launched)
    files = files_of(observed(specs, case))
    assert f"{case.operator}(workspace" not in files["reproducer.cpp"]
    assert f"{{{case.statuses[0]}" in files["reproducer.cpp"]
    assert "expected.txt" not in files


def test_values_that_no_case_tests(specs: SpecSet, planned: Planned) -> None:
    """The README of a contract operator claims no comparison of values."""
    case = next(c for c in planned("atlas-a2", "smoke", "aclnnGeGlu") if c.expects_success)
    text = " ".join(readme(observed(specs, case)).split())
    assert "values are not compared" in text
    assert "within its tolerance" not in text


def test_the_data_read_back_exactly(specs: SpecSet, known: ObservedCase) -> None:
    """Elements of inputs and expectations are what the case has, bit for bit."""
    case = known.case
    inputs = make_inputs(specs, case)
    expected = expect_case(specs, case, inputs)["out"].whole()
    files = files_of(known)
    name, *lines = files["expected.txt"].splitlines()
    assert name == f"out {expected.value.size}"
    rows = [line.split() for line in lines]
    number = (expected.allowed.reshape(-1) & np.uint8(Outcome.VALUE)) != 0
    values = np.array([float(row[0]) for row in rows])
    tolerances = np.array([float(row[1]) for row in rows])
    assert np.array_equal(values[number], expected.value.reshape(-1)[number])
    assert np.array_equal(tolerances[number], expected.tolerance.reshape(-1)[number])
    assert ["number" in row[2] or row[2] == "any" for row in rows] == number.tolist()


def test_a_title_cannot_continue_its_comment(known: ObservedCase) -> None:
    """A backslash at the end of a comment would take the next line into it."""
    case = replace(known.case, scene="scene\\")
    source = files_of(replace(known, case=case))["reproducer.cpp"]
    assert not any(line.endswith("\\") for line in source.splitlines())


def test_a_failure_behind_other_cases(known: ObservedCase) -> None:
    """The README says that the program may pass, and which calls came before."""
    text = readme(replace(known, after=("LogitGrad.a", "LogitGrad.b")))
    assert "may pass" in " ".join(text.split())
    assert "LogitGrad.a, LogitGrad.b" in text
    assert "may pass" not in " ".join(readme(known).split())


def test_a_type_in_which_alone_values_are_wrong(known: ObservedCase) -> None:
    """The README is about what was computed wrong; a type that was accepted is not a bug report."""
    common = Common("bfloat16", ("x-dtype", "dy-dtype"))
    blamed = ("formula", "x-dtype", "dy-dtype")
    text = readme(replace(known, blamed=blamed, only_in=(common,)))
    assert text.startswith("# aclnnLogitGrad breaks a promise: dx is")
    assert [line[4:].split("*")[0] for line in text.splitlines() if line[:4] == "- **"] == [
        "formula"
    ]
    assert "bfloat16 (x-dtype, dy-dtype)" in text


def test_a_wrong_element_beside_its_formula(known: ObservedCase) -> None:
    """The formula and its intermediate results stand beside inputs, expected and actual value."""
    sample = Sample("out", (0, 0), (("x", 0.25), ("dy", 3.0)), "16", 15.0, -1.0, 0.1)
    text = readme(replace(known, verdict=replace(known.verdict, samples=(sample,))))
    assert "\ncomplement = 1 - x\n" in text
    assert "| x 0.25, dy 3, complement 0.75 | 16 | 15 |" in text


@pytest.mark.parametrize("standard", ["strict", "ecosystem"])
@pytest.mark.parametrize("kind", ["simulator", "hardware"])
def test_the_command(known: ObservedCase, standard: Standard, kind: str) -> None:
    """It names the standard and the simulated device where it must, and no reader's toolkit."""
    device = replace(known.device, kind=kind)
    bench = replace(known.bench, standard=standard, cann=Path("/opt/cann"))
    known = replace(known, bench=bench, device=device)
    command = readme(known).split("```sh")[-1]
    assert ("--standard ecosystem" in command) == (standard != "strict")
    assert ("--simulator" in command) == (kind == "simulator")
    assert "--cann" not in command


def test_a_message_cannot_end_its_block(known: ObservedCase) -> None:
    """Fences within a device's message are shorter than those around it."""
    text = readme(replace(known, message="failed\n```\n# Heading\n````\n| a | <b>"))
    lines = text.splitlines()
    start = lines.index("`````text")
    assert lines.count("`````") == 1
    block = " ".join(lines[start + 1 : lines.index("`````")])
    assert block == "failed ``` # Heading ```` | a | <b>"
    assert "## Expected and actual" not in readme(known)


def test_names_of_a_device_are_escaped(known: ObservedCase) -> None:
    """A name with Markdown in it is shown as it is, in paragraphs and in tables."""
    device = replace(known.device, soc="A|B <img> *x* [l](u) _y_\n# C")
    sample = Sample("out", (0,), (("x|y", 1.0),), "1", 2.0, 1.0, 0.1)
    verdict = replace(known.verdict, samples=(sample,))
    text = readme(replace(known, device=device, verdict=verdict))
    assert r"| SoC | A\|B \<img\> \*x\* \[l\](u) \_y\_ \# C |" in text
    assert r"on A\|B \<img\> \*x\*" in text
    assert r"x\|y 1" in text


def test_a_new_folder_is_written_whole(tmp_path: Path) -> None:
    """All files are there, and nothing else beside them."""
    folder = tmp_path / "deep" / "new"
    write_folder(folder, FILES)
    found = {str(p.relative_to(folder)): p for p in folder.rglob("*") if p.is_file()}
    assert {name: path.read_bytes() for name, path in found.items()} == FILES
    assert [path.name for path in folder.parent.iterdir()] == ["new"]


def test_an_empty_folder_may_be_there(tmp_path: Path) -> None:
    """An empty folder is as good as none."""
    (tmp_path / "new").mkdir()
    write_folder(tmp_path / "new", FILES)
    assert (tmp_path / "new" / "README.md").is_file()


@pytest.mark.parametrize("name", ["full", "file", "file/new"])
def test_nothing_is_overwritten(tmp_path: Path, name: str) -> None:
    """A folder that holds something, or a file of that name, stays as it is."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(WrongInputError):
        write_folder(tmp_path / name, FILES)
    assert (tmp_path / "full" / "mine").read_text() == "mine"
    assert (tmp_path / "file").read_text() == "mine"
