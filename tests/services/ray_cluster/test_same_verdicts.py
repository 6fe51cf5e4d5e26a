# SPDX-License-Identifier: Apache-2.0
"""Runs on a cluster say what a run on one host says."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from tests.services.ray_cluster.conftest import A2, NEXT, Room, verdicts_of

from aclnn_cts.errors import ExitCode

pytestmark = pytest.mark.end_to_end

OPERATOR = ("--operator", "aclnnPreluBackward")


def hosts_of(folder: Any) -> Counter[str]:
    """Return how many processes ran on each host."""
    lines = (folder / "journal.jsonl").read_text().splitlines()
    records = [json.loads(line)["record"] for line in lines]
    return Counter(each["program"]["host"] for each in records if each["event"] == "program")


def test_two_products(room: Room, alone: Any) -> None:
    """One campaign serves two products on the hosts that have them, one folder for each."""
    folder = room.root / "two-products"
    options = (*OPERATOR, "--product", A2, "--product", NEXT, "--results", str(folder))
    done = room.run("run", "--ray", room.address, *options)
    assert done.returncode == ExitCode.PASSED, done.stderr
    for product, hosts in ((A2, {"one", "two"}), (NEXT, {"three"})):
        assert verdicts_of(folder / product) == alone(*OPERATOR, "--product", product)
        assert set(hosts_of(folder / product)) == hosts
    judged = room.run("judge", str(folder / A2))
    assert judged.returncode == ExitCode.PASSED, judged.stderr


def test_a_faulty_device(room: Room, alone: Any) -> None:
    """Failures, reruns and their explanations are those of a local run."""
    options = ("--operator", "aclnnLogitGrad", "--fault", "logit-tail-not-stored")
    folder = room.root / "faulty"
    hosts = ("--product", A2, "--results", str(folder))
    done = room.run("run", "--ray", room.address, *options, *hosts)
    assert done.returncode == ExitCode.BROKEN_PROMISE, done.stderr
    assert verdicts_of(folder) == alone(*options, "--product", A2)


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--product", "atlas-a3"), ExitCode.NOT_TRUSTWORTHY, "no host of the Ray cluster is"),
        (("--cann-version", "8"), ExitCode.WRONG_INPUT, "no host has CANN 8"),
    ],
)
def test_what_the_hosts_do_not_have(
    room: Room, options: tuple[str, ...], code: ExitCode, words: str
) -> None:
    """It is refused with a sentence, and leaves no folder."""
    folder = room.root / "refused"
    done = room.run("run", "--ray", room.address, *options, "--results", str(folder))
    assert (done.returncode, words in done.stderr) == (code, True), done.stderr
    assert not folder.exists()
