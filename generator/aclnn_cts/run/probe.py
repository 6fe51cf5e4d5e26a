# SPDX-License-Identifier: Apache-2.0
"""Asking a toolkit's runtime which devices there are, before anything is run on them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.json_wording import json_damage

_SECONDS = 120.0
"""A card takes a second or two to be set; a host may have sixteen."""

_NOT_LOADED = re.compile(r"error while loading shared libraries: (?P<library>[^\s:]+)")


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Count(_Line):
    event: Literal["count"]
    devices: int


class _Device(_Line):
    model_config = ConfigDict(extra="ignore", frozen=True)
    event: Literal["device"]
    soc: str
    cann: str


class Tried(_Line):
    """How aclrtSetDevice answered for one device."""

    event: Literal["tried"]
    number: int
    status: int
    message: str


_ADAPTER: TypeAdapter[_Count | Tried | _Device] = TypeAdapter(
    Annotated[_Count | Tried | _Device, Field(discriminator="event")]
)


@dataclass(frozen=True)
class Answer:
    """What the runtime said.

    Attributes:
        devices: How many devices it sees.
        soc: What aclrtGetSocName said; empty if it said nothing.
        cann: The version that the runtime tells of itself; may be empty.
        tried: The devices that were tried.
    """

    devices: int
    soc: str
    cann: str
    tried: tuple[Tried, ...]


def ask_devices(
    program: Path, environment: Mapping[str, str], wanted: Sequence[int] | None
) -> Answer:
    """Ask the runtime for its devices, and try some of them.

    Args:
        program: The probe, built against the toolkit.
        environment: All of its environment.
        wanted: Numbers of the devices to try; None for all.

    Raises:
        NotTrustworthyError: The runtime cannot be loaded or started; says why.
    """
    arguments = ["--all"] if wanted is None else [str(number) for number in wanted]
    try:
        done = subprocess.run(  # noqa: S603
            [str(program), *arguments],
            env=dict(environment),
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise NotTrustworthyError(
            f"the runtime did not tell its devices within {_SECONDS:.0f} s; "
            "see whether `npu-smi info` answers, and reset the device that hangs"
        ) from None
    except OSError as error:
        raise NotTrustworthyError(f"{program}: cannot be started: {error}") from None
    if done.returncode != 0:
        raise _refusal(done.returncode, done.stderr)
    return _answer(done.stdout)


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
        f"the runtime does not start: {reason}; see whether `npu-smi info` shows the devices"
    )


def _answer(text: str) -> Answer:
    try:
        lines = [_ADAPTER.validate_json(line) for line in text.splitlines() if line.startswith("{")]
    except ValidationError as error:
        raise NotTrustworthyError(
            f"the runtime's answer cannot be read: {json_damage(error, 'a line')}; "
            "see what `aclnn-cts doctor` says"
        ) from None
    told = [line for line in lines if isinstance(line, _Device)]
    return Answer(
        devices=next((line.devices for line in lines if isinstance(line, _Count)), 0),
        soc=next((line.soc for line in reversed(told) if line.soc), ""),
        cann=next((line.cann for line in reversed(told) if line.cann), ""),
        tried=tuple(line for line in lines if isinstance(line, Tried)),
    )
