# SPDX-License-Identifier: Apache-2.0
"""Stores to ask, and runs to record in them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.report.comparing_runs import case
from typer.testing import CliRunner, Result

from aclnn_cts import cli
from aclnn_cts.results.cases import CaseEntry
from aclnn_cts.results.document import ResultsDocument, totals
from aclnn_cts.run.environment import Environment
from aclnn_cts.run.folder import Device
from aclnn_cts.store.folder import Store, open_store
from aclnn_cts.store.recording import recording

Make = Callable[..., ResultsDocument]
Nights = Callable[..., list[str]]


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """The folder of a store that is not there yet, with a name that patterns would misread."""
    return str(tmp_path / "store's [1]*")


@pytest.fixture
def store(folder: str) -> Iterator[Store]:
    """An empty store."""
    with open_store(folder, create=True) as opening:
        yield opening


@pytest.fixture
def judged(results_document: Make) -> Make:
    """Return what makes a judged run from some cases, and a day and a place for it.

    With ``card=None``, each case says where it ran.
    """

    def make(
        *cases: CaseEntry,
        day: int = 1,
        host: str = "a",
        card: int | None = 0,
        cann: str = "8.0",
        **facts: Any,
    ) -> ResultsDocument:
        if card is not None:
            cases = tuple(each.model_copy(update={"host": host, "card": card}) for each in cases)
        return results_document(
            **{
                "device": Device("hardware", "atlas-a2", "Ascend910B3", cann),
                "environment": Environment(host=host),
                "started": f"2026-{1 + day // 28:02}-{1 + day % 28:02}T03:00:00+00:00",
                "cases": cases,
                "totals": totals(case.outcome for case in cases),
                "nonce": secrets.token_hex(16),
                **facts,
            }
        )

    return make


@pytest.fixture
def nights(store: Store, judged: Make) -> Nights:
    """Return what records one run for each night: of each case, a letter for each night."""
    verdicts = {".": "pass", "F": "fail", "C": "crash", "?": "missing", "~": "flaky"}

    def fill(outcomes: dict[str, str], **facts: list[Any]) -> list[str]:
        ids = []
        for night in range(len(next(iter(outcomes.values())))):
            cases = [
                case(name, verdicts[letters[night]])
                for name, letters in outcomes.items()
                if letters[night] != " "
            ]
            own = {name: values[night] for name, values in facts.items()}
            ids.append(add(store, judged(*cases, day=night, **own)))
        return ids

    return fill


def add(store: Store, document: ResultsDocument, label: str = "", report: str = "") -> str:
    """Record a run and return its id."""
    recorded = "2026-11-23T00:00:00+00:00"
    with recording(store) as recorder:
        return recorder.record(document, recorded=recorded, label=label, report=report).id


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, arguments, env={"COLUMNS": "120"})
