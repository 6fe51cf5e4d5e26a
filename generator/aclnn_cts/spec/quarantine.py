# SPDX-License-Identifier: Apache-2.0
"""Cases whose golden data are known to be wrong, ``specs/quarantine.yaml``.

Tests compare golden data with an evaluation in 100 digits (``tests/oracle``). If they disagree, a
device that differs from the golden value may be right. Such a case runs, but its values are not
judged until the formula is fixed.
"""

from __future__ import annotations

import datetime
import fnmatch
from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import Field, StringConstraints

from aclnn_cts.spec.clause_models import Complaint, OperatorName, Sentence, Strict
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.spec.names import PLANNED_SCENES, unknown
from aclnn_cts.spec.yaml_files import Location

CasePattern = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Z][A-Za-z0-9]*\.[a-z0-9*?-]+\.[^\s/]+$"),
    Field(description="A case's id; `*` and `?` are wildcards."),
]


class QuarantineEntry(Strict):
    """Cases of one operator with wrong golden data."""

    operator: OperatorName
    case: CasePattern
    reason: Sentence = Field(description="What is wrong with the golden data.")
    found: datetime.date = Field(description="The day on which it was found.")
    measured: Sentence = Field(description="The disagreement: element, golden and exact value.")

    def holds(self, case: str) -> bool:
        """Whether the entry matches the case with that id."""
        return fnmatch.fnmatchcase(case, self.case)


class Quarantine(Strict):
    """quarantine.yaml; empty while all golden data are right."""

    quarantined: list[QuarantineEntry] = Field(description="One per set of cases.")

    def entry_of(self, case: str) -> QuarantineEntry | None:
        """Return the first entry that matches a case."""
        return next((entry for entry in self.quarantined if entry.holds(case)), None)


def quarantine_complaints(
    quarantine: Quarantine, operators: Mapping[str, OperatorSpec]
) -> Iterator[Complaint]:
    """Yield an entry's references to unknown names: place and message."""
    for number, entry in enumerate(quarantine.quarantined):
        at: Location = ("quarantined", number)
        spec = operators.get(entry.operator)
        if spec is None or spec.role != "tested":
            tested = [name for name, spec in operators.items() if spec.role == "tested"]
            yield (*at, "operator"), unknown("operator", entry.operator, tested)
            continue
        operator, scene, _ = entry.case.split(".", 2)
        if operator != entry.operator.removeprefix("aclnn"):
            yield (*at, "case"), f"{entry.case!r} is not a case of {entry.operator}"
        scenes = [*PLANNED_SCENES, *(scene.id for scene in spec.scenes)]
        if not fnmatch.filter(scenes, scene):
            yield (*at, "case"), unknown("scene", scene, scenes)


NOTHING = Quarantine(quarantined=[])
"""The empty quarantine."""
