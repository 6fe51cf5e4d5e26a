# SPDX-License-Identifier: Apache-2.0
"""Values as C++ literals."""

from __future__ import annotations

import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.emit import cpp_literals as cpp
from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.data import make_data
from aclnn_cts.plan.cases import Fill
from aclnn_cts.spec.data_types import DATA_TYPES, FORMATS


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_doubles_are_exact(value: float) -> None:
    """A double's text reads back as the same number, signed zeros included."""
    text = cpp.double(value)
    assert math.copysign(1, float(text)) == math.copysign(1, value)
    assert float(text) == value
    assert "." in text or "e" in text


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_floats_are_exact(value: float) -> None:
    """A float's text, read as a float, gives the same bits, and is no integer with a suffix."""
    text = cpp.elements(np.array([value], np.float32), "float32").strip("{}")
    assert text.endswith("F")
    assert np.float32(text[:-1]).tobytes() == np.float32(value).tobytes()
    assert "." in text or "e" in text


@given(st.text())
def test_strings_hold_no_way_out(text: str) -> None:
    """Whatever a string holds, its literal is one line of plain characters with no bare quote."""
    literal = cpp.string(text)
    assert literal[0] == literal[-1] == '"'
    assert '"' not in literal[1:-1]
    assert literal.isascii()
    assert literal.isprintable()


@pytest.mark.parametrize("name", ["x; system(0)", "", "1x", "x-y", "ä", "x" * 65])
def test_names_are_checked(name: str) -> None:
    """Nothing reaches the program that is not a plain name."""
    with pytest.raises(WrongInputError):
        cpp.identifier(name)


def test_every_data_type_and_format_has_an_enumerator() -> None:
    """Each type and format that a case can have can be written."""
    for name in DATA_TYPES:
        assert cpp.type_enumerator(name).startswith("ACL_")
    for name in FORMATS:
        assert cpp.format_enumerator(name).startswith("ACL_FORMAT_")


def arrays() -> dict[str, npt.NDArray[Any]]:
    """Arrays of each data type with its extreme values."""
    special = make_data(Fill("special", seed="s"), (40,), "float32")
    return {
        "float32": special,
        "double": np.array([0.1, -0.0, math.inf, 5e-324, 1.7e308]),
        "float16": np.array([1.5, -0.0, math.inf, 6e-8], np.float16),
        "bfloat16": np.array([1.5, -0.0, 3e38], ml_dtypes.bfloat16),
        "int8": np.array([-128, 127], np.int8),
        "uint8": np.array([0, 255], np.uint8),
        "int32": np.array([-(2**31), 2**31 - 1], np.int32),
        "uint32": np.array([0, 2**32 - 1], np.uint32),
        "int64": np.array([-(2**63), 2**63 - 1], np.int64),
        "uint64": np.array([0, 2**64 - 1], np.uint64),
        "bool": np.array([True, False]),
        "complex64": np.array([1 + 2j], np.complex64),
    }


def test_the_compiler_reads_the_same_bits(tmp_path: Path) -> None:
    """What a C++ program holds is bit for bit the array, for every kind of data type."""
    compiler = shutil.which("c++")
    assert compiler is not None
    lines = [
        f"{{ const std::vector<{cpp.element_type(name)}> v = {cpp.elements(array, name)};"
        " std::fwrite(v.data(), sizeof v[0], v.size(), stdout); }"
        for name, array in arrays().items()
    ]
    heads = "".join(f"#include <{name}>\n" for name in ("cmath", "cstdint", "cstdio", "vector"))
    source = tmp_path / "literals.cpp"
    source.write_text(f"{heads}int main() {{\n" + "\n".join(lines) + "\n}\n")
    program = tmp_path / "literals"
    flags = ("-std=c++17", "-Wall", "-Wextra", "-Werror", "-o")
    subprocess.run([compiler, *flags, program, source], check=True)
    told = subprocess.run([program], check=True, capture_output=True).stdout
    at = 0
    for array in arrays().values():
        found = np.frombuffer(told, array.dtype, count=array.size, offset=at)
        at += array.nbytes
        numbers = array == array  # noqa: PLR0124 - any NaN is as good as another
        assert found[numbers].tobytes() == array[numbers].tobytes()
    assert at == len(told)
