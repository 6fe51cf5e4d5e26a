# SPDX-License-Identifier: Apache-2.0
"""A results.json that was edited or pasted together is refused, and not compared or shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.report.results import read_results, write_document

Data = dict[str, Any]


def twice(data: Data) -> None:
    data["cases"].append({**data["cases"][0], "verdict": "crash"})


def lost(data: Data) -> None:
    data["cases"].pop()


def recounted(data: Data) -> None:
    data["totals"].update({"pass": 0, "fail": 2})


def unlisted_waiver(data: Data) -> None:
    data["cases"][0].update(verdict="fail", waiver="nosuch")
    data["totals"].update({"pass": 0, "waived": 1})


def waived_missing(data: Data) -> None:
    unlisted_waiver(data)
    data["cases"][0]["verdict"] = "missing"


def endless(data: Data) -> None:
    data["cases"][0]["device_microseconds"] = ["Infinity", 1.0]


def no_number(data: Data) -> None:
    data["cases"][0]["standards"]["strict"]["worst_ulp"] = "NaN"


def too_many(data: Data) -> None:
    data["cases"][0]["standards"]["strict"]["compared"] = 10**400


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (twice, "the case a appears 2 times"),
        (lost, "it counts 1 cases as fail, and holds 0"),
        (recounted, "it counts 2 cases as fail, and holds 1"),
        (unlisted_waiver, "a is waived by nosuch, which it does not list"),
        (waived_missing, "a is waived by nosuch"),
        (endless, "a took no time that there is"),
        (no_number, "the figures of a by the standard strict"),
        (too_many, "the figures of a by the standard strict"),
    ],
)
def test_what_cannot_be_so_is_refused(
    tmp_path: Path,
    results_document: Any,
    entry: Any,
    figures: Any,
    edit: Callable[[Data], None],
    says: str,
) -> None:
    """The sentence names what contradicts, and how to write the file anew."""
    cases = (entry("a", standards={"strict": figures()}), entry("b", "fail"))
    file = write_document(results_document(cases=cases), tmp_path)
    read_results(tmp_path)
    data = json.loads(file.read_text())
    edit(data)
    file.write_text(json.dumps(data))
    with pytest.raises(NotTrustworthyError, match=says) as refused:
        read_results(tmp_path)
    assert f"`aclnn-cts judge {tmp_path}`" in str(refused.value)
