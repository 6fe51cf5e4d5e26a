# SPDX-License-Identifier: Apache-2.0
"""The README of a reproducer: what a device said stays text."""

from __future__ import annotations

from aclnn_cts.emit.reproducer import Told, readme_text


def told(message: str = "", soc: str = "Ascend910_9391") -> Told:
    """Return what a README says about a call."""
    return Told(
        title="aclnnLogitGrad does not keep: accuracy",
        outcome=f"This call breaks a promise on {soc}:",
        broken=(),
        facts=(("SoC", soc),),
        message=message,
        samples=(("out[0]", "x 1", "1", "2", "+1 ulp"),),
        call=("aclnnLogitGrad",),
        checks=("Both phases return 0.",),
        origin=("It is a case.", "```sh\naclnn-cts run\n```"),
    )


def test_a_message_cannot_end_its_block() -> None:
    """Fences within a device's message are shorter than those around it."""
    text = readme_text(told("failed\n```\n# Heading\n````\n| a | <b>"))
    lines = text.splitlines()
    start = lines.index("`````text")
    assert lines.count("`````") == 1
    block = " ".join(lines[start + 1 : lines.index("`````")])
    assert block == "failed ``` # Heading ```` | a | <b>"


def test_the_first_command_takes_no_more_than_is_said() -> None:
    """A compiler is all that is asked for; CMake comes after it, with its version."""
    text = readme_text(told())
    assert text.index("g++ -std=c++17") < text.index("CMake (3.10") < text.index("cmake -S")
    assert text.index("LD_LIBRARY_PATH") < text.index("cmake -S")


def test_an_empty_message_has_no_section() -> None:
    """Nothing found, nothing shown."""
    assert "Expected and got" not in readme_text(told())


def test_names_of_a_device_are_escaped() -> None:
    """A name with Markdown in it is shown as it is, in paragraphs and in tables."""
    text = readme_text(told(soc="A|B <img> *x* [l](u) _y_\n# C"))
    assert r"| SoC | A\|B \<img\> \*x\* \[l\](u) \_y\_ \# C |" in text
    assert r"a promise on A\|B \<img\> \*x\*" in text
    assert "| SoC | Ascend910_9391 |" in readme_text(told())
