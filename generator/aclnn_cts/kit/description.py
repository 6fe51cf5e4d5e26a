# SPDX-License-Identifier: Apache-2.0
"""``kit.json``: which suite a kit came from, and all that is needed to judge what it leaves."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from aclnn_cts import __version__
from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.json_wording import damage_of, json_damage
from aclnn_cts.plan.cases import Case, case_from_json
from aclnn_cts.spec.loading import specs_digest
from aclnn_cts.suite import Suite

KIT_FILE = "kit.json"
_PLAIN = r"^[a-z0-9-]+$"
"""What may become part of a folder's name."""


class SuiteOrigin(BaseModel):
    """The suite that packed a kit."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: str
    specs_sha256: str


class KitDescription(BaseModel):
    """What stands in ``kit.json``.

    Attributes:
        format: Of this file.
        suite: The suite that packed it.
        product: The product whose promises the cases test.
        tier: The tier that was asked for.
        standard: The standard that decides the verdicts.
        edition: The edition of the documents whose promises the cases test.
        nonce: What the kit's events repeat.
        timings: Launches of each call that must work, for their time alone.
        packed: When it was packed, UTC, in the form of ISO 8601; nothing depends on it.
        data: Where each case's data stand, by case id.
        cases: The cases, as run.json has them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["aclnn-cts/kit/1"]
    suite: SuiteOrigin
    product: str = Field(pattern=_PLAIN)
    tier: str = Field(pattern=_PLAIN)
    standard: str
    edition: str
    nonce: str = Field(pattern=r"^[0-9a-f]{32}$")
    timings: int = Field(default=0, ge=0)
    packed: str
    data: dict[str, DataReference]
    cases: tuple[dict[str, Any], ...]

    def planned(self) -> tuple[Case, ...]:
        """Return the cases.

        Raises:
            NotTrustworthyError: One of them is none.
        """
        try:
            return tuple(case_from_json(case) for case in self.cases)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise NotTrustworthyError(
                f"{KIT_FILE}: holds something that is no case ({damage_of(error)}); "
                "pack the kit again"
            ) from None


def read_description(where: str, content: bytes, suite: Suite) -> KitDescription:
    """Return the content of ``kit.json``.

    Args:
        where: The archive, for messages.
        content: The file's bytes.
        suite: The suite that is to judge.

    Raises:
        NotTrustworthyError: It is damaged, or of another suite.
    """
    try:
        described = KitDescription.model_validate_json(content)
    except ValidationError as error:
        raise NotTrustworthyError(
            f"{where}: {KIT_FILE} is not what this suite packs "
            f"({json_damage(error, 'the whole file')}); judge with the suite that packed the kit"
        ) from None
    origin = described.suite
    if (origin.version, origin.specs_sha256) != (__version__, specs_digest(suite)):
        raise NotTrustworthyError(
            f"{where}: the kit was packed by suite {origin.version}, specs "
            f"{origin.specs_sha256[:12]}; this is suite {__version__}, specs "
            f"{specs_digest(suite)[:12]}: judge with that suite, or pack and run a new kit"
        )
    return described
