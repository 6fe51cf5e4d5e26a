# SPDX-License-Identifier: Apache-2.0
"""A kit's whole way: packed, run where there is little more than a compiler, judged at home."""

from __future__ import annotations

import gzip
import json
import platform
import shutil
import subprocess
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.kits.conftest import OPERATOR, Host, Planned, judged, unpacked

from aclnn_cts.kit.outputs import look_at
from aclnn_cts.kit.sealing import MANIFEST
from aclnn_cts.suite import find_suite

pytestmark = pytest.mark.end_to_end


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


def test_times_come_home(bed: Any, host: Host, tmp_path: Path) -> None:
    """Timed launches are part of the kit: asked for when it is packed, and in results.json.

    Kits of the same cases have folders of their own, as those of each night must not be lost; one
    kit's outputs may be judged again.
    """
    folders = []
    for launches in (3, 0):
        path = tmp_path / f"kit-{launches}.tar.gz"
        arguments = ("pack", "--operator", OPERATOR, "--timings", str(launches), "-o", str(path))
        assert bed.command(*arguments).returncode == 0
        timed = unpacked(path, tmp_path / str(launches), host.tools, host.toolkit)
        shutil.copytree(host.work / "build", timed.work / "build")
        status, out, err = timed.run()
        assert (status, err) == (0, ""), out
        for _ in range(2):
            done = bed.command("judge", str(timed.outputs), "--kit", str(path))
            assert done.returncode == 0, done.stderr
        nonce = (timed.kit / "nonce.txt").read_text()
        folder = bed.root / "work" / "results" / f"kit-atlas-a2-smoke-{nonce[:12]}"
        folders.append(folder)
        written = json.loads((folder / "results.json").read_text())
        assert written["timings"] == launches
        launched = {len(each["device_microseconds"]) for each in written["cases"]}
        assert launched == ({0, 3} if launches else {0, 2})
    compared = bed.command("compare", *map(str, folders))
    assert "BASE timed 3 launches of a case, NEW 2" in compared.stdout, compared.stderr


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


def made_foreign(library: Path) -> None:
    """Make a library one for another architecture."""
    whole = bytearray(library.read_bytes())
    whole[18] ^= 0xFF  # e_machine of the ELF header
    library.write_bytes(whole)


def test_what_a_host_may_lack(fresh: Host, tmp_path: Path) -> None:
    """No toolkit, one of another architecture, no compiler, no make: one sentence each."""
    assert "there is no such folder; name the CANN toolkit" in fresh.run(str(tmp_path / "none"))[2]
    toolkit = tmp_path / "toolkit"
    toolkit.mkdir()
    assert "include/aclnn/acl_meta.h is missing" in fresh.run(str(toolkit))[2]
    shutil.copytree(fresh.toolkit, toolkit, dirs_exist_ok=True)
    made_foreign(toolkit / "lib64" / "libascendcl.so")
    assert "is no library for this host's architecture" in fresh.run(str(toolkit))[2]
    for name, sentence in (("make", "make is missing"), ("g++", "no C++ compiler found")):
        tools = tmp_path / f"without-{name}"
        tools.mkdir()
        for tool in fresh.tools.iterdir():
            if tool.name != name:
                (tools / tool.name).symlink_to(tool.resolve())
        assert sentence in Host(fresh.kit, tools, fresh.toolkit).run()[2]
    assert "names no device" in fresh.run(DEVICES=",")[2]


@pytest.mark.parametrize("machine", [platform.machine(), "aarch64"])
def test_where_the_parts_of_a_toolkit_are(fresh: Host, tmp_path: Path, machine: str) -> None:
    """Below `latest`, below the host's architecture; the release that is told there comes home."""
    tools = tmp_path / "host-tools"
    shutil.copytree(fresh.tools, tools, symlinks=True)
    (tools / "uname").unlink()
    (tools / "uname").write_text(f"#!{tools / 'sh'}\necho {machine}\n")
    (tools / "uname").chmod(0o755)
    branch = "arm64-linux" if machine == "aarch64" else f"{machine}-linux"
    release = tmp_path / "all" / "8.5.0"
    shutil.copytree(fresh.toolkit, release / branch)
    (release / branch / "ascend_toolkit_install.info").write_text("version=8.5.0\n")
    shutil.copytree(fresh.toolkit / "lib64", release / "lib64")
    for library in (release / "lib64").iterdir():
        if not library.is_symlink():
            made_foreign(library)
    (tmp_path / "all" / "latest").symlink_to("8.5.0")
    status, out, err = Host(fresh.kit, tools, tmp_path / "all").run()
    assert (status, err) == (0, ""), out
    received = look_at(fresh.outputs, find_suite())
    assert received.host.toolkit == str(release)
    name = f"toolkit/{branch}/ascend_toolkit_install.info"
    assert received.versions[name] == b"version=8.5.0\n"
    assert {Path(each.path).parent for each in received.libraries} == {release / branch / "lib64"}


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
