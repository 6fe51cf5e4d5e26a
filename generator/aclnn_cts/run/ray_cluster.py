# SPDX-License-Identifier: Apache-2.0
"""The hosts of a Ray cluster: connection, bundle, survey, and the engine that runs on them.

Hosts need Python, Ray and the dependencies of this package, but not this package: tasks bring it in
a bundle, an archive with the layout of the wheel. A host unpacks it once, under the name of its
digest. So all hosts run the code and the specs of home.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib
import io
import os
import signal
import socket
import sys
import threading
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

import aclnn_cts
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.run.environment import Environment, Prepared, require_same_libraries
from aclnn_cts.run.executor import Campaign, Executor
from aclnn_cts.run.fault_injection import Change
from aclnn_cts.run.ray_executor import Judge, RayExecutor, reason_of
from aclnn_cts.run.ray_host import RESOURCE, Host, Refusal, Survey, prepare_host, survey_host
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.products import product_of_soc
from aclnn_cts.suite import Suite

_CONNECT_SECONDS = 5.0
_SURVEY_SECONDS = 300.0
"""Includes compiling the probe, and the simulated device on a host without a toolkit."""
_PREPARE_SECONDS = 1800.0

_SHIPPED = ("specs", "operators", "harness", "simulator", "generated_tests")
_EPOCH = (1980, 1, 1, 0, 0, 0)

Say = Callable[[str], None]


def bundle_of(suite: Suite) -> bytes:
    """Return the archive of package and suite; the same content gives the same bytes."""
    package = Path(aclnn_cts.__file__).parent
    package_files = [(path, path.relative_to(package)) for path in package.rglob("*")]
    members = [(path, name) for path, name in package_files if "_suite" not in name.parts]
    for folder in _SHIPPED:
        root = suite.root / folder
        members += [
            (path, Path("_suite", folder, path.relative_to(root))) for path in root.rglob("*")
        ]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, name in sorted(members, key=lambda member: member[1]):
            if path.is_file() and "__pycache__" not in name.parts:
                info = zipfile.ZipInfo(str("aclnn_cts" / name), _EPOCH)
                archive.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return content.getvalue()


def _on_host(digest: str, bundle: list[Any], call: bytes) -> Iterator[Any]:
    """Unpack the bundle if it is missing, and run a function of its package on a host.

    Ray pickles this function by value, so it must not use anything else of this module.

    Args:
        bundle: The reference to its content, in a list so that Ray does not resolve it.
        call: The pickled function, a generator, and its arguments.
    """
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    cache = Path(os.environ.get("ACLNN_CTS_CACHE") or Path(home, "aclnn-cts"))
    root = cache / "bundles" / digest
    root.parent.mkdir(parents=True, exist_ok=True)
    with (root.parent / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not root.is_dir():
            content = ray.get(bundle[0])
            if hashlib.sha256(content).hexdigest() != digest:
                raise ValueError("the bundle was damaged on its way")
            work = root.with_suffix(".partial")
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                archive.extractall(work)
            work.replace(root)
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    importlib.import_module("aclnn_cts.cache").take(root.parent, digest)
    os.environ.pop("ACLNN_CTS_SUITE", None)  # import from the bundle
    function, arguments = ray.cloudpickle.loads(call)
    yield from function(*arguments)


@dataclass(frozen=True)
class SurveyedHost(Host):
    """A host with a known product."""

    product: str
    survey: Survey


class RayCluster:
    """An existing Ray cluster to which this process is connected.

    Attributes:
        stop: Set to end all campaigns on the cluster.
    """

    def __init__(self, address: str, suite: Suite) -> None:
        """Connect.

        Raises:
            WrongInputError: There is no cluster, or this host is not part of it.
        """
        _require_answer(address)
        # Ray would replace the signal handlers that treat SIGTERM like Ctrl-C.
        handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise WrongInputError(
                f"--ray {address}: cannot be joined: {' '.join(str(error).split())}; start Ray on "
                "this host, too: ray start --address=ADDRESS"
            ) from None
        finally:
            if threading.current_thread() is threading.main_thread():
                for number, handler in handlers.items():
                    signal.signal(number, handler)
        self.stop = threading.Event()
        content = bundle_of(suite)
        self._digest = hashlib.sha256(content).hexdigest()
        self._bundle = [ray.put(content)]
        # Hosts may lack this package, or have another version of it.
        ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
        self._function = ray.remote(_on_host)

    def close(self) -> None:
        """Leave the cluster; all tasks of this process end."""
        ray.shutdown()

    def call(
        self, host: Host, cards: int, function: Callable[..., Iterator[Any]], *arguments: Any
    ) -> Any:
        """Start a generator function of this package on a host; return the stream of its items.

        Args:
            arguments: Its arguments; Ray references must be in containers.
        """
        return self._function.options(
            num_cpus=0,
            resources={RESOURCE: cards} if cards else None,
            num_returns="streaming",
            max_retries=0,  # the executor decides on retries
            scheduling_strategy=NodeAffinitySchedulingStrategy(host.node, soft=False),
        ).remote(self._digest, self._bundle, ray.cloudpickle.dumps((function, arguments)))

    def hosts(self) -> tuple[Host, ...]:
        """Return the living hosts with cards, by name.

        Raises:
            NotTrustworthyError: None does.
        """
        nodes = [n for n in ray.nodes() if n["Alive"] and int(n["Resources"].get(RESOURCE, 0))]
        counts = Counter(map(_name, nodes))
        hosts = []
        for node in nodes:
            name, number = _name(node), node["NodeID"]
            unique = name if counts[name] == 1 else f"{name}-{number[:6]}"
            hosts.append(Host(number, unique, int(node["Resources"][RESOURCE])))
        if not hosts:
            raise NotTrustworthyError(
                f"no host of the Ray cluster offers the resource {RESOURCE}; start its hosts with "
                "`ray start --address=ADDRESS --resources='{\"NPU\": 8}'` if Ray does not detect "
                "the cards"
            )
        return tuple(sorted(hosts, key=lambda host: host.name))

    def alive(self) -> set[str]:
        """Return the ids of the living hosts."""
        return {node["NodeID"] for node in ray.nodes() if node["Alive"]}

    def ask_all(
        self,
        hosts: Sequence[Host],
        seconds: float,
        function: Callable[..., Iterator[Any]],
        arguments: Mapping[str, tuple[Any, ...]],
    ) -> dict[str, Any]:
        """Call a function on each host; return the answers by node, Refusal for a failure."""
        streams = {self.call(host, 0, function, *arguments[host.node]): host.node for host in hosts}
        silent = Refusal(f"it did not answer within {seconds:.0f} s")
        answers: dict[str, Any] = dict.fromkeys(arguments, silent)
        ready, _ = ray.wait(list(streams), num_returns=len(streams), timeout=seconds)
        for stream in ready:
            try:
                answers[streams[stream]] = ray.get(next(stream))
            except ray.exceptions.RayError as error:  # noqa: PERF203 - each host by itself
                answers[streams[stream]] = Refusal(reason_of(error))
        return answers

    def by_product(
        self, config: RunConfig, specs: SpecSet, products: Sequence[str], version: str, say: Say
    ) -> dict[str, tuple[SurveyedHost, ...]]:
        """Survey all hosts; return the usable ones by product.

        Args:
            config: The requested toolkit.
            products: The products' ids; all if it is empty.
            version: The required version of CANN; if empty, any, but the same on all hosts.
            say: Receives messages about hosts that are left out.

        Raises:
            NotTrustworthyError: No host of a product can be used, or their versions of CANN differ.
            WrongInputError: No host has the version.
        """
        hosts = self.hosts()
        answers = self.ask_all(
            hosts, _SURVEY_SECONDS, survey_host, {host.node: (config,) for host in hosts}
        )
        usable: list[SurveyedHost] = []
        for host in hosts:
            answer = answers[host.node]
            product = None
            if isinstance(answer, Survey):
                product = product_of_soc(specs.products, answer.soc)
                reason = f"its device is {answer.soc}, which is not a product of the suite"
            else:
                reason = answer.sentence
            if product is None:
                say(f"host {host.name} is skipped: {reason}")
            else:
                usable.append(SurveyedHost(host.node, host.name, host.cards, product.id, answer))
        if not usable:
            raise NotTrustworthyError(
                "no host of the Ray cluster can run cases; see `aclnn-cts doctor` on one of them"
            )
        hosts_of: dict[str, list[SurveyedHost]] = {}
        for surveyed in usable:
            hosts_of.setdefault(surveyed.product, []).append(surveyed)
        for name in products:
            if name not in hosts_of:
                others = "; ".join(f"{host.name} is {host.product}" for host in usable)
                raise NotTrustworthyError(f"no host of the Ray cluster is {name}: {others}")
        names = products or sorted(hosts_of)
        fitting = _of_one_version([host for name in names for host in hosts_of[name]], version)
        chosen = {name: tuple(h for h in fitting if h.product == name) for name in names}
        if empty := next((name for name in names if not chosen[name]), None):
            raise NotTrustworthyError(f"no host of {empty} has CANN {version}; leave it out")
        return chosen


def _of_one_version(hosts: Sequence[SurveyedHost], version: str) -> tuple[SurveyedHost, ...]:
    by_version: dict[str, list[SurveyedHost]] = {}
    for host in hosts:
        by_version.setdefault(host.survey.cann, []).append(host)
    versions = "; ".join(
        f"{cann or 'unknown'} on {', '.join(host.name for host in version_hosts)}"
        for cann, version_hosts in sorted(by_version.items())
    )
    if version:
        if version not in by_version:
            raise WrongInputError(f"--cann-version: no host has CANN {version}: {versions}")
        return tuple(by_version[version])
    if len(by_version) > 1:
        raise NotTrustworthyError(
            f"the hosts have several versions of CANN ({versions}); results of two releases do not "
            "mix: name one with --cann-version"
        )
    return tuple(hosts)


def _name(node: Mapping[str, Any]) -> str:
    """Return the name of a host by `ray start --node-name`, or else its host name."""
    name = str(node["NodeName"])
    return str(node["NodeManagerHostname"]) if name == node["NodeManagerAddress"] else name


def _require_answer(address: str) -> None:
    """Refuse an address without a listener; Ray would try for a minute."""
    if address == "auto":
        return
    name, _, port = address.rpartition(":")
    if "//" in address or not name or not port.isdigit():
        raise WrongInputError(
            f"--ray {address}: is not an address; give HOST:PORT of the cluster's head, or auto "
            "on one of its hosts"
        )
    try:
        socket.create_connection((name, int(port)), _CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise WrongInputError(
            f"--ray {address}: no Ray cluster answers ({error}); `ray status --address={address}` "
            "on the head shows details"
        ) from None


class RayEngine:
    """Runs the cases of one product on hosts of a cluster; see :class:`RayExecutor`."""

    def __init__(
        self, cluster: RayCluster, hosts: Sequence[SurveyedHost], judge: Judge, say: Say
    ) -> None:
        """Create an engine; ``say`` receives messages about the hosts."""
        self._cluster = cluster
        self._judge = judge
        self._hosts = {host.node: host for host in hosts}
        self._say = say
        self._prepared: dict[str, Prepared] = {}

    def prepare(
        self,
        suite: Suite,
        specs: SpecSet,
        config: RunConfig,
        operators: Sequence[str],
        change: Change | None = None,
    ) -> Prepared:
        """Build missing programs on each host; as :func:`aclnn_cts.run.environment.prepare`.

        Raises:
            NotTrustworthyError: No host can, or the libraries of two hosts differ.
        """
        del suite  # hosts use the bundle's suite
        arguments = {
            node: (
                specs.edition,
                replace(config, cann=host.survey.toolkit, memory=host.survey.memory),
                operators,
                change,
            )
            for node, host in self._hosts.items()
        }
        answers = self._cluster.ask_all(
            list(self._hosts.values()), _PREPARE_SECONDS, prepare_host, arguments
        )
        for node, answer in answers.items():
            if isinstance(answer, Refusal):
                self._say(f"host {self._hosts[node].name} is skipped: {answer.sentence}")
            else:
                self._prepared[node] = answer
        if not self._prepared:
            reason = next(answer.sentence for answer in answers.values())
            raise NotTrustworthyError(f"no host could build the programs: {reason}")
        first, *others = self._prepared.values()
        for other in others:
            require_same_libraries(first.environment, other.environment)
        return replace(
            first,
            environment=self._environment(),
            memory=min((p.memory for p in self._prepared.values() if p.memory), default=None),
        )

    def _environment(self) -> Environment:
        """Return the environment that all hosts share, with their names."""
        environments = [prepared.environment for prepared in self._prepared.values()]
        return replace(
            environments[0],
            host=", ".join(self._hosts[node].name for node in self._prepared),
            driver=", ".join(sorted({each.driver for each in environments} - {""})),
            firmware=", ".join(sorted({each.firmware for each in environments} - {""})),
        )

    def executor(self, campaign: Campaign) -> Executor:
        hosts = {node: self._hosts[node] for node in self._prepared}
        return RayExecutor(campaign, self._cluster, hosts, self._prepared, self._judge, self._say)
