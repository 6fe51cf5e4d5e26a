# SPDX-License-Identifier: Apache-2.0
"""Verdicts files: what a host of a cluster found about the cases that it ran.

Their outputs stay on the host. So such a file is all that a later judge has of them, and the
standard is the one that was asked for then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.json_wording import json_damage
from aclnn_cts.judge.standards import Standard
from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.run.process import ProgramRun


@dataclass(frozen=True)
class Told:
    """What a host found about a case.

    Attributes:
        verdict: The verdict.
        fingerprint: As :func:`aclnn_cts.judge.records.fingerprint_of` returns it.
    """

    verdict: CaseVerdict
    fingerprint: str


@dataclass(frozen=True)
class _File:
    __pydantic_config__: ClassVar = ConfigDict(ser_json_inf_nan="constants")

    standard: Standard
    cases: dict[str, Told]
    format: Literal["aclnn-cts/verdicts/1"] = "aclnn-cts/verdicts/1"


_ADAPTER = TypeAdapter(_File)

KnownVerdicts = Mapping[tuple[str, str], Told]
"""What is known of cases, by the name of their process and their id."""


def dump_verdicts(standard: Standard, cases: dict[str, Told]) -> bytes:
    """Return the content of a verdicts file."""
    return _ADAPTER.dump_json(_File(standard, cases))


def read_verdicts(programs: Iterable[ProgramRun], standard: Standard) -> KnownVerdicts:
    """Return what hosts found about the cases of processes.

    Raises:
        NotTrustworthyError: A file is damaged, or was judged by another standard.
    """
    known: dict[tuple[str, str], Told] = {}
    for program in programs:
        if not program.verdicts_sha256:
            continue
        path = program.verdicts
        try:
            file = _ADAPTER.validate_json(path.read_bytes())
        except (OSError, ValidationError) as error:
            told = json_damage(error, "the file") if isinstance(error, ValidationError) else error
            raise NotTrustworthyError(f"{path}: is damaged ({told}); run it again") from None
        if file.standard != standard:
            raise NotTrustworthyError(
                f"{path}: was judged on its host by the standard {file.standard}, and its outputs "
                f"stayed there; run with --judge home to judge by {standard}, too"
            )
        known |= {(program.events.stem, name): each for name, each in file.cases.items()}
    return known
