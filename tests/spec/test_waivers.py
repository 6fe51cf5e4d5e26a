# SPDX-License-Identifier: Apache-2.0
"""The file of waivers: what it may say, and where it is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.judge.call_checks import KINDS
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.waivers import FailureClass, Waivers, load_waivers

GOOD = """\
waivers:
  - id: logit-rounds-twice
    operator: aclnnLogitGrad
    products: [atlas-a2, atlas-a3]
    cann: ">=8.0,<8.2"
    cases: ["LogitGrad.*.float16.*"]
    clauses: [formula]
    failure: [value]
    max_ulp: 2.5
    reason: the kernel rounds twice in float16
    link: https://example.org/tracker/17
    owner: Ada
    expires: 2027-03-31
"""


def load(tmp_path: Path, specs: SpecSet, text: str) -> Waivers:
    path = tmp_path / "waivers.yaml"
    path.write_text(text, encoding="utf-8")
    return load_waivers(path, specs)


def test_a_waiver_says_all_that_it_accepts(tmp_path: Path, specs: SpecSet) -> None:
    """What stands in the file is what is held against the run."""
    (waiver,) = load(tmp_path, specs, GOOD).waivers
    assert waiver.speaks_of("LogitGrad.pairs.float16.3x5.eps_-1.0123456789")
    assert not waiver.speaks_of("LogitGrad.pairs.float32.3x5.eps_-1.0123456789")
    assert waiver.names_clause("formula")
    assert not waiver.names_clause("determinism")
    assert waiver.largest_ulp == 2.5
    assert waiver.expires.isoformat() == "2027-03-31"


def test_no_waivers_are_no_mistake(tmp_path: Path, specs: SpecSet) -> None:
    """A gate begins with an empty list."""
    assert load(tmp_path, specs, "waivers: []\n").waivers == []


@pytest.mark.parametrize(
    ("before", "after", "line", "said"),
    [
        ("operator:", "operater:", 2, "operator is missing"),
        ("operator:", "operater:", 3, "unknown key 'operater'"),
        ("aclnnLogitGrad", "aclnnLogitgrad", 3, "did you mean 'aclnnLogitGrad'?"),
        ("atlas-a3", "atlas-3a", 4, "unknown product 'atlas-3a'; did you mean 'atlas-a3'?"),
        (">=8.0,<8.2", "8.0 to 8.2", 5, "'8.0 to 8.2' is not a range of CANN versions; allowed"),
        ("LogitGrad.*.float16.*", "LogitGrad.[ab].float16", 6, "is not a pattern for case ids"),
        ("LogitGrad.*.float16.*", "LogitGrad.cover", 6, "write 'LogitGrad.cover.*'"),
        ("LogitGrad.*.float16.*", "LogitGrad.bsae*16*", 6, "did you mean 'base'?"),
        ("LogitGrad.*.float16.*", "DropoutBackward.*.float16", 6, "not a case of aclnnLogitGrad"),
        ("LogitGrad.*.float16.*", "LogitGrad.bsae.float16", 6, "did you mean 'base'?"),
        ("[formula]", "[fromula]", 7, "unknown clause 'fromula'; did you mean 'formula'?"),
        ("[value]", "[memory]", 2, "max_ulp is for the failure class value only"),
        ("    max_ulp: 2.5\n", "", 2, "max_ulp is missing"),
        ("the kernel rounds twice in float16", "slow", 10, "at least 8 characters"),
        ("    owner: Ada\n", "", 2, "owner is missing"),
        ("2027-03-31", "2027-03-32", 13, "day is out of range for month (it is '2027-03-32')"),
        ("2027-03-31", "20270331", 13, "must be a date such as 2026-12-31"),
        ("2027-03-31", "next year", 13, "expires"),
        (
            "    expires: 2027-03-31\n",
            "    expires: 2027-03-31\n    owner: Bob\n",
            14,
            "duplicate key",
        ),
    ],
)
def test_mistakes_are_told_with_their_line(
    tmp_path: Path, specs: SpecSet, before: str, after: str, line: int, said: str
) -> None:
    """A waiver with a mistake must not accept another failure, or none, without a word."""
    assert before in GOOD
    with pytest.raises(WrongInputError) as caught:
        load(tmp_path, specs, GOOD.replace(before, after, 1))
    told = str(caught.value).splitlines()
    assert any(f"waivers.yaml:{line}: " in each and said in each for each in told), told


def test_a_waiver_for_everything_is_refused(tmp_path: Path, specs: SpecSet) -> None:
    """Without a case and without clauses it would accept whatever an operator does."""
    text = GOOD.replace('    cases: ["LogitGrad.*.float16.*"]\n', "")
    text = text.replace("    clauses: [formula]\n", "")
    with pytest.raises(WrongInputError, match="names neither cases nor clauses"):
        load(tmp_path, specs, text)


@pytest.mark.parametrize(
    "pattern", ["LogitGrad.*", "LogitGrad*", "*.float16.*", "*", "LogitGrad.p*.float16*"]
)
def test_a_pattern_is_about_the_whole_id(tmp_path: Path, specs: SpecSet, pattern: str) -> None:
    """A star stands for any number of the parts between the dots."""
    text = GOOD.replace("LogitGrad.*.float16.*", pattern)
    (waiver,) = load(tmp_path, specs, text).waivers
    assert waiver.speaks_of("LogitGrad.pairs.float16.3x5.eps_-1.0123456789")


def test_an_id_stands_once(tmp_path: Path, specs: SpecSet) -> None:
    """Results name the waiver by its id."""
    with pytest.raises(WrongInputError, match=r"yaml:14: the id .* appears 2 times"):
        load(tmp_path, specs, GOOD + GOOD.removeprefix("waivers:\n"))


def test_a_missing_file_is_told(tmp_path: Path, specs: SpecSet) -> None:
    """The gate was told to use it."""
    with pytest.raises(WrongInputError, match=r"none.yaml: there is no such file$"):
        load_waivers(tmp_path / "none.yaml", specs)


def test_the_classes_are_those_of_the_judge() -> None:
    """Each kind that a case can break can be waived; a hang is the timeout itself."""
    kinds = set(KINDS) - {"hang"}
    verdicts = {v.value for v in Verdict if v.breaks_promise} - {"fail"}
    assert set(get_args(FailureClass)) == kinds | verdicts


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("waivers: !!bool maybe", "this is not a valid bool (it is 'maybe')"),
        ('waivers: !!timestamp "x"', "this is not a valid timestamp (it is 'x')"),
        ('waivers: !!int ""', "this is not a valid int (it is '')"),
        ('waivers: !!float ""', "(it is '')"),
        ("waivers: " + "[" * 200, "nested more than 50 deep"),
    ],
)
def test_yaml_that_its_library_chokes_on(
    tmp_path: Path, specs: SpecSet, text: str, told: str
) -> None:
    """What the library meets with an exception of its own is told as any other mistake."""
    with pytest.raises(WrongInputError) as caught:
        load(tmp_path, specs, text)
    assert str(caught.value).startswith(f"{tmp_path / 'waivers.yaml'}:1: not valid YAML: ")
    assert told in str(caught.value)


def test_an_empty_file_is_told(tmp_path: Path, specs: SpecSet) -> None:
    """An empty file was hardly meant: it says what belongs there."""
    with pytest.raises(WrongInputError, match=r"waivers.yaml:1: is empty; .*waivers"):
        load(tmp_path, specs, "# nothing yet\n")
