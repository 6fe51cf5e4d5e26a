# SPDX-License-Identifier: Apache-2.0
"""All C++ and CMake that follow from specs, as it is compiled."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from aclnn_cts.emit.programs import calls_text, header_texts, program_text
from aclnn_cts.emit.simulated import is_generated, kernel_path, simulated_text
from aclnn_cts.spec.loading import SpecSet, editions_of, load_specs
from aclnn_cts.suite import Suite, code_digest

MAKERS = ("spec/*.py", "violations/*.py", "plan/*.py", "emit/*.py", "emit/templates/*.j2")
"""The files of the package that make texts from specs; lists of side calls ask the plan."""


@functools.cache
def makers_digest() -> str:
    """Return a digest of the code that makes texts from specs."""
    return code_digest(*MAKERS, library="jinja2")


def program_texts(specs: SpecSet, suite: Suite, operators: Iterable[str]) -> dict[str, str]:
    """Return the (unformatted) calls of operators, and the CMake list of side calls.

    Returns:
        The texts by file name.
    """
    texts = {f"{name}.cpp": program_text(specs.operators[name]) for name in operators}
    editions = [load_specs(suite, name) for name in editions_of(suite)]
    return {**texts, "calls.cmake": calls_text(editions)}


def simulator_texts(specs: SpecSet, suite: Suite) -> dict[str, str]:
    """Return what follows from specs of the simulated device, by path below ``simulator/``.

    These are the operators' headers, and the (unformatted) operators that nobody wrote whole.

    Raises:
        WrongInputError: A spec needs a check that only an operator written by hand can make.
    """
    texts = {f"include/{header}": text for header, text in header_texts(specs).items()}
    for name, spec in specs.operators.items():
        if is_generated(spec, suite):
            texts[f"generated/{name}.cpp"] = simulated_text(
                spec, by_hand=kernel_path(spec, suite).is_file()
            )
    return texts
