# SPDX-License-Identifier: Apache-2.0
"""The model of an edition: its differences from the current one."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, StringConstraints

from aclnn_cts.spec.clause_models import Sentence, Strict

CURRENT = "current"
"""The name of the edition that a spec states in full."""

EditionName: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


class Edition(Strict):
    """Differences of another edition of the document, and losses of its copy."""

    note: Sentence | None = Field(
        None, description="Differences that cannot be expressed here, and what is used instead."
    )
    unreadable: list[Sentence] = Field(
        default_factory=list,
        description="Parts that the copy of the page has lost; the current edition's apply.",
    )
    statuses: Literal["unreadable"] | None = Field(
        None,
        description="The copy has lost the error table's statuses: its rows become refusals.",
    )
    changes: dict[str, Any] = Field(
        default_factory=dict,
        description=(
            "A merge patch of the spec: mappings merge, `null` removes. Lists of named entries "
            "are patched by name: parameters by `name`; clauses, rules, errors, not_promised and "
            "scenes by `id`; precision by `output`."
        ),
    )
