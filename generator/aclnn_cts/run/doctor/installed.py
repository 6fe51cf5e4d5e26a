# SPDX-License-Identifier: Apache-2.0
"""What a run needs of a toolkit and its driver, as far as files and variables tell it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from aclnn_cts.run.doctor.findings import Finding, missing, ok, warn
from aclnn_cts.run.elf import machine_of
from aclnn_cts.run.releases import driver_version, firmware_version
from aclnn_cts.run.toolkit import Toolkit
from aclnn_cts.run.toolkit_search import FoundToolkit, Holding, holding_of, operator_libraries
from aclnn_cts.spec.loading import SpecSet

KERNELS = "ASCEND_OPP_PATH"
"""Set by ``set_env.sh``; the toolkit's operators look for their kernels there."""


def check_toolkit(found: FoundToolkit) -> Finding:
    """Tell which toolkit it is."""
    toolkit = found.toolkit
    machine = machine_of(toolkit.libraries / "libascendcl.so")
    what = (
        f"{toolkit.root} (from {found.origin}), release {toolkit.version or 'unknown'}, "
        f"for {machine} hosts; "
        f"headers in {toolkit.include_folder}, libraries in {toolkit.library_folder}"
    )
    if not toolkit.version:
        return warn(
            "toolkit", what, "no file of it tells its release, so results will not name it, either"
        )
    return ok("toolkit", what)


def check_variables(toolkit: Toolkit, environment: Mapping[str, str]) -> Finding:
    """Look whether ``set_env.sh`` was read, and whether it was this toolkit's."""
    scripts = (folder / "set_env.sh" for folder in (toolkit.root, toolkit.root.parent))
    script = next((f". {path}" for path in scripts if path.is_file()), "the toolkit's set_env.sh")
    advice = f"read {script}"
    kernels = environment.get(KERNELS)
    if not kernels:
        return warn("set_env.sh", f"was not read: {KERNELS} is not set", advice)
    # In a folder of links, such as latest, the kernels' own place is in another one.
    same = Path(kernels).resolve() == (toolkit.root / "opp").resolve()
    if not same and not Path(kernels).is_relative_to(toolkit.root):
        return warn("set_env.sh", f"is another toolkit's: {KERNELS} is {kernels}", advice)
    return ok("set_env.sh", f"was read: {KERNELS} is {kernels}")


def check_operators(toolkit: Toolkit, specs: SpecSet) -> tuple[Finding, ...]:
    """Look for each operator's header, and for its two functions in the libraries."""
    holdings = [holding_of(toolkit, spec) for spec in specs.operators.values()]
    whole = any(not holding.lacking for holding in holdings)
    names = ", ".join(path.name for path in operator_libraries(toolkit))
    libraries = (
        ok("libraries", names)
        if names
        else missing(
            "libraries",
            f"no libopapi*.so in {toolkit.libraries}",
            "install the toolkit's operator package; the runtime alone is not enough",
        )
    )
    return (libraries, *(_operator(holding, whole=whole) for holding in holdings))


def _operator(holding: Holding, *, whole: bool) -> Finding:
    if not holding.lacking:
        places = ", ".join(path.name for path in holding.libraries)
        return ok(holding.operator, f"header there, both phases in {places}")
    what = f"lacks {', '.join(holding.lacking)}"
    if whole:
        return warn(
            holding.operator, what, "choose others with --operator, or a release that has it"
        )
    return missing(holding.operator, what, "install a release that has it")


def check_driver(installation: Path) -> tuple[Finding, ...]:
    """Tell the releases of driver and firmware."""
    return (
        _release("driver", driver_version(installation), installation),
        _release("firmware", firmware_version(installation), installation),
    )


def _release(topic: str, version: str, installation: Path) -> Finding:
    if version:
        return ok(topic, version)
    return warn(
        topic,
        f"no version.info below {installation / topic}",
        f"install it; if it is elsewhere, as in a container, results will not name the {topic}",
    )


def check_loading(linked: Mapping[str, Path | None]) -> Finding:
    """Look whether the loader finds all that the runtime needs; tell whose runtime it takes."""
    lost = [name for name, path in linked.items() if path is None]
    if lost:
        return missing(
            "loading",
            f"the runtime needs {_listed(lost)}, not found",
            "install the driver, and read its setenv.bash and the toolkit's set_env.sh",
        )
    runtime = linked.get("libascendcl.so")
    return ok(
        "loading", f"all {len(linked)} libraries that the runtime needs are found; it is {runtime}"
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
