# SPDX-License-Identifier: Apache-2.0
"""The devices of a run: their number and product, and the choice among them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.run.build import build_probe, build_simulator, find_compiler
from aclnn_cts.run.process import start_command
from aclnn_cts.run.run_config import RunConfig
from aclnn_cts.run.toolkit import (
    FoundToolkit,
    Toolkit,
    find_toolkit,
    loader_environment,
    real_toolkit,
)
from aclnn_cts.run.toolkit_layout import INSTALLATION, VARIABLES
from aclnn_cts.spec.clause_models import Strict
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.products import product_of_soc
from aclnn_cts.suite import Suite
from aclnn_cts.validation_messages import json_damage

_SECONDS = 120.0
"""A card takes a second or two to be set; a host may have sixteen."""

_NOT_LOADED = re.compile(r"error while loading shared libraries: (?P<library>[^\s:]+)")


class _Count(Strict):
    event: Literal["count"]
    devices: int


class _Device(Strict):
    model_config = ConfigDict(extra="ignore")
    event: Literal["device"]
    soc: str
    cann: str


class Trial(Strict):
    """The result of aclrtSetDevice for one device."""

    event: Literal["tried"]
    number: int
    status: int
    message: str


class _Memory(Strict):
    event: Literal["memory"]
    number: int
    free: int


_ADAPTER: TypeAdapter[_Count | Trial | _Device | _Memory] = TypeAdapter(
    Annotated[_Count | Trial | _Device | _Memory, Field(discriminator="event")],
    config=ConfigDict(defer_build=True),
)


@dataclass(frozen=True)
class Answer:
    """The runtime's answer.

    Attributes:
        soc: The result of aclrtGetSocName; may be empty.
        cann: The version that the runtime reports; may be empty.
        memory: Least free memory of a device in bytes; None if unknown.
    """

    devices: int
    soc: str
    cann: str
    trials: tuple[Trial, ...]
    memory: int | None = None


def ask_devices(
    program: Path, environment: Mapping[str, str], devices: Sequence[int] | None
) -> Answer:
    """Ask the runtime for its devices, and try some of them.

    Args:
        program: The probe, built against the toolkit.
        devices: Numbers of the devices to try; None for all.

    Raises:
        NotTrustworthyError: The runtime cannot be loaded or started; says why.
    """
    arguments = ["--all"] if devices is None else [str(number) for number in devices]
    try:
        result = subprocess.run(  # noqa: S603
            [*start_command(program), *arguments],
            env=dict(environment),
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise NotTrustworthyError(
            f"the runtime did not list its devices within {_SECONDS:.0f} s; "
            "check whether `npu-smi info` answers, and reset the hanging device"
        ) from None
    except OSError as error:
        raise NotTrustworthyError(f"{program}: cannot be started: {error}") from None
    if result.returncode != 0:
        raise _refusal(result.returncode, result.stderr)
    return _answer(result.stdout)


def _refusal(code: int, stderr: str) -> NotTrustworthyError:
    missing = _NOT_LOADED.search(stderr)
    if missing:
        return NotTrustworthyError(
            f"the runtime cannot be loaded: {missing['library']} is not found; read the toolkit's "
            "set_env.sh and install the driver, then see `aclnn-cts doctor`"
        )
    lines = stderr.strip().splitlines()
    reason = lines[-1] if lines else f"exit status {code}"
    return NotTrustworthyError(
        f"the runtime does not start: {reason}; check that `npu-smi info` shows the devices"
    )


def _answer(text: str) -> Answer:
    try:
        lines = [_ADAPTER.validate_json(line) for line in text.splitlines() if line.startswith("{")]
    except ValidationError as error:
        raise NotTrustworthyError(
            f"the runtime's answer cannot be read: {json_damage(error, 'a line')}; "
            "run `aclnn-cts doctor`"
        ) from None
    devices = [line for line in lines if isinstance(line, _Device)]
    return Answer(
        devices=next((line.devices for line in lines if isinstance(line, _Count)), 0),
        soc=next((line.soc for line in reversed(devices) if line.soc), ""),
        cann=next((line.cann for line in reversed(devices) if line.cann), ""),
        trials=tuple(line for line in lines if isinstance(line, Trial)),
        memory=min((line.free for line in lines if isinstance(line, _Memory)), default=None),
    )


def product_of(specs: SpecSet, soc: str) -> str:
    """Return the id of the product that a SoC name belongs to.

    Raises:
        NotTrustworthyError: No product has this SoC name, or the name is empty.
    """
    product = product_of_soc(specs.products, soc)
    if product is not None:
        return product.id
    known = ", ".join(name for p in specs.products.values() for name in p.soc_prefixes)
    raise NotTrustworthyError(
        f"the device's SoC is {soc or 'unknown'}, which is not a product of the suite "
        f"(their names begin with {known}); add it to specs/products.yaml, or use another device"
    )


def check_product(specs: SpecSet, soc: str, product: str) -> None:
    """Check that a device is of the product that the cases test.

    Raises:
        NotTrustworthyError: It is of another product, or of an unknown one.
    """
    actual = product_of(specs, soc)
    if actual != product:
        raise NotTrustworthyError(
            f"the device's SoC is {soc}, which is {actual}; "
            f"the cases are for {product}: run with --product {actual}"
        )


def check_overflow_mode(specs: SpecSet, product: str, *, inf_nan: bool | None) -> None:
    """Check that a device's overflow mode matches the product's.

    Args:
        inf_nan: Whether the device reports Inf and NaN; None if unknown.

    Raises:
        NotTrustworthyError: It is in the other mode, which has other promises.
    """
    if inf_nan in (None, specs.products[product].inf_nan):
        return
    has, mode = ("has", "saturation") if inf_nan else ("has no", "Inf/NaN")
    raise NotTrustworthyError(
        f"the device's arithmetic {has} Inf and NaN, contrary to "
        f"specs/products.yaml for {product}; set the device's {mode} mode (CANN: "
        "aclrtSetDeviceSatMode) and run from the start, or correct inf_nan there"
    )


VISIBLE = "ASCEND_RT_VISIBLE_DEVICES"

DEFAULT_PRODUCT = "atlas-a2"
"""The simulated device's default product."""

Say = Callable[[str], None]


def choose_toolkit(
    config: RunConfig, environment: Mapping[str, str], say: Say
) -> FoundToolkit | None:
    """Choose and report the toolkit to use; None for the simulated device.

    Raises:
        WrongInputError: The folder that was named holds no toolkit for this host.
    """
    if config.simulator:
        return None
    if config.cann:
        return FoundToolkit(real_toolkit(Path(config.cann), environment=environment), "--cann")
    choice = find_toolkit(environment)
    if choice is None:
        say(
            f"no CANN toolkit found ({VARIABLES[0]} is not set, none below {INSTALLATION}): "
            "running on the simulated device"
        )
    else:
        say(
            f"using the toolkit at {choice.toolkit.root} (from {choice.origin}); "
            "--simulator runs on the simulated device"
        )
    return choice


def resolve(
    suite: Suite,
    specs: SpecSet,
    config: RunConfig,
    choice: FoundToolkit | None,
    environment: Mapping[str, str],
    say: Say,
) -> RunConfig:
    """Query the devices, and complete a run configuration with toolkit, product and devices.

    Args:
        choice: The toolkit; None for the simulated device.
        say: Receives messages about the choices.

    Returns:
        The configuration; for the simulated device, devices may stay empty.

    Raises:
        WrongInputError: There is no such product, or a device does not exist.
        NotTrustworthyError: The probe does not build, no device can be used, or it is of another
            product than the requested one.
    """
    if config.product:
        specs.product(config.product)
    if choice is None:
        product = config.product or DEFAULT_PRODUCT
        if config.devices:
            toolkit = build_simulator(suite, find_compiler())
            variables = {**environment, "ACLNN_SIM_SOC": specs.product(product).simulated_soc}
            answer = ask_toolkit(suite, toolkit, variables, config.devices)
            _check_devices(answer, config.devices, environment)
        return replace(config, product=product, cann="")
    devices = config.devices or (0,)
    answer = ask_toolkit(suite, choice.toolkit, environment, devices)
    _check_devices(answer, devices, environment)
    if not config.devices and answer.devices > 1:
        say(
            f"{answer.devices} devices are visible; using device 0 "
            f"(--devices 0-{answer.devices - 1} uses all of them)"
        )
    product = config.product or product_of(specs, answer.soc)
    check_product(specs, answer.soc, product)
    if not config.product:
        say(f"the device is {answer.soc}: testing the promises for {product}")
    cann = str(choice.toolkit.root)
    return replace(config, product=product, cann=cann, devices=devices, memory=answer.memory)


def ask_toolkit(
    suite: Suite,
    toolkit: Toolkit,
    environment: Mapping[str, str],
    devices: Sequence[int] | None,
    options: Sequence[str] = (),
) -> Answer:
    """Build the probe and ask the runtime for its devices."""
    probe = build_probe(suite, find_compiler(), toolkit, options)
    return ask_devices(probe, loader_environment(toolkit, environment), devices)


def _check_devices(answer: Answer, devices: Sequence[int], environment: Mapping[str, str]) -> None:
    visible = environment.get(VISIBLE)
    limited = f" ({VISIBLE} is {visible!r})" if visible is not None else ""
    if answer.devices == 0:
        raise NotTrustworthyError(
            f"the runtime sees no device{limited}; check that `npu-smi info` shows one, "
            "or run with --simulator"
        )
    beyond = next((number for number in devices if number >= answer.devices), None)
    if beyond is not None:
        raise WrongInputError(
            f"--devices: there is no device {beyond}; {answer.devices} visible{limited}, "
            f"numbered from 0 to {answer.devices - 1}"
        )
    refused = next((trial for trial in answer.trials if trial.status != 0), None)
    if refused is not None:
        raise NotTrustworthyError(device_refusal(refused))


def device_refusal(trial: Trial) -> str:
    reason = f", {trial.message.splitlines()[0]}" if trial.message else ""
    return (
        f"device {trial.number} cannot be used: aclrtSetDevice returned {trial.status}{reason}; "
        "another process may hold it (`npu-smi info` shows which): wait for it, or choose others "
        "with --devices"
    )
