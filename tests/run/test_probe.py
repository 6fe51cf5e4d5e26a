# SPDX-License-Identifier: Apache-2.0
"""What the runtime answers, and each way in which it does not: one sentence, no verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.run import devices
from aclnn_cts.run.devices import (
    Answer,
    Trial,
    ask_devices,
    check_overflow_mode,
    check_product,
    product_of,
)
from aclnn_cts.spec.loading import SpecSet

DEVICE = '{"event":"device","soc":"SOC","cann":"8.0","inf_nan":true}'


@pytest.fixture
def program(tmp_path: Path) -> Path:
    return tmp_path / "probe"


def script(program: Path, *lines: str) -> Path:
    """Make the program one that prints lines, or does what they say."""
    program.write_text("#!/bin/sh\n" + "\n".join(lines) + "\n")
    program.chmod(0o755)
    return program


def printing(program: Path, *lines: str) -> Path:
    return script(program, *(f"echo '{line}'" for line in lines))


def test_an_answer(program: Path) -> None:
    """Count, SoC and what became of each device; a SoC that is told late is told, too."""
    printing(
        program,
        "the driver says hello",
        '{"event":"count","devices":2}',
        DEVICE.replace("SOC", ""),
        '{"event":"tried","number":0,"status":507033,"message":"held"}',
        '{"event":"tried","number":1,"status":0,"message":""}',
        DEVICE.replace("SOC", "Ascend910B3"),
    )
    tried = tuple(
        Trial(event="tried", number=number, status=status, message=message)
        for number, status, message in ((0, 507033, "held"), (1, 0, ""))
    )
    assert ask_devices(program, {}, None) == Answer(2, "Ascend910B3", "8.0", tried)


@pytest.mark.parametrize(("free", "memory"), [((), None), ((70, 64), 64)])
def test_the_memory_of_the_devices(
    program: Path, free: tuple[int, ...], memory: int | None
) -> None:
    """What is free on the device with the least; a device need not tell."""
    told = (f'{{"event":"memory","number":{n},"free":{each}}}' for n, each in enumerate(free))
    printing(program, '{"event":"count","devices":2}', *told)
    assert ask_devices(program, {}, None).memory == memory


def test_which_devices_are_tried(program: Path) -> None:
    """The numbers that are asked for, or all."""
    script(program, """printf '{"event":"tried","number":1,"status":0,"message":"%s"}\\n' "$*" """)
    assert ask_devices(program, {}, (4, 1)).trials[0].message == "4 1"
    assert ask_devices(program, {}, None).trials[0].message == "--all"


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["echo 'p: error while loading shared libraries: libx.so: cannot open' >&2", "exit 127"],
         "the runtime cannot be loaded: libx.so is not found; .*`aclnn-cts doctor`"),
        (["echo noise >&2", "echo 'aclInit failed with status 507033 (no)' >&2", "exit 1"],
         r"the runtime does not start: aclInit failed with status 507033 \(no\); "),
        (["kill -SEGV $$"], "the runtime does not start: exit status -11"),
        (["echo '{\"event\":\"count\"}'"],
         "the runtime's answer cannot be read: count.devices is missing; .*doctor"),
        (["echo '{\"event\":'"],
         "the runtime's answer cannot be read: it is cut off at column 9; .*doctor"),
        (["sleep 30"], "did not list its devices within 0 s"),
    ],
)  # fmt: skip
def test_no_answer(
    program: Path, lines: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library that lacks, a refusal, a crash, rubbish, silence: each is told in a sentence."""
    if lines == ["sleep 30"]:
        monkeypatch.setattr(devices, "_SECONDS", 0.2)
        lines = ["exec sleep 30"]
    with pytest.raises(NotTrustworthyError, match=sentence):
        ask_devices(script(program, *lines), {"PATH": "/usr/bin:/bin"}, (0,))


def test_a_probe_that_is_gone(program: Path) -> None:
    """It was built, and somebody removed it."""
    with pytest.raises(NotTrustworthyError, match="cannot be started"):
        ask_devices(program, {}, (0,))


def test_products(specs: SpecSet) -> None:
    """A SoC name leads to one product; each product's simulated SoC to itself."""
    for product in specs.products.values():
        assert product_of(specs, product.simulated_soc) == product.id
        check_product(specs, product.simulated_soc, product.id)
    with pytest.raises(NotTrustworthyError, match="which is atlas-a2; the cases are for atlas-a3"):
        check_product(specs, "Ascend910B3", "atlas-a3")
    for soc, told in (("Ascend610", "Ascend610"), ("", "unknown")):
        with pytest.raises(NotTrustworthyError, match=f"SoC is {told}, which is not a product"):
            product_of(specs, soc)


def test_overflow_modes(specs: SpecSet) -> None:
    """Another mode than the product's is refused, both ways; one that nobody tells is not."""
    for product in specs.products.values():
        check_overflow_mode(specs, product.id, inf_nan=product.inf_nan)
        check_overflow_mode(specs, product.id, inf_nan=None)
        sentence = rf"has (no )?Inf and NaN.* {product.id}; set .* mode .* or correct inf_nan"
        with pytest.raises(NotTrustworthyError, match=sentence):
            check_overflow_mode(specs, product.id, inf_nan=not product.inf_nan)
