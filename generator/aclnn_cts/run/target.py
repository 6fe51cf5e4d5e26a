# SPDX-License-Identifier: Apache-2.0
"""What a run will use: the toolkit, the product that its device is, and the devices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.run.build import build_probe, build_simulator, find_compiler
from aclnn_cts.run.libraries import loader_environment
from aclnn_cts.run.probe import Answer, Tried, ask_devices
from aclnn_cts.run.products import check_product, product_of
from aclnn_cts.run.releases import INSTALLATION
from aclnn_cts.run.toolkit import Toolkit, real_toolkit
from aclnn_cts.run.toolkit_search import VARIABLES, FoundToolkit, find_toolkit
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite

VISIBLE = "ASCEND_RT_VISIBLE_DEVICES"

DEFAULT_PRODUCT = "atlas-a2"
"""What the simulated device is, unless somebody says otherwise."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Wish:
    """What the user asked for; what is left open is empty.

    Attributes:
        cann: A toolkit's folder.
        simulator: Whether it must be the simulated device.
        product: The product's id.
        devices: Numbers of devices.
    """

    cann: Path | None = None
    simulator: bool = False
    product: str | None = None
    devices: tuple[int, ...] = ()


@dataclass(frozen=True)
class Target:
    """What a run uses.

    Attributes:
        cann: A real toolkit's folder; None for the simulated device.
        product: The product's id.
        devices: Numbers of the devices; empty for the simulated one if none were asked for.
    """

    cann: Path | None
    product: str
    devices: tuple[int, ...]


def choose_toolkit(wish: Wish, environment: Mapping[str, str], say: Say) -> FoundToolkit | None:
    """Return the toolkit to use, after saying why; None for the simulated device.

    Raises:
        WrongInputError: The folder that was named holds no toolkit for this host.
    """
    if wish.simulator:
        return None
    if wish.cann is not None:
        return FoundToolkit(real_toolkit(wish.cann), "--cann")
    found = find_toolkit(environment)
    if found is None:
        say(
            f"no CANN toolkit found ({VARIABLES[0]} is not set, none below {INSTALLATION}): "
            "running on the simulated device"
        )
    else:
        say(
            f"using the toolkit at {found.toolkit.root} (from {found.origin}); "
            "--simulator runs on the simulated device"
        )
    return found


def known_product(wish: Wish, found: FoundToolkit | None) -> str | None:
    """Return the product of a run on a toolkit; None if its device has to be asked."""
    return wish.product or (DEFAULT_PRODUCT if found is None else None)


def choose_target(
    suite: Suite, specs: SpecSet, wish: Wish, environment: Mapping[str, str], say: Say
) -> Target:
    """Find out on what a run will run; raises as the two functions that it calls."""
    found = choose_toolkit(wish, environment, say)
    return target_of(suite, specs, wish, found, environment, say)


def target_of(
    suite: Suite,
    specs: SpecSet,
    wish: Wish,
    found: FoundToolkit | None,
    environment: Mapping[str, str],
    say: Say,
) -> Target:
    """Ask the devices of a toolkit, None for the simulated device, what a run can use.

    Raises:
        WrongInputError: There is no such product, or a device does not exist.
        NotTrustworthyError: The probe does not build, no device can be used, or it is another
            product than the one that was asked for.
    """
    if wish.product is not None:
        specs.product(wish.product)
    if found is None:
        return _simulated(suite, specs, wish, environment)
    devices = wish.devices or (0,)
    answer = _ask(suite, found.toolkit, environment, devices)
    _check_devices(answer, devices, environment)
    if not wish.devices and answer.devices > 1:
        say(
            f"{answer.devices} devices are visible; using device 0 "
            f"(--devices 0-{answer.devices - 1} uses all of them)"
        )
    product = wish.product or product_of(specs, answer.soc)
    check_product(specs, answer.soc, product)
    if wish.product is None:
        say(f"the device is {answer.soc}: testing what is promised for {product}")
    return Target(found.toolkit.root, product, devices)


def _simulated(suite: Suite, specs: SpecSet, wish: Wish, environment: Mapping[str, str]) -> Target:
    product = wish.product or DEFAULT_PRODUCT
    if wish.devices:
        toolkit = build_simulator(suite, find_compiler())
        played = {**environment, "ACLNN_SIM_SOC": specs.product(product).simulated_soc}
        _check_devices(_ask(suite, toolkit, played, wish.devices), wish.devices, environment)
    return Target(None, product, wish.devices)


def _ask(
    suite: Suite, toolkit: Toolkit, environment: Mapping[str, str], devices: Sequence[int]
) -> Answer:
    probe = build_probe(suite, find_compiler(), toolkit)
    return ask_devices(probe, loader_environment(toolkit, environment), devices)


def _check_devices(answer: Answer, devices: Sequence[int], environment: Mapping[str, str]) -> None:
    visible = environment.get(VISIBLE)
    limited = f" ({VISIBLE} is {visible!r})" if visible is not None else ""
    if answer.devices == 0:
        raise NotTrustworthyError(
            f"the runtime sees no device{limited}; see whether `npu-smi info` shows one, "
            "or run with --simulator"
        )
    beyond = next((number for number in devices if number >= answer.devices), None)
    if beyond is not None:
        raise WrongInputError(
            f"--devices: there is no device {beyond}; {answer.devices} visible{limited}, "
            f"numbered from 0 to {answer.devices - 1}"
        )
    refused = next((each for each in answer.tried if each.status != 0), None)
    if refused is not None:
        raise NotTrustworthyError(device_refusal(refused))


def device_refusal(tried: Tried) -> str:
    """Return the sentence for a device that the runtime does not give."""
    reason = f", {tried.message.splitlines()[0]}" if tried.message else ""
    return (
        f"device {tried.number} cannot be used: aclrtSetDevice returned {tried.status}{reason}; "
        "another process may hold it (`npu-smi info` shows which): wait for it, or choose others "
        "with --devices"
    )
