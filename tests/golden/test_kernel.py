# SPDX-License-Identifier: Apache-2.0
"""A compiled loop says of every element what NumPy says, bit for bit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.golden.special_calls import SUMS, TYPES, special_call

from aclnn_cts.golden import elements, expectations, kernel
from aclnn_cts.golden.expectations import evaluate, expect_call
from aclnn_cts.golden.expected import BLOCK, Expected
from aclnn_cts.golden.kernel import Kernel, Symbol, Trace, compile_trace
from aclnn_cts.spec.loading import SpecSet

FIELDS = ("value", "allowed", "own", "tolerance", "reached", "contested", "undecided", "formula")
ELEMENTWISE = ("aclnnLogitGrad", "aclnnDropoutBackward")


@pytest.mark.parametrize("product", ["atlas-a2", "atlas-training"])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("operator", ELEMENTWISE)
def test_a_kernel_says_what_numpy_says(
    monkeypatch: pytest.MonkeyPatch, specs: SpecSet, operator: str, dtype: str, product: str
) -> None:
    """Values, errors, outcomes and clauses, of special elements and in several blocks, too."""
    inputs, attributes = special_call(operator, dtype)

    def found(*, compiled: bool) -> Expected:
        with monkeypatch.context() as patched:
            patched.setattr(expectations, "LARGE", 1)
            patched.setattr(elements, "SPAN", BLOCK // 2)
            if not compiled:
                patched.setattr(elements, "compile_trace", lambda *_: None)
            call = expect_call(specs, operator, inputs, attributes, product)["out"]
            return call.whole()

    one, other = found(compiled=True), found(compiled=False)
    for name in FIELDS:
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name
    assert one.shared == other.shared
    assert (one.alternatives is None) == (other.alternatives is None)
    if one.alternatives is not None and other.alternatives is not None:
        assert one.alternatives.index.tolist() == other.alternatives.index.tolist()


@pytest.mark.parametrize("operator", ELEMENTWISE)
def test_every_elementwise_formula_is_compiled(
    monkeypatch: pytest.MonkeyPatch, specs: SpecSet, operator: str
) -> None:
    """A formula that a kernel cannot express would be slow, and nobody would notice."""
    monkeypatch.setattr(expectations, "LARGE", 1)
    inputs, attributes = special_call(operator, "float32")
    found = expect_call(specs, operator, inputs, attributes, "atlas-a2")["out"]
    assert isinstance(found, elements.ElementsOfOutput)
    assert found.call.known()[1] is not None


def test_without_a_compiler_there_is_no_kernel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Then NumPy computes, and slower: no call fails for it."""
    monkeypatch.setenv("CXX", "no-such-compiler")
    trace = Trace()
    symbol = trace.input("x", "float32") + 1.25
    assert compile_trace(trace, [("float64", symbol)], tmp_path) is None


def test_a_kernel_refuses_arrays_of_other_types(tmp_path: Path) -> None:
    """Reading another type's bits would give wrong values silently."""
    trace = Trace()
    symbol = trace.input("x", "float32") + 1.5
    made = compile_trace(trace, [("float64", symbol)], tmp_path)
    assert made is not None
    into = np.empty(3)
    made.fill({"x": np.arange(3, dtype=np.float32)}, [into])
    assert into.tolist() == [1.5, 2.5, 3.5]
    with pytest.raises(ValueError, match="types"):
        made.fill({"x": np.arange(3.0)}, [into])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_a_kernel_reads_every_number_of_two_bytes(tmp_path: Path, dtype: str) -> None:
    """Subnormal numbers, infinities and NaN, too; compilers that labs have lack a float16."""
    trace = Trace()
    made = compile_trace(trace, [("float64", trace.input("x", dtype))], tmp_path)
    assert made is not None
    numbers, into = np.arange(1 << 16, dtype=np.uint16).view(TYPES[dtype]), np.empty(1 << 16)
    made.fill({"x": numbers}, [into])
    with np.errstate(invalid="ignore"):
        wanted = numbers.astype(np.float64)
    assert np.array_equal(into, wanted, equal_nan=True)
    assert np.array_equal(np.signbit(into), np.signbit(wanted))


@pytest.mark.parametrize(
    ("shape", "dtype"),
    [((3, 8, 5, 47), "float32"), ((40, 8), "float16"), ((2, 8, 300), "bfloat16")],
)
@pytest.mark.parametrize("operator", SUMS)
def test_compiled_sums_say_what_numpy_says(
    monkeypatch: pytest.MonkeyPatch,
    specs: SpecSet,
    operator: str,
    shape: tuple[int, ...],
    dtype: str,
) -> None:
    """Sums, gathered conditions and what follows from them, with rows of any length, cut or not.

    The exponential may differ by its last bit, and sums by their order; all else is equal, unusual
    elements and alternatives included. Each shape has a type of its own: the type decides how
    elements are read alone, which test_a_kernel_says_what_numpy_says holds.
    """
    inputs, attributes = special_call(operator, dtype, shape)
    found = evaluate(specs, operator, inputs, attributes, "atlas-a2")
    monkeypatch.setattr(expectations, "LARGE", 1)
    for span in (64, elements.SPAN):
        monkeypatch.setattr(elements, "SPAN", span)
        made = expect_call(specs, operator, inputs, attributes, "atlas-a2")
        for name, own in found.items():
            call = made[name].call  # type: ignore[attr-defined]
            assert call.known()[1] is not None
            assert call._kernel_of_sums()[0] is not None
            assert_close(made[name].whole(), own)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(3, 8, 5, 47), (2, 1, 60, 41), (1, 1, 3, 1500)])
def test_windows_in_parts_say_what_the_whole_says(
    monkeypatch: pytest.MonkeyPatch, specs: SpecSet, shape: tuple[int, ...], dtype: str
) -> None:
    """Bands and planes, blocks and single elements, with alternatives, compiled or not."""
    operator = "aclnnMaxPool2dWithMaskBackward"
    inputs, attributes = special_call(operator, dtype, shape)
    whole = evaluate(specs, operator, inputs, attributes, "atlas-a2")["gradInput"]
    monkeypatch.setattr(expectations, "LARGE", 1)
    for block in (64, 1000):
        monkeypatch.setattr(elements, "BLOCK", block)
        found = expect_call(specs, operator, inputs, attributes, "atlas-a2")["gradInput"]
        assert isinstance(found, elements.ElementsOfOutput)
        assert found.call.known()[1] is not None
        assert_close(found.whole(), whole)
        size = math.prod(shape)
        some = np.arange(5, size, 7)
        assert_close(found.at(some), whole.at(some))
        for part in (slice(0, 30), slice(40, 300), slice(size - 50, size)):
            assert_close(found.part(part), whole.part(part))


def assert_close(one: Expected, other: Expected) -> None:
    """Hold two expectations, and their alternatives, against each other."""
    for field in ("allowed", "reached", "contested", "undecided", "formula"):
        assert np.array_equal(getattr(one, field), getattr(other, field)), field
    for field in ("value", "own", "tolerance"):
        # Sums of elements of both signs lose digits.
        own, wanted = getattr(one, field), getattr(other, field)
        np.testing.assert_allclose(own, wanted, rtol=1e-12, atol=1e-13, err_msg=field)
    if one.alternatives is None or other.alternatives is None:
        assert one.alternatives is other.alternatives
        return
    assert one.alternatives.index.tolist() == other.alternatives.index.tolist()
    assert_close(one.alternatives.expected, other.alternatives.expected)


def test_a_loop_that_says_something_else_is_not_used(
    monkeypatch: pytest.MonkeyPatch, specs: SpecSet
) -> None:
    """A formula that decides by its data for all elements at once is traced wrongly."""
    inputs, _ = special_call("aclnnLogitGrad", "float32")

    def made() -> Sequence[Kernel] | None:
        found = expect_call(specs, "aclnnLogitGrad", inputs, {"eps": 1e-6}, "atlas-a2")["out"]
        assert isinstance(found, elements.ElementsOfOutput)
        return found.call.known()[1]

    monkeypatch.setattr(expectations, "LARGE", 1)
    assert made() is not None
    monkeypatch.setattr(Symbol, "__truediv__", Symbol.__mul__)
    assert made() is None


def test_a_formula_that_cannot_be_traced_is_evaluated_by_numpy(
    monkeypatch: pytest.MonkeyPatch, specs: SpecSet
) -> None:
    """An operation that a kernel does not know costs time, and no verdict."""
    inputs, _ = special_call("aclnnLogitGrad", "float32")
    monkeypatch.setattr(expectations, "LARGE", 1)
    before = evaluate(specs, "aclnnLogitGrad", inputs, {"eps": 1e-6}, "atlas-a2")["out"]
    monkeypatch.setattr(Symbol, "__truediv__", lambda *_: NotImplemented)
    after = evaluate(specs, "aclnnLogitGrad", inputs, {"eps": 1e-6}, "atlas-a2")["out"]
    assert np.array_equal(before.value, after.value, equal_nan=True)


def test_a_symbol_is_neither_true_nor_false() -> None:
    """A branch on one would be taken for all elements."""
    with pytest.raises(TypeError):
        bool(Trace().input("x", "float32") > 0)


def compiled(tmp_path: Path, symbol: Any, trace: Trace, dtype: str = "float64") -> Kernel | None:
    """Compile a loop with one output; libraries that are loaded already do not count."""
    kernel._library.cache_clear()
    return compile_trace(trace, [(dtype, symbol)], tmp_path)


@pytest.mark.parametrize("size", [0, 1000, 8000])
def test_a_damaged_library_is_compiled_again(tmp_path: Path, size: int) -> None:
    """Loading one that is cut off would end the process."""
    trace = Trace()
    symbol = trace.input("x", "float32") + 1.5
    assert compiled(tmp_path, symbol, trace) is not None
    (library,) = tmp_path.glob("*.so")
    whole = library.read_bytes()
    library.unlink()  # this process has mapped it
    library.write_bytes(whole[:size])
    again = compiled(tmp_path, symbol, trace)
    assert again is not None
    into = np.empty(2)
    again.fill({"x": np.zeros(2, np.float32)}, [into])
    assert into.tolist() == [1.5, 1.5]


def test_a_folder_that_cannot_be_used_costs_time_only(tmp_path: Path) -> None:
    """A file stands where the folder would be."""
    folder = tmp_path / "kernels"
    folder.touch()
    trace = Trace()
    assert compiled(folder, trace.input("x", "float32") + 1.5, trace) is None


@pytest.mark.parametrize("program", ["true", "false"])
def test_what_is_no_compiler_costs_time_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str
) -> None:
    """It makes nothing, with or without an error."""
    monkeypatch.setenv("CXX", program)
    trace = Trace()
    assert compiled(tmp_path, trace.input("x", "float32") + 1.5, trace) is None


def test_the_constants_of_a_loop_keep_their_signs(tmp_path: Path) -> None:
    """0 and -0 compare equal, and are two numbers."""
    trace = Trace()
    x = trace.input("x", "float64")
    made = compiled(tmp_path, 1 / (x * -0.0) + 1 / (x * 0.0 + 1.0), trace)
    assert made is not None
    into = np.empty(1)
    made.fill({"x": np.ones(1)}, [into])
    assert into.tolist() == [-math.inf]


def test_a_condition_is_not_combined_with_bits() -> None:
    """Among bits NumPy counts True as 1, a kernel as all ones."""
    trace = Trace()
    with pytest.raises(TypeError):
        (trace.input("x", "float32") > 0) & np.uint8(4)


@pytest.mark.parametrize(
    ("x", "into"),
    [
        (np.zeros(2, np.float32), np.empty(3)),
        (np.zeros(6, np.float32)[::2], np.empty(3)),
        (np.zeros(3, np.float32), np.empty(6)[::2]),
        (np.zeros((3, 1), np.float32), np.empty((3, 1))),
    ],
)
def test_a_kernel_refuses_arrays_that_it_would_overrun(
    tmp_path: Path, x: npt.NDArray[Any], into: npt.NDArray[Any]
) -> None:
    """Other lengths and strides would read and write the wrong memory."""
    trace = Trace()
    made = compiled(tmp_path, trace.input("x", "float32") + 1.5, trace)
    assert made is not None
    with pytest.raises(ValueError, match="contiguous"):
        made.fill({"x": x}, [into])
