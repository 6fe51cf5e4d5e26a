# SPDX-License-Identifier: Apache-2.0
"""The runs that one page or summary shows, and how they are told apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from aclnn_cts.plan.command_line import Ran, run_again_command, run_command, run_start
from aclnn_cts.report.document import CaseEntry, ResultsDocument


@dataclass(frozen=True)
class Run:
    """One run of a page.

    Attributes:
        label: What tells it from the page's other runs: the product, and more where that is not
            enough.
        alone: Whether it is the page's only run.
        document: All that is known about it.
    """

    label: str
    alone: bool
    document: ResultsDocument

    def key(self, case: str) -> str:
        """Return what a link to a case names: the case's id, with the run's label if it must."""
        return case if self.alone else f"{self.label}/{case}"

    def command(self, case: CaseEntry) -> str:
        """Return the command that runs a case again, behind the cases that its failure takes."""
        product = self.document.device.product
        parts = run_again_command(case.id, case.operator, product, self._ran, case.after)
        return " ".join(parts)

    @property
    def command_start(self) -> str:
        """The command that runs a case alone, up to the case's id."""
        return " ".join(run_command("", self.document.device.product, self._ran))

    @property
    def command_of_all(self) -> str:
        """The command that runs the whole again, as far as the record tells it."""
        start = " ".join(run_start(self.document.device.product, self._ran))
        told = self.document
        named = "" if told.all_operators else "".join(f" --operator {n}" for n in self._operators)
        return start + named + (f" --timings {told.timings}" if told.timings else "")

    @property
    def _operators(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(case.operator for case in self.document.cases))

    @property
    def _ran(self) -> Ran:
        told = self.document
        return Ran(
            told.tier,
            told.edition,
            told.standard,
            simulator=told.device.kind == "simulator",
            fault=told.device.fault,
            variant=told.device.variant,
            cann=told.cann,
            number=next(iter(told.environment.devices), 0),
            sanitize=told.sanitize,
            enforce=told.enforce,
        )


def labelled(
    documents: Sequence[ResultsDocument], names: Sequence[str] | None = None
) -> tuple[Run, ...]:
    """Return the runs of a page with labels that are all different, and safe in a link.

    Args:
        documents: What is known about each run.
        names: The name of each run's folder, for runs of one product if all are different.
    """
    labels = _told_apart(documents, _safe(names) if names is not None else None)
    return tuple(
        Run(label, len(documents) == 1, document)
        for label, document in zip(labels, documents, strict=True)
    )


def _safe(words: Sequence[str]) -> list[str]:
    """Return words without what would have to be escaped in a link."""
    return [re.sub(r"[^A-Za-z0-9._+-]+", "-", word) for word in words]


def _told_apart(documents: Sequence[ResultsDocument], names: Sequence[str] | None) -> list[str]:
    labels = [document.device.product for document in documents]
    if len(set(labels)) == len(labels):
        return labels
    if names is not None and all(names) and len(set(names)) == len(names):
        return list(names)
    further = (
        [document.device.fault or document.device.variant for document in documents],
        [document.tier for document in documents],
        [document.edition for document in documents],
        [document.device.cann for document in documents],
        [document.standard for document in documents],
        [document.started for document in documents],
        [str(place) for place in range(1, len(documents) + 1)],
    )
    for words in further:
        if len(set(labels)) == len(labels):
            break
        kinds: dict[str, set[str]] = {}
        for label, word in zip(labels, words, strict=True):
            kinds.setdefault(label, set()).add(word)
        labels = [
            f"{label}:{word}" if len(kinds[label]) > 1 and word else label
            for label, word in zip(labels, _safe(words), strict=True)
        ]
    return labels
