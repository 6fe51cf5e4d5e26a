# SPDX-License-Identifier: Apache-2.0
"""Holding what disagrees against what is quarantined."""

from __future__ import annotations

import datetime
import json
from collections.abc import Collection, Iterator, Mapping, Sequence

from tests.oracle.exact.agreement import Agreement, Difference

from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.quarantine import Quarantine


def complaints(
    quarantine: Quarantine,
    compared: Collection[Case],
    disagreeing: Mapping[str, Sequence[Difference]],
) -> list[str]:
    """Return what has to change in specs/quarantine.yaml, a sentence each.

    Args:
        quarantine: What it says now.
        compared: The cases that were held against exact values.
        disagreeing: What differs, by the ids of the cases that disagree.
    """
    return [
        *_not_quarantined(quarantine, compared, disagreeing),
        *_needless(quarantine, compared, disagreeing),
    ]


def complaints_about(
    quarantine: Quarantine, agreements: Sequence[tuple[Case, Mapping[str, Agreement]]]
) -> list[str]:
    """Return what has to change, from the agreement of each output of the compared cases."""
    disagreeing: dict[str, list[Difference]] = {}
    for case, outputs in agreements:
        found = [difference for output in outputs.values() for difference in output.differences]
        disagreeing.setdefault(case.id, []).extend(found)
    return complaints(quarantine, [case for case, _ in agreements], disagreeing)


def unmatched(quarantine: Quarantine, planned: Collection[Case]) -> list[str]:
    """Return a sentence for each entry that speaks of no planned case."""
    return [
        f"specs/quarantine.yaml: no planned case is called {entry.case!r}; remove the entry"
        for entry in quarantine.quarantined
        if not any(entry.holds(case.id) for case in planned)
    ]


def _not_quarantined(
    quarantine: Quarantine,
    compared: Collection[Case],
    disagreeing: Mapping[str, Sequence[Difference]],
) -> Iterator[str]:
    for case in compared:
        found = disagreeing.get(case.id)
        if found and quarantine.entry_of(case.id) is None:
            yield (
                f"{case.id}: the golden value disagrees with the exact one; mend the formula, or "
                "put this under `quarantined:` in specs/quarantine.yaml:\n"
                + entry_text(case, found)
            )


def _needless(
    quarantine: Quarantine,
    compared: Collection[Case],
    disagreeing: Mapping[str, Sequence[Difference]],
) -> Iterator[str]:
    for entry in quarantine.quarantined:
        held = [case.id for case in compared if entry.holds(case.id)]
        if held and not any(disagreeing.get(name) for name in held):
            yield (
                f"specs/quarantine.yaml: the golden data of {entry.case!r} agree with the exact "
                "values now; remove the entry"
            )


def entry_text(case: Case, found: Sequence[Difference]) -> str:
    """Return the entry for a case, as it stands in the file."""
    more = f", and {len(found) - 1} more elements" if len(found) > 1 else ""
    return "\n".join(
        (
            f"  - operator: {case.operator}",
            f"    case: {json.dumps(case.id)}",
            "    reason: the golden value disagrees with the exact one",
            f"    found: {datetime.datetime.now(datetime.timezone.utc).date()}",
            f"    measured: {json.dumps(str(found[0]) + more)}",
        )
    )
