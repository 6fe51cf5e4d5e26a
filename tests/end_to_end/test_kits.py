# SPDX-License-Identifier: Apache-2.0
"""A kit's whole way: packed, run where there is little more than a compiler, judged at home."""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import tarfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.kit.outputs import look_at, read_kit
from aclnn_cts.kit.receiving import receive
from aclnn_cts.kit.sealing import MANIFEST, Member, manifest_text, write_sealed
from aclnn_cts.plan.cases import Case
from aclnn_cts.report.judging import make_report
from aclnn_cts.run.execute import MOST_TIMEOUTS
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.suite import find_suite

pytestmark = pytest.mark.end_to_end

OPERATOR = "aclnnLogitGrad"
TOOLS = (
    *("g++", "as", "ld", "make", "sh"),
    *("cat", "dirname", "head", "mkdir", "nproc", "sha256sum", "tail", "uname"),
)
"""A compiler with its assembler and linker, make, sh, and what run.sh takes of coreutils."""

SIMULATED = {"ACLNN_SIM_SOC": "Ascend910B3", "ACLNN_SIM_EDITION": "current"}
Planned = Callable[[str, str], tuple[Case, ...]]


@dataclass(frozen=True)
class Host:
    """A host with a kit, and with little else.

    Attributes:
        kit: The folder that the kit unpacked to.
        tools: The only folder of the path.
        toolkit: The toolkit.
    """

    kit: Path
    tools: Path
    toolkit: Path

    @property
    def work(self) -> Path:
        """Where the kit's script keeps what it makes."""
        return self.kit / f"work-{(self.kit / 'nonce.txt').read_text()[:12]}"

    @property
    def outputs(self) -> Path:
        """What the script leaves."""
        return self.kit / "outputs.tar.gz"

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """Start the script, from another folder."""
        return subprocess.Popen(
            [str(self.tools / "sh"), str(self.kit / "run.sh"), *arguments],
            env={"PATH": str(self.tools), "CXXFLAGS": "-O0", **SIMULATED, **environment},
            cwd="/",
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, **environment: str) -> tuple[int, str, str]:
        """Run the script to its end; return exit status, output and errors."""
        with self.start(*(arguments or (str(self.toolkit),)), **environment) as script:
            out, err = script.communicate()
        return script.returncode, out, err


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs that a kit may need, and no others."""
    folder = tmp_path_factory.mktemp("tools")
    for name in TOOLS:
        found = shutil.which(name)
        assert found is not None, name
        (folder / name).symlink_to(found)
    return folder


@pytest.fixture(scope="module")
def archive(bed: Any) -> Path:
    """A packed kit."""
    path: Path = bed.root / "kit.tar.gz"
    done = bed.command("pack", "--operator", OPERATOR, "-o", str(path))
    assert done.returncode == 0, done.stderr
    assert "cases in" in done.stdout
    return path


def unpacked(archive: Path, folder: Path, tools: Path, toolkit: Path) -> Host:
    """Return a host that a kit was taken to."""
    with tarfile.open(archive) as kit:
        kit.extractall(folder, filter="data")
    return Host(folder / "aclnn-cts-kit", tools, toolkit)


@pytest.fixture(scope="module")
def host(
    archive: Path, tools: Path, simulated_device: Toolkit, tmp_path_factory: pytest.TempPathFactory
) -> Host:
    """A host on which the kit has run."""
    found = unpacked(archive, tmp_path_factory.mktemp("host"), tools, simulated_device.root)
    status, out, err = found.run(DEVICES="0")
    assert (status, err) == (0, ""), out
    return found


@pytest.fixture
def fresh(archive: Path, host: Host, tmp_path: Path) -> Host:
    """A host on which the kit was built, but not run."""
    found = unpacked(archive, tmp_path, host.tools, host.toolkit)
    shutil.copytree(host.work / "build", found.work / "build")
    return found


def judged(outputs: Path, folder: Path) -> dict[str, tuple[Verdict, str]]:
    """Return the verdicts and messages of what a kit left."""
    suite = find_suite()
    receive(look_at(outputs, suite), folder, suite)
    return {v.case: (v.verdict, v.message) for v in make_report(folder).verdicts}


def test_verdicts_are_those_of_a_run(
    bed: Any, planned: Planned, archive: Path, host: Host, tmp_path: Path
) -> None:
    """A kit on a host with a compiler, make, sh and coreutils finds what a run at home finds."""
    cases = tuple(c for c in planned("atlas-a2", "smoke") if c.operator == OPERATOR)
    at_home = {v.case: (v.verdict, v.message) for v in bed.judged("atlas-a2", cases).verdicts}
    assert judged(host.outputs, tmp_path / "results") == at_home
    arguments = ("--kit", str(archive), "--results", str(tmp_path / "judged"))
    done = bed.command("judge", str(host.outputs), *arguments)
    assert done.returncode == 0, done.stderr
    nonce = (host.kit / "nonce.txt").read_text()
    assert f"outputs of the kit {nonce}" in done.stdout
    written = json.loads((tmp_path / "judged" / "results.json").read_text())
    began = (host.work / "start.jsonl").stat().st_mtime
    told = datetime.fromisoformat(written["started"])
    assert abs(told.timestamp() - began) < 2
    assert written["nonce"] == nonce
    libraries = {each["name"]: each for each in written["environment"]["libraries"]}
    assert sorted(libraries) == ["libascendcl.so", "libnnopbase.so", "libopapi.so"]
    assert all(len(each["sha256"]) == 64 for each in libraries.values())
    assert written["device"]["kind"] == "simulator"


def flipped(path: Path, at: int) -> bytes:
    """Change one bit of a file, and return what it held."""
    whole = path.read_bytes()
    changed = bytearray(whole)
    changed[at] ^= 1 << at % 8
    path.write_bytes(changed)
    return whole


def test_each_file_of_a_kit_counts(archive: Path, host: Host, tmp_path: Path) -> None:
    """The script builds nothing if a byte of any file is another, and names that file."""
    # Without a toolkit: the files are looked at before it is looked for.
    kit = unpacked(archive, tmp_path, host.tools, tmp_path / "no-toolkit")
    files = sorted(path for path in kit.kit.rglob("*") if path.is_file())
    draw = random.Random(20261122)  # noqa: S311
    chosen = [path for path in files if path.parent == kit.kit and path.name != "run.sh"]
    chosen += draw.sample([path for path in files if path not in chosen], 12)
    for path in chosen:
        whole = flipped(path, draw.randrange(path.stat().st_size))
        status, out, err = kit.run()
        assert status == 1, path
        name = MANIFEST if path.name == "MANIFEST.digest" else path.relative_to(kit.kit)
        assert f"{name}: is not what was packed" in err, out
        assert not kit.work.exists()
        path.write_bytes(whole)
    (kit.kit / "data").rename(kit.kit / "moved")
    assert "is not what was packed" in kit.run()[2]


def test_each_byte_of_the_script_counts(fresh: Host) -> None:
    """A changed script is refused by itself, or by the runner; in no case it leaves outputs."""
    script = fresh.kit / "run.sh"
    draw = random.Random(20261122)  # noqa: S311
    for _ in range(8):
        whole = flipped(script, draw.randrange(script.stat().st_size))
        assert fresh.run()[0] != 0
        assert not fresh.outputs.exists()
        script.write_bytes(whole)


def test_the_runner_looks_for_itself(fresh: Host) -> None:
    """A script that no longer looks at the files does not help: the runner does."""
    script = fresh.kit / "run.sh"
    script.write_text(script.read_text().replace("\ncheck_kit\n", "\n"))
    status, _, err = fresh.run()
    assert (status, err) == (1, "error: run.sh: is not what was packed; unpack the kit again\n")


def test_each_byte_of_the_outputs_counts(host: Host, tmp_path: Path) -> None:
    """Headers, padding, events, outputs and the packing itself: a changed byte is noticed."""
    path = Path(shutil.copy(host.outputs, tmp_path / "outputs.tar.gz"))
    size = path.stat().st_size
    draw = random.Random(20261122)  # noqa: S311
    places = [*range(48), *range(size - 24, size), *draw.sample(range(size), 60)]
    for at in places:
        whole = flipped(path, at)
        with pytest.raises(NotTrustworthyError, match=r"was altered or cut off: .*; copy"):
            look_at(path, find_suite())
        path.write_bytes(whole)
    for length in draw.sample(range(64, size), 20):
        path.write_bytes(whole[:length])
        with pytest.raises(NotTrustworthyError, match="was altered or cut off"):
            look_at(path, find_suite())


def test_outputs_of_another_kit(bed: Any, archive: Path, host: Host, tmp_path: Path) -> None:
    """Two kits of the same cases are two kits."""
    other = tmp_path / "other.tar.gz"
    assert bed.command("pack", "--operator", OPERATOR, "-o", str(other)).returncode == 0
    suite = find_suite()
    assert read_kit(other, suite).nonce != read_kit(archive, suite).nonce
    done = bed.command("judge", str(host.outputs), "--kit", str(other))
    assert done.returncode == 3
    assert "not from the kit" in done.stderr


def members_of(outputs: Path) -> dict[str, bytes]:
    """Return the files of an archive, without the manifest."""
    with tarfile.open(outputs) as archive:
        files = {each.name: archive.extractfile(each) for each in archive.getmembers()}
        return {n: f.read() for n, f in files.items() if f is not None and n != MANIFEST}


def rewritten(path: Path, files: Mapping[str, bytes]) -> Path:
    """Seal other content, as somebody would who knows how."""
    members = [Member(name, content) for name, content in files.items()]
    write_sealed(path, (Member(MANIFEST, manifest_text(members).encode()), *members))
    return path


def test_old_outputs_do_not_pass_for_new_ones(host: Host, tmp_path: Path) -> None:
    """Events that were recorded with another nonce are refused, whoever sealed them."""
    files = members_of(host.outputs)
    events = f"events/{OPERATOR}-000.jsonl"
    nonce = (host.kit / "nonce.txt").read_text().encode()
    files[events] = files[events].replace(nonce, b"ab" * 16)
    path = rewritten(tmp_path / "outputs.tar.gz", files)
    with pytest.raises(NotTrustworthyError, match=f"{events} was recorded with the nonce abab"):
        judged(path, tmp_path / "results")


def test_when_a_run_began(host: Host, tmp_path: Path) -> None:
    """A record that does not say when it was begun gives no time, least of all that of packing."""
    files = members_of(host.outputs)
    lines = files["record.jsonl"].splitlines(keepends=True)
    files["record.jsonl"] = b"".join(line for line in lines if b'"start"' not in line)
    assert len(files["record.jsonl"].splitlines()) == len(lines) - 1
    suite = find_suite()
    found = look_at(rewritten(tmp_path / "outputs.tar.gz", files), suite)
    assert receive(found, tmp_path / "results", suite).started == ""


def test_a_batch_that_is_missing(host: Host, tmp_path: Path) -> None:
    """The cases of a batch that did not come home are missing; nothing missing passes."""
    files = members_of(host.outputs)
    name = f"{OPERATOR}-001"
    lines = files["record.jsonl"].splitlines(keepends=True)
    files["record.jsonl"] = b"".join(line for line in lines if name.encode() not in line)
    without = {each: content for each, content in files.items() if name not in each}
    verdicts = judged(rewritten(tmp_path / "outputs.tar.gz", without), tmp_path / "results")
    missing = {case for case, (verdict, _) in verdicts.items() if verdict == Verdict.MISSING}
    texts = (host.kit / "cases" / f"{name}.txt").read_text().splitlines()
    assert missing == {line.split()[1] for line in texts if line.startswith("case ")}


CRASH_AND_HANG = """
                  if (eps == 0.7F) __builtin_trap();
                  if (eps == 2.0F) {
                    signal(SIGTERM, SIG_IGN);
                    for (;;) (void)usleep(1000);
                  }
                  const auto gradient ="""
HANG = "for (;;) (void)usleep(1000); const auto gradient ="


def faulty_toolkit(simulated_device: Toolkit, tmp_path: Path, fault: str) -> Path:
    """A toolkit as newer releases lay it out, whose operator has a fault."""
    suite, root = find_suite(), tmp_path / "toolkit"
    folder = root / f"{os.uname().machine}-linux"
    shutil.copytree(simulated_device.root, folder)
    (folder / "lib64" / "libopapi.so").unlink()
    operators = suite.simulator / "operators"
    text = (operators / "logit_grad.cpp").read_text()
    assert text.count("const auto gradient =") == 1
    text = text.replace("const auto gradient =", fault.strip())
    changed = tmp_path / "logit_grad.cpp"
    changed.write_text("#include <signal.h>\n#include <unistd.h>\n" + text)
    sources = {
        "legacy": changed,
        "math": operators / "dropout_backward.cpp",
        "unneeded": operators / "prelu_backward.cpp",
    }
    for name, source in sources.items():
        subprocess.run(
            [
                *("g++", "-std=c++17", "-O0", "-fPIC", "-shared", "-ffp-contract=off"),
                *(f"-I{suite.simulator / 'include'}", f"-I{suite.simulator / 'src'}"),
                *(str(source), "-o", str(folder / "lib64" / f"libopapi_{name}.so")),
                *(f"-L{folder / 'lib64'}", "-lnnopbase", "-lascendcl"),
            ],
            check=True,
        )
    return root


def test_a_crash_and_a_hang(
    fresh: Host, simulated_device: Toolkit, planned: Planned, tmp_path: Path
) -> None:
    """Each is the verdict of the case that it happened in; all others are judged as ever.

    The program is linked anew, with the library of another layout that holds the operator: whatever
    the library's name is, and with no other. An older release's variable leads there.
    """
    toolkit = faulty_toolkit(simulated_device, tmp_path, CRASH_AND_HANG)
    program = fresh.work / "build" / OPERATOR
    program.unlink()
    status, out, err = fresh.run("", ASCEND_TOOLKIT_HOME=str(toolkit), CASE_SECONDS="2")
    assert (status, err) == (0, ""), out
    assert b"libopapi_legacy.so" in program.read_bytes()
    assert b"libopapi_unneeded.so" not in program.read_bytes()
    verdicts = judged(fresh.outputs, tmp_path / "results")
    by_eps = {
        eps: {c.id for c in planned("atlas-a2", "smoke") if c.attributes.get("eps") == eps}
        for eps in (0.7, 2.0)
    }
    named = {
        verdict: {case for case, (found, _) in verdicts.items() if found == verdict}
        for verdict in (Verdict.CRASH, Verdict.TIMEOUT)
    }
    assert named == {Verdict.CRASH: by_eps[0.7], Verdict.TIMEOUT: by_eps[2.0]}
    clean = {Verdict.PASS, Verdict.CONTESTED_ONLY, Verdict.CRASH, Verdict.TIMEOUT}
    assert {found for found, _ in verdicts.values()} <= clean


def test_many_hangs(fresh: Host, simulated_device: Toolkit, tmp_path: Path) -> None:
    """A batch in which as many cases hang as at home is given up; what is left is missing."""
    toolkit = faulty_toolkit(simulated_device, tmp_path, HANG)
    (fresh.work / "build" / OPERATOR).unlink()
    devices = {"DEVICES": "0-1", "ACLNN_SIM_DEVICES": "2"}
    status, out, err = fresh.run(str(toolkit), CASE_SECONDS="1", **devices)
    assert status == 1, out
    assert "cases were never begun" in err
    hanging = Counter(
        p.batch for p in look_at(fresh.outputs, find_suite()).processes if p.timed_out
    )
    assert set(hanging.values()) == {MOST_TIMEOUTS}
    found = Counter(verdict for verdict, _ in judged(fresh.outputs, tmp_path / "results").values())
    assert found[Verdict.TIMEOUT] == sum(hanging.values())
    assert found[Verdict.MISSING] > 0


def test_a_killed_run_goes_on(fresh: Host, host: Host, tmp_path: Path) -> None:
    """After kill -9 the batches that were done are not run again, and nothing is missing."""
    done = fresh.work / "done"
    script = fresh.start(str(fresh.toolkit))
    while script.poll() is None and not (done.is_dir() and any(done.glob("*-000"))):
        time.sleep(0.01)
    script.send_signal(signal.SIGKILL)
    script.communicate()
    assert not fresh.outputs.exists()
    first = (fresh.work / "events" / f"{OPERATOR}-000.jsonl").stat().st_mtime_ns
    status, out, err = fresh.run()
    assert (status, err) == (0, ""), out
    assert (fresh.work / "events" / f"{OPERATOR}-000.jsonl").stat().st_mtime_ns == first
    assert judged(fresh.outputs, tmp_path / "a") == judged(host.outputs, tmp_path / "b")


def test_a_full_disk(fresh: Host) -> None:
    """The run ends with a sentence, nothing is packed, and it goes on when there is room."""
    (fresh.work / "outputs").mkdir()
    (fresh.work / "outputs" / f"{OPERATOR}-000.bin").symlink_to("/dev/full")
    status, _, err = fresh.run()
    assert status == 1
    assert "No space left on device" in err
    assert "start run.sh again" in err
    assert not fresh.outputs.exists()
    (fresh.work / "outputs" / f"{OPERATOR}-000.bin").unlink()
    assert fresh.run()[0] == 0
    # With another toolkit or compiler half of the run would be of one kind, and half of another.
    (fresh.work / "host.jsonl").write_text("{}\n")
    assert "the run began on another host" in fresh.run()[2]


def test_two_devices(fresh: Host, host: Host, tmp_path: Path) -> None:
    """Two devices share the batches, and find what one finds."""
    status, out, err = fresh.run(DEVICES="0-1", ACLNN_SIM_DEVICES="2")
    assert (status, err) == (0, ""), out
    processes = look_at(fresh.outputs, find_suite()).processes
    assert {process.device for process in processes} == {0, 1}
    assert judged(fresh.outputs, tmp_path / "a") == judged(host.outputs, tmp_path / "b")


def test_a_device_that_cannot_be_used(fresh: Host, host: Host, tmp_path: Path) -> None:
    """It is told and left out; another one runs what it would have run. With none, nothing."""
    two = {"ACLNN_SIM_DEVICES": "2", "ACLNN_SIM_BUSY": "1"}
    status, _, err = fresh.run(DEVICES="7", **two)
    assert status == 1
    assert "error: device 7 cannot be used: " in err
    status, out, err = fresh.run(DEVICES="7,1,0", **two)
    assert status == 0, out
    lines = err.splitlines()
    assert {line.split(" cannot be used")[0] for line in lines} == {"device 7", "device 1"}
    assert all(line.endswith("; going on without it") for line in lines)
    assert judged(fresh.outputs, tmp_path / "a") == judged(host.outputs, tmp_path / "b")


def test_a_program_that_dies_at_once(fresh: Host, tmp_path: Path) -> None:
    """Nothing was begun: the script says so, and nothing of it is judged at home."""
    program = fresh.work / "build" / OPERATOR
    program.write_text("#!/bin/sh\nkill -9 $$\n")
    status, _, err = fresh.run()
    assert status == 1
    assert "229 cases were never begun" in err
    with pytest.raises(NotTrustworthyError, match="no program reached a device"):
        judged(fresh.outputs, tmp_path / "results")


def test_what_a_host_may_lack(fresh: Host, tmp_path: Path) -> None:
    """No toolkit, one of another architecture, no compiler, no make: one sentence each."""
    assert "there is no such folder; name the CANN toolkit" in fresh.run(str(tmp_path / "none"))[2]
    toolkit = tmp_path / "toolkit"
    toolkit.mkdir()
    assert "include/aclnn/acl_meta.h is missing" in fresh.run(str(toolkit))[2]
    shutil.copytree(fresh.toolkit, toolkit, dirs_exist_ok=True)
    library = toolkit / "lib64" / "libascendcl.so"
    whole = bytearray(library.read_bytes())
    whole[18] ^= 0xFF  # e_machine of the ELF header
    library.write_bytes(whole)
    assert "is no library for this host's architecture" in fresh.run(str(toolkit))[2]
    for name, sentence in (("make", "make is missing"), ("g++", "no C++ compiler found")):
        tools = tmp_path / f"without-{name}"
        tools.mkdir()
        for tool in fresh.tools.iterdir():
            if tool.name != name:
                (tools / tool.name).symlink_to(tool.resolve())
        assert sentence in Host(fresh.kit, tools, fresh.toolkit).run()[2]
    assert "names no device" in fresh.run(DEVICES=",")[2]


def test_a_kit_is_what_gzip_and_sha256sum_take_it_for(archive: Path, host: Host) -> None:
    """Both archives are plain ones for tools that know nothing of the seal."""
    for path in (archive, host.outputs):
        assert len(gzip.decompress(path.read_bytes())) % 512 == 0
    check = subprocess.run(
        [str(shutil.which("sha256sum")), "--check", "--strict", "--quiet", MANIFEST],
        cwd=host.kit,
        check=False,
    )
    assert check.returncode == 0
