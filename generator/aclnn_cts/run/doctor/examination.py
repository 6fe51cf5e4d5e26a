# SPDX-License-Identifier: Apache-2.0
"""The whole look at a host: each of its parts, in the order in which a run needs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.errors import CtsError
from aclnn_cts.run.build import build_probe, find_compiler
from aclnn_cts.run.doctor.devices import check_devices, check_product
from aclnn_cts.run.doctor.findings import Finding, Level, split_advice, warn
from aclnn_cts.run.doctor.host import check_compiler, check_python, check_room, check_tool
from aclnn_cts.run.doctor.installed import (
    check_driver,
    check_loading,
    check_operators,
    check_toolkit,
    check_variables,
)
from aclnn_cts.run.libraries import linked_libraries, loader_environment
from aclnn_cts.run.probe import ask_devices
from aclnn_cts.run.releases import INSTALLATION
from aclnn_cts.run.target import Wish, choose_toolkit
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.run.toolkit_search import VARIABLES
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite


@dataclass(frozen=True)
class Host:
    """What is looked at.

    Attributes:
        suite: The suite that is to run.
        specs: Its specs.
        environment: The environment's variables.
        cann: The toolkit's folder that the user named; None to look for one.
        folder: Where results would go.
        installation: Where driver and firmware are installed.
    """

    suite: Suite
    specs: SpecSet
    environment: Mapping[str, str]
    cann: Path | None
    folder: Path
    installation: Path = INSTALLATION


def examine(host: Host) -> Iterator[Finding]:
    """Look at everything that a run needs; yield each finding as soon as it is known."""
    yield check_python()
    compiler = check_compiler()
    yield compiler
    tools = [check_tool("cmake"), check_tool("ninja")]
    yield from tools
    yield check_room("cache", host.suite.cache)
    yield check_room("results", host.folder)
    try:
        found = choose_toolkit(Wish(cann=host.cann), host.environment, _say_nothing)
    except CtsError as error:
        yield split_advice("toolkit", str(error))
        return
    if found is None:
        yield warn(
            "toolkit",
            f"none: {VARIABLES[0]} is not set, none below {INSTALLATION}; "
            "runs use the simulated device",
            "install the CANN toolkit and read its set_env.sh, or name its folder with --cann",
        )
        return
    yield check_toolkit(found)
    yield check_variables(found.toolkit, host.environment)
    yield from check_operators(found.toolkit, host.specs)
    yield from check_driver(host.installation)
    if all(each.level is Level.OK for each in (compiler, *tools)):
        yield from _running(host, found.toolkit)


def _say_nothing(sentence: str) -> None:
    """Leave a sentence unsaid: the findings tell the same."""
    del sentence


def _running(host: Host, toolkit: Toolkit) -> Iterator[Finding]:
    """Look at what only a program that is built and started can tell."""
    variables = loader_environment(toolkit, host.environment)
    try:
        probe = build_probe(host.suite, find_compiler(), toolkit)
        loading = check_loading(linked_libraries(probe, variables))
        yield loading
        if loading.level is not Level.OK:
            return
        answer = ask_devices(probe, variables, None)
    except CtsError as error:
        yield split_advice("runtime", str(error))
        return
    yield from check_devices(answer, host.environment)
    if answer.devices:
        yield check_product(answer, host.specs)
