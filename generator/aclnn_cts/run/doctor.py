# SPDX-License-Identifier: Apache-2.0
"""Checks whether a host can run cases, in order of use."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Literal

from aclnn_cts.errors import CtsError, NotTrustworthyError
from aclnn_cts.run.build import build_probe, find_compiler, tool_path
from aclnn_cts.run.devices import (
    VISIBLE,
    Answer,
    ask_devices,
    choose_toolkit,
    device_refusal,
    product_of,
)
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.toolkit import (
    FoundToolkit,
    Holding,
    Toolkit,
    beside_others,
    holding_of,
    installed_version,
    linked_libraries,
    loader_environment,
    machine_of,
    operator_libraries,
    without_side_calls,
)
from aclnn_cts.run.toolkit_layout import CUSTOM, INSTALLATION, VARIABLES
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite


class Level(str, Enum):
    """Severity of a finding."""

    OK = "ok"
    WARN = "warn"
    """A run is possible, but incomplete or perhaps not the intended one."""
    MISSING = "missing"
    """No run is possible until this is fixed."""


@dataclass(frozen=True)
class Finding:
    """One line of output.

    Attributes:
        topic: The subject of the check.
        advice: What to do; empty if all is well.
    """

    topic: str
    level: Level
    what: str
    advice: str = ""


def ok(topic: str, what: str) -> Finding:
    return Finding(topic, Level.OK, what)


def warn(topic: str, what: str, advice: str) -> Finding:
    return Finding(topic, Level.WARN, what, advice)


def missing(topic: str, what: str, advice: str) -> Finding:
    return Finding(topic, Level.MISSING, what, advice)


def split_advice(topic: str, sentence: str) -> Finding:
    """Convert an error into a finding; the advice follows the semicolon in its message."""
    what, _, advice = sentence.partition("; ")
    return missing(topic, what, advice)


GIGABYTE = 10**9
LEAST_FREE, ENOUGH_FREE = GIGABYTE // 2, 2 * GIGABYTE
"""Bytes. Builds and the standard tier's inputs take some 400 MB, the full tier far more."""


def check_compiler() -> Finding:
    """Look for a compiler, and try C++17 with it."""
    try:
        compiler = find_compiler()
    except NotTrustworthyError as error:
        what, _, advice = str(error).partition(": ")
        return missing("compiler", what, advice)
    return ok("compiler", f"{compiler.version} ({compiler.path})")


def check_tool(name: str, arguments: Sequence[str] = ("--version",)) -> Finding:
    """Look for a build tool, and start it."""
    try:
        path = tool_path(name)
        result = subprocess.run(  # noqa: S603
            [path, *arguments], capture_output=True, text=True, errors="replace", check=False
        )
    except NotTrustworthyError as error:
        return split_advice(name, str(error))
    except OSError as error:
        return missing(name, f"cannot be started: {error}", f"install it with: pip install {name}")
    if result.returncode != 0:
        return missing(name, f"{path} does not run", f"install it with: pip install {name}")
    return ok(name, f"{result.stdout.splitlines()[0]} ({path})" if result.stdout else path)


def check_room(topic: str, folder: Path) -> Finding:
    """Check whether a folder, which need not exist yet, is writable and has room.

    Args:
        topic: What the folder is for.
    """
    existing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        return missing(
            topic,
            f"{folder} cannot be written to",
            "choose another folder; for the cache with ACLNN_CTS_CACHE",
        )
    free = shutil.disk_usage(existing).free
    what = f"{folder}, {free / GIGABYTE:.1f} GB free"
    if free < LEAST_FREE:
        return missing(topic, what, f"free some space: a run needs {LEAST_FREE / GIGABYTE:.1f} GB")
    if free < ENOUGH_FREE:
        return warn(topic, what, "enough for the smoke tier; free some space for higher ones")
    return ok(topic, what)


KERNELS = "ASCEND_OPP_PATH"
"""Set by ``set_env.sh``; the toolkit's operators look for their kernels there."""


def check_toolkit(choice: FoundToolkit) -> Finding:
    toolkit = choice.toolkit
    machine = machine_of(toolkit.libraries / "libascendcl.so")
    what = (
        f"{toolkit.root} (from {choice.origin}), release {toolkit.version or 'unknown'}, "
        f"for {machine} hosts; "
        f"headers in {toolkit.include_folder}, libraries in {toolkit.library_folder}"
    )
    if not toolkit.version:
        return warn(
            "toolkit", what, "no file of it states its release, so results will not name it either"
        )
    return ok("toolkit", what)


def check_variables(toolkit: Toolkit, environment: Mapping[str, str]) -> Finding:
    """Check whether ``set_env.sh`` of this toolkit was read."""
    scripts = (folder / "set_env.sh" for folder in (toolkit.root, toolkit.root.parent))
    script = next((f". {path}" for path in scripts if path.is_file()), "the toolkit's set_env.sh")
    advice = f"read {script}"
    kernels = environment.get(KERNELS)
    if not kernels:
        return warn("set_env.sh", f"was not read: {KERNELS} is not set", advice)
    # In a folder of links, such as latest, the kernels are elsewhere.
    same = Path(kernels).resolve() == (toolkit.root / "opp").resolve()
    if not same and not Path(kernels).is_relative_to(toolkit.root):
        return warn("set_env.sh", f"is another toolkit's: {KERNELS} is {kernels}", advice)
    return ok("set_env.sh", f"was read: {KERNELS} is {kernels}")


def check_specs(specs: SpecSet) -> Iterator[Finding]:
    """Report drafts and invalid specs, if the user has a folder of specs."""
    for operator, error in specs.invalid.items() if specs.folders else ():
        first, *rest = str(error).splitlines()
        more = f" and {len(rest)} more" if rest else ""
        yield warn(operator, f"{first}{more}", "complete the spec; until then nothing runs it")


def check_operators(toolkit: Toolkit, specs: SpecSet) -> tuple[Finding, ...]:
    """Look for each operator's header, and for its two functions in the libraries."""
    holdings = [holding_of(toolkit, spec) for spec in specs.operators.values()]
    any_complete = any(not holding.lacking for holding in holdings)
    names = ", ".join(_library(path, toolkit) for path in operator_libraries(toolkit))
    libraries = (
        ok("libraries", names)
        if names
        else missing(
            "libraries",
            f"no libopapi*.so in {toolkit.libraries}",
            "install the toolkit's operator package; the runtime alone is not enough",
        )
    )
    beside = beside_others(specs)
    return (
        libraries,
        *(_operator(h, toolkit, beside, others_complete=any_complete) for h in holdings),
    )


def _library(path: Path, toolkit: Toolkit) -> str:
    """Return the name of a toolkit's library, or the path of a custom package's."""
    return path.name if path.parent == toolkit.libraries else str(path)


def _operator(
    holding: Holding, toolkit: Toolkit, beside: Collection[str], *, others_complete: bool
) -> Finding:
    if not holding.lacking:
        places = ", ".join(_library(path, toolkit) for path in holding.libraries)
        what = f"header there, both phases in {places}"
        if holding.hidden:
            others = ", ".join(_library(path, toolkit) for path in holding.hidden)
            return warn(
                holding.operator,
                f"{what}; also in {others}, which is not tested",
                f"to test that, leave the other out of {CUSTOM}",
            )
        return ok(holding.operator, what)
    what = f"lacks {', '.join(holding.lacking)}"
    if others_complete:
        others = "choose others with --operator"
        if holding.operator in beside:
            others += f" and {without_side_calls([holding.operator])}"
        return warn(holding.operator, what, f"{others}, or a release that has it")
    return missing(holding.operator, what, "install a release that has it")


def check_release(topic: Literal["driver", "firmware"], installation: Path) -> Finding:
    if version := installed_version(topic, installation):
        return ok(topic, version)
    return warn(
        topic,
        f"no version.info below {installation / topic}",
        f"install it; if it is elsewhere, as in a container, results will not name the {topic}",
    )


def check_loading(linked: Mapping[str, Path | None]) -> Finding:
    """Check that the loader finds the runtime's libraries; report the runtime that it uses."""
    missing_names = [name for name, path in linked.items() if path is None]
    if missing_names:
        return missing(
            "loading",
            f"the runtime needs {', '.join(sorted(missing_names))}, not found",
            "install the driver, and read its setenv.bash and the toolkit's set_env.sh",
        )
    runtime = linked.get("libascendcl.so")
    return ok(
        "loading", f"all {len(linked)} libraries that the runtime needs are found; it is {runtime}"
    )


def check_devices(answer: Answer, environment: Mapping[str, str]) -> tuple[Finding, ...]:
    """Report how many devices there are, and which of them cannot be used."""
    limit = environment.get(VISIBLE)
    limit_text = "" if limit is None else f"; {VISIBLE} is {limit!r}"
    if answer.devices == 0:
        advice = "see whether `npu-smi info` shows one, and whether you may open /dev/davinci*"
        return (missing("devices", f"the runtime sees none{limit_text}", advice),)
    refused = [trial for trial in answer.trials if trial.status != 0]
    usable = answer.devices - len(refused)
    memory = "" if answer.memory is None else f", {answer.memory / GIGABYTE:.1f} GB of memory free"
    what = f"{answer.devices} visible, {usable} can be used{memory}{limit_text}"
    if not usable:
        return (missing("devices", what, device_refusal(refused[0]).partition("; ")[2]),)
    findings = [ok("devices", what)]
    for trial in refused:
        sentence, _, advice = device_refusal(trial).partition("; ")
        findings.append(warn("devices", sentence, advice))
    return tuple(findings)


def check_product(answer: Answer, specs: SpecSet) -> Finding:
    """Report the device's product, and how many operators are promised for it."""
    try:
        product = product_of(specs, answer.soc)
    except NotTrustworthyError as error:
        return split_advice("product", str(error))
    tested = specs.tested_operators
    promised = [spec.operator for spec in tested if spec.supports(product)]
    what = f"{answer.soc} is {product}; promised operators: {len(promised)} of {len(tested)}"
    if not promised:
        return warn("product", what, "a run checks only that each operator refuses its calls")
    return ok("product", what)


@dataclass(frozen=True)
class Host:
    """The subjects of the checks.

    Attributes:
        cann: The toolkit's folder that the user named; empty to look for one.
        folder: Where results would go.
        installation: Where driver and firmware are installed.
    """

    suite: Suite
    specs: SpecSet
    environment: Mapping[str, str]
    cann: str
    folder: Path
    installation: Path = INSTALLATION


def examine(host: Host) -> Iterator[Finding]:
    """Check everything that a run needs; yield each finding as soon as it is known."""
    yield ok("Python", f"{platform.python_version()} on {platform.machine()}")
    compiler = check_compiler()
    yield compiler
    tools = [check_tool("cmake"), check_tool("ninja")]
    yield from tools
    yield check_room("cache", host.suite.cache)
    yield check_room("results", host.folder)
    yield from check_specs(host.specs)
    try:
        choice = choose_toolkit(RunConfig(cann=host.cann), host.environment, lambda _: None)
    except CtsError as error:
        yield split_advice("toolkit", str(error))
        return
    if choice is None:
        yield warn(
            "toolkit",
            f"none: {VARIABLES[0]} is not set, none below {INSTALLATION}; "
            "runs use the simulated device",
            "install the CANN toolkit and read its set_env.sh, or name its folder with --cann",
        )
        return
    yield check_toolkit(choice)
    yield check_variables(choice.toolkit, host.environment)
    yield from check_operators(choice.toolkit, host.specs)
    yield check_release("driver", host.installation)
    yield check_release("firmware", host.installation)
    if all(finding.level is Level.OK for finding in (compiler, *tools)):
        yield from _check_programs(host, choice.toolkit)


def _check_programs(host: Host, toolkit: Toolkit) -> Iterator[Finding]:
    """Run the checks that build and start a program."""
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
