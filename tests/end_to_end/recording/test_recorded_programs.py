# SPDX-License-Identifier: Apache-2.0
"""Programs that call operators are recorded, in threads and processes, killed or not."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from typer.testing import CliRunner, Result

from aclnn_cts.cli import app
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.plan.cases import Case
from aclnn_cts.report.view import run_of
from aclnn_cts.results.document import read_results
from aclnn_cts.run.build import find_compiler
from aclnn_cts.run.recording import (
    FOLDER,
    RecordedCall,
    Recording,
    list_calls,
    read_recording,
    recorder_environment,
    run_command,
)
from aclnn_cts.run.toolkit import Toolkit, find_exports
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import find_suite

pytestmark = pytest.mark.end_to_end

HERE = Path(__file__).parent
TENSOR = {"dtype": 0, "format": 2, "offset": 0, "shape": [2, 3], "strides": [3, 1], "storage": [6]}


@pytest.fixture
def client(simulated_device: Toolkit) -> list[str]:
    """The command of the program that loads operators as frameworks do, in three threads."""
    return [sys.executable, str(HERE / "client.py"), str(simulated_device.libraries), "3", "200"]


@pytest.fixture(scope="module")
def linked_client(simulated_device: Toolkit, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program that is linked with the toolkit."""
    path = tmp_path_factory.mktemp("client") / "client"
    places = ("-I", str(simulated_device.include), "-L", str(simulated_device.libraries))
    libraries = ("-lopapi", "-lnnopbase", "-lascendcl", "-lpthread")
    command = (find_compiler().path, "-std=c++17", str(HERE / "client.cpp"), *places, *libraries)
    subprocess.run([*command, "-o", str(path)], check=True)
    return str(path)


def record(output: Path, *command: str) -> Result:
    return CliRunner().invoke(app, ["record", "--simulator", "-o", str(output), "--", *command])


def counts(output: Path) -> dict[tuple[str, tuple[int, ...]], int]:
    """The number of each call in a list, by operator and shape of the first tensor."""
    calls = yaml.safe_load(output.read_text(encoding="utf-8"))["calls"]
    shapes = (tuple(next(iter(call["tensors"].values()))["shape"]) for call in calls)
    return {(c["operator"], s): c.get("count", 1) for c, s in zip(calls, shapes, strict=True)}


EXPECTED = {
    ("aclnnSilu", (3, 4)): 300,
    ("aclnnCelu", (3, 4)): 288,
    ("aclnnCelu", (7,)): 6,
    ("aclnnCelu", (2, 3)): 6,
}


@pytest.mark.parametrize("end", [[], ["kill"]])
def test_a_framework_is_recorded(tmp_path: Path, client: list[str], end: list[str]) -> None:
    """Each call counts, also of a process that is killed; the command's status is passed on."""
    output = tmp_path / "calls.yaml"
    ended = record(output, *client, *end)
    assert ended.exit_code == bool(end)
    assert counts(output) == EXPECTED
    assert "3 not listed: the operator returned 161001" in ended.stdout
    calls = [c for c in yaml.safe_load(output.read_text())["calls"] if "Celu" in c["operator"]]
    assert [call["attributes"] for call in calls] == [{"alpha": 0.25}] * 3
    assert {call["dtypes"]["alpha"] for call in calls} == {"float32"}
    views = [call["tensors"]["self"].get("view") for call in calls]
    assert [view for view in views if view] == [{"strides": [1, 2], "storage": [2, 3]}]


def test_the_list_is_one_of_cases(tmp_path: Path, client: list[str]) -> None:
    """`list`, and so `run`, take it."""
    output = tmp_path / "calls.yaml"
    record(output, *client)
    listed = CliRunner().invoke(app, ["list", "--calls", str(output)])
    assert listed.exit_code == 0
    assert len(listed.stdout.splitlines()) == len(EXPECTED)


def test_a_run_says_how_much_of_the_program_it_tests(tmp_path: Path, client: list[str]) -> None:
    """By operator and by number of calls, with the reasons for the others."""
    output, results = tmp_path / "calls.yaml", tmp_path / "results"
    record(output, *client)
    run = ["run", "--simulator", "--calls", str(output), "--results", str(results)]
    ended = CliRunner().invoke(app, run)
    assert ended.exit_code == 0, ended.output
    document = json.loads((results / "results.json").read_text())
    assert document["unlisted"] == {"aclnnSilu": {"the operator returned 161001": 3}}
    counts = [(case.operator, case.count) for case in read_results(results).cases]
    assert sorted(counts) == [("aclnnCelu", n) for n in (6, 6, 288)] + [("aclnnSilu", 300)]
    silu, celu = run_of(read_results(results)).recorded
    assert (silu.operator, silu.total, silu.outcomes) == ("aclnnSilu", 303, {"pass": 300})
    assert (celu.operator, celu.total, celu.unlisted) == ("aclnnCelu", 300, {})
    row = "| aclnnSilu | 303 | 99 % | 99 % | the operator returned 161001: 3 |"
    assert row in (results / "summary.md").read_text()
    assert 'id="recorded"' in (results / "report.html").read_text()


def test_linked_programs_and_their_children_are_recorded(
    tmp_path: Path, linked_client: str
) -> None:
    """By preloading, in each process that the command starts."""
    output = tmp_path / "calls.yaml"
    ended = record(output, "sh", "-c", f"{linked_client} 2 500 & {linked_client} 1 300; wait")
    assert ended.exit_code == 0, ended.output
    assert counts(output) == {("aclnnSilu", (8, 128, 4096)): 1300}


def test_distinct_calls_beyond_a_limit_are_only_counted(tmp_path: Path, client: list[str]) -> None:
    output = tmp_path / "calls.yaml"
    options = ["record", "--simulator", "--most", "1", "-o", str(output), "--", *client]
    ended = CliRunner().invoke(app, options)
    assert len(counts(output)) == 2
    total = sum(EXPECTED.values()) + 3 - sum(counts(output).values())
    assert f"{total} calls not recorded, beyond --most" in ended.stdout


def test_a_recording_that_cannot_be_written_changes_nothing(
    tmp_path: Path, specs: SpecSet, linked_client: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """The program works as without a recorder, and is told why there is none."""
    product = specs.product("atlas-a2")
    variables = recorder_environment(find_suite(), specs, product, None, tmp_path, 10)
    variables[FOLDER] = str(tmp_path / "missing")
    assert run_command([linked_client, "2", "50"], variables) == 0
    assert "cannot be written; calls are not recorded" in capfd.readouterr().err
    assert read_recording(tmp_path) == Recording((), 0, 0)


def test_operators_that_the_toolkit_lacks_do_not_seem_to_exist(
    tmp_path: Path, specs: SpecSet, simulated_device: Toolkit
) -> None:
    """A framework asks for a function, and does without it if there is none."""
    include = tmp_path / "toolkit" / "include"
    shutil.copytree(simulated_device.include, include)
    (include / "aclnnop" / "aclnn_celu.h").unlink()
    (tmp_path / "toolkit" / "lib64").symlink_to(simulated_device.libraries)
    toolkit = Toolkit(tmp_path / "toolkit", "hardware")
    product = specs.product("atlas-a2")
    variables = recorder_environment(find_suite(), specs, product, toolkit, tmp_path, 10)
    library = Path(variables["LD_PRELOAD"].split(":")[0])
    names = ("aclnnSilu", "aclnnSiluGetWorkspaceSize", "aclnnCelu", "aclnnCeluGetWorkspaceSize")
    assert find_exports(library, names) == {*names[:2]}


@pytest.mark.parametrize(
    ("command", "status"), [(["/nowhere/program"], 2), (["true"], 3), (["false"], 3)]
)
def test_nothing_to_record(tmp_path: Path, command: list[str], status: int) -> None:
    output = tmp_path / "calls.yaml"
    assert record(output, *command).exit_code == status
    assert not output.exists()


def test_an_output_without_a_folder_is_refused_at_once(tmp_path: Path) -> None:
    assert record(tmp_path / "missing" / "calls.yaml", "true").exit_code == 2


@pytest.mark.parametrize(
    "tear", ['{"counter": 2, "opera', '{"counter": 70000, "operator": "x"}\n', "null\n"]
)
def test_damaged_recordings(tmp_path: Path, tear: str) -> None:
    """An incomplete last line is of a process that was killed; anything else is damage."""
    line = {"counter": 2, "operator": "aclnnSilu", "arguments": {"self": None}, "status": 0}
    (tmp_path / "1.calls").write_text(json.dumps(line) + "\n" + tear)
    np.arange(1, 65537, dtype=np.uint64).tofile(tmp_path / "1.counts")
    if not tear.endswith("\n"):
        found = read_recording(tmp_path)
        assert found == Recording((RecordedCall("aclnnSilu", {"self": None}, 0, 3),), 1, 2)
        return
    with pytest.raises(NotTrustworthyError, match=r"1\.calls"):
        read_recording(tmp_path)


def listed(specs: SpecSet, operator: str, **arguments: Any) -> tuple[Any, dict[str, int]]:
    """The entry of a call, and the reasons why there is none."""
    calls = (RecordedCall(operator, arguments, 0, 5),)
    (found,) = list_calls(Recording(calls, 0, 0), specs, specs.product("atlas-a2"))
    return (found.listed[0] if found.listed else None), dict(found.left_out)


@pytest.mark.parametrize(
    ("dtype", "numbers", "value"),
    [
        (0, np.float32(0.5), 0.5),
        (11, np.float64(0.1), 0.1),
        (1, np.float16(-2), -2.0),
        (9, np.int64(-3), -3),
    ],
)
def test_scalars_have_values_and_types(
    specs: SpecSet, dtype: int, numbers: Any, value: float
) -> None:
    scalar = {"value": {"dtype": dtype, "bytes": list(numbers.tobytes())}}
    call, reasons = listed(specs, "aclnnCelu", self=TENSOR, alpha=scalar, out=TENSOR)
    assert reasons == {}
    assert call.attributes["alpha"] == value
    assert call.count == 5


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"alpha": {"value": None}}, "alpha was made by another library"),
        ({"self": {**TENSOR, "dtype": 99}}, "self: data type 99 is not tested"),
        ({"self": {**TENSOR, "format": 99}}, "self: format 99 is not tested"),
        ({"self": None}, "self is missing"),
        ({"self": {**TENSOR, "dtype": 3}}, "it breaks"),
        ({"self": {**TENSOR, "offset": 1}}, "self does not lie within the storage of its view"),
    ],
)
def test_what_cannot_be_listed_has_a_reason(
    specs: SpecSet, change: dict[str, Any], reason: str
) -> None:
    scalar = {"value": {"dtype": 0, "bytes": [0, 0, 128, 63]}}
    arguments = {"self": TENSOR, "alpha": scalar, "out": TENSOR, **change}
    call, reasons = listed(specs, "aclnnCelu", **arguments)
    assert call is None
    assert [*reasons.values()] == [5]
    assert reason in next(iter(reasons))


def test_lists_are_those_of_the_call(specs: SpecSet) -> None:
    """All tensors of a list are listed, unless another library made it."""
    other = {**TENSOR, "shape": [2, 2], "strides": [1, 2], "storage": [4]}
    lists = {"value": [TENSOR, other]}
    call, reasons = listed(specs, "aclnnForeachAbs", x=lists, out=lists)
    assert reasons == {}
    assert [tensor.shape for tensor in call.tensors["x"]] == [(2, 3), (2, 2)]
    assert call.tensors["x"][1].view.strides == (1, 2)
    for value, reason in ((None, "x was made by another library"), ([None], "x is an empty list")):
        call, reasons = listed(specs, "aclnnForeachAbs", x={"value": value}, out=lists)
        assert call is None
        assert reason in next(iter(reasons))


@pytest.mark.parametrize(
    ("scalars", "reason"),
    [
        ([(0, 0.5), (0, -2.0)], ""),
        ([(0, 0.5), (11, 0.5)], "scalars has scalars of different data types"),
        ([(0, 0.5)], "lists have 1 and 2 members"),
        ([None, None], "scalars has a scalar that was made by another library"),
    ],
)
def test_lists_of_scalars(
    specs: SpecSet, scalars: list[tuple[int, float] | None], reason: str
) -> None:
    types = {0: "float32", 11: "float64"}
    noted = [
        each and {"dtype": each[0], "bytes": list(np.array(each[1], types[each[0]]).tobytes())}
        for each in scalars
    ]
    lists = {"value": [TENSOR, TENSOR]}
    arguments = {"x": lists, "scalars": {"value": noted}, "out": lists}
    call, reasons = listed(specs, "aclnnForeachDivScalarList", **arguments)
    assert bool(reason) == (call is None)
    assert reason in next(iter(reasons), "")
    if call is not None:
        assert call.attributes == {"scalars": [0.5, -2.0]}


@pytest.mark.parametrize(("shape", "owner"), [([2, 3], "self"), ([1, 3], None)])
def test_inputs_that_are_one_tensor(specs: SpecSet, shape: list[int], owner: str | None) -> None:
    """They are listed so where a case can pass them so, or else apart."""
    other = {**TENSOR, "shape": shape, "memory_of": "self"}
    recording = Recording(
        (RecordedCall("aclnnMul", {"self": TENSOR, "other": other, "out": TENSOR}, 0, 5),), 0, 0
    )
    (found,) = list_calls(recording, specs, specs.product("atlas-a2"))
    (call,) = found.listed
    assert call.members["other"][0].memory_of == owner
    assert found.apart == (0 if owner else 5)


@pytest.mark.parametrize(("strides", "storage"), [([1, 2], [6]), ([3, 0], [6])])
def test_outputs_are_views(specs: SpecSet, strides: list[int], storage: list[int]) -> None:
    """They are listed so, unless a view repeats elements."""
    out = {**TENSOR, "strides": strides, "storage": storage}
    recording = Recording((RecordedCall("aclnnSilu", {"self": TENSOR, "out": out}, 0, 5),), 0, 0)
    (found,) = list_calls(recording, specs, specs.product("atlas-a2"))
    (call,) = found.listed
    is_listed = 0 not in strides
    assert [view.strides for view in call.outputs.values()] == [tuple(strides)] * is_listed
    assert found.views == (0 if is_listed else 5)


def test_outputs_in_the_memory_of_inputs_are_listed_apart(specs: SpecSet) -> None:
    arguments = {"self": TENSOR, "out": {**TENSOR, "memory_of": "self"}}
    recording = Recording((RecordedCall("aclnnSilu", arguments, 0, 5),), 0, 0)
    (found,) = list_calls(recording, specs, specs.product("atlas-a2"))
    assert (len(found.listed), found.apart) == (1, 5)


def recorded_tier(tmp_path: Path, operator: str, product: str) -> list[dict[str, Any]]:
    """The calls of the suite's own programs for an operator."""
    output = tmp_path / "calls.yaml"
    command = ("-c", "from aclnn_cts.entry import main; main()", "run", "--simulator")
    options = ("--operator", operator, "--product", product, "--results", str(tmp_path / "results"))
    arguments = ["record", "--simulator", "--product", product, "-o", str(output), "--"]
    ended = CliRunner().invoke(app, [*arguments, sys.executable, *command, *options])
    assert ended.exit_code == 0, ended.output
    calls = yaml.safe_load(output.read_text())["calls"]
    return [call for call in calls if call["operator"] == operator]


def test_a_tier_that_is_recorded_gives_its_calls(
    tmp_path: Path, planned: Callable[..., tuple[Case, ...]]
) -> None:
    """Each call that works is listed, beside those of soaks."""
    tensors = [c["tensors"]["self"] for c in recorded_tier(tmp_path, "aclnnMish", "atlas-a2")]
    cases = [case for case in planned("atlas-a2", "smoke", "aclnnMish") if case.expects_success]
    calls = {(case.tensor("self").dtype, case.tensor("self").shape) for case in cases}
    assert {(tensor["dtype"], tuple(tensor["shape"])) for tensor in tensors} >= calls


def test_a_tier_with_lists_and_shared_memory_gives_its_calls(
    tmp_path: Path, planned: Callable[..., tuple[Case, ...]]
) -> None:
    """All members of each list, and tensors that are passed twice."""
    operator, product = "aclnnForeachMulListInplace", "ascend-950"
    calls = recorded_tier(tmp_path, operator, product)
    cases = [case for case in planned(product, "smoke", operator) if case.expects_success]
    found = {tuple(tuple(tensor["shape"]) for tensor in call["tensors"]["x1"]) for call in calls}
    assert found >= {tuple(tensor.shape for tensor in case.members("x1")) for case in cases}


def test_a_tier_with_lists_of_scalars_gives_its_calls(
    tmp_path: Path, planned: Callable[..., tuple[Case, ...]]
) -> None:
    operator = "aclnnForeachDivScalarList"
    calls = recorded_tier(tmp_path, operator, "atlas-a2")
    cases = [case for case in planned("atlas-a2", "smoke", operator) if case.expects_success]
    found = {tuple(call["attributes"]["scalars"]) for call in calls}
    assert found >= {case.attributes["scalars"] for case in cases}
    assert {len(scalars) for scalars in found} >= {1, 2, 5}
