# SPDX-License-Identifier: Apache-2.0
"""A real Ray cluster whose hosts are on this machine, with simulated cards."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.results.document import read_results
from aclnn_cts.run.build import find_compiler
from aclnn_cts.suite import find_suite

A2, NEXT = "atlas-a2", "ascend-950"
SOCS = {A2: "Ascend910B3", NEXT: "Ascend950PR"}
HOSTS = {"one": A2, "two": A2, "three": NEXT}

_MARK = "ACLNN_TEST_HOST"
_STARTS = 3
_SECONDS = 300.0
"""Ends a test that waits in vain."""


@dataclass
class Room:
    """A cluster, and the hosts that can be killed one by one.

    Attributes:
        root: For results folders.
        cluster: The cluster; its head has no cards.
        hosts: The hosts by name.
        alone: The results folders of local runs, by their options.
        patience: For how many seconds runs leave a batch where it is, however slow its host.
    """

    root: Path
    cluster: Any
    hosts: dict[str, Any] = field(default_factory=dict)
    alone: dict[tuple[str, ...], Path] = field(default_factory=dict)
    patience: float = _SECONDS

    @property
    def address(self) -> str:
        """Address of the cluster."""
        return str(self.cluster.address)

    def add(self, name: str, product: str, **environment: str) -> None:
        """Start a host with a simulated card."""
        for left in reversed(range(_STARTS)):
            # One that did not start, or was killed, counts as a host of this name for a while.
            self.signal(name, signal.SIGKILL)
            wait_for(lambda: name not in self.living())
            try:
                self.hosts[name] = self._start(name, product, environment)
            except Exception:  # Ray's own, where its agent starts too slowly
                if not left:
                    raise
            else:
                return

    def living(self) -> set[str]:
        """Return the names of the hosts that the cluster has not given up."""
        nodes = self.cluster.global_state.node_table()
        return {node["NodeName"] for node in nodes if node["Alive"]}

    def _start(self, name: str, product: str, environment: Mapping[str, str]) -> Any:
        return self.cluster.add_node(
            num_cpus=1,
            resources={"NPU": 1},
            object_store_memory=80 << 20,
            node_name=name,
            env_vars={
                _MARK: name,
                "ACLNN_SIM_SOC": SOCS[product],
                "ACLNN_CTS_CACHE": str(find_suite().cache),
                **environment,
            },
        )

    def remove(self, name: str) -> None:
        """Kill all processes of a host, and have the cluster forget it."""
        node = self.hosts.pop(name)
        self.signal(name, signal.SIGCONT)
        self.signal(name, signal.SIGKILL)
        with contextlib.suppress(Exception):  # it may be gone already
            self.cluster.remove_node(node)

    @contextlib.contextmanager
    def guest(self, name: str, product: str, **environment: str) -> Iterator[None]:
        """Have one more host for a while."""
        self.add(name, product, **environment)
        try:
            yield
        finally:
            self.remove(name)

    @contextlib.contextmanager
    def without(self, *names: str) -> Iterator[None]:
        """Do without some hosts for a while."""
        for name in names:
            self.remove(name)
        try:
            yield
        finally:
            for name in names:
                self.add(name, HOSTS[name])

    def processes(self, name: str, text: str = "") -> list[int]:
        """Return the processes of a host whose command line holds a text."""
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it may have ended meanwhile
                mark = f"{_MARK}={name}".encode()
                if mark in (path / "environ").read_bytes().split(b"\0") and (
                    text.encode() in (path / "cmdline").read_bytes()
                ):
                    found.append(int(path.name))
        return found

    def events_of(self, process: int) -> Path | None:
        """Return the file in which a program records; None if it has ended."""
        with contextlib.suppress(OSError, ValueError):
            words = Path(f"/proc/{process}/cmdline").read_text().split("\0")
            return Path(words[words.index("--events") + 1])
        return None

    def signal(self, name: str, number: signal.Signals, text: str = "") -> None:
        """Send a signal to the processes of a host whose command line holds a text."""
        for process in self.processes(name, text):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start the command line at home, which has no devices."""
        command = (
            "from aclnn_cts.run import host_health\n"
            f"host_health.SLOW_SECONDS = {self.patience}\n"
            "from aclnn_cts.entry import main; main()"
        )
        return subprocess.Popen(
            [sys.executable, "-c", command, *arguments],
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def end(self, process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
        """Wait for a process that was started."""
        with process:
            out, err = process.communicate(timeout=_SECONDS)
        assert "Traceback" not in err, err
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command line to its end."""
        return self.end(self.start(*arguments))


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until something is the case."""
    deadline = time.monotonic() + _SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def verdicts_of(folder: Path) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return verdict and broken clauses of each case, by id."""
    return {case.id: (case.verdict, case.broken) for case in read_results(folder).cases}


def records_of(folder: Path) -> list[dict[str, Any]]:
    """Return what the journal says of each process."""
    lines = (folder / "journal.jsonl").read_text().splitlines()
    records = [json.loads(line)["record"] for line in lines]
    return [each["program"] for each in records if each["event"] == "program"]


@pytest.fixture
def room(all_hosts: Room) -> Room:
    """The cluster with all of its hosts, though a test that failed may have left fewer."""
    for name, product in HOSTS.items():
        if not all_hosts.processes(name, "raylet/raylet"):
            if name in all_hosts.hosts:
                all_hosts.remove(name)
            all_hosts.add(name, product)
    return all_hosts


@pytest.fixture(scope="session")
def all_hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A head, two hosts of one product and one of another."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - only tox -e services has it

    cluster = Cluster(
        initialize_head=True,
        head_node_args={
            "num_cpus": 0,
            "include_dashboard": False,
            "object_store_memory": 80 << 20,
            "_system_config": {
                # A host counts as dead after ten seconds, not after half a minute.
                "health_check_period_ms": 1000,
                "health_check_timeout_ms": 2000,
                "health_check_failure_threshold": 10,
                # Else a busy machine has no time for Ray's workers.
                "worker_niceness": 0,
            },
        },
    )
    root = tmp_path_factory.mktemp("room")
    card = root / "card.so"
    source = Path(__file__).with_name("card.cpp")
    command = [find_compiler().path, "-shared", "-fPIC", str(source), "-o", str(card), "-ldl"]
    subprocess.run(command, check=True)
    made = Room(root, cluster)
    with pytest.MonkeyPatch.context() as patched:
        # Ray has its own library there unless it inherits one, and keeps either from workers.
        patched.setenv("LD_PRELOAD", str(card))
        patched.setenv("RAY_LD_PRELOAD_ON_WORKERS", "1")
        try:
            yield made
        finally:
            for name in list(made.hosts):
                made.signal(name, signal.SIGCONT)
            cluster.shutdown()


@pytest.fixture
def alone(room: Room) -> Callable[..., dict[str, tuple[str, tuple[str, ...]]]]:
    """Return what tells the verdicts of a local run with the same options; each is made once."""

    def verdicts(*options: str) -> dict[str, tuple[str, tuple[str, ...]]]:
        if options not in room.alone:
            folder = room.root / f"alone-{len(room.alone)}"
            done = room.run("run", "--simulator", *options, "--results", str(folder))
            assert (folder / "results.json").is_file(), done.stderr
            room.alone[options] = folder
        return verdicts_of(room.alone[options])

    return verdicts
