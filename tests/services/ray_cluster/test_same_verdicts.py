# SPDX-License-Identifier: Apache-2.0
"""Runs on a cluster say what a run on one host says."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.own_operator import OPERATOR as OWN
from tests.own_operator import write_operator
from tests.services.ray_cluster.conftest import A2, NEXT, Room, records_of, verdicts_of

from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.errors import ExitCode
from aclnn_cts.files import sha256_of
from aclnn_cts.results.document import read_results
from aclnn_cts.run.folder import open_run
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite

pytestmark = pytest.mark.end_to_end

OPERATOR = ("--operator", "aclnnPreluBackward")


def test_two_products(room: Room, alone: Any) -> None:
    """One campaign serves two products on the hosts that have them, one folder for each."""
    folder = room.root / "two-products"
    options = (*OPERATOR, "--product", A2, "--product", NEXT, "--results", str(folder))
    done = room.run("run", "--ray", room.address, *options)
    assert done.returncode == ExitCode.PASSED, done.stderr
    for product, hosts in ((A2, {"one", "two"}), (NEXT, {"three"})):
        assert verdicts_of(folder / product) == alone(*OPERATOR, "--product", product)
        assert {each["host"] for each in records_of(folder / product)} == hosts
    judged = room.run("judge", str(folder / A2))
    assert judged.returncode == ExitCode.PASSED, judged.stderr


def test_an_operator_of_ones_own(room: Room, alone: Any, tmp_path: Path) -> None:
    """Hosts get the operators of --specs with the bundle: spec, formula and kernel."""
    own = ("--specs", str(write_operator(tmp_path / "own")), "--operator", OWN, "--product", A2)
    folder = tmp_path / "run"
    hosts = ("--ray", room.address, "--judge", "cluster", "--results", str(folder))
    done = room.run("run", *hosts, *own)
    assert done.returncode == ExitCode.PASSED, done.stderr
    assert verdicts_of(folder) == alone(*own)
    assert {each["host"] for each in records_of(folder)} == {"one", "two"}


def test_a_faulty_device(room: Room, alone: Any) -> None:
    """Failures, reruns and their explanations are those of a local run."""
    options = ("--operator", "aclnnLogitGrad", "--fault", "tail-not-written.aclnnLogitGrad.out")
    folder = room.root / "faulty"
    hosts = ("--product", A2, "--results", str(folder))
    done = room.run("run", "--ray", room.address, *options, *hosts)
    assert done.returncode == ExitCode.BROKEN_PROMISE, done.stderr
    assert verdicts_of(folder) == alone(*options, "--product", A2)


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--product", "atlas-a3"), ExitCode.NOT_TRUSTWORTHY, "no host of the Ray cluster is"),
        (("--cann-version", "8"), ExitCode.WRONG_INPUT, "no host has CANN 8"),
    ],
)
def test_what_the_hosts_do_not_have(
    room: Room, options: tuple[str, ...], code: ExitCode, words: str
) -> None:
    """It is refused with a sentence, and leaves no folder."""
    folder = room.root / "refused"
    done = room.run("run", "--ray", room.address, *options, "--results", str(folder))
    assert (done.returncode, words in done.stderr) == (code, True), done.stderr
    assert not folder.exists()


def entries_of(folder: Path) -> list[dict[str, Any]]:
    """Return all that is said of each case, without place, times and what names the folder."""
    varying = {"host", "card", "seconds", "device_microseconds", "story"}
    return [case.model_dump(exclude=varying) for case in read_results(folder).cases]


def test_judged_in_the_cluster(room: Room, alone: Any) -> None:
    """Verdicts, figures and explanations are the same to the bit; no output comes home."""
    options = (
        "--case",
        "LogitGrad.[a-l]*",
        "--fault",
        "tail-not-written.aclnnLogitGrad.out",
        "--product",
        A2,
    )
    folder = room.root / "judged-there"
    hosts = ("--ray", room.address, "--judge", "cluster", "--results", str(folder))
    done = room.run("run", *hosts, *options)
    assert done.returncode == ExitCode.BROKEN_PROMISE, done.stderr
    assert verdicts_of(folder) == alone(*options)
    here, there = (entries_of(each) for each in (room.alone[options], folder))
    assert there == here
    assert list((folder / "outputs").glob("*")) == []
    judged = room.run("judge", str(folder))
    assert judged.returncode == ExitCode.BROKEN_PROMISE, judged.stderr
    assert entries_of(folder) == here
    other = room.run("judge", "--standard", "ecosystem", str(folder))
    assert other.returncode == ExitCode.NOT_TRUSTWORTHY
    assert "--judge home" in other.stderr


def test_two_versions_of_cann(room: Room, simulated_device: Toolkit, tmp_path: Path) -> None:
    """They do not mix: the run is refused unless one of them is named."""
    toolkit = tmp_path / "toolkit"
    shutil.copytree(simulated_device.root, toolkit)
    (toolkit / "compiler").mkdir()
    (toolkit / "compiler" / "version.info").write_text("Version=7.1.0.3.220\nversion_dir=7.0.0\n")
    options = ("--case", "DropoutBackward.rank.*", "--results", str(tmp_path / "run"))
    with room.guest("four", A2, ASCEND_HOME_PATH=str(toolkit)):
        refused = room.run("run", "--ray", room.address, "--product", A2, *options)
        assert refused.returncode == ExitCode.NOT_TRUSTWORTHY
        assert "on four" in refused.stderr
        assert "--cann-version" in refused.stderr
        one = ("--cann-version", "aclnn-cts simulator")
        done = room.run("run", "--ray", room.address, "--product", A2, *one, *options)
    assert done.returncode == ExitCode.PASSED, done.stderr
    assert {each["host"] for each in records_of(tmp_path / "run")} <= {"one", "two"}


def test_a_host_that_makes_other_data(room: Room, alone: Any, tmp_path: Path) -> None:
    """A host whose recipe gives other bits gets the data from home."""
    options = ("--case", "DropoutBackward.rank.*", "--product", A2)
    expected = alone(*options)
    cases = open_run(room.alone[options], find_suite()).cases
    cache = tmp_path / "cache"
    store = DataStore(cache / "data")
    made = store.provide(load_specs(find_suite()), cases)
    for path in {each.path for each in made.values() if each.path}:
        file = cache / "data" / path
        file.write_bytes(file.read_bytes()[:-1] + b"?")
        file.rename(file.with_name(f"{file.name.split('-')[0]}-{sha256_of(file)}.npy"))
    for shelf in ("simulator", "programs", "probe"):
        (cache / shelf).symlink_to(find_suite().cache / shelf)
    with room.without("one", "two"), room.guest("four", A2, ACLNN_CTS_CACHE=str(cache)):
        hosts = ("--ray", room.address, "--results", str(tmp_path / "run"))
        done = room.run("run", *hosts, *options)
    assert done.returncode == ExitCode.PASSED, done.stderr
    assert verdicts_of(tmp_path / "run") == expected
