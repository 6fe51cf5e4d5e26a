# SPDX-License-Identifier: Apache-2.0
"""A run against toolkits of each layout, on the path that a real one takes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.hardware.conftest import BRANCH, Forge, without_driver
from tests.own_operator import OPERATOR as OWN
from tests.own_operator import write_operator
from tests.processes import ended
from typer.testing import CliRunner

from aclnn_cts import cli
from aclnn_cts.errors import ExitCode
from aclnn_cts.results.document import read_results
from aclnn_cts.run.build import find_compiler, simulator_files
from aclnn_cts.run.operator_folders import with_folders
from aclnn_cts.suite import find_suite

pytestmark = pytest.mark.end_to_end

Command = Callable[..., subprocess.CompletedProcess[str]]
OPERATOR = "aclnnLogitGrad"
SOME = "LogitGrad.[bc]*"
"""Cases enough to need all libraries that a run may take."""
CASE = "LogitGrad.base.float32.4x9.eps_-1.a6ef63b6b7"


@pytest.fixture
def command(tmp_path: Path, quick_compiler: Path) -> Command:
    """Return what runs the command line in an empty folder, as on a host without any toolkit."""

    def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        if "--cann" in arguments or "ASCEND_HOME_PATH" in variables:
            variables["CXX"] = str(quick_compiler)
        unset = {name: None for name in os.environ if name.startswith(("ASCEND", "ACLNN_SIM"))}
        with pytest.MonkeyPatch.context() as patched:
            patched.chdir(tmp_path)
            done = CliRunner().invoke(cli.app, arguments, env={**unset, **variables})
        assert done.exception is None or isinstance(done.exception, SystemExit)
        return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="module")
def mixed(forge: Forge, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A toolkit of a newer release, with an empty library of the older name."""
    return forge.mixed(tmp_path_factory.mktemp("mixed") / "toolkit")


def environment_of(results: Path) -> dict[str, Any]:
    document = json.loads((results / "results.json").read_text())
    assert document["device"]["kind"] == "hardware"
    environment: dict[str, Any] = document["environment"]
    return environment


def check_libraries(environment: dict[str, Any], folder: Path, names: set[str]) -> None:
    """Check that libraries were taken from a folder, and are recorded with their digests."""
    taken = {each["name"]: each for each in environment["libraries"]}
    assert names <= taken.keys()
    for name in names:
        file = (folder / name).resolve()
        assert taken[name]["path"] == str(file)
        assert taken[name]["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()


def test_an_older_release(command: Command, older: Path, tmp_path: Path) -> None:
    """Named with --cann: the SoC chooses the product, and the results say what they are of."""
    root = older
    done = command(*("run", "--cann", str(root), "--case", SOME), ACLNN_SIM_SOC="Ascend910_9391")
    assert done.returncode == ExitCode.PASSED, done.stdout + done.stderr
    assert "the device is Ascend910_9391: testing the promises for atlas-a3" in done.stderr
    assert "8 devices are visible; using device 0" in done.stderr
    environment = environment_of(tmp_path / "results" / "case")
    assert environment["toolkit"] == str(root)
    assert environment["toolkit_version"] == "7.0.0"
    assert environment["devices"] == [0]
    assert environment["host"]
    assert environment["compiler"]
    check_libraries(
        environment, root / "lib64", {"libascendcl.so", "libnnopbase.so", "libopapi.so"}
    )


def test_a_newer_release(command: Command, mixed: Path, older: Path, tmp_path: Path) -> None:
    """Named by ASCEND_HOME_PATH: operators in two libraries, below the architecture's folder.

    Programs are linked with the libraries that hold their operators, whatever their names; and
    libraries of a toolkit whose set_env.sh was read last do not take their place.
    """
    root = mixed
    done = command(
        *("run", "--case", SOME, "--devices", "1"),
        ASCEND_HOME_PATH=str(root),
        LD_LIBRARY_PATH=str(older / "lib64"),
        ASCEND_RT_VISIBLE_DEVICES="3,5",
    )
    assert done.returncode == ExitCode.PASSED, done.stdout + done.stderr
    assert f"using the toolkit at {root} (from ASCEND_HOME_PATH)" in done.stderr
    environment = environment_of(tmp_path / "results" / "case")
    assert environment["toolkit_version"] == "8.5.0"
    assert environment["devices"] == [1]
    names = {"libascendcl.so", "libnnopbase.so", "libopapi_math.so", "libopapi_nn.so"}
    check_libraries(environment, root / BRANCH / "lib64", names)
    summary = (tmp_path / "results" / "case" / "summary.md").read_text()
    again = f"--tier smoke --devices 1 --cann {root} --operator {OPERATOR}"
    assert again in summary, "in a shell that has read no set_env.sh it runs on the same device"


def test_links_at_the_top(command: Command, forge: Forge, tmp_path: Path) -> None:
    """The files' own places are recorded, not those of the links."""
    root = forge.linked(tmp_path / "toolkit")
    done = command("run", "--cann", str(root), "--case", CASE, "--product", "atlas-a2")
    assert done.returncode == ExitCode.PASSED, done.stdout + done.stderr
    environment = environment_of(tmp_path / "results" / "case")
    assert environment["toolkit_version"] == "8.0.RC2"
    check_libraries(environment, root / BRANCH / "lib64", {"libopapi.so"})


def test_what_ends_a_run_before_it_begins(command: Command, mixed: Path, tmp_path: Path) -> None:
    """Wrong product, lacking operators, devices that are not there or not free: one sentence."""
    root = str(mixed)
    cann = ("run", "--cann", root, "--operator", OPERATOR)
    wanted = [
        ((*cann, "--product", "ascend-950"), {}, 3, "which is atlas-a2; the cases are for ascend"),
        (("run", "--cann", root, "--operator", "aclnnSiluBackward"), {}, 3,
         "this toolkit lacks aclnnSiluBackward (aclnnSiluBackwardGetWorkspaceSize, "),
        ((*cann, "--devices", "0,8"), {}, 2, "there is no device 8; 8 visible, numbered from 0 to"),
        ((*cann, "--devices", "2"), {"ASCEND_RT_VISIBLE_DEVICES": "6,7"}, 2,
         "there is no device 2; 2 visible (ASCEND_RT_VISIBLE_DEVICES is '6,7')"),
        ((*cann, "--devices", "0-1"), {"ACLNN_SIM_BUSY": "1"}, 3,
         "device 1 cannot be used: aclrtSetDevice returned 507033"),
        (cann, {"ACLNN_SIM_DEVICES": "0"}, 3, "the runtime sees no device"),
        (cann, {"ACLNN_SIM_SOC": "Ascend310"}, 3, "names the unknown SoC 'Ascend310'"),
    ]  # fmt: skip
    for arguments, variables, status, sentence in wanted:
        done = command(*arguments, **variables)
        assert (done.returncode, done.stdout) == (status, ""), done.stdout + done.stderr
        assert sentence in done.stderr
    assert not list(tmp_path.glob("results/*/run.json"))


def test_a_runtime_that_cannot_be_loaded(command: Command, forge: Forge, tmp_path: Path) -> None:
    """The driver's library that is not found is named before anything is planned."""
    root = without_driver(forge.plain(tmp_path / "toolkit"))
    done = command("run", "--cann", str(root), "--operator", OPERATOR)
    assert (done.returncode, done.stdout) == (ExitCode.NOT_TRUSTWORTHY, "")
    assert "the runtime cannot be loaded: libascend_hal.so is not found" in done.stderr


def test_no_toolkit(command: Command, tmp_path: Path) -> None:
    """The simulated device is used after saying so, and the results name it."""
    done = command("run", "--case", CASE, "--devices", "2")
    assert done.returncode == ExitCode.PASSED, done.stdout + done.stderr
    assert "no CANN toolkit found" in done.stderr
    document = json.loads((tmp_path / "results" / "case" / "results.json").read_text())
    assert document["device"]["kind"] == document["environment"]["toolkit"] == "simulator"
    assert document["environment"]["devices"] == [2]
    assert "libopapi.so" in {each["name"] for each in document["environment"]["libraries"]}


@pytest.mark.parametrize("kind", ["hardware", "simulator"])
def test_a_small_device(command: Command, older: Path, tmp_path: Path, kind: str) -> None:
    """What does not fit is not run, and nobody can take it for checked; the rest is."""
    device = ("--simulator",) if kind == "simulator" else ("--cann", str(older))
    done = command(
        *("run", *device, "--case", CASE, "--case", "LogitGrad.size.float32.2x73731x1.*"),
        ACLNN_SIM_MEMORY="1000000",
    )
    assert done.returncode == ExitCode.NOT_TRUSTWORTHY
    document = read_results(tmp_path / "results" / "case")
    assert document.device.kind == kind
    cases = {case.id: case for case in document.cases}
    assert cases.pop(CASE).verdict == "pass"
    assert {case.verdict.value for case in cases.values()} == {"missing"}
    assert all("bytes of device memory" in case.message for case in cases.values())


def test_going_on_with_another_release(command: Command, tmp_path: Path) -> None:
    """A toolkit that was changed since a run was interrupted: its results would be of two."""
    assert command("run", "--simulator", "--case", CASE).returncode == ExitCode.PASSED
    results = tmp_path / "results" / "case"
    journal = (results / "journal.jsonl").read_text().splitlines(keepends=True)
    (results / "journal.jsonl").write_text("".join(journal[:-1]))
    resume = ("run", "--resume", "--results", str(results))
    assert command(*resume).returncode == ExitCode.PASSED
    (results / "journal.jsonl").unlink()
    run = json.loads((results / "run.json").read_text())
    for library in run["environment"]["libraries"]:
        if library["name"] == "libopapi.so":
            library["sha256"] = "0" * 64
    (results / "run.json").write_text(json.dumps(run))
    done = command(*resume)
    assert done.returncode == ExitCode.NOT_TRUSTWORTHY
    assert "libopapi.so has changed since the run began" in done.stderr
    assert not (results / "journal.jsonl").exists()


@pytest.fixture(scope="module")
def package(forge: Forge, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder with the spec of an operator, and a custom package that has it."""
    root = tmp_path_factory.mktemp("own")
    folder = write_operator(root / "operators")
    suite = with_folders(find_suite(), [folder])
    made = root / "vendors" / "my team" / "op_api"
    for name in ("include", "lib"):
        (made / name).mkdir(parents=True)
    header = "aclnn_softsign_backward.h"
    files = simulator_files(suite)
    shutil.copy(files[f"include/{header}"], made / "include")
    command = [
        *(find_compiler().path, "-std=c++17", "-ffp-contract=off", "-fPIC", "-shared"),
        *(f"-I{suite.simulator / name}" for name in ("src", ".")),
        *(f"-I{folder}" for folder in (forge.simulator / "include", made / "include")),
        *(str(files[f"generated/{OWN}.cpp"]), f"-L{forge.simulator / 'lib64'}"),
        *("-lnnopbase", "-lascendcl", "-Wl,-soname,libcust_opapi.so"),
        *("-o", str(made / "lib" / "libcust_opapi.so")),
    ]
    subprocess.run(command, check=True)
    return folder, made.parent


@pytest.mark.parametrize("where", ["named", "below"])
def test_a_custom_package(
    command: Command,
    forge: Forge,
    older: Path,
    package: tuple[Path, Path],
    tmp_path: Path,
    where: str,
) -> None:
    """Its operators are found by the variable, or below the toolkit; doctor says where they are."""
    folder, place = package
    root, variables = older, {"ASCEND_CUSTOM_OPP_PATH": f"/nowhere:{place}"}
    if where == "below":
        root, variables, named = forge.plain(tmp_path / "toolkit"), {}, place
        place = root / "opp" / "vendors" / "mine"
        shutil.copytree(named, place)
    library = place / "op_api" / "lib" / "libcust_opapi.so"
    found = command("doctor", "--json", "--cann", str(root), "--specs", str(folder), **variables)
    told = {each["topic"]: each["what"] for each in json.loads(found.stdout)["findings"]}
    assert told[OWN] == f"header there, both phases in {library}"
    assert told["aclnnSilu"] == "header there, both phases in libopapi.so"
    options = ("--cann", str(root), "--specs", str(folder), "--case", "SoftsignBackward.base.*")
    ran = command("run", *options, **variables)
    assert ran.returncode == ExitCode.PASSED, ran.stdout + ran.stderr
    results = read_results(tmp_path / "results" / "case")
    paths = {each.name: each.path for each in results.environment.libraries}
    assert paths["libcust_opapi.so"] == str(library.resolve())
    assert [each.path for each in results.suite.folders] == [folder]


def test_a_reproducer_with_a_custom_package(
    command: Command, forge: Forge, package: tuple[Path, Path], quick_compiler: Path, tmp_path: Path
) -> None:
    """CMake finds the package as the run did; below a toolkit, the one that is to come first."""
    folder, place = package
    root, vendors = forge.plain(tmp_path / "toolkit"), tmp_path / "toolkit" / "opp" / "vendors"
    for name in ("another", "mine"):
        shutil.copytree(place, vendors / name)
    (vendors / "config.ini").write_text("load_priority = none, mine ,another\n")
    listed = command("list", "--specs", str(folder), "--case", "SoftsignBackward.base.*")
    case = next(
        filter(lambda word: word.startswith("SoftsignBackward.base."), listed.stdout.split())
    )
    made = tmp_path / "made"
    options = ("--cann", str(root), "--specs", str(folder), "-o", str(made))
    told = command("repro", case, *options)
    assert told.returncode == 0, told.stdout + told.stderr
    environment = {**os.environ, "ASCEND_HOME_PATH": str(root), "CXX": str(quick_compiler)}
    for line in ("cmake -S . -B build", "cmake --build build", "ldd build/reproducer"):
        done = ended(line.split(), cwd=made, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr
    assert f"libcust_opapi.so => {vendors}/mine/op_api/lib/" in done.stdout


def test_an_operator_in_two_libraries(
    command: Command, forge: Forge, older: Path, package: tuple[Path, Path], tmp_path: Path
) -> None:
    """Which of them is tested is a warning; two libraries of one name cannot be loaded together."""
    folder, place = package
    root = older
    lib = tmp_path / "other" / "op_api" / "lib"
    lib.mkdir(parents=True)
    shutil.copy(forge.split / "libopapi_math.so", lib / "libcust_opapi.so")
    variables = {"ASCEND_CUSTOM_OPP_PATH": f"{place}:{lib.parents[1]}"}
    found = command("doctor", "--json", "--cann", str(root), "--specs", str(folder), **variables)
    findings = {each["topic"]: each for each in json.loads(found.stdout)["findings"]}
    assert findings[OPERATOR]["level"] == "warn"
    assert str(lib) in findings[OPERATOR]["what"]
    options = ("--cann", str(root), "--specs", str(folder), "--operator", OWN)
    refused = command("run", *options, "--operator", OPERATOR, **variables)
    assert refused.returncode == ExitCode.NOT_TRUSTWORTHY
    assert "have the same name" in refused.stderr


def test_a_kit_with_a_custom_package(
    command: Command,
    older: Path,
    package: tuple[Path, Path],
    quick_compiler: Path,
    tmp_path: Path,
) -> None:
    """Its host finds the package as home does, and home judges what comes back."""
    folder, place = package
    root, kit = older, tmp_path / "kit.tar.gz"
    packed = command("pack", "--specs", str(folder), "--operator", OWN, "-o", str(kit))
    assert packed.returncode == 0, packed.stderr
    shutil.unpack_archive(kit, tmp_path)
    variables = {"ASCEND_CUSTOM_OPP_PATH": str(place), "CXX": str(quick_compiler)}
    done = ended(
        ["/bin/sh", "aclnn-cts-kit/run.sh", str(root)],
        cwd=tmp_path,
        env={**os.environ, **variables},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (outputs,) = tmp_path.rglob("outputs.tar.gz")
    place_of_results = ("--results", str(tmp_path / "r"), "--specs", str(folder))
    judged = command("judge", str(outputs), "--kit", str(kit), *place_of_results)
    assert judged.returncode == ExitCode.PASSED, judged.stdout + judged.stderr
    libraries = {each.name for each in read_results(tmp_path / "r").environment.libraries}
    assert "libcust_opapi.so" in libraries
