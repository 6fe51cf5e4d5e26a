# SPDX-License-Identifier: Apache-2.0
"""What must be there before a case can run: the toolkit, the programs, and what they run on."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.run.build import build_parts, build_programs, build_simulator, find_compiler
from aclnn_cts.run.environment import Environment, Installed, describe_environment
from aclnn_cts.run.fault_injection import Change, build_faulty
from aclnn_cts.run.toolkit import Toolkit, real_toolkit
from aclnn_cts.run.toolkit_search import with_operators
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite


@dataclass(frozen=True)
class Wanted:
    """What is to be prepared.

    Attributes:
        cann: A real toolkit's folder; None for the simulated device.
        operators: The operators whose programs are needed, each once.
        devices: Numbers of the devices that will be used, for the record.
        sanitize: Build simulator and programs with AddressSanitizer and UBSan.
        change: What makes the simulated device a faulty one; None for the unharmed one.
    """

    cann: Path | None
    operators: tuple[str, ...]
    devices: tuple[int, ...] = ()
    sanitize: bool = False
    change: Change | None = None


@dataclass(frozen=True)
class Prepared:
    """What cases run with.

    Attributes:
        toolkit: What the programs find when they start.
        programs: The folder of the programs.
        environment: What they run on.
    """

    toolkit: Toolkit
    programs: Path
    environment: Environment


def prepare(suite: Suite, specs: SpecSet, wanted: Wanted) -> Prepared:
    """Build what is not built yet, and tell what the programs will run on.

    Raises:
        NotTrustworthyError: Something does not build, or is missing; see the message.
        WrongInputError: The toolkit is none.
    """
    options = ("-DACLNN_CTS_SANITIZE=ON",) if wanted.sanitize else ()
    compiler = find_compiler()
    if wanted.cann is None:
        toolkit = build_simulator(suite, compiler, options)
        folder = build_programs(suite, compiler, toolkit, options)
    else:
        toolkit = with_operators(real_toolkit(wanted.cann), specs, wanted.operators)
        folder = build_programs(suite, compiler, toolkit, options, wanted.operators)
    if wanted.change is not None:
        toolkit = build_faulty(suite, build_parts(suite, compiler), wanted.change)
    programs = tuple(folder / operator for operator in wanted.operators)
    installed = Installed(toolkit, compiler, programs, wanted.devices, os.environ)
    return Prepared(toolkit, folder, describe_environment(installed))
