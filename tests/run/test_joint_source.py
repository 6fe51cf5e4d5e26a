# SPDX-License-Identifier: Apache-2.0
"""The text of a source that holds several devices."""

from __future__ import annotations

import pytest

from aclnn_cts.run.fault_injection import is_part, joint_source

PATH, KERNEL = "generated/aclnnOne.cpp", "operators/one.h"
SOURCE = """\
#include "aclnnop/one.h"
#include "operators/one.h"

aclnnStatus aclnnOne(const aclTensor *x,
                     uint64_t size) {
  return One(x, size);
}
"""
HEADER = "#ifndef ONE_H_\n#define ONE_H_\n#include <cmath>\nint One();\n#endif  // ONE_H_\n"


def test_each_device_has_its_text_and_the_function_chooses_one() -> None:
    """Headers come first; a changed one stands where it is included, or in front if shared."""
    changed = SOURCE.replace("One(x", "Two(x")
    unharmed = {PATH: SOURCE, KERNEL: HEADER}
    other = HEADER.replace("int", "long")
    text = joint_source(PATH, unharmed, [{PATH: changed}, {KERNEL: other}, {KERNEL: other}])
    head, _, rest = text.partition("namespace device0 {")
    assert head.splitlines()[:2] == ['#include "aclnnop/one.h"', "#include <cmath>"]
    assert head.index("namespace common0 {") < head.index("#undef ONE_H_")
    assert head.index("#undef ONE_H_") < head.index("long One();")
    assert "#include" not in rest
    first, _, rest = rest.partition("namespace device1 {")
    assert first.index("int One();") < first.index("Two(x")
    second, _, last = rest.partition("namespace device2 {")
    for device in (second, last):
        assert "long One();" not in device
        assert device.index("using namespace common0;") < device.index("One(x")
    assert last.endswith(
        "aclnnStatus aclnnOne(const aclTensor *x,\n                     uint64_t size) {\n"
        "  constexpr decltype(&aclnnOne) kDevices[] = "
        "{&device0::aclnnOne, &device1::aclnnOne, &device2::aclnnOne};\n"
        "  return kDevices[kPlayed](x, size);\n}\n"
    )


CHECKED = """\
#include "operators/one.h"
using namespace simulator;
namespace {
void Check(int x) {
  Require(x, One(x));
}
}  // namespace
aclnnStatus aclnnOne(int x) {
  Check(x);
  return One(x);
}
"""


@pytest.mark.parametrize(
    "defined",
    [
        "float One(float x) { return x; }",
        "float One(float x) {",
        "struct One {",
        "static int One = 1;",
        "#define One(x) x",
        "using One = float;",
    ],
)
def test_a_block_that_uses_what_the_device_defines_is_not_shared(defined: str) -> None:
    """The same text would be other code beside another definition."""
    header = f"#ifndef ONE_H_\n#define ONE_H_\n{defined}\n#endif  // ONE_H_\n"
    changed = {KERNEL: header.replace(defined, f"{defined} ")}
    text = joint_source(PATH, {PATH: CHECKED, KERNEL: header}, [{}, {}, changed])
    assert text.count("void Check(int x) {") == 3
    assert text.count(f"#define ONE_H_\n{defined}") == 2
    alone = CHECKED.replace("Require(x, One(x));", "Require(x);")
    text = joint_source(PATH, {PATH: alone, KERNEL: header}, [{}, {}, changed])
    assert text.count("void Check(int x) {") == 1
    opened = "namespace common1 {\nusing namespace simulator;\nnamespace {\nvoid Check"
    assert opened in text


def test_a_parameter_without_a_name() -> None:
    """The function that chooses gives each one, as it passes all on."""
    source = "aclnnStatus aclnnOne(char *, int a, const void * ) {\n  return a;\n}\n"
    text = joint_source(PATH, {PATH: source}, [{}])
    assert "aclnnOne(char *unnamed26, int a, const void *unnamed47 ) {\n" in text
    assert "(unnamed26, a, unnamed47);\n" in text


def test_what_is_part_of_an_operator() -> None:
    """A change that would be lost is none; a source that others call holds no operator."""
    assert is_part(PATH, SOURCE, {PATH: SOURCE, KERNEL: HEADER})
    assert not is_part(PATH, SOURCE, {PATH: SOURCE, "src/nnopbase/sums.h": HEADER})
    assert not is_part("src/one.cpp", HEADER, {"src/one.cpp": HEADER})
    assert not is_part(PATH, f"namespace simulator {{\n}}\n{SOURCE}", {PATH: SOURCE})
