# SPDX-License-Identifier: Apache-2.0
"""The generated programs on the simulated device: the harness holds its strict rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.harness.conftest import Tensor

if TYPE_CHECKING:
    from tests.harness.conftest import Bench

pytestmark = pytest.mark.end_to_end

NONCE = "nonce 0123456789abcdef0123456789abcdef"
FACTS = "runs 2\nslack 32\ndeterministic 1"


def logit_gradient(x: NDArray[Any], dy: NDArray[Any]) -> NDArray[Any]:
    """The formula, for x inside the unit interval."""
    wide = x.astype(np.float64)
    return dy.astype(np.float64) / (wide * (1 - wide))


@pytest.mark.parametrize(
    "layout",
    [
        {},
        {"strides": [1, 3], "storage": [4, 3]},
        {"strides": [16, 3], "offset": 2, "storage": [50]},
    ],
    ids=["contiguous", "transposed", "stepped"],
)
def test_logit_grad(simulated: Bench, layout: dict[str, object]) -> None:
    """Values come back right for each layout, without findings, and every handle is given back."""
    x = simulated.floats(3, 4) / 16
    dy = simulated.floats(3, 4, start=50)
    recording = simulated.logit_grad(
        x,
        dy,
        simulated.tensor("x", "input", (3, 4), "data 0 48", **layout),
        simulated.tensor("out", "output", (3, 4), "output", **layout),
        facts=FACTS,
        eps="-0x1p+0",
    )
    assert recording.code == 0, recording.stderr
    assert recording.stderr == ""
    np.testing.assert_allclose(recording.output("out"), logit_gradient(x, dy).ravel(), rtol=1e-6)
    assert recording.of("memory") == recording.of("error") == []
    assert recording.of("repeat")[0]["different"] == 0
    assert recording.of("device")[0]["inf_nan"] is True


@pytest.mark.parametrize(
    "layout",
    [{}, {"strides": [320, 1], "offset": 3, "storage": [2**15, 320]}],
    ids=["contiguous", "sliced"],
)
def test_host_memory_of_large_tensors(simulated: Bench, layout: dict[str, object]) -> None:
    """Tensors larger than all that a program may allocate: it holds pieces of them."""
    shape = (2**15, 256)
    x = np.resize(simulated.floats(1000) / 1024, shape)
    simulated.own_memory = x.nbytes
    recording = simulated.logit_grad(
        x,
        x,
        simulated.tensor("x", "input", shape, f"data 0 {x.nbytes}", **layout),
        simulated.tensor("out", "output", shape, "output", **layout),
        facts=FACTS,
        eps="-0x1p+0",
    )
    assert recording.of("memory") == recording.of("error") == []
    assert recording.of("repeat")[0]["different"] == 0
    np.testing.assert_allclose(recording.output("out"), logit_gradient(x, x).ravel(), rtol=1e-6)


@pytest.mark.parametrize("name", ["x", "dy", "out"])
def test_null_pointer(simulated: Bench, name: str) -> None:
    """A refused call leaves a status and a message, and no trace in memory."""
    x = simulated.floats(3, 4)
    role = "output" if name == "out" else "input"
    null = simulated.tensor(name, role, (3, 4), "null")
    recording = simulated.logit_grad(x, x, null, facts=FACTS)
    assert recording.code == 0, recording.stderr
    assert [event["status"] for event in recording.of("phase1")] == [161001, 161001]
    assert recording.of("phase1")[0]["message"] != ""
    assert recording.of("memory") == recording.of("phase2") == []


def test_rank_zero_and_empty(simulated: Bench) -> None:
    """Scalars and empty tensors go through the runtime as any other."""
    scalar = simulated.logit_grad(
        simulated.floats(start=0.5), simulated.floats(start=3), facts=FACTS, eps="-0x1p+0"
    )
    assert scalar.output("out").tolist() == [12.0]
    empty = simulated.logit_grad(simulated.floats(0, 4), simulated.floats(0, 4), facts=FACTS)
    assert (empty.code, empty.stderr) == (0, "")
    assert empty.output("out").size == 0


def test_max_pool_hands_its_mask_over(simulated: Bench) -> None:
    """The backward operator routes each gradient to the maximum that the forward one found."""
    values = np.array([[1, 9, 2, 3], [4, 5, 8, 7]], np.float32).reshape(1, 1, 2, 4)
    gradient = np.array([10, 20], np.float32).reshape(1, 1, 1, 2)
    data = simulated.save(gradOutput=gradient, values=values)
    attributes = (
        "attribute kernelSize ints 2,2\nattribute stride ints -\nattribute padding ints 0,0\n"
        "attribute dilation ints 1,1\nattribute ceilMode bool 0\n"
    )
    shape, strides = "shape 1,1,2,4", "strides 8,8,4,1 offset 0 storage 1,1,2,4"
    small = "shape 1,1,1,2 strides 2,2,2,1 offset 0 storage 1,1,1,2"
    mask = "indices {} 2 0 shape 1,1,4,64 strides 256,256,64,1 offset 0 storage 1,1,4,64"
    text = (
        f"aclnn-cts-cases 6 aclnnMaxPool2dWithMaskBackward\n{NONCE}\ncase a\n{data}\n{FACTS}\n"
        f"tensor gradOutput input 0 0 {small} data 0 8\n"
        f"tensor self input 0 0 {shape} {strides} data 8 32\n"
        f"tensor {mask.format('input')} from-producer\n"
        f"tensor gradInput output 0 0 {shape} {strides} output\n"
        f"producer aclnnMaxPool2dWithMask\n"
        f"producer-tensor self input 0 0 {shape} {strides} same self\n"
        f"producer-tensor out output 0 0 {small} scratch\n"
        f"producer-tensor {mask.format('output')} scratch\n"
        f"{attributes}{attributes.replace('attribute', 'producer-attribute')}end\n"
    )
    recording = simulated.run(text, program="aclnnMaxPool2dWithMaskBackward")
    assert recording.code == 0, recording.stderr
    assert [event["status"] for event in recording.of("producer")] == [0] * 4
    assert recording.output("gradInput").tolist() == [0, 10, 0, 0, 0, 0, 20, 0]
    assert recording.of("memory") == recording.of("error") == []


def test_many_small_cases_are_quick(simulated: Bench) -> None:
    """A case costs far less than half a millisecond beyond the operator itself."""
    x = simulated.floats(3, 4) / 16
    simulated.logit_grad(x, x, facts=FACTS)
    first, nonce, case = (simulated.folder / "cases.txt").read_text().split("\n", 2)
    count = 2000
    cases = "".join(case.replace("case a", f"case a{i}", 1) for i in range(count))
    recording = simulated.run(f"{first}\n{nonce}\n{cases}")
    durations = [event["microseconds"] for event in recording.of("end")]
    assert len(durations) == count
    # The median: a busy machine may delay single cases.
    assert np.median(durations) < 500


def test_every_program_is_built(generated_programs: Path) -> None:
    """Each source has its program, and each names its arguments when it gets none."""
    sources = sorted((Path(__file__).resolve().parents[2] / "generated_tests").glob("*.cpp"))
    assert len(sources) >= 6
    assert all((generated_programs / source.stem).exists() for source in sources)


def list_case(bench: Bench, *tensors: Tensor) -> str:
    """Return the case file of one call of aclnnForeachAbs, whose inputs hold 1, 2 and so on."""
    data = bench.save(**{"x[0]": -bench.floats(4), "x[1]": -bench.floats(2, start=7)})
    lines = "".join(f"tensor {tensor}\n" for tensor in tensors)
    return f"aclnn-cts-cases 6 aclnnForeachAbs\n{NONCE}\ncase a\n{data}\n{FACTS}\n{lines}end\n"


LISTS = (
    Tensor("x[0]", "input", (4,), "data 0 16"),
    Tensor("x[1]", "input", (2,), "data 16 8"),
    Tensor("out[0]", "output", (4,), "output"),
    Tensor("out[1]", "output", (2,), "output"),
)


def test_lists_of_tensors(simulated: Bench) -> None:
    """The tensors of a list are passed in their order, and destroyed with it."""
    recording = simulated.run(list_case(simulated, *LISTS), program="aclnnForeachAbs")
    assert (recording.code, recording.stderr) == (0, "")
    assert recording.output("out[0]").tolist() == [1, 2, 3, 4]
    assert recording.output("out[1]").tolist() == [7, 8]
    assert recording.of("memory") == recording.of("error") == recording.of("handle") == []


def test_a_null_list(simulated: Bench) -> None:
    """A tensor with the name of a list and no place in it stands for a null pointer."""
    null = Tensor("out", "output", (4,), "null")
    recording = simulated.run(list_case(simulated, *LISTS[:2], null), program="aclnnForeachAbs")
    assert [event["status"] for event in recording.of("phase1")] == [161001, 161001]


@pytest.mark.parametrize("name", ["x[]", "x[a]", "x[0", "x]0["])
def test_names_of_tensors_of_a_list(simulated: Bench, name: str) -> None:
    """A place in a list is a number in brackets behind the name."""
    wrong = Tensor(name, "input", (4,), "data 0 16")
    recording = simulated.run(list_case(simulated, wrong, *LISTS[1:]), program="aclnnForeachAbs")
    assert recording.code == 2
    assert "cases.txt:8" in recording.stderr
