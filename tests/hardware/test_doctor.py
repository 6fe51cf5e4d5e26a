# SPDX-License-Identifier: Apache-2.0
"""The doctor tells what a run needs and what is missing, from real trees, programs and answers."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.hardware.conftest import BRANCH, Forge, made_foreign, without_driver
from typer.testing import CliRunner

from aclnn_cts import cli
from aclnn_cts.errors import ExitCode
from aclnn_cts.run import doctor as host_checks
from aclnn_cts.run.devices import Answer
from aclnn_cts.run.doctor import (
    Finding,
    Host,
    Level,
    check_compiler,
    check_product,
    check_room,
    check_tool,
    check_variables,
    examine,
)
from aclnn_cts.run.toolkit import beside_others, real_toolkit
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite, find_suite


@pytest.fixture
def installation(tmp_path: Path) -> Path:
    """Where driver and firmware say what they are."""
    for name, version in (("driver", "24.1.rc2"), ("firmware", "7.3.0.1.231")):
        (tmp_path / "installed" / name).mkdir(parents=True)
        (tmp_path / "installed" / name / "version.info").write_text(f"Version={version}\n")
    return tmp_path / "installed"


class Doctor:
    """Looks at a tree, as on a host that has nothing else."""

    def __init__(self, suite: Suite, specs: SpecSet, installation: Path, folder: Path) -> None:
        self.host = Host(suite, specs, {}, "", folder, installation)

    def look(self, cann: Path, variables: Mapping[str, str] | None = None) -> list[Finding]:
        """Look at a toolkit, with a few variables set and no others."""
        return list(
            examine(dataclasses.replace(self.host, cann=str(cann), environment=variables or {}))
        )


@pytest.fixture
def doctor(suite: Suite, specs: SpecSet, installation: Path, tmp_path: Path) -> Doctor:
    return Doctor(suite, specs, installation, tmp_path)


def about(findings: list[Finding], topic: str) -> Finding:
    return next(finding for finding in findings if finding.topic == topic)


def lacking(findings: list[Finding]) -> dict[str, str]:
    return {each.topic: each.advice for each in findings if each.level is Level.MISSING}


@pytest.mark.end_to_end
def test_a_whole_toolkit(doctor: Doctor, older: Path) -> None:
    """Everything is there: each finding is ok and says what was found."""
    root = older
    findings = doctor.look(root, {"ASCEND_OPP_PATH": str(root / "opp")})
    assert {each.topic: each.what for each in findings if each.level is not Level.OK} == {}
    told = {each.topic: each.what for each in findings}
    assert told["toolkit"].startswith(f"{root} (from --cann), release 7.0.0, ")
    assert told["driver"] == "24.1.rc2"
    assert told["firmware"] == "7.3.0.1.231"
    assert told["aclnnSiluBackward"] == "header there, both phases in libopapi.so"
    assert str(root / "lib64" / "libascendcl.so") in told["loading"]
    assert told["devices"] == "8 visible, 8 can be used, 17.2 GB of memory free"
    tested = load_specs(find_suite()).tested_operators
    promised = sum(spec.supports("atlas-a2") for spec in tested)
    said = f"promised operators: {promised} of {len(tested)}"
    assert told["product"] == f"Ascend910B3 is atlas-a2; {said}"


@pytest.mark.end_to_end
def test_a_product_without_promises(specs: SpecSet) -> None:
    """Where no document promises an operator, that is a warning with an advice."""
    few = dataclasses.replace(specs, operators={"aclnnLogitGrad": specs.operator("aclnnLogitGrad")})
    found = check_product(Answer(1, "Ascend310B4", "", ()), few)
    assert (found.level, bool(found.advice)) == (Level.WARN, True)
    assert "promised operators: 0 of 1" in found.what


def test_a_host_that_wants_attention(
    doctor: Doctor, forge: Forge, tmp_path: Path, held: frozenset[str], specs: SpecSet
) -> None:
    """What a run can do without is a warning with an advice, and keeps no run from starting."""
    root = forge.branch_only(tmp_path / "toolkit")
    (root / BRANCH / "ascend_toolkit_install.info").unlink()
    (tmp_path / "installed" / "firmware" / "version.info").write_bytes(b"\xff\x00")
    variables = {
        "ASCEND_OPP_PATH": "/elsewhere/opp",
        "ACLNN_SIM_BUSY": "5",
        "ACLNN_SIM_SOC": "Ascend310B4",
        "ASCEND_RT_VISIBLE_DEVICES": "4,5",
    }
    findings = doctor.look(root, variables)
    assert lacking(findings) == {}
    warned = {each.topic: each for each in findings if each.level is Level.WARN}
    operators = load_specs(find_suite()).operators
    lacking_here = operators.keys() - held
    others = {"toolkit", "set_env.sh", "firmware", "devices"}
    assert warned.keys() == lacking_here | others
    assert {topic for topic, each in warned.items() if not each.advice} == set()
    assert "release unknown" in warned["toolkit"].what
    assert warned["set_env.sh"].what == "is another toolkit's: ASCEND_OPP_PATH is /elsewhere/opp"
    assert warned["aclnnSiluBackward"].what == (
        "lacks aclnnSiluBackwardGetWorkspaceSize, aclnnSiluBackward"
    )
    choose = "choose others with --operator"
    for name in lacking_here:
        beside = f"remove {name} from side_calls" if name in beside_others(specs) else "or a"
        assert warned[name].advice.startswith((f"{choose} and {beside}", f"{choose}, {beside}"))
    assert "below" in warned["firmware"].what
    assert "device 1 cannot be used: aclrtSetDevice returned 507033" in warned["devices"].what
    tested = load_specs(find_suite()).tested_operators
    promised = sum(spec.supports("atlas-200i-500-a2") for spec in tested)
    said = f"promised operators: {promised} of {len(tested)}"
    assert said in about(findings, "product").what
    assert about(findings, "aclnnLogitGrad").level is Level.OK
    assert about(findings, "devices").what == (
        "2 visible, 1 can be used, 17.2 GB of memory free; ASCEND_RT_VISIBLE_DEVICES is '4,5'"
    )


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("variables", "topic", "advice"),
    [
        ({"ACLNN_SIM_DEVICES": "0"}, "devices", "npu-smi info"),
        ({"ACLNN_SIM_DEVICES": "2", "ACLNN_SIM_BUSY": "0,1"}, "devices", "another process"),
        ({"ACLNN_SIM_SOC": "Ascend310"}, "runtime", "npu-smi info"),
    ],
)
def test_devices_that_cannot_be_used(
    doctor: Doctor,
    older: Path,
    variables: dict[str, str],
    topic: str,
    advice: str,
) -> None:
    """No device, all held by others, a runtime that does not start: missing, with an advice."""
    found = lacking(doctor.look(older, variables))
    assert found.keys() == {topic}
    assert advice in found[topic]


@pytest.mark.end_to_end
def test_a_driver_that_is_not_found(doctor: Doctor, forge: Forge, tmp_path: Path) -> None:
    """The library that the runtime lacks is named, and nothing is run without it."""
    root = without_driver(forge.plain(tmp_path / "toolkit"))
    findings = doctor.look(root)
    assert lacking(findings).keys() == {"loading"}
    assert about(findings, "loading").what == "the runtime needs libascend_hal.so, not found"
    assert findings[-1].topic == "loading"


@pytest.mark.end_to_end
def test_toolkits_that_are_none(doctor: Doctor, forge: Forge, tmp_path: Path) -> None:
    """A file that is missing, another architecture, no operators at all."""
    found = lacking(doctor.look(tmp_path))
    assert "ASCEND_HOME_PATH" in found["toolkit"]
    root = forge.plain(tmp_path / "toolkit")
    bare = shutil.copytree(root, tmp_path / "bare")
    (bare / "lib64" / "libopapi.so").unlink()
    assert {"libraries", "aclnnLogitGrad"} <= lacking(doctor.look(bare)).keys()
    made_foreign(root / "lib64" / "libascendcl.so")
    assert "run on a host of that architecture" in lacking(doctor.look(root))["toolkit"]


def test_a_device_of_no_product(specs: SpecSet) -> None:
    """A SoC name that products.yaml does not know, or none."""
    for soc in ("Ascend610", ""):
        finding = check_product(Answer(1, soc, "", ()), specs)
        assert finding.level is Level.MISSING
        assert "specs/products.yaml" in finding.advice


def test_whose_set_env_was_read(forge: Forge, tmp_path: Path) -> None:
    """The toolkit's own, also through a folder of links; the script to read is named."""
    root = forge.plain(tmp_path / "8.0")
    (root / "opp").mkdir()
    links = tmp_path / "latest"
    links.mkdir()
    for name in ("include", "lib64", "opp"):
        (links / name).symlink_to(root / name)
    toolkit = real_toolkit(links)
    for kernels in (links / "opp", root / "opp"):
        assert check_variables(toolkit, {"ASCEND_OPP_PATH": str(kernels)}).level is Level.OK
    assert check_variables(toolkit, {}).advice == "read the toolkit's set_env.sh"
    (tmp_path / "set_env.sh").touch()
    finding = check_variables(toolkit, {"ASCEND_OPP_PATH": str(tmp_path / "7.0" / "opp")})
    assert (finding.level, finding.advice) == (Level.WARN, f"read . {tmp_path}/set_env.sh")


def test_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not there is missing, with the way to get it."""
    assert check_tool("ninja").level is Level.OK
    assert check_compiler().level is Level.OK
    assert "pip install none-such" in check_tool("none-such").advice
    assert check_tool("ninja", ("--no-such-option",)).level is Level.MISSING
    monkeypatch.setenv("CXX", str(tmp_path / "none"))
    finding = check_compiler()
    assert finding.level is Level.MISSING
    assert "apt-get install g++" in finding.advice


def test_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that may not exist yet; one that cannot; too little room, and little."""
    assert check_room("cache", tmp_path / "new" / "cache").level is Level.OK
    (tmp_path / "file").touch()
    assert check_room("cache", tmp_path / "file" / "cache").level is Level.MISSING
    monkeypatch.setattr(host_checks, "ENOUGH_FREE", 10**18)
    assert check_room("cache", tmp_path).level is Level.WARN
    monkeypatch.setattr(host_checks, "LEAST_FREE", 10**18)
    finding = check_room("cache", tmp_path)
    assert finding.level is Level.MISSING
    assert "free some space" in finding.advice


def run_doctor(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli.app, ["doctor", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ready: 0. Something missing: 3. As JSON the same, for programs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASCEND_HOME_PATH", str(tmp_path))
    status, text = run_doctor()
    assert status == ExitCode.NOT_TRUSTWORTHY
    assert "missing toolkit: ASCEND_HOME_PATH leads to no toolkit" in text
    assert text.endswith("1 missing\n")
    status, text = run_doctor("--json")
    assert status == ExitCode.NOT_TRUSTWORTHY
    document: dict[str, Any] = json.loads(text)
    assert document["format"] == "aclnn-cts/doctor/1"
    assert document["ready"] is False
    assert {"topic", "level", "what", "advice"} == document["findings"][0].keys()
    assert {each["level"] for each in document["findings"]} <= {"ok", "warn", "missing"}
