# SPDX-License-Identifier: Apache-2.0
"""The figures of a qualification file that other reports cite."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError

from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.files import refuse_pipes
from aclnn_cts.validation_messages import json_damage

Format: TypeAlias = Literal["aclnn-cts/qualification/4"]
FORMAT: Format = "aclnn-cts/qualification/4"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class QualifiedSuite(_Part):
    """The suite whose faults and variants were played."""

    version: str
    specs_sha256: str


class OperatorScore(_Part):
    """The number of faults played in an operator or part."""

    faults: int


class QualificationFile(_Part):
    """Power and false alarms of a suite; ``scores`` is by operator and part of the simulator."""

    format: Format
    suite: QualifiedSuite
    tier: str
    first: bool
    faults: int
    killed: int
    survivors: tuple[str, ...]
    variants: int
    alarms: int
    alarming: tuple[str, ...]
    scores: dict[str, OperatorScore]


def read_qualification(path: Path) -> QualificationFile:
    """Read the file that ``qualify`` wrote.

    Raises:
        WrongInputError: There is no such file, or it cannot be read.
        NotTrustworthyError: It is damaged, or of another format.
    """
    refuse_pipes(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise WrongInputError(
            f"{path}: cannot be read: {error.strerror}; give the file of `aclnn-cts qualify`"
        ) from None
    try:
        return QualificationFile.model_validate_json(content)
    except ValidationError as error:
        damage = json_damage(error, "the whole file")
        raise NotTrustworthyError(
            f"{path}: is no qualification ({damage}); run `aclnn-cts qualify` again"
        ) from None
