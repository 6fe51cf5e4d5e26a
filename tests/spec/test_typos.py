# SPDX-License-Identifier: Apache-2.0
"""A typo in each field of the files that people write: where, what is wrong, what is right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.library_words import LIBRARY_WORDS

from aclnn_cts.errors import ExitCode, WrongInputError
from aclnn_cts.qualify.catalog import Faults
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.model_files import read_model
from aclnn_cts.spec.quarantine import Quarantine
from aclnn_cts.spec.waivers import load_waivers

WAIVERS = """\
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
FAULTS = """\
faults:
  - operator: aclnnLogitGrad
    notices: [formula]
    devices:
      logit-thing:
        fault: what goes wrong, in words
        product: atlas-a2
        edits: {a: b}
"""
QUARANTINE = """\
quarantined:
  - operator: aclnnLogitGrad
    case: LogitGrad.special.bfloat16.*
    reason: the formula rounds twice
    found: 2026-11-21
    measured: "out[3]: golden 1.0, exact 1.5"
"""


def told_of(content: bytes, tmp_path: Path, specs: SpecSet) -> list[str]:
    """Return what is said of a file of waivers that is refused, without its path."""
    path = tmp_path / "waivers.yaml"
    path.write_bytes(content)
    with pytest.raises(WrongInputError) as caught:
        load_waivers(path, specs)
    assert caught.value.exit_code is ExitCode.WRONG_INPUT
    return _lines(caught.value, path)


def _lines(error: WrongInputError, path: Path) -> list[str]:
    """Return the complaints; each must begin with file and line, in words of our own."""
    lines = str(error).splitlines()
    for line in lines:
        assert re.match(re.escape(f"{path}:") + r"[1-9][0-9]*: ", line), line
        assert not LIBRARY_WORDS.search(line), line
    return [line.removeprefix(f"{path}:") for line in lines]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("waivers:", "waiver:", "1: unknown key 'waiver'; did you mean 'waivers'?"),
        ("operator:", "operater:", "3: unknown key 'operater' in waivers.0; did you mean 'op"),
        ("id: logit-rounds-twice", "id: Logit rounds", "2: waivers.0.id: must match the pattern"),
        ("id: logit-rounds-twice", "id: 7", "2: waivers.0.id: must be text; put numbers"),
        ("id: logit-rounds-twice", "7: x", "2: unknown key '7' in waivers.0; known: cann"),
        ("operator: aclnnLogitGrad", "operator: LogitGrad", "3: waivers.0.operator: must match"),
        ("operator: aclnnLogitGrad", "operator:", "3: waivers.0.operator: must be text; "),
        ("operator: aclnnLogitGrad", "operator: [aclnnLogitGrad]", "3: waivers.0.operator: must"),
        ("operator: aclnnLogitGrad", "operator: aclnnLogitGard", "3: unknown operator 'aclnnLo"),
        ("[atlas-a2, atlas-a3]", "atlas-a2", "4: waivers.0.products: must be a list (it is 'at"),
        ("[atlas-a2, atlas-a3]", "[]", "4: waivers.0.products: must be a list of length 1 or mo"),
        ("[atlas-a2, atlas-a3]", "[Atlas A2]", "4: waivers.0.products.0: must match the pattern"),
        ("[atlas-a2, atlas-a3]", "[atlas-2a]", "4: unknown product 'atlas-2a'; did you mean 'a"),
        ('">=8.0,<8.2"', "8.0", "5: waivers.0.cann: must be text; put numbers, dates"),
        ('">=8.0,<8.2"', '"=>8.0"', "5: waivers.0.cann: '=>8.0' is not a range of CANN versions"),
        ('">=8.0,<8.2"', '">=8.O"', "5: waivers.0.cann: '>=8.O' is not a range of CANN versions"),
        ('"LogitGrad.*.float16.*"', "5", "6: waivers.0.cases.0: must be text; put"),
        ("LogitGrad.*.float16.*", "Logit Grad", "6: waivers.0.cases.0: 'Logit Grad' is"),
        ("LogitGrad.*.float16.*", "LogitGard.*", "6: 'LogitGard.*' is not a case of"),
        ("[formula]", "formula", "7: waivers.0.clauses: must be a list (it is 'formula')"),
        ("[formula]", "[Formula!]", "7: waivers.0.clauses.0: must match the pattern"),
        ("[formula]", "[fromula]", "7: unknown clause 'fromula'; did you mean 'formula'?"),
        ("[value]", "[valeu]", "8: waivers.0.failure.0: must be 'value', 'status', 'memory',"),
        ("[value]", "value", "8: waivers.0.failure: must be a list (it is 'value')"),
        ("[value]", "[]", "8: waivers.0.failure: must be a list of length 1 or more"),
        ("2.5", "two", "9: waivers.0.max_ulp: must be a number (it is 'two')"),
        ("2.5", "-1", "9: waivers.0.max_ulp: must be 0 or more (it is -1)"),
        ("2.5", ".nan", "9: waivers.0.max_ulp: must be 0 or more (it is nan)"),
        ("2.5", "true", "9: waivers.0.max_ulp: must be a number (it is true)"),
        ("the kernel rounds twice in float16", "slow", "10: waivers.0.reason: must have at least"),
        ("the kernel rounds twice in float16", "", "10: waivers.0.reason: must be text"),
        ("https://example.org/tracker/17", "tracker 17", "11: waivers.0.link: must match"),
        ("https://example.org/tracker/17", "17", "11: waivers.0.link: must be text; put numbers"),
        ("owner: Ada", "owner: A", "12: waivers.0.owner: must have at least 2 characters (it is"),
        ("owner: Ada", "owner: 2027-03-31", "(it is 2027-03-31)"),
        ("2027-03-31", "next year", "13: waivers.0.expires: must be a date such as 2026-12-31 ("),
        ("2027-03-31", "20270331", "13: waivers.0.expires: must be a date such as 2026-12-31 ("),
        ("2027-03-31", "2027-3-31", "13: waivers.0.expires: must be a date such as 2026-12-31 ("),
        ("2027-03-31", "2027-03-31 12:00:00", "13: waivers.0.expires: must be a date such as"),
        ("2027-03-31", "2027-02-30", "13: not valid YAML: day is out of range for month"),
        ("    owner: Ada\n", "    owner: Ada\n    owner: Bob\n", "13: not valid YAML: duplicate k"),
        ("    owner: Ada\n", "\towner: Ada\n", "12: not valid YAML: found a tab character"),
        ("    owner: Ada\n", "   owner: Ada\n", "12: not valid YAML: "),
        ("    owner: Ada\n", "    owner Ada\n", "not valid YAML: "),
        ("  - id", "    id", "1: waivers: must be a list"),
    ],
)  # fmt: skip
def test_waivers(tmp_path: Path, specs: SpecSet, before: str, after: str, said: str) -> None:
    """The line where it stands, what is wrong, and what may stand there."""
    assert before in WAIVERS
    lines = told_of(WAIVERS.replace(before, after, 1).encode(), tmp_path, specs)
    assert any(said in line for line in lines), lines


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "1: is empty; it needs at least 'waivers'"),
        (b"waivers:\n", "1: waivers: must be a list (it is empty)"),
        (b"- id: x\n", "1: the whole file: must hold keys with values"),
        (b"waivers\n", "1: the whole file: must hold keys with values (it is 'waivers')"),
        (b"waivers: {id: x}\n", "1: waivers: must be a list"),
        (b"waivers:\n  - x\n", "2: waivers.0: must hold keys with values (it is 'x')"),
        (b"waivers:\n  - \xff\n", "2: is not valid UTF-8 (invalid start byte); save the file"),
        (b"waivers:\n  - \x00\n", "2: not valid YAML: control characters are not allowed"),
        (
            b"waivers:\n\t- id: x\n",
            "2: not valid YAML: found character that cannot start any token; inde",
        ),
        (b"waivers: []\n---\nwaivers: []\n", "2: not valid YAML: but found another document"),
        (b"waivers: &a []\nx: *a\n", "2: not valid YAML: aliases are not allowed"),
        ("waivers: []\n".encode("utf-16"), "1: is not valid UTF-8"),
    ],
)
def test_files_that_hold_no_waivers(
    tmp_path: Path, specs: SpecSet, content: bytes, said: str
) -> None:
    """What is not a list of waivers at all is told as any other mistake."""
    lines = told_of(content, tmp_path, specs)
    assert any(said in line for line in lines), lines


@pytest.mark.parametrize("text", [WAIVERS, FAULTS, QUARANTINE], ids=["waivers", "faults", "quar"])
@pytest.mark.parametrize(
    "wrong", ["", "5", "true", "[]", "[[]]", "{}", "{a: b}", "2027-01-01", ".nan", "x", '""']
)
def test_any_value_anywhere(tmp_path: Path, specs: SpecSet, text: str, wrong: str) -> None:
    """Whatever stands in whatever field, what is said of it is said in words of our own."""
    path = tmp_path / "waivers.yaml"
    refused = 0
    for field in re.finditer(r"(?m)^([ -]*[a-z_]+:) .+$", text):
        path.write_text(f"{text[: field.start()]}{field[1]} {wrong}{text[field.end() :]}")
        try:
            _read(text, path, specs)
        except WrongInputError as error:
            refused += 1
            _lines(error, path)
    assert refused


def _read(text: str, path: Path, specs: SpecSet) -> None:
    if text == WAIVERS:
        load_waivers(path, specs)
    else:
        read_model(path, Faults if text == FAULTS else Quarantine)
