# SPDX-License-Identifier: Apache-2.0
"""A comparison of two runs as one JSON document, with a format of its own."""

from __future__ import annotations

from dataclasses import fields
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from aclnn_cts.report.comparison_values import (
    AccuracyDrift,
    CaseChange,
    ClauseChange,
    Difference,
    Gate,
    Options,
    RunComparison,
    Side,
    Tested,
    TimeDrift,
)
from aclnn_cts.report.waiver_states import WaiverOutcome

ComparisonFormat: TypeAlias = Literal["aclnn-cts/comparison/1"]
COMPARISON_FORMAT: ComparisonFormat = "aclnn-cts/comparison/1"


class ComparisonDocument(BaseModel):
    """The whole document; see :class:`aclnn_cts.report.comparison_values.RunComparison`.

    ``worse`` counts what got worse, by gate, asked for or not; ``exit_status`` is the command's;
    ``stale`` names the waivers that would hide a failure that came back.
    """

    # Numbers that JSON has no literal for are the strings "NaN", "Infinity" and "-Infinity".
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")

    format: ComparisonFormat
    exit_status: int
    worse: dict[Gate, int]
    base: Side
    new: Side
    options: Options
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    stale: tuple[str, ...]
    waivers: tuple[WaiverOutcome, ...]
    cases: tuple[CaseChange, ...]
    accuracy: tuple[AccuracyDrift, ...]
    tested: Tested
    times: tuple[TimeDrift, ...]
    clauses: tuple[ClauseChange, ...]


def comparison_document(comparison: RunComparison) -> ComparisonDocument:
    """Return a comparison in the form of its JSON document."""
    facts = {item.name: getattr(comparison, item.name) for item in fields(comparison)}
    return ComparisonDocument(
        format=COMPARISON_FORMAT,
        exit_status=int(comparison.exit_code),
        worse=dict(comparison.worse),
        stale=comparison.stale,
        **facts,
    )
